"""`read_cards` and `read_board`: what they take, and what they say of what is no picture."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vision import read_board, read_cards
from vision.board.grid import FoundBoard
from vision.board.reader import BoardReader
from vision.frame import Image, picture

BGR: Image = np.full((48, 64, 3), 90, np.uint8)


@pytest.mark.parametrize("read", [read_cards, read_board], ids=["cards", "board"])
@pytest.mark.parametrize(
    "image, why",
    [
        pytest.param(None, "cv2.imread gives None where it cannot read the file", id="nothing"),
        pytest.param(BGR.tolist(), "not list", id="a list"),
        pytest.param(BGR / 255, "as uint8, not float64", id="parts of one"),
        pytest.param(BGR.astype(np.uint16), "as uint8, not uint16", id="16 bits"),
        pytest.param(BGR[..., 0], "COLOR_GRAY2BGR", id="grey"),
        pytest.param(np.dstack([BGR, BGR[..., 0]]), "COLOR_BGRA2BGR", id="with transparency"),
        pytest.param(BGR[:0], "the picture is empty", id="empty"),
    ],
)
def test_what_is_no_picture_is_said_in_plain_words(read: Callable[[Any], object], image: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read(image)


def test_a_picture_that_is_a_view_of_another_is_laid_out_anew() -> None:
    assert picture(BGR[:, ::-1]).flags.c_contiguous and picture(BGR) is BGR


@pytest.mark.parametrize("confidence", [0.6, 0.9])
def test_a_board_that_may_be_none_is_not_sure(monkeypatch: pytest.MonkeyPatch, confidence: float) -> None:
    y, x = np.mgrid[10:40:4j, 10:55:8j]
    found = FoundBoard(np.stack([x, y], -1), np.full((4, 8), 2.0), confidence)
    monkeypatch.setattr(BoardReader, "find", lambda *_: found)
    seen = read_board(BGR)
    assert seen is not None and seen.sure is found.sure
