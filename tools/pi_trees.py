"""Trees of Debian to run this project in: one with libcamera, two of a Pi's processor. As root, with the network:

python -m tools.pi_trees
"""

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TREES = Path(os.environ.get("HISABU_TREES") or ROOT / "build/trees")
CAMERA = "trixie-camera"
MAKE = "as root: python -m tools.pi_trees"
ROOMS = ("engine", "vision", "device", "firmware")
LIBCAMERA = (
    "python3-libcamera", "libcamera-ipa", "python3-numpy", "python3-prctl", "python3-pil", "python3-jsonschema",
    "python3-piexif", "python3-libarchive-c", "python3-av", "python3-tqdm",
)  # fmt: skip
OTHERS = ("picamera2", "videodev2", "simplejpeg", "OpenEXR", "opencv-python-headless>=4.10.0.84,<4.12")
STAND_INS = {
    "pykms.py": "from unittest.mock import MagicMock\nPixelFormat = MagicMock()\n",
    "pidng/__init__.py": "",
    "pidng/camdefs.py": "class Picamera2Camera:\n    pass\n",
    "pidng/core.py": "class PICAM2DNG:\n    pass\n",
}
"""What picamera2 imports for pictures on a screen and raw files, neither of which is used."""
VIRTUAL = """\
"Virtual0":
  supported_formats:
  - {width: 1280, height: 960, frame_rates: [10, 60]}
  - {width: 320, height: 240, frame_rates: [10, 60]}
  test_pattern: "bars"
  location: "CameraLocationExternal"
  model: "Virtual Video Device"
"""


@dataclass(frozen=True)
class ArmTree:
    """A Debian for a Pi's processor: its name, its Python, and what apt's picamera2 forces on its libraries."""

    suite: str
    python: str
    constraints: tuple[str, ...] = ()

    @property
    def tree(self) -> Path:
        """Where it lies."""
        return TREES / f"{self.suite}-arm64-python"


# As in release/deb.py: what is on a Pi with Raspberry Pi OS of that year.
ARMS = (ArmTree("bookworm", "3.11", ("numpy<2",)), ArmTree("trixie", "3.13"))


