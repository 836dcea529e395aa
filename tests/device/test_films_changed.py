"""Films seen otherwise keep their evening."""

from itertools import pairwise

import numpy as np
import pytest

from tools.films_changed import FRAMES, PACE, changed, changes
from tools.looks_file import Source
from vision.frame import Frame


@pytest.mark.parametrize("change", changes())
def test_a_film_seen_otherwise_is_the_same_evening(change: str) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (60, 80, 3), np.uint8)
    truth = {
        "events": [],
        "scored": [],
        "alerts": [],
        "happened": [[2.0, "deal", "7H"], {"at_s": 4.0, "event": "play"}],
    }
    film = Source("evening", "turufu", 4, iter([Frame(picture, 0.0), Frame(picture, 2.0)]), truth)
    other = changed(film, change)
    frames, pace = list(other.frames), PACE.get(change, 1.0)
    assert (other.name, other.game, other.players) == (f"evening+{change}", "turufu", 4)
    assert [frame.at_s for frame in frames] == [0.0, 2.0 / pace]
    assert other.truth["happened"] == [[2.0 / pace, "deal", "7H"], {"at_s": 4.0 / pace, "event": "play"}]
    assert truth["happened"][0] == [2.0, "deal", "7H"]
    same = frames[0].image.shape == picture.shape and (frames[0].image == picture).all()
    assert same == (change in {"plain", *PACE, *FRAMES}) and frames[0].image.dtype == np.uint8


def test_a_busy_machine_leaves_pictures_out_and_changes_none() -> None:
    pictures = [Frame(np.full((6, 8, 3), k, np.uint8), 0.1 * k) for k in range(200)]
    left = list(FRAMES["choppy"](pictures, []))
    assert 80 < len(left) < 150 and all(any(frame is other for other in pictures) for frame in left)
    assert max(b.at_s - a.at_s for a, b in pairwise(left)) >= 0.5


def test_a_stand_swings_after_a_card_was_slapped_down_and_comes_to_rest() -> None:
    picture = np.zeros((60, 80, 3), np.uint8)
    picture[20:40, 30:50] = 200
    pictures = [Frame(picture, 0.1 * k) for k in range(60)]
    away = {
        round(frame.at_s, 1): float(np.abs(frame.image.astype(float) - picture).mean())
        for frame in FRAMES["swaying"](pictures, [[2.0, "play"], {"at_s": 2.0}])
    }
    assert away[1.9] == away[2.0] == 0
    assert max(away[at] for at in (2.1, 2.2)) > 10 * away[5.9]
