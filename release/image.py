"""A card for Raspberry Pi OS that installs Hisabu when it first starts: the files for its small partition, as a ZIP,
and put into an image of the system. python -m release.image DIST [--into RASPIOS.img]"""

import argparse
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

from device.machine.updater import is_newer, version_in

FILES = Path(__file__).with_name("first_boot")
SECTOR = 512
FAT = (0x0B, 0x0C, 0x0E)
"""Kinds of partition that hold the boot files."""


def package_in(dist: Path, arch: str = "arm64") -> Path:
    """The newest package for Debian 13. SystemExit: there is none."""
    newest: Path | None = None
    for path in sorted(dist.glob(f"hisabu_*+deb13_{arch}.deb")):
        if newest is None or is_newer(version_in(path.name), version_in(newest.name)):
            newest = path
    if newest is None:
        raise SystemExit(
            f"{dist} has no package for {arch} on Debian 13: python -m release.build --only python --only deb"
        )
    return newest


def pack(dist: Path) -> Path:
    """The ZIP that is unpacked onto the small partition."""
    package = package_in(dist)
    out = dist / f"{package.name.removesuffix('_arm64.deb')}-first-boot.zip"
    with zipfile.ZipFile(out, "w") as file:
        for path in (*sorted(FILES.iterdir()), package):
            file.write(path, path.name)
    return out


def boot_partition(image: Path) -> int:
    """Where in an image its first FAT partition begins, in bytes. SystemExit: it has none."""
    with image.open("rb") as file:
        record = file.read(SECTOR)
    if len(record) == SECTOR and record[510:] == b"\x55\xaa":
        for at in range(446, 510, 16):
            kind, start = record[at + 4], struct.unpack_from("<I", record, at + 8)[0]
            if kind in FAT and start:
                return int(start) * SECTOR
    raise SystemExit(f"{image} is no image of Raspberry Pi OS: it has no partition for the boot files")


def put_into(image: Path, dist: Path, out: Path) -> None:
    """A copy of an image with the files on its small partition; mtools writes there, so that nobody need be root."""
    start, package = boot_partition(image), package_in(dist)
    shutil.copyfile(image, out)
    files = [str(path) for path in (*sorted(FILES.iterdir()), package)]
    subprocess.run(["mcopy", "-o", "-i", f"{out}@@{start}", *files, "::/"], check=True)


def main() -> int:
    """The command line."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("dist", type=Path, help="where the packages are")
    line.add_argument("--into", type=Path, metavar="IMAGE", help="an unpacked image of Raspberry Pi OS Lite, 64-bit")
    given = line.parse_args()
    print(pack(given.dist))
    if given.into:
        out = given.dist / f"hisabu-{given.into.name}"
        put_into(given.into, given.dist, out)
        print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
