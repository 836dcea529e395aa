"""Cuts an index corner out of a picture, upright and at one size, for the reading network."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

CROP_W_PX, CROP_H_PX = 48, 64
INDEX_IN_CROP_PX = 46.0
"""Height of the index box in the crop: the rest is margin for the detector's errors (about a tenth of its height)."""


def index_crop(image: Image, at_px: tuple[float, float], up: tuple[float, float], height_px: float) -> Image:
    """The corner whose centre, up direction and height these are, as a small upright picture."""
    scale = height_px / INDEX_IN_CROP_PX
    right = (-up[1] * scale, up[0] * scale)
    down = (-up[0] * scale, -up[1] * scale)
    matrix = np.array(
        [
            (right[0], down[0], at_px[0] - right[0] * CROP_W_PX / 2 - down[0] * CROP_H_PX / 2),
            (right[1], down[1], at_px[1] - right[1] * CROP_W_PX / 2 - down[1] * CROP_H_PX / 2),
        ],
        np.float64,
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(image, matrix, (CROP_W_PX, CROP_H_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
