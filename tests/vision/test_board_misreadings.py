"""Where this board is misread alike again and again, the difference tells what a pit holds."""

import numpy as np

from engine.sightings import best_count
from vision.board.misreadings import Misreadings


def read_as(count: int, sure: float = 0.7) -> dict[int, float]:
    """So many, and one more or less now and then."""
    return {count - 1: (1 - sure) / 2, count: sure, count + 1: (1 - sure) / 2}


def test_six_that_are_read_as_five_again_and_again_are_six() -> None:
    here = Misreadings()
    for _ in range(3):
        here = here.add([read_as(5)] * 6 + [read_as(3)] * 6, [6] * 6 + [3] * 6)
    six, three, likely = (here.mended([pit])[0] for pit in (read_as(5), read_as(3), read_as(1)))
    assert six and three and likely
    assert best_count(six) == 6 and best_count(three) == 3 and best_count(likely) == 1


def test_a_pit_that_gained_a_seed_is_known_by_the_difference() -> None:
    here = Misreadings().add([read_as(6), *[read_as(4)] * 11], [8, *[4] * 11])
    gained, other = here.mended([read_as(7), read_as(7), *[read_as(4)] * 10])[:2]
    assert gained and other
    assert best_count(gained) == 9 and best_count(other) < 9
    assert gained[9] > gained[7] and other[7] > other[9]


def test_what_hardly_fits_its_reading_and_what_was_never_known_say_nothing() -> None:
    pits = [read_as(5), None, {0: 1.0}]
    for here in (Misreadings(), Misreadings().add(pits, [12, 3, 0])):
        mended = here.mended(pits)
        assert mended[1] is None and mended[2] and max(mended[2], key=mended[2].__getitem__) == 0
        assert mended[0] and np.isclose(mended[0][5], 0.7, atol=0.01)
