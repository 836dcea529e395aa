"""Logs of tables come to the hall whole, whatever goes away in between: nothing lost, nothing twice."""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.hall.desk import Desk
from device.hall.register import Register
from device.hall.site import row
from device.hall.store import CROWDED, FORGED, FORKED, FULL, GAP, REPEAT, TAKEN, Store
from device.hall.worker import TableNow, Worker
from device.keeping.journal import MatchRecord, kept
from device.outputs.broker.link import Address, BrokerAway, Link
from device.outputs.broker.messages import (
    START,
    BadMessage,
    Have,
    Logged,
    chained,
    checked_view,
    packed,
    signed,
    topic,
    verified,
)
from device.outputs.broker.outbox import Outbox
from device.outputs.broker.output import Broker, Sender, told
from engine.events import Event
from engine.match import Match
from engine.simulate import honest_match
from tests.device.hall.brokers import Wire, add_all, mosquitto, show_of, soon
from tests.sizes import slow


def begun(folder: Path, seed: int = 1) -> tuple[MatchRecord, list[Event]]:
    """A match at its start, and the events that it will hold."""
    record = MatchRecord.begin(folder, Match("turufu", 4))
    game = record.match.judge.game  # type: ignore[attr-defined]
    return record, honest_match(game, Random(seed), deals=1)


def journals(folder: Path) -> list[str]:
    return [match.path.read_text(encoding="utf-8") for match in kept(folder)]


def held(store: Store, table: str) -> list[str]:
    return [store.journal(table, match.id) for match in sorted(store.matches(table), key=lambda match: match.order)]


def lines_of(many: int, match: str = "ab" * 16) -> list[Logged]:
    found, hash_ = [], START
    for number in range(many):
        hash_ = chained(hash_, f"line {number}")
        found.append(Logged(match, 1, number, hash_, f"line {number}"))
    return found


def signed_line(line: Logged, table: str = "t", key: bytes = b"k" * 32) -> Logged:
    return Logged.unpack(line.pack(key, table))


def test_a_store_takes_each_line_once_and_in_order(store: Store) -> None:
    lines = lines_of(4)
    assert store.take_all([("t", lines[0]), ("t", lines[0])]) == {"t": [TAKEN, REPEAT]}
    assert store.take_all([("t", lines[3])]) == {"t": [GAP]}
    assert store.have("t").number == 0
    assert store.take_all([("t", lines[1]), ("t", lines[2])]) == {"t": [TAKEN, TAKEN]}
    assert store.have("t").number == 3, "the line that came too early was kept"
    assert store.journal("t", lines[0].match) == "line 0\nline 1\nline 2\nline 3\n"


def test_a_new_cards_first_match_is_the_tables_newest_and_each_card_hears_what_is_held_of_it(store: Store) -> None:
    old = [replace(line, order=9, folder="a" * 32) for line in lines_of(3)]
    new = [replace(line, order=1, folder="b" * 32) for line in lines_of(2, "cd" * 16)]
    store.take_all([("t", line) for line in (*old, *new)])
    assert store.have("t") == store.have("t", "b" * 32) and store.have("t").match == "cd" * 16
    assert (store.have("t", "a" * 32).match, store.have("t", "a" * 32).number) == ("ab" * 16, 2)
    assert store.have("t", "c" * 32).number < 0
    assert store.do("SELECT match, match_order FROM hall_tables WHERE name = ?", "t") == [("cd" * 16, 1)]


def test_a_hall_moves_to_another_store_with_all_it_keeps(store: Store, tmp_path: Path) -> None:
    from device.cli import main

    lines = lines_of(4)
    old = Store(str(tmp_path / "old.db"))
    old.take_all([("t", lines[0]), ("t", lines[1]), ("t", lines[3])])
    old.set_key("t", b"k" * 32)
    with old.changing():
        old.seat("t", lines[0].match, ("Zaïna", "Ali"))
    old.note("x", "what", "why")
    moving = ["hall", "move", store.address, "--store", str(tmp_path / "old.db")]
    assert main(moving) == 0
    for name in ("tables", "matches", "lines", "early", "people", "seats", "log"):
        rows = [set(map(tuple, store.do(f"SELECT * FROM hall_{name}"))) for store in (old, store)]
        assert rows[0] == rows[1] and rows[0], name
    assert store.take_all([("t", signed_line(lines[2]))]) == {"t": [TAKEN]}
    assert store.journal("t", lines[0].match) == "line 0\nline 1\nline 2\nline 3\n"
    assert main(moving) != 0, "what is there is not written over"
    assert main([*moving[:-1], str(tmp_path / "none.db")]) != 0 and not (tmp_path / "none.db").exists()
    old.close()


