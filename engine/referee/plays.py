"""Cards put down and taken back: whose each is, whether it was that seat's turn, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple

from engine.cards import Card
from engine.events import (
    EventError,
    Play,
    TakenBack,
)
from engine.notices import INFO, NO, PASSED_OVER, YES, Notice, illegal, question
from engine.referee.aces import ace_elsewhere
from engine.referee.deal import CardState, DealState, Judged, Recounted, all_laid
from engine.referee.deal_queries import (
    drawn_unseen,
    is_in_turn,
    is_played_out,
    open_deal,
    owed_lead,
    seen_where,
    seen_without_lists,
    tricks_unseen,
    unreadable,
    unseen_cards,
    whose_turn,
    with_deal,
)
from engine.referee.gathering import complete_trick, take_up, told_late, with_unseen
from engine.referee.out_of_turn import came_after_all, early_but
from engine.referee.pillages import not_taken, taken_unseen
from engine.referee.read_twice import doubt_both, is_misread
from engine.referee.score import finish
from engine.referee.score_by_hand import laid_since
from engine.referee.tricks import (
    SURE_CARD,
    Laid,
    trick_points,
    unlisted,
)
from engine.rules.tricks import TrickGame
from engine.seats import order_from, single
from engine.values import changed


def play(game: TrickGame, state: CardState, number: int, event: Play) -> Judged:
    """A card is put down."""
    deal = state.deal
    if deal is not None and deal.ended_early:
        return laid_since(state), ()  # The hands are laid open.
    if deal is not None and (deal.result is not None or is_played_out(game, deal)):
        return one_too_many(game, state, deal, number, event)
    if perhaps_a_marker(game, event):
        return lay_marker(game, state, number, event)
    fits = event.seat is None or event.is_second
    begun, notices = markers_were_a_trick(game, state, number)
    now, counted = (begun, []) if fits else markers_played(game, begun, event.seat)
    notices += counted
    now, ended = _ended_unseen(game, now, number, event)
    notices = [*notices, *ended]
    # Who led the trick after one that ended unseen was not seen either.
    after, more = _put_down(game, now, number, replace(event, order_sure=False) if ended else event)
    before = None if deal is None or now is state else Recounted(number, event, deal)
    assert after.deal is not None
    if after.deal.before_recount is not before:
        after = changed(after, deal=changed(after.deal, before_recount=before))
    return after, (*notices, *more)


def _ended_unseen(game: TrickGame, state: CardState, number: int, event: Play) -> Judged:
    """A seat's next card in a trick that is not whole, if nobody saw that all cards since its first lie together: the
    rest of that trick may have gone by unseen, and what came since is of the next. Or the seat laid two: that is asked.
    """
    deal = state.deal
    if deal is None or not _is_second_in_part_of_a_trick(game, deal, event):
        return state, ()
    apart = _apart_since(deal, number, event)
    if event.seat is None or not apart:
        return state, ()
    before = tuple(laid for laid in deal.plays if laid.number < max(apart))
    left = tuple(changed(laid, order_sure=False) for laid in deal.plays if laid not in before)
    cards = [*_cards_of(deal, event.seat), *([event.card] if event.card else [])]
    asked = question(number, "two", [YES, NO], trick=deal.trick_number, seat=event.seat, cards=cards)
    deal, notices = with_unseen(game, changed(deal, plays=before), number)
    deal, whole = complete_trick(game, deal)
    deal, more = take_up(game, deal, number, seen=False)
    return with_deal(state, changed(deal, adrift=True, plays=left), trick_begun=True), (*notices, *whole, *more, asked)


def _is_second_in_part_of_a_trick(game: TrickGame, deal: DealState, event: Play) -> bool:
    """Whether a seat that was seen to lay a card in this trick lays another before the trick is whole."""
    again = event.order_sure and not event.is_second and event.seat is not None and event.seat in _seats_seen(deal)
    return again and len(deal.plays) + len(deal.markers) < game.players


def _apart_since(deal: DealState, number: int, event: Play) -> list[int]:
    """The numbers of the cards since a seat's first, this one among them, that may lead the next trick: nobody saw the
    cards before them lie there still. A marker may be a lead, misread."""
    if not event.beside:
        return [number]
    first = max(laid.number for laid in deal.plays if laid.seat == event.seat)
    return [laid.number for laid in (*deal.plays, *deal.markers) if laid.number > first and not laid.beside]


def _put_down(game: TrickGame, state: CardState, number: int, event: Play) -> Judged:
    """A card is played in the trick on the table, or leads the next."""
    deal = open_deal(state)
    trick_number = deal.trick_number + (len(deal.plays) == game.players)
    facts: dict[str, Any] = {"number": number, "trick": trick_number}
    notices: list[Notice] = []
    read, deal = _read(game, deal, event, trick_number)
    card = read.card
    if card is not None and card not in game.whole_pack:
        return _of_no_use(game, changed(state, deal=deal), event, card, facts)
    where = seen_where(game, deal, card, event.seat, trick_number) if card else None
    if card is not None and read.sure and is_misread(game, deal, where, trick_number):
        state = doubt_both(game, state, deal, card)
        deal = open_deal(state)
    if trick_number > deal.trick_number:
        deal, notices = _next_trick_begun(game, deal, event, card, facts)
    before = deal
    seat, deal, turn_notices = seat_of(game, deal, event, facts, card)
    notices += [*told_late(game, before, deal), *([] if before.adrift else turn_notices)]
    laid = _laid(game, before, deal, event, read, number, seat)
    if where is None:
        deal, more = _pillaged_before(game, deal, laid, facts)
        notices += more
    known, more = _with_reading(game, deal, laid, where, facts, event.order_sure)
    notices += more
    if any(told.facts.get("rule") == "two_from_one_seat" for told in turn_notices):
        deal = with_second(changed(deal, **known), laid)
    else:
        deal = changed(deal, **known, plays=(*deal.plays, laid))
    after, more = laid_down(game, with_deal(state, deal, trick_begun=len(deal.plays) == 1), number)
    return after, (*notices, *more)


def _laid(
    game: TrickGame, before: DealState, deal: DealState, event: Play, read: "_Reading", number: int, seat: int | None
) -> Laid:
    """The card as it lies there. before: the deal when it came."""
    assumed = event.seat is None or event.seat != seat
    unclear = assumed and (
        event.seat is not None
        or whose_turn(game, before, surely=True) != seat
        or not event.order_sure
        or bool(deal.markers)
    )
    return Laid(
        number,
        seat,
        read.card,
        read.candidates,
        read.sure,
        deduced=read.deduced,
        guessed=unclear,
        counts=event.counts,
        order_sure=event.order_sure and not unclear and not deal.markers,
        trick_to=event.trick_to,
        assumed=assumed,
        beside=event.beside,
    )


def _pillaged_before(
    game: TrickGame, deal: DealState, laid: Laid, facts: Mapping[str, Any]
) -> tuple[DealState, list[Notice]]:
    """What a card that was in no other place says of who pillaged."""
    if not game.pillage:
        return deal, []
    if laid.known and not laid.deduced and laid.card == deal.turn_up:
        deal = taken_unseen(deal, None if laid.assumed or not laid.order_sure else laid.seat)
    return deal, [] if laid.assumed else ace_elsewhere(game, deal, laid, facts)


class _Reading(NamedTuple):
    """What a card was read as."""

    card: Card | None
    candidates: tuple[Card, ...]
    sure: bool
    deduced: bool = False


def _read(game: TrickGame, deal: DealState, event: Play, trick_number: int) -> tuple[_Reading, DealState]:
    """What a card is, as far as it was read or can be deduced; and the deal, if that contradicts a deduction."""
    sure = event.confidence >= SURE_CARD
    if event.card is not None:
        deal = not_deduced(game, deal, event.card) if sure and event.card in deal.seen else deal
        candidates = tuple(card for card in event.candidates if card in game.whole_pack) if event.candidates else ()
        return _Reading(event.card, candidates, sure), deal
    candidates = tuple(card for card in event.candidates if card in game.whole_pack)
    deduced = deduce(game, deal, candidates, event.seat, trick_number)
    return _Reading(deduced, candidates, sure or deduced is not None, deduced is not None), deal


def _of_no_use(game: TrickGame, state: CardState, event: Play, card: Card, facts: Mapping[str, Any]) -> Judged:
    """A card that is none of this game's pack lies beside the trick."""
    deal, seat = open_deal(state), event.seat
    if seat is None and event.order_sure:
        seat = whose_turn(game, deal, surely=True)
    after = changed(state, deal=changed(deal, aside=(*deal.aside, Laid(facts["number"], seat, card))))
    return after, (illegal("not_in_pack", **facts, seat=seat, cards=[card]),)


