"""Reads one index corner: how likely each card is, and whether it is an index at all."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import JOKER, RANKS, SUITS, Card
from vision.cards.crops import Image, index_crop
from vision.cards.finder import Corner

Vector = NDArray[np.float64]

NAMES: tuple[Card, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
"""The cards in the order in which every likelihood here lists them."""
PLACE = {name: k for k, name in enumerate(NAMES)}
_RANKS = len(RANKS) + 1
_SUITS = len(SUITS)
_FRAME = slice(_RANKS + _SUITS + 1, _RANKS + _SUITS + 5)
_FEATURES = slice(_FRAME.stop, None)
"""Where the network's answer says how to frame the corner better, and what it looks like."""
_TOGETHER = 4
"""Crops given to the network at once while so many are left: a quarter faster than one by one; more gain little."""
_LOOK_AGAIN = ((0.0, 0.0, 0.93, 0.07), (0.0, 0.0, 1.08, -0.07), (0.06, 0.0, 1.0, -0.14), (-0.06, 0.04, 1.0, 0.14))
"""Second looks at a doubtful corner: shift right and down (of its height), size, turn in radians; about the jitter that
the reading network was trained with."""


_FURTHEST = np.array([0.35, 0.35, 0.6, 0.5])
"""A corner is framed anew no further off than this: right, down, logarithm of the size, turn."""


@dataclass(frozen=True)
class Reading:
    """One corner read: where it is, seen closely; how likely each of NAMES is (sums to 1), how likely it is an index at
    all, and what it looks like."""

    corner: Corner
    likely: Vector
    is_index: float
    features: Vector


@dataclass(frozen=True)
class Calibration:
    """What makes the network's numbers mean what they say; measured on decks that taught it nothing."""

    rank_temperature: float = 1.0
    suit_temperature: float = 1.0
    index_temperature: float = 1.0

    @staticmethod
    def load(path: Path) -> "Calibration":
        """From the model's own card (the JSON file beside it)."""
        known = json.loads(path.read_text())["calibration"]
        return Calibration(known["rank_temperature"], known["suit_temperature"], known["index_temperature"])


def _softmax(logits: Vector) -> Vector:
    high = np.exp(logits - logits.max())
    return np.asarray(high / high.sum(), np.float64)


def corner_crop(image: Image, corner: Corner) -> Image:
    """The corner as the network sees it."""
    return index_crop(image, corner.at_px, corner.up, corner.height_px)


class GlyphReader:
    """The reading network, loaded once; not to be shared between threads."""

    def __init__(self, model: Path, calibration: Calibration | None = None) -> None:
        # One network object a number of crops: OpenCV plans its buffers anew whenever the size of the input changes.
        self._nets = {count: cv2.dnn.readNetFromONNX(str(model)) for count in (1, _TOGETHER)}
        self._set = calibration or Calibration()

    def raw(self, crops: Sequence[Image]) -> Vector:
        """The network's bare answer to each crop, a row each: rank, suit and index logits, then features."""
        answers = []
        left = list(crops)
        while left:
            count = _TOGETHER if len(left) >= _TOGETHER else 1
            net = self._nets[count]
            net.setInput(cv2.dnn.blobFromImages(left[:count]))
            answers.append(net.forward())
            left = left[count:]
        return np.concatenate(answers).astype(np.float64)

    def features(self, crops: Sequence[Image]) -> Vector:
        """What each crop looks like to the network, before it is given a name."""
        return self.raw(crops)[:, _FEATURES]

    def read(self, image: Image, corners: Sequence[Corner]) -> list[Reading]:
        """Each corner, one look."""
        if not corners:
            return []
        raws = self.raw([corner_crop(image, corner) for corner in corners])
        return [self._reading(corner, raw) for corner, raw in zip(corners, raws, strict=True)]

    def read_again(self, image: Image, corner: Corner) -> Reading:
        """One corner, looked at from a few slightly other frames: slower and surer."""
        looks = [corner, *(corner.moved(*look) for look in _LOOK_AGAIN)]
        return self._reading(corner, self.raw([corner_crop(image, look) for look in looks]).mean(axis=0))

    def _reading(self, corner: Corner, raw: Vector) -> Reading:
        rank = _softmax(raw[:_RANKS] / self._set.rank_temperature)
        suit = _softmax(raw[_RANKS : _RANKS + _SUITS] / self._set.suit_temperature)
        is_index = 1 / (1 + np.exp(-raw[_RANKS + _SUITS] / self._set.index_temperature))
        likely = np.append(np.outer(rank[:-1], suit).ravel(), rank[-1])
        right, down, size, turn = np.clip(raw[_FRAME], -_FURTHEST, _FURTHEST)
        framed = corner.moved(float(right), float(down), float(np.exp(size)), float(turn))
        return Reading(framed, likely, float(is_index), raw[_FEATURES])
