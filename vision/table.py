"""A card table under the camera: when to look, where things lie in table units, which hands came over it.

Sees every frame, reads few: a table is read when it lies still and no hand covers its middle, read again to be surer,
and then left alone until something moves. Of frames that come late only the first of a rest is read: hands are followed
through all of them.
"""

import math
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.sightings import (
    CardLying,
    CardSeen,
    CardsSighting,
    Glance,
    Hand,
    Point,
    Quad,
    TableLook,
    apart,
    direction_deg,
    half_turned,
    turned_deg,
)
from vision.arms import AT_THE_EDGE, Arm
from vision.cards.consensus import CardSize, card_length_px
from vision.cards.glyphs import IndexReading
from vision.cards.reader import CardReader
from vision.frame import Frame
from vision.small import NEAR, SMALL_W
from vision.stillness import ROUNDING_S, SAME_ARM_DEG, TRACK_GAP_S, Changed, Motion, Stillness

LOOKS_AT_REST = 2
"""A table at rest is looked at twice: noise differs from frame to frame, what lies there does not."""
LOOKS_IN_DOUBT = 5
"""And up to so many times while something on it cannot be read."""
DOUBT_EVERY_S = 0.4
HAND_WAITED_FOR_S = 1.0
"""A hand that stays at the edge for so long has laid what it had, or holds a fan."""
AGAIN_EVERY_S = 5.0
"""Light creeps: an untouched table is looked at again after so long."""
GLANCE_EVERY_S = 0.2
"""Between two frames that are read while hands come and go: a card that lies open for so long is read once or twice."""
GLANCES_OF_A_PLACE = 2
"""So often what newly lies open at one place is read before the table rests: one frame may read it wrong."""
NEW_CARDS = 0.2
"""Part of a card's area that must newly lie open for a frame to be worth reading."""
MOST_GLANCES = 24
"""Kept between two looks: a trick of six with two each, twice over. Of more, those that tell most."""
MOST_HANDS = 200
"""Hands that are remembered until a look tells of them: the last, where a table never rests."""
LOOKS_AT_LOSS = 3
"""Looks at a table where a card is not seen any more: it may only be hard to read."""
LOOKS_AT_STRANGE = 4
"""Looks at a card that the game rules out, before anybody is told so."""
MIDDLE = 0.45
"""Table units from the middle within which a still hand covers what matters."""
DRAWN_BACK, COMES_AGAIN = 0.45, 0.7
"""Parts of the deepest that a hand reached: drawn back to less than the one and in again to more than the other, it
does a second thing."""
FAR_IN = 0.6
"""The same from which it may begin to do what it reaches in for."""
STILL_IN = 0.8
"""The same from which it may still be about what it reached in for."""
ONE_ARM_DEG = 8.0
"""Two parts of one frame that cross the edge nearer to each other than this are one arm, in a sleeve with a pattern."""
HAND_RESTS_S = 2.0
"""A hand that lies still for so long is read around."""
MOVED_TOLD_S = 6.0
"""So long it is told that the camera was moved: to be read, and to clear the table."""
SMALL_BUMP = 0.06
"""Table units: a camera that was knocked by less than this sees the same places: nobody need be told."""
CARD_SHAPE = 0.67
"""A card's width over its length."""
USUAL_CARD_LENGTH = 0.3
"""Table units, before a card's outline was seen: a bridge card from 60 cm."""

LENGTHS_KEPT = 15
"""Looks that tell how big a card is: a few tricks."""
LOOKING, HAND_OVER, CAMERA_MOVED = "looking", "hand_over", "camera_moved"


