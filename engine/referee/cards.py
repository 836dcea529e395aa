"""From looks at a card table to the game's events: whose card, when a trick ends, when a deal begins.

What the match says lies there is compared with what is seen, and the difference is what happened. A card counts when
it rests; one that is covered is remembered; the seat is whose turn it is unless the hand that brought it clearly came
from elsewhere. Nothing here judges a rule: that is the judge's work once an event is in the log.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

from engine.cards import Card
from engine.events import Correct, Deal, Event, Pillage, Play, Taken, TakenBack, TurnUpSeen, VoidDeal
from engine.referee.arms import Arms, Laying, over_the_middle, seats_round
from engine.rules.tricks import TrickGame
from engine.rules.triomphe import Triomphe
from engine.seats import order_from
from engine.sightings import CardLying, Hand, Point, TableLook, apart, direction_deg
from engine.view import View

SURE_LOOKS = 2
"""Looks in a row that must agree before something has happened; a table at rest is looked at twice."""
LIFTED_LOOKS = 3
"""Looks that must miss a card before it was lifted: one that is only hard to read lies there still."""
DOUBTFUL_LOOKS = 4
"""Looks after which a card that cannot be read is told as such, and one that cannot be there is believed."""
CHANGES_KEPT = 8
"""Looks at a changed table that are remembered: a doubt is told, or gone, after fewer."""
SAME_PLACE = 0.5
"""Card lengths within which a card still lies where it lay; sliding one aside to see the others moves it more."""
PART_OF_ONE = 0.75
"""Card lengths from a card's middle within which what is read is one of its own indices."""
COVERS = 1.0
"""Card lengths between two middles from which neither can hide the other's index."""
RIGHT_OVER = 0.6
"""Card lengths between two middles from which a card seen once and then gone was covered, not misread."""
ZONE = 0.62
"""Table units from the middle within which a card is played, if the house says nothing; farther out are markers,
piles and fans in hands."""
MIDDLE = 0.45
"""The same for a card that was played before: taken tricks are looked through in front of a player."""
ON_ANOTHER = 0.15
"""Card lengths between the middles of two cards from which one would hide the other: nearer, they are one misread."""
LIKELY_NAMES = 2
"""Of the names that something may have, those that speak for a card that lay there."""
NEARLY_ON = 0.25
"""The same where there are more new cards than the trick has room for, and for a card that cannot be there."""
TURN_UP_PLACE = 0.4
"""Card lengths within which a card lies where the turned-up one lay."""
PAID_NEAR = 2.5
"""Card lengths from the turned-up card within which one is shown before it is pushed under the talon for it."""
SAME_INDEX = 0.3
"""Card lengths within which the one index that shows under a talon is that of a card in the very same place."""
TURN = 0.97
"""How often a card is played by the seat whose turn it is, before looking at the hand."""
CLEAR = 50.0
"""Odds from which a hand says that it was another seat's card: then, and only then, turn order is judged."""
CLEAR_LEAD = 5.0
"""Odds from which a hand says who leads where anybody may: nobody is accused by that."""
CLEAR_SKIP = 10.0
"""Odds from which the hands say that a card of the trick was never seen, rather than that turns were mixed up."""
ORDER_CLEAR = 10.0
"""Odds from which one order of several new cards is the only possible one."""
MOST_AT_ONCE = 4
"""New cards whose order is looked into; beyond, the table is asked."""
HANDS_KEPT_S = 20.0
"""Hands are remembered for so long: longer than anybody takes from laying a card to the next look at the table."""
REST_AT_EDGE = 0.5
"""Table units from the middle from which something that came to rest lies at somebody's place."""
PILE_NEAR = 0.4
"""Table units within which a packet lies on a pile that is known."""
ASKED = 0.5
"""Confidence of a packet seen at the wrong side's place: enough to ask, never to accuse."""
VOID_HANDS = 3
"""Hands over an empty table between two different turned-up cards: more than a swap needs, fewer than any deal."""
HAND_LAG_S = 0.15
"""A hand seen to leave so shortly before the last look may still have brought what the next one shows."""

WATCHING, BETWEEN_DEALS, WAITING_FOR_DEAL, SCATTERED, LOOKING_THROUGH = (
    "looking", "between_deals", "waiting_for_deal", "scattered", "looking_through",
)  # fmt: skip


@dataclass
class _Sight:
    """Something that lies there: since when, and in how many looks running."""

    lying: CardLying
    first_s: float
    before_s: float
    """The last look that did not show it."""
    looks: int = 1
    missed: int = 0
    """Looks running that did not show it, the table untouched."""


@dataclass
class _Place:
    """Where a card of the trick was last seen."""

    at: Point
    seen_s: float
    laid_s: float = math.inf
    """When it was first seen there."""
    likely: tuple[float, ...] = ()
    """How likely each seat laid it, by the hands; empty: no hand was seen."""
    candidates: tuple[Card, ...] = ()
    """What it may be, if it could not be told."""
    touched: bool = False
    """Whether the table changed there since; if not, the card lies there still, seen or not."""
    missed: int = 0
    """Looks running that did not show it, though it was touched and nothing lies over it."""


@dataclass
class _Deal:
    """What is remembered of the deal under way that the match does not hold."""

    turn_up: Card | None = None
    """The card last seen turned up, and where; it lies there for a while after the last draw has begun."""
    turn_up_at: Point | None = None
    outlined: bool = False
    pillager: int | None = None
    paid: Card | None = None
    """A card seen at the talon while the turned-up one is being paid for."""
    turn_up_missed: int = 0
    turn_up_left: bool = False
    """It was gathered with the rest after the deal."""
    hands_since_turn_up: int = 0
    hands_since_trick: int = 0
    """Hands over the table since a trick was taken or a card lay in the middle."""
    places: dict[int, _Place] = field(default_factory=dict)


