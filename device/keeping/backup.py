"""Everything a device keeps, as one file that another device takes in: matches and names, settings, deck, voices.

A ZIP, so that its owner can look into it. It is packed piece by piece, and needs no room on a full disk. What is taken
in is looked through to its end before anything is written, and no match that is there is lost.

Not in it: paired phones and the broker's password, which are for one device alone, and recordings, which are too large.
"""

import contextlib
import hashlib
import json
import logging
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

from device.keeping.camera_names import is_address, is_usb
from device.keeping.deck import MOST_BYTES as MOST_OF_A_DECK
from device.keeping.deck import deck_path, learned_path
from device.keeping.files import TooLarge, read_plain, sync_folder, write_whole
from device.keeping.journal import CLOSED, HEADER, OPEN, Kept, first_line, kept, next_number, recover_file
from device.keeping.journal import MOST_BYTES as MOST_OF_A_MATCH
from device.keeping.names import ENDING, MOMENT, match_id, moment_files, names_file, write_names
from device.keeping.settings import BEFORE, KEYS, Settings, SettingsError, parse, read, text_of
from device.keeping.settings import MOST_BYTES as MOST_OF_SETTINGS
from device.words import in_words
from engine.errors import GameError
from engine.journal import read_journal
from engine.strict_json import Fields, read_object
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import network_print

log = logging.getLogger(__name__)
FORMAT, VERSION = "hisabu backup", 1
LIST = "hisabu-backup.json"
"""In a backup: what it is, and the SHA-256 of each file."""
SETTINGS, DECK = "settings.toml", "deck.npz"
MOST_FILES = 100_000
"""Thirty thousand matches; so many take a small machine 100 MB to list."""
MOST_BYTES = 1_000_000_000
"""Of all files together, unpacked; a thousand evenings take a hundredth."""
MOST_OF_A_VOICE = 4_000_000
MOST_OF_A_LIST = 20_000_000
MOST_OF_NAMES = 100_000
MOST_OF_A_MOMENT = 2_000_000
MOST_NAMES = 12
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MATCH = re.compile(r"matches/(match-\d{1,12}-(\d{4}-\d\d-\d\d-[a-z0-9_]{1,40}))(\.open)?\.jsonl")
_BESIDE = re.compile(
    rf"matches/match-\d{{1,12}}-\d{{4}}-\d\d-\d\d-[a-z0-9_]{{1,40}}"
    rf"(?:{re.escape(ENDING)}|{HEADER}|{re.escape(MOMENT)}\d{{1,7}}\.json)"
)
_VOICE = re.compile(r"voice/(?:fr|en|shi)/[\w-]{1,60}\.wav")
OF_THE_MACHINE = ("matches", "record", "deck", "broker_password", "broker_ca", "page")
"""Settings that name places on one machine; each keeps its own."""
BUILT = ("build", "display", "panel", "mains_hz", "capture", "camera")
"""Settings that say what was built. A laptop stays a laptop."""
SAID_ALOUD = "voice"
"""Of the outputs' settings this one is taken in; the others name programs and files."""


class BackupError(GameError):
    """A file that is no backup, or is damaged. Its message is under "mistake"."""


@dataclass(frozen=True)
class TakenIn:
    """What came of a backup."""

    matches: int
    """Taken in."""
    there: int
    """Were here already."""
    settings: Settings
    deck_fits: bool
    """False: its deck was learned with other eyes, and is to be learned again."""
    left: tuple[str, ...] = ()
    """Files that cannot be read, and were left out."""


# -- packing -----------------------------------------------------------------------------------------------------------


