"""Points that may be pits, to a grid whose lines need not be evenly spaced: hinged boards, bowed rows, hollows beside
the pits. Slower than `lattice`, and asked only where that is not sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from vision.board.grid import apply, fit_affine, fit_projective, inverse, plane
from vision.board.lattice import Fit, Peaks, _best_points, _grow, _ways

Array = np.ndarray[Any, Any]

STARTS = 6
"""Ways of beginning that are tried: each takes some milliseconds."""
FIRST_REACHES = (1.6, 2.6)
"""How far the grid is even to begin with, in pitches: within one half of a hinged board."""
NEXT = (0.6, 2.2)
"""How far the next line of pits may lie from the last one, in pitches."""
BESIDE, ABREAST = 0.3, 0.3
"""How far a pit may lie off its line, and how far apart those of one new line may be, in pitches."""
REGULAR = 0.15
"""A line whose distance differs from a pitch by less is taken to be just one pitch on."""
HALF_A_LINE = 0.5
"""So much of a line must show: a hand may lie over the rest."""
LONG_ENOUGH = 40
"""Lines added at most."""
UNEVEN_COSTS = 1.5
"""What a mean deviation of one pitch from even steps takes off a window's quality, the middle step left out."""
MORE_COSTS, ASKEW_COSTS = 0.2, 0.3
"""What a full line of points right beside the window takes off its quality, and what one on one side only does beyond
that: hollows at both ends are a board's stores, one more line at one end is a row of its pits left out."""
WIDEST_GAP = 1.3
"""Gap between two halves, in pitches, beyond which they are two boards."""
GRIDS = (
    *((2, columns) for columns in range(5, 11)),
    *((3, columns) for columns in range(5, 9)),
    *((4, columns) for columns in range(6, 11)),
)
"""Boards that `--grid auto` knows."""


@dataclass(frozen=True)
class Net:
    """Lines of pits both ways: where they lie (in pitches), and `index[row, column]`, a point or -1."""

    xs: Array
    ys: Array
    index: Array


def _median(values: Array) -> float:
    """The median of a few: NumPy's takes twenty times as long."""
    ranked = sorted(values.tolist())
    half = len(ranked) // 2
    return ranked[half] if len(ranked) % 2 else (ranked[half - 1] + ranked[half]) / 2


class _Growing:
    """A net while lines are added to it."""

    def __init__(self, peaks: Peaks, cells: Array, kept: Array) -> None:
        self.peaks = peaks
        self.lines: tuple[dict[int, float], dict[int, float]] = (
            {int(c): float(c) for c in cells[kept, 0]},
            {int(r): float(r) for r in cells[kept, 1]},
        )
        self.points = {(int(cells[k, 0]), int(cells[k, 1])): int(k) for k in kept}

    def where(self) -> Array | None:
        """Every point in the net's own measure."""
        xs, ys = self.lines
        source = np.array([(xs[c], ys[r]) for c, r in self.points])
        target = self.peaks.at[list(self.points.values())]
        even = len(source) >= 8 and min(len(xs), len(ys)) >= 2 and max(len(xs), len(ys)) >= 4
        m = (fit_projective if even else fit_affine)(source, target)
        if not np.isfinite(m.sum()) or abs(np.linalg.det(m)) < 1e-9:
            return None
        return apply(inverse(m), self.peaks.at)

    def free(self) -> Array:
        """Points that belong to no line yet."""
        out = np.ones(len(self.peaks.at), bool)
        out[list(self.points.values())] = False
        return out

    def _nearest(self, axis: int, values: Array) -> tuple[Array, Array]:
        """The nearest line of an axis to each value, and how far off it is."""
        names = np.array(list(self.lines[axis]))
        off = np.abs(values[:, None] - np.array(list(self.lines[axis].values())))
        return names[off.argmin(1)], off.min(1)

    def fill(self, where: Array) -> bool:
        """Points that lie where two lines cross; False where there are no more."""
        before = len(self.points)
        (column, off_x), (row, off_y) = (self._nearest(axis, where[:, axis]) for axis in (0, 1))
        fits = np.flatnonzero(self.free() & (np.hypot(off_x, off_y) < BESIDE))
        for k in sorted(fits, key=lambda k: -self.peaks.score[k]):
            self.points.setdefault((int(column[k]), int(row[k])), int(k))
        return len(self.points) > before

    def extend(self, where: Array) -> bool:
        """Adds the line beyond that is most nearly one pitch on; False where there is none."""
        best: tuple[float, int, int, float, list[tuple[int, int]]] | None = None
        free = self.free()
        for axis in (0, 1):
            crossing, off = self._nearest(1 - axis, where[:, 1 - axis])
            own = self.lines[axis]
            for side in (-1, 1):
                name = max(own, key=lambda n: side * own[n])
                along = side * (where[:, axis] - own[name])
                ahead = free & (along > NEXT[0]) & (along < NEXT[1]) & (off < BESIDE)
                if not ahead.any():
                    continue
                line = np.flatnonzero(ahead & (along < along[ahead].min() + ABREAST))
                members = list({int(crossing[k]): int(k) for k in line}.items())
                far = _median(along[line])
                if len(members) < max(1, HALF_A_LINE * len(self.lines[1 - axis])):
                    continue
                if best is None or abs(far - 1) < best[0]:
                    best = abs(far - 1), axis, side, far, members
        if best is None:
            return False
        _, axis, side, far, members = best
        own = self.lines[axis]
        last = max(own, key=lambda n: side * own[n])
        own[last + side] = own[last] + side * (1.0 if abs(far - 1) < REGULAR else far)
        for cross, k in members:
            self.points[(last + side, cross) if axis == 0 else (cross, last + side)] = k
        return True

    def net(self) -> Net | None:
        """What has grown, its lines placed where their points are."""
        where = self.where()
        if where is None:
            return None
        names = [sorted(lines) for lines in self.lines]
        index = np.full((len(names[1]), len(names[0])), -1)
        for (c, r), k in self.points.items():
            index[names[1].index(r), names[0].index(c)] = k
        places = []
        for axis in (0, 1):
            lines = index.T if axis == 0 else index
            fallback = [self.lines[axis][n] for n in names[axis]]
            places.append(
                np.array(
                    [
                        _median(where[line[line >= 0], axis]) if (line >= 0).any() else other
                        for line, other in zip(lines, fallback, strict=True)
                    ]
                )
            )
        return Net(places[0], places[1], index)


