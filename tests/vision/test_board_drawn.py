"""Drawn boards: the truth that comes with a picture is what the picture shows."""

from dataclasses import replace

import numpy as np
import pytest

from tests.sizes import slow
from vision.board.crops import CROP_PX, cut
from vision.synthetic.board_game import moved_pits, same_table
from vision.synthetic.board_laid import laid_pile
from vision.synthetic.board_over import lens
from vision.synthetic.board_piles import Bowl, Library
from vision.synthetic.board_render import exposures, render
from vision.synthetic.board_scene import IN_STORE, SceneStore, place_seeds, random_scene, random_shape

SIZE = (640, 480)


@pytest.fixture(scope="module")
def library() -> Library:
    return Library.load()


def test_piles_hold_what_they_were_asked_for(library: Library) -> None:
    rng = np.random.default_rng(1)
    for kind in range(len(library.kinds)):
        for count in (0, 1, 2, 5, 9):
            for square in (False, True):
                pile = library.pile(kind, square, count, rng)
                assert pile.inside(library.kinds[kind].bowl(square)).sum() == count


def test_seeds_rest_on_the_wood_and_not_in_each_other(library: Library) -> None:
    pile = library.pile(0, False, 12, np.random.default_rng(2))
    gap = np.linalg.norm(pile.centres[:, None] - pile.centres[None], axis=-1) + np.eye(len(pile.centres)) * 9
    assert gap.min() > 1.4 * pile.axes.min()
    bowl = library.kinds[0].bowl(False)
    floor = bowl.height(pile.centres[:, 0], pile.centres[:, 1])
    assert (pile.centres[:, 2] > floor).all()


def test_small_piles_have_come_to_rest(library: Library) -> None:
    for kind in range(len(library.kinds)):
        for square in (False, True):
            for count in range(2, 7):
                pile = library.pile(kind, square, count, np.random.default_rng(count))
                assert pile.hanging(library.kinds[kind].bowl(square)) == 0


def test_a_stretched_pile_still_fits_its_pit(library: Library) -> None:
    tall = library.stretched(1.2)
    low, high = (lib.pile(1, False, 7, np.random.default_rng(3)) for lib in (library, tall))
    assert high.centres[:, 2] == pytest.approx(1.2 * low.centres[:, 2])
    assert tall.kinds[1].depth == pytest.approx(1.2 * library.kinds[1].depth)
    assert np.prod(high.axes, 1) == pytest.approx(1.2 * np.prod(low.axes, 1))


@pytest.mark.slow
def test_the_same_seed_draws_the_same_picture(library: Library) -> None:
    a, b = (render(random_scene(np.random.default_rng(5), library, (2, 6), SIZE)) for _ in range(2))
    assert (a.image == b.image).all()
    assert (a.counts == b.counts).all()


def test_a_picture_shows_all_pits_and_its_truth_adds_up(library: Library) -> None:
    scene = random_scene(np.random.default_rng(6), library, (4, 8), SIZE, "start", clean=True)
    picture = render(scene)
    assert picture.counts.sum() == 64
    assert picture.image.shape == (480, 640, 3)
    assert ((picture.centres > 0) & (picture.centres < [640, 480])).all()
    assert not picture.covered.any()
    assert len(picture.seeds_px) == (picture.seeds_pit >= 0).sum() == 64
    crops, _ = cut(picture.image, picture.centres, picture.radius_px)
    assert crops.shape == (32, CROP_PX, CROP_PX, 3)


def test_a_table_keeps_its_look_while_seeds_move(library: Library) -> None:
    rng = np.random.default_rng(7)
    scene = random_scene(rng, library, (2, 6), SIZE, "start", clean=True)
    counts = np.array(scene.counts)
    counts[0, 0], counts[0, 1] = 0, 4
    after = moved_pits(scene, library, scene.seeds, counts, rng)
    assert (after.counts == counts).all()
    for pit in range(2, 12):
        was, now = scene.seeds.centres[scene.seeds.pit == pit], after.seeds.centres[after.seeds.pit == pit]
        assert (was == now).all()
    again = same_table(scene, library, counts, rng)
    assert (again.counts == counts).all()
    assert again.camera == scene.camera


def test_exposures_show_the_same_seeds_in_other_lights(library: Library) -> None:
    counts = np.array([[3, 0, 5], [1, 2, 4]])
    scene = random_scene(np.random.default_rng(8), library, (2, 3), (320, 240), counts=counts, clean=True, squares=2)
    assert len(scene.shape.square) == 2
    once, again = (exposures(scene, np.random.default_rng(9), 2) for _ in range(2))
    assert all((a.image == b.image).all() for a, b in zip(once, again, strict=True))
    first, second = once
    assert (first.counts == counts).all()
    assert (second.seeds_px == first.seeds_px).all()
    assert np.abs(first.image.astype(float) - second.image).mean() > 2


