seeds-no_round = --corners: give the four corners clockwise, starting at row 1, column 1
seeds-say_grid = --corners: also give --grid, like 4x8
seeds-no_board = No board found. Is the whole board in the picture, and well lit?
seeds-found = { $path }: { $grid } pits, seeds: { $total }
seeds-outside = , and { $outside } outside the pits
seeds-not_sure = This may not be the board. Move the camera over it, or give --corners.
seeds-hidden = I cannot count these pits (–): { $hidden }. Is a hand or a reflection over them?
seeds-doubts = I am not sure of these counts (?): { $doubts }.
