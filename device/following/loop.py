"""The loop of the device: camera to brain to outputs, none of which ever waits for another.

Of shows the newest wins. Frames wait for the brain, a few: each says how far behind the newest it is, and the brain
catches up by reading none that need not be read.
"""

import logging
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

import cv2
import numpy as np

from device.cameras import Camera, CameraStuck
from device.following.press import Press
from device.following.request import Request
from device.following.show import CAMERA_AWAY, Output, Show
from device.following.supervisor import Patience, Supervisor
from device.machine.systemd import Notifier
from device.words import in_words
from vision.frame import Frame, Image

log = logging.getLogger(__name__)
TROUBLE_OF_AN_OUTPUT = "display_away"
"""What an output's absence is called, if neither the error nor the output says so itself in an attribute `trouble`."""
FRAMES_KEPT = 6
"""So many wait for the brain: at ten a second about what comes while a table is looked at; 2 MB each (`Packed`)."""
CATCHES_UP_S = 2.0
"""A brain that is behind for so long goes on with the newest: on a machine that is too slow to see them all it would
else always be late."""


@dataclass(frozen=True)
class Timing:
    """How long the loop waits for what."""

    tick_s: float = 0.1
    """Between looks at stop and watchdog: a tenth of the second in which a stop should be seen."""
    retry_first_s: float = 0.5
    """A plug that only wobbled is back at once."""
    retry_longest_s: float = 10.0
    """Opening a camera costs half a second of processor: one twentieth of that wait."""
    frames_late_s: float = 5.0
    """Without a frame for so long and nobody knowing why, the watchdog goes hungry. A Pi meters for up to 2 s."""
    attempt_s: float = 20.0
    """One attempt at opening the camera; longer, and the driver hangs. picamera2 gives up by itself after 10 s."""
    brain_late_s: float = 15.0
    """One frame, the first one included, which loads the networks: 4 s on a Pi 3 by their size, three times that."""
    stuck_s: float = 60.0
    """How long a camera that only a new process can open is waited for: the table may read what is wrong meanwhile."""
    last_show_s: float = 1.0
    """How long the outputs get for the last show, at the end."""
    given_up_s: float = 3.0
    """How long the table may read that a part failed, before systemd starts everything anew."""
    join_s: float = 1.2
    """How long all parts together get to close; with last_show_s this stays within the 2 s of a clean stop."""
    inputs_s: float = 1.0
    """Between looks at whether every button is there."""
    health_s: float = 30.0
    """Between looks at power, heat and disk: all change over minutes."""


class Brain(Protocol):
    """What makes a show of frames and presses. Only ever called from one thread at a time."""

    @property
    def show(self) -> Show:
        """What there is to show now; a new object whenever anything changed."""

    @property
    def done(self) -> bool:
        """Nothing more will come: the loop may end."""

    def see(self, frame: Frame) -> None:
        """Looks at a frame."""

    def press(self, press: Press) -> None:
        """A button was pressed."""

    def trouble(self, code: str, present: bool) -> None:
        """Something is amiss, or well again; code is one of TROUBLES."""


class Closable(Protocol):
    """Something to let go of in the end."""

    def close(self) -> None:
        """Lets go of it; harmless twice."""


Input = Callable[[Callable[[Press | Request], None]], Closable]
"""Opens buttons or a page: it is given what to call with a press or a request. OSError: they are away. What it opens
may say in `away` that a part of it is."""


class Stop(Protocol):
    """A threading.Event, or what stop_on_signals gives."""

    def is_set(self) -> bool:
        """Whether the loop shall end."""


class StopOnSignals:
    """Set by SIGTERM and SIGINT. No lock in it: a signal may come while the same thread holds any."""

    def __init__(self) -> None:
        self._asked = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)

    def is_set(self) -> bool:
        """Whether a signal came."""
        return self._asked

    def _ask(self, number: int, frame: object) -> None:
        self._asked = True