class _Pipe:
    """What a ZIP writes, to be taken away piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def write(self, data: Any) -> int:
        self.pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def taken(self) -> bytes:
        """What was written since."""
        data, self.pieces = b"".join(self.pieces), []
        return data


def packed(settings: Settings, settings_file: Path, version: str) -> Iterator[bytes]:
    """A backup, in pieces. A file that goes meanwhile, cannot be read, or is one too many is left out; the log says
    which."""
    pipe, sums, room = _Pipe(), dict[str, str](), MOST_BYTES - MOST_OF_A_LIST
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as file:  # type: ignore[call-overload]

        def put(name: str, data: bytes) -> bytes:
            file.writestr(name, data)
            sums[name] = hashlib.sha256(data).hexdigest()
            return pipe.taken()

        yield put(SETTINGS, text_of(_without_secrets(settings)).encode())
        for name, path in _files(settings, settings_file):
            try:
                data = _readable(name, path)
            except (OSError, GameError, UnicodeDecodeError) as error:
                log.warning("not in the backup: %s: %s", path, in_words(error, "en"))
                continue
            room -= len(data)
            if room < 0 or len(sums) + 2 > MOST_FILES:  # This one and the list.
                log.warning("not in the backup, which is full: %s and what is older", path)
                break
            yield put(name, data)
        about = {"format": FORMAT, "version": VERSION, "program": version, "files": sums}
        yield put(LIST, json.dumps(about, indent=1).encode())
    yield pipe.taken()


def _without_secrets(settings: Settings) -> Settings:
    aloud = {name: value for name, value in settings.outputs.items() if name == SAID_ALOUD}
    return replace(settings, broker_password="", broker_ca="", outputs=aloud)


def _files(settings: Settings, settings_file: Path) -> Iterator[tuple[str, Path]]:
    """Everything that is kept beside the settings, the newest match first: its name in a backup, and where it is."""
    deck = learned_path(settings, settings_file)
    if deck.exists():
        yield DECK, deck
    for path in sorted(settings.recorded_voice.glob("*/*.wav")):
        name = f"voice/{path.parent.name}/{path.name}"
        if _VOICE.fullmatch(name) and not path.is_symlink():
            yield name, path
    folder = settings.matches_folder
    matches = [path for path in folder.iterdir() if _is_of_a_match(path)] if folder.exists() else []
    for path in sorted(matches, key=lambda path: (-_number(path.name), path.name)):
        yield f"matches/{path.name}", path


def _is_of_a_match(path: Path) -> bool:
    name = f"matches/{path.name}"
    known = _MATCH.fullmatch(name) or _BESIDE.fullmatch(name)
    return known is not None and path.is_file() and not path.is_symlink()


def _number(name: str) -> int:
    """Of the match that a file belongs to."""
    return int(name.split("-")[1])


def _readable(name: str, path: Path) -> bytes:
    """What a backup holds of a file. OSError, GameError, UnicodeDecodeError: it would not be taken in again."""
    data = read_plain(path, _most_of(name) or 0)
    if not _MATCH.fullmatch(name):
        _check(name, data)
        return data
    data = data[: data.rfind(b"\n") + 1]
    try:
        _check(name, data)
    except (GameError, UnicodeDecodeError):
        found = recover_file(path)
        if found is None:
            raise
        return found.text
    return data


def _check(name: str, data: bytes) -> None:
    """GameError, UnicodeDecodeError: it is not what its name says."""
    if _MATCH.fullmatch(name):
        read_journal(data[: data.find(b"\n") + 1].decode())
    elif name.endswith(ENDING):
        Fields(read_object(data)).texts("seats", MOST_NAMES)
    elif name == DECK:
        _deck_fits(data)


def _deck_fits(data: bytes) -> bool:
    """Whether a deck was learned with the eyes that are here. GameError: it is none."""
    try:
        EnrolledDeck.unpacked(data, network_print())
    except GameError as error:
        if error.code != "deck_network":
            raise
        return False
    return True


# -- looking through ---------------------------------------------------------------------------------------------------


class Backup:
    """A backup that was looked through: each file is what its list says, and is of a kind that is known. One that was
    unreadable already when it was packed is left out."""

    def __init__(self, file: IO[bytes]) -> None:
        """BackupError: it is none, it is damaged, or holds something that no backup holds."""
        try:
            self._zip = zipfile.ZipFile(file)
            self._infos = {zip_info.filename: zip_info for zip_info in self._zip.infolist()}
            if len(self._infos) != len(self._zip.infolist()) or len(self._infos) > MOST_FILES:
                raise BackupError("backup_none")
            about = Fields(read_object(self._read(LIST), MOST_OF_A_LIST))
            if about.text("format") != FORMAT:
                raise BackupError("backup_none")
            if about.whole("version") > VERSION:
                raise BackupError("backup_newer")
            self._sums = about.object("files")
            self._look_through()
        except (
            zipfile.BadZipFile,
            zipfile.LargeZipFile,
            KeyError,
            EOFError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise BackupError("backup_none") from error
        except BackupError:
            raise
        except (ValueError, zlib.error, OSError) as error:
            raise BackupError("backup_damaged", name=LIST) from error

    def _look_through(self) -> None:
        if set(self._sums) != set(self._infos) - {LIST}:
            raise BackupError("backup_damaged", name=LIST)
        if sum(info.file_size for info in self._infos.values()) > MOST_BYTES:
            raise BackupError("backup_large")
        left = []
        for name in self._sums:
            if _most_of(name) is None:
                raise BackupError("backup_foreign", name=name[:80])
            data = self._read(name)
            if hashlib.sha256(data).hexdigest() != self._sums[name]:
                raise BackupError("backup_damaged", name=name)
            if not _fits(name, data):
                left.append(name)
        self.left = tuple(left)
        self._held = [name for name in self._sums if name not in left]
        self.settings = _parsed(self._read(SETTINGS))
        deck = self._read(DECK) if DECK in self._held else None
        self.deck_fits = deck is None or _deck_fits(deck)
        self.deck = deck if self.deck_fits else None

    def _read(self, name: str) -> bytes:
        """One file, never more than what fits its kind."""
        info, most = self._infos[name], _most_of(name) or MOST_OF_A_LIST
        if info.flag_bits & 1 or info.is_dir() or info.file_size > most or info.compress_type not in METHODS:
            raise BackupError("backup_damaged", name=name[:80])
        with self._zip.open(info) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise BackupError("backup_damaged", name=name[:80])
        return data

    def matches(self) -> Iterator["_Packed"]:
        """Every match, oldest first: which it is. What is in it is read when it is asked for."""
        names = [(_number(name), name) for name in self._held if _MATCH.fullmatch(name)]
        moments: dict[str, list[str]] = {}
        for name in self._held:
            if _BESIDE.fullmatch(name) and MOMENT in name:
                moments.setdefault(name.partition(MOMENT)[0], []).append(name)
        for _, name in sorted(names):
            stem, rest, is_open = _MATCH.fullmatch(name).groups()  # type: ignore[union-attr]
            with self._zip.open(self._infos[name]) as file:
                header = file.readline(MOST_OF_A_MATCH)
            yield _Packed(
                match_id(header.removesuffix(b"\n").decode(), Path(stem)),
                rest,
                bool(is_open),
                partial(self._read, name),
                partial(self._read_beside, f"matches/{stem}{ENDING}"),
                partial(self._read_moments, f"matches/{stem}", moments.get(f"matches/{stem}", [])),
            )

    def _read_beside(self, name: str) -> bytes:
        return self._read(name) if name in self._sums and name not in self.left else b""

    def _read_moments(self, stem: str, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        for name in names:
            yield name.removeprefix(stem), self._read(name)

    def voices(self) -> Iterator[tuple[str, bytes]]:
        """Every recorded voice: language and file, what is in it."""
        for name in self._held:
            if _VOICE.fullmatch(name):
                yield name.removeprefix("voice/"), self._read(name)


def _most_of(name: str) -> int | None:
    """How large a file of this name may be; None: no backup holds one."""
    if name in (SETTINGS, DECK):
        return MOST_OF_SETTINGS if name == SETTINGS else MOST_OF_A_DECK
    if _MATCH.fullmatch(name):
        return MOST_OF_A_MATCH
    if _BESIDE.fullmatch(name):
        return MOST_OF_A_MOMENT if MOMENT in name else MOST_OF_NAMES
    return MOST_OF_A_VOICE if _VOICE.fullmatch(name) else None


def _fits(name: str, data: bytes) -> bool:
    try:
        _check(name, data)
    except (GameError, UnicodeDecodeError) as error:
        log.warning("not taken in: %s: %s", name, in_words(error, "en"))
        return False
    return True


def _parsed(data: bytes) -> Settings:
    """They are as they were saved, by the list: what is not understood was said by another Hisabu, or by hand."""
    try:
        return parse(data.decode())
    except SettingsError as error:
        raise BackupError("backup_settings", problem=error) from error


# -- taking in ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Packed:
    """A match in a backup. What takes much memory is read anew each time: all matches and pictures together are more
    than a small machine has."""

    id: str
    """Its name among all matches of all tables."""
    rest: str
    """Its file's name without the number."""
    open: bool
    text: Callable[[], bytes]
    names: Callable[[], bytes]
    moments: Callable[[], Iterator[tuple[str, bytes]]]
    """Pictures of its alerts one by one, each with the end of its name."""


