"""`hisabu run --camera simulated` with a phone on its page: a deal, an alert, the power gone and back."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine.events import Board
from engine.journal import read_journal
from engine.match import Match
from tests.device.outputs.page.room import phone, until

pytestmark = pytest.mark.slow
SETTINGS = """\
language = "en"
game = "{game}"
players = {players}
build = "laptop"
display = "none"
camera = "simulated"
matches = "{folder}/matches"
[options.mraha]
show_counts = true
"""
TURNS = 8


class Device:
    """The command, started as people start it."""

    def __init__(self, folder: Path, port: int, game: str = "triomphe", players: int = 3) -> None:
        self.folder, self.port = folder, port
        (folder / "settings.toml").write_text(SETTINGS.format(folder=folder, game=game, players=players))
        self.start()

    def start(self) -> None:
        words = [sys.executable, "-m", "device.cli", "run", "--page", f"127.0.0.1:{self.port}"]
        self._said = (self.folder / "said").open("a")
        told = {**os.environ, "HISABU_HOME": str(self.folder)}
        self.process = subprocess.Popen(words, env=told, stdout=self._said, stderr=subprocess.STDOUT)

    def said(self, pattern: str, seconds: float = 60.0) -> str:
        """What it printed that looks so."""
        for _ in range(round(seconds / 0.05)):
            if found := re.findall(pattern, (self.folder / "said").read_text()):
                return str(found[-1])
            time.sleep(0.05)
        raise AssertionError((self.folder / "said").read_text())

    @property
    def match(self) -> Match:
        """The match as its journal has it."""
        (path,) = (self.folder / "matches").glob("match-*.jsonl")
        return read_journal(path.read_text(encoding="utf-8")).replay()

    def stop(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(20)
        self._said.close()


def free_port() -> int:
    with socket.socket() as connection:
        connection.bind(("127.0.0.1", 0))
        return int(connection.getsockname()[1])


def page_comes_to_say(page: Any, device: Device) -> bool:
    """Whether the page shows the tricks of the match. Both go on: the camera sees its table from the start."""
    for _ in range(200):
        view = device.match.view
        tricks = [part if isinstance(part, int) else "–".join(map(str, part)) for part in view.tricks or ()]
        if page.locator(".score tbody td:nth-of-type(1)").all_inner_texts() == [str(part) for part in tricks]:
            return True
        page.wait_for_timeout(50)
    return False


def test_a_phone_follows_a_whole_deal_through_an_alert_and_a_power_cut(chromium: Any, tmp_path: Path) -> None:
    device = Device(tmp_path, free_port())
    try:
        at = device.said(r"http://127\.0\.0\.1:\d+/")
        with phone(chromium, at) as page:
            page.set_default_timeout(120_000)
            page.get_by_role("button", name="Pair", exact=True).click()
            code = device.said(r"(\d{6})\n").strip()
            page.locator(".keypad").wait_for()
            page.keyboard.type(code)
            page.locator(".keypad").wait_for(state="detached")
            until(page, "document.querySelectorAll('.felt .laid').length > 0", 120)
            page.locator("[data-test=alarm]").wait_for()
            shown = page.locator("[data-test=alarm]").inner_text()  # The later of the deal's two, on a slow machine.
            assert "put down two cards in trick 2" in shown or "Revoke: player 2 played" in shown
            device.said("put down two cards in trick 2")
            page.get_by_role("button", name="Hide on this phone").click()
            device.stop(signal.SIGKILL)
            kept = device.match.log
            page.get_by_text("No connection to the table").wait_for()
            device.start()
            page.get_by_text("No connection to the table").wait_for(state="detached")
            device.said("The match goes on")
            assert page.get_by_role("button", name="Pair", exact=True).count() == 0, "the phone is still paired"
            assert device.match.log[: len(kept)] == kept, "what was played stands"
            assert page_comes_to_say(page, device), "the page shows the score of the match that goes on"
    finally:
        device.stop(signal.SIGTERM)


def test_a_game_of_bao_that_the_camera_sees_is_followed_on_a_phone(chromium: Any, tmp_path: Path) -> None:
    device = Device(tmp_path, free_port(), "mraha", 2)
    try:
        with phone(chromium, device.said(r"http://127\.0\.0\.1:\d+/")) as page:
            page.set_default_timeout(120_000)
            page.locator(".bao .seed").first.wait_for(state="attached")
            for _ in range(2400):
                if sum(isinstance(event, Board) for event in device.match.log) >= TURNS:
                    break
                page.wait_for_timeout(100)
            for _ in range(100):
                pits = device.match.view.pits
                assert pits is not None
                counts = [count for row in pits for count in row if count]
                drawn = page.locator(".bao text.number").evaluate_all("all => all.map(one => Number(one.textContent))")
                if counts == drawn:
                    break
                page.wait_for_timeout(50)
            assert drawn == counts and len(device.match.log) >= TURNS
            page.locator(".bao .path .newest").wait_for(state="attached")
    finally:
        device.stop(signal.SIGTERM)
