"""A Pi's pins for the real lgpio and gpiozero: the folder that gpiochips.c answers from, written and read by a test."""

import errno
import os
import shutil
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("gpiochips.c")
CHIP, LINE = struct.Struct("<32s32sII"), struct.Struct("<IIIIQ")
"""struct chip and struct line there."""
LOW, HIGH, FLOATING = 0, 1, 2
FREE, OF_THE_KERNEL = 0, 1
DRIVEN, OWNER, ERROR = range(3)
"""The first fields of a line."""
OUTPUT = 1 << 3
"""GPIO_V2_LINE_FLAG_OUTPUT."""


@dataclass(frozen=True)
class Model:
    """A Pi: its chips by number, the header's among them."""

    name: str
    revision: int
    header: int
    chips: Mapping[int, str]
    links: Mapping[str, str]
    """Device files that are links."""


_EXPANDER = "raspberrypi-exp-gpio"
_OF_A_PI_5 = {10: "gpio-brcmstb@107d508500", 12: "gpio-brcmstb@107d508520", 13: "gpio-brcmstb@107d517c00"}
MODELS = {
    "pi 5, 2023": Model(
        "Raspberry Pi 5 Model B Rev 1.0", 0xC04170, 4, {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, {}
    ),
    "pi 5, 2025": Model(
        "Raspberry Pi 5 Model B Rev 1.0", 0xC04170, 0, {0: "pinctrl-rp1"} | _OF_A_PI_5, {"gpiochip4": "gpiochip0"}
    ),
    "pi 5, 2026": Model(
        "Raspberry Pi 5 Model B Rev 1.1", 0xC04171, 11, {11: "pinctrl-rp1", 15: _EXPANDER} | _OF_A_PI_5, {}
    ),
    "pi 4": Model("Raspberry Pi 4 Model B Rev 1.4", 0xC03114, 0, {0: "pinctrl-bcm2711", 1: _EXPANDER}, {}),
    "zero 2 w": Model("Raspberry Pi Zero 2 W Rev 1.0", 0x902120, 0, {0: "pinctrl-bcm2835", 1: _EXPANDER}, {}),
}


class EmulatedPi:
    """One Pi in a folder. Programs that run with `environment` have its pins."""

    LINES = 54

    def __init__(self, folder: Path, model: Model) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler: sudo apt install gcc libc6-dev")
        if find_spec("lgpio") is None:
            pytest.skip("no lgpio: .venv/bin/pip install lgpio")
        self.model, self._folder = model, folder
        (folder / "dev").mkdir(parents=True)
        (folder / "proc/device-tree/system").mkdir(parents=True)
        (folder / "proc/device-tree/model").write_bytes(model.name.encode() + b"\0")
        (folder / "proc/device-tree/system/linux,revision").write_bytes(struct.pack(">I", model.revision))
        for number, label in model.chips.items():
            name = f"gpiochip{number}"
            line = LINE.pack(FLOATING, FREE, 0, 0, 0)
            chip = CHIP.pack(name.encode(), label.encode(), self.LINES, number) + self.LINES * line
            (folder / "dev" / name).write_bytes(chip)
        for name, target in model.links.items():
            (folder / "dev" / name).symlink_to(target)
        self._shim = folder / "gpiochips.so"
        words = [compiler, "-O1", "-Wall", "-shared", "-fPIC", "-o", str(self._shim), str(SOURCE), "-ldl", "-lpthread"]
        built = subprocess.run(words, capture_output=True, text=True, check=False)
        if built.returncode:
            pytest.skip(f"the emulated chips cannot be compiled here: {built.stderr.splitlines()[:1]}")

    @property
    def environment(self) -> dict[str, str]:
        """For a program that shall have these pins."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith("GPIOZERO")}
        return plain | {"EMULATED_PI": str(self._folder), "LD_PRELOAD": str(self._shim)}

    def puts_out(self, pin: int) -> bool:
        """Whether it is an output, and high."""
        *_, out, flags = self.line(pin)
        return bool(out and flags & OUTPUT)

    def line(self, pin: int) -> tuple[int, ...]:
        """The header's pin: what drives it, its owner, the error of writes, what it puts out, its flags."""
        with self._chip.open("rb") as file:
            file.seek(CHIP.size + LINE.size * pin)
            return LINE.unpack(file.read(LINE.size))

    def held(self, pin: int) -> bool:
        """Whether the kernel or a program that lives has it: what a program that ended had is free."""
        owner = self.line(pin)[OWNER]
        return owner == OF_THE_KERNEL or (owner != FREE and Path(f"/proc/{owner}").exists())

    def drive(self, pin: int, level: int) -> None:
        """From outside: a button's wire."""
        self._write(pin, DRIVEN, level)

    def hold(self, pin: int, held: bool = True) -> None:
        """The kernel has it (an overlay, an SPI chip select), or has it no more."""
        self._write(pin, OWNER, OF_THE_KERNEL if held else FREE)

    def fail(self, pin: int, code: int = errno.EIO) -> None:
        """Every write to it fails from now on; 0: goes well again."""
        self._write(pin, ERROR, code)

    def changes(self) -> list[tuple[float, int, int, int]]:
        """Everything that was put out: when, on which chip, on which pin, which level."""
        log = self._folder / "changes"
        lines = log.read_text().splitlines() if log.exists() else []
        return [(int(ns) / 1e9, int(chip), int(pin), int(level)) for ns, chip, pin, level in map(str.split, lines)]

    @property
    def _chip(self) -> Path:
        return self._folder / f"dev/gpiochip{self.model.header}"

    def _write(self, pin: int, field: int, value: int) -> None:
        with self._chip.open("r+b") as file:
            file.seek(CHIP.size + LINE.size * pin + 4 * field)
            file.write(struct.pack("<I", value))
