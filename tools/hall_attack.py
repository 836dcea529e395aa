"""A page, a hall and a broker under attack, with an honest visitor who looks in all along.

    python -m tools.hall_attack --size 1      a thousand hostile messages of each kind, an evening of kills
    python -m tools.hall_attack --size 0.01   the same, small

It prints a line for each attack and ends with 1 if anything was lost, blank, let in or kept out. Beside each figure
stands what a bare server took in the same seconds, to tell a busy machine from a slow program.
"""

import argparse
import asyncio
import contextlib
import http.client
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event as Flag
from pathlib import Path
from random import Random
from typing import Any

import aiohttp

from device.hall.store import Store
from device.hall.worker import Worker
from device.keeping.journal import MatchRecord, kept
from device.outputs.broker.keys import hall_answer
from device.outputs.broker.link import Link
from device.outputs.broker.messages import BUTTON, OF_THE_HALL, OF_THE_TABLE, Have, Logged, Status, packed, topic
from device.outputs.broker.output import Broker, told
from engine.match import Match
from engine.simulate import honest_match
from engine.strict_json import BadJson, read_json
from tests.device.hall.brokers import HallProcess, Mosquitto, add_all, mosquitto, postgresql, show_of, soon
from tests.device.hall.test_outages import Playing
from tests.device.outputs.page.room import room

HONEST = "127.0.9.9"
"""Where the visitor comes from: no more than any stranger."""
LATE_S = 1.0
SEEN_EVERY_S = 0.3
APART = multiprocessing.get_context("spawn")
"""Whoever is measured runs in a process of their own: nobody waits for the attacker's."""


@dataclass
class Seen:
    """What an honest visitor met with."""

    worst_s: float = 0.0
    bare_s: float = 0.0
    """The worst of a server that does nothing else, in the same seconds."""
    visits: int = 0
    late: int = 0
    blank: int = 0
    largest: int = 0

    def __str__(self) -> str:
        if not self.visits:
            return "no page here"
        late = f", {self.late} late" if self.late else ""
        return f"{self.visits} visits, {self.worst_s:.2f} s at the most{late}; a bare server {self.bare_s:.2f} s"

    @property
    def fine(self) -> bool:
        """Whether the page was there, whole and in time."""
        return self.visits > 0 and not self.blank and self.worst_s < LATE_S


NO_PAGE = Seen()


@dataclass
class Row:
    """What came of one attack."""

    name: str
    sent: int
    seen: Seen
    said: str
    fine: bool

    def __str__(self) -> str:
        return f"| {self.name} | {self.sent:,} | {self.seen} | {self.said} | {'yes' if self.fine else 'NO'} |"


class BarePage(BaseHTTPRequestHandler):
    """As many bytes as a page has, and nothing to do for them."""

    def do_GET(self) -> None:
        page = b"<html>" + b"x" * 40_000
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


def _serve_bare_page(port: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), BarePage)
    port.send(server.server_port)
    server.serve_forever()


