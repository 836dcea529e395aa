"""Which suit is trump, where that is told after a deal has begun: who takes the card turned up, and names it.

No camera sees who takes, so it is asked. Cards may be played before the answer comes: tricks are told anew then.
"""

from engine.cards import SUITS, Card, suit_of
from engine.events import EventError, Take
from engine.notices import Notice, question
from engine.referee.deal import CardState, DealState, Judged, is_late
from engine.referee.revokes import prove_deal
from engine.referee.score import finish
from engine.referee.standing import (
    is_played_out,
    open_deal,
    unseen_cards,
    winners_of,
    without_question,
)
from engine.referee.tricks import trick_points
from engine.rules.tricks import TrickGame
from engine.seats import order_from
from engine.values import changed

TAKER, TRUMP = "taker", "trump"
"""What is asked: who takes, and then which suit."""
NOBODY = "nobody"
"""Everybody passed twice."""


def ask_who_takes(game: TrickGame, deal: DealState, number: int) -> Notice:
    """The question of a new deal: a seat, in the order in which they are asked; or nobody."""
    first = min(deal.first_leads) if len(deal.first_leads) == 1 else 0
    choices = [str(seat) for seat in order_from(first, game.players)]
    return question(number, TAKER, [*choices, NOBODY], cards=[deal.turn_up] if deal.turn_up else [])


def ask_which_trump(deal: DealState, number: int, seat: int) -> Notice:
    """The question after it: the suit of the card turned up, or another in the second round."""
    turned = [suit_of(deal.turn_up)] if deal.turn_up else []
    return question(number, TRUMP, [*turned, *(suit for suit in SUITS if suit not in turned)], seat=seat)


def answer_who_takes(game: TrickGame, state: CardState, number: int, answer: str) -> Judged:
    """Somebody takes: which suit is asked next. Nobody does: the next player deals."""
    deal = open_deal(state)
    state = without_question(state, TAKER)
    if answer != NOBODY:
        return state, (ask_which_trump(deal, number, int(answer)),)
    dealer = deal.dealt_by(game.players)
    following = frozenset() if dealer is None else game.next_dealers(dealer, match_won=False)
    nxt = None if dealer is None else game.next_dealer(dealer, match_won=False)
    late = (*(one for one in state.questions if is_late(one)), *(one.question for one in state.owed))
    return changed(state, deal=None, dealer=nxt, dealers=following, alert=None, questions=late), ()


def take(game: TrickGame, state: CardState, number: int, event: Take) -> Judged:
    """A player takes the card turned up, and names trump."""
    deal = open_deal(state)
    if not game.names_trump:
        raise EventError("take_none", game=game.name)
    if deal.taker is not None:
        raise EventError("take_again", place=deal.taker)
    taken = () if deal.turn_up is None else (deal.turn_up,)
    deal = changed(deal, taker=event.seat, pillager=event.seat, pillaged=taken)
    state = without_question(without_question(state, TAKER), TRUMP)
    return with_trump(game, changed(state, deal=deal), number, None, event.trump)


def with_trump(game: TrickGame, state: CardState, number: int, turn_up: Card | None, trump: str) -> Judged:
    """The deal now that its trump is known: what lies there and what was taken up is told anew."""
    before = state.deal
    assert before is not None
    leads = before.first_leads
    deal = changed(before, turn_up=turn_up, trump=trump, done=(), may_lead=leads, sure_lead=leads, honest=None)
    for trick in before.done:
        won = winners_of(game, deal, trick.plays, trick.extras, trick.leader)
        led = deal.may_lead if trick.leader is None else frozenset({trick.leader})
        points = trick_points(game, trump, trick.plays, trick.extras, led, won.likely, unseen_cards(game, deal))
        still_open = won.open & trick.open_winners or won.open
        told = changed(trick, winners=won.likely, sure_winners=won.sure, open_winners=still_open, points=points)
        deal = changed(deal, done=(*deal.done, told), may_lead=won.likely, sure_lead=won.sure)
    if len(deal.plays) == game.players:
        won = winners_of(game, deal, deal.plays, deal.extras, deal.leader)
        deal = changed(deal, may_lead=won.likely, sure_lead=won.sure, open_lead=won.open)
        deal = changed(deal, verdict=prove_deal(game, deal, doubting=False))
    state = changed(state, deal=deal)
    if not is_played_out(game, deal) or deal.result is not None:
        return state, ()
    after, notices = finish(game, state, number)  # Only trump was missing for the score.
    return after, tuple(notices)
