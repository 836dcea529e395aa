"""Finds index corners in a picture, whole cards or not, with a small network over a few sizes of the picture; of the
finest, which takes most of the time, only where a glance says that corners may be (`glance.py`)."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.crops import Image
from vision.cards.glance import COARSE_PX, GlanceModel, parts_to_search

CELL_PX = 8
MEAN_INDEX_PX = 22.0
"""The network answers in cells of this size, and heights over this one: as it was trained."""
LONGEST_PX = 768
"""Longer side of the finest size looked at: it keeps the 45 px indices of a 2,304 px picture at 15 px (the network
learned 10 to 48); smaller is faster and loses those."""
SIZES = 3
"""Sizes looked at, each half the one before: the coarser ones see cards held near, and together cost a third more."""
SURE_SCORE = 0.9
TALL_PX = 36.0
"""Where a look finds sure corners (SURE_SCORE) and none is as tall as this, the cards of this table are too small for
the coarser looks, which are left out: on 150 tables of the calibration decks that found more indices, not fewer. Taller
ones a look measures too low (a tenth in the median, a quarter in the worst tenth, on 80 close-ups of those decks; up to
here, one to four in a hundred): a coarser look does not."""
TALL_WORTH = 0.1
"""So the score of a taller find counts for this much beside what a coarser look finds there."""
LEAST_SCORE = 0.35
"""Corners under this are dropped unseen; the reading network rejects most of what passes, so it is low on purpose."""
MOST_CORNERS = 224
"""No more than these are found, best first: a whole pack of four indices a card, and some; so a page of print cannot
cost seconds."""
INDEX_WIDTH = 0.45
"""Of its height: most decks' are about so wide."""
NEAR_PX, NEAR_HEIGHTS = 28.0, 4.0
"""A corner looked at once more is this tall, and so many of its heights of what lies round it are shown."""
_SAME_PLACE = 0.5
"""Two finds closer than this share of an index's height are one: real indices lie at least 0.6 apart."""


@dataclass(frozen=True)
class Corner:
    """An index corner: its centre, the unit vector from its suit up to its rank, its height, how sure it is one."""

    at_px: tuple[float, float]
    up: tuple[float, float]
    height_px: float
    score: float
    upside_down: bool = False
    """Found in the picture turned half round."""

    def cut_by_px(self, width: int, height: int) -> float:
        """How far the box of the index reaches beyond the edge of a picture of this size."""
        (x, y), (ux, uy), tall = self.at_px, self.up, self.height_px
        reach_x = tall * (abs(ux) / 2 + INDEX_WIDTH / 2 * abs(uy))
        reach_y = tall * (abs(uy) / 2 + INDEX_WIDTH / 2 * abs(ux))
        return max(reach_x - x, x + reach_x - width, reach_y - y, y + reach_y - height)

    def moved(self, right: float, down: float, size: float = 1.0, turn_rad: float = 0.0) -> "Corner":
        """Framed another way: shifted by so many of its heights as seen from its own side, grown, turned."""
        (x, y), (ux, uy), h = self.at_px, self.up, self.height_px
        at = (x + h * (-uy * right - ux * down), y + h * (ux * right - uy * down))
        c, s = math.cos(turn_rad), math.sin(turn_rad)
        return replace(self, at_px=at, up=(ux * c - uy * s, ux * s + uy * c), height_px=h * size)


def _round_to_cells(length: float) -> int:
    return max(4 * CELL_PX, round(length / CELL_PX) * CELL_PX)


def _shrunk(image: Image, size: tuple[int, int]) -> Image:
    """The picture at this smaller size: averaged by a whole factor, which OpenCV does fast, then by the rest. Averaging
    by a broken factor takes six times as long; halving twice blurs small indices."""
    whole = int(min(image.shape[1] / size[0], image.shape[0] / size[1]))
    if whole > 1:
        between = (image.shape[1] // whole, image.shape[0] // whole)
        image = cv2.resize(image, between, interpolation=cv2.INTER_AREA)
    return cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)


def _blob(small: Image) -> NDArray[np.uint8]:
    """The picture as a network takes it. The network keeps a copy, and makes numbers four times as large of that."""
    blob = np.empty((1, 3, *small.shape[:2]), np.uint8)
    for plane, colour in zip(blob[0], cv2.split(small), strict=True):
        np.copyto(plane, colour)
    return blob


