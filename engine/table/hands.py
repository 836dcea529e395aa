"""Which hand did it: of those that came, the one that suits best what was laid, put there or taken, and how much speaks
for it, against its having done nothing."""

import math
from collections.abc import Iterable, Sequence

from engine.sightings import Hand, Point
from engine.table.acts import EVEN, LAG_S, ODD, RARE, SOME
from engine.table.arms import over_the_middle
from engine.table.came import Item
from engine.table.evidence import Rest, Weigher
from engine.table.history import PLAYING, History
from engine.table.places import near

log = math.log
UNSEEN_IN_A_GAP = 0.3
"""How likely a card was laid while nobody looked: after a restart."""
Fit = tuple[int | None, float]
"""A hand (None: none that was seen), and how much speaks for it."""


class Hands:
    """At one table."""

    def __init__(self, weigher: Weigher) -> None:
        self.weigher = weigher

    def laid(self, h: History, seat: int, item: Item, rest: Rest, lifted: int | None) -> Fit:
        """Which laid this for this seat. lifted: the one that took another back just before."""
        later = max((step.hand for step in h.steps if step.rest == rest.number and step.hand is not None), default=-1)
        at, last_s, shown_s = item.at, _last_came_s(h, rest), _shown_s(item, rest)

        def fit(number: int, hand: Hand) -> float:
            worth = self.weigher.fit(seat, number, at, rest) + self._seen_late(hand, item, rest)
            worth += 0.0 if number in rest.hands else log(SOME)
            if number != lifted:
                worth += self._again(h, number, hand, rest)
            if number < later:
                worth += log(SOME)
            if shown_s < hand.did_from_s:
                worth += log(ODD)
            elif hand.drew_back_s is not None and shown_s <= hand.drew_back_s + 0.01:
                worth += log(EVEN)
            if rest.looks[-1].at_s - hand.came_s < LAG_S:
                worth += log(ODD)
            if hand.left_s < last_s:
                worth += log(ODD)
            return worth

        nobody = log(RARE) + self.weigher.arms.log_lean(at, seat)
        idle = {number: rest.recent[number] for number in h.idle if number in rest.recent}
        return _likeliest(((number, fit(number, hand)) for number, hand in {**idle, **rest.hands}.items()), nobody)

    def _seen_late(self, hand: Hand, item: Item, rest: Rest) -> float:
        """What it costs that looks after a hand had laid this did not show it."""
        missed = 1.0
        for seen in rest.lately:
            if seen.at_s < hand.did_by_s + LAG_S or seen.covered(item.at):
                continue
            if item.card in seen.named or any(near(lying.at, item.at, rest.length) for lying in seen.doubts):
                continue
            missed *= EVEN if seen.glance else ODD
        return log(max(SOME, missed))

    def _again(self, h: History, number: int, hand: Hand, rest: Rest) -> float:
        """What it costs that a hand did something before; else it speaks for the account that this one was not idle."""
        if number in h.used:
            return log(ODD)
        return -self.idle(h, hand, rest) if number in rest.new or number in h.idle else 0.0

    def idle(self, h: History, hand: Hand, rest: Rest) -> float:
        """What it costs that a hand did nothing that can be told. While tricks are swept up or counted, hands come and
        go."""
        counts = h.phase != PLAYING and rest.spread
        if over_the_middle(hand) and not h.trick and (counts or _sweeps(h, rest)):
            return log(EVEN)
        return self.weigher.idle(hand)

    def unseen(self, rest: Rest) -> float:
        """How likely a card was laid that nobody saw."""
        return log(SOME if rest.looks[-1].glance else ODD * EVEN)

    def laid_unseen(self, h: History, seat: int, rest: Rest) -> Fit:
        """Which laid a card for this seat that nobody saw."""
        last_s = _last_came_s(h, rest)
        unseen = self.unseen(rest)

        def fit(number: int, hand: Hand) -> float:
            worth = unseen + self.weigher.arms.log_angle(hand.angle_deg, seat) - self.idle(h, hand, rest)
            worth += log(ODD) if hand.left_s < last_s else 0.0
            return worth + (0.0 if number in rest.hands else log(ODD))

        free = ((number, rest.recent.get(number)) for number in {*h.idle, *rest.new} - {*h.used})
        fits = ((number, fit(number, hand)) for number, hand in free if hand is not None and over_the_middle(hand))
        return _likeliest(fits, log(UNSEEN_IN_A_GAP) if _in_a_gap(h) else unseen + log(RARE))

    def took(self, h: History, seat: int | None, rest: Rest, lone: bool = False, at: Point | None = None) -> Fit:
        """Which took something away, for this seat if that is known. lone: a card that was taken back, from here."""

        def fit(number: int, hand: Hand) -> float:
            worth = log(SOME) if number in h.used else -self.idle(h, hand, rest)
            if seat is not None:
                worth += log(EVEN + EVEN * math.exp(self.weigher.arms.log_angle(hand.angle_deg, seat)))
            return worth if at is None else worth + min(0.0, self.weigher.arms.log_reach(hand, at))

        nobody = 0.0 if _in_a_gap(h) else log(SOME)
        # A trick may go long after the hand came that takes it up; one card goes before the table rests again.
        may = [number for number in rest.hands if not lone or number in rest.since or number in h.used]
        return _likeliest(((number, fit(number, rest.hands[number])) for number in may), nobody)

    def put(self, h: History, at: Point, rest: Rest) -> Fit:
        """Which put something there that is not played."""
        fits = ((number, log(ODD) if number in h.used else self._reached(h, number, at, rest)) for number in rest.hands)
        return _likeliest(fits, log(RARE))

    def showed(self, h: History, seat: int, places: Sequence[Point], rest: Rest) -> Fit:
        """Which laid these cards open for this seat."""

        def fit(number: int, hand: Hand) -> float:
            worth = log(ODD) if number in h.used else -self.idle(h, hand, rest)
            return worth + sum(self.weigher.fit(seat, number, at, rest) for at in places)

        return _likeliest(((number, fit(number, hand)) for number, hand in rest.hands.items()), log(RARE))

    def any_put(self, h: History, at: Point, rest: Rest) -> float:
        """How much speaks for it that one of those that came put something there."""
        return max((self._reached(h, number, at, rest) for number in rest.new), default=0.0)

    def _reached(self, h: History, number: int, at: Point, rest: Rest) -> float:
        hand = rest.hands[number]
        return self.weigher.arms.log_reach(hand, at) - self.idle(h, hand, rest)


def _sweeps(h: History, rest: Rest) -> bool:
    """Whether a trick was taken up since the table last rested."""
    gathered = h.gathered
    return gathered is not None and gathered.rest >= rest.main_before


def _likeliest(fits: Iterable[tuple[int, float]], nobody: float) -> Fit:
    """The hand that suits best; none, if what speaks for nobody's having been seen is as much."""
    best: Fit = (None, nobody)
    for fit in fits:
        if fit[1] > best[1]:
            best = fit
    return best


def _shown_s(item: Item, rest: Rest) -> float:
    """When it was first seen to lie there, in every look since."""
    shown_s = math.inf
    for seen in reversed((*rest.lately, *rest.looks)):
        if item.card in seen.named:
            shown_s = seen.at_s
        elif not seen.covered(item.at):
            break
    return shown_s


def _in_a_gap(h: History) -> bool:
    """Whether nobody looked since the trick was laid: after a restart."""
    lie = h.lying
    return bool(lie) and all(thing.at is None for thing in lie)


def _last_came_s(h: History, rest: Rest) -> float:
    """When the hand came that did the last thing."""
    last = next((step.hand for step in reversed(h.steps) if step.hand in rest.recent), None)
    return -math.inf if last is None else rest.recent[last].came_s
