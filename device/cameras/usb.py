"""A camera on USB, through OpenCV: the newest frame it has, held steady, and word of it when it is unplugged."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

# Seconds that OpenCV waits for a frame of a silent camera; its own 10 would look like a program that hangs.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")

import cv2

from device import words
from device.cameras import CameraAway
from device.cameras.controls import Controls, lacking, lock, meter, readings, set_exposure, tame
from device.cameras.metering import LOCK, METER, Metering
from device.keeping.camera_names import usb_cameras, usb_number
from vision.frame import Frame

log = logging.getLogger(__name__)
MISSES = 3
"""Reads in a row without a picture before it counts as gone: some cameras drop the first ones after they wake."""
SAMPLED = 8
"""Of the picture's pixels, one in so many each way tells how light it is."""
AS_LIGHT = 0.1
"""A picture whose level is within this share of what it was before the lock is as light."""
GAMMA = 2.2
"""Of a webcam's picture: twice the exposure makes it brighter by the 2.2th root of two."""
TRIES = 6
"""How often the exposure is put right after a lock. Some webcams do not tell what their metering set."""
TRY_S = 0.5
"""Between two of these: a new exposure takes a few frames."""


class UsbCamera:
    """Whatever V4L2 knows: metered and focused until the scene has settled, then locked."""

    def __init__(
        self,
        spec: str,
        size: tuple[int, int],
        fps: float,
        mains_hz: int | None = 50,
        root: Path = Path("/"),
        controls: Callable[[Path], Controls] = Controls,
    ) -> None:
        """spec: as device/keeping/camera_names.py knows them."""
        number = usb_number(spec, root)
        there = usb_cameras(root)
        named = "0" if spec == "usb" else spec.removeprefix("usb:")
        self._number = named if named.isdecimal() or number not in there else str(list(there).index(number))
        path = root / f"dev/video{number}"
        if number is None or not path.exists():  # OpenCV would say this on the terminal, in its own words.
            raise self._away("usb_none", others=lambda language: _others(there, None, language))
        if not os.access(path, os.R_OK | os.W_OK):
            raise self._away("usb_refused")
        real = path.is_char_device()
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2 if real else cv2.CAP_ANY)
        if not self._capture.isOpened():
            raise self._away("usb_busy", others=lambda language: _others(there, number, language))
        # Over USB 2 only JPEG carries 1,280 x 960 often enough; one buffer, so that what is read is new.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        try:
            self._hold: _Hold | None = _Hold(controls(path), mains_hz)
        except OSError as error:
            log.warning("%s: its light and focus cannot be set: %s", self.name, error)
            self._hold = None

    @property
    def name(self) -> str:
        return self._named("en")

    @property
    def lacks(self) -> tuple[str, ...]:
        """What this camera cannot hold steady: light, colours, focus, flicker."""
        return self._hold.lacks if self._hold is not None else ()

    def frame(self) -> Frame | None:
        """The next frame. CameraAway when none comes."""
        for _ in range(MISSES):
            there, image = self._capture.read()
            if there:
                at_s = time.monotonic()
                if self._hold is None:
                    return Frame(image, at_s)
                level = float(image[::SAMPLED, ::SAMPLED].mean())
                try:
                    self._hold.look(level, at_s)
                except OSError as error:
                    raise self._away("usb_silent") from error
                return Frame(image, at_s, about={"Locked": self._hold.locked})
        raise self._away("usb_silent")

    def _named(self, language: str) -> str:
        return words.say(language, "camera-usb_name", number=self._number)

    def _away(self, code: str, **facts: object) -> CameraAway:
        return CameraAway(code, name=self._named, **facts)

    def close(self) -> None:
        """Lets go of it; harmless twice."""
        self._capture.release()
        if self._hold is not None:
            self._hold.close()


class _Hold:
    """Locks what has settled, and sees to it that the picture stays as light as it was."""

    def __init__(self, controls: Controls, mains_hz: int | None) -> None:
        self._controls = controls
        self._metering = Metering()
        tame(controls, mains_hz)
        self.lacks = lacking(controls, mains_hz)
        self._wanted_level = 0.0
        self._tries = 0
        self._next_s = 0.0

    @property
    def locked(self) -> bool:
        return self._metering.locked

    def look(self, level: float, at_s: float) -> None:
        """A frame came. OSError: the camera is gone."""
        if self._tries:
            self._put_right(level, at_s)
            return
        # A locked camera tells nothing new; what the picture shows settles as its metering does.
        values = () if self._metering.locked else (*readings(self._controls), 1.0 + level)
        wish = self._metering.look(values, True, level, at_s)
        if wish == LOCK:
            lock(self._controls)
            self._wanted_level, self._tries, self._next_s = level, TRIES, at_s + TRY_S
        elif wish == METER:
            meter(self._controls)

    def _put_right(self, level: float, at_s: float) -> None:
        """After a lock: is the picture as light as before? A webcam that does not tell what its metering set starts
        from something else."""
        if at_s < self._next_s:
            return
        self._tries -= 1
        self._next_s = at_s + TRY_S
        if abs(level - self._wanted_level) <= AS_LIGHT * self._wanted_level:
            self._tries = 0
        elif not self._tries or not set_exposure(self._controls, (self._wanted_level / max(level, 1.0)) ** GAMMA):
            self._tries = 0
            log.warning("the camera cannot hold its light: it goes on metering")
            meter(self._controls)

    def close(self) -> None:
        self._controls.close()


def _others(there: dict[int, str], but: int | None, language: str) -> str:
    """Which cameras there are instead."""
    named = [f"usb:{nth}" + (f" ({name})" if name else "") for nth, name in enumerate(there.values())]
    names = ", ".join(name for name, number in zip(named, there, strict=True) if number != but)
    return words.say(language, "camera-usb_others", names=names) if names else ""
