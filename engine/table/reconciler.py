"""Corrects what was published and did not happen after all."""

from collections.abc import Sequence
from copy import deepcopy

from engine.events import Choose, Confirm, Correct, Deal, Event, EventError, Pillage, Play, TakenBack, TurnUpSeen, Undo
from engine.match import Match
from engine.notices import Notice, accuses
from engine.table.accusation import DEALT_OUT, TURNED_UP, Accusation
from engine.table.acts import DEAL, EVEN, GATHER, LAY, LIFT, PILLAGE, SEVERAL, VOID
from engine.table.beam import Beam
from engine.table.costs import SURE, TOLD
from engine.table.hypothesis import PLAYING, Hypothesis, Step
from engine.table.record import LoggedStep, Record, deals_begun, stands

SETTLED = 2
"""Tricks after which nothing more is seen of a step: it stands as it is likeliest."""


class Reconciler:
    """Puts the record of one table right."""

    def __init__(self, players: int, beam: Beam, record: Record, accusation: Accusation) -> None:
        self._players, self._beam, self._record, self._accusation = players, beam, record, accusation
        self._astray = 0
        """How often the table was touched since any hypothesis agreed with what was told."""

    def looked(self) -> None:
        """The table was touched."""
        agrees = any(
            self._record.agreed(hypothesis, named=True) == len(self._record.told)
            for hypothesis in self._beam.hypotheses
        )
        self._astray = 0 if agrees else self._astray + 1

    def start(self) -> None:
        """Nothing was told: all begins again from the match."""
        self._accusation.accuses_nobody |= self.astray
        self._astray = 0

    @property
    def astray(self) -> bool:
        """Whether no hypothesis agrees any more with what was told, and it could not be put right."""
        return self._astray >= SEVERAL

    def let_stand(self, best: Hypothesis) -> bool:
        """What was told otherwise and cannot be put right stands, and play goes on from the trick that lies there, or
        from the next deal: what else was told of this deal accuses nobody any more. False: the log is farther on."""
        place, laid = _goes_on(best, self._record.steps)
        if place is None:
            return False
        numbers = {entry.step.key: entry.number for entry in self._record.told}
        kept = [LoggedStep(step, numbers.get(step.key)) for step in best.steps[:place]]
        told = kept + [LoggedStep(step, numbers[step.key]) for step in laid]
        changes = told != self._record.told
        self._record.told, self._accusation.accuses_nobody = told, True
        self._astray = 0 if changes else self._astray
        return changes

    def put_right(self, best: Hypothesis, match: Match) -> Event | None:
        """What was told is not what happened after all. best: the likeliest hypothesis of that."""
        place = self._record.agreed(best)
        now = best.steps[place] if place < len(best.steps) else None
        as_told = self._beam.posterior(self._record.steps[: place + 1])
        gone_on = as_told if now is None else 0.0  # What was told may also go on.
        posterior = self._beam.posterior(best.steps[: place + 1]) - gone_on
        guess = self._settled(best, place)
        if posterior < self._enough(place, as_told, guess) or (now is not None and not self._beam.looked_enough(now)):
            return None
        self._accusation.accuses_nobody |= guess and posterior < SURE
        event = self._correct(best, place, match) or self._take_back(place, match)
        if event is None and not self._record.all_in(best):
            self.let_stand(best)
        return event

    def _enough(self, place: int, as_told: float, guess: bool) -> float:
        """The posterior from which a step is told otherwise. as_told: what is left for it as it was told; guess: play
        went on so far that nothing more will be seen of it."""
        if guess:
            return EVEN
        # Hardly any hypothesis says so any more:
        last = place == len(self._record.told) - 1 and as_told < 1 - SURE
        return TOLD if last else SURE

    def _settled(self, best: Hypothesis, place: int) -> bool:
        """Whether a card was told so long ago that what is likeliest now stands."""
        step = self._record.told[place].step
        return step.kind == LAY and best.tricks_after(step.trick, self._players) >= SETTLED

    def _correct(self, best: Hypothesis, place: int, match: Match) -> Correct | None:
        """A card that was told is another, or another's. The last that was laid first: else a card may be told twice. A
        deal told by mistake is taken back before: after a correction nothing before it can be."""
        kinds, steps = [step.kind for step in best.steps], enumerate(self._record.steps)
        wrong_deal = any(step.kind in (DEAL, VOID) and kinds[k : k + 1] != [step.kind] for k, step in steps)
        for at in range(min(len(self._record.told), len(best.steps)) - 1, place - 1, -1):
            told, now = self._record.told[at], best.steps[at]
            waits = wrong_deal if now.kind == LAY else at > place
            changes = {} if waits else _otherwise(told.step, now)
            correct = Correct(told.number or 0, changes)
            if told.number is None or not changes or _accuses_then(match, correct):
                continue
            if now.kind != LAY and (now.maybe or "turn_up" in changes):  # Trump is another, or a guess.
                self._accusation.accuses_nobody = True
            self._record.told[at] = LoggedStep(now, told.number)
            return correct
        return None

    def surer(self, trick: int, match: Match) -> Correct | None:
        """What was told of a trick with its doubt, once it is whole and hardly anything else can have happened: who led
        a deal is seldom plain before the others laid."""
        unsure = [entry for entry in self._record.told if entry.unsure and entry.step.trick == trick]
        if not unsure or self._beam.posterior(self._record.steps, ignoring=TURNED_UP) < SURE:
            return None
        for told in unsure:
            told.unsure = False
            if told.number is None:
                continue
            correct = Correct(told.number, {"order_sure": True})
            if not _was_corrected(told.number, match) and not _accuses_then(match, correct):
                return correct
        return None

    def turn_up_found_late(self, best: Hypothesis, match: Match) -> Correct | None:
        """Which card was turned up, known only once its deal was told for good: of this deal nobody is accused."""
        card, number = best.turn_up, _dealt_unread(match)
        dealt = any(step.kind in (DEAL, VOID) for step in best.steps)
        if best.phase != PLAYING or card is None or dealt or number is None:
            return None
        correct = Correct(number, {"turn_up": card})
        said = self._beam.share(lambda hypothesis: hypothesis.turn_up == card and hypothesis.phase == PLAYING)
        if said < SURE or match.view.phase in DEALT_OUT or _accuses_then(match, correct):
            return None
        self._accusation.accuses_nobody = True
        return correct

    @staticmethod
    def forget_who_bought(alerts: Sequence[Notice], match: Match) -> Correct | None:
        """Who took the turned-up card is not known, where somebody else lays it: rather that hand was another's than
        that a card went from hand to hand. The last time it was bought first."""
        log = match.log
        if not any("pillaged" in (alert.facts.get("first_seen") or {}) for alert in alerts):
            return None
        for number in range(len(log), 0, -1):
            one = log[number - 1]
            if isinstance(one, Pillage) and one.seat is not None and not _was_corrected(number, match):
                return Correct(number, {"seat": None})
        return None

    @staticmethod
    def doubt_what_it_rests_on(alerts: Sequence[Notice], match: Match) -> Correct | None:
        """A card that should not have been laid, by an alert that is doubted, proves nothing any more: else the same is
        proven anew with whatever is told, and nothing can be."""
        claimed = {claim["card"] for alert in alerts for claim in alert.facts.get("claims", ())}
        for entry in reversed(match.told):
            if isinstance(entry.event, Play) and entry.event.order_sure and entry.event.card in claimed:
                return Correct(entry.number, {"order_sure": False})
            if isinstance(entry.event, Deal):
                break
        return None

    def _take_back(self, place: int, match: Match) -> Event | None:
        """What was told from here on is taken back, the last first; what cannot all be taken back stands."""
        wrong = [entry for entry in self._record.told[place:] if entry.number is not None]
        if not wrong:
            self._record.told = self._record.told[:place]
            return None
        laid = _lie_there(wrong, match)
        if not laid and not _are_last(wrong, match):
            return None
        self._accusation.took_back(max(entry.step.trick for entry in wrong), laid or _of_one_trick(wrong))
        last = self._record.pop()
        return TakenBack(last.number or 0) if laid else Undo()

    def trim(self) -> None:
        """What lies two tricks back is as it was told: hypotheses that say otherwise are dropped."""
        best = self._beam.hypotheses[0]
        limit = best.serial - 1
        told = [entry for entry in self._record.told if entry.step.trick < limit]
        if not told or any(step.trick < limit for step in best.steps[len(told) :]):
            return
        if self._beam.cut([entry.step.key for entry in told], limit):
            self._record.forget(len(told))
        else:
            self._astray = SEVERAL


