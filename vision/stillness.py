"""When is it worth looking: motion, hands and light on a small picture. Cheap enough for every frame.

A light that changes is smooth across the table and is taken out before anything is compared; a hand is not smooth, and
it reaches in from the picture's edge. Colours count beside grey, since a hand may be just as dark as the table. A
camera that trembles shifts all that is seen: so much is taken out too.
"""

import math
from collections import deque
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.arms import ARM_RESTS_S, EDGE_KNOWN_S, HAND_PART, LAID_S, Arm, ArmsInFrame, Was, arms_in
from vision.frame import Frame
from vision.small import MOVED_PART, NEAR, NO_SHIFT, Mask, Plane, Shift, Small

SETTLE_S = 0.3
"""A table that did not move for so long lies still: the settling time that the design allows."""
ROUNDING_S = 0.03
"""By so much less at ten frames a second: three frames are 0.3 s, whatever the clock makes of them."""
MOTION_OVER_S = 0.09
"""What moved is told by the frame of so long ago: at thirty a second a slow hand hardly moves from one to the next."""
TREMBLES, STEADY_AGAIN, TREMBLES_FOR_S = 0.3, 0.1, 3.0
"""Part of the frames that must be plainly shifted for a shift to be believed that is not sure: else some hand seems to
shift it; and less than which a camera that trembled is steady again; of the frames of about so long."""
SAME_SHAPE = 0.03
"""Height over width of two sizes of one picture differs by less, as a part: 1080 lines are coded as 1088."""
WHOLE_PART = 0.3
"""Part of the picture that must look otherwise for the camera to have been knocked: no arm covers as much;"""
STAYS_PART = 0.2
"""and of its edges less than this part is where it was: a head that leans over the table hides half of them."""
TRACK_GAP_S = 0.35
"""A hand not seen for so long has left."""
OPEN_S = 0.1
"""What did not move for so long beside an arm lies open: two frames at ten a second that show the same. With 0.2 a card
over which the next hand came 0.3 s after it landed was missed on the films."""
BESIDE_ARM_PX = 3
"""Small pixels about an arm that count as its own: its shadow, and the card it holds."""
BESIDE_ARM = np.ones((9, 9), np.uint8)
"""What is other so near to an arm may be of it: skin like the wood that it lies on is seen in parts."""
TELLS_WITHIN_PX = 0.2
"""Small pixels that an earlier rest may be shifted by to tell what looked so before."""
RESTS_KEPT = 8
"""Rests of the table that are remembered: a trick of six lies through that many."""
SURE_SHIFT = 0.15
"""Response of the phase correlation from which a shift is believed; unrelated pictures stay under 0.05."""
SAME_ARM_DEG = 25.0
"""Arms that come in nearer to each other than this are one, seen again."""


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
    resized: bool
    """Pictures have another size than before: what was known of places in them is not so any more."""
    reshaped: bool
    """And their sides stand otherwise to each other: the camera was turned, or shows another part of the table."""

    @property
    def settled(self) -> bool:
        """Worth looking."""
        return self.still_s >= SETTLE_S - ROUNDING_S


def _is_another(now: Small, rest: Small, other: Mask) -> bool:
    """Whether another picture is seen than at a rest, from which it differs in these places: not one half hidden."""
    return float(other.mean()) > WHOLE_PART and rest.seen_in(now, other) < STAYS_PART


