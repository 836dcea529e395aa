"""Who is asked at belote whether he takes: he does with a strong hand, passes with an empty one, and mostly wins."""

from random import Random

import pytest

from engine.playing import CardsPlayed, game_of
from engine.rules.tricks import PASS, TAKE
from engine.search.bidding import likely_bid
from engine.search.cards import CardPlayer, SeatView
from tests.sizes import slow
from tools.card_matches import GREED, LOT, contracts, deal

BELOTE = game_of("belote")
STRONG = ["JH", "9H", "AH", "AS", "7C"]
EMPTY = ["KS", "QD", "8C", "7C", "9D"]


def asked(hand: list[str], turn_up: str, passed: int) -> SeatView:
    """This hand as it is asked, so many having passed before."""
    table = CardsPlayed(BELOTE, Random(1), dealer=3, deals=1)
    for _ in range(passed):
        table.push(PASS)
    others = [card for card in BELOTE.pack if card not in (*hand, turn_up)]
    table.turn_up = turn_up
    table.hands = [hand if seat == table.turn else [others.pop() for _ in hand] for seat in range(4)]
    table.stock = others
    return SeatView.of(table, table.turn)


@pytest.mark.parametrize("passed", [0, 3])
def test_it_takes_a_strong_hand_and_leaves_an_empty_one(passed: int) -> None:
    assert CardPlayer(1, samples=30).move(asked(STRONG, "8H", passed)) == TAKE
    assert CardPlayer(1, samples=30).move(asked(EMPTY, "8H", passed)) == PASS


@pytest.mark.parametrize("passed", [4, 7])
def test_in_the_second_round_it_names_its_own_suit_or_passes(passed: int) -> None:
    assert CardPlayer(1, samples=30).move(asked(STRONG, "KD", passed)) == "take:H"
    assert CardPlayer(1, samples=30).move(asked(EMPTY, "KH", passed)) == PASS


def test_what_it_expects_is_points() -> None:
    """It takes where its side is ahead by more points as the taker's than if it passes."""
    strong, empty = (CardPlayer(1, samples=30).worths(asked(hand, "8H", 0)) for hand in (STRONG, EMPTY))
    assert strong[TAKE] > strong[PASS] and strong[TAKE] > 40
    assert empty[TAKE] < empty[PASS] and empty[TAKE] < -40


def test_at_a_glance_an_experienced_player_says_the_same() -> None:
    for hand, said in ((STRONG, TAKE), (EMPTY, PASS)):
        view = asked(hand, "8H", 0)
        view.table.hands[view.seat] = hand
        assert likely_bid(view.table) == said


@pytest.mark.parametrize("deals", slow(14, 300))
def test_who_takes_for_it_makes_the_contract_clearly_more_often_than_not(deals: int) -> None:
    for simple in (LOT, GREED):
        found = contracts([deal("belote", number, 6, simple) for number in range(deals)])
        assert found["took"] > deals / 10 and found["made"] > 0.7 * found["took"]
