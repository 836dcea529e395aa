"""Procedural surfaces for drawn boards: wood, and the table or cloth under it. NumPy and OpenCV only."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, Any]


def noise(rng: np.random.Generator, shape: tuple[int, int], cells: tuple[float, float]) -> Array:
    """Smooth noise, mean 0, spread about 1; `cells` is how many lumps fit down and across."""
    small = rng.normal(size=(max(2, int(cells[0])), max(2, int(cells[1])))).astype(np.float32)
    return cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def clouds(rng: np.random.Generator, shape: tuple[int, int], cells: float, octaves: int = 3) -> Array:
    """Noise of several sizes at once."""
    out = np.zeros(shape, np.float32)
    for i in range(octaves):
        n = cells * 2**i
        out += noise(rng, shape, (n, n * shape[1] / shape[0])) * 0.6**i
    return out


WOODS = np.array(
    [
        [118, 165, 205],
        [95, 140, 185],
        [80, 115, 160],
        [70, 95, 140],
        [55, 75, 115],
        [45, 55, 85],
        [60, 80, 145],
        [130, 150, 165],
        [35, 42, 58],
        [85, 130, 195],
        [90, 180, 235],  # varnished pine and bamboo, as boards are sold
        [70, 150, 215],
        [115, 195, 240],
    ],
    np.float32,
)
"""Blue, green, red of planed woods, from maple to ebony."""
PALE_WOODS = WOODS[[0, 1, 7, 9, 10, 11, 12]]


def wood(rng: np.random.Generator, size: int = 640, pale: bool = False) -> Array:
    """A plank (size/2 high, size wide), grain along its length: values 0 to about 1, blue green red. `pale`: of those
    woods."""
    woods = PALE_WOODS if pale else WOODS
    h, w = size // 2, size
    v, u = np.mgrid[0:h, 0:w].astype(np.float32)
    warp = noise(rng, (h, w), (3, 4)) * rng.uniform(2, 16)
    for _ in range(rng.poisson(0.7)):  # knots push the grain aside
        ku, kv, kr = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(6, 22)
        d2 = ((u - ku) / 2.2) ** 2 + (v - kv) ** 2
        warp += np.sign(v - kv) * kr * np.exp(-d2 / (2 * (2.2 * kr) ** 2)) * 1.5
    rings = np.sin((v + warp) * rng.uniform(0.12, 0.6) + noise(rng, (h, w), (h / 12, 3)) * 0.8)
    streaks = noise(rng, (h, w), (h / rng.uniform(1.5, 4), rng.uniform(3, 14)))
    fine = noise(rng, (h, w), (h / 1.2, w / rng.uniform(6, 25)))
    tone = (
        rings * rng.uniform(0.0, 0.09)
        + streaks * rng.uniform(0.02, 0.1)
        + fine * rng.uniform(0.01, 0.06)
        + clouds(rng, (h, w), 2) * rng.uniform(0.0, 0.09)
    )
    base = woods[rng.integers(len(woods))] * rng.uniform(0.8, 1.2) * rng.uniform(0.92, 1.08, 3) / 255
    shift = np.array([-0.15, 0.0, 0.12], np.float32) * rng.uniform(-1, 1)
    out = base[None, None] * (1 + tone[..., None] * (1 + shift))
    for _ in range(rng.poisson(1.0)):  # cracks follow the grain
        x, y = rng.uniform(0, w), rng.uniform(0, h)
        steps = rng.integers(3, 12)
        pts = np.cumsum([[x, y], *[[rng.uniform(8, 28), rng.normal(0, 1.8)] for _ in range(steps)]], axis=0)
        dark = np.zeros((h, w), np.float32)
        cv2.polylines(dark, [pts.astype(np.int32)], False, (1.0,), 1 + int(rng.random() < 0.2), cv2.LINE_AA)
        out *= (1 - dark * rng.uniform(0.3, 0.8))[..., None]
    return np.asarray(out.clip(0.01, 1.2), np.float32)


EARTHS = np.array(
    [[150, 185, 205], [110, 150, 175], [95, 125, 140], [70, 95, 150], [85, 110, 130], [60, 75, 90]], np.float32
)
"""Blue, green, red of sand, mud and clay."""


def earth(rng: np.random.Generator, size: int = 640) -> Array:
    """A patch (size/2 high, size wide) of what boards are dug into or moulded of, as `wood` is of planks."""
    shape = size // 2, size
    base = EARTHS[rng.integers(len(EARTHS))] * rng.uniform(0.7, 1.2) * rng.uniform(0.93, 1.07, 3) / 255
    tone = clouds(rng, shape, rng.uniform(2, 12)) * rng.uniform(0.02, 0.08)
    tone += clouds(rng, shape, rng.uniform(60, 150), 2) * rng.uniform(0.02, 0.1)
    return np.asarray((base * (1 + tone[..., None])).clip(0.01, 1.2), np.float32)


def table(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """What the board lies on, over the whole picture: cloth, mat, planks, sand, tiles, spots."""
    h, w = shape
    base = rng.uniform(0.08, 0.95) * rng.uniform(0.6, 1.0, 3)
    if rng.random() < 0.5:
        base = base.mean() * (1 + rng.normal(0, 0.05, 3))
    second = (base * rng.uniform(0.4, 1.8) * rng.uniform(0.75, 1.25, 3)).clip(0.02, 1)
    tone = clouds(rng, shape, rng.uniform(2, 40), int(rng.integers(1, 5))) * rng.uniform(0.01, 0.14)
    angle, period = rng.uniform(0, np.pi), rng.uniform(8, 120)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    a = (xx * np.cos(angle) + yy * np.sin(angle)) / period
    b = (-xx * np.sin(angle) + yy * np.cos(angle)) / (period * rng.uniform(0.6, 1.6))
    pick = rng.integers(9)
    mix = np.zeros(shape, np.float32)
    if pick == 0:  # stripes
        mix = (np.sin(a * 2 * np.pi) > rng.uniform(-0.8, 0.8)).astype(np.float32)
    elif pick == 1:  # checks
        mix = ((np.floor(a) + np.floor(b)) % 2).astype(np.float32)
    elif pick == 2:  # spots: the finder must not take a printed cloth for a board
        mix = ((a % 1 - 0.5) ** 2 + (b % 1 - 0.5) ** 2 < rng.uniform(0.05, 0.16)).astype(np.float32)
    elif pick == 3:  # weave
        mix = 0.5 + 0.5 * np.sin(a * 2 * np.pi * 8) * np.sin(b * 2 * np.pi * 8)
    elif pick == 4:  # planks or a wooden table
        plank = cv2.resize(wood(rng), (w, h), interpolation=cv2.INTER_LINEAR)
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(0, 360)), float(rng.uniform(1.2, 2.0)))
        return cv2.warpAffine(plank, turn, (w, h), borderMode=cv2.BORDER_REFLECT)
    mix = cv2.GaussianBlur(mix, (0, 0), 1.0) * rng.uniform(0.2, 1.0)
    a32, b32 = base.astype(np.float32), (second - base).astype(np.float32)
    out = (a32 + b32 * mix[..., None].astype(np.float32)) * (1 + tone[..., None].astype(np.float32))
    return np.asarray(out.clip(0.01, 1.2), np.float32)
