"""Brings the installed package up to date, as root, and back again if the device does not come up with it.

One file with nothing but Python's own library: dpkg replaces the program meanwhile. systemd starts it when the device
asks (a file in the device's own folder), and after a power cut in the middle of it (release/deb.py has both units).
Only a package that the key of its releases signed, and that is newer, is ever given to dpkg.

The signature is Ed25519 and openssl looks at it: Debian has that wherever it trusts a web server. gpgv would do as
well, but Debian 13 no longer brings it; minisign has to be installed.
"""

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "hisabu"
ASKED = Path("/var/lib/hisabu/update")
"""The service's user writes there: what it asks for, and what it fetched."""
KEPT = Path("/var/lib/hisabu-update")
"""Root's alone: the package that runs, what goes on, what came of it."""
PROGRAM = Path("/usr/lib/hisabu")
KEY = Path("/usr/share/hisabu/release-key.pem")
ASK, STATE, RESULT = "ask", "state.json", "result.json"
LOST_STATE = "lost.json"
"""What STATE was when there was no way back: nothing goes on any more, and who asks again has that tried first."""
CURRENT, NEXT = "current.deb", "next.deb"
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
MOST_SMALL, MOST_OF_A_PACKAGE = 200_000, 700_000_000
SPARE_BYTES = 50_000_000
"""Left free whatever is installed: a match must find room meanwhile."""
STICK, FETCHED = "stick", "fetched"
FILE_SYSTEMS = ("vfat", "exfat", "ext4", "ntfs")
UPDATED, BACK, BACK_CUT, UNCLEAR = "updated", "went_back", "went_back_cut", "unclear"
NO_KEY, NOTHING, NOT_SIGNED, DAMAGED, NOT_NEWER, NO_ROOM, NO_WAY_BACK, LOST = (
    "no_key", "nothing", "not_signed", "damaged", "not_newer", "no_room", "no_way_back", "lost",
)  # fmt: skip


class CannotBe(Exception):
    """Nothing was installed, and why: one of the codes above."""

    def __init__(self, code: str, version: str = "") -> None:
        super().__init__(code)
        self.code, self.version = code, version


@dataclass(frozen=True)
class UpdateWaits:
    """How long the device may take to come up, and must then stay up."""

    up_s: float = 180.0
    stays_s: float = 30.0
    look_s: float = 1.0


