"""What following a table costs: from a card at rest to the view that shows it, time by kind of frame, memory; the
accounts of the table, and what weighing them takes of a look."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from io import StringIO
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from device.following.follow import CardEye, CardFollower, FrameSeen, card_eye
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.keeping.settings import Settings
from device.outputs.display.display_bench import CountingWire
from device.outputs.display.wired import Display
from device.outputs.terminal import TerminalOutput
from engine.cards import Card
from engine.events import Play
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.sightings import TableLook
from engine.simulate import honest_deal
from vision.frame import Frame, Image
from vision.measured import resident_mb
from vision.small import Small
from vision.synthetic.play_cards import DrawnCardTable

SIZE = (1280, 960)
FPS = 10.0
SETTINGS = Settings(language="en", game="turufu", players=4, build="laptop", display="none")
TABLE_SEED = 2
"""A striped table top: on a printed one the time that doubts take would be measured too."""
KEPT_FRAMES = 6
"""Of a table at rest, and of one under a hand, that stand for an hour of frames."""
HAND_EVERY_S, HAND_FOR_S = 30.0, 1.0
"""In the simulated hour a hand comes so often, for so long."""


def bench(events: int, seconds: float) -> dict[str, Any]:
    """Follows so many events of a drawn deal on one core, then so many simulated seconds for what they leave."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        figures, frames = _followed(events)
    finally:
        cv2.setNumThreads(threads)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frames.npy"
        np.save(path, np.stack(frames))
        command = [sys.executable, "-m", "device.commands.live_bench", str(path), str(seconds)]
        memory = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {**figures, "memory": memory}


def _followed(events: int) -> tuple[dict[str, Any], list[Image]]:
    """The figures of a deal that is followed, and frames of it: half of them at rest, half under a hand."""
    match = Match(SETTINGS.game, SETTINGS.players)
    assert isinstance(match.judge, CardJudge)
    table = DrawnCardTable(match.judge.game, TABLE_SEED, SIZE, fps=FPS)
    looked: list[FrameSeen] = []
    eye = _TimedEye(card_eye(SETTINGS))
    follower = CardFollower(match, SETTINGS, eye)
    live = LiveTable(
        InMemory(match),
        SETTINGS,
        _begin,
        watch=lambda _, seen: looked.append(seen),
        follower=lambda match, settings: follower,
    )
    figures = _Figures()
    before: Small | None = None
    resting: list[Image] = []
    handed: list[Image] = []
    for frame in table.play(honest_deal(match.judge.game, Random(1), 0).events[:events]):
        small = Small.of(frame)
        moving = before is not None and small.moves(before)
        before = small
        start = time.process_time()
        live.see(frame)
        took_s = time.process_time() - start
        figures.add(frame.at_s, took_s, looked[-1], moving)
        if looked[-1].lying is not None:
            figures.hypotheses.append(follower.hypotheses)
            figures.weighed.append(took_s - eye.took_s)
        kept = handed if moving else resting
        if len(kept) < KEPT_FRAMES // 2 and len(match.log) > 1:
            kept.append(frame.image)
    laid = [(told.event.card, told.clear_s) for told in table.truth if isinstance(told.event, Play)]
    return figures.to_dict(laid), [*resting, *handed]


class _Figures:
    """What was measured of each frame."""

    def __init__(self) -> None:
        self._spent: dict[str, list[float]] = {"still": [], "moving": [], "look": []}
        self._shown: dict[str, tuple[float, float]] = {}
        self.hypotheses: list[int] = []
        self.weighed: list[float] = []

    def add(self, at_s: float, took_s: float, seen: FrameSeen, moving: bool) -> None:
        """A frame that was taken in."""
        self._spent["look" if seen.looked else "moving" if moving else "still"].append(took_s)
        for event in seen.events:
            if isinstance(event, Play) and event.card:
                self._shown.setdefault(event.card, (at_s, took_s))

    def to_dict(self, laid: Sequence[tuple[str | None, float]]) -> dict[str, Any]:
        """laid: each card, and when the hand that laid it was gone."""
        waits = [sum(self._shown[card]) - clear_s for card, clear_s in laid if card in self._shown]
        every = list(chain.from_iterable(self._spent.values()))
        return {
            "size": list(SIZE),
            "cards_laid_and_shown": [len(laid), len(waits)],
            "hand_gone_to_view_s": {"median": round(statistics.median(waits), 2), "worst": round(max(waits), 2)},
            "frame_ms": {kind: round(1e3 * statistics.median(took), 2) for kind, took in self._spent.items() if took},
            "look_worst_ms": round(1e3 * max(self._spent["look"]), 1),
            "histories": {
                "median": round(statistics.median(self.hypotheses)),
                "most": max(self.hypotheses),
                "look_ms": {
                    "median": round(1e3 * statistics.median(self.weighed), 2),
                    "worst": round(1e3 * max(self.weighed), 1),
                },
            },
            "frames_a_second_on_one_core": round(len(every) / sum(every)),
        }


class _TimedEye:
    """An eye, and how long the last frame took it."""

    def __init__(self, eye: CardEye) -> None:
        self._eye = eye
        self.took_s = 0.0

    @property
    def situation(self) -> str:
        return self._eye.situation

    @property
    def kept(self) -> bool:
        return self._eye.kept

    def see(self, frame: Frame, possible: Collection[Card] | None = None) -> Sequence[TableLook]:
        """What the eye sees."""
        start = time.process_time()
        looks = self._eye.see(frame, possible)
        self.took_s = time.process_time() - start
        return looks


def _begin(settings: Settings) -> InMemory:
    return InMemory(Match(settings.game, settings.players, settings.house))


def _hour(frames: Sequence[Image], seconds: float) -> Iterator[Frame]:
    """Frames for so many seconds of a table over which a hand comes now and then."""
    half = len(frames) // 2
    for number in range(round(seconds * FPS)):
        at_s = number / FPS
        hand = at_s % HAND_EVERY_S > HAND_EVERY_S - HAND_FOR_S
        yield Frame(frames[(half if hand else 0) + number % half], at_s)


def memory(frames: Sequence[Image], seconds: float) -> dict[str, float]:
    """Megabytes of this process after the first looks, and after so many simulated seconds with outputs attached."""
    glass = Display("st7789", (320, 240), serial=CountingWire)
    terminal = TerminalOutput(_Nowhere(), live=True)
    live = LiveTable(InMemory(Match(SETTINGS.game, SETTINGS.players)), SETTINGS, _begin, watch=terminal.watch)
    began_mb = 0.0
    shown = None
    for frame in _hour(frames, seconds):
        live.see(frame)
        if live.show is not shown:
            shown = live.show
            glass.show(shown)
            terminal.show(shown)
        if began_mb == 0.0 and frame.at_s > 2 * HAND_EVERY_S:
            began_mb = round(resident_mb(), 1)
    return {"after_a_minute_mb": began_mb, "in_the_end_mb": round(resident_mb(), 1), "simulated_s": seconds}


class _Nowhere(StringIO):
    """A terminal that nobody looks at."""

    def write(self, text: str) -> int:
        return len(text)


if __name__ == "__main__":
    print(json.dumps(memory(list(np.load(sys.argv[1])), float(sys.argv[2]))))