def test_a_store_refuses_what_does_not_fit_and_says_so(store: Store) -> None:
    lines = lines_of(3)
    store.take_all([("t", lines[0]), ("t", lines[1])])
    other = Logged(lines[1].match, 1, 1, chained(lines[0].hash, "another"), "another")
    assert store.take_all([("t", other)]) == {"t": [FORKED]}
    assert store.troubles() == {"t": FORKED}
    assert store.take_all([("t", Logged(lines[2].match, 1, 2, lines[2].hash, "changed"))]) == {"t": [FORGED]}
    assert store.take_all([("t", lines[2])]) == {"t": [TAKEN]}
    assert store.troubles() == {"t": ""}


def test_lines_that_come_too_early_fill_no_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.hall.store.MOST_EARLY", 20)
    for number in range(300):
        store.take_all([("t", replace(lines_of(4)[3], match=f"{number:032x}"))])
    assert store.do("SELECT COUNT(*) FROM hall_early")[0][0] <= 20
    lines = lines_of(4)
    assert store.take_all([("t", line) for line in reversed(lines)]) == {"t": [GAP, GAP, GAP, TAKEN]}
    assert store.have("t").number == 3


def test_a_table_that_sends_junk_fills_no_disk_and_has_room_again_the_next_day(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = [1e9]
    monkeypatch.setattr("device.hall.store.MOST_BYTES_A_DAY", 10_000, raising=False)
    monkeypatch.setattr("device.hall.store.time.time", lambda: now_s[0])
    lines = lines_of(100)
    found = [result for line in lines for result in store.take_all([("t", line)])["t"]]
    taken = found.count(TAKEN)
    assert 10 < taken < 40 and found == [TAKEN] * taken + [FULL] * (100 - taken)
    assert store.troubles() == {"t": FULL}
    assert store.take_all([("t", lines[0])]) == {"t": [REPEAT]}, "what is there already takes no room"
    assert store.take_all([("t", lines[taken + 1])]) == {"t": [FULL]}, "nor is there room for what would wait"
    assert store.take_all([("u", line) for line in lines[:5]]) == {"u": [TAKEN] * 5}, "another table has its own"
    now_s[0] += 24 * 3600
    found = store.take_all([("t", line) for line in lines])["t"]
    again = taken + 1  # On the first day its name took room too.
    assert found == [REPEAT] * taken + [TAKEN] * again + [FULL] * (100 - taken - again)
    assert store.have("t").number == taken + again - 1


def test_names_that_somebody_makes_up_fill_no_disk_and_keep_no_paired_table_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.hall.store.MOST_BYTES_OF_STRANGERS", 20_000, raising=False)
    lines, key = lines_of(5), b"k" * 32
    store.set_key("ours", key)
    assert store.take_all([("known", lines[0])]) == {"known": [TAKEN]}
    made_up = [f"x{number}" for number in range(200)]
    found = [store.take_all([(name, line) for line in lines])[name] for name in made_up]
    full = [number for number, results in enumerate(found) if CROWDED in results]
    assert 5 < len(full) < 200 and full == [*range(full[0], 200)]
    assert store.do("SELECT COUNT(*) FROM hall_tables")[0][0] < 40, "nor do the names themselves"
    assert store.take_all([("known", lines[1])]) == {"known": [CROWDED]}
    assert store.troubles()["known"] == CROWDED, "it hears that it has to be paired"
    signed = [Logged.unpack(line.pack(key, "ours")) for line in lines]
    assert store.take_all([("ours", line) for line in signed]) == {"ours": [TAKEN] * 5}


def test_what_comes_too_early_takes_room_as_well(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.hall.store.MOST_BYTES_A_DAY", 10_000, raising=False)
    lines = lines_of(100)
    found = [store.take_all([("t", line)])["t"][0] for line in [*lines[1:], lines[0]]]
    assert FULL in found and store.do("SELECT COUNT(*) FROM hall_early")[0][0] < 40


def test_the_file_with_the_tables_keys_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"

    def modes() -> dict[str, str]:
        return {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()}

    before = os.umask(0o022)
    try:
        store = Store(str(path))
        store.set_key("a", b"k" * 32)
        private = {f"hall.db{end}": "0o600" for end in ("", "-wal", "-shm")}
        assert modes() == private
        for file in tmp_path.iterdir():  # As an older program left them, which still runs.
            file.chmod(0o644)
        again = Store(str(path))
        assert modes() == private and again.keys() == {"a": b"k" * 32}
        for opened in (store, again):
            opened.note("x", "both", "write")
        assert len(store.notes()) == 2
        store.close()
        again.close()
    finally:
        os.umask(before)


def test_whatever_a_table_says_it_shows_the_wall_stands() -> None:
    """What is refused leaves the table as it was; what is taken fits on the wall."""
    rng, refused = Random(1), 0
    good = told(show_of(Match("turufu", 4)))
    odd: list[Any] = [
        None,
        3,
        -1.5,
        "x" * 500,
        "",
        [],
        [3],
        [None],
        {},
        {"phase": 3},
        {"alert": [1]},
        {"text": {}},
        True,
    ]
    for _ in range(2000):
        told_view = {**good["view"], rng.choice(["phase", "game", "alert", "games"]): rng.choice(odd)}
        message = {**good, "view": told_view, rng.choice([*good]): rng.choice(odd)}
        now = TableNow("t", online=True)
        try:
            now.view = checked_view(message)
        except BadMessage:
            refused += 1
            continue
        now.alert = (now.view.get("view") or {}).get("alert")
        shown = row(now, 1e9)
        assert json.dumps(shown) and all(isinstance(name, str) for name in (*shown["seats"], shown["alert"]))
    assert 300 < refused < 1700


def test_a_table_that_says_again_what_it_said_is_looked_after_when_silent(tmp_path: Path) -> None:
    now_s = [1000.0]
    worker = Worker(Address("127.0.0.1", 1), Store(str(tmp_path / "hall.db")), clock=lambda: now_s[0])
    view = packed(told(show_of(Match("turufu", 4))))
    for at_s in range(1000, 1400, 60):
        now_s[0] = float(at_s)
        worker.hear("hisabu/a/status", packed({"online": True, "title": "a"}), False)
        worker.hear("hisabu/a/view", view, False)
    assert worker.tables["a"].online and worker.tables["a"].changed_s == 1000.0


@pytest.mark.parametrize("share", [True, False])
def test_lines_are_shared_unless_the_broker_cannot(tmp_path: Path, share: bool) -> None:
    with mosquitto(tmp_path) as broker:
        store = Store(str(tmp_path / "hall.db"))
        halls = [Worker(broker.address, store, share=share) for _ in range(2)]
        for hall in halls:
            hall.start()
        soon(lambda: all(hall.there for hall in halls))
        link = Link(broker.address, "table", lambda *_: True, ())
        link.open()
        soon(lambda: link.there)
        time.sleep(0.3)
        line = lines_of(1)[0]
        link.send(topic("a", "event"), line.pack())
        soon(lambda: sum(hall.lines for hall in halls) == (1 if share else 2))
        time.sleep(0.3)
        assert sum(hall.lines for hall in halls) == (1 if share else 2)
        assert store.journal("a", line.match) == f"{line.line}\n", "kept once, whoever took it"
        link.close()
        for hall in halls:
            hall.close()
        store.close()


def test_a_table_that_floods_and_lies_is_told_of_and_harms_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.hall.worker.BURST", 300.0)
    monkeypatch.setattr("device.hall.worker.MOST_A_SECOND", 1.0)
    with mosquitto(tmp_path) as broker:
        worker = Worker(broker.address, Store(str(tmp_path / "hall.db")))
        worker.start()
        honest, events = begun(tmp_path / "honest")
        output = Broker(broker.address, "honest", tmp_path / "honest")
        liar = Link(broker.address, "liar", lambda *heard: True)
        liar.open()
        soon(lambda: liar.there and worker.there)
        first = lines_of(1)[0]
        for number in range(1000):
            lie = replace(first, match=f"{number % 7:032x}", order=2**40, number=number, hash=f"{number:064x}")
            liar.send(topic("liar", "event"), lie.pack())
            if number % 100 == 0:
                liar.send(topic("liar", "event"), b"[" * 100_000)
                liar.send(topic("liar", "view"), b'{"view": {"phase": 3, "alert": {"rule": []}}, "prompt": [1]}')
                liar.send(topic("liar", "have"), Have("ab" * 16, 10**9, "0" * 64).pack())
                add_all(honest, events[number // 100 : number // 100 + 1])
                soon(partial(_shown, output, honest))
        seeing = Store(str(tmp_path / "hall.db"))
        soon(partial(_same, seeing, "honest", tmp_path / "honest"))
        soon(lambda: worker.tables["liar"].trouble == FULL)
        assert seeing.troubles() == {"honest": "", "liar": FULL}
        assert worker.tables["honest"].online and seeing.do("SELECT COUNT(*) FROM hall_early")[0][0] < 300
        liar.close()
        output.close()
        honest.close()
        worker.close()
        seeing.close()


def test_one_table_cannot_write_another_ones_log(store: Store) -> None:
    lines = lines_of(2)
    store.take_all([("a", lines[0]), ("a", lines[1])])
    store.take_all([("b", lines[0])])
    assert (store.have("a").number, store.have("b").number) == (1, 0)


def test_commands_are_taken_once_and_only_with_the_key() -> None:
    key = b"k" * 32
    payload = signed(key, "t", 7, {"do": "undo"})
    assert verified(key, "t", payload, 6) == [(7, {"do": "undo"})]
    after = signed(key, "t", 8, {"do": "redo"}, [payload, signed(b"x" * 32, "t", 6, {"do": "new_match"})])
    assert verified(key, "t", after, 6) == [(7, {"do": "undo"}), (8, {"do": "redo"})]
    assert verified(key, "t", after, 7) == [(8, {"do": "redo"})]
    long = [signed(key, "t", number, {"do": "correct", "why": '"' * 3000}) for number in range(10, 40)]
    assert [number for number, _ in verified(key, "t", signed(key, "t", 40, {"do": "undo"}, long), 6)][-1] == 40
    wrong: Callable[[], object]
    for wrong in (
        lambda: verified(key, "t", payload, 7),
        lambda: verified(b"x" * 32, "t", payload, 0),
        lambda: verified(key, "other", payload, 0),
        lambda: verified(key, "t", payload.replace(b"undo", b"redo"), 0),
        lambda: verified(key, "t", b"{}", 0),
        lambda: verified(key, "t", b"[" * 5000, 0),
    ):
        with pytest.raises(BadMessage):
            wrong()


def test_the_outbox_is_the_journal_and_holds_back_what_is_not_settled(tmp_path: Path) -> None:
    record, events = begun(tmp_path)
    add_all(record, events[:5])
    outbox = Outbox(tmp_path)
    assert [line.number for line in outbox.after(Have(), settled=3)] == [0, 1, 2, 3]
    assert "".join(f"{line.line}\n" for line in outbox.after(Have(), settled=5)) == journals(tmp_path)[0]
    record.close()


def test_the_end_of_a_match_is_sent_that_was_over_before_it_was_looked_at_again(tmp_path: Path) -> None:
    record, events = begun(tmp_path)
    add_all(record, events[:3])
    outbox = Outbox(tmp_path)
    *_, third = outbox.after(Have(), settled=3)
    add_all(record, events[3:6])
    record.finish()
    MatchRecord.begin(tmp_path, Match("turufu", 4)).close()
    have = Have(third.match, third.number, third.hash)
    assert [line.number for line in outbox.after(have, settled=0)] == [4, 5, 6, 0]


def test_names_go_beside_the_header_and_are_in_no_line(tmp_path: Path) -> None:
    record = MatchRecord.begin(tmp_path, Match("turufu", 2, seats=("Zaïna", "Ali")))
    header, *_ = Outbox(tmp_path).after(Have(), settled=0)
    assert header.names == ("Zaïna", "Ali") and "Ali" not in header.line
    assert Logged.unpack(header.pack()) == header
    with pytest.raises(BadMessage):
        Logged.unpack(header.pack().replace(b"Ali", b"\\u0007"))
    record.close()


class Counted(Outbox):
    """An outbox that knows how often it was looked into."""

    looks = 0

    def after(self, have: Have, settled: int) -> Iterator[Logged]:
        self.looks += 1
        return super().after(have, settled)


class Taking:
    """A broker that takes everything."""

    there, waiting = True, 0

    def __init__(self) -> None:
        self.sent: list[Logged] = []

    def send(self, name: str, payload: bytes) -> None:
        self.sent.append(Logged.unpack(payload))


def test_a_sender_sleeps_until_the_journal_grew_or_the_hall_spoke(tmp_path: Path) -> None:
    record, events = begun(tmp_path)
    add_all(record, events[:2])
    outbox, link = Counted(tmp_path), Taking()
    sender = Sender(outbox, link, "a")  # type: ignore[arg-type]
    sender.start()
    sender.settled(2)
    sender.have(Have())
    soon(lambda: len(link.sent) == 3)
    newest, looks = link.sent[-1], outbox.looks
    sender.have(Have(newest.match, newest.number, newest.hash))
    soon(lambda: outbox.looks == looks + 1)
    looks += 1
    for _ in range(20):
        sender.settled(2)  # What is shown changes all the time: whose turn it is, the light.
    time.sleep(0.7)
    assert outbox.looks == looks
    add_all(record, events[2:3])
    sender.settled(3)
    soon(lambda: len(link.sent) == 4)
    sender.stop()
    record.close()


@pytest.mark.parametrize("cuts", [0, 1, *slow(3)])
def test_the_halls_log_is_each_tables_journal_byte_for_byte(tmp_path: Path, cuts: int) -> None:
    """Two tables, matches from before they had a broker among them; the broker is killed in between."""
    folders = {name: tmp_path / name for name in ("north", "south")}
    for folder in folders.values():
        old, events = begun(folder, 5)
        add_all(old, events[:8])
        old.finish()
    with mosquitto(tmp_path) as broker:
        store = Store(str(tmp_path / "hall.db"))
        worker = Worker(broker.address, store)
        worker.start()
        tables = {}
        for name, folder in folders.items():
            record, events = begun(folder)
            tables[name] = (Broker(broker.address, name, folder), record, events)
        longest = max(len(events) for _, _, events in tables.values())
        cut_at = {longest * (k + 1) // (cuts + 1) for k in range(cuts)}
        for at in range(longest):
            if at in cut_at:
                broker.kill()
            for output, record, events in tables.values():
                add_all(record, events[at : at + 1])
                try:
                    output.show(show_of(record.match))
                except OSError:
                    assert cuts
            if at in cut_at:
                broker.start()
        for name, (output, record, _) in tables.items():
            soon(partial(_shown, output, record))
            soon(partial(_same, store, name, folders[name]), 40)
        for output, record, _ in tables.values():
            output.close()
            record.close()
        worker.close()
        store.close()


def test_several_workers_share_the_tables_and_any_may_die(tmp_path: Path, postgres: str) -> None:
    """Each gets some of one table's lines: which comes next is judged in the database."""
    with mosquitto(tmp_path) as broker:
        wires = [Wire(broker.port) for _ in range(3)]
        workers = [Worker(wire.address, Store(postgres), name=f"worker-{n}") for n, wire in enumerate(wires)]
        every = [*workers]
        for worker in workers:
            worker.start()
        record, events = begun(tmp_path / "north", 7)
        output = Broker(broker.address, "north", tmp_path / "north")
        for at, event in enumerate(events):
            add_all(record, [event])
            output.show(show_of(record.match))
            if at % 15 == 5:
                del workers[0]
                wires.pop(0).cut()  # As when its machine dies.
                wires.append(Wire(broker.port))
                workers.append(Worker(wires[-1].address, Store(postgres), name=f"worker-{at}-again"))
                workers[-1].start()
                every.append(workers[-1])
        seeing = Store(postgres)
        soon(partial(_same, seeing, "north", tmp_path / "north"), 60)
        assert sum(worker.lines for worker in every) > 0
        output.close()
        for worker in workers:
            worker.close()
        with seeing.changing():
            for name in ("tables", "matches", "lines", "early", "log"):
                seeing.do(f"DELETE FROM hall_{name}")


def test_a_match_at_a_real_table_becomes_its_meetings_result(tmp_path: Path) -> None:
    """From the journal over the broker into the store, and from there to the tournament."""
    with mosquitto(tmp_path) as broker:
        store = Store(str(tmp_path / "hall.db"))
        worker = Worker(broker.address, store)
        worker.start()
        record = MatchRecord.begin(tmp_path / "north", Match("triomphe", 2, seats=("Zaïna", "Ali")))
        output = Broker(broker.address, "north", tmp_path / "north")
        output.show(show_of(record.match))
        soon(lambda: "north" in worker.tables and worker.tables["north"].online)
        desk = Desk(store, Register(store), lambda device: worker.tables[device].online)
        subject = desk.begin("x", {"title": "t", "form": "swiss", "side": 1}, ["north"])
        desk.ask(subject, "x", {"do": "enter", "text": "Ali\nZaïna"})
        desk.ask(subject, "x", {"do": "draw"})
        for event in honest_match(record.match.judge.game, Random(3), 60):  # type: ignore[attr-defined]
            if record.match.view.winner is None:
                record.add(event)
        output.show(show_of(record.match))
        soon(lambda: desk.take_results({"north": True}))
        (sitting,) = desk.book(subject)[0].rounds[0].sittings
        names = desk.register.names()
        first = names[int(desk.book(subject)[0].entrants[int(sitting.meeting.sides[0][0]) - 1].players[0])]
        games = record.match.view.games
        assert games is not None and sitting.meeting.result is not None
        assert sitting.meeting.result.games == (games if first == "Zaïna" else games[::-1]), "whoever sat where"
        output.close()
        record.close()
        worker.close()
        store.close()


def test_a_table_says_which_match_has_begun_before_its_log_has_come(tmp_path: Path) -> None:
    """A round that is drawn meanwhile takes no older one for its own."""
    with mosquitto(tmp_path) as broker:
        store = Store(str(tmp_path / "hall.db"))
        worker = Worker(broker.address, store)
        worker.start()
        record, events = begun(tmp_path / "north")
        output = Broker(broker.address, "north", tmp_path / "north")
        for newest in (0, 1):
            output.show(show_of(record.match))
            soon(lambda newest=newest: "north" in worker.tables and worker.tables["north"].newest == newest)
            record.add(events[0])
        record.finish()
        record, _ = begun(tmp_path / "north")
        output.show(show_of(record.match))
        output.close()
        soon(lambda: not worker.tables["north"].online)
        assert worker.tables["north"].newest == 1, "the match that waits for its first card has not begun"
        record.close()
        worker.close()
        store.close()


def test_a_hall_that_is_there_before_its_broker_waits_for_it(tmp_path: Path) -> None:
    """As after a power cut, when both machines come up."""
    with mosquitto(tmp_path) as broker:
        broker.kill()
        store = Store(str(tmp_path / "hall.db"))
        worker = Worker(broker.address, store)
        worker.start()
        assert not worker.there
        broker.start()
        soon(lambda: worker.there)
        wrong = Worker(replace(broker.address, password_file=str(tmp_path / "none")), store)
        with pytest.raises(BrokerAway, match="none"):
            wrong.start()
        wrong.close()
        worker.close()
        store.close()


def _same(store: Store, table: str, folder: Path) -> bool:
    return held(store, table) == journals(folder)


def _shown(output: Broker, record: MatchRecord) -> bool:
    try:
        output.show(show_of(record.match))
    except OSError:
        return False
    return True
