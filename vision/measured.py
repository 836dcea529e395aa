"""What the benches measure alike: how long a piece of work takes, and how much memory the process holds."""

import time
from collections.abc import Callable
from pathlib import Path


def milliseconds(work: Callable[[], object], rounds: int) -> list[float]:
    """How long each round took, after one that warms up."""
    work()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - started))
    return times


def resident_mb() -> float:
    """Memory that this process holds now; not a number where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError):
        return float("nan")
    return pages * 4096 / 1e6
