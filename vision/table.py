"""A card table under the camera: when to look, where things lie in table units, which hands came over it.

Sees every frame, reads few: a table is read when it lies still and no hand covers its middle, read again to be surer,
and then left alone until something moves.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cards import Card
from engine.sightings import CardLying, CardsSighting, Hand, Point, TableLook, apart, covers, direction_deg, turned_deg
from vision.cards.glyphs import Reading
from vision.cards.reader import CardReader
from vision.frame import Frame
from vision.stillness import SAME_ARM_DEG, SMALL_W, TRACK_GAP_S, Arm, Changed, Motion, Stillness

LOOKS_AT_REST = 2
"""A table at rest is looked at twice: noise differs from frame to frame, what lies there does not."""
LOOKS_IN_DOUBT = 5
"""And up to so many times while something on it cannot be read."""
DOUBT_EVERY_S = 0.4
HAND_WAITED_FOR_S = 1.0
"""A hand that stays at the edge for so long has laid what it had, or holds a fan."""
AGAIN_EVERY_S = 5.0
"""Light creeps: an untouched table is looked at again after so long."""
MOST_GLANCES = 3
"""Frames kept between two looks, for the order of quick plays."""
LOOKS_AT_LOSS = 3
"""Looks at a table where a card is not seen any more: it may only be hard to read."""
LOOKS_AT_STRANGE = 4
"""Looks at a card that the game rules out, before anybody is told so."""
MIDDLE = 0.45
"""Table units from the middle within which a still hand covers what matters."""
ENTERING = 0.65
"""Table units from the middle within which a hand that comes or goes may hide a card of the trick."""
HAND_RESTS_S = 2.0
"""A hand that lies still for so long is read around."""
MOVED_TOLD_S = 6.0
"""So long it is told that the camera was moved: to be read, and to clear the table."""
SMALL_BUMP = 0.06
"""Table units: a camera that was knocked by less than this sees the same places; the shift is taken out."""
USUAL_CARD_LENGTH = 0.3
"""Table units, before a card's outline was seen: a bridge card from 60 cm."""

LENGTHS_KEPT = 15
"""Looks that tell how long a card is: a few tricks."""
LOOKING, HAND_OVER, CAMERA_MOVED = "looking", "hand_over", "camera_moved"


@dataclass
class _Track:
    """A hand while it is over the table."""

    angle_deg: float
    reach: Point
    depth: float
    came_s: float
    last_s: float

    def hand(self) -> Hand:
        return Hand(self.angle_deg, self.reach, self.came_s, self.last_s)


def _reached_in(hands: Iterable[_Track | Hand]) -> int:
    """How many of these were where they may hide a card of the trick."""
    return sum(bool(np.hypot(*hand.reach) <= ENTERING) for hand in hands)


@dataclass(frozen=True)
class _Glance:
    """A frame kept while hands come and go."""

    frame: Frame
    done: int
    """So many had been over the middle by then, and were not any more."""
    over: list[Hand]
    """Those over the middle then: what they hold, and what lies under them, is not read."""


