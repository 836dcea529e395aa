"""STEP files beside the STL ones: OpenSCAD writes each part as CSG, FreeCAD makes a solid of it, and that must be valid
and as large as the STL. python -m release.step STL-FOLDER STEP-FOLDER."""

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
doc = importCSG.open(source) or FreeCAD.ActiveDocument
doc = FreeCAD.ActiveDocument
doc.recompute()
tops = [o for o in doc.Objects if hasattr(o, "Shape") and not o.InList and o.Shape.Volume > 0]
shape = tops[0].Shape if len(tops) == 1 else tops[0].Shape.multiFuse([o.Shape for o in tops[1:]])
shape.exportStep(target)
read = Part.read(target)
print("RESULT " + json.dumps({{"valid": bool(read.isValid()), "volume": read.Volume, "solids": len(read.Solids)}}))
"""


def convert(name: str, variant: str, folder: Path) -> tuple[Path, dict[str, float]]:
    """One part, by FreeCAD."""
    import json

    program = shutil.which("freecadcmd") or shutil.which("FreeCADCmd")
    if program is None:
        raise FileNotFoundError("freecadcmd is missing: sudo apt install freecad-python3")
    folder.mkdir(parents=True, exist_ok=True)
    csg, step = folder / f"{name}.csg", folder / f"{name}.step"
    models.write(models.STAND / "part.scad", csg, part=f'"{name}"', fn=models.FINE, **models.variants()[variant])
    script = folder / f"{name}.py"
    script.write_text(INSIDE.format(source=str(csg), target=str(step), openscad=models.openscad()), encoding="utf-8")
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
            mesh = read_stl(stl / folder / f"{name}.stl")
            _, told = convert(name, variant, out / folder)
            off = abs(told["volume"] / mesh.volume() - 1)
            good = told["valid"] and told["solids"] == 1 and off < VOLUME_MOST
            wrong += not good
            print(f"{'ok   ' if good else 'WRONG'} {variant} {name}: volume off by {100 * off:.2f} %", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
