"""Cards that could not be read, or not for sure: points become a range, leads stay open, nobody is accused."""

from dataclasses import replace
from random import Random

import pytest

from engine.events import Choose, Correct, Deal, Event, Play, Taken, TakenBack
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal, honest_match
from tests.engine.table import alarms, deal, only, play, rules, suspected, taken, tell
from tests.sizes import slow


def four() -> Match:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"))
    return match


def test_points_become_a_range_and_the_leader_stays_open() -> None:
    match = four()
    notices = tell(match, play("KH", 0), play(None, 1, candidates=["7H", "6H"]), play("4H", 2), play("5H", 3))
    trick = only(notices, "trick").facts
    assert (trick["seat"], trick["seats"], trick["points"]) == (None, [0, 1], (4, 14))
    assert match.view.points == ((0, 4), (0, 14))
    assert match.view.turn is None


def test_the_next_lead_tells_who_won() -> None:
    match = four()
    tell(match, play("KH", 0), play(None, 1, candidates=["7H", "6H"]), play("4H", 2), play("5H", 3))
    notices = tell(match, play("AD", 0))
    assert rules(notices) == []
    told = only(notices, "trick").facts
    assert (told["trick"], told["seat"], told["cards"], told["points"]) == (1, 0, ["KH", None, "4H", "5H"], (4, 14))
    assert match.view.turn == 1
    assert match.view.tricks == (1, 0)
    assert alarms(tell(match, play("4D", 1), play("5D", 2), play("6D", 3), taken(0), play("3D", 0))) == []
    assert [notice.facts["trick"] for notice in match.notices if notice.code == "trick"] == [1, 1, 2]


def test_where_a_trick_comes_to_rest_tells_who_won_it() -> None:
    match = four()
    tell(match, play("KH", 0), play(None, 1, candidates=["7H", "6H"]), play("4H", 2), play("5H", 3))
    assert only(tell(match, taken(1)), "trick").facts["seat"] == 1


def test_neither_could_have_won() -> None:
    match = four()
    tell(match, play("KH", 0), play(None, 1, candidates=["7H", "6H"]), play("4H", 2), play("5H", 3))
    assert suspected(tell(match, play("AD", 2))) == ["wrong_leader"]


def test_a_card_that_lies_elsewhere_is_no_candidate() -> None:
    match = four()
    tell(match, play("7H", 0), play(None, 1, candidates=["7H", "6H"]), play("4H", 2), play("5H", 3))
    assert (match.view.points, match.view.turn) == ((10, 0), 0)


def test_of_two_cards_in_either_order_one_answer_tells_both() -> None:
    match = four()
    both = ["AH", "5H"]
    tell(match, play("KH", 0), play(None, 1, candidates=both), play(None, 2, candidates=both), play("7H", 3))
    assert match.view.turn is None
    tell(match, {"event": "correct", "number": 3, "card": "AH"})
    assert [shown["card"] for shown in match.view.trick or ()] == ["KH", "AH", "5H", "7H"]


def test_a_card_told_by_those_beside_it_accuses_nobody() -> None:
    """Seat 2 shows a diamond later: had its first card been the 7 of hearts, which nobody read, it was a revoke."""
    alerts = []
    for second in (play("7H", 2), play(None, 2, candidates=["KD", "7H"])):
        match = Match("triomphe", 4)
        notices = tell(match, deal(3, "7S"), play("KD", 0), play("QD", 1), second, play("9D", 3), taken(0))
        notices += tell(match, play("KC", 0), play("9C", 1), play("10D", 2), play("8C", 3), taken(0))
        alerts.append([notice.code for notice in notices if notice.level == "alert"])
    assert alerts == [["revoke"], []]


