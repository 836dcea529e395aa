"""What is told of the beam: which steps, when, with what doubt; and what was told is put right.

What accuses somebody is told only where hardly anything innocent is left.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import takewhile

from engine.cards import Card, rank_of
from engine.events import (
    Choose,
    Confirm,
    Correct,
    Deal,
    Event,
    EventError,
    Pillage,
    Play,
    Taken,
    TakenBack,
    TurnUpSeen,
    Undo,
    VoidDeal,
)
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.rules.tricks import TrickGame
from engine.sightings import Hand, Point, apart, direction_deg
from engine.table.acts import DEAL, GATHER, LAY, LIFT, PILLAGE, SWAP, VOID, ZONE, Priors
from engine.table.arms import Arms
from engine.table.asking import Answer, Asking, Key
from engine.table.beam import Answered, Beam
from engine.table.history import PLAYING, WAITING, History, Laid, Step
from engine.table.piles import Piles

LOOKS_TOLD, LOOKS_UNREAD, LOOKS_ACCUSE, LOOKS_ASK = 2, 4, 3, 3
"""Looks of one rest before an act of it is told; before a card is told as one that cannot be read; before anything is
told that accuses; and before anything is asked."""
ASTRAY = 3
"""How often the table is touched before the accounts begin again from the match, if none agrees with it any more."""
UNREAD = 3
"""Cards of one deal that could not be read, from which nobody is accused any more before the next."""
DEALT_OUT = ("waiting_for_deal", "deal_over", "match_over")
"""Phases of a match in which a deal is expected."""
OF_A_HAND = frozenset({"out_of_turn", "two_from_one_seat", "wrong_leader"})
"""Rules that are broken by whose hand it was alone."""
PLAYED_ON = 3
"""Cards laid since, from which what may be a fault, and is not sure enough, is told as none."""


@dataclass
class Told:
    """A step that is in the log."""

    step: Step
    number: int | None
    """Of its event; None: it needs none."""


class Telling:
    """Tells what the accounts of one table agree on."""

    def __init__(self, game: TrickGame, priors: Priors, beam: Beam, arms: Arms) -> None:
        self.game, self.p = game, priors
        self._beam, self._arms = beam, arms
        self.piles = Piles(game.sides)
        self.asking = Asking(priors, game.players)
        self.told: list[Told] = []
        self._numbers: Mapping[int, int] = {}
        """Events of the cards that lay there when the match was taken up, by uid."""
        self._answered: frozenset[int] = frozenset()
        """Tricks that were asked about: what else may have happened in them is too little known to accuse anybody."""
        self._denied: frozenset[Card] = frozenset()
        """What a person said was not laid, whatever was read: it accuses nobody."""
        self._vague: frozenset[Card] = frozenset()
        """What was told in this deal, and may as well have been another card: that it is seen again accuses nobody."""
        self._lost = False
        """In this deal the accounts had to begin again from a match that they did not agree with, or somebody leads who
        took the trick and did not win it as it was told, or too much of it could not be read, or nobody could look for
        long: it accuses nobody."""
        self._taken_back = -math.inf
        """The trick of what was told last and taken back: cards told instead, in it or the next, accuse nobody, and
        prove nothing."""
        self._void = False
        """The deal before was called void by the accounts."""
        self._lost_before = False
        """So it was in the deal before, or that was not played out: nobody is accused until a deal was followed."""
        self._unread = 0
        """Cards told in this deal that could not be read."""
        self._leads_unsure = False
        """A card of a deal's first trick could not be read: it may have been the lead, and who leads the next stays
        unsure until one is led as the match expects."""
        self._may_lie_there = False
        """A card of this deal was told as taken back, in doubt and by no hand: none of it is said to be missing."""
        self._astray = 0
        """How often the table was touched since any account agreed with what was told."""
        self._left_open = self._rests = 0.0
        """What the likeliest account left to others at the rests so far (its root: often a little is worse than once
        much), summed, and how many they are: old ones fade."""
        self._mending = False
        """What was told is being taken back: nothing else is told before that is done."""

    def start(self, numbers: Mapping[int, int]) -> None:
        """Nothing was told of these histories. numbers: events of the cards that lie there, by uid."""
        self.told, self._numbers = [], dict(numbers)
        self.asking.start()
        self._lost = self._lost or self.astray
        self._astray = 0

    def looked(self, fresh: bool) -> None:
        """There is a new look to tell of. fresh: the table was touched."""
        self._mending = False
        if fresh:
            self._count_open()
            agrees = any(self._agreed(one, named=True) == len(self.told) for one in self._beam.histories)
            self._astray = 0 if agrees else self._astray + 1

    @property
    def astray(self) -> bool:
        """Whether no account agrees any more with what was told, and it could not be put right."""
        return self._astray >= ASTRAY

    @property
    def clear(self) -> bool:
        """Whether this table can be followed: at most rests hardly anything else was likely. Where it cannot, all that
        is kept is wrong now and then, and agrees on what nobody did. How well the likeliest account explains the looks
        tells less: that differs more between tables that are followed than between those and others."""
        rests = self._rests + 1 + self.p.open_before
        return self._left_open + self._open_now() < self.p.accuse_open * rests

    def _count_open(self) -> None:
        """A rest is over."""
        if self._beam.histories:
            kept = 1 - 1 / self.p.open_rests
            self._left_open, self._rests = kept * self._left_open + self._open_now(), kept * self._rests + 1

    def _open_now(self) -> float:
        """The root of what the likeliest account leaves to others."""
        return math.sqrt(max(0.0, 1 - math.exp(self._beam.histories[0].logp)))

    def next(self, match: Match, hands: Mapping[int, Hand]) -> Event | None:
        """The next thing there is to tell, given what the match holds now. hands: those that came lately."""
        for _ in range(60):
            otherwise, agreed = self._beam.histories[0], self._agreed(self._beam.histories[0])
            if agreed < len(self.told):
                event = self._put_right(otherwise, agreed, match)
                if event is not None:
                    self._mending = True
                    return event
            elif self._mending:
                self._mending = False
            if self._mending:
                return None
            best = next((one for one in self._beam.histories if self._agreed(one) == len(self.told)), None)
            if best is None or len(self.told) == len(best.steps):
                return None if best is None else self._turn_up_found_late(best, match)
            told, event = self._tell(best, match, hands)
            if not told:
                return event
            if event is not None:
                return event
        return None

    @property
    def deals(self) -> int:
        """How many deals were told."""
        return deals_begun(one.step for one in self.told)

    @property
    def untold(self) -> tuple[Laid, ...]:
        """Cards of the trick that most likely lie there and were not told yet; another account may take them away."""
        best = self._beam.histories[0] if self._beam.histories else None
        if best is None or self._agreed(best) < len(self.told):
            return ()
        laid = takewhile(lambda step: step.kind == LAY and not step.early, best.steps[len(self.told) :])
        return tuple(Laid(one.seat, one.card, one.maybe, one.uid) for one in laid if one.seat is not None)

    def _agreed(self, one: History, named: bool = False) -> int:
        """How many of the steps that were told a history begins with. named: a card that was told as unread may have a
        name by now."""
        agreed = 0
        for told, step in zip(self.told, one.steps, strict=False):
            if told.step.key != step.key and not (named and _names(told.step, step)):
                break
            agreed += 1
        return agreed

    def _tell(self, best: History, match: Match, hands: Mapping[int, Hand]) -> tuple[bool, Event | None]:
        """Whether the next step is told now, and by which event; or what is asked before it is."""
        place = len(self.told)
        step = best.steps[place]
        share = self._beam.share(best.steps[: place + 1])
        now = min(1 - self.p.reserve, share / max(1e-9, self._beam.share(best.steps[:place])))
        forced = self._must_be_told(best, place)
        if not forced and (now < self.p.settled or not self._looked_enough(step)):
            return self._not_told_yet(place, step, match)
        if self._may_still_be_told_better(best, place):
            return False, self._ask_turn_up(best, step, match)
        event = self._event(best, place, match, now)
        lost = self._loses_track(best, place, match)
        if event is not None and (alerts := self._alerts(match, _surely(event))):
            doubtful = (
                lost or self._doubtful(step, share) or self._rather_innocent(best, place, alerts, match.view.turn)
            )
            if doubtful and not forced and _laid_since(best, place) < PLAYED_ON:
                return False, self._ask(step, match)
            event = self._innocent(event, match) if doubtful else _surely(event)
        if isinstance(event, VoidDeal) and step.kind == DEAL:
            self._void = True
            return True, event
        self._learn(step, now, hands)
        self._know_leads(step, event, match)
        self._note(step, now, event, match)
        return True, event

    def _know_leads(self, step: Step, event: Event | None, match: Match) -> None:
        """A step of a deal's first trick is told: whether it is known who led that."""
        view = match.view
        if not isinstance(event, Play) or (view.trick_number or 1) > 1:
            return
        if step.card is None:
            self._leads_unsure = True
        elif not view.trick and event.seat is not None and event.seat == view.turn:
            self._leads_unsure = False

    def _leads_a_deal(self, alerts: Sequence[Notice]) -> bool:
        """Whether somebody would be accused of leading a deal, and who should have is not known for sure."""
        return self._leads_unsure and any(
            (one.facts.get("rule"), one.facts.get("trick")) == ("wrong_leader", 1) for one in alerts
        )

    def _not_told_yet(self, place: int, step: Step, match: Match) -> tuple[bool, Event | None]:
        """What stays open is forgotten, if it went again, or asked."""
        went = self._went_again(place)
        self._beam.forget(went)
        return (True, None) if went else (False, self._ask(step, match))

    def _note(self, step: Step, share: float, event: Event | None, match: Match) -> None:
        """A step is told, by this event if it needs one. share: how sure it is."""
        self._may_lie_there |= step.kind == LIFT and step.hand is None and share < self.p.settled
        self._void |= step.kind == VOID
        if step.kind in (DEAL, VOID):
            self._unread, self._may_lie_there = 0, False
        self._unread += step.kind == LAY and step.card is None
        if step.kind == LAY and step.card and self._beam.named(step) < self.p.sure:
            self._vague |= {step.card}
        if step.kind == DEAL:
            # Where a deal ends before it was played out, rather the table was misread than dealt anew.
            self._lost_before = self._lost or self._void or match.view.phase not in DEALT_OUT
            self._lost = self._void = False
            self._denied = self._vague = frozenset()
            self.piles.begin_deal()
        self.told.append(Told(step, None if event is None else len(match.log) + 1))

    def _doubtful(self, step: Step, share: float) -> bool:
        """Whether too much else may have happened for it to accuse anybody. share: of the accounts that say so."""
        if share * (1 - self._beam.dropped) < self.p.accuse or not self._looked_enough(step, LOOKS_ACCUSE):
            return True
        if not self.clear:
            return True
        unread = step.kind == LAY and step.card is None
        said = step.card in self._denied or step.trick in self._answered
        said = said or (step.kind == LAY and step.card in self._vague)
        return unread or said or self._told_otherwise(step) or self._long_ago(step)

    def _told_otherwise(self, step: Step) -> bool:
        """Whether a card is told in place of what was taken back, or in the trick after it."""
        return step.kind == LAY and 0 <= step.trick - self._taken_back <= 1

    def _rather_innocent(self, best: History, place: int, alerts: Sequence[Notice], turn: int | None) -> bool:
        """Whether what happened since, or beside it, is rather explained by something innocent. turn: whose it was."""
        step = best.steps[place]
        if step.kind == DEAL and any(one.facts.get("rule") == "turn_up_changed" for one in alerts):
            return True  # By this account a deal began: the log is out of step, and nobody exchanged a card.
        if self._leads_a_deal(alerts):
            return True
        if self._on_the_talon(best, step) or self._perhaps_for_another(best, place, alerts, turn):
            return True
        return self._one_for_each(best, step) or self._went(best, step) or self._passed_over(best, place, alerts)

    def _on_the_talon(self, best: History, step: Step) -> bool:
        """Whether it was laid just where the turned-up card lay: rather that was exchanged, or looked at."""
        rest, at = self._beam.rest, step.at
        if step.kind != LAY or at is None or best.talon is None or rest is None:
            return False
        return apart(at, best.talon) < self.p.same_place * rest.length

    def _perhaps_for_another(self, best: History, place: int, alerts: Sequence[Notice], turn: int | None) -> bool:
        """Whether it does not lie clearly before whose hand laid it, and nothing happened since that tells whether that
        was a neighbour's, who laid it for whose turn it was: with the next card, or once it goes, that is plain."""
        step = best.steps[place]
        rules = OF_A_HAND & {str(one.facts.get("rule")) for one in alerts}
        since = any(one.kind in (LAY, LIFT) for one in best.steps[place + 1 :])
        if not rules or since or step.seat is None or step.at is None:
            return False
        clearly = self.p.second_lies_before if "two_from_one_seat" in rules else self.p.lies_before
        expected = {seat for one in alerts for seat in one.facts.get("expected", (turn,))} - {None, step.seat}
        own = self._arms.log_lean(step.at, step.seat)
        return any(own - self._arms.log_lean(step.at, seat) < clearly for seat in expected)

    def _one_for_each(self, best: History, step: Step) -> bool:
        """Whether as many cards lie in the trick as there are players, two of them of one seat: rather each laid one,
        and one of the two is told as the wrong player's. Whose card is missing lays a further one, if it is not so.
        Or whether several laid two: rather that was two tricks."""
        lays = [one for one in best.steps if one.kind == LAY and one.trick == step.trick and not one.early]
        seen = [one.seat for one in lays if one.card is not None or one.at is not None]
        twice = {one for one in seen if seen.count(one) > 1}
        return step.kind == LAY and step.seat in twice and (len(seen) == self.game.players or len(twice) > 1)

    def _passed_over(self, best: History, place: int, alerts: Sequence[Notice]) -> bool:
        """Whether whose turn it was reached over the table before, or it changed where nothing is seen, and he lays
        nothing after: he rather laid a card that nobody saw."""
        turn = {seat for one in alerts for seat in one.facts.get("expected", ())}
        laid = {one.seat for one in best.steps[place + 1 :] if one.kind == LAY and one.trick == best.steps[place].trick}
        rests, did = self._beam.rests_until(best, place), {one.hand for one in best.steps}
        if any(rest.changes.unseen(ZONE) for rest in rests):
            return bool(turn - laid)
        idle = [rest.hands[number] for rest in rests for number in rest.new if number not in did]
        return any(self._arms.before(hand.angle_deg) in turn - laid for hand in idle)

    def _went(self, best: History, step: Step) -> bool:
        """Whether it was taken back before it was told, as far as is known, and may as well have been swept up."""
        place = next((k for k, one in enumerate(best.steps) if one.kind == LIFT and one.uid == step.uid), None)
        return place is not None and self._beam.share(best.steps[: place + 1]) < self.p.accuse

    def _went_again(self, place: int) -> set[Key]:
        """What may have been laid after all that was told, and in which rest, and was taken back since; nothing, where
        that is sure enough to be told."""
        agreed = [one for one in self._beam.histories if self._agreed(one) == place < len(one.steps)]
        went = [one for one in agreed if self._taken_back_since(one, place)]
        share = sum(math.exp(one.logp) for one in agreed if one not in went)
        return {(*one.steps[place].key, one.steps[place].rest) for one in went} if share > 1 - self.p.settled else set()

    def _taken_back_since(self, one: History, place: int) -> bool:
        """Whether what an account says was laid then was taken back."""
        laid = one.steps[place]
        lift = next((step for step in one.steps[place:] if step.kind == LIFT and step.uid == laid.uid), None)
        return laid.kind == LAY and lift is not None and self._looked_enough(lift, LOOKS_ASK)

    def _loses_track(self, best: History, place: int, match: Match) -> bool:
        """Whether so much of this deal is open that nobody can be accused of this step."""
        step = best.steps[place]
        if step.kind in (DEAL, VOID):
            return self._may_lie_there
        unread = self._unread + (step.kind == LAY and step.card is None)
        self._lost = self._lost or self._after_a_gap(best, place)
        self._lost = self._lost or unread >= UNREAD or self._leads_what_he_took(best, place, match)
        return self._lost or self._lost_before

    def _after_a_gap(self, best: History, place: int) -> bool:
        """Whether a card was first seen where the table had not rested for long, and not because it was dealt out."""
        step, before = best.steps[place], best.steps[place - 1] if place else None
        rest = self._beam.at_rest(step)
        dealt = before is not None and before.kind in (DEAL, PILLAGE)
        return step.kind == LAY and not dealt and rest is not None and rest.blind

    def _ask(self, step: Step, match: Match) -> Event | None:
        """A question, where the table came to rest and it stays open what happened."""
        if not self._looked_enough(step, LOOKS_ASK):
            return None
        before = tuple(one.step.key for one in self.told)
        return self.asking.ask(self._beam.histories, before, match, self._number_of)

    def _ask_turn_up(self, best: History, step: Step, match: Match) -> Event | None:
        """Which card was turned up, where it cannot be read and somebody leads."""
        return self._ask(step, match) if step.kind == DEAL and best.trick else None

    def answered(self, meant: Answer, number: int | None) -> bool:
        """A person answered what was asked last. number: of the event it stands for. False: no account says so."""
        before = tuple(one.step.key for one in self.told)
        asked, rest = self.asking.open, self._beam.rest
        if asked is None or rest is None or asked.before != before:
            return False
        everybody = range(self.game.players)  # What cannot be read and was not laid, nobody laid.
        never = frozenset(
            one._replace(seat=seat).key for one in meant.never for seat in ((one.seat,) if one.card else everybody)
        )
        truth = Answered(before, None if meant.step is None else meant.step.key, never, rest.number)
        others = {one.card for one in asked.steps if one.card}
        self._answered = frozenset(one.trick for one in asked.steps)
        self._denied |= others - {None if meant.step is None else meant.step.card}
        self.asking.start()
        if not self._beam.answered(truth):
            return False
        if meant.step is not None:
            self.told.append(Told(meant.step, number))
        return True

    def unread_at(self, number: int) -> list[Point]:
        """Where a card lies that was told as one that cannot be read."""
        told = [one.step for one in self.told if one.number == number]
        return [one.at for one in told if one.kind == LAY and one.card is None and one.at is not None]

    def _leads_what_he_took(self, best: History, place: int, match: Match) -> bool:
        """Whether somebody leads before whom the last trick came to rest, though he did not win it: rather the trick is
        told wrong, or the trump, than that he did wrong twice."""
        step, winner = best.steps[place], match.view.last_winner
        before = best.steps[place - 1] if place else None
        if step.kind != LAY or winner is None or step.seat == winner or before is None or before.kind != GATHER:
            return False
        edge = self._beam.packets_since(before)
        return len(edge) == 1 and self._arms.before(direction_deg(edge[0])) == step.seat

    def _long_ago(self, step: Step) -> bool:
        """Whether an act was told of only after much else went on: an account put together so late accuses nobody."""
        return self._beam.age_s(step) > self.p.accuse_within_s

    def _looked_enough(self, step: Step, looks: int = LOOKS_TOLD) -> bool:
        if step.kind == LAY and step.card is None and step.at is not None:
            looks = LOOKS_UNREAD
        return self._beam.looks_of(step) >= looks

    def _may_still_be_told_better(self, best: History, place: int) -> bool:
        """Whether a turned-up card may still be read (its trump stays open once a trick was played without), or a trick
        may not have come to rest."""
        step = best.steps[place]
        if step.kind == DEAL and step.card is None:
            return best.serial + (len(best.trick) == self.game.players) <= step.trick
        return step.kind == GATHER and self._carried(best, place)

    def _carried(self, best: History, place: int) -> bool:
        """Whether a trick that went may not have come to rest yet, and nobody plays on."""
        rest, step = self._beam.rest, best.steps[place]
        assert rest is not None
        if place + 1 < len(best.steps) or self._beam.packets_since(step):
            return False
        return rest.behind_a_hand or (step.rest == rest.number and len(rest.looks) < LOOKS_ACCUSE)

    def _must_be_told(self, best: History, place: int) -> bool:
        """Whether play has gone on so far that it is told with its doubt."""
        assert self._beam.rest is not None
        step = best.steps[place]
        if any(one.kind == DEAL and self._beam.dealt(one) >= self.p.settled for one in best.steps[place + 1 :]):
            return True
        whole = best.serial + (len(best.trick) == self.game.players)
        if whole - step.trick >= 2 and (step.kind != DEAL or step.card is not None):
            return True
        return best.phase == WAITING and step.rest < self._beam.rest.number

    def _event(self, best: History, place: int, match: Match, share: float) -> Event | None:
        step = best.steps[place]
        if step.kind == DEAL:
            return Deal(step.card)
        if step.kind == VOID:
            return VoidDeal(0.5)
        if step.kind == SWAP:
            return TurnUpSeen(step.card or "")
        if step.kind == PILLAGE and step.card is None:
            return None
        if step.kind == PILLAGE:
            return Pillage(self._pillager(step, match), step.card or "", *step.more)
        if step.kind == LIFT:
            number = self._number_of(step.uid, best, place)
            return None if number is None else TakenBack(number)
        if step.kind == GATHER:
            return self._taken(step, match)
        return self._play(step, match, share)

    def _play(self, step: Step, match: Match, share: float) -> Event:
        view = match.view
        seat = step.seat if step.hand is not None or step.seat != view.turn else None
        maybe = tuple(one for one in step.maybe if one in match.possible) or step.maybe
        sure = share >= self.p.sure and (step.card is not None or step.at is not None)
        sure = sure and not (step.card and step.maybe)  # Told by what else it cannot be.
        sure = sure and not self._told_otherwise(step)
        return Play(step.card, seat, 1.0, step.early, () if step.card else maybe, order_sure=sure)

    def _number_of(self, uid: int, best: History, place: int) -> int | None:
        """The event that laid a card."""
        for one, told in zip(reversed(best.steps[:place]), reversed(self.told[:place]), strict=True):
            if one.kind == LAY and one.uid == uid:
                return told.number
        return self._numbers.get(uid)

    @staticmethod
    def _alerts(match: Match, event: Event) -> list[Notice]:
        """What it would accuse of."""
        if not isinstance(event, Play | Deal | Taken | TurnUpSeen | Pillage):
            return []
        return [one for one in match.preview(event) if one.level == ALERT]

    def _innocent(self, event: Event, match: Match) -> Event | None:
        """The same, said so that it accuses nobody. None: nothing is said of it."""
        if isinstance(event, Deal):
            return VoidDeal(0.5)
        if not isinstance(event, Play | Pillage):
            return None
        ways = _less_known(event)
        way = next((one for one in ways if not self._alerts(match, one)), None)
        self._lost = self._lost or way is None or way.seat != event.seat  # The log is out of step from here.
        return way

    def _learn(self, step: Step, share: float, hands: Mapping[int, Hand]) -> None:
        """A play whose seat is known shows where that player's arm comes from."""
        hand = hands.get(step.hand) if step.hand is not None else None
        if step.kind == LAY and step.seat is not None and hand and step.at and share >= self.p.settled:
            self._arms.learn(step.seat, hand, step.at)

    def _taken(self, step: Step, match: Match) -> Event | None:
        """Where the trick came to rest tells who took it; if that cannot be told, the winner did."""
        winner = match.view.last_winner
        edge = self._beam.packets_since(step)
        if not match.view.trick or len(match.view.trick) < self.game.players:
            return None
        if len(edge) != 1:
            return None if winner is None else Taken(winner)
        return self.piles.taken(edge[0], self._arms.before(direction_deg(edge[0])), winner)

    def _pillager(self, step: Step, match: Match) -> int | None:
        """Who took the turned-up card, if that is clear. An ace is the dealer's; the dealer turns the next card up, so
        a lone hand may be his."""
        dealer, rest = match.view.dealer, self._beam.at_rest(step)
        if step.card and rank_of(step.card) == self.game.ranks[0] and dealer is not None:
            return dealer
        seats = [self._arms.before(rest.hands[one].angle_deg) for one in rest.new] if rest else []
        if not seats or None in seats:
            return None
        by_another = len(set(seats)) > 1 or (dealer is not None and seats[0] != dealer)
        return seats[0] if by_another else None

    # -- putting right -----------------------------------------------------------------------------------------------

    def _put_right(self, best: History, place: int, match: Match) -> Event | None:
        """What was told is not what happened after all."""
        now = best.steps[place] if place < len(best.steps) else None
        share = self._beam.share(best.steps[: place + 1])
        as_told = self._beam.share([one.step for one in self.told[: place + 1]])
        if now is None:  # As was told it may have gone on, too.
            share -= as_told
        guess = _names_later(self.told[place].step, best, place)
        enough = self.p.guess if guess else self._enough(place, as_told)
        if share < enough or (now is not None and not self._looked_enough(now)):
            return self._take_back_deal(place, as_told, match)
        self._lost |= guess and share < self.p.repair
        correct = self._correct_card(best, place, match)
        if correct is None and now is not None:
            correct = self._correct_turn_up(place, now, match)
        event = correct or self._take_back(place, match)
        if event is None and self._agreed(best) < len(self.told):
            self.let_stand(best)
        return event

    def _take_back_deal(self, place: int, as_told: float, match: Match) -> Event | None:
        """A deal that was told, or given up, and hardly any account has any more, did not begin, whatever happened."""
        told = any(one.step.kind in (DEAL, VOID) for one in self.told[place:])
        return self._take_back(place, match) if told and as_told < 1 - self.p.repair else None

    def _enough(self, place: int, as_told: float) -> float:
        """The share from which a step is told otherwise. as_told: what is left for it as it was told."""
        last = place == len(self.told) - 1 and as_told < 1 - self.p.repair  # Hardly any account says so any more.
        return self.p.settled if last or self._told_leads_to_a_fault() else self.p.repair

    def let_stand(self, best: History) -> bool:
        """What was told otherwise and cannot be put right stands, and play goes on from the trick that lies there, or
        from the next deal: what else was told of this deal accuses nobody any more. False: the log is farther on."""
        deals, trick, laid = _stands([one.step for one in self.told])
        place = next((k for k in range(len(best.steps) + 1) if _stands(best.steps[:k])[:2] == (deals, trick)), None)
        if place and best.steps[place - 1].kind == LAY:
            place -= 1  # Taken up in the middle of a trick: that card is the first there is of it, not what was before.
        if place is None:
            place, laid = next((k for k, step in enumerate(best.steps) if _begins_deal(best.steps, k, deals)), None), []
        if place is None:
            return False
        numbers = {one.step.key: one.number for one in self.told}
        kept = [Told(step, numbers.get(step.key)) for step in best.steps[:place]]
        told = kept + [Told(step, numbers[step.key]) for step in laid]
        changes = told != self.told
        self.told, self._lost, self._astray = told, True, 0
        return changes

    def _told_leads_to_a_fault(self) -> bool:
        """Whether two cards are one player's, and another's is missing, if all stands as it was told."""
        stands = next((one for one in self._beam.histories if self._agreed(one) == len(self.told)), None)
        return stands is not None and any(self._one_for_each(stands, one) for one in stands.steps[len(self.told) :])

    def _correct_card(self, best: History, place: int, match: Match) -> Correct | None:
        """A card that was told is another, or another's. The last of them first: else a card may be told twice; and not
        before a deal that did not begin after it is taken back: then nothing before it can be."""
        later = zip(self.told[place:], (*best.steps[place:], *[None] * len(self.told)), strict=False)
        if any(one.step.kind in (DEAL, VOID) and (now is None or one.step.kind != now.kind) for one, now in later):
            return None
        for at in range(min(len(self.told), len(best.steps)) - 1, place - 1, -1):
            correct = self._corrected(self.told[at], best.steps[at])
            if correct is not None and not _accuses_then(match, correct):
                self.told[at] = Told(best.steps[at], correct.number)
                return correct
        return None

    def _correct_turn_up(self, place: int, now: Step, match: Match) -> Correct | None:
        """The card that is turned up is another than was told."""
        told = self.told[place]
        if told.number is None or now.kind != told.step.kind:
            return None
        change: dict[str, object] = {}
        if now.kind == DEAL and now.card:
            change = {"turn_up": now.card}
        elif now.kind == PILLAGE and now.card == told.step.card:
            change = {"next": now.more[1], **({} if now.more[0] == told.step.more[0] else {"paid": now.more[0]})}
        correct = Correct(told.number, change)
        if not change or _accuses_then(match, correct):
            return None
        self._lost = self._lost or bool(now.maybe)  # Nobody read it: it is what else was not seen.
        self.told[place] = Told(now, told.number)
        return correct

    def _turn_up_found_late(self, best: History, match: Match) -> Correct | None:
        """Which card was turned up, known only once its deal was told for good: of this deal nobody is accused."""
        card, dealt = best.turn_up, any(one.kind in (DEAL, VOID) for one in best.steps)
        if best.phase != PLAYING or card is None or dealt or (number := _dealt_unread(match)) is None:
            return None
        alike = sum(math.exp(one.logp) for one in self._beam.histories if one.turn_up == card and one.phase == PLAYING)
        correct = Correct(number, {"turn_up": card})
        if alike < self.p.repair or match.view.phase in DEALT_OUT or _accuses_then(match, correct):
            return None
        self._lost = True
        return correct

    def _take_back(self, place: int, match: Match) -> Event | None:
        """What was told from here on is taken back, the last first; what cannot all be taken back stands."""
        wrong = [one for one in self.told[place:] if one.number is not None]
        if not wrong:
            self.told = self.told[:place]
            return None
        lies = {one["number"] for one in (match.view.trick or ())}
        laid = all(one.number in lies for one in wrong)
        if not laid and not _are_last(wrong, match):
            return None
        self._lost = self._lost or not laid
        self._taken_back = max(one.step.trick for one in wrong)
        while self.told[-1].number is None:
            self.told.pop()
        last = self.told.pop()
        return TakenBack(last.number or 0) if laid else Undo()

    @staticmethod
    def _corrected(told: Told, now: Step) -> Correct | None:
        """What makes a card that was told another, or another's, if that is all."""
        if now.kind != LAY or told.step.kind != LAY or told.number is None or now.trick != told.step.trick:
            return None
        if now.card is None and told.step.card is not None:
            return None
        here: dict[str, object] = {"card": now.card, "seat": now.seat}
        before = {"card": told.step.card, "seat": told.step.seat}
        changes = {name: one for name, one in here.items() if one != before[name]}
        return Correct(told.number, changes) if changes else None

    def trim(self) -> None:
        """What lies two tricks back is as it was told: accounts that say otherwise are dropped."""
        best = self._beam.histories[0]
        limit = best.serial - 1
        told = [one for one in self.told if one.step.trick < limit]
        if not told or any(one.trick < limit for one in best.steps[len(told) :]):
            return
        keys = [one.step.key for one in told]
        if not self._beam.any_begins(keys, limit):
            self._astray = ASTRAY
            return
        numbers = {one.step.uid: one.number for one in told if one.number is not None}
        self._numbers = {**self._numbers, **numbers}
        self.told = self.told[len(told) :]
        self._beam.cut(keys, limit)


