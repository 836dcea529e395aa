"""The buttons: debounced, short and long, on gpiozero's mock pins and by the clock."""

import time
from itertools import pairwise

import pytest
from gpiozero import LED, Button
from gpiozero.pins.mock import MockFactory, MockPin

from device import buttons
from device.buttons import BOUNCE_S, LONG_S, REPEAT_S, Buttons, Contact
from device.following.press import Press
from device.machine.pins import PinsAway
from device.machine.wiring import load

PINS = {name: pin for (group, name), pin in load().pins("standard").items() if group == "buttons"}


SLOW_BOUNCE_S = 0.1
"""On the wire: a busy machine may keep a test waiting between two edges, and that is no press."""


def played(button: str, *edges_s: float, until_s: float) -> list[tuple[float, Press]]:
    """What a contact hears of edges at these times, asked whenever it wants to be asked, and when."""
    contact, down = Contact(button), False
    heard: list[tuple[float, Press]] = []
    waiting = list(edges_s)
    while True:
        times = [t for t in (contact.due_s, waiting[0] if waiting else None) if t is not None and t <= until_s]
        if not times:
            return heard
        now_s = min(times)
        if waiting and waiting[0] == now_s:
            waiting.pop(0)
            down = not down
            contact.edge(down, now_s)
        heard += [(round(now_s, 3), press) for press in contact.presses(down, now_s)]


def test_a_short_press_is_heard_once_it_is_let_go() -> None:
    assert played("A", 1.0, 1.2, until_s=9) == [(1.2 + BOUNCE_S, Press("A"))]


def test_bouncing_contacts_press_once() -> None:
    bouncing = (1.0, 1.002, 1.003, 1.007, 1.009, 1.3, 1.304, 1.309)
    assert played("A", *bouncing, until_s=9) == [(1.329, Press("A"))]


def test_a_spark_is_no_press() -> None:
    assert played("A", 1.0, 1.01, 2.0, 2.004, until_s=9) == []


def test_a_long_press_is_heard_while_it_is_held_and_nothing_after() -> None:
    assert played("C", 1.0, 4.0, until_s=9) == [(1.0 + LONG_S, Press("C", long=True))]


def test_holding_b_repeats() -> None:
    heard = played("B", 1.0, 1.0 + LONG_S + 2.5 * REPEAT_S, until_s=20)
    assert [press for _, press in heard] == [Press("B", True), Press("B", True, True), Press("B", True, True)]
    assert [round(b - a, 3) for (a, _), (b, _) in pairwise(heard)] == [REPEAT_S, REPEAT_S]


def test_a_spark_while_it_is_held_changes_nothing() -> None:
    assert [press for _, press in played("A", 1.0, 1.3, 1.31, 3.0, until_s=9)] == [Press("A", long=True)]


def test_a_press_counts_although_nobody_asked_while_it_lasted() -> None:
    contact = Contact("A")
    contact.edge(True, 1.0)
    contact.edge(False, 1.2)
    assert contact.presses(down=False, at_s=9.0) == [Press("A")]


def test_a_long_press_counts_although_nobody_asked_while_it_lasted() -> None:
    contact = Contact("C")
    contact.edge(True, 1.0)
    contact.edge(False, 3.0)
    assert contact.presses(down=False, at_s=9.0) == [Press("C", long=True)]


def test_a_lost_edge_does_not_hold_a_button_for_ever() -> None:
    contact = Contact("B")
    contact.edge(True, 1.0)
    assert contact.presses(down=True, at_s=1.1) == []
    assert contact.presses(down=False, at_s=1.0 + LONG_S) == []
    assert contact.presses(down=False, at_s=1.0 + LONG_S + BOUNCE_S) == [Press("B")]
    assert contact.presses(down=False, at_s=9.0) == [] and contact.due_s is None


def test_one_held_from_the_start_counts_once_let_go() -> None:
    contact = Contact("A", held=True)
    assert contact.presses(down=True, at_s=5.0) == []
    contact.edge(False, 6.0)
    assert contact.presses(down=False, at_s=7.0) == []
    contact.edge(True, 8.0)
    contact.edge(False, 8.2)
    assert contact.presses(down=False, at_s=9.0) == [Press("A")]


