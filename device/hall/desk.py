"""The arbiters' desk: what is asked of a tournament is judged, kept in its log and done; and tables' results."""

import logging
import math
import secrets
import threading
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from device.hall.register import Register
from device.hall.results import Played
from device.hall.store import Store, StoredMatch
from device.hall.tournament.entries import Entrant, EntryError, entrants_of
from device.hall.tournament.held import (
    Change,
    ChangeError,
    Held,
    Sitting,
    applied,
    check_keeps_draw,
    drawn,
    drawn_at,
    drawn_from,
    given_at,
    needs_why,
    placed,
)
from device.hall.tournament.pairing import PairingError
from device.outputs.broker.messages import TABLE_NAME

log = logging.getLogger(__name__)
TRIES = 5
"""Where several decide at once."""
LONGEST_WHY = 200
HALL = "hall"
"""Who moves a meeting that waited to a table that is free."""
PLAIN = {
    "leave": ("entrant",), "back": ("entrant",), "out": ("entrant",), "tables": ("spots",), "undrawn": (),
    "off": ("round", "at"), "plan": ("planned",), "end": (), "reopen": (),
    "result": ("round", "at", "games", "walkover"),
}  # fmt: skip
"""Changes that are kept as they are asked for, and what is taken of them."""
OF_A_DRAW = {"draw": "drawn", "undrawn": "undrawn"}
"""Changes that are asked for by how many rounds there are, and what it is called that there are others by now."""


@dataclass
class _Book:
    changes: list[Change]
    held: Held


def _last_draw(book: _Book) -> float:
    return max(drawn_at(book.changes), default=0.0)


def _check_round_is_newest(held: Held, do: str, asked: Mapping[str, Any]) -> None:
    """ChangeError: the round was drawn, or taken back, already: by another arbiter, or by the first of two taps."""
    if do in OF_A_DRAW and int(asked.get("rounds", len(held.rounds))) != len(held.rounds):
        raise ChangeError(OF_A_DRAW[do])