@dataclass
class _Track:
    """A hand while it is over the table."""

    angle_deg: float
    reach: Point
    depth: float
    came_s: float
    last_s: float
    now_deg: float
    back_depth: float
    """How far in it still was when it had drawn back the furthest since it reached deepest."""
    back_s: float
    deep_s: float
    """When it was last about as far in."""
    way: list[tuple[float, float]]
    """Each depth that it first came to, and when."""

    @staticmethod
    def of(angle_deg: float, tip: Point, depth: float, at_s: float) -> "_Track":
        return _Track(angle_deg, tip, depth, at_s, at_s, angle_deg, depth, at_s, at_s, [(depth, at_s)])

    def hand(self) -> Hand:
        reached_s = next(at_s for depth, at_s in self.way if depth >= FAR_IN * self.depth)
        return Hand(self.angle_deg, self.reach, self.came_s, self.last_s, self.deep_s, reached_s)

    def goes_on(self, angle_deg: float, tip: Point | None, depth: float, covers: float, at_s: float) -> bool:
        """Takes in where it is now; False: it had drawn back and comes in anew, which is another hand's work.

        tip: where it came to this moment, if it moved, and depth: how far in that is. covers: how far in that is which
        it touches.
        """
        if self.back_depth < DRAWN_BACK * self.depth and depth > COMES_AGAIN * self.depth:
            self.last_s = self.back_s
            return False
        self.last_s, self.now_deg = at_s, angle_deg
        if tip is not None and depth > self.depth:
            self.angle_deg, self.reach, self.depth = angle_deg, tip, depth
            self.back_depth = covers
            self.way.append((depth, at_s))
        if covers > STILL_IN * self.depth:
            self.deep_s = at_s
        if covers <= self.back_depth:
            self.back_depth, self.back_s = covers, at_s
        return True


def _depth(arm: Arm, tip: Point) -> float:
    """How far in this is, in small pixels."""
    return float(np.hypot(tip[0] - arm.edge[0], tip[1] - arm.edge[1]))


def turned_of(quad_px: Quad | None) -> float | None:
    """How far an outline's long side is turned from upright, clockwise, between -90 and 90."""
    if quad_px is None:
        return None
    (x, y), (foot_x, foot_y) = quad_px[0], quad_px[3]
    return half_turned(float(np.degrees(np.arctan2(x - foot_x, foot_y - y))))


def _tells_least(glances: Sequence[Glance]) -> int:
    """Which of many glances is missed the least: one between two that show the same faces, else one that shows what the
    one before it showed, else the first. Hands may keep a table from resting for three tricks, and a cup that is taken
    in the meantime is no reason to forget the first of them."""
    faces = [frozenset(lying.card for lying in glance.cards if lying.card) for glance in glances]
    again = [k for k in range(1, len(faces)) if faces[k] == faces[k - 1]]
    return next((k for k in again if faces[k + 1 : k + 2] == [faces[k]]), next(iter(again), 0))


def _ends(card: CardSeen) -> tuple[Point, ...]:
    """Where the indices lie by which a card was read: a hand may be at one end of it."""
    if card.span_px is None or card.middle_px is None:
        return (card.at_px,)
    (x, y), (middle_x, middle_y) = card.at_px, card.middle_px
    return (x, y), (2 * middle_x - x, 2 * middle_y - y)


