"""A phone says aloud what happens, as much of it as its owner chose; an alert breaks off all else."""

from pathlib import Path
from typing import Any

import pytest

from engine.events import Deal, Play
from engine.match import Match
from tests.device.outputs.page.room import comes, pair, phone, room, until

MOUTH = """
window.spoken = []; window.cancelled = 0; window.finish = () => {};
const mouth = {
  speak: (said) => { window.spoken.push([said.text, said.lang]); window.finish = () => said.onend(); },
  cancel: () => { window.cancelled += 1; },
};
Object.defineProperty(window, "speechSynthesis", { value: mouth });
window.told = 0;
window.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where);
    this.addEventListener("message", ({ data }) => { window.told += String(data).includes('"speech"'); });
  }
};
"""


def listens(page: Any) -> None:
    """Waits until the phone was told what has been said already: it says only what comes after."""
    until(page, "window.told > 0")
    page.wait_for_timeout(100)


def test_a_phone_speaks_its_own_language(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4), language="en") as table, phone(chromium, table.at) as page:
        page.add_init_script(MOUTH)
        page.evaluate("document.cookie = 'hisabu-language=fr'")
        page.reload()
        table.add(Deal("7H", 3))
        page.locator("[data-test=voice]").select_option("everything")
        listens(page)
        table.add(Play("KD", 0))
        until(page, "window.spoken.length == 1")
        table.add(Play(None, 1, candidates=("KC", "KS")))
        page.evaluate("window.finish()")
        until(page, "window.spoken.length == 2")
        page.evaluate("window.finish()")
        until(page, "window.spoken.length == 3")
        said = page.evaluate("window.spoken")
        assert said[0] == ["Joueur 1 : roi de carreau", "fr-FR"]
        assert "roi de trèfle" in said[2][0] and "roi de pique" in said[2][0]


def test_a_phone_goes_on_speaking_after_the_set_up_was_looked_at(chromium: Any, tmp_path: Path) -> None:
    def heard() -> set[frozenset[str]]:
        return {visitor.wants for visitor in table.page.site.visitors}

    with room(tmp_path, Match("turufu", 4), language="en") as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.locator("[data-test=voice]").select_option("game")
        page.get_by_role("button", name="Set up this table").click()
        page.locator("[data-test=setup-0]").wait_for()
        page.wait_for_timeout(200)
        assert heard() == {frozenset({"speech"})}
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        page.wait_for_timeout(200)
        assert heard() == {frozenset({"speech"})}
        page.get_by_role("link", name="Log").click()
        comes(page, lambda: heard() == {frozenset({"log"})})


@pytest.mark.slow
def test_a_phone_speaks(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4), language="en") as table, phone(chromium, table.at) as page:
        page.add_init_script(MOUTH)
        page.reload()
        table.add(Deal("7H", 3))
        page.locator("[data-test=voice]").select_option("everything")
        listens(page)
        table.add(Play("3D", 0))
        until(page, "window.spoken.length == 1")
        table.add(Play("8C", 1))  # Not in the pack: an alert.
        until(page, "window.spoken.length == 2")
        said = page.evaluate("window.spoken")
        assert said[0] == ["player 1: 3 of diamonds", "en-GB"]
        assert "8 of clubs" in said[1][0] and page.evaluate("window.cancelled") == 1
        page.evaluate("window.finish()")
        until(page, "window.spoken.length == 3")
        assert page.evaluate("window.spoken")[2][0] == said[0][0], "what was broken off is said again"
        page.get_by_role("button", name="Hide on this phone").click()
        page.locator("[data-test=voice]").select_option("")
        table.add(Play("4D", 2))
        page.locator(".laid").nth(2).wait_for()
        assert len(page.evaluate("window.spoken")) == 3
