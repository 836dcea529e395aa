"""A page as HTTP and WebSocket: files, pairing, a state that everybody follows, and what paired phones ask for.

The state is a dictionary; a visitor gets it whole once and then what changes. A visitor who is slow gets the newest
later, never a queue. A page of its own subclasses Site.
"""

import asyncio
import contextlib
import html
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import ClientConnectionResetError, WSMsgType, web

from device.web import guard
from device.web.captive import Captive
from device.web.files import File
from device.web.guard import Names, Pace, net_of
from device.web.pairing import Closed, Full, Pairing, Phone, Phones, PressFirst
from device.web.server import LOOPBACK, VisitorLimits, VisitorPlaces
from device.words import LANGUAGES
from engine.strict_json import LARGEST, BadJson, Fields, read_object, write_json

log = logging.getLogger(__name__)
State = Mapping[str, Any]
HEARTBEAT_S = 20.0
"""Between looks whether a visitor's WebSocket still lives."""
TICK_S = 5.0
"""A visitor who was sent nothing for so long is told that the device is there: a line can die without a word."""
COOKIE_LASTS_S = 400 * 24 * 3600
"""As long as browsers allow."""
CACHE = "no-cache"
"""Asked for again each time, answered with "as before" while it is: a device that was updated shows its new page."""
SHIFTED = ("view", "tables")
"""Parts of a state of which only what changed in them is sent."""
NET_PACE = 8
"""So many times what an address may ask, all of a /64 together: at home it is everybody's, elsewhere one guest's."""
KNOWN_FOR_S = 24 * 3600
MOST_KNOWN = 500
"""For so long, and of so many, it is remembered that a paired phone came from an address: it finds a place there."""
MOST_WAITING = 40
"""Answers that a visitor asked for and does not take, before it is not heard any more."""


LANGUAGE_COOKIE = "hisabu-language"
"""Where a phone keeps the language that it has chosen for itself; words.js sets it."""
BRACES = re.compile(r"\{(\w+)\}")


class Markup(str):
    """What stands in the page as it is: whoever made it has escaped what came from elsewhere."""


class Refused(Exception):
    """What was asked for cannot be, and why, as a code for the page's words."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


def changes(old: State, new: State) -> dict[str, Any]:
    """What to tell who knows the old state; None for what is gone."""
    out: dict[str, Any] = {}
    for name, value in new.items():
        before = old.get(name)
        if value == before and name in old:
            continue
        if name in SHIFTED and isinstance(value, Mapping) and isinstance(before, Mapping):
            value = changes(before, value)
        out[name] = value
    out.update({name: None for name in old if name not in new})
    return out


def packed(message: Mapping[str, Any]) -> str:
    """A message as it is sent."""
    return write_json(message)


class Visitor:
    """One WebSocket."""

    def __init__(self, socket: web.WebSocketResponse, phone: Phone | None, language: str = "") -> None:
        self._socket = socket
        self.phone = phone
        self.language = language
        """That it has chosen for itself; "": none."""
        self.dropped = False
        """Its place is another's."""
        self.transport: asyncio.Transport | asyncio.BaseTransport | None = None
        self.wants: frozenset[str] = frozenset()
        """What it looks at beside the state."""
        self.known: State | None = None
        """The state it was sent last."""
        self._box: dict[str, Callable[[], str | bytes | None]] = {}
        self._wake = asyncio.Event()

    def post(self, kind: str, message: Callable[[], str | bytes | None]) -> None:
        """Something to send; it takes the place of one of its kind that waits yet. Made when it is sent."""
        self._box[kind] = message
        self._wake.set()

    def tell(self, kind: str, message: Mapping[str, Any]) -> None:
        """A message to send."""
        self.post(kind, lambda: packed(message))

    @property
    def waiting(self) -> int:
        """Messages that wait to be sent."""
        return len(self._box)

    async def pump(self) -> None:
        """Sends what there is to send, for as long as it is there."""
        while True:
            try:
                async with asyncio.timeout(TICK_S):
                    await self._wake.wait()
            except TimeoutError:
                self.tell("tick", {"tick": True})
            self._wake.clear()
            while self._box:
                kind = next(iter(self._box))
                data = self._box.pop(kind)()
                if isinstance(data, bytes):
                    await self._socket.send_bytes(data)
                elif data is not None:
                    await self._socket.send_str(data)

    def drop(self) -> None:
        """Ends it at once, without a word."""
        self.dropped = True
        if self.transport is not None:
            self.transport.close()

    async def close(self) -> None:
        """Ends it."""
        await self._socket.close()


