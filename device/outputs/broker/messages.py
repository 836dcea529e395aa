"""What goes over the broker, as tables and halls both know it: topics, the chained log, commands that are signed.

No network here. A table is `hisabu/<table>/…`: `status`, `view`, `alert`, `question` and `event` are the table's own;
`have`, `command` and `pair/hall` are the hall's. Once table and hall are paired, each signs all that it says.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from engine.strict_json import LARGEST, BadJson, Fields, read_object, write_json

ROOT = "hisabu"
OF_THE_TABLE = ("status", "view", "alert", "question", "event", "pair/table")
"""Topics that a table writes."""
OF_THE_HALL = ("have", "command", "pair/hall")
BUTTON = "button"
"""Undo and answers without a signature, for a home's own automation; off unless the owner turns it on."""
TABLE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
MOST_BYTES = 64_000
"""Of one message: the longest event, a board with every count of every pit, is a tenth of it."""
MOST_OF_A_LINE = 16_000
"""Letters of one line of a log that a hall takes; the longest event has some 6,400."""
MOST_NAMES = 8
MOST_LISTED = 60
MOST_REFUSED = 20
MOST_EARLIER = MOST_BYTES // 4
"""Bytes of earlier commands in one: quoted in it they grow."""
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
        return packed(body if key is None else {**body, "mac": _mac(_key_for(key, LINES), table, body)})

    def is_signed(self, key: bytes, table: str) -> bool:
        """Whether the table with this key wrote it."""
        return _is_mac(self.mac, _key_for(key, LINES), table, self._body())

    def _body(self) -> dict[str, Any]:
        told = {"match": self.match, "order": self.order, "number": self.number, "hash": self.hash, "line": self.line}
        told |= {"names": list(self.names)} if self.names else {}
        return told | ({"folder": self.folder} if self.folder else {})

    @classmethod
    def unpack(cls, payload: bytes) -> "Logged":
        """One that came. BadMessage: it is none."""
        fields = Fields(unpacked(payload))
        line = fields.text("line", MOST_OF_A_LINE)
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


@dataclass(frozen=True, order=True)
class Stamp:
    """Where a message stands among all that a table ever said: it only rises, and no clock is asked."""

    session: int = 0
    """The table's connections to a broker, counted on its disk."""
    number: int = 0
    """Of the message within it."""

    @classmethod
    def of(cls, fields: Fields, name: str) -> "Stamp":
        """One that came. BadMessage: it is none."""
        numbers = fields.wholes(name, 2, LARGEST)
        if len(numbers) != 2 or not all(number is not None and number >= 0 for number in numbers):
            raise BadMessage("field", name=name)
        return cls(int(numbers[0] or 0), int(numbers[1] or 0))


LAST_WORD = LARGEST
"""The number of a last will: it comes after all else of its session."""


@dataclass(frozen=True)
class Have:
    """What a hall holds of the match that a table sends: everything up to this line."""

    match: str | None = None
    """None: nothing yet."""
    number: int = -1
    hash: str = START
    folder: str = ""
    """The store of matches that is spoken of; another table's, or one that was there before, is none of ours."""
    seen: Stamp = field(default=Stamp(), compare=False)
    """The newest that a paired hall took of the table, and `counter`, of its own commands: a table whose card is an
    older copy goes on from there."""
    counter: int = field(default=0, compare=False)
    mac: str = field(default="", compare=False)

    def pack(self, key: bytes | None = None, table: str = "") -> bytes:
        """As it goes over the wire. key: of the table, if the hall is paired with it, which then signs."""
        body = self._body()
        return packed(body if key is None else {**body, "mac": _mac(_key_for(key, "have"), table, body)})

    def is_signed(self, key: bytes, table: str) -> bool:
        """Whether the hall that is paired with this table said it."""
        return _is_mac(self.mac, _key_for(key, "have"), table, self._body())

    def _body(self) -> dict[str, Any]:
        told: dict[str, Any] = {"match": self.match, "number": self.number, "hash": self.hash}
        told |= {"folder": self.folder} if self.folder else {}
        told |= {"seen": [self.seen.session, self.seen.number]} if self.seen != Stamp() else {}
        return told | ({"counter": self.counter} if self.counter else {})

    @classmethod
    def unpack(cls, payload: bytes) -> "Have":
        """One that came. BadMessage: it is none."""
        fields = Fields(unpacked(payload))
        return cls(
            fields.text("match", 64, None, MATCH), fields.whole("number", -1, default=-1),
            fields.text("hash", 64, START, HASH), fields.text("folder", 64, "", FOLDER),
            Stamp.of(fields, "seen") if "seen" in fields else Stamp(), fields.whole("counter", default=0),
            fields.text("mac", 64, "", HASH),
        )  # fmt: skip


