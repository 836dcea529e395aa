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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from device.hall.desk import HALL
from device.hall.store import CROWDED, GAP, REPEAT, TAKEN, Store
from device.outputs.broker.keys import hall_answer, key_of, proof
from device.outputs.broker.link import Address, Link
from device.outputs.broker.messages import (
    MOST_REFUSED,
    OF_THE_TABLE,
    BadMessage,
    Logged,
    Stamp,
    Status,
    checked_view,
    packed,
    signed,
    stamp_of,
    table_and_what,
    topic,
    unpacked,
)
from device.outputs.broker.paces import COMPLAINTS, Paces
from device.web.pairing import PressFirst
from device.words import in_words
from engine.strict_json import Fields, write_json

log = logging.getLogger(__name__)
BATCH = 300
"""Lines of one transaction."""
MOST_WAITING = 20_000
"""Messages that wait to be kept; more are left to be sent again."""
MOST_A_SECOND = 400.0
"""Lines that one table may send in the long run; a hall takes thousands, so that one that floods harms nobody."""
BURST = 4_000.0
TOLD_A_SECOND, TOLD_BURST = 50.0, 200.0
"""The same of what it shows; what is left out is followed by newer."""
UNCONFIRMED_A_SECOND = 3_000.0
"""Lines of all tables together that were not paired: they wait behind those of the others."""
MOST_UNCONFIRMED = 250
"""Tables that were not paired and are shown; whoever may write to the broker can make up any number."""
PAIRED_AGAIN_S = 10.0
"""Between looks which tables other halls on the same store paired."""
TRIES = 2
"""Tables whose lines the store does not take, before it is the store that takes none."""
MOST_LEFT_OUT = 10_000
"""Names counted that are not shown."""
MOST_ANSWERS = 100
"""That wait while a table is paired."""
MOST_BEFORE = 8
"""Programs that said they are one table."""
SEEN_EVERY_S = 1.0
"""Between two times that it is kept which messages were the newest: a hall that is killed in between takes at most what
was said in that second once more, until the table says the next thing."""
OLD_A_SECOND = 0.2
"""Answers to a table that says what is older than what it said before: its card may be an older copy."""
PAIR_S = 20.0
"""For a table to answer while it is paired."""
COMMAND_S = 30.0
"""How long a table that comes back is told what it was asked while it was away; later nobody expects it any more."""
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
    paired: bool = False
    """All that it says is signed."""
    signed: bool = False
    """All that is shown of it here it said itself."""
    instance: str = ""
    """The program that says it is this table; `before`: others that did."""
    before: frozenset[str] = frozenset()
    clashes: bool = False
    """Two devices say that they are this table."""
    newest: int | None = None
    """The order of the newest match that has begun there, as it says; 0: none has; None: it does not say."""

    def begin_signed(self) -> None:
        """From now on nothing is shown but what it signs."""
        self.title, self.online, self.view, self.alert = self.name, False, {}, None
        self.instance, self.before, self.clashes, self.signed, self.newest = "", frozenset(), False, True, None

    @property
    def shown(self) -> tuple[object, ...]:
        """All that a page has of what it says."""
        return self.online, self.title, self.clashes, self.view, self.signed

    @property
    def confirmed(self) -> bool:
        """Whether nobody else can have made up what it shows."""
        return self.paired and self.signed


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
        most_unconfirmed: int = MOST_UNCONFIRMED,
        share: bool = True,
    ) -> None:
        """changed: called with the name of a table of which something is new, in a thread of the worker. language: of
        what is logged. most_unconfirmed: tables that are shown though they were not paired.
        share: several workers take a table's lines in turn; not every broker can do that, and then each takes all, and
        the store decides which are new."""
        self._most_unconfirmed = most_unconfirmed
        self._left_out: set[str] = set()
        """Names that were not taken in since there were too many."""
        self._keys, self._looked_s = store.keys(), time.monotonic()
        self._seen = store.seen()
        """By table and topic the newest that the table signed."""
        self._unkept: dict[tuple[str, str], Stamp] = {}
        """Of these what the store does not know yet."""
        self._noting = threading.Lock()
        self._kept_s = time.monotonic()
        self._old_of = Paces(OLD_A_SECOND, 1.0, clock)
        self.store, self._changed, self._clock = store, changed, clock
        self._language = language
        self.tables: dict[str, TableNow] = {}
        self.lines = 0
        """Taken so far."""
        self._inbox: queue.Queue[tuple[str, bytes | None]] = queue.Queue(MOST_WAITING)
        """Tables and their lines; None in the place of a line: the table floods."""
        self._behind: queue.Queue[tuple[str, bytes | None]] = queue.Queue(MOST_WAITING)
        """The same of tables that were not paired."""
        self._pairing: dict[str, queue.Queue[dict[str, Any]]] = {}
        self._commands: dict[str, dict[int, tuple[float, bytes]]] = {}
        """By table and counter: when each was sent, and what, until the table says that it took it."""
        self._asked: dict[str, dict[int, tuple[str, str]]] = {}
        """By table and counter: who asked for what lately. A table may say that it refused it."""
        self._commanding = threading.Lock()
        self._lines_of = Paces(MOST_A_SECOND, BURST, clock)
        self._unconfirmed = Paces(UNCONFIRMED_A_SECOND, UNCONFIRMED_A_SECOND, clock)
        self._told_of = Paces(TOLD_A_SECOND, TOLD_BURST, clock)
        self._flooding: set[str] = set()
        """Tables that were told of for it."""
        self._complaints = Paces(*COMPLAINTS, clock)
        self._wake, self._stopping = threading.Event(), threading.Event()
        topics = [f"$share/{GROUP}/{topic('+', 'event')}" if share else topic("+", "event")]
        topics += [topic("+", what) for what in OF_THE_TABLE if what != "event"]
        own = name or f"hall-{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._link = Link(address, own, self.hear, topics, language=language)
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self) -> None:
        """Begins; a broker that is away is waited for. BrokerAway: it can never be, as with a wrong certificate."""
        self._thread.start()
        self._link.open(patient=True)

    def close(self) -> None:
        """Ends; what was taken is kept."""
        self._stopping.set()
        self._link.close()
        self._wake.set()
        self._thread.join(5.0)

    @property
    def there(self) -> bool:
        """Whether the broker is there."""
        return self._link.there

    @property
    def left_out(self) -> int:
        """How many tables are not shown, since they were never paired and there are too many such."""
        return len(self._left_out)

    @property
    def now_s(self) -> float:
        """The clock that tables' times are by."""
        return self._clock()

    # -- what tables send --------------------------------------------------------------------------------------------

    def hear(self, name: str, payload: bytes, retained: bool) -> bool:
        """A message from the broker. Whether it is dealt with; else the broker is to bring it again."""
        try:
            table, what = table_and_what(name)
            if what == "pair/table":
                waiting = self._pairing.get(table)
                if waiting is not None and not retained:
                    waiting.put_nowait(unpacked(payload))
            elif self._let_in(table) is None:
                pass
            elif what == "event":
                return self._line_came(table, payload)
            elif self._told_of.allows(table):
                self._told(table, what, payload)
        except (BadMessage, queue.Full) as error:
            self._complain(name, error)
        return True

    def _complain(self, name: str, error: Exception) -> None:
        """Into the log, once for each topic until it rests: nobody fills the disk with that."""
        if self._complaints.allows(name):
            log.warning("%s: %s", name, in_words(error, "en") or "too many answers")

    def _let_in(self, table: str) -> TableNow | None:
        """What is known of a table; None: it was never paired, and there are too many such."""
        now = self.tables.get(table)
        if now is not None:
            return now
        paired = table in self._keys
        unconfirmed = [table for table in list(self.tables.values()) if not table.paired]
        if not paired and len(unconfirmed) >= self._most_unconfirmed:
            gone = [table for table in unconfirmed if not table.online]  # Those make room.
            if not gone:
                if not self._left_out:
                    log.warning("more than %d tables were never paired: others are not shown", self._most_unconfirmed)
                if len(self._left_out) < MOST_LEFT_OUT:
                    self._left_out.add(table)
                return None
            oldest = min(gone, key=lambda table: table.changed_s)
            del self.tables[oldest.name]
            self._changed(oldest.name)
        self._left_out.discard(table)
        now = self.tables[table] = TableNow(table, table, changed_s=self._clock(), paired=paired)
        return now

    def _line_came(self, table: str, payload: bytes) -> bool:
        now = self.tables[table]
        if not now.paired and not self._unconfirmed.allows(""):
            return True
        paced = self._lines_of.allows(table)
        if paced or self._lines_of.rests(table):
            self._flooding.discard(table)
        if not paced and table in self._flooding:
            return True
        if not paced:
            self._flooding.add(table)
            log.warning("%s floods; what it sends too much is left out", table)
        try:
            if now.paired:
                self._inbox.put_nowait((table, payload if paced else None))
            else:
                self._behind.put_nowait((table, payload if paced else None))
            self._wake.set()
        except queue.Full:
            self._complain(table, BadMessage("too_much"))
        return True

    def _told(self, table: str, what: str, payload: bytes) -> None:
        now, raw = self.tables[table], unpacked(payload)
        shown = now.shown
        self._check_who_says_it(now, what, raw)
        if what == "status":
            status = Status.of(raw)
            self._is_there(now, status)
            if now.signed and status.counter > self.store.counter(table):
                self.store.took(table, status.counter)
            if now.signed and status.online:
                self._command_again(table, status.counter)
                self._note_refused(table, status.refused)
            if status.online:
                # It begins to send once it hears that; the broker may have forgotten it.
                self._say_have(table, status.folder or None)
        elif what == "view":
            now.view = checked_view(raw)
            now.alert = (now.view.get("view") or {}).get("alert")
        if what in ("status", "view") and now.shown == shown:
            return  # A table says now and then again what it said: it is not looked after less for that.
        now.changed_s = self._clock()  # An alert and a question stand in the view too.
        self._changed(table)

    def _check_who_says_it(self, now: TableNow, what: str, raw: dict[str, Any]) -> None:
        """Takes signature and stamp out of what came under a table's name. BadMessage: the table is there and did not
        sign this, though it signs; or it did before, and somebody says it again."""
        stamp = stamp_of(raw, what, now.name, self._keys.get(now.name))
        if stamp is None:
            if now.signed and now.online:
                raise BadMessage("unsigned_view")  # Somebody else: what the table itself said last stays.
            now.signed = False
            return
        seen = self._seen.setdefault(now.name, {})
        if stamp < seen.get(what, stamp):
            if self._old_of.allows(now.name):
                self._say_have(now.name)  # So it hears where it stands, if its card is an older copy.
            raise BadMessage("old_view")
        with self._noting:
            if not self._unkept:
                self._wake.set()
            seen[what] = self._unkept[now.name, what] = stamp
        if not now.signed:  # What somebody else may have said before counts no more.
            now.begin_signed()

    @staticmethod
    def _is_there(now: TableNow, status: Status) -> None:
        """A table says that it is there, or is said to be gone; another device may say so under its name."""
        if status.online:
            now.clashes |= status.instance in now.before and now.instance != ""
            if status.instance != now.instance:
                now.before = frozenset([*now.before, now.instance][-MOST_BEFORE:])
            now.before -= {"", status.instance}
            now.newest = status.newest
            now.online, now.instance, now.title = True, status.instance, status.title or now.title or now.name
        else:
            now.before -= {status.instance}
            if status.instance in ("", now.instance):
                now.online, now.instance = False, ""
        if not now.before:
            now.clashes = False

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.wait(SEEN_EVERY_S if self._unkept else None)
            self._wake.clear()
            while batch := self._waiting():
                self._keep_each(batch)
                self._keep_seen()
            self._keep_seen()
        self._keep_seen(at_once=True)

    def _keep_seen(self, at_once: bool = False) -> None:
        """Keeps which messages were the newest, now and then."""
        if not self._unkept or (time.monotonic() - self._kept_s < SEEN_EVERY_S and not at_once):
            return
        self._kept_s = time.monotonic()
        with self._noting:
            fresh, self._unkept = self._unkept, {}
        try:
            self.store.see(fresh)
        except OSError as error:
            with self._noting:
                self._unkept = {**fresh, **self._unkept}
            log.error("%s", in_words(error, self._language))

    def _waiting(self) -> list[tuple[str, bytes | None]]:
        """The next lines: those of paired tables first."""
        batch: list[tuple[str, bytes | None]] = []
        for waits in (self._inbox, self._behind):
            while len(batch) < BATCH:
                try:
                    batch.append(waits.get_nowait())
                except queue.Empty:
                    break
        return batch

    def _keep_each(self, batch: list[tuple[str, bytes | None]]) -> None:
        """Keeps lines; where that fails, those of each table by themselves, so that one is not lost for another. A
        store that takes nothing at all is waited for, and the tables send again."""
        if self._kept(batch):
            return
        failed = 0
        for number, table in enumerate(dict.fromkeys(table for table, _ in batch)):
            failed += not self._kept([line for line in batch if line[0] == table])
            if failed > number and failed == TRIES:
                break
        if failed:
            self._stopping.wait(1.0)

    def _kept(self, batch: list[tuple[str, bytes | None]]) -> bool:
        try:
            self._keep(batch)
        except OSError as error:
            log.error("%s", in_words(error, self._language))
            return False
        except Exception:
            log.exception("lines could not be kept")
            return False
        return True

    def _look_who_is_paired(self) -> None:
        now_s = time.monotonic()
        if now_s - self._looked_s < PAIRED_AGAIN_S:
            return
        self._looked_s = now_s
        keys = self.store.keys()
        for table in [table for table in keys if keys[table] != self._keys.get(table)]:
            self._is_paired(table, keys[table])
        for now in list(self.tables.values()):
            now.paired = now.name in self._keys

    def _is_paired(self, table: str, key: bytes) -> None:
        """Anew: what was signed with another key says nothing of what is old."""
        with self._noting:
            self._unkept = {name: stamp for name, stamp in self._unkept.items() if name[0] != table}
            self._seen[table] = {}
        with self._commanding:
            self._commands.pop(table, None)
            self._asked.pop(table, None)
        self._keys[table] = key

    def _keep(self, batch: list[tuple[str, bytes | None]]) -> None:
        self._look_who_is_paired()
        flooding = {table for table, payload in batch if payload is None}
        found = self.store.take_all(self._unpacked(batch))
        for table in found:
            self._say_have(table)  # Of the match that it sent last.
        for table in flooding:
            self.store.floods(table)
        results = list(chain.from_iterable(found.values()))
        self.lines += len(results) - results.count(GAP)
        tables = [now for table in {*found, *flooding} if (now := self.tables.get(table)) is not None]
        strange = flooding or set(results) - {TAKEN, REPEAT, GAP} or any(now.trouble for now in tables)
        troubles = self.store.troubles() if strange else {}
        for now in tables:
            now.trouble = troubles.get(now.name, CROWDED if strange else "")  # There is no room for its name.
            self._changed(now.name)

    def _unpacked(self, batch: list[tuple[str, bytes | None]]) -> list[tuple[str, Logged]]:
        """The lines that came; what is none is complained of."""
        lines = []
        for table, payload in batch:
            try:
                if payload is not None:
                    lines.append((table, Logged.unpack(payload)))
            except BadMessage as error:
                self._complain(topic(table, "event"), error)
        return lines

    def _say_have(self, table: str, folder: str | None = None) -> None:
        """Tells a table how far its log is kept."""
        if folder:
            self.store.comes_with(table, folder)
        have, key = self.store.have(table, folder), self._keys.get(table)
        if key is not None:
            seen = list(self._seen.get(table, {}).values())
            have = replace(have, seen=max(seen, default=Stamp()), counter=self.store.counter(table))
        self._link.send(topic(table, "have"), have.pack(key, table), retain=True)

    # -- what people ask of a table ----------------------------------------------------------------------------------

    def command(self, table: str, command: Mapping[str, Any]) -> bool:
        """Has a table do something. False: it is not paired with this hall."""
        what = write_json({name: value for name, value in command.items() if name != "by"})
        with self._commanding:
            found = self.store.next_command(table)
            if found is None:
                return False
            key, counter = found
            message = signed(key, table, counter, command)
            asked = {**self._asked.get(table, {}), counter: (str(command.get("by", "")), what)}
            self._asked[table] = {number: asked[number] for number in sorted(asked)[-MOST_REFUSED:]}
            missed = self._still_wanted(table)
            self._commands[table] = {**missed, counter: (time.monotonic(), message)}
            earlier = [missed[number][1] for number in sorted(missed)]
            self._link.send(topic(table, "command"), signed(key, table, counter, command, earlier))
        return True

    def _still_wanted(self, table: str, taken: int = 0) -> dict[int, tuple[float, bytes]]:
        """What it was asked lately, and did not take: taken is the last that it did."""
        since_s, asked = time.monotonic() - COMMAND_S, self._commands.get(table, {})
        return {counter: sent for counter, sent in asked.items() if counter > taken and sent[0] > since_s}

    def _command_again(self, table: str, taken: int) -> None:
        """A table is there: what it did not take yet may have been sent while it was away, as just after pairing. It
        takes nothing twice."""
        with self._commanding:
            missed = self._commands[table] = self._still_wanted(table, taken)
            for counter in sorted(missed):
                self._link.send(topic(table, "command"), missed[counter][1])

    def _note_refused(self, table: str, refused: Iterable[int]) -> None:
        """Keeps what the table refused of what somebody asked here; nobody asked for what the hall does by itself."""
        with self._commanding:
            asked = self._asked.get(table, {})
            found = [asked.pop(counter) for counter in refused if counter in asked]
        for who, what in found:
            if who != HALL:
                self.store.note(who, f"{table}: refused: {what[:300]}", "")

    def begin_pairing(self, table: str) -> str:
        """A table shows a code; what to give `finish_pairing` beside that. TimeoutError, BadMessage: it does not."""
        id_ = secrets.token_hex(8)
        answer = self._exchange(table, {"begin": True, "id": id_})
        if answer.get("press"):
            raise PressFirst
        if "spake" not in answer:
            raise BadMessage("wrong_codes")
        return f"{id_} {Fields(answer).text('spake', like='[0-9a-f]{64,80}')}"

    def finish_pairing(self, table: str, begun: str, code: str) -> bool:
        """Whether the code was right; the table then takes this hall's commands. TimeoutError, BadMessage."""
        id_, spake = begun.split()
        key, proving = hall_answer(table, "".join(code.split()), bytes.fromhex(spake))
        answer = self._exchange(table, {"id": id_, **proving})
        if not secrets.compare_digest(str(answer.get("confirm", "")).encode(), proof(key, "table").encode()):
            return False
        self.store.set_key(table, key_of(key))
        self._is_paired(table, key_of(key))
        now = self._let_in(table)
        if now is not None:
            now.paired, now.signed = True, False
            self._say_have(table)  # So it hears that all is signed from now on.
            self._changed(table)
        return True

    def _exchange(self, table: str, message: dict[str, Any]) -> dict[str, Any]:
        answers: queue.Queue[dict[str, Any]] = queue.Queue(MOST_ANSWERS)
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
