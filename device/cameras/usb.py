"""A camera on USB, through OpenCV: the newest frame it has, and word of it when it is unplugged."""

import os
import time
from pathlib import Path

# Seconds that OpenCV waits for a frame of a silent camera; its own 10 would look like a program that hangs.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")

import cv2

from device.cameras import CameraAway
from vision.frame import Frame

PLUG = "Is its plug in? `hisabu doctor` shows more."
MISSES = 3
"""Reads in a row without a picture before it counts as gone: some cameras drop the first ones after they wake."""


class UsbCamera:
    """Whatever V4L2 knows under a number."""

    def __init__(self, number: int, size: tuple[int, int], fps: float, root: Path = Path("/")) -> None:
        self._name = f"USB camera {number}"
        path = root / f"dev/video{number}"
        if not path.exists():  # OpenCV would say this on the terminal, in its own words.
            others = sorted(one.name.removeprefix("video") for one in path.parent.glob("video*"))
            there = f" There is usb:{', usb:'.join(others)}." if others else ""
            raise CameraAway(f"No {self._name} answers.{there} {PLUG}")
        if not os.access(path, os.R_OK | os.W_OK):
            raise CameraAway(f"The {self._name} may not be opened: `sudo adduser $USER video`, then log in again.")
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2 if path.is_char_device() else cv2.CAP_ANY)
        if not self._capture.isOpened():
            raise CameraAway(
                f"The {self._name} cannot be opened. Does another program use it, or is it usb:{number + 1}?"
            )
        # Over USB 2 only JPEG carries 1,280 x 960 often enough; one buffer, so that what is read is new.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    @property
    def name(self) -> str:
        return self._name

    def frame(self) -> Frame | None:
        """The next frame. CameraAway when none comes."""
        for _ in range(MISSES):
            there, image = self._capture.read()
            if there:
                return Frame(image, time.monotonic())
        raise CameraAway(f"The {self._name} gives no more pictures. {PLUG}")

    def close(self) -> None:
        """Lets go of it; harmless twice."""
        self._capture.release()
