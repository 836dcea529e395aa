"""The demo of a game of seeds: rendered, read, judged; every turn is told, and the one that is wrong is named."""

import pytest

from device.commands.demo import simulated
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.loop import run_through
from device.keeping.settings import Settings
from engine.match import Match
from engine.notices import ALERT
from tests.device.commands.demos import played


def turns(match: Match) -> list[object]:
    return [notice.facts.get("key") for notice in match.notices if notice.code == "move"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 100])
def test_awale_goes_from_the_camera_to_the_lamps(seed: int) -> None:
    match = Match("awale", options={"show_counts": "yes"})
    settings = Settings(language="en", game="awale", players=2, build="laptop", display="none")
    camera = simulated(match, seed, real_time=False)
    table = LiveTable(InMemory(match), settings, lambda wanted: InMemory(Match("awale")))
    run_through(camera, table, [])
    truth = Match("awale")
    for told in camera.table.truth:
        truth.add(told.event)
    assert turns(match) == turns(truth)
    assert [notice.facts["rule"] for notice in match.notices if notice.level == ALERT] == ["took_what_it_may_not"]
    assert table.show.view["captured"] == truth.view.captured


@pytest.mark.slow
def test_players_of_a_board_answer_which_turn_it_was() -> None:
    match, truth = played("awale", 2, 24, show_counts="yes")
    assert [notice.facts["about"] for notice in match.notices if notice.code == "question"] == ["which_turn"]
    assert match.view.question is None and turns(match) == turns(truth)
