"""Seeds that lie as real seeds lie: ellipsoids dropped one by one into a bowl and settled by physics.

Making piles needs MuJoCo (the `train` extra); drawing from a library of settled ones needs NumPy only. Lengths are in
pit radii, the board's top is z = 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LIBRARY = Path(__file__).with_name("board_piles.npz")
"""A few kinds of seeds, settled: what the demo, the tests and the measurements draw from. Never trained on."""

MOST_SEEDS = 28
"""Seeds dropped into one pit, at most: three more than the fullest pit seen in random play."""
REACH = 1.7
"""Half the side of the square simulated around a pit, in pit radii: seeds further off have left the picture."""
ROLLED = 1.25
"""A seed that rolled further than this from the pit's middle is left out: the next pit begins there."""
CELLS = 35
"""Height samples along that side: a tenth of a radius each, enough for a smooth bowl, quick to collide with."""
STEP_S = 0.004
"""Physics step, in seconds: the longest at which settled seeds do not creep."""
DROP_STEPS = 200
"""Steps between one seed and the next: by then the last one has come to rest (mean speed under a hundredth)."""

LARGE, LONGEST = (0.26, 0.45), 0.5
"""Mean half axis of the larger seeds, and the longest of any: four marbles of a shop's set fill the floor of a pit."""
MARBLE = (0.22, 0.38)
"""Half a marble's width: one of 16 mm in a pit of 45 to 70 mm."""
SPILLS = 4
"""Once so many seeds in a row have found no room in a pit, it is full: no more are dropped."""

LATER = 4
"""A pile is looked at this many drops later at most, less what was dropped since, until no seed hangs. Right after its
drop every third fourth seed still stood on top of another; one drop later one in twelve, two drops later hardly any."""

SQUARE_REACH = 0.95
"""From the middle of a square pit to its side, in the radii of a round one that stands in its place."""


@dataclass(frozen=True)
class Bowl:
    """A pit's shape: how deep, how flat its floor (2 is a bowl, 5 nearly flat), round (0) or square (1); how many times
    longer than wide with ends as round as a pit (1: neither)."""

    depth: float
    flatness: float
    square: bool = False
    long: float = 1.0

    def radius(self, x: Array, y: Array) -> Array:
        """Distance from the pit's middle, 1 at its outline."""
        if self.square:
            return ((np.abs(x) / SQUARE_REACH) ** 8 + (np.abs(y) / SQUARE_REACH) ** 8) ** 0.125
        if self.long > 1:
            return np.hypot(x, np.maximum(np.abs(y) * self.long - (self.long - 1), 0))
        return np.hypot(x, y)

    def height(self, x: Array, y: Array) -> Array:
        """Height of the wood at (x, y), 0 or less."""
        r = np.minimum(self.radius(x, y), 1.0)
        return -self.depth * (1.0 - r**self.flatness)


@dataclass(frozen=True)
class PileKind:
    """One sort of pits with one sort of seeds: half axes (long, middle, short) and how much they vary."""

    depth: float
    flatness: float
    axes: tuple[float, float, float]
    spread: float

    def bowl(self, square: bool) -> Bowl:
        """The round pit, or the square nyumba, of this board."""
        return Bowl(self.depth, self.flatness + (1.0 if square else 0.0), square)


@dataclass(frozen=True)
class Pile:
    """Seeds at rest: centres (n, 3), half axes (n, 3), turns (n, 3, 3)."""

    centres: Array
    axes: Array
    turns: Array

    def inside(self, bowl: Bowl) -> Array:
        """Which seeds lie in the pit: those whose middle is within its outline."""
        return bowl.radius(self.centres[:, 0], self.centres[:, 1]) <= 1.0

    def hanging(self, bowl: Bowl) -> int:
        """How many seeds lie neither on the wood nor on three others: they have not come to rest."""
        c, size = self.centres, self.axes.mean(1)
        up = np.sqrt(((self.turns[:, 2] * self.axes) ** 2).sum(1))
        on_wood = c[:, 2] - up < bowl.height(c[:, 0], c[:, 1]) + 0.35 * size
        gap = np.linalg.norm(c[:, None] - c[None], axis=-1)
        touch = (gap < 1.12 * (size[:, None] + size)) & ~np.eye(len(c), dtype=bool)
        under = touch & (c[:, 2] < c[:, 2, None] + 0.2 * size[:, None])
        return int((~on_wood & (under.sum(1) < 3)).sum())


