"""What a person took back by a button and lies there still: it is not told again before it moves."""

from collections.abc import Container, Sequence

from engine.cards import Card
from engine.sightings import CardLying, TableLook
from engine.table.history import History
from engine.table.reach import Reach


class TakenBackByHand:
    """At one table."""

    def __init__(self, pack: frozenset[Card], reach: Reach) -> None:
        self._pack, self._reach = pack, reach
        self.cards: list[CardLying] = []
        """All of it."""
        self._brought: list[CardLying] = []
        """Of these, what was laid, in the order of play."""

    def undone(self, faces: Sequence[CardLying], known: frozenset[Card], best: History) -> None:
        """A person took something back. faces: what lies there; known: what the match still holds of it; best: what
        most likely happened."""
        laid = [best.turn_up, *(one.card for one in best.trick), *(step.card for step in best.steps)]
        laid += [one.card for one in self._brought]
        cards = [one for one in faces if one.card and one.card not in known]
        self._brought = sorted((one for one in cards if one.card in laid), key=lambda one: laid.index(one.card))
        self.cards = sorted(cards, key=lambda one: one not in self._brought)
        self.cards[: len(self._brought)] = self._brought

    @property
    def names(self) -> frozenset[Card | None]:
        """Of all of it."""
        return frozenset(one.card for one in self.cards)

    def nothing(self, card: Card | None, faces: Sequence[CardLying]) -> None:
        """A person said that no card was laid here, whatever is read."""
        self.cards += [one for one in faces if card is not None and one.card == card and one not in self.cards]

    def told(self, known: Container[Card | None]) -> None:
        """What the match holds all the same."""
        self.cards = [one for one in self.cards if one.card not in known]
        self._brought = [one for one in self._brought if one.card not in known]

    def played_over(self, look: TableLook, best: History) -> list[CardLying]:
        """What of it counts after all, because somebody plays on over it, or it is swept up with its trick. What is
        gone is forgotten."""
        there = {one.card for one in look.cards}
        kept = [one for one in self.cards if one.card in there]
        counts: list[CardLying] = []
        if look.fresh and self._played_on(look, best):
            kept, counts = [], self.cards
        elif look.fresh and not kept and _swept(there, best):
            counts = self._brought
        self._keep(kept)
        return counts

    def _keep(self, cards: list[CardLying]) -> None:
        """Of what was taken back, these lie there still."""
        self.cards, self._brought = cards, [one for one in self._brought if one in cards]

    def _played_on(self, look: TableLook, best: History) -> bool:
        """Whether another card came where cards are played."""
        known = best.named() | {one.card for one in self.cards} | {best.turn_up}
        fresh = [one for one in look.cards if one.card in self._pack and one.card not in known]
        return any(self._reach.out(one.at) < 1 for one in fresh)


def _swept(there: Container[Card | None], best: History) -> bool:
    """Whether the trick went that lay there. there: what lies there now."""
    lay = best.lying
    return bool(lay) and not any(one.card in there for one in lay)
