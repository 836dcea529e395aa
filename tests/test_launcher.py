"""./hisabu on a machine that has nothing yet: what it makes, what it says, what it leaves behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOWHERE = {
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_EXTRA_INDEX_URL": "", "PIP_RETRIES": "0",
    "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1",
}  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The launcher and the metadata alone, with a name that a careless script would trip over."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    for name in ("hisabu", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    return folder


def launch(checkout: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [checkout / "hisabu", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def in_place_of_python(folder: Path, script: str) -> str:
    """A PATH on which this script is python3. {python} in it: the true one."""
    python = folder / "bin/python3"
    python.parent.mkdir()
    python.write_text(script.format(python=sys.executable))
    python.chmod(0o755)
    return f"{python.parent}:{os.environ['PATH']}"


BORROWS_PIP = """#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then shift 2; exec {python} -m venv --without-pip --system-site-packages "$@"; fi
exec {python} "$@"
"""
"""A pip of its own would take ten seconds to unpack."""


def test_without_a_network_it_says_so_and_leaves_nothing(checkout: Path, tmp_path: Path) -> None:
    ran = launch(checkout, "demo", PATH=in_place_of_python(tmp_path, BORROWS_PIP), **NOWHERE)
    assert ran.returncode == 1
    assert "Is the network there?" in ran.stderr
    assert not (checkout / ".venv").exists()


IN_32_BITS = """#!/bin/sh
if [ "$1" = -c ]; then exec {python} -c 'import sys; sys.maxsize = 2**31 - 1; exec(sys.argv.pop(1))' "$2"; fi
exec {python} "$@"
"""


def test_a_32_bit_system_is_refused_in_the_first_second_with_what_to_install(checkout: Path, tmp_path: Path) -> None:
    ran = launch(checkout, "demo", PATH=in_place_of_python(tmp_path, IN_32_BITS), **NOWHERE)
    assert ran.returncode == 1
    assert ran.stderr == (
        "hisabu: this is a 32-bit system: install Raspberry Pi OS (64-bit), for a Zero 2 W and every Pi from the 3 on\n"
    )
    assert not (checkout / ".venv").exists()


def test_so_it_is_where_it_was_installed_by_hand() -> None:
    first = "import sys; sys.maxsize = 2**31 - 1; sys.modules.update(numpy=None, cv2=None)"
    started = f"{first}; from device.cli import main; sys.exit(main(['demo']))"
    ran = subprocess.run([sys.executable, "-c", started], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and "Raspberry Pi OS (64-bit)" in ran.stderr and "Traceback" not in ran.stderr


def fake_install(checkout: Path) -> None:
    """A .venv as the launcher leaves it, whose console script repeats its words."""
    bin_folder = checkout / ".venv" / "bin"
    bin_folder.mkdir(parents=True)
    for name in ("hisabu", "python"):
        (bin_folder / name).write_text(f'#!/bin/sh\necho {name} "$@"\n')
        (bin_folder / name).chmod(0o755)
    sums = subprocess.run(
        ["cksum"], stdin=(checkout / "pyproject.toml").open(), capture_output=True, text=True, check=True
    )
    (checkout / ".venv" / "hisabu-stamp").write_text(f"{sums.stdout.strip()} {checkout}\n\n")


def test_later_uses_go_straight_through(checkout: Path) -> None:
    fake_install(checkout)
    ran = launch(checkout, "moves", "--json", "a b", **NOWHERE)
    assert (ran.stdout, ran.stderr) == ("hisabu moves --json a b\n", "")


def test_changed_metadata_installs_again_and_a_failure_keeps_what_worked(checkout: Path) -> None:
    fake_install(checkout)
    with (checkout / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    python = checkout / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    ran = launch(checkout, "demo", **NOWHERE)
    assert "installing" in ran.stderr and "could not install" in ran.stderr
    assert ran.returncode == 1
    assert (checkout / ".venv" / "bin" / "hisabu").exists()


def test_a_venv_made_by_hand_is_kept_and_installed_in(checkout: Path) -> None:
    fake_install(checkout)
    (checkout / ".venv" / "hisabu-stamp").unlink()
    ran = launch(checkout, "demo", **NOWHERE)
    assert "installing" in ran.stderr and "making" not in ran.stderr
    assert ran.stdout.endswith("hisabu demo\n")


@pytest.mark.parametrize(("brought", "kept"), [("numpy-1.24.2.egg-info", True), ("numpy-2.2.4.dist-info", False)])
def test_the_numpy_that_apts_camera_needs_is_kept(checkout: Path, tmp_path: Path, brought: str, kept: bool) -> None:
    fake_install(checkout)
    (checkout / ".venv" / "hisabu-stamp").unlink()
    python = checkout / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\necho "$@" >>"$(dirname "$0")/asked"\n')
    packages = tmp_path / "dist-packages"
    (packages / "picamera2").mkdir(parents=True)
    (packages / brought).mkdir()
    launch(checkout, "demo", HISABU_SYSTEM_PACKAGES=str(packages))
    assert ("numpy<2" in (python.parent / "asked").read_text()) == kept


QUICK = """#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then shift 2; exec {python} -m venv --without-pip "$@"; fi
exec {python} "$@"
"""


def test_a_venv_that_was_left_half_made_is_made_again(checkout: Path, tmp_path: Path) -> None:
    fake_install(checkout)
    (checkout / ".venv" / "hisabu-stamp").unlink()
    (checkout / ".venv" / "bin" / "python").write_text("#!/bin/sh\nexit 1\n")
    ran = launch(checkout, "demo", PATH=in_place_of_python(tmp_path, QUICK), **NOWHERE)
    assert "making .venv" in ran.stderr
    assert not (checkout / ".venv").exists()


def test_a_venv_that_the_systems_python_has_outgrown_is_made_again(checkout: Path, tmp_path: Path) -> None:
    fake_install(checkout)
    (checkout / ".venv" / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    runs = checkout / ".venv" / "bin" / "python"
    runs.rename(tmp_path / "python3.11")
    runs.symlink_to(tmp_path / "python3.11")
    assert launch(checkout, "demo", **NOWHERE).stderr == ""
    (tmp_path / "python3.11").rename(tmp_path / "python3.13")
    runs.unlink()
    runs.symlink_to(tmp_path / "python3.13")
    ran = launch(checkout, "demo", PATH=in_place_of_python(tmp_path, QUICK), **NOWHERE)
    assert "making .venv" in ran.stderr


def test_what_apt_brought_later_is_shared_from_then_on(checkout: Path, tmp_path: Path) -> None:
    fake_install(checkout)
    config = checkout / ".venv" / "pyvenv.cfg"
    config.write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    packages = tmp_path / "dist-packages"
    (packages / "picamera2").mkdir(parents=True)
    ran = launch(checkout, "demo", HISABU_SYSTEM_PACKAGES=str(packages))
    assert "installing" in ran.stderr and ran.stdout.endswith("hisabu demo\n")
    assert "include-system-site-packages = true" in config.read_text()
    assert launch(checkout, "demo", HISABU_SYSTEM_PACKAGES=str(packages)).stderr == ""


def test_the_tests_have_needs_of_their_own(checkout: Path) -> None:
    fake_install(checkout)
    ran = launch(checkout, "test", "-k", "nothing")
    assert "what test needs" in ran.stderr
    assert ran.stdout.endswith("python -m pytest -k nothing\n")


def test_a_hall_has_needs_of_its_own_and_they_stay(checkout: Path) -> None:
    fake_install(checkout)
    assert "what hall needs" in launch(checkout, "hall", "forget", "Ali").stderr
    assert launch(checkout, "demo").stderr == "" and launch(checkout, "hall").stderr == ""
    assert "what test needs" in launch(checkout, "test", "-k", "nothing").stderr
    assert launch(checkout, "hall").stderr == "", "the tests' needs have the hall's among them"


def test_it_can_be_started_from_anywhere(checkout: Path, tmp_path: Path) -> None:
    fake_install(checkout)
    ran = subprocess.run(
        [os.path.relpath(checkout / "hisabu", tmp_path), "x"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.stdout == "hisabu x\n"


def test_it_speaks_the_language_of_the_machine(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    for language, said in (
        ("fr_FR.UTF-8", "il faut Python 3.11 ou plus récent"),
        ("en_GB.UTF-8", "or newer is needed"),
    ):
        ran = launch(checkout, "demo", PATH=path, LC_ALL=language)
        assert ran.returncode == 1 and said in ran.stderr
