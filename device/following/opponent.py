"""Plays one side of a board: it asks for its turn, and a person's hand makes it."""

from random import Random
from typing import Any

from device.following.thinker import Begin, Thinker
from engine.events import DeviceTurn
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.search import LEVELS
from engine.search.tree import MOST_PLIES


class Opponent:
    """The device as a player of one match."""

    def __init__(self, side: int, thinker: Thinker) -> None:
        self.thinker = thinker
        self._side = side
        self._ponders = LEVELS[thinker.begin.level].limits.plies == MOST_PLIES
        """A level that looks only so far ahead would look farther with time on its hands."""
        self._known: tuple[Match, int] | None = None
        self._plays: Any = None
        """The position that a turn is wanted from."""
        self._waits: Any = None
        """What the other side is to play from, or soon will be."""

    @property
    def away(self) -> bool:
        """It cannot think at the moment."""
        return self.thinker.away

    def turn(self, match: Match) -> DeviceTurn | None:
        """The turn that it asks for, once it has thought. Asked at every frame; it waits for nothing."""
        if self._known is None or self._known[0] is not match or self._known[1] != len(match.log):
            self._known = match, len(match.log)
            self._plays, self._waits = self._now(match)
        if self._plays is not None:
            key = self.thinker.turn(self._plays)
            return None if key is None else DeviceTurn(key)
        if self._waits is not None and self._ponders:
            self.thinker.ponder(self._waits)
        return None

    def hint(self, match: Match) -> str | None:
        """The best turn for the person whose turn it is; None: that is not known yet, or nobody's."""
        position = match.to_think
        if position is None or position.to_move == self._side:
            return None
        return self.thinker.hint(position)

    def _now(self, match: Match) -> tuple[Any, Any]:
        """What there is to play from, and what to think about meanwhile."""
        position, judge = match.to_think, match.judge
        if position is None or not isinstance(judge, BoardJudge):
            return None, None
        if position.to_move != self._side:
            return None, position
        wanted = match.view.wanted
        if wanted is None:
            return position, None
        after = judge.game.legal(position)[wanted].after
        return None, None if after.over else after

    def close(self) -> None:
        """Lets go of its process."""
        self.thinker.close()


def opponent_of(match: Match) -> Opponent | None:
    """Who plays against the people of this match; None: they play among themselves."""
    header = match.header
    if header.against is None or not isinstance(match.judge, BoardJudge):
        return None
    seed = Random().randrange(1_000_000)
    level = min(max(header.against.level, min(LEVELS)), max(LEVELS))
    return Opponent(header.against.side, Thinker(Begin(header.game, header.options, level, seed)))
