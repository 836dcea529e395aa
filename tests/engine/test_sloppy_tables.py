"""What real tables do: cards replaced, lifted, gathered early, doubted, given up; and nobody is accused for it."""

from random import Random
from typing import Any

import pytest

from engine.events import EventError, Play, Taken
from engine.match import Match
from engine.notices import Notice
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match
from tests.engine.table import alarms, deal, only, play, rules, suspected, taken, tell
from tests.sizes import slow


def happens(match: Match, text: str) -> list[Notice]:
    """Events in short: "D3:3S" a deal, "AH/0" a play, "AH/0~" a doubted one, "?/1" unread, "tk0", "tb5", "void"."""
    notices = []
    for word in text.split():
        if word.startswith("tk"):
            event: dict[str, Any] = taken(int(word[2:]))
        elif word.startswith("tb"):
            event = {"event": "taken_back", "number": int(word[2:])}
        elif word == "void":
            event = {"event": "void_deal"}
        elif ":" in word:
            dealer, turn_up = word[1:].split(":")
            event = deal(int(dealer) if dealer else None, turn_up)
        else:
            face, _, seat = word.rstrip("~").partition("/")
            event = play(None if face == "?" else face, int(seat) if seat else None)
            event |= {"confidence": 0.5} if word.endswith("~") else {}
        notices += tell(match, event)
    return notices


def alerts(notices: list[Notice]) -> list[str]:
    return [str(notice.facts.get("rule", notice.code)) for notice in notices if notice.level == "alert"]


@pytest.mark.parametrize("deals", [20, *slow(60)])
def test_a_doubted_card_does_not_pin_who_drew_the_turn_up(deals: int) -> None:
    """Honest deals in which one doubted card of trick D reads as another: no revoke comes of it."""
    for seed in range(deals):
        match = Match("turufu", 6)
        assert isinstance(match.judge, CardJudge)
        game, rng = match.judge.game, Random(seed)
        events = [event for event in honest_match(game, rng, 1) if not isinstance(event, Taken)]
        place = 1 + game.draws * 6 - rng.randrange(1, 7)
        misread = events[place]
        assert isinstance(misread, Play)
        events[place] = Play(rng.choice(game.pack), misread.seat, confidence=0.5)
        assert alerts([notice for event in events for notice in match.add(event)]) == [], seed


def test_without_seats_a_doubted_card_leaves_the_next_seats_open() -> None:
    match = Match("triomphe", 2)
    assert alerts(happens(match, "D1:8S KD 7C QC 9C~ 7H KH QD 8H QH")) == []
    match = Match("triomphe", 2)
    assert alerts(happens(match, "D1:8S KD 7C tk0 QC 9C~ tk1 7H KH tk0 QD 8H tk0 QH")) == []
    match = Match("turufu", 4)
    assert alerts(happens(match, "D3:3S 5H/0 6H/1 4H/2~ QH/3 AC KC/3")) == []


def test_a_doubted_card_takes_no_candidate_from_an_unread_one() -> None:
    match = Match("turufu", 4)
    happens(match, "D3:3S 4C/0 7H/1~ 5C/2 6C/3 tk3 AC/3 3C/0 QC/1 KC/2 tk3 4H/3")
    tell(match, play(None, 0, candidates=["7H", "7D"]))
    assert alerts(happens(match, "5H/1 6H/2 tk0 AD/0")) == []


def test_a_card_put_down_for_another_counts_once_the_first_is_lifted() -> None:
    match = Match("turufu", 4)
    assert alerts(happens(match, "D3:3S AH/0 4C/1 6H/1")) == ["two_from_one_seat"]
    assert alerts(happens(match, "tb3 5H/2 7H/3 tk0")) == []
    assert match.view.tricks == (1, 0)
    match = Match("turufu", 4)
    happens(match, "D3:3S AH/0 4H/0")
    assert alerts(happens(match, "tb2 5H/1")) == []


def test_a_replaced_card_can_complete_the_trick() -> None:
    match = Match("turufu", 4)
    happens(match, "D3:3S AH/0 4C/1 6H/1 5H/2 7H/3")
    notices = happens(match, "tb3")
    assert only(notices, "trick").facts["cards"] == ["AH", "6H", "5H", "7H"]


def test_the_right_leader_may_lead_after_the_wrong_one_lifted() -> None:
    match = Match("turufu", 4)
    assert suspected(happens(match, "D3:3S AH/1 5H/2")) == ["wrong_leader"]
    assert alerts(happens(match, "tb2 KH/0 4H/1 3H/3")) == ["wrong_leader"]  # Now it is sure that it was one.
    assert only(match.notices, "trick").facts["seat"] == 0


