"""What a deal stands at, read from the judge's state: whose turn it is, what nobody has seen, where a card was."""

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any, NamedTuple

from engine.cards import Card, suit_of
from engine.events import (
    EventError,
)
from engine.notices import ASK, INFO, Notice
from engine.referee.card_view import points_shown, shown, tricks_taken
from engine.referee.deal import CardState, DealState, all_laid, is_late
from engine.referee.tricks import (
    Laid,
    Trick,
    as_read,
    certain_winners,
    in_laid_order,
    in_seat_order,
    possible_winners,
    trick_points,
    trick_worth,
)
from engine.rules.tricks import Score, TrickGame
from engine.seats import order_from, single
from engine.values import changed
from engine.view import Range

LONG_UNSEEN, LONG_UNSEEN_SHARE = 6, 0.8
"""More tricks than this, and than this share of those after which is drawn, do not go by unseen while others are seen:
a guess on the safe side of a table that lies in the dark for half a deal."""


def next_match(game: TrickGame, state: CardState) -> CardState:
    """What the next deal begins with: the score after the last, or another match's if that is won."""
    result = None if state.deal is None else state.deal.result
    score = state.score if result is None else result.score
    if score.winner(game.target) is None:
        return changed(state, score=score)
    parties = matches_won(game, state, score)
    over = sum(parties) == game.options.get("matches")
    return changed(state, score=game.opening_score(), match=state.match + 1, parties=() if over else parties)


def matches_won(game: TrickGame, state: CardState, score: Score) -> tuple[int, ...]:
    """The matches each side has won in this evening, with the one that this score wins."""
    won = score.winner(game.target)
    before = state.parties or (0,) * game.side_count
    return tuple(had + (side == won) for side, had in enumerate(before))


def open_deal(state: CardState) -> DealState:
    if state.deal is None:
        raise EventError("no_deal_yet")
    if state.deal.result is not None:
        raise EventError("deal_over")
    return state.deal


def duties_of(game: TrickGame, deal: DealState, hand: Collection[Card]) -> dict[Card, str | None] | None:
    """Which duty each card of the hand would break that is to play now; None: it may be played. None in place of all:
    trump, or a card of the trick, is not known."""
    trick, place = deal.next_place(game.players)
    plays = in_seat_order(deal.plays, deal.leader, game.players) if place else []
    before = [laid.known for laid in plays if laid.known is not None]
    if deal.trump is None or len(before) < len(plays):
        return None
    return {card: game.broken_duty(hand, before, card, deal.trump, trick) for card in hand}


def is_in_turn(game: TrickGame, deal: DealState, seat: int) -> bool:
    """Whether nothing that was read speaks against a card of this seat now."""
    if not deal.plays and deal.leader is not None:
        return seat == deal.leader
    if not deal.plays or len(deal.plays) == game.players:
        return seat in deal.sure_lead
    return deal.leader is None or seat == whose_turn(game, deal) or any(laid.guessed for laid in deal.plays)


def is_played_out(game: TrickGame, deal: DealState) -> bool:
    """The last trick is complete, or as complete as it can be after a seat threw two cards into one."""
    if len(deal.plays) == game.players and deal.trick_number == game.tricks:
        return True
    if not deal.plays:
        return False
    owed = (game.tricks - len(deal.done)) * game.players - len(deal.plays) - len(deal.extras)
    return owed <= deal.extras_gone


def with_deal(state: CardState, deal: DealState, trick_begun: bool) -> CardState:
    """A new trick takes alerts about cards on the table away; a revoke stays until the next deal."""
    alert = state.alert
    settled = deal.told is None if alert and alert.code == "revoke" else trick_begun
    if settled:
        alert = None
    return changed(state, deal=deal, alert=alert)


def seen_where(game: TrickGame, deal: DealState, card: Card, seat: int | None, trick: int) -> dict[str, Any] | None:
    """Where a card was that now lies in a trick, if it cannot be there."""
    if card in deal.seen:
        return {"seat": deal.seen[card][0], "trick": deal.seen[card][1]}
    if card == deal.turn_up and not game.turn_up_may_be_played(trick) and not took_it_unseen(game, deal, card, seat):
        return {"turn_up": True}
    if card in deal.paid:
        return {"paid": deal.turn_up_went_to}
    if card in deal.pillaged and None not in (seat, deal.turn_up_went_to) and seat != deal.turn_up_went_to:
        return {"taken_up" if game.names_trump else "pillaged": deal.turn_up_went_to}
    return None