def _otherwise(told: Step, now: Step) -> dict[str, object]:
    """What of a step is otherwise than it was told, where it is the same but for that: never that it was not read."""
    if now.kind != told.kind or (now.kind == LAY and now.trick != told.trick):
        return {}
    if (now.card is None and told.card) or (now.kind == PILLAGE and now.card != told.card):
        return {}
    before = _correctable(told)
    return {name: fact for name, fact in _correctable(now).items() if fact != before[name]}


def _correctable(step: Step) -> dict[str, object]:
    """What a correction may change of a step, by the names that its event has for it."""
    if step.kind == LAY:
        return {"card": step.card, "seat": step.seat}
    if step.kind == PILLAGE:
        return {"next": step.more[1], "paid": step.more[0]}
    return {"turn_up": step.card} if step.kind == DEAL else {}


def _dealt_unread(match: Match) -> int | None:
    """The event by which the last deal was told, if it and nothing since says which card was turned up."""
    log = match.log
    for number in range(len(log), 0, -1):
        one = log[number - 1]
        if isinstance(one, Deal):
            return None if one.turn_up is not None or _was_corrected(number, match) else number
        if isinstance(one, TurnUpSeen | Pillage):
            return None
    return None


def _was_corrected(number: int, match: Match) -> bool:
    """Whether an event was corrected since."""
    return any(isinstance(event, Correct) and event.number == number for event in match.log[number:])


