"""The key that a hall signs its commands with, and how it gets it: by the code on the table's display.

The code goes over the broker by no means: both ends prove that they know it (SPAKE2), so that a neighbour on the broker
who hears every word of it learns nothing, and each guess takes a new code.
"""

import hashlib
import hmac
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from device.keeping.files import read_plain, write_whole
from device.outputs.broker.messages import BadMessage, Stamp
from device.web.pairing import Pairing, PressFirst
from engine.strict_json import Fields, read_json, write_json

log = logging.getLogger(__name__)
FILE = "hall-key.json"
MOST_BYTES = 1_000
"""Of that file."""
MOST_EXCHANGES = 400
"""With one code: halls that begin to pair, and whoever else may write to the broker."""


class TableKey:
    """A table's key, the last counter it took and its sessions on a broker, on disk."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self.key: bytes | None = None
        self.counter = 0
        self.stamp = Stamp()
        """Of what it said last."""
        try:
            raw = Fields(read_json(read_plain(self._path, MOST_BYTES)))
            self.key, self.counter = bytes.fromhex(raw.text("key", like="[0-9a-f]{64}")), raw.whole("counter")
            self.stamp = Stamp(raw.whole("session", default=0))
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            log.warning("%s cannot be read (%s): the hall has to be paired again", self._path, error)

    def set(self, key: bytes) -> None:
        """A hall was paired; the one before is not heard any more. OSError: it cannot be kept."""
        with self._lock:
            self.key, self.counter = key, 0
            self._save()

    def took(self, counter: int) -> None:
        """A command was taken: neither it nor one before is taken again. OSError: that cannot be kept."""
        with self._lock:
            self.counter = max(self.counter, counter)
            self._save()

    def next_stamp(self) -> Stamp:
        """Of one more message: newer than all before."""
        with self._lock:
            self.stamp = Stamp(self.stamp.session, self.stamp.number + 1)
            return self.stamp

    def begin_session(self, after: int = 0) -> int:
        """The table connects: the number of this session, which it never had before. after: nor had this one, as a hall
        knows it. A disk that does not take it costs a session more once the hall speaks."""
        with self._lock:
            self.stamp = Stamp(max(self.stamp.session, after) + 1)
            try:
                self._save()
            except OSError as error:
                log.warning("%s cannot be written: %s", self._path, error)
            return self.stamp.session

    def _save(self) -> None:
        if self.key is None:
            return
        kept = {"key": self.key.hex(), "counter": self.counter, "session": self.stamp.session}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, write_json(kept).encode(), mode=0o600)


class TablePairing:
    """The table's end of pairing with a hall."""

    def __init__(self, table: str, pairing: Pairing, paired: Callable[[bytes], None]) -> None:
        """pairing: the code that is shown while somebody at the table lets others in. paired: takes the key."""
        self._table, self._pairing, self._paired = table, pairing, paired
        self._code: str | None = None
        self._exchanges: dict[str, Any] = {}
        """With this code, by the name that each hall gave its own; whoever begins one more ends none of the others."""

    def heard(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Answers a message of a hall that wants to pair. BadMessage: nothing to answer."""
        fields = Fields(message)
        id_ = fields.text("id", 64)
        if fields.flag("begin"):
            return self._begin(id_)
        return self._finish(id_, fields)

    def _begin(self, id_: str) -> dict[str, Any]:
        from spake2 import SPAKE2_B

        try:
            self._pairing.begin()
        except PressFirst:
            return {"id": id_, "press": True}
        code = self._pairing.code
        if code is None or code != self._code:
            self._exchanges.clear()
            self._code = code
        if code is None or len(self._exchanges) >= MOST_EXCHANGES:
            return {"id": id_, "closed": True}
        self._exchanges[id_] = exchange = SPAKE2_B(code.encode(), idA=b"hall", idB=self._table.encode())
        return {"id": id_, "spake": exchange.start().hex()}

    def _finish(self, id_: str, fields: Fields) -> dict[str, Any]:
        exchange = self._exchanges.pop(id_, None)
        if exchange is None or self._code is None or self._pairing.code != self._code:
            raise BadMessage("no_code")
        key = _finished(exchange, fields.text("spake", 80))
        if not hmac.compare_digest(fields.text("confirm", 80).encode(), proof(key, "hall").encode()):
            self._pairing.missed()
            return {"id": id_, "wrong": True}
        self._pairing.used()
        self._paired(key_of(key))
        return {"id": id_, "confirm": proof(key, "table")}


def _finished(exchange: Any, spake: str) -> bytes:
    """The key of an exchange. BadMessage: what came is no end of one, as a point that is on no curve."""
    try:
        return bytes(exchange.finish(bytes.fromhex(spake)))
    except Exception as error:  # The library has a class of its own for some of what may come, and none for the rest.
        raise BadMessage("no_pairing", why=f"{type(error).__name__} {error}") from None


def hall_answer(table: str, code: str, spake: bytes) -> tuple[bytes, dict[str, str]]:
    """The hall's end: the key if the code is right, and what proves to the table that the hall knows it. BadMessage."""
    from spake2 import SPAKE2_A

    exchange = SPAKE2_A(code.encode(), idA=b"hall", idB=table.encode())
    mine = exchange.start()
    key = _finished(exchange, spake.hex())
    return key, {"spake": mine.hex(), "confirm": proof(key, "hall")}


def proof(key: bytes, who: str) -> str:
    """What shows that one knows the key, and gives nothing of it away."""
    return hmac.new(key, b"proof of the " + who.encode(), hashlib.sha256).hexdigest()


def key_of(key: bytes) -> bytes:
    """The key that commands are signed with."""
    return hmac.new(key, b"commands", hashlib.sha256).digest()
