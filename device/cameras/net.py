"""A camera at an address: a phone that sends its picture over http, or any camera that speaks rtsp."""

import re
import threading
import time

import cv2

from device.cameras import CameraAway
from device.cameras.coded import open_film
from vision.frame import Frame, Image

ERRORS_ALONE = 2
"""OpenCV's own word for what it logs: an address where nothing answers is told by us."""
ANSWER_S = 5.0
"""Longest wait for an answer or for a picture: a phone's wireless network sleeps for up to 2 s."""
_SECRET = re.compile(r"//[^/@]*@")


class NetCamera:
    """Always its newest picture: those that nobody had time for are left out, so that it never runs behind."""

    def __init__(self, address: str, fps: float) -> None:
        """CameraAway: nothing answers there."""
        self._address = address
        self._least_s = 1 / fps
        self._newest: Frame | None = None
        self._changed = threading.Condition()
        self._closed = self._over = False
        stream = self._open()
        if stream is None:
            raise CameraAway("net_none", address=self.name)
        threading.Thread(target=self._read, args=(stream,), name="camera at an address", daemon=True).start()

    @property
    def name(self) -> str:
        """The address, without the name and the password that may be in it."""
        return _SECRET.sub("//", self._address)

    def frame(self) -> Frame | None:
        """The newest frame. CameraAway when none comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._over, ANSWER_S)
            frame, self._newest = self._newest, None
        if frame is None:
            raise CameraAway("net_silent", address=self.name)
        return frame

    def close(self) -> None:
        """Looks no more; harmless twice."""
        self._closed = True

    def _open(self) -> cv2.VideoCapture | None:
        # It moved from 4.9 to 4.12.
        log_level = cv2.setLogLevel if hasattr(cv2, "setLogLevel") else cv2.utils.logging.setLogLevel
        log_level(ERRORS_ALONE)
        limit_ms = round(1000 * ANSWER_S)
        waits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
        return open_film(self._address, dict.fromkeys(waits, limit_ms))

    def _read(self, stream: cv2.VideoCapture | None) -> None:
        """Reads until it breaks off. An address that gives a single picture each time is asked again and again."""
        while stream is not None and not self._closed:
            began_s, read = time.monotonic(), 0
            while not self._closed:
                there, image = stream.read()
                if not there:
                    break
                read += 1
                self._tell(image)
            stream.release()
            if read != 1 or self._closed:
                break
            time.sleep(max(0.0, self._least_s - (time.monotonic() - began_s)))
            stream = self._open()
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _tell(self, image: Image) -> None:
        with self._changed:
            self._newest = Frame(image, time.monotonic())
            self._changed.notify_all()
