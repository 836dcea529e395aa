"""What is asked: which of the hypotheses left is true, where they lead to other winners, scores or alerts.

Rarely: only of a trick that is whole, once the table came to rest, and where the hypotheses that are named hold nearly
all of the weight. The answer is the truth; unanswered, it is told with its doubt like any other.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.events import MOST_WAYS, Ask, Deal, GameEvent, Play, StandsFor, TakenBack, Way
from engine.match import Match
from engine.notices import NO, YES, accuses
from engine.table.acts import DEAL, EVEN, GATHER, LAY, LIFT, SEVERAL
from engine.table.costs import SURE, WORTH_ASKING
from engine.table.hypothesis import Hypothesis, Key, Step

NONE, UNREAD = "none", "unread"
"""Answers: no card was laid there; one that is none of those named."""
Choice = tuple[str, tuple[StandsFor, ...], "Meaning"]
"""An answer, the events it stands for, and what it means."""
NumberOf = Callable[[int, Hypothesis, int], int | None]
"""The event that laid a card (its uid), by a hypothesis and how many of its steps were told."""


@dataclass(frozen=True)
class Branch:
    """What may come next after all that was told: nothing (step None), or an act."""

    posterior: float
    best: Hypothesis
    """The likeliest hypothesis that goes on so."""
    step: Step | None


@dataclass(frozen=True)
class Meaning:
    """What an answer means for the hypotheses: this step, or that none of these happened."""

    step: Step | None
    card: Card | None = None
    """What a card is that no hypothesis could name."""
    never: frozenset[Key] = frozenset()
    """What the steps say that did not happen."""


@dataclass(frozen=True)
class Asked:
    """A question that is open."""

    event: Ask
    meaning: Mapping[str, Meaning]
    before: tuple[Key, ...]
    """The steps that had been told."""

    @property
    def steps(self) -> list[Step]:
        """All that may have happened."""
        return [answer.step for answer in self.meaning.values() if answer.step is not None]

    def events_of(self, answer: str) -> list[tuple[StandsFor, ...]]:
        """The events that this answer stands for."""
        return [way.events for way in self.event.choices if way.answer == answer]

    def denied(self, meant: Meaning) -> tuple[Step, ...]:
        """What was not laid, whatever is read there, by this answer."""
        if self.event.what != "laid":
            return ()
        card = meant.card if meant.step is None or meant.card else meant.step.card
        others = dict.fromkeys(step for step in self.steps if step != meant.step)  # In their order, each once.
        return tuple(step for step in others if step.card is None or step.card != card)


def branches(hypotheses: Sequence[Hypothesis], before: Sequence[Key]) -> list[Branch]:
    """How the hypotheses that begin with what was told go on, the likeliest first; their posteriors sum to 1. None do
    where it is as likely that something else was to be told: that is put right before anything is asked."""
    many = len(before)
    found: dict[Key | None, tuple[float, Hypothesis]] = {}
    for hypothesis in hypotheses:  # The likeliest first.
        if [step.key for step in hypothesis.steps[:many]] != list(before):
            continue
        key = hypothesis.steps[many].key if len(hypothesis.steps) > many else None
        posterior, best = found.get(key, (0.0, hypothesis))
        found[key] = posterior + math.exp(hypothesis.logp), best
    total = sum(posterior for posterior, _ in found.values())
    if total < EVEN:
        return []
    listed = [
        Branch(posterior / total, best, None if key is None else best.steps[many])
        for key, (posterior, best) in found.items()
    ]
    return sorted(listed, key=lambda one: -one.posterior)


class Asking:
    """Asks about one table."""

    def __init__(self, players: int) -> None:
        self._players = players
        self.open: Asked | None = None
        """The last that was asked, if nothing settled it."""
        self._last_trick = -math.inf

    def start(self) -> None:
        """All begins again: what was asked is asked no more."""
        self.open = None

    def ask(
        self, hypotheses: Sequence[Hypothesis], before: tuple[Key, ...], match: Match, number_of: NumberOf
    ) -> Ask | None:
        """A question, if one is due now. before: the steps that were told."""
        place = len(before)
        listed = [branch for branch in branches(hypotheses, before) if branch.posterior >= WORTH_ASKING]
        step = listed[0].step if listed else None
        if step is None or not self._is_due(listed, step):
            return None
        asked = self._question(listed, place, match, number_of)
        if asked is None or _accuses_whatever(asked[0], match):
            return None
        if not _matters(listed, step, place, match, number_of):
            return None
        self.open = Asked(asked[0], asked[1], before)
        self._last_trick = step.trick
        return asked[0]

    def _is_due(self, listed: Sequence[Branch], step: Step) -> bool:
        """Whether the truth is among these, the trick in doubt is whole, and the last question lies far enough back."""
        if sum(branch.posterior for branch in listed) < SURE:
            return False
        over = step.kind == DEAL or listed[0].best.tricks_after(step.trick, self._players) > 0
        return over and step.trick >= self._last_trick + SEVERAL

    def _question(
        self, listed: Sequence[Branch], place: int, match: Match, number_of: NumberOf
    ) -> tuple[Ask, Mapping[str, Meaning]] | None:
        steps = [branch.step for branch in listed if branch.step is not None]
        kinds, perhaps_none = {step.kind for step in steps}, len(steps) < len(listed)
        if kinds == {LAY}:
            return _laid(steps, perhaps_none, match)
        if kinds == {DEAL}:
            return None if perhaps_none else _turned_up(steps)
        return _lifted_or_not(listed, place, number_of)


def _matters(listed: Sequence[Branch], step: Step, place: int, match: Match, number_of: NumberOf) -> bool:
    """Whether the answers lead to different outcomes. Which card is turned up always matters."""
    return step.kind == DEAL or len({_outcome(branch, place, match, number_of) for branch in listed}) > 1


def _accuses_whatever(asked: Ask, match: Match) -> bool:
    """Whether it would accuse a seat that the answer says nothing of: which card was laid says nothing of whose turn it
    was, and whose it is or which came first nothing of what that seat laid before. Or whoever came first: then rather
    another did."""
    if asked.what not in ("laid", "whose", "first"):
        return False
    said = [[notice for notice in match.preview(*way.events) if accuses(notice)] for way in asked.choices]
    if asked.what == "laid":
        return any(said)
    twice = any(alert.facts.get("rule") == "two_from_one_seat" for alerts in said for alert in alerts)
    return twice or (asked.what == "first" and all(said))


def _laid(steps: Sequence[Step], perhaps_none: bool, match: Match) -> tuple[Ask, Mapping[str, Meaning]] | None:
    """A card was laid, or may have been: which, or whose."""
    cards, what = {step.card for step in steps}, _in_doubt(steps)
    if what is None:
        return None
    ways = _ways(what, steps, match)
    if perhaps_none or None in cards:
        ways.append((NONE, (), Meaning(None, never=_by_anybody(steps, match.header.players))))
    return _asked(what, ways, steps[0].seat if what == "laid" else None, steps[0].card if len(cards) == 1 else None)


def _by_anybody(steps: Sequence[Step], players: int) -> frozenset[Key]:
    """What these steps say; if one that cannot be read was not laid, nobody laid it."""
    whose = ((step, seat) for step in steps for seat in ((step.seat,) if step.card else range(players)))
    return frozenset(step._replace(seat=seat).key for step, seat in whose)


def _ways(what: str, steps: Sequence[Step], match: Match) -> list[Choice]:
    """What these may have been. What was not read may be one of its candidates that lies nowhere else, or none of them:
    a list of candidates is a guess too."""
    ways = [_read(what, step, step.card) for step in steps if step.card is not None]
    lie = {laid["card"] for laid in match.view.trick or ()} | {step.card for step in steps}
    for step in (step for step in steps if step.card is None):
        may_be = [card for card in step.maybe if card in match.possible and card not in lie]
        ways += [(card, (_play(step, card),), Meaning(step, card)) for card in may_be]
        ways.append((UNREAD, (_play(step, None),), Meaning(step)))
    return ways


def _in_doubt(steps: Sequence[Step]) -> str | None:
    """What is in doubt of a card that was laid: which it is, whose, or which of several came first. None: what nobody
    could name in an answer."""
    seats, cards = {step.seat for step in steps}, {step.card for step in steps}
    if None in seats:
        return None
    if len(seats) == 1:
        return "laid" if any(step.card or step.maybe for step in steps) else None
    if None in cards:
        return None
    return "whose" if len(cards) == 1 else "first"


def _read(what: str, step: Step, card: Card) -> Choice:
    said = card if what == "laid" else str(step.seat) if what == "whose" else f"{step.seat}:{card}"
    return said, (_play(step, card),), Meaning(step)


def _turned_up(steps: Sequence[Step]) -> tuple[Ask, Mapping[str, Meaning]] | None:
    """Which card is turned up, of those that were read or may be what could not be."""
    ways: list[Choice] = [(step.card, (Deal(step.card),), Meaning(step)) for step in steps if step.card is not None]
    for step in (step for step in steps if step.card is None):
        if not step.maybe:
            return None
        named = {said for said, _, _ in ways}
        ways += [(card, (Deal(card),), Meaning(step, card)) for card in step.maybe if card not in named]
        ways.append((UNREAD, (Deal(None),), Meaning(step)))
    return _asked("turned_up", ways)


def _lifted_or_not(
    listed: Sequence[Branch], place: int, number_of: NumberOf
) -> tuple[Ask, Mapping[str, Meaning]] | None:
    """Whether the one card was taken back that may have been."""
    lifts = [(branch.best, branch.step) for branch in listed if branch.step is not None and branch.step.kind == LIFT]
    if len(lifts) != 1 or len(listed) != 2:
        return None
    best, step = lifts[0]
    number = number_of(step.uid, best, place)
    if number is None or step.card is None:
        return None
    not_lifted = Meaning(None, never=frozenset({step.key}))
    ways: list[Choice] = [(YES, (TakenBack(number),), Meaning(step)), (NO, (), not_lifted)]
    return _asked("lifted", ways, card=step.card)


def _asked(
    what: str, ways: Sequence[Choice], seat: int | None = None, card: Card | None = None
) -> tuple[Ask, Mapping[str, Meaning]] | None:
    if not 2 <= len(ways) <= MOST_WAYS or len({said for said, _, _ in ways}) < len(ways):
        return None
    event = Ask(what, tuple(Way(said, events) for said, events, _ in ways), seat, card)
    return event, {said: meaning for said, _, meaning in ways}


def _play(step: Step, card: Card | None) -> Play:
    return Play(card, step.seat, before_taken=step.early, beside=step.beside)


def _outcome(branch: Branch, place: int, match: Match, number_of: NumberOf) -> tuple[object, ...]:
    """What a hypothesis leads to: what it accuses of, who wins the trick, and what that is worth."""
    said = [notice for notices in match.foresee(*_to_come(branch, place, match, number_of)) for notice in notices]
    alerts = tuple(
        (notice.facts.get("rule", notice.code), notice.facts.get("seat")) for notice in said if accuses(notice)
    )
    won = [
        [notice.facts.get(name) for name in ("seat", "seats", "points")] for notice in said if notice.code == "trick"
    ]
    return alerts, repr(won[:1]), repr([notice.facts for notice in said if notice.code == "deal_scored"])


def _to_come(branch: Branch, place: int, match: Match, number_of: NumberOf) -> list[GameEvent]:
    """The events of a hypothesis that were not told, up to the end of the trick after the one in doubt."""
    events: list[GameEvent] = []
    numbers: dict[int, int] = {}
    steps = branch.best.steps[place:]
    for step in steps:
        if step.trick > steps[0].trick + 1:
            break
        if step.kind == LAY:
            events.append(replace(_play(step, step.card), candidates=step.maybe if step.card is None else ()))
            numbers[step.uid] = len(match.log) + len(events)
        elif step.kind == DEAL:
            events.append(Deal(step.card))
        elif step.kind == LIFT:
            number = numbers.get(step.uid) or number_of(step.uid, branch.best, place)
            events += [] if number is None else [TakenBack(number)]
        elif step.kind != GATHER:
            break
    return events
