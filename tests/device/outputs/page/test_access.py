"""The page for everybody: axe-core finds nothing serious, no view needs a mouse, nothing is cut off at 320 pixels."""

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device import words
from device.keeping.journal import MatchRecord
from engine.events import Board, Deal, Play
from engine.games import GAMES
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.rules.mraha import board_rows
from engine.simulate import honest_match, plant
from engine.simulate_mraha import honest_turns
from tests.device.outputs.page.room import comes, pair, phone, room, until
from tests.device.outputs.page.test_house import kept_match
from tests.device.outputs.page.test_page import NAMES, some_deals, turufu

AXE = Path(__file__).parents[4] / "build/axe/node_modules/axe-core/axe.min.js"
VIEWS = ("table", "log", "aim", "house", "matches")
WIDTHS = (1920, 768, 320)
SERIOUS = ("serious", "critical")
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""Rules that can hold by day and not by night."""
FOCUSED = "(one => one.matches('a, button') ? one.innerText || one.ariaLabel || '' : '')(document.activeElement)"

AT_ONCE = "async (one) => { one.click(); await 0; await 0; return document.querySelector('dialog')?.open }"
"""Whether a press opens a sheet before anything else may happen."""


@pytest.fixture
def axe() -> str:
    if not AXE.exists():
        if os.environ.get("HISABU_MUST_RUN_BROWSER"):
            raise FileNotFoundError(AXE)
        pytest.skip("no axe-core: npm install --prefix build/axe axe-core")
    return AXE.read_text(encoding="utf-8")


def findings(page: Any, axe: str, rules: Sequence[str] = ()) -> list[str]:
    """What is serious. rules: axe's names of those to look at, else all that it looks at by itself."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)
    only = f", runOnly: {{ type: 'rule', values: {list(rules)} }}" if rules else ""
    found = page.evaluate(f"axe.run(document, {{ resultTypes: ['violations']{only} }})")["violations"]
    return [
        f"{phone['id']}: {node['html'][:160]}"
        for phone in found
        if phone["impact"] in SERIOUS
        for node in phone["nodes"]
    ]


def to_view(page: Any, view: str) -> None:
    page.evaluate(f"location.hash = '#/{view}'")
    page.locator(f".tabs a[href='#/{view}'][aria-current=page]").wait_for()
    page.wait_for_timeout(600)


@pytest.mark.slow
@pytest.mark.parametrize("views", [("table", "house"), ("log", "aim", "matches")])
def test_axe_finds_nothing_serious_in_any_view_by_day_and_by_night(
    chromium: Any, tmp_path: Path, axe: str, views: tuple[str, ...]
) -> None:
    kept_match(tmp_path, 2)
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:

        def nothing(view: str) -> None:
            assert findings(page, axe) == [], view
            page.emulate_media(color_scheme="dark")
            assert findings(page, axe, OF_COLOURS) == [], f"{view}, in the dark"
            page.emulate_media(color_scheme="light")

        nothing("before the deal")
        table.add(*some_deals(table.table.match, 24))
        pair(page, table)
        for view in views:
            to_view(page, view)
            nothing(view)
        table.add(Play(None, None, candidates=("KD", "KH")))
        to_view(page, "table")
        nothing("asked")


@pytest.mark.slow
def test_axe_finds_nothing_serious_in_an_alert_or_while_pairing(chromium: Any, tmp_path: Path, axe: str) -> None:
    match = turufu()
    assert isinstance(match.judge, CardJudge)
    with room(tmp_path, match) as table, phone(chromium, table.at) as page:
        page.get_by_role("button", name="Pair", exact=True).click()
        page.locator(".keypad").wait_for()
        assert findings(page, axe) == []
        page.keyboard.press("Escape")
        page.locator(".keypad").wait_for(state="detached")
        for event in plant("out_of_turn", match.judge.game, Random(8), 0):
            table.add(event)
            if table.table.show.alert:
                break
        page.locator("[data-test=alarm]").wait_for()
        assert findings(page, axe) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_a_board_is_played_on(
    chromium: Any, tmp_path: Path, axe: str, scheme: str
) -> None:
    match = Match("mraha", 2, {"show_counts": True})
    game: Any = match.judge
    with room(tmp_path, match) as table, phone(chromium, table.at, color_scheme=scheme) as page:
        page.set_viewport_size({"width": 320, "height": 640})
        pair(page, table)
        table.add(Board(board_rows(game.game.opening)))
        for turn in list(honest_turns(Random(5), game.game.flags))[:4]:
            table.add(Board(board_rows(turn.after)))
        for view in VIEWS:
            to_view(page, view)
            assert findings(page, axe) == [], view
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, view
        to_view(page, "log")
        assert page.get_by_role("button", name="The board").first.evaluate(AT_ONCE), "a key would go behind it"
        pit = page.locator(".pit.live").nth(20)
        pit.focus()
        page.keyboard.press("Enter")
        page.locator("dialog button:enabled", has_text="+").wait_for()
        assert findings(page, axe) == []
        before = table.table.match.view.pits
        page.get_by_role("button", name="one more").press("Enter")
        page.get_by_role("button", name="Save").press("Enter")
        page.locator("dialog").wait_for(state="detached")
        assert table.table.match.view.pits != before, "a pit is counted again without a mouse"


