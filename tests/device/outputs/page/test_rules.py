"""The rules of every game are on the phone, in its language; an alert leads to the rule that it is about."""

from pathlib import Path
from typing import Any

import pytest

from device import words
from device.outputs.page.rules import OF_RULES, PARTS, rules_of
from engine.events import Deal, Play
from engine.games import GAMES
from engine.match import Match
from engine.notices import BOARD_RULES, CARD_RULES
from tests.device.outputs.page.room import phone, room
from tests.device.outputs.page.test_page import turufu


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_every_language(tmp_path: Path, game: str) -> None:
    with room(tmp_path, turufu()) as table:
        for language in words.LANGUAGES:
            found = rules_of(game, table.table, language)
            assert [part for part, text in found["parts"] if len(text) > 20] == list(PARTS)
            assert sum(len(text) for _, text in found["parts"]) < 1500, "short"
            assert bool(found["orders"]) != bool(found["pits"]), "a picture"
            assert set(found["rules"]) == {*CARD_RULES, *BOARD_RULES, "revoke"}
            assert all(rule["text"] and rule["usual"] for rule in found["rules"].values())


def test_the_pictures_are_the_games_own(tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table:
        (order,) = rules_of("turufu", table.table, "en")["orders"]
        assert order["cards"][:3] == ["AH", "7H", "KH"] and order["points"][:5] == [11, 10, 4, 3, 2]
        trump, plain = rules_of("belote", table.table, "en")["orders"]
        assert (trump["cards"][0], trump["points"][0], plain["cards"][0]) == ("JH", 20, "AH")
        assert sum(map(sum, rules_of("awale", table.table, "en")["pits"])) == 48


def test_every_option_that_a_rule_speaks_of_is_an_option_of_some_game() -> None:
    known = {option.name for kind in GAMES.values() for option in kind.options}
    assert {name for options in OF_RULES.values() for name in options} <= known


def test_an_alert_leads_to_its_rule_as_this_house_plays_it(chromium: Any, tmp_path: Path) -> None:
    match = Match("sueca", 4, {"turns": "clockwise"})
    with room(tmp_path, match, language="en") as table, phone(chromium, table.at) as page:
        table.add(Deal("7H", 3), Play("AC", 0), Play("KD", 2), Play("2D", 1))
        page.locator("[data-test=which-rule]").click()
        rule = page.locator("[data-test=rule]")
        rule.get_by_text("One after the other plays a card").wait_for()
        assert "Turns go: clockwise" in rule.inner_text() and "Usually" in rule.inner_text()
        page.get_by_role("button", name="Mraha wa tso").click()
        page.get_by_text("64 seeds").wait_for()
        assert page.locator(".bao").count() == 1 and rule.count() == 0
        page.get_by_role("dialog", name="The rules").get_by_role("button", name="Close").click()
        page.locator("[data-test=alarm]").wait_for()
