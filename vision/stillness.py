"""When is it worth looking: motion, hands and light on a small grey picture. Cheap enough for every frame.

A light that changes is smooth across the table and is taken out before anything is compared; a hand is not smooth, and
it reaches in from the picture's edge.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Image

Plane = NDArray[np.float32]
Mask = NDArray[np.uint8]

SMALL_W = 160
"""Columns of the small picture: a fingertip is then two pixels wide, and a frame costs well under a millisecond."""
SETTLE_S = 0.3
"""A table that did not move for so long lies still: the settling time that the design allows."""
MOVED_LEVELS = 9.0
"""Grey levels by which a small pixel must change to have moved: thrice a webcam's grain after averaging."""
MOVED_PART = 0.0012
"""Part of the picture that must move: two dozen small pixels, less than a finger."""
OTHER_LEVELS = 14.0
"""Grey levels from the resting table from which something else lies there."""
HAND_PART = 0.006
"""A hand covers at least this part of the picture; a sleeve at the very edge covers less."""
AT_THE_EDGE = 0.6
"""Table units from the middle beyond which a hand's tip is out of the way of the cards."""
WHOLE_PART = 0.3
"""Part of the picture that must look otherwise for the camera to have been knocked: no arm covers as much."""
SMOOTH_PART = 0.4
"""Light is smooth over this part of the picture's width."""
TRACK_GAP_S = 0.35
"""A hand not seen for so long has left."""
QUIET_S = 1.5
"""What has not moved for so long is no hand: hands of people who sit still for a camera move within a second."""
LAID_S = 0.25
"""What has not moved for so long may have been laid there: less than the settling time, more than a frame or two."""
RESTING_S, RESTING_PART = 0.5, 0.15
"""A hand of which less than this part moved within this time rests: one that lays a card moves as a whole."""
RESTS_KEPT = 8
"""Rests of the table that are remembered: a trick of six lies through that many."""
SURE_SHIFT = 0.15
"""Response of the phase correlation from which a shift is believed; unrelated pictures stay under 0.05."""
SAME_ARM_DEG = 25.0
"""Arms that come in nearer to each other than this are one, seen again."""


