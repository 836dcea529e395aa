"""People, and what was decided in a hall: every change with who, when and why. Names stand here and nowhere else.

A log of changes is a subject's (a tournament's). Its lines are numbered, so that of two who decide at once the second
is told, and decides anew.
"""

import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from unicodedata import normalize

from device.hall.results import Played, ended
from device.hall.store import Store, names_in
from device.hall.tournament.held import Change
from device.keeping.names import same_name
from device.outputs.broker.messages import START, chained
from engine.journal import JournalError, without_names
from engine.strict_json import read_json, read_object, write_json

MOST_OF_A_CHANGE = 10_000_000
"""Letters: a draw of a thousand players has a hundred thousand."""
MOST_AT_ONCE = 50
"""Matches read in one go; the rest wait for the next."""
LONG_S = 2.0
"""Of reading in one go: then, too, the rest wait."""
REST = 10.0
"""A match that grew is not read again before so many times the time that reading it took: one that takes long leaves
the time to the others."""
MOST_SPOILED = 10_000
"""Matches of which it is remembered that this was said."""


@dataclass(frozen=True)
class Gone:
    """What came of a wish to be forgotten."""

    found: bool
    logs: int
    """Logs of tables that had the name in their first line, from before names stood beside them."""
    remarks: int
    """Lines of who changed what that named this player."""


