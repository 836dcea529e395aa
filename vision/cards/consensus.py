"""From read corners to cards: which corners belong to one card, what its name is, and what stays unsure."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from engine.cards import JOKER, Card
from engine.sightings import CardSeen, CardsSighting, CardUnsure, Point, Quad
from vision.cards.finder import Corner
from vision.cards.glyphs import NAMES, IndexReading, Vector

OPPOSITE_RIGHT = (1.2, 4.6)
OPPOSITE_DOWN = (1.8, 6.8)
DOWN_OVER_RIGHT = (0.9, 2.4)
"""From an index to the one at the other end of its card, in heights of the index, seen from its own side: the packaged
decks give 1.7 to 3.3 right, 2.6 to 4.5 down and a ratio of 1.3 to 1.5; the rest is tilt and the finder's errors."""
FACING_RIGHT, FACING_DOWN = 0.6, 1.0
"""The least of that for two corners of one name, which need no other proof: the biggest indices give 1.0 and 1.7."""
LEVEL = 0.5
"""How far down one index may lie from another at the same end of its card: tilt and the finder's errors."""
SAME_NAME_REACH = 7.6
"""Two corners of one name this near (in heights of an index) are one card: no pack has it twice."""
USUAL_SPAN = (2.4, 3.5)
"""How far apart a card's ends lie, right and down in heights of an index, while no card showed both: the middle of what
the packaged decks give."""
INSET_X, INSET_Y = 0.097, 0.138
"""Where an index's centre lies, as shares of a card's width and height: the median of the packaged decks."""
NAMED = 0.9
"""A corner more likely than this to be one name is sure of it: corners sure of two names are no one card."""
HALF_SURE = 0.87
"""A name that no corner alone is surer of than this must be clear: on tables of invented decks 5 of 8 names over the
bar were wrong of which no corner was 0.9 sure; on 350 tables of printed decks there was none."""
INDEPENDENT = 0.8
"""How much a second corner of a card counts beside the first: they share light, focus and print."""
IS_AN_INDEX = 0.5
"""Corners less likely than this to be an index are no cards, not even unsure ones."""
TWICE_DOUBT = 0.1
"""One name twice stands only where both ends of both cards were read with so much less doubt than the bar allows: then
two packs are mixed, and that is for the referee to say."""
CLEARLY_BETTER = 20.0
"""Of two readings of one name the surer stays if its doubt is so many times smaller; else both are unsure."""
ANOTHER_SIZE = 1.6
"""A doubtful find whose index is so many times taller or lower than those of sure cards is no card of this table:
fifteen degrees of tilt change it by a fifth."""
OTHER_END_REACH = 0.6
"""How near (in heights of an index) to the place of a sure card's other end a doubtful find is taken to be it."""
THE_VERY_END = 0.35
"""A find this near to that place is that end however sure it seems, unless both its own ends show: half of a king's K,
in sight beside a card thrown over it, is an A."""
SAME_PRINT_RIGHT, SAME_PRINT_DOWN = 0.35, 0.8
"""Two indices upside down to each other and nearer than this (in their heights) share a sign: one of them is none. A
six at the end of its card, over a spade of the card below, is a nine of spades."""
TURNED_ALIKE = 0.95
"""Cosine between the ways up of two indices of one card, where each corner has one."""
ACROSS, SAME_BOTH_WAYS, LIKE_SIZE = -0.97, 0.5, 1.25
"""Two corners of different names are the ends of one outline, where no card of the table shows both of its ends, if
they point apart so exactly (cosine), lie as far from the one as from the other (in heights), and are of like size."""
CLEAR = 0.998
"""A card less sure than this that lies where one of the surer cards has its other end is that end, half covered; one
that would lie both over and under a surer card is part of its picture."""
SMALL_PX, SURE_SMALL = 17.5, 0.992
FAR_OFF_PX, SURE_FROM_AFAR = 12.0, 0.998
"""How sure a name must be whose index is lower than the first (a card of some 85 pixels), and than the second: on
calibration decks at a half to a quarter of their size 189 below 12 pixels were over the bar for all, two of them wrong
(0.986 and 0.987 sure); photographs differ from drawn tables by more than those among themselves."""
TOO_LOW_PX = 8.0
"""One index lower than this, alone, names no card: none so low was there to calibrate on."""
WELL_INSIDE = 0.1
"""An index this far (in its heights) within the outline of a card that lies over it would not be seen."""
JOKER_DOUBT = 0.1
"""A joker's doubt is divided by this: jokers have no common index, only letters in a column, and so have labels and
newspapers, which were the last things named wrong above the bar on calibration tables."""
CANDIDATE_LEAST, CANDIDATES_MOST = 0.04, 4


