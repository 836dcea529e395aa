"""Where things are at a simulated card table: seats round the picture, the trick, the stock, piles and markers."""

from dataclasses import dataclass

import numpy as np

from engine.rules.tricks import TrickGame
from vision.synthetic.play_render import Point

INSIDE = 0.85
"""Things lie at least so many card widths inside the picture's edge."""


def plus(a: Point, b: Point, times: float = 1.0) -> Point:
    """a + times * b."""
    return a[0] + times * b[0], a[1] + times * b[1]


def unit(towards: Point) -> Point:
    """A direction of length 1."""
    length = float(np.hypot(*towards)) or 1.0
    return towards[0] / length, towards[1] / length


def turn_of(points: Point) -> float:
    """The turn, clockwise from upright, of something whose top points this way."""
    return float(np.arctan2(points[0], -points[1]))


@dataclass(frozen=True)
class StagePlaces:
    """The table's geometry in pixels of the picture; card_px is the width of a card."""

    size: tuple[int, int]
    card_px: float
    players: int
    clockwise: bool
    stock_side: int
    """1: the stock lies up and right of the middle; -1: down and left."""
    uneven_rad: tuple[float, ...] = ()
    """How far each player sits beside where they would sit evenly round; none: all do."""
    stock_at: Point | None = None
    """Where the stock lies, if not there."""
    trick_at: Point | None = None
    """Where tricks are played, if not in the picture's middle."""

    @staticmethod
    def of(game: TrickGame, size: tuple[int, int], card_px: float, stock_side: int) -> "StagePlaces":
        """The places of a game; with five the stock has only one corner free."""
        return StagePlaces(size, card_px, game.players, game.clockwise, -1 if game.players == 5 else stock_side)

    @property
    def middle(self) -> Point:
        return self.size[0] / 2, self.size[1] / 2

    def _outward(self, seat: int) -> Point:
        angle = 2 * np.pi * seat / self.players * (1 if self.clockwise else -1)
        if self.uneven_rad:
            angle += self.uneven_rad[seat % self.players]
        return -float(np.sin(angle)), float(np.cos(angle))

    def edge(self, seat: int) -> Point:
        """Where a seat is at the edge of the picture."""
        x, y = self._outward(seat)
        far = 1 / max(abs(x), abs(y))
        return self.middle[0] * (1 + x * far), self.middle[1] * (1 + y * far)

    def inward(self, seat: int) -> Point:
        """From a seat to the middle of the table, length 1."""
        return unit(plus(self.middle, self.edge(seat), -1))

    def _facing(self, seat: int) -> Point:
        """Straight into the picture from a seat's edge."""
        x, y = self._outward(seat)
        return (-float(np.sign(x)), 0.0) if abs(x) > abs(y) + 1e-9 else (0.0, -float(np.sign(y)))

    def beside(self, seat: int, in_cards: float, right_cards: float) -> Point:
        """A point so far into the table from a seat, and so far to its right hand; kept inside the picture."""
        facing = self._facing(seat)
        right = (-facing[1], facing[0])
        at = plus(plus(self.edge(seat), facing, in_cards * self.card_px), right, right_cards * self.card_px)
        least = INSIDE * self.card_px
        return (
            float(np.clip(at[0], least, self.size[0] - least)),
            float(np.clip(at[1], least, self.size[1] - least)),
        )

    def pile(self, seat: int) -> Point:
        """Where a seat keeps the tricks it took: at its right hand."""
        return self.beside(seat, 0.95, 1.65)

    def marker(self, seat: int, number: int) -> Point:
        """Where the marker cards in front of a seat lie: at its left hand, one over the other."""
        return self.beside(seat, 0.8, -1.5 - 0.42 * number)

    @property
    def trick(self) -> Point:
        """The middle of the tricks."""
        return self.trick_at or self.middle

    @property
    def stock(self) -> Point:
        if self.stock_at is not None:
            return self.stock_at
        x, y = (3.0, -0.9) if self.players == 2 else (2.55, -1.9)
        return plus(self.middle, (x * self.card_px, y * self.card_px), self.stock_side)

    def leaves(self, at: Point, points: Point) -> float:
        """How far an arm reaches back from a point until it has left the picture."""
        back = (-points[0], -points[1])
        ways = []
        for place, step, length in zip(at, back, self.size, strict=True):
            if abs(step) > 1e-6:
                ways.append(((length if step > 0 else 0) - place) / step)
        return max(0.0, min(ways, default=0.0))
