"""Everything a release consists of, into dist/: wheel, source, four Debian packages, printable parts, a list of what is
inside (SBOM), checksums. python -m release.build; .ci/release runs it in a clean environment."""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from release import deb

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ("README*.md", "guide/*.md", "pictures/*.png", "pictures/steps/*.png", "wiring/*.svg", "printables/*.svg")
"""What the guide is read with, without a network: pages and what they show."""
TRAINING = "vision/training/"
ROOMS = ("engine", "vision", "device", "firmware")


def version_of(wheel: Path) -> str:
    """What the wheel calls itself: by the newest tag; beyond it, a development version of what comes next."""
    return wheel.name.split("-")[1]


def run(*words: str, where: Path = ROOT) -> None:
    """A command that must succeed."""
    subprocess.run(words, cwd=where, check=True)


def wheel_and_source(out: Path) -> Path:
    """`python -m build`; the wheel is looked through."""
    run(sys.executable, "-m", "build", "--outdir", str(out), str(ROOT))
    wheel = next(out.glob("hisabu-*.whl"))
    if wrong := wheel_faults(wheel):
        raise SystemExit("the wheel: " + "; ".join(wrong))
    return wheel


def wheel_faults(wheel: Path) -> list[str]:
    """Files of the rooms that a wheel lacks, and training code that it has."""
    inside = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.run(["git", "ls-files", *ROOMS], cwd=ROOT, check=True, capture_output=True, text=True)
    tracked = [name for name in listed.stdout.splitlines() if not name.startswith(TRAINING)]
    missing = [name for name in tracked if name not in inside and Path(name).name != "README.md"]
    training = [name for name in inside if name.startswith((TRAINING, "tests/", "hardware/", "release/"))]
    found = [f"{name} is missing" for name in missing] + [f"{name} has no place in it" for name in training]
    return found + [f"{room}/py.typed is missing" for room in ROOMS if f"{room}/py.typed" not in inside]


def hardware(out: Path, work: Path, tag: str) -> None:
    """STL and STEP of every printed part, the sheets as PDF, the order lists."""
    made = work / "hardware"
    run(sys.executable, "hardware/build.py", "--out", str(made), "--check", "--strict")
    run(sys.executable, "-m", "release.step", str(made / "stl"), str(made / "step"))
    folders = {
        "stl": made / "stl",
        "step": made / "step",
        "sheets": made / "printables",
        "orders": ROOT / "hardware/orders",
    }
    with zipfile.ZipFile(out / f"hisabu-hardware-{tag}.zip", "w", zipfile.ZIP_DEFLATED) as file:
        for name, folder in folders.items():
            for path in sorted(folder.rglob("*")):
                if path.is_file() and not path.stem.startswith("shown_") and path.suffix != ".made_from":
                    file.write(path, f"{name}/{path.relative_to(folder)}")
        for name in ("okh.toml", "hardware/CERN-OHL-S-2.0.txt", "hardware/LICENSE.md"):
            file.write(ROOT / name, Path(name).name)
        shown = [path for name in GUIDE for path in sorted((ROOT / "hardware").glob(name)) if path.suffix != ".yml"]
        for path in shown:
            file.write(path, str(path.relative_to(ROOT / "hardware")))


def bill_of_materials(wheel: Path, out: Path, tag: str) -> Path:
    """A CycloneDX list of the program and everything it brings, from an environment with nothing else in it."""
    path = out / f"hisabu-{tag}.cdx.json"
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "venv", "--without-pip", folder)
        python = str(Path(folder) / "bin" / "python")
        run(
            sys.executable,
            "-m",
            "pip",
            "--python",
            python,
            "install",
            "--quiet",
            "--disable-pip-version-check",
            f"{wheel}[hall]",
        )
        tool = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--of", "JSON"]
        run(*tool, "-o", str(path), python)
    listed = {load["name"] for load in json.loads(path.read_text(encoding="utf-8"))["components"]}
    if not {"hisabu", "numpy", "opencv-python-headless", "networkx"} <= listed:
        raise SystemExit(f"the SBOM lists only {sorted(listed)}")
    return path


def checksums(out: Path) -> Path:
    """SHA256SUMS, as sha256sum --check reads it."""
    lines = []
    for path in sorted(out.iterdir()):
        if path.is_file() and path.name not in ("SHA256SUMS", "SHA256SUMS.sig"):
            lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
    sums = out / "SHA256SUMS"
    sums.write_text("".join(lines), encoding="utf-8")
    return sums


def notes(tag: str) -> str:
    """What the changelog says of a version: a release without that is none."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    coming, dev, _ = tag.partition(".dev")  # Of what comes next the section is called so, or by its version already.
    title = "Unreleased" if dev and f"## {coming}\n" not in text else coming
    found = re.search(rf"^## {re.escape(title)}\s.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise SystemExit(f"CHANGELOG.md says nothing of {title}")
    return found[0]


def main() -> int:
    """The command line."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--out", type=Path, default=ROOT / "dist")
    line.add_argument("--only", choices=("python", "deb", "hardware", "sbom"), action="append", help="not all of it")
    line.add_argument("--target", action="append", help="deb12_amd64 and the like; otherwise all four")
    line.add_argument("--wheel", type=Path, help="of the program, already built: a release packed again")
    line.add_argument("--revision", type=int, default=1, help="of the Debian packages; 2 when packed again, and so on")
    line.add_argument("--wheels", type=Path, help="a folder with wheels_deb12_amd64.txt and so on: pack exactly those")
    line.add_argument(
        "--key", type=Path, help="signs it: openssl genpkey -algorithm ed25519 -out KEY.pem; keep it safe"
    )
    line.add_argument("--address", default="", help="where the release will be: its devices look there for newer ones")
    given = line.parse_args()
    parts = given.only or ["python", "deb", "hardware", "sbom"]
    out = given.out.resolve()
    key = given.key and given.key.resolve()
    packing = deb.Packing(given.revision, given.wheels and given.wheels.resolve(), key, given.address)
    ready = given.wheel and given.wheel.resolve()
    if any(place is not None and place.is_relative_to(out) for place in (ready, packing.wheels)):
        line.error(f"{out} is made anew: copy what you take from it to another place first")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    wheel = ready or wheel_and_source(out)
    tag = version_of(wheel)
    (out / "NOTES.md").write_text(notes(tag), encoding="utf-8")
    work = ROOT / "build" / "release"
    work.mkdir(parents=True, exist_ok=True)
    if "deb" in parts:
        for target in deb.TARGETS:
            if not given.target or f"{target.label}_{target.processor}" in given.target:
                print(deb.build(wheel, tag, target, work, out, ROOT, packing).name, flush=True)
    if "hardware" in parts:
        hardware(out, work, tag)
    if "sbom" in parts:
        bill_of_materials(wheel, out, tag)
    sums = checksums(out)
    if key:
        deb.sign(sums, key)
    print(sums.read_text(encoding="utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
