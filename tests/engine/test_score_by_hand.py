"""The score set right by hand: an event like any other, in every game that keeps a score."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.events import Deal, DeviceTurn, EventError, Play, SetScore, event_to_dict, parse_event
from engine.journal import event_line, header_line, read_journal
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.rules.awale import AwaleFlags, AwalePosition, AwaleTurn, legal_turns
from engine.simulate import honest_deal
from engine.simulate_awale import board_of, honest_game, honest_turns, plant
from engine.values import changed
from tests.engine.table import deal, only, play, taken, tell, two_each

TABLES = [("turufu", 4), ("triomphe", 3), ("pille", 4), ("belote", 4), ("sueca", 4)]


def score(*points: int, reason: str = "") -> dict[str, Any]:
    return {"event": "score", "points": list(points)} | ({"reason": reason} if reason else {})


def sides(match: Match) -> int:
    return len(match.view.games or ())


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_score_is_set_and_the_next_deal_adds_to_it(game: str, players: int) -> None:
    match, beside = Match(game, players), Match(game, players)
    assert isinstance(match.judge, CardJudge)
    wanted = list(range(sides(match)))
    told = only(tell(match, score(*wanted, reason="counted")), "score_set")
    assert (told.facts["match"], told.facts["reason"]) == (wanted, "counted")
    assert list(match.view.games or ()) == wanted
    events = honest_deal(match.judge.game, Random(3), 0).events
    tell(match, *events)
    tell(beside, *events)
    added = [now - before for now, before in zip(match.view.games or (), wanted, strict=True)]
    assert added == list(beside.view.games or ())


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_stands_after_the_deal_that_was_scored_and_can_be_taken_back(game: str, players: int) -> None:
    match = Match(game, players)
    assert isinstance(match.judge, CardJudge)
    tell(match, *honest_deal(match.judge.game, Random(4), 0).events)
    before = match.view
    wanted = tuple(range(1, sides(match) + 1))
    tell(match, score(*wanted))
    assert match.view.games == wanted
    tell(match, {"event": "undo"})
    assert match.view.to_dict() == before.to_dict()
    tell(match, {"event": "redo"}, *honest_deal(match.judge.game, Random(5), 1).events[:1])
    assert match.view.games == wanted


def test_a_card_lifted_while_a_wrong_score_had_won_accuses_nobody_of_the_next() -> None:
    match = Match("turufu", 2)
    tell(match, deal(1, "3S"), play("KH", 0), play("QH", 1), score(4, 1), {"event": "taken_back", "number": 3})
    tell(match, score(1, 1))
    assert [notice.level for notice in tell(match, play("JH", 1))].count("alert") == 0


def test_a_score_set_lower_than_a_deal_brought_is_never_below_nothing() -> None:
    match = Match("belote", 4)
    assert isinstance(match.judge, CardJudge)
    events = list(honest_deal(match.judge.game, Random(4), 0).events)
    while not isinstance(events[-1], Play):
        events.pop()
    tell(match, *events)
    number = len(match.log)
    tell(match, score(0, 0), {"event": "taken_back", "number": number})
    assert min(match.view.games or ()) >= 0
    tell(match, events[-1])
    assert match.view.games == (0, 0)


def test_it_stands_for_a_deal_whose_score_was_open() -> None:
    """What that deal waited for is not asked any more, and it adds nothing."""
    match = two_each()
    assert match.view.question is not None
    tell(match, score(2, 1))
    assert match.view.question is None and match.view.games == (2, 1)
    tell(match, deal(0, "8H"))
    assert match.view.question is None and (match.view.games, match.view.dealer) == ((2, 1), 0)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_stands_when_the_last_card_is_lifted_and_laid_again(game: str, players: int) -> None:
    match = Match(game, players)
    assert isinstance(match.judge, CardJudge)
    events = list(honest_deal(match.judge.game, Random(4), 0).events)
    while not isinstance(events[-1], Play):
        events.pop()
    tell(match, *events)
    brought = match.view.games or ()
    wanted = tuple(had + side for side, had in enumerate(brought))
    number = len(match.log)
    tell(match, score(*wanted), {"event": "taken_back", "number": number})
    assert match.view.games == tuple(range(sides(match)))
    tell(match, events[-1])
    assert match.view.games == wanted and match.view.phase in ("deal_over", "match_over")


def test_it_stands_for_a_deal_whose_score_was_open_though_its_last_card_is_laid_again() -> None:
    match = two_each()
    number = len(match.log)
    tell(match, score(2, 1), {"event": "taken_back", "number": number})
    tell(match, play("8D", 0))
    assert match.view.question is None and match.view.games == (2, 1)
    tell(match, deal(0, "8H"))
    assert (match.view.games, match.view.dealer) == ((2, 1), 0)


def test_a_late_question_is_settled_by_it_too() -> None:
    match = two_each()
    tell(match, deal(0, "8H"), play("KS", 1))
    tell(match, score(1, 0))
    assert match.view.question is None and [card["card"] for card in match.view.trick or ()] == ["KS"]


def test_it_can_win_a_match_and_take_the_win_back() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH", 0))
    assert only(tell(match, score(4, 1)), "match_won").facts["side"] == 0
    assert match.view.winner == 0
    tell(match, score(3, 1))
    assert match.view.winner is None
    tell(match, score(4, 1), deal(0, "4D"))
    assert (match.view.games, match.view.match) == ((0, 0), 2)


@pytest.mark.parametrize("laid", [0, 3, 10, 20, 35])
def test_a_deal_goes_on_when_a_score_that_won_the_match_is_put_right(laid: int) -> None:
    match, beside = Match("turufu", 4), Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    first, *cards = honest_deal(match.judge.game, Random(3), 0).events
    tell(beside, score(1, 1), first, *cards)
    tell(match, first, *cards[:laid])
    before = match.view
    tell(match, score(4, 1))
    assert match.view.phase == "match_over"
    tell(match, score(1, 1))
    assert (match.view.phase, match.view.games, match.view.trick) == (before.phase, (1, 1), before.trick)
    told = tell(match, *cards[laid:])
    assert only(told, "deal_scored").facts["match"] == list(beside.view.games or ())


def test_cards_laid_while_a_match_seemed_won_accuse_nobody() -> None:
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    first, *cards = honest_deal(match.judge.game, Random(3), 0).events
    said = tell(match, first, *cards[:14], score(4, 1), *cards[14:17], score(1, 1), *cards[17:])
    assert [notice for notice in said if notice.level == "alert"] == []
    assert match.view.winner is None


def test_a_match_won_between_two_deals_is_over() -> None:
    match = Match("turufu", 4)
    tell(match, score(4, 0))
    tell(match, deal(3, "3S"))
    assert (match.view.games, match.view.match) == ((0, 0), 2)


def test_the_markers_of_turufu_go_with_it() -> None:
    match = Match("turufu", 4)
    tell(match, score(2, 1))
    assert match.view.to_dict()["markers"] == [["8"], ["8", "9"]]


def test_the_seeds_that_were_taken_can_be_set_right() -> None:
    match = Match("awale", 2)
    for board in honest_game(Random(1), AwaleFlags()):
        match.add(board)
        captured = list((match.view.to_dict()["captured"]).values())
        if min(captured) >= 2 and match.view.phase != "over":
            break
    south, north = captured
    tell(match, score(south - 1, north + 1, reason="dropped in the wrong store"))
    assert list(match.view.to_dict()["captured"].values()) == [south - 1, north + 1]
    with pytest.raises(EventError, match="points_of_seeds"):
        tell(match, score(south + 5, north))
    tell(match, {"event": "undo"})
    assert list(match.view.to_dict()["captured"].values()) == [south, north]


def awale_on() -> tuple[Match, AwalePosition, AwaleTurn]:
    """A game in which both have taken seeds; the position before the last turn, and that turn."""
    match, before = Match("awale", 2), AwalePosition()
    match.add(board_of(before.sides))
    for turn in honest_turns(Random(1), AwaleFlags()):
        match.add(board_of(turn.after.sides))
        if min(before.captured) >= 2:
            return match, before, turn
        before = turn.after
    raise AssertionError("it is shorter")


def one_to_south(match: Match) -> tuple[int, int]:
    """One seed more for South, as somebody counted, and one fewer for North; what South has then, and North."""
    south, north = match.state.position.captured
    tell(match, score(south + 1, north - 1))
    return south + 1, north - 1


def test_seeds_set_right_stay_so_when_the_turn_before_is_taken_back() -> None:
    match, before, turn = awale_on()
    one_to_south(match)
    tell(match, board_of(before.sides))
    assert match.state.position.captured == (before.captured[0] + 1, before.captured[1] - 1)
    tell(match, board_of(turn.after.sides))
    assert match.state.position.captured == (turn.after.captured[0] + 1, turn.after.captured[1] - 1)


def test_seeds_set_right_stay_so_when_an_illegal_turn_stands() -> None:
    match, _, turn = awale_on()
    wrong = plant(turn.after, AwaleFlags(), "opponents_turn", Random(0))
    assert wrong is not None
    tell(match, wrong)
    number = len(match.log)
    south, north = one_to_south(match)
    tell(match, {"event": "confirm", "number": number})
    assert sum(match.state.position.captured) >= south + north and match.state.position.captured[0] >= south


def test_seeds_set_right_leave_what_the_device_asks_for() -> None:
    match, _, turn = awale_on()
    wanted, other = list(legal_turns(turn.after, AwaleFlags()))[:2]
    tell(match, DeviceTurn(wanted))
    counted = one_to_south(match)
    assert match.view.to_dict()["wanted"] == wanted
    tell(match, board_of(legal_turns(turn.after, AwaleFlags())[other].after.sides))
    asked = match.view.question
    assert asked is not None and asked["about"] == "other_turn"
    tell(match, {"event": "choose", "question": asked["question"], "answer": "anew"})
    assert match.state.position.captured == counted


def test_a_game_of_seeds_goes_on_when_a_score_that_won_it_is_put_right() -> None:
    match, _, turn = awale_on()
    south, north = turn.after.captured
    assert south + north < 24
    while south + north <= 24:
        turn = next(iter(legal_turns(match.state.position, AwaleFlags()).values()))
        tell(match, board_of(turn.after.sides))
        south, north = match.state.position.captured
    assert match.view.phase != "over"
    tell(match, score(south + north, 0))
    assert match.view.winner == 0
    tell(match, score(south, north))
    assert (match.view.phase, match.view.winner) == ("play", None)


def test_where_no_score_is_kept_none_can_be_set() -> None:
    with pytest.raises(EventError, match="score_none"):
        Match("mraha", 2).add(score(1, 0))


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": [1]}, {"points": [1, 2, 3]}, {"points": [1, "2"]}, {"points": [True, 1]}, {"points": "12"},
        {"points": [1, 10**6]}, {"points": [1, None]}, {}, {"points": [1, 1], "reason": "a" * 200},
        {"points": [1, 1], "reason": "two\nlines"}, {"points": [1, 1], "reason": 3}, {"points": [1, 1], "side": 0},
    ],
)  # fmt: skip
def test_what_is_no_score_is_refused(wrong: dict[str, Any]) -> None:
    match = Match("turufu", 4)
    with pytest.raises(EventError):
        match.add({"event": "score"} | wrong)
    assert match.log == []


def test_it_is_written_down_and_read_again() -> None:
    event = SetScore((3, 2), "we counted")
    assert parse_event(event_to_dict(event)) == event
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH", 0), play("3H", 1), play("4H", 2), play("5H", 3), taken(0), event)
    lines = [header_line(match.header), *(event_line(number, event) for number, event in enumerate(match.log, 1))]
    again = read_journal("".join(line + "\n" for line in lines)).replay()
    assert again.view.to_dict() == match.view.to_dict()


@pytest.mark.parametrize(
    ("game", "held", "counted", "left"),
    [("turufu", 1, (2, 0), 0), ("turufu", 1, (0, 0), 1), ("belote", 81, (0, 243), 0), ("belote", 81, (81, 0), 81)],
)
def test_what_was_held_over_is_paid_once_where_a_deal_is_counted_by_hand(
    game: str, held: int, counted: tuple[int, int], left: int
) -> None:
    """A tie left something to the next deal, of which too little could be read: players count it, and what was held."""
    match = Match(game, 4, {"equal": "litige"} if game == "belote" else {})
    assert isinstance(match.judge, CardJudge)
    first, *rest = honest_deal(match.judge.game, Random(5), 0).events
    tell(match, first)
    state = match.state
    match._entries[-1].state = changed(state, score=changed(state.score, tie_bonus=held))
    tell(match, *(replace(event, card=None) if isinstance(event, Play) else event for event in rest))
    assert match.view.games == (0, 0)
    tell(match, score(*counted))
    assert (match.view.games, match.view.to_dict()["tie_bonus"]) == (counted, left)
    assert isinstance(first, Deal)
    tell(match, replace(first, dealer=1))
    assert (match.view.games, match.view.to_dict()["tie_bonus"]) == (counted, left)


@pytest.mark.parametrize("way", ["penalty", "score", "score of a void deal"])
def test_a_match_won_after_its_last_deal_leaves_it_open_who_deals_the_next(way: str) -> None:
    """The next match draws its dealer anew: whoever leads it first is not suspected."""
    match = Match("triomphe", 2, {"penalty": "point", "target": 2})
    cards = ["KH", "9C", "8C", "KC", "QC", "7H", "JC", "8H", "8D", "8S"]
    seats = [0, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    tell(match, deal(1, "7S"), *map(play, cards, seats))
    if way == "penalty":
        tell(match, {"event": "choose", "question": 11, "answer": "yes"})
    else:
        tell(match, *([deal(0, "8H"), {"event": "void_deal"}] if "void" in way else []), score(0, 2))
    assert match.view.winner == 1
    tell(match, deal(None, "7D"))
    assert (match.view.dealer, match.view.turn, match.view.games) == (None, None, (0, 0))
    assert not tell(match, play("KH", 0))


def test_a_match_that_was_not_won_after_all_goes_on_with_its_dealer() -> None:
    match = two_each()
    tell(match, score(5, 1), score(2, 1), deal(None, "8H"))
    assert (match.view.dealer, match.view.turn) == (0, 1)
