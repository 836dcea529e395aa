"""Cameras behind one small protocol. Each kind has a file of its own, imported when that kind is asked for."""

from typing import Protocol

from vision.frame import Frame


class CameraAway(OSError):
    """The camera does not answer, or not any more. The message says what to do."""


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
