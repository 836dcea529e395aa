"""Draws the pictures that the board's two networks learn from, and cuts them up.

A shard is a folder of .npy files: of whole boards, small, for the finder; of pits cut out of small boards, many looks
for the time it takes, for the counter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.board.crops import cut
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import EXPOSED_GLARE, EXPOSED_HANDS, BoardPicture, exposures, render
from vision.synthetic.board_scene import (
    LAID,
    TILTS_DEG,
    Scene,
    closest_camera,
    random_counts,
    random_lights,
    random_scene,
)
from vision.training import board_hard

Array = np.ndarray[Any, Any]

STORED_PX = 96
"""Side of a stored crop: CROP_PX and room to shift, turn and zoom it."""
MOST = 32
"""Seeds whose place is kept for one pit."""
SMALL = (480, 360)
"""Stored size of whole pictures."""
GRIDS = (
    *((2, 6),) * 6,
    *((2, columns) for columns in (4, 5, 7, 7, 8, 9, 10)),
    *((3, columns) for columns in (5, 6, 6, 8)),
    *((4, columns) for columns in (4, 6, 7, 9, 10)),
    (5, 5),
)
"""Boards other than ours, so that nothing is wired to 4x8."""
OURS, VARIED = 0.45, 0.65
"""Part of the whole boards that have our grid, and part of all that are as people build them (`varied_shape`)."""
CHECK_SIZES = ((800, 600), (800, 600), (960, 720), (1280, 960))
SIZES = ((640, 480), (640, 480), (800, 600), (960, 720), (1280, 960))
PIT_GRIDS = (((2, 3), 300), ((3, 3), 380), ((2, 4), 400), ((3, 4), 440), ((2, 5), 480), ((2, 6), 560))
"""Small boards to cut pits from, and the width of their pictures: a pit is as large in them as in a picture of a whole
board. Each lamp, wood and sort of seeds shows in a dozen pits instead of thirty."""
FINER = (1.1, 2.2)
"""Pictures for pits are that much finer: each pixel of a crop is mixed of several, so that no edge is jagged."""
EXPOSURES, MOST_LAMPS = 3, 3
"""Pictures taken of each small board, and the lamps there are to light it by."""
TALL = (0.75, 1.2)
"""How much deeper or flatter than settled: each kind of pit and seed stands for many."""
FEW_VARIED = 0.25
"""Part of the small boards that are varied where the counter of four rows learns; in the other's lessons VARIED are."""
SOWN, MOST_SOWN = (1.0, 6.0), 9
"""How many seeds lie in a pit on average where all have some, and the most in one: a game on two rows begins with three
to six in each, and few pits are empty for long."""
TRACED_VARIED = 0.5
"""Part of the boards of four rows through which light is followed that are varied; of the others all are."""
TRACED_FINER, TRACED_EXPOSURES = (0.45, 1.0), 2
"""Width of such pictures, in parts of the widths above, and how many are taken of each board: both cost time, and the
board fills them; small ones are what a webcam sees."""
PILES = 0.55
"""Part of the small boards whose pits are as often full as not; in the others lies a game, mostly small counts."""


OFF, FAR_OFF = (0.012, 0.03), 0.3
"""How far the finder is off on drawn boards and on real ones, in pitches, and part of the boards that count as real."""


@dataclass(frozen=True)
class Job:
    """Pictures to draw: from which piles (the first for whole boards), which seed, how many, where to."""

    piles: tuple[Path, ...]
    seed: int
    pictures: int
    out: Path


def pit_crops(picture: BoardPicture, rng: np.random.Generator) -> tuple[Array, Array]:
    """A crop of each pit, larger than the counter's, and where in it the pit's seeds are that can be seen."""
    # The finder is not exact, so neither are the centres the counter learns from.
    pitch = float(np.hypot(*(picture.centres[0, 1] - picture.centres[0, 0])))
    off = pitch * (OFF[1] if rng.random() < FAR_OFF else OFF[0])
    centres = picture.centres + rng.normal(0, off, (1, 1, 2)) + rng.normal(0, off, picture.centres.shape)
    crops, matrices = cut(picture.image, centres, picture.radius_px, STORED_PX)
    places = np.full((len(crops), MOST, 2), np.nan, np.float32)
    for i, m in enumerate(matrices):
        mine = (picture.seeds_pit == i) & (picture.seeds_seen > 0.2)
        p = (picture.seeds_px[mine] @ m[:, :2].T + m[:, 2])[:MOST]
        places[i, : len(p)] = p
    return crops, places


