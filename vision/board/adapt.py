"""Learning the look of one board and its seeds from positions that are known: the last layer is fitted anew, gently."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.board import counter

Array = np.ndarray[Any, Any]

PULL = 2000.0
"""How strongly the last layer is held to its training, in examples. On 14 drawn boards the start position alone never
helped (log loss 0.234 without; 0.267, 0.255, 0.243, 0.238 with a pull of 30, 120, 500, 2000): it shows one count only.
Known positions add up, though, and a game's worth of them outweighs this."""
ROUNDS = 60
"""Steps of plain gradient descent; the loss has stopped falling by then."""
RATE = 0.5
"""Step length."""
TRUST = 0.5
"""Part of the pits that must already be read right (or one off) for a position to be believed."""


@dataclass(frozen=True)
class Examples:
    """Features of pits with known counts."""

    features: Array = field(default_factory=lambda: np.zeros((0, len(counter.trained_head().weight[0])), np.float32))
    counts: Array = field(default_factory=lambda: np.zeros(0, int))

    def add(self, crops: Array, known: Array) -> Examples | None:
        """With one more position; None when the picture does not show it, whichever way round."""
        scores = counter.trained_head().scores(counter.look_at(crops))
        read = scores[:, :-1].argmax(1)
        shown = scores.argmax(1) < scores.shape[1] - 1
        ways = [known.ravel(), known.ravel()[::-1]]
        errors = [np.abs(read - w)[shown] for w in ways]
        if not shown.any():
            return None
        best = int(np.argmin([e.sum() for e in errors]))
        if (errors[best] <= 1).mean() < TRUST:
            return None
        want = ways[best]
        turned = [crops, crops[:, ::-1], crops[:, :, ::-1], crops[:, ::-1, ::-1]]
        parts = [counter.look_at(np.ascontiguousarray(t))[shown] for t in turned]
        return Examples(
            np.concatenate([self.features, *parts]), np.concatenate([self.counts, *[want[shown]] * len(turned)])
        )


def fitted_head(examples: Examples) -> counter.Head:
    """The trained last layer, moved toward these examples as far as they outweigh PULL."""
    start = counter.trained_head()
    x = np.column_stack([examples.features, np.ones(len(examples.features))])
    norm = 1.0 / float((x * x).sum(1).mean())
    w0 = np.column_stack([start.weight, start.bias]).astype(float)
    w = w0.copy()
    t = float(counter.settings()["temperature"])
    goal = np.eye(len(w))[examples.counts]
    n = len(x)
    for _ in range(ROUNDS):
        z = x @ w.T / t
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        step = (p - goal).T @ x / n / t * (n / (n + PULL)) + (w - w0) * (PULL / (n + PULL)) / norm * 0.02
        w -= RATE * norm * step
    return counter.Head(w[:, :-1], w[:, -1])
