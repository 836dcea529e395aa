"""What a score waits for is asked on while the next deal is played: no answer comes too late."""

from random import Random
from typing import Any

import pytest

from engine.events import Deal, Event, Play, Take, Taken
from engine.match import Match
from engine.notices import Notice
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal
from tests.engine.table import deal, only, play, taken, tell, two_each
from tests.sizes import slow


def honest(match: Match, seed: int, dealer: int = 0) -> list[Event]:
    assert isinstance(match.judge, CardJudge)
    return list(honest_deal(match.judge.game, Random(seed), dealer).events)


def answer(match: Match, said: str) -> list[Notice]:
    asked = match.view.question
    assert asked is not None
    return tell(match, {"event": "choose", "question": asked["question"], "answer": said})


def codes(notices: list[Notice]) -> list[str]:
    return [notice.code for notice in notices]


def test_who_won_a_trick_is_asked_on_while_the_next_deal_is_played() -> None:
    match = two_each()
    said = tell(match, deal(0, "8H"), play("KS", 1))
    assert "not_scored" not in codes(said)
    asked = match.view.question
    assert asked is not None
    assert (asked["about"], asked["late"], asked["choices"]) == ("winner", True, ["0", "1", "forgotten"])
    assert match.view.games == (0, 0)
    told = answer(match, "1")
    assert only(told, "deal_scored").facts["games"] == [0, 1]
    assert match.view.games == (0, 1)
    assert match.view.question is None and [shown["card"] for shown in match.view.trick or ()] == ["KS"]


def test_a_late_answer_can_be_taken_back() -> None:
    match = two_each()
    tell(match, deal(0, "8H"))
    answer(match, "1")
    tell(match, {"event": "undo"})
    assert match.view.games == (0, 0) and match.view.question is not None
    answer(match, "0")
    assert match.view.games == (1, 0)


def test_nobody_knows_any_more_and_the_deal_counts_for_nothing() -> None:
    match = two_each()
    tell(match, deal(0, "8H"))
    assert only(answer(match, "forgotten"), "not_scored").facts["why"] == "forgotten"
    assert match.view.games == (0, 0) and match.view.question is None


def test_a_misdeal_does_not_drop_the_question_of_the_deal_before() -> None:
    match = two_each()
    tell(match, deal(0, "8H"), play("KS", 1), {"event": "void_deal"}, deal(0, "9H"))
    answer(match, "0")
    assert match.view.games == (1, 0)


def test_questions_of_two_deals_are_answered_one_after_the_other() -> None:
    match = two_each()
    last = {"event": "deal", "turn_up": "7S", "dealer": 1}
    cards = ["KH", "7H", "KD", "7D", "7C", "8C", "KC", "9C"]
    laid = [play(card, seat) for card, seat in zip(cards, [0, 1, 0, 1, 0, 1, 1, 0], strict=True)]
    tell(match, last, *laid, play("9D", 1), play(None, 0), deal(0, "8H"))
    answer(match, "0")
    assert match.view.games == (1, 0)
    answer(match, "0")
    assert match.view.games == (2, 0) and match.view.question is None


def with_unread(match: Match, events: list[Event], *places: int) -> list[Event]:
    """The same, the cards laid at these places unread."""
    plays = [at for at, event in enumerate(events) if isinstance(event, Play)]
    unread = {plays[place] for place in places}
    return [
        Play(None, event.seat) if at in unread and isinstance(event, Play) else event for at, event in enumerate(events)
    ]


def test_which_of_two_cards_it_was_can_be_said_in_the_next_deal() -> None:
    scored = 0
    for seed in range(40):
        match = Match("turufu", 2)
        events = honest(match, seed)
        tell(match, *with_unread(match, events, 5, 20), deal(1, "3S"))
        if match.view.question is None:
            continue  # It makes no difference which was which.
        assert match.view.question["late"]
        true = next(event.card for at, event in enumerate([e for e in events if isinstance(e, Play)]) if at == 5)
        asked_about = match.view.question["card_number"]
        first = [number for number, event in enumerate(match.log, 1) if isinstance(event, Play) and event.card is None]
        card = true if asked_about == first[0] else None
        if card is None:
            continue
        said = answer(match, str(card))
        sure = Match("turufu", 2)
        tell(sure, *events)
        assert only(said, "deal_scored").facts["games"] == list(sure.view.games or ())
        scored += 1
    assert scored


def test_where_nothing_that_players_remember_is_enough_they_count_their_cards() -> None:
    match = Match("turufu", 4)
    said = tell(match, *with_unread(match, honest(match, 5), *range(4, 34, 3)))
    assert codes(said).count("not_scored") == 1 and only(said, "not_scored").facts["why"] == "unseen"
    assert match.view.question is None
    assert [notice for notice in tell(match, deal(1, "3S")) if notice.code == "not_scored"] == []


