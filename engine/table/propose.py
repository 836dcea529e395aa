"""What may have happened since the look before: the few sequences of acts that explain what is seen now.

No rule of the game forbids a proposal: what is illegal only has a poor prior.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.cards import Card
from engine.rules.tricks import TrickGame
from engine.seats import single
from engine.sightings import CardLying, apart
from engine.table.acts import EVEN, GATHER, LAY, LIFT, ODD, RARE, SOME, Width
from engine.table.arms import over_the_middle
from engine.table.came import Came, Item
from engine.table.dealing import Dealing
from engine.table.evidence import Rest, Seen, Weigher, merged
from engine.table.hands import Hands
from engine.table.history import (
    AT_ALL,
    BESIDE,
    HANDS_KNOWN,
    LEFT,
    PAYS,
    PLAYING,
    TRICK,
    TURN_UP,
    WAITING,
    History,
    Step,
    Thing,
    TrickCard,
)
from engine.table.late_identification import LateIdentification
from engine.table.places import EDGE, near
from engine.table.turn_order import turn, whole, winners

log = math.log
HOPELESS = 16.0
"""Log-probability below another that leaves as much to be explained, beyond which an account is not followed."""


class Node(NamedTuple):
    """A history under way, and what is left to be explained."""

    h: History
    items: tuple[Item, ...]
    unseen: int = 0
    lifted: int | None = None
    """The hand that took a card back, and may have laid another."""


class Proposer:
    """Continues accounts of one table."""

    def __init__(self, game: TrickGame, width: Width, weigher: Weigher) -> None:
        self.game, self.width, self.weigher = game, width, weigher
        self._hands = Hands(weigher)
        self._came = Came(game, weigher)
        self._reading = LateIdentification(game, weigher, self._came)
        self._dealing = Dealing(game, weigher, self._hands, self._came)
        self._best: dict[int, float] = {}
        """How likely the likeliest account is so far of which so many things are left to be explained: those gain as
        much yet."""

    def begin(self) -> None:
        """Another look: nothing is proposed yet."""
        self._best = {}

    def _hopeless(self, logp: float, items: Sequence[Item]) -> bool:
        """Whether an account is far behind another of which as much is left to be explained."""
        best = self._best[len(items)] = max(self._best.get(len(items), -math.inf), logp)
        return logp < best - HOPELESS

    def futures(self, base: History, rest: Rest, next_leads: frozenset[int]) -> list[History]:
        """Every account of what happened since, this one before."""
        named, doubts = merged(rest.looks, rest.length)
        started = self._dealing.drawn(self._tidied(self._began(base, named, rest), named, rest), named, rest)
        out: list[History] = []
        for before in self._reading.read(started, named, doubts, rest):
            h = self._unseen_still(before, rest)
            items = self._came.items(h, named, doubts, rest)
            if not self._hopeless(h.logp, items):
                out += self._grown(Node(h, items), named, rest, next_leads)
        left = any(thing.kind == LEFT and thing.card not in named for thing in base.things)
        return [self._put_aside(hypothesis, rest) for hypothesis in out] if rest.put_aside and not left else out

    def _put_aside(self, h: History, rest: Rest) -> History:
        """Something without a face came to rest at somebody's place: rather a trick that went, or what was left of
        one."""
        went = any(step.kind not in (LAY, LIFT) and step.rest >= rest.main_before for step in h.steps)
        if rest.looks[-1].glance or went or h.phase != PLAYING or not (h.trick or h.done):
            return h
        return h._replace(logp=h.logp + log(SOME))

    def _grown(
        self, node: Node, named: Mapping[Card, CardLying], rest: Rest, next_leads: frozenset[int]
    ) -> Iterator[History]:
        """An account with no more acts, with one, with two, and so on: always the likeliest few."""
        frontier = [node]
        for _ in range(self.game.players + 3):
            yield from (self._shown(node, rest) if node.h.phase != PLAYING else node.h for node in frontier)
            grown = [node for before in frontier for node in self._expand(before, named, rest, next_leads)]
            grown = [node for node in grown if not self._hopeless(node.h.logp, node.items)]
            grown.sort(key=lambda node: node.h.logp + sum(item.unexplained for item in node.items), reverse=True)
            frontier = grown[: self.width.wide]
            if not frontier:
                break

    # -- before anything is laid -------------------------------------------------------------------------------------

    def _began(self, h: History, named: Mapping[Card, CardLying], rest: Rest) -> History:
        """The hands that came, which may have done nothing."""
        farther = [number for number in rest.farther if number not in h.used]
        came = (*farther, *rest.new)
        paid = len(farther) * log(EVEN)  # When they were first seen, at the edge.
        idle = sum(self._hands.idle(h, rest.hands[number], rest) for number in came) - paid
        middle = (number for number in came if over_the_middle(rest.hands[number]))
        h = h._replace(logp=h.logp + idle, idle=(*h.idle, *middle)[-HANDS_KNOWN:])
        return h._replace(hands_since=self._hands_since(h, named, rest)) if rest.new else h

    def _hands_since(self, h: History, named: Mapping[Card, CardLying], rest: Rest) -> int:
        """How many hands came since a card of a trick lay there, or tricks were counted."""
        if (h.phase == WAITING and rest.spread) or any(thing.card in named for thing in h.lying):
            return 0
        gone = all(thing.missed[AT_ALL] for thing in h.lying)  # At the rest before already.
        return len(rest.new) + (h.hands_since if gone else 0)

    def _shown(self, node: Node, rest: Rest) -> History:
        """Between deals, a card that was only shown was brought by a hand too."""
        h, new = node.h, [item for item in node.items if item.card not in rest.faces_before]
        unseen = any(step.kind == LAY and step.card is None and step.rest == rest.number for step in h.steps)
        if unseen and any(self.weigher.reach.out(item.at) < 1 for item in new):  # Rather what was seen is the card.
            return h._replace(logp=h.logp + log(RARE))
        put = max((self._hands.any_put(h, item.at, rest) for item in new), default=0.0)
        return h._replace(logp=h.logp + max(0.0, put, self._taken_away(h, rest)))

    def _taken_away(self, h: History, rest: Rest) -> float:
        """What speaks for a hand's having taken away a card that was only shown."""
        shown = rest.faces_before - {h.turn_up, *(laid.card for laid in h.last)}
        if not shown - rest.looks[-1].named.keys():
            return 0.0
        return -min((self._hands.idle(h, rest.hands[number], rest) for number in rest.new), default=0.0)

    def _tidied(self, h: History, named: Mapping[Card, CardLying], rest: Rest) -> History:
        """What was left of a gathered trick goes too."""
        gone = [thing for thing in h.things if thing.kind == LEFT and thing.card not in named]
        if not gone:
            return h
        won = winners(self.game, h._replace(trick=h.last)) if h.last else frozenset()
        hand, fit = self._hands.took(h, single(won), rest)
        return h.without(gone).by(hand)._replace(logp=h.logp + fit)

    def _unseen_still(self, h: History, rest: Rest) -> History:
        """The table rests, and what went unseen at a glance is not seen now either."""
        if rest.looks[-1].glance:
            return h
        there = {thing.uid for thing in h.things}
        late = {step.uid for step in h.steps if step.rest > rest.main_before and step.rest != rest.number}
        many = sum(laid.card is None and laid.uid in late - there for laid in h.trick)
        worth = self._hands.unseen(rest) - log(SOME)
        return h._replace(logp=h.logp + many * worth) if many else h

    # -- acts --------------------------------------------------------------------------------------------------------

    def _expand(
        self, node: Node, named: Mapping[Card, CardLying], rest: Rest, next_leads: frozenset[int]
    ) -> Iterator[Node]:
        """The account with one more act."""
        h, items, dealing = node.h, node.items, self._dealing
        if h.phase != PLAYING:
            yield from _with(node, dealing.begins(h, items, rest, next_leads))
            yield from _with(node, dealing.claims(h, items, rest))
            return
        gone = [thing for thing in h.lying if self._is_gone(thing, rest)]
        yield from self._trick_goes(node, gone, rest)
        yield from self._lays(node, rest)
        if items or not rest.looks[-1].glance:  # A glance shows what lies there, hardly ever what went.
            yield from self._lays_unseen(node, gone, rest)
            yield from self._lifts(node, gone, rest)
        yield from _with(node, dealing.swaps(h, items, named, rest))
        yield from _with(node, dealing.claims(h, items, rest))
        if not h.trick:
            yield from _with(node, dealing.otherwise(h, items, named, rest, next_leads))
        elif items and len(gone) == len(h.lying):
            yield from _with(node, dealing.given_up(h, items, rest, next_leads))

    def _is_gone(self, thing: Thing, rest: Rest) -> bool:
        """Whether the last look does not show a card of the trick."""
        seen = rest.looks[-1]
        now = seen.named.get(thing.card or "")
        if now is not None:
            return self._carried_off(thing, now, seen.length)
        if thing.card in seen.hidden:
            return False
        doubts = (lying for lying in seen.doubts if not seen.stood_there(lying.at))
        return not any(thing.card in lying.candidates and self._came.part_of(lying, thing, rest) for lying in doubts)

    def _carried_off(self, thing: Thing, now: CardLying, length: float) -> bool:
        """Whether a card of the trick lies at somebody's place now."""
        out = self.weigher.reach.out
        moved = thing.at is not None and apart(thing.at, now.at) > length
        return moved and out(now.at) > max(EDGE, out(thing.at or now.at))

    # -- a card is laid ----------------------------------------------------------------------------------------------

    def _lays(self, node: Node, rest: Rest) -> Iterator[Node]:
        """One of the things that came was laid, by whomever."""
        h, lead = node.h, whole(self.game, node.h)
        if lead and h.done + 1 >= self.game.tricks:
            return
        turns = winners(self.game, h) if lead else turn(self.game, h) if h.trick else h.leads
        for item in node.items:
            left = tuple(other for other in node.items if other is not item)
            here = self._laid_here(h, item, rest)
            for seat in range(self.game.players):
                hand, fit = self._hands.laid(h, seat, item, rest, node.lifted)
                logp = h.logp + sum(here, self._whose(seat, turns)) + fit
                if not self._hopeless(logp, left):
                    laid = self._with_laid(h, item, seat, hand, seat not in turns, rest)
                    yield node._replace(h=laid._replace(logp=logp), items=left, lifted=None)

    def _whose(self, seat: int, turns: frozenset[int]) -> float:
        """The prior of this seat's laying a card now."""
        return log(1 / len(turns) if seat in turns else RARE)

    def _laid_here(self, h: History, item: Item, rest: Rest) -> list[float]:
        """What is odd about this card's being laid now, and here."""
        far_out = self._is_far_out(h, item, rest)
        odd = log(ODD) if far_out else 0.0
        odd += log(RARE) if _pillage_goes_on(h) else 0.0
        odd += self._odd_card(h, item, rest)
        # What is seen at a glance may be gone before the next rest, and then that shows no change.
        came_since = rest.looks[-1].glance and item.card not in rest.faces_before
        return [
            odd,
            min((self._over(item, thing, rest, far_out) for thing in h.things), default=0.0),
            self._early(h),
            0.0 if came_since or rest.put_there(item.at) else log(ODD),
        ]

    def _odd_card(self, h: History, item: Item, rest: Rest) -> float:
        """What is odd about this card's being laid, wherever it lies."""
        odd = log(SOME) if rest.lay_there(item.card, item.at) else 0.0
        faults = item.card in h.played, item.card is not None and item.card not in self.game.whole_pack
        odd += sum(faults) * log(RARE)
        # Where print shows anyway, what cannot be read tells less of a card.
        return odd + (min(0.0, log(ODD) - item.unexplained) + item.like if item.unread else 0.0)

    def _is_far_out(self, h: History, item: Item, rest: Rest) -> bool:
        """Whether it lies where no card is played, or where the stock stood, and beside none of its trick."""
        if any(thing.at is not None and apart(thing.at, item.at) < rest.length for thing in h.lying):
            return False
        return self.weigher.reach.out(item.at) >= 1 or self._on_the_stock(h, item, rest)

    def _on_the_stock(self, h: History, item: Item, rest: Rest) -> bool:
        """Whether it lies where the stock stood: not where all is dealt, nor so near that cards are laid about it."""
        stands = not self.game.plays_whole_pack and (h.done or h.turned_up is None)
        if not stands or h.talon is None or self.weigher.reach.out(h.talon) <= EDGE:
            return False
        return near(h.talon, item.at, rest.length)

    def _early(self, h: History) -> float:
        """What it costs that the next card is laid while the whole trick still lies there, or some of it."""
        if not whole(self.game, h):
            return 0.0  # Rather all of it was taken up, where some of it is gone.
        return log(RARE) + (log(SOME) if len(h.lying) < len(h.trick) else 0.0)

    def _over(self, item: Item, thing: Thing, rest: Rest, far_out: bool) -> float:
        """What it costs that it lies right over another, or where the turned-up card is: just as that lay, so that
        nothing shows of it. far_out: that it lies where no card is played costs enough."""
        if not near(thing.at, item.at, rest.length, sure=thing.kind != TURN_UP):
            return 0.0
        just_there = near(thing.at, item.at, rest.length, sure=True) and not (item.unread or far_out)
        instead = thing.kind == TURN_UP and just_there and thing.card not in rest.looks[-1].named
        return log(SOME) + (log(ODD) if instead else 0.0)

    def _with_laid(self, h: History, item: Item, seat: int, hand: int | None, fault: bool, rest: Rest) -> History:
        """The account by which this seat laid it; over a whole trick, that is left lying."""
        early = whole(self.game, h)
        if early:
            h = self._counted(h._replace(things=_left(h.things, h.lying), hands_since=0))
        second = any(laid.seat == seat for laid in h.trick)
        played = not second and (item.card is None or item.card in self.game.whole_pack)
        kind = TRICK if played else BESIDE
        thing = Thing(h.uid, item.card, item.at, item.outlined, kind, item.maybe, likely=item.likely)
        things = tuple(thing for thing in h.things if thing.kind != TURN_UP or item.card != thing.card)
        beside = bool(h.trick)
        step = Step(LAY, seat, item.card, h.serial, (), h.uid, item.maybe, item.at, hand, rest.number, early, beside)
        laid = TrickCard(seat, item.card, item.maybe, h.uid, fault) if played else None
        return _in_trick(h._replace(things=(*things, thing)), step, laid)

    def _lays_unseen(self, node: Node, gone: Sequence[Thing], rest: Rest) -> Iterator[Node]:
        """A card of whose turn it is that nobody saw."""
        h = node.h
        seat = single(turn(self.game, h) if h.trick else h.leads)
        if seat is None or whole(self.game, h) or node.unseen >= self.game.players:
            return
        if not node.items and not _went(h, gone, rest):
            return
        hand, worth = self._hands.laid_unseen(h, seat, rest)
        step = Step(LAY, seat, None, h.serial, (), h.uid, (), None, hand, rest.number, beside=bool(h.trick))
        now = _in_trick(h, step, TrickCard(seat, None, (), h.uid))
        yield node._replace(h=now._replace(logp=h.logp + worth), unseen=node.unseen + 1)

    # -- a card is taken back ----------------------------------------------------------------------------------------

    def _lifts(self, node: Node, gone: Sequence[Thing], rest: Rest) -> Iterator[Node]:
        """A card of the trick was taken back, or one that lay beside it."""
        h, seen = node.h, rest.looks[-1]
        may = (*gone, *(thing for thing in h.things if thing.kind == BESIDE)) if node.lifted is None else ()
        for thing in may:
            if thing.card not in seen.named and not self._under_an_arm(thing, seen):
                yield self._lifted(node, thing, rest)

    def _lifted(self, node: Node, thing: Thing, rest: Rest) -> Node:
        """The account by which this was taken back."""
        h = node.h
        laid = next((laid for laid in h.trick if laid.uid == thing.uid), None)
        hand, fit = self._hands.took(h, None if laid is None else laid.seat, rest, lone=True, at=thing.at)
        step = Step(LIFT, None, thing.card, h.serial, (), thing.uid, (), None, hand, rest.number)
        now = h.without([thing]).by(hand)
        now = now._replace(
            logp=h.logp + log(self._lift(h, laid)) + fit + self._unchanged(thing, rest),
            steps=(*h.steps, step),
            trick=tuple(laid for laid in h.trick if laid.uid != thing.uid),
        )
        if h.trick and not now.trick:
            now = now._replace(leads=self._leads_before(now))
        return node._replace(h=now, lifted=-1 if hand is None else hand)

    def _under_an_arm(self, thing: Thing, seen: Seen) -> bool:
        """Whether an arm may lie over a thing at a glance: not where a face is seen."""
        at = thing.at
        if not seen.glance or at is None or not seen.covered(at):
            return False
        return not any(near(at, lying.at, seen.length, sure=True) for lying in seen.named.values())

    def _lift(self, h: History, laid: TrickCard | None) -> float:
        """The prior of this card's being taken back; None: one beside the trick."""
        if laid is None:
            return EVEN
        if laid.fault:
            return EVEN
        if laid is h.trick[-1]:
            return ODD * EVEN
        return RARE

    def _unchanged(self, thing: Thing, rest: Rest) -> float:
        """What it costs that the table looks as before where something was taken away."""
        went = thing.at is None or rest.looks[-1].glance or rest.changes.went(thing.at, thing.outlined)
        return 0.0 if went else log(ODD)

    def _leads_before(self, h: History) -> frozenset[int]:
        """Who may lead, the lead having been taken back."""
        return winners(self.game, h._replace(trick=h.last)) if h.last and h.done else h.leads

    # -- a trick goes ------------------------------------------------------------------------------------------------

    def _trick_goes(self, node: Node, gone: Sequence[Thing], rest: Rest) -> Iterator[Node]:
        """A whole trick was taken up; or all of an unfinished one went, and will be laid out again."""
        h = node.h
        if whole(self.game, h):
            if gone or node.items or not h.lying:
                yield node._replace(h=self._gathered(h, gone, rest))
        elif h.trick and len(gone) == len(h.lying):
            yield node._replace(h=h.without(h.lying)._replace(logp=h.logp + log(RARE)))

    def _gathered(self, h: History, gone: Sequence[Thing], rest: Rest) -> History:
        """The trick was taken up."""
        lie = [thing for thing in h.lying if thing not in gone]
        worth = log(EVEN) + (self._in_parts(gone, lie, rest) if lie else 0.0)
        won = winners(self.game, h)
        hand, fit = self._hands.took(h, single(won), rest)
        things = _left(h.without(gone).things, lie)
        step = Step(GATHER, None, None, h.serial, (), 0, (), None, hand, rest.number)
        now = h.by(hand)._replace(
            logp=h.logp + worth + fit,
            steps=(*h.steps, step),
            things=tuple(thing for thing in things if thing.kind != BESIDE),
            leads=won,
        )
        return self._counted(now)

    def _in_parts(self, gone: Sequence[Thing], lie: Sequence[Thing], rest: Rest) -> float:
        """What it costs that so much of a trick lies there still: and that nothing changed where the rest went, which
        was only hidden then."""
        went = max((self._unchanged(thing, rest) for thing in gone), default=0.0)
        return log(SOME) + len(lie) * log(SOME) + went

    def _counted(self, h: History) -> History:
        """A trick is done."""
        played = h.played | frozenset(laid.card for laid in h.trick if laid.card)
        done = h.done + 1
        over = done >= self.game.tricks
        return h._replace(
            played=frozenset() if over else played,
            done=done,
            serial=h.serial + 1,
            trick=(),
            last=h.trick,
            idle=(),
            phase=WAITING if over else PLAYING,
        )


