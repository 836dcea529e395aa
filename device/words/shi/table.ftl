# M: ngama
table-move_pit = ngama { $pit }
