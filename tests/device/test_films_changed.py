"""Films seen otherwise keep their evening."""

import numpy as np
import pytest

from tests.device.films_changed import PACE, changed, changes
from tests.device.looks_file import Source
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
    assert same == (change in {"plain", *PACE}) and frames[0].image.dtype == np.uint8
