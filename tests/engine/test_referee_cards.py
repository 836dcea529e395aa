"""What a card table shows at once: each rule named with its facts, and nothing said of honest play."""

from dataclasses import replace
from random import Random

import pytest

from engine.events import Deal, EventError, Play, TakenBack
from engine.games import card_tables
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.playing import game_of
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal, honest_match, plant, plantable
from tests.engine.table import alarms, confirming, deal, only, play, rules, suspected, taken, tell
from tests.sizes import slow, some

TABLES = [table for table in card_tables() if not game_of(*table).names_trump]
"""Where somebody names trump, who does is asked: tests/engine/test_belote_judge.py."""


def open_match(game: str, players: int, **options: str) -> tuple[Match, CardJudge]:
    match = Match(game, players, options)
    assert isinstance(match.judge, CardJudge)
    return match, match.judge


def honest(game: str, players: int, deals: int, seed: int, **options: str) -> list[str]:
    match, judge = open_match(game, players, **options)
    events = honest_match(judge.game, Random(seed), deals)
    return [str(notice) for event in events for notice in alarms(match.add(event))]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_honest_play_is_never_accused(game: str, players: int) -> None:
    assert honest(game, players, 10, seed=players) == []


HOUSES = [
    ("turufu", 4, {"follow": "after_stock"}),
    ("turufu", 4, {"follow": "never"}),
    ("turufu", 6, {"draw_first": "dealer_left"}),
    ("turufu", 2, {"dealer_rotates": "match"}),
    ("triomphe", 4, {"teams": "sides"}),
    ("triomphe", 6, {"overtake": "last"}),
    ("triomphe", 5, {"overtake": "none", "undertrump": "may"}),
    ("triomphe", 2, {"packs": "2", "penalty": "hand"}),
]


@pytest.mark.parametrize(("game", "players", "options"), HOUSES)
def test_honest_play_in_other_houses(game: str, players: int, options: dict[str, str]) -> None:
    assert honest(game, players, 10, seed=7, **options) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_honest_play_is_never_accused_in_1000_deals(game: str, players: int) -> None:
    assert honest(game, players, 1_000, seed=1) == []


def named(game: str, players: int, seed: int) -> dict[str, list[str]]:
    """For each fault this table can show, the alerts it raised."""
    found = {}
    judge = open_match(game, players)[1]
    for rule in plantable(judge.game):
        match = open_match(game, players)[0]
        rng = Random(seed)
        events = plant(rule, judge.game, rng, rng.randrange(players))
        found[rule] = rules(confirming(match, events))
    return found


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("seed", [0, *slow(*range(1, 5))])
def test_every_planted_fault_is_named(game: str, players: int, seed: int) -> None:
    for rule, alerts in named(game, players, seed).items():
        assert rule in alerts


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_planted_fault_is_named_often(game: str, players: int) -> None:
    for seed in range(200):
        for rule, alerts in named(game, players, seed).items():
            assert rule in alerts, (rule, seed)


def four() -> Match:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"))
    return match


def test_a_marker_card_is_never_a_play() -> None:
    match = four()
    notice = only(tell(match, play("9H", 0)), "illegal")
    assert notice.facts == {"rule": "not_in_pack", "number": 2, "trick": 1, "seat": 0, "cards": ["9H"]}
    assert match.view.trick == ()
    assert rules(tell(match, play("JOKER"))) == ["not_in_pack"]


@pytest.mark.parametrize("turn_up", [None, "3S"])
def test_a_card_of_no_pack_gives_no_trump(turn_up: str | None) -> None:
    match = Match("turufu", 4)
    tell(match, {"event": "deal", "turn_up": turn_up, "dealer": 3})
    before = match.view.trump
    assert rules(tell(match, {"event": "turn_up_seen", "card": "JOKER"})) == ["not_in_pack"]
    assert match.view.trump == before


def test_the_turn_up_cannot_be_played_while_it_lies_there() -> None:
    match = Match("turufu", 2)
    notice = only(tell(match, deal(1, "3S"), play("3S", 0)), "illegal")
    assert (notice.facts["rule"], notice.facts["first_seen"]) == ("seen_before", {"turn_up": True})


def test_whether_the_turn_up_was_drawn_is_asked_while_tricks_may_have_gone_by_unseen() -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")))
    (asked,) = alarms(tell(match, play("3S", 0)))
    assert (asked.code, asked.facts["why"]) == ("unreadable", "seen_before")


@pytest.mark.parametrize(("said", "broken"), [("yes", ["seen_before"]), ("no", [])])
def test_a_card_laid_before_is_asked_about_where_the_camera_cannot_accuse(said: str, broken: list[str]) -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")))
    asked = only(tell(match, play("4H", 0) | {"order_sure": False}), "question")
    assert (asked.facts["about"], asked.facts["first_seen"]) == ("twice", {"seat": 2, "trick": 1})
    answer = {"event": "choose", "question": asked.facts["question"], "answer": said}
    assert rules(tell(match, answer)) == broken