class CardSize(NamedTuple):
    """How far apart the two ends of this table's cards lie, and whether there is an index in each corner."""

    across_px: float
    along_px: float
    four: bool = False


@dataclass(frozen=True)
class FoundCard:
    """One card, named or not: its corners and the likelihood of each name."""

    readings: tuple[IndexReading, ...]
    likely: Vector
    is_index: float

    @property
    def card(self) -> Card:
        """The likeliest name."""
        return NAMES[int(self.likely.argmax())]

    @property
    def best(self) -> IndexReading:
        """The corner that says most, whose place is given for the card's."""
        return max(_speaking(self), key=lambda r: float(r.likely.max()) * r.is_index)

    @property
    def confidence(self) -> float:
        """How sure it is that this is that card."""
        sure = float(self.likely.max()) * self.is_index
        return max(0.0, 1 - (1 - sure) / JOKER_DOUBT) if self.card == JOKER else sure


def seen_from(a: IndexReading, b: IndexReading) -> tuple[float, float, float]:
    """Where b lies from a (right, down, in heights of an index) and the cosine between their up directions."""
    (ax, ay), (ux, uy) = a.corner.at_px, a.corner.up
    dx, dy = b.corner.at_px[0] - ax, b.corner.at_px[1] - ay
    tall = (a.corner.height_px + b.corner.height_px) / 2
    alike = ux * b.corner.up[0] + uy * b.corner.up[1]
    return (-dx * uy + dy * ux) / tall, (-dx * ux - dy * uy) / tall, alike


def opposite_corners(a: IndexReading, b: IndexReading) -> bool:
    """Whether two indices lie as the two ends of one card do."""
    right, down, alike = seen_from(a, b)
    back_right, back_down, _ = seen_from(b, a)
    right, down = (right + back_right) / 2, (down + back_down) / 2
    size = a.corner.height_px / b.corner.height_px
    return (
        alike < -0.9
        and 0.7 < size < 1.43
        and OPPOSITE_RIGHT[0] < right < OPPOSITE_RIGHT[1]
        and OPPOSITE_DOWN[0] < down < OPPOSITE_DOWN[1]
        and DOWN_OVER_RIGHT[0] < down / right < DOWN_OVER_RIGHT[1]
    )


def _one_card(a: IndexReading, b: IndexReading) -> bool:
    right, down, alike = seen_from(a, b)
    size = a.corner.height_px / b.corner.height_px
    if a.likely.argmax() == b.likely.argmax():
        return bool(np.hypot(right, down) < SAME_NAME_REACH and abs(alike) > 0.7 and 0.6 < size < 1.67)
    agree = float(a.likely @ b.likely)
    return agree > 0.02 and opposite_corners(a, b)


def combine(readings: Sequence[IndexReading], independent: float = INDEPENDENT) -> FoundCard:
    """The joint opinion of several corners, or several frames, of one card."""
    logs = [np.log(np.clip(r.likely, 1e-9, 1)) for r in readings]
    weight = (1 + independent * (len(logs) - 1)) / len(logs)
    total = weight * np.sum(logs, axis=0)
    high = np.exp(total - total.max())
    # Several doubtful corners are no sure one: pips in a pattern look a little like an index all at once.
    return FoundCard(tuple(readings), high / high.sum(), max(r.is_index for r in readings))


