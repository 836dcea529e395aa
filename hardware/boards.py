"""The breadboard and the perforated board, hole by hole: drawn for the guide, and checked against the wiring: what must
be joined is joined, and nothing else is. Run by build.py."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path

from device.machine.wiring import HEADER, HEADER_POWER, PICO_HEADER
from device.machine.wiring import load as load_wiring
from hardware import diagrams

HERE = Path(__file__).parent / "wiring"
INK = "#222"
COLOURS = {"RD": "#d22", "BK": "#222", "YE": "#d9a400", "GN": "#2a8a2a", "BU": "#2060d0", "WH": "#999", "OG": "#e07000"}


@dataclass(frozen=True)
class Piece:
    """A component: its reference, what is written beside it, the hole of each leg, and legs that it joins itself."""

    ref: str
    text: str
    legs: dict[str, str]
    joins: tuple[tuple[str, str], ...] = ()
    shape: str = "box"
    colour: str = "#ddd"


@dataclass(frozen=True)
class Wire:
    """From one hole or terminal to another."""

    a: str
    b: str
    colour: str


@dataclass
class Nets:
    """What is joined with what."""

    root: dict[str, str] = field(default_factory=dict)

    def find(self, node: str) -> str:
        """The name under which all that is joined with a node is kept."""
        self.root.setdefault(node, node)
        while self.root[node] != node:
            node = self.root[node]
        return node

    def join(self, a: str, b: str) -> None:
        """These two are one."""
        self.root[self.find(a)] = self.find(b)

    def joined(self, a: str, b: str) -> bool:
        """Whether current flows between them."""
        return self.find(a) == self.find(b)


def strip_of(hole: str) -> str:
    """The five contacts of a breadboard that are one: its column's upper or lower half; a rail is one all along."""
    if hole[0] in "+-":
        return hole[:2]
    half = "upper" if hole[0] in "abcde" else "lower"
    return f"{half} {hole[1:]}"


def series(group: str, name: str) -> int:
    """The resistor before a lamp, in ohms."""
    return diagrams.series_ohms()[f"{group} {name}"]


BUTTON_COLUMNS = {"A": 22, "B": 31, "C": 40}
LAMP_COLUMNS = (47, 50, 53, 56, 59, 62)
OLED_COLUMN, PIEZO_COLUMN = 3, 12


def breadboard() -> tuple[list[Piece], list[Wire]]:
    """Everything on the breadboard of the minimal build, and its wires; "pin 11" is a place on the Pi's header."""
    wiring = load_wiring()
    signals = wiring.signals
    pieces: list[Piece] = []
    wires: list[Wire] = []
    lamps = [("suit_lamps", name) for name in signals["suit_lamps"]]
    lamps += [("side_lamps", name) for name in signals["side_lamps"]]
    tints = {"C": "#7fc97f", "S": "#7fc97f", "D": "#e66", "H": "#e66", "side_0": "#6a8cff", "side_1": "#ffc34d"}
    refs = {"C": ("L2", "R2"), "S": ("L2", "R2"), "D": ("L1", "R1"), "H": ("L1", "R1"), "side_0": ("L3", "R3")}
    for column, (group, name) in zip(LAMP_COLUMNS, lamps, strict=True):
        lamp, resistor = refs.get(name, ("L4", "R1"))
        word = diagrams.signal_name(group, name)
        pieces.append(
            Piece(resistor, f"{series(group, name)}", {"1": f"f{column}", "2": f"e{column}"}, shape="resistor")
        )
        legs = {"long": f"a{column}", "short": f"-t{column}"}
        pieces.append(Piece(lamp, word, legs, shape="lamp", colour=tints[name]))
        wires.append(Wire(f"pin {HEADER[signals[group][name]]}", f"j{column}", "YE"))
    for name, column in BUTTON_COLUMNS.items():
        legs = {"1": f"e{column}", "2": f"f{column}", "3": f"e{column + 2}", "4": f"f{column + 2}"}
        pieces.append(Piece("S1", name, legs, (("1", "2"), ("3", "4")), "button"))
        pieces.append(Piece("R7", "1k", {"1": f"h{column}", "2": f"h{column - 4}"}, shape="resistor"))
        wires.append(Wire(f"pin {HEADER[signals['buttons'][name]]}", f"j{column - 4}", "BU"))
        wires.append(Wire(f"a{column + 2}", f"-t{column + 2}", "BK"))
    c = PIEZO_COLUMN
    pieces.append(Piece("R6", "470", {"1": f"f{c}", "2": f"e{c}"}, shape="resistor"))
    pieces.append(Piece("Z1", "piezo", {"1": f"b{c}", "2": f"b{c + 4}"}, shape="round"))
    wires.append(Wire(f"pin {HEADER[signals['buzzer']['tone']]}", f"j{c}", "GN"))
    wires.append(Wire(f"a{c + 4}", f"-t{c + 4}", "BK"))
    c = OLED_COLUMN
    legs = {name: f"e{c + at}" for at, name in enumerate(("GND", "VCC", "SCL", "SDA"))}
    pieces.append(Piece("D1", "OLED", legs, shape="display"))
    wires.append(Wire(f"a{c}", f"-t{c}", "BK"))
    wires.append(Wire(f"pin {HEADER_POWER['3V3'][0]}", f"a{c + 1}", "RD"))
    wires.append(Wire(f"pin {HEADER[signals['oled']['scl']]}", f"a{c + 2}", "GN"))
    wires.append(Wire(f"pin {HEADER[signals['oled']['sda']]}", f"a{c + 3}", "YE"))
    wires.append(Wire(f"pin {HEADER_POWER['GND'][0]}", "-t1", "BK"))
    return pieces, wires


