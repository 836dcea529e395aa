"""How the matches of tables ended, read from their logs once they are over: who sat there, and who won."""

import logging
from dataclasses import dataclass

from engine.games import GAMES
from engine.journal import JournalError, add_entry, read_journal
from engine.match import Match as Judged

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Played:
    """A match that is over."""

    table: str
    match: str
    order: int
    begun: float
    game: str
    sides: tuple[int, ...]
    """The side of each seat."""
    games: tuple[int, ...]
    """Of each side; a board game's winner has one."""
    winner: int | None
    """The side; None: nobody won."""


def ended(journal: str) -> tuple[str, tuple[int, ...], tuple[int, ...], int | None] | None:
    """The game, the sides, their games and the winner of a match; None: it is not over."""
    try:
        read = read_journal(journal)
        header = read.header
        match = Judged.of(header, proves=False)
        for entry in read.entries:
            add_entry(match, entry)
    except (JournalError, ValueError) as error:
        log.info("a table's log cannot be read: %s", error)
        return None
    except Exception:  # Whatever a table wrote: the results of the others are read.
        log.exception("a table's log cannot be judged")
        return None
    view = match.view
    sides = view.sides or tuple(range(header.players))
    many = max(sides) + 1
    over = view.winner is not None or view.phase in ("match_over", "over")
    if not over:
        return None
    games = view.games
    told = games is not None and len(games) == many and not GAMES[header.game].grid
    if not told or games is None or (view.winner is not None and games[view.winner] != max(games)):
        games = tuple(int(side == view.winner) for side in range(many))
    return header.game, tuple(sides), tuple(games), view.winner
