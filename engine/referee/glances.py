"""Glances as looks of their own, for a table that knows nothing of them: what was seen between quick hands."""

from collections import Counter

from engine.cards import Card
from engine.sightings import TableLook, covers

TWICE = 2
"""Glances that must show a card which the look after them does not: one frame alone may have read it wrong."""


def unfolded(look: TableLook, before: frozenset[Card | None]) -> list[TableLook]:
    """Of the glances each that is the first to show a card, if several came or some went, then the look.

    before: the names that the look before showed.
    """
    now = {one.card for one in look.cards}
    times = Counter(one.card for glance in look.glances for one in glance.cards)
    shown = {card for card in times if card and (card in now or times[card] >= TWICE)} - before
    if len(now - before) < 2 and not shown - now:
        return [look]
    told: list[TableLook] = []
    for glance in look.glances:
        cards = tuple(one for one in glance.cards if not any(covers(hand, one.at) for hand in glance.hands))
        first = shown & {one.card for one in cards}
        if not first:
            continue
        shown -= first
        came = tuple(hand for hand in look.hands if hand.came_s <= glance.at_s)
        told.append(TableLook(glance.at_s, cards, came, (), look.changed, look.card_length, fresh=True))
    return [*told, look]
