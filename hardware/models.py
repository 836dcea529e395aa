"""The stand's models: from OpenSCAD to triangles, checked part by part and against each other."""

import ast
import hashlib
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from hardware.stl import Floats, Mesh, bodies, indexed, open_edges, overhang, read_stl, turn

HERE = Path(__file__).parent
STAND = HERE / "stand"
COARSE, FINE = 16, 48
"""Sides of a circle."""

PARTS = {
    # part: how many the stand and the panel need, material, how it lies
    "clamp": (1, "PETG", "on its side, as exported"),
    "cap": (2, "PETG", "flat"),
    "knob": (1, "PETG", "hexagon up"),
    "foot": (1, "PETG", "hole up"),
    "foot_pad": (1, "TPU", "flat"),
    "jaw_pad": (1, "TPU", "flat"),
    "plug": (4, "PETG", "lying down"),
    "drill_jig": (0, "PETG", "stop down"),
    "gusset": (2, "PETG", "flat"),
    "ear": (2, "PETG", "flat"),
    "cradle": (1, "PETG", "base down"),
    "cradle_hq": (0, "PETG", "base down"),
    "clip": (3, "PETG", "standing, profile on the bed"),
    "saddle": (1, "PETG", "plate down"),
    "case_base": (1, "PETG", "back down"),
    "case_lid": (1, "PETG", "face down"),
    "case_lid_wide": (0, "PETG", "face down"),
    "display_bar": (2, "PETG", "flat"),
    "panel_face": (1, "PLA, black", "face down"),
    "panel_wells": (1, "PLA, black", "flat"),
    "panel_carrier": (1, "PLA", "flat"),
    "panel_back": (1, "PLA", "back down"),
    "pico_bar": (1, "PLA", "flat"),
    "panel_leg": (2, "PLA", "flat"),
    "leg_pad": (4, "TPU", "flat"),
}
TOOLS = {"drill_jig": "a tool", "cradle_hq": "instead of `cradle`", "case_lid_wide": "instead of `case_lid`, for `D3`"}
"""Printed, but not standing in the assembly: why."""
TUBES = ("tube", "tube_middle", "splice")
"""Printed only where mast and arm are: how many of each follows from the height."""
DIFFERENT = ("clamp", "cap", "gusset", "ear", "cradle", "cradle_hq", "clip", "saddle")
"""Of another size where the tubes are printed."""
SHOWN = (
    "shown_table",
    "shown_legend",
    "shown_mast",
    "shown_arm",
    "shown_bolt",
    "shown_m5x40",
    "shown_m5x50_42",
    "shown_m5x50_40",
    "shown_m5x50_41",
    "shown_m5x50_44",
    "shown_m4x16",
    "shown_m4x50",
    "shown_m2x16",
    "shown_m2x30",
    "shown_wood_4x16",
    "shown_wood_4x35",
    "shown_wood_4x40",
    "shown_wood_4x60",
    "shown_pi",
    "shown_usb_c",
    "shown_usb_a",
    "shown_micro_usb",
    "shown_header_plugs",
    "shown_pico",
    "shown_k3",
    "shown_pi_zero",
    "shown_breadboard",
    "shown_camera",
    "shown_display",
    "shown_display_wide",
    "shown_button",
    "shown_post",
    "shown_post_beside",
    "shown_wood_arm",
    "shown_brace",
    "shown_tongue",
    "shown_head",
    "shown_angle",
    "shown_g_clamp",
    "shown_laptop",
    "shown_webcam",
    "shown_boom_clamp",
    "shown_boom_low",
    "shown_boom_high",
    "shown_sd",
    "shown_lead",
    "shown_playing_card",
    "shown_strip_row",
    "shown_strip_suits",
)
WOODEN = ("shown_post", "shown_post_beside", "shown_wood_arm", "shown_brace", "shown_tongue", "shown_head")
"""What wood screws go into."""
DENSITY = {"PETG": 1.27e-3, "PLA": 1.24e-3, "TPU": 1.21e-3}
"""Grams in a cubic millimetre of solid plastic, as filament makers give it."""

FIRST = "aluminium"
"""The stand that parameters.scad describes as it is."""
TOUCH_MM3 = 1.0
"""Parts that lie against each other may share this much: the models are rounded to 1e-5 mm and circles have corners."""

Placement = tuple[str, str, list[float], list[float], list[float]]


@dataclass(frozen=True)
class Check:
    """What was found of one part."""

    part: str
    size: tuple[float, float, float]
    volume_cm3: float
    open_edges: int
    bodies: int
    leaning_mm2: float
    ceiling_mm2: float

    def faults(self, bed: float) -> list[str]:
        """Why it cannot be printed; empty when it can."""
        found = []
        if self.open_edges:
            found.append(f"not manifold: {self.open_edges} edges")
        if self.bodies != 1:
            found.append(f"in {self.bodies} pieces")
        if max(self.size[:2]) > bed:
            found.append(f"{self.size[0]:.0f} x {self.size[1]:.0f} mm does not fit a bed of {bed:.0f} mm")
        if self.volume_cm3 <= 0:
            found.append("inside out")
        if self.leaning_mm2 > 0.5:
            found.append(f"{self.leaning_mm2:.0f} mm2 lean over too far to print without support")
        return found


