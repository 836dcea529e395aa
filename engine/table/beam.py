"""The beam: the likeliest accounts of one table. It takes looks in, merges what says the same, and drops the rest."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Hand, Point, TableLook, apart
from engine.table.acts import DEAL, LAG_S, LAY, LONG_S, SEVERAL, Width
from engine.table.arms import over_the_middle
from engine.table.changes import changes
from engine.table.evidence import Rest, Seen, Weigher, merged, missed_again
from engine.table.history import AT_A_GLANCE, AT_FIRST, PLAYING, UNREAD, History, Step, Thing
from engine.table.late_identification import turned_up
from engine.table.piles import PILE_NEAR
from engine.table.places import near
from engine.table.propose import Proposer
from engine.table.why import Why, why

MARGIN = 14.0
"""Log-probability below the best beyond which no hypothesis is kept."""

Leads = Callable[[History], frozenset[int]]

LOOKS_TOLD = 2
"""Looks of one rest before an act of it is told; where a card is told as one that cannot be read, several."""


@dataclass(frozen=True)
class Answered:
    """What a person said happened after these steps: one more, or none of some."""

    before: tuple[tuple[object, ...], ...]
    step: tuple[object, ...] | None
    never: frozenset[tuple[object, ...]] = frozenset()
    rest: int = 0
    """Those seen up to then: what comes later is another matter."""

    def holds(self, hypothesis: History) -> bool:
        """Whether an account says so."""
        many = len(self.before)
        if tuple(step.key for step in hypothesis.steps[:many]) != self.before:
            return False
        after = hypothesis.steps[many] if len(hypothesis.steps) > many else None
        if self.step is not None:
            return after is not None and after.key == self.step
        return after is None or after.key not in self.never or after.rest > self.rest

    def may_hold(self, hypothesis: History) -> bool:
        """Whether one may still that ends before."""
        keys = tuple(step.key for step in hypothesis.steps[: len(self.before) + 1])
        return self.holds(hypothesis) or (len(keys) <= len(self.before) and keys == self.before[: len(keys)])

    def without(self, many: int) -> "Answered":
        """The same, once the first steps are cut off."""
        return replace(self, before=self.before[many:])


class Beam:
    """Accounts of one table that compete on evidence."""

    def __init__(self, game: TrickGame, width: Width, weigher: Weigher) -> None:
        self._width = width
        self._pack = game.whole_pack
        self._weigher = weigher
        self._proposer = Proposer(game, width, weigher)
        self.histories: list[History] = []
        """The likeliest first; their weights sum to 1."""
        self._base: list[History] = []
        """The beam before this rest."""
        self._futures: list[History] = []
        """What may have happened since, before the looks of this rest are weighed."""
        self.rest: Rest | None = None
        self._rests = 0
        self._at_rest: dict[int, Rest] = {}
        """The last rests."""
        self._began_s: dict[int, float] = {}
        """When rests began."""
        self.looked_s = self.main_s = -math.inf
        """The last look, glances counted or not."""
        self._answered: list[Answered] = []
        self.main_rest = 0
        """The rest of the last look that was no glance."""
        self._forgotten: frozenset[tuple[object, ...]] = frozenset()
        """Cards that may have been laid and went again, of which nothing is told."""
        self.dropped = 0.0
        """The share of what was dropped lately for saying otherwise than the log: it counts as innocent."""
        self._explained = self._explained_now = 0.0
        """How well all rests before this one are explained, and this one, as logarithms."""

    @property
    def evidence(self) -> float:
        """How likely all that was seen is if this game is played, as a logarithm: to compare with other games."""
        return self._explained + self._explained_now

    def follow_with(self, width: Width) -> None:
        """From now on with so many hypotheses."""
        self._width = self._proposer.width = width

    def rested(self, at_s: float) -> None:
        """The last look was no glance."""
        self.looked_s = self.main_s = at_s
        self.main_rest = self._rests

    def start(self, histories: list[History]) -> None:
        """All begins with these."""
        self.histories = self._base = histories
        self._futures, self.rest, self._answered = [], None, []

    def answered(self, truth: "Answered") -> bool:
        """A person said what happened. False: no account says so."""
        kept = [hypothesis for hypothesis in self.histories if truth.holds(hypothesis)]
        if not kept:
            return False
        self._answered.append(truth)
        self._base = [hypothesis for hypothesis in self._base if truth.may_hold(hypothesis)]
        self._futures = [hypothesis for hypothesis in self._futures if truth.holds(hypothesis)]
        self.histories = self._weighted(kept)
        if not self._base:  # All began otherwise: what lies there is looked at anew.
            self._base, self._futures, self.rest = self.histories, [], None
        return True

    def turned_up(self, card: Card) -> None:
        """A person said which card is turned up, where none was read."""
        self.histories, self._base, self._futures = (
            [
                turned_up(hypothesis, card)
                if hypothesis.phase == PLAYING and hypothesis.turn_up is None
                else hypothesis
                for hypothesis in accounts
            ]
            for accounts in (self.histories, self._base, self._futures)
        )

    def why(self, many: int) -> Why | None:
        """Why the likeliest accounts of this rest are that; None: nobody looked yet."""
        if self.rest is None or not self.rest.looks:
            return None
        return why(self.histories, self._base, self._futures, self.rest, self._weigher, many)

    def new_rest(self, look: TableLook, at_s: float, recent: dict[int, Hand]) -> None:
        """The table was touched. recent: the hands that came lately."""
        self._rests += 1
        self._began_s[self._rests] = at_s
        rest = self._with_what_changed(self._with_hands(at_s, recent), look, at_s)
        if self.rest is not None:
            rest.faces_before = frozenset(self.rest.looks[-1].named) & self._pack
            if self._rests == 2 and not rest.faces_before:  # Nothing was dealt before anybody looked.
                most = len(self.rest.new)
                self.histories = [
                    hypothesis._replace(hands_since=min(hypothesis.hands_since, most)) for hypothesis in self.histories
                ]
            self.histories = [self._settled(hypothesis) for hypothesis in self.histories]
            self._keep_shown(rest)
        self._base, self.rest, self._forgotten = self.histories, rest, frozenset()
        self._explained, self._explained_now = self.evidence, 0.0
        self._at_rest = {**{k: v for k, v in self._at_rest.items() if k > self._rests - 12}, self._rests: rest}

    def _with_what_changed(self, rest: Rest, look: TableLook, at_s: float) -> Rest:
        """A rest, and what is known of the table before it and since."""
        rest.main_before = self.main_rest
        rest.lately = tuple(rest.looks[-1] for _, rest in sorted(self._at_rest.items()) if rest.looks)
        rest.blind = -math.inf < self.main_s < at_s - LONG_S
        before = self._at_rest.get(self.main_rest)
        rest.changed_before = before.changed if before else ()
        rest.packets, rest.changed, rest.behind_a_hand = look.packets, look.changed, look.behind_a_hand
        return rest

    def _with_hands(self, at_s: float, recent: dict[int, Hand]) -> Rest:
        """A rest, and the hands that may have done what it shows."""
        hands = self._came(at_s, recent)
        told = {number: hand for rest in self._at_rest.values() for number, hand in rest.hands.items()}
        inside = {n for n, hand in hands.items() if over_the_middle(hand)}
        farther = tuple(n for n, hand in told.items() if n in inside and not over_the_middle(hand))
        new = tuple(n for n in hands if n not in told)
        return Rest(self._rests, [], hands, recent, new, self._glanced().union(new), farther)

    def _came(self, at_s: float, recent: Mapping[int, Hand]) -> dict[int, Hand]:
        """The hands that came up to a look, and were there since the one before."""
        since_s = self.main_s - LAG_S
        return {n: hand for n, hand in recent.items() if hand.came_s <= at_s and hand.left_s >= since_s}

    def _glanced(self) -> frozenset[int]:
        """The hands that only glances told of since the table rested."""
        return frozenset(n for number, rest in self._at_rest.items() if number > self.main_rest for n in rest.new)

    def _keep_shown(self, rest: Rest) -> None:
        """Keeps what lay there before a rest."""
        assert self.rest is not None
        if self.rest.looks[-1].glance:
            rest.lay, rest.between = self.rest.lay, (*self.rest.between, *self.rest.shown())
        else:
            rest.lay = self.rest.shown()

    def _settled(self, h: History) -> History:
        """Things lie where they were seen last."""
        assert self.rest is not None
        named, _ = merged(self.rest.looks, self.rest.length)
        things = tuple(
            self._lost(h, thing, named) if thing.card not in named else self._seen(h, thing, named[thing.card])
            for thing in h.things
        )
        known = {thing.card for thing in things} | {thing.read_as for thing in things}
        before = h.strays if self.rest.looks[-1].glance else frozenset()
        return h._replace(things=things, strays=(before | named.keys()) - known)

    def _seen(self, h: History, thing: Thing, seen: CardLying) -> Thing:
        """What the last rest showed."""
        assert self.rest is not None
        known = thing.outlined and not seen.outlined  # Better than this look tells.
        stays = known and near(seen.at, thing.at, self.rest.length)
        return self._missed(thing)._replace(
            at=thing.at if stays else seen.at,
            outlined=seen.outlined or thing.outlined,
            read_as=None,
            open_to=h.uid - 1,
            reads=thing.reads + sum(thing.card in look.named for look in self.rest.looks),
        )

    def _lost(self, h: History, thing: Thing, named: Mapping[Card, CardLying]) -> Thing:
        """What the last rest did not show, or showed as another card."""
        assert self.rest is not None
        last = self.rest.looks[-1]
        if thing.at is None or thing.card in last.hidden:
            return thing
        ours = h.named()
        others = (card for card, lying in named.items() if card not in ours and near(lying.at, thing.at, last.length))
        shown = next(others, UNREAD if thing.card and self._weigher.doubt_for(thing, last) else None)
        return self._missed(thing) if shown is None else thing._replace(read_as=shown)

    def _missed(self, thing: Thing) -> Thing:
        """How often in a row it was missed by looks like those of the last still period."""
        assert self.rest is not None
        looks = self.rest.looks
        glances, first = ([look for look in looks if look.kind == kind] for kind in (AT_A_GLANCE, AT_FIRST))
        all_looks = [] if looks[-1].glance else looks
        before = zip(thing.missed, (glances, first, all_looks), strict=True)
        now = [missed_again(thing, many, some) for many, some in before]
        return thing._replace(missed=(now[0], now[1], now[2]))

    def take_in(self, seen: Seen, leads: Leads) -> None:
        """One more look at the table as it lies. leads: who may lead the next deal, by an account."""
        rest = self.rest
        assert rest is not None
        rest.looks.append(seen)
        rest.changes = changes(rest.changed, rest.lay, (*rest.between, *rest.shown()), rest.length)
        if len(rest.looks) == 1 or not self._futures or _shows_otherwise(rest.looks):
            self._futures = self._proposed(rest, leads)
        futures = self._futures or self._base
        weighed = [
            hypothesis._replace(logp=hypothesis.logp + self._weigher.rest(hypothesis, rest)) for hypothesis in futures
        ]
        kept = self._pruned(weighed)
        self._explained_now = _weight(kept)
        self.histories = self._weighted(kept)

    def _proposed(self, rest: Rest, leads: Leads) -> list[History]:
        """What may have happened since the rest before, the likeliest first."""
        self._proposer.begin()
        futures = [hypothesis for h in self._base for hypothesis in self._proposer.futures(h, rest, leads(h))]
        if self._answered:
            futures = [
                hypothesis for hypothesis in futures if all(truth.holds(hypothesis) for truth in self._answered)
            ] or futures
        return sorted(futures, key=lambda hypothesis: -hypothesis.logp)

    def _pruned(self, weighed: list[History]) -> list[History]:
        """The likeliest, each once."""
        best: dict[tuple[object, ...], History] = {}
        top = max(hypothesis.logp for hypothesis in weighed)
        for hypothesis in weighed:
            if hypothesis.logp < top - MARGIN:
                continue
            hypothesis = hypothesis.forgetting(self._forgotten) if self._forgotten else hypothesis
            lies = frozenset((thing.card, thing.kind) for thing in hypothesis.things)
            key = (
                hypothesis.phase,
                hypothesis.turn_up,
                hypothesis.leads,
                lies,
                len(hypothesis.trick),
                tuple(step.key for step in hypothesis.steps),
            )
            same = best.get(key)
            if same is None:
                best[key] = hypothesis
                continue
            likelier, other = (hypothesis, same) if hypothesis.logp > same.logp else (same, hypothesis)
            best[key] = likelier._replace(logp=likelier.logp + math.log1p(math.exp(other.logp - likelier.logp)))
        return sorted(best.values(), key=lambda hypothesis: -hypothesis.logp)[: self._width.kept]

    @staticmethod
    def _weighted(kept: list[History]) -> list[History]:
        """The same, the likeliest first, their weights made to sum to 1."""
        less = _weight(kept)
        return [hypothesis._replace(logp=hypothesis.logp - less) for hypothesis in kept]

    def share(self, steps: Sequence[Step], whatever: Collection[str] = ()) -> float:
        """How much of all that may have happened begins with these. whatever: kinds of steps of which it does not
        matter whether, or with which card, they were done."""

        def said(some: Sequence[Step]) -> list[tuple[object, ...]]:
            return [
                (DEAL, step.trick) if step.kind in whatever else step.key
                for step in some
                if step.kind == DEAL or step.kind not in whatever
            ]

        keys = said(steps)
        return self._share_of(
            hypothesis for hypothesis in self.histories if said(hypothesis.steps)[: len(keys)] == keys
        )

    def says(self, step: Step) -> float:
        """How much of all that may have happened says that this hand did this, whatever was before."""
        said = (*step.key, step.hand)
        alike = (
            hypothesis
            for hypothesis in self.histories
            if any((*other.key, other.hand) == said for other in hypothesis.steps)
        )
        return self._share_of(alike)

    def _share_of(self, some: Iterable[History]) -> float:
        """How much of all that may have happened these accounts make up."""
        return sum(math.exp(hypothesis.logp) for hypothesis in some)

    def dealt(self, step: Step) -> float:
        """How much of all that may have happened says that this card was turned up, whatever was before."""
        said = (
            (hypothesis, other)
            for hypothesis in self.histories
            for other in hypothesis.steps
            if other.kind == step.kind
        )
        return sum(
            math.exp(hypothesis.logp)
            for hypothesis, other in said
            if other.card == step.card and other.rest == step.rest
        )

    def named(self, step: Step) -> float:
        """How much of all that may have happened says that this card was laid in its trick, whoever did and when."""
        return sum(
            math.exp(hypothesis.logp)
            for hypothesis in self.histories
            if any(
                other.kind == LAY and (other.card, other.trick) == (step.card, step.trick) for other in hypothesis.steps
            )
        )

    def lies_turned_up(self, card: Card) -> float:
        """How much of all that may have happened says that this card is turned up in the deal that goes on."""
        alike = (
            hypothesis for hypothesis in self.histories if hypothesis.turn_up == card and hypothesis.phase == PLAYING
        )
        return sum(math.exp(hypothesis.logp) for hypothesis in alike)

    def age_s(self, step: Step) -> float:
        """How long before the last look the rest began that a step was first seen in."""
        assert self.rest is not None
        return self.rest.looks[-1].at_s - self.began_s(step)

    def began_s(self, step: Step) -> float:
        """When the rest began that a step was first seen in."""
        return self._began_s.get(step.rest, -math.inf)

    def looked_enough(self, step: Step, looks: int = LOOKS_TOLD) -> bool:
        """Whether a step was seen in so many looks, or the table was touched again since."""
        assert self.rest is not None
        if step.kind == LAY and step.card is None and step.at is not None:
            looks = SEVERAL
        return step.rest < self.rest.number or len(self.rest.looks) >= looks

    def lay_at_rest(self, step: Step) -> bool:
        """Whether a look at the table at rest, and not a glance alone, showed a card after it was laid."""
        rests = [rest for number, rest in self._at_rest.items() if number >= step.rest]
        return any(step.card in look.named for rest in rests for look in rest.looks if not look.glance)

    def at_rest(self, step: Step) -> Rest | None:
        """The rest that a step was first seen in, if it was lately."""
        return self._at_rest.get(step.rest)

    def rests_until(self, h: History, place: int) -> list[Rest]:
        """The rests since the step before."""
        since = h.steps[place - 1].rest if place else 0
        return [rest for number, rest in self._at_rest.items() if since < number <= h.steps[place].rest]

    def packets_since(self, step: Step) -> list[Point]:
        """What came to rest at somebody's place since a trick went: each place once."""
        rests = (rest.put_aside for number, rest in self._at_rest.items() if number >= step.rest)
        places: list[Point] = []
        for here in (at for rest in rests for at in rest):
            if all(apart(here, place) >= PILE_NEAR for place in places):
                places.append(here)
        return places

    def forget(self, laid: Collection[tuple[object, ...]]) -> None:
        """Where cards may have been laid and went again, accounts with and without it say the same from now on."""
        if laid:
            self._forgotten |= {*laid}
            self.histories = self._weighted(self._pruned(self.histories))

    def laid_again(self, told: Sequence[Step]) -> None:
        """Accounts that go on from these steps, and by which a card was taken back and laid anew, say the same as those
        by which it never went."""
        keys = [step.key for step in told]
        again = [
            hypothesis.laid_again(len(keys)) if _goes_on_from(hypothesis, keys) else hypothesis
            for hypothesis in self.histories
        ]
        if again != self.histories:
            self.histories = self._weighted(self._pruned(again))

    def any_begins(self, keys: list[tuple[object, ...]], limit: int) -> bool:
        """Whether any account has just these steps before a trick."""
        return any(_begins(hypothesis, keys, limit) for hypothesis in self.histories)

    def cut(self, keys: list[tuple[object, ...]], limit: int) -> None:
        """What lies before a trick is as it was told: accounts that say otherwise are dropped."""
        kept = sum(math.exp(hypothesis.logp) for hypothesis in self.histories if _begins(hypothesis, keys, limit))
        self.dropped = max(self.dropped / 2, 1 - kept)
        self.histories = _cut(self.histories, keys, limit)
        self._base = _cut(self._base, keys, limit)
        self._futures = _cut(self._futures, keys, limit)
        self._answered = [
            answered.without(len(keys)) for answered in self._answered if len(answered.before) >= len(keys)
        ]
        if not self._base:
            self._base, self._futures = self.histories, []
            self.rest = None


