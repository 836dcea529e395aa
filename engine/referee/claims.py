"""The rest of a deal that is not played out: somebody claims it, and hands are laid open."""

from engine.events import Claim, VoidDeal
from engine.notices import NOBODY, question
from engine.referee.deal import CardState, Judged
from engine.referee.deal_queries import open_deal
from engine.referee.deals import void
from engine.referee.gathering import take_up
from engine.referee.score import finish
from engine.rules.tricks import TrickGame
from engine.values import changed

REST = "rest"
"""What is asked once hands are laid open: who takes the rest."""


def claim(game: TrickGame, state: CardState, number: int, event: Claim) -> Judged:
    """The deal is over, whoever takes the rest: every trick that is left, and all cards in them."""
    deal = open_deal(state)
    whole = len(deal.plays) == game.players
    deal, notices = take_up(game, deal, number, seen=False) if whole else (deal, [])
    over = changed(deal, plays=(), extras=(), early=(), gathered=True, ended_early=True, claimed=event.seat)
    state = changed(state, deal=over)
    if event.seat is None:
        return state, (*notices, question(number, REST, [*map(str, range(game.players)), NOBODY]))
    state, scored = finish(game, state, number)
    return state, (*notices, *scored)


def nobody_takes_rest(game: TrickGame, state: CardState, number: int) -> Judged:
    """Somebody says that the deal is void."""
    return void(game, changed(state, deal=changed(open_deal(state), gathered=False)), number, VoidDeal())
