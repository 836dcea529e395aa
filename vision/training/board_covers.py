"""Lays arms, sleeves, fingers and cloths over pit crops, so that the counter learns what hides a pit."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.board.crops import PX_PER_RADIUS
from vision.synthetic.board_over import SKINS
from vision.synthetic.board_textures import clouds

Array = np.ndarray[Any, Any]

OFTEN = 0.15
"""Part of the crops that something is laid over."""
WIDE_PX = (9.0, 110.0)
"""From a thin finger to a forearm, in pixels of a crop."""
PLAIN = 0.25
"""Part of them that are quite flat: a sleeve in even light shows neither folds nor a round side."""


def _shape(rng: np.random.Generator, side: int, middle: Array) -> tuple[Array, Array]:
    """Where something lies that reaches in from one side: how much of each pixel, and how far across it, -1 to 1."""
    wide = float(np.exp(rng.uniform(*np.log(WIDE_PX))))
    way = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(way), np.sin(way)])
    tip = middle + rng.uniform(-1.4, 1.4, 2) * PX_PER_RADIUS - along * rng.uniform(0, 1.2) * side * (rng.random() < 0.7)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    far = (x - tip[0]) * along[0] + (y - tip[1]) * along[1]
    aside = ((x - tip[0]) * along[1] - (y - tip[1]) * along[0]) / (wide / 2)
    bend = float(rng.normal(0, 0.15))
    aside = aside + bend * (far / wide) ** 2 * np.sign(bend)
    round_end = np.hypot(np.minimum(far / (wide / 2), 0), aside)
    edge = (1 - round_end) * wide / 2
    return np.clip(edge + 0.5, 0, 1).astype(np.float32), np.clip(aside, -1, 1)


def lay_over(rng: np.random.Generator, crop: Array, middle: Array, radius: float) -> tuple[Array, float]:
    """The crop with something over it, and what part of the pit around `middle` that hides."""
    side = len(crop)
    mask, aside = _shape(rng, side, middle)
    y, x = np.mgrid[0:side, 0:side]
    pit = (x - middle[0]) ** 2 + (y - middle[1]) ** 2 < radius * radius
    level = float(np.percentile(crop, 80))
    kind = rng.random()
    if kind < 0.5:
        colour = SKINS[rng.integers(len(SKINS))] * rng.uniform(0.8, 1.25) * level * 2
    elif kind < 0.9:
        colour = rng.uniform(10, 245, 3).astype(np.float32)
    else:  # of the board's own colour
        colour = (crop[rng.integers(side), rng.integers(side)] * rng.uniform(0.7, 1.3, 3)).astype(np.float32)
    body: Array = np.broadcast_to(colour, crop.shape).astype(np.float32)
    if rng.random() > PLAIN:
        lit = float(rng.normal(0, 0.25))
        roundness = float(rng.uniform(0, 0.7))
        body = body * (1 - roundness * aside**2 + lit * aside)[..., None]
        folds = clouds(rng, (side, side), float(rng.uniform(4, 30)), 2) * rng.uniform(0, 0.12)
        body = body * (1 + folds)[..., None]
    under = crop.astype(np.float32)
    if rng.random() < 0.5:
        reach = float(rng.uniform(1, 8))
        away = np.array([[1, 0, rng.normal(0, 5)], [0, 1, rng.normal(0, 5)]])
        shade = cv2.warpAffine(cv2.GaussianBlur(mask, (0, 0), reach), away, (side, side))
        under = under * (1 - rng.uniform(0.1, 0.6) * shade)[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.3, 1.5)))[..., None]
    out = (under * (1 - soft) + body * soft).clip(0, 255).astype(np.uint8)
    return out, float(mask[pit].mean())
