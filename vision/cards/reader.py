"""The card reader: a still picture in, a sighting out. Everything else in this folder serves it."""

import hashlib
import json
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.cards import Card
from engine.sightings import CardsSighting
from vision.cards.consensus import IS_AN_INDEX, CardSize, FoundCard, combine, decide, group
from vision.cards.crops import Image
from vision.cards.enrolled import EnrolledDeck
from vision.cards.finder import MOST_CORNERS, Corner, CornerFinder
from vision.cards.glyphs import PLACE, Calibration, GlyphReader, IndexReading, Vector
from vision.cards.ink import in_one_ink, of_either_colour
from vision.colour import colourless

MODELS = Path(__file__).resolve().parent.parent / "models"
IMPOSSIBLE = 0.1
"""What a card that the game rules out is worth beside one it allows: it decides close readings, and clear evidence for
an illegal card (a likelihood ratio of ten and more) still wins."""
WORTH_A_LOOK = 0.12
"""Corners less likely than this to be an index are dropped."""
SURE_AT_ONCE = 0.998
"""Cards less sure than this get a second look, those above the bar too, after the others: on 1,240 tables of the
calibration decks it left one wrong name above the bar of three."""
WORTH_A_SECOND = 0.4
"""Finds less likely than this to be a card get no second look: chosen for speed, since it costs five reads."""
MOST_SECOND_LOOKS = 6
"""At most so many doubtful corners of a table are looked at again, half a millisecond a look, five looks each."""
WORTH_NEARER, MOST_NEARER = 0.4, 6
"""So sure a corner was found that is none as it was read, it is found anew from nearer, at most so many of a picture:
on a table of patterned tiles, in films of another program, 46 cards were named so instead of 31."""
CUT = 0.14
"""Part of an index's height that may lie beyond the picture's edge: the margin in which it is framed."""
CUT_INDEX = 0.6
"""What is cut by more is at most so likely an index: enough to be told as unsure."""
READ_AT_ONCE, READ_MORE = 48, 24
"""So many corners are read, best first: four times a full table. Then so many more at a time, while worth it."""
WORTH_MORE = 0.25
"""Part of the last ones read that must be an index for more to be read: of print and pattern hardly any is."""
A_SECOND_LOOK_FOR = 8
"""One more doubtful corner is looked at again for so many that were read beyond the first: a full table stays quick,
and a whole pack gets as many second looks a card."""
LETTER_DOUBT, SURE_INDEX, SURE_LETTER = 0.01, 0.9, 0.9
"""A letter misread so often at most, on corners surer than the second to be an index and than the third of the letter:
one French letter then speaks a hundred to one for a French deck. A mark of the table's own print that is half of each,
picture after picture, made a deck Dutch."""
SURE_OF_LETTERS = 9.0
"""Log-odds beyond which letters make nothing surer: two sure ones of another deck turn it round."""
FRAME_INDEPENDENT = 0.35
"""How much each further frame of a still table counts beside the first: noise differs, light and print do not."""


def network_print(models: Path = MODELS) -> str:
    """By which the reading network is known: what was learned with one means nothing to another."""
    return hashlib.sha256((models / "cards_reader.onnx").read_bytes()).hexdigest()[:16]


