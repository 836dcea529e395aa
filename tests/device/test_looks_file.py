"""Looks written to a file and read back are the same, and a table run on them is scored by what truly happened."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from device.keeping.looks import later, look_from_dict, look_to_dict
from engine.events import Event, event_to_dict
from engine.games import GAMES
from engine.match import Match
from engine.notices import ALERT
from engine.referee.card_game import CardJudge
from engine.referee.judge import GameKind
from engine.sightings import CardLying, Glance, Hand, TableLook
from engine.simulate_looks import LOOK_MESSES, LookTable
from tests.sizes import slow, some
from tools.looks_file import Recorded, Witness, made_up, read_looks, run, score
from vision.synthetic.play_script import evening

SLOW_MESSES = ("house", "wide", "market", "guests")
"""Guests are followed in tests/engine/test_guests.py."""


def recorded(players: int = 4) -> Recorded:
    """A deal of turufu whose looks are made up."""
    judge = Match("turufu", players).judge
    assert isinstance(judge, CardJudge)
    events = evening(judge.game, Random(3), 1)
    looks = tuple(look for look, _ in LookTable(judge.game, 3, clockwise=True).looks(events))
    return Recorded("made up", "turufu", players, looks, {"events": _told(events), "alerts": [], "happened": []})


def _told(events: tuple[Event, ...]) -> list[dict[str, object]]:
    return [event_to_dict(event) for event in events]


def test_a_look_is_the_same_after_it_was_written() -> None:
    hand = Hand(12.5, (0.1, -0.2), 1.0, 2.0)
    cards = (
        CardLying("7H", 0.9991, (0.1, 0.2)),
        CardLying(None, 0.0, (0.3, 0.4), ("AS", "AC"), outlined=False, likely=(0.7, 0.2)),
        CardLying(None, 0.83, (0.5, 0.4), ("AS", "AC"), outlined=False),
    )
    look = TableLook(
        2.5, cards, (hand,), ((0.5, 0.5),), ((0.1, 0.2, 0.05),), 0.31, fresh=False, hidden=("KS",),
        behind_a_hand=True, glances=(Glance(1.5, cards[:1], (replace(hand, left_s=1.5),)),),
    )  # fmt: skip
    assert look_from_dict(json.loads(json.dumps(look_to_dict(look)))) == look
    drew_back = replace(look, hands=(replace(hand, drew_back_s=1.25, reached_s=1.125),))
    assert look_from_dict(json.loads(json.dumps(look_to_dict(drew_back)))) == drew_back
    moved = replace(hand, came_s=3.0, left_s=4.0, drew_back_s=3.25, reached_s=3.125)
    assert later(drew_back, 2.0).hands == (moved,)


@pytest.mark.slow
def test_a_deal_seen_right_is_scored_right() -> None:
    score = run(recorded())
    assert score.right
    assert score.cards == (36, 36)
    assert score.scores == (1, 1)


def test_a_trick_not_seen_is_scored_wrong() -> None:
    deal = recorded()
    blind = tuple(look for look in deal.looks if not 30 < look.at_s < 50)
    score = run(replace(deal, looks=blind))
    assert not score.right
    assert score.cards[0] < score.cards[1]


@pytest.mark.parametrize("mess", [*(mess for mess in LOOK_MESSES if mess not in SLOW_MESSES), *slow(*SLOW_MESSES)])
def test_every_mess_of_made_up_looks_can_be_followed_to_its_end(mess: str) -> None:
    evening_of = made_up(f"pille-4-made_{mess}-11", deals=1)
    times = [look.at_s for look in evening_of.looks]
    assert times == sorted(times)
    for before, look in pairwise(evening_of.looks):
        assert all(before.at_s < glance.at_s <= look.at_s for glance in look.glances)
    assert run(evening_of).cards[1] == 20


@pytest.mark.parametrize(
    "kind", some([kind for kind in GAMES.values() if not kind.grid], 3), ids=lambda kind: str(kind.name)
)
def test_every_game_is_followed_and_where_nobody_sees_it_players_say_who_takes(kind: GameKind) -> None:
    score = run(made_up(f"{kind.name}-{kind.players}-made_calm-1", deals=1))
    assert score.right
    assert score.scores == (1, 1)


@pytest.mark.slow
def test_a_card_that_was_taken_back_is_the_one_that_went_unseen_later() -> None:
    """The next player's arm hides it when it is laid again: what he lays is no lead."""
    score = run(made_up("triomphe-2-made_wide-2"))
    assert score.right and not score.false_alerts


