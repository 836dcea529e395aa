"""An update with Debian's own dpkg in a tree of its own: a good version stays; a bad one, or a cut, changes nothing.

systemctl is played by a script: the service comes up if the file that is installed says so.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.machine import update, updater
from device.machine.updater import Updater, UpdateWaits
from tests.sizes import slow

NEEDED = ("dpkg", "dpkg-deb", "dpkg-query", "openssl")
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, NEEDED)) or os.geteuid() != 0, reason="needs Debian's dpkg, and root"
)
QUICK = UpdateWaits(up_s=1.0, stays_s=0.2, look_s=0.02)
FILES = 20
"""In a package. Where dpkg is to be cut off, a package has many more, so that it takes some time."""

SYSTEMCTL = """#!/bin/sh
up=$(cat {root}/usr/lib/hisabu/comes_up 2>/dev/null)
case "$1" in
is-active) [ "$up" = yes ] && echo active || echo failed ;;
show) if [ "$(cat {root}/usr/lib/hisabu/comes_up)" = restarts ]; then date +%N; else echo 0; fi ;;
esac
"""


class Machine:
    """A Debian in a folder, with the package, matches, a key and sticks."""

    def __init__(self, folder: Path, files: int = FILES) -> None:
        self.folder, self.root, self.files = folder, folder / "root", files
        for path in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/hisabu/update", "usr/share/hisabu"):
            (self.root / path).mkdir(parents=True)
        (self.root / "var/lib/dpkg/status").touch()
        self.matches = self.root / "var/lib/hisabu/matches"
        self.matches.mkdir()
        (self.matches / "match-0001-2026-01-01-turufu.jsonl").write_bytes(os.urandom(5000))
        self.key = folder / "key.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key], check=True)
        self.trusts(self.key)
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.script("systemctl", SYSTEMCTL.format(root=self.root))
        self.script("lsblk", "#!/bin/sh\necho '{\"blockdevices\": []}'\n")
        self.install(self.package("1.0"))

    def script(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def trusts(self, key: Path) -> None:
        public = self.root / "usr/share/hisabu/release-key.pem"
        subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)

    def package(
        self, version: str, comes_up: str = "yes", name: str = "hisabu", more_files: int = 0, size: int = 100
    ) -> Path:
        arch = subprocess.run(
            ["dpkg", "--print-architecture"], check=True, capture_output=True, text=True
        ).stdout.strip()
        tree = self.folder / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        program = tree / "usr/lib/hisabu"
        program.mkdir(parents=True)
        (program / "version").write_text(version)
        (program / "comes_up").write_text(comes_up)
        for number in range(self.files + more_files):
            (program / f"file{number}").write_text(f"{version} {number}" * 50)
        (program / "link").symlink_to("version")
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: {version}-1+deb13\nArchitecture: {arch}\nMaintainer: nobody <n@localhost>\n"
            f"Installed-Size: {size}\nDescription: a test\n of updates\n"
        )
        package = self.folder / f"{name}_{version}-1+deb13_{arch}.deb"
        build = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(package)]
        subprocess.run(build, check=True, capture_output=True)
        return package

    def install(self, package: Path) -> None:
        words = ["dpkg", f"--root={self.root}", "--force-not-root", "--install", str(package)]
        subprocess.run(words, check=True, capture_output=True)

    def hand_out(self, folder: Path, *packages: Path, key: Path | None = None) -> None:
        """A release: packages, their checksums, the signature."""
        folder.mkdir(exist_ok=True)
        for package in packages:
            shutil.copy(package, folder)
        lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in packages]
        (folder / "SHA256SUMS").write_text("".join(lines))
        sign = [
            "openssl",
            "pkeyutl",
            "-sign",
            "-inkey",
            str(key or self.key),
            "-rawin",
            "-in",
            str(folder / "SHA256SUMS"),
        ]
        subprocess.run([*sign, "-out", str(folder / "SHA256SUMS.sig")], check=True)

    @property
    def fetched(self) -> Path:
        return self.root / "var/lib/hisabu/update"

    def ask(self, where: str = "fetched") -> None:
        (self.fetched / "ask").write_text(json.dumps({"from": where}))

    def update(self, waits: UpdateWaits = QUICK) -> str:
        Updater(self.root, waits).run()
        return self.said

    @property
    def said(self) -> str:
        return str(json.loads((self.root / "var/lib/hisabu-update/result.json").read_text())["code"])

    def state(self) -> tuple[str, bool]:
        """The version that runs, and whether every file is of it and dpkg thinks so too."""
        program = self.root / "usr/lib/hisabu"
        version = (program / "version").read_text()
        texts = [(program / f"file{number}").read_text() for number in range(self.files)]
        whole = all(text == f"{version} {number}" * 50 for number, text in enumerate(texts))
        query = ["dpkg-query", f"--admindir={self.root}/var/lib/dpkg", "-W", "-f", "${Status} ${Version}", "hisabu"]
        told = subprocess.run(query, check=True, capture_output=True, text=True).stdout
        left = [path.name for path in program.iterdir() if ".dpkg-" in path.name]
        return version, whole and told == f"install ok installed {version}-1+deb13" and not left

    def kept(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.matches.iterdir()}


@pytest.fixture
def files() -> int:
    return FILES


@pytest.fixture
def machine(files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    made = Machine(tmp_path, files)
    monkeypatch.setenv("PATH", f"{made.bin}:{os.environ['PATH']}")
    before = made.kept()
    yield made
    assert made.kept() == before, "whatever became of the update, no match was touched"


def test_a_newer_signed_package_is_installed(machine: Machine) -> None:
    machine.hand_out(machine.fetched, machine.package("1.1"))
    machine.ask()
    assert (machine.update(), machine.state()) == ("updated", ("1.1", True))
    machine.hand_out(machine.fetched, machine.package("1.2", comes_up="no"))
    machine.ask()
    assert (machine.update(), machine.state()) == ("went_back", ("1.1", True)), "and the newest good one is kept"


@pytest.mark.parametrize("how", ["no", "restarts"])
def test_one_that_does_not_come_up_is_taken_back(machine: Machine, how: str) -> None:
    machine.hand_out(machine.fetched, machine.package("1.1", comes_up=how, more_files=20))
    machine.ask()
    assert (machine.update(), machine.state()) == ("went_back", ("1.0", True))
    assert not (machine.root / "usr/lib/hisabu" / f"file{FILES}").exists()
    assert (machine.root / "usr/lib/hisabu/link").readlink() == Path("version")


def test_nothing_is_done_that_nobody_asked_for(machine: Machine) -> None:
    machine.hand_out(machine.fetched, machine.package("1.1"))
    Updater(machine.root, QUICK).run()
    assert machine.state() == ("1.0", True)
    (machine.fetched / "ask").symlink_to("/etc/passwd")
    Updater(machine.root, QUICK).run()
    assert machine.state() == ("1.0", True) and not (machine.fetched / "ask").is_symlink()


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("another key", "not_signed"), ("no signature", "not_signed"), ("no key", "no_key"), ("no sums", "nothing"),
        ("another sum", "damaged"), ("older", "not_newer"), ("the same", "not_newer"), ("another package", "nothing"),
        ("another inside", "damaged"), ("larger than the disk", "no_room"), ("a link", "damaged"),
        ("a line more", "not_signed"),
        ("older inside", "damaged"),
    ],
)  # fmt: skip
def test_what_cannot_be_trusted_is_not_installed(machine: Machine, what: str, code: str) -> None:
    version = {"older": "0.9", "the same": "1.0"}.get(what, "1.1")
    name = "other" if what in ("another package", "another inside") else "hisabu"
    package = machine.package(version, name=name, size=2**40 if what == "larger than the disk" else 100)
    if what == "another inside":
        package = package.rename(package.with_name(package.name.replace("other", "hisabu")))
    if what == "older inside":
        old = machine.package("0.9")
        package = old.rename(package)
    key = machine.folder / "other.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
    machine.hand_out(machine.fetched, package, key=key if what == "another key" else None)
    if what == "no signature":
        (machine.fetched / "SHA256SUMS.sig").unlink()
    elif what == "no sums":
        (machine.fetched / "SHA256SUMS").unlink()
    elif what == "no key":
        (machine.root / "usr/share/hisabu/release-key.pem").unlink()
    elif what == "another sum":
        with (machine.fetched / package.name).open("ab") as file:
            file.write(b"x")
    elif what == "a line more":
        with (machine.fetched / "SHA256SUMS").open("a") as sums:
            sums.write("0  x\n")
    elif what == "a link":
        (machine.fetched / package.name).unlink()
        (machine.fetched / package.name).symlink_to(package)
    machine.ask()
    assert (machine.update(), machine.state()) == (code, ("1.0", True))
    assert not (machine.root / "var/lib/hisabu-update/next.deb").exists()


def test_of_several_on_a_stick_the_newest_that_fits_is_taken(machine: Machine) -> None:
    stick = machine.folder / "stick"
    foreign = machine.package("9.0")
    foreign = foreign.rename(foreign.with_name(foreign.name.replace("deb13", "deb12")))
    machine.hand_out(stick, machine.package("1.9"), machine.package("1.10"), foreign)
    listed = {"blockdevices": [
        {"path": "/dev/mmcblk0", "tran": None, "children": [{"path": "/dev/mmcblk0p1", "fstype": "vfat"}]},
        {"path": "/dev/sda", "tran": "usb", "children": [
            {"path": "/dev/sda1", "tran": None, "fstype": "vfat", "mountpoint": str(stick)}]},
    ]}  # fmt: skip
    machine.script("lsblk", f"#!/bin/sh\necho '{json.dumps(listed)}'\n")
    machine.ask("stick")
    assert (machine.update(), machine.state()) == ("updated", ("1.10", True))


def test_a_stick_that_is_not_mounted_is_mounted_for_reading_alone(machine: Machine) -> None:
    stick = machine.folder / "stick"
    machine.hand_out(stick, machine.package("1.1"))
    listed = {"blockdevices": [{"path": "/dev/sdb", "tran": "usb", "fstype": "exfat", "mountpoint": None}]}
    machine.script("lsblk", f"#!/bin/sh\necho '{json.dumps(listed)}'\n")
    told = machine.folder / "mounts"
    machine.script("mount", f'#!/bin/sh\necho "mount $*" >>{told}\ncp {stick}/* "$4"\n')
    machine.script("umount", f'#!/bin/sh\necho "umount $*" >>{told}\n')
    machine.ask("stick")
    assert (machine.update(), machine.state()) == ("updated", ("1.1", True))
    at = machine.root / "var/lib/hisabu-update/stick"
    assert told.read_text() == f"mount -o ro,nosuid,nodev,noexec /dev/sdb {at}\numount {at}\n"


def with_a_large_file(machine: Machine) -> Path:
    """A package that takes far more than it says."""
    big = machine.package("1.1")
    tree = machine.folder / "tree"
    (tree / "usr/lib/hisabu/zz-large").write_bytes(os.urandom(3_000_000))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", tree, big], check=True, capture_output=True)
    return big


def test_a_disk_that_fills_up_on_the_way_leaves_the_old_version(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = machine.root / "usr/lib/hisabu"
    moved = shutil.copytree(program, machine.folder / "moved", symlinks=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3M", "tmpfs", program], check=False).returncode:
        pytest.skip("nothing may be mounted here")
    try:
        shutil.copytree(moved, program, symlinks=True, dirs_exist_ok=True)
        monkeypatch.setattr(updater, "SPARE_BYTES", 0)
        machine.hand_out(machine.fetched, with_a_large_file(machine))
        machine.ask()
        assert (machine.update(), machine.state()) == ("went_back", ("1.0", True))
    finally:
        subprocess.run(["umount", program], check=True)


def test_a_package_that_leaves_no_room_for_matches_is_not_even_copied(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.hand_out(machine.fetched, machine.package("1.1"))
    machine.ask()
    about, copied = shutil.disk_usage(machine.root), updater._copied

    def copies(source: Path, target: Path, most: int) -> str:
        assert target.name != "next.deb"
        return copied(source, target, most)

    monkeypatch.setattr(updater, "_copied", copies)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: about._replace(free=updater.SPARE_BYTES + 1000))
    assert (machine.update(), machine.state()) == ("no_room", ("1.0", True))


def test_on_a_full_disk_it_is_told_all_the_same(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = machine.root / "var/lib/hisabu-update"
    kept.mkdir()
    (kept / "result.json").write_text('{"code": "updated", "version": "1.0", "at": 1}')
    real = Path.write_text

    def full(path: Path, *args: Any, **kwargs: Any) -> int:
        if not path.exists():
            raise OSError(28, "No space left on device")
        return real(path, *args, **kwargs)

    machine.ask()
    monkeypatch.setattr(Path, "write_text", full)
    assert machine.update() == "nothing"


def lose(machine: Machine) -> None:
    """A newer version does not come up, and the old one cannot be put back at once."""
    machine.hand_out(machine.fetched, machine.package("1.1", comes_up="no"))
    machine.ask()
    real = shutil.which("dpkg", path="/usr/bin:/bin")
    machine.script("dpkg", f'#!/bin/sh\ncase "$*" in *current.deb*) exit 1; esac\nexec {real} "$@"\n')
    assert machine.update(UpdateWaits(0.1, 0.05, 0.02)) == "lost"
    machine.script("dpkg", f'#!/bin/sh\nexec {real} "$@"\n')


def test_what_somebody_installed_after_an_update_with_no_way_back_stays(machine: Machine) -> None:
    lose(machine)
    machine.install(machine.package("1.2"))
    machine.ask()
    assert (machine.update(), machine.state()) == ("not_newer", ("1.2", True))


def test_an_update_with_no_way_back_is_told_and_does_not_go_on_for_ever(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(machine)
    monkeypatch.setattr(updater, "KEPT", machine.root / "var/lib/hisabu-update")
    monkeypatch.setattr(updater, "ASKED", machine.fetched)
    assert not update.state()["goes_on"]
    machine.hand_out(machine.fetched, machine.package("1.2"))
    machine.ask()
    monkeypatch.undo()
    monkeypatch.setenv("PATH", f"{machine.bin}:{os.environ['PATH']}")
    assert (machine.update(), machine.state()) == ("updated", ("1.2", True))
    assert [path.name for path in (machine.root / "var/lib/hisabu-update").glob("*.json")] == ["result.json"]


@pytest.mark.parametrize("left", [b"", b"{}", b"\0" * 60])
def test_a_note_of_an_update_that_a_bad_card_damaged_stops_no_later_one(machine: Machine, left: bytes) -> None:
    kept = machine.root / "var/lib/hisabu-update"
    kept.mkdir()
    (kept / "state.json").write_bytes(left)
    assert (machine.update(), machine.state()) == ("unclear", ("1.0", True))
    assert [path.name for path in kept.glob("*.json")] == ["result.json"]
    machine.hand_out(machine.fetched, machine.package("1.1"))
    machine.ask()
    assert (machine.update(), machine.state()) == ("updated", ("1.1", True))


def test_half_a_version_whose_note_is_damaged_goes_back(machine: Machine) -> None:
    machine.hand_out(machine.fetched, machine.package("1.1"))
    machine.ask()
    machine.update()
    kept, status = machine.root / "var/lib/hisabu-update", machine.root / "var/lib/dpkg/status"
    status.write_text(status.read_text().replace("install ok installed", "install reinstreq half-installed"))
    (machine.root / "usr/lib/hisabu/file3").write_text("half")
    (kept / "state.json").write_bytes(b"")
    assert (machine.update(), machine.state()) == ("unclear", ("1.1", True))
    assert [path.name for path in kept.glob("*.json")] == ["result.json"]


def test_a_dpkg_that_dies_on_the_way_leaves_the_old_version(machine: Machine) -> None:
    machine.hand_out(machine.fetched, with_a_large_file(machine))
    machine.ask()
    real = shutil.which("dpkg", path="/usr/bin:/bin")
    machine.script("dpkg", f'#!/bin/bash\ncase "$*" in *next.deb*) ulimit -f 1500; esac\nexec {real} "$@"\n')
    assert (machine.update(), machine.state()) == ("went_back", ("1.0", True))


def _killed(machine: Machine, after_s: float) -> bool:
    """An update that is cut off, dpkg with it. False: it was over before."""
    script = Path(updater.__file__)
    words = [
        sys.executable,
        "-I",
        str(script),
        "--root",
        str(machine.root),
        "--up-s",
        "1",
        "--stays-s",
        "0.1",
        "--look-s",
        "0.02",
    ]
    process = subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    return False


GOLDEN = 0.618
"""Steps of so much, round and round, come everywhere between 0 and 1 and never twice to one place."""


@pytest.mark.parametrize(("instants", "files"), [(2, 100), *slow((4, 300), (20, 300))])
def test_killed_at_any_instant_the_old_version_runs_or_the_whole_new_one(machine: Machine, instants: int) -> None:
    before = machine.folder / "before"
    machine.hand_out(machine.fetched, machine.package("1.1"))
    machine.ask()
    shutil.copytree(machine.root, before, symlinks=True)
    whole_s = 120.0
    for _ in range(2):
        shutil.rmtree(machine.root)
        shutil.copytree(before, machine.root, symlinks=True)
        began_s = time.monotonic()
        assert not _killed(machine, 120.0) and machine.state() == ("1.1", True)
        whole_s = min(whole_s, time.monotonic() - began_s)
    killed, back = 0, 0
    cuts = [(number + 0.5) / instants for number in range(instants)]
    for cut in cuts:
        shutil.rmtree(machine.root)
        shutil.copytree(before, machine.root, symlinks=True)
        killed += _killed(machine, whole_s * cut)
        Updater(
            machine.root, QUICK
        ).run()  # The power comes back: systemd starts it where something was left half done.
        version, whole = machine.state()
        assert whole, f"cut off at {cut}: neither version is whole"
        back += version == "1.0"
        if not back and len(cuts) < instants + 6:
            cuts.append((cuts[-1] + GOLDEN) % 1)  # This machine was faster or slower than it was measured: elsewhere.
        assert version == "1.0" or machine.said == "updated"
        assert not (machine.root / "var/lib/hisabu-update/state.json").exists()
    print(f"of {instants} cut off {killed}, back to the old version {back}")
    assert killed >= max(1, instants // 4) and back
