"""Turufu: who wins a trick, what a deal brings, markers, ties, a whole match."""

from random import Random

import pytest

from engine.match import Match
from engine.options import OptionError
from engine.referee.card_game import CardJudge
from engine.rules.tricks import Score
from engine.rules.turufu import Turufu, turufu
from engine.simulate import honest_match
from tests.engine.table import deal, only, play, rules, tell


@pytest.fixture
def game() -> Turufu:
    return turufu(4, {})


@pytest.mark.parametrize(("players", "tricks", "draws"), [(2, 18, 15), (4, 9, 6), (6, 6, 3)])
def test_tables(players: int, tricks: int, draws: int) -> None:
    game = turufu(players, {})
    assert (game.tricks, game.draws) == (tricks, draws)
    assert len(game.pack) == 36
    assert sum(game.card_points(card) for card in game.pack) == 120
    assert game.sides == tuple(seat % 2 for seat in range(players))


def test_three_cannot_play() -> None:
    with pytest.raises(OptionError, match="players: game='turufu'"):
        turufu(3, {})


@pytest.mark.parametrize(
    ("cards", "trump", "wins"),
    [
        (["KH", "7H", "AH", "JH"], "S", 2),
        (["KH", "7H", "JH", "6H"], "S", 1),
        (["QH", "JH", "6H", "KD"], "S", 1),
        (["AH", "3S", "7H", "4S"], "S", 3),
        (["3H", "AD", "AC", "4H"], "S", 3),
    ],
)
def test_who_wins(game: Turufu, cards: list[str], trump: str, wins: int) -> None:
    assert game.winning(cards, trump) == wins


def test_follow_suit(game: Turufu) -> None:
    assert sorted(game.legal(["3H", "AS", "KH"], ["QH"], "S", 1)) == ["3H", "KH"]
    assert sorted(game.legal(["3D", "AS"], ["QH"], "S", 1)) == ["3D", "AS"]


def test_follow_after_stock() -> None:
    game = turufu(4, {"follow": "after_stock"})
    assert len(game.legal(["3H", "AS"], ["QH"], "S", game.draws)) == 2
    assert game.legal(["3H", "AS"], ["QH"], "S", game.draws + 1) == ["3H"]
    free = turufu(4, {"follow": "never"})
    assert len(free.legal(["3H", "AS"], ["QH"], "S", 9)) == 2


MIXED = (0, 1, 0, 1, 0, 1, 0, 1, 0)


@pytest.mark.parametrize(
    ("points", "options", "games"),
    [
        ((61, 59), {}, (1, 0)),
        ((30, 90), {}, (0, 1)),
        ((91, 29), {}, (2, 0)),
        ((29, 91), {}, (0, 2)),
        ((120, 0), {}, (2, 0)),
        ((60, 60), {}, (0, 0)),
        ((91, 29), {"double_below": "20"}, (1, 0)),
        ((100, 20), {"double_below": "20"}, (1, 0)),
        ((101, 19), {"double_below": "20"}, (2, 0)),
    ],
)
def test_games_of_a_deal(points: tuple[int, int], options: dict[str, str], games: tuple[int, int]) -> None:
    assert turufu(4, options).outcome(points, MIXED, 0).games == games


def test_muzinga_is_every_trick(game: Turufu) -> None:
    outcome = game.outcome((120, 0), (0, 2) * 4 + (0,), 0)
    assert outcome.games == (4, 0)
    assert game.scored(Score((0, 0), ((), ("8",))), outcome).markers == ((), ("8", "JOKER"))


def test_ties_add_up(game: Turufu) -> None:
    score = game.opening_score()
    for _ in range(2):
        score = game.scored(score, game.outcome((60, 60), MIXED, score.tie_bonus))
    assert score.tie_bonus == 2
    score = game.scored(score, game.outcome((91, 29), MIXED, score.tie_bonus))
    assert score.games == (4, 0)
    assert score.tie_bonus == 0
    assert score.markers == ((), ("8", "9", "10", "2"))


def test_markers_come_in_their_order(game: Turufu) -> None:
    score = game.opening_score()
    for points in ((70, 50), (50, 70), (100, 20), (10, 110)):
        score = game.scored(score, game.outcome(points, MIXED, 0))
    assert score.games == (3, 3)
    assert score.markers == (("8", "9", "10"), ("8", "9", "10"))


def test_who_draws_the_turned_up_card() -> None:
    assert turufu(4, {}).last_drawer(winner=2, dealer=0) == 1
    assert turufu(4, {"draw_first": "dealer_left"}).last_drawer(winner=2, dealer=0) == 0