def test_everything_is_reached_from_the_keyboard(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        table.add(*some_deals(table.table.match, 6))

        def tab_to(name: str) -> None:
            for _ in range(60):
                page.keyboard.press("Tab")
                if name in page.evaluate(FOCUSED):
                    return
            raise AssertionError(f"{name} is not reached")

        tab_to("Pair")
        page.keyboard.press("Enter")
        page.locator(".keypad").wait_for()
        table.page.let_in()
        comes(page, lambda: table.code)
        page.keyboard.type(str(table.code))
        page.get_by_text("This phone is paired").wait_for()
        tab_to("Log")
        page.keyboard.press("Enter")
        page.locator("[data-test=log-card]").first.wait_for()
        tab_to("Take back")
        before = len(table.table.match.told)
        tab_to("Take back")
        page.keyboard.press("Enter")
        until(page, "!document.querySelector('[data-test=redo]').disabled")
        assert len(table.table.match.told) < before


def test_turns_and_alerts_are_said_to_a_screen_reader(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4, {}, NAMES)) as table, phone(chromium, table.at) as page:
        table.add(Deal("7H", 3))
        turn = page.locator("[data-test=turn-said]")
        assert turn.get_attribute("aria-live") == "polite"
        until(page, f"document.querySelector('[data-test=turn-said]').textContent === '{NAMES[0]} to play'")
        assert page.locator("[data-test=alert-said]").get_attribute("aria-live") == "assertive"


@pytest.mark.slow
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_view_is_wider_than_the_screen(chromium: Any, tmp_path: Path, language: str) -> None:
    kept_match(tmp_path, 1)
    short = words.say(language, "page-pair-short")
    with room(tmp_path, turufu(), language=language) as table, phone(chromium, table.at) as page:
        table.add(*some_deals(table.table.match, 24))
        page.get_by_role("button", name=short, exact=True).click()
        page.locator(".keypad").wait_for()
        table.page.let_in()
        comes(page, lambda: table.code)
        page.keyboard.type(str(table.code))
        page.locator(".keypad").wait_for(state="detached")
        for view in VIEWS:
            to_view(page, view)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 720})
                page.evaluate("new Promise(requestAnimationFrame)")
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (view, width)


@pytest.mark.slow
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_small_phone_reads_which_game_it_is_before_it_is_paired(chromium: Any, tmp_path: Path, language: str) -> None:
    for game in GAMES:
        with room(tmp_path, Match(game), language=language) as table, phone(chromium, table.at) as page:
            page.set_viewport_size({"width": 320, "height": 640})
            page.locator(".top .game").wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, game
            assert page.evaluate("(one => one.scrollWidth <= one.clientWidth)(document.querySelector('.top .game'))"), (
                game
            )


LINES_OF_NAMES = """[...document.querySelectorAll('.score tbody th .name')].map(one => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return [one.textContent, new Set([...range.getClientRects()].map(box => Math.round(box.top))).size];
})"""


@pytest.mark.slow
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_name_in_a_table_stands_on_one_line_on_a_small_phone(chromium: Any, tmp_path: Path, language: str) -> None:
    names = ("Fatima-Zahra", "Moinaecha", "Ben Ali", "Abdourahamane")
    match = Match("belote", 4, {}, names)
    assert isinstance(match.judge, CardJudge)
    record = MatchRecord.begin(tmp_path, Match("belote", 4, {}, names))
    events = list(honest_match(match.judge.game, Random(5), 2))
    for event in events:
        record.add(event)
    record.finish()
    with room(tmp_path, match, language=language) as table, phone(chromium, table.at) as page:
        page.set_viewport_size({"width": 320, "height": 640})
        table.add(*events[:30])
        for view in ("table", "matches"):
            to_view(page, view)
            page.locator(".score tbody th .name").first.wait_for()
            lines = page.evaluate(LINES_OF_NAMES)
            assert {name for name, _ in lines} == set(names), view
            assert all(number == 1 for _, number in lines), (view, lines)
            assert page.evaluate("document.querySelector('.score').getBoundingClientRect().right") <= 320, view
