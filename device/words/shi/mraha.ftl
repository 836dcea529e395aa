# M: mraha wa tso
mraha-name = Mraha wa tso
# M: mraha
mraha-preset_mraha = Mraha
# M: kamu, T: ushindra
mraha-match_won = { $emptied ->
    [true] Kamu. Ushindra : { $player }.
   *[other] Ushindra : { $player }.
}
# M: uladza
mraha-move = { $uladza ->
    [true] Uladza : { $player }, { $key }.
   *[other] { notice-move }
}