def test_seen_before_says_where() -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")))
    notice = only(tell(match, play("4H", 0)), "illegal")
    assert notice.facts["first_seen"] == {"seat": 2, "trick": 1}


def test_out_of_turn_names_whose_turn_it_is() -> None:
    match = four()
    assert alarms(tell(match, play("AH", 0), play("3H", 2))) == []  # Perhaps nobody saw a card between.
    notice = only(tell(match, play("7H", 1)), "illegal")
    assert notice.facts["number"] == 3
    assert (notice.facts["rule"], notice.facts["seat"], notice.facts["expected"]) == ("out_of_turn", 2, [1])


def test_a_card_that_nobody_saw_puts_nobody_out_of_turn() -> None:
    for seats in ((0, 2, 3), (0, 1, 3), (0, 1, 2)):
        match = four()
        cards = ("AH", "3H", "4H")
        told = tell(match, *(play(card, seat) for card, seat in zip(cards, seats, strict=True)), taken(0))
        assert rules(told) == [] and suspected(told) == []
        assert match.view.trick_number == 2


def test_who_was_passed_over_plays_last_and_the_trick_is_gathered_or_may_have_led_the_next() -> None:
    laid = (play("AH", 0), play("3H", 1), play("KH", 3), play("7H", 2))
    match = four()
    assert alarms(tell(match, *laid)) == []
    assert rules(tell(match, taken(0))) == ["out_of_turn"]
    match = four()
    tell(match, *laid)
    asked = only(tell(match, play("3D", 0)), "question").facts
    assert (asked["about"], asked["seat"], asked["expected"]) == ("turn", 3, [2])
    told = tell(match, {"event": "choose", "question": asked["question"], "answer": "yes"})
    assert only(told, "illegal").facts["rule"] == "out_of_turn"


def test_a_card_out_of_turn_that_is_lifted_again_accuses_nobody() -> None:
    match = four()
    told = tell(match, play("AH", 0), play("3H", 2), {"event": "taken_back", "number": 3}, play("7H", 1), play("3H", 2))
    assert rules(told) == []


def test_a_card_out_of_turn_stands_and_the_turn_goes_on() -> None:
    match = four()
    notices = tell(match, play("AH", 0), play("3H", 2), play("7H", 1), play("KH", 3))
    assert rules(notices) == ["out_of_turn"]
    told = only(notices, "trick").facts
    assert (told["seat"], told["cards"]) == (0, ["AH", "3H", "7H", "KH"])  # As they were laid, not round the table.


def test_wrong_leader_keeps_the_lead_it_took() -> None:
    match = four()
    notices = tell(match, play("AH", 2))
    assert suspected(notices) == ["wrong_leader"]
    assert suspected(tell(match, play("3H"), play("4H"), play("5H"), play("3D", 2))) == []


@pytest.mark.parametrize(("answer", "told"), [("yes", ["wrong_leader"]), ("no", [])])
def test_whether_a_lead_was_wrong_is_asked_since_a_trick_may_have_gone_by_unseen(answer: str, told: list[str]) -> None:
    match = four()
    (asked,) = alarms(tell(match, play("AH", 2)))
    assert (asked.facts["about"], asked.facts["seat"], asked.facts["expected"]) == ("lead", 2, [0])
    assert rules(tell(match, {"event": "choose", "question": 2, "answer": answer})) == told
    assert match.view.question is None


def test_a_wrong_lead_that_is_lifted_for_the_right_one_is_told() -> None:
    match = four()
    assert rules(tell(match, play("AH", 2), {"event": "taken_back", "number": 2})) == []
    assert rules(tell(match, play("KH", 2), {"event": "taken_back", "number": 4})) == []
    (told,) = alarms(tell(match, play("QH", 0)))
    assert (told.facts["rule"], told.facts["seat"], told.facts["number"]) == ("wrong_leader", 2, 4)


def test_what_was_asked_is_told_once_every_trick_of_the_deal_was_seen() -> None:
    """Player 0 won the second trick and player 1 leads the third: no trick lay between, as it turns out."""
    match = Match("triomphe", 2)
    played = ["KC", "7C", "QC", "8C", "JC", "9C", "AC", "10C", "KD"]
    seats = [0, 1, 0, 1, 1, 0, 1, 0, 1]
    asked = tell(match, deal(1, "7S"), *(play(card, seat) for card, seat in zip(played, seats, strict=True)))
    assert [notice.facts["about"] for notice in alarms(asked)] == ["lead"]
    (told,) = alarms(tell(match, play("7D", 0)))
    assert (told.facts["rule"], told.facts["seat"], told.facts["trick"]) == ("wrong_leader", 1, 3)


