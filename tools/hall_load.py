"""What one broker and one hall bear: tables that play journals at true pace, each with its own connection and will.

    python -m tools.hall_load --tables 10 100 1000 --minutes 10 [--postgres]

For each number of tables it starts a Mosquitto and a `hisabu hall` of their own, lets the tables play, watches the
hall's page over its WebSocket, and prints one row. It ends with 1 if anything was lost.
"""

import argparse
import asyncio
import contextlib
import json
import os
import resource
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType
from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from device.hall.store import Store
from device.keeping.journal import CLOSED, OPEN, kept
from device.outputs.broker.link import AT_ONCE, KEEPALIVE_S
from device.outputs.broker.messages import Have, packed, topic
from device.outputs.broker.outbox import Outbox
from device.outputs.broker.output import RESEND_S, told
from engine.journal import event_line, header_line
from engine.match import Header, Match
from engine.simulate import honest_match
from tests.device.hall.brokers import HallProcess, Mosquitto, postgresql, show_of

PACE_S = 3.0
"""Between two events of a table: a card in three seconds is a brisk game."""
SCRIPTS = 8
"""Different evenings that tables play; each table's log is still its own, as its header is."""
CONNECTS_A_S = 100
LATE_S = 60.0
"""How long what is on its way may take at the end."""
OPEN_FILES = 20_000
CONFIG = ("allow_anonymous true", "max_queued_messages 20000", "max_connections -1")
"""Of the broker; docs/scale.md tells why."""
HEADS = ("tables", "events", "a second", "p50 s", "p99 s", "worst s", "lost", "never shown", "sent again",
         "broker MB", "broker %", "hall MB", "hall %", "tables' process %", "PostgreSQL %", "load before")  # fmt: skip


@dataclass(frozen=True)
class LoadStep:
    """One event of an evening. begins: the match that it is the first of."""

    number: int
    line: str
    state: Mapping[str, Any]
    begins: Header | None


def evening(seed: int, events: int) -> list[LoadStep]:
    """What happens at a table, one match after the other."""
    rng, steps = Random(seed), list[LoadStep]()
    while len(steps) < events:
        match = Match("turufu", 4)
        header: Header | None = match.header
        for event in honest_match(match.judge.game, rng, deals=30):  # type: ignore[attr-defined]
            if match.view.winner is not None or len(steps) == events:
                break
            match.add(event)
            steps.append(LoadStep(len(match.log), event_line(len(match.log), event), told(show_of(match)), header))
            header = None
    return steps


