"""The written form of a match: JSON Lines, a header first, then one numbered event a line.

Each line ends in a checksum of itself, so that a line changed by hand or by a failing disk is named instead of
believed. A journal whose header has no checksum was typed: its lines need neither checksum nor number. Text in, text
out; no files.
"""

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import GameError
from engine.events import Event, EventError, event_to_dict
from engine.match import FORMAT, Against, Header, HeadStart, Match
from engine.options import OptionError
from engine.strict_json import BadJson, read_json, write_json

_SPEAK_OF_ANOTHER = ("taken_back", "correct", "confirm")
"""Events with a number of their own: that of the event they speak of."""
LONGEST_LINE = 1_000_000
"""Letters: the longest event has ten thousand."""
NO_REMARKS: Mapping[str, str] = {}
_CHECK = re.compile(r',"crc":"([0-9a-f]{8})"\}$')


class JournalError(GameError):
    """A journal that cannot be read, and where: line is counted from 1."""

    def __init__(self, line: int, why: GameError) -> None:
        super().__init__("in_line", number=line, error=why)

    @property
    def line(self) -> int:
        return int(self.facts["number"])


@dataclass(frozen=True)
class Entry:
    """One event of a journal."""

    line: int
    event: dict[str, Any]


@dataclass(frozen=True)
class Journal:
    """A journal that was read. torn: the unfinished last line that was dropped, if there was one."""

    header: Header
    entries: tuple[Entry, ...]
    torn: str | None = None

    def open_match(self, names: Sequence[str] = ()) -> Match:
        """The match before its first event. JournalError: the header names no game of ours.

        names: who sat at each seat, where that stands beside the journal.
        """
        try:
            header = self.header
            return Match.of(replace(header, seats=header.seats or tuple(names[: header.players])))
        except OptionError as error:
            raise JournalError(1, error) from None

    def replay(self, to: int | None = None) -> Match:
        """The match again, up to and with an event. JournalError: an event in it cannot be."""
        match = self.open_match()
        for entry in self.entries[:to]:
            add_entry(match, entry)
        return match


def add_entry(match: Match, entry: Entry) -> list[Any]:
    """Adds one journalled event to a match; its notices. JournalError names the line."""
    try:
        return match.add_again(entry.event)
    except EventError as error:
        raise JournalError(entry.line, error) from None


def header_line(header: Header, id: str | None = None) -> str:
    """The first line of a journal. id: the match's name among all matches of all tables; reading passes over it.

    Who sat at the seats is not in it: a journal is sealed and copied, and a name must be able to go. Older ones had the
    names here, and are still read.
    """
    written = {name: value for name, value in header.to_dict().items() if name != "seats"}
    return _with_check(written | ({} if id is None else {"id": id}))


def without_names(header: str, id: str) -> str:
    """The first line of an older journal, the names in it left out. JournalError: it is no such line."""
    raw = _read_line(1, header)
    raw = {name: value for name, value in raw.items() if name != "seats"} | {"id": id}
    return _with_check(raw) if _CHECK.search(header) else write_json(raw)


def event_line(number: int, event: Event, remarks: Mapping[str, str] = NO_REMARKS) -> str:
    """One event of a journal. remarks: "time" and "by", which change nothing; reading passes over them."""
    return _with_check({"number": number, **_without_clash(event), **remarks})


def match_lines(match: Match) -> list[str]:
    """The whole journal of a match.

    >>> match = Match("turufu", 2)
    >>> said = match.add({"event": "deal", "turn_up": "3S"})
    >>> text = "\\n".join(match_lines(match))
    >>> read_journal(text).replay().view.turn_up
    '3S'
    """
    return [header_line(match.header), *(event_line(number, event) for number, event in enumerate(match.log, 1))]


def read_journal(text: str) -> Journal:
    """Reads a journal. JournalError says which line is wrong and why."""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    torn: str | None = None
    if lines and lines[-1] == "":
        lines.pop()
    elif lines and not _whole(lines[-1]):
        torn = lines.pop()
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise JournalError(1, GameError("journal_empty"))
    header = _read_header(*numbered[0])
    entries = tuple(_read_events(numbered[1:], checked=bool(_CHECK.search(numbered[0][1]))))
    return Journal(header, entries, torn)