def _next_trick_begun(
    game: TrickGame, deal: DealState, event: Play, card: Card | None, facts: Mapping[str, Any]
) -> tuple[DealState, list[Notice]]:
    """A card of the next trick takes the one on the table up."""
    notices = []
    if event.before_taken:
        seat = event.seat if event.seat is not None else single(deal.sure_lead)
        notices.append(illegal("before_taken", **facts, seat=seat, cards=[card] if card else []))
    deal, more = take_up(game, deal, facts["number"], seen=False)
    return deal, [*notices, *more]


def _with_reading(
    game: TrickGame,
    deal: DealState,
    laid: Laid,
    where: dict[str, Any] | None,
    facts: Mapping[str, Any],
    accuses: bool,
) -> tuple[dict[str, Any], list[Notice]]:
    """What of the deal changes now that one more card was read; or that it cannot be, or could not be read. accuses:
    who laid a card that was laid before is accused at once, and not only once somebody says that it is so."""
    if not laid.known:
        why = "not_read" if laid.card is None else "seen_before" if where else "not_sure"
        return {}, [unreadable(facts, laid.seat, [laid.card] if laid.card else list(laid.candidates), why)]
    if where is None:
        return {"seen": {**deal.seen, laid.known: (laid.seat, facts["trick"], laid.number)}}, []
    again = {"trick": facts["trick"], "seat": laid.seat, "cards": [laid.card], "first_seen": where}
    told = illegal("seen_before", number=facts["number"], **again)
    asked = unreadable(facts, laid.seat, [laid.card], "seen_before")
    if deal.tricks_uncertain:
        return {}, [asked]  # The card before may have been of another deal.
    if where == {"turn_up": True} and drawn_unseen(game, facts["trick"]):
        seen = {**deal.seen, laid.known: (laid.seat, facts["trick"], laid.number)}
        return {"withheld": (*deal.withheld, told), "seen": seen}, [asked]
    if "taken_up" in where and not deal.trump_confirmed:
        # The card is read well; a button may have named another than who took it.
        return {"seen": {**deal.seen, laid.known: (laid.seat, facts["trick"], laid.number)}}, [told]
    if not accuses:
        told = question(facts["number"], "twice", [YES, NO], **again)
    return {"doubted": deal.doubted | {laid.number}}, [told]


