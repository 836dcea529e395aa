"""Points that may be pits, to a grid of rows and columns: which point is which pit, and how well it all fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.board.grid import apply, fit_affine, fit_projective, inverse

Array = np.ndarray[Any, Any]

OFF = 0.27
"""How far a pit may lie from where the grid expects it, in pitches: a gap between halves shifts rows by up to 0.15."""
ENOUGH = 0.93
"""A fit this good is not bettered: all pits are there and none beside them."""
MOST = 200
"""Points that are looked at: a board has its pits and little else, a spotted cloth has hundreds."""
TRIES = 24
"""Ways of laying the grid that are tried, which bounds the time that a spotted cloth can take."""
AGREE = 3
"""So many ways that lead to the very same points settle it."""
LONGEST = 1.7
"""Largest ratio of the steps along and across: boards with wide gaps still pass, diagonals do not."""


@dataclass(frozen=True)
class Peaks:
    """Points that look like the middle of a pit: where (n, 2), how much (0 to 1), how large."""

    at: Array
    score: Array
    radius: Array


@dataclass(frozen=True)
class Fit:
    """A grid laid over the points: `index[row, column]` is a point or -1; `matrix` maps (column, row) there."""

    index: Array
    matrix: Array
    quality: float
    gaps: tuple[float, float] = (0.0, 0.0)
    """How far the upper half stands off the lower one, and the left off the right, in pitches: `matrix` maps places
    that are so far apart."""


SAME_STEP = 0.1
"""A step forward along a line of pits and the one back differ by less than this part of themselves; seen from very
close by they differ by more, and both are tried."""
IN_LINE = 1e-6
"""The spread of whole cells along and across, multiplied, is far above this where they lie on more than one line."""


def _assign(cells: Array, off: Array, ranked: Array, limit: float) -> Array:
    """One point for each cell at most, the best; returns the numbers of those kept. ranked: all points, best first."""
    ok = ranked[off[ranked] < limit]
    best: dict[tuple[int, int], int] = {}
    for k, (column, row) in zip(ok.tolist(), cells[ok].tolist(), strict=True):
        best.setdefault((column, row), k)
    return np.array(list(best.values()), int)


def _in_one_line(cells: Array) -> bool:
    """Whether these cells make up no grid: all lie on one line."""
    n, (x, y) = len(cells), np.add.reduce(cells).tolist()
    (xx, xy), (_, yy) = (cells.T @ cells).tolist()
    return (xx - x * x / n) * (yy - y * y / n) - (xy - x * y / n) ** 2 < IN_LINE


REACHES = (1.6, 2.6, 4.6, 9.0, 12.0, 12.0)
"""How far the grid is laid at each step, in pitches from where it starts."""


def _grow(
    peaks: Peaks, start: int, u: Array, v: Array, reaches: tuple[float, ...] = REACHES
) -> tuple[Array, Array, Array] | None:
    """From one point and two steps, outward: integer cells of the points that fit, their numbers, the map."""
    basis = np.column_stack([u, v])
    if abs(np.linalg.det(basis)) < 1e-6:
        return None
    m: Array = np.eye(3)
    m[:2, :2], m[:2, 2] = basis, peaks.at[start]
    kept = np.array([start])
    cells = np.zeros((len(peaks.at), 2), int)
    before: list[tuple[int, list[int]]] = []
    ranked = np.argsort(-peaks.score, kind="stable")
    laid: Array | None = None
    for reach in reaches:
        if laid is not m:
            try:
                where = apply(inverse(m), peaks.at)
            except np.linalg.LinAlgError:
                return None
            laid, cells = m, np.rint(where.clip(-50, 50)).astype(int)
            off, far = np.hypot(*(where - cells).T), np.abs(where).max(1)
        kept = _assign(cells, np.where(far > reach, 9, off), ranked, OFF)
        if len(kept) < 4 or _in_one_line(cells[kept]):
            return None
        points = list(zip(kept.tolist(), cells[kept].tolist(), strict=True))
        if points == before:
            continue  # The same points give the same map.
        before = points
        m = (fit_projective if len(kept) >= 9 else fit_affine)(cells[kept].astype(float), peaks.at[kept])
        if not np.isfinite(m.sum()):
            return None
    return cells, kept, m


def _window(cells: Array, score: Array, rows: int, columns: int) -> tuple[float, int, int]:
    """The window of rows x columns cells that holds most and leaves least out: quality, first column, first row."""
    low, high = cells.min(0), cells.max(0)
    width, height = (max(int(s), k) for s, k in zip(high - low + 1, (columns, rows), strict=True))
    # One empty cell all round, and sums over rectangles by differences of running sums: a cloth full of spots is big.
    field = np.zeros((height + 3, width + 3))
    field[cells[:, 1] - low[1] + 2, cells[:, 0] - low[0] + 2] = score
    total = field.cumsum(0).cumsum(1)
    high_r, high_c = height - rows + 1, width - columns + 1

    def boxes(grow: int) -> Array:
        """Sums of the windows, grown by so many cells on each side."""
        t = left = 1 - grow
        b, r = rows + 1 + grow, columns + 1 + grow
        lines = [total[k : k + high_r] for k in (t, b)]
        return np.asarray(
            lines[1][:, r : r + high_c]
            - lines[1][:, left : left + high_c]
            - lines[0][:, r : r + high_c]
            + lines[0][:, left : left + high_c]
        )

    inside = boxes(0)
    # What continues the grid beyond the window speaks against it; farther off it is another thing.
    quality = (inside - 0.8 * (boxes(1) - inside)) / (rows * columns)
    r, c = np.unravel_index(int(quality.argmax()), quality.shape)
    return float(quality[r, c]), int(c) + int(low[0]), int(r) + int(low[1])


def _turned(pair: Array) -> bool:
    """Whether two steps, in the measure of two others, are those turned: in another order, forward or back."""
    whole = np.rint(pair)
    ahead = np.abs(whole)
    one_each = (ahead.sum(0) == 1).all() and (ahead.sum(1) == 1).all()
    return bool(one_each and np.abs(pair - whole).max() < SAME_STEP)


def _ways(peaks: Peaks) -> Iterator[tuple[int, Array, Array]]:
    """Points near the middle, each with pairs of steps to its neighbours that may be those of a grid; one pair of those
    that are turned into each other by quarter turns."""
    n = len(peaks.at)
    gaps = np.linalg.norm(peaks.at[:, None] - peaks.at[None], axis=-1) + np.diag(np.full(n, 1e9))
    middle = np.median(peaks.at, axis=0)
    order = np.argsort(np.linalg.norm(peaks.at - middle, axis=1) - 20 * peaks.score)
    tries = 0
    for start in order[:8]:
        near = np.argsort(gaps[start])[:6]
        steps = peaks.at[near] - peaks.at[start]
        lengths = np.hypot(*steps.T)
        tried: list[Array] = []
        for i in range(len(near)):
            for j in range(len(near)):
                cross = steps[i, 0] * steps[j, 1] - steps[i, 1] * steps[j, 0]
                sine = cross / (lengths[i] * lengths[j] + 1e-9)
                # The other way round it is the same grid mirrored.
                if sine < 0.85 or max(lengths[i], lengths[j]) > LONGEST * min(lengths[i], lengths[j]):
                    continue
                pair = steps[[i, j]]
                if any(_turned(pair @ back) for back in tried):
                    continue
                tried.append(np.linalg.inv(pair))
                tries += 1
                if tries > TRIES:
                    return
                yield int(start), steps[i], steps[j]


def _best_points(peaks: Peaks) -> Peaks:
    if len(peaks.at) <= MOST:
        return peaks
    best_first = np.argsort(-peaks.score, kind="stable")[:MOST]
    return Peaks(peaks.at[best_first], peaks.score[best_first], peaks.radius[best_first])


def _grown(peaks: Peaks) -> Iterator[tuple[Array, Array, Array]]:
    """What each way leads to, until enough of them lead to the same."""
    often: Counter[frozenset[int]] = Counter()
    for start, u, v in _ways(peaks):
        grown = _grow(peaks, start, u, v)
        if grown is not None:
            yield grown
            points = frozenset(grown[1].tolist())
            often[points] += 1
            if often[points] == AGREE:
                return


def fit_grids(peaks: Peaks, shapes: Sequence[tuple[int, int]]) -> list[tuple[Fit, tuple[int, int]]]:
    """Lays grids over the points every way that their neighbours suggest, in quarter turns: the best way of laying each
    that can be laid. One that may lie on its side is asked for both ways."""
    peaks = _best_points(peaks)
    wanted = [shape for shape in shapes if len(peaks.at) >= max(4, shape[0] * shape[1] // 3)]
    best: dict[tuple[int, int], Fit] = {}
    for cells, kept, m in _grown(peaks) if wanted else ():
        for rows, columns in wanted:
            quality, c0, r0 = _window(cells[kept], peaks.score[kept], rows, columns)
            if (rows, columns) not in best or quality > best[rows, columns].quality + 1e-6:
                index = np.full((rows, columns), -1)
                for k in kept:
                    c, r = cells[k] - [c0, r0]
                    if 0 <= r < rows and 0 <= c < columns:
                        index[r, c] = k
                shift = np.array([[1, 0, c0], [0, 1, r0], [0, 0, 1.0]])
                best[rows, columns] = Fit(index, m @ shift, quality)
        if any(fit.quality > ENOUGH for fit in best.values()):
            break
    return [(fit, shape) for shape, fit in best.items()]
