"""What goes over the broker, as tables and halls both know it: topics, the chained log, commands that are signed.

No network here. A table is `hisabu/<table>/…`: `status`, `view`, `alert`, `question` and `event` are the table's own;
`have`, `command` and `pair/hall` are the hall's.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ROOT = "hisabu"
OF_THE_TABLE = ("status", "view", "alert", "question", "event", "pair/table")
"""Topics that a table writes."""
OF_THE_HALL = ("have", "command", "pair/hall")
BUTTON = "button"
"""Undo and answers without a signature, for a home's own automation; off unless the owner turns it on."""
TABLE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
MOST_BYTES = 64_000
"""Of one message: the longest event, a board with every count of every pit, is a tenth of it."""
MOST_NAMES = 8
MOST_LISTED = 60
LONGEST_NAME = 60
START = hashlib.sha256(b"hisabu").hexdigest()
"""What the hash of a log begins from."""


class BadMessage(ValueError):
    """A message that is not what it should be, and why."""


def topic(table: str, what: str) -> str:
    """The topic of a table.

    >>> topic("mamoudzou-1", "view")
    'hisabu/mamoudzou-1/view'
    """
    return f"{ROOT}/{table}/{what}"


def table_and_what(name: str) -> tuple[str, str]:
    """The table that a topic names, and what of it. BadMessage: it is no topic of ours."""
    root, _, rest = name.partition("/")
    table, _, what = rest.partition("/")
    if root != ROOT or not TABLE_NAME.fullmatch(table) or not what:
        raise BadMessage(f"no table has the topic {name!r}")
    return table, what


def packed(message: Mapping[str, Any]) -> bytes:
    """A message as it goes over the wire: the same bytes for the same message."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


def unpacked(payload: bytes) -> dict[str, Any]:
    """A message that came. BadMessage: it is none."""
    if len(payload) > MOST_BYTES:
        raise BadMessage(f"{len(payload)} bytes are too many for a message")
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        raise BadMessage("this is not JSON") from None
    if not isinstance(value, dict):
        raise BadMessage("a message is an object")
    return value


# -- the log -----------------------------------------------------------------------------------------------------------


def chained(before: str, line: str) -> str:
    """The running hash of a log with one more line: whoever knows it knows that every line before is the same."""
    return hashlib.sha256(before.encode() + b"\n" + line.encode()).hexdigest()


@dataclass(frozen=True)
class Logged:
    """One line of a match's log on its way to a hall. Number 0 is the header."""

    match: str
    order: int
    """Which of the table's matches it is: it grows."""
    number: int
    hash: str
    line: str
    names: tuple[str, ...] = ()
    """Who sits where, beside the header: in no line, so in no hash, so that a name can go."""

    def pack(self) -> bytes:
        """As it goes over the wire."""
        whole = dict(self.__dict__)
        if not self.names:
            del whole["names"]
        return packed(whole)

    @classmethod
    def unpack(cls, payload: bytes) -> "Logged":
        """One that came. BadMessage: it is none."""
        raw = unpacked(payload)
        match, order, number = raw.get("match"), raw.get("order"), raw.get("number")
        hash_, line = raw.get("hash"), raw.get("line")
        if not isinstance(match, str) or not re.fullmatch(r"[0-9a-f]{8,64}", match):
            raise BadMessage("a line of a log names its match")
        if not _count(order) or not _count(number):
            raise BadMessage("a line of a log has a number")
        if not isinstance(hash_, str) or not re.fullmatch(r"[0-9a-f]{64}", hash_):
            raise BadMessage("a line of a log has the hash of the log up to it")
        if not isinstance(line, str) or "\n" in line or "\x00" in line:
            raise BadMessage("a line of a log is one line of text")
        names = raw.get("names", [])
        if not isinstance(names, list) or len(names) > MOST_NAMES or not all(map(_is_name, names)):
            raise BadMessage("a line of a log has no such names beside it")
        assert isinstance(order, int) and isinstance(number, int)
        return cls(match, order, number, hash_, line, tuple(names))


@dataclass(frozen=True)
class Have:
    """What a hall holds of a table: everything up to this line."""

    match: str | None = None
    """None: nothing yet."""
    number: int = -1
    hash: str = START

    def pack(self) -> bytes:
        """As it goes over the wire."""
        return packed(self.__dict__)

    @classmethod
    def unpack(cls, payload: bytes) -> "Have":
        """One that came. BadMessage: it is none."""
        raw = unpacked(payload)
        match, number, hash_ = raw.get("match"), raw.get("number", -1), raw.get("hash", START)
        if match is not None and not isinstance(match, str):
            raise BadMessage("what a hall holds names a match")
        if isinstance(number, bool) or not isinstance(number, int) or not isinstance(hash_, str):
            raise BadMessage("what a hall holds has a number and a hash")
        return cls(match, number, hash_)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()


def checked_view(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a table says it shows, if a wall can show it beside others. BadMessage: it cannot."""
    view, prompt = message.get("view") or {}, message.get("prompt") or {}
    if not isinstance(view, dict) or not isinstance(prompt, dict):
        raise BadMessage("a view or a question is an object")
    texts = [view.get("game"), view.get("phase"), message.get("alert"), prompt.get("text"), prompt.get("key")]
    for name in ("seats", "sentences"):
        texts += _list(message.get(name), name)
    texts += _list(prompt.get("answers"), "answers")
    if not all(one is None or isinstance(one, str) for one in texts):
        raise BadMessage("a view has words where words belong")
    if not all(one is None or isinstance(one, int | float) for one in _list(message.get("scores"), "scores")):
        raise BadMessage("a score is a number")
    if not isinstance(view.get("alert") or {}, dict):
        raise BadMessage("an alert is an object")
    return message


def _list(value: object, name: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > MOST_LISTED:
        raise BadMessage(f"{name} are a list")
    return value


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9


# -- commands ----------------------------------------------------------------------------------------------------------

KEY_BYTES = 32


def signed(key: bytes, table: str, counter: int, command: Mapping[str, Any]) -> bytes:
    """A command that a table takes: for this table alone, and once."""
    body = {**command, "counter": counter}
    return packed({**body, "mac": _mac(key, table, body)})


def verified(key: bytes, table: str, payload: bytes, last: int) -> tuple[int, dict[str, Any]]:
    """The counter and the command in a message. BadMessage: it is not signed with the table's key, or it is old."""
    raw = unpacked(payload)
    mac, counter = raw.pop("mac", None), raw.get("counter")
    if not isinstance(mac, str) or not hmac.compare_digest(mac.encode(), _mac(key, table, raw).encode()):
        raise BadMessage("a command without the table's signature")
    if isinstance(counter, bool) or not isinstance(counter, int) or counter <= last:
        raise BadMessage("a command that was sent before")
    del raw["counter"]
    return counter, raw


def _mac(key: bytes, table: str, body: Mapping[str, Any]) -> str:
    return hmac.new(key, table.encode() + b"\n" + packed(body), hashlib.sha256).hexdigest()
