"""Whatever goes away while tables play, the hall's log equals each table's journal, byte for byte; and a load is borne.

The tables are all that a device has from its journal on; the hall is a process, killed as a power cut kills it.
"""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest

from device.following.show import Show
from device.hall.store import Store
from device.keeping.journal import MatchRecord
from device.outputs.broker.link import Address
from device.outputs.broker.output import Broker
from engine.match import Match
from engine.simulate import honest_match
from tests.device.hall.brokers import (
    HallProcess,
    Mosquitto,
    cut_for_a_while,
    hall_behind_wires,
    mosquitto,
    show_of,
    soon,
    three_halls,
)
from tests.device.hall.test_logs import held, journals
from tools.hall_load import main, measure

BROKER_KILLS = int(os.environ.get("HISABU_BROKER_KILLS", "50"))
HALL_KILLS = int(os.environ.get("HISABU_HALL_KILLS", "20"))
CUTS = int(os.environ.get("HISABU_NET_CUTS", "20"))
WORKER_KILLS = int(os.environ.get("HISABU_WORKER_KILLS", "10"))
TABLES = ("north", "east", "south", "west")
CATCHES_UP_S = 120.0


class Playing(threading.Thread):
    """A table that plays one match after the other until it is told to end."""

    def __init__(self, name: str, folder: Path, address: Address, pause_s: float = 0.1) -> None:
        super().__init__(name=f"table {name}", daemon=True)
        self.table, self.folder = name, folder / name
        self._output = Broker(address, name, self.folder)
        self._pause_s = pause_s
        self._ending = threading.Event()
        self._newest: Show | None = None
        self.events = 0

    def run(self) -> None:
        rng = Random(self.table)
        while not self._ending.is_set():
            record = MatchRecord.begin(self.folder, Match("turufu", 4))
            for event in honest_match(record.match.judge.game, rng, deals=30):  # type: ignore[attr-defined]
                if record.match.view.winner is not None or self._ending.is_set():
                    break
                record.add(event)
                self.events += 1
                self._newest = show_of(record.match)
                self.show()
                self._ending.wait(self._pause_s)
            record.finish()

    def show(self) -> None:
        """As the loop does, which goes on without the broker."""
        if self._newest is not None:
            try:
                self._output.show(self._newest)
            except OSError:
                self._ending.wait(self._pause_s)

    def end(self) -> None:
        """No more cards."""
        self._ending.set()
        self.join()

    def close(self) -> None:
        self._output.close()


@contextmanager
def playing(folder: Path, address: Address) -> Iterator[list[Playing]]:
    """Four tables that play."""
    tables = [Playing(name, folder, address) for name in TABLES]
    for playing in tables:
        playing.start()
    try:
        yield tables
    finally:
        for playing in tables:
            playing.end()
            playing.close()


def all_came(tables: Sequence[Playing], store_address: str) -> None:
    """The tables end, and the hall gets to hold what is in their journals, and nothing else."""
    for playing in tables:
        playing.end()
    store = Store(store_address)
    for playing in tables:
        soon(partial(_same, store, playing), CATCHES_UP_S)
    assert sum(playing.events for playing in tables) > 0
    store.close()


def _same(store: Store, table: Playing) -> bool:
    table.show()
    return held(store, table.table) == journals(table.folder)


def killed(rng: Random, broker: Mosquitto, hall: HallProcess, brokers: int, halls: int) -> None:
    """Broker and hall are killed in any order, each so many times, and started again."""
    turns: list[Mosquitto | HallProcess] = [*[broker] * brokers, *[hall] * halls]
    rng.shuffle(turns)
    for turn in turns:
        time.sleep(rng.uniform(0.2, 2.0))
        turn.restart(rng.uniform(0.0, 0.6))


