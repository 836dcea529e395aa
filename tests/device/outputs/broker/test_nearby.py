"""A broker on the network is found without typing its address: what avahi is asked, and what is made of its answers."""

import os
import stat
import threading
from pathlib import Path

import pytest

from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.keeping.settings import Settings
from device.outputs.broker import nearby
from device.outputs.broker.link import Address
from device.outputs.broker.nearby import COMMAND, PUBLISH, Nearby, address_of, published
from engine.match import Match
from tests.device.hall.brokers import soon

TOLD = '=;eth0;IPv4;Hisabu\\032hall\\059;_mqtt._tcp;local;hall.local;192.0.2.7;1883;"a=b" "c;d"'


def program(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for a program of avahi's."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("line", "scheme", "address"),
    [
        (TOLD, "mqtt", "mqtt://hall.local"),
        (TOLD.replace("1883", "1900"), "mqtt", "mqtt://hall.local:1900"),
        (TOLD.replace("1883", "8883"), "mqtts", "mqtts://hall.local"),
        (TOLD.replace("hall.local", "unknown.local"), "mqtt", "mqtt://192.0.2.7"),
        (TOLD.replace("IPv4", "IPv6"), "mqtt", None),
        (TOLD.replace("=;", "+;", 1), "mqtt", None),
        (TOLD.replace("eth0", "lo"), "mqtt", None),
        (TOLD.replace("1883", "99999"), "mqtt", None),
        (TOLD.replace("1883", "x"), "mqtt", None),
        (TOLD.replace("hall.local", "user:pw@evil.local"), "mqtt", "mqtt://192.0.2.7"),
        ("", "mqtt", None),
    ],
)
def test_what_avahi_tells_becomes_an_address(line: str, scheme: str, address: str | None) -> None:
    assert address_of(line, scheme, lambda name: name == "hall.local") == address


def test_a_broker_that_is_there_comes_into_the_menu_and_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = TOLD.replace("hall.local", "localhost")  # A name that every machine knows.
    program(tmp_path, COMMAND, f"[ $4 = _mqtt._tcp ] && echo '{told}'", monkeypatch)
    kept: list[Settings] = []
    table = LiveTable(
        InMemory(Match("turufu", 4)), Settings(language="en"), lambda now: InMemory(Match("turufu", 4)), kept.append
    )
    table.brokers_nearby = Nearby()
    table.press(Press("C", long=True))

    def listed() -> bool:
        table.trouble("hot", False)  # As whatever happens at the table, it has the menu look again.
        assert table.show.page is not None
        return table.show.page.lines[-1] == "Broker: no"

    soon(listed)
    assert table.show.page is not None
    for _ in range(len(table.show.page.lines) - 1):
        table.press(Press("A"))
    for button in "CAC":
        table.press(Press(button))
    assert (kept[-1].broker, kept[-1].broker_on) == ("mqtt://localhost", True)
    table.trouble("broker_away", True)
    assert table.show.page.lines[-1] == "Broker: not connected"


def test_avahi_is_asked_now_and_then_and_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]
    look = Nearby(lambda: now_s[0])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert look() == ()
    soon(lambda: "brokers nearby" not in {thread.name for thread in threading.enumerate()})  # It looked.
    monkeypatch.undo()
    asked = tmp_path / "asked"
    program(tmp_path, COMMAND, f'echo "$4" >>{asked}', monkeypatch)
    for _ in range(3):
        look()
    assert not asked.exists(), "the look before is not ten seconds ago"
    now_s[0] = 11.0
    look()
    soon(lambda: asked.exists() and sorted(asked.read_text().split()) == ["_mqtt._tcp", "_secure-mqtt._tcp"])


def test_a_hall_says_where_its_broker_is_if_others_get_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    asked = tmp_path / "asked"
    program(tmp_path, PUBLISH, f'echo "$*" >>{asked}; exec sleep 60', monkeypatch)
    with socket.create_server(("127.0.0.2", 0)) as broker:
        port = int(broker.getsockname()[1])
        monkeypatch.setattr(nearby, "own_address", lambda: "127.0.0.3")
        assert published(Address("localhost", port)) is None, "it is there for its own machine alone"
        monkeypatch.setattr(nearby, "own_address", lambda: "127.0.0.2")
        assert published(Address("another.local", port)) is None
        process = published(Address("localhost", port))
        assert process is not None
        soon(lambda: asked.exists() and asked.read_text() == f"--no-fail --service Hisabu _mqtt._tcp {port}\n")
        process.terminate()
        process.wait()
