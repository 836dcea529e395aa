"""Looks at a card table to the game's events: a beam of hypotheses takes each look in, and what they agree on is told.

Nothing here judges a rule: that is the judge's work once an event is in the log.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.cards import Card
from engine.events import Choose, Confirm, Event, OfTheTable, TakenBack
from engine.match import Match
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, TableLook
from engine.table.acts import DEAL, LAY, SEVERAL, Width
from engine.table.arms import Arms, seats_round
from engine.table.asking import Meaning
from engine.table.beam import Beam, Leads
from engine.table.hypothesis import BESIDE, TURN_UP, WAITING, Hypothesis, Step, Thing, TrickCard
from engine.table.observation import ObservationModel, Seen
from engine.table.open_hand import OpenHand
from engine.table.places import ZONE
from engine.table.publisher import Publisher
from engine.table.reach import Reach
from engine.table.record import deals_begun
from engine.table.resume import next_leads, resumed
from engine.table.surroundings import Surroundings
from engine.table.taken_back import TakenBackByHand
from engine.table.why import Why

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
        width: Width | None = None,
        open_seat: int | None = None,
    ) -> None:
        """seats_deg: where everybody sits, if not evenly round from seat 0. zone: how far out a card is played.
        open_seat: where nobody sits, and the hand lies face up."""
        self.game = game
        self.arms = Arms(seats_deg or seats_round(game.players, clockwise, seat_0_deg), open_seat)
        self.open_hand = None if open_seat is None else OpenHand(open_seat, game.whole_pack, self.arms, zone)
        self._reach = Reach(self.arms, game.players, zone)
        self._observation = ObservationModel(game.whole_pack, self._reach, self.arms, self.open_hand)
        self._beam = Beam(game, width or Width(), self._observation)
        self._publisher = Publisher(game, self._beam, self.arms, self._reach, open_seat)
        self._around = Surroundings()
        self._taken_back = TakenBackByHand(game.whole_pack, self._reach)
        self.situation = WATCHING
        self._logged = -1
        """How long the log is if nobody else writes in it."""
        self._pending: Event | None = None
        self.explain_to: Callable[[Why], None] | None = None
        """Is told of each still period that is over why its likeliest hypotheses are that."""
        self._shown: frozenset[Card] = frozenset()
        """Faces of the last look or glance."""
        self._faces: tuple[CardLying, ...] = ()
        """What lay there at the last look."""

    @property
    def beam(self) -> list[Hypothesis]:
        """The hypotheses that are kept, the likeliest first."""
        return self._beam.hypotheses

    @property
    def untold(self) -> tuple[TrickCard, ...]:
        """Cards of the trick that most likely lie there and were not told yet."""
        return self._publisher.untold

    @property
    def lying(self) -> tuple[tuple[int | None, Thing], ...]:
        """The cards of the game that lie there, where that was seen: each with who laid it, if it is of the trick."""
        best = self.beam[0] if self.beam else Hypothesis()
        seats = {laid.uid: laid.seat for laid in best.trick}
        shown = [thing for thing in best.things if thing.uid in seats or thing.kind in (TURN_UP, BESIDE)]
        return tuple((seats.get(thing.uid), thing) for thing in shown if thing.at is not None)

    @property
    def evidence(self) -> float:
        """How likely all that was seen is if this game is played, as a logarithm: to compare with other games."""
        return self._beam.evidence

    def follow_with(self, width: Width) -> None:
        """From now on with so many hypotheses."""
        self._beam.follow_with(width)

    def look(self, look: TableLook, match: Match) -> None:
        """A still table, and the match as it stands."""
        self._keep_up(match)
        if self.open_hand is not None:
            look = self.open_hand.take_out(look, self.beam[0])
        self._publisher.looked(look.fresh)
        self._around.keep_hands(look)
        leads = self._leads(match)
        look = self._played_over(look, leads)
        beam, hands = self._beam, self._around.hands
        for glance in look.glances:
            self.explain()
            self._learn_reach(glance.cards)
            seen = self._around.glanced(glance, look.card_length)
            beam.new_period(look, glance.at_s, hands)
            beam.take_in(seen, leads)
            beam.last_look_s = glance.at_s
        self._around.learn_static_background(look, self.beam[0].things)
        seen = self._around.looked(look)
        self._learn_reach(look.cards)
        if look.fresh or beam.period is None:
            self.explain()
            beam.new_period(look, look.at_s, hands)
        beam.take_in(seen, leads)
        beam.rested(look.at_s)
        self._faces = (*look.cards, *self._taken_back.cards)
        self._publisher.reconciler.trim()
        self._say_situation(match)
        if self._publisher.reconciler.astray and not self._publisher.reconciler.let_stand(self.beam[0]):
            self._start_again(match)

    def _learn_reach(self, cards: Sequence[CardLying]) -> None:
        """Where hands put faces that are no cards of taken tricks shows how far out players lay theirs."""
        best, shown = self.beam[0], self._shown
        self._shown = frozenset(lying.card for lying in cards if lying.card)
        if best.phase != WAITING:
            old = best.played | {best.turn_up} | {laid.card for laid in best.last} | shown
            self._reach.learn(
                (lying for lying in cards if lying.card and lying.card not in old), self._around.hands.values()
            )

    def explain(self) -> None:
        """Tells `explain_to` of the still period that goes on."""
        if self.explain_to is not None and (explained := self._beam.why(SEVERAL)) is not None:
            self.explain_to(explained)

    def next(self, match: Match) -> Event | None:
        """The next thing this look tells, given what the match holds now."""
        if self._pending is not None:
            self._logged += 1
            self._pending = None
        if len(match.log) != self._logged or self._beam.period is None:
            return None
        self._pending = self._publisher.next(match, self._around.hands)
        return self._pending

    # -- what people do with the log ---------------------------------------------------------------------------------

    def undone(self, match: Match) -> None:
        """A person took something back: what lies there is not told again before it moves."""
        self._publisher.piles.undone()
        view = match.view
        known = {view.turn_up, *(shown["card"] for shown in (*(view.trick or ()), *(view.beside or ())))} - {None}
        self._taken_back.undone(self._faces, frozenset(known), self.beam[0] if self.beam else Hypothesis())
        self._start_again(match)

    def answered(self, about: str, answer: str) -> None:
        """A person answered a question."""
        if about == "taken":
            self._publisher.piles.answered(answer)

    def refused(self) -> None:
        """The match would not take what was told last: all begins again from what it holds."""
        self._logged = -1
        self._pending = None

    def _keep_up(self, match: Match) -> None:
        """If anybody else wrote in the log, every hypothesis begins again from what the match holds."""
        if len(match.log) == self._logged:
            return
        before = self._logged
        added = match.log[before:] if 0 <= before < len(match.log) else [None]
        since = [event for event in added if not isinstance(event, OfTheTable)]
        self._logged = len(match.log)
        if not since:
            return
        if isinstance(since[0], Choose) and self._told_the_truth(since[0], since[1:], before + 2):
            return
        if isinstance(since[0], TakenBack):
            self._around.static_background += self._publisher.unread_at(since[0].number)
        if not self._says_nothing_new(since, match):
            self._start_again(match)
        elif self.game.names_trump and match.view.trump:
            self._beam.names_trump(match.view.trump)

    def _says_nothing_new(self, since: Sequence[Event | None], match: Match) -> bool:
        """Whether people only confirmed or answered, and the trick that lies there is as it was told."""
        lie = [shown["card"] for shown in match.view.trick or ()]
        laid = [told.step.card for told in self._publisher.record.told if told.step.kind == LAY]
        answered = all(isinstance(event, Confirm | Choose) for event in since)
        return answered and lie == laid[len(laid) - len(lie) :] and not self._took_into_the_open(match)

    def _took_into_the_open(self, match: Match) -> bool:
        """Whether the card turned up goes, or just went, into the hand that lies open: it lies where it was no more."""
        deal = match.state.deal
        if self.open_hand is None or deal is None or deal.plays or deal.done:
            return False
        return bool(deal.taker == self.open_hand.seat)

    def _told_the_truth(self, answer: Choose, events: Sequence[Event | None], number: int) -> bool:
        """A person said which hypothesis is true. number: of the first event that the answer stands for."""
        asked = self._publisher.asking.open
        meant = None if asked is None else asked.meaning.get(answer.answer)
        if asked is None or meant is None or asked.events_of(answer.answer) != [tuple(events)]:
            return False
        known = self._with_its_card(meant)
        if known is None or not self._publisher.answered(known, number if events else None):
            return False
        self._deny(asked.denied(known), known.step is None)
        return True

    def _with_its_card(self, meant: Meaning) -> Meaning | None:
        """The answer where it names a card that no hypothesis could; None: they begin again with it."""
        step, card = meant.step, meant.card
        if step is None or card is None:
            return meant
        if step.kind == DEAL:
            self._beam.turned_up(card)
            return Meaning(step._replace(card=card))
        best = next((hypothesis for hypothesis in self.beam if step in hypothesis.steps), self.beam[0])
        self._beam.hypotheses[0] = best.reads(step.uid, card)
        return None

    def _deny(self, steps: Sequence[Step], nothing: bool) -> None:
        """A person said that these cards were not laid, or that nothing was."""
        for step in steps:
            if nothing and step.card is None and step.at is not None:
                self._around.static_background.append(step.at)
            if not any(step.card == laid.card for laid in self.beam[0].trick):
                self._taken_back.nothing(step.card, self._faces)

    def _start_again(self, match: Match) -> None:
        """Every hypothesis begins with what the match holds, and what is known of where it lies."""
        self._logged, self._pending = len(match.log), None
        self._taken_back.told({shown["card"] for shown in match.view.trick or ()})
        taken_back = {lying.card for lying in self._taken_back.cards}
        hypotheses, numbers = resumed(match, self.game, self.beam, taken_back)
        self._beam.start(hypotheses)
        self._publisher.start(numbers)

    def _leads(self, match: Match) -> Leads:
        """Who may lead the deal that a hypothesis has next: the one that was told, or the one after that."""
        deals = self._publisher.record.deals
        now, then = (next_leads(match, self.game, told) for told in (True, False))
        return lambda hypothesis: now if deals_begun(hypothesis.steps) < deals else then

    def _played_over(self, look: TableLook, leads: Leads) -> TableLook:
        """The look, less what a person took back and lies there still. What of it counts after all was seen, one after
        the other, before this look."""
        if not self._taken_back.cards:
            return look
        before = self._taken_back.names
        faces = {lying.card: lying for lying in self._faces if lying.card and lying.card not in before}
        for lying in self._taken_back.played_over(look, self.beam[0]):
            if lying.card is not None:
                faces = {**faces, lying.card: lying}
                at_s = self._beam.last_look_s
                self._beam.new_period(replace(look, packets=(), changed=()), at_s, self._around.hands)
                self._beam.take_in(Seen(at_s, faces, (), look.card_length, True, frozenset(), ()), leads)
        names = self._taken_back.names
        return replace(look, cards=tuple(lying for lying in look.cards if lying.card not in names))

    # -- what is going on --------------------------------------------------------------------------------------------

    def _say_situation(self, match: Match) -> None:
        best, period = self.beam[0], self._beam.period
        self.situation = WATCHING
        if period is None:  # All hypotheses of this still period said otherwise than the log.
            return
        if best.phase == WAITING:
            self.situation = BETWEEN_DEALS if match.view.phase != "waiting_for_deal" else WAITING_FOR_DEAL
            return
        seen = period.looks[-1]
        known = best.named() | {best.turn_up}
        inside = [card for card, lying in seen.named.items() if card not in known and self._reach.inside(lying.at)]
        if sum(card in best.played for card in inside) > 1:
            self.situation = LOOKING_THROUGH
        elif len(inside) > self.game.players:
            self.situation = SCATTERED
