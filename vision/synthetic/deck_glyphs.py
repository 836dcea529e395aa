"""New decks from old ones: index letters of other languages and fonts, four indices, four colours; needs Pillow."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from engine.cards import FULL_PACK, JOKER, rank_of, suit_of
from vision.synthetic.decks import _PIP_ROWS, CARD_H_PX, CARD_W_PX, Deck, Image, IndexBox, blank_card, draw_suit

Rng = np.random.Generator

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
)
"""Index letters by language: English, French (1 or A), German, Italian."""

_FONT_FOLDERS = ("/usr/share/fonts/truetype", "/usr/share/fonts/opentype", "/usr/share/fonts/type1")
_FAMILIES = (
    "DejaVu",
    "Liberation",
    "Free",
    "Lato",
    "Roboto",
    "Cantarell",
    "comfortaa",
    "LinLibertine",
    "LinBiolinum",
    "EBGaramond",
    "Carlito",
    "Caladea",
    "Quicksand",
    "Oswald",
    "Cabin",
    "OpenSans",
    "NotoSans-",
    "NotoSerif-",
    "NotoSansMono",
    "NotoSansDisplay",
    "NotoSerifDisplay",
    "C059",
    "Nimbus",
    "P052",
    "URWBookman",
    "URWGothic",
    "BebasNeue",
)
_SUIT_FONTS = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "FreeSerif",
    "FreeSans",
    "FreeMono",
    "DejaVuSansMono",
    "LinLibertine_R.",
)
_SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def find_fonts() -> tuple[list[Path], list[Path]]:
    """Installed fonts to write ranks with, and those that have the suits."""
    every = [
        p for f in _FONT_FOLDERS for p in sorted(Path(f).rglob("*")) if p.suffix.lower() in {".ttf", ".otf", ".t1"}
    ]
    latin = [p for p in every if p.name.startswith(_FAMILIES) or p.name.lower().startswith("comfortaa")]
    latin = [p for p in latin if "Symbol" not in p.name and "Dingbat" not in p.name]
    return latin, [p for p in latin if p.name.startswith(_SUIT_FONTS)]


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


def _inks(rng: Rng, four_colours: bool) -> dict[str, tuple[int, int, int]]:
    def near(bgr: tuple[int, int, int]) -> tuple[int, int, int]:
        b, g, r = (int(np.clip(v + rng.normal(0, 14), 0, 255)) for v in bgr)
        return b, g, r

    black, red = near((30, 28, 28)), near((40, 35, 205))
    inks = {"C": black, "S": black, "H": red, "D": red}
    if four_colours:
        inks["C"] = near((50, 120, 30))
        inks["D"] = near([(190, 90, 20), (30, 140, 240)][int(rng.integers(2))])
        if rng.random() < 0.2:
            inks["S"] = near((150, 60, 30))
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


def _joker(rng: Rng, font: Path, paper: tuple[int, int, int], art: Image | None) -> tuple[Image, IndexBox]:
    card = blank_card(paper)
    if art is not None:
        x0, y0 = int(CARD_W_PX * 0.2), int(CARD_H_PX * 0.1)
        card[y0:-y0, x0:-x0, :3] = art[y0:-y0, x0:-x0, :3]
    ink = (
        tuple(int(v) for v in rng.integers(0, 200, 3))
        if rng.random() < 0.5
        else ((30, 30, 200), (30, 30, 30))[int(rng.integers(2))]
    )
    pitch, x = rng.uniform(22, 36), rng.uniform(28, 40)
    top = rng.uniform(16, 30)
    for k, letter in enumerate("JOKER"):
        mask = glyph(font, letter)
        if mask is not None:
            h = pitch * rng.uniform(0.78, 0.82)
            _stamp(card, mask, (x, top + pitch * (k + 0.5), min(h, h * mask.shape[1] / mask.shape[0]), h), ink)
    half = card[: CARD_H_PX // 2]
    card[CARD_H_PX // 2 :] = half[::-1, ::-1]
    return card, IndexBox(x, top + 2.5 * pitch, 5 * pitch)


def glyph_deck(rng: Rng, name: str, bases: Sequence[Deck], fonts: Sequence[Path], suit_fonts: Sequence[Path]) -> Deck:
    """A deck nobody ever printed: fonts, letters, sizes, places, colours and indices by chance."""
    letters = LETTERS[int(rng.integers(len(LETTERS)))]
    four_colours, four = bool(rng.random() < 0.25), bool(rng.random() < 0.3)
    inks = _inks(rng, four_colours)
    base = bases[int(rng.integers(len(bases)))]
    invent = four_colours or rng.random() < 0.5
    blue, green, red = (int(v) for v in np.clip(np.array([244, 249, 250]) + rng.normal(0, 6, 3), 200, 255))
    paper = (blue, green, red)
    waist, pip_px = float(rng.uniform(0.75, 1.2)), float(rng.uniform(56, 92))
    lobe = float(rng.uniform(0.19, 0.29))
    font = fonts[int(rng.integers(len(fonts)))]
    suit_font = suit_fonts[int(rng.integers(len(suit_fonts)))] if suit_fonts and rng.random() < 0.5 else None
    rank_h = float(np.exp(rng.uniform(np.log(38), np.log(84))))
    suit_h = rank_h * float(rng.uniform(0.5, 1.0))
    gap_px = rank_h * float(rng.uniform(0.06, 0.3))
    stretch = float(rng.uniform(0.6, 1.15))
    letter_gap = float(rng.uniform(0.02, 0.18))
    top = float(rng.uniform(14, 34))
    thicken = int(rng.integers(0, 4)) if rng.random() < 0.4 else 0
    widths, masks = {}, {}
    for rank in {rank_of(c) for c in FULL_PACK}:
        text = letters.get(rank, rank)
        mask = glyph(font, text, letter_gap)
        if mask is None:
            raise ValueError(f"{font} cannot write {text}")
        if thicken:
            mask = cv2.dilate(mask, np.ones((2 * thicken + 1, 2 * thicken + 1), np.uint8))
        masks[rank] = mask
        widths[rank] = min(rank_h * mask.shape[1] / mask.shape[0] * stretch, rank_h * (1.15 if rank == "10" else 0.95))
    widest = max(widths["10"], suit_h)
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
            drawn = glyph(suit_font, _SUIT_SIGNS[suit]) if suit_font else None
            if drawn is not None:
                _stamp(
                    layer, drawn, (at, suit_y, suit_h * min(1.15, drawn.shape[1] / drawn.shape[0]), suit_h), inks[suit]
                )
            else:
                draw_suit(layer, suit, (at, suit_y), suit_h, (*inks[suit], 255), waist=waist, lobe=lobe)
        cut = int(top + height) + 4
        corners = [(0, int(2 * x) + 8)] + ([(CARD_W_PX - int(2 * x) - 8, CARD_W_PX)] if four else [])
        turned = layer[::-1, ::-1].copy()
        for a, b in corners:
            layer[CARD_H_PX - cut :, CARD_W_PX - b : CARD_W_PX - a] = turned[
                CARD_H_PX - cut :, CARD_W_PX - b : CARD_W_PX - a
            ]
        pictures[code] = layer
    pictures["back"] = base.pictures["back"]
    joker, joker_box = _joker(rng, font, paper, base.pictures.get(JOKER))
    pictures[JOKER] = joker
    return Deck(name, pictures, IndexBox(x, top + height / 2, height), four, joker_box)
