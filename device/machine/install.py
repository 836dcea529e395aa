"""Puts the program under systemd as a user of its own, and takes it away again: a plan of steps, shown or done."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from device import version, words
from device.keeping.files import write_whole
from device.keeping.settings import FILE, Settings, text_of
from device.machine import network
from device.machine.wiring import USB_VENDOR
from device.words import in_words
from engine.errors import GameError

USER = "hisabu"
GROUPS = ("video", "i2c", "spi", "gpio", "dialout", "audio")
"""Who may use the camera, a display on either bus, the pins, the panel's serial port, and a loudspeaker; those that are
there."""
PROGRAM = Path("/opt/hisabu")
PYTHON = PROGRAM / ".venv/bin/python"
SETTINGS = Path("/etc/hisabu")
STATE = Path("/var/lib/hisabu")
UNIT = Path("/etc/systemd/system/hisabu.service")
RULES = Path("/etc/udev/rules.d/60-hisabu.rules")
COMMAND = Path("/usr/local/bin/hisabu")
SYSCTL = Path("/etc/sysctl.d/60-hisabu.conf")
POLKIT = Path("/etc/polkit-1/rules.d/60-hisabu.rules")
DNSMASQ = Path("/etc/NetworkManager/dnsmasq-shared.d/60-hisabu.conf")
COPIED = ("engine", "vision", "device", "firmware", "hisabu", "pyproject.toml", "README.md", "LICENSE")
NEEDED = ("python3-venv", "avahi-utils", "espeak-ng", "alsa-utils")
NEEDED_ON_A_PI = ("python3-picamera2", "python3-lgpio", "python3-spidev")
"""What pip cannot bring without a compiler: the camera, the pins, and the bus of a colour display."""

APART = """\
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectProc=invisible"""
"""What every unit does without: the kernel's own settings, other programs, the machine's name."""
UNIT_TEXT = f"""\
[Unit]
Description=Hisabu follows the game on the table and keeps the score
Documentation=file://{PROGRAM}/README.md
# Nobody sits at its console: it tries again for as long as there is power.
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={PROGRAM}/.venv/bin/hisabu run
User={USER}
Environment=HISABU_HOME={SETTINGS} PYTHONUNBUFFERED=1
# Pictures that are no longer needed go back to the machine: 30 MB less (hisabu bench memory).
Environment=MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
StateDirectory=hisabu
# Also where lgpio puts the pipe of its own that it needs.
WorkingDirectory={STATE}
# Fed only while frames move or the camera is known to be away.
WatchdogSec=30
TimeoutStopSec=15
Restart=on-failure
RestartSec=3
LimitCORE=0
# Whoever owns the device may read the matches without being root; recordings are kept from others where they are made.
UMask=0022

# It reads its program, writes its matches and its settings, and needs nothing else of the machine but its groups.
NoNewPrivileges=yes
# None of root's rights. The page's port 80, where a browser looks by itself, is anybody's here: {SYSCTL}.
CapabilityBoundingSet=
ProtectSystem=strict
ReadWritePaths={STATE} {SETTINGS}
ProtectHome=yes
PrivateTmp=yes
{APART}
PrivateMounts=yes
RemoveIPC=yes
# systemd's and libcamera's sockets; a page, a broker, a camera by its address; what udev tells of cameras.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
# Nothing it uses writes code to run it: NumPy, OpenCV and aiohttp were run so.
MemoryDenyWriteExecute=yes
# A leak ends in a restart, after which the match goes on, and not in a machine that hangs. It takes a third of a
# gigabyte; Raspberry Pi OS counts memory only with cgroup_enable=memory.
MemoryMax=90%
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# What reads old matches for the page steps back behind what follows the table.
SystemCallFilter=setpriority
# A call that is not allowed fails like any other; it does not kill a table's match.
SystemCallErrorNumber=EPERM
# Left out on purpose: DeviceAllow=, which knows no panel or camera that is plugged in after the start; ProcSubset=pid,
# which hides /proc/device-tree, by which a Pi is known; ProtectClock=yes and PrivateDevices=yes, which would take
# camera, pins and buses away with the clock.

