"""What a hall keeps of its tables, in SQLite or PostgreSQL: the same SQL through one thin layer.

The log of each match line by line, checked against its running hash as it comes. Several workers may write at once:
which line comes next is decided here, under a lock for each table, and by no worker alone.
"""

import logging
import os
import re
import secrets
import sqlite3
import stat
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

from device.keeping.names import name_key
from device.outputs.broker.messages import LONGEST_NAME, MOST_BYTES, MOST_NAMES, START, Have, Logged, Stamp, chained
from device.words.away import Away
from engine.strict_json import BadJson, Fields, read_json, read_object, write_json

log = logging.getLogger(__name__)
MOST_EARLY = 1000
"""Lines kept that came before one in front of them: several workers take one table's lines in turn."""
MOST_LINES = 200_000
"""Of one match: ten evenings without a pause."""
MOST_MATCHES_A_DAY = 500
"""That one table may begin."""
MOST_BYTES_A_DAY = 100_000_000
"""That one table's lines may take. An evening takes about one megabyte: a table that sends all its matches anew has
room for a hundred evenings a day, and one that sends junk does not fill the disk in a night."""
MOST_BYTES_OF_STRANGERS = 10 * MOST_BYTES_A_DAY
"""A day's bytes for all unpaired tables together: anybody at the broker can make up any number. A thousand of them have
room for an evening."""
COUNTED_AGAIN_S = 60.0
"""The sum is read again so often, since other halls on the same store take lines too."""
BESIDE_A_LINE = 250
"""Bytes that a line takes beside its text: its hash, its match, its table."""
BESIDE_A_NAME = 400
"""And each name beside a header: a person, and who sits where (measured: 356 with names of sixty letters)."""
DAY_S = 24 * 3600
PRIVATE = 0o600
"""Of SQLite's files: the keys of the tables are in them."""
SCHEMA = (
    """CREATE TABLE IF NOT EXISTS hall_tables (
        name TEXT PRIMARY KEY, match TEXT, match_order BIGINT NOT NULL DEFAULT -1, trouble TEXT NOT NULL DEFAULT '',
        key TEXT NOT NULL DEFAULT '', counter BIGINT NOT NULL DEFAULT 0, folder TEXT NOT NULL DEFAULT '',
        kept_day BIGINT NOT NULL DEFAULT 0, kept_bytes BIGINT NOT NULL DEFAULT 0, seated TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE IF NOT EXISTS hall_matches (
        table_name TEXT NOT NULL, match TEXT NOT NULL, match_order BIGINT NOT NULL, number BIGINT NOT NULL,
        hash TEXT NOT NULL, begun DOUBLE PRECISION NOT NULL, folder TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (table_name, match))""",
    """CREATE TABLE IF NOT EXISTS hall_folders (
        table_name TEXT NOT NULL, folder TEXT NOT NULL, match TEXT NOT NULL, PRIMARY KEY (table_name, folder))""",
    """CREATE TABLE IF NOT EXISTS hall_lines (
        table_name TEXT NOT NULL, match TEXT NOT NULL, number BIGINT NOT NULL, hash TEXT NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (table_name, match, number))""",
    """CREATE TABLE IF NOT EXISTS hall_early (
        table_name TEXT NOT NULL, match TEXT NOT NULL, number BIGINT NOT NULL, hash TEXT NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (table_name, match, number))""",
    """CREATE TABLE IF NOT EXISTS hall_people (id BIGINT PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE)""",
    """CREATE TABLE IF NOT EXISTS hall_seats (
        table_name TEXT NOT NULL, match TEXT NOT NULL, seat BIGINT NOT NULL, person BIGINT NOT NULL,
        PRIMARY KEY (table_name, match, seat))""",
    """CREATE TABLE IF NOT EXISTS hall_played (
        table_name TEXT NOT NULL, match TEXT NOT NULL, number BIGINT NOT NULL, game TEXT NOT NULL, sides TEXT NOT NULL,
        games TEXT NOT NULL, winner BIGINT, PRIMARY KEY (table_name, match))""",
    """CREATE TABLE IF NOT EXISTS hall_changes (
        subject TEXT NOT NULL, number BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL,
        what TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (subject, number))""",
    """CREATE TABLE IF NOT EXISTS hall_seen (
        table_name TEXT NOT NULL, what TEXT NOT NULL, session BIGINT NOT NULL, number BIGINT NOT NULL,
        PRIMARY KEY (table_name, what))""",
    """CREATE TABLE IF NOT EXISTS hall_log (
        at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, why TEXT NOT NULL)""",
)
LATER = (
    ("hall_tables", "folder", "TEXT NOT NULL DEFAULT ''"),
    ("hall_matches", "folder", "TEXT NOT NULL DEFAULT ''"),
    ("hall_tables", "kept_day", "BIGINT NOT NULL DEFAULT 0"),
    ("hall_tables", "kept_bytes", "BIGINT NOT NULL DEFAULT 0"),
    ("hall_tables", "seated", "TEXT NOT NULL DEFAULT ''"),
)
"""Columns that an older store has not: the store of matches that a table last came with, and that a match is from; the
day on which a table's lines were last kept, counted since 1970, and how many bytes of them on that day; who was
told to sit at a table, as numbers of people. In `hall_folders` stands the match that was sent last from each."""
GAP, REPEAT, TAKEN, FORKED, FORGED, FULL = "gap", "repeat", "taken", "forked", "forged", "full"
UNSIGNED, CROWDED = "unsigned", "crowded"
"""What became of a line: one before it is missing; known; new; another is known under its number; its hash is not that
of the log with it; its table sent too much; its table was paired, and did not sign it; tables that were not paired sent
too much together, and it is one of them."""