@pytest.mark.slow
def test_a_card_that_one_look_read_otherwise_proves_no_revoke() -> None:
    """An eight of spades that is read as the jack of hearts again and again, of somebody who followed no heart."""
    assert run(made_up("pille-5-made_wide-31000")).false_alerts == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("pille-6-made_wide-31003", id="a king read as the queen played before is no second queen"),
        pytest.param("turufu-4-made_wide-42003", id="who takes an unread trick and leads rather won it"),
        pytest.param("turufu-4-made_guests-53001", id="markers and taken tricks that lie there are not thrown down"),
        pytest.param("turufu-4-made_market-613", id="who says whose a card is says nothing of another told as his"),
    ],
)
def test_neither_a_misread_card_nor_an_answer_accuses_somebody_else(name: str) -> None:
    assert run(made_up(name), answer=True).false_alerts == ()


def test_looks_of_a_wider_mess_have_glances_and_the_old_ones_none() -> None:
    def glances(mess: str) -> int:
        return sum(len(look.glances) for look in made_up(f"pille-4-made_{mess}-5", deals=1).looks)

    assert glances("house") == 0
    assert glances("wide") > 10


def test_an_alert_that_is_not_due_is_false() -> None:
    deal = recorded()
    match = Match("turufu", 4)
    said = [notice for event in deal.truth["events"] for notice in match.add(event)]
    accused = Match("turufu", 4)
    alert = next(
        notice
        for event in ({"event": "deal", "turn_up": "7H", "dealer": 0}, {"event": "play", "card": "8H", "seat": 1})
        for notice in accused.add(event)
        if notice.level == ALERT
    )
    scored = score(deal.truth, "turufu", 4, [*said, alert])
    assert scored.false_alerts == (alert.facts["rule"],)
    assert not scored.right


def test_a_file_that_was_broken_off_is_told(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    path.write_text(json.dumps({"looks": 1, "name": "half", "game": "turufu", "players": 4}) + "\n")
    with pytest.raises(ValueError, match="record it again"):
        read_looks(path)


def test_a_witness_answers_truly_or_says_that_the_truth_is_not_among_the_answers() -> None:
    happened = [
        {"at_s": 1.0, "event": "deal", "turn_up": "7H", "dealer": 3},
        {"at_s": 2.0, "event": "play", "card": "KS", "seat": 0},
        {"at_s": 3.0, "event": "play", "card": "3S"},
        {"at_s": 4.0, "event": "taken_back", "number": 3},
        {"at_s": 5.0, "event": "play", "card": "4S"},
    ]
    witness = Witness(Recorded("seen", "turufu", 4, (), {"happened": happened}))
    witness.until(3.5)
    asked = {"trick": 1, "seat": 1, "card": "3S"}
    lifted = {**asked, "about": "lifted", "choices": ["yes", "no"]}
    assert witness.answer({**asked, "about": "laid", "choices": ["3S", "none"]}) == "3S"
    assert witness.answer(lifted) == "no"
    witness.until(4.5)
    assert witness.answer({**asked, "about": "laid", "choices": ["3S", "none"]}) == "none"
    assert witness.answer(lifted) == "yes"
    witness.until(9.0)
    assert witness.answer({**asked, "about": "laid", "choices": ["3S", "unread", "none"]}) == "unread"
    assert witness.answer({**asked, "about": "laid", "choices": ["3S", "none"]}) is None
    assert witness.answer({**asked, "card": "KS", "about": "whose", "choices": ["0", "1"]}) == "0"
    assert witness.answer({**asked, "about": "first", "choices": ["1:4S", "0:KS"]}) == "0:KS"
    assert witness.answer({"about": "turned_up", "choices": ["7H", "7D"]}) == "7H"