def took_it_unseen(game: TrickGame, deal: DealState, card: Card, seat: int | None) -> bool:
    """Whether this seat may have pillaged the card turned up: the dealer an ace, who held the ace of trumps another."""
    if not may_be_pillaged(game, deal) or (None not in (deal.turn_up_went_to, seat) and deal.turn_up_went_to != seat):
        return False
    ace = game.ranks[0] + (deal.trump or "")
    if card == ace:
        return seat is None or not deal.dealer_said or seat == deal.dealer
    laid = next((card for card in all_laid(deal) if card.known == ace), None)
    return laid is None or seat in (None, laid.seat) or laid.assumed or not laid.order_sure


def whose_turn(game: TrickGame, deal: DealState, surely: bool = False) -> int | None:
    """Whose turn it is; None while that depends on a card that could not be read, or nobody's. surely: whatever
    the candidates of such a card say."""
    if deal.result is not None:
        return None
    if not deal.plays or len(deal.plays) == game.players:
        leads = deal.sure_lead if surely else deal.may_lead
        return deal.leader if deal.leader is not None and not deal.plays else single(leads)
    if deal.leader is None or (surely and any(laid.guessed for laid in deal.plays)):
        return None
    there = [laid.seat for laid in deal.plays]
    for seat in order_from(deal.leader, game.players):
        if seat not in there:
            return seat
    return None


def seen_without_lists(deal: DealState, plays: Sequence[Laid]) -> dict[Card, tuple[int | None, int, int]]:
    deduced = {laid.number for laid in plays if laid.deduced}
    return {card: where for card, where in deal.seen.items() if where[2] not in deduced}


def drawn_unseen(game: TrickGame, trick: int) -> bool:
    """Whether the card turned up may have been drawn by this trick, since others went by unseen."""
    unseen = game.draws + 1 - trick
    return game.draws > 0 and unseen <= max(LONG_UNSEEN, LONG_UNSEEN_SHARE * game.draws)


def cards_read_twice(deal: DealState) -> frozenset[Card]:
    """Cards that were read in two places, where the players were asked about it: one of the two is another."""
    asked = (laid for laid in all_laid(deal) if laid.number in deal.doubted and not laid.order_sure)
    return frozenset(laid.known for laid in asked if laid.known)


def unseen_cards(game: TrickGame, deal: DealState) -> list[Card]:
    """Cards that may still turn up in a trick."""
    return cards_left(game, deal, deal.seen)


def surely_unseen(game: TrickGame, deal: DealState) -> list[Card]:
    """Cards that an unread one may be, whatever it was taken for."""
    return cards_left(game, deal, [as_read(laid, deal.doubted).known for laid in all_laid(deal)])


def may_still_be(game: TrickGame, deal: DealState, plays: Sequence[Laid]) -> list[Card]:
    """Cards that an unread one among these may be; none are looked for where all of them were read."""
    return [] if None not in [laid.known for laid in plays] else unseen_cards(game, deal)


def cards_left(game: TrickGame, deal: DealState, seen: Container[Card | None]) -> list[Card]:
    open_card = None if game.turn_up_may_be_played(deal.trick_number) else deal.turn_up
    return [card for card in game.pack if card not in seen and card != open_card and card not in deal.paid]


def may_be_pillaged(game: TrickGame, deal: DealState) -> bool:
    """Whether the card turned up may have been taken, and nobody saw it: it is a trump, or nobody saw which it is."""
    return game.pillage and (deal.turn_up is None or suit_of(deal.turn_up) == deal.trump)


def tricks_unseen(game: TrickGame, deal: DealState) -> int:
    """How many tricks may have gone by unseen. None: every trick of the deal is accounted for."""
    return game.tricks - len(deal.done) - bool(deal.plays)


def table_trick(game: TrickGame, deal: DealState) -> Trick:
    plays = tuple(in_seat_order(deal.plays, deal.leader, game.players))
    leads = owed_lead(deal) if deal.leader is None else frozenset({deal.leader})
    unseen = may_still_be(game, deal, (*plays, *deal.extras))
    points = trick_points(game, deal.trump, plays, deal.extras, leads, deal.may_lead, unseen)
    return Trick(plays, deal.leader, deal.may_lead, points, deal.extras, deal.sure_lead, deal.open_lead)


def tricks_made(game: TrickGame, deal: DealState) -> tuple[Range, ...]:
    """The tricks of each side so far, at least and at most, with the one on the table if it is whole."""
    whole = [table_trick(game, deal)] if len(deal.plays) == game.players else []
    return tricks_taken(game, [*deal.done, *whole])


