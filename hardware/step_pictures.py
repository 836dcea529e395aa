"""The picture of each step of the guide: what was there before in pale, what the step adds in colour, flying to its place.
Only what changed is drawn anew: a picture is known by what it is drawn from."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from hardware import models
from hardware.models import Placement
from hardware.render import Eye, draw, save
from hardware.stl import Floats, Mesh, turn

HERE = Path(__file__).parent
FOLDER = HERE / "pictures" / "steps"
AREA_PX = 640 * 460
WIDEST_PX, TALLEST_PX = 760, 640
KNOWN = "drawn.json"
Piece = tuple[str, str, Mesh, Floats]
"""Label, part, triangles where they fly, and how far from their place."""


@dataclass(frozen=True)
class StepPicture:
    """A step's picture: of which assembly, what is new (labels, parts, or "name#first:last" of them in their order), what
    was there before, from where it is seen. Flight 0 leaves the new pieces in their place."""

    assembly: str
    new: tuple[str, ...]
    before: tuple[str, ...]
    eye: Eye
    flight: float = 0.35
    cables: tuple[tuple[str, str, int], ...] = ()
    """Cables to draw: the name of their points, colour, and which of several."""


WOOD_EYE = Eye(-40, 16)
POST = ("post", "second batten", "shown_wood_4x35#0:4")
ARM = ("arm", "angle#1:2", "shown_wood_4x16#4:8", "shown_wood_4x35#4:6")
BRACE = ("brace", "shown_wood_4x60")
TONGUE = ("tongue", "angle#0:1", "shown_wood_4x16#0:4")
HEAD = ("head block", "shown_wood_4x40")
WOOD = (*POST, *ARM, *BRACE, *TONGUE, *HEAD)
CLAMP = ("clamp", "jaw pad", "pressure foot pad", "pressure foot", "M8 bolt", "knob")
MAST = ("mast", "plug#1:2", "plug#0:1", "cap", "shown_m5x50_44")
CORNER = ("arm", "plug#2:4", "gusset", "shown_m5x50_42")
SADDLE = ("saddle", "shown_m5x50_41")
TILT = ("ear", "cradle", "shown_m5x50_40", "shown_m4x50")
BASE = ("case base", "shown_m4x16", "Pi")
EYE_PARTS = ("camera", "shown_m2x16", "clip#2:3")
LID = ("case lid", "display", "display bar", "button")
STAND = (
    *CLAMP,
    *MAST,
    *CORNER,
    *SADDLE,
    *TILT,
    *BASE,
    *EYE_PARTS,
    *LID,
    "wires on the header",
    "supply plug",
    "panel's USB plug",
)
CASE_EYE = Eye(-52, 20)
BACK = ("back", "Pico", "bar", "Pico's USB plug", "perforated board")
FRONT = ("face", "paper legend", "wells", "carrier with the strip")

STEPS: dict[str, StepPicture] = {
    "laptop_1": StepPicture("laptop", ("boom arm",), ("table",), Eye(-60, 16)),
    "laptop_2": StepPicture("laptop", ("webcam",), ("table", "boom arm"), Eye(-60, 12)),
    "laptop_3": StepPicture("laptop", ("laptop", "extension lead"), ("table", "boom arm", "webcam"), Eye(-30, 14), 0.0, cables=(("boom_cable", "cable", 0),)),
    "laptop_4": StepPicture("laptop", ("laptop",), ("table",), Eye(-24, 26), 0.0),
    "laptop_5": StepPicture("laptop", ("card", "webcam"), ("table", "boom arm", "laptop"), Eye(-28, 30), 0.0),
    "laptop_6": StepPicture("laptop", ("boom arm", "webcam", "laptop", "card"), ("table", "extension lead"), Eye(-40, 22), 0.0, cables=(("boom_cable", "cable", 0),)),
    "minimal_1": StepPicture("zero_bench", ("microSD card", "supply plug"), ("Pi Zero",), Eye(-60, 40), 0.5),
    "minimal_2": StepPicture("cuts", ("post", "second batten", "arm", "brace", "tongue", "head block"), (), Eye(-70, 38), 0.0),
    "minimal_3": StepPicture("wood", POST, (), WOOD_EYE, 0.6),
    "minimal_4": StepPicture("wood", ARM, POST, WOOD_EYE, 0.8),
    "minimal_5": StepPicture("wood", BRACE, (*POST, *ARM), WOOD_EYE, 1.0),
    "minimal_6": StepPicture("wood", TONGUE, (*POST, *ARM, *BRACE), WOOD_EYE, 0.8),
    "minimal_7": StepPicture("wood", HEAD, (*POST, *ARM, *BRACE, *TONGUE), Eye(-40, -14), 0.8),
    "minimal_8": StepPicture("wood", ("G-clamp",), (*WOOD, "table"), WOOD_EYE, 0.6),
    "minimal_9": StepPicture("wood", ("Pi Zero", "breadboard"), WOOD, Eye(-60, 14), 0.7),
    "minimal_10": StepPicture("wood", ("camera", "shown_m2x30"), (*HEAD, *ARM, "Pi Zero"), Eye(-44, -18), 0.6, cables=(("ribbons", "ribbon", 1),)),
    "minimal_11": StepPicture("wood", ("supply plug",), (*WOOD, "G-clamp", "table", "Pi Zero", "breadboard", "camera"), Eye(-64, 10), 0.0, cables=(("supplies", "supply", 1),)),
    "minimal_16": StepPicture("wood", ("Pi Zero", "breadboard", "camera"), (*WOOD, "G-clamp", "table"), Eye(-64, 16), 0.0),
    "minimal_17": StepPicture("wood", ("Pi Zero", "breadboard", "camera", "G-clamp", *WOOD), ("table",), Eye(-48, 22), 0.0),
    "standard_1": StepPicture("pi_bench", ("microSD card", "supply plug"), ("Pi",), Eye(-60, 40), 0.5),
    "standard_2": StepPicture("bed", ("printed",), (), Eye(-80, 50), 0.0),
    "standard_3": StepPicture("jig", ("arm", "drill_jig", "plug"), (), Eye(-60, 24), 0.0),
    "standard_4": StepPicture("stand", CLAMP, (), Eye(-60, 20), 0.5),
    "standard_5": StepPicture("stand", MAST, (*CLAMP, "table"), Eye(-60, 18), 0.6),
    "standard_6": StepPicture("stand", CORNER, MAST, Eye(-50, 18), 0.5),
    "standard_7": StepPicture("stand", SADDLE, ("arm", "gusset"), Eye(-50, 24), 0.4),
    "standard_8": StepPicture("stand", TILT, ("arm", "saddle"), Eye(-56, 18), 0.5),
    "standard_9": StepPicture("stand", BASE, ("saddle", "arm"), CASE_EYE, 0.4),
    "standard_10": StepPicture("stand", EYE_PARTS, (*TILT, "arm", "saddle", "case base", "Pi"), Eye(-50, -12), 0.4, cables=(("ribbons", "ribbon", 0),)),
    "standard_11": StepPicture("stand", LID, ("case base", "Pi", "saddle"), Eye(40, 20), 0.4),
    "standard_13": StepPicture("stand", ("wires on the header", "Pi", "case base"), ("saddle", "arm"), Eye(-32, 24), 0.0),
    "standard_14": StepPicture("stand", ("case lid", "button", "supply plug"), ("table", *(part for part in STAND if part not in ("case lid", "button", "supply plug"))), Eye(-58, 14), 0.0, cables=(("supplies", "supply", 0),)),
    "standard_15": StepPicture("panel", ("Pico", "Pico's USB plug"), (), Eye(10, 40), 0.4),
    "standard_16": StepPicture("panel", ("face", "paper legend", "wells"), (), Eye(36, 22), 0.6),
    "standard_17": StepPicture("carrier_bench", ("strip",), ("carrier",), Eye(-70, 48), 0.5),
    "standard_19": StepPicture("panel", ("Pico", "bar", "Pico's USB plug", "perforated board"), ("back",), Eye(12, 35), 1.0),
    "standard_20": StepPicture("panel", ("leg", "leg pad", *FRONT), BACK, Eye(150, 22), 0.5),
    "standard_21": StepPicture("room", ("panel",), ("rest",), Eye(-58, 20), 0.0, cables=(("to_the_panel", "cable", 0), ("to_the_panel", "supply", 1))),
    "standard_22": StepPicture("room", ("panel", "rest"), ("table",), Eye(-38, 24), 0.0),
    "tournament_1": StepPicture("pi_bench", ("Pi", "microSD card", "supply plug"), (), Eye(-60, 40), 0.4),
    "tournament_2": StepPicture("case_wide", ("case lid", "display", "display bar", "button"), ("case base",), Eye(40, 20), 1.0),
    "tournament_3": StepPicture("room", ("rest",), ("panel",), Eye(-58, 20), 0.0, cables=(("to_the_panel", "cable", 0), ("to_the_panel", "supply", 1), ("supplies", "supply", 0))),
    "tournament_4": StepPicture("room", ("panel", "rest"), ("table",), Eye(-30, 30), 0.0),
}  # fmt: skip
"""Each picture by the page and the number of its step. Steps on boards have drawings of their own (wiring/)."""


def tube(points: Sequence[Sequence[float]], width: float = 6.0) -> Mesh:
    """A cable through these points, square for the picture's sake."""
    every = []
    for a, b in pairwise(points):
        start, end = np.array(a, float), np.array(b, float)
        way = end - start
        far = float(np.linalg.norm(way))
        if far < 1e-6:
            continue
        ahead = way / far
        aside = np.cross(ahead, [0, 0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0, 0])
        aside = aside / np.linalg.norm(aside) * width / 2
        up = np.cross(ahead, aside)
        ring = [aside + up, -aside + up, -aside - up, aside - up]
        corners = [start - ahead * width / 2 + edge for edge in ring] + [
            end + ahead * width / 2 + edge for edge in ring
        ]
        quads = [(0, 1, 2, 3), (7, 6, 5, 4), *((n, n + 4, (n + 1) % 4 + 4, (n + 1) % 4) for n in range(4))]
        every += [[corners[p], corners[q], corners[r]] for p, q, r, s in quads]
        every += [[corners[p], corners[r], corners[s]] for p, q, r, s in quads]
    return Mesh(np.array(every))


