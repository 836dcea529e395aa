"""A network of its own with a real avahi in it, two tables' pages and a phone that looks for them. Run by
test_avahi.py within a network namespace, where nothing of it is heard elsewhere.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from device.outputs.page.address import Listening
from device.outputs.page.page import PhonePage
from engine.match import Match
from tests.device.outputs.page.room import Room

ADDRESS = "10.99.0.2"
BUS = """<busconfig><type>system</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>"""
AVAHI = """[server]
host-name=tafel
use-ipv6=no
[publish]
publish-workstation=no
"""
PATIENCE_S = 20.0


def until(found: Callable[[], Any]) -> Any:
    """What is found at last; nothing, if it never is."""
    end_s = time.monotonic() + PATIENCE_S
    while not (result := found()) and time.monotonic() < end_s:
        time.sleep(0.3)
    return result


def told(*words: str) -> list[str]:
    """The lines that a command prints."""
    return subprocess.run(words, capture_output=True, text=True, timeout=30, check=False).stdout.splitlines()


def services() -> list[list[str]]:
    """Name, host, address and port of every page in the network, as avahi-browse finds them."""
    found = [line.split(";") for line in told("avahi-browse", "-prt", "_http._tcp") if line.startswith("=")]
    return sorted({(fields[3], fields[8]): [fields[3], fields[8]] for fields in found if fields[2] == "IPv4"}.values())


def address(name: str) -> str:
    """What a name leads to."""
    return next((line.split()[1] for line in told("avahi-resolve", "-4", "-n", name) if len(line.split()) == 2), "")


@contextlib.contextmanager
def network(folder: Path) -> Iterator[None]:
    """A network with an address, a bus and avahi on it."""
    for words in (f"addr add {ADDRESS}/24 dev lo", "link set lo up multicast on",
                  f"route add default dev lo src {ADDRESS}"):  # fmt: skip
        subprocess.run(["ip", *words.split()], check=True)
    (folder / "bus.conf").write_text(BUS.format(folder=folder))
    (folder / "avahi.conf").write_text(AVAHI)
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/bus"
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    bus = subprocess.Popen(["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork"], **quiet)
    until((folder / "bus").exists)
    as_it_is = ("--no-rlimits", "--no-drop-root", "--no-chroot")
    avahi = subprocess.Popen(["avahi-daemon", "-f", str(folder / "avahi.conf"), *as_it_is], **quiet)
    try:
        until(lambda: address("tafel.local"))
        yield
    finally:
        for process in (avahi, bus):
            process.terminate()
            process.wait(10)


def a_table(folder: Path) -> Room:
    """A table whose page is there for its network."""

    class There(Room):
        def __init__(self) -> None:
            super().__init__(folder, Match("turufu", 4))
            self.page.close()
            self.page = PhonePage(self.settings, Listening((("", 0),), False), say=lambda text: None)
            self.page.listen(self.put)
            self.shown()

    return There()


def main(folder: Path) -> None:
    with network(folder):
        first = a_table(folder)
        found: dict[str, Any] = {"port": first.page.site.port, "address": until(lambda: address("hisabu.local"))}
        found["services"] = until(services)
        request = urllib.request.Request(f"http://{found['address']}:{found['port']}/")
        request.add_header("Host", f"hisabu.local:{found['port']}")
        with urllib.request.urlopen(request, timeout=10) as answer:
            found["status"] = answer.status
        second = a_table(folder)
        found["second"] = until(lambda: address("hisabu-2.local"))
        second.page.close()
        first.page.close()
        found["gone"] = until(lambda: not services())
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
