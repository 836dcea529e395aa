"""How long it takes from a show to the first sound that a loudspeaker gets."""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from device.following.show import EVERYTHING, Happening, Show
from device.outputs.voice import Voice
from device.outputs.voice.speaker import Programs

HEADER_BYTES = 44
"""Of a WAV, before its first sample."""
WAIT_S = 10.0
LISTEN = f"""
import sys, time
sys.stdin.buffer.read({HEADER_BYTES} + 2)
heard = time.monotonic()
sys.stdin.buffer.read()
with open(sys.argv[1], "a") as to:
    print(heard, file=to)
"""


def bench(rounds: int) -> dict[str, float]:
    """Milliseconds from a card's show to the first sample in the player's pipe, espeak-ng in French."""
    with tempfile.TemporaryDirectory() as folder:
        heard = Path(folder) / "heard"
        voice = Voice(Programs(player=[sys.executable, "-S", "-c", LISTEN, os.fspath(heard)]))
        voice.show(Show({}, voice=EVERYTHING))
        waits_ms = [_one(voice, heard, number) for number in range(1, rounds + 1)]
        voice.close()
    ranked = sorted(waits_ms)
    return {
        "first_sample_median_ms": round(statistics.median(ranked), 1),
        "first_sample_p95_ms": round(ranked[min(len(ranked) - 1, int(0.95 * len(ranked)))], 1),
    }


def _one(voice: Voice, heard: Path, number: int) -> float:
    card = Happening(number, {"event": "play", "card": "7H"}, (), 0)
    shown_s = time.monotonic()
    voice.show(Show({}, voice=EVERYTHING, happened=(card,)))
    while time.monotonic() < shown_s + WAIT_S:
        lines = heard.read_text().split() if heard.exists() else []
        if len(lines) == number:
            return 1e3 * (float(lines[-1]) - shown_s)
        time.sleep(0.02)
    raise TimeoutError("nothing was heard")
