"""How well a hypothesis explains a look, and how well a hand fits a card. Logarithms; 0 is at best."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine.cards import Card
from engine.sightings import CardLying, Hand, Point, TableLook, apart, covers
from engine.table.acts import EVEN, MOSTLY, ODD, RARE, SOME
from engine.table.arms import Arms
from engine.table.changes import Changes, Spot, changes
from engine.table.hypothesis import (
    AT_A_GLANCE,
    AT_ALL,
    AT_FIRST,
    BESIDE,
    PLAYING,
    TRICK,
    TURN_UP,
    UNREAD,
    Hypothesis,
    Thing,
)
from engine.table.open_hand import OpenHand
from engine.table.places import EDGE, MIDDLE, NEAR, SAME, near
from engine.table.reach import Reach

log = math.log
SELDOM_MISSED = (TRICK, TURN_UP, BESIDE)
"""Kinds of things that everybody looks at: a second card of one seat, too."""
LIKE_AN_INDEX = 0.9
"""Likeness to an index, 0 to 1, that an unread card mostly reaches and print hardly ever
(counted: on films of a newspaper 96 of 100 marks looked less so, and of 223 unread cards none)."""
HIDDEN = (SAME, MOSTLY), (NEAR, EVEN), (1.0, SOME)
"""How likely a card is hidden by one laid within so many card lengths of it later (counted, rounded)."""


@dataclass(frozen=True)
class Seen:
    """One look, made ready to be weighed."""

    at_s: float
    named: Mapping[Card, CardLying]
    unidentified: tuple[CardLying, ...]
    """What cannot be read, less what lay there before anybody came."""
    length: float
    fresh: bool
    hidden: frozenset[Card]
    over: tuple[Hand, ...]
    """Hands over the table at that moment."""
    glance: bool = False
    stood: tuple[Point, ...] = ()
    """Where something lay before that cannot be read."""
    print_chance: float = 0.0
    """How likely print that cannot be read newly shows at a place that changed."""
    glanced: tuple[Point, ...] = ()
    """Where a glance just before showed something unread: its cost was counted then."""

    @property
    def kind(self) -> int:
        """How long it looked."""
        return AT_A_GLANCE if self.glance else AT_FIRST if self.fresh else AT_ALL

    def covered(self, at: Point | None) -> bool:
        """Whether a hand may hide what lies there."""
        return at is not None and any(covers(hand, at) for hand in self.over)

    def hides(self, thing: Thing) -> bool:
        """Whether a hand may hide this."""
        return thing.card in self.hidden or self.covered(thing.at)

    def shows_none_at(self, at: Point) -> bool:
        """Whether it shows that nothing lies here."""
        faces = (*self.named.values(), *self.unidentified)
        return not self.glance and not self.covered(at) and all(apart(lying.at, at) >= self.length for lying in faces)

    def stood_there(self, at: Point) -> bool:
        """Whether something that cannot be read lay there before."""
        return any(near(at, place, self.length, sure=True) for place in self.stood)

    def shows_again(self, at: Point) -> bool:
        """Whether something that cannot be read lay there before, or a glance just before showed it."""
        return any(near(at, place, self.length, sure=True) for place in (*self.stood, *self.glanced))


@dataclass
class StillPeriod:
    """What is known of the table since it last came to rest: looks, and hands and face-down piles that came before."""

    number: int
    looks: list[Seen] = field(default_factory=list)
    hands: dict[int, Hand] = field(default_factory=dict)
    """Hands that may have done what is seen, by a number that grows with the time they came."""
    recent: dict[int, Hand] = field(default_factory=dict)
    """All that came lately."""
    new: tuple[int, ...] = ()
    """Of these, hands that no look had told of before."""
    since: frozenset[int] = frozenset()
    """Hands that no look had told of when the table last rested."""
    moved_in: tuple[int, ...] = ()
    """Hands that came over the middle since they were told of."""
    touched: TableLook = field(default_factory=lambda: TableLook(-math.inf, ()))
    """The look by which the table was touched: where it changed, and what came to rest."""
    changed_before: tuple[Spot, ...] = ()
    """Where the table had changed at the last still period but glances."""
    blind: bool = False
    """The table had not rested for so long that much may have gone unseen."""
    last_rest: int = 0
    """The number of the last still period but glances."""
    faces_last_period: frozenset[Card] = frozenset()
    """What the still period before showed."""
    lately: tuple[Seen, ...] = ()
    """The looks of the still periods before, the first of them first."""
    fits: dict[tuple[int, int, Point], float] = field(default_factory=dict)
    weighed: dict[tuple[object, ...], float] = field(default_factory=dict)
    shown_last_rest: tuple[CardLying, ...] = ()
    """What the last still period showed; its glances are left out."""
    glimpsed: tuple[CardLying, ...] = ()
    """What glances showed since then."""
    changes: Changes = field(default_factory=Changes)
    """What changed since then."""
    named: dict[Card, CardLying] = field(default_factory=dict)
    """The faces of all looks, where they were last seen."""
    unidentified: tuple[CardLying, ...] = ()
    """What no look could read."""

    @property
    def length(self) -> float:
        """Of a card."""
        return self.looks[-1].length

    def look(self, seen: Seen) -> None:
        """One more look."""
        self.looks.append(seen)
        outlined = {card for card, lying in self.named.items() if lying.outlined}
        now = {card: lying for card, lying in seen.named.items() if lying.outlined or card not in outlined}
        self.named = {**self.named, **now}
        faces = self.named.values()
        self.unidentified = tuple(
            lying for lying in seen.unidentified if not any(_of_one(lying, face, self.length) for face in faces)
        )
        since = (*self.glimpsed, *self.everything())
        self.changes = changes(self.touched.changed, self.shown_last_rest, since, self.length)

    def rests(self, hand: int | None) -> bool:
        """Whether a hand was still as far in as ever when this period began: it may hold what shows there."""
        came = None if hand is None else self.recent.get(hand)
        return came is not None and came.did_by_s >= self.touched.at_s

    @property
    def independent_looks(self) -> float:
        """As many independent looks as its own tell: what one misses or misreads, the next mostly does too."""
        return 1 + SOME * (len(self.looks) - 1)

    def everything(self) -> tuple[CardLying, ...]:
        """All that it shows."""
        return (*self.named.values(), *self.unidentified)

    @property
    def spread(self) -> bool:
        """Whether several faces lay there in the period before: tricks that are counted, where no cards are played."""
        return len(self.faces_last_period) > 1

    @property
    def put_aside(self) -> list[Point]:
        """What came to rest at somebody's place."""
        return [packet for packet in self.touched.packets if math.hypot(*packet) > MIDDLE]

    def shown_again(self, h: Hypothesis, seen: Seen) -> frozenset[Card]:
        """Faces of which a hypothesis said nothing at the still period before, and that lie where they lay; between
        deals those too that were counted onto one heap."""
        if not h.false_positives:
            return frozenset()
        before = {card: lying for card, lying in self._shown_before.items() if card in h.false_positives}
        shown = ((card, lying.at) for card, lying in seen.named.items() if card in before)
        again = frozenset(card for card, at in shown if near(at, before[card].at, seen.length, sure=True))
        return again if h.phase == PLAYING else again | self._counted(before, seen)

    def _counted(self, before: Mapping[Card, CardLying], seen: Seen) -> frozenset[Card]:
        """A new face that lies over all those that are gone: tricks are counted so."""
        gone = [lying for card, lying in before.items() if card not in seen.named]
        new = ((card, lying) for card, lying in seen.named.items() if card not in self._shown_before)
        return frozenset(
            card for card, lying in new if gone and all(_lies_on(lying, covered, seen.length) for covered in gone)
        )

    @cached_property
    def _shown_before(self) -> Mapping[Card | None, CardLying]:
        """Each face that the table showed before this period, where it was last seen."""
        return {lying.card: lying for lying in (*self.shown_last_rest, *self.glimpsed)}

    def bare_since(self, at: Point, shown_s: float) -> float | None:
        """When, after this, a look first showed that nothing lies here."""
        return next((seen.at_s for seen in self.lately if seen.at_s > shown_s and seen.shows_none_at(at)), None)

    def lay_there(self, card: Card | None, at: Point) -> bool:
        """Whether the table showed this face just there when it last rested."""
        faces = (lying.at for lying in self.shown_last_rest if lying.card is not None and lying.card == card)
        return any(near(face, at, self.length, sure=True) for face in faces)

    def put_there(self, at: Point) -> bool:
        """Whether the table changed there, now or at the still period before: it may be read late."""
        return self._reached(at, (*self.touched.changed, *self.changed_before))

    def came(self, card: Card | None, at: Point) -> bool:
        """Whether this may newly have come here: the table changed, or a glance alone tells of it, which may be gone
        before the next still period shows a change."""
        return (self.looks[-1].glance and card not in self.faces_last_period) or self.put_there(at)

    def idle(self, did: Collection[int | None]) -> list[Hand]:
        """The hands that came, but those that did something."""
        return [self.hands[number] for number in self.new if number not in did]

    def put_unread(self, at: Point) -> bool:
        """Whether the table changed there by more than a face explains that newly lies beside it."""
        return self._reached(at, [spot for spot in self.touched.changed if spot not in self.changes.faces])

    def _reached(self, at: Point, spots: Sequence[Spot]) -> bool:
        return any(apart(at, (x, y)) < radius + self.length / 2 for x, y, radius in spots)


