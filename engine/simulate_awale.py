"""Seeded games of awalé as the table would show them: honest ones, and illegal turns planted where they can be seen.

The planted turns are made from the rules alone and know nothing of how the referee looks for them.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from random import Random

from engine.events import Board
from engine.rules.awale import (
    FORBIDDEN,
    PITS,
    SOUTH,
    TAKEN,
    AwaleFlags,
    AwalePosition,
    AwaleTurn,
    Side,
    Sides,
    board_rows,
    emptied,
    legal_turns,
    pit_of,
    sow,
    takes,
)
from engine.simulate_mraha import blur


def board_of(sides: Sides) -> Board:
    """A board read without doubt."""
    return Board(pits=board_rows(sides))


def blurred(sides: Sides, rng: Random) -> Board:
    """A board as a camera reads it."""
    return Board(likelihood=tuple(tuple(blur(count, rng) for count in row) for row in board_rows(sides)))


def honest_turns(rng: Random, flags: AwaleFlags) -> Iterator[AwaleTurn]:
    """The turns of a random game."""
    position = AwalePosition()
    while not position.over:
        turn = rng.choice(list(legal_turns(position, flags).values()))
        yield turn
        position = turn.after


def honest_game(rng: Random, flags: AwaleFlags) -> Iterator[Board]:
    """A whole game of random legal turns as boards."""
    yield board_of(AwalePosition().sides)
    for turn in honest_turns(rng, flags):
        yield board_of(turn.after.sides)


# -- planted faults ----------------------------------------------------------------------------------------------------


def plant(position: AwalePosition, flags: AwaleFlags, rule: str, rng: Random) -> Board | None:
    """A board that shows this rule broken, and nothing else; None: in this position it cannot be shown.

    A board that something innocent leaves too (a legal turn, a quick reply, seeds in a hand), or a fault of another
    kind, shows nothing.
    """
    boards = dict.fromkeys(_PLANTERS[rule](position, flags))
    others = {sides for other, planter in _PLANTERS.items() if other != rule for sides in planter(position, flags)}
    innocent = _innocent(position, flags)
    telling = [sides for sides in boards if sides not in innocent and sides not in others]
    return board_of(rng.choice(telling)) if telling else None


@lru_cache(maxsize=4)
def _innocent(position: AwalePosition, flags: AwaleFlags) -> frozenset[Sides]:
    """Every board that may lie there without anything wrong: up to three quick turns, or a turn half way."""
    found = {position.sides}
    legal = legal_turns(position, flags)
    for before in (position, *(turn.after for turn in legal.values())):
        for key, turn in legal_turns(before, flags).items():
            found.add(turn.after.sides)
            found.update(_half_way(before, pit_of(key)))
            if before is not position:
                found.update(third.after.sides for third in legal_turns(turn.after, flags).values())
    return frozenset(found)


def _half_way(position: AwalePosition, pit: int) -> Iterator[Sides]:
    """A sowing with seeds still in the hand."""
    ring = [*_own(position), *_other(position)]
    hand, ring[pit] = ring[pit], 0
    at = pit
    while hand:
        yield _sides(position, ring[:PITS], ring[PITS:])
        at = (at + 1) % 12
        if at != pit:
            ring[at] += 1
            hand -= 1


def _own(position: AwalePosition) -> Side:
    return position.sides[position.to_move]


def _other(position: AwalePosition) -> Side:
    return position.sides[1 - position.to_move]


def _sides(position: AwalePosition, own: list[int] | Side, other: list[int] | Side) -> Sides:
    mine, theirs = tuple(own), tuple(other)
    return (mine, theirs) if position.to_move == SOUTH else (theirs, mine)


def _must_feed(position: AwalePosition, flags: AwaleFlags) -> Iterator[Sides]:
    """A turn that leaves an empty row empty where another would feed it."""
    legal = legal_turns(position, flags)
    if flags.must_feed and legal and not any(_other(position)):
        for pit in range(PITS):
            sown = sow(_own(position), _other(position), pit)
            if _own(position)[pit] and not any(sown.other):
                yield _sides(position, sown.own, sown.other)


def _took_what_it_may_not(position: AwalePosition, flags: AwaleFlags) -> Iterator[Sides]:
    """A legal turn that also empties a pit beside: one of the other's, or one of the mover's own of two or three."""
    for key, turn in legal_turns(position, flags).items():
        own, other = turn.after.sides[position.to_move], turn.after.sides[1 - position.to_move]
        for pit in range(PITS):
            if other[pit]:
                yield _sides(position, own, emptied(other, (pit,)))
            if own[pit] in TAKEN and pit != pit_of(key):
                yield _sides(position, emptied(own, (pit,)), other)
    if flags.grand_slam == FORBIDDEN:
        for pit in range(PITS):
            sown = sow(_own(position), _other(position), pit)
            left = emptied(sown.other, takes(sown))
            if _own(position)[pit] and any(sown.other) and not any(left):
                yield _sides(position, sown.own, left)


def _stopped_short(position: AwalePosition, flags: AwaleFlags) -> Iterator[Sides]:
    """A turn whose captures are left lying, some or all."""
    for key, turn in legal_turns(position, flags).items():
        sown = sow(_own(position), _other(position), pit_of(key))
        for number in range(len(turn.pits)):
            for pits in combinations(turn.pits, number):
                yield _sides(position, sown.own, emptied(sown.other, pits))


def _opponents_turn(position: AwalePosition, flags: AwaleFlags) -> Iterator[Sides]:
    turned = position._replace(to_move=1 - position.to_move, since=())
    yield from (turn.after.sides for turn in legal_turns(turned, flags).values())


def _played_twice(position: AwalePosition, flags: AwaleFlags) -> Iterator[Sides]:
    for turn in legal_turns(position, flags).values():
        if not turn.after.over:
            again = turn.after._replace(to_move=position.to_move, since=())
            yield from (second.after.sides for second in legal_turns(again, flags).values())


def _dropped_wrong(position: AwalePosition, flags: AwaleFlags) -> Iterator[Sides]:
    """One seed of a turn lies a pit further on, or a pit too early; nothing is taken."""
    for key, turn in legal_turns(position, flags).items():
        pit = pit_of(key)
        if turn.captured or turn.after.over:
            continue
        ring = [*turn.after.sides[position.to_move], *turn.after.sides[1 - position.to_move]]
        for step in range(1, _own(position)[pit] + 1):
            at = (pit + step) % 12
            for wrong in ((at + 1) % 12, (at - 1) % 12):
                if ring[at] and at != pit:
                    moved = list(ring)
                    moved[at] -= 1
                    moved[wrong] += 1
                    yield _sides(position, moved[:PITS], moved[PITS:])


def _moved_opponents_seeds(position: AwalePosition, flags: AwaleFlags) -> Iterator[Sides]:
    for own, other in _ends(position, flags):
        for pit in range(PITS):
            for wrong in (pit - 1, pit + 1):
                if other[pit] and 0 <= wrong < PITS:
                    theirs = list(other)
                    theirs[pit] -= 1
                    theirs[wrong] += 1
                    yield _sides(position, own, theirs)


def _more_or_fewer(position: AwalePosition, flags: AwaleFlags, by: tuple[int, ...]) -> Iterator[Sides]:
    for own, other in _ends(position, flags):
        ring = [*own, *other]
        for at in range(2 * PITS):
            for seeds in by:
                if ring[at] + seeds >= 0:
                    ring[at] += seeds
                    yield _sides(position, ring[:PITS], ring[PITS:])
                    ring[at] -= seeds


def _ends(position: AwalePosition, flags: AwaleFlags) -> Iterator[tuple[Side, Side]]:
    """Where the legal turns end that the game goes on after: the mover's side and the other's."""
    for turn in legal_turns(position, flags).values():
        if not turn.after.over:
            yield turn.after.sides[position.to_move], turn.after.sides[1 - position.to_move]


_PLANTERS: dict[str, Callable[[AwalePosition, AwaleFlags], Iterator[Sides]]] = {
    "must_feed": _must_feed,
    "took_what_it_may_not": _took_what_it_may_not,
    "stopped_short": _stopped_short,
    "opponents_turn": _opponents_turn,
    "played_twice": _played_twice,
    "dropped_wrong": _dropped_wrong,
    "moved_opponents_seeds": _moved_opponents_seeds,
    "seeds_missing": lambda position, flags: _more_or_fewer(position, flags, (-1, -2)),
    "seeds_added": lambda position, flags: _more_or_fewer(position, flags, (1, 2)),
}
PLANTABLE = tuple(_PLANTERS)
"""The faults that a game can show."""
