"""Where a glance says that corners may be: what the finder searches, and what it need not."""

import numpy as np
import pytest

from tests.sizes import slow
from vision.cards.cards_bench import bench_picture
from vision.cards.finder import Corner, CornerFinder
from vision.cards.glance import CALL_CELLS, ROUND, CellBox, GlanceModel, parts_to_search
from vision.cards.reader import MODELS
from vision.synthetic.cards_backgrounds import table_top
from vision.synthetic.cards_tables import draw_table
from vision.synthetic.decks import plain_deck

FINDER, GLANCE = MODELS / "cards_finder.onnx", MODELS / "cards_glance.onnx"


def holds(part: CellBox, row: int, column: int) -> bool:
    return part.left <= column < part.right and part.top <= row < part.bottom


@pytest.mark.parametrize("seed", range(6))
def test_the_parts_hold_every_cell_and_what_lies_round_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    where = rng.random((36, 48)) < (0.002, 0.005, 0.01, 0.02, 0.05, 0.3)[seed]
    parts = parts_to_search(where)
    for row, column in np.argwhere(where):
        around = [
            (r, c)
            for r in range(max(0, row - ROUND), min(36, row + ROUND + 1))
            for c in range(max(0, column - ROUND), min(48, column + ROUND + 1))
        ]
        assert any(all(holds(part, r, c) for r, c in around) for part in parts)
    assert sum(part.cells for part in parts) <= where.size


def test_of_bare_table_nothing_is_searched_and_of_a_crowded_one_all() -> None:
    assert parts_to_search(np.zeros((36, 48), bool)) == []
    assert parts_to_search(np.ones((36, 48), bool)) == [CellBox(0, 0, 48, 36)]


def test_places_near_each_other_are_one_part() -> None:
    where = np.zeros((36, 48), bool)
    where[10, 10] = where[10, 16] = True
    assert len(parts_to_search(where)) == 1
    where[10, 16], where[30, 40] = False, True
    far = parts_to_search(where)
    assert len(far) == 2 and sum(p.cells for p in far) == 2 * (2 * ROUND + 1) ** 2 and far[0].cells > CALL_CELLS


def same_find(corner: Corner, other: Corner) -> bool:
    apart = np.hypot(corner.at_px[0] - other.at_px[0], corner.at_px[1] - other.at_px[1])
    return bool(apart < 0.15 * other.height_px and abs(np.log(corner.height_px / other.height_px)) < 0.1)


@pytest.fixture(scope="module")
def finders() -> tuple[CornerFinder, CornerFinder]:
    return CornerFinder(FINDER, GLANCE), CornerFinder(FINDER)


@pytest.mark.parametrize("seed", [0, *slow(1, 2, 3, 4)])
def test_what_is_found_everywhere_is_found_where_the_glance_sends(
    finders: tuple[CornerFinder, CornerFinder], seed: int
) -> None:
    searched, whole = finders
    image = draw_table(np.random.default_rng(600 + seed), plain_deck(), 1280, 960, layout="trick").image
    wanted = [corner for corner in whole.find(image) if corner.score > 0.8]
    found = searched.find(image)
    assert wanted and all(any(same_find(other, corner) for other in found) for corner in wanted)


def test_a_trick_on_a_bare_table_is_searched_in_a_part_of_the_picture() -> None:
    small = bench_picture(4, 768, 576)
    parts = parts_to_search(GlanceModel(GLANCE).worth_searching(small))
    assert 0 < sum(part.cells for part in parts) < 0.5 * 36 * 48


def test_of_most_bare_tables_hardly_anything_is_searched() -> None:
    glance = GlanceModel(GLANCE)
    tops = [table_top(np.random.default_rng(seed), 768, 576) for seed in range(12)]
    shares = [float(glance.worth_searching(top).mean()) for top in tops]
    assert np.median(shares) < 0.05


def test_a_picture_of_any_size_is_searched(finders: tuple[CornerFinder, CornerFinder]) -> None:
    for width, height in ((40, 33), (321, 77), (1000, 999)):
        finders[0].find(np.full((height, width, 3), 120, np.uint8))