class ObservationModel:
    """Weighs hypotheses of one table."""

    def __init__(self, pack: frozenset[Card], reach: Reach, arms: Arms, open_hand: OpenHand | None) -> None:
        self.pack, self.reach, self.arms, self.open_hand = pack, reach, arms, open_hand

    # -- looks -------------------------------------------------------------------------------------------------------

    def period(self, h: Hypothesis, period: StillPeriod) -> float:
        """How well a hypothesis explains all looks of a still period, which are not independent."""
        total = sum(self.look(h, seen, period) for seen in period.looks)
        return total / len(period.looks) * period.independent_looks

    def look(self, h: Hypothesis, seen: Seen, period: StillPeriod) -> float:
        """How well a hypothesis explains one look."""
        again = period.shown_again(h, seen)
        key = (h.things, h.phase, h.played, () if h.trick else h.last, again, id(seen))
        known = period.weighed.get(key)
        if known is None:
            known = period.weighed[key] = sum(log_likelihood for _, log_likelihood in self.terms(h, seen, again))
        return known

    def terms(self, h: Hypothesis, seen: Seen, again: frozenset[Card] = frozenset()) -> list[tuple[str, float]]:
        """What speaks for and against a hypothesis in one look, by name. again: faces that it left unexplained
        before."""
        told: list[tuple[str, float]] = []
        explained: set[Card] = set()
        ours = {thing.card for thing in h.things}
        for place in range(len(h.things)):
            told.append(self._thing(h.things, place, seen, explained, ours))
        told += self._false_positives(h, seen, explained, again)
        told += self._unidentified(h, seen)
        if h.phase != PLAYING and self.open_hand is not None and self.open_hand.cards:
            told.append(("a hand lies open, no deal", log(SOME)))
        return told

    def _thing(
        self, things: Sequence[Thing], place: int, seen: Seen, explained: set[Card], ours: set[Card | None]
    ) -> tuple[str, float]:
        thing = things[place]
        there = seen.named.get(thing.card) if thing.card else None
        under = self._hidden(things, place, seen.length)
        if there is not None and thing.card is not None:
            explained.add(thing.card)
            missed = thing.missed[seen.kind]
            if missed and not under:
                missed = 1  # What hid it may have gone.
            open_now = max(ODD, 1 - under) if not missed else EVEN / missed
            return f"{thing.card} seen", log(open_now) + self._moved(thing, there, seen)
        if thing.at is None:
            return f"{thing.card} nowhere", log(ODD)
        if seen.hides(thing):
            return f"{thing.card} under a hand", 0.0
        doubt = self.doubt_for(thing, seen)
        if doubt is not None:
            return f"{thing.card} unread", self._unread(thing, doubt, under)
        other = self.read_as(thing, seen, {*explained, *ours})
        if other is not None:
            explained.add(other)
            return f"{thing.card} misread {other}", log(EVEN if other == thing.read_as else RARE)
        return f"{thing.card} missed", log(max(self._missed(thing, seen), under))

    def _unread(self, thing: Thing, doubt: CardLying, under: float) -> float:
        """Something that cannot be read may be this. How it looks counts once. under: how likely something laid later
        hides this."""
        if thing.card is None:
            return 0.0
        if thing.read_as == UNREAD:
            return log(MOSTLY)
        likely = EVEN if thing.kind == TURN_UP else max(ODD, under)  # That lies half under the stock.
        return log(likely * self.card_like(doubt))

    def _missed(self, thing: Thing, seen: Seen) -> float:
        """How likely a look shows nothing of it though it lies open."""
        if seen.glance and thing.kind == TURN_UP and (thing.card is None or thing.read_as == UNREAD):
            return 1.0  # A glance tells of faces alone.
        before = thing.missed[seen.kind]
        return max(_missed_once(thing, seen), 1 - EVEN / before if before else 0.0)

    def _hidden(self, things: Sequence[Thing], place: int, length: float) -> float:
        """How likely something laid later hides this."""
        this = things[place]
        if this.at is None:
            return 0.0
        least = SAME * length  # Where one's middle is only guessed, they may lie so far apart.
        least_apart = min(
            (
                apart(this.at, thing.at) if this.outlined and thing.outlined else max(least, apart(this.at, thing.at))
                for thing in things[place + 1 :]
                if thing.at and thing.uid > this.clear_up_to_uid
            ),
            default=math.inf,
        )
        return next((likely for within, likely in HIDDEN if least_apart < within * length), 0.0)

    def _moved(self, thing: Thing, there: CardLying, seen: Seen) -> float:
        if thing.at is None:
            return 0.0
        away = apart(thing.at, there.at) / seen.length
        sure = thing.outlined and there.outlined and thing.reads != 1  # Seen once, it may have slid on.
        within = SAME if sure else 1.0
        if away < within:
            return -EVEN * (away / within) ** 2
        return log(ODD if seen.fresh else RARE)

    def doubt_for(self, thing: Thing, seen: Seen) -> CardLying | None:
        """What cannot be read and may be this: that which looks most like a card."""
        there = [lying for lying in seen.unidentified if near(lying.at, thing.at, seen.length)]
        may = [lying for lying in there if may_be_one(lying, (thing.card,) if thing.card else ())]
        return max(may, key=lambda lying: lying.confidence, default=None)

    def read_as(self, thing: Thing, seen: Seen, explained: Collection[Card | None]) -> Card | None:
        """The face that may be this one, misread, of those that nothing else explains."""
        for card, lying in seen.named.items():
            sure = thing.outlined and lying.outlined
            if card not in explained and near(lying.at, thing.at, seen.length, sure=sure):
                return card
        return None

    def _false_positives(
        self, h: Hypothesis, seen: Seen, explained: set[Card], again: frozenset[Card]
    ) -> list[tuple[str, float]]:
        """Faces that this hypothesis knows nothing of."""
        told: list[tuple[str, float]] = []
        many = 0
        for card, lying in seen.named.items():
            if card in explained:
                continue
            log_likelihood = self.false_positive(h, card, lying, many)
            if card in again:
                may_be_played = h.phase == PLAYING and card in self.pack and card not in h.played
                in_play = may_be_played and self.reach.inside(lying.at)
                log_likelihood = max(log_likelihood, log(EVEN if in_play else MOSTLY))
            many += log_likelihood < log(EVEN)
            told.append((f"{card} unexplained", log_likelihood))
        return told

    def false_positive(self, h: Hypothesis, card: Card, lying: CardLying, many: int) -> float:
        """What a face costs a hypothesis that knows nothing of it, after so many others."""
        if card not in self.pack:
            return log(RARE) if self.reach.inside(lying.at) else 0.0
        if h.phase == PLAYING:
            return log(self._stray_in_play(h, card, lying.at, many))
        if self.in_open_hand(card):
            return log(RARE)
        # Between deals players count tricks: several faces show at once, seldom one alone.
        return log(MOSTLY if many else ODD)

    def _stray_in_play(self, h: Hypothesis, card: Card, at: Point, many: int) -> float:
        """How likely it shows while cards are played."""
        if card not in h.played:
            return RARE * EVEN if self.reach.inside(at) else SOME
        return ODD if self.reach.inside(at, EDGE) and not many else EVEN  # Farther out tricks lie that were taken.

    def _unidentified(self, h: Hypothesis, seen: Seen) -> list[tuple[str, float]]:
        """What cannot be read and no card explains."""
        known = [(thing.names, thing.at) for thing in h.things if thing.at]
        known += [((card,), lying.at) for card, lying in seen.named.items()]
        within = 1 if h.phase == PLAYING else 1 / EDGE
        inside = (doubt for doubt in seen.unidentified if self.reach.inside(doubt.at, within))
        told = (self._doubt(h, doubt, known, seen) for doubt in inside)
        return [term for term in told if term is not None]

    def _doubt(
        self, h: Hypothesis, doubt: CardLying, known: Sequence[tuple[Sequence[Card], Point]], seen: Seen
    ) -> tuple[str, float] | None:
        """What something costs that cannot be read; None: it is a card that is known."""
        close = [names for names, at in known if apart(doubt.at, at) < seen.length]
        if not close:
            return "unread, unexplained", log(self._unexplained(h, doubt, seen))
        if any(may_be_one(doubt, names) for names in close):
            return None
        return "unread, of another", log(MOSTLY if seen.shows_again(doubt.at) else ODD)

    def _unexplained(self, h: Hypothesis, doubt: CardLying, seen: Seen) -> float:
        """How likely something shows there that cannot be read, and is no card that lies there."""
        if not h.trick and any(laid.card in doubt.candidates for laid in h.last):
            return EVEN
        return self.printed(doubt, seen)

    def printed(self, doubt: CardLying, seen: Seen) -> float:
        """How likely the table's own print shows there, and looks so much like an index; that counts once."""
        if seen.stood_there(doubt.at):
            return MOSTLY
        return max(ODD, seen.print_chance) * self._index_like(doubt)[0]

    def card_like(self, doubt: CardLying) -> float:
        """How likely a card that cannot be read looks so much like one."""
        return self._index_like(doubt)[1]

    def _index_like(self, doubt: CardLying) -> tuple[float, float]:
        """How likely print looks so much like an index, and how likely a card; the same, where nobody told."""
        if not doubt.confidence:
            return 1.0, 1.0
        return (MOSTLY, SOME) if doubt.confidence < LIKE_AN_INDEX else (SOME, MOSTLY)

    def in_open_hand(self, card: Card | None) -> bool:
        """Whether a card lies in a hand that lies open, or did until it was laid."""
        return self.open_hand is not None and self.open_hand.holds(card)

    # -- hands -------------------------------------------------------------------------------------------------------

    def log_ratio(self, seat: int, number: int, at: Point, period: StillPeriod) -> float:
        """How well it fits that this seat's arm, as this hand, laid a card here."""
        key = (seat, number, at)
        known = period.fits.get(key)
        if known is None:
            known = period.fits[key] = self.arms.log_fit(period.recent[number], at, seat)
        return known


