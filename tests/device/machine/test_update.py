"""What the device asks of its updater: what is newest at an address, fetched whole or not at all."""

import asyncio
import hashlib
import json
import os
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from device.machine import update, updater
from device.machine.update import NoUpdate, ask, fetch, state


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Nobody reads it."""


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder at an address, on a machine that runs 1.0."""
    folder = tmp_path / "releases"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (tmp_path / "address").write_text(f"http://127.0.0.1:{server.server_port}/\n")
    monkeypatch.setattr(update, "ADDRESS", tmp_path / "address")
    monkeypatch.setattr(updater, "ASKED", tmp_path / "asked")
    monkeypatch.setattr(updater, "KEPT", tmp_path / "kept")
    dpkg = shutil.which("dpkg") or "false"
    for name, says in (
        ("dpkg-query", "echo 1.0-1+deb13"),
        ("dpkg", f'[ "$1" = --print-architecture ] && exec echo arm64; exec {dpkg} "$@"'),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{says}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    yield folder
    server.shutdown()
    server.server_close()


def hand_out(folder: Path, *versions: str) -> None:
    lines = []
    for version in versions:
        data = f"package {version}".encode() * 1000
        (folder / f"hisabu_{version}_arm64.deb").write_bytes(data)
        lines.append(f"{hashlib.sha256(data).hexdigest()}  hisabu_{version}_arm64.deb\n")
    (folder / "SHA256SUMS").write_text("".join(lines))
    (folder / "SHA256SUMS.sig").write_bytes(b"signature")


def test_the_newest_that_fits_is_fetched(releases: Path, tmp_path: Path) -> None:
    hand_out(releases, "1.9-1+deb13", "1.10-1+deb13", "2.0-1+deb12", "1.2~rc1-1+deb13")
    asyncio.run(fetch())
    ask("fetched")
    asked = tmp_path / "asked"
    assert sorted(path.name for path in asked.iterdir()) == [
        "SHA256SUMS", "SHA256SUMS.sig", "ask", "hisabu_1.10-1+deb13_arm64.deb",
    ]  # fmt: skip
    assert (asked / "hisabu_1.10-1+deb13_arm64.deb").read_bytes() == (
        releases / "hisabu_1.10-1+deb13_arm64.deb"
    ).read_bytes()
    assert json.loads((asked / "ask").read_text()) == {"from": "fetched"}
    assert state()["goes_on"]


@pytest.mark.parametrize(
    ("versions", "code"),
    [(["1.0-1+deb13", "0.9-1+deb13"], "not_newer"), (["2.0-1+deb12"], "nothing"), ([], "nothing")],
)
def test_what_is_not_newer_is_not_fetched(releases: Path, versions: list[str], code: str) -> None:
    hand_out(releases, *versions)
    with pytest.raises(NoUpdate, match=code):
        asyncio.run(fetch())
    assert not list((releases.parent / "asked").glob("*.deb"))


def test_an_address_that_is_away_or_empty_is_said(releases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoUpdate, match="nothing"):
        asyncio.run(fetch())
    (releases.parent / "address").write_text("http://127.0.0.1:9/")
    with pytest.raises(NoUpdate, match="away"):
        asyncio.run(fetch())
    hand_out(releases, "1.1-1+deb13")
    monkeypatch.setattr(update, "MOST_OF_SUMS", 10)
    monkeypatch.setattr(update, "ADDRESS", releases.parent / "nowhere")
    with pytest.raises(NoUpdate, match="nothing"):
        asyncio.run(fetch())


def test_a_package_that_leaves_no_room_for_matches_is_not_fetched(
    releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_out(releases, "1.1-1+deb13")
    about = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: about._replace(free=updater.SPARE_BYTES + 5000))
    with pytest.raises(NoUpdate, match="no_room"):
        asyncio.run(fetch())
    assert sorted(path.name for path in (tmp_path / "asked").iterdir()) == ["SHA256SUMS", "SHA256SUMS.sig"]


def test_what_a_power_cut_left_of_a_fetched_package_goes(releases: Path, tmp_path: Path) -> None:
    hand_out(releases, "1.1-1+deb13")
    left = tmp_path / "asked" / ".hisabu_1.05-1+deb13_arm64.deb.new"
    left.parent.mkdir()
    left.write_bytes(bytes(5000))
    asyncio.run(fetch())
    assert not left.exists()


def test_a_package_larger_than_any_is_not_kept(releases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_out(releases, "1.1-1+deb13")
    monkeypatch.setattr(updater, "MOST_OF_A_PACKAGE", 1000)
    with pytest.raises(NoUpdate, match="damaged"):
        asyncio.run(fetch())
    assert not [path for path in (releases.parent / "asked").iterdir() if "deb" in path.name]


def test_what_came_of_the_last_is_told_and_odd_files_are_not(releases: Path, tmp_path: Path) -> None:
    result = tmp_path / "kept" / "result.json"
    result.parent.mkdir()
    assert state()["last"] is None
    result.write_text('{"code": "went_back", "version": "1.1", "at": 5}')
    assert state()["last"] == {"code": "went_back", "version": "1.1", "at": 5}
    result.write_text("[")
    assert state()["last"] is None