def perhaps_a_marker(game: TrickGame, event: Play) -> bool:
    """Read in doubt, and as no card of this game: markers lie beside the tricks, and plays are misread."""
    read = (event.card,) if event.card else event.candidates
    doubtful = event.card is None or event.confidence < SURE_CARD
    return doubtful and bool(read) and game.whole_pack.isdisjoint(read)


def may_lie_there(game: TrickGame, event: Play) -> list[Card]:
    """What a card was read as, less what lies on no table of this game: nobody is asked about such a card."""
    seen = (event.card,) if event.card else event.candidates
    return [card for card in seen if card in game.whole_pack or card in game.markers]


def lay_marker(game: TrickGame, state: CardState, number: int, event: Play) -> Judged:
    """Not a play before something says so."""
    deal = open_deal(state)
    laid = Laid(number, event.seat, event.card, event.candidates, sure=False, beside=event.beside)
    trick = deal.trick_number + (len(deal.plays) == game.players)
    facts = {"number": number, "trick": trick}
    asked = unreadable(facts, event.seat, may_lie_there(game, event), "not_in_pack")
    return changed(state, deal=changed(deal, markers=(*deal.markers, laid))), (asked,)


def markers_were_a_trick(game: TrickGame, state: CardState, number: int) -> tuple[CardState, list[Notice]]:
    """What was taken for markers since the last trick was whole, one from each seat in turn, was the next trick."""
    deal = state.deal
    if deal is None or not deal.markers or 0 < len(deal.plays) < game.players or tricks_unseen(game, deal) < 2:
        return state, []
    markers = _one_from_each_seat(game, deal)
    if not markers:
        return state, []
    first = markers[0].seat
    notices: list[Notice] = []
    if deal.plays:
        deal, notices = take_up(game, deal, markers[0].number, seen=False)
    leader = first if first in deal.sure_lead else None
    plays = tuple(changed(marker, card=None, candidates=(), order_sure=False) for marker in markers)
    left = tuple(marker for marker in deal.markers if marker not in markers)
    deal = changed(deal, plays=plays, leader=leader, markers=left, tricks_uncertain=True, adrift=True)
    deal, more = complete_trick(game, deal)
    return changed(state, deal=deal), [*notices, *more]


