"""Tricks: who won one that is complete, and what happens when it is taken up."""

from collections.abc import Mapping
from typing import Any

from engine.events import (
    EventError,
    Taken,
)
from engine.notices import NO, YES, Notice, illegal, question
from engine.referee.deal import PROVISIONAL, CardState, DealState, Judged
from engine.referee.proof import INNOCENT
from engine.referee.revokes import gist, honest_so_far, prove_deal, tell, tell_if_proven
from engine.referee.score import ask_which_counts, finish
from engine.referee.standing import (
    is_played_out,
    seen_without_lists,
    table_trick,
    trick_notice,
    unreadable,
    whose_turn,
    winners_of,
    with_deal,
)
from engine.referee.tricks import (
    SURE_CARD,
    Laid,
    in_seat_order,
    unlisted,
)
from engine.rules.tricks import TrickGame
from engine.seats import single
from engine.values import changed

NO_TRICK = "no_trick"


def complete_trick(game: TrickGame, deal: DealState) -> tuple[DealState, list[Notice]]:
    """Every seat has a card in the trick: who won it, and what it proves."""
    plays = in_seat_order(deal.plays, deal.leader, game.players)
    sure, winners = winners_of(game, deal, plays, deal.extras, deal.leader)
    notices = [trick_notice(game, deal, deal.trick_number, plays, deal.extras, winners)]
    deal = changed(deal, may_lead=winners, sure_lead=sure)
    if not deal.proves:
        return deal, notices
    honest = honest_so_far(game, deal, plays)
    verdict = prove_deal(game, deal, doubting=False) if honest is None else INNOCENT
    deal = changed(deal, verdict=verdict, honest_now=honest)
    told = deal.told[0] if deal.told else INNOCENT
    if not deal.verdict.explanations:
        deal = changed(deal, told=None)  # A reading was contradicted since: what it proved falls with it.
    elif gist(deal.verdict) != gist(told):
        deal, notice = tell(deal, PROVISIONAL)
        notices.append(notice)
    return deal, notices


def told_late(game: TrickGame, before: DealState, deal: DealState) -> list[Notice]:
    """The last trick once more, if only the lead after it told who took it."""
    if before.done is deal.done or not before.done or single(before.done[-1].winners) == single(deal.done[-1].winners):
        return []
    last = deal.done[-1]
    return [trick_notice(game, deal, len(deal.done), last.plays, last.extras, last.winners)]


def take_up(game: TrickGame, deal: DealState, number: int) -> tuple[DealState, list[Notice]]:
    """The trick on the table is gathered: what was seen in it stands from now on."""
    deal, notices = tell_if_proven(game, deal)
    notices += ask_which_counts(deal, number)
    last = max([one.number for one in deal.plays])
    taken = changed(
        deal,
        markers=tuple([one for one in deal.markers if one.number > last]),
        aside=(*deal.aside, *[one for one in deal.markers if one.number < last]),
        done=(*deal.done, table_trick(game, deal)),
        plays=(),
        extras=(),
        leader=None,
        committed=(deal.verdict, deal.told),
        honest=deal.honest_now,
        honest_now=None,
    )
    return taken, notices


def gather(game: TrickGame, state: CardState, number: int, event: Taken) -> Judged:
    """A trick, or what lies of it, is gathered and comes to rest at a seat."""
    deal = state.deal
    if deal is None:
        raise EventError(NO_TRICK)
    if deal.ended_early:
        return state, ()
    if deal.gathered and deal.aside:
        return changed(state, deal=changed(deal, aside=())), ()  # What came after the last card went along.
    if deal.gathered or not (deal.plays or len(deal.markers) >= game.players):
        raise EventError(NO_TRICK)
    notices: list[Notice] = []
    facts: dict[str, Any] = {"number": number, "trick": deal.trick_number}
    if len(deal.plays) < game.players and deal.result is None:
        deal, more = with_unseen(game, deal, number)
        notices += more
        deal, more = complete_trick(game, deal)
        notices += more
    deal, more = _taken_by(game, deal, event, facts)
    notices += more
    after = changed(state, deal=deal)
    if deal.result is None and is_played_out(game, deal):
        after, more = finish(game, after, number)
        notices += more
        assert after.deal is not None
        deal = after.deal
    if deal.result is not None or is_played_out(game, deal):
        return changed(after, deal=changed(deal, gathered=True)), tuple(notices)
    deal, more = take_up(game, deal, number)
    return with_deal(after, _in_step(deal), trick_begun=True), (*notices, *more)


def _in_step(deal: DealState) -> DealState:
    """The deal when a trick was gathered: adrift no more, if every card of it was seen to be played."""
    seen = all(one.played and one.order_sure for one in deal.done[-1].plays)
    return changed(deal, adrift=deal.adrift and not seen, before_recount=None)


def _taken_by(
    game: TrickGame, deal: DealState, event: Taken, facts: Mapping[str, Any]
) -> tuple[DealState, list[Notice]]:
    """Whether the side that has a trick now can have won it; who won it, if that was open."""
    can_have = frozenset([seat for seat in deal.sure_lead if game.sides[seat] == game.sides[event.seat]])
    winners = deal.may_lead & can_have or can_have
    if not winners:
        if deal.adrift or _one_too_many(game, deal):
            return deal, []
        cards = [one.card for one in deal.plays if one.card]
        told = {"trick": deal.trick_number, "seat": event.seat, "winner": single(deal.sure_lead), "cards": cards}
        if event.confidence < SURE_CARD:
            return deal, [question(facts["number"], "taken", [YES, NO], **told)]
        return deal, [illegal("taken_by_wrong_side", number=facts["number"], **told)]
    if deal.result is not None or winners == deal.may_lead:
        return deal, []
    notices = []
    if single(winners) is not None:
        plays = in_seat_order(deal.plays, deal.leader, game.players)
        notices.append(trick_notice(game, deal, deal.trick_number, plays, deal.extras, winners))
    if not winners & deal.may_lead:
        seen = seen_without_lists(deal, deal.plays)
        deal = changed(deal, plays=unlisted(deal.plays), seen=seen)
    return changed(deal, may_lead=winners), notices


def _one_too_many(game: TrickGame, deal: DealState) -> bool:
    """A card of this game came after the deal's last: one that was counted before it was none, or lay elsewhere."""
    last = max((one.number for one in deal.plays), default=0)
    later = [one for one in deal.aside if one.number > last]
    return any(one.card is None or one.card in game.whole_pack for one in later)


def with_unseen(game: TrickGame, deal: DealState, number: int) -> tuple[DealState, list[Notice]]:
    """A trick gathered with cards that nobody saw, or that were taken for markers."""
    notices = []
    while len(deal.plays) < game.players:
        seat = whose_turn(game, deal)
        marker = next((one for one in deal.markers if seat is None or one.seat in (seat, None)), None)
        if marker is None:
            laid = Laid(number, seat, None, played=False)
            facts = {"number": number, "trick": deal.trick_number}
            notices.append(unreadable(facts, seat, [], "not_seen"))
        else:
            whose = seat if marker.seat is None else marker.seat
            laid = changed(marker, seat=whose, card=None, candidates=(), order_sure=False)
            deal = changed(deal, markers=tuple(one for one in deal.markers if one is not marker))
        deal = changed(deal, plays=(*deal.plays, laid))
    return deal, notices