def _names(told: Step, now: Step) -> bool:
    """Whether this is the same card, which was told as unread and has a name now."""
    same = told.kind == now.kind == LAY and (told.uid, told.seat, told.trick) == (now.uid, now.seat, now.trick)
    return same and told.card is None and now.card is not None


def _names_later(told: Step, best: History, place: int) -> bool:
    """Whether this step names what was told as unread, in a trick that is over."""
    now = best.steps[place] if place < len(best.steps) else None
    return now is not None and best.serial > now.trick and _names(told, now)


def _dealt_unread(match: Match) -> int | None:
    """The event by which the last deal was told, if it and nothing since says which card was turned up."""
    log = match.log
    for number in range(len(log), 0, -1):
        one = log[number - 1]
        if isinstance(one, Deal):
            told = any(isinstance(after, Correct) and after.number == number for after in log[number:])
            return None if one.turn_up is not None or told else number
        if isinstance(one, TurnUpSeen | Pillage):
            return None
    return None


def _stands(steps: Sequence[Step]) -> tuple[int, int, list[Step]]:
    """How many deals these steps began, the trick they end in, and what of it lies there."""
    deals, trick, laid = 0, 0, list[Step]()
    for step in steps:
        if step.kind in (DEAL, VOID):
            deals, trick, laid = deals + (step.kind == DEAL), step.trick, []
        elif step.kind == GATHER:
            trick, laid = step.trick + 1, []
        elif step.kind == LAY:
            trick, laid = step.trick, [*(laid if step.trick == trick else []), step]
        elif step.kind == LIFT:
            laid = [one for one in laid if one.uid != step.uid]
    return deals, trick, laid


