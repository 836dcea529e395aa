"""Conditions that hold back an accusation, or a score, each at its very edge: a small change to one is noticed here."""

import pytest

from engine.events import Board
from engine.match import Match
from engine.referee.board import CLOSE, ILLEGAL, TURN, Explanation, _decide
from engine.rules.belote import belote
from tests.engine.table import deal, play, rules, tell


def accounts(*shares: tuple[str, float]) -> list[Explanation]:
    return [Explanation(verdict, share=share) for verdict, share in shares]


def test_a_board_is_an_illegal_turn_only_if_hardly_anything_else_is_left() -> None:
    """One innocent account in two hundred is the most that an accusation leaves out."""
    assert _decide(accounts((ILLEGAL, 0.996), (TURN, 0.004))).verdict == ILLEGAL
    assert _decide(accounts((ILLEGAL, 0.994), (TURN, 0.006))).verdict == CLOSE


def test_two_illegal_turns_that_leave_nothing_else_are_one_accusation() -> None:
    assert _decide(accounts((ILLEGAL, 0.6), (ILLEGAL, 0.397), (TURN, 0.003))).verdict == ILLEGAL
    assert _decide(accounts((ILLEGAL, 0.6), (ILLEGAL, 0.3), (TURN, 0.1))).verdict == CLOSE


@pytest.mark.parametrize(("laid", "expected"), [(8, ["cards_missing"]), (7, ["turn_up_changed"])])
def test_a_deal_in_the_middle_of_one_is_the_next_once_only_the_last_trick_is_left(
    laid: int, expected: list[str]
) -> None:
    """Nobody said who dealt; two players hold one card each, or one of them has two."""
    match = Match("turufu", 2)
    tell(match, deal(None, "3S"), *(play(None, place % 2) for place in range(26 + laid)))
    assert rules(match.add(deal(None, "4S"))) == expected


def test_a_deal_read_anew_before_a_card_is_laid_keeps_who_leads() -> None:
    match = Match("turufu", 4)
    tell(match, deal(2, "3S"), deal(None, "4S"))
    assert match.view.turn == 3
    assert rules(tell(match, play("AH", 1))) == ["wrong_leader"]


def test_a_deal_after_a_void_one_is_dealt_by_the_same_player() -> None:
    match = Match("turufu", 4)
    tell(
        match,
        deal(2, "3S"),
        *(play(card) for card in ("AH", "3H", "4H", "5H")),
        {"event": "void_deal"},
        deal(None, "4S"),
    )
    assert match.view.turn == 3


def counting(short: int, empty: int = 0) -> Board:
    """Two seeds in every pit, but one in some, and none in others."""
    pits = [2] * 32
    pits[:short] = [1] * short
    pits[31 - empty : 31] = [0] * empty
    return Board(pits=tuple(tuple(pits[start : start + 8]) for start in range(0, 32, 8)))


@pytest.mark.parametrize(
    ("short", "empty", "told"), [(4, 0, ["seeds_missing"]), (5, 0, []), (0, 1, ["seeds_missing"]), (0, 2, [])]
)
def test_seeds_are_missing_only_while_nearly_every_pit_is_filled(short: int, empty: int, told: list[str]) -> None:
    """More pits that hold another number, or two that hold none: the seeds are being laid out still."""
    match = Match("mraha", 2)
    match.add(counting(short, empty))
    assert rules(match.add(counting(short, empty))) == told


def test_four_pits_are_few_enough_to_be_counted_again() -> None:
    rows: list[list[dict[int, float] | None]] = [[{2: 0.99, 3: 0.01} for _ in range(8)] for _ in range(4)]
    for column in range(4):
        rows[1][column] = {1: 0.9974, 2: 0.0026}
    short = Board(likelihood=tuple(map(tuple, rows)))
    match = Match("mraha", 2)
    match.add(short)
    assert [one.code for one in match.add(short)] == ["count_again"]


def test_belote_counts_without_cards_held_together() -> None:
    game = belote(4, {})
    assert game.outcome((100, 52), (0, 2) * 4, 0, 0).points == (110, 52)
