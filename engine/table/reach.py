"""How far out each player lays cards: learned from where hands put faces."""

import math
from collections import deque
from collections.abc import Iterable
from statistics import median

from engine.sightings import CardLying, Hand, Point
from engine.table.acts import SEVERAL
from engine.table.arms import Arms
from engine.table.places import ZONE

BEYOND = 0.2
"""Table units by which a card may lie farther out than half of those its player laid."""
KNOWN = 20
"""Faces that are remembered of each player."""


class Reach:
    """Of the players at one table."""

    def __init__(self, arms: Arms, players: int, zone: float) -> None:
        """zone: how far out a card is played. If it is not the usual one, the house says so, and nothing is learned."""
        self._arms, self._zone = arms, zone
        usual = (ZONE - BEYOND,) * 2
        self._all = deque(usual, KNOWN * players)
        self._own = [deque[float](maxlen=KNOWN) for _ in range(players)]

    def out(self, at: Point) -> float:
        """How far out this is, as part of where the player who sits there lays cards: beyond 1 nobody does."""
        return math.hypot(*at) / self._of(self._arms.nearest(at))

    def inside(self, at: Point, part: float = 1.0) -> bool:
        """Whether this is where cards are played, or in this part of it."""
        everybody_reaches = math.hypot(*at) <= part * self._zone  # So it need not be worked out who sits there.
        return everybody_reaches or self.out(at) <= part

    def _of(self, seat: int) -> float:
        if self._zone != ZONE:
            return self._zone
        own = self._own[seat]
        return max(ZONE, median(own if len(own) >= SEVERAL else self._all) + BEYOND)

    def learn(self, faces: Iterable[CardLying], hands: Iterable[Hand]) -> None:
        """Takes in where hands put faces."""
        hands = tuple(hands)
        for face in faces:
            seat = self._arms.nearest(face.at)
            mine = (hand for hand in hands if self._arms.seat_clearly_at(hand.angle_deg) == seat)
            if any(self._arms.log_reach(hand, face.at) > 0 for hand in mine):
                self._all.append(math.hypot(*face.at))
                self._own[seat].append(math.hypot(*face.at))
