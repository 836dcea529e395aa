"""The games there are, by the name they have on the command line and in journals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.options import Option, OptionError, OptionValue
from engine.referee.awale import awale_judge
from engine.referee.card_game import CardJudge
from engine.referee.judge import Judge
from engine.referee.mraha import mraha_judge
from engine.rules import awale, belote, mraha, triomphe, turufu
from engine.rules.tricks import TrickGame


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


def of_tricks(
    name: str, players: int, options: tuple[Option, ...], rules: Callable[[int, Mapping[str, object]], TrickGame]
) -> GameKind:
    """A trick game. rules: the game at a table of so many, with these options; raises OptionError."""

    def judge(count: int, given: Mapping[str, object]) -> tuple[Judge[Any], dict[str, OptionValue]]:
        game = rules(count, given)
        return CardJudge(game), dict(game.options)

    return GameKind(name, players, options, judge)


GAMES = {
    kind.name: kind
    for kind in (
        of_tricks("turufu", 4, turufu.OPTIONS, turufu.turufu),
        of_tricks("triomphe", 4, triomphe.OPTIONS, triomphe.triomphe),
        of_tricks("pille", 4, triomphe.OPTIONS_PILLE, triomphe.pille),
        of_tricks("belote", 4, belote.OPTIONS, belote.belote),
        GameKind("mraha", 2, mraha.OPTIONS, mraha_judge, (4, 8), tuple(mraha.PRESETS)),
        GameKind("awale", 2, awale.OPTIONS, awale_judge, (awale.ROWS, awale.COLUMNS)),
    )
}


def game_kind(name: str) -> GameKind:
    """A game by name. Raises OptionError."""
    if name not in GAMES:
        raise OptionError(f"unknown game {name!r}; known are {', '.join(GAMES)}")
    return GAMES[name]
