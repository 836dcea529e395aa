"""The tables inside README.md: made from data, put between markers, and compared by a test."""

import re
from collections.abc import Callable
from pathlib import Path

from hardware import diagrams, meter, optics, parts, power, strength

README = Path(__file__).with_name("README.md")
BLOCK = re.compile(r"(<!-- table: ([\w ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

TABLES: dict[str, Callable[[], str]] = {
    "cameras": lambda: optics.camera_table(optics.load()),
    "heights": lambda: optics.height_table(optics.load()),
    "focus": lambda: optics.focus_table(optics.load()),
    "resistors": power.resistor_table,
    "power": power.power_table,
    "currents": power.source_table,
    "strength": strength.strength_table,
    "builds": parts.builds_table,
    "substitutes": parts.substitutes_table,
    "arms": lambda: optics.arm_table(optics.load()),
    "meter minimal": meter.minimal,
    "meter standard": meter.standard,
    "meter panel": meter.panel,
    "lamps": diagrams.lamp_table,
    "seats": diagrams.seat_table,
    "cut list": parts.cut_list,
    "runs": parts.runs_table,
    "clamp": strength.clamp_table,
    "printed": parts.printed_table,
    **{f"parts {build}": (lambda build=build: parts.parts_table(build)) for build in parts.BUILDS},  # type: ignore[misc]
    **{f"pins {build}": (lambda build=build: diagrams.pin_table(build)) for build in parts.WITH_PI},  # type: ignore[misc]
}


def filled(text: str) -> str:
    """The guide with every table made anew."""
    return BLOCK.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}\n{found[4]}", text)


def tables_in(text: str) -> list[str]:
    """The names of the tables the guide has."""
    return [found[1] for found in BLOCK.findall(text)]
