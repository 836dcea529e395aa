"""A hand that lies face up before a seat where nobody sits: what lies there is no play, as long as it lies there.

A card of it that lies in the middle was laid for that seat, whoever's arm laid it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.cards import Card
from engine.sightings import CardLying, Point, TableLook, apart
from engine.table.arms import Arms
from engine.table.hypothesis import WAITING, Hypothesis

BEFORE = 0.9
"""Part of the zone. Farther out, a card before this seat may be of its hand."""
READ_TWICE = 2
"""Looks that show a card in the hand before it counts as one of it: one look may read a card wrong."""


class OpenHand:
    """The hand of one seat at one table."""

    def __init__(self, seat: int, pack: frozenset[Card], arms: Arms, zone: float) -> None:
        """zone: how far out a card is played."""
        self.seat, self._pack = seat, pack
        self._arms, self._from = arms, BEFORE * zone
        self._seen: Counter[Card] = Counter()
        """How many looks of this deal showed each card in it."""
        self._places: dict[Card, Point] = {}
        """Where each of these lay last."""
        self._elsewhere: frozenset[Card] = frozenset()
        """What lies elsewhere, or was played."""

    @property
    def cards(self) -> frozenset[Card]:
        """The hand, as far as it is known; one under an arm is still of it."""
        return frozenset(card for card in self._seen if self.holds(card)) - self._elsewhere

    def holds(self, card: Card | None) -> bool:
        """Whether this card is of the hand, or was until it was laid."""
        return card is not None and self._seen[card] >= READ_TWICE

    def take_out(self, look: TableLook, best: Hypothesis) -> TableLook:
        """The look without the hand. best: what most likely happened before it."""
        mine = self._of_the_hand(look.cards, look.card_length)
        here = {lying.card: lying.at for lying in mine if lying.card in self._pack and lying.card}
        over = best.phase == WAITING if not here else here.keys().isdisjoint(self._seen)
        if over:  # What lies there next is another hand.
            self._seen.clear()
            self._places = {}
        self._seen.update(here.keys())
        self._places.update(here)
        glances = [(glance, self._of_the_hand(glance.cards, look.card_length)) for glance in look.glances]
        others = _less(look.cards, mine)
        shown = {lying.card for lying in others} | best.played | {laid.card for laid in best.trick}
        self._elsewhere = frozenset(card for card in shown if card)
        return replace(
            look,
            cards=others,
            glances=tuple(replace(glance, cards=_less(glance.cards, mine)) for glance, mine in glances),
        )

    def _of_the_hand(self, cards: Iterable[CardLying], length: float) -> list[CardLying]:
        """What of this lies in the hand: beside another card of it, or where one lay. A card alone is turned up."""
        before = [lying for lying in cards if self._arms.toward(lying.at, self.seat) >= self._from]
        return [lying for lying in before if self._beside(lying, before, length)]

    def _beside(self, lying: CardLying, before: Sequence[CardLying], length: float) -> bool:
        others = [other.at for other in before if other is not lying]
        return any(apart(lying.at, at) < length for at in (*others, *self._places.values()))


def _less(cards: Iterable[CardLying], taken: Sequence[CardLying]) -> tuple[CardLying, ...]:
    return tuple(lying for lying in cards if all(lying is not other for other in taken))
