"""Whether what is told may accuse somebody: only where hardly anything innocent is left."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import takewhile

from engine.cards import Card
from engine.events import OTHER_GAME, Deal, Event, Pillage, Play, Taken, TurnUpSeen, VoidDeal
from engine.match import Match
from engine.notices import Notice, accuses
from engine.rules.tricks import TrickGame
from engine.sightings import direction_deg
from engine.table.acts import DEAL, EVEN, GATHER, LAY, LIFT, LONG_S, PILLAGE, SEVERAL, SWAP, VOID
from engine.table.arms import Arms
from engine.table.beam import Beam
from engine.table.costs import ACCUSED, OPEN, OPEN_PERIODS, SURE, TOLD
from engine.table.hypothesis import Hypothesis, Step
from engine.table.observation import StillPeriod
from engine.table.reach import Reach

DEALT_OUT = ("waiting_for_deal", "deal_over", "match_over")
"""Phases of a match in which a deal is expected."""
TURNED_UP = (DEAL, PILLAGE)
"""Steps after which another card is turned up: which, and whether one was bought, may stay open without saying anything
of what was laid."""
LIES_BEFORE = 1.0
"""How much more (log-odds) a card's place must speak for the seat whose hand laid it than for the seat whose turn it
was."""
OF_A_HAND = frozenset({"out_of_turn", "two_from_one_seat", "wrong_leader"})
"""Rules that are broken by whose hand it was alone."""
LAID_TWICE, OF_NO_USE = "seen_before", "not_in_pack"
"""Rules that are broken by which card it was alone."""


class Accusation:
    """What is known at one table of how far its hypotheses can be trusted, and what else may have happened."""

    def __init__(self, game: TrickGame, beam: Beam, arms: Arms, reach: Reach) -> None:
        self.game = game
        self._beam, self._arms, self._inside = beam, arms, reach.inside
        self.accuses_nobody = False
        """Nobody is accused in this deal, for one of these reasons: the hypotheses had to begin again from a match they
        did not agree with; somebody leads who took the trick without having won it as told; too many of its cards
        could not be read; nobody could look for long."""
        self._accuses_nobody_yet = False
        """So it was in the deal before, or that was not played out: nobody is accused until a deal was followed."""
        self._void = False
        """The deal before was called void by the hypotheses."""
        self._answered: frozenset[int] = frozenset()
        """Tricks that were asked about: what else may have happened in them is too little known to accuse anybody."""
        self._denied: frozenset[Card] = frozenset()
        """What a person said was not laid, whatever was read: it accuses nobody."""
        self._misread: frozenset[Card] = frozenset()
        """Cards of this deal in whose place some look read another."""
        self._taken_back = -math.inf
        """The trick of what was told last and taken back: cards told instead, in it or the next, accuse nobody, and
        prove nothing."""
        self._unread = 0
        """Cards told in this deal that could not be read."""
        self._may_lie_there = False
        """A card of this deal was told as taken back, in doubt and by no hand: none of it is said to be missing."""
        self._left_open = self._periods = 0.0
        """What the likeliest hypothesis left to others in each still period so far (its root: often a little is worse
        than once much), summed, and how many they are: old ones fade."""

    def told(self, step: Step, posterior: float, match: Match) -> None:
        """A step is told. posterior: how sure it is."""
        self._may_lie_there |= step.kind == LIFT and step.hand is None and posterior < TOLD
        self._void |= step.kind == VOID
        if step.kind in (DEAL, VOID):
            self._unread, self._may_lie_there = 0, False
        self._unread += step.kind == LAY and step.card is None
        if step.kind == DEAL:
            # Where a deal ends before it was played out, rather the table was misread than dealt anew.
            self._accuses_nobody_yet = self.accuses_nobody or self._void or match.view.phase not in DEALT_OUT
            self.accuses_nobody = self._void = False
            self._denied = self._misread = frozenset()

    def called_void(self) -> None:
        """A deal was told as one that was given up, since the hypotheses rather lost its thread."""
        self._void = True

    def took_back(self, trick: int, one_trick: bool) -> None:
        """What was told up to this trick is taken back. one_trick: all of it was of this one."""
        self.accuses_nobody |= not one_trick
        self._taken_back = trick

    def answered(self, asked: Sequence[Step], said: Card | None) -> None:
        """A person was asked which of these steps happened. said: the card that was laid, if it was one."""
        self._answered = frozenset(step.trick for step in asked)
        self._denied |= {step.card for step in asked if step.card} - {said}

    @property
    def clear(self) -> bool:
        """Whether this table can be followed: in most still periods hardly anything else was likely. Where it cannot,
        all hypotheses that are kept may be wrong and agree on what nobody did. How well the likeliest one explains the
        looks tells less: that differs more between tables that are followed than between those and others."""
        periods = self._periods + 1 + OPEN_PERIODS
        return self._left_open + self._open_now() < OPEN * periods

    def period_over(self) -> None:
        """A still period is over."""
        best = self._beam.hypotheses[0]
        self._misread |= self._read_otherwise(best, {step.card for step in best.steps if step.card})
        kept = 1 - 1 / OPEN_PERIODS
        self._left_open, self._periods = kept * self._left_open + self._open_now(), kept * self._periods + 1

    def _open_now(self) -> float:
        """The root of the weight of hypotheses that tell otherwise than the likeliest what people did."""
        best = self._beam.hypotheses[0].steps
        same = self._beam.posterior(best, ignoring=(*TURNED_UP, SWAP))
        return math.sqrt(max(0.0, 1 - same))

    def doubts(
        self, best: Hypothesis, place: int, posterior: float, alerts: Sequence[Notice], turn: int | None
    ) -> bool:
        """Whether a step should not accuse anybody of this. posterior: of those that say so. turn: whose it was."""
        step, rules = best.steps[place], {alert.facts.get("rule") for alert in alerts}
        if step.kind == SWAP or rules == {OF_NO_USE}:  # So it is whatever was turned up before, and bought or not.
            posterior = self._beam.posterior(best.steps[: place + 1], ignoring=TURNED_UP)
        proves = any(alert.code == "revoke" for alert in alerts)  # By all that was told, trump included.
        return self.doubtful(step, posterior, SURE if proves else ACCUSED) or self._rather_innocent(
            best, place, alerts, turn
        )

    def doubtful(self, step: Step, posterior: float, enough: float = ACCUSED) -> bool:
        """Whether too much else may have happened for it to accuse anybody. posterior: of those that say so; enough:
        from where on it is believed."""
        likely = posterior * (1 - self._beam.dropped) >= enough
        if not (likely and self._beam.seen_often(step) and self.clear):
            return True
        said = step.card in self._denied or step.trick in self._answered
        unread = step.kind == LAY and step.card is None
        long_ago = self._beam.age_s(step) > LONG_S  # What is put together so late accuses nobody.
        return said or unread or long_ago or self.told_otherwise(step)

    def told_otherwise(self, step: Step) -> bool:
        """Whether a card is told in place of what was taken back, or in the trick after it; or that the turned-up card
        is another since."""
        return step.kind in (LAY, SWAP) and 0 <= step.trick - self._taken_back <= 1

    def _rather_innocent(self, best: Hypothesis, place: int, alerts: Sequence[Notice], turn: int | None) -> bool:
        """Whether what happened since, or beside it, is rather explained by something innocent. turn: whose it was."""
        step = best.steps[place]
        if step.kind == DEAL and any(alert.facts.get("rule") == "turn_up_changed" for alert in alerts):
            return True  # By this hypothesis a deal began: the log is out of step, and nobody exchanged a card.
        if not self._seen_beside(best, place):
            return True
        if self._perhaps_for_another(best, place, alerts, turn) or self._perhaps_misread(best, place, alerts):
            return True
        return self._one_for_each(best, step) or self._passed_over(best, place, alerts)

    def _seen_beside(self, best: Hypothesis, place: int) -> bool:
        """Whether what makes this card wrong was seen beside it: of the trick before, if it is led too early; of its
        own trick, or the card before from the same seat, if there is one. Arms hide what lay there: it may be gone."""
        step = best.steps[place]
        if step.kind != LAY:
            return True
        here = list(takewhile(lambda laid: laid is not step, best.laid_in(step.trick)))
        own = [laid for laid in here if laid.seat == step.seat]
        laid = best.laid_in(step.trick - 1) if step.early else own or here
        cards = {before.card for before in laid if before.uid not in best.lifted}
        leads = not step.early and not cards
        return leads or self._beam.lay_beside(cards, step)

    def _perhaps_for_another(self, best: Hypothesis, place: int, alerts: Sequence[Notice], turn: int | None) -> bool:
        """Whether it does not lie clearly before whose hand laid it, and nothing happened since that tells whether that
        was a neighbour's, who laid it for whose turn it was: with the next card, or once it goes, that is plain."""
        step = best.steps[place]
        rules = OF_A_HAND & {str(alert.facts.get("rule")) for alert in alerts}
        since = {step.kind for step in best.steps[place + 1 :]} & {LAY, LIFT}
        if not rules or since or step.seat is None or step.at is None:
            return False
        others = _expected(alerts, turn) - {step.seat}
        other = max((self._arms.log_lean(step.at, seat) for seat in others), default=-math.inf)
        return self._arms.log_lean(step.at, step.seat) - other < LIES_BEFORE

    def _perhaps_misread(self, best: Hypothesis, place: int, alerts: Sequence[Notice]) -> bool:
        """Whether a look read another card in place of one that proves this."""
        claims = [claim for alert in alerts for claim in alert.facts.get("claims", ())]
        cards = {card for claim in claims for card in (claim["card"], *claim["shown"])}
        if any(alert.facts.get("rule") == OF_NO_USE for alert in alerts):
            cards |= {best.steps[place].card}
        return bool(cards & self._misread or self._read_otherwise(best, cards))

    def _read_otherwise(self, best: Hypothesis, cards: Collection[Card | None]) -> frozenset[Card]:
        """Those of these cards in whose place a look read another lately."""
        laid = (step for step in best.steps if step.kind == LAY and step.card in cards)
        return frozenset(step.card for step in laid if step.card and self._beam.read_otherwise(best, step))

    def _one_for_each(self, best: Hypothesis, step: Step) -> bool:
        """Whether a full trick holds two cards of one seat: rather one of them is given to the wrong player. (Else the
        player whose card is missing lays one more.) Or two seats have two cards: rather that was two tricks. Or this
        seat has several, some perhaps farther out: rather he laid his hand open."""
        taken_back = best.lifted - {step.uid}
        laid_here = [laid for laid in best.laid_in(step.trick) if laid.uid not in taken_back]
        seen = [laid.seat for laid in laid_here if laid.card is not None or laid.at is not None]
        twice = {seat for seat in seen if seen.count(seat) > 1}
        several = seen.count(step.seat) + self._came_beside(best, step) >= SEVERAL
        otherwise = len(seen) == self.game.players or len(twice) > 1 or several
        return step.kind == LAY and step.seat in twice and otherwise

    def _came_beside(self, best: Hypothesis, step: Step) -> int:
        """How many faces came together with a card before its player that nobody laid, by this hypothesis."""
        period = self._beam.period_of(step)
        if period is None:
            return 0
        before = {lying.card for lying in period.shown_last_rest}
        came = (lying for card, lying in period.named.items() if card in best.false_positives - before)
        return sum(self._arms.seat_clearly_at(direction_deg(lying.at)) == step.seat for lying in came)

    def _passed_over(self, best: Hypothesis, place: int, alerts: Sequence[Notice]) -> bool:
        """Whether whose turn it was reached over the table before, or it changed where nothing is seen, and he lays
        nothing after: he rather laid a card that nobody saw. Or lays one after that nobody saw: nobody knows when."""
        turn = _expected(alerts, None)
        step, periods, after = best.steps[place], self._beam.rests_until(best, place), best.laid_after(place)
        if self._may_lie_there_before(periods, step, [later for later in after if later.seat in turn]):
            return True
        passed = turn - {later.seat for later in after}
        return bool(passed) and self._may_have_laid(passed, best, periods)

    def _may_have_laid(self, seats: Collection[int], best: Hypothesis, periods: Sequence[StillPeriod]) -> bool:
        """Whether one of these may have laid a card that nobody saw: the table changed where nothing is seen, or his
        hand came and did nothing."""
        if any(period.changes.unseen(self._inside) for period in periods):
            return True
        did = {step.hand for step in best.steps}
        idle = (hand for period in periods for hand in period.idle(did))
        return any(self._arms.seat_clearly_at(hand.angle_deg) in seats for hand in idle)

    @staticmethod
    def _may_lie_there_before(periods: Sequence[StillPeriod], step: Step, after: Sequence[Step]) -> bool:
        """Whether a card that is told after this step may have been laid before it: one came unseen just there, or
        it was never seen."""
        before = [period for period in periods if period.number < step.period]
        return any(
            later.at is None or any(period.changes.came_unseen(later.at) for period in before) for later in after
        )

    def nobody_to_accuse(self, best: Hypothesis, place: int, match: Match) -> bool:
        """Whether so much of this deal is open that nobody can be accused of this step; remembers it for the deal."""
        step = best.steps[place]
        if step.kind in (DEAL, VOID):
            return self._may_lie_there
        unread = self._unread + (step.kind == LAY and step.card is None)
        gap = self._after_a_gap(best, place)
        self.accuses_nobody |= gap or unread >= SEVERAL or self._leads_what_he_took(best, place, match)
        return self.accuses_nobody or self._accuses_nobody_yet

    def _after_a_gap(self, best: Hypothesis, place: int) -> bool:
        """Whether a card was first seen where the table had not rested for long, and not because it was dealt out."""
        step, before = best.steps[place], best.step_before(place)
        period = self._beam.period_of(step)
        dealt = before is not None and before.kind in TURNED_UP
        return step.kind == LAY and not dealt and period is not None and period.blind

    def _leads_what_he_took(self, best: Hypothesis, place: int, match: Match) -> bool:
        """Whether somebody leads before whom the last trick came to rest, though he did not win it: rather the trick is
        told wrong, or the trump, than that he did wrong twice."""
        step, before, deal = best.steps[place], best.step_before(place), match.state.deal
        if step.kind != LAY or before is None or before.kind != GATHER or deal is None or step.seat in deal.sure_lead:
            return False
        edge = self._beam.packets_since(before)
        return len(edge) == 1 and self._arms.seat_clearly_at(direction_deg(edge[0])) == step.seat

    def made_innocent(self, event: Event | None, match: Match) -> Event | None:
        """The same, said so that it accuses nobody; remembers for this deal if the log is out of step then. None:
        nothing is said of it."""
        if isinstance(event, Deal):
            return VoidDeal(EVEN)
        if not isinstance(event, Play | Pillage):
            return None
        ways = _less_known(event)
        way = next((way for way in ways if not alerts_of(match, way)), None)
        if way is None or way.seat != event.seat:  # The log is out of step from here.
            self.accuses_nobody = True
        return way