def in_one_twice(places: Sequence[str], kind: str) -> list[str]:
    """The holes or pads that two legs share."""
    return [f"two legs in {kind} {place}" for place in sorted({p for p in places if places.count(p) > 1})]


def joined_wrongly(nets: Mapping[str, str]) -> list[str]:
    """The things whose nets are one, and must not be. nets: of each thing, by its name."""
    return [f"{a} and {b} are joined" for a, b in combinations(nets, 2) if nets[a] == nets[b]]


class Breadboard:
    """What is on the breadboard, and what it joins."""

    def __init__(self, pieces: Sequence[Piece], wires: Sequence[Wire]) -> None:
        self.pieces, self.wires, self.nets = pieces, wires, Nets()
        self.ground = f"pin {HEADER_POWER['GND'][0]}"
        ends = [(w.a, w.b) for w in wires] + [(p.legs[a], p.legs[b]) for p in pieces for a, b in p.joins]
        for a, b in ends:
            self.nets.join(*(x if x.startswith("pin") else strip_of(x) for x in (a, b)))

    @property
    def holes(self) -> list[str]:
        """Where every leg and end of a wire is."""
        legs = [hole for piece in self.pieces for hole in piece.legs.values()]
        return legs + [end for wire in self.wires for end in (wire.a, wire.b)]

    def reaches(self, piece: Piece, leg: str, net: str) -> bool:
        """Whether a leg is on a net."""
        return self.nets.joined(strip_of(piece.legs[leg]), net)

    def on(self, net: str) -> list[Piece]:
        """The pieces on a net, but for resistors."""
        return [p for p in self.pieces for leg in p.legs if p.shape != "resistor" and self.reaches(p, leg, net)]

    def behind(self, pin: str) -> tuple[str, Piece | None]:
        """Through the one resistor on a pin's net to the net behind it."""
        for piece in self.pieces:
            for here, there in (("1", "2"), ("2", "1")):
                if piece.shape == "resistor" and self.reaches(piece, here, pin):
                    return strip_of(piece.legs[there]), piece
        return pin, None

    def faults_of(self, group: str, name: str, pin: str) -> Iterator[str]:
        """What is wrong between this pin and its piece."""
        if group == "oled":
            if not any(p.ref == "D1" and self.reaches(p, name.upper(), pin) for p in self.pieces):
                yield f"{name} does not reach the display"
            return
        net, resistor = self.behind(pin)
        mine = self.on(net)
        if resistor is None or not mine:
            yield f"{group} {name}: {pin} does not reach its piece through a resistor"
            return
        piece, word = mine[0], diagrams.signal_name(group, name)
        wanted = {"buttons": name, "buzzer": "piezo"}.get(group, word)
        if piece.text != wanted:
            yield f"{pin} reaches {piece.text}, not {wanted}"
        if not any(self.reaches(piece, leg, self.ground) for leg in piece.legs):
            yield f"{wanted} does not reach ground"
        if group.endswith("lamps"):
            if resistor.text != str(series(group, name)):
                yield f"{word}: {resistor.text} ohm stand before it"
            if not self.reaches(piece, "short", self.ground):
                yield f"{word} is the wrong way round"


