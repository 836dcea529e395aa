"""Debian packages without a build machine of each kind: the wheels of the target's Python and processor in a tree of
their own under /usr/lib/hisabu, with unit, user, rules and command as `hisabu install` makes them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device import words
from device.keeping.settings import FILE
from device.machine import install, update, updater

PROGRAM = Path("/usr/lib/hisabu")
NETWORK = ("network-manager", "dnsmasq-base", "avahi-daemon")
"""What a Wi-Fi of its own takes; Raspberry Pi OS has all of it."""
MAINTAINER = "the Hisabu contributors <hisabu@localhost>"


@dataclass(frozen=True)
class DebianTarget:
    """A Debian on a processor."""

    debian: int
    python: str
    processor: str
    platform: str
    constraints: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How files and version are marked."""
        return f"deb{self.debian}"


TARGETS = (
    DebianTarget(12, "3.11", "amd64", "x86_64"),
    # apt's picamera2 on Debian 12 is compiled against NumPy 1 and shares the process.
    DebianTarget(12, "3.11", "arm64", "aarch64", ("numpy<2",)),
    DebianTarget(13, "3.13", "amd64", "x86_64"),
    DebianTarget(13, "3.13", "arm64", "aarch64"),
)

UPDATER = PROGRAM / "updater.py"
UPDATE_SERVICE = f"""\
[Unit]
Description=Brings Hisabu up to date, and back again if it does not come up
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
Type=oneshot
# Debian's own Python, and one file: dpkg replaces all else meanwhile.
ExecStart=/usr/bin/python3 -I {UPDATER}
TimeoutStartSec=infinity
# A stick is mounted for this alone.
PrivateMounts=yes
PrivateTmp=yes
UMask=0022

# It is root: dpkg writes wherever a package has files. All else of root's rights is taken away.
NoNewPrivileges=yes
# mount (a stick); dpkg's files and their owners; the service's user, whom the package's script makes and becomes.
CapabilityBoundingSet=CAP_SYS_ADMIN CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_FSETID CAP_SETUID CAP_SETGID
# PAM notes whom the package's script becomes.
CapabilityBoundingSet=CAP_AUDIT_WRITE
ProtectHome=yes
ProtectClock=yes
{install.APART}
# Sticks are read, by the kernel or by ntfs-3g. No other device is opened, and none is written.
DevicePolicy=closed
DeviceAllow=block-* r
DeviceAllow=/dev/fuse rw
# The device's own program has fetched what comes by a network.
PrivateNetwork=yes
IPAddressDeny=any
# systemd and udev are told.
RestrictAddressFamilies=AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service @mount
SystemCallFilter=~@resources
SystemCallErrorNumber=EPERM
# Left out: User=, PrivateUsers=, since dpkg is root's; ProtectSystem=, RootDirectory=, since it writes the system;
# PrivateDevices=, which hides sticks; ProcSubset=pid, which hides the kinds of file systems from mount.
"""
UPDATE_PATH = f"""\
[Unit]
Description=Waits until Hisabu asks to be brought up to date

[Path]
PathExists={updater.ASKED / updater.ASK}
# The power went in the middle of it.
PathExists={updater.KEPT / updater.STATE}

[Install]
WantedBy=multi-user.target
"""
SETTINGS_CODE = (
    "from device import words; from device.keeping.settings import Settings, text_of; "
    f"print(text_of(Settings(language=words.system_language('fr'), matches='{install.STATE}/matches')), end='')"
)

PREINST = f"""\
#!/bin/sh
set -e
if [ -e {install.UNIT} ] && grep -q {install.PROGRAM} {install.UNIT}; then
    echo "hisabu was installed from a checkout: run 'sudo hisabu uninstall' first. Settings and matches stay." >&2
    exit 1
fi
"""
POSTINST = f"""\
#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
getent passwd {install.USER} >/dev/null ||
    useradd --system --user-group --home-dir {install.STATE} --shell /usr/sbin/nologin {install.USER}
for group in {" ".join(install.GROUPS)}; do
    if getent group "$group" >/dev/null; then usermod --append --groups "$group" {install.USER}; fi
done
python3 -m compileall -q {PROGRAM} || true
install -d -o {install.USER} -g {install.USER} -m 0755 {install.SETTINGS} {install.STATE}
settings={install.SETTINGS}/{FILE}
# The folder is the service's: what is written there is written as its user, who could lay links in it.
if [ ! -e "$settings" ]; then
    {PROGRAM}/bin/python -c "{SETTINGS_CODE}" |
        runuser -u {install.USER} -- sh -c "umask 022; cat > $settings"
fi
if [ -d /run/systemd/system ]; then
    # Once: whoever switched a bus off later meant it. An update (hisabu-update.service) may not load what it takes.
    if [ -z "$2" ] && [ -x /usr/bin/raspi-config ]; then raspi-config nonint do_i2c 0; raspi-config nonint do_spi 0; fi
    udevadm control --reload || true
    # By systemd: an update stands in a network of its own, where port 80 would be opened for nobody.
    systemctl restart systemd-sysctl || true
    systemctl daemon-reload
    systemctl enable --now hisabu-update.path || true
    systemctl enable hisabu
    systemctl restart hisabu || echo "{words.say("en", f"mistake-{install.NO_START}")}" >&2
fi
"""
PRERM = f"""\
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
    systemctl stop hisabu || true
    if [ "$1" = remove ]; then systemctl disable --now hisabu hisabu-update.path || true; fi
fi
find {PROGRAM} -name __pycache__ -type d -prune -exec rm -rf {{}} +
"""
POSTRM = f"""\
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
if [ "$1" = purge ]; then
    rm -rf {install.SETTINGS} {install.STATE} {updater.KEPT}
    if getent passwd {install.USER} >/dev/null; then userdel {install.USER}; fi
fi
"""


