"""A board whose corner pits somebody showed in the picture: read there, and not where it no longer lies."""

import cv2
import numpy as np
import pytest

from engine.sightings import BoardSighting, best_count
from tests.vision.test_board_reader import SIZE, drawn
from vision.board.grid import FoundBoard
from vision.board.reader import BoardReader
from vision.board_table import BoardTableEye
from vision.frame import Frame
from vision.synthetic.board_render import BoardPicture

GRID = (4, 8)


@pytest.fixture(scope="module")
def picture() -> BoardPicture:
    return drawn(31)


@pytest.fixture(scope="module")
def found(picture: BoardPicture) -> FoundBoard:
    board = BoardReader().find(picture.image)
    assert board is not None
    return board


def off(found: FoundBoard, other: FoundBoard | None) -> float:
    """How far one board's pits lie from another's, in pitches."""
    assert other is not None
    return float(np.hypot(*(found.centres - other.centres).reshape(-1, 2).T).max()) / found.pitch_px


def likeliest(sighting: BoardSighting) -> list[list[int]]:
    return [[best_count(pit) if pit else -1 for pit in row] for row in sighting.pits]


def test_corners_that_were_dragged_a_little_off_are_put_onto_the_pits(picture: BoardPicture, found: FoundBoard) -> None:
    reader = BoardReader()
    rough = [(x + 0.2 * found.pitch_px, y - 0.15 * found.pitch_px) for x, y in found.corners_px]
    shown = reader.find_shown(picture.image, GRID, rough)
    assert shown is not None and shown.sure and off(found, shown) < 0.1
    counts, usual = (likeliest(reader.count(picture.image, board)) for board in (shown, found))
    assert max(abs(a - b) for rows in zip(counts, usual, strict=True) for a, b in zip(*rows, strict=True)) <= 1


def test_a_board_that_was_moved_since_is_read_where_it_lies_now(picture: BoardPicture, found: FoundBoard) -> None:
    step = 2.5 * found.pitch_px
    shown_at = [(x + step, y + step) for x, y in found.corners_px]
    assert off(found, BoardReader().find_shown(picture.image, GRID, shown_at)) < 0.1


def test_a_board_that_was_moved_by_one_pit_is_not_read_beside_itself(picture: BoardPicture, found: FoundBoard) -> None:
    a, b = np.array(found.corners_px[0]), np.array(found.corners_px[1])
    step = (b - a) / (GRID[1] - 1)
    shown_at = [(x + float(step[0]), y + float(step[1])) for x, y in found.corners_px]
    assert off(found, BoardReader().find_shown(picture.image, GRID, shown_at)) < 0.1


def test_where_nothing_shows_what_was_said_counts_until_it_looks_otherwise(found: FoundBoard) -> None:
    rng = np.random.default_rng(1)
    cloth = cv2.GaussianBlur(rng.integers(90, 150, (SIZE[1], SIZE[0], 3)).astype(np.uint8), (0, 0), 9)
    reader = BoardReader()
    assert off(found, reader.find_shown(cloth, GRID, found.corners_px)) < 0.05
    assert reader.find_shown(cloth, GRID, found.corners_px) is not None
    other = cv2.GaussianBlur(rng.integers(90, 150, cloth.shape).astype(np.uint8), (0, 0), 9)
    assert reader.find_shown(other, GRID, found.corners_px) is None


def test_the_eye_reads_the_board_where_it_was_shown(picture: BoardPicture, found: FoundBoard) -> None:
    parts = [(x / SIZE[0], y / SIZE[1]) for x, y in found.corners_px]
    eye = BoardTableEye(BoardReader(), 0.0, GRID, parts)
    looks = [eye.see(Frame(picture.image, 0.1 * number), False) for number in range(12)]
    assert any(looks) and eye.found is not None and eye.found.given
    assert off(found, eye.found) < 0.1
