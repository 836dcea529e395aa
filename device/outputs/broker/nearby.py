"""Brokers in the network: a hall says where its own is, and a table finds them for its menu (avahi's _mqtt._tcp)."""

import contextlib
import logging
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator

from device.outputs.broker.link import PORTS, Address
from device.outputs.page.address import own_address

log = logging.getLogger(__name__)
COMMAND, PUBLISH = "avahi-browse", "avahi-publish"
TITLE = "Hisabu"
SERVICES = {"mqtt": "_mqtt._tcp", "mqtts": "_secure-mqtt._tcp"}
AGAIN_S = 10.0
"""Between looks."""
MOST_S = 8.0
"""Of one look; avahi tells what there is within a second."""
MOST = 5
LOOPBACK = "lo"
"""The network of a machine with itself, where avahi tells all once more."""
REACHED_S = 1.0
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,62}")


class Nearby:
    """Who is there. Called, it answers at once with what the last look found, and has a new one begun."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._found: tuple[str, ...] = ()
        self._looked_s: float | None = None
        self._thread: threading.Thread | None = None

    def __call__(self) -> tuple[str, ...]:
        """Addresses as the settings take them."""
        now_s = self._clock()
        idle = self._thread is None or not self._thread.is_alive()
        if idle and (self._looked_s is None or now_s - self._looked_s > AGAIN_S):
            self._looked_s = now_s
            self._thread = threading.Thread(target=self._look, name="brokers nearby", daemon=True)
            self._thread.start()
        return self._found

    def _look(self) -> None:
        if shutil.which(COMMAND) is None:
            return
        found = [address for scheme in SERVICES for address in _browsed(scheme)]
        self._found = tuple(dict.fromkeys(found))[:MOST]


def _browsed(scheme: str) -> Iterator[str]:
    words = [COMMAND, "--resolve", "--parsable", "--terminate", SERVICES[scheme]]
    try:
        said = subprocess.run(words, capture_output=True, timeout=MOST_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        log.info("no brokers are looked for: %s", error)
        return
    for line in said.stdout.decode(errors="replace").splitlines():
        if (address := address_of(line, scheme)) is not None:
            yield address


def address_of(line: str, scheme: str, known: Callable[[str], bool] | None = None) -> str | None:
    """The address that a line of avahi's tells; None: it tells none. known: whether this machine finds a host by its
    name, else the number stands for it, which may change."""
    fields = line.split(";")
    if len(fields) < 9 or fields[0] != "=" or fields[2] != "IPv4" or not fields[8].isdecimal():
        return None
    if fields[1] == LOOPBACK:
        return None
    name, number, port = fields[6], fields[7], int(fields[8])
    host = name if (known or _known)(name) else number
    if not _HOST.fullmatch(host) or not 0 < port < 65536:
        return None
    return f"{scheme}://{host}" + ("" if port == PORTS[scheme] else f":{port}")


def published(address: Address) -> "subprocess.Popen[bytes] | None":
    """Says where a broker is, until the process is ended. None: it is on another machine, or only for this one, or
    there is no avahi."""
    if address.host not in ("localhost", "127.0.0.1", "::1") or shutil.which(PUBLISH) is None:
        return None
    own = own_address()
    with contextlib.suppress(OSError), socket.create_connection((own, address.port), REACHED_S):
        service = SERVICES["mqtts" if address.tls else "mqtt"]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            [PUBLISH, "--no-fail", "--service", TITLE, service, str(address.port)],
            stdin=quiet, stdout=quiet, stderr=quiet,
        )  # fmt: skip
    log.info("the broker does not listen at %s: it is not announced", own)
    return None


def _known(name: str) -> bool:
    try:
        return bool(socket.getaddrinfo(name, None, socket.AF_INET))
    except (OSError, UnicodeError):
        return False
