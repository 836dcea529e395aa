"""Whose card it is: where each player's arm comes from, learned as they play, and how well a hand fits a card."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from engine.sightings import Hand, Point, apart, turned_deg

PLAY_SPREAD_DEG, SEAT_SPREAD_DEG = 11.0, 17.0
"""How much the direction of one player's arm varies from play to play, and where players sit from where they are
thought to."""
REACH = 0.3
"""Table units by which the tip of a hand laying a card varies: fingers differ, and thrown cards slide on."""
LEAN, LEAN_SPREAD = 0.2, 0.15
"""Table units by which a card lies nearer to its player than the middle, and how much that varies."""
LEAST_LEARNED = 0.25
"""How far one play at least moves what is known of a direction: people shift about."""
LEARN_WITHIN = 0.4
"""No play moves it from this part of the way to the next seat on."""
CLEARLY_BEFORE = 0.4
"""Part of the way to the next seat within which something lies before this one; near the middle it is neither."""
LEAST = 1e-6
"""How likely a seat remains whatever its hand did: somebody may reach across, or play for another."""
FAINTEST = 1e-30
MOST_HANDS = 5
"""The last hands that are tried, when several cards came at once."""
MIDDLE = 0.45
"""Table units from the middle within which a hand may have laid a card of the trick."""


TIP_BEYOND, TIP_SPREAD = 0.15, 0.2
"""Table units by which the tip of a hand lies beyond the middle of the card it lays, and how much that varies, before
anything is known of a table."""
PLACE_SPREAD = 0.22
"""The same of where a card lies, seen from its player."""
SPREAD_KNOWN, SPREAD_KEPT, LEAST_SPREAD = 8.0, 60.0, 0.06
"""Plays that what is thought beforehand counts for; plays that are remembered; the least spread in table units."""
ODD_ARM, ODD_REACH, ODD_PLACE = 1 / 3000, 1 / 30, 1 / 10
"""How often an arm's direction, how far it reaches, and where its card lies tell nothing (judged)."""


def _robust(off: float, odd: float) -> float:
    """How likely something is off by so many spreads."""
    return math.log((1 - odd) * math.exp(-min(off**2, 400.0) / 2) + odd)


