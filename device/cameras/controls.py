"""The knobs of a camera on USB: V4L2's controls, through its ioctls. The numbers are those of linux/v4l2-controls.h."""

import errno
import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path

POWER_LINE_FREQUENCY = 0x00980918
AUTO_WHITE_BALANCE, WHITE_BALANCE_K = 0x0098090C, 0x0098091A
AUTO_GAIN, GAIN = 0x00980912, 0x00980913
EXPOSURE_MODE, EXPOSURE_TIME, EXPOSURE_FOLLOWS_RATE = 0x009A0901, 0x009A0902, 0x009A0903
AUTO_FOCUS, FOCUS = 0x009A090C, 0x009A090A
BY_HAND = 1
"""Of EXPOSURE_MODE; webcams meter in mode 3, a few in 0."""
METERS = (3, 0)
LINE_HZ = {None: 0, 50: 1, 60: 2}
DISABLED = 0x0001
"""A flag of a control that is there in name only."""
_QUERY, _VALUE = struct.Struct("=II32siiiiI8x"), struct.Struct("=Ii")
_BOTH_WAYS, _KIND = 3 << 30, ord("V") << 8


def _request(number: int, layout: struct.Struct) -> int:
    return _BOTH_WAYS | layout.size << 16 | _KIND | number


VIDIOC_G_CTRL, VIDIOC_S_CTRL, VIDIOC_QUERYCTRL = _request(27, _VALUE), _request(28, _VALUE), _request(36, _QUERY)
Ioctl = Callable[[int, int, bytearray], object]


class Controls:
    """The controls of one camera. What it lacks, or refuses, is left as it is: get gives None, set gives False."""

    def __init__(self, path: Path, ioctl: Ioctl = fcntl.ioctl) -> None:
        """OSError: the device cannot be opened."""
        self._ioctl = ioctl
        self._file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def has(self, control: int) -> bool:
        """Whether the camera has it."""
        asked = self._ask(VIDIOC_QUERYCTRL, _QUERY.pack(control, 0, b"", 0, 0, 0, 0, 0))
        return asked is not None and not _QUERY.unpack(asked)[7] & DISABLED

    def get(self, control: int) -> int | None:
        """What it is set to; of one that the camera sets by itself, what it is now."""
        asked = self._ask(VIDIOC_G_CTRL, _VALUE.pack(control, 0))
        return None if asked is None else int(_VALUE.unpack(asked)[1])

    def set(self, control: int, value: int) -> bool:
        """Sets it."""
        return self._ask(VIDIOC_S_CTRL, _VALUE.pack(control, value)) is not None

    def close(self) -> None:
        """Lets go of the device; harmless twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _ask(self, request: int, packed: bytes) -> bytes | None:
        """What the driver answers. None: it does not know or does not want that. OSError: the camera is gone."""
        asked = bytearray(packed)
        try:
            self._ioctl(self._file, request, asked)
        except OSError as error:
            if error.errno in (errno.ENODEV, errno.EBADF):
                raise
            return None
        return bytes(asked)


def tame(controls: Controls, mains_hz: int | None) -> None:
    """As a table wants it from the start: no flicker, a steady rate, and metering by itself until it has settled."""
    controls.set(POWER_LINE_FREQUENCY, LINE_HZ.get(mains_hz, 0))
    controls.set(EXPOSURE_FOLLOWS_RATE, 0)
    meter(controls)


def meter(controls: Controls) -> None:
    """Light, colours and focus by the camera itself."""
    any(controls.set(EXPOSURE_MODE, mode) for mode in METERS)
    for automatic in (AUTO_GAIN, AUTO_WHITE_BALANCE, AUTO_FOCUS):
        controls.set(automatic, 1)


def lock(controls: Controls) -> None:
    """Light, colours and focus stay as they are now."""
    held = [(control, controls.get(control)) for control in (EXPOSURE_TIME, GAIN, WHITE_BALANCE_K, FOCUS)]
    controls.set(EXPOSURE_MODE, BY_HAND)
    for automatic in (AUTO_GAIN, AUTO_WHITE_BALANCE, AUTO_FOCUS):
        controls.set(automatic, 0)
    for control, value in held:
        if value is not None:
            controls.set(control, value)


def set_exposure(controls: Controls, factor: float) -> bool:
    """Exposes so many times as long."""
    now = controls.get(EXPOSURE_TIME)
    return now is not None and controls.set(EXPOSURE_TIME, max(1, round(now * factor)))


def lacking(controls: Controls, mains_hz: int | None) -> tuple[str, ...]:
    """What a camera cannot hold steady: light, colours, focus, flicker. One without autofocus lacks nothing there."""
    parts = {
        "light": controls.has(EXPOSURE_MODE) and controls.has(EXPOSURE_TIME),
        "colours": controls.has(AUTO_WHITE_BALANCE),
        "focus": controls.has(AUTO_FOCUS) or not controls.has(FOCUS),
        "flicker": mains_hz is None or controls.has(POWER_LINE_FREQUENCY),
    }
    return tuple(part for part, there in parts.items() if not there)


def readings(controls: Controls) -> tuple[float, ...]:
    """What the camera has set by itself, larger than 0: for telling whether it has settled."""
    found = (controls.get(control) for control in (EXPOSURE_TIME, GAIN, WHITE_BALANCE_K, FOCUS))
    return tuple(1.0 + max(0, value) for value in found if value is not None)