def _nets(peaks: Peaks) -> Iterator[Net]:
    for number, (start, u, v) in enumerate(_ways(peaks)):
        if number >= STARTS:
            return
        grown = _grow(peaks, start, u, v, FIRST_REACHES)
        if grown is None:
            continue
        growing = _Growing(peaks, grown[0], grown[1])
        for _ in range(LONG_ENOUGH):
            where = growing.where()
            if where is None:
                break
            if growing.fill(where):
                where = growing.where()
            if where is None or not growing.extend(where):
                break
        net = growing.net()
        if net is not None:
            yield net


def _gap(places: Sequence[float]) -> tuple[float, float]:
    """The gap in the middle of evenly spaced places, in their step, and how uneven they are otherwise."""
    steps = [after - before for before, after in pairwise(places)]
    if len(steps) < 2:
        return 0.0, 0.0
    middle, gap = len(steps) // 2, 0.0
    halves = len(places) % 2 == 0 and len(steps) >= 3
    others = [*steps[:middle], *steps[middle + 1 :]] if halves else steps
    step = sum(others) / len(others)
    if halves:
        gap = steps[middle] / step - 1
    uneven = sum(abs(other / step - 1) for other in others) / len(others)
    if not -0.2 < gap < WIDEST_GAP:
        uneven += abs(gap)
    return gap, uneven


def _beside(padded: Array, r0: int, c0: int, rows: int, columns: int) -> float:
    """What the lines right beside a window take off its quality. padded: scores, with nothing round them."""
    across, down = slice(c0 + 1, c0 + 1 + columns), slice(r0 + 1, r0 + 1 + rows)
    sides = (
        (padded[down, c0].sum() / rows, padded[down, c0 + 1 + columns].sum() / rows),
        (padded[r0, across].sum() / columns, padded[r0 + 1 + rows, across].sum() / columns),
    )
    return float(sum(MORE_COSTS * (side + other) + ASKEW_COSTS * abs(side - other) for side, other in sides))


def _windows(net: Net, score: Array, rows: int, columns: int) -> Iterator[tuple[float, int, int, tuple[float, float]]]:
    """Every place of a grid in a net: its quality, first row and column, and its gaps."""
    tall, wide = score.shape
    if tall < rows or wide < columns:
        return
    ys, xs, padded = net.ys.tolist(), net.xs.tolist(), np.pad(score, 1)
    down = [_gap(ys[r0 : r0 + rows]) for r0 in range(tall - rows + 1)]
    across = [_gap(xs[c0 : c0 + columns]) for c0 in range(wide - columns + 1)]
    for r0, (gap, uneven_y) in enumerate(down):
        for c0, (hinge, uneven_x) in enumerate(across):
            inside = float(score[r0 : r0 + rows, c0 : c0 + columns].sum()) / (rows * columns)
            cost = _beside(padded, r0, c0, rows, columns) + UNEVEN_COSTS * (uneven_x + uneven_y)
            yield inside - cost, r0, c0, (gap, hinge)


def fits_spaced(peaks: Peaks, grids: Iterable[tuple[int, int]], most: int) -> list[tuple[Fit, tuple[int, int]]]:
    """These grids as the points make them up, lying either way, with their gaps: the best ways of laying them, each of
    other points."""
    peaks = _best_points(peaks)
    wanted = tuple(grids)
    if len(peaks.at) < max(4, min(rows * columns for rows, columns in wanted) // 2):
        return []
    windows: list[tuple[float, Array, tuple[float, float], tuple[int, int]]] = []
    for net in _nets(peaks):
        score = np.where(net.index >= 0, peaks.score[net.index], 0.0)
        for grid in wanted:
            for lying in (False, True):
                turned = Net(net.ys, net.xs, net.index.T) if lying else net
                part = score.T if lying else score
                for quality, r0, c0, gaps in _windows(turned, part, *grid):
                    windows.append((quality, turned.index[r0 : r0 + grid[0], c0 : c0 + grid[1]], gaps, grid))
    laid: dict[tuple[tuple[int, int], frozenset[int]], tuple[Fit, tuple[int, int]]] = {}
    for quality, index, gaps, grid in sorted(windows, key=lambda window: -window[0]):
        points = grid, frozenset(index.ravel().tolist())
        fit = _laid(peaks, index, gaps, quality) if points not in laid else None
        if fit is not None:
            laid[points] = fit, grid
        if len(laid) == most:
            break
    return list(laid.values())


def _laid(peaks: Peaks, index: Array, gaps: tuple[float, float], quality: float) -> Fit | None:
    has = index.ravel() >= 0
    if has.sum() < max(6, 0.6 * index.size):
        return None
    # With two lines a gap between them is only a longer step.
    kept = tuple(gap if lines > 2 and abs(gap) > 0.03 else 0.0 for gap, lines in zip(gaps, index.shape, strict=True))
    flat = plane(*index.shape, *kept)
    m = fit_projective(flat[has], peaks.at[index.ravel()[has]])
    return Fit(index, m, quality, (kept[0], kept[1])) if np.isfinite(m).all() else None
