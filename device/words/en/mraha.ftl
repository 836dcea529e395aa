mraha-name = Mraha wa tso
mraha-preset_mraha = Mraha
mraha-preset_kiswahili = Kiswahili
mraha-match_won = { $emptied ->
    [true] { $player } wins. The other front row is empty.
   *[other] { $player } wins.
}
mraha-move = { $uladza ->
    [true] { $player } plays { $key }. A seed rests in the corner.
   *[other] { notice-move }
}
