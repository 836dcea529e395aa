"""Runs on a card that was started (.ci/try-card), as root: Debian's own NetworkManager over simulated radios. The
device's radio, two routers and a phone, each in a network of its own. Says a line for each thing that was seen; exits 1
at the first that was not."""

import asyncio
import hashlib
import json
import os
import secrets
import shutil
import socket
import struct
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

STATE = Path("/var/lib/hisabu")
MATCHES = STATE / "matches"
RUN = Path("/run/try-card")
OWN = "10.42.0.1"
ROUTERS = {"home": ("Home", "the right one", "192.168.71"), "second": ("Second", "another one", "192.168.72")}
START = time.monotonic()


def sh(*words: str, where: str = "", check: bool = True) -> str:
    """A command, in a network of its own if one is named."""
    inside = ["ip", "netns", "exec", where] if where else []
    done = subprocess.run([*inside, *words], check=False, capture_output=True, text=True)
    if check and done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def say(text: str) -> None:
    print(f"{time.monotonic() - START:6.0f} s  {text}", flush=True)


def until(text: str, holds: Callable[[], Any], seconds: float = 240) -> Any:
    """Waits; what it came to."""
    end = time.monotonic() + seconds
    while True:
        with suppress(OSError, ValueError, asyncio.TimeoutError):
            if found := holds():
                say(text)
                return found
        if time.monotonic() > end:
            print(
                sh("nmcli", "device"), sh("journalctl", "-u", "hisabu", "-u", "NetworkManager", "-n", "60", "-o", "cat")
            )
            raise SystemExit(f"never: {text}")
        time.sleep(1)


def logged(text: str) -> Callable[[], bool]:
    return lambda: text in sh("journalctl", "-u", "hisabu", "-o", "cat", "--since", f"@{SINCE}")


# -- routers and a phone -----------------------------------------------------------------------------------------------


def supplicant(place: str, radio: str, text: str) -> None:
    path = RUN / f"{place}.conf"
    path.write_text(f"ctrl_interface={RUN}/{place}\n{text}")
    sh("wpa_supplicant", "-B", "-i", radio, "-c", str(path), "-P", f"{RUN}/{place}.pid", where=place)


def switch_on(place: str) -> None:
    ssid, password, net = ROUTERS[place]
    radio = RADIOS[place]
    supplicant(
        place, radio,
        f'network={{\nssid="{ssid}"\nmode=2\nfrequency={2412 if place == "home" else 2462}\nkey_mgmt=WPA-PSK\n'
        f'proto=RSN\npairwise=CCMP\npsk="{password}"\n}}\n',
    )  # fmt: skip
    sh("ip", "addr", "replace", f"{net}.1/24", "dev", radio, where=place)
    sh("dnsmasq", f"--interface={radio}", "--bind-interfaces", f"--dhcp-range={net}.50,{net}.90,1h", "--port=0",
       f"--pid-file={RUN}/{place}-dhcp.pid", f"--dhcp-leasefile={RUN}/{place}.leases", where=place)  # fmt: skip


def switch_off(place: str) -> None:
    for name in (f"{place}.pid", f"{place}-dhcp.pid"):
        with suppress(OSError, ValueError):
            os.kill(int((RUN / name).read_text()), 15)
    sh("ip", "link", "set", RADIOS[place], "down", where=place)


def phone_joins() -> None:
    """The phone joins the device's own Wi-Fi with what its display shows."""
    with suppress(OSError, ValueError):
        os.kill(int((RUN / "phone.pid").read_text()), 15)
        time.sleep(2)
    own = json.loads((MATCHES / "own-wifi.json").read_text())
    supplicant("phone", RADIOS["phone"], f'network={{\nssid="{own["ssid"]}"\npsk="{own["password"]}"\n}}\n')
    sh("ip", "addr", "replace", "10.42.0.77/24", "dev", RADIOS["phone"], where="phone")


