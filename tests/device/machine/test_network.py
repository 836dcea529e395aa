"""The network: what nmcli tells and does, against the NetworkManager of this machine, its mock, and one that fails."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.machine import network
from device.machine.hotspot import CLOSE, OPEN, Decider, Hotspot, HotspotWaits
from device.machine.network import Connected, NotJoined, Own, Wifi

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={at}</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow receive_sender="*"/>
</policy></busconfig>"""
MOCK = Path("/usr/lib/python3/dist-packages/dbusmock")


def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.05)


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A system bus of the test's own."""
    if not (shutil.which("dbus-daemon") and shutil.which("nmcli")):
        pytest.skip("no D-Bus or no NetworkManager is installed")
    config = tmp_path / "bus.conf"
    config.write_text(BUS.format(at=tmp_path / "bus"))
    process = subprocess.Popen(["dbus-daemon", f"--config-file={config}", "--nofork", "--nosyslog"])
    until((tmp_path / "bus").exists)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
    yield f"unix:path={tmp_path / 'bus'}"
    process.terminate()
    process.wait()


@pytest.fixture
def mock(bus: str) -> Iterator[Callable[..., str]]:
    """NetworkManager as python-dbusmock plays it; what is called changes it."""
    if not MOCK.exists():
        pytest.skip("python3-dbusmock is not installed")
    words = ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "networkmanager"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def call(name: str, *arguments: str, path: str = "/org/freedesktop/NetworkManager") -> str:
        method = f"org.freedesktop.DBus.Mock.{name}"
        place = ["--dest", "org.freedesktop.NetworkManager", "--object-path", path, "--method", method]
        told = subprocess.run(
            ["gdbus", "call", "--address", bus, *place, *arguments], check=True, capture_output=True, text=True
        )
        return told.stdout.strip("()',\n")

    until(network.there)
    yield call
    process.terminate()
    process.wait()


def test_what_is_heard_and_what_the_machine_is_in(mock: Callable[..., str]) -> None:
    assert network.connected() == Connected(None, False, False, False)
    radio = mock("AddWiFiDevice", "radio", "wlan0", "30")
    mock("AddAccessPoint", radio, "a", "Home: wide", "00:00:00:00:00:01", "2", "2412", "54", "byte 40", "uint32 0x188")
    mock("AddAccessPoint", radio, "b", "Home: wide", "00:00:00:00:00:02", "2", "2412", "54", "byte 80", "uint32 0x188")
    mock("AddAccessPoint", radio, "c", "Café", "00:00:00:00:00:03", "2", "2412", "54", "byte 60", "uint32 0")
    just_now = f"<int64 {time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 10**6}>"  # Else nmcli waits for a scan.
    mock("AddProperty", "org.freedesktop.NetworkManager.Device.Wireless", "LastScan", just_now, path=radio)
    assert network.connected() == Connected("wlan0", False, False, False)
    assert [(wifi.ssid, wifi.signal, wifi.secured) for wifi in network.nearby()] == [
        ("Home: wide", 80, True), ("Café", 60, False),
    ]  # fmt: skip
    mock("AddEthernetDevice", "cable", "eth0", "100")
    assert network.connected().online


@pytest.fixture
def manager(bus: str, tmp_path: Path) -> Iterator[Path]:
    """The real NetworkManager, over no network at all; the folder with its profiles."""
    if os.geteuid() != 0 or not shutil.which("NetworkManager"):
        pytest.skip("NetworkManager is not installed, or may not run")
    profiles, empty = tmp_path / "profiles", tmp_path / "empty"
    profiles.mkdir()
    empty.mkdir()
    config = tmp_path / "nm.conf"
    config.write_text(
        f"[main]\nplugins=keyfile\nno-auto-default=*\nauth-polkit=false\n[keyfile]\npath={profiles}\nunmanaged-devices=*\n"
    )
    words = [
        "unshare", "-n", "NetworkManager", "--no-daemon", f"--config={config}", f"--config-dir={empty}",
        f"--system-config-dir={empty}", f"--state-file={tmp_path / 'state'}", f"--pid-file={tmp_path / 'pid'}",
    ]  # fmt: skip
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until(network.there)
    except AssertionError:
        pytest.skip("NetworkManager does not start here")
    yield profiles
    os.killpg(process.pid, signal.SIGTERM)
    process.wait()