class Updater:
    """One system: the running one, or a tree for a test."""

    def __init__(self, root: Path = Path("/"), waits: UpdateWaits = UpdateWaits()) -> None:
        self._root, self._waits = root, waits
        self._kept, self._asked, self._key = (self._at(path) for path in (KEPT, ASKED, KEY))
        self._dpkg = ("dpkg", *(() if root == Path("/") else (f"--root={root}", "--force-not-root")))

    def _at(self, path: Path) -> Path:
        return self._root / path.relative_to("/")

    # -- what is done ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Ends what a power cut left half done; then does what is asked for."""
        self._kept.mkdir(mode=0o755, parents=True, exist_ok=True)
        lock = os.open(self._kept, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._run()
        finally:
            os.close(lock)

    def _run(self) -> None:
        if any(os.path.lexists(self._kept / name) for name in (STATE, LOST_STATE)):
            state = _json(self._kept / STATE) or _json(self._kept / LOST_STATE)
            if state is None:
                self._after_damage()
            else:
                self._after_a_cut(state)
            (self._kept / NEXT).unlink(missing_ok=True)
        asked = self._what_is_asked()
        if asked is None:
            return
        try:
            self._update(asked)
        except CannotBe as error:
            self._tell(error.code, error.version)
        finally:
            (self._kept / NEXT).unlink(missing_ok=True)

    def _after_a_cut(self, state: dict[str, Any]) -> None:
        if state.get("step") == "done":
            self._is_current(str(state["to"]))
        elif self._is_whole() and self._version() not in (state.get("from"), state.get("to")):
            self._is_over()  # Somebody has installed another since.
        elif self._version() == state.get("from") and self._is_whole():
            self._is_over()  # dpkg had not begun.
            self._tell(BACK_CUT, str(state.get("to", "")))
        else:
            self._tell(BACK_CUT if self._go_back(was_up=False) else LOST, str(state.get("to", "")))

    def _after_damage(self) -> None:
        """What went on cannot be read any more: a package that is whole stays, and any other goes back."""
        done = self._is_whole() or self._go_back(was_up=False)
        if done:
            self._is_over()
        self._tell(UNCLEAR if done else LOST, self._version())

    def _update(self, where: str) -> None:
        new = self._take(where)
        old = self._version()
        self._make_room(self._kept / NEXT)
        self._keep_a_way_back(old)
        was_up = self._is_active()
        self._write(STATE, {"step": "installing", "from": old, "to": new})
        if self._install(NEXT) and (not was_up or self._came_up()):
            self._write(STATE, {"step": "done", "from": old, "to": new})
            self._is_current(new)
        else:
            self._tell(BACK if self._go_back(was_up) else LOST, new)

    def _is_current(self, version: str) -> None:
        """The new one runs: from now on it is what to go back to."""
        if (self._kept / NEXT).exists():
            (self._kept / NEXT).replace(self._kept / CURRENT)
        self._tell(UPDATED, version)
        self._is_over()

    def _go_back(self, was_up: bool) -> bool:
        """The package that ran before runs again."""
        done = self._install(CURRENT) or self._install(CURRENT)
        if done:
            self._is_over()
        elif (self._kept / STATE).exists():
            (self._kept / STATE).replace(self._kept / LOST_STATE)
        return done and (not was_up or self._came_up())

    def _is_over(self) -> None:
        """Nothing is half done any more."""
        self._write(LOST_STATE, None)
        self._write(STATE, None)

    # -- the package -------------------------------------------------------------------------------------------------

    def _take(self, where: str) -> str:
        """Copies the newest fitting package to where nobody else can write. CannotBe: there is none to be trusted."""
        if not self._key.exists():
            raise CannotBe(NO_KEY)
        (self._kept / NEXT).unlink(missing_ok=True)  # Of one that a power cut broke off.
        found = CannotBe(NOTHING)
        for folder in self._folders(where):
            try:
                return self._take_from(folder)
            except CannotBe as error:
                found = error if error.code != NOTHING else found
        raise found

    def _take_from(self, folder: Path) -> str:
        sums = self._signed(folder)
        arch = self._output(*self._dpkg, "--print-architecture")
        label = re.search(r"\+deb\d+$", self._version())
        ending = re.escape(f"{label[0] if label else ''}_{arch}.deb")
        fits = [name for name in sums if re.fullmatch(rf"{NAME}_[\w.~+-]+{ending}", name) and (folder / name).exists()]
        if not fits:
            raise CannotBe(NOTHING)
        name = fits[0]
        for other in fits[1:]:
            name = other if is_newer(version_in(other), version_in(name)) else name
        if not is_newer(version_in(name), self._version()):
            raise CannotBe(NOT_NEWER, version_in(name))
        size = (folder / name).lstat().st_size
        if shutil.disk_usage(self._kept).free < size + SPARE_BYTES:
            raise CannotBe(NO_ROOM, version_in(name))
        if _copied(folder / name, self._kept / NEXT, min(size, MOST_OF_A_PACKAGE)) != sums[name]:
            raise CannotBe(DAMAGED, version_in(name))
        about = [
            self._output("dpkg-deb", "--field", str(self._kept / NEXT), field) for field in ("Package", "Architecture")
        ]
        version = self._output("dpkg-deb", "--field", str(self._kept / NEXT), "Version")
        if about != [NAME, arch] or not is_newer(version, self._version()):
            raise CannotBe(DAMAGED, version)
        return version

    def _signed(self, folder: Path) -> dict[str, str]:
        """The checksums of a folder's files, if the key of the releases signed them."""
        for name in (SUMS, SIGNATURE):
            if not (folder / name).exists():
                raise CannotBe(NOTHING if name == SUMS else NOT_SIGNED)
            _copied(folder / name, self._kept / name, MOST_SMALL)
        sums, signature = self._kept / SUMS, self._kept / SIGNATURE
        verify = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(self._key), "-rawin"]
        if not _ran([*verify, "-in", str(sums), "-sigfile", str(signature)]):
            raise CannotBe(NOT_SIGNED)
        lines = [line.split(maxsplit=1) for line in sums.read_text(encoding="utf-8").splitlines()]
        return {line[1].lstrip("*"): line[0] for line in lines if len(line) == 2}

    @contextlib.contextmanager
    def _mounted(self, device: str) -> Iterator[Path | None]:
        """Where a stick can be read, for as long as that takes; None: it cannot be."""
        at = self._kept / STICK
        at.mkdir(exist_ok=True)
        if not _ran(["mount", "-o", "ro,nosuid,nodev,noexec", device, str(at)]):
            yield None
            return
        try:
            yield at
        finally:
            _ran(["umount", str(at)])

    def _folders(self, where: str) -> Iterator[Path]:
        if where == FETCHED:
            yield self._asked
            return
        for device, mounted_at in _sticks(self._output("lsblk", "--json", "--paths", "--output",
                                                       "PATH,TRAN,FSTYPE,MOUNTPOINT")):  # fmt: skip
            if mounted_at:
                yield Path(mounted_at)
                continue
            with self._mounted(device) as at:
                if at is not None:
                    yield at

    def _make_room(self, package: Path) -> None:
        """CannotBe: the disk does not take the new package beside what is there."""
        kilobytes = self._output("dpkg-deb", "--field", str(package), "Installed-Size") or "0"
        program = 1024 * int(kilobytes) + SPARE_BYTES
        # A card has matches and program on two parts.
        for place, needed in ((self._kept, program + package.stat().st_size), (self._at(PROGRAM), program)):
            if shutil.disk_usage(place).free < needed:
                raise CannotBe(NO_ROOM)

    def _keep_a_way_back(self, version: str) -> None:
        """The package that runs, as it is installed: dpkg keeps none. CannotBe: it cannot be made."""
        current = self._kept / CURRENT
        if current.exists() and self._output("dpkg-deb", "--field", str(current), "Version") == version:
            return
        work, fresh = self._kept / "way-back", self._kept / f"{CURRENT}.new"
        shutil.rmtree(work, ignore_errors=True)
        try:
            self._lay_out(work)
            if not _ran(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(work), str(fresh)]):
                raise CannotBe(NO_WAY_BACK)
            _sync(fresh)
            fresh.replace(current)
        except OSError as error:
            raise CannotBe(NO_WAY_BACK) from error
        finally:
            shutil.rmtree(work, ignore_errors=True)
            fresh.unlink(missing_ok=True)

    def _lay_out(self, work: Path) -> None:
        """Every file of the package, and what dpkg knows of it, as dpkg-deb takes them."""
        query = ("dpkg-query", f"--admindir={self._root / 'var/lib/dpkg'}")
        (work / "DEBIAN").mkdir(parents=True)
        for line in self._output(*query, "--listfiles", NAME).splitlines():
            there, copy = self._root / line.lstrip("/"), work / line.lstrip("/")
            if there.is_dir() and not there.is_symlink():
                copy.mkdir(parents=True, exist_ok=True)
                copy.chmod(stat.S_IMODE(there.stat().st_mode))
            elif os.path.lexists(there):
                _linked(there, copy)
        status = self._output(*query, "--status", NAME)
        control = re.sub(r"^(Status|Conffiles|Config-Version):.*\n(?: .*\n)*", "", f"{status}\n", flags=re.MULTILINE)
        (work / "DEBIAN/control").write_text(control, encoding="utf-8")
        for part in ("preinst", "postinst", "prerm", "postrm", "md5sums"):
            of_dpkg = self._root / "var/lib/dpkg/info" / f"{NAME}.{part}"
            if of_dpkg.exists():
                shutil.copy2(of_dpkg, work / "DEBIAN" / part)

    # -- the machine -------------------------------------------------------------------------------------------------

    def _install(self, name: str) -> bool:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        if not _ran([*self._dpkg, "--force-downgrade", "--install", str(self._kept / name)], quiet):
            _ran([*self._dpkg, "--configure", "--pending"], quiet)
        for left in self._at(PROGRAM).rglob("*.dpkg-*"):  # A dpkg that was killed takes nothing away again.
            left.unlink(missing_ok=True)
        return self._is_whole() and self._version() == self._output(
            "dpkg-deb", "--field", str(self._kept / name), "Version"
        )

    def _query(self, what: str) -> str:
        return self._output(
            "dpkg-query", f"--admindir={self._root / 'var/lib/dpkg'}", "--show", f"--showformat=${{{what}}}", NAME
        )

    def _version(self) -> str:
        return self._query("Version")

    def _is_whole(self) -> bool:
        return self._query("Status") == "install ok installed"

    def _is_active(self) -> bool:
        return self._output("systemctl", "is-active", NAME) == "active"

    def _came_up(self) -> bool:
        """Whether the device starts, and does not start again and again."""
        until = time.monotonic() + self._waits.up_s
        while not self._is_active():
            if time.monotonic() > until:
                return False
            time.sleep(self._waits.look_s)
        restarts = self._restarts()
        until = time.monotonic() + self._waits.stays_s
        while time.monotonic() < until:
            time.sleep(self._waits.look_s)
            if not self._is_active() or self._restarts() != restarts:
                return False
        return True

    def _restarts(self) -> str:
        return self._output("systemctl", "show", "--property=NRestarts", "--value", NAME)

    @staticmethod
    def _output(*words: str) -> str:
        done = subprocess.run(words, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return done.stdout.strip()

    # -- what is written ---------------------------------------------------------------------------------------------

    def _what_is_asked(self) -> str | None:
        """Where the new package is, as the device asks; it asks once."""
        ask = self._asked / ASK
        asked = _json(ask)
        with contextlib.suppress(OSError):
            ask.unlink()
        where = (asked or {}).get("from")
        return where if where in (STICK, FETCHED) else None

    def _tell(self, code: str, version: str) -> None:
        """What came of it, for the device's page."""
        print(f"{NAME}: update: {code} {version}", flush=True)
        result = {"code": code, "version": version, "at": int(time.time())}
        try:
            self._write(RESULT, result)
        except OSError:  # A full disk: what is told goes where the last was told.
            with contextlib.suppress(OSError):
                (self._kept / RESULT).write_text(json.dumps(result), encoding="utf-8")

    def _write(self, name: str, value: dict[str, Any] | None) -> None:
        """A file whole, on disk when this returns; None: it is gone."""
        path, fresh = self._kept / name, self._kept / f".{name}.new"
        if value is None:
            path.unlink(missing_ok=True)
        else:
            fresh.write_text(json.dumps(value), encoding="utf-8")
            fresh.chmod(0o644)
            _sync(fresh)
            fresh.replace(path)
        _sync(self._kept)


def _json(path: Path) -> dict[str, Any] | None:
    """A small object; whatever else lies there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            found = json.loads(file.read(MOST_SMALL))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _copied(source: Path, target: Path, most: int) -> str:
    """Copies a file that others may change meanwhile; the SHA-256 of the copy. CannotBe: it is none, or too large."""
    digest, size = hashlib.sha256(), 0
    try:
        fd = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(fd, "rb") as file, target.open("wb") as copy:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise CannotBe(DAMAGED)
            while piece := file.read(1 << 20):
                size += len(piece)
                if size > most:
                    raise CannotBe(DAMAGED)
                digest.update(piece)
                copy.write(piece)
            copy.flush()
            os.fsync(copy.fileno())
    except OSError as error:
        raise CannotBe(NO_ROOM if error.filename is None else DAMAGED) from error
    return digest.hexdigest()


def _linked(there: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(there, copy, follow_symlinks=False)
    except OSError:  # Another file system.
        shutil.copy2(there, copy, follow_symlinks=False)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _ran(words: Sequence[str], environment: dict[str, str] | None = None) -> bool:
    """Whether a command did what it should."""
    try:
        done = subprocess.run(words, check=False, stdin=subprocess.DEVNULL, capture_output=True, env=environment)
    except OSError:
        return False
    if done.returncode:
        sys.stderr.write(done.stderr.decode(errors="replace")[-2000:])
    return done.returncode == 0


def is_newer(version: str, other: str) -> bool:
    """As dpkg sorts them: 0.10 after 0.9, and what comes before a release before it."""
    return _ran(["dpkg", "--compare-versions", version, "gt", other])


def version_in(name: str) -> str:
    """The version in a package's file name."""
    return name.split("_")[1]


def _sticks(listed: str) -> Iterator[tuple[str, str | None]]:
    """Every partition on USB with a file system that is read, and where it is mounted."""
    try:
        disks = json.loads(listed)["blockdevices"]
    except (ValueError, KeyError):
        return
    for disk in disks:
        if disk.get("tran") == "usb":
            for partition in disk.get("children") or [disk]:
                if partition.get("fstype") in FILE_SYSTEMS:
                    yield partition["path"], partition.get("mountpoint")


def main() -> int:
    """The unit's command."""
    line = argparse.ArgumentParser()
    line.add_argument("--root", type=Path, default=Path("/"))
    line.add_argument("--up-s", type=float, default=UpdateWaits.up_s)
    line.add_argument("--stays-s", type=float, default=UpdateWaits.stays_s)
    line.add_argument("--look-s", type=float, default=UpdateWaits.look_s)
    given = line.parse_args()
    Updater(given.root.resolve(), UpdateWaits(given.up_s, given.stays_s, given.look_s)).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