def page_of(port: int, source: str = HONEST) -> str:
    """A page, as somebody gets it who opens it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    try:
        line.request("GET", "/")
        return line.getresponse().read().decode()
    except http.client.HTTPException as error:
        raise OSError(str(error)) from None
    finally:
        line.close()


def _visit(port: int, bare: int, up: Flag, ending: Flag, told: Connection) -> None:
    """Opens the page again and again; how long it takes, and whether it holds what it should."""
    page_of(bare)  # Once before it counts: what is loaded then is loaded.
    told.send(True)
    seen = Seen()
    while not ending.is_set() or not seen.visits:
        if up.is_set():
            begun_s = time.monotonic()
            try:
                text = page_of(port)
            except OSError:
                seen.blank += up.is_set()  # It was up before and is up now, and did not answer.
                text = ""
            took_s = time.monotonic() - begun_s
            if text and up.is_set():
                seen.visits += 1
                seen.worst_s = max(seen.worst_s, took_s)
                seen.late += took_s >= LATE_S
                seen.largest = max(seen.largest, len(text))
                seen.blank += "<html" not in text
            begun_s = time.monotonic()
            page_of(bare)
            seen.bare_s = max(seen.bare_s, time.monotonic() - begun_s)
        if seen.blank > 1000:
            break
        ending.wait(SEEN_EVERY_S)
    told.send(seen)


class HonestVisitor:
    """Somebody who looks in all along, from a process of their own."""

    def __init__(self, port: int) -> None:
        self.up, self._ending = APART.Event(), APART.Event()
        self.up.set()
        self._told, told = APART.Pipe(duplex=False)
        bare_port, said = APART.Pipe(duplex=False)
        self._bare = APART.Process(target=_serve_bare_page, args=(said,), daemon=True)
        self._bare.start()
        bare = bare_port.recv()
        self._process = APART.Process(target=_visit, args=(port, bare, self.up, self._ending, told), daemon=True)
        self._process.start()
        self._told.recv()  # He stands at the door.

    @property
    def seen(self) -> Seen:
        """Goes home; what was seen."""
        if not self._ending.is_set():
            self._ending.set()
            self._seen: Seen = self._told.recv()
            self._process.join()
            self._bare.kill()
        return self._seen


@contextlib.contextmanager
def visited(port: int) -> Iterator[HonestVisitor]:
    """Somebody looks in all along."""
    visitor = HonestVisitor(port)
    try:
        yield visitor
    finally:
        _ = visitor.seen


class TableApart:
    """A table and its page, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._line, theirs = APART.Pipe()
        self._process = APART.Process(target=_keep_table, args=(folder, theirs), daemon=True)
        self._process.start()
        self.port: int = self._line.recv()

    def open_pairing(self) -> str:
        """Somebody presses a button at the table: the code that it shows."""
        self._line.send("pair")
        return str(self._line.recv())

    def plays(self) -> bool:
        """Whether it shows a game yet."""
        self._line.send("shown")
        return bool(self._line.recv())

    def close(self) -> None:
        """Ends it."""
        self._line.send("end")
        self._process.join(10)
        self._process.kill()


def _keep_table(folder: Path, line: Connection) -> None:
    with room(folder, Match("turufu", 4)) as table:
        line.send(table.page.site.port)
        while (word := line.recv()) != "end":
            if word == "pair":
                line.send(table.page.site.pairing.open())
            else:
                table.shown()
                line.send(table.table.show is not None)


# -- what is sent ------------------------------------------------------------------------------------------------------