def deals_begun(steps: Iterable[Step]) -> int:
    """How many deals they began."""
    return sum(one.kind == DEAL for one in steps)


def _begins_deal(steps: Sequence[Step], place: int, deals: int) -> bool:
    """Whether the deal after so many begins here, or the one before is given up here."""
    return deals_begun(steps[:place]) == deals and steps[place].kind in (DEAL, VOID)


def _laid_since(best: History, place: int) -> int:
    """How many cards were laid after a step."""
    return sum(one.kind == LAY for one in best.steps[place + 1 :])


def _are_last(told: Sequence[Told], match: Match) -> bool:
    """Whether these are the last events that stand, and nobody said anything of any since."""
    first = told[0].number or 0
    stand = [one.number for one in match.told if one.number >= first]
    said = any(isinstance(one, Correct | Confirm | Choose) for one in match.log[first:])
    return not said and stand == [one.number for one in told]


def _accuses_then(match: Match, event: Correct) -> bool:
    """Whether a correction would accuse somebody."""
    tried = deepcopy(match)
    try:
        return any(one.level == ALERT for one in tried.add(event))
    except EventError:
        return True


def _less_known(event: Play | Pillage) -> Sequence[Play | Pillage]:
    """The event as if less of it were known, as little less as may be first."""
    if isinstance(event, Pillage):
        ways = replace(event, seat=None), replace(event, paid=None), replace(event, next=None)
        return *ways, Pillage(None, event.card)
    return (
        Play(event.card, event.seat, event.confidence, candidates=event.candidates, order_sure=False),
        Play(event.card, None, event.confidence, candidates=event.candidates, order_sure=False),
        Play(None, None, 1.0, candidates=(event.card,) if event.card else (), order_sure=False),
        Play(None, None, 1.0, order_sure=False),
    )


def _surely(event: Event) -> Event:
    """The event, were nothing about it in doubt."""
    return replace(event, order_sure=True) if isinstance(event, Play) else event
