"""Points that may be pits, parted by what lies round them: a board is of one wood, its table of other stuff. A printed
cloth has hundreds of such points, and grids of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from vision.board.grid import apply, fit_projective, pitch, plane
from vision.board.lattice import Peaks

Array = np.ndarray[Any, Any]

RING, ANGLES = 1.3, 16
"""Where what lies round a pit is looked at: so many radii from its middle, in so many directions."""
BETWEEN = 0.2
"""Part of the way from pit to pit over which the colour between them is averaged."""
OPEN = 0.3
"""And how much of a row shows its wood at least: arms and glare may lie over the rest."""
BLUR = 0.3
"""Part of a pit's radius over which colours are averaged: grain and print are finer."""
ALIKE, IN_LIGHT = 9.0, 45.0
"""How far apart the hues of one wood lie at most, as they were if it were half as light as white, and how much lighter
one part of it may be (CIE Lab)."""
DARKEST = 15.0
"""What is darker has hardly a hue."""
AS_LARGE = 1.25
"""And how many times as large one pit may be as another, where a cloth has the board's own colour."""
FEWEST = 10
"""Points fewer than these make up no board."""
MOST_WOODS = 3
"""So many are tried, that of most points first."""
REACH = np.arange(0.45, 3.1, 0.08)
"""How far beyond the outer columns the board's wood is looked for, in pitches: a store's length, its rim and a pit."""
ACROSS = 0.4
"""How far past the outer rows the first and last line lie, in pitches."""
LAST = 3
"""The last steps on a line: where one of them shows wood still, nobody knows where the board ends."""
NEAR_END = 2
"""Columns at an end beside which its wood is looked at: lamps colour the other end otherwise."""
TO_XYZ = np.array(
    [(0.180423, 0.357580, 0.412453), (0.072169, 0.715160, 0.212671), (0.950227, 0.119193, 0.019334)]
) / np.array([[0.950456], [1.0], [1.088754]])
"""From the light of blue, green and red to what of it white has (sRGB, D65)."""


