"""From points that may be pits to a grid: which is which, and what is no grid at all."""

import numpy as np
import pytest

from vision.board.grid import FoundBoard, apply, fit_affine, fit_gap, fit_projective, inverse, plane, upright
from vision.board.lattice import Fit, Peaks, fit_grids
from vision.board.spaced import GRIDS, fits_spaced


def slanted(rows: int, columns: int, turn: float = 0.4, gap: float = 0.0, hinge: float = 0.0) -> np.ndarray:
    """Pits of a board seen at a slant."""
    c, s = np.cos(turn), np.sin(turn)
    tilt = np.array([[30 * c, -30 * s, 200], [30 * s, 30 * c, 90], [0.004, 0.006, 1]])
    return apply(tilt, plane(rows, columns, gap, hinge))


def peaks(points: np.ndarray) -> Peaks:
    return Peaks(points, np.ones(len(points)), np.full(len(points), 12.0))


def laid(points: Peaks, grid: tuple[int, int]) -> Fit | None:
    """The best way of laying a grid, upright or on its side."""
    fits = [fit for fit, _ in fit_grids(points, (grid, grid[::-1]))]
    return max(fits, key=lambda fit: fit.quality, default=None)


@pytest.mark.parametrize("grid", [(4, 8), (2, 6), (3, 5), (5, 5), (4, 4)])
@pytest.mark.parametrize("turn", [0.0, 0.4, 1.3, 2.9, -2.0])
def test_a_grid_is_laid_over_its_own_points_however_it_is_turned(grid: tuple[int, int], turn: float) -> None:
    at = slanted(*grid, turn)
    order = np.random.default_rng(1).permutation(len(at))
    fit = laid(peaks(at[order]), grid)
    assert fit is not None
    assert fit.quality > 0.99
    places = apply(fit.matrix, plane(*fit.index.shape))
    assert all(np.hypot(*(at - p).T).min() < 1.0 for p in places)


def test_pits_under_a_hand_and_things_beside_the_board_do_not_matter() -> None:
    rng = np.random.default_rng(2)
    at = slanted(4, 8)
    seen = np.concatenate(
        [np.delete(at, [3, 4, 12, 20, 21], axis=0) + rng.normal(0, 0.6, (27, 2)), rng.uniform(0, 90, (9, 2))]
    )
    fit = laid(peaks(seen), (4, 8))
    assert fit is not None
    assert fit.quality > 0.6
    places = apply(fit.matrix, plane(*fit.index.shape))
    assert max(np.hypot(*(places - p).T).min() for p in at) < 6


def test_a_smaller_grid_inside_a_bigger_one_is_not_believed() -> None:
    fit = laid(peaks(slanted(4, 8)), (2, 6))
    assert fit is None or fit.quality < 0.45


def test_scattered_points_are_no_board() -> None:
    fit = laid(peaks(np.random.default_rng(3).uniform(0, 300, (40, 2))), (4, 8))
    assert fit is None or fit.quality < 0.45


def test_a_gap_between_the_halves_is_measured() -> None:
    at = slanted(4, 8, gap=0.2)
    matrix, gap, hinge = fit_gap(plane(4, 8), at, (4, 8), np.ones(32))
    assert gap == pytest.approx(0.2, abs=0.03) and hinge == 0
    assert np.abs(apply(matrix, plane(4, 8, gap)) - at).max() < 1.0


def test_a_hinge_between_left_and_right_is_measured() -> None:
    at = slanted(2, 6, hinge=0.4)
    matrix, gap, hinge = fit_gap(plane(2, 6), at, (2, 6), np.ones(12))
    assert hinge == pytest.approx(0.4, abs=0.08) and gap == 0
    assert np.abs(apply(matrix, plane(2, 6, 0.0, hinge)) - at).max() < 1.5


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.3, 2.9, -2.0])
@pytest.mark.parametrize("hinge", [0.15, 0.4, 0.8])
@pytest.mark.parametrize("grid", [(2, 6), (4, 8), (2, 10), (3, 6)])
def test_a_hinged_board_is_laid_with_its_gap_in_the_middle(grid: tuple[int, int], hinge: float, turn: float) -> None:
    at = slanted(*grid, turn, hinge=hinge)
    order = np.random.default_rng(1).permutation(len(at))
    (fit, shape), *_ = fits_spaced(peaks(at[order]), [grid], 1)
    assert shape == grid and fit.quality > 0.85
    places = apply(fit.matrix, plane(*grid, *fit.gaps))
    assert all(np.hypot(*(at - p).T).min() < 4.0 for p in places)