def run_through(camera: Camera, brain: Brain, outputs: Sequence[Output]) -> None:
    """Every frame of a camera, none dropped, one after the other in this thread, until it ends or the brain is done.

    An output that is away is told to the brain and tried again with the next show.
    """
    shown: Show | None = None
    told: dict[int, str] = {}
    troubles = _Troubles(lambda trouble: brain.trouble(trouble.code, trouble.present))

    def draw() -> None:
        nonlocal shown
        while brain.show is not shown:  # What an output leads to (a press, its own absence) is shown too.
            shown = brain.show
            for number, output in enumerate(outputs):
                part = f"output {number}"
                try:
                    output.show(shown)
                except BrokenPipeError:
                    raise  # Whoever read what was written here has gone, and with it what this was run for.
                except OSError as error:
                    code = _trouble_of(output, error)
                    if told.get(number) != code:
                        log.warning("%s: %s", output.name, in_words(error, shown.language))
                        troubles.swap(part, told.get(number), code)
                        told[number] = code
                else:
                    troubles.swap(part, told.pop(number, None), None)

    draw()
    while not brain.done and (frame := camera.frame()) is not None:
        brain.see(frame)
        draw()


def run(
    camera_factory: Callable[[], Camera],
    brain: Brain,
    outputs: Sequence[Output],
    stop: Stop,
    *,
    inputs: Sequence[Input] = (),
    health: Callable[[], Collection[str]] | None = None,
    camera_away: str = CAMERA_AWAY,
    notifier: Notifier | None = None,
    timing: Timing = Timing(),
    patience: Patience = Patience(),  # noqa: B008
) -> int:
    """The live table until stop is set, the camera has no more, or the brain is done. The exit status: 1, given up, or
    the brain failed on the way."""
    return Loop(
        camera_factory, brain, outputs, inputs=inputs, health=health, camera_away=camera_away, notifier=notifier,
        timing=timing, patience=patience,
    ).run(stop)  # fmt: skip