class Winners(NamedTuple):
    """Who can have won a whole trick."""

    sure: frozenset[int]
    """Whatever was not read, and in whatever order cards came whose order is not sure: for accusations."""
    likely: frozenset[int]
    """By candidates too."""
    open: frozenset[int]
    """By no guess: for the score."""


def winners_of(
    game: TrickGame, deal: DealState, plays: Sequence[Laid], extras: Sequence[Laid], leader: int | None
) -> Winners:
    """Who can have won a whole trick."""
    laid = in_seat_order(plays, leader, game.players)
    led = frozenset() if leader is None else frozenset({leader})
    plain = all(as_read(card, deal.doubted) is card for card in (*laid, *extras))
    unread = () if plain else surely_unseen(game, deal)
    everybody = frozenset(range(game.players))
    as_laid = certain_winners(game, deal.trump, laid, extras, led or deal.sure_lead, unread, deal.doubted)
    in_order = all(laid.order_sure for laid in plays)
    sure = as_laid if in_order else everybody
    open_ = as_laid if in_order or led else everybody
    likely = sure
    if len(sure) > 1:
        leads = led or deal.may_lead
        likely = possible_winners(game, deal.trump, laid, leads, unseen_cards(game, deal)) & sure or sure
    said = frozenset(laid.trick_to for laid in (*plays, *extras) if laid.trick_to is not None)
    if said & sure:  # Else the cards gainsay it, since one of them was corrected: that accuses nobody yet.
        likely = open_ = said & sure
    return Winners(sure | said, likely, open_)


def is_whole(deal: DealState) -> bool:
    """Every card of the deal so far was seen exactly once, and in an order that the hands do not gainsay."""
    return not deal.doubted and all(laid.known and not laid.deduced and laid.order_sure for laid in all_laid(deal))


def drawer_of_turn_up(game: TrickGame, deal: DealState) -> int | None:
    """Who drew the turned-up card, if the cards alone tell who won the last trick before a draw."""
    if not game.draws or deal.trick_number < game.draws:
        return None
    drawn = len(deal.done) >= game.draws
    winners = deal.done[game.draws - 1].sure_winners if drawn else deal.sure_lead
    dealers = range(game.players) if deal.dealer is None else (deal.dealer,)
    drawers = {game.last_drawer(winner, dealer) for winner in winners for dealer in dealers}
    return drawers.pop() if len(drawers) == 1 else None


def owed_lead(deal: DealState) -> frozenset[int]:
    """Who may lead the trick on the table, as the tricks before it say."""
    return deal.done[-1].winners if deal.done else deal.first_leads


def seats_of(game: TrickGame, side: int) -> list[int]:
    return [seat for seat in range(game.players) if game.sides[seat] == side]


def without_question(state: CardState, about: str) -> CardState:
    """What is asked of the deal under way, less the questions about this."""
    left = tuple(asked for asked in state.questions if is_late(asked) or asked.facts["about"] != about)
    return changed(state, questions=left)


def unreadable(facts: Mapping[str, Any], seat: int | None, cards: list[Any], why: str) -> Notice:
    """A card to look at again: what it seemed to be, and what speaks against that."""
    return Notice("unreadable", ASK, {**facts, "seat": seat, "candidates": cards, "why": why})


def not_scored(number: int, why: str = "broken_off") -> Notice:
    """A deal counts for nothing as it stands. number: of the event that ended it. why: it was broken off; too little of
    it was seen ("unseen") or is remembered ("forgotten"); or nobody has said yet what is trump ("trump")."""
    return Notice("not_scored", ASK, {"number": number, "why": why})


def trick_notice(
    game: TrickGame,
    deal: DealState,
    number: int,
    plays: Sequence[Laid],
    extras: Sequence[Laid],
    winners: frozenset[int],
) -> Notice:
    """What is told of a whole trick: its cards as they were laid, who won it, or can have, and what it is worth."""
    cards = [laid.card for laid in in_laid_order(plays)]
    facts: dict[str, Any] = {"trick": number, "seat": single(winners), "cards": cards}
    if points_shown(game):
        there = (*plays, *extras)
        facts["points"] = shown(trick_worth(game, deal.trump, there, may_still_be(game, deal, there)))
    if len(winners) > 1:
        facts["seats"] = sorted(winners)
        if deal.trump is None and all(laid.known for laid in plays):
            facts["open"] = "trump"
    return Notice("trick", INFO, facts)
