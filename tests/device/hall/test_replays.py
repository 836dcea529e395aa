"""What a paired table said once, said again by somebody else: nothing takes the place of what is so now. And nobody who
is honest is kept out by that: after a restart, with an older copy of a card or of a store, with a new card."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from device.hall import worker as hall_worker
from device.hall.store import Store
from device.hall.worker import TableNow, Worker
from device.outputs.broker import output
from device.outputs.broker.keys import FILE, TableKey
from device.outputs.broker.messages import Have, Logged, Stamp, Status, packed, said, topic, unpacked
from tests.device.hall.brokers import Mosquitto, Wire, mosquitto, soon
from tests.device.hall.test_logs import begun, held, journals
from tests.device.hall.test_strangers import Card
from tests.device.outputs.broker.test_broker import Following, Listener
from tests.engine.table import play, tell

KEY = b"k" * 32


@pytest.fixture(autouse=True)
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is waited for in a hall is not waited for here."""
    monkeypatch.setattr(hall_worker, "SEEN_EVERY_S", 0.05)
    monkeypatch.setattr(hall_worker, "COMPLAINTS", (1000.0, 1000.0))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def wire(broker: Mosquitto) -> Iterator[Wire]:
    """Leads to the broker."""
    wire = Wire(broker.port)
    yield wire
    wire.close()


@contextmanager
def hall(broker: Mosquitto | Wire, path: Path) -> Iterator[Worker]:
    """A hall that runs, and ends."""
    store = Store(str(path))
    worker = Worker(broker.address, store)
    worker.start()
    try:
        soon(lambda: worker.there)
        yield worker
    finally:
        worker.close()
        store.close()


def paired(folder: Path, path: Path, key: bytes = KEY) -> None:
    """A table's card and a hall's store hold the same key."""
    TableKey(folder).set(key)
    store = Store(str(path))
    store.set_key("a", key)
    store.close()


def is_shown(worker: Worker, so: Callable[[TableNow], bool] = lambda now: bool(now.view)) -> bool:
    """Whether a hall shows the table, sure of it."""
    now = worker.tables.get("a")
    return now is not None and now.confirmed and now.online and so(now)


def is_told_whole(worker: Worker) -> bool:
    """Whether a hall has all that a table says of its last card: view, question and alert come one after the other."""
    before = worker.tables["a"].shown
    time.sleep(0.3)
    return worker.tables["a"].shown == before


def refused_at_the_table(caplog: pytest.LogCaptureFixture) -> bool:
    """Whether a table did not take what it was told is held."""
    return any("have is refused" in record.getMessage() for record in caplog.records)


def last_word(heard: Listener) -> bytes:
    """What was said last of the table, if that is that it went."""
    said_last = heard.heard[topic("a", "status")][-1]
    return said_last if b'"online":false' in said_last else b""


def is_settled(heard: Listener, session: int) -> bool:
    """Whether a table went on from where the hall says it stood."""
    status = heard.last(topic("a", "status"))
    return bool(status["online"]) and status.get("stamp", [0])[0] > session


def carry_out(worker: Worker, table: Following, do: str) -> None:
    """The hall asks, and the table does it."""
    before = table.logged
    assert worker.command("a", {"do": do})
    soon(lambda: table.logged > before)


def alerting(table: Following) -> None:
    """A card comes that is in no pack."""
    tell(table.live.match, play("9H", 1))
    table.live.trouble("hot", True)
    table.show()


def refused(caplog: pytest.LogCaptureFixture, what: str) -> int:
    """How often something under a topic was left out."""
    return sum(topic("a", what) in record.getMessage() for record in caplog.records)


def test_everything_that_a_paired_table_says_of_itself_is_signed(broker: Mosquitto, tmp_path: Path) -> None:
    paired(tmp_path, tmp_path / "hall.db")
    heard = Listener(broker.address, "hisabu/#")
    with hall(broker, tmp_path / "hall.db") as worker:
        table = Following(broker.address, tmp_path)
        alerting(table)
        soon(lambda: {topic("a", what) for what in ("status", "view", "question", "alert", "have")} <= {*heard.heard})
        soon(partial(is_shown, worker))
        table.output.close()
        soon(lambda: heard.last(topic("a", "status"))["online"] is False)
    for name, payloads in heard.heard.items():
        for payload in payloads:
            assert set(unpacked(payload)) >= ({"mac"} if name.endswith(("have", "event")) else {"mac", "stamp"}), name
    heard.link.close()


