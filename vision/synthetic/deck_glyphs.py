"""New decks from old ones: index letters of other languages and fonts, four indices, four colours; needs Pillow."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from engine.cards import FULL_PACK, JOKER, rank_of, suit_of
from vision.synthetic.cards_backgrounds import smooth_noise
from vision.synthetic.decks import _PIP_ROWS, CARD_H_PX, CARD_W_PX, Deck, Image, IndexBox, blank_card, draw_suit

Rng = np.random.Generator
Polygons = list[NDArray[np.float64]]

LETTERS: tuple[Mapping[str, str], ...] = (
    {},
    {},
    {},
    {"K": "R", "Q": "D", "J": "V"},
    {"K": "R", "Q": "D", "J": "V"},
    {"A": "1", "K": "R", "Q": "D", "J": "V"},
    {"A": "1", "K": "R", "Q": "D", "J": "V"},
    {"Q": "D", "J": "B"},
    {"Q": "D", "J": "B"},
    {"K": "R", "Q": "D", "J": "F"},
    {"K": "R", "Q": "D", "J": "F"},
    {"K": "R", "Q": "D", "J": "F"},
    {"K": "H", "Q": "V", "J": "B"},
    {"K": "H", "Q": "V", "J": "B"},
    {"Q": "D", "J": "Kn"},
    {"A": "E", "Q": "D", "J": "Kn"},
    {"A": "Т", "K": "К", "Q": "Д", "J": "В"},
)
"""Index letters by language: English, French (1 or A), German, Italian, Dutch, Swedish (A or E), Russian."""
TENS = ("10", "10", "10", "10", "10", "10", "10", "X", "0")
"""How a ten is written: now and then as a Roman one, or by its nought alone."""

_FONT_FOLDERS = ("/usr/share/fonts/truetype", "/usr/share/fonts/opentype", "/usr/share/fonts/type1")
_NOTO_KEPT = (
    "NotoSans-",
    "NotoSerif-",
    "NotoSansMono",
    "NotoSansDisplay",
    "NotoSerifDisplay",
)
"""Of the Noto fonts, a font for every script there is, only these: their Latin letters would outnumber all others."""
_NOT_FOR_PRINT = ("symbol", "dingbat", "d05000", "math", "guiada", "pautada", "punt", "ipa", "wargames", "penguin")
"""Fonts with one of these in their names draw something other than the letter asked for, or lines around it."""
_SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NO_CHARACTER = "\uffff"
"""No font has it: what it draws instead is the sign for a missing letter."""


@functools.cache
def _writes(font: Path, letters: str) -> bool:
    """Whether a font has these letters, each another shape."""
    try:
        drawn = [glyph(font, letter) for letter in (*letters, _NO_CHARACTER)]
    except (OSError, ValueError):
        return False
    shapes = {b"" if mask is None else mask.tobytes() for mask in drawn}
    return all(mask is not None for mask in drawn[:-1]) and len(shapes) == len(drawn)


def find_fonts() -> tuple[list[Path], list[Path]]:
    """Installed fonts to write ranks with, and those that have the suits."""
    every = [
        p for f in _FONT_FOLDERS for p in sorted(Path(f).rglob("*")) if p.suffix.lower() in {".ttf", ".otf", ".t1"}
    ]
    kept = [
        p
        for p in every
        if (not p.name.startswith("Noto") or p.name.startswith(_NOTO_KEPT))
        and not any(part in p.name.lower() for part in _NOT_FOR_PRINT)
    ]
    latin = [p for p in kept if _writes(p, "A1234567890JQKVDRBF")]
    return latin, [p for p in latin if _writes(p, "".join(_SUIT_SIGNS.values()))]


def glyph(font: Path, text: str, gap: float = 0.0) -> NDArray[np.uint8] | None:
    """A text as a tight mask, about 150 px high; gap (in heights) is put between its letters."""
    face = ImageFont.truetype(str(font), 150)
    masks = []
    for letter in text:
        sheet = Pillow.new("L", (400, 400))
        ImageDraw.Draw(sheet).text((100, 100), letter, font=face, fill=255)
        raw = np.asarray(sheet)
        if not raw.any():
            return None
        masks.append((raw, np.nonzero(raw.any(axis=0))[0], np.nonzero(raw.any(axis=1))[0]))
    y0, y1 = min(m[2][0] for m in masks), max(m[2][-1] for m in masks) + 1
    parts: list[NDArray[np.uint8]] = []
    for raw, xs, _ys in masks:
        if parts and gap > 0:
            parts.append(np.zeros((y1 - y0, max(1, int(gap * (y1 - y0)))), np.uint8))
        parts.append(raw[y0:y1, xs[0] : xs[-1] + 1])
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def _stamp(card: Image, mask: NDArray[np.uint8], box: tuple[float, float, float, float], ink: Sequence[int]) -> None:
    """Puts a mask in this colour into a box (centre x, centre y, width, height)."""
    w, h = max(2, round(box[2])), max(2, round(box[3]))
    x0, y0 = max(0, round(box[0] - w / 2)), max(0, round(box[1] - h / 2))
    small = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    part = card[y0 : y0 + h, x0 : x0 + w, :3]
    a = small[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - a) + np.array(ink[:3], np.float32) * a).astype(np.uint8)


def _tight(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    ys, xs = np.nonzero(mask > 40)
    return np.ascontiguousarray(mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])


@dataclass(frozen=True)
class GlyphCut:
    """How a deck's signs are cut: bolder or thinner than the font (px of 150), its upright strokes by so much more and
    its level ones by so much less, leaning, and how unsteady the hand."""

    bolder: int = 0
    lean: float = 0.0
    unsteady: float = 0.0
    upright: int = 0

    @staticmethod
    def draw(rng: Rng) -> "GlyphCut":
        """By chance; half of them leave the font as it is but for its weight."""
        return GlyphCut(
            int(rng.integers(-3, 6)) if rng.random() < 0.5 else 0,
            float(rng.uniform(-0.06, 0.3)) if rng.random() < 0.25 else 0.0,
            float(rng.uniform(0.01, 0.05)) if rng.random() < 0.3 else 0.0,
            int(rng.integers(-3, 7)) if rng.random() < _HAIRLINES_OFTEN else 0,
        )

    def cut(self, rng: Rng, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A sign, cut by this hand."""
        room = 16 + round(mask.shape[0] * (abs(self.lean) + 2 * self.unsteady))
        mask = cv2.copyMakeBorder(mask, 16, 16, room, room, cv2.BORDER_CONSTANT, value=0)
        for wide, high in ((self.bolder, self.bolder), (self.upright, 0), (0, -self.upright)):
            mask = _retraced(mask, wide, high)
        h, w = mask.shape
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        if self.lean or self.unsteady:
            x = x + self.lean * (y - h / 2) + self.unsteady * h * smooth_noise(rng, h, w, (3, 3))
            y = y + self.unsteady * h * smooth_noise(rng, h, w, (3, 3))
            mask = cv2.remap(mask, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
        return _tight(mask)


def _retraced(mask: NDArray[np.uint8], wide: int, high: int) -> NDArray[np.uint8]:
    """A sign whose strokes are thicker by a pen that reaches so many px to the sides and up and down, thinner if they
    are below none; as it was where nothing is to change or little ink would be left."""
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(wide) + 1, 2 * abs(high) + 1))
    other = cv2.dilate(mask, pen) if wide + high > 0 else cv2.erode(mask, pen)
    return other if int(other.sum()) > _THINNEST * int(mask.sum()) else mask


