"""The pins through the real gpiozero and lgpio, on chips that answer as the kernel's do; in programs of their own."""

import errno
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.keeping import settings as settings_file
from device.keeping.settings import Settings
from device.machine.wiring import load
from tools.stand_ins.emulated_pi import FLOATING, LOW, MODELS, EmulatedPi

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.slow
PINS = load().pins("minimal")
TONE, BUTTON = PINS["buzzer", "tone"], PINS["buttons", "A"]
LAMPS = {name: pin for (group, name), pin in PINS.items() if "lamps" in group}
LIMIT_S = 60.0
"""For whatever a test waits for: the slowest, the first trump of a drawn table, takes 10 s."""

EVERY_PART = """
import sys, time
from device.buttons import Buttons
from device.following.show import Cue, Show
from device.machine import pins
from device.outputs.buzzer import Buzzer
from device.outputs.lamps import Lamps
import device.buttons
device.buttons.MEND_S = 0.3
listening = Buttons(lambda press: print(press.button, flush=True))
lamps, buzzer = Lamps(), Buzzer()
print("ready", flush=True)
number = 0
for line in sys.stdin:
    number += 1
    show = Show({"trump": line.strip(), "sides": [0, 1]}, cue=Cue(number, "press"))
    for output in (lamps, buzzer):
        try:
            output.show(show)
        except OSError as error:
            print(output.name, error, flush=True)
    print("shown", listening.away or "", flush=True)
for part in (listening, lamps, buzzer):
    part.close()
"""


class Program:
    """Python on an emulated Pi: what it prints, a line at a time."""

    def __init__(self, pi: EmulatedPi, *words: str, cwd: str = ".", **more: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *words], cwd=cwd, env=pi.environment | more, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")

    def heard(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def end(self, by: signal.Signals | None = None) -> tuple[int, str]:
        """Its exit status, and what it had not said yet."""
        if by is not None:
            self._process.send_signal(by)
        said, _ = self._process.communicate(timeout=LIMIT_S)
        return self._process.returncode, said

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def program(pi: EmulatedPi, *words: str, cwd: str = ".", **more: str) -> Iterator[Program]:
    program = Program(pi, *words, cwd=cwd, **more)
    try:
        yield program
    finally:
        program.kill()


def until(condition: Callable[[], bool]) -> None:
    over_s = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < over_s, "it never came"
        time.sleep(0.02)


def press(pi: EmulatedPi, pin: int) -> None:
    """Down and up again, with contacts that bounce."""
    for level in (LOW, FLOATING, LOW, FLOATING, LOW):
        pi.drive(pin, level)
        time.sleep(0.003)
    time.sleep(0.1)
    pi.drive(pin, FLOATING)


def lit(pi: EmulatedPi) -> set[str]:
    return {name for name, pin in LAMPS.items() if pi.puts_out(pin)}


@pytest.mark.parametrize("name", MODELS)
def test_every_part_is_on_the_headers_pins_of_every_pi(name: str, tmp_path: Path) -> None:
    pi = EmulatedPi(tmp_path / "pi", MODELS[name])
    with program(pi, "-c", EVERY_PART) as parts:
        assert parts.heard() == "ready"
        parts.say("H")
        assert parts.heard() == "shown"
        until(lambda: lit(pi) == {"H"})
        press(pi, BUTTON)
        assert parts.heard() == "A"
        status, said = parts.end()
    assert (status, said) == (0, "")
    changes = pi.changes()
    assert {chip for _, chip, _, _ in changes} == {pi.model.header}
    assert any(pin == TONE and level for _, _, pin, level in changes)
    assert lit(pi) == set() and not any(pi.held(pin) for pin in PINS.values())


def test_the_pins_are_there_in_a_folder_that_takes_no_file(tmp_path: Path) -> None:
    pi = EmulatedPi(tmp_path / "pi", MODELS["pi 4"])
    with program(pi, "-c", EVERY_PART, cwd="/proc", PYTHONPATH=str(ROOT)) as parts:
        assert parts.heard() == "ready"
        press(pi, BUTTON)
        assert parts.heard() == "A"
        assert parts.end() == (0, "")


def test_a_pin_that_is_held_or_fails_takes_nothing_else_with_it(tmp_path: Path) -> None:
    pi = EmulatedPi(tmp_path / "pi", MODELS["pi 5, 2026"])
    for held in (LAMPS["D"], PINS["buttons", "B"]):
        pi.hold(held)
    with program(pi, "-c", EVERY_PART) as parts:
        assert parts.heard() == "ready"
        parts.say("H")
        assert parts.heard().startswith("lamps Cannot use a pin: 'GPIO busy'")
        assert parts.heard().startswith("shown Cannot use a pin: 'GPIO busy'")
        until(lambda: lit(pi) == {"H"})
        press(pi, BUTTON)
        assert parts.heard() == "A"
        for held in (LAMPS["D"], PINS["buttons", "B"]):
            pi.hold(held, False)
        time.sleep(0.5)
        parts.say("D")
        assert parts.heard() == "shown"
        until(lambda: lit(pi) == {"D"})
        press(pi, PINS["buttons", "B"])
        assert parts.heard() == "B"
        assert parts.end() == (0, "")


WRITES = """
import sys
from device.machine import pins
wire = pins.output(int(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
try:
    with pins.told():
        wire.value = 1
except pins.PinsAway as error:
    print(error, flush=True)
pins.release(wire)
"""


def test_a_write_that_fails_is_told(tmp_path: Path) -> None:
    pi = EmulatedPi(tmp_path / "pi", MODELS["pi 4"])
    with program(pi, "-c", WRITES, "25") as writing:
        assert writing.heard() == "open"
        pi.fail(25, errno.EIO)
        writing.say("")
        assert "lgGpioWrite" in writing.heard()  # The library's own line.
        assert writing.heard().startswith("Cannot use a pin: 'bad GPIO write'")
        assert writing.end() == (0, "")


def test_the_doctor_opens_the_very_chip(tmp_path: Path) -> None:
    pi = EmulatedPi(tmp_path / "pi", MODELS["pi 5, 2026"])
    home = home_of(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "device.cli", "doctor", "--lang", "en"],
        env=pi.environment | {"HISABU_HOME": str(home)}, capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    assert "/dev/gpiochip11" in ran.stdout, ran.stdout + ran.stderr


def test_the_whole_device_on_a_pi_with_a_held_pin(tmp_path: Path) -> None:
    pi = EmulatedPi(tmp_path / "pi", MODELS["pi 5, 2026"])
    pi.hold(LAMPS["side_0"])
    with program(pi, "-m", "device.cli", "run", HISABU_HOME=str(home_of(tmp_path))) as device:
        until(lambda: bool(lit(pi) & set("CDHS")))
        tones = sum(pin == TONE for _, _, pin, _ in pi.changes())
        press(pi, PINS["buttons", "C"])
        until(lambda: sum(pin == TONE for _, _, pin, _ in pi.changes()) > tones)
        status, said = device.end(signal.SIGTERM)
    assert status == 0, said
    assert said.count("GPIO busy") == 1 and "Traceback" not in said, said
    assert lit(pi) == set() and {chip for _, chip, _, _ in pi.changes()} == {11}
    assert [name for name, pin in LAMPS.items() if pi.held(pin)] == ["side_0"]


def home_of(folder: Path) -> Path:
    """Settings of the minimal build over a drawn table, without display and page."""
    home = folder / "home"
    home.mkdir()
    chosen = Settings(
        language="en", build="minimal", display="none", camera="simulated", page="off", matches=str(folder / "matches")
    )
    settings_file.save(home / settings_file.FILE, chosen)
    return home