class Loop:
    """The live table: a thread for the camera, one for the brain, one for each output and each input."""

    def __init__(
        self,
        camera_factory: Callable[[], Camera],
        brain: Brain,
        outputs: Sequence[Output],
        *,
        inputs: Sequence[Input] = (),
        health: Callable[[], Collection[str]] | None = None,
        camera_away: str = CAMERA_AWAY,
        notifier: Notifier | None = None,
        timing: Timing = Timing(),
        patience: Patience = Patience(),  # noqa: B008
    ) -> None:
        """inputs open what presses and requests come from.

        health names the troubles of the machine that there are at the moment; camera_away: what the camera's absence is
        called.
        """
        self._camera_factory = camera_factory
        self._brain = brain
        self._inputs = inputs
        self._health = health
        self._camera_away = camera_away
        self._notifier = notifier or Notifier()
        self._timing = timing
        self._supervisor = Supervisor(patience)
        self._stopping = self._supervisor.stopping
        self._inbox = _Inbox()
        self._troubles = _Troubles(self._inbox.trouble)
        self._drawers = [_Drawer(output, self._troubles, self._stopping, timing) for output in outputs]
        self._ended = threading.Event()
        self._stuck_since_s: float | None = None
        self._frame_at_s: float | None = None
        self._attempt_at_s: float | None = None
        """When the camera was last tried while it is known to be away; None while it is not."""
        self._brain_at_s = time.monotonic()
        self._show = brain.show

    def press(self, press: Press | Request) -> None:
        """A button was pressed, or something asked from afar; may be called from any thread."""
        self._inbox.press(press)

    @property
    def frames_dropped(self) -> int:
        """Frames the brain never saw, since too many newer ones came."""
        return self._inbox.dropped

    def run(self, stop: Stop) -> int:
        """Runs until stop is set, the camera has no more, or the brain is done. The exit status is that of `run`."""
        for number, drawer in enumerate(self._drawers):
            drawer.post(self._show)
            self._supervisor.start(f"output {number} {drawer.output.name}", drawer.run, drawer.output.close)
        self._supervisor.start("brain", self._think)
        self._supervisor.start("camera", self._capture)
        for number, make in enumerate(self._inputs):
            self._supervisor.start(f"input {number}", partial(self._listen, make))
        if self._health:
            self._supervisor.start("health", partial(self._watch_health, self._health))
        try:
            self._attend(stop)
        except KeyboardInterrupt:
            log.info("stopped from the keyboard")
        return self._close()

    def _attend(self, stop: Stop) -> None:
        """Stays until it is over, and feeds the watchdog while all is well."""
        ready = hungry = False
        fed_s = 0.0
        while not (stop.is_set() or self._supervisor.given_up or self._ended.is_set()):
            now_s = time.monotonic()
            if self._stuck_since_s and now_s - self._stuck_since_s > self._timing.stuck_s:
                log.critical("the camera's driver hangs: only a new process can open it again")
                self._supervisor.given_up = "camera"
                return
            if not ready and (self._frame_at_s or self._attempt_at_s):
                self._notifier.ready()
                ready = True
            every_s = self._notifier.feed_every_s
            if ready and every_s and now_s - fed_s >= every_s:
                if self.healthy(now_s):
                    self._notifier.alive()
                    fed_s, hungry = now_s, False
                elif not hungry:
                    log.error("neither frames nor a reason for none: the watchdog is not fed any more")
                    hungry = True
            time.sleep(self._timing.tick_s)

    def healthy(self, now_s: float) -> bool:
        """Whether the brain turns, and frames move or the camera is known to be away and is being tried again."""
        if not self._supervisor.alive("brain") or now_s - self._brain_at_s > self._timing.brain_late_s:
            return False
        if self._attempt_at_s is not None:
            return now_s - self._attempt_at_s <= self._timing.attempt_s
        return self._frame_at_s is not None and now_s - self._frame_at_s <= self._timing.frames_late_s

    def _close(self) -> int:
        self._notifier.stopping()
        given_up = self._supervisor.given_up
        if given_up:
            last = replace(self._show, troubles=tuple(dict.fromkeys((*self._show.troubles, "part_failed"))))
            for drawer in self._drawers:
                drawer.post(last, final=True)
            time.sleep(self._timing.given_up_s)
        elif self._ended.is_set():
            until_s = time.monotonic() + self._timing.last_show_s
            for drawer in self._drawers:
                drawer.wait_until_drawn(until_s)
        self._stopping.set()
        self._inbox.close()
        for drawer in self._drawers:
            drawer.close()
        for name in self._supervisor.join(self._timing.join_s):
            log.error("%s hangs and is left behind", name)
        self._notifier.close()
        return 1 if given_up or "brain" in self._supervisor.failed else 0

    def _capture(self) -> None:
        pauses = _Pauses(self._timing)
        while not self._stopping.is_set():
            try:
                if self._attempt_at_s is not None:
                    self._attempt_at_s = time.monotonic()
                camera = self._camera_factory()
                try:
                    while not self._stopping.is_set():
                        frame = camera.frame()
                        if frame is None:
                            self._inbox.no_more()
                            return
                        self._frame_at_s = time.monotonic()
                        if self._attempt_at_s is not None:
                            log.info("%s is there", camera.name)
                            pauses.reset()
                            self._attempt_at_s = self._stuck_since_s = None
                            self._troubles.tell("camera", self._camera_away, False)
                        self._inbox.frame(frame)
                        del frame  # 4 MB, which nobody needs while the next one is waited for.
                finally:
                    camera.close()
            except OSError as error:
                if self._stopping.is_set():
                    return
                if pauses.fresh:
                    log.warning("%s", self._told(error))
                self._attempt_at_s = time.monotonic()
                if isinstance(error, CameraStuck) and not self._stuck_since_s:
                    self._stuck_since_s = self._attempt_at_s
                self._troubles.tell("camera", self._camera_away, True)
                self._stopping.wait(pauses.next_s())

    def _think(self) -> None:
        brain = self._brain
        while not self._stopping.is_set():
            message = self._inbox.take(self._timing.brain_late_s / 3)
            self._brain_at_s = time.monotonic()
            try:
                if isinstance(message, Frame):
                    brain.see(message)
                elif isinstance(message, Press):
                    brain.press(message)
                elif isinstance(message, Request):
                    message.carry_out(brain)
                elif isinstance(message, _Trouble):
                    brain.trouble(message.code, message.present)
            finally:
                self._brain_at_s = time.monotonic()
                self._show = brain.show
                for drawer in self._drawers:
                    drawer.post(self._show)
            over, message = brain.done or message is _NO_MORE, None  # A frame that was seen is not held any longer.
            if over:
                self._ended.set()
                return

    def _listen(self, make: Input) -> None:
        pauses = _Pauses(self._timing)
        part = f"input {id(make)}"
        while not self._stopping.is_set():
            try:
                opened = make(self.press)
            except OSError as error:
                if pauses.fresh:
                    log.warning("%s", self._told(error))
                self._troubles.tell(part, "buttons_away", True)
                self._stopping.wait(pauses.next_s())
                continue
            told = ""
            while True:
                away = str(getattr(opened, "away", None) or "")  # Some of its buttons.
                if away and not told:
                    log.warning("%s", self._told(away))
                told = away
                self._troubles.tell(part, "buttons_away", bool(away))
                if self._stopping.wait(self._timing.inputs_s):
                    break
            opened.close()

    def _told(self, error: object) -> str:
        """It in the words of the table, for whoever reads the log."""
        return in_words(error, self._brain.show.language)

    def _watch_health(self, health: Callable[[], Collection[str]]) -> None:
        told: set[str] = set()
        while not self._stopping.is_set():
            now = set(health())
            for code in sorted(told ^ now):
                self._troubles.tell("health", code, code in now)
            told = now
            self._stopping.wait(self._timing.health_s)


