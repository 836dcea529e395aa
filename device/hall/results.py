"""How the matches of tables ended, read from their logs once they are over: who sat there, and who won."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.games import GAMES
from engine.journal import JournalError, add_entry, read_journal
from engine.match import Match as Judged

log = logging.getLogger(__name__)
MOST_S = 10.0
"""Of the processor for one log. A whole evening takes half a second; but each correction of an early card has all that
came after it judged again, and so have undo and redo of it: a few kilobytes of them would keep a hall busy for hours,
and no other table's result would come in. An arbiter tells the result of such a match by hand."""


class TooLong(Exception):
    """A log takes too long to judge."""


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


def ended(
    journal: str, is_first_time: Callable[[], bool] = lambda: True
) -> tuple[str, tuple[int, ...], tuple[int, ...], int | None] | None:
    """The game, the sides, their games and the winner of a match; None: it is not over, or its log cannot be judged.
    is_first_time: whether that is written into the program's log; asked only then."""
    try:
        return _ended(journal)
    except (JournalError, ValueError) as error:
        if is_first_time():
            log.info("a table's log cannot be read: %s", error)
    except TooLong:
        if is_first_time():
            log.warning("a table's log takes more than %g s to judge: its match gives no result by itself", MOST_S)
    except Exception:  # Whatever a table wrote: the results of the others are read.
        if is_first_time():
            log.exception("a table's log cannot be judged")
    return None


def _ended(journal: str) -> tuple[str, tuple[int, ...], tuple[int, ...], int | None] | None:
    until_s = time.thread_time() + MOST_S
    read = read_journal(journal)
    header = read.header
    match = Judged.of(header, proves=False)
    for entry in read.entries:
        add_entry(match, entry)
        if time.thread_time() > until_s:
            raise TooLong
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