@contextmanager
def standing_in(place: str) -> Iterator[None]:
    """Goes through the network of this place, and comes back."""
    back = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{place}", os.O_RDONLY)
    try:
        os.setns(there, os.CLONE_NEWNET)
        yield
    finally:
        os.setns(back, os.CLONE_NEWNET)
        os.close(back)
        os.close(there)


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def get(place: str, at: str, host: str, path: str = "/") -> tuple[int, str, str]:
    """Status, where it leads, text."""
    request = urllib.request.Request(f"http://{at}{path}", headers={"Host": host})
    with standing_in(place):
        try:
            with urllib.request.build_opener(Stay).open(request, timeout=15) as answer:
                return answer.status, "", answer.read(200_000).decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get("Location") or "", ""


def resolved(name: str) -> str:
    """What the device's own Wi-Fi answers when a phone asks for a name."""
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    with standing_in("phone"), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(5)
        line.sendto(struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + labels + b"\0\0\1\0\1", (OWN, 53))
        return ".".join(str(byte) for byte in line.recv(512)[-4:])


def ask(place: str, at: str, what: str, **facts: Any) -> Any:
    """Asks the page as its own script does, over its line."""
    import aiohttp

    async def asked() -> Any:
        headers = {"Origin": f"http://{at}", "Cookie": f"hisabu-80={TOKEN}"}
        async with (
            asyncio.timeout(30),
            aiohttp.ClientSession() as session,
            session.ws_connect(f"http://{at}/live", headers=headers) as line,
        ):
            await line.send_json({"id": 1, "ask": what, "facts": facts})
            while True:
                message = await line.receive_json()
                if message.get("done") == 1:
                    return message

    with standing_in(place):
        return asyncio.run(asked())


def address_in(place: str) -> str:
    """The device's address in a router's network."""
    net = ROUTERS[place][2]
    told = sh("ip", "-4", "-o", "addr", "show", "dev", RADIOS["device"])
    return next((word.partition("/")[0] for word in told.split() if word.startswith(net)), "")


def matches() -> dict[str, bytes]:
    """Every match, byte for byte."""
    return {path.name: path.read_bytes() for path in MATCHES.glob("match-*")}


def in_the_middle_of_a_match() -> None:
    """A match that goes on, as the device keeps it: a deal, and two cards of its first trick."""
    from device.keeping.journal import MatchRecord
    from engine.events import Deal, Play
    from engine.match import Match

    record = MatchRecord.begin(MATCHES, Match("turufu", 4))
    for event in (Deal("7H", 0), Play("7D", 1), Play("KD", 2)):
        record.add(event)
    record.close()
    for path in MATCHES.glob("match-*"):
        shutil.chown(path, "hisabu", "hisabu")


def untouched(after: str) -> None:
    """Whatever came of the network, the match is as it was."""
    now = matches()
    if not any(name.endswith(".jsonl") for name in BEFORE) or now != BEFORE:
        raise SystemExit(f"{after}: a match was touched: {sorted(BEFORE)}, now {sorted(now)}")
    say(f"{after}: the match is the same, byte for byte ({sum(map(len, now.values()))} bytes)")


def radios() -> dict[str, str]:
    """Four simulated radios; all but the device's in a network of its own."""
    sh("modprobe", "mac80211_hwsim", "radios=4")
    time.sleep(2)
    names = sorted(path.name for path in Path("/sys/class/net").iterdir() if (path / "phy80211").exists())
    found = dict(zip(("device", "home", "second", "phone"), names, strict=True))
    for place in ("home", "second", "phone"):
        phy = Path(f"/sys/class/net/{found[place]}/phy80211/name").read_text().strip()
        sh("ip", "netns", "add", place)
        sh("ip", "netns", "exec", place, "ip", "link", "set", "lo", "up")
        sh("iw", "phy", phy, "set", "netns", "name", place)
    return found


def alone() -> None:
    """The cable that leads to whoever tries this is no network of NetworkManager's."""
    Path("/run/NetworkManager/conf.d").mkdir(parents=True, exist_ok=True)
    Path("/run/NetworkManager/conf.d/try.conf").write_text("[keyfile]\nunmanaged-devices=type:ethernet\n")
    cable = next(path.name for path in Path("/sys/class/net").iterdir() if path.name.startswith(("e",)))
    sh("systemctl", "restart", "NetworkManager")
    sh("ip", "addr", "replace", "10.0.2.15/24", "dev", cable)
    sh("ip", "link", "set", cable, "up")