def _trouble_of(output: Output, error: Exception) -> str:
    return str(getattr(error, "trouble", getattr(output, "trouble", TROUBLE_OF_AN_OUTPUT)))


@dataclass(frozen=True)
class _Trouble:
    code: str
    present: bool


_NO_MORE = object()
"""The camera is at its end."""


class _Pauses:
    """Waits between attempts, each twice the one before."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self.reset()

    @property
    def fresh(self) -> bool:
        """Nothing failed since it last worked."""
        return self._failed == 0

    def reset(self) -> None:
        """It works again."""
        self._failed = 0

    def next_s(self) -> float:
        """How long to wait now."""
        wait_s = self._timing.retry_first_s * 2.0 ** min(self._failed, 30)
        self._failed += 1
        return min(wait_s, self._timing.retry_longest_s)


@dataclass
class _Troubles:
    """Which part has which trouble; passes on only what changes for the device as a whole."""

    changed: Callable[[_Trouble], None]
    _present: set[tuple[str, str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, part: str, code: str, present: bool) -> None:
        """A part has a trouble, or has it no more."""
        with self._lock:
            before = any(present == code for _, present in self._present)
            (self._present.add if present else self._present.discard)((part, code))
            after = any(present == code for _, present in self._present)
            if before != after:
                self.changed(_Trouble(code, after))

    def swap(self, part: str, before: str | None, now: str | None) -> None:
        """A part's trouble is another one now, or there is none any more."""
        if before != now:
            if before:
                self.tell(part, before, False)
            if now:
                self.tell(part, now, True)


@dataclass(frozen=True)
class Packed:
    """A frame of several that wait: in half the bytes, with brightness for each pixel and colour for every fourth,
    as cameras and films have it themselves."""

    frame: Frame
    """Without its picture."""
    planes: Image

    @staticmethod
    def of(frame: "Packed | Frame") -> "Packed | Frame":
        """A frame whose sides are even; others stay as they are."""
        if isinstance(frame, Packed):
            return frame
        height, width = frame.image.shape[:2]
        if frame.image.ndim != 3 or height % 2 or width % 2:
            return frame
        planes = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2YUV_I420), np.uint8)
        return Packed(replace(frame, image=_NO_PICTURE), planes)

    @property
    def at_s(self) -> float:
        """When it was taken."""
        return self.frame.at_s

    def unpacked(self) -> Frame:
        """The frame with its picture."""
        return replace(self.frame, image=np.asarray(cv2.cvtColor(self.planes, cv2.COLOR_YUV2BGR_I420), np.uint8))


_NO_PICTURE = np.empty((0, 0, 3), np.uint8)


