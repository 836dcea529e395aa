"""The page is found without typing an address: what avahi is asked to publish, and the way on the displays."""

import asyncio
import os
import stat
from pathlib import Path

import pytest

from device.following.menu import FORGET_PHONES, SHOW_PAGE
from device.following.press import Press
from device.keeping.settings import Settings
from device.outputs.display.screens import compose
from device.outputs.page.address import listening, url
from device.outputs.page.announce import COMMAND, announce
from device.outputs.qr import modules, qr_lines
from engine.match import Match
from tests.device.outputs.page.room import room


def publish(folder: Path, taken: str = "") -> Path:
    """A stand-in for avahi's own program: notes what it was asked for, and stays for as long as its daemon is not away;
    a name that is taken it refuses, and a title that is taken it changes."""
    log = folder / "asked"
    program = folder / COMMAND
    program.write_text(f"""#!/bin/sh
echo "$*" >>{log}
if [ -e {folder / "away"} ]; then echo "Failed to create client object: Daemon not running" >&2; exit 1; fi
if [ "$1" = -s ]; then echo "Name collision, picking new name 'Hisabu #2'." >&2; fi
if [ "$3" = "{taken}" ]; then echo "Failed to register: Local name collision" >&2; exit 1; fi
while [ ! -e {folder / "away"} ]; do sleep 0.05; done
echo "Client failure, exiting: Daemon connection failed" >&2
exit 1
""")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return log


def announced(seconds: float, away: Path | None = None) -> None:
    """away: a file; while it is there, avahi's daemon is away, for a moment and then for longer."""

    async def goes() -> None:
        task = asyncio.create_task(announce(8080, every_s=0.1))
        await asyncio.sleep(seconds)
        for pause_s in (0.1, 0.5):
            if away is None:
                break
            away.touch()
            await asyncio.sleep(pause_s)
            away.unlink()
            await asyncio.sleep(seconds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(goes())


def test_name_and_service_are_published_and_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = publish(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    announced(0.6)
    asked = sorted(log.read_text().splitlines())
    assert asked[0].startswith("-a -R hisabu.local ") and asked[1] == "-s Hisabu _http._tcp 8080"
    assert len(asked) == 2, "while nothing changes it is said once"


def test_a_second_device_takes_the_next_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = publish(tmp_path, taken="hisabu.local")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    announced(1.2)
    assert "-a -R hisabu-2.local " in log.read_text()


@pytest.mark.parametrize(("taken", "name"), [("", "hisabu.local"), ("hisabu.local", "hisabu-2.local")])
def test_a_daemon_that_starts_again_finds_the_device_under_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: str, name: str
) -> None:
    log = publish(tmp_path, taken)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    announced(1.0, tmp_path / "away")
    names = [line.split()[2] for line in log.read_text().splitlines() if line.startswith("-a")]
    assert names.count(name) > 2, "it was announced again each time"
    assert set(names) == {taken or name, name}


def test_without_avahi_the_page_is_there_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    asyncio.run(announce(8080))


@pytest.mark.parametrize(
    ("settings", "asked", "first"),
    [
        (Settings(build="laptop", display="none"), None, ("127.0.0.1", 8080)),
        (Settings(build="minimal"), None, ("", 80)),
        (Settings(page="here"), None, ("127.0.0.1", 8080)),
        (Settings(page="off"), None, None),
        (Settings(), "off", None),
        (Settings(page="off"), "0.0.0.0:9000", ("0.0.0.0", 9000)),
        (Settings(), "[::1]:9000", ("::1", 9000)),
    ],
)
def test_where_the_page_listens(settings: Settings, asked: str | None, first: tuple[str, int] | None) -> None:
    places = listening(settings, asked).places
    assert (places[0] if places else None) == first


@pytest.mark.parametrize("asked", ["nowhere", "host:port", "host:99999", ":x"])
def test_what_is_no_place_is_told(asked: str) -> None:
    with pytest.raises(ValueError, match="page_place"):
        listening(Settings(), asked)


def test_an_address_is_written_as_a_browser_takes_it() -> None:
    assert url(("127.0.0.1", 80)) == "http://127.0.0.1/"
    assert url(("::1", 8080)) == "http://[::1]:8080/"


def test_the_menu_shows_the_way_on_every_display_and_forgets_phones(tmp_path: Path) -> None:
    with room(tmp_path, Match("turufu", 4)) as table:
        table.page.of(table.table)
        token = table.page.site.phones.add("x")

        def choose(name: str) -> None:
            table.put(Press("C"))
            title = {SHOW_PAGE: "Pair a phone or hall", FORGET_PHONES: "Forget all phones"}[name]
            for _ in range(20):
                page = table.table.show.page
                assert page is not None and page.chosen is not None
                if page.lines[page.chosen] == title:
                    break
                table.put(Press("A"))
            table.put(Press("C"))

        choose(SHOW_PAGE)
        invite = table.table.show.invite
        assert invite is not None and invite.address == table.at and invite.code == table.page.site.pairing.code
        for size, colour in (((128, 64), False), ((240, 240), True), ((320, 240), True)):
            painter = compose(table.table.show, size, colour)
            at = "".join(placed.text for placed in painter.placed)
            assert "127.0.0.1" in at.replace(" ", "") and str(invite.code) in at.replace(" ", "")
        table.put(Press("B"))
        assert table.table.show.invite is None and not table.table.match.log, "a press gives way to the game, no more"
        choose(SHOW_PAGE)
        assert table.table.show.invite == invite, "it lasts yet, and is shown again"
        table.put(Press("B"))
        choose(FORGET_PHONES)
        table.put(Press("A"))
        assert table.page.site.phones.find(token) is None


def test_a_code_that_a_camera_reads_holds_the_address() -> None:
    cv2 = pytest.importorskip("cv2")
    np = pytest.importorskip("numpy")
    dark = np.array(modules("http://192.168.178.23:8080/"))
    picture = np.where(np.kron(dark, np.ones((8, 8), bool)), 0, 255).astype(np.uint8)
    picture = cv2.copyMakeBorder(picture, 32, 32, 32, 32, cv2.BORDER_CONSTANT, value=255)
    read, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.GaussianBlur(picture, (0, 0), 1.2))
    assert read == "http://192.168.178.23:8080/"
    lines = qr_lines("http://192.168.178.23:8080/")
    assert len({len(line) for line in lines}) == 1
