"""Which seat laid a card, and in which order several came: by the hands that brought them and by whose turn it is."""

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

from engine.events import Correct, Event
from engine.referee.arms import Arms
from engine.referee.lying import HAND_LAG_S, OnTheTable, Sight
from engine.seats import order_from
from engine.view import View

TURN = 0.97
"""How often a card is played by the seat whose turn it is, before looking at the hand."""
CLEAR = 50.0
"""Odds from which a hand says that it was another seat's card: then, and only then, turn order is judged."""
CLEAR_LEAD = 5.0
"""Odds from which a hand says who leads where anybody may: nobody is accused by that."""
ORDER_CLEAR = 10.0
"""Odds from which one order of several new cards is the only possible one."""
MOST_AT_ONCE = 4
"""New cards whose order is looked into; beyond, the table is asked."""


class Whose:
    """Tells whose cards lie on one table."""

    def __init__(self, players: int, table: OnTheTable, arms: Arms) -> None:
        self._players, self._table, self._arms = players, table, arms

    def seat(self, sight: Sight, view: View | None, turn_open: bool = False) -> int | None:
        """The seat whose card it is, when the hand says clearly that it is not the one whose turn it is. turn_open:
        whose turn it is is not sure itself."""
        likely = self._arms.likely(self._table.laying(sight))
        if likely is None:
            return None
        turn = view.turn if view is not None else None
        best = max(range(len(likely)), key=lambda seat: likely[seat])
        if turn_open or not isinstance(turn, int):
            odds = CLEAR if isinstance(turn, int) else CLEAR_LEAD
            return best if best != turn and likely[best] > odds * (sum(likely) - likely[best]) else None
        others = (1 - TURN) / max(1, len(likely) - 1)
        clear = best != turn and likely[best] * others > CLEAR * likely[turn] * TURN
        # A hand that was there before, gathering the last trick, or holds a fan at the edge, brought nothing.
        came_since = [hand for hand in self._table.laying(sight).hands if hand.came_s > sight.before_s]
        return best if clear and self._arms.reached_in(best, came_since) else None

    def fits_the_turn(self, sight: Sight, view: View, clearly: bool) -> bool:
        """Whether the hands that may have laid a card allow that it is the seat's whose turn it is, or speak for it."""
        likely = self._arms.likely(self._table.laying(sight))
        if likely is None or not isinstance(view.turn, int):
            return True
        others = max(one for seat, one in enumerate(likely) if seat != view.turn)
        return likely[view.turn] > CLEAR_LEAD * others if clearly else likely[view.turn] * CLEAR_LEAD > others

    def by_turns(self, fresh: list[Sight], view: View) -> list[Sight] | None:
        """New cards in the order in which their hands clearly fit best whose turn it was; None: in none."""
        if not isinstance(view.turn, int) or len(fresh) > MOST_AT_ONCE:
            return None
        turns = order_from(view.turn, self._players)[: len(fresh)]
        came = [self._table.laying(one) for one in fresh]
        hands = tuple(sorted({hand for one in came for hand in one.hands}, key=lambda hand: hand.came_s))
        orders = list(permutations(fresh))
        fits = [
            self._arms.joint_fit([replace(one, hands=hands) for one in order], turns) for order in permutations(came)
        ]
        best, second = sorted(fits, reverse=True)[:2]
        return list(orders[fits.index(best)]) if best > ORDER_CLEAR * second else None

    def another_laid(self, one: Mapping[str, Any], view: View) -> Event | None:
        """A card was given to a seat because it was that seat's turn; now that the same seat lays one, the hand that
        brought the first is asked again whose it was."""
        place = self._table.places.get(one["number"])
        if place is None or not place.likely or one["seat"] is None or "sure" in one:
            return None
        best = max(range(len(place.likely)), key=lambda seat: place.likely[seat])
        played = {other["seat"] for other in view.trick or ()}
        clear = best not in played and place.likely[best] > CLEAR * place.likely[one["seat"]]
        return Correct(one["number"], {"seat": best}) if clear else None

    def clearly_its_own(self, one: Mapping[str, Any]) -> bool:
        """Whether a card of the trick was read, and the hand that laid it speaks for the seat it was given to."""
        place = self._table.places.get(one["number"])
        if one["card"] is None or place is None or not place.likely:
            return False
        return bool(place.likely[one["seat"]] * CLEAR_LEAD > sum(place.likely))

    def came_again(self, one: Mapping[str, Any], sight: Sight) -> bool:
        """Whether a hand that may have laid this came after that card of the trick lay there: what came with it may be
        its other corner, misread."""
        laid_s = self._table.places[one["number"]].laid_s
        return any(hand.came_s > laid_s - HAND_LAG_S for hand in self._table.laying(sight).hands)

    def skipped(self, view: View) -> tuple[int, float]:
        """Before which card of the trick one was laid that nobody saw, and how much worse the hands fit that than the
        trick as it is known, as a logarithm: below 0, better. The lead is known from the trick before."""
        trick, players = view.trick or (), self._players
        best, worse = (len(trick), math.inf), 0.0
        for place in reversed(range(len(trick))):
            seat, known = trick[place]["seat"], self._table.places.get(trick[place]["number"])
            if seat is None or known is None or trick[place]["card"] is None or "sure" in trick[place]:
                break
            if known.likely:
                worse += math.log(known.likely[seat] / known.likely[(seat + 1) % players])
            if place and worse < best[1]:
                best = (place, worse)
        return best