class _Inbox:
    """What waits for the brain: presses and troubles in order, and the last frames."""

    PRESSES_KEPT = 32
    """Nobody presses that often within one frame; a broken button might."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._presses: deque[Press | Request] = deque()
        self._told: deque[_Trouble] = deque()
        self._frames: list[Frame | Packed] = []
        self._behind_since_s = 0.0
        """When the first frame came that found no other waiting before it."""
        self._no_more = self._closed = False
        self.dropped = 0

    def frame(self, frame: Frame) -> None:
        """A frame came. Where too many wait every other goes: a hand is still seen to come and go."""
        with self._condition:
            kept = [*self._frames, frame]
            if len(kept) > FRAMES_KEPT:
                kept = kept[::-2][::-1]
            if not self._frames or frame.at_s - self._behind_since_s > CATCHES_UP_S:
                self._behind_since_s, kept = frame.at_s, [frame]
            self.dropped += len(self._frames) + 1 - len(kept)
            self._frames = [Packed.of(waits) for waits in kept] if len(kept) > 1 else kept
            self._condition.notify()

    def press(self, press: Press | Request) -> None:
        """A press or a request came; the oldest makes room."""
        with self._condition:
            while len(self._presses) >= self.PRESSES_KEPT:
                oldest = self._presses.popleft()
                if isinstance(oldest, Request):
                    oldest.done(None, OSError("too many at once"))
            self._presses.append(press)
            self._condition.notify()

    def trouble(self, trouble: _Trouble) -> None:
        """A trouble came or went."""
        with self._condition:
            self._told.append(trouble)
            self._condition.notify()

    def no_more(self) -> None:
        """No frame will come after those that came."""
        with self._condition:
            self._no_more = True
            self._condition.notify()

    def close(self) -> None:
        """Wakes whoever waits."""
        with self._condition:
            self._closed = True
            self._condition.notify()

    def take(self, limit_s: float) -> object:
        """The next message; None if there is none within the limit."""
        with self._condition:
            self._condition.wait_for(self._any, limit_s)
            if self._told:
                return self._told.popleft()
            if self._presses:
                return self._presses.popleft()
            if not self._frames:
                return _NO_MORE if self._no_more else None
            waited = self._frames.pop(0)
            behind_s = self._frames[-1].at_s - waited.at_s if self._frames else 0.0
        frame = waited.unpacked() if isinstance(waited, Packed) else waited
        return replace(frame, behind_s=behind_s) if behind_s else frame

    def _any(self) -> bool:
        return bool(self._told or self._presses or self._frames or self._no_more or self._closed)


class _Drawer:
    """One output and the newest show that waits for it."""

    def __init__(self, output: Output, troubles: _Troubles, stopping: threading.Event, timing: Timing) -> None:
        self.output = output
        self._troubles = troubles
        self._stopping = stopping
        self._timing = timing
        self._condition = threading.Condition()
        self._newest: Show | None = None
        self._drawn: Show | None = None
        self._final = False
        self._told: str | None = None

    def post(self, show: Show, final: bool = False) -> None:
        """A show: it takes the place of one that was not drawn yet. After a final one no other is taken."""
        with self._condition:
            if show is not self._newest and not self._final:
                self._newest, self._final = show, final
                self._condition.notify_all()

    def wait_until_drawn(self, until_s: float) -> None:
        """Waits until the newest show is drawn, or until then."""
        with self._condition:
            self._condition.wait_for(lambda: self._drawn is self._newest, max(0.0, until_s - time.monotonic()))

    def close(self) -> None:
        """Wakes the thread, to see that it is over."""
        with self._condition:
            self._condition.notify_all()

    def run(self) -> None:
        """Draws whatever is newest, until the end. An output that fails, whatever it raises, is away until it draws
        again: the game goes on without it."""
        pauses = _Pauses(self._timing)
        self._drawn = None  # Started again after a fault: what it was drawing is drawn again.
        logged = ""
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._newest is not self._drawn or self._stopping.is_set())
                show = self._newest
            if self._stopping.is_set() or show is None:
                return
            try:
                self.output.show(show)
            except Exception as error:
                code = _trouble_of(self.output, error)
                if isinstance(error, OSError):
                    if code != self._told:
                        log.warning("%s", in_words(error, show.language))
                elif repr(error) != logged:  # A fault of the program: with this show alone, or with every one.
                    logged = repr(error)
                    log.exception("%s failed", self.output.name)
                self._troubles.swap(self._part, self._told, code)
                self._told = code
                self._stopping.wait(pauses.next_s())
                continue
            if self._told:
                log.info("%s is back", self.output.name)
                logged = ""
                pauses.reset()
                self._troubles.swap(self._part, self._told, None)
                self._told = None
            with self._condition:
                self._drawn = show
                self._condition.notify_all()

    @property
    def _part(self) -> str:
        return f"output {id(self)}"
