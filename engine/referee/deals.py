"""How a deal begins, is broken off or void, and what is turned up in it."""

from engine.cards import Card, suit_of
from engine.events import (
    Deal,
    EventError,
    Take,
    TurnUpSeen,
    VoidDeal,
)
from engine.notices import FORGOTTEN, INFO, NO, NOBODY, YES, Notice, illegal, question
from engine.referee.deal import CardState, DealState, Judged, all_laid, is_late
from engine.referee.deal_queries import (
    is_played_out,
    may_be_pillaged,
    next_match,
    not_scored,
    open_deal,
    unseen_cards,
)
from engine.referee.naming_trump import BID, ask_which_trump, ask_who_takes, take, with_trump
from engine.referee.penalties import still_owed
from engine.referee.pillages import taken_unseen
from engine.referee.plays import leader_from, markers_played
from engine.referee.score import ANNOUNCED, BONUS
from engine.referee.score_by_hand import SCORE_WAITS_FOR
from engine.referee.tricks import SURE_CARD
from engine.rules.tricks import TrickGame
from engine.seats import single
from engine.values import changed


def begin_deal(game: TrickGame, state: CardState, number: int, event: Deal) -> Judged:
    """A deal begins; or the one under way is looked at again."""
    _check_turn_up(game, event)
    if game.is_foreign(event.turn_up):
        return state, (illegal("not_in_pack", number=number, seat=event.dealer, cards=[event.turn_up]),)
    state, played = markers_played(game, state, None)
    deal = None if state.deal is None or state.deal.result is not None else state.deal
    notices = tuple(asked_late(deal, notice) if deal and notice.code == "question" else notice for notice in played)
    if deal is None or not [*all_laid(deal), *deal.markers]:
        after, more = _begun(game, state, number, event, read_anew=deal)
    elif still_this_deal(game, deal, event):
        deal = changed(told_who_dealt(game, deal, event.dealer), tricks_uncertain=True, adrift=True)
        return _looked_at_again(game, changed(state, deal=deal), number, event)
    else:
        notices = (*notices, *broken_off(game, deal, number, event.dealer))
        after, more = _begun(game, state, number, event, read_anew=None)
    return after, (*notices, *more)


def _begun(game: TrickGame, state: CardState, number: int, event: Deal, read_anew: DealState | None) -> Judged:
    """A new deal; or the one of which nothing was played yet, read anew."""
    said = event.dealer is not None  # Else a whole deal may have gone by unseen since somebody said who dealt.
    after = _dealt(game, state, number, event, _who_may_deal(game, state, event, read_anew), said)
    after, notices = _who_takes(game, after, number, event)
    if game.reminder is None or after.reminded == after.match:
        return after, notices
    reminder = Notice("reminder", INFO, {"about": game.reminder})
    return changed(after, reminded=after.match), (*notices, reminder)


def _who_takes(game: TrickGame, state: CardState, number: int, event: Deal) -> Judged:
    """Who takes the card turned up, as somebody said since; else it is asked."""
    if not game.names_trump or state.deal is None:
        return state, ()
    if event.taker is None:
        return state, (ask_who_takes(game, state.deal, number),)
    if event.trump is None:
        return state, (ask_which_trump(state.deal, number, event.taker),)
    return take(game, state, number, Take(event.taker, event.trump))


def _check_turn_up(game: TrickGame, event: Deal) -> None:
    if (event.turn_up is not None or event.trump is not None) and not game.turns_up:
        raise EventError("deal_no_turn_up", game=game.name)
    if any(said is not None for said in (event.taker, event.announced, event.bonus)) and not game.names_trump:
        raise EventError("take_none", game=game.name)
    if game.names_trump and event.taker is None and event.trump is not None:
        raise EventError("missing_field", name="deal", field="taker")


def _who_may_deal(game: TrickGame, state: CardState, event: Deal, read_anew: DealState | None) -> frozenset[int]:
    """Who may have dealt, as somebody said; or as the deal under way has it, if it is the same one read anew."""
    if event.dealer is not None:
        return frozenset({event.dealer})
    if read_anew is not None:
        return frozenset((seat - 1) % game.players for seat in read_anew.first_leads)
    return state.dealers


