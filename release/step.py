"""STEP files beside the STL ones: OpenSCAD writes each part as CSG, FreeCAD makes a solid of it, and that must be valid
and as large as the STL. python -m release.step STL-FOLDER STEP-FOLDER."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from hardware import models
from hardware.stl import read_stl

VOLUME_MOST = 0.005
"""A circle of 48 corners is that much smaller than a round one."""

INSIDE = """
import sys, json
import FreeCAD, Part
wanted = FreeCAD.ParamGet("User parameter:BaseApp/Preferences/Mod/OpenSCAD")
wanted.SetString("openscadexecutable", {openscad!r})
import importCSG
source, target = {source!r}, {target!r}
importCSG.open(source)
doc = FreeCAD.ActiveDocument
doc.recompute()
tops = [o.Shape for o in doc.Objects if hasattr(o, "Shape") and not o.InList and o.Shape.Volume > 0]
shape = tops[0].multiFuse(tops[1:]) if len(tops) > 1 else tops[0] if tops else Part.Shape()
import Mesh
mesh = Mesh.Mesh({stl!r})
if shape.isNull() or not shape.isValid() or len(shape.Solids) != 1 or abs(shape.Volume / mesh.Volume - 1) > {most}:
    # What the import of a part did not make one solid of is made from its triangles: as exact, with flat facets.
    faces = Part.Shape()
    faces.makeShapeFromMesh(mesh.Topology, 0.01)
    shape = Part.makeSolid(faces).removeSplitter()
shape.exportStep(target)
read = Part.read(target)
print("RESULT " + json.dumps({{"valid": bool(read.isValid()), "volume": read.Volume, "solids": len(read.Solids)}}))
"""


SOLIDS = re.compile(r"cylinder|cube|sphere|polyhedron|extrude")


def flattened(csg: str, folder: Path) -> str:
    """Flat hulls and offsets as plain polygons, for which FreeCAD would need an importer that Debian does not have."""
    found = re.search(r"\b(?:hull|offset)\([^)]*\) \{", csg)
    at = 0
    while found:
        start, end, depth = found.start(), found.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(csg[end], 0)
            end += 1
        inside = csg[start:end]
        if SOLIDS.search(inside):
            at = found.end()
        else:
            plain = _polygon(inside, folder)
            csg = csg[:start] + plain + csg[end:]
            at = start + len(plain)
        found = re.compile(r"\b(?:hull|offset)\([^)]*\) \{").search(csg, at)
    return csg


def _polygon(flat: str, folder: Path) -> str:
    source, drawn = folder / "flat.scad", folder / "flat.svg"
    source.write_text(flat, encoding="utf-8")
    models.write(source, drawn)
    outlines = re.findall(r"M ([^Mz]*)z", re.sub(r"\s+", " ", drawn.read_text(encoding="utf-8")))
    if len(outlines) != 1:
        raise RuntimeError(f"a flat shape of {len(outlines)} outlines")
    corners = [tuple(map(float, pair.split(","))) for pair in outlines[0].replace("L", " ").split()]
    for path in (source, drawn):
        path.unlink()
    points = ", ".join(f"[{x:g}, {-y:g}]" for x, y in corners)
    return f"polygon(points = [{points}], paths = undef, convexity = 1);"


def convert(name: str, variant: str, stl: Path, folder: Path) -> tuple[Path, dict[str, float]]:
    """One part, by FreeCAD."""
    program = shutil.which("freecadcmd") or shutil.which("FreeCADCmd")
    if program is None:
        raise FileNotFoundError("freecadcmd is missing: sudo apt install freecad-python3")
    folder.mkdir(parents=True, exist_ok=True)
    csg, step = folder / f"{name}.csg", folder / f"{name}.step"
    models.write(models.STAND / "part.scad", csg, part=f'"{name}"', fn=models.FINE, **models.variants()[variant])
    csg.write_text(flattened(csg.read_text(encoding="utf-8"), folder), encoding="utf-8")
    script = folder / f"{name}.py"
    script.write_text(
        INSIDE.format(source=str(csg), target=str(step), stl=str(stl), most=VOLUME_MOST, openscad=models.openscad()),
        encoding="utf-8",
    )
    done = subprocess.run([program, str(script)], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    for path in (csg, script):
        path.unlink()
    told = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not told:
        raise RuntimeError(f"{name}: FreeCAD says {done.stdout[-400:]} {done.stderr[-400:]}")
    return step, json.loads(told[0].removeprefix("RESULT "))


def main(stl: Path, out: Path) -> int:
    """Every printed part of every stand."""
    wrong = 0
    for variant in models.variants():
        first = variant == models.FIRST
        names = models.PARTS if first else [*models.TUBES, *models.DIFFERENT]
        for name in names:
            folder = "" if first else variant
            source = stl / folder / f"{name}.stl"
            mesh = read_stl(source)
            _, told = convert(name, variant, source, out / folder)
            off = abs(told["volume"] / mesh.volume() - 1)
            good = told["valid"] and told["solids"] == 1 and off < VOLUME_MOST
            wrong += not good
            print(f"{'ok   ' if good else 'WRONG'} {variant} {name}: volume off by {100 * off:.2f} %", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