def random_kind(rng: np.random.Generator, wide: bool = False) -> PileKind:
    """Nickernuts mostly, and what people use instead: marbles, beans, pebbles, shells. `wide`: larger seeds and flat
    ones too, glass pearls, buttons, coffee, cowries."""
    size = float(rng.uniform(*(LARGE if wide and rng.random() < 0.5 else (0.16, 0.28))))
    shapes = [
        (rng.uniform(0.86, 1.0), rng.uniform(0.78, 0.95)),  # nickernuts
        (rng.uniform(0.86, 1.0), rng.uniform(0.78, 0.95)),
        (1.0, 1.0),  # marbles
        (rng.uniform(0.55, 0.72), rng.uniform(0.45, 0.6)),  # beans, shells
        (rng.uniform(0.7, 0.95), rng.uniform(0.5, 0.75)),  # pebbles
    ]
    if wide:
        shapes = [
            *shapes[1:],
            (1.0, 1.0),
            (rng.uniform(0.92, 1.0), rng.uniform(0.45, 0.65)),  # glass pearls, poured flat
            (rng.uniform(0.95, 1.0), rng.uniform(0.25, 0.4)),  # buttons, bottle caps
            (rng.uniform(0.62, 0.75), rng.uniform(0.4, 0.55)),  # coffee, cowries
        ]
    middle, short = shapes[rng.integers(len(shapes))]
    middle, short = float(middle), float(min(short, middle))
    # Equal volume whatever the shape, so that `size` is what decides how full a pit looks.
    long = min(size / (middle * short) ** (1 / 3), LONGEST)
    return PileKind(
        float(rng.uniform(0.32, 0.8)),
        float(rng.choice([2.0, 2.0, 2.6, 3.5])),
        (long, long * middle, long * short),
        float(rng.choice([0.02, 0.05, 0.1, 0.16])),
    )


def glass_kind(rng: np.random.Generator) -> PileKind:
    """Marbles, or drops poured flat, as large as shops sell them for their boards."""
    size = float(rng.uniform(*MARBLE))
    short = 1.0 if rng.random() < 0.65 else float(rng.uniform(0.45, 0.7))
    return PileKind(0.5, 2.0, (size, size * float(rng.uniform(0.93, 1.0)) if short < 1 else size, size * short), 0.03)


def wide_kind(rng: np.random.Generator) -> PileKind:
    """Larger seeds and flat ones too."""
    return random_kind(rng, wide=True)


