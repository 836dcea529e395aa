"""What everybody looks for is there without scrolling: whose turn it is, right under it the score, the trick, trump."""

import re
from pathlib import Path
from typing import Any

import pytest

from device import words
from tests.device.outputs.page.room import phone, room
from tests.device.outputs.page.test_page import some_deals, turufu
from tests.sizes import slow

SIZES = ((320, 640), (360, 740), (768, 1024), (820, 1180))
PLACES = """Object.fromEntries([".whose", ".score", ".felt", ".strip", ".tabs"].map((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [name, [box.top, box.bottom]];
}))"""
OVERLAPPING = """[...document.querySelectorAll(".strip > *")].filter((one) =>
  one.getBoundingClientRect().right > document.querySelector(".strip-at").getBoundingClientRect().right + 1).length"""


LANGUAGES = ["fr", *slow(*(language for language in words.LANGUAGES if language != "fr"))]
"""French has the longest words."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_game_is_seen_without_scrolling(chromium: Any, tmp_path: Path, language: str) -> None:
    with room(tmp_path, turufu(), language=language) as table, phone(chromium, table.at) as page:
        table.add(*some_deals(table.table.match, 24))
        page.locator(".felt .laid").first.wait_for()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise(requestAnimationFrame)")
            at = page.evaluate(PLACES)
            assert 0 <= at[".score"][0] - at[".whose"][1] < 45, (width, at)
            assert at[".felt"][1] <= at[".tabs"][0] and at[".strip"][1] <= at[".tabs"][0], (width, at)
            assert page.evaluate(OVERLAPPING) == 0, width


@pytest.mark.slow
def test_a_television_shows_the_table_alone_and_large(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at + "#/screen") as page:
        page.set_viewport_size({"width": 1920, "height": 1080})
        table.add(*some_deals(table.table.match, 24))
        page.locator(".felt .laid").first.wait_for()
        assert page.locator(".tabs").is_hidden() and page.locator(".top .game").is_hidden()
        title = page.locator(".top").evaluate("(e) => [getComputedStyle(e).clipPath, e.querySelector('h1').innerText]")
        assert title == ["inset(50%)", "Hisabu"], "a heading for a screen reader alone"
        assert page.evaluate("document.documentElement.scrollHeight") <= 1080
        sizes = [
            page.evaluate(f"parseFloat(getComputedStyle(document.querySelector('{name}')).fontSize)")
            for name in (".whose", ".score td.games b", ".score tbody th", ".felt .seat")
        ]
        assert min(sizes) >= 30, "read from two metres: a letter of a television of 1 m is 1 cm high"


@pytest.mark.slow
def test_cards_have_the_letters_of_the_phones_language_or_of_the_pack(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu(), language="fr") as table, phone(chromium, table.at) as page:
        letters = "[...document.querySelectorAll('.card text')].map((one) => one.textContent)"
        table.add(*some_deals(table.table.match, 60))
        page.locator(".said li").first.wait_for()
        assert {"K", "Q", "J"}.isdisjoint(page.evaluate(letters))
        said = page.locator(".said").inner_text()
        assert re.search("[RDV][♣♦♥♠]", said) and not re.search("[KQJ][♣♦♥♠]", said)
        page.evaluate("location.hash = '#/house'")
        page.get_by_role("button", name="K Q J").click()
        page.evaluate("location.hash = '#/log'")
        page.locator("[data-test=log-card]").first.wait_for()
        assert {"R", "D", "V"}.isdisjoint(page.evaluate(letters))
        assert set(page.evaluate(letters)) & {"K", "Q", "J"}