@pytest.mark.parametrize("grid", GRIDS)
def test_which_grid_a_board_has_is_told(grid: tuple[int, int]) -> None:
    found = fits_spaced(peaks(slanted(*grid, gap=0.25 if grid[0] == 4 else 0.0)), GRIDS, 1)
    assert [shape for _, shape in found] == [grid]


@pytest.mark.parametrize("bow", [-0.25, 0.25])
def test_bowed_rows_are_still_rows(bow: float) -> None:
    flat = plane(2, 7)
    flat[:, 1] += bow * (1 - (flat[:, 0] / 3 - 1) ** 2) * np.where(flat[:, 1] > 0, 1, -1)
    tilt = np.array([[30, -3, 200], [3, 30, 90], [0.002, 0.003, 1]])
    found = fits_spaced(peaks(apply(tilt, flat)), GRIDS, 1)
    assert [shape for _, shape in found] == [(2, 7)]


def test_hollows_at_both_ends_of_a_hinged_board_are_no_pits() -> None:
    flat = plane(2, 6, hinge=0.4)
    stores = np.array([[-0.9, 0.0], [-0.9, 1.0], [6.3, 0.05], [6.3, 0.95]])
    tilt = np.array([[30, -3, 200], [3, 30, 90], [0.002, 0.003, 1]])
    ((fit, _),) = fits_spaced(peaks(apply(tilt, np.concatenate([flat, stores]))), [(2, 6)], 1)
    places = apply(fit.matrix, plane(2, 6, *fit.gaps))
    assert all(np.hypot(*(apply(tilt, flat) - p).T).min() < 4.0 for p in places)


def test_the_projective_fit_returns_the_map_it_was_made_from() -> None:
    source = plane(4, 8)
    assert np.abs(apply(fit_projective(source, slanted(4, 8)), source) - slanted(4, 8)).max() < 1e-6


def test_the_fit_trusts_a_point_as_far_as_it_weighs() -> None:
    source = plane(4, 8)
    moved = slanted(4, 8)
    moved[5] += 40.0
    weight = np.ones(len(source))
    weight[5] = 0.0
    off = np.abs(apply(fit_projective(source, moved, weight), source) - slanted(4, 8)).max()
    assert off < 1e-6 < np.abs(apply(fit_projective(source, moved), source) - slanted(4, 8)).max()


def test_an_affine_fit_takes_a_grid_that_is_seen_from_above_where_it_lies() -> None:
    source = plane(2, 6)
    seen = source @ np.array([[40.0, 9.0], [-7.0, 55.0]]) + [120.0, 80.0]
    assert np.abs(apply(fit_affine(source, seen), source) - seen).max() < 1e-9


def test_a_map_leads_back_unless_it_puts_everything_on_one_line() -> None:
    there = fit_projective(plane(4, 8), slanted(4, 8))
    assert np.abs(apply(inverse(there), slanted(4, 8)) - plane(4, 8)).max() < 1e-6
    with pytest.raises(np.linalg.LinAlgError):
        inverse(np.diag([1.0, 0.0, 1.0]))


def test_rows_are_numbered_from_the_top_and_never_mirrored() -> None:
    for turn in np.linspace(-3, 3, 13):
        centres = upright(slanted(4, 8, float(turn)).reshape(4, 8, 2)[:, ::-1])
        right, down = centres[0, -1] - centres[0, 0], centres[-1, 0] - centres[0, 0]
        assert right[0] * down[1] - right[1] * down[0] > 0
        assert down[1] > 0
    found = FoundBoard(centres, np.full((4, 8), 10.0), 1.0)
    assert found.corners_px[0] == pytest.approx(tuple(centres[0, 0]))
    assert found.corners_px[2] == pytest.approx(tuple(centres[3, 7]))
