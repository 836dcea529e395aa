"""Which wire goes where, read from wiring.toml: for the device, the guide and its diagrams. No I/O but that."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from engine.errors import GameError

SOURCE = Path(__file__).with_name("wiring.toml")

HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The place on the Pi's 40-pin header of each BCM number."""
HEADER_POWER = {"3V3": (1, 17), "5V": (2, 4), "GND": (6, 9, 14, 20, 25, 30, 34, 39)}
PICO_HEADER = {0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19,
               15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34}  # fmt: skip
"""The place on the Pico's two rows of each GP number."""

FIXED = {
    ("oled", "sda"): 2,
    ("oled", "scl"): 3,
    ("colour_display", "mosi"): 10,
    ("colour_display", "sclk"): 11,
    ("colour_display", "cs"): 8,
}
"""What the Pi's own I2C1 and SPI0 decide: no choice is left there."""
LEFT_ALONE = {
    0: "HAT EEPROM",
    1: "HAT EEPROM",
    7: "SPI0 CE1",
    9: "SPI0 MISO",
    12: "PWM audio",
    13: "PWM audio",
    14: "serial console",
    15: "serial console",
    18: "PWM audio",
    19: "PWM audio",
}
PULLED_UP_AT_BOOT = range(9)
INPUTS = ("buttons",)
BUSES = ("oled", "colour_display")

USB_VENDOR = 0x2E8A
"""Raspberry Pi: every Pico that runs MicroPython."""


class WiringError(GameError):
    """The wiring file contradicts itself or the Pi."""

    topic = "wiring"


@dataclass(frozen=True)
class Build:
    """One size of the device: the groups of wires it has, and what hangs on them."""

    name: str
    groups: tuple[str, ...]
    panel: bool
    display: tuple[int, int] | None
    """Width and height of the colour display in pixels; None where there is none."""


@dataclass(frozen=True)
class PanelWiring:
    """The lamp panel's strip: which pixel is which lamp."""

    data_pin: int
    order: str
    pixels: int
    limit_ma: int
    pitch_mm: float
    row_pitch_mm: float
    rows: tuple[tuple[str, ...], ...]
    """Lamp names from the lower row up, left to right; "" stays dark."""
    index: dict[str, int]
    """The pixel on the strip of each named lamp."""
    seats: dict[int, tuple[tuple[str, ...], ...]]

    def suit(self, suit: str) -> int:
        """The pixel of a suit: C, D, H or S."""
        return self.index[suit]

    def marker(self, side: int, card: str) -> int:
        """The pixel of a marker: 8, 9, 10, 2 or JOKER of a side."""
        return self.index[f"{side}:{card}"]

    def seat(self, players: int, seat: int) -> tuple[int, ...]:
        """The pixels that shine for a seat."""
        return tuple(self.index[lamp] for lamp in self.seats[players][seat])


@dataclass(frozen=True)
class Wiring:
    """Everything wiring.toml says."""

    signals: dict[str, dict[str, int]]
    """BCM number of each signal, by group."""
    builds: dict[str, Build]
    panel: PanelWiring
    oled_port: int
    oled_address: int
    spi_port: int
    spi_device: int
    side_signs: tuple[str, ...]
    side_shapes: tuple[str, ...]
    side_colours: tuple[str, ...]

    def pins(self, build: str) -> dict[tuple[str, str], int]:
        """BCM number of each (group, signal) of a build, in the order of the file."""
        return {(g, name): pin for g in self.builds[build].groups for name, pin in self.signals[g].items()}


def load(path: Path = SOURCE) -> Wiring:
    """The wiring, checked: raises WiringError with the pin and the reason."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    builds = {
        name: Build(
            name, tuple(b["groups"]), b["panel"], (b["display"][0], b["display"][1]) if "display" in b else None
        )
        for name, b in data["builds"].items()
    }
    wiring = Wiring(
        signals=data["signals"],
        builds=builds,
        panel=_panel(data["panel"]),
        oled_port=data["oled"]["port"],
        oled_address=data["oled"]["address"],
        spi_port=data["colour_display"]["port"],
        spi_device=data["colour_display"]["device"],
        side_signs=tuple(data["sides"]["names"]),
        side_shapes=tuple(data["sides"]["shapes"]),
        side_colours=tuple(data["sides"]["colours"]),
    )
    check(wiring)
    return wiring


def _panel(data: dict[str, Any]) -> PanelWiring:
    rows = tuple(tuple(row["lamps"]) for row in data["rows"])
    index = _pixels_of(rows, data["pixels"])
    seats = {int(n): tuple(tuple(lamps) for lamps in places) for n, places in data["seats"].items()}
    for players, places in seats.items():
        used = list(chain.from_iterable(places))
        if len(places) != players or len(set(used)) != len(used) or not set(used) <= set(index):
            raise WiringError("seats", players=players)
    if data["data_pin"] not in PICO_HEADER:
        raise WiringError("no_pico_pin", pin=data["data_pin"])
    return PanelWiring(
        data_pin=data["data_pin"],
        order=data["order"],
        pixels=data["pixels"],
        limit_ma=data["limit_ma"],
        pitch_mm=data["pitch_mm"],
        row_pitch_mm=data["row_pitch_mm"],
        rows=rows,
        index=index,
        seats=seats,
    )


def _pixels_of(rows: Sequence[Sequence[str]], promised: int) -> dict[str, int]:
    """The pixel of each lamp: the strip runs to and fro along the rows."""
    strip = [lamp for number, row in enumerate(rows) for lamp in (row if number % 2 == 0 else row[::-1])]
    if len(strip) != promised:
        raise WiringError("pixels", promised=promised, held=len(strip))
    index = {lamp: pixel for pixel, lamp in enumerate(strip) if lamp}
    if len(index) != sum(map(bool, strip)):
        raise WiringError("lamp_twice")
    return index


def check(wiring: Wiring) -> None:
    """No pin twice in a build, none the Pi needs itself, and none that would glow or buzz at power-up."""
    for (group, name), pin in FIXED.items():
        if wiring.signals[group][name] != pin:
            raise WiringError("bus", wire=f"{group} {name}", pin=wiring.signals[group][name], right=pin)
    for build in wiring.builds:
        taken: dict[int, str] = {}
        for (group, name), pin in wiring.pins(build).items():
            wire = f"{build}: {group} {name}"
            if pin not in HEADER:
                raise WiringError("no_pin", wire=wire, pin=pin)
            if pin in taken:
                raise WiringError("pin_twice", wire=wire, pin=pin, other=taken[pin])
            if pin in LEFT_ALONE:
                raise WiringError("left_alone", wire=wire, pin=pin, to=LEFT_ALONE[pin])
            if group not in BUSES and (pin in PULLED_UP_AT_BOOT) != (group in INPUTS):
                raise WiringError("pulled", wire=wire, pin=pin)
            taken[pin] = f"{group} {name}"