def take_in(backup: Backup, mine: Settings, settings_file: Path) -> TakenIn:
    """Takes a backup in. What is here stays: a match twice is kept once, the longer of the two; others are numbered on.

    Matches come first and settings last, each file whole or not at all: cut off half way, it is only taken in again.
    BackupError: a match goes on here. OSError: the disk does not take it.
    """
    folder, settings = mine.matches_folder, merged(mine, backup.settings)
    here = kept(folder)
    known = {_id_of(match): match for match in here}
    packed_matches = list(backup.matches())
    theirs = {packed.id for packed in packed_matches}
    if any(match.open and _events(match) and _id_of(match) not in theirs for match in here[-1:]):
        raise BackupError("backup_goes_on")
    bare = _bare(here, theirs)
    fresh = 0
    for archive in packed_matches:
        if archive.id in known:
            _lengthened(known[archive.id], archive.text())
            continue
        _keep(folder, archive, goes_on=archive.open and bare and archive is packed_matches[-1])
        fresh += 1
    for name, data in backup.voices():
        if not (mine.recorded_voice / name).exists():
            write_whole(mine.recorded_voice / name, data)
    if backup.deck is not None:
        deck = deck_path(settings_file)
        _keep_before(deck, MOST_OF_A_DECK, backup.deck)
        write_whole(deck, backup.deck)
        settings = replace(settings, deck=str(deck.absolute()))
    _keep_before(settings_file, MOST_OF_SETTINGS, text_of(settings).encode())
    return TakenIn(fresh, len(packed_matches) - fresh, settings, backup.deck_fits, backup.left)


