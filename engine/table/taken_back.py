"""What a person took back by a button and lies there still: it is not told again before it moves."""

from collections.abc import Container, Sequence

from engine.cards import Card
from engine.sightings import CardLying, TableLook
from engine.table.hypothesis import Hypothesis
from engine.table.reach import Reach


class TakenBackByHand:
    """At one table."""

    def __init__(self, pack: frozenset[Card], reach: Reach) -> None:
        self._pack, self._reach = pack, reach
        self.cards: list[CardLying] = []
        """All of it."""
        self._brought: list[CardLying] = []
        """Of these, what was laid, in the order of play."""

    def undone(self, faces: Sequence[CardLying], known: frozenset[Card], best: Hypothesis) -> None:
        """A person took something back. faces: what lies there; known: what the match still holds of it; best: what
        most likely happened."""
        laid = [best.turn_up, *(laid.card for laid in best.trick), *(step.card for step in best.steps)]
        laid += [lying.card for lying in self._brought]
        cards = [lying for lying in faces if lying.card and lying.card not in known]
        brought = (lying for lying in cards if lying.card in laid)
        self._brought = sorted(brought, key=lambda lying: laid.index(lying.card))
        self.cards = [*self._brought, *(lying for lying in cards if lying not in self._brought)]

    @property
    def names(self) -> frozenset[Card | None]:
        """Of all of it."""
        return frozenset(lying.card for lying in self.cards)

    def nothing(self, card: Card | None, faces: Sequence[CardLying]) -> None:
        """A person said that no card was laid here, whatever is read."""
        self.cards += [lying for lying in faces if card is not None and lying.card == card and lying not in self.cards]

    def told(self, known: Container[Card | None]) -> None:
        """What the match holds all the same."""
        self.cards = [lying for lying in self.cards if lying.card not in known]
        self._brought = [lying for lying in self._brought if lying.card not in known]

    def played_over(self, look: TableLook, best: Hypothesis) -> list[CardLying]:
        """What of it counts after all, because somebody plays on over it, or it is swept up with its trick. What is
        gone is forgotten."""
        there = {lying.card for lying in look.cards}
        kept = [lying for lying in self.cards if lying.card in there]
        counts: list[CardLying] = []
        if look.fresh and self._played_on(look, best):
            kept, counts = [], self.cards
        elif look.fresh and not kept and _swept(there, best):
            counts = self._brought
        self.cards, self._brought = kept, [lying for lying in self._brought if lying in kept]
        return counts

    def _played_on(self, look: TableLook, best: Hypothesis) -> bool:
        """Whether another card came where cards are played."""
        known = best.named() | {lying.card for lying in self.cards} | {best.turn_up}
        fresh = [lying for lying in look.cards if lying.card in self._pack and lying.card not in known]
        return any(self._reach.inside(lying.at) for lying in fresh)


def _swept(there: Container[Card | None], best: Hypothesis) -> bool:
    """Whether the trick went that lay there. there: what lies there now."""
    lay = best.lying
    return bool(lay) and not any(thing.card in there for thing in lay)