def chosen(rows: Sequence[Placement], names: Sequence[str]) -> list[int]:
    """The places in an assembly of the pieces that are meant."""
    found = []
    for name in names:
        plain, _, some = name.partition("#")
        mine = [at for at, row in enumerate(rows) if plain in (row[0], row[1])]
        if some:
            first, last = map(int, some.split(":"))
            mine = mine[first:last]
        if not mine:
            raise ValueError(f"no piece {name}")
        found += mine
    return found


def benches(meshes: Mapping[str, Mesh], assemblies: Mapping[str, Any]) -> dict[str, list[Placement]]:
    """Assemblies that only pictures need: sawn wood in a row, printed parts on a bed, the drilling jig, the whole room."""
    still = [0.0, 0.0, 0.0]
    wooden = [row for row in assemblies["wood"] if row[1] in models.WOODEN]
    cuts = [(row[0], row[1], [0.0, 60.0 * n, 0.0], still, still) for n, row in enumerate(wooden)]
    bed: list[Placement] = []
    x, y, deep = 0.0, 0.0, 0.0
    for part, (_, material, _) in models.PARTS.items():
        if material.startswith("PETG") and part in meshes:
            low, size = meshes[part].triangles.reshape(-1, 3).min(0), meshes[part].size()
            if x + size[0] > 520:
                x, y, deep = 0.0, y + deep + 14, 0.0
            bed.append(("printed", part, [x - low[0], y - low[1], -low[2]], still, still))
            x, deep = x + float(size[0]) + 14, max(deep, float(size[1]))
    jig: list[Placement] = [
        ("arm", "shown_arm", [0.0, 0.0, 0.0], still, still),
        ("drill_jig", "drill_jig", [403.0, 0.0, 12.5], [0.0, -90.0, 0.0], still),
        ("plug", "plug", [-190.0, 0.0, 2.0], still, still),
    ]
    away = [-40.0, 215.0, 0.0]
    room = [("table" if row[0] == "table" else "rest", *row[1:]) for row in assemblies["stand"]]
    room += [
        ("panel", row[1], [a + b for a, b in zip(row[2], away, strict=True)], *row[3:])
        for row in assemblies["panel"]
        if row[0] != "table"
    ]
    return {"cuts": cuts, "bed": bed, "jig": jig, "room": room}