class CardTableEye:
    """Watches one card table. Not to be shared between threads."""

    def __init__(self, reader: CardReader, middle: Point = (0.0, 0.0)) -> None:
        """middle: where tricks are played, in table units from the picture's middle."""
        self._reader = reader
        self._middle = middle
        self._stillness = Stillness()
        self.situation = LOOKING
        self.kept = False
        """The last frame was read, though the table did not rest."""
        self.sighting = CardsSighting((), ())
        """What the last look read, in the picture's own pixels: for whoever draws it."""
        self.arms: tuple[Arm, ...] = ()
        """The hands over the table in the last frame, in small pixels."""
        self._tracks: list[_Track] = []
        self._gone: deque[_Track] = deque(maxlen=MOST_HANDS)
        self._touched = True
        self._corners: list[list[IndexReading]] = []
        self._looks = 0
        self._looked_s = -AGAIN_EVERY_S
        self._doubtful = False
        self._behind_a_hand = False
        """A hand at the edge moved while the table was read: what it laid there is seen once it is gone."""
        self._lost = False
        self._strange = False
        """A card appeared that the game rules out: it is looked at as often as a doubtful one."""
        self._old_doubts: list[Point] = []
        """What could not be read at the rest before either: the cloth, a coin."""
        self._new_spots: list[tuple[float, float, float]] = []
        """Where the middle of the table changed at the last touch."""
        self._length = USUAL_CARD_LENGTH
        self._sizes: deque[CardSize] = deque(maxlen=LENGTHS_KEPT)
        """Of cards, in the last looks that showed both ends of one."""
        self._lying: tuple[CardLying, ...] = ()
        self._places: dict[Card, Point] = {}
        """Where each card was last seen, those under a hand too."""
        self._known_before: set[Card | None] = set()
        self._glances: list[Glance] = []
        self._glanced_s = -GLANCE_EVERY_S
        self._glanced: NDArray[np.uint8] | None = None
        """How often each small pixel was read since the last look, where something new lay open."""
        self._shift = middle
        """Where the table's middle is in the picture: a knock moves it."""
        self._moved_s = -MOVED_TOLD_S
        self._another_s = math.inf
        """When another picture was seen first since the last rest."""
        self._reshaped = False
        """Since then pictures have another shape."""

    def see(self, frame: Frame, possible: Collection[Card] | None = None) -> tuple[TableLook, ...]:
        """Takes the next frame in; what there is to tell of it, mostly nothing."""
        motion = self._stillness.see(frame)
        self.arms = motion.arms
        if motion.resized:
            self._corners, self._touched = [], True
            self._sizes.clear()
        if motion.whole or motion.reshaped:
            self._another_s = min(self._another_s, frame.at_s)
        self._reshaped |= motion.reshaped
        self._follow_hands(motion, frame.at_s)
        self.kept = False
        if not motion.settled:
            self._touched = True
            self.situation = HAND_OVER if motion.arms else LOOKING
            self._glance(frame, motion, possible)
            return ()
        if self._hand_in_the_way(motion):
            self.situation = HAND_OVER
            self._glance(frame, motion, possible)
            return ()
        if self._behind_a_hand and not self._stillness.hand_hides:
            self._touched = True
        if self._touched:
            self._corners, self._looks = [], 0
        elif frame.late or not self._worth_another(frame.at_s):
            return ()
        return (self._look(frame, motion, possible),)

    def _glance(self, frame: Frame, motion: Motion, possible: Collection[Card] | None) -> None:
        """Reads a frame in which something new lies open though the table does not rest: beside an arm, or before the
        next one comes."""
        if frame.late or motion.whole or frame.at_s - self._glanced_s < GLANCE_EVERY_S - ROUNDING_S:
            return
        opened = self._stillness.lies_open() | (self._stillness.lies_still() & self._among_cards())
        if self._glanced is None or self._glanced.shape != opened.shape:
            self._glanced = np.zeros_like(opened)
        self._glanced[self._stillness.lies_bare() > 0] = 0
        opened &= (self._glanced < GLANCES_OF_A_PLACE).astype(np.uint8)
        card_px = CARD_SHAPE * (self._length * min(opened.shape) / 2) ** 2
        if float(opened.sum()) < NEW_CARDS * card_px:
            return
        self._glanced_s, self.kept = frame.at_s, True
        sighting = self._reader.joint([self._reader.corners(frame.image)], possible, size=self._size)
        scale = SMALL_W / frame.image.shape[1]
        read = [*(seen.at_px for seen in sighting.cards), *(unsure.at_px for unsure in sighting.unsure)]
        if not any(self._stillness.slides(x * scale, y * scale) for x, y in read):
            # What slid is read again once it lies.
            self._glanced += cv2.dilate(opened, NEAR)
        self._measure(frame, sighting)
        cards = self._lying_cards(frame, sighting, moving=True)
        over = tuple(self._over_now(arm, frame.at_s) for arm in motion.arms)
        self._glances.append(Glance(frame.at_s, cards, over))
        if len(self._glances) > MOST_GLANCES:
            del self._glances[_tells_least(self._glances)]

    def _over_now(self, arm: Arm, now_s: float) -> Hand:
        """An arm as it is this moment, and since when."""
        angle, tip = self._angle(arm), self._units(*arm.tip)
        mine = min(self._tracks, key=lambda track: abs(turned_deg(track.now_deg, angle)), default=None)
        if mine is None:
            return Hand(angle, tip, now_s, now_s)
        # What is farther in than it ever came is what it touches.
        return Hand(angle, tip if _depth(arm, arm.tip) <= mine.depth else mine.reach, mine.came_s, now_s)

    def _worth_another(self, now_s: float) -> bool:
        since = now_s - self._looked_s
        if self._behind_a_hand and since >= HAND_WAITED_FOR_S:
            self._behind_a_hand = False
            return True
        at_once = LOOKS_AT_STRANGE if self._strange else LOOKS_AT_LOSS if self._lost else LOOKS_AT_REST
        if self._looks < at_once:
            return True
        if self._doubtful and self._looks < LOOKS_IN_DOUBT:
            return since >= DOUBT_EVERY_S
        return since >= AGAIN_EVERY_S

    def _hand_in_the_way(self, motion: Motion) -> bool:
        if motion.still_s > HAND_RESTS_S:
            return False
        return any(np.hypot(*self._units(*arm.tip)) < MIDDLE and not arm.resting for arm in motion.arms)

    # -- geometry ----------------------------------------------------------------------------------------------------

    def _units(self, x: float, y: float) -> Point:
        """Small pixels to table units."""
        height, width = self._stillness.shape
        half = min(height, width) / 2
        return (x + 0.5 - width / 2) / half - self._shift[0], (y + 0.5 - height / 2) / half - self._shift[1]

    def _among_cards(self) -> NDArray[np.uint8]:
        """The small pixels so near to the middle that what is still there, a hand at it or not, lies there: at the edge
        people hold their cards."""
        mask, (x, y), half = np.zeros(self._stillness.shape, np.uint8), self._small((0.0, 0.0)), self._small_half
        return np.asarray(cv2.circle(mask, (round(x), round(y)), round(AT_THE_EDGE * half), 1, -1), np.uint8)

    @property
    def _small_half(self) -> float:
        """Half the shorter side of the small picture."""
        return min(self._stillness.shape) / 2

    def _small(self, at: Point) -> Point:
        """Table units to small pixels."""
        height, width = self._stillness.shape
        half = self._small_half
        return (at[0] + self._shift[0]) * half + width / 2, (at[1] + self._shift[1]) * half + height / 2

    def _radius(self, part: float) -> float:
        """Of a blob that covers this part of the picture, were it round, in table units."""
        height, width = self._stillness.shape
        return float(np.sqrt(part * height * width / np.pi)) / (min(height, width) / 2)

    def _from_picture(self, frame: Frame, at_px: Point) -> Point:
        height, width = frame.image.shape[:2]
        half = min(height, width) / 2
        return (at_px[0] - width / 2) / half - self._shift[0], (at_px[1] - height / 2) / half - self._shift[1]

    def _angle(self, arm: Arm) -> float:
        """Where an arm comes from: the picture's corners count as half way between its sides."""
        height, width = self._stillness.shape
        dx, dy = (arm.edge[0] + 0.5) / width - 0.5, (arm.edge[1] + 0.5) / height - 0.5
        return direction_deg((dx, dy))

    # -- hands -------------------------------------------------------------------------------------------------------

    def _follow_hands(self, motion: Motion, now_s: float) -> None:
        """Each arm of this frame goes on with the track that is nearest to it, or begins another."""
        free = list(self._tracks)
        done: list[float] = []
        for arm in sorted(motion.arms, key=lambda arm: -_depth(arm, arm.tip)):
            angle, reached = self._angle(arm), arm.reached or arm.tip
            if any(abs(turned_deg(other, angle)) < ONE_ARM_DEG for other in done):
                continue
            done.append(angle)
            near = [track for track in free if abs(turned_deg(track.now_deg, angle)) < SAME_ARM_DEG]
            track = min(near, key=lambda track: abs(turned_deg(track.now_deg, angle)), default=None)
            if track is not None:
                free.remove(track)
                tip = None if arm.reached is None else self._units(*arm.reached)
                if track.goes_on(angle, tip, _depth(arm, reached), _depth(arm, arm.tip), now_s):
                    continue
                self._tracks.remove(track)
                self._gone.append(track)
            self._tracks.append(_Track.of(angle, self._units(*reached), _depth(arm, reached), now_s))
        left = [t for t in self._tracks if now_s - t.last_s > TRACK_GAP_S]
        self._gone += left
        self._tracks = [t for t in self._tracks if t not in left]

    # -- looking -----------------------------------------------------------------------------------------------------

    def _look(self, frame: Frame, motion: Motion, possible: Collection[Card] | None) -> TableLook:
        fresh, knocked = self._touched, self._touched and (motion.whole or self._reshaped)
        blobs: list[Changed] = []
        if fresh:
            if knocked:
                self._take_out_shift(frame.at_s)
                self._drop_swings()
            self._behind_a_hand = self._stillness.hand_hides
            blobs = self._stillness.rested()
        self.situation = CAMERA_MOVED if frame.at_s - self._moved_s < MOVED_TOLD_S else LOOKING
        # At a rest the second look is also taken upside down: what the first overlooked may then be seen.
        corners = self._reader.corners(frame.image, both_ways=self._looks > 0)
        self._corners = [*self._corners[-(LOOKS_IN_DOUBT - 1) :], corners]
        sighting = self._reader.joint(
            self._corners, possible, both_ways=min(self._looks, LOOKS_IN_DOUBT), size=self._size
        )
        self.sighting = sighting
        self._measure(frame, sighting)
        lying = self._lying_cards(frame, sighting)
        hands: tuple[Hand, ...] = ()
        packets: tuple[Point, ...] = ()
        spots: tuple[tuple[float, float, float], ...] = ()
        glances: tuple[Glance, ...] = ()
        if fresh:
            spots = tuple((*self._units(spot.x, spot.y), self._radius(spot.part)) for spot in blobs)
            hands = tuple(t.hand() for t in sorted((*self._gone, *self._tracks), key=lambda t: t.came_s))
            self._gone.clear()
            self._another_s, self._reshaped = math.inf, False
            packets = () if knocked else self._packets(blobs, lying)
            glances, self._glanced = tuple(self._glances), None
            self._glances.clear()
        self._touched = False
        self._looks += 1
        self._looked_s = frame.at_s
        self._weigh(lying, spots, fresh, possible)
        self._lying = lying
        hidden = self._hidden(lying)
        return TableLook(
            frame.at_s, lying, hands, packets, spots, self._length, fresh, hidden, self._behind_a_hand, glances
        )

    def _weigh(
        self,
        lying: Sequence[CardLying],
        spots: Sequence[tuple[float, float, float]],
        fresh: bool,
        possible: Collection[Card] | None,
    ) -> None:
        """Whether what was seen leaves something to be looked at again."""
        names, before = {card_lying.card for card_lying in lying}, {lying.card for lying in self._lying}
        if fresh:
            self._known_before = before
            self._old_doubts = _unread(self._lying)
            self._new_spots = [spot for spot in spots if np.hypot(*spot[:2]) < MIDDLE]
        new_doubt = any(self._is_new(at) for at in _unread(lying))
        self._lost = bool(self._known_before - names)
        faceless = bool(self._new_spots) and not names - self._known_before and not self._lost
        self._strange = _impossible(names - before, possible) or (not fresh and self._strange)
        unsteady = not fresh and names - {None} != before - {None}
        self._doubtful = unsteady or new_doubt or faceless or self._strange

    def _is_new(self, doubt: Point) -> bool:
        """Whether nothing that could not be read lay there before."""
        return all(apart(doubt, before) > self._length / 2 for before in self._old_doubts)

    def _hidden(self, lying: Sequence[CardLying]) -> tuple[Card, ...]:
        """The cards that a hand lies over now."""
        seen = {card_lying.card: card_lying.at for card_lying in lying if card_lying.card}
        hidden = tuple(card for card, at in self._places.items() if card not in seen and self._under_a_hand(at))
        self._places = {**{card: self._places[card] for card in hidden}, **seen}
        return hidden

    def _under_a_hand(self, at: Point) -> bool:
        x, y = self._small(at)
        reach = self._length / 2 * self._small_half
        spots = [(x, y), (x - reach, y), (x + reach, y), (x, y - reach), (x, y + reach)]
        return any(self._stillness.under_an_arm(*spot) for spot in spots)

    def _take_out_shift(self, now_s: float) -> None:
        """After a knock: where the table is now, if it can be told. An empty table may be seen from elsewhere on
        purpose: then the game is played where people put it now."""
        moved = self._stillness.moved_since_rest()
        if moved is None or max(abs(moved[0]), abs(moved[1])) > SMALL_BUMP:
            self._moved_s = now_s
            if moved is None or not any(lying.card for lying in self._lying):
                self._shift = self._middle
                self._sizes.clear()
                return
        self._shift = (self._shift[0] + moved[0], self._shift[1] + moved[1])

    def _drop_swings(self) -> None:
        """While a camera swings, edges of what lies there look like arms; none that came since tells of anybody."""
        self._gone = deque((track for track in self._gone if track.came_s < self._another_s), MOST_HANDS)
        self._tracks = [track for track in self._tracks if track.came_s < self._another_s]
        self._glances = [glance for glance in self._glances if glance.at_s < self._another_s]

    def _measure(self, frame: Frame, sighting: CardsSighting) -> None:
        """The size of this table's cards, once both ends of one are seen: of the last looks, since a single pair may be
        the ends of two cards."""
        spans = [seen.span_px for seen in sighting.cards if seen.span_px is not None]
        if not spans:
            return
        across, along = np.median(np.array(spans), axis=0)
        self._sizes.append(CardSize(float(across), float(along), sighting.four_indices))
        size, half = self._size, min(frame.image.shape[:2]) / 2
        assert size is not None
        self._length = card_length_px(size.along_px) / half

    @property
    def _size(self) -> CardSize | None:
        """Of this table's cards, as far as it is known."""
        if not self._sizes:
            return None
        across, along = np.median(np.array([size[:2] for size in self._sizes]), axis=0)
        return CardSize(float(across), float(along), any(size.four for size in self._sizes))

    def _lying_cards(self, frame: Frame, sighting: CardsSighting, moving: bool = False) -> tuple[CardLying, ...]:
        """In table units; not what a hand lies over. moving: nor what moves."""
        scale = SMALL_W / frame.image.shape[1]

        def held(*ends: Point) -> bool:
            return all(self._held(x * scale, y * scale, moving) for x, y in ends)

        lying = []
        for seen in sighting.cards:
            if held(*_ends(seen)):
                continue
            at = self._from_picture(frame, seen.middle_px or seen.at_px)
            outlined, turned = seen.quad_px is not None, turned_of(seen.quad_px)
            lying.append(CardLying(seen.card, seen.confidence, at, outlined=outlined, turned_deg=turned))
        for doubt in sighting.unsure:
            if not held(doubt.at_px):
                at = self._from_picture(frame, doubt.middle_px or doubt.at_px)
                outlined = doubt.quad_px is not None
                turned = turned_of(doubt.quad_px)
                lying.append(CardLying(None, doubt.index_like, at, doubt.candidates, outlined, doubt.likely, turned))
        return tuple(lying)

    def _held(self, x: float, y: float, moving: bool) -> bool:
        """Whether a hand lies over this place, in small pixels; moving: or it moves."""
        if self._stillness.settled_at(x, y) and np.hypot(*self._units(x, y)) < AT_THE_EDGE:
            return False
        return self._stillness.under_an_arm(x, y) or (moving and not self._stillness.still_at(x, y))

    def _packets(self, blobs: Sequence[Changed], lying: Sequence[CardLying]) -> tuple[Point, ...]:
        """What came where no face lies or lay."""
        known = [lying.at for lying in (*lying, *self._lying)]
        places = [self._units(*spot.put) for spot in blobs if spot.put is not None]
        return tuple(p for p in places if all(apart(p, k) > self._length for k in known))


def _unread(lying: Sequence[CardLying]) -> list[Point]:
    """Where something lies that cannot be read."""
    return [card.at for card in lying if card.card is None]


def _impossible(names: Collection[Card | None], possible: Collection[Card] | None) -> bool:
    """Whether a card is among these that cannot lie there now."""
    return possible is not None and any(card is not None and card not in possible for card in names)
