"""Where the pits of a board are in a picture, and the arithmetic of grids seen at a slant. No pixels are read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.sightings import Quad

Array = np.ndarray[Any, Any]

SURE = 0.75
"""Confidence from which a board counts as found without doubt. Of 24 drawn boards, hands and all, three were below; a
grid asked for that is not the board's own never came above."""


@dataclass(frozen=True)
class FoundBoard:
    """A board in a picture: the middle of each pit (rows, columns, 2), their radii, and how sure that is (0 to 1)."""

    centres: Array
    radii: Array
    confidence: float
    given: bool = False
    askew: float = 0.0
    """How far its pits lie off an even grid with its gaps, on the mean, in pitches."""
    half_out: bool = False
    """One side lies in other stuff than what is beside it: a row of the board may be one of a printed cloth."""

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.centres.shape[0], self.centres.shape[1]

    @property
    def sure(self) -> bool:
        """Whether this is certainly the board; if not, say so and ask for a better view."""
        return self.given or self.confidence >= SURE

    @property
    def pitch_px(self) -> float:
        """Typical distance between neighbouring pits."""
        return pitch(self.centres)

    @property
    def corners_px(self) -> Quad:
        """Middles of the corner pits, clockwise from row 0, column 0."""
        c = self.centres
        a, b, d, e = ((float(p[0]), float(p[1])) for p in (c[0, 0], c[0, -1], c[-1, -1], c[-1, 0]))
        return a, b, d, e

    def outline(self, row: int, column: int, points: int = 24) -> Array:
        """A pit's rim, as a polygon in the picture."""
        angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
        ring = np.column_stack([np.cos(angle), np.sin(angle)])
        return np.asarray(self.centres[row, column] + ring * self.radii[row, column])


def pitch(centres: Array) -> float:
    """Median step between neighbours of a (rows, columns, 2) grid."""
    parts = [np.diff(centres, axis=a).reshape(-1, 2) for a in (0, 1) if centres.shape[a] > 1]
    return float(np.median(np.hypot(*np.concatenate(parts).T)))


def plane(rows: int, columns: int, gap: float = 0.0, hinge: float = 0.0) -> Array:
    """Pits of a flat board in pitches: (rows * columns, 2) as x, y. `gap` parts the two players' halves, `hinge` the
    left half from the right one."""
    r, c = np.mgrid[0:rows, 0:columns].astype(float)
    return np.column_stack([(c + hinge * (c >= columns / 2)).ravel(), (r + gap * (r >= rows / 2)).ravel()])


def fit_projective(source: Array, target: Array, weight: Array | None = None) -> Array:
    """The projective map (3x3) that takes `source` to `target` best, by least squares; four points or more."""
    s0, t0 = source.mean(0), target.mean(0)
    ss = np.abs(source - s0).mean() + 1e-9
    ts = np.abs(target - t0).mean() + 1e-9
    s, t = (source - s0) / ss, (target - t0) / ts
    n, zero, one = len(s), np.zeros(len(s)), np.ones(len(s))
    x, y, u, v = s[:, 0], s[:, 1], t[:, 0], t[:, 1]
    a = np.empty((2 * n, 9))
    a[0::2] = np.column_stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u])
    a[1::2] = np.column_stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v])
    if weight is not None:
        a *= np.repeat(np.sqrt(weight), 2)[:, None]
    h = np.linalg.eigh(a.T @ a)[1][:, 0].reshape(3, 3)
    back = np.array([[ts, 0, t0[0]], [0, ts, t0[1]], [0, 0, 1]])
    there = np.array([[1 / ss, 0, -s0[0] / ss], [0, 1 / ss, -s0[1] / ss], [0, 0, 1]])
    out = back @ h @ there
    return np.asarray(out / out[2, 2] if abs(out[2, 2]) > 1e-12 else out)


def fit_affine(source: Array, target: Array) -> Array:
    """The affine map, as 3x3, by least squares; of points on one line all go to one place."""
    middle, there = source.mean(0), target.mean(0)
    s, t = source - middle, target - there
    m, spread = np.eye(3), s.T @ s
    one_line = spread[0, 0] * spread[1, 1] - spread[0, 1] ** 2 < 1e-9
    m[:2, :2] = 0.0 if one_line else np.linalg.solve(spread, s.T @ t).T
    m[:2, 2] = there - m[:2, :2] @ middle
    return m


def apply(m: Array, points: Array) -> Array:
    """Maps (n, 2) points."""
    q = points @ m[:, :2].T + m[:, 2]
    depth = np.where(np.abs(q[:, 2:]) < 1e-12, 1e-12, q[:, 2:])
    return np.asarray(q[:, :2] / depth)


HINGE_SEEN = 0.06
"""A wider gap between the left and the right half than this, in pitches, is looked into."""
ROW_GAPS = np.linspace(-0.1, 0.5, 13)
"""Gaps tried between the two players' halves."""


def hinge_of(where: Array, seen: Array, columns: int) -> float:
    """How far the right half of a board stands off the left one, in pitches, by where its pits are: the step in the
    columns' places that a straight line leaves over. `where` is (n, 2) as column, row."""
    if columns % 2 or columns < 4 or len(np.unique(where[:, 0])) < columns - 1 or len(where) < 8:
        return 0.0
    at = apply(np.linalg.inv(fit_projective(where, seen)), seen)[:, 0]
    terms = np.column_stack([np.ones(len(where)), where[:, 0], where[:, 0] >= columns / 2])
    (_, step, hinge), *_ = np.linalg.lstsq(terms, at, rcond=None)
    return float(np.clip(hinge / step, -0.1, 1.5)) if step > 0.5 else 0.0


def fit_gap(where: Array, seen: Array, grid: tuple[int, int], weight: Array) -> tuple[Array, float, float]:
    """Pitches to picture, when the halves of the board may stand apart, the players' or the left and the right one;
    `where` is (n, 2) as column, row. Returns the map and both gaps."""
    rows, columns = grid
    best: tuple[float, Array, float, float] | None = None
    gaps = ROW_GAPS if rows % 2 == 0 and rows > 2 and len(where) >= 8 else np.zeros(1)
    low, right = where[:, 1] >= rows / 2, where[:, 0] >= columns / 2
    guess = hinge_of(where, seen, columns)
    for hinge in (0.0, guess) if abs(guess) > HINGE_SEEN else (0.0,):
        for gap in gaps:
            flat = where + np.column_stack([hinge * right, gap * low])
            h = fit_projective(flat, seen, weight)
            off = np.hypot(*(apply(h, flat) - seen).T)
            cost = float((off * weight).sum())
            # A gap is believed only when it explains clearly more than none.
            cost *= (1.0 if abs(gap) < 1e-9 else 1.03) * (1.0 if hinge == 0 else 1.03)
            if best is None or cost < best[0]:
                best = cost, h, float(gap), hinge
    assert best is not None
    return best[1], best[2], best[3]


def upright(centres: Array) -> Array:
    """The same pits, numbered so that row 0 is the upper one and columns run left to right seen from below."""
    right = centres[:, -1].mean(0) - centres[:, 0].mean(0)
    down = centres[-1].mean(0) - centres[0].mean(0)
    if right[0] * down[1] - right[1] * down[0] < 0:
        centres = centres[:, ::-1]
        right = -right
    if down[1] < 0 or (abs(down[1]) < 1e-6 and right[0] < 0):
        centres = centres[::-1, ::-1]
    return centres
