"""A frame as it is compared with others: small, with its light and a trembling camera taken out."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Image

Plane = NDArray[np.float32]
Mask = NDArray[np.uint8]

SMALL_W = 160
"""Columns of the small picture: a fingertip is then two pixels wide, and a frame costs well under a millisecond."""
MOVED_LEVELS = 9.0
"""Grey levels by which a small pixel must change to have moved: thrice a webcam's grain after averaging."""
MOVED_PART = 0.0012
"""Part of the picture that must move: two dozen small pixels, less than a finger."""
OTHER_LEVELS = 14.0
"""Grey levels from the resting table from which something else lies there."""
COLOUR = 0.57
"""How blue and how red it is need differ only by this part of those levels: skin differs from a cloth as dark by more
than all of them."""
SMOOTH_PART = 0.4
"""Light is smooth over this part of the picture's width."""
STEADY_PX, MOST_SHIFT_PX = 0.04, 1.5
"""Small pixels: a camera whose picture shifts by less than the one does not tremble; one that shifts by more than the
other was knocked."""
MOST_SHOWS, SHOWS_MOST_PX = 0.8, 0.3
"""How much of what stands out from what is beside it may differ after a shift that was taken out, at most; and from how
many small pixels on (judged: with less print on a table is never still under a camera that trembles)."""
PLAINLY, SURELY = 0.97, 0.83
"""The part of what differs that a shift leaves at most. Counted on four films: of 855 frames that a hand seemed to
shift one in a hundred leaves less than 0.86, of 20 after a bump of the camera half leave less than 0.75."""
MOST_DIFFER, LEAST_DIFFER = 2.0, 1e-3
"""Steps from one small pixel to the next beyond which more does not count; and less than which is nothing."""
STEEP_LEVELS, STEEP, STEEPEST, STEEP_PART, LEAST_EDGES = 4.0, 90.0, 99.5, 0.25, 60
"""Edges show a shift: places where grey changes by at least so many levels from one small pixel to the next, by more
than at so many places in a hundred, and by so much of what it does at the steepest; and how many there must be."""
SHIFT_LOOKED_FOR = (1.0, 0.7, 0.4, 0.2)
"""Small pixels that a shift may be farther than is known yet, step by step, for an edge to tell of it."""
NEAR = np.ones((3, 3), np.uint8)
"""A small pixel and those beside it."""


class Shift(NamedTuple):
    """How far all that is seen is shifted, in small pixels."""

    dx: float
    dy: float
    plain: bool
    """It explains some of what differs;"""
    sure: bool
    """and so much that nothing else does."""


