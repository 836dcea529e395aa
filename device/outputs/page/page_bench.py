"""What the page costs beside the loop: from view to lamp, frames dropped, memory; with phones and without.

A recorded game is followed in real time by a process of its own: by itself; with the pictures of its last seconds kept;
with twenty phones that follow and three that watch the camera, in another process. Nothing is drawn while it measures.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from device.cameras.simulated import SimulatedCamera
from device.following.follow import FrameSeen
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.loop import Loop, run_through
from device.following.moments import Moments
from device.following.recording import RecordedCamera, Recorder, Recording
from device.following.show import Show
from device.keeping.settings import Settings
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal
from vision.frame import Frame
from vision.measured import resident_mb
from vision.synthetic.play_cards import DrawnCardTable

FOLLOWERS, WATCHERS, IDLERS = 20, 3, 10
SIZE = (960, 720)
SETTINGS = Settings(language="en", game="turufu", players=4, build="laptop", display="none")
ALONE, MOMENTS, PAGE = "alone", "moments", "page"
"""What a game is followed with."""
MODULE = "device.outputs.page.page_bench"


def bench(events: int, idle_s: float) -> dict[str, Any]:
    """So many events of a deal, recorded and followed three times; and what followers cost while nothing happens."""
    with tempfile.TemporaryDirectory() as folder:
        record(Path(folder) / "recording", events)
        without = _follow(Path(folder), ALONE)
        with_moments = _follow(Path(folder), MOMENTS)
        with_phones = _follow(Path(folder), PAGE)
    return {
        "without": without,
        "with_moments": with_moments,
        f"with_{FOLLOWERS}_following_{WATCHERS}_watching": with_phones,
        "more_memory_mb": round(with_phones["memory_mb"] - without["memory_mb"], 1),
        "more_frames_dropped": with_phones["frames_dropped"] - without["frames_dropped"],
        f"idle_processor_share_of_{IDLERS}_followers": _idle(idle_s),
    }


def record(folder: Path, events: int) -> None:
    """The film that is followed."""
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    camera = SimulatedCamera(
        DrawnCardTable(match.judge.game, 1, SIZE),
        honest_deal(match.judge.game, Random(1), 0).events[:events],
        real_time=False,
    )
    settings = SETTINGS
    recorder = Recorder(folder, match, settings.seating)
    run_through(camera, LiveTable(InMemory(match), settings, lambda _: InMemory(match), watch=recorder.watch), [])
    recorder.close()


def _follow(folder: Path, what: str) -> dict[str, Any]:
    command = [
        sys.executable,
        "-m",
        MODULE,
        "follow",
        str(folder / "recording"),
        str(folder),
        what,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        crowd = None
        if what == PAGE:
            port, token = child.stdout.readline().split()
            many = (port, token, str(FOLLOWERS), str(WATCHERS))
            crowd = subprocess.Popen([sys.executable, "-m", MODULE, "crowd", *many], stdout=subprocess.PIPE, text=True)
        figures: dict[str, Any] = json.loads(child.stdout.read())
    if crowd is not None:
        heard = json.loads(crowd.communicate(timeout=30)[0])
        lit, seen = figures.pop("lit_s"), heard.pop("seen_s")
        late = sorted(1e3 * (seen[number] - at_s) for number, at_s in lit.items() if number in seen)
        figures["last_phone_after_lamp_median_ms"] = round(statistics.median(late), 1)
        figures["last_phone_after_lamp_most_ms"] = round(late[-1], 1)
        figures["heard"] = heard
    figures.pop("lit_s", None)
    return figures


def _idle(seconds: float) -> float:
    """Of one processor, in per cent, beyond what the idle page takes by itself."""
    shares = []
    for followers in (0, IDLERS):
        command = [sys.executable, "-m", MODULE, "idle", str(seconds)]
        with (
            tempfile.TemporaryDirectory() as folder,
            subprocess.Popen([*command, folder], stdout=subprocess.PIPE, text=True) as child,
        ):
            assert child.stdout is not None
            port, token = child.stdout.readline().split()
            crowd = subprocess.Popen([sys.executable, "-m", MODULE, "crowd", port, token, str(followers), "0"],
                                     stdout=subprocess.DEVNULL)  # fmt: skip
            shares.append(float(child.stdout.read()))
            crowd.wait(30)
    return round(100 * (shares[1] - shares[0]), 2)


# -- in processes of their own -----------------------------------------------------------------------------------------


class _Paced:
    """A recording in real time; frames that came too late are still given, as a camera's driver would."""

    name = "recording"

    def __init__(self, folder: Path) -> None:
        self._camera = RecordedCamera(Recording(folder))
        self._began_s: float | None = None

    def frame(self) -> Frame | None:
        frame = self._camera.frame()
        if frame is not None:
            if self._began_s is None:
                self._began_s = time.monotonic() - frame.at_s
            time.sleep(max(0.0, self._began_s + frame.at_s - time.monotonic()))
        return frame

    def close(self) -> None:
        self._camera.close()


class _Lamp:
    """Notes how long a view took to reach it."""

    name = "lamp"

    def __init__(self) -> None:
        self.made: dict[int, float] = {}
        self.late_ms: list[float] = []
        self.lit_s: dict[int, float] = {}
        """When each event was first shown, by how many there were."""

    def show(self, show: Show) -> None:
        self.lit_s.setdefault(show.extra["events"], time.monotonic())
        made_s = self.made.pop(id(show), None)
        if made_s is not None:
            self.late_ms.append(1e3 * (time.monotonic() - made_s))

    def close(self) -> None:
        """Nothing to let go of."""