def missed_again(thing: Thing, many: int, looks: Sequence[Seen]) -> int:
    """How often in a row it was missed, so many times before these looks; what a hand may hide was not."""
    if any(thing.card in look.named for look in looks):
        return 0
    return many + (not all(look.hides(thing) for look in looks))


def _missed_once(thing: Thing, seen: Seen) -> float:
    """How likely a look shows nothing of what the last such look showed."""
    if thing.kind not in SELDOM_MISSED or thing.card is None or seen.glance:
        return EVEN
    return SOME if thing.kind == TURN_UP else ODD


def may_be_one(doubt: CardLying, names: Sequence[Card]) -> bool:
    """Whether what cannot be read may have one of these names; none: nobody knows."""
    return not doubt.candidates or not names or any(card in doubt.candidates for card in names)


def _lies_on(face: CardLying, other: CardLying, length: float) -> bool:
    """Whether a face lies where another lay."""
    return near(face.at, other.at, length, sure=face.outlined and other.outlined)


def _of_one(doubt: CardLying, face: CardLying, length: float) -> bool:
    """Whether what cannot be read may be part of a card that was."""
    if may_be_one(doubt, (face.card,) if face.card else ()):
        return near(doubt.at, face.at, length)
    return doubt.confidence < LIKE_AN_INDEX and near(doubt.at, face.at, length, sure=True)
