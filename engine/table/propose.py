"""What may have happened since the look before: the few sequences of acts that explain what is seen now.

No rule of the game forbids a proposal: what is illegal only has a poor prior.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from engine.cards import Card
from engine.rules.tricks import NO_CARDS, TrickGame
from engine.seats import single
from engine.sightings import CardLying, apart
from engine.table.acts import EVEN, GATHER, LAY, LIFT, ODD, RARE, SOME, Width
from engine.table.arms import over_the_middle
from engine.table.dealing import Dealing
from engine.table.detections import Detection, NewDetections
from engine.table.hands import Hands
from engine.table.hypothesis import (
    AT_ALL,
    BESIDE,
    HANDS_KNOWN,
    LEFT,
    PAYS,
    PLAYING,
    TRICK,
    TURN_UP,
    WAITING,
    Hypothesis,
    Step,
    Thing,
    TrickCard,
)
from engine.table.late_identification import LateIdentification
from engine.table.observation import ObservationModel, StillPeriod
from engine.table.places import EDGE, near
from engine.table.turn_order import known_plays, lacks_after, may_be_trump, turn, whole, winners

log = math.log
HOPELESS = 16.0
"""Log-probability below another that leaves as much to be explained, beyond which a hypothesis is not followed."""

NO_HAND = -1
"""A card was taken back by no hand that was seen."""


class Node(NamedTuple):
    """A hypothesis under way, and what is left to be explained."""

    h: Hypothesis
    detections: tuple[Detection, ...]
    unseen: int = 0
    lifted: int | None = None
    """The hand that took a card back, and may have laid another."""


class Proposer:
    """Continues hypotheses of one table."""

    def __init__(self, game: TrickGame, width: Width, observation: ObservationModel) -> None:
        self.game, self.width, self.observation = game, width, observation
        self._hands = Hands(observation)
        self._new_detections = NewDetections(game, observation)
        self._late_identification = LateIdentification(game, observation)
        self._dealing = Dealing(game, observation, self._hands, self._new_detections)
        self._best: dict[int, float] = {}
        """The best score so far by how many detections are still to be explained."""
        self._free: dict[tuple[object, ...], Mapping[Card, float]] = {}
        """How likely each card was at this look, by what lay before it and what nobody saw yet."""

    def begin(self) -> None:
        """Another look: nothing is proposed yet."""
        self._best, self._free = {}, {}

    def _below_bound(self, logp: float, detections: Sequence[Detection]) -> bool:
        """Whether a hypothesis is far behind another with as many detections still to be explained."""
        best = self._best[len(detections)] = max(self._best.get(len(detections), -math.inf), logp)
        return logp < best - HOPELESS

    def successors(self, base: Hypothesis, period: StillPeriod, next_leads: frozenset[int]) -> list[Hypothesis]:
        """Every hypothesis of what happened since, this one before."""
        started = self._dealing.drawn(self._tidied(self._began(base, period), period), period)
        out: list[Hypothesis] = []
        for h in self._late_identification.read(started, period):
            detections = self._new_detections.detections(h, period)
            if not self._below_bound(h.logp, detections):
                out += self._grown(Node(h, detections), period, next_leads)
        return out

    def _grown(self, node: Node, period: StillPeriod, next_leads: frozenset[int]) -> Iterator[Hypothesis]:
        """A hypothesis with no more acts, with one, with two, and so on: always the likeliest few."""
        frontier = [node]
        for _ in range(self.game.players + 3):
            yield from (self._weigh_shown(node, period) if node.h.phase != PLAYING else node.h for node in frontier)
            grown = [node for before in frontier for node in self._expand(before, period, next_leads)]
            grown = [node for node in grown if not self._below_bound(node.h.logp, node.detections)]
            grown.sort(
                key=lambda node: node.h.logp + sum(detection.unexplained for detection in node.detections), reverse=True
            )
            frontier = grown[: self.width.wide]
            if not frontier:
                break

    # -- before anything is laid -------------------------------------------------------------------------------------

    def _began(self, h: Hypothesis, period: StillPeriod) -> Hypothesis:
        """The hands that came, which may have done nothing."""
        new_hands = (*(number for number in period.moved_in if number not in h.used), *period.new)
        idle = sum(self._hands.idle(h, period.hands[number], period) for number in new_hands)
        middle = (number for number in new_hands if over_the_middle(period.hands[number]))
        h = h._replace(logp=h.logp + idle, idle=(*h.idle, *middle)[-HANDS_KNOWN:])
        return h._replace(hands_since=self._hands_since(h, period)) if period.new else h

    def _hands_since(self, h: Hypothesis, period: StillPeriod) -> int:
        """How many hands came since a card of a trick lay there, or tricks were counted."""
        counted = h.phase == WAITING and period.spread and len(period.named.keys() & self.game.whole_pack) > 1
        if counted or any(thing.card in period.named for thing in h.lying):
            return 0
        gone = all(thing.missed[AT_ALL] for thing in h.lying)  # At the still period before already.
        return len(period.new) + (h.hands_since if gone else 0)

    def _weigh_shown(self, node: Node, period: StillPeriod) -> Hypothesis:
        """Between deals, a card that was only shown was brought by a hand too."""
        h, new = node.h, [detection for detection in node.detections if detection.card not in period.faces_last_period]
        unseen = any(step.kind == LAY and step.card is None and step.period == period.number for step in h.steps)
        if unseen and any(
            self.observation.reach.inside(detection.at) for detection in new
        ):  # Rather what was seen is the card.
            return h._replace(logp=h.logp + log(RARE))
        put = max((self._hands.any_put(h, detection.at, period) for detection in new), default=0.0)
        return h._replace(logp=h.logp + max(0.0, put, self._taken_away(h, period)))

    def _taken_away(self, h: Hypothesis, period: StillPeriod) -> float:
        """What speaks for a hand's having taken away a card that was only shown."""
        shown = period.faces_last_period - {h.turn_up, *(laid.card for laid in h.last)}
        if not shown - period.looks[-1].named.keys():
            return 0.0
        return -min((self._hands.idle(h, period.hands[number], period) for number in period.new), default=0.0)

    def _tidied(self, h: Hypothesis, period: StillPeriod) -> Hypothesis:
        """What was left of a gathered trick goes too. A glance may not show it yet."""
        gone = [thing for thing in h.things if thing.kind == LEFT and thing.card not in period.named]
        if not gone or period.looks[-1].glance:
            return h
        won = winners(self.game, h._replace(trick=h.last)) if h.last else frozenset()
        hand, log_ratio = self._hands.took(h, single(won), period)
        return h.without(gone).having_used(hand)._replace(logp=h.logp + log_ratio)

    # -- acts --------------------------------------------------------------------------------------------------------

    def _expand(self, node: Node, period: StillPeriod, next_leads: frozenset[int]) -> Iterator[Node]:
        """The hypothesis with one more act."""
        h, detections, dealing = node.h, node.detections, self._dealing
        if h.phase != PLAYING:
            yield from _with(node, dealing.begins(h, detections, period, next_leads))
            yield from _with(node, dealing.claims(h, detections, period))
            return
        gone = [thing for thing in h.lying if self._is_gone(h, thing, period)]
        yield from self._trick_goes(node, gone, period)
        yield from self._lays(node, period)
        if detections or not period.looks[-1].glance:  # A glance shows what lies there, hardly ever what went.
            yield from self._lays_unseen(node, gone, period)
            yield from self._lifts(node, gone, period)
        yield from _with(node, dealing.swaps(h, detections, period))
        yield from _with(node, dealing.claims(h, detections, period))
        if not h.trick:
            yield from _with(node, dealing.turn_up_moves(h, detections, period, next_leads))
        elif detections and len(gone) == len(h.lying):
            yield from _with(node, dealing.given_up(h, detections, period, next_leads))

    def _is_gone(self, h: Hypothesis, thing: Thing, period: StillPeriod) -> bool:
        """Whether the last look does not show a card of the trick."""
        seen = period.looks[-1]
        now = seen.named.get(thing.card or "")
        if now is not None:
            return self._carried_off(h, thing, now, seen.length)
        if thing.card in seen.hidden:
            return False
        unidentified = (lying for lying in seen.unidentified if not seen.stood_there(lying.at))
        return not any(
            thing.card in lying.candidates and self._new_detections.part_of(lying, thing, period)
            for lying in unidentified
        )

    def _carried_off(self, h: Hypothesis, thing: Thing, now: CardLying, length: float) -> bool:
        """Whether a card of the trick lies at somebody's place now, and not where it was laid."""
        out = self.observation.reach.out
        laid = next((step.at for step in h.steps if step.kind == LAY and step.uid == thing.uid), None) or thing.at
        moved = laid is not None and apart(laid, now.at) > length
        return moved and out(now.at) > max(EDGE, out(laid or now.at))

    # -- a card is laid ----------------------------------------------------------------------------------------------

    def _lays(self, node: Node, period: StillPeriod) -> Iterator[Node]:
        """One of the things that came was laid, by whomever."""
        h, lead = node.h, whole(self.game, node.h)
        if lead and h.done + 1 >= self.game.tricks:
            return
        turns = winners(self.game, h) if lead else turn(self.game, h) if h.trick else h.leads
        for detection in node.detections:
            left = tuple(other for other in node.detections if other is not detection)
            far_out = self._is_far_out(h, detection, period)
            here = h.logp + self._laid_here(h, detection, period, far_out)
            over = self._over_others(h, detection, period, far_out)
            fits = self._hands.laid(h, range(self.game.players), detection, period, node.lifted)
            for seat, by_whom in self._by_whom(h, detection.card, turns, [log_ratio for _, log_ratio in fits], over):
                if not self._below_bound(here + by_whom, left):
                    laid = self._with_laid(h, detection, seat, fits[seat][0], seat not in turns, period)
                    yield node._replace(h=laid._replace(logp=here + by_whom), detections=left, lifted=None)

    def _by_whom(
        self, h: Hypothesis, card: Card | None, turns: frozenset[int], hands: Sequence[float], over: Sequence[float]
    ) -> list[tuple[int, float]]:
        """Who may have laid a card, and what speaks for each. hands, over: what his hand, and what lies below, say."""
        says = [
            hands[seat] + over[seat] + self._turn_log_prior(seat, turns) + self._held(h, seat, card)
            for seat in range(self.game.players)
        ]
        ways = list(enumerate(says))
        # Whoever put down a foreign card, it counts for nothing.
        return [max(ways, key=itemgetter(1))] if self.game.is_foreign(card) else ways

    def _turn_log_prior(self, seat: int, turns: frozenset[int]) -> float:
        """The prior of this seat's laying a card now."""
        return log(1 / len(turns) if seat in turns else RARE)

    def _held(self, h: Hypothesis, seat: int, card: Card | None) -> float:
        """How likely this seat holds this card, and none that it would have had to lay instead. Where one hand lies
        open, that seat lays what lay there, and no other does."""
        hand, held = self.observation.open_hand, self.observation.in_open_hand(card)
        if hand is not None and held != (seat == hand.seat):
            return log(RARE if held else ODD)
        lacked = h.lacks[seat] if h.lacks else NO_CARDS
        return log(ODD if card in lacked else max(ODD, self._as_he_must(h, lacked, card)))

    def _as_he_must(self, h: Hypothesis, lacked: frozenset[Card], card: Card | None) -> float:
        """How much likelier than any other this card is of a hand that holds none of what it lacks: of the cards that
        are left it may hold any, and lays what it must."""
        before = () if whole(self.game, h) else tuple(known_plays(self.game, h))
        if not before or len(before) < len(h.trick) or card is None or card not in self.game.whole_pack:
            return 1.0
        unseen = (self.game.whole_pack - h.played - h.named() - lacked - {h.turn_up}) | {card}
        known = before, h.trump, h.done, unseen
        if known not in self._free:
            self._free[known] = self._how_free(h, before, unseen)
        return self._free[known].get(card, 1.0)

    def _how_free(self, h: Hypothesis, before: Sequence[Card], unseen: frozenset[Card]) -> Mapping[Card, float]:
        """Of each of these cards, how many of all hands with it need not lay another before it; their mean is 1."""
        others, trick, trumps = min(self.game.hand, self.game.tricks - h.done) - 1, h.done + 1, may_be_trump(h)

        def hands_with(card: Card) -> int:
            owed = (len(unseen & self.game.forbidden(before, card, trump, trick)) for trump in trumps)
            return sum(math.comb(len(unseen) - 1 - many, others) for many in owed)

        hands = {card: hands_with(card) for card in unseen}
        every = sum(hands.values())
        return {card: len(unseen) * many / every for card, many in hands.items()} if every else {}

    def _laid_here(self, h: Hypothesis, detection: Detection, period: StillPeriod, far_out: bool) -> float:
        """What is odd about this card's being laid now, and here."""
        odd = log(ODD) if far_out else 0.0
        odd += log(RARE) if whole(self.game, h) else 0.0  # The trick before lies there still, or some of it.
        odd += log(RARE) if _pillage_goes_on(h) else 0.0
        odd += self._odd_card(h, detection, period)
        return odd if period.came(detection.card, detection.at) else odd + log(ODD)

    def _odd_card(self, h: Hypothesis, detection: Detection, period: StillPeriod) -> float:
        """What is odd about this card's being laid, wherever it lies."""
        odd = log(SOME) if period.lay_there(detection.card, detection.at) else 0.0
        faults = detection.card in h.played, self.game.is_foreign(detection.card)
        odd += sum(faults) * log(RARE)
        # Where print shows anyway, what cannot be read tells less of a card.
        return odd + (min(0.0, log(ODD) - detection.unexplained) + detection.log_card_like if detection.unread else 0.0)

    def _is_far_out(self, h: Hypothesis, detection: Detection, period: StillPeriod) -> bool:
        """Whether it lies where no card is played, and beside none of its trick."""
        if any(thing.at is not None and apart(thing.at, detection.at) < period.length for thing in h.lying):
            return False
        return not self.observation.reach.inside(detection.at)

    def _over_others(self, h: Hypothesis, detection: Detection, period: StillPeriod, far_out: bool) -> list[float]:
        """For each player, what it costs that he laid it right over another card. Over his own it costs nothing where
        he leads before the trick is taken up: he lays both in the same place."""
        own = {laid.uid: laid.seat for laid in h.trick} if whole(self.game, h) else {}
        over = [(own.get(thing.uid), self._over(detection, thing, period, far_out)) for thing in h.things]
        return [min((cost for of, cost in over if of != seat), default=0.0) for seat in range(self.game.players)]

    def _over(self, detection: Detection, thing: Thing, period: StillPeriod, far_out: bool) -> float:
        """What it costs that it lies right over another card, or covers the turned-up card fully. far_out: that it lies
        where no card is played costs enough."""
        if not near(thing.at, detection.at, period.length, sure=thing.kind != TURN_UP):
            return 0.0
        just_there = near(thing.at, detection.at, period.length, sure=True) and not (detection.unread or far_out)
        instead = thing.kind == TURN_UP and just_there and thing.card not in period.looks[-1].named
        return log(SOME) + (log(ODD) if instead else 0.0)

    def _with_laid(
        self, h: Hypothesis, detection: Detection, seat: int, hand: int | None, fault: bool, period: StillPeriod
    ) -> Hypothesis:
        """The hypothesis by which this seat laid it; over a whole trick, that is left lying."""
        early = whole(self.game, h)
        if early:
            h = self._counted(h._replace(things=_left(h.things, h.lying), hands_since=0))
        second = any(laid.seat == seat for laid in h.trick)
        played = not (second or self.game.is_foreign(detection.card))
        things = tuple(thing for thing in h.things if thing.kind != TURN_UP or detection.card != thing.card)
        step = Step(
            LAY, seat, detection.card, h.serial, (), h.uid, detection.maybe, detection.at, hand, period.number, early,
            bool(h.trick),
        )  # fmt: skip
        laid = TrickCard(seat, detection.card, h.uid, fault) if played else None
        thing = detection.thing(h.uid, TRICK if played else BESIDE)
        return _in_trick(h._replace(things=(*things, thing)), step, laid)

    def _lays_unseen(self, node: Node, gone: Sequence[Thing], period: StillPeriod) -> Iterator[Node]:
        """A card that nobody saw: of whose turn it is; at a glance, which an arm hides much of, of whose it may be."""
        h = node.h
        turns = turn(self.game, h) if h.trick else h.leads
        if whole(self.game, h) or node.unseen >= self.game.players:
            return
        if not node.detections and not _trick_is_missing(h, gone, period):
            return
        if single(turns) is None and not period.looks[-1].glance:
            return
        for seat in turns:
            hand, log_likelihood = self._hands.laid_unseen(h, seat, period)
            step = Step(LAY, seat, None, h.serial, (), h.uid, (), None, hand, period.number, beside=bool(h.trick))
            now = _in_trick(h, step, TrickCard(seat, None, h.uid))
            logp = h.logp + log_likelihood + self._turn_log_prior(seat, turns)
            yield node._replace(h=now._replace(logp=logp), unseen=node.unseen + 1)

    # -- a card is taken back ----------------------------------------------------------------------------------------

    def _lifts(self, node: Node, gone: Sequence[Thing], period: StillPeriod) -> Iterator[Node]:
        """A card of the trick was taken back, or one that lay beside it."""
        h, seen = node.h, period.looks[-1]
        may = (*gone, *(thing for thing in h.things if thing.kind == BESIDE)) if node.lifted is None else ()
        for thing in may:
            if thing.card not in seen.named:
                yield self._lifted(node, thing, period)

    def _lifted(self, node: Node, thing: Thing, period: StillPeriod) -> Node:
        """The hypothesis by which this was taken back."""
        h = node.h
        laid = next((laid for laid in h.trick if laid.uid == thing.uid), None)
        hand, log_ratio = self._hands.took(h, None if laid is None else laid.seat, period, at=thing.at)
        step = Step(LIFT, None, thing.card, h.serial, (), thing.uid, (), None, hand, period.number)
        trick = tuple(laid for laid in h.trick if laid.uid != thing.uid)
        now = h.without([thing]).did(step, log(self._lift_prior(h, laid)) + log_ratio, trick=trick)
        if h.trick and not now.trick:
            before = now._replace(trick=h.last)
            now = now._replace(leads=winners(self.game, before) if h.last and h.done else h.leads)
        return node._replace(h=now, lifted=NO_HAND if hand is None else hand)

    def _lift_prior(self, h: Hypothesis, laid: TrickCard | None) -> float:
        """The prior of this card's being taken back; None: one beside the trick."""
        if laid is None or laid.fault:
            return EVEN
        return ODD * EVEN if laid is h.trick[-1] else RARE

    # -- a trick goes ------------------------------------------------------------------------------------------------

    def _trick_goes(self, node: Node, gone: Sequence[Thing], period: StillPeriod) -> Iterator[Node]:
        """A whole trick was taken up; or all of an unfinished one went, and will be laid out again."""
        h = node.h
        if whole(self.game, h):
            if gone or node.detections or not h.lying:
                yield node._replace(h=self._gathered(h, gone, period))
        elif h.trick and len(gone) == len(h.lying):
            yield node._replace(h=h.without(h.lying)._replace(logp=h.logp + log(RARE)))

    def _gathered(self, h: Hypothesis, gone: Sequence[Thing], period: StillPeriod) -> Hypothesis:
        """The trick was taken up."""
        lie = [thing for thing in h.lying if thing not in gone]
        log_likelihood = log(EVEN) + ((1 + len(lie)) * log(SOME) if lie else 0.0)  # So much of it lies there still.
        won = winners(self.game, h)
        hand, log_ratio = self._hands.took(h, single(won), period)
        things = tuple(thing for thing in _left(h.without(gone).things, lie) if thing.kind != BESIDE)
        step = Step(GATHER, None, None, h.serial, (), 0, (), None, hand, period.number)
        return self._counted(h.did(step, log_likelihood + log_ratio, things=things, leads=won))

    def _counted(self, h: Hypothesis) -> Hypothesis:
        """A trick is done."""
        played = h.played | frozenset(laid.card for laid in h.trick if laid.card)
        done = h.done + 1
        over = done >= self.game.tricks
        return h._replace(
            played=frozenset() if over else played,
            lacks=() if over else lacks_after(self.game, h),
            done=done,
            serial=h.serial + 1,
            trick=(),
            last=h.trick,
            idle=(),
            phase=WAITING if over else PLAYING,
        )


