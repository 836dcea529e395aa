"""Tonight's picture: what a match is remembered by, and the picture that the phone draws and saves."""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cv2
import pytest

from device.keeping.journal import MatchRecord
from device.outputs.page.evening import remembered
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.rules.awale import AwaleFlags
from engine.simulate import honest_match
from engine.simulate_awale import honest_game
from tests.device.outputs.page.room import phone, room
from tests.device.outputs.page.test_page import NAMES, turufu

WITH_A_MUZINGA = 34
"""The seed of a match of six in which a side takes every trick of a deal."""


def played(game: str, players: int, seed: int, names: tuple[str, ...] = ()) -> tuple[Match, list[Any]]:
    match = Match(game, players, {}, names)
    assert isinstance(match.judge, CardJudge)
    events = []
    for event in honest_match(match.judge.game, Random(seed), 60):
        match.add(event)
        events.append(event)
        if match.view.winner is not None:
            break
    return match, events


def test_a_match_is_remembered_by_its_best_trick_its_muzinga_and_its_longest_run() -> None:
    match, _ = played("turufu", 6, WITH_A_MUZINGA)
    told = remembered(match)
    tricks = [notice.facts for notice in match.notices if notice.code == "trick"]
    assert told["best"]["points"] == max(facts["points"] for facts in tricks)
    scored = [notice.facts for notice in match.notices if notice.code == "deal_scored"]
    assert told["every_trick"] == [facts["games"].index(4) for facts in scored if facts["muzinga"]] != []
    sides = "".join(str(match.view.sides[facts["seat"]]) for facts in tricks if match.view.sides)
    run = told["run"]
    assert str(run["side"]) * run["tricks"] in sides
    assert all(str(side) * (run["tricks"] + 1) not in sides for side in (0, 1))
    assert told["games"] == list(match.view.games or ()) and told["winner"] == match.view.winner


def test_a_match_that_has_hardly_begun_has_nothing_to_boast_of() -> None:
    told = remembered(turufu())
    assert (told["best"], told["run"], told["every_trick"], told["capture"]) == (None, None, [], None)


@pytest.mark.slow
def test_the_phone_draws_and_saves_the_picture(chromium: Any, tmp_path: Path) -> None:
    match, events = played("turufu", 6, WITH_A_MUZINGA, (*NAMES, "Zaïna", "Moinaécha"))
    record = MatchRecord.begin(tmp_path, Match("turufu", 6, {}, match.header.seats))
    for event in events:
        record.add(event)
    record.finish()
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.get_by_role("link", name="Matches").click()
        page.locator("[data-test=tonight-open]").click()
        page.locator("[data-test=tonight]").wait_for()
        with page.expect_download() as saved:
            page.get_by_role("link", name="Save the picture").click()
        path = tmp_path / "card.png"
        saved.value.save_as(path)
        picture = cv2.imread(str(path))
        assert picture is not None and picture.shape == (1350, 1080, 3)
        blue, green, red = (picture[:, :, channel].astype(int) for channel in range(3))
        leaves = (green > 130) & (green > red + 40) & (green > blue + 40)
        assert leaves[640:900, 400:680].mean() > 0.02, "the wreath"
        assert ((red > 230) & (green > 230) & (blue > 220))[960:1230].mean() > 0.1, "the best trick's cards"


def test_of_seeds_the_largest_capture_is_remembered() -> None:
    match = Match("awale", 2)
    captured = []
    for board in islice(honest_game(Random(4), AwaleFlags()), 40):
        captured += [notice.facts["captured"] for notice in match.add(board) if notice.code == "move"]
    assert remembered(match)["capture"]["captured"] == max(captured) > 0
