"""Decks as pictures: what a deck is, where its index corners lie, and our own plain deck, drawn by code."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import FULL_PACK, JOKER, rank_of, suit_of

Image = NDArray[np.uint8]

CARD_W_PX, CARD_H_PX = 360, 540
"""Size of a drawn card: an index corner is then about 120 px high, as large as any camera here shows it."""


@dataclass(frozen=True)
class IndexBox:
    """Where the top left index (rank over suit) lies, in pixels of a drawn card; the others lie point-symmetric."""

    centre_x: float
    centre_y: float
    height: float


@dataclass(frozen=True)
class Deck:
    """A deck to lay on tables: straight-alpha BGRA pictures by card, "back" among them."""

    name: str
    pictures: Mapping[str, Image]
    index: IndexBox
    four_indices: bool = False
    joker_index: IndexBox | None = None
    letters: Mapping[str, str] = field(default_factory=dict)
    """What is written for a rank, where it is not the rank itself."""

    def indices(self, card: str) -> list[tuple[float, float, float, bool]]:
        """(x, y, height, upside down) of every index of a card; none on a back."""
        box = self.joker_index if card.startswith(JOKER) else self.index
        if card == "back" or box is None:
            return []
        x, y, height = box.centre_x, box.centre_y, box.height
        spots = [(x, y, height, False), (CARD_W_PX - x, CARD_H_PX - y, height, True)]
        if self.four_indices and not card.startswith(JOKER):
            spots += [(CARD_W_PX - x, y, height, False), (x, CARD_H_PX - y, height, True)]
        return spots


def locate_index(pictures: Mapping[str, Image]) -> IndexBox:
    """The index box of a deck, from the ink in the corner of its low cards, whose first pip is far away."""
    boxes = []
    for code in [r + s for r in ("2", "3") for s in "CDHS"]:
        picture = pictures[code].astype(np.float32)
        grey_paper = np.median(picture[40:-40, 40:-40, :3].reshape(-1, 3), axis=0)
        ink = (np.abs(picture[..., :3] - grey_paper).max(axis=2) > 70) & (picture[..., 3] > 200)
        ink[:6], ink[:, :6] = False, False
        corner = ink[: int(CARD_H_PX * 0.36), : int(CARD_W_PX * 0.25)].astype(np.uint8)
        _count, _labels, stats, _ = cv2.connectedComponentsWithStats(corner)
        kept = [
            s
            for s in stats[1:]
            if s[4] > 40 and s[0] + s[2] < corner.shape[1] - 1 and s[1] + s[3] < corner.shape[0] - 1 and s[2] < 80
        ]
        if len(kept) >= 2:
            x0, y0 = min(s[0] for s in kept), min(s[1] for s in kept)
            x1, y1 = max(s[0] + s[2] for s in kept), max(s[1] + s[3] for s in kept)
            boxes.append((x0, y0, x1, y1))
    if not boxes:
        raise ValueError("no index found in the corner of the low cards")
    x0, y0, x1, y1 = np.median(np.array(boxes), axis=0)
    return IndexBox(float(x0 + x1) / 2, float(y0 + y1) / 2, float(y1 - y0))


# ---- our own plain deck -------------------------------------------------------------------------------------------

_INK = {"C": (40, 34, 30), "S": (40, 34, 30), "H": (48, 40, 205), "D": (48, 40, 205)}
_SUB = 4
"""Sub-pixel bits that OpenCV's drawing calls take."""

_PIP_ROWS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0.5, 0.0), (0.5, 1.0)),
    3: ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)),
    6: ((0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    7: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    8: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)),
    9: ((0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)),
    10: ((0, 0), (1, 0), (0.5, 1 / 6), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0.5, 5 / 6), (0, 1), (1, 1)),
}


LOBE = 0.235
"""Radius of a club's lobes over its height, as our own deck has them."""


def suit_outlines(suit: str, waist: float = 1.0, lobe: float = LOBE) -> list[NDArray[np.float32]]:
    """The outline of a suit in the unit box (-0.5..0.5, y down), as polygons; waist makes it wider or narrower, lobe is
    the radius of a club's lobes."""
    turn = np.linspace(0, 2 * np.pi, 49)[:-1]
    if suit == "D":
        bulge = 0.42 * waist
        corners = np.array([(0, -0.5), (bulge, 0), (0, 0.5), (-bulge, 0)])
        return [corners.astype(np.float32)]
    if suit in "HS":
        x = 0.03125 * waist * 16 * np.sin(turn) ** 3
        y = -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)) / 29
        heart = np.stack([x, y - y.min() - 0.5], axis=1)
        heart[:, 1] *= 1.0 / np.ptp(heart[:, 1])
        heart[:, 1] += -0.5 - heart[:, 1].min()
        if suit == "H":
            return [heart.astype(np.float32)]
        leaf = heart * (1.0, -0.8) + (0, -0.1)
        leaf[:, 1] += -0.5 - leaf[:, 1].min()
        return [leaf.astype(np.float32), _stalk(waist)]
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    aside = lobe + 0.025
    lobes = [
        circle * (lobe * waist, lobe) + (dx * waist, dy) for dx, dy in ((0, lobe - 0.5), (-aside, 0.09), (aside, 0.09))
    ]
    middle = circle * 0.1
    return [p.astype(np.float32) for p in (*lobes, middle)] + [_stalk(waist)]