def _trick_is_missing(h: Hypothesis, gone: Sequence[Thing], period: StillPeriod) -> bool:
    """Whether some of a trick went, or all of it, unseen."""
    return bool(gone or (period.put_aside and not h.lying)) and bool(h.trick or h.done)


def _left(things: Sequence[Thing], lie: Sequence[Thing]) -> tuple[Thing, ...]:
    """Things, of which these are what is left of a trick."""
    return tuple(thing._replace(kind=LEFT) if thing in lie else thing for thing in things)


def _pillage_goes_on(h: Hypothesis) -> bool:
    """Whether the turned-up card was bought, or is being paid for, and the next is not turned up yet."""
    if h.done or h.trick:
        return False
    return any(thing.kind == PAYS for thing in h.things) or (h.turn_up is not None and h.turned_up is None)


def _in_trick(h: Hypothesis, step: Step, laid: TrickCard | None) -> Hypothesis:
    """The hypothesis with one more card laid. laid: the card, where it counts as one of the trick."""
    h = h.did(step, 0.0, uid=h.uid + 1)
    if laid is None:
        return h
    return h._replace(trick=(*h.trick, laid), leads=h.leads if h.trick else frozenset({laid.seat}))


def _with(node: Node, nexts: Iterator[tuple[Hypothesis, tuple[Detection, ...]]]) -> Iterator[Node]:
    """The node with each hypothesis that goes on from it, and what that leaves unexplained."""
    return (node._replace(h=h, detections=detections) for h, detections in nexts)