def _goes_on(best: Hypothesis, told: Sequence[Step]) -> tuple[int | None, list[Step]]:
    """From which step on a hypothesis goes on with the trick that lies there as it was told, and what lies there;
    or with the deal after it."""
    deals, trick, laid = stands(told)
    place = next((k for k in range(len(best.steps) + 1) if stands(best.steps[:k])[:2] == (deals, trick)), None)
    if place and best.steps[place - 1].kind == LAY:
        place -= 1  # Taken up in the middle of a trick: that card is the first there is of it, not what was before.
    if place is None:
        ends = (k for k, step in enumerate(best.steps) if step.kind in (DEAL, VOID))
        return next((k for k in ends if deals_begun(best.steps[:k]) == deals), None), []
    return place, laid


def _are_last(told: Sequence[LoggedStep], match: Match) -> bool:
    """Whether these are the last events that stand, and nobody said anything of any since."""
    first = told[0].number or 0
    stand = [entry.number for entry in match.told if entry.number >= first]
    said = any(isinstance(event, Correct | Confirm | Choose) for event in match.log[first:])
    return not said and stand == [entry.number for entry in told]


def _lie_there(told: Sequence[LoggedStep], match: Match) -> bool:
    """Whether these are all cards of the trick that lies there."""
    lies = {laid["number"] for laid in (match.view.trick or ())}
    return all(entry.number in lies for entry in told)


def _of_one_trick(told: Sequence[LoggedStep]) -> bool:
    """Whether no more was told than cards of one trick, and that it was taken up: what came after is in step again."""
    kinds = {entry.step.kind for entry in told}
    return kinds <= {LAY, LIFT, GATHER} and len({entry.step.trick for entry in told}) == 1


def _accuses_then(match: Match, event: Correct) -> bool:
    """Whether a correction would accuse somebody."""
    tried = deepcopy(match)
    try:
        return any(accuses(notice) for notice in tried.add(event))
    except EventError:
        return True
