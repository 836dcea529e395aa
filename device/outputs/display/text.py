"""Words on a display: the font, how long they are, where they break, how large they may be."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FONT = Path(__file__).with_name("fonts") / "DejaVuSansCondensed-Bold.ttf"
"""Shipped with the program: Pillow's own font knows no accents, and a Pi without a desktop has no fonts at all."""
CAP_SHARE = 0.729
"""Height of a capital or a digit, of the font's size: as the font's own tables say."""
PITCH_SHARE = 1.1
"""From line to line, of the font's size: closer, an accent touches the line above."""
ELLIPSIS = "…"
NO_BREAK = "\u00a0"
NO_LETTER = "\U0010ffff"
"""Of no font."""
BLURRED_PX = (10, 11, 12)
"""Sizes that are never used without grey edges: at them the dot of an i runs into its stem (looked at, every size)."""
SUITS = "♣♦♥♠"
_SUIT = re.compile(f"([{SUITS}])")
_STAY_TOGETHER = (*(" " + mark for mark in "?!:;»→←·"), "« ")


@dataclass(frozen=True)
class Fitted:
    """A text broken into lines at a size that fits."""

    size_px: int
    lines: tuple[str, ...]
    shortened: bool
    """It did not fit even at the smallest size: its end is missing."""


@cache
def font(size_px: int) -> ImageFont.FreeTypeFont:
    """The font at a size. The basic layout: the same on every machine, with Raqm or without."""
    return ImageFont.truetype(str(FONT), size_px, layout_engine=ImageFont.Layout.BASIC)


@cache
def writes(text: str) -> bool:
    """Whether the font has every letter: what it lacks it draws as nothing."""
    nothing = font(20).getbbox(NO_LETTER)
    return all(letter.isspace() or font(20).getbbox(letter) != nothing for letter in text)


def cap_px(size_px: int) -> float:
    """Height of its capitals and digits."""
    return CAP_SHARE * size_px


def size_for_cap(cap: float) -> int:
    """The smallest size whose capitals and digits are so high."""
    return -int(-cap // CAP_SHARE)


def pieces(text: str, mode: str) -> list[str]:
    """A line in parts: without grey edges a suit is a part of its own, since it is drawn and not written."""
    return [part for part in _SUIT.split(text) if part] if mode == "1" else [text]


def suit_px(size_px: int) -> int:
    """Width and height of a suit drawn among letters: not below the 7 pixels that tell a club from a spade."""
    return max(7, round(cap_px(size_px)))


def advance(part: str, size_px: int, mode: str) -> int:
    """From the start of a part of a line to that of the next."""
    if mode == "1" and part in SUITS:
        return suit_px(size_px) + 1
    return round(font(size_px).getlength(part, mode=mode))


def length(text: str, size_px: int, mode: str) -> int:
    """How long the ink of a line is in pixels. mode: "1" or "L", without or with grey edges."""
    left, _, right, _ = ink_of(text, size_px, mode)
    return right - left


@lru_cache(maxsize=4096)
def ink_of(line: str, size_px: int, mode: str) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a line's ink, seen from the start of its baseline."""
    x = 0
    boxes: list[tuple[int, int, int, int]] = []
    before = ""
    for part in pieces(line, mode) or [" "]:
        x += advance(before, size_px, mode) if before else 0
        before = part
        if mode == "1" and part in SUITS:
            box: tuple[float, ...] = (0, -suit_px(size_px), suit_px(size_px), 0)
        else:
            box = font(size_px).getbbox(part, mode=mode, anchor="ls")
        boxes.append((int(x + box[0]), int(box[1]), int(x + box[2]), int(box[3])))
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def height(lines: list[str], size_px: int, mode: str) -> int:
    """How high lines are together: from the ink of the first to that of the last."""
    first, last = ink_of(lines[0], size_px, mode), ink_of(lines[-1], size_px, mode)
    return last[3] - first[1] + (len(lines) - 1) * pitch(size_px)


def pitch(size_px: int) -> int:
    """From one line to the next."""
    return round(PITCH_SHARE * size_px)


@lru_cache(maxsize=1024)
def fit(
    text: str, width: int, high: int, largest: int, smallest: int, mode: str, most_lines: int | None = None
) -> Fitted:
    """The largest size at which the text fits, words kept whole where any size allows it; last of all it is cut."""
    for mark in _STAY_TOGETHER:
        text = text.replace(mark, mark.replace(" ", NO_BREAK))
    most = most_lines or len(text) + 1
    sizes = [size for size in range(max(largest, smallest), smallest - 1, -1) if mode != "1" or size not in BLURRED_PX]
    for whole in (True, False):
        for size in sizes:
            if not _could_fit(text, width, high, size, mode, most):
                continue
            lines = _break(text, width, size, mode)
            fits = _fits(lines, width, high, size, mode) and len(lines) <= most
            if fits and not (whole and _splits_words(text, lines)):
                return Fitted(size, tuple(lines), False)
    return _cut(text, width, high, smallest, mode, most)


def _could_fit(text: str, width: int, high: int, size: int, mode: str, most: int) -> bool:
    """False: the text is too long for as many lines as the height holds, however it is broken."""
    most_lines = min(most, high // pitch(size) + 2)
    gap = length("a a", size, mode) - length("aa", size, mode)
    return length(text, size, mode) <= most_lines * (width + gap)


def _cut(text: str, width: int, high: int, size: int, mode: str, most: int) -> Fitted:
    """As much of the text as fits, at the smallest size."""
    lines = _break(text, width, size, mode)[:most]
    while len(lines) > 1 and height(lines, size, mode) > high:
        lines.pop()
    while lines[-1] and length(lines[-1] + ELLIPSIS, size, mode) > width:
        lines[-1] = lines[-1][:-1]
    return Fitted(size, (*lines[:-1], lines[-1].rstrip() + ELLIPSIS), True)


def _fits(lines: list[str], width: int, high: int, size: int, mode: str) -> bool:
    return height(lines, size, mode) <= high and all(length(line, size, mode) <= width for line in lines)


def _break(text: str, width: int, size: int, mode: str) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip(" ")
        if length(longer, size, mode) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and length(lines[-1] + letter, size, mode) > width:
                lines.append("")
            lines[-1] += letter
    return lines


def _splits_words(text: str, lines: list[str]) -> bool:
    return " ".join(lines) != " ".join(text.split(" "))
