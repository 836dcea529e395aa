"""When a board is looked for, followed and counted; the reader is played."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engine.sightings import BoardSighting, CountLikelihood
from tests.vision.tabletop import STEP_S, Tabletop, toward
from vision.board.grid import FoundBoard
from vision.board_table import (
    AGAIN_EVERY_S,
    BOARD_LOST,
    BOARD_UNSURE,
    CAMERA_MOVED,
    DOUBT_EVERY_S,
    GONE_S,
    HAND_OVER,
    LOOKING,
    LOOKS_IN_DOUBT,
    SEARCH_EVERY_S,
    SEARCH_MOVING_S,
    TWO_BOARDS,
    BoardLook,
    BoardSearch,
    BoardTableEye,
)
from vision.frame import Image

ROWS, COLUMNS = 4, 8
UNDER_THE_HAND = 4
"""The pit of the last row over which a hand from below comes first."""


def board_at(x: float, y: float) -> FoundBoard:
    """A board with its middle there, its rows across the picture, row 0 on top."""
    columns, rows = np.meshgrid(np.arange(COLUMNS) - 3.5, np.arange(ROWS) - 1.5)
    centres = np.stack([x + 24 * columns, y + 24 * rows], axis=-1)
    return FoundBoard(centres, np.full((ROWS, COLUMNS), 10.0), 0.9)


@dataclass
class Reader:
    """Finds a board where it is said to be, and notes what it was asked."""

    board: FoundBoard | None = field(default_factory=lambda: board_at(160, 120))
    asked: list[str] = field(default_factory=list)
    knocked: bool = False
    """The board is not where it was."""
    moved_to: FoundBoard | None = None
    hidden: bool = False
    """A pit cannot be counted."""
    doubtful: bool = False
    """None can be told for sure."""

    def find(self, image: Image, grid: tuple[int, int]) -> FoundBoard | None:
        self.asked.append("find")
        return self.board

    def follow(self, image: Image, found: FoundBoard) -> FoundBoard | None:
        self.asked.append("follow")
        return None if self.knocked else self.moved_to or found

    def forget(self) -> None:
        self.asked.append("forget")

    def count(self, image: Image, found: FoundBoard, look_outside: bool = True) -> BoardSighting:
        self.asked.append("count")
        pit: CountLikelihood = {2: 0.5, 3: 0.5} if self.doubtful else {2: 0.9, 3: 0.1}
        last = tuple(None if self.hidden and column == UNDER_THE_HAND else pit for column in range(COLUMNS))
        return BoardSighting(found.corners_px, (*((pit,) * COLUMNS,) * (ROWS - 1), last))


class Watched:
    """A board on a table, and the eye over it."""

    def __init__(self, seat_0_deg: float = 0.0, board: FoundBoard | None = None) -> None:
        self.table = Tabletop()
        self.reader = Reader() if board is None else Reader(board)
        self.eye = BoardTableEye(self.reader, seat_0_deg)  # type: ignore[arg-type]

    def watch(self, seconds: float, in_doubt: bool = False) -> list[BoardLook]:
        looks = [self.eye.see(frame, in_doubt) for frame in self.table.frames(seconds)]
        return [look for look in looks if look is not None]

    def sow(self) -> list[BoardLook]:
        """A hand comes, moves over the pits and goes."""
        looks = []
        for reach in (0.6, 0.9, 0.6):
            self.table.arms = [(0, toward(0, reach))]
            looks += self.watch(STEP_S)
        self.table.arms = []
        return looks + self.watch(0.6)

    def asked(self) -> list[str]:
        """What the reader was asked since the last time."""
        asked, self.reader.asked = self.reader.asked, []
        return asked


def test_a_board_is_found_once_counted_once_and_left_alone() -> None:
    watched = Watched()
    assert watched.eye.situation == BOARD_LOST
    looks = watched.watch(AGAIN_EVERY_S - 0.5)
    assert [look.fresh for look in looks] == [True]
    assert watched.asked() == ["find", "count"]
    assert watched.eye.situation == LOOKING
    watched.watch(3 * AGAIN_EVERY_S)
    assert watched.asked() == ["count"] * 3


def test_after_a_hand_the_board_is_followed_not_searched() -> None:
    watched = Watched()
    watched.watch(1.0)
    watched.asked()
    (look,) = watched.sow()
    assert look.fresh
    assert watched.asked() == ["follow", "count"]


def test_a_hand_over_the_pits_delays_the_count() -> None:
    watched = Watched()
    watched.watch(1.0)
    watched.asked()
    for number in range(15):
        watched.table.arms = [(0, toward(0, 0.9 - 0.3 * (number % 2)))]
        assert watched.watch(STEP_S) == []
    assert watched.eye.situation == HAND_OVER
    assert watched.asked() == []
    watched.table.arms = []
    assert len(watched.watch(0.6)) == 1


def test_a_board_is_found_while_a_hand_beside_it_has_never_been_still() -> None:
    watched = Watched()
    looks = []
    for number in range(round(SEARCH_MOVING_S / STEP_S) + 10):
        watched.table.arms = [(180, toward(180, 0.2 + 0.1 * (number % 2)))]
        looks += watched.watch(STEP_S)
    assert len(looks) == 1
    assert watched.asked() == ["find", "follow", "count"]


def test_a_hand_that_waits_beside_the_board_and_is_never_quite_still_keeps_nobody_from_counting() -> None:
    watched = Watched()
    watched.watch(1.0)
    looks = []
    for number, reach in enumerate((0.6, 0.9, 0.6, 0, 0, 0, 0, 0, 0, 0, 0, 0)):
        fidgets = (180, toward(180, 0.2 + 0.1 * (number % 2)))
        watched.table.arms = [fidgets, (0, toward(0, reach))] if reach else [fidgets]
        looks += watched.watch(STEP_S)
    assert [look.fresh for look in looks] == [True]


@pytest.mark.parametrize(("pushed", "hidden"), [(True, False), (True, True), (False, False)])
def test_what_seems_a_hand_may_be_the_board_a_little_pushed(pushed: bool, hidden: bool) -> None:
    watched = Watched()
    watched.watch(1.0)
    watched.table.arms = [(0, toward(0, 0.9))]
    if pushed:
        watched.reader.moved_to = board_at(164, 120)
    watched.reader.hidden = hidden
    looks = watched.watch(1.2)
    assert bool(looks) == (pushed and not hidden)


@pytest.mark.parametrize(("hidden", "doubtful"), [(False, False), (True, False), (False, True)])
def test_the_shadow_of_a_hand_that_waits_beside_the_board_keeps_nobody_from_counting(
    hidden: bool, doubtful: bool
) -> None:
    watched = Watched()
    watched.watch(1.0)
    watched.reader.hidden, watched.reader.doubtful = hidden, doubtful
    watched.table.arms = [(0, toward(0, 0.7))]
    looks = watched.watch(1.2)
    assert [look.fresh for look in looks] == ([] if hidden or doubtful else [True])


def test_a_hand_over_more_than_two_pits_is_no_shadow_though_all_seem_to_be_counted() -> None:
    watched = Watched()
    watched.watch(1.0)
    watched.asked()
    watched.table.arms = [(0, toward(0, 0.9))]
    assert watched.watch(1.2) == []
    assert "count" not in watched.asked()


def test_in_doubt_a_rest_is_counted_a_few_times_and_put_together() -> None:
    watched = Watched()
    looks = watched.watch(4.0, in_doubt=True)
    assert len(looks) == LOOKS_IN_DOUBT
    assert [look.looks for look in looks] == list(range(1, LOOKS_IN_DOUBT + 1))
    assert [look.fresh for look in looks] == [True] + [False] * (LOOKS_IN_DOUBT - 1)
    assert all(b.at_s - a.at_s >= DOUBT_EVERY_S - 0.01 for a, b in pairwise(looks))
    # Counts that agree make each other surer.
    first, last = (look.sighting.pits[0][0] for look in (looks[0], looks[-1]))
    assert first and last and last[2] >= first[2]


def test_a_board_that_is_not_there_is_looked_for_now_and_then() -> None:
    watched = Watched()
    watched.reader.board = None
    assert watched.watch(5.0) == []
    assert watched.eye.situation == BOARD_LOST
    assert len(watched.asked()) == pytest.approx(5.0 / SEARCH_EVERY_S, abs=1)
    watched.reader.board = board_at(160, 120)
    assert watched.watch(SEARCH_EVERY_S + STEP_S)
    assert watched.eye.situation == LOOKING


def test_a_board_seen_only_dimly_is_none() -> None:
    dim = board_at(160, 120)
    watched = Watched(board=FoundBoard(dim.centres, dim.radii, 0.2))
    assert watched.watch(1.0) == []
    assert watched.eye.situation == BOARD_LOST


def test_a_board_that_was_pushed_is_found_anew_and_that_is_told() -> None:
    watched = Watched()
    watched.watch(1.0)
    watched.reader.knocked, watched.reader.board = True, board_at(150, 130)
    told: list[Any] = []
    watched.table.arms = [(0, toward(0, 0.9))]
    watched.watch(STEP_S)
    watched.table.arms = []
    for frame in watched.table.frames(0.6):
        look = watched.eye.see(frame, False)
        told += [(watched.eye.situation, look.sighting.corners_px[0])] if look else []
    assert told == [(CAMERA_MOVED, board_at(150, 130).corners_px[0])]


def test_a_board_that_was_carried_off_is_told() -> None:
    watched = Watched()
    watched.watch(1.0)
    watched.reader.knocked, watched.reader.board = True, None
    assert watched.sow() == []
    assert watched.eye.situation == BOARD_LOST


@pytest.mark.parametrize(("seat_0_deg", "south_first"), [(0.0, False), (180.0, True)])
def test_which_row_is_nearest_to_seat_0(seat_0_deg: float, south_first: bool) -> None:
    (look,) = Watched(seat_0_deg).watch(1.0)
    assert look.south_first is south_first


def test_what_is_hardly_a_board_is_never_taken_for_one_and_asked_about_after_ten_seconds() -> None:
    search, unsure = BoardSearch(), replace(board_at(100, 50), confidence=0.7)
    assert all(search.take(unsure, float(i)) is None for i in range(11))
    assert not search.asks(9.9) and search.asks(10.0) == BOARD_UNSURE
    search.take(None, 11.0 + GONE_S)
    assert not search.asks(30.0)
    assert search.take(board_at(100, 50), 31.0) is not None


def test_two_boards_that_lie_there_for_ten_seconds_are_called_two() -> None:
    search, two = BoardSearch(), replace(board_at(100, 50), another=True)
    assert all(search.take(two, float(i)) is None for i in range(11))
    assert search.asks(10.0) == TWO_BOARDS
    assert search.take(board_at(100, 50), 11.0) is not None and not search.asks(30.0)


def test_what_looks_like_a_board_only_now_and_then_is_asked_about_too() -> None:
    search, unsure = BoardSearch(), replace(board_at(100, 50), confidence=0.7)
    for second in range(11):
        search.take(unsure if second % 3 == 0 else None, float(second))
    assert search.asks(10.0)


def test_a_camera_that_comes_back_with_other_pixels_looks_for_the_board_again() -> None:
    watched = Watched()
    assert watched.watch(1.0) and watched.eye.found is not None
    watched.reader.board, watched.reader.asked = board_at(320, 240), []
    frames = [replace(frame, image=frame.image.repeat(2, 0).repeat(2, 1)) for frame in watched.table.frames(1.0)]
    looks = [look for frame in frames if (look := watched.eye.see(frame, False)) is not None]
    assert watched.reader.asked[:3] == ["forget", "find", "count"]
    assert looks and looks[0].fresh and watched.eye.found is not None
    assert np.allclose(watched.eye.found.centres, watched.reader.board.centres)
