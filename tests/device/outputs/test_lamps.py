"""The lamps of the minimal build, seen on the wire."""

import time
from typing import Any, ClassVar

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from device.following.show import Prompt, Show
from device.machine.pins import PinsAway
from device.machine.wiring import load
from device.outputs import lamps
from device.outputs.lamps import Lamps, pattern

PINS = {name: pin for (group, name), pin in load().pins("minimal").items() if "lamps" in group}
PLAYING: dict[str, Any] = {"game": "turufu", "phase": "play", "sides": [0, 1, 0, 1], "trump": "H", "turn": 1}


class Wire(MockPWMPin):  # type: ignore[misc]
    """A pin that can be lost: every write to it fails then, as lgpio says it."""

    lost: ClassVar[set[int]] = set()

    def _set_state(self, value: float) -> None:
        if value and self.info.name == f"GPIO{next(iter(Wire.lost), None)}":
            raise LgpioError("bad GPIO write")
        super()._set_state(value)


class LgpioError(Exception):
    """lgpio.error, a plain exception."""


LgpioError.__module__ = "lgpio"


def levels(factory: MockFactory) -> dict[str, float]:
    return {name: round(factory.pin(PINS[name]).state, 3) for name in (*"CDHS", "side_0", "side_1")}


def wait_for(condition: Any, limit_s: float = 5.0) -> bool:
    until = time.monotonic() + limit_s
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return bool(condition())


def dark(**lit: float) -> dict[str, float]:
    return {"C": 0, "D": 0, "H": 0, "S": 0, "side_0": 0, "side_1": 0} | lit


def test_the_trump_and_the_side_to_move_shine(mock_pins: MockFactory) -> None:
    output = Lamps()
    output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins) == dark(H=1, side_1=1))
    output.show(Show(PLAYING | {"turn": 2, "trump": "C"}))
    assert wait_for(lambda: levels(mock_pins) == dark(C=1, side_0=1))
    output.show(Show({}))
    assert wait_for(lambda: levels(mock_pins) == dark())
    output.close()


def test_mraha_lights_the_side_to_move(mock_pins: MockFactory) -> None:
    output = Lamps()
    output.show(Show({"game": "mraha", "phase": "munia", "turn": 1, "sides": [0, 1]}))
    assert wait_for(lambda: levels(mock_pins) == dark(side_1=1))
    output.close()


def test_brightness_is_the_duty_of_the_wire(mock_pins: MockFactory) -> None:
    output = Lamps()
    output.show(Show(PLAYING, brightness=0.25))
    assert wait_for(lambda: levels(mock_pins) == dark(H=0.25, side_1=0.25))
    output.show(Show(PLAYING, brightness=0.5))
    assert wait_for(lambda: levels(mock_pins) == dark(H=0.5, side_1=0.5))
    output.close()


def test_an_alert_blinks_both_sides_until_it_is_gone(mock_pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lamps, "ALERT_HALF_S", 0.02)
    output = Lamps()
    output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins) == dark(H=1, side_1=1))
    pin: MockPin = mock_pins.pin(PINS["side_0"])
    pin.clear_states()
    output.show(Show(PLAYING, alert="Out of turn."))
    assert wait_for(lambda: len(pin.states) >= 7)
    assert [state for _, state in pin.states[:7]] == [0, 1, 0, 1, 0, 1, 0]
    assert all(after >= 0.015 for after, _ in pin.states[2:7])
    assert mock_pins.pin(PINS["H"]).state == 1
    output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins) == dark(H=1, side_1=1))
    pin.clear_states()
    time.sleep(0.1)
    assert len(pin.states) == 1
    output.close()


@pytest.mark.parametrize(("show", "blinking"), [
    (Show(PLAYING | {"turn": None, "last_winner": 2}), {"side_0"}),
    (Show(PLAYING | {"winner": 1}), {"side_1"}),
    (Show({"game": "mraha", "sides": [0, 1], "winner": 0}), {"side_0"}),
    (Show(PLAYING | {"sides": [0, 1, 2, 3], "turn": None, "last_winner": 3}), set()),
    (Show(PLAYING, prompt=Prompt("Which?", ("yes", "no"))), {"side_0", "side_1"}),
])  # fmt: skip
def test_who_took_the_trick_or_the_match_blinks_calmly(show: Show, blinking: set[str]) -> None:
    found = pattern(show)
    assert {name for _, name in found.blinking} == blinking
    assert found.half_s == lamps.CALM_HALF_S


def test_a_match_that_nobody_won_lights_both_sides() -> None:
    """One side alone has a turn, and two that blink are a question."""
    drawn = pattern(Show({"game": "awale", "sides": [0, 1], "phase": "over"}))
    assert {name for _, name in drawn.lit} == {"side_0", "side_1"} and not drawn.blinking


def test_closing_leaves_no_lamp_lit_and_may_be_shown_to_again(mock_pins: MockFactory) -> None:
    output = Lamps()
    output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins)["H"] == 1)
    output.close()
    output.close()
    assert all(mock_pins.pin(PINS[name]).function == "input" for name in (*"CDHS", "side_0", "side_1"))
    output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins)["H"] == 1)
    output.close()


def test_a_lamp_that_fails_when_it_is_lit_leaves_the_others(mock_pins: MockFactory) -> None:
    mock_pins.pin_class = Wire
    output = Lamps()
    output.show(Show({}))
    Wire.lost = {PINS["H"]}
    with pytest.raises(PinsAway, match="bad GPIO write"):
        output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins) == dark(side_1=1))
    with pytest.raises(PinsAway):  # Still: until it shone.
        output.show(Show(PLAYING | {"trump": "C"}))
    assert wait_for(lambda: levels(mock_pins) == dark(C=1, side_1=1))
    Wire.lost = set()
    output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins) == dark(H=1, side_1=1))
    output.close()


def test_a_pin_somebody_else_holds_is_told_and_the_other_lamps_shine(mock_pins: MockFactory) -> None:
    other = LED(PINS["side_0"])
    output = Lamps()
    for _ in range(2):
        with pytest.raises(PinsAway, match="another program"):
            output.show(Show(PLAYING))
    assert wait_for(lambda: levels(mock_pins) == dark(H=1, side_1=1))
    other.close()
    output.show(Show(PLAYING | {"turn": 2}))
    assert wait_for(lambda: levels(mock_pins) == dark(H=1, side_0=1))
    output.close()


def test_a_machine_without_pins_is_told_what_to_do() -> None:
    with pytest.raises(PinsAway, match="python3-lgpio"):
        Lamps().show(Show(PLAYING))


def test_an_alert_blinks_no_faster_than_eyes_prone_to_fits_bear() -> None:
    assert 1 / (2 * lamps.ALERT_HALF_S) <= 3


def test_every_lamp_shines_while_they_are_tried() -> None:
    lit = pattern(Show({}, "en", trying=True)).lit
    assert len(lit) == 6 and {group for group, _ in lit} == {"suit_lamps", "side_lamps"}
