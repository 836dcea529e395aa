"""Remembers how each pit looked when its count was known: one that looks the same still holds as many seeds, and one
that does not holds other ones, mostly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import cv2
import numpy as np

from engine.sightings import CountLikelihood
from vision.board.crops import CROP_PX, PX_PER_RADIUS

Array = np.ndarray[Any, Any]

SIDE = CROP_PX // 2
"""Crops are compared at half their size."""
SHIFT = 1
"""How far, in those pixels, a pit may have moved in its crop: a board followed through a knock is off by no more."""
GAIN = (0.5, 2.0)
"""How much darker or brighter a lamp or a cloud may have made it."""
SAME, SAME_PART = 10.0, 0.35
"""What may differ at most in any spot of half a seed's width, in grey levels and as a part of the pit's own spread. In
8 drawn games, nine in ten untouched pits stayed below 2 and 0.1, in pictures full of grain half of them below 10 and
0.3; all but one in a thousand pits that a seed had come to or gone from lay above 20 and 0.8."""
OTHER, OTHER_PART = 20.0, 0.8
"""From this difference on, in both, a pit surely looks otherwise."""
LEAST_SPREAD = 3.0
"""Grey levels: the spread of a pit that shows nothing at all."""
CHANGED = 0.003
"""The part that is left to other counts where a pit looks the same."""
STIRRED = 0.15
"""The part that is left to the known count where it looks otherwise: a hand brushed its seeds, or a shadow fell across
them. In 64 games of tools/carved_live.py 3,120 of 3,171 pits of four to six seeds were told with it, and 3,040 without;
with four pits in ten stirred between two looks as many boards as without it."""
BELIEVED, DOUBTED = 0.01, 0.998
"""A known count that the eye holds for less likely than the first is not upheld: the game may have been followed wrong.
One that it is surer of than the second needs no memory."""


def _inside(side: int) -> Array:
    y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2
    return np.asarray(x * x + y * y < (PX_PER_RADIUS / 2) ** 2)


_PIT = _inside(SIDE - 2 * SHIFT)
_SHIFTS = sorted(product(range(2 * SHIFT + 1), repeat=2), key=lambda at: abs(at[0] - SHIFT) + abs(at[1] - SHIFT))
"""Where the earlier crop is cut to be laid over the later one: unmoved first, which nearly all pits are."""


def _small(crop: Array) -> Array:
    shrunk = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(shrunk, (0, 0), 0.7).astype(np.float32)


def _difference(before: Array, now: Array) -> float:
    """The most that two pictures of a pit, one of them cut to the other's middle, differ in one spot, but for their
    light."""
    x, y = before[_PIT], now[_PIT]
    x_mean, y_mean = x.mean(0), y.mean(0)
    gain = float(((x - x_mean) * (y - y_mean)).sum() / max(1.0, float(((x - x_mean) ** 2).sum())))
    off = np.abs(now - y_mean - np.clip(gain, *GAIN) * (before - x_mean)).max(-1)
    return float((cv2.blur(off, (3, 3)) * _PIT).max())


def looks_the_same(before: Array, now: Array) -> bool | None:
    """Whether a pit looks as it did, but for a little movement and another light; both as `_small` makes them. None:
    that is not clear."""
    inner = now[SHIFT:-SHIFT, SHIFT:-SHIFT]
    spread = max(float(inner[_PIT].std()), LEAST_SPREAD)
    side, least = SIDE - 2 * SHIFT, math.inf
    for dy, dx in _SHIFTS:
        least = min(least, _difference(before[dy : dy + side, dx : dx + side], inner))
        if least <= min(SAME, SAME_PART * spread):
            return True
    return False if least > max(OTHER, OTHER_PART * spread) else None


@dataclass(frozen=True)
class Memory:
    """Pits as they looked with a known count."""

    looks: tuple[Array, ...]
    counts: tuple[int | None, ...]
    """None: it could not be counted then, and what it looked like says nothing."""

    @classmethod
    def of(cls, crops: Array, counts: Sequence[int | None]) -> Memory:
        """Of one picture, pit by pit."""
        return cls(tuple(_small(crop) for crop in crops), tuple(counts))

    def recall(self, crops: Array, pits: Sequence[CountLikelihood | None]) -> list[CountLikelihood | None]:
        """What was counted, with what is remembered of the pits that look as they did, or surely otherwise."""
        told: list[CountLikelihood | None] = []
        for look, known, crop, pit in zip(self.looks, self.counts, crops, pits, strict=True):
            same = None
            if pit is not None and known is not None and BELIEVED <= pit.get(known, 0.0) < DOUBTED:
                same = looks_the_same(look, _small(crop))
            if pit is None or same is None:
                told.append(pit)
                continue
            left = CHANGED if same else STIRRED
            weighed = {count: p if (count == known) == same else p * left for count, p in pit.items()}
            total = sum(weighed.values())
            told.append({count: p / total for count, p in weighed.items()})
        return told
