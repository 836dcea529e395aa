"""Belote before the referee: who takes, what nobody could know before that, and the score."""

from dataclasses import replace
from random import Random

import pytest

from device.words import sentence
from engine.events import Choose, Correct, Deal, EventError, Play, Take, TakenBack
from engine.match import Match
from engine.notices import Notice
from engine.playing import game_of
from engine.rules.belote import belote
from engine.simulate import honest_deal, honest_match, plant, plantable
from tests.engine.table import alarms, confirming, deal, only, rules, tell
from tests.sizes import slow, some

GAME = game_of("belote")


def match_of(**options: object) -> Match:
    return Match("belote", 4, options)


def test_honest_deals_raise_nothing() -> None:
    match = match_of(target=2000)
    for event in honest_match(match.judge.game, Random(1), 60):  # type: ignore[attr-defined]
        told = match.add(event)
        assert [notice for notice in alarms(told) if notice.facts.get("about") != "taker"] == [], event


@pytest.mark.slow
def test_a_thousand_honest_deals_accuse_nobody() -> None:
    for seed in range(1_000):
        match = match_of()
        for event in honest_deal(GAME, Random(seed), seed % 4).events:
            assert all(notice.facts.get("about") == "taker" for notice in alarms(match.add(event))), seed


@pytest.mark.parametrize("deals", [4, *slow(12)])
@pytest.mark.parametrize("rule", plantable(GAME))
def test_planted_faults_are_named(rule: str, deals: int) -> None:
    """Where another suit as trump would explain it, once somebody says again which it is."""
    for seed in range(deals):
        match = match_of()
        assert rule in rules(confirming(match, plant(rule, GAME, Random(seed), seed % 4))), (rule, seed)


@pytest.mark.parametrize("deals", [8, *slow(40)])
def test_revokes_are_proven(deals: int) -> None:
    found = 0
    for seed in range(deals):
        made = honest_deal(GAME, Random(seed), 0, revoke_chance=0.5)
        match = match_of()
        told = confirming(match, made.events)
        proven = [face for face in told if face.code == "revoke" and face.facts["level_of_proof"] == "proven"]
        for notice in proven:
            for explanation in notice.facts["explanations"]:
                assert {tuple(claim) for claim in explanation} & set(made.revokes), seed
        found += bool(proven)
    assert found > deals / 2


def test_who_takes_is_asked_and_then_which_suit() -> None:
    match = match_of()
    asked = only(match.add(deal(3, "QH")), "question")
    assert (asked.facts["about"], asked.facts["choices"]) == ("taker", ["0", "1", "2", "3", "nobody"])
    assert (match.view.trump, match.view.turn_up, match.view.turn) == (None, "QH", 0)
    trump = only(match.add({"event": "choose", "question": 1, "answer": "2"}), "question")
    assert (trump.facts["about"], trump.facts["seat"], trump.facts["choices"][0]) == ("trump", 2, "H")
    assert match.add({"event": "choose", "question": 2, "answer": "S"}) == []
    assert (match.view.trump, match.view.taker, match.view.question) == ("S", 2, None)


def test_after_eight_passes_the_next_player_deals() -> None:
    match = match_of()
    match.add(deal(3, "QH"))
    match.add({"event": "choose", "question": 1, "answer": "nobody"})
    assert (match.view.phase, match.view.dealer) == ("waiting_for_deal", 0)


def test_an_answer_that_comes_late_changes_nothing() -> None:
    """Who took is said in the middle of the deal, or after its last card: the score is the same."""
    for seed in range(12):
        events = honest_deal(GAME, Random(seed), 0).events
        take = next(event for event in events if isinstance(event, Take))
        rest = [event for event in events if not isinstance(event, Take)]
        scores = set()
        for place in (1, 8, 15, 26, len(rest)):
            match = match_of()
            for event in (*rest[:place], take, *rest[place:]):
                assert all(notice.code in ("question", "not_scored") for notice in alarms(match.add(event)))
            scores.add((match.view.games, match.view.tricks, match.view.points))
        assert len(scores) == 1, seed


@pytest.mark.parametrize("taken", [False, True])
def test_a_trick_whose_winner_hangs_on_trump_is_told_again_once_somebody_takes(taken: bool) -> None:
    match = match_of()
    tell(match, Deal("QC", dealer=3))
    trick = ("10C", "AC", "8C", "JC")
    (told,) = (
        notice
        for notice in tell(match, *(Play(card, seat) for seat, card in enumerate(trick)))
        if notice.code == "trick"
    )
    assert (told.facts["seat"], told.facts["open"]) == (None, "trump")
    if taken:
        tell(match, Play("7H", None))
    (again,) = (notice for notice in tell(match, Take(0, "C")) if notice.code == "trick")
    assert (again.facts["trick"], again.facts["seat"], again.facts["points"]) == (1, 3, 41)