class CardReader:
    """Reads every face-up card of a still table. Loaded once; not to be shared between threads."""

    def __init__(
        self,
        models: Path = MODELS,
        deck: EnrolledDeck | None = None,
        one_deck: bool = False,
        french: float = 0.0,
        told_french: Callable[[float], None] = lambda french: None,
    ) -> None:
        """one_deck: every picture shows the same deck, so that its letters are remembered from picture to picture.
        french: how much speaks for a deck whose V is the jack before any letter was seen, as log-odds.
        told_french: is told of it whenever letters of this one deck were seen."""
        self.finder = CornerFinder(models / "cards_finder.onnx", models / "cards_glance.onnx")
        known = models / "cards_reader.json"
        self._glyphs = GlyphReader(models / "cards_reader.onnx", Calibration.load(known))
        self.bar: float = json.loads(known.read_text())["calibration"]["bar"]
        self.deck = deck
        self._one_deck = one_deck
        self._french, self._told_french = french, told_french
        """How much the letters seen so far speak for a deck whose V is the jack, as log-odds."""
        self.network = network_print(models)
        self.crowded = False
        """Whether the last picture showed more corners than are ever read: cards may be missing from what was told."""
        self.grey = False
        """Whether the last picture had no colour: a red card looks like a black one. One of black cards alone on a grey
        cloth has none either, and night may have come since the last: neither is told surely."""

    def corners(self, image: Image, both_ways: bool = False) -> list[IndexReading]:
        """Every corner that may be an index, read; cards that are not sure at once with a second look.

        both_ways: the picture is looked at upside down too, which takes twice as long and finds a little more.
        """
        self.grey = colourless(image)
        read = self._read_while_worth(image, self.finder.find(image))
        if both_ways:
            read += self._read_while_worth(image, self.finder.find_upside_down(image))
        self.crowded = len(read) >= MOST_CORNERS
        jack = self._v_is_the_jack(read)
        read = [r.meaning(jack) for r in read]
        readings = [self._sharpened(r) for r in read]
        second_looks = MOST_SECOND_LOOKS + max(0, len(readings) - READ_AT_ONCE) // A_SECOND_LOOK_FOR
        readings = [self._whole_or_doubtful(r, image) for r in readings if r.is_index >= WORTH_A_LOOK]
        if both_ways:
            readings = _best_of_each_place(readings)
        again = {id(r) for r in self._doubtful(readings)[:second_looks]}
        readings = [self._again(image, r, jack) if id(r) in again else r for r in readings]
        return [of_either_colour(r) if self.grey else in_one_ink(r, image) for r in readings]

    def _doubtful(self, readings: Sequence[IndexReading]) -> list[IndexReading]:
        """What is worth a second look, in this order."""
        close = max(self.bar, SURE_AT_ONCE)
        doubtful = [f for f in group(readings) if f.confidence < close and f.is_index > WORTH_A_SECOND]
        doubtful.sort(key=lambda f: (f.confidence >= self.bar, -f.is_index))
        return [r for f in doubtful for r in f.readings]

    def _read_while_worth(self, image: Image, found: Sequence[Corner]) -> list[IndexReading]:
        """Corners read in the order of their score, as long as there are cards among them."""
        readings = self._glyphs.read(image, found[:READ_AT_ONCE])
        last = readings
        while len(readings) < len(found) and np.mean([r.is_index > IS_AN_INDEX for r in last]) >= WORTH_MORE:
            last = self._glyphs.read(image, found[len(readings) : len(readings) + READ_MORE])
            readings += last
        return self._from_nearer(image, readings)

    def _from_nearer(self, image: Image, readings: list[IndexReading]) -> list[IndexReading]:
        """The same, where what was found and is no index as it was read may be one that lies otherwise."""
        lost = [k for k, r in enumerate(readings) if r.is_index < IS_AN_INDEX and r.corner.score >= WORTH_NEARER]
        found = [(k, self.finder.find_nearer(image, readings[k].corner)) for k in lost[:MOST_NEARER]]
        nearer = {k: reading for k, reading in found if reading is not None}
        for k, read in zip(nearer, self._glyphs.read(image, [*nearer.values()]), strict=True):
            readings[k] = max(readings[k], read, key=lambda r: r.is_index)
        return readings

    def _again(self, image: Image, reading: IndexReading, jack: float) -> IndexReading:
        """A second look, surer than the first; where the two disagree, neither is sure. Of a name above the bar one
        frame is enough, if that leaves no doubt about it."""
        if float(reading.likely.max()) * reading.is_index >= self.bar:
            (read,) = self._glyphs.read(image, [reading.corner])
            read = self._sharpened(read.meaning(jack))
            if _confirms(read, reading):
                return self._whole_or_doubtful(read, image)
        read = self._sharpened(self._glyphs.read_again(image, reading.corner).meaning(jack))
        if read.likely.argmax() != reading.likely.argmax():
            read = replace(read, likely=(read.likely + reading.likely) / 2)
        return self._whole_or_doubtful(read, image)

    def _v_is_the_jack(self, readings: Sequence[IndexReading]) -> float:
        """How likely a V means the jack, by the letters beside it, and those seen before if it is one deck."""
        told = sum(
            math.log((r.letters.french + LETTER_DOUBT) / (r.letters.dutch + LETTER_DOUBT))
            for r in readings
            if r.is_index > SURE_INDEX and max(r.letters.french, r.letters.dutch) > SURE_LETTER
        )
        french = float(np.clip(told + self._french, -SURE_OF_LETTERS, SURE_OF_LETTERS))
        if self._one_deck and told:
            self._french = french
            self._told_french(french)
        return 1 / (1 + math.exp(-french))

    @staticmethod
    def _whole_or_doubtful(reading: IndexReading, image: Image) -> IndexReading:
        """An index that the picture's edge cuts is never sure: half a nine is a jack."""
        cut = reading.corner.cut_by_px(image.shape[1], image.shape[0]) / reading.corner.height_px
        return reading if cut < CUT else replace(reading, is_index=min(reading.is_index, CUT_INDEX))

    def features(self, crops: Sequence[Image]) -> Vector:
        """What upright crops of corners look like to the network, a row each: what enrolment keeps."""
        return self._glyphs.features(crops)

    def _sharpened(self, reading: IndexReading) -> IndexReading:
        return reading if self.deck is None else self.deck.sharpen(reading)

    def read(self, image: Image, possible: Collection[Card] | None = None) -> CardsSighting:
        """One picture (BGR). possible: the cards the game still allows; it decides between close readings only."""
        return self.explain(image, possible)[0]

    def explain(self, image: Image, possible: Collection[Card] | None = None) -> tuple[CardsSighting, list[FoundCard]]:
        """As read, with the corners and likelihoods it was decided on."""
        sighting, found = decide(_weighed(self.corners(image), possible), self.bar)
        return replace(sighting, crowded=self.crowded, grey=self.grey), found

    def joint(
        self,
        frames: Sequence[Sequence[IndexReading]],
        possible: Collection[Card] | None = None,
        both_ways: int = 0,
        size: CardSize | None = None,
    ) -> CardsSighting:
        """Several pictures of one still table, taken together: surer than each. frames: the corners of each, so many of
        them looked at both ways. size: of this table's cards, as it showed before."""
        places: list[list[IndexReading]] = []
        for frame in frames:
            for reading in frame:
                for place in places:
                    if _same_place(place[0], reading):
                        place.append(reading)
                        break
                else:
                    places.append([reading])
        joint = [
            _over_frames(place, max(both_ways, len(place)) if _only_upside_down(place) else len(frames))
            for place in places
        ]
        return decide(_weighed(joint, possible), self.bar, size)[0]


