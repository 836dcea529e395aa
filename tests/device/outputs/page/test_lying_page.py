"""On a phone cards lie where and how they lie on the real table, seen from whoever looks at it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.following.show import Lying
from engine.events import Deal, Play
from engine.match import Match
from tests.device.outputs.page.room import phone, room, until

pytestmark = pytest.mark.slow
WHERE = """(name) => { const felt = document.querySelector('.felt').getBoundingClientRect();
  const card = [...document.querySelectorAll('.felt .laid')].find((one) => one.querySelector('svg').ariaLabel === name);
  if (!card) return {};
  const box = card.getBoundingClientRect(), turn = new DOMMatrix(getComputedStyle(card).transform);
  return { x: (box.x + box.width / 2 - felt.x - felt.width / 2) / felt.height,
    y: (box.y + box.height / 2 - felt.y - felt.height / 2) / felt.height,
    out: Math.max(felt.x - box.x, felt.y - box.y, box.right - felt.right, box.bottom - felt.bottom),
    turned: Math.round(Math.atan2(turn.b, turn.a) * 180 / Math.PI) }; }"""
LYING = (
    Lying("7H", None, 3.0, 0.0, 90.0), Lying("KD", 0, 0.1, 0.9, 20.0), Lying("3S", 1, -1.0, 0.3, -70.0),
    Lying("9C", 2, 0.0, -0.6, None),
)  # fmt: skip


def test_cards_lie_as_on_the_real_table_and_turn_with_who_looks_at_it(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4)) as table, phone(chromium, table.at, reduced_motion="reduce") as page:
        table.add(Deal("7H", 3), Play("KD", 0), Play("3S", 1))
        table.page.show(replace(table.table.show, lying=LYING[:3]))
        until(page, "document.querySelectorAll('.felt .laid').length === 3")
        king, three = page.evaluate(WHERE, "king of diamonds"), page.evaluate(WHERE, "3 of spades")
        assert king["turned"] == 20 and three["turned"] == -70
        assert king["y"] > 0.15 and abs(king["x"] / king["y"] - 1 / 9) < 0.03
        assert three["x"] < -0.15 and abs(three["y"] / three["x"] + 0.3) < 0.03
        assert all(card["out"] < 0 for card in (king, three, page.evaluate(WHERE, "7 of hearts")))
        page.get_by_role("button", name="player 2").click()
        until(page, f"({WHERE})('3 of spades').y > 0.15")
        king, three = page.evaluate(WHERE, "king of diamonds"), page.evaluate(WHERE, "3 of spades")
        assert king["x"] > 0.15 and king["turned"] == -70, "who sits right of them laid it"
        assert three["turned"] == 20


def test_a_card_whose_place_nobody_saw_lies_before_its_player(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4)) as table, phone(chromium, table.at, reduced_motion="reduce") as page:
        table.add(Deal("7H", 3), Play("KD", 0), Play("3S", 1))
        table.page.show(replace(table.table.show, lying=LYING[1:2]))
        until(page, "document.querySelectorAll('.felt .laid').length === 2")
        assert page.evaluate(WHERE, "3 of spades")["x"] < -0.15
        table.page.show(replace(table.table.show, lying=()))
        until(page, f"Math.abs(({WHERE})('king of diamonds').turned) < 8")


def test_of_a_wide_trick_every_card_stays_on_the_felt(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4)) as table, phone(chromium, table.at, reduced_motion="reduce") as page:
        table.add(Deal("7H", 3), Play("KD", 0), Play("3S", 1))
        wide = (Lying("KD", 0, 0.4, 2.1, 5.0), Lying("3S", 1, -2.0, -0.2, 85.0))
        table.page.show(replace(table.table.show, lying=wide))
        until(page, f"({WHERE})('3 of spades').turned === 85")
        king, three = page.evaluate(WHERE, "king of diamonds"), page.evaluate(WHERE, "3 of spades")
        assert king["out"] < 0 and three["out"] < 0
        assert abs(king["y"] / -three["x"] - 2.1 / 2.0) < 0.03, "to scale"