class Register:
    """Kept in the hall's store, whichever database that is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rests: dict[tuple[str, str], float] = {}
        """Matches that are not read again yet, by table and name: until when."""
        self._spoiled: set[tuple[str, str]] = set()
        """Matches whose logs cannot be judged, which was said."""

    # -- people ------------------------------------------------------------------------------------------------------

    def person(self, name: str) -> int:
        """The number of who is called so; new where nobody was."""
        with self._store.changing():
            return self._store.person(name)

    def people(self, names: Iterable[str]) -> dict[str, int]:
        """The numbers of many, all at once."""
        with self._store.changing():
            return {name: self._store.person(name) for name in names}

    def names(self, people: Iterable[int] | None = None) -> dict[int, str]:
        """Names by number; of who was forgotten none."""
        rows = self._store.do("SELECT id, name FROM hall_people WHERE name != ''")
        wanted = None if people is None else set(people)
        return {int(id_): str(name) for id_, name in rows if wanted is None or int(id_) in wanted}

    def forgotten(self) -> int:
        """How many were forgotten, whoever did it."""
        return int(self._store.do("SELECT COUNT(*) FROM hall_people WHERE name = ''")[0][0])

    # -- logs of changes ---------------------------------------------------------------------------------------------

    def heads(self) -> dict[str, int]:
        """The number of the last change of every subject."""
        return {str(subject): int(number) for subject, number in
                self._store.do("SELECT subject, MAX(number) FROM hall_changes GROUP BY subject")}  # fmt: skip

    def changes(self, subject: str, since: int = -1) -> list[Change]:
        """Its log, or what came behind a number."""
        rows = self._store.do(
            "SELECT number, at, who, what, why FROM hall_changes WHERE subject = ? AND number > ? ORDER BY number",
            subject, since,
        )  # fmt: skip
        return [
            Change(int(number), float(at), who, read_object(what, MOST_OF_A_CHANGE), why)
            for number, at, who, what, why in rows
        ]

    def add(self, subject: str, number: int, who: str, what: Mapping[str, Any], why: str = "") -> Change | None:
        """Keeps a change under the next number. None: somebody else was first. OSError: it is not kept."""
        change = Change(number, time.time(), who, dict(what), why)
        with self._store.changing():
            rows = self._store.do(
                "INSERT INTO hall_changes (subject, number, at, who, what, why) VALUES (?,?,?,?,?,?) "
                "ON CONFLICT DO NOTHING RETURNING number",
                subject, number, change.at, who, write_json(what), why,
            )  # fmt: skip
        return change if rows else None

    @staticmethod
    def new_subject() -> str:
        """A name for a log that nobody has."""
        return secrets.token_hex(4)

    # -- matches that are over ---------------------------------------------------------------------------------------

    def read_results(self, over: Mapping[str, bool]) -> list[Played]:
        """Reads the matches that came to an end since, and keeps how. over: of tables, whether their newest match is
        over as they show it; others are only read once the next one has begun. Matches that were never read come first,
        and short ones before long ones: no table can have the others wait."""
        begun_s = time.monotonic()
        self._rests = {of: until_s for of, until_s in self._rests.items() if until_s > begun_s}
        rows = self._store.do(
            "SELECT m.table_name, m.match, m.match_order, m.number, m.begun, t.match FROM hall_matches m "
            "JOIN hall_tables t ON t.name = m.table_name LEFT JOIN hall_played p "
            "ON p.table_name = m.table_name AND p.match = m.match "
            "WHERE m.number > 0 AND (p.number IS NULL OR p.number != m.number) "
            "ORDER BY p.number IS NOT NULL, m.number"
        )
        found: list[Played] = []
        for table, match, order, number, begun, newest in rows:
            if (match == newest and not over.get(table)) or (table, match) in self._rests:
                continue
            at_s = time.monotonic()
            if len(found) >= MOST_AT_ONCE or at_s - begun_s > LONG_S:
                break
            how = ended(self._store.journal(table, match), partial(self._note_spoiled, table, match))
            now_s = time.monotonic()
            self._rests[table, match] = now_s + REST * (now_s - at_s)
            game, sides, games, winner = how or ("", (), (), None)
            result = Played(table, match, int(order), float(begun), game, sides, games, winner)
            self._keep(result, int(number))
            found.append(result)
        return [played for played in found if played.game]

    def _note_spoiled(self, table: str, match: str) -> bool:
        """Notes that a match's log cannot be judged. Whether that is the first time: it is said once, however often the
        log grows."""
        if (table, match) in self._spoiled:
            return False
        if len(self._spoiled) >= MOST_SPOILED:
            self._spoiled.clear()
        self._spoiled.add((table, match))
        return True

    def _keep(self, played: Played, number: int) -> None:
        with self._store.changing():
            self._store.do("DELETE FROM hall_played WHERE table_name = ? AND match = ?", played.table, played.match)
            self._store.do(
                "INSERT INTO hall_played (table_name, match, number, game, sides, games, winner) "
                "VALUES (?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
                played.table, played.match, number, played.game, write_json(played.sides),
                write_json(played.games), played.winner,
            )  # fmt: skip

    def played(self) -> list[Played]:
        """Every match that is over, in the order in which the hall heard of them."""
        rows = self._store.do(
            "SELECT p.table_name, p.match, m.match_order, m.begun, p.game, p.sides, p.games, p.winner "
            "FROM hall_played p JOIN hall_matches m ON m.table_name = p.table_name AND m.match = p.match "
            "WHERE p.game != '' ORDER BY m.begun, m.match_order"
        )
        return [
            Played(table, match, int(order), float(begun), game, tuple(read_json(sides)), tuple(read_json(games)),
                   None if winner is None else int(winner))
            for table, match, order, begun, game, sides, games, winner in rows
        ]  # fmt: skip

    def played_mark(self) -> tuple[int, int]:
        """Another whenever a match came to its end, or ended otherwise."""
        ((many, numbers),) = self._store.do("SELECT COUNT(*), COALESCE(SUM(number), 0) FROM hall_played")
        return int(many), int(numbers)

    def seats(self) -> dict[tuple[str, str], dict[int, int]]:
        """Who sat at which seat, by table and match, as far as that was told."""
        found: dict[tuple[str, str], dict[int, int]] = {}
        for table, match, seat, person in self._store.do("SELECT table_name, match, seat, person FROM hall_seats"):
            found.setdefault((table, match), {})[int(seat)] = int(person)
        return found

    # -- a player's wish to be forgotten -----------------------------------------------------------------------------

    def forget(self, name: str) -> Gone:
        """Takes a name out of everything that is kept. What was played stays, and is nobody's."""
        store = self._store
        with store.changing():
            headers = store.do("SELECT table_name, match, line FROM hall_lines WHERE number = 0")
            logs = sum(
                self._without_names(table, match)
                for table, match, line in headers
                if any(same_name(written, name) for written in names_in(line))
            )
            found = [person for person, called in self.names().items() if same_name(called, name)]
            for id_ in found:
                store.do("UPDATE hall_people SET name = '', key = ? WHERE id = ?", f"\n{id_}", id_)
            remarks = self._without_remarks(name, "hall_changes", ("who", "why"))
            remarks += self._without_remarks(name, "hall_log", ("who", "what", "why"))
        return Gone(bool(found) or bool(remarks), logs, remarks)

    def _without_names(self, table: str, match: str) -> int:
        """A log of before names stood beside it gets its first line anew, and its seals with it. The table does the
        same when it forgets, and comes to the same seals."""
        lines = self._store.do(
            "SELECT number, line FROM hall_lines WHERE table_name = ? AND match = ? ORDER BY number", table, match
        )
        try:
            first = without_names(lines[0][1], match)
        except JournalError:
            return 0
        self._store.seat(table, match, names_in(lines[0][1]))
        seal = START
        for number, line in lines:
            line = first if number == 0 else line
            seal = chained(seal, line)
            self._store.do(
                "UPDATE hall_lines SET line = ?, hash = ? WHERE table_name = ? AND match = ? AND number = ?",
                line, seal, table, match, number,
            )  # fmt: skip
        self._store.do("UPDATE hall_matches SET hash = ? WHERE table_name = ? AND match = ?", seal, table, match)
        self._store.do("DELETE FROM hall_early WHERE table_name = ? AND match = ?", table, match)
        return 1

    def _without_remarks(self, name: str, table: str, columns: Sequence[str]) -> int:
        changed = 0
        for column in columns:
            for (text,) in self._store.do(f"SELECT DISTINCT {column} FROM {table} WHERE {column} != ''"):
                fresh = "–" if same_name(text, name) else _without(text, name)
                if fresh != text:
                    changed += 1
                    self._store.do(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", fresh, text)
        return changed


def _without(text: str, name: str) -> str:
    """A text without a name in it, whole words only.

    >>> _without("ali was late, and Alima too", "Ali")
    '– was late, and Alima too'
    """
    words = r"\s+".join(re.escape(word) for word in normalize("NFC", name).split())
    if not words:
        return text
    left, found = re.subn(rf"(?<!\w){words}(?!\w)", "–", normalize("NFC", text), flags=re.IGNORECASE)
    return left if found else text
