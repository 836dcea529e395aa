"""Whether a picture of the table is good enough to read: how light it is, how sharp."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image

WIDTH_PX = 1280
"""Judged at the width the readers work at."""
SMOOTH_PX = 1.0
"""Sigma that takes the grain of a dark picture away, before edges are measured."""
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
    return PictureCheck(light, burnt, _blur_px(np.asarray(scaled, np.float32)))


def _blur_px(grey: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]") -> float | None:
    """A step blurred by s has slopes g with mean g'^2 / g^2 = 1 / 2s^2, whatever its contrast: so the Laplacian's
    variance over the slope's tells s, where Laplacian variance alone would tell how much is printed on the cards."""
    smooth = cv2.GaussianBlur(grey, (0, 0), SMOOTH_PX)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope = cv2.magnitude(across, down)
    bar = max(float(np.quantile(slope, 1 - EDGES_SHARE)), FAINTEST_EDGE)
    core = slope >= bar
    if core.mean() < EDGES_SHARE / 4:
        return None
    # Of each edge both flanks too, where most of the Laplacian is.
    around = cv2.dilate(core.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
    bend = cv2.Laplacian(smooth, cv2.CV_32F)
    ratio = float((slope[around] ** 2).mean() / max(float((bend[around] ** 2).mean()), 1e-6))
    return float(np.sqrt(max(ratio / 2 - SMOOTH_PX**2, 0.0)))
