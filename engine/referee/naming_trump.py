"""Which suit is trump, where that is told after a deal has begun: who takes the card turned up, and names it.

No camera sees who takes, so it is asked. Cards may be played before the answer comes: tricks are told anew then.
"""

from collections.abc import Sequence
from typing import Any

from engine.cards import SUITS, Card, suit_of
from engine.events import DeviceTurn, EventError, Take
from engine.notices import ALERT, INFO, NO, NOBODY, YES, Notice, question
from engine.referee.deal import NO_PROOF, Bid, CardState, DealState, Judged, is_late
from engine.referee.deal_queries import (
    is_played_out,
    open_deal,
    table_trick,
    trick_notice,
    unseen_cards,
    winners_of,
    without_question,
)
from engine.referee.gathering import is_known_since, told_late
from engine.referee.proof import INNOCENT
from engine.referee.revokes import prove_deal
from engine.referee.score import finish
from engine.referee.tricks import trick_points
from engine.rules.tricks import PASS, TAKE, TrickGame
from engine.seats import order_from
from engine.values import changed

TAKER, TRUMP, TRUMP_RIGHT = "taker", "trump", "trump_right"
"""What is asked: who takes, then which suit, and whether that is right where the cards speak for another."""


def ask_who_takes(game: TrickGame, deal: DealState, number: int) -> Notice:
    """The question of a new deal: a seat, in the order in which they are asked; or nobody."""
    first = min(deal.first_leads) if len(deal.first_leads) == 1 else 0
    choices = [str(seat) for seat in order_from(first, game.players)]
    return question(number, TAKER, [*choices, NOBODY], cards=[deal.turn_up] if deal.turn_up else [])


def ask_which_trump(deal: DealState, number: int, seat: int) -> Notice:
    """The question after it: the suit of the card turned up, or another in the second round."""
    turned = [suit_of(deal.turn_up)] if deal.turn_up else []
    return question(number, TRUMP, [*turned, *(suit for suit in SUITS if suit not in turned)], seat=seat)


def answer_who_takes(game: TrickGame, state: CardState, number: int, answer: str) -> Judged:
    """Somebody takes: which suit is asked next, unless the device has said it. Nobody does: the next player deals."""
    deal = open_deal(state)
    state = without_question(state, TAKER)
    if answer != NOBODY:
        bid = deal.bid if deal.bid is not None and str(deal.bid.seat) == answer else None
        trump = None if bid is None or deal.turn_up is None else bid.trump(suit_of(deal.turn_up))
        if trump is not None:
            return take(game, state, number, Take(int(answer), trump))
        return state, (ask_which_trump(deal, number, int(answer)),)
    dealer = deal.dealt_by(game.players)
    following = frozenset() if dealer is None else game.next_dealers(dealer, match_won=False)
    nxt = None if dealer is None else game.next_dealer(dealer, match_won=False)
    late = (*(notice for notice in state.questions if is_late(notice)), *(duty.question for duty in state.owed))
    return changed(state, deal=None, dealer=nxt, dealers=following, alert=None, questions=late), ()


def take(game: TrickGame, state: CardState, number: int, event: Take) -> Judged:
    """A player takes the card turned up, and names trump."""
    deal = open_deal(state)
    if not game.names_trump:
        raise EventError("take_none", game=game.name)
    if deal.taker is not None:
        raise EventError("take_again", place=deal.taker)
    taken = () if deal.turn_up is None else (deal.turn_up,)
    deal = changed(deal, taker=event.seat, turn_up_went_to=event.seat, pillaged=taken)
    state = without_question(without_question(state, TAKER), TRUMP)
    return with_trump(game, changed(state, deal=deal), number, None, event.trump)


def with_trump(game: TrickGame, state: CardState, number: int, turn_up: Card | None, trump: str) -> Judged:
    """The deal now that its trump is known: what lies there and what was taken up is told anew."""
    assert state.deal is not None
    before, deal = state.deal, as_trump(game, changed(state.deal, turn_up=turn_up), trump)
    told = told_late(game, before, deal)
    if len(deal.plays) == game.players:
        deal = changed(deal, verdict=prove_deal(game, deal, doubting=False))
        if is_known_since(before.may_lead, deal.may_lead):
            told.append(trick_notice(game, deal, deal.trick_number, deal.plays, deal.extras, deal.may_lead))
    state = changed(state, deal=deal)
    over = deal.claimed is not None or is_played_out(game, deal)
    if not over or deal.result is not None:
        return state, tuple(told)
    after, notices = finish(game, state, number)  # Only trump was missing for the score.
    return after, (*told, *notices)


def as_trump(game: TrickGame, before: DealState, trump: str | None) -> DealState:
    """The deal with this suit as trump: who can have won its tricks then."""
    leads = before.first_leads
    deal = changed(before, trump=trump, done=(), may_lead=leads, sure_lead=leads, honest=None)
    for trick in before.done:
        won = winners_of(game, deal, trick.plays, trick.extras, trick.leader)
        led = deal.may_lead if trick.leader is None else frozenset({trick.leader})
        points = trick_points(game, trump, trick.plays, trick.extras, led, won.likely, unseen_cards(game, deal))
        still_open = won.open & trick.open_winners or won.open
        told = changed(trick, winners=won.likely, sure_winners=won.sure, open_winners=still_open, points=points)
        deal = changed(deal, done=(*deal.done, told), may_lead=won.likely, sure_lead=won.sure)
    if len(deal.plays) == game.players:
        won = winners_of(game, deal, deal.plays, deal.extras, deal.leader)
        deal = changed(deal, may_lead=won.likely, sure_lead=won.sure, open_lead=won.open)
    return deal