def test_seeds_in_a_store_lie_in_no_pit_and_not_outside() -> None:
    shape = random_shape(np.random.default_rng(2), (2, 6), 1)
    stores = (SceneStore((-4.2, 0.0), (0.4, 0.9), 0.5, 6), SceneStore((4.2, 0.0), (0.4, 0.9), 0.5, 0))
    library = Library.load()
    seeds, counts = place_seeds(np.random.default_rng(3), library, replace(shape, stores=stores), np.full((2, 6), 2), 0)
    assert counts.sum() == 24 and (seeds.pit >= 0).sum() == 24
    in_store = seeds.pit == IN_STORE
    assert in_store.sum() == 6
    assert (np.abs(seeds.centres[in_store, 0] + 4.2) < 0.4).all()


def test_halves_of_a_hinged_board_stand_apart_and_its_rows_bow_both_ways() -> None:
    shape = replace(
        random_shape(np.random.default_rng(2), (2, 6), 1), gap=0.0, hinge=0.5, bend=(-0.2, 0.2), row_pitch=1
    )
    steps = np.diff([shape.centre(0, column)[0] for column in range(6)])
    assert steps == pytest.approx([1, 1, 1.5, 1, 1])
    rows = np.array([[shape.centre(row, column)[1] for column in range(6)] for row in range(2)])
    assert rows[1, 2] - rows[0, 2] > rows[1, 0] - rows[0, 0] == pytest.approx(1.0)


@pytest.mark.parametrize("seed", [1, 3, *slow(0, 2)])
def test_a_varied_board_is_drawn_with_the_pits_that_it_says(seed: int) -> None:
    picture = render(random_scene(np.random.default_rng(seed), Library.load(), (2, 6), (320, 240), varied=True))
    again = render(random_scene(np.random.default_rng(seed), Library.load(), (2, 6), (320, 240), varied=True))
    assert np.array_equal(picture.image, again.image)
    assert picture.centres.shape == (2, 6, 2) and (picture.centres > 0).all()


def test_pale_seeds_on_dark_wood_keep_their_shades() -> None:
    scene = np.full((120, 160, 3), 0.03, np.float32)
    scene[40:60, 40:80], scene[60:80, 40:80] = 0.45, 0.9
    for seed in range(12):
        shot = lens(np.random.default_rng(seed), scene, np.random.default_rng(seed)).astype(int)
        assert shot[64:76, 44:76].mean() - shot[44:56, 44:76].mean() > 8


@pytest.mark.parametrize("axes", [(0.25, 0.25, 0.25), (0.3, 0.28, 0.14), (0.2, 0.13, 0.1)])
def test_laid_seeds_lie_in_the_pit_on_its_floor_and_not_in_each_other(axes: tuple[float, float, float]) -> None:
    bowl = Bowl(0.4, 4.0)
    rng = np.random.default_rng(5)
    for count in (1, 3, 5, 7):
        pile = laid_pile(bowl, axes, 0.05, count, rng)
        x, y, z = pile.centres.T
        assert pile.inside(bowl).all()
        assert (z - pile.axes.min(1) >= bowl.height(x, y) - 0.02).all(), "none is sunk into the floor"
        gap = np.linalg.norm(pile.centres[:, None] - pile.centres[None], axis=-1) + 9 * np.eye(len(x))
        assert (gap >= 1.6 * pile.axes.min()).all(), "none is inside another"


def test_laid_seeds_lie_apart_and_leave_the_middle_free_as_settled_ones_never_do() -> None:
    bowl, axes = Bowl(0.3, 6.0), (0.18, 0.18, 0.18)
    rng = np.random.default_rng(6)
    piles = [laid_pile(bowl, axes, 0.02, 6, rng) for _ in range(60)]
    middle_free = [float(np.hypot(*pile.centres[:, :2].T).min()) > 0.25 for pile in piles]
    assert all(len(pile.centres) == 6 for pile in piles)
    assert 0.1 < np.mean(middle_free) < 0.9
    aside = [float(np.hypot(*pile.centres[:, :2].mean(0))) for pile in piles]
    assert max(aside) > 0.3, "some lie to one side"


def test_a_pit_takes_no_more_laid_seeds_than_it_holds() -> None:
    pile = laid_pile(Bowl(0.3, 3.0), (0.4, 0.4, 0.4), 0.02, 25, np.random.default_rng(7))
    assert 1 < len(pile.centres) < 25
    assert pile.centres[:, 2].max() <= 0.45
