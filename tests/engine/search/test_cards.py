"""A player of cards knows what the table knows and no more, plays by the rules, and beats chance."""

from collections.abc import Iterator
from random import Random

import pytest

from engine.events import Deal, Play
from engine.match import Match
from engine.playing import CardsPlayed, game_of
from engine.rules.tricks import TrickGame
from engine.search.cards import CardPlayer, SeatView, likely_card
from engine.search.seats import seat_view
from tests.sizes import slow
from tools.card_matches import GREED, LOT, TABLES, deal

NAMES = ["turufu", "triomphe", "belote", "sueca", "pille"]


def game(name: str) -> TrickGame:
    return game_of(name, 4, TABLES.get(name))


def some_way(name: str, seed: int, moves: int) -> CardsPlayed:
    """A deal that was played on by lot."""
    rng = Random(seed)
    table = CardsPlayed(game(name), rng, deals=1)
    for _ in range(moves):
        if not table.is_over():
            table.push(rng.choice(table.legal_moves))
    return table


@pytest.mark.parametrize("name", NAMES)
def test_every_card_it_plays_is_legal(name: str) -> None:
    for seed in range(3):
        table = CardsPlayed(game(name), Random(seed), deals=1)
        player = CardPlayer(seed, samples=2)
        while not table.is_over():
            move = player.move(SeatView.of(table, table.turn))
            assert move in table.legal_moves
            table.push(move)


@pytest.mark.parametrize("name", NAMES)
def test_what_lies_hidden_changes_nothing(name: str) -> None:
    for seed in range(6):
        table = some_way(name, seed, moves=9)
        if table.is_over() or len(table.legal_moves) < 2:
            continue
        other = some_way(name, seed, moves=9)
        seat = table.turn
        other.hands = SeatView.of(table, seat).dealt_out(Random(99)).hands
        first, second = (
            CardPlayer(5, samples=3).worths(SeatView.of(cards_played, seat)) for cards_played in (table, other)
        )
        assert first == second


@pytest.mark.parametrize("name", ["turufu", "triomphe", "belote", "sueca"])
def test_hands_are_dealt_out_as_what_was_played_allows(name: str) -> None:
    for seed in range(10):
        table = some_way(name, 50 + seed, moves=18)
        if table.is_over() or table.asked:
            continue
        view = SeatView.of(table, table.turn)
        for draw in range(5):
            dealt = view.dealt_out(Random(draw))
            assert list(map(len, dealt.hands)) == list(map(len, table.hands))
            assert dealt.hands[view.seat] == table.hands[view.seat] and len(dealt.stock) == len(table.stock)
            cards = [card for hand in (*dealt.hands, dealt.stock) for card in hand]
            assert len(set(cards)) == len(cards) and not table.played_by.keys() & set(cards)
            for hand, lacking in zip(dealt.hands, view.lacking, strict=True):
                assert dealt.hands.index(hand) == view.seat or lacking.isdisjoint(hand)


def test_the_truth_is_never_ruled_out() -> None:
    for name in NAMES:
        for seed in range(10):
            table = some_way(name, 200 + seed, moves=20)
            if table.is_over():
                continue
            view = SeatView.of(table, table.turn)
            for seat, hand in enumerate(table.hands):
                assert view.lacking[seat].isdisjoint(hand)
                assert view.shown.get(seat, frozenset()) <= {*hand}


def test_a_sure_trick_is_taken() -> None:
    """The last card to the trick wins it where that pays, as an experienced player would."""
    table = some_way("sueca", 3, moves=0)
    table.hands = [["AS", "2S"], ["KS", "3H"], ["QS", "4H"], ["7S", "5H"]]
    table.trump, table.turn, table.leader, table.trick = "D", 1, 1, 9
    for card in ("KS", "QS", "7S"):
        table.push(card)
    assert likely_card(table) == "AS"
    assert CardPlayer(1, samples=4).move(SeatView.of(table, 0)) == "AS"


@pytest.mark.parametrize("deals", slow(6, 16))
def test_it_beats_chance_and_greed(deals: int) -> None:
    assert sum(deal("sueca", number, 6, LOT).share for number in range(deals)) > 0.6 * deals
    assert sum(deal("sueca", number, 6, GREED).share for number in range(deals // 2)) > 0.4 * (deals // 2)


def test_with_two_players_and_no_stock_everything_is_known() -> None:
    for seed in range(4):
        table = CardsPlayed(game_of("turufu", 2), Random(seed), deals=1)
        while not table.is_over():
            if not table.stock:
                dealt = SeatView.of(table, table.turn).dealt_out(Random(seed))
                assert [*map(sorted, dealt.hands)] == [*map(sorted, table.hands)]
            table.push(Random(seed).choice(table.legal_moves))


def at_a_table(game: TrickGame, seat: int, seed: int) -> Iterator[tuple[Match, CardsPlayed]]:
    """A match of which only this seat's cards are read, whenever it is to play; a deal played by lot."""
    rng = Random(seed)
    table = CardsPlayed(game, rng, deals=1)
    match = Match(game.name, game.players)
    match.add(Deal(table.turn_up, table.dealer))
    while not table.is_over():
        who = table.turn
        if who == seat:
            yield match, table
        card = rng.choice(table.legal_cards)
        table.push(card)
        match.add(Play(card if who == seat else None, who))


@pytest.mark.parametrize(("name", "players"), [("sueca", 4), ("turufu", 2)])
def test_it_plays_on_where_no_card_of_the_others_could_be_read(name: str, players: int) -> None:
    game = game_of(name, players)
    for seed in range(2):
        for match, table in at_a_table(game, 1, seed):
            view = seat_view(game, match.state, 1, table.hands[1])
            assert view is not None
            assert CardPlayer(1, samples=1).move(view) in table.hands[1]


def test_a_hand_in_which_the_card_turned_up_is_read_too_early_stops_nothing() -> None:
    game = game_of("turufu", 2)
    for match, table in at_a_table(game, 1, seed=5):
        hand = table.hands[1]
        if table.stock and table.turn_up is not None:
            view = seat_view(game, match.state, 1, [table.turn_up, *hand[1:]])
            assert view is not None
            assert CardPlayer(1, samples=4).move(view) in (table.turn_up, *hand)