class LoadTable:
    """One table: its journal on disk, and a connection of its own that the loop serves."""

    def __init__(self, name: str, folder: Path, steps: Sequence[LoadStep], port: int) -> None:
        self.name, self.folder, self.steps, self._port = name, folder, steps, port
        folder.mkdir(parents=True)
        self._outbox = Outbox(folder)
        self._order = self._settled = 0
        self._path: Path | None = None
        self.played = 0
        self.due_s: list[float] = []
        """When each event came in."""
        self.have: Have | None = None
        self._sent = (0, -1)
        self._moved_s = 0.0
        self._waits = False
        self.again = self.dropped = 0
        self._loop = asyncio.get_running_loop()
        client = Client(CallbackAPIVersion.VERSION2, f"hisabu-{name}", True, protocol=MQTTv311)
        client.will_set(topic(name, "status"), packed({"online": False}), qos=1, retain=True)
        client.max_inflight_messages_set(AT_ONCE)
        client.on_connect, client.on_message, client.on_disconnect = self._on_connect, self._on_message, self._on_gone
        client.on_socket_open, client.on_socket_close = self._on_open, self._on_close
        client.on_socket_register_write = self._on_full
        client.on_socket_unregister_write = self._on_emptied
        self._client = client
        self._leaving = False

    def connect(self) -> None:
        self._client.connect("127.0.0.1", self._port, KEEPALIVE_S)

    def play(self, due_s: float) -> None:
        """The next event happens: it is in the journal first, then it is sent."""
        step = self.steps[self.played]
        text = ""
        if step.begins is not None:
            if self._path is not None:
                self._path.rename(self._path.with_name(self._path.name.replace(OPEN, CLOSED)))
            self._order += 1
            self._path = self.folder / f"match-{self._order:04}-2026-01-01-turufu{OPEN}"
            text = header_line(step.begins, secrets.token_hex(16)) + "\n"
        assert self._path is not None
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{text}{step.line}\n")
        self._settled = step.number
        self.played += 1
        self.due_s.append(due_s)
        self._send_view()
        self._send_lines()

    def _send_view(self) -> None:
        """The number of the event stands in the name of a seat, so that the wall tells which one it shows."""
        state = self.steps[max(0, self.played - 1)].state
        self._publish("view", {**state, "seats": [str(self.played)]}, retain=True)

    def _publish(self, what: str, message: Mapping[str, Any], retain: bool = False) -> None:
        if self._client.is_connected():
            self._client.publish(topic(self.name, what), packed(message), qos=1, retain=retain)

    def _send_lines(self) -> None:
        if self.have is None or not self._client.is_connected():
            return
        order, self._waits = None, False
        for line in self._outbox.after(self.have, self._settled):
            self._waits = True
            if order is not None and line.order != order:
                break  # As at a table: the next match is sent once the hall holds all of this one.
            order = line.order
            if (line.order, line.number) > self._sent:
                self._client.publish(topic(self.name, "event"), line.pack(), qos=1)
                self._sent = (line.order, line.number)

    def tick(self, now_s: float) -> None:
        """Once a second: keeps the connection, and sends again what did not arrive."""
        if not self._client.host:
            return  # It is not its turn to connect yet.
        if self._client.socket() is None:
            with contextlib.suppress(OSError):
                self._client.reconnect()
            return
        self._client.loop_misc()
        if not self._waits:
            self._moved_s = now_s
        elif now_s - self._moved_s > RESEND_S:
            self.again += 1
            self._sent, self._moved_s = (0, -1), now_s
            self._send_lines()

    @property
    def kept(self) -> bool:
        """Whether the hall says that it holds all that was played."""
        return self.have is not None and not self._waits

    def journals(self) -> list[str]:
        return [match.path.read_text(encoding="utf-8") for match in kept(self.folder)]

    def close(self) -> None:
        self._leaving = True
        self._client.disconnect()

    # -- what paho calls ---------------------------------------------------------------------------------------------

    def _on_open(self, client: Client, _: object, sock: Any) -> None:
        self._loop.add_reader(sock, client.loop_read)

    def _on_full(self, client: Client, _: object, sock: Any) -> None:
        self._loop.add_writer(sock, client.loop_write)

    def _on_emptied(self, _: Client, __: object, sock: Any) -> None:
        self._loop.remove_writer(sock)

    def _on_close(self, _: Client, __: object, sock: Any) -> None:
        self._loop.remove_reader(sock)
        self._loop.remove_writer(sock)

    def _on_connect(self, client: Client, *_: object) -> None:
        self.have, self._sent = None, (0, -1)
        for what in ("have", "command", "pair/hall"):
            client.subscribe(topic(self.name, what), qos=1)
        self._publish("status", {"online": True, "title": self.name}, retain=True)
        self._send_view()
        self._publish("question", {}, retain=True)

    def _on_gone(self, *_: object) -> None:
        self.dropped += not self._leaving

    def _on_message(self, _: Client, __: object, message: Any) -> None:
        if message.topic == topic(self.name, "have"):
            have = Have.unpack(message.payload)
            if have != self.have:
                self.have, self._moved_s = have, time.monotonic()
            self._send_lines()


@dataclass
class Wall:
    """The hall's page, as one who looks at it gets it."""

    tables: Mapping[str, LoadTable]
    shown: dict[str, int] = field(default_factory=dict)
    """The newest event of each table that stood on the wall."""
    took_s: list[float] = field(default_factory=list)
    """Of each event, from when it happened until the wall showed it or a later one."""

    async def watch(self, socket: ClientWebSocketResponse) -> None:
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                self._heard(json.loads(message.data), time.monotonic())

    def _heard(self, message: Mapping[str, Any], now_s: float) -> None:
        news = message.get("state") or message.get("change") or {}
        for name, row in (news.get("tables") or {}).items():
            if row and row["seats"] and name in self.tables:
                number, before = int(row["seats"][0]), self.shown.get(name, 0)
                self.took_s += [now_s - due_s for due_s in self.tables[name].due_s[before:number]]
                self.shown[name] = max(number, before)


