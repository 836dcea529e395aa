"""An alert carries its pictures: the seconds before and after, the card outlined, of a revoke both cards; in memory."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from device.following.follow import FrameSeen
from device.following.moments import AFTER, BEFORE, CARD, EVERY_S, KEPT_S, MOST_BYTES, Moments, Picture
from engine.events import Deal, Event, Play, Taken, Undo
from engine.match import Match
from engine.sightings import CardLying
from vision.frame import Frame

FPS = 10


class Table:
    """A match before a camera."""

    def __init__(
        self,
        game: str = "turufu",
        players: int = 4,
        over: Callable[[int, Sequence[Picture]], None] = lambda number, pictures: None,
    ) -> None:
        self.match = Match(game, players)
        self.moments = Moments(lambda: self.match, over)
        self.at_s = 50.0
        noise = np.random.default_rng(1).integers(0, 255, (30, 40, 3), np.uint8)
        self.image = np.asarray(cv2.resize(noise, (1280, 960)), np.uint8)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * FPS)):
            self.at_s += 1 / FPS
            self.moments.watch(Frame(self.image, self.at_s), FrameSeen())

    def lay(self, *events: Event) -> None:
        for event in events:
            self.at_s += 1 / FPS
            self.match.add(event)
            lying = (CardLying(event.card, 0.99, (0.2, -0.1)),) if isinstance(event, Play) and event.card else ()
            self.moments.watch(Frame(self.image, self.at_s), FrameSeen(looked=True, lying=lying))


def of(pictures: list[Picture], what: str) -> list[Picture]:
    return [picture for picture in pictures if picture.what == what]


def test_an_alert_has_what_was_before_it_the_card_and_what_came_after() -> None:
    table = Table()
    table.lay(Deal("7H", 3))
    table.wait(30)
    assert table.moments.last() == []
    table.lay(Play("AH", 0), Play("8C", 1))
    at_once = table.moments.last()
    assert 10 <= len(of(at_once, BEFORE)) <= 14 and not of(at_once, AFTER)
    assert [picture.card for picture in of(at_once, CARD)] == ["8C"]
    table.wait(5)
    assert len(of(table.moments.last(), AFTER)) == pytest.approx(2 / EVERY_S, abs=1)
    assert all(picture.jpeg.startswith(b"\xff\xd8") for picture in table.moments.last())


def test_of_a_revoke_both_cards_are_shown() -> None:
    table = Table("triomphe", 2)
    table.lay(Deal("7S", 1), Play("9H", 0), Play("7C", 1), Taken(0))  # He did not follow …
    table.lay(Play("8D", 0), Play("9D", 1), Taken(1), Play("10H", 1), Play("8H", 0), Taken(1))  # … and had a heart.
    table.lay(Play("AC", 1), Play("KC", 0), Taken(0), Play("QD", 0), Play("JD", 1), Taken(0))
    assert any(notice.code == "revoke" and notice.level == "alert" for notice in table.match.notices)
    cards = [picture.card for picture in of(table.moments.last(), CARD)]
    assert cards == ["7C", "10H"]


def test_what_is_kept_is_bounded_and_gone_with_the_match() -> None:
    table = Table()
    table.lay(Deal("7H", 3), Play("AH", 0))
    for _ in range(30):
        table.lay(Play("8C", 1))
        for _ in range(round(KEPT_S / 10 / EVERY_S)):
            table.image = np.roll(table.image, 7, axis=1)  # No two pictures are the same.
            table.wait(EVERY_S)
        table.lay(Undo())
    assert table.moments.held_bytes < MOST_BYTES + 3_000_000, "of alerts, and of the last seconds"
    assert table.moments.last()
    table.match = Match("turufu", 4)
    table.wait(0.2)
    assert table.moments.last() == []