_HAIRLINES_OFTEN = 0.35
"""Part of the decks whose upright strokes differ more from the level ones than the font's: the thin strokes of a B or
an 8 are the first that a camera loses."""
DRAWN_RANKS = ("1", "4", "7")
"""What is written in several ways, more than fonts have: with and without a foot, open and closed, crossed."""
_STROKES_OFTEN, _CROSSED_OFTEN = 0.4, 0.4
"""Part of the decks whose ones, fours and sevens are drawn by strokes, and whose sevens are crossed."""


def _bend(rng: Rng, a: Sequence[float], b: Sequence[float], most: float) -> Polygons:
    """A stroke from a to b, bent aside a little, as points."""
    along = np.linspace(0, 1, 9)[:, None]
    aside = np.array([b[1] - a[1], a[0] - b[0]]) * rng.uniform(-most, most)
    return [np.array(a) * (1 - along) + np.array(b) * along + aside * np.sin(np.pi * along)]


def _strokes(rng: Rng, sign: str) -> Polygons:
    """A one, four or seven as lines in the unit box, y down, one of the ways in which people write it."""
    if sign == "1":
        stem, flag = rng.uniform(0.45, 0.7), rng.uniform(0.1, 0.4)
        lines = _bend(rng, (stem, 0), (stem - rng.uniform(-0.02, 0.1), 1), 0.03)
        if rng.random() < 0.85:
            lines += _bend(rng, (stem - rng.uniform(0.2, 0.55), flag), (stem, 0), 0.12)
        if rng.random() < 0.5:
            reach = rng.uniform(0.2, 0.42)
            lines += [np.array([(stem - reach, 1.0), (stem + reach, 1.0)])]
        return lines
    if sign == "4":
        low, stem, beyond = rng.uniform(0.58, 0.75), rng.uniform(0.62, 0.85), rng.uniform(0.05, 0.25)
        lines = [np.array([(0.0, low), (stem + beyond, low)])]
        if rng.random() < 0.5:  # closed
            return [*lines, *_bend(rng, (stem, 0), (0, low), 0.06), np.array([(stem, 0.0), (stem, 1.0)])]
        lines += _bend(rng, (rng.uniform(0.05, 0.45), 0), (0, low), 0.08)
        return [*lines, *_bend(rng, (stem, rng.uniform(0, 0.45)), (stem - rng.uniform(0, 0.08), 1), 0.03)]
    lines = _bend(rng, (0, rng.uniform(0, 0.04)), (0.95, 0), 0.08) + _bend(
        rng, (0.95, 0), (rng.uniform(0.2, 0.5), 1), 0.12
    )
    if rng.random() < 0.3:
        lines += [np.array([(0.0, 0.0), (rng.uniform(-0.05, 0.05), rng.uniform(0.1, 0.22))])]
    return lines


