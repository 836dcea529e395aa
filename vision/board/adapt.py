"""Learning the look of one board and its seeds from positions that are known: the last layer is fitted anew, gently."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.board import counter

Array = np.ndarray[Any, Any]

PULL = 500.0
"""How strongly the last layer is held to its training, in examples. On 14 drawn tables of other boards and seeds, log
loss of two later positions: 0.1587 unlearned; after the start and one, or three, positions of a game 0.1572 and 0.1553
with this pull, 0.1582 and 0.1573 with 2000; at worst one table lost 0.007."""
VARIETY = 4
"""Different counts that must have been shown before anything is fitted: a start position has three at most, and
fitted to it alone the counter read later positions a little worse (0.1596)."""
ROUNDS = 60
"""Steps of plain gradient descent; the loss has stopped falling by then."""
RATE = 0.5
"""Step length."""
TRUST = 0.5
"""Part of the pits that must already be read right (or one off) for a position to be believed."""


@dataclass(frozen=True)
class Examples:
    """What a network makes of pits with known counts."""

    network: str = counter.FOUR_ROWS
    features: Array = field(default_factory=lambda: np.zeros((0, len(counter.trained_head().weight[0])), np.float32))
    counts: Array = field(default_factory=lambda: np.zeros(0, int))

    @property
    def telling(self) -> bool:
        """Whether they show enough different counts to learn from."""
        return len(np.unique(self.counts)) >= VARIETY

    def add(self, crops: Array, known: Array) -> Examples | None:
        """With one more position; None when the picture does not show it, whichever way round."""
        scores = counter.trained_head(self.network).scores(counter.look_at(crops, self.network))
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
        parts = [counter.look_at(np.ascontiguousarray(t), self.network)[shown] for t in turned]
        return Examples(
            self.network,
            np.concatenate([self.features, *parts]),
            np.concatenate([self.counts, *[want[shown]] * len(turned)]),
        )


def fitted_head(examples: Examples) -> counter.Head:
    """The trained last layer, moved toward these examples as far as they outweigh PULL."""
    start = counter.trained_head(examples.network)
    x = np.column_stack([examples.features, np.ones(len(examples.features))])
    norm = 1.0 / float((x * x).sum(1).mean())
    w0 = np.column_stack([start.weight, start.bias]).astype(float)
    w = w0.copy()
    t = float(counter.settings(examples.network)["temperature"])
    goal = np.eye(len(w))[examples.counts]
    n = len(x)
    for _ in range(ROUNDS):
        z = x @ w.T / t
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        step = (p - goal).T @ x / n / t * (n / (n + PULL)) + (w - w0) * (PULL / (n + PULL)) / norm * 0.02
        w -= RATE * norm * step
    return counter.Head(w[:, :-1], w[:, -1], examples.network)
