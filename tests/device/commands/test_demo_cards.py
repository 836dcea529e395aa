"""The demo of card games: at belote players say who takes, which no camera sees; and a table that plays on and on."""

from itertools import islice
from random import Random

import pytest

from device.commands.demo import deal_after_deal
from engine.events import Deal
from engine.match import Match
from engine.notices import ALERT
from engine.referee.card_game import CardJudge
from tests.device.commands.demos import played


@pytest.mark.slow
def test_belote_goes_from_the_camera_to_the_lamps() -> None:
    match, truth = played("belote", 4, 3)
    assert match.view.games == truth.view.games and max(match.view.games or ()) > 80
    assert (match.view.taker, match.view.trump) == (truth.view.taker, truth.view.trump)
    # The second card lies there only for a moment, while the table is asked who takes.
    named = [notice.facts.get("rule", notice.code) for notice in match.notices if notice.level == ALERT]
    assert "revoke" in named and set(named) <= {"two_from_one_seat", "revoke"}


def test_a_table_that_plays_on_and_on_breaks_the_rules_of_its_first_deal_alone() -> None:
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    for event in islice(deal_after_deal(match.judge.game, Random(1)), 200):
        match.add(event)
    assert sum(isinstance(event, Deal) for event in match.log) > 3
    alerts = [notice.facts.get("rule", notice.code) for notice in match.notices if notice.level == ALERT]
    assert alerts == ["two_from_one_seat", "revoke"]
