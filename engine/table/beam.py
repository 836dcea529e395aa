"""The beam: the likeliest hypotheses of one table. It takes looks in, merges equals, and drops the unlikely."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from engine.cards import Card
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Hand, Point, TableLook, apart
from engine.table.acts import DEAL, LAG_S, LAY, LIFT, LONG_S, SEVERAL, SWAP, Width
from engine.table.arms import over_the_middle
from engine.table.asking import Meaning
from engine.table.hypothesis import AT_A_GLANCE, AT_FIRST, PLAYING, UNREAD, Hypothesis, Key, Step, Thing
from engine.table.late_identification import turned_up
from engine.table.observation import ObservationModel, Seen, StillPeriod, missed_again
from engine.table.piles import PILE_NEAR
from engine.table.places import near
from engine.table.propose import Proposer
from engine.table.why import Why, why

KEPT = 12
"""Still periods that are remembered: those of a trick or two; and all since the table last rested."""
MARGIN = 14.0
"""Log-probability below the best beyond which no hypothesis is kept."""

Leads = Callable[[Hypothesis], frozenset[int]]

LOOKS_TOLD = 2
"""Looks of one still period before an act of it is told; where a card is told as one that cannot be read, several."""


@dataclass(frozen=True)
class Answered:
    """What a person said happened after these steps: one more, or none of some."""

    before: tuple[Key, ...]
    meant: Meaning
    period: int
    """Those seen up to then: what comes later is another matter."""

    def holds(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis says so."""
        many = len(self.before)
        if tuple(step.key for step in hypothesis.steps[:many]) != self.before:
            return False
        after = hypothesis.steps[many] if len(hypothesis.steps) > many else None
        if self.meant.step is not None:
            return after is not None and after.key == self.meant.step.key
        return after is None or after.key not in self.meant.never or after.period > self.period

    def may_hold(self, hypothesis: Hypothesis) -> bool:
        """Whether one may still that ends before."""
        keys = tuple(step.key for step in hypothesis.steps[: len(self.before) + 1])
        return self.holds(hypothesis) or (len(keys) <= len(self.before) and keys == self.before[: len(keys)])

    def without(self, many: int) -> "Answered":
        """The same, once the first steps are cut off."""
        return replace(self, before=self.before[many:])