NO_SHIFT = Shift(0.0, 0.0, False, False)


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
        then_grey, then_colour, shift = self._then(then)
        apart = np.abs(_beyond_light(self.grey - then_grey, OTHER_LEVELS))
        colours = np.abs(_beyond_light(self.colour - then_colour, COLOUR * OTHER_LEVELS))
        if shift > STEADY_PX:  # Small pixels hold no more of an edge than its share in each: so much stays open.
            part = MOST_SHOWS * min(1.0, (shift / SHOWS_MOST_PX) ** 2)
            apart -= part * _stands_out(then.grey)
            colours -= part * _stands_out(then.colour)
        grey = (apart > levels).astype(np.uint8)
        red, blue = cv2.split(colours)
        colour = (np.maximum(red, blue) > COLOUR * levels).astype(np.uint8)
        return grey | cv2.resize(colour, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_NEAREST)

    def _then(self, then: "Small") -> tuple[Plane, Plane, float]:
        """How what was seen then would look now, shifted and lit as this is, and by how much it is shifted."""
        dx, dy = self.at[0] - then.at[0], self.at[1] - then.at[1]
        shift = float(np.hypot(dx, dy))
        grey, colour = then.grey, then.colour
        if shift > STEADY_PX:
            grey, colour = _shifted(grey, dx, dy), _shifted(colour, dx / 2, dy / 2)
        was, now = grey[::3, ::3], self.grey[::3, ::3]
        # Told by the brighter half: in a dark table grain and the sensor's black level weigh more than the light.
        bright = was >= np.median(was)
        gain = float(np.median(now[bright] / np.maximum(was[bright], 1.0)))
        return grey * gain, colour * gain, shift

    def shifted_from(self, rest: "Small", other: Mask | None = None) -> "Shift":
        """How far all that lies there is shifted since, in small pixels. other: where something else lies now."""
        where = _steepest(np.abs(rest.slopes[0]) + np.abs(rest.slopes[1]), other)
        if len(where[0]) < LEAST_EDGES:
            return NO_SHIFT
        slopes = np.stack([slope[where] for slope in rest.slopes])
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
            apart = _shifted(rest.grey, *shift)[where] - now
        if float(np.hypot(*shift)) < STEADY_PX:
            return NO_SHIFT
        left = _differ(apart, steep) / max(LEAST_DIFFER, unshifted)
        return Shift(float(shift[0]), float(shift[1]), left < PLAINLY, left < SURELY)

    def seen_in(self, now: "Small", other: Mask) -> float:
        """How much of what stands out here stands out there too, in the same places, but for where it is other."""
        where = _steepest(np.abs(self.slopes[0]) + np.abs(self.slopes[1]), None)
        if len(where[0]) < LEAST_EDGES:
            return 0.0
        here, there = (np.stack([slope[where] for slope in small.slopes]) for small in (self, now))
        return float((here * there * (other[where] == 0)).sum() / (here * here).sum())

    def without(self, hidden: Mask, before: "Small") -> "Small":
        """As it is where nothing hides it, as it was before elsewhere, in the light of now."""
        half = cv2.resize(hidden, (self.colour.shape[1], self.colour.shape[0]), interpolation=cv2.INTER_NEAREST)
        grey, colour, _ = self._then(before)
        return replace(self, grey=_pasted(self.grey, grey, hidden), colour=_pasted(self.colour, colour, half))


def small_picture(frame: Frame) -> Image:
    """A frame as small as it is compared, in colour: what a recording keeps of one that was not read."""
    image = _halved(frame.image)
    return np.asarray(cv2.resize(image, _size(image, SMALL_W), interpolation=cv2.INTER_AREA), np.uint8)


def _stands_out(plane: Plane) -> Plane:
    """How much each place differs from those beside it."""
    return np.asarray(cv2.dilate(plane, NEAR) - cv2.erode(plane, NEAR), np.float32)


def _differ(apart: Plane, steep: Plane) -> float:
    """How much two pictures differ at edges so steep, against what a shift makes of them at most."""
    return float(np.minimum(np.abs(apart) / steep, MOST_DIFFER).mean())


def _shifted(plane: Plane, dx: float, dy: float) -> Plane:
    size = (plane.shape[1], plane.shape[0])
    there = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    return np.asarray(cv2.warpAffine(plane, there, size, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _steepest(steep: Plane, other: Mask | None) -> tuple[NDArray[np.intp], ...]:
    """Where a shift shows best: the steepest places, but for those where something else lies."""
    if other is not None:
        steep = np.where(other > 0, 0.0, steep)
    most, steepest = np.percentile(steep[::2, ::2], [STEEP, STEEPEST])
    return np.nonzero(steep > max(STEEP_LEVELS, float(most), STEEP_PART * float(steepest)))


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


def _pasted(now: Plane, then: Plane, hidden: Mask) -> Plane:
    """The one where it is not hidden; else the other, with what the two differ by smoothly, where both are seen."""
    open_now = (hidden == 0).astype(np.float32)
    size = max(3, int(now.shape[1] * SMOOTH_PART) | 1)
    part = np.maximum(cv2.blur(open_now, (size, size)), LEAST_DIFFER)
    seen = open_now if now.ndim == 2 else open_now[..., None]
    smooth = cv2.blur((now - then) * seen, (size, size)) / (part if now.ndim == 2 else part[..., None])
    return np.asarray(np.where(seen > 0, now, then + smooth), np.float32)
