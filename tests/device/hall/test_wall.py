"""A hall without a broker: its wall stands whatever a table shows, who comes first, and what goes to a table."""

import asyncio
import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from device.following.keeper import InMemory
from device.following.live import LiveTable, TooLate
from device.hall.site import HallSite
from device.hall.store import Store
from device.hall.worker import TableNow, Worker
from device.keeping.settings import Settings
from device.outputs.broker.link import Address
from device.outputs.broker.messages import START, Logged, chained, packed, topic
from device.outputs.broker.output import asked, told
from device.web.site import Refused, Visitor
from engine.match import Match
from tests.device.hall.brokers import soon
from tests.device.hall.test_desk import LateTable, Table, begun, draw
from tests.engine.table import deal, play, tell


class Noting(Store):
    """Notes whose lines it is given, in order."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.given: list[str] = []

    def take_all(self, lines: Iterable[tuple[str, Logged]]) -> dict[str, list[str]]:
        given = list(lines)
        self.given += [table for table, _ in given]
        return super().take_all(given)


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    """Of a hall whose broker is away; two tables are there."""
    store = Store(str(tmp_path / "hall.db"))
    worker = Worker(Address("127.0.0.1", 1), store)
    worker.tables = {name: TableNow(name, name, online=True) for name in ("odd", "b")}
    yield worker
    store.close()


@pytest.fixture
def wall(worker: Worker, tmp_path: Path) -> HallSite:
    """That hall's page, and nobody looks at it."""
    return HallSite(worker.store, worker, tmp_path, "en", lambda code: None)


