"""hisabu pins: every lamp, the sound and every button of what was built, on pins that only record."""

import argparse
import time
from collections.abc import Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.commands import pins as command
from device.machine.wiring import load

ASKED = argparse.Namespace(lang="en", seconds=0.0)


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
    buttons = load().signals["buttons"]
    monkeypatch.setattr(time, "sleep", lambda _: header.pin(f"GPIO{buttons['B']}").drive_low())
    monkeypatch.setattr(command, "PRESS_S", 0.05)
    assert command.run_pins(ASKED) == 1
    *_, pressed, missing = capsys.readouterr().out.splitlines()
    assert pressed == "B is pressed" and "A, C" in missing.replace(" and ", ", ")


def test_each_lamp_shines_alone_and_is_dark_afterwards(header: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = [pin for (group, _), pin in load().pins("minimal").items() if group in ("suit_lamps", "side_lamps")]
    shone: list[list[int]] = []
    monkeypatch.setattr(
        time, "sleep", lambda _: shone.append([pin for pin in lamps if header.pin(f"GPIO{pin}").state == 1.0])
    )
    monkeypatch.setattr(command, "PRESS_S", 0.0)
    command.run_pins(ASKED)
    assert shone[: len(lamps)] == [[pin] for pin in lamps]
    assert not any(header.pin(f"GPIO{pin}").state for pin in lamps)


def test_every_lamp_sound_and_button_of_the_minimal_build_is_tried(
    header: MockFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wiring = load()

    def press_all(_: Any) -> None:
        for pin in wiring.signals["buttons"].values():
            header.pin(f"GPIO{pin}").drive_low()

    monkeypatch.setattr(time, "sleep", press_all)
    assert command.run_pins(ASKED) == 0
    said = capsys.readouterr().out
    wired = wiring.pins("minimal")
    for (group, name), pin in wired.items():
        if group.endswith("lamps"):
            assert f"lamp {name} was on (GPIO{pin})" in said
    assert "three tones" in said and "All buttons answer" in said
