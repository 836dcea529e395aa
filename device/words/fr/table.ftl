table-player = Joueur { $number }
table-player_short = J{ $number }
table-side = Camp { $letter }
table-nobody = personne
table-somebody = quelqu'un
table-south = Sud
table-north = Nord
table-unread_cards = { $count ->
    [one] une carte illisible
   *[other] { $count } cartes illisibles
}
table-and = { $one } et { $other }
table-either = { " " }ou{ " " }
table-score = partie { $games }
table-points = points { $points }
table-game_of = { $game }, à { $players }
table-move_unnamed = comme sur le tablier
table-move_F = avant { $column }
table-move_B = arrière { $column }
table-move_stop = arrêt à la nyumba
table-move_use = suite depuis la nyumba
table-move_pit = case { $pit }
