"""Which hand did it: of those that came, the one that suits best what was laid, put there or taken, and how much speaks
for it, against its having done nothing."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.sightings import Hand, Point
from engine.table.acts import EVEN, LAG_S, ODD, RARE, SOME
from engine.table.arms import over_the_middle
from engine.table.detections import Detection
from engine.table.hypothesis import PLAYING, Hypothesis
from engine.table.observation import ObservationModel, StillPeriod
from engine.table.places import near

log = math.log
UNSEEN_IN_A_GAP = 0.3
"""How likely a card was laid while nobody looked: after a restart."""
Fit = tuple[int | None, float]
"""A hand (None: none that was seen), and how much speaks for it."""


class Hands:
    """At one table."""

    def __init__(self, observation: ObservationModel) -> None:
        self.observation = observation

    def laid(
        self, h: Hypothesis, seats: Iterable[int], detection: Detection, period: StillPeriod, lifted: int | None
    ) -> list[Fit]:
        """Which laid this, for each of these seats. lifted: the one that took another back just before."""
        later = max(
            (step.hand for step in h.steps if step.period == period.number and step.hand is not None), default=-1
        )
        at, last_s, shown_s = detection.at, _last_came_s(h, period), _shown_s(detection, period)

        def log_did(number: int, hand: Hand) -> float:
            log_likelihood = self._seen_late(hand, detection, period)
            log_likelihood += 0.0 if number in period.hands else log(SOME)
            if number != lifted:
                log_likelihood += self._again(h, number, hand, period)
            if number < later:
                log_likelihood += log(SOME)
            if shown_s < hand.did_from_s:
                log_likelihood += log(ODD)
            if hand.left_s < last_s:
                log_likelihood += log(ODD)
            return log_likelihood

        idle = {number: period.recent[number] for number in h.idle if number in period.recent}
        hands = {**idle, **period.hands}
        did = {number: log_did(number, hand) for number, hand in hands.items()}

        def fit(seat: int) -> Fit:
            nobody = log(RARE) + self.observation.arms.log_lean(at, seat)
            return _likeliest(
                hands, lambda number, _: self.observation.log_ratio(seat, number, at, period) + did[number], nobody
            )

        return [fit(seat) for seat in seats]

    def _seen_late(self, hand: Hand, detection: Detection, period: StillPeriod) -> float:
        """What it costs that looks after a hand had laid this did not show it."""
        missed = 1.0
        for seen in period.lately:
            if seen.at_s < hand.did_by_s + LAG_S or seen.covered(detection.at):
                continue
            if detection.card in seen.named or any(
                near(lying.at, detection.at, period.length) for lying in seen.unidentified
            ):
                continue
            missed *= EVEN if seen.glance else ODD
        return log(max(SOME, missed))

    def _again(self, h: Hypothesis, number: int, hand: Hand, period: StillPeriod) -> float:
        """What it costs that a hand did something before; else it speaks for it that this one was not idle."""
        if number in h.used:
            return log(ODD)
        return -self.idle(h, hand, period) if number in period.new or number in h.idle else 0.0

    def idle(self, h: Hypothesis, hand: Hand, period: StillPeriod) -> float:
        """What it costs that a hand did nothing that can be told. While tricks are counted, hands come and go."""
        counts = h.phase != PLAYING and period.spread and not h.trick
        return log(SOME if over_the_middle(hand) and not counts else EVEN)

    def laid_unseen(self, h: Hypothesis, seat: int, period: StillPeriod) -> Fit:
        """Which laid a card for this seat that nobody saw."""
        last_s = _last_came_s(h, period)
        unseen = log(SOME if period.looks[-1].glance else ODD * EVEN)  # How likely nobody saw a card that was laid.

        def log_ratio(number: int, hand: Hand) -> float:
            log_likelihood = unseen + self.observation.arms.log_angle(hand.angle_deg, seat) - self.idle(h, hand, period)
            log_likelihood += log(ODD) if hand.left_s < last_s else 0.0
            return log_likelihood + (0.0 if number in period.hands else log(ODD))

        free = ((number, period.recent.get(number)) for number in {*h.idle, *period.new} - {*h.used})
        may = {number: hand for number, hand in free if hand is not None and over_the_middle(hand)}
        return _likeliest(may, log_ratio, log(UNSEEN_IN_A_GAP) if _in_a_gap(h) else unseen + log(RARE))

    def took(self, h: Hypothesis, seat: int | None, period: StillPeriod, at: Point | None = None) -> Fit:
        """Which took something away, for this seat if that is known. at: from where, if it is one card."""

        def log_ratio(number: int, hand: Hand) -> float:
            log_likelihood = log(SOME) if number in h.used else -self.idle(h, hand, period)
            if seat is not None:
                log_likelihood += log(EVEN + EVEN * math.exp(self.observation.arms.log_angle(hand.angle_deg, seat)))
            if at is not None:
                log_likelihood += min(0.0, self.observation.arms.log_reach(hand, at))
            return log_likelihood

        nobody = 0.0 if _in_a_gap(h) else log(SOME)
        return _likeliest(period.hands, log_ratio, nobody)

    def put(self, h: Hypothesis, at: Point, period: StillPeriod) -> Fit:
        """Which put something there that is not played."""

        def log_ratio(number: int, hand: Hand) -> float:
            return log(ODD) if number in h.used else self._reached(h, number, at, period)

        return _likeliest(period.hands, log_ratio, log(RARE))

    def showed(self, h: Hypothesis, seat: int, places: Sequence[Point], period: StillPeriod) -> Fit:
        """Which laid these cards open for this seat."""

        def log_ratio(number: int, hand: Hand) -> float:
            log_likelihood = log(ODD) if number in h.used else -self.idle(h, hand, period)
            return log_likelihood + sum(self.observation.log_ratio(seat, number, at, period) for at in places)

        return _likeliest(period.hands, log_ratio, log(RARE))

    def any_put(self, h: Hypothesis, at: Point, period: StillPeriod) -> float:
        """How much speaks for it that one of those that came put something there."""
        return max((self._reached(h, number, at, period) for number in period.new), default=0.0)

    def _reached(self, h: Hypothesis, number: int, at: Point, period: StillPeriod) -> float:
        hand = period.hands[number]
        return self.observation.arms.log_reach(hand, at) - self.idle(h, hand, period)


def _likeliest(hands: Mapping[int, Hand], log_ratio: Callable[[int, Hand], float], nobody: float) -> Fit:
    """The likeliest hand; none, if it is as likely that no hand was seen."""
    fits: list[Fit] = [(None, nobody), *((number, log_ratio(number, hand)) for number, hand in hands.items())]
    return max(fits, key=lambda fit: fit[1])


def _shown_s(detection: Detection, period: StillPeriod) -> float:
    """When it was first seen to lie there, in every look since."""
    shown_s = math.inf
    for seen in reversed((*period.lately, *period.looks)):
        if detection.card in seen.named:
            shown_s = seen.at_s
        elif not seen.covered(detection.at):
            break
    return shown_s


def _in_a_gap(h: Hypothesis) -> bool:
    """Whether nobody looked since the trick was laid: after a restart."""
    lie = h.lying
    return bool(lie) and all(thing.at is None for thing in lie)


def _last_came_s(h: Hypothesis, period: StillPeriod) -> float:
    """When the hand came that did the last thing."""
    last = next((step.hand for step in reversed(h.steps) if step.hand in period.recent), None)
    return -math.inf if last is None else period.recent[last].came_s
