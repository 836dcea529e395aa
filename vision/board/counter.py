"""How many seeds lie in each pit, as a distribution: a small network, calibrated, fitted to this board."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from engine.sightings import CountLikelihood
from vision.board import nets
from vision.board.crops import cut
from vision.board.grid import FoundBoard
from vision.board.inputs import normalise

Array = np.ndarray[Any, Any]

MODEL = "board_counter.onnx"
SETTINGS = "board_counter.json"
BATCH = 32
"""Crops to one run of the network: a whole board of ours. Other numbers are filled up, as its shape is fixed."""
LEAST = 1e-4
"""Likelihoods below this are left out of a sighting."""
HIDDEN = 0.5
"""A pit more likely hidden than not is not counted."""


@dataclass(frozen=True)
class Scores:
    """What the network says of each pit: scores of each count, the last for `cannot be counted`; features behind."""

    scores: Array
    features: Array


@dataclass(frozen=True)
class Head:
    """The last layer: features to scores. `learn` makes one for this board and these seeds."""

    weight: Array
    bias: Array

    def scores(self, features: Array) -> Array:
        """Scores of each count."""
        return np.asarray(features @ self.weight.T + self.bias)


@lru_cache(maxsize=1)
def settings() -> dict[str, Any]:
    """Temperature and last layer, as training left them."""
    data: dict[str, Any] = json.loads((nets.MODELS / SETTINGS).read_text())
    return data


@lru_cache(maxsize=1)
def trained_head() -> Head:
    """The network's own last layer."""
    data = settings()
    return Head(np.array(data["weight"], np.float32), np.array(data["bias"], np.float32))


def look(image: Array, found: FoundBoard) -> Scores:
    """Cuts out all pits and runs the network on them."""
    crops, _ = cut(image, found.centres)
    return look_at(crops)


def look_at(crops: Array) -> Scores:
    """Runs the network on crops (n, CROP_PX, CROP_PX, 3)."""
    x = normalise(crops)
    scores, features = [], []
    for i in range(0, len(x), BATCH):
        part = x[i : i + BATCH]
        n = len(part)
        if n < BATCH:
            part = np.concatenate([part, np.zeros((BATCH - n, *part.shape[1:]), np.float32)])
        s, f = nets.run(MODEL, part, ("scores", "features"))
        scores.append(s[:n])
        features.append(f[:n])
    return Scores(np.concatenate(scores), np.concatenate(features))


def likelihoods(scores: Array, temperature: float | None = None) -> list[CountLikelihood | None]:
    """Scores to distributions; None for a pit that cannot be counted."""
    t = settings()["temperature"] if temperature is None else temperature
    z = scores / t
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
