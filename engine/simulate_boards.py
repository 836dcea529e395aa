"""Games of seeds as a simulated table plays them, whichever game it is: honest turns, and faults planted in them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from engine import simulate_awale, simulate_mraha
from engine.events import Board
from engine.referee.board_judge import BoardJudge
from engine.referee.seed_game import SeedGame


@dataclass(frozen=True)
class Faults:
    """The faults of one game that can be planted."""

    plant: Callable[[Any, Any, str, Random], Board | None]
    """From a position, the house's flags, a rule and chance: a board that shows it; None: not in this position."""
    plantable: tuple[str, ...]
    plain: str
    """One that everybody sees, and that is told as soon as the hand is gone."""


FAULTS = {
    "mraha": Faults(simulate_mraha.plant, simulate_mraha.PLANTABLE, "capture_owed"),
    "awale": Faults(simulate_awale.plant, simulate_awale.PLANTABLE, "took_what_it_may_not"),
}


def honest_turns(rng: Random, game: SeedGame[Any]) -> Iterator[Any]:
    """The turns of a random game."""
    position = game.opening
    while not position.over:
        turn = rng.choice(list(game.legal(position).values()))
        yield turn
        position = turn.after


def board_of(game: SeedGame[Any], position: Any) -> Board:
    """A position as a board read without doubt."""
    return Board(pits=game.board_rows(position.sides))


def plant(judge: BoardJudge, position: Any, rule: str, rng: Random) -> Board | None:
    """A board that shows this rule broken and nothing else; None: in this position it cannot be shown."""
    return FAULTS[judge.game.name].plant(position, judge.game.flags, rule, rng)
