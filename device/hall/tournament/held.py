"""A tournament as it is held: the log of what was decided, and what it comes to. Plain values; no store, no network.

Players stand in it by number, never by name, so that a name can go while the log stays.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.hall.tournament.entries import MOST_ENTRANTS, Entrant
from device.hall.tournament.knockout import bracket, knockout
from device.hall.tournament.pairing import round_robin, swiss, village
from device.hall.tournament.rounds import CONSOLATION, MAIN, THIRD, Meeting, MeetingResult, Past, Round

FORMS = ("round_robin", "swiss", "knockout", "village")
MOST_SIDE = 3
MOST_TABLES = 500
MOST_ROUNDS = 200
MOST_GAMES = 10_000
LONGEST_TITLE = 80


class ChangeError(ValueError):
    """What cannot be changed so, as a code for the page's words."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


@dataclass(frozen=True)
class Change:
    """One line of the log."""

    number: int
    at: float
    """Seconds since 1970."""
    who: str
    what: Mapping[str, Any]
    why: str = ""


@dataclass(frozen=True)
class Spot:
    """A table to play at."""

    number: int
    device: str = ""
    """Its name on the broker; "": none, results are entered by hand."""
    broken: bool = False


@dataclass(frozen=True)
class Sitting:
    """A meeting at its table. A table number of 0: it waits until one is free."""

    meeting: Meeting
    device: str = ""
    since: tuple[str | None, int, str] | None = None
    """How far the log of the table's device was kept, and in which store of matches: one that began later is this
    meeting's."""
    newest: int = -1
    """The order of the newest match that had begun there, as the table said: not all of its log may have come yet."""
    told_by: str = ""
    """Who told the result."""
    match: str = ""
    """The match it was read from; "": it was told by hand."""
    played: str = ""
    """The match that it was at its table; also where an arbiter corrected what the table told."""
    off: bool = False
    """It does not take place."""

    @property
    def waits_for_its_table(self) -> bool:
        """Whether its table tells the result; it may also tell another than it told."""
        result = self.meeting.result
        return bool(self.device) and self.since is not None and not self.off and (result is None or bool(self.match))


@dataclass(frozen=True)
class Drawn:
    """A round as it was drawn and went on."""

    sittings: tuple[Sitting, ...]
    byes: tuple[str, ...] = ()
    line: tuple[str | None, ...] = ()
    """As in `Round`."""

    @property
    def everybody(self) -> set[str]:
        """Who is in it."""
        return {id_ for sitting in self.sittings for id_ in sitting.meeting.all} | set(self.byes)


@dataclass(frozen=True)
class Held:
    """A tournament at one moment."""

    title: str
    form: str
    side: int
    """How many play together: entered so, and in the village form drawn so."""
    game: str
    planned: int
    """Rounds; 0: as many as come."""
    seed: int
    entrants: tuple[Entrant, ...] = ()
    """Their players are numbers of people."""
    numbered: int = 0
    """The highest number that an entry ever had: no other gets it again."""
    gone: frozenset[str] = frozenset()
    spots: tuple[Spot, ...] = ()
    """None: as many tables as are needed."""
    rounds: tuple[Drawn, ...] = ()
    over: bool = False

    @property
    def past(self) -> Past:
        """It for drawing and for the standings."""
        return Past(
            self.entrants,
            tuple(
                Round(tuple(sitting.meeting for sitting in drawn.sittings if not sitting.off), drawn.byes, drawn.line)
                for drawn in self.rounds
            ),
        )

    @property
    def sittings(self) -> Iterator[tuple[int, int, Sitting]]:
        """Every meeting that was drawn, with its round and its place in it."""
        return (
            (number, at, sitting) for number, now in enumerate(self.rounds) for at, sitting in enumerate(now.sittings)
        )

    @property
    def there(self) -> tuple[str, ...]:
        """Who may be drawn."""
        return tuple(entrant.id for entrant in self.entrants if entrant.id not in self.gone)

    @property
    def open(self) -> int:
        """Meetings that have no result yet."""
        return sum(1 for _, _, sitting in self.sittings if not sitting.off and sitting.meeting.result is None)

    @property
    def named_each(self) -> int:
        """How many names an entry has: in the village form everybody comes alone."""
        return 1 if self.form == "village" else self.side

    @property
    def free(self) -> tuple[Spot, ...]:
        """Tables where nobody plays."""
        taken = {
            sitting.meeting.table
            for _, _, sitting in self.sittings
            if not sitting.off and sitting.meeting.result is None
        }
        return tuple(spot for spot in self.spots if not spot.broken and spot.number not in taken)

    def sitting(self, round_: int, at: int) -> Sitting:
        """A meeting by its place. ChangeError: there is none."""
        if not (0 <= round_ < len(self.rounds) and 0 <= at < len(self.rounds[round_].sittings)):
            raise ChangeError("unknown")
        return self.rounds[round_].sittings[at]


