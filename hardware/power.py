"""Resistors, currents and supplies of each build, computed from power.toml and the wiring."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.machine.wiring import Wiring
from device.machine.wiring import load as load_wiring

SOURCE = Path(__file__).with_name("power.toml")
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
STATES = ("idle", "play", "all lamps white", "all white, limit broken")
DECADES = (1, 10, 100)


@dataclass(frozen=True)
class Lamp:
    """One kind of LED on a Pi pin."""

    kind: str
    lamps: tuple[str, ...]
    ohm: int
    ma: tuple[float, float, float]
    """Least, typical and most: by the spread of its forward voltage."""


def read(path: Path = SOURCE) -> dict[str, Any]:
    """The data as it stands."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def nearest_e12(ohm: float) -> int:
    """The value that is sold."""
    return min((value * decade for decade in DECADES for value in E12), key=lambda sold: abs(sold - ohm))


def lamps(data: dict[str, Any]) -> list[Lamp]:
    """The LEDs with their series resistors."""
    leds = data["leds"]
    found = []
    for kind, led in leds["kinds"].items():
        low, typical, high = led["volt"]
        ohm = nearest_e12((leds["pin_volt"] - typical) / leds["wanted_ma"] * 1000)
        least, usual, most = ((leds["pin_volt"] - volt) / ohm * 1000 for volt in (high, typical, low))
        found.append(Lamp(kind, tuple(led["lamps"]), ohm, (least, usual, most)))
    return found


def strip_ma(data: dict[str, Any], wiring: Wiring, state: str) -> float:
    """What the panel's strip draws."""
    strip = data["strip"]
    dark = wiring.panel.pixels * strip["dark_ma"]
    white = 3 * strip["channel_ma"] * wiring.panel.pixels
    if state == "all lamps white":
        return float(wiring.panel.limit_ma)
    if state == "all white, limit broken":
        return float(white)
    lit = strip["idle_lit"] if state == "idle" else strip["play_lit"]
    return float(min(dark + lit * 3 * strip["channel_ma"] * strip["share_lit"], wiring.panel.limit_ma))


def budget(data: dict[str, Any], wiring: Wiring, build: str) -> dict[str, float]:
    """Milliamperes from the supply in each state."""
    found = {}
    for state in STATES:
        column = {"idle": 0, "play": 1}.get(state, 2)
        total = float(sum(data["parts"][part]["ma"][column] for part in data["builds"][build]["parts"]))
        if wiring.builds[build].panel:
            total += strip_ma(data, wiring, state)
        else:
            kinds = lamps(data)
            every = sum(lamp.ma[2] * len(lamp.lamps) for lamp in kinds)
            brightest = max(lamp.ma[2] for lamp in kinds)
            lit = {"idle": data["leds"]["lit_idle"], "play": data["leds"]["lit_play"]}.get(state)
            total += every if lit is None else lit * brightest
        found[state] = total
    return found


def resistor_table() -> str:
    """The guide's table of series resistors."""
    lines = ["| lamp | colour | resistor | current least–typical–most |", "|---|---|---|---|"]
    for lamp in lamps(read()):
        names = ", ".join(name.split()[1] for name in lamp.lamps)
        spread = " – ".join(f"{ma:.1f}" for ma in lamp.ma)
        lines.append(f"| {names} | {lamp.kind} | {lamp.ohm} Ω | {spread} mA |")
    return "\n".join(lines)


def power_table() -> str:
    """The guide's table of currents and supplies."""
    data, wiring = read(), load_wiring()
    lines = [
        "| build | " + " | ".join(STATES) + " | supply | with a fifth to spare |",
        "|---|" + "---|" * (len(STATES) + 2),
    ]
    for build in data["builds"]:
        amps = {state: ma / 1000 for state, ma in budget(data, wiring, build).items()}
        supply = data["builds"][build]["supply_a"]
        enough = amps["all lamps white"] * data["fuse"]["margin"] <= supply
        cells = " | ".join(
            f"{amp:.2f} A" if wiring.builds[build].panel or state != STATES[3] else "—" for state, amp in amps.items()
        )
        lines.append(f"| {build} | {cells} | 5.1 V, {supply:g} A | {'yes' if enough else 'no'} |")
    return "\n".join(lines)


def source_table() -> str:
    """Where each current comes from."""
    lines = ["| part | idle, mA | play, mA | most, mA | from |", "|---|---|---|---|---|"]
    for part in read()["parts"].values():
        lines.append(f"| {part['name']} | {' | '.join(str(ma) for ma in part['ma'])} | {part['source']} |")
    return "\n".join(lines)
