"""The first picture is drawn by the device: it is there before any of the page's modules is."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from device import words
from device.following.show import Lying, Show
from device.outputs.page.first import SUIT_PATHS, first_picture
from device.outputs.page.page import page_files
from device.outputs.page.state import state_of
from engine.events import Board, Deal, Play
from engine.games import GAMES
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.rules.mraha import board_rows
from engine.simulate_mraha import honest_turns
from tests.device.outputs.page.room import room, until
from tests.device.web.served import get


def drawn(match: Match, **more: Any) -> str:
    show = Show(match.view.to_dict(), "en", match.header.seats)
    return first_picture({**state_of(show), **more}, "en")


def a_trick(*names: str) -> Match:
    match = Match("turufu", 4, {}, names)
    for event in (Deal("7H", 3), Play("KD", 0), Play("3S", 1)):
        match.add(event)
    return match


def test_it_shows_the_trick_whose_turn_it_is_and_who_sits_where() -> None:
    text = drawn(a_trick("Zaina", "Ali", "Moina", "Abdou"))
    assert text.count('class="paper"') == 2 and ">K</text>" in text and SUIT_PATHS["S"] in text
    assert "Moina to play" in text and text.count("</text>") == 2 + 4


def test_a_card_lies_where_it_lies_and_else_before_its_player() -> None:
    lying = [{"card": "3S", "seat": 1, "x": -1.0, "y": 0.5, "turned_deg": -70.0}]
    text = drawn(a_trick(), lying=lying)
    assert "translate(-25.2 12.6) rotate(-70)" in text and "translate(-0.0 21.0) rotate(0)" in text
    assert set(lying[0]) == set(Lying.__dataclass_fields__), "as the page is sent it"


def test_names_are_no_markup() -> None:
    text = drawn(a_trick('<b onload="x">', "&", "'", "{state}"))
    assert "<b o" not in text and "&lt;b onload=&quot;x&quot;&gt;" in text and ">&amp;<" in text


def test_an_alert_is_all_there_is_to_see() -> None:
    text = drawn(a_trick(), alert="Zaina < Ali")
    assert text.startswith('<dialog class="alarm" open>') and "Zaina &lt; Ali" in text and "felt" not in text


def test_a_board_shows_what_lies_in_its_pits() -> None:
    match = Match("mraha", 2, {"show_counts": True})
    assert isinstance(match.judge, BoardJudge)
    game: Any = match.judge.game
    match.add(Board(board_rows(game.opening)))
    for turn in list(honest_turns(Random(5), game.flags))[:6]:
        match.add(Board(board_rows(turn.after)))
    pits = match.view.pits
    assert pits is not None
    text = drawn(match)
    shown = [int(part.rpartition(">")[2]) for part in text.split("</text>")[:-1]]
    assert shown == [count for row in pits for count in row if count]
    assert "South to play" in text or "North to play" in text


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_one_in_every_language(game: str, language: str) -> None:
    match = Match(game, GAMES[game].players, {})
    text = first_picture(state_of(Show(match.view.to_dict(), language)), language)
    assert "felt" in text or "bao" in text
    assert words.say(language, "page-title") in first_picture({}, language)


def test_suits_are_drawn_as_they_are_later() -> None:
    later = page_files()["/w/cards.js"].plain.decode()
    assert all(f'{suit}: "{path}"' in later for suit, path in SUIT_PATHS.items())


def test_it_is_there_without_any_module_and_goes_when_they_come(chromium: Any, tmp_path: Path) -> None:
    told: list[str] = []
    with room(tmp_path, a_trick("Zaina", "Ali", "Moina", "Abdou")) as table:
        held = chromium.new_context()
        page = held.new_page()
        page.on("console", lambda message: told.append(message.text))
        page.route("**/*.js", lambda route: route.abort())
        page.goto(table.at)
        felt = page.locator(".felt").bounding_box()
        assert felt and felt["width"] > 200 and page.locator("svg.first .paper").count() == 2
        page.unroute("**/*.js")
        page.goto(table.at)
        until(page, "document.querySelectorAll('.felt .laid').length === 2")
        assert page.locator("svg.first").count() == 0
        held.close()
    assert [face for face in told if "ERR_FAILED" not in face] == [], "its style is as the policy allows"


def test_who_may_not_look_is_drawn_nothing_of_the_table(tmp_path: Path) -> None:
    with room(tmp_path, a_trick("Zaina", "Ali", "Moina", "Abdou"), page_look="paired") as table:
        told = get(table.page.site.port, "/").decode()
    assert "Hisabu" in told and "Zaina" not in told and "felt" not in told.partition("</style>")[2]