def breadboard_faults(pieces: list[Piece], wires: list[Wire]) -> list[str]:
    """What is not joined as the wiring says, and what is joined that must not be."""
    board, pins = Breadboard(pieces, wires), load_wiring().pins("minimal")
    found = in_one_twice(board.holes, "hole")
    for (group, name), gpio in pins.items():
        found += board.faults_of(group, name, f"pin {HEADER[gpio]}")
    live = [*(f"pin {HEADER[gpio]}" for gpio in pins.values()), f"pin {HEADER_POWER['3V3'][0]}", board.ground]
    return found + joined_wrongly({pin: board.nets.find(pin) for pin in live})


K3_SIZE = (14, 20)
"""Pads across and down, 2.54 mm apart: 40 x 60 mm. Seen from the side of the parts."""


def k3() -> tuple[list[Piece], list[Wire]]:
    """The perforated board: pads "column,row"; terminals are pads that take a wire."""
    left, right, top = 4, 7, 3
    legs = {str(n + 1): f"{left},{top + n}" for n in range(7)} | {str(14 - n): f"{right},{top + n}" for n in range(7)}
    pieces = [
        Piece("U1", "74AHCT125", legs, shape="chip"),
        Piece("C2", "100n", {"1": "10,3", "2": "10,5"}, colour="#e8b060"),
        Piece("R5", "100k", {"1": "2,4", "2": "2,9"}, shape="resistor"),
        Piece("R4", "330", {"1": "2,11", "2": "2,16"}, shape="resistor"),
        Piece("C1", "1000µ", {"+": "10,13", "-": "12,13"}, shape="can", colour="#9ad"),
        Piece("T1", "from Pi, 5 V", {"1": "13,18"}, shape="terminal", colour=COLOURS["RD"]),
        Piece("T2", "from Pi, GND", {"1": "13,16"}, shape="terminal", colour=COLOURS["BK"]),
        Piece("T3", "to strip, 5 V", {"1": "9,18"}, shape="terminal", colour=COLOURS["RD"]),
        Piece("T4", "to strip, GND", {"1": "7,18"}, shape="terminal", colour=COLOURS["BK"]),
        Piece("T5", "to strip, DIN", {"1": "2,18"}, shape="terminal", colour=COLOURS["GN"]),
        Piece("T6", "from Pico, data", {"1": "0,4"}, shape="terminal", colour=COLOURS["GN"]),
        Piece("T7", "from Pico, GND", {"1": "0,9"}, shape="terminal", colour=COLOURS["BK"]),
    ]
    wires = [
        # 5 V: in, the strip, C1, VCC, C2
        Wire("13,18", "10,18", "RD"), Wire("10,18", "9,18", "RD"), Wire("10,18", "10,13", "RD"),
        Wire("10,13", "9,13", "RD"), Wire("9,13", "9,3", "RD"), Wire("9,3", "7,3", "RD"), Wire("9,3", "10,3", "RD"),
        # ground: in, the strip, C1, C2, U1
        Wire("13,16", "12,16", "BK"), Wire("12,16", "12,13", "BK"), Wire("12,13", "12,5", "BK"), Wire("12,5", "10,5", "BK"),
        Wire("12,5", "12,1", "BK"), Wire("12,1", "5,1", "BK"), Wire("5,1", "5,3", "BK"), Wire("5,9", "4,9", "BK"),
        Wire("5,9", "5,16", "BK"), Wire("5,16", "7,16", "BK"), Wire("7,16", "7,18", "BK"), Wire("5,13", "0,13", "BK"),
        Wire("0,13", "0,9", "BK"), Wire("0,9", "2,9", "BK"),
        # unused gates and their enables, and the enable of the used one
        Wire("5,9", "5,3", "BK"), Wire("5,3", "4,3", "BK"), Wire("5,6", "4,6", "BK"), Wire("5,7", "4,7", "BK"),
        Wire("5,9", "6,9", "BK"), Wire("6,9", "6,4", "BK"), Wire("6,4", "7,4", "BK"), Wire("6,5", "7,5", "BK"),
        Wire("6,7", "7,7", "BK"), Wire("6,8", "7,8", "BK"),
        # data: from the Pico to 1A with R5, from 1Y through R4 to the strip
        Wire("0,4", "2,4", "GN"), Wire("2,4", "4,4", "GN"), Wire("4,5", "3,5", "GN"), Wire("3,5", "3,11", "GN"),
        Wire("3,11", "2,11", "GN"), Wire("2,16", "2,18", "GN"),
    ]  # fmt: skip
    return pieces, wires


