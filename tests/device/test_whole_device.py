"""A drawn table, filmed, followed and shown on everything at once: pins, glass, buzzer, panel, terminal, journal."""

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.cameras.simulated import SimulatedCamera
from device.commands.demo import one_deal
from device.following.live import LiveTable
from device.following.loop import run_through
from device.following.show import Output, Show
from device.keeping import journal
from device.keeping.journal import MatchRecord
from device.keeping.settings import Settings
from device.machine.wiring import load
from device.outputs.buzzer import Buzzer
from device.outputs.display.wired import Display
from device.outputs.lamps import Lamps
from device.outputs.panel import PanelOutput
from device.outputs.terminal import TerminalOutput
from engine.events import Taken
from engine.match import Match
from engine.referee.card_game import CardJudge
from tests.device.outputs.display.test_wired import Recorder
from tests.sizes import slow
from tools.stand_ins.pico import Pico, looks_for_its_host
from vision.synthetic.play_cards import DrawnCardTable

WIRING = load()
SUITS = {("suit_lamps", suit): pin for (group, suit), pin in WIRING.pins("minimal").items() if group == "suit_lamps"}


class Noting:
    """An output that notes what the others were shown, and looks at the wires."""

    name = "notes"

    def __init__(self, pins: MockFactory, pico: Pico) -> None:
        self.pins, self.pico = pins, pico
        self.alerts: list[str] = []
        self.suits_lit: set[str] = set()
        self.suits_on_the_panel: set[str] = set()

    def show(self, show: Show) -> None:
        """Looks at what the outputs before it made of it."""
        if show.alert:
            self.alerts.append(show.alert)
        self.suits_lit |= {suit for (_, suit), pin in SUITS.items() if self.pins.pin(pin).state}
        if self.pico.strips and not looks_for_its_host(self.pico.strips[-1]):
            strip = self.pico.strips[-1]
            self.suits_on_the_panel |= {suit for suit in "CDHS" if any(strip[WIRING.panel.index[suit]])}

    def close(self) -> None:
        """Nothing to let go of."""


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """Pins that record; luma keeps threads of its own, so none are counted here."""
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = None


@pytest.fixture
def pico() -> Iterator[Pico]:
    with Pico() as pico:
        pico.boot()
        yield pico


@pytest.mark.parametrize(("tricks", "size"), [(1, (480, 360)), *slow((2, (960, 720)), (5, (960, 720)))])
def test_what_is_played_reaches_every_output_and_the_disk(
    pins: MockFactory, pico: Pico, tmp_path: Path, tricks: int, size: tuple[int, int]
) -> None:
    settings = Settings(language="en", game="triomphe", players=2, matches=str(tmp_path))
    match = Match("triomphe", 2)
    assert isinstance(match.judge, CardJudge)
    happens = one_deal(match.judge.game, Random(1))
    leads = [place for place, event in enumerate(happens) if isinstance(event, Taken)]
    camera = SimulatedCamera(
        DrawnCardTable(match.judge.game, 1, size), happens[: leads[tricks - 1] + 1], real_time=False
    )
    glass: Any = Recorder()
    said = io.StringIO()
    table = LiveTable(MatchRecord.begin(tmp_path, match), settings, begin=lambda _: MatchRecord.begin(tmp_path, match))
    with contextlib.closing(PanelOutput(f"socket://127.0.0.1:{pico.live()}")) as panel:
        noting = Noting(pins, pico)
        outputs: list[Output] = [
            Lamps(), Buzzer(), Display("ssd1306", serial=lambda: glass), panel, TerminalOutput(said, live=False),
            noting,
        ]  # fmt: skip
        run_through(camera, table, outputs)
        for output in outputs:
            output.close()
    table.close()
    trump = table.match.view.trump
    told = {notice.facts["trick"] for notice in table.match.notices if notice.code == "trick"}
    assert told == {*range(1, tricks + 1)}
    assert tricks == 1 or "put down two cards in trick 2" in said.getvalue()
    if tricks == 5:
        assert table.match.view.phase == "deal_over"
        assert any("Revoke: player" in alert for alert in noting.alerts)
    assert noting.suits_lit == {trump} == noting.suits_on_the_panel
    assert len(glass.pixels()) > 10 * 128 * 8  # More than ten pictures.
    assert table.show.troubles == ()
    resumed = journal.resume(tmp_path).record
    assert resumed is not None
    assert resumed.match.view == table.match.view
    resumed.close()