def test_a_card_that_is_read_later_was_not_the_one_told_by_those_beside_it() -> None:
    """The list left the true card out: what was told is unread again, and the later reading stands."""
    match = four()
    tell(match, play("KH", 0), play(None, 1, candidates=["KH", "AH"]), play("4H", 2), play("5H", 3), play("6D", 1))
    assert match.view.points == (0, 15)
    assert alarms(tell(match, play("5D", 2), play("4D", 3), play("AH", 0))) == []
    assert match.view.trick is not None and match.view.trick[3]["card"] == "AH"
    assert match.view.points == (0, (15, 26))  # The king, whatever took it, and this ace.


def test_a_candidate_that_lay_elsewhere_is_not_deduced() -> None:
    match = Match("turufu", 4)
    (asked,) = alarms(tell(match, deal(3, "7C"), play("7H", 0), play(None, 1, candidates=["7H", "7C"])))
    assert asked.code == "unreadable"


def test_a_deal_whose_score_waits_for_an_answer_is_over_once_it_is_gathered() -> None:
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    events = honest_match(match.judge.game, Random(31), 1)
    hidden = [event for event in events if isinstance(event, Play)][5:10:4]
    cards = tuple(play.card for play in hidden if play.card)
    for event in events:
        match.add(replace(event, card=None, candidates=cards) if event in hidden else event)
    assert match.view.question is not None and match.view.question["about"] == "card"
    assert match.view.phase == "deal_over"


@pytest.mark.parametrize("seed", range(20))
def test_a_question_has_more_than_one_answer(seed: int) -> None:
    """Three cards that nobody read: of each only its own name and another's were thought possible."""
    match = Match("pille", 3)
    assert isinstance(match.judge, CardJudge)
    events = list(honest_match(match.judge.game, Random(seed), 1))
    hidden = Random(seed).sample([place for place, event in enumerate(events) if isinstance(event, Play)], 3)
    other = events[hidden[0]]
    for place, event in enumerate(events):
        if place in hidden and isinstance(event, Play) and isinstance(other, Play):
            maybe = (event.card,) if place == hidden[2] else (event.card, other.card)
            event = replace(event, card=None, candidates=tuple(card for card in maybe if card))
        asked = [notice for notice in match.add(event) if notice.code == "question"]
        assert all(len(notice.facts["choices"]) > 1 for notice in asked)


def test_two_questions_that_one_event_raised_can_both_be_answered() -> None:
    """Which card it was, and whether the other side took the last trick."""
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    events = list(honest_match(match.judge.game, Random(5), 1))
    last = events.pop()
    assert isinstance(last, Taken)
    for place, event in enumerate(events):
        match.add(replace(event, card=None) if place in (1, 9) and isinstance(event, Play) else event)
    match.add(replace(last, seat=(last.seat + 1) % 4, confidence=0.5))
    abouts = []
    while (asked := match.view.question) is not None:
        abouts.append(asked["about"])
        match.add(Choose(asked["question"], asked["choices"][-1]))
    assert sorted(set(abouts)) == ["card", "taken"]
    assert match.view.phase == "deal_over" and match.view.games not in (None, (0, 0))


def test_correcting_the_card_closes_the_range() -> None:
    match = four()
    tell(match, play("KH", 0), play(None, 1, candidates=["7H", "6H"]), play("4H", 2), play("5H", 3))
    tell(match, {"event": "correct", "number": 3, "card": "7H"})
    assert (match.view.points, match.view.turn) == ((0, 14), 1)


@pytest.mark.parametrize("seed", range(8))
def test_the_only_card_never_seen_is_the_unread_one(seed: int) -> None:
    """At the end of a turufu deal the pack tells which it was: the score is exact."""
    match, whole = Match("turufu", 4), Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    rng = Random(seed)
    events = honest_match(match.judge.game, rng, 1)
    hidden = rng.choice([place for place, event in enumerate(events) if isinstance(event, Play)])
    for place, event in enumerate(events):
        whole.add(event)
        if place == hidden:
            assert isinstance(event, Play)
            event = Play(None, event.seat)
        notices = match.add(event)
        assert rules(notices) == []
        assert [notice.code for notice in alarms(notices)] == (["unreadable"] if place == hidden else [])
    assert (match.view.points, match.view.games) == (whole.view.points, whole.view.games)
    assert last_told(match) == last_told(whole)


