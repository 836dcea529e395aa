"""House → About: what runs here, and everything that is kept, saved on a phone and taken in from one."""

import asyncio
import io
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from device.keeping.backup import Backup
from device.keeping.journal import kept
from device.machine import update, updater
from device.version import of_the_program
from tests.device.outputs.page.room import pair, phone, room
from tests.device.outputs.page.test_house import kept_match, turufu


def test_one_device_saves_everything_and_another_takes_it_in(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path / "old-settings"))
    folder, saved = tmp_path / "old", tmp_path / "saved.zip"
    kept_match(folder, deals=2)
    with room(folder, turufu("Zaina", "Ali"), brightness=0.4) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.goto(f"{table.at}#/house")
        page.locator("[data-test=about]").get_by_text(of_the_program()).wait_for()
        with page.expect_download() as download:
            page.locator("[data-test=backup]").click()
        assert download.value.suggested_filename.endswith(".zip")
        download.value.save_as(saved)
    monkeypatch.setenv("HISABU_HOME", str(tmp_path / "new-settings"))
    new = tmp_path / "new"
    with room(new, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.goto(f"{table.at}#/house")
        page.locator("[data-test=take-in]").set_input_files(saved)
        page.get_by_text("Restored matches: 1. Already on this device: 0.").wait_for()
        assert table.settings.brightness != 0.4 and table.saved[-1].brightness == 0.4
        assert table.saved[-1].seats == ("Zaina", "Ali")
        page.locator("[data-test=take-in]").set_input_files(
            {"name": "holiday.zip", "mimeType": "application/zip", "buffer": b"no backup"}
        )
        page.get_by_text("this is not a file that Hisabu saved").wait_for()
    assert [match.path.read_bytes() for match in kept(new)] == [match.path.read_bytes() for match in kept(folder)]
    assert sorted(path.name for path in new.iterdir() if path.name.startswith(".")) == []


def test_a_phone_that_is_not_paired_neither_saves_nor_takes_in(tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    kept_match(folder)
    before = [match.path.read_bytes() for match in kept(folder)]
    with room(folder, turufu()) as table:
        own = {"Origin": table.at.rstrip("/"), "Content-Type": "application/zip"}
        for request in (
            urllib.request.Request(f"{table.at}backup"),
            urllib.request.Request(f"{table.at}backup", data=b"PK", headers=own),
            urllib.request.Request(f"{table.at}backup", data=b"PK", headers={"Origin": "http://elsewhere"}),
        ):
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(request, timeout=10)
        assert [match.path.read_bytes() for match in kept(folder)] == before


def test_a_phone_that_is_paired_and_not_the_owners_neither_saves_nor_takes_in(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path / "settings"))
    with room(tmp_path, turufu()) as table:
        table.page.site.phones.add("the owner's")
        with phone(chromium, table.at) as page:
            pair(page, table)
            page.goto(f"{table.at}#/house")
            page.locator("[data-test=about]").wait_for()
            assert page.locator("[data-test=backup]").count() == 0
            for method in ("GET", "POST"):
                ask = "async (method) => (await fetch('/backup', { method })).status"
                assert page.evaluate(ask, method) == 403


def test_what_is_saved_while_a_match_goes_on_ends_with_a_whole_line(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path / "settings"))
    folder = tmp_path / "matches"
    kept_match(folder, finish=False)
    with kept(folder)[-1].path.open("ab") as file:
        file.write(b'{"event": "pl')  # As it lies there while a line is being written.
    with room(folder, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.goto(f"{table.at}#/house")
        with page.expect_download() as download:
            page.locator("[data-test=backup]").click()
        match = next(Backup(io.BytesIO(Path(download.value.path()).read_bytes())).matches())
        assert match.open and match.text().endswith(b"}\n")


@pytest.mark.slow
def test_a_newer_version_is_asked_for_with_one_tap(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updater, "ASKED", tmp_path / "asked")
    monkeypatch.setattr(updater, "KEPT", tmp_path / "kept")
    with room(tmp_path / "matches", turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.goto(f"{table.at}#/house")
        page.locator("[data-test=about]").wait_for()
        stick = page.get_by_role("button", name="Install from a USB stick")
        assert stick.count() == 0, "a laptop is brought up to date with apt"
        monkeypatch.setattr(update, "can_update", lambda: True)
        page.reload()
        stick.click()
        page.get_by_text("The device is being brought up to date").wait_for()
        assert json.loads((tmp_path / "asked" / "ask").read_text()) == {"from": "stick"}
        (tmp_path / "asked" / "ask").unlink()
        (tmp_path / "kept").mkdir()
        (tmp_path / "kept" / "result.json").write_text('{"code": "not_signed", "version": "", "at": 5}')
        page.get_by_text("is not signed by the makers").wait_for()


def test_of_two_who_look_for_a_newer_version_at_once_one_is_told_to_wait(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updater, "ASKED", tmp_path / "asked")
    monkeypatch.setattr(update, "can_update", lambda: True)
    fetching: list[str] = []

    async def fetch() -> None:
        fetching.append("begun")
        await asyncio.sleep(1.0)

    monkeypatch.setattr(update, "fetch", fetch)
    with room(tmp_path / "matches", turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        told = page.evaluate(
            """async () => { const { Link } = await import("/w/link.js");
            const press = () => new Promise((done) => { const link = new Link({ there: (up) => up &&
            link.ask("update", { from: "fetched" }).then(() => done("asked"), (error) => done(error.refused)) }); });
            const both = await Promise.all([press(), press()]); return [...both, await press()]; }"""
        )
        assert sorted(told[:2]) == ["asked", "busy"] and told[2] == "asked"
    assert len(fetching) == 2
    assert json.loads((tmp_path / "asked" / "ask").read_text()) == {"from": "fetched"}
