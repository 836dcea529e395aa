"""What the multimeter must show before the first power, for each build; the values follow from the parts."""

from device.machine.wiring import HEADER_POWER
from hardware import diagrams

FIVE = HEADER_POWER["5V"]
THREE, GROUND = HEADER_POWER["3V3"][0], HEADER_POWER["GND"][0]
HEAD = ["| between | and | must show | otherwise |", "|---|---|---|---|"]
Row = tuple[str, str, str, str]


def _table(rows: list[Row]) -> str:
    return "\n".join([*HEAD, *(f"| {' | '.join(row)} |" for row in rows)])


def _rails(what: str) -> list[Row]:
    return [
        (f"header pin {THREE} (3.3 V)", f"header pin {GROUND} (ground)", f"more than 500 Ω with {what} connected", "a wire in the wrong row"),
        (f"header pin {FIVE[0]} (5 V)", f"header pin {GROUND}", "more than 500 Ω", "a short: find it before anything else"),
        (f"header pin {THREE}", f"header pin {FIVE[0]}", "no connection (more than 500 Ω)", "3.3 V and 5 V meet: that kills the Pi"),
    ]  # fmt: skip


def minimal() -> str:
    """Pi and breadboard."""
    ohms = sorted(set(diagrams.series_ohms().values()))
    rows = _rails("the breadboard")
    rows += [
        ("each button's jumper", "ground", "no connection; about 1 kΩ while it is pressed", "a leg beside its hole, or the button turned by a quarter"),
        ("the − rail", f"header pin {GROUND}", "less than 1 Ω", "the black wire is missing"),
        ("both legs of a lamp's resistor", "", f"{', '.join(map(str, ohms))} Ω, as printed beside it", "two resistors are exchanged"),
    ]  # fmt: skip
    return _table(rows)


def standard() -> str:
    """The case."""
    rows = _rails("display and buttons")
    rows += [
        ("each button's wire", "ground", "no connection; about 1 kΩ while it is pressed", "R7 or the button"),
        (f"header pin {FIVE[1]}", "red wire of W5, at the panel's end", "less than 1 Ω: the fuse", "a bad joint, or the fuse is missing"),
        ("red wire of W5", "black wire of W5, panel not connected", "no connection", "a crushed cable"),
    ]  # fmt: skip
    return _table(rows)


def panel() -> str:
    """The lamp panel."""
    return _table([
        ("strip 5 V", "strip ground", "more than 100 Ω, climbing while C1 fills", "C1 or U1 turned round, or a solder bridge"),
        ("Pico VBUS (pin 40)", "strip 5 V", "no connection", "the two 5 V meet: cut that wire"),
        ("U1 pin 2", "ground", "about 100 kΩ", "R5 is missing"),
        ("U1 pin 3", "strip DIN", "330 Ω", "R4 is missing"),
        ("U1 pins 1, 4, 5, 7, 9, 10, 12, 13", "ground", "less than 1 Ω, each", "a wire of K3 is missing"),
        ("U1 pin 14", "strip 5 V", "less than 1 Ω", "the level shifter has no supply"),
    ])  # fmt: skip
