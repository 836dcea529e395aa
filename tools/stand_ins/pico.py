"""The firmware under a real MicroPython, driven from a test; only pins, port and clock are simulated (board.py)."""

import json
import os
import queue
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from device.machine.wiring import Wiring, load
from device.outputs.panel import firmware_wiring
from firmware.lamps import VIOLET

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = "@micropython/micropython-webassembly-pyscript"
ENGINE = ROOT / "build" / "micropython" / "node_modules" / PACKAGE / "micropython.mjs"
INSTALL = f"npm install --prefix build/micropython {PACKAGE}@1.27.0"
ANSWER_S = 30.0

Strip = tuple[tuple[int, int, int], ...]


def looks_for_its_host(strip: Strip) -> bool:
    """Whether a panel that has no picture yet, or none any more, walks its dot: two or three violet lamps next to each
    other, all else dark. Nothing in a game has that colour."""
    lit = [at for at, colour in enumerate(strip) if any(colour)]
    return VIOLET in strip and len(lit) <= 3 and lit[-1] - lit[0] == len(lit) - 1


def need_micropython() -> None:
    """Skips the test where there is no MicroPython; fails where there must be."""
    if shutil.which("node") and ENGINE.is_file():
        return
    message = f"MicroPython is not here: install nodejs and npm, then {INSTALL}"
    if os.environ.get("HISABU_MUST_RUN_MICROPYTHON"):
        pytest.fail(message)
    pytest.skip(message)


class Pico:
    """One Pico. boot() puts power on, again and again; then step() drives it in the test's own time, live() in real."""

    def __init__(self, wiring: Wiring | None = None) -> None:
        need_micropython()
        self.wiring = wiring or load()
        self.strips: list[Strip] = []
        """What the strip showed in real time, each change."""
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        command = ["node", str(HERE / "pico.mjs"), str(ENGINE), str(ROOT / "firmware"), str(HERE / "board.py")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._listen, daemon=True).start()

    def ask(self, op: str, **given: Any) -> dict[str, Any]:
        """One command to pico.mjs and its answer."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"op": op, **given}) + "\n")
        self._process.stdin.flush()
        answer = self._answers.get(timeout=ANSWER_S)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return dict(answer["done"])

    def boot(self) -> None:
        """Power on, with the firmware flashed for this wiring."""
        self.ask("boot", wiring=firmware_wiring(self.wiring).decode())
        self.strips.clear()

    def run(self, **given: Any) -> list[str]:
        """The firmware's own main loop for a while: what it did to watchdog, Ctrl-C and reset."""
        return list(self.ask("run", wiring=firmware_wiring(self.wiring).decode(), **given)["told"])

    def step(self, now_ms: int, arrived: bytes = b"") -> tuple[bytes, Strip | None]:
        """One pass of the main loop at a time: what it said, and the strip if it was written."""
        done = self.ask("step", now_ms=now_ms, arrived=arrived.hex())
        return bytes.fromhex(done["said"]), self.colours(done["strip"]) if done["strip"] else None

    def python(self, code: str) -> str:
        """What MicroPython prints."""
        return "\n".join(self.ask("python", code=code)["printed"])

    def live(self) -> int:
        """From now on in real time, behind the TCP port returned."""
        return int(self.ask("live")["port"])

    def repl(self) -> int:
        """A Pico with nothing but MicroPython on it, in real time, behind the TCP port returned."""
        return int(self.ask("repl")["port"])

    def files(self) -> dict[str, bytes]:
        """What was copied to it, after it restarted."""
        return {name: bytes.fromhex(text) for name, text in self.ask("files").items()}

    def colours(self, strip: str) -> Strip:
        """Red, green, blue of each pixel, from what went over the strip's wire."""
        raw = bytes.fromhex(strip)
        order = self.wiring.panel.order
        return tuple(
            (raw[at + order.index("R")], raw[at + order.index("G")], raw[at + order.index("B")])
            for at in range(0, len(raw), 3)
        )

    def close(self) -> None:
        """Power off."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(ANSWER_S)

    def __enter__(self) -> "Pico":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            message = json.loads(line)
            if "strip" in message:
                self.strips.append(self.colours(message["strip"]))
            else:
                self._answers.put(message)