def _turns(quats: Array) -> Array:
    w, x, y, z = np.moveaxis(quats, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def settle(kind: PileKind, square: bool, seed: int, most: int = MOST_SEEDS) -> Array:
    """Drops seeds one by one; after each, where all lie: (most, most, 10), position, half axes, quaternion. Once the
    pit is full the rest is left zero."""
    import mujoco

    rng = np.random.default_rng(seed)
    bowl = kind.bowl(square)
    spot = np.linspace(-REACH, REACH, CELLS)
    xs, ys = np.meshgrid(spot, spot)
    heights = bowl.height(xs, ys) + kind.depth
    grip = float(rng.uniform(0.12, 0.4))
    axes = np.array(kind.axes) * rng.normal(1.0, kind.spread, (most, 1)).clip(0.7, 1.35)
    axes *= rng.normal(1.0, kind.spread / 2, (most, 3)).clip(0.85, 1.15)
    bodies = "".join(
        f'<body pos="{6 + i} 0 3"><freejoint/><geom type="ellipsoid" size="{a[0]} {a[1]} {a[2]}" density="1000"'
        f' contype="0" conaffinity="0" condim="4" friction="{grip} 0.01 0.001" solref="0.012 1.1"/></body>'
        for i, a in enumerate(axes)
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP_S}" iterations="12"/><asset><hfield name="pit" nrow="{CELLS}" ncol="{CELLS}"'
        f' size="{REACH} {REACH} {kind.depth} 0.5"/></asset><worldbody><geom type="hfield" hfield="pit"'
        f' pos="0 0 {-kind.depth}" condim="4" friction="{grip} 0.01 0.001"/>{bodies}</worldbody></mujoco>'
    )
    model.hfield_data[:] = (heights / kind.depth).ravel().astype(np.float32)
    data = mujoco.MjData(model)
    parked = data.qpos.reshape(most, 7).copy()
    poses, speeds = data.qpos.reshape(most, 7), data.qvel.reshape(most, 6)
    out = np.zeros((most, most, 10), np.float32)
    aim = rng.uniform(0.08, 0.4)
    held: list[int] = []
    for n in range(most):
        geom = n + 1
        for mask in (model.geom_contype, model.geom_conaffinity, model.body_contype, model.body_conaffinity):
            mask[geom] = 1
        turn = rng.normal(size=4)
        top = max(poses[:n, 2].max(initial=-kind.depth), -0.3)
        poses[n] = [*rng.normal(0, aim, 2).clip(-0.8, 0.8), top + 0.5, *(turn / np.linalg.norm(turn))]
        speeds[n] = 0
        for _ in range(DROP_STEPS):
            mujoco.mj_step(model, data)
            poses[n + 1 :], speeds[n + 1 :] = parked[n + 1 :], 0
            speeds[: n + 1] *= 0.994  # air and give, so that seeds come to rest as nuts do, not as steel balls
        out[n, : n + 1, :3], out[n, : n + 1, 3:6] = poses[: n + 1, :3], axes[: n + 1]
        out[n, : n + 1, 6:] = poses[: n + 1, 3:]
        held.append(int(_pile(out[n]).inside(bowl).sum()))
        if n >= SPILLS and max(held[-SPILLS:]) <= max(held[:-SPILLS]):
            break
    return out


def _settle_job(job: tuple[PileKind, bool, int, int]) -> Array:
    return settle(*job)


@dataclass(frozen=True)
class Library:
    """Settled piles of several kinds: `piles[kind][square]` is (runs, most, most, 10); `tall` stretches all upward."""

    kinds: tuple[PileKind, ...]
    piles: Array
    tall: float = 1.0

    @classmethod
    def load(cls, path: Path = LIBRARY) -> Library:
        """Reads a library that `make` has written."""
        with np.load(path) as data:
            rows, piles = data["kinds"], data["piles"].astype(np.float32)
        kinds = tuple(
            PileKind(float(r[0]), float(r[1]), (float(r[2]), float(r[3]), float(r[4])), float(r[5])) for r in rows
        )
        return cls(kinds, piles)

    def stretched(self, tall: float) -> Library:
        """The same piles in deeper or flatter pits, of longer or flatter seeds: what touched still touches."""
        return Library(tuple(replace(k, depth=k.depth * tall) for k in self.kinds), self.piles, self.tall * tall)

    def for_laying(
        self,
        rng: np.random.Generator,
        kind: Callable[[np.random.Generator], PileKind],
        floors: tuple[tuple[float, float], tuple[float, float]],
    ) -> Library:
        """Kinds made so instead, as many, with floors so deep and so flat: for seeds that are laid, not settled."""
        kinds = (kind(rng) for _ in self.kinds)
        flat = ((float(rng.uniform(*floors[0])), float(rng.uniform(*floors[1]))) for _ in self.kinds)
        pairs = zip(kinds, flat, strict=True)
        return replace(self, kinds=tuple(replace(k, depth=deep, flatness=even) for k, (deep, even) in pairs))

    def pile(self, kind: int, square: bool, count: int, rng: np.random.Generator) -> Pile:
        """A pile with this many seeds in the pit, or as many as it holds; those that rolled out come with it."""
        if count == 0:
            return Pile(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3, 3)))
        bowl = self.kinds[kind].bowl(square)
        # One run in three is a square pit; see `make`.
        runs = self.piles[kind][2::3] if square else np.delete(self.piles[kind], np.s_[2::3], axis=0)
        run = runs[rng.integers(len(runs))]
        run = run[: int((run[:, 0, 3] > 0).sum())]
        best = None
        for dropped in range(min(count, len(run)), len(run) + 1):
            pile = _at_rest(run, dropped, bowl)
            if self.tall != 1:
                pile = _stretched(pile, self.tall)
            inside = pile.inside(bowl)
            if inside.sum() <= count:
                best = pile, inside
            if inside.sum() == count:
                break
        assert best is not None
        pile, inside = best
        low = -0.3 * self.tall
        near = inside | ((np.hypot(pile.centres[:, 0], pile.centres[:, 1]) < ROLLED) & (pile.centres[:, 2] > low))
        pile = Pile(pile.centres[near], pile.axes[near], pile.turns[near])
        return _turned(pile, square, rng)


