"""What a whole board says of pits that are hard to count: every seed of the game lies on it, beside it or in a hand.

Seeds under seeds cannot be seen, but those that all other pits do not hold must be somewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.events import BOARD_COLUMNS, BOARD_ROWS
from engine.rules.mraha import SEEDS
from engine.sightings import BoardSighting, CountLikelihood

ALL_THERE = 0.5
"""How likely every seed lies in sight of the camera, before looking: through the second half of a game, and whenever
the seeds are counted. Else some are in hands, or lost, and any number is as likely as any other."""
MOST_OUTSIDE = 4
"""More seeds than this beside the pits are a heap, whose number is not to be relied on."""


def with_the_others(board: BoardSighting) -> BoardSighting:
    """Each pit's counts in the light of all the others'; as they were seen where one pit could not be counted, and on
    another grid: that is another game, with seeds of its own number."""
    shape = (len(board.pits), len(board.pits[0]))
    pits = [pit for row in board.pits for pit in row if pit is not None]
    counted = len(pits) == BOARD_ROWS * BOARD_COLUMNS
    if shape != (BOARD_ROWS, BOARD_COLUMNS) or not counted or board.outside > MOST_OUTSIDE:
        return board
    before, told = {0: 1.0}, []
    for pit, later in zip(pits, _after_each(pits, board.outside), strict=True):
        told.append(_scaled({c: p * sum(q * later[s + c] for s, q in before.items()) for c, p in pit.items()}))
        before = _with_one_more(before, pit)
    starts = range(0, len(told), BOARD_COLUMNS)
    return replace(board, pits=tuple(tuple(told[start : start + BOARD_COLUMNS]) for start in starts))


def _after_each(pits: Sequence[CountLikelihood], outside: int) -> Sequence[Sequence[float]]:
    """For each pit, how well the pits after it can bring every sum up to it to a number of seeds that may be there."""
    most = sum(max(pit) for pit in pits)
    worth = [(1 - ALL_THERE) / SEEDS] * (most + 1)
    for total in (SEEDS, SEEDS - outside):
        if total <= most:
            worth[total] += ALL_THERE / 2
    after = [worth]
    for pit in reversed(pits[1:]):
        later = after[-1]
        after.append([sum(p * later[s + c] for c, p in pit.items()) for s in range(len(later) - max(pit))])
    return after[::-1]


def _with_one_more(sums: Mapping[int, float], pit: CountLikelihood) -> dict[int, float]:
    """How likely each sum is with another pit in it."""
    more: dict[int, float] = {}
    for s, q in sums.items():
        for c, p in pit.items():
            more[s + c] = more.get(s + c, 0.0) + p * q
    return more


def _scaled(weights: CountLikelihood) -> CountLikelihood:
    total = sum(weights.values())
    return {count: weight / total for count, weight in weights.items()}
