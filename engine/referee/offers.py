"""A hand that one side offers the other, and the answer."""

from engine.events import (
    Answer,
    EventError,
    Offer,
)
from engine.notices import NO, YES, question
from engine.referee.deal import CardState, Judged
from engine.referee.deal_queries import open_deal, tricks_made, without_question
from engine.referee.score import score_deal
from engine.rules.tricks import Outcome, TrickGame
from engine.values import changed


def offer(game: TrickGame, state: CardState, number: int, event: Offer) -> Judged:
    deal = open_deal(state)
    if not game.offers:
        raise EventError("offer_none", game=game.name)
    if len(deal.done) + bool(deal.plays) >= game.tricks:
        raise EventError("offer_late")
    if deal.offered_by is not None:
        raise EventError("offer_again")
    side = game.sides[event.seat]
    deal = changed(deal, offered_by=side)
    asked = question(number, "offer", [YES, NO], seat=event.seat, side=side)
    return changed(state, deal=deal), (asked,)


def answer(game: TrickGame, state: CardState, number: int, event: Answer) -> Judged:
    deal = open_deal(state)
    if deal.offered_by is None or deal.refused_by is not None:
        raise EventError("answer_none")
    state = without_question(state, "offer")
    if not event.accept:
        return changed(state, deal=changed(deal, refused_by=1 - deal.offered_by)), ()
    outcome = Outcome(game.points_against(deal.offered_by, 1))
    nothing = ((0, 0),) * game.side_count
    early = changed(state, deal=changed(deal, ended_early=True))
    after, notices = score_deal(game, early, outcome, nothing, tricks_made(game, deal))
    return after, tuple(notices)
