"""The buzzer: a short tune for every cue, played in a thread of its own."""

import threading
from typing import Any

from device.following.show import Show
from device.machine import pins
from device.machine.wiring import Wiring, load
from device.outputs import OutputKind

MIDDLE, OCTAVES = "C6", 2
"""Tones from C4 to C8, in which every tune lies. A bare piezo is loudest from 2 to 4 kHz, which is C7 to C8."""
REST = ""

Tune = tuple[tuple[str, float], ...]
"""Notes, and how many seconds each."""

TUNES: dict[str, Tune] = {
    "trick": (("G6", 0.06),),
    "deal": (("E6", 0.09), ("G6", 0.14)),
    "won": (("C6", 0.12), ("E6", 0.12), ("G6", 0.12), ("C7", 0.16), ("G6", 0.12), ("C7", 0.36)),
    # Deep and high in turn, three times, like no other tune; the high note where a piezo is loudest.
    "alert": (("C7", 0.14), ("E5", 0.14)) * 3,
    # Rises once and waits, as a question does.
    "question": (("E6", 0.12), (REST, 0.05), ("A6", 0.2)),
    "trouble": (("E5", 0.2), (REST, 0.08), ("C5", 0.35)),
    "press": (("C7", 0.02),),
}
"""By cue. Rising is good news or a question, falling is trouble; all but "won" are over within a second."""


class Buzzer:
    """An output: plays a show's cue once, a newer one instead of one that still sounds."""

    name = "buzzer"
    trouble = "buzzer_away"

    def __init__(self, wiring: Wiring | None = None, build: str = "minimal") -> None:
        self._pin = (wiring or load()).pins(build)["buzzer", "tone"]
        self._piezo: Any = None
        self._thread: threading.Thread | None = None
        self._wake = threading.Condition()
        self._tune: Tune | None = None
        self._heard = 0
        self._lost: OSError | None = None
        self._closed = False

    def show(self, show: Show) -> None:
        """Raises PinsAway when there are no pins, or as long as the last tune failed."""
        self._open()
        with self._wake:
            if show.cue and show.cue.number > self._heard:
                # A cue of a silent show is over and done with: it does not sound when sound comes back.
                self._heard = show.cue.number
                self._tune = TUNES[show.cue.name] if show.sound else None
                self._wake.notify()
            elif not show.sound:
                self._tune = ()
                self._wake.notify()
            lost = self._lost
        if lost:
            raise lost

    def close(self) -> None:
        """Silence; harmless twice."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread:
            self._thread.join()
            pins.release(self._piezo)
        self._thread = None

    def _open(self) -> None:
        if not (self._thread and self._thread.is_alive()):
            self.close()  # What a thread that died left open.
            self._piezo = pins.piezo(self._pin, MIDDLE, OCTAVES)
            self._closed = False
            self._thread = threading.Thread(target=self._play, name="buzzer", daemon=True)
            self._thread.start()

    def _play(self) -> None:
        """Tune after tune. A pin that is lost ends it: the next show tells, and opens it anew."""
        try:
            with pins.told():
                self._play_tunes()
        except OSError as error:
            self._lost = error

    def _play_tunes(self) -> None:
        """Note after note, until the tune is over or another begins."""
        with self._wake:
            while True:
                self._wake.wait_for(lambda: self._closed or self._tune is not None)
                tune, self._tune = self._tune or (), None
                for note, seconds in tune:
                    if note:
                        self._piezo.play(note)
                        self._lost = None
                    else:
                        self._piezo.stop()
                    if self._wake.wait_for(lambda: self._closed or self._tune is not None, seconds):
                        break
                self._piezo.stop()
                if self._closed:
                    return


OUTPUT = OutputKind(
    "buzzer",
    lambda settings, wiring: [] if settings.build == "laptop" else [Buzzer(wiring, settings.build)],
    (Buzzer.trouble,),
)