def last_told(match: Match) -> dict[int, tuple[int | None, list[str | None]]]:
    """The last that was said of each trick: who won it, and its cards."""
    tricks = [notice.facts for notice in match.notices if notice.code == "trick"]
    return {trick["trick"]: (trick["seat"], trick["cards"]) for trick in tricks}


def test_of_two_cards_never_seen_each_is_the_one_that_was_played_honestly() -> None:
    """Were they the other way round, somebody would have revoked; where both ways are honest, neither is told."""
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    told = []
    for seed in range(12):
        match, whole, rng = Match("turufu", 4), Match("turufu", 4), Random(seed)
        assert isinstance(match.judge, CardJudge)
        events = honest_match(match.judge.game, rng, 1)
        hidden = rng.sample([place for place, event in enumerate(events) if isinstance(event, Play)], 2)
        for place, event in enumerate(events):
            whole.add(event)
            unread = isinstance(event, Play) and place in hidden
            match.add(replace(event, card=None) if unread and isinstance(event, Play) else event)
        read = [None not in cards for _, cards in last_told(match).values()]
        told.append(all(read))
        assert not all(read) or last_told(match) == last_told(whole)
    assert True in told and False in told


@pytest.mark.parametrize("seed", [0, 1, *slow(*range(2, 10))])
@pytest.mark.parametrize(("game", "players"), [("turufu", 2), ("turufu", 6), ("triomphe", 4), ("pille", 3)])
def test_unread_and_doubtful_cards_accuse_nobody(game: str, players: int, seed: int) -> None:
    match = Match(game, players)
    assert isinstance(match.judge, CardJudge)
    rng = Random(seed)
    for event in honest_match(match.judge.game, rng, 3):
        if isinstance(event, Play) and rng.random() < 0.1:
            event = Play(None, event.seat)
        elif isinstance(event, Play) and rng.random() < 0.1:
            event = Play(rng.choice(match.judge.game.pack), event.seat, confidence=0.5)
        assert [notice for notice in match.add(event) if notice.level == "alert"] == []


def test_a_doubtful_reading_asks_where_a_sure_one_accuses() -> None:
    match = four()
    (asked,) = alarms(tell(match, play("9H", 0, confidence=0.6)))
    assert (asked.code, asked.level, asked.facts["why"]) == ("unreadable", "ask", "not_in_pack")
    match = four()
    tell(match, play("AH", 0))
    (asked,) = alarms(tell(match, play("AH", 1, confidence=0.6)))
    assert asked.facts["why"] == "seen_before"


def test_a_doubtful_reading_asks_at_once_and_accuses_nobody_later() -> None:
    match = four()
    (asked,) = alarms(tell(match, play("AH", 0, confidence=0.6)))
    assert (asked.code, asked.facts["number"], asked.facts["candidates"]) == ("unreadable", 2, ["AH"])
    assert match.view.trick == ({"seat": 0, "card": "AH", "number": 2, "sure": False},)
    assert alarms(tell(match, play("AH", 1))) == []
    assert rules(tell(match, {"event": "confirm", "number": 2})) == ["seen_before"]


@pytest.mark.parametrize("players", [4, 6])
def test_a_card_turned_up_that_was_told_as_played_accuses_nobody_once_that_was_taken_back(players: int) -> None:
    match = Match("turufu", players)
    assert isinstance(match.judge, CardJudge)
    begin, *rest = honest_deal(match.judge.game, Random(1), 0).events
    assert isinstance(begin, Deal) and begin.turn_up is not None
    first: list[Event] = [
        Deal(None),
        Play(begin.turn_up, 0, beside=False),
        Correct(1, {"turn_up": begin.turn_up}),
        TakenBack(2),
    ]
    notices = [notice for event in (*first, *rest) for notice in match.add(event)]
    assert [notice for notice in notices if notice.level == "alert"] == []


