"""`python -m tools.carved_live`: games on carved boards (carved.py), followed as a device follows them.

After each turn the device is shown the board at rest. `told` is what the match then holds, `read` what the eye says of
each pit.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import islice, product
from multiprocessing import Pool
from random import Random
from typing import Any

import cv2
import numpy as np

from device.following.follow import BoardFollower, board_eye
from device.keeping.settings import Settings
from engine import simulate_awale, simulate_mraha
from engine.match import Match
from engine.rules import awale, mraha
from engine.rules.mraha import DEFAULT_PRESET
from engine.sightings import best_count
from tools.carved import MAKES, SORTS, CarvedBoard
from vision.frame import Frame

GRIDS = {"awale": (2, 6), "mraha": (4, 8)}
FRAMES, FRAME_S = 28, 0.15
"""Pictures of each rest, and the time between them: some four seconds in all."""
TILTS_DEG, LIGHTS = (0.0, 0.0, 12.0, 28.0), (1.0, 1.0, 0.7, 0.35)


def group(count: int) -> str:
    """Pits are counted apart by how full they are."""
    return "0-3" if count < 4 else "4-6" if count < 7 else "7-10" if count < 11 else "11+"


def positions(game: str, seed: int, turns: int) -> list[Any]:
    """The board after each turn of an honest game, the first before any."""
    rng = Random(seed)
    if game == "awale":
        sown = islice(simulate_awale.honest_turns(rng, awale.AwaleFlags()), turns)
        return [awale.board_rows(p.sides) for p in (awale.AwalePosition(), *(turn.after for turn in sown))]
    flags = mraha.flags_from(mraha.options_for(DEFAULT_PRESET, {}))
    played = islice(simulate_mraha.honest_turns(rng, flags), turns)
    return [mraha.board_rows(p) for p in (mraha.start(flags), *(turn.after for turn in played))]


def play(job: tuple[str, str, str, int, int]) -> Counter[str]:
    """One game: how many pits hold so much, how many of them are told and read rightly."""
    game, make, sort, seed, turns = job
    cv2.setNumThreads(1)
    tally: Counter[str] = Counter()
    table = np.random.default_rng(seed)
    board = CarvedBoard(make, sort, GRIDS[game], seed, float(table.choice(TILTS_DEG)), float(table.choice(LIGHTS)))
    settings = Settings(game=game)
    match = Match(game, 2, settings.of(game, 2).house)
    eye = board_eye(match, settings)
    follower = BoardFollower(match, settings, eye)
    now_s = 0.0
    for number, rows in enumerate(positions(game, seed, turns)):
        board.lay(np.array(rows))
        follower.see(Frame(np.full((720, 960, 3), 90, np.uint8), now_s + FRAME_S), lambda: match, match.add)
        shown = [board.picture(1000 * number + k) for k in range(2)]
        for k in range(FRAMES):
            now_s += FRAME_S
            follower.see(Frame(shown[k % 2], now_s + FRAME_S), lambda: match, match.add)
        counted = eye.counted
        if eye.found is None or counted is None:
            tally["not found"] += 1
            continue
        off = np.linalg.norm(eye.found.centres - board.centres_px, axis=-1).max() / eye.found.pitch_px
        tally["misplaced"] += int(off > 0.25)
        told = match.board
        ways = [np.array(told), np.array(told)[::-1, ::-1]] if told is not None else []
        truth = np.array(rows)
        best = min(ways, key=lambda way: int((way != truth).sum()), default=np.full(truth.shape, -1))
        tally["boards"] += 1
        tally["boards told"] += int((best == truth).all())
        for true, said, pit in zip(truth.ravel(), best.ravel(), [p for row in counted.pits for p in row], strict=True):
            read = best_count(pit) if pit else -1
            tally[f"{group(true)} pits"] += 1
            tally[f"{group(true)} told"] += int(said == true)
            tally[f"{group(true)} read"] += int(read == true)
            tally[f"{group(true)} read within 1"] += int(abs(read - true) <= 1)
            if pit and pit[read] >= 0.9:
                tally["read with 0.9"] += 1
                tally["read with 0.9, right"] += int(read == true)
    return tally


def main() -> None:
    """Plays them all; prints what each sort, each make and all together came to."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--turns", type=int, default=24)
    ap.add_argument("--games", type=int, default=48, help="of the makes and sorts, each with each")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()
    pairs = list(product(MAKES, SORTS))
    jobs = [
        ("mraha" if (a.seed + n) % 4 == 3 else "awale", *pairs[n * 7 % len(pairs)], a.seed + n, a.turns)
        for n in range(a.games)
    ]
    by: dict[str, Counter[str]] = {}
    with Pool(a.jobs) as pool:
        for job, tally in zip(jobs, pool.imap(play, jobs), strict=True):
            print(*job, dict(tally), flush=True)
            for name in ("all", job[0], job[1], job[2]):
                by.setdefault(name, Counter()).update(tally)
    for name, tally in by.items():
        print(name, json.dumps({key: tally[key] for key in sorted(tally)}))


if __name__ == "__main__":
    main()
