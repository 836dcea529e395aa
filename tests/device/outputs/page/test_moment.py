"""A paired phone sees what the camera saw before and after an alert; no other phone does."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.following.follow import FrameSeen
from device.following.moments import Moments
from engine.events import Deal, Play
from engine.match import Match
from engine.sightings import CardLying
from tests.device.outputs.page.room import Room, pair, phone, room, until
from vision.frame import Frame


def watched(table: Room) -> None:
    """An illegal card, under a camera."""
    moments = Moments(lambda: table.table.match)
    table.page.site.moments = moments.last
    lying = (CardLying("8C", 0.99, (0.1, 0.2)),)
    image = np.full((960, 1280, 3), (110, 130, 60), np.uint8)
    for number in range(60):
        if number == 0:
            table.add(Deal("7H", 3), Play("AH", 0))
        if number == 40:
            cv2.rectangle(image, (600, 500), (760, 720), (255, 255, 255), -1)
            table.add(Play("8C", 1))
        moments.watch(Frame(image, 10.0 + number / 10), FrameSeen(looked=True, lying=lying))


@pytest.mark.slow
def test_an_alert_shows_its_pictures_to_a_paired_phone(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4), language="en") as table, phone(chromium, table.at) as page:
        pair(page, table)
        watched(table)
        page.locator("[data-test=moment] img").first.wait_for()
        until(page, "[...document.querySelectorAll('[data-test=moment] img')].every((one) => one.naturalWidth > 200)")
        until(
            page,
            "[...document.querySelectorAll('[data-test=moment] figcaption')].some((it) => it.innerText === 'after')",
        )
        captions = page.locator("[data-test=moment] figcaption").all_inner_texts()
        assert captions[0] == "laid: 8 of clubs" and captions.count("before") > 5 and "after" in captions


@pytest.mark.slow
def test_a_phone_that_is_not_paired_gets_none(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4), language="en") as table, phone(chromium, table.at) as page:
        watched(table)
        page.locator("dialog.alarm").wait_for()
        assert page.locator("[data-test=moment]").count() == 0
