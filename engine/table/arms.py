"""Whose card it is: where each player's arm comes from, learned as they play, and how well a hand fits a card."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from engine.sightings import Hand, Point, direction_deg, turned_deg
from engine.table.acts import EVEN, ODD, RARE, SOME
from engine.table.places import MIDDLE, ZONE

PLAY_SPREAD_DEG, SEAT_SPREAD_DEG = 11.0, 17.0
"""How much the direction of one player's arm varies from play to play, and where players sit from where they are
thought to."""
LEAN, TIP_BEYOND, SPREAD = 0.2, 0.15, 0.22
"""Table units by which a card lies nearer to its player than the middle, by which the tip of his hand lies beyond it,
and by how much both vary, before anything is known of a table."""
CLEARLY_BEFORE = 0.4
"""Part of the way to the next seat within which something lies before this one, and is not the next one's."""
SPREAD_KNOWN = 4.0
"""Plays that what is thought beforehand counts for."""
ODD_ARM, ODD_REACH, ODD_PLACE = RARE * EVEN, ODD, SOME
"""How often an arm's direction, how far it reaches, and where its card lies tell nothing: a neighbour lays for another,
an arm is seen late, a card slides on."""


def _speaks(density: float, odd: float) -> float:
    """Log-ratio of a measurement. density: how much likelier it is than by chance; odd: how often it tells nothing."""
    return math.log((1 - odd) * density + odd)


@dataclass
class _Seat:
    """Where a player's arm comes from."""

    angle_deg: float
    plays: int = 0

    @property
    def spread_deg(self) -> float:
        """Of the next play: what is not yet known of the seat, and what varies anyway."""
        return math.sqrt(self._unknown() + PLAY_SPREAD_DEG**2)

    def learn(self, away_deg: float) -> None:
        """A play came from so far beside where this player is thought to sit."""
        unknown = self._unknown()
        part = unknown / (unknown + PLAY_SPREAD_DEG**2)
        self.angle_deg = (self.angle_deg + part * away_deg) % 360
        self.plays += 1

    def _unknown(self) -> float:
        """The variance of where the seat is, after what was learned."""
        return 1 / (SEAT_SPREAD_DEG**-2 + self.plays * PLAY_SPREAD_DEG**-2)


@dataclass(frozen=True)
class _Spread:
    """Where something comes to be, along and across, and how much that varies: learned at each table anew, since decks,
    arms and habits differ more than plays do."""

    mean: Point
    variance: Point
    seen: float = SPREAD_KNOWN

    def log_fit(self, off: Point, odd: float, within: float) -> float:
        """How much this place speaks for it, against anywhere within so far of the middle."""
        far = sum((x - m) ** 2 / v for x, m, v in zip(off, self.mean, self.variance, strict=True))
        dense = within**2 / (2 * math.sqrt(self.variance[0] * self.variance[1]))
        return _speaks(dense * math.exp(-far / 2), odd)

    def learned(self, off: Point) -> "_Spread":
        """With one more; one that is quite odd counts as one that is rather odd."""
        seen = self.seen + 1
        mean, variance = [], []
        for x, m, v in zip(off, self.mean, self.variance, strict=True):
            away = max(-3 * math.sqrt(v), min(3 * math.sqrt(v), x - m))
            mean.append(m + away / seen)
            variance.append(v + (away * away - v) / seen)
        return _Spread((mean[0], mean[1]), (variance[0], variance[1]), seen)


def over_the_middle(hand: Hand) -> bool:
    """Whether a hand reached where it may have laid a card of the trick."""
    return math.hypot(*hand.reach) < MIDDLE


def seats_round(players: int, clockwise: bool, seat_0_deg: float = 0.0) -> list[float]:
    """Where players sit who sit evenly round a table."""
    step = 360 / players * (1 if clockwise else -1)
    return [(seat_0_deg + step * seat) % 360 for seat in range(players)]


