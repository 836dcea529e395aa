"""A hall's ear: takes what all tables send, keeps their logs, and tells each how far it is kept.

Lines are taken in batches, each one transaction; only then does a table hear that they are kept. What is lost on the
way the tables send again.
"""

import logging
import os
import queue
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from device.hall.store import GAP, REPEAT, TAKEN, Store
from device.outputs.broker.keys import hall_answer, key_of, proof
from device.outputs.broker.link import Address, Link
from device.outputs.broker.messages import (
    OF_THE_TABLE,
    ROOT,
    BadMessage,
    Logged,
    checked_view,
    packed,
    signed,
    table_and_what,
    topic,
    unpacked,
)
from device.words.mistakes import in_words

log = logging.getLogger(__name__)
BATCH = 300
"""Lines of one transaction."""
MOST_WAITING = 20_000
"""Messages that wait to be kept; more are left to be sent again."""
MOST_A_SECOND = 400.0
"""Lines that one table may send in the long run; a hall takes thousands, so that one that floods harms nobody."""
BURST = 4_000.0
PAIR_S = 20.0
"""For a table to answer while it is paired."""
GROUP = "hall"
"""Workers of one hall share the tables' lines under this name."""


@dataclass
class TableNow:
    """What a hall knows of a table at this moment."""

    name: str
    title: str = ""
    online: bool = False
    view: Mapping[str, Any] = field(default_factory=dict)
    changed_s: float = 0.0
    """When it was last heard of, as the clock on the wall has it."""
    alert: Mapping[str, Any] | None = None
    trouble: str = ""


