"""Endings of awalé that are known: every position of few seeds, solved from the end backwards.

A game may go round in circles, so that each position has two numbers: what whoever is to move can get however the other
plays (an endless game counted as the worst for him), and what he can get at most (an endless game counted as the best).
Where both are the same, that is its worth. The table is a file, which `python -m tools.awale_endings` makes. By rules
that it was not made for, a smaller one is made when it is first asked for.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import NamedTuple

from engine.rules.awale import PITS, SOUTH, AwaleFlags, AwalePosition, Side, legal_turns

FILE = Path(__file__).with_name("awale_endings.z")
MOST_SEEDS = 8
"""Of the file: a hundred and twenty-six thousand positions."""
MOST_SEEDS_MADE = 5
"""Of a table made on the way: six thousand positions, half a second."""
OPEN = 127
"""In place of a worth: it depends on who tires of going round."""
ZERO = 64
"""Of a worth as a byte."""
LATEST = 255
Way = tuple[int, int | None]
"""What a turn brings, and the number of the position that it leads to; None: the game is over."""


class Known(NamedTuple):
    """What a position is worth to whoever is to move: seeds that he will take more than the other."""

    worth: int
    steps: int
    """Turns until the other side has got its share of that, at most."""


@dataclass(frozen=True)
class Endings:
    """Two bytes a position: its worth, and the steps."""

    seeds: int
    table: bytes

    def of(self, own: Side, other: Side) -> Known | None:
        """A position as whoever is to move sees it; None: too many seeds, or not known."""
        total = sum(own) + sum(other)
        if total > self.seeds:
            return None
        at = 2 * _number((*own, *other), total)
        worth = self.table[at]
        return None if worth == OPEN else Known(worth - ZERO, self.table[at + 1])


@lru_cache
def endings(flags: AwaleFlags) -> Endings:
    """The table by these rules."""
    if flags == AwaleFlags():
        return Endings(MOST_SEEDS, zlib.decompress(FILE.read_bytes()))
    return Endings(MOST_SEEDS_MADE, solved(flags, MOST_SEEDS_MADE))


def boards(seeds: int, pits: int = 2 * PITS) -> Iterator[tuple[int, ...]]:
    """Every way for so many seeds to lie, in the order of their numbers."""
    if pits == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        for rest in boards(seeds - first, pits - 1):
            yield (first, *rest)


def _number(board: tuple[int, ...], seeds: int) -> int:
    """The place of a board among all with as many seeds or fewer."""
    number = comb(seeds + 2 * PITS - 1, 2 * PITS)
    left = seeds
    for place, held in enumerate(board[:-1], 1):
        pits = 2 * PITS - place
        # Those that hold fewer here: of so many seeds in this pit and the others, less those with at least as many.
        number += comb(left + pits, pits) - comb(left - held + pits, pits)
        left -= held
    return number


def solved(flags: AwaleFlags, most: int) -> bytes:
    """The whole table, up to so many seeds."""
    all_boards = [board for seeds in range(most + 1) for board in boards(seeds)]
    low = [-sum(board) for board in all_boards]
    high = [sum(board) for board in all_boards]
    steps = [0] * len(all_boards)
    first = 0
    for seeds in range(most + 1):
        many = comb(seeds + 2 * PITS - 1, 2 * PITS - 1)
        _settle({place: _ways(all_boards[place], flags) for place in range(first, first + many)}, low, high, steps)
        first += many
    out = bytearray()
    for least, most_of_it, late in zip(low, high, steps, strict=True):
        out += bytes((ZERO + least if least == most_of_it else OPEN, min(late, LATEST)))
    return bytes(out)


def _settle(ways: dict[int, list[Way]], low: list[int], high: list[int], steps: list[int]) -> None:
    """Positions of as many seeds, round after round, until nothing changes any more."""
    turn = 0
    while True:
        turn += 1
        lows, highs = {}, {}
        for place, found in ways.items():
            lows[place] = max(brings if to is None else brings - high[to] for brings, to in found)
            highs[place] = max(brings if to is None else brings - low[to] for brings, to in found)
        changed = False
        for place in ways:
            if highs[place] != high[place]:
                high[place], steps[place], changed = highs[place], turn, True
            if lows[place] != low[place]:
                low[place], changed = lows[place], True
        if not changed:
            return


def _ways(board: tuple[int, ...], flags: AwaleFlags) -> list[Way]:
    own, other = board[:PITS], board[PITS:]
    turns = legal_turns(AwalePosition((own, other), to_move=SOUTH, since=()), flags).values()
    found: list[Way] = []
    for turn in turns:
        after = turn.after
        if after.over:
            found.append((after.captured[0] - after.captured[1], None))
            continue
        next_board = (*after.sides[1], *after.sides[0])
        found.append((turn.captured, _number(next_board, sum(next_board))))
    # Nobody can go on: each keeps what lies on his side.
    return found or [(sum(own) - sum(other), None)]
