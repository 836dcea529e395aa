"""Learns a deck from pictures of cards laid in rows: which corner is which card, and whether all were seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.cards import RANKS, SUITS, Card
from engine.errors import GameError
from engine.sightings import Point
from vision.cards.consensus import combine, group, seen_from
from vision.cards.crops import Image
from vision.cards.enrolled import EnrolledDeck
from vision.cards.finder import Corner
from vision.cards.glyphs import IndexReading, Vector, corner_crop
from vision.cards.reader import CardReader

ROW = 4
"""Cards in a row of a proposed picture: three rows of four and one more are an arm's length of table."""
ALONE = 0.6
"""A corner without its other end counts as a card from this likelihood of being an index."""
_ALIKE = 1.4
"""How many times taller or lower than usual an index of a card laid flat may look."""
_SPAN_REACH = 0.6
"""How far (in heights of an index) the ends of one card may be from where they usually are."""
_SPANS_APART = 0.15
"""Ideas of how far the ends lie apart differ by so much: in a four-index deck laid close, neighbours' ends lie apart
nearly as a card's own."""
_LEAST_SPAN = 0.8
"""Ends of a card are further apart than this (in heights of an index), right and down."""
_SAME_WAY = 0.9
"""Cosine from which indices stand the same way."""
_ONE_CARD = 0.5
"""Indices more alike than this may be one card's."""
_IDEAS = 24
"""Ways in which ends lie apart that are tried: the commonest of a picture, its neighbours' among them."""
_INDEX_LIKE = 0.2
"""Corners less likely than this to be an index are left out: lower than when reading, since an odd deck scores low."""
_MISREAD = 1
"""So many cards of a picture may be read surely as others, as an odd deck's can, and are left out; two swapped cards
are more."""
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
    """What one picture taught: the deck's examples, or what went wrong."""

    deck: EnrolledDeck | None
    seen: int
    expected: int
    problem: GameError | None = None
    left_out: tuple[tuple[Card, Card], ...] = ()
    """Cards that were not learned, each with the other that is surely read in its place: it may lie there."""


def proposed_order(suit: str) -> tuple[Card, ...]:
    """The order one picture of a suit is laid in: ace to king, in rows of ROW."""
    if suit not in SUITS:
        raise ValueError(f"no suit {suit!r}: one of {SUITS}")
    return tuple(rank + suit for rank in RANKS)


@dataclass(frozen=True)
class _Lying:
    """A card of the picture: its corners that were seen, and where its middle lies."""

    readings: tuple[IndexReading, ...]
    middle: Point
    alike: float = 1.0
    """How much its ends look like one card's: a cosine."""


def in_rows(places: Sequence[Point], pitch_px: float) -> list[int]:
    """Places in reading order: rows from the top, each from the left; a row is what lies within half a pitch."""
    left = sorted(range(len(places)), key=lambda k: places[k][1])
    order: list[int] = []
    while left:
        row = [k for k in left if places[k][1] - places[left[0]][1] < pitch_px / 2]
        order += sorted(row, key=lambda k: places[k][0])
        left = [k for k in left if k not in row]
    return order


@dataclass(frozen=True)
class _Layout:
    """Cards put together on one idea of how far their ends lie apart: right and down, in heights of an index."""

    span: Point
    cards: tuple[_Lying, ...] = ()
    tall: float = 1.0

    def free(self, middle: Point) -> bool:
        """Whether no card lies there: both sides of one are longer than its span, and so apart are two middles."""
        right, down = self.span[0] * self.tall, self.span[1] * self.tall
        return all(abs(middle[0] - c.middle[0]) > right or abs(middle[1] - c.middle[1]) > down for c in self.cards)

    def belongs(self, card: _Lying, r: IndexReading) -> bool:
        """Whether an index lies where this card has one: the upright ones above its middle, on the left or, of four, on
        the right; the others below."""
        ux, uy = card.readings[0].corner.up
        dx, dy = r.corner.at_px[0] - card.middle[0], r.corner.at_px[1] - card.middle[1]
        right, above = (-dx * uy + dy * ux) / self.tall, (dx * ux + dy * uy) / self.tall
        way = ux * r.corner.up[0] + uy * r.corner.up[1]
        off = abs(abs(right) - self.span[0] / 2), abs(above * np.sign(way) - self.span[1] / 2)
        return abs(way) > _SAME_WAY and max(off) < _SPAN_REACH

    def middle(self, r: IndexReading) -> Point:
        """The middle of the card whose left index this is."""
        (x, y), (ux, uy) = r.corner.at_px, r.corner.up
        right, down = self.span[0] * self.tall / 2, self.span[1] * self.tall / 2
        return x - right * uy - down * ux, y + right * ux - down * uy

    def beside(self, a: IndexReading, b: IndexReading) -> bool:
        """Whether b lies where a card of four indices whose left one is a has its right one."""
        right, down, alike = seen_from(a, b)
        return alike > _SAME_WAY and max(abs(right - self.span[0]), abs(down)) < _SPAN_REACH

    @property
    def worth(self) -> float:
        """The right idea explains the most indices with the fewest cards, and each card's look alike."""
        explained = {id(r) for card in self.cards for r in card.readings if r.is_index >= ALONE}
        return len(explained) - len(self.cards) + sum(card.alike for card in self.cards)