@dataclass(frozen=True)
class Status:
    """Whether a table is there, as it says itself, or the broker once it is gone."""

    online: bool
    title: str = ""
    instance: str = ""
    """Another at each start: two programs under one name know of each other by it."""
    folder: str = ""
    counter: int = 0
    """Of the last command that it took: a hall whose store is an older copy goes on from there."""
    newest: int | None = None
    """The order of the newest match in which something happened; 0: nothing was played yet; None: it does not say. A
    hall that does not hold its log yet knows by it what was played before now."""
    refused: tuple[int, ...] = ()
    """The last commands that it took and that could not be done, by their counters; at most MOST_REFUSED."""

    def body(self, **more: str) -> dict[str, Any]:
        """As it goes over the wire, not signed yet."""
        told = {name: value for name, value in self.__dict__.items() if value is False or value}
        told |= {"newest": self.newest} if self.newest is not None else {}
        return {**told, **more}

    def pack(self) -> bytes:
        """As it goes over the wire from a table that is not paired."""
        return packed(self.body())

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> "Status":
        """One that came. BadMessage: it is none."""
        fields = Fields(message)
        title = "".join(sign for sign in fields.text("title", MOST_BYTES, "") if sign.isprintable())
        return cls(
            fields.flag("online"), title[:LONGEST_NAME],
            fields.text("instance", 64, "", FOLDER), fields.text("folder", 64, "", FOLDER),
            fields.whole("counter", default=0), fields.whole("newest", default=None),
            tuple(number for number in fields.wholes("refused", MOST_REFUSED) if number is not None),
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


def signed(key: bytes, table: str, counter: int, command: Mapping[str, Any], earlier: Sequence[bytes] = ()) -> bytes:
    """A command that a table takes: for this table alone, and once. earlier: those before it, signed, that the table
    may have missed; after this one it would take them no more. The newest go along, as far as they fit."""
    while earlier and (len(earlier) > MOST_REFUSED or sum(map(len, earlier)) > MOST_EARLIER):
        earlier = earlier[1:]
    body = {**command, "counter": counter, **({"earlier": [sent.decode() for sent in earlier]} if earlier else {})}
    return packed({**body, "mac": _mac(key, table, body)})


def verified(key: bytes, table: str, payload: bytes, last: int) -> list[tuple[int, dict[str, Any]]]:
    """The counters and the commands in a message, in order. BadMessage: it is not signed with the table's key, or it is
    old."""
    counter, command = _verified(key, table, payload, last)
    earlier = [sent for sent in Fields(command).texts("earlier", MOST_REFUSED, MOST_BYTES) if sent is not None]
    command.pop("earlier", None)
    missed = []
    for sent in earlier:
        with suppress(BadMessage):  # Taken before.
            missed.append(_verified(key, table, sent.encode(), last))
    return [*missed, (counter, command)]


def _verified(key: bytes, table: str, payload: bytes, last: int) -> tuple[int, dict[str, Any]]:
    raw = unpacked(payload)
    mac, counter = raw.pop("mac", None), raw.get("counter")
    if not isinstance(mac, str) or not _is_mac(mac, key, table, raw):
        raise BadMessage("unsigned")
    if isinstance(counter, bool) or not isinstance(counter, int) or counter <= last:
        raise BadMessage("sent_before")
    del raw["counter"]
    return counter, raw


# -- what a table says of itself ---------------------------------------------------------------------------------------

LINES = "lines of the log"


def said(body: Mapping[str, Any], what: str, table: str, key: bytes | None, stamp: Stamp) -> bytes:
    """What a table says under one of its topics, as it goes over the wire: signed where the table is paired, for this
    topic alone, and newer than all that it said before."""
    if key is None:
        return packed(body)
    stamped = {**body, "stamp": [stamp.session, stamp.number]}
    return packed({**stamped, "mac": _mac(_key_for(key, what), table, stamped)})


def stamp_of(raw: dict[str, Any], what: str, table: str, key: bytes | None) -> Stamp | None:
    """Where what came stands among all that the table with this key said; None: it did not sign it. Takes signature and
    stamp out of it. BadMessage: a signature without a stamp."""
    mac = raw.pop("mac", None)
    if key is None or not isinstance(mac, str) or not _is_mac(mac, _key_for(key, what), table, raw):
        raw.pop("stamp", None)
        return None
    stamp = Stamp.of(Fields(raw), "stamp")
    del raw["stamp"]
    return stamp


def _key_for(key: bytes, what: str) -> bytes:
    """The key that one kind of message is signed with: what was signed as one is never taken for another."""
    return hmac.new(key, what.encode(), hashlib.sha256).digest()


def _is_mac(mac: str, key: bytes, table: str, body: Mapping[str, Any]) -> bool:
    return hmac.compare_digest(mac.encode(), _mac(key, table, body).encode())


def _mac(key: bytes, table: str, body: Mapping[str, Any]) -> str:
    return hmac.new(key, table.encode() + b"\n" + packed(body), hashlib.sha256).hexdigest()
