"""What the colour of an index says, and what is left unsaid without it. Whether its two signs are printed in one ink: a
red rank over a black suit is two cards, since the suit belongs to the one on top, and covers that of the other."""

from dataclasses import replace

import cv2
import numpy as np

from engine.cards import RANKS, SUITS
from vision.cards.crops import Image
from vision.cards.finder import Corner
from vision.cards.glyphs import NAMES, IndexReading, Vector, corner_crop

ACROSS, RANK, SUIT = slice(12, 36), slice(14, 37), slice(42, 63)
"""Where the rank and the suit lie in a crop, less what may show beside them of another card."""
PAPER_PART = 0.7
"""Of a crop so many values are darker than most of its paper."""
INK = 0.6
"""Of the paper's light; what gives back less in one colour is printed."""
LEAST_INK = 40
"""So many pixels of ink are needed on both, or neither is judged."""
RED = 0.25
"""So much redder than blue and green is red ink, of the paper's light."""
HARDLY = 6.0
"""Where the rank's part of a crop is redder by less, of 255 and ink and paper together, nothing else is asked: it is so
with all but two in a hundred black cards, and costs a fifth."""
MOST, LITTLE = 0.5, 0.25
"""A rank of which so much is red, over a suit of which so little is, is printed in another ink. Of 1,027 ranks of
black cards on photographs and drawn tables at most a tenth is red; of 218 of invented decks 0.81, with brown clubs,
whose suits are as brown."""
_BLACK, _RED = ([SUITS.index(suit) for suit in suits] for suits in ("SC", "HD"))


def _red_part(part: Image, paper: Vector) -> float | None:
    """How much of what is printed here is red, the colour of the light set aside; None: hardly anything is printed."""
    light = part.reshape(-1, 3) / paper
    ink = light[light.min(axis=1) < INK]
    if len(ink) < LEAST_INK:
        return None
    return float(np.mean(_redness(ink) > RED))


def _redness(light: Vector) -> Vector:
    """How much redder than blue and green (..., 3) is."""
    return np.asarray(light[..., 2] - (light[..., 0] + light[..., 1]) / 2)


def suit_of_another(image: Image, corner: Corner) -> bool:
    """Whether the rank is red and what lies below it is not."""
    crop = corner_crop(image, corner)
    above, below = (_redness(np.array(cv2.mean(crop[part, ACROSS]))) for part in (RANK, SUIT))
    if above - below < HARDLY:
        return False
    values = crop.reshape(-1, 3).astype(np.float64)
    light = values.sum(axis=1)
    paper = np.maximum(1.0, np.median(values[light >= np.quantile(light, PAPER_PART)], axis=0))
    rank, suit = _red_part(crop[RANK, ACROSS], paper), _red_part(crop[SUIT, ACROSS], paper)
    return rank is not None and suit is not None and rank > MOST and suit < LITTLE


def in_one_ink(reading: IndexReading, image: Image) -> IndexReading:
    """The same, where a black suit below a red rank is not taken for the card's: that is red, and cannot be seen."""
    best = int(reading.likely.argmax())
    if NAMES[best][-1] not in "SC" or reading.likely[best] < 0.5 or not suit_of_another(image, reading.corner):
        return reading
    likely = reading.likely.copy()
    by_rank = _by_rank(likely)
    by_rank[:, _RED] += by_rank[:, _BLACK].sum(axis=1)[:, None] / len(_RED)
    by_rank[:, _BLACK] = 0.0
    return replace(reading, likely=likely)


def of_either_colour(reading: IndexReading) -> IndexReading:
    """The same, read without colour: a name is as likely as the likeliest of its rank in the other colour. So it stays
    unsure however often it is read."""
    likely = reading.likely.copy()
    by_rank = _by_rank(likely)
    black, red = (by_rank[:, suits].max(axis=1)[:, None] for suits in (_BLACK, _RED))
    for suits, others in ((_BLACK, red), (_RED, black)):
        by_rank[:, suits] = np.maximum(by_rank[:, suits], others)
    return replace(reading, likely=likely / likely.sum())


def _by_rank(likely: Vector) -> Vector:
    """The likelihoods of all cards but the joker, a row for each rank, where they stand."""
    return likely[: len(RANKS) * len(SUITS)].reshape(len(RANKS), len(SUITS))
