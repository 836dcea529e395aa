"""What a proven revoke costs once the players confirm: each offender is asked about, and no answer comes too late."""

from typing import Any

import pytest

from engine.match import Match
from engine.notices import Notice
from tests.engine.table import deal, play, tell


def table(penalty: str, players: int = 4, **options: str) -> Match:
    match = Match("triomphe", players, {"penalty": penalty, **options})
    tell(match, deal(players - 1, "8H"))
    return match


def laid(match: Match, *cards: str) -> list[Notice]:
    return tell(match, *(play(card, int(seat)) for card, seat in (card.split("/") for card in cards)))


def asked(match: Match) -> list[dict[str, Any]]:
    return [question.facts for question in match._state.questions if question.facts["about"] == "penalty"]


def answer(match: Match, yes: bool = True) -> list[Notice]:
    question = match.view.question
    assert question is not None and question["about"] == "penalty"
    return tell(match, {"event": "choose", "question": question["question"], "answer": yes})


def test_each_of_two_offenders_is_asked_about() -> None:
    """Both refused clubs, and both show clubs in the same trick."""
    match = table("point", 3)
    laid(match, "KC/0", "7D/1", "8D/2", "KS/0", "7S/1", "8S/2", "QC/0", "9C/1", "10C/2")
    assert asked(match) == []  # The trick that shows it lies there still.
    laid(match, "QS/0")
    assert [question["side"] for question in asked(match)] == [1, 2]
    answer(match)
    assert match.view.games == (1, 1, 0)
    answer(match)
    assert match.view.games == (2, 1, 1)
    assert match.view.question is None


def test_a_second_offender_after_the_first_is_settled_is_asked_about() -> None:
    """Seat 1 refused clubs in the first trick, seat 2 spades in the second."""
    match = table("point", 3)
    laid(match, "KC/0", "7D/1", "8C/2", "KS/0", "7S/1", "8D/2", "QC/0", "9C/1", "10C/2", "9D/0")
    assert [question["side"] for question in asked(match)] == [1]
    answer(match)
    laid(match, "JD/1", "10D/2", "10S/1", "9S/2", "8S/0")
    assert [question["side"] for question in asked(match)] == [2]
    before = match.view.games
    assert before is not None
    answer(match)
    assert match.view.games == (before[0] + 1, before[1] + 1, before[2])


def test_an_open_question_outlives_the_next_deal() -> None:
    match = table("point", 2)
    laid(match, "KC/0", "7D/1", "QC/0", "8C/1", "KS/0", "7S/1", "QS/0", "8S/1", "9S/0", "10S/1")
    before = match.view.games
    assert before is not None and [question["side"] for question in asked(match)] == [1]
    tell(match, deal(0, "8H"))
    assert [question["side"] for question in asked(match)] == [1]
    tell(match, play("KC", 1))
    answer(match)
    assert match.view.games == (before[0] + 1, before[1])
    assert asked(match) == []


def test_a_hand_lost_after_the_next_deal_replaces_what_it_brought() -> None:
    match = table("hand", 2)
    laid(
        match,
        "KC/0",
        "7D/1",
        "QC/0",
        "8C/1",
        "10S/1",
        "9S/0",
        "KS/1",
        "7S/0",
        "QS/1",
        "8S/0",
    )
    brought = match.view.games
    assert brought is not None and sum(brought) > 0
    tell(match, deal(0, "8H"))
    answer(match)
    assert match.view.games == (1, 0)


def test_what_was_declined_is_not_asked_again() -> None:
    match = table("point", 2)
    laid(match, "KC/0", "7D/1", "QC/0", "8C/1", "KS/0", "7S/1")
    assert len(asked(match)) == 1
    answer(match, yes=False)
    laid(match, "QS/0", "8S/1", "9S/0", "10S/1")
    assert asked(match) == []
    tell(match, deal(0, "8H"))
    assert asked(match) == []


def test_a_penalty_may_be_a_negative_point() -> None:
    match = table("negative", 2)
    laid(match, "KC/0", "7D/1", "QC/0", "8C/1", "KS/0", "7S/1")
    answer(match)
    assert match.view.games == (0, -1)


@pytest.mark.parametrize("penalty", ["alert", "point"])
def test_nobody_pays_before_it_is_confirmed(penalty: str) -> None:
    match = table(penalty, 2)
    laid(match, "KC/0", "7D/1", "QC/0", "8C/1", "KS/0")
    assert match.view.games == (0, 0)
    assert len(asked(match)) == (penalty == "point")


def test_a_late_point_that_wins_the_match_ends_the_hand_under_way() -> None:
    match = table("point", 2, target="1")
    laid(match, "KC/0", "7D/1", "QC/0", "8C/1", "KS/0")
    (won,) = [notice for notice in answer(match) if notice.code == "match_won"]
    assert (won.facts["side"], won.facts["seats"]) == (0, [0])
    assert match.view.phase == "match_over"
