"""Where the pits of a board are in a picture, and the arithmetic of grids seen at a slant. No pixels are read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.sightings import Quad

Array = np.ndarray[Any, Any]

SURE = 0.75
"""Confidence from which a board counts as found without doubt. Of 24 drawn boards, hands and all, three were below. A
wrong grid is not always noticed: asked for one column more or fewer, 10 of 360 looks at 180 boards came above, too."""


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
    another: bool = False
    """Another board of its kind lies in the picture, about as large: nobody said which one is meant."""

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.centres.shape[0], self.centres.shape[1]

    @property
    def sure(self) -> bool:
        """Whether this is certainly the board; if not, say so and ask for a better view."""
        return self.given or (self.confidence >= SURE and not self.another)

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

    def in_picture(self, image: Array) -> Array:
        """How much of each pit lies in this picture (rows, columns), as a part of it; 0 where its middle does not."""
        size = np.array(image.shape[1::-1])

        def inside(points: Array) -> Array:
            return np.asarray(((points > -0.5) & (points < size - 0.5)).all(-1))

        shown = inside(self.centres[:, :, None] + self.radii[:, :, None, None] * _DISC).mean(-1)
        return np.where(inside(self.centres), shown, 0.0)

    def outline(self, row: int, column: int, points: int = 24) -> Array:
        """A pit's rim, as a polygon in the picture."""
        angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
        ring = np.column_stack([np.cos(angle), np.sin(angle)])
        return np.asarray(self.centres[row, column] + ring * self.radii[row, column])


_LINE = np.linspace(-0.9, 0.9, 10)
_DISC = np.array([(x, y) for x in _LINE for y in _LINE if x * x + y * y < 1])
"""Points spread evenly over a pit of radius 1."""


def pitch(centres: Array) -> float:
    """Median step between neighbours of a (rows, columns, 2) grid."""
    parts = [np.diff(centres, axis=a).reshape(-1, 2) for a in (0, 1) if centres.shape[a] > 1]
    return float(np.median(np.hypot(*np.concatenate(parts).T)))


def plane(rows: int, columns: int, gap: float = 0.0, hinge: float = 0.0) -> Array:
    """Pits of a flat board in pitches: (rows * columns, 2) as x, y. `gap` parts the two players' halves, `hinge` the
    left half from the right one."""
    r, c = np.mgrid[0:rows, 0:columns].astype(float)
    return np.column_stack([(c + hinge * (c >= columns / 2)).ravel(), (r + gap * (r >= rows / 2)).ravel()])


ASPECTS = np.linspace(0.95, 1.35, 9)
"""How far a board's rows lie apart, in the distances of its columns."""


def slant(centres: Array) -> float:
    """How slanted the view of a board is, at the least: the tangent of the angle between it and the upright. Rows that
    seem close together may really lie so: for them it is small."""
    rows, columns = centres.shape[:2]
    if min(rows, columns) < 2:
        return 0.0
    across, down = ((centres[a] - centres[b]).mean(0) for a, b in ((np.s_[:, -1], np.s_[:, 0]), (np.s_[-1], np.s_[0])))
    u, v = across / (columns - 1), down / (rows - 1) / ASPECTS[:, None]
    # A circle of one pitch round a pit is seen as an ellipse: how flat, for each distance of the rows?
    whole, area = u @ u + (v * v).sum(-1), abs(u[0] * v[:, 1] - u[1] * v[:, 0])
    long = (whole + np.sqrt(np.maximum(whole**2 - 4 * area**2, 0))) / 2
    flat = float((area / long).max())
    return float(np.sqrt(max(0.0, 1 - flat**2)) / max(flat, 1e-6))


def fit_projective(source: Array, target: Array, weight: Array | None = None) -> Array:
    """The projective map (3x3) that takes `source` to `target` best, by least squares; four points or more."""
    n = len(source)
    s0, t0 = np.add.reduce(source) / n, np.add.reduce(target) / n
    s, t = source - s0, target - t0
    ss, ts = (float(np.abs(part).sum()) / (2 * n) + 1e-9 for part in (s, t))
    points, seen = np.ones((3, n)), t.T / ts
    points[:2] = s.T / ss
    # Sums over all points of their products, alone and times where they are seen: the normal equations.
    by = np.empty((4, n))
    by[0], by[1:3], by[3] = 1.0, -seen, np.add.reduce(seen * seen)
    if weight is not None:
        by *= weight
    alone, across, down, both = (by @ (points[:, None] * points).reshape(9, n).T).reshape(4, 3, 3)
    a = np.zeros((9, 9))
    a[:3, :3] = a[3:6, 3:6] = alone
    a[:3, 6:] = a[6:, :3] = across
    a[3:6, 6:] = a[6:, 3:6] = down
    a[6:, 6:] = both
    h = np.linalg.eigh(a)[1][:, 0].reshape(3, 3)
    h[:, :2] /= ss
    h[:, 2] -= h[:, :2] @ s0
    h[:2] *= ts
    h[:2] += t0[:, None] * h[2]
    return np.asarray(h / h[2, 2] if abs(h[2, 2]) > 1e-12 else h)


def fit_affine(source: Array, target: Array) -> Array:
    """The affine map, as 3x3, by least squares; of points on one line all go to one place."""
    n = len(source)
    middle, there = np.add.reduce(source) / n, np.add.reduce(target) / n
    s, t = source - middle, target - there
    m, ((xx, xy), (_, yy)) = np.eye(3), (s.T @ s).tolist()
    spread = xx * yy - xy * xy
    m[:2, :2] = 0.0 if spread < 1e-9 else (t.T @ s) @ np.array([[yy, -xy], [-xy, xx]]) / spread
    m[:2, 2] = there - m[:2, :2] @ middle
    return m


def inverse(m: Array) -> Array:
    """The map back, of a map 3x3, in half of the time that NumPy takes for any matrix."""
    (a, b, c), (d, e, f), (g, h, i) = m.tolist()
    rows = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    whole = a * rows[0][0] + b * rows[1][0] + c * rows[2][0]
    if not whole:
        raise np.linalg.LinAlgError("no way back")
    return np.array(rows) / whole


def apply(m: Array, points: Array) -> Array:
    """Maps (n, 2) points."""
    q = points @ m[:, :2].T + m[:, 2]
    depth = q[:, 2:]
    depth[np.abs(depth) < 1e-12] = 1e-12
    return np.asarray(q[:, :2] / depth)


HINGE_SEEN = 0.06
"""A wider gap between the left and the right half than this, in pitches, is looked into."""
ROW_GAPS = np.linspace(-0.1, 0.5, 13)
"""Gaps tried between the two players' halves."""


def hinge_of(where: Array, seen: Array, columns: int) -> float:
    """How far the right half of a board stands off the left one, in pitches, by where its pits are: the step in the
    columns' places that a straight line leaves over. `where` is (n, 2) as column, row."""
    if columns % 2 or columns < 4 or len(set(where[:, 0].tolist())) < columns - 1 or len(where) < 8:
        return 0.0
    at = apply(inverse(fit_projective(where, seen)), seen)[:, 0]
    terms = np.stack([np.ones(len(where)), where[:, 0], where[:, 0] >= columns / 2], 1)
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
            flat = where + np.stack([hinge * right, gap * low], 1)
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
