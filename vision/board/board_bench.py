"""The board's figures for `hisabu bench`: how long finding and counting take, and how much memory."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from vision.board import counter, finder
from vision.board.crops import cut
from vision.board.reader import BoardReader
from vision.measured import milliseconds, resident_mb
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import render
from vision.synthetic.board_scene import random_scene

Array = np.ndarray[Any, Any]


BOARDS = 5
"""Drawn boards that the counting is timed on: a pit in doubt is looked at again, and some boards have none."""


def _median_ms(work: Callable[[], object], times: int) -> float:
    return round(statistics.median(milliseconds(work, times)), 1)


def _drawn(seed: int) -> Array:
    scene = random_scene(np.random.default_rng(seed), Library.load(), (4, 8), (1280, 960), "game", clean=True)
    return render(scene).image


def bench(times: int = 15) -> dict[str, float]:
    """One core, drawn 1280x960 pictures of 4x8 boards: milliseconds and megabytes."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        image, *others = (_drawn(seed) for seed in range(3, 3 + BOARDS))
        before = resident_mb()
        reader = BoardReader()
        found = reader.find(image)
        if found is None:
            raise RuntimeError("the bench's own board was not found")
        reader.count(image, found)
        taken = resident_mb() - before
        boards = [(image, found), *((other, there) for other in others if (there := reader.find(other)))]
        pits = itertools.cycle([(picture, at.centres, at.radii) for picture, at in boards])
        knowing = BoardReader()
        knowing.remember(image, found, [[2] * 8] * 4)
        return {
            "board_find_first_ms": _median_ms(lambda: reader.find(image), times),
            "board_follow_ms": _median_ms(lambda: reader.follow(image, found), times),
            "board_count_32_pits_ms": _median_ms(lambda: counter.look(cut(*next(pits))[0]), times),
            "board_count_and_strays_ms": _median_ms(lambda: reader.count(image, found), times),
            "board_count_and_strays_remembering_ms": _median_ms(lambda: knowing.count(image, found), times),
            "board_strays_ms": _median_ms(lambda: finder.strays(image, found), times),
            "board_memory_mb": round(taken, 1),
        }
    finally:
        cv2.setNumThreads(threads)
