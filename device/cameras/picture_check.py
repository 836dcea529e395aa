"""Whether a picture of the table is good enough to read: how light it is, how sharp."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

WIDTH_PX = 1280
"""Judged at the width the readers work at."""
SMOOTH_PX = 1.0
"""Sigma that takes the grain of a dark picture away, before edges are measured."""
BAND_PX, BESIDE_PX = 128, 8
"""Rows looked at together, and beside them those that smoothing and slopes take in."""
EDGES_SHARE = 0.01
"""Of the picture: its strongest edges are judged. A single card has as much."""
FAINTEST_EDGE = 4.0
"""Grey levels a pixel: with all edges below it there is nothing on the table to judge by."""
DARKEST_LIGHT = 60.0
"""Grey level of the cards. 36 cards on drawn tables, developed darker and darker with a grain of 4 grey levels, are
read as well as in full light down to 38; at 26 one in seven is lost. Half as much again for faint decks. 25 photographs
of tables lit as at home lie from 100 to 191."""
MOST_BURNT = 0.25
"""Share of white without drawing: cards cover a quarter of a table at most, and their pips should stay. Below 0.005 in
60 photographs of tables."""
MOST_BLUR_PX = 2.0
"""Sigma of the blur. The same cards, blurred more and more: up to 1.9 all are read, at 2.4 one in 18 is lost, at
3.0 one in seven. The photographs lie from 0 to 1.5."""


@dataclass(frozen=True)
class PictureCheck:
    """What a picture is like."""

    light: float
    """Grey level that 98 % of the picture stay below (0 to 255): of the cards, a single one being 2 %."""
    burnt: float
    """Share of the picture that is white without any drawing left."""
    blur_px: float | None
    """Sigma of the blur over its edges, at WIDTH_PX; None where there are no edges."""

    @property
    def dark(self) -> bool:
        """Too dark to read."""
        return self.light < DARKEST_LIGHT

    @property
    def glaring(self) -> bool:
        """Too bright to read."""
        return self.burnt > MOST_BURNT

    @property
    def blurred(self) -> bool:
        """Too blurred to read, as far as there is anything to see."""
        return self.blur_px is not None and self.blur_px > MOST_BLUR_PX


def check_picture(image: Image) -> PictureCheck:
    """Judges a picture, grey or BGR."""
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    light = float(np.percentile(grey, 98))
    burnt = float((grey >= 254).mean())
    height = round(WIDTH_PX * grey.shape[0] / grey.shape[1])
    scaled = cv2.resize(grey, (WIDTH_PX, height), interpolation=cv2.INTER_AREA) if grey.shape[1] > WIDTH_PX else grey
    return PictureCheck(light, burnt, _blur_px(np.asarray(scaled, np.uint8)))


def _blur_px(grey: Image) -> float | None:
    """A step blurred by s has slopes g with mean g'^2 / g^2 = 1 / 2s^2, whatever its contrast: so the Laplacian's
    variance over the slope's tells s, where Laplacian variance alone would tell how much is printed on the cards."""
    slope = np.empty(grey.shape, np.float32)
    for rows, there, band in _bands(grey):
        across, down = (cv2.Sobel(band, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
        slope[rows] = cv2.magnitude(across, down)[there]
    bar = max(float(np.quantile(slope, 1 - EDGES_SHARE)), FAINTEST_EDGE)
    core = slope >= bar
    if core.mean() < EDGES_SHARE / 4:
        return None
    # Of each edge both flanks too, where most of the Laplacian is.
    around = cv2.dilate(core.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
    slopes = bends = 0.0
    for rows, there, band in _bands(grey):
        bend = cv2.Laplacian(band, cv2.CV_32F)[there]
        slopes += float((slope[rows][around[rows]] ** 2).sum())
        bends += float((bend[around[rows]] ** 2).sum())
    ratio = slopes / max(bends, 1e-6 * np.count_nonzero(around))
    return float(np.sqrt(max(ratio / 2 - SMOOTH_PX**2, 0.0)))


def _bands(grey: Image) -> Iterator[tuple[slice, slice, NDArray[np.float32]]]:
    """The picture without its grain, a few rows after the other, since all of it at once are 40 MB: which rows, where
    they stand in what is given, and that."""
    height = grey.shape[0]
    for top in range(0, height, BAND_PX):
        rows = slice(top, min(top + BAND_PX, height))
        start, end = max(0, rows.start - BESIDE_PX), min(height, rows.stop + BESIDE_PX)
        smooth = cv2.GaussianBlur(grey[start:end].astype(np.float32), (0, 0), SMOOTH_PX)
        yield rows, slice(rows.start - start, rows.stop - start), np.asarray(smooth, np.float32)
