"""Who may change anything: a code shown at the table pairs a phone; paired phones carry a token that can be revoked.

Only the tokens' digests are kept, so that whoever reads the file has none of them.
"""

import hashlib
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from device.keeping.files import read_plain
from engine.strict_json import Fields, read_json, write_json

log = logging.getLogger(__name__)
DIGITS = 6
LONG_DIGITS = 9
"""Where nobody has to press anything before there is a code to be guessed at."""
WRONG_TRIES = 5
"""From one address, in a minute; other addresses are let in meanwhile."""
MOST_WRONG = 200
"""From all addresses: then the code is another. With six digits one of 5,000 who are let guess so gets in, each time
that somebody at the device opens pairing."""
MOST_ADDRESSES = 1024
"""Whose wrong codes are remembered."""
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
MOST_BYTES = 100_000
OWNER = "owner"
"""The role that is never taken away to make room."""


class Closed(Exception):
    """An address gave too many wrong codes. wait_s: for how long it is not heard yet."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"closed for {wait_s:.0f} s")
        self.wait_s = wait_s


class PressFirst(Exception):
    """Pairing is opened by a press on the device, so that nobody has a code shown who is not there."""


class Full(Exception):
    """So many are paired that none can be added without taking another's right away."""


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
        digits: int = DIGITS,
        by_asking: bool = False,
    ) -> None:
        """changed: told the code to show, or None when there is none to show any more. by_asking: who asks for a code
        has one shown, where there is nothing to press."""
        self._changed, self._clock, self._draw = changed, clock, draw
        self.digits, self.by_asking = digits, by_asking
        self.fresh: Callable[[], bool] = lambda: False
        """Nobody has used the device yet: who asks for a code has one shown on its display, without a press."""
        self._lock = threading.Lock()
        self._code: str | None = None
        self._until_s = 0.0
        self._wrong = 0
        """With this code, from wherever."""
        self._tries: dict[str, tuple[int, float]] = {}
        """Of each address: wrong codes, and when the first of them came."""

    @property
    def code(self) -> str | None:
        """The code to show now; None: pairing is not open."""
        with self._lock:
            self._expire()
            return self._code

    def open(self) -> str:
        """Somebody at the device lets others in: the code that is shown from now on."""
        with self._lock:
            self._expire()
            if self._code is not None:
                self._changed(self._code)  # It may be shown no more, since somebody pressed it away.
                return self._code
            code = f"{self._draw(10**self.digits):0{self.digits}}"
            self._wrong = 0
            self._set(code)
            return code

    def begin(self, address: str = "") -> float:
        """Somebody wants to pair: how long the code lasts yet. PressFirst: there is none. Closed: not from there."""
        with self._lock:
            self._refuse_if_closed(address)
        if (self.by_asking or self.fresh()) and self.code is None:
            self.open()
        with self._lock:
            self._expire()
            if self._code is None:
                raise PressFirst
            return self._until_s - self._clock()

    def matches(self, code: str, address: str = "") -> bool:
        """Whether this is the code that is shown; it is used up then. Closed: there were too many wrong ones from
        there. PressFirst: no code is shown."""
        with self._lock:
            self._expire()
            self._refuse_if_closed(address)
            if self._code is None:
                raise PressFirst
            if secrets.compare_digest(code.encode(), self._code.encode()):
                self._tries.pop(address, None)
                self._set(None)
                return True
            self._miss(address)
            return False

    def missed(self) -> None:
        """A code was guessed at on another way."""
        with self._lock:
            self._count_miss()

    def used(self) -> None:
        """The code let somebody in, or is shown no longer."""
        with self._lock:
            self._set(None)

    def _miss(self, address: str) -> None:
        tries, since_s = self._tries.pop(address, (0, self._clock()))
        self._tries[address] = (tries + 1, since_s if tries + 1 < WRONG_TRIES else self._clock())
        while len(self._tries) > MOST_ADDRESSES:
            del self._tries[next(iter(self._tries))]
        self._count_miss()
        self._refuse_if_closed(address)

    def _count_miss(self) -> None:
        self._wrong += 1
        if self._wrong >= MOST_WRONG:
            self._set(None)

    def _refuse_if_closed(self, address: str) -> None:
        tries, since_s = self._tries.get(address, (0, 0.0))
        wait_s = since_s + CLOSED_S - self._clock()
        if tries and wait_s <= 0:
            del self._tries[address]
        elif tries >= WRONG_TRIES:
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
        self._seen: dict[str, int] = {}
        """When each was there last, to the second; the disk has it to the day."""
        self._load()

    def add(self, name: str, role: str = "") -> str:
        """Pairs a phone; its token, which is kept nowhere else. The one that was not seen for longest makes room, but
        never an owner's. Full: all are owners'."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        now = int(self._clock())
        with self._lock:
            while len(self._phones) >= MOST_PHONES:
                spare = [phone for phone in self._phones.values() if not self._owns(phone)]
                if not spare:
                    raise Full
                del self._phones[min(spare, key=lambda phone: self._seen.get(phone.digest, phone.seen)).digest]
            phone = Phone(secrets.token_hex(4), _digest(token), name[:LONGEST_NAME], now, now, role)
            self._phones[phone.digest] = phone
            self._save()
        return token

    def owned_by(self, phone: Phone | None) -> bool:
        """Whether this phone is an owner's."""
        with self._lock:
            return phone is not None and phone.digest in self._phones and self._owns(self._phones[phone.digest])

    def _owns(self, phone: Phone) -> bool:
        """Whether it is an owner's; where a page tells no roles apart, the one that was paired first is."""
        return phone.role == OWNER if phone.role else phone == next(iter(self._phones.values()))

    def find(self, token: str | None) -> Phone | None:
        """The phone that carries a token; None: none that is paired."""
        if not token or len(token) > 4 * TOKEN_BYTES:
            return None
        with self._lock:
            phone = self._phones.get(_digest(token))
            now = int(self._clock())
            if phone is not None:
                self._seen[phone.digest] = now
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
            gone = [phone.digest for phone in self._phones.values() if id is None or phone.id == id]
            for digest in gone:
                del self._phones[digest]
            if gone:
                self._save()
            return len(gone)

    def _load(self) -> None:
        try:
            raw: Any = read_json(read_plain(self._path, MOST_BYTES), MOST_BYTES)
            phones = [_phone(Fields(phone)) for phone in raw]
            self._phones = {phone.digest: phone for phone in phones}
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
                file.write(write_json([asdict(phone) for phone in self._phones.values()]))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            log.warning("%s: paired phones are not kept: %s", self._path, error)


def _phone(fields: Fields) -> Phone:
    return Phone(
        fields.text("id", 64), fields.text("digest", 64), fields.text("name", 200), fields.whole("since"),
        fields.whole("seen"), fields.text("role", 20, ""),
    )  # fmt: skip


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
