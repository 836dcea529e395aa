"""How a deal begins, is broken off or void, and what is turned up in it."""

from engine.cards import Card, suit_of
from engine.events import (
    Deal,
    EventError,
    TurnUpSeen,
    VoidDeal,
)
from engine.notices import INFO, Notice, illegal
from engine.referee.deal import CardState, DealState, Judged, all_laid
from engine.referee.penalties import still_owed
from engine.referee.plays import leader_from, markers_played
from engine.referee.standing import next_match, not_scored, open_deal, unseen_cards
from engine.referee.taking import ask_who_takes, with_trump
from engine.referee.tricks import SURE_CARD
from engine.rules.tricks import TrickGame
from engine.seats import single
from engine.values import changed


def begin_deal(game: TrickGame, state: CardState, number: int, event: Deal) -> Judged:
    """A deal begins; or the one under way is looked at again."""
    if event.turn_up is not None and not game.turns_up:
        raise EventError("deal_no_turn_up", game=game.name)
    if event.turn_up is not None and event.turn_up not in game.whole_pack:
        return state, (illegal("not_in_pack", number=number, seat=event.dealer, cards=[event.turn_up]),)
    state, played = markers_played(game, state, None)
    notices = tuple(played)
    deal = state.deal
    going_on = deal is not None and deal.result is None
    if deal is not None and going_on and all_laid(deal):
        if still_this_deal(game, deal, event):
            return _looked_at_again(game, changed(state, deal=told_who_dealt(game, deal, event.dealer)), number, event)
        notices = (*notices, *broken_off(game, deal, number))
        going_on = False
    read_anew = deal if going_on else None
    after = _dealt(game, state, number, event, _who_may_deal(game, state, event, read_anew))
    assert after.deal is not None
    if game.names_trump:
        notices = (*notices, ask_who_takes(game, after.deal, number))
    if game.reminder is None or after.reminded == after.match:
        return after, notices
    reminder = Notice("reminder", INFO, {"about": game.reminder})
    return changed(after, reminded=after.match), (*notices, reminder)


def _who_may_deal(game: TrickGame, state: CardState, event: Deal, read_anew: DealState | None) -> frozenset[int]:
    """Who may have dealt, as somebody said; or as the deal under way has it, if it is the same one read anew."""
    if event.dealer is not None:
        return frozenset({event.dealer})
    if read_anew is not None:
        return frozenset((seat - 1) % game.players for seat in read_anew.first_leads)
    return state.dealers


def _dealt(game: TrickGame, state: CardState, number: int, event: Deal, dealers: frozenset[int]) -> CardState:
    """A new deal, with what is owed still from those before it."""
    following = next_match(game, state)
    leads = frozenset((dealer + 1) % game.players for dealer in dealers or range(game.players))
    fresh = DealState(event.turn_up, _trump_of(game, event), single(dealers), leads, leads, leads, proves=state.proves)
    owed = still_owed(game, state, number) if following.match == state.match else ()
    questions = tuple(one.question for one in owed)
    return changed(following, deal=fresh, dealer=None, dealers=frozenset(), alert=None, questions=questions, owed=owed)


def _looked_at_again(game: TrickGame, state: CardState, number: int, event: Deal) -> Judged:
    """The deal under way is seen once more: its turned-up card is the same, or could not be read before, or another."""
    deal = open_deal(state)
    if event.turn_up is None or event.turn_up == deal.turn_up or event.turn_up in deal.pillaged:
        return state, ()
    suit = suit_of(event.turn_up)
    if deal.turn_up is None and deal.trump == suit:
        return changed(state, deal=changed(deal, turn_up=event.turn_up)), ()
    if deal.trump is None and deal.turn_up is None and not game.names_trump:
        return with_trump(game, state, number, event.turn_up, suit)
    return state, (turn_up_changed(deal, number, event.turn_up, event.dealer),)


