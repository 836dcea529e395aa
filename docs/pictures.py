"""Draws the pictures of the README that come from the program itself: python docs/pictures.py"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture

from device.commands.demo import simulated
from device.following.follow import FrameSeen
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.keeping.settings import Settings
from device.outputs.display.examples import examples
from device.outputs.display.screens import draw as draw_show
from device.outputs.table_view import TableView
from device.outputs.terminal import WIDTH, Screen
from engine.match import Match
from engine.referee.whole import with_the_others
from vision.board.draw import draw
from vision.board.reader import BoardReader
from vision.cards.drawing import draw_sighting
from vision.cards.reader import CardReader
from vision.frame import Frame
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import render
from vision.synthetic.board_scene import random_scene
from vision.synthetic.cards_tables import DrawnCard, draw_table
from vision.synthetic.decks import plain_deck

Image = NDArray[np.uint8]
BOARD_SEED = 35
CARDS_SEED = 9
TRICK = (
    DrawnCard("7H", (330.0, 430.0), 150.0, 0.12, 1.5),
    DrawnCard("back", (395.0, 330.0), 150.0, 1.7, 1.5),
    DrawnCard("KS", (830.0, 400.0), 150.0, -0.3, 1.5),
    DrawnCard("10D", (980.0, 430.0), 150.0, 0.35, 1.5),
    DrawnCard("AS", (850.0, 560.0), 150.0, 1.25, 1.5),
    DrawnCard("QC", (990.0, 580.0), 150.0, 2.3, 1.5),
)
"""A turned-up card under its stock, and four cards thrown on each other."""
SHOWN = ("full", "hearts", "alert", "munia")
CHARACTER_PX, LINE_PX, MARGIN_PX = 8.4, 18, 12
DARK, LIGHT = "#1e1e2e", "#dee2e6"
DEMO_SEED = 1
"""What `hisabu demo` plays."""
BEFORE_ALERT, ALERT_SCREENS, AFTER_ALERT, SCREEN_S = 12, 4, 5, 0.8
"""Of the moving picture: screens before the alert, for how many it stands, how many follow, how long each is seen."""
COLOURS = {"31": "#ff6b6b", "32": "#69db7c", "33": "#ffd43b", "34": "#74c0fc"}
STYLE = re.compile(r"(\x1b\[[\d;]+m)")
PALETTE = {16: "#000000", 160: "#d70000", 231: "#ffffff"}
"""Of a terminal's 256 colours, those that the table's view uses."""


@dataclass
class Style:
    """How a terminal draws what comes next."""

    ink: str = ""
    paper: str = ""
    bold: bool = False
    inverse: bool = False

    def apply(self, codes: list[str]) -> None:
        """Takes in the numbers of an escape."""
        while codes:
            code = codes.pop(0)
            if code == "0":
                self.ink, self.paper, self.bold, self.inverse = "", "", False, False
            elif code == "1":
                self.bold = True
            elif code == "7":
                self.inverse = True
            elif code in COLOURS:
                self.ink = COLOURS[code]
            elif code in ("38", "48"):
                if codes.pop(0) == "5":
                    colour = PALETTE[int(codes.pop(0))]
                else:
                    colour = "#" + "".join(f"{int(codes.pop(0)):02x}" for _ in range(3))
                if code == "38":
                    self.ink = colour
                else:
                    self.paper = colour


def row_svg(row: int, line: str) -> str:
    """A line of a terminal, with its colours, as shapes."""
    out: list[str] = []
    blocks: list[tuple[str, str]] = []
    y = MARGIN_PX + LINE_PX * (row + 0.75)
    column, style = 0, Style()
    for part in STYLE.split(line):
        if STYLE.fullmatch(part):
            style.apply(part[2:-1].split(";"))
            continue
        if not part:
            continue
        x, length, top = MARGIN_PX + column * CHARACTER_PX, len(part) * CHARACTER_PX, y - 13
        column += len(part)
        ink, paper = style.ink, style.paper
        if style.inverse:
            ink, paper = DARK, style.ink or LIGHT
        if set(part) == {"▀"}:
            blocks += [(ink, paper)] * len(part)
            continue
        out.append(blocks_svg(blocks, x, top))
        blocks = []
        if paper:
            box = f'x="{x:.1f}" y="{top:.1f}" width="{length:.1f}" height="{LINE_PX}"'
            out.append(f'<rect {box} fill="{paper}"/>')
        paint = (f' fill="{ink}"' if ink else "") + (' font-weight="bold"' if style.bold else "")
        if part.strip():
            # Browsers draw a run of plain spaces as one, whatever the file says, and stretch the rest.
            kept = escape(part).replace(" ", "\N{NO-BREAK SPACE}")
            out.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{paint}>{kept}</text>')
    return "".join([*out, blocks_svg(blocks, MARGIN_PX + column * CHARACTER_PX, y - 13)])


def blocks_svg(blocks: list[tuple[str, str]], end: float, top: float) -> str:
    """Half blocks side by side up to `end`, each with its upper and its lower colour, as a picture of two rows."""
    if not blocks:
        return ""
    colours = [[tuple(bytes.fromhex(colour[1:])) for colour in column] for column in blocks]
    packed = BytesIO()
    Picture.fromarray(np.array(colours, np.uint8).transpose(1, 0, 2)).save(packed, "PNG", optimize=True)
    left, wide = end - len(blocks) * CHARACTER_PX, len(blocks) * CHARACTER_PX
    place = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{LINE_PX + 0.5}"'
    fill = 'preserveAspectRatio="none" style="image-rendering:pixelated"'
    return f'<image {place} {fill} href="data:image/png;base64,{b64encode(packed.getvalue()).decode()}"/>'


def moving_svg(screens: Sequence[Sequence[str]], each_s: float, still: int) -> str:
    """Screens of a terminal, one after the other, as a picture that moves. A line that several screens share is there
    once. Who asked for less motion sees the screen number `still`."""
    rows: dict[tuple[int, str], list[int]] = {}
    for number, lines in enumerate(screens):
        for row, line in enumerate(lines):
            rows.setdefault((row, line), []).append(number)
    height = max(map(len, screens)) * LINE_PX + 2 * MARGIN_PX
    steps, shapes = [], []
    names: dict[tuple[int, ...], str] = {}
    for (row, line), numbers in rows.items():
        shape = row_svg(row, line)
        if not shape:
            continue
        if len(numbers) == len(screens):
            shapes.append(shape)
            continue
        if (name := names.get(tuple(numbers))) is None:
            name = names[tuple(numbers)] = f"s{len(names)}"
            marks = (f"{100 * n / len(screens):.2f}%{{opacity:{int(n in numbers)}}}" for n in range(len(screens)))
            steps.append(
                f"@keyframes {name}{{{''.join(marks)}}}.{name}{{animation-name:{name};opacity:{int(still in numbers)}}}"
            )
        shapes.append(f'<g class="m {name}">{shape}</g>')
    whole_s = each_s * len(screens)
    moves = f".m{{animation:{whole_s:.1f}s steps(1) infinite}}"
    calm = "@media (prefers-reduced-motion:reduce){.m{animation:none}}"
    width = WIDTH * CHARACTER_PX + 2 * MARGIN_PX
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<style>{moves}{''.join(steps)}{calm}</style>",
            f'<rect width="100%" height="100%" rx="8" fill="{DARK}"/>',
            # Crisp edges: rectangles that touch show no seams.
            f'<g shape-rendering="crispEdges" font-family="DejaVu Sans Mono, monospace" font-size="14" fill="{LIGHT}">',
            *shapes,
            "</g></svg>",
            "",
        ]
    )


def demo_screens() -> tuple[list[list[str]], int]:
    """The terminal of `hisabu demo --lang en` each time something new is shown, and which screen shows the alert."""
    match = Match("turufu", 4)
    settings = Settings(language="en", game="turufu", players=4, build="laptop", display="none")
    view: TableView | None = None

    def watch(frame: Frame, seen: FrameSeen) -> None:
        nonlocal view
        if seen.looked or view is None:
            view = TableView.of(frame.image, seen.lying or ())

    live = LiveTable(InMemory(match), settings, begin=lambda _: InMemory(match), watch=watch)
    camera = simulated(match, DEMO_SEED, real_time=False)
    screens: list[list[str]] = []
    caught = None
    while (frame := camera.frame()) is not None and (caught is None or len(screens) < caught + AFTER_ALERT):
        live.see(frame)
        drawn = Screen("en", colour=True).draw(live.show, view)
        if not screens or drawn != screens[-1]:
            screens.append(drawn)
            if live.show.alert and caught is None:
                caught = len(screens) - 1
    if caught is None:
        raise AssertionError("the wrong card was not seen")
    before = screens[: caught : max(1, caught // BEFORE_ALERT)]
    return [*before, *[screens[caught]] * ALERT_SCREENS, *screens[caught + 1 :]], len(before)


def cards_read() -> Image:
    """A drawn table with what the reader makes of it."""
    rng = np.random.default_rng(CARDS_SEED)
    table = draw_table(rng, plain_deck(), 1280, 800, card_px=150, laid=TRICK, hand=False)
    reader = CardReader()
    sighting, found = reader.explain(table.image)
    return draw_sighting(table.image, sighting, found)


def board_read() -> Image:
    """A drawn board with what the reader makes of it."""
    size = (1280, 960)
    scene = random_scene(np.random.default_rng(BOARD_SEED), Library.load(), (4, 8), size, "game", clean=True)
    picture = render(scene).image
    reader = BoardReader()
    found = reader.find(picture)
    return draw(picture, found, None if found is None else with_the_others(reader.count(picture, found)))


def displays() -> Picture.Image:
    """What the smallest and the largest display show at four moments, twice as large."""
    picture = Picture.new("RGB", (4 * 328 + 8, 8 + 2 * 64 + 16 + 240 + 8), (128, 128, 136))
    for column, name in enumerate(SHOWN):
        show = examples("shi")[name]
        drawn = draw_show(show, (128, 64), colour=False).convert("RGB")
        picture.paste(drawn.resize((256, 128), Picture.Resampling.NEAREST), (8 + 328 * column + 32, 8))
        picture.paste(draw_show(show, (320, 240), colour=True), (8 + 328 * column, 152))
    return picture


if __name__ == "__main__":
    here = Path(__file__)
    displays().save(here.with_name("displays.png"), optimize=True)
    screens, caught = demo_screens()
    here.with_name("demo.svg").write_text(moving_svg(screens, SCREEN_S, caught), encoding="utf-8")
    cv2.imwrite(str(here.with_name("cards_debug.jpg")), cards_read(), [cv2.IMWRITE_JPEG_QUALITY, 80])
    cv2.imwrite(str(here.with_name("board_debug.jpg")), board_read(), [cv2.IMWRITE_JPEG_QUALITY, 80])