def _one_from_each_seat(game: TrickGame, deal: DealState) -> list[Laid]:
    """The last markers since the trick on the table was whole, if they came from each seat in turn."""
    last = max((laid.number for laid in deal.plays), default=0)
    markers = [marker for marker in deal.markers if marker.number > last][-game.players :]
    first = markers[0].seat if markers else None
    in_turn = first is not None and [marker.seat for marker in markers] == list(order_from(first, game.players))
    return markers if in_turn else []


def markers_played(game: TrickGame, state: CardState, said: int | None) -> tuple[CardState, list[Notice]]:
    """Where a seat would be out of turn, the same with what was taken for markers as plays, if that puts it right.
    No seat: the deal ended, and they were plays if that makes it whole."""
    deal = state.deal
    if deal is None or not deal.markers or (said is not None and is_in_turn(game, deal, said)):
        return state, []
    trial, notices = state, list[Notice]()
    for marker in deal.markers:
        trial, more = _marker_played(game, trial, marker)
        notices += more
        now = trial.deal
        assert now is not None
        over = is_played_out(game, now)
        if over if said is None else not over and is_in_turn(game, now, said):
            return trial, notices
    return state, []


def _marker_played(game: TrickGame, state: CardState, marker: Laid) -> tuple[CardState, Sequence[Notice]]:
    """The same with one marker as a play that nobody could read, if it was its seat's turn."""
    deal = state.deal
    assert deal is not None
    seat = marker.seat if marker.seat is not None else whose_turn(game, deal, surely=True)
    if seat is None or deal.result is not None or not is_in_turn(game, deal, seat):
        return state, ()
    left = tuple(beside for beside in deal.markers if beside is not marker)
    unread = Play(None, seat, order_sure=False)
    counted = changed(deal, markers=left, tricks_uncertain=True, adrift=True)
    after, notices = _put_down(game, changed(state, deal=counted), marker.number, unread)
    return after, [notice for notice in notices if notice.code != "unreadable"]  # It was asked about when it was seen.


def with_second(deal: DealState, second: Laid) -> DealState:
    """A seat's second card beside its first, or in its place if somebody said that it is the one that counts."""
    if not second.counts:
        return changed(deal, extras=(*deal.extras, second))
    first = next(laid for laid in deal.plays if laid.seat == second.seat)
    plays = tuple(second if laid is first else laid for laid in deal.plays)
    return changed(deal, plays=plays, extras=(*deal.extras, changed(first, counts=False)))


def deduce(game: TrickGame, deal: DealState, candidates: Sequence[Card], seat: int | None, trick: int) -> Card | None:
    """Which of these it was, where the others lie in the same trick, and it may be the one that is left."""
    beside = {laid.known for laid in deal.plays} if trick == deal.trick_number else set()
    left = [card for card in candidates if card not in beside]
    if len(left) != 1 or len(candidates) == 1 or seen_where(game, deal, left[0], seat, trick) is not None:
        return None
    return left[0]