[Install]
WantedBy=multi-user.target
"""
SYSCTL_TEXT = """\
# The page for phones is on port 80, and no program needs a right of root's for that.
net.ipv4.ip_unprivileged_port_start = 80
"""
RULES_TEXT = f"""\
# The lamp panel is a Raspberry Pi Pico: for the group dialout, and no modem that ModemManager should try to dial with.
SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{USB_VENDOR:04x}", GROUP="dialout", MODE="0660", ENV{{ID_MM_DEVICE_IGNORE}}="1"
"""
POLKIT_TEXT = f"""\
// Whoever paired a phone at the table may switch the device off and on, and choose its Wi-Fi; nothing else.
polkit.addRule(function (action, subject) {{
    var login1 = ["power-off", "power-off-multiple-sessions", "reboot", "reboot-multiple-sessions"];
    var network = ["network-control", "wifi.scan", "wifi.share.protected", "settings.modify.system"];
    var may = login1.map(function (name) {{ return "org.freedesktop.login1." + name; }}).concat(
        network.map(function (name) {{ return "org.freedesktop.NetworkManager." + name; }}));
    if (subject.user == "{USER}" && may.indexOf(action.id) >= 0) {{
        return polkit.Result.YES;
    }}
}});
"""
DNSMASQ_TEXT = f"""\
# In the device's own Wi-Fi every name leads to its page (device/web/captive.py).
address=/#/{network.ADDRESS}
"""
COMMAND_TEXT = f"""\
#!/bin/sh
# The installed device's own hisabu, with the device's own settings.
HISABU_HOME=${{HISABU_HOME:-{SETTINGS}}} exec {PROGRAM}/.venv/bin/hisabu "$@"
"""


AGAIN, NO_START = "install_again", "install_no_start"
"""What is to be done after a step that failed."""


class InstallError(GameError):
    """A step that failed or cannot be, and what to do about it."""


@dataclass(frozen=True)
class Skipped:
    """Nothing to do, and why."""

    code: str
    facts: Mapping[str, object] = field(default_factory=dict)
    topic: ClassVar[str] = "mistake"

    def shell(self, language: str = "en") -> str:
        """As a line of a script."""
        return f"# {in_words(self, language)}"


@dataclass(frozen=True)
class Run:
    """A command, inside the tree if it is not the running system."""

    words: tuple[str, ...]
    may_fail: bool = False
    if_it_fails: str = AGAIN

    def shell(self) -> str:
        """As a line of a script."""
        return shlex.join(self.words) + (" || true" if self.may_fail else "")


@dataclass(frozen=True)
class Write:
    """A file."""

    path: Path
    text: str
    mode: int = 0o644
    owner: str = ""
    """Whose it is, with the group of the same name; root's, if not said."""

    def shell(self) -> str:
        """As lines of a script."""
        owned = f" -o {self.owner} -g {self.owner}" if self.owner else ""
        return f"install -D{owned} -m {self.mode:04o} /dev/stdin {self.path} <<'END'\n{self.text}END"


@dataclass(frozen=True)
class Copy:
    """Files and folders of the checkout, over those that were there."""

    source: Path
    target: Path
    names: tuple[str, ...]

    def shell(self) -> str:
        """As lines of a script."""
        names = " ".join(self.names)
        pack = f"tar -C {shlex.quote(str(self.source))} --exclude=__pycache__ -cf - {names}"
        return f"mkdir -p {self.target}\n(cd {self.target} && rm -rf {names})\n{pack} | tar -C {self.target} -xf -"


@dataclass(frozen=True)
class Remove:
    """Files and folders, if they are there."""

    paths: tuple[Path, ...]

    def shell(self) -> str:
        """As a line of a script."""
        return f"rm -rf {' '.join(map(str, self.paths))}"


Step = Skipped | Run | Write | Copy | Remove


@dataclass(frozen=True)
class InstallTarget:
    """The system that it is installed on: the running one, or a tree."""

    root: Path
    running: bool
    """Whether it is the running system."""

    def at(self, path: Path) -> Path:
        """Where a path of the target lies from here."""
        return self.root / path.relative_to("/")

    def has(self, path: str | Path) -> bool:
        """Whether it is there, be it a link to nowhere."""
        return os.path.lexists(self.at(Path(path)))

    @property
    def a_pi(self) -> bool:
        """Whether it is Raspberry Pi OS."""
        return self.has("/usr/bin/raspi-config")

    @property
    def kept(self) -> tuple[str, ...]:
        """What pip must leave: apt's picamera2 on Debian 12 is compiled against NumPy 1 and shares the process."""
        return ("numpy<2",) if self.a_pi and self.has("/usr/lib/python3.11") else ()

    def names(self, kind: str) -> set[str]:
        """The users (passwd) or groups (group) it knows."""
        file = self.at(Path("/etc") / kind)
        return {line.partition(":")[0] for line in file.read_text().splitlines()} if file.exists() else set()

    def owner(self, user: str) -> tuple[int, int]:
        """The numbers of a user that it knows and of his own group. InstallError: it does not know him."""
        file = self.at(Path("/etc/passwd"))
        for line in file.read_text().splitlines():
            name, _, uid, gid, *_ = line.split(":")
            if name == user:
                return int(uid), int(gid)
        raise InstallError("install_no_user", path=file, name=user, error=GameError(AGAIN))

    def installed(self, package: str) -> bool:
        """Whether apt has put a package there."""
        return any(self.at(Path("/var/lib/dpkg/info")).glob(f"{package}.list"))


