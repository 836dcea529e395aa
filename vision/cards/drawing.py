"""The debug picture: corners, outlines, names and how sure, drawn over what the camera saw."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.cards import JOKER
from engine.sightings import CardsSighting
from vision.cards.consensus import FoundCard
from vision.cards.crops import Image
from vision.cards.finder import Corner

_SURE, _UNSURE, _DARK = (90, 200, 60), (30, 160, 255), (30, 26, 24)
_SUIT_INK = {"C": (255, 255, 255), "S": (255, 255, 255), "H": (120, 120, 255), "D": (120, 120, 255)}


def _suit(picture: Image, suit: str, x: float, y: float, size: float) -> None:
    ink = _SUIT_INK[suit]
    turn = np.linspace(0, 2 * np.pi, 33)
    shapes = []
    if suit == "D":
        shapes = [np.array([(0, -0.5), (0.38, 0), (0, 0.5), (-0.38, 0)])]
    elif suit in "HS":
        heart = np.stack(
            [
                0.5 * np.sin(turn) ** 3,
                -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)) / 32,
            ],
            axis=1,
        )
        shapes = [heart] if suit == "H" else [heart * (1, -0.85), np.array([(0, 0), (0.2, 0.55), (-0.2, 0.55)])]
    else:
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.24
        shapes = [ring + at for at in ((0, -0.25), (-0.25, 0.08), (0.25, 0.08))] + [
            np.array([(0, 0), (0.2, 0.5), (-0.2, 0.5)])
        ]
    for shape in shapes:
        cv2.fillPoly(picture, [np.round((shape * size + (x, y)) * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def _label(
    picture: Image, card: str, note: str, at: tuple[float, float], *, scale: float, edge: tuple[int, int, int]
) -> None:
    """A dark tag with the rank, the suit sign and a note, kept inside the picture."""
    font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(scale * 2))
    rank = card if card == JOKER else card[:-1]
    (rank_w, text_h), _ = cv2.getTextSize(rank, font, scale, thick)
    (note_w, _), _ = cv2.getTextSize(note, font, scale * 0.62, max(1, thick - 1))
    pad, sign = round(7 * scale), 0 if card == JOKER else text_h
    width = rank_w + sign + note_w + 4 * pad
    height = text_h + 2 * pad
    x, y = at
    left = int(np.clip(x, 0, max(0, picture.shape[1] - width - 1)))
    top = int(np.clip(y - height / 2, 0, max(0, picture.shape[0] - height - 1)))
    cv2.rectangle(picture, (left, top), (left + width, top + height), _DARK, -1)
    cv2.rectangle(picture, (left, top), (left + width, top + height), edge, max(1, thick - 1), cv2.LINE_AA)
    base = top + height - pad
    ink = (255, 255, 255) if card == JOKER else _SUIT_INK[card[-1]]
    cv2.putText(picture, rank, (left + pad, base), font, scale, ink, thick, cv2.LINE_AA)
    if card != JOKER:
        _suit(picture, card[-1], left + pad * 1.6 + rank_w + sign / 2, top + height / 2, text_h)
    cv2.putText(
        picture,
        note,
        (left + rank_w + sign + round(2.8 * pad), base),
        font,
        scale * 0.62,
        edge,
        max(1, thick - 1),
        cv2.LINE_AA,
    )


def draw_sighting(image: Image, sighting: CardsSighting, found: Sequence[FoundCard], ms: float | None = None) -> Image:
    """A copy of the picture with what was made of it."""
    picture = image.copy()
    scale = max(0.4, max(picture.shape[:2]) / 1500)
    line = max(1, round(2.4 * scale))
    for card in sighting.cards:
        if card.quad_px is not None:
            cv2.polylines(
                picture, [np.round(np.array(card.quad_px) * 16).astype(np.int32)], True, _SURE, line, cv2.LINE_AA, 4
            )
    named = {id(f) for f in found if any(c.card == f.card and c.confidence == f.confidence for c in sighting.cards)}
    for read in found:
        ink = _SURE if id(read) in named else _UNSURE
        for reading in read.readings:
            _draw_corner(picture, reading.corner, ink, line)
    for card in sighting.cards:
        at = (card.at_px[0] + 22 * scale, card.at_px[1])
        if card.quad_px is not None:
            middle = np.array(card.quad_px).mean(axis=0)
            at = (float(middle[0]) - 60 * scale, float(middle[1]))
        _label(picture, card.card, f"{100 * card.confidence:.1f}%", at, scale=scale * 0.8, edge=_SURE)
    for doubt in sighting.unsure:
        note = "? " + " ".join(doubt.candidates[1:])
        at = (doubt.at_px[0] + 22 * scale, doubt.at_px[1])
        _label(picture, doubt.candidates[0], note, at, scale=scale * 0.8, edge=_UNSURE)
    foot = _counted(sighting) + (f", {ms:.0f} ms" if ms is not None else "")
    at_foot = (round(10 * scale), picture.shape[0] - round(12 * scale))
    for colour, width in (((0, 0, 0), line * 3), ((255, 255, 255), line)):
        cv2.putText(picture, foot, at_foot, cv2.FONT_HERSHEY_SIMPLEX, scale * 0.8, colour, width, cv2.LINE_AA)
    return picture


def _counted(sighting: CardsSighting) -> str:
    return f"cards: {len(sighting.cards)}" + (f", unsure: {len(sighting.unsure)}" if sighting.unsure else "")


def _draw_corner(picture: Image, corner: Corner, ink: tuple[int, int, int], line: int) -> None:
    """A box round an index, its upper side thicker."""
    up = np.array(corner.up) * corner.height_px * 0.58
    right = np.array((-corner.up[1], corner.up[0])) * corner.height_px * 0.36
    box = np.array(corner.at_px) + np.array([up - right, up + right, -up + right, -up - right])
    cv2.polylines(picture, [np.round(box * 16).astype(np.int32)], True, ink, line, cv2.LINE_AA, 4)
    cv2.line(picture, *(tuple(int(v) for v in p) for p in (box[0], box[1])), ink, line * 2, cv2.LINE_AA)
