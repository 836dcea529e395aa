"""What a table still has to send: the journals on disk are the outbox, so there is none to keep, fill or lose."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from device.keeping.journal import Kept, kept
from device.keeping.names import folder_id, match_id, read_names
from device.outputs.broker.messages import (
    LONGEST_NAME,
    MOST_BYTES,
    MOST_NAMES,
    MOST_OF_A_LINE,
    START,
    Have,
    Logged,
    chained,
)
from engine.strict_json import write_json

MOST_BYTES_OF_A_LINE = MOST_BYTES - 2_000
"""Of a journal, so that it fits into a message."""


def newest_begun(folder: Path) -> int:
    """The order of the newest match of a folder in which something happened; 0: there is none. OSError: it cannot be
    read."""
    for file in reversed(kept(folder)):
        with file.path.open("rb") as lines:
            lines.readline(MOST_BYTES)  # Its header.
            if lines.read(1):
                return file.number
    return 0


@dataclass
class _Log:
    """A match's file, as far as it was read."""

    file: Kept
    id: str = ""
    read_bytes: int = 0
    lines: list[str] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    spoiled: bool = False
    """There is a line that no hall takes, as a failing disk leaves it: the log goes up to it, and the next one on."""

    def read_on(self) -> None:
        """Takes in lines that are whole."""
        with self.file.path.open("rb") as file:
            file.seek(self.read_bytes)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self.read_bytes += len(whole)
        for line in whole.decode(errors="replace").split("\n")[:-1]:
            too_long = len(line) > MOST_OF_A_LINE or len(write_json(line).encode()) > MOST_BYTES_OF_A_LINE
            self.spoiled |= "\x00" in line or too_long
            if self.spoiled:
                break
            self.lines.append(line)
            self.hashes.append(chained(self.hashes[-1] if self.hashes else START, line))
        if self.lines and not self.id:
            self.id = match_id(self.lines[0], self.file.path)


class Outbox:
    """The logs of a folder, in the order in which they were played."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._id = ""
        self._logs: dict[int, _Log] = {}

    @property
    def id(self) -> str:
        """Of this store of matches."""
        self._id = self._id or folder_id(self._folder)
        return self._id

    def after(self, have: Have, settled: int) -> Iterator[Logged]:
        """Every line behind what the hall holds. OSError: the disk fails.

        settled: so many events of the newest match are on disk for good; what lies behind may yet be taken back.
        """
        files = self._files()
        start = self._place(have, files)
        if start is None:
            return
        first, number = start
        for file in files:
            if file.number < first:
                continue
            log = self._log(file)
            upto = min(len(log.lines), settled + 1) if file is files[-1] else len(log.lines)
            for at in range(number if file.number == first else 0, upto):
                names = () if at else _tellable(read_names(file.path))
                yield Logged(log.id, file.number, at, log.hashes[at], log.lines[at], names, self.id)

    def _place(self, have: Have, files: list[Kept]) -> tuple[int, int] | None:
        """The file and the line to go on from."""
        if not files:
            return None
        for file in reversed(files):
            log = self._log(file)
            if log.id and log.id == have.match:
                known = have.number < 0 or (have.number < len(log.hashes) and log.hashes[have.number] == have.hash)
                return (file.number, have.number + 1) if known else (file.number + 1, 0)
        return files[0].number, 0

    def knows(self, match: str) -> bool:
        """Whether a match is one of this folder."""
        return any(self._log(file).id == match for file in reversed(self._files()))

    def _files(self) -> list[Kept]:
        files = kept(self._folder)
        here = {file.number for file in files}
        self._logs = {number: log for number, log in self._logs.items() if number in here}
        return files

    def _log(self, file: Kept) -> _Log:
        log, bytes_ = self._logs.get(file.number), file.path.stat().st_size
        if log is None or bytes_ < log.read_bytes:
            log = self._logs[file.number] = _Log(file)
        log.file = file
        if bytes_ > log.read_bytes:  # Also of a match that is over: its end may have come since it was looked at last.
            log.read_on()
        return log


def _tellable(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names as a hall takes them, whoever wrote the file beside the match."""
    return tuple("".join(filter(str.isprintable, name))[:LONGEST_NAME] for name in names[:MOST_NAMES])