def _went(h: History, gone: Sequence[Thing], rest: Rest) -> bool:
    """Whether some of a trick went, or all of it, unseen."""
    return bool(gone or (rest.put_aside and not h.lying)) and bool(h.trick or h.done)


def _left(things: Sequence[Thing], lie: Sequence[Thing]) -> tuple[Thing, ...]:
    """Things, of which these are what is left of a trick."""
    return tuple(thing._replace(kind=LEFT) if thing in lie else thing for thing in things)


def _pillage_goes_on(h: History) -> bool:
    """Whether the turned-up card was bought, or is being paid for, and the next is not turned up yet."""
    if h.done or h.trick:
        return False
    return any(thing.kind == PAYS for thing in h.things) or (h.turn_up is not None and h.turned_up is None)


def _in_trick(h: History, step: Step, laid: TrickCard | None) -> History:
    """The account with one more card laid. laid: the card, where it counts as one of the trick."""
    h = h.by(step.hand)._replace(steps=(*h.steps, step), uid=h.uid + 1)
    if laid is None:
        return h
    return h._replace(trick=(*h.trick, laid), leads=h.leads if h.trick else frozenset({laid.seat}))


def _with(node: Node, nexts: Iterator[tuple[History, tuple[Item, ...]]]) -> Iterator[Node]:
    """The same, for accounts that go on so."""
    return (node._replace(h=h, items=items) for h, items in nexts)