class Beam:
    """Hypotheses of one table that compete on evidence."""

    def __init__(self, game: TrickGame, width: Width, observation: ObservationModel) -> None:
        self._width = width
        self._pack = game.whole_pack
        self._game, self._observation = game, observation
        self._proposer = Proposer(game, width, observation)
        self.hypotheses: list[Hypothesis] = []
        """The likeliest first; their weights sum to 1."""
        self._base: list[Hypothesis] = []
        """The beam before this still period."""
        self._successors: list[Hypothesis] = []
        """What may have happened since, before the looks of this still period are weighed."""
        self.period: StillPeriod | None = None
        self._periods = 0
        self._by_number: dict[int, StillPeriod] = {}
        """The last still periods."""
        self._began_s: dict[int, float] = {}
        """When still periods began."""
        self.last_look_s = self.last_rest_s = -math.inf
        """The last look, glances counted or not."""
        self._answered: list[Answered] = []
        self.last_rest = 0
        """The period of the last look that was no glance."""
        self._forgotten: frozenset[Key] = frozenset()
        """Cards that may have been laid and went again, of which nothing is told."""
        self.dropped = 0.0
        """The weight of hypotheses dropped lately for saying otherwise than the log: it counts as innocent."""
        self._explained = self._explained_now = 0.0
        """How well all still periods before this one are explained, and this one, as logarithms."""

    @property
    def evidence(self) -> float:
        """How likely all that was seen is if this game is played, as a logarithm: to compare with other games."""
        return self._explained + self._explained_now

    def follow_with(self, width: Width) -> None:
        """From now on with so many hypotheses."""
        self._width = self._proposer.width = width

    def rested(self, at_s: float) -> None:
        """The last look was no glance."""
        self.last_look_s = self.last_rest_s = at_s
        self.last_rest = self._periods

    def start(self, hypotheses: list[Hypothesis]) -> None:
        """All begins with these."""
        self.hypotheses = self._base = hypotheses
        self._successors, self.period, self._answered = [], None, []

    def answered(self, truth: "Answered") -> bool:
        """A person said what happened. False: no hypothesis says so."""
        kept = [hypothesis for hypothesis in self.hypotheses if truth.holds(hypothesis)]
        if not kept:
            return False
        self._answered.append(truth)
        self._base = [hypothesis for hypothesis in self._base if truth.may_hold(hypothesis)]
        self._successors = [hypothesis for hypothesis in self._successors if truth.holds(hypothesis)]
        self.hypotheses = self._weighted(kept)
        if not self._base:  # All began otherwise: what lies there is looked at anew.
            self._base, self._successors, self.period = self.hypotheses, [], None
        return True

    def turned_up(self, card: Card) -> None:
        """A person said which card is turned up, where none was read."""
        self._learn(lambda h: turned_up(self._game, h, card) if h.turn_up is None else h)

    def names_trump(self, trump: str) -> None:
        """A player named trump, of a deal that lies there."""
        self._learn(lambda h: h._replace(trump=trump))
        if self.hypotheses[0].phase == PLAYING:  # Else that deal is over meanwhile.
            now, base, later = (
                [hypothesis for hypothesis in hypotheses if hypothesis.phase == PLAYING]
                for hypotheses in (self.hypotheses, self._base, self._successors)
            )
            self.hypotheses, self._base, self._successors = self._weighted(now), base or self._base, later

    def _learn(self, known: Callable[[Hypothesis], Hypothesis]) -> None:
        """Every hypothesis of a deal knows something from now on."""
        self.hypotheses, self._base, self._successors = (
            [known(hypothesis) if hypothesis.phase == PLAYING else hypothesis for hypothesis in hypotheses]
            for hypotheses in (self.hypotheses, self._base, self._successors)
        )

    def why(self, many: int) -> Why | None:
        """Why the likeliest hypotheses of this still period are that; None: nobody looked yet."""
        if self.period is None or not self.period.looks:
            return None
        return why(self.hypotheses, self._base, self._successors, self.period, self._observation, many)

    def new_period(self, look: TableLook, at_s: float, recent: dict[int, Hand]) -> None:
        """The table was touched. recent: the hands that came lately."""
        self._periods += 1
        self._began_s[self._periods] = at_s
        period = self._with_what_changed(self._with_hands(at_s, recent), look, at_s)
        if self.period is not None:
            period.faces_last_period = frozenset(self.period.looks[-1].named) & self._pack
            if self._periods == 2 and not period.faces_last_period:  # Nothing was dealt before anybody looked.
                most = len(self.period.new)
                self.hypotheses = [
                    hypothesis._replace(hands_since=min(hypothesis.hands_since, most)) for hypothesis in self.hypotheses
                ]
            self.hypotheses = [self._settled(hypothesis) for hypothesis in self.hypotheses]
            self._keep_shown(period)
        self._base, self.period, self._forgotten = self.hypotheses, period, frozenset()
        self._explained, self._explained_now = self.evidence, 0.0
        self._by_number = {k: v for k, v in self._by_number.items() if k > self._periods - KEPT or k >= self.last_rest}
        self._by_number[self._periods] = period

    def _with_what_changed(self, period: StillPeriod, look: TableLook, at_s: float) -> StillPeriod:
        """A still period, and what is known of the table before it and since."""
        period.last_rest = self.last_rest
        period.lately = tuple(period.looks[-1] for _, period in sorted(self._by_number.items()) if period.looks)
        period.blind = -math.inf < self.last_rest_s < at_s - LONG_S
        before = self._by_number.get(self.last_rest)
        period.changed_before = before.touched.changed if before else ()
        period.touched = look
        return period

    def _with_hands(self, at_s: float, recent: dict[int, Hand]) -> StillPeriod:
        """A still period, and the hands that may have done what it shows."""
        recent = {n: hand for n, hand in recent.items() if hand.came_s <= at_s}
        hands = {n: hand for n, hand in recent.items() if hand.left_s >= self.last_rest_s - LAG_S}
        told = {number: hand for period in self._by_number.values() for number, hand in period.hands.items()}
        inside = {n for n, hand in hands.items() if over_the_middle(hand)}
        moved_in = tuple(n for n, hand in told.items() if n in inside and not over_the_middle(hand))
        new = tuple(n for n in hands if n not in told)
        return StillPeriod(self._periods, [], hands, recent, new, self._glanced().union(new), moved_in)

    def _glanced(self) -> frozenset[int]:
        """The hands that only glances told of since the table rested."""
        return frozenset(n for number, period in self._by_number.items() if number > self.last_rest for n in period.new)

    def _keep_shown(self, period: StillPeriod) -> None:
        """Keeps what lay there before a still period."""
        assert self.period is not None
        if self.period.looks[-1].glance:
            period.shown_last_rest = self.period.shown_last_rest
            period.glimpsed = (*self.period.glimpsed, *self.period.everything())
        else:
            period.shown_last_rest = self.period.everything()

    def _settled(self, h: Hypothesis) -> Hypothesis:
        """Things lie where they were seen last."""
        assert self.period is not None
        named = self.period.named
        things = tuple(
            self._lost(h, thing) if thing.card not in named else self._seen(h, thing, named[thing.card])
            for thing in h.things
        )
        known = {thing.card for thing in things} | {thing.read_as for thing in things}
        before = h.false_positives if self.period.looks[-1].glance else frozenset()
        return h._replace(things=things, false_positives=(before | named.keys()) - known)

    def _seen(self, h: Hypothesis, thing: Thing, seen: CardLying) -> Thing:
        """What the last still period showed, now and then perhaps as another card."""
        assert self.period is not None
        known = thing.outlined and not seen.outlined  # Better than this look tells.
        stays = known and near(seen.at, thing.at, self.period.length)
        return self._missed(thing)._replace(
            at=thing.at if stays else seen.at,
            outlined=seen.outlined or thing.outlined,
            read_as=self._read_as(h, thing),
            clear_up_to_uid=h.uid - 1,
            reads=thing.reads + sum(thing.card in look.named for look in self.period.looks),
        )

    def _lost(self, h: Hypothesis, thing: Thing) -> Thing:
        """What the last still period did not show, or showed as another card."""
        assert self.period is not None
        last = self.period.looks[-1]
        if thing.at is None or thing.card in last.hidden:
            return thing
        unread = UNREAD if thing.card and self._observation.doubt_for(thing, last) else None
        shown = self._read_as(h, thing) or unread
        return self._missed(thing) if shown is None else thing._replace(read_as=shown)

    def _read_as(self, h: Hypothesis, thing: Thing) -> Card | None:
        """The card, none of this hypothesis, that looks of a still period showed in place of this one, and never beside
        it."""
        assert self.period is not None
        known = {*h.named(), *(card for seen in self.period.looks if thing.card in seen.named for card in seen.named)}
        shown = (self._observation.read_as(thing, seen, known) for seen in self.period.looks)
        return next((card for card in shown if card is not None), None)

    def _missed(self, thing: Thing) -> Thing:
        """How often in a row it was missed by looks like those of the last still period."""
        assert self.period is not None
        looks = self.period.looks
        glances, first = ([look for look in looks if look.kind == kind] for kind in (AT_A_GLANCE, AT_FIRST))
        all_looks = [] if looks[-1].glance else looks
        before = zip(thing.missed, (glances, first, all_looks), strict=True)
        now = [missed_again(thing, many, some) for many, some in before]
        return thing._replace(missed=(now[0], now[1], now[2]))

    def take_in(self, seen: Seen, leads: Leads) -> None:
        """One more look at the table as it lies. leads: who may lead the next deal, by a hypothesis."""
        period = self.period
        assert period is not None
        period.look(seen)
        if len(period.looks) == 1 or not self._successors or _shows_otherwise(period.looks):
            self._successors = self._proposed(period, leads)
        successors = self._successors or self._base
        weighed = [
            hypothesis._replace(logp=hypothesis.logp + self._observation.period(hypothesis, period))
            for hypothesis in successors
        ]
        kept = self._pruned(weighed)
        self._explained_now = _weight(kept)
        self.hypotheses = self._weighted(kept)

    def _proposed(self, period: StillPeriod, leads: Leads) -> list[Hypothesis]:
        """What may have happened since the still period before, the likeliest first."""
        self._proposer.begin()
        successors = [hypothesis for h in self._base for hypothesis in self._proposer.successors(h, period, leads(h))]
        if self._answered:
            successors = [
                hypothesis for hypothesis in successors if all(truth.holds(hypothesis) for truth in self._answered)
            ] or successors
        return sorted(successors, key=lambda hypothesis: -hypothesis.logp)

    def _pruned(self, weighed: list[Hypothesis]) -> list[Hypothesis]:
        """The likeliest, each once."""
        best: dict[tuple[object, ...], Hypothesis] = {}
        top = max(hypothesis.logp for hypothesis in weighed)
        for hypothesis in weighed:
            if hypothesis.logp < top - MARGIN:
                continue
            hypothesis = hypothesis.forgetting(self._forgotten) if self._forgotten else hypothesis
            lies = frozenset((thing.card, thing.kind) for thing in hypothesis.things)
            acts = tuple(step.key for step in hypothesis.steps)
            key = hypothesis.phase, hypothesis.turn_up, hypothesis.leads, lies, len(hypothesis.trick), acts
            same = best.get(key)
            if same is None:
                best[key] = hypothesis
                continue
            likelier, other = (hypothesis, same) if hypothesis.logp > same.logp else (same, hypothesis)
            best[key] = likelier._replace(logp=likelier.logp + math.log1p(math.exp(other.logp - likelier.logp)))
        return sorted(best.values(), key=lambda hypothesis: -hypothesis.logp)[: self._width.kept]

    @staticmethod
    def _weighted(kept: list[Hypothesis]) -> list[Hypothesis]:
        """The same, the likeliest first, their weights made to sum to 1."""
        less = _weight(kept)
        return [hypothesis._replace(logp=hypothesis.logp - less) for hypothesis in kept]

    def posterior(self, steps: Sequence[Step], ignoring: Collection[str] = ()) -> float:
        """How much of all that may have happened begins with these. ignoring: kinds of steps of which it does not
        matter whether, or with which card, they were done."""

        def said(some: Sequence[Step]) -> list[Key]:
            return [
                (DEAL, step.trick) if step.kind in ignoring else step.key
                for step in some
                if step.kind == DEAL or step.kind not in ignoring
            ]

        keys = said(steps)
        return self.share(lambda hypothesis: said(hypothesis.steps)[: len(keys)] == keys)

    def share(self, holds: Callable[[Hypothesis], bool]) -> float:
        """How much of all that may have happened is so."""
        return sum(math.exp(hypothesis.logp) for hypothesis in self.hypotheses if holds(hypothesis))

    def says(self, step: Step, *alike: str) -> float:
        """How much of all that may have happened has a step like this one, whatever was before. alike: the fields of
        the two that are the same."""
        said = attrgetter("kind", *alike)
        return self.share(lambda hypothesis: any(said(other) == said(step) for other in hypothesis.steps))

    def age_s(self, step: Step) -> float:
        """How long before the last look the still period began that a step was first seen in."""
        assert self.period is not None
        return self.period.looks[-1].at_s - self.began_s(step)

    def began_s(self, step: Step) -> float:
        """When the still period began that a step was first seen in."""
        return self._began_s.get(step.period, -math.inf)

    def looked_enough(self, step: Step, looks: int = LOOKS_TOLD) -> bool:
        """Whether a step was seen in so many looks, and a card without the hand that laid it; or the table was touched
        again since."""
        assert self.period is not None
        if step.period < self.period.number:
            return True
        if step.kind == LAY and step.card is None and step.at is not None:
            looks = SEVERAL
        return len(self.period.looks) >= looks and not (step.kind == LAY and self.period.rests(step.hand))

    def seen_often(self, step: Step) -> bool:
        """Whether several looks showed what a step tells, a card by its name; or the table was touched again since, and
        it was not seen at a glance alone."""
        assert self.period is not None
        card = step.card if step.kind in (LAY, SWAP) else None
        if step.period < self.period.number:
            return card is None or self.lay_at_rest(step)
        seen = sum(card is None or card in look.named for look in self.period.looks)
        return seen >= SEVERAL and not self.period.rests(step.hand)

    def lay_at_rest(self, step: Step) -> bool:
        """Whether a look at the table at rest, and not a glance alone, showed a card after a hand had let go of it, and
        before one took it back."""
        steps = self.hypotheses[0].steps
        lifted = next((taken.period for taken in steps if taken.kind == LIFT and taken.uid == step.uid), math.inf)
        there = [period for number, period in self._by_number.items() if step.period <= number < lifted]
        periods = [period for period in there if not period.rests(step.hand)]
        return any(step.card in look.named for period in periods for look in period.looks if not look.glance)

    def read_otherwise(self, h: Hypothesis, step: Step) -> bool:
        """Whether a look at the table at rest read another card where this one lies, and none that this hypothesis
        knows; or by this another was taken back from just there."""
        periods = [period for number, period in self._by_number.items() if number >= step.period]
        looks = [look for period in periods for look in period.looks if not look.glance and step.card not in look.named]
        known = h.named() | h.played
        read = (lying.at for look in looks for card, lying in look.named.items() if card not in known)
        lifted = (laid.at for laid in h.laid_in(step.trick) if laid.uid in h.lifted and laid.card != step.card)
        return any(near(at, step.at, periods[-1].length, sure=True) for at in (*read, *lifted))

    def lay_beside(self, cards: Collection[Card | None], step: Step) -> bool:
        """Whether a look showed one of these cards since what this step tells was first seen."""
        since = (period for number, period in self._by_number.items() if number >= step.period)
        return any(not look.named.keys().isdisjoint(cards) for period in since for look in period.looks)

    def period_of(self, step: Step) -> StillPeriod | None:
        """The still period that a step was first seen in, if it was lately."""
        return self._by_number.get(step.period)

    def rests_until(self, h: Hypothesis, place: int) -> list[StillPeriod]:
        """The still periods since the step before."""
        since = h.steps[place - 1].period if place else 0
        return [period for number, period in self._by_number.items() if since < number <= h.steps[place].period]

    def packets_since(self, step: Step) -> list[Point]:
        """What came to rest at somebody's place since a trick went: each place once."""
        periods = (period.put_aside for number, period in self._by_number.items() if number >= step.period)
        places: list[Point] = []
        for here in (at for period in periods for at in period):
            if all(apart(here, place) >= PILE_NEAR for place in places):
                places.append(here)
        return places

    def forget(self, laid: Collection[Key]) -> None:
        """Where cards may have been laid and went again, hypotheses with and without it say the same from now on."""
        if laid:
            self._forgotten |= {*laid}
            self.hypotheses = self._weighted(self._pruned(self.hypotheses))

    def cut(self, keys: list[Key], limit: int) -> bool:
        """What lies before a trick is as it was told: hypotheses that say otherwise are dropped. False: all do."""
        kept = self.share(lambda hypothesis: _begins(hypothesis, keys, limit))
        if not kept:
            return False
        self.dropped = max(self.dropped / 2, 1 - kept)
        self.hypotheses = self._weighted(_cut(self.hypotheses, keys, limit))
        self._base = _cut(self._base, keys, limit)
        self._successors = _cut(self._successors, keys, limit)
        self._answered = [
            answered.without(len(keys)) for answered in self._answered if len(answered.before) >= len(keys)
        ]
        if not self._base:
            self._base, self._successors, self.period = self.hypotheses, [], None
        return True


