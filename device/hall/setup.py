"""Sets a machine up for an evening of many tables: a broker that asks for passwords, who may do what there, the hall as
a service of its own, and a code for each table. A plan of steps, shown or done, as installing a table is."""

import base64
import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from device import version
from device.keeping.broker_code import MOST_TABLES, TableCode
from device.machine.install import AGAIN, APART, COPIED, Copy, InstallError, InstallTarget, Run, Skipped, Step, Write
from device.outputs.broker.acl import acl

USER = "hisabu-hall"
STATE = Path("/var/lib/hisabu-hall")
SETTINGS = Path("/etc/hisabu-hall")
PASSWORD, CODES = SETTINGS / "password", SETTINGS / "codes.txt"
UNIT = Path("/etc/systemd/system/hisabu-hall.service")
CONFIGURATION = Path("/etc/mosquitto/conf.d/hisabu.conf")
PASSWORDS, RIGHTS = Path("/etc/mosquitto/hisabu.passwd"), Path("/etc/mosquitto/hisabu.acl")
BROKER_USER = "mosquitto"
NEEDED = ("mosquitto", "avahi-utils")
PACKAGED, INSTALLED, OWN = Path("/usr/lib/hisabu"), Path("/opt/hisabu"), Path("/opt/hisabu-hall")
"""Where the program is: from a package, from `hisabu install`, or copied from a checkout for the hall alone."""
HALL, HOME = "hall", "homeassistant"
TABLES = 8
ROUNDS = 20_000
"""Of the passwords' hash: 10 ms on a Pi, so that nobody guesses at hundreds a second."""
OTHERS = re.compile(
    r"^\s*(listener\s+1883|port|allow_anonymous|password_file|acl_file|per_listener_settings\s+true)\b", re.MULTILINE
)
"""What decides who comes to a broker, in another file than ours; a listener with TLS beside it does not."""

CONFIGURATION_TEXT = f"""\
# Made by hisabu hall setup. Every table has a user and a password of its own, and writes under its own name alone.
listener 1883
allow_anonymous false
password_file {PASSWORDS}
acl_file {RIGHTS}
# A hall that starts while a thousand tables are there is told of all of them at once.
max_queued_messages 20000
"""


@dataclass(frozen=True)
class Wanted:
    """What the hall is to be."""

    tables: int | None = None
    """How many have a code; None: as many as now, else TABLES."""
    page: str = "0.0.0.0:8090"
    language: str = "fr"
    renewed: tuple[int, ...] = ()
    """Tables whose code is to be another, since the old one got lost or known."""
    home: bool = False
    """Home Assistant gets a user too."""


@dataclass(frozen=True)
class Codes:
    """Every password that there is, in clear, in a file of root's: a code is shown again to who lost it."""

    tables: tuple[TableCode, ...]
    hall: str
    home: str = ""

    @classmethod
    def kept(cls, text: str) -> "Codes":
        """From the file. InstallError: it is none."""
        words = dict(line.split(maxsplit=1) for line in text.splitlines() if line.strip() and line[0] != "#")
        try:
            tables = [TableCode.read(code) for name, code in words.items() if name not in (HALL, HOME)]
            return cls(tuple(sorted(tables, key=lambda code: code.number)), words[HALL], words.get(HOME, ""))
        except (KeyError, ValueError) as error:
            raise InstallError("hall_codes_damaged", path=CODES, why=error) from None

    @property
    def text(self) -> str:
        """The file."""
        lines = ["# Made by hisabu hall setup: run it again after a change here.", f"{HALL} {self.hall}"]
        lines += [f"{HOME} {self.home}"] if self.home else []
        return "\n".join([*lines, *(f"{code.table} {code.text}" for code in self.tables)]) + "\n"

    @property
    def passwords(self) -> Mapping[str, str]:
        """By user."""
        others = {HALL: self.hall, **({HOME: self.home} if self.home else {})}
        return others | {code.table: code.secret for code in self.tables}


def codes_of(target: InstallTarget, wanted: Wanted) -> Codes:
    """Those that there are, and new ones for what is new."""
    file = target.at(CODES)
    old = Codes.kept(file.read_text(encoding="utf-8")) if file.exists() else Codes((), secrets.token_urlsafe(24))
    known = {code.number: code for code in old.tables if code.number not in wanted.renewed}
    many = len(old.tables) or TABLES if wanted.tables is None else wanted.tables
    if not 0 < many <= MOST_TABLES or any(not 0 < number <= many for number in wanted.renewed):
        raise InstallError("hall_table_numbers", most=MOST_TABLES)
    tables = tuple(known.get(number) or TableCode.drawn(number) for number in range(1, many + 1))
    return Codes(tables, old.hall, old.home or (secrets.token_urlsafe(18) if wanted.home else ""))


