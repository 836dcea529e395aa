"""Arrows point one way: device to vision to engine; the engine knows the standard library alone."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from radon.complexity import cc_visit_ast

ROOT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "engine": {"engine"},
    "vision": {"engine", "vision", "numpy", "cv2"},
    "firmware": {"firmware", "machine", "neopixel", "micropython"},
}
TRAINING_ONLY = {"torch", "onnx", "mujoco", "mitsuba", "PySide6", "PIL"}
"""Allowed where weights are made, never where pictures are read."""

HARDWARE = {
    "paho": "device/outputs/broker/link.py",
    "gpiozero": "device/machine/pins.py",
    "luma": "device/outputs/display/wired.py",
    "picamera2": "device/cameras/pi.py",
    "serial": "device/outputs/panel.py",
}
"""Each library that drives hardware, and the one file that knows it."""


MOST_COMPLEX = 15
"""Ways through a function, as radon counts them: every condition, loop and comprehension is one more."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """Every statement in it, however deep. An import is one, so no expression need be looked through for it."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(within, part, ()):
            yield node
            yield from statements(node)


@cache
def import_statements(path: Path) -> list[ast.AST]:
    return [node for node in statements(parsed(path)) if isinstance(node, (ast.Import, ast.ImportFrom))]


@cache
def imports(path: Path) -> set[str]:
    return imported(import_statements(path))


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_what_each_room_may_import(room: str) -> None:
    for path in (ROOT / room).rglob("*.py"):
        allowed = MAY_IMPORT[room] | set(sys.stdlib_module_names)
        if "training" in path.parts or "synthetic" in path.parts:
            allowed |= TRAINING_ONLY
        assert imports(path) <= allowed, f"{path.relative_to(ROOT)} imports {imports(path) - allowed}"


@pytest.mark.parametrize("library", HARDWARE)
def test_each_hardware_library_is_known_to_one_file_and_loaded_when_used(library: str) -> None:
    files = [path for path in (ROOT / "device").rglob("*.py") if library in imports(path)]
    assert [str(path.relative_to(ROOT)) for path in files] == [HARDWARE[library]]
    assert library not in imported(parsed(files[0]).body), "only inside functions"


def test_every_module_says_what_it_is_for() -> None:
    for room in ("engine", "vision", "device", "firmware", "tests", "tools"):
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not text.strip() or text.startswith('"""'), path.relative_to(ROOT)


@pytest.mark.parametrize("room", ["engine", "vision", "device", "firmware"])
def test_no_function_is_too_complex(room: str) -> None:
    too_complex = set()
    for path in (ROOT / room).rglob("*.py"):
        too_complex |= {
            (path.name, block.fullname, block.complexity)
            for block in cc_visit_ast(parsed(path))
            if block.letter != "C" and block.complexity > MOST_COMPLEX
        }
    assert not too_complex


DECODERS = {"imread", "imdecode", "imreadmulti", "imdecodemulti", "VideoCapture"}
"""What of OpenCV decodes files; a camera on USB is no file."""
DECODES = {"device/cameras/coded.py", "device/cameras/usb.py"}


def test_bytes_from_outside_reach_a_decoder_in_one_place_alone() -> None:
    found = set()
    for room in ("engine", "vision", "device"):
        for path in (ROOT / room).rglob("*.py"):
            if {"training", "synthetic"} & set(path.parts):
                continue
            may = re.search(rf"{'|'.join(DECODERS)}|Image|Pillow|PIL", path.read_text(encoding="utf-8"))
            for node in ast.walk(parsed(path)) if may else ():
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func
                pillow = (
                    called and called.attr == "open" and ast.unparse(called.value) in ("Image", "Pillow", "PIL.Image")
                )
                if called and (called.attr in DECODERS or pillow):
                    found.add(str(path.relative_to(ROOT)))
    assert found == DECODES


def modules_imported(path: Path) -> set[str]:
    """The modules of this repository that a file imports, wherever in it."""
    found = set()
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("room", ["engine", "vision"])
def test_no_two_modules_import_each_other_on_whatever_way(room: str) -> None:
    paths = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / room).rglob("*.py")}
    arrows = {name: modules_imported(path) & paths.keys() for name, path in paths.items()}
    done: set[str] = set()
    while ready := {name for name, to in arrows.items() if name not in done and to <= done}:
        done |= ready
    assert paths.keys() - done == set()


ROOMS_OF_DEVICE = (
    {"words", "version"},
    {"cameras", "keeping", "machine", "web"},
    {"following"},
    {"outputs"},
    {"hall"},
    {"commands", "appliance", "buttons", "keys", "cli", "start"},
)
"""From the ground up: what stands higher may use what stands lower or beside it, and nothing the other way round."""
ASKED_FROM_BELOW = {("keeping/settings.py", "outputs")}
"""What outputs can be set is declared by each; the settings ask them when they are read."""


def test_no_arrow_in_device_runs_back_up() -> None:
    level = {room: number for number, rooms in enumerate(ROOMS_OF_DEVICE) for room in rooms}
    device = ROOT / "device"
    up = set()
    for path in device.rglob("*.py"):
        file = path.relative_to(device)
        room = file.parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        for module in modules_imported(path):
            other = [*module.split("."), ""][1]
            if module.startswith("device.") and level.get(other, 0) > level[room]:
                up.add((str(file), other))
    assert up == ASKED_FROM_BELOW
