"""The knockout: a bracket by seed, a match for the third place, and a consolation for who lost the first match played.

Nothing is kept but the rounds, and with the first the bracket that it began with. Where it stands is read off them each
time.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from device.hall.tournament.pairing import PairingError, match, seated
from device.hall.tournament.rounds import CONSOLATION, MAIN, THIRD, Ids, Meeting, Past, Round


@dataclass(frozen=True)
class Bracket:
    """Where the knockout stands."""

    line: tuple[str | None, ...]
    """Who is still in, in the order of the bracket; neighbours meet next. None: an empty place."""
    consoled: tuple[str, ...]
    """Who is still in the consolation."""
    third: tuple[str, ...] = ()
    """Who lost the semi-finals and has not met yet."""

    @property
    def champion(self) -> str | None:
        """Who won it all."""
        return self.line[0] if len(self.line) == 1 else None


def bracket(past: Past, there: Collection[str]) -> Bracket:
    """Where it stands. Who is not there any more when a round is drawn gives the match away."""
    line = _first_line(past, there)
    consoled: list[str] = []
    third: tuple[str, ...] = ()
    beaten: set[str] = set()
    played: set[str] = set()
    for drawn in past.rounds:
        mains = {entrant: meeting for meeting in _of(drawn, MAIN) for entrant in meeting.all}
        losers = [_loser(meeting) for meeting in _of(drawn, MAIN)]
        if _of(drawn, THIRD):
            third = ()
        elif len(line) == 4:
            third = _among(losers, played) if played else tuple(losers)  # Of four, nobody is left to console them.
        out = _lost(drawn, CONSOLATION)
        consoled = [entrant for entrant in consoled if entrant not in out]
        consoled += [loser for loser in losers if loser not in played | beaten | {*third}]
        beaten |= set(losers)
        if len(line) > 1:  # Else the champion is known, and only the consolation goes on.
            line = tuple(_goes_on(line[at], line[at + 1], mains, drawn) for at in range(0, len(line), 2))
        played |= set(mains)
    return Bracket(line, _among(consoled, there), _among(third, there))


def _of(drawn: Round, kind: str) -> list[Meeting]:
    return [meeting for meeting in drawn.meetings if meeting.bracket == kind]


def _among(entrants: Iterable[str], some: Collection[str]) -> Ids:
    return tuple(entrant for entrant in entrants if entrant in some)


def knockout(past: Past, there: Collection[str], seed: int = 0) -> Round:
    """The next round: the main line, the consolation beside it, and with the final the match for the third place."""
    open_now = past.open
    if open_now:
        raise PairingError("open_results", number=len(open_now))
    now = bracket(past, there)
    if len(now.line) < 2 and not past.rounds:
        raise PairingError("too_few", number=2)
    main, byes = _main(now.line, there)
    meetings = [replace(meeting, bracket=MAIN) for meeting in seated(past, main, (), seed).meetings]
    console = match(now.consoled, lambda a, b: past.met[frozenset((a, b))])
    side = [(a, b, CONSOLATION) for a, b in console]
    if len(now.line) == 2 and len(now.third) == 2:
        side.append((*now.third, THIRD))
    for number, (a, b, kind) in enumerate(side, len(meetings) + 1):
        meetings.append(Meeting(number, ((a,), (b,)), bracket=kind))
    if not meetings and now.champion is not None:
        raise PairingError("knockout_over")
    if not meetings and not byes:
        raise PairingError("too_few", number=2)
    return Round(tuple(meetings), tuple(byes), () if past.rounds else now.line)


def _main(line: Sequence[str | None], there: Collection[str]) -> tuple[list[tuple[Ids, Ids]], list[str]]:
    """Who meets whom on the main line, and who goes on alone: nobody is there against him."""
    meet: list[tuple[Ids, Ids]] = []
    byes: list[str] = []
    for at in range(0, len(line) - 1, 2):
        both = [entrant for entrant in line[at : at + 2] if entrant is not None]
        here = [entrant for entrant in both if entrant in there]
        if len(here) == 2:
            meet.append(((here[0],), (here[1],)))
        else:
            byes += here or both[:1]
    return meet, byes


def _first_line(past: Past, there: Collection[str]) -> tuple[str | None, ...]:
    """The bracket at the start: the best two meet in the final at the earliest, and the best have no first match. It
    has who is there when it is drawn, and everybody where an older log does not say who was."""
    if past.rounds and past.rounds[0].line:
        return past.rounds[0].line
    ranked = sorted(past.entrants, key=lambda entrant: -entrant.rating)
    ranked = [entrant for entrant in ranked if entrant.joined == 0 and (past.rounds or entrant.id in there)]
    order = [0]
    while len(order) < len(ranked):
        order = [place for seed in order for place in (seed, 2 * len(order) - 1 - seed)]
    return tuple(ranked[place].id if place < len(ranked) else None for place in order)


def _goes_on(a: str | None, b: str | None, mains: dict[str, Meeting], now: Round) -> str | None:
    meeting = mains.get(a or "") or mains.get(b or "")
    if meeting is None:
        return next((entrant for entrant in (a, b) if entrant in now.byes), a or b)
    winner = meeting.result.winner if meeting.result else None
    return None if winner is None else meeting.sides[winner][0]


def _loser(meeting: Meeting) -> str:
    assert meeting.result is not None and meeting.result.winner is not None
    return meeting.sides[1 - meeting.result.winner][0]


def _lost(now: Round, kind: str) -> set[str]:
    return {_loser(meeting) for meeting in now.meetings if meeting.bracket == kind and meeting.result}
