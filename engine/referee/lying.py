"""What lies on a card table, remembered from look to look, also where the last look does not show it.

Nothing here says what happened: `cards.py` tells that from what is kept here.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.cards import Card, rank_of, suit_of
from engine.referee.arms import Laying
from engine.sightings import CardLying, Hand, Point, TableLook, apart, turned_deg
from engine.view import View

SURE_LOOKS = 2
"""Looks in a row that must agree before something has happened; a table at rest is looked at twice."""
DOUBTFUL_LOOKS = 4
"""Looks after which a card that cannot be read is told as such, and one that cannot be there is believed."""
DRAWN_LOOKS = 6
"""Looks running that must miss the turned-up card, once it may be drawn, before it was."""
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
SLID = 0.3
"""Card lengths that a card slides on after it was first seen."""
LIKELY_NAMES = 2
"""Of the names that something may have, those that speak for a card that lay there."""
TURN_UP_PLACE = 0.5
"""Card lengths within which a card lies where the turned-up one lay."""
HANDS_KEPT_S = 20.0
"""Hands are remembered for so long: longer than anybody takes from laying a card to the next look at the table."""
REST_AT_EDGE = 0.5
"""Table units from the middle from which something that came to rest lies at somebody's place."""
PILE_NEAR = 0.4
"""Table units within which a packet lies on a pile that is known."""
VOID_HANDS = 3
"""Hands over an empty table between two different turned-up cards: more than a swap needs, fewer than any deal."""
GLIMPSED_S = 3.0
"""A card seen briefly, and again so soon, lay there all the time."""
SAME_HAND_DEG = 15.0
"""By which a hand turns at most while it is over the table."""
HAND_LAG_S = 0.15
"""A hand seen to leave so shortly before the last look may still have brought what the next one shows."""


def _same_hand(one: Hand, again: Hand) -> bool:
    """Whether two looks tell of one hand: it may have turned a little in between."""
    return one.came_s == again.came_s and abs(turned_deg(one.angle_deg, again.angle_deg)) < SAME_HAND_DEG


@dataclass
class Sight:
    """Something that lies there: since when, and in how many looks running."""

    lying: CardLying
    first_s: float
    before_s: float
    """The last look that did not show it."""
    looks: int = 1
    missed: int = 0
    """Looks running that did not show it, the table untouched."""
    pushed_s: float = -math.inf
    """When it was last pushed a little farther: what lay beside it may be under it since."""
    others: int = 0
    """Other faces that came in the same moment."""


@dataclass
class Place:
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
class TurnedUp:
    """The card last seen turned up, and where; it lies there for a while after the last draw has begun."""

    card: Card | None = None
    at: Point | None = None
    first_at: Point | None = None
    """Where it was first seen: the next one comes there, wherever this was moved to in between."""
    outlined: bool = False
    missed: int = 0
    """Looks running that did not show it."""
    left: bool = False
    """It was gathered with the rest after the deal."""
    unseen: int = 0
    """Looks running in which it lay nowhere."""
    drawn: bool = False
    """It was unseen for too long to lie there still."""
    hands_since: int = 0
    seen_s: float = -math.inf
    """When it was last seen."""

    @property
    def places(self) -> tuple[Point, ...]:
        """Where the next one may come."""
        return tuple(at for at in (self.at, self.first_at) if at is not None)


def laid(view: View) -> tuple[Mapping[str, Any], ...]:
    """The cards that lie there as the match has it: the trick's, and those beside it."""
    return (*(view.trick or ()), *(view.beside or ()))