class CornerFinder:
    """The finding network, loaded once; not to be shared between threads."""

    def __init__(self, model: Path, glance: Path | None = None) -> None:
        """glance: the network that says where to search; None: all of each picture is searched."""
        # OpenCV plans its buffers anew whenever the size of the input changes: a third of a look at the finest size, a
        # fifth of one at the others. These share a network object, since each holds some megabytes.
        self._finest, self._coarser = (cv2.dnn.readNetFromONNX(str(model)) for _ in range(2))
        self._coarser.enableWinograd(False)  # 3 MB less; 3 ms more where the finest size shows no card.
        self._glance = GlanceModel(glance) if glance else None

    def find_upside_down(self, image: Image) -> list[Corner]:
        """The same of the picture turned half round: what is hard to see one way up may be plain the other."""
        height, width = image.shape[:2]
        return [
            Corner(
                (width - 1 - corner.at_px[0], height - 1 - corner.at_px[1]),
                (-corner.up[0], -corner.up[1]),
                corner.height_px,
                corner.score,
                upside_down=True,
            )
            for corner in self._find(image, turned=True)
        ]

    def find(self, image: Image) -> list[Corner]:
        """Every index corner of a BGR picture, surest first."""
        return self._find(image, turned=False)

    def _find(self, image: Image, turned: bool) -> list[Corner]:
        height, width = image.shape[:2]
        found = []
        scale = min(1.0, LONGEST_PX / max(height, width))
        small = image
        for step in range(SIZES):
            size = (_round_to_cells(width * scale), _round_to_cells(height * scale))
            small = _shrunk(small, size)
            if turned and not step:  # Of the whole picture it would be a third more of what a look holds.
                small = np.asarray(cv2.rotate(small, cv2.ROTATE_180), np.uint8)
            glance, net = (None, self._coarser) if step else (self._glance, self._finest)
            seen = self._search(glance, net, small, width / size[0], height / size[1])
            found.append(seen)
            tall = seen[4] * scale > TALL_PX
            sure = seen[5] > SURE_SCORE
            if sure.any() and not (sure & tall).any():
                break
            if step < SIZES - 1:
                seen[5, tall] *= TALL_WORTH
            scale /= 2
        return _thin(np.concatenate(found, axis=1))

    def find_nearer(self, image: Image, corner: Corner) -> Corner | None:
        """The same corner in a picture of it alone, seen larger; None: none is there. Beside print, a small index is
        found where it is, and taken to lie as the print does."""
        side = _round_to_cells(NEAR_HEIGHTS * NEAR_PX)
        scale = NEAR_HEIGHTS * corner.height_px / side
        x0, y0 = (middle - scale * side / 2 for middle in corner.at_px)
        matrix = np.array([(scale, 0.0, x0), (0.0, scale, y0)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        near = cv2.warpAffine(image, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        seen = self._look(self._coarser, near, scale, scale)
        seen[:2] += [[x0], [y0]]
        found = [near for near in _thin(seen) if math.dist(near.at_px, corner.at_px) < corner.height_px * _SAME_PLACE]
        return replace(found[0], upside_down=corner.upside_down) if found else None

    @classmethod
    def _search(
        cls, glance: GlanceModel | None, net: cv2.dnn.Net, small: Image, sx: float, sy: float
    ) -> NDArray[np.float64]:
        """The same as a look (`_look`), of those parts that are worth it at a glance."""
        if glance is None:
            return cls._look(net, small, sx, sy)
        found = [np.empty((6, 0))]
        for part in parts_to_search(glance.worth_searching(small)):
            left, top, right, bottom = (COARSE_PX * edge for edge in part)
            seen = cls._look(net, small[top:bottom, left:right], sx, sy)
            seen[:2] += [[left * sx], [top * sy]]
            found.append(seen)
        return np.concatenate(found, axis=1)

    @staticmethod
    def _look(net: cv2.dnn.Net, small: Image, sx: float, sy: float) -> NDArray[np.float64]:
        """What the network says of one size: rows x, y, up x, up y, height, score; a column for each likely cell."""
        net.setInput(_blob(small))
        planes = net.forward()[0]
        ys, xs = np.nonzero(planes[0] > np.log(LEAST_SCORE / (1 - LEAST_SCORE)))
        logit, dx, dy, size, ux, uy = planes[:, ys, xs].astype(np.float64)
        reach = np.maximum(np.hypot(ux, uy), 1e-6)
        tall = MEAN_INDEX_PX * np.exp(np.clip(size, -2, 2)) * (sx + sy) / 2
        x, y = (xs + 0.5 + dx) * CELL_PX * sx, (ys + 0.5 + dy) * CELL_PX * sy
        return np.array([x, y, ux / reach, uy / reach, tall, 1 / (1 + np.exp(-logit))])


def _thin(found: NDArray[np.float64]) -> list[Corner]:
    """One corner a place: neighbours that agree are averaged, the surest leading."""
    found = found[:, np.argsort(-found[5], kind="stable")]
    place, up, tall, score = found[:2].T, found[2:4].T, found[4], found[5]
    free = np.ones(len(score), bool)
    kept: list[Corner] = []
    while len(kept) < MOST_CORNERS and free.any():
        k = int(free.argmax())
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
    return kept
