"""When is it worth looking: motion, hands and light on a small picture. Cheap enough for every frame.

A light that changes is smooth across the table and is taken out before anything is compared; a hand is not smooth, and
it reaches in from the picture's edge. Colours count beside grey, since a hand may be just as dark as the table.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
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
ROUNDING_S = 0.03
"""By so much less at ten frames a second: three frames are 0.3 s, whatever the clock makes of them."""
MOTION_OVER_S = 0.09
"""What moved is told by the frame of so long ago: at thirty a second a slow hand hardly moves from one to the next."""
MOVED_LEVELS = 9.0
"""Grey levels by which a small pixel must change to have moved: thrice a webcam's grain after averaging."""
MOVED_PART = 0.0012
"""Part of the picture that must move: two dozen small pixels, less than a finger."""
OTHER_LEVELS = 14.0
"""Grey levels from the resting table from which something else lies there."""
COLOUR = 0.57
"""How blue and how red it is need differ only by this part of those levels: skin differs from a cloth as dark by more
than all of them."""
STEADY_PX, MOST_SHIFT_PX = 0.04, 1.5
"""Small pixels: a camera whose picture shifts by less than the one does not tremble; one that shifts by more than the
other was knocked."""
SHIFT_SHOWS = 2.5
"""So much of what stands out from what is beside it shows, at most, after a shift by a small pixel: one in eight of a
picture's own is all that is looked at (judged)."""
SHIFT_EXPLAINS, MOST_DIFFER = 0.97, 2.0
"""The part of what differs that a plain shift leaves at most; and steps from one small pixel to the next beyond which
more does not count."""
TREMBLES, STEADY_AGAIN, TREMBLES_FOR_S = 0.3, 0.1, 3.0
"""Part of the frames whose shift must be plain, else some hand seems to shift it; and less than which a camera that
trembled is steady again; of the frames of about so long."""
STEADY_LOOKED_S = 0.25
"""So often it is looked whether a steady camera trembles, which takes as long as all else that each frame is put to."""
STEEP_LEVELS, STEEP, STEEPEST, STEEP_PART, LEAST_EDGES = 4.0, 90.0, 99.5, 0.25, 60
"""Edges show a shift: places where grey changes by at least so many levels from one small pixel to the next, by more
than at so many places in a hundred, and by so much of what it does at the steepest; and how many there must be."""
SHIFT_LOOKED_FOR = (1.0, 0.7, 0.4, 0.2)
"""Small pixels that a shift may be farther than is known yet, step by step, for an edge to tell of it."""
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
SHORT_QUIET_S = 0.5
"""The same of what reaches in no further than a card does: more likely it is one, or the stock."""
WHOLE_ARM = 0.75
"""An arm that rests still covers this part of the most that it covered; what it left behind when it went is less."""
REACHES_IN = 0.65
"""Table units from the picture's edge that an arm at rest reaches in at least: a stock at the edge, with the card that
is turned up beside it, reaches 0.5."""
ARM_RESTS_S = 60.0
"""For so long at most: then it is a thing that lies there."""
EDGE_GAP_PX = 10
"""Small pixels along the picture's edge between two arms that touch over the table: an arm is a dozen wide."""
SAME_EDGE_PX, EDGE_KNOWN_S = 20.0, 0.6
"""An arm that crosses the edge within so many small pixels of where one did so lately is that one. A second place where
it touches the edge, and none did, is its fingertips, or what lies there."""
OPEN_S = 0.1
"""What did not move for so long beside an arm lies open: two frames at ten a second that show the same. With 0.2 a card
over which the next hand came 0.3 s after it landed was missed on the films."""
BESIDE_ARM_PX = 3
"""Small pixels about an arm that count as its own: its shadow, and the card it holds."""
RESTS_KEPT = 8
"""Rests of the table that are remembered: a trick of six lies through that many."""
SURE_SHIFT = 0.15
"""Response of the phase correlation from which a shift is believed; unrelated pictures stay under 0.05."""
SAME_ARM_DEG = 25.0
"""Arms that come in nearer to each other than this are one, seen again."""


class Shift(NamedTuple):
    """How far all that is seen is shifted, in small pixels."""

    dx: float
    dy: float
    plain: bool
    """It explains what nothing else does."""


NEAR = np.ones((3, 3), np.uint8)
"""A small pixel and those beside it."""
NO_SHIFT = Shift(0.0, 0.0, False)


