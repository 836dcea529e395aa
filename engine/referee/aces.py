"""The ace of trumps: who pillages must have held it, and where it shows that he did not."""

from collections.abc import Mapping
from typing import Any

from engine.cards import Card
from engine.notices import Notice, illegal
from engine.referee.deal import DealState, all_laid
from engine.referee.deal_queries import may_be_pillaged
from engine.referee.tricks import Laid, as_read
from engine.rules.tricks import TrickGame


def ace_owed(game: TrickGame, deal: DealState) -> Card | None:
    """The ace of trumps, where somebody pillaged who must have held it: the dealer alone may take it first."""
    if not game.pillage or not deal.pillaged or not deal.trump:
        return None
    ace = game.ranks[0] + deal.trump
    return None if deal.turn_up_went_to is None or deal.pillaged[0] == ace else ace


def without_ace(deal: DealState, facts: Mapping[str, Any], where: dict[str, Any] | None) -> Notice:
    told = {**facts, "seat": deal.turn_up_went_to, "cards": list(deal.pillaged), "taken": True, "without_ace": True}
    return illegal("turn_up_changed", **told, first_seen=where)


def ace_elsewhere(game: TrickGame, deal: DealState, laid: Laid, facts: Mapping[str, Any]) -> list[Notice]:
    """The ace of trumps comes from another hand than the one that pillaged with it."""
    if not (laid.known and laid.order_sure) or laid.known != ace_owed(game, deal):
        return []
    if deal.tricks_uncertain or laid.deduced or laid.seat == deal.turn_up_went_to:
        return []
    return [without_ace(deal, facts, {"seat": laid.seat, "trick": facts["trick"]})]


def ace_nowhere(game: TrickGame, deal: DealState, number: int) -> list[Notice]:
    """The hand that pillaged lay open to its last card, and so did what it paid: the ace was not among them."""
    ace = None if may_be_pillaged(game, deal) else ace_owed(game, deal)  # What was paid for it was not seen.
    laid = [laid for laid in all_laid(deal) if laid.seat == deal.turn_up_went_to]
    all_read = all(own.order_sure and as_read(own, deal.doubted).known for own in laid)
    if ace is None or deal.tricks_uncertain or deal.paid_unseen or len(laid) < game.tricks or not all_read:
        return []
    if ace in (deal.turn_up, *deal.pillaged, *deal.paid, *deal.seen):
        return []
    return [without_ace(deal, {"number": number, "trick": deal.trick_number}, None)]
