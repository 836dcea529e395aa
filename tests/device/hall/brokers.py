"""Real counterparts for tests: a Mosquitto on a loopback port, and tables that play journals without a camera."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from device.following.facts import facts_of
from device.following.show import Show
from device.keeping.journal import Record
from device.outputs.broker.link import Address
from engine.events import Event
from engine.match import Match


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def missing(what: str) -> None:
    """A test that cannot run here says why; where all must run it fails."""
    if os.environ.get("HISABU_MUST_RUN_SERVERS"):
        raise AssertionError(what)
    pytest.skip(what)


class Mosquitto:
    """A real broker."""

    def __init__(self, folder: Path, config: Sequence[str] = ("allow_anonymous true",), tls: bool = False) -> None:
        self.path = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        if not Path(self.path).exists():
            missing("Mosquitto is not installed: apt install mosquitto")
        self.port = free_port()
        self._file = folder / f"mosquitto-{self.port}.conf"
        listener = [f"listener {self.port} 127.0.0.1"]
        self._file.write_text("\n".join([*listener, *config, "log_dest none", "user root"]) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)

    def start(self) -> "Mosquitto":
        self._process = subprocess.Popen([self.path, "-c", str(self._file)], stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
                return self
            time.sleep(0.05)
        raise AssertionError("Mosquitto did not start")

    def kill(self) -> None:
        """As a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextlib.contextmanager
def mosquitto(folder: Path, config: Sequence[str] = ("allow_anonymous true",)) -> Iterator[Mosquitto]:
    """A broker for one test."""
    broker = Mosquitto(folder, config).start()
    try:
        yield broker
    finally:
        broker.kill()


def show_of(match: Match) -> Show:
    """What a device would show of a match."""
    return Show(match.view.to_dict(), "en", extra=facts_of(match))


def add_all(record: Record, events: Sequence[Event]) -> None:
    """Events, as they happen."""
    for event in events:
        record.add(event)


def soon(what: object, within_s: float = 15.0) -> None:
    """Waits until something is so."""
    until_s = time.monotonic() + within_s
    while not what():  # type: ignore[operator]
        assert time.monotonic() < until_s, "it did not come about"
        time.sleep(0.03)
