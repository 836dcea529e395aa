"""Whether a picture of the table is good enough to read: how light it is, how sharp."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import colourless
from vision.frame import Image

WIDTH_PX = 1280
"""Judged at the width the readers work at."""
SMOOTH_PX = 1.0
"""Sigma that takes the grain of a dark picture away, before edges are measured."""
BAND_PX, BESIDE_PX = 64, 8
"""Rows looked at together, and beside them those that smoothing, slopes and flanks take in."""
SLOPE_STEPS = 256
"""A slope is counted in such parts of a grey level."""
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
    grey: bool
    """Without colour: hearts look like spades."""

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
    return PictureCheck(light, burnt, _blur_px(np.asarray(scaled, np.uint8)), image.ndim == 2 or colourless(image))


def _blur_px(grey: Image) -> float | None:
    """A step blurred by s has slopes g with mean g'^2 / g^2 = 1 / 2s^2, whatever its contrast: so the Laplacian's
    variance over the slope's tells s, where Laplacian variance alone would tell how much is printed on the cards."""
    counted = np.zeros(1 << 16, np.int64)
    for there, band in _bands(grey):
        counted += np.bincount(_slopes(band)[there].ravel(), minlength=len(counted))
    above = counted[::-1].cumsum()  # How many have at least so steep a slope, the steepest first.
    bar = max(len(counted) - 1 - int(np.searchsorted(above, EDGES_SHARE * grey.size)), int(SLOPE_STEPS * FAINTEST_EDGE))
    if above[len(counted) - 1 - bar] < EDGES_SHARE / 4 * grey.size:
        return None
    pixels, slopes, bends = 0, 0.0, 0.0
    for there, band in _bands(grey):
        slope = _slopes(band)
        # Of each edge both flanks too, where most of the Laplacian is.
        around = cv2.dilate((slope >= bar).view(np.uint8), np.ones((7, 7), np.uint8))[there].view(bool)
        pixels += int(np.count_nonzero(around))
        slopes += float(((slope[there][around] / SLOPE_STEPS) ** 2).sum())
        bends += float((cv2.Laplacian(band, cv2.CV_32F)[there][around] ** 2).sum())
    ratio = slopes / max(bends, 1e-6 * pixels)
    return float(np.sqrt(max(ratio / 2 - SMOOTH_PX**2, 0.0)))


def _slopes(band: NDArray[np.float32]) -> NDArray[np.uint16]:
    """How steep grey is everywhere, in SLOPE_STEPS to a level."""
    across, down = (cv2.Sobel(band, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
    return np.asarray(SLOPE_STEPS * cv2.magnitude(across, down), np.uint16)


def _bands(grey: Image) -> Iterator[tuple[slice, NDArray[np.float32]]]:
    """The picture without its grain, a few rows after the other, since all of it at once are 40 MB: where those rows
    stand in what is given, and that."""
    height = grey.shape[0]
    for top in range(0, height, BAND_PX):
        bottom = min(top + BAND_PX, height)
        start, end = max(0, top - BESIDE_PX), min(height, bottom + BESIDE_PX)
        smooth = cv2.GaussianBlur(grey[start:end].astype(np.float32), (0, 0), SMOOTH_PX)
        yield slice(top - start, bottom - start), np.asarray(smooth, np.float32)
