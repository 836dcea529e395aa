"""A card from Debian's packages: what is written lies apart, and its image holds three parts that can be read."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from device.machine import install
from release import card

MADE_WITH = ("mke2fs", "debugfs", "sfdisk", "mcopy")


def test_all_that_is_written_lies_on_the_part_for_matches() -> None:
    lines = [line.split() for line in card.fstab().splitlines()]
    places = {fields[1]: fields for fields in lines}
    assert "ro" in places["/"][3].split(",")
    for path in ("/etc/hisabu", "/var/lib/hisabu", "/var/lib/hisabu-update", "/etc/NetworkManager/system-connections"):
        assert places[path][0] == f"/data{path}"


def test_debian_has_every_package_that_is_asked_for() -> None:
    asked = set(card.packages(card.MACHINES["arm64"]))
    assert {"network-manager", "avahi-daemon", "raspi-firmware", "espeak-ng"} <= asked
    assert not asked & card.OUT_OF_DEBIAN


def test_the_service_may_use_a_display_on_i2c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian has neither rule nor group for that bus."""
    tree, asked = tmp_path / "tree", []

    def run(*words: str | Path) -> None:
        asked.append([str(word) for word in words])
        if words[0] == "mmdebstrap":
            for folder in ("etc/ssh", "var/lib/dbus", "var/cache/apt", "var/lib/apt/lists", "var/log", "var/tmp"):
                (tree / folder).mkdir(parents=True)
            (tree / "tmp").mkdir()

    monkeypatch.setattr(card, "run", run)
    (tmp_path / "hisabu.deb").touch()
    card.make_system(card.MACHINES["arm64"], tmp_path / "hisabu.deb", tree, card.MIRROR)
    rules = [line for path in (tree / "etc/udev/rules.d").iterdir() for line in path.read_text().splitlines()]
    assert 'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"' in rules
    assert "i2c" in install.GROUPS
    made, installed = (
        next(at for at, words in enumerate(asked) if wanted in words) for wanted in ("groupadd", "/hisabu.deb")
    )
    assert asked[made][-1] == "i2c" and made < installed, "the package lets its user into groups that are there"


@pytest.mark.skipif(not all(map(shutil.which, MADE_WITH)), reason="e2fsprogs, fdisk or mtools is not installed")
def test_an_image_has_the_small_part_the_system_and_the_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card, "SPARE_MB", 20)
    monkeypatch.setattr(card, "BOOT_MB", 40)
    monkeypatch.setattr(card, "DATA_MB", 20)
    tree, data, boot = (tmp_path / name for name in ("tree", "data", "boot"))
    (tree / "etc/hisabu").mkdir(parents=True)
    (tree / "etc/hisabu/settings.toml").write_text("language = 'fr'\n")
    boot.mkdir()
    (boot / "hisabu.txt").write_text("country=FR\n")
    card.set_apart(tree, data)
    assert not list((tree / "etc/hisabu").iterdir()), "the system has the folder, and nothing in it"
    image = tmp_path / "card.img"
    card.make_image(tree, data, boot, image)
    record = image.read_bytes()[:512]
    starts = [struct.unpack_from("<I", record, 446 + 16 * n + 8)[0] * 512 for n in range(3)]
    listed = subprocess.run(["mdir", "-b", "-i", f"{image}@@{starts[0]}", "::/"], check=True, capture_output=True)
    assert b"hisabu.txt" in listed.stdout
    asked = ["debugfs", "-R", "cat /etc/hisabu/settings.toml", f"{image}?offset={starts[2]}"]
    assert "language" in subprocess.run(asked, check=True, capture_output=True, text=True).stdout