@dataclass(frozen=True)
class _Pair:
    """Two indices that may be the ends of one card."""

    ends: tuple[IndexReading, IndexReading]
    span: Point
    """How far the second lies from the first: right and down, in heights of an index."""
    alike: float
    """How much they look like one card's: a cosine."""

    @property
    def card(self) -> _Lying:
        """The card whose ends they are."""
        (ax, ay), (bx, by) = (r.corner.at_px for r in self.ends)
        return _Lying(self.ends, ((ax + bx) / 2, (ay + by) / 2), self.alike)


def _spans(pairs: Sequence[_Pair]) -> list[Point]:
    """How far ends lie apart in these pairs: each way that differs from the others, the commonest first."""
    seen = np.array([pair.span for pair in pairs]).reshape(-1, 2)
    near = (np.abs(seen[:, None] - seen[None]).max(2) < _SPANS_APART).sum(1)
    spans: list[Point] = []
    for k in np.argsort(-near, kind="stable"):
        if all(np.abs(seen[k] - np.array(span)).max() >= _SPANS_APART for span in spans):
            alike = seen[np.abs(seen - seen[k]).max(1) < _SPANS_APART]
            right, down = np.median(alike, axis=0)
            spans.append((float(right), float(down)))
    return spans[:_IDEAS]


class _Likeness:
    """How much two indices look like one card's: a cosine, from what all indices of the picture have in common."""

    def __init__(self, readings: Sequence[IndexReading]) -> None:
        middle = np.mean([r.features for r in readings], axis=0) if readings else 0.0
        self._apart = {id(r): (r.features - middle) / (np.linalg.norm(r.features - middle) + 1e-9) for r in readings}

    def __call__(self, a: IndexReading, b: IndexReading) -> float:
        return float(self._apart[id(a)] @ self._apart[id(b)])


def _laid(pairs: Sequence[_Pair], left: Sequence[IndexReading], idea: _Layout) -> _Layout:
    """The cards whose ends are that far apart, each with all its indices: nearest to it and most alike first, since
    neighbours' ends may be so far apart too."""
    used: set[int] = set()
    off = [max(abs(pair.span[0] - idea.span[0]), abs(pair.span[1] - idea.span[1])) for pair in pairs]
    for k in np.argsort([far - pair.alike for far, pair in zip(off, pairs, strict=True)]):
        card = pairs[int(k)].card
        if off[int(k)] < _SPAN_REACH and not {id(r) for r in card.readings} & used and idea.free(card.middle):
            idea = replace(idea, cards=(*idea.cards, _with_all_ends(card, left, used, idea)))
    return idea


def _with_all_ends(card: _Lying, left: Sequence[IndexReading], used: set[int], layout: _Layout) -> _Lying:
    """The card with every free index that lies where it has one; they are used from now on."""
    used |= {id(r) for r in card.readings}
    card = replace(card, readings=(*card.readings, *(r for r in left if id(r) not in used and layout.belongs(card, r))))
    used |= {id(r) for r in card.readings}
    return card


def _pairs(left: Sequence[IndexReading], likeness: _Likeness) -> list[_Pair]:
    """Indices that may be the ends of one card, whatever the deck: the first upright, the second below it."""
    found = []
    for k, a in enumerate(left):
        for b in left[:k]:
            right, down, way = seen_from(a, b)
            size = a.corner.height_px / b.corner.height_px
            if way < -_SAME_WAY and 1 / _ALIKE < size < _ALIKE and right > _LEAST_SPAN and down > _LEAST_SPAN:
                found.append(_Pair((a, b), (right, down), likeness(a, b)))
    return found


