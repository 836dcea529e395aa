"""What was seen of a board, as evidence: for each pit, how much worse each count fits than the best one."""

import math

from engine.events import MAX_SEEDS, Board

Side = tuple[int, ...]
Layout = tuple[tuple[int, int, int, int], ...]
"""Every pit of a board: row, column, player, and its number on that player's side."""

MISREAD = 2e-4
"""How often a reader is sure of a wrong count. A reader tells its doubts as likelihood (it may well miscount one small
pile in 200, and say so), so this is only what it does not know about itself. Set so that one pit surely misread leads
to a question and never to an accusation, and that a seed in the wrong pit, which contradicts two, is still named."""
FEW = 1
"""Up to so many seeds nothing hides anything: what a table's full pits teach about the eye does not hold for these."""
NEARBY = 0.4
"""The part of sure misreadings that are one seed too many, and as much for one too few; others are spread evenly."""
TAKEN_AT_ITS_WORD = -30.0
"""Log-likelihood of any other count where an exact one is given: a person or a recording says so."""

Table = list[float]
ADOPTED_SEEDS = 2 * MAX_SEEDS
"""A board with more seeds is none of this game, and is not played on from."""
_COUNTS = 3 * MAX_SEEDS
"""Tables go so far: a turn may put more seeds into one pit than anybody counts there."""
_OPEN: Table = [0.0] * (_COUNTS + 1)


def _exact(count: int) -> Table:
    table = [TAKEN_AT_ITS_WORD] * (_COUNTS + 1)
    table[count] = 0.0
    return table


_EXACT = [_exact(count) for count in range(MAX_SEEDS + 1)]


def _table(likelihood: dict[int, float], misread: float) -> Table:
    best = max(likelihood, key=lambda count: likelihood[count])
    total = sum(likelihood.values())
    misread = MISREAD if best <= FEW else misread
    elsewhere = misread * (1 - 2 * NEARBY) / MAX_SEEDS
    floor = [elsewhere] * (MAX_SEEDS + 1)
    for near in (best - 1, best + 1):
        if 0 <= near <= MAX_SEEDS:
            floor[near] += misread * NEARBY
    top = math.log(likelihood[best] / total * (1 - misread) + floor[best])
    faint, close = math.log(elsewhere) - top, math.log(elsewhere + misread * NEARBY) - top
    table = [faint] * (MAX_SEEDS + 1) + [TAKEN_AT_ITS_WORD] * (_COUNTS - MAX_SEEDS)
    for count in range(max(0, best - 1), min(MAX_SEEDS, best + 1) + 1):
        table[count] = close
    for count, p in likelihood.items():
        table[count] = math.log(p / total * (1 - misread) + floor[count]) - top
    return table


class BoardEvidence:
    """The evidence of one board. tables[player][pit][count] is 0 for the likeliest count and negative for others.

    misread: how often the eye is sure of a wrong count at this table.
    """

    def __init__(self, board: Board, layout: Layout, misread: float = MISREAD) -> None:
        side = len(layout) // 2
        self.tables: tuple[list[Table], list[Table]] = ([_OPEN] * side, [_OPEN] * side)
        for row, column, player, pit in layout:
            if board.pits is not None:
                count = board.pits[row][column]
                if count is not None:
                    self.tables[player][pit] = _EXACT[count]
            elif board.likelihood is not None:
                likelihood = board.likelihood[row][column]
                if likelihood is not None:
                    self.tables[player][pit] = _table(dict(likelihood), misread)

    def fit(self, sides: tuple[Side, Side]) -> float:
        """How well a board fits: 0 at best."""
        south, north = self.tables
        total = 0.0
        for table, count in zip(south, sides[0], strict=True):
            total += table[count]
        for table, count in zip(north, sides[1], strict=True):
            total += table[count]
        return total

    def likeliest(self, otherwise: tuple[Side, Side]) -> tuple[Side, Side]:
        """The likeliest count of each pit; where it cannot be counted, the one of another board."""
        south, north = (
            tuple(
                fallback if table is _OPEN else max(range(MAX_SEEDS + 1), key=table.__getitem__)
                for table, fallback in zip(tables, side, strict=True)
            )
            for tables, side in zip(self.tables, otherwise, strict=True)
        )
        return south, north
