"""The display on its wires: the bytes that reach the glass, and what happens when it is pulled out."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from luma.core.error import DeviceNotFoundError

from device.following.show import Show
from device.machine.wiring import load
from device.outputs.display.screens import draw
from device.outputs.display.wired import NO_OPERATION, WAKE_EVERY_S, Display, DisplayAway
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match


def played() -> Show:
    """A deal that goes on."""
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    for event in honest_match(match.judge.game, Random(5), 1)[:24]:
        match.add(event)
    return Show(match.view.to_dict(), "fr")


PLAY = played()
LATER = replace(PLAY, view={**PLAY.view, "turn": 3})

Sent = tuple[str, tuple[int, ...]]


class Recorder:
    """A wire that writes down what goes over it, and may be pulled out."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.there = True
        self.closed = 0

    def command(self, *command: int) -> None:
        self._send("command", command)

    def data(self, data: Any) -> None:
        self._send("data", data)

    def cleanup(self) -> None:
        self.closed += 1

    def _send(self, kind: str, data: Any) -> None:
        if not self.there:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")
        self.sent.append((kind, tuple(data)))

    def commands(self) -> list[tuple[int, ...]]:
        return [data for kind, data in self.sent if kind == "command"]

    def pixels(self) -> bytes:
        return b"".join(bytes(data) for kind, data in self.sent if kind == "data")


def pages(show: Show) -> bytes:
    """A picture as an OLED takes it: pages of eight rows, a byte a column, the lowest bit on top."""
    picture = draw(show, (128, 64), False)
    return bytes(
        sum(bool(picture.getpixel((x, 8 * page + bit))) << bit for bit in range(8))
        for page in range(8)
        for x in range(128)
    )


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
def test_an_oled_is_set_up_and_gets_the_picture(kind: str) -> None:
    wire = Recorder()
    display = Display(kind, serial=lambda: wire)
    display.show(replace(PLAY, brightness=0.5))
    flat = [byte for command in wire.commands() for byte in command]
    assert wire.commands()[0] == (NO_OPERATION,)
    assert wire.commands()[1][0] == 0xAE, "switched off while it is set up"
    assert 0xAF in flat, "switched on"
    assert (0x81, 128) in wire.commands(), "contrast as bright as asked for"
    charge_pump = flat.index(0x8D)
    assert flat[charge_pump + 1] == 0x14, "makes its own voltage"
    assert wire.pixels()[-1024:] == pages(PLAY)
    if kind == "ssd1306":
        assert (0x21, 0, 127, 0x22, 0, 7) in wire.commands()
    else:
        assert [command[0] for command in wire.commands() if command[1:] == (0x02, 0x10)][-8:] == [*range(0xB0, 0xB8)]


@pytest.mark.parametrize("size", [(240, 240), (320, 240)])
def test_a_colour_display_is_set_up_and_gets_the_picture(size: tuple[int, int]) -> None:
    wire = Recorder()
    display = Display("st7789", size, serial=lambda: wire)
    display.show(PLAY)
    for command in (0x36, 0x3A, 0x21, 0x11, 0x29):
        assert (command,) in wire.commands()
    width, height = size
    assert wire.sent[-5:] == [
        ("data", (0, 0, (width - 1) >> 8, (width - 1) & 255)),
        ("command", (0x2B,)),
        ("data", (0, 0, (height - 1) >> 8, (height - 1) & 255)),
        ("command", (0x2C,)),
        ("data", tuple(draw(PLAY, size, True).tobytes())),
    ]


def test_a_colour_display_gets_only_what_changed() -> None:
    wire = Recorder()
    display = Display("st7789", (240, 240), serial=lambda: wire)
    display.show(PLAY)
    wire.sent.clear()
    display.show(replace(PLAY, view={**PLAY.view, "turn": 3}))
    assert 0 < len(wire.pixels()) < 240 * 240 * 3 / 4


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106", "st7789"])
def test_the_same_picture_is_not_sent_twice(kind: str) -> None:
    wire = Recorder()
    display = Display(kind, (240, 240) if kind == "st7789" else (128, 64), serial=lambda: wire)
    display.show(PLAY)
    before = len(wire.sent)
    display.show(replace(PLAY, extra={"fps": 12}))
    assert len(wire.sent) == before
    display.show(LATER)
    assert len(wire.sent) > before


