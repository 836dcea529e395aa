"""The device's own Wi-Fi: phones are led to the page, displays tell how to join, a phone chooses another network."""

import http.client
import ipaddress
from pathlib import Path
from typing import Any

import pytest

from device.following.press import Press
from device.machine.hotspot import Hotspot
from device.machine.network import Connected, NotJoined, Own, Wifi
from device.web.captive import EXPECTED
from device.web.pairing import PressFirst
from tests.device.machine.test_network import OURS, Played
from tests.device.outputs.page.room import Room, pair, phone, room
from tests.device.outputs.page.test_house import turufu

OWN = Own("Hisabu-1a2b", "abcdefgh23")
PROBES = {
    "Android": ("connectivitycheck.gstatic.com", "/generate_204", 204, ""),
    "Android, a maker's": ("www.google.com", "/gen_204", 204, ""),
    "iOS": ("captive.apple.com", "/hotspot-detect.html", 200, "<BODY>Success</BODY>"),
    "macOS": ("www.apple.com", "/library/test/success.html", 200, "<BODY>Success</BODY>"),
    "Windows": ("www.msftconnecttest.com", "/connecttest.txt", 200, "Microsoft Connect Test"),
    "Windows 8": ("www.msftncsi.com", "/ncsi.txt", 200, "Microsoft NCSI"),
    "Firefox": ("detectportal.firefox.com", "/success.txt", 200, "success"),
    "GNOME": ("nmcheck.gnome.org", "/check_network_status.txt", 200, "NetworkManager is online"),
}


def asked(table: Room, host: str, path: str, method: str = "GET") -> tuple[int, str | None, str]:
    """Status, where it leads, and text."""
    port = int(table.at.rstrip("/").rpartition(":")[2])
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    line.request(method, path, headers={"Host": host})
    answer = line.getresponse()
    return answer.status, answer.headers.get("Location"), answer.read().decode()


def opened(table: Room) -> str:
    """Our own Wi-Fi is open, and this machine is in it; the page's address there."""
    table.page.site.captive.net = ipaddress.ip_network("127.0.0.0/8")
    table.page.own_wifi(OWN)
    page = table.page.site.captive.page()
    assert page is not None
    return page


@pytest.mark.parametrize("system", PROBES)
def test_a_phone_that_joins_is_led_to_the_page_and_then_stays(tmp_path: Path, system: str) -> None:
    host, path, status, text = PROBES[system]
    with room(tmp_path, turufu()) as table:
        assert asked(table, host, path)[0] == 421, "in another network no foreign name is answered"
        page = opened(table)
        assert page.startswith("http://10.42.0.1")
        assert asked(table, host, path)[:2] == (302, page)
        assert asked(table, "example.org", "/whatever?x=1")[:2] == (302, page)
        assert asked(table, "127.0.0.1", "/")[0] == 200
        found = asked(table, host, path)
        assert (found[0], found[1]) == (status, None) and text in found[2]
        assert asked(table, "www.msftconnecttest.com", "/redirect")[:2] == (302, page)
        assert asked(table, host, path, "POST")[0] == 421
        table.page.own_wifi(None)
        assert asked(table, host, path)[0] == 421


def test_every_question_that_is_known_is_asked_above() -> None:
    assert {path for _, path, *_ in PROBES.values()} == set(EXPECTED) - {"/canonical.html", "/nm-check.txt"}


def test_the_display_shows_how_to_join_then_the_address_then_the_game(tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table:
        opened(table)
        invite = table.table.show.invite
        assert invite is not None and invite.wifi is not None and invite.wifi.code == OWN.code
        table.put(Press("A"))
        invite = table.table.show.invite
        assert invite is not None and invite.wifi is None and invite.address.startswith("http://10.42.0.1")
        table.put(Press("A"))
        assert table.table.show.invite is None


class Radio(Played):
    def nearby(self) -> list[Wifi]:
        return [Wifi("Home", 70, True), Wifi("Café", 50, False)]

    def join(self, ssid: str, password: str, device: str, hidden: bool = False) -> None:
        self.calls.append(f"join {ssid} {password}{' hidden' * hidden}")
        if password == "the wrong one":
            raise NotJoined("wrong_password")
        self.state = Connected("wlan0", True, False, False, ssid)


def test_a_phone_chooses_a_wifi_and_a_wrong_password_is_said(chromium: Any, tmp_path: Path) -> None:
    radio = Radio()
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        hotspot = Hotspot(lambda: OWN, table.page.own_wifi, nm=radio)
        hotspot.nearby()
        radio.state = hotspot.state = OURS
        table.page.site.hotspot = hotspot
        pair(page, table)
        page.goto(f"{table.at}#/house")
        page.get_by_text("the device has opened a Wi-Fi of its own").wait_for()
        for password, said in (
            ("the wrong one", "Home did not take this password."),
            ("the right one", "Joined: Home"),
        ):
            page.get_by_role("button", name="Home").click()
            page.get_by_label("Password").fill(password)
            page.get_by_role("button", name="Join", exact=True).click()
            page.locator("[data-test=wifi-told]").get_by_text(said).wait_for()
        page.get_by_text("In the Wi-Fi Home").wait_for()
    assert radio.calls == ["join Home the wrong one", "open", "join Home the right one"]


def test_a_wifi_that_is_not_listed_is_searched_for_or_joined_by_its_name(chromium: Any, tmp_path: Path) -> None:
    radio = Radio()
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        hotspot = Hotspot(lambda: OWN, table.page.own_wifi, nm=radio)
        hotspot.heard = (Wifi("Neighbours", 40, True),)
        radio.state = hotspot.state = OURS
        table.page.site.hotspot = hotspot
        pair(page, table)
        page.goto(f"{table.at}#/house")
        page.get_by_role("button", name="Neighbours").wait_for()
        assert page.get_by_role("button", name="Home").count() == 0
        page.get_by_text("the device turns its own Wi-Fi off for half a minute").wait_for()
        page.get_by_role("button", name="Search again").click()
        page.get_by_role("button", name="Home").wait_for()
        page.get_by_role("button", name="Another name").click()
        page.get_by_label("Name of the Wi-Fi").fill("Attic ")
        page.get_by_label("Password").fill("the right one")
        page.get_by_role("button", name="Join", exact=True).click()
        page.locator("[data-test=wifi-told]").get_by_text("Joined: Attic").wait_for()
    assert radio.calls == ["close", "open", "join Attic the right one hidden"]


def test_a_phone_that_is_not_paired_hears_of_no_wifi_and_joins_none(chromium: Any, tmp_path: Path) -> None:
    radio = Radio()
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        table.page.site.hotspot = Hotspot(lambda: OWN, table.page.own_wifi, nm=radio)
        for what in ("wifi", "wifi_join", "wifi_listen"):
            refused = page.evaluate(
                """async (what) => { const { Link } = await import("/w/link.js"); return new Promise((done) => {
                const link = new Link({ there: (up) => up && link.ask(what, { ssid: "Home", password: "12345678" })
                .then((value) => done({ value }), (error) => done(error.refused)) }); }); }""",
                what,
            )
            assert refused == "not_paired"
    assert radio.calls == []


def test_the_first_phone_of_a_fresh_device_needs_no_press_and_the_second_does(tmp_path: Path) -> None:
    with room(tmp_path, turufu(), build="minimal", display="ssd1306") as table:
        pairing = table.page.site.pairing
        assert pairing.begin("10.42.0.7") > 0 and table.code is not None
        assert pairing.matches(table.code, "10.42.0.7")
        table.page.site.phones.add("phone")
        with pytest.raises(PressFirst):
            pairing.begin("10.42.0.8")
