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
    "post", "second batten", "tongue", "arm", "brace", "angle", "head block", "camera", "Pi Zero", "breadboard",
    "supply plug", "G-clamp",
)  # fmt: skip


def legend(order: Sequence[str]) -> str:
    """What the numbers say."""
    return " · ".join(f"{number} {name}" for number, name in enumerate(order, start=1))


def beside(pieces: Pieces, move: tuple[float, float, float]) -> Pieces:
    """The same pieces somewhere else."""
    return [(label, part, mesh.moved(np.eye(3), np.array(move))) for label, part, mesh in pieces]


def draw_all(
    meshes: dict[str, Mesh], assemblies: dict[str, list[Placement]], folder: Path, finer: int = 2
) -> list[Path]:
    """The pictures of whole assemblies; those of the steps stand in step_pictures.py."""
    stand, panel = (placed(meshes, assemblies[name]) for name in ("stand", "panel"))
    loose = [piece for piece in placed(meshes, assemblies["stand"], 0.62) if piece[0] != "table"]
    panel = [piece for piece in panel if piece[0] != "table"]
    loose_panel = [piece for piece in placed(meshes, assemblies["panel"], 1.0) if piece[0] != "table"]
    loose_wood = placed(meshes, assemblies["wood"], 0.8)
    drawn = {
        "stand": draw([*stand, *beside(panel, (-40, 215, 0))], Eye(-38, 24), (1000, 840), finer=finer),
        "exploded": draw(loose, Eye(-50, 18), (860, 1180), STAND_ORDER, finer=finer),
        "panel_exploded": draw(loose_panel, Eye(40, 24), (900, 640), PANEL_ORDER, finer=finer),
        "wood_exploded": draw(
            [piece for piece in loose_wood if piece[0] != "table"], Eye(-48, 16), (720, 860), WOOD_ORDER, finer=finer
        ),
    }
    found = []
    for name, picture in drawn.items():
        path = folder / f"{name}.png"
        save(picture, path)
        found.append(path)
    return found
