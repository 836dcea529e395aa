"""Tricks: who won one that is complete, and what happens when it is taken up."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from engine.events import (
    EventError,
    Taken,
)
from engine.notices import NO, YES, Notice, illegal, question
from engine.referee.deal import PROVISIONAL, CardState, DealState, Judged, RevokeProof, is_late
from engine.referee.deal_queries import (
    is_played_out,
    seen_without_lists,
    table_trick,
    trick_notice,
    tricks_unseen,
    unreadable,
    whose_turn,
    winners_of,
    with_deal,
)
from engine.referee.out_of_turn import came_early
from engine.referee.proof import INNOCENT
from engine.referee.revokes import honest_so_far, news, prove_deal, tell, tell_if_proven
from engine.referee.score import ASKED_FOR_SCORE, ask_which_counts, finish
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
    won = winners_of(game, deal, plays, deal.extras, deal.leader)
    notices = [trick_notice(game, deal, deal.trick_number, plays, deal.extras, won.likely)]
    deal = changed(deal, may_lead=won.likely, sure_lead=won.sure, open_lead=won.open)
    if not deal.proves:
        return deal, notices
    honest = honest_so_far(game, deal, plays)
    verdict = prove_deal(game, deal, doubting=False) if honest is None else INNOCENT
    deal = changed(deal, verdict=verdict, honest_now=honest)
    told = deal.told[0] if deal.told else INNOCENT
    if not deal.verdict.explanations:
        deal = changed(deal, told=None)  # A reading was contradicted since: what it proved falls with it.
    elif news(deal.verdict) != news(told):
        deal, notice = tell(deal, deal.verdict, PROVISIONAL)
        notices.append(notice)
    return deal, notices


def told_late(game: TrickGame, before: DealState, deal: DealState) -> list[Notice]:
    """The tricks that were taken up, once more, if only what came since tells who won them: a lead, or trump."""
    tricks = enumerate(zip(before.done, deal.done, strict=False), 1)
    return [
        trick_notice(game, deal, number, now.plays, now.extras, now.winners)
        for number, (then, now) in tricks
        if then is not now and is_known_since(then.winners, now.winners)
    ]


def is_known_since(then: frozenset[int], now: frozenset[int]) -> bool:
    """Whether it is known who won a trick, and was not then, or another was thought to have."""
    return single(now) not in (None, single(then))


def take_up(game: TrickGame, deal: DealState, number: int, seen: bool) -> tuple[DealState, list[Notice]]:
    """The trick on the table is gathered: what was seen in it stands from now on. seen: so is that it was gathered."""
    last = max([laid.number for laid in deal.plays])
    beside = [marker for marker in deal.markers if marker.number < last]
    if beside and not (seen and deal.delimited):
        deal = changed(deal, tricks_uncertain=True, adrift=True)  # One of them may have been a play.
    deal, notices = tell_if_proven(game, deal)
    notices += [*came_early(game, deal, number, seen), *ask_which_counts(deal, number)]
    taken = changed(
        deal,
        early=(),
        extras_gone=deal.extras_gone + len(deal.extras),
        markers=tuple([marker for marker in deal.markers if marker.number > last]),
        aside=(*deal.aside, *beside),
        delimited=seen,
        done=(*deal.done, table_trick(game, deal)),
        plays=(),
        extras=(),
        leader=None,
        at_last_gathering=RevokeProof(deal.verdict, deal.told),
        honest=deal.honest_now,
        honest_now=None,
    )
    return taken, notices


def gather(game: TrickGame, state: CardState, number: int, event: Taken) -> Judged:
    """A trick, or what lies of it, is gathered and comes to rest at a seat."""
    deal = state.deal
    if deal is None or deal.ended_early:
        return _nothing_lies_there(state)
    if deal.gathered and deal.aside:
        return changed(state, deal=changed(deal, aside=())), ()  # What came after the last card went along.
    if deal.gathered or not (deal.plays or len(deal.markers) >= game.players):
        raise EventError(NO_TRICK)
    facts: dict[str, Any] = {"number": number, "trick": deal.trick_number}
    before = deal
    deal, notices = _made_whole(game, deal, number)
    deal, more = _taken_by(game, deal, event, facts)
    notices += more
    after = changed(state, deal=deal)
    if deal.result is not None or is_played_out(game, deal):
        after, more = _last_gathered(game, after, number, before)
        return after, (*notices, *more)
    deal, more = take_up(game, deal, number, seen=True)
    return with_deal(after, _in_step(deal), trick_begun=True), (*notices, *more)


def _last_gathered(game: TrickGame, state: CardState, number: int, before: DealState) -> tuple[CardState, list[Notice]]:
    """The last trick of a deal goes; where it came to rest may settle what its score waited for. before: the deal while
    it lay there."""
    notices: list[Notice] = []
    deal = state.deal
    assert deal is not None
    if deal is not before and deal.result is None:
        waited = [asked for asked in state.questions if not is_late(asked) and asked.facts["about"] in ASKED_FOR_SCORE]
        state, more = finish(game, state, number, again=is_played_out(game, before))
        # That it cannot be scored was said when its last card lay there, if nothing was asked then.
        notices = [notice for notice in more if notice.code != "not_scored" or waited]
        deal = state.deal
        assert deal is not None
    deal, more = tell_if_proven(game, deal)
    return changed(state, deal=changed(deal, gathered=True)), [*notices, *more]


def _made_whole(game: TrickGame, deal: DealState, number: int) -> tuple[DealState, list[Notice]]:
    """The trick that is gathered, with what it lacks."""
    if len(deal.plays) >= game.players or deal.result is not None:
        return deal, []
    deal, notices = with_unseen(game, deal, number)
    deal, more = complete_trick(game, deal)
    return deal, [*notices, *more]


def _nothing_lies_there(state: CardState) -> Judged:
    """After a hand was given up, cards are gathered as anybody likes; before a deal, none are. Raises EventError."""
    if state.deal is None:
        raise EventError(NO_TRICK)
    return state, ()


def _in_step(deal: DealState) -> DealState:
    """The deal when a trick was gathered: adrift no more, if every card of it was seen to be played."""
    seen = all(laid.played and laid.order_sure for laid in deal.done[-1].plays)
    return changed(deal, adrift=deal.adrift and not seen, before_recount=None)


def _taken_by(
    game: TrickGame, deal: DealState, event: Taken, facts: Mapping[str, Any]
) -> tuple[DealState, list[Notice]]:
    """Whether the side that has a trick now can have won it; who won it, if that was open."""
    can_have = frozenset([seat for seat in deal.sure_lead if game.sides[seat] == game.sides[event.seat]])
    if not can_have:
        return _taken_wrongly(game, deal, event, facts)
    if deal.result is not None or event.confidence < SURE_CARD:
        return deal, []
    winners = deal.may_lead & can_have or can_have
    deal = changed(deal, open_lead=deal.open_lead & can_have or can_have)
    if winners == deal.may_lead:
        return deal, []
    notices = []
    if single(winners) is not None:
        plays = in_seat_order(deal.plays, deal.leader, game.players)
        notices.append(trick_notice(game, deal, deal.trick_number, plays, deal.extras, winners))
    if not winners & deal.may_lead:
        seen = seen_without_lists(deal, deal.plays)
        deal = changed(deal, plays=unlisted(deal.plays), seen=seen)
    return changed(deal, may_lead=winners), notices


def _taken_wrongly(
    game: TrickGame, deal: DealState, event: Taken, facts: Mapping[str, Any]
) -> tuple[DealState, list[Notice]]:
    """A trick comes to rest before a side that cannot have won it: it is asked whether it did, or another since."""
    if deal.adrift or _one_too_many(game, deal):
        return deal, []
    cards = [laid.card for laid in deal.plays if laid.card]
    told = {"trick": deal.trick_number, "seat": event.seat, "winner": single(deal.sure_lead), "cards": cards}
    alert = illegal("taken_by_wrong_side", number=facts["number"], **told)
    if event.confidence >= SURE_CARD:
        if not tricks_unseen(game, deal) and not deal.tricks_uncertain:
            return deal, [alert]
        deal = changed(deal, withheld=(*deal.withheld, alert))
    return deal, [question(facts["number"], "taken", [YES, NO], **told)]


def _one_too_many(game: TrickGame, deal: DealState) -> bool:
    """A card of this game came after the deal's last: one that was counted before it was none, or lay elsewhere."""
    last = max((laid.number for laid in deal.plays), default=0)
    later = [laid for laid in deal.aside if laid.number > last]
    return any(laid.card is None or laid.card in game.whole_pack for laid in later)


