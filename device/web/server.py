"""The server in a thread of its own: listens, counts its visitors' connections, and drops who is slow or too many.

aiohttp, since it brings HTTP, WebSockets and their backpressure as one library: uvicorn with Starlette takes 7 MB less
(measured, imported alone), but its lean WebSocket sends to a reader that never reads until the memory is full.
"""

import asyncio
import contextlib
import errno
import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from device.web.guard import net_of
from device.words.away import Away

log = logging.getLogger(__name__)
Place = tuple[str, int]
"""Host and port."""
UNHEARD = logging.getLogger(f"{__name__}.requests")
UNHEARD.setLevel(logging.CRITICAL)
"""aiohttp writes a page of text for every request that is none: anybody could fill the disk."""
START_S = 5.0
"""How long a start may take before it is given up."""
LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")


@dataclass(frozen=True)
class VisitorLimits:
    """What one visitor, and all of them together, may take of a small machine."""

    connections: int = 160
    """At a time: twenty phones that load a page over six each, and their WebSockets. One costs about 30 kB."""
    connections_each: int = 16
    """From one address; from this machine itself as many as there are."""
    kept: int = 40
    """Of the connections, for addresses of paired phones and for this machine itself."""
    request_s: float = 8.0
    """For the whole of a request to arrive: a phone at the edge of a WLAN needs two."""
    stuck_s: float = 12.0
    """Without taking a byte of what is waiting for it."""
    sweep_s: float = 2.0
    body_bytes: int = 8192
    line_bytes: int = 4096
    message_bytes: int = 8192
    """Of a WebSocket message."""
    visitors: int = 64
    """WebSockets at a time."""
    visitors_each: int = 8
    """From one address, of phones that are not paired."""
    visitors_kept: int = 16
    """Of the WebSockets, for paired phones and for this machine itself."""
    burst: float = 120.0
    per_s: float = 30.0
    """Requests and messages from one address: a page is thirty files, and nobody taps faster."""


class WebServer:
    """Serves one application on the first place that can be had."""

    def __init__(
        self,
        places: Sequence[Place],
        make_app: Callable[[], web.Application],
        limits: VisitorLimits = VisitorLimits(),
        known: Callable[[str], bool] = lambda address: False,
    ) -> None:
        """known: whether a paired phone came from an address."""
        self._known = known
        self._places = places
        self._make_app = make_app
        self._limits = limits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stop: asyncio.Event | None = None
        self.place: Place | None = None
        """Where it listens."""

    @property
    def running(self) -> bool:
        """Whether it serves."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Listens. PageAway: no place could be had."""
        sockets, place = self._listening()
        started: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(sockets, started), name="page", daemon=True)
        self._thread.start()
        started.result(START_S)
        self.place = place

    def close(self) -> None:
        """Stops; harmless twice."""
        loop, stop, thread = self._loop, self._stop, self._thread
        if loop is not None and stop is not None:
            with contextlib.suppress(RuntimeError):  # It ended by itself.
                loop.call_soon_threadsafe(stop.set)
        if thread is not None and thread is not threading.current_thread():
            thread.join(START_S)

    def soon(self, action: Callable[..., object], *args: Any) -> None:
        """Has something done in the server's thread; never waits. Nothing happens where it does not run."""
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(action, *args)

    def _listening(self) -> tuple[list[socket.socket], Place]:
        tried: list[tuple[str, OSError]] = []
        for host, port in self._places:
            try:
                return _sockets(host, port)
            except OSError as error:
                tried.append((f"[{host}]:{port}" if ":" in host else f"{host or '0.0.0.0'}:{port}", error))
        raise _away(tried)

    def _run(self, sockets: list[socket.socket], started: "Future[None]") -> None:
        try:
            asyncio.run(self._serve(sockets, started))
        except Exception as error:
            if not started.done():
                started.set_exception(error)
            else:
                log.exception("the page stopped")
        finally:
            self._loop = self._stop = None
            for connection in sockets:
                connection.close()

    async def _serve(self, sockets: list[socket.socket], started: "Future[None]") -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        limits = self._limits
        runner = web.AppRunner(
            self._make_app(),
            handle_signals=False,
            access_log=None,
            logger=UNHEARD,
            keepalive_timeout=20,
            max_line_size=limits.line_bytes,
            max_field_size=limits.line_bytes,
            shutdown_timeout=0.5,
        )
        await runner.setup()
        assert runner.server is not None
        doors = Doors(runner.server, limits, self._known)
        servers = [await self._loop.create_server(doors, sock=connection) for connection in sockets]
        sweeping = asyncio.create_task(doors.sweep())
        started.set_result(None)
        try:
            await self._stop.wait()
        finally:
            sweeping.cancel()
            for server in servers:
                server.close()
            doors.shut()  # First: it would wait for each to say goodbye.
            await runner.cleanup()


