"""Sightings: what one still table shows, as plain data. Vision makes them, the referee reads them; no pixels here."""

from dataclasses import dataclass

from engine.cards import Card

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
CountLikelihood = dict[int, float]
"""How likely each count of seeds is in one pit; sums to 1."""


@dataclass(frozen=True)
class CardSeen:
    """A card that was read: its name, how sure that is, the centre of an index seen, its outline if known."""

    card: Card
    confidence: float
    at_px: Point
    quad_px: Quad | None = None


@dataclass(frozen=True)
class CardUnsure:
    """Something that is a card, with the names it may have (likeliest first), and where."""

    candidates: tuple[Card, ...]
    at_px: Point


@dataclass(frozen=True)
class CardsSighting:
    """Every face-up card of a still table whose index can be seen."""

    cards: tuple[CardSeen, ...]
    unsure: tuple[CardUnsure, ...]


@dataclass(frozen=True)
class BoardSighting:
    """A still board. Rows are as the camera found them; a pit that cannot be counted (a hand, glare) is None."""

    corners_px: Quad
    pits: tuple[tuple[CountLikelihood | None, ...], ...]
    outside: int = 0