def drawn_from(step: StepPicture, meshes: Mapping[str, Mesh], assemblies: Mapping[str, Any]) -> str:
    """A picture's own print: what it shows, where, and how it is drawn."""
    digest = hashlib.sha256(repr(step).encode())
    for source in ("render.py", "step_pictures.py"):
        # A comment changed is no other picture; the steps themselves are in the line above.
        text = (HERE / source).read_text(encoding="utf-8")
        digest.update(re.sub(r"STEPS: dict.*?# fmt: skip", "", text, flags=re.DOTALL).encode())
    rows = assemblies[step.assembly]
    for at in chosen(rows, (*step.new, *step.before)):
        digest.update(repr(rows[at]).encode())
        digest.update(np.round(meshes[rows[at][1]].triangles, 3).tobytes())
    for name, _, which in step.cables:
        digest.update(repr(assemblies[name]).encode() + bytes([which]))
    return digest.hexdigest()[:16]


def picture(step: StepPicture, meshes: Mapping[str, Mesh], assemblies: Mapping[str, Any], finer: int) -> Any:
    """One step, drawn."""
    rows = assemblies[step.assembly]
    new, before = chosen(rows, step.new), chosen(rows, step.before)
    pieces, paths = [], []
    for at in (*before, *(number for number in new if number not in before)):
        label, part, move, angles, flight = rows[at]
        away = (step.flight if at in new else 0.0) * np.array(flight, float)
        mesh = meshes[part].moved(turn((angles[0], angles[1], angles[2])), np.array(move, float) + away)
        pieces.append((label, part, mesh))
        if np.linalg.norm(away) > 12:
            corners = mesh.triangles.reshape(-1, 3)
            middle = (corners.min(0) + corners.max(0)) / 2
            paths.append((middle, middle - away))
    pale = set(range(len(before)))
    for name, colour, which in step.cables:
        points = assemblies[name]
        if name == "to_the_panel":
            points = points[which][1]
        elif name in ("ribbons", "supplies"):
            points = points[which]
        pieces.append(("cable", colour, tube([[x, y - 16, z] for x, y, z in points], 9 if colour == "ribbon" else 12)))
    return draw(pieces, step.eye, fitting(pieces, step.eye), pale=pale, paths=paths, finer=finer)