@dataclass(frozen=True)
class Tree:
    """A tree in which a program runs as if it were the whole machine."""

    at: Path

    def copy(self, *files: Path) -> None:
        """The project as it is now, and these files beside it."""
        there = self.at / "opt/hisabu"
        shutil.rmtree(there, ignore_errors=True)
        for room in ROOMS:
            shutil.copytree(ROOT / room, there / room, ignore=shutil.ignore_patterns("__pycache__"))
        for file in files:
            shutil.copy(file, there)

    def run(self, words: list[str], limit_s: float, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs words in it, the project beside them; what they mount and start ends with them."""
        known = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "PYTHONPATH": "/opt/hisabu",
            "HOME": "/tmp",
        }
        inside = [f"{name}={value}" for name, value in (known | environment).items()]
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.at}/proc"]
        return subprocess.run(
            [*alone, "chroot", str(self.at), "env", "-i", *inside, *words],
            capture_output=True, text=True, timeout=limit_s, check=False,
        )  # fmt: skip


@dataclass(frozen=True)
class Emulated:
    """A Python of a Pi's processor, run instruction by instruction."""

    of: ArmTree

    def run(self, words: list[str], limit_s: float, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs its Python with words, on the project as it is."""
        at = self.of.tree
        python = at / f"usr/bin/python{self.of.python}"
        known = {"PYTHONHOME": str(at / "usr"), "PYTHONPATH": f"{ROOT}:{at / 'usr/lib/hisabu'}"}
        return subprocess.run(
            ["qemu-aarch64-static", "-L", str(at), str(python), *words], cwd=ROOT,
            env={**os.environ, **known, **environment},
            capture_output=True, text=True, timeout=limit_s, check=False,
        )  # fmt: skip


def camera_tree() -> Tree:
    """The tree with picamera2; the test is skipped where there is none."""
    if os.geteuid() != 0:
        pytest.skip("a tree is entered as root")
    if not (TREES / CAMERA / "made").is_file():
        pytest.skip(f"no tree with libcamera: {MAKE}")
    return Tree(TREES / CAMERA)


def arm_python(arm: ArmTree) -> Emulated:
    """The Python of a Pi's processor; the test is skipped where there is none."""
    if shutil.which("qemu-aarch64-static") is None:
        pytest.skip("no qemu-aarch64-static: sudo apt install qemu-user-static")
    if not (arm.tree / "made").is_file():
        pytest.skip(f"no Python of {arm.suite} for arm64: {MAKE}")
    return Emulated(arm)


def main() -> None:
    """Makes what is missing."""
    TREES.mkdir(parents=True, exist_ok=True)
    if not (TREES / CAMERA / "made").is_file():
        make_camera_tree(TREES / CAMERA)
    for arm in ARMS:
        if not (arm.tree / "made").is_file():
            make_arm_tree(arm)


def make_camera_tree(at: Path) -> None:
    """Debian's libcamera and what picamera2 needs; itself from PyPI."""
    run("debootstrap", "--variant=minbase", "--include=python3", "trixie", str(at), mirror())
    shutil.copy("/etc/resolv.conf", at / "etc/resolv.conf")
    shutil.copytree("/etc/apt/apt.conf.d", at / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    install = f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {' '.join(LIBCAMERA)}"
    run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={at}/proc", "chroot", str(at), "sh", "-c", install)
    packages = at / "usr/local/lib/python3.13/dist-packages"
    wheels(packages, "3.13", "x86_64", *OTHERS, alone=True)
    for name, text in STAND_INS.items():
        (packages / name).parent.mkdir(exist_ok=True)
        (packages / name).write_text(text)
    settings = at / "usr/share/libcamera/pipeline/virtual/virtual.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(VIRTUAL)
    (at / "made").touch()


def make_arm_tree(arm: ArmTree) -> None:
    """Debian's Python for arm64, its packages only unpacked: none of them has to run for that."""
    at = arm.tree
    run(
        "debootstrap", "--foreign", "--arch=arm64", "--variant=minbase", "--include=python3",
        arm.suite, str(at), mirror(),
    )  # fmt: skip
    for package in sorted((at / "var/cache/apt/archives").glob("*.deb")):
        run("dpkg-deb", "-x", str(package), str(at))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *arm.constraints, "pytest>=8,<10", "hypothesis>=6.100,<7"]
    wheels(at / "usr/lib/hisabu", arm.python, "aarch64", *wanted)
    (at / "made").touch()


def wheels(into: Path, python: str, machine: str, *wanted: str, alone: bool = False) -> None:
    """Packages of another Python, or another processor, as their wheels are."""
    platforms = [f"--platform={glibc}_{machine}" for glibc in ("manylinux_2_28", "manylinux_2_17", "manylinux2014")]
    run(
        sys.executable, "-m", "pip", "install", "--quiet", "--target", str(into), f"--python-version={python}",
        *platforms, "--only-binary=:all:", *(["--no-deps"] if alone else []), *wanted,
    )  # fmt: skip


def mirror() -> str:
    """Where this machine has its own packages from."""
    for file in [*Path("/etc/apt/sources.list.d").glob("*.sources"), Path("/etc/apt/sources.list")]:
        for line in file.read_text().splitlines() if file.is_file() else ():
            first, *rest = line.split() or [""]
            found = [word for word in rest if word.startswith("http")]
            if first in ("URIs:", "deb") and found:
                return found[0]
    return "http://deb.debian.org/debian"


def run(*words: str) -> None:
    """A command that must succeed."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    subprocess.run(words, check=True, env=environment)


if __name__ == "__main__":
    main()
