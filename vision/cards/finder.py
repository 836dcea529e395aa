"""Finds index corners in a picture, whole cards or not, with a small network over a few sizes of the picture."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.crops import Image

CELL_PX = 8
MEAN_INDEX_PX = 22.0
"""The network answers in cells of this size, and heights over this one: as it was trained."""
LONGEST_PX = 768
"""Longer side of the finest size looked at: it keeps the 45 px indices of a 2,304 px picture at 15 px (the network
learned 10 to 48); smaller is faster and loses those."""
SIZES = 3
"""Sizes looked at, each half the one before: the coarser ones see cards held near, and together cost a third more."""
LEAST_SCORE = 0.35
"""Corners under this are dropped unseen; the reading network rejects most of what passes, so it is low on purpose."""
MOST_CORNERS = 48
"""No more than these are read, best first: four times a full table; so a page of print cannot cost seconds."""
_SAME_PLACE = 0.5
"""Two finds closer than this share of an index's height are one: real indices lie at least 0.6 apart."""


@dataclass(frozen=True)
class Corner:
    """An index corner: its centre, the unit vector from its suit up to its rank, its height, how sure it is one."""

    at_px: tuple[float, float]
    up: tuple[float, float]
    height_px: float
    score: float


def _round_to_cells(length: float) -> int:
    return max(4 * CELL_PX, round(length / CELL_PX) * CELL_PX)


class Finder:
    """The finding network, loaded once; not to be shared between threads."""

    def __init__(self, model: Path) -> None:
        # One network object a size: OpenCV plans its buffers anew whenever the size of the input changes.
        self._nets = [cv2.dnn.readNetFromONNX(str(model)) for _ in range(SIZES)]

    def find(self, image: Image) -> list[Corner]:
        """Every index corner of a BGR picture, surest first."""
        height, width = image.shape[:2]
        found: list[Corner] = []
        scale = min(1.0, LONGEST_PX / max(height, width))
        small = image
        for net in self._nets:
            size = (_round_to_cells(width * scale), _round_to_cells(height * scale))
            small = cv2.resize(small, size, interpolation=cv2.INTER_AREA)
            found += self._look(net, small, width / size[0], height / size[1])
            scale /= 2
        return _thin(found)

    @staticmethod
    def _look(net: cv2.dnn.Net, small: NDArray[np.uint8], sx: float, sy: float) -> list[Corner]:
        net.setInput(cv2.dnn.blobFromImage(small))
        planes = net.forward()[0]
        score = planes[0]
        ys, xs = np.nonzero(score > np.log(LEAST_SCORE / (1 - LEAST_SCORE)))
        corners = []
        for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
            logit, dx, dy, size, ux, uy = planes[:, y, x].tolist()
            reach = float(np.hypot(ux, uy)) or 1.0
            at = ((x + 0.5 + dx) * CELL_PX * sx, (y + 0.5 + dy) * CELL_PX * sy)
            tall = MEAN_INDEX_PX * float(np.exp(np.clip(size, -2, 2))) * (sx + sy) / 2
            corners.append(Corner(at, (ux / reach, uy / reach), tall, float(1 / (1 + np.exp(-logit)))))
        return corners


def _thin(found: list[Corner]) -> list[Corner]:
    """One corner a place: neighbours that agree are averaged, the surest leading."""
    if not found:
        return []
    order = sorted(found, key=lambda c: -c.score)
    place = np.array([c.at_px for c in order])
    up = np.array([c.up for c in order])
    tall = np.array([c.height_px for c in order])
    score = np.array([c.score for c in order])
    free = np.ones(len(order), bool)
    kept = []
    for k in range(len(order)):
        if not free[k]:
            continue
        apart = np.hypot(*(place - place[k]).T)
        near = free & (apart < _SAME_PLACE * np.minimum(tall, tall[k]))
        near[k] = True
        free &= ~(near | (apart < _SAME_PLACE * tall[k]))
        alike = near & (up @ up[k] > 0.8) & (np.abs(np.log(tall / tall[k])) < 0.25)
        weight = score * alike
        weight /= weight.sum()
        mean_up = weight @ up
        mean_up /= np.hypot(*mean_up)
        at = weight @ place
        kept.append(
            Corner(
                (float(at[0]), float(at[1])),
                (float(mean_up[0]), float(mean_up[1])),
                float(weight @ tall),
                float(score[k]),
            )
        )
        if len(kept) == MOST_CORNERS:
            break
    return kept
