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


@dataclass(frozen=True)
class PictureCheck:
    """What a picture is like."""

    light: float
    """Grey level that 98 % of the picture stay below (0 to 255): of the cards, a single one being 2 %."""
    burnt: float
    """Share of the picture that is white without any drawing left."""
    blur_px: float | None
    """Sigma of the blur over its edges, at WIDTH_PX; None where there are no edges."""


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
