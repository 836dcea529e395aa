"""Sightings: what one still table shows, as plain data. Vision makes them, the referee reads them; no pixels here."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from engine.cards import Card

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
CountLikelihood = dict[int, float]
"""How likely each count of seeds is in one pit; sums to 1."""

FULL = 10
"""Seeds from which many lie under others: then neighbouring counts look alike."""


def best_count(pit: Mapping[int, float]) -> int:
    """What a pit holds, in one number: the likeliest; of a full pit the middle of the three likeliest neighbours, which
    is within one of the truth more often."""
    likeliest = max(pit, key=lambda count: pit[count])
    if likeliest <= FULL:
        return likeliest
    return max(pit, key=lambda count: sum(pit.get(near, 0.0) for near in (count - 1, count, count + 1)))


@dataclass(frozen=True)
class CardSeen:
    """A card that was read: its name, how sure that is, the centre of an index seen, its outline if known."""

    card: Card
    confidence: float
    at_px: Point
    quad_px: Quad | None = None
    middle_px: Point | None = None
    """Its middle; without an outline only a guess, by what cards are like."""
    span_px: Point | None = None
    """How far its two indices lie apart, across and along it, where both were seen; without a sign."""


@dataclass(frozen=True)
class CardUnsure:
    """Something that is a card, with the names it may have (likeliest first), and where."""

    candidates: tuple[Card, ...]
    at_px: Point
    quad_px: Quad | None = None
    middle_px: Point | None = None
    likely: tuple[float, ...] = ()
    """How likely each candidate is, in their order; what they leave of 1 is for all other cards."""
    index_like: float = 0.0
    """How much it looks like a card's index at all, from 0 to 1; 0 where that was not told."""


@dataclass(frozen=True)
class CardsSighting:
    """Every face-up card of a still table whose index can be seen."""

    cards: tuple[CardSeen, ...]
    unsure: tuple[CardUnsure, ...]
    crowded: bool = False
    """More lies there than is ever read: cards may be missing."""
    grey: bool = False
    """The picture has no colour: a red card looks like a black one, so that no name is sure."""
    four_indices: bool = False
    """Cards of this deck have an index in every corner: one alone does not say which side of its card it is on."""


@dataclass(frozen=True)
class BoardSighting:
    """A still board. Rows are as the camera found them; a pit that cannot be counted (a hand, glare) is None."""

    corners_px: Quad
    pits: tuple[tuple[CountLikelihood | None, ...], ...]
    outside: int = 0
    sure: bool = True
    """This is certainly the board, and its pits these; else part of it may be hidden, or it is another thing."""

    @property
    def counts(self) -> tuple[tuple[int | None, ...], ...]:
        """The likeliest number of seeds in each pit.

        >>> BoardSighting(((0, 0), (1, 0), (1, 1), (0, 1)), (({2: 0.9, 3: 0.1}, None),)).counts
        ((2, None),)
        """
        return tuple(tuple(best_count(pit) if pit else None for pit in row) for row in self.pits)


def apart(a: Point, b: Point) -> float:
    """The distance between two places."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def direction_deg(at: Point) -> float:
    """Where a place lies, clockwise from the side of seat 0: direction_deg((-1, 0)) is 90."""
    return math.degrees(math.atan2(-at[0], at[1])) % 360


def turned_deg(a_deg: float, b_deg: float) -> float:
    """From b to a, between -180 and 180: turned_deg(10, 350) is 20."""
    return (a_deg - b_deg + 180) % 360 - 180


def rotated(at: Point, by_deg: float) -> Point:
    """A place turned clockwise about the middle: rotated((0, 1), 90) is (-1, 0)."""
    turn = math.radians(by_deg)
    return at[0] * math.cos(turn) - at[1] * math.sin(turn), at[0] * math.sin(turn) + at[1] * math.cos(turn)


def half_turned(angle_deg: float) -> float:
    """An angle of what looks the same turned half round, between -90 and 90: half_turned(170) is -10."""
    return (angle_deg + 90) % 180 - 90


@dataclass(frozen=True)
class Hand:
    """A hand that came over the table between two looks."""

    angle_deg: float
    """Where its arm comes from: clockwise as seen from above, from the side of seat 0."""
    reach: Point
    """Where its tip was when it reached deepest, in table units."""
    came_s: float
    left_s: float
    drew_back_s: float | None = None
    """When it was last about as far in as it ever came; None: nobody told."""
    reached_s: float | None = None
    """When it first was more than half as far in; None: nobody told."""

    @property
    def did_by_s(self) -> float:
        """When it had done what it did."""
        return self.left_s if self.drew_back_s is None else self.drew_back_s

    @property
    def did_from_s(self) -> float:
        """When it began to do what it did."""
        return self.came_s if self.reached_s is None else self.reached_s


ARM_BESIDE = 0.35
"""Table units beside an arm, or before its tip, that it or what it holds may cover."""


def covers(hand: Hand, at: Point) -> bool:
    """Whether a hand, the arm behind it or the card in it may lie over this place when it reaches deepest."""
    arm = math.radians(hand.angle_deg)
    back = (-math.sin(arm), math.cos(arm))
    off = (at[0] - hand.reach[0], at[1] - hand.reach[1])
    along = max(0.0, off[0] * back[0] + off[1] * back[1])
    return math.hypot(off[0] - along * back[0], off[1] - along * back[1]) < ARM_BESIDE


@dataclass(frozen=True)
class CardLying:
    """A card at rest on the table: where, in table units, and what it is or may be."""

    card: Card | None
    """None: not read for sure; the candidates then say what it may be, likeliest first."""
    confidence: float
    """How sure that is. Of what could not be read: how much it looks like a card at all; 0 where that was not told."""
    at: Point
    """The middle of the card, whichever of its indices was read."""
    candidates: tuple[Card, ...] = ()
    outlined: bool = True
    """Whether `at` is sure to be the card's middle; else a guess that may be off by a third of its length."""
    likely: tuple[float, ...] = ()
    """How likely each candidate is, in their order, if that was told; what they leave of 1 is for all other cards."""
    turned_deg: float | None = None
    """Its long side from the picture's upright, clockwise, between -90 and 90; None: its outline was not seen. Only for
    whoever draws it."""


@dataclass(frozen=True)
class Glance:
    """One frame that was read while a hand was still over the table, or between two of them."""

    at_s: float
    cards: tuple[CardLying, ...]
    """Only what lies clear of every arm. That a card is not among them says little: an arm may have hidden it."""
    hands: tuple[Hand, ...] = ()
    """Those over the table at that moment, as far as they had come: `left_s` is the time of the frame."""


@dataclass(frozen=True)
class TableLook:
    """What a still card table shows, and who reached over it since the look before.

    Table units: the middle of the picture is (0, 0), half its shorter side is 1, y grows toward seat 0.
    """

    at_s: float
    cards: tuple[CardLying, ...]
    hands: tuple[Hand, ...] = ()
    packets: tuple[Point, ...] = ()
    """Where something without a face came to rest since the look before: a gathered trick, a stock."""
    changed: tuple[tuple[float, float, float], ...] = ()
    """Everywhere the table looks otherwise than at the look before, hands aside: (x, y, radius)."""
    card_length: float = 0.3
    """Of the cards on this table."""
    fresh: bool = True
    """False: the table was not touched since the look before; this only looks again."""
    hidden: tuple[Card, ...] = ()
    """Cards that lay where a hand rests now."""
    behind_a_hand: bool = False
    """A hand at the edge may just be laying something there: it is looked at again once that hand is gone."""
    glances: tuple[Glance, ...] = ()
    """What was seen between the hands since the look before, in time order."""
