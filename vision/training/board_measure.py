"""`python -m vision.training.board_measure`: figures for finding and counting on drawn boards never trained on.

Other piles, other kinds of seeds, other boards than in training. Needs no training extra.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections import Counter, defaultdict
from typing import Any

import cv2
import numpy as np

from engine.referee.whole import with_the_others
from engine.sightings import CountLikelihood, best_count
from vision.board import counter
from vision.board.grid import FoundBoard
from vision.board.reader import BoardReader
from vision.board.spaced import GRIDS
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import BoardPicture, render
from vision.synthetic.board_scene import random_scene

HIDES, SHOWS = 0.12, 0.03
"""Covered by more than the first a pit cannot be counted, by less than the second it must be: in training too."""
PLAIN = 0.999
"""What a plain number claims: near certainty. The baseline that distributions are measured against."""


CLAIMS = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.01)
"""Bounds of the likelihoods by which full pits are told apart."""
MOST_OF_IT = 0.9


def likeliest(pit: CountLikelihood) -> tuple[float, set[int]]:
    """The fewest counts that make up most of the likelihood, and how much that is."""
    among: set[int] = set()
    mass = 0.0
    for count in sorted(pit, key=lambda n: -pit[n]):
        among.add(count)
        mass += pit[count]
        if mass >= MOST_OF_IT:
            break
    return mass, among


class BoardTally:
    """Adds up what was read against what is true."""

    def __init__(self) -> None:
        self.n: Counter[str] = Counter()
        self.sums: dict[str, float] = defaultdict(float)
        self.claims: list[tuple[float, bool, float, bool]] = []
        """Of each pit that is told to hold seven to ten: the likelihood of that count, whether it is right, the
        likelihood of the fewest counts that take in most of it, and whether the truth is among them. Pits that hold as
        many and are told otherwise are not here: chosen by the truth, every reader would look too sure."""
        self.ms: list[float] = []
        self.off: list[float] = []

    def another_grid(self, found: FoundBoard) -> None:
        """It was taken for a board of another grid."""
        self.n["another grid"] += 1
        self.n["another grid, sure"] += found.sure

    def not_found(self, counts: np.ndarray[Any, Any]) -> None:
        """None of its pits were counted."""
        for n in counts.ravel():
            self.n["<=6" if n <= 6 else "7-10" if n <= 10 else ">10"] += 1

    def pit(self, pit: CountLikelihood | None, true: int, covered: float) -> None:
        """One pit."""
        if covered > HIDES:
            self.n["hidden"] += 1
            self.sums["hidden said so"] += pit is None
            return
        if covered > SHOWS:
            return
        band = "<=6" if true <= 6 else "7-10" if true <= 10 else ">10"
        self.n[band] += 1
        self.n["shown"] += 1
        if pit is None:
            self.sums["shown called hidden"] += 1
            return
        best = best_count(pit)
        self.sums[f"exact {band}"] += best == true
        self.sums[f"within 1 {band}"] += abs(best - true) <= 1
        p = max(pit.get(true, 0.0), 1e-4)
        self.sums["likelihood of the truth"] += p
        self.sums["log loss"] += -np.log(p)
        self.sums["log loss, plain number"] += -np.log(PLAIN if best == true else (1 - PLAIN) / 31)
        self.sums["exact"] += best == true
        self.sums["claimed"] += pit[best]
        if 7 <= best <= 10:
            mass, among = likeliest(pit)
            self.claims.append((pit[best], best == true, mass, true in among))

    def _by_claim(self) -> dict[str, list[float]]:
        """How likely the count that was told was said to be, and how often it was right: pits, claimed, right."""
        rows = {}
        for low, high in itertools.pairwise(CLAIMS):
            here = [(p, right) for p, right, _, _ in self.claims if low <= p < high]
            if here:
                mean = np.array(here).mean(0)
                rows[f"{low:g}-{min(high, 1):g}"] = [len(here), round(float(mean[0]), 3), round(float(mean[1]), 3)]
        return rows

    def report(self) -> dict[str, Any]:
        """All figures."""
        out: dict[str, Any] = {"boards": self.n["boards"], "found": self.n["found"], "found and sure": self.n["sure"]}
        out |= {name: self.n[name] for name in ("another grid", "another grid, sure") if self.n[name]}
        for band in ("<=6", "7-10", ">10"):
            if self.n[band]:
                out[f"exact {band}"] = f"{self.sums[f'exact {band}']}/{self.n[band]}"
                out[f"within 1 {band}"] = f"{self.sums[f'within 1 {band}']}/{self.n[band]}"
        read = max(1, self.n["shown"] - self.sums["shown called hidden"])
        for name in ("exact", "claimed", "likelihood of the truth", "log loss", "log loss, plain number"):
            out[f"mean {name}"] = round(self.sums[name] / read, 4)
        out["hidden said so"] = f"{self.sums['hidden said so']}/{self.n['hidden']}"
        out["shown called hidden"] = f"{self.sums['shown called hidden']}/{self.n['shown']}"
        if self.claims:
            all_told = np.array([(p, right) for p, right, _, _ in self.claims])
            out["7-10 told: claimed, right"] = [round(float(x), 3) for x in all_told.mean(0)]
            out["7-10 told: by, claimed, right"] = self._by_claim()
            covered = np.array([(mass, inside) for _, _, mass, inside in self.claims])
            out[f"7-10 told: truth among the likeliest that make {MOST_OF_IT}, claimed, so"] = [
                round(float(x), 3) for x in covered.mean(0)
            ]
        if self.off:
            out["pit off by (pitches), median"] = round(float(np.median(self.off)), 4)
            out["pit off by (pitches), worst board"] = round(float(np.max(self.off)), 4)
        if self.ms:
            out["median ms"] = round(float(np.median(self.ms)), 1)
        return out


def aligned(picture: BoardPicture, found: FoundBoard) -> tuple[Any, Any, float]:
    """True counts and covered parts turned as the board was found, and how far the worst pit is off, in pitches."""
    ways = [(picture.centres, picture.counts, picture.covered)]
    for turns in (1, 2, 3):
        ways.append(tuple(np.rot90(a, turns) for a in ways[0]))  # type: ignore[arg-type]
    best = None
    for centres, counts, covered in ways:
        if centres.shape != found.centres.shape:
            continue
        off = float(np.hypot(*(centres - found.centres).reshape(-1, 2).T).max() / found.pitch_px)
        if best is None or off < best[2]:
            best = counts, covered, off
    assert best is not None
    return best


def measure(
    pictures: int,
    seed: int,
    mode: str = "any",
    grid: tuple[int, int] = (4, 8),
    given: bool = False,
    learn: bool = False,
    clean: bool = False,
    size: tuple[int, int] = (1280, 960),
    whole: bool = False,
    varied: bool = False,
    auto: bool = False,
) -> dict[str, Any]:
    """Draws boards and reads them. `learn` shows the same table's start position first; `whole` weighs each pit with
    the others, as `hisabu seeds` does. `varied`: boards as people build them; `auto`: of any grid, which is not said.
    """
    library = Library.load()
    tally = BoardTally()
    for i in range(pictures):
        rng = np.random.default_rng([seed, i])
        if auto:
            grid = GRIDS[int(rng.integers(len(GRIDS)))]
        scene = random_scene(rng, library, grid, size, mode, clean=clean, varied=varied)
        picture = render(scene)
        reader = BoardReader()
        if learn:
            from vision.synthetic.board_game import same_table

            first = render(same_table(scene, library, np.full(grid, 2), rng))
            reader.learn(first.image, first.counts.tolist())
        tally.n["boards"] += 1
        begun = time.perf_counter()
        asked = None if auto else grid
        found = reader.find(picture.image, asked, [tuple(p) for p in picture.corners] if given else None)
        if found is not None and found.grid not in (grid, grid[::-1]):
            tally.another_grid(found)
            found = None
        if found is not None:
            sighting = reader.count(picture.image, found)
            if whole:
                sighting = with_the_others(sighting)
        tally.ms.append((time.perf_counter() - begun) * 1000)
        if found is None:
            tally.not_found(picture.counts)
            continue
        tally.n["found"] += 1
        tally.n["sure"] += found.sure
        counts, covered, off = aligned(picture, found)
        tally.off.append(off)
        for r, c in np.ndindex(*found.grid):
            tally.pit(sighting.pits[r][c], int(counts[r, c]), float(covered[r, c]))
    return tally.report()


def main() -> None:
    """Prints the figures as JSON."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--pictures", type=int, default=60)
    ap.add_argument("--seed", type=int, default=4242)
    ap.add_argument("--mode", default="any", choices=["any", "start", "opening", "game", "piles"])
    ap.add_argument("--grid", default="4x8", help="or auto: any, and not told to the reader")
    ap.add_argument("--varied", action="store_true", help="boards as people build them, with what they play with")
    ap.add_argument("--given-corners", action="store_true")
    ap.add_argument("--learn", action="store_true")
    ap.add_argument("--clean", action="store_true")
    ap.add_argument("--whole", action="store_true", help="each pit in the light of the others, as `hisabu seeds` tells")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    auto = a.grid == "auto"
    rows, columns = (4, 8) if auto else (int(x) for x in a.grid.split("x"))
    counter.settings()
    kinds = {"whole": a.whole, "varied": a.varied, "auto": auto}
    print(json.dumps(measure(a.pictures, a.seed, a.mode, (rows, columns), a.given_corners, a.learn, a.clean, **kinds)))


if __name__ == "__main__":
    main()
