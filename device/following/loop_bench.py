"""What the loop itself costs: from frame to brain, from view to each output, and while nothing happens."""

import resource
import statistics
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np

from device.following.loop import Loop
from device.following.press import Press
from device.following.show import Show
from vision.frame import Frame

FPS = 10.0
SIZE = (960, 1280, 3)
"""The device's own rate and picture (rows, columns, colours)."""


def bench(seconds: float) -> dict[str, Any]:
    """Milliseconds and shares of one processor, with outputs that do nothing and one that is slow."""
    changing, still = _Changing(), _Still()
    fast, slow = _Clocked("fast"), _Clocked("slow", wait_s=0.4)
    _play(Loop(_Camera, changing, [fast, slow]), seconds)
    before, started = time.process_time(), time.monotonic()
    _play(Loop(_Camera, still, [_Clocked("fast")]), seconds)
    idle = (time.process_time() - before) / (time.monotonic() - started)
    return {
        "fps": FPS,
        "frame_to_brain_ms": _spread(changing.waits_s),
        "view_to_output_ms": _spread(fast.waits_s),
        "shows_drawn_fast_and_slow": [len(fast.waits_s), len(slow.waits_s)],
        "idle_processor_share": round(idle, 4),
        "memory_peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


class _Camera:
    """Blank pictures at the device's own rate, stamped when they are given."""

    name = "bench"

    def __init__(self) -> None:
        self._next_s = time.monotonic()

    def frame(self) -> Frame | None:
        self._next_s += 1 / FPS
        time.sleep(max(0.0, self._next_s - time.monotonic()))
        return Frame(np.empty(SIZE, np.uint8), time.monotonic())

    def close(self) -> None:
        pass


class _Still:
    """A brain for which nothing ever changes."""

    done = False

    def __init__(self) -> None:
        self.show = Show(view={})
        self.waits_s: list[float] = []

    def see(self, frame: Frame) -> None:
        self.waits_s.append(time.monotonic() - frame.at_s)

    def press(self, press: Press) -> None:
        pass

    def trouble(self, code: str, present: bool) -> None:
        pass


class _Changing(_Still):
    """A brain that shows something new after every frame."""

    def see(self, frame: Frame) -> None:
        super().see(frame)
        self.show = replace(self.show, extra={"made_s": time.monotonic()})


class _Clocked:
    """An output that notes how long the show had been there."""

    def __init__(self, name: str, wait_s: float = 0.0) -> None:
        self.name = name
        self.waits_s: list[float] = []
        self._wait_s = wait_s

    def show(self, show: Show) -> None:
        if "made_s" in show.extra:
            self.waits_s.append(time.monotonic() - show.extra["made_s"])
        time.sleep(self._wait_s)

    def close(self) -> None:
        pass


def _play(loop: Loop, seconds: float) -> None:
    stop = threading.Event()
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    loop.run(stop)
    timer.join()


def _spread(waits_s: list[float]) -> dict[str, float]:
    ordered = sorted(waits_s)
    return {
        "median": round(1e3 * statistics.median(ordered), 2),
        "p99": round(1e3 * ordered[int(0.99 * (len(ordered) - 1))], 2),
        "worst": round(1e3 * ordered[-1], 2),
    }
