"""The key that a hall signs its commands with, and how it gets it: by the code on the table's display.

The code goes over the broker by no means: both ends prove that they know it (SPAKE2), so that a neighbour on the broker
who hears every word of it learns nothing, and each guess takes a new code.
"""

import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from device.keeping.files import write_whole
from device.outputs.broker.messages import BadMessage

log = logging.getLogger(__name__)
FILE = "hall-key.json"
DIGITS = 6
CODE_LASTS_S = 120.0
"""Long enough to walk over to the hall's page."""
WRONG_TRIES, CLOSED_S = 5, 60.0
"""So many wrong codes, and none is taken for so long."""


class TableKey:
    """A table's key and the last counter it took, on disk."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self.key: bytes | None = None
        self.counter = 0
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
            self.key, self.counter = bytes.fromhex(raw["key"]), int(raw["counter"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("%s cannot be read (%s): the hall has to be paired again", self._path, error)

    def set(self, key: bytes) -> None:
        """A hall was paired; the one before is not heard any more. OSError: it cannot be kept."""
        with self._lock:
            self.key, self.counter = key, 0
            self._save()

    def took(self, counter: int) -> None:
        """A command was taken: neither it nor one before is taken again. OSError: that cannot be kept."""
        with self._lock:
            self.counter = counter
            self._save()

    def _save(self) -> None:
        assert self.key is not None
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps({"key": self.key.hex(), "counter": self.counter}).encode(), mode=0o600)


class TablePairing:
    """The table's end of pairing with a hall."""

    def __init__(
        self,
        table: str,
        show: Callable[[str | None], None],
        paired: Callable[[bytes], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """show: has a code shown, or with None no code any more. paired: takes the key."""
        self._table, self._show, self._paired, self._clock = table, show, paired, clock
        self._exchange: Any = None
        self._id = ""
        self._until_s = -1.0
        self._wrong = 0
        self._closed_until_s = -1.0

    def heard(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Answers a message of a hall that wants to pair. BadMessage: nothing to answer."""
        if self._clock() < self._closed_until_s:
            return {"id": str(message.get("id", ""))[:64], "closed": round(self._closed_until_s - self._clock())}
        if message.get("begin"):
            return self._begin(str(message.get("id", ""))[:64])
        return self._finish(message)

    def _begin(self, id_: str) -> dict[str, Any]:
        from spake2 import SPAKE2_B

        code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        self._exchange = SPAKE2_B(code.encode(), idA=b"hall", idB=self._table.encode())
        self._id, self._until_s = id_, self._clock() + CODE_LASTS_S
        self._show(code)
        return {"id": id_, "spake": self._exchange.start().hex()}

    def _finish(self, message: dict[str, Any]) -> dict[str, Any]:
        from spake2 import SPAKEError

        exchange, self._exchange = self._exchange, None
        if exchange is None or message.get("id") != self._id or self._clock() > self._until_s:
            raise BadMessage("nobody asked for a code")
        self._show(None)
        try:
            key = exchange.finish(bytes.fromhex(str(message.get("spake", ""))))
        except (SPAKEError, ValueError, AssertionError) as error:
            raise BadMessage(f"no pairing is made so: {error}") from None
        if not hmac.compare_digest(str(message.get("confirm", "")).encode(), proof(key, "hall").encode()):
            self._wrong += 1
            if self._wrong >= WRONG_TRIES:
                self._wrong, self._closed_until_s = 0, self._clock() + CLOSED_S
            return {"id": self._id, "wrong": True}
        self._wrong = 0
        self._paired(key_of(key))
        return {"id": self._id, "confirm": proof(key, "table")}


def hall_answer(table: str, code: str, spake: bytes) -> tuple[bytes, dict[str, str]]:
    """The hall's end: the key if the code is right, and what proves to the table that the hall knows it. BadMessage."""
    from spake2 import SPAKE2_A, SPAKEError

    exchange = SPAKE2_A(code.encode(), idA=b"hall", idB=table.encode())
    mine = exchange.start()
    try:
        key = exchange.finish(spake)
    except (SPAKEError, ValueError, AssertionError) as error:
        raise BadMessage(f"no pairing is made so: {error}") from None
    return key, {"spake": mine.hex(), "confirm": proof(key, "hall")}


def proof(key: bytes, who: str) -> str:
    """What shows that one knows the key, and gives nothing of it away."""
    return hmac.new(key, b"proof of the " + who.encode(), hashlib.sha256).hexdigest()


def key_of(key: bytes) -> bytes:
    """The key that commands are signed with."""
    return hmac.new(key, b"commands", hashlib.sha256).digest()
