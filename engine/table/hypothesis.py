"""One hypothesis of what happened at a card table. Frozen: a look makes new ones from it."""

from collections.abc import Collection
from typing import Any, NamedTuple

from engine.cards import Card, suit_of
from engine.sightings import Point
from engine.table.acts import GATHER, LAY, LIFT

WAITING, PLAYING = "waiting", "playing"
TRICK, LEFT, TURN_UP, BESIDE, PAYS = "trick", "left", "turn_up", "beside", "pays"
"""What a thing is: a card of the trick, what is left of one that was gathered, the card turned up, a card that counts
for nothing, one that is shown to pay."""

UNREAD = "?"
HANDS_KNOWN = 8
"""So many of the hands that did something last are known to have."""


AT_A_GLANCE, AT_FIRST, AT_ALL = 0, 1, 2
"""How long the table was looked at: what is far out or small shows only in a longer look."""
NEVER_MISSED = (0, 0, 0)


class Thing(NamedTuple):
    """A card that lies there."""

    uid: int
    card: Card | None
    """None: it was never read."""
    at: Point | None
    """None: nobody looked since it was laid."""
    outlined: bool
    kind: str
    maybe: tuple[Card, ...] = ()
    reads: int = 0
    """Looks in which it was read."""
    read_as: Card | None = None
    """What the last still period showed in its place: another card, or UNREAD. It is then likely misread so again."""
    missed: tuple[int, int, int] = NEVER_MISSED
    """How often in a row it was missed though it lies there: at a glance, by the first look of a still period, by all
    of its looks. Whatever hid it may do so still."""
    clear_up_to_uid: int = -1
    """It was seen beside or under everything that was laid up to this uid: none of that hides it (counted: what was
    seen under another is seen again as often as what lies alone)."""
    likely: tuple[float, ...] = ()
    """How likely each of those it may be is, where the eye told."""

    @property
    def names(self) -> tuple[Card, ...]:
        """What it may be; none: nobody knows."""
        return (self.card,) if self.card else self.maybe


class TrickCard(NamedTuple):
    """A card of the trick."""

    seat: int
    card: Card | None
    uid: int
    fault: bool = False
    """It was not this seat's turn."""


def suit_of_all(cards: Collection[Card]) -> str:
    """The suit that all of these are of; "": they are of several, or nothing is known."""
    suits = {suit_of(card) for card in cards}
    return suits.pop() if len(suits) == 1 else ""


Key = tuple[object, ...]
"""What a step says, and not how it is known."""


class Step(NamedTuple):
    """One act of a hypothesis, as it will be told."""

    kind: str
    seat: int | None = None
    card: Card | None = None
    trick: int = 0
    """Number of the trick, counted through all deals."""
    more: tuple[Card | None, ...] = ()
    """What paid for the turned-up card, and which came next."""
    uid: int = 0
    maybe: tuple[Card, ...] = ()
    at: Point | None = None
    hand: int | None = None
    period: int = 0
    early: bool = False
    """A lead that was laid before the trick was taken up."""
    beside: bool = False
    """Laid where cards of its trick lay already."""

    @property
    def key(self) -> Key:
        """What it says."""
        return self.kind, self.seat, self.card, self.trick, self.more[1:]


