"""Whether the outer columns of what looks like a board are pits or its two stores: long hollows look like pits one
above the other, but no wood lies between them."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, Any]

HEAT, EDGE, LAND, PEAKS, BIAS = -0.94, 1.86, -0.71, 8.0, -4.6
"""Log-odds that the columns at an end are pits: for each unit of heat in between, for each doubling (natural) of the
step at the rim, of how unlike the wood in between is, for peaks at every place, and before looking. Fitted to 2,064
ends of 260 drawn boards: of pits that show nine in ten come above 2.2, of stores that look like pits half below -1.2.
"""
MOST_TOLD = 4.0
"""What one of the first three is believed to say at most, in its own unit."""
ACROSS_PX = np.linspace(-4, 4, 9)
"""Where the strip between two pits is averaged, in pixels of the second look."""
ALONG, THIRD = np.linspace(-0.5, 0.5, 27), 13
"""Samples of that strip from one pit's middle to the next, and the one half way."""
MIDDLE, RIM = slice(11, 16), 3
"""Samples on the wood in between, and how many at either end are well inside a pit."""
HALF_WAY = np.linspace(-0.15, 0.15, 5)
"""Where in between the finder's answer is asked for."""
LEAST_EDGE, MOST_EDGE, WOOD_NOISE = 0.1, 2.0, 5.0
"""Bounds of the step at a rim beside that of the other pits; grey levels by which wood differs anyway."""
FEWEST = 3
"""Columns that must be left to compare with."""


def pits_at_ends(flat: Array, heat: Array, cell: int, points: Array, peaks: Array) -> Array:
    """Log-odds of each end column (left, right) being pits, and neither a store nor nothing. `points` (rows, columns,
    2) are the middles of all columns in the straightened picture `flat`, `heat` the finder's score there, one for
    `cell` pixels; `peaks`: how much the finder takes either end for pits, from 0 to 1.
    """
    rows, columns = points.shape[:2]
    told = PEAKS * peaks + BIAS
    if rows < 2 or columns < FEWEST + 2:
        return np.asarray(told)
    smooth = cv2.GaussianBlur(flat, (0, 0), 1.0).astype(np.float32)
    signs = np.median([_ends(smooth, heat, cell, *points[row : row + 2]) for row in range(rows - 1)], axis=0)
    return np.asarray(told + signs.clip(-MOST_TOLD, MOST_TOLD) @ [HEAT, EDGE, LAND])


def _sampled(image: Array, at: Array) -> Array:
    x, y = np.moveaxis(at.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _ends(smooth: Array, heat: Array, cell: int, upper: Array, lower: Array) -> Array:
    """What one pair of rows shows of both ends: the heat between them, the steps at their rims, how unlike the wood."""
    middle, down = (upper + lower) / 2, lower - upper
    across = np.column_stack([down[:, 1], -down[:, 0]]) / np.hypot(*down.T)[:, None]
    between = middle[:, None] + HALF_WAY[None, :, None] * down[:, None]
    warm = _sampled(heat, (between - (cell - 1) / 2) / cell).max(1)
    at = middle[:, None, None] + ALONG[:, None, None] * down[:, None, None] + ACROSS_PX[:, None] * across[:, None, None]
    strips = _sampled(smooth, at.reshape(-1, *at.shape[2:])).mean(1).reshape(*at.shape[:2], -1)
    wood, inner = strips[:, MIDDLE].mean(1), slice(1, -1)
    usual = np.median(wood[inner], axis=0)
    unlike = np.abs(wood - usual).max(1)
    steps = np.abs(np.diff(strips, axis=1)).max(2)
    rim = np.minimum(steps[:, RIM:THIRD].max(1), steps[:, THIRD:-RIM].max(1))
    rim = np.clip(rim / max(float(np.median(rim[inner])), 1e-3), LEAST_EDGE, MOST_EDGE)
    signs = (
        warm - np.median(warm[inner]),
        np.log(rim),
        np.log((unlike + 1) / (unlike[inner].max() + WOOD_NOISE)),
    )
    return np.stack(signs, -1)[[0, -1]]
