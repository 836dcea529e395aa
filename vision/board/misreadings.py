"""What the counter makes of this board: where it reads six as five it does so again, and in the same pit all the more.

Once a game tells what lay in the pits, their readings are kept beside it. What a pit is read as later is then weighed
by how such numbers were read here before: a pit that gained a seed since is known by the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.sightings import CountLikelihood

Array = np.ndarray[Any, Any]

LIKE = 1.5
"""Counts that lie so far apart are misread about half as much alike."""
PULL = 60.0
"""How strongly a reading is held to be right before any was seen, in squared seeds: four pits of four."""
MOST = 600
"""Readings that are kept, the newest: of fifty turns on two rows."""
TOO_FAR = 2.5
"""A reading further from what is said to lie there, in seeds, says that the game was followed wrongly."""
OWN = 0.7
"""Part of what was misread in a pit that is misread again once more seeds lie on those."""
NEVER = 1e-5
"""Likelihood of a count that was not among those read."""


def mean(pit: CountLikelihood) -> float:
    """How many seeds were read, on the average of what they may be."""
    return sum(count * p for count, p in pit.items())


@dataclass(frozen=True)
class Misreadings:
    """Readings of pits on one board, and what lay in them."""

    read: Array = field(default_factory=lambda: np.zeros(0))
    known: Array = field(default_factory=lambda: np.zeros(0))
    last: tuple[tuple[float, int] | None, ...] = ()
    """Of each pit: how it was read last, and what lay in it then."""

    def add(self, pits: Sequence[CountLikelihood | None], counts: Sequence[int | None]) -> Misreadings:
        """With one more position; pits that were empty, or that the reading hardly fits, say nothing."""
        last = tuple(
            (mean(pit), count) if pit and count is not None and abs(mean(pit) - count) < TOO_FAR else None
            for pit, count in zip(pits, counts, strict=True)
        )
        pairs = np.array([pair for pair in last if pair is not None and pair[1] > 0]).reshape(-1, 2)
        read, known = np.append(self.read, pairs[:, 0]), np.append(self.known, pairs[:, 1])
        return Misreadings(read[-MOST:], known[-MOST:], last)

    def expected(self, counts: Array) -> Array:
        """How each of these counts is read here, on average."""
        near = np.exp2(-(((counts[:, None] - self.known) / LIKE) ** 2))
        part = (near @ (self.read * self.known) + PULL) / (near @ self.known**2 + PULL)
        return np.asarray(counts * part)

    def mended(self, pits: Sequence[CountLikelihood | None]) -> list[CountLikelihood | None]:
        """These readings, each count as likely as what it is read as here."""
        if not len(self.known):
            return list(pits)
        last = self.last if len(self.last) == len(pits) else (None,) * len(pits)
        return [pit and self._mended(pit, before) for pit, before in zip(pits, last, strict=True)]

    def _mended(self, pit: CountLikelihood, before: tuple[float, int] | None) -> CountLikelihood:
        counts = np.arange(max(pit) + 3)
        read_as = self.expected(counts)
        if before is not None:
            read, known = before
            # Those seeds lie there still, if no fewer do: what hid one of them hides it again.
            own = read - float(self.expected(np.array([known]))[0])
            read_as = read_as + OWN * own * (counts >= max(known, 1))
        said = np.array([pit.get(int(count), NEVER) for count in counts])
        weights = np.interp(read_as, counts, said)
        total = float(weights.sum())
        return {int(k): float(w / total) for k, w in zip(counts, weights, strict=True) if w / total > NEVER}
