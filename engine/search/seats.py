"""What one seat knows of a real deal: its own hand, and what the judge saw. Nothing else is looked at.

What could not be read counts as some card that nobody has seen: a guess, which only says how well it plays.
"""

from collections.abc import Collection, Sequence
from random import Random

from engine.cards import Card
from engine.playing import CardsPlayed
from engine.referee.deal import CardState, DealState
from engine.referee.tricks import Laid, in_seat_order
from engine.rules.tricks import DRAWN_LAST, THE_DEALERS, TrickGame
from engine.search.cards import SeatView
from engine.seats import order_from

_Trick = tuple[Sequence[Laid], int | None, Collection[int]]
"""What was laid, who led, and who may have won it."""


def seat_view(game: TrickGame, state: CardState, seat: int, hand: Sequence[Card]) -> SeatView | None:
    """What this seat knows when it is to play. None: no deal goes on, trump is not known yet, or more cards were played
    unread than are left to guess from."""
    deal = state.deal
    if deal is None or deal.result is not None or deal.trump is None:
        return None
    tricks, on_table = _over(deal, game.players)
    table = _open_table(game, state, deal, [winners for _, _, winners in tricks])
    table.winners = [min(winners, default=seat) for _, _, winners in tricks]
    table.turn, table.leader = seat, (seat - len(on_table)) % game.players
    played = _played(game, table, tricks, on_table)
    guesses = _unseen(game, deal, hand)
    if sum(card is None for _, card in played) > len(guesses):
        return None
    cards = [card or guesses.pop() for _, card in played]
    table.played_by = {card: who for card, (who, _) in zip(cards, played, strict=True)}
    whole, table.before = cards[: len(tricks) * game.players], cards[len(tricks) * game.players :]
    for at, card in enumerate(whole):
        table.points[game.sides[table.winners[at // game.players]]] += game.card_points(card, table.trump)
    return SeatView(seat, tuple(hand), table, _counts(game, table), max(0, game.stock - game.players * len(tricks)))


def _played(
    game: TrickGame, table: CardsPlayed, tricks: Sequence[_Trick], on_table: Sequence[Laid]
) -> list[tuple[int, Card | None]]:
    """Every card that was laid, in order, each with its seat. None: it could not be read."""
    played = []
    for (plays, leader, _), winner in zip(tricks, table.winners, strict=True):
        played += _whole_trick(game, plays, winner if leader is None else leader)
    return played + [((table.leader + place) % game.players, laid.card) for place, laid in enumerate(on_table)]


def _over(deal: DealState, players: int) -> tuple[list[_Trick], Sequence[Laid]]:
    """The tricks that are over, and what lies on the table of the next."""
    tricks: list[_Trick] = [(trick.plays, trick.leader, trick.winners) for trick in deal.done]
    if deal.next_place(players)[1]:
        return tricks, in_seat_order(deal.plays, deal.leader, players)
    return [*tricks, (deal.plays, deal.leader, deal.may_lead)] if deal.plays else tricks, ()


def bidding_view(game: TrickGame, state: CardState, seat: int, hand: Sequence[Card], again: bool) -> SeatView | None:
    """What this seat knows when it is asked whether it takes: everybody before it has passed. again: in the second
    round. None: nobody is asked now. Who deals not being known, it is as if the seat were the first to be asked."""
    deal = state.deal
    if deal is None or deal.turn_up is None or not is_bidding(game, deal):
        return None
    table, dealer, players = _open_table(game, state, deal, ()), deal.dealt_by(game.players), game.players
    first = seat if dealer is None else (dealer + 1) % players
    order = list(order_from(first, players)) * 2
    table.dealer, table.leader, table.turn = (first - 1) % players, first, seat
    table.asked = order[order.index(seat) + again * players :]
    counts = (game.before_taking,) * players
    return SeatView(seat, tuple(hand), table, counts, len(game.pack) - sum(counts) - 1)


def is_bidding(game: TrickGame, deal: DealState) -> bool:
    """Whether somebody is to take the card turned up still, and nothing was laid."""
    return game.names_trump and deal.trump is None and not deal.plays and not deal.done


def cards_held(game: TrickGame, state: CardState, seat: int) -> int | None:
    """How many cards this seat holds now. None: no deal goes on."""
    deal = state.deal
    if deal is None or deal.result is not None:
        return None
    if is_bidding(game, deal):
        return game.before_taking
    trick, place = deal.next_place(game.players)
    laid = place > 0 and any(laid.seat == seat for laid in deal.plays)
    return _at_first(game, trick - 1) - laid


def _open_table(game: TrickGame, state: CardState, deal: DealState, won_by: Sequence[Collection[int]]) -> CardsPlayed:
    """A table as it lies open before the first trick that counts. won_by: who may have won each trick that is over."""
    dealer = deal.dealt_by(game.players)
    table = CardsPlayed(game, Random(0), 0 if dealer is None else dealer)
    table.score, table.taker = state.score, deal.taker
    table.hands, table.stock, table.asked, table.trick = [[] for _ in range(game.players)], [], [], len(won_by) + 1
    turn_up = deal.turn_up or next(iter(deal.pillaged), None)
    drawn = game.turn_up_goes == DRAWN_LAST and len(won_by) >= game.draws
    drawer_unknown = drawn and (dealer is None or len(won_by[game.draws - 1]) != 1)
    unknown = drawer_unknown or (game.turn_up_goes == THE_DEALERS and dealer is None)
    table.turn_up = None if unknown else turn_up
    table.trump_is(deal.trump or "")
    return table


def _whole_trick(game: TrickGame, plays: Sequence[Laid], led: int) -> list[tuple[int, Card | None]]:
    """The cards of a trick that is over, from its leader on, each with its seat. None: it could not be read."""
    known = {laid.seat: laid.card for laid in plays if laid.seat is not None and laid.card is not None}
    return [(seat, known.get(seat)) for seat in order_from(led, game.players)]


def _unseen(game: TrickGame, deal: DealState, hand: Sequence[Card]) -> list[Card]:
    """What nobody has seen, to stand for what was not read; the card turned up comes last."""
    laid = {laid.card for trick in deal.done for laid in trick.plays} | {laid.card for laid in deal.plays}
    unseen = [card for card in game.pack if card not in laid and card not in hand]
    return sorted(unseen, key=lambda card: card != deal.turn_up)


def _counts(game: TrickGame, table: CardsPlayed) -> tuple[int, ...]:
    """Cards in each hand."""
    full = _at_first(game, len(table.winners))
    laid = {(table.leader + place) % game.players for place in range(len(table.before))}
    return tuple(full - (seat in laid) for seat in range(game.players))


def _at_first(game: TrickGame, done: int) -> int:
    """Cards in a hand before it lays one in the next trick, so many being over."""
    return min(game.hand, game.tricks - done)
