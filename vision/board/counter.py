"""How many seeds lie in each pit, as a distribution: a small network, calibrated, fitted to this board."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np

from engine.sightings import CountLikelihood
from vision.board import nets
from vision.board.inputs import lifted, normalise

Array = np.ndarray[Any, Any]

FOUR_ROWS, VARIED = "board_counter", "board_counter_varied"
"""The two networks: one knows boards of four rows and the seeds that lie in them; one boards of other rows, with the
glass, cowries and buttons that are sold with them, and that a game on them begins with four in each pit."""
SECOND_LOOK = 0.97
"""Pits less certain than this are looked at again, four times, 1 ms each. A single look that is less sure is wrong too
often: of what was said with 0.9 or more on some 200 boards of two rows (half by tools/carved.py, half drawn), 1,399 of
1,435 were right while only pits below 0.9 were looked at again, mirrored and from farther off; now 1,371 of 1,394."""
FARTHER = 0.85
"""One of those looks is from so much farther off: large seeds then have the usual size."""
FLAT, RIM_HIDES = 0.87, 0.4
"""Where the slant of the view (grid.py) is more than the first, a pit's rim may hide a seed. How likely: the second,
times the slant beyond the first. Counted on tools/carved.py, some 130 pits at each angle, all said with 0.9 or more:
at 45, 48, 52, 55, 58, 62 and 65 degrees from the upright, 1, 4, 9, 12, 26, 26 and 39 in a hundred held more."""
LEAST = 1e-4
"""Likelihoods below this are left out of a sighting."""
HIDDEN = 0.35
"""A pit that is hidden with this likelihood is not counted: counting a hidden one costs more than leaving out an open
one. Of 595 hidden pits on 280 drawn boards 574 are left out so, 565 at 0.5; of 8,239 open ones 20, and 12."""


def network_for(rows: int) -> str:
    """The name of the network that counts on a board of so many rows."""
    return FOUR_ROWS if rows == 4 else VARIED


@dataclass(frozen=True)
class Head:
    """The last layer of a network: features to scores. `learn` makes one for this board and these seeds."""

    weight: Array
    bias: Array
    network: str = FOUR_ROWS

    def scores(self, features: Array) -> Array:
        """Scores of each count."""
        return np.asarray(features @ self.weight.T + self.bias)


@cache
def settings(network: str = FOUR_ROWS) -> dict[str, Any]:
    """Temperature and last layer, as training left them."""
    data: dict[str, Any] = json.loads((nets.MODELS / f"{network}.json").read_text())
    return data


@cache
def trained_head(network: str = FOUR_ROWS) -> Head:
    """The network's own last layer."""
    data = settings(network)
    return Head(np.array(data["weight"], np.float32), np.array(data["bias"], np.float32), network)


def look(crops: Array, head: Head | None = None) -> Array:
    """Scores of each count for all pits, the last for `cannot be counted`; doubtful ones are looked at again, mirrored,
    turned and from farther off."""
    by = head or trained_head()

    def seen(turned: Array) -> Array:
        return by.scores(look_at(np.ascontiguousarray(turned), by.network))

    z = seen(crops)
    doubtful = np.flatnonzero(1 / np.exp(z - z.max(1, keepdims=True)).sum(1) < SECOND_LOOK)
    if len(doubtful):
        shown = crops[doubtful]
        aside = shown.transpose(0, 2, 1, 3)
        looks = [z[doubtful], *(seen(turned) for turned in (shown[:, ::-1], aside, aside[:, ::-1]))]
        farther = seen(_farther(shown)[:, :, ::-1])
        # Its drawn out edges look like something laid over the pit: on that it has no say.
        farther[:, -1] = np.mean(looks, axis=0)[:, -1]
        z[doubtful] = np.mean([*looks, farther], axis=0)
    return z


def _farther(crops: Array) -> Array:
    """The same pits smaller; what is not in the crops is drawn out from their edges."""
    size = crops.shape[1]
    small = round(FARTHER * size)
    low = (size - small) // 2
    edges = (low, size - small - low) * 2
    out = [cv2.copyMakeBorder(cv2.resize(c, (small, small)), *edges, cv2.BORDER_REPLICATE) for c in crops]
    return np.stack(out)


def look_at(crops: Array, network: str = FOUR_ROWS) -> Array:
    """Features of crops (n, CROP_PX, CROP_PX, 3)."""
    (features,) = nets.run(f"{network}.onnx", normalise(lifted(crops)), ("features",))
    return features


def perhaps_more(pit: CountLikelihood | None, slant: float) -> CountLikelihood | None:
    """The same pit, where its rim may hide one seed more. slant: of the view (grid.py)."""
    hidden = min(0.5, RIM_HIDES * (slant - FLAT))
    if pit is None or hidden <= 0:
        return pit
    return {
        count: (1 - hidden) * pit.get(count, 0.0) + hidden * pit.get(count - 1, 0.0)
        for count in sorted({*pit, *(count + 1 for count in pit)})
    }


def likelihoods(scores: Array, network: str = FOUR_ROWS) -> list[CountLikelihood | None]:
    """Scores to distributions; None for a pit that cannot be counted."""
    z = scores / settings(network)["temperature"]
    p = np.exp(z - z.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    out: list[CountLikelihood | None] = []
    for row in p:
        if row[-1] > HIDDEN:
            out.append(None)
            continue
        counts = row[:-1] / row[:-1].sum()
        kept = {int(k): float(counts[k]) for k in np.flatnonzero(counts > LEAST)}
        total = sum(kept.values())
        out.append({k: v / total for k, v in kept.items()})
    return out
