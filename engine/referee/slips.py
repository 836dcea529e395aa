"""Slips of the hand: a board that differs from one that could lie there by a few seeds, and the rule that names it."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.referee.reading import Reading
from engine.referee.seed_game import Basis, Fault, Pits, Sides

DOUBTFUL = -1.5
"""A pit differs from what was expected when the count seen fits this much better: about 4 to 1."""
MOST_PITS = 6
"""A slip changes few pits; more is another turn, or a board set up by hand."""
MOST_SEEDS = {"dropped_wrong": 3, "took_what_it_may_not": 10, "moved_opponents_seeds": 10, "seeds_missing": 4,
              "seeds_added": 6}  # fmt: skip


SLIP_SEED = -0.5
"""Rarity of each further seed of a slip."""
SLIP_PIT = -5.0
"""Rarity of each further pit that seeds are missing from, or were added to: what is lost is lost in one place, while
an eye that counts one full pit wrong counts the others of that table wrong alike."""
SLIP_DROP = -4.0
"""Rarity of each further pit that seeds were dropped into, or left out of, in one turn: a hand slips once; a board that
is wrong in many places was knocked or cleared. The same for the opponent's seeds that were moved."""
NOBODY_MOVED = -3.5
"""Rarity of seeds changing pits while nobody made a turn."""
CARRIED_ACROSS = -3.0
"""Rarity of seeds taken from the opponent without a capture, or of several of the mover's dropped on his side."""


class _Off(NamedTuple):
    """A pit that holds more or fewer seeds than expected."""

    player: int
    pit: int
    by: int


def slips(reading: Reading, seen: Sides, basis: Basis, player: int, phase_1: bool) -> Iterator[Fault]:
    """The slips on one basis that the most contradicted pits tell of; the fewest pits first."""
    off = []
    for owner in (0, 1):
        for pit in range(len(seen[owner])):
            fit = reading.tables[owner][pit][basis.sides[owner][pit]]
            if fit <= DOUBTFUL:
                off.append((fit, _Off(owner, pit, seen[owner][pit] - basis.sides[owner][pit])))
    if not off or len(off) > MOST_PITS + 2:
        return
    off.sort()
    for many in range(1, min(len(off), MOST_PITS) + 1):
        wrong = [one for _, one in off[:many]]
        named = _name(wrong, player, basis.key is None, phase_1)
        if named is not None:
            rule, seeds, pits = named
            if seeds <= MOST_SEEDS[rule]:
                sides = [list(side) for side in basis.sides]
                for one in wrong:
                    sides[one.player][one.pit] += one.by
                after = (tuple(sides[0]), tuple(sides[1]))
                moved = basis.key is not None or (rule == "dropped_wrong" and phase_1 and sum(o.by for o in wrong) > 0)
                rarity = SLIP_SEED * (seeds - 1)
                if rule in ("seeds_missing", "seeds_added"):
                    rarity += SLIP_PIT * (len(pits) - 1)
                if rule in ("dropped_wrong", "moved_opponents_seeds"):
                    over = sum(one.by > 0 for one in wrong)
                    rarity += SLIP_DROP * (max(over, len(wrong) - over) - 1)
                if basis.key is None and rule in ("dropped_wrong", "took_what_it_may_not"):
                    rarity += NOBODY_MOVED
                both_sides = len({one.player for one in wrong}) == 2
                if rule == "took_what_it_may_not" or (rule == "dropped_wrong" and both_sides and seeds > 1):
                    rarity += CARRIED_ACROSS
                yield Fault(rule, after, player, basis.key, pits, seeds, moved, rarity)


def _name(wrong: list[_Off], player: int, still: bool, phase_1: bool) -> tuple[str, int, Pits] | None:
    """The rule for what is off, how many seeds, and the pits that show it."""
    mine = [one for one in wrong if one.player == player]
    theirs = [one for one in wrong if one.player != player]
    pits: Pits = tuple((one.player, one.pit) for one in wrong)
    total = sum(one.by for one in wrong)
    more = sum(one.by for one in wrong if one.by > 0)
    fewer = more - total
    if total == 0:
        if not mine:
            return "moved_opponents_seeds", more, pits
        if not theirs or (all(one.by < 0 for one in mine) and all(one.by > 0 for one in theirs)):
            return "dropped_wrong", more, pits
        if all(one.by > 0 for one in mine) and all(one.by < 0 for one in theirs):
            return "took_what_it_may_not", more, tuple((one.player, one.pit) for one in theirs)
        return None
    if more == 0:
        return "seeds_missing", fewer, pits
    if fewer == 0:
        if still and phase_1 and total == 1:
            return "dropped_wrong", 1, pits
        return "seeds_added", more, pits
    return None