def test_the_real_networkmanager_takes_the_profile_of_our_own_wifi(manager: Path) -> None:
    assert not network.open_own(Own("Hisabu-1a2b", 'a"b;c\\d:e,'), "wlan0"), "there is no radio"
    text = (manager / "hisabu-own.nmconnection").read_text()
    for line in ("mode=ap", "ssid=Hisabu-1a2b", "key-mgmt=wpa-psk", "proto=rsn;", "pairwise=ccmp;", "method=shared",
                 "address1=10.42.0.1/24", "autoconnect=false"):  # fmt: skip
        assert line in text.replace("proto=rsn\n", "proto=rsn;\n")
    network.open_own(Own("Hisabu-1a2b", "abcdefgh"), "wlan0")
    assert len(list(manager.iterdir())) == 1, "the same profile again, not another"


def test_a_wifi_that_cannot_be_joined_leaves_the_profiles_as_they_were(manager: Path) -> None:
    subprocess.run(["nmcli", "connection", "add", "type", "wifi", "con-name", "hisabu-Home", "ifname", "wlan0", "ssid",
                    "Home", "wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", "the right one"], check=True)  # fmt: skip
    before = {path.name: path.read_bytes() for path in manager.iterdir()}
    with pytest.raises(NotJoined):
        network.join("Home", "the wrong one", "wlan0")
    assert {path.name: path.read_bytes() for path in manager.iterdir()} == before
    for ssid, password in (("", "long enough"), ("x" * 33, "long enough"), ("Home", "short"), ("Home", "x" * 64)):
        with pytest.raises(NotJoined):
            network.join(ssid, password, "wlan0")
    assert {path.name: path.read_bytes() for path in manager.iterdir()} == before


# -- with an nmcli that says what we want ------------------------------------------------------------------------------


@pytest.fixture
def nmcli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], Path]:
    """An nmcli whose `connection up` says this and ends so; the file it writes every call to."""
    told = tmp_path / "told"
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    def play(says: str, status: int) -> Path:
        script = tmp_path / "bin" / "nmcli"
        script.write_text(
            f"#!/bin/sh\necho \"$*\" >>{told}\ncase \"$*\" in\n"
            f"*'connection up id hisabu-'*'(new)') echo '{says}' >&2; exit {status} ;;\n"
            "*DEVICE,CONNECTION*) echo 'wlan0:Neighbours' ;;\nesac\n"
        )  # fmt: skip
        script.chmod(0o755)
        return told

    return play


@pytest.mark.parametrize(
    ("says", "code"),
    [
        ("Error: Connection activation failed: (7) Secrets were required, but not provided.", "wrong_password"),
        ("Error: Connection activation failed: (9) 802.1X supplicant took too long to authenticate.", "wrong_password"),
        ("Error: Connection activation failed: (53) The Wi-Fi network could not be found", "not_found"),
        ("Error: Connection activation failed: (5) IP configuration could not be reserved", "no_address"),
        ("Error: Timeout expired (60 seconds)", "failed"),
    ],
)
def test_why_a_wifi_was_not_joined_is_told_and_the_one_before_is_joined_again(
    nmcli: Callable[[str, int], Path], says: str, code: str
) -> None:
    told = nmcli(says, 4)
    with pytest.raises(NotJoined, match=code):
        network.join("Home", "12345678", "wlan0")
    calls = told.read_text().splitlines()
    assert calls[-2:] == ["connection delete id hisabu-Home (new)", "--wait 20 connection up id Neighbours"]


def test_one_that_was_joined_is_kept_and_comes_back_by_itself(nmcli: Callable[[str, int], Path]) -> None:
    told = nmcli("", 0)
    network.join("Home", "12345678", "wlan0")
    last = told.read_text().splitlines()[-1]
    assert last == "connection modify id hisabu-Home (new) connection.id hisabu-Home connection.autoconnect yes"


