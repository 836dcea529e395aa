"""The card turned up beside the stock: when it begins a deal, and what became of it when another lies there."""

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.cards import Card, rank_of, suit_of
from engine.events import Correct, Deal, Event, Pillage, TakenBack, TurnUpSeen, VoidDeal
from engine.referee.arms import Arms
from engine.referee.lying import DOUBTFUL_LOOKS, MIDDLE, SURE_LOOKS, TURN_UP_PLACE, VOID_HANDS, OnTheTable, Sight
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, apart
from engine.view import View

PAID_NEAR = 2.5
"""Card lengths from the turned-up card within which one is shown before it is pushed under the talon for it."""
SAME_INDEX = 0.3
"""Card lengths within which the one index that shows under a talon is that of a card in the very same place."""
PILLAGED_S = 10.0
"""So soon the card that was just turned up may be taken."""
MOST_WITH_IT = 3
"""Faces that come in one look, from which none is the turned-up card: tricks thrown together."""
VOID_SEEN = 0.5
"""How sure a deal is void that another was seen to follow: it may have been given up, and the next player deals."""


class TurnUps:
    """Follows the turned-up card of one table."""

    def __init__(self, game: TrickGame, table: OnTheTable, arms: Arms) -> None:
        self._game, self._table, self._arms = game, table, arms
        self._taker: int | None = None
        """Who pillages in this deal, once that was clear."""
        self._paid: Card | None = None
        """A card seen at the talon while the turned-up one is being paid for."""
        self._turned_at: int | None = None
        """The number of the last pillage, if nobody saw what paid."""

    # -- between deals -----------------------------------------------------------------------------------------------

    def next_deal(self) -> Event | None:
        """The deal that begins, once a card lies there face up that is not the last deal's."""
        turned_up = self._table.turned_up
        played_on = self._table.turned_up_after_all()
        if played_on is not None:
            return self._new_deal(played_on)
        # It goes by somebody's hand: without one it was only not seen for a moment.
        if (turned_up.missed >= SURE_LOOKS and turned_up.hands_since) or self._table.bare() or self._dealt_the_same():
            turned_up.left = True
        shown = [one for one in self._table.sights if one.lying.card in self._game.whole_pack]
        faces = sorted((one for one in shown if one.others < MOST_WITH_IT), key=lambda one: one.first_s)
        if not faces or faces[0].looks < SURE_LOOKS or len(shown) > self._game.players:
            return None
        # Where the first card was led before the turned-up one was read for sure, that one has lain there longer.
        at_once = [one for one in faces if one.first_s == faces[0].first_s]
        if len(at_once) > 1:
            # It was led before anybody looked: what lies beside the middle was turned up, if hands dealt.
            beside = [one for one in at_once if math.hypot(*one.lying.at) > MIDDLE]
            if len(beside) != 1 or self._table.hands_since_trick <= self._game.players:
                return None
            faces = [*beside, *(one for one in faces if one is not beside[0])]
        if self._table.not_drawn_yet(faces[0].lying) and not self._table.turned_up.left:
            return None
        if math.hypot(*faces[0].lying.at) < MIDDLE and faces[0].looks < DOUBTFUL_LOOKS:
            return None  # Rather the first lead; the turned-up card may be read yet.
        unread = self._turned_up_unread(faces)
        if unread is None:
            return self._new_deal(self._taken_since(faces[0]) or faces[0].lying)
        if len(faces) > 1 and unread.looks >= DOUBTFUL_LOOKS:
            return self._new_deal(replace(unread.lying, card=unread.lying.candidates[0]))
        return None

    def _dealt_the_same(self) -> bool:
        """Whether the turned-up card was put there anew, after as many hands as a deal takes, with no look between
        that showed the table bare."""
        card, players = self._table.turned_up.card, self._game.players
        sight = next((one for one in self._table.sights if one.lying.card == card), None)
        if card is None or sight is None or not self._table.put_there(sight):
            return False
        return min(len(self._table.laying(sight).hands), self._table.hands_since_trick - 1) >= players

    def _taken_since(self, face: Sight) -> CardLying | None:
        """The card that lay there a moment before, seen only once, where it may have been taken in a pillage since."""
        if not self.pillage_may_be or not self._table.put_there(face):
            return None
        brief = [one for one in self._table.glimpses if face.first_s - PILLAGED_S < one.first_s <= face.before_s]
        brief = [one for one in brief if one.lying.card in self._game.whole_pack and one.others == 0]
        near = TURN_UP_PLACE * self._table.length
        there = [one.lying for one in brief if apart(one.lying.at, face.lying.at) < near]
        return there[-1] if there and there[-1].card != face.lying.card else None

    def _turned_up_unread(self, faces: Sequence[Sight]) -> Sight | None:
        """What lay outside the middle before any face did, and cannot be read yet: the turned-up card, if all faces lie
        where cards are played. Waited for; where the game goes on, its likeliest name is taken."""
        if any(math.hypot(*one.lying.at) > MIDDLE for one in faces):
            return None
        doubts = [one for one in self._table.sights if one.lying.candidates and math.hypot(*one.lying.at) > MIDDLE]
        doubts = [one for one in doubts if one.first_s <= faces[0].first_s and self._table.put_there(one)]
        return doubts[0] if len(doubts) == 1 else None

    def _new_deal(self, face: CardLying) -> Event:
        assert face.card is not None
        self._table.begin_deal(face)
        self._taker = self._paid = self._turned_at = None
        return Deal(face.card)

    # -- during a deal -----------------------------------------------------------------------------------------------

    def otherwise(self, view: View, fresh: Sequence[Sight], possible: frozenset[Card], number: int) -> Event | None:
        """What new cards tell of the turned-up one. possible: the cards that may be face up; number: the one its
        event will get."""
        return self._another_there(view, fresh, possible, number) or self._dealt_too_soon(view, fresh)

    def _another_there(
        self, view: View, fresh: Sequence[Sight], possible: frozenset[Card], number: int
    ) -> Event | None:
        """Another card lies where the turned-up one lay: taken in a pillage, dealt anew, or exchanged."""
        turned_up = self._table.turned_up
        assert self._table.look is not None
        if view.turn_up is None or turned_up.at is None or turned_up.missed < SURE_LOOKS:
            return None
        there = [one for one in fresh if one.lying.card and self._table.where_turned_up(one.lying, view)]
        nothing_played = not view.trick and view.trick_number == 1
        dealt_since = turned_up.hands_since > self._game.players and self._all_reached_in()
        if not there:
            faces = [one for one in fresh if one.lying.card]
            if not nothing_played or len(faces) != 1 or view.turn_up in self._table.look.hidden:
                return None
            if self.pillage_may_be and self._beside_the_talon(faces[0]) and not dealt_since:
                self._paid = faces[0].lying.card
                return None
            # It was shown while the cards were cut or dealt, or was the card at the bottom of them.
            outside = not self._table.in_zone(faces[0])
            farther = math.hypot(*faces[0].lying.at) > MIDDLE and turned_up.hands_since > 1
            return self._new_deal(faces[0].lying) if outside or farther else None
        card = there[0].lying.card
        assert card is not None
        aside = all(apart(there[0].lying.at, at) > SAME_INDEX * self._table.length for at in turned_up.places)
        lead = view.trick[0] if view.trick and len(view.trick) == 1 and view.trick_number == 1 else None
        if lead is not None and self.pillage_may_be:
            place = self._table.places.get(lead["number"])
            if place is None or place.missed or place.seen_s < self._table.look.at_s:
                self._paid = lead["card"]  # It was shown in the middle and went under the talon: no lead.
                return TakenBack(lead["number"])
        if nothing_played and self.pillage_may_be and not dealt_since:
            outlined = turned_up.outlined and there[0].lying.outlined  # Else its place is that of either index.
            led = any(one is not there[0] and self._table.in_zone(one) for one in fresh)
            if aside and not (outlined or led):
                self._paid = card  # What pays is pushed under the talon; the next card comes where the last one lay.
                return None
            self._taker = self._pillager(view, there[0])
            turned_up.card, turned_up.missed, turned_up.hands_since = card, 0, 0
            turned_up.seen_s = self._table.look.at_s
            turned_up.at = turned_up.first_at = there[0].lying.at
            paid, self._paid = self._paid, None
            if paid is None and self._turned_at == number - 1 and view.trump != suit_of(view.turn_up):
                # Only trumps are pillaged: the card that was thought to be turned up paid for the one before it.
                self._turned_at = None
                return Correct(number - 1, {"paid": view.turn_up, "next": card})
            # What seemed to pay may have been the next card on its way.
            paid = None if paid == card else paid
            self._turned_at = number if paid is None else None
            return Pillage(self._taker, view.turn_up, paid, card)
        if nothing_played:
            return self._new_deal(there[0].lying)
        # Hands that played since do not count: another pillage may have gone unseen.
        if min(turned_up.hands_since, self._table.hands_since_trick) > VOID_HANDS and self._no_trick(view):
            # Where only the last trick was not played out, its cards are missing.
            last = view.trick_number == self._game.tricks
            return self._new_deal(there[0].lying) if last else VoidDeal(VOID_SEEN)
        if card in possible and turned_up.hands_since <= VOID_HANDS:
            if aside or self._table.another_over(there[0]):
                return None  # It may have been played and cover the other; and half covered, one is soon misread.
            turned_up.missed = 0
            self._table.ignore(there[0].lying)
            return TurnUpSeen(card)
        return None

    def _all_reached_in(self) -> bool:
        """Whether hands of all players came since the turned-up card was seen: it was dealt, not pillaged."""
        since = [hand for hand in self._table.hands if hand.came_s > self._table.turned_up.seen_s]
        return len({self._arms.before(hand.angle_deg) for hand in since} - {None}) == self._game.players

    def _dealt_too_soon(self, view: View, fresh: Sequence[Sight]) -> Event | None:
        """The next deal, where this one was never played out and its turned-up card is drawn: after as many hands as a
        deal takes, one card lies face up beside the empty middle."""
        if view.turn_up is not None or not self._no_trick(view):
            return None
        faces = [one for one in fresh if one.lying.card in self._game.whole_pack]
        dealt = self._table.hands_since_trick > self._game.players
        if len(faces) != 1 or self._table.in_zone(faces[0]) or not dealt or not self._table.put_there(faces[0]):
            return None
        if self._table.among_others(faces[0]) or self._table.another_over(faces[0]):
            return None  # A fan that somebody holds at the edge, or tricks that are looked through.
        if view.trick_number == self._game.tricks:
            # Where only the last trick was not played out, its cards are missing.
            return self._new_deal(faces[0].lying)
        # Elsewhere the turned-up card is only drawn where there is a stock: else it went unseen, in a pillage.
        return VoidDeal(VOID_SEEN) if self._game.draws else None

    def _no_trick(self, view: View) -> bool:
        """Whether no trick is under way. The last one may be swept up and stay open, where a card of it was not read
        on which the score hangs."""
        if not view.trick:
            return True
        whole = view.trick_number == self._game.tricks and len(view.trick) == self._game.players
        last, looks = self._table.unseen
        return whole and last == view.trick[-1]["number"] and looks >= SURE_LOOKS

    @property
    def pillage_may_be(self) -> bool:
        """Whether the turned-up card may be bought in this game."""
        return self._game.pillage

    def _beside_the_talon(self, face: Sight) -> bool:
        """Whether a card that pays for the turned-up one may lie here before it is pushed under the talon."""
        at = self._table.turned_up.at
        return at is not None and apart(face.lying.at, at) < PAID_NEAR * self._table.length

    def _pillager(self, view: View, face: Sight) -> int | None:
        """Who took the turned-up card, if that is clear. An ace is the dealer's, and one player takes all.

        The dealer turns the next card up, so a lone hand may be his.
        """
        if self._taker is not None:
            return self._taker
        assert view.turn_up is not None
        if rank_of(view.turn_up) == self._game.ranks[0] and view.dealer is not None:
            return view.dealer
        seats = [self._arms.before(hand.angle_deg) for hand in self._table.laying(face).hands]
        if not seats or None in seats:
            return None
        turned_by_another = len(set(seats)) > 1 or (view.dealer is not None and seats[0] != view.dealer)
        return seats[0] if turned_by_another else None
