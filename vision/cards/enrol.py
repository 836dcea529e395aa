"""Learns a deck from pictures of cards laid in rows: which corner is which card, and whether all were seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.cards import RANKS, SUITS, Card
from engine.sightings import Point
from vision.cards.consensus import combine, group, opposite_corners, seen_from
from vision.cards.crops import Image
from vision.cards.enrolled import EnrolledDeck
from vision.cards.finder import Corner
from vision.cards.glyphs import Reading, Vector, corner_crop
from vision.cards.reader import CardReader

ROW = 4
"""Cards in a row of a proposed picture: three rows of four and one more are an arm's length of table."""
ALONE = 0.6
"""A corner without its other end counts as a card from this likelihood of being an index."""
_ALIKE = 1.4
"""How many times taller or lower than usual an index of a card laid flat may look."""
_SPAN_REACH = 0.6
"""How far (in heights of an index) the ends of one card may be from where they usually are."""
_INDEX_LIKE = 0.2
"""Corners less likely than this to be an index are left out: lower than when reading, since an odd deck scores low."""
_MISREAD = 1
"""So many cards of a picture may be read surely as others, as an odd deck's can; two swapped cards are more."""
_LOOKS = (
    (0.0, 0.0, 1.0, 0.0),
    (0.04, 0.03, 0.96, 0.05),
    (-0.04, -0.03, 1.05, -0.05),
    (0.03, -0.04, 1.0, 0.1),
    (-0.03, 0.04, 1.0, -0.1),
)
"""Frames (shift right, shift down, size, radians) from which each example is taken, as the finder's errors vary."""


@dataclass(frozen=True)
class Enrolment:
    """What one picture taught: the deck's examples, or what went wrong, in words for the person at the table."""

    deck: EnrolledDeck | None
    seen: int
    expected: int
    problem: str = ""


def proposed_order(suit: str) -> tuple[Card, ...]:
    """The order one picture of a suit is laid in: ace to king, in rows of ROW."""
    if suit not in SUITS:
        raise ValueError(f"no suit {suit!r}: one of {SUITS}")
    return tuple(rank + suit for rank in RANKS)


@dataclass(frozen=True)
class _Lying:
    """A card of the picture: its corners that were seen, and where its middle lies."""

    readings: tuple[Reading, ...]
    middle: Point


def in_rows(places: Sequence[Point], pitch_px: float) -> list[int]:
    """Places in reading order: rows from the top, each from the left; a row is what lies within half a pitch."""
    left = sorted(range(len(places)), key=lambda k: places[k][1])
    order: list[int] = []
    while left:
        row = [k for k in left if places[k][1] - places[left[0]][1] < pitch_px / 2]
        order += sorted(row, key=lambda k: places[k][0])
        left = [k for k in left if k not in row]
    return order


def _separate_cards(readings: Sequence[Reading], expected: int) -> list[_Lying]:
    """Corners put together to cards by place alone: an odd deck's names may be misread, and differently at each end.

    The cards lie apart and are alike, so their ends are always the same way apart: other pairs are chance. A corner
    without its other end counts only if no card lies there already, and only as many as are still missing, surest
    first: faces and pips look a little like indices."""
    heights = [r.corner.height_px for r in readings if r.is_index >= ALONE] or [r.corner.height_px for r in readings]
    tall = float(np.median(heights)) if heights else 1.0
    left = [r for r in readings if 1 / _ALIKE < r.corner.height_px / tall < _ALIKE]
    pairs = [(a, b) for k, a in enumerate(left) for b in left[:k] if opposite_corners(a, b)]
    spans = np.array([seen_from(a, b)[:2] for a, b in pairs]).reshape(-1, 2)
    usual = np.median(spans, axis=0) if len(spans) else np.zeros(2)
    cards: list[_Lying] = []
    used: set[int] = set()

    def free(middle: Point) -> bool:
        # Both sides of a card are longer than this, so the middles of cards laid apart are too.
        return all(
            abs(middle[0] - c.middle[0]) > usual[0] * tall or abs(middle[1] - c.middle[1]) > usual[1] * tall
            for c in cards
        )

    for k in np.argsort(np.abs(spans - usual).sum(axis=1)):
        a, b = pairs[int(k)]
        (ax, ay), (bx, by) = a.corner.at_px, b.corner.at_px
        middle = ((ax + bx) / 2, (ay + by) / 2)
        if np.abs(spans[k] - usual).max() < _SPAN_REACH and not {id(a), id(b)} & used and free(middle):
            used |= {id(a), id(b)}
            cards.append(_Lying((a, b), middle))
    for r in sorted(left, key=lambda r: -r.is_index):
        (x, y), (ux, uy) = r.corner.at_px, r.corner.up
        half = r.corner.height_px / 2
        middle = (x + half * (-usual[0] * uy - usual[1] * ux), y + half * (usual[0] * ux - usual[1] * uy))
        if len(cards) < expected and id(r) not in used and r.is_index >= ALONE and free(middle):
            cards.append(_Lying((r,), middle))
    return cards


def enrol_picture(reader: CardReader, image: Image, expected: Sequence[Card]) -> Enrolment:
    """Learns these cards, laid upright in rows in this order, from one picture; the check is that as many were seen."""
    readings = [r for r in reader.corners(image) if r.is_index >= _INDEX_LIKE]
    cards = _separate_cards(readings, len(expected))
    if len(cards) != len(expected):
        named = group(readings)
        seen = ", ".join(sorted(f.card for f in named)) or "none"
        problem = (
            f"{len(cards)} cards seen instead of {len(expected)} (read as: {seen}). "
            "Lay them apart, in rows, in good light."
        )
        return Enrolment(None, len(cards), len(expected), problem)
    tall = float(np.median([r.corner.height_px for r in readings]))
    order = in_rows([c.middle for c in cards], 5.0 * tall)
    joint = {card: combine(cards[k].readings) for card, k in zip(expected, order, strict=True)}
    sure = {card: f.card for card, f in joint.items() if f.confidence >= reader.bar}
    # A name that is also read in its own place was misread here: no card lies twice in one picture.
    misplaced = [card for card, name in sure.items() if name != card and sure.get(name) != name]
    if len(misplaced) > _MISREAD:
        there = ", ".join(f"{joint[card].card} where {card} should lie" for card in misplaced)
        return Enrolment(None, len(cards), len(expected), f"another order: {there}. Lay them as proposed.")
    examples: dict[Card, list[Vector]] = {}
    for card, k in zip(expected, order, strict=True):
        examples[card] = [v for r in cards[k].readings for v in _examples(reader, image, r.corner)]
    return Enrolment(EnrolledDeck.of(examples, reader.network), len(cards), len(expected))


def _examples(reader: CardReader, image: Image, corner: Corner) -> list[Vector]:
    return list(reader.features([corner_crop(image, corner.moved(*look)) for look in _LOOKS]))