def drawn_sign(rng: Rng, sign: str, bold: float) -> NDArray[np.uint8]:
    """A one, four or seven drawn with a pen so broad (of its height), as a tight mask about 150 px high."""
    sheet = np.zeros((260, 260), np.uint8)
    wide = rng.uniform(0.5, 0.8) * (0.8 if sign == "1" else 1.0)
    thick = max(3, round(150 * bold))
    for line in _strokes(rng, sign):
        points = np.round((line * (150 * wide, 150) + (60, 50)) * 16).astype(np.int32)
        cv2.polylines(sheet, [points], False, 255, thick, cv2.LINE_AA, 4)
    return _tight(sheet)


def crossed(rng: Rng, seven: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A seven with a bar through its stem."""
    h, w = seven.shape
    y = round(h * rng.uniform(0.42, 0.66))
    xs = np.nonzero(seven[y] > 128)[0]
    if len(xs) == 0:
        return seven
    stem = max(3.0, float(np.ptp(xs)) + 1)
    middle, reach = float(xs.mean()) + w * rng.uniform(-0.06, 0.1), w * rng.uniform(0.22, 0.42)
    reach = max(reach, 0.9 * stem)
    thick = max(3, round(min(stem, 0.2 * h) * rng.uniform(0.45, 1.0)))
    slope = rng.uniform(-0.25, 0.12)
    room = round(0.4 * w)
    wide = cv2.copyMakeBorder(seven, 4, 4, room, room, cv2.BORDER_CONSTANT, value=0)
    a = (round(middle + room - reach), round(y + 4 - slope * reach))
    b = (round(middle + room + reach), round(y + 4 + slope * reach))
    cv2.line(wide, a, b, 255, thick, cv2.LINE_AA)
    return _tight(wide)


def _rank_masks(rng: Rng, font: Path, letters: Mapping[str, str]) -> dict[str, NDArray[np.uint8]]:
    """What stands for each rank in the corners of one deck."""
    hand, letter_gap = GlyphCut.draw(rng), float(rng.uniform(0.02, 0.18))
    by_strokes, bold = rng.random() < _STROKES_OFTEN, float(rng.uniform(0.07, 0.2))
    with_bar = rng.random() < _CROSSED_OFTEN
    masks: dict[str, NDArray[np.uint8]] = {}
    for rank in sorted({rank_of(c) for c in FULL_PACK}):
        text = letters.get(rank, rank)
        mask = drawn_sign(rng, text, bold) if by_strokes and text in DRAWN_RANKS else glyph(font, text, letter_gap)
        if mask is None:
            raise ValueError(f"{font} cannot write {text}")
        masks[rank] = hand.cut(rng, crossed(rng, mask) if with_bar and text == "7" else mask)
    return masks


_THINNEST = 0.35
"""A sign made thinner keeps at least this share of its ink, or is left as it was."""


def _stalk(rng: Rng) -> Polygons:
    """What a club or a spade stands on, in the unit box (y down, its foot at 0.5): a wedge, flared or with a bar."""
    foot, waist, kind = rng.uniform(0.1, 0.34), rng.uniform(0.015, 0.06), int(rng.integers(3))
    if kind == 0:
        return [np.array([(-waist, -0.05), (waist, -0.05), (foot, 0.5), (-foot, 0.5)])]
    if kind == 1:
        down = np.linspace(0, 1, 12)
        side = waist + (foot - waist) * down ** rng.uniform(1.5, 5)
        y = -0.05 + 0.55 * down
        return [np.concatenate([np.stack([side, y], 1), np.stack([-side, y], 1)[::-1]])]
    thick = rng.uniform(0.03, 0.07)
    bar = [(-foot, 0.5 - thick), (foot, 0.5 - thick), (foot, 0.5), (-foot, 0.5)]
    return [np.array([(-waist, -0.05), (waist, -0.05), (waist, 0.5), (-waist, 0.5)]), np.array(bar)]


def _heart(rng: Rng) -> Polygons:
    """A heart in the unit box: a smooth curve, or two round shoulders over a point."""
    turn = np.linspace(0, 2 * np.pi, 61)[:-1]
    if rng.random() < 0.5:
        y = -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - rng.uniform(1, 3) * np.cos(3 * turn) - np.cos(4 * turn))
        return [np.stack([0.5 * np.sin(turn) ** 3, (y - y.min()) / np.ptp(y) - 0.5], axis=1)]
    radius = rng.uniform(0.25, 0.29)
    aside, high = 0.5 - radius, radius - 0.5
    shoulder = np.stack([radius * np.cos(turn), radius * np.sin(turn) + high], axis=1)
    low = rng.uniform(0.1, 0.45)
    edge = np.array([radius * np.cos(low) + aside, radius * np.sin(low) + high])
    down = np.linspace(0, 1, 10)[:, None]
    belly = edge * (1 - down) + np.array([0, 0.5]) * down
    belly[:, 0] += rng.uniform(-0.05, 0.06) * np.sin(np.pi * down[:, 0])
    point = np.concatenate([belly, (belly * (-1, 1))[::-1], [(0.0, high - radius * 0.3)]])
    move = np.array([aside, 0.0])
    return [shoulder + move, shoulder - move, point]


def _suit_shape(rng: Rng, suit: str) -> NDArray[np.uint8]:
    """A suit sign of a shape by chance, as a tight mask about 150 px high."""
    turn = np.linspace(0, 2 * np.pi, 61)[:-1]
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    parts: Polygons
    if suit == "D":
        bend = rng.uniform(0.8, 1.35)
        parts = [np.sign(circle) * np.abs(circle) ** (2 / bend) * 0.5]
    elif suit == "H":
        parts = _heart(rng)
    elif suit == "S":
        tall = rng.uniform(0.72, 0.9)
        parts = [part * (1, -tall) + (0, tall / 2 - 0.5) for part in _heart(rng)] + _stalk(rng)
    else:
        lobe = rng.uniform(0.17, 0.27)
        aside = lobe + rng.uniform(-0.02, 0.07)
        low = rng.uniform(0.02, 0.16)
        top = lobe * rng.uniform(0.9, 1.15)
        parts = [circle * lobe + (-aside, low), circle * lobe + (aside, low), circle * top + (0, top - 0.5)]
        parts += [circle * rng.uniform(0.04, 0.13), *_stalk(rng)]
        parts.append(np.array([(-aside, low - 0.03), (aside, low - 0.03), (aside, low + 0.03), (-aside, low + 0.03)]))
    sheet = np.zeros((220, 300), np.uint8)
    wide = rng.uniform(0.7, 1.15)
    for part in parts:
        cv2.fillPoly(sheet, [np.round((part * (150 * wide, 150) + (150, 110)) * 16).astype(np.int32)], 255, 16, 4)
    return _tight(sheet)


def _inks(rng: Rng, four_colours: bool) -> dict[str, tuple[int, int, int]]:
    def near(bgr: tuple[int, int, int]) -> tuple[int, int, int]:
        b, g, r = (int(np.clip(v + rng.normal(0, 14), 0, 255)) for v in bgr)
        return b, g, r

    dark, bright = rng.uniform(0.6, 2.4), rng.uniform(0.72, 1.15)
    black = near((int(30 * dark), int(28 * dark), int(28 * dark)))
    red = near((int(rng.uniform(15, 75)), int(rng.uniform(10, 70)), int(205 * bright)))
    inks = {"C": black, "S": black, "H": red, "D": red}
    if four_colours:
        inks["C"] = near((50, 120, 30))
        inks["D"] = near([(190, 90, 20), (30, 140, 240)][int(rng.integers(2))])
        if rng.random() < 0.2:
            inks["S"] = near((150, 60, 30))
        if rng.random() < 0.2:
            inks["C"] = near((150, 40, 110))
    return inks


def _erased(deck: Deck, code: str) -> Image:
    """A card of the deck with its indices papered over."""
    card = np.ascontiguousarray(deck.pictures[code].copy())
    paper = np.median(card[20:60, CARD_W_PX // 2 - 60 : CARD_W_PX // 2 + 60, :3].reshape(-1, 3), axis=0)
    if paper.mean() < 150:
        paper = np.array([245.0, 248.0, 248.0])
    for x, y, height, _down in deck.indices(code):
        dx, dy = height * 0.36, height * 0.55
        card[max(0, int(y - dy)) : int(y + dy), max(0, int(x - dx)) : int(x + dx), :3] = paper
    opaque = card[..., 3] < 250
    card[opaque, :3] = paper
    return card


def _invented(
    rng: Rng,
    code: str,
    *,
    inks: Mapping[str, tuple[int, int, int]],
    paper: tuple[int, int, int],
    waist: float,
    lobe: float,
    courts: Sequence[Deck],
    pip_px: float,
) -> Image:
    """A card of our own without indices: pips in their places, or a court cut from another deck in a frame."""
    card = blank_card(paper, int(rng.integers(14, 32)))
    rank, suit = rank_of(code), suit_of(code)
    ink = (*inks[suit], 255)
    if rank == "A":
        draw_suit(card, suit, (CARD_W_PX / 2, CARD_H_PX / 2), pip_px * rng.uniform(1, 3), ink, waist=waist, lobe=lobe)
    elif rank.isdigit():
        for u, v in _PIP_ROWS[int(rank)]:
            at = (CARD_W_PX * (0.29 + 0.42 * u), CARD_H_PX * (0.16 + 0.68 * v))
            draw_suit(card, suit, at, pip_px, ink, upside_down=v > 0.5, waist=waist, lobe=lobe)
    else:
        source = courts[int(rng.integers(len(courts)))].pictures[rank + suit]
        x0, y0 = int(CARD_W_PX * 0.22), int(CARD_H_PX * 0.1)
        inner = source[y0 : CARD_H_PX - y0, x0 : CARD_W_PX - x0]
        card[y0 : CARD_H_PX - y0, x0 : CARD_W_PX - x0, :3] = inner[..., :3]
        if rng.random() < 0.7:
            frame = tuple(int(v) for v in rng.integers(0, 255, 3))
            cv2.rectangle(card, (x0, y0), (CARD_W_PX - x0, CARD_H_PX - y0), (*frame, 255), int(rng.integers(1, 4)))
            draw_suit(card, suit, (x0 + pip_px * 0.6, y0 + pip_px * 0.65), pip_px, ink, waist=waist, lobe=lobe)
            draw_suit(
                card,
                suit,
                (CARD_W_PX - x0 - pip_px * 0.6, CARD_H_PX - y0 - pip_px * 0.65),
                pip_px,
                ink,
                upside_down=True,
                waist=waist,
                lobe=lobe,
            )
    return card


JOKER_WORDS = ("JOKER", "JOKER", "JOKER", "Joker", "JOLLY", "joker")


def _joker(rng: Rng, font: Path, paper: tuple[int, int, int], art: Image | None) -> tuple[Image, IndexBox]:
    """A joker told by its name alone: letter under letter, along the edge (read from either side), or level."""
    card = blank_card(paper)
    if art is not None and rng.random() < 0.8:
        x0, y0 = int(CARD_W_PX * 0.2), int(CARD_H_PX * 0.1)
        card[y0:-y0, x0:-x0, :3] = art[y0:-y0, x0:-x0, :3]
    ink = (
        tuple(int(v) for v in rng.integers(0, 200, 3))
        if rng.random() < 0.5
        else ((30, 30, 200), (30, 30, 30))[int(rng.integers(2))]
    )
    x, top = float(rng.uniform(28, 40)), float(rng.uniform(16, 30))
    way, word = rng.random(), JOKER_WORDS[int(rng.integers(len(JOKER_WORDS)))]
    if way < 0.5:
        pitch = float(rng.uniform(22, 36))
        for k, letter in enumerate(word.upper()):
            mask = glyph(font, letter)
            if mask is not None:
                h = pitch * rng.uniform(0.78, 0.82)
                _stamp(card, mask, (x, top + pitch * (k + 0.5), min(h, h * mask.shape[1] / mask.shape[0]), h), ink)
        box = IndexBox(x, top + 2.5 * pitch, 5 * pitch)
    else:
        mask = _word(font, word)
        long = float(rng.uniform(80, 170) if way < 0.8 else rng.uniform(70, 120))
        tall = min(long * mask.shape[0] / mask.shape[1], 0.4 * long)
        if way < 0.8:
            mask = np.ascontiguousarray(np.rot90(mask, 1 if rng.random() < 0.6 else -1))
            _stamp(card, mask, (max(x, tall / 2 + 8), top + long / 2, tall, long), ink)
            box = IndexBox(max(x, tall / 2 + 8), top + long / 2, long)
        else:
            _stamp(card, mask, (long / 2 + 12, top + tall / 2, long, tall), ink)
            box = IndexBox(long / 2 + 12, top + tall / 2, 1.05 * long)
    half = card[: CARD_H_PX // 2]
    card[CARD_H_PX // 2 :] = half[::-1, ::-1]
    return card, box


def _word(font: Path, text: str) -> NDArray[np.uint8]:
    """A word as a tight mask, its letters on one line."""
    face = ImageFont.truetype(str(font), 120)
    sheet = Pillow.new("L", (1000, 320))
    ImageDraw.Draw(sheet).text((100, 80), text, font=face, fill=255)
    raw = np.asarray(sheet)
    if not raw.any():
        raise ValueError(f"{font} cannot write {text}")
    return _tight(raw)


def _suit_signs(rng: Rng, suit_fonts: Sequence[Path]) -> dict[str, NDArray[np.uint8] | None]:
    """The sign of each suit: a font's, an invented one, or none: then it is drawn as our own deck has it."""
    suit_font = suit_fonts[int(rng.integers(len(suit_fonts)))] if suit_fonts and rng.random() < 0.3 else None
    suit_hand = GlyphCut(0, 0.0, float(rng.uniform(0.01, 0.04)) if rng.random() < 0.3 else 0.0)
    signs: dict[str, NDArray[np.uint8] | None] = dict.fromkeys(_SUIT_SIGNS)
    if suit_font:
        signs = {suit: glyph(suit_font, sign) for suit, sign in _SUIT_SIGNS.items()}
    elif rng.random() < 0.75:
        signs = {suit: _suit_shape(rng, suit) for suit in _SUIT_SIGNS}
    return {suit: None if mask is None else suit_hand.cut(rng, mask) for suit, mask in signs.items()}


def _paper(rng: Rng) -> tuple[int, int, int]:
    """White, a little tinted; some of it has yellowed."""
    aged = np.array([-30.0, -10.0, -3.0]) * (rng.random() if rng.random() < 0.3 else 0)
    blue, green, red = (int(v) for v in np.clip(np.array([244, 249, 250]) + aged + rng.normal(0, 6, 3), 190, 255))
    return blue, green, red


def _width(mask: NDArray[np.uint8], letters: str, rank_h: float, stretch: float) -> float:
    """Of a rank so high."""
    widest_of_all = 1.15 if len(letters) > 1 else 0.95
    return float(min(rank_h * mask.shape[1] / mask.shape[0] * stretch, rank_h * widest_of_all))


def _turn_to_the_other_end(layer: Image, x: float, cut: int, four: bool) -> None:
    """The indices of a card's upper end at its lower end too, upside down."""
    corners = [(0, int(2 * x) + 8)] + ([(CARD_W_PX - int(2 * x) - 8, CARD_W_PX)] if four else [])
    turned = layer[::-1, ::-1].copy()
    for a, b in corners:
        low = (slice(CARD_H_PX - cut, None), slice(CARD_W_PX - b, CARD_W_PX - a))
        layer[low] = turned[low]


def glyph_deck(rng: Rng, name: str, bases: Sequence[Deck], fonts: Sequence[Path], suit_fonts: Sequence[Path]) -> Deck:
    """A deck nobody ever printed: fonts, letters, sizes, places, colours and indices by chance."""
    letters = dict(LETTERS[int(rng.integers(len(LETTERS)))])
    letters["10"] = TENS[int(rng.integers(len(TENS)))]
    four_colours, four = bool(rng.random() < 0.25), bool(rng.random() < 0.3)
    inks = _inks(rng, four_colours)
    base = bases[int(rng.integers(len(bases)))]
    invent = four_colours or rng.random() < 0.5
    paper = _paper(rng)
    waist, pip_px = float(rng.uniform(0.75, 1.2)), float(rng.uniform(56, 92))
    lobe = float(rng.uniform(0.19, 0.29))
    font = fonts[int(rng.integers(len(fonts)))]
    if not _writes(font, "".join(sorted(set("".join(letters.values()))))):
        raise ValueError(f"{font} has not all of {letters}")
    signs = _suit_signs(rng, suit_fonts)
    rank_h = float(np.exp(rng.uniform(np.log(36), np.log(96))))
    suit_h = rank_h * float(rng.uniform(0.45, 1.05))
    gap_px = rank_h * float(rng.uniform(0.04, 0.32))
    stretch = float(rng.uniform(0.5, 1.2))
    aside_px = rank_h * float(rng.normal(0, 0.06)) if rng.random() < 0.3 else 0.0
    top = float(rng.uniform(14, 34))
    masks = _rank_masks(rng, font, letters)
    widths = {rank: _width(mask, letters.get(rank, rank), rank_h, stretch) for rank, mask in masks.items()}
    widest = max(*widths.values(), suit_h)
    x = float(max(widest / 2 + rng.uniform(6, 18), 22))
    suit_y = top + rank_h + gap_px + suit_h / 2
    height = rank_h + gap_px + suit_h
    pictures: dict[str, Image] = {}
    for code in FULL_PACK:
        rank, suit = rank_of(code), suit_of(code)
        card = (
            _invented(rng, code, inks=inks, paper=paper, waist=waist, lobe=lobe, courts=bases, pip_px=pip_px)
            if invent
            else _erased(base, code)
        )
        layer = card
        spots = [(x, False)] + ([(CARD_W_PX - x, True)] if four else [])
        for at, _right in spots:
            if invent or rng.random() < 0.7:
                dx = max(widths[rank], suit_h) / 2 + 3
                layer[int(top) - 2 : int(top + height) + 3, max(0, int(at - dx)) : int(at + dx), :3] = (
                    card[int(top), 60, :3] if not invent else paper
                )
            _stamp(layer, masks[rank], (at, top + rank_h / 2, widths[rank], rank_h), inks[suit])
            under, drawn = at + aside_px, signs[suit]
            if drawn is not None:
                broad = suit_h * min(1.15, drawn.shape[1] / drawn.shape[0])
                _stamp(layer, drawn, (under, suit_y, broad, suit_h), inks[suit])
            else:
                draw_suit(layer, suit, (under, suit_y), suit_h, (*inks[suit], 255), waist=waist, lobe=lobe)
        _turn_to_the_other_end(layer, x, int(top + height) + 4, four)
        pictures[code] = layer
    pictures["back"] = base.pictures["back"]
    joker, joker_box = _joker(rng, font, paper, base.pictures.get(JOKER))
    pictures[JOKER] = joker
    return Deck(name, pictures, IndexBox(x, top + height / 2, height), four, joker_box, letters)
