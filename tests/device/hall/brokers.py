"""Real counterparts for tests: a Mosquitto and a PostgreSQL on loopback ports, a hall in a process of its own, a net
that can be cut, and tables that play journals without a camera."""

import contextlib
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from device.following.facts import facts_of
from device.following.show import Show
from device.keeping.journal import MatchRecord
from device.outputs.broker.link import Address
from engine.events import Event
from engine.match import Match

ROOT = Path(__file__).resolve().parents[3]


def free_port() -> int:
    """A port that nobody listens at, below those that connections take: none has it while its server is dead."""
    while True:
        with contextlib.suppress(OSError), socket.socket() as connection:
            port = random.randrange(15_000, 30_000)
            connection.bind(("127.0.0.1", port))
            return port


def missing(what: str) -> None:
    """A test that cannot run here says why; where all must run it fails."""
    if os.environ.get("HISABU_MUST_RUN_SERVERS"):
        raise AssertionError(what)
    pytest.skip(what)


class Killable:
    """A real process that is started and killed, again and again."""

    _process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of its process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """As a power cut does; harmless twice."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def start(self) -> object:
        """Has it run."""
        raise NotImplementedError

    def restart(self, after_s: float) -> None:
        """It is killed, is away for so long, and runs again."""
        self.kill()
        time.sleep(after_s)
        self.start()


class Mosquitto(Killable):
    """A real broker."""

    def __init__(self, folder: Path, config: Sequence[str] = ("allow_anonymous true",), tls: bool = False) -> None:
        self.path = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        if not Path(self.path).exists():
            missing("Mosquitto is not installed: apt install mosquitto")
        self.port = free_port()
        self._file = folder / f"mosquitto-{self.port}.conf"
        listener = [f"listener {self.port} 127.0.0.1"]
        self._file.write_text("\n".join([*listener, *config, "log_dest none", "user root"]) + "\n")

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)

    def start(self) -> "Mosquitto":
        self._process = subprocess.Popen([self.path, "-c", str(self._file)], stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
                return self
            time.sleep(0.05)
        raise AssertionError("Mosquitto did not start")


@contextlib.contextmanager
def mosquitto(folder: Path, config: Sequence[str] = ("allow_anonymous true",)) -> Iterator[Mosquitto]:
    """A broker for one test."""
    broker = Mosquitto(folder, config).start()
    try:
        yield broker
    finally:
        broker.kill()


@contextlib.contextmanager
def postgresql() -> Iterator[tuple[str, int]]:
    """A real PostgreSQL: its address, and the id of its first process. It refuses to run as root, so it runs as the
    user that Debian made for it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    root = os.geteuid() == 0
    if not found or (root and shutil.which("runuser") is None):
        missing("PostgreSQL is not installed: apt install postgresql")
    programs = found[-1].parent
    folder, port = Path("/tmp") / f"hisabu-postgres-{os.getpid()}", free_port()
    folder.mkdir()
    before = ["runuser", "-u", "postgres", "--"] if root else []
    if root:
        shutil.chown(folder, "postgres")

    def run(*command: str) -> None:
        subprocess.run([*before, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    data = str(folder / "data")
    run(str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "hisabu", "--no-sync", "--no-locale", "-E", "UTF8")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    control = str(programs / "pg_ctl")
    run(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        pid = int((folder / "data/postmaster.pid").read_text().split()[0])
        yield f"postgresql://hisabu@127.0.0.1:{port}/postgres", pid
    finally:
        run(control, "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


class HallProcess(Killable):
    """A real `hisabu hall`."""

    def __init__(
        self,
        port: int,
        store: str,
        folder: Path,
        page: bool = False,
        unpaired: int = 5000,
        more: Sequence[str] = (),
    ) -> None:
        """port: of the broker, or of what leads to it. more: of the command line."""
        self.page = free_port() if page else None
        place = f"127.0.0.1:{self.page}" if page else "off"
        self._command = [sys.executable, "-m", "device.cli", "hall", "--broker", f"mqtt://127.0.0.1:{port}"]
        self._command += [
            "--store",
            store,
            "--folder",
            str(folder),
            "--page",
            place,
            "--unpaired",
            str(unpaired),
            *more,
        ]
        folder.mkdir(parents=True, exist_ok=True)
        self._said = folder / "said"

    def start(self) -> "HallProcess":
        with self._said.open("ab") as said:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
            )
        if self.page is not None:
            soon(self._answers, 30.0)
        return self

    def _answers(self) -> bool:
        assert self.runs, f"the hall ended by itself: {self._said.read_text()[-2000:]}"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.page or 0), 0.2):
            return True
        return False

    @property
    def runs(self) -> bool:
        """Whether it did not end."""
        return self._process is not None and self._process.poll() is None


class Wire:
    """The net between clients and a broker, which can be cut."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.up, self.down = threading.Event(), threading.Event()
        """Whether bytes go to the broker, and come from it."""
        self._refuses = False
        self._ends: set[socket.socket] = set()
        self.mend()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)

    def mend(self) -> None:
        """All goes through again; what waited arrives late."""
        self._refuses = False
        self.up.set()
        self.down.set()

    def hold(self) -> None:
        """Nothing goes through, and no connection breaks."""
        self.up.clear()
        self.down.clear()

    def cut(self) -> None:
        """Every connection is gone, and none can be made."""
        self._refuses = True
        for end in list(self._ends):
            _shut(end)

    def close(self) -> None:
        """Ends it."""
        self.cut()
        self.up.set()
        self.down.set()
        self._server.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
                if self._refuses:
                    client.close()
                    continue
                broker = socket.create_connection(("127.0.0.1", self._to), 5.0)
            except OSError:
                if self._server.fileno() < 0:
                    return
                client.close()
                continue
            broker.settimeout(None)
            self._ends |= {client, broker}
            if self._refuses:  # It was cut while this one came.
                _shut(client)
                _shut(broker)
            for way, other, flows in ((client, broker, self.up), (broker, client, self.down)):
                threading.Thread(target=self._carry, args=(way, other, flows), daemon=True).start()

    def _carry(self, connection: socket.socket, other: socket.socket, flows: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := connection.recv(65536):
                flows.wait()
                other.sendall(data)
        for end in (connection, other):
            _shut(end)
            self._ends.discard(end)


def cut_for_a_while(wire: Wire, number: int, seconds: float) -> None:
    """One of eight ways of a net to be away: connections break, or they stay while nothing goes up, down or both; and
    then what waited comes late, or is gone with them."""
    (wire.cut, wire.up.clear, wire.down.clear, wire.hold)[number % 4]()
    time.sleep(seconds)
    if number % 8 >= 4:
        wire.cut()
    wire.mend()


@contextlib.contextmanager
def hall_behind_wires(folder: Path, store: str) -> Iterator[tuple[Mosquitto, HallProcess, Wire, Wire]]:
    """A broker, a hall, and the net between the broker and the tables, and between it and the hall."""
    with mosquitto(folder) as broker, contextlib.ExitStack() as stack:
        of_tables, of_hall = Wire(broker.port), Wire(broker.port)
        stack.callback(of_tables.close)
        stack.callback(of_hall.close)
        hall = HallProcess(of_hall.port, store, folder / "hall", page=True)
        stack.callback(hall.kill)
        hall.start()
        yield broker, hall, of_tables, of_hall


@contextlib.contextmanager
def three_halls(folder: Path, store: str) -> Iterator[tuple[Mosquitto, Sequence[HallProcess]]]:
    """A broker, and three halls that share the work; the first has the page."""
    with mosquitto(folder) as broker, contextlib.ExitStack() as stack:
        halls = [HallProcess(broker.port, store, folder / f"hall-{n}", page=n == 0) for n in range(3)]
        for process in halls:
            stack.callback(process.kill)
            process.start()
        yield broker, halls


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


def show_of(match: Match) -> Show:
    """What a device would show of a match."""
    return Show(match.view.to_dict(), "en", extra=facts_of(match))


def add_all(record: MatchRecord, events: Sequence[Event]) -> None:
    """Events, as they happen."""
    for event in events:
        record.add(event)


def soon(what: object, within_s: float = 15.0) -> None:
    """Waits until something is so."""
    until_s = time.monotonic() + within_s
    while not what():  # type: ignore[operator]
        assert time.monotonic() < until_s, "it did not come about"
        time.sleep(0.03)