def _trump_of(game: TrickGame, event: Deal) -> str | None:
    """What is trump when a deal begins: None while somebody has to name it, or the card could not be read and may be
    of several suits."""
    if not game.turns_up:
        return ""
    cards = event.candidates if event.turn_up is None else (event.turn_up,)
    suits = {suit_of(card) for card in cards if card in game.whole_pack}
    return None if game.names_trump or len(suits) != 1 else suits.pop()


def still_this_deal(game: TrickGame, deal: DealState, event: Deal) -> bool:
    """Whether a deal seen in the middle of one is that same one (its turn-up looked at, or swapped)."""
    left = game.tricks * game.players - len(all_laid(deal))
    if event.dealer is None or game.options.get("dealer_rotates") == "match":
        return left > game.players
    dealer = deal.dealt_by(game.players)
    if dealer is None:
        return left > game.players and event.turn_up == deal.turn_up
    return event.dealer == dealer


def told_who_dealt(game: TrickGame, deal: DealState, dealer: int | None) -> DealState:
    """The deal, now that somebody says who dealt it: that seat's neighbour led the first trick."""
    if dealer is None or deal.dealt_by(game.players) is not None:
        return deal
    deal = changed(deal, dealer=dealer)
    return deal if deal.done else leader_from(game, deal, (dealer + 1 + len(deal.plays)) % game.players)


def broken_off(game: TrickGame, deal: DealState, number: int) -> tuple[Notice, ...]:
    """The next deal began before this one was played out."""
    owed = game.tricks * game.players - len(all_laid(deal))
    perhaps_played = [one for one in (*deal.aside, *deal.markers) if not one.sure]
    if owed <= len(perhaps_played):
        return (not_scored(number),)
    missing = unseen_cards(game, deal) if game.plays_whole_pack else []
    facts = {"number": number, "trick": deal.trick_number, "cards": missing, "missing": owed}
    return (illegal("cards_missing", **facts), not_scored(number))


def void(game: TrickGame, state: CardState, number: int, event: VoidDeal) -> Judged:
    deal = state.deal
    if deal is None:
        raise EventError("no_deal")
    if deal.result is not None:  # The next one went wrong before its turned-up card was seen.
        after = next_match(game, state)
        owed = still_owed(game, state, number) if after.match == state.match else ()
        questions = tuple(one.question for one in owed)
        return changed(after, deal=None, alert=None, questions=questions, owed=owed), ()
    dealer = deal.dealt_by(game.players)
    dealers = frozenset() if dealer is None else frozenset({dealer})
    if dealer is not None and event.confidence < SURE_CARD:
        following = game.next_dealers(dealer, match_won=False)
        dealers = dealers | following if following else following
        dealer = single(dealers)
    questions = tuple(one.question for one in state.owed)
    after = changed(state, deal=None, dealer=dealer, dealers=dealers, alert=None, questions=questions)
    # Nobody said so, and part of it was played: it may have been played out unseen, or lacks a card.
    lost = bool(deal.done) and event.confidence < SURE_CARD
    return after, (not_scored(number),) if lost else ()


def see_turn_up(game: TrickGame, state: CardState, number: int, event: TurnUpSeen) -> Judged:
    if state.deal is not None and state.deal.ended_early:
        return state, ()
    deal = open_deal(state)
    drawn = game.turn_up_may_be_played(deal.trick_number)
    if drawn or event.card == deal.turn_up:
        return state, ()
    if deal.trump is None and deal.turn_up is None:
        return with_trump(game, state, number, event.card, suit_of(event.card))
    if deal.turn_up is None or event.card == deal.exchanged:  # Not seen in a pillage; or it was put back.
        return changed(state, deal=changed(deal, turn_up=event.card)), ()
    after = changed(deal, turn_up=event.card, exchanged=deal.exchanged or deal.turn_up)
    return changed(state, deal=after), (turn_up_changed(deal, number, event.card, None),)


def turn_up_changed(deal: DealState, number: int, card: Card, seat: int | None) -> Notice:
    before = [] if deal.turn_up is None else [deal.turn_up]
    return illegal("turn_up_changed", number=number, seat=seat, trick=deal.trick_number, cards=[*before, card])