def fitting(pieces: Sequence[tuple[str, str, Mesh]], eye: Eye) -> tuple[int, int]:
    """Width and height of a picture that what it shows just fills."""
    flat = np.concatenate([mesh.triangles.reshape(-1, 3) for _, _, mesh in pieces]) @ eye.axes().T
    wide, high = (flat.max(0) - flat.min(0))[:2]
    shape = float(np.clip(wide / high, 0.6, 2.2))
    width = min((AREA_PX * shape) ** 0.5, WIDEST_PX, TALLEST_PX * shape)
    return round(width), round(width / shape)


def every_piece(meshes: Mapping[str, Mesh], assemblies: Mapping[str, Any]) -> int:
    """Whether each step's pieces are in the models (ValueError where one is not); how many pieces there are."""
    every = {**assemblies, **benches(meshes, assemblies)}
    return sum(len(chosen(every[step.assembly], (*step.new, *step.before))) for step in STEPS.values())


def draw_steps(
    meshes: Mapping[str, Mesh], assemblies: Mapping[str, Any], folder: Path, finer: int = 2
) -> tuple[int, int]:
    """Draws what changed into the folder: how many pictures were drawn, and how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    about = folder / KNOWN
    known: dict[str, str] = json.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
    every = {**assemblies, **benches(meshes, assemblies)}
    drawn = 0
    for name, step in STEPS.items():
        path, print_of_it = folder / f"{name}.png", drawn_from(step, meshes, every)
        if known.get(name) != print_of_it or not path.exists():
            save(picture(step, meshes, every, finer), path)
            known[name] = print_of_it
            drawn += 1
    for path in folder.glob("*.png"):
        if path.stem not in STEPS:
            path.unlink()
    about.write_text(json.dumps({name: known[name] for name in STEPS}, indent=2) + "\n", encoding="utf-8")
    return drawn, len(STEPS)
