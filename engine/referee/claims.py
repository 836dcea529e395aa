"""The rest of a deal that is not played out: somebody claims it, and hands are laid open."""

from engine.events import Claim, VoidDeal
from engine.notices import question
from engine.referee.deal import CardState, DealState, Judged
from engine.referee.deal_queries import cards_left, not_scored, open_deal, table_trick
from engine.referee.deals import void
from engine.referee.score import by_no_guess, outcome_of, score_deal, tricks_of
from engine.referee.taking import NOBODY
from engine.referee.tricks import DealReading, deal_readings
from engine.rules.tricks import TrickGame
from engine.values import changed

REST = "rest"
"""What is asked once hands are laid open: who takes the rest."""


def claim(game: TrickGame, state: CardState, number: int, event: Claim) -> Judged:
    """The deal is over, whoever takes the rest."""
    deal = open_deal(state)
    if len(deal.plays) == game.players:
        deal = changed(deal, done=(*deal.done, table_trick(game, deal)))
    over = changed(deal, plays=(), extras=(), gathered=True, ended_early=True)
    state = changed(state, deal=over)
    if event.seat is not None:
        return _takes_rest(game, state, over, number, event.seat)
    return state, (question(number, REST, [*map(str, range(game.players)), NOBODY]),)


def nobody_takes_rest(game: TrickGame, state: CardState, number: int) -> Judged:
    """Somebody says that the deal is void."""
    return void(game, changed(state, deal=changed(open_deal(state), gathered=False)), number, VoidDeal())


def _takes_rest(game: TrickGame, state: CardState, deal: DealState, number: int, seat: int) -> Judged:
    """The deal is scored as if this seat had won every trick that is left, and all cards in them."""
    left = game.tricks - len(deal.done)
    readings = [_with_rest(game, reading, seat, left) for reading in _readings(game, deal)]
    outcomes = {outcome_of(game, state, deal, reading) for reading in readings}
    if len(outcomes) != 1:
        return state, (not_scored(number),)
    points = tuple((min(made), max(made)) for made in zip(*(reading.points for reading in readings), strict=True))
    taken = tuple((many, many) for many in tricks_of(game, readings[0].winners))
    after, notices = score_deal(game, state, outcomes.pop(), points, taken)
    return after, tuple(notices)


def _readings(game: TrickGame, deal: DealState) -> list[DealReading]:
    """Every way to read the tricks that were played; none: too many, or trump is not known."""
    if not deal.done:
        return [DealReading((), (0,) * game.side_count, ())]
    unseen = cards_left(game, deal, deal.seen.keys())
    tricks = [by_no_guess(trick) for trick in deal.done]
    found = None if deal.trump is None else deal_readings(game, deal.trump, tricks, unseen, deal.wrong_leads)
    return found or []


def _with_rest(game: TrickGame, reading: DealReading, seat: int, tricks: int) -> DealReading:
    """The same, and this seat won so many tricks more."""
    points = list(reading.points)
    points[game.sides[seat]] += game.all_points - sum(points)
    return DealReading((*reading.winners, *[seat] * tricks), tuple(points), reading.cards)