def parameters(path: Path = STAND / "parameters.scad", variant: str = FIRST) -> dict[str, float]:
    """The sizes of a stand, by name."""
    found = re.findall(r"^(\w+) = ([-\d.]+);", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: float(value) for name, value in found} | variants()[variant]


def variants() -> dict[str, dict[str, float]]:
    """Every stand that can be built, with the sizes in which it differs from parameters.scad."""
    found = tomllib.loads((STAND / "variants.toml").read_text(encoding="utf-8"))
    return {FIRST: {}, **{name: {key: float(value) for key, value in sizes.items()} for name, sizes in found.items()}}


def openscad() -> str | None:
    """The program, where it is installed."""
    return shutil.which("openscad")


def write(source: Path, out: Path, **given: object) -> None:
    """What OpenSCAD makes of a source with these values: an STL, a CSG, an echo."""
    program = openscad()
    if program is None:
        raise FileNotFoundError("openscad is missing: sudo apt install openscad")
    words = [f"-D{name}={value}" for name, value in given.items()]
    done = subprocess.run([program, *words, "-o", str(out), str(source)], capture_output=True, text=True, check=False)
    if done.returncode or "WARNING" in done.stderr or "ERROR" in done.stderr:
        raise RuntimeError(f"openscad {source.name} {given}: {done.stderr.strip()}")


def placements(folder: Path, variant: str = FIRST) -> dict[str, Any]:
    """The assemblies by name, and a few points, as placements.scad says."""
    out = folder / f"placements_{variant}.echo"
    write(STAND / "placements.scad", out, **variants()[variant])
    lines = re.findall(r"^ECHO: (\w+) = (.*)$", out.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: ast.literal_eval(value) for name, value in lines}


def export(
    folder: Path, roundness: int, names: Sequence[str] = (*PARTS, *TUBES, *SHOWN), variant: str = FIRST
) -> dict[str, Mesh]:
    """Every part as triangles; the STL files stay in the folder, and are made anew only where a source changed."""
    folder.mkdir(parents=True, exist_ok=True)
    meshes = {}
    sources = b"".join(path.read_bytes() for path in sorted(STAND.glob("*.scad")) if path.name != "placements.scad")
    for name in names:
        out, known = folder / f"{name}.stl", folder / f"{name}.made_from"
        made_from = hashlib.sha256(sources + repr((name, roundness, variants()[variant])).encode()).hexdigest()
        if not (out.exists() and known.exists() and known.read_text(encoding="ascii") == made_from):
            write(STAND / "part.scad", out, part=f'"{name}"', fn=roundness, **variants()[variant])
            known.write_text(made_from, encoding="ascii")
        meshes[name] = read_stl(out)
    return meshes


def check(name: str, mesh: Mesh, steepest: float) -> Check:
    """Looks one part over."""
    leaning, ceiling = overhang(mesh, steepest)
    x, y, z = (float(v) for v in mesh.size())
    return Check(name, (x, y, z), mesh.volume() / 1000, open_edges(mesh), bodies(mesh), leaning, ceiling)


def placed(meshes: dict[str, Mesh], assembly: Sequence[Placement], explode: float = 0) -> list[tuple[str, str, Mesh]]:
    """Label, part and triangles where they stand."""
    found = []
    for label, part, move, angles, flight in assembly:
        at: Floats = np.array(move, dtype=np.float64) + explode * np.array(flight, dtype=np.float64)
        found.append((label, part, meshes[part].moved(turn((angles[0], angles[1], angles[2])), at)))
    return found


def tilted(
    meshes: dict[str, Mesh], assembly: Sequence[Placement], pivot: Sequence[float], cradle: str, degrees: float
) -> list[tuple[str, str, Mesh]]:
    """The camera's end of the arm with the cradle tilted, its lock bolt with it."""
    about, at = turn((0, degrees, 0)), np.array(pivot, dtype=np.float64)
    found = []
    for label, part, mesh in placed(meshes, assembly):
        if part == "cradle":
            offset = mesh.triangles.reshape(-1, 3).min(0) - meshes["cradle"].triangles.reshape(-1, 3).min(0)
            mesh = Mesh(meshes[cradle].triangles + offset)
        if part in ("cradle", "shown_m4x50"):
            mesh = mesh.moved(np.eye(3), -at).moved(about, at)
        if part in ("cradle", "shown_m4x50", "ear", "tube", "shown_arm", "shown_m5x50_40"):
            found.append((label, part, mesh))
    return found


