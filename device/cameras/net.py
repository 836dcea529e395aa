"""A camera at an address: a phone that sends its picture over http, or any camera that speaks rtsp."""

import atexit
import re
import threading
import time
from collections.abc import Generator
from contextlib import closing
from urllib.parse import urlsplit, urlunsplit

import cv2

from device.cameras import CameraAway
from device.cameras.coded import NotAPicture, decode, of_a_table, open_film
from device.cameras.pictures_over_http import (
    PictureSite,
    PictureSource,
    SourceRefused,
    find,
    pictures,
    port_that_answers,
    speaks_rtsp,
)
from vision.frame import Frame, Image

ERRORS_ALONE = 2
"""OpenCV's own word for what it logs: an address where nothing answers is told by us."""
ANSWER_S = 5.0
"""Longest wait for an answer or for a picture: a phone's wireless network sleeps for up to 2 s."""
DAMAGED_IN_A_ROW = 5
"""So many pictures in a row that do not open are no accident of the network: the camera sends something else."""
PORT_S = 1.0
"""Longest wait for a port that may not be there."""
CLOSE_S = 1.0
"""How long closing waits for the reader: within the time the loop gives all parts together."""
RTSP_PATHS = ("/h264_pcm.sdp", "/h264_ulaw.sdp", "/live")
"""Where apps have their film, beside a page at the same port."""
Pictures = Generator[bytes | Image, None, None]
"""One after the other, packed or as they are."""
_SECRET = re.compile(r"//[^/@]*@")


class NoTable(CameraAway):
    """Its picture is too small for one of a table; said as it is of a file."""

    topic = NotAPicture.topic


class NetCamera:
    """Always its newest picture. Those that nobody had time for are left out, and not even decoded."""

    def __init__(self, address: str, fps: float) -> None:
        """CameraAway: nothing answers there, or no picture."""
        self._address = address if "://" in address else f"http://{address}"
        self._least_s = 1 / fps
        self._newest: tuple[bytes | Image, float] | None = None
        self._changed = threading.Condition()
        self._closed = self._over = False
        try:
            source = self._source()
        except ValueError as error:  # No host is called so.
            raise CameraAway("net_none", address=self.name) from error
        self._reader = threading.Thread(target=self._read, args=(source,), name="camera at an address", daemon=True)
        self._reader.start()
        # FFmpeg in a thread that outlives the interpreter would end the program with a signal.
        atexit.register(self._stop, ANSWER_S)

    @property
    def name(self) -> str:
        """The address, without the name and the password that may be in it."""
        return _SECRET.sub("//", self._address)

    def frame(self) -> Frame | None:
        """The newest frame that opens. CameraAway when none comes, or none that can be of a table."""
        until_s = time.monotonic() + ANSWER_S
        for _ in range(DAMAGED_IN_A_ROW):
            picture, at_s = self._next(until_s)
            try:
                image = decode(picture) if isinstance(picture, bytes) else picture
            except NotAPicture:
                continue  # The network cut it: the next one will do.
            try:
                return Frame(of_a_table(image), at_s)
            except NotAPicture as error:
                raise NoTable(error.code, **error.facts) from error
        raise CameraAway("net_odd", address=self.name)

    def _next(self, until_s: float) -> tuple[bytes | Image, float]:
        """The newest picture, as it came, and when. CameraAway: none comes by then."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._over, max(0.0, until_s - time.monotonic()))
            newest, self._newest = self._newest, None
        if newest is None:
            raise CameraAway("net_silent", address=self.name)
        return newest

    def close(self) -> None:
        """Looks no more; harmless twice."""
        self._stop(CLOSE_S)
        if not self._reader.is_alive():
            atexit.unregister(self._stop)

    def _stop(self, wait_s: float) -> None:
        self._closed = True
        self._reader.join(wait_s)

    # -- finding the pictures ----------------------------------------------------------------------------------------

    def _source(self) -> Pictures:
        """Where the pictures come from. CameraAway, ValueError: from nowhere."""
        parts = urlsplit(self._address)
        if parts.scheme == "rtsp":
            return self._film(self._address)
        host, port = parts.hostname, parts.port
        if not host:
            raise CameraAway("net_none", address=self.name)
        if port is None and parts.scheme == "http":
            port = port_that_answers(host, PORT_S)
            if port is None:
                raise CameraAway("net_none", address=self.name)
            self._address = urlunsplit(parts._replace(netloc=f"{parts.netloc}:{port}"))
        site = PictureSite(self._address, ANSWER_S)
        try:
            found = find(site)
        except SourceRefused as error:
            if error.code not in ("net_password", "net_certificate") and speaks_rtsp(host, port or 443, PORT_S):
                return self._beside_a_page(parts.netloc.rpartition(":")[0] or parts.netloc, port or 443)
            raise CameraAway(error.code, address=self.name, **error.facts) from error
        except OSError as error:
            raise CameraAway("net_none", address=self.name) from error
        self._address = self._address if found.address == site.address else self._with_path(found)
        return pictures(site, found, self._least_s)

    def _with_path(self, found: PictureSource) -> str:
        """The address where the picture was found, with the user and the password that were given."""
        given, there = urlsplit(self._address), urlsplit(found.address)
        return urlunsplit(there._replace(netloc=given.netloc))

    def _beside_a_page(self, host: str, port: int) -> Pictures:
        for path in RTSP_PATHS:
            address = f"rtsp://{host}:{port}{path}"
            try:
                film = self._film(address)
            except CameraAway:
                continue
            self._address = address
            return film
        raise CameraAway("net_page", address=self.name)

    def _film(self, address: str) -> Pictures:
        """A film's pictures, as FFmpeg decodes them. CameraAway: it does not open."""
        getattr(cv2.utils, "logging", cv2).setLogLevel(ERRORS_ALONE)  # Up to 4.12 it was cv2's own.
        limit_ms = round(1000 * ANSWER_S)
        waits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
        stream = open_film(address, dict.fromkeys(waits, limit_ms))
        if stream is None:
            raise CameraAway("net_none", address=self.name)
        return _images(stream)

    # -- the reader --------------------------------------------------------------------------------------------------

    def _read(self, source: Pictures) -> None:
        """Reads until it breaks off."""
        try:
            with closing(source):
                for picture in source:
                    with self._changed:
                        self._newest = (picture, time.monotonic())
                        self._changed.notify_all()
                    if self._closed:
                        break
        except OSError:
            pass  # Whoever waits for a picture is told that none comes.
        finally:
            with self._changed:
                self._over = True
                self._changed.notify_all()


def _images(stream: cv2.VideoCapture) -> Pictures:
    try:
        while True:
            there, image = stream.read()
            if not there:
                return
            yield image
    finally:
        stream.release()
