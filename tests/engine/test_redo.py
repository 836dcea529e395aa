"""What was taken back can be brought back, as long as nothing else followed."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import EventError, Redo, Undo, event_to_dict, parse_event
from engine.journal import match_lines, read_journal
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match
from tests.engine.table import deal, only, play, tell


def four() -> Match:
    return Match("turufu", 4)


def test_a_play_taken_back_and_brought_back_is_the_same_play() -> None:
    match = four()
    tell(match, deal(3, "7H"), play("AS", 0), play("KS", 1))
    view = match.view
    match.add(Undo())
    match.add(Undo())
    assert only(match.add(Redo()), "redone").facts["number"] == 2
    match.add(Redo())
    assert match.view == view
    assert len(match.log) == 7, "the log only ever grows"


def test_what_it_said_is_said_again() -> None:
    match = four()
    tell(match, deal(3, "7H"), play("AS", 0), play("KS", 1), play("QS", 2))
    said = match.add(play("JS", 3))
    match.add(Undo())
    assert match.add(Redo())[1:] == said


def test_a_correction_is_brought_back_too() -> None:
    match = four()
    tell(match, deal(3, "7H"), play("AS", 0), play("KS", 1), {"event": "correct", "number": 3, "card": "QS"})
    view = match.view
    match.add(Undo())
    assert only(match.add(Redo()), "redone").facts == {"number": 3, "card": "KS", "correction": True}
    assert match.view == view


@pytest.mark.parametrize("followed", [play("QS", 1), {"event": "correct", "number": 2, "card": "QS"}])
def test_nothing_is_brought_back_once_something_else_followed(followed: dict[str, Any]) -> None:
    match = four()
    tell(match, deal(3, "7H"), play("AS", 0), play("KS", 1), {"event": "undo"})
    assert match.can_redo
    match.add(followed)
    assert not match.can_redo
    with pytest.raises(EventError, match="nothing_to_redo"):
        match.add(Redo())


def test_without_an_undo_there_is_nothing_to_bring_back() -> None:
    match = four()
    with pytest.raises(EventError):
        match.add(Redo())
    tell(match, deal(3, "7H"), {"event": "undo"}, {"event": "redo"})
    with pytest.raises(EventError):
        match.add(Redo())
    assert len(match.log) == 3, "what is refused is not logged"


def test_it_is_written_and_read_like_any_other_event() -> None:
    assert parse_event({"event": "redo"}) == Redo()
    assert event_to_dict(Redo()) == {"event": "redo"}
    with pytest.raises(EventError, match="not_of_the_game"):
        match = four()
        tell(
            match, deal(3, "7H"), {"event": "undo"}, {"event": "redo"}, {"event": "correct", "number": 3, "card": "AS"}
        )


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 50), st.integers(1, 60), st.data())
def test_any_way_back_and_forth_ends_where_it_was_and_so_does_its_journal(
    seed: int, events: int, data: st.DataObject
) -> None:
    match = four()
    assert isinstance(match.judge, CardJudge)
    for event in honest_match(match.judge.game, Random(seed), events)[:events]:
        match.add(event)
    views = [match.view]
    for _ in range(data.draw(st.integers(1, 8))):
        if match.can_redo and data.draw(st.booleans()):
            views.pop()
            match.add(Redo())
            assert match.view == views[-1]
        elif match.can_undo:
            match.add(Undo())
            views.append(match.view)
    again = read_journal("\n".join(match_lines(match)) + "\n").replay()
    assert again.view == match.view and again.can_redo == match.can_redo


def test_a_correction_that_goes_wrong_inside_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = four()
    tell(match, deal(3, "7H"), play("AS", 0), play("KS", 1))

    def breaks(*_: Any) -> Any:
        raise AssertionError

    with monkeypatch.context() as broken, pytest.raises(AssertionError):
        broken.setattr(CardJudge, "apply", breaks)
        match.add({"event": "correct", "number": 2, "card": "QS"})
    match.add(Undo())
    assert [laid["card"] for laid in match.view.trick or ()] == ["AS"], "the card laid last went, and nothing else"
