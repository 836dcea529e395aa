"""Whether a deal so far may have been played honestly, kept from trick to trick.

A proof (proof.py) looks at a whole deal anew. Nearly every deal is honest, and then one way is enough in which every
card can have come to where it was seen: a place for each card in some hand, or in nobody's. That way is kept here, and
each trick only moves the cards it contradicts. Where no way is left, proof.py says who and why.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import Card
from engine.rules.tricks import TrickGame

Fixed = Mapping[Card, int]
"""Cards that can only have come through these slots, whatever is played."""


class Slots(NamedTuple):
    """How cards come into hands: as dealt, or drawn one after each of the first tricks. Slots are bits of an int."""

    own: tuple[tuple[int, ...], ...]
    """For each seat the slots it was dealt, and then each slot it draws."""
    holder: Mapping[tuple[int, int, int], int]
    """The slots of a seat from draw t on and before trick k, by (seat, t, k)."""
    nobody: int
    """The slots of cards that stay out of play."""
    end: int
    """The trick from which on nothing more is drawn."""


@lru_cache(maxsize=64)
def slots_of(players: int, hand: int, draws: int, payments: int, cards: int) -> Slots:
    """The slots of a table whose pillager paid with so many unseen cards, which come first of nobody's."""
    bit = 0

    def take(count: int) -> int:
        nonlocal bit
        bits = ((1 << count) - 1) << bit
        bit += count
        return bits

    own = tuple((take(hand), *(take(1) for _ in range(draws))) for _ in range(players))
    take(payments)
    nobody = take(cards - bit) if cards > bit else 0
    end = draws + 1
    holder: dict[tuple[int, int, int], int] = {}
    for seat, slots in enumerate(own):
        for first in range(end + 1):
            bits = 0
            for before in range(first, end + 1):
                holder[seat, first, before] = bits
                if before < end:
                    bits |= slots[before]
    return Slots(own, holder, nobody, end)


class Innocence:
    """A way in which all cards of a deal can have come to where they are. Never changed; each trick makes another."""

    __slots__ = ("_at", "_fixed", "_holds", "_played", "_since", "_slots")

    def __init__(
        self,
        slots: Slots,
        fixed: Fixed,
        played: dict[Card, int],
        since: tuple[Mapping[Card, int], ...],
        at: dict[Card, int],
        holds: dict[int, Card],
    ) -> None:
        self._slots, self._fixed = slots, fixed
        self._played = played
        """The slots that each card played can have come through."""
        self._since = since
        """For each seat: cards it did not hold in a trick."""
        self._at, self._holds = at, holds
        """Where each card is in this way, and what each slot holds."""

    @staticmethod
    def begun(game: TrickGame, out: frozenset[Card], fixed: Fixed) -> "Innocence | None":
        """Before the first trick. out: cards that nobody plays in this deal."""
        cards = [card for card in game.pack if card not in out]
        slots = slots_of(game.players, game.hand, game.draws, 0, len(cards))
        at = {card: 1 << place for place, card in enumerate(cards)}
        holds = {slot: card for card, slot in at.items()}
        start = Innocence(slots, fixed, {}, ({},) * game.players, at, holds)
        return start._moved([card for card in fixed if card in at])

    def after(
        self, game: TrickGame, trump: str, trick: int, plays: Sequence[tuple[int, Card]], fixed: Fixed
    ) -> "Innocence | None":
        """After one more trick: who played what, in order. None: there is no such way; somebody broke a duty."""
        holder, end = self._slots.holder, self._slots.end
        played, since = dict(self._played), list(self._since)
        doubtful = [card for card in fixed if fixed[card] != self._fixed.get(card)]
        cards = [card for _, card in plays]
        before = min(trick, end)
        for place, (seat, card) in enumerate(plays):
            first = since[seat].get(card, 0)
            first = min(first, end)
            bits = holder[seat, first, max(first, before)]
            played[card] = bits & fixed[card] if card in fixed else bits
            doubtful.append(card)
            if place:
                owed = game.forbidden(cards[:place], card, trump, trick)
                if owed:
                    since[seat] = {**since[seat], **dict.fromkeys(owed, trick)}
                    doubtful += [duty for duty in owed if duty not in played]
        slots, at, holds = self._slots, dict(self._at), dict(self._holds)
        return Innocence(slots, fixed, played, tuple(since), at, holds)._moved(doubtful)

    def _may_be(self, card: Card) -> int:
        """The slots a card can have come through, or be in."""
        bits = self._played.get(card)
        if bits is not None:
            return bits
        holder, end = self._slots.holder, self._slots.end
        bits = self._slots.nobody
        for seat, since in enumerate(self._since):
            bits |= holder[seat, min(since.get(card, 0), end), end]
        return bits & self._fixed[card] if card in self._fixed else bits

    def _moved(self, doubtful: Sequence[Card]) -> "Innocence | None":
        """The way with these cards where they can be; None: there is none. Only for one that nobody has seen yet."""
        at, holds = self._at, self._holds
        wrong = [card for card in dict.fromkeys(doubtful) if card in at and not at[card] & self._may_be(card)]
        free = 0
        for card in wrong:
            slot = at.pop(card)
            del holds[slot]
            free |= slot
        for card in wrong:
            free = self._place(card, free)
            if free < 0:
                return None
        return self

    def _place(self, card: Card, free: int) -> int:
        """Finds a slot for a card, moving others on; the slots that are free then, or -1: there is none."""
        at, holds = self._at, self._holds
        came_from: dict[int, Card] = {}
        reached = 0
        queue = [card]
        for current in queue:
            fresh = self._may_be(current) & ~reached
            reached |= fresh
            end = fresh & free
            if end:
                slot = end & -end
                free ^= slot
                while True:
                    left = at.get(current)
                    holds[slot], at[current] = current, slot
                    if left is None:
                        return free
                    slot, current = left, came_from[left]
            while fresh:
                slot = fresh & -fresh
                fresh ^= slot
                came_from[slot] = current
                queue.append(holds[slot])
        return -1