def is_of_the_service(settings_file: Path) -> bool:
    """Whether a settings file is that of the installed service."""
    return settings_file.absolute().parent == SETTINGS


def outside_the_service(settings: Settings, ask: Callable[[Sequence[str]], str | None]) -> Path | None:
    """A folder that the service's settings name for matches or recordings and the unit lets nobody write in; None:
    there is none. ask: what a command prints."""
    said = ask(["systemctl", "show", "--property=ReadWritePaths", "--value", "hisabu"]) or ""
    allowed = [Path(place.lstrip("+-")) for place in said.split() if "/" in place] or [STATE, SETTINGS]
    # What begins with ~ lies in the service's own home.
    named = [Path(folder) for folder in (settings.matches, settings.record) if folder and not folder.startswith("~")]
    return next((folder for folder in named if not any(folder.is_relative_to(place) for place in allowed)), None)


def target_of(root: Path) -> InstallTarget:
    """The running system, or a tree."""
    root = root.resolve()
    return InstallTarget(root, running=root == Path("/"))


def plan_install(target: InstallTarget, checkout: Path, language: str) -> Iterator[Step]:
    """Installs, or brings what is installed up to date: the same steps."""
    if missing_here := [name for name in COPIED if not (checkout / name).exists()]:
        raise InstallError("install_no_checkout", path=checkout, what=missing_here[0])
    if checkout.resolve() == target.at(PROGRAM).resolve():
        raise InstallError("install_itself", path=checkout)
    if target.running and target.has(UNIT):
        yield Run(("systemctl", "stop", "hisabu"), may_fail=True)
    yield from _system(target)
    yield from _program(target, checkout)
    yield from _own_files(target, language)
    yield Write(UNIT, UNIT_TEXT)
    yield Write(RULES, RULES_TEXT)
    yield Write(POLKIT, POLKIT_TEXT)
    yield Write(SYSCTL, SYSCTL_TEXT)
    yield Write(DNSMASQ, DNSMASQ_TEXT)
    yield Write(COMMAND, COMMAND_TEXT, 0o755)
    yield from _started(target)


def _system(target: InstallTarget) -> Iterator[Step]:
    """Debian's packages, and the user that the service runs as."""
    wanted = (*NEEDED, *(NEEDED_ON_A_PI if target.a_pi else ()))
    if missing := [package for package in wanted if not target.installed(package)]:
        yield Run(("apt-get", "update"), may_fail=True)
        yield Run(("apt-get", "install", "--yes", "--no-install-recommends", *missing))
    if not target.a_pi:
        yield Skipped("install_no_pi")
    if USER not in target.names("passwd"):
        home, shell = str(STATE), "/usr/sbin/nologin"
        yield Run(("useradd", "--system", "--user-group", "--home-dir", home, "--shell", shell, USER))
    there = target.names("group")
    if groups := [group for group in GROUPS if group in there]:
        yield Run(("usermod", "--append", "--groups", ",".join(groups), USER))


