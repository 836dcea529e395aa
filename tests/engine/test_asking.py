"""What a live table asks: its written form, how the match takes it, and a table that asks and takes the answer."""

import math
from typing import Any

import pytest

from engine.events import ASKED, Ask, EventError, Play, Taken, Way, event_to_dict, parse_event
from engine.journal import match_lines, read_journal
from engine.match import Match
from engine.notices import ALERT, ASK
from engine.table.asking import NONE, UNREAD, branches
from engine.table.hypothesis import PLAYING, Hypothesis, Step
from tests.engine.test_cards_table import Table, dealt

WHICH = {
    "event": "ask",
    "what": "laid",
    "seat": 1,
    "choices": [
        {"answer": "3S", "events": [{"event": "play", "card": "3S", "seat": 1}]},
        {"answer": "none"},
    ],
}


def begun() -> Match:
    match = Match("turufu", 4)
    match.add({"event": "deal", "turn_up": "7H", "dealer": 3})
    match.add({"event": "play", "card": "KS", "seat": 0})
    return match


def asked() -> Match:
    match = begun()
    match.add(WHICH)
    return match


# -- its written form ------------------------------------------------------------------------------------------------


def test_a_question_is_written_and_read_again() -> None:
    event = parse_event(WHICH)
    assert event == Ask("laid", (Way("3S", (Play("3S", 1),)), Way("none")), 1)
    assert event_to_dict(event) == WHICH
    match = asked()
    again = read_journal("\n".join(match_lines(match)) + "\n").replay()
    assert again.log == match.log and again.view.to_dict() == match.view.to_dict()


@pytest.mark.parametrize(
    "wrong",
    [
        {"what": "weather"},
        {"choices": [{"answer": "3S"}]},
        {"choices": [{"answer": "3S"}, {"answer": "3S"}]},
        {"choices": [{"answer": str(number)} for number in range(10)]},
        {"choices": "3S"},
        {"choices": [{"answer": "3S"}, "none"]},
        {"choices": [{"answer": "3S"}, {"answer": "none", "more": 1}]},
        {"choices": [{"answer": "3S", "events": [{"event": "undo"}]}, {"answer": "none"}]},
        {"choices": [{"answer": "3S", "events": [WHICH]}, {"answer": "none"}]},
        {"choices": [{"answer": "3S", "events": [{"event": "play"}]}, {"answer": "none"}]},
        {"choices": [{"answer": "3S", "events": [WHICH["choices"][0]["events"][0]] * 5}, {"answer": "none"}]},  # type: ignore[index]
    ],
)
def test_what_is_no_question_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(EventError, match="ask"):
        parse_event({**WHICH, **wrong})


def test_a_question_names_only_seats_that_are_there() -> None:
    there = {"answer": "3S", "events": [{"event": "play", "card": "3S", "seat": 7}]}
    with pytest.raises(EventError, match=r"no_such_seat.*place=7"):
        begun().add({**WHICH, "choices": [there, {"answer": "none"}]})


def test_a_board_is_asked_nothing_about_cards() -> None:
    with pytest.raises(EventError):
        Match("mraha").add(WHICH)


# -- the match -------------------------------------------------------------------------------------------------------


def test_the_view_has_the_question_and_its_answers() -> None:
    question = asked().view.question
    assert question is not None and question.level == ASK
    assert (question["about"], question["choices"], question["seat"], question["trick"]) == (
        "laid",
        ["3S", "none"],
        1,
        1,
    )


def test_what_an_answer_stands_for_is_owed_until_it_is_logged() -> None:
    match = asked()
    assert not match.owed
    match.add({"event": "choose", "question": 3, "answer": "3S"})
    assert match.view.question is None
    owed = match.owed
    assert owed == (Play("3S", 1),)
    match.add(owed[0])
    assert not match.owed
    assert [shown["card"] for shown in match.view.trick or ()] == ["KS", "3S"]


@pytest.mark.parametrize("said", ["none", "3S"])
def test_nothing_is_owed_after_something_else_was_logged(said: str) -> None:
    match = asked()
    match.add({"event": "choose", "question": 3, "answer": said})
    if said == "3S":
        match.add({"event": "play", "card": "4S", "seat": 1})
    assert match.owed == ()


def test_only_one_of_the_answers_is_one() -> None:
    with pytest.raises(EventError):
        asked().add({"event": "choose", "question": 3, "answer": "5S"})


@pytest.mark.parametrize("next_one", [{"event": "play", "card": "3S", "seat": 1}, {"event": "void_deal"}, WHICH])
def test_what_the_table_tells_next_settles_it(next_one: dict[str, Any]) -> None:
    match = asked()
    match.add(next_one)
    assert match.view.question is None or match.view.question["question"] == 4
    with pytest.raises(EventError, match="choose_none: question=3"):
        match.add({"event": "choose", "question": 3, "answer": "3S"})