def _page(folder: Path, settings: Settings) -> Any:
    from device.outputs.page.address import Listening
    from device.outputs.page.page import PhonePage

    return PhonePage(settings, Listening((("127.0.0.1", 0),), True), say=lambda text: None)


class _TimedMoments(Moments):
    """Notes what each frame took of the processor, and the most that was held."""

    def __init__(self, match: Match) -> None:
        super().__init__(lambda: match)
        self.took_ms: list[float] = []
        self.most_bytes = 0

    def watch(self, frame: Frame, seen: FrameSeen) -> None:
        """A frame came, and what came of it."""
        began_s = time.thread_time()
        super().watch(frame, seen)
        self.took_ms.append(1e3 * (time.thread_time() - began_s))
        self.most_bytes = max(self.most_bytes, self.held_bytes)

    def to_dict(self) -> dict[str, float]:
        """What a frame cost, and the most that was held."""
        return {
            "frame_mean_ms": round(statistics.mean(self.took_ms), 3),
            "frame_worst_ms": round(max(self.took_ms), 1),
            "held_mb": round(self.most_bytes / 1e6, 2),
        }


def follow(recording: Path, folder: Path, what: str) -> None:
    """Follows a recording, and says what it cost."""
    settings = replace(SETTINGS, matches=str(folder / "matches"))
    lamp = _Lamp()

    class Timed(LiveTable):
        def see(self, frame: Frame) -> None:
            before = self.show
            super().see(frame)
            if self.show is not before:
                lamp.made[id(self.show)] = time.monotonic()

    page = _page(folder, settings) if what == PAGE else None
    match = Match("turufu", 4)
    moments = _TimedMoments(match) if what == MOMENTS else None
    watch = moments.watch if moments else page.watch if page else None
    table = Timed(InMemory(match), settings, lambda _: InMemory(match), watch=watch)
    outputs: list[Any] = [lamp]
    if page is not None:
        page.of(table)
        outputs.append(page)
        page.show(table.show)
        print(page.site.port, page.site.phones.add("bench"), flush=True)
        time.sleep(3)  # All phones are there before it begins.
    loop = Loop(lambda: _Paced(recording), table, outputs, inputs=[page.listen] if page else [])
    cpu_s, began_s = time.process_time(), time.monotonic()
    loop.run(threading.Event())
    late = sorted(lamp.late_ms)
    figures = {
        "views": len(late), "view_to_lamp_median_ms": round(statistics.median(late), 2),
        "view_to_lamp_p95_ms": round(late[int(0.95 * (len(late) - 1))], 2),
        "frames_dropped": loop.frames_dropped, "memory_mb": round(resident_mb(), 1), "events": len(match.log),
        "lit_s": lamp.lit_s,
        "processor_share": round((time.process_time() - cpu_s) / (time.monotonic() - began_s), 3),
    }  # fmt: skip
    if moments is not None:
        figures["moments"] = moments.to_dict()
    print(json.dumps(figures), flush=True)


def idle(seconds: float, folder: Path) -> None:
    """A page that nothing happens on; its share of one processor."""
    page = _page(folder, replace(SETTINGS, matches=str(folder)))
    page.show(Show({"game": "turufu", "phase": "waiting_for_deal"}, "en"))
    print(page.site.port, page.site.phones.add("bench"), flush=True)
    time.sleep(3)
    cpu_s, began_s = time.process_time(), time.monotonic()
    time.sleep(seconds)
    print((time.process_time() - cpu_s) / (time.monotonic() - began_s), flush=True)
    page.close()


def crowd(port: int, token: str, followers: int, watchers: int) -> None:
    """Phones that follow, and some that watch the camera, until the page is gone."""
    import aiohttp

    heard: dict[str, Any] = {"changes": 0, "pictures": 0, "picture_kb": 0.0, "seen_s": {}}

    async def phone(session: aiohttp.ClientSession, looks: bool) -> None:
        at = f"http://127.0.0.1:{port}"
        told = {"Origin": at, "Cookie": f"hisabu-{port}={token}"}
        async with session.ws_connect(at.replace("http", "ws") + "/live", headers=told) as line:
            await line.send_json({"look": ["camera"] if looks else ["log"]})
            async for message in line:
                if message.type is aiohttp.WSMsgType.BINARY:
                    heard["pictures"] += 1
                    heard["picture_kb"] += len(message.data) / 1e3
                else:
                    heard["changes"] += 1
                    number = (json.loads(message.data).get("change") or {}).get("events")
                    if number is not None:  # Kept is when the last of them heard of it.
                        heard["seen_s"][number] = time.monotonic()

    async def all_of_them() -> None:
        async with aiohttp.ClientSession() as session:
            phones = [phone(session, number < watchers) for number in range(followers + watchers)]
            await asyncio.gather(*phones, return_exceptions=True)

    asyncio.run(all_of_them())
    heard["picture_kb"] = round(heard["picture_kb"] / max(1, heard["pictures"]), 1)
    print(json.dumps(heard))


def main(words: list[str]) -> None:
    """One of the processes of the bench."""
    match words:
        case ["follow", recording, folder, what]:
            follow(Path(recording), Path(folder), what)
        case ["idle", seconds, folder]:
            idle(float(seconds), Path(folder))
        case ["crowd", port, token, followers, watchers]:
            crowd(int(port), token, int(followers), int(watchers))


if __name__ == "__main__":
    main(sys.argv[1:])
