"""Which steps of the beam are published as events, when, and with what doubt."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from engine.cards import rank_of
from engine.events import Claim, Deal, Event, Pillage, Play, TakenBack, TurnUpSeen, VoidDeal
from engine.match import Match
from engine.rules.tricks import TrickGame
from engine.sightings import Hand, Point, direction_deg
from engine.table.accusation import DEALT_OUT, Accusation, alerts_of, laid_twice, perhaps_of_another_game
from engine.table.acts import CLAIM, DEAL, EVEN, GATHER, LAY, LIFT, PILLAGE, SEVERAL, SWAP, VOID
from engine.table.arms import Arms
from engine.table.asking import Asking, Meaning
from engine.table.beam import Answered, Beam
from engine.table.costs import SURE, TOLD
from engine.table.hypothesis import WAITING, Hypothesis, Key, Step, TrickCard, suit_of_all
from engine.table.observation import StillPeriod
from engine.table.piles import Piles, Place
from engine.table.reach import Reach
from engine.table.reconciler import SETTLED, Reconciler
from engine.table.record import Record
from engine.table.turn_order import turn

MOST_STEPS_A_LOOK = 60
"""Steps that are looked at after one look at most: more than a whole deal has."""
WAITED_FOR_S = 3.0
"""How long a card has lain there that is told with its doubt, where nobody plays on before it is."""


class Publisher:
    """Tells what the hypotheses of one table agree on."""

    def __init__(self, game: TrickGame, beam: Beam, arms: Arms, reach: Reach, open_seat: int | None) -> None:
        """open_seat: where nobody sits, and who plays it waits for what is told here."""
        self.game, self._open_seat = game, open_seat
        self._beam, self._arms = beam, arms
        self.piles = Piles(game.sides)
        self.asking = Asking(game.players)
        self.record = Record()
        self.accusation = Accusation(game, beam, arms, reach)
        self.reconciler = Reconciler(game.players, beam, self.record, self.accusation)
        self._mends = False
        """What was told is being taken back: nothing else is told before that is done."""
        self._learned: set[Key] = set()
        """Plays that showed already where an arm comes from."""

    def start(self, numbers: Mapping[int, int]) -> None:
        """Nothing was told of these hypotheses. numbers: events of the cards that lie there, by uid."""
        self.record.start(numbers)
        self.asking.start()
        self.reconciler.start()

    def looked(self, fresh: bool) -> None:
        """There is a new look to tell of. fresh: the table was touched."""
        self._mends = False
        if fresh:
            self.accusation.period_over()
            self.reconciler.looked()

    def next(self, match: Match, hands: Mapping[int, Hand]) -> Event | None:
        """The next thing there is to tell, given what the match holds now. hands: those that came lately."""
        event = self._next(match, hands)
        if event is None:
            self._learn_ahead(hands)
        return event

    def _next(self, match: Match, hands: Mapping[int, Hand]) -> Event | None:
        for _ in range(MOST_STEPS_A_LOOK):
            mends, event = self._put_right(match)
            if mends:
                return event
            best = next((hypothesis for hypothesis in self._beam.hypotheses if self.record.all_in(hypothesis)), None)
            if best is None or len(self.record.told) == len(best.steps):
                return None if best is None else self.reconciler.turn_up_found_late(best, match)
            told, event = self._tell(best, match, hands)
            if event is not None or not told:
                return event
        return None

    def _put_right(self, match: Match) -> tuple[bool, Event | None]:
        """Whether what was told is being put right, and what is told for that."""
        likeliest = self._beam.hypotheses[0]
        if self.record.all_in(likeliest):
            self._mends = False
            return False, None
        event = self.reconciler.put_right(likeliest, match)
        self._mends = self._mends or event is not None
        return self._mends, event

    @property
    def untold(self) -> tuple[TrickCard, ...]:
        """Cards of the trick that most likely lie there and were not told yet; others may take them away."""
        best = self._beam.hypotheses[0] if self._beam.hypotheses else None
        if best is None or not self.record.all_in(best):
            return ()
        laid = takewhile(lambda step: step.kind == LAY and not step.early, best.steps[len(self.record.told) :])
        return tuple(TrickCard(step.seat, step.card, step.uid) for step in laid if step.seat is not None)

    def _tell(self, best: Hypothesis, match: Match, hands: Mapping[int, Hand]) -> tuple[bool, Event | None]:
        """Whether the next step is told now, and by which event; or what is asked before it is."""
        place = len(self.record.told)
        step = best.steps[place]
        if step.kind == GATHER and (surer := self.reconciler.surer(step.trick, match)) is not None:
            return False, surer
        posterior = self._beam.posterior(best.steps[: place + 1])
        now = posterior / self._beam.posterior(best.steps[:place])
        forced = self._must_be_told(best, place)
        if self._waits(step, posterior, now, forced):
            return self._not_told_yet(place, step, match)
        if self._may_still_be_told_better(best, place, match):
            return False, self._ask_turn_up(best, step, match)
        seen = self._event(best, place, match, now)
        told, event = self._weighed(best, place, seen, posterior, forced, match)
        if not told:
            return False, event
        unsure = event is seen and self._is_unsure(step, event, match)
        if isinstance(event, VoidDeal) and step.kind == DEAL:
            self.accusation.called_void()
            return True, event
        self._learn(step, now, hands)
        self.accusation.told(step, now, match)
        if step.kind == DEAL:
            self.piles.begin_deal()
        held = event is None and step.kind == LAY and step.uid in best.lifted
        self.record.add(step, None if event is None else len(match.log) + 1, unsure, held)
        return True, event

    def _is_unsure(self, step: Step, event: Event | None, match: Match) -> bool:
        """Whether a play is told with its doubt for nothing but what else may have happened: that may end soon."""
        return isinstance(event, Play) and not event.order_sure and self._play(step, match, 1.0) == self._surely(event)

    def _waits(self, step: Step, posterior: float, now: float, forced: bool) -> bool:
        """Whether a step is not sure enough yet; a deal that hardly any hypothesis has would be taken back at once."""
        if step.kind in (DEAL, VOID) and posterior < 1 - SURE:
            return True
        return not forced and (now < TOLD or not self._beam.looked_enough(step))

    def _weighed(
        self, best: Hypothesis, place: int, event: Event | None, posterior: float, forced: bool, match: Match
    ) -> tuple[bool, Event | None]:
        """Whether a step is told now that may accuse somebody, and as what; or what is asked, or put right, first."""
        nobody = self.accusation.nobody_to_accuse(best, place, match)
        alerts = alerts_of(match, self._surely(event))
        if not alerts:
            return True, event
        if perhaps_of_another_game(alerts, match):
            return True, None
        if (correct := self.reconciler.forget_who_bought(alerts, match)) is not None:
            return False, correct
        if not (nobody or self.accusation.doubts(best, place, posterior, alerts, match.view.turn)):
            return True, self.accusation.made_innocent(event, match) if laid_twice(alerts) else self._surely(event)
        forced = forced or sum(step.kind == LAY for step in best.steps[place + 1 :]) >= SEVERAL
        if (forced or nobody) and (correct := self.reconciler.doubt_what_it_rests_on(alerts, match)) is not None:
            return False, correct
        if not forced:
            return False, self._ask(best.steps[place], match)
        return True, self.accusation.made_innocent(event, match)

    def _not_told_yet(self, place: int, step: Step, match: Match) -> tuple[bool, Event | None]:
        """What stays open is forgotten, if it went again, or asked."""
        went = self._went_again(place)
        self._beam.forget(went)
        return (True, None) if went else (False, self._ask(step, match))

    def _went_again(self, place: int) -> set[Key]:
        """Cards that some hypotheses say were laid and taken back before they were told, and when. None, where others
        hold too much weight."""
        agreed = [
            hypothesis
            for hypothesis in self._beam.hypotheses
            if self.record.agreed(hypothesis) == place < len(hypothesis.steps)
        ]
        went = [hypothesis for hypothesis in agreed if self._taken_back_since(hypothesis, place)]
        posterior = sum(math.exp(hypothesis.logp) for hypothesis in agreed if hypothesis not in went)
        return (
            {(*hypothesis.steps[place].key, hypothesis.steps[place].period) for hypothesis in went}
            if posterior > 1 - TOLD
            else set()
        )

    def _taken_back_since(self, hypothesis: Hypothesis, place: int) -> bool:
        """Whether what a hypothesis says was laid then was taken back."""
        laid = hypothesis.steps[place]
        lift = next((step for step in hypothesis.steps[place:] if step.kind == LIFT and step.uid == laid.uid), None)
        return laid.kind == LAY and lift is not None and self._beam.looked_enough(lift, SEVERAL)

    def _ask(self, step: Step, match: Match) -> Event | None:
        """A question, where the table came to rest and it stays open what happened."""
        if not self._beam.looked_enough(step, SEVERAL):
            return None
        return self.asking.ask(self._beam.hypotheses, self.record.keys, match, self.record.number_of)

    def _ask_turn_up(self, best: Hypothesis, step: Step, match: Match) -> Event | None:
        """Which card was turned up, where it cannot be read and somebody leads."""
        open_trump = step.kind == DEAL and not suit_of_all(step.maybe)
        return self._ask(step, match) if open_trump and best.trick else None

    def answered(self, meant: Meaning, number: int | None) -> bool:
        """A person answered what was asked last. number: of the event it stands for. False: no hypothesis says so."""
        asked, period = self.asking.open, self._beam.period
        if asked is None or period is None or asked.before != self.record.keys:
            return False
        self.accusation.answered(asked.steps, None if meant.step is None else meant.step.card)
        self.asking.start()
        if not self._beam.answered(Answered(asked.before, meant, period.number)):
            return False
        if meant.step is not None:
            self.record.add(meant.step, number)
        return True

    def unread_at(self, number: int) -> list[Point]:
        """Where a card lies that was told as one that cannot be read."""
        told = [told.step for told in self.record.told if told.number == number]
        return [step.at for step in told if step.kind == LAY and step.card is None and step.at is not None]

    def _may_still_be_told_better(self, best: Hypothesis, place: int, match: Match) -> bool:
        """Whether a turned-up card may still be read (its trump stays open once a trick was played without), or a trick
        may not have come to rest."""
        step = best.steps[place]
        if step.kind == DEAL and step.card is None:
            if suit_of_all(step.maybe):
                return place + 1 == len(best.steps)
            return best.tricks_after(step.trick, self.game.players) <= 0
        return step.kind == GATHER and self._carried(best, place, match)

    def _carried(self, best: Hypothesis, place: int, match: Match) -> bool:
        """Whether a trick that went may not have come to rest yet, and nobody plays on."""
        period, step = self._beam.period, best.steps[place]
        assert period is not None
        if place + 1 < len(best.steps):
            return False
        if aside := self._put_aside(step):  # Rather something else came to rest, where a hand hides the winner's place.
            winner = match.view.last_winner
            return period.touched.behind_a_hand and winner is not None and self.piles.asks(aside, winner)
        return period.touched.behind_a_hand or (step.period == period.number and len(period.looks) < SEVERAL)

    def _must_be_told(self, best: Hypothesis, place: int) -> bool:
        """Whether play has gone on so far that it is told with its doubt."""
        step, later = best.steps[place], best.steps[place + 1 :]
        if any(other.kind == DEAL and self._beam.says(other, "card", "period") >= TOLD for other in later):
            return True
        if best.tricks_after(step.trick, self.game.players) >= SETTLED and (
            step.kind != DEAL or step.card is not None or suit_of_all(step.maybe)
        ):
            return True
        return self._ends_the_deal(best, step) or self._is_waited_for(best, step)

    def _is_waited_for(self, best: Hypothesis, step: Step) -> bool:
        """Whether nobody lays a card before this is told: it is most likely the turn of the seat where nobody sits."""
        seat = self._open_seat
        if seat is None or step.kind != LAY or not best.trick or turn(self.game, best) != {seat}:
            return False
        return self._beam.age_s(step) > WAITED_FOR_S

    def _ends_the_deal(self, best: Hypothesis, step: Step) -> bool:
        """Whether the deal is over, and was when the table was touched last. A claim tells nothing of what was laid."""
        assert self._beam.period is not None
        return best.phase == WAITING and step.kind != CLAIM and step.period < self._beam.period.number

    def _event(self, best: Hypothesis, place: int, match: Match, posterior: float) -> Event | None:
        step = best.steps[place]
        if step.kind in (DEAL, VOID, SWAP):
            return _dealt(step)
        if step.kind == CLAIM:
            return None if match.view.phase in DEALT_OUT else Claim()
        if step.kind == PILLAGE:
            return self._bought(best, place, match)
        if step.kind == LIFT:
            number = self.record.number_of(step.uid, best, place)
            return None if number is None else TakenBack(number)
        if step.kind == GATHER:
            return self._taken(step, match)
        if step.uid in best.lifted and not self._beam.lay_at_rest(step):
            return None  # A hand held it out, and never let go of it.
        return self._play(step, match, posterior)

    def _bought(self, best: Hypothesis, place: int, match: Match) -> Event | None:
        """The turned-up card was bought. One that nobody read is passed over, once its suit gave trump."""
        step = best.steps[place]
        if step.card is not None:
            return Pillage(self._pillager(best, place, match), step.card, *step.more)
        return TurnUpSeen(step.more[1]) if best.trump and step.more[1] else None

    def _play(self, step: Step, match: Match, posterior: float) -> Play:
        if self.game.is_foreign(step.card) and self._whose_arm(step) != step.seat:  # Anybody may put one down.
            return Play(step.card, order_sure=False, beside=step.beside)
        seat = step.seat if step.hand is not None or step.seat != match.view.turn else None
        maybe = () if step.card else tuple(card for card in step.maybe if card in match.possible) or step.maybe
        sure = posterior >= SURE and self._may_prove(step)
        return Play(step.card, seat, before_taken=step.early, candidates=maybe, order_sure=sure, beside=step.beside)

    def _surely(self, event: Event | None) -> Event | None:
        """The event, were nothing about it in doubt but who put down a foreign card."""
        if not isinstance(event, Play) or (event.seat is None and self.game.is_foreign(event.card)):
            return event
        return replace(event, order_sure=True)

    def _may_prove(self, step: Step) -> bool:
        """Whether a card may take part in a proof: not one that nobody saw, or told by what else it cannot be."""
        if step.card is None and step.at is None:
            return False
        return not (step.card and step.maybe) and not self.accusation.told_otherwise(step)

    def _learn_ahead(self, hands: Mapping[int, Hand]) -> None:
        """What waits to be told behind an open question shows where arms come from, too: a game that asks would else
        explain worse what people do than one that does not."""
        for step in self._beam.hypotheses[0].steps[len(self.record.told) :]:
            if step.hand in hands and self._beam.looked_enough(step):
                self._learn(step, self._beam.says(step, "key", "hand"), hands)

    def _learn(self, step: Step, posterior: float, hands: Mapping[int, Hand]) -> None:
        """A play whose seat is known shows where that player's arm comes from."""
        hand = hands.get(step.hand) if step.hand is not None else None
        known = (*step.key, step.hand)
        if known in self._learned or posterior < TOLD:
            return
        if step.kind == LAY and step.seat is not None and hand and step.at:
            self._learned.add(known)
            self._arms.learn(step.seat, hand, step.at)

    def _taken(self, step: Step, match: Match) -> Event | None:
        """Where the trick came to rest tells who took it; if that cannot be told, the winner did."""
        if not match.view.trick or len(match.view.trick) < self.game.players:
            return None
        winner, sweeper = match.view.last_winner, self._whose_arm(step)
        if winner is not None and sweeper is not None and self.game.sides[sweeper] == self.game.sides[winner]:
            return self.piles.taken([], winner)  # Then it is no trick that comes to rest elsewhere.
        return self.piles.taken(self._put_aside(step), winner)

    def _whose_arm(self, step: Step) -> int | None:
        """Whose arm plainly did this."""
        period = self._beam.period_of(step) or self._beam.period
        hand = None if period is None or step.hand is None else period.recent.get(step.hand)
        return None if hand is None else self._arms.seat_clearly_at(hand.angle_deg)

    def _put_aside(self, step: Step) -> list[Place]:
        """What came to rest at somebody's place since a trick went; between two, at the place of one of them who took
        the trick up."""
        sweeper = self._whose_arm(step)

        def whose(angle_deg: float) -> int | None:
            clear = self._arms.seat_clearly_at(angle_deg)
            may_be = clear is None and sweeper is not None and self._arms.may_be_seat(angle_deg, sweeper)
            return sweeper if may_be else clear

        return [(here, whose(direction_deg(here))) for here in self._beam.packets_since(step)]

    def _pillager(self, best: Hypothesis, place: int, match: Match) -> int | None:
        """Who took the turned-up card, if that is clear: whose hand reached for it between the last look that shows it
        and the first that does not. The dealer turns the next one up, and an ace is his."""
        step, dealer = best.steps[place], match.view.dealer
        if step.card and rank_of(step.card) == self.game.ranks[0] and dealer is not None:
            return dealer
        period, at = self._beam.period_of(step), step.at
        if period is None or at is None or not place:
            return None
        began_s = self._beam.began_s(best.steps[place - 1])
        shown_s = max((seen.at_s for seen in period.lately if step.card in seen.named), default=began_s)
        return self._whose(self._took(period, at, shown_s, dealer), at)

    def _took(self, period: StillPeriod, at: Point, shown_s: float, dealer: int | None) -> list[Hand]:
        """The hands that may have taken the turned-up card after a look that still showed it."""
        since = (hand for hand in period.recent.values() if hand.left_s > shown_s)
        reached = [hand for hand in since if self._arms.log_reach(hand, at) > 0]
        gone_s = period.bare_since(at, shown_s)
        if gone_s is None:
            return self._but_who_turned_up(reached, dealer)
        return [hand for hand in reached if hand.came_s < gone_s]

    def _but_who_turned_up(self, hands: Sequence[Hand], dealer: int | None) -> list[Hand]:
        """These hands but the one that turned the next card up: the dealer's, or else the last."""
        if dealer is None:
            return sorted(hands, key=lambda hand: hand.came_s)[:-1]
        return [hand for hand in hands if self._arms.likeliest_seat(hand.angle_deg, SURE) != dealer]

    def _whose(self, hands: Sequence[Hand], at: Point) -> int | None:
        """Whose one of these hands is that reached here, if that is clear."""
        whose: dict[int | None, float] = {}
        for hand in hands:
            seat = self._arms.likeliest_seat(hand.angle_deg, SURE)
            whose[seat] = whose.get(seat, 0.0) + math.exp(self._arms.log_reach(hand, at))
        seat = max(whose, key=whose.__getitem__, default=None)
        return seat if seat is not None and whose[seat] >= SURE * sum(whose.values()) else None


def _dealt(step: Step) -> Event:
    """A deal, one that is given up, or another card that is turned up."""
    if step.kind == DEAL:
        return Deal(step.card, candidates=() if step.card else step.maybe)
    return VoidDeal(EVEN) if step.kind == VOID else TurnUpSeen(step.card or "")
