mraha-name = Mraha wa tso
mraha-preset_mraha = Mraha
mraha-preset_kiswahili = Kiswahili
mraha-match_won = { $emptied ->
    [true] { $player } gagne. La rangée interne de l'autre est vide.
   *[other] { $player } gagne.
}
mraha-move = { $uladza ->
    [true] { $player } joue { $key }. Une graine repose dans le coin.
   *[other] { notice-move }
}
