"""The pillage: cards turned up are taken by the ace of trumps and paid for, and who took must have held it."""

from collections.abc import Mapping
from typing import Any

from engine.cards import Card, rank_of, suit_of
from engine.events import (
    EventError,
    Pillage,
)
from engine.notices import Notice, illegal
from engine.referee.deal import CardState, DealState, Judged, all_laid
from engine.referee.standing import open_deal
from engine.referee.tricks import (
    Laid,
    as_read,
)
from engine.rules.tricks import TrickGame
from engine.values import changed


def pillage(game: TrickGame, state: CardState, number: int, event: Pillage) -> Judged:
    deal = open_deal(state)
    if not game.pillage:
        raise EventError("pillage_none", game=game.name)
    notices: list[Notice] = []
    facts: dict[str, Any] = {"number": number, "seat": event.seat, "trick": deal.trick_number}
    for card in (event.card, event.paid, event.next):
        if card is not None and card not in game.whole_pack:
            return state, (illegal("not_in_pack", **facts, cards=[card]),)
    deal = _turned_up(deal, event.card)
    if not _may_take(game, deal, event):
        notices.append(illegal("turn_up_changed", **facts, cards=[event.card], taken=True))
    seen = {*deal.pillaged, *deal.paid, event.card}
    if event.paid is not None and event.paid in {*deal.paid}:
        notices.append(illegal("seen_before", **facts, cards=[event.paid], first_seen={"paid": deal.pillager}))
    if event.next is not None and event.next in seen | ({event.paid} - {None}):
        notices.append(illegal("seen_before", **facts, cards=[event.next], first_seen={"turn_up": True}))
    deal = changed(
        deal,
        turn_up=event.next,
        pillager=deal.pillager if event.seat is None else event.seat,
        pillaged=(*deal.pillaged, event.card),
        paid=deal.paid if event.paid is None else (*deal.paid, event.paid),
        paid_unseen=deal.paid_unseen + (event.paid is None),
    )
    if event.next is not None and event.next == ace_owed(game, deal):
        notices.append(without_ace(deal, facts, {"turn_up": True}))  # It lay in the talon.
    return changed(state, deal=deal), tuple(notices)


def _turned_up(deal: DealState, taken: Card) -> DealState:
    """The deal, where the card turned up could only be read when it was taken."""
    if deal.trump is not None or deal.seen or deal.pillaged:
        return deal
    return changed(deal, turn_up=taken, trump=suit_of(taken))


def _may_take(game: TrickGame, deal: DealState, event: Pillage) -> bool:
    """Whether this card lay there to be taken, and by this seat."""
    lay_there = event.card == deal.turn_up
    if deal.turn_up is None:  # The one turned up next was not seen.
        lay_there = event.card not in (*deal.pillaged, *deal.paid)
    if deal.seen or not lay_there or suit_of(event.card) != deal.trump:
        return False
    if event.seat is None:
        return True
    first_is_ace = not deal.pillaged and deal.turn_up is not None and rank_of(deal.turn_up) == game.ranks[0]
    return deal.pillager in (None, event.seat) and not (first_is_ace and deal.dealer not in (None, event.seat))


def ace_owed(game: TrickGame, deal: DealState) -> Card | None:
    """The ace of trumps, where somebody pillaged who must have held it: the dealer alone may take it first."""
    if not game.pillage or not deal.pillaged or not deal.trump:
        return None
    ace = game.ranks[0] + deal.trump
    return None if deal.pillager is None or deal.pillaged[0] == ace else ace


def without_ace(deal: DealState, facts: Mapping[str, Any], where: dict[str, Any] | None) -> Notice:
    told = {**facts, "seat": deal.pillager, "cards": list(deal.pillaged), "taken": True, "without_ace": True}
    return illegal("turn_up_changed", **told, first_seen=where)


def ace_elsewhere(game: TrickGame, deal: DealState, laid: Laid, facts: Mapping[str, Any]) -> list[Notice]:
    """The ace of trumps comes from another hand than the one that pillaged with it."""
    if not (laid.known and laid.order_sure) or laid.known != ace_owed(game, deal):
        return []
    if laid.deduced or laid.seat == deal.pillager:
        return []
    return [without_ace(deal, facts, {"seat": laid.seat, "trick": facts["trick"]})]


def ace_nowhere(game: TrickGame, deal: DealState, number: int) -> list[Notice]:
    """The hand that pillaged lay open to its last card, and so did what it paid: the ace was not among them."""
    ace = ace_owed(game, deal)
    laid = [one for one in all_laid(deal) if one.seat == deal.pillager]
    all_read = all(one.order_sure and as_read(one, deal.doubted).known for one in laid)
    if ace is None or deal.paid_unseen or len(laid) < game.tricks or not all_read:
        return []
    if ace in (deal.turn_up, *deal.pillaged, *deal.paid, *deal.seen):
        return []
    return [without_ace(deal, {"number": number, "trick": deal.trick_number}, None)]
