"""What people ask of a hall's page beside its tables: tournaments, the league, phones and roles, who is forgotten.

Called in threads; every answer is JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.hall.desk import Desk
from device.hall.league import LeagueLine, Met, met_at_tables, met_in_tournaments, rated
from device.hall.register import Gone, Register
from device.hall.store import Store
from device.hall.tournament.held import Change, ChangeError, Held, drawn_at, finished
from device.hall.tournament.sheet import FILES, MOST_TOLD, csv_of, shown
from device.hall.tournament.standings import standings
from device.keeping.names import name_key, same_name
from device.web.pairing import Phone, Phones

LOOKS, ARBITER, OWNER = ROLES = ("looks", "arbiter", "owner")
"""What a paired phone may: look; decide in tournaments and at tables; also say which phone may what, and forget."""
MAY_LOOK = ("league", "player", "file")
OF_THE_OWNER = ("phones", "role", "rename", "forget_phone", "forget_player")
MOST_SHOWN = 100
"""Matches on a player's page."""


def role_of(phone: Phone | None) -> str:
    """What a phone may; one that was paired before there were roles is an arbiter's."""
    return LOOKS if phone is None else phone.role or ARBITER


def may(phone: Phone | None, what: str) -> bool:
    """Whether a phone may ask for this."""
    role = role_of(phone)
    if what in MAY_LOOK:
        return True
    if phone is not None and what in ("me", "leave"):
        return True
    return role == OWNER or (role == ARBITER and what not in OF_THE_OWNER)


