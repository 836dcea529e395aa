"""Cuts pits out of a picture: each crop shows one pit with the board's rows lying level, all pits equally large."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, Any]

CROP_PX = 72
"""Side of a crop as the counter sees it: a seed is then some 12 px wide. At 9 px a seed touching ones ran together; at
80 px a side, reading a board takes 7 ms longer than at 72."""
PX_PER_RADIUS = 27.7
"""Scale of a crop: it shows 1.3 pit radii each way, the pit with its rim and what heaps over it."""
RADIUS_PITCHES = (0.3, 0.5)
"""Least and largest radius of a pit that is believed, in pitches: above, pits would run into each other."""
HINGE = 1.1
"""A step between the two middle columns so much wider than those beside it is a gap between the board's halves."""
SHRINK_ABOVE = 2.0
"""A picture this much finer than the crops is shrunk first: up to here the four pixels that each sample is mixed from
leave none out."""


def steps(centres: Array) -> Array:
    """Each pit's step to the next column, in pixels: (rows, columns, 2). With one column, the row's step turned. A
    wider gap between the left and the right half counts for none."""
    columns = centres.shape[1]
    if columns > 1:
        step = np.diff(centres, axis=1)
        before, after = step[:, [0, *range(columns - 1)]], step[:, [*range(columns - 1), columns - 2]]
        if columns >= 4 and columns % 2 == 0:
            k = columns // 2 - 1
            beside = (step[:, k - 1] + step[:, k + 1]) / 2
            if np.hypot(*step[:, k].mean(0)) > HINGE * np.hypot(*beside.mean(0)):
                after[:, k], before[:, k + 1] = step[:, k - 1], step[:, k + 1]
        return np.asarray((before + after) / 2)
    down = np.gradient(centres, axis=0)
    return np.stack([down[..., 1], -down[..., 0]], -1)


def crop_matrices(at: Array, right: Array, size: int, scale: float) -> Array:
    """Picture to crop for each pit (n, 2): turned so that `right` lies level, and zoomed so that it is `scale` long.
    All at once: one by one these small sums took longer than the cutting."""
    c, s = np.moveaxis(right * (scale / (right**2).sum(-1, keepdims=True)), -1, 0)
    x, y = np.moveaxis(at, -1, 0)
    middle = (size - 1) / 2
    rows = [np.stack([c, s, middle - c * x - s * y], -1), np.stack([-s, c, middle + s * x - c * y], -1)]
    return np.stack(rows, -2)


def cut(
    image: Array, centres: Array, radii: Array, size: int = CROP_PX, scale: float = PX_PER_RADIUS
) -> tuple[Array, Array]:
    """All pits of a board: crops (rows * columns, size, size, 3), and the matrix (2x3) that made each."""
    right = steps(centres)
    pitch = float(np.median(np.hypot(right[..., 0], right[..., 1])))
    # One size for all: the pits of a board are alike, and a single one measured wrong does no harm.
    scale = scale / float(np.clip(np.median(radii) / pitch, *RADIUS_PITCHES))
    zoom = min(1.0, SHRINK_ABOVE * scale / pitch)
    source, offset = image, np.zeros(2)
    if zoom < 1:
        far = float(np.hypot(right[..., 0], right[..., 1]).max()) * size / scale
        h, w = image.shape[:2]
        low = np.floor(np.clip(centres.min((0, 1)) - far, 0, [w - 1, h - 1])).astype(int)
        high = np.ceil(np.clip(centres.max((0, 1)) + far, 1, [w, h])).astype(int)
        source = image[low[1] : high[1], low[0] : high[0]]
        source = cv2.resize(source, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        offset = low.astype(float)
    at, right = centres.reshape(-1, 2), right.reshape(-1, 2)
    crops = [
        cv2.warpAffine(source, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for m in crop_matrices((at - offset) * zoom, right * zoom, size, scale)
    ]
    return np.stack(crops), crop_matrices(at, right, size, scale)