def _shows_otherwise(looks: Sequence[Seen]) -> bool:
    """Whether the last look shows other faces than the one before, or something unread that none before it did."""
    *before, now = looks
    unidentified = {place for seen in before for place in _unread_at(seen)}
    return now.named.keys() != before[-1].named.keys() or not _unread_at(now) <= unidentified


def _unread_at(seen: Seen) -> set[tuple[float, ...]]:
    """About where something lies that cannot be read."""
    return {tuple(round(x, 1) for x in lying.at) for lying in seen.unidentified}


def _weight(kept: Sequence[Hypothesis]) -> float:
    """Of these together, the likeliest first, as a logarithm."""
    top = kept[0].logp
    return top + math.log(sum(math.exp(hypothesis.logp - top) for hypothesis in kept))


def _begins(hypothesis: Hypothesis, keys: list[Key], limit: int) -> bool:
    """Whether a hypothesis has just these steps before a trick."""
    return [step.key for step in hypothesis.steps if step.trick < limit] == keys


def _cut(hypotheses: Iterable[Hypothesis], keys: list[Key], limit: int) -> list[Hypothesis]:
    """The hypotheses that begin so, without that beginning."""
    return [
        hypothesis._replace(steps=tuple(step for step in hypothesis.steps if step.trick >= limit))
        for hypothesis in hypotheses
        if _begins(hypothesis, keys, limit)
    ]
