"""Tables and several halls on a cluster of brokers, with PostgreSQL and a standby, while one after another dies.

    apt install rabbitmq-server haproxy postgresql
    python -m tools.hall_cluster --tables 100 --halls 3 --minutes 6

Three RabbitMQ nodes with the MQTT plugin form a cluster; HAProxy stands before them, as a load balancer would; the
halls share one PostgreSQL that a standby follows. Each node is killed once and comes back, the first PostgreSQL is
killed for good and the standby takes over, and each hall but the one with the page is killed once. It ends with 1 if a
line was lost, or if at the end the page shows another state than the tables'.
"""

import argparse
import asyncio
import contextlib
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession
from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from device.hall.store import Store
from device.outputs.broker.link import BACK_AFTER_S, SHORT_S
from device.outputs.broker.output import REMIND_S
from tests.device.hall.brokers import HallProcess, free_port, soon
from tools.hall_load import (
    OPEN_FILES,
    PACE_S,
    LoadTable,
    Wall,
    _part,
    _until,
    connected,
    ended,
    evening,
    lost_lines,
    played_in_turn,
)

RABBIT = Path("/usr/lib/rabbitmq/bin")
NODES = 3
DEAD_S = 20.0
"""How long a killed node stays away."""
UP_S = 300.0
CONNECTS_A_S = 20
"""Of tables: a node makes a queue for each and agrees with the others on its name."""
ASKS = (
    "    option tcp-check",
    "    tcp-check send-binary 100c00044d515454040200140000",
    "    tcp-check expect binary 20020000",
)  # fmt: skip
"""The balancer asks each node as a client without a name: one that came back takes connections before it lets in who
makes them."""


class ClusterTable(LoadTable):
    """A table as the device is: says again now and then what a broker keeps of it, comes back under another name where
    it is thrown out at once, and waits longer each time that it is not let in."""

    _reminded_s = 0.0
    _since_s: float | None = None
    _names = 0
    _waits_s = _again_s = 0.0

    def _on_connect(self, client: Client, *more: Any) -> None:
        _, _, reason, *_ = more
        if reason.is_failure:
            return
        self._since_s = time.monotonic()
        self._waits_s = 0.0
        super()._on_connect(client, *more)

    def _on_gone(self, *more: object) -> None:
        super()._on_gone(*more)
        if self._since_s is None or time.monotonic() - self._since_s < SHORT_S:
            self._names += 1
            self._client._client_id = f"hisabu-{self.name}-{self._names}".encode()
        self._since_s = None
        self._waits_s = min(BACK_AFTER_S[1], 2 * self._waits_s or BACK_AFTER_S[0])
        self._again_s = time.monotonic() + self._waits_s

    @property
    def state(self) -> str:
        """For whoever looks for what went wrong."""
        about, socket = self._client._state.name, "a socket" if self._client.socket() else "no socket"
        line = f"{about}, {socket}, {self._names} names"
        return f"have {self.have}, sent {self._sent}, played {self.played}, {line}"

    def tick(self, now_s: float) -> None:
        if self._client.socket() is None and now_s < self._again_s:
            return
        super().tick(now_s)
        if now_s - self._reminded_s >= REMIND_S and self._client.is_connected():
            self._reminded_s = now_s
            self._publish("status", {"online": True, "title": self.name}, retain=True)
            if self.played:
                self._send_view()


