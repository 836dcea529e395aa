"""What was drawn and played so far, and what can be read off it: who met whom, who sat out, who won."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from device.hall.tournament.entries import Entrant

MAIN, CONSOLATION, THIRD = "main", "consolation", "third"
"""What a meeting counts for: only knockouts have more than `main`."""
Ids = tuple[str, ...]


@dataclass(frozen=True)
class MeetingResult:
    """How a meeting ended, in games for each side."""

    games: tuple[int, int]
    walkover: bool = False
    """One side was not there; no games are counted, only who goes on."""

    @property
    def winner(self) -> int | None:
        """The side that won; None: a draw."""
        first, second = self.games
        return None if first == second else int(second > first)


@dataclass(frozen=True)
class Meeting:
    """Two sides at a table; a side is one entrant, or in the village form players drawn together."""

    table: int
    sides: tuple[Ids, Ids]
    result: MeetingResult | None = None
    bracket: str = MAIN

    @property
    def all(self) -> Ids:
        """Everybody at this table."""
        return (*self.sides[0], *self.sides[1])


@dataclass(frozen=True)
class Round:
    """One round: its meetings, and who sits out."""

    meetings: tuple[Meeting, ...]
    byes: Ids = ()
    line: tuple[str | None, ...] = ()
    """Of a knockout's first round: the bracket of who was there then."""

    @property
    def everybody(self) -> set[str]:
        """Who is in it."""
        return {id_ for meeting in self.meetings for id_ in meeting.all} | {*self.byes}


@dataclass(frozen=True)
class Past:
    """A tournament as far as it went."""

    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...] = field(default=())

    @cached_property
    def met(self) -> Counter[frozenset[str]]:
        """How often two faced each other."""
        return Counter(
            frozenset(pair)
            for meeting in self.meetings
            for pair in ((side, other) for side in meeting.sides[0] for other in meeting.sides[1])
        )

    @cached_property
    def partnered(self) -> Counter[frozenset[str]]:
        """How often two played together."""
        return Counter(
            frozenset(pair) for meeting in self.meetings for side in meeting.sides for pair in combinations(side, 2)
        )

    @cached_property
    def byes(self) -> dict[str, int]:
        """How often each sat out. Who came late counts as having sat out as often as those who had it least then."""
        found: dict[str, int] = {}
        for number in range(len(self.rounds) + 1):
            least = min(found.values(), default=0)
            found |= {
                entrant.id: least for entrant in self.entrants if entrant.joined == number and entrant.id not in found
            }
            if number < len(self.rounds):
                for bye in self.rounds[number].byes:
                    found[bye] = found.get(bye, least) + 1
        least = min(found.values(), default=0)
        return {entrant.id: found.get(entrant.id, least) for entrant in self.entrants}

    @cached_property
    def points(self) -> dict[str, float]:
        """A meeting won counts one, a draw a half, sitting out one."""
        points = dict.fromkeys((entrant.id for entrant in self.entrants), 0.0)
        for meeting in self.meetings:
            for side, ids in enumerate(meeting.sides):
                for player in ids:
                    points[player] += worth(meeting.result, side)
        for drawn in self.rounds:
            for resting in drawn.byes:
                points[resting] += 1.0
        return points

    @property
    def meetings(self) -> Iterable[Meeting]:
        """All meetings so far, in the order they were drawn."""
        return (meeting for drawn in self.rounds for meeting in drawn.meetings)

    @property
    def everybody(self) -> set[str]:
        """Who was in a round."""
        return {id_ for now in self.rounds for id_ in now.everybody}

    @property
    def open(self) -> tuple[Meeting, ...]:
        """Meetings that have no result yet."""
        return tuple(meeting for meeting in self.meetings if meeting.result is None)


def worth(result: MeetingResult | None, side: int) -> float:
    """What a meeting brought a side: one, a half, or nothing."""
    if result is None:
        return 0.0
    return 0.5 if result.winner is None else float(result.winner == side)
