"""What goes over the broker, as tables and halls both know it: topics, the chained log, commands that are signed.

No network here. A table is `hisabu/<table>/…`: `status`, `view`, `alert`, `question` and `event` are the table's own;
`have`, `command` and `pair/hall` are the hall's.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.strict_json import BadJson, Fields, read_object, write_json

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
MATCH, HASH, FOLDER = "[0-9a-f]{8,64}", "[0-9a-f]{64}", "[0-9a-f]{8,64}"
"""Forms of a match's name, of a hash or a signature, and of the name of a store of matches."""
BadMessage = BadJson
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
        raise BadMessage("topic", topic=name)
    return table, what


def packed(message: Mapping[str, Any]) -> bytes:
    """A message as it goes over the wire: the same bytes for the same message. ValueError: JSON has no such value."""
    return write_json(message, ordered=True).encode()


def unpacked(payload: bytes) -> dict[str, Any]:
    """A message that came. BadMessage: it is none."""
    return read_object(payload, MOST_BYTES)


# -- the log -----------------------------------------------------------------------------------------------------------


def chained(before: str, line: str) -> str:
    """The running hash of a log with one more line: whoever knows it knows that every line before is the same."""
    return hashlib.sha256(before.encode() + b"\n" + line.encode()).hexdigest()


@dataclass(frozen=True)
class Logged:
    """One line of a match's log on its way to a hall. Number 0 is the header."""

    match: str
    order: int
    """Which of the folder's matches it is: it grows."""
    number: int
    hash: str
    line: str
    names: tuple[str, ...] = ()
    """Who sits where, beside the header: in no line, so in no hash, so that a name can go."""
    folder: str = ""
    """The store of matches that it is from: a new card under the same table's name is another. "": an older table."""
    mac: str = ""
    """By a table that was paired: nobody else writes its log."""

    def pack(self, key: bytes | None = None, table: str = "") -> bytes:
        """As it goes over the wire. key: of the table, which then signs it."""
        body = self._body()
        return packed(body if key is None else {**body, "mac": _mac(_line_key(key), table, body)})

    def is_signed(self, key: bytes, table: str) -> bool:
        """Whether the table with this key wrote it."""
        return hmac.compare_digest(self.mac.encode(), _mac(_line_key(key), table, self._body()).encode())

    def _body(self) -> dict[str, Any]:
        told = {"match": self.match, "order": self.order, "number": self.number, "hash": self.hash, "line": self.line}
        told |= {"names": list(self.names)} if self.names else {}
        return told | ({"folder": self.folder} if self.folder else {})

    @classmethod
    def unpack(cls, payload: bytes) -> "Logged":
        """One that came. BadMessage: it is none."""
        fields = Fields(unpacked(payload))
        line = fields.text("line", MOST_BYTES)
        if "\n" in line:
            raise BadMessage("field", name="line")
        names = fields.texts("names", MOST_NAMES, LONGEST_NAME)
        if not all(name is not None and name.isprintable() for name in names):
            raise BadMessage("field", name="names")
        return cls(
            fields.text("match", 64, like=MATCH), fields.whole("order"), fields.whole("number"),
            fields.text("hash", 64, like=HASH), line, tuple(str(name) for name in names),
            fields.text("folder", 64, "", FOLDER), fields.text("mac", 64, "", HASH),
        )  # fmt: skip


@dataclass(frozen=True)
class Have:
    """What a hall holds of the match that a table sends: everything up to this line."""

    match: str | None = None
    """None: nothing yet."""
    number: int = -1
    hash: str = START
    folder: str = ""
    """The store of matches that is spoken of; another table's, or one that was there before, is none of ours."""

    def pack(self) -> bytes:
        """As it goes over the wire."""
        told = dict(self.__dict__)
        return packed(told if self.folder else {name: told[name] for name in told if name != "folder"})

    @classmethod
    def unpack(cls, payload: bytes) -> "Have":
        """One that came. BadMessage: it is none."""
        fields = Fields(unpacked(payload))
        return cls(
            fields.text("match", 64, None, MATCH), fields.whole("number", -1, default=-1),
            fields.text("hash", 64, START, HASH), fields.text("folder", 64, "", FOLDER),
        )  # fmt: skip


@dataclass(frozen=True)
class Status:
    """Whether a table is there, as it says itself, or the broker once it is gone."""

    online: bool
    title: str = ""
    instance: str = ""
    """Another at each start: two programs under one name know of each other by it."""
    folder: str = ""

    def pack(self, **more: str) -> bytes:
        """As it goes over the wire."""
        return packed({**{name: value for name, value in self.__dict__.items() if value != ""}, **more})

    @classmethod
    def unpack(cls, payload: bytes) -> "Status":
        """One that came. BadMessage: it is none."""
        fields = Fields(unpacked(payload))
        title = "".join(sign for sign in fields.text("title", MOST_BYTES, "") if sign.isprintable())
        return cls(
            fields.flag("online"), title[:LONGEST_NAME],
            fields.text("instance", 64, "", FOLDER), fields.text("folder", 64, "", FOLDER),
        )  # fmt: skip


def checked_view(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a table says it shows, if a wall can show it beside others. BadMessage: it cannot."""
    fields = Fields(message)
    view, prompt = Fields(fields.object("view", {})), Fields(fields.object("prompt", {}))
    for part, name in ((view, "game"), (view, "phase"), (fields, "alert"), (prompt, "text"), (prompt, "key")):
        part.text(name, MOST_BYTES, None)
    for part, name in ((fields, "seats"), (fields, "sentences"), (prompt, "answers")):
        part.texts(name, MOST_LISTED, MOST_BYTES)
    fields.wholes("scores", MOST_LISTED)
    view.object("alert", {})
    return message


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
        raise BadMessage("unsigned")
    if isinstance(counter, bool) or not isinstance(counter, int) or counter <= last:
        raise BadMessage("sent_before")
    del raw["counter"]
    return counter, raw


def _line_key(key: bytes) -> bytes:
    """The key that lines of the log are signed with: what was signed as one thing is never taken for the other."""
    return hmac.new(key, b"lines of the log", hashlib.sha256).digest()


def signed_view(state: Mapping[str, Any], key: bytes | None, table: str) -> bytes:
    """What a table shows, as it goes over the wire; signed where the table is paired."""
    return packed(state if key is None else {**state, "mac": _mac(_view_key(key), table, state)})


def is_signed_view(raw: dict[str, Any], key: bytes | None, table: str) -> bool:
    """Whether the table with this key showed it. Takes the signature out."""
    mac = raw.pop("mac", None)
    if key is None or not isinstance(mac, str):
        return False
    return hmac.compare_digest(mac.encode(), _mac(_view_key(key), table, raw).encode())


def _view_key(key: bytes) -> bytes:
    return hmac.new(key, b"what the table shows", hashlib.sha256).digest()


def _mac(key: bytes, table: str, body: Mapping[str, Any]) -> str:
    return hmac.new(key, table.encode() + b"\n" + packed(body), hashlib.sha256).hexdigest()
