"""What a proven revoke costs once the players confirm: each offender is asked about, and no answer comes too late."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from device.words import sentence_of
from engine.events import Event
from engine.match import Match
from engine.notices import Notice
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal
from engine.values import changed
from tests.engine.table import confirming, deal, only, play, tell
from tests.sizes import slow


def table(penalty: str, players: int = 4, **options: str) -> Match:
    match = Match("triomphe", players, {"penalty": penalty, **options})
    tell(match, deal(players - 1, "8H"))
    return match


def laid(match: Match, *cards: str) -> list[Notice]:
    return tell(match, *(play(card, int(seat)) for card, seat in (card.split("/") for card in cards)))


def asked(match: Match) -> list[dict[str, Any]]:
    return [question.facts for question in match.state.questions if question.facts["about"] == "penalty"]


def answer(match: Match, yes: bool = True) -> list[Notice]:
    """Answers the first question about a penalty."""
    return tell(match, {"event": "choose", "question": asked(match)[0]["question"], "answer": yes})


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


# -- turufu and belote -------------------------------------------------------------------------------------------------


def with_revoke(name: str, options: dict[str, Any], deals: int) -> Iterator[tuple[Match, list[Event]]]:
    """Matches of one deal in which somebody revoked, and it can be proven; up to the question what it costs."""
    for seed in range(deals):
        match = Match(name, 4, options)
        assert isinstance(match.judge, CardJudge)
        events = list(honest_deal(match.judge.game, Random(seed), 0, revoke_chance=0.5).events)
        for at, event in enumerate(events):
            confirming(match, [event])
            if match.view.question is not None and match.view.question["about"] == "penalty":
                yield match, events[at + 1 :]
                break


@pytest.mark.parametrize("deals", [12, *slow(60)])
def test_a_revoke_in_turufu_costs_games_and_their_markers(deals: int) -> None:
    seen = 0
    for match, _ in with_revoke("turufu", {"penalty": 2}, deals):
        before, question = match.view.games or (), match.view.question
        assert question is not None
        side = question["side"]
        told = answer(match)
        now = match.view.games or ()
        assert now[1 - side] == before[1 - side] + 2 and now[side] == before[side]
        assert only(told, "penalty").facts["games"][1 - side] == 2
        assert len(match.view.to_dict()["markers"][side]) >= 2
        seen += 1
    assert seen > deals // 6


def test_a_penalty_in_turufu_leaves_the_games_that_a_tie_holds_over() -> None:
    match, _ = next(iter(with_revoke("turufu", {"penalty": 1}, 30)))
    state = match.state
    held = changed(state, score=changed(state.score, tie_bonus=2))
    match._entries[-1].state = held
    answer(match)
    assert match.state.score.tie_bonus == 2


@pytest.mark.parametrize("deals", [12, *slow(60)])
def test_a_revoke_in_belote_costs_the_deal(deals: int) -> None:
    seen = 0
    for match, rest in with_revoke("belote", {"penalty": "hand", "target": 2000}, deals):
        question = match.view.question
        assert question is not None
        side = question["side"]
        over = match.state.deal.result is not None
        king, queen = (match.state.deal.seen.get(rank + match.state.deal.trump, (None,))[0] for rank in "KQ")
        kept = 20 if king is not None and king == queen and king % 2 != side else 0
        told = answer(match)
        assert match.view.games == ((0, 162 + kept) if side == 0 else (162 + kept, 0))
        if not over:
            facts = only(told, "deal_scored").facts
            assert (facts["revoked"], facts["inside"]) == (side, False)
            assert "revoked and loses the deal" in sentence_of({**facts, "notice": "deal_scored"}, "en", match)
            tell(match, *rest)
            assert match.view.games == ((0, 162 + kept) if side == 0 else (162 + kept, 0))
        seen += 1
    assert seen > deals // 6


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("held", [0, 81])
def test_who_did_not_revoke_keeps_every_trick_belote_and_what_was_held_over(held: int, late: bool) -> None:
    """Player 1 holds all trumps but player 2's seven, who refuses it in the first trick."""
    match = Match("belote", 4, {"penalty": "hand", "equal": "litige"})
    tell(match, deal(3, "8H"), {"event": "take", "seat": 0, "trump": "H"})
    match._entries[-1].state = changed(match.state, score=changed(match.state.score, tie_bonus=held))
    first, second = ("JH", "7C", "7D", "7S"), ("9H", "7H", "8D", "8S")
    others = zip(("AH", "10H", "KH", "QH", "8H", "AC"), ("8C", "9C", "JC", "QC", "KC", "10C"),
                 ("9D", "10D", "JD", "QD", "KD", "AD"), ("9S", "10S", "JS", "QS", "KS", "AS"), strict=True)  # fmt: skip
    laid = [laid for trick in (first, second, *others) for laid in enumerate(trick)]
    tell(match, *(play(card, seat) for seat, card in laid))
    assert match.view.games == (272 + held, 0)
    if late:
        tell(match, deal(0, "7C"))
    answer(match)
    assert match.view.games == (272 + held, 0)