class PageAway(Away):
    """The page could not be had anywhere."""


_TROUBLES = {
    errno.EADDRINUSE: "page_taken",
    errno.EACCES: "page_refused",
    errno.EPERM: "page_refused",
    errno.EADDRNOTAVAIL: "page_nowhere",
}


def _away(tried: Sequence[tuple[str, OSError]]) -> PageAway:
    """Why it could not: at the last place, and at those before that have the same trouble."""

    def trouble(error: OSError) -> str:
        return "page_nowhere" if isinstance(error, socket.gaierror) else _TROUBLES.get(error.errno or 0, "page_odd")

    last = tried[-1][1]
    places = ", ".join(place for place, error in tried if trouble(error) == trouble(last))
    return PageAway(trouble(last), place=places, why=last)


def _sockets(host: str, port: int) -> tuple[list[socket.socket], Place]:
    """What listens there, for every family the host has."""
    found: list[socket.socket] = []
    problem: OSError | None = None
    families = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, kind, protocol, _, address in dict.fromkeys(families):
        try:
            connection = socket.socket(family, kind, protocol)
        except OSError as error:
            problem = error
            continue
        try:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                connection.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            connection.bind((address[0], found[0].getsockname()[1] if found else port, *address[2:]))
            connection.listen(64)
            connection.setblocking(False)
        except OSError as error:
            connection.close()
            problem = error
            continue
        found.append(connection)
    if not found:
        raise problem or OSError(errno.EADDRNOTAVAIL, "no such address")
    return found, (host, found[0].getsockname()[1])


Guest = TypeVar("Guest")


