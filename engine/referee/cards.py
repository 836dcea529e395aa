"""From looks at a card table to the game's events: whose card, when a trick ends, when a deal begins.

What the match says lies there is compared with what does (`lying.py`), and the difference is what happened. A card
counts when it rests; the seat is whose turn it is unless the hand that brought it clearly came from elsewhere. Nothing
here judges a rule: that is the judge's work once an event is in the log.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from engine.cards import Card
from engine.events import Correct, Deal, Event, Play, Taken, TakenBack
from engine.referee.arms import Arms, over_the_middle, seats_round
from engine.referee.lying import (
    DOUBTFUL_LOOKS,
    HAND_LAG_S,
    ON_ANOTHER,
    PART_OF_ONE,
    RIGHT_OVER,
    SURE_LOOKS,
    ZONE,
    OnTheTable,
    Place,
    Sight,
    laid,
)
from engine.referee.piles import ASKED, Piles
from engine.referee.turn_ups import TurnUps
from engine.referee.whose import CLEAR, CLEAR_LEAD, Whose
from engine.rules.tricks import TrickGame
from engine.sightings import Hand, Point, TableLook, apart, direction_deg
from engine.view import View

LIFTED_LOOKS = 3
"""Looks that must miss a card before it was lifted: one that is only hard to read lies there still."""
GATHERING_LOOKS = 8
"""The same of a trick that is whole, and may be gathered card by card: half a minute of rest."""
NEARLY_ON = 0.25
"""Instead of ON_ANOTHER where there are more new cards than the trick has room for, and for a card that cannot be
there."""
CLEAR_SKIP = 10.0
"""Odds from which the hands say that a card of the trick was never seen, rather than that turns were mixed up."""

WATCHING, BETWEEN_DEALS, WAITING_FOR_DEAL, SCATTERED, LOOKING_THROUGH = (
    "looking", "between_deals", "waiting_for_deal", "scattered", "looking_through",
)  # fmt: skip


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
        self._table = OnTheTable(zone)
        self._arms = Arms(seats_deg or seats_round(game.players, clockwise, seat_0_deg))
        self.situation = WATCHING
        self._turn_ups = TurnUps(game, self._table, self._arms)
        self._whose = Whose(game.players, self._table, self._arms)
        self._piles = Piles(game.sides)
        self._queue: list[Event] = []
        self._asked: set[int] = set()
        """Plays whose order the table was asked for: only a person settles which card each is."""
        self._played_s = -math.inf
        """When the last card that was played was first seen."""
        self._gathered: int | None = None
        """The last play of a finished deal whose last trick was seen to go."""
        self._trouble: int | None = None
        """The last trick of this deal in which something went unseen, or was taken back."""
        self._order_open: int | None = None
        """The last trick of this deal in which a hand spoke for another seat than the one whose turn it was."""
        self._lay: dict[Card, Point] = {}
        """Where cards of this deal lay that were not seen any more, and were told as taken back."""
        self._told_gone: int | None = None
        """The last play of a trick that went, nobody knows where to: the next lead takes it up."""
        self._far_out: Sight | None = None
        """What whose turn it is may have laid farther out than cards are played, as long as the trick lies there."""

    def look(self, look: TableLook, view: View, possible: frozenset[Card]) -> None:
        """A still table. view: what the match says lies there. possible: the cards that may be face up."""
        self._possible = possible
        self._table.take_in(look, view, possible)

    def undone(self, view: View) -> None:
        """A person took something back: what lies there is not told again before it moves."""
        self._table.undone(view)
        self._piles.undone()
        self._queue = []
        self._trouble = view.trick_number  # It may lie there still: nobody who plays on is out of turn.

    def answered(self, about: str, answer: str) -> None:
        """A person answered a question."""
        if about == "taken":
            self._piles.answered(answer)

    def refused(self) -> None:
        """The match would not take what was told last: what follows from it does not hold."""
        self._queue = []

    # -- what happened -----------------------------------------------------------------------------------------------

    def next(self, view: View, number: int) -> Event | None:
        """The next thing this look tells, given what the match holds now; number: the one its event will get."""
        if self._table.look is None:
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
            if not self._all_gone(view) or self._may_be_laid_yet():
                return None
            self._gathered = trick[-1]["number"]
            taken = self._taken(view)
            if taken is not None:
                return taken
        return self._begun(self._turn_ups.next_deal())

    def _begun(self, event: Event | None) -> Event | None:
        """An event; a deal leaves nothing of the last one."""
        if isinstance(event, Deal):
            self._piles.begin_deal()
            self._asked, self._lay = set(), {}
            self._gathered = self._trouble = self._order_open = self._told_gone = self._far_out = None
        return event

    def _during_a_deal(self, view: View, number: int) -> Event | None:
        trick = view.trick or ()
        fresh = [one for one in self._table.sights if one.looks >= self._looks_for(one) and self._is_new(one, view)]
        if self._table.still_lies(view):
            self._far_out = self._laid_far_out(view)
        turned = self._begun(self._turn_ups.otherwise(view, fresh, self._possible, number))
        if turned is not None:
            return turned
        reread = self._read_at_last(view, fresh)
        if reread is not None:
            return reread
        strange = [one for one in fresh if one.lying.card and one.lying.card not in self._possible]
        fresh = [one for one in fresh if self._table.in_zone(one, strange)]
        if self._table.turned_up.missed:  # Else what came to lie beside it was played.
            fresh = [one for one in fresh if not self._table.where_turned_up(one.lying, view)]
        if len(strange) > 1:
            self.situation = LOOKING_THROUGH
        if len(fresh) > self.game.players or any(one in strange for one in fresh[1:]):
            self.situation = LOOKING_THROUGH if strange else SCATTERED
            return None
        if trick and self._all_gone(view) and self._told_gone != trick[-1]["number"]:
            gone = self._went(view, number)
            if gone is not None:
                return gone
        lifted = self._lifted(view, bool(fresh))
        if lifted is not None:
            return lifted
        return self._played(view, fresh, number)

    # -- the trick on the table --------------------------------------------------------------------------------------

    def _looks_for(self, sight: Sight) -> int:
        """How often it must be seen: more often, if it would be a fault that it is there."""
        return SURE_LOOKS if sight.lying.card is None or sight.lying.card in self._possible else DOUBTFUL_LOOKS

    def _is_new(self, sight: Sight, view: View) -> bool:
        card = sight.lying.card
        if card is None:
            long_there = sight.looks >= DOUBTFUL_LOOKS
            part_of_another = self._table.near_known(sight.lying.at) or self._piles.near(sight.lying.at)
            # A print beside the talon that looks like a joker is no card of a game without one.
            may_be = any(one in self.game.whole_pack for one in sight.lying.candidates)
            return long_there and may_be and self._table.put_there(sight) and not part_of_another
        known = {one["card"] for one in laid(view)}
        new = card not in known and card != view.turn_up and not self._table.not_drawn_yet(sight.lying)
        return new and not self._another_name(sight)

    def _another_name(self, sight: Sight) -> bool:
        """Whether it is a second reading of a card that is known and lies there still."""
        if sight.lying.card not in self._possible:  # Rather a misread corner than a fault.
            seen = self._table.seen_now()
            return any(apart(one.at, sight.lying.at) < NEARLY_ON * self._table.length for one in seen)
        lie = [one for one in self._table.places.values() if one.missed == 0]
        there = [one for one in lie if apart(one.at, sight.lying.at) < ON_ANOTHER * self._table.length]
        a_hand_for_it = any(hand.came_s > self._played_s - HAND_LAG_S for hand in self._table.laying(sight).hands)
        thrown_on = all(one.laid_s <= sight.before_s for one in there) and self._table.put_there(sight)
        return bool(there) and not (thrown_on and a_hand_for_it)

    def _read_at_last(self, view: View, fresh: list[Sight]) -> Event | None:
        """A card that was told as unread, or misread, and is read now where it lay, with no hand in between."""
        for one in view.trick or ():
            place = self._table.places.get(one["number"])
            if place is None or (one["card"] is not None and place.missed < SURE_LOOKS):
                continue
            if one["number"] in self._asked:
                continue
            for sight in (one for one in fresh if one.lying.card not in self._lay):
                card = sight.lying.card
                near = apart(sight.lying.at, place.at) < PART_OF_ONE * self._table.length
                touched = any(hand.left_s > place.seen_s for hand in self._table.hands)
                if card and card in self._possible and near and (one["card"] is None or not touched):
                    place.at, place.seen_s, place.missed = sight.lying.at, sight.first_s, 0
                    return Correct(one["number"], {"card": card, "confidence": sight.lying.confidence})
        return None

    def _all_gone(self, view: View) -> bool:
        """Nothing of the trick lies there any more. One new card may hide what is unfinished, never a whole trick."""
        last = (view.trick or ())[-1]["number"]
        if self._table.unseen[0] != last or self._table.unseen[1] < SURE_LOOKS:
            return False
        if len(view.trick or ()) == self.game.players:
            return True
        if self._went_unwatched(view):
            return True
        places = [self._table.places[one["number"]] for one in view.trick or () if one["number"] in self._table.places]
        return bool(places) and all(place.missed >= SURE_LOOKS for place in places)

    def _went_unwatched(self, view: View) -> bool:
        """Whether what the match has on the table was never seen there, and other cards are: somebody played on while
        nobody looked."""
        never_seen = not any(one["number"] in self._table.places for one in view.trick or ())
        others = any(self._table.in_zone(one) for one in self._table.sights if one.lying.card in self._possible)
        return never_seen and others and self._table.unseen[1] >= SURE_LOOKS

    def _went(self, view: View, number: int) -> Event | None:
        """The whole trick is gone: taken up if it was complete, else taken back card by card."""
        trick = view.trick or ()
        last = trick[-1]["number"]
        glimpse = self._glimpsed(view)
        out = self._far_out
        if glimpse is None and out is not None and len(trick) == self.game.players - 1 and not self._table.shows(out):
            glimpse = out  # It was swept up with the others.
        if glimpse is not None:
            self._table.places[number] = replace(self._place(glimpse), touched=True, missed=SURE_LOOKS)
            self._table.unseen = (number, SURE_LOOKS)
            return self._play(glimpse, view, self._whose.seat(glimpse, view), before_taken=False)
        if self._may_be_laid_yet():
            return None
        if len(trick) == self.game.players:
            self._told_gone = last
            return self._taken(view)
        self._trouble = view.trick_number
        missing = self.game.players - len(trick)
        over = self._table.swept_over()
        if 0 < len(over) <= missing:
            self._table.unseen = (number + len(over) - 1, SURE_LOOKS)
            return self._told_in_turn([Play(one.card, None, one.confidence) for one in over])
        gathered = bool(self._table.packets_at_the_edge())
        if self._went_unwatched(view) or (
            gathered and len(trick) > 1 and 1 < missing < self._hands_since(self._played_s)
        ):
            self._table.unseen = (number + missing - 1, SURE_LOOKS)
            return self._told_in_turn([Play(None, order_sure=False)] * missing)
        if missing == 1 and (gathered or self._laid_unseen(view)) and self._one_more_played(view):
            again = self._with_the_unseen_one(view, number)
            self._table.unseen = (number + len(again), SURE_LOOKS)
            return self._told_in_turn(again)
        before = trick[-2]["number"] if len(trick) > 1 else None
        self._table.unseen = (before, SURE_LOOKS)  # All of it went at once: the others were not seen since either.
        return TakenBack(last)

    def _may_be_laid_yet(self) -> bool:
        """Whether a hand at the edge may hold the trick still, and nobody plays on."""
        assert self._table.look is not None
        played_on = any(self._table.in_zone(one) for one in self._table.sights)
        return self._table.look.behind_a_hand and not played_on

    def _told_in_turn(self, events: Sequence[Event]) -> Event:
        """The first of several events that follow from one look; the others come next."""
        self._queue += events[1:]
        return events[0]

    def _hands_since(self, time_s: float) -> int:
        """How many hands came over the middle since then."""
        return sum(over_the_middle(hand) for hand in self._came_since(time_s))

    def _came_since(self, time_s: float) -> list[Hand]:
        return [hand for hand in self._table.hands if hand.came_s > time_s]

    def _laid_unseen(self, view: View) -> bool:
        """Whether the hand of whose turn it was came over the middle and went since the last play, the trick still
        lying there."""
        since = (hand for hand in self._came_since(self._played_s) if hand.left_s <= self._table.last_seen_s())
        return isinstance(view.turn, int) and self._arms.reached_in(view.turn, since)

    def _one_more_played(self, view: View) -> bool:
        """Whether a card that nobody saw was laid. Of two, one who lays and takes back is alone; a last trick that is
        too short may be just that, so there a hand, or those of the cards after it, must speak for one more."""
        if not isinstance(view.turn, int):
            return True
        if self.game.players == 2:
            return self._arms.reached_in(view.turn, self._came_since(self._played_s))
        last = view.trick_number == self.game.tricks
        return not last or self._whose.skipped(view)[1] < 0 or self._hands_since(self._played_s) > 1

    def _with_the_unseen_one(self, view: View, number: int) -> list[Event]:
        """What puts a card that nobody saw where the hands say it was laid: those after it are laid again."""
        trick = view.trick or ()
        skipped, worse = self._whose.skipped(view)
        tail = trick[skipped:] if worse < 0 else ()
        first = number + len(tail) + 1
        for place, one in enumerate(tail):
            if one["number"] in self._table.places:
                self._table.places[first + place] = self._table.places[one["number"]]
        self._trouble = view.trick_number
        back = [TakenBack(one["number"]) for one in reversed(tail)]
        return [*back, Play(None, order_sure=False), *(Play(one["card"], order_sure=False) for one in tail)]

    def _glimpsed(self, view: View) -> Sight | None:
        """The one card of an unfinished trick that was seen only once before the trick was swept up."""
        missing = self.game.players - len(view.trick or ())
        known = {one["card"] for one in view.trick or ()}
        since = self._table.last_seen_s()
        brief = [one for one in self._table.glimpses if one.first_s >= since and self._table.in_zone(one)]
        brief = [one for one in brief if one.lying.card in self._possible - known]
        self._table.glimpses = []
        return brief[0] if missing == 1 == len(brief) else None

    def _taken(self, view: View) -> Event | None:
        """Where the trick came to rest tells who took it; if that cannot be told, the winner did."""
        winner = view.last_winner
        edge = self._table.packets_at_the_edge()
        self._table.packets = []
        if self._lately(self._order_open, view):
            return None  # The next lead tells.
        if len(edge) != 1:
            return None if winner is None else Taken(winner)
        taken = self._piles.taken(edge[0], self._arms.before(direction_deg(edge[0])), winner)
        if taken is not None and winner is not None and taken.seat != winner:
            self._trouble = view.trick_number
        return taken

    def _lifted(self, view: View, played_on: bool) -> Event | None:
        """A card of the trick went back to a hand: it is gone, the others lie there still, and nothing covers it. Of a
        whole trick it may be the first that is gathered, till another is laid or the rest lies there for long."""
        cards = laid(view)
        here = [one for one in cards if (place := self._table.places.get(one["number"])) and place.missed == 0]
        in_trick = [self._table.places.get(one["number"]) for one in view.trick or ()]
        lost = sum(place is not None and place.missed >= LIFTED_LOOKS for place in in_trick)
        if len(in_trick) == self.game.players and lost > 1:
            if self._may_be_laid_yet():
                return None
            # Nobody takes two cards back at once: it is gathered. What still lies there goes next, or only looks so.
            self._table.leave_alone({one["card"] for one in view.trick or ()})
            self._trouble, self._told_gone = view.trick_number, (view.trick or ())[-1]["number"]
            return self._taken(view)
        for one in reversed(cards):
            place = self._table.places.get(one["number"])
            lone = one in (view.beside or ())
            complete = len(view.trick or ()) == self.game.players and not lone
            looks = GATHERING_LOOKS if complete and not played_on else LIFTED_LOOKS
            if place is not None and place.missed >= looks and (here or lone) and one["card"] is not None:
                own_hand = one["seat"] is not None and self._arms.reached_in(
                    one["seat"], (hand for hand in self._table.hands if hand.left_s > place.seen_s)
                )
                if complete or not own_hand or (not lone and one != (view.trick or ())[-1]):
                    # It may well have been gathered, or another hand took it, and brings it back; or a card lies over
                    # it that cannot be read yet.
                    self._trouble = view.trick_number
                self._lay[one["card"]] = place.at
                return TakenBack(one["number"])
        return None

    def _played(self, view: View, fresh: list[Sight], number: int) -> Event | None:
        """New cards at rest: in the only order that is possible."""
        if not fresh:
            return None
        over = self._table.played_over()
        if over is not None and over.card in self._possible:
            self._table.places[number] = Place(over.at, fresh[0].before_s, fresh[0].before_s)
            return Play(over.card, None, over.confidence)
        trick = view.trick or ()
        complete = len(trick) == self.game.players
        gone = complete and self._told_gone == trick[-1]["number"]
        if trick and not gone and not self._table.still_lies(view) and (complete or self._table.unseen[1] < SURE_LOOKS):
            return None
        if not complete and len(fresh) > min(self.game.players - len(trick), max(1, self._hands_since(self._played_s))):
            known, near = self._table.known_at(), NEARLY_ON * self._table.length
            fresh = [one for one in fresh if all(apart(one.lying.at, at) > near for at in known)] or fresh
        first = min(fresh, key=lambda one: one.first_s)
        with_it = any(self._comes_with(one, first, view) for one in self._table.sights)
        if first.looks < LIFTED_LOOKS and (with_it or self._table.unread_again(self._played_s)):
            return None
        if self._came_unseen_again(first, view):
            return None
        order = self._in_order(fresh, view)
        if order is None:
            self._trouble = view.trick_number
            earliest = min(one.first_s for one in fresh)
            return self._either_order([one for one in fresh if one.first_s == earliest], number)
        sight = order[0]
        instead = self._laid_instead_of(sight, view) if len(fresh) == 1 else None
        if instead is not None:
            if sight.looks < LIFTED_LOOKS:
                return None
            self._table.places[instead] = self._place(sight)
            return Correct(instead, {"card": sight.lying.card, "confidence": sight.lying.confidence})
        # Among several at once only an order that turns explain was taken: nobody's turn is judged by it.
        leads = complete or not trick
        turn_open = leads and self._lately(self._order_open, view)
        seat = self._whose.seat(sight, view, turn_open) if len(fresh) == 1 else None
        beyond = self._laid_far_out(view) if seat is not None and not complete else None
        if beyond is not None:
            self._played_s, self._trouble = beyond.first_s, view.trick_number
            self._table.places[number] = self._place(beyond)
            return self._play(beyond, view, None, before_taken=False)
        first_lead = not trick and view.trick_number == 1 and isinstance(view.turn, int)
        if seat is not None and first_lead and self._turn_ups.pillage_may_be:
            return None  # Out of turn it may be shown to pay for the turned-up card: the next card or hand tells.
        if seat is not None and trick and not complete and isinstance(view.turn, int):
            if self._may_have_played(view.turn, sight):
                self._played_s, self._trouble = sight.first_s, view.trick_number
                return Play(None, order_sure=False)
            if seat == (view.turn + 1) % self.game.players:
                worse = self._whose.skipped(view)[1]
                if worse < -math.log(CLEAR_SKIP):
                    return self._told_in_turn(self._with_the_unseen_one(view, number))
                if worse < math.log(CLEAR):
                    seat = None  # It may well be so: nobody is accused.
        earlier = next((one for one in trick if seat is not None and one["seat"] == seat), None)
        if earlier is not None and not complete and not self._in_trouble(view):
            by_another = self._whose.another_laid(earlier, view)
            if by_another is not None:
                return by_another
            if not self._whose.clearly_its_own(earlier) or not self._whose.came_again(earlier, sight):
                seat = None  # Two from one seat, only if the first was surely that seat's, and it came again.
        since = self._played_s if trick and not complete else sight.before_s
        crowded = self._hands_since(since) > len(fresh)
        if crowded:
            self._trouble = view.trick_number  # One of them may have laid a card that nobody saw.
        # One that was lifted to be looked at is put back by anybody.
        again = sight.lying.card in self._lay
        troubled = self._in_trouble(view)
        if again or (troubled and not leads):
            seat = None
        if troubled and complete and view.turn is None:
            self._trouble = view.trick_number  # It goes on till somebody is known to have won.
        self._played_s = sight.first_s
        self._table.places[number] = self._place(sight)
        before_taken = complete and not gone and not troubled
        unsure = troubled and seat is not None
        return self._play(sight, view, seat, before_taken, crowded and len(fresh) == 1, unsure)

    def _laid_far_out(self, view: View) -> Sight | None:
        """The card that whose turn it was may have laid farther out than cards are played, now that another plays on:
        it came since the last play, alone, and its hand speaks for that seat."""
        if not isinstance(view.turn, int):
            return None
        out = [one for one in self._table.sights if one.lying.card in self._possible and one.lying.card != view.turn_up]
        out = [one for one in out if not self._table.in_zone(one) and one.first_s > self._played_s and not one.missed]
        out = [one for one in out if self._table.put_there(one) and not self._table.among_others(one)]
        if len(out) != 1 or self._table.where_turned_up(out[0].lying, view):
            return None
        likely = self._arms.likely(self._table.laying(out[0]))
        return out[0] if likely is not None and likely[view.turn] == max(likely) else None

    def _laid_instead_of(self, sight: Sight, view: View) -> int | None:
        """The play that a card was laid instead of, by the hand that took that one: it went in the moment this came.
        A second card hides both ends of the first only by a rare chance, but another seat's may; so where they lie
        close, the hand must clearly be the same seat's, or the very one that laid the first, and else the only one. (Of
        a whole trick the winner's may lie under the next lead, laid too soon; that is the turn's seat, which needs no
        clear hand.)"""
        if sight.lying.card in self._lay:
            return None  # It only went unseen.
        gone = [one for one in view.trick or () if self._table.went_with(one, sight)]
        if len(gone) != 1 or "sure" in gone[0] or sight.lying.card not in self._possible:
            return None
        number, seat = gone[0]["number"], self._whose.seat(sight, view)
        if seat is not None:
            return number if seat == gone[0]["seat"] else None
        place, laying = self._table.places[number], self._table.laying(sight)
        likely, whose = self._arms.likely(laying), gone[0]["seat"]
        if likely is None or whose is None or len(laying.hands) != 1 or likely[whose] * CLEAR_LEAD < max(likely):
            return None
        away = apart(place.at, sight.lying.at) > RIGHT_OVER * self._table.length
        return number if away or laying.hands[0].came_s < place.laid_s else None

    def _place(self, sight: Sight) -> Place:
        assert self._table.look is not None
        likely = self._arms.likely(self._table.laying(sight)) or ()
        there = not sight.missed and any(one is sight for one in self._table.sights)
        seen_s = self._table.look.at_s if there else sight.first_s
        return Place(sight.lying.at, seen_s, sight.first_s, tuple(likely), sight.lying.candidates)

    def _in_trouble(self, view: View) -> bool:
        """Whether something went unseen in this trick or the last: then what seems a fault may be ours."""
        return self._lately(self._trouble, view)

    @staticmethod
    def _lately(trick: int | None, view: View) -> bool:
        """Whether that was this trick or the last."""
        return trick is not None and (view.trick_number or 0) - trick <= 1

    def _may_have_played(self, seat: int, sight: Sight) -> bool:
        """Whether this seat's hand was over the middle since the last play: its card may lie there unseen."""
        since = (hand for hand in self._came_since(self._played_s) if hand.came_s <= sight.first_s)
        return self._arms.reached_in(seat, since)

    def _either_order(self, fresh: list[Sight], number: int) -> Event:
        """Cards that came together, nobody can say in which order: each may be any of them, and the table is asked."""
        cards = tuple(one.lying.card for one in fresh if one.lying.card)
        for place, one in enumerate(fresh):
            self._table.places[number + place] = replace(self._place(one), candidates=cards)
            self._asked.add(number + place)
            self._table.ignore(one.lying)
        return self._told_in_turn([Play(None, candidates=cards)] * len(fresh))

    def _play(
        self,
        sight: Sight,
        view: View,
        seat: int | None,
        before_taken: bool,
        crowded: bool = False,
        unsure: bool = False,
    ) -> Event:
        """crowded: more hands came than cards. unsure: who played before is not known for sure."""
        lying = sight.lying
        if lying.card is None:
            self._trouble = view.trick_number  # It may be no card at all: nobody's turn is judged by it.
            possible = tuple(card for card in lying.candidates if card in self._possible)
            return Play(None, seat, candidates=possible or lying.candidates, before_taken=before_taken)
        taken_by = seat if seat is not None else view.turn
        if isinstance(taken_by, int):
            self._arms.learn(taken_by, self._table.laying(sight))
        doubted = self._in_trouble(view) and lying.card not in self._possible
        sure = not unsure and (seat is not None or self._whose.fits_the_turn(sight, view, clearly=crowded))
        if not sure:
            self._trouble = self._order_open = view.trick_number
        return Play(lying.card, seat, min(ASKED if doubted else 1.0, lying.confidence), before_taken, order_sure=sure)

    def _lies_as_it_lay(self, one: Sight) -> bool:
        """Whether a card that was told as taken back lies in the very same place."""
        at = self._lay.get(one.lying.card) if one.lying.card else None
        return at is not None and apart(at, one.lying.at) < ON_ANOTHER * self._table.length

    def _in_order(self, fresh: list[Sight], view: View) -> list[Sight] | None:
        """Several new cards in the order they were played; None: it cannot be told."""
        if len(fresh) == 1:
            return fresh
        earliest = min(one.first_s for one in fresh)
        first = [one for one in fresh if one.first_s == earliest]
        # One that lies where it lay before only went unseen: it was there before the others.
        still = [one for one in first if self._lies_as_it_lay(one)]
        before = still if len(still) == 1 else first
        if len(before) == 1:
            under = [one for one in fresh if not still and self._under_a_hand_at(one, before[0].first_s)]
            by_turns = self._whose.by_turns([before[0], *under], view) if under else None
            return by_turns or [before[0], *(one for one in fresh if one is not before[0])]
        return self._whose.by_turns(first, view)

    def _comes_with(self, one: Sight, known: Sight, view: View) -> bool:
        """Whether something was only just seen that may have been played before what is known by now."""
        new = one.looks < SURE_LOOKS and one.lying.card in self._possible and self._is_new(one, view)
        before = one.first_s <= known.first_s or self._under_a_hand_at(one, known.first_s)
        return new and self._table.in_zone(one) and before

    def _came_unseen_again(self, known: Sight, view: View) -> bool:
        """Whether a card came in the same moment that was seen once, and not in the first look after the next hand: the
        looks to come may show it."""
        assert self._table.look is not None
        with_it = (one for one in self._table.glimpses if one.first_s == known.first_s and self._table.in_zone(one))
        again = (one.lying.card in self._possible and self._is_new(one, view) for one in with_it)
        return self._table.look.fresh and any(again)

    def _under_a_hand_at(self, sight: Sight, at_s: float) -> bool:
        """Whether a card first seen later may have lain there then, under the hand that brought it."""
        hands = self._table.laying(sight).hands
        return any(hand.came_s < at_s < min(hand.left_s, sight.first_s) and over_the_middle(hand) for hand in hands)
