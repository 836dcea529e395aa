"""Where the page listens, and how people are told to get there."""

import contextlib
import socket
from dataclasses import dataclass

from device.keeping.settings import Settings
from device.machine import network
from device.web.server import Place
from engine.errors import GameError

OFF, HERE, NETWORK = "off", "here", "network"
HTTP = 80
PORTS = (8080, 8081, 8082, 8083)
"""The usual one, and others where that is taken."""
SOMEWHERE_ELSE = ("192.0.2.1", 9)
"""An address for examples: nothing is sent there; asking the way to it tells our own."""
BESIDE_US = (network.ADDRESS.rpartition(".")[0] + ".254", 9)
"""The same in the device's own Wi-Fi, from where no way leads anywhere else."""


@dataclass(frozen=True)
class Listening:
    """What `--page` asks for, or the settings do."""

    places: tuple[Place, ...]
    """To be tried in turn; none: there is no page."""
    near: bool
    """Only this machine is let in."""


def listening(settings: Settings, asked: str | None = None) -> Listening:
    """Where to listen. ValueError: what was asked for is no place."""
    mode = asked or settings.page
    if mode == "auto":
        mode = HERE if settings.build == "laptop" else NETWORK
    if mode == OFF:
        return Listening((), True)
    if mode == HERE:
        return Listening(tuple(("127.0.0.1", port) for port in PORTS), True)
    if mode == NETWORK:
        return Listening((("", HTTP), *(("", port) for port in PORTS)), False)
    host, _, port = mode.rpartition(":")
    host = host.strip("[]")
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise GameError("page_place", what=mode)
    return Listening(((host, int(port)),), host in ("127.0.0.1", "::1", "localhost"))


def own_address() -> str:
    """This machine's address in its network; where there is none, the one that leads back to itself."""
    for there in (SOMEWHERE_ELSE, BESIDE_US):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection, contextlib.suppress(OSError):
            connection.connect(there)
            return str(connection.getsockname()[0])
    return "127.0.0.1"


def url(place: Place) -> str:
    """What to type, or to hold in a QR code, to get to a place that is listened on."""
    host, port = place
    if host in ("", "0.0.0.0", "::"):
        host = own_address()
    if ":" in host:
        host = f"[{host}]"
    return f"http://{host}/" if port == HTTP else f"http://{host}:{port}/"
