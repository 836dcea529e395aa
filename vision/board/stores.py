"""Whether the outer columns of what looks like a board are pits or its two stores: long hollows look like pits one
above the other, but no wood lies between them."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, Any]

HEAT, EDGE, LAND, BIAS = 0.52, 2.32, 0.88, -1.3
"""Log-odds that both ends are stores: for each unit of heat in between, for each halving (natural) of the step at the
rim, of how alike the wood is, and before looking. Fitted to 29 drawn boards, 8 with stores: 7 and all others right."""
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


def stores_at_ends(flat: Array, heat: Array, cell: int, points: Array) -> Array:
    """Log-odds of each end column (left, right) being a store rather than pits. `points` (rows, columns, 2) are the
    middles of all columns in the straightened picture `flat`, `heat` the finder's score there, one for `cell` pixels.
    """
    rows, columns = points.shape[:2]
    if rows < 2 or columns < FEWEST + 2:
        return np.full(2, -np.inf)
    smooth = cv2.GaussianBlur(flat, (0, 0), 1.0).astype(np.float32)
    gaps = [_ends(smooth, heat, cell, points[row], points[row + 1]) for row in range(rows - 1)]
    return np.asarray(np.median(gaps, axis=0))


def _sampled(image: Array, at: Array) -> Array:
    x, y = np.moveaxis(at.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _ends(smooth: Array, heat: Array, cell: int, upper: Array, lower: Array) -> Array:
    """The same for one pair of rows."""
    middle, down = (upper + lower) / 2, lower - upper
    across = np.column_stack([down[:, 1], -down[:, 0]]) / np.hypot(*down.T)[:, None]
    between = middle[:, None] + HALF_WAY[None, :, None] * down[:, None]
    warm = _sampled(heat, (between - (cell - 1) / 2) / cell).max(1)
    at = middle[:, None, None] + ALONG[:, None, None] * down[:, None, None] + ACROSS_PX[:, None] * across[:, None, None]
    strips = np.stack([_sampled(smooth, strip).mean(1) for strip in at])
    wood, inner = strips[:, MIDDLE].mean(1), slice(1, -1)
    usual = np.median(wood[inner], axis=0)
    unlike = np.abs(wood - usual).max(1)
    steps = np.abs(np.diff(strips, axis=1)).max(2)
    rim = np.minimum(steps[:, RIM:THIRD].max(1), steps[:, THIRD:-RIM].max(1))
    rim = np.clip(rim / max(float(np.median(rim[inner])), 1e-3), LEAST_EDGE, MOST_EDGE)
    odds = (
        HEAT * (warm - np.median(warm[inner]))
        - EDGE * np.log(rim)
        + LAND * np.log((unlike + 1) / (unlike[inner].max() + WOOD_NOISE))
        + BIAS
    )
    return np.asarray(odds[[0, -1]])