class CardTableEye:
    """Watches one card table. Not to be shared between threads."""

    def __init__(self, reader: CardReader, middle: Point = (0.0, 0.0)) -> None:
        """middle: where tricks are played, in table units from the picture's middle."""
        self._reader = reader
        self._middle = middle
        self._stillness = Stillness()
        self.situation = LOOKING
        self.kept = False
        """The last frame may be read later."""
        self._tracks: list[_Track] = []
        self._gone: list[_Track] = []
        self._touched = True
        self._corners: list[list[Reading]] = []
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
        self._lengths: deque[float] = deque(maxlen=LENGTHS_KEPT)
        """Of cards, in the last looks that showed outlines."""
        self._lying: tuple[CardLying, ...] = ()
        self._places: dict[Card, Point] = {}
        """Where each card was last seen, those under a hand too."""
        self._known_before: set[Card | None] = set()
        self._glances: list[_Glance] = []
        self._blinded = False
        """Since the last look all of the picture changed for a while: hands that came then were not seen."""
        self._shift = middle
        """Where the table's middle is in the picture: a knock moves it."""
        self._moved_s = -MOVED_TOLD_S

    def see(self, frame: Frame, possible: Collection[Card] | None = None) -> tuple[TableLook, ...]:
        """Takes the next frame in; what there is to tell of it, mostly nothing."""
        motion = self._stillness.see(frame)
        self._follow_hands(motion, frame.at_s)
        self.kept = False
        if not motion.settled:
            self._touched = True
            self._blinded = self._blinded or motion.whole
            self.situation = HAND_OVER if motion.arms else LOOKING
            self._keep_glance(frame, motion)
            return ()
        if self._hand_in_the_way(motion):
            self.situation = HAND_OVER
            return ()
        if self._behind_a_hand and not self._stillness.hand_moves:
            self._touched = True
        if self._touched:
            self._corners, self._looks = [], 0
        elif not self._worth_another(frame.at_s):
            return ()
        look = self._look(frame, motion, possible)
        return (*self._glances_before(look, possible), look) if look.fresh else (look,)

    def _keep_glance(self, frame: Frame, motion: Motion) -> None:
        """Between two quick hands, or beside the second, what the first laid lies open for a moment: that frame tells
        which card was there first."""
        tips = [(arm, self._units(*arm.tip)) for arm in motion.arms]
        over = [Hand(self._angle(arm), tip, frame.at_s, frame.at_s) for arm, tip in tips if np.hypot(*tip) <= ENTERING]
        done = _reached_in((*self._gone, *self._tracks)) - len(over)
        kept = self._glances[-1].done if self._glances else 0
        if len(over) < 2 and done > kept and len(self._glances) < MOST_GLANCES:
            self._glances.append(_Glance(frame, done, over))
            self.kept = True

    def _glances_before(self, look: TableLook, possible: Collection[Card] | None) -> list[TableLook]:
        """The frames kept between hands, read only where several cards came at once, or where known ones went and may
        have been swept up with one that was laid since."""
        glances, self._glances = self._glances, []
        blinded, self._blinded = self._blinded, False
        now = {one.card for one in look.cards}
        if len(now - self._known_before) < 2:
            went = self._known_before - {None} - now
            glances = [one for one in glances if went and (blinded or one.done < _reached_in(look.hands))]
        told = []
        for glance in glances:
            frame = glance.frame
            sighting = self._reader.joint([self._reader.corners(frame.image)], possible)
            cards = self._lying_cards(frame, sighting, everywhere=True)
            cards = tuple(one for one in cards if not any(covers(hand, one.at) for hand in glance.over))
            came = tuple(hand for hand in look.hands if hand.came_s <= frame.at_s)
            told.append(TableLook(frame.at_s, cards, came, (), look.changed, self._length, fresh=True))
        return told

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
        for arm in motion.arms:
            angle = self._angle(arm)
            tip = self._units(*arm.tip)
            depth = float(np.hypot(arm.tip[0] - arm.edge[0], arm.tip[1] - arm.edge[1]))
            near = [t for t in self._tracks if abs(turned_deg(t.angle_deg, angle)) < SAME_ARM_DEG]
            if not near:
                self._tracks.append(_Track(angle, tip, depth, now_s, now_s))
                continue
            track = min(near, key=lambda t: abs(turned_deg(t.angle_deg, angle)))
            track.last_s = now_s
            if depth > track.depth:
                track.angle_deg, track.reach, track.depth = angle, tip, depth
        left = [t for t in self._tracks if now_s - t.last_s > TRACK_GAP_S]
        self._gone += left
        self._tracks = [t for t in self._tracks if t not in left]

    # -- looking -----------------------------------------------------------------------------------------------------

    def _look(self, frame: Frame, motion: Motion, possible: Collection[Card] | None) -> TableLook:
        fresh = self._touched
        blobs: list[Changed] = []
        if fresh:
            if motion.whole:
                self._take_out_shift(frame.at_s)
            self._behind_a_hand = self._stillness.hand_moves
            blobs = self._stillness.rested()
        self.situation = CAMERA_MOVED if frame.at_s - self._moved_s < MOVED_TOLD_S else LOOKING
        # At a rest the second look is also taken upside down: what the first overlooked may then be seen.
        corners = self._reader.corners(frame.image, both_ways=self._looks > 0)
        self._corners = [*self._corners[-(LOOKS_IN_DOUBT - 1) :], corners]
        sighting = self._reader.joint(self._corners, possible, both_ways=min(self._looks, LOOKS_IN_DOUBT))
        self._measure(frame, sighting)
        lying = self._lying_cards(frame, sighting)
        hands: tuple[Hand, ...] = ()
        packets: tuple[Point, ...] = ()
        spots: tuple[tuple[float, float, float], ...] = ()
        if fresh:
            spots = tuple((*self._units(one.x, one.y), self._radius(one.part)) for one in blobs)
            hands = tuple(t.hand() for t in sorted((*self._gone, *self._tracks), key=lambda t: t.came_s))
            self._gone = []
            packets = self._packets(blobs, lying)
        self._touched = False
        self._looks += 1
        self._looked_s = frame.at_s
        self._weigh(lying, spots, fresh, possible)
        self._lying = lying
        hidden = self._hidden(lying)
        return TableLook(frame.at_s, lying, hands, packets, spots, self._length, fresh, hidden, self._behind_a_hand)

    def _weigh(
        self,
        lying: Sequence[CardLying],
        spots: Sequence[tuple[float, float, float]],
        fresh: bool,
        possible: Collection[Card] | None,
    ) -> None:
        """Whether what was seen leaves something to be looked at again."""
        names, before = {one.card for one in lying}, {one.card for one in self._lying}
        if fresh:
            self._known_before = before
            self._old_doubts = [one.at for one in self._lying if one.card is None]
            self._new_spots = [spot for spot in spots if np.hypot(*spot[:2]) < MIDDLE]
        doubts = [one.at for one in lying if one.card is None]
        new_doubt = any(all(apart(a, b) > self._length / 2 for b in self._old_doubts) for a in doubts)
        self._lost = bool(self._known_before - names)
        faceless = bool(self._new_spots) and not names - self._known_before and not self._lost
        strange = possible is not None and bool(names - {None} - before - {*possible})
        self._strange = strange or (not fresh and self._strange)
        unsteady = not fresh and names - {None} != before - {None}
        self._doubtful = unsteady or new_doubt or faceless or self._strange

    def _hidden(self, lying: Sequence[CardLying]) -> tuple[Card, ...]:
        """The cards that a hand lies over now."""
        seen = {one.card: one.at for one in lying if one.card}
        hidden = tuple(card for card, at in self._places.items() if card not in seen and self._under_a_hand(at))
        self._places = {**{card: self._places[card] for card in hidden}, **seen}
        return hidden

    def _under_a_hand(self, at: Point) -> bool:
        height, width = self._stillness.shape
        half = min(height, width) / 2
        x, y = (at[0] + self._shift[0]) * half + width / 2, (at[1] + self._shift[1]) * half + height / 2
        reach = self._length / 2 * half
        spots = [(x, y), (x - reach, y), (x + reach, y), (x, y - reach), (x, y + reach)]
        return any(self._stillness.under_an_arm(*spot) for spot in spots)

    def _take_out_shift(self, now_s: float) -> None:
        """After a knock: where the table is now, if it can be told."""
        moved = self._stillness.moved_since_rest()
        if moved is None or max(abs(moved[0]), abs(moved[1])) > SMALL_BUMP:
            self._moved_s = now_s
            self._shift = self._middle
            return
        self._shift = (self._shift[0] + moved[0], self._shift[1] + moved[1])

    def _measure(self, frame: Frame, sighting: CardsSighting) -> None:
        """The length of this table's cards, once their outlines are seen: of the last looks, since an outline is told
        wrong where most of a card is covered."""
        half = min(frame.image.shape[:2]) / 2
        lengths = [float(np.hypot(*np.subtract(q[1], q[2]))) / half for one in sighting.cards if (q := one.quad_px)]
        if lengths:
            self._lengths.append(float(np.median(lengths)))
            self._length = float(np.median(self._lengths))

    def _lying_cards(self, frame: Frame, sighting: CardsSighting, everywhere: bool = False) -> tuple[CardLying, ...]:
        """In table units; not what a hand lies over, unless everywhere."""
        scale = SMALL_W / frame.image.shape[1]

        def held(at_px: Point) -> bool:
            return not everywhere and self._stillness.under_an_arm(at_px[0] * scale, at_px[1] * scale)

        lying = []
        for one in sighting.cards:
            if held(one.at_px):
                continue
            middle = one.at_px if one.quad_px is None else tuple(np.mean(np.array(one.quad_px), axis=0).tolist())
            at = self._from_picture(frame, (middle[0], middle[1]))
            lying.append(CardLying(one.card, one.confidence, at, outlined=one.quad_px is not None))
        for doubt in sighting.unsure:
            if not held(doubt.at_px):
                at = self._from_picture(frame, doubt.at_px)
                lying.append(CardLying(None, 0.0, at, doubt.candidates, outlined=False))
        return tuple(lying)

    def _packets(self, blobs: Sequence[Changed], lying: Sequence[CardLying]) -> tuple[Point, ...]:
        """What came where no face lies or lay."""
        known = [one.at for one in (*lying, *self._lying)]
        places = [self._units(*one.put) for one in blobs if one.put is not None]
        return tuple(p for p in places if all(apart(p, k) > self._length for k in known))