def pads(wire: Wire) -> list[str]:
    """Every pad that a straight wire passes and is soldered to."""
    (x0, y0), (x1, y1) = (tuple(map(int, end.split(","))) for end in (wire.a, wire.b))
    steps = max(abs(x1 - x0), abs(y1 - y0))
    return [f"{x0 + (x1 - x0) * n // steps},{y0 + (y1 - y0) * n // steps}" for n in range(steps + 1)]


def is_straight(wire: Wire) -> bool:
    """Whether a wire runs along a row or a column."""
    (x0, y0), (x1, y1) = wire.a.split(","), wire.b.split(",")
    return x0 == x1 or y0 == y1


GATES = tuple(("U1", leg) for leg in ("1", "4", "5", "7", "9", "10", "12", "13"))
K3_NETS: dict[str, tuple[tuple[str, str], ...]] = {
    "5 V": (("T1", "1"), ("T3", "1"), ("U1", "14"), ("C1", "+"), ("C2", "1")),
    "ground": (("T2", "1"), ("T4", "1"), ("T7", "1"), ("C1", "-"), ("C2", "2"), ("R5", "2"), *GATES),
    "data in": (("T6", "1"), ("U1", "2"), ("R5", "1")),
    "data out": (("U1", "3"), ("R4", "1")),
    "data to the strip": (("R4", "2"), ("T5", "1")),
    "not used 6": (("U1", "6"),),
    "not used 8": (("U1", "8"),),
    "not used 11": (("U1", "11"),),
}
"""What the panel's diagram joins: the legs on each net."""


def k3_faults(pieces: list[Piece], wires: list[Wire]) -> list[str]:
    """What the perforated board joins that the panel's diagram does not, and the other way round."""
    crooked = [f"the wire from {wire.a} to {wire.b} is not straight" for wire in wires if not is_straight(wire)]
    if crooked:
        return crooked[:1]
    nets = Nets()
    for wire in wires:
        for a, b in pairwise(pads(wire)):
            nets.join(a, b)
    by_ref = {piece.ref: piece for piece in pieces}

    def net(ref: str, leg: str) -> str:
        return nets.find(by_ref[ref].legs[leg])

    found = [
        f"{ref} {leg} is not on {name}"
        for name, legs in K3_NETS.items()
        for ref, leg in legs
        if net(ref, leg) != net(*legs[0])
    ]
    found += joined_wrongly({name: net(*legs[0]) for name, legs in K3_NETS.items()})
    used = [pad for piece in pieces for pad in piece.legs.values()]
    found += in_one_twice(used, "pad")
    return found + off_the_board({*used, *(pad for wire in wires for pad in pads(wire))})


def off_the_board(places: Iterable[str]) -> list[str]:
    """The pads that the board does not have."""
    width, height = K3_SIZE
    there = {f"{x},{y}" for x in range(width) for y in range(height)}
    return [f"pad {pad} is not on the board" for pad in places if pad not in there]


def k3_on_strips() -> list[str]:
    """What goes wrong where copper strips join the pads of each row, or of each column: the way that joins less."""
    pieces, wires = k3()
    across, down = K3_SIZE
    rows = [Wire(f"0,{y}", f"{across - 1},{y}", "") for y in range(down)]
    columns = [Wire(f"{x},0", f"{x},{down - 1}", "") for x in range(across)]
    return min((k3_faults(pieces, [*wires, *strips]) for strips in (rows, columns)), key=len)


