"""A small page of its own on a real port, and short ways to ask it things as browsers and as strangers do."""

import asyncio
import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from device.web.files import file_of
from device.web.pairing import Pairing, Phone, Phones
from device.web.server import VisitorLimits, WebServer
from device.web.site import Refused, Site, Visitor

QUICK = VisitorLimits(request_s=0.4, stuck_s=0.6, sweep_s=0.1, connections=12, visitors=6)
WAIT_S = 20.0
"""For a message that comes: a process that must start first may take its time on a busy machine."""


class Small(Site):
    """A page that shows one word and says back what it is asked."""

    opened = True

    def __init__(self, folder: Path, limits: VisitorLimits | None = None) -> None:
        self.codes: list[str | None] = []
        files = {
            "/index.html": file_of("index.html", b"<!doctype html><title>{title}</title>"),
            "/app.js": file_of("app.js", b"export const a = 1;\n" * 50),
        }
        super().__init__(files, Phones(folder), Pairing(self.codes.append), limits)
        self.limits = limits or VisitorLimits()

    @property
    def open_to_look(self) -> bool:
        return self.opened

    def page(self, request: web.Request, phone: Phone | None) -> Mapping[str, str]:
        return {"title": "paired <b>" if phone else "<script>"}

    async def asked(self, visitor: Visitor, what: str, facts: Mapping[str, Any]) -> Any:
        if what == "refuse":
            raise Refused("no")
        return {"said": facts["word"]}


@contextmanager
def served(site: Small) -> Iterator[int]:
    """Its port."""
    server = WebServer([("127.0.0.1", 0)], site.app, site.limits)
    server.start()
    assert server.place is not None
    site.port = server.place[1]
    try:
        yield site.port
    finally:
        server.close()


def raw(port: int, text: bytes, wait_s: float = 3.0) -> bytes:
    """What comes back for these bytes until the other end closes; what came until then, if it does not."""
    with socket.create_connection(("127.0.0.1", port), wait_s) as connection:
        connection.sendall(text)
        found = b""
        try:
            while more := connection.recv(65536):
                found += more
        except (TimeoutError, ConnectionError):
            pass
        return found


def get(port: int, path: str, *headers: str) -> bytes:
    """One request as a stranger writes it, byte by byte."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close", *headers]
    return raw(port, "\r\n".join([*lines, "", ""]).encode())


def upgrade(port: int) -> bytes:
    """What opens a WebSocket."""
    at = f"127.0.0.1:{port}"
    lines = ["GET /live HTTP/1.1", f"Host: {at}", f"Origin: http://{at}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==", "Sec-WebSocket-Version: 13"]
    return "\r\n".join([*lines, "", ""]).encode()


def status(answer: bytes) -> int:
    """The status of an answer; 0: there was none."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0


class Browser:
    """A phone: its cookies, its origin."""

    def __init__(self, port: int) -> None:
        self.at = f"http://127.0.0.1:{port}"
        self.session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def __aenter__(self) -> "Browser":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.session.close()

    async def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        told = {"Origin": self.at, **headers}
        async with self.session.post(self.at + path, json=body, headers=told) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text.startswith("{") else text

    async def pair(self, site: Small) -> None:
        site.pairing.open()
        assert (await self.post("/pair", {"code": site.codes[-1]}))[0] == 200

    async def live(self, **headers: str) -> aiohttp.ClientWebSocketResponse:
        return await self.session.ws_connect(self.at + "/live", headers={"Origin": self.at, **headers})


async def heard(line: aiohttp.ClientWebSocketResponse, name: str) -> Any:
    """The next message that holds this."""
    async with asyncio.timeout(WAIT_S):
        while True:
            message = await line.receive_json()
            if name in message:
                return message[name] if name != "done" else message
