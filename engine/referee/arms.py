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
        known = self._seats[seat]
        away = turned_deg(laying.hands[0].angle_deg, known.angle_deg)
        if abs(away) < LEARN_WITHIN * 360 / len(self._seats):
            known.learn(away)

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
