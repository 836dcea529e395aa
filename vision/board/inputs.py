"""How pictures are handed to the board's networks: one place, so that training and reading cannot differ."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def normalise(images: Array) -> Array:
    """(n, h, w, 3) blue green red, to (n, 3, h, w) with the light's strength taken out: mean 0, spread 1 for each."""
    x = np.asarray(images, np.float32)
    flat = x.reshape(len(x), -1)
    mean = flat.mean(1)[:, None, None, None]
    # 6 grey levels keep a flat, dark crop from turning its noise into pattern.
    spread = flat.std(1)[:, None, None, None] + 6.0
    return np.ascontiguousarray(((x - mean) / spread).transpose(0, 3, 1, 2))
