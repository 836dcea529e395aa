"""Who plays against people: looks ahead in games of seeds.

>>> from engine.games import game_kind
>>> judge, _ = game_kind("mraha").judge(2, {})
>>> player = SeedPlayer(judge.game, level=3, seed=7)
>>> position = judge.game.opening
>>> for _ in range(4):
...     position = judge.game.legal(position)[player.turn(position).key].after
>>> position.to_move
0
"""

from engine.search.levels import DEFAULT, LEVELS, Level, SeedPlayer
from engine.search.tree import Limits, Searcher, Variation

__all__ = ["DEFAULT", "LEVELS", "Level", "Limits", "Searcher", "SeedPlayer", "Variation"]
