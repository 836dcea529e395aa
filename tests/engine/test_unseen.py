"""Nobody innocent is accused, whatever the camera missed: tricks, takings, dealers, pillages, the order of cards."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.events import Deal, Event, EventError, Play
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.referee.card_game import CardJudge
from engine.rules.tricks import TrickGame
from engine.simulate import honest_deal, plantable
from tests.engine.bad_camera import KINDS, planted, stream
from tests.engine.table import alarms, apart, deal, only, play, rules, suspected, taken, tell
from tests.sizes import slow

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("turufu", 2, {}), ("turufu", 4, {}), ("turufu", 6, {}), ("turufu", 4, {"draw_first": "dealer_left"}),
    ("turufu", 4, {"follow": "after_stock"}), ("turufu", 4, {"dealer_rotates": "match"}),
    ("triomphe", 2, {}), ("triomphe", 3, {}), ("triomphe", 4, {"teams": "sides"}), ("triomphe", 6, {}),
    ("pille", 2, {}), ("pille", 4, {}), ("pille", 6, {}),
    ("belote", 4, {}), ("belote", 4, {"partner": "trump"}),
]  # fmt: skip
TABLES_IN_TURN = [table if number % 2 else slow((table,))[0] for number, table in enumerate(TABLES)]
"""Every second one in every run."""


def opened(game: str, players: int, options: dict[str, Any]) -> tuple[Match, TrickGame]:
    match = Match(game, players, options)
    assert isinstance(match.judge, CardJudge)
    return match, match.judge.game


def accused(notices: Sequence[Notice]) -> list[str]:
    return [str(notice.facts.get("rule", notice.code)) for notice in notices if notice.level == ALERT]


def added(match: Match, events: Sequence[Event]) -> list[Notice]:
    """What is said of a stream; what cannot be (a trick taken of which nothing was seen) changes nothing."""
    notices = []
    for event in events:
        try:
            notices += match.add(event)
        except EventError:
            continue
    return notices


# -- the cases, as they were found -------------------------------------------------------------------------------------

CASES = {
    "card_unsure_settles": ("triomphe", 2), "duty_wrong_belote": ("belote", 4), "next_deal_swallowed": ("turufu", 4),
    "next_deal_swallowed_clean": ("turufu", 4), "order_unsure_itself": ("turufu", 4),
    "order_unsure_leader": ("turufu", 4), "pillage_only_new_turn_up_seen": ("pille", 4),
    "pillage_told_late": ("pille", 4), "pillage_unseen": ("pille", 4), "redeal_without_void": ("turufu", 4),
    "redeal_without_void_or_dealer": ("turufu", 4), "taken_unsure_settles": ("triomphe", 2),
    "trick_read_as_markers_belote4": ("belote", 4), "trick_read_as_markers_turufu4": ("turufu", 4),
}  # fmt: skip


def case(shared: Path, name: str) -> tuple[Match, list[Notice]]:
    match = Match(*CASES[name])
    lines = (shared / "cases" / "referee" / f"{name}.jsonl").read_text().splitlines()
    return match, tell(match, *(json.loads(line) for line in lines))


def tricks_told(notices: Sequence[Notice]) -> list[tuple[int, int | None]]:
    return [(notice.facts["trick"], notice.facts["seat"]) for notice in notices if notice.code == "trick"]


@pytest.mark.parametrize("name", sorted(set(CASES) - {"duty_wrong_belote"}))
def test_no_case_accuses_anybody(shared: Path, name: str) -> None:
    assert accused(case(shared, name)[1]) == []


@pytest.mark.parametrize("name", ["trick_read_as_markers_belote4", "trick_read_as_markers_turufu4"])
def test_four_markers_of_four_seats_are_a_trick(shared: Path, name: str) -> None:
    match, notices = case(shared, name)
    assert only(notices, "deal_scored")
    assert (4, 0) in tricks_told(notices) or (3, 1) in tricks_told(notices)
    assert match.view.trick_number == (8 if name.endswith("belote4") else 9)


def test_a_deal_played_out_is_over_and_the_next_is_followed(shared: Path) -> None:
    _, notices = case(shared, "next_deal_swallowed_clean")
    assert [notice.facts["match"] for notice in notices if notice.code == "deal_scored"] == [[0, 1], [1, 1]]
    match, notices = case(shared, "next_deal_swallowed")
    assert tricks_told(notices)[-1] == (1, 0) and match.view.turn_up == "5D"


@pytest.mark.parametrize("name", ["redeal_without_void", "redeal_without_void_or_dealer"])
def test_a_deal_thrown_in_unseen_is_dealt_anew(shared: Path, name: str) -> None:
    match, _ = case(shared, name)
    assert [shown["card"] for shown in match.view.trick or ()] == ["KD", "7D"]


@pytest.mark.parametrize("name", ["pillage_told_late", "pillage_unseen", "pillage_only_new_turn_up_seen"])
def test_a_pillage_half_seen_or_late_is_one(shared: Path, name: str) -> None:
    match, notices = case(shared, name)
    assert tricks_told(notices) == [(1, 3)]
    assert match.view.turn_up is None or match.view.turn_up == "9C"


def test_an_order_that_is_not_sure_is_the_one_that_fits(shared: Path) -> None:
    _, notices = case(shared, "order_unsure_itself")
    assert only(notices, "trick").facts["cards"] == ["AH", "6H", "5H", "7H"]
    match, _ = case(shared, "order_unsure_leader")
    assert match.view.turn == 2


@pytest.mark.parametrize("name", ["taken_unsure_settles", "card_unsure_settles"])
def test_a_score_that_hangs_on_a_doubt_is_asked_for(shared: Path, name: str) -> None:
    match, notices = case(shared, name)
    assert [notice for notice in notices if notice.code == "deal_scored"] == []
    asked = only(notices, "question").facts
    assert (asked["about"], asked["choices"], asked["trick"]) == ("winner", ["0", "1"], 5)
    told = tell(match, {"event": "choose", "question": asked["question"], "answer": "1"})
    assert only(told, "deal_scored").facts["games"] == [0, 1]
    assert match.view.question is None


def test_the_strongest_duty_is_told(shared: Path) -> None:
    _, notices = case(shared, "duty_wrong_belote")
    told = [notice.facts["claims"] for notice in notices if notice.code == "revoke" and notice.level == ALERT][-1]
    (claim,) = [claim for claim in told if (claim["seat"], claim["trick"]) == (2, 1)]
    assert (claim["duty"], claim["shown"]) == ("follow", ["9S"])


# -- the same, made here -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("game", "players", "marker"), [("belote", 4, "5H"), ("turufu", 4, "8H"), ("triomphe", 3, "2C")]
)
def test_a_trick_read_as_markers_counts_as_one(game: str, players: int, marker: str, seed: int) -> None:
    match, table = opened(game, players, {})
    made = honest_deal(table, Random(seed), players - 1)
    plays = [event for event in made.events if isinstance(event, Play)]
    hidden = plays[players : 2 * players]
    events: list[Event] = []
    for event in made.events:
        if isinstance(event, Play):
            unread = Play(None, event.seat, candidates=(marker,))
            events.append(unread if event in hidden else event)
        elif not (events and isinstance(events[-1], Play) and events[-1].candidates):
            events.append(event)
    notices = tell(match, *events)
    assert accused(notices) == []
    assert match.view.trick_number == table.tricks
    assert [notice.code for notice in notices if notice.code in ("deal_scored", "question")][-1:] != []


@pytest.mark.parametrize(("dealer", "second"), [(3, 3), (3, None), (None, None)])
def test_another_turned_up_card_is_another_deal(dealer: int | None, second: int | None) -> None:
    match = Match("turufu", 4)
    notices = tell(match, deal(dealer, "3S"), play("AH", 0), deal(second, "4D"), play("KD", 0), play("7D", 1))
    assert accused(notices) == []
    assert [shown["card"] for shown in match.view.trick or ()] == ["KD", "7D"]


ACE_TURNED_UP = deal(3, "AH")
TO_THE_ACE = [play("7D", 0), play("8D", 1), play("9D", 2), play("AH", 3)]


@pytest.mark.parametrize("told", [
    [ACE_TURNED_UP, *TO_THE_ACE],
    [ACE_TURNED_UP, {"event": "turn_up_seen", "card": "9C"}, *TO_THE_ACE],
    [ACE_TURNED_UP, TO_THE_ACE[0], {"event": "pillage", "seat": 3, "card": "AH", "next": "9C"}, *TO_THE_ACE[1:]],
    [ACE_TURNED_UP, {"event": "turn_up_seen", "card": "9C"}, TO_THE_ACE[0],
     {"event": "pillage", "seat": 3, "card": "AH", "paid": "7C", "next": "9C"}, *TO_THE_ACE[1:]],
    [deal(3, "10H"), {"event": "pillage", "seat": 1, "card": "9H", "next": "9C"}, play("7D", 0), play("10H", 1)],
])  # fmt: skip
def test_who_holds_the_ace_may_have_pillaged_unseen(told: list[dict[str, Any]]) -> None:
    assert accused(tell(Match("pille", 4), *told)) == []


def test_the_ace_turned_up_is_nobody_elses_than_the_dealers() -> None:
    assert rules(tell(Match("pille", 4), ACE_TURNED_UP, play("AH", 0))) == ["seen_before"]


def test_a_turned_up_card_that_was_not_pillaged_was_changed() -> None:
    match = Match("pille", 4)
    notices = tell(match, ACE_TURNED_UP, {"event": "turn_up_seen", "card": "9C"})
    assert suspected(notices) == ["turn_up_changed"]
    assert rules(tell(match, {"event": "choose", "question": 2, "answer": "no"})) == ["turn_up_changed"]


def test_the_turned_up_card_may_not_change_where_it_is_no_trump() -> None:
    match = Match("pille", 4)
    tell(match, ACE_TURNED_UP, {"event": "pillage", "seat": 3, "card": "AH", "next": "9C"})
    assert rules(tell(match, {"event": "turn_up_seen", "card": "8C"})) == ["turn_up_changed"]


@pytest.mark.parametrize("sure", [True, False])
def test_an_order_that_is_not_sure_proves_nothing_of_turns(sure: bool) -> None:
    match = Match("turufu", 4)
    events = [play("AH", 0), play("5H", 2, order_sure=sure), play("6H", 1), play("7H", 3)]
    notices = tell(match, deal(3, "3S"), *events)
    assert rules(notices) == (["out_of_turn"] if sure else [])
    assert only(notices, "trick").facts["cards"] == (["AH", "5H", "6H", "7H"] if sure else ["AH", "6H", "5H", "7H"])


def test_a_lead_of_which_the_order_is_not_sure_leaves_the_leader_open() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("5H", 1, order_sure=False))
    assert alarms(tell(match, play("AH", 0))) == []
    assert match.view.turn == 2


LAST_TRICK = ["KH", "7H", "KD", "7D", "7C", "8C", "KC", "9C"]
LAST_SEATS = [0, 1, 0, 1, 0, 1, 1, 0]


def two_each() -> tuple[Match, list[Notice]]:
    """Two tricks for both, and player 1 leads 9♦ to the last."""
    match = Match("triomphe", 2)
    plays = [play(card, seat) for card, seat in zip(LAST_TRICK, LAST_SEATS, strict=True)]
    return match, tell(match, deal(1, "7S"), *plays, play("9D", 1))


@pytest.mark.parametrize("last", [play(None, 0), play(None, 0, candidates=["10D"]), play("10D", 0, confidence=0.5)])
@pytest.mark.parametrize("seat", [0, 1])
def test_neither_a_guess_nor_an_unsure_taking_settles_a_hand(last: dict[str, Any], seat: int) -> None:
    match, _ = two_each()
    notices = tell(match, last, taken(seat) | {"confidence": 0.5})
    assert [notice for notice in notices if notice.code == "deal_scored"] == []
    assert only(notices, "question").facts["about"] == "winner"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_sure_taking_settles_it(seat: int) -> None:
    match, _ = two_each()
    notices = tell(match, play(None, 0), taken(seat))
    assert only(notices, "deal_scored").facts["games"] == [int(seat == 0), int(seat == 1)]
    assert match.view.question is None


def test_who_won_a_trick_can_be_taken_back_and_said_otherwise() -> None:
    match, _ = two_each()
    asked = only(tell(match, play(None, 0)), "question").facts
    tell(match, {"event": "choose", "question": asked["question"], "answer": "0"})
    assert match.view.games == (1, 0)
    tell(match, {"event": "undo"})
    assert match.view.games == (0, 0) and match.view.question is not None
    tell(match, {"event": "choose", "question": asked["question"], "answer": "1"})
    assert match.view.games == (0, 1)


def test_a_marker_as_lead_and_cards_without_seats_accuse_nobody() -> None:
    match = Match("turufu", 4)
    events = [play(None, 0, candidates=["8H"]), play("AH"), play("5H"), play("6H"), taken(1), play("KD", 1)]
    assert accused(tell(match, deal(3, "3S"), *events)) == []


def test_a_lead_taken_for_a_marker_is_lifted_and_laid_again() -> None:
    for lifted in (2, None):
        match = Match("turufu", 4)
        again = [] if lifted is None else [{"event": "taken_back", "number": lifted}]
        events = [play(None, 0, candidates=["8H"]), *again, play("AH", 0), play("5H", 1), play("6H", 2), play("7H", 3)]
        assert accused(tell(match, deal(3, "3S"), *events)) == []


# -- a trick that ends unseen ------------------------------------------------------------------------------------------

NEXT_LEAD = [play("AH", 0), play("3H", 1), play("4H", 2), apart("AD", 0)]
"""The last card of the first trick was not seen, nor that the trick was gathered: its winner leads the next."""


def test_the_next_lead_after_a_trick_that_ended_unseen_accuses_nobody() -> None:
    match = Match("turufu", 4)
    notices = tell(match, deal(3, "3S"), *NEXT_LEAD)
    assert (accused(notices), suspected(notices)) == ([], ["two_from_one_seat"])
    assert match.view.trick_number == 2
    told = tell(match, {"event": "choose", "question": 5, "answer": "no"}, play("3D", 1), play("4D", 2), play("5D", 3))
    assert accused(told) == [] and match.view.question is None
    assert only(told, "trick").facts["cards"] == ["AD", "3D", "4D", "5D"]


def test_two_cards_that_somebody_saw_lie_together_are_named() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), *NEXT_LEAD)
    assert rules(tell(match, {"event": "choose", "question": 5, "answer": "yes"})) == ["two_from_one_seat"]
    assert match.view.trick_number == 1
    match = Match("turufu", 4)
    laid = [*NEXT_LEAD[:3], play("AD", 0)]
    assert rules(tell(match, deal(3, "3S"), *laid)) == ["two_from_one_seat"]


def test_cards_that_lie_together_are_no_second_ones_of_the_trick_before() -> None:
    """Three cards of the first trick were not seen, nor the lead of the next."""
    match = Match("turufu", 4)
    notices = tell(match, deal(3, "3S"), play("AH", 0), apart("3D", 2), play("4D", 3), play("5D", 0))
    assert accused(notices) == []
    assert [shown["card"] for shown in match.view.trick or ()] == ["3D", "4D", "5D"]


@pytest.mark.parametrize(("lifted", "lie"), [(4, ["AH", "3H", "AD"]), (5, ["AH", "3H", "4H"]), (2, ["3H", "4H"])])
def test_a_card_that_is_lifted_lay_there_still(lifted: int, lie: list[str]) -> None:
    """Player 2 laid a card in place of the one before it, or took it back; or the leader lifted his."""
    match = Match("turufu", 4)
    notices = tell(match, deal(3, "3S"), *NEXT_LEAD[:3], apart("AD", 2), {"event": "taken_back", "number": lifted})
    assert accused(notices) == [] and match.view.question is None
    assert match.view.trick_number == 1
    assert [shown["card"] for shown in match.view.trick or ()] == lie


@pytest.mark.parametrize("together", [True, False])
def test_a_revoke_waits_for_every_trick_where_cards_may_be_of_two(together: bool) -> None:
    """Player 1's card may lie in a trick of which nobody saw the lead."""
    match = Match("triomphe", 2)
    laid = zip(["KC", "7D", "QC", "8C", "KS", "QS", "JC", "9C", "AC", "10C"], [0, 1] * 5, strict=True)
    notices = tell(match, deal(1, "7H"), *(play(card, seat, beside=together and seat == 1) for card, seat in laid))
    told = [notice.facts["after_trick"] for notice in notices if notice.level == ALERT]
    assert told == ([2] if together else [5])


