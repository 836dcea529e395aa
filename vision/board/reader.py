"""The board room's front door: find the board, count its seeds, follow it when it is knocked, learn its look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.sightings import BoardSighting, CountLikelihood, best_count
from vision.board import counter, finder, grid
from vision.board.adapt import Examples, fitted_head
from vision.board.crops import cut
from vision.board.grid import FoundBoard
from vision.board.memory import Memory
from vision.board.misreadings import Misreadings

Array = np.ndarray[Any, Any]

SMALL_KNOCK = 0.45
"""A board that moved by less than this part of a pitch is followed; beyond, one pit cannot be told from the next."""
PITS_SHOW = 0.5
"""Confidence from which pits are where somebody said: an empty table never came near, a board that is hard to see may
stay below."""
SHOWN = 0.75
"""Of a pit at least so much must lie in the picture for its seeds to be counted."""
STILL = 0.03
"""Movement below this, in pitches, is measurement, not movement."""
FEW, HARDLY, HARDLY_EVER = 1, 0.1, 0.01
"""A pit is not remembered where the counter reads another number than the known one, and gives that no more than the
last: the game may have been followed wrongly, and the pit would be misread from then on. Seeds as few as the first hide
nothing: if one of the two numbers is so small, no more than the second is enough."""


class BoardReader:
    """Reads boards. Keeps what it has learned about this board and these seeds, nothing else."""

    def __init__(self) -> None:
        self._head: counter.Head | None = None
        self._examples = Examples()
        self._memory: Memory | None = None
        self._misreadings = Misreadings()
        self._read: tuple[Array, list[CountLikelihood | None]] | None = None
        """The last picture, and what the counter alone made of it."""
        self._face: Array | None = None
        """How the board looked when it was last found beyond doubt."""

    @property
    def learned(self) -> bool:
        """Whether the counting has been fitted to this table."""
        return self._head is not None

    def find(
        self, image: Array, grid: tuple[int, int] | None = (4, 8), corners: Sequence[tuple[float, float]] | None = None
    ) -> FoundBoard | None:
        """The board in a picture, or None. No grid: whichever the board has. `corners` given by hand (clockwise)
        override the search, and need a grid."""
        if corners is not None and grid is not None:
            return finder.from_corners(image, np.array(corners), grid)
        found = finder.find(image, grid)
        if found is not None and found.sure:
            self._face = finder.face(image, found)
        return found

    def find_shown(
        self, image: Array, grid: tuple[int, int], corners: Sequence[tuple[float, float]]
    ) -> FoundBoard | None:
        """The board whose corner pits somebody showed (clockwise). Where no pits are to be seen there, it may have been
        moved since: then wherever it is found, and where it was shown only if it still looks as it did."""
        shown = finder.from_corners(image, np.array(corners), grid)
        again = finder.refine(image, replace(shown, given=False))
        if again is None or again.confidence < PITS_SHOW:
            found = self.find(image, grid)
            if found is not None and found.sure:
                return found
            if self._face is not None and not finder.lies_as(self._face, image, shown):
                return None
        self._face = finder.face(image, shown)
        return shown

    def follow(self, image: Array, found: FoundBoard) -> FoundBoard | None:
        """The board where it lies now, if it was knocked a little at most: quick. None: it is not there, or something
        lies over it."""
        new = finder.refine(image, found, near=SMALL_KNOCK)
        if new is None or new.confidence < max(0.6 * found.confidence, 0.4):
            # Shallow empty pits may hardly show: the board is still there if all of it looks so.
            return found if self._face is not None and finder.lies_as(self._face, image, found) else None
        moved = float(np.median(np.hypot(*(new.centres - found.centres).reshape(-1, 2).T)))
        if moved > SMALL_KNOCK * found.pitch_px:
            return None
        return found if moved < STILL * found.pitch_px else replace(new, given=found.given)

    def count(self, image: Array, found: FoundBoard, look_outside: bool = True) -> BoardSighting:
        """How likely each count is in each pit, None where the picture's edge cuts it, and how many seeds lie outside
        the pits."""
        crops, _ = cut(image, found.centres, found.radii)
        network = counter.network_for(found.grid[0])
        head = self._head if self._head is not None and self._head.network == network else None
        alone = counter.likelihoods(counter.look(crops, head or counter.trained_head(network)), network)
        slant = grid.slant(found.centres)
        read = [counter.perhaps_more(pit, slant) for pit in alone]
        self._read = image, read
        pits = self._misreadings.mended(read)
        if self._memory is not None and len(self._memory.looks) == len(crops):
            pits = self._memory.recall(crops, pits)
        shown = found.in_picture(image).ravel() >= SHOWN
        pits = [pit if there else None for pit, there in zip(pits, shown, strict=True)]
        outside = len(finder.strays(image, found)) if look_outside else 0
        return BoardSighting(found.corners_px, _rows(pits, found.grid), outside, found.sure)

    def remember(self, image: Array, found: FoundBoard, counts: Sequence[Sequence[int | None]]) -> None:
        """What lies in each pit of this picture is known: what looks so later on holds as many. None: not that one."""
        crops, _ = cut(image, found.centres, found.radii)
        known = [count for row in counts for count in row]
        if self._read is not None and self._read[0] is image and len(self._read[1]) == len(known):
            known = [None if _plainly_other(*pit) else pit[1] for pit in zip(self._read[1], known, strict=True)]
            self._misreadings = self._misreadings.add(self._read[1], known)
        self._memory = Memory.of(crops, known)

    def learn(self, image: Array, counts: Sequence[Sequence[int]], found: FoundBoard | None = None) -> bool:
        """Learns this board and these seeds from a position known to be so; False when the board is not in sight.

        `counts` may be the other way round: a board has no up. What does not fit the picture either way is not learned.
        Positions are kept, and the counting is fitted to them as soon as they show enough different counts.
        """
        known = np.array(counts)
        found = found or self.find(image, (known.shape[0], known.shape[1]))
        if found is None or not found.sure:
            return False
        crops, _ = cut(image, found.centres, found.radii)
        network = counter.network_for(found.grid[0])
        known_before = self._examples if self._examples.network == network else Examples(network)
        examples = known_before.add(crops, known)
        if examples is None:
            return False
        self._examples = examples
        if examples.telling:
            self._head = fitted_head(examples)
        return True

    def forget(self) -> None:
        """Another board, other seeds, or another game than was thought."""
        self._head, self._examples, self._memory, self._misreadings = None, Examples(), None, Misreadings()


def _plainly_other(pit: CountLikelihood | None, known: int | None) -> bool:
    """Whether a pit holds another number than it is known to: a seed was just lifted there, or laid, or miscounted."""
    if pit is None or known is None:
        return False
    read = best_count(pit)
    return read != known and pit.get(known, 0.0) <= (HARDLY if min(read, known) <= FEW else HARDLY_EVER)


def _rows(
    pits: Sequence[CountLikelihood | None], grid: tuple[int, int]
) -> tuple[tuple[CountLikelihood | None, ...], ...]:
    rows, columns = grid
    return tuple(tuple(pits[r * columns : (r + 1) * columns]) for r in range(rows))
