"""An SD card for 64-bit Raspberry Pis, from Debian's own packages: a system that is only read, and beside it a part for
matches and settings, which takes the rest of the card at the first start. As root:
python -m release.card DIST [--arch amd64]"""

import argparse
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from device.machine import install, updater
from release import deb
from release.image import package_in

ROOT_FILES = Path(__file__).with_name("card_root")
COUNTRY = Path(__file__).with_name("first_boot") / "hisabu.txt"
SUITE = "trixie"
MIRROR = "http://deb.debian.org/debian"
MB = 1 << 20
BOOT_MB, DATA_MB = 256, 256
SPARE_MB = 900
"""Of the system: dpkg lays a newer version beside the one that runs."""
KEPT = (
    install.SETTINGS,
    install.STATE,
    updater.KEPT,
    Path("/etc/NetworkManager/system-connections"),
    Path("/var/lib/NetworkManager"),
    Path("/var/lib/systemd"),
    Path("/var/lib/alsa"),
)
"""What is written while the device runs: on the part for matches. However slow a card is, it is waited for."""
FSTAB = """\
LABEL=hisabu-root / ext4 ro,noatime 0 1
LABEL=hisabu-data /data ext4 rw,noatime,nosuid,nodev,x-systemd.device-timeout=0 0 2
LABEL=HISABU /boot/firmware vfat ro,umask=0022,nofail 0 2
tmpfs /var/log tmpfs nosuid,nodev,noexec,mode=0755,size=10% 0 0
tmpfs /var/tmp tmpfs nosuid,nodev,mode=1777,size=25% 0 0
"""
COMMAND_LINE = "ro quiet systemd.firstboot=off panic=10"
"""What the kernel is told on a Pi, after what raspi-firmware writes there; the last of ro and rw counts."""
PACKAGES = (
    "systemd-sysv",
    "udev",
    "dbus",
    "kmod",
    "initramfs-tools",
    "zstd",
    "e2fsprogs",
    "dosfstools",
    "fdisk",
    "python3",
    "passwd",
    "util-linux",
    "util-linux-extra",
    "procps",
    "iproute2",
    "polkitd",
    "ca-certificates",
    "openssl",
    "nftables",
    "wpasupplicant",
    "wireless-regdb",
    "iw",
    "rfkill",
    "systemd-timesyncd",
    "systemd-zram-generator",
    "openssh-server",
    "libnss-mdns",
)
HOOKS = (
    "mkdir -p $1/etc/default $1/etc/initramfs-tools/conf.d",
    "printf 'ROOTPART=LABEL=hisabu-root\\nCONSOLES=\"tty0 ttyS1,115200\"\\n' >$1/etc/default/raspi-firmware",
    f"printf '%s\\n' '{COMMAND_LINE}' >$1/etc/default/raspi-extra-cmdline",
    "printf 'MODULES=most\\nFSTYPE=ext4\\n' >$1/etc/initramfs-tools/conf.d/card.conf",
)
"""Before the kernel is installed: its own hooks read this and make what the Pi starts with. dpkg keeps these files; it
would ask, and nobody answers."""
LINKS = {"etc/resolv.conf": "/run/NetworkManager/resolv.conf", "var/lib/dbus/machine-id": "/etc/machine-id"}
"""What others would write into the system."""
OUT_OF_DEBIAN = {"python3-venv", "python3-picamera2", "python3-lgpio"}
"""What the package recommends and Debian lacks; and what only a checkout needs."""


@dataclass(frozen=True)
class Machine:
    """What a card is made for."""

    arch: str
    kernel: tuple[str, ...]
    """Packages: the kernel, and what starts it."""
    components: str = "main"


MACHINES = {
    "arm64": Machine("arm64", ("linux-image-arm64", "raspi-firmware", "firmware-brcm80211"), "main,non-free-firmware"),
    "amd64": Machine("amd64", ("linux-image-amd64",)),
}
"""A Raspberry Pi; and a PC's processor, with which the same system starts in seconds for a test."""


def run(*words: str | Path) -> None:
    """A command that must succeed."""
    subprocess.run([str(word) for word in words], check=True)


def fstab() -> str:
    """What is mounted where."""
    return FSTAB + "".join(f"/data{path} {path} none bind,x-systemd.requires-mounts-for=/data 0 0\n" for path in KEPT)


def packages(machine: Machine) -> list[str]:
    """All that the card needs of Debian beside what every Debian has."""
    recommended = {*install.NEEDED, *install.NEEDED_ON_A_PI, *deb.NETWORK} - OUT_OF_DEBIAN
    return [*PACKAGES, *machine.kernel, *sorted(recommended)]


def in_tree(tree: Path, *words: str) -> None:
    """A command inside the system that is being made."""
    clean = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
    run(*clean, "chroot", tree, *words)


def make_system(machine: Machine, package: Path, tree: Path, mirror: str) -> None:
    """Debian with the package in it, in a folder."""
    shutil.rmtree(tree, ignore_errors=True)
    leave_out = ("man", "info", "locale", "doc-base", "lintian")
    run(
        "mmdebstrap", "--variant=minbase", f"--architectures={machine.arch}", f"--components={machine.components}",
        f"--include={','.join(packages(machine))}", "--aptopt=APT::Install-Recommends false",
        "--aptopt=Acquire::Languages none", "--dpkgopt=force-confold",
        *(f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in leave_out),
        *(f"--essential-hook={hook}" for hook in HOOKS), SUITE, tree, mirror,
    )  # fmt: skip
    shutil.copy(package, tree / "hisabu.deb")
    # Before the package, which lets its user into the groups that are there.
    in_tree(tree, "groupadd", "--system", "i2c")
    in_tree(tree, "apt-get", "install", "--yes", "--no-install-recommends", "/hisabu.deb")
    (tree / "hisabu.deb").unlink()
    finish(tree)