def _confirms(read: IndexReading, before: IndexReading) -> bool:
    """Whether a further look reads the same name, and is sure of it."""
    name = int(read.likely.argmax())
    return name == int(before.likely.argmax()) and float(read.likely[name]) * read.is_index >= SURE_AT_ONCE


def _only_upside_down(place: Sequence[IndexReading]) -> bool:
    return all(reading.corner.upside_down for reading in place)


def _best_of_each_place(readings: Sequence[IndexReading]) -> list[IndexReading]:
    best: list[IndexReading] = []
    for reading in sorted(readings, key=lambda r: -r.is_index):
        if not any(_same_place(reading, other) for other in best):
            best.append(reading)
    return best


def _same_place(a: IndexReading, b: IndexReading) -> bool:
    apart = np.hypot(a.corner.at_px[0] - b.corner.at_px[0], a.corner.at_px[1] - b.corner.at_px[1])
    return bool(apart < 0.5 * min(a.corner.height_px, b.corner.height_px))


def _over_frames(place: Sequence[IndexReading], frames: int) -> IndexReading:
    """One corner over several frames that might have shown it; those that did not see it count against it. A frame may
    have found it twice: that makes it no surer."""
    joint = combine(place, FRAME_INDEPENDENT)
    best = max(place, key=lambda r: r.is_index)
    seldom = float(np.mean([r.is_index for r in place])) * len(place) / frames
    return replace(best, likely=joint.likely, is_index=best.is_index if len(place) >= frames else seldom)


def _weighed(readings: Sequence[IndexReading], possible: Collection[Card] | None) -> list[IndexReading]:
    """The readings in the light of what the game allows."""
    if possible is None:
        return list(readings)
    worth = np.full(len(PLACE), IMPOSSIBLE)
    worth[[PLACE[card] for card in possible]] = 1.0
    return [replace(r, likely=r.likely * worth / float(r.likely @ worth)) for r in readings]