def not_deduced(game: TrickGame, deal: DealState, card: Card) -> DealState:
    """The deal when this card is read elsewhere than where it was deduced to lie: that one is unread again."""
    if not any(laid.deduced and laid.card == card for laid in all_laid(deal)):
        return deal

    def mended(plays: Sequence[Laid]) -> tuple[Laid, ...]:
        return tuple(found for play in plays for found in (unlisted([play]) if play.card == card else (play,)))

    seen = {one: where for one, where in deal.seen.items() if one != card}
    deal = changed(deal, plays=mended(deal.plays), extras=mended(deal.extras), seen=seen)
    unseen = [other for other in unseen_cards(game, deal) if other != card]
    done = []
    for trick in deal.done:
        if any(laid.deduced and laid.card == card for laid in trick.plays):
            plays = mended(trick.plays)
            leads = frozenset(range(game.players)) if trick.leader is None else frozenset({trick.leader})
            points = trick_points(game, deal.trump, plays, trick.extras, leads, trick.winners, unseen)
            trick = changed(trick, plays=plays, points=points)
        done.append(trick)
    return changed(deal, done=tuple(done))


def one_too_many(game: TrickGame, state: CardState, deal: DealState, number: int, event: Play) -> Judged:
    """A card after the last: one that was counted before it was none. Corrected, this one counts in its place."""
    aside = (*deal.aside, Laid(number, event.seat, event.card, event.candidates, event.confidence >= SURE_CARD))
    facts = {"number": number, "trick": deal.trick_number}
    cards = may_lie_there(game, event)
    return changed(state, deal=changed(deal, aside=aside)), (unreadable(facts, event.seat, cards, "one_too_many"),)


def laid_down(game: TrickGame, state: CardState, number: int) -> tuple[CardState, list[Notice]]:
    """Whatever follows from the cards that lie there now: a complete trick, the end of the deal."""
    deal = state.deal
    assert deal is not None
    if len(deal.plays) < game.players and not is_played_out(game, deal):
        return state, []
    deal, notices = complete_trick(game, deal)
    state = with_deal(state, deal, trick_begun=False)
    if is_played_out(game, deal):
        state, more = finish(game, state, number)
        notices += more
    return state, notices


def seat_of(
    game: TrickGame,
    deal: DealState,
    event: Play,
    facts: Mapping[str, Any],
    card: Card | None,
) -> tuple[int | None, DealState, list[Notice]]:
    """Whose card this is, and whether it was that seat's turn. Where the order was not sure, a lead only tells who won
    the trick before."""
    said = event.seat
    turn = whose_turn(game, deal)
    if deal.plays:
        if said is None:
            return turn, deal, []
        return _seat_in_trick(game, deal, event, said, turn, facts, [card] if card else [])
    if said is None:
        return turn, changed(deal, leader=turn), []
    may_lead = frozenset({deal.leader}) if deal.leader is not None else deal.sure_lead
    if said in may_lead:
        deal, told = _told_of_another_lead(deal, said) if event.order_sure else (deal, [])
        return said, narrowed(game, changed(deal, leader=said), event.order_sure), told
    if not event.order_sure:
        return said, deal, []
    return said, *_wrong_lead(game, deal, said, facts, [card] if card else [], sorted(may_lead))


def _wrong_lead(
    game: TrickGame, deal: DealState, said: int, facts: Mapping[str, Any], cards: list[Card], expected: list[int]
) -> tuple[DealState, list[Notice]]:
    """Somebody leads who did not win the trick before; or one went by unseen, which he won, or the lead did: that is
    asked first."""
    told = {"seat": said, "cards": cards, "expected": expected}
    alert = illegal("wrong_leader", **facts, **told)
    others = tuple(alert for alert in deal.withheld if not _leads(alert, deal.trick_number))
    beside = bool(deal.markers)
    deal = changed(deal, leader=said, wrong_leads=deal.wrong_leads | {deal.trick_number}, withheld=others)
    if beside or deal.tricks_uncertain:
        return deal, []
    if deal.done or deal.dealer_said:
        deal = changed(deal, withheld=(*others, alert))
    return deal, [question(facts["number"], "lead", [YES, NO], trick=deal.trick_number, **told)]


