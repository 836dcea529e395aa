"""Each whole device in one drawing, every cable with its part and length, and how the camera's ribbon lies in its
sockets. Lengths come from parts.csv and stand/runs.csv. Run by build.py."""

import re
from collections.abc import Sequence
from pathlib import Path

from hardware import parts, reaches
from hardware.boards import _line, _svg, _text

HERE = Path(__file__).parent / "wiring"
MAINS, FIVE, DATA, RIBBON = "#8a4b00", "#d22", "#2060d0", "#b06a00"
LETTER = 0.52
"""Width of an ordinary letter over its size."""
Point = tuple[float, float]


def _box(x: float, y: float, w: float, h: float, words: Sequence[str], fill: str = "#eef3f7", size: float = 12) -> str:
    out = [f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="6" fill="{fill}" stroke="#445" stroke-width="1.5"/>']
    first = y + h / 2 - (len(words) - 1) * 8 + 4
    out += [_text(x + w / 2, first + 16 * n, word, size if n == 0 else size - 2) for n, word in enumerate(words)]
    return "\n".join(out)


def _cable(
    points: Sequence[Point], colour: str, words: str = "", at: Point | None = None, anchor: str = "start"
) -> str:
    path = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    out = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="4" stroke-linejoin="round"/>']
    if words and at:
        out.append(_text(at[0], at[1], words, 11, anchor, colour))
    return "\n".join(out)


def _sold(ref: str) -> str:
    mm = reaches.length_mm(next(part for part in parts.load() if part.ref == ref))
    return f"{mm / 1000:g} m" if mm >= 500 else f"{mm / 10:g} cm"


def _table(body: list[str]) -> None:
    body.append('<rect x="250" y="500" width="640" height="24" fill="#d9bd94" stroke="#8a6f45"/>')
    body.append(_text(870, 517, "table", 11, "end"))
    body.append(_box(300, 556, 200, 44, ("Q1 extension lead", "under the table top"), "#f7efe6"))
    body.append(_cable([(400, 600), (400, 690), (14, 690)], MAINS))
    body.append(_text(16, 682, f"mains: Q1's own lead, {_sold('Q1')}", 11, "start", MAINS))


def standard() -> str:
    """The printed stand with case and panel."""
    body = [_text(480, 20, "Standard and tournament build: every cable", 16)]
    _table(body)
    body += [_line((226, 560), (226, 110), "#9aa2ac", 18), _line((218, 110), (560, 110), "#9aa2ac", 18)]
    body.append(_box(196, 470, 30, 84, ("",), "#cfe0ea"))
    body.append(_cable([(480, 106), (480, 126), (572, 126), (572, 150)], RIBBON))
    body.append(_text(640, 120, f"ribbon W2 / W3: {_sold('W2')} at most", 11, "start", RIBBON))
    body.append(_cable([(440, 106), (440, 96), (244, 96), (244, 578), (300, 578)], FIVE))
    body.append(_text(206, 330, f"supply V2 / V3, {_sold('V2')}", 11, "end", FIVE))
    body.append(
        _cable([(530, 60), (545, 60), (545, 88), (256, 88), (256, 546), (910, 546), (910, 400), (830, 400)], DATA)
    )
    body.append(_text(284, 300, f"USB cable W4, {_sold('W4')}: Pi's USB to the Pico", 11, "start", DATA))
    body.append(_cable([(460, 106), (460, 80), (266, 80), (266, 534), (900, 534), (900, 440), (830, 440)], "#d26"))
    body.append(_text(284, 340, f"pair W5, {_sold('W5')}: 5 V and ground to K3;", 11, "start", "#d26"))
    body.append(_text(284, 356, "fuse F1 in its red wire, inside the case", 11, "start", "#d26"))
    for x, y in ((250, 420), (250, 180), (330, 110)):
        body.append(f'<circle cx="{x}" cy="{y}" r="7" fill="#f0b040" stroke="#7a5000"/>')
    body.append(_text(284, 240, "clips hold all cables: nothing pulls at a socket", 11, "start", "#7a5000"))
    body.append(_box(400, 30, 130, 76, ("case", "Pi, display, A B C", "sound"), "#cfe0ea"))
    body.append(_box(548, 150, 76, 40, ("camera B2",), "#cfeacf", 11))
    body.append(_box(660, 360, 170, 120, ("lamp panel", "Pico A4, board K3,", "strip P1"), "#cfe0ea"))
    body.append(_text(214, 590, "clamp", 12))
    body.append(_text(945, 640, "The panel's cables go under the table and come up behind the panel.", 11, "end"))
    body.append(_text(945, 658, "Both 5 V come from one supply; the strip's never meets the Pico's own.", 11, "end"))
    return _svg(960, 720, body)


def minimal() -> str:
    """The wooden stand."""
    body = [_text(480, 28, "Minimal build: every cable", 16)]
    _table(body)
    body += [_line((240, 570), (240, 110), "#d8b684", 26), _line((228, 110), (640, 110), "#d8b684", 34)]
    body.append(_box(270, 472, 190, 28, ("tongue and G-clamp N4",), "#e6cfa4", 11))
    body.append(_box(300, 84, 150, 52, ("breadboard K1", "on the arm's side"), "#f6f6f2"))
    body.append(_box(500, 88, 84, 44, ("Pi Zero A1",), "#cfeacf", 11))
    body.append(_box(620, 150, 76, 40, ("camera B1",), "#cfeacf", 11))
    body.append(_cable([(584, 110), (660, 110), (660, 150)], RIBBON))
    body.append(_text(670, 112, f"ribbon W1, {_sold('W1')}", 11, "start", RIBBON))
    body.append(_cable([(450, 96), (500, 96)], DATA))
    body.append(_text(475, 74, "jumper wires K2, 30 cm", 11, "middle", DATA))
    body.append(_cable([(560, 132), (560, 150), (258, 150), (258, 578), (300, 578)], FIVE))
    body.append(_text(270, 330, f"supply V1, {_sold('V1')}: into the socket marked PWR", 11, "start", FIVE))
    for x, y in ((258, 420), (258, 220), (420, 150)):
        body.append(f'<circle cx="{x}" cy="{y}" r="7" fill="#f0b040" stroke="#7a5000"/>')
    body.append(_text(276, 224, "clips N6", 11, "start", "#7a5000"))
    return _svg(960, 720, body)


def laptop() -> str:
    """Build 0."""
    body = [_text(480, 28, "Build 0: a laptop, a webcam, a boom arm", 16)]
    _table(body)
    body += [_line((300, 500), (300, 110), "#667", 10), _line((300, 110), (600, 110), "#667", 10)]
    body.append(_box(262, 470, 96, 60, ("clamp",), "#bcc", 11))
    body.append(_box(560, 116, 80, 40, ("webcam E2",), "#cfeacf", 11))
    body.append(_text(450, 96, "boom arm E3: the lens looks straight down", 11))
    body.append(_box(690, 430, 170, 70, ("laptop E1", "at the table's end"), "#cfe0ea"))
    body.append(_cable([(560, 136), (316, 136), (316, 462), (600, 462), (690, 462)], DATA))
    body.append(_text(330, 300, f"webcam's own cable and extension E4, {_sold('E4')}", 11, "start", DATA))
    body.append(_cable([(775, 500), (775, 578), (500, 578)], MAINS, "laptop's own supply", (610, 570)))
    for x, y in ((316, 430), (316, 220), (400, 136)):
        body.append(f'<circle cx="{x}" cy="{y}" r="7" fill="#f0b040" stroke="#7a5000"/>')
    body.append(_text(330, 224, "clips or hook-and-loop tape", 11, "start", "#7a5000"))
    return _svg(960, 720, body)


def ribbon() -> str:
    """Which side of the ribbon looks where, and its two folds."""
    body = [_text(480, 28, "The camera's ribbon: which side looks where", 16)]
    rows = (
        ("Camera Module 2 or 3", "contacts towards the board and the lens, away from the flap's blue or black stripe"),
        (
            "Pi 4: socket CAMERA, between HDMI and the audio jack",
            "contacts towards the HDMI sockets, stripe towards the USB sockets",
        ),
        ("Pi 5: socket CAM/DISP 0 or 1", "contacts towards the USB sockets, stripe towards the supply socket"),
        ("Pi Zero 2 W: socket at the short end", "contacts towards the board, stripe up"),
    )
    for number, (where, how) in enumerate(rows):
        y = 70 + 74 * number
        body.append(_box(30, y, 330, 56, (where,), "#cfeacf", 11))
        body.append(f'<rect x="360" y="{y + 20}" width="150" height="16" fill="#e8d3a8" stroke="#a58a5a"/>')
        body.append(f'<rect x="360" y="{y + 30}" width="26" height="6" fill="#999"/>')
        body.append(f'<rect x="360" y="{y + 20}" width="26" height="5" fill="#2060d0"/>')
        body.append(_text(520, y + 32, how, 10.5, "start"))
    body.append(
        _text(
            30,
            392,
            "Folds: one flat fold at a right angle where the ribbon turns along the arm, one at the head; press them with a finger,",
            11,
            "start",
        )
    )
    body.append(
        _text(
            30,
            408,
            "never with a nail. A ribbon may be folded once in a place and bears it; folded to and fro it breaks.",
            11,
            "start",
        )
    )
    body.append(
        _text(
            30,
            428,
            "Sockets: pull the flap out by a millimetre, push the ribbon in straight, push the flap home. With the Pi off.",
            11,
            "start",
        )
    )
    body.append(
        _text(
            30,
            448,
            "Before the first power compare with the picture on the makers' page: a ribbon the wrong way round shorts the camera's supply.",
            11,
            "start",
            "#a00",
        )
    )
    return _svg(1060, 466, body)


def wide_words(text: str) -> list[str]:
    """Words of a drawing that do not end before its paper does, by the width of an ordinary letter."""
    found = []
    paper = re.search(r'<svg [^>]*width="(\d+)"', text)
    for head, words in re.findall(r"<text ([^>]*)>([^<]*)</text>", text):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', head))
        wide = LETTER * float(given["font-size"]) * len(words)
        start = float(given["x"]) - {"middle": wide / 2, "end": wide}.get(given.get("text-anchor", ""), 0.0)
        if paper and (start < 0 or start + wide > float(paper[1])):
            found.append(f"{words!r} does not fit the drawing")
    return found


def drawings() -> dict[Path, str]:
    """Every overview, by file."""
    made = {"device_laptop": laptop(), "device_minimal": minimal(), "device_standard": standard(), "ribbon": ribbon()}
    return {HERE / f"{name}.svg": text for name, text in made.items()}
