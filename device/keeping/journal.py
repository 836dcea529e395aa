"""Saves a match to disk before anything is shown, and resumes it after a power cut.

One file a match, in the form of engine/journal.py. `match-0007-2026-11-21-turufu.open.jsonl` goes on;
`match-0007-2026-11-21-turufu.jsonl` is closed. The number grows with each match whatever the clock says, since a Pi
has none of its own; the newest match is the one with the highest. Who played is beside it (names.py).
"""

import contextlib
import errno
import logging
import os
import re
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device import words
from device.keeping.files import make_folder, read_plain, sync_folder, write_whole
from device.keeping.names import locked, moment_files, names_file, read_names, write_names
from engine.events import REMARKS, Event, parse_event
from engine.journal import Entry, Journal, JournalError, add_entry, event_line, header_line, read_journal
from engine.match import Header, Match
from engine.notices import Notice

SLOW_S = 0.5
"""A disk that takes longer is not waited for: the longest wait at a table that does not feel like a fault."""
RETRY_S = 2.0
"""Between tries while the disk does not take anything."""
CLOSE_S = 5.0
"""How long a stop waits for what is not yet on disk; systemd gives a service far more."""
MOST_BYTES = 64_000_000
"""Of a journal: a match of a whole day takes a hundredth of it."""
MOST_OF_A_HEADER = 100_000
OPEN, CLOSED, DAMAGED, MISTAKEN = ".open.jsonl", ".jsonl", ".damaged", ".mistaken"
_NAME = re.compile(r"match-(\d{1,12})-")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

log = logging.getLogger(__name__)

Clock = Callable[[], datetime]


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Remark:
    """What was odd about a journal found at start: a code and its facts. Its sentence is `journal-CODE` in
    words/*/journal.ftl."""

    code: str
    facts: Mapping[str, Any]

    def sentence(self, language: str) -> str:
        """It in words."""
        return words.say(language, f"journal-{self.code}", **self.facts)


@dataclass(frozen=True)
class Kept:
    """A match in the folder."""

    number: int
    path: Path

    @property
    def open(self) -> bool:
        return self.path.name.endswith(OPEN)


@dataclass(frozen=True)
class Recovered:
    """As much of a journal as can be believed, and the match it makes."""

    match: Match
    entries: tuple[Entry, ...]
    text: bytes
    """The lines that are good, each with its end."""
    on_disk: int
    """How many bytes of them are in the file as they should be."""
    torn: bool = False
    """The last line was cut short, as a power cut does; it was never shown."""
    damaged: JournalError | None = None
    """The first line that is no part of the match any more, and why."""
    lost_lines: int = 0
    """Lines from there on."""
    mended: bool = False
    """Its first line was lost, and is taken from the copy beside it."""


@dataclass(frozen=True)
class Resumed:
    """What was found at start."""

    record: "MatchRecord | None"
    remarks: tuple[Remark, ...]


def kept(folder: Path) -> list[Kept]:
    """Every match of a folder, oldest first. OSError: the folder cannot be read."""
    if not folder.exists():
        return []
    found = [
        Kept(int(name[1]), path)
        for path in folder.iterdir()
        if path.name.endswith(CLOSED) and (name := _NAME.match(path.name))
    ]
    return sorted(found, key=lambda match: (match.number, match.path.name))


def next_number(folder: Path) -> int:
    """Of a match that begins now: above every file of a match that is there. OSError: the folder cannot be read."""
    taken = [int(name[1]) for path in folder.iterdir() if (name := _NAME.match(path.name))]
    return 1 + max(taken, default=0)


def first_line(path: Path) -> bytes:
    """The first line of a journal, or its copy where it cannot be read itself. OSError: the journal cannot be read."""
    line = read_plain(path, MOST_BYTES).partition(b"\n")[0]
    return line if _is_journal(line) else _copied_header(path) or line


def recover_file(path: Path) -> Recovered | None:
    """Reads what can be read of a journal, and the names beside it. OSError, JournalError, None: as for `recover`."""
    data, names = read_plain(path, MOST_BYTES), read_names(path)
    try:
        return recover(data, names)
    except JournalError:  # Its header, in whichever line it was looked for.
        header = _copied_header(path)
        if header is None:
            raise
        found = recover(header + data[data.find(b"\n") :] if b"\n" in data else header, names)
        return found and replace(found, on_disk=0, mended=True)


HEADER = ".header"
"""Beside a journal: its first line once more, without which nothing after it can be judged."""