def _at_rest(run: Array, dropped: int, bowl: Bowl) -> Pile:
    """The first seeds dropped, as they lie a little later: the last one may still roll when the next one comes."""
    best: tuple[int, Pile] | None = None
    for later in range(dropped, min(dropped + LATER, len(run))):
        pile = _pile(run[later][:dropped])
        hanging = pile.hanging(bowl)
        if best is None or hanging < best[0]:
            best = hanging, pile
        if not hanging:
            break
    # Nothing was dropped after the last.
    return best[1] if best is not None else _pile(run[dropped - 1][:dropped])


def _pile(rows: Array) -> Pile:
    """From a row of the library."""
    rows = rows[rows[:, 3] > 0].astype(np.float64)
    quats = rows[:, 6:] / np.linalg.norm(rows[:, 6:], axis=1, keepdims=True)
    return Pile(rows[:, :3], rows[:, 3:6], _turns(quats))


def _stretched(pile: Pile, tall: float) -> Pile:
    """A pile stretched upward: ellipsoids stay ellipsoids, with other axes."""
    upward = np.array([1.0, 1.0, tall])
    turns, axes, _ = np.linalg.svd(upward[:, None] * pile.turns * pile.axes[:, None, :])
    return Pile(pile.centres * upward, axes, turns)


def _turned(pile: Pile, square: bool, rng: np.random.Generator) -> Pile:
    """The same pile seen from another side, or mirrored."""
    angle = rng.integers(4) * np.pi / 2 if square else rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    flip = 1.0 if rng.random() < 0.5 else -1.0
    m = np.array([[c, -s * flip, 0], [s, c * flip, 0], [0, 0, 1.0]])
    return Pile(pile.centres @ m.T, pile.axes, m @ pile.turns)


def make(
    path: Path, seed: int, kinds: int, runs: int, jobs: int = 1, most: int = MOST_SEEDS, wide: bool = False
) -> None:
    """Settles a library. The same seed makes the same library."""
    rng = np.random.default_rng(seed)
    chosen = [random_kind(rng, wide) for _ in range(kinds)]
    todo = [(k, r % 3 == 2, int(rng.integers(2**31)), most) for k in chosen for r in range(runs)]
    with Pool(jobs) as pool:
        done = pool.map(_settle_job, todo, chunksize=1)
    piles = np.stack(done).reshape(kinds, runs, most, most, 10).astype(np.float16)
    table = np.array([[k.depth, k.flatness, *k.axes, k.spread] for k in chosen], np.float32)
    np.savez_compressed(path, kinds=table, piles=piles)


def main() -> None:
    """`python -m vision.synthetic.board_piles` makes the committed library again."""
    ap = argparse.ArgumentParser(description=main.__doc__)
    ap.add_argument("--out", type=Path, default=LIBRARY)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--kinds", type=int, default=6)
    ap.add_argument("--runs", type=int, default=6)
    ap.add_argument("--jobs", type=int, default=1)
    a = ap.parse_args()
    make(a.out, a.seed, a.kinds, a.runs, a.jobs)


if __name__ == "__main__":
    main()
