# Names that sentences are made of.
table-player = player { $number }
table-player_short = P{ $number }
table-side = side { $letter }
table-nobody = nobody
table-somebody = somebody
table-south = South
table-north = North
table-unread_cards = { $count ->
    [one] a card I cannot read
   *[other] { $count } cards I cannot read
}
table-and = { $one } and { $other }
table-either = { " " }or{ " " }
table-score = match { $games }
table-points = points { $points }
table-game_of = { $game }, { $players } players
table-move_unnamed = as it lies there
table-move_F = front { $column }
table-move_B = back { $column }
table-move_stop = stopping at the nyumba
table-move_use = going on from the nyumba
table-move_pit = pit { $pit }
