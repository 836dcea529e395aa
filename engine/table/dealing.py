"""What becomes of the turned-up card: a deal begins, begins anew or is given up; it is bought, exchanged, or goes."""

import math
from collections.abc import Iterator, Mapping, Sequence

from engine.cards import Card, suit_of
from engine.rules.tricks import THE_TAKERS, TrickGame
from engine.sightings import CardLying, Point, apart
from engine.table.acts import CLAIM, DEAL, EVEN, ODD, PILLAGE, RARE, SEVERAL, SOME, SWAP, VOID
from engine.table.arms import over_the_middle
from engine.table.came import Came, Item
from engine.table.evidence import Rest, Weigher
from engine.table.hands import Hands
from engine.table.history import HANDS_KNOWN, LEFT, PAYS, PLAYING, TURN_UP, WAITING, History, Step, Thing, suit_of_all
from engine.table.places import EDGE, near
from engine.table.turn_order import may_be_drawn, pillage_may_be

log = math.log
Named = Mapping[Card, CardLying]
Items = tuple[Item, ...]
DEAL_TAKES_S = 5.0
"""From the last look that showed the turned-up card to the first of the next, at least (counted: on films of three
other programs 9.7, on our own drawn ones 5.4)."""
Next = tuple[History, Items]
"""An account that goes on, and what it leaves unexplained."""


