"""Who played a match: a file beside its journal, never in it. The journal is sealed and copied; a name must be able to
go."""

import contextlib
import errno
import fcntl
import hashlib
import logging
import os
import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from device.keeping.files import drop_unfinished, read_plain, write_whole
from engine.journal import JournalError, without_names
from engine.strict_json import BadJson, Fields, read_json, read_object, write_json

log = logging.getLogger(__name__)
ENDING = ".names.json"
MOST_BYTES = 16_000
"""Of such a file: six names take a hundredth of it."""
RECORDING = "recording.jsonl"
LATELY, MOST_OFFERED = 30, 12
"""Matches whose players are offered again, and so many of them."""
MOMENT = ".moment-"


def moment_files(journal: Path) -> list[Path]:
    """The pictures of alerts that lie beside a match (device/following/kept_moments.py)."""
    return sorted(journal.parent.glob(f"{journal.name.split('.')[0]}{MOMENT}*.json"))


def names_file(journal: Path) -> Path:
    """Where the names of a journal are, whether it goes on, is closed or was damaged."""
    return journal.with_name(journal.name.split(".")[0] + ENDING)


def read_names(journal: Path) -> tuple[str, ...]:
    """The names beside a journal; none where there are none, or none that can be read."""
    try:
        names = Fields(read_json(read_plain(names_file(journal), MOST_BYTES))).items("seats", MOST_BYTES)
    except (OSError, ValueError):
        return ()  # A missing or odd file costs names, never the match.
    return tuple(map(str, names))


def names_played(matches: Path) -> list[str]:
    """Who played here lately, who played most first: offered where a seat is to be named."""
    files = sorted(matches.glob(f"match-*{ENDING}"), reverse=True)[:LATELY]
    counted = Counter(name for file in files for name in read_names(file) if name and not name.startswith("#"))
    return [name for name, _ in counted.most_common(MOST_OFFERED)]


def write_names(journal: Path, names: Sequence[str]) -> None:
    """Puts the names beside a journal. OSError: they cannot be kept."""
    if names:
        write_whole(names_file(journal), write_json({"seats": list(names)}).encode() + b"\n")


@dataclass(frozen=True)
class Forgotten:
    """What came of a player's wish to be forgotten."""

    files: tuple[Path, ...]
    """Where the name stood."""
    failed: tuple[Path, ...] = ()
    """Where it stands yet: they could not be written."""


def name_key(name: str) -> str:
    """The same for names that are the same to people: whatever their case and spaces, and whether an accent is typed
    with its letter or as a sign of its own.

    >>> name_key(" MOÏNA  Ali") == name_key("Moi\u0308na Ali")
    True
    """
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def same_name(name: str, other: str) -> bool:
    """Whether two names are the same to people."""
    return name_key(name) == name_key(other)


def _letters(name: str) -> str:
    """A name without its accents."""
    return "".join(sign for sign in unicodedata.normalize("NFD", name_key(name)) if not unicodedata.combining(sign))


def alike(name: str, matches: Path, seats: Sequence[str]) -> list[str]:
    """Who is called so but for accents, among these seats and all who played."""
    played = [other for file in _sorted(matches, f"match-*{ENDING}") for other in read_names(file)]
    return sorted({other for other in (*seats, *played) if _letters(other) == _letters(name)})


def without(names: Sequence[str], name: str) -> list[str]:
    """Names of seats, one of them gone: a seat without a name is called by its number.

    >>> without(["Zaïna", "Ali"], "ALI")
    ['Zaïna', '#2']
    """
    return [f"#{seat + 1}" if same_name(seat_name, name) else seat_name for seat, seat_name in enumerate(names)]


def forget(name: str, matches: Path, recordings: Path | None = None) -> Forgotten:
    """Takes a player's name out of every match and recording. The seat is called by its number, and the pictures of
    alerts that are kept beside such a match go; all else stays.

    A journal of before names stood beside it has them in its first line: that line is written anew without them.
    """
    drop_unfinished(matches, "match-*")
    found: list[Path] = []
    failed: list[Path] = []
    journals = [path for path in _sorted(matches, "match-*") if MOMENT not in path.name]
    for path in [*journals, *(_sorted(recordings, f"*/{RECORDING}") if recordings else [])]:
        try:
            known = _forgotten_names(path, name) if path.name.endswith(ENDING) else _forgotten_header(path, name)
            if known:
                for picture in moment_files(path):
                    picture.unlink(missing_ok=True)
        except (OSError, JournalError) as error:
            log.warning("%s: %s", path, error)
            failed.append(path)
            continue
        if known:
            found.append(path)
    return Forgotten(tuple(found), tuple(failed))


def _sorted(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file() and not path.is_symlink())


def _forgotten_names(path: Path, name: str) -> bool:
    names = read_names(path)
    left = without(names, name)
    if left == list(names):
        return False
    write_whole(path, write_json({"seats": left}).encode() + b"\n")
    return True


def _forgotten_header(path: Path, name: str) -> bool:
    with path.open("rb") as file:
        first = file.readline(MOST_BYTES)
    header = first.decode(errors="replace").rstrip("\n")
    try:
        raw = read_object(header)
        names = Fields(raw).items("seats", MOST_BYTES)
    except BadJson:
        return False
    if not any(same_name(str(seat_name), name) for seat_name in names):
        return False
    left = without(list(map(str, names)), name)
    if path.name == RECORDING:
        fresh = write_json({**raw, "seats": left})
    else:
        write_names(path, left)
        fresh = without_names(header, match_id(header, path))
    with path.open("rb") as file:
        if not locked(file.fileno()):
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), str(path))
        write_whole(path, fresh.encode() + file.read()[len(first.rstrip(b"\n")) :])
    return True


FOLDER_FILE = "folder-id"


def folder_id(folder: Path) -> str:
    """The name of a store of matches among all there are: matches are numbered anew on a new card, and a hall must not
    take them for those before. It lies beside the matches; where it cannot be kept it is another at each start."""
    path = folder / FOLDER_FILE
    with contextlib.suppress(OSError, ValueError):
        found = read_plain(path, 200).decode().strip()
        if re.fullmatch("[0-9a-f]{8,64}", found):
            return found
    fresh = secrets.token_hex(16)
    try:
        write_whole(path, f"{fresh}\n".encode())
    except OSError as error:
        log.warning("%s: %s", path, error)
    return fresh


def table_name(named: str, folder: Path) -> str:
    """A table's name on the broker; one that nobody named has one of its own, by its store of matches."""
    return named or f"table-{folder_id(folder)[:6]}"


def match_id(header: str, path: Path) -> str:
    """The name of a match among all matches of all tables; one of before there were such names gets one by its file."""
    with contextlib.suppress(BadJson):  # One that was typed otherwise: a hall takes none such.
        return str(Fields(read_object(header)).text("id", 64, like="[0-9a-f]{8,64}"))
    stem = path.name.split(".")[0]
    return hashlib.sha256(f"{stem}\n{header}".encode()).hexdigest()[:32]


def locked(fd: int) -> bool:
    """Whether a file is ours alone now; where a file system knows no locks it is taken to be."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