@dataclass(frozen=True)
class Used:
    """What a process took of the machine so far."""

    processor_s: float
    peak_mb: float

    @classmethod
    def by(cls, pid: int) -> "Used":
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = sum(int(field) for field in fields[11:15])  # Its own, and of children that ended.
        peak = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
        return cls(ticks / os.sysconf("SC_CLK_TCK"), int(peak.split()[1]) / 1000)

    @classmethod
    def by_all(cls, pid: int) -> "Used":
        """With its children."""
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        with contextlib.suppress(OSError):
            return cls(cls.by(pid).processor_s + sum(cls.by(int(child)).processor_s for child in children), 0.0)
        return cls.by(pid)


@dataclass(frozen=True)
class Figures:
    """What came out for one number of tables."""

    tables: int
    events: int
    a_second: float
    p50_s: float
    p99_s: float
    worst_s: float
    lost: int
    """Lines of which the hall's log is not the table's."""
    never_shown: int
    sent_again: int
    dropped: int
    """Connections that the broker ended."""
    broker_mb: float
    broker_percent: float
    hall_mb: float
    hall_percent: float
    own_percent: float
    """The process that plays all tables and looks at the wall: none of this is there in a real hall."""
    postgres_percent: float | None
    load: float

    def row(self) -> str:
        """As a line of a table in Markdown."""
        cells = [
            str(self.tables), str(self.events), f"{self.a_second:.1f}", f"{self.p50_s:.2f}", f"{self.p99_s:.2f}",
            f"{self.worst_s:.2f}", str(self.lost), str(self.never_shown), str(self.sent_again),
            f"{self.broker_mb:.0f}", f"{self.broker_percent:.1f}", f"{self.hall_mb:.0f}", f"{self.hall_percent:.1f}",
            f"{self.own_percent:.1f}", "–" if self.postgres_percent is None else f"{self.postgres_percent:.1f}",
            f"{self.load:.1f}",
        ]  # fmt: skip
        return f"| {' | '.join(cells)} |"


async def played(
    tables: int, seconds: float, pace_s: float, folder: Path, hall: HallProcess, pids: Mapping[str, int], port: int
) -> tuple[list[LoadTable], Wall, Mapping[str, tuple[Used, Used]], float]:
    """Lets tables play for so long. Their journals, what the wall showed, what processes took, how long it was."""
    many = max(1, round(seconds / pace_s))
    scripts = [evening(seed, many) for seed in range(min(SCRIPTS, tables))]
    all_ = [LoadTable(f"t{n}", folder / f"t{n}", scripts[n % len(scripts)], port) for n in range(tables)]
    wall = Wall({line.name: line for line in all_})
    async with (
        ClientSession() as session,
        session.ws_connect(
            f"http://127.0.0.1:{hall.page}/live", max_msg_size=0, origin=f"http://127.0.0.1:{hall.page}"
        ) as live,
    ):
        tasks = [asyncio.create_task(wall.watch(live)), asyncio.create_task(_ticking(all_))]
        await connected(all_)
        before = {name: _used(name, pid) for name, pid in pids.items()}
        begun_s = await played_in_turn(all_, many, pace_s)
        lasted_s = time.monotonic() - begun_s
        used = {name: (before[name], _used(name, pid)) for name, pid in pids.items()}
        with contextlib.suppress(TimeoutError):  # What did not arrive is told as a figure.
            await _until(lambda: all(line.kept and wall.shown.get(line.name) == many for line in all_), "")
        await ended(tasks)
        for line in all_:
            line.close()
    return all_, wall, used, lasted_s


def _used(name: str, pid: int) -> Used:
    return Used.by_all(pid) if name == "postgres" else Used.by(pid)


