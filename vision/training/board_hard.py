"""Boards that are counted wrong most often: small pale balls, shells, pebbles, beans, glass; four to ten in a pit, seen
from the side, in little or in hard light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vision.synthetic.board_piles import Library, PileKind
from vision.synthetic.board_scene import Scene, SeedLook, random_scene

Array = np.ndarray[Any, Any]
Range = tuple[float, float]

MOST = 13
"""Seeds that lie in one pit at most."""
KINDS, RUNS = 60, 3
"""Kinds of pit and seed that are settled so high, and how often each."""
FULLNESS = (0.05, 0.03, 0.04, 0.06, 0.12, 0.13, 0.14, 0.12, 0.1, 0.08, 0.06, 0.04, 0.02, 0.01)
"""How often a pit is to hold none, one, two and so on."""
TILTS_DEG = (16.0, 30.0, 45.0, 45.0)
"""How far the camera may lean."""
HARD_LIGHT, LITTLE_ELSE = 0.4, (0.15, 0.6)
"""Part of the boards that hardly anything but the lamps lights, and how much of the rest is left then."""


@dataclass(frozen=True)
class Sort:
    """Seeds that are alike: half their width and height for half their length, that in pit radii, how much they differ;
    colours (blue, green, red; from, to: any between, paler or darker together), gloss and skin."""

    middle: Range
    short: Range
    long: Range
    spread: Range
    colours: tuple[tuple[Array, Array], ...]
    gloss: Range
    pattern: str
    pattern_depth: Range = (0.2, 1.0)
    glass: Range = (0.0, 0.0)

    def kind(self, rng: np.random.Generator) -> PileKind:
        """Some of them."""
        long = rng.uniform(*self.long)
        middle = rng.uniform(*self.middle)
        short = min(rng.uniform(*self.short), middle)
        axes = float(long), float(long * middle), float(long * short)
        return PileKind(0.5, 2.0, axes, float(rng.uniform(*self.spread)))

    def look(self, rng: np.random.Generator) -> SeedLook:
        """How some of them look: of one to four tones."""
        tones = []
        for _ in range(rng.integers(1, 5)):
            low, high = self.colours[rng.integers(len(self.colours))]
            tones.append(low + (high - low) * rng.uniform() + rng.normal(0, 0.02, 3))
        table = np.array(tones).clip(0.03, 0.97).astype(np.float32)
        gloss, sharp = float(rng.uniform(*self.gloss)), float(rng.uniform(12, 120))
        depth, glass = float(rng.uniform(*self.pattern_depth)), float(rng.uniform(*self.glass))
        return SeedLook(table, gloss, sharp, self.pattern, depth, glass)

    def fits(self, kind: PileKind) -> bool:
        """Whether settled seeds may be such."""
        long, middle, short = kind.axes
        near = 0.08
        return all(
            low - near <= part <= high + near
            for part, (low, high) in ((middle / long, self.middle), (short / long, self.short), (long, self.long))
        )


def _tones(*pairs: tuple[tuple[float, float, float], tuple[float, float, float]]) -> tuple[tuple[Array, Array], ...]:
    return tuple((np.array(low), np.array(high)) for low, high in pairs)


PALE = _tones(((0.4, 0.5, 0.55), (0.8, 0.9, 0.95)), ((0.35, 0.55, 0.65), (0.7, 0.85, 0.95)))
STONE = _tones(((0.2, 0.2, 0.2), (0.75, 0.75, 0.75)), ((0.15, 0.22, 0.3), (0.5, 0.6, 0.7)))
BOTTLE = _tones(
    ((0.25, 0.05, 0.03), (0.8, 0.4, 0.2)), ((0.05, 0.2, 0.05), (0.3, 0.65, 0.35)), ((0.05, 0.03, 0.2), (0.3, 0.3, 0.8))
)
SORTS: tuple[Sort, ...] = (
    # Chickpeas, beads, nickernuts.
    Sort((0.9, 1.0), (0.85, 1.0), (0.17, 0.3), (0.02, 0.1), PALE, (0.05, 0.8), "plain"),
    Sort((0.9, 1.0), (0.8, 1.0), (0.2, 0.32), (0.03, 0.1), STONE, (0.2, 0.9), "rings"),
    # Cowries.
    Sort((0.6, 0.78), (0.4, 0.65), (0.24, 0.42), (0.05, 0.14), PALE, (0.2, 1.1), "slit", (0.5, 1.0)),
    # Pebbles.
    Sort((0.7, 0.95), (0.5, 0.8), (0.22, 0.38), (0.1, 0.22), STONE, (0.0, 0.3), "speckles"),
    # Beans.
    Sort(
        (0.55, 0.75),
        (0.45, 0.62),
        (0.24, 0.4),
        (0.05, 0.14),
        _tones(((0.05, 0.05, 0.2), (0.25, 0.3, 0.6)), ((0.1, 0.2, 0.3), (0.4, 0.6, 0.75))),
        (0.2, 0.9),
        "plain",
    ),
    # Glass drops, and marbles of coloured glass.
    Sort(
        (0.92, 1.0),
        (0.5, 1.0),
        (0.22, 0.36),
        (0.02, 0.08),
        BOTTLE,
        (0.9, 1.6),
        "plain",
        (0.2, 1.0),
        (0.2, 0.9),
    ),
)  # fmt: skip


def counts(rng: np.random.Generator, grid: tuple[int, int]) -> Array:
    """How many seeds each pit is to hold."""
    return np.asarray(rng.choice(len(FULLNESS), size=grid, p=FULLNESS))


def settled_so(library: Library, fits: Callable[[PileKind], bool]) -> Library:
    """The piles of fitting seeds alone; all where none fit."""
    kept = [k for k, kind in enumerate(library.kinds) if fits(kind)]
    return replace(library, kinds=tuple(library.kinds[k] for k in kept), piles=library.piles[kept]) if kept else library


def hard_scene(rng: np.random.Generator, library: Library, grid: tuple[int, int], size: tuple[int, int]) -> Scene:
    """A board of two or more rows, as people build them, with one of these sorts."""
    sort = SORTS[rng.integers(len(SORTS))]
    scene = random_scene(
        rng,
        settled_so(library, sort.fits),
        grid,
        size,
        counts=counts(rng, grid),
        varied=True,
        tilts_deg=TILTS_DEG,
        usual=(sort.kind, sort.look),
    )
    if rng.random() < HARD_LIGHT:
        left = float(rng.uniform(*LITTLE_ELSE))
        b, g, r = (part * left for part in scene.ambient)
        scene = replace(scene, ambient=(b, g, r))
    return scene