@dataclass
class Office:
    """Everything but the wall."""

    store: Store
    register: Register
    desk: Desk
    phones: Phones

    def __post_init__(self) -> None:
        self._drawn: dict[str, tuple[Any, dict[str, Any]]] = {}
        self._kept: tuple[Any, list[Met], dict[str, dict[int, LeagueLine]]] | None = None
        self.desk.ratings = self._ratings

    def _ratings(self, game: str) -> dict[int, float]:
        return {person: float(line.rating) for person, line in self._counted()[1].get(game, {}).items()}

    def role_of_new(self) -> str:
        """The first phone is the owner's, and so is the next once there is no owner's any more."""
        return ARBITER if any(phone.role == OWNER for phone in self.phones.all()) else OWNER

    def summary(self) -> dict[str, Any]:
        """Every tournament in a line. One of which all is played is over once somebody says so, or another began."""
        books = {subject: self.desk.book(subject) for subject in self.desk.all}
        begun_at = max((_begun_at(changes) for _, changes in books.values()), default=0.0)
        return {
            subject: {
                "title": tournament.title, "form": tournament.form,
                "over": tournament.over or (finished(tournament) and begun_at > _played_at(changes)),
                "rounds": len(tournament.rounds),
                "open": tournament.open, "there": len(tournament.there),
            }
            for subject, (tournament, changes) in books.items()
        }  # fmt: skip

    def tournament(self, subject: str) -> dict[str, Any]:
        """One as the page draws it; drawn up anew only when it changed. ChangeError: there is none."""
        held, changes = self.desk.book(subject)
        mark = (len(changes), self.register.forgotten())
        kept = self._drawn.get(subject)
        if kept is None or kept[0] != mark:
            kept = self._drawn[subject] = (mark, {"id": subject, **shown(held, changes, self.names_of(held))})
        return kept[1]

    def names_of(self, held: Held) -> dict[int, str]:
        """The names of everybody in a tournament."""
        return self.register.names(int(player) for entrant in held.entrants for player in entrant.players)

    def asked(self, phone: Phone, what: str, facts: Mapping[str, Any], devices: list[str]) -> Any:
        """Does or tells it. ChangeError: it cannot be. KeyError, TypeError, ValueError: there is no such thing."""
        act: Callable[[], Any] | None = {
            "begin": lambda: self.desk.begin(self.who(phone), facts, devices if facts.get("devices") else []),
            "tournament": lambda: self._decide(phone, facts),
            "me": lambda: self._name(phone.id, facts),
            "phones": lambda: self._phones(phone),
            "role": lambda: self._role(phone, facts),
            "rename": lambda: self._name(str(facts["id"]), facts),
            "forget_phone": lambda: self._forget_phone(phone, facts),
            "forget_player": lambda: (
                self.forget(self.who(phone), str(facts["name"]), str(facts.get("why", ""))).__dict__
            ),
            "log": self._log,
        }.get(what)
        if act is None:
            raise ChangeError("unknown")
        return act()

    def looked(self, what: str, facts: Mapping[str, Any]) -> Any:
        """What everybody may ask for. As `asked`."""
        match what:
            case "league":
                return self._league(str(facts.get("game", "")))
            case "player":
                return self._player(int(facts["id"]))
            case "file":
                return self._file(str(facts["id"]), str(facts["file"]))
        raise ChangeError("unknown")

    # -- tournaments -------------------------------------------------------------------------------------------------

    def _decide(self, phone: Phone, facts: Mapping[str, Any]) -> None:
        asked = facts["change"]
        if not isinstance(asked, dict):
            raise ChangeError("unknown")
        self.desk.ask(str(facts["id"]), self.who(phone), asked, str(facts.get("why", "")))

    def _file(self, subject: str, name: str) -> Any:
        held, changes = self.desk.book(subject)
        names = self.names_of(held)
        if name not in FILES:
            raise ChangeError("unknown")
        if name.endswith(".csv"):
            return csv_of(held, names, name)
        return {**self.tournament(subject), "log": [change.__dict__ for change in changes]}

    # -- the league --------------------------------------------------------------------------------------------------

    def _counted(self) -> tuple[list[Met], dict[str, dict[int, LeagueLine]]]:
        """All that counts, and everybody's ratings by game; reckoned anew only when something was added."""
        books = {subject: self.desk.book(subject) for subject in self.desk.all}
        held = {subject: tournament for subject, (tournament, _) in books.items()}
        changes = {subject: log for subject, (_, log) in books.items()}
        mark = (
            tuple(sorted((subject, len(change)) for subject, change in changes.items())),
            self.register.played_mark(),
        )
        if self._kept is None or self._kept[0] != mark:
            met, counted, by_hand = met_in_tournaments(held, changes)
            met += met_at_tables(self.register.played(), self.register.seats(), counted, by_hand)
            met.sort(key=lambda met: met.at)
            self._kept = (mark, met, rated(met))
        return self._kept[1:]

    def _league(self, game: str) -> dict[str, Any]:
        (matches, lines), names = self._counted(), self.register.names()
        games = sorted(lines, key=lambda game: -sum(match.game == game for match in matches))
        chosen = game if game in lines else games[0] if games else ""
        return {
            "game": chosen, "games": games,
            "lines": [
                {**_line(line), "rank": rank, "name": names[line.person]}
                for rank, line in enumerate(
                    sorted((line for line in lines.get(chosen, {}).values() if line.person in names),
                           key=lambda line: (-line.rating, -line.matches)), 1)
            ],
        }  # fmt: skip

    def _player(self, person: int) -> dict[str, Any]:
        names = self.register.names()
        if person not in names:
            raise ChangeError("unknown")
        everything, lines = self._counted()
        matches = [met for met in everything if any(person in side for side in met.sides)]
        return {
            "id": person, "name": names[person],
            "games": {game: {**_line(found[person]), "curve": [list(point) for point in found[person].curve]}
                      for game, found in lines.items() if person in found},
            "tournaments": [
                {"id": subject, "title": tournament.title, "rank": rank, "of": of}
                for subject, tournament in self.desk.all.items()
                for rank, of in _rank(tournament, person)
            ],
            "matches": [_met(met, person, names) for met in matches[: -MOST_SHOWN - 1 : -1]],
            "more": max(0, len(matches) - MOST_SHOWN),
        }  # fmt: skip

    def forget(self, who: str, name: str, why: str = "") -> Gone:
        """A player's wish."""
        gone = self.register.forget(name)
        if gone.found or gone.logs:
            self.store.note(who, "a player was forgotten", why if name_key(name) not in name_key(why) else "")
            self.desk.refresh()
        return gone

    def who(self, phone: Phone) -> str:
        """How a phone's changes are signed: its name, told apart where several are called so."""
        twice = sum(same_name(other.name, phone.name) for other in self.phones.all()) > 1
        return f"{phone.name} {phone.id[:4]}" if twice else phone.name

    # -- phones ------------------------------------------------------------------------------------------------------

    def _phones(self, mine: Phone) -> list[dict[str, Any]]:
        return [
            {"id": phone.id, "name": phone.name, "role": phone.role or ARBITER, "since": phone.since,
             "seen": phone.seen,
             "mine": phone.id == mine.id}
            for phone in self.phones.all()
        ]  # fmt: skip

    def _name(self, id_: str, facts: Mapping[str, Any]) -> None:
        name = " ".join(str(facts["name"]).split())
        if not 0 < len(name) <= 40 or not name.isprintable():
            raise ChangeError("name")
        if any(same_name(phone.name, name) and phone.id != id_ for phone in self.phones.all()):
            raise ChangeError("name_taken")
        if not self.phones.change(id_, name=name):
            raise ChangeError("unknown")

    def _role(self, mine: Phone, facts: Mapping[str, Any]) -> None:
        id_, role = str(facts["id"]), str(facts["role"])
        found = {phone.id: phone for phone in self.phones.all()}
        if role not in ROLES or id_ not in found:
            raise ChangeError("unknown")
        owners = [phone for phone in found.values() if phone.role == OWNER]
        if role != OWNER and [phone.id for phone in owners] == [id_]:
            raise ChangeError("last_owner")
        self.phones.change(id_, role=role)
        self.store.note(self.who(mine), f"{found[id_].name}: {role}", str(facts.get("why", ""))[:200])

    def _forget_phone(self, mine: Phone, facts: Mapping[str, Any]) -> None:
        id_ = str(facts["id"])
        found = {phone.id: phone for phone in self.phones.all()}
        if id_ not in found:
            raise ChangeError("unknown")
        self.phones.forget(id_)
        self.store.note(self.who(mine), f"{found[id_].name}: –", "")

    def _log(self) -> dict[str, Any]:
        notes = self.store.notes(MOST_TOLD)
        told = [{"at": at, "who": who, "what": what, "why": why} for at, who, what, why in notes]
        return {"changes": told, "older": max(0, self.store.noted - len(told))}


