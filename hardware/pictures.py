"""Which pictures the guide shows, and the numbers in them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hardware.models import Placement, placed
from hardware.render import Eye, draw, save
from hardware.stl import Mesh

Pieces = list[tuple[str, str, Mesh]]

STAND_ORDER = (
    "clamp", "jaw pad", "pressure foot pad", "pressure foot", "M8 bolt", "knob", "cap", "mast", "arm", "plug",
    "gusset", "saddle", "case base", "Pi", "supply plug", "display bar", "display", "case lid", "button", "ear",
    "cradle", "camera", "clip",
)  # fmt: skip
CASE_ORDER = (
    "saddle",
    "case base",
    "Pi",
    "supply plug",
    "panel's USB plug",
    "display bar",
    "display",
    "case lid",
    "button",
)
PANEL_ORDER = (
    "face",
    "paper legend",
    "wells",
    "carrier with the strip",
    "back",
    "Pico",
    "bar",
    "Pico's USB plug",
    "perforated board",
    "leg",
    "leg pad",
)
WOOD_ORDER = (
    "post", "tongue", "arm", "brace", "angle", "head block", "camera", "Pi Zero", "breadboard", "supply plug",
    "G-clamp",
)  # fmt: skip


def legend(order: Sequence[str]) -> str:
    """What the numbers say."""
    return " · ".join(f"{number} {name}" for number, name in enumerate(order, start=1))


def only(pieces: Pieces, *names: str) -> Pieces:
    """The pieces of these names."""
    return [piece for piece in pieces if piece[0] in names]


def beside(pieces: Pieces, move: tuple[float, float, float]) -> Pieces:
    """The same pieces somewhere else."""
    return [(label, part, mesh.moved(np.eye(3), np.array(move))) for label, part, mesh in pieces]


def draw_all(meshes: dict[str, Mesh], assemblies: dict[str, list[Placement]], folder: Path) -> list[Path]:
    """Every picture of the guide."""
    stand, panel, wood = (placed(meshes, assemblies[name]) for name in ("stand", "panel", "wood"))
    loose = [piece for piece in placed(meshes, assemblies["stand"], 0.62) if piece[0] != "table"]
    panel = [piece for piece in panel if piece[0] != "table"]
    loose_panel = [piece for piece in placed(meshes, assemblies["panel"], 1.0) if piece[0] != "table"]
    open_panel = only(loose_panel, "back", "Pico", "bar", "Pico's USB plug", "perforated board")
    loose_wood = placed(meshes, assemblies["wood"], 0.8)
    clamp = only(stand, "clamp", "jaw pad", "pressure foot pad", "pressure foot", "M8 bolt", "knob", "cap")
    clamp += [piece for piece in stand if piece[1] == "shown_m5x50_44"]
    clamp = [piece for piece in clamp if piece[2].triangles[..., 2].max() < 40]
    head = only(stand, "ear", "cradle", "camera")
    head += [piece for piece in stand if piece[1] in ("shown_m4x50", "shown_m5x50_40", "shown_m2x16")]
    case = only(
        placed(meshes, assemblies["stand"], 0.45),
        *CASE_ORDER,
    )
    drawn = {
        "stand": draw([*stand, *beside(panel, (-40, 215, 0))], Eye(-38, 24), (1000, 840)),
        "exploded": draw(loose, Eye(-50, 18), (860, 1180), STAND_ORDER),
        "clamp": draw(clamp, Eye(-60, 20), (560, 560), STAND_ORDER),
        "head": draw(head, Eye(-60, 22), (560, 420), STAND_ORDER),
        "case": draw(case, Eye(-52, 20), (900, 520), CASE_ORDER),
        "panel": draw(panel, Eye(25, 22), (640, 600)),
        "panel_back": draw(panel, Eye(205, 22), (640, 600), ("leg", "Pico's USB plug", "back")),
        "panel_inside": draw(open_panel, Eye(12, 35), (800, 640), PANEL_ORDER),
        "panel_exploded": draw(loose_panel, Eye(40, 24), (900, 640), PANEL_ORDER),
        "wood": draw(wood, Eye(-48, 16), (720, 860), WOOD_ORDER),
        "wood_exploded": draw(
            [piece for piece in loose_wood if piece[0] != "table"], Eye(-48, 16), (720, 860), WOOD_ORDER
        ),
    }
    found = []
    for name, picture in drawn.items():
        path = folder / f"{name}.png"
        save(picture, path)
        found.append(path)
    return found