def _dealt(
    game: TrickGame, state: CardState, number: int, event: Deal, dealers: frozenset[int], said: bool
) -> CardState:
    """A new deal, with what is owed still from those before it. said: who deals was seen."""
    following = next_match(game, state)
    leads = frozenset((dealer + 1) % game.players for dealer in dealers or range(game.players))
    trump, dealer = _trump_of(game, event), single(dealers)
    # Trump by candidates alone is a guess: it may score, and nobody is accused by it.
    guessed = bool(trump) and event.turn_up is None and event.trump is None
    turn_up = event.turn_up
    fresh = DealState(
        number, turn_up, trump, dealer, said, leads, leads, leads, tricks_uncertain=guessed, proves=state.proves
    )
    fresh = changed(fresh, announced=event.announced, bonus=event.bonus)
    following = _with_what_waits(game, state, following, number)
    return changed(following, deal=fresh, dealer=None, dealers=frozenset(), alert=None)


def _with_what_waits(game: TrickGame, before: CardState, after: CardState, number: int) -> CardState:
    """The state after a deal, with what is asked still of it and of those before it, as long as the match goes on."""
    if after.match != before.match:
        return changed(after, questions=(), owed=())
    owed = still_owed(game, before, number)
    return changed(after, questions=(*late_questions(game, before), *(duty.question for duty in owed)), owed=owed)


def late_questions(game: TrickGame, state: CardState) -> list[Notice]:
    """What the scores of earlier deals wait for, once the deal under way is over."""
    late = [asked for asked in state.questions if is_late(asked)]
    deal = state.deal
    if deal is None or not (deal.result is not None or deal.gathered or is_played_out(game, deal)):
        return late
    waits_for = SCORE_WAITS_FOR if deal.result is None else (ANNOUNCED,)
    waits = [asked for asked in state.questions if not is_late(asked) and asked.facts["about"] in waits_for]
    return [*late, *(asked_late(deal, asked) for asked in waits)]


def asked_late(deal: DealState, asked: Notice) -> Notice:
    """A question about a deal that is over, asked on while the next one is played. Nobody may remember: then the
    deal counts for nothing. Of one that is scored already that is no answer."""
    choices = [choice for choice in asked.facts["choices"] if choice != NOBODY or asked.facts["about"] == BONUS]
    choices += [FORGOTTEN] if deal.result is None else []
    told = {name: fact for name, fact in asked.facts.items() if name != BID}
    facts = {**told, "choices": choices, "late": True, "deal_number": deal.number}
    return changed(asked, facts=facts)


def _looked_at_again(game: TrickGame, state: CardState, number: int, event: Deal) -> Judged:
    """The deal under way is seen once more: its turned-up card is the same, or could not be read before."""
    deal = open_deal(state)
    if event.turn_up is None or event.turn_up == deal.turn_up or game.names_trump:
        return state, ()
    if deal.trump == suit_of(event.turn_up):
        return changed(state, deal=changed(deal, turn_up=event.turn_up)), ()
    return with_trump(game, state, number, event.turn_up, suit_of(event.turn_up))


def _trump_of(game: TrickGame, event: Deal) -> str | None:
    """What is trump when a deal begins: None while somebody has to name it, or the card could not be read and may be
    of several suits."""
    if not game.turns_up:
        return ""
    if game.names_trump or event.turn_up is not None or event.trump is not None:
        return None if game.names_trump else event.trump if event.turn_up is None else suit_of(event.turn_up)
    suits = {suit_of(card) for card in event.candidates if card in game.whole_pack}
    return suits.pop() if len(suits) == 1 else None


def still_this_deal(game: TrickGame, deal: DealState, event: Deal) -> bool:
    """Whether a deal seen in the middle of one is that same one, looked at again: what it turned up lies there still,
    or could not be read before, and nobody else deals. Else the one before was given up, or its end went by unseen."""
    if deal.gathered or is_played_out(game, deal) or game.turn_up_may_be_played(deal.trick_number):
        return False
    left = game.tricks * game.players - len(all_laid(deal))
    suit = None if event.turn_up is None else suit_of(event.turn_up)
    unread = deal.turn_up is None and not game.names_trump and not deal.pillaged
    readable = unread and (deal.trump is None or suit in (None, deal.trump))
    if not readable and (event.turn_up is None or event.turn_up != deal.turn_up):
        return False
    return left > game.players and event.dealer in (None, deal.dealt_by(game.players) or event.dealer)