def _stalk(waist: float) -> NDArray[np.float32]:
    return np.array(
        [(-0.035, 0), (0.035, 0), (0.07 * waist, 0.36), (0.2 * waist, 0.5), (-0.2 * waist, 0.5), (-0.07 * waist, 0.36)],
        np.float32,
    )


def draw_suit(
    picture: Image,
    suit: str,
    centre: tuple[float, float],
    size: float,
    ink: tuple[int, ...],
    *,
    upside_down: bool = False,
    waist: float = 1.0,
    lobe: float = LOBE,
) -> None:
    """Draws a suit sign of this height, in pixels."""
    for outline in suit_outlines(suit, waist, lobe):
        points = outline * (-size if upside_down else size) + centre
        cv2.fillPoly(picture, [np.round(points * (1 << _SUB)).astype(np.int32)], ink, cv2.LINE_AA, _SUB)


def blank_card(paper: tuple[int, int, int] = (250, 252, 252), corner_px: int = 22) -> Image:
    """A card of this paper with round corners."""
    card = np.zeros((CARD_H_PX, CARD_W_PX, 4), np.uint8)
    card[..., :3] = paper
    mask = np.zeros((CARD_H_PX, CARD_W_PX), np.uint8)
    r = corner_px
    cv2.rectangle(mask, (r, 0), (CARD_W_PX - 1 - r, CARD_H_PX - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (CARD_W_PX - 1, CARD_H_PX - 1 - r), 255, -1)
    for x in (r, CARD_W_PX - 1 - r):
        for y in (r, CARD_H_PX - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    card[..., 3] = mask
    return card


def point_symmetric(card: Image) -> Image:
    """Makes the lower half of a card the upper half turned by half a turn."""
    half = CARD_H_PX // 2
    card[half:] = card[:half][::-1, ::-1]
    return card


def _write(picture: Image, text: str, box: tuple[int, int, int, int], ink: tuple[int, int, int], stroke: int) -> None:
    """Writes text to fill a box (x, y, width, height) exactly."""
    big, thick = 6.0, 24
    (w, h), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, big, thick)
    sheet = np.zeros((h + base + 80, w + 80), np.uint8)
    cv2.putText(sheet, text, (40, h + 40), cv2.FONT_HERSHEY_DUPLEX, big, 255, stroke, cv2.LINE_AA)
    ys, xs = np.nonzero(sheet)
    glyph = cv2.resize(sheet[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1], box[2:], interpolation=cv2.INTER_AREA)
    part = picture[box[1] : box[1] + box[3], box[0] : box[0] + box[2], :3]
    a = glyph[..., None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - a) + np.array(ink, np.float32) * a).astype(np.uint8)


_CORNER_X, _RANK_Y, _RANK_H, _SUIT_Y, _SUIT_H = 40, 22, 54, 106, 42


