"""Hands laid open before the end: the table asks who takes the rest."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.events import Choose, Claim, Deal, Event, EventError, Play, Take, parse_event
from engine.match import Match
from engine.notices import Notice
from engine.playing import game_of
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal
from tests.engine.table import deal, only, play, tell
from tests.engine.test_cards_table import TALON, Table

TRICKS = (("KS", "7S", "8S", "9S"), ("KC", "7C", "8C", "9C"), ("KD", "7D", "8D", "9D"))
PLACES = (((0.0, 0.3), 0), ((0.3, 0.0), 270), ((0.0, -0.3), 180), ((-0.3, 0.0), 90))
OPEN = (
    (0, (("AC", (0.1, 0.42)), ("QC", (-0.05, 0.42)))),
    (90, (("QD", (-0.42, 0.1)), ("JD", (-0.42, -0.05)))),
    (180, (("JS", (0.1, -0.42)), ("QS", (-0.05, -0.42)))),
)


def three_tricks() -> Table:
    """All but two tricks of a deal are played; the first player won them and leads."""
    table = Table("triomphe", 4)
    table.rest()
    table.deal("7H")
    for trick in TRICKS:
        for card, (at, angle) in zip(trick, PLACES, strict=True):
            table.put(card, at, angle)
        table.sweep(0, (0.3, 0.8))
    return table


def laid_open() -> Table:
    """And three players lay theirs open."""
    table = three_tricks()
    for angle, cards in OPEN:
        hand = table.hand(angle, cards[0][1])
        table.cards |= dict(cards)
        table.rest(hand)
    return table


def test_hands_laid_open_are_no_plays_and_it_is_asked_who_takes_the_rest() -> None:
    table = laid_open()
    assert table.match.log[-1] == Claim()
    question = table.match.view.question
    assert question is not None and question["about"] == "rest"
    assert question["choices"] == ["0", "1", "2", "3", "nobody"]
    assert table.alerts == []


def test_who_takes_the_rest_is_said_and_the_next_deal_follows() -> None:
    table = laid_open()
    table.answer("0")
    scored = next(notice for notice in table.said if notice.code == "deal_scored")
    assert scored.facts["tricks"] == [5, 0, 0, 0]
    table.cards = {}
    table.rest(table.hand(0), packets=((0.0, 0.9),))
    table.deal("AD", TALON)
    lead = table.match.view.turn
    assert lead is not None
    table.put("KC", *PLACES[lead])
    assert table.match.view.turn_up == "AD"
    assert table.trick == [(lead, "KC")]
    assert table.alerts == []


def test_two_players_who_lay_a_card_each_claim_nothing() -> None:
    """A lead and its answer are no claim, though as many cards lie there as a player has left."""
    table = three_tricks()
    table.put("AC", (0.0, 0.3), 0, looks=1)
    table.put("QC", *PLACES[1])
    assert not any(isinstance(event, Claim) for event in table.match.log)
    assert table.trick == [(0, "AC"), (1, "QC")]


def deal_up_to(game: str, players: int, tricks: int) -> tuple[Match, list[Event]]:
    """A match with so many tricks of an honest deal, and the rest of that."""
    match = Match(game, players)
    judge = match.judge
    assert isinstance(judge, CardJudge)
    events = list(honest_deal(judge.game, Random(3), 0).events)
    for place, event in enumerate(events):
        if isinstance(event, Play) and sum(isinstance(event, Play) for event in events[:place]) == tricks * players:
            return match, events[place:]
        match.add(event)
    raise AssertionError("it is shorter")


@pytest.mark.parametrize(("game", "players"), [("turufu", 4), ("triomphe", 4), ("belote", 4), ("turufu", 6)])
def test_the_rest_is_scored_as_if_it_had_been_won(game: str, players: int) -> None:
    match, _ = deal_up_to(game, players, 2)
    judge = match.judge
    assert isinstance(judge, CardJudge)
    told = match.add(Claim(1))
    question = match.view.question
    if question is not None and question["about"] == "bonus":
        told = match.add(Choose(question["question"], "nobody"))
    scored = next(notice for notice in told if notice.code == "deal_scored")
    assert scored.facts["tricks"][judge.game.sides[1]] >= judge.game.tricks - 2
    assert match.view.phase in ("deal_over", "match_over")


def test_nobody_takes_the_rest_of_a_deal_that_is_void() -> None:
    match, _ = deal_up_to("turufu", 4, 2)
    match.add(Claim())
    dealer = match.view.dealer
    match.add(Choose(len(match.log), "nobody"))
    assert (match.view.phase, match.view.dealer) == ("waiting_for_deal", dealer)


def test_a_claim_that_nobody_answers_is_not_scored() -> None:
    match, _ = deal_up_to("turufu", 4, 2)
    match.add(Claim())
    said = match.add(Deal("7C"))
    assert "deal_scored" not in [notice.code for notice in said]


def test_who_takes_the_rest_may_be_said_while_the_next_deal_is_played() -> None:
    match, _ = deal_up_to("turufu", 4, 2)
    match.add(Claim())
    match.add(Deal("7C"))
    question = match.view.question
    assert question is not None and question["about"] == "rest" and "nobody" not in question["choices"]
    said = match.add(Choose(question["question"], "1"))
    said += [notice for event in match.owed for notice in match.add(event)]
    assert "deal_scored" in [notice.code for notice in said]
    assert match.view.turn_up == "7C"


def scored_by(told: list[Notice]) -> list[Mapping[str, Any]]:
    return [notice.facts for notice in told if notice.code == "deal_scored"]


def test_a_claim_before_anybody_said_who_takes_is_scored_once_that_is_said() -> None:
    match, _ = deal_up_to("belote", 4, 3)
    sure = scored_by(match.add(Claim(1)))
    late = Match("belote", 4)
    events = [told.event for told in match.told if not isinstance(told.event, Claim)]
    (take,) = [event for event in events if isinstance(event, Take)]
    said = tell(late, *(event for event in events if event is not take), Claim(1))
    assert only(said, "not_scored").facts["why"] == "trump"
    assert late.view.question is not None and late.view.question["about"] == "taker"
    assert scored_by(tell(late, take)) == sure and late.view.games == match.view.games


def test_a_claim_before_trump_was_read_asks_which_suit_it_was() -> None:
    match, _ = deal_up_to("turufu", 4, 3)
    sure = scored_by(match.add(Claim(1)))
    unread = Match("turufu", 4)
    first, *others = [told.event for told in match.told]
    assert isinstance(first, Deal)
    tell(unread, Deal(None, first.dealer), *others)
    question = unread.view.question
    assert question is not None and question["about"] == "suit"
    assert scored_by(tell(unread, Choose(question["question"], str(match.view.trump)))) == sure


def test_what_the_score_of_a_claimed_deal_hangs_on_is_asked() -> None:
    asked = 0
    for seed in range(30):
        match, events = Match("belote", 4), [*honest_deal(game_of("belote"), Random(seed), 0).events]
        plays = [event for event in events if isinstance(event, Play)]
        events[events.index(plays[6])] = Play(None, plays[6].seat)
        before = events[: events.index(plays[28])]
        said = tell(match, *before, Claim(0))
        assert [notice.facts["why"] for notice in said if notice.code == "not_scored"] in ([], ["unseen"])
        question = match.view.question
        if question is not None and question["about"] == "card":
            assert scored_by(tell(match, Choose(question["question"], question["choices"][0])))
            asked += 1
    assert asked


def test_a_revoke_that_shows_in_the_last_trick_before_a_claim_is_proven() -> None:
    match = Match("triomphe", 2, {"penalty": "point"})
    cards = [("9C", 0), ("7D", 1), ("KS", 0), ("9S", 1), ("QS", 0), ("10C", 1)]
    said = tell(match, deal(1, "7H"), *(play(card, seat) for card, seat in cards), Claim(0))
    assert [told.facts["level_of_proof"] for told in said if told.code == "revoke"] == ["provisional", "proven"]
    assert match.view.question is not None and match.view.question["about"] == "penalty"


def test_an_offer_ends_with_the_deal_that_is_claimed() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), play("9C", 0), play("8C", 1), {"event": "offer", "seat": 0}, Claim(1))
    assert match.view.phase == "deal_over" and match.view.question is None


@pytest.mark.parametrize(("answer", "counts"), [("yes", 20), ("no", 0)])
def test_whether_belote_was_announced_is_asked_after_a_claim_too(answer: str, counts: int) -> None:
    """Player 2 has played king and queen of trump, and claims the rest."""
    match = Match("belote", 4, {"belote": "announced"})
    trick = [play("KS", 1), play("7S", 2), play("8S", 3), play("7C", 0), play("QS", 1)]
    tell(match, deal(0, "9H"), {"event": "take", "seat": 1, "trump": "S"}, *trick)
    tell(match, play("7D", 2), play("8D", 3), play("8C", 0), Claim(1))
    question = match.view.question
    assert question is not None and (question["about"], question["seat"]) == ("announced", 1)
    tell(match, Choose(question["question"], answer))
    assert match.view.games == (0, 252 + counts)


@pytest.mark.parametrize(("answer", "games"), [("1", (0, 272)), ("0", (20, 252)), ("nobody", (0, 252))])
def test_who_held_king_and_queen_of_trump_is_asked_where_nobody_played_them(
    answer: str, games: tuple[int, int]
) -> None:
    match = Match("belote", 4)
    tell(match, deal(0, "9H"), {"event": "take", "seat": 1, "trump": "S"})
    tell(match, play("JS", 1), play("7S", 2), play("8S", 3), play("7C", 0), Claim(1))
    question = match.view.question
    assert question is not None and question["choices"] == ["0", "1", "2", "3", "nobody"]
    assert question["about"] == "bonus" and match.view.games == (0, 0)
    tell(match, deal(1, "7D"))
    late = match.state.questions[0]
    tell(match, Choose(late["question"], answer))
    assert match.view.games == games


def test_who_played_one_of_king_and_queen_of_trump_alone_can_have_held_both() -> None:
    match = Match("belote", 4)
    tell(match, deal(0, "9H"), {"event": "take", "seat": 1, "trump": "S"})
    tell(match, play("JS", 1), play("7S", 2), play("QS", 3), play("7C", 0), Claim(1))
    question = match.view.question
    assert question is not None and question["choices"] == ["3", "nobody"]
    tell(match, Choose(question["question"], "3"))
    assert match.view.games == (0, 272)


@pytest.mark.parametrize(("answers", "games"), [("1 yes", 272), ("1 no", 252), ("nobody", 252)])
def test_where_belote_must_be_announced_it_is_asked_too_who_held_what_was_not_played(answers: str, games: int) -> None:
    """Player 2 has played the king of trump, and claims the rest."""
    match = Match("belote", 4, {"belote": "announced"})
    tell(match, deal(0, "9H"), {"event": "take", "seat": 1, "trump": "S"})
    tell(match, play("KS", 1), play("7S", 2), play("8S", 3), play("7C", 0), Claim(1))
    for answer in answers.split():
        question = match.view.question
        assert question is not None and match.view.games == (0, 0)
        tell(match, Choose(question["question"], answer))
    assert match.view.games == (0, games) and match.view.question is None


def test_a_claim_needs_a_deal() -> None:
    with pytest.raises(EventError):
        Match("turufu", 4).add(Claim())


def test_a_claim_is_read_and_written() -> None:
    assert parse_event({"event": "claim"}) == Claim()
    assert parse_event({"event": "claim", "seat": 2}) == Claim(2)
