"""What may have happened since the look before: the few sequences of acts that explain what is seen now.

No rule of the game forbids a proposal: what is illegal only has a poor prior.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import Card, suit_of
from engine.rules.tricks import TrickGame
from engine.seats import order_from
from engine.sightings import CardLying, Point, apart
from engine.table.acts import DEAL, GATHER, LAY, LIFT, PILLAGE, SWAP, VOID, Priors
from engine.table.arms import over_the_middle
from engine.table.evidence import Rest, Weigher, merged
from engine.table.history import BESIDE, LEFT, PAYS, PLAYING, TRICK, TURN_UP, WAITING, History, Laid, Step, Thing

log = math.log
TOO_SOON_S = 0.25
"""A hand that came so shortly before a look laid nothing of what it shows."""
SHORT_LIST = 3
"""Names that something unread may have at most, if it is taken for the only one of them that is left."""


class Item(NamedTuple):
    """Something that came."""

    card: Card | None
    at: Point
    outlined: bool
    maybe: tuple[Card, ...] = ()
    unexplained: float = 0.0
    """What it costs an account that does not explain it."""


class Node(NamedTuple):
    """A history under way, and what is left to be explained."""

    h: History
    items: tuple[Item, ...]
    unseen: int = 0
    lifted: int | None = None
    """The hand that took a card back, and may have laid another."""


class Proposer:
    """Continues accounts of one table."""

    def __init__(self, game: TrickGame, priors: Priors, weigher: Weigher) -> None:
        self.game, self.p, self.weigher = game, priors, weigher
        self._best = -math.inf
        """The likeliest account so far of what happened since, before it is weighed in full."""

    def begin(self) -> None:
        """Another look: nothing is proposed yet."""
        self._best = -math.inf

    def _hopeless(self, logp: float, items: Sequence[Item]) -> bool:
        """Whether an account with these things unexplained is far behind; else it may be the best yet."""
        likely = logp + sum(one.unexplained for one in items)
        self._best = max(self._best, likely)
        return likely < self._best - self.p.margin - 2

    def futures(self, base: History, rest: Rest, next_leads: frozenset[int]) -> list[History]:
        """Every account of what happened since, this one before."""
        named, doubts = merged(rest.looks, rest.length)
        started = self._drawn(self._tidied(self._began(base, named, rest), named, rest), named, rest)
        out: list[History] = []
        for before in self._recognised(started, named, rest):
            h = self._unseen_still(before, rest)
            items = self._items(h, named, doubts, rest)
            if self._hopeless(h.logp, items):
                continue
            frontier = [Node(h, items)]
            for _ in range(self.game.players + 3):
                out += [self._shown(node, rest) if node.h.phase != PLAYING else node.h for node in frontier]
                grown = [one for node in frontier for one in self._expand(node, named, rest, next_leads)]
                grown = [one for one in grown if not self._hopeless(one.h.logp, one.items)]
                grown.sort(key=lambda one: one.h.logp + sum(item.unexplained for item in one.items), reverse=True)
                frontier = grown[: self.p.wide]
                if not frontier:
                    break
        return out

    # -- before anything is laid -------------------------------------------------------------------------------------

    def _began(self, h: History, named: dict[Card, CardLying], rest: Rest) -> History:
        """The hands that came, which may have done nothing."""
        if not rest.new:
            return h
        idle = sum(self.weigher.idle(rest.hands[one]) for one in rest.new)
        middle = tuple(one for one in rest.new if over_the_middle(rest.hands[one]))
        lay = [one for one in h.things if one.kind == TRICK]
        lies = any(one.card in named for one in lay)
        since = 0 if lies else h.hands_since + len(rest.new) if not lay else len(rest.new) - 1
        return h._replace(logp=h.logp + idle, idle=(*h.idle, *middle)[-5:], hands_since=since)

    def _shown(self, node: Node, rest: Rest) -> History:
        """Between deals, a card that was only shown was brought by a hand too."""
        new = [one for one in node.items if one.card not in rest.faces_before]
        worth = max((self._put(one.at, rest) for one in new), default=0.0)
        return node.h._replace(logp=node.h.logp + max(0.0, worth))

    def _tidied(self, h: History, named: dict[Card, CardLying], rest: Rest) -> History:
        """What was left of a gathered trick goes too."""
        gone = [one for one in h.things if one.kind == LEFT and one.card not in named]
        if not gone:
            return h
        hand, fit = self._taking_hand(h, None, rest)
        return h._replace(
            logp=h.logp + log(self.p.left_goes) + fit,
            things=tuple(one for one in h.things if one not in gone),
            used=h.used if hand is None else (*h.used, hand)[-8:],
        )

    def _drawn(self, h: History, named: dict[Card, CardLying], rest: Rest) -> History:
        """The turned-up card was drawn, once it may be and does not lie there any more."""
        there = next((one for one in h.things if one.kind == TURN_UP), None)
        now = named.get(there.card or "") if there is not None else None
        if there is None or (h.phase == PLAYING and not self._may_be_drawn(h)):
            return h
        if h.phase != PLAYING:  # It was gathered with the rest.
            went = now is None and rest.new and there.card not in rest.looks[-1].hidden
            return h._replace(things=tuple(one for one in h.things if one is not there)) if went else h
        if now is not None and (there.at is None or apart(now.at, there.at) < rest.length):
            return h
        return h._replace(things=tuple(one for one in h.things if one is not there))

    def _recognised(self, h: History, named: dict[Card, CardLying], rest: Rest) -> list[History]:
        """The account as it is, and with what could not be read, or was misread, read now."""
        h = self._returned(h, named)
        out = [h]
        known = h.named() | h.played | {h.turn_up}
        fresh = [one for card, one in named.items() if card not in known and card in self.game.whole_pack]
        for one in fresh[: self.game.players + 1]:
            out += [now for before in out[:3] for now in self._read_now(before, one, named, rest)]
        return out[:8]

    def _returned(self, h: History, named: dict[Card, CardLying]) -> History:
        """Cards of the trick that were not there any more, or not seen yet."""
        have = {one.card for one in h.things}
        back = [one for one in h.trick if one.card and one.card not in have and one.card in named]
        back = [one for one in back if math.hypot(*named[one.card or ""].at) < self.weigher.zone]
        for one in back:
            seen = named[one.card or ""]
            thing = Thing(one.uid, one.card, seen.at, seen.outlined, TRICK)
            h = h._replace(things=(*h.things, thing))
        return h._replace(logp=h.logp + log(self.p.again)) if back else h

    def _read_now(self, h: History, one: CardLying, named: dict[Card, CardLying], rest: Rest) -> Iterator[History]:
        card = one.card
        assert card is not None
        if card in h.named():
            return
        for place, thing in enumerate(h.things):
            if (
                thing.at is None
                or thing.card in named
                or apart(thing.at, one.at) > self._reach(thing, one) * rest.length
            ):
                continue
            likely = self._likely_name(thing, card)
            yield self._renamed(h, place, card, log(likely))
        unseen = next(
            (laid for laid in h.trick if laid.card is None and all(laid.uid != t.uid for t in h.things)), None
        )
        if unseen is not None and math.hypot(*one.at) < self.weigher.zone:
            thing = Thing(unseen.uid, card, one.at, one.outlined, TRICK)
            worth = self._shown_now(h, unseen, one, rest)
            yield self._renamed(h._replace(things=(*h.things, thing)), len(h.things), card, worth)
        laid = any(step.kind == LAY and step.card == card for step in h.steps)
        if h.phase == PLAYING and h.turn_up is None and not laid and math.hypot(*one.at) > self.weigher.zone * 0.5:
            thing = Thing(h.uid, card, one.at, one.outlined, TURN_UP)
            yield self._turned_up(h._replace(things=(thing, *h.things), uid=h.uid + 1), card)

    def _shown_now(self, h: History, laid: Laid, one: CardLying, rest: Rest) -> float:
        """What it costs that a card that went unseen is this one."""
        step = next((step for step in h.steps if step.uid == laid.uid and step.kind == LAY), None)
        if step is None or step.hand is None or step.hand not in rest.hands:
            return log(0.2)
        angle = self.weigher.arms.log_angle(rest.hands[step.hand].angle_deg, laid.seat)
        worth = log(self.p.seen_after_all if step.rest > rest.main_before else 0.2)
        return worth + self.weigher.fit(laid.seat, step.hand, one.at, rest) - angle

    def _unseen_still(self, h: History, rest: Rest) -> History:
        """The table rests, and what went unseen at a glance is not seen now either."""
        if rest.looks[-1].glance:
            return h
        there = {one.uid for one in h.things}
        late = {step.uid for step in h.steps if step.rest > rest.main_before and step.rest != rest.number}
        many = sum(one.card is None and one.uid in late - there for one in h.trick)
        return h._replace(logp=h.logp + many * log(self.p.unseen / self.p.unseen_at_a_glance)) if many else h

    def _likely_name(self, thing: Thing, card: Card) -> float:
        """How likely something that was not read, or read otherwise, is this card."""
        if thing.card is None:
            return 0.9 if card in thing.maybe or not thing.maybe else 0.03
        if thing.reads < 2:
            return self.p.misread_once
        return float(self.p.misread ** (1 + self.p.again_read * (thing.reads - 1)))

    def _reach(self, thing: Thing, one: CardLying) -> float:
        if thing.reads < 2 and thing.card is not None:
            return self.p.same_place  # It may have slid on.
        return self.p.same_card if thing.outlined and one.outlined else self.p.part_of_one

    def _renamed(self, h: History, place: int, card: Card, worth: float) -> History:
        """A thing is that card, and always was."""
        thing = h.things[place]
        things = (*h.things[:place], thing._replace(card=card, reads=0), *h.things[place + 1 :])
        if thing.kind == TURN_UP:
            return self._turned_up(h._replace(logp=h.logp + worth, things=things), card)
        trick = tuple(one._replace(card=card) if one.uid == thing.uid else one for one in h.trick)
        steps = tuple(one._replace(card=card) if one.kind == LAY and one.uid == thing.uid else one for one in h.steps)
        return h._replace(logp=h.logp + worth, things=things, trick=trick, steps=steps)

    def _turned_up(self, h: History, card: Card) -> History:
        """The turned-up card of this deal is known now."""
        last = max((k for k, one in enumerate(h.steps) if one.kind in (DEAL, PILLAGE)), default=None)
        if last is None or h.steps[last].kind == PILLAGE:
            if last is not None:
                now = h.steps[last]._replace(more=(*h.steps[last].more[:1], card))
                h = h._replace(steps=(*h.steps[:last], now, *h.steps[last + 1 :]))
            return h._replace(turn_up=card, trump=h.trump or suit_of(card))
        steps = (*h.steps[:last], h.steps[last]._replace(card=card), *h.steps[last + 1 :])
        return h._replace(steps=steps, turn_up=card, trump=suit_of(card))

    def _items(
        self, h: History, named: dict[Card, CardLying], doubts: Sequence[CardLying], rest: Rest
    ) -> tuple[Item, ...]:
        """What came that this account knows nothing of."""
        have = h.named() - {one.card for one in h.things if self._was_drawn(one, h, named, rest)}
        items = []
        strange = sum(card in h.played for card, one in named.items() if math.hypot(*one.at) < self.weigher.zone)
        for card, one in named.items():
            if card in have or (h.phase == PLAYING and card == h.turn_up and not self._may_be_drawn(h)):
                continue
            if (
                card in h.played
                and h.hands_since <= self.game.players
                and (strange > 1 or math.hypot(*one.at) > self.weigher.zone * 0.75)
            ):
                continue
            if card not in self.game.whole_pack and math.hypot(*one.at) > self.weigher.zone:
                continue
            items.append(Item(card, one.at, one.outlined, (), self.weigher.stray(h, card, one, 0)))
        for one in doubts:
            near = any(self._part_of(one, thing, rest) for thing in h.things)
            may_be = not one.candidates or any(card in self.game.whole_pack for card in one.candidates)
            inside = math.hypot(*one.at) < self.weigher.zone or self._on_the_talon(h, one.at, rest)
            stood = rest.looks[-1].stood_there(one.at)
            if not near and may_be and inside and not stood and rest.put_there(one.at):
                items.append(self._doubt(h, one, named))
        if len(items) > self.game.players + 2:
            return ()
        return tuple(items)

    @staticmethod
    def _was_drawn(thing: Thing, h: History, named: dict[Card, CardLying], rest: Rest) -> bool:
        """Whether a card that was put where the turned-up one belongs was laid since."""
        now = named.get(thing.card) if thing.card else None
        if thing.kind != TURN_UP or thing.card == h.turn_up or now is None or thing.at is None:
            return False
        return apart(now.at, thing.at) > rest.length

    def _doubt(self, h: History, one: CardLying, named: dict[Card, CardLying]) -> Item:
        """What cannot be read; if it may be but one card still, that one."""
        known = h.named() | h.played | named.keys() | {h.turn_up}
        left = [card for card in one.candidates if card in self.game.whole_pack and card not in known]
        sole = left[0] if len(left) == 1 and len(one.candidates) <= SHORT_LIST else None
        return Item(sole, one.at, False, one.candidates, log(self.p.doubt))

    def _on_the_talon(self, h: History, at: Point, rest: Rest) -> bool:
        """Whether the next card may have been turned up there."""
        if h.talon is None or h.done or h.trick or not self._pillage_may_be(h):
            return False
        return apart(at, h.talon) < self.p.talon * rest.length

    def _part_of(self, doubt: CardLying, thing: Thing, rest: Rest) -> bool:
        """Whether what cannot be read may be a corner of this."""
        if thing.at is None or apart(doubt.at, thing.at) > self.p.part_of_one * rest.length:
            return False
        names = thing.maybe if thing.card is None else (thing.card,)
        return not doubt.candidates or not names or bool({*names} & {*doubt.candidates})

    def _may_be_drawn(self, h: History) -> bool:
        """Whether the turned-up card may lie anywhere."""
        return self.game.turn_up_may_be_played(h.done + 1 + (len(h.trick) == self.game.players))

    # -- acts --------------------------------------------------------------------------------------------------------

    def _expand(
        self, node: Node, named: dict[Card, CardLying], rest: Rest, next_leads: frozenset[int]
    ) -> Iterator[Node]:
        h = node.h
        if h.phase != PLAYING:
            yield from self._deals(node, rest, next_leads)
            return
        whole = len(h.trick) == self.game.players
        gone = [one for one in h.things if self._is_gone(one, h, rest)]
        told = bool(node.items) or not rest.looks[-1].glance  # A glance shows what lies there, hardly ever what went.
        if whole and (gone or node.items or not any(one.kind == TRICK for one in h.things)):
            yield node._replace(h=self._gathered(h, gone, rest))
        if not whole and h.trick and self._all_gone(h, gone):
            yield node._replace(h=self._swept(h))
        yield from self._lays(node, whole, rest)
        if not whole and node.unseen < self.game.players and told and (node.items or (gone and (h.trick or h.done))):
            yield from self._unseen(node, rest)
        if node.lifted is None and told:
            yield from self._lifts(node, gone, whole, rest)
        yield from self._swaps(node, named, rest)
        if not h.trick:
            yield from self._otherwise(node, named, rest, next_leads)
        elif node.items and self._all_gone(h, gone):
            yield from self._given_up(node, rest, next_leads)

    def _is_gone(self, thing: Thing, h: History, rest: Rest) -> bool:
        """Whether the last look does not show it."""
        if thing.kind != TRICK:
            return False
        seen = rest.looks[-1]
        if thing.card in seen.named or (thing.card in seen.hidden):
            return thing.card in seen.named and self._carried_off(thing, seen.named[thing.card or ""])
        return not any(thing.card in one.candidates and self._part_of(one, thing, rest) for one in seen.doubts)

    def _carried_off(self, thing: Thing, now: CardLying) -> bool:
        """Whether a card of the trick lies at somebody's place now."""
        zone = self.weigher.zone
        return thing.at is not None and math.hypot(*now.at) > zone * 0.85 > math.hypot(*thing.at) * 1.3

    def _all_gone(self, h: History, gone: Sequence[Thing]) -> bool:
        return len(gone) == sum(one.kind == TRICK for one in h.things)

    def _lays(self, node: Node, whole: bool, rest: Rest) -> Iterator[Node]:
        h = node.h
        if whole and h.done + 1 >= self.game.tricks:
            return
        for item in node.items:
            turns = frozenset(h.leads) if whole or not h.trick else self.turn(h)
            if whole:
                turns = self.winners(h)
            left = tuple(one for one in node.items if one is not item)
            for seat in range(self.game.players):
                worth = self._whose(h, seat, turns, whole)
                for now in self._laid(node, item, seat, worth, whole, rest, seat not in turns):
                    yield node._replace(h=now, items=left, lifted=None)

    def _whose(self, h: History, seat: int, turns: frozenset[int], whole: bool) -> float:
        """The prior of this seat's laying a card now."""
        p = self.p
        if seat in turns:
            return log(1 / len(turns))
        if whole or not h.trick:
            return log(p.wrong_leader)
        if any(one.seat == seat for one in h.trick):
            return log(p.second_card)
        return log(p.out_of_turn)

    def _laid(
        self, node: Node, item: Item, seat: int, worth: float, whole: bool, rest: Rest, fault: bool
    ) -> Iterator[History]:
        """A seat laid it, with the hand that suits best."""
        h, p = node.h, self.p
        worth += self._what(h, item)
        if any(self._is_over(item, one, rest) for one in h.things):
            worth += log(self.p.right_over)
        if whole:
            worth += log(p.before_taken)
        if not rest.put_there(item.at):
            worth += log(p.unchanged)
        hand, fit = self._hand_for(node, seat, item.at, rest)
        if self._hopeless(h.logp + worth + fit, [one for one in node.items if one is not item]):
            return
        trick, last, beside = (h.trick, h.last, h.things) if not whole else ((), h.trick, h.things)
        second = not whole and any(one.seat == seat for one in h.trick)
        out = item.card is not None and item.card not in self.game.whole_pack
        kind = BESIDE if second or out else TRICK
        thing = Thing(h.uid, item.card, item.at, item.outlined, kind, item.maybe)
        step = Step(LAY, seat, item.card, h.serial + whole, (), h.uid, item.maybe, item.at, hand, rest.number, whole)
        things = (*(one._replace(kind=LEFT) if whole and one.kind == TRICK else one for one in beside), thing)
        if kind == TRICK:
            trick = (*trick, Laid(seat, item.card, item.maybe, h.uid, fault))
        h = h._replace(
            logp=h.logp + worth + fit,
            steps=(*h.steps, step),
            trick=trick,
            last=last,
            things=tuple(one for one in things if one.kind != TURN_UP or item.card != one.card),
            used=h.used if hand is None else (*h.used, hand)[-8:],
            idle=tuple(one for one in h.idle if one != hand),
            uid=h.uid + 1,
        )
        if whole:
            h = self._counted(h._replace(hands_since=0), last)
        if len(h.trick) == 1 and kind == TRICK:
            h = h._replace(leads=frozenset({seat}))
        yield h

    def _is_over(self, item: Item, thing: Thing, rest: Rest) -> bool:
        """Whether something lies right over another, or where the turned-up card is."""
        within = self.p.talon if thing.kind == TURN_UP else self.p.same_card
        return thing.at is not None and apart(thing.at, item.at) < within * rest.length

    def _what(self, h: History, item: Item) -> float:
        """The prior of this card's being laid here."""
        p, far = self.p, math.hypot(*item.at)
        worth = 0.0 if far < self.weigher.zone else log(p.far_out)
        if item.card is None:
            return worth
        if item.card not in self.game.whole_pack:
            return worth + log(p.not_in_pack)
        return worth + (log(p.seen_before) if item.card in h.played else 0.0)

    def _hand_for(self, node: Node, seat: int, at: Point, rest: Rest) -> tuple[int | None, float]:
        """The hand that most likely laid a card for this seat, and how much better that is than its doing nothing."""
        best, most = None, log(self.p.no_hand) + self.weigher.arms.log_lean(at, seat)
        h = node.h
        later = max((one.hand for one in h.steps if one.rest == rest.number and one.hand is not None), default=-1)
        last_s = self._last_came_s(h, rest)
        for number, hand in rest.hands.items():
            fit = self.weigher.fit(seat, number, at, rest)
            if number == node.lifted:
                pass
            elif number in h.used:
                fit += log(self.p.hand_twice)
            else:
                fit += -self.weigher.idle(hand) if number in rest.new or number in h.idle else 0.0
            if number < later:
                fit += log(0.15)
            if rest.looks[-1].at_s - hand.came_s < TOO_SOON_S:
                fit += log(self.p.hands_crossed)
            if hand.left_s < last_s:
                fit += log(self.p.hands_crossed)
            if fit > most:
                best, most = number, fit
        return best, most

    @staticmethod
    def _last_came_s(h: History, rest: Rest) -> float:
        """When the hand came that did the last thing."""
        last = next((one.hand for one in reversed(h.steps) if one.hand in rest.recent), None)
        return -math.inf if last is None else rest.recent[last].came_s

    def _unseen(self, node: Node, rest: Rest) -> Iterator[Node]:
        """A card of whose turn it is that nobody saw."""
        h = node.h
        turns = self.turn(h) if h.trick else h.leads
        if len(turns) != 1:
            return
        (seat,) = turns
        lie = [one for one in h.things if one.kind == TRICK]
        gap = bool(lie) and all(one.at is None for one in lie)
        last_s = self._last_came_s(h, rest)
        unseen = self.p.unseen_at_a_glance if rest.looks[-1].glance else self.p.unseen
        worth, hand = log(self.p.unseen_in_a_gap) if gap else log(unseen) + log(self.p.no_hand), None
        for number in {*h.idle, *rest.new} - {*h.used}:
            known = rest.recent.get(number)
            if known is None or not over_the_middle(known):
                continue
            fit = log(unseen) + self.weigher.arms.log_angle(known.angle_deg, seat) - self.weigher.idle(known)
            fit += log(self.p.hands_crossed) if known.left_s < last_s else 0.0
            fit += 0.0 if number in rest.hands else log(self.p.unseen_since)
            if fit > worth:
                worth, hand = fit, number
        step = Step(LAY, seat, None, h.serial, (), h.uid, (), None, hand, rest.number)
        now = h._replace(
            logp=h.logp + worth,
            steps=(*h.steps, step),
            trick=(*h.trick, Laid(seat, None, (), h.uid)),
            used=h.used if hand is None else (*h.used, hand)[-8:],
            idle=tuple(one for one in h.idle if one != hand),
            uid=h.uid + 1,
        )
        if len(now.trick) == 1:
            now = now._replace(leads=frozenset({seat}))
        yield node._replace(h=now, unseen=node.unseen + 1)

    def _lifts(self, node: Node, gone: Sequence[Thing], whole: bool, rest: Rest) -> Iterator[Node]:
        """A card of the trick was taken back."""
        h = node.h
        for thing in (*gone, *(one for one in h.things if one.kind == BESIDE)):
            if thing.card in rest.looks[-1].named:
                continue
            laid = next((one for one in h.trick if one.uid == thing.uid), None)
            last = laid is not None and laid is h.trick[-1]
            prior = 0.5 if laid is None else self.p.lift if last and not whole else self.p.lift_other
            prior = self.p.lift_fault if laid is not None and laid.fault else prior
            prior = self.p.lift_whole if whole and laid is not None and not laid.fault else prior
            hand, fit = self._taking_hand(h, laid.seat if laid is not None else None, rest)
            step = Step(LIFT, None, thing.card, h.serial, (), thing.uid, (), None, hand, rest.number)
            now = h._replace(
                logp=h.logp + log(prior) + fit,
                steps=(*h.steps, step),
                trick=tuple(one for one in h.trick if one.uid != thing.uid),
                things=tuple(one for one in h.things if one.uid != thing.uid),
                used=h.used if hand is None else (*h.used, hand)[-8:],
                idle=tuple(one for one in h.idle if one != hand),
            )
            if not now.trick and h.trick:
                now = now._replace(leads=self._leads_before(now))
            yield node._replace(h=now, lifted=-1 if hand is None else hand)

    def _leads_before(self, h: History) -> frozenset[int]:
        """Who may lead, the lead having been taken back."""
        if h.last and h.done:
            return self.winners(h._replace(trick=h.last))
        return h.leads

    def _taking_hand(self, h: History, seat: int | None, rest: Rest) -> tuple[int | None, float]:
        best, most = None, log(self.p.gathered_unseen)
        for number, hand in rest.hands.items():
            if number not in rest.new and number not in h.used:
                continue
            fit = log(self.p.still_there) if number in h.used else -self.weigher.idle(hand)
            if seat is not None:
                fit += log(0.5 + 0.5 * math.exp(self.weigher.arms.log_angle(hand.angle_deg, seat)))
            if fit > most:
                best, most = number, fit
        return best, most

    # -- tricks ------------------------------------------------------------------------------------------------------

    def turn(self, h: History) -> frozenset[int]:
        """Whose turn it is in a trick that has begun."""
        there = {one.seat for one in h.trick}
        first = h.trick[0].seat if len(h.leads) != 1 else next(iter(h.leads))
        seat = next((one for one in order_from(first, self.game.players) if one not in there), None)
        return frozenset() if seat is None else frozenset({seat})

    def winners(self, h: History) -> frozenset[int]:
        """Every seat that may have won a whole trick."""
        if not h.trick:
            return h.leads
        first = h.trick[0].seat
        plays = sorted(h.trick, key=lambda one: (one.seat - first) % self.game.players)
        known = [one for one in plays if one.card in self.game.whole_pack]
        unread = {one.seat for one in plays if one.card is None}
        if not known or not h.trump:
            return frozenset(one.seat for one in plays)
        cards = [one.card for one in known if one.card]
        winner = known[self.game.winning(cards, h.trump)]
        return frozenset({winner.seat} | unread)

    def _gathered(self, h: History, gone: Sequence[Thing], rest: Rest) -> History:
        """The trick was taken up."""
        p = self.p
        lie = [one for one in h.things if one.kind == TRICK and one not in gone]
        worth = log(p.gather)
        if lie:
            worth += log(p.gather_in_parts) + len(lie) * log(p.left_lying)
        winners = self.winners(h)
        hand, fit = self._taking_hand(h, next(iter(winners)) if len(winners) == 1 else None, rest)
        things = tuple(one._replace(kind=LEFT) if one in lie else one for one in h.things if one not in gone)
        things = tuple(one for one in things if one.kind not in (BESIDE,))
        step = Step(GATHER, None, None, h.serial, (), 0, (), None, hand, rest.number)
        h = h._replace(
            logp=h.logp + worth + fit,
            steps=(*h.steps, step),
            things=things,
            used=h.used if hand is None else (*h.used, hand)[-8:],
        )
        return self._counted(h._replace(leads=winners, last=h.trick, trick=()), h.trick)

    def _counted(self, h: History, trick: tuple[Laid, ...]) -> History:
        """A trick is done."""
        played = h.played | frozenset(one.card for one in trick if one.card)
        done = h.done + 1
        over = done >= self.game.tricks
        return h._replace(
            played=frozenset() if over else played,
            done=done,
            serial=h.serial + 1,
            idle=(),
            phase=WAITING if over else PLAYING,
        )

    def _swept(self, h: History) -> History:
        """All that lies there of an unfinished trick went."""
        things = tuple(one for one in h.things if one.kind != TRICK)
        return h._replace(logp=h.logp + log(self.p.sweep_unfinished), things=things)

    # -- deals -------------------------------------------------------------------------------------------------------

    def _deals(self, node: Node, rest: Rest, next_leads: frozenset[int]) -> Iterator[Node]:
        """A deal began: one of the faces that came was turned up; or none of them."""
        h = node.h
        faces = [one for one in node.items if one.card in self.game.whole_pack]
        faces += self._same_again(h, rest)
        for item in faces:
            worth = self._turns_up(h, item, len(faces), rest)
            yield node._replace(h=self._dealt(h, item, worth, next_leads, rest), items=_without(node.items, item))
        if faces and all(math.hypot(*one.at) < self.weigher.zone for one in faces):
            worth = log(self.p.deal_unseen) + self._few_hands(h)
            yield node._replace(h=self._dealt(h, None, worth, next_leads, rest))

    def _same_again(self, h: History, rest: Rest) -> list[Item]:
        """The card turned up last, put there anew."""
        old = next((one for one in h.things if one.kind == TURN_UP and one.card), None)
        now = rest.looks[-1].named.get(old.card or "") if old else None
        if old is None or now is None or not rest.put_there(now.at) or len(rest.new) < self.game.players:
            return []
        return [Item(old.card, now.at, now.outlined)]

    def _turns_up(self, h: History, item: Item, faces: int, rest: Rest) -> float:
        """The prior of this card's being the one turned up."""
        p, far = self.p, math.hypot(*item.at)
        worth = log(p.deal if far > self.weigher.zone * 0.7 else p.deal_in_the_middle)
        worth += self._put(item.at, rest) + self._few_hands(h)
        if faces > 2 or (item.card in rest.faces_before and len(rest.faces_before) > 2):
            worth += log(p.many_faces)
        return worth

    def _putting_hand(self, h: History, at: Point, rest: Rest) -> tuple[int | None, float]:
        """The hand that put something there, and how much speaks for it."""
        best, most = None, log(self.p.no_hand)
        for number in rest.new:
            hand = rest.hands[number]
            fit = self.weigher.arms.log_reach(hand, at) - self.weigher.idle(hand)
            fit = fit if number not in h.used else log(self.p.hand_twice)
            if fit > most:
                best, most = number, fit
        return best, most

    def _put(self, at: Point, rest: Rest) -> float:
        """How much speaks for it that one of the hands put something there."""
        hands = (rest.hands[number] for number in rest.new)
        fits = (self.weigher.arms.log_reach(hand, at) - self.weigher.idle(hand) for hand in hands)
        return max(fits, default=0.0)

    def _few_hands(self, h: History) -> float:
        """What it costs that fewer hands came than it takes to deal."""
        return max(0.0, 1 - h.hands_since / self.game.players) * log(self.p.few_hands)

    def _dealt(
        self,
        h: History,
        item: Item | None,
        worth: float,
        next_leads: frozenset[int],
        rest: Rest,
        void: bool = False,
        anew: bool = False,
    ) -> History:
        card = item.card if item else None
        serial = h.serial + (not anew)
        steps = h.steps
        if anew:
            steps = tuple(one for one in steps if one.kind not in (DEAL, PILLAGE) or one.trick != serial)
        if void:
            steps = (*steps, Step(VOID, trick=serial, rest=rest.number))
        steps = (*steps, Step(DEAL, None, card, serial, (), h.uid, (), item.at if item else None, None, rest.number))
        kept = tuple(one for one in h.things if one.kind == LEFT and one.card in rest.looks[-1].named)
        things = (Thing(h.uid, card, item.at, item.outlined, TURN_UP), *kept) if item else kept
        return History(
            h.logp + worth, steps, PLAYING, next_leads, suit_of(card) if card else "", card, 0, serial,
            things=things, used=h.used, idle=(), hands_since=0, uid=h.uid + 1,
            talon=item.at if item else h.talon,
        )  # fmt: skip

    def _otherwise(
        self, node: Node, named: dict[Card, CardLying], rest: Rest, next_leads: frozenset[int]
    ) -> Iterator[Node]:
        """What became of the turned-up card while no trick lies there."""
        h = node.h
        there = next((one for one in h.things if one.kind == TURN_UP), None)
        if there is not None and there.card in named:
            return
        begun = h.done == 0
        if begun and there is not None and self._pillage_may_be(h) and there.card not in rest.looks[-1].hidden:
            hand, fit = self._taking_hand(h, None, rest)
            yield node._replace(h=h._replace(
                logp=h.logp + log(self.p.pillage) + fit,
                things=tuple(one for one in h.things if one is not there),
                used=h.used if hand is None else (*h.used, hand)[-8:],
            ))  # fmt: skip
        talon = there.at if there is not None else h.talon
        for item in node.items:
            if item.card not in self.game.whole_pack and not (
                item.card is None and self._on_the_talon(h, item.at, rest)
            ):
                continue
            near = talon is not None and apart(item.at, talon) < self.p.talon * rest.length
            left = _without(node.items, item)
            if begun and self._pillage_may_be(h) and near:
                yield node._replace(h=self._pillaged(h, item, rest), items=left)
            if item.card is None:
                continue
            if begun and self._pillage_may_be(h) and not near and not self._pays(h):
                yield node._replace(h=self._paid(h, item, talon, rest.length), items=left)
            if begun:
                worth = log(self.p.deal_anew) + self._turns_up(h, item, 1, rest)
                worth += log(self.p.pillage_late) if near and self._pillage_may_be(h) else 0.0
                yield node._replace(h=self._dealt(h, item, worth, h.leads, rest, anew=True), items=left)
            elif h.hands_since > self.game.players and (near or math.hypot(*item.at) > self.weigher.zone * 0.85):
                yield node._replace(h=self._dealt_early(h, item, next_leads, rest), items=left)

    def _given_up(self, node: Node, rest: Rest, next_leads: frozenset[int]) -> Iterator[Node]:
        """A trick half played went, and another card is turned up."""
        h = node.h._replace(things=tuple(one for one in node.h.things if one.kind != TRICK))
        for item in node.items:
            far = math.hypot(*item.at) > self.weigher.zone * 0.7
            if far and item.card in self.game.whole_pack and len(rest.new) + h.hands_since >= self.game.players:
                yield node._replace(h=self._dealt_early(h, item, next_leads, rest), items=_without(node.items, item))

    def _dealt_early(self, h: History, item: Item, next_leads: frozenset[int], rest: Rest) -> History:
        """The next deal, this one never having been played out: that explains the hands over an empty table."""
        last = h.done == self.game.tricks - 1 and bool(h.trick)  # Else a whole trick may have gone unseen.
        worth = log(self.p.cards_missing if last else self.p.void)
        dealt = [one for one in rest.new if over_the_middle(rest.hands[one])][: self.game.players]
        worth -= 0.5 * sum(self.weigher.idle(rest.hands[one]) for one in dealt)
        worth += 0.5 * self._put(item.at, rest)
        return self._dealt(h, item, worth, next_leads, rest, void=not last)

    def _swaps(self, node: Node, named: dict[Card, CardLying], rest: Rest) -> Iterator[Node]:
        """Another card lies where the turned-up one lay."""
        h = node.h
        there = next((one for one in h.things if one.kind == TURN_UP), None)
        if there is None or there.at is None or there.card is None or there.card in named:
            return
        owed = named.get(h.turn_up) if h.turn_up and h.turn_up != there.card else None
        if owed is not None and apart(owed.at, there.at) < self.p.talon * rest.length:
            back = Item(h.turn_up, owed.at, owed.outlined)
            yield node._replace(h=self._swapped(h, there, back, rest, self.p.swapped_back))
            return
        at = there.at
        if any(apart(one.at, at) < rest.length for card, one in named.items() if card in h.named()):
            return  # Half covered, a card is soon misread.
        for item in node.items:
            near = apart(item.at, there.at) < self.p.talon * rest.length
            if (
                near
                and item.card in self.game.whole_pack
                and (h.trick or h.done)
                and h.hands_since <= self.game.players
            ):
                now = self._swapped(h, there, item, rest, self.p.swapped_turn_up)
                yield node._replace(h=now, items=_without(node.items, item))

    def _swapped(self, h: History, there: Thing, item: Item, rest: Rest, prior: float) -> History:
        """Another card lies where the turned-up one lay."""
        thing = there._replace(card=item.card, at=item.at)
        step = Step(SWAP, None, item.card, h.serial, (), h.uid, (), item.at, None, rest.number)
        hand, fit = self._putting_hand(h, item.at, rest)
        fit += 0.0 if rest.put_there(item.at) else log(self.p.unchanged)
        return h._replace(
            logp=h.logp + log(prior) + fit,
            used=h.used if hand is None else (*h.used, hand)[-8:],
            steps=(*h.steps, step),
            things=tuple(thing if one is there else one for one in h.things),
            uid=h.uid + 1,
        )

    def _pillage_may_be(self, h: History) -> bool:
        return self.game.pillage and h.trump != "" and (h.turn_up is None or suit_of(h.turn_up) == h.trump)

    @staticmethod
    def _pays(h: History) -> Thing | None:
        return next((one for one in h.things if one.kind == PAYS), None)

    def _paid(self, h: History, item: Item, talon: Point | None, length: float) -> History:
        """A card is shown that pays for the turned-up one."""
        thing = Thing(h.uid, item.card, item.at, item.outlined, PAYS)
        near = talon is not None and apart(item.at, talon) < self.p.pays_near * length
        return h._replace(
            logp=h.logp + log(self.p.pays if near else self.p.pays / 10), things=(*h.things, thing), uid=h.uid + 1
        )

    def _pillaged(self, h: History, item: Item, rest: Rest) -> History:
        """The turned-up card was bought, and this is the next."""
        pays = self._pays(h)
        paid = pays.card if pays is not None and pays.card != item.card else None
        thing = Thing(h.uid, item.card, item.at, item.outlined, TURN_UP, item.maybe)
        free = [one for one in rest.new if one not in h.used]
        there = any(one.kind == TURN_UP for one in h.things)
        hands = sum(-self.weigher.idle(rest.hands[one]) for one in free[: 1 + there])
        dealt = h.hands_since > self.game.players
        pillage = log(self.p.pillage) if there else 0.0
        step = Step(PILLAGE, None, h.turn_up, h.serial, (paid, item.card), h.uid, (), item.at, None, rest.number)
        return h._replace(
            logp=h.logp + pillage + hands + (log(self.p.pillage_late) if dealt else 0.0),
            steps=(*h.steps, step),
            things=(thing, *(one for one in h.things if one.kind not in (TURN_UP, PAYS))),
            turn_up=item.card,
            talon=item.at,
            hands_since=0,
            used=(*h.used, *rest.new)[-8:],
            uid=h.uid + 1,
        )


def _without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    return tuple(one for one in items if one is not item and one.card != item.card)
