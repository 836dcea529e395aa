"""`python -m tools.carved_found`: awalé boards with stores, of any make, lying anyhow: are they found, or asked about?

Each is laid before an empty table and shown to a table as a device follows it, once named awalé and once under `auto`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.keeping.settings import AUTO, Settings
from tools.carved import SORTS, CarvedBoard, Hung, any_make
from vision.frame import Frame

Array = np.ndarray[Any, Any]

GRID = (2, 6)
FRAME_S, EMPTY_S, WATCHED_S = 0.2, 1.0, 14.0
"""Between two pictures; the table lies empty for so long; and the board is watched for so long."""
SOON_S = 5.0
"""A board that is found later than this is late."""
MOST_KEPT = 24
"""Seeds in the stores together: more would roll off."""
NEAR = 0.25
"""A pit that lies further than so many pitches from its place is in the wrong one."""
FOUND, LATE, ASKED, SILENT, WRONG = "found", "late", "asked", "silent", "WRONG"


@dataclass(frozen=True)
class Laid:
    """A board on its table."""

    board: CarvedBoard
    counts: Array
    said: str
    """What it is like, for people."""


def hung_anyhow(rng: np.random.Generator, least: float) -> Hung:
    """Turned and off the middle, on any cloth. least: of the picture's width that it fills."""
    return Hung(
        turn_deg=float(rng.choice([0.0, 90.0, 180.0]) + rng.normal(0, 12)),
        fill=float(rng.uniform(least, 0.95)),
        aside=(float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1))),
        cloth=str(rng.choice(["", "", "planks", "checks", "dots"])),
    )


def laid(seed: int) -> Laid:
    """A board of any make, turned and off the middle, in the middle of a game."""
    rng = np.random.default_rng(seed)
    make, sort = any_make(rng), str(rng.choice(list(SORTS)))
    hung = hung_anyhow(rng, 0.55)
    tilt_deg, light = float(rng.choice([0.0, 0.0, 10.0, 20.0])), float(rng.choice([1.0, 1.0, 0.6]))
    board = CarvedBoard(make, sort, GRID, seed, tilt_deg, light, hung)
    start = rng.random() < 0.5
    counts = (
        np.full(GRID, 4) if start else rng.multinomial(int(rng.integers(12, 40)), np.full(12, 1 / 12)).reshape(GRID)
    )
    board.lay(counts)
    if not start:
        left = min(48 - int(counts.sum()), MOST_KEPT)
        kept = int(rng.integers(0, left + 1))
        board.store((kept, left - kept))
    lies = f"{hung.turn_deg:.0f} deg, {hung.fill:.2f} {hung.cloth or 'plain'}, tilt {tilt_deg:.0f}"
    said = f"{make.stores} stores, {sort}, {lies}"
    return Laid(board, counts, said)


def shown(there: Laid, game: str) -> tuple[str, float]:
    """What came of it, and after how many seconds."""
    cv2.setNumThreads(1)
    settings = Settings(game=game, players=2, language="en", build="laptop", display="none")
    table = LiveTable(_keeper(settings), settings, _keeper)
    pictures = [there.board.picture(k) for k in range(2)]
    empty = np.full_like(pictures[0], 90)
    now_s, asked_s = 0.0, None
    try:
        while now_s < EMPTY_S + WATCHED_S:
            now_s += FRAME_S
            picture = empty if now_s < EMPTY_S else pictures[int(now_s / FRAME_S) % 2]
            table.see(Frame(picture, now_s))
            pits = table.aim(picture).pits
            if pits and not table.finding:
                seen_s = now_s - EMPTY_S
                if table.match.header.game != "awale" or _off(there, pits) > NEAR:
                    return WRONG, seen_s
                return (FOUND if seen_s <= SOON_S else ASKED if asked_s is not None else LATE), asked_s or seen_s
            if asked_s is None and table.show.situation in ("board_unsure", "two_boards"):
                asked_s = now_s - EMPTY_S
        return (SILENT, now_s) if asked_s is None else (ASKED, asked_s)
    finally:
        table.close()


def _keeper(settings: Settings) -> Any:
    from device.following.auto import NotYet

    return NotYet(settings) if settings.game == AUTO else InMemory(settings.match())


def _off(there: Laid, pits: Any) -> float:
    """How far the pit that lies furthest off its place does so, in pitches; either way round."""
    size = np.array([960, 720])
    got = np.array([pit[:2] for pit in pits]) * size
    true = there.board.centres_px
    if len(got) != true[..., 0].size:
        return float("inf")
    pitch = float(np.linalg.norm(true[0, 1] - true[0, 0]))
    ways = (true.reshape(-1, 2), true[::-1, ::-1].reshape(-1, 2))
    return min(float(np.linalg.norm(got - way, axis=1).max()) for way in ways) / pitch


def _both(seed: int) -> tuple[int, str, dict[str, tuple[str, float]]]:
    there = laid(seed)
    return seed, there.said, {game: shown(there, game) for game in ("awale", AUTO)}


def main() -> None:
    """Shows them all; a line for each board, and the sums."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--boards", type=int, default=10)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--draw", type=Path, help="a folder for their pictures")
    a = ap.parse_args()
    sums: dict[str, Counter[str]] = {}
    with Pool(a.jobs) as pool:
        for seed, said, came in pool.imap(_both, range(a.seed, a.seed + a.boards)):
            print(seed, said, {game: f"{how} {at_s:.1f} s" for game, (how, at_s) in came.items()}, flush=True)
            for game, (how, _) in came.items():
                sums.setdefault(game, Counter())[how] += 1
            if a.draw:
                a.draw.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(a.draw / f"{seed}.jpg"), laid(seed).board.picture())
    for game, tally in sums.items():
        print(game, dict(tally))


if __name__ == "__main__":
    main()