# -- any mix -----------------------------------------------------------------------------------------------------------


def kinds_for(game: TrickGame, rng: Random) -> list[str]:
    pool = [
        kind for kind in KINDS if (kind != "pillage" or game.pillage) and (kind != "turn-up unread" or game.turns_up)
    ]
    return rng.sample(pool, rng.choice((1, 1, 2, 3, 5, len(pool))))


def honest_streams(table: tuple[str, int, dict[str, Any]], seeds: range) -> None:
    for seed in seeds:
        match, game = opened(*table)
        rng = Random(f"{table} {seed}")
        kinds = kinds_for(game, rng)
        events = stream(game, rng, kinds, rng.choice((0.05, 0.15, 0.4)), 3)
        assert accused(added(match, events)) == [], (table, seed, kinds)


@pytest.mark.parametrize("table", TABLES_IN_TURN, ids=str)
def test_honest_play_is_never_accused_whatever_was_missed(table: tuple[str, int, dict[str, Any]]) -> None:
    honest_streams(table, range(3))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_honest_play_is_never_accused_in_1400_streams(table: tuple[str, int, dict[str, Any]]) -> None:
    honest_streams(table, range(1_000, 2_400))


@pytest.mark.parametrize("every", [4, *slow(1)])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_kind_of_loss_accuses_nobody(kind: str, every: int) -> None:
    for table in TABLES[sorted(KINDS).index(kind) % every :: every]:
        match, game = opened(*table)
        if kind == "pillage" and not game.pillage:
            continue
        rng = Random(f"{kind} {table} 0")
        assert accused(added(match, stream(game, rng, [kind], 0.3, 2))) == [], table