class OnTheTable:
    """What lies on one table."""

    def __init__(self, zone: float) -> None:
        """zone: how far out a card is played."""
        self._zone = zone
        self.look: TableLook | None = None
        """The last one."""
        self._looked_s = -math.inf
        self._rest = (-math.inf, -math.inf)
        """The first look since anything moved, and the last one before: what a later look shows lay there already."""
        self.sights: list[Sight] = []
        self.glimpses: list[Sight] = []
        """Cards seen too briefly to count, since the last thing that happened."""
        self.places: dict[int, Place] = {}
        """Of the trick's cards and those beside it, by the number of the play."""
        self.turned_up = TurnedUp()
        self.hands: list[Hand] = []
        self.hands_since_trick = 0
        """Hands over the table since a card of a trick lay in the middle."""
        self.packets: list[Point] = []
        self.unseen: tuple[int | None, int] = (None, 0)
        """The last play of the trick, and for how many looks none of its cards was seen."""
        self._changed: list[tuple[float, tuple[tuple[float, float, float], ...]]] = []
        """Where the table changed, by the time of the look."""
        self._ignored: list[CardLying] = []
        self._brought_back: list[CardLying] = []
        """Of these, what a hand had laid and a button took back."""
        self._furniture: list[Point] = []
        """Where something that cannot be read lay before anything was put there: cloth, wood, a coin."""

    # -- taking a look in --------------------------------------------------------------------------------------------

    def take_in(self, look: TableLook, view: View, possible: frozenset[Card]) -> None:
        """A still table. view: what the match says lies there. possible: the cards that may be face up."""
        self.look = look
        if look.fresh:
            self._rest = look.at_s, self._looked_s
            self._keep_what_moved(look, view)
        self._ignored = [one for one in self._ignored if any(self._same(one, lying) for lying in look.cards)]
        if self.still_lies(view):  # What went before the trick did was lifted, not swept up with it.
            self._brought_back = [one for one in self._brought_back if one in self._ignored]
        self.sights = self._followed(look, possible)
        self._find_furniture(view)
        self._looked_s = look.at_s
        self._find_known(look, view)
        self._count_unseen(look, view)

    def begin_deal(self, turned_up: CardLying) -> None:
        """Everything else was gathered."""
        at = turned_up.at
        self.turned_up = TurnedUp(turned_up.card, at, at, turned_up.outlined, seen_s=self._looked_s)
        self.hands_since_trick = 0
        self.places, self.packets, self.glimpses, self._brought_back = {}, [], [], []
        self.unseen = (None, 0)

    def undone(self, view: View) -> None:
        """A person took something back: what lies there and is in no trick any more is left alone till it moves."""
        known = {view.turn_up, *(one["card"] for one in laid(view))} - {None}
        # What a void deal left alone may be back in its trick.
        self._ignored = [one for one in self._ignored if one.card not in known]
        self._brought_back = [one for one in self._brought_back if one.card not in known]
        seen = {one.card for one in (self.look.cards if self.look else ())}
        for one in laid(view):
            if one["card"] is not None and one["card"] not in seen and one["number"] not in self.places:
                # It was seen to be lifted, and the button took that back: it is not there for all that.
                self.places[one["number"]] = Place((0.0, 0.0), self._looked_s, touched=True, missed=SURE_LOOKS)
        left = [one for one in (self.look.cards if self.look else ()) if one.card not in known]
        left = [one for one in left if not any(self._same(one, other) for other in self._ignored)]
        self._ignored += left
        brought = [one.lying.card for one in self.sights if one.lying.card and self.laying(one).hands]
        # The last that was played is taken back first.
        self._brought_back = [*(one for one in left if one.card in brought), *self._brought_back]

    def played_over(self) -> CardLying | None:
        """A card that a hand laid and a button took back, and that lies there still: whoever plays on takes it for
        played. It is not left alone any more."""
        for one in self._brought_back:
            if one in self._ignored and math.hypot(*one.at) < self._zone:
                self._brought_back.remove(one)
                self._ignored.remove(one)
                return one
        return None

    def turned_up_after_all(self) -> CardLying | None:
        """The turned-up card of a deal that a button took back, if it lies there still and somebody plays on."""
        played = [one for one in self.sights if one.looks >= SURE_LOOKS and one.lying.card]
        if not any(math.hypot(*one.lying.at) < self._zone for one in played):
            return None
        return next((one for one in self._ignored if one.card is not None and one.card == self.turned_up.card), None)

    def swept_over(self) -> list[CardLying]:
        """The cards that a button took back and that lay there till the trick was swept up, in the order of play."""
        swept = [one for one in self._brought_back if math.hypot(*one.at) < self._zone]
        self._brought_back = []
        return swept

    def leave_alone(self, cards: set[Card | None]) -> None:
        """What lies there of these cards is told no more before it moves."""
        for one in self.look.cards if self.look else ():
            if one.card and one.card in cards:
                self.ignore(one)

    def ignore(self, lying: CardLying) -> None:
        """It was told, and is left alone till it moves."""
        self._ignored.append(lying)
        self.sights = [one for one in self.sights if one.lying != lying]

    def _keep_what_moved(self, look: TableLook, view: View) -> None:
        """The hands that came, what they gathered, and where they changed the table."""
        # A frame between two hands tells of the first already; the look after it tells of it again.
        known = [hand for hand in self.hands if not any(_same_hand(hand, again) for again in look.hands)]
        came = len(look.hands) - (len(self.hands) - len(known))
        self.hands = [hand for hand in (*known, *look.hands) if hand.left_s > look.at_s - HANDS_KEPT_S]
        self.turned_up.hands_since += came
        still_lies = self.still_lies(view)
        self.hands_since_trick = 0 if still_lies else self.hands_since_trick + came
        if still_lies:
            self.packets = []  # Nothing was gathered yet.
        elif look.packets:
            self.packets = list(look.packets)
        self._changed = [*self._changed[-(CHANGES_KEPT - 1) :], (look.at_s, look.changed)]

    def _followed(self, look: TableLook, possible: frozenset[Card]) -> list[Sight]:
        """What lies there now, each with how long it has."""
        sights = []
        for lying in look.cards:
            ignored = any(self._same(one, lying) for one in self._ignored)
            if ignored or (lying.card is None and self._is_furniture(lying.at)):
                continue
            old = next((one for one in self.sights if self._same(one.lying, lying)), None)
            doubt = next((one for one in self.sights if self._read_now(one, lying, look)), None)
            if old is not None:
                pushed_s = look.at_s if self._pushed(old.lying, lying) else old.pushed_s
                sights.append(replace(old, lying=lying, looks=old.looks + 1, missed=0, pushed_s=pushed_s))
            elif (again := self._seen_again(lying, look)) is not None:
                sights.append(again)
            elif doubt is not None:
                sights.append(Sight(lying, doubt.first_s, doubt.before_s))
            else:
                sights.append(Sight(lying, *self._rest))
        for old in self.sights:
            if old.lying.card is None or any(self._same(old.lying, one.lying) for one in sights):
                continue
            over = [one for one in sights if apart(one.lying.at, old.lying.at) < RIGHT_OVER * self.length]
            over = [one for one in over if not self._read_better(old.lying, one.lying)]
            if not look.fresh and old.missed < SURE_LOOKS:
                sights.append(replace(old, missed=old.missed + 1))
            elif old.looks < SURE_LOOKS and old.lying.card in possible and self._thrown_over(old, over, sights, look):
                sights.append(replace(old, looks=SURE_LOOKS))
            elif old.looks < SURE_LOOKS:
                self.glimpses.append(old)
        for one in sights:
            if one.looks == 1 and one.lying.card is not None:
                came = sum(other.first_s == one.first_s and other.lying.card is not None for other in sights)
                one.others = max(one.others, came - 1)
        return sights

    def _seen_again(self, lying: CardLying, look: TableLook) -> Sight | None:
        """A card that was seen too briefly to count a moment ago, and lies there still."""
        since = look.at_s - GLIMPSED_S
        brief = (one for one in self.glimpses if one.first_s > since and lying.card and self._same(one.lying, lying))
        again = next(brief, None)
        if again is None:
            return None
        self.glimpses.remove(again)
        return replace(again, lying=lying, looks=again.looks + 1)

    def unread_again(self, since_s: float) -> bool:
        """Whether a card that was seen briefly since then may be what lies there now and cannot be read."""
        assert self.look is not None
        return any(
            doubt.card is None
            and one.lying.card in doubt.candidates[:LIKELY_NAMES]
            and apart(one.lying.at, doubt.at) < self.length
            for one in self.glimpses
            if one.first_s > max(since_s, self.look.at_s - GLIMPSED_S)
            for doubt in self.look.cards
        )

    def _thrown_over(self, old: Sight, over: Sequence[Sight], sights: Sequence[Sight], look: TableLook) -> bool:
        """Whether one of these was thrown over a card that was seen once. If more came since than hands did, one came
        before: it was seen then, still sliding, and misread."""
        came = sum(hand.came_s > old.first_s for hand in self.hands)
        new = sum(one.first_s == look.at_s and one.lying.card is not None for one in sights)
        return any(one.first_s == look.at_s for one in over) and (not self.hands or new <= came)

    def _read_better(self, old: CardLying, now: CardLying) -> bool:
        """Whether what was seen once, perhaps sliding still, is this card: of its rank, or there and of its suit."""
        if old.card is None or now.card is None:
            return False
        there = apart(old.at, now.at) < SLID * self.length
        return rank_of(now.card) == rank_of(old.card) or (suit_of(now.card) == suit_of(old.card) and there)

    def _pushed(self, before: CardLying, now: CardLying) -> bool:
        """Whether it lies a little elsewhere than before, as far as its outline tells."""
        return before.outlined and now.outlined and apart(before.at, now.at) > ON_ANOTHER * self.length

    def _read_now(self, old: Sight, lying: CardLying, look: TableLook) -> bool:
        """Whether this is the card that could not be read before, and is no doubt any more. What could not be read for
        long, a worn corner or a knot, or was part of a card that is known, is not what was thrown there now."""
        doubt = old.lying
        if doubt.card is not None or lying.card not in doubt.candidates:
            return False
        changed = any(apart(lying.at, (x, y)) < radius + self.length / 2 for x, y, radius in look.changed)
        if look.fresh and changed and (old.looks >= DOUBTFUL_LOOKS or self.near_known(doubt.at)):
            return False
        there_still = any(one.card is None and self._same(doubt, one) for one in look.cards)
        came = [
            one for one in look.cards if one.card and not any(one.card == sight.lying.card for sight in self.sights)
        ]
        nearest = min(came, key=lambda one: apart(doubt.at, one.at), default=lying)
        near = apart(doubt.at, lying.at) < PART_OF_ONE * self.length
        return near and not there_still and (nearest is lying or not nearest.outlined)

    def _find_furniture(self, view: View) -> None:
        # A print may look like a card in one look and not in the next: a table nobody has touched yet shows but that.
        enough = 1 if view.phase == "waiting_for_deal" and not self.hands else SURE_LOOKS
        for sight in self.sights:
            long_there = sight.lying.card is None and sight.looks >= enough
            put_there = self.put_there(sight)
            if view.phase == "waiting_for_deal":  # What comes to the middle before a deal is no card of it.
                put_there = put_there and math.hypot(*sight.lying.at) > MIDDLE and bool(self.laying(sight).hands)
            if long_there and not put_there and not self._is_furniture(sight.lying.at):
                self._furniture.append(sight.lying.at)

    def _is_furniture(self, at: Point) -> bool:
        """Whether something of the table itself is there that looks a little like a card."""
        return any(apart(at, one) < SAME_PLACE * self.length for one in self._furniture)

    def _doubts(self, look: TableLook) -> list[Point]:
        """Where something lies that cannot be read and is none of the table's own."""
        return [one.at for one in look.cards if one.card is None and not self._is_furniture(one.at)]

    # -- what the match knows ----------------------------------------------------------------------------------------

    def _find_known(self, look: TableLook, view: View) -> None:
        """Which cards of the trick, and the turned-up one, still lie there."""
        lying = self._lying(look, view)
        doubts = self._doubts(look)
        # One card of an unfinished trick that lies far out beside the others was pushed there, not gathered.
        gathered = len(view.trick or ()) == view.players or not self.still_lies(view)
        places = {}
        for one in laid(view):
            number, card = one["number"], one["card"]
            place = self.places.get(number)
            there = lying.get(card) or self._lies_at(place if card is None else None, look)
            if there is not None and place is not None and gathered and self._carried_off(there, place):
                if not any(apart(there.at, packet) < PILE_NEAR for packet in self.packets):
                    self.packets.append(there.at)  # The rest of its trick is under it.
                there = None
            if there is not None:
                place = place or Place(there.at, look.at_s, look.at_s)
                place = replace(place, at=there.at, seen_s=look.at_s, touched=False, missed=0)
            elif place is not None:
                place.touched = place.touched or any(
                    apart(place.at, (x, y)) < radius + self.length / 2 for x, y, radius in look.changed
                )
                under_a_hand = card in look.hidden
                if place.touched and not under_a_hand and not self._hidden(place, doubts):
                    place.missed += 1
            if place is not None:
                places[number] = place
        self.places = places
        turned_up = self.turned_up
        nowhere = not any(one.card == turned_up.card for one in look.cards)
        turned_up.unseen = turned_up.unseen + 1 if nowhere and turned_up.card not in look.hidden else 0
        turned_up.drawn = turned_up.drawn or (view.turn_up is None and turned_up.unseen >= DRAWN_LOOKS)
        if view.turn_up is not None and view.turn_up in lying:
            if turned_up.card != view.turn_up:
                turned_up.first_at = lying[view.turn_up].at
            turned_up.card, turned_up.at = view.turn_up, lying[view.turn_up].at
            turned_up.outlined = lying[view.turn_up].outlined
            turned_up.missed = turned_up.hands_since = 0
            turned_up.seen_s = look.at_s
        else:
            turned_up.missed += 1

    def _lying(self, look: TableLook, view: View) -> dict[Card, CardLying]:
        """What is seen of each card. Two cards never lie in the very same place: one of the trick that seems to have
        moved to where another lay, which is not seen itself, is that other one misread."""
        lying = {one.card: one for one in look.cards if one.card}
        places = {one["card"]: self.places.get(one["number"]) for one in laid(view) if one["card"]}
        for card, place in places.items():
            if place is None or card in lying:
                continue
            for other, elsewhere in places.items():
                there = lying.get(other)
                if there is None or elsewhere is None or apart(there.at, place.at) > ON_ANOTHER * self.length:
                    continue
                if apart(elsewhere.at, place.at) > SAME_PLACE * self.length:
                    lying[card] = replace(lying.pop(other), card=card)
                    break
            else:
                doubt = next((one for one in look.cards if self._may_be(one, card, place)), None)
                if doubt is not None:
                    lying[card] = replace(doubt, at=place.at)
        return lying

    def _may_be(self, lying: CardLying, card: Card, place: Place) -> bool:
        """Whether something that cannot be read may be this card, where that lay."""
        near = apart(lying.at, place.at) < PART_OF_ONE * self.length
        maybe = lying.card is None and card in lying.candidates[:LIKELY_NAMES]
        return maybe and near and not self._is_furniture(lying.at)

    def _carried_off(self, there: CardLying, place: Place) -> bool:
        """Whether a card of the trick lies at somebody's place now."""
        return math.hypot(*there.at) > self._zone > math.hypot(*place.at)

    def _lies_at(self, place: Place | None, look: TableLook) -> CardLying | None:
        """What lies where a card lay that could not be told, if it may be that."""
        if place is None:
            return None
        near = [one for one in look.cards if apart(one.at, place.at) < SAME_PLACE * self.length]
        near = [one for one in near if one.card is None or not place.candidates or one.card in place.candidates]
        return min(near, key=lambda one: apart(one.at, place.at), default=None)

    def _hidden(self, place: Place, doubts: list[Point]) -> bool:
        """Whether something came to lie over it, or lies there and cannot be read."""
        if any(apart(place.at, at) < COVERS * self.length for at in doubts):
            return True
        later = [one for one in self.sights if max(one.first_s, one.pushed_s) > place.seen_s - 1e-6 and one.lying.card]
        over = [*(one.lying for one in later), *(one for one in self._ignored if one.card)]
        return any(apart(place.at, one.at) < COVERS * self.length for one in over)

    def _count_unseen(self, look: TableLook, view: View) -> None:
        """For how many looks running no card of the trick was seen."""
        trick = view.trick or ()
        last = trick[-1]["number"] if trick else None
        shows = bool(self.seen_now())
        if last != self.unseen[0] or shows:
            self.unseen = (last, 0)
        under_a_hand = any(one["card"] in look.hidden for one in trick)
        if trick and not shows and not under_a_hand:
            self.unseen = (last, self.unseen[1] + 1)

    # -- what lies there ---------------------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """Of a card."""
        return self.look.card_length if self.look else 0.3

    def bare(self) -> bool:
        """Whether nothing that looks like a card lies there after several hands, nor may lie under one: all were
        gathered, even if the table was looked at only once since."""
        assert self.look is not None
        return not self.look.cards and not self.look.hidden and self.turned_up.hands_since >= VOID_HANDS

    def still_lies(self, view: View) -> bool:
        """Whether a card of the trick is seen where cards are played, or where it was laid; one whose name is open, or
        cannot be read any more, there."""
        assert self.look is not None
        lying = {one.card: one.at for one in self.look.cards if math.hypot(*one.at) < self._zone}
        far_out = {one.card: one.at for one in self.look.cards if one.card and one.card not in lying}
        return any(
            one["card"] in lying
            or self._laid_at(one["number"], far_out.get(one["card"]))
            or self._unread_at(one["number"], one["card"])
            if one["card"] is not None
            else self._something_at(one["number"], lying.values())
            for one in view.trick or ()
        )

    def _laid_at(self, number: int, at: Point | None) -> bool:
        """Whether a card that lies far out was laid there."""
        place = self.places.get(number)
        if place is None or at is None or math.hypot(*place.at) < self._zone:
            return False
        return apart(at, place.at) < SAME_PLACE * self.length

    def _unread_at(self, number: int, card: Card) -> bool:
        """Whether what cannot be read where this play was may be its card."""
        assert self.look is not None
        place = self.places.get(number)
        return place is not None and any(self._may_be(one, card, place) for one in self.look.cards)

    def _something_at(self, number: int, seen: Iterable[Point]) -> bool:
        """Whether something lies where this play was."""
        place = self.places.get(number)
        return place is not None and any(apart(place.at, at) < PART_OF_ONE * self.length for at in seen)

    def seen_now(self) -> list[Place]:
        """The cards of the trick that the last look showed."""
        assert self.look is not None
        return [one for one in self.places.values() if one.seen_s == self.look.at_s and one.missed == 0]

    def last_seen_s(self) -> float:
        """When a card of the trick was last seen."""
        return max((place.seen_s for place in self.places.values()), default=-math.inf)

    def went_with(self, one: Mapping[str, Any], came: Sight) -> bool:
        """Whether a card that a play laid went in the moment another came: it was seen till then, its place was
        touched, and nothing that shows there now may be its end."""
        assert self.look is not None
        place = self.places.get(one["number"])
        if place is None or not place.touched or one["card"] is None or one["card"] in self.look.hidden:
            return False
        there = any(apart(place.at, at) < PART_OF_ONE * self.length for at in self._doubts(self.look))
        return came.before_s - 1e-6 < place.seen_s < came.first_s and not there

    def known_at(self) -> list[Point]:
        """Where cards of the trick lie still, seen or not."""
        return [one.at for one in self.places.values() if one.missed == 0]

    def near_known(self, at: Point) -> bool:
        """Whether a card that could not be read may just be a part of one that is known."""
        known = [*self.known_at(), *(one.lying.at for one in self.sights if one.lying.card)]
        if self.turned_up.at is not None:
            known.append(self.turned_up.at)
        return any(apart(at, one) < PART_OF_ONE * self.length for one in known)

    def where_turned_up(self, lying: CardLying, view: View) -> bool:
        """Whether it lies where the turned-up card lay, while that has not been drawn."""
        if view.turn_up is None or lying.card == view.turn_up:
            return False
        there = self.turned_up
        return any(self._same_place(lying, at, there.outlined, TURN_UP_PLACE) for at in there.places)

    def not_drawn_yet(self, lying: CardLying) -> bool:
        """The turned-up card where it always lay: the last drawer has yet to take it."""
        at = self.turned_up.at
        if lying.card != self.turned_up.card or at is None or self.turned_up.drawn:
            return False
        return self._same_place(lying, at, outlined=False)

    def in_zone(self, sight: Sight, strange: Sequence[Sight] = ()) -> bool:
        """Whether it lies where cards are played; one that was played before, only in the very middle, and alone."""
        far = math.hypot(*sight.lying.at)
        return far < self._zone if sight not in strange else far < MIDDLE and len(strange) == 1

    def shows(self, sight: Sight) -> bool:
        """Whether the last look shows this card."""
        assert self.look is not None
        return any(one.card == sight.lying.card for one in self.look.cards)

    def another_over(self, sight: Sight) -> bool:
        """Whether another card that was read lies so near that it may cover this one."""
        assert self.look is not None
        others = [one for one in self.look.cards if one.card not in (None, sight.lying.card)]
        return any(apart(one.at, sight.lying.at) < COVERS * self.length for one in others)

    def among_others(self, sight: Sight) -> bool:
        """Whether another card seems to lie by it that cannot be read."""
        assert self.look is not None
        doubts = [one for one in self.look.cards if one.card is None and sight.lying.card not in one.candidates]
        return any(apart(one.at, sight.lying.at) < self.length for one in doubts)

    def packets_at_the_edge(self) -> list[Point]:
        """What came to rest at somebody's place."""
        return [one for one in self.packets if math.hypot(*one) > REST_AT_EDGE]

    def put_there(self, sight: Sight) -> bool:
        """Whether the table changed there when it appeared: what merely looks like a card by now was always there."""
        spots = [spot for at_s, spots in self._changed if sight.before_s < at_s <= sight.first_s for spot in spots]
        return any(apart(sight.lying.at, (x, y)) < radius + self.length / 2 for x, y, radius in spots)

    def laying(self, sight: Sight) -> Laying:
        """How it came there: the hands that may have brought it. One that left before the table was last looked at did
        not, where the table changed there since and another hand came."""
        hands = [h for h in self.hands if h.came_s <= sight.first_s and h.left_s >= sight.before_s - HAND_LAG_S]
        since = [h for h in hands if h.left_s >= sight.before_s]
        return Laying(sight.lying.at, self.length, tuple(since if since and self.put_there(sight) else hands))

    def _same(self, a: CardLying, b: CardLying) -> bool:
        """Whether two looks show one thing; of what cannot be read, one of its names must be the same."""
        names = a.card is not None or not (a.candidates and b.candidates) or {*a.candidates} & {*b.candidates}
        return a.card == b.card and bool(names) and self._same_place(a, b.at, b.outlined)

    def _same_place(self, lying: CardLying, at: Point, outlined: bool, within: float = SAME_PLACE) -> bool:
        """Whether it lies there. Without an outline a card's place is that of either index."""
        reach = within if lying.outlined and outlined else max(within, PART_OF_ONE)
        return apart(lying.at, at) < reach * self.length