class BrokerNode:
    """One RabbitMQ."""

    def __init__(self, number: int, folder: Path, epmd: int) -> None:
        self.name, self.mqtt = f"hisabu{number}@localhost", free_port()
        self._folder = folder / f"node{number}"
        self._folder.mkdir()
        (self._folder / "plugins").write_text("[rabbitmq_mqtt].\n")
        configuration = [f"listeners.tcp.1 = 127.0.0.1:{free_port()}", f"mqtt.listeners.tcp.1 = 127.0.0.1:{self.mqtt}"]
        configuration += ["mqtt.allow_anonymous = true", "cluster_partition_handling = pause_minority"]
        (self._folder / "rabbitmq.conf").write_text("\n".join(configuration) + "\n")
        self._environment = {
            **os.environ, "HOME": str(folder), "ERL_EPMD_PORT": str(epmd), "RABBITMQ_NODENAME": self.name,
            "RABBITMQ_CONFIG_FILE": str(self._folder / "rabbitmq.conf"), "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(self._folder / "data"), "RABBITMQ_LOG_BASE": str(self._folder / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self._folder / "plugins"),
        }  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begins to run; it is there some seconds later."""
        out = (self._folder / "out").open("ab")
        self._process = subprocess.Popen(
            [RABBIT / "rabbitmq-server"], env=self._environment, stdout=out, stderr=out, start_new_session=True
        )

    def control(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What an administrator says to it."""
        command = [str(RABBIT / "rabbitmqctl"), "--quiet", *words]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)

    def wait(self) -> None:
        """Until it takes clients."""
        until_s = time.monotonic() + UP_S
        while self.control("await_startup", "--timeout", "20").returncode:
            assert time.monotonic() < until_s, (self._folder / "out").read_text()[-2000:]

    def join(self, other: "BrokerNode") -> None:
        """Becomes one of the other's cluster."""
        for words in (("stop_app",), ("join_cluster", other.name), ("start_app",)):
            done = self.control(*words)
            assert done.returncode == 0, done.stderr

    def kill(self) -> None:
        """As a power cut; harmless twice."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    @property
    def connections(self) -> int:
        """MQTT clients that it serves, as the kernel counts them."""
        here = f":{self.mqtt:04X}"
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        fields = (line.split() for line in lines)
        return sum(local.endswith(here) and state == "01" for _, local, _, state, *_ in fields)


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[tuple[Sequence[BrokerNode], int]]:
    """Three nodes, and the port of the balancer before them."""
    (folder / ".erlang.cookie").write_text("hisabu")
    (folder / ".erlang.cookie").chmod(0o400)
    epmd = free_port()
    nodes = [BrokerNode(number, folder, epmd) for number in range(1, NODES + 1)]
    with contextlib.ExitStack() as stack:
        stack.callback(
            subprocess.run, ["epmd", "-port", str(epmd), "-kill"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for node in nodes:
            stack.callback(node.kill)
            node.start()
        for node in nodes:
            node.wait()
        for node in nodes[1:]:
            node.join(nodes[0])
        port = free_port()
        servers = [f"    server n{at} 127.0.0.1:{node.mqtt} check inter 3s fall 3" for at, node in enumerate(nodes)]
        text = [
            "global", "    maxconn 4000", "defaults", "    mode tcp", "    timeout connect 3s",
            "    timeout client 1h", "    timeout server 1h", "    timeout check 10s", "listen mqtt",
            f"    bind 127.0.0.1:{port}",
            "    balance leastconn", "    option redispatch", *ASKS, *servers,
        ]  # fmt: skip
        (folder / "haproxy.cfg").write_text("\n".join(text) + "\n")
        proxy = subprocess.Popen(["haproxy", "-f", str(folder / "haproxy.cfg")], stderr=subprocess.DEVNULL)
        stack.callback(proxy.wait)
        stack.callback(proxy.kill)
        soon(lambda: _answers(port), UP_S)
        yield nodes, port


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
        return True
    return False


class Databases:
    """A PostgreSQL and the standby that follows it, in step: what one says is kept, the other has too."""

    def __init__(self, folder: Path) -> None:
        self._programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))[-1].parent
        self._folder, self._ports = folder, (free_port(), free_port())
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")

    @property
    def address(self) -> str:
        """Both: the one that may be written is taken."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self._ports)
        return f"postgresql://hisabu@{hosts}/postgres?target_session_attrs=read-write&connect_timeout=3"

    def _run(self, *words: object) -> None:
        before = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run([*before, *map(str, words)], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def _start(self, name: str, port: int, *more: str) -> None:
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder} {' '.join(more)}"
        data = self._folder / name
        self._run(
            self._programs / "pg_ctl", "-D", data, "-w", "-l", self._folder / f"{name}.log", "-o", options, "start"
        )

    def start(self) -> None:
        """Both run, and a line is kept once both have it."""
        first, second = self._ports
        locale = ("--no-sync", "--no-locale", "-E", "UTF8")
        self._run(self._programs / "initdb", "-D", self._folder / "first", "-A", "trust", "-U", "hisabu", *locale)
        self._start("first", first)
        copied = ("-h", "127.0.0.1", "-p", first, "-U", "hisabu", "-R", "--no-sync")
        self._run(self._programs / "pg_basebackup", "-D", self._folder / "second", *copied)
        self._start("second", second)
        ask = (self._programs / "psql", "-h", "127.0.0.1", "-p", first, "-U", "hisabu", "postgres", "-qc")
        self._run(*ask, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self._run(*ask, "SELECT pg_reload_conf()")

    def kill_the_first(self) -> None:
        """As a power cut; the standby takes over, by an administrator or a program of his."""
        pid = int((self._folder / "first" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        second = self._folder / "second"
        ask = (self._programs / "psql", "-h", "127.0.0.1", "-p", self._ports[1], "-U", "hisabu", "postgres", "-qc")
        self._run(self._programs / "pg_ctl", "-D", second, "-w", "promote")
        self._run(*ask, "ALTER SYSTEM SET synchronous_standby_names = ''")
        self._run(*ask, "SELECT pg_reload_conf()")

    def close(self) -> None:
        """Ends both."""
        for name in ("first", "second"):
            with contextlib.suppress(subprocess.CalledProcessError):
                self._run(self._programs / "pg_ctl", "-D", self._folder / name, "-m", "immediate", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)


# -- what a broker can do ----------------------------------------------------------------------------------------------


class Probe:
    """A client that notes what it hears."""

    def __init__(self, port: int, name: str, *topics: str) -> None:
        self.heard: dict[str, list[bytes]] = {}
        self._client = Client(CallbackAPIVersion.VERSION2, f"probe-{name}", True, protocol=MQTTv311)
        self._client.on_message = self._on_message
        self._client.connect("127.0.0.1", port, 20)
        self._client.loop_start()
        for topic in topics:
            self._client.subscribe(topic, qos=1)
        time.sleep(1.5)

    def _on_message(self, _: Client, __: object, message: Any) -> None:
        self.heard.setdefault(message.topic, []).append(bytes(message.payload))

    def send(self, name: str, payload: bytes, retain: bool = False) -> None:
        self._client.publish(name, payload, qos=1, retain=retain).wait_for_publish(10.0)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def abilities(nodes: Sequence[BrokerNode]) -> dict[str, str]:
    """What the halls want of a broker, tried on the cluster: each with what came of it."""
    found = {}
    one = Probe(nodes[0].mqtt, "share-1", "$share/g/probe/event", "probe/plain")
    two = Probe(nodes[1].mqtt, "share-2", "$share/g/probe/event", "probe/plain")
    sender = Probe(nodes[2].mqtt, "sender")
    for number in range(20):
        sender.send("probe/event", b"%d" % number)
        sender.send("probe/plain", b"%d" % number)
    time.sleep(1.5)
    shares = [len(probe.heard.get("probe/event", [])) for probe in (one, two)]
    found["shared subscription, 20 sent"] = f"{shares[0]} + {shares[1]}"
    found["plain subscription through other nodes, 20 sent"] = " + ".join(
        str(len(probe.heard.get("probe/plain", []))) for probe in (one, two)
    )
    sender.send("probe/kept", b"kept", retain=True)
    for label, node, wanted in (
        ("retained, asked by name at the same node", nodes[2], "probe/kept"),
        ("retained, asked by name at another node", nodes[0], "probe/kept"),
        ("retained, asked with + at the same node", nodes[2], "probe/+"),
    ):
        asker = Probe(node.mqtt, label.replace(" ", "-"), wanted)
        found[label] = "told" if asker.heard.get("probe/kept") else "not told"
        asker.close()
    found["last will of a client whose connection breaks"] = _will(nodes)
    for probe in (one, two, sender):
        probe.close()
    return found


def _will(nodes: Sequence[BrokerNode]) -> str:
    watcher = Probe(nodes[1].mqtt, "watcher", "probe/status")
    dying = Client(CallbackAPIVersion.VERSION2, "probe-dying", True, protocol=MQTTv311)
    dying.will_set("probe/status", b"gone", qos=1, retain=True)
    dying.connect("127.0.0.1", nodes[0].mqtt, 5)
    dying.loop_start()
    time.sleep(1.0)
    sock = dying.socket()
    dying.loop_stop()
    if sock is not None:
        sock.close()
    time.sleep(2.0)
    told = "told" if watcher.heard.get("probe/status") else "not told"
    watcher.close()
    return told


# -- the evening -------------------------------------------------------------------------------------------------------


@dataclass
class Deaths:
    """One machine after the other dies, in a thread beside the tables."""

    told: list[str] = field(default_factory=list)
    _began_s: float = field(default_factory=time.monotonic)

    def say(self, what: str) -> None:
        self.told.append(f"{time.monotonic() - self._began_s:6.0f} s  {what}")
        print(self.told[-1], file=sys.stderr, flush=True)

    def run(
        self, nodes: Sequence[BrokerNode], databases: Databases, halls: Sequence[HallProcess], gap_s: float
    ) -> None:
        """Each is away for DEAD_S and comes back; the first database does not."""
        for node in nodes:
            time.sleep(gap_s)
            self.say(f"{node.name} is killed with {node.connections} clients")
            node.kill()
            time.sleep(DEAD_S)
            node.start()
            node.wait()
            self.say(f"{node.name} is back")
        time.sleep(gap_s)
        databases.kill_the_first()
        self.say("the first PostgreSQL was killed, the standby has taken over")
        for at, hall in enumerate(halls[1:], 2):
            time.sleep(gap_s)
            hall.restart(2.0)
            self.say(f"hall {at} was killed and is back")


async def played(tables: int, seconds: float, pace_s: float, folder: Path, page: int, port: int,
                 deaths: Callable[[], None]) -> tuple[list[ClusterTable], Wall, float]:  # fmt: skip
    """Lets tables play for so long, and longer if not all deaths are over. Their journals, the wall, how long it took
    until the halls held everything."""
    many = max(1, round(seconds / pace_s))
    scripts = [evening(seed, many) for seed in range(min(8, tables))]
    all_ = [ClusterTable(f"t{n}", folder / f"t{n}", scripts[n % len(scripts)], port) for n in range(tables)]
    wall = Wall({line.name: line for line in all_})
    async with ClientSession() as session:
        here = f"http://127.0.0.1:{page}"
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(_looking(session, here, wall))]
        tasks.append(asyncio.create_task(_ticking_patiently(all_)))
        await connected(all_, CONNECTS_A_S, UP_S)
        dying = asyncio.create_task(asyncio.to_thread(deaths))
        await played_in_turn(all_, many, pace_s)
        await dying
        ended_s = time.monotonic()
        for _ in range(3):  # What did not arrive by then is told as a figure.
            with contextlib.suppress(TimeoutError):
                await _until(lambda: all(line.kept and wall.shown.get(line.name) == many for line in all_), "")
                break
        settled_s = time.monotonic() - ended_s
        for line in all_:
            if not line.kept or wall.shown.get(line.name) != many:
                print(f"{line.name} is late: {line.state}", file=sys.stderr)
        await ended(tasks)
        for line in all_:
            line.close()
    return all_, wall, settled_s


async def _looking(session: ClientSession, here: str, wall: Wall) -> None:
    """Somebody who looks at the page all evening, and loads it again when it breaks off."""
    while True:
        with contextlib.suppress(OSError, ClientError, asyncio.TimeoutError):
            async with session.ws_connect(f"{here}/live", max_msg_size=0, origin=here) as live:
                await wall.watch(live)
        await asyncio.sleep(1.0)


async def _ticking_patiently(tables: Sequence[ClusterTable]) -> None:
    """Once a second for each, so that those whose node died do not all come back in one moment."""
    while True:
        for table in tables:
            table.tick(time.monotonic())
            await asyncio.sleep(1.0 / len(tables))


def main(words: Sequence[str] | None = None) -> int:
    """Prints what the cluster can, what died when, and what became of the logs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, metavar="N")
    parser.add_argument("--halls", type=int, default=3, metavar="N")
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--pace", type=float, default=PACE_S, metavar="S", help="seconds between a table's events")
    parser.add_argument("--gap", type=float, default=15.0, metavar="S", help="between two deaths")
    parser.add_argument("--share", action="store_true", help="halls share the tables' lines, if the broker can")
    args = parser.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    folder = Path(tempfile.mkdtemp(prefix="hisabu-cluster-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        databases = Databases(Path(f"/tmp/hisabu-databases-{os.getpid()}"))
        stack.callback(databases.close)
        databases.start()
        nodes, port = stack.enter_context(cluster(folder))
        for label, came in abilities(nodes).items():
            print(f"{label}: {came}", flush=True)
        more = () if args.share else ("--no-share",)
        halls = [
            HallProcess(port, databases.address, folder / f"hall{at}", page=at == 0, more=more)
            for at in range(args.halls)
        ]
        for hall in halls:
            stack.callback(hall.kill)
            hall.start()
        deaths = Deaths()
        all_, wall, settled_s = asyncio.run(
            played(
                args.tables, args.minutes * 60, args.pace, folder / "tables", halls[0].page or 0, port,
                lambda: deaths.run(nodes, databases, halls, args.gap),
            )
        )  # fmt: skip
        for hall in halls:
            hall.kill()
        store = Store(databases.address)
        for line in all_:
            if lost_lines(store, line):
                print(f"{line.name}: has {line.state}; kept is {store.have(line.name)}", file=sys.stderr)
        print("troubles:", store.troubles(), file=sys.stderr)
        lost = sum(lost_lines(store, line) for line in all_)
        store.close()
    return told(all_, wall, settled_s, lost)


def told(all_: Sequence[ClusterTable], wall: Wall, settled_s: float, lost: int) -> int:
    """Prints the figures; the exit status."""
    events, took = sum(line.played for line in all_), sorted(wall.took_s)
    behind = [line.name for line in all_ if wall.shown.get(line.name) != line.played]
    broken, again = sum(line.dropped for line in all_), sum(line.again for line in all_)
    print(f"tables {len(all_)}, events {events}, lines lost {lost}")
    print(f"connections that broke {broken}, lines sent again {again} times")
    print(f"the page: p50 {_part(took, 0.5):.2f} s, p99 {_part(took, 0.99):.2f} s, worst {_part(took, 1.0):.2f} s")
    print(f"tables behind on the page at the end: {len(behind)}; all was held {settled_s:.1f} s after the last event")
    return 1 if lost or behind else 0


if __name__ == "__main__":
    sys.exit(main())