NOT_COUNTED = (-1, 0.0, 0)
"""The sum has to be read first."""


def _today() -> int:
    """Days since 1970."""
    return int(time.time() // DAY_S)


UNNAMED = re.compile(r"#\d+")
"""What a seat is called whose player has no name."""


def names_in(header: str) -> tuple[str, ...]:
    """The names that stand in the first line of an older log; in a newer one they stand beside it."""
    try:
        seats = Fields(read_object(header)).texts("seats", MOST_NAMES, MOST_BYTES)
    except BadJson:
        return ()
    return tuple((seat or "")[:LONGEST_NAME] for seat in seats)


def moved(old: "Store", new: "Store") -> int:
    """Copies everything that a store holds into an empty one, all at once; how many rows it was. OSError: it cannot be
    taken, or the new one is not empty: nothing was changed. No hall may run on the old one meanwhile."""
    rows = 0
    with new.changing():
        for statement in SCHEMA:
            name = statement.split()[5]
            if new.do(f"SELECT * FROM {name} LIMIT 1"):
                raise StoreAway("store_full", place=name)
            of_tables = "table_name" in statement
            by = [row[0] for row in old.do(f"SELECT DISTINCT table_name FROM {name}")] if of_tables else [None]
            for table in by:  # One table's rows at a time: a log of years need not fit into the memory at once.
                where, values = (" WHERE table_name = ?", (table,)) if of_tables else ("", ())
                found = old.do(f"SELECT * FROM {name}{where}", *values)
                for row in found:
                    new.do(f"INSERT INTO {name} VALUES ({','.join('?' * len(row))})", *row)
                rows += len(found)
    return rows


def _make_private(path: Path) -> None:
    """Makes SQLite's file for its owner alone, before there is anything in it; one that is there already is put right,
    and so are the files beside it. Those that SQLite makes later are as open as this one."""
    path = Path(os.path.realpath(path))
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
    for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        # Never opened here: closing it would take away the locks that SQLite holds in this program.
        with suppress(FileNotFoundError):
            mode = file.stat().st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                _close_to_others(file)


def _close_to_others(file: Path) -> None:
    try:
        file.chmod(PRIVATE)
    except PermissionError as error:  # Another user's, who lets this one write: the hall goes on as it did.
        log.warning("%s may be read by others on this machine: %s", file, error)


class StoreAway(Away):
    """The hall's store cannot be used."""

    topic = "mistake"


@dataclass(frozen=True)
class StoredMatch:
    """A match that a hall holds, whole or in part."""

    table: str
    id: str
    order: int
    number: int
    """Of its last line; 0 is the header."""
    begun: float
    folder: str = ""


class Store:
    """One database. Safe to use from several threads, and beside other workers on the same database."""

    def __init__(self, address: str) -> None:
        """A path for SQLite, or postgresql://… OSError: it cannot be opened."""
        self._postgres = address.startswith(("postgresql://", "postgres://"))
        if "://" in address and not self._postgres:
            raise StoreAway("store_place", value=address)
        self._lock = threading.RLock()
        self._strangers = NOT_COUNTED
        """Of tables that were not paired: the day, when it was counted how many bytes were kept, and how many."""
        self.address = address
        self._open()
        with self._lock, self.changing():
            for statement in SCHEMA:
                self.do(statement)
            for table, column, kind in LATER:
                self._add_column(table, column, kind)
            self._freshen_keys()

    def _freshen_keys(self) -> None:
        """An older version kept a name whose accent was a sign of its own as another person's. Where both are there
        already, they stay two."""
        for person, name, key in self.do("SELECT id, name, key FROM hall_people WHERE name != ''"):
            if key != (fresh := name_key(name)) and not self.do("SELECT 1 FROM hall_people WHERE key = ?", fresh):
                self.do("UPDATE hall_people SET key = ? WHERE id = ?", fresh, person)

    def _add_column(self, table: str, column: str, kind: str) -> None:
        if self._postgres:
            self.do(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {column} {kind}")
        elif column not in [row[1] for row in self.do(f"PRAGMA table_info({table})")]:
            self.do(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")

    def _open(self) -> None:
        if self._postgres:
            import psycopg

            try:
                self._db: Any = psycopg.connect(self.address, autocommit=True)
            except psycopg.Error as error:
                raise StoreAway("store_away", what=str(error).splitlines()[0]) from None
        else:
            path = Path(self.address)
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                _make_private(path)
                self._db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=FULL")
            except (OSError, sqlite3.Error) as error:
                raise StoreAway("at_file", path=path, error=error) from None

    def close(self) -> None:
        """Lets go of it."""
        with self._lock:
            self._db.close()

    # -- the thin layer ----------------------------------------------------------------------------------------------

    def do(self, sql: str, *values: Any) -> list[Any]:
        """Runs a statement; its rows."""
        with self._lock:
            if self._postgres and self._db.closed:  # Since the last use; in the midst of a change it ends that.
                self._open()
            cursor = self._db.execute(sql.replace("?", "%s") if self._postgres else sql, values)
            return list(cursor.fetchall()) if cursor.description else []

    @contextmanager
    def changing(self) -> Iterator[None]:
        """All of it or nothing. OSError: the database does not take it."""
        with self._lock:
            try:
                self.do("BEGIN" if self._postgres else "BEGIN IMMEDIATE")
                yield
                self.do("COMMIT")
            except BaseException as error:
                self._back()
                if type(error).__module__.startswith(("sqlite3", "psycopg")):
                    raise StoreAway("store_refuses", what=error) from error
                raise

    def _back(self) -> None:
        self._strangers = NOT_COUNTED
        try:
            self.do("ROLLBACK")
        except Exception:
            if self._postgres:  # The connection itself is gone: the next use makes another.
                try:
                    self._open()
                except OSError:
                    return

    # -- logs --------------------------------------------------------------------------------------------------------

    def take_all(self, lines: Iterable[tuple[str, Logged]]) -> dict[str, list[str]]:
        """Takes lines of tables in, all at once; what became of each, by table. OSError: none of them is kept."""
        found: dict[str, list[str]] = {}
        by_table: dict[str, list[Logged]] = {}
        for table, line in lines:
            by_table.setdefault(table, []).append(line)
        with self.changing():
            for table in sorted(by_table):  # In one order, so that two workers never wait for each other.
                if not self._is_let_in(table):
                    found[table] = [CROWDED] * len(by_table[table])
                    continue
                key = self._lock_table(table)
                found[table] = self._take_each(table, by_table[table], key)
                self._note_sent(table, zip(by_table[table], found[table], strict=True))
        return found

    def _note_sent(self, table: str, taken: Iterable[tuple[Logged, str]]) -> None:
        """Which match a table sends: how far that one is kept is what it wants to know."""
        sent = {line.folder: line.match for line, result in taken if result in (TAKEN, REPEAT, GAP, FORKED)}
        for folder, match in sent.items():
            if not self.do("SELECT 1 FROM hall_matches WHERE table_name = ? AND match = ?", table, match):
                continue
            self.do(
                "INSERT INTO hall_folders (table_name, folder, match) VALUES (?,?,?) "
                "ON CONFLICT (table_name, folder) DO UPDATE SET match = excluded.match",
                table, folder, match,
            )  # fmt: skip
            self.do("UPDATE hall_tables SET folder = ? WHERE name = ?", folder, table)

    def _is_let_in(self, table: str) -> bool:
        """Whether a table is known, or there is room for one more name."""
        room = self._of_strangers(_today()) + BESIDE_A_LINE <= MOST_BYTES_OF_STRANGERS
        return room or bool(self.do("SELECT 1 FROM hall_tables WHERE name = ?", table))

    def _of_strangers(self, today: int) -> int:
        """How many bytes of tables that were not paired were kept today."""
        day, counted_s, kept = self._strangers
        if day != today or time.monotonic() - counted_s > COUNTED_AGAIN_S:
            ((kept,),) = self.do("SELECT SUM(kept_bytes) FROM hall_tables WHERE key = '' AND kept_day = ?", today)
            self._strangers = (today, time.monotonic(), int(kept or 0))
        return self._strangers[2]

    def _add_of_strangers(self, bytes_: int) -> None:
        """So many bytes more of tables that were not paired were kept."""
        day, counted_s, kept = self._strangers
        self._strangers = day, counted_s, kept + bytes_

    def _lock_table(self, table: str) -> bytes | None:
        """The table's key; None: it was not paired. A new name takes room too."""
        new = self.do(
            "INSERT INTO hall_tables (name, kept_day, kept_bytes) VALUES (?,?,?) ON CONFLICT DO NOTHING RETURNING name",
            table, _today(), BESIDE_A_LINE,
        )  # fmt: skip
        if new:
            self._add_of_strangers(BESIDE_A_LINE)
        lock = " FOR UPDATE" if self._postgres else ""
        ((key,),) = self.do(f"SELECT key FROM hall_tables WHERE name = ?{lock}", table)
        return bytes.fromhex(key) if key else None

    def _take_each(self, table: str, lines: Iterable[Logged], key: bytes | None) -> list[str]:
        """Takes a table's lines as long as there is room for them today; what became of each. A line that waits for
        one before it counts as well, each time that it comes."""
        today = _today()
        ((day, kept),) = self.do("SELECT kept_day, kept_bytes FROM hall_tables WHERE name = ?", table)
        before = kept = int(kept) if day == today else 0
        others = self._of_strangers(today) - before if key is None else 0
        found = []
        for line in lines:
            names = (line.names or names_in(line.line)) if line.number == 0 else ()
            bytes_ = len(line.line.encode()) + BESIDE_A_LINE + BESIDE_A_NAME * len(names)
            if key is not None and not line.is_signed(key, table):
                result = self._strange(table, UNSIGNED)
            else:
                crowded = CROWDED if others + kept + bytes_ > MOST_BYTES_OF_STRANGERS else ""
                result = self._take(table, line, FULL if kept + bytes_ > MOST_BYTES_A_DAY else crowded)
            kept += bytes_ if result in (TAKEN, GAP) else 0
            found.append(result)
        if key is None:
            self._add_of_strangers(kept - before)
        if kept != before:
            self.do("UPDATE hall_tables SET kept_day = ?, kept_bytes = ? WHERE name = ?", today, kept, table)
        return found

    def _take(self, table: str, line: Logged, full: str) -> str:
        """full: why there is no room for what is new; "": there is."""
        rows = self.do(
            "SELECT number, hash, folder, match_order FROM hall_matches WHERE table_name = ? AND match = ?",
            table, line.match,
        )  # fmt: skip
        number, hash_ = rows[0][:2] if rows else (-1, START)
        if rows and tuple(rows[0][2:]) != (line.folder, line.order):  # Sent since by a newer program, or moved.
            self.do(
                "UPDATE hall_matches SET folder = ?, match_order = ? WHERE table_name = ? AND match = ?",
                line.folder, line.order, table, line.match,
            )  # fmt: skip
        if line.number <= number:
            return self._take_again(table, line, full)
        if full or line.number >= MOST_LINES or (not rows and self._too_many(table)):
            return self._strange(table, full or FULL)
        if line.number > number + 1:
            return self._keep_early(table, line, number)
        if chained(hash_, line.line) != line.hash:
            return self._strange(table, FORGED)
        if not rows:
            self.do(
                "INSERT INTO hall_matches (table_name, match, match_order, number, hash, begun, folder) "
                "VALUES (?,?,?,?,?,?,?)",
                table, line.match, line.order, -1, START, time.time(), line.folder,
            )  # fmt: skip
        self._add(table, line)
        if line.number == 0:
            self.seat(table, line.match, line.names or names_in(line.line))
        self._add_early(table, line)
        return TAKEN

    def _take_again(self, table: str, line: Logged, full: str) -> str:
        """A line whose number is kept already."""
        known = self.do(
            "SELECT hash FROM hall_lines WHERE table_name = ? AND match = ? AND number = ?",
            table, line.match, line.number,
        )  # fmt: skip
        if known and known[0][0] == line.hash:
            return REPEAT
        if not known and self._shrunk(table, line.match):
            return self._take(table, line, full)
        return self._strange(table, FORKED)

    def _strange(self, table: str, trouble: str) -> str:
        self.say_trouble(table, trouble)
        return trouble

    def _too_many(self, table: str) -> bool:
        since = time.time() - 24 * 3600
        rows = self.do("SELECT COUNT(*) FROM hall_matches WHERE table_name = ? AND begun > ?", table, since)
        return int(rows[0][0]) >= MOST_MATCHES_A_DAY

    def _keep_early(self, table: str, line: Logged, number: int) -> str:
        if line.number - number <= MOST_EARLY:
            waiting = self.do("SELECT COUNT(*) FROM hall_early WHERE table_name = ?", table)
            if int(waiting[0][0]) >= MOST_EARLY:  # Of matches that nobody goes on with; what is wanted is sent again.
                self.do("DELETE FROM hall_early WHERE table_name = ?", table)
            self.do(
                "INSERT INTO hall_early (table_name, match, number, hash, line) VALUES (?,?,?,?,?) "
                "ON CONFLICT DO NOTHING",
                table, line.match, line.number, line.hash, line.line,
            )  # fmt: skip
        return GAP

    def _add(self, table: str, line: Logged) -> None:
        self.do(
            "INSERT INTO hall_lines (table_name, match, number, hash, line) VALUES (?,?,?,?,?) "
            "ON CONFLICT (table_name, match, number) DO UPDATE SET hash = excluded.hash, line = excluded.line",
            table, line.match, line.number, line.hash, line.line,
        )  # fmt: skip
        self.do(
            "UPDATE hall_matches SET number = ?, hash = ? WHERE table_name = ? AND match = ?",
            line.number, line.hash, table, line.match,
        )  # fmt: skip
        self.do(
            "UPDATE hall_tables SET match = ?, match_order = ?, trouble = '', folder = ? "
            "WHERE name = ? AND (match_order <= ? OR folder != ?)",
            line.match, line.order, line.folder, table, line.order, line.folder,
        )  # fmt: skip

    def _add_early(self, table: str, line: Logged) -> None:
        """Lines that waited for this one."""
        last = line
        while True:
            rows = self.do(
                "DELETE FROM hall_early WHERE table_name = ? AND match = ? AND number = ? RETURNING hash, line",
                table, line.match, last.number + 1,
            )  # fmt: skip
            if not rows or chained(last.hash, rows[0][1]) != rows[0][0]:
                return
            last = replace(line, number=last.number + 1, hash=rows[0][0], line=rows[0][1])
            self._add(table, last)

    def _shrunk(self, table: str, match: str) -> bool:
        """Whether lines of a match are gone, as when somebody deleted some: it is then held up to the first of them."""
        lines = self.do(
            "SELECT number, hash FROM hall_lines WHERE table_name = ? AND match = ? ORDER BY number", table, match
        )
        whole = sum(1 for at, (number, _) in enumerate(lines) if number == at)
        hash_ = lines[whole - 1][1] if whole else START
        changed = self.do(
            "UPDATE hall_matches SET number = ?, hash = ? WHERE table_name = ? AND match = ? AND number != ? "
            "RETURNING number",
            whole - 1, hash_, table, match, whole - 1,
        )  # fmt: skip
        return bool(changed)

    def have(self, table: str, folder: str | None = None) -> Have:
        """What is held of the match that a table sent last, from one store of matches; None: the one it has now."""
        if folder is None:
            rows = self.do("SELECT folder FROM hall_tables WHERE name = ?", table)
            folder = str(rows[0][0]) if rows else ""
        rows = self.do(
            "SELECT m.match, m.number, m.hash, l.hash FROM hall_folders f "
            "JOIN hall_matches m ON m.table_name = f.table_name AND m.match = f.match "
            "LEFT JOIN hall_lines l ON l.table_name = m.table_name AND l.match = m.match AND l.number = m.number "
            "WHERE f.table_name = ? AND f.folder = ?",
            table, folder,
        )  # fmt: skip
        if not rows:
            return self._have_of_before(table, folder)
        match, number, hash_, there = rows[0]
        if there != hash_ and number >= 0:
            with self.changing():
                shrunk = self._shrunk(table, match)
            return self.have(table, folder) if shrunk else Have(folder=folder)
        return Have(match, number, hash_, folder)

    def _have_of_before(self, table: str, folder: str) -> Have:
        """Of a log from before stores of matches had names: the match that was newest."""
        rows = self.do(
            "SELECT m.match, m.number, m.hash FROM hall_tables t JOIN hall_matches m "
            "ON m.table_name = t.name AND m.match = t.match WHERE t.name = ? AND m.folder = ''",
            table,
        )
        if not rows or folder:
            return Have(folder=folder)
        match, number, hash_ = rows[0]
        return Have(match, number, hash_)

    def comes_with(self, table: str, folder: str) -> None:
        """A table that is known says which store of matches it has now."""
        self.do("UPDATE hall_tables SET folder = ? WHERE name = ? AND folder != ?", folder, table, folder)

    # -- who sat where -----------------------------------------------------------------------------------------------

    def person(self, name: str) -> int:
        """The number of who is called so; new where nobody was. Within `changing`."""
        key = name_key(name)
        self.do(
            "INSERT INTO hall_people (id, name, key) VALUES (?,?,?) ON CONFLICT DO NOTHING",
            secrets.randbelow(2**48), normalize("NFC", " ".join(name.split())), key,
        )  # fmt: skip
        return int(self.do("SELECT id FROM hall_people WHERE key = ?", key)[0][0])

    def seat(self, table: str, match: str, names: Sequence[str]) -> None:
        """Keeps who sat where in a match, beside its log. Within `changing`."""
        people = {name: self.person(name) for name in sorted({*names}) if name.strip() and not UNNAMED.fullmatch(name)}
        for seat, name in enumerate(names):
            if name in people:
                self.do(
                    "INSERT INTO hall_seats (table_name, match, seat, person) VALUES (?,?,?,?) ON CONFLICT DO NOTHING",
                    table, match, seat, people[name],
                )  # fmt: skip

    def floods(self, table: str) -> None:
        """A table sends more than it can play."""
        with self.changing():
            self._lock_table(table)
            self.say_trouble(table, FULL)

    def say_trouble(self, table: str, trouble: str) -> None:
        """What is wrong with what a table sends; the next line that fits ends it. Within `changing`."""
        self.do("UPDATE hall_tables SET trouble = ? WHERE name = ?", trouble, table)

    def troubles(self) -> dict[str, str]:
        """Of every table."""
        return dict(self.do("SELECT name, trouble FROM hall_tables"))

    def matches(self, table: str | None = None) -> list[StoredMatch]:
        """Every match, the newest first."""
        sql = "SELECT table_name, match, match_order, number, begun, folder FROM hall_matches"
        where, values = (" WHERE table_name = ?", (table,)) if table else ("", ())
        return [StoredMatch(*row) for row in self.do(f"{sql}{where} ORDER BY begun DESC, match_order DESC", *values)]

    def journal(self, table: str, match: str) -> str:
        """A match as the table has it on disk."""
        rows = self.do("SELECT line FROM hall_lines WHERE table_name = ? AND match = ? ORDER BY number", table, match)
        return "".join(f"{line}\n" for (line,) in rows)

    def keys(self) -> dict[str, bytes]:
        """Tables that were paired, each with its key: what they send is confirmed by their signature."""
        rows = self.do("SELECT name, key FROM hall_tables WHERE key != ''")
        return {str(name): bytes.fromhex(key) for name, key in rows}

    # -- keys of tables, and who changed what ------------------------------------------------------------------------

    def set_key(self, table: str, key: bytes) -> None:
        """A table was paired."""
        with self.changing():
            self._lock_table(table)
            self.do("UPDATE hall_tables SET key = ?, counter = 0, seated = '' WHERE name = ?", key.hex(), table)
            self.do("DELETE FROM hall_seen WHERE table_name = ?", table)

    def seated(self) -> dict[str, list[int]]:
        """The people that each table was told of since it was paired, seat by seat."""
        rows = self.do("SELECT name, seated FROM hall_tables WHERE seated != ''")
        return {str(name): [int(person) for person in read_json(people)] for name, people in rows}

    def note_seated(self, table: str, people: Sequence[int]) -> None:
        """A table was told who sits there; nobody: they got up."""
        with self.changing():
            self._lock_table(table)
            told = write_json(list(people)) if people else ""
            self.do("UPDATE hall_tables SET seated = ? WHERE name = ?", told, table)

    def counter(self, table: str) -> int:
        """Of the last command to a table."""
        rows = self.do("SELECT counter FROM hall_tables WHERE name = ?", table)
        return int(rows[0][0]) if rows else 0

    def took(self, table: str, counter: int) -> None:
        """A table took a command of that number, which an older copy of this store does not know of."""
        with self.changing():
            self.do("UPDATE hall_tables SET counter = ? WHERE name = ? AND counter < ?", counter, table, counter)

    def seen(self) -> dict[str, dict[str, Stamp]]:
        """By table and topic the newest that was signed: what is older was said before."""
        found: dict[str, dict[str, Stamp]] = {}
        for table, what, session, number in self.do("SELECT table_name, what, session, number FROM hall_seen"):
            found.setdefault(table, {})[what] = Stamp(session, number)
        return found

    def see(self, seen: Mapping[tuple[str, str], Stamp]) -> None:
        """Keeps what is newer than before."""
        with self.changing():
            for (table, what), stamp in sorted(seen.items()):
                self.do(
                    "INSERT INTO hall_seen (table_name, what, session, number) VALUES (?,?,?,?) "
                    "ON CONFLICT (table_name, what) DO UPDATE SET session = excluded.session, number = excluded.number "
                    "WHERE hall_seen.session < excluded.session "
                    "OR (hall_seen.session = excluded.session AND hall_seen.number < excluded.number)",
                    table, what, stamp.session, stamp.number,
                )  # fmt: skip

    def next_command(self, table: str) -> tuple[bytes, int] | None:
        """The key and a counter that was not used yet; None: the table is not paired."""
        with self.changing():
            self._lock_table(table)
            rows = self.do(
                "UPDATE hall_tables SET counter = counter + 1 WHERE name = ? AND key != '' RETURNING key, counter",
                table,
            )
        return (bytes.fromhex(rows[0][0]), int(rows[0][1])) if rows else None

    def note(self, who: str, what: str, why: str) -> None:
        """Keeps who changed what, and why."""
        with self.changing():
            self.do("INSERT INTO hall_log (at, who, what, why) VALUES (?,?,?,?)", time.time(), who, what, why)

    def notes(self, most: int = 200) -> Sequence[tuple[float, str, str, str]]:
        """The last of these, the newest first."""
        return [tuple(row) for row in self.do("SELECT at, who, what, why FROM hall_log ORDER BY at DESC LIMIT ?", most)]

    @property
    def noted(self) -> int:
        """How many of these there are."""
        return int(self.do("SELECT COUNT(*) FROM hall_log")[0][0])
