"""The judge of the card games: what each event at a card table means, and which rule it breaks.

A card may be taken back until its trick is taken up: by a taken event, by the next lead, or by the end of the deal.
The state is immutable and small; a match keeps one for each event.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.cards import Card
from engine.events import (
    ASKED,
    OTHER_GAME,
    Answer,
    Ask,
    Choose,
    Claim,
    Confirm,
    Deal,
    DeviceTurn,
    EventError,
    GameEvent,
    Offer,
    Pillage,
    Play,
    SetScore,
    Take,
    Taken,
    TakenBack,
    TurnUpSeen,
    VoidDeal,
)
from engine.notices import ALERT, FORGOTTEN, NO, NOBODY, YES, Notice, illegal, is_same_question, question
from engine.referee.card_view import possible, view_of
from engine.referee.claims import REST, claim, nobody_takes_rest
from engine.referee.deal import CardState, Judged, is_late
from engine.referee.deal_queries import not_scored, table_trick, whose_turn
from engine.referee.deals import begin_deal, see_turn_up, void
from engine.referee.device_card import ask_card, other_laid
from engine.referee.gathering import gather
from engine.referee.judge import Amendment
from engine.referee.naming_trump import TAKER, TRUMP, TRUMP_RIGHT, answer_who_takes, confirm_trump, doubt_trump, take
from engine.referee.offers import answer, offer
from engine.referee.penalties import ask_penalties, penalise, penalties_of_this_deal
from engine.referee.pillages import pillage
from engine.referee.plays import play, take_back
from engine.referee.proof import INNOCENT, Verdict
from engine.referee.revokes import prove_deal
from engine.referee.score import ANNOUNCED, BONUS
from engine.referee.score_by_hand import set_score
from engine.rules.tricks import TrickGame
from engine.values import changed
from engine.view import View

_JUDGED: dict[type[GameEvent], Callable[[TrickGame, CardState, int, Any], Judged]] = {
    Deal: begin_deal,
    VoidDeal: void,
    TurnUpSeen: see_turn_up,
    Take: take,
    Play: play,
    TakenBack: take_back,
    Taken: gather,
    Offer: offer,
    Answer: answer,
    Claim: claim,
    Pillage: pillage,
    SetScore: set_score,
}


def _late_taking(asked: Notice, answer: str) -> dict[str, Any]:
    if not is_late(asked):
        return {}
    return {"taker": int(answer)} if answer.isdecimal() else {"taker": asked.facts["seat"], "trump": answer}


def _who_held(answer: str) -> dict[str, Any]:
    return {"announced": False, "bonus": None} if answer == NOBODY else {"announced": None, "bonus": int(answer)}


_AMENDED: dict[str, tuple[str, Callable[[Notice, str], dict[str, Any]]]] = {
    "card": ("card_number", lambda asked, answer: {"card": answer, "confidence": 1.0}),
    "leader": ("card_number", lambda asked, answer: {"seat": int(answer)}),
    "winner": ("card_number", lambda asked, answer: {"trick_to": int(answer)}),
    "counts": ("card_number", lambda asked, answer: {"counts": answer == asked.facts["choices"][1]}),
    ANNOUNCED: ("deal_number", lambda asked, answer: {"announced": answer == YES, "bonus": asked.facts["seat"]}),
    BONUS: ("deal_number", lambda asked, answer: _who_held(answer)),
    "two": ("question", lambda asked, answer: {"second": True} if answer == YES else {}),
    "rest": ("question", lambda asked, answer: {"seat": int(answer)} if answer != NOBODY else {}),
    "suit": ("deal_number", lambda asked, answer: {"trump": answer}),
    "taker": ("deal_number", _late_taking),
    "trump": ("deal_number", _late_taking),
}
"""What a question is about: the entry that its answer amends (the name of a fact), and how."""
"""Who says what an event means."""


_SUSPECTED = {
    "taken": ("taken_by_wrong_side", ("trick", "seat", "winner", "cards"), YES),
    "lead": ("wrong_leader", ("trick", "seat", "expected", "cards"), YES),
    "turn": ("out_of_turn", ("trick", "seat", "expected", "cards"), YES),
    "missing": ("cards_missing", ("trick", "cards", "missing"), YES),
    "twice": ("seen_before", ("trick", "seat", "cards", "first_seen"), YES),
    "pillaged": ("turn_up_changed", ("trick", "seat", "cards"), NO),
}
"""What is asked before anybody is accused: the rule, its facts, and the answer that says that it was broken."""


@dataclass(frozen=True)
class CardJudge:
    """Judges any trick game: what is special about one, the game itself says (rules/tricks.py)."""

    game: TrickGame
    proves: bool = True
    """False: revokes are not proven as cards are played, only when asked (`verdict`). For who judges many accounts of
    one table, of which one will be true."""

    @property
    def players(self) -> int:
        return self.game.players

    @property
    def side_count(self) -> int:
        return self.game.side_count

    @property
    def most_ahead(self) -> int:
        """Enough to be one short of the match."""
        return self.game.most_ahead

    def ahead(self, side: int, by: int) -> "CardJudge":
        """The judge where a side has so much before the first deal. OptionError: so much cannot be."""
        return replace(self, game=self.game.ahead(side, by))

    def start(self) -> CardState:
        return CardState(self.game.opening_score(), proves=self.proves)

    # -- events ------------------------------------------------------------------------------------------------------

    def apply(self, state: CardState, number: int, event: GameEvent) -> Judged:
        self._check_seats(event)
        if isinstance(event, Confirm):
            return self._confirm(state, event), ()
        if isinstance(event, Choose):
            after, notices = self._choose(state, number, event)
        elif isinstance(event, Ask):
            after = state if event.what == OTHER_GAME else settled(state)
            notices = (self._question(state, number, event),)
        elif isinstance(event, DeviceTurn):
            return ask_card(self.game, state, event)
        else:
            state = settled(state)
            judged = _JUDGED.get(type(event))
            if judged is None:
                raise EventError("board_in_cards", game=self.game.name)
            after, notices = judged(self.game, state, number, event)
            if isinstance(event, Play):
                notices = (*notices, *other_laid(self.game, state, after, number))
        if after.questions and after.deal is not None and after.deal.told is None:
            fallen = penalties_of_this_deal(after)
            if fallen:
                after = changed(after, questions=tuple(asked for asked in after.questions if asked not in fallen))
        after, notices = doubt_trump(self.game, after, number, notices)
        notices = (*notices, *ask_penalties(self.game, after, number))
        return self._remember(after, notices), notices

    def amendment(self, state: CardState, event: GameEvent) -> Amendment | None:
        if not isinstance(event, Choose):
            return None
        asked = self.asked(state, event)
        if event.answer == FORGOTTEN or asked.facts["about"] not in _AMENDED:
            return None
        amended, changes_of = _AMENDED[asked.facts["about"]]
        changes = changes_of(asked, event.answer)
        return Amendment(asked.facts[amended], changes) if changes else None

    def _check_seats(self, event: GameEvent) -> None:
        for name in ("seat", "dealer", "taker", "trick_to", BONUS):
            seat = getattr(event, name, None)
            if seat is not None and seat >= self.players:
                raise EventError("no_such_seat", name=name, place=seat, last=self.players - 1)
        if isinstance(event, Ask):
            for stands_for in (part for way in event.choices for part in way.events):
                self._check_seats(stands_for)

    def _remember(self, state: CardState, notices: tuple[Notice, ...]) -> CardState:
        """Alert and question stay in view until something settles them."""
        for notice in notices:
            if notice.level == ALERT or notice.code == "revoke":
                state = changed(state, alert=notice)
            elif notice.code == "question":
                state = changed(state, questions=(*state.questions, notice))
        return state

    def _confirm(self, state: CardState, event: Confirm) -> CardState:
        if state.alert and state.alert.facts.get("number") == event.number:
            return changed(state, alert=None)
        return state

    def _question(self, state: CardState, number: int, event: Ask) -> Notice:
        """What the live table asks, as people are asked it."""
        facts: dict[str, Any] = {"seat": event.seat, "card": event.card}
        if state.deal is not None:
            facts["trick"] = state.deal.trick_number + (len(state.deal.plays) == self.players)
        known = {name: value for name, value in facts.items() if value is not None}
        return question(number, event.what, [way.answer for way in event.choices], **known)

    def asked(self, state: CardState, event: Choose) -> Notice:
        """The question answered: of two that one event raised, the later is in view."""
        asked = [waiting for waiting in reversed(state.questions) if waiting.facts["question"] == event.question]
        if not asked:
            raise EventError("choose_none", question=event.question)
        for waiting in asked:
            if event.answer in waiting.facts["choices"]:
                return waiting
        raise EventError("choose_other", value=event.answer, allowed=asked[0].facts["choices"])

    def asking_still(self, state: CardState, event: Choose, answered: Notice | None) -> CardState:
        for waiting in state.questions:
            if waiting.facts["question"] == event.question and is_same_question(waiting, answered):
                others = tuple(other for other in state.questions if other is not waiting)
                return changed(state, questions=(*others, waiting))
        raise EventError("choose_none", question=event.question)

    def _choose(self, state: CardState, number: int, event: Choose) -> Judged:
        asked = self.asked(state, event)
        if event.answer == FORGOTTEN:
            left = tuple(waiting for waiting in state.questions if waiting is not asked)
            return changed(state, questions=left), (not_scored(event.question, FORGOTTEN),)
        if asked.facts["about"] == "offer":
            return answer(self.game, state, number, Answer(event.answer == YES))
        if asked.facts["about"] == TAKER:
            return answer_who_takes(self.game, state, number, event.answer)
        if asked.facts["about"] == TRUMP:
            return take(self.game, state, number, Take(asked.facts["seat"], event.answer))
        state = changed(state, questions=tuple(waiting for waiting in state.questions if waiting is not asked))
        if asked.facts["about"] == REST:
            return nobody_takes_rest(self.game, state, number)
        if asked.facts["about"] == "penalty":
            return penalise(self.game, state, number, asked, event.answer == YES)
        if asked.facts["about"] == TRUMP_RIGHT:
            return confirm_trump(self.game, state, number, event.answer == YES)
        if asked.facts["about"] in _SUSPECTED:
            return self._suspected(state, asked, event.answer)
        return state, ()

    def _suspected(self, state: CardState, asked: Notice, said: str) -> Judged:
        """Somebody says whether a rule was broken, or whether a trick went by unseen."""
        if state.deal is not None:
            others = tuple(alert for alert in state.deal.withheld if alert.facts["number"] != asked.facts["question"])
            state = changed(state, deal=changed(state.deal, withheld=others))
        rule, known, accuses = _SUSPECTED[asked.facts["about"]]
        if said != accuses:
            return state, ()
        facts = {name: asked.facts[name] for name in known}
        return state, (illegal(rule, number=asked.facts["question"], **facts),)

    def verdict(self, state: CardState) -> Verdict:
        """What the cards of the deal prove, of all that was laid so far."""
        return INNOCENT if state.deal is None else prove_deal(self.game, state.deal, doubting=False)

    # -- view --------------------------------------------------------------------------------------------------------

    def board(self, state: CardState) -> None:
        """No pits here."""

    def possible(self, state: CardState) -> frozenset[Card]:
        """The cards that may lie face up on the table now."""
        return possible(self.game, state)

    def view(self, state: CardState) -> View:
        """What the table may see now."""
        deal = state.deal
        if deal is None:
            return view_of(self.game, state, None, None)
        on_table = table_trick(self.game, deal) if len(deal.plays) == self.players else None
        return view_of(self.game, state, whose_turn(self.game, deal), on_table)


def settled(state: CardState) -> CardState:
    """What the live table asked is settled by whatever it tells next."""
    if not any(asked.facts["about"] in ASKED for asked in state.questions):
        return state
    return changed(state, questions=tuple(asked for asked in state.questions if asked.facts["about"] not in ASKED))