def test_a_wrong_lead_to_the_last_trick_is_told_once_every_card_lies_there() -> None:
    """Before that, nobody may have seen the lead."""
    match = Match("triomphe", 2)
    played = ["KC", "7C", "QC", "8C", "JC", "9C", "AC", "10C"]
    tell(match, deal(1, "7S"), *(play(card, place % 2) for place, card in enumerate(played)))
    assert suspected(tell(match, play("KD", 1))) == ["wrong_leader"]
    assert rules(tell(match, play("8D", 0))) == ["wrong_leader"]
    match.add({"event": "undo"})
    assert rules(tell(match, taken(1))) == []  # The lead was not seen.


def test_two_cards_from_one_seat() -> None:
    match = four()
    tell(match, play("AH", 0), play("3H", 1))
    notice = only(tell(match, play("4H", 1)), "illegal")
    assert (notice.facts["rule"], notice.facts["cards"]) == ("two_from_one_seat", ["3H", "4H"])
    assert alarms(tell(match, {"event": "taken_back", "number": 4}, play("5H", 2), play("6H", 3))) == []
    assert alarms(tell(match, play("AD", 0), play("4H", 1))) == []


def test_only_a_marked_play_is_too_early() -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")))
    assert rules(tell(match, play("AD", 0, before_taken=True))) == ["before_taken"]


def test_taken_by_the_wrong_side_but_a_partner_may_gather() -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")))
    assert rules(tell(match, taken(2))) == []
    tell(match, *(play(card) for card in ("AD", "3D", "4D", "5D")))
    notice = only(tell(match, taken(1)), "question")
    assert (notice.facts["about"], notice.facts["winner"]) == ("taken", 0)
    assert rules(tell(match, {"event": "choose", "question": notice.facts["question"], "answer": "yes"})) == [
        "taken_by_wrong_side"
    ]


def test_cards_go_back_until_the_trick_is_taken_up() -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")))
    tell(match, {"event": "taken_back", "number": 5})
    assert match.view.turn == 3
    tell(match, play("7H", 3), taken(0))
    with pytest.raises(EventError, match="back_gone"):
        match.add({"event": "taken_back", "number": 7})


@pytest.mark.parametrize(("game", "players"), some(TABLES, 3))
def test_a_card_laid_and_taken_back_changes_neither_score_nor_what_others_are_accused_of(
    game: str, players: int
) -> None:
    """Any card of anybody, the one turned up more often: it was rather misread than laid."""
    for seed in range(12):
        rng, match = Random(seed), Match(game, players)
        said: list[Notice] = []
        slips: set[int] = set()
        events = honest_deal(game_of(game, players), rng, rng.randrange(players)).events
        for event in events:
            if isinstance(event, Play) and rng.random() < 0.3:
                card = rng.choice([match.view.turn_up or "7H", rng.choice(sorted(game_of(game, players).whole_pack))])
                match.add(Play(card, rng.randrange(players), order_sure=rng.random() < 0.5))
                slips.add(len(match.log))
                match.add(TakenBack(len(match.log)))
            said += match.add(event)
        accused = [notice.to_dict() for notice in said if notice.level == ALERT]
        assert [alert for alert in accused if alert["number"] not in slips] == []
        alone = Match(game, players)
        tell(alone, *events)
        assert match.view.points == alone.view.points and match.view.games == alone.view.games


def test_a_pillage_that_one_card_alone_told_of_goes_back_with_it() -> None:
    """The turned-up card seemed to be laid, so seat 0 had taken it; it lay there still, and seat 3 holds the ace."""
    match = Match("pille", 4)
    tell(match, deal(3, "8H"), play("8H", 0), {"event": "taken_back", "number": 2})
    assert match.view.turn_up == "8H"
    assert alarms(tell(match, *(play(card) for card in ("9D", "10D", "KD", "AH")))) == []


def test_a_lead_taken_back_binds_nobody_who_answered_it() -> None:
    """Seat 1 followed clubs; the lead becomes a heart, and seat 1 shows hearts later: no revoke."""
    match = Match("triomphe", 2)
    tell(match, deal(1, "7S"), play("KC", 0), play("8C", 1), {"event": "taken_back", "number": 2}, play("KH", 0))
    plays = ["QH", "8H", "JH", "9H", "AH", "10H", "KD", "QD"]
    assert alarms(tell(match, taken(0), *(play(card) for card in plays))) == []


def test_the_last_trick_can_be_taken_back_until_it_is_gathered() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7S"), *(play(card) for card in ["KC", "7C", "QC", "8C", "JC", "9C", "AC", "10C", "KD", "7D"]))
    assert match.view.games == (2, 0)
    tell(match, {"event": "taken_back", "number": 11})
    assert (match.view.phase, match.view.games) == ("play", (0, 0))
    notices = tell(match, play("7S", 1))
    assert rules(notices) == ["seen_before"]  # the turn-up is in no hand
    assert match.view.games == (1, 0)


