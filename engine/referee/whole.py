"""What a whole board says of pits that are hard to count: every seed of the game lies on it, beside it or in a hand.

Seeds under seeds cannot be seen, but those that all other pits do not hold must be somewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.events import BOARD_COLUMNS, BOARD_ROWS
from engine.rules import awale, mraha
from engine.sightings import BoardSighting, CountLikelihood

ALL_THERE = {(BOARD_ROWS, BOARD_COLUMNS): (mraha.SEEDS, 0.5), (awale.ROWS, awale.COLUMNS): (awale.SEEDS, 0.25)}
"""How many seeds are played with on a grid, and how likely all of them lie on it, before looking: in mraha through the
second half of a game, in awalé until the first are taken, and whenever the seeds are counted. Else some are in hands,
taken or lost, and any number is as likely as any other."""
MOST_OUTSIDE = 4
"""More seeds than this beside the pits are a heap, whose number is not to be relied on."""


def with_the_others(board: BoardSighting) -> BoardSighting:
    """Each pit's counts in the light of all the others'; as they were seen where one pit could not be counted, and on
    a grid of which nobody knows how many seeds are played with."""
    columns = len(board.pits[0])
    seeds, all_there = ALL_THERE.get((len(board.pits), columns), (0, 0.0))
    pits = [pit for row in board.pits for pit in row if pit is not None]
    counted = len(pits) == len(board.pits) * columns
    if not seeds or not counted or board.outside > MOST_OUTSIDE:
        return board
    likely = [(1 - all_there) / seeds] * (sum(max(pit) for pit in pits) + 1)
    for total in (seeds, seeds - board.outside):
        if total < len(likely):
            likely[total] += all_there / 2
    before, told = {0: 1.0}, []
    for pit, later in zip(pits, _after_each(pits, likely), strict=True):
        told.append(_scaled({c: p * sum(q * later[s + c] for s, q in before.items()) for c, p in pit.items()}))
        before = _with_one_more(before, pit)
    starts = range(0, len(told), columns)
    return replace(board, pits=tuple(tuple(told[start : start + columns]) for start in starts))


def _after_each(pits: Sequence[CountLikelihood], likely: Sequence[float]) -> Sequence[Sequence[float]]:
    """For each pit, how well the pits after it can bring every sum up to it to a number of seeds that may be there;
    `likely`: how likely each number is."""
    after = [likely]
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
