"""Reads one index corner: how likely each card is, and whether it is an index at all."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import JOKER, RANKS, SUITS, Card
from vision.cards.crops import Image, index_crop
from vision.cards.finder import Corner
from vision.cards.signs import EITHER, MEANS, OF_FRANCE, OF_THE_NETHERLANDS, SIGNS

Vector = NDArray[np.float64]

NAMES: tuple[Card, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
"""The cards in the order in which every likelihood here lists them."""
PLACE = {name: k for k, name in enumerate(NAMES)}
_SUITS = len(SUITS)
_FRAME = 4
"""So many numbers of the network's answer say how to frame the corner better."""
_JACK, _QUEEN = (slice(RANKS.index(rank) * _SUITS, (RANKS.index(rank) + 1) * _SUITS) for rank in "JQ")
"""Where NAMES has the jacks and the queens."""
_LOOK_AGAIN = ((0.0, 0.0, 0.93, 0.07), (0.0, 0.0, 1.08, -0.07), (0.06, 0.0, 1.0, -0.14), (-0.06, 0.04, 1.0, 0.14))
"""Second looks at a doubtful corner: shift right and down (of its height), size, turn in radians; about the jitter that
the reading network was trained with."""


_FURTHEST = np.array([0.35, 0.35, 0.6, 0.5])
"""A corner is framed anew no further off than this: right, down, logarithm of the size, turn."""


@dataclass(frozen=True)
class Letters:
    """What a corner says of its deck's letters: how likely a V is printed there, and one that only a French, or only a
    Dutch deck has beside a V."""

    either: float = 0.0
    french: float = 0.0
    dutch: float = 0.0


@dataclass(frozen=True)
class IndexReading:
    """One corner read: where it is, seen closely; how likely each of NAMES is (sums to 1), how likely it is an index at
    all, and what it looks like."""

    corner: Corner
    likely: Vector
    is_index: float
    features: Vector
    letters: Letters = Letters()

    def meaning(self, jack: float) -> "IndexReading":
        """The same corner, where a V is the jack with this likelihood and the queen otherwise."""
        either = self.letters.either
        if either < LEAST_EITHER:
            return self
        by_suit = self.likely[: len(RANKS) * _SUITS].reshape(-1, _SUITS).sum(axis=0)
        moved = (jack - HALF) * either * by_suit / by_suit.sum()
        likely = self.likely.copy()
        likely[_JACK] += moved
        likely[_QUEEN] -= moved
        likely = np.clip(likely, 0.0, 1.0)
        return replace(self, likely=likely / likely.sum())


HALF = 0.5
"""A V counts as much for the jack as for the queen until the deck's other letters say which: then two ends of a card,
or many frames of it, make neither surer."""
LEAST_EITHER = 1e-3
"""Where a V is less likely than this, it does not matter what it means."""


@dataclass(frozen=True)
class Calibration:
    """What makes the network's numbers mean what they say; measured on decks that taught it nothing. Temperatures hang
    on how high an index is in the picture: less is left of a low one than the network believes."""

    rank_temperature: tuple[float, ...] = (1.0,)
    suit_temperature: tuple[float, ...] = (1.0,)
    index_temperature: tuple[float, ...] = (1.0,)
    heights_px: tuple[float, ...] = (30.0,)
    """Heights of index at which the temperatures were measured; between them they are interpolated."""
    signs: tuple[str, ...] = SIGNS

    @staticmethod
    def load(path: Path) -> "Calibration":
        """From the model's own card (the JSON file beside it)."""
        card = json.loads(path.read_text())
        known = card["calibration"]

        def listed(name: str) -> tuple[float, ...]:
            return tuple(np.atleast_1d(np.array(known[name], float)).tolist())

        rank, suit, index = (listed(f"{part}_temperature") for part in ("rank", "suit", "index"))
        heights = tuple(known.get("heights_px", [30.0]))
        return Calibration(rank, suit, index, heights, tuple(card.get("signs", (*RANKS, JOKER))))

    def at(self, height_px: float) -> tuple[float, float, float]:
        """Temperatures of rank, suit and being an index for an index of this height."""
        where, high = np.log(height_px), np.log(self.heights_px)
        rank, suit, index = (
            float(np.interp(where, high, t)) if len(t) > 1 else t[0]
            for t in (self.rank_temperature, self.suit_temperature, self.index_temperature)
        )
        return rank, suit, index