def test_an_oled_pulled_out_is_told_and_comes_back_by_itself() -> None:
    wires: list[Recorder] = []
    there = True

    def plug() -> Recorder:
        wires.append(Recorder())
        wires[-1].there = there
        return wires[-1]

    display = Display("ssd1306", serial=plug)
    display.show(PLAY)
    wires[0].there = there = False
    with pytest.raises(DisplayAway, match="Check its wires"):
        display.show(LATER)
    assert wires[0].closed
    with pytest.raises(DisplayAway):
        display.show(LATER)
    there = True
    display.show(LATER)
    assert len(wires) == 3
    assert wires[2].pixels()[-1024:] == pages(LATER)


@pytest.mark.parametrize(("kind", "size"), [("ssd1306", (128, 64)), ("st7789", (240, 240))])
def test_one_pulled_out_and_back_unseen_is_set_up_anew(kind: str, size: tuple[int, int]) -> None:
    wire, now_s = Recorder(), [0.0]
    display = Display(kind, size, serial=lambda: wire, clock=lambda: now_s[0])
    display.show(replace(PLAY, brightness=0.5))
    first = wire.commands()
    wire.sent.clear()
    now_s[0] = WAKE_EVERY_S + 1
    display.show(replace(LATER, brightness=0.5))
    wanted = (0x29,) if kind == "st7789" else (0xAF,)
    assert wanted in wire.commands()
    assert first[1] in wire.commands()
    if kind == "ssd1306":
        assert [command for command in wire.commands() if command[0] == 0x81][-1] == (0x81, 128)
    whole = draw(LATER, size, True).tobytes() if kind == "st7789" else pages(LATER)
    assert wire.pixels()[-len(whole) :] == whole


def test_closing_darkens_the_glass_and_may_be_shown_to_again() -> None:
    wire = Recorder()
    display = Display("ssd1306", serial=lambda: wire)
    display.show(PLAY)
    display.close()
    assert wire.commands()[-2 if len(wire.commands()[-1]) > 1 else -1] == (0xAE,)
    assert not any(wire.pixels()[-1024:])
    display.close()
    wire.sent.clear()
    display.show(PLAY)
    assert wire.pixels()[-1024:] == pages(PLAY)


def test_a_machine_without_the_bus_is_told_what_to_do() -> None:
    with pytest.raises(DisplayAway, match="I2C"):
        Display("ssd1306", wiring=replace(load(), oled_port=97)).show(PLAY)


def test_the_colour_display_is_wired_as_the_guide_says(mock_pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset is pulled, data and commands are told apart, and the backlight is as bright as asked for."""
    signals = load().signals["colour_display"]
    written: list[tuple[int, int]] = []

    class Spi:
        max_speed_hz = 0

        def open(self, port: int, device: int) -> None:
            assert (port, device) == (0, 0)

        def writebytes(self, data: list[int]) -> None:
            written.append((int(mock_pins.pin(signals["dc"]).state), len(data)))

        def close(self) -> None:
            pass

    monkeypatch.setattr("luma.core.interface.serial.spi.__spidev__", lambda self: Spi())
    display = Display("st7789", (240, 240))
    display.show(replace(PLAY, brightness=0.5))
    reset = mock_pins.pin(signals["reset"])
    assert [bool(state) for _, state in reset.states][-2:] == [False, True]
    assert written[0] == (0, 1), "a command first"
    assert sum(length for data, length in written if data) > 2 * 240 * 240 * 3
    assert mock_pins.pin(signals["backlight"]).state == 0.5
    display.close()
    assert mock_pins.pin(signals["backlight"]).function == "input"
    display.show(PLAY)
    display.close()