def test_a_wifi_that_is_called_own_is_not_taken_for_the_devices_own(nmcli: Callable[[str, int], Path]) -> None:
    told = nmcli("", 0)
    network.join("own", "12345678", "wlan0")
    assert not [call for call in told.read_text().splitlines() if f"id {network.OWN} connection.a" in call]
    assert f"connection delete id {network.OWN}\n" not in told.read_text()


# -- when the own one opens --------------------------------------------------------------------------------------------

ALONE, HOME = Connected("wlan0", False, False, False), Connected("wlan0", True, False, False, "Home")
OURS, BOTH = Connected("wlan0", False, True, False), Connected("wlan0", True, True, False)
WAITS = HotspotWaits(at_start_s=45, gone_s=120, again_s=300, look_s=40)


def test_at_the_start_a_known_network_is_waited_for() -> None:
    decider = Decider(WAITS)
    assert [decider.next(now, ALONE, False) for now in (0, 20, 44, 45)] == [None, None, None, OPEN]


def test_a_router_that_starts_again_is_waited_for() -> None:
    decider = Decider(WAITS)
    decider.next(0, HOME, False)
    assert [decider.next(now, ALONE, False) for now in (10, 100, 129)] == [None, None, None]
    assert decider.next(130, HOME, False) is None
    assert [decider.next(now, ALONE, False) for now in (200, 319, 320)] == [None, None, OPEN]


def test_while_nobody_uses_it_the_known_ones_are_looked_for_now_and_then() -> None:
    decider = Decider(WAITS)
    assert [decider.next(now, OURS, False) for now in (0, 299, 301)] == [None, None, CLOSE]
    assert [decider.next(now, ALONE, False) for now in (302, 340, 342)] == [None, None, OPEN]
    assert [decider.next(now, OURS, now < 900) for now in (345, 600, 899, 1190, 1200)] == [
        None,
        None,
        None,
        None,
        CLOSE,
    ]


def test_a_cable_closes_it_and_a_machine_without_a_radio_opens_none() -> None:
    assert Decider(WAITS).next(0, BOTH, True) == CLOSE
    decider = Decider(WAITS)
    assert {decider.next(now, Connected(None, False, False, False), False) for now in range(0, 1000, 50)} == {None}


class Played:
    """A network that is told what happens."""

    def __init__(self) -> None:
        self.state, self.calls = ALONE, list[str]()
        self.refuses: str | None = None

    def there(self) -> bool:
        return True

    def connected(self) -> Connected:
        return self.state

    def nearby(self) -> list[Wifi]:
        return [Wifi("Home", 70, True)]

    def open_own(self, own: Own, device: str) -> bool:
        self.calls.append("open")
        self.state = OURS
        return True

    def close_own(self) -> None:
        self.calls.append("close")
        self.state = ALONE

    def join(self, ssid: str, password: str, device: str, hidden: bool = False) -> None:
        self.calls.append(f"join {ssid}{' hidden' * hidden}")
        self.state = ALONE
        if self.refuses:
            raise NotJoined(self.refuses)
        self.state = HOME


def test_a_wrong_password_brings_the_own_wifi_back_and_a_right_one_the_network() -> None:
    played, opened = Played(), list[Own | None]()
    own = Own("Hisabu-1", "abcdefgh")
    hotspot = Hotspot(lambda: own, opened.append, waits=HotspotWaits(0.02, 0.02, 60, 60, 0.01), nm=played)
    hotspot.start()
    until(lambda: opened[-1:] == [own])
    assert [wifi.ssid for wifi in hotspot.nearby()] == ["Home"], "as it was heard before our own opened"
    played.refuses = "wrong_password"
    assert hotspot.join("Home", "12345678") == "wrong_password"
    assert played.state == OURS and hotspot.last == {"ssid": "Home", "code": "wrong_password"}
    played.refuses = None
    assert hotspot.join("Home", "87654321") == "joined"
    until(lambda: opened[-1] is None)
    hotspot.close()
    assert played.calls == ["open", "join Home", "open", "join Home"]