def _bare(here: Sequence[Kept], theirs: Collection[str]) -> bool:
    """Whether nothing was played here but what came from this backup, when it was taken in before and cut off."""
    return not any(_events(match) and (match.open or _id_of(match) not in theirs) for match in here)


def _keep(folder: Path, packed: _Packed, goes_on: bool) -> None:
    """Puts a match behind those that are here, over none of them."""
    fresh = folder / ".taken-in"
    write_whole(fresh, packed.text())
    try:
        while True:
            path = folder / f"match-{next_number(folder):04}-{packed.rest}{OPEN if goes_on else CLOSED}"
            if beside := packed.names():
                names = Fields(read_object(beside)).texts("seats", MOST_NAMES)
                write_names(path, [str(name or "") for name in names])
            for ending, data in packed.moments():
                write_whole(path.with_name(path.name.split(".")[0] + ending), data)
            try:
                os.link(fresh, path)
            except FileExistsError:  # One that was begun meanwhile.
                continue
            except BaseException:
                for alone in (names_file(path), *moment_files(path)):
                    alone.unlink(missing_ok=True)
                raise
            sync_folder(folder)
            return
    finally:
        fresh.unlink(missing_ok=True)


def _lengthened(mine: Kept, text: bytes) -> None:
    """A match that is here and went on elsewhere has what was played there too."""
    here = read_plain(mine.path, MOST_OF_A_MATCH)
    if not mine.open and len(text) > len(here) and text.startswith(here):
        write_whole(mine.path, text)


def _keep_before(path: Path, most: int, fresh: bytes) -> None:
    """What stands there now, beside it; what was kept there stays where nothing is to change."""
    with contextlib.suppress(FileNotFoundError, TooLarge):
        if (there := read_plain(path, most)) != fresh:
            write_whole(path.with_name(path.name + BEFORE), there)


def _id_of(match: Kept) -> str:
    return match_id(first_line(match.path).decode(errors="replace"), match.path)


def _events(match: Kept) -> bool:
    """Whether anything happened in a match."""
    return read_plain(match.path, MOST_OF_A_MATCH).count(b"\n") > 1


def merged(mine: Settings, theirs: Settings) -> Settings:
    """What a device's settings become: theirs, but for what is this machine's own. A program or a file is never named
    by a backup: it comes from a phone."""
    both_built = "laptop" not in (mine.build, theirs.build)
    keys = [name for name in KEYS if name not in (*OF_THE_MACHINE, *BUILT)]
    if both_built:
        keys += ["build", "display", "mains_hz", "capture"]
        keys += ["panel"] if theirs.panel in ("auto", "none") else []
        keys += ["camera"] if theirs.camera == "pi" or is_usb(theirs.camera) or is_address(theirs.camera) else []
    values = {name: KEYS[name].kind.written(getattr(theirs, name)) for name in keys}
    said = {SAID_ALOUD: theirs.outputs[SAID_ALOUD]} if SAID_ALOUD in theirs.outputs else {}
    if theirs.broker == mine.broker:
        values.pop("broker_user", None)
    elif theirs.broker:
        mine = replace(mine, broker_password="", broker_ca="")  # Not for another broker than it was set for.
    # By how many a game can be played rests with the options: both are theirs.
    return read(values, replace(mine, outputs={**mine.outputs, **said}, options=theirs.options))