class Desk:
    """Every tournament of a hall. Safe to use from several threads, and beside other halls on the same store."""

    def __init__(
        self,
        store: Store,
        register: Register,
        online: Callable[[str], bool] = lambda device: True,
        newest: Callable[[str], int | None] = lambda device: 0,
    ) -> None:
        """online: whether a table's device is there. newest: the order of the newest match that has begun at it, as it
        says itself, since its log may not have come yet; None: it does not say."""
        self._store, self.register, self._online, self._newest = store, register, online, newest
        self._lock = threading.RLock()
        self._books: dict[str, _Book] = {}
        self._unreadable: set[str] = set()
        self._fresh = True
        """Something changed since results were looked for."""
        self._gone = register.forgotten()
        self.ratings: Callable[[str], Mapping[int, float]] = lambda game: {}
        """Of people in a game, for who is entered without one."""

    # -- what there is -----------------------------------------------------------------------------------------------

    def refresh(self) -> set[str]:
        """Takes in what others changed; which tournaments are new or other than before."""
        with self._lock:
            gone = self.register.forgotten()
            if gone != self._gone:  # Reasons and signatures may have named them.
                self._gone = gone
                self._books.clear()
            news = set()
            for subject, number in self.register.heads().items():
                book = self._books.get(subject)
                if book is None or len(book.changes) <= number:
                    try:
                        self._load(subject)
                    except Exception:  # What one log holds must not keep the others from anybody.
                        if subject not in self._unreadable:
                            log.exception("the tournament %s cannot be read", subject)
                        self._unreadable.add(subject)
                        continue
                    news.add(subject)
            return news

    def _load(self, subject: str) -> _Book | None:
        book = self._books.get(subject)
        known, held = (book.changes, book.held) if book else ([], None)
        fresh = self.register.changes(subject, len(known) - 1)
        for cell in fresh:
            held = applied(held, cell.what, cell.who)
        if held is None:
            return None
        if fresh:
            self._books[subject] = _Book([*known, *fresh], held)
            self._fresh = True
        return self._books[subject]

    @property
    def all(self) -> dict[str, Held]:
        """Every tournament, as it stands."""
        with self._lock:
            return {subject: book.held for subject, book in self._books.items()}

    def by_table(self) -> dict[str, Held]:
        """By a table's device the tournament that gave a meeting to it last, also once that is over."""
        with self._lock:
            books = list(self._books.values())
        given = [(at, sitting.device, book.held) for book in books for at, sitting in given_at(book.changes, book.held)]
        return {device: held for _, device, held in sorted(given, key=lambda found: found[0]) if device}

    def _by_newest_draw(self) -> list[tuple[str, Held]]:
        """Every tournament; which drew a round last comes last."""
        with self._lock:
            books = sorted(self._books.items(), key=lambda found: _last_draw(found[1]))
        return [(subject, book.held) for subject, book in books]

    def book(self, subject: str) -> tuple[Held, list[Change]]:
        """One and its log. ChangeError: there is none."""
        with self._lock:
            book = self._books.get(subject) or self._load(subject)
            if book is None:
                raise ChangeError("unknown")
            return book.held, list(book.changes)

    # -- what is asked -----------------------------------------------------------------------------------------------

    def begin(self, who: str, asked: Mapping[str, Any], devices: list[str]) -> str:
        """A new tournament; its name. devices: the tables that it is played on, as the broker names them."""
        what = {
            "do": "begin", "title": str(asked["title"]), "form": str(asked["form"]), "side": int(asked["side"]),
            "game": str(asked.get("game", ""))[:20], "planned": int(asked.get("planned") or 0),
            "seed": secrets.randbelow(2**31),
            "spots": [{"number": number, "device": device} for number, device in enumerate(devices, 1)],
        }  # fmt: skip
        applied(None, what)
        subject = self.register.new_subject()
        self.register.add(subject, 0, who, what)
        self.refresh()
        return subject

    def ask(self, subject: str, who: str, asked: Mapping[str, Any], why: str = "") -> Held:
        """Does what is asked of a tournament. ChangeError: it cannot be, and nothing was kept."""
        why = " ".join(why.split())[:LONGEST_WHY]
        for _ in range(TRIES):
            self._load_locked(subject)
            held, changes = self.book(subject)
            what = self._prepared(held, asked)
            if needs_why(held, what) and not why:
                raise ChangeError("why")
            check_keeps_draw(held, applied(held, what, who), what)
            if self.register.add(subject, len(changes), who, what, why) is not None:
                self._load_locked(subject)
                self._seat_who_waits(subject)
                return self.book(subject)[0]
        raise ChangeError("busy")

    def _load_locked(self, subject: str) -> None:
        with self._lock:
            self._load(subject)

    def _prepared(self, held: Held, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What is asked, as the log keeps it: players by number, a draw with all that was drawn."""
        do = str(asked.get("do"))
        _check_round_is_newest(held, do, asked)
        if do in PLAIN:
            what = {"do": do, **{name: asked[name] for name in PLAIN[do] if name in asked}}
            return self._with_who_goes_on(held, what) if do == "result" else what
        match do:
            case "enter":
                return {"do": "enter", "entrants": self._entered(held, str(asked["text"]))}
            case "player":
                name = unicodedata.normalize("NFC", " ".join(str(asked["name"]).split()))
                if not 0 < len(name) <= 60 or not name.isprintable():
                    raise ChangeError("name")
                person = self.register.person(name)
                return {"do": "player", "entrant": str(asked["entrant"]), "at": int(asked["at"]), "person": person}
            case "draw":
                return self._draw(held, bool(asked.get("open_ok")))
            case "move":
                table = int(asked["table"])
                spot = next((spot for spot in held.spots if spot.number == table), None)
                device = spot.device if spot else ""
                return {"do": "move", "round": int(asked["round"]), "at": int(asked["at"]), "table": table,
                        **self._device(device)}  # fmt: skip
        raise ChangeError("unknown")

    def _with_who_goes_on(self, held: Held, what: dict[str, Any]) -> dict[str, Any]:
        """A result; where it makes another winner by whom a knockout was drawn on, with the meetings that change."""
        later = drawn_from(held, what)
        if later is None:
            return what
        again = [{"round": number, "at": at, **self._device(sitting.device)} for number, at, sitting in later]
        return {**what, "again": again}

    def _entered(self, held: Held, text: str) -> list[dict[str, Any]]:
        names = self.register.names()
        taken = tuple(
            Entrant(entrant.id, tuple(names.get(int(player), "") for player in entrant.players))
            for entrant in held.entrants
        )
        try:
            found = entrants_of(text, held.named_each, len(held.rounds), taken)
        except EntryError as error:
            raise ChangeError(error.code, **error.facts) from None
        if not found:
            raise ChangeError("entry_none")
        people = self.register.people(name for entrant in found for name in entrant.players)
        known = self.ratings(held.game)
        entered = []
        for number, entrant in enumerate(found, held.numbered + 1):
            players = [people[name] for name in entrant.players]
            rated = [known[player] for player in players if player in known]
            rating = entrant.rating or (sum(rated) / len(rated) if rated else 0.0)
            entered.append({"id": number, "players": players, "rating": round(rating), "club": entrant.club})
        return entered

    def _draw(self, held: Held, open_ok: bool) -> dict[str, Any]:
        if held.open and (held.form == "knockout" or not open_ok):
            raise ChangeError("open_results", number=held.open)
        try:
            now = drawn(held)
        except PairingError as error:
            log.info("a round cannot be drawn: %s", error)
            raise ChangeError(error.code, **error.facts) from None
        return {
            "do": "drawn", "byes": list(now.byes), **({"line": list(now.line)} if now.line else {}),
            "meetings": [
                {"table": meeting.table, "sides": [list(side) for side in meeting.sides], "bracket": meeting.bracket,
                 **self._device(spot.device)}
                for meeting, spot in placed(held, now)
            ],
        }  # fmt: skip

    def _device(self, device: str) -> dict[str, Any]:
        """A table's device, and how far its log is now. One that is away, or of which nothing is known yet, may have a
        match to send that was over before: its results are told by hand."""
        if not TABLE_NAME.fullmatch(device):
            return {}
        have, newest = self._store.have(device), self._newest(device)
        if not self._online(device) or (have.match is None and newest is None):
            return {"device": device}
        since = {"device": device, "since": [have.match, have.number, have.folder]}
        return since if newest is None else {**since, "newest": newest}

    def _seat_who_waits(self, subject: str) -> None:
        """Who waited for a table gets one that is free."""
        while True:
            held, changes = self.book(subject)
            waiting = [
                (number, at)
                for number, at, sitting in held.sittings
                if sitting.meeting.table == 0 and sitting.meeting.result is None and not sitting.off
            ]
            if held.over or not waiting or not held.free:
                return
            (round_, at), spot = waiting[0], held.free[0]
            what = {"do": "move", "round": round_, "at": at, "table": spot.number, **self._device(spot.device)}
            if self.register.add(subject, len(changes), HALL, what) is None:
                return  # Another hall did it.
            self._load_locked(subject)

    # -- what tables tell --------------------------------------------------------------------------------------------

    def take_results(self, over: Mapping[str, bool]) -> set[str]:
        """Results of matches that tables ended, for the meetings there. The tournaments that changed."""
        fresh, self._fresh = self._fresh, False
        if not self.register.read_results(over) and not fresh:
            return set()
        waiting = self._waiting()
        if not waiting:
            return set()
        played: dict[str, list[Played]] = {}
        for match in self.register.played():
            played.setdefault(match.table, []).append(match)
        known = {(match.table, match.id): match for match in self._store.matches()}
        seats = self.register.seats()
        changed = set()
        for subject, number, at, turn, later in waiting:
            held = self.all[subject]

            until = taken_at(turn, later, known)

            def is_its(match: Played, turn: Sitting = turn, held: Held = held, until: float = until) -> bool:
                return match.order <= until and may_be(turn, held, match, seats.get((match.table, match.match), {}))

            found = first_since(turn, played.get(turn.device, []), known, is_its)
            games = None
            if found is not None:
                games = told_result(turn, held, found, seats.get((found.table, found.match)))
            now = turn.meeting.result
            if games == (None if now is None else now.games):
                continue
            of = found.match if found else turn.match
            what = {"do": "result", "round": number, "at": at, "games": games and list(games), "match": of}
            if self._told(subject, turn, what):
                changed.add(subject)
        return changed

    def _waiting(self) -> list[tuple[str, int, int, Sitting, list[Sitting]]]:
        """Meetings whose result is their table's to tell, with tournament, round and place, and the meetings there of
        tournaments that drew later."""
        found: list[tuple[str, int, int, Sitting, list[Sitting]]] = []
        later: dict[str, list[Sitting]] = {}
        for subject, held in reversed(self._by_newest_draw()):
            found += [
                (subject, number, at, sitting, [*later.get(sitting.device, ())])
                for number, at, sitting in held.sittings
                if sitting.waits_for_its_table and not held.over
            ]
            for _, _, sitting in held.sittings:
                later.setdefault(sitting.device, []).append(sitting)
        return found

    def _told(self, subject: str, sitting: Sitting, what: dict[str, Any]) -> bool:
        held, changes = self.book(subject)
        try:
            if held.sitting(what["round"], what["at"]) != sitting:
                return False  # An arbiter was faster.
            check_keeps_draw(held, applied(held, what, sitting.device), what)
        except ChangeError as error:
            log.info("%s: what %s tells cannot be: %s", subject, sitting.device, error)
            return False
        kept = self.register.add(subject, len(changes), sitting.device, what)
        self._load_locked(subject)
        self._seat_who_waits(subject)
        return kept is not None


def given_after(sitting: Sitting, known: Mapping[tuple[str, str], StoredMatch]) -> int:
    """The order of the newest match that had begun at a table when a meeting was given to it; -1: none."""
    assert sitting.since is not None
    match, number, _ = sitting.since
    before = known.get((sitting.device, match)) if match else None
    order = -1 if before is None else before.order if number > 0 else before.order - 1
    return max(order, sitting.newest)


def taken_at(sitting: Sitting, later: Iterable[Sitting], known: Mapping[tuple[str, str], StoredMatch]) -> float:
    """The order of the last match at a meeting's table before another tournament took it. later: the meetings there of
    tournaments that drew later; where it is not known when one of them began, nothing new is the meeting's."""
    mine = given_after(sitting, known)
    theirs = [mine if other.since is None else given_after(other, known) for other in later]
    return min((order for order in theirs if order >= mine), default=math.inf)


def first_since(
    sitting: Sitting,
    played: list[Played],
    known: Mapping[tuple[str, str], StoredMatch],
    is_its: Callable[[Played], bool] = lambda match: True,
) -> Played | None:
    """The first match that came to an end at a meeting's table and was begun after it was given to it. What is on
    another card than the table then had may have been played before: it is told by hand. is_its: whether a match can
    be the meeting's."""
    assert sitting.since is not None
    _, _, folder = sitting.since
    given_at = given_after(sitting, known)
    found = [
        other
        for other in played
        if other.order > given_at and (not folder or known[other.table, other.match].folder == folder)
    ]
    return next(filter(is_its, sorted(found, key=lambda other: other.order)), None)


def may_be(sitting: Sitting, held: Held, played: Played, seats: Mapping[int, int]) -> bool:
    """Whether a match at a meeting's table can be that meeting's: of its game, for as many players where several play
    together, not one of other people alone, and in a knockout not a draw, after which a decider is played. seats: who
    sat there, as far as that is known."""
    first, second = _people(sitting, held)
    if held.form == "knockout" and len(set(played.games)) == 1:
        return False
    if played.match == sitting.match:
        return True
    of_its_kind = held.game in ("", played.game) and len(played.games) == 2
    as_many = held.side == 1 or len(played.sides) == len(first) + len(second)  # One name may be a team's.
    strangers = len(seats) == len(played.sides) and not (first | second) & set(seats.values())
    return of_its_kind and as_many and not strangers


def _people(sitting: Sitting, held: Held) -> tuple[set[int], set[int]]:
    """Who plays in a meeting, by side."""
    players = {entrant.id: entrant.players for entrant in held.entrants}
    first, second = ({int(person) for id_ in ids for person in players[id_]} for ids in sitting.meeting.sides)
    return first, second


def told_result(sitting: Sitting, held: Held, played: Played, seats: Mapping[int, int] | None) -> tuple[int, int]:
    """Games of a meeting's sides by a match.

    The first side sits at seat 1, unless the table names the players and has them the other way round.
    """
    mine = _people(sitting, held)
    first = played.sides[0]
    if seats:
        named: list[set[int]] = [set(), set()]
        for seat, person in seats.items():
            if seat < len(played.sides):
                named[played.sides[seat]].add(person)
        straight = len(named[first] & mine[0]) + len(named[1 - first] & mine[1])
        across = len(named[first] & mine[1]) + len(named[1 - first] & mine[0])
        if across > straight:
            first = 1 - first
    return played.games[first], played.games[1 - first]
