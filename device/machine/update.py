"""Asks to be brought up to date. What is asked for, root's own small program does (updater.py); here nobody is root."""

import asyncio
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.keeping.files import read_plain, write_whole
from device.machine import updater
from device.machine.power import may_switch
from engine.strict_json import BadJson, Fields, read_object

ADDRESS = Path("/usr/share/hisabu/releases")
"""Where the maker of this package puts releases; where there is no such file, updates come on a stick."""
MOST_OF_SUMS = updater.MOST_SMALL
CHUNK_BYTES = 1 << 18
QUIET_S = 30.0
"""Without a byte from the releases' address."""


class NoUpdate(Exception):
    """It cannot even be asked for: one of updater's codes, or "away"."""


def can_update() -> bool:
    """Whether this is a device that takes updates: installed as a package, with a key to trust."""
    return may_switch() and updater.KEY.exists()


def address() -> str:
    """Where releases are; empty: nobody said."""
    try:
        return read_plain(ADDRESS, 500).decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def state() -> dict[str, Any]:
    """What the page shows: whether an update can be, from where, whether one goes on, and what came of the last."""
    return {
        "can": can_update(),
        "address": address(),
        "goes_on": (updater.ASKED / updater.ASK).exists() or (updater.KEPT / updater.STATE).exists(),
        "last": _last(),
    }


def _last() -> Mapping[str, Any] | None:
    try:
        told = Fields(read_object(read_plain(updater.KEPT / updater.RESULT, 2000)))
        return {"code": told.text("code", 30), "version": told.text("version", 80, ""), "at": told.whole("at")}
    except (OSError, BadJson):
        return None


def ask(where: str) -> None:
    """Asks for the newest package on a stick, or of what was fetched. OSError: it cannot be asked."""
    write_whole(updater.ASKED / updater.ASK, json.dumps({"from": where}).encode())


async def fetch() -> None:
    """Fetches the newest package that fits from the releases' address. NoUpdate: there is none, or nobody answers."""
    import aiohttp

    base = address().rstrip("/")
    if not base:
        raise NoUpdate(updater.NOTHING)
    limits = aiohttp.ClientTimeout(total=None, sock_connect=QUIET_S, sock_read=QUIET_S)
    try:
        async with aiohttp.ClientSession(timeout=limits) as session:
            for name in (updater.SUMS, updater.SIGNATURE):
                await _fetched(session, f"{base}/{name}", updater.ASKED / name, MOST_OF_SUMS)
            sums = (updater.ASKED / updater.SUMS).read_text(encoding="utf-8", errors="replace")
            name = await asyncio.to_thread(_newest, sums)
            for old in (*updater.ASKED.glob("*.deb"), *updater.ASKED.glob(".*.new")):
                old.unlink()
            await _fetched(session, f"{base}/{name}", updater.ASKED / name, updater.MOST_OF_A_PACKAGE)
    except (aiohttp.ClientError, TimeoutError) as error:
        raise NoUpdate("away") from error


def _newest(sums: str) -> str:
    """The name of the package for this machine. NoUpdate: none is newer than what runs."""
    version, arch = _said("dpkg-query", "-W", "-f", "${Version}", updater.NAME), _said("dpkg", "--print-architecture")
    label = re.search(r"\+deb\d+$", version)
    ending = re.escape(f"{label[0] if label else ''}_{arch}.deb")
    names = re.findall(rf"^[0-9a-f]{{64}} [ *](hisabu_[\w.~+-]+{ending})$", sums, re.MULTILINE)
    if not names:
        raise NoUpdate(updater.NOTHING)
    newest = str(names[0])
    for name in names[1:]:
        newest = name if updater.is_newer(updater.version_in(name), updater.version_in(newest)) else newest
    if not updater.is_newer(updater.version_in(newest), version):
        raise NoUpdate(updater.NOT_NEWER)
    return newest


def _said(*words: str) -> str:
    return subprocess.run(words, check=False, capture_output=True, text=True).stdout.strip()


async def _fetched(session: Any, url: str, target: Path, most: int) -> None:
    """A file from the releases, never more than its kind may hold."""
    fresh, size = target.with_name(f".{target.name}.new"), 0
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        async with session.get(url) as answer:
            if answer.status != 200:
                raise NoUpdate(updater.NOTHING)
            with fresh.open("wb") as file:
                async for piece in answer.content.iter_chunked(CHUNK_BYTES):
                    comes = max(answer.content_length or 0, size + len(piece)) - size
                    if shutil.disk_usage(target.parent).free < comes + updater.SPARE_BYTES:
                        raise NoUpdate(updater.NO_ROOM)
                    size += len(piece)
                    if size > most:
                        raise NoUpdate(updater.DAMAGED)
                    await asyncio.to_thread(file.write, piece)
                file.flush()
                await asyncio.to_thread(os.fsync, file.fileno())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
