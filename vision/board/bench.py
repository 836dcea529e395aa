"""The board's figures for `hisabu bench`: how long finding and counting take, and how much memory."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from vision.board import counter, finder
from vision.board.reader import BoardReader
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import render
from vision.synthetic.board_scene import random_scene


def _median_ms(work: Callable[[], Any], times: int) -> float:
    work()
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        took.append((time.perf_counter() - begun) * 1000)
    return round(statistics.median(took), 1)


def bench(times: int = 15) -> dict[str, float]:
    """One core, a drawn 1280x960 picture of a 4x8 board: milliseconds and megabytes."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        scene = random_scene(np.random.default_rng(3), Library.load(), (4, 8), (1280, 960), "game", clean=True)
        image = render(scene).image
        reader = BoardReader()
        found = reader.find(image)
        if found is None:
            raise RuntimeError("the bench's own board was not found")
        return {
            "board_find_first_ms": _median_ms(lambda: reader.find(image), times),
            "board_follow_ms": _median_ms(lambda: reader.follow(image, found), times),
            "board_count_32_pits_ms": _median_ms(lambda: counter.look(image, found), times),
            "board_count_and_strays_ms": _median_ms(lambda: reader.count(image, found), times),
            "board_strays_ms": _median_ms(lambda: finder.strays(image, found), times),
            "board_peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        }
    finally:
        cv2.setNumThreads(threads)