def test_the_card_taken_is_played_by_the_taker() -> None:
    match = match_of()
    tell(match, deal(3, "QH"), {"event": "take", "seat": 2, "trump": "H"})
    told = tell(match, {"event": "play", "card": "QH", "seat": 0})
    asked = only(told, "question").facts
    assert (asked["about"], asked["seat"], asked["suit"]) == ("trump_right", 2, "H")
    told = tell(match, {"event": "choose", "question": asked["question"], "answer": "yes"})
    assert only(told, "illegal").facts["first_seen"] == {"taken_up": 2}
    assert rules(tell(match_with_take(2), *[{"event": "play", "card": card} for card in ("7C", "8C", "QH")])) == []


def with_wrong_take(seed: int, take: Take | None) -> tuple[Match, list[Notice], Take]:
    """An honest deal, of which a wrong button said who took, or the suit."""
    events = honest_deal(GAME, Random(seed), 0).events
    true = next(event for event in events if isinstance(event, Take))
    wrong = take or Take(true.seat, next(suit for suit in "CDHS" if suit != true.trump))
    match = match_of()
    return match, tell(match, *(wrong if event is true else event for event in events)), true


@pytest.mark.parametrize("seed", some(range(30), 3))
def test_a_wrong_button_accuses_nobody_and_can_be_put_right(seed: int) -> None:
    sure = match_of()
    tell(sure, *honest_deal(GAME, Random(seed), 0).events)
    match, told, true = with_wrong_take(seed, None)
    assert [face for face in told if face.level == "alert"] == []
    asked = match.view.question
    if asked is None:
        return  # With that suit, too, all was played honestly.
    assert asked["about"] == "trump_right"
    tell(match, {"event": "choose", "question": asked["question"], "answer": "no"})
    again = match.view.question
    assert again is not None and again["about"] == "taker"
    tell(match, {"event": "choose", "question": again["question"], "answer": str(true.seat)})
    suit = match.view.question
    assert suit is not None and suit["about"] == "trump"
    told = tell(match, {"event": "choose", "question": suit["question"], "answer": true.trump})
    assert [face for face in told if face.level == "alert"] == []
    assert (match.view.games, match.view.taker, match.view.trump) == (sure.view.games, true.seat, true.trump)


@pytest.mark.parametrize("seed", range(12))
def test_a_wrong_seat_accuses_nobody(seed: int) -> None:
    events = honest_deal(GAME, Random(seed), 0).events
    true = next(event for event in events if isinstance(event, Take))
    _, told, _ = with_wrong_take(seed, Take((true.seat + 1) % 4, true.trump))
    assert [face for face in told if face.level == "alert"] == []


def test_what_nothing_else_explains_is_told_though_trump_was_asked_about() -> None:
    """A player who threw two cards did so whatever is trump."""
    named = 0
    for seed in range(10):
        match = match_of()
        named += "two_from_one_seat" in rules(tell(match, *plant("two_from_one_seat", GAME, Random(seed), 0)))
    assert named == 10


def test_a_trick_before_trump_is_known_says_so() -> None:
    match = match_of()
    told = tell(match, deal(3, "QH"), Play("AC", 0), Play("7C", 1), Play("8D", 2), Play("9C", 3))
    trick = only(told, "trick")
    assert (trick.facts["seat"], trick.facts["open"]) == (None, "trump")
    said = sentence(trick.to_dict(), "en", (), GAME.sides, "belote")
    assert said == "Trick 1: A♣ 7♣ 8♦ 9♣. Trump is not known yet, so the trick's winner is not known either."


def test_no_card_outside_the_pack_is_asked_about() -> None:
    match = match_of()
    told = tell(match, deal(3, "QH"), Play("5C", None, confidence=0.5), Play(None, 1, candidates=("5C", "AC")))
    named = {card for face in told for card in face.facts.get("candidates", ())}
    assert named == {"AC"}


@pytest.mark.parametrize(("over", "legal"), [("must", ["JH"]), ("may", ["7H", "JH"])])
def test_how_high_one_trumps_over_a_partner_is_the_houses_affair(over: str, legal: list[str]) -> None:
    table = belote(4, {"partner": "trump", "over_partner": over})
    hand = ["7H", "JH", "8S"]
    assert table.legal(hand, ["AC", "9H", "7C"], "H", 1) == legal
    assert table.legal(hand, ["AC", "7C", "9H"], "H", 1) == ["JH"]  # An opponent trumped.
    assert table.legal(["7H", "8S"], ["AC", "9H", "7C"], "H", 1) == ["7H"]


def match_with_take(seat: int) -> Match:
    match = match_of()
    tell(match, deal(3, "QH"), {"event": "take", "seat": seat, "trump": "H"})
    return match


