"""NetworkManager, through its own nmcli: what the device is connected to, its own Wi-Fi, joining another one.

nmcli and not D-Bus: it is there wherever NetworkManager is, and needs no library of ours. comitup does much of this,
but takes the whole machine's network for itself and has a page of its own. The only file that knows nmcli.
"""

import logging
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from device.keeping.files import read_plain, write_whole
from engine.errors import GameError
from engine.strict_json import BadJson, Fields, read_object, write_json

log = logging.getLogger(__name__)
COMMAND = "nmcli"
LIMIT_S, JOIN_S = 20.0, 60
OWN, JOINED = "hisabu-own", "hisabu-"
"""Name of the profile of the device's own Wi-Fi, and how those begin that a phone had it join."""
ADDRESS = "10.42.0.1"
"""Of the device in its own Wi-Fi; also in the file for dnsmasq (install.py), which leads every name there."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a password that is read from a small display: nothing that looks like another."""
PASSWORD_LETTERS = 10
LEAST, MOST = 8, 63
"""Letters of a WPA2 password."""
MOST_SSID_BYTES = 32
FILE = "own-wifi.json"
MOST_LISTED = 20


class NotJoined(GameError):
    """A Wi-Fi that could not be joined: wrong_password, not_found, no_address or failed. Words: page-wifi-CODE."""


@dataclass(frozen=True)
class Wifi:
    """A Wi-Fi that is heard."""

    ssid: str
    signal: int
    """0 to 100."""
    secured: bool


@dataclass(frozen=True)
class Own:
    """The device's own Wi-Fi: its name, and a password that no other device has."""

    ssid: str
    password: str

    @property
    def code(self) -> str:
        """For a QR code with which a phone joins."""
        return f"WIFI:T:WPA;S:{_escaped(self.ssid)};P:{_escaped(self.password)};;"


def _escaped(text: str) -> str:
    return re.sub(r'([\\;,":])', r"\\\1", text)


@dataclass(frozen=True)
class Connected:
    """What the machine is connected to."""

    device: str | None
    """Its radio; None: it has none."""
    online: bool
    """To a network that others made, by cable or Wi-Fi."""
    own: bool
    """Its own Wi-Fi is open."""
    coming: bool
    """A connection is being made."""
    name: str = ""
    """Of the Wi-Fi that it is in."""


def own_wifi(folder: Path) -> Own:
    """The device's own Wi-Fi, as it was made the first time. It lies beside the matches; where it cannot be kept it is
    another at each start."""
    path = folder / FILE
    try:
        found = Fields(read_object(read_plain(path, 1000)))
        return Own(found.text("ssid", 32), found.text("password", MOST))
    except (OSError, BadJson) as error:
        own = _drawn(folder)
        try:
            if isinstance(error, FileNotFoundError | BadJson):
                write_whole(path, write_json({"ssid": own.ssid, "password": own.password}).encode(), mode=0o600)
        except OSError as unkept:
            log.warning("%s: %s", path, unkept)
        return own


@cache
def _drawn(folder: Path) -> Own:
    """A name and a password for the device that keeps its matches there."""
    password = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LETTERS))
    return Own(f"Hisabu-{secrets.token_hex(2)}", password)


def there() -> bool:
    """Whether NetworkManager rules the network here."""
    return shutil.which(COMMAND) is not None and _said("--terse", "--fields", "RUNNING", "general") == "running"


def connected() -> Connected:
    """How it is now."""
    radio, online, own, coming, name = None, False, False, False, ""
    for device, kind, state, connection in _rows("device", "DEVICE,TYPE,STATE,CONNECTION"):
        if kind == "wifi":
            radio = radio or device
        elif kind not in ("ethernet", "wifi", "gsm", "bond", "vlan"):
            continue
        coming = coming or state.startswith("connecting")
        if state.startswith("connected") and connection == OWN:
            own = True
        elif state.startswith("connected"):
            online, name = True, connection if kind == "wifi" else name
    return Connected(radio, online, own, coming, name.removeprefix(JOINED))


def nearby() -> list[Wifi]:
    """Every Wi-Fi that is heard, the strongest first, each once."""
    found: dict[str, Wifi] = {}
    for ssid, signal, security in _rows("device", "SSID,SIGNAL,SECURITY", "wifi", "list"):
        wifi = Wifi(ssid, int(signal or 0), security not in ("", "--"))
        if ssid and (ssid not in found or found[ssid].signal < wifi.signal):
            found[ssid] = wifi
    return sorted(found.values(), key=lambda wifi: -wifi.signal)[:MOST_LISTED]


