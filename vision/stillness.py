"""When is it worth looking: motion, hands and light on a small picture. Cheap enough for every frame.

A light that changes is smooth across the table and is taken out before anything is compared; a hand is not smooth, and
it reaches in from the picture's edge. Colours count beside grey, since a hand may be just as dark as the table.
"""

from dataclasses import dataclass
from typing import NamedTuple

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
COLOUR = 0.57
"""How blue and how red it is need differ only by this part of those levels: skin differs from a cloth as dark by more
than all of them."""
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


@dataclass(frozen=True)
class Small:
    """A frame as it is compared with others: small, grey, and, at half that size, how red and blue it is (0: grey)."""

    grey: Plane
    colour: Plane

    @staticmethod
    def of(frame: Frame) -> "Small":
        """From the camera's own small picture where it has one."""
        coloured = _stepped(frame.image if frame.small is None or frame.small.ndim == 2 else frame.small)
        grey = frame.small if frame.small is not None and frame.small.ndim == 2 else None
        if grey is None:
            grey = np.asarray(cv2.cvtColor(coloured, cv2.COLOR_BGR2GRAY), np.uint8)
        half = cv2.resize(coloured, _size(coloured, SMALL_W // 2), interpolation=cv2.INTER_AREA)
        colour = cv2.cvtColor(half, cv2.COLOR_BGR2YCrCb)[..., 1:].astype(np.float32) - 128
        return Small(cv2.resize(grey, _size(grey, SMALL_W), interpolation=cv2.INTER_AREA).astype(np.float32), colour)

    def moved(self, before: "Small", wary: float = 1.0) -> Mask:
        """Where it is unlike the frame before by so much that something moved; wary: by so much of that already."""
        return self._unlike(before, wary * MOVED_LEVELS)

    def moves(self, before: "Small", wary: float = 1.0) -> bool:
        """Whether enough of it moved to count."""
        return float(self.moved(before, wary).mean()) > wary * MOVED_PART

    def other(self, rest: "Small") -> Mask:
        """Where something else lies than when the table was at rest."""
        return self._unlike(rest, OTHER_LEVELS)

    def _unlike(self, then: "Small", levels: float) -> Mask:
        """Where the two differ by more than these levels beyond what light explains: a smooth gain, and a flat step."""
        was, now = then.grey[::3, ::3], self.grey[::3, ::3]
        # Told by the brighter half: in a dark table grain and the sensor's black level weigh more than the light.
        bright = was >= np.median(was)
        gain = float(np.median(now[bright] / np.maximum(was[bright], 1.0)))
        grey = (np.abs(_beyond_light(self.grey - then.grey * gain, OTHER_LEVELS)) > levels).astype(np.uint8)
        red, blue = cv2.split(np.abs(_beyond_light(self.colour - then.colour * gain, COLOUR * OTHER_LEVELS)))
        colour = (np.maximum(red, blue) > COLOUR * levels).astype(np.uint8)
        return grey | cv2.resize(colour, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_NEAREST)

    def without(self, hidden: Mask, before: "Small") -> "Small":
        """As it is where nothing hides it, as it was before elsewhere."""
        half = cv2.resize(hidden, (self.colour.shape[1], self.colour.shape[0]), interpolation=cv2.INTER_NEAREST)
        grey = np.where(hidden > 0, before.grey, self.grey)
        return Small(grey, np.where(half[..., None] > 0, before.colour, self.colour))


def small_picture(frame: Frame) -> Image:
    """A frame as small as it is compared, in colour: what a recording keeps of one that was not read."""
    image = _stepped(frame.image)
    return np.asarray(cv2.resize(image, _size(image, SMALL_W), interpolation=cv2.INTER_AREA), np.uint8)


def _stepped(image: Image) -> Image:
    step = max(1, image.shape[1] // (2 * SMALL_W))
    return np.ascontiguousarray(image[::step, ::step])


def _size(image: Image, width: int) -> tuple[int, int]:
    return width, max(1, round(width * image.shape[0] / image.shape[1]))


def _beyond_light(apart: Plane, levels: float) -> Plane:
    """A difference without the part of it that is smooth; what differs by more than a few levels is no light."""
    near = cv2.min(cv2.max(apart, -2 * levels), 2 * levels)
    size = max(3, int(apart.shape[1] * SMOOTH_PART) | 1)
    return np.asarray(apart - cv2.blur(near, (size, size)), np.float32)


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


class Changed(NamedTuple):
    """A place that looks otherwise than at the last rest: its middle, in small pixels, and part of the picture."""

    x: float
    y: float
    part: float
    put: tuple[float, float] | None
    """The middle of what looked so at no earlier rest either: something was put there."""


class Stillness:
    """Watches small pictures go by. `rested` says that a look was taken: from then on that is the table at rest."""

    def __init__(self) -> None:
        self._before: Small | None = None
        self._rest: Small | None = None
        self._rests: list[Small] = []
        """The table at rests before that."""
        self._moved_s = 0.0
        self._now: Small | None = None
        self._arms_mask: Mask | None = None
        self._last_moved: Plane | None = None
        self._at_s = 0.0

    def see(self, frame: Frame) -> Motion:
        """Takes the next frame in."""
        now = Small.of(frame)
        if self._before is None or self._before.grey.shape != now.grey.shape:
            self._before, self._rest, self._rests, self._moved_s = now, None, [], frame.at_s
        moved = now.moved(self._before)
        if self._last_moved is None or self._last_moved.shape != moved.shape:
            self._last_moved = np.full(moved.shape, -QUIET_S, np.float32)
        self._last_moved[moved > 0] = self._at_s = frame.at_s
        self._before = now
        self._now = now
        arms: tuple[Arm, ...] = ()
        changed, whole = 0.0, False
        self._arms_mask = None
        if self._rest is not None:
            other = now.other(self._rest)
            whole = float(other.mean()) > WHOLE_PART
            if float(other.mean()) > HAND_PART and not whole:
                # Where cards left, the table shows as it did before them: that is no hand.
                strange = other & self._unlike_all_rests(now)
                arms, held, aside = _arms(strange, frame.at_s - self._last_moved)
                # A hand that is at the edge, or lies there and is never quite still, keeps nobody from looking.
                moved &= 1 - aside
            else:
                held = np.zeros_like(other)
            self._arms_mask = held
            changed = float((other & ~held & 1).mean())
        if float(moved.mean()) > MOVED_PART:
            self._moved_s = frame.at_s
        return Motion(frame.at_s - self._moved_s, arms, changed, whole)

    def anew(self) -> None:
        """The table as it lies now is the table at rest, and what seemed a hand over it is none."""
        self._rest, self._rests, self._arms_mask = self._now, [], None

    def rested(self) -> list[Changed]:
        """The table as it lies now is the table at rest. What is other on it since."""
        new: list[Changed] = []
        now, rest = self._now, self._rest
        if now is None or rest is None:
            self._rest = now
            return new
        other = now.other(rest)
        # A table seen from elsewhere has nothing in common with its earlier rests.
        whole = float(other.mean()) > WHOLE_PART
        self._rests = [] if whole else [*self._rests[-(RESTS_KEPT - 1) :], rest]
        hands = self._hands_now()
        if hands is not None:
            other[hands > 0] = 0
            now = now.without(hands, rest)
        self._rest = now
        other = cv2.morphologyEx(other, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, labels, stats, middles = cv2.connectedComponentsWithStats(other)
        never = self._unlike_all_rests(now) if count > 1 else other
        for k in range(1, count):
            part = float(stats[k, cv2.CC_STAT_AREA]) / other.size
            if part > MOVED_PART:
                (x, y), (rows, columns) = middles[k], np.nonzero((labels == k) & (never > 0))
                put = len(rows) > MOVED_PART * other.size
                at = (float(columns.mean()), float(rows.mean())) if put else None
                new.append(Changed(float(x), float(y), part, at))
        return new

    def _unlike_all_rests(self, now: Small) -> Mask:
        """Where it looks as at no rest that is remembered: what a card or a hand left behind looks as it did before."""
        strange = np.ones(now.grey.shape, np.uint8)
        for rest in self._rests:
            strange &= now.other(rest)
        return strange

    def _hands_now(self) -> Mask | None:
        """Of what reaches in from the border, what moves this moment: the rest may be a packet that was just laid."""
        if self._arms_mask is None or self._last_moved is None:
            return None
        count, labels = cv2.connectedComponents(self._arms_mask)
        moving = [k for k in range(1, count) if self._at_s - float(self._last_moved[labels == k].max()) < LAID_S]
        return np.isin(labels, moving).astype(np.uint8)

    @property
    def hand_moves(self) -> bool:
        """Whether a hand hides part of the table this moment."""
        hands = self._hands_now()
        return hands is not None and bool(hands.any())

    def moved_since_rest(self) -> tuple[float, float] | None:
        """How far all that is seen has moved since the last rest, in table units; None if that cannot be told."""
        now, rest = self._now, self._rest
        if now is None or rest is None:
            return None
        window = cv2.createHanningWindow((now.grey.shape[1], now.grey.shape[0]), cv2.CV_32F)
        # It multiplies what it is given by the window, in place.
        (dx, dy), response = cv2.phaseCorrelate(rest.grey.copy(), now.grey.copy(), window)
        half = min(now.grey.shape) / 2
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
        return self._now.grey.shape[0], self._now.grey.shape[1]


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
