"""The games there are, by the name they have on the command line and in journals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.options import Option, OptionError, OptionValue
from engine.referee.awale import awale_judge
from engine.referee.card_game import CardJudge
from engine.referee.judge import Judge
from engine.referee.mraha import mraha_judge
from engine.rules import awale, mraha, triomphe, turufu


@dataclass(frozen=True)
class GameKind:
    """How a game is set up at a table."""

    name: str
    players: int
    """Unless the table says otherwise."""
    options: tuple[Option, ...]
    judge: Callable[[int, Mapping[str, object]], tuple[Judge[Any], dict[str, OptionValue]]]
    grid: tuple[int, int] | None = None
    """Rows and columns of the board it is played on; None: it is played with cards."""
    presets: tuple[str, ...] = ()
    """Named sets of house options, chosen by the option `preset`."""


def _turufu(players: int, given: Mapping[str, object]) -> tuple[Judge[Any], dict[str, OptionValue]]:
    game = turufu.turufu(players, given)
    return CardJudge(game), dict(game.options)


def _triomphe(players: int, given: Mapping[str, object]) -> tuple[Judge[Any], dict[str, OptionValue]]:
    game = triomphe.triomphe(players, given)
    return CardJudge(game), dict(game.options)


def _pille(players: int, given: Mapping[str, object]) -> tuple[Judge[Any], dict[str, OptionValue]]:
    game = triomphe.pille(players, given)
    return CardJudge(game), dict(game.options)


GAMES = {
    kind.name: kind
    for kind in (
        GameKind("turufu", 4, turufu.OPTIONS, _turufu),
        GameKind("triomphe", 4, triomphe.OPTIONS, _triomphe),
        GameKind("pille", 4, triomphe.OPTIONS_PILLE, _pille),
        GameKind("mraha", 2, mraha.OPTIONS, mraha_judge, (4, 8), tuple(mraha.PRESETS)),
        GameKind("awale", 2, awale.OPTIONS, awale_judge, (awale.ROWS, awale.COLUMNS)),
    )
}


def game_kind(name: str) -> GameKind:
    """A game by name. Raises OptionError."""
    if name not in GAMES:
        raise OptionError(f"unknown game {name!r}; known are {', '.join(GAMES)}")
    return GAMES[name]
