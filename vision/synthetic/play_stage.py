"""A simulated table as it goes on in time: what lies still, what moves over it, what is due when, and its frames.

Time is virtual: frames follow each other by the step of the clock, however long they take to draw.
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from engine.events import Event
from vision.frame import Frame
from vision.synthetic.cards_backgrounds import Rng
from vision.synthetic.decks import Image
from vision.synthetic.play_render import SHUTTER_S, CameraView, Cards, Over, Point, Sensor, Sprite, compose

LAYER_PX = 1.6
"""How far the edge of one card shows beside the next in a packet, at a card width of 120 px."""
BLURRED_FROM_PX = 2.0
"""Movement while the shutter is open that is worth drawing as blur."""


@dataclass(frozen=True)
class TruthEvent:
    """What happened, when it had come to rest, and when the hand that did it was out of the picture."""

    at_s: float
    event: Event
    clear_s: float = 0.0


@dataclass(frozen=True, eq=False)
class StageThing:
    """Something that lies on the table: a card (or "back"), or a packet of so many layers with that on top."""

    face: str
    at: Point
    turn_rad: float
    kind: str
    layers: int = 1
    holds: tuple[str, ...] = ()
    """The cards of a packet."""


@dataclass(frozen=True, eq=False)
class Mover:
    """A sprite on its way: (time, x, y) keys, eased in between; it is gone after the last. Higher layers lie over."""

    drawn: Callable[[], Sprite]
    """Draws it when it is first to be seen: frames left out then cost nothing."""
    keys: tuple[tuple[float, float, float], ...]
    layer: int

    @cached_property
    def sprite(self) -> Sprite:
        return self.drawn()

    @property
    def end_s(self) -> float:
        return self.keys[-1][0]

    def at(self, time_s: float) -> Point:
        """Where it is; before its first key it waits there."""
        before = self.keys[0]
        for key in self.keys:
            if time_s < key[0]:
                span = key[0] - before[0]
                part = (time_s - before[0]) / span if span > 0 else 1.0
                part = max(0.0, part)
                ease = part * part * (3 - 2 * part)
                return before[1] + (key[1] - before[1]) * ease, before[2] + (key[2] - before[2]) * ease
            before = key
        return before[1], before[2]


@dataclass
class StageLight:
    """Brightness and warmth over time, as (time, gain, warmth) keys."""

    keys: list[tuple[float, float, float]] = field(default_factory=lambda: [(0.0, 1.0, 0.0)])
    drift: float = 0.0
    """Slow swing of the auto-exposure, as a part of the brightness."""

    def now(self, time_s: float) -> tuple[float, tuple[float, float, float]]:
        """Gain, and the cast of blue, green and red."""
        while len(self.keys) > 1 and self.keys[1][0] <= time_s:
            del self.keys[0]
        times, gains, warmths = zip(*self.keys, strict=True)
        gain, warmth = float(np.interp(time_s, times, gains)), float(np.interp(time_s, times, warmths))
        gain *= 1 + self.drift * float(np.sin(time_s / 7.3) + 0.5 * np.sin(time_s / 2.9))
        return gain, (1 - warmth, 1.0, 1 + warmth)

    def ramp(self, start_s: float, over_s: float, gain: float, warmth: float) -> None:
        """Changes to this from now on."""
        level = self.keys[-1]
        self.keys += [(start_s, level[1], level[2]), (start_s + over_s, gain, warmth)]


class Stage:
    """The table, its clock and its agenda."""

    def __init__(self, rng: Rng, background: Image, cards: Cards | None, fps: float) -> None:
        self.size = (background.shape[1], background.shape[0])
        self.fps = fps
        self.light = StageLight()
        self.skip_until_s = 0.0
        """Frames before this are not drawn: a camera that is late asks for the one of now."""
        self._cards = cards
        self._bare = background
        self._sensor = Sensor(rng, self.size)
        self._things: dict[int, StageThing] = {}
        self._movers: list[Mover] = []
        self._agenda: list[tuple[float, int, Callable[[], object]]] = []
        self._count = 0
        self._ticks = 0
        self._view = CameraView()
        self._under: Image | None = None
        self._still: Image | None = None

    @property
    def now_s(self) -> float:
        return self._ticks / self.fps

    @property
    def busy_until_s(self) -> float:
        """When all that is under way or due is over."""
        ends = [mover.end_s for mover in self._movers] + [due[0] for due in self._agenda]
        return max(ends, default=self.now_s)

    def __getitem__(self, number: int) -> StageThing:
        return self._things[number]

    def all(self, *kinds: str) -> list[int]:
        """The things of these kinds that lie there, lowest first."""
        return [number for number, thing in self._things.items() if thing.kind in kinds]

    def put(self, thing: StageThing, under: bool = False) -> int:
        """Lays a thing over everything, or under everything; returns its number."""
        self._count += 1
        self._things = {self._count: thing, **self._things} if under else {**self._things, self._count: thing}
        self._still = None
        return self._count

    def change(self, number: int, thing: StageThing) -> None:
        """Puts another thing in the place of one, over and under the same others."""
        self._things[number] = thing
        self._still = None

    def hide(self, number: int) -> None:
        """A thing is in the air: it keeps its number and its place, but is not drawn."""
        self.change(number, replace(self._things[number], layers=0))

    def take(self, number: int) -> StageThing | None:
        """Takes a thing away; None: it is not there any more."""
        self._still = None
        return self._things.pop(number, None)

    def move(self, mover: Mover) -> None:
        """Something moves from its first key's time to its last."""
        self._movers.append(mover)

    def at(self, time_s: float, action: Callable[[], object]) -> None:
        """What is to happen at a time; what is due at the same time happens in the order it was said."""
        self._count += 1
        heapq.heappush(self._agenda, (time_s, self._count, action))

    @property
    def view(self) -> CameraView:
        """How the camera looks now."""
        return self._view

    def paint(self, background: Image) -> None:
        """What lies under everything looks like this from now on."""
        self._bare, self._under, self._still = background, None, None

    def look_from(self, view: CameraView) -> None:
        """The camera has moved."""
        self._view, self._under, self._still = view, None, None

    def frames(self, until_s: float) -> Iterator[Frame]:
        """The frames up to a time."""
        while self.now_s < until_s:
            self._do_all_due(self.now_s)
            if self.now_s >= self.skip_until_s:
                yield Frame(self._picture(), self.now_s)
            self._ticks += 1
        # What happens next builds on what lies there by then, be it since the last frame.
        self._do_all_due(until_s)

    def _do_all_due(self, until_s: float) -> None:
        while self._agenda and self._agenda[0][0] <= until_s:
            heapq.heappop(self._agenda)[2]()

    def _picture(self) -> Image:
        now = self.now_s
        self._movers = [mover for mover in self._movers if mover.end_s > now]
        over = []
        for mover in sorted(self._movers, key=lambda mover: mover.layer):
            if mover.keys[0][0] <= now:
                x, y = mover.at(now)
                x0, y0 = mover.at(max(mover.keys[0][0], now - SHUTTER_S))
                fast = max(abs(x - x0), abs(y - y0)) > BLURRED_FROM_PX
                over.append(
                    Over(mover.sprite, self._view.place((x, y), self.size), (x - x0, y - y0) if fast else (0, 0))
                )
        if self._still is None:
            self._still = self._sensor.lit(self._composed())
        return self._sensor.take(compose(self._still, over), *self.light.now(now))

    def _composed(self) -> Image:
        if self._under is None:
            self._under = self._view.warp(self._bare)
        if self._cards is None:
            return self._under
        still = self._under.copy()
        step = LAYER_PX * self._cards.width_px / 120
        for thing in self._things.values():
            sprite = self._cards.sprite(thing.face, thing.turn_rad + self._view.turn_rad)
            x, y = self._view.place(thing.at, self.size)
            for layer in range(thing.layers):
                # The layers of a packet do not lie quite straight.
                slip = 0.6 * step * np.sin(2.4 * layer + thing.at[0])
                sprite.paste(still, (x - layer * step * 0.5 + slip, y - layer * step + slip))
        return still


def shaken(view: CameraView, shift_px: Point, turn_rad: float) -> CameraView:
    """A view moved further by so much."""
    return replace(
        view,
        shift_px=(view.shift_px[0] + shift_px[0], view.shift_px[1] + shift_px[1]),
        turn_rad=view.turn_rad + turn_rad,
    )
