"""Four real devices for an evening, `hisabu run --camera simulated`; broker, hall and net go away again and again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from device.hall.store import Store
from device.keeping import settings as settings_file
from device.keeping.settings import Settings
from tests.device.hall.brokers import ROOT, Killable, cut_for_a_while, hall_behind_wires, soon, three_halls
from tests.device.hall.test_logs import held, journals
from tests.device.hall.test_outages import BROKER_KILLS, CATCHES_UP_S, CUTS, HALL_KILLS, WORKER_KILLS

pytestmark = pytest.mark.slow
EVENING_S = float(os.environ.get("HISABU_EVENING_S", "90"))
WORKERS_S = float(os.environ.get("HISABU_WORKERS_S", "60"))
PLAYED = {"turufu-four": ("turufu", 4), "triomphe": ("triomphe", 3), "turufu-two": ("turufu", 2), "mraha": ("mraha", 2)}
"""Game and players of each table."""
AWAY = "usb:9"
"""A camera that nobody has: the table is on, and nothing more happens at it."""


class Device:
    """One device: its settings, its process."""

    def __init__(self, name: str, folder: Path, port: int) -> None:
        """port: of what leads to the broker."""
        self.name, self.folder = name, folder
        game, players = PLAYED[name]
        self.matches = folder / "matches"
        folder.mkdir()
        chosen = Settings(
            language="en", build="laptop", display="none", game=game, players=players, matches=str(self.matches),
            broker=f"mqtt://127.0.0.1:{port}", table=name,
        )  # fmt: skip
        settings_file.save(folder / settings_file.FILE, chosen)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, camera: str) -> None:
        words = [sys.executable, "-m", "device.cli", "run", "--camera", camera, "--page", "off"]
        with (self.folder / "said").open("ab") as said:
            self._process = subprocess.Popen(
                [*words, "--settings", str(self.folder / settings_file.FILE)],
                cwd=ROOT, stdout=said, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Harmless twice."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def events(self) -> int:
        """So many are in its journals."""
        return sum(text.count("\n") - 1 for text in journals(self.matches))


@contextmanager
def devices(folder: Path, port: int) -> Iterator[list[Device]]:
    """All four, playing."""
    all_ = [Device(name, folder / name, port) for name in PLAYED]
    try:
        for line in all_:
            line.start("simulated")
        yield all_
    finally:
        for line in all_:
            line.stop(signal.SIGKILL)


def as_it_falls(rng: random.Random, seconds: float, acts: Sequence[Callable[[], None]]) -> None:
    """All of these, in any order, spread over so long."""
    begun_s = time.monotonic()
    at_s = sorted(rng.uniform(0.0, seconds) for _ in acts)
    for due_s, act in zip(at_s, rng.sample(acts, len(acts)), strict=True):
        time.sleep(max(0.0, begun_s + due_s - time.monotonic()))
        act()
    time.sleep(max(0.0, begun_s + seconds - time.monotonic()))


def all_came(tables: Sequence[Device], store_address: str) -> None:
    """The evening ends, the tables are switched off and on again: the hall gets to hold their journals, and no more."""
    for device in tables:
        assert device.runs, (device.folder / "said").read_text()[-2000:]
        device.stop()
        device.start(AWAY)
    store = Store(store_address)
    for device in tables:
        soon(partial(_same, store, device), CATCHES_UP_S)
        print(f"{device.name}: {len(journals(device.matches))} matches, {device.events} events")
        assert device.events > 0
    store.close()


def _same(store: Store, device: Device) -> bool:
    return device.runs and held(store, device.name) == journals(device.matches)


def test_an_evening_of_four_devices_with_broker_hall_and_net_going_away(tmp_path: Path) -> None:
    store, rng = str(tmp_path / "hall.db"), random.Random(1)
    with (
        hall_behind_wires(tmp_path, store) as (broker, hall, of_tables, of_hall),
        devices(tmp_path, of_tables.port) as tables,
    ):

        def killed(killable: Killable) -> None:
            killable.restart(rng.uniform(0.0, 0.6))

        def cut(number: int) -> None:
            cut_for_a_while(rng.choice((of_tables, of_hall)), number, rng.uniform(0.5, 4.0))

        acts = [*[partial(killed, broker)] * BROKER_KILLS, *[partial(killed, hall)] * HALL_KILLS]
        as_it_falls(rng, EVENING_S, [*acts, *(partial(cut, number) for number in range(CUTS))])
        all_came(tables, store)


def test_four_devices_on_three_workers_of_which_one_is_killed_again_and_again(tmp_path: Path, postgres: str) -> None:
    rng = random.Random(2)
    with three_halls(tmp_path, postgres) as (broker, halls), devices(tmp_path, broker.port) as tables:
        for number in range(WORKER_KILLS):
            time.sleep(WORKERS_S / WORKER_KILLS)
            halls[number % 3].restart(rng.uniform(0.0, 2.0))
        all_came(tables, postgres)