def _alike_in_shape(size: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether height and width stand alike to each other."""
    return abs(math.log(size[0] * other[1] / (size[1] * other[0]))) < SAME_SHAPE


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
        self._rest_bare: Small | None = None
        """The same without whatever arm was seen over it, quiet ones too;"""
        self._rest_hidden: Mask | None = None
        """and where those were."""
        self._rests: list[Small] = []
        """The table at rests before that, without arms: an arm that lingered there is no part of it."""
        self._moved_s = 0.0
        self._now: Small | None = None
        self._trembles = 0.0
        """Of the last frames, the part of those that are plainly shifted."""
        self._trembling = False
        self._other: Mask | None = None
        """Where something else is than at the last rest; None: nowhere, or everywhere."""
        self._arms_mask: Mask | None = None
        self._resting_mask: Mask | None = None
        """Of the arms, those that lie there as they came."""
        self._lately_arms: list[Was] = []
        """The arms of the last frames."""
        self._most_px: Plane | None = None
        """Of the arm over each pixel, the most that it covered since it came."""
        self._last_moved: Plane | None = None
        self._at_s = 0.0
        self._size: tuple[int, ...] = ()
        """Height and width of the pictures."""

    def see(self, frame: Frame) -> Motion:
        """Takes the next frame in."""
        resized = self._size not in ((), frame.image.shape[:2])
        reshaped = resized and not _alike_in_shape(self._size, frame.image.shape)
        if resized:
            self._rest = self._now = self._other = None
        now = self._placed(Small.of(frame), frame.at_s)
        if self._now is None:
            self._size = frame.image.shape[:2]
            self._lately.clear()
            self._rests, self._most_px, self._lately_arms = [], None, []
            self._rest_bare = self._rest_hidden = None
            self._moved_s, self._last_moved = frame.at_s, None
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
            whole = _is_another(now, self._rest, other)
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
        return Motion(frame.at_s - self._moved_s, arms, changed, whole, resized, reshaped)

    def _placed(self, now: Small, now_s: float) -> Small:
        """A frame, and how far a trembling camera has it shifted."""
        before = self._rest or self._now
        if before is None:
            return now
        other = None
        if self._other is not None and before is self._rest:
            # Of the frame before; single spots may be the shift itself.
            other = np.asarray(cv2.dilate(cv2.morphologyEx(self._other, cv2.MORPH_OPEN, NEAR), NEAR), np.uint8)
        shift = now.shifted_from(before, other)
        part = 1 - math.exp(-max(0.0, now_s - self._at_s) / TREMBLES_FOR_S)
        self._trembles += part * (shift.plain - self._trembles)
        self._trembling = self._trembles > (STEADY_AGAIN if self._trembling else TREMBLES)
        believed = self._believed(shift)
        return replace(now, at=(before.at[0] + believed.dx, before.at[1] + believed.dy))

    def _believed(self, shift: Shift) -> Shift:
        return shift if self._trembling or shift.sure else NO_SHIFT

    def _at_then(self, now: Small, then: Small) -> tuple[float, float]:
        """Where an earlier rest was shifted to, seen from now: told by the two alone, so that errors do not add up."""
        shift = self._believed(now.shifted_from(then))
        return now.at[0] - shift.dx, now.at[1] - shift.dy

    def _a_moment_ago(self, now_s: float) -> Small | None:
        """The latest frame that is old enough to tell what moved since."""
        while len(self._lately) > 1 and now_s - self._lately[1][0] >= MOTION_OVER_S:
            self._lately.popleft()
        return self._lately[0][1] if self._lately else None

    def _find_arms(self, strange: Mask) -> "ArmsInFrame":
        assert self._last_moved is not None
        self._lately_arms = [was for was in self._lately_arms if self._at_s - was.at_s <= EDGE_KNOWN_S]
        found = arms_in(strange, self._at_s - self._last_moved, self._most_px, self._lately_arms, self._at_s)
        self._most_px = found.most_px
        parts = zip(found.arms, found.parts, strict=True)
        self._lately_arms += [Was(self._at_s, arm.edge, part) for arm, part in parts]
        return found

    def lies_open(self) -> Mask:
        """Where something else lies than at the last rest, clear of every arm and still for a moment."""
        if self._arms_mask is None:
            return np.zeros(self.shape, np.uint8)
        size = 2 * BESIDE_ARM_PX + 1
        clear = 1 - cv2.dilate(self._arms_mask, np.ones((size, size), np.uint8))
        return np.asarray(self._lies_for(OPEN_S) & clear, np.uint8)

    def lies_still(self) -> Mask:
        """Where something else lies than at the last rest, long still, be it part of what an arm touches."""
        return self._lies_for(SETTLE_S)

    def _lies_for(self, seconds: float) -> Mask:
        """Where something else lies than at the last rest, and has not moved for so long."""
        if self._other is None or self._last_moved is None:
            return np.zeros(self.shape, np.uint8)
        still = self._at_s - self._last_moved >= seconds - ROUNDING_S
        return np.asarray(self._other & still.astype(np.uint8), np.uint8)

    def lies_bare(self) -> Mask:
        """Where the table looks as at the last rest."""
        return np.ones(self.shape, np.uint8) if self._other is None else np.asarray(1 - self._other, np.uint8)

    def settled_at(self, x: float, y: float) -> bool:
        """Whether nothing moved at this place for the settling time."""
        return self._still_s(x, y) >= SETTLE_S - ROUNDING_S

    def settled_in(self, part: Mask) -> bool:
        """Whether nothing moved in this part of the small picture for the settling time, whatever moves beside it."""
        if self._last_moved is None or self._last_moved.shape != part.shape:
            return False
        moved = self._at_s - self._last_moved < SETTLE_S - ROUNDING_S
        return float((moved & (part > 0)).mean()) <= MOVED_PART

    def still_at(self, x: float, y: float) -> bool:
        """Whether nothing moved at this place for a moment, and no arm is over it, in small pixels."""
        return not self._moved_at(x, y) and not self._arm_near(x, y)

    def slides(self, x: float, y: float) -> bool:
        """Whether something moves there, and it is no arm."""
        return self._moved_at(x, y) and not self._arm_near(x, y)

    def _moved_at(self, x: float, y: float) -> bool:
        return self._still_s(x, y) < OPEN_S - ROUNDING_S

    def _still_s(self, x: float, y: float) -> float:
        """For how long nothing moved at this place."""
        assert self._last_moved is not None
        return self._at_s - float(self._last_moved[self._near(x, y)].max())

    def _arm_near(self, x: float, y: float) -> bool:
        return self._arms_mask is not None and bool(self._arms_mask[self._near(x, y)].any())

    def _near(self, x: float, y: float) -> tuple[slice, slice]:
        """A small pixel and those beside it."""
        height, width = self.shape
        column, row = int(np.clip(x, 0, width - 1)), int(np.clip(y, 0, height - 1))
        return np.s_[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]

    def anew(self) -> None:
        """The table as it lies now is the table at rest, and what seemed a hand over it is none."""
        self._rest, self._rests, self._arms_mask = self._now, [], None
        self._rest_bare = self._rest_hidden = None

    def rested(self) -> list[Changed]:
        """The table as it lies now is the table at rest. What is other on it since."""
        new: list[Changed] = []
        now, rest = self._now, self._rest
        if now is None or rest is None:
            self._rest = now
            return new
        other = now.other(rest)
        hidden = self._hidden_still(other)
        # A table seen from elsewhere has nothing in common with its earlier rests.
        whole = _is_another(now, rest, other)
        bare = self._rest_bare or rest
        earlier = [] if whole else [*self._rests[-(RESTS_KEPT - 1) :], bare]
        self._rests = [replace(small, at=self._at_then(now, small)) for small in earlier]
        hands = self._hands_now()
        if self._resting_mask is not None:
            hands = self._resting_mask if hands is None else hands | self._resting_mask
        if hands is not None:
            other[hands > 0] = 0
            now = now.without(hands, rest)
        self._rest, self._rest_bare, self._rest_hidden = now, now.without(hidden, bare), hidden
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
        """Where it looks as at no rest that is remembered: what a card or a hand left behind looks as it did before. A
        rest that was shifted otherwise shows too little of it."""
        strange = np.ones(now.grey.shape, np.uint8)
        for rest in self._rests:
            if math.hypot(now.at[0] - rest.at[0], now.at[1] - rest.at[1]) < TELLS_WITHIN_PX:
                strange &= now.other(rest)
        return strange

    def _hands_now(self) -> Mask | None:
        """Of what reaches in from the border, what moves this moment: the rest may be a packet that was just laid."""
        if self._arms_mask is None or self._last_moved is None:
            return None
        count, labels = cv2.connectedComponents(self._arms_mask)
        moving = [k for k in range(1, count) if self._at_s - float(self._last_moved[labels == k].max()) < LAID_S]
        return np.isin(labels, moving).astype(np.uint8)

    def _hidden_still(self, other: Mask) -> Mask:
        """Where an arm is and what is other beside it, a packet just laid or not; or where one was at the last
        rest and nothing is other since."""
        arms = np.zeros(other.shape, np.uint8)
        for was in self._lately_arms:
            if was.at_s == self._at_s:
                arms[was.part] = 1
        hidden = arms | (cv2.dilate(arms, BESIDE_ARM) & other)
        if self._rest_hidden is not None:
            hidden |= self._rest_hidden & (1 - other)
        return hidden

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