class Hypothesis(NamedTuple):
    """A hypothesis of a table."""

    logp: float = 0.0
    steps: tuple[Step, ...] = ()
    """What happened since the last trick but one."""
    phase: str = WAITING
    leads: frozenset[int] = frozenset()
    """Who may lead the next trick, or led the one on the table."""
    trump: str = ""
    turn_up: Card | None = None
    among: tuple[Card, ...] = ()
    """What the turned-up card may be, where nobody could read it."""
    done: int = 0
    """Tricks taken up in this deal."""
    serial: int = 0
    """And in all."""
    played: frozenset[Card] = frozenset()
    """Cards of these."""
    lacks: tuple[frozenset[Card], ...] = ()
    """What each player does not hold, if he played as he must; nothing is known of hands to which cards are drawn."""
    trick: tuple[TrickCard, ...] = ()
    last: tuple[TrickCard, ...] = ()
    """The trick before."""
    things: tuple[Thing, ...] = ()
    """From below to above."""
    false_positives: frozenset[Card] = frozenset()
    """Faces of the last still period that it says nothing of."""
    used: tuple[int, ...] = ()
    """Hands that did something."""
    idle: tuple[int, ...] = ()
    """Hands over the middle that did nothing yet in this trick."""
    hands_since: int = 99
    """Hands over the table since a card of a trick lay there."""
    talon: Point | None = None
    """Where the last card was turned up."""
    uid: int = 0

    @property
    def lying(self) -> tuple[Thing, ...]:
        """The cards of the trick that lie there."""
        return tuple(thing for thing in self.things if thing.kind == TRICK)

    @property
    def turned_up(self) -> Thing | None:
        """The card that is turned up, if one lies there."""
        return next((thing for thing in self.things if thing.kind == TURN_UP), None)

    @property
    def gathered(self) -> Step | None:
        """The last trick's being taken up."""
        return next((step for step in reversed(self.steps) if step.kind == GATHER), None)

    def tricks_after(self, trick: int, players: int) -> int:
        """How many tricks were played out, taken up or not, counted from the beginning of this one."""
        return self.serial + (len(self.trick) == players) - trick

    def laid_in(self, trick: int) -> list[Step]:
        """The cards laid in a trick, but a lead before the one before it was taken up."""
        return [step for step in self.steps if step.kind == LAY and step.trick == trick and not step.early]

    def laid_after(self, place: int) -> list[Step]:
        """The cards laid after a step, in its trick."""
        trick = self.steps[place].trick
        return [step for step in self.steps[place + 1 :] if step.kind == LAY and step.trick == trick]

    def step_before(self, place: int) -> Step | None:
        """The step before this one, if it is still remembered."""
        return self.steps[place - 1] if place else None

    @property
    def lifted(self) -> frozenset[int]:
        """The uids of cards that were laid and taken back."""
        return frozenset(step.uid for step in self.steps if step.kind == LIFT)

    def without(self, gone: Collection[Thing]) -> "Hypothesis":
        """The same, these things having gone."""
        return self._replace(things=tuple(thing for thing in self.things if thing not in gone))

    def having_used(self, hand: int | None) -> "Hypothesis":
        """The same, this hand having done something."""
        if hand is None:
            return self
        return self._replace(used=(*self.used, hand)[-HANDS_KNOWN:], idle=tuple(n for n in self.idle if n != hand))

    def did(self, step: Step, log_ratio: float, **changes: Any) -> "Hypothesis":
        """The same with one more act, done by the hand that the step names."""
        return self.having_used(step.hand)._replace(logp=self.logp + log_ratio, steps=(*self.steps, step), **changes)

    def forgetting(self, laid: Collection[Key]) -> "Hypothesis":
        """The same without what was laid so (keys and still periods) and was taken back."""
        lifted = self.lifted
        gone = {step.uid for step in self.steps if (*step.key, step.period) in laid and step.uid in lifted}
        return self._replace(
            steps=tuple(step for step in self.steps if step.kind not in (LAY, LIFT) or step.uid not in gone)
        )

    def named(self) -> frozenset[Card]:
        """Every card of the trick and of what lies there."""
        laid = {laid.card for laid in self.trick if laid.card}
        return frozenset(laid | {thing.card for thing in self.things if thing.card})

    def reads(self, uid: int, card: Card | None) -> "Hypothesis":
        """The same, where a card that was laid is known to be this one."""
        return self._replace(
            steps=tuple(
                step._replace(card=card) if step.kind == LAY and step.uid == uid else step for step in self.steps
            ),
            trick=tuple(laid._replace(card=card) if laid.uid == uid else laid for laid in self.trick),
            things=tuple(thing._replace(card=card) if thing.uid == uid else thing for thing in self.things),
        )