def _expected(alerts: Sequence[Notice], turn: int | None) -> set[int]:
    """Who should have played, by these alerts. turn: whose turn it was, where they do not say."""
    return {seat for alert in alerts for seat in alert.facts.get("expected", (turn,)) if seat is not None}


def perhaps_of_another_game(alerts: Sequence[Notice], match: Match) -> bool:
    """Whether a card is foreign to this game, and it is being asked whether another is played."""
    of_no_use = any(alert.facts.get("rule") == OF_NO_USE for alert in alerts)
    return of_no_use and any(asked.facts["about"] == OTHER_GAME for asked in match.state.questions)


def laid_twice(alerts: Sequence[Notice]) -> bool:
    """Whether a card was laid that was laid before in this deal: rather one of the two was read as what it is not."""
    return any(alert.facts.get("rule") == LAID_TWICE for alert in alerts)


def alerts_of(match: Match, event: Event | None) -> list[Notice]:
    """What it would accuse of, or will if the seat that was passed over lays a card yet."""
    if not isinstance(event, Play | Deal | Taken | TurnUpSeen | Pillage):
        return []
    return [notice for notice in match.preview(event) if accuses(notice)]


def _less_known(event: Play | Pillage) -> Sequence[Play | Pillage]:
    """The event as if less of it were known, as little less as may be first."""
    if isinstance(event, Pillage):
        ways = replace(event, seat=None), replace(event, paid=None), replace(event, next=None)
        return *ways, Pillage(None, event.card)
    return (
        Play(event.card, event.seat, candidates=event.candidates, order_sure=False),
        Play(event.card, candidates=event.candidates, order_sure=False),
        Play(None, candidates=(event.card,) if event.card else (), order_sure=False),
        Play(None, order_sure=False),
    )
