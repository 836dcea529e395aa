"""Stores at a board's ends are told from pits where nobody says what grid it has."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.sizes import slow
from vision.board import finder
from vision.board.grid import FoundBoard, fit_gap
from vision.board.stores import pits_at_ends
from vision.board.woods import reaches_apart
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import BoardPicture, render
from vision.synthetic.board_scene import SceneStore, random_scene


def drawn(columns: int, seed: int, stores: bool) -> BoardPicture:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, Library.load(), (2, columns), (640, 480), "game", clean=True, fill=(0.6, 0.75))
    x, y = scene.shape.centre(1, columns - 1)
    r = scene.shape.pit_radius
    ends = tuple(SceneStore((side * (x + 2 * r + 0.15), 0.0), (r, y + r), 0.5, 0) for side in (-1, 1)) if stores else ()
    return render(replace(scene, shape=replace(scene.shape, stores=ends)))


def test_long_hollows_at_both_ends_are_stores() -> None:
    found = finder.find(drawn(6, 2, stores=True).image, None)
    assert found is not None
    assert found.grid == (2, 6)


def shifted(picture: BoardPicture, by: int) -> np.ndarray[Any, Any]:
    """Where its pits were if it began so many columns further on."""
    centres = picture.centres
    step = by * np.diff(centres, axis=1)
    return np.asarray(
        centres + (step[:, [*range(step.shape[1]), -1]] if by > 0 else step[:, [0, *range(step.shape[1])]])
    )


@pytest.mark.parametrize("by", [-1, 0, 1])
def test_a_grid_with_a_store_for_a_column_and_pits_beside_it_lies_elsewhere(by: int) -> None:
    picture = drawn(6, 2, stores=True)
    found = finder.refine(picture.image, FoundBoard(shifted(picture, by), np.full((2, 6), 12.0), 1.0))
    assert (found is not None and found.sure) == (by == 0)


@pytest.mark.parametrize("seed", [2, *slow(4, 6, 9)])
def test_a_board_with_stores_is_found_whether_or_not_its_game_is_known(seed: int) -> None:
    picture = drawn(6, seed, stores=True)
    for found in (finder.find(picture.image, (2, 6)), finder.find(picture.image, None, {(2, 6), (4, 8)})):
        assert found is not None and found.grid == (2, 6) and found.sure
        ways = (found.centres, found.centres[::-1, ::-1])
        assert min(np.linalg.norm(way - picture.centres, axis=-1).max() for way in ways) < 0.2 * found.pitch_px


@pytest.mark.parametrize("grid", [(2, 6), *slow(((4, 8),))])
def test_eight_columns_are_none_of_the_boards_that_are_played_on(grid: tuple[int, int]) -> None:
    found = finder.find(drawn(8, 5, stores=False).image, grid)
    assert found is None or not found.sure


@pytest.mark.parametrize("along", [1e6, 0.0])
def test_points_that_make_up_no_grid_are_no_board(monkeypatch: pytest.MonkeyPatch, along: float) -> None:
    """The finder failed on them: pits far off on a photograph, those of a row on one another on a drawn board."""
    picture = drawn(6, 2, stores=False)
    board = FoundBoard(picture.centres, np.full((2, 6), 12.0), 1.0)
    assert finder.refine(picture.image, board) is not None
    fitted = fit_gap

    def no_grid(*points: Any) -> Any:
        matrix, *gaps = fitted(*points)
        return (matrix @ np.diag([along, 1.0, 1.0]), *gaps)

    monkeypatch.setattr(finder, "fit_gap", no_grid)
    assert finder.refine(picture.image, board) is None


def test_eight_columns_of_pits_are_no_six_with_stores() -> None:
    found = finder.find(drawn(8, 5, stores=False).image, None)
    assert found is not None
    assert found.grid == (2, 8)


@pytest.mark.parametrize("seed", [3, 13, *slow(6, 7, 15)])
def test_where_the_halves_of_a_hinged_board_stand_apart_no_store_is_taken_for_pits(seed: int) -> None:
    nothing = np.zeros((2, 6), int)
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, Library.load(), (2, 6), (640, 480), counts=nothing, clean=True, fill=(0.5, 0.65))
    shape = replace(scene.shape, hinge=0.45, seam=0.03)
    x, y = shape.centre(1, 5)
    half = (shape.pit_radius, y + shape.pit_radius)
    ends = tuple(SceneStore((side * (x + 2 * half[0] + 0.15), 0.0), half, 0.5, 0, rounded=True) for side in (-1, 1))
    picture = render(replace(scene, shape=replace(shape, stores=ends)))
    found = finder.find(picture.image, (2, 6))
    assert found is not None and found.sure and found.askew < finder.STRAIGHT
    off = [
        np.linalg.norm(centres - picture.centres, axis=-1).max()
        for centres in (found.centres, found.centres[::-1, ::-1])
    ]
    assert min(off) < 0.25 * found.pitch_px


def test_a_store_with_rounded_ends_has_no_corners() -> None:
    for rounded in (True, False):
        bowl = SceneStore((0.0, 0.0), (0.4, 1.0), 0.5, 0, rounded).bowl
        at = np.array([0.0, 0.97, 0.85]), np.array([0.9, 0.0, 0.85])  # Half its width and its height.
        assert (bowl.radius(*at)[:2] < 1.05).all() and (bowl.radius(*at)[2] < 1) == (not rounded)
        assert (bowl.height(*at)[:1] < 0).all()


def test_where_too_few_columns_are_left_to_compare_with_peaks_alone_tell_pits() -> None:
    points = np.stack(np.meshgrid(np.arange(4.0), np.arange(2.0)), -1) * 26
    nothing = np.zeros((80, 160, 3), np.uint8), np.zeros((20, 40), np.float32), 4
    left, right = pits_at_ends(*nothing, points, np.array([0.0, 1.0]))
    assert left < 0 < right


def test_where_nobody_says_the_grid_a_row_of_six_is_no_row_of_five() -> None:
    """The one column more is then likelier than that there is none."""
    picture = drawn(6, 2, stores=False)
    five = FoundBoard(picture.centres[:, :5], np.full((2, 5), 12.0), 1.0)
    named, unnamed = (
        finder.refine(picture.image, five, one_column=odds) for odds in (finder.ONE_COLUMN, 1 / finder.ODD)
    )
    assert named is not None and unnamed is not None
    assert unnamed.confidence < named.confidence


@pytest.mark.parametrize(("columns", "stores", "seed", "asked"), [(7, False, 15, 6), *slow((6, True, 16, 7))])
def test_a_grid_that_does_not_lie_in_the_middle_of_its_board_is_not_sure(
    columns: int, stores: bool, seed: int, asked: int
) -> None:
    """A column of pits that hardly shows was left out, and a store was taken for one: both were called sure."""
    picture = drawn(columns, seed, stores)
    own, other = (finder.find(picture.image, (2, n)) for n in (columns, asked))
    assert own is not None and own.sure
    assert other is None or not other.sure


def test_the_wood_of_a_board_goes_on_as_far_beyond_either_end_of_its_pits() -> None:
    picture = drawn(7, 15, stores=False)
    upper, lower = picture.centres
    for centres in (picture.centres[:, 1:], np.stack([upper[1:], lower[:-1]])):
        assert reaches_apart(picture.image, centres) > 0.5
    assert reaches_apart(picture.image, picture.centres) < 0.1
    cut = picture.image[:, round(upper[1, 0]) :]  # What the picture cuts is compared at neither end.
    assert reaches_apart(cut, picture.centres[:, 2:] - [round(upper[1, 0]), 0]) < 0.5
