"""A phone says by itself, in its own language, what the device says: the same sentences from the same messages."""

from pathlib import Path
from typing import Any

import pytest

from device import words
from tests.device.outputs.page.room import phone, room
from tests.device.outputs.page.test_page import some_deals, turufu
from tests.device.test_words import every_board_notice, every_card_notice

SAY = """async ([notices, language, seats, sides]) => {
    const said = await import("/w/words.js"), found = await import(`/words/${language}.js`);
    said.speak(found.default, language);
    const grid = [4, 8];
    return notices.map(([notice, game]) => said.sentence(notice, { seats, sides, game, grid }));
}"""
SEATS, SIDES = ["Zaïna", "Ali"], [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_phone_says_what_the_device_says(chromium: Any, tmp_path: Path, language: str) -> None:
    notices = [(notice, "turufu") for notice in every_card_notice()] + [
        (notice, "mraha") for notice in every_board_notice()
    ]
    which = {"notice": "question", "about": "which_turn", "choices": ["taken_back F3-", "F2+ F1-", "taken_back"]}
    advice = {"notice": "advice", "reason": "place", "best": "F3-", "seeds": 2.7, "captured": 0, "reply": None}
    notices += [(which, "mraha"), (advice, "mraha")]
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        said = page.evaluate(SAY, [notices, language, SEATS, SIDES])
    for (notice, game), sentence in zip(notices, said, strict=True):
        assert sentence == words.sentence(notice, language, SEATS, SIDES, game), notice
        assert "taken_back" not in sentence


def test_a_phone_keeps_its_own_language(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu(), language="fr") as table, phone(chromium, table.at) as page:
        table.add(*some_deals(table.table.match, 24))
        page.get_by_text("gagne le pli").first.wait_for()
        page.locator('a[href="#/house"]').click()
        page.get_by_role("button", name="English").last.click()
        page.locator('a[href="#/table"]').click()
        page.get_by_text("wins trick").first.wait_for()
        page.reload()
        page.get_by_text("wins trick").first.wait_for()
        assert page.evaluate("document.documentElement.lang") == "en"