def test_turn_up_changed() -> None:
    match = four()
    assert rules(tell(match, play("AH", 0), {"event": "turn_up_seen", "card": "3S"})) == []
    assert rules(tell(match, {"event": "turn_up_seen", "card": "4S"})) == ["turn_up_changed"]
    assert match.view.trump == "S"


def test_the_card_that_another_was_put_in_the_place_of_is_in_a_hand() -> None:
    match = four()
    tell(match, play("AH", 0), {"event": "turn_up_seen", "card": "4S"})
    assert (match.view.turn_up, match.view.trump) == ("4S", "S")
    assert rules(tell(match, play("3S", 1))) == []
    (asked,) = alarms(tell(match, play("4S", 2)))
    assert (asked.code, asked.facts["why"]) == ("unreadable", "seen_before")


def test_an_exchanged_card_that_is_put_back_is_told_once() -> None:
    match = four()
    tell(match, play("AH", 0), {"event": "turn_up_seen", "card": "4S"})
    assert rules(tell(match, {"event": "turn_up_seen", "card": "3S"})) == []
    assert match.view.turn_up == "3S"


@pytest.mark.parametrize("exchanged, proven", [(False, ["revoke"]), (True, [])])
def test_after_an_exchange_nothing_is_proven_in_that_deal(exchanged: bool, proven: list[str]) -> None:
    """Who did not follow may have got the card since."""
    match = Match("triomphe", 2)
    tell(match, deal(1, "7S"), play("KC", 0), play("8H", 1), taken(0))
    if exchanged:
        tell(match, {"event": "turn_up_seen", "card": "9S"})
    assert [notice.code for notice in alarms(tell(match, play("KD", 0), play("8C", 1), taken(0)))] == proven


def test_the_next_deal_too_early_misses_cards() -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")))
    notices = tell(match, deal(0, "4S"))
    assert [notice.code for notice in notices] == ["not_scored"]  # It was given up, or its tricks went by unseen.
    assert match.view.games == (0, 0)


@pytest.mark.parametrize(("laid", "told"), [(9, ["not_scored", "question"]), (8, ["not_scored"])])
def test_cards_of_a_trick_are_missing_where_the_next_deal_begins(laid: int, told: list[str]) -> None:
    match = Match("triomphe", 2)
    played = ["KC", "7C", "QC", "8C", "JC", "9C", "AC", "10C", "KD"][:laid]
    tell(match, deal(1, "7S"), *(play(card) for card in played))
    assert [notice.code for notice in match.add(deal(0, "8S"))] == told


@pytest.mark.parametrize(("cards", "confidence", "said"), [(4, 0.5, ["not_scored"]), (3, 0.5, []), (4, 1.0, [])])
def test_a_deal_that_was_rather_void_is_said_to_count_for_nothing_once_a_trick_was_taken(
    cards: int, confidence: float, said: list[str]
) -> None:
    match = four()
    tell(match, *(play(card) for card in ("AH", "3H", "4H", "5H")[:cards]))
    if cards == 4:
        tell(match, taken(0))
    notices = tell(match, {"event": "void_deal", "confidence": confidence})
    assert [notice.code for notice in notices] == said


def test_the_first_dealer_is_known_from_the_first_lead() -> None:
    match = Match("turufu", 4)
    tell(match, deal(None, "3S"))
    assert match.view.turn is None
    assert rules(tell(match, play("AH", 2))) == []
    assert (match.view.turn, match.view.dealer) == (3, 1)


def test_events_without_seats_follow_the_turn() -> None:
    match, judge = open_match("turufu", 4)
    events = [event for event in honest_match(judge.game, Random(3), 1) if isinstance(event, Deal | Play)]
    bare = [replace(event, seat=None) if isinstance(event, Play) else event for event in events]
    tell(match, *bare)
    full, _ = open_match("turufu", 4)
    for event in events:
        full.add(event)
    assert match.view.to_dict() == full.view.to_dict()


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (play("AH", 4), "no_such_seat"),
        (taken(0), "no_trick"),
        ({"event": "taken_back", "number": 1}, "back_none"),
        ({"event": "board", "pits": [[0] * 8] * 4}, "board_in_cards"),
        ({"event": "answer", "accept": True}, "answer_none"),
        ({"event": "choose", "question": 1, "answer": "yes"}, "choose_none"),
    ],
)
def test_what_cannot_be_changes_nothing(event: dict[str, object], message: str) -> None:
    match = four()
    before = match.view
    with pytest.raises(EventError, match=message):
        match.add(event)
    assert (match.view, len(match.log)) == (before, 1)