def _shows_otherwise(looks: Sequence[Seen]) -> bool:
    """Whether the last look shows other faces than the one before, or something unread that none before it did."""
    *before, now = looks
    doubts = {place for seen in before for place in _unread_at(seen)}
    return now.named.keys() != before[-1].named.keys() or not _unread_at(now) <= doubts


def _unread_at(seen: Seen) -> set[tuple[float, ...]]:
    """About where something lies that cannot be read."""
    return {tuple(round(x, 1) for x in lying.at) for lying in seen.doubts}


def _weight(kept: Sequence[History]) -> float:
    """Of these together, the likeliest first, as a logarithm."""
    top = kept[0].logp
    return top + math.log(sum(math.exp(hypothesis.logp - top) for hypothesis in kept))


def _goes_on_from(hypothesis: History, keys: list[tuple[object, ...]]) -> bool:
    """Whether a history begins with these steps."""
    return [step.key for step in hypothesis.steps[: len(keys)]] == keys


def _begins(hypothesis: History, keys: list[tuple[object, ...]], limit: int) -> bool:
    """Whether a history has just these steps before a trick."""
    return [step.key for step in hypothesis.steps if step.trick < limit] == keys


def _cut(histories: Iterable[History], keys: list[tuple[object, ...]], limit: int) -> list[History]:
    """The histories that begin so, without that beginning."""
    return [
        hypothesis._replace(steps=tuple(step for step in hypothesis.steps if step.trick >= limit))
        for hypothesis in histories
        if _begins(hypothesis, keys, limit)
    ]
