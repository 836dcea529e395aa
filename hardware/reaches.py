"""What must reach, hold and be seen: ribbons and cables, the camera's height and view, the clamp, the fuse, and every
program that the guide tells to start. Each fault is a line that says what to change."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hardware import diagrams, models, optics, parts, strength
from hardware.stl import Mesh

ROOT = Path(__file__).resolve().parent.parent
RIBBON_MOST_MM = 300
"""Longer ribbons lose pictures: at 1 m the cameras of a Pi time out (picamera2's issue 962)."""
FOLDS_MM = 60
"""What a ribbon spends on two folds and on the tilting head."""
HANGS_MM = 200
"""A supply's cable must come down at least this far under the table's edge, to an extension lead that stays there."""
FOUR = "4 players"
FRUSTUM_FROM_MM = 12
"""Nearer under the lens than this nothing is looked for: the camera's own board."""


def length_mm(part: parts.Part) -> float:
    """The length that a cable or ribbon is sold in, from its name."""
    found = re.search(r"([\d.]+) (m|cm)\b", part.part + " " + part.specification)
    if found is None:
        raise ValueError(f"{part.ref}: {part.part} names no length")
    return float(found[1]) * (1000 if found[2] == "m" else 10)


def cables(assemblies: dict[str, Any]) -> list[tuple[str, str, float, float]]:
    """Each ribbon and supply: build, reference, how far it runs, how long it is sold."""
    ribbon, wood_ribbon = (models.run_mm(points) + FOLDS_MM for points in assemblies["ribbons"])
    supply, wood_supply = (models.run_mm(points) for points in assemblies["supplies"])
    runs = {"ribbon": {"minimal": wood_ribbon}, "supply": {"minimal": wood_supply}}
    found = []
    for part in parts.load():
        for build in part.builds:
            kind = "ribbon" if part.part.startswith("camera ribbon") else "supply" if part.ref[0] == "V" else ""
            if kind and build in parts.WITH_PI:
                far = runs[kind].get(build, ribbon if kind == "ribbon" else supply)
                found.append((build, part.ref, far, length_mm(part)))
    return found


def faults(assemblies: dict[str, Any], variant: str) -> list[str]:
    """What is too short, too low, too weak or too shaky on a stand."""
    sizes = models.parameters(variant=variant)
    found = []
    for build, ref, far, sold in cables(assemblies):
        ribbon = ref[0] == "W"
        if far + (0 if ribbon else HANGS_MM) > sold:
            found.append(f"{build}: {ref} is {sold:.0f} mm long and has {far:.0f} mm to go")
        if ribbon and sold > RIBBON_MOST_MM:
            found.append(f"{build}: a ribbon of {sold:.0f} mm is longer than the {RIBBON_MOST_MM} mm that are safe")
    found += height_faults(assemblies["lens"][0][2], assemblies["wood_lens"][2])
    if variant == models.FIRST:
        found += hold_faults(sizes)
    return found


def height_faults(lens_mm: float, wood_mm: float) -> list[str]:
    """Whether the drawn stands see four players with the camera that is bought for them."""
    data, found = optics.load(), []
    four = next(table for table in data.tables if table.name == FOUR)
    for build, height in (("minimal", wood_mm), ("standard", lens_mm)):
        bought = next(part.part for part in parts.load() if part.ref[0] == "B" and build in part.builds)
        camera = next(camera for camera in data.cameras if camera.name == bought)
        least = data.least_height_cm(camera, four)
        if height < 10 * least - 0.5:
            found.append(f"{build}: the lens hangs at {height / 10:.0f} cm; {bought} needs {least} cm for {FOUR}")
    return found


def hold_faults(sizes: dict[str, float]) -> list[str]:
    """Whether the recommended stand stands still, does not tip, and its clamp bears a firm hand."""
    data, found = strength.read(), []
    weak = strength.weakest_of_clamp(sizes)
    if weak.share > data["clamp"]["share_most"]:
        found.append(f"the clamp's {weak.name} bears {100 * weak.share:.0f} % of its strength as it is sliced")
    height = sizes["mast_length"] + optics.lens_above_mast_mm(sizes)
    stand = strength.on_a_clamp(models.FIRST, height / 10, data["head"]["mount_g"])
    _, still = strength.sway(stand)
    if strength.touched_mm(stand) > data["sway"]["touch_most_mm"]:
        found.append(f"a sleeve's touch moves the lens by {strength.touched_mm(stand):.0f} mm")
    if still > data["sway"]["still_most_s"]:
        found.append(f"the lens swings for {still:.1f} s")
    if strength.weakest(stand).share > data["clamp"]["share_most"]:
        found.append(f"{strength.weakest(stand).name} breaks when somebody catches the arm")
    if strength.tips_by_itself(stand) > 1:
        found.append("the stand tips over the table as soon as its screw is loose")
    return found


def in_the_picture(pieces: Sequence[tuple[str, str, Mesh]], lens: Sequence[float]) -> list[str]:
    """Pieces of a stand that hide some of what four players need; the picture's long side runs along the table's edge.
    A corner of the clamp in the margin beyond that does no harm."""
    area = next(table.area_cm for table in optics.load().tables if table.name == FOUR)
    across, deep = (10 * side / lens[2] for side in area)
    found = []
    for label, part, mesh in pieces:
        corners = mesh.triangles - np.array(lens)
        middles = corners.mean(axis=1, keepdims=True)
        points = np.concatenate([corners, middles], axis=1).reshape(-1, 3)
        under = -points[:, 2]
        seen = (
            (under > FRUSTUM_FROM_MM)
            & (np.abs(points[:, 1]) < across / 2 * under)
            & (np.abs(points[:, 0]) < deep / 2 * under)
        )
        if part != "shown_table" and seen.any():
            found.append(f"{label} hides some of the table from the camera")
    return found


def fuse_faults(connections: Sequence[Sequence[dict[str, Any]]], listed: Sequence[parts.Part]) -> list[str]:
    """The fuse is the first thing behind the Pi's 5 V, and the board behind it does not carry it too."""
    found = []
    live = [chain for chain in connections if "PI" in chain[0] and 4 in chain[0]["PI"]]
    if any("F1" not in chain[-1] for chain in live) or not live:
        found.append("the drawing has something before the fuse F1")
    board = next(part for part in listed if part.ref == "K3")
    if "F1" in board.purpose:
        found.append("K3 carries the fuse F1: then the wire to K3 is not protected")
    return found


PROGRAMS = {
    "apt": {"i2cdetect": "i2c-tools", "rpicam-hello": "rpicam-apps-lite", "rpicam-still": "rpicam-apps-lite"},
    "pip": {"mpremote": "mpremote"},
}
"""Programs that the guide starts and that nothing has by itself, with the package that brings each."""


def program_faults(text: str) -> list[str]:
    """Programs in the guide's commands that nothing installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = " ".join(project["dependencies"])
    asked = " ".join(re.findall(r"apt(?:-get)? install ([^\n`]*)", text))
    found = []
    for name, package in PROGRAMS["apt"].items():
        if re.search(rf"\b{name}\b", text) and package not in asked:
            found.append(f"the guide starts {name}; nothing installs {package}")
    for name, package in PROGRAMS["pip"].items():
        used = re.search(rf"\b{name} \w|hisabu panel flash", text)
        if used and not re.search(rf"\b{package}\b", brought):
            found.append(f"the guide starts {name}; {package} is no dependency of the project")
    return found


def order_faults(text: str) -> list[str]:
    """The panel's Pico is flashed before the panel is closed round it."""
    flash, close = text.find("hisabu panel flash"), text.find("with `M12`")
    return [] if 0 <= flash < close else ["the guide closes the panel before its Pico is flashed"]


def text_faults(text: str) -> list[str]:
    """What is wrong in drawing, parts and guide, without any model."""
    connections = diagrams.panel_connections()
    return fuse_faults(connections, parts.load()) + program_faults(text) + order_faults(text)