def header_file(journal: Path) -> Path:
    """Where the copy of a journal's first line is, whether the match goes on or is closed."""
    return journal.with_name(journal.name.split(".")[0] + HEADER)


def _copied_header(journal: Path) -> bytes | None:
    with contextlib.suppress(OSError, JournalError):
        header = read_plain(header_file(journal), MOST_OF_A_HEADER).strip()
        read_journal(header.decode(errors="replace"))
        return header
    return None


def delete(journal: Path) -> None:
    """Takes a match off the disk, with what lies beside it. OSError: it cannot be."""
    journal.unlink()
    for beside in (names_file(journal), header_file(journal), *moment_files(journal)):
        beside.unlink(missing_ok=True)


def recover(data: bytes, names: Sequence[str] = ()) -> Recovered | None:
    """Reads what can be read of a journal; None: it was cut before its first line was whole.

    names: of the players, which stand beside it.

    JournalError: its header cannot be read, so nothing after it can be judged.
    """
    lines = data.split(b"\n")
    if len(lines) == 1 and not _is_journal(data):
        return None
    journal, damaged = _parsed_as_far(lines)
    match = journal.open_match(names)
    entries: list[Entry] = []
    for entry in journal.entries:
        try:
            add_entry(match, entry)
        except JournalError as error:
            damaged = error
            break
        entries.append(entry)
    torn = journal.torn is not None and damaged is None
    last = damaged.line - 1 if damaged else len(lines) - 1 if torn or lines[-1] == b"" else len(lines)
    text = _joined(lines[:last])
    lost = len([line for line in lines[last:] if line]) if damaged else 0
    # A line that is whole but for its end is written once more, with it.
    on_disk = len(text) if data.startswith(text) else len(_joined(lines[: last - 1]))
    return Recovered(match, tuple(entries), text, on_disk, torn, damaged, lost)


