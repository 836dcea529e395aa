"""Draws the pictures of the README that come from the program itself: python docs/pictures.py"""

import re
from html import escape
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture

from device import words
from device.display import draw as draw_show
from device.display.examples import examples
from device.show import Show
from device.terminal import WIDTH, Screen
from engine.match import Match
from engine.notices import ALERT
from engine.referee.card_game import CardJudge
from engine.simulate import plant
from vision.board.draw import draw
from vision.board.reader import BoardReader
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import render
from vision.synthetic.board_scene import random_scene

Image = NDArray[np.uint8]
BOARD_SEED = 35
SHOWN = ("full", "hearts", "alert", "munia")
CHARACTER_PX, LINE_PX, MARGIN_PX = 8.4, 18, 12
COLOURS = {"31": "#ff6b6b", "32": "#69db7c", "33": "#ffd43b", "34": "#74c0fc"}
STYLE = re.compile(r"\x1b\[(\d+)m")


def terminal_svg(lines: list[str]) -> str:
    """A terminal's lines, with their colours, as a picture."""
    width, height = WIDTH * CHARACTER_PX + 2 * MARGIN_PX, len(lines) * LINE_PX + 2 * MARGIN_PX
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">',
        '<rect width="100%" height="100%" rx="8" fill="#1e1e2e"/>',
        '<g font-family="DejaVu Sans Mono, monospace" font-size="14" fill="#dee2e6" xml:space="preserve">',
    ]
    for row, line in enumerate(lines):
        y = MARGIN_PX + LINE_PX * (row + 0.75)
        column, styles = 0, set[str]()
        for part in re.split(r"(\x1b\[\d+m)", line):
            if style := STYLE.fullmatch(part):
                styles = set() if style[1] == "0" else styles | {style[1]}
                continue
            if not part:
                continue
            x, fill = MARGIN_PX + column * CHARACTER_PX, next((COLOURS[one] for one in styles if one in COLOURS), "")
            if "7" in styles:
                box = f'x="{x:.1f}" y="{y - 13:.1f}" width="{len(part) * CHARACTER_PX:.1f}" height="{LINE_PX}"'
                out.append(f'<rect {box} fill="{fill or "#dee2e6"}"/>')
                fill = "#1e1e2e"
            paint = (f' fill="{fill}"' if fill else "") + (' font-weight="bold"' if "1" in styles else "")
            length = len(part) * CHARACTER_PX
            out.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{paint}>{escape(part)}</text>')
            column += len(part)
    return "\n".join([*out, "</g></svg>", ""])


def illegal_move() -> list[str]:
    """The terminal at the moment a card out of turn is caught."""
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    messages: list[str] = []
    for event in plant("out_of_turn", match.judge.game, Random(8), 0):
        notices = match.add(event)
        said = [words.sentence(notice.to_dict(), "en") for notice in notices]
        messages += said
        alert = next((text for text, notice in zip(said, notices, strict=True) if notice.level == ALERT), None)
        if alert:
            return Screen("en", colour=True).draw(
                Show(match.view.to_dict(), "en", sentences=tuple(messages), alert=alert)
            )
    raise AssertionError("the planted fault was not seen")


def board_read() -> Image:
    """A drawn board with what the reader makes of it."""
    size = (1280, 960)
    scene = random_scene(np.random.default_rng(BOARD_SEED), Library.load(), (4, 8), size, "game", clean=True)
    picture = render(scene).image
    reader = BoardReader()
    found = reader.find(picture)
    return draw(picture, found, None if found is None else reader.count(picture, found))


def displays() -> Picture.Image:
    """What the smallest and the largest display show at four moments, twice as large."""
    picture = Picture.new("RGB", (4 * 328 + 8, 8 + 2 * 64 + 16 + 240 + 8), (128, 128, 136))
    for column, name in enumerate(SHOWN):
        show = examples("shi")[name]
        one = draw_show(show, (128, 64), colour=False).convert("RGB")
        picture.paste(one.resize((256, 128), Picture.Resampling.NEAREST), (8 + 328 * column + 32, 8))
        picture.paste(draw_show(show, (320, 240), colour=True), (8 + 328 * column, 152))
    return picture


if __name__ == "__main__":
    here = Path(__file__)
    displays().save(here.with_name("displays.png"), optimize=True)
    here.with_name("terminal.svg").write_text(terminal_svg(illegal_move()), encoding="utf-8")
    cv2.imwrite(str(here.with_name("board_debug.jpg")), board_read(), [cv2.IMWRITE_JPEG_QUALITY, 80])