def group(readings: Sequence[IndexReading]) -> list[FoundCard]:
    """Corners put together to cards. Two that are sure of their names never become one by way of a doubtful corner,
    such as the half-covered end of the one beside the other; that belongs rather where a card has its other end."""
    leader = list(range(len(readings)))
    names = [NAMES[int(r.likely.argmax())] if r.likely.max() > NAMED else None for r in readings]

    def lead(k: int) -> int:
        while leader[k] != k:
            k = leader[k]
        return k

    def doubt(pair: tuple[int, int]) -> tuple[bool, bool]:
        a, b = pair
        return None in (names[a], names[b]), not opposite_corners(readings[a], readings[b])

    pairs = [(i, j) for i in range(len(readings)) for j in range(i) if _one_card(readings[i], readings[j])]
    pairs.sort(key=doubt)
    for i, j in pairs:
        a, b = lead(i), lead(j)
        if names[a] is None or names[b] is None or names[a] == names[b]:
            leader[a] = b
            names[b] = names[b] or names[a]
    groups: dict[int, list[IndexReading]] = {}
    for k, reading in enumerate(readings):
        groups.setdefault(lead(k), []).append(reading)
    return [combine(g) for g in groups.values()]


def _without_duplicates(cards: list[FoundCard], bar: float) -> tuple[list[FoundCard], list[FoundCard]]:
    """Cards that keep their name, and those that lose it because another has it too."""
    kept: list[FoundCard] = []
    unsure: list[FoundCard] = []
    by_name: dict[Card, list[FoundCard]] = {}
    for found in cards:
        by_name.setdefault(found.card, []).append(found)
    for name, same in by_name.items():
        same.sort(key=lambda f: -f.confidence)
        best = same[0]
        rivals = [f for f in same[1:] if f.confidence >= bar]
        if rivals and all(_ends(f) and 1 - f.confidence < TWICE_DOUBT * (1 - bar) for f in (best, *rivals)):
            kept += [best, *rivals]
            unsure += [f for f in same[1:] if f.confidence < bar]
            continue
        if name != JOKER and rivals and 1 - rivals[0].confidence < CLEARLY_BETTER * (1 - best.confidence):
            unsure += same
        elif name == JOKER:
            kept += same
        else:
            kept.append(best)
            unsure += same[1:]
    return kept, unsure


Span = tuple[float, float]
"""From an index to the one at the other end of its card: right and down, in heights of the index."""


def _ends(found: FoundCard) -> tuple[IndexReading, IndexReading] | None:
    """Both ends of a card, if both were seen: of several pairs that may be, the one that speaks most for its name."""
    name = int(found.likely.argmax())
    pairs = [(a, b) for i, a in enumerate(found.readings) for b in found.readings[:i] if opposite_corners(a, b)]
    return max(pairs, key=lambda pair: sum(float(r.likely[name]) * r.is_index for r in pair), default=None)


def _facing(found: FoundCard) -> tuple[IndexReading, IndexReading] | None:
    """Two corners of one name that point away from each other, however far apart: the ends of a card with an index in
    each corner, or with indices bigger than those of any deck that the other bounds were measured on."""
    return _sure_pair(found, lambda right, down: abs(right) > FACING_RIGHT and down > FACING_DOWN, same_way=False)


def _top_row(found: FoundCard) -> tuple[IndexReading, IndexReading] | None:
    """Two indices at the same end of a card, side by side."""
    return _sure_pair(found, lambda right, down: abs(right) > FACING_RIGHT and abs(down) < LEVEL, same_way=True)


def _one_side(found: FoundCard) -> tuple[IndexReading, IndexReading] | None:
    """The two indices along one side of a card."""
    return _sure_pair(found, lambda right, down: abs(right) < FACING_RIGHT and down > FACING_DOWN, same_way=False)


def _sure_pair(
    found: FoundCard, holds: Callable[[float, float], bool], same_way: bool
) -> tuple[IndexReading, IndexReading] | None:
    """Two corners of a card, both sure of its name and upright the same way or opposite, that lie so to each other."""
    name = int(found.likely.argmax())
    sure = [r for r in found.readings if r.likely[name] > NAMED]
    for i, a in enumerate(sure):
        for b in sure[:i]:
            right, down, alike = seen_from(a, b)
            if (alike > 0.9 if same_way else alike < -0.9) and holds(right, down):
                return a, b
    return None