class Site:
    """What every page of the device does. Called in the server's thread."""

    def __init__(
        self, files: Mapping[str, File], phones: Phones, pairing: Pairing, limits: VisitorLimits | None = None
    ) -> None:
        self.files = dict(files)
        self.phones, self.pairing = phones, pairing
        self._limits = limits = limits or VisitorLimits()
        self._pace = Pace(limits.burst, limits.per_s)
        self._pace_of_nets = Pace(NET_PACE * limits.burst, NET_PACE * limits.per_s)
        self.visitors: set[Visitor] = set()
        self._places: VisitorPlaces[Visitor] = VisitorPlaces(
            limits.visitors, limits.visitors_each, limits.visitors_kept
        )
        self._came: dict[str, float] = {}
        """Addresses that paired phones came from, and when."""
        index = files.get("/index.html")
        self._styles = guard.style_hashes(index.plain) if index else ()
        self.state: State = {}
        self._patches: dict[tuple[int, int], str] = {}
        self.names: frozenset[str] = guard.own_names()
        self.captive = Captive()
        self.port = 0
        self._dropping: asyncio.Task[None] | None = None
        self.running: asyncio.AbstractEventLoop | None = None
        """The server's, while it runs."""

    # -- what a page says for itself ---------------------------------------------------------------------------------

    def page(self, request: web.Request, phone: Phone | None) -> Mapping[str, str]:
        """What stands in the braces of index.html: text, or Markup."""
        raise NotImplementedError

    async def asked(self, visitor: Visitor, what: str, facts: Mapping[str, Any]) -> Any:
        """A paired phone asks for something; the answer as JSON has it. Refused: it cannot be."""
        raise NotImplementedError

    def only_looks(self, what: str, facts: Mapping[str, Any]) -> bool:
        """Whether asking for this is looking, which takes no pairing."""
        return False

    def role_of_new(self) -> str:
        """What a phone that is paired now may."""
        return ""

    def looks(self, visitor: Visitor) -> None:
        """What a visitor wants to see changed, or it left."""

    @property
    def open_to_look(self) -> bool:
        """Whether who is not paired may look."""
        return True

    # -- the application ---------------------------------------------------------------------------------------------

    def app(self) -> web.Application:
        """For the server."""
        app = web.Application(middlewares=[self._guarded], client_max_size=self._limits.body_bytes)
        app.router.add_get("/", self._index)
        app.router.add_get("/live", self._live)
        app.router.add_post("/pair/begin", self._begin_pairing)
        app.router.add_post("/pair", self._pair)
        app.router.add_post("/leave", self._leave)
        self.more_routes(app)

        async def begin(_: web.Application) -> None:
            self.running = asyncio.get_running_loop()

        app.on_startup.append(begin)
        app.router.add_get("/{path:.*}", self._file)
        return app

    def more_routes(self, app: web.Application) -> None:
        """What a page answers beside that."""

    @web.middleware
    async def _guarded(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        try:
            answer = self._refusal(request) or await handler(request)
        except web.HTTPException as error:
            answer = web.Response(status=error.status, text=error.reason)
        except (TimeoutError, ValueError, ConnectionError):
            answer = web.Response(status=400)
        except Exception:
            log.exception("a request to the page failed: %s %.100s", request.method, request.path)
            answer = web.Response(status=500)
        if not answer.prepared:
            answer.headers.update(guard.HEADERS)
            answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    def _paced(self, address: str) -> bool:
        """Whether one more request from there may be answered now."""
        now_s, net = time.monotonic(), net_of(address)
        wide = net == address or self.known(address) or self._pace_of_nets.allows(net, now_s)
        return wide and self._pace.allows(address, now_s)

    def _refusal(self, request: web.Request) -> web.Response | None:
        """Why a request is not looked at any further."""
        if not Names(lambda: self.names).answers_to(request.headers.get("Host")):
            asked_of_the_network = self.captive.answer(request)
            if asked_of_the_network is not None:
                return asked_of_the_network
            return web.Response(status=421, text="This device is not known by that name.")
        address = request.remote or ""
        if address not in LOOPBACK and not self._paced(address):
            return web.Response(status=429, headers={"Retry-After": "5"})
        if guard.foreign(request.headers.get("Sec-Fetch-Site"), request.headers.get("Sec-Fetch-Mode")):
            return web.Response(status=403)
        origin = request.headers.get("Origin")
        must = request.method != "GET" or "Upgrade" in request.headers
        if (must or origin is not None) and not guard.same_origin(origin, request.host):
            return web.Response(status=403)
        return None

    # -- files -------------------------------------------------------------------------------------------------------

    async def _index(self, request: web.Request) -> web.Response:
        values = self.page(request, self.phone_of(request))
        self.captive.saw(request.remote or "")

        def filled(braces: re.Match[str]) -> str:
            value = values.get(braces[1])
            return braces[0] if value is None else value if isinstance(value, Markup) else html.escape(value)

        text = BRACES.sub(filled, self.files["/index.html"].plain.decode())
        headers = {"Content-Security-Policy": guard.policy(request.host, self._styles)}
        answer = web.Response(text=text, content_type="text/html", headers=headers)
        answer.enable_compression()
        return answer

    async def _file(self, request: web.Request) -> web.Response:
        found = self.files.get(request.raw_path.partition("?")[0])
        if found is None:
            return web.Response(status=404)
        headers = {"ETag": found.tag, "Cache-Control": CACHE, "Vary": "Accept-Encoding", "Content-Type": found.kind}
        if request.headers.get("If-None-Match") == found.tag:
            return web.Response(status=304, headers=headers)
        if found.packed is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
            return web.Response(body=found.packed, headers={**headers, "Content-Encoding": "gzip"})
        return web.Response(body=found.plain, headers=headers)

    # -- pairing -----------------------------------------------------------------------------------------------------

    @property
    def cookie(self) -> str:
        """Its name: two pages on one machine (a laptop with table and hall) keep theirs apart."""
        return f"hisabu-{self.port}"

    def phone_of(self, request: web.Request) -> Phone | None:
        """The paired phone that asks."""
        phone = self.phones.find(request.cookies.get(self.cookie))
        if phone is not None and request.remote:
            self._came.pop(request.remote, None)
            self._came[request.remote] = time.monotonic()
            while len(self._came) > MOST_KNOWN:
                del self._came[next(iter(self._came))]
        return phone

    def known(self, address: str) -> bool:
        """Whether a paired phone came from there lately: there is a place for it when others have taken theirs."""
        return time.monotonic() - self._came.get(address, float("-inf")) < KNOWN_FOR_S

    async def body(self, request: web.Request) -> Mapping[str, Any]:
        """What was posted: an object. HTTPException, ValueError: it is none."""
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType
        async with asyncio.timeout(self._limits.request_s):
            raw = await request.read()
        return read_object(raw, self._limits.body_bytes)

    async def _begin_pairing(self, request: web.Request) -> web.Response:
        digits = self.pairing.digits
        try:
            seconds = self.pairing.begin(request.remote or "")
        except PressFirst:
            return web.json_response({"press": True, "digits": digits})
        except Closed as error:
            return web.json_response({"closed": round(error.wait_s)}, status=429)
        return web.json_response({"seconds": round(seconds), "digits": digits})

    async def _pair(self, request: web.Request) -> web.Response:
        code = Fields(await self.body(request)).text("code", 16)
        try:
            right = self.pairing.matches("".join(code.split()), request.remote or "")
        except PressFirst:
            return web.json_response({"press": True}, status=403)
        except Closed as error:
            return web.json_response({"closed": round(error.wait_s)}, status=429)
        if not right:
            return web.json_response({"wrong": True}, status=403)
        try:
            token = self.phones.add(device_name(request.headers.get("User-Agent", "")), self.role_of_new())
        except Full:
            return web.json_response({"full": True}, status=403)
        answer = web.json_response({"paired": True})
        answer.set_cookie(self.cookie, token, max_age=COOKIE_LASTS_S, httponly=True, samesite="Strict", path="/")
        return answer

    async def _leave(self, request: web.Request) -> web.Response:
        phone = self.phone_of(request)
        if phone is not None:
            self.phones.forget(phone.id)
            await self.drop_unknown()
        answer = web.json_response({})
        answer.del_cookie(self.cookie, path="/")
        return answer

    async def drop_unknown(self) -> None:
        """Ends the WebSockets of phones that were paired and are not any more."""
        for visitor in [
            visitor for visitor in self.visitors if visitor.phone is not None and not self.phones.known(visitor.phone)
        ]:
            await visitor.close()

    def drop_soon(self) -> None:
        """The same, begun from the server's thread outside of a request."""
        self._dropping = asyncio.get_running_loop().create_task(self.drop_unknown())

    # -- what is followed --------------------------------------------------------------------------------------------

    def set_state(self, state: State) -> None:
        """There is something new to follow."""
        self.state = state
        self._patches.clear()
        for visitor in self.visitors:
            self._post_state(visitor)

    def may_look(self, visitor: Visitor) -> bool:
        """Whether a visitor may follow."""
        return visitor.phone is not None or self.open_to_look

    def _post_state(self, visitor: Visitor) -> None:
        if self.may_look(visitor):
            visitor.post("state", lambda: self._news(visitor))

    def _news(self, visitor: Visitor) -> str | None:
        old, new = visitor.known, self.state
        visitor.known = new
        if old is new:
            return None
        if old is None:
            return packed({"state": new})
        pair = (id(old), id(new))
        if pair not in self._patches:
            self._patches[pair] = packed({"change": changes(old, new)})
        return self._patches[pair]

    def greeting(self, visitor: Visitor) -> Mapping[str, Any]:
        """The first thing a visitor hears."""
        return {"paired": visitor.phone is not None, "open": self.may_look(visitor)}

    async def _live(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT_S, max_msg_size=self._limits.message_bytes, compress=False, timeout=2.0
        )
        if not socket.can_prepare(request):
            return web.Response(status=426)
        visitor = Visitor(socket, self.phone_of(request), own_language(request))
        address = request.remote or ""
        host = visitor.phone is not None or address in LOOPBACK
        may, gone = self._places.enters(visitor, address, host, without_limit=host)
        if gone is not None:
            gone.drop()
        if not may:
            return web.Response(status=503, headers={"Retry-After": "10"})
        try:
            await socket.prepare(request)
        except BaseException:
            self._places.leaves(visitor)
            raise
        visitor.transport = request.transport
        if visitor.dropped:
            visitor.drop()
        self.visitors.add(visitor)
        pump = asyncio.create_task(visitor.pump())
        transport = request.transport
        if transport is not None:  # Once nothing can be sent, nothing is heard either.
            pump.add_done_callback(lambda _: transport.close())
        try:
            visitor.tell("hello", {"hello": self.greeting(visitor)})
            self._post_state(visitor)
            async for message in socket:
                if message.type is not WSMsgType.TEXT or not await self._heard(visitor, request, message.data):
                    break
        finally:
            self.visitors.discard(visitor)
            self._places.leaves(visitor)
            visitor.wants = frozenset()
            self.looks(visitor)
            pump.cancel()
            with contextlib.suppress(asyncio.CancelledError, ClientConnectionResetError, ConnectionError):
                await pump
        await socket.close()
        return socket

    async def _heard(self, visitor: Visitor, request: web.Request, text: str) -> bool:
        """One message of a visitor. False: nothing more is heard of it."""
        if (request.remote or "") not in LOOPBACK and not self._paced(request.remote or ""):
            return False
        try:
            raw = Fields(read_object(text, self._limits.message_bytes))
            if "look" in raw:
                visitor.wants = frozenset(text for text in raw.texts("look", 8) if text)
                self.looks(visitor)
                return True
            if visitor.waiting > MOST_WAITING:
                return False
            number, what, facts = raw.whole("id", -LARGEST), raw.text("ask", 40), raw.object("facts", {})
        except BadJson:
            return False
        visitor.tell(f"done {number}", {"done": number, **await self._answer(visitor, what, facts)})
        return True

    async def _answer(self, visitor: Visitor, what: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        paired = visitor.phone is not None and self.phones.known(visitor.phone)
        if not paired and not (self.may_look(visitor) and self.only_looks(what, facts)):
            return {"refused": "not_paired"}
        try:
            return {"value": await self.asked(visitor, what, facts)}
        except Refused as error:
            return {"refused": error.code, **error.facts}
        except (KeyError, TypeError, ValueError) as error:
            log.info("the page asked for what cannot be: %.50r: %.200r", what, str(error))
            return {"refused": "unknown"}
        except Exception:  # Whatever was asked for: the line, and with it the page, stays up.
            log.exception("the page asked for what could not be done: %.50r", what)
            return {"refused": "unknown"}


def own_language(request: web.Request) -> str:
    """The language that a phone has chosen for itself; "": none."""
    language = request.cookies.get(LANGUAGE_COOKIE, "")
    return language if language in LANGUAGES else ""


def device_name(agent: str) -> str:
    """What a phone is called in the list of phones, by what its browser says."""
    systems = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
    browsers = (("Firefox", "Firefox"), ("SamsungBrowser", "Samsung"), ("Edg", "Edge"), ("Chrome", "Chrome"),
                ("Safari", "Safari"))  # fmt: skip
    system = next((system for system in systems if system in agent), "?")
    browser = next((name for sign, name in browsers if sign in agent), "?")
    return f"{system.replace('Macintosh', 'Mac')} · {browser}"