def _told_of_another_lead(deal: DealState, said: int) -> tuple[DealState, list[Notice]]:
    """Whose lead it is leads: whoever did before in this trick, and lifted the card, led wrongly."""
    if not deal.withheld:
        return deal, []
    lying = {laid.number for laid in deal.plays}
    if deal.markers or deal.tricks_uncertain or any(laid.guessed or laid.assumed for laid in deal.plays):
        return deal, []
    before = [
        alert for alert in deal.withheld if _leads(alert, deal.trick_number) and alert.facts["number"] not in lying
    ]
    told = [alert for alert in before if alert.facts["seat"] != said]
    return changed(deal, withheld=tuple(alert for alert in deal.withheld if alert not in told)), told


def _leads(alert: Notice, trick: int) -> bool:
    return (alert.facts["rule"], alert.facts["trick"]) == ("wrong_leader", trick)


def _seat_in_trick(
    game: TrickGame,
    deal: DealState,
    event: Play,
    said: int,
    turn: int | None,
    facts: Mapping[str, Any],
    cards: list[Card],
) -> tuple[int | None, DealState, list[Notice]]:
    """The same for a card that does not lead, and whose seat was seen."""
    if said == turn and not deal.early and deal.leader is not None:
        return said, deal, []  # Nobody was passed over.
    in_order = event.order_sure and all(laid.order_sure for laid in deal.plays)
    if said in _seats_seen(deal):
        doubtful = not in_order or bool(deal.early) or len(deal.plays) + len(deal.markers) >= game.players
        if doubtful and not event.is_second:
            return turn, deal, []  # One of the two is another seat's, or another trick's.
        both = [*_cards_of(deal, said), *cards]
        return said, deal, [illegal("two_from_one_seat", **facts, seat=said, cards=both)]
    deal = deal if said == turn else _without_guesses(deal)
    if deal.leader is None:
        return said, *_led_no_more(game, deal, event, said)
    if said == turn:
        return said, *came_after_all(game, deal, said, in_order and event.beside)
    return said, *_out_of_turn(game, deal, said, turn, facts, cards, in_order)


def _led_no_more(game: TrickGame, deal: DealState, event: Play, said: int) -> tuple[DealState, list[Notice]]:
    """Where it is open who led: whoever lays now did not."""
    owed = event.order_sure and said in deal.sure_lead
    deal, told = _told_of_another_lead(deal, said) if owed else (deal, [])
    return _led_after_all(game, deal, said), told


def _seats_seen(deal: DealState) -> set[int | None]:
    """The seats that were seen to lay a card in the trick on the table."""
    return {laid.seat for laid in deal.plays if not (laid.guessed or laid.assumed)}


def _cards_of(deal: DealState, seat: int) -> list[Card]:
    return [laid.card for laid in deal.plays if laid.seat == seat and laid.card]


def _out_of_turn(
    game: TrickGame,
    deal: DealState,
    said: int,
    turn: int | None,
    facts: Mapping[str, Any],
    cards: list[Card],
    in_order: bool,
) -> tuple[DealState, list[Notice]]:
    """A card of another seat than whose turn it was: somebody else led, it came in another order, what was taken for
    markers was played between; or it came too early, or nobody saw the one before it, which the next cards tell."""
    if all(laid.assumed for laid in deal.plays):
        return _led_by_another(game, deal, said), []
    skipped = (said - (deal.leader or 0 if turn is None else turn)) % game.players
    if not in_order or len(deal.markers) >= skipped:
        return _order_that_fits(game, deal, said), []
    alert = illegal("out_of_turn", **facts, seat=said, cards=cards, expected=[turn])
    return changed(deal, early=(*deal.early, alert)), [Notice(PASSED_OVER, INFO, alert.facts)]