def test_a_question_is_nothing_to_take_back_and_goes_with_what_it_came_after() -> None:
    match = asked()
    assert [told.number for told in match.told] == [1, 2]
    match.add({"event": "undo"})
    assert match.view.question is None
    assert not match.view.trick
    match.add({"event": "redo"})
    assert match.view.question is None
    assert [shown["card"] for shown in match.view.trick or ()] == ["KS"]


def test_an_answer_whose_events_were_taken_back_hangs() -> None:
    match = asked()
    match.add({"event": "choose", "question": 3, "answer": "3S"})
    assert not match.answer_hangs
    match.add(match.owed[0])
    assert not match.answer_hangs
    match.add({"event": "undo"})
    assert match.answer_hangs and match.owed == ()
    match.add({"event": "undo"})
    assert not match.answer_hangs
    assert match.view.question is not None, "it is asked again"


# -- the table -------------------------------------------------------------------------------------------------------


def in_doubt() -> Table:
    """Three cards, and a fourth thing that no hand laid and that cannot be read."""
    table = dealt()
    for card, at, angle in (("KS", (0.0, 0.2), 0), ("3S", (-0.3, 0.0), 90), ("4S", (0.0, -0.2), 180)):
        table.put(card, at, angle)
    table.doubts = {("AS", "5S"): (0.3, 0.0)}
    table.rest()
    return table


def test_an_unread_last_card_may_be_none_at_all() -> None:
    question = in_doubt().match.view.question
    assert question is not None
    assert question["choices"] == ["AS", "5S", UNREAD, NONE]
    assert (question["about"], question["seat"]) == ("laid", 3)


@pytest.mark.parametrize("said, winner", [("AS", 3), ("5S", 0)])
def test_the_answer_is_the_truth(said: str, winner: int) -> None:
    table = in_doubt()
    table.answer(said)
    table.rest(fresh=False)
    table.rest()
    assert table.trick == [(0, "KS"), (1, "3S"), (2, "4S"), (3, said)]
    assert table.match.view.last_winner == winner
    table.cards, table.doubts = {"7H": table.cards["7H"]}, {}
    table.rest(table.hand(winner * 90.0), packets=((0.0, 0.9) if winner == 0 else (0.9, 0.0),))
    assert sum(isinstance(event, Taken) for event in table.match.log) == 1
    assert all(notice.level != ALERT for notice in table.said)


def test_a_card_that_was_none_is_not_told_again_and_another_is() -> None:
    table = in_doubt()
    table.answer(NONE)
    for fresh in (False, True, True):
        table.rest(fresh=fresh)
    assert table.trick == [(0, "KS"), (1, "3S"), (2, "4S")]
    assert table.match.view.question is None
    table.put("6S", (0.25, 0.2), 270)
    assert table.trick[3] == (3, "6S")


def test_a_question_that_nobody_answers_is_settled_with_its_doubt_when_play_goes_on() -> None:
    table = in_doubt()
    table.cards, table.doubts = {"7H": table.cards["7H"]}, {}
    table.rest(table.hand(0), packets=((0.0, 0.9),))
    for card, at, angle in (("3D", (0, 0.2), 0), ("4D", (-0.3, 0), 90), ("5D", (0, -0.2), 180), ("6D", (0.3, 0), 270)):
        table.put(card, at, angle)
    assert table.match.view.question is None
    assert table.match.view.trick_number == 2
    assert table.trick == [(0, "3D"), (1, "4D"), (2, "5D"), (3, "6D")]
    assert sum(isinstance(event, Ask) for event in table.match.log) == 1
    assert all(notice.level != ALERT for notice in table.said)


def test_the_same_is_not_asked_twice_and_two_questions_lie_tricks_apart() -> None:
    table = in_doubt()
    table.rest()
    table.rest(fresh=False)
    assert sum(isinstance(event, Ask) for event in table.match.log) == 1


def test_what_leads_to_the_same_is_not_asked() -> None:
    """Without points or the trick hanging on it: a doubt, told like any other."""
    table = dealt()
    for card, at, angle in (("KS", (0.0, 0.2), 0), ("3S", (-0.3, 0.0), 90), ("4S", (0.0, -0.2), 180)):
        table.put(card, at, angle)
    table.doubts = {("5S", "6S"): (0.3, 0.0)}
    table.rest(table.hand(270, (0.3, 0.0)))
    assert not any(isinstance(event, Ask) for event in table.match.log)


def test_how_accounts_go_on_is_told_by_their_shares() -> None:
    first, second = Step("lay", 0, "KS", 1), Step("lay", 1, "3S", 1)
    lines = [(0.6, (first, second)), (0.3, (first,)), (0.1, (second,))]
    beam = [Hypothesis(math.log(share), steps, PLAYING) for share, steps in lines]
    told = [(round(branch.posterior, 3), branch.step) for branch in branches(beam, [first.key])]
    assert told == [(0.667, second), (0.333, None)]
    assert set(ASKED) >= {"laid", "whose", "first", "lifted", "turned_up"}
