"""Hands in a small picture: the parts of what is not the table that reach in from its border."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.small import NEAR, Mask, Plane

HAND_PART = 0.006
"""A hand covers at least this part of the picture; a sleeve at the very edge covers less."""
AT_THE_EDGE = 0.6
"""Table units from the middle beyond which a hand's tip is out of the way of the cards."""
QUIET_S = 1.5
"""What has not moved for so long is no hand: hands of people who sit still for a camera move within a second."""
LAID_S = 0.25
"""What has not moved for so long may have been laid there: less than the settling time, more than a frame or two."""
JUST_COVERED_S = 0.37
"""What an arm covered so lately, and does not any more, moved when it drew back: a frame more than the same."""
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
ARM_WIDE_PX = 25.0
"""Nor farther from its middle than this is what an arm covered where it crossed the edge: one that swings in crosses it
elsewhere in the next frame."""


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


class Rim(NamedTuple):
    """Where an arm crosses the border."""

    pixels: list[tuple[int, int]]
    middle: tuple[float, float]

    @classmethod
    def of(cls, pixels: list[tuple[int, int]]) -> "Rim":
        return cls(pixels, (float(np.mean([x for x, _ in pixels])), float(np.mean([y for _, y in pixels]))))


class Was(NamedTuple):
    """An arm in a frame before."""

    at_s: float
    edge: tuple[float, float]
    part: NDArray[np.bool_]

    def crossed_at(self, rim: Rim) -> bool:
        """Whether it is the arm that crosses the border here."""
        if math.dist(rim.middle, self.edge) < SAME_EDGE_PX:
            return True
        return any(math.dist((x, y), self.edge) < ARM_WIDE_PX and self.part[y, x] for x, y in rim.pixels)


class ArmsInFrame(NamedTuple):
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


def arms_in(other: Mask, quiet_s: Plane, most_px: Plane | None, lately: Sequence[Was], at_s: float) -> ArmsInFrame:
    """The parts of what is not the table that reach in from the border.

    quiet_s: for how long each pixel has not moved. A hand is never quite still; what is was laid there, unless it is an
    arm as large as it came. most_px: as the frame before gave it. lately: the arms of the last frames.
    """
    whole = cv2.dilate(cv2.medianBlur(other, 3), NEAR)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    held, aside, resting = np.zeros_like(other), np.zeros_like(other), np.zeros_like(other)
    most = np.zeros(other.shape, np.float32)
    arms: list[Arm] = []
    covered: list[NDArray[np.bool_]] = []
    this_moment = [was for was in lately if at_s - was.at_s < JUST_COVERED_S]
    for k in [k for k in range(1, count) if _comes_in(stats[k], other)]:
        here, area = labels == k, int(stats[k][cv2.CC_STAT_AREA])
        most_here = area if most_px is None else max(area, float(most_px[here].max()))
        cut = _parted(here, lately)
        parts = [_arm(part, rim, quiet_s, this_moment) for part, rim in cut]
        quiet = float(quiet_s[here].min())
        reaches, stays = _stays(parts, area, most_here, quiet, other.shape)
        if quiet > (QUIET_S if reaches else SHORT_QUIET_S) and not stays:
            continue
        arms += parts
        covered += [part for part, _ in cut]
        most[here] = most_here
        rest = all(arm.resting for arm in parts)
        held[here] = quiet <= QUIET_S
        resting[here] = stays and rest
        aside[here] = rest or _at_the_edge(parts, other.shape)
    return ArmsInFrame(tuple(arms), tuple(covered), held, cv2.dilate(aside, np.ones((5, 5), np.uint8)), resting, most)


def _comes_in(stats: NDArray[np.int32], other: Mask) -> bool:
    """Whether a part touches the border and is as large as a hand."""
    height, width = other.shape
    x, y, w, h, area = (int(v) for v in stats)
    inside = x > 0 and y > 0 and x + w < width and y + h < height
    return not inside and area / other.size >= HAND_PART


def _stays(
    parts: Sequence[Arm], area: int, most_here: float, quiet: float, shape: tuple[int, ...]
) -> tuple[bool, bool]:
    """Whether arms reach in; and whether they may lie still there, as large as they came."""
    reaches = max(_reach(arm, shape) for arm in parts) >= REACHES_IN
    return reaches, reaches and area >= WHOLE_ARM * most_here and quiet < ARM_RESTS_S


def _reach(arm: Arm, shape: tuple[int, ...]) -> float:
    """How far it reaches in from the border, in table units."""
    return float(np.hypot(arm.tip[0] - arm.edge[0], arm.tip[1] - arm.edge[1])) / (min(shape) / 2)


def _at_the_edge(arms: Sequence[Arm], shape: tuple[int, ...]) -> bool:
    """Whether none of these comes near the middle."""
    return min(_from_middle(arm.tip, shape) for arm in arms) > AT_THE_EDGE


def _from_middle(at: tuple[float, float], shape: tuple[int, ...]) -> float:
    """How far a small pixel is from the picture's middle, in table units."""
    height, width = shape
    return float(np.hypot(at[0] + 0.5 - width / 2, at[1] + 0.5 - height / 2)) / (min(height, width) / 2)


def _arm(part: NDArray[np.bool_], rim: Rim, quiet_s: Plane, this_moment: Sequence[Was]) -> Arm:
    """An arm that covers this part and crosses the border there. this_moment: what arms covered just before."""
    rests = float((quiet_s[part] < RESTING_S).mean()) < RESTING_PART
    moved = part & (quiet_s < LAID_S)
    for was in this_moment:
        if not was.crossed_at(rim):  # What another arm left just now moved too.
            moved &= ~was.part
    edge = rim.middle
    moved = cv2.medianBlur(moved.astype(np.uint8), 3) > 0
    reached = _farthest(moved, edge) if moved.any() else None
    return Arm(edge, _farthest(part, edge), reached, float(part.mean()), rests)


def _farthest(part: NDArray[np.bool_], edge: tuple[float, float]) -> tuple[float, float]:
    ys, xs = np.nonzero(part)
    far = int(np.argmax((xs - edge[0]) ** 2 + (ys - edge[1]) ** 2))
    return float(xs[far]), float(ys[far])


def _parted(here: NDArray[np.bool_], lately: Sequence[Was]) -> list[tuple[NDArray[np.bool_], Rim]]:
    """Arms that touch over the table, taken apart by where they crossed the border lately; mostly there is one."""
    edges = sorted(_edges(here), key=lambda rim: len(rim.pixels), reverse=True)
    came = [any(was.crossed_at(rim) for was in lately) for rim in edges] if len(edges) > 1 else [True]
    edges = [rim for rim, did in zip(edges, came, strict=True) if did] or edges[:1]
    if len(edges) == 1:
        return [(here, edges[0])]
    mine = np.zeros(here.shape, np.uint8)
    for number, rim in enumerate(edges, 1):
        for x, y in rim.pixels:
            mine[y, x] = number
    # Each pixel is of the arm from whose edge it is the shortest way.
    open_yet = here.astype(np.uint8)
    for _ in range(sum(here.shape)):
        grown = np.where(mine == 0, cv2.dilate(mine, NEAR) * open_yet, mine)
        if np.array_equal(grown, mine):
            break
        mine = grown
    return [(mine == number, rim) for number, rim in enumerate(edges, 1)]


def _edges(here: NDArray[np.bool_]) -> list[Rim]:
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
    return [Rim.of([round_it[k] for k in group]) for group in groups]
