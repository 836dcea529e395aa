"""The loop: a few frames wait, nobody waits for another, parts are pulled out and put back, the end is clean."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from device.cameras import CameraAway, CameraStuck
from device.following import loop
from device.following.loop import Loop, Timing
from device.following.press import Press
from device.following.show import Show
from device.following.supervisor import Patience
from device.machine.systemd import Notifier
from vision.frame import Frame

ROOT = Path(__file__).resolve().parents[3]
QUICK = Timing(
    tick_s=0.01, retry_first_s=0.02, retry_longest_s=0.05, frames_late_s=0.3, attempt_s=0.3, brain_late_s=0.3,
    stuck_s=0.1, given_up_s=0.1, join_s=0.6, health_s=0.02,
)  # fmt: skip
PATIENT = Patience(times=3, within_s=10.0, pause_s=0.01)
SOON_S = 5.0
"""What must happen within it takes a hundredth of it on a quiet machine."""


def frame(at_s: float) -> Frame:
    return Frame(np.zeros((4, 4, 3), np.uint8), at_s)


class Film:
    """A camera that gives this many frames, so often a second (0: as fast as it can), then ends or raises."""

    name = "film"

    def __init__(self, frames: int = 1_000_000, fps: float = 100, end: Exception | None = None) -> None:
        self.left, self.fps, self.end, self.at, self.closed = frames, fps, end, 0, False

    def frame(self) -> Frame | None:
        if self.fps:
            time.sleep(1 / self.fps)
        if not self.left:
            if self.end:
                raise self.end
            return None
        self.left -= 1
        self.at += 1
        return frame(float(self.at))

    def close(self) -> None:
        self.closed = True


class Counter:
    """A brain that counts what it is told."""

    def __init__(self, done_at: int = 10**9, see: Callable[[Frame], None] = lambda _: None) -> None:
        self.show = Show(view={})
        self.done_at, self.seeing = done_at, see
        self.seen: list[float] = []
        self.presses: list[Press] = []
        self.troubles: list[tuple[str, bool]] = []

    @property
    def done(self) -> bool:
        return len(self.seen) >= self.done_at

    def see(self, frame: Frame) -> None:
        self.seen.append(frame.at_s)
        self.show = replace(self.show, extra={"frames": len(self.seen)})
        self.seeing(frame)

    def press(self, press: Press) -> None:
        self.presses.append(press)

    def trouble(self, code: str, present: bool) -> None:
        self.troubles.append((code, present))
        now = [trouble for trouble in self.show.troubles if trouble != code] + ([code] if present else [])
        self.show = replace(self.show, troubles=tuple(now))


class Lamps:
    """An output that remembers what it drew; `plugged` says whether it is there."""

    def __init__(self, name: str = "lamps", trouble: str = "panel_away", wait_s: float = 0.0) -> None:
        self.name, self.trouble, self.wait_s = name, trouble, wait_s
        self.plugged, self.closed, self.drawn = True, False, list[Show]()

    @property
    def newest(self) -> Show:
        """The last one drawn; before the first, one without anything."""
        return self.drawn[-1] if self.drawn else Show(view={})

    def show(self, show: Show) -> None:
        time.sleep(self.wait_s)
        if not self.plugged:
            raise OSError("no lamps")
        self.drawn.append(show)

    def close(self) -> None:
        self.closed = True


def until(happened: Callable[[], object], what: str = "") -> None:
    end = time.monotonic() + SOON_S
    while not happened():
        assert time.monotonic() < end, what or "it did not happen"
        time.sleep(0.005)


@contextmanager
def running(live: Loop, ends_in: Callable[[], int] = lambda: 0) -> Iterator[threading.Event]:
    """The loop in a thread, stopped at the end. ends_in: the exit status it is to have then."""
    stop = threading.Event()
    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.append(live.run(stop)), daemon=True)
    thread.start()
    yield stop
    stop.set()
    thread.join(SOON_S)
    assert statuses == [ends_in()]


def test_every_frame_is_seen_when_nobody_is_in_a_hurry() -> None:
    brain, lamps = Counter(), Lamps()
    loop.run_through(Film(200, fps=0), brain, [lamps])
    assert brain.seen == [float(at) for at in range(1, 201)]
    assert [show.extra["frames"] for show in lamps.drawn[1:]] == list(range(1, 201))


def test_a_run_through_goes_on_without_an_output_and_with_it_again() -> None:
    lamps, other = Lamps(), Lamps("other")
    brain = Counter(see=lambda frame: setattr(lamps, "plugged", not 10 <= frame.at_s < 20))
    loop.run_through(Film(30, fps=0), brain, [lamps, other])
    assert brain.troubles == [("panel_away", True), ("panel_away", False)]
    assert len(other.drawn) == 1 + 30 + 2
    assert lamps.newest is other.newest is brain.show


def test_a_run_through_ends_when_whoever_read_what_it_writes_has_gone() -> None:
    class Gone(Lamps):
        """A pipe that nobody reads any more from the third show on."""

        def show(self, show: Show) -> None:
            super().show(show)
            if len(self.drawn) == 3:
                raise BrokenPipeError

    brain, pipe = Counter(), Gone()
    with pytest.raises(BrokenPipeError):
        loop.run_through(Film(30, fps=0), brain, [pipe])
    assert (brain.seen, brain.troubles) == ([1.0, 2.0], [])


def test_a_run_through_shows_what_an_output_leads_to() -> None:
    brain = Counter()

    class Player(Lamps):
        """Asks for trouble when it sees frame 3, as the simulated table presses a button."""

        def show(self, show: Show) -> None:
            super().show(show)
            if show.extra.get("frames") == 3 and not show.troubles:
                brain.trouble("hot", True)

    player = Player()
    loop.run_through(Film(3, fps=0), brain, [player])
    assert player.newest.troubles == ("hot",)


class Given(Film):
    """Says when all its frames are given."""

    def __init__(self, frames: int) -> None:
        super().__init__(frames, fps=0)
        self.all = threading.Event()

    def frame(self) -> Frame | None:
        if not self.left:
            self.all.set()
        taken = super().frame()
        return taken and frame(taken.at_s / 10)


def behind_a_slow_look(frames: int) -> tuple[Loop, list[tuple[float, float, bool]]]:
    """What a brain sees that reads the first frame until all others have come: when each was taken, how far behind it
    is, and whether that is late."""
    camera = Given(frames)
    seen: list[tuple[float, float, bool]] = []

    def see(frame: Frame) -> None:
        camera.all.wait(SOON_S)
        seen.append((frame.at_s, frame.behind_s, frame.late))

    live = Loop(lambda: camera, Counter(see=see), [], timing=QUICK)
    assert live.run(threading.Event()) == 0
    return live, seen


def test_frames_wait_while_one_is_read_and_say_how_far_behind_they_are() -> None:
    live, seen = behind_a_slow_look(5)
    waited = [(0.2, 0.3, True), (0.3, 0.2, True), (0.4, 0.1, False), (0.5, 0.0, False)]
    assert np.allclose(seen[-4:], waited)
    assert live.frames_dropped == 0


def test_frames_that_wait_take_half_the_bytes_and_look_as_they_did() -> None:
    across, down = np.meshgrid(np.arange(80), np.arange(60))
    image = np.stack([2 * across + 40, 3 * down + 20, across + down], axis=2).astype(np.uint8)
    packed = loop.Packed.of(Frame(image, 7.0, about={"gain": 2}))
    assert isinstance(packed, loop.Packed) and packed.at_s == 7.0 and 2 * packed.planes.nbytes == image.nbytes
    again = packed.unpacked()
    assert again.at_s == 7.0 and again.about == {"gain": 2} and again.image.shape == image.shape
    assert np.abs(again.image.astype(int) - image).max() <= 4
    odd = Frame(image[:59], 7.1)
    assert loop.Packed.of(odd) is odd, "sides that cannot be halved"


def test_of_too_many_frames_every_other_is_left_out() -> None:
    live, seen = behind_a_slow_look(18)
    times = [at for at, _, _ in seen]
    assert 2 < len(times) <= 1 + loop.FRAMES_KEPT and live.frames_dropped == 18 - len(times)
    assert times[-1] == 1.8 and (np.diff(times) > 0).all()


def test_who_does_not_catch_up_goes_on_with_the_newest() -> None:
    _, seen = behind_a_slow_look(round(10 * loop.CATCHES_UP_S) + 3)
    assert len(seen) < 5


def test_a_slow_brain_falls_behind_no_further() -> None:
    brain = Counter(see=lambda _: time.sleep(0.05))
    live = Loop(lambda: Film(fps=500), brain, [], timing=QUICK)
    with running(live):
        until(lambda: len(brain.seen) > 5)
    assert live.frames_dropped > len(brain.seen)
    steps = np.diff(brain.seen)
    assert (steps > 0).all()
    assert np.median(steps) > 3


def test_a_film_is_over_when_its_last_frame_was_shown() -> None:
    brain, lamps, film = Counter(), Lamps(wait_s=0.05), Film(5)
    assert loop.run(lambda: film, brain, [lamps], threading.Event(), timing=QUICK) == 0
    assert brain.seen[-1] == 5.0
    assert lamps.newest is brain.show
    assert lamps.closed
    assert film.closed


def test_the_loop_ends_when_the_brain_is_done() -> None:
    brain, lamps = Counter(done_at=3), Lamps()
    assert loop.run(Film, brain, [lamps], threading.Event(), timing=QUICK) == 0
    assert len(brain.seen) == 3
    assert lamps.newest.extra["frames"] == 3


def test_a_slow_output_holds_nobody_up() -> None:
    brain, slow, fast = Counter(), Lamps("slow", wait_s=0.3), Lamps("fast")
    with running(Loop(Film, brain, [slow, fast], timing=QUICK)):
        until(lambda: len(fast.drawn) > 50)
        assert len(slow.drawn) < len(fast.drawn) / 3
    assert slow.closed


def test_an_output_that_hangs_is_left_behind() -> None:
    release = threading.Event()

    class Hanging(Lamps):
        def show(self, show: Show) -> None:
            release.wait()

    brain, lamps = Counter(), Lamps()
    started = time.monotonic()
    with running(Loop(Film, brain, [Hanging(), lamps], timing=QUICK)):
        until(lambda: len(lamps.drawn) > 5)
    assert lamps.closed
    assert time.monotonic() - started < SOON_S
    release.set()


def test_a_camera_pulled_out_and_put_back() -> None:
    gone = CameraAway("no camera")
    plugged = threading.Event()
    cameras: list[Film] = []

    def factory() -> Film:
        if cameras and not plugged.is_set():
            raise gone
        cameras.append(Film(10 if not cameras else 10**6, end=gone))
        return cameras[-1]

    brain, lamps = Counter(), Lamps()
    with running(Loop(factory, brain, [lamps], timing=QUICK)):
        until(lambda: brain.troubles == [("camera_away", True)])
        until(lambda: lamps.newest.troubles == ("camera_away",), "it is said")
        seen = len(brain.seen)
        plugged.set()
        until(lambda: brain.troubles[-1] == ("camera_away", False))
        until(lambda: len(brain.seen) > seen)
        until(lambda: lamps.newest.troubles == ())
    assert all(camera.closed for camera in cameras)


def test_an_output_pulled_out_and_put_back() -> None:
    brain, panel, display = Counter(), Lamps("panel"), Lamps("display")
    with running(Loop(Film, brain, [panel, display], timing=QUICK)):
        until(lambda: panel.drawn)
        panel.plugged = False
        until(lambda: display.newest.troubles == ("panel_away",), "the display says it")
        panel.plugged = True
        until(lambda: display.newest.troubles == ())
        drawn = len(panel.drawn)
        until(lambda: len(panel.drawn) > drawn)
    assert brain.troubles == [("panel_away", True), ("panel_away", False)]


def test_an_output_may_change_what_is_wrong_with_it() -> None:
    class OtherVersion(OSError):
        trouble = "panel_version"

    class Panel(Lamps):
        wrong: OSError | None = None

        def show(self, show: Show) -> None:
            if self.wrong:
                raise self.wrong
            super().show(show)

    brain, panel, display = Counter(), Panel("panel"), Lamps("display")
    panel.wrong = OSError("no panel")
    with running(Loop(Film, brain, [panel, display], timing=QUICK)):
        until(lambda: display.newest.troubles == ("panel_away",))
        panel.wrong = OtherVersion("an older panel")
        until(lambda: display.newest.troubles == ("panel_version",))
        panel.wrong = None
        until(lambda: display.newest.troubles == () and panel.drawn)


def test_an_output_that_comes_back_shows_what_is_newest_though_nothing_changes() -> None:
    brain, lamps = Counter(), Lamps()
    lamps.plugged = False

    def factory() -> Film:
        raise CameraAway("none")

    with running(Loop(factory, brain, [lamps], timing=QUICK)):
        until(lambda: set(brain.troubles) == {("camera_away", True), ("panel_away", True)})
        lamps.plugged = True
        until(lambda: lamps.newest.troubles == ("camera_away",))


def test_two_displays_away_are_one_trouble_until_both_are_back() -> None:
    brain, lamps, other = Counter(), Lamps("one"), Lamps("other")
    lamps.plugged = other.plugged = False
    with running(Loop(Film, brain, [lamps, other], timing=QUICK)):
        until(lambda: brain.troubles == [("panel_away", True)])
        lamps.plugged = True
        until(lambda: lamps.drawn)
        assert brain.troubles == [("panel_away", True)]
        other.plugged = True
        until(lambda: brain.troubles == [("panel_away", True), ("panel_away", False)])


def test_buttons_reach_the_brain_and_may_be_put_in_later() -> None:
    brain = Counter()
    there = threading.Event()
    closed = threading.Event()

    class Buttons:
        def __init__(self, press: Callable[[Press], None]) -> None:
            if not there.is_set():
                raise OSError("no pins")
            press(Press("A", long=True))

        def close(self) -> None:
            closed.set()

    with running(Loop(Film, brain, [], inputs=[Buttons], timing=QUICK)):
        until(lambda: brain.troubles == [("buttons_away", True)])
        there.set()
        until(lambda: brain.presses == [Press("A", long=True)])
        until(lambda: brain.troubles[-1] == ("buttons_away", False))
    assert closed.is_set()


def test_a_button_that_is_lost_later_is_told_and_the_others_go_on() -> None:
    brain = Counter()
    made: list[object] = []

    class Buttons:
        away: OSError | None = None

        def __init__(self, press: Callable[[Press], None]) -> None:
            made.append(self)

        def close(self) -> None:
            pass

    with running(Loop(Film, brain, [], inputs=[Buttons], timing=replace(QUICK, inputs_s=0.01))):
        until(lambda: bool(made))
        Buttons.away = OSError("a pin cannot be read")
        until(lambda: brain.troubles == [("buttons_away", True)])
        Buttons.away = None
        until(lambda: brain.troubles[-1] == ("buttons_away", False))
    assert len(made) == 1


def test_presses_arrive_while_the_camera_is_away() -> None:
    def factory() -> Film:
        raise CameraAway("none")

    brain = Counter()
    live = Loop(factory, brain, [], timing=QUICK)
    with running(live):
        live.press(Press("B"))
        live.press(Press("B", repeat=True))
        until(lambda: brain.presses == [Press("B"), Press("B", repeat=True)])


def test_the_health_of_the_machine_is_told_when_it_changes() -> None:
    now = {"undervoltage"}
    brain = Counter()
    with running(Loop(Film, brain, [], health=lambda: set(now), timing=QUICK)):
        until(lambda: brain.troubles == [("undervoltage", True)])
        now.add("hot")
        now.remove("undervoltage")
        until(lambda: brain.troubles[1:] == [("hot", True), ("undervoltage", False)])


def test_a_brain_that_stumbles_over_a_frame_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    def see(frame: Frame) -> None:
        if frame.at_s == 3.0:
            raise ZeroDivisionError("over a frame")

    brain, lamps = Counter(see=see), Lamps()
    assert loop.run(lambda: Film(10), brain, [lamps], threading.Event(), timing=QUICK, patience=PATIENT) == 1
    assert brain.seen[-1] == 10.0
    assert "brain failed" in caplog.text


def test_an_output_that_stumbles_draws_that_show_again() -> None:
    class Clumsy(Lamps):
        def show(self, show: Show) -> None:
            super().show(show)
            if len(self.drawn) == 1:
                raise ZeroDivisionError("over a show")

    lamps = Clumsy()
    brain = Counter()
    with running(Loop(lambda: Film(fps=0.5), brain, [lamps], timing=QUICK, patience=PATIENT)):
        until(lambda: len(lamps.drawn) > 1 and lamps.newest.troubles == ())
    assert lamps.newest.view == lamps.drawn[0].view
    assert brain.troubles == [("panel_away", True), ("panel_away", False)]


def test_an_output_that_always_fails_is_away_and_the_game_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Lamps):
        faults = 0
        mended = False

        def show(self, show: Show) -> None:
            if not self.mended:
                self.faults += 1
                raise ValueError("a box of less than no width")
            super().show(show)

    brain, lamps, broken = Counter(), Lamps("lamps"), Broken("display", trouble="display_away")
    with running(Loop(Film, brain, [lamps, broken], timing=QUICK, patience=PATIENT)):
        until(lambda: lamps.newest.troubles == ("display_away",))
        until(lambda: broken.faults > 2 * PATIENT.times)
        seen = len(brain.seen)
        until(lambda: len(brain.seen) > seen + 3)
        broken.mended = True
        until(lambda: broken.drawn and lamps.newest.troubles == ())
    assert caplog.text.count("display failed") == 1, "said once, not at every try"
    assert "Traceback" in caplog.text and "giving up" not in caplog.text


@pytest.mark.parametrize("part", ["brain", "camera"])
def test_a_part_that_always_fails_is_given_up_loudly(part: str, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> Film:
        raise ZeroDivisionError("always")

    def see(_: Frame) -> None:
        if part == "brain":
            fail()

    lamps, brain = Lamps(), Counter(see=see)
    status = loop.run(
        fail if part == "camera" else Film, brain, [lamps], threading.Event(), timing=QUICK, patience=PATIENT
    )
    assert status == 1
    assert "giving up" in caplog.text
    assert lamps.newest.troubles == ("part_failed",)
    assert lamps.closed


def test_a_camera_whose_driver_hangs_asks_for_a_new_process(caplog: pytest.LogCaptureFixture) -> None:
    def factory() -> Film:
        raise CameraStuck("hangs")

    brain, lamps = Counter(), Lamps()
    assert loop.run(factory, brain, [lamps], threading.Event(), timing=QUICK) == 1
    assert brain.troubles == [("camera_away", True)]
    assert lamps.newest.troubles == ("camera_away", "part_failed")
    assert "new process" in caplog.text


@pytest.mark.parametrize("for_s", [0.6, pytest.param(60.0, marks=pytest.mark.slow)])
def test_everything_pulled_out_and_put_back_at_random(for_s: float) -> None:
    """Whatever went on: once all is in again, every output has the newest show and no trouble is left."""
    rng = Random(6)
    calm = threading.Event()

    class Loose(Film):
        def frame(self) -> Frame | None:
            if not calm.is_set() and rng.random() < 0.05:
                raise CameraAway("pulled")
            return super().frame()

    class LooseLamps(Lamps):
        def show(self, show: Show) -> None:
            if not calm.is_set() and rng.random() < 0.1:
                raise OSError("pulled")
            if not calm.is_set() and rng.random() < 0.01:
                raise ZeroDivisionError("a fault")
            self.drawn[:] = [show]

    faults: list[Frame] = []

    def see(frame: Frame) -> None:
        if not calm.is_set() and rng.random() < 0.01:
            faults.append(frame)
            raise ZeroDivisionError("a fault")

    cameras: list[Loose] = []

    def factory() -> Film:
        if not calm.is_set() and rng.random() < 0.5:
            raise CameraAway("out")
        cameras.append(Loose(fps=200))
        del cameras[:-2]
        return cameras[-1]

    brain = Counter(see=see)
    outputs = [LooseLamps("panel"), LooseLamps("display", trouble="display_away"), LooseLamps("lamps", wait_s=0.03)]
    live = Loop(factory, brain, outputs, timing=QUICK, patience=Patience(10_000, 1.0, 0.001))
    with running(live, lambda: int(bool(faults))):
        time.sleep(for_s)
        calm.set()
        until(lambda: not brain.show.troubles)
        seen = len(brain.seen)
        until(lambda: len(brain.seen) > seen + 5)
        for output in outputs:
            until(lambda output=output: output.newest.extra.get("frames", 0) > seen)  # type: ignore[misc]
            assert output.newest.troubles == ()
        cameras[-1].left = 0
        until(lambda: all(output.newest is brain.show for output in outputs))
    assert all(output.closed for output in outputs)


def test_no_frame_is_held_while_the_next_one_is_waited_for() -> None:
    pictures: list[weakref.ref[object]] = []

    class Slow(Film):
        def frame(self) -> Frame | None:
            if len(pictures) == 2:
                until(lambda: not any(picture() is not None for picture in pictures), "nobody holds a picture")
                return None
            given = super().frame()
            assert given is not None
            pictures.append(weakref.ref(given.image))
            return given

    assert Loop(Slow, Counter(), [], timing=QUICK).run(threading.Event()) == 0
    assert len(pictures) == 2


def test_memory_is_flat() -> None:
    alive: weakref.WeakSet[Frame] = weakref.WeakSet()
    most = 0

    class Watched(Film):
        def frame(self) -> Frame | None:
            nonlocal most
            taken = super().frame()
            if taken:
                alive.add(taken)
                most = max(most, len(alive))
            return taken

    brain = Counter(see=lambda _: time.sleep(0.002))
    loop.run(lambda: Watched(5_000, fps=0), brain, [Lamps(wait_s=0.01)], threading.Event(), timing=QUICK)
    assert most <= 3 + loop.FRAMES_KEPT


class Systemd:
    """The other end of the notify socket."""

    def __init__(self, folder: Path, limit_s: float = 0.15) -> None:
        self.address = str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.address)
        self.socket.settimeout(SOON_S)
        self.environment = {"NOTIFY_SOCKET": self.address, "WATCHDOG_USEC": str(int(limit_s * 1e6))}

    def hear(self) -> str:
        return self.socket.recv(4096).decode()

    def quiet(self, for_s: float = 0.5) -> bool:
        """Whether nothing comes, once what is under way has come."""
        self.socket.settimeout(for_s)
        try:
            for _ in range(1000):
                self.hear()
        except TimeoutError:
            return True
        return False


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    made = Systemd(tmp_path)
    yield made
    made.socket.close()


def test_systemd_hears_ready_alive_and_stopping(systemd: Systemd) -> None:
    with running(Loop(Film, Counter(), [], notifier=Notifier(systemd.environment), timing=QUICK)):
        assert systemd.hear() == "READY=1"
        assert systemd.hear() == "WATCHDOG=1"
        assert systemd.hear() == "WATCHDOG=1"
    heard = ""
    while heard != "STOPPING=1":
        heard = systemd.hear()


def test_the_watchdog_is_fed_while_the_camera_is_known_to_be_away(systemd: Systemd) -> None:
    def factory() -> Film:
        raise CameraAway("none")

    with running(Loop(factory, Counter(), [], notifier=Notifier(systemd.environment), timing=QUICK)):
        assert systemd.hear() == "READY=1"
        for _ in range(10):
            assert systemd.hear() == "WATCHDOG=1"


def test_the_watchdog_goes_hungry_when_frames_stop_and_nobody_knows_why(systemd: Systemd) -> None:
    release = threading.Event()

    class Frozen(Film):
        def frame(self) -> Frame | None:
            if self.at == 3:
                release.wait()
            return super().frame()

    with running(Loop(Frozen, Counter(), [], notifier=Notifier(systemd.environment), timing=QUICK)):
        assert systemd.hear() == "READY=1"
        assert systemd.quiet()
        release.set()
        systemd.socket.settimeout(SOON_S)
        assert systemd.hear() == "WATCHDOG=1"


def test_the_watchdog_goes_hungry_when_the_brain_hangs(systemd: Systemd) -> None:
    release = threading.Event()

    def see(frame: Frame) -> None:
        if frame.at_s == 3.0:
            release.wait()

    with running(Loop(Film, Counter(see=see), [], notifier=Notifier(systemd.environment), timing=QUICK)):
        assert systemd.hear() == "READY=1"
        assert systemd.quiet()
        release.set()


def test_a_watchdog_meant_for_another_process_is_not_fed(systemd: Systemd) -> None:
    assert Notifier(systemd.environment | {"WATCHDOG_PID": "1"}).feed_every_s is None
    assert Notifier(systemd.environment | {"WATCHDOG_PID": str(os.getpid())}).feed_every_s == pytest.approx(0.05)
    assert Notifier({}).feed_every_s is None


def test_an_abstract_socket_is_understood() -> None:
    name = f"hisabu-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind("\0" + name)
        heard.settimeout(SOON_S)
        notifier = Notifier({"NOTIFY_SOCKET": "@" + name})
        notifier.status("camera\naway")
        assert heard.recv(100) == b"STATUS=camera away"
        notifier.close()


PROGRAM = """
import sys, time
from tests.device.following.test_loop import Counter, Film, Lamps
from device.following import loop

class Said(Lamps):
    def show(self, show):
        super().show(show)
        if len(self.drawn) == 3:
            print("playing", flush=True)
    def close(self):
        print("lamps off", flush=True)

class Slow(Lamps):
    def show(self, show):
        time.sleep(60)

outputs = [Said(), Slow()] if sys.argv[1] == "hanging" else [Said()]
sys.exit(loop.run(Film, Counter(), outputs, loop.StopOnSignals()))
"""


@pytest.mark.parametrize(("number", "outputs"), [(signal.SIGTERM, "hanging"), (signal.SIGINT, "well")])
def test_a_signal_stops_it_cleanly(number: signal.Signals, outputs: str) -> None:
    command = [sys.executable, "-c", PROGRAM, outputs]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "playing\n"
        started = time.monotonic()
        process.send_signal(number)
        assert process.stdout.readline() == "lamps off\n"
        assert process.wait(SOON_S) == 0
        # 1.3 s are promised (a tick, then join_s for the output that hangs); the rest is a busy machine's.
        assert time.monotonic() - started < 1.3 + 2.0