class Dealing:
    """At one table."""

    def __init__(self, game: TrickGame, weigher: Weigher, hands: Hands, came: Came) -> None:
        self.game, self.weigher, self.hands, self.came = game, weigher, hands, came

    def _far(self, item: Item, part: float) -> bool:
        """Whether it lies farther out than this part of where cards are played."""
        return self.weigher.reach.out(item.at) > part

    # -- a deal ------------------------------------------------------------------------------------------------------

    def begins(self, h: History, items: Items, rest: Rest, leads: frozenset[int]) -> Iterator[Next]:
        """A deal began: one of the faces that came was turned up; or none of them. leads: who may lead then."""
        faces = [*self._faces(items), *self._same_again(h, rest)]
        for item in (*faces, *self._unread(items)):
            worth = self._turns_up(h, item, len(faces), rest) + (0.0 if item.card else log(SOME))
            yield self._dealt(h, item, worth, leads, rest), _without(items, item)
        if faces and not any(self._far(item, 1.0) for item in faces):
            yield self._dealt(h, None, log(RARE) + self._few_hands(h), leads, rest), items

    def _faces(self, items: Items) -> list[Item]:
        """Those that are cards of the pack."""
        return [item for item in items if item.card in self.game.whole_pack]

    def _unread(self, items: Items) -> list[Item]:
        """Those that cannot be read, lie where cards are turned up, and may be one."""
        return [item for item in items if item.card is None and item.maybe and self._far(item, EDGE)]

    def _same_again(self, h: History, rest: Rest) -> list[Item]:
        """The card turned up last, put there anew."""
        old = h.turned_up
        now = rest.looks[-1].named.get(old.card or "") if old else None
        if old is None or now is None or not rest.put_there(now.at):
            return []
        away = sum(old.card not in seen.named and not seen.covered(now.at) for seen in rest.lately)
        if len(rest.new if away < SEVERAL else rest.since) < self.game.players:
            return []
        return [Item(old.card, now.at, now.outlined)]

    def _turns_up(self, h: History, item: Item, faces: int, rest: Rest) -> float:
        """The prior of this card's being the one turned up."""
        worth = log(EVEN if self._far(item, EDGE) else ODD)
        worth += self.hands.any_put(h, item.at, rest) + self._few_hands(h) + self._lay_there(h, item, rest)
        worth += self._before_gathered(h, rest)
        if len(rest.new) >= self.game.players and item.card not in rest.faces_before:
            worth += self._dealt_by(h, rest)
        if faces > 2 or (item.card in rest.faces_before and len(rest.faces_before) > 2):
            worth += log(RARE)
        return worth

    def _lay_there(self, h: History, item: Item, rest: Rest) -> float:
        """What it costs that the card lay there already when the table last rested: on a pile of open tricks, say."""
        again = h.turned_up is not None and h.turned_up.card == item.card
        return log(ODD) if not again and rest.lay_there(item.card, item.at) else 0.0

    def _few_hands(self, h: History) -> float:
        """What it costs that fewer hands came than it takes to deal."""
        return max(0.0, 1 - h.hands_since / self.game.players) * log(RARE)

    def _before_gathered(self, h: History, rest: Rest) -> float:
        """What it costs that several faces lay there so shortly before, and few hands came since: nobody gathers,
        shuffles and deals so fast."""
        if h.hands_since >= self.game.players:
            return 0.0
        spread = [seen.at_s for seen in rest.lately if len(seen.named.keys() & self.game.whole_pack) > 1]
        soon = bool(spread) and rest.looks[0].at_s - spread[-1] < DEAL_TAKES_S
        return log(RARE) if soon else 0.0

    def _dealt_by(self, h: History, rest: Rest) -> float:
        """What speaks for a deal in the hands that came over the middle: some of them gave cards."""
        dealt = [number for number in rest.new if over_the_middle(rest.hands[number])][: self.game.players]
        return -EVEN * sum(self.hands.idle(h, rest.hands[number], rest) for number in dealt)

    def _dealt(
        self, h: History, item: Item | None, worth: float, leads: frozenset[int], rest: Rest, *before: Step
    ) -> History:
        """A deal with this card turned up. before: what came before it."""
        thing, serial = self._turned_up(h, item), h.serial + 1
        card, at, maybe = thing.card, thing.at, thing.maybe
        step = Step(DEAL, card=card, trick=serial, uid=h.uid, maybe=maybe, at=at, rest=rest.number)
        things = [thing for thing in h.things if thing.kind == LEFT and thing.card in rest.looks[-1].named]
        among, trump = ((), suit_of(card)) if card else (maybe, suit_of_all(maybe))
        return History(
            h.logp + worth, (*h.steps, *before, step), PLAYING, leads, trump, card, among, 0, serial,
            things=(thing, *things) if item else tuple(things), used=h.used, idle=(), hands_since=0, uid=h.uid + 1,
            talon=at or h.talon,
        )  # fmt: skip

    def _turned_up(self, h: History, item: Item | None) -> Thing:
        """The card that is turned up. None: nobody saw it."""
        if item is None:
            return Thing(h.uid, None, None, False, TURN_UP)
        maybe = tuple(card for card in item.maybe if card in self.game.whole_pack)
        return Thing(h.uid, item.card, item.at, item.outlined, TURN_UP, maybe)

    def _dealt_anew(self, h: History, item: Item, worth: float, rest: Rest) -> History:
        """What was thought to be turned up was only shown: this is the card."""
        steps = tuple(step for step in h.steps if step.kind not in (DEAL, PILLAGE) or step.trick != h.serial)
        return self._dealt(h._replace(steps=steps, serial=h.serial - 1), item, worth, h.leads, rest)

    def _dealt_early(self, h: History, item: Item, leads: frozenset[int], rest: Rest) -> History:
        """The next deal, this one never having been played out: that explains the hands over an empty table."""
        last = h.done == self.game.tricks - 1 and any(laid.card for laid in h.trick)  # Else a whole trick went unseen.
        worth = log(RARE if last else ODD)
        worth += self._dealt_by(h, rest) + EVEN * self.hands.any_put(h, item.at, rest) + self._lay_there(h, item, rest)
        worth += log(RARE) if self._at_once(h, rest) else 0.0
        void = [] if last else [Step(VOID, trick=h.serial + 1, rest=rest.number)]
        return self._dealt(h, item, worth, leads, rest, *void)

    def claims(self, h: History, items: Items, rest: Rest) -> Iterator[Next]:
        """Somebody claims the rest, or hands are thrown in: before a lead a player lays all that he has left open; then
        the others do."""
        claimed, left = bool(h.steps) and h.steps[-1].kind == CLAIM, self.game.tricks - h.done
        if claimed or (_before_a_lead(h) and left > 1):
            for seat, own in self._by_player(items).items():
                if claimed or len(own) >= left:
                    yield self._lays_open(h, own, seat, rest, claimed), tuple(item for item in items if item not in own)

    def _by_player(self, items: Items) -> dict[int, list[Item]]:
        """The faces of what came, by the player that each lies before."""
        found: dict[int, list[Item]] = {}
        for face in self._faces(items):
            found.setdefault(self.weigher.arms.nearest(face.at), []).append(face)
        return found

    def _lays_open(self, h: History, faces: Sequence[Item], seat: int, rest: Rest, claimed: bool) -> History:
        """These cards lie open before their player. claimed: he is not the first."""
        hand, fit = self.hands.showed(h, seat, [item.at for item in faces], rest)
        lie = (Thing(h.uid + k, item.card, item.at, item.outlined, LEFT) for k, item in enumerate(faces))
        now = h.by(hand)._replace(logp=h.logp + fit, things=(*h.things, *lie), uid=h.uid + len(faces))
        if claimed:
            return now
        step = Step(CLAIM, trick=h.serial, uid=h.uid, at=faces[0].at, hand=hand, rest=rest.number)
        now = now._replace(logp=now.logp + log(RARE), steps=(*h.steps, step), phase=WAITING)
        return now._replace(serial=h.serial + 1, played=frozenset(), hands_since=0)

    def _at_once(self, h: History, rest: Rest) -> bool:
        """Whether nobody can have dealt anew since the turned-up card was seen: so shortly before, and no two players'
        hands came since."""
        there = h.turned_up
        shown = [seen.at_s for seen in rest.lately if there is not None and there.card in seen.named]
        if not shown or rest.looks[0].at_s - shown[-1] >= DEAL_TAKES_S:
            return False
        since = (hand for hand in rest.recent.values() if hand.came_s > shown[-1])
        return len({self.weigher.arms.before(hand.angle_deg) for hand in since}) < 2

    def given_up(self, h: History, items: Items, rest: Rest, leads: frozenset[int]) -> Iterator[Next]:
        """A trick half played went, and another card is turned up."""
        if len(rest.new) + h.hands_since < self.game.players:
            return
        h = h.without(h.lying)
        for item in items:
            if self._far(item, EDGE) and item.card in self.game.whole_pack:
                yield self._dealt_early(h, item, leads, rest), _without(items, item)

    # -- the card that is turned up, while no trick lies there -------------------------------------------------------

    def drawn(self, h: History, named: Named, rest: Rest) -> History:
        """The turned-up card was drawn, once it may be and does not lie there any more."""
        there = h.turned_up
        if there is None:
            return self._not_drawn(h, named, rest)
        now = named.get(there.card or "")
        if h.phase != PLAYING:  # It was gathered with the rest.
            gone = now is None and bool(rest.since) and not self._covered(there, rest)
        else:
            gone = may_be_drawn(self.game, h) and self._went(there, now, rest)
        return h.without([there]) if gone else h

    def _went(self, there: Thing, now: CardLying | None, rest: Rest) -> bool:
        """Whether the turned-up card does not lie there any more. now: where it is seen."""
        if now is None:  # Who takes it does so before the first lead.
            return self.game.turn_up_goes == THE_TAKERS or not self._covered(there, rest)
        return there.at is not None and apart(now.at, there.at) >= rest.length

    def _covered(self, there: Thing, rest: Rest) -> bool:
        """Whether something may hide a card, or lies there that cannot be read."""
        seen = rest.looks[-1]
        if seen.glance or there.card in seen.hidden or seen.covered(there.at):
            return True
        return self.weigher.doubt_for(there, seen) is not None

    def _not_drawn(self, h: History, named: Named, rest: Rest) -> History:
        """It was only missed, and lies where it lay."""
        now = named.get(h.turn_up or "") if self.game.turn_up_goes != THE_TAKERS else None
        if now is None or h.phase != PLAYING or h.turn_up in h.played | h.named():
            return h
        if not self._near(now.at, h.talon, rest) or rest.put_there(now.at):
            return h
        thing = Thing(h.uid, h.turn_up, now.at, now.outlined, TURN_UP)
        return h._replace(logp=h.logp + log(SOME), things=(thing, *h.things), uid=h.uid + 1)

    def otherwise(self, h: History, items: Items, named: Named, rest: Rest, leads: frozenset[int]) -> Iterator[Next]:
        """What became of the turned-up card while no trick lies there. leads: who may lead the deal after this one."""
        there, talon = h.turned_up, h.talon
        if there is not None:
            if there.card in named:
                return
            if there.card not in rest.looks[-1].hidden and h.done == 0 and pillage_may_be(self.game, h):
                yield self._bought(h, there, rest), items
            talon = there.at
        for item in items:
            if item.card in self.game.whole_pack:
                shown = self._shown(h, item, talon, rest, leads)
            else:
                shown = self._shown_unread(h, item, talon, rest)
            yield from ((now, _without(items, item)) for now in shown)

    def _near(self, at: Point, talon: Point | None, rest: Rest) -> bool:
        """Whether something lies where the turned-up card lay."""
        return near(at, talon, rest.length)

    def _shown_unread(self, h: History, item: Item, talon: Point | None, rest: Rest) -> Iterator[History]:
        """What is shown and cannot be read may be the next card."""
        if item.card is None and self.came.on_the_talon(h, item.at, rest) and self._near(item.at, talon, rest):
            yield self._pillaged(h, item, rest)

    def _shown(
        self, h: History, item: Item, talon: Point | None, rest: Rest, leads: frozenset[int]
    ) -> Iterator[History]:
        """What a face may be that is shown now. talon: where the turned-up card lay."""
        near = self._near(item.at, talon, rest)
        if h.done == 0:
            yield from self._shown_first(h, item, talon, rest)
        elif h.hands_since > self.game.players and (near or self._far(item, EDGE)):
            yield self._dealt_early(h, item, leads, rest)

    def _shown_first(self, h: History, item: Item, talon: Point | None, rest: Rest) -> Iterator[History]:
        """The same before the first trick."""
        buys, near = pillage_may_be(self.game, h), self._near(item.at, talon, rest)
        if buys and near:
            yield self._pillaged(h, item, rest)
        elif near and _just_bought(h):
            yield self._paid_after_all(h, item, rest)
        if buys and not _pays(h):
            yield self._paid(h, item, talon, rest.length)
        worth = log(RARE) + self._turns_up(h, item, 1, rest)
        yield self._dealt_anew(h, item, worth + (log(SOME) if near and buys else 0.0), rest)

    # -- bought, or exchanged ----------------------------------------------------------------------------------------

    def _bought(self, h: History, there: Thing, rest: Rest) -> History:
        """It went, and nothing lies in its place yet."""
        hand, fit = self.hands.took(h, None, rest)
        return h.without([there]).by(hand)._replace(logp=h.logp + log(EVEN) + fit)

    def _paid(self, h: History, item: Item, talon: Point | None, length: float) -> History:
        """A card is shown that pays for the turned-up one."""
        thing = Thing(h.uid, item.card, item.at, item.outlined, PAYS)
        pays = ODD if near(item.at, talon, length) else EVEN
        return h._replace(logp=h.logp + log(pays), things=(*h.things, thing), uid=h.uid + 1)

    def _pillaged(self, h: History, item: Item, rest: Rest) -> History:
        """The turned-up card was bought, and this is the next."""
        pays = _pays(h)
        paid = pays.card if pays is not None and pays.card != item.card else None
        thing = Thing(h.uid, item.card, item.at, item.outlined, TURN_UP, item.maybe)
        more = (paid, item.card)
        step = Step(PILLAGE, card=h.turn_up, trick=h.serial, more=more, uid=h.uid, at=item.at, rest=rest.number)
        return h._replace(
            logp=h.logp + self._buys(h, item, rest),
            steps=(*h.steps, step),
            things=(thing, *(thing for thing in h.things if thing.kind not in (TURN_UP, PAYS))),
            turn_up=item.card,
            among=() if item.card else item.maybe,
            talon=item.at,
            hands_since=0,
            used=(*h.used, *rest.new)[-HANDS_KNOWN:],
            uid=h.uid + 1,
        )

    def _buys(self, h: History, item: Item, rest: Rest) -> float:
        """What speaks for it that the turned-up card was bought, and this is the next."""
        there = h.turned_up is not None
        worth = log(EVEN) if there else 0.0
        if h.hands_since > self.game.players:
            worth += log(SOME)  # Rather the cards were dealt anew.
        if h.steps and (h.steps[-1].kind, h.steps[-1].rest) == (DEAL, rest.number) and item.card in rest.faces_before:
            worth += log(ODD)  # It lay there before the one that it follows.
        free = [number for number in rest.new if number not in h.used]
        return worth + sum(-self.weigher.idle(rest.hands[number]) for number in free[: 1 + there])

    def _paid_after_all(self, h: History, item: Item, rest: Rest) -> History:
        """What was taken for the next card, and may not be bought, paid for the one before: this is the next."""
        *steps, step = h.steps
        hand, fit = self.hands.put(h, item.at, rest)
        thing = Thing(h.uid, item.card, item.at, item.outlined, TURN_UP)
        return h.by(hand)._replace(
            logp=h.logp + log(EVEN) + fit,
            steps=(*steps, step._replace(more=(h.turn_up, item.card))),
            things=(thing, *(thing for thing in h.things if thing.kind != TURN_UP)),
            turn_up=item.card,
            talon=item.at,
            uid=h.uid + 1,
        )

    def swaps(self, h: History, items: Items, named: Named, rest: Rest) -> Iterator[Next]:
        """Another card lies where the turned-up one lay."""
        there = h.turned_up
        if there is None or there.at is None or there.card in {None, *named}:
            return
        owed = _owed(h, there, named)
        if owed is not None and self._near(owed.at, there.at, rest):
            back = Item(h.turn_up, owed.at, owed.outlined)
            yield self._swapped(h, there, back, rest, EVEN), items
        elif self._may_be_swapped(h, there.at, named, rest):
            at = there.at
            for item in filter(lambda item: not item.unread and self._near(item.at, at, rest), self._faces(items)):
                yield self._swapped(h, there, item, rest, RARE), _without(items, item)

    def _may_be_swapped(self, h: History, at: Point, named: Named, rest: Rest) -> bool:
        """Whether the card is surely another: the deal goes on, and no known card covers half of it, so that it is soon
        misread."""
        dealt_anew = h.hands_since > self.game.players and not self._at_once(h, rest)
        if dealt_anew or not (h.trick or h.done):
            return False
        ours = h.named()
        return all(apart(lying.at, at) >= rest.length for card, lying in named.items() if card in ours)

    def _swapped(self, h: History, there: Thing, item: Item, rest: Rest, prior: float) -> History:
        """Another card lies where the turned-up one lay."""
        thing = there._replace(card=item.card, at=item.at)
        step = Step(SWAP, card=item.card, trick=h.serial, uid=h.uid, at=item.at, rest=rest.number)
        hand, fit = self.hands.put(h, item.at, rest)
        fit += 0.0 if rest.put_there(item.at) else log(ODD)
        return h.by(hand)._replace(
            logp=h.logp + log(prior) + fit,
            steps=(*h.steps, step),
            things=tuple(thing if other is there else other for other in h.things),
            uid=h.uid + 1,
        )


def _before_a_lead(h: History) -> bool:
    """Whether a trick was taken up, and nobody leads the next one yet."""
    return h.phase == PLAYING and h.done > 0 and not h.trick


def _owed(h: History, there: Thing, named: Named) -> CardLying | None:
    """The card that was turned up, where another lies in its place, if it is seen."""
    return named.get(h.turn_up or "") if h.turn_up != there.card else None


def _just_bought(h: History) -> bool:
    """Whether the turned-up card was bought, and another lies there that nobody bought yet."""
    return bool(h.steps) and h.steps[-1].kind == PILLAGE and h.turn_up is not None


def _pays(h: History) -> Thing | None:
    """The card that is shown to pay."""
    return next((thing for thing in h.things if thing.kind == PAYS), None)


def _without(items: Items, item: Item) -> Items:
    return tuple(other for other in items if other is not item and other.card != item.card)