def _speaking(found: FoundCard) -> Sequence[IndexReading]:
    """The corners that say where a card lies: its two ends if both were seen, else those it has its name from. Another
    may be the half-covered end of a card beside it, whatever it looks like."""
    name = int(found.likely.argmax())
    return _ends(found) or [r for r in found.readings if r.likely[name] > NAMED] or found.readings


def _rectangle(middle: Vector, up: Vector, across: Span) -> Quad:
    """The outline of a card about its middle, from how far its indices lie apart along and across it, in px."""
    right = np.array([-up[1], up[0]])
    half_w = abs(across[0]) / 2 / (1 - 2 * INSET_X)
    half_h = abs(across[1]) / 2 / (1 - 2 * INSET_Y)
    corners = [middle + sx * half_w * right - sy * half_h * up for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points: list[Point] = [(float(x), float(y)) for x, y in corners]
    return points[0], points[1], points[2], points[3]


def card_span(cards: Sequence[FoundCard]) -> Span | None:
    """How far apart the two ends of this picture's cards lie; None if no card shows both, or if there are four indices
    a card, since then one index alone does not say which side of the card it is on."""
    spans = []
    for found in cards:
        for i, a in enumerate(found.readings):
            for b in found.readings[:i]:
                right, down, alike = seen_from(a, b)
                if alike > 0.9 and abs(right) > 1 and abs(down) < 0.5:
                    return None
        if ends := _ends(found):
            right, down, _ = seen_from(*ends)
            spans.append((right, down))
    if not spans:
        return None
    right, down = np.median(np.array(spans), axis=0)
    return float(right), float(down)


def _span_px(found: FoundCard) -> Span | None:
    """How far the two ends of a card lie apart in px, right and down, if both were seen."""
    ends = _ends(found) or _facing(found)
    if ends is None:
        return None
    (px, py), (qx, qy) = ends[0].corner.at_px, ends[1].corner.at_px
    ux, uy = _up_of(*ends)
    return float(-(qx - px) * uy + (qy - py) * ux), float(-(qx - px) * ux - (qy - py) * uy)


def _up_of(a: IndexReading, b: IndexReading) -> Vector:
    """Which way is up for a card, from its two ends, as the first of them sees it."""
    up = np.array(a.corner.up) - np.array(b.corner.up)
    return np.asarray(up / np.hypot(*up), np.float64)


def card_quad(
    found: FoundCard, span: Span | None = None, size: CardSize | None = None, four: bool = False
) -> Quad | None:
    """The outline of a card, clockwise from its top left: from both its indices, or from one and the span of its like:
    as this table's cards have it, or in heights of an index as the others in this picture have it. four: it has an
    index in each corner, and one alone tells no outline."""
    ends = _ends(found) or _facing(found)
    if ends is not None:
        across = _span_px(found)
        assert across is not None
        a, b = (np.array(reading.corner.at_px) for reading in ends)
        return _rectangle((a + b) / 2, _up_of(*ends), (across[0], -across[1]))
    corner = _leading(found).corner
    span_px = None if size is None else (size.across_px, size.along_px)
    if four:
        row = _top_row(found)
        if row is None or span_px is None:
            return None
        up = np.array(row[0].corner.up)
        return _rectangle(_between(*row) - up * span_px[1] / 2, up, span_px)
    if span_px is None and span is not None:
        span_px = (span[0] * corner.height_px, span[1] * corner.height_px)
    return None if span_px is None else _rectangle(_middle_from(corner, span_px), np.array(corner.up), span_px)


def _between(a: IndexReading, b: IndexReading) -> Vector:
    """The place half way between two corners."""
    return np.asarray((np.array(a.corner.at_px) + np.array(b.corner.at_px)) / 2, np.float64)


def card_length_px(along_px: float) -> float:
    """How long a card is whose two indices lie so far apart along it."""
    return along_px / (1 - 2 * INSET_Y)


def _leading(found: FoundCard) -> IndexReading:
    """The corner that a card's place is told by, where only one end of it was seen."""
    return max(_speaking(found), key=lambda r: r.is_index)


def _middle_from(corner: Corner, span_px: Span) -> Vector:
    """The middle of a card from one index of it."""
    up = np.array(corner.up)
    right = np.array([-up[1], up[0]])
    return np.asarray(np.array(corner.at_px) + (span_px[0] * right - span_px[1] * up) / 2, np.float64)


def _middle_px(found: FoundCard, quad: Quad | None, size: CardSize | None, four: bool) -> Point:
    """The middle of a card: of its outline, or guessed by what cards are like."""
    if quad is not None:
        middle = np.mean(np.array(quad), axis=0)
    else:
        corner = _leading(found).corner
        along_px = USUAL_SPAN[1] * corner.height_px if size is None else size.along_px
        if not four:
            middle = _middle_from(corner, (USUAL_SPAN[0] * corner.height_px, along_px))
        elif row := _top_row(found):
            middle = _between(*row) - np.array(corner.up) * along_px / 2
        elif side := _one_side(found):
            middle = _between(*side)
        else:
            middle = np.array(corner.at_px) - np.array(corner.up) * along_px / 2
    return float(middle[0]), float(middle[1])


def _explained(doubt: FoundCard, sure: Sequence[FoundCard], span: Span | None, four: Span | None) -> bool:
    """Whether a doubtful find is no further card: of quite another size than the sure ones, or a corner of one."""
    known = len(sure) >= 2 or any(_ends(f) for f in sure)
    return (known and _of_another_size(doubt, sure)) or _corner_of(doubt, sure, span, four)


def _is_the_end_of(end: IndexReading, other: IndexReading, span: Span | None) -> bool:
    """Whether two corners are the two ends of one outline: where this table's cards have them, or, where none shows
    both, as exactly across from each other as two ends lie."""
    right, down, alike = seen_from(other, end)
    if alike > -0.9:
        return False
    if span is not None:
        return bool(np.hypot(right - span[0], down - span[1]) < THE_VERY_END)
    back_right, back_down, _ = seen_from(end, other)
    size = end.corner.height_px / other.corner.height_px
    exact = alike < ACROSS and max(abs(right - back_right), abs(down - back_down)) < SAME_BOTH_WAYS
    return exact and 1 / LIKE_SIZE < size < LIKE_SIZE and opposite_corners(end, other)


def _one_name_each(
    kept: list[FoundCard], span: Span | None, bar: float, four: Span | None
) -> tuple[list[FoundCard], list[FoundCard]]:
    """No outline has two names: of two cards that share one, whose other ends do not show, the much surer one stays;
    else what both corners say together decides, and if that is not sure, neither name is said."""
    stay: list[FoundCard] = []
    torn: list[FoundCard] = []
    for f in sorted(kept, key=lambda other: -other.confidence):
        rival = next((o for o in stay if not _ends(f) and _share_an_outline(f, o, span, four)), None)
        if rival is None:
            stay.append(f)
            continue
        if 1 - f.likely.max() >= CLEARLY_BETTER * (1 - rival.likely.max()):
            continue
        if _ends(rival):  # both its own ends show: what lies over one of them is another card, or a misread half
            torn.append(f)
            continue
        stay = [o for o in stay if o is not rival]
        joint = combine((*rival.readings, *f.readings))
        (stay if joint.confidence >= bar else torn).append(joint)
    return stay, torn


def _share_an_outline(f: FoundCard, other: FoundCard, span: Span | None, four: Span | None) -> bool:
    ends = any(_is_the_end_of(a, b, span) for a in _speaking(f) for b in _speaking(other))
    return ends or (four is not None and _of_one_card(f, other, four, THE_VERY_END))


def _less_upside_down(cards: Sequence[FoundCard], span: Span | None) -> list[FoundCard]:
    """The finds, less those that have a sign of a surer card, or of one of which both ends show, read upside down."""
    known = [(f, (_ends(f) is not None, f.confidence), _speaking(f)) for f in cards]
    left = []
    for f, sure, own in known:
        # Where the other end of a card would be, a card may lie over it.
        there = None if f.confidence >= CLEAR else span
        pairs = ((end, mine) for _, surer, ends in known if surer > sure for end in ends for mine in own)
        if not any(_share_a_sign(end, mine, there) for end, mine in pairs):
            left.append(f)
    return left


def _share_a_sign(end: IndexReading, mine: IndexReading, span: Span | None) -> bool:
    """Whether an index is too near to another that is upside down to it, or to where that one's card has its other
    end."""
    right, down, alike = seen_from(end, mine)
    places = [(0.0, 0.0, -alike)] if span is None else [(0.0, 0.0, -alike), (*span, alike)]
    return any(
        turned > 0.9 and abs(right - there_right) < SAME_PRINT_RIGHT and abs(down - there_down) < SAME_PRINT_DOWN
        for there_right, there_down, turned in places
    )


def _of_one_card(f: FoundCard, other: FoundCard, four: Span, reach: float) -> bool:
    """Whether a find lies where another card, with an index in each corner, has one of its own; four: how far apart
    those are. From one of them alone it may lie to either side."""
    ends = _ends(other) or _facing(other)
    if ends is not None:
        places = [(a, (seen_from(a, b)[0], 0.0, True)) for a, b in (ends, ends[::-1])]
    else:
        across, along = four
        around = [(side * across, down, not down) for side in (-1, 1) for down in (0.0, along)] + [(0.0, along, False)]
        places = [(a, place) for a in _speaking(other) for place in around]
    for a, (there_right, there_down, same_way) in places:
        for reading in _speaking(f):
            right, down, alike = seen_from(a, reading)
            near = np.hypot(right - there_right, down - there_down) < reach
            if near and (alike if same_way else -alike) > TURNED_ALIKE:
                return True
    return False


def _of_another_size(doubt: FoundCard, sure: Sequence[FoundCard]) -> bool:
    """Whether a find's index is much taller or lower than those of these cards."""
    heights = [r.corner.height_px for f in sure for r in f.readings]
    if not heights:
        return False
    return not 1 / ANOTHER_SIZE < doubt.readings[0].corner.height_px / float(np.median(heights)) < ANOTHER_SIZE


def _corner_of(doubt: FoundCard, sure: Sequence[FoundCard], span: Span | None, four: Span | None) -> bool:
    """Whether a find lies where one of these cards has another index of its own."""
    if four is not None and any(_of_one_card(doubt, found, four, OTHER_END_REACH) for found in sure):
        return True
    return span is not None and _other_end(doubt, sure, span)


def _other_end(doubt: FoundCard, sure: Sequence[FoundCard], span: Span) -> bool:
    """Whether a find lies where one of these cards has its other end."""
    for found in sure:
        for end in _speaking(found):
            for reading in _speaking(doubt):
                right, down, alike = seen_from(end, reading)
                if alike < -0.9 and np.hypot(right - span[0], down - span[1]) < OTHER_END_REACH:
                    return True
    return False


def _shown_within(found: FoundCard, quad: Quad) -> bool:
    """Whether an index of a card shows well within an outline, where a card lying over it would hide it."""
    outline = np.array(quad, np.float32)
    return any(
        cv2.pointPolygonTest(outline, r.corner.at_px, True) > WELL_INSIDE * r.corner.height_px for r in _speaking(found)
    )


def _through(doubt: FoundCard, sure: Sequence[FoundCard], span: Span | None) -> bool:
    """Whether a find and one of these cards would each lie over the other: a court's picture has corners of its own."""
    quad = card_quad(doubt, span)
    if quad is None:
        return False
    for found in sure:
        other = card_quad(found, span)
        if other is not None and _shown_within(doubt, other) and _shown_within(found, quad):
            return True
    return False


def _parted(cards: Sequence[FoundCard], holds: Callable[[FoundCard], bool]) -> tuple[list[FoundCard], list[FoundCard]]:
    """Those of which it holds, and the others."""
    parts: tuple[list[FoundCard], list[FoundCard]] = [], []
    for f in cards:
        parts[not holds(f)].append(f)
    return parts


def _bar_of(found: FoundCard, bar: float) -> float:
    """How sure a name must be. A joker of which one end shows is letters in a column, which a printed cloth has too;
    two corners of which neither is sure may be two cards, and what each is not."""
    surest = max(float(r.likely.max()) for r in found.readings)
    if len(found.readings) == 1 and found.best.corner.height_px < TOO_LOW_PX:
        return math.inf
    if surest < HALF_SURE or (found.card == JOKER and not _ends(found)):
        return max(bar, CLEAR)
    tallest = max(r.corner.height_px for r in found.readings)
    return max(bar, SURE_FROM_AFAR if tallest < FAR_OFF_PX else SURE_SMALL if tallest < SMALL_PX else bar)


def _span_of_table(cards: Sequence[FoundCard], size: CardSize | None) -> Span | None:
    """The span of this picture's cards in heights of an index: by themselves, or by what the table showed before."""
    span = card_span(cards)
    if span is not None or size is None or size.four or not cards or any(_top_row(f) for f in cards):
        return span
    return _in_heights(size, cards)


def _span_of_four(cards: Sequence[FoundCard], size: CardSize | None) -> Span | None:
    """How far apart the four indices of this picture's cards lie across and along, in heights of an index."""
    both = [seen_from(*ends)[:2] for f in cards if (ends := _ends(f) or _facing(f))]
    if both:
        across, along = np.median(np.abs(np.array(both)), axis=0)
        return float(across), float(along)
    return None if size is None or not cards else _in_heights(size, cards)


def _in_heights(size: CardSize, cards: Sequence[FoundCard]) -> Span:
    tall = float(np.median([r.corner.height_px for f in cards for r in f.readings]))
    return size.across_px / tall, size.along_px / tall


def decide(
    readings: Sequence[IndexReading], bar: float, size: CardSize | None = None
) -> tuple[CardsSighting, list[FoundCard]]:
    """What is said of these corners: names over the bar, the rest unsure; and what it was decided on.

    size: of this table's cards, as it showed before.
    """
    cards = group([r for r in readings if r.is_index >= IS_AN_INDEX])
    kept, unsure = _without_duplicates(cards, bar)
    kept, doubted = _parted(kept, lambda f: f.confidence >= _bar_of(f, bar))
    unsure += doubted
    span = _span_of_table(kept, size)
    four_now = any(_top_row(f) for f in kept)
    four = four_now or (size is not None and size.four)
    corners = _span_of_four(kept, size) if four else None
    kept, torn = _one_name_each(kept, span, bar, corners)
    unsure += torn
    kept = _less_upside_down(kept, span)
    clear = [f for f in kept if f.confidence >= CLEAR]
    kept, doubted = _beside_clear_ones(kept, clear, span, corners)
    unsure += doubted
    unsure = [f for f in unsure if not (_explained(f, kept, span, corners) or _through(f, clear, span))]
    seen = [_seen(f, card_quad(f, span, size, four), size, four) for f in kept]
    doubts = [_unsure(f, card_quad(f, span, size, four), size, four) for f in unsure]
    seen.sort(key=lambda c: -c.confidence)
    return CardsSighting(tuple(seen), tuple(doubts), four_indices=four_now), cards


def _beside_clear_ones(
    kept: list[FoundCard], clear: list[FoundCard], span: Span | None, four: Span | None
) -> tuple[list[FoundCard], list[FoundCard]]:
    """Of what is less than clear: what may be a card beside those that are, and what is of another size than they."""
    kept, doubted = _parted(kept, lambda f: f.confidence >= CLEAR or not _of_another_size(f, clear))
    kept, _ = _parted(
        kept, lambda f: f.confidence >= CLEAR or not (_corner_of(f, clear, span, four) or _through(f, clear, span))
    )
    return kept, doubted


def _seen(f: FoundCard, quad: Quad | None, size: CardSize | None, four: bool) -> CardSeen:
    """A card as it is told."""
    across = _span_px(f)
    apart = None if across is None else (abs(across[0]), abs(across[1]))
    return CardSeen(f.card, f.confidence, f.best.corner.at_px, quad, _middle_px(f, quad, size, four), apart)


def _unsure(f: FoundCard, quad: Quad | None, size: CardSize | None, four: bool) -> CardUnsure:
    """A card that is not sure, with all it may be."""
    order = [int(k) for k in np.argsort(-f.likely)[:CANDIDATES_MOST]]
    order = [k for k in order if f.likely[k] >= CANDIDATE_LEAST] or [NAMES.index(f.card)]
    names, likely = tuple(NAMES[k] for k in order), tuple(float(f.likely[k]) for k in order)
    middle = _middle_px(f, quad, size, four)
    return CardUnsure(names, f.readings[0].corner.at_px, quad, middle, likely, f.is_index)
