"""A seat at cards that the device plays itself: the card that it asks for, and whether that was laid for it."""

from engine.events import DeviceTurn, EventError
from engine.notices import INFO, Notice
from engine.referee.deal import Asked, CardState, Judged
from engine.referee.deal_queries import open_deal, whose_turn
from engine.referee.naming_trump import say_bid
from engine.rules.tricks import TrickGame
from engine.values import changed


def ask_card(game: TrickGame, state: CardState, event: DeviceTurn) -> Judged:
    """The device asks for a card of its hand: when it is its turn; or before the first lead, should that be its. Or it
    says whether it takes."""
    deal = open_deal(state)
    if game.names_trump and event.turn not in game.whole_pack:
        return say_bid(game, state, event)
    turn = whose_turn(game, deal)
    if event.seat is None or event.turn not in game.whole_pack or turn not in (event.seat, None):
        raise EventError("no_turn_now", turn=event.turn)
    facts = {"seat": event.seat, "card": event.turn, **({} if turn is not None else {"lead": True})}
    asked = Asked(deal.next_place(game.players), event.seat, event.turn)
    return changed(state, deal=changed(deal, asked=asked)), (Notice("device_card", INFO, facts),)


def other_laid(game: TrickGame, before: CardState, after: CardState, number: int) -> tuple[Notice, ...]:
    """What is told where another card was laid for the device than it had asked for. number: of the event."""
    asked = None if before.deal is None else before.deal.asked_now(game.players)
    plays = () if after.deal is None else after.deal.plays
    laid = next((laid for laid in plays if laid.number == number), None)
    if asked is None or laid is None or laid.seat != asked.seat or laid.known in (None, asked.card):
        return ()
    facts = {"number": number, "seat": asked.seat, "card": asked.card, "was": laid.card}
    return (Notice("device_card_other", INFO, facts),)
