"""Small positions to learn from: in each, one turn is better by far than every other.

A position is named by what led to it: so many turns by lot, drawn by this seed. Nobody need store it.
"""

from random import Random
from typing import Any, NamedTuple

from engine.referee.seed_game import SeedGame
from engine.search.seeds import searched
from engine.search.tree import Limits, Searcher

LOOKS = Limits(nodes=1_500)
"""What a wrong turn is weighed with."""


class Lesson(NamedTuple):
    """What led to a position, and the turn to find in it."""

    seed: int
    turns: int
    best: str

    def position(self, game: SeedGame[Any]) -> Any:
        """Where South is to move."""
        rng, position = Random(self.seed), game.opening
        for _ in range(self.turns):
            position = rng.choice(list(game.legal(position).values())).after
        return position

    def given_away(self, game: SeedGame[Any], key: str) -> float:
        """How many seeds another turn is worth less than the best."""
        after = {name: turn.after for name, turn in game.legal(self.position(game)).items()}
        best, other = (_worth(game, after[chosen]) for chosen in (self.best, key))
        return (best - other) / 100


def _worth(game: SeedGame[Any], after: Any) -> int:
    """What a position is worth to who has just moved."""
    view = searched(game)
    over = view.result(after)
    return -10_000 * over if over is not None else -Searcher(view).lines(after, LOOKS)[0].value


LESSONS: dict[str, tuple[Lesson, ...]] = {
    "awale": (
        Lesson(12, 20, "D"), Lesson(14, 22, "D"), Lesson(20, 8, "F"), Lesson(38, 26, "F"), Lesson(40, 8, "B"),
        Lesson(50, 18, "F"), Lesson(56, 24, "A"), Lesson(58, 26, "E"), Lesson(62, 10, "A"), Lesson(72, 20, "E"),
    ),
    "mraha": (
        Lesson(6, 14, "F5-"), Lesson(14, 22, "F4-"), Lesson(18, 26, "F6+"), Lesson(26, 14, "F3-"),
        Lesson(28, 16, "F3-"), Lesson(30, 18, "F3+"), Lesson(38, 26, "F5-"), Lesson(42, 10, "F6-"),
        Lesson(46, 14, "F2+"), Lesson(50, 18, "F1+"),
    ),
}  # fmt: skip
"""By game, played by its usual rules: found by looking ahead from 400 games by lot."""