def _led_by_another(game: TrickGame, deal: DealState, said: int) -> DealState:
    """The deal when the first seat that is seen in a trick speaks against whose turn it was thought to be: a trick went
    by unseen, and its winner led this one."""
    leader = (said - len(deal.plays)) % game.players
    plays = tuple(changed(one, seat=(leader + place) % game.players) for place, one in enumerate(deal.plays))
    return changed(
        deal, leader=leader, plays=plays, wrong_leads=deal.wrong_leads | {deal.trick_number}, tricks_uncertain=True
    )


def _order_that_fits(game: TrickGame, deal: DealState, said: int) -> DealState:
    """The deal when a seat seems out of turn in a trick whose cards may have come in another order: whoever may lead,
    and has the others follow, led it."""
    there = {said, *(laid.seat for laid in deal.plays)}
    fits = [seat for seat in sorted(deal.sure_lead) if set(order_from(seat, game.players)[: len(there)]) == there]
    if deal.plays[0].order_sure or deal.leader in fits or len(fits) != 1:
        return deal
    return narrowed(game, changed(deal, leader=fits[0]), surely=False)


def _without_guesses(deal: DealState) -> DealState:
    """The deal when a seat speaks against those guessed in the trick on the table."""
    if not any(laid.guessed for laid in deal.plays):
        return deal
    plays = tuple(changed(laid, seat=None) if laid.guessed else laid for laid in deal.plays)
    return changed(deal, leader=None, plays=plays)


def _led_after_all(game: TrickGame, deal: DealState, said: int) -> DealState:
    """The deal when a seat is seen in a trick whose leader is open."""
    if said in deal.sure_lead and all(laid.seat is not None for laid in deal.plays):
        return changed(deal, leader=said)  # The lead that was owed, after a wrong one was lifted.
    return leader_from(game, deal, said)


def narrowed(game: TrickGame, deal: DealState, surely: bool) -> DealState:
    """Who leads tells who won the trick before, if that was open, or was taken to be another by candidates. surely: so
    that a score may hang on it."""
    if deal.leader is None or not deal.done:
        return deal
    last = deal.done[-1]
    winners = frozenset({deal.leader})
    if surely and last.open_winners != winners:
        last = changed(last, open_winners=winners)
        deal = changed(deal, done=(*deal.done[:-1], last))
    if last.winners == winners:
        return deal
    if not winners <= last.winners:
        deal = changed(deal, seen=seen_without_lists(deal, last.plays))
        last = changed(last, plays=unlisted(last.plays))
    leads = frozenset(range(game.players)) if last.leader is None else frozenset({last.leader})
    points = trick_points(game, deal.trump, last.plays, last.extras, leads, winners, unseen_cards(game, deal))
    return changed(deal, done=(*deal.done[:-1], changed(last, winners=winners, points=points)))


def leader_from(game: TrickGame, deal: DealState, seat: int) -> DealState:
    """A seat seen in a trick whose leader was open tells who led it."""
    leader = (seat - len(deal.plays)) % game.players
    if leader not in deal.sure_lead or any(laid.seat is not None for laid in deal.plays):
        return deal
    plays = tuple(
        changed(one, seat=(leader + place) % game.players, guessed=True) for place, one in enumerate(deal.plays)
    )
    return narrowed(game, changed(deal, leader=leader, plays=plays), surely=False)


def take_back(game: TrickGame, state: CardState, number: int, event: TakenBack) -> Judged:
    """A card goes back to its hand."""
    deal = state.deal
    settled = state.alert is not None and state.alert.facts.get("number") == event.number
    alert = None if settled else state.alert
    if deal is not None and deal.ended_early:
        return changed(laid_since(state), alert=alert), ()
    without = _lifted_beside(deal, event.number)
    if without is not None:
        left = tuple(asked for asked in state.questions if asked.facts["question"] != event.number)
        return changed(state, deal=without, alert=alert, questions=left), ()
    after, notices = _out_of_its_trick(game, changed(state, alert=alert), number, event.number)
    return after, tuple(notices)