def _program(target: InstallTarget, checkout: Path) -> Iterator[Step]:
    """The program and its Python."""
    yield Copy(checkout, PROGRAM, COPIED)
    # Run again, it mends an environment that an update of the system's Python left behind.
    yield Run(("python3", "-m", "venv", "--system-site-packages", str(PROGRAM / ".venv")))
    # The copy has no git to ask which version it is.
    told = f"SETUPTOOLS_SCM_PRETEND_VERSION_FOR_HISABU={version.of_the_program()}"
    pip = ("env", told, str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--quiet")
    yield Run((*pip, "--editable", str(PROGRAM), *target.kept))
    yield Run(("chmod", "-R", "a+rX", str(PROGRAM)))


def _own_files(target: InstallTarget, language: str) -> Iterator[Step]:
    """The folders of the service's user, and the first settings."""
    # These two lie in folders of root's. In them the service's user could lay links: nothing there is given away, and
    # what it needs further down (the matches) it makes itself.
    yield Run(("install", "-d", "-o", USER, "-g", USER, "-m", "0755", str(SETTINGS), str(STATE)))
    if target.has(SETTINGS / FILE):
        yield Skipped("install_settings", {"path": SETTINGS / FILE})
    else:
        text = text_of(Settings(language=language, matches=str(STATE / "matches")))
        yield Write(SETTINGS / FILE, text, owner=USER)
    if target.has(STATE / "matches"):
        # Of an older install: since then whoever owns the device may read them without being root. As their own user.
        yield Run(("runuser", "-u", USER, "--", "chmod", "-R", "a+rX", str(STATE / "matches")), may_fail=True)


def _started(target: InstallTarget) -> Iterator[Step]:
    """The service, from now on or from the next start on."""
    if not target.running:
        yield Run(("systemctl", "enable", "hisabu"))
        yield Skipped("install_later")
        return
    if target.a_pi:
        yield Run(("raspi-config", "nonint", "do_i2c", "0"))
        yield Run(("raspi-config", "nonint", "do_spi", "0"))
    yield Run(("udevadm", "control", "--reload"), may_fail=True)
    yield Run(("sysctl", "--load", str(SYSCTL)), may_fail=True)
    yield Run(("systemctl", "daemon-reload"))
    yield Run(("systemctl", "enable", "hisabu"))
    yield Run(("systemctl", "restart", "hisabu"), if_it_fails=NO_START)


def plan_uninstall(target: InstallTarget, purge: bool) -> Iterator[Step]:
    """Takes everything away but settings and matches; with purge those and the user too."""
    if target.has(UNIT):
        yield Run(("systemctl", "disable", *(("--now",) if target.running else ()), "hisabu"), may_fail=True)
    yield Remove((UNIT, RULES, POLKIT, SYSCTL, DNSMASQ, COMMAND, PROGRAM))
    if target.running:
        yield Run(("systemctl", "daemon-reload"), may_fail=True)
    if not purge:
        yield Skipped("install_stay", {"settings": SETTINGS, "state": STATE, "name": USER})
        return
    yield Remove((SETTINGS, STATE))
    if USER in target.names("passwd"):
        yield Run(("userdel", USER))


NO_SUCH_COMMAND = 127
"""What a shell says of one."""


def run_words(words: Sequence[str]) -> int:
    """Runs a command as a shell does: one that is not there is one that failed."""
    try:
        return subprocess.run(words, check=False).returncode
    except FileNotFoundError:
        return NO_SUCH_COMMAND


def carry_out(
    steps: Iterator[Step],
    target: InstallTarget,
    say: Callable[[str], None],
    dry: bool,
    run: Callable[[Sequence[str]], int] = run_words,
    language: str = "en",
) -> None:
    """Says every step as shell would have it, and does it unless dry. InstallError at the first that fails."""
    for step in steps:
        say(step.shell(language) if isinstance(step, Skipped) else step.shell())
        if not dry:
            try:
                _do(step, target, run)
            except OSError as error:
                path, helps = error.filename or step.shell(), words.what_helps(error, language)
                raise InstallError("install_no_file", path=path, what=helps, error=GameError(AGAIN)) from error


def _do(step: Step, target: InstallTarget, run: Callable[[Sequence[str]], int]) -> None:
    match step:
        case Run(words, may_fail, if_it_fails):
            words = words if target.running else ("chroot", str(target.root), *words)
            if run(words) != 0 and not may_fail:
                raise InstallError("install_failed", what=shlex.join(words), error=GameError(if_it_fails))
        case Write(path, text, mode, user):
            owner = target.owner(user) if user else (os.geteuid(), os.getegid())
            _make_new(target.at(path), text, mode, owner)
        case Copy(source, into, names):
            folder = target.at(into)
            folder.mkdir(parents=True, exist_ok=True)
            for name in names:
                _remove(folder / name)
                if (source / name).is_dir():
                    shutil.copytree(source / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(source / name, folder / name)
        case Remove(paths):
            for path in paths:
                _remove(target.at(path))


def _make_new(path: Path, text: str, mode: int, owner: tuple[int, int]) -> None:
    """A file with this mode and owner, in the place of a link too."""
    if path.is_symlink():
        path.unlink()
    write_whole(path, text.encode(), mode, owner)


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)
