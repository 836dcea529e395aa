"""The board's figures for `hisabu bench`: how long finding and counting take, and how much memory."""

from __future__ import annotations

import statistics
from collections.abc import Callable

import cv2
import numpy as np

from vision.board import counter, finder
from vision.board.crops import cut
from vision.board.reader import BoardReader
from vision.measured import milliseconds, resident_mb
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import render
from vision.synthetic.board_scene import random_scene


def _median_ms(work: Callable[[], object], times: int) -> float:
    return round(statistics.median(milliseconds(work, times)), 1)


def bench(times: int = 15) -> dict[str, float]:
    """One core, a drawn 1280x960 picture of a 4x8 board: milliseconds and megabytes."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        scene = random_scene(np.random.default_rng(3), Library.load(), (4, 8), (1280, 960), "game", clean=True)
        image = render(scene).image
        before = resident_mb()
        reader = BoardReader()
        found = reader.find(image)
        if found is None:
            raise RuntimeError("the bench's own board was not found")
        reader.count(image, found)
        taken = resident_mb() - before
        where = found.centres, found.radii
        knowing = BoardReader()
        knowing.remember(image, found, [[2] * 8] * 4)
        return {
            "board_find_first_ms": _median_ms(lambda: reader.find(image), times),
            "board_follow_ms": _median_ms(lambda: reader.follow(image, found), times),
            "board_count_32_pits_ms": _median_ms(lambda: counter.look(cut(image, *where)[0]), times),
            "board_count_and_strays_ms": _median_ms(lambda: reader.count(image, found), times),
            "board_count_and_strays_remembering_ms": _median_ms(lambda: knowing.count(image, found), times),
            "board_strays_ms": _median_ms(lambda: finder.strays(image, found), times),
            "board_memory_mb": round(taken, 1),
        }
    finally:
        cv2.setNumThreads(threads)
