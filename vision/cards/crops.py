"""Cuts an index corner out of a picture, upright and at one size, for the reading network."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

CROP_W_PX, CROP_H_PX = 48, 64
INDEX_IN_CROP_PX = 46.0
"""Height of the index box in the crop: the rest is margin for the detector's errors (about a tenth of its height)."""
SKIPS_FROM = 1.5
"""From so many pixels of the picture to one of the crop on, a crop is taken in a finer one that is shrunk by area: else
pixels are skipped. It read one more of 793 indices on photographs."""
PAPER_SHARE, PAPER_VALUE = 0.97, 225
"""A crop is brightened or darkened until this share of its values lies under this one, which is about its paper: dim
and bright tables then look alike. On calibration decks it took a tenth off the log loss of the names."""


def _exposed(crop: Image) -> Image:
    values = np.partition(crop.ravel(), int(PAPER_SHARE * crop.size))
    return cv2.convertScaleAbs(crop, alpha=PAPER_VALUE / max(1.0, float(values[int(PAPER_SHARE * crop.size)])))


def index_crop(image: Image, at_px: tuple[float, float], up: tuple[float, float], height_px: float) -> Image:
    """The corner whose centre, up direction and height these are, as a small upright picture, evenly exposed."""
    finer = max(1, int(2 * height_px / INDEX_IN_CROP_PX / SKIPS_FROM))
    wide, high = CROP_W_PX * finer, CROP_H_PX * finer
    scale = height_px / INDEX_IN_CROP_PX / finer
    right = (-up[1] * scale, up[0] * scale)
    down = (-up[0] * scale, -up[1] * scale)
    matrix = np.array(
        [
            (right[0], down[0], at_px[0] - right[0] * wide / 2 - down[0] * high / 2),
            (right[1], down[1], at_px[1] - right[1] * wide / 2 - down[1] * high / 2),
        ],
        np.float64,
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(image, matrix, (wide, high), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if finer > 1:
        crop = cv2.resize(crop, (CROP_W_PX, CROP_H_PX), interpolation=cv2.INTER_AREA)
    return _exposed(crop)