def _separate_cards(readings: Sequence[IndexReading], expected: int) -> list[_Lying]:
    """Corners put together to cards by place alone: an odd deck's names may be misread, and differently at each end.

    The cards lie apart and are alike, so their ends are always the same way apart; but so are the ends of neighbours,
    and of a card with four indices there are more. A corner without its other end counts only if no card lies there
    already, and only as many as are still missing, surest first: faces and pips look a little like indices."""
    tall = _height_px(readings)
    left = [r for r in readings if 1 / _ALIKE < r.corner.height_px / tall < _ALIKE]
    likeness = _Likeness(left)
    pairs = _pairs(left, likeness)
    layouts = [_laid(pairs, left, _Layout(span, (), tall)) for span in _spans(pairs)]
    best = max(layouts, key=lambda layout: layout.worth, default=_Layout((0.0, 0.0), (), tall))
    used = {id(r) for card in best.cards for r in card.readings}
    for r in sorted(left, key=lambda r: -r.is_index):
        if len(best.cards) == expected or r.is_index < ALONE or id(r) in used:
            continue
        if _right_of_another(r, [reading for reading in left if id(reading) not in used], best, likeness):
            continue  # Of four indices, the left one says where its card's middle is.
        card = _Lying((r,), best.middle(r))
        if best.free(card.middle):
            best = replace(best, cards=(*best.cards, _with_all_ends(card, left, used, best)))
    return list(best.cards)


def _height_px(readings: Sequence[IndexReading]) -> float:
    """The usual height of an index."""
    heights = [r.corner.height_px for r in readings if r.is_index >= ALONE] or [r.corner.height_px for r in readings]
    return float(np.median(heights)) if heights else 1.0


def _right_of_another(r: IndexReading, others: Sequence[IndexReading], best: _Layout, likeness: _Likeness) -> bool:
    return any(reading is not r and best.beside(reading, r) and likeness(reading, r) > _ONE_CARD for reading in others)


def enrol_picture(reader: CardReader, image: Image, expected: Sequence[Card]) -> Enrolment:
    """Learns these cards, laid upright in rows in this order, from one picture; the check is that as many were seen."""
    readings = [r for r in reader.corners(image) if r.is_index >= _INDEX_LIKE]
    if reader.grey and readings:
        return Enrolment(None, len(readings), len(expected), GameError("cards_grey"))
    cards = _separate_cards(readings, len(expected))
    if len(cards) != len(expected):
        return Enrolment(None, len(cards), len(expected), _other_number(readings, len(cards), len(expected)))
    tall = float(np.median([r.corner.height_px for r in readings]))
    order = in_rows([c.middle for c in cards], 5.0 * tall)
    laid = {card: cards[k].readings for card, k in zip(expected, order, strict=True)}
    misread = _misread(laid, reader.bar)
    if len(misread) > min(_MISREAD, len(expected) - 1):
        places = [GameError("place_of", found=name, wanted=card) for card, name in misread.items()]
        return Enrolment(None, len(cards), len(expected), GameError("cards_order", places=places))
    deck = _learned(reader, image, {card: readings for card, readings in laid.items() if card not in misread})
    return Enrolment(deck, len(cards), len(expected), left_out=tuple(misread.items()))


def _learned(reader: CardReader, image: Image, laid: Mapping[Card, Sequence[IndexReading]]) -> EnrolledDeck:
    """A deck of what is known of each card by one picture."""
    examples = {
        card: [v for r in readings for v in _examples(reader, image, r.corner)] for card, readings in laid.items()
    }
    return EnrolledDeck.of(examples, reader.network)


def _other_number(readings: Sequence[IndexReading], seen: int, expected: int) -> GameError:
    """What is said where more or fewer cards were seen than should lie there."""
    if not readings:
        return GameError("cards_none")
    names = sorted(f.card for f in group(readings))
    return GameError("cards_seen", found=seen, wanted=expected, names=names)


def _misread(laid: Mapping[Card, Sequence[IndexReading]], bar: float) -> dict[Card, Card]:
    """The cards in whose place another is surely read, each with that one. A name that is also read in its own place
    was misread here: no card lies twice in one picture."""
    joint = {card: combine(readings) for card, readings in laid.items()}
    sure = {card: found.card for card, found in joint.items() if found.confidence >= bar}
    return {card: name for card, name in sure.items() if name != card and sure.get(name) != name}


def _examples(reader: CardReader, image: Image, corner: Corner) -> list[Vector]:
    return list(reader.features([corner_crop(image, corner.moved(*look)) for look in _LOOKS]))
