"""The wiring diagrams: WireViz sources from device/machine/wiring.toml and power.toml: no pin is typed twice."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.machine.wiring import HEADER, HEADER_POWER, PICO_HEADER, Wiring
from device.machine.wiring import load as load_wiring
from hardware import french, power

HERE = Path(__file__).parent
WIRING = HERE / "wiring"
GROUP_NAMES = {
    "oled": ("D1", "OLED 128x64, I2C", "3V3"),
    "colour_display": ("D2", "ST7789 colour display, SPI", "3V3"),
    "suit_lamps": ("L1", "Suit lamps", None),
    "side_lamps": ("L3", "Side lamps", None),
    "buttons": ("S1", "Buttons", None),
    "buzzer": ("Z1", "Piezo", None),
}
PANEL = "Lamp panel"
PANEL_PINS = {"5V": HEADER_POWER["5V"][1], "GND": HEADER_POWER["GND"][-1]}
"""Which of the header's pins the pair W5 takes."""
SUITS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
BOARDS = {"minimal": "Raspberry Pi Zero 2 W", "standard": "Raspberry Pi 4 B", "tournament": "Raspberry Pi 5"}
REFERENCES = {
    "minimal": {"board": "A1", "display": "D1", "buttons": "S1"},
    "standard": {"board": "A2", "display": "D2", "buttons": "S2"},
    "tournament": {"board": "A3", "display": "D3", "buttons": "S2"},
}
THEIR_WORDS = "Additional components"
"""What WireViz itself writes."""
COLOURS = ["YE", "GN", "BU", "WH", "VT", "OG", "GY", "BN"]
GROUNDS = {"oled": 6, "colour_display": 20, "suit_lamps": 9, "side_lamps": 34, "buttons": 30, "buzzer": 14}
"""Which of the header's ground pins each group takes; a breadboard may join them all."""


def signal_name(group: str, name: str) -> str:
    """What the diagram calls a wire."""
    if group == "suit_lamps":
        return SUITS[name]
    return name.replace("side_", "side ").upper() if group in ("oled", "colour_display") else name.replace("_", " ")


@dataclass(frozen=True)
class HeaderWire:
    """A wire on the Pi's header: its place there, what it is called at either end, and what sits in it."""

    place: int
    pi_end: str
    far_end: str
    colour: str
    series: str = ""


def group_wires(group: str, wiring: Wiring) -> list[HeaderWire]:
    """The wires of a group: its signals, its supply if it has one, its ground."""
    found = []
    for (name, pin), colour in zip(wiring.signals[group].items(), COLOURS, strict=False):
        ohm = series_ohms().get(f"{group} {name}") or {"buzzer": 470, "buttons": 1000}.get(group)
        series = f"{ohm} Ω" if ohm else ""
        found.append(HeaderWire(HEADER[pin], f"GPIO{pin}", signal_name(group, name), colour, series))
    if GROUP_NAMES[group][2]:
        found.append(HeaderWire(HEADER_POWER["3V3"][1 if group == "colour_display" else 0], "3V3", "VCC", "RD"))
    return [*found, HeaderWire(GROUNDS[group], "GND", "GND", "BK")]


PANEL_WIRES = (
    HeaderWire(PANEL_PINS["5V"], "5V", "red wire of W5", "RD", "F1"),
    HeaderWire(PANEL_PINS["GND"], "GND", "black wire of W5", "BK"),
)


RAIL_WIRE = HeaderWire(HEADER_POWER["GND"][0], "GND", "the − rail", "BK")
"""What brings ground to a breadboard."""


def header_wires(build: str, wiring: Wiring) -> Iterator[HeaderWire]:
    """Every wire on the Pi's header."""
    for group in wiring.builds[build].groups:
        yield from group_wires(group, wiring)
    if wiring.builds[build].panel:
        yield from PANEL_WIRES


def series_ohms() -> dict[str, int]:
    """The resistor in front of each lamp, by the wiring's name of it."""
    return {name: lamp.ohm for lamp in power.lamps(power.read()) for name in lamp.lamps}


def _extra(group: str) -> list[dict[str, object]]:
    ohms = series_ohms()
    if group in ("suit_lamps", "side_lamps"):
        mine = [ohm for name, ohm in ohms.items() if name.startswith(group)]
        return [{"type": f"Resistor {ohm} Ω, in series", "qty": mine.count(ohm)} for ohm in sorted(set(mine))]
    if group == "buttons":
        return [{"type": "Resistor 1 kΩ, in series with each", "qty": 3}]
    if group == "buzzer":
        return [{"type": "Resistor 470 Ω, in series", "qty": 1}]
    return []