def _softmax(logits: Vector) -> Vector:
    high = np.exp(logits - logits.max())
    return np.asarray(high / high.sum(), np.float64)


def corner_crop(image: Image, corner: Corner) -> Image:
    """The corner as the network sees it."""
    return index_crop(image, corner.at_px, corner.up, corner.height_px)


class GlyphReader:
    """The reading network, loaded once; not to be shared between threads."""

    def __init__(self, model: Path, calibration: Calibration | None = None) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))
        self._set = calibration or Calibration.load(model.with_suffix(".json"))
        signs = self._set.signs
        self._signs = len(signs)
        self._frame = slice(self._signs + _SUITS + 1, self._signs + _SUITS + 1 + _FRAME)
        self._features = slice(self._frame.stop, None)
        self._ranks = np.zeros((len(RANKS) + 1, self._signs))
        for place, sign in enumerate(signs):
            means = ("J", "Q") if sign == EITHER else (MEANS.get(sign, sign),)
            for rank in means:
                self._ranks[(*RANKS, JOKER).index(rank), place] = 1 / len(means)
        self._telling = np.array(
            [[sign in group for sign in signs] for group in ((EITHER,), OF_FRANCE, OF_THE_NETHERLANDS)], float
        )

    def raw(self, crops: Sequence[Image]) -> Vector:
        """The network's bare answer to each crop, a row each: rank, suit and index logits, then features."""
        answers = []
        # One by one: OpenCV plans its buffers anew whenever the size of the input changes, and a second network for two
        # crops at once is a fifth faster and holds 10 MB.
        for crop in crops:
            self._net.setInput(cv2.dnn.blobFromImage(crop))
            answers.append(self._net.forward())
        return np.concatenate(answers).astype(np.float64)

    def features(self, crops: Sequence[Image]) -> Vector:
        """What each crop looks like to the network, before it is given a name."""
        return self.raw(crops)[:, self._features]

    def read(self, image: Image, corners: Sequence[Corner]) -> list[IndexReading]:
        """Each corner, one look."""
        if not corners:
            return []
        raws = self.raw([corner_crop(image, corner) for corner in corners])
        return [self._reading(corner, raw) for corner, raw in zip(corners, raws, strict=True)]

    def read_again(self, image: Image, corner: Corner) -> IndexReading:
        """One corner, looked at from a few slightly other frames: slower and surer."""
        looks = [corner, *(corner.moved(*look) for look in _LOOK_AGAIN)]
        return self._reading(corner, self.raw([corner_crop(image, look) for look in looks]).mean(axis=0))

    def _reading(self, corner: Corner, raw: Vector) -> IndexReading:
        signs = self._signs
        by_rank, by_suit, by_index = self._set.at(corner.height_px)
        sign = _softmax(raw[:signs] / by_rank)
        suit = _softmax(raw[signs : signs + _SUITS] / by_suit)
        is_index = 1 / (1 + np.exp(-raw[signs + _SUITS] / by_index))
        rank = self._ranks @ sign
        likely = np.append(np.outer(rank[:-1], suit).ravel(), rank[-1])
        right, down, size, turn = np.clip(raw[self._frame], -_FURTHEST, _FURTHEST)
        framed = corner.moved(float(right), float(down), float(np.exp(size)), float(turn))
        letters = Letters(*(self._telling @ sign).tolist())
        return IndexReading(framed, likely, float(is_index), raw[self._features], letters)