def _asks(notice: Notice) -> bool:
    """Whether this asks about what may have been a fault."""
    return notice.code in ("not_scored", "unreadable") or notice.facts.get("about") == "trump_right"


def faults_seen(table: tuple[str, int, dict[str, Any]], seeds: range) -> dict[str, int]:
    """Planted faults that the camera could see: how many were named, how many asked about, how many missed."""
    found = {"named": 0, "asked": 0, "missed": 0}
    _, game = opened(*table)
    for rule in plantable(game):
        for seed in seeds:
            match, _ = opened(*table)
            rng = Random(f"{rule} {table} {seed}")
            events = planted(rule, game, rng, kinds_for(game, rng), 0.15)
            notices = added(match, events)
            asked = rule in suspected(notices) or any(_asks(notice) for notice in notices)
            found["named" if rule in rules(notices) else "asked" if asked else "missed"] += 1
    return found


@pytest.mark.parametrize("table", [TABLES[1], *slow((TABLES[8],), (TABLES[13],))], ids=str)
def test_most_faults_are_named_or_asked_about_by_the_same_camera(table: tuple[str, int, dict[str, Any]]) -> None:
    found = faults_seen(table, range(4))
    assert found["missed"] <= sum(found.values()) / 10
    assert found["named"] >= sum(found.values()) / 3


def test_a_deal_without_its_turned_up_card_begins_one() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH", 0), replace(Deal(None), dealer=0))
    assert match.view.dealer == 0 and match.view.trick == ()
