"""Runs on a card that was started with a stick in it (.ci/try-card), as root: the device is brought up to date from the
stick, asked through the page as a phone asks. With a word: begin, only until dpkg is at work (the plug is pulled then);
after, once the card started again; whole, to the end. Says a line for each thing that was seen; exits 1 at the first
that was not."""

import asyncio
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

MATCHES = Path("/var/lib/hisabu/matches")
ASKED, KEPT = Path("/var/lib/hisabu/update"), Path("/var/lib/hisabu-update")
NOTED = Path("/data/try-card.json")
HERE = "127.0.0.1"
START = time.monotonic()


def sh(*words: str) -> str:
    return subprocess.run(words, check=False, capture_output=True, text=True).stdout.strip()


def say(text: str) -> None:
    print(f"{time.monotonic() - START:6.0f} s  {text}", flush=True)


def must(text: str, holds: bool) -> None:
    if not holds:
        print(sh("journalctl", "-u", "hisabu-update", "-u", "hisabu", "-n", "60", "-o", "cat"))
        raise SystemExit(f"not so: {text}")
    say(text)


def until(text: str, holds: Callable[[], Any], seconds: float = 1800) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError, ValueError):
            if holds():
                return say(text)
        time.sleep(0.2)
    must(text, False)


def version() -> str:
    return sh("dpkg-query", "--show", "--showformat=${Version}", "hisabu")


def result() -> dict[str, Any]:
    """What came of the last update; an odd or missing file: nothing yet."""
    with suppress(OSError, ValueError):
        return dict(json.loads((KEPT / "result.json").read_text()))
    return {}


def matches() -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in MATCHES.glob("match-*")}


def a_match_and_a_phone() -> str:
    """A match in its middle, and the owner's phone; its token."""
    from device.keeping.journal import MatchRecord
    from engine.events import Deal, Play
    from engine.match import Match

    sh("systemctl", "stop", "hisabu")
    MATCHES.mkdir(exist_ok=True)
    if not matches():
        record = MatchRecord.begin(MATCHES, Match("turufu", 4))
        for event in (Deal("7H", 0), Play("7D", 1), Play("KD", 2)):
            record.add(event)
        record.close()
    token = secrets.token_urlsafe(32)
    digest = hashlib.sha256(token.encode()).hexdigest()
    phone = {"id": "0000", "digest": digest, "name": "phone", "since": 1, "seen": 1, "role": "owner"}
    (MATCHES / "phones.json").write_text(json.dumps([phone]))
    for path in (MATCHES, *MATCHES.iterdir()):
        shutil.chown(path, "hisabu", "hisabu")
    sh("systemctl", "start", "hisabu")
    return token


def asked(token: str, what: str, facts: dict[str, Any]) -> Any:
    import aiohttp

    async def answer() -> Any:
        headers = {"Origin": f"http://{HERE}", "Cookie": f"hisabu-80={token}"}
        async with (
            asyncio.timeout(120),
            aiohttp.ClientSession() as session,
            session.ws_connect(f"http://{HERE}/live", headers=headers) as line,
        ):
            await line.send_json({"id": 1, "ask": what, "facts": facts})
            while True:
                message = await line.receive_json()
                if message.get("done") == 1:
                    return message

    return asyncio.run(answer())


def ask(token: str, what: str, **facts: Any) -> Any:
    """Asks the page as its own script does, over its line. In a process of its own: what is installed has libraries
    that would be held open here, and while old files are held a system cannot become read-only again."""
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as apart:
        return apart.submit(asked, token, what, facts).result()


def told_of(code: str, before: float) -> Callable[[], bool]:
    return lambda: result().get("code") == code and (KEPT / "result.json").stat().st_mtime > before


def nothing_goes_on() -> bool:
    return not (KEPT / "state.json").exists() and sh("systemctl", "is-active", "hisabu-update") == "inactive"


def as_before(old: dict[str, Any]) -> None:
    until("the updater is done", nothing_goes_on)
    must("every match is the same, byte for byte", matches() == old["matches"])
    until("the device is up", lambda: sh("systemctl", "is-active", "hisabu") == "active")
    must("the system is read-only again", "ro" in sh("findmnt", "-n", "-o", "OPTIONS", "/").split(","))
    failed = sh("systemctl", "--failed", "--no-legend")
    must(f"no unit failed {failed}", not failed)


def begin() -> None:
    """Asks for the update, and ends when dpkg writes."""
    token = a_match_and_a_phone()
    NOTED.write_text(json.dumps({"version": version(), "matches": matches()}))
    os.sync()
    answer = ask(token, "update", **{"from": "stick"})
    must(f"the page takes it: {str(answer)[:80]}", "refused" not in answer)
    until("dpkg is at work", lambda: json.loads((KEPT / "state.json").read_text())["step"] == "installing")
    time.sleep(8)
    say(sh("dpkg-query", "--show", "--showformat=${Status} ${Version}", "hisabu"))


def after() -> None:
    """What the pulled plug left."""
    old = json.loads(NOTED.read_text())
    until("the cut update is told", lambda: result().get("code") in ("went_back_cut", "updated"))
    say(str(result()))
    as_before(old)
    must(f"the version from before runs, whole: {version()}", version() == old["version"])


def whole() -> None:
    """The update to its end; then what must not be installed."""
    token = a_match_and_a_phone()
    old = {"version": version(), "matches": matches()}
    began = time.time()
    ask(token, "update", **{"from": "stick"})
    until("the update is told", told_of("updated", began))
    as_before(old)
    must(f"{old['version']} became {version()}", version() != old["version"] and version() == result()["version"])
    until("the page answers", lambda: ask(token, "house"), 300)
    began = time.time()
    ask(token, "update", **{"from": "stick"})
    until("the same once more: it is not newer", told_of("not_newer", began))
    for name in ("SHA256SUMS", "SHA256SUMS.sig"):
        (ASKED / name).write_text("0  hisabu_9-1+deb13_all.deb\n")
    began = time.time()
    (ASKED / "ask").write_text(json.dumps({"from": "fetched"}))
    until("a signature that is none: nothing is installed", told_of("not_signed", began))
    as_before({"matches": old["matches"]})
    say(sh("systemd-analyze", "security", "hisabu-update", "--no-pager").splitlines()[-1])


{"begin": begin, "after": after, "whole": whole}[sys.argv[1]]()
