"""hisabu pins: every lamp, the sound and every button of what was built, on pins that only record."""

import time
from collections.abc import Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.commands import pins as command
from device.commands.pins import _press
from device.machine.wiring import load


@pytest.fixture
def header() -> Iterator[MockFactory]:
    """The header of a Pi whose pins record what is done with them."""
    before, gpiozero.Device.pin_factory = gpiozero.Device.pin_factory, MockFactory(pin_class=MockPWMPin)
    yield gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory.reset()
    gpiozero.Device.pin_factory = before


def test_a_pressed_button_is_named_and_the_others_are_missed(
    header: MockFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    buttons = dict(load().signals["buttons"])
    monkeypatch.setattr(time, "sleep", lambda _: header.pin(f"GPIO{buttons['B']}").drive_low())
    left = _press(buttons, "en", limit_s=0.05)
    assert left == {"A", "C"}
    assert "B is pressed" in capsys.readouterr().out


def test_each_lamp_shines_alone_and_is_dark_afterwards(header: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = load().signals["suit_lamps"]
    shone: list[float] = []
    monkeypatch.setattr(time, "sleep", lambda _: shone.append(header.pin(f"GPIO{lamps['C']}").state))
    command._light(lamps["C"], 0.7)
    assert shone == [1.0]
    assert header.pin(f"GPIO{lamps['C']}").state in (0, 0.0)


def test_every_lamp_sound_and_button_of_the_minimal_build_is_tried(
    header: MockFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wiring = load()

    def press_all(_: Any) -> None:
        for pin in wiring.signals["buttons"].values():
            header.pin(f"GPIO{pin}").drive_low()

    monkeypatch.setattr(time, "sleep", press_all)
    arguments = type("Args", (), {"lang": "en", "seconds": 0.0})()
    assert command.run_pins(arguments) == 0
    said = capsys.readouterr().out
    wired = wiring.pins("minimal")
    for (group, name), pin in wired.items():
        if group.endswith("lamps"):
            assert f"lamp {name} was on (GPIO{pin})" in said
    assert "three tones" in said and "All buttons answer" in said
