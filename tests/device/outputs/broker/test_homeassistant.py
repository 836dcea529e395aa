"""A real Home Assistant on a real Mosquitto finds a table by itself, and runs the automations of docs/hall.md."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from tests.device.hall.brokers import ROOT, Wire, mosquitto, soon
from tests.device.outputs.broker.test_broker import Following
from tests.engine.table import deal, play, tell

pytestmark = pytest.mark.slow
HOME = "HISABU_HOMEASSISTANT"
"""Names the Python that has it."""


class Home:
    """Home Assistant in a process of its own (home.py)."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, line: str) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def has(self, **states: str) -> bool:
        """Whether these of the table's entities are in these states."""
        now = self.ask("states")
        return all(now.get(f"sensor.hisabu_table_1_{name}") == state for name, state in states.items())


@contextmanager
def home(folder: Path, port: int) -> Iterator[Home]:
    python = os.environ.get(HOME)
    if not python:
        pytest.skip(f"{HOME} names no Python that has homeassistant 2025.4.4 and paho-mqtt 2.1.0 (some 560 MB)")
    folder.mkdir()
    (folder / "configuration.yaml").write_text(configuration(), encoding="utf-8")
    words = [python, str(Path(__file__).with_name("home.py")), str(folder), str(port)]
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)
    try:
        yield Home(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0, (folder / "said").read_text()[-3000:]
    finally:
        process.kill()
        process.wait()


def documented() -> list[str]:
    """The automations that docs/hall.md tells."""
    told = (ROOT / "docs/hall.md").read_text(encoding="utf-8").partition("## Home Assistant\n")[2].partition("\n## ")[0]
    return [dedent(block.lstrip("\n")) for block in told.split("\n\n") if block.lstrip("\n").startswith("    ")]


def configuration() -> str:
    """They, as a house has them."""
    items = [f"- alias: number {number}\n{indent(topic, '  ')}\n" for number, topic in enumerate(documented())]
    return "automation:\n" + "".join(items)


def test_home_assistant_finds_a_table_shows_it_and_acts_on_it(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, home(tmp_path / "home", broker.port) as house:
        wire = Wire(broker.port)
        table = Following(wire.address, tmp_path / "table", "table-1", title="Table 1", buttons=True)
        soon(lambda: house.has(trump="spades", score_0="0", score_1="0", turn="2", question="none"), 60)
        states = house.ask("states")
        assert states["event.hisabu_table_1_alert"] == "unknown"
        assert sum(name.startswith("button.hisabu_table_1_") for name in states) == 4
        assert [call["color_name"] for call in house.ask("calls")] == ["blue"]
        before = table.logged
        house.ask("press button.hisabu_table_1_button_undo")
        house.ask("press button.hisabu_table_1_button_undo")
        soon(lambda: table.logged == before + 2)
        tell(table.live.match, deal(3, "7H"))
        table.live.trouble("hot", True)
        table.show()
        soon(lambda: house.has(trump="hearts", turn="1"))
        tell(table.live.match, play("9S", 0))
        table.live.trouble("hot", False)
        table.show()
        soon(lambda: len(house.ask("calls")) == 3)
        (_, lamp, speaker) = house.ask("calls")
        assert (lamp["service"], lamp["color_name"]) == ("light.turn_on", "red")
        assert speaker["service"] == "tts.speak" and "9♠" in speaker["message"]
        assert house.ask("states")["event.hisabu_table_1_alert"] != "unknown"
        table.loses_power(wire)
        soon(lambda: house.has(trump="unavailable", score_0="unavailable"), 60)
        again = Following(broker.address, tmp_path / "table", "table-1", title="Table 1", buttons=True)
        soon(lambda: house.has(trump="spades", score_0="0"))
        later = {call["service"] for call in house.ask("calls")[3:]}
        assert later == {"light.turn_on"}, "what was said once is not said again"
        again.output.close()
        wire.close()
        assert [line for line in house.ask("said") if line.startswith("homeassistant.components")] == []