def _laid(view: View) -> tuple[dict[str, Any], ...]:
    """The cards that lie there as the match has it: the trick's, and those beside it."""
    return (*(view.trick or ()), *(view.beside or ()))


class CardTable:
    """Follows one table. `look` takes a look in, then `next` gives the events it tells, one at a time."""

    def __init__(
        self,
        game: TrickGame,
        clockwise: bool,
        seat_0_deg: float = 0.0,
        seats_deg: Sequence[float] = (),
        zone: float = ZONE,
    ) -> None:
        """seats_deg: where everybody sits, if not evenly round from seat 0. zone: how far out a card is played."""
        self.game = game
        self._zone = zone
        self._arms = Arms(seats_deg or seats_round(game.players, clockwise, seat_0_deg))
        self.situation = WATCHING
        self._deal = _Deal()
        self._sights: list[_Sight] = []
        self._look: TableLook | None = None
        self._looked_s = -math.inf
        self._hands: list[Hand] = []
        self._packets: list[Point] = []
        self._changed: list[tuple[float, tuple[tuple[float, float, float], ...]]] = []
        """Where the table changed, by the time of the look."""
        self._piles: dict[int, list[Point]] = {}
        self._ignored: list[CardLying] = []
        self._furniture: list[Point] = []
        """Where something that cannot be read lay before anything was put there: cloth, wood, a coin."""
        self._queue: list[Event] = []
        self._asked: set[int] = set()
        """Plays whose order the table was asked for: only a person settles which card each is."""
        self._glimpses: list[_Sight] = []
        """Cards seen too briefly to count, since the last thing that happened."""
        self._played_s = -math.inf
        """When the last card that was played was first seen."""
        self._gathered: int | None = None
        """The last play of a finished deal whose last trick was seen to go."""
        self._unseen: tuple[int | None, int] = (None, 0)
        """The last play of the trick, and for how many looks none of its cards was seen."""
        self._trouble: int | None = None
        """The last trick of this deal in which something went unseen, or was taken back."""
        self._told_gone: int | None = None
        """The last play of a trick that went, nobody knows where to: the next lead takes it up."""

    # -- taking a look in --------------------------------------------------------------------------------------------

    def look(self, look: TableLook, view: View, possible: frozenset[Card]) -> None:
        """A still table. view: what the match says lies there. possible: the cards that may be face up."""
        self._look = look
        self._possible = possible
        if look.fresh:
            # A frame between two hands tells of the first already; the look after it tells of it again.
            told = {(hand.came_s, hand.angle_deg) for hand in look.hands}
            known = (hand for hand in self._hands if (hand.came_s, hand.angle_deg) not in told)
            self._hands = [hand for hand in (*known, *look.hands) if hand.left_s > look.at_s - HANDS_KEPT_S]
            self._deal.hands_since_turn_up += len(look.hands)
            self._deal.hands_since_trick = 0 if view.trick else self._deal.hands_since_trick + len(look.hands)
            if self._still_lies(view):
                self._packets = []  # Nothing was gathered yet.
            elif look.packets:
                self._packets = list(look.packets)
            self._changed = [*self._changed[-(CHANGES_KEPT - 1) :], (look.at_s, look.changed)]
        self._forget_moved(look)
        sights = []
        for lying in look.cards:
            if self._is_ignored(lying) or (lying.card is None and self._is_furniture(lying.at)):
                continue
            old = next((one for one in self._sights if self._same(one.lying, lying)), None)
            doubt = next((one for one in self._sights if self._read_now(one.lying, lying, look)), None)
            if old is not None:
                sights.append(_Sight(lying, old.first_s, old.before_s, old.looks + 1))
            elif doubt is not None:
                sights.append(_Sight(lying, doubt.first_s, doubt.before_s))
            else:
                sights.append(_Sight(lying, look.at_s, self._looked_s))
        for old in self._sights:
            if old.lying.card is None or any(self._same(old.lying, one.lying) for one in sights):
                continue
            over = [one for one in sights if apart(one.lying.at, old.lying.at) < RIGHT_OVER * self._length]
            # Seen once, perhaps sliding still: another of its rank there is that card, read better.
            over = [one for one in over if one.lying.card is None or one.lying.card[:-1] != old.lying.card[:-1]]
            if not look.fresh and old.missed < SURE_LOOKS:
                sights.append(replace(old, missed=old.missed + 1))
            elif old.looks < SURE_LOOKS and old.lying.card in possible and any(o.first_s == look.at_s for o in over):
                sights.append(replace(old, looks=SURE_LOOKS))  # Seen, and then another was thrown over it.
            elif old.looks < SURE_LOOKS:
                self._glimpses.append(old)
        for sight in sights:
            long_there = sight.lying.card is None and sight.looks >= SURE_LOOKS
            put_there = self._put_there(sight)
            if view.phase == "waiting_for_deal":  # What comes to the middle before a deal is no card of it.
                put_there = put_there and math.hypot(*sight.lying.at) > MIDDLE and bool(self._laying(sight).hands)
            if long_there and not put_there and not self._is_furniture(sight.lying.at):
                self._furniture.append(sight.lying.at)
        self._sights = sights
        self._looked_s = look.at_s
        self._find_known(view)
        self._count_unseen(view)

    def undone(self, view: View) -> None:
        """A person took something back: what lies there and is in no trick any more is left alone till it moves."""
        known = {one["card"] for one in _laid(view)}
        lying = self._look.cards if self._look else ()
        self._ignored += [one for one in lying if one.card not in known and one.card != view.turn_up]

    def _same(self, a: CardLying, b: CardLying) -> bool:
        return a.card == b.card and self._same_place(a, b.at, b.outlined)

    def _same_place(self, lying: CardLying, at: Point, outlined: bool, within: float = SAME_PLACE) -> bool:
        """Whether it lies there. Without an outline a card's place is that of either index."""
        reach = within if lying.outlined and outlined else max(within, PART_OF_ONE)
        return apart(lying.at, at) < reach * self._length

    def _read_now(self, doubt: CardLying, lying: CardLying, look: TableLook) -> bool:
        """Whether this is the card that could not be read before, and is no doubt any more."""
        if doubt.card is not None or lying.card not in doubt.candidates:
            return False
        there_still = any(one.card is None and self._same(doubt, one) for one in look.cards)
        return not there_still and apart(doubt.at, lying.at) < PART_OF_ONE * self._length

    def _is_furniture(self, at: Point) -> bool:
        """Whether something of the table itself is there that looks a little like a card."""
        return any(apart(at, one) < SAME_PLACE * self._length for one in self._furniture)

    def _is_ignored(self, lying: CardLying) -> bool:
        return any(self._same(one, lying) for one in self._ignored)

    def _forget_moved(self, look: TableLook) -> None:
        self._ignored = [one for one in self._ignored if any(self._same(one, lying) for lying in look.cards)]

    @property
    def _length(self) -> float:
        return self._look.card_length if self._look else 0.3

    def _find_known(self, view: View) -> None:
        """Which cards of the trick, and the turned-up one, still lie there."""
        assert self._look is not None
        lying = self._lying(view)
        doubts = [one.at for one in self._look.cards if one.card is None and not self._is_furniture(one.at)]
        places = {}
        for one in _laid(view):
            number, card = one["number"], one["card"]
            place = self._deal.places.get(number)
            there = lying.get(card) or self._lies_at(place if card is None else None)
            if there is not None and place is not None and self._carried_off(there, place):
                if not any(apart(there.at, packet) < PILE_NEAR for packet in self._packets):
                    self._packets.append(there.at)  # The rest of its trick is under it.
                there = None
            if there is not None:
                place = place or _Place(there.at, self._look.at_s, self._look.at_s)
                place = replace(place, at=there.at, seen_s=self._look.at_s, touched=False, missed=0)
            elif place is not None:
                place.touched = place.touched or any(
                    apart(place.at, (x, y)) < radius + self._length / 2 for x, y, radius in self._look.changed
                )
                under_a_hand = card in self._look.hidden
                if place.touched and not under_a_hand and not self._hidden(place, doubts):
                    place.missed += 1
            if place is not None:
                places[number] = place
        self._deal.places = places
        if view.turn_up is not None and view.turn_up in lying:
            self._deal.turn_up, self._deal.turn_up_at = view.turn_up, lying[view.turn_up].at
            self._deal.outlined = lying[view.turn_up].outlined
            self._deal.turn_up_missed = self._deal.hands_since_turn_up = 0
        else:
            self._deal.turn_up_missed += 1

    def _lying(self, view: View) -> dict[Card, CardLying]:
        """What is seen of each card. Two cards never lie in the very same place: one of the trick that seems to have
        moved to where another lay, which is not seen itself, is that other one misread."""
        assert self._look is not None
        lying = {one.card: one for one in self._look.cards if one.card}
        places = {one["card"]: self._deal.places.get(one["number"]) for one in _laid(view) if one["card"]}
        for card, place in places.items():
            if place is None or card in lying:
                continue
            for other, elsewhere in places.items():
                there = lying.get(other)
                if there is None or elsewhere is None or apart(there.at, place.at) > ON_ANOTHER * self._length:
                    continue
                if apart(elsewhere.at, place.at) > SAME_PLACE * self._length:
                    lying[card] = replace(lying.pop(other), card=card)
                    break
            else:
                doubt = next((one for one in self._look.cards if self._may_be(one, card, place)), None)
                if doubt is not None:
                    lying[card] = replace(doubt, at=place.at)
        return lying

    def _may_be(self, lying: CardLying, card: Card, place: _Place) -> bool:
        """Whether something that cannot be read may be this card, where that lay."""
        near = apart(lying.at, place.at) < PART_OF_ONE * self._length
        maybe = lying.card is None and card in lying.candidates[:LIKELY_NAMES]
        return maybe and near and not self._is_furniture(lying.at)

    def _carried_off(self, there: CardLying, place: _Place) -> bool:
        """Whether a card of the trick lies at somebody's place now."""
        return math.hypot(*there.at) > self._zone > math.hypot(*place.at)

    def _lies_at(self, place: _Place | None) -> CardLying | None:
        """What lies where a card lay that could not be told, if it may be that."""
        if place is None or self._look is None:
            return None
        near = [one for one in self._look.cards if apart(one.at, place.at) < SAME_PLACE * self._length]
        near = [one for one in near if one.card is None or not place.candidates or one.card in place.candidates]
        return min(near, key=lambda one: apart(one.at, place.at), default=None)

    def _hidden(self, place: _Place, doubts: list[Point]) -> bool:
        """Whether something came to lie over it, or lies there and cannot be read."""
        if any(apart(place.at, at) < COVERS * self._length for at in doubts):
            return True
        later = [one for one in self._sights if one.first_s > place.seen_s - 1e-6 and one.lying.card]
        return any(apart(place.at, one.lying.at) < COVERS * self._length for one in later)

    # -- what happened -----------------------------------------------------------------------------------------------

    def next(self, view: View, number: int) -> Event | None:
        """The next thing this look tells, given what the match holds now; number: the one its event will get."""
        if self._look is None:
            return None
        self.situation = WATCHING
        if self._queue:
            return self._queue.pop(0)
        if view.phase in ("waiting_for_deal", "deal_over", "match_over"):
            return self._between_deals(view)
        return self._during_a_deal(view, number)

    def _between_deals(self, view: View) -> Event | None:
        trick = view.trick or ()
        self.situation = BETWEEN_DEALS if trick or view.phase != "waiting_for_deal" else WAITING_FOR_DEAL
        if trick and self._gathered != trick[-1]["number"]:
            if not self._all_gone(view):
                return None
            self._gathered = trick[-1]["number"]
            taken = self._taken(view)
            if taken is not None:
                return taken
        if self._deal.turn_up_missed >= SURE_LOOKS or self._bare():
            self._deal.turn_up_left = True
        faces = sorted(
            (one for one in self._sights if one.lying.card in self.game.whole_pack),
            key=lambda one: one.first_s,
        )
        if not faces or faces[0].looks < SURE_LOOKS:
            return None
        # Where the first card was led before the turned-up one was read for sure, that one has lain there longer.
        if len(faces) > 1 and (faces[0].first_s == faces[1].first_s or len(faces) > self.game.players):
            return None
        if self._not_drawn_yet(faces[0].lying) and not self._deal.turn_up_left:
            return None
        turned_up = self._turned_up_unread(faces)
        if turned_up is None:
            return self._new_deal(faces[0])
        if len(faces) > 1 and turned_up.looks >= DOUBTFUL_LOOKS:
            likeliest = replace(turned_up.lying, card=turned_up.lying.candidates[0])
            return self._new_deal(replace(turned_up, lying=likeliest))
        return None

    def _bare(self) -> bool:
        """Whether nothing that looks like a card lies there after several hands, nor may lie under one: all were
        gathered, even if the table was looked at only once since."""
        assert self._look is not None
        return not self._look.cards and not self._look.hidden and self._deal.hands_since_turn_up >= VOID_HANDS

    def _turned_up_unread(self, faces: Sequence[_Sight]) -> _Sight | None:
        """What lay outside the middle before any face did, and cannot be read yet: the turned-up card, if all faces lie
        where cards are played. Waited for; where the game goes on, its likeliest name is taken."""
        if any(math.hypot(*one.lying.at) > MIDDLE for one in faces):
            return None
        doubts = [one for one in self._sights if one.lying.candidates and math.hypot(*one.lying.at) > MIDDLE]
        doubts = [one for one in doubts if one.first_s <= faces[0].first_s and self._put_there(one)]
        return doubts[0] if len(doubts) == 1 else None

    def _new_deal(self, face: _Sight) -> Event:
        assert face.lying.card is not None
        self._asked, self._gathered, self._told_gone, self._unseen = set(), None, None, (None, 0)
        self._trouble = None
        self._deal = _Deal(face.lying.card, face.lying.at, face.lying.outlined)
        self._piles = {}
        self._packets, self._glimpses = [], []
        return Deal(face.lying.card)

    def _during_a_deal(self, view: View, number: int) -> Event | None:
        trick = view.trick or ()
        fresh = [one for one in self._sights if one.looks >= self._looks_for(one) and self._is_new(one, view)]
        turned = self._turned_up_otherwise(view, fresh) or self._dealt_too_soon(view, fresh)
        if turned is not None:
            return turned
        reread = self._read_at_last(view, fresh)
        if reread is not None:
            return reread
        strange = [one for one in fresh if one.lying.card and one.lying.card not in self._possible]
        fresh = [one for one in fresh if self._in_zone(one, strange) and not self._where_turned_up(one.lying, view)]
        if len(strange) > 1:
            self.situation = LOOKING_THROUGH
        if len(fresh) > self.game.players or any(one in strange for one in fresh[1:]):
            self.situation = LOOKING_THROUGH if strange else SCATTERED
            return None
        if trick and self._all_gone(view) and self._told_gone != trick[-1]["number"]:
            gone = self._went(view, number)
            if gone is not None:
                return gone
        lifted = self._lifted(view)
        if lifted is not None:
            return lifted
        return self._played(view, fresh, number)

    # -- the turned-up card ------------------------------------------------------------------------------------------

    def _turned_up_otherwise(self, view: View, fresh: list[_Sight]) -> Event | None:
        """Another card lies where the turned-up one lay: taken in a pillage, dealt anew, or exchanged."""
        deal = self._deal
        if view.turn_up is None or deal.turn_up_at is None or deal.turn_up_missed < SURE_LOOKS:
            return None
        there = [one for one in fresh if one.lying.card and self._where_turned_up(one.lying, view)]
        nothing_played = not view.trick and view.trick_number == 1
        if not there:
            faces = [one for one in fresh if one.lying.card]
            if nothing_played and self._pillage_may_be and len(faces) == 1 and self._beside_the_talon(faces[0]):
                deal.paid = faces[0].lying.card
                return None
            early = nothing_played and view.stock is None and len(faces) == 1 and not self._in_zone(faces[0])
            return self._new_deal(faces[0]) if early else None
        card = there[0].lying.card
        assert card is not None
        lead = view.trick[0] if view.trick and len(view.trick) == 1 and view.trick_number == 1 else None
        if lead is not None and self._pillage_may_be:
            place = deal.places.get(lead["number"])
            if place is None or place.missed:
                deal.paid = lead["card"]  # It was shown in the middle and went under the talon: no lead.
                return TakenBack(lead["number"])
        if nothing_played and self._pillage_may_be:
            if apart(there[0].lying.at, deal.turn_up_at) > SAME_INDEX * self._length:
                deal.paid = card  # What pays is pushed under the talon; the next card comes where the last one lay.
                return None
            deal.pillager = taker = self._pillager(view, there[0])
            deal.turn_up_at, deal.turn_up_missed = there[0].lying.at, 0
            paid, deal.paid = deal.paid, None
            return Pillage(taker, view.turn_up, paid, card)
        if nothing_played:
            return self._new_deal(there[0])
        if deal.hands_since_turn_up > VOID_HANDS and not view.trick:
            return VoidDeal()
        if card in self._possible and deal.hands_since_turn_up <= VOID_HANDS:
            deal.turn_up_missed = 0
            self._ignored.append(there[0].lying)
            return TurnUpSeen(card)
        return None

    def _dealt_too_soon(self, view: View, fresh: list[_Sight]) -> Event | None:
        """The next deal, where the last trick was never played out: after as many hands as a deal takes, one card lies
        face up beside the empty middle."""
        if view.trick or view.trick_number != self.game.tricks or view.turn_up is not None:
            return None
        faces = [one for one in fresh if one.lying.card in self.game.whole_pack]
        dealt = self._deal.hands_since_trick > self.game.players
        if len(faces) != 1 or self._in_zone(faces[0]) or not dealt or not self._put_there(faces[0]):
            return None
        return self._new_deal(faces[0])

    def _where_turned_up(self, lying: CardLying, view: View) -> bool:
        """Whether it lies where the turned-up card lay, while that has not been drawn."""
        at = self._deal.turn_up_at
        if view.turn_up is None or at is None or lying.card == view.turn_up:
            return False
        return self._same_place(lying, at, self._deal.outlined, TURN_UP_PLACE)

    @property
    def _pillage_may_be(self) -> bool:
        return isinstance(self.game, Triomphe) and self.game.pillage

    def _beside_the_talon(self, face: _Sight) -> bool:
        """Whether a card that pays for the turned-up one may lie here before it is pushed under the talon."""
        at = self._deal.turn_up_at
        return at is not None and apart(face.lying.at, at) < PAID_NEAR * self._length

    def _pillager(self, view: View, face: _Sight) -> int | None:
        """Who took the turned-up card, if that is clear. An ace is the dealer's, and one player takes all.

        The dealer turns the next card up, so a lone hand may be his.
        """
        if self._deal.pillager is not None:
            return self._deal.pillager
        assert view.turn_up is not None
        if view.turn_up[:-1] == self.game.ranks[0] and view.dealer is not None:
            return view.dealer
        seats = [self._arms.before(hand.angle_deg) for hand in self._laying(face).hands]
        if not seats or None in seats:
            return None
        turned_by_another = len(set(seats)) > 1 or (view.dealer is not None and seats[0] != view.dealer)
        return seats[0] if turned_by_another else None

    # -- the trick on the table --------------------------------------------------------------------------------------

    def _looks_for(self, sight: _Sight) -> int:
        """How often it must be seen: more often, if it would be a fault that it is there."""
        return SURE_LOOKS if sight.lying.card is None or sight.lying.card in self._possible else DOUBTFUL_LOOKS

    def _is_new(self, sight: _Sight, view: View) -> bool:
        card = sight.lying.card
        if card is None:
            long_there = sight.looks >= DOUBTFUL_LOOKS
            return long_there and self._put_there(sight) and not self._near_known(sight.lying.at)
        known = {one["card"] for one in _laid(view)}
        new = card not in known and card != view.turn_up and not self._not_drawn_yet(sight.lying)
        return new and not self._another_name(sight)

    def _another_name(self, sight: _Sight) -> bool:
        """Whether it is a second reading of a card that is known and lies there still."""
        assert self._look is not None
        seen = [one for one in self._deal.places.values() if one.seen_s == self._look.at_s and one.missed == 0]
        if sight.lying.card not in self._possible:  # Rather a misread corner than a fault.
            return any(apart(one.at, sight.lying.at) < NEARLY_ON * self._length for one in seen)
        there = [one for one in seen if apart(one.at, sight.lying.at) < ON_ANOTHER * self._length]
        a_hand_for_it = any(hand.came_s > self._played_s for hand in self._laying(sight).hands)
        thrown_on = all(one.laid_s <= sight.before_s for one in there) and self._put_there(sight)
        return bool(there) and not (thrown_on and a_hand_for_it)

    def _put_there(self, sight: _Sight) -> bool:
        """Whether the table changed there when it appeared: what merely looks like a card by now was always there."""
        spots = [spot for at_s, spots in self._changed if sight.before_s < at_s <= sight.first_s for spot in spots]
        return any(apart(sight.lying.at, (x, y)) < radius + self._length / 2 for x, y, radius in spots)

    def _not_drawn_yet(self, lying: CardLying) -> bool:
        """The turned-up card where it always lay: the last drawer has yet to take it."""
        at = self._deal.turn_up_at
        return lying.card == self._deal.turn_up and at is not None and self._same_place(lying, at, outlined=False)

    def _near_known(self, at: Point) -> bool:
        """Whether a card that could not be read may just be a part of one that is known."""
        known = [one.at for one in self._deal.places.values() if one.missed == 0]
        known += [one.lying.at for one in self._sights if one.lying.card]
        if self._deal.turn_up_at is not None:
            known.append(self._deal.turn_up_at)
        return any(apart(at, one) < PART_OF_ONE * self._length for one in known)

    def _in_zone(self, sight: _Sight, strange: Sequence[_Sight] = ()) -> bool:
        """Whether it lies where cards are played; one that was played before, only in the very middle, and alone."""
        far = math.hypot(*sight.lying.at)
        return far < self._zone if sight not in strange else far < MIDDLE and len(strange) == 1

    def _read_at_last(self, view: View, fresh: list[_Sight]) -> Event | None:
        """A card that was told as unread, or misread, and is read now where it lay, with no hand in between."""
        for one in view.trick or ():
            place = self._deal.places.get(one["number"])
            if place is None or (one["card"] is not None and place.missed < SURE_LOOKS):
                continue
            if one["number"] in self._asked:
                continue
            for sight in fresh:
                card = sight.lying.card
                near = apart(sight.lying.at, place.at) < PART_OF_ONE * self._length
                touched = any(hand.left_s > place.seen_s for hand in self._hands)
                if card and card in self._possible and near and (one["card"] is None or not touched):
                    place.at, place.seen_s, place.missed = sight.lying.at, sight.first_s, 0
                    return Correct(one["number"], {"card": card, "confidence": sight.lying.confidence})
        return None

    def _count_unseen(self, view: View) -> None:
        """For how many looks running no card of the trick was seen."""
        assert self._look is not None
        trick = view.trick or ()
        last = trick[-1]["number"] if trick else None
        shows = any(place.missed == 0 and place.seen_s == self._look.at_s for place in self._deal.places.values())
        if last != self._unseen[0] or shows:
            self._unseen = (last, 0)
        under_a_hand = any(one["card"] in self._look.hidden for one in trick)
        if trick and not shows and not under_a_hand:
            self._unseen = (last, self._unseen[1] + 1)

    def _all_gone(self, view: View) -> bool:
        """Nothing of the trick lies there any more. One new card may hide what is unfinished, never a whole trick."""
        last = (view.trick or ())[-1]["number"]
        if self._unseen[0] != last or self._unseen[1] < SURE_LOOKS:
            return False
        if len(view.trick or ()) == self.game.players:
            return True
        if self._went_unwatched(view):
            return True
        places = [self._deal.places.get(one["number"]) for one in view.trick or ()]
        return all(place is not None and place.missed >= SURE_LOOKS for place in places)

    def _went_unwatched(self, view: View) -> bool:
        """Whether what the match has on the table was never seen there, and other cards are: somebody played on while
        nobody looked."""
        never_seen = not any(one["number"] in self._deal.places for one in view.trick or ())
        others = any(self._in_zone(one) for one in self._sights if one.lying.card in self._possible)
        return never_seen and others and self._unseen[1] >= SURE_LOOKS

    def _went(self, view: View, number: int) -> Event | None:
        """The whole trick is gone: taken up if it was complete, else taken back card by card."""
        trick = view.trick or ()
        last = trick[-1]["number"]
        glimpse = self._glimpsed(view)
        if glimpse is not None:
            self._deal.places[number] = replace(self._place(glimpse), touched=True, missed=SURE_LOOKS)
            self._unseen = (number, SURE_LOOKS)
            return self._play(glimpse, view, self._seat_of(glimpse, view), before_taken=False)
        if len(trick) == self.game.players:
            self._told_gone = last
            return self._taken(view)
        self._trouble = view.trick_number
        missing = self.game.players - len(trick)
        gathered = bool(self._packets_at_the_edge())
        if self._went_unwatched(view) or (gathered and len(trick) > 1 and 1 < missing < self._hands_since_played()):
            self._unseen = (number + missing - 1, SURE_LOOKS)
            return self._told_in_turn([Play(None)] * missing)
        if gathered and missing == 1 and self._one_more_played(view):
            again = self._with_the_unseen_one(view, number)
            self._unseen = (number + len(again), SURE_LOOKS)
            return self._told_in_turn(again)
        return TakenBack(last)

    def _told_in_turn(self, events: Sequence[Event]) -> Event:
        """The first of several events that follow from one look; the others come next."""
        self._queue += events[1:]
        return events[0]

    def _hands_since_played(self) -> int:
        """How many hands were over the middle since the last card that was seen."""
        return sum(hand.came_s > self._played_s and over_the_middle(hand) for hand in self._hands)

    def _one_more_played(self, view: View) -> bool:
        """Whether a card that nobody saw was laid. Of two, one who lays and takes back is alone; a last trick that is
        too short may be just that, so there a hand, or those of the cards after it, must speak for one more."""
        if not isinstance(view.turn, int):
            return True
        if self.game.players == 2:
            return self._arms.reached_in(view.turn, (hand for hand in self._hands if hand.came_s > self._played_s))
        last = view.trick_number == self.game.tricks
        return not last or self._skipped(view)[1] < 0 or self._hands_since_played() > 1

    def _with_the_unseen_one(self, view: View, number: int) -> list[Event]:
        """What puts a card that nobody saw where the hands say it was laid: those after it are laid again."""
        trick = view.trick or ()
        skipped, worse = self._skipped(view)
        tail = trick[skipped:] if worse < 0 else ()
        first = number + len(tail) + 1
        for place, one in enumerate(tail):
            if one["number"] in self._deal.places:
                self._deal.places[first + place] = self._deal.places[one["number"]]
        self._trouble = view.trick_number
        back = [TakenBack(one["number"]) for one in reversed(tail)]
        return [*back, Play(None), *(Play(one["card"]) for one in tail)]

    def _skipped(self, view: View) -> tuple[int, float]:
        """Before which card of the trick one was laid that nobody saw, and how much worse the hands fit that than the
        trick as it is known, as a logarithm: below 0, better. The lead is known from the trick before."""
        trick, players = view.trick or (), self.game.players
        best, worse = (len(trick), math.inf), 0.0
        for place in reversed(range(len(trick))):
            seat, known = trick[place]["seat"], self._deal.places.get(trick[place]["number"])
            if seat is None or known is None or trick[place]["card"] is None or "sure" in trick[place]:
                break
            if known.likely:
                worse += math.log(known.likely[seat] / known.likely[(seat + 1) % players])
            if place and worse < best[1]:
                best = (place, worse)
        return best

    def _packets_at_the_edge(self) -> list[Point]:
        """What came to rest at somebody's place."""
        return [one for one in self._packets if math.hypot(*one) > REST_AT_EDGE]

    def _glimpsed(self, view: View) -> _Sight | None:
        """The one card of an unfinished trick that was seen only once before the trick was swept up."""
        missing = self.game.players - len(view.trick or ())
        known = {one["card"] for one in view.trick or ()}
        since = max((place.seen_s for place in self._deal.places.values()), default=-math.inf)
        brief = [one for one in self._glimpses if self._in_zone(one) and one.lying.card in self._possible - known]
        brief = [one for one in brief if one.first_s >= since]
        self._glimpses = []
        return brief[0] if missing == 1 == len(brief) else None

    def _taken(self, view: View) -> Event | None:
        """Where the trick came to rest tells who took it; if that cannot be told, the winner did."""
        winner = view.last_winner
        edge = self._packets_at_the_edge()
        self._packets = []
        seat = self._arms.before(direction_deg(edge[0])) if len(edge) == 1 else None
        if seat is not None:
            side = self.game.sides[seat]
            here = edge[0]
            owner = next(
                (s for s, piles in self._piles.items() if any(apart(here, p) < PILE_NEAR for p in piles)), None
            )
            side = side if owner is None else owner
            if winner is None or side == self.game.sides[winner]:
                self._piles.setdefault(side, []).append(here)
                return Taken(seat if winner is None else winner)
            # Another side's place: a question, and only where its own pile is elsewhere or nobody's is known.
            self._trouble = view.trick_number
            return Taken(next(k for k, s in enumerate(self.game.sides) if s == side), ASKED)
        return None if winner is None else Taken(winner)

    def _lifted(self, view: View) -> Event | None:
        """A card of the trick went back to a hand: it is gone, the others lie there still, and nothing covers it."""
        cards = _laid(view)
        here = [one for one in cards if (place := self._deal.places.get(one["number"])) and place.missed == 0]
        in_trick = [self._deal.places.get(one["number"]) for one in view.trick or ()]
        lost = sum(place is not None and place.missed >= LIFTED_LOOKS for place in in_trick)
        if len(in_trick) == self.game.players and lost > 1:
            # Nobody takes two cards back at once: it was gathered, and something that lies there looks like a third.
            self._trouble, self._told_gone = view.trick_number, (view.trick or ())[-1]["number"]
            return self._taken(view)
        for one in reversed(cards):
            place = self._deal.places.get(one["number"])
            lone = one in (view.beside or ())
            if place is not None and place.missed >= LIFTED_LOOKS and (here or lone) and one["card"] is not None:
                if len(view.trick or ()) == self.game.players:
                    self._trouble = view.trick_number  # It may well have been gathered.
                return TakenBack(one["number"])
        return None

    def _played(self, view: View, fresh: list[_Sight], number: int) -> Event | None:
        """New cards at rest: in the only order that is possible."""
        if not fresh:
            return None
        trick = view.trick or ()
        complete = len(trick) == self.game.players
        gone = complete and self._told_gone == trick[-1]["number"]
        if trick and not gone and not self._still_lies(view) and (complete or self._unseen[1] < SURE_LOOKS):
            return None
        if not complete and len(fresh) > min(self.game.players - len(trick), max(1, self._hands_since_played())):
            known = [place.at for place in self._deal.places.values() if place.missed == 0]
            apart_from = [
                one for one in fresh if all(apart(one.lying.at, at) > NEARLY_ON * self._length for at in known)
            ]
            fresh = apart_from or fresh
        order = self._in_order(fresh, view)
        if order is None:
            return self._either_order(fresh, number)
        sight = order[0]
        # Among several at once only an order that turns explain was taken: nobody's turn is judged by it.
        seat = self._seat_of(sight, view) if len(fresh) == 1 else None
        first_lead = not trick and view.trick_number == 1 and isinstance(view.turn, int)
        if seat is not None and first_lead and self._pillage_may_be:
            return None  # Out of turn it may be shown to pay for the turned-up card: the next card or hand tells.
        if seat is not None and trick and not complete and isinstance(view.turn, int):
            if self._may_have_played(view.turn, sight):
                self._played_s, self._trouble = sight.first_s, view.trick_number
                return Play(None)
            if seat == (view.turn + 1) % self.game.players:
                worse = self._skipped(view)[1]
                if worse < -math.log(CLEAR_SKIP):
                    return self._told_in_turn(self._with_the_unseen_one(view, number))
                if worse < math.log(CLEAR):
                    seat = None  # It may well be so: nobody is accused.
        earlier = next((one for one in trick if one["seat"] == seat is not None), None)
        if earlier is not None and not complete:
            by_another = self._laid_by_another(earlier, view)
            if by_another is not None:
                return by_another
            if not self._clearly_its_own(earlier):
                seat = None  # Two from one seat, only if the first was surely that seat's.
        if self._in_trouble(view) and isinstance(view.turn, int):
            seat = None
        self._played_s = sight.first_s
        self._deal.places[number] = self._place(sight)
        before_taken = complete and not gone and not self._in_trouble(view)
        return self._play(sight, view, seat, before_taken)

    def _laid_by_another(self, one: dict[str, Any], view: View) -> Event | None:
        """A card was given to a seat because it was that seat's turn; now that the same seat lays one, the hand that
        brought the first is asked again whose it was."""
        place = self._deal.places.get(one["number"])
        if place is None or not place.likely or one["seat"] is None or "sure" in one:
            return None
        best = max(range(len(place.likely)), key=lambda seat: place.likely[seat])
        played = {other["seat"] for other in view.trick or ()}
        clear = best not in played and place.likely[best] > CLEAR * place.likely[one["seat"]]
        return Correct(one["number"], {"seat": best}) if clear else None

    def _clearly_its_own(self, one: dict[str, Any]) -> bool:
        """Whether the hand that laid a card of the trick speaks for the seat it was given to."""
        place = self._deal.places.get(one["number"])
        if place is None or not place.likely:
            return False
        return bool(place.likely[one["seat"]] * CLEAR_LEAD > sum(place.likely))

    def _place(self, sight: _Sight) -> _Place:
        likely = self._arms.likely(self._laying(sight)) or ()
        return _Place(sight.lying.at, sight.first_s, sight.first_s, tuple(likely), sight.lying.candidates)

    def _in_trouble(self, view: View) -> bool:
        """Whether something went unseen in this trick or the last: then what seems a fault may be ours."""
        return self._trouble is not None and (view.trick_number or 0) - self._trouble <= 1

    def _may_have_played(self, seat: int, sight: _Sight) -> bool:
        """Whether this seat's hand was over the middle since the last play: its card may lie there unseen."""
        since = (hand for hand in self._hands if self._played_s < hand.came_s <= sight.first_s)
        return self._arms.reached_in(seat, since)

    def _still_lies(self, view: View) -> bool:
        assert self._look is not None
        lying = {one.card for one in self._look.cards if math.hypot(*one.at) < self._zone}
        return any(one["card"] in lying for one in view.trick or ())

    def _either_order(self, fresh: list[_Sight], number: int) -> Event:
        """Cards that came together, nobody can say in which order: each may be any of them, and the table is asked."""
        cards = tuple(one.lying.card for one in fresh if one.lying.card)
        for place, one in enumerate(fresh):
            self._deal.places[number + place] = replace(self._place(one), candidates=cards)
            self._asked.add(number + place)
            self._ignored.append(one.lying)
        self._sights = [one for one in self._sights if one not in fresh]
        return self._told_in_turn([Play(None, candidates=cards)] * len(fresh))

    def _play(self, sight: _Sight, view: View, seat: int | None, before_taken: bool) -> Event:
        lying = sight.lying
        if lying.card is None:
            possible = tuple(card for card in lying.candidates if card in self._possible)
            return Play(None, seat, candidates=possible or lying.candidates, before_taken=before_taken)
        taken_by = seat if seat is not None else view.turn
        if isinstance(taken_by, int):
            self._arms.learn(taken_by, self._laying(sight))
        doubted = self._in_trouble(view) and lying.card not in self._possible
        return Play(lying.card, seat, min(ASKED if doubted else 1.0, lying.confidence), before_taken)

    # -- whose card --------------------------------------------------------------------------------------------------

    def _laying(self, sight: _Sight) -> Laying:
        hands = (h for h in self._hands if h.came_s <= sight.first_s and h.left_s >= sight.before_s - HAND_LAG_S)
        return Laying(sight.lying.at, self._length, tuple(hands))

    def _seat_of(self, sight: _Sight, view: View | None) -> int | None:
        """The seat whose card it is, when the hand says clearly that it is not the one whose turn it is."""
        likely = self._arms.likely(self._laying(sight))
        if likely is None:
            return None
        turn = view.turn if view is not None else None
        best = max(range(len(likely)), key=lambda seat: likely[seat])
        if not isinstance(turn, int):
            return best if likely[best] > CLEAR_LEAD * (sum(likely) - likely[best]) else None
        others = (1 - TURN) / max(1, len(likely) - 1)
        clear = best != turn and likely[best] * others > CLEAR * likely[turn] * TURN
        # A hand that was there before, gathering the last trick, or holds a fan at the edge, brought nothing.
        came_since = [hand for hand in self._laying(sight).hands if hand.came_s > sight.before_s]
        return best if clear and self._arms.reached_in(best, came_since) else None

    def _in_order(self, fresh: list[_Sight], view: View) -> list[_Sight] | None:
        """Several new cards in the order they were played; None: it cannot be told."""
        if len(fresh) == 1:
            return fresh
        earliest = min(one.first_s for one in fresh)
        first = [one for one in fresh if one.first_s == earliest]
        if len(first) == 1:
            return [first[0], *(one for one in fresh if one is not first[0])]
        if not isinstance(view.turn, int) or len(first) > MOST_AT_ONCE:
            return None
        turns = order_from(view.turn, self.game.players)[: len(first)]
        orders = list(permutations(first))
        fits = [self._arms.joint_fit([self._laying(one) for one in order], turns) for order in orders]
        best, second = sorted(fits, reverse=True)[:2]
        return list(orders[fits.index(best)]) if best > ORDER_CLEAR * second else None
