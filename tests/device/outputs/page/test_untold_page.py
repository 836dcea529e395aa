"""On a phone too a card that is not in the log yet lies there paler."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.following.show import Untold
from engine.events import Deal, Play
from engine.match import Match
from tests.device.outputs.page.room import phone, room


@pytest.mark.slow
def test_a_card_that_is_not_told_yet_lies_there_paler(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4)) as table, phone(chromium, table.at) as page:
        table.add(Deal("7H", 0), Play("7D", 1))
        page.locator(".laid").wait_for()
        assert page.locator(".laid.untold").count() == 0
        table.page.show(replace(table.table.show, untold=(Untold(2, "QH"), Untold(3, None))))
        page.locator(".laid.untold").first.wait_for()
        assert page.locator(".laid.untold").count() == 2 and page.locator(".laid").count() == 3
        assert float(page.locator(".laid.untold").first.evaluate("one => getComputedStyle(one).opacity")) < 0.6
        table.shown()
        page.locator(".laid.untold").first.wait_for(state="detached")