def test_dealer_rotation() -> None:
    assert turufu(4, {}).next_dealer(3, match_won=False) == 0
    stays = turufu(4, {"dealer_rotates": "match"})
    assert (stays.next_dealer(3, match_won=False), stays.next_dealer(3, match_won=True)) == (3, 0)


SWEEP = "AC 3C 4C 5C 6C QC 7C JC KC 3D 4D 5D AH 3H 4H 5H 6H QH 7H JH KH 6D QD JD AS 4S 5S 6S QS JS 7S KS AD KD 7D 3S"
"""A deal for six in which seats 0, 2 and 4 take everything."""


def test_muzinga_ends_the_match_at_once() -> None:
    match = Match("turufu", 6)
    tell(match, deal(5, "3S"))
    notices = tell(match, *(play(card) for card in SWEEP.split()))
    scored = only(notices, "deal_scored").facts
    assert (scored["points"], scored["games"], scored["muzinga"]) == ([120, 0], [4, 0], True)
    assert only(notices, "match_won").facts["side"] == 0
    assert rules(notices) == []
    view = match.view
    assert (view.phase, view.markers, view.winner) == ("match_over", ((), ("JOKER",)), 0)


def test_a_new_match_begins_after_the_last() -> None:
    match = Match("turufu", 6)
    tell(match, deal(5, "3S"), *(play(card) for card in SWEEP.split()))
    tell(match, deal(0, "3S"))
    assert (match.view.match, match.view.games, match.view.markers) == (2, (0, 0), ((), ()))


def test_a_void_deal_stays_with_its_dealer() -> None:
    match = Match("turufu", 4)
    tell(match, deal(2, "3S"), play("AH", 3), {"event": "void_deal"})
    assert (match.view.phase, match.view.dealer) == ("waiting_for_deal", 2)
    tell(match, {"event": "deal", "turn_up": "4S"})
    assert match.view.turn == 3


def test_a_deal_that_goes_wrong_after_a_scored_one_takes_no_score_away() -> None:
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    for event in honest_match(match.judge.game, Random(5), 1):
        match.add(event)
    before = match.view
    assert sum(before.games or ())
    tell(match, {"event": "void_deal"})
    after = match.view
    assert (after.phase, after.games, after.markers) == ("waiting_for_deal", before.games, before.markers)
    assert after.dealer == (before.dealer or 0) + 1


@pytest.mark.parametrize("cards", [1, 2, 4])
def test_who_dealt_may_be_said_later(cards: int) -> None:
    match = Match("turufu", 4)
    tell(match, deal(None, "7H"), *(play(card) for card in ["3D", "4D", "5D", "AD"][:cards]))
    assert tell(match, deal(0, "7H")) == []
    assert match.view.dealer == 0
    assert match.view.trick is not None and len(match.view.trick) == cards
    if cards < 4:
        assert (match.view.trick[0]["seat"], match.view.turn) == (1, (1 + cards) % 4)


def test_after_a_deal_that_only_looked_void_the_first_lead_tells_who_dealt() -> None:
    for leader in (3, 0):
        match = Match("turufu", 4)
        tell(match, deal(2, "3S"), play("AH", 3), {"event": "void_deal", "confidence": 0.5})
        assert match.view.dealer is None
        tell(match, {"event": "deal", "turn_up": "4S"})
        assert tell(match, play("AH", leader)) == []
        assert match.view.dealer == (leader - 1) % 4


def test_points_can_be_hidden_until_the_deal_ends() -> None:
    match = Match("turufu", 4, {"show_points": "no"})
    notices = tell(match, deal(3, "3S"), *(play(card) for card in ("AH", "3H", "4H", "5H")))
    assert "points" not in only(notices, "trick").facts
    assert match.view.points is None
    assert match.view.tricks is None


def test_the_table_is_reminded_once_a_match_that_partners_give_no_signals() -> None:
    match = Match("turufu", 4)
    reminded = tell(match, deal(3, "3S"))
    assert [(notice.code, notice.level, notice.facts["about"]) for notice in reminded] == [
        ("reminder", "info", "signals")
    ]
    assert tell(match, {"event": "void_deal"}, deal(3, "4S")) == []
    assert tell(Match("turufu", 2), deal(1, "3S")) == []


def test_under_the_bar_is_murisi() -> None:
    game = turufu(4, {})
    assert game.outcome((91, 29), (0,) * 9, 0).doubled is False  # Every trick is a muzinga.
    assert game.outcome((91, 29), (0, 1) * 4 + (0,), 0).doubled
    assert not game.outcome((90, 30), (0, 1) * 4 + (0,), 0).doubled
