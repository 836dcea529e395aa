"""The games there are, by the name they have on the command line and in journals.

Nothing is listed here: a file of `engine/rules` or `engine/referee` that has GAMES declares games.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from engine import referee, rules
from engine.options import OptionError, OptionValue
from engine.referee.card_game import CardJudge
from engine.referee.judge import GameKind, Judge
from engine.rules.tricks import TrickGameKind

FEWEST_PLAYERS, MOST_PLAYERS = 2, 6
"""Of any game."""


def of_tricks(declared: TrickGameKind) -> GameKind:
    """A trick game, judged as all of them are.

    >>> from engine.rules import sueca
    >>> of_tricks(sueca.GAMES[0]).name
    'sueca'
    """

    def judge(players: int, given: Mapping[str, object]) -> tuple[Judge[Any], dict[str, OptionValue]]:
        game = declared.table(players, given)
        return CardJudge(game), dict(game.options)

    return GameKind(declared.name, declared.players, declared.options, judge, by_points=declared.by_points)


def _declared() -> Iterator[GameKind]:
    """The games of every file that declares some: those of cards, then those of seeds."""
    for package in (rules, referee):
        for module in iter_modules(package.__path__):
            for kind in getattr(import_module(f"{package.__name__}.{module.name}"), "GAMES", ()):
                yield of_tricks(kind) if isinstance(kind, TrickGameKind) else kind


GAMES = {kind.name: kind for kind in _declared()}


def game_kind(name: str) -> GameKind:
    """A game by name. Raises OptionError.

    >>> game_kind("sueca").players, game_kind("mraha").grid
    (4, (4, 8))
    """
    if name not in GAMES:
        raise OptionError("unknown_game", value=name, allowed=tuple(GAMES))
    return GAMES[name]


def player_counts(name: str, options: Mapping[str, object] | None = None) -> tuple[int, ...]:
    """How many may play a game by these house options.

    >>> player_counts("turufu")
    (2, 4, 6)
    """
    counts = []
    for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
        try:
            game_kind(name).judge(players, options or {})
        except OptionError:
            continue
        counts.append(players)
    return tuple(counts)


def card_tables() -> tuple[tuple[str, int], ...]:
    """Every game of cards with every number of players it is for.

    >>> [players for name, players in card_tables() if name == "turufu"]
    [2, 4, 6]
    """
    return tuple(
        (kind.name, players) for kind in GAMES.values() if not kind.grid for players in player_counts(kind.name)
    )
