"""`python -m tools.carved_grids`: boards of known grids, asked for with a column more and fewer: is a wrong grid sure?

For each seed a board of carved_found, one of carved.py's own makes, and one that the training's renderer draws.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import cv2
import numpy as np

from tools.carved import MAKES, SORTS, CarvedBoard
from tools.carved_found import NEAR, hung_anyhow, laid
from vision.board import finder
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import render
from vision.synthetic.board_scene import random_scene

Array = np.ndarray[Any, Any]

GRIDS = ((2, 6), (4, 8), (2, 7), (2, 6), (4, 7), (3, 6))


def pictures(seed: int, library: Library) -> list[tuple[str, Array, Array]]:
    """Three boards: what made each, its picture, and the middles of its pits."""
    rng, grid, there = np.random.default_rng(seed), GRIDS[seed % len(GRIDS)], laid(seed).board
    make = str(rng.choice(list(MAKES)))
    hung = hung_anyhow(rng, 0.6)
    tilt_deg, light = float(rng.choice([0, 0, 10, 20, 35])), float(rng.choice([1.0, 1.0, 0.6]))
    own = CarvedBoard(make, str(rng.choice(list(SORTS))), grid, seed, tilt_deg, light, hung)
    own.lay(rng.poisson(rng.uniform(0.5, 4), grid))
    scene = random_scene(np.random.default_rng(seed), library, grid, (960, 720), "game", clean=bool(seed % 2))
    drawn = render(scene)
    return [
        ("of any make", there.picture(), there.centres_px),
        (make, own.picture(), own.centres_px),
        ("drawn", drawn.image, drawn.centres),
    ]


def said(image: Array, centres: Array, grid: tuple[int, int] | None) -> str:
    """Sure or not, in its place or not; `none`: no board was found."""
    found = finder.find(image, grid)
    if found is None:
        return "none"
    pitch = np.median(np.linalg.norm(np.diff(centres, axis=1), axis=-1))
    ways = (centres, centres[::-1, ::-1]) if found.grid == centres.shape[:2] else ()
    right = any(np.linalg.norm(found.centres - way, axis=-1).max() < NEAR * pitch for way in ways)
    return f"{'sure' if found.sure else 'not sure'}, {'right' if right else 'WRONG'}"


def main() -> None:
    """A line for each wrong grid that is sure, and the sums."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--seeds", type=int, default=60)
    ap.add_argument("--seed", type=int, default=20000)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    library, sums = Library.load(), {name: Counter[str]() for name in ("own", "more", "fewer", "auto")}
    for seed in range(a.seed, a.seed + a.seeds):
        for make, image, centres in pictures(seed, library):
            rows, columns = centres.shape[:2]
            grids = ((rows, columns), (rows, columns + 1), (rows, columns - 1), None)
            for (name, tally), grid in zip(sums.items(), grids, strict=True):
                how = said(image, centres, grid)
                tally[how] += 1
                if how == "sure, WRONG":
                    print(f"{seed} {make}, {rows}x{columns}, asked for {grid or name}", flush=True)
    for name, tally in sums.items():
        print(name, dict(sorted(tally.items())))


if __name__ == "__main__":
    main()
