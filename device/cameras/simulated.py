"""The simulated table as a camera: frames of a game that plays itself, in real time or as fast as they are drawn."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from engine.events import Event
from vision.frame import Frame
from vision.synthetic.play_stage import TruthEvent

STILL_S = 0.1
"""Between the frames of a table that stands still: the device's own rate."""


class PlayingTable(Protocol):
    """What the camera looks at: a table that plays events and tells what truly happened."""

    truth: list[TruthEvent]
    skip_until_s: float

    def play(self, events: Iterable[Event]) -> Iterator[Frame]:
        """The frames in which these events happen."""


class SimulatedCamera:
    """A camera over a simulated table. It is at its end when the events are."""

    def __init__(self, table: PlayingTable, events: Iterable[Event], real_time: bool = True) -> None:
        self.table = table
        self._frames: Iterator[Frame] | None = table.play(events)
        self._real_time = real_time
        self.hold: Callable[[], bool] = lambda: False
        """In real time: whether the table stands still for now."""
        self._last: Frame | None = None
        self.began_s: float | None = None
        """In real time: what the clock of the frames (monotonic) said when the table's own stood at 0."""

    @property
    def name(self) -> str:
        return "simulated"

    def frame(self) -> Frame | None:
        """The next frame; in real time the one of now, those that nobody had time for left out."""
        if self._frames is None:
            return None
        if not self._real_time:
            return next(self._frames, None)
        if self.began_s is None:
            self.began_s = time.monotonic()
        if self._last is not None and self.hold():
            time.sleep(STILL_S)
            self.began_s += STILL_S
            return replace(self._last, at_s=time.monotonic())
        self.table.skip_until_s = time.monotonic() - self.began_s
        frame = self._last = next(self._frames, None)
        if frame is None:
            return None
        wait_s = self.began_s + frame.at_s - time.monotonic()
        if wait_s > 0:
            time.sleep(wait_s)
        return replace(frame, at_s=self.began_s + frame.at_s)

    def close(self) -> None:
        """Looks no more."""
        self._frames = None
