"""The surfaces that light is followed through, and a picture made of them where the tracer is installed."""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.synthetic.board_piles import LIBRARY, Library
from vision.synthetic.board_scene import Scene, SeedLook, closest_camera, random_scene
from vision.training.board_shapes import Net, ball, board_top, normals, ribbons, seed_form, sheet

CHALK = SeedLook(np.array([[0.9, 0.9, 0.9]], np.float32), 0.3, 20.0, "none", 0.0)


def scene(look: SeedLook | None = None, seed: int = 3) -> Scene:
    rng = np.random.default_rng(seed)
    counts = np.array([[3, 0, 2], [1, 4, 0]])
    made = random_scene(rng, Library.load(LIBRARY), (2, 3), (240, 192), counts=counts, clean=True)
    camera = closest_camera(rng, made.shape, (240, 192), 10.0)
    return replace(made, look=look or made.look, camera=camera, clutter=0)


def edges_met_once(net: Net) -> int:
    """How many edges have a triangle on one side only: none where a surface is closed."""
    _, faces = net
    ends = np.sort(np.concatenate([faces[:, [i, j]] for i, j in (*pairwise(range(3)), (2, 0))]), axis=1)
    _, times = np.unique(ends, axis=0, return_counts=True)
    return int((times == 1).sum())


def test_a_ball_is_closed_and_looks_outward() -> None:
    points, faces = ball()
    assert edges_met_once((points, faces)) == 0
    assert np.allclose(np.linalg.norm(points, axis=1), 1)
    assert ((normals((points, faces)) * points).sum(1) > 0.99).all()


def test_a_sheet_has_two_triangles_for_each_four_corners() -> None:
    faces = sheet(3, 4)
    assert len(faces) == 2 * 2 * 3
    assert set(faces.ravel()) == set(range(12))


def test_a_board_is_as_deep_as_its_pits_are_and_has_sides() -> None:
    made = scene()
    x, y, z = board_top(made, np.random.default_rng(0))
    px, py = made.shape.centre(0, 1)
    middle = z[np.argmin(abs(y[:, 0] - py)), np.argmin(abs(x[0] - px))]
    assert middle == pytest.approx(-made.bowl[0].depth * made.shape.pit_radius, abs=0.1)
    assert z[0, 0] <= -made.shape.thickness
    assert z[np.argmin(abs(y[:, 0] - py - made.shape.row_pitch / 2)), z.shape[1] // 2] == pytest.approx(0, abs=0.1)


def test_what_people_play_with_has_its_own_form() -> None:
    points, _ = ball()
    rng = np.random.default_rng(1)
    plain = seed_form(points, CHALK, rng)
    assert np.allclose(plain, points)
    cowry = seed_form(points, replace(CHALK, pattern="slit"), rng)
    heights = np.sort([abs(cowry[:, 2].min()), cowry[:, 2].max()])
    assert heights[0] == pytest.approx(0.55, abs=0.01)
    assert heights[1] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("vanes", [1, 2, 4])
def test_ribbons_stay_inside_their_marble(vanes: int) -> None:
    for seed in range(20):
        parts = ribbons(vanes, np.array([[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]), np.random.default_rng(seed))
        assert len(parts) == 2 * vanes
        for (points, faces), colours in parts:
            assert len(points) == len(colours)
            assert faces.max() < len(points)
            assert (np.linalg.norm(points, axis=1) < 1).all()


def test_seeds_show_where_the_truth_says() -> None:
    pytest.importorskip("mitsuba")
    from vision.training.board_traced import exposures

    made = scene(CHALK)
    made = replace(made, shape=replace(made.shape, lined=(0.1, 0.1, 0.1), stores=()))
    for picture in exposures(made, np.random.default_rng(0), 2):
        grey = cv2.GaussianBlur(cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
        seen = picture.seeds_px[(picture.seeds_seen > 0.5) & (picture.seeds_pit >= 0)].round().astype(int)
        empty = picture.centres.reshape(-1, 2)[picture.counts.ravel() == 0].round().astype(int)
        assert len(seen) > 5
        assert min(grey[y, x] for x, y in seen) > 1.3 * max(grey[y, x] for x, y in empty)
