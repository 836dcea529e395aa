"""Pictures over HTTP, as the camera apps of phones offer them: where at an address they are, and one after the other.

Nothing here decodes a picture.
"""

import socket
import ssl
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from http.client import HTTPException
from typing import Any, NamedTuple, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import (
    HTTPBasicAuthHandler,
    HTTPDefaultErrorHandler,
    HTTPDigestAuthHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPPasswordMgrWithDefaultRealm,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
)

MOVING, SINGLE, PAGE, OTHER = "moving", "single", "page", "other"
"""What an address gives: pictures without end, one picture, a page to read, anything else."""
PATHS = ("/video", "/mjpegfeed", "/videofeed", "/stream", "/shot.jpg", "/snapshot", "/photo.jpg")
"""Where camera apps have their picture; moving ones first."""
PORTS = (80, 8080, 4747, 8081)
"""Tried where an address has none: HTTP's own, and those that camera apps listen on."""
MOST_BYTES = 16_000_000
"""Of one picture, packed. A 12-megapixel JPEG has 5 MB."""
LINE_BYTES = 1024
"""Of a line between two pictures."""


class SourceRefused(OSError):
    """The address answers, but gives no picture; code: one of the words under [cameras]."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


class PictureSource(NamedTuple):
    """Where the pictures are, and which kind."""

    address: str
    kind: str


class HttpAnswer(Protocol):
    """What urllib opens."""

    headers: Any

    def read(self, most: int) -> bytes: ...
    def readline(self, most: int) -> bytes: ...
    def close(self) -> None: ...


class PictureSite:
    """One address with its user and password."""

    def __init__(self, address: str, wait_s: float) -> None:
        """wait_s: the longest wait for an answer."""
        parts = urlsplit(address)
        self._wait_s = wait_s
        self._scheme, self._host = parts.scheme, parts.netloc.rpartition("@")[2]
        self.address = urlunsplit(parts._replace(netloc=self._host))
        self._opener = OpenerDirector()
        known = HTTPPasswordMgrWithDefaultRealm()
        if parts.username is not None:
            known.add_password(None, self.root, unquote(parts.username), unquote(parts.password or ""))
        for handler in (
            HTTPHandler(),
            HTTPSHandler(),
            HTTPRedirectHandler(),
            HTTPErrorProcessor(),
            HTTPDefaultErrorHandler(),
            HTTPBasicAuthHandler(known),
            HTTPDigestAuthHandler(known),
        ):
            self._opener.add_handler(handler)

    @property
    def root(self) -> str:
        """The address without its path."""
        return f"{self._scheme}://{self._host}"

    def open(self, address: str) -> HttpAnswer:
        """What the address answers. Refused: it wants a password, has no such page, or hides who it is."""
        try:
            answer: HttpAnswer = self._opener.open(
                Request(address, headers={"User-Agent": "Hisabu"}), timeout=self._wait_s
            )
        except HTTPError as error:
            error.close()
            if error.code in (401, 403):
                raise SourceRefused("net_password") from error
            raise SourceRefused(
                "net_not_found" if error.code in (404, 410) else "net_error", status=error.code
            ) from error
        except URLError as error:
            if isinstance(error.reason, ssl.SSLError):
                raise SourceRefused("net_certificate") from error
            raise ConnectionError(str(error.reason)) from error
        except (HTTPException, ValueError) as error:
            raise SourceRefused("net_odd") from error
        return answer


def kind_of(answer: HttpAnswer) -> str:
    """What an answer says that it holds."""
    kind = answer.headers.get_content_type()
    if kind == "multipart/x-mixed-replace":
        return MOVING
    if kind in ("image/jpeg", "image/jpg", "image/png", "image/webp"):
        return SINGLE
    return PAGE if kind in ("text/html", "application/xhtml+xml", "text/plain") else OTHER


def find(site: PictureSite) -> PictureSource:
    """Where at this address the pictures are. OSError: nothing answers; Refused: what it answers is none."""
    refused: SourceRefused | None = None
    for address in _places(site):
        try:
            with closing(site.open(address)) as answer:
                kind = kind_of(answer)
        except SourceRefused as error:
            if error.code in ("net_password", "net_certificate"):
                raise
            refused = refused or error
            continue
        if kind in (MOVING, SINGLE):
            return PictureSource(address, kind)
        if address == site.address:
            refused = SourceRefused("net_page" if kind == PAGE else "net_odd")
    assert refused is not None
    raise refused


def _places(site: PictureSite) -> Iterator[str]:
    """The address itself, then where apps have their picture."""
    yield site.address
    yield from (there for path in PATHS if (there := site.root + path) != site.address)


def pictures(site: PictureSite, found: PictureSource, least_s: float) -> Generator[bytes, None, None]:
    """One packed picture after the other, until the address gives none. OSError: it does not answer any more.

    least_s: the shortest time between two pictures that are asked for singly.
    """
    if found.kind == MOVING:
        with closing(site.open(found.address)) as answer:
            yield from parts(answer, answer.headers.get_param("boundary") or "")
        return
    while True:
        asked_s = time.monotonic()
        with closing(site.open(found.address)) as answer:
            yield _picture(answer, None)
        time.sleep(max(0.0, least_s - (time.monotonic() - asked_s)))


def parts(answer: HttpAnswer, boundary: str) -> Iterator[bytes]:
    """The parts of a multipart answer. Apps disagree whether the dashes before a boundary belong to it."""
    mark = boundary.strip('"').strip("-").encode()
    try:
        line = answer.readline(LINE_BYTES)
        while line:
            if not _is_boundary(line, mark):
                line = answer.readline(LINE_BYTES)
                continue
            length = None
            while (line := answer.readline(LINE_BYTES)).strip():
                name, _, value = line.partition(b":")
                if name.strip().lower() == b"content-length" and value.strip().isdigit():
                    length = int(value)
            if length is None:
                packed, line = _until_boundary(answer, mark)
            else:
                packed, line = _picture(answer, length), answer.readline(LINE_BYTES)
            if packed:
                yield packed
    except (HTTPException, ValueError) as error:
        raise ConnectionError(str(error)) from error


def _is_boundary(line: bytes, mark: bytes) -> bool:
    return line.startswith(b"--") and line.strip().strip(b"-") == mark


def _until_boundary(answer: HttpAnswer, mark: bytes) -> tuple[bytes, bytes]:
    """A part that does not say how long it is, and the boundary after it."""
    packed = bytearray()
    while line := answer.readline(LINE_BYTES):
        if _is_boundary(line, mark):
            break
        packed += line
        if len(packed) > MOST_BYTES:
            raise ConnectionError("a picture without end")
    return bytes(packed).removesuffix(b"\n").removesuffix(b"\r"), line


def _picture(answer: HttpAnswer, length: int | None) -> bytes:
    if length is not None and length > MOST_BYTES:
        raise ConnectionError("a picture too large")
    packed = answer.read(MOST_BYTES + 1 if length is None else length)
    if len(packed) > MOST_BYTES or (length is not None and len(packed) < length):
        raise ConnectionError("a picture cut off")
    return packed


def port_that_answers(host: str, wait_s: float) -> int | None:
    """The first of the usual ports that somebody listens on."""
    for port in PORTS:
        try:
            socket.create_connection((host, port), wait_s).close()
        except OSError:
            continue
        return port
    return None


def speaks_rtsp(host: str, port: int, wait_s: float) -> bool:
    """Whether a port answers to RTSP, as IP Webcam's does beside its page."""
    asked = f"OPTIONS rtsp://{host}:{port}/ RTSP/1.0\r\nCSeq: 1\r\n\r\n"
    try:
        with socket.create_connection((host, port), wait_s) as line:
            line.settimeout(wait_s)
            line.sendall(asked.encode())
            return line.recv(16).startswith(b"RTSP/")
    except OSError:
        return False