@pytest.mark.slow
def test_broker_and_hall_are_killed_again_and_again_and_nothing_is_lost(tmp_path: Path) -> None:
    store = str(tmp_path / "hall.db")
    with mosquitto(tmp_path) as broker, ExitStack() as stack:
        hall = HallProcess(broker.port, store, tmp_path / "hall", page=True)
        stack.callback(hall.kill)
        hall.start()
        tables = stack.enter_context(playing(tmp_path, broker.address))
        killed(Random(1), broker, hall, BROKER_KILLS, HALL_KILLS)
        all_came(tables, store)


@pytest.mark.slow
def test_the_net_is_cut_both_ways_and_nothing_is_lost(tmp_path: Path) -> None:
    """Connections that break, and ones that stay while nothing goes through: to the broker, from it, or both."""
    store, rng = str(tmp_path / "hall.db"), Random(2)
    with (
        hall_behind_wires(tmp_path, store) as (_, _, of_tables, of_hall),
        playing(tmp_path, of_tables.address) as tables,
    ):
        for number in range(CUTS):
            time.sleep(rng.uniform(0.5, 2.0))
            cut_for_a_while(rng.choice((of_tables, of_hall)), number, rng.uniform(0.5, 4.0))
        all_came(tables, store)


@pytest.mark.slow
def test_one_of_three_workers_is_killed_every_few_seconds_and_nothing_is_lost_or_twice(
    tmp_path: Path, postgres: str
) -> None:
    rng = Random(3)
    with three_halls(tmp_path, postgres) as (broker, halls), playing(tmp_path, broker.address) as tables:
        for _ in range(WORKER_KILLS):
            time.sleep(rng.uniform(1.0, 4.0))
            rng.choice(halls).restart(rng.uniform(0.0, 1.0))
        all_came(tables, postgres)


@pytest.mark.slow
def test_a_hall_above_gets_the_logs_over_a_bridge_that_breaks(tmp_path: Path) -> None:
    """The bridge of docs/scale.md: the village's broker carries its tables to the island's, where the hall is."""
    with ExitStack() as stack:
        island = stack.enter_context(mosquitto(tmp_path))
        bridge = (Path(__file__).parents[3] / "docs/scale.md").read_text(encoding="utf-8")
        lines = bridge.partition("    connection island\n")[2].partition("\n\n")[0].splitlines()
        config = [line.strip() for line in lines if not line.strip().startswith(("remote_", "bridge_cafile"))]
        config = [f"address 127.0.0.1:{island.port}" if line.startswith("address") else line for line in config]
        assert any(line.startswith("topic") for line in config)
        village = stack.enter_context(
            mosquitto(tmp_path, ("allow_anonymous true", "connection island", *config, "restart_timeout 1"))
        )
        store = str(tmp_path / "hall.db")
        hall = HallProcess(island.port, store, tmp_path / "hall", page=True)
        stack.callback(hall.kill)
        hall.start()
        table = Playing("north", tmp_path, village.address, pause_s=0.02)
        table.start()
        stack.callback(table.close)
        seeing = Store(store)
        soon(lambda: seeing.have("north").number >= 3)
        island.kill()
        time.sleep(0.3)
        island.start()
        table.end()
        soon(partial(_same, seeing, table), CATCHES_UP_S)
        seeing.close()


@pytest.mark.slow
def test_tables_under_load_lose_nothing_and_what_they_took_is_told() -> None:
    figures = measure(5, 2.0, pace_s=0.5)
    assert (figures.events, figures.lost, figures.never_shown) == (20, 0, 0)
    assert 0 < figures.p50_s <= figures.p99_s <= figures.worst_s
    assert figures.broker_mb > 1 and figures.hall_mb > 10


@pytest.mark.slow
def test_the_command_prints_a_row_for_each_number_of_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tables", "3", "5", "--minutes", "0.05", "--pace", "0.5", "--postgres"]) == 0
    heads, _, three, five = capsys.readouterr().out.splitlines()
    assert three.startswith("| 3 | 18 |") and five.startswith("| 5 | 30 |")
    assert heads.count("|") == three.count("|")