def test_a_side_names_its_dealer() -> None:
    """After a hand the dealer names one of the other side: either may then have dealt."""
    for leader in (1, 2):
        match = Match("triomphe", 4, {"teams": "sides"})
        happens(match, "D3:7H KC/0 QC/1 JC/2 AC/3 KD/0 QD/1 JD/2 AD/3 KS/0 QS/1 JS/2 AS/3 KH/0 QH/1 JH/2 AH/3")
        happens(match, "10C/0 9C/1 8C/2 7C/3")
        assert alerts(happens(match, f"D:7S 8D/{leader}")) == []
        assert match.view.dealer == leader - 1


def test_a_new_match_draws_its_first_dealer() -> None:
    match = Match("triomphe", 2, {"target": "1"})
    happens(match, "D1:7H KC QC KD QD KS QS JC AC JD AD")
    assert match.view.winner is not None
    assert alerts(happens(match, "D:7H KC/0")) == []
    assert match.view.match == 2


def test_the_same_deal_seen_again_when_its_dealer_was_inferred() -> None:
    match = Match("turufu", 4)
    assert alarms(happens(match, "D:3S AH/0 D3:3S")) == []
    assert match.view.turn == 1


def test_a_match_won_by_a_penalty_ends_the_hand() -> None:
    match = Match("triomphe", 2, {"target": "1", "penalty": "point"})
    happens(match, "D1:8S KD/0 7C/1 KC/0 7D/1 KH/0")
    assert match.view.question is not None
    won = tell(match, {"event": "choose", "question": match.view.question["question"], "answer": "yes"})
    assert only(won, "match_won").facts["side"] == 0
    assert match.view.phase == "match_over"
    assert alarms(happens(match, "tb6 D0:9S")) == []
    assert (match.view.match, match.view.games) == (2, (0, 0))


@pytest.mark.parametrize("lifted", ["tk1", "tb2", "tb3"])
def test_a_hand_given_up_is_gathered_as_anybody_likes(lifted: str) -> None:
    match = Match("triomphe", 2)
    happens(match, "D1:7H KC/0 QC/1")
    tell(match, {"event": "offer", "seat": 0}, {"event": "answer", "accept": True})
    assert happens(match, lifted) == []
    assert match.view.games == (0, 1)


@pytest.mark.parametrize(
    ("game", "players", "text"),
    [
        ("turufu", 4, "D3:3S 4H/0 5H/1 ?/2 3H/3 tk1 4C/2"),
        ("turufu", 4, "D3:3S AH/0 4H/1 5H/2 tk0 6H/3"),
        ("turufu", 2, "D1:3S 4H/0 AH/1 tb3 tb2 AH/1"),
        ("turufu", 2, "D1:3S 4H/0 AH/1 tk1 5C/1 KC/0 tb6 tb5 6C/0"),
    ],
)
def test_odd_orders_are_judged_not_stumbled_over(game: str, players: int, text: str) -> None:
    happens(Match(game, players), text)


def test_a_revoke_under_an_unread_lead() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "8S"), play(None, 0, candidates=["KD", "QD", "JD"]))
    happens(match, "7C/1 tk0 ?/0 9C/1 tk0 KC/0 7D/1")


def test_lifting_a_marker_card_settles_its_alert() -> None:
    match = Match("turufu", 4)
    assert alerts(happens(match, "D3:3S AH/0 9H/1")) == ["not_in_pack"]
    assert alarms(happens(match, "tb3 4H/1")) == []
    assert match.view.alert is None


def test_a_penalty_on_the_last_trick_is_asked_again_if_it_is_played_again() -> None:
    match = Match("triomphe", 2, {"penalty": "point"})
    happens(match, "D1:7H KC/0 QC/1 KD/0 QD/1 JC/0 AC/1 JD/0 AS/1 10D/0")
    happens(match, "9D/1")
    asked = match.view.question
    assert asked is not None and asked["about"] == "penalty"
    tell(match, {"event": "choose", "question": asked["question"], "answer": "yes"})
    before = match.view.games
    happens(match, "tb11 9D/1")
    again = match.view.question
    assert again is not None
    tell(match, {"event": "choose", "question": again["question"], "answer": "yes"})
    assert match.view.games == before