def _with_check(line: dict[str, Any]) -> str:
    body = write_json(line)
    return f'{body[:-1]},"crc":"{zlib.crc32(body.encode()):08x}"}}'


def _without_clash(event: Event) -> dict[str, Any]:
    """An event's own "number" (of the event it speaks of) is written as "about" beside the line's number."""
    raw = event_to_dict(event)
    if "number" in raw:
        raw["about"] = raw.pop("number")
    return raw


def _whole(line: str) -> bool:
    try:
        read_json(line, LONGEST_LINE)
    except BadJson:
        return False
    return True


def not_json(error: BadJson) -> GameError:
    """What a journal or a list of events says of a line that cannot be read: a number or a letter is named."""
    return error if error.code in ("number", "letter") else GameError("no_json", at=error.facts.get("at"))


def _read_line(number: int, line: str) -> dict[str, Any]:
    found = _CHECK.search(line)
    if found:
        body = line[: found.start()] + "}"
        if f"{zlib.crc32(body.encode()):08x}" != found[1]:
            raise JournalError(number, GameError("checksum"))
        line = body
    try:
        value = read_json(line, LONGEST_LINE)
    except BadJson as error:
        raise JournalError(number, not_json(error)) from None
    if not isinstance(value, dict):
        raise JournalError(number, GameError("not_an_object"))
    return value


def _read_header(number: int, line: str) -> Header:
    raw = _read_line(number, line)
    version = raw.get("hisabu")
    if isinstance(version, bool) or not isinstance(version, int):
        raise JournalError(number, GameError("no_journal"))
    if version < 1:
        raise JournalError(number, GameError("no_format", version=version))
    if version > FORMAT:
        raise JournalError(number, GameError("newer", version=version, known=FORMAT))
    game, players = raw.get("game"), raw.get("players")
    options, seats = raw.get("options", {}), raw.get("seats", [])
    if not isinstance(game, str) or isinstance(players, bool) or not isinstance(players, int):
        raise JournalError(number, GameError("no_header"))
    if not isinstance(options, dict) or not isinstance(seats, list):
        raise JournalError(number, GameError("odd_header"))
    named = tuple(str(name).encode(errors="replace").decode() for name in seats)
    against = read_against(number, raw.get("against"), players)
    head_start = read_head_start(number, raw.get("head_start"))
    return Header(game, players, options, named, against, head_start)


def read_against(number: int, raw: object, players: int) -> Against | None:
    """The side or seat that the device plays, as a header has it. JournalError: it is none."""
    if raw is None:
        return None
    side, level = (raw.get("side"), raw.get("level")) if isinstance(raw, dict) else (None, None)
    if type(side) is not int or type(level) is not int or not 0 <= side < players:
        raise JournalError(number, GameError("odd_header"))
    return Against(side, level)


def read_head_start(number: int, raw: object) -> HeadStart | None:
    """What a side has before play begins, as a header has it. JournalError: it is none."""
    if raw is None:
        return None
    side, by = (raw.get("side"), raw.get("by")) if isinstance(raw, dict) else (None, None)
    if type(side) is not int or type(by) is not int:
        raise JournalError(number, GameError("odd_header"))
    return HeadStart(side, by)


def _read_events(lines: Iterable[tuple[int, str]], checked: bool) -> Iterable[Entry]:
    for expected, (line_number, line) in enumerate(lines, 1):
        raw = _read_line(line_number, line)
        if checked and not _CHECK.search(line):
            raise JournalError(line_number, GameError("no_checksum"))
        if _CHECK.search(line) or "about" in raw or ("number" in raw and raw.get("event") not in _SPEAK_OF_ANOTHER):
            number = raw.pop("number", None)
            if number != expected:
                raise JournalError(line_number, GameError("line_gone", event=expected, found=number))
            if "about" in raw:
                raw["number"] = raw.pop("about")
        yield Entry(line_number, raw)
