"""Draws the pictures that the board's two networks learn from, and cuts them up.

A shard is a folder of .npy files: pit crops with their truth, and whole pictures, small, with theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.board.crops import cut
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import BoardPicture, render
from vision.synthetic.board_scene import random_scene

Array = np.ndarray[Any, Any]

STORED_PX = 84
"""Side of a stored crop: CROP_PX and room to shift, turn and zoom it."""
MOST = 32
"""Seeds whose place is kept for one pit."""
SMALL = (480, 360)
"""Stored size of whole pictures."""
GRIDS = ((2, 6), (2, 7), (3, 5), (4, 4), (2, 5), (3, 8), (4, 7), (2, 8), (4, 6), (5, 5), (2, 4))
"""Boards other than ours, so that nothing is wired to 4x8."""
SIZES = ((800, 600), (800, 600), (960, 720), (1280, 960))


@dataclass(frozen=True)
class Job:
    """Pictures to draw: from which piles, which seed, how many, where to."""

    piles: Path
    seed: int
    pictures: int
    out: Path


def pit_crops(picture: BoardPicture, rng: np.random.Generator) -> tuple[Array, Array]:
    """A crop of each pit, larger than the counter's, and where in it the pit's seeds are that can be seen."""
    # The finder is not exact, so neither are the centres the counter learns from.
    pitch = float(np.hypot(*(picture.centres[0, 1] - picture.centres[0, 0])))
    centres = (
        picture.centres + rng.normal(0, 0.012 * pitch, (1, 1, 2)) + rng.normal(0, 0.012 * pitch, picture.centres.shape)
    )
    crops, matrices = cut(picture.image, centres, STORED_PX)
    places = np.full((len(crops), MOST, 2), np.nan, np.float32)
    for i, m in enumerate(matrices):
        mine = (picture.seeds_pit == i) & (picture.seeds_seen > 0.2)
        p = (picture.seeds_px[mine] @ m[:, :2].T + m[:, 2])[:MOST]
        places[i, : len(p)] = p
    return crops, places


def _draw(job: Job) -> None:
    cv2.setNumThreads(1)
    library = Library.load(job.piles)
    rng = np.random.default_rng(job.seed)
    crops, counts, covered, places, small, pits, strays = [], [], [], [], [], [], []
    for _ in range(job.pictures):
        grid = (4, 8) if rng.random() < 0.8 else GRIDS[rng.integers(len(GRIDS))]
        size = SIZES[rng.integers(len(SIZES))]
        picture = render(random_scene(rng, library, grid, size))
        cut_out, at = pit_crops(picture, rng)
        crops.append(cut_out)
        places.append(at)
        counts.append(picture.counts.ravel())
        covered.append(picture.covered.ravel())
        scale = SMALL[0] / size[0]
        small.append(cv2.resize(picture.image, SMALL, interpolation=cv2.INTER_AREA))
        row = np.full((48, 4), np.nan, np.float32)  # x, y, radius, covered
        flat = np.column_stack([picture.centres.reshape(-1, 2), picture.radius_px.ravel()]) * scale
        row[: len(flat)] = np.column_stack([flat, picture.covered.ravel()])
        pits.append(row)
        stray = np.full((24, 2), np.nan, np.float32)
        stray[: min(24, len(picture.outside_px))] = picture.outside_px[:24] * scale
        strays.append(stray)
    job.out.mkdir(parents=True, exist_ok=True)
    for name, data in (
        ("crops", np.concatenate(crops)),
        ("counts", np.concatenate(counts).astype(np.int16)),
        ("covered", np.concatenate(covered).astype(np.float32)),
        ("places", np.concatenate(places)),
        ("small", np.stack(small)),
        ("pits", np.stack(pits)),
        ("strays", np.stack(strays)),
    ):
        np.save(job.out / f"{name}.npy", data)


def draw(piles: Path, out: Path, seed: int, pictures: int, jobs: int, per_shard: int = 50) -> None:
    """Draws shards of pictures; those already there stay. The same seed draws the same."""
    todo = [Job(piles, seed + i, per_shard, out / f"{seed + i}") for i in range(-(-pictures // per_shard))]
    todo = [j for j in todo if not (j.out / "strays.npy").exists()]
    with Pool(jobs) as pool:
        for _ in pool.imap_unordered(_draw, todo):
            pass


def shards(folder: Path) -> list[Path]:
    """The shards that are complete, in order."""
    return sorted(p for p in folder.iterdir() if (p / "strays.npy").exists())


def load(folder: Path, names: tuple[str, ...]) -> list[Array]:
    """All shards of a folder, joined."""
    there = shards(folder)
    return [np.concatenate([np.load(s / f"{n}.npy") for s in there]) for n in names]