def debian_version(version: str) -> str:
    """A Python version as dpkg sorts it: what comes before a release sorts before it."""
    return re.sub(r"\.?(dev|rc|a|b)(\d)", r"~\1\2", version)


def control(version: str, target: DebianTarget, kilobytes: int, revision: int = 1) -> str:
    """The package's description."""
    major, minor = target.python.split(".")
    also = [package for package in install.NEEDED if package != "python3-venv"]
    return f"""\
Package: hisabu
Version: {debian_version(version)}-{revision}+{target.label}
Architecture: {target.processor}
Maintainer: {MAINTAINER}
Installed-Size: {kilobytes}
Depends: python3 (>= {target.python}), python3 (<< {major}.{int(minor) + 1}), passwd, util-linux, openssl
Recommends: {", ".join((*also, *install.NEEDED_ON_A_PI, *NETWORK))}
Suggests: i2c-tools
Section: games
Priority: optional
Description: follows a real card or bao game with a camera and keeps the score
 A Raspberry Pi, or any computer with a webcam, watches a real table. It reads
 the cards and counts the seeds, says at once which move is illegal and which
 rule it breaks, and keeps the score on lamps and a small display.
 .
 Games: turufu (Mayotte), triomphe and l'as qui pille (France), mraha wa tso,
 and others. Try it without a camera: hisabu demo.
"""


def pip_target(wheel: Path, target: DebianTarget, folder: Path, wheels: str = "") -> str:
    """The program and all it needs, as wheels of the target, into a folder. The list of those wheels.

    wheels: such a list; then exactly those are taken, else the newest that fit.
    """
    tag = target.python.replace(".", "")
    platforms = [f"manylinux_2_{glibc}_{target.platform}" for glibc in (28, 27, 26, 24, 17)]
    platforms += [f"manylinux2014_{target.platform}"]
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--no-compile"]
    command += ["--target", str(folder), "--only-binary", ":all:", "--python-version", target.python]
    command += ["--implementation", "cp", "--abi", f"cp{tag}", "--abi", "abi3", "--abi", "none"]
    for platform in platforms:
        command += ["--platform", platform]
    with tempfile.TemporaryDirectory() as work:
        told = Path(work) / "report.json"
        if not wheels:
            # With what `hisabu hall` needs: a package's tree has no pip to add it later.
            subprocess.run([*command, "--report", str(told), f"{wheel}[hall]", *target.constraints], check=True)
            return list_of(json.loads(told.read_text(encoding="utf-8")))
        listed = Path(work) / "wheels.txt"
        listed.write_text(wheels, encoding="utf-8")
        subprocess.run([*command, "--no-deps", "--require-hashes", "--requirement", str(listed)], check=True)
        subprocess.run([*command, "--no-deps", str(wheel)], check=True)
        return wheels


def list_of(report: dict[str, Any]) -> str:
    """Which wheels pip took, without the program itself: a line each, with version and hash, as pip reads them."""
    lines = []
    for taken in report["install"]:
        name, version = taken["metadata"]["name"], taken["metadata"]["version"]
        if name != "hisabu":
            digest = taken["download_info"]["archive_info"]["hashes"]["sha256"]
            lines.append(f"{name.lower()}=={version} --hash=sha256:{digest}\n")
    return "".join(sorted(lines))


MOVED = {
    "/etc/systemd/system": "usr/lib/systemd/system",
    "/etc/udev/rules.d": "usr/lib/udev/rules.d",
    "/etc/polkit-1/rules.d": "usr/share/polkit-1/rules.d",
    "/etc/sysctl.d": "usr/lib/sysctl.d",
    "/etc/NetworkManager/dnsmasq-shared.d": "etc/NetworkManager/dnsmasq-shared.d",
    "/usr/local/bin": "usr/bin",
}
"""Where a package puts what an administrator would put elsewhere."""


def files() -> dict[Path, tuple[str, int]]:
    """Every file that `hisabu install` writes but the settings, with its mode, as a package has it."""
    with tempfile.TemporaryDirectory() as folder:
        checkout, root = Path(folder) / "checkout", Path(folder) / "root"
        for name in install.COPIED:
            (checkout / name).mkdir(parents=True)
        plan = list(install.plan_install(install.InstallTarget(root, running=False), checkout, "en"))
    found = {}
    for step in plan:
        if isinstance(step, install.Write) and step.path.parent != install.SETTINGS:
            text = step.text.replace(f"{install.PROGRAM}/.venv/bin/hisabu", f"{PROGRAM}/bin/hisabu")
            text = text.replace(f"{install.PROGRAM}/README.md", "/usr/share/doc/hisabu/README.md")
            found[Path(MOVED[str(step.path.parent)]) / step.path.name] = (text, step.mode)
    return found