def _plain_card(code: str, letters: Mapping[str, str]) -> Image:
    if code == "back":
        return _plain_back()
    card = blank_card()
    if code == JOKER:
        for i, letter in enumerate("JOKER"):
            _write(card, letter, (_CORNER_X - 13, 22 + 30 * i, 26, 25), (120, 40, 120), 30)
        for k in range(5):
            angle = -np.pi / 2 + 2 * np.pi * k / 5
            tip = (CARD_W_PX / 2 + 70 * np.cos(angle), CARD_H_PX / 2 - 105 + 70 * np.sin(angle))
            cv2.circle(card, (round(tip[0]), round(tip[1])), 18, (120, 40, 120, 255), -1, cv2.LINE_AA)
        return point_symmetric(card)
    rank, suit = rank_of(code), suit_of(code)
    ink = (*_INK[suit], 255)
    label = letters.get(rank, rank)
    width = 58 if label == "10" else 40
    _write(card, label, (_CORNER_X - width // 2, _RANK_Y, width, _RANK_H), _INK[suit], 34)
    draw_suit(card, suit, (_CORNER_X, _SUIT_Y), _SUIT_H, ink)
    if rank == "A":
        point_symmetric(card)
        draw_suit(card, suit, (CARD_W_PX / 2, CARD_H_PX / 2), 130, ink)
    elif rank.isdigit():
        point_symmetric(card)
        for u, v in _PIP_ROWS[int(rank)]:
            spot = (CARD_W_PX * (0.3 + 0.4 * u), CARD_H_PX * (0.17 + 0.66 * v))
            draw_suit(card, suit, spot, 74, ink, upside_down=v > 0.5)
    else:
        cv2.rectangle(card, (76, 52), (CARD_W_PX - 77, CARD_H_PX - 53), (150, 120, 60, 255), 3, cv2.LINE_AA)
        robe = {"J": (170, 120, 40), "Q": (120, 60, 160), "K": (60, 130, 190)}[rank]
        cv2.ellipse(card, (CARD_W_PX // 2, CARD_H_PX // 2), (96, 120), 0, 180, 360, (*robe, 255), -1, cv2.LINE_AA)
        cv2.circle(card, (CARD_W_PX // 2, 142), 36, (170, 205, 235, 255), -1, cv2.LINE_AA)
        points = {"J": 1, "Q": 3, "K": 5}[rank]
        for k in range(points):
            x = CARD_W_PX // 2 + round(16 * (k - (points - 1) / 2))
            crown = np.array([(x - 10, 112), (x, 84), (x + 10, 112)], np.int32)
            cv2.fillPoly(card, [crown], (40, 170, 220, 255), cv2.LINE_AA)
        draw_suit(card, suit, (116, 94), 56, ink)
        point_symmetric(card)
    return card


def _plain_back() -> Image:
    card = blank_card((245, 245, 240))
    cv2.rectangle(card, (18, 18), (CARD_W_PX - 19, CARD_H_PX - 19), (150, 70, 40, 255), -1)
    for i in range(-CARD_H_PX, CARD_W_PX, 22):
        cv2.line(card, (i, 18), (i + CARD_H_PX, 18 + CARD_H_PX), (190, 130, 90, 255), 2, cv2.LINE_AA)
        cv2.line(card, (i + CARD_H_PX, 18), (i, 18 + CARD_H_PX), (190, 130, 90, 255), 2, cv2.LINE_AA)
    clean = blank_card((245, 245, 240))
    inside = np.zeros(card.shape[:2], bool)
    inside[18:-18, 18:-18] = True
    card[~inside] = clean[~inside]
    return card


class DrawnPictures(Mapping[str, Image]):
    """Every card of a pack, its joker and its back, each drawn when it is asked for: together they are 40 MB."""

    def __init__(self, draw: Callable[[str], Image]) -> None:
        self._draw = lru_cache(MOST_KEPT)(draw)

    def __getitem__(self, code: str) -> Image:
        if code not in DRAWN:
            raise KeyError(code)
        return self._draw(code)

    def __iter__(self) -> Iterator[str]:
        return iter(DRAWN)

    def __len__(self) -> int:
        return len(DRAWN)


DRAWN = (*FULL_PACK, JOKER, "back")
MOST_KEPT = 1
"""Pictures, of 0.8 MB, that are kept once drawn: a table keeps its cards in the size that it lays them."""


@cache
def plain_deck(french: bool = False) -> Deck:
    """Our own deck, plain and legible, jokers and back included; with french, its letters are 1 V D R."""
    return lettered_deck("plain-french", FRENCH_LETTERS) if french else lettered_deck("plain", {})


FRENCH_LETTERS: Mapping[str, str] = {"A": "1", "J": "V", "Q": "D", "K": "R"}
DUTCH_LETTERS: Mapping[str, str] = {"J": "B", "Q": "V", "K": "H"}


def lettered_deck(name: str, letters: Mapping[str, str]) -> Deck:
    """Our own deck with these letters in its corners."""
    pictures = DrawnPictures(lambda code: _plain_card(code, letters))
    bottom = _SUIT_Y + _SUIT_H / 2
    box = IndexBox(_CORNER_X, (_RANK_Y + bottom) / 2, bottom - _RANK_Y)
    return Deck(name, pictures, box, joker_index=IndexBox(_CORNER_X, 95, 146), letters=letters)


_PATCH_X, _PATCH_Y = (8, 72), (16, 132)
"""Where the index of the plain deck is drawn, with a little paper about it."""


@cache
def varied_deck(index: float, four: bool, paper: tuple[int, int, int]) -> Deck:
    """The plain deck with indices so many times as large, in all four corners or in two, on paper of this tone (white
    is 255): big indices, and paper that a pale table swallows."""
    plain = plain_deck()
    wide, tall = (round((b - a) * index) for a, b in (_PATCH_X, _PATCH_Y))

    def drawn(code: str) -> Image:
        card = _plain_card(code, {})
        if code not in ("back", JOKER):
            patch = card[slice(*_PATCH_Y), slice(*_PATCH_X)]
            big = cv2.resize(patch, (wide, tall), interpolation=cv2.INTER_CUBIC)
            x, y = _PATCH_X[0], _PATCH_Y[0]
            for left in (x, CARD_W_PX - x - wide) if four else (x,):
                for upright in (card, card[::-1, ::-1]):
                    upright[y : y + tall, left : left + wide, :3] = big[..., :3]
        if code != "back":
            card[..., :3] = (card[..., :3].astype(np.float32) * (np.array(paper, np.float32) / 255)).astype(np.uint8)
        return card

    box = plain.index
    centre_x = _PATCH_X[0] + (box.centre_x - _PATCH_X[0]) * index
    centre_y = _PATCH_Y[0] + (box.centre_y - _PATCH_Y[0]) * index
    big_box = IndexBox(centre_x, centre_y, box.height * index)
    return Deck("varied", DrawnPictures(drawn), big_box, four_indices=four, joker_index=plain.joker_index)
