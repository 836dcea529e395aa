"""What the numbers of a position are worth, in hundredths of a seed: learned by play against itself.

`python -m tools.learn_seeds --games 700 --rounds 2` makes them again. Each is the weight of one of the game's features
(engine/search/seeds.py), in that order.
"""

WEIGHTS: dict[str, tuple[int, ...]] = {
    "mraha": (93, 78, 11, 72, 125, 45, 64, 97, 158, 74, 88, 135, 44, 207, 169, 139, -3, -56, 0, 355, 282),
    "kiswahili": (127, 22, 58, -23, 51, 18, 117, 95, 86, 191, 172, 183, 102, 123, 95, 183, 130, -6, 387, -122, 385),
    "awale": (0, 1, 2, -7, -8, -17, 100, -120, -160, 63, 13),
}