def with_a_phone() -> str:
    """A phone that was paired, the owner's; its token."""
    token = secrets.token_urlsafe(32)
    digest = hashlib.sha256(token.encode()).hexdigest()
    phone = {"id": "0000", "digest": digest, "name": "phone", "since": 1, "seen": 1, "role": "owner"}
    path = MATCHES / "phones.json"
    path.write_text(json.dumps([phone]))
    shutil.chown(path, "hisabu", "hisabu")
    return token


sh("systemctl", "stop", "hisabu")
RUN.mkdir(exist_ok=True)
SINCE = int(time.time())
RADIOS = radios()
alone()
MATCHES.mkdir(exist_ok=True)
shutil.chown(MATCHES, "hisabu", "hisabu")
TOKEN = with_a_phone()
in_the_middle_of_a_match()
BEFORE = matches()
sh("systemctl", "start", "hisabu")
say("the device starts where no known network answers, in the middle of a match")
until("the match goes on", logged("Événements gardés"), 400)
until("it opens a Wi-Fi of its own", logged("its own Wi-Fi is open"))
say(sh("iw", "dev", RADIOS["device"], "info").split("type")[1].split()[0])
phone_joins()
until("a phone joins it and has the page", lambda: get("phone", OWN, OWN)[0] == 200)
for name in ("captive.apple.com", "www.msftconnecttest.com"):
    if resolved(name) != OWN:
        raise SystemExit(f"{name} leads to {resolved(name)}")
say("every name leads to the device")
for host, path in (
    ("connectivitycheck.gstatic.com", "/generate_204"),
    ("captive.apple.com", "/hotspot-detect.html"),
    ("www.msftconnecttest.com", "/redirect"),
):
    say(f"{host}{path}: {get('phone', OWN, host, path)[:2]}")

switch_on("home")
until("the page lists what is heard", lambda: ask("phone", OWN, "wifi"), 60)
say(
    f"asked to join Home with a wrong password: {ask('phone', OWN, 'wifi_join', ssid='Home', password='the wrong one')}"
)
until("the log says: wrong_password", logged("the Wi-Fi that a phone chose: wrong_password"))
phone_joins()
until("its own Wi-Fi is there again, the phone has the page", lambda: get("phone", OWN, OWN)[0] == 200)
say(f"the page says what came of it: {ask('phone', OWN, 'wifi')}")
untouched("a wrong password")
ask("phone", OWN, "wifi_join", ssid="Home", password="the right one")
until("it joins Home with the right password", logged("the Wi-Fi that a phone chose: joined"))
at = until("it has an address there", lambda: address_in("home"))
until("the page answers in Home", lambda: get("home", at, at)[0] == 200)

switch_on("second")
until("it hears Second", lambda: "Second" in str(ask("home", at, "wifi")), 120)
ask("home", at, "wifi_join", ssid="Second", password="another one")
at = until("it joins Second, and knows two networks", lambda: address_in("second"))
until("the page answers in Second", lambda: get("second", at, at)[0] == 200)
untouched("two known networks")
switch_off("second")
say("Second is gone")
at = until("it falls back to Home", lambda: address_in("home"))
until("the page answers in Home", lambda: get("home", at, at)[0] == 200)
untouched("one of two networks gone")
switch_off("home")
SINCE = int(time.time())
say("Home is gone too")
until("it opens its own Wi-Fi again", logged("its own Wi-Fi is open"), 400)
phone_joins()
until("the phone has the page there", lambda: get("phone", OWN, OWN)[0] == 200)
untouched("no router left")
switch_on("home")
say("Home is back")
ask("phone", OWN, "wifi")
with suppress(OSError, ValueError):
    os.kill(int((RUN / "phone.pid").read_text()), 15)
at = until("it goes back to Home by itself, when nobody uses its own", lambda: address_in("home"), 600)
untouched("the router back")
sh("systemctl", "stop", "hisabu")
untouched("the device stopped")