def test_two_questions_can_be_open() -> None:
    match = Match("triomphe", 2, {"penalty": "point"})
    happens(match, "D1:8S KD/0 7C/1 KC/0 7D/1 KH/0")
    penalty = match.view.question
    tell(match, {"event": "offer", "seat": 1})
    assert penalty is not None and match.view.question is not None
    assert match.view.question["about"] == "offer"
    tell(match, {"event": "choose", "question": match.view.question["question"], "answer": "no"})
    tell(match, {"event": "choose", "question": penalty["question"], "answer": "yes"})
    assert match.view.games == (1, 0)


def test_an_offer_nobody_answered_ends_with_the_hand() -> None:
    match = Match("triomphe", 2)
    happens(match, "D1:7H")
    tell(match, {"event": "offer", "seat": 0})
    happens(match, "KC QC KD QD KS QS JC AC JD AD")
    assert (match.view.phase, match.view.question) == ("deal_over", None)


def test_a_score_that_hangs_on_who_led_asks_for_it() -> None:
    match = Match("triomphe", 2)
    notices = happens(match, "D:7H KC QC KD QD KS QS JC AC JD AD")
    asked = only(notices, "question").facts
    assert (asked["about"], asked["choices"]) == ("leader", ["0", "1"])
    settled = tell(match, {"event": "choose", "question": asked["question"], "answer": "1"})
    assert only(settled, "deal_scored").facts["games"] == [0, 2]


def test_a_deal_won_by_a_doubted_card_asks() -> None:
    match = Match("triomphe", 2)
    notices = happens(match, "D1:7H KC/0 QC/1 KD/0 QD/1 8S/0 9S/1 10C/1 9C/0 10D/1 AD/0~")
    assert alerts(notices) == []
    assert not any(notice.code == "deal_scored" for notice in notices)
    asked = only(notices, "question").facts
    assert (asked["about"], asked["choices"]) == ("winner", ["0", "1"])


@pytest.mark.parametrize(
    "events",
    [
        [deal(2, "AH"), {"event": "pillage", "seat": 2, "card": "AH", "next": "9C"}, play("AH", 0)],
        [deal(2, "9H"), {"event": "pillage", "seat": 0, "card": "9H", "paid": "7C", "next": "7C"}],
    ],
)
def test_pillaged_and_paid_cards_are_nowhere_else(events: list[dict[str, Any]]) -> None:
    assert rules(tell(Match("pille", 3), *events)) == ["seen_before"]


def test_a_proof_at_the_end_waits_for_every_card() -> None:
    """With a card unread a revoke proven only by the last trick stays provisional."""
    match = Match("triomphe", 2)
    notices = happens(match, "D1:7H KC/0 7D/1 QS/0 ?/1 JS/0 8S/1 AS/0 10S/1 KS/0 8C/1")
    levels = [notice.facts["level_of_proof"] for notice in notices if notice.code == "revoke"]
    assert levels == ["provisional"]


@pytest.mark.parametrize("matches", [15, *slow(40)])
def test_random_orders_never_crash(matches: int) -> None:
    """Anything in any order: it is judged or refused, never stumbled over, and undo goes all the way back."""
    for seed in range(matches):
        rng = Random(seed)
        name, players = rng.choice([("turufu", 2), ("turufu", 4), ("triomphe", 2), ("triomphe", 4), ("pille", 3)])
        match = Match(name, players, {"penalty": "point"} if name == "triomphe" else {})
        assert isinstance(match.judge, CardJudge)
        pack = match.judge.game.pack
        fresh, done = match.view, 0
        for _ in range(60):
            event = rng.choice(
                [
                    play(rng.choice([*pack, "2H", None]), rng.choice([None, *range(players)])),
                    play(rng.choice(pack), rng.choice([None, *range(players)]), confidence=0.5),
                    taken(rng.randrange(players)),
                    {"event": "taken_back", "number": rng.randrange(1, 60)},
                    {"event": "confirm", "number": rng.randrange(1, 60)},
                    {"event": "correct", "number": rng.randrange(1, 60), "card": rng.choice(pack)},
                    {"event": "choose", "question": rng.randrange(1, 60), "answer": rng.choice(["yes", "0", "KH"])},
                    deal(rng.choice([None, *range(players)]), rng.choice(pack)),
                    {"event": "offer", "seat": rng.randrange(players)},
                    {"event": "answer", "accept": rng.random() < 0.5},
                    {"event": "pillage", "seat": rng.randrange(players), "card": rng.choice(pack)},
                ]
            )
            try:
                match.add(event)
                done += 1
            except EventError:
                continue
        for _ in range(done):
            match.add({"event": "undo"})
        assert match.view == fresh