@dataclass(frozen=True)
class Laying:
    """A card that came to lie there between two looks, and the hands that may have brought it."""

    at: Point
    length: float
    """Of a card."""
    hands: tuple[Hand, ...]


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
        part = max(LEAST_LEARNED, unknown / (unknown + PLAY_SPREAD_DEG**2))
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

    def log_fit(self, off: Point, odd: float) -> float:
        """How well this place fits: 0 at best."""
        far = sum((x - m) ** 2 / v for x, m, v in zip(off, self.mean, self.variance, strict=True))
        return _robust(math.sqrt(far), odd)

    def learned(self, off: Point) -> "_Spread":
        """With one more; one that is quite odd counts as one that is rather odd."""
        seen = min(self.seen + 1, SPREAD_KEPT)
        mean, variance = [], []
        for x, m, v in zip(off, self.mean, self.variance, strict=True):
            away = max(-3 * math.sqrt(v), min(3 * math.sqrt(v), x - m))
            mean.append(m + away / seen)
            variance.append(max(LEAST_SPREAD**2, v + (away * away - v) / seen))
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

    def __init__(self, seats_deg: Iterable[float]) -> None:
        """seats_deg: where each player is thought to sit, until its plays tell better."""
        self._seats = [_Seat(angle) for angle in seats_deg]
        self._tips = _Spread((TIP_BEYOND, 0.0), (TIP_SPREAD**2, TIP_SPREAD**2))
        """Where the tip of a hand is from the card it lays."""
        self._places = _Spread((LEAN, 0.0), (PLACE_SPREAD**2, PLACE_SPREAD**2))
        """Where a card lies as its player sees it."""

    def likely(self, laying: Laying) -> list[float] | None:
        """How likely each seat laid this card, by the hand that suits it best; None: no hand was seen."""
        if not laying.hands:
            return None
        fits = [max(self._fit(hand, laying, seat) for hand in laying.hands) for seat in self._seats]
        return [one / max(*fits, FAINTEST) + LEAST for one in fits]

    def joint_fit(self, cards: Sequence[Laying], seats: Iterable[int]) -> float:
        """How well these seats laid these cards, each with a hand of its own; too few hands seen: by where they lie."""
        hands = cards[0].hands[-MOST_HANDS:]
        players = [self._seats[seat] for seat in seats]
        if len(hands) < len(cards):
            off = (self._leaning(card, seat) ** 2 for card, seat in zip(cards, players, strict=False))
            return math.exp(-sum(off) / 2)
        return max(
            math.prod(self._fit(hand, card, seat) for hand, card, seat in zip(chosen, cards, players, strict=False))
            for chosen in permutations(hands, len(cards))
        )

    def before(self, angle_deg: float) -> int | None:
        """The seat that sits in this direction, if that is clear."""
        away = sorted((abs(turned_deg(angle_deg, seat.angle_deg)), k) for k, seat in enumerate(self._seats))
        return away[0][1] if away[0][0] < CLEARLY_BEFORE * 360 / len(self._seats) else None

    def reached_in(self, seat: int, hands: Iterable[Hand]) -> bool:
        """Whether one of these hands was this seat's, and over the middle."""
        known = self._seats[seat]
        return any(
            abs(turned_deg(hand.angle_deg, known.angle_deg)) < 2 * known.spread_deg and over_the_middle(hand)
            for hand in hands
        )

    def learn(self, seat: int, laying: Laying) -> None:
        """A play whose seat is known shows where that player's arm comes from."""
        if len(laying.hands) != 1:
            return
        known, hand = self._seats[seat], laying.hands[0]
        self._tips = self._tips.learned(self._tip_off(hand, laying))
        self._places = self._places.learned(self._place_off(laying.at, seat))
        away = turned_deg(hand.angle_deg, known.angle_deg)
        if abs(away) < LEARN_WITHIN * 360 / len(self._seats):
            known.learn(away)

    def log_fit(self, hand: Hand, laying: Laying, seat: int) -> float:
        """How well it fits that this player's hand laid this card, as a logarithm: 0 at best. Each thing that may be
        odd is so by itself now and then: somebody reaches across, an arm is seen late, a card slides on."""
        return (
            self.log_angle(hand.angle_deg, seat)
            + self._tips.log_fit(self._tip_off(hand, laying), ODD_REACH)
            + self.log_lean(laying.at, seat)
        )

    @staticmethod
    def _tip_off(hand: Hand, laying: Laying) -> Point:
        """How far the tip of a hand is beyond the middle of a card, and how far beside it."""
        arm = math.radians(hand.angle_deg)
        x, y = hand.reach[0] - laying.at[0], hand.reach[1] - laying.at[1]
        return x * math.sin(arm) - y * math.cos(arm), x * math.cos(arm) + y * math.sin(arm)

    def _place_off(self, at: Point, seat: int) -> Point:
        """How far a card lies toward a player from the middle, and how far beside."""
        turn = math.radians(self._seats[seat].angle_deg)
        return -at[0] * math.sin(turn) + at[1] * math.cos(turn), at[0] * math.cos(turn) + at[1] * math.sin(turn)

    def log_angle(self, angle_deg: float, seat: int) -> float:
        """How well an arm's direction alone fits this player."""
        known = self._seats[seat]
        return _robust(turned_deg(angle_deg, known.angle_deg) / known.spread_deg, ODD_ARM)

    def log_lean(self, at: Point, seat: int) -> float:
        """How well a card's place alone fits this player."""
        return self._places.log_fit(self._place_off(at, seat), ODD_PLACE)

    def _fit(self, hand: Hand, laying: Laying, known: _Seat) -> float:
        """How well it fits that this player's hand laid this card."""
        away = turned_deg(hand.angle_deg, known.angle_deg) / known.spread_deg
        # A card is held at its near end: the tip of hand and card together lies half a card beyond its middle.
        arm, half = math.radians(hand.angle_deg), laying.length / 2
        tip = (laying.at[0] + half * math.sin(arm), laying.at[1] - half * math.cos(arm))
        reach = apart(hand.reach, tip) / REACH
        return math.exp(-(away**2 + reach**2 + self._leaning(laying, known) ** 2) / 2)

    @staticmethod
    def _leaning(laying: Laying, known: _Seat) -> float:
        """How far a card lies from where this player's do, in what that varies by."""
        turn = math.radians(known.angle_deg)
        return apart((-LEAN * math.sin(turn), LEAN * math.cos(turn)), laying.at) / LEAN_SPREAD