@dataclass(frozen=True)
class Small:
    """A frame as it is compared with others: small, grey, and, at half that size, how red and blue it is (0: grey)."""

    grey: Plane
    colour: Plane
    at: tuple[float, float] = (0.0, 0.0)
    """How far the table is shifted in it, in small pixels, from where a trembling camera showed it first."""

    @cached_property
    def slopes(self) -> tuple[Plane, Plane]:
        """How its grey changes from one small pixel to the next, across and down."""
        across, down = (cv2.Sobel(self.grey, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
        return np.asarray(across, np.float32), np.asarray(down, np.float32)

    @staticmethod
    def of(frame: Frame) -> "Small":
        """From the camera's own small picture where it has one."""
        coloured = _halved(frame.image if frame.small is None or frame.small.ndim == 2 else frame.small)
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
        apart = np.abs(_beyond_light(self.grey - then.grey * gain, OTHER_LEVELS))
        colours = np.abs(_beyond_light(self.colour - then.colour * gain, COLOUR * OTHER_LEVELS))
        shift = float(np.hypot(self.at[0] - then.at[0], self.at[1] - then.at[1]))
        if shift > STEADY_PX:  # What lies there stands out from what is beside it: so far each edge may differ.
            part = min(1.0, SHIFT_SHOWS * shift)
            apart -= part * _stands_out(then.grey)
            colours -= part * _stands_out(then.colour)
        grey = (apart > levels).astype(np.uint8)
        red, blue = cv2.split(colours)
        colour = (np.maximum(red, blue) > COLOUR * levels).astype(np.uint8)
        return grey | cv2.resize(colour, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_NEAREST)

    def shifted_from(self, rest: "Small", other: Mask | None = None) -> "Shift":
        """How far all that lies there is shifted since, in small pixels. other: where something else lies now."""
        where = _steepest(np.abs(rest.slopes[0]) + np.abs(rest.slopes[1]), other)
        if len(where[0]) < LEAST_EDGES:
            return NO_SHIFT
        slopes = np.stack([one[where] for one in rest.slopes])
        now = self.grey[where]
        now = now / max(0.05, float(np.median(now / np.maximum(rest.grey[where], 1.0))))
        shift, apart = np.zeros(2), rest.grey[where] - now
        steep = np.abs(slopes).sum(axis=0)
        unshifted = _differ(apart, steep)
        for farther in SHIFT_LOOKED_FOR:
            odd = float(np.median(np.abs(apart))) + farther * steep + 1.0
            trust = slopes / (1 + (apart / odd) ** 2) ** 2  # A hand explains nothing of the rest.
            shift = shift + np.linalg.solve(trust @ slopes.T + np.eye(2), trust @ apart)
            if float(np.hypot(*shift)) > MOST_SHIFT_PX:
                return NO_SHIFT
            apart = _shifted(rest.grey, shift)[where] - now
        plain = _differ(apart, steep) < SHIFT_EXPLAINS * unshifted and float(np.hypot(*shift)) > STEADY_PX
        return Shift(float(shift[0]), float(shift[1]), plain)

    def without(self, hidden: Mask, before: "Small") -> "Small":
        """As it is where nothing hides it, as it was before elsewhere."""
        half = cv2.resize(hidden, (self.colour.shape[1], self.colour.shape[0]), interpolation=cv2.INTER_NEAREST)
        grey = np.where(hidden > 0, before.grey, self.grey)
        return replace(self, grey=grey, colour=np.where(half[..., None] > 0, before.colour, self.colour))


def _stands_out(plane: Plane) -> Plane:
    """How much each place differs from those beside it."""
    return np.asarray(cv2.dilate(plane, NEAR) - cv2.erode(plane, NEAR), np.float32)


def _differ(apart: Plane, steep: Plane) -> float:
    """How much two pictures differ at edges so steep, against what a shift makes of them at most."""
    return float(np.minimum(np.abs(apart) / steep, MOST_DIFFER).mean())


def _shifted(plane: Plane, shift: NDArray[np.float64]) -> Plane:
    size = (plane.shape[1], plane.shape[0])
    there = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    return np.asarray(cv2.warpAffine(plane, there, size, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _steepest(steep: Plane, other: Mask | None) -> tuple[NDArray[np.intp], ...]:
    """Where a shift shows best: the steepest places, but for those where something else lies."""
    if other is not None:
        steep = np.where(other > 0, 0.0, steep)
    most, steepest = np.percentile(steep[::2, ::2], [STEEP, STEEPEST])
    return np.nonzero(steep > max(STEEP_LEVELS, float(most), STEEP_PART * float(steepest)))


def small_picture(frame: Frame) -> Image:
    """A frame as small as it is compared, in colour: what a recording keeps of one that was not read."""
    image = _halved(frame.image)
    return np.asarray(cv2.resize(image, _size(image, SMALL_W), interpolation=cv2.INTER_AREA), np.uint8)


def _halved(image: Image) -> Image:
    """Halved until it is hardly larger than the small picture. To leave pixels out would be quicker, and would make of
    print and of cards' edges another picture each time a camera trembles."""
    while image.shape[1] >= 4 * SMALL_W:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return image


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
    """Its point farthest from there: of the hand, or of what lay there and the hand touches."""
    reached: tuple[float, float] | None
    """The same of what moved this moment: where the hand itself came to. None: nothing of it moved."""
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
        return self.still_s >= SETTLE_S - ROUNDING_S


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
        self._lately: deque[tuple[float, Small]] = deque()
        """The frames of the last tenth of a second."""
        self._rest: Small | None = None
        self._rests: list[Small] = []
        """The table at rests before that."""
        self._moved_s = 0.0
        self._now: Small | None = None
        self._trembles = 0.0
        """Of the last frames, the part of those that are plainly shifted."""
        self._trembling = False
        self._shift_looked_s = 0.0
        self._other: Mask | None = None
        """Where something else is than at the last rest; None: nowhere, or everywhere."""
        self._arms_mask: Mask | None = None
        self._resting_mask: Mask | None = None
        """Of the arms, those that lie there as they came."""
        self._lately_arms: list[_Was] = []
        """The arms of the last frames."""
        self._most_px: Plane | None = None
        """Of the arm over each pixel, the most that it covered since it came."""
        self._last_moved: Plane | None = None
        self._at_s = 0.0

    def see(self, frame: Frame) -> Motion:
        """Takes the next frame in."""
        now = self._placed(Small.of(frame), frame.at_s)
        if self._now is None or self._now.grey.shape != now.grey.shape:
            self._lately.clear()
            self._rest, self._rests, self._moved_s, self._last_moved, self._most_px = None, [], frame.at_s, None, None
        moved = now.moved(self._a_moment_ago(frame.at_s) or now)
        self._lately.append((frame.at_s, now))
        if self._last_moved is None:
            self._last_moved = np.full(moved.shape, frame.at_s - 2 * ARM_RESTS_S, np.float32)
        self._last_moved[moved > 0] = self._at_s = frame.at_s
        self._now = now
        arms: tuple[Arm, ...] = ()
        changed, whole = 0.0, False
        self._arms_mask = self._resting_mask = self._other = None
        if self._rest is not None:
            other = now.other(self._rest)
            whole = float(other.mean()) > WHOLE_PART
            held = np.zeros_like(other)
            if float(other.mean()) > HAND_PART and not whole:
                # Where cards left, the table shows as it did before them: that is no hand.
                strange = other & self._unlike_all_rests(now)
                found = self._find_arms(strange)
                arms, held = found.arms, found.held
                self._resting_mask = found.resting
                # A hand that is at the edge, or lies there and is never quite still, keeps nobody from looking.
                moved &= 1 - found.aside
                self._other = other
            else:
                self._most_px = None
            self._arms_mask = held
            changed = float((other & ~held & 1).mean())
        if float(moved.mean()) > MOVED_PART:
            self._moved_s = frame.at_s
        return Motion(frame.at_s - self._moved_s, arms, changed, whole)

    def _placed(self, now: Small, now_s: float) -> Small:
        """A frame, and how far a trembling camera has it shifted."""
        before = self._rest or self._now
        if before is None or before.grey.shape != now.grey.shape:
            return now
        since = now_s - self._shift_looked_s
        if not self._trembling and since < STEADY_LOOKED_S:
            return replace(now, at=before.at)
        other = None
        if (
            self._other is not None and before is self._rest
        ):  # Of the frame before; single spots may be the shift itself.
            other = np.asarray(cv2.dilate(cv2.morphologyEx(self._other, cv2.MORPH_OPEN, NEAR), NEAR), np.uint8)
        shift = now.shifted_from(before, other)
        self._shift_looked_s = now_s
        self._trembles += (1 - math.exp(-max(0.0, since) / TREMBLES_FOR_S)) * (shift.plain - self._trembles)
        self._trembling = self._trembles > (STEADY_AGAIN if self._trembling else TREMBLES)
        return replace(now, at=(before.at[0] + shift.dx, before.at[1] + shift.dy) if self._trembling else before.at)

    def _a_moment_ago(self, now_s: float) -> Small | None:
        """The latest frame that is old enough to tell what moved since."""
        while len(self._lately) > 1 and now_s - self._lately[1][0] >= MOTION_OVER_S:
            self._lately.popleft()
        return self._lately[0][1] if self._lately else None

    def _find_arms(self, strange: Mask) -> "_Arms":
        assert self._last_moved is not None
        self._lately_arms = [one for one in self._lately_arms if self._at_s - one.at_s <= EDGE_KNOWN_S]
        found = _arms(strange, self._at_s - self._last_moved, self._most_px, self._lately_arms, self._at_s)
        self._most_px = found.most_px
        parts = zip(found.arms, found.parts, strict=True)
        self._lately_arms += [_Was(self._at_s, arm.edge, part) for arm, part in parts]
        return found

    def lies_open(self) -> Mask:
        """Where something else lies than at the last rest, clear of every arm and still for a moment."""
        if self._other is None or self._last_moved is None or self._arms_mask is None:
            return np.zeros(self.shape, np.uint8)
        size = 2 * BESIDE_ARM_PX + 1
        clear = 1 - cv2.dilate(self._arms_mask, np.ones((size, size), np.uint8))
        still = self._at_s - self._last_moved >= OPEN_S - ROUNDING_S
        return np.asarray(self._other & clear & still.astype(np.uint8), np.uint8)

    def still_at(self, x: float, y: float) -> bool:
        """Whether nothing moved at this place for a moment, and no arm is over it, in small pixels."""
        if self._last_moved is None:
            return False
        height, width = self.shape
        column, row = int(np.clip(x, 0, width - 1)), int(np.clip(y, 0, height - 1))
        near = np.s_[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        still = bool(self._at_s - float(self._last_moved[near].max()) >= OPEN_S - ROUNDING_S)
        return still and (self._arms_mask is None or not self._arms_mask[near].any())

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
        if self._resting_mask is not None:
            hands = self._resting_mask if hands is None else hands | self._resting_mask
        if hands is not None:
            other[hands > 0] = 0
            now = now.without(hands, rest)
        self._rest = now
        other = cv2.morphologyEx(other, cv2.MORPH_CLOSE, NEAR)
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
    def hand_hides(self) -> bool:
        """Whether a hand hides part of the table this moment."""
        return self._arms_mask is not None and bool(self._arms_mask.any())

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


class _Was(NamedTuple):
    """An arm in a frame before."""

    at_s: float
    edge: tuple[float, float]
    part: NDArray[np.bool_]

    def crossed_at(self, edge: tuple[float, float]) -> bool:
        """Whether it is the arm that crosses the border here."""
        return bool(np.hypot(edge[0] - self.edge[0], edge[1] - self.edge[1]) < SAME_EDGE_PX)


class _Arms(NamedTuple):
    """What is found of the arms in one frame."""

    arms: tuple[Arm, ...]
    parts: tuple[NDArray[np.bool_], ...]
    """What they cover."""
    held: Mask
    """Where they are."""
    aside: Mask
    """Where those are that are out of the way."""
    resting: Mask
    """Where those are that lie there, whole, and have not gone since they came."""
    most_px: Plane
    """Of the arm over each pixel, the most that it covered since it came."""


def _arms(other: Mask, quiet_s: Plane, most_px: Plane | None, lately: Sequence[_Was], at_s: float) -> _Arms:
    """The parts of what is not the table that reach in from the border.

    quiet_s: for how long each pixel has not moved. A hand is never quite still; what is was laid there, unless it is an
    arm as large as it came. most_px: as the frame before gave it. lately: the arms of the last frames.
    """
    whole = cv2.dilate(cv2.medianBlur(other, 3), NEAR)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    height, width = other.shape
    held, aside, resting = np.zeros_like(other), np.zeros_like(other), np.zeros_like(other)
    most = np.zeros(other.shape, np.float32)
    arms: list[Arm] = []
    covered: list[NDArray[np.bool_]] = []
    this_moment = [one for one in lately if at_s - one.at_s < LAID_S + MOTION_OVER_S + ROUNDING_S]
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        inside = x > 0 and y > 0 and x + w < width and y + h < height
        if inside or area / other.size < HAND_PART:
            continue
        here = labels == k
        most_here = max(area, float(most_px[here].max()) if most_px is not None else 0.0)
        cut = _parted(here, lately)
        parts = [_arm(part, edge, quiet_s, this_moment) for part, edge in cut]
        reaches = max(_reach(one, other.shape) for one in parts) >= REACHES_IN
        quiet = float(quiet_s[here].min())
        stays = reaches and area >= WHOLE_ARM * most_here and quiet < ARM_RESTS_S
        if quiet > (QUIET_S if reaches else SHORT_QUIET_S) and not stays:
            continue
        arms += parts
        covered += [part for part, _ in cut]
        most[here] = most_here
        if quiet <= QUIET_S:
            held[here] = 1
        if stays and all(one.resting for one in parts):
            resting[here] = 1
        away = min(_from_middle(one.tip, other.shape) for one in parts)
        if away > AT_THE_EDGE or all(one.resting for one in parts):
            aside[here] = 1
    return _Arms(tuple(arms), tuple(covered), held, cv2.dilate(aside, np.ones((5, 5), np.uint8)), resting, most)


def _reach(arm: Arm, shape: tuple[int, ...]) -> float:
    """How far it reaches in from the border, in table units."""
    return float(np.hypot(arm.tip[0] - arm.edge[0], arm.tip[1] - arm.edge[1])) / (min(shape) / 2)


def _from_middle(at: tuple[float, float], shape: tuple[int, ...]) -> float:
    """How far a small pixel is from the picture's middle, in table units."""
    height, width = shape
    return float(np.hypot(at[0] + 0.5 - width / 2, at[1] + 0.5 - height / 2)) / (min(height, width) / 2)


def _arm(part: NDArray[np.bool_], edge: tuple[float, float], quiet_s: Plane, this_moment: Sequence[_Was]) -> Arm:
    """An arm that covers this part and crosses the border there. this_moment: what arms covered just before."""
    rests = float((quiet_s[part] < RESTING_S).mean()) < RESTING_PART
    moved = part & (quiet_s < LAID_S)
    for was in this_moment:
        if not was.crossed_at(edge):  # What another arm left just now moved too.
            moved &= ~was.part
    moved = cv2.medianBlur(moved.astype(np.uint8), 3) > 0
    reached = _farthest(moved, edge) if moved.any() else None
    return Arm(edge, _farthest(part, edge), reached, float(part.mean()), rests)


def _farthest(part: NDArray[np.bool_], edge: tuple[float, float]) -> tuple[float, float]:
    ys, xs = np.nonzero(part)
    far = int(np.argmax((xs - edge[0]) ** 2 + (ys - edge[1]) ** 2))
    return float(xs[far]), float(ys[far])


def _parted(here: NDArray[np.bool_], lately: Sequence[_Was]) -> list[tuple[NDArray[np.bool_], tuple[float, float]]]:
    """Arms that touch over the table, taken apart by where they crossed the border lately; mostly there is one."""
    edges = sorted(_edges(here), key=len, reverse=True)
    middles = [(float(np.mean([x for x, _ in edge])), float(np.mean([y for _, y in edge]))) for edge in edges]
    came = [any(was.crossed_at(middle) for was in lately) for middle in middles] if len(edges) > 1 else [True]
    kept = [k for k, did in enumerate(came) if did] or [0]
    edges, middles = [edges[k] for k in kept], [middles[k] for k in kept]
    if len(edges) == 1:
        return [(here, middles[0])]
    mine = np.zeros(here.shape, np.uint8)
    for number, edge in enumerate(edges, 1):
        for x, y in edge:
            mine[y, x] = number
    # Each pixel is of the arm from whose edge it is the shortest way.
    open_yet = here.astype(np.uint8)
    for _ in range(sum(here.shape)):
        grown = np.where(mine == 0, cv2.dilate(mine, NEAR) * open_yet, mine)
        if np.array_equal(grown, mine):
            break
        mine = grown
    return [(mine == number, middle) for number, middle in enumerate(middles, 1)]


def _edges(here: NDArray[np.bool_]) -> list[list[tuple[int, int]]]:
    """Where a part of the picture crosses its border: pixels, in groups that lie apart."""
    height, width = here.shape
    round_it = [(x, 0) for x in range(width)] + [(width - 1, y) for y in range(1, height)]
    round_it += [(x, height - 1) for x in range(width - 2, -1, -1)] + [(0, y) for y in range(height - 2, 0, -1)]
    places = [k for k, (x, y) in enumerate(round_it) if here[y, x]]
    groups = [[places[0]]]
    for a, b in pairwise(places):
        if b - a > EDGE_GAP_PX:
            groups.append([])
        groups[-1].append(b)
    if len(groups) > 1 and places[0] + len(round_it) - places[-1] <= EDGE_GAP_PX:
        groups[0] = groups.pop() + groups[0]
    return [[round_it[k] for k in one] for one in groups]