@pytest.mark.parametrize(("seed", "games"), [(1, (39, 305)), (2, (162, 162))])
def test_a_hand_lost_costs_the_same_whenever_the_players_say_so(seed: int, games: tuple[int, int]) -> None:
    """An equal deal with a revoke: it left 81 to the next deal, which one side or the other won."""

    def scores(answered_after: int) -> list[tuple[int, ...] | None]:
        match = Match("belote", 4, {"equal": "litige", "penalty": "hand"})
        judge = match.judge
        assert isinstance(judge, CardJudge)
        found = []
        tell(match, *honest_deal(judge.game, Random(693), 3, revoke_chance=0.15).events)
        for number in range(3):
            if number == answered_after:
                assert len(asked(match)) == 1
                answer(match)
            tell(match, *honest_deal(judge.game, Random(seed + number), number).events)
            found.append(match.view.games)
        if answered_after == 3:
            answer(match)
            found.append(match.view.games)
        return found

    at_once = scores(0)
    assert at_once[0] == games
    assert scores(1)[1:] == at_once[1:] and scores(2)[2:] == at_once[2:] and scores(3)[3] == at_once[2]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(("tricks", "worth"), [(3, 162), (8, 252)])
def test_who_did_not_revoke_is_asked_whether_belote_was_announced(tricks: int, worth: int, late: bool) -> None:
    """Player 1 plays king and queen of trump; player 2 refuses a trump, and plays it in the next trick."""
    match = Match("belote", 4, {"penalty": "hand", "belote": "announced"})
    tell(match, deal(3, "8H"), {"event": "take", "seat": 0, "trump": "H"})
    rows = ["JH 7C 7D 7S", "KH 8C 8D 8S", "QH 7H 9D 9S", "AH 9C 10D 10S", "10H JC JD JS", "9H QC QD QS", "8H KC KD KS"]
    for row in [*rows, "AC 10C AD AS"][:tricks]:
        tell(match, *(play(card, seat) for seat, card in enumerate(row.split())), {"event": "taken", "seat": 0})
    answer(match)
    assert match.view.games == (worth, 0)
    if late:
        tell(match, deal(0, "7C"))
    (question,) = [asked.facts for asked in match.state.questions if asked.facts["about"] == "announced"]
    assert question["seat"] == 0 and question["choices"] == ["yes", "no"]
    for said, kept in (("yes", 20), ("no", 0)):
        tell(match, {"event": "choose", "question": question["question"], "answer": said})
        assert match.view.games == (worth + kept, 0)
        assert "announced" not in [asked.facts["about"] for asked in match.state.questions]
        tell(match, {"event": "undo"})
    tell(match, {"event": "score", "points": [worth, 1]})
    assert "announced" not in [asked.facts["about"] for asked in match.state.questions]


@pytest.mark.parametrize("deals", [6, *slow(25)])
@pytest.mark.parametrize("name", ["turufu", "belote"])
def test_by_default_a_revoke_costs_nothing(name: str, deals: int) -> None:
    assert list(with_revoke(name, {}, deals)) == []


def announced_or_not(seed: int, **options: str) -> tuple[Match, list[Notice]]:
    match = Match("belote", 4, options)
    assert isinstance(match.judge, CardJudge)
    return match, tell(match, *honest_deal(match.judge.game, Random(seed), 0).events)


@pytest.mark.parametrize("deals", [20, *slow(40)])
def test_where_belote_counts_only_if_announced_it_is_asked_after_the_deal(deals: int) -> None:
    asked = 0
    for seed in range(deals):
        plain, _ = announced_or_not(seed)
        match, _ = announced_or_not(seed, belote="announced")
        question = match.view.question
        if question is None:
            assert match.view.games == plain.view.games
            continue
        assert question["about"] == "announced" and match.view.games == (0, 0)
        tell(match, deal(1, "7C"))
        question = match.view.question
        late = next(question.facts for question in match.state.questions if question.facts["about"] == "announced")
        assert question is not None and late["late"]
        tell(match, {"event": "choose", "question": late["question"], "answer": "yes"})
        assert match.view.games == plain.view.games
        tell(match, {"event": "undo"}, {"event": "choose", "question": late["question"], "answer": "no"})
        assert match.view.games != plain.view.games
        asked += 1
    assert asked > deals / 20


def test_an_answer_about_one_player_is_none_about_another() -> None:
    """Player 1 revoked if diamonds are trump, and pays. They are not: then player 0 did, and it is asked first."""
    match = Match("triomphe", 2, {"penalty": "point"})
    cards = ["KH/0", "9C/1", "8C/0", "KC/1", "QC/1", "7H/0", "JC/1", "8H/0", "8D/1", "8S/0"]
    tell(match, deal(1, "7D"))
    laid(match, *cards)
    assert asked(match)[0]["side"] == 1
    answer(match)
    assert match.view.games == (1, 1)
    tell(match, {"event": "correct", "number": 1, "turn_up": "7S"})
    assert match.view.games == (0, 1) and [question["side"] for question in asked(match)] == [0]
    answer(match)
    assert match.view.games == (0, 2)
    tell(match, {"event": "undo"}, {"event": "undo"})
    assert match.view.games == (1, 1) and not asked(match)


@pytest.mark.parametrize(("offers", "points"), [(0, (2, 0)), (1, (1, 0))])
def test_who_refuses_an_offer_and_loses_the_hand_did_not_take_every_trick(offers: int, points: tuple[int, int]) -> None:
    """Player 2 revokes. If he had refused an offer he owed every trick, and it costs 2."""
    match = Match("triomphe", 2, {"penalty": "hand"})
    tell(match, deal(1, "7H"), {"event": "offer", "seat": offers}, {"event": "answer", "accept": False})
    laid(match, "KS/0", "7D/1", "KC/0", "7S/1")
    tell(match, {"event": "taken", "seat": 0})
    answer(match)
    assert match.view.games == points
