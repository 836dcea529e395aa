"""Renders everything in hardware/: python hardware/build.py. See --help; what a missing tool prevents is said."""

import argparse
import csv
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from hardware import (  # noqa: E402
    boards,
    decks,
    diagrams,
    french,
    guide,
    models,
    overview,
    parts,
    pictures,
    printables,
    reaches,
    step_pictures,
    told,
)
from hardware.stl import Mesh  # noqa: E402

HERE = ROOT / "hardware"


class Report:
    """What was done, skipped and found wrong."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.skipped: list[str] = []
        self.started = time.monotonic()

    def say(self, words: str) -> None:
        """A line with the seconds since the start."""
        print(f"{time.monotonic() - self.started:6.1f} s  {words}", flush=True)

    def fault(self, words: str) -> None:
        """Something that must be mended."""
        self.faults.append(words)
        self.say(f"WRONG: {words}")

    def skip(self, what: str, why: str) -> None:
        """Something that a missing tool prevents."""
        self.skipped.append(what)
        self.say(f"skipped: {what}, for {why} is missing")


def drawn_texts() -> dict[Path, str]:
    """The drawings whose words are their own, in both languages."""
    drawn = boards.drawings() | overview.drawings()
    return drawn | {path.with_suffix(".fr.svg"): french.drawing(text) for path, text in drawn.items()}


def texts() -> dict[Path, str]:
    """Every text file that is made from data, with what should stand in it."""
    found = {diagrams.WIRING / f"{name}.yml": text for name, text in diagrams.sources().items()}
    found |= {printables.HERE / f"{name}.svg": text for name, text in printables.sheets().items()}
    found |= parts.orders() | drawn_texts()
    found |= {path: guide.filled(path.read_text(encoding="utf-8"), name) for name, path in guide.paths().items()}
    return found


RENDERED = HERE / "rendered.json"


def fingerprints() -> dict[str, str]:
    """What the committed pictures and diagrams are drawn from, in short."""
    drawn_from = {
        "pictures": [
            *sorted((HERE / "stand").glob("*.scad")),
            HERE / "stand" / "variants.toml",
            HERE / "pictures.py",
            HERE / "render.py",
            HERE / "step_pictures.py",
        ],
        "wiring": sorted(diagrams.WIRING.glob("*.yml")),
    }
    return {
        name: hashlib.sha256(b"".join(p.read_bytes() for p in paths)).hexdigest() for name, paths in drawn_from.items()
    }


def remember(what: str) -> None:
    """Notes that the committed files of this kind are fresh."""
    known = json.loads(RENDERED.read_text(encoding="utf-8")) if RENDERED.exists() else {}
    known[what] = fingerprints()[what]
    RENDERED.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")


def write_texts(report: Report, check: bool) -> None:
    """Sources, sheets and tables; with check only compared."""
    for path, text in texts().items():
        old = path.read_text(encoding="utf-8") if path.exists() else None
        if old != text:
            if check:
                report.fault(f"{path.relative_to(ROOT)} is stale: run python hardware/build.py")
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                report.say(f"wrote {path.relative_to(ROOT)}")


def look_at_texts(report: Report) -> None:
    """What can be told wrong without a model: fuse, programs, order of the steps."""
    pages = guide.pages()
    for why in (
        *boards.faults(),
        *reaches.list_faults(),
        *reaches.text_faults("\n".join(pages.values())),
        *decks.faults(),
        *guide.page_faults(pages),
        *told.faults(pages, parts.BUILDS),
        *(f"{path.name}: {why}" for path, text in drawn_texts().items() for why in overview.wide_words(text)),
    ):
        report.fault(why)


def draw_wiring(report: Report, out: Path, check: bool) -> None:
    """The diagrams as SVG in the tree, as PNG beside the other output."""
    for lack in diagrams.missing():
        report.skip("wiring diagrams", lack)
        return
    for path in diagrams.draw(out / "wiring"):
        if path.stat().st_size < 1000:
            report.fault(f"{path.name} is empty")
        if path.suffix == ".svg" and not check:
            shutil.copy(path, diagrams.WIRING / path.name)
    if not check:
        remember("wiring")
    report.say(f"wiring diagrams: {len(diagrams.sources())}")


def printed_csv(checks: list[models.Check]) -> str:
    """What the guide's list of printed parts is made from."""
    out = io.StringIO()
    pen = csv.writer(out, lineterminator="\n")
    pen.writerow(["part", "x_mm", "y_mm", "z_mm", "solid_cm3", "leaning_mm2", "ceiling_mm2"])
    for check in checks:
        row = [f"{side:.0f}" for side in check.size]
        pen.writerow(
            [check.part, *row, f"{check.volume_cm3:.0f}", f"{check.leaning_mm2:.0f}", f"{check.ceiling_mm2:.0f}"]
        )
    return out.getvalue()