class Worker:
    """One worker. Others may run on the same broker and the same store."""

    def __init__(
        self,
        address: Address,
        store: Store,
        changed: Callable[[str], None] = lambda table: None,
        name: str | None = None,
        clock: Callable[[], float] = time.time,
        language: str = "en",
    ) -> None:
        """changed: called with the name of a table of which something is new, in a thread of the worker. language: of
        what is logged."""
        self._store, self._changed, self._clock = store, changed, clock
        self._language = language
        self.tables: dict[str, TableNow] = {}
        self.lines = 0
        """Taken so far."""
        self._inbox: queue.Queue[tuple[str, bytes | None] | None] = queue.Queue(MOST_WAITING)
        """Tables and their lines; None in the place of a line: the table floods. None: wake up."""
        self._pairing: dict[str, queue.Queue[dict[str, Any]]] = {}
        self._left: Counter[str] = Counter()
        self._flooding: set[str] = set()
        """Tables that were told of for it."""
        self._filled_s = clock()
        self._stopping = threading.Event()
        topics = [f"$share/{GROUP}/{topic('+', 'event')}"]
        topics += [topic("+", what) for what in OF_THE_TABLE if what != "event"]
        own = name or f"hall-{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._link = Link(address, own, self._heard, topics, language=language)
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self) -> None:
        """Begins; a broker that is away is waited for. BrokerAway: it can never be, as with a wrong certificate."""
        self._thread.start()
        self._link.open(patient=True)

    def close(self) -> None:
        """Ends; what was taken is kept."""
        self._stopping.set()
        self._link.close()
        self._inbox.put(None)
        self._thread.join(5.0)

    @property
    def there(self) -> bool:
        """Whether the broker is there."""
        return self._link.there

    @property
    def now_s(self) -> float:
        """The clock that tables' times are by."""
        return self._clock()

    # -- what tables send --------------------------------------------------------------------------------------------

    def _heard(self, name: str, payload: bytes, retained: bool) -> bool:
        try:
            table, what = table_and_what(name)
            if what == "event":
                return self._line_came(table, payload)
            if what == "pair/table":
                waiting = self._pairing.get(table)
                if waiting is not None and not retained:
                    waiting.put(unpacked(payload))
            else:
                self._told(table, what, unpacked(payload))
        except BadMessage as error:
            log.warning("%s/%s: %s", ROOT, name, error)
        return True

    def _line_came(self, table: str, payload: bytes) -> bool:
        paced = self._paced(table)
        if not paced and table in self._flooding:
            return True
        if not paced:
            self._flooding.add(table)
            log.warning("%s floods; what it sends too much is left out", table)
        try:
            self._inbox.put_nowait((table, payload if paced else None))
        except queue.Full:
            log.warning("too much comes at once; what is left out is sent again")
        return True

    def _paced(self, table: str) -> bool:
        now_s = self._clock()
        if now_s - self._filled_s > 1.0:
            gain = (now_s - self._filled_s) * MOST_A_SECOND
            self._left = Counter({name: used - gain for name, used in self._left.items() if used > gain})
            self._flooding &= self._left.keys()
            self._filled_s = now_s
        self._left[table] += 1
        return self._left[table] <= BURST

    def _told(self, table: str, what: str, message: dict[str, Any]) -> None:
        now = self.tables.setdefault(table, TableNow(table))
        if what == "status":
            now.online, now.title = bool(message.get("online")), str(message.get("title") or now.title or table)[:60]
            if now.online:
                self._say_have(table)  # It begins to send once it hears that; the broker may have forgotten it.
        elif what == "view":
            now.view = checked_view(message)
            now.alert = (message.get("view") or {}).get("alert")
        now.changed_s = self._clock()
        self._changed(table)

    def _run(self) -> None:
        while not self._stopping.is_set():
            first = self._inbox.get()
            if first is None:
                continue
            batch = [first]
            while len(batch) < BATCH:
                try:
                    more = self._inbox.get_nowait()
                except queue.Empty:
                    break
                if more is not None:
                    batch.append(more)
            try:
                self._keep(batch)
            except OSError as error:
                log.error("%s", in_words(error, self._language))
                self._stopping.wait(1.0)
            except Exception:
                log.exception("lines could not be kept")

    def _keep(self, batch: list[tuple[str, bytes | None]]) -> None:
        lines: list[tuple[str, Logged]] = []
        flooding = {table for table, payload in batch if payload is None}
        for table, payload in batch:
            if payload is None:
                continue
            try:
                lines.append((table, Logged.unpack(payload)))
            except BadMessage as error:
                log.warning("%s: %s", topic(table, "event"), error)
        found = self._store.take_all(lines)
        self.lines += sum(one != GAP for all_ in found.values() for one in all_)
        for table in found:
            self._say_have(table)
        for table in flooding:
            self._store.floods(table)
        strange = flooding or any(set(results) - {TAKEN, REPEAT, GAP} for results in found.values())
        tables = [self.tables.setdefault(table, TableNow(table, table)) for table in {*found, *flooding}]
        troubles = self._store.troubles() if strange or any(now.trouble for now in tables) else {}
        for now in tables:
            now.trouble = troubles.get(now.name, "")
            self._changed(now.name)

    def _say_have(self, table: str) -> None:
        """Tells a table how far its log is kept."""
        self._link.send(topic(table, "have"), self._store.have(table).pack(), retain=True)

    # -- what people ask of a table ----------------------------------------------------------------------------------

    def command(self, table: str, command: Mapping[str, Any]) -> bool:
        """Has a table do something. False: it is not paired with this hall."""
        found = self._store.next_command(table)
        if found is None:
            return False
        key, counter = found
        self._link.send(topic(table, "command"), signed(key, table, counter, command))
        return True

    def begin_pairing(self, table: str) -> str:
        """A table shows a code; what to give `finish_pairing` beside that. TimeoutError, BadMessage: it does not."""
        id_ = secrets.token_hex(8)
        answer = self._exchange(table, {"begin": True, "id": id_})
        if "spake" not in answer:
            raise BadMessage("too many wrong codes; wait a minute")
        return f"{id_} {answer['spake']}"

    def finish_pairing(self, table: str, begun: str, code: str) -> bool:
        """Whether the code was right; the table then takes this hall's commands. TimeoutError, BadMessage."""
        id_, spake = begun.split()
        key, proving = hall_answer(table, "".join(code.split()), bytes.fromhex(spake))
        answer = self._exchange(table, {"id": id_, **proving})
        if not secrets.compare_digest(str(answer.get("confirm", "")).encode(), proof(key, "table").encode()):
            return False
        self._store.set_key(table, key_of(key))
        return True

    def _exchange(self, table: str, message: dict[str, Any]) -> dict[str, Any]:
        answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._pairing[table] = answers
        try:
            self._link.send(topic(table, "pair/hall"), packed(message))
            until_s = time.monotonic() + PAIR_S
            while True:
                try:
                    answer = answers.get(timeout=max(0.0, until_s - time.monotonic()))
                except queue.Empty:
                    raise TimeoutError(f"{table} does not answer") from None
                if answer.get("id") == message["id"]:
                    return answer
        finally:
            self._pairing.pop(table, None)
