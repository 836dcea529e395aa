"""Surfaces of triangles for `board_traced`: a board with its hollows, seeds, the ribbons in a marble. NumPy and OpenCV.

A net is its corners (n, 3) and its triangles (m, 3). Lengths are in pitches for boards, else in half axes of a seed.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.synthetic.board_scene import Scene, SeedLook
from vision.synthetic.board_textures import noise

Array = np.ndarray[Any, Any]
Net = tuple[Array, Array]
"""Corners and triangles."""

STEP = 0.02
"""Pitches from one height of the board's top to the next."""
ROUNDER = 4
"""How often the triangles of a twenty-sided ball are each parted into four."""
RIBBON = (24, 16)
"""Corners along and across a ribbon."""


def sheet(rows: int, columns: int) -> Array:
    """The triangles of a net of so many corners each way."""
    i = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = i[:-1, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, 1:].ravel(), i[1:, :-1].ravel()
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def normals(net: Net) -> Array:
    """Each corner's direction away from the surface: the mean of its triangles'."""
    points, faces = net
    a, b, c = (points[faces[:, i]] for i in range(3))
    flat = np.cross(b - a, c - a)
    out = np.zeros_like(points)
    for i in range(3):
        np.add.at(out, faces[:, i], flat)
    return np.asarray(out / (np.linalg.norm(out, axis=1, keepdims=True) + 1e-12))


def ball() -> Net:
    """A ball of radius 1, seen from outside against the clock."""
    at = _twenty_sided()
    edge = np.sqrt(((at[:, None] - at[None]) ** 2).sum(-1))
    near = edge < 1.1
    trios = [
        (i, j, k) for i in range(12) for j in range(i) for k in range(j) if near[i, j] and near[j, k] and near[i, k]
    ]
    faces = np.array([(i, j, k) if np.linalg.det(at[[i, j, k]]) > 0 else (i, k, j) for i, j, k in trios])
    for _ in range(ROUNDER):
        a, b, c = faces.T
        middles = [at[p] + at[q] for p, q in ((a, b), (b, c), (c, a))]
        x, y, z = (len(at) + k * len(faces) + np.arange(len(faces)) for k in range(3))
        at = np.concatenate([at, *(m / np.linalg.norm(m, axis=1, keepdims=True) for m in middles)])
        faces = np.concatenate([np.stack(corners, 1) for corners in ((a, x, z), (x, b, y), (z, y, c), (x, y, z))])
    kept, which = np.unique(at.round(9), axis=0, return_inverse=True)
    return kept, which.reshape(-1)[faces]


def _twenty_sided() -> Array:
    tall = (1 + 5**0.5) / 2
    corners = [(0.0, a, b * tall) for a in (-1, 1) for b in (-1, 1)]
    at = np.array([np.roll(corner, k) for corner in corners for k in range(3)])
    return np.asarray(at / np.linalg.norm(at[0]))


def board_top(scene: Scene, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """x, y and height over the board and a little beyond: hollows, what the knife left in them, worn edges, dents."""
    shape = scene.shape
    hx, hy = shape.half
    x, y = (np.arange(-half - 3 * STEP, half + 3 * STEP, STEP) for half in (hx, hy))
    xx, yy = np.meshgrid(x, y)
    z = np.zeros(xx.shape)
    r = shape.pit_radius
    rings = scene.knife_rings
    for (px, py), (rx, ry), bowl in scene.hollows:
        u, v = (xx - px) / rx, (yy - py) / ry
        far, low = bowl.radius(u, v), bowl.height(u, v)
        carved = shape.carved / (2 * np.pi * rings) * np.sin(2 * np.pi * rings * far) * np.clip((1 - far) * 8, 0, 1)
        z = np.where(far < 1, np.minimum(z, (low + carved) * r), z)
    z = cv2.GaussianBlur(z, (0, 0), rng.uniform(0.4, 2.5))
    z += noise(rng, xx.shape, (len(y) * STEP * 6, len(x) * STEP * 6)) * rng.uniform(0, 0.004)
    corner = rng.uniform(0.02, 0.25)
    past = np.hypot(np.maximum(np.abs(xx) - hx + corner, 0), np.maximum(np.abs(yy) - hy + corner, 0))
    off = (np.abs(xx) > hx) | (np.abs(yy) > hy) | (past > corner)
    off |= np.abs(xx) < shape.seam * (shape.hinge > 0) / 2
    off |= np.abs(yy) < shape.seam * (shape.gap > 0.1) / 2
    return xx, yy, np.where(off, min(-shape.thickness, float(z.min()) - 0.05), z)


def seed_form(ball_points: Array, look: SeedLook, rng: np.random.Generator) -> Array:
    """What a ball's corners become: a cowry has a flat side with a slit, a coffee bean a crease, a nut lumps, some
    beans a bend."""
    p = ball_points.copy()
    if look.pattern == "slit":
        p[:, 1] *= 1 - 0.22 * p[:, 0]
        p[:, 2] = np.maximum(p[:, 2], -0.55)
        slit = np.exp(-((p[:, 1] / 0.13) ** 2)) * (p[:, 2] < -0.3) * (np.abs(p[:, 0]) < 0.85)
        p[:, 2] += slit * 0.45
        p[:, 1:] *= rng.choice([-1, 1])  # either side lies up
    elif look.pattern == "crease":
        p[:, 2] = np.minimum(p[:, 2], 0.35)
        p[:, 2] -= np.exp(-((p[:, 1] / 0.1) ** 2)) * (p[:, 2] > 0.2) * 0.3
        p[:, 1:] *= rng.choice([-1, 1])
    elif look.pattern == "mottled":
        lumps = sum(np.sin(ball_points @ wave + k) for k, wave in enumerate(rng.normal(0, 1.5, (3, 3))))
        p *= 1 + 0.05 * np.asarray(lumps)[:, None]
    elif look.pattern in ("plain", "speckles") and rng.random() < 0.4:
        p[:, 1] += rng.uniform(0.1, 0.35) * (p[:, 0] ** 2 - 0.3)
    return p


def ribbons(vanes: int, tones: Array, rng: np.random.Generator) -> list[tuple[Net, Array]]:
    """The coloured blades in a clear marble, and the colour of each corner. Up to two go right through its axis, more
    begin there."""
    twist, begin = rng.uniform(-2.5, 2.5), rng.uniform(0, 2 * np.pi)
    thick, reach, tall = rng.uniform(0.04, 0.16), rng.uniform(0.45, 0.85), rng.uniform(0.7, 0.92)
    rows, columns = RIBBON
    z = np.linspace(-tall, tall, rows)[:, None]
    part = np.linspace(0.0 if vanes > 2 else -1.0, 1, columns)[None]
    wide = reach * np.sqrt(np.maximum(1 - (z / tall) ** 2, 0)) * part
    swell = thick / 2 * (1 - part**2)
    out = []
    for k in range(vanes):
        turn = begin + twist * z + k * (2 if vanes > 2 else 1) * np.pi / vanes
        stripes = 1 + rng.uniform(0, 0.4) * np.sin(part * rng.uniform(3, 12) + rng.uniform(0, 6))
        colour = (tones[k % len(tones)] * np.broadcast_to(stripes, (rows, columns))[..., None]).clip(0.01, 0.95)
        for side in (-swell, swell):
            x, y = wide * np.cos(turn) - side * np.sin(turn), wide * np.sin(turn) + side * np.cos(turn)
            points = np.stack([x, y, np.broadcast_to(z, x.shape)], -1).reshape(-1, 3)
            out.append(((points, sheet(rows, columns)), colour.reshape(-1, 3)))
    return out