async def ended(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Ends what ran beside the tables; whatever ended by itself failed, and its figures with it."""
    failed = [task for task in tasks if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in failed:
        task.result()


async def connected(tables: Sequence[LoadTable], a_second: float = CONNECTS_A_S, within_s: float = LATE_S) -> None:
    """Connects them one after the other, until the hall has heard of each."""
    for table in tables:
        table.connect()
        await asyncio.sleep(1 / a_second)
    why = "the hall did not hear of every table"
    await _until(lambda: all(table.have is not None for table in tables), why, within_s)


async def played_in_turn(tables: Sequence[LoadTable], many: int, pace_s: float) -> float:
    """Each table plays so many events, all of them evenly in time. When the first was due."""
    begun_s = time.monotonic() + pace_s / 2
    for step in range(many):
        for at, table in enumerate(tables):
            due_s = begun_s + pace_s * (step + at / len(tables))
            await asyncio.sleep(max(0.0, due_s - time.monotonic()))
            table.play(due_s)
    return begun_s


async def _ticking(tables: Sequence[LoadTable]) -> None:
    while True:
        for table in tables:
            table.tick(time.monotonic())
        await asyncio.sleep(1.0)


async def _until(what: Any, why: str, within_s: float = LATE_S) -> None:
    until_s = time.monotonic() + within_s
    while not what():
        if time.monotonic() > until_s:
            raise TimeoutError(why)
        await asyncio.sleep(0.1)


def lost_lines(store: Store, table: LoadTable) -> int:
    """Lines of a table's journals that the hall has not, or otherwise, or beyond them."""
    held = [
        store.journal(table.name, match.id)
        for match in sorted(store.matches(table.name), key=lambda match: match.order)
    ]
    ours = [line for text in table.journals() for line in text.splitlines()]
    theirs = [line for text in held for line in text.splitlines()]
    same = next((n for n, (our, other) in enumerate(zip(ours, theirs, strict=False)) if our != other), len(ours))
    return max(len(ours), len(theirs)) - min(same, len(theirs))


def measure(tables: int, seconds: float, pace_s: float = PACE_S, postgres: bool = False) -> Figures:
    """One broker, one hall, so many tables."""
    load = os.getloadavg()[0]
    folder = Path(tempfile.mkdtemp(prefix="hisabu-load-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        broker = Mosquitto(folder, CONFIG)
        stack.callback(broker.kill)
        broker.start()
        address = str(folder / "hall.db")
        pids = {"own": os.getpid(), "broker": broker.pid}
        if postgres:
            address, pids["postgres"] = stack.enter_context(postgresql())
        hall = HallProcess(broker.port, address, folder / "hall", page=True)
        stack.callback(hall.kill)
        pids["hall"] = hall.start().pid
        all_, wall, used, lasted_s = asyncio.run(
            played(tables, seconds, pace_s, folder / "tables", hall, pids, broker.port)
        )
        hall.kill()
        store = Store(address)
        lost = sum(lost_lines(store, line) for line in all_)
        store.close()
    took = sorted(wall.took_s)
    events = sum(line.played for line in all_)
    percent = {name: 100 * (end.processor_s - start.processor_s) / lasted_s for name, (start, end) in used.items()}
    return Figures(
        tables, events, events / lasted_s, _part(took, 0.5), _part(took, 0.99), _part(took, 1.0), lost,
        events - len(took), sum(line.again for line in all_), sum(line.dropped for line in all_),
        used["broker"][1].peak_mb, percent["broker"], used["hall"][1].peak_mb, percent["hall"], percent["own"],
        percent.get("postgres"), load,
    )  # fmt: skip


def _part(sorted_: Sequence[float], part: float) -> float:
    """A quantile; not a number where there is nothing."""
    return sorted_[min(len(sorted_) - 1, int(part * len(sorted_)))] if sorted_ else float("nan")


def main(words: Sequence[str] | None = None) -> int:
    """Prints a row for each number of tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 1000], metavar="N")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pace", type=float, default=PACE_S, metavar="S", help="seconds between a table's events")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL in the place of SQLite")
    args = parser.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # So that what was started is stopped.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}", flush=True)
    fine = True
    for tables in args.tables:
        figures = measure(tables, args.minutes * 60, args.pace, args.postgres)
        print(figures.row(), flush=True)
        if figures.dropped:
            print(f"connections that broke: {figures.dropped}", file=sys.stderr)
        fine &= not figures.lost and not figures.never_shown
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