def update_files(packing: "Packing") -> dict[Path, str]:
    """What brings the package up to date: program, units, and whose packages it takes."""
    units = Path("usr/lib/systemd/system")
    found = {
        UPDATER.relative_to("/"): Path(updater.__file__).read_text(encoding="utf-8"),
        units / "hisabu-update.service": UPDATE_SERVICE,
        units / "hisabu-update.path": UPDATE_PATH,
    }
    if packing.key is not None:
        public = ["openssl", "pkey", "-in", str(packing.key), "-pubout"]
        told = subprocess.run(public, check=True, capture_output=True, text=True)
        found[updater.KEY.relative_to("/")] = told.stdout
    if packing.address:
        found[update.ADDRESS.relative_to("/")] = f"{packing.address}\n"
    return found


def sign(sums: Path, key: Path) -> Path:
    """Signs checksums, so that a device takes what they name."""
    signature = sums.with_name(updater.SIGNATURE)
    words = ["openssl", "pkeyutl", "-sign", "-inkey", str(key), "-rawin", "-in", str(sums), "-out", str(signature)]
    subprocess.run(words, check=True, capture_output=True)
    return signature


def tree(wheel: Path, target: DebianTarget, root: Path, papers: Path, packing: "Packing", wheels: str = "") -> str:
    """Lays out what the package holds; the list of the wheels in it, as `pip_target` gives and takes it."""
    program = root / PROGRAM.relative_to("/")
    site = program / "lib" / f"python{target.python}" / "site-packages"
    wheels = pip_target(wheel, target, site, wheels)
    shutil.rmtree(site / "bin", ignore_errors=True)
    # A virtual environment by hand: the interpreter is Debian's, and what apt brings for a Pi is seen.
    (program / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = true\nversion = {target.python}\n"
    )
    (program / "bin").mkdir()
    (program / "bin" / "python").symlink_to("/usr/bin/python3")
    (program / "bin" / "python3").symlink_to("python")
    _write(
        program / "bin" / "hisabu",
        f"#!{PROGRAM}/bin/python\nfrom device.start import main\nraise SystemExit(main())\n",
        0o755,
    )
    for path, (text, mode) in files().items():
        _write(root / path, text, mode)
    for path, text in update_files(packing).items():
        _write(root / path, text)
    doc = root / "usr/share/doc/hisabu"
    for name in ("README.md", "CHANGELOG.md"):
        _write(doc / name, (papers / name).read_text(encoding="utf-8"))
    _write(doc / "copyright", (papers / "LICENSE").read_text(encoding="utf-8"))
    _write(doc / "wheels.txt", wheels)
    return wheels


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


@dataclass(frozen=True)
class Packing:
    """How packages of a version are made."""

    revision: int = 1
    """Of the package: one more when the same version is packed again with newer wheels, else apt would not take it."""
    wheels: Path | None = None
    """The folder with lists of wheels of packages made before; exactly those wheels are packed again."""
    key: Path | None = None
    """The private key that signs the release (Ed25519, PEM); devices with this package take what it signed. Without
    one they take no update but by apt."""
    address: str = ""
    """Where releases are put: a device looks there for a newer one."""


def build(
    wheel: Path, version: str, target: DebianTarget, work: Path, out: Path, papers: Path, packing: Packing | None = None
) -> Path:
    """One package, and beside it the list of the wheels in it."""
    packing = packing or Packing()
    root = work / f"{target.label}_{target.processor}"
    listed = f"wheels_{target.label}_{target.processor}.txt"
    shutil.rmtree(root, ignore_errors=True)
    asked = "" if packing.wheels is None else (packing.wheels / listed).read_text(encoding="utf-8")
    (out / listed).write_text(tree(wheel, target, root, papers, packing, asked), encoding="utf-8")
    for folder, _, files in os.walk(root):
        Path(folder).chmod(0o755)
        for file in files:
            path = Path(folder) / file
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 and path.suffix not in (".py", ".txt") else 0o644)
    size = sum(p.stat().st_size for p in root.rglob("*") if p.is_file() and not p.is_symlink()) // 1024
    _write(root / "DEBIAN/control", control(version, target, size, packing.revision))
    for name, text in {"preinst": PREINST, "postinst": POSTINST, "prerm": PRERM, "postrm": POSTRM}.items():
        _write(root / "DEBIAN" / name, text, 0o755)
    package = out / f"hisabu_{debian_version(version)}-{packing.revision}+{target.label}_{target.processor}.deb"
    pack = ["dpkg-deb", "--root-owner-group", "-Zzstd", "--build", str(root), str(package)]
    subprocess.run(pack, check=True, capture_output=True)
    return package