def _out_of_its_trick(game: TrickGame, state: CardState, number: int, back: int) -> tuple[CardState, list[Notice]]:
    """The state without a card of the trick that lies there: what lay with it is laid down anew. back: its event."""
    state = _lying_still(game, state, back)
    deal = state.deal
    since = min(_lying_with(deal, back))
    assert deal is not None
    deal = _lifted(deal, back)
    alert = state.alert
    if alert is not None and alert.code == "revoke" and deal.told is None:
        alert = None
    questions = tuple(asked for asked in state.questions if asked.facts["question"] < since)
    return laid_down(game, changed(state, deal=deal, alert=alert, questions=questions), number)


def _lying_still(game: TrickGame, state: CardState, number: int) -> CardState:
    """The state when a card is lifted whose trick seemed to have ended unseen: it lay there still, and the last card
    beside it."""
    before = None if state.deal is None else state.deal.before_recount
    if before is None or number not in {laid.number for laid in before.deal.plays}:
        return state
    after, _ = play(game, changed(state, deal=before.deal), before.number, replace(before.event, second=True))
    return after


def _lying_with(deal: DealState | None, number: int) -> list[int]:
    """The numbers of the cards on the table, this one among them. Raises EventError: it does not lie there."""
    lying = [laid.number for laid in (*deal.plays, *deal.extras)] if deal and not deal.gathered else []
    if number not in lying:
        done = deal is not None and number in {laid.number for laid in all_laid(deal)}
        raise EventError("back_gone" if done else "back_none", event=number)
    return lying


def _lifted_beside(deal: DealState | None, number: int) -> DealState | None:
    """The deal without a card that lay beside the tricks, or that had made a marker a play. None: it is neither."""
    if deal is None:
        return None
    if deal.before_recount is not None and deal.before_recount.number == number:
        return deal.before_recount.deal
    lifted = next((marker for marker in (*deal.aside, *deal.markers) if marker.number == number), None)
    if lifted is None:
        return None
    deal = not_taken(deal, lifted)
    return changed(deal, aside=tuple(_all_but(deal.aside, number)), markers=tuple(_all_but(deal.markers, number)))


def _all_but(cards: Sequence[Laid], number: int) -> list[Laid]:
    return [laid for laid in cards if laid.number != number]


def _not_accused(deal: DealState, number: int) -> DealState:
    """The deal without what waits to be told of this card alone, which is lifted: who led wrongly did so all the
    same."""
    withheld = [
        alert for alert in deal.withheld if alert.facts["number"] != number or alert.facts["rule"] == "wrong_leader"
    ]
    return changed(deal, early=early_but(deal, number), withheld=tuple(withheld))


def _lifted(deal: DealState, number: int) -> DealState:
    """The deal without a card of the trick on the table, as it was before the trick was complete."""
    lifted = next(laid for laid in (*deal.plays, *deal.extras) if laid.number == number)
    deal, seat = _not_accused(not_taken(deal, lifted), number), lifted.seat
    stay = _all_but(deal.extras, number)
    plays = _all_but(deal.plays, number)
    instead = next((laid for laid in stay if seat is not None and laid.seat == seat), None)
    if instead is not None and len(plays) < len(deal.plays):
        # A second card was put down for the first: now it is the one that counts.
        stay.remove(instead)
        plays = sorted([*plays, instead], key=attrgetter("number"))
    elif deal.leader == seat and (not plays or deal.trick_number in deal.wrong_leads):
        deal = changed(deal, leader=None, wrong_leads=deal.wrong_leads - {deal.trick_number})
    return changed(
        deal,
        plays=tuple(plays),
        extras=tuple(stay),
        leader=deal.leader if plays else None,
        seen={card: where for card, where in deal.seen.items() if where[2] != number},
        doubted=deal.doubted - {number},
        verdict=deal.at_last_gathering.verdict,
        told=deal.at_last_gathering.told,
        result=None,
        may_lead=owed_lead(deal),
        sure_lead=deal.done[-1].sure_winners if deal.done else deal.first_leads,
    )
