"""How much of the machine device and hall expose, by systemd's own measure: 0 (nothing) to 10."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from device.hall import setup
from device.hall.setup import Wanted
from device.machine import install
from device.machine.install import InstallTarget
from release import card, deb


def hall(folder: Path) -> str:
    """The hall's unit, with a page on port 80: the one right that it may need."""
    return setup.unit_text(InstallTarget(folder, running=False), Wanted(page="0.0.0.0:80"))


def of_the_card(name: str) -> Callable[[Path], str]:
    """A unit that only a card made from Debian's packages has."""
    return lambda folder: (card.ROOT_FILES / "etc/systemd/system" / name).read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize(
    ("name", "unit", "most"),
    [
        ("hisabu", lambda folder: install.UNIT_TEXT, 1.8),
        ("hisabu-hall", hall, 1.8),
        ("hisabu-country", of_the_card("hisabu-country.service"), 1.8),
        ("hisabu-first-start", of_the_card("hisabu-first-start.service"), 1.8),
        # dpkg is root's and writes the system. Each line that is missing has its reason in the unit.
        ("hisabu-update", lambda folder: deb.UPDATE_SERVICE, 2.5),
    ],
)
def test_little_of_the_machine_is_exposed(name: str, unit: Callable[[Path], str], most: float, tmp_path: Path) -> None:
    (tmp_path / f"{name}.service").write_text(unit(tmp_path), encoding="utf-8")
    ran = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(tmp_path / f"{name}.service")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(rf"exposure level for {name}.service: ([\d.]+)", ran.stdout)
    assert found, ran.stderr
    assert float(found[1]) <= most


@pytest.mark.parametrize("unit", [lambda folder: install.UNIT_TEXT, hall])
def test_memory_that_is_written_is_not_run_and_has_an_end(unit: Callable[[Path], str], tmp_path: Path) -> None:
    lines = unit(tmp_path).splitlines()
    assert "MemoryDenyWriteExecute=yes" in lines
    assert any(line.startswith("MemoryMax=") for line in lines)
