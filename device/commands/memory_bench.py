"""What `hisabu run` with its page holds in memory, by stage: resident, from /proc/PID/smaps_rollup, on Linux alone."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FILM = """
import sys, cv2
from device.commands.demo import simulated
from engine.match import Match
camera = simulated(Match("turufu", 4), 1, real_time=False, on_and_on=True, size=(1280, 960))
film, seen = None, 0
while seen < int(sys.argv[2]) and (frame := camera.frame()) is not None:
    image = frame.image
    film = film or cv2.VideoWriter(sys.argv[1], cv2.VideoWriter_fourcc(*"mp4v"), 10, image.shape[1::-1])
    film.write(image)
    seen += 1
film.release()
"""
IMPORTS = {
    "python": "",
    "command_line": "import device.cli",
    "numpy_opencv": "import device.cli, numpy, cv2",
    "page": "import device.cli, numpy, cv2, device.outputs.page.page, device.appliance",
    "networks": "import device.cli, numpy, cv2, device.outputs.page.page, device.appliance\n"
    "from vision.cards.reader import CardReader\nreader = CardReader()",
}
"""Stages before a frame came, each with all before it."""
ON_A_DEVICE = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""As the unit sets it (device/machine/install.py)."""
LOOK_S = 0.1
"""What is held for a moment alone is seen, too."""
STOP_S = 20.0


def bench(film_frames: int, seconds: float) -> dict[str, Any]:
    """Megabytes. Of each run: when it is over the start, in the middle of all looks, and at most."""
    if not Path("/proc/self/smaps_rollup").exists():
        return {}
    figures: dict[str, Any] = {"imports_mb": imports()}
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"
        subprocess.run([sys.executable, "-c", FILM, str(film), str(film_frames)], check=True)
        figures["film_mb"] = _run(Path(folder) / "film", str(film), seconds)
        figures["simulated_mb"] = _run(Path(folder) / "simulated", "simulated", seconds)
    return figures


def imports() -> dict[str, float]:
    """Megabytes of each stage before a frame came, on Linux."""
    return {stage: _imported(code) for stage, code in IMPORTS.items()}


def _imported(code: str) -> float:
    told = f"{code}\nprint(open('/proc/self/smaps_rollup').read())"
    done = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True, env=_environment())
    return _resident_mb(done.stdout)


def _environment(**more: str) -> dict[str, str]:
    return {**os.environ, **ON_A_DEVICE, **more}


def _run(home: Path, camera: str, seconds: float) -> dict[str, float]:
    """The device over this camera."""
    home.mkdir()
    text = f'build = "laptop"\ndisplay = "none"\ncamera = "{camera}"\nmatches = "{home}/matches"\n'
    (home / "settings.toml").write_text(text, encoding="utf-8")
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", "device.cli", "run", "--page", "here"],
        env=_environment(HISABU_HOME=str(home)), stdin=quiet, stdout=quiet, stderr=quiet,
    )  # fmt: skip
    looks: list[float] = []
    try:
        until = time.monotonic() + seconds
        while time.monotonic() < until and process.poll() is None:
            time.sleep(LOOK_S)
            with contextlib.suppress(OSError):  # The film is over, and the program with it.
                looks.append(_resident_mb(Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="utf-8")))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_S)
    later = sorted(looks[len(looks) // 3 :])
    return {"rest": later[len(later) // 2], "last": looks[-1], "most": max(looks)}


def _resident_mb(rollup: str) -> float:
    line = next(line for line in rollup.splitlines() if line.startswith("Rss:"))
    return round(int(line.split()[1]) / 1024, 1)