def odd_value(rng: Random, depth: int = 0) -> Any:
    """Anything that JSON may hold, and some that it may not."""
    plain: Sequence[Callable[[], Any]] = (
        lambda: rng.choice([None, True, False, 0, -1, 1, 2**31, -(2**63), 10**30, 1.5, -1e308]),
        lambda: rng.choice([float("nan"), float("inf"), "", "x", "x" * 5000, "\ud800", "\x00", "é" * 9]),
        lambda: rng.choice(["../../etc/passwd", "<script>", "'; DROP TABLE x"]),
        lambda: rng.randrange(-10, 1000),
    )  # fmt: skip
    if depth > 3 or rng.random() < 0.6:
        return rng.choice(plain)()
    if rng.random() < 0.5:
        return [odd_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {rng.choice(NAMES): odd_value(rng, depth + 1) for _ in range(rng.randrange(6))}


NAMES = (
    "view", "scores", "seats", "prompt", "alert", "online", "title", "folder", "instance", "match", "order", "number",
    "hash", "line", "names", "begin", "id", "spake", "confirm", "do", "key", "answer", "changes", "counter", "mac",
    "what", "at", "table", "command", "why", "change", "text", "name", "role", "file", "game", "phase", "__proto__",
)  # fmt: skip


def odd_facts(rng: Random, readable: bool) -> dict[str, Any]:
    """Facts of something that is asked for. readable: they come through the decoder, and are odd for who is asked."""
    while True:
        facts = {name: odd_value(rng) for name in rng.sample(NAMES, 5)}
        with contextlib.suppress(BadJson):
            if readable:
                read_json(json.dumps(facts))
            return facts


def changed_a_little(good: bytes, rng: Random) -> bytes:
    """A message as it should be, a few letters changed, cut or doubled."""
    data = bytearray(good)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(4):
            case 0:
                data[at:at] = rng.randbytes(rng.randrange(1, 4))
            case 1:
                del data[at : at + rng.randrange(1, 9)]
            case 2:
                data[at : at + 1] = rng.choice([b"NaN", b"1e999", b'"\\ud800"', b"-", b"[[", b"}", b"\\u0000"])
            case 3:
                data += data[at : at + 40]
        if not data:
            return b""
    return bytes(data)


GOOD: dict[str, bytes] = {
    "status": Status(True, "T", "ab" * 8, "cd" * 16).pack(),
    "view": packed(told(show_of(Match("turufu", 4)))),
    "alert": packed({"event_type": "alert", "sentence": "x"}),
    "question": packed({"key": "k", "text": "?", "answers": ["a", "b"]}),
    "event": Logged("ab" * 16, 1, 0, "ef" * 32, '{"hisabu":1}', ("Ali",), "cd" * 16).pack(),
    "pair/table": packed({"id": "1", "spake": "42" + "00" * 32}),
    "pair/hall": packed({"begin": True, "id": "1"}),
    "have": Have("ab" * 16, 3, "ef" * 32, "cd" * 16).pack(),
    "command": packed({"do": "undo", "counter": 10**9, "mac": "ab" * 32}),
    BUTTON: b"undo",
}
KINDS: dict[str, Callable[[bytes, Random], bytes]] = {
    "changed": changed_a_little,
    "odd": lambda good, rng: json.dumps({name: odd_value(rng) for name in rng.sample(NAMES, 6)}).encode(),
    "odd fields": lambda good, rng: json.dumps(
        {**(json.loads(good) if good[:1] == b"{" else {}), rng.choice(NAMES): odd_value(rng)}
    ).encode(),
    "no number": lambda good, rng: good.replace(b":1", rng.choice([b":NaN", b":1e400", b":-Infinity"])) + b" ",
    "deep": lambda good, rng: b'{"view":' * rng.randrange(10, 3000) + b"1" + b"}" * rng.randrange(3000),
    "large": lambda good, rng: b'{"view":"' + b"x" * rng.randrange(10_000, 200_000) + b'"}',
    "noise": lambda good, rng: rng.randbytes(rng.randrange(200)),
}


# -- the attacks -------------------------------------------------------------------------------------------------------


class Honest:
    """A table that plays on, whatever happens; in this process, with all that a device has from its journal on."""

    def __init__(self, broker: Mosquitto, folder: Path, name: str) -> None:
        self.name, self.folder = name, folder
        self.output = Broker(broker.address, name, folder)
        self._rng = Random(name)
        self._record: MatchRecord | None = None
        self._events: list[Any] = []
        self.output.show(show_of(Match("turufu", 4)))

    def play(self, events: int = 1) -> None:
        for _ in range(events):
            if self._record is None or not self._events:
                if self._record is not None:
                    self._record.finish()
                self._record = MatchRecord.begin(self.folder, Match("turufu", 4))
                game = self._record.match.judge.game  # type: ignore[attr-defined]
                self._events = list(honest_match(game, self._rng, deals=1))
            add_all(self._record, [self._events.pop(0)])
            self.show()

    def show(self) -> None:
        if self._record is not None:
            with contextlib.suppress(OSError):
                self.output.show(show_of(self._record.match))

    def kept_in(self, store: Store) -> bool:
        """Whether the hall holds all that it played, and nothing else in its name."""
        self.show()
        return held_of(store, self.name) == texts_of(self.folder)

    def close(self) -> None:
        self.output.close()
        if self._record is not None:
            self._record.close()


def held_of(store: Store, table: str) -> list[str]:
    """The logs that a hall holds of a table."""
    return sorted(store.journal(table, match.id) for match in store.matches(table))


def texts_of(*folders: Path) -> list[str]:
    """The journals in a table's cards."""
    return sorted(match.path.read_text(encoding="utf-8") for folder in folders for match in kept(folder))


def is_so(what: Callable[[], bool], within_s: float = 60.0) -> bool:
    """Whether it comes about."""
    try:
        soon(what, within_s)
    except AssertionError:
        return False
    return True


def paired_with(worker: Worker, table: Honest) -> bool:
    """Pairs the hall with a table, as an arbiter does who stands there."""
    code = table.output.pairing.open()
    return worker.finish_pairing(table.name, worker.begin_pairing(table.name), code)


@contextlib.contextmanager
def evening(folder: Path, store_address: str = "") -> Iterator[tuple[Mosquitto, HallProcess, Honest, Link, Store]]:
    """A broker, a hall with its page, a table that was paired, and a stranger."""
    folder.mkdir(parents=True)
    with mosquitto(folder, ("allow_anonymous true", "max_queued_messages 20000")) as broker, ExitStack() as stack:
        address = store_address or str(folder / "hall.db")
        hall = HallProcess(broker.port, address, folder / "hall", page=True, unpaired=250)
        stack.callback(hall.kill)
        table = Honest(broker, folder / "honest", "honest")
        stack.callback(table.close)
        pairing = Worker(broker.address, Store(address))
        pairing.start()
        soon(lambda: "honest" in pairing.tables)
        assert paired_with(pairing, table)
        pairing.close()
        hall.start()
        stranger = Link(broker.address, "stranger", lambda *heard: True)
        stranger.open()
        stack.callback(stranger.close)
        soon(lambda: stranger.there)
        store = Store(address)
        stack.callback(store.close)
        yield broker, hall, table, stranger, store


def on_the_broker(size: float, folder: Path, store_address: str = "") -> Iterator[Row]:
    """Hostile messages of each kind on each topic, under a made-up name and under the honest table's."""
    rng, many = Random(1), max(3, round(1000 * size))
    with evening(folder, store_address) as (_, hall, table, stranger, store):
        for what in dict.fromkeys((*OF_THE_TABLE, *OF_THE_HALL, BUTTON)):
            with visited(hall.page or 0) as visitor:
                for make in KINDS.values():
                    for number in range(many):
                        name = "honest" if number % 2 else f"made-up-{rng.randrange(20)}"
                        stranger.send(topic(name, what), make(GOOD[what], rng), retain=number % 7 == 0)
                        if number % max(1, many // 5) == 0:
                            table.play()
                        while stranger.waiting > 200:
                            time.sleep(0.01)
                table.play()
                whole = is_so(partial(table.kept_in, store), 120.0)
            shown = table.output.pairing.code is None
            fine = whole and shown and hall.runs and visitor.seen.fine
            said = f"log {'equal' if whole else 'NOT equal'}, {visitor.seen.blank} blank"
            yield Row(f"{what}, {len(KINDS)} kinds", many * len(KINDS), visitor.seen, said, fine)


def made_up(size: float, folder: Path, store_address: str = "") -> Iterator[Row]:
    """Tables that are none, each with as much to show as a message holds."""
    many = max(20, round(2000 * size))
    state = {**told(show_of(Match("turufu", 4))), "sentences": ["x" * 900] * 50}
    with evening(folder, store_address) as (_, hall, table, stranger, store), visited(hall.page or 0) as visitor:
        for number in range(many):
            stranger.send(topic(f"m{number}", "status"), Status(True, "x" * 500).pack(), retain=True)
            stranger.send(topic(f"m{number}", "view"), packed(state), retain=True)
            if number % 50 == 0:
                table.play()
            while stranger.waiting > 200:
                time.sleep(0.01)
        table.play()
        whole = is_so(partial(table.kept_in, store))
        time.sleep(1.0)
        seen, on_it = visitor.seen, '"name":"honest"' in page_of(hall.page or 0).replace("&quot;", '"')
        said = f"page {seen.largest / 1e6:.2f} MB, honest table {'on it' if on_it else 'NOT on it'}"
        fine = whole and on_it and seen.fine and seen.largest < 2_000_000
        yield Row("made-up tables", many, seen, said, fine)


def sockets(size: float, folder: Path, store_address: str = "") -> Iterator[Row]:
    """WebSockets that stay open, from thirty addresses."""
    many = max(20, round(500 * size))
    with evening(folder, store_address) as (_, hall, _, _, _), contextlib.closing(TableApart(folder / "room")) as table:
        for name, port in (("hall", hall.page or 0), ("table", table.port)):
            with visited(port) as visitor:
                held = asyncio.run(_open(port, many, 3.0))
                alone = asyncio.run(_looks(port))
            said = f"{held} held at the end, an honest one {'follows' if alone else 'is KEPT OUT'}"
            yield Row(f"sockets at the {name}", many, visitor.seen, said, alone and visitor.seen.fine)


async def _open(port: int, many: int, stay_s: float) -> int:
    async with contextlib.AsyncExitStack() as stack:
        lines = []
        for number in range(many):
            connector = aiohttp.TCPConnector(local_addr=(f"127.0.2.{number % 30 + 1}", 0))
            session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
            with contextlib.suppress(aiohttp.ClientError, OSError):
                at = f"http://127.0.0.1:{port}"
                lines.append(await session.ws_connect(f"{at}/live", headers={"Origin": at}))
        assert await _looks(port), "while they are open"
        await asyncio.sleep(stay_s)
        return sum(not line.closed for line in lines)


async def _looks(port: int) -> bool:
    """Whether somebody honest follows the page."""
    at = f"http://127.0.0.1:{port}"
    connector = aiohttp.TCPConnector(local_addr=(HONEST, 0))
    async with aiohttp.ClientSession(connector=connector) as session:
        try:
            async with asyncio.timeout(3), session.ws_connect(f"{at}/live", headers={"Origin": at}) as line:
                return "hello" in await line.receive_json()
        except (aiohttp.ClientError, OSError, TypeError):
            return False


def pairings(size: float, folder: Path, store_address: str = "") -> Iterator[Row]:
    """Wrong codes beside one right one: at the table's page, at the hall's, and over the broker."""
    many = max(10, round(100 * size))
    with (
        evening(folder, store_address) as (_, hall, table, _, _),
        contextlib.closing(TableApart(folder / "room")) as home,
    ):
        said_by = hall._said
        cases: Sequence[tuple[str, int, Callable[[], str]]] = (
            ("table's page", home.port, home.open_pairing),
            ("hall's page", hall.page or 0, lambda: _said_code(hall.page or 0, said_by)),
        )
        for name, port, opened in cases:
            with visited(port) as visitor:
                in_, wrongly = asyncio.run(_guess(port, opened(), many))
            said = f"the right one {'gets in' if in_ else 'is KEPT OUT'}, of the wrong ones {wrongly}"
            yield Row(f"codes at the {name}", many, visitor.seen, said, in_ and not wrongly and visitor.seen.fine)
        yield _over_the_broker(table, many)


def _over_the_broker(table: Honest, many: int) -> Row:
    halls, wrongly = table.output._halls, 0
    code = table.output.pairing.open()
    begun = halls.heard({"begin": True, "id": "right"})
    assert begun is not None
    for number in range(many):
        wrong = f"{(int(code) + 1 + number) % 10**6:06}"
        other = halls.heard({"begin": True, "id": str(number)})
        assert other is not None
        _, answer = hall_answer(table.name, wrong, bytes.fromhex(other["spake"]))
        wrongly += "confirm" in (halls.heard({"id": str(number), **answer}) or {})
    _, answer = hall_answer(table.name, code, bytes.fromhex(begun["spake"]))
    in_ = "confirm" in (halls.heard({"id": "right", **answer}) or {})
    said = f"the right one {'gets in' if in_ else 'is KEPT OUT'}, of the wrong ones {wrongly}"
    return Row("codes over the broker", many, NO_PAGE, said, in_ and not wrongly)


def _said_code(port: int, said: Path) -> str:
    """The code that a hall prints once somebody asks to pair."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
    line.request("POST", "/pair/begin", "{}", headers)
    digits = json.loads(line.getresponse().read())["digits"]
    soon(lambda: any(word.isdecimal() and len(word) == digits for word in said.read_text().split()))
    return [word for word in said.read_text().split() if word.isdecimal() and len(word) == digits][-1]


async def _guess(port: int, code: str, many: int) -> tuple[bool, int]:
    at, wrongly = f"http://127.0.0.1:{port}", 0

    async def say(source: str, text: str) -> int:
        connector, told = aiohttp.TCPConnector(local_addr=(source, 0)), {"Origin": at}
        async with (
            aiohttp.ClientSession(connector=connector) as session,
            session.post(f"{at}/pair", json={"code": text}, headers=told) as answer,
        ):
            return answer.status

    for number in range(many):
        wrong = f"{(int(code) + 1 + number) % 10 ** len(code):0{len(code)}}"
        wrongly += await say(f"127.0.4.{number % 20 + 1}", wrong) == 200
    return await say(HONEST, code) == 200, wrongly


ASKS_OF_THE_HALL = (
    "league", "player", "file", "begin", "tournament", "me", "phones", "role", "rename", "log", "forget_player",
    "pair_begin", "pair_finish", "command", "nothing",
)  # fmt: skip
ASKS_OF_THE_TABLE = (
    "answer", "correct", "score", "undo", "redo", "house", "change", "act", "doctor", "recordings", "delete_recording",
    "invite", "power", "matches", "rules", "moment", "forget", "clips", "delete_clip", "enrol", "wifi", "wifi_join",
    "update", "nothing",
)  # fmt: skip

ASKS_OF_THE_ARCHIVE = ("list", "open", "moment", "remembered", "pictures", "lines", "text", "delete", "statistics")


def asks(size: float, folder: Path, store_address: str = "") -> Iterator[Row]:
    """Hostile messages of each kind for each thing that can be asked for, by a guest and by a phone that was paired."""
    many = max(3, round(1000 * size))
    with evening(folder, store_address) as (_, hall, _, _, _), contextlib.closing(TableApart(folder / "room")) as home:
        cases: Sequence[tuple[str, int, Callable[[], str], Sequence[str]]] = (
            ("hall", hall.page or 0, lambda: _said_code(hall.page or 0, hall._said), ASKS_OF_THE_HALL),
            ("table", home.port, home.open_pairing, ASKS_OF_THE_TABLE),
        )
        for name, port, opened, all_ in cases:
            for paired in (False, True):
                with visited(port) as visitor:
                    sent, answered = asyncio.run(_ask(port, opened() if paired else "", all_, many))
                said = f"{answered:,} answered, {visitor.seen.blank} blank"
                who = f"{len(all_)} asks of the {name}, {'paired' if paired else 'a guest'}, {len(ASK_KINDS)} kinds"
                yield Row(who, sent, visitor.seen, said, visitor.seen.fine)
        assert home.plays()


async def _ask(port: int, code: str, all_: Sequence[str], many: int) -> tuple[int, int]:
    rng, at, answered, sent = Random(port), f"http://127.0.0.1:{port}", 0, 0
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        if code:
            async with session.post(f"{at}/pair", json={"code": code}, headers={"Origin": at}) as answer:
                assert answer.status == 200
        for what in all_:
            line = None
            for number in range(many * len(ASK_KINDS)):
                if line is None or line.closed:
                    line = await session.ws_connect(f"{at}/live", headers={"Origin": at}, max_msg_size=0)
                sent += 1
                kind = (*ASK_KINDS,)[number % len(ASK_KINDS)]
                with contextlib.suppress(ConnectionResetError):  # It was hung up on meanwhile.
                    message = ASK_KINDS[kind](what, number, rng)
                    await (line.send_str(message) if isinstance(message, str) else line.send_bytes(message))
                    if kind != "readable facts":  # It may be no ask at all: what is asked after it is answered.
                        await line.send_str(json.dumps({"id": number, "ask": "nothing"}))
                answered += await _answered(line, number)
    return sent, answered


def _facts(what: str, rng: Random, readable: bool) -> dict[str, Any]:
    facts = odd_facts(rng, readable)
    if what == "matches":
        facts["what"] = rng.choice(ASKS_OF_THE_ARCHIVE)
    if what == "change":
        facts = {rng.choice(["game", "players", "seats", "broker", "table", "options"]): odd_value(rng)}
    if what in ("pair_begin", "pair_finish"):
        facts["table"] = odd_value(rng)  # One that is there would be waited for.
    return facts


def _spoilt(kind: str) -> Callable[[str, int, Random], str]:
    """A message to a page, spoilt as a message to a broker is."""

    def make(what: str, number: int, rng: Random) -> str:
        good = json.dumps({"id": 1, "ask": what, "facts": {"number": 1}}, separators=(",", ":")).encode()
        return KINDS[kind](good, rng).decode(errors="replace")

    return make


ASK_KINDS: dict[str, Callable[[str, int, Random], str | bytes]] = {
    "readable facts": lambda what, number, rng: json.dumps(
        {"id": number, "ask": what, "facts": _facts(what, rng, readable=True)}
    ),
    "facts": lambda what, number, rng: json.dumps({"id": -1, "ask": what, "facts": _facts(what, rng, readable=False)}),
    **{kind: _spoilt(kind) for kind in ("changed", "odd fields", "no number", "deep", "large")},
    "noise": lambda what, number, rng: KINDS["noise"](b"", rng),
}


async def _answered(line: aiohttp.ClientWebSocketResponse, number: int) -> bool:
    async with asyncio.timeout(40):
        while True:
            message = await line.receive()
            if message.type is not aiohttp.WSMsgType.TEXT:
                await line.close()
                return False
            if json.loads(message.data).get("done") == number:
                return True


def kills(size: float, folder: Path, store_address: str = "") -> Iterator[Row]:
    """Twenty tables play while broker and hall are killed again and again, and two cards are taken out for new ones."""
    many = max(3, round(70 * size))
    tables = max(3, min(20, round(20 * size)))
    rng = Random(5)
    folder.mkdir(parents=True)
    with mosquitto(folder, ("allow_anonymous true", "max_queued_messages 20000")) as broker, ExitStack() as stack:
        address = store_address or str(folder / "hall.db")
        hall = HallProcess(broker.port, address, folder / "hall", page=True)
        stack.callback(hall.kill)
        hall.start()
        playing = {
            f"t{number}": [Playing(f"t{number}", folder / "first", broker.address, 0.5)] for number in range(tables)
        }
        for (evening,) in playing.values():
            evening.start()
        with visited(hall.page or 0) as visitor:
            for number in range(many):
                time.sleep(rng.uniform(0.5, 2.0))
                if number in (many // 3, 2 * many // 3):
                    name = f"t{number % tables}"
                    playing[name][-1].end()
                    playing[name][-1].close()
                    playing[name].append(Playing(name, folder / "second", broker.address, 0.5))
                    playing[name][-1].start()
                if rng.random() < 2 / 7:
                    visitor.up.clear()
                    hall.restart(rng.uniform(0.0, 0.6))
                    visitor.up.set()
                else:
                    broker.restart(rng.uniform(0.0, 0.6))
            for cards in playing.values():
                cards[-1].end()
            store = Store(address)
            stack.callback(store.close)
            whole = sum(is_so(partial(_has_newest, store, name, cards), 180.0) for name, cards in playing.items())
            for name, cards in playing.items():
                cards[-1].close()
                for card in cards[:-1]:  # What it had not sent yet when it was taken out comes once it is back.
                    back = Broker(broker.address, name, card.folder)
                    stack.callback(back.close)
                    show = show_of(Match("turufu", 4))
                    back.show(replace(show, extra={**show.extra, "events": 10**6}))
            equal = sum(is_so(partial(_has_all, store, name, cards), 180.0) for name, cards in playing.items())
        events = sum(card.events for cards in playing.values() for card in cards)
        swapped = sum(len(cards) - 1 for cards in playing.values())
        said = f"{tables} tables, {events:,} events, {swapped} cards swapped and put back, logs equal at {equal}, "
        said += f"{visitor.seen.blank} blank"
        fine = whole == equal == tables and hall.runs and visitor.seen.fine
        yield Row("kills of broker and hall", many, visitor.seen, said, fine)


def _has_newest(store: Store, name: str, cards: Sequence[Playing]) -> bool:
    cards[-1].show()
    return set(texts_of(cards[-1].folder)) <= set(held_of(store, name))


def _has_all(store: Store, name: str, cards: Sequence[Playing]) -> bool:
    return held_of(store, name) == texts_of(*(card.folder for card in cards))


ATTACKS: dict[str, Callable[[float, Path, str], Iterator[Row]]] = {
    "broker": on_the_broker,
    "made_up": made_up,
    "sockets": sockets,
    "pairings": pairings,
    "asks": asks,
    "kills": kills,
}


def main(words: Sequence[str] | None = None) -> int:
    """Prints a line for each attack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=float, default=1.0, help="1: as many as are meant")
    parser.add_argument("--only", nargs="+", choices=[*ATTACKS], default=[*ATTACKS])
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL in the place of SQLite")
    args = parser.parse_args(words)
    print("| attack | sent | the honest visitor | what came of it | held |\n|---|---|---|---|---|", flush=True)
    held = True
    for name in args.only:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            address = stack.enter_context(postgresql())[0] if args.postgres else ""
            for row in ATTACKS[name](args.size, Path(folder) / name, address):
                print(row, flush=True)
                held &= row.fine
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