def hashed(password: str, salt: bytes | None = None) -> str:
    """A password as Mosquitto 2 keeps it."""
    salt = salt if salt is not None else secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def plan_setup(target: InstallTarget, wanted: Wanted, checkout: Path, codes: Codes) -> Iterator[Step]:
    """Sets up, or brings what was set up to date: the same steps. codes: of `codes_of`."""
    _refuse_others(target)
    if missing := [package for package in (*NEEDED, *_venv(target)) if not target.installed(package)]:
        yield Run(("apt-get", "update"), may_fail=True)
        yield Run(("apt-get", "install", "--yes", "--no-install-recommends", *missing))
    if USER not in target.names("passwd"):
        yield Run(
            ("useradd", "--system", "--user-group", "--home-dir", str(STATE), "--shell", "/usr/sbin/nologin", USER)
        )
    yield from _program(target, checkout)
    yield Run(("install", "-d", "-o", USER, "-g", USER, "-m", "0750", str(STATE)))
    yield Run(("install", "-d", "-m", "0755", str(SETTINGS)))
    yield Write(CODES, codes.text, 0o600)
    yield Write(PASSWORD, f"{codes.hall}\n", 0o600, owner=USER)
    hashes = "".join(f"{user}:{hashed(password)}\n" for user, password in codes.passwords.items())
    yield Write(PASSWORDS, hashes, 0o600, owner=BROKER_USER)
    rights = acl([code.table for code in codes.tables], HALL, HOME if codes.home else None)
    yield Write(RIGHTS, rights, 0o600, owner=BROKER_USER)
    yield Write(CONFIGURATION, CONFIGURATION_TEXT)
    yield Write(UNIT, unit_text(target, wanted))
    services = (BROKER_USER, USER)
    if not target.running:
        yield Run(("systemctl", "enable", *services))
        return
    yield Run(("systemctl", "daemon-reload"))
    yield Run(("systemctl", "enable", *services))
    yield Run(("systemctl", "restart", BROKER_USER), if_it_fails="mosquitto_why")
    yield Run(("systemctl", "restart", USER), if_it_fails="hall_why")


def _refuse_others(target: InstallTarget) -> None:
    """A broker that somebody set up otherwise is left to him: two answers to who may come in are none."""
    found: Iterable[Path] = target.at(CONFIGURATION.parent).glob("*.conf")
    main = target.at(CONFIGURATION.parent.parent / "mosquitto.conf")
    for file in [*sorted(found), *([main] if main.exists() else [])]:
        if file != target.at(CONFIGURATION) and OTHERS.search(file.read_text(encoding="utf-8", errors="replace")):
            name = Path("/") / file.relative_to(target.root)
            raise InstallError("hall_other_broker", path=name)


def _venv(target: InstallTarget) -> tuple[str, ...]:
    return () if target.has(PACKAGED) else ("python3-venv",)


def _home(target: InstallTarget) -> Path:
    """Where the hall's program is, or will be."""
    return next((place for place in (PACKAGED, INSTALLED) if target.has(place)), OWN)


def _command(target: InstallTarget) -> Path:
    home = _home(target)
    return home / ("bin/hisabu" if home == PACKAGED else ".venv/bin/hisabu")


def _program(target: InstallTarget, checkout: Path) -> Iterator[Step]:
    home = _home(target)
    if home == PACKAGED:
        yield Skipped("from_a_package", {"path": PACKAGED})
        return
    if home == OWN:
        if checkout.resolve() == target.at(OWN).resolve():
            raise InstallError("install_itself", path=checkout)
        yield Copy(checkout, OWN, COPIED)
        yield Run(("python3", "-m", "venv", str(OWN / ".venv")))
    told = f"SETUPTOOLS_SCM_PRETEND_VERSION_FOR_HISABU={version.of_the_program()}"
    pip = (
        "env",
        told,
        str(home / ".venv/bin/python"),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--quiet",
    )
    yield Run((*pip, "--editable", f"{home}[hall]", *(target.kept if home == INSTALLED else ())), if_it_fails=AGAIN)
    yield Run(("chmod", "-R", "a+rX", str(home)))


def unit_text(target: InstallTarget, wanted: Wanted) -> str:
    """The hall as systemd starts it."""
    port = int(wanted.page.rpartition(":")[2])
    low = "CAP_NET_BIND_SERVICE" if port < 1024 else ""
    return f"""\
[Unit]
Description=Hisabu's hall: many tables on one page
After=network.target mosquitto.service
StartLimitIntervalSec=0

[Service]
ExecStart={_command(target)} hall --broker mqtt://localhost --user {HALL} --password {PASSWORD} --folder {STATE} \
--page {wanted.page} --lang {wanted.language}
User={USER}
Environment=PYTHONUNBUFFERED=1
StateDirectory=hisabu-hall
WorkingDirectory={STATE}
Restart=always
RestartSec=3
LimitCORE=0
UMask=0077
NoNewPrivileges=yes
AmbientCapabilities={low}
CapabilityBoundingSet={low}
ProtectSystem=strict
ReadWritePaths={STATE}
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
{APART}
ProcSubset=pid
PrivateMounts=yes
RemoveIPC=yes
# The broker and phones; avahi says where the broker is.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
MemoryMax=1G
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""
