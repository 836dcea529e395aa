"""Slips of the hand: a board that differs from one that could lie there by a few seeds, and the rule that names it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.referee.board_evidence import BoardEvidence
from engine.referee.seed_game import Basis, Fault, Pits, Sides

DOUBTFUL = -1.5
"""A pit differs from what was expected when the count seen fits this much better: about 4 to 1."""
MOST_PITS = 6
"""A slip changes few pits; more is another turn, or a board set up by hand."""
DROPPED, TOOK, OPPONENTS = "dropped_wrong", "took_what_it_may_not", "moved_opponents_seeds"
MISSING, ADDED = "seeds_missing", "seeds_added"
MOST_SEEDS = {DROPPED: 3, TOOK: 10, OPPONENTS: 10, MISSING: 4, ADDED: 6}
LOG_SLIP_SEED = -0.5
"""Rarity of each further seed of a slip."""
LOG_SLIP_PIT = -5.0
"""Rarity of each further pit that seeds are missing from, or were added to: what is lost is lost in one place, while
an eye that counts one full pit wrong counts the others of that table wrong alike."""
LOG_SLIP_DROP = -4.0
"""Rarity of each further pit that seeds were dropped into, or left out of, in one turn: a hand slips once; a board that
is wrong in many places was knocked or cleared. The same for the opponent's seeds that were moved."""
NOBODY_MOVED = -3.5
"""Rarity of seeds changing pits while nobody made a turn."""
CARRIED_ACROSS = -3.0
"""Rarity of seeds taken from the opponent without a capture, or of the mover's dropped on his side."""


class _Off(NamedTuple):
    """A pit that holds more or fewer seeds than expected."""

    player: int
    pit: int
    by: int


class _Named(NamedTuple):
    """What a slip is called: the rule, how many seeds, and the pits that show it."""

    rule: str
    seeds: int
    pits: Pits


def slips(reading: BoardEvidence, seen: Sides, basis: Basis, player: int, phase_1: bool) -> Iterator[Fault]:
    """The slips on one basis that the most contradicted pits tell of; the fewest pits first."""
    off = _contradicted(reading, seen, basis)
    if not off or len(off) > MOST_PITS + 2:
        return
    still = basis.key is None
    for many in range(1, min(len(off), MOST_PITS) + 1):
        wrong = off[:many]
        named = _name(wrong, player, still, phase_1)
        if named is not None and named.seeds <= MOST_SEEDS[named.rule]:
            moved = not still or (named.rule == DROPPED and phase_1 and sum(slip.by for slip in wrong) > 0)
            rarity = _rarity(named, wrong, still)
            yield Fault(
                named.rule, _put_off(basis.sides, wrong), player, basis.key, named.pits, named.seeds, moved, rarity
            )


def _contradicted(reading: BoardEvidence, seen: Sides, basis: Basis) -> list[_Off]:
    """The pits that do not hold what they would by this basis, the most contradicted first."""
    off = []
    for owner in (0, 1):
        for pit in range(len(seen[owner])):
            fit = reading.tables[owner][pit][basis.sides[owner][pit]]
            if fit <= DOUBTFUL:
                off.append((fit, _Off(owner, pit, seen[owner][pit] - basis.sides[owner][pit])))
    return [slip for _, slip in sorted(off)]


def _put_off(sides: Sides, wrong: Sequence[_Off]) -> Sides:
    """The board with what is off as it was seen."""
    after = [list(side) for side in sides]
    for slip in wrong:
        after[slip.player][slip.pit] += slip.by
    return tuple(after[0]), tuple(after[1])


def _rarity(named: _Named, wrong: Sequence[_Off], still: bool) -> float:
    """How rare a slip is beside the plainest of its kind. still: nobody made a turn."""
    rarity = LOG_SLIP_SEED * (named.seeds - 1)
    if named.rule in (MISSING, ADDED):
        rarity += LOG_SLIP_PIT * (len(named.pits) - 1)
    if named.rule in (DROPPED, OPPONENTS):
        over = sum(slip.by > 0 for slip in wrong)
        rarity += LOG_SLIP_DROP * (max(over, len(wrong) - over) - 1)
    if still and named.rule in (DROPPED, TOOK):
        rarity += NOBODY_MOVED
    both_sides = len({slip.player for slip in wrong}) == 2
    if named.rule == TOOK or (named.rule == DROPPED and both_sides):
        rarity += CARRIED_ACROSS
    return rarity


def _name(wrong: Sequence[_Off], player: int, still: bool, phase_1: bool) -> _Named | None:
    """The name of what is off. still: nobody made a turn."""
    pits: Pits = tuple((slip.player, slip.pit) for slip in wrong)
    total = sum(slip.by for slip in wrong)
    more = sum(slip.by for slip in wrong if slip.by > 0)
    if total == 0:
        return _moved(wrong, player, more, pits)
    if more == 0:
        return _Named(MISSING, -total, pits)
    if more > total:
        return None
    if still and phase_1 and total == 1:
        return _Named(DROPPED, 1, pits)
    return _Named(ADDED, more, pits)


def _moved(wrong: Sequence[_Off], player: int, seeds: int, pits: Pits) -> _Named | None:
    """The name of seeds that lie elsewhere, none of them lost or added."""
    mine = [slip.by for slip in wrong if slip.player == player]
    theirs = [slip.by for slip in wrong if slip.player != player]
    if not mine:
        return _Named(OPPONENTS, seeds, pits)
    if not theirs or (max(mine) < 0 < min(theirs)):
        return _Named(DROPPED, seeds, pits)
    if max(theirs) < 0 < min(mine):
        return _Named(TOOK, seeds, tuple(pit for pit in pits if pit[0] != player))
    return None