def _lab(colours: Array) -> Array:
    """CIE Lab of colours (..., 3) from 0 to 1. OpenCV holds 5 MB of tables for this for good."""
    light = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4) @ TO_XYZ.T
    x, y, z = np.moveaxis(np.where(light > 0.008856, np.cbrt(light), 7.787 * light + 16 / 116), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _colours(image: Array, at: Array, finest: float) -> Array:
    """The colours at these places (..., 2), averaged over so many pixels: CIE Lab, hues as they were in the light."""
    zoom = min(1.0, 3.0 / finest)
    small = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    small = cv2.blur(small, (max(1, round(finest * zoom) | 1),) * 2)
    x, y = np.moveaxis(((at + 0.5) * zoom).astype(int), -1, 0)
    colours = small[y.clip(0, small.shape[0] - 1), x.clip(0, small.shape[1] - 1)]
    lab = _lab(colours / 255)
    lab[..., 1:] *= 50 / np.maximum(lab[..., :1], DARKEST)  # The same wood in the shade.
    return np.asarray(lab)


def round_each(image: Array, peaks: Peaks) -> Array:
    """The colour round each point: the middle of what its ring shows, whatever small things lie there."""
    turns = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    at = peaks.at[:, None] + RING * peaks.radius[:, None, None] * ring
    return np.asarray(np.median(_colours(image, at, 2 * BLUR * float(np.median(peaks.radius))), axis=1))


def _alike(colours: Array, others: Array) -> Array:
    """Which of these colours may be of one wood with which of the others."""
    off = np.abs(colours[:, None] - others[None])
    return np.asarray((np.hypot(off[..., 1], off[..., 2]) < ALIKE) & (off[..., 0] < IN_LIGHT))


def _as_large(grid: Array, other: Array) -> Array:
    """Whether pits of these radii may be of one board, seen from one side."""
    return np.asarray(np.maximum(grid / other, other / grid) < AS_LARGE)


def outer_rows_apart(image: Array, centres: Array) -> list[int]:
    """Outer rows (0 or -1) of a grid of pits (rows, columns, 2) between which other stuff lies than between those of
    the row beside them: a row of a printed cloth, but where there are only two, painted each in its player's colour."""
    steps = centres[:, 1:] - centres[:, :-1]
    width = BETWEEN * float(np.median(np.linalg.norm(steps, axis=-1)))
    colours = _colours(image, centres[:, :-1] + steps / 2, width)
    beside = np.median(colours[[1, -2]], axis=1)
    return [k for n, k in enumerate((0, -1)) if _alike(colours[k], beside[n][None]).mean() < OPEN]


def reaches_apart(image: Array, centres: Array) -> float:
    """How much further a board's wood goes on beyond one end of a grid of pits (rows, columns, 2) than beyond the
    other, in pitches: on the middle one of several lines along the board, since a handle crosses but some of them.
    Where a column of pits was left out, or a store taken for one, the grid does not lie in the middle of its wood.
    A line whose wood never ends in view counts as even: the table may have the same colour."""
    rows = centres.shape[0]
    lines = np.linspace(-ACROSS, rows - 1 + ACROSS, 4 * rows - 1)
    wood, shown = _wood_beyond(image, centres, lines)
    ends = ~wood[..., -LAST:].any((0, 2))
    left, right = (wood & shown.all(0)).sum(-1) * (REACH[1] - REACH[0])
    return float(np.median(np.where(ends, np.abs(left - right), 0.0)))


def _wood_beyond(image: Array, centres: Array, lines: Array) -> tuple[Array, Array]:
    """By end, line and step beyond the pits: whether the board's wood is there, and whether that is in the picture."""
    rows, columns = centres.shape[:2]
    to_picture = fit_projective(plane(rows, columns), centres.reshape(-1, 2))
    steps = [np.stack(np.meshgrid(along, lines), -1) for along in (-REACH, columns - 1 + REACH)]
    at = apply(to_picture, np.reshape(steps, (-1, 2)))
    between = (centres[:, :-1] + centres[:, 1:]) / 2
    near = np.stack([between[:, :NEAR_END], between[:, -NEAR_END:]])
    colours = _colours(image, np.concatenate([at, near.reshape(-1, 2)]), BETWEEN * pitch(centres))
    woods = np.median(colours[len(at) :].reshape(2, -1, 3), axis=1)
    beyond = colours[: len(at)].reshape(2, -1, 3)
    alike = np.stack([_alike(end, wood[None])[:, 0] for end, wood in zip(beyond, woods, strict=True)])
    shown = ((at >= 0) & (at < image.shape[1::-1])).all(1)
    shape = 2, len(lines), len(REACH)
    return (alike.ravel() & shown).reshape(shape), shown.reshape(shape)


def alike_round(image: Array, peaks: Peaks, board: Array) -> Array:
    """Which points lie in the wood of a board whose pits are these (numbers of points), and are as large."""
    if not len(board):
        return np.ones(len(peaks.at), bool)
    colours = round_each(image, peaks)
    wood, radius = np.median(colours[board], axis=0), np.median(peaks.radius[board])
    return np.asarray(_alike(colours, wood[None])[:, 0] & _as_large(peaks.radius, radius))


def parted(image: Array, peaks: Peaks) -> Iterator[Peaks]:
    """The points of each wood, of one size, most first."""
    if len(peaks.at) < FEWEST:
        return
    colours = round_each(image, peaks)
    alike = _alike(colours, colours) & _as_large(peaks.radius[:, None], peaks.radius[None])
    free = np.ones(len(peaks.at), bool)
    for _ in range(MOST_WOODS):
        votes = (alike & free) @ peaks.score * free
        members = alike[int(votes.argmax())] & free
        if members.sum() < FEWEST:
            return
        free &= ~members
        yield Peaks(peaks.at[members], peaks.score[members], peaks.radius[members])