def _save(out: Path, parts: dict[str, Array]) -> None:
    """Writes a shard; a folder that has its place is complete."""
    unfinished = out.with_name(out.name + ".part")
    unfinished.mkdir(parents=True, exist_ok=True)
    for name, data in parts.items():
        np.save(unfinished / f"{name}.npy", data)
    unfinished.rename(out)


def _draw_boards(job: Job) -> None:
    cv2.setNumThreads(1)
    library = Library.load(job.piles[0])
    rng = np.random.default_rng(job.seed)
    small, pits, strays = [], [], []
    for _ in range(job.pictures):
        grid = (4, 8) if rng.random() < OURS else GRIDS[rng.integers(len(GRIDS))]
        size = SIZES[rng.integers(len(SIZES))]
        picture = render(random_scene(rng, library, grid, size, varied=bool(rng.random() < VARIED)))
        scale = SMALL[0] / size[0]
        small.append(cv2.resize(picture.image, SMALL, interpolation=cv2.INTER_AREA))
        row = np.full((48, 4), np.nan, np.float32)  # x, y, radius, covered
        flat = np.column_stack([picture.centres.reshape(-1, 2), picture.radius_px.ravel()]) * scale
        row[: len(flat)] = np.column_stack([flat, picture.covered.ravel()])
        pits.append(row)
        stray = np.full((24, 2), np.nan, np.float32)
        stray[: min(24, len(picture.outside_px))] = picture.outside_px[:24] * scale
        strays.append(stray)
    _save(job.out, {"small": np.stack(small), "pits": np.stack(pits), "strays": np.stack(strays)})


def _sown(rng: np.random.Generator, grid: tuple[int, int]) -> Array:
    """Some seeds in nearly each pit."""
    return np.minimum(rng.poisson(rng.uniform(*SOWN), grid), MOST_SOWN)


def _few_pits(
    rng: np.random.Generator, library: Library, finer: tuple[float, float]
) -> tuple[Library, tuple[int, int], Array, tuple[int, int]]:
    """What a small board is drawn from, its grid, how many seeds each pit is to hold, and how large its picture is. Out
    of short piles all pits have some seeds."""
    few = library.piles.shape[2] <= MOST_SOWN
    library = library.stretched(float(rng.uniform(*TALL)))
    grid, width = PIT_GRIDS[rng.integers(len(PIT_GRIDS))]
    width = round(width * rng.uniform(*finer))
    wanted = _sown(rng, grid) if few else random_counts(rng, grid, "piles" if rng.random() < PILES else "game")
    return library, grid, wanted, (width, round(width * 0.8))


def _small_board(rng: np.random.Generator, library: Library, share: float) -> list[BoardPicture]:
    """A few pits, in several lights; this part of them as people build them."""
    library, grid, wanted, size = _few_pits(rng, library, FINER)
    squares = int(rng.choice([0, 0, 1, 2]))
    varied = bool(rng.random() < share)
    if varied:
        squares = 0
    scene = random_scene(rng, library, grid, size, counts=wanted, squares=squares, varied=varied, laid_share=LAID)
    lights = (*scene.lights, *random_lights(rng)[0])[:MOST_LAMPS]
    return exposures(replace(scene, lights=lights), rng, EXPOSURES)


def _traced_board(rng: np.random.Generator, library: Library, share: float) -> list[BoardPicture]:
    """A few pits of a board that fills the picture, the light followed through them; this part of them as people build
    them."""
    library, grid, wanted, size = _few_pits(rng, library, TRACED_FINER)
    varied = bool(rng.random() < share)
    scene = random_scene(rng, library, grid, size, counts=wanted, varied=varied, laid_share=LAID)
    return _traced(scene, rng, size, TILTS_DEG)


def _hard_board(rng: np.random.Generator, library: Library) -> list[BoardPicture]:
    """A few pits of such as are counted wrong most often, in several lights each."""
    library, grid, _, size = _few_pits(rng, library, FINER)
    scene = board_hard.hard_scene(rng, library, grid, size)
    lights = (*scene.lights, *random_lights(rng)[0])[:MOST_LAMPS]
    return exposures(replace(scene, lights=lights), rng, EXPOSURES)


def _hard_traced(rng: np.random.Generator, library: Library) -> list[BoardPicture]:
    """The same, the light followed through them."""
    library, grid, _, size = _few_pits(rng, library, TRACED_FINER)
    return _traced(board_hard.hard_scene(rng, library, grid, size), rng, size, board_hard.TILTS_DEG)