def _joined(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _parsed_as_far(lines: list[bytes]) -> tuple[Journal, JournalError | None]:
    """What stands before the first line that cannot be read, and why that cannot."""
    journal = _parsed(lines)
    if not isinstance(journal, JournalError):
        return journal, None
    before = _parsed([*lines[: journal.line - 1], b""])
    if isinstance(before, JournalError):
        raise journal
    return before, journal


def _is_journal(data: bytes) -> bool:
    return not isinstance(_parsed([data]), JournalError)


def _parsed(lines: list[bytes]) -> Journal | JournalError:
    try:
        return read_journal(b"\n".join(lines).decode(errors="replace"))
    except JournalError as error:
        return error


def resume(folder: Path, clock: Clock = now) -> Resumed:
    """The newest match of a folder, unless it is closed, ready to go on. Never raises; the remarks say what was odd."""
    try:
        matches = kept(folder)
    except OSError as error:
        return Resumed(None, (Remark("unreadable", {"file": folder.name, "what": error}),))
    for match in reversed(matches):
        if not match.open:
            break
        facts: dict[str, Any] = {"file": match.path.name}
        try:
            found = recover_file(match.path)
        except (OSError, JournalError) as error:
            return Resumed(None, (Remark("unreadable", {**facts, "what": error}),))
        if found is None:
            _clear_away_unbegun(match.path)
            continue
        remarks: tuple[Remark, ...] = ()
        if found.mended and found.damaged is None:
            remarks = (Remark("header", {**facts, "aside": match.path.name + DAMAGED}),)
            keeper = _Keeper(folder, found.match.header, clock, found.text, retire=match.path)
        elif found.damaged is not None:
            facts |= {"what": found.damaged, "event": len(found.match.log), "lines": found.lost_lines}
            remarks = (Remark("damaged", {**facts, "aside": match.path.name + DAMAGED}),)
            keeper = _Keeper(folder, found.match.header, clock, found.text, retire=match.path)
        else:
            if found.torn:
                remarks = (Remark("torn", {**facts, "event": len(found.match.log)}),)
            keeper = _Keeper(folder, found.match.header, clock, found.text, match.path, found.on_disk)
        return Resumed(MatchRecord(found.match, keeper, clock), remarks)
    return Resumed(None, ())


def last_played(folder: Path) -> Header | None:
    """What the newest match of a folder is that can be read; None: there is none."""
    with contextlib.suppress(OSError):
        for match in reversed(kept(folder)):
            with contextlib.suppress(OSError, JournalError):
                found = recover_file(match.path)
                if found is not None:
                    return found.match.header
    return None


class MatchRecord:
    """A match and its journal. Unless there is a trouble, what `add` gave back is on disk."""

    def __init__(self, match: Match, keeper: "_Keeper", clock: Clock) -> None:
        self.match = match
        self._keeper = keeper
        self._clock = clock

    @classmethod
    def begin(cls, folder: Path, match: Match, clock: Clock = now) -> "MatchRecord":
        """A new match, nothing in it yet."""
        header = (_clean(header_line(match.header, secrets.token_hex(16))) + "\n").encode()
        record = cls(match, _Keeper(folder, match.header, clock, header), clock)
        record._keeper.wait()
        return record

    @property
    def header(self) -> Header:
        return self.match.header

    @property
    def trouble(self) -> str | None:
        """Why what was shown last may not be on disk, as one of TROUBLES (device/following/show.py); None: it is."""
        return self._keeper.trouble

    @property
    def error(self) -> OSError | None:
        """What the disk said, while there is a trouble."""
        return self._keeper.error

    @property
    def path(self) -> Path | None:
        """Where it is kept; None: nowhere yet."""
        return self._keeper.path

    def add(self, event: Event | Mapping[str, Any], by: str | None = None) -> list[Notice]:
        """Judges an event and keeps it; what comes back may be shown. EventError: it cannot be, and nothing was kept.

        by: who said it (a button, a page), written beside the event.
        """
        remarks = {"time": self._clock().strftime("%Y-%m-%dT%H:%M:%SZ")}
        if by is not None:
            remarks["by"] = by
        if isinstance(event, Mapping):
            remarks |= {name: str(event[name]) for name in REMARKS if name in event}
            event = parse_event(event)
        line = _clean(event_line(len(self.match.log) + 1, event, remarks))
        notices = self.match.add(event)
        self._keeper.keep(line)
        return notices

    def finish(self) -> bool:
        """Closes the match: it is not resumed any more. False: the disk has not taken all of it."""
        return self._keeper.close(finished=True)

    def mistaken(self) -> bool:
        """It was another game that was played: what was kept is put aside, and is no match any more."""
        done = self._keeper.close(finished=False)
        if self.path is not None:
            _put_aside(self.path, MISTAKEN)
        return done

    def close(self) -> bool:
        """Lets go of the journal; the match can be resumed. False: the disk has not taken all of it."""
        return self._keeper.close(finished=False)


def _clean(line: str) -> str:
    """The line, if it can be written at all."""
    line.encode()
    return line


class _Keeper:
    """Gets the text of a journal on disk, in order, on a thread of its own so that a hanging disk holds up nobody.

    All of the text stays in memory, so that a disk that was lost can be made good, or another begun.
    """

    def __init__(
        self,
        folder: Path,
        header: Header,
        clock: Clock,
        text: bytes,
        path: Path | None = None,
        on_disk: int = 0,
        retire: Path | None = None,
    ) -> None:
        self.path = path
        self.trouble: str | None = None
        self.error: OSError | None = None
        self._folder = folder
        self._header = header
        self._clock = clock
        self._text = bytearray(text)
        self._on_disk = on_disk
        self._retire = retire
        """A damaged file to put aside once all that is good of it is in a new one."""
        self._fd: int | None = None
        self._named = path is not None
        """The file's name is on disk too."""
        self._signed = path is not None
        """The players' names are beside it."""
        self._copied = False
        """Its first line is beside it once more."""
        self._closing = False
        self._finished = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def keep(self, line: str) -> None:
        """Adds a line and waits until it is on disk, or a trouble says that it is not."""
        with self._changed:
            self._text += line.encode() + b"\n"
            self._changed.notify_all()
        self.wait()

    def wait(self) -> None:
        """Waits until everything is on disk, or a trouble says that it is not."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._done or self.trouble is not None, SLOW_S):
                self.trouble = "journal_slow"

    def close(self, finished: bool) -> bool:
        """Writes what is left if it can be, and stops. Whether everything is on disk."""
        with self._changed:
            self._finished = self._finished or finished
            self._closing = True
            self._changed.notify_all()
        self._thread.join(CLOSE_S)
        with self._changed:
            return self._done and self.error is None and not self._thread.is_alive()

    @property
    def _done(self) -> bool:
        return self._on_disk == len(self._text)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or not self._done)
                last = self._closing
            try:
                while not self._done:
                    self._write()
                if last and self._finished:
                    self._mark_closed()
            except OSError as error:
                self._let_go()
                with self._changed:
                    if self.error is None or self.error.errno != error.errno:
                        log.warning(
                            "%s: the match is not kept: %s", self.path or self._folder, words.what_helps(error, "en")
                        )
                    self.error = error
                    self.trouble = "journal_full" if error.errno in _FULL else "journal_read_only"
                    self._changed.notify_all()
                    if not last:
                        self._changed.wait(RETRY_S)
            if last:
                self._let_go()
                return

    def _write(self) -> None:
        """Brings the file to where the text is."""
        if self._fd is None:
            self._open()
        assert self._fd is not None
        with self._changed:
            upto = len(self._text)
            pending = memoryview(bytes(self._text[self._on_disk : upto]))
        while pending:
            pending = pending[os.write(self._fd, pending) :]
        os.fsync(self._fd)
        if not self._named:
            sync_folder(self._folder)
            self._named = True
        self._sign()
        with self._changed:
            self._on_disk = upto
            if self._done:
                if self.error is not None:
                    log.warning("%s: the match is kept again", self.path)
                self.trouble = self.error = None
            self._changed.notify_all()
        if self._retire is not None:
            _put_aside(self._retire)
            self._retire = None

    def _sign(self) -> None:
        """Puts the names beside the file, and its first line. Where that fails the match is kept without them."""
        self._copy_header()
        if self._signed or self.path is None:
            return
        self._signed = True
        try:
            write_names(self.path, self._header.seats)
        except OSError as error:
            log.warning("%s: the players' names are not kept: %s", self.path, words.what_helps(error, "en"))

    def _copy_header(self) -> None:
        if self._copied or self.path is None:
            return
        self._copied, copy = True, header_file(self.path)
        try:
            if not copy.exists():
                write_whole(copy, bytes(self._text[: self._text.find(b"\n") + 1]))
        except OSError as error:
            log.warning("%s: no backup of its first line: %s", self.path, words.what_helps(error, "en"))

    def _open(self) -> None:
        """Opens the file where good text ends in it. One that is gone or not ours any more is left for a new one."""
        if self.path is not None:
            with contextlib.suppress(FileNotFoundError):
                fd = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
                try:
                    if self._ours(fd):
                        # What lies behind is a line cut short, or one that the disk never promised to keep.
                        os.ftruncate(fd, self._on_disk)
                        os.lseek(fd, 0, os.SEEK_END)
                        self._fd = fd
                        return
                finally:
                    if self._fd is None:
                        os.close(fd)
        make_folder(self._folder)
        self._fd, self.path = self._new()
        self._named = self._signed = self._copied = False
        with self._changed:
            self._on_disk = 0

    def _ours(self, fd: int) -> bool:
        """Nobody else writes it, and it begins as it should."""
        if not locked(fd):
            return False
        with os.fdopen(os.dup(fd), "rb") as file:
            return file.read(self._on_disk) == self._text[: self._on_disk]

    def _new(self) -> tuple[int, Path]:
        day = self._clock().strftime("%Y-%m-%d")
        while True:
            path = self._folder / f"match-{next_number(self._folder):04}-{day}-{self._header.game}{OPEN}"
            with contextlib.suppress(FileExistsError):
                fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
                locked(fd)
                return fd, path

    def _mark_closed(self) -> None:
        if self.path is not None and self.path.name.endswith(OPEN):
            closed = self.path.with_name(self.path.name.removesuffix(OPEN) + CLOSED)
            self.path.rename(closed)
            sync_folder(self._folder)
            self.path = closed

    def _let_go(self) -> None:
        if self._fd is not None:
            # A disk that is gone may say so again here; everything that counts was synced, or is written again.
            with contextlib.suppress(OSError):
                os.close(self._fd)
            self._fd = None


def _clear_away_unbegun(path: Path) -> None:
    """The power went while a match was begun, and nothing of it was ever shown: an empty file goes, and one with a part
    of the first line is put aside. Neither is met again."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        if locked(file.fileno()):
            if os.fstat(file.fileno()).st_size:
                _put_aside(path)
            else:
                path.unlink()


def _put_aside(path: Path, why: str = DAMAGED) -> None:
    """Gives a journal a name by which it is no match any more. Where that fails it stays as it is."""
    aside = path.with_name(path.name + why)
    with contextlib.suppress(OSError):
        path.rename(aside)
        sync_folder(path.parent)