def faults() -> list[str]:
    """What is wrong on either board."""
    return [f"breadboard: {why}" for why in breadboard_faults(*breadboard())] + [
        f"K3: {why}" for why in k3_faults(*k3())
    ]


def _text(x: float, y: float, words: str, size: float = 9, anchor: str = "middle", colour: str = INK) -> str:
    words = words.replace("&", "&amp;")
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
        f'font-family="DejaVu Sans, sans-serif">{words}</text>'
    )


def _line(a: tuple[float, float], b: tuple[float, float], colour: str, width: float = 2.4) -> str:
    return (
        f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="round"/>'
    )


def _svg(width: float, height: float, body: Iterable[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
    return (
        head
        + f'viewBox="0 0 {width:.0f} {height:.0f}">\n<rect width="100%" height="100%" fill="white"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


STEP = 16.0
ROWS = (
    {"-t": 0.0, "+t": 1.0} | {r: 2.6 + n for n, r in enumerate("abcde")} | {r: 9.2 + n for n, r in enumerate("fghij")}
)
ROWS |= {"-b": 15.8, "+b": 16.8}


def _hole(hole: str) -> tuple[float, float]:
    rail = hole[0] in "+-"
    row, column = (hole[:2], hole[2:]) if rail else (hole[0], hole[1:])
    return 60 + STEP * int(column), 150 + STEP * ROWS[row]


def _stage(hole: str) -> int:
    """In which order the breadboard is filled: display, lamps, buttons and sound."""
    column = int(re.sub(r"^[-+]?[a-z]", "", hole))
    return 1 if column <= OLED_COLUMN + 3 else 2 if column >= LAMP_COLUMNS[0] else 3


def _on_breadboard(pieces: Iterable[Piece], wires: Iterable[Wire]) -> list[str]:
    """Pieces and wires, drawn in their holes."""
    body: list[str] = []
    for wire in wires:
        colour = COLOURS[wire.colour]
        if wire.a.startswith("pin"):
            x, y = _hole(wire.b)
            down = wire.b[0] in "fghij"
            end = 470.0 if down else 112.0
            body.append(_line((x, y), (x, end), colour))
            body.append(f'<circle cx="{x}" cy="{y}" r="3.4" fill="{colour}"/>')
            body.append(
                _text(x, end + (14 if down else -6 - 11 * (int(wire.b[1:].strip("t")) % 3)), wire.a, 8.5, colour=colour)
            )
        else:
            body.append(_line(_hole(wire.a), _hole(wire.b), colour, 3))
    for piece in pieces:
        at = {leg: _hole(hole) for leg, hole in piece.legs.items()}
        points = list(at.values())
        x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
        if piece.shape == "resistor":
            body.append(_line(points[0], points[1], "#a58a5a", 2))
            flat = abs(points[0][1] - points[1][1]) < 1
            w, h = (36, 12) if flat else (12, 36)
            body.append(
                f'<rect x="{x - w / 2}" y="{y - h / 2}" width="{w}" height="{h}" rx="4" fill="#e8d3a8" stroke="#a58a5a"/>'
            )
            body.append(_text(x, y + 3, piece.text, 7.5) if flat else _text(x + 9, y + 12, piece.text, 7.5, "start"))
            body.append(
                _text(x + (0 if flat else 9), y + (16 if flat else 0), piece.ref, 8, "middle" if flat else "start")
            )
        elif piece.shape == "lamp":
            long, short = at["long"], at["short"]
            body.append(_line(long, short, "#888", 2))
            body.append(f'<circle cx="{x}" cy="{y}" r="9" fill="{piece.colour}" stroke="#555"/>')
            body.append(_text(long[0] + 5, long[1] + 3, "+", 10, "start"))
            body.append(_text(x, 90, piece.text, 9))
            body.append(_text(x, 78, piece.ref, 9))
        elif piece.shape == "button":
            left, right = at["1"][0], at["3"][0]
            body.append(
                f'<rect x="{left - 6}" y="{at["1"][1] - 4}" width="{right - left + 12}" height="{at["2"][1] - at["1"][1] + 8}" rx="4" fill="#667" stroke="#333"/>'
            )
            body.append(f'<circle cx="{x}" cy="{y}" r="12" fill="#c43c34"/>')
            body.append(_text(x, y + 4, piece.text, 12, colour="white"))
            body.append(_text(x, at["1"][1] - 10, piece.ref, 8))
        elif piece.shape == "round":
            body.append(f'<circle cx="{x}" cy="{y - 2}" r="26" fill="#333" opacity="0.75"/>')
            body.append(_text(x, y + 2, f"{piece.ref} {piece.text}", 8, colour="white"))
        else:
            body.append(
                f'<rect x="{points[0][0] - 24}" y="{y - 6}" width="96" height="92" rx="4" fill="#234" opacity="0.9"/>'
            )
            body.append(_text(points[0][0] + 24, y + 46, f"{piece.ref} {piece.text}", 11, colour="white"))
            for name, (px, py) in at.items():
                body.append(_text(px, py + 18, name, 5.5, colour="white"))
    return body


def draw_breadboard(last: int = 0) -> str:
    """The breadboard as it lies before the maker, the Pi to its right; up to a stage, what was there before in pale."""
    pieces, wires = breadboard()
    body = ['<rect x="52" y="134" width="1040" height="302" rx="6" fill="#f6f6f2" stroke="#bbb"/>']
    for row in ROWS:
        for column in range(1, 64):
            x, y = _hole(f"{row}{column}")
            body.append(f'<circle cx="{x}" cy="{y}" r="2" fill="#c4c4bc"/>')
        tint = "#2060d0" if row[0] == "-" else "#d22"
        y = _hole(f"{row}1")[1]
        body.append(_text(44, y + 3, row[0], 11, colour=tint if len(row) == 2 else INK))
        body.append(_text(1100, y + 3, row[0], 11, colour=tint if len(row) == 2 else INK))
    for column in (1, *range(5, 64, 5)):
        body.append(_text(_hole(f"e{column}")[0], _hole("+b1")[1] + 14, str(column), 8, colour="#888"))
    for stage in (1, 2, 3):
        mine = [piece for piece in pieces if _stage(next(iter(piece.legs.values()))) == stage]
        theirs = [wire for wire in wires if _stage(wire.b) == stage]
        if not last or stage == last:
            body += _on_breadboard(mine, theirs)
        elif stage < last:
            body += ['<g opacity="0.3">', *_on_breadboard(mine, theirs), "</g>"]
    body.append(
        _text(
            572,
            28,
            "K1: the breadboard of the minimal build. The Pi is to its right; “pin” is a place on the Pi's header.",
            14,
        )
    )
    body.append(
        _text(
            572,
            48,
            "A lamp's longer leg (+) goes into row a, its shorter leg into the − rail. R1 to R3 and R6 bridge the middle.",
            12,
        )
    )
    body.append(
        _text(
            572,
            505,
            "All black wires end in the − rail, which is the Pi's ground. The + rails and the lower rails stay empty.",
            12,
        )
    )
    return _svg(1150, 520, body)


def _pad(pad: str, mirrored: bool) -> tuple[float, float]:
    x, y = map(int, pad.split(","))
    return (620 + 22 * (13 - x)) if mirrored else (170 + 22 * x), 90 + 22 * y


def draw_k3() -> str:
    """The perforated board from both sides: the parts, and the wires as they are soldered on the copper."""
    pieces, wires = k3()
    body = [_text(480, 30, "K3: the perforated board in the panel, 14 × 20 pads", 15)]
    for mirrored, title in ((False, "side of the parts"), (True, "copper side, turned left to right")):
        x0 = _pad("13,0" if mirrored else "0,0", mirrored)[0]
        body.append(f'<rect x="{x0 - 14}" y="76" width="314" height="446" rx="6" fill="#f2e3c2" stroke="#b89a60"/>')
        body.append(_text(x0 + 143, 62, title, 12))
        for across in range(14):
            for down in range(20):
                px, py = _pad(f"{across},{down}", mirrored)
                body.append(f'<circle cx="{px}" cy="{py}" r="3" fill="{"#d8a860" if mirrored else "#e2cfa0"}"/>')
        for wire in wires if mirrored else []:
            body.append(_line(_pad(wire.a, True), _pad(wire.b, True), COLOURS[wire.colour], 4))
        for piece in pieces:
            at = {leg: _pad(pad, mirrored) for leg, pad in piece.legs.items()}
            points = list(at.values())
            x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
            if piece.shape == "terminal":
                px, py = points[0]
                body.append(f'<circle cx="{px}" cy="{py}" r="6" fill="{piece.colour}"/>')
                column = int(piece.legs["1"].split(",")[0])
                if not mirrored:
                    if column in (0, 13):
                        side = "end" if column == 0 else "start"
                        body.append(
                            _text(px + (-12 if column == 0 else 12), py + 4, piece.text, 10, side, piece.colour)
                        )
                    else:
                        low = 18 if column != 7 else 34
                        body.append(_text(px, 522 + low, piece.text, 10, colour=piece.colour))
                        body.append(_line((px, py), (px, 522 + low - 10), piece.colour, 1))
                continue
            if mirrored:
                for leg, (px, py) in at.items():
                    body.append(f'<circle cx="{px}" cy="{py}" r="4" fill="#555"/>')
                    if piece.shape == "chip":
                        away = 12 if px > x else -12
                        body.append(_text(px + away, py - 6, leg, 7.5))
                continue
            if piece.shape == "chip":
                body.append(
                    f'<rect x="{at["1"][0] + 5}" y="{at["1"][1] - 14}" width="{at["14"][0] - at["1"][0] - 10}" height="{22 * 6 + 28}" rx="4" fill="#445"/>'
                )
                body.append(f'<circle cx="{x}" cy="{at["1"][1] - 10}" r="5" fill="#f2e3c2"/>')
                label = f'transform="rotate(90 {x} {y})"'
                body.append(
                    _text(x, y + 4, f"U1 {piece.text}", 11, colour="white").replace("<text ", f"<text {label} ")
                )
                for leg, (px, py) in at.items():
                    body.append(f'<circle cx="{px}" cy="{py}" r="4" fill="#555"/>')
                    body.append(_text(px + (-11 if px < x else 11), py + 3, leg, 8))
            elif piece.shape == "can":
                body.append(
                    f'<rect x="{x - 26}" y="{points[0][1] - 112}" width="52" height="104" rx="8" fill="{piece.colour}" stroke="#568" opacity="0.85"/>'
                )
                body.append(_text(x, points[0][1] - 60, f"C1 {piece.text}", 10))
                body.append(_text(x, points[0][1] - 46, "lying down", 8))
                for leg, (px, py) in at.items():
                    body.append(_line((px, py), (px, py - 10), "#777", 2))
                    body.append(_text(px + (-9 if leg == "+" else 9), py + 4, "+" if leg == "+" else "−", 12))
            else:
                body.append(_line(points[0], points[1], "#a58a5a", 2))
                w, h = 14, abs(points[0][1] - points[1][1]) - 26
                fill = "#e8d3a8" if piece.shape == "resistor" else piece.colour
                body.append(
                    f'<rect x="{x - w / 2}" y="{y - max(h, 14) / 2}" width="{w}" height="{max(h, 14)}" rx="4" fill="{fill}" stroke="#a58a5a"/>'
                )
                beside = -11 if piece.shape == "resistor" else 11
                body.append(_text(x + beside, y - 2, piece.ref, 9, "end" if beside < 0 else "start"))
                body.append(_text(x + beside, y + 9, piece.text, 8, "end" if beside < 0 else "start"))
    panel = load_wiring().panel
    body.append(
        _text(
            480,
            588,
            f"Data comes from the Pico's pin {PICO_HEADER[panel.data_pin]} (GP{panel.data_pin}), its ground from pin 38. The fuse F1 is not here: it sits in the red wire at the Pi.",
            11,
        )
    )
    body.append(
        _text(
            480,
            606,
            "C1 lies over the empty pads above its legs; its stripe is minus. Pins of U1 count against the clock from the notch.",
            11,
        )
    )
    return _svg(960, 622, body)


def drawings() -> dict[Path, str]:
    """Both boards, by file."""
    made = {"breadboard": draw_breadboard(), "k3": draw_k3()}
    made |= {f"breadboard_{stage}": draw_breadboard(stage) for stage in (1, 2, 3)}
    return {HERE / f"{name}.svg": text for name, text in made.items()}