def small_grey(frame: Frame) -> Plane:
    """A frame as small grey floats, from the camera's own small picture where it has one."""
    if frame.small is not None:
        grey: Image = frame.small
    else:
        step = max(1, frame.image.shape[1] // (2 * SMALL_W))
        grey = cv2.cvtColor(np.ascontiguousarray(frame.image[::step, ::step]), cv2.COLOR_BGR2GRAY)
    height = max(1, round(SMALL_W * grey.shape[0] / grey.shape[1]))
    return cv2.resize(grey, (SMALL_W, height), interpolation=cv2.INTER_AREA).astype(np.float32)


def unlike(a: Plane, b: Plane) -> Plane:
    """By how many levels two pictures differ beyond what light explains: a smooth gain, and a flat step."""
    was, now = b[::3, ::3], a[::3, ::3]
    # Told by the brighter half: in a dark table grain and the sensor's black level weigh more than the light.
    bright = was >= np.median(was)
    gain = float(np.median(now[bright] / np.maximum(was[bright], 1.0)))
    apart = a - b * gain
    near = np.clip(apart, -2 * OTHER_LEVELS, 2 * OTHER_LEVELS)
    size = max(3, int(SMALL_W * SMOOTH_PART) | 1)
    return np.abs(apart - cv2.blur(near, (size, size)))


@dataclass(frozen=True)
class Arm:
    """A hand over the table in one frame."""

    edge: tuple[float, float]
    """Where it crosses the picture's border, in small pixels."""
    tip: tuple[float, float]
    """Its point farthest from there."""
    part: float
    """Of the picture that it covers."""
    resting: bool = False
    """It lies there, fingers moving at most."""


@dataclass(frozen=True)
class Motion:
    """What one frame tells without being read."""

    still_s: float
    """For how long nothing has moved."""
    arms: tuple[Arm, ...]
    changed: float
    """Part of the picture that is unlike the table at its last rest, hands not counted."""
    whole: bool
    """Most of the picture changed: the camera moved, or what it sees was exchanged."""

    @property
    def settled(self) -> bool:
        """Worth looking."""
        return self.still_s >= SETTLE_S


class Stillness:
    """Watches small pictures go by. `rested` says that a look was taken: from then on that is the table at rest."""

    def __init__(self) -> None:
        self._before: Plane | None = None
        self._rest: Plane | None = None
        self._rests: list[Plane] = []
        """The table at rests before that."""
        self._moved_s = 0.0
        self._now: Plane | None = None
        self._arms_mask: Mask | None = None
        self._last_moved: Plane | None = None
        self._at_s = 0.0

    def see(self, frame: Frame) -> Motion:
        """Takes the next frame in."""
        now = small_grey(frame)
        if self._before is None or self._before.shape != now.shape:
            self._before, self._rest, self._rests, self._moved_s = now, None, [], frame.at_s
        moved = unlike(now, self._before) > MOVED_LEVELS
        if self._last_moved is None or self._last_moved.shape != now.shape:
            self._last_moved = np.full(now.shape, -QUIET_S, np.float32)
        self._last_moved[moved] = self._at_s = frame.at_s
        self._before = now
        self._now = now
        arms: tuple[Arm, ...] = ()
        changed, whole = 0.0, False
        self._arms_mask = None
        if self._rest is not None:
            other = (unlike(now, self._rest) > OTHER_LEVELS).astype(np.uint8)
            whole = float(other.mean()) > WHOLE_PART
            if float(other.mean()) > HAND_PART and not whole:
                # Where cards left, the table shows as it did before them: that is no hand.
                strange = other.copy()
                for rest in self._rests:
                    strange &= (unlike(now, rest) > OTHER_LEVELS).astype(np.uint8)
                arms, held, aside = _arms(strange, frame.at_s - self._last_moved)
                # A hand that is at the edge, or lies there and is never quite still, keeps nobody from looking.
                moved &= aside == 0
            else:
                held = np.zeros_like(other)
            self._arms_mask = held
            changed = float((other & ~held & 1).mean())
        if float(moved.mean()) > MOVED_PART:
            self._moved_s = frame.at_s
        return Motion(frame.at_s - self._moved_s, arms, changed, whole)

    def rested(self) -> list[tuple[float, float, float]]:
        """The table as it lies now is the table at rest. What is new on it since: (x, y, part) in small pixels."""
        new: list[tuple[float, float, float]] = []
        now, rest = self._now, self._rest
        if now is None or rest is None:
            self._rest = now
            return new
        other = (unlike(now, rest) > OTHER_LEVELS).astype(np.uint8)
        # A table seen from elsewhere has nothing in common with its earlier rests.
        whole = float(other.mean()) > WHOLE_PART
        self._rests = [] if whole else [*self._rests[-(RESTS_KEPT - 1) :], rest]
        hands = self._hands_now()
        if hands is not None:
            other[hands > 0] = 0
            now = np.where(hands > 0, rest, now)
        self._rest = now
        other = cv2.morphologyEx(other, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, _, stats, middles = cv2.connectedComponentsWithStats(other)
        for k in range(1, count):
            part = float(stats[k, cv2.CC_STAT_AREA]) / other.size
            if part > MOVED_PART:
                new.append((float(middles[k][0]), float(middles[k][1]), part))
        return new

    def _hands_now(self) -> Mask | None:
        """Of what reaches in from the border, what moves this moment: the rest may be a packet that was just laid."""
        if self._arms_mask is None or self._last_moved is None:
            return None
        count, labels = cv2.connectedComponents(self._arms_mask)
        moving = [k for k in range(1, count) if self._at_s - float(self._last_moved[labels == k].max()) < LAID_S]
        return np.isin(labels, moving).astype(np.uint8)

    def moved_since_rest(self) -> tuple[float, float] | None:
        """How far all that is seen has moved since the last rest, in table units; None if that cannot be told."""
        now, rest = self._now, self._rest
        if now is None or rest is None:
            return None
        window = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
        # It multiplies what it is given by the window, in place.
        (dx, dy), response = cv2.phaseCorrelate(rest.copy(), now.copy(), window)
        half = min(now.shape) / 2
        return (dx / half, dy / half) if response > SURE_SHIFT else None

    def under_an_arm(self, x: float, y: float) -> bool:
        """Whether a hand lies over this place, in small pixels."""
        mask = self._arms_mask
        if mask is None:
            return False
        row, column = int(np.clip(y, 0, mask.shape[0] - 1)), int(np.clip(x, 0, mask.shape[1] - 1))
        return bool(mask[row, column])

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the small picture."""
        assert self._now is not None
        return self._now.shape[0], self._now.shape[1]


def _arms(other: Mask, quiet_s: Plane) -> tuple[tuple[Arm, ...], Mask, Mask]:
    """The parts of what is not the table that reach in from the border, where they are, and where those out of the way.

    quiet_s: for how long each pixel has not moved. A hand is never quite still; what is was laid there.
    """
    whole = cv2.dilate(cv2.medianBlur(other, 3), np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    height, width = other.shape
    held, aside = np.zeros_like(other), np.zeros_like(other)
    arms = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        part = area / other.size
        inside = x > 0 and y > 0 and x + w < width and y + h < height
        if inside or part < HAND_PART:
            continue
        if float(quiet_s[labels == k].min()) > QUIET_S:
            continue
        ys, xs = np.nonzero(labels == k)
        border = (xs == 0) | (ys == 0) | (xs == width - 1) | (ys == height - 1)
        edge = (float(xs[border].mean()), float(ys[border].mean()))
        far = int(np.argmax((xs - edge[0]) ** 2 + (ys - edge[1]) ** 2))
        resting = float((quiet_s[labels == k] < RESTING_S).mean()) < RESTING_PART
        arms.append(Arm(edge, (float(xs[far]), float(ys[far])), part, resting))
        held[labels == k] = 1
        away = np.hypot(xs[far] + 0.5 - width / 2, ys[far] + 0.5 - height / 2) / (min(height, width) / 2)
        if away > AT_THE_EDGE or resting:
            aside[labels == k] = 1
    return tuple(arms), held, cv2.dilate(aside, np.ones((5, 5), np.uint8))