def pi_source(build: str, wiring: Wiring) -> dict[str, object]:
    """The WireViz source of the Pi's side."""
    names = REFERENCES[build]
    connectors: dict[str, object] = {}
    cables: dict[str, object] = {}
    connections: list[object] = []
    for group in wiring.builds[build].groups:
        reference, title, _ = GROUP_NAMES[group]
        if group in ("oled", "colour_display"):
            reference = names["display"]
        if group == "buttons":
            reference = names["buttons"]
        wires = group_wires(group, wiring)
        part: dict[str, object] = {"type": title, "pinlabels": [wire.far_end for wire in wires]}
        if wiring.builds[build].display and group == "colour_display":
            width, height = wiring.builds[build].display or (0, 0)
            part["subtype"] = f"{width} x {height}"
        if _extra(group):
            part["additional_components"] = _extra(group)
        connectors[reference] = part
        cables[f"W_{group}"] = _cable([wire.colour for wire in wires], "0.22 mm2")
        numbers = list(range(1, len(wires) + 1))
        connections.append(
            [{names["board"]: [wire.place for wire in wires]}, {f"W_{group}": numbers}, {reference: numbers}]
        )
    if wiring.builds[build].panel:
        connectors |= {"F1": FUSE, "PANEL": {"type": PANEL, "pinlabels": list(PANEL_PINS)}}
        cables |= {"W_fuse": _cable(["RD"], "0.5 mm2"), "W5": _cable(["RD", "BK"], "0.5 mm2")}
        connections += [
            [{names["board"]: [PANEL_PINS["5V"]]}, {"W_fuse": [1]}, {"F1": [1]}],
            [{"F1": [2]}, {"W5": [1]}, {"PANEL": [1]}],
            [{names["board"]: [PANEL_PINS["GND"]]}, {"W5": [2]}, {"PANEL": [2]}],
        ]
    used = {wire.place: wire.pi_end for wire in header_wires(build, wiring)}
    connectors = {
        names["board"]: {
            "type": BOARDS[build],
            "subtype": "40-pin header",
            "pins": sorted(used),
            "pinlabels": [used[place] for place in sorted(used)],
        },
        **connectors,
    }
    return {"connectors": connectors, "cables": cables, "connections": connections}


def _cable(colours: list[str], gauge: str) -> dict[str, object]:
    return {"wirecount": len(colours), "colors": colours, "gauge": gauge, "show_wirecount": False}


FUSE = {
    "type": "Resettable fuse",
    "subtype": "holds 1.1 A",
    "pinlabels": ["in", "out"],
    "notes": "in the red wire at the Pi's header, before all it protects",
}


def panel_source(wiring: Wiring) -> dict[str, object]:
    """The WireViz source of the lamp panel."""
    data = PICO_HEADER[wiring.panel.data_pin]
    limit = wiring.panel.limit_ma
    return {
        "connectors": {
            "PI": {
                "type": "Raspberry Pi",
                "subtype": "40-pin header",
                "pins": list(PANEL_PINS.values()),
                "pinlabels": list(PANEL_PINS),
            },
            "F1": FUSE,
            "A4": {
                "type": "Raspberry Pi Pico",
                "subtype": "powered by its own USB cable (W4)",
                "pins": [data, 38],
                "pinlabels": [f"GP{wiring.panel.data_pin}", "GND"],
                "notes": "VBUS stays unconnected: it must never meet the strip's 5 V",
            },
            "U1": {
                "type": "74AHCT125",
                "subtype": "3.3 V in, 5 V out",
                "pins": [2, 1, 7, 14, 3],
                "pinlabels": ["1A", "1OE", "GND", "VCC", "1Y"],
                "additional_components": [
                    {"type": "C2 100 nF from VCC to GND", "qty": 1},
                    {"type": "R5 100 kΩ from 1A to GND", "qty": 1},
                    {"type": "R4 330 Ω from 1Y to the strip", "qty": 1},
                ],
                "notes": "inputs 5, 9, 12 and their 4, 10, 13 to GND",
            },
            "P1": {
                "type": f"WS2812B strip, {wiring.panel.pixels} lamps",
                "subtype": f"dimmed to {limit} mA in firmware",
                "pinlabels": ["DIN", "5V", "GND"],
                "additional_components": [{"type": "C1 1000 µF across 5V and GND", "qty": 1}],
            },
        },
        "cables": {
            "W_fuse": _cable(["RD"], "0.5 mm2"),
            "W_pair": _cable(["RD", "BK"], "0.5 mm2"),
            "W_data": _cable(["GN", "BK"], "0.22 mm2"),
            "W_supply": _cable(["BK", "BK", "RD"], "0.22 mm2"),
            "W_strip": _cable(["GN"], "0.22 mm2"),
        },
        "connections": [
            [{"PI": [PANEL_PINS["5V"]]}, {"W_fuse": [1]}, {"F1": [1]}],
            [{"F1": [2]}, {"W_pair": [1]}, {"P1": [2]}],
            [{"PI": [PANEL_PINS["GND"]]}, {"W_pair": [2]}, {"P1": [3]}],
            [{"A4": [data, 38]}, {"W_data": [1, 2]}, {"U1": [2, 7]}],
            [{"U1": [1, 7, 14]}, {"W_supply": [1, 2, 3]}, {"P1": [3, 3, 2]}],
            [{"U1": [3]}, {"W_strip": [1]}, {"P1": [1]}],
        ],
    }


def panel_connections() -> list[list[dict[str, Any]]]:
    """The chains of the panel's diagram, from the Pi outwards."""
    chains = panel_source(load_wiring())["connections"]
    assert isinstance(chains, list)
    return chains