def open_own(own: Own, device: str) -> bool:
    """Opens the device's own Wi-Fi, WPA2 alone. Whether it is open."""
    _run("connection", "delete", "id", OWN)
    ways = [
        "wifi-sec.key-mgmt",
        "wpa-psk",
        "wifi-sec.proto",
        "rsn",
        "wifi-sec.pairwise",
        "ccmp",
        "wifi-sec.group",
        "ccmp",
    ]
    added = _run(
        "connection", "add", "type", "wifi", "con-name", OWN, "ifname", device, "ssid", own.ssid, "autoconnect", "no",
        "802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "ipv4.method", "shared",
        "ipv4.addresses", f"{ADDRESS}/24", "ipv6.method", "disabled", *ways, "wifi-sec.psk", own.password,
    )  # fmt: skip
    return added and _run("--wait", str(round(LIMIT_S)), "connection", "up", "id", OWN)


def close_own() -> None:
    """Closes it; NetworkManager then looks for a network that it knows."""
    _run("connection", "down", "id", OWN)


def join(ssid: str, password: str, device: str, hidden: bool = False) -> None:
    """Joins a Wi-Fi and keeps it. NotJoined: it could not; what was known before is known as before, and is tried.

    hidden: nobody heard its name, so it is asked for by it. The profile is tried under a name of its own, so that a
    wrong password replaces no right one.
    """
    if (
        not 0 < len(ssid.encode()) <= MOST_SSID_BYTES
        or "\0" in ssid
        or (password and not LEAST <= len(password) <= MOST)
    ):
        raise NotJoined("wrong_password" if ssid else "not_found")
    before = _active(device)
    profile = f"{JOINED}{ssid}"
    if profile == OWN:  # Somebody's Wi-Fi is called so.
        profile += " (joined)"
    fresh = f"{profile} (new)"
    _run("connection", "delete", "id", fresh)
    more = ["wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", password] if password else []
    more += ["802-11-wireless.hidden", "yes"] if hidden else []
    added = _run(
        "connection", "add", "type", "wifi", "con-name", fresh, "ifname", device, "ssid", ssid,
        "autoconnect", "no", *more,
    )  # fmt: skip
    done = _done("--wait", str(JOIN_S), "connection", "up", "id", fresh) if added else None
    if done is not None and done.returncode == 0:
        _run("connection", "delete", "id", profile)
        _run("connection", "modify", "id", fresh, "connection.id", profile, "connection.autoconnect", "yes")
        return
    _run("connection", "delete", "id", fresh)
    if before and before != OWN:
        _run("--wait", str(round(LIMIT_S)), "connection", "up", "id", before)
    raise NotJoined(_why(done.stderr if done is not None else ""))


def _active(device: str) -> str:
    return next((name for row, name in _rows("device", "DEVICE,CONNECTION") if row == device), "")


def _why(told: str) -> str:
    """What nmcli says of a failure, as a code."""
    if re.search("Secrets were required|no-secrets|supplicant|802.1X|psk", told, re.IGNORECASE):
        return "wrong_password"
    if re.search("could not be found|ssid-not-found|No network with SSID", told, re.IGNORECASE):
        return "not_found"
    return "no_address" if re.search("IP configuration|ip-config|DHCP", told, re.IGNORECASE) else "failed"


# -- nmcli -------------------------------------------------------------------------------------------------------------


def _done(*words: str) -> "subprocess.CompletedProcess[str] | None":
    """A command that ran to its end; None: it did not."""
    speaks = {**os.environ, "LC_ALL": "C.UTF-8"}
    try:
        return subprocess.run(
            [COMMAND, *words], check=False, capture_output=True, text=True, timeout=JOIN_S + LIMIT_S, env=speaks,
            stdin=subprocess.DEVNULL, errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None


def _run(*words: str) -> bool:
    done = _done(*words)
    return done is not None and done.returncode == 0


def _said(*words: str) -> str:
    done = _done(*words)
    return done.stdout.strip() if done is not None and done.returncode == 0 else ""


def _rows(what: str, fields: str, *more: str) -> Iterator[Sequence[str]]:
    """A table of nmcli's, row by row."""
    count = fields.count(",") + 1
    shown = more or (("status",) if what == "device" else ("show",))
    for line in _said("--terse", "--fields", fields, what, *shown).splitlines():
        cells = [re.sub(r"\\(.)", r"\1", cell) for cell in re.findall(r"((?:\\.|[^:\\])*)(?::|$)", line)]
        if len(cells) >= count:
            yield cells[:count]