@pytest.mark.parametrize("view", [{"seats": 3}, {"view": 3}, {"scores": [float("nan")]}, {"prompt": [1]}])
def test_what_no_check_of_a_message_found_is_a_fault_of_its_table_alone(
    wall: HallSite, worker: Worker, view: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    worker.tables["odd"].view = view
    for _ in range(3):
        wall.refresh()
    shown = wall.state["tables"]
    assert (shown["odd"]["trouble"], shown["b"]["needs"]) == ("odd", None)
    assert len(caplog.records) == 1, "said once, and not four times a second"


def test_the_wall_goes_on_after_what_nobody_foresaw(wall: HallSite, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def refresh() -> None:
        seen.append("")
        if len(seen) == 1:
            raise LookupError("nobody foresaw it")

    monkeypatch.setattr(wall, "refresh", refresh)
    monkeypatch.setattr("device.hall.site.EVERY_S", 0.01)

    async def goes() -> None:
        task = asyncio.create_task(wall.keep_up())
        while len(seen) < 3 and not task.done():
            await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(goes())


def test_the_wall_goes_on_while_a_log_takes_long_to_judge(
    wall: HallSite, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def take_results(over: Mapping[str, bool]) -> set[str]:
        begun.set()
        may_end.wait(5.0)
        return set()

    monkeypatch.setattr(wall.office.desk, "take_results", take_results)
    monkeypatch.setattr("device.hall.site.EVERY_S", 0.01)

    async def goes() -> bool:
        task = asyncio.create_task(wall.keep_up())
        while not begun.is_set():
            await asyncio.sleep(0.01)
        worker.tables["new"] = TableNow("new", "new", online=True)
        for _ in range(50):
            await asyncio.sleep(0.01)
        shown = "new" in wall.state["tables"]
        may_end.set()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        return shown

    assert asyncio.run(goes())


def test_what_an_arbiters_phone_asks_of_a_table_is_looked_up_there(
    wall: HallSite, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it comes from the page, with whatever rides along; nothing else goes to the table."""
    sent: list[Any] = []

    def command(table: str, command: Mapping[str, Any]) -> bool:
        sent.append((table, command))
        return True

    monkeypatch.setattr(worker, "command", command)
    wall.phones.add("Moina", "arbiter")
    arbiter = Visitor(web.WebSocketResponse(), wall.phones.all()[0])

    def ask(do: str, **more: Any) -> None:
        facts = {"table": "b", "why": "he asked", "command": {"do": do, "by": "somebody else", "name": "Ali", **more}}
        asyncio.run(wall.asked(arbiter, "command", facts))

    for do in ("forget", "seat", "new_match", "correct"):
        with pytest.raises(Refused, match="not_allowed"):
            ask(do, number=1, changes={}, names=["Ali"])
    ask("undo")
    assert sent == [("b", {"do": "undo", "by": "Moina"})]


def test_of_two_arbiters_who_take_back_the_same_event_the_second_is_told_so(
    wall: HallSite, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH", 0), play("2H", 1))
    table = LiveTable(InMemory(match), Settings(language="en"), lambda settings: InMemory(Match("turufu", 4)))

    def command(name: str, command: Mapping[str, Any]) -> bool:
        asked(command)(table)
        return True

    def ask(name: str, events: int) -> None:
        facts = {"table": "b", "why": f"{name} saw it", "command": {"do": "undo", "events": events}}
        asyncio.run(wall.asked(Visitor(web.WebSocketResponse(), phones[name]), "command", facts))

    monkeypatch.setattr(worker, "command", command)
    for name in ("Moina", "Halima"):
        wall.phones.add(name, "arbiter")
    phones = {phone.name: phone for phone in wall.phones.all()}
    worker.tables["b"].view = told(table.show)
    assert worker.tables["b"].view["events"] == 3
    ask("Moina", 3)
    with pytest.raises(TooLate):
        ask("Halima", 3)  # The table refuses it, though the hall has not heard of the first yet.
    worker.tables["b"].view = told(table.show)
    with pytest.raises(Refused, match="moved_on"):
        ask("Halima", 3)
    assert [event.number for event in table.match.told] == [1, 2], "the ace is still played"
    assert [why for _, _, _, why in worker.store.notes()] == ["Moina saw it"]


def test_the_round_begins_after_the_matches_that_a_table_says_it_has(
    wall: HallSite, worker: Worker, tmp_path: Path
) -> None:
    worker.hear(topic("a", "status"), packed({"online": True, "newest": 1}), False)
    desk, table = wall.office.desk, LateTable(worker.store, tmp_path, "a", ())
    table.play(1)
    subject = begun(desk, many=2, devices=["a"])
    draw(desk, subject)
    Table.send(table)
    assert desk.take_results({"a": True}) == set()
    table.play(2)
    Table.send(table)
    assert desk.take_results({"a": True}) == {subject}


class Commanded:
    """Notes who is told to sit where, and pairs tables."""

    def __init__(self, wall: HallSite, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[tuple[str, tuple[str, ...]]] = []
        self.worker, self.desk = worker, wall.office.desk
        monkeypatch.setattr(worker, "command", self._command)
        for table in ("a", "b"):
            worker.tables[table] = TableNow(table, table, online=True, paired=True)

    def _command(self, table: str, command: Mapping[str, Any]) -> bool:
        if self.worker.tables[table].paired:
            self.told.append((table, command["names"]))
        return self.worker.tables[table].paired

    def by(self, wall: HallSite) -> list[tuple[str, tuple[str, ...]]]:
        """Who was told to sit where since the last time, once a hall looked at it."""
        wall._read_on()
        told, self.told = self.told, []
        return [(table, tuple(sorted(names))) for table, names in told]

    def drawn(self, *names: str, tables: Sequence[str] = ("a",)) -> str:
        subject = begun(self.desk, many=0, devices=tables)
        self.desk.ask(subject, "x", {"do": "enter", "text": "\n".join(names)})
        draw(self.desk, subject)
        return subject


@pytest.fixture
def seats(wall: HallSite, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Commanded:
    return Commanded(wall, worker, monkeypatch)


@pytest.mark.parametrize("leaves", ["move", "undrawn", "end"])
def test_who_leaves_a_table_does_not_stay_seated_at_it(wall: HallSite, seats: Commanded, leaves: str) -> None:
    subject = seats.drawn("Ali", "Zaïna", tables=("a", "b"))
    assert seats.by(wall) == [("a", ("Ali", "Zaïna"))]
    what = {"do": leaves, **({"round": 0, "at": 0, "table": 2} if leaves == "move" else {})}
    seats.desk.ask(subject, "x", what, "the camera fell")
    assert sorted(seats.by(wall)) == [("a", ()), *([("b", ("Ali", "Zaïna"))] if leaves == "move" else [])]
    assert seats.by(wall) == []


def test_who_could_not_be_told_sits_down_once_the_table_is_paired_or_there(wall: HallSite, seats: Commanded) -> None:
    seats.worker.tables["a"].paired = False
    seats.worker.tables["b"].online = False
    seats.drawn("Ali", "Zaïna", "Saïd", "Moina", tables=("a", "b"))
    assert seats.by(wall) == []
    seats.worker.tables["a"].paired = True
    assert [table for table, _ in seats.by(wall)] == ["a"]
    seats.worker.tables["b"].online = True
    assert [table for table, _ in seats.by(wall)] == ["b"]


def test_a_hall_that_starts_again_or_stands_beside_another_seats_nobody_twice_and_has_them_get_up(
    wall: HallSite, seats: Commanded, worker: Worker, tmp_path: Path
) -> None:
    subject = seats.drawn("Ali", "Zaïna")
    assert seats.by(wall) == [("a", ("Ali", "Zaïna"))]
    again = HallSite(worker.store, worker, tmp_path, "en", lambda code: None)
    assert seats.by(again) == []
    again.office.desk.ask(subject, "x", {"do": "result", "round": 0, "at": 0, "games": [4, 1]})
    assert seats.by(again) == [("a", ())]
    assert seats.by(wall) == []


def test_who_sits_by_another_halls_draw_is_not_told_to_get_up(
    wall: HallSite, seats: Commanded, worker: Worker, tmp_path: Path
) -> None:
    again = HallSite(worker.store, worker, tmp_path, "en", lambda code: None)
    subject = seats.drawn("Ali", "Zaïna")
    assert seats.by(wall) == [("a", ("Ali", "Zaïna"))]
    again._seat_players()
    assert seats.told == [] and subject in again._read_on()


def test_a_tournament_that_goes_on_keeps_its_players_seated_when_another_changes(
    wall: HallSite, seats: Commanded
) -> None:
    ended = seats.drawn("Saïd", "Moina")
    seats.desk.ask(ended, "x", {"do": "result", "round": 0, "at": 0, "games": [4, 1]})
    seats.drawn("Ali", "Zaïna")
    assert seats.by(wall) == [("a", ("Ali", "Zaïna"))]
    seats.desk.ask(ended, "x", {"do": "end"})
    assert seats.by(wall) == []


def test_last_weeks_match_that_nobody_played_neither_seats_its_players_again_nor_takes_todays_result(
    wall: HallSite, seats: Commanded, worker: Worker, tmp_path: Path
) -> None:
    table = Table(worker.store, tmp_path, "a", ())
    table.play(3)
    last_week = seats.drawn("Ali", "Zaïna")
    today = seats.drawn("Saïd", "Moina")
    assert seats.by(wall) == [("a", ("Moina", "Saïd"))]
    table.play(1)
    assert seats.desk.take_results({"a": True}) == {today}
    assert seats.by(wall) == [("a", ())]
    table.play(5)
    assert seats.desk.take_results({"a": True}) == set()
    seats.desk.ask(today, "x", {"do": "end"})
    assert seats.by(wall) == [], "nor once today's is over"
    table.play(7)
    assert seats.desk.take_results({"a": True}) == set()
    assert seats.desk.book(last_week)[0].open == 1


def test_a_match_that_goes_on_while_another_tournament_is_drawn_is_still_its_own_ones(
    seats: Commanded, worker: Worker, tmp_path: Path
) -> None:
    table = Table(worker.store, tmp_path, "a", ())
    table.play(3)
    goes_on = seats.drawn("Ali", "Zaïna")
    record = table.play_on(1)
    seats.drawn("Saïd", "Moina")
    assert seats.desk.take_results({"a": True}) == {goes_on}
    record.close()


def test_a_draw_that_was_taken_back_gives_nobody_the_table(wall: HallSite, seats: Commanded) -> None:
    first = seats.drawn("Ali", "Zaïna")
    seats.desk.ask(first, "x", {"do": "result", "round": 0, "at": 0, "games": [4, 1]})
    seats.drawn("Saïd", "Moina")
    draw(seats.desk, first)
    assert seats.by(wall) == [("a", ("Ali", "Zaïna"))]
    seats.desk.ask(first, "x", {"do": "undrawn"}, "too soon")
    assert seats.by(wall) == [("a", ("Moina", "Saïd"))]


def test_a_name_too_long_for_a_table_is_said_beside_the_match(wall: HallSite, seats: Commanded) -> None:
    subject = seats.drawn("Ali", "Mohamed Abdoulatuf")
    assert seats.by(wall) == []
    (meeting,) = wall.office.tournament(subject)["rounds"][0]["meetings"]
    assert meeting["long"] == ["Mohamed Abdoulatuf"]


def test_a_tournaments_tables_are_numbered_as_their_devices_are_and_none_is_a_name_that_is_gone(
    wall: HallSite, worker: Worker
) -> None:
    there = {f"table-{number}": TableNow(f"table-{number}", online=True) for number in (10, 2, 1)}
    worker.tables = {**there, "gone": TableNow("gone"), "table-3": TableNow("table-3", paired=True)}
    wall.phones.add("Moina", "arbiter")
    arbiter = Visitor(web.WebSocketResponse(), wall.phones.all()[0])
    facts = {"title": "Mwaka", "form": "swiss", "side": 1, "devices": True}
    subject = asyncio.run(wall.asked(arbiter, "begin", facts))
    devices = [spot.device for spot in wall.office.desk.book(subject)[0].spots]
    assert devices == ["table-1", "table-2", "table-3", "table-10"]


def test_lines_of_strangers_are_paced_together_and_wait_behind_those_of_paired_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.hall.worker.UNCONFIRMED_A_SECOND", 50.0)
    store, key = Noting(tmp_path / "hall.db"), b"k" * 32
    store.set_key("a", key)
    worker = Worker(Address("127.0.0.1", 1), store, clock=lambda: 1000.0)
    line = Logged("ab" * 16, 1, 0, chained(START, "{}"), "{}")
    for number in range(100):
        worker.hear(topic(f"m{number}", "event"), line.pack(), False)
    worker.hear(topic("a", "event"), line.pack(key, "a"), False)
    worker.start()
    soon(lambda: len(store.given) >= 51)
    worker.close()
    assert store.given[0] == "a" and len(store.given) == 51
    store.close()


def test_a_line_longer_than_any_event_is_refused(tmp_path: Path) -> None:
    store, junk = Noting(tmp_path / "hall.db"), "x" * 60_000
    worker = Worker(Address("127.0.0.1", 1), store)
    for text in (junk, "{}"):
        worker.hear(topic("a", "event"), Logged("ab" * 16, 1, 0, chained(START, text), text).pack(), False)
    worker.start()
    soon(lambda: store.given)
    worker.close()
    assert store.given == ["a"] and store.journal("a", "ab" * 16) == "{}\n"
    store.close()


def test_what_is_refused_stands_in_the_log_under_its_topic(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Noting(tmp_path / "hall.db")
    worker = Worker(Address("127.0.0.1", 1), store)
    for what in ("view", "event"):
        worker.hear(f"hisabu/a/{what}", b"[", False)
    worker.start()

    def refused() -> list[str]:
        said = [record.getMessage().partition(":")[0] for record in caplog.records]
        return [name for name in said if name.startswith("hisabu/")]

    soon(lambda: len(refused()) == 2)
    worker.close()
    assert refused() == ["hisabu/a/view", "hisabu/a/event"] and store.given == []
    store.close()