@pytest.fixture
def heard(mock_pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> list[Press]:
    monkeypatch.setattr(buttons, "BOUNCE_S", SLOW_BOUNCE_S)
    monkeypatch.setattr(buttons, "LONG_S", 1.0)
    monkeypatch.setattr(buttons, "REPEAT_S", 0.1)
    return []


def wait_for(heard: list[Press], number: int) -> list[Press]:
    until = time.monotonic() + 5
    while len(heard) < number and time.monotonic() < until:
        time.sleep(0.005)
    return heard


def test_presses_on_the_wire_are_told(mock_pins: MockFactory, heard: list[Press]) -> None:
    listening = Buttons(heard.append, build="standard")
    pins: dict[str, MockPin] = {name: mock_pins.pin(pin) for name, pin in PINS.items()}
    assert all(pin.pull == "up" for pin in pins.values())
    for name in "ABC":
        for _ in range(3):
            pins[name].drive_low()
            pins[name].drive_high()
        pins[name].drive_low()
        time.sleep(2 * SLOW_BOUNCE_S)
        pins[name].drive_high()
        assert wait_for(heard, 1) == [Press(name)]
        heard.clear()
    pins["B"].drive_low()
    assert wait_for(heard, 3)[:3] == [Press("B", True), Press("B", True, True), Press("B", True, True)]
    pins["B"].drive_high()
    listening.close()
    listening.close()


def test_one_that_is_held_from_the_start_counts_when_pressed_anew(mock_pins: MockFactory, heard: list[Press]) -> None:
    pin: MockPin = mock_pins.pin(PINS["A"])
    pin.pull = "up"
    pin.drive_low()
    listening = Buttons(heard.append, build="standard")
    time.sleep(2 * SLOW_BOUNCE_S)
    pin.drive_high()
    time.sleep(3 * SLOW_BOUNCE_S)
    assert heard == []
    pin.drive_low()
    time.sleep(2 * SLOW_BOUNCE_S)
    pin.drive_high()
    assert wait_for(heard, 1) == [Press("A")]
    listening.close()


def test_a_button_whose_pin_is_lost_leaves_the_others_and_is_tried_again(
    mock_pins: MockFactory, heard: list[Press], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buttons, "MEND_S", 0.1)
    other = LED(PINS["C"])
    listening = Buttons(heard.append, build="standard")
    assert "another program" in str(listening.away)
    mock_pins.pin(PINS["A"]).drive_low()
    time.sleep(2 * SLOW_BOUNCE_S)
    mock_pins.pin(PINS["A"]).drive_high()
    assert wait_for(heard, 1) == [Press("A")]
    other.close()
    until = time.monotonic() + 5
    while listening.away and time.monotonic() < until:
        time.sleep(0.005)
    mock_pins.pin(PINS["C"]).drive_low()
    time.sleep(2 * SLOW_BOUNCE_S)
    mock_pins.pin(PINS["C"]).drive_high()
    assert wait_for(heard, 2) == [Press("A"), Press("C")]
    listening.close()


def test_a_button_that_cannot_be_read_is_away(
    mock_pins: MockFactory, heard: list[Press], monkeypatch: pytest.MonkeyPatch
) -> None:
    listening = Buttons(heard.append, build="standard")
    error = type("error", (Exception,), {"__module__": "lgpio"})

    def lost(*_: object) -> None:
        raise error("bad GPIO read")

    with monkeypatch.context() as patched:
        patched.setattr(Button, "is_pressed", property(lost))
        mock_pins.pin(PINS["A"]).drive_low()
        until = time.monotonic() + 5
        while not listening.away and time.monotonic() < until:
            time.sleep(0.005)
    assert "bad GPIO read" in str(listening.away) and heard == []
    listening.close()


def test_a_machine_without_pins_is_told_what_to_do() -> None:
    with pytest.raises(PinsAway, match="python3-lgpio"):
        Buttons(lambda press: None)
