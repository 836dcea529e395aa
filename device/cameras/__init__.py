"""Cameras behind one small protocol. Each kind has a file of its own, imported when that kind is asked for."""

from pathlib import Path
from typing import Protocol

from device import words
from device.keeping.camera_names import is_address, is_usb
from device.words.away import Away
from vision.frame import Frame


class CameraAway(Away):
    """The camera does not answer, or not any more. What it says, says what to do."""

    topic = "camera"

    def said(self, language: str, by_the_doctor: bool = False) -> str:
        """It in words; the doctor does not send anybody to the doctor."""
        self.facts["more"] = "no" if by_the_doctor else "yes"
        return words.in_words(self, language)


class CameraStuck(CameraAway):
    """It will not answer to this process again, since its driver hangs; to a new one it might."""


class Camera(Protocol):
    """Gives frames, one after the other, for as long as there are any."""

    @property
    def name(self) -> str:
        """What it is, for messages."""

    def frame(self) -> Frame | None:
        """The next frame; waits for it. None: there are no more (a folder or a film is at its end).

        Raises CameraAway when it stopped; close it then, and open another.
        """

    def close(self) -> None:
        """Lets go of it; harmless twice."""


def open_camera(
    spec: str, *, size: tuple[int, int] = (1280, 960), fps: float = 10.0, mains_hz: int | None = 50
) -> Camera:
    """Opens "pi", a camera on USB ("usb:0", "usb:C920", /dev/v4l/by-id/…), an address (192.168.1.20:8080, http://…,
    rtsp://…), or a full path: a folder of pictures or a film, played in real time.

    size is width and height wished for, fps as often as there is anything to see; mains_hz: 50, 60, or None where
    no lamp flickers. Raises CameraAway when it is not there.
    """
    if spec == "pi":
        from device.cameras.pi import PiCamera

        return PiCamera(size, fps, mains_hz)
    if is_usb(spec):
        from device.cameras.usb import UsbCamera

        return UsbCamera(spec, size, fps, mains_hz)
    if is_address(spec):
        from device.cameras.net import NetCamera

        return NetCamera(spec, fps)
    from device.cameras.files import FileCamera

    return FileCamera(Path(spec).expanduser(), real_time=True)
