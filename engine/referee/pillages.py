"""The pillage: cards turned up are taken by who holds the ace of trumps, and paid for from the hand."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.cards import rank_of, suit_of
from engine.events import (
    EventError,
    Pillage,
)
from engine.notices import Notice, illegal
from engine.referee.aces import ace_owed, without_ace
from engine.referee.deal import CardState, DealState, Judged
from engine.referee.deal_queries import may_be_pillaged, open_deal
from engine.referee.naming_trump import with_trump
from engine.referee.tricks import Laid
from engine.rules.tricks import TrickGame
from engine.values import changed


def pillage(game: TrickGame, state: CardState, number: int, event: Pillage) -> Judged:
    deal = open_deal(state)
    if not game.pillage:
        raise EventError("pillage_none", game=game.name)
    notices: list[Notice] = []
    facts: dict[str, Any] = {"number": number, "seat": event.seat, "trick": deal.trick_number}
    for card in (event.card, event.paid, event.next):
        if game.is_foreign(card):
            return state, (illegal("not_in_pack", **facts, cards=[card]),)
    if deal.trump is None and not deal.pillaged:  # It could only be read when it was taken.
        state, told = with_trump(game, state, number, event.card, suit_of(event.card))
        notices += told
        deal = open_deal(state)
    if event.card in deal.pillaged_unseen:
        return changed(state, deal=_seen_after_all(deal, event)), ()
    if may_be_pillaged(game, deal) and deal.turn_up is not None and event.card != deal.turn_up:
        deal = taken_unseen(deal, None)  # The one before it.
    notices += _wrongly_taken(game, deal, event, facts)
    deal = _taken(game, deal, event)
    return changed(state, deal=deal), (*notices, *_ace_in_talon(game, deal, event, facts))


def _taken(game: TrickGame, deal: DealState, event: Pillage) -> DealState:
    """The deal once the card turned up was taken and paid for. One that was paid may be the next."""
    paid = [card for card in deal.paid if card != event.next or not _may_be_paid(game, deal, later=1)]
    return changed(
        deal,
        turn_up=event.next,
        turn_up_went_to=deal.turn_up_went_to if event.seat is None else event.seat,
        pillaged=(*deal.pillaged, event.card),
        paid=(*paid, *([] if event.paid is None else [event.paid])),
        paid_unseen=deal.paid_unseen + (event.paid is None),
        withheld=(),  # It was found while the card seemed to lie there.
    )


def _may_be_paid(game: TrickGame, deal: DealState, later: int) -> bool:
    """Whether the card turned up now, or so many later, may be one that was paid: those lie under the talon, and come
    once it is through."""
    talon = len(game.pack) - game.hand * game.players
    return len(deal.pillaged) + 1 + later > talon


def _ace_in_talon(game: TrickGame, deal: DealState, event: Pillage, facts: Mapping[str, Any]) -> list[Notice]:
    """The ace of trumps lay in the talon: who pillaged did not hold it."""
    paid = _may_be_paid(game, deal, later=0)
    owed = event.next is not None and event.next == ace_owed(game, deal) and not (deal.tricks_uncertain or paid)
    return [without_ace(deal, facts, {"turn_up": True})] if owed else []


def taken_unseen(deal: DealState, seat: int | None) -> DealState:
    """The deal when the card turned up was pillaged, and nobody saw it: it comes from a hand, or another lies there."""
    if deal.turn_up is None:
        return deal
    return changed(
        deal,
        turn_up=None,
        turn_up_went_to=deal.turn_up_went_to if seat is None else seat,
        pillaged=(*deal.pillaged, deal.turn_up),
        pillaged_unseen=deal.pillaged_unseen | {deal.turn_up},
        paid_unseen=deal.paid_unseen + 1,
        withheld=(),
    )


def not_taken(deal: DealState, laid: Laid) -> DealState:
    """The deal when a card was taken back: if it is the one turned up, and it alone said that this was taken, it was
    not."""
    if laid.card not in deal.pillaged_unseen or deal.turn_up is not None or deal.pillaged[-1] != laid.card:
        return deal
    before = deal.pillaged[:-1]
    return changed(
        deal,
        turn_up=laid.card,
        turn_up_went_to=deal.turn_up_went_to if before else None,
        pillaged=before,
        pillaged_unseen=deal.pillaged_unseen - {laid.card},
        paid_unseen=deal.paid_unseen - 1,
    )


def _seen_after_all(deal: DealState, event: Pillage) -> DealState:
    """The deal when a pillage is told that others had told already."""
    paid = () if event.paid is None else (event.paid,)
    return changed(
        deal,
        turn_up=event.next if deal.turn_up is None else deal.turn_up,
        turn_up_went_to=deal.turn_up_went_to if event.seat is None else event.seat,
        pillaged_unseen=deal.pillaged_unseen - {event.card},
        paid=(*deal.paid, *paid),
        paid_unseen=deal.paid_unseen - len(paid),
    )


def _wrongly_taken(game: TrickGame, deal: DealState, event: Pillage, facts: Mapping[str, Any]) -> Iterator[Notice]:
    """What is wrong with a pillage: who takes which card, and cards that were elsewhere."""
    if deal.tricks_uncertain:
        return  # It may be another deal's.
    if not _may_take(game, deal, event):
        yield illegal("turn_up_changed", **facts, cards=[event.card], taken=True)
    if event.paid is not None and event.paid in deal.paid:
        yield illegal("seen_before", **facts, cards=[event.paid], first_seen={"paid": deal.turn_up_went_to})
    seen = (*deal.pillaged, *deal.paid, event.card, event.paid)
    if event.next is not None and event.next in seen and not _may_be_paid(game, deal, later=1):
        yield illegal("seen_before", **facts, cards=[event.next], first_seen={"turn_up": True})


def _may_take(game: TrickGame, deal: DealState, event: Pillage) -> bool:
    """Whether this card lay there to be taken, and by this seat."""
    lay_there = event.card == deal.turn_up
    if deal.turn_up is None:  # The one turned up next was not seen.
        lay_there = event.card not in (*deal.pillaged, *deal.paid) or _may_be_paid(game, deal, later=0)
    if not lay_there or suit_of(event.card) != deal.trump:
        return False
    if event.seat is None:
        return True
    first_is_ace = not deal.pillaged and deal.turn_up is not None and rank_of(deal.turn_up) == game.ranks[0]
    another = first_is_ace and deal.dealer_said and deal.dealer != event.seat
    return deal.turn_up_went_to in (None, event.seat) and not another