def _traced(
    scene: Scene, rng: np.random.Generator, size: tuple[int, int], tilts_deg: tuple[float, ...]
) -> list[BoardPicture]:
    """The light followed through a board that fills the picture."""
    from vision.training import board_traced  # Mitsuba: only what learns needs it.

    scene = replace(
        scene,
        camera=closest_camera(rng, scene.shape, size, float(rng.choice(tilts_deg))),
        hands=int(rng.random() < EXPOSED_HANDS),
        glare=float(rng.uniform(0.5, 1.5)) if rng.random() < EXPOSED_GLARE else 0.0,
    )
    return board_traced.exposures(scene, rng, TRACED_EXPOSURES)


def _whole_board(rng: np.random.Generator, library: Library, varied: bool) -> list[BoardPicture]:
    """A board as it is played on, bao's or one of two rows: what a counter is checked and calibrated on."""
    size = CHECK_SIZES[rng.integers(len(CHECK_SIZES))]
    return [render(random_scene(rng, library, (2, 6) if varied else (4, 8), size, varied=varied))]


def _draw_pits(job: Job, shown: Callable[[np.random.Generator, Library], list[BoardPicture]]) -> None:
    cv2.setNumThreads(1)
    libraries = [Library.load(path) for path in job.piles]
    rng = np.random.default_rng(job.seed)
    crops, counts, covered, places = [], [], [], []
    for _ in range(job.pictures):
        for picture in shown(rng, libraries[rng.integers(len(libraries))]):
            cut_out, at = pit_crops(picture, rng)
            crops.append(cut_out)
            places.append(at)
            counts.append(picture.counts.ravel())
            covered.append(picture.covered.ravel())
    _save(
        job.out,
        {
            "crops": np.concatenate(crops),
            "counts": np.concatenate(counts).astype(np.int16),
            "covered": np.concatenate(covered).astype(np.float32),
            "places": np.concatenate(places),
            "boards": np.array(job.pictures),
        },
    )


def _draw(
    work: Callable[[Job], None],
    piles: tuple[Path, ...],
    out: Path,
    seed: int,
    pictures: int,
    jobs: int,
    per_shard: int,
) -> None:
    starts = range(0, pictures, per_shard)
    todo = [Job(piles, seed + i, min(per_shard, pictures - s), out / f"{seed + i}") for i, s in enumerate(starts)]
    todo = [j for j in todo if not j.out.exists()]
    with Pool(jobs) as pool:
        for _ in pool.imap(work, todo):
            pass


def draw_boards(piles: Path, out: Path, seed: int, pictures: int, jobs: int) -> None:
    """Draws shards of whole boards; those already there stay. The same seed draws the same."""
    _draw(_draw_boards, (piles,), out, seed, pictures, jobs, 50)


def draw_pits(piles: tuple[Path, ...], out: Path, seed: int, pictures: int, jobs: int, varied: float) -> None:
    """Draws shards of pits from this many small boards, in several lights each; this part of them as people build
    them. Each board's seeds lie as in any one of these libraries."""
    work = partial(_draw_pits, shown=partial(_small_board, share=varied))
    _draw(work, piles, out, seed, pictures, jobs, 50)


def draw_traced(piles: tuple[Path, ...], out: Path, seed: int, pictures: int, jobs: int, varied: float) -> None:
    """Draws shards of pits from this many small boards through which light is followed; this part of them as people
    build them."""
    _draw(partial(_draw_pits, shown=partial(_traced_board, share=varied)), piles, out, seed, pictures, jobs, 5)


def draw_hard(piles: Path, out: Path, seed: int, pictures: int, jobs: int) -> None:
    """Draws shards of pits from this many small boards of such as are counted wrong most often."""
    _draw(partial(_draw_pits, shown=_hard_board), (piles,), out, seed, pictures, jobs, 50)


def draw_hard_traced(piles: Path, out: Path, seed: int, pictures: int, jobs: int) -> None:
    """The same, the light followed through them."""
    _draw(partial(_draw_pits, shown=_hard_traced), (piles,), out, seed, pictures, jobs, 5)


def draw_checks(piles: Path, out: Path, seed: int, pictures: int, jobs: int, varied: bool) -> None:
    """Draws shards of pits from whole boards."""
    work = partial(_draw_pits, shown=partial(_whole_board, varied=varied))
    _draw(work, (piles,), out, seed, pictures, jobs, 30)


def shards(folder: Path) -> list[Path]:
    """The shards that are complete, in order."""
    return sorted(p for p in folder.iterdir() if not p.name.endswith(".part"))


def load(folder: Path, names: tuple[str, ...]) -> list[Array]:
    """All shards of a folder, joined."""
    there = shards(folder)
    return [np.concatenate([np.load(s / f"{n}.npy") for s in there]) for n in names]