def test_a_confirmed_marker_card_is_an_alert() -> None:
    match = four()
    tell(match, play("AH", 0), play("9H", 1, confidence=0.6))
    assert rules(tell(match, {"event": "confirm", "number": 3})) == ["not_in_pack"]


def test_a_lead_that_hangs_on_a_doubtful_card_is_not_accused() -> None:
    match = four()
    tell(match, play("AH", 0, confidence=0.6), play("3H"), play("4H"), play("7H"))
    assert match.view.turn is None
    assert alarms(tell(match, play("AD", 3))) == []
    assert match.view.turn == 0


def test_a_trick_gathered_with_a_card_nobody_saw() -> None:
    match = four()
    tell(match, play("AH", 0), play("3H"), play("4H"))
    notices = tell(match, taken(0))
    assert [notice.code for notice in alarms(notices)] == ["unreadable"]
    assert match.view.trick_number == 2
    assert match.view.turn in (0, None)


REVOKED = ["KC", "7D", "QC", "8C", "JC", "9C", "AC", "10C", "KH", "8H"]


def test_a_doubtful_card_keeps_a_proof_provisional_until_confirmed() -> None:
    match = Match("triomphe", 2)
    events = [play(card) for card in REVOKED]
    events[1] |= {"confidence": 0.6}
    notices = tell(match, deal(1, "7H"), *events)
    levels = [notice.facts["level_of_proof"] for notice in notices if notice.code == "revoke"]
    assert set(levels) == {"provisional"}
    alert = match.view.alert
    assert alert == {"notice": "revoke", "level_of_proof": "provisional", "tricks": [1]}
    proven = tell(match, {"event": "confirm", "number": 3})
    assert [notice.facts["level_of_proof"] for notice in proven if notice.code == "revoke"][-1] == "proven"


@pytest.mark.parametrize("place", [1, 3])
def test_an_order_that_the_hands_gainsay_proves_nothing(place: int) -> None:
    """The card that was thrown away, or the one shown later, may be the other player's."""
    match = Match("triomphe", 2)
    events = [play(card) for card in REVOKED]
    events[place] |= {"order_sure": False}
    notices = tell(match, deal(1, "7H"), *events)
    early = [notice for notice in notices if notice.code == "revoke" and notice.facts["after_trick"] <= 2]
    assert "proven" not in [notice.facts["level_of_proof"] for notice in early]


def test_a_score_that_hangs_on_an_unread_card_asks_for_it() -> None:
    """Two tricks each and the fifth open: who won it is asked for, the answer settles the score."""
    match = Match("triomphe", 2)
    plays = ["KC", "7C", "QC", "8C", "9D", "10D", "KH", "9H", None, "QS"]
    events = [play(card) for card in plays]
    events[6:8] = [play("KH", 1), play("9H", 0)]
    events[8] = play(None, 1, candidates=["KS", "7S"])
    events[9] = play("QS", 0)
    notices = tell(match, deal(1, "7D"), *events)
    asked = only(notices, "question").facts
    assert (asked["about"], asked["choices"], asked["trick"]) == ("winner", ["0", "1"], 5)
    settled = tell(match, {"event": "choose", "question": asked["question"], "answer": "1"})
    assert only(settled, "deal_scored").facts["games"] == [0, 1]


@pytest.mark.parametrize(("order_sure", "winner", "accused"), [(True, 0, ["wrong_leader"]), (False, 1, [])])
def test_after_an_order_that_was_open_a_lead_tells_who_won(order_sure: bool, winner: int, accused: list[str]) -> None:
    match = four()
    first = [play(card) | {"order_sure": order_sure} for card in ("AH", "5H", "6H", "7H")]
    notices = tell(match, *first, play("KC", seat=1) | {"order_sure": order_sure})
    assert suspected(notices) == accused
    assert match.state.deal.done[-1].winners == {winner}
    assert match.view.turn == 2