def _begun_at(changes: Sequence[Change]) -> float:
    """When a tournament's first round was drawn; 0: it has not begun."""
    return next(iter(drawn_at(changes)), 0.0)


def _played_at(changes: Sequence[Change]) -> float:
    """When the last match was told of; a correction of one comes later and counts no more."""
    told: dict[tuple[int, int], float] = {}
    for change in changes:
        if change.what["do"] == "result":
            told.setdefault((int(change.what["round"]), int(change.what["at"])), change.at)
    return max(told.values(), default=0.0)


def _rank(held: Held, person: int) -> list[tuple[int, int]]:
    """Where a player stands in a tournament, and of how many; nothing where he is not in it, or nothing was played."""
    mine = {entrant.id for entrant in held.entrants if str(person) in entrant.players}
    if not mine or not held.rounds:
        return []
    table = standings(held.past, held.form, held.seed)
    return [(standing.rank, len(table)) for standing in table if standing.id in mine]


def _met(met: Met, person: int, names: Mapping[int, str]) -> dict[str, Any]:
    """A match of somebody's. Who asked to be forgotten is a dash."""
    return {
        "at": met.at, "game": met.game, "games": list(met.games), "where": met.where,
        "mine": next(side for side, people in enumerate(met.sides) if person in people),
        "sides": [[{"id": other if other in names else 0, "name": names.get(other, "–")} for other in side]
                  for side in met.sides],
    }  # fmt: skip


def _line(line: LeagueLine) -> dict[str, Any]:
    return {"id": line.person, "rating": line.rating, "spread": line.spread, "matches": line.matches, "won": line.won,
            "drawn": line.drawn}  # fmt: skip
