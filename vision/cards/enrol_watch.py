"""Learns a deck while it is laid under the camera: what to lay next, and when the cards lie still, a look at them."""

from dataclasses import dataclass

from engine.cards import RANKS, SUITS, Card
from vision.cards.crops import Image
from vision.cards.enrol import Enrolment, enrol_picture
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import CardReader
from vision.frame import Frame
from vision.stillness import Stillness

ACES: tuple[Card, ...] = tuple("A" + suit for suit in SUITS)
LESSONS: tuple[tuple[Card, ...], ...] = (
    ACES,
    *(tuple(rank + suit for rank in RANKS if rank != "A") for suit in SUITS),
)
"""What is laid, one after the other: the four aces, which begin it, then each suit from its two to its king."""
LOOKS_A_REST = 3
"""Cards that lie still and were not all seen are looked at so often: light and noise change, and then it is told."""
EMPTY_S = 4.0
"""A table that changed and shows no card is looked at once more after so long, and then it is told: between two lessons
it lies empty for a moment."""


@dataclass(frozen=True)
class LessonTaken:
    """A look at cards that lie still: the cards that were asked for, what came of it, and the picture."""

    asked: tuple[Card, ...]
    result: Enrolment
    picture: Image


class EnrolWatch:
    """Takes frames in; says what it took. Not to be shared between threads."""

    def __init__(self, reader: CardReader, lessons: tuple[tuple[Card, ...], ...] = LESSONS) -> None:
        self._reader = reader
        self._left = list(lessons)
        self._stillness = Stillness()
        self._moved = True
        self._looks = 0
        self._rests = 0
        self._seen = 0
        """Cards in the last look."""
        self.deck: EnrolledDeck | None = None
        """What was learned so far."""
        self.left_out: tuple[Card, ...] = ()
        """What was asked for and not learned: another card is read in its place."""

    @property
    def wanted(self) -> tuple[Card, ...]:
        """The cards to be laid now, in rows in this order; none: all is learned."""
        return self._left[0] if self._left else ()

    def _waits(self, still_s: float) -> bool:
        """Whether the table showed no card in all its looks, and may be about to: as it was found, or for a while."""
        empty = self._looks >= LOOKS_A_REST and self._seen == 0
        return empty and (self._rests == 1 or still_s < EMPTY_S)

    def see(self, frame: Frame) -> LessonTaken | None:
        """The next frame. What was taken, once the cards lie still: learned, or why not."""
        motion = self._stillness.see(frame)
        if not motion.settled:
            self._moved, self._looks = True, 0
            return None
        if not self._moved or not self.wanted or self._waits(motion.still_s):
            return None
        self._looks += 1
        self._rests += self._looks == 1
        asked, result = self.wanted, enrol_picture(self._reader, frame.image, self.wanted)
        self._seen = result.seen
        if result.deck is None and (self._looks < LOOKS_A_REST or self._waits(motion.still_s)):
            return None
        self._moved = False
        self._stillness.rested()
        if result.deck is not None:
            self.deck = result.deck if self.deck is None else self.deck.merged(result.deck)
            self._left.pop(0)
            self.left_out += tuple(card for card, _ in result.left_out)
        return LessonTaken(asked, result, frame.image)