def dump(data: dict[str, object]) -> str:
    """YAML that a person can read: a line for each connector, cable and connection."""
    sources = "device/machine/wiring.toml and hardware/power.toml"
    lines = [f"# Written by hardware/diagrams.py from {sources}. Change those instead."]
    for section in ("connectors", "cables"):
        lines.append(f"{section}:")
        parts = data[section]
        assert isinstance(parts, dict)
        for name, fields in parts.items():
            lines.append(f"  {name}:")
            lines += [f"    {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
    lines.append("connections:")
    connections = data["connections"]
    assert isinstance(connections, list)
    lines += [f"  - {_flow(chain)}" for chain in connections]
    lines += ["options:", "  mini_bom_mode: false", '  bgcolor: "WH"', '  fontname: "DejaVu Sans"']
    return "\n".join(lines) + "\n"


def _flow(chain: list[dict[str, object]]) -> str:
    steps = ("{" + ", ".join(f"{key}: {value}" for key, value in step.items()) + "}" for step in chain)
    return "[" + ", ".join(steps) + "]"


def sources() -> dict[str, str]:
    """Every WireViz source by its name, and in French."""
    wiring = load_wiring()
    made = {build: pi_source(build, wiring) for build in wiring.builds} | {"panel": panel_source(wiring)}
    french_too = {
        f"{name}.fr": {**source, "connectors": french.labels(source["connectors"])} for name, source in made.items()
    }
    return {name: dump(source) for name, source in (made | french_too).items()}


def pin_table(build: str) -> str:
    """The guide's table of a build's wires; on a breadboard one wire brings ground to everything, by a rail."""
    wiring = load_wiring()
    panel = wiring.builds[build].panel
    wires = [
        (GROUP_NAMES[group][1].split(",")[0], wire)
        for group in wiring.builds[build].groups
        for wire in group_wires(group, wiring)
        if panel or wire.pi_end != "GND"
    ]
    wires += [(PANEL, wire) for wire in PANEL_WIRES] if panel else [("Breadboard", RAIL_WIRE)]
    lines = ["| what | signal | GPIO or supply | header pin | in series |", "|---|---|---|---|---|"]
    for title, wire in wires:
        at_pi = wire.pi_end.removeprefix("GPIO")
        lines.append(f"| {title} | {wire.far_end} | {at_pi} | {wire.place} | {wire.series} |")
    return "\n".join(lines)


def lamp_table() -> str:
    """The guide's table of the panel's strip, as the eye sees it: upper row first."""
    panel = load_wiring().panel
    strip = panel.index
    lines = ["| row, from above | lamps, left to right (number on the strip) | data runs |", "|---|---|---|"]
    at = panel.pixels
    for number in range(len(panel.rows) - 1, -1, -1):
        row = panel.rows[number]
        at -= len(row)
        cells = []
        for column, lamp in enumerate(row):
            index = strip[lamp] if lamp else at + (column if number % 2 == 0 else len(row) - 1 - column)
            cells.append(f"{_lamp_name(lamp)} ({index})")
        lines.append(f"| {len(panel.rows) - number} | {', '.join(cells)} | {'→' if number % 2 == 0 else '←'} |")
    return "\n".join(lines)


def _lamp_name(lamp: str) -> str:
    if not lamp:
        return "dark"
    if ":" in lamp:
        side, card = lamp.split(":")
        return f"side {side} {card.lower() if card == 'JOKER' else card}"
    return SUITS.get(lamp, "seat " + lamp.replace("_", " ") if lamp not in SUITS else lamp)


def seat_table() -> str:
    """The guide's table of seats."""
    panel = load_wiring().panel
    lines = ["| players | seat 0, 1, 2 … shine at |", "|---|---|"]
    for players, places in panel.seats.items():
        cells = [" + ".join(lamp.replace("_", " ") for lamp in lamps) for lamps in places]
        lines.append(f"| {players} | {', '.join(cells)} |")
    return "\n".join(lines)


def missing() -> list[str]:
    """What drawing needs and does not find."""
    found = [] if shutil.which("dot") else ["graphviz (sudo apt install graphviz)"]
    if not wireviz():
        found.append("wireviz (pip install '.[hardware]')")
    return found


def wireviz() -> str | None:
    """The program, beside this Python or on the path."""
    beside = Path(sys.executable).with_name("wireviz")
    return str(beside) if beside.exists() else shutil.which("wireviz")


def draw(folder: Path) -> list[Path]:
    """Draws every source as SVG and PNG into the folder."""
    program = wireviz()
    if program is None:
        raise FileNotFoundError("wireviz is missing")
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name in sources():
        source = WIRING / f"{name}.yml"
        subprocess.run(
            [program, "-f", "ps", "-o", str(folder), str(source)], check=True, capture_output=True, text=True
        )
        drawn += [folder / f"{name}.svg", folder / f"{name}.png"]
        if name.endswith(".fr"):
            text = drawn[-2].read_text(encoding="utf-8")
            drawn[-2].write_text(text.replace(THEIR_WORDS, french.say(THEIR_WORDS, [])), encoding="utf-8")
    return drawn
