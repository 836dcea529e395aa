"""A card that was read in two places: one of the two readings is wrong, and nothing rests on either."""

from typing import Any

from engine.cards import Card
from engine.referee.deal import NO_PROOF, CardState, DealState, all_laid
from engine.referee.deal_queries import drawn_unseen, without_question
from engine.referee.naming_trump import TRUMP_RIGHT
from engine.referee.revokes import gist, prove_deal
from engine.rules.tricks import TrickGame
from engine.values import changed


def is_misread(game: TrickGame, deal: DealState, where: dict[str, Any] | None, trick: int) -> bool:
    """Whether a card that was somewhere else cannot have come from there. where: where it was; trick: where it lies."""
    if where is None or deal.tricks_uncertain:
        return False  # The card before may have been of another deal.
    if where == {"turn_up": True} and drawn_unseen(game, trick):
        return False
    return "taken_up" not in where or deal.trump_confirmed  # A button may have named another than who took it.


def doubt_both(game: TrickGame, state: CardState, deal: DealState, card: Card) -> CardState:
    """The state when a card is read again: what was proven stands only if it is proven without that card, and what was
    kept back is forgotten."""
    before = {laid.number for laid in all_laid(deal) if laid.known == card}
    deal = changed(deal, doubted=deal.doubted | before, withheld=(), held_back_for_trump=())
    state = without_question(state, TRUMP_RIGHT)
    verdict, alert = prove_deal(game, deal, doubting=False), state.alert
    stands = gist(verdict) == gist(deal.verdict)
    if not stands:
        deal = changed(deal, verdict=verdict, told=None, at_last_gathering=NO_PROOF)
    if alert is not None and (card in alert.facts.get("cards", ()) or (alert.code == "revoke" and not stands)):
        alert = None
    return changed(state, deal=deal, alert=alert)