def drawn(held: Held) -> Round:
    """The next round. PairingError: it cannot be drawn."""
    seed = held.seed + len(held.rounds)
    if held.form == "village":
        return village(held.past, held.there, held.side, seed)
    return {"round_robin": round_robin, "swiss": swiss, "knockout": knockout}[held.form](held.past, held.there, seed)


def placed(held: Held, now: Round) -> list[tuple[Meeting, Spot]]:
    """A round's meetings on the tables there are; with too few, the last wait for one."""
    if not held.spots:
        return [(replace(meeting, table=at), Spot(at)) for at, meeting in enumerate(now.meetings, 1)]
    free = [*held.free, *[Spot(0)] * len(now.meetings)]
    return [(replace(meeting, table=spot.number), spot) for meeting, spot in zip(now.meetings, free, strict=False)]


def rounds_planned(held: Held) -> int:
    """How many rounds it takes, as far as that can be said."""
    in_it = {id_ for now in held.rounds for id_ in now.everybody} | {*held.there}
    if held.planned or len(in_it) < 2:
        return held.planned
    if held.form == "round_robin":
        return len(held.rounds) + _rounds_left(held)
    return (len(in_it) - 1).bit_length()


def _rounds_left(held: Held) -> int:
    """How many rounds it takes at least until everybody who is there was drawn against everybody."""
    there = {*held.there}
    meetings = [sitting.meeting for _, _, sitting in held.sittings]
    met = {pair for meeting in meetings if (pair := frozenset(meeting.all)) <= there}
    each = Counter(id_ for pair in met for id_ in pair)
    most_missing = max((len(there) - 1 - each[id_] for id_ in there), default=0)
    missing, at_once = len(there) * (len(there) - 1) // 2 - len(met), max(1, len(there) // 2)
    return max(most_missing, -(-missing // at_once))


def finished(held: Held) -> bool:
    """Whether nothing is left to draw."""
    if held.form == "knockout":
        now = bracket(held.past, held.there) if held.rounds and not held.open else None
        return now is not None and now.champion is not None and len(now.consoled) < 2
    planned = rounds_planned(held)
    return bool(planned) and len(held.rounds) >= planned and not held.open


def needs_why(held: Held, what: Mapping[str, Any]) -> bool:
    """Whether a change overrules something, so that it takes a reason."""
    if what["do"] == "result":
        if what.get("match"):
            return False
        sitting = held.sitting(int(what["round"]), int(what["at"]))
        return sitting.meeting.result is not None
    return what["do"] in ("off", "undrawn", "reopen")


def folded(changes: Sequence[Change]) -> Held | None:
    """What a log comes to; None: it is empty."""
    held: Held | None = None
    for change in changes:
        held = applied(held, change.what, change.who)
    return held


def drawn_at(changes: Iterable[Change]) -> list[float]:
    """When each round was drawn."""
    found: list[float] = []
    for change in changes:
        match change.what.get("do"):
            case "drawn":
                found.append(change.at)
            case "undrawn":
                found.pop()
    return found


def given_at(changes: Sequence[Change], held: Held) -> Iterator[tuple[float, Sitting]]:
    """Every meeting, and when it was given to the table where it is: drawn there, or moved."""
    drawn = drawn_at(changes)
    moved = {(change.what["round"], change.what["at"]): change.at for change in changes if change.what["do"] == "move"}
    for number, at, sitting in held.sittings:  # An earlier move was of a draw that was taken back.
        yield max(drawn[number], moved.get((number, at), 0.0)), sitting


def applied(held: Held | None, what: Mapping[str, Any], who: str = "") -> Held:
    """A tournament with one more change. ChangeError: it cannot be changed so."""
    do = str(what.get("do"))
    if held is None:
        if do != "begin":
            raise ChangeError("unknown")
        return _begun(what)
    act = _ACTS.get(do)
    if act is None:
        raise ChangeError("unknown")
    if held.over and do not in ("result", "reopen"):
        raise ChangeError("is_over")
    return act(held, what, who)


def check_keeps_draw(before: Held, after: Held, what: Mapping[str, Any]) -> None:
    """ChangeError: a knockout's meeting gets another winner, and who goes on was drawn by the one before, who cannot
    give place any more. A log of before this was asked may hold such a change, and is read."""
    if what["do"] != "result" or not _was_drawn_on(before, after, what):
        return
    swapped = "again" in what and _place(after, what).meeting.result is not None
    if not swapped or _has_played_on(before, what) or not _fits(after):
        raise ChangeError("drawn_on")


def drawn_from(held: Held, what: Mapping[str, Any]) -> list[tuple[int, int, Sitting]] | None:
    """The later meetings of a knockout, with round and place, in which the winner that a result makes and the loser
    change places. None: it makes no other winner, or nobody was drawn by the one before."""
    if not _was_drawn_on(held, applied(held, what), what):
        return None
    return [*_later(held, what)]


def _was_drawn_on(before: Held, after: Held, what: Mapping[str, Any]) -> bool:
    """Whether a result makes another winner or none of a knockout's meeting by which somebody was drawn."""
    if before.form != "knockout":
        return False
    meeting, fresh = _place(before, what).meeting, _place(after, what).meeting
    if meeting.result is None or (fresh.result is not None and fresh.result.winner == meeting.result.winner):
        return False
    return any(now.everybody & set(meeting.all) for now in before.rounds[int(what["round"]) + 1 :])


def _later(held: Held, what: Mapping[str, Any]) -> Iterator[tuple[int, int, Sitting]]:
    """The meetings after one's round with somebody of it, each with its round and place."""
    number, people = int(what["round"]), set(_place(held, what).meeting.all)
    return (found for found in held.sittings if found[0] > number and people & set(found[2].meeting.all))


def _has_played_on(held: Held, what: Mapping[str, Any]) -> bool:
    return any(sitting.meeting.result is not None for _, _, sitting in _later(held, what))


def _fits(held: Held) -> bool:
    """Whether every round of a knockout is one that follows from the rounds before it."""
    everybody, rounds = {entrant.id for entrant in held.entrants}, held.past.rounds
    if any(meeting.result is None for now in rounds[:-1] for meeting in now.meetings):
        return False
    for number in range(1, len(rounds)):
        now = bracket(Past(held.entrants, rounds[:number]), everybody)
        mains = {frozenset(now.line[at : at + 2]) for at in range(0, len(now.line), 2)}
        for meeting in rounds[number].meetings:
            both = frozenset(meeting.all)
            may_meet = {MAIN: both in mains, THIRD: both <= {*now.third}, CONSOLATION: both <= {*now.consoled}}
            if not may_meet[meeting.bracket]:
                return False
    return True


# -- inside -----------------------------------------------------------------------------------------------------------


def _begun(what: Mapping[str, Any]) -> Held:
    form, side, planned = str(what["form"]), int(what["side"]), int(what.get("planned", 0))
    title = " ".join(str(what["title"]).split())[:LONGEST_TITLE]
    if form not in FORMS or not 1 <= side <= MOST_SIDE or not 0 <= planned <= MOST_ROUNDS or not title:
        raise ChangeError("unknown")
    held = Held(title, form, side, str(what.get("game", "")), planned, int(what["seed"]))
    return _tables(held, {"spots": what.get("spots", ())}, "")


def _enter(held: Held, what: Mapping[str, Any], who: str) -> Held:
    if held.form == "knockout" and held.rounds:
        raise ChangeError("knockout_began")
    taken = {player for entrant in held.entrants for player in entrant.players}
    number = max((int(entrant.id) for entrant in held.entrants), default=0)
    found, ids = list(held.entrants), {entrant.id for entrant in held.entrants}
    for entrant in what["entrants"]:
        players = tuple(str(int(player)) for player in entrant["players"])
        if len(players) != held.named_each or len({*players} - taken) != len(players):
            raise ChangeError("entered_twice")
        taken |= set(players)
        number = int(entrant.get("id", number + 1))
        if str(number) in ids:
            raise ChangeError("unknown")
        ids.add(str(number))
        rating, club = float(entrant.get("rating", 0)), str(entrant.get("club", ""))[:LONGEST_TITLE]
        found.append(Entrant(str(number), players, rating, club, len(held.rounds)))
    if len(found) > MOST_ENTRANTS:
        raise ChangeError("too_many")
    return replace(held, entrants=tuple(found), numbered=max([held.numbered, *(int(entrant.id) for entrant in found)]))


def _leave(held: Held, what: Mapping[str, Any], who: str) -> Held:
    id_ = _entrant(held, what)
    return replace(held, gone=held.gone | {id_})


def _back(held: Held, what: Mapping[str, Any], who: str) -> Held:
    return replace(held, gone=held.gone - {_entrant(held, what)})


def _out(held: Held, what: Mapping[str, Any], who: str) -> Held:
    """An entry that was a mistake; who has played only leaves."""
    id_ = _entrant(held, what)
    if any(id_ in now.everybody for now in held.rounds):
        raise ChangeError("has_played")
    return replace(
        held, entrants=tuple(entrant for entrant in held.entrants if entrant.id != id_), gone=held.gone - {id_}
    )


def _player(held: Held, what: Mapping[str, Any], who: str) -> Held:
    """Somebody else plays from now on, or the name was spelled wrong."""
    id_, at, person = _entrant(held, what), int(what["at"]), str(int(what["person"]))
    if any(person in entrant.players for entrant in held.entrants):
        raise ChangeError("entered_twice")
    found = []
    for entrant in held.entrants:
        if entrant.id == id_:
            if not 0 <= at < len(entrant.players):
                raise ChangeError("unknown")
            entrant = replace(entrant, players=(*entrant.players[:at], person, *entrant.players[at + 1 :]))
        found.append(entrant)
    return replace(held, entrants=tuple(found))


def _entrant(held: Held, what: Mapping[str, Any]) -> str:
    id_ = str(what["entrant"])
    if all(entrant.id != id_ for entrant in held.entrants):
        raise ChangeError("unknown")
    return id_


def _tables(held: Held, what: Mapping[str, Any], who: str) -> Held:
    spots = tuple(
        Spot(int(spot["number"]), str(spot.get("device", "")), bool(spot.get("broken"))) for spot in what["spots"]
    )
    numbers = [spot.number for spot in spots]
    devices = [spot.device for spot in spots if spot.device]
    if (
        len(spots) > MOST_TABLES
        or len(set(numbers)) != len(numbers)
        or not all(0 < number < 10_000 for number in numbers)
    ):
        raise ChangeError("table_numbers")
    if any(len(device) > LONGEST_TITLE or not device.isprintable() for device in devices):
        raise ChangeError("unknown")
    if len(set(devices)) != len(devices):
        raise ChangeError("device_twice")
    return replace(held, spots=spots)


def _drawn(held: Held, what: Mapping[str, Any], who: str) -> Held:
    if len(held.rounds) >= MOST_ROUNDS:
        raise ChangeError("too_many")
    sittings = []
    for said in what["meetings"]:
        a, b = (tuple(map(str, side)) for side in said["sides"])
        meeting = Meeting(int(said["table"]), (a, b), None, str(said.get("bracket", MAIN)))
        sittings.append(Sitting(meeting, str(said.get("device", "")), _since(said), int(said.get("newest", -1))))
    line = tuple(None if place is None else str(place) for place in what.get("line", ()))
    fresh = Drawn(tuple(sittings), tuple(map(str, what.get("byes", ()))), line)
    return replace(held, rounds=(*held.rounds, fresh))


def _since(meeting: Mapping[str, Any]) -> tuple[str | None, int, str] | None:
    since = meeting.get("since")
    return None if since is None else (since[0], int(since[1]), str(since[2]) if len(since) > 2 else "")


def _undrawn(held: Held, what: Mapping[str, Any], who: str) -> Held:
    if not held.rounds:
        raise ChangeError("no_round")
    if any(sitting.meeting.result is not None for sitting in held.rounds[-1].sittings):
        raise ChangeError("has_results")
    return replace(held, rounds=held.rounds[:-1])


def _move(held: Held, what: Mapping[str, Any], who: str) -> Held:
    """To another table: the meeting begins again there."""
    sitting = _place(held, what)
    if sitting.off or sitting.meeting.result is not None:
        raise ChangeError("has_results")
    table = int(what["table"])
    if held.spots and all(spot.number != table for spot in held.free):
        raise ChangeError("table_taken")
    moved = replace(sitting, meeting=replace(sitting.meeting, table=table), device=str(what.get("device", "")))
    return _with(held, what, replace(moved, since=_since(what), newest=int(what.get("newest", -1))))


def _result(held: Held, what: Mapping[str, Any], who: str) -> Held:
    sitting = _place(held, what)
    if sitting.off:
        raise ChangeError("is_off")
    games, match = what.get("games"), str(what.get("match", ""))
    result = None
    if games is not None:
        first, second = (int(number) for number in games)
        if not (0 <= first <= MOST_GAMES and 0 <= second <= MOST_GAMES):
            raise ChangeError("no_result")
        result = MeetingResult((first, second), bool(what.get("walkover")))
        if result.winner is None and (held.form == "knockout" or result.walkover):
            raise ChangeError("no_draw")
    meeting = replace(sitting.meeting, result=result)
    told = replace(sitting, meeting=meeting, told_by=who if result else "", match=match)
    now = _with(held, what, replace(told, played=match or sitting.played))
    return _swapped(now, what) if "again" in what else now


def _swapped(held: Held, what: Mapping[str, Any]) -> Held:
    """The winner and the loser of a meeting in each other's place in all later rounds. Their meetings there begin
    again."""
    number, (a, b) = int(what["round"]), _place(held, what).meeting.all
    again = {(int(said["round"]), int(said["at"])): said for said in what["again"]}

    def other(id_: str) -> str:
        return {a: b, b: a}.get(id_, id_)

    rounds = list(held.rounds)
    for later in range(number + 1, len(rounds)):
        sittings = list(rounds[later].sittings)
        for at, sitting in enumerate(sittings):
            if (said := again.get((later, at))) is not None:
                first, second = sitting.meeting.sides
                sides = (tuple(map(other, first)), tuple(map(other, second)))
                sitting = replace(sitting, meeting=replace(sitting.meeting, sides=sides))
                sittings[at] = replace(sitting, since=_since(said), newest=int(said.get("newest", -1)))
        rounds[later] = replace(rounds[later], sittings=tuple(sittings), byes=tuple(map(other, rounds[later].byes)))
    return replace(held, rounds=tuple(rounds))


def _off(held: Held, what: Mapping[str, Any], who: str) -> Held:
    if held.form == "knockout":
        raise ChangeError("needs_winner")
    sitting = _place(held, what)
    if sitting.meeting.result is not None:
        raise ChangeError("has_results")
    return _with(held, what, replace(sitting, off=True))


def _place(held: Held, what: Mapping[str, Any]) -> Sitting:
    return held.sitting(int(what["round"]), int(what["at"]))


def _with(held: Held, what: Mapping[str, Any], sitting: Sitting) -> Held:
    number, at = int(what["round"]), int(what["at"])
    now = held.rounds[number]
    now = replace(now, sittings=(*now.sittings[:at], sitting, *now.sittings[at + 1 :]))
    return replace(held, rounds=(*held.rounds[:number], now, *held.rounds[number + 1 :]))


def _end(held: Held, what: Mapping[str, Any], who: str) -> Held:
    return replace(held, over=what["do"] == "end")


def _plan(held: Held, what: Mapping[str, Any], who: str) -> Held:
    planned = int(what["planned"])
    if not 0 <= planned <= MOST_ROUNDS:
        raise ChangeError("unknown")
    return replace(held, planned=planned)


_ACTS: Mapping[str, Callable[[Held, Mapping[str, Any], str], Held]] = {
    "enter": _enter,
    "leave": _leave,
    "back": _back,
    "out": _out,
    "player": _player,
    "tables": _tables,
    "drawn": _drawn,
    "undrawn": _undrawn,
    "move": _move,
    "result": _result,
    "off": _off,
    "plan": _plan,
    "end": _end,
    "reopen": _end,
}
