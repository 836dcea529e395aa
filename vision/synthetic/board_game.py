"""One table over a whole game: the same board, seeds and lamps, the counts changing from picture to picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vision.synthetic.board_piles import Library
from vision.synthetic.board_scene import Scene, Seeds, place_seeds

Array = np.ndarray[Any, Any]


def same_table(scene: Scene, library: Library, counts: Array, rng: np.random.Generator, clean: bool = True) -> Scene:
    """The same board under the same light with other counts; the seeds lie anew. `clean` takes hands and glare away.

    Where a pile holds fewer than asked (big seeds roll off a full pit), the scene's `counts` says what lies there.
    """
    seeds, true = place_seeds(rng, library, scene.shape, counts, 0)
    hands, glare = (0, 0.0) if clean else (scene.hands, scene.glare)
    return replace(scene, seeds=seeds, counts=true, hands=hands, glare=glare)


def moved_pits(scene: Scene, library: Library, before: Seeds, counts: Array, rng: np.random.Generator) -> Scene:
    """As `same_table`, but pits whose count did not change keep their seeds just as they lay in `before`."""
    fresh = same_table(scene, library, counts, rng)
    columns = scene.shape.columns
    old = np.bincount(before.pit[before.pit >= 0], minlength=counts.size)[: counts.size]
    kept = {int(i) for i in np.flatnonzero(old == counts.ravel())}
    stay = np.array([int(p) in kept for p in before.pit], bool)
    come = np.array([int(p) not in kept for p in fresh.seeds.pit], bool)
    parts = ("centres", "axes", "turns", "pit")
    seeds = Seeds(*(np.concatenate([getattr(before, n)[stay], getattr(fresh.seeds, n)[come]]) for n in parts))
    true = np.bincount(seeds.pit[seeds.pit >= 0], minlength=counts.size)[: counts.size].reshape(-1, columns)
    return replace(fresh, seeds=seeds, counts=true)