BID, SUIT = "bid", "suit"
"""A fact: what the device says of the card turned up; that it names another suit in the second round."""
_OF_A_BID = (BID, SUIT, "card")


def say_bid(game: TrickGame, state: CardState, event: DeviceTurn) -> Judged:
    """The device says whether it takes, should it come to its seat: nobody sees who says what before it. Once somebody
    has said who takes, it is of no use."""
    deal = open_deal(state)
    turned = None if deal.turn_up is None else suit_of(deal.turn_up)
    others = {f"{TAKE}:{suit}" for suit in SUITS if suit != turned}
    if event.seat is None or event.turn not in {PASS, TAKE, *others}:
        raise EventError("no_turn_now", turn=event.turn)
    asked = [asked for asked in state.questions if asked.facts["about"] == TAKER and not is_late(asked)]
    if not asked or turned is None:
        return state, ()
    said = _facts_of_a_bid(event.turn, deal.turn_up)
    known = {name: fact for name, fact in asked[0].facts.items() if name not in _OF_A_BID}
    told = changed(asked[0], facts={**known, **said})
    questions = tuple(told if waiting is asked[0] else waiting for waiting in state.questions)
    deal = changed(deal, bid=Bid(event.seat, event.turn))
    return changed(state, deal=deal, questions=questions), (Notice("device_bid", INFO, {"seat": event.seat, **said}),)


def _facts_of_a_bid(said: str, turn_up: Card | None) -> dict[str, Any]:
    if said == TAKE:
        return {BID: TAKE, "card": turn_up}
    suit = said.partition(":")[2]
    return {BID: SUIT, SUIT: suit} if suit else {BID: PASS}


# -- a wrong button ----------------------------------------------------------------------------------------------------


def doubt_trump(game: TrickGame, state: CardState, number: int, notices: Sequence[Notice]) -> Judged:
    """What is said of an event, less what would accuse somebody only because a wrong button said who took, or the suit:
    where with another all was played honestly, it is asked first whether that is right."""
    deal = state.deal
    if not notices or deal is None or not game.names_trump or not deal.trump or deal.trump_confirmed:
        return state, tuple(notices)
    accusing = [notice for notice in notices if _hangs_on_trump(notice)]
    if not accusing:
        return state, tuple(notices)
    others = [notice for notice in notices if notice not in accusing]
    if not any(_all_honest(game, deal, suit, [*deal.held_back_for_trump, *accusing]) for suit in SUITS):
        told = (*others, *deal.held_back_for_trump, *accusing)
        return changed(without_question(state, TRUMP_RIGHT), deal=changed(deal, held_back_for_trump=())), told
    if not deal.held_back_for_trump:
        others.append(question(number, TRUMP_RIGHT, [YES, NO], seat=deal.taker, suit=deal.trump))
    return changed(state, deal=changed(deal, held_back_for_trump=(*deal.held_back_for_trump, *accusing))), tuple(others)


def _hangs_on_trump(notice: Notice) -> bool:
    """Whether this accuses somebody of what depends on who took, and which suit; or asks whether it should."""
    if notice.code == "question":
        return notice.facts["about"] in ("lead", "taken")
    if notice.code == "illegal":
        wrongly = notice.facts["rule"] in ("wrong_leader", "taken_by_wrong_side")
        return wrongly or "taken_up" in notice.facts.get("first_seen", ())
    return notice.code == "revoke" and notice.level == ALERT


def _all_honest(game: TrickGame, deal: DealState, suit: str, accusing: Sequence[Notice]) -> bool:
    """Whether everybody led, gathered and played as he may, were this suit trump, whoever took."""
    trial = as_trump(game, changed(deal, turn_up_went_to=None, pillaged=()), suit)
    table = (table_trick(game, trial),) if len(trial.plays) == game.players else ()
    won = [trick.sure_winners for trick in (*trial.done, *table)]
    leads = [trick.leader for trick in (*trial.done, *table)] + ([] if table else [trial.leader])
    if any(leader is not None and leader not in winners for winners, leader in zip(won, leads[1:], strict=False)):
        return False
    for notice in accusing:
        gathered = "taken_by_wrong_side" in (notice.facts.get("rule"), _RULES.get(notice.facts.get("about", "")))
        if gathered and not _side_won(game, won[notice.facts["trick"] - 1 :][:1], notice.facts["seat"]):
            return False
    return not prove_deal(game, trial, doubting=False).explanations


_RULES = {"taken": "taken_by_wrong_side"}


def _side_won(game: TrickGame, won: Sequence[frozenset[int]], seat: int) -> bool:
    """Whether the side of a seat can have won a trick, if it was whole."""
    return all(game.sides[seat] in [game.sides[winner] for winner in winners] for winners in won)


def confirm_trump(game: TrickGame, state: CardState, number: int, right: bool) -> Judged:
    """Trump is what was said: what was kept back is told. Or it is not: who takes is asked anew."""
    deal = state.deal
    assert deal is not None
    if right:
        told = deal.held_back_for_trump
        return changed(state, deal=changed(deal, trump_confirmed=True, held_back_for_trump=())), told
    deal = changed(
        as_trump(game, deal, None),
        turn_up=deal.pillaged[0] if deal.pillaged else None,
        taker=None,
        bid=None,
        turn_up_went_to=None,
        pillaged=(),
        held_back_for_trump=(),
        withheld=(),
        verdict=INNOCENT,
        told=None,
        at_last_gathering=NO_PROOF,
        result=None,
    )
    return changed(state, deal=deal, alert=None), (ask_who_takes(game, deal, number),)