def compare_printed(report: Report, checks: list[models.Check]) -> None:
    """A coarse export may differ from the committed list by what corners take from circles."""
    with parts.PRINTED.open(encoding="utf-8", newline="") as file:
        rows = {row["part"]: row for row in csv.DictReader(file)}
    for check in checks:
        row = rows.get(check.part)
        if row is None:
            report.fault(f"{check.part} is not in {parts.PRINTED.name}: run python hardware/build.py")
            continue
        sizes = [float(row[name]) for name in ("x_mm", "y_mm", "z_mm")]
        if any(abs(old - new) > 2 for old, new in zip(sizes, check.size, strict=True)):
            report.fault(f"{check.part}: the guide says {sizes}, the model is {[round(s) for s in check.size]}")


def tell_faults(
    report: Report,
    variant: str,
    meshes: dict[str, Mesh],
    assemblies: dict[str, Any],
    printed: Sequence[models.Check],
    bed: float,
) -> None:
    """What is wrong with the printed parts of a variant, and with how they are put together."""
    for checked in printed:
        for why in checked.faults(bed):
            report.fault(f"{variant}: {checked.part}: {why}")
    report.say(f"{variant}: {len(printed)} printed parts: manifold, one piece, bed of {bed:.0f} mm, overhangs")
    for why in models.short_bolts(meshes):
        report.fault(f"{variant}: {why}")
    look_over(report, variant, meshes, assemblies)
    for name, lens in (("stand", assemblies["lens"][0]), ("wood", assemblies["wood_lens"])):
        pieces = [piece for piece in models.placed(meshes, assemblies[name]) if piece[0] != "camera"]
        for why in reaches.in_the_picture(pieces, lens):
            report.fault(f"{variant} {name}: {why}")
    for why in reaches.faults(assemblies, variant):
        report.fault(f"{variant}: {why}")
    report.say(f"{variant}: bolts, every cable, what the camera sees, what the clamp bears, how the wood sways")


def draw(
    report: Report, meshes: dict[str, Mesh], assemblies: dict[str, Any], out: Path, coarse: bool, check: bool
) -> None:
    """The pictures of the stand and of every step."""
    drawn_in = out / "pictures" if coarse or check else HERE / "pictures"
    finer = 1 if coarse else 2
    try:
        drawn = pictures.draw_all(meshes, assemblies, drawn_in, finer=finer)
        if check:
            step_pictures.every_piece(meshes, assemblies)
            report.say(f"drew {len(drawn)} pictures; every piece of {len(step_pictures.STEPS)} steps is there")
        else:
            anew, every = step_pictures.draw_steps(meshes, assemblies, drawn_in / "steps", finer)
            report.say(f"drew {len(drawn)} pictures, and of {every} steps {anew} anew, in {drawn_in}")
        if drawn_in == HERE / "pictures":
            remember("pictures")
    except ImportError:
        report.skip("pictures", "pillow (pip install '.[hardware]')")


def build_models(report: Report, out: Path, coarse: bool, check: bool) -> None:
    """STL files, checks, pictures."""
    if models.openscad() is None:
        report.skip("STL, model checks and pictures", "openscad (sudo apt install openscad)")
        return
    roundness = models.COARSE if coarse else models.FINE
    checks: list[models.Check] = []
    for variant in models.variants():
        first = variant == models.FIRST
        sizes = models.parameters(variant=variant)
        folder = out / "stl" if first else out / "stl" / variant
        names = (*models.PARTS, *(() if first else models.TUBES))
        meshes = models.export(folder, roundness, (*names, *models.SHOWN), variant)
        assemblies = models.placements(out, variant)
        mine = [models.check(name, meshes[name], sizes["overhang_max"]) for name in names]
        tell_faults(report, variant, meshes, assemblies, mine, sizes["bed"])
        checks += mine if first else [check for check in mine if check.part in models.TUBES]
        if first:
            keep_runs(report, reaches.cables(assemblies), check or coarse)
        if first:
            draw(report, meshes, assemblies, out, coarse, check)
    if check or coarse:
        compare_printed(report, checks)
    else:
        parts.PRINTED.write_text(printed_csv(checks), encoding="utf-8")