class VisitorPlaces(Generic[Guest]):
    """Who has one of so many places. Some are kept for who belongs to the house; of the others nobody takes all: when
    there is none left, a newcomer gets one of whoever has the most, as long as that is more than a fair share."""

    def __init__(self, most: int, each: int, kept: int) -> None:
        self._most, self._each, self._kept = most, each, min(kept, most // 2)
        self._guests: dict[Guest, tuple[str, bool]] = {}
        """With address and whether it belongs to the house, those longest there first."""

    def __len__(self) -> int:
        return len(self._guests)

    def enters(
        self, guest: Guest, address: str, of_the_house: bool, without_limit: bool = False
    ) -> tuple[bool, Guest | None]:
        """Whether one more may come in, and who has to leave for it."""
        mine = [guest for guest, (where, _) in self._guests.items() if where == address]
        if len(mine) >= self._each and not without_limit:
            return False, None
        strangers = Counter(where for where, house in self._guests.values() if not house)
        gone: Guest | None = None
        room = self._most if of_the_house else self._most - self._kept
        full = len(self._guests) >= self._most or (not of_the_house and strangers.total() >= room)
        if full:
            gone = self._who_makes_room(address, of_the_house, strangers)
            if gone is None:
                return False, None
        elif not of_the_house and self._net_is_full(address, strangers, room):
            return False, None
        if gone is not None:
            del self._guests[gone]
        self._guests[guest] = (address, of_the_house)
        return True, gone

    def _net_is_full(self, address: str, strangers: Counter[str], room: int) -> bool:
        """Whether the /64 that an address is of has three of four places already."""
        net = net_of(address)
        if net == address:
            return False
        return sum(many for where, many in strangers.items() if net_of(where) == net) >= max(1, room * 3 // 4)

    def _who_makes_room(self, address: str, of_the_house: bool, strangers: Counter[str]) -> Guest | None:
        nets: Counter[str] = Counter()
        for where, many in strangers.items():
            nets[net_of(where)] += many
        mine = 0 if of_the_house else strangers[address] + 1
        for net, _ in nets.most_common():
            most = max((where for where in strangers if net_of(where) == net), key=lambda where: strangers[where])
            if max(strangers[most], nets[net] if net != net_of(address) else 0) > mine:
                return next(guest for guest, (where, house) in self._guests.items() if where == most and not house)
        return None

    def leaves(self, guest: Guest) -> None:
        """A place is free; harmless twice."""
        self._guests.pop(guest, None)


class Doors:
    """Makes a door for each connection, and looks after them."""

    def __init__(
        self, server: "web.Server", limits: VisitorLimits, known: Callable[[str], bool] = lambda address: False
    ) -> None:
        self._server = server
        self.limits, self._known = limits, known
        self._open: dict[_Door, _Watch] = {}
        self._places: VisitorPlaces[_Door] = VisitorPlaces(limits.connections, limits.connections_each, limits.kept)

    def __call__(self) -> asyncio.Protocol:
        return _Door(self, self._server(), time.monotonic)

    def enters(self, door: "_Door", address: str) -> bool:
        """Whether one more connection has room."""
        host = address in LOOPBACK or self._known(address)
        may, gone = self._places.enters(door, address, host, without_limit=address in LOOPBACK)
        if gone is not None:
            gone.abort()
        if may:
            self._open[door] = _Watch(time.monotonic())
        return may

    def leaves(self, door: "_Door") -> None:
        """It is closed."""
        self._open.pop(door, None)
        self._places.leaves(door)

    async def sweep(self) -> None:
        """Drops who sends a request too slowly, or takes nothing of what was sent."""
        while True:
            await asyncio.sleep(self.limits.sweep_s)
            now_s = time.monotonic()
            for door, watch in list(self._open.items()):
                waiting = door.unsent
                if waiting == 0 or waiting < watch.unsent:
                    watch.taken_s = now_s
                watch.unsent = waiting
                late = door.asking_since_s is not None and now_s - door.asking_since_s > self.limits.request_s
                if late or now_s - watch.taken_s > self.limits.stuck_s:
                    door.abort()

    def shut(self) -> None:
        """Drops everybody."""
        for door in list(self._open):
            door.abort()


@dataclass
class _Watch:
    """What is known of a connection."""

    taken_s: float
    """When it last took something, or had nothing to take."""
    unsent: int = 0


class _Door(asyncio.Protocol):
    """Stands before aiohttp's own protocol: knows how long a request takes to arrive."""

    def __init__(self, doors: Doors, inner: "RequestHandler", clock: Callable[[], float]) -> None:
        self._doors, self._inner, self._clock = doors, inner, clock
        self._transport: asyncio.Transport | None = None
        self._refused = False
        self._count = 0
        self.asking_since_s: float | None = None
        """Since when a request has been arriving; None: none is."""

    @property
    def unsent(self) -> int:
        """Bytes that wait to be taken."""
        return self._transport.get_write_buffer_size() if self._transport is not None else 0

    def abort(self) -> None:
        """Drops it, and what waits for it."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        if not self._doors.enters(self, str(peer[0]) if peer else ""):
            self._refused = True
            transport.abort()
            return
        self._transport = transport
        self.asking_since_s = self._clock()
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self.asking_since_s is None:
            self.asking_since_s = self._clock()
        self._inner.data_received(data)
        if self._inner._upgraded or self._inner._request_count > self._count:
            self._count = self._inner._request_count
            self.asking_since_s = None

    def eof_received(self) -> None:
        if not self._refused:
            self._inner.eof_received()

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._refused:
            return
        self._doors.leaves(self)
        self._inner.connection_lost(exc)
        self._transport = None

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