def test_only_one_takes_and_only_where_trump_is_named() -> None:
    match = match_with_take(1)
    with pytest.raises(EventError, match="take_again: place=1"):
        match.add({"event": "take", "seat": 2, "trump": "H"})
    turufu = Match("turufu")
    turufu.add(deal(0, "7H"))
    with pytest.raises(EventError, match="take_none"):
        turufu.add({"event": "take", "seat": 2, "trump": "H"})


def test_a_turn_up_nobody_could_read_leaves_trump_open_until_it_is_seen() -> None:
    for seed in range(8):
        game = game_of("turufu")
        events = honest_deal(game, Random(seed), 1).events
        first = events[0]
        assert isinstance(first, Deal) and first.turn_up
        known, open_first = Match("turufu"), Match("turufu")
        tell(known, *events)
        told = tell(
            open_first, Deal(None, 1), *events[1:12], {"event": "turn_up_seen", "card": first.turn_up}, *events[12:]
        )
        assert alarms(told) == []
        assert known.view.games == open_first.view.games and known.view.points == open_first.view.points


def test_which_card_it_was_is_not_asked_where_the_taker_falls_short_either_way() -> None:
    """Two of 32 cards could not be read. Which was which changes the points made, and not what the deal brings."""
    brought = 0
    for seed in range(25):
        events = list(honest_deal(GAME, Random(seed), 0).events)
        at = [place for place, event in enumerate(events) if isinstance(event, Play)]
        unread = [
            Play(None, event.seat) if place in (at[13], at[18]) and isinstance(event, Play) else event
            for place, event in enumerate(events)
        ]
        sure, match = Match("belote"), Match("belote")
        facts = only(tell(sure, *events), "deal_scored").facts
        tell(match, *unread)
        if facts["inside"] and abs(facts["points"][0] - facts["points"][1]) > 60:
            assert match.view.question is None or match.view.question["about"] != "card"
            brought += match.view.games == sure.view.games
    assert brought


def test_a_card_of_belote_is_taken_back_like_any_other() -> None:
    match = match_with_take(0)
    match.add(Play("7C", 0))
    match.add(TakenBack(3))
    match.add(Play("8C", 0))
    assert [shown.card for shown in match.view.trick or ()] == ["8C"]


@pytest.mark.parametrize(("answer", "games"), [("1", (0, 272)), ("nobody", (0, 252))])
@pytest.mark.parametrize("house", ["always", "announced"])
def test_who_held_king_and_queen_of_trump_settles_it_where_one_was_not_read(
    house: str, answer: str, games: tuple[int, int]
) -> None:
    """The king of trump and another card could not be read: player 1 or player 2 may have played the king."""
    match = match_of(belote=house)
    tell(match, deal(0, "10S"), Take(1, "S"))
    rows = ["JS AC 7D 7H", "9S 8C 8D 8H", "AS 9C 9D 9H", "10S JC JD JH", "KS QC QD QH", "QS KC KD KH", "8S 10C 10D 10H"]
    for row in (*rows, "7S 7C AD AH"):
        for seat, card in zip((1, 2, 3, 0), row.split(), strict=True):
            tell(match, Play(None if card in ("KS", "AC") else card, seat))
    question = match.view.question
    assert question is not None and (question["about"], question["choices"]) == ("bonus", ["1", "nobody"])
    tell(match, Choose(question["question"], answer))
    if house == "announced" and answer == "1":
        question = match.view.question
        assert question is not None and (question["about"], question["seat"]) == ("announced", 1)
        tell(match, Choose(question["question"], "yes"))
    assert match.view.games == games and match.view.question is None


@pytest.mark.parametrize(("answer", "games"), [("yes", (182, 0)), ("no", (162, 0))])
def test_whether_one_player_announced_tells_nothing_of_another_once_trump_is_corrected(
    answer: str, games: tuple[int, int]
) -> None:
    """Player 3 holds king and queen of clubs, player 2 those of hearts. Hearts are trump; the button said clubs."""
    match = match_of(belote="announced")
    events = honest_deal(GAME, Random(0), 3).events
    tell(match, *(replace(event, trump="C") if isinstance(event, Take) else event for event in events))

    def asked() -> list[tuple[int, int]]:
        facts = [asked.facts for asked in match.state.questions if asked.facts["about"] == "announced"]
        return [(about["question"], about["seat"]) for about in facts]

    ((question, seat),) = asked()
    assert seat == 3
    tell(match, Choose(question, "no"), Correct(2, {"trump": "H"}))
    ((question, seat),) = asked()
    assert seat == 2 and match.view.games == (0, 0)
    tell(match, Choose(question, answer))
    assert match.view.games == games and not asked()
