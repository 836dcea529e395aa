"""On a phone a lesson at cards shows the learner's hand: what he may play is lit, and why the other cards not."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.events import Deal
from engine.match import Match
from tests.device.outputs.page.room import phone, room


@pytest.mark.slow
def test_what_may_be_played_is_lit_and_the_other_cards_say_why_not(chromium: Any, tmp_path: Path) -> None:
    learner = {"seat": 1, "hand": [["7H", None], ["KS", "follow"], ["QS", "follow"]], "lit": True}
    with room(tmp_path, Match("turufu", 4)) as table, phone(chromium, table.at) as page:
        table.add(Deal("7D", 0))
        page.locator(".whose").wait_for()
        assert page.locator(".hand").count() == 0
        show = table.table.show
        table.page.show(replace(show, extra={**show.extra, "teaches": True, "learner": learner}))
        page.locator(".hand figure").first.wait_for()
        assert page.locator(".hand .lit").count() == 1 and page.locator(".hand .dim").count() == 2
        assert page.locator(".hand .dim figcaption").first.inner_text() == "you must follow suit"
        table.page.show(replace(show, extra={**show.extra, "teaches": True, "learner": {**learner, "lit": False}}))
        page.locator(".hand .lit").first.wait_for(state="detached")
        assert page.locator(".hand figure").count() == 3
        table.shown()
        page.locator(".hand").wait_for(state="detached")
