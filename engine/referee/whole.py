"""What a whole board says of pits that are hard to count: every seed of the game lies on it, beside it or in a hand.

Seeds under seeds cannot be seen, but those that all other pits do not hold must be somewhere.
"""

from dataclasses import replace

from engine.rules.mraha import SEEDS
from engine.rules.sowing import FRONT
from engine.sightings import BoardSighting, CountLikelihood, best_count

ALL_THERE = 0.5
"""How likely every seed lies in sight of the camera, before looking: through the second half of a game, and whenever
the seeds are counted. Else some are in hands, or lost, and any number is as likely as any other."""
MOST_OUTSIDE = 4
"""More seeds than this beside the pits are a heap, whose number is not to be relied on."""

BOARD = (4, FRONT)
"""Another grid is another game, with seeds of its own number."""


def with_the_others(board: BoardSighting) -> BoardSighting:
    """Each pit's counts in the light of all the others'; as they were seen where one pit could not be counted."""
    pits, outside = board.pits, board.outside
    known = [pit for row in pits for pit in row if pit is not None]
    columns = len(pits[0])
    if (len(pits), columns) != BOARD or len(known) < len(pits) * columns or outside > MOST_OUTSIDE:
        return board
    doubtful = [pit for pit in known if len(pit) > 1]
    sure = sum(best_count(pit) for pit in known if len(pit) == 1)
    most = sure + sum(max(pit) for pit in doubtful)
    worth = [(1 - ALL_THERE) / SEEDS] * (most + 1)
    for total in (SEEDS, SEEDS - outside):
        if total <= most:
            worth[total] += ALL_THERE / 2
    # What the pits after each one make of the sum up to it, and how likely each sum is before it.
    after = [worth]
    for pit in reversed(doubtful):
        later = after[-1]
        after.append([sum(p * later[s + c] for c, p in pit.items()) for s in range(len(later) - max(pit))])
    before, told = {sure: 1.0}, []
    for pit, later in zip(doubtful, reversed(after[:-1]), strict=True):
        told.append(_scaled({c: p * sum(q * later[s + c] for s, q in before.items()) for c, p in pit.items()}))
        sums: dict[int, float] = {}
        for s, q in before.items():
            for c, p in pit.items():
                sums[s + c] = sums.get(s + c, 0.0) + p * q
        before = sums
    newly = iter(told)
    flat = [next(newly) if len(pit) > 1 else pit for pit in known]
    return replace(board, pits=tuple(tuple(flat[start : start + columns]) for start in range(0, len(flat), columns)))


def _scaled(weights: CountLikelihood) -> CountLikelihood:
    total = sum(weights.values())
    return {count: weight / total for count, weight in weights.items()}
