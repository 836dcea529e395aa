"""`hisabu bench pi`: what this computer takes for the device's work, as a row of the guide's table of real Pis."""

import csv
import io
import json
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from device import version
from device.commands.console import working
from device.commands.live_bench import SETTINGS, SIZE
from device.following.keeper import InMemory
from device.following.live import LiveTable
from engine.match import Match
from vision.cards.cards_bench import bench_picture
from vision.cards.reader import CardReader
from vision.frame import Frame
from vision.measured import milliseconds, resident_mb

CARDS = {"look_ms": 4, "heap_ms": 8, "sixteen_ms": 16}
"""How many cards lie in the picture that is read: a trick, two heaps of four, a full table."""
ROUNDS, QUICK_ROUNDS = 9, 2
STILL_FRAMES = 40
"""Of a table at rest; the first half is not counted: it is looked at there."""
COLUMNS = ("board", *CARDS, "frame_ms", "start_s", "memory_mb", "from")
"""Of hardware/pis.csv."""


def measure(quick: bool = False) -> dict[str, Any]:
    """The figures: reading cards with all the cores the device would use, a frame at rest, a start and its memory."""
    reader = CardReader()
    rounds = QUICK_ROUNDS if quick else ROUNDS
    figures: dict[str, Any] = {"board": computer_name(), "is_pi": is_pi()}
    for name, cards in CARDS.items():
        with working(f"bench, {cards} cards"):
            picture = bench_picture(cards, *SIZE)
            figures[name] = round(statistics.median(milliseconds(partial(reader.read, picture), rounds)))
    figures["frame_ms"] = round(_still_frame_ms(), 1)
    with working("bench, start"):
        figures |= _start()
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    figures["from"] = f"measured {day} with {version.of_the_program()}"
    return figures


def row(figures: dict[str, Any]) -> str:
    """The figures as a line of hardware/pis.csv."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([figures[column] for column in COLUMNS])
    return out.getvalue()


def computer_name(root: Path = Path("/")) -> str:
    """What the computer calls itself: "Raspberry Pi 4 Model B Rev 1.4", or its processor."""
    for name in ("proc/device-tree/model", "sys/firmware/devicetree/base/model", "sys/class/dmi/id/product_name"):
        try:
            if text := (root / name).read_text(encoding="utf-8", errors="replace").strip("\0 \n"):
                return text
        except OSError:
            continue
    return "unknown computer"


def is_pi(root: Path = Path("/")) -> bool:
    """Whether this is a Raspberry Pi."""
    return computer_name(root).startswith("Raspberry Pi")


def _still_frame_ms() -> float:
    """A frame in which nothing moves, on its way through the device."""
    live = LiveTable(InMemory(Match(SETTINGS.game, SETTINGS.players)), SETTINGS, _begin)
    image = bench_picture(CARDS["look_ms"], *SIZE)
    took_ms = []
    for number in range(STILL_FRAMES):
        started = time.perf_counter()
        live.see(Frame(image, number / 10))
        took_ms.append(1000 * (time.perf_counter() - started))
    return statistics.median(took_ms[STILL_FRAMES // 2 :])


def _begin(settings: Any) -> InMemory:
    return InMemory(Match(settings.game, settings.players, settings.house))


def _start() -> dict[str, float]:
    """A new process, from its start until it has read a first picture, and the memory it then holds."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "device.commands.pi_bench"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {"start_s": round(time.perf_counter() - started, 1), **json.loads(done.stdout)}


if __name__ == "__main__":
    CardReader().read(bench_picture(CARDS["look_ms"], *SIZE))
    print(json.dumps({"memory_mb": round(resident_mb())}))