@pytest.mark.parametrize("what", ["status", "view", "question", "alert"])
def test_what_a_table_said_before_is_not_taken_again_nor_after_a_restart_of_the_hall(
    broker: Mosquitto, tmp_path: Path, what: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    paired(tmp_path, tmp_path / "hall.db")
    monkeypatch.setattr(output, "REMIND_S", 1.5)
    heard = Listener(broker.address, "hisabu/a/#")
    with hall(broker, tmp_path / "hall.db") as worker:
        table = Following(broker.address, tmp_path)
        alerting(table)
        table.output.close()  # So there is an old word that it went.
        tell(table.live.match, play("KH", 2))
        table.output = output.Broker(broker.address, "a", tmp_path)
        alerting(table)
        soon(lambda: is_shown(worker, lambda now: "KH" in str(now.view)))
        soon(lambda: len(heard.heard.get(topic("a", what), ())) >= 2)
        soon(partial(is_told_whole, worker))
        now, caplog_before = worker.tables["a"].shown, refused(caplog, what)
        for payload in heard.heard[topic("a", what)][:-1]:
            heard.link.send(topic("a", what), payload, retain=what != "alert")
        soon(lambda: refused(caplog, what) > caplog_before)
        assert worker.tables["a"].shown == now and is_shown(worker)
    with hall(broker, tmp_path / "hall.db") as worker:  # What the broker keeps is now what was said again.
        soon(lambda: "a" in worker.tables)  # It hears what the broker keeps, and so what comes from now on.
        caplog.clear()
        heard.link.send(topic("a", what), heard.heard[topic("a", what)][0])
        soon(lambda: refused(caplog, what))
        soon(partial(is_shown, worker))  # The table says again now and then what it is.
        assert worker.tables["a"].shown == now
    table.output.close()
    heard.link.close()


def test_nobody_else_says_that_a_paired_table_went_and_its_own_will_is_heard_once(
    broker: Mosquitto, wire: Wire, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    paired(tmp_path, tmp_path / "hall.db")
    heard = Listener(broker.address, "hisabu/a/#")
    with hall(broker, tmp_path / "hall.db") as worker:
        table = Following(wire.address, tmp_path)
        soon(partial(is_shown, worker))
        instance = worker.tables["a"].instance
        for lie in (packed({"online": False}), Status(False, instance=instance).pack(),
                    said(Status(False, instance=instance).body(), "status", "a", b"x" * 32, Stamp(99, 1))):  # fmt: skip
            heard.link.send(topic("a", "status"), lie, retain=True)
        soon(lambda: refused(caplog, "status"))
        assert is_shown(worker)
        table.loses_power(wire)
        soon(lambda: not worker.tables["a"].online)
        soon(lambda: b"mac" in last_word(heard))  # It may hear it a moment after the hall.
        will = last_word(heard)
        table.output = output.Broker(broker.address, "a", tmp_path)
        table.show()
        soon(partial(is_shown, worker))
        caplog.clear()
        heard.link.send(topic("a", "status"), will)
        soon(lambda: refused(caplog, "status"))
        assert is_shown(worker)
    table.output.close()
    heard.link.close()


def test_a_table_that_is_paired_while_it_is_there_has_a_signed_will_at_once(
    broker: Mosquitto, wire: Wire, tmp_path: Path
) -> None:
    heard = Listener(broker.address, topic("a", "status"))
    with hall(broker, tmp_path / "hall.db") as worker:
        table = Following(wire.address, tmp_path)
        soon(lambda: "a" in worker.tables)
        code = table.output.pairing.open()
        assert worker.finish_pairing("a", worker.begin_pairing("a"), code)
        soon(partial(is_shown, worker))
        soon(partial(is_settled, heard, 0))
        table.loses_power(wire)
        soon(lambda: not worker.tables["a"].online)
        assert worker.tables["a"].confirmed, "it signed that it went"
    heard.link.close()


def test_an_older_copy_of_a_card_is_heard_again(broker: Mosquitto, tmp_path: Path) -> None:
    """Its sessions are counted anew from the copy on, and the hall tells it where it stood."""
    card, path = tmp_path / "card", tmp_path / "hall.db"
    paired(card, path)
    heard = Listener(broker.address, topic("a", "status"))
    with hall(broker, path) as worker:
        for number in range(5):
            if number == 1:
                shutil.copy(card / FILE, tmp_path / "copy")
            table = Following(broker.address, card)
            soon(partial(is_shown, worker))
            table.output.close()
            soon(lambda: not worker.tables["a"].online)
        shutil.copy(tmp_path / "copy", card / FILE)
        table = Following(broker.address, card)
        alerting(table)
        soon(lambda: is_shown(worker, lambda now: now.alert is not None))
        soon(partial(is_settled, heard, 5))
        table.output.close()
        soon(lambda: not worker.tables["a"].online)
        assert worker.tables["a"].confirmed
    heard.link.close()


def test_an_older_copy_of_either_store_makes_no_command_old_or_new(broker: Mosquitto, tmp_path: Path) -> None:
    card, path = tmp_path / "card", tmp_path / "hall.db"
    paired(card, path)
    shutil.copy(card / FILE, tmp_path / "of the card")
    heard = Listener(broker.address, "hisabu/a/#")
    with hall(broker, path) as worker:
        table = Following(broker.address, card)
        soon(partial(is_shown, worker))
        for do in ("undo", "redo", "undo"):
            carry_out(worker, table, do)
        table.output.close()
        soon(lambda: not worker.tables["a"].online)
        worker.store.do("UPDATE hall_tables SET counter = 0")  # As in a copy from before.
        table = Following(broker.address, card)
        soon(lambda: is_shown(worker) and worker.store.counter("a") == 3)
        carry_out(worker, table, "undo")
        table.show()  # Says which one it took last, and hears that the hall knows it.
        soon(lambda: heard.last(topic("a", "have")).get("counter") == 4 == heard.last(topic("a", "status"))["counter"])
        table.output.close()
        soon(lambda: not worker.tables["a"].online)
        shutil.copy(tmp_path / "of the card", card / FILE)
        table = Following(broker.address, card)
        soon(lambda: is_settled(heard, 2) and heard.last(topic("a", "status")).get("counter") == 4)
        time.sleep(0.3)  # What it asks for follows the connection.
        before = table.logged
        for command in heard.heard[topic("a", "command")]:
            heard.link.send(topic("a", "command"), command)
        assert worker.command("a", {"do": "undo"})
        soon(lambda: table.logged > before)
        table.show()  # Says which one it took last.
        soon(lambda: worker.store.counter("a") == 5 == heard.last(topic("a", "status")).get("counter"))
        assert table.logged == before + 1
        table.output.close()
    heard.link.close()


class InALesson(Following):
    """A table whose lesson ends half a second after it was switched on: until then it only listens."""

    def show(self) -> None:
        self.output.show(replace(self.live.show, extra={"teaches": "turufu"}))
        time.sleep(0.5)
        super().show()


def test_an_older_copy_of_a_card_does_not_do_again_what_it_left_on(broker: Mosquitto, tmp_path: Path) -> None:
    """It went before it said that it took the command, and what the broker keeps of the hall is from before that."""
    card, path = tmp_path / "card", tmp_path / "hall.db"
    paired(card, path)
    shutil.copy(card / FILE, tmp_path / "copy")
    heard = Listener(broker.address, "hisabu/a/#")
    with hall(broker, path) as worker:
        Following(broker.address, card).output.close()
        table = Following(broker.address, card)
        soon(partial(is_shown, worker))
        before = table.logged
        carry_out(worker, table, "undo")
        table.output.close()
        soon(lambda: not worker.tables["a"].online)
        shutil.copy(tmp_path / "copy", card / FILE)
        table = InALesson(broker.address, card)
        soon(lambda: is_settled(heard, 2) and is_shown(worker))
        time.sleep(0.3)  # What is asked again would come now.
        assert table.logged == before
        table.output.close()
    heard.link.close()


def test_a_new_card_under_the_same_name_is_shown_unconfirmed_and_paired_anew(broker: Mosquitto, tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    paired(tmp_path / "first", path)
    with hall(broker, path) as worker:
        table = Following(broker.address, tmp_path / "first")
        soon(partial(is_shown, worker))
        table.output.close()
        soon(lambda: not worker.tables["a"].online)
        table = Following(broker.address, tmp_path / "second")
        soon(lambda: worker.tables["a"].online and bool(worker.tables["a"].view))
        assert not worker.tables["a"].confirmed
        code = table.output.pairing.open()
        assert worker.finish_pairing("a", worker.begin_pairing("a"), code)
        soon(partial(is_shown, worker))
        table.output.close()


def test_what_a_hall_holds_nobody_else_says_but_a_new_hall_that_holds_nothing_is_sent_all(
    broker: Mosquitto, wire: Wire, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, path = tmp_path / "card", tmp_path / "hall.db"
    paired(folder, path)
    heard = Listener(broker.address, "hisabu/a/event")
    with hall(wire, path) as worker:
        card = Card(broker, folder)
        card.play(1)
        soon(lambda: held(worker.store, "a") == journals(folder))
        lines = [Logged.unpack(raw) for raw in heard.heard[topic("a", "event")]]
        wire.cut()  # Whoever speaks before it is back would have it that all is held.
        record, events = begun(folder, 9)
        for event in events[:5]:
            record.add(event)
        last = lines[-1]
        ahead = Have(last.match, 10**6, "0" * 64, last.folder).pack()
        heard.link.send(topic("a", "have"), ahead)
        soon(lambda: refused_at_the_table(caplog))
    with hall(broker, path) as worker:
        soon(lambda: "a" in worker.tables)
        card.show()
        soon(lambda: sorted(held(worker.store, "a")) == sorted(journals(folder)))
    with hall(broker, tmp_path / "new.db") as worker:  # Nobody has a copy of the old one.
        soon(lambda: sorted(held(worker.store, "a")) == sorted(journals(folder)), 20.0)
    record.close()
    card.take_out()
    heard.link.close()


def test_clocks_that_jump_keep_nobody_out(broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hall.db"
    paired(tmp_path / "card", path)
    now_s = [2e9]
    with ExitStack() as stack:
        store = Store(str(path))
        stack.callback(store.close)
        worker = Worker(broker.address, store, clock=lambda: now_s[0])
        worker.start()
        stack.callback(worker.close)
        for jump_s in (0.0, -3e8, 1e8, -1e9):
            now_s[0] += jump_s
            monkeypatch.setattr("time.time", lambda: now_s[0])
            table = Following(broker.address, tmp_path / "card")
            soon(partial(is_shown, worker))
            table.output.close()
            soon(lambda: not worker.tables["a"].online)


def test_a_flood_of_old_words_is_answered_now_and_then(broker: Mosquitto, tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    paired(tmp_path / "card", path)
    heard = Listener(broker.address, "hisabu/a/have")
    with hall(broker, path) as worker:
        table = Following(broker.address, tmp_path / "card")
        soon(partial(is_shown, worker))
        soon(lambda: topic("a", "have") in heard.heard)
        before = len(heard.heard[topic("a", "have")])
        for _ in range(100):
            heard.link.send(topic("a", "view"), said({}, "view", "a", KEY, Stamp(0, 1)))
        heard.link.send(topic("a", "view"), said({"sentences": ["x"]}, "view", "a", KEY, Stamp(500, 1)))
        soon(lambda: is_shown(worker, lambda now: now.view.get("sentences") == ["x"]))
        assert len(heard.heard[topic("a", "have")]) - before <= 2
        table.output.close()
    heard.link.close()