class Arms:
    """The arms of one table's players."""

    def __init__(self, seats_deg: Iterable[float], nobody: int | None = None) -> None:
        """seats_deg: where each player is thought to sit, until its plays tell better. nobody: the seat where nobody
        sits, for which anybody's arm lays cards."""
        self._nobody = nobody
        self._seats = [_Seat(angle) for angle in seats_deg]
        self._tips = _Spread((TIP_BEYOND, 0.0), (SPREAD**2, SPREAD**2))
        """Where the tip of a hand is from the card it lays."""
        self._places = _Spread((LEAN, 0.0), (SPREAD**2, SPREAD**2))
        """Where a card lies as its player sees it."""

    def seat_clearly_at(self, angle_deg: float) -> int | None:
        """The seat that sits in this direction, if that is clear."""
        away = sorted((abs(turned_deg(angle_deg, seat.angle_deg)), k) for k, seat in enumerate(self._seats))
        return away[0][1] if away[0][0] < CLEARLY_BEFORE * 360 / len(self._seats) else None

    def nearest(self, at: Point) -> int:
        """The seat that something lies before, clearly or not."""
        angle_deg = direction_deg(at)
        return min(range(len(self._seats)), key=lambda seat: abs(turned_deg(angle_deg, self._seats[seat].angle_deg)))

    def may_be_seat(self, angle_deg: float, seat: int) -> bool:
        """Whether what lies in this direction may be this seat's, though it is not clearly before it."""
        return abs(turned_deg(angle_deg, self._seats[seat].angle_deg)) < (1 - CLEARLY_BEFORE) * 360 / len(self._seats)

    def likeliest_seat(self, angle_deg: float, share: float) -> int | None:
        """The seat whose arm comes from this direction, if it is that likely among all seats."""
        speaks = [math.exp(self.log_angle(angle_deg, seat)) for seat in range(len(self._seats))]
        likeliest = max(range(len(speaks)), key=speaks.__getitem__)
        return likeliest if speaks[likeliest] >= share * sum(speaks) else None

    def learn(self, seat: int, hand: Hand, at: Point) -> None:
        """A play whose seat is known shows where that player's arm comes from."""
        if seat == self._nobody:
            return
        known = self._seats[seat]
        self._tips = self._tips.learned(self._tip_off(hand, at))
        self._places = self._places.learned(self._place_off(at, seat))
        away = turned_deg(hand.angle_deg, known.angle_deg)
        if abs(away) < CLEARLY_BEFORE * 360 / len(self._seats):
            known.learn(away)

    def log_fit(self, hand: Hand, at: Point, seat: int) -> float:
        """How much speaks for it that this player's hand laid a card here, against a hand that came for nothing and a
        card from nowhere, as a logarithm. Each thing that may be odd is so by itself now and then."""
        return self.log_angle(hand.angle_deg, seat) + self.log_reach(hand, at) + self.log_lean(at, seat)

    def log_reach(self, hand: Hand, at: Point) -> float:
        """How much its tip alone speaks for it that a hand laid a card here."""
        return self._tips.log_fit(self._tip_off(hand, at), ODD_REACH, MIDDLE)

    @staticmethod
    def _tip_off(hand: Hand, at: Point) -> Point:
        """How far the tip of a hand is beyond the middle of a card, and how far beside it."""
        arm = math.radians(hand.angle_deg)
        x, y = hand.reach[0] - at[0], hand.reach[1] - at[1]
        return x * math.sin(arm) - y * math.cos(arm), x * math.cos(arm) + y * math.sin(arm)

    def toward(self, at: Point, seat: int) -> float:
        """How far from the middle toward a seat this is."""
        return self._place_off(at, seat)[0]

    def _place_off(self, at: Point, seat: int) -> Point:
        """How far a card lies toward a player from the middle, and how far beside."""
        turn = math.radians(self._seats[seat].angle_deg)
        return -at[0] * math.sin(turn) + at[1] * math.cos(turn), at[0] * math.cos(turn) + at[1] * math.sin(turn)

    def log_angle(self, angle_deg: float, seat: int) -> float:
        """How much an arm's direction alone speaks for this player, against any of the players."""
        if seat == self._nobody:
            return 0.0
        dense = [
            math.exp(-min((turned_deg(angle_deg, seat.angle_deg) / seat.spread_deg) ** 2, 400.0) / 2) / seat.spread_deg
            for seat in self._seats
        ]
        return _speaks(dense[seat] / (sum(dense) / len(dense)), ODD_ARM)

    def log_lean(self, at: Point, seat: int) -> float:
        """How much a card's place alone speaks for this player, against a card from nowhere."""
        return self._places.log_fit(self._place_off(at, seat), ODD_PLACE, ZONE)