def intersections(assembly: Sequence[tuple[str, str, Mesh]]) -> Iterator[tuple[str, str, float]]:
    """Pairs of parts that are in each other's way, with the cubic millimetres they share. Needs manifold3d."""
    from manifold3d import Manifold
    from manifold3d import Mesh as Solid

    solids = []
    for label, part, mesh in assembly:
        points, faces = indexed(mesh)
        solid = Manifold(Solid(points.astype(np.float32), faces.astype(np.uint32)))
        corners = mesh.triangles.reshape(-1, 3)
        solids.append((label, part, solid, corners.min(0), corners.max(0)))
    for (name_a, part_a, a, low_a, high_a), (name_b, part_b, b, low_b, high_b) in combinations(solids, 2):
        if _screwed(part_a, part_b) or _screwed(part_b, part_a):
            continue
        if (low_a < high_b).all() and (low_b < high_a).all():
            shared = (a ^ b).volume()
            if shared > TOUCH_MM3:
                yield name_a, name_b, shared


def _screwed(screw: str, into: str) -> bool:
    return screw.startswith("shown_wood_4x") and into in WOODEN


def floating(assembly: Sequence[tuple[str, str, Mesh]], reach_mm: float = 0.6) -> list[str]:
    """Parts that touch no other: grown by the fit between parts, their boxes' solids meet nothing."""
    from manifold3d import Manifold
    from manifold3d import Mesh as Solid

    solids = []
    for label, _, mesh in assembly:
        points, faces = indexed(mesh)
        solids.append((label, Manifold(Solid(points.astype(np.float32), faces.astype(np.uint32)))))
    lonely = []
    for number, (label, solid) in enumerate(solids):
        others = (other for at, (_, other) in enumerate(solids) if at != number)
        if not any(solid.min_gap(other, reach_mm) < reach_mm for other in others):
            lonely.append(label)
    return lonely


BITE = 3.0
"""A wood screw holds once it is this many diameters deep in the last piece it reaches: a joiner's rule of thumb."""
SKIN_MM = 3.0
"""Wood left between its tip and the other side."""


def bad_screws(assembly: Sequence[Placement], meshes: dict[str, Mesh]) -> list[str]:
    """Wood screws that do not reach far enough into a second piece, or come out of it. Needs manifold3d."""
    from manifold3d import Manifold
    from manifold3d import Mesh as Solid

    wooden = []
    for label, _, mesh in placed(meshes, [row for row in assembly if row[1] in WOODEN]):
        points, faces = indexed(mesh)
        wooden.append((label, Manifold(Solid(points.astype(np.float32), faces.astype(np.uint32)))))
    found = []
    for _, part, move, angles, _ in assembly:
        size = re.fullmatch(r"shown_wood_(\d+)x(\d+)", part)
        if size is None:
            continue
        d, length = float(size[1]), float(size[2])
        way, at = turn((angles[0], angles[1], angles[2])), np.array(move, dtype=np.float64)
        where = f"the {d:.0f} x {length:.0f} screw at {', '.join(f'{x:.0f}' for x in move)}"
        # How much of the screw lies in each piece, felt with a needle of a square millimetre.
        depth = dict.fromkeys((label for label, _ in wooden), 0.0)
        for label, solid in wooden:
            depth[label] += (solid ^ _needle(0, length, way, at)).volume()
        last = [label for label, solid in wooden if (solid ^ _needle(length - 1, length, way, at)).volume() > 0.5]
        first = [label for label, solid in wooden if (solid ^ _needle(0.5, 1.5, way, at)).volume() > 0.5]
        if not last:
            found.append(f"{where} ends in no wood")
        elif first == last:
            found.append(f"{where} does not leave the {last[0]}")
        elif (solid_of := dict(wooden)[last[0]]) and (
            solid_of ^ _needle(length, length + SKIN_MM, way, at)
        ).volume() < 2:
            found.append(f"{where} comes out of the {last[0]}")
        elif depth[last[0]] < BITE * d:
            found.append(f"{where} is only {depth[last[0]]:.0f} mm deep in the {last[0]}")
    return found


def _needle(start: float, end: float, way: Floats, at: Floats) -> Any:
    from manifold3d import Manifold

    needle = Manifold.cube((1, 1, end - start)).translate((-0.5, -0.5, start))
    return needle.transform(np.hstack([way, at.reshape(3, 1)]))


def short_bolts(meshes: dict[str, Mesh]) -> list[str]:
    """Bolts whose nut, drawn where what they hold ends, would stand out over their end."""
    found = []
    for name, mesh in meshes.items():
        size = re.match(r"shown_m(\d+)x(\d+)", name)
        reached = float(mesh.triangles[..., 2].max())
        if size and reached > float(size[2]) + 0.05:
            found.append(f"M{size[1]} x {size[2]} ({name}) is {reached - float(size[2]):.1f} mm too short for its nut")
    return found


def run_mm(points: Sequence[Sequence[float]]) -> float:
    """How long a cable is that runs through these points."""
    steps = np.diff(np.array(points, dtype=np.float64), axis=0)
    return float(np.linalg.norm(steps, axis=1).sum())