def with_unseen(game: TrickGame, deal: DealState, number: int) -> tuple[DealState, list[Notice]]:
    """A trick gathered with cards that nobody saw, or that were taken for markers."""
    notices = []
    deal = _with_markers(game, deal)
    while len(deal.plays) < game.players:
        seat = whose_turn(game, deal)
        laid = Laid(number, seat, None, played=False, beside=False)
        facts = {"number": number, "trick": deal.trick_number}
        notices.append(unreadable(facts, seat, [], "not_seen"))
        deal = changed(deal, plays=(*deal.plays, laid), tricks_uncertain=True)
    return deal, notices


def _leader_of(game: TrickGame, plays: Sequence[Laid]) -> int | None:
    """Who led these, in the order in which they came, if every seat that was seen says the same."""
    said = [(place, one.seat) for place, one in enumerate(plays) if one.seat is not None and not one.assumed]
    return single(frozenset((seat - place) % game.players for place, seat in said))


def _with_markers(game: TrickGame, deal: DealState) -> DealState:
    """The trick on the table with as many of what was taken for markers as it lacks, each where it came among the
    cards, and the leader that this tells."""
    seats = {laid.seat for laid in deal.plays if not (laid.guessed or laid.assumed)}
    fit = [marker for marker in deal.markers if marker.seat is None or marker.seat not in seats]
    chosen = fit[: game.players - len(deal.plays)]
    if not chosen:
        return deal
    found = [
        changed(marker, card=None, candidates=(), order_sure=False, assumed=marker.seat is None) for marker in chosen
    ]
    plays = sorted([*deal.plays, *found], key=attrgetter("number"))
    leader = _leader_of(game, plays)
    if leader is not None:
        plays = [changed(one, seat=(leader + place) % game.players) for place, one in enumerate(plays)]
    else:
        plays, leader = [*deal.plays, *found], deal.leader
    left = tuple(marker for marker in deal.markers if marker not in chosen)
    return changed(deal, plays=tuple(plays), leader=leader, markers=left, tricks_uncertain=True)
