"""Looks ahead in games of two players where everything lies open: alpha-beta, deeper and deeper, with a table of what
was seen before.

Nothing here knows a game: it asks a `SearchGame`.
"""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

P = TypeVar("P")
"""A position. It says whose turn it is."""
WIN = 100_000
"""Of a game that is won at once; one later is worth a little less, so that the shortest win is taken."""
WON = 50_000
"""Of a game that is known to be won, some time."""
MOST_PLIES = 64
QUIET_PLIES = 4
"""How far captures are followed beyond the depth that was asked for."""
ASKED_EVERY = 32
"""Positions between two looks at whether to stop."""
EXACT, AT_LEAST, AT_MOST = range(3)


class Move(NamedTuple, Generic[P]):
    """A legal turn: its key, where it leads, and how many seeds it captures."""

    key: str
    after: P
    captured: int


class SearchGame(Protocol[P]):
    """What the search asks of a game."""

    def moves(self, position: P) -> Sequence[Move[P]]:
        """Every legal turn; none when the game is over."""

    def value(self, position: P) -> int:
        """How good a position is for whoever is to move, in hundredths of a seed."""

    def result(self, position: P) -> int | None:
        """Of a game that is over: 1 if whoever would be to move has won, -1 if he has lost, 0 if nobody has."""

    def known(self, position: P) -> int | None:
        """What a position is worth to whoever is to move where that is known for sure, as `value`; a won one is worth
        at least WON."""

    def same(self, position: P) -> Hashable:
        """What two positions share that are worth the same."""


@dataclass(frozen=True)
class Limits:
    """When to stop; whatever comes first. At least one ply is always looked at."""

    nodes: int = 3_000
    seconds: float | None = None
    plies: int = MOST_PLIES


class Variation(NamedTuple):
    """A turn with what it is worth to whoever plays it, and the turns that are likely to follow."""

    key: str
    value: int
    follows: tuple[str, ...] = ()


class _Stored(NamedTuple):
    plies: int
    value: int
    bound: int
    best: str


class OutOfTime(Exception):
    """A limit was reached: what was found so far counts."""


@dataclass
class Searcher(Generic[P]):
    """Searches one game. What it has seen helps the next search; forget() makes two searches alike."""

    game: SearchGame[P]
    most_stored: int = 200_000
    nodes: int = 0
    """Positions looked at by the last search."""
    plies: int = 0
    """How deep it came."""
    stop: Callable[[], bool] = lambda: False
    """Whether nobody needs it any more; asked now and then."""
    _table: dict[Hashable, _Stored] = field(default_factory=dict)
    _killers: dict[int, str] = field(default_factory=dict)
    _limits: Limits = Limits()
    _stop_s: float = 0.0

    def forget(self) -> None:
        """Everything that was seen."""
        self._table.clear()
        self._killers.clear()

    def lines(self, position: P, limits: Limits | None = None) -> list[Variation]:
        """Every turn with its worth, the best first. Those after the first may be worth less than they say."""
        self._limits = limits or Limits()
        self._stop_s = time.monotonic() + (self._limits.seconds or 1e9)
        self.nodes = self.plies = 0
        if len(self._table) > self.most_stored:
            self._table.clear()
        moves = list(self._ordered(position, self.game.moves(position), 0))
        found = [Variation(move.key, 0) for move in moves]
        for plies in range(1, min(self._limits.plies, MOST_PLIES) + 1):
            try:
                found = self._root(position, moves, plies)
            except OutOfTime:
                break
            self.plies = plies
            order = {line.key: place for place, line in enumerate(found)}
            moves.sort(key=lambda move: order[move.key])
            if len(moves) == 1 or not found or abs(found[0].value) > WIN - MOST_PLIES:
                break
        return found

    def _root(self, position: P, moves: Sequence[Move[P]], plies: int) -> list[Variation]:
        found = []
        best = -WIN - 1
        for move in moves:
            value = -self._search(move.after, plies - 1, -WIN, -best, 1)
            found.append(Variation(move.key, value))
            best = max(best, value)
        found.sort(key=lambda line: -line.value)
        return [line._replace(follows=self._follows(moves, line.key, plies)) for line in found]

    def _follows(self, moves: Sequence[Move[P]], key: str, plies: int) -> tuple[str, ...]:
        """The turns that the table holds for best after this one."""
        position = next(move.after for move in moves if move.key == key)
        line: list[str] = []
        while len(line) < plies - 1 and (stored := self._table.get(self.game.same(position))) is not None:
            after = next((move.after for move in self.game.moves(position) if move.key == stored.best), None)
            if after is None:
                break
            line.append(stored.best)
            position = after
        return tuple(line)

    def _search(self, position: P, plies: int, low: int, high: int, depth: int) -> int:
        """What a position is worth to whoever is to move, between two bounds."""
        self._count()
        over = self.game.result(position)
        if over is not None:
            return over * (WIN - depth)
        known = self.game.known(position)
        if known is not None:
            return known
        if plies <= 0:
            return self._quiet(position, low, high, depth, QUIET_PLIES)
        same = self.game.same(position)
        stored = self._table.get(same)
        if stored is not None and stored.plies >= plies:
            if stored.bound == EXACT:
                return stored.value
            if stored.bound == AT_LEAST and stored.value >= high:
                return stored.value
            if stored.bound == AT_MOST and stored.value <= low:
                return stored.value
        return self._among(position, plies, low, high, depth)

    def _among(self, position: P, plies: int, low: int, high: int, depth: int) -> int:
        same, began = self.game.same(position), low
        best, best_key = -WIN - 1, ""
        for move in self._ordered(position, self.game.moves(position), depth):
            value = -self._search(move.after, plies - 1, -high, -low, depth + 1)
            if value > best:
                best, best_key = value, move.key
                low = max(low, value)
                if low >= high:
                    if not move.captured:
                        self._killers[depth] = move.key
                    break
        bound = AT_LEAST if best >= high else AT_MOST if best <= began else EXACT
        self._table[same] = _Stored(plies, best, bound, best_key)
        return best

    def _quiet(self, position: P, low: int, high: int, depth: int, plies: int) -> int:
        """Captures are followed until nothing much is captured: a seed that hangs is no seed."""
        value = self.game.value(position)
        if plies <= 0 or value >= high:
            return value
        low = max(low, value)
        best = value
        captures = [move for move in self.game.moves(position) if move.captured]
        captures.sort(key=lambda move: -move.captured)
        for move in captures[:plies]:
            self._count()
            over = self.game.result(move.after)
            if over is not None:
                value = -over * (WIN - depth)
            elif (known := self.game.known(move.after)) is not None:
                value = -known
            else:
                value = -self._quiet(move.after, -high, -low, depth + 1, plies - 1)
            best = max(best, value)
            low = max(low, value)
            if low >= high:
                break
        return best

    def _ordered(self, position: P, moves: Sequence[Move[P]], depth: int) -> Iterator[Move[P]]:
        """The likeliest best first: what the table says, captures, what cut off beside."""
        stored, killer = self._table.get(self.game.same(position)), self._killers.get(depth)
        first = stored.best if stored is not None else ""
        return iter(sorted(moves, key=lambda move: (move.key != first, -move.captured, move.key != killer, move.key)))

    def _count(self) -> None:
        self.nodes += 1
        if not self.plies:
            return
        full = self.nodes >= self._limits.nodes or len(self._table) > 2 * self.most_stored
        if full or time.monotonic() > self._stop_s or (self.nodes % ASKED_EVERY == 0 and self.stop()):
            raise OutOfTime