def keep_runs(report: Report, cables: list[tuple[str, str, float, float]], compare: bool) -> None:
    """How far each ribbon and supply runs, for the guide's table."""
    rows = [f"{build},{ref},{far:.0f},{sold:.0f}" for build, ref, far, sold in cables]
    text = "\n".join(["build,ref,runs_mm,sold_mm", *rows]) + "\n"
    if not compare:
        parts.RUNS.write_text(text, encoding="utf-8")
    elif not parts.RUNS.exists() or parts.RUNS.read_text(encoding="utf-8") != text:
        report.fault(f"{parts.RUNS.name} is stale: run python hardware/build.py")


def look_over(report: Report, variant: str, meshes: dict[str, Mesh], assemblies: dict[str, Any]) -> None:
    """Whether any two pieces are in each other's way, whether one floats, and where wood screws end."""
    sizes = models.parameters(variant=variant)
    try:
        for name in ("stand", "panel", "wood", "case_wide"):
            if variant != models.FIRST and name != "stand":
                continue
            placed = models.placed(meshes, assemblies[name])
            for a, b, shared in models.intersections(placed):
                report.fault(f"{variant} {name}: {a} and {b} are in each other's way ({shared:.0f} mm3)")
            for label in models.floating(placed):
                report.fault(f"{variant} {name}: {label} touches nothing")
            for why in models.bad_screws(assemblies[name], meshes):
                report.fault(f"{variant} {name}: {why}")
            report.say(f"{variant} {name}: {len(placed)} pieces, plugs among them: intersecting, floating, screws")
        for cradle in ("cradle", "cradle_hq"):
            for degrees in (-sizes["tilt_max"], sizes["tilt_max"]):
                head = models.tilted(meshes, assemblies["stand"], assemblies["pivot"], cradle, degrees)
                for a, b, shared in models.intersections(head):
                    report.fault(f"{variant} {cradle} at {degrees:.0f} degrees: {a} and {b} meet ({shared:.0f} mm3)")
    except ImportError:
        report.skip("the check for intersections", "manifold3d (pip install '.[hardware]')")


def make_pdfs(report: Report, out: Path) -> None:
    """The sheets as PDF, which printers take at true size."""
    program = shutil.which("rsvg-convert")
    if program is None:
        report.skip("PDF sheets", "rsvg-convert (sudo apt install librsvg2-bin)")
        return
    folder = out / "printables"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in printables.sheets().items():
        size = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm"', text)
        assert size is not None
        # 96 dots an inch is what rsvg takes a millimetre for; the page keeps that size.
        words = [program, "-f", "pdf", "-o", str(folder / f"{name}.pdf"), str(printables.HERE / f"{name}.svg")]
        subprocess.run(words, check=True, capture_output=True)
    report.say(f"sheets as PDF in {folder}")


def main() -> int:
    """The command line."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--coarse", action="store_true", help="round things with few corners: quick, for checks")
    line.add_argument("--check", action="store_true", help="change nothing in the tree, fail on what is stale")
    line.add_argument("--strict", action="store_true", help="a missing tool is a fault")
    line.add_argument("--out", type=Path, default=ROOT / "build" / "hardware", help="where STL, PNG and PDF go")
    given = line.parse_args()
    out = given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    report = Report()
    build_models(report, out, given.coarse, given.check)
    write_texts(report, given.check)
    look_at_texts(report)
    draw_wiring(report, out, given.check)
    make_pdfs(report, out)
    if given.strict and report.skipped:
        report.fault("tools are missing: " + "; ".join(report.skipped))
    report.say(f"{len(report.faults)} wrong, {len(report.skipped)} skipped")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