@pytest.mark.parametrize("deals", [4, *slow(12)])
@pytest.mark.parametrize("game", ["turufu", "belote", "sueca"])
def test_no_question_has_more_cards_than_there_are_buttons(game: str, deals: int) -> None:
    for seed in range(deals):
        match = Match(game, 4)
        rng = Random(seed)
        places = rng.sample(range(32), rng.randrange(1, 9))
        said = tell(match, *with_unread(match, honest(match, seed), *places))
        asked = [notice.facts for notice in said if notice.code == "question"]
        assert all(len(question["choices"]) <= 3 for question in asked if question["about"] == "card")


def without_taker(events: list[Event]) -> tuple[list[Event], Take]:
    (take,) = [event for event in events if isinstance(event, Take)]
    return [event for event in events if event is not take], take


def test_who_took_can_be_said_in_the_next_deal() -> None:
    match, sure = Match("belote", 4), Match("belote", 4)
    events, take = without_taker(honest(match, 7))
    said = tell(match, *events)
    assert [notice.facts["why"] for notice in said if notice.code == "not_scored"] == ["trump"]
    tell(match, deal(1, "7C"), play("AD", 2))
    tell(sure, *honest(match, 7), deal(1, "7C"), play("AD", 2))
    questions = match.state.questions
    assert [(question.facts["about"], bool(question.facts.get("late"))) for question in questions] == [
        ("taker", True),
        ("taker", False),
    ]
    late = questions[0].facts
    assert late["choices"] == ["1", "2", "3", "0", "forgotten"]
    tell(match, {"event": "choose", "question": late["question"], "answer": str(take.seat)})
    suit = next(question.facts for question in match.state.questions if question.facts["about"] == "trump")
    assert suit["seat"] == take.seat and suit["late"]
    said = tell(match, {"event": "choose", "question": suit["question"], "answer": take.trump})
    assert only(said, "deal_scored").facts["match"] == list(sure.view.games or ())
    assert match.view.games == sure.view.games
    assert match.view.question is not None and not match.view.question.facts.get("late")


def test_trump_that_was_never_seen_is_asked_for_at_the_end() -> None:
    match, sure = Match("turufu", 4), Match("turufu", 4)
    events = honest(match, 2)
    tell(sure, *events)
    first = events[0]
    assert isinstance(first, Deal) and first.turn_up is not None
    tell(match, Deal(None, first.dealer), *events[1:])
    assert match.view.question is not None and match.view.question["about"] == "suit"
    tell(match, deal(1, "3S"))
    told = answer(match, first.turn_up[-1])
    assert only(told, "deal_scored").facts["games"] == list(sure.view.games or ())


def test_a_late_question_goes_with_its_match() -> None:
    """Won without the deal that was not scored, the match is over; the next one asks nothing of it."""
    match = Match("triomphe", 2, {"target": 1})
    cards = ["KH", "7H", "KD", "7D", "7C", "8C", "KC", "9C"]
    laid = [play(card, seat) for card, seat in zip(cards, [0, 1, 0, 1, 0, 1, 1, 0], strict=True)]
    tell(match, deal(1, "7S"), *laid, play("9D", 1), play(None, 0))
    tell(match, deal(1, "7S"), *laid, play("9D", 1), play("8D", 0), taken(1))
    assert match.view.winner == 1
    tell(match, deal(0, "8H"))
    assert match.view.question is None and match.view.games == (0, 0)


def test_a_match_resumed_asks_on(tmp_path: Any) -> None:
    match = two_each()
    tell(match, deal(0, "8H"), play("KS", 1))
    again = Match("triomphe", 2)
    tell(again, *match.log)
    assert again.view.to_dict() == match.view.to_dict()
    answer(again, "0")
    third = Match("triomphe", 2)
    tell(third, *again.log)
    assert third.view.games == (1, 0)


def test_takings_alone_are_not_asked_about_late() -> None:
    match = two_each()
    tell(match, Taken(0, 0.5), deal(0, "8H"))
    assert match.view.question is not None and match.view.question["about"] == "winner"


def test_who_won_is_told_by_the_cards_once_the_one_that_was_not_read_is_said() -> None:
    """Player 2 was said to have won the last trick. The card that nobody could read is higher than his."""
    match = two_each()
    answer(match, "1")
    assert match.view.games == (0, 1)
    tell(match, {"event": "correct", "number": 11, "card": "10D"})
    assert match.view.games == (1, 0)
    assert codes(tell(match, taken(0), deal(0, "7H"))) == []
    tell(match, {"event": "undo"}, {"event": "undo"}, {"event": "undo"})
    assert match.view.games == (0, 1)
