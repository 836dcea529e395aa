"""What is round the cards at a table: hands that come and go, and what cannot be read and nobody put there."""

import math
from collections.abc import Iterable, Iterator, Sequence

from engine.sightings import CardLying, Glance, Hand, Point, TableLook, apart, turned_deg
from engine.table.changes import MORE_THAN_ONE, Spot
from engine.table.hypothesis import Thing
from engine.table.observation import LIKE_AN_INDEX, Seen, may_be_one
from engine.table.places import SAME, near

HANDS_KEPT_S = 20.0
"""Hands are remembered for so long: longer than anybody takes from laying a card to the next look at the table."""
PRINT_LOOKS = 20
"""Looks over which the mean is taken of how much print shows newly."""
SAME_HAND_DEG = 15.0
"""By which a hand turns at most while it is over the table."""


class Surroundings:
    """Hands, and things that cannot be read, about one table."""

    def __init__(self) -> None:
        self.hands: dict[int, Hand] = {}
        """Those that came lately, by a number that grows with the time they came."""
        self._hand_count = 0
        self.static_background: list[Point] = []
        """Where something lies that is the table's own."""
        self.shown: list[Point] = []
        """The same, if only a longer look at the table shows it."""
        self.stood: tuple[Point, ...] = ()
        """Where something unread lay before: the still period before showed it, or cards lay over it then."""
        self._unread: tuple[Point, ...] = ()
        """Where the last look showed something that cannot be read."""
        self._faces: tuple[Point, ...] = ()
        """And where it showed a card."""
        self._changed: tuple[Spot, ...] = ()
        """Where the table looked otherwise when it was touched last."""
        self._put: tuple[Spot, ...] = ()
        """Where something as large as a card may have been put then, and no face went: its middle, and how long a card
        is."""
        self._unread_now: tuple[CardLying, ...] = ()
        """What the last look or glance showed that cannot be read."""
        self._counted: tuple[Point, ...] = ()
        """Where glances since the last look showed such a thing, and it was counted."""
        self.glanced_at: tuple[Point, ...] = ()
        """The same, of the glances before the last still period."""
        self._print = 0.0
        """How much in a look, on the mean, cannot be read, nobody put there and no look showed before: a newspaper
        shows other letters each time."""

    def over(self, at_s: float) -> tuple[Hand, ...]:
        """The hands over the table at that moment."""
        return tuple(hand for hand in self.hands.values() if hand.came_s <= at_s <= hand.left_s)

    def its_own(self) -> list[Point]:
        """Where what cannot be read is the table's own: nowhere that the table changed since."""
        lies = [at for at in self.static_background if all(apart(at, (x, y)) > r for x, y, r in self._changed)]
        return [*lies, *self.shown]

    @property
    def before(self) -> tuple[Point, ...]:
        """Where something lay before that cannot be read, and lies there still: nowhere that something was put."""
        lay = (*self.stood, *self.static_background)
        return tuple(at for at in lay if all(not near(at, (x, y), length, sure=True) for x, y, length in self._put))

    def print_chance(self, length: float) -> float:
        """How likely print newly shows where a card of this length may have been put."""
        return 1 - math.exp(-self._print * length**2)

    def glanced(self, glance: Glance, length: float) -> Seen:
        """A glance as it is weighed. What cannot be read counts where it looks like an index and stays: half a card
        beside a hand looks like many things for a moment."""
        unread = [lying for lying in glance.cards if lying.card is None and lying.confidence >= LIKE_AN_INDEX]
        stay = [lying for lying in unread if any(_same_thing(lying, again, length) for again in self._unread_now)]
        unidentified = self._others(stay, length)
        self._unread_now = tuple(unread)
        stood = (*self.before, *self._unread, *self._counted)
        self._counted = (*self._counted, *(lying.at for lying in unidentified))
        named = {lying.card: lying for lying in glance.cards if lying.card}
        printed = self.print_chance(length)
        return Seen(
            glance.at_s, named, unidentified, length, True, frozenset(), glance.hands, True, stood, print_chance=printed
        )

    def looked(self, look: TableLook) -> Seen:
        """A look as it is weighed."""
        length = look.card_length
        named = {lying.card: lying for lying in look.cards if lying.card}
        unidentified = self._others((lying for lying in look.cards if lying.card is None), length)
        return Seen(
            look.at_s, named, unidentified, length, look.fresh, frozenset(look.hidden), self.over(look.at_s), False,
            self.before, self.print_chance(length), self.glanced_at,
        )  # fmt: skip

    def _others(self, unread: Iterable[CardLying], length: float) -> tuple[CardLying, ...]:
        """What cannot be read, less what is the table's own."""
        own = self.its_own()
        return tuple(lying for lying in unread if not any(near(lying.at, at, length, sure=True) for at in own))

    def keep_hands(self, look: TableLook) -> None:
        for hand in sorted(look.hands, key=lambda hand: hand.came_s):
            known = next((n for n, one in self.hands.items() if _same_hand(one, hand)), None)
            if known is None:
                self._hand_count += 1
                known = self._hand_count
            self.hands[known] = hand
        self.hands = {n: hand for n, hand in self.hands.items() if hand.left_s > look.at_s - HANDS_KEPT_S}

    def learn_static_background(self, look: TableLook, things: tuple[Thing, ...]) -> None:
        """What cannot be read and nobody put there is the table's own."""
        self._remember(look)
        self.shown = []
        new = [
            lying.at
            for lying in look.cards
            if lying.card is None
            and not self._was_put(lying.at, things, look.card_length)
            and all(not near(lying.at, place, look.card_length, sure=True) for place in self.static_background)
        ]
        (self.static_background if look.fresh else self.shown).extend(new)
        self._print += (sum(math.hypot(*at) < 1 for at in new) - self._print) / PRINT_LOOKS

    def _was_put(self, at: Point, things: Sequence[Thing], length: float) -> bool:
        """Whether somebody put there what cannot be read: a card lies there, or the table changed."""
        if any(thing.at is not None and apart(at, thing.at) < length for thing in things):
            return True
        return any(apart(at, (x, y)) < r + length / 2 for x, y, r in self._changed)

    def _remember(self, look: TableLook) -> None:
        """What stood there before this still period, and what the last look shows."""
        if look.fresh:
            self.glanced_at, self._counted = self._counted, ()
            self._changed, self.stood = look.changed, (*self._unread, *self._covered(look.card_length))
            self._put = tuple(self._put_there(look))
        self._unread = tuple(lying.at for lying in look.cards if lying.card is None)
        self._unread_now = tuple(lying for lying in look.cards if lying.card is None)
        self._faces = tuple(lying.at for lying in look.cards if lying.card is not None)

    def _put_there(self, look: TableLook) -> Iterator[Spot]:
        """Where something as large as a card came, where no face went."""
        length = look.card_length
        went = [at for at in self._faces if all(not near(at, lying.at, length, sure=True) for lying in look.cards)]
        for x, y, radius in look.changed:
            if SAME < radius / length <= MORE_THAN_ONE and all(apart((x, y), at) > length / 2 for at in went):
                yield x, y, length

    def _covered(self, length: float) -> list[Point]:
        """Where something stood that cards lay over when the table was looked at last."""
        unseen = [at for at in self.stood if all(not near(at, place, length, sure=True) for place in self._unread)]
        return [at for at in unseen if any(apart(at, face) < length for face in self._faces)]


def _same_thing(lying: CardLying, again: CardLying, length: float) -> bool:
    """Whether two looks show one thing that cannot be read."""
    return near(lying.at, again.at, length, sure=True) and may_be_one(lying, again.candidates)


def _same_hand(hand: Hand, again: Hand) -> bool:
    """Whether two looks tell of one hand: it may have turned a little in between."""
    return abs(hand.came_s - again.came_s) < 0.01 and abs(turned_deg(hand.angle_deg, again.angle_deg)) < SAME_HAND_DEG
