"""Who may change anything: a code shown at the table pairs a phone; paired phones carry a token that can be revoked.

Only the tokens' digests are kept, so that whoever reads the file has none of them.
"""

import hashlib
import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)
DIGITS = 6
WRONG_TRIES = 5
"""Over all addresses: with a code of six digits one in 200,000 gets in by guessing, in each minute."""
CLOSED_S = 60.0
CODE_LASTS_S = 120.0
"""Long enough to walk to the table and back."""
TOKEN_BYTES = 32
MOST_PHONES = 32
"""The one that was not seen for longest makes room."""
LONGEST_NAME = 40
SEEN_EVERY_S = 24 * 3600
"""How exactly it is kept when a phone was last there: a memory card is not written for less."""
FILE = "phones.json"


class Closed(Exception):
    """Pairing is closed after too many wrong codes. wait_s: for how long yet."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"closed for {wait_s:.0f} s")
        self.wait_s = wait_s


@dataclass(frozen=True)
class Phone:
    """A phone that was paired."""

    id: str
    digest: str
    name: str
    """What it said it is, for the list of phones."""
    since: int
    seen: int
    """Seconds since 1970, of the pairing and of the last visit."""
    role: str = ""
    """What it may, where a page tells phones apart."""


class Pairing:
    """The code of the moment. Any thread may ask."""

    def __init__(
        self,
        changed: Callable[[str | None], None] = lambda code: None,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        """changed: told the code to show, or None when there is none to show any more."""
        self._changed, self._clock, self._draw = changed, clock, draw
        self._lock = threading.Lock()
        self._code: str | None = None
        self._until_s = 0.0
        self._wrong = 0
        self._closed_until_s = 0.0

    @property
    def code(self) -> str | None:
        """The code to show now; None: nobody asked for one."""
        with self._lock:
            self._expire()
            return self._code

    def begin(self) -> float:
        """Somebody wants to pair: a code is shown. For how long yet. Closed: not now."""
        with self._lock:
            self._expire()
            self._refuse_if_closed()
            if self._code is None:
                self._set(f"{self._draw(10**DIGITS):0{DIGITS}}")
            return self._until_s - self._clock()

    def matches(self, code: str) -> bool:
        """Whether this is the code that is shown; it is used up then. Closed: there were too many wrong ones."""
        with self._lock:
            self._expire()
            self._refuse_if_closed()
            if self._code is not None and secrets.compare_digest(code.encode(), self._code.encode()):
                self._wrong = 0
                self._set(None)
                return True
            self._wrong += 1
            if self._wrong >= WRONG_TRIES:
                self._wrong = 0
                self._closed_until_s = self._clock() + CLOSED_S
                self._set(None)
                raise Closed(CLOSED_S)
            return False

    def _refuse_if_closed(self) -> None:
        wait_s = self._closed_until_s - self._clock()
        if wait_s > 0:
            raise Closed(wait_s)

    def _expire(self) -> None:
        if self._code is not None and self._clock() >= self._until_s:
            self._set(None)

    def _set(self, code: str | None) -> None:
        if code != self._code:
            self._code = code
            self._until_s = self._clock() + CODE_LASTS_S
            self._changed(code)


class Phones:
    """The phones that are paired, on disk. Any thread may ask."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = folder / FILE
        self._clock = clock
        self._lock = threading.Lock()
        self._phones: dict[str, Phone] = {}
        """By the digest of their token."""
        self._load()

    def add(self, name: str, role: str = "") -> str:
        """Pairs a phone; its token, which is kept nowhere else."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        now = int(self._clock())
        with self._lock:
            while len(self._phones) >= MOST_PHONES:
                oldest = min(self._phones.values(), key=lambda phone: phone.seen)
                del self._phones[oldest.digest]
            phone = Phone(secrets.token_hex(4), _digest(token), name[:LONGEST_NAME], now, now, role)
            self._phones[phone.digest] = phone
            self._save()
        return token

    def find(self, token: str | None) -> Phone | None:
        """The phone that carries a token; None: none that is paired."""
        if not token or len(token) > 4 * TOKEN_BYTES:
            return None
        with self._lock:
            phone = self._phones.get(_digest(token))
            now = int(self._clock())
            if phone is not None and now - phone.seen >= SEEN_EVERY_S:
                self._phones[phone.digest] = phone = replace(phone, seen=now)
                self._save()
            return phone

    def now(self, phone: Phone) -> Phone | None:
        """A phone as it is at this moment; None: it is not paired any more."""
        with self._lock:
            return self._phones.get(phone.digest)

    def change(self, id: str, name: str | None = None, role: str | None = None) -> bool:
        """Gives a phone another name or role. False: there is no such phone."""
        with self._lock:
            for digest, phone in self._phones.items():
                if phone.id == id:
                    named = phone.name if name is None else name[:LONGEST_NAME]
                    self._phones[digest] = replace(phone, name=named, role=phone.role if role is None else role)
                    self._save()
                    return True
            return False

    def known(self, phone: Phone) -> bool:
        """Whether a phone is still paired."""
        with self._lock:
            return phone.digest in self._phones

    def all(self) -> tuple[Phone, ...]:
        """Every phone, the newest first."""
        with self._lock:
            return tuple(sorted(self._phones.values(), key=lambda phone: -phone.since))

    def forget(self, id: str | None = None) -> int:
        """Takes one phone's right away, or with None everybody's. How many that were."""
        with self._lock:
            gone = [one.digest for one in self._phones.values() if id is None or one.id == id]
            for digest in gone:
                del self._phones[digest]
            if gone:
                self._save()
            return len(gone)

    def _load(self) -> None:
        try:
            raw: Any = json.loads(self._path.read_text(encoding="utf-8"))
            phones = [Phone(**one) for one in raw]
            self._phones = {one.digest: one for one in phones}
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError) as error:
            log.warning("%s cannot be read (%s): the phones have to be paired again", self._path, error)

    def _save(self) -> None:
        """A disk that does not take it costs a pairing at the next start, nothing now."""
        fresh = self._path.with_name(f".{FILE}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with os.fdopen(fd, "w", encoding="utf-8") as file:
                json.dump([asdict(one) for one in self._phones.values()], file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            log.warning("%s: paired phones are not kept: %s", self._path, error)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