def finish(tree: Path) -> None:
    """What makes of any Debian this card."""
    shutil.copytree(ROOT_FILES, tree, dirs_exist_ok=True)
    (tree / "etc/fstab").write_text(fstab(), encoding="utf-8")
    (tree / "etc/hostname").write_text("hisabu\n", encoding="utf-8")
    (tree / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 hisabu\n::1 localhost\n", encoding="utf-8")
    # Empty, and not missing: systemd makes one, and asks nobody where this machine stands and what it speaks.
    (tree / "etc/machine-id").write_text("", encoding="utf-8")
    for key in (tree / "etc/ssh").glob("ssh_host_*"):
        key.unlink()
    for link, target in LINKS.items():
        (tree / link).unlink(missing_ok=True)
        (tree / link).symlink_to(target)
    for folder in ("data", "boot/firmware"):
        (tree / folder).mkdir(parents=True, exist_ok=True)
    # Debian's kernel has no driver for a camera on a ribbon.
    setup = "HOME=/var/lib/hisabu HISABU_HOME=/etc/hisabu /usr/lib/hisabu/bin/hisabu setup --yes --camera usb:0"
    in_tree(tree, "runuser", "-u", install.USER, "--", "sh", "-c", setup)
    units = (
        "hisabu",
        "hisabu-update.path",
        "hisabu-first-start",
        "hisabu-country",
        "NetworkManager",
        "avahi-daemon",
        "ssh",
    )
    in_tree(tree, "systemctl", "enable", *units)
    in_tree(tree, "systemctl", "mask", "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer")
    for folder in ("var/cache/apt", "var/lib/apt/lists", "var/log", "var/tmp", "tmp"):
        for path in (tree / folder).iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def set_apart(tree: Path, data: Path) -> None:
    """Moves what is written while the device runs into a tree of its own."""
    shutil.rmtree(data, ignore_errors=True)
    for path in KEPT:
        there, moved = tree / path.relative_to("/"), data / path.relative_to("/")
        there.mkdir(parents=True, exist_ok=True)
        moved.parent.mkdir(parents=True, exist_ok=True)
        run("cp", "-a", there, moved)
        for inside in there.iterdir():
            shutil.rmtree(inside) if inside.is_dir() else inside.unlink()


def megabytes(tree: Path) -> int:
    """What a tree takes on a disk."""
    told = subprocess.run(["du", "-sm", str(tree)], check=True, capture_output=True, text=True)
    return int(told.stdout.split()[0])


def make_image(tree: Path, data: Path, boot: Path, image: Path) -> None:
    """The three parts, in a file with a table of partitions: what a card holds."""
    root_mb = megabytes(tree) + SPARE_MB
    starts_mb = {"boot": 4, "root": 4 + BOOT_MB, "data": 4 + BOOT_MB + root_mb}
    with image.open("wb") as file:
        file.truncate((starts_mb["data"] + DATA_MB) * MB)
    sectors = MB // 512
    table = (
        f"label: dos\nstart={4 * sectors}, size={BOOT_MB * sectors}, type=c, bootable\n"
        f"start={starts_mb['root'] * sectors}, size={root_mb * sectors}, type=83\n"
        f"start={starts_mb['data'] * sectors}, size={DATA_MB * sectors}, type=83\n"
    )
    subprocess.run(["sfdisk", "--quiet", str(image)], input=table, check=True, text=True)
    # Neither loop devices nor mounts: each file system is made from a folder, at its place in the file.
    small = f"{image}@@{starts_mb['boot'] * MB}"
    run("mformat", "-i", small, "-F", "-v", "HISABU", "-T", str(BOOT_MB * sectors), "::")
    run("mcopy", "-i", small, "-s", *sorted(boot.iterdir()), "::/")
    for name, folder, size_mb, grows in (("root", tree, root_mb, ()), ("data", data, DATA_MB, ("resize=134217728",))):
        more = ",".join((f"offset={starts_mb[name] * MB}", *grows))
        run(
            "mke2fs", "-q", "-t", "ext4", "-b", "4096", "-L", f"hisabu-{name}", "-m", "1", "-E", more, "-d", folder,
            image, f"{size_mb}M",
        )  # fmt: skip


def build(machine: Machine, dist: Path, work: Path, mirror: str) -> Path:
    """The image, from the package in dist."""
    package = package_in(dist, machine.arch)
    tree, data, boot = (work / f"{name}-{machine.arch}" for name in ("card", "card-data", "card-boot"))
    make_system(machine, package, tree, mirror)
    set_apart(tree, data)
    shutil.rmtree(boot, ignore_errors=True)
    # On a PC nothing starts from the card by itself: kernel and initrd lie there for who tries it.
    here = tree / "boot/firmware"
    shutil.copytree(here, boot)
    for path in here.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for kind in ("vmlinuz", "initrd.img"):
        for path in (tree / "boot").glob(f"{kind}-*"):
            shutil.copy(path, boot)
    shutil.copy(COUNTRY, boot)
    image = dist / f"{package.stem}-card.img"
    make_image(tree, data, boot, image)
    return image


def main() -> int:
    """The command line."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("dist", type=Path, help="where the packages are")
    line.add_argument("--arch", choices=MACHINES, default="arm64", help="amd64: to try the same system on a PC")
    line.add_argument("--work", type=Path, default=Path("build/card"), help="where the system is put together")
    line.add_argument("--mirror", default=MIRROR, help="of Debian")
    given = line.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    print(build(MACHINES[given.arch], given.dist, given.work.resolve(), given.mirror))
    return 0


if __name__ == "__main__":
    sys.exit(main())
