"""Where in a picture index corners may be, at a glance: bare table need not be searched, and costs nearly nothing."""

import json
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.crops import Image

COARSE_PX = 16
"""The network answers in cells of this size."""
ROUND = 2
"""So many cells round each place are searched with it: what a corner is hangs on what lies some 30 px about it."""
CALL_CELLS = 10
"""Searching one part more costs as much as so many cells."""
WHOLE_FROM = 0.75
"""Where the parts would be so much of the picture, it is searched as it is."""


class CellBox(NamedTuple):
    """A part of a picture, in cells: from the first, to before the second."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def cells(self) -> int:
        """How large it is."""
        return (self.right - self.left) * (self.bottom - self.top)

    def with_(self, other: "CellBox") -> "CellBox":
        """The part that holds both."""
        return CellBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class GlanceModel:
    """The network that sees at a glance, loaded once; not to be shared between threads."""

    def __init__(self, model: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))
        self.worth: float = json.loads(model.with_suffix(".json").read_text())["worth"]
        """Cells likelier than this to hold an index are searched: of 500 indices that the finder finds, all but one
        are (on decks that taught neither)."""

    def likely(self, small: Image) -> NDArray[np.float64]:
        """How likely the finder would find an index in each cell."""
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        self._net.setInput(grey.astype(np.float32)[None, None])
        return np.asarray(1 / (1 + np.exp(-self._net.forward()[0, 0].astype(np.float64))))

    def worth_searching(self, small: Image) -> NDArray[np.bool_]:
        """Which cells are."""
        return np.asarray(self.likely(small) > self.worth)


def parts_to_search(where: NDArray[np.bool_]) -> list[CellBox]:
    """As few and as small parts as hold these cells and what lies round them. The whole, if that is most of it."""
    high, wide = where.shape
    side = 2 * ROUND + 1
    grown = cv2.dilate(where.astype(np.uint8), np.ones((side, side), np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
    parts: list[CellBox] = []
    for x, y, w, h, _area in boxes[1:].tolist():
        new = CellBox(x, y, x + w, y + h)
        while joined := next((p for p in parts if new.with_(p).cells <= new.cells + p.cells + CALL_CELLS), None):
            parts.remove(joined)
            new = new.with_(joined)
        parts.append(new)
    if sum(p.cells + CALL_CELLS for p in parts) > WHOLE_FROM * high * wide:
        return [CellBox(0, 0, wide, high)]
    return parts
