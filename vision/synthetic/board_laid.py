"""Seeds that lie where a hand left them: apart, side by side, in a ring, to one side of a pit whose floor holds them.

In a smooth bowl seeds roll together (`board_piles.py`). On flat floors, on rough wood, and where they are flat
themselves they stay where they fall. A counter that never saw a ring with nothing in its middle takes it for one more
seed: what is under and between seeds it then guesses instead of looking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from vision.synthetic.board_piles import Bowl, Pile

Array = np.ndarray[Any, Any]
Rng = np.random.Generator
Place = Callable[[Rng], Array]
"""Where the next seed may lie."""

TRIES = 40
"""Places tried for each seed; where none is free on the floor it lies on others, as low as one of these allows."""
STEEPEST = 0.7
"""Slope of the floor on which seeds still stay."""
CLOSE = 0.97
"""Seeds lie no closer than this part of the sum of their half widths: tilted ones touch before their circles."""
HIGHEST = 0.45
"""A seed whose middle would come to lie higher than this above the board is not laid: the pit is full."""


def _anywhere(reach: float) -> Place:
    def place(rng: Rng) -> Array:
        angle, far = rng.uniform(0, 2 * np.pi), reach * np.sqrt(rng.uniform())
        return np.array([far * np.cos(angle), far * np.sin(angle)])

    return place


def _around(middle: Array, wide: float) -> Place:
    return lambda rng: np.asarray(middle + rng.normal(0, wide, 2))


def _beside(centres: list[Array], wide: float, first: Place) -> Place:
    """At the side of one of those that lie there by then."""

    def place(rng: Rng) -> Array:
        if not centres:
            return first(rng)
        angle, gap = rng.uniform(0, 2 * np.pi), 2 * wide * rng.uniform(0.98, 1.15)
        return np.asarray(centres[int(rng.integers(len(centres)))][:2] + gap * np.array([np.cos(angle), np.sin(angle)]))

    return place


def _ring(count: int, wide: float, rng: Rng) -> Place:
    """Round an empty middle, touching or nearly; the rest anywhere on the ring."""
    far = wide / np.sin(np.pi / max(count, 2)) * rng.uniform(1.0, 1.3)
    middle, turn = rng.normal(0, 0.08, 2), rng.uniform(0, 2 * np.pi)
    angles = iter(turn + 2 * np.pi * np.arange(count) / count)

    def place(rng: Rng) -> Array:
        angle = next(angles, rng.uniform(0, 2 * np.pi)) + rng.normal(0, 0.04)
        return np.asarray(middle + far * np.array([np.cos(angle), np.sin(angle)]))

    return place


def _slope(bowl: Bowl, at: Array) -> Array:
    """How the floor rises at a place, to the right and downward."""
    d = 0.02
    x, y = at
    right = bowl.height(np.array([x - d, x + d]), np.array([y, y]))
    down = bowl.height(np.array([x, x]), np.array([y - d, y + d]))
    return np.array([right[1] - right[0], down[1] - down[0]]) / (2 * d)


def _lying(slope: Array, axes: Array, rng: Rng) -> Array:
    """A seed's turn (3, 3): on its flat side, along the floor; a ball lies on any side."""
    if axes[2] > 0.9 * axes[0]:
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        return np.asarray(turn)
    up = np.array([*(-slope + rng.normal(0, 0.06, 2)), 1.0])
    up /= np.linalg.norm(up)
    angle = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    along -= up * (along @ up)
    along /= np.linalg.norm(along)
    return np.stack([along, np.cross(up, along), up], axis=1)


def laid_pile(bowl: Bowl, axes: tuple[float, float, float], spread: float, count: int, rng: Rng) -> Pile:
    """So many seeds of these half axes laid into the pit, or as many as it holds."""
    if not count:
        return Pile(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3, 3)))
    sizes = np.array(axes) * rng.normal(1.0, spread, (count, 1)).clip(0.7, 1.35)
    sizes = -np.sort(-sizes * rng.normal(1.0, spread / 2, (count, 3)).clip(0.85, 1.15), axis=1)
    wide = sizes[:, :2].mean(1)
    usual = float(wide.mean())
    centres: list[Array] = []
    kept: list[Array] = []
    turns: list[Array] = []
    anywhere = _anywhere(max(0.1, 0.95 - usual))
    aside = _around(anywhere(rng), float(rng.uniform(0.1, 0.35)))
    styles = (anywhere, aside, _beside(centres, usual, aside), _ring(count, usual, rng))
    place = styles[int(rng.choice(len(styles), p=(0.3, 0.2, 0.3, 0.2)))]
    for size, half in zip(sizes, wide, strict=True):
        best: tuple[float, Array, Array | None] | None = None
        for n in range(TRIES):
            at = (place if n < TRIES // 2 else anywhere)(rng)
            slope = _slope(bowl, at)
            if float(bowl.radius(at[0], at[1])) > 0.97 - half or float(np.hypot(*slope)) > STEEPEST:
                continue
            low = float(bowl.height(at[0], at[1])) + float(size[2]) * float(np.hypot(1, np.hypot(*slope)))
            rests = _on_others(low, at, size, half, zip(centres, kept, strict=True))
            if best is None or rests < best[0]:
                best = rests, at, slope if rests == low else None
            if rests == low:
                break
        if best is None or best[0] > HIGHEST:
            break
        rests, at, floor = best
        centres.append(np.array([*at, rests]))
        kept.append(size)
        turns.append(_lying(rng.normal(0, 0.35, 2) if floor is None else floor, size, rng))
    return Pile(np.reshape(centres, (-1, 3)), np.reshape(kept, (-1, 3)), np.reshape(turns, (-1, 3, 3)))


def _on_others(low: float, at: Array, size: Array, half: float, others: Iterable[tuple[Array, Array]]) -> float:
    """How high a seed comes to rest here: on the floor at `low`, or on those that lie there."""
    for other, theirs in others:
        reached = CLOSE * (half + float(theirs[:2].mean()))
        gap = float(np.hypot(*(other[:2] - at))) / reached
        if gap < 1:
            low = max(low, float(other[2]) + float(size[2] + theirs[2]) * float(np.sqrt(1 - gap * gap)))
    return low