def test_a_hidden_wifi_is_asked_for_by_its_name(nmcli: Callable[[str, int], Path]) -> None:
    told = nmcli("", 0)
    network.join("Home", "12345678", "wlan0")
    assert "802-11-wireless.hidden" not in told.read_text()
    network.join("Attic", "12345678", "wlan0", hidden=True)
    added = [call for call in told.read_text().splitlines() if "connection add" in call]
    assert added[-1].endswith("wifi-sec.psk 12345678 802-11-wireless.hidden yes")


class Deaf(Played):
    """A radio that hears nothing else while its own Wi-Fi is open; a router that is switched on late."""

    air: tuple[str, ...] = ("Neighbours",)

    def nearby(self) -> list[Wifi]:
        assert self.state != OURS
        return [Wifi(name, 70, True) for name in self.air]


@pytest.mark.parametrize(("then", "calls"), [(ALONE, ["close", "open"]), (HOME, ["close"])])
def test_with_its_own_wifi_open_it_hears_anew_when_a_phone_asks(then: Connected, calls: list[str]) -> None:
    deaf = Deaf()
    hotspot = Hotspot(lambda: Own("Hisabu-1", "abcdefgh"), lambda own: None, nm=deaf)
    hotspot.nearby()
    deaf.state = hotspot.state = OURS
    deaf.air = ("Home", "Neighbours")
    assert [wifi.ssid for wifi in hotspot.nearby()] == ["Neighbours"], "as it was heard before"
    closes = deaf.close_own

    def close_own() -> None:
        closes()
        deaf.state = then

    deaf.close_own = close_own  # type: ignore[method-assign]
    hotspot.listen()
    assert [wifi.ssid for wifi in hotspot.nearby()] == ["Home", "Neighbours"]
    assert deaf.calls == calls, "a known network that answers stays"
    assert hotspot.join("Attic", "12345678") == "joined" and deaf.calls[-1] == "join Attic hidden"
    assert hotspot.join("Home", "12345678") == "joined" and deaf.calls[-1] == "join Home"


class Changing(Played):
    """A network that is another at each look, and then stays as it is."""

    def __init__(self, *states: Connected) -> None:
        super().__init__()
        self.states, self.looks = states, 0

    def connected(self) -> Connected:
        self.looks += 1
        return self.states[min(self.looks, len(self.states)) - 1]


def test_what_the_decision_rests_on_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    played = Changing(HOME, HOME, ALONE, Connected(None, False, False, False))
    waits = HotspotWaits(60, 60, 60, 60, 0.01)
    hotspot = Hotspot(lambda: Own("Hisabu-1", "abcdefgh"), lambda own: None, waits=waits, nm=played)
    hotspot.start()
    until(lambda: played.looks > 6)
    hotspot.close()
    assert caplog.messages == [
        "the device is in a network: it opens no Wi-Fi of its own",
        "the device is in no network",
        "the device is in no network and has no radio: it cannot open a Wi-Fi of its own",
    ]


def test_the_own_wifi_keeps_its_name_and_password_and_each_device_has_another(tmp_path: Path) -> None:
    own = network.own_wifi(tmp_path)
    assert network.own_wifi(tmp_path) == own and len(own.password) == 10
    assert (tmp_path / "own-wifi.json").stat().st_mode & 0o077 == 0
    assert network.own_wifi(tmp_path / "other").password != own.password
    assert Own("a;b", 'c:"d').code == 'WIFI:T:WPA;S:a\\;b;P:c\\:\\"d;;'


def test_the_own_wifi_opens_on_a_full_card_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(network, "write_whole", full)
    own = network.own_wifi(tmp_path)
    assert network.own_wifi(tmp_path) == own, "with the name that is shown"
    monkeypatch.undo()
    network.own_wifi(tmp_path)
    network._drawn.cache_clear()
    assert network.own_wifi(tmp_path) == own, "it is kept as soon as it can be"