def told_who_dealt(game: TrickGame, deal: DealState, dealer: int | None) -> DealState:
    """The deal, now that somebody says who dealt it: that seat's neighbour led the first trick."""
    if dealer is None or deal.dealt_by(game.players) is not None:
        return deal
    deal = changed(deal, dealer=dealer, dealer_said=True)
    return deal if deal.done else leader_from(game, deal, (dealer + 1 + len(deal.plays)) % game.players)


def broken_off(game: TrickGame, deal: DealState, number: int, dealer: int | None) -> tuple[Notice, ...]:
    """Another deal began before this one was played out. Cards may be missing where it is the next one, and but some of
    one trick were not played, or nobody saw them: that is asked. Else it was given up, or tricks went by unseen."""
    if deal.gathered or is_played_out(game, deal):
        return ()  # It is asked still what its score waits for; or it was told that too little of it was seen.
    owed = game.tricks * game.players - len(all_laid(deal))
    perhaps_played = [marker for marker in (*deal.aside, *deal.markers) if not marker.sure]
    next_one = dealer is not None and deal.dealer_said and dealer != deal.dealer
    part_of_a_trick = len(perhaps_played) < owed < game.players and not deal.tricks_uncertain and not deal.withheld
    if not (next_one and part_of_a_trick):
        return (not_scored(number),)
    missing = unseen_cards(game, deal) if game.plays_whole_pack else []
    asked = question(number, "missing", [YES, NO], trick=deal.trick_number, cards=missing, missing=owed)
    return (not_scored(number), asked)


def void(game: TrickGame, state: CardState, number: int, event: VoidDeal) -> Judged:
    deal = state.deal
    if deal is None:
        raise EventError("no_deal")
    if deal.result is not None or deal.gathered:  # The next one went wrong before its turned-up card was seen.
        after = _with_what_waits(game, state, next_match(game, state), number)
        return changed(after, deal=None, alert=None), ()
    dealer = deal.dealt_by(game.players)
    dealers = frozenset() if dealer is None else frozenset({dealer})
    if dealer is not None and event.confidence < SURE_CARD:
        following = game.next_dealers(dealer, match_won=False)
        dealers = dealers | following if following else following
        dealer = single(dealers)
    owed = [duty.question for duty in state.owed]
    questions = (*(asked for asked in state.questions if is_late(asked)), *owed)
    after = changed(state, deal=None, dealer=dealer, dealers=dealers, alert=None, questions=questions)
    # Nobody said so, and part of it was played: it may have been played out unseen, or lacks a card.
    lost = bool(deal.done) and event.confidence < SURE_CARD
    return after, (not_scored(number),) if lost else ()


def see_turn_up(game: TrickGame, state: CardState, number: int, event: TurnUpSeen) -> Judged:
    if state.deal is not None and state.deal.ended_early:
        return state, ()
    if event.card not in game.whole_pack:
        return state, (illegal("not_in_pack", number=number, cards=[event.card]),)
    deal = open_deal(state)
    drawn = game.turn_up_may_be_played(deal.trick_number)
    if drawn or event.card == deal.turn_up:
        return state, ()
    if deal.trump is None and deal.turn_up is None:
        return with_trump(game, state, number, event.card, suit_of(event.card))
    if may_be_pillaged(game, deal):
        told = turn_up_changed(deal, number, event.card, None).facts
        asked = {name: told[name] for name in ("seat", "trick", "cards")}
        after = changed(taken_unseen(deal, None), turn_up=event.card)
        return changed(state, deal=after), (question(number, "pillaged", [YES, NO], **asked),)
    if deal.turn_up is None or event.card == deal.exchanged:  # Not seen in a pillage; or it was put back.
        return changed(state, deal=changed(deal, turn_up=event.card)), ()
    if deal.tricks_uncertain:  # It may be another deal's.
        return changed(state, deal=changed(deal, turn_up=event.card, exchanged=deal.turn_up)), ()
    after = changed(deal, turn_up=event.card, exchanged=deal.exchanged or deal.turn_up)
    return changed(state, deal=after), (turn_up_changed(deal, number, event.card, None),)


def turn_up_changed(deal: DealState, number: int, card: Card, seat: int | None) -> Notice:
    before = [] if deal.turn_up is None else [deal.turn_up]
    return illegal("turn_up_changed", number=number, seat=seat, trick=deal.trick_number, cards=[*before, card])
