"""A camera on USB, through OpenCV: the newest frame it has, and word of it when it is unplugged."""

import os
import time
from pathlib import Path

# Seconds that OpenCV waits for a frame of a silent camera; its own 10 would look like a program that hangs.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")

import cv2

from device import words
from device.cameras import CameraAway
from vision.frame import Frame

MISSES = 3
"""Reads in a row without a picture before it counts as gone: some cameras drop the first ones after they wake."""


class UsbCamera:
    """Whatever V4L2 knows under a number."""

    def __init__(self, number: int, size: tuple[int, int], fps: float, root: Path = Path("/")) -> None:
        self._number = number
        path = root / f"dev/video{number}"
        if not path.exists():  # OpenCV would say this on the terminal, in its own words.
            there = sorted(one.name.removeprefix("video") for one in path.parent.glob("video*"))
            raise self._away("usb_none", others=lambda language: _others(there, language))
        if not os.access(path, os.R_OK | os.W_OK):
            raise self._away("usb_refused")
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2 if path.is_char_device() else cv2.CAP_ANY)
        if not self._capture.isOpened():
            raise self._away("usb_busy", next=number + 1)
        # Over USB 2 only JPEG carries 1,280 x 960 often enough; one buffer, so that what is read is new.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    @property
    def name(self) -> str:
        return self._named("en")

    def frame(self) -> Frame | None:
        """The next frame. CameraAway when none comes."""
        for _ in range(MISSES):
            there, image = self._capture.read()
            if there:
                return Frame(image, time.monotonic())
        raise self._away("usb_silent")

    def _named(self, language: str) -> str:
        return str(words.table(language)["cameras"]["usb_name"]).format(number=self._number)

    def _away(self, code: str, **facts: object) -> CameraAway:
        return CameraAway(code, name=self._named, **facts)

    def close(self) -> None:
        """Lets go of it; harmless twice."""
        self._capture.release()


def _others(numbers: list[str], language: str) -> str:
    """Which cameras there are instead."""
    names = ", ".join(f"usb:{one}" for one in numbers)
    return str(words.table(language)["cameras"]["usb_others"]).format(names=names) if numbers else ""
