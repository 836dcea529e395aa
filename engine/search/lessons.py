"""Small positions to learn from: in each, one turn is better by far than every other.

A position is named by what led to it: so many turns by lot, drawn by this seed. Nobody need store it.
"""

from random import Random
from typing import Any, NamedTuple

from engine.referee.seed_game import SeedGame
from engine.search.advice import Advice, advice
from engine.search.seeds import weights_name


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

    def told_of(self, game: SeedGame[Any], key: str) -> Advice:
        """What there is to say of a turn."""
        return advice(game, self.position(game), key, self.best)


def set_out(game: SeedGame[Any], position: Any) -> SeedGame[Any]:
    """The game that begins with this position, which everybody may see."""
    begun = game.begun_from(position)
    begun.counting, begun.show_counts = position.sides, True
    return begun


def lessons_of(game: SeedGame[Any]) -> tuple[Lesson, ...]:
    """The lessons of a game by its rules; none where there are none."""
    return LESSONS.get(weights_name(game), ())


LESSONS: dict[str, tuple[Lesson, ...]] = {
    "awale": (
        Lesson(12, 20, "D"), Lesson(14, 22, "D"), Lesson(20, 8, "F"), Lesson(38, 26, "F"), Lesson(40, 8, "B"),
        Lesson(50, 18, "F"), Lesson(56, 24, "A"), Lesson(58, 26, "E"), Lesson(62, 10, "A"), Lesson(72, 20, "E"),
    ),
    "mraha": (
        Lesson(6, 14, "F5-"), Lesson(14, 22, "F4-"), Lesson(18, 26, "F6+"), Lesson(26, 14, "F3-"),
        Lesson(28, 16, "F3-"), Lesson(30, 18, "F3+"), Lesson(38, 26, "F5-"), Lesson(42, 10, "F6-"),
        Lesson(46, 14, "F2+"), Lesson(64, 22, "F3+"),
    ),
    "kiswahili": (
        Lesson(4, 14, "F6-"), Lesson(30, 24, "F3+"),
        Lesson(50, 22, "F6+"), Lesson(54, 12, "F2+"), Lesson(58, 26, "F3+"), Lesson(64, 22, "F3-"),
        Lesson(74, 26, "F3-"), Lesson(82, 12, "F5+"), Lesson(88, 20, "F4-"),
        Lesson(102, 12, "F7-"),
    ),
}  # fmt: skip
"""By game and rules: found by looking ahead from 400 games by lot."""
