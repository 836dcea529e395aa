"""Awalé for the referee: what its sowing looks like half way, what its faults leave, what an adopted board leaves open.

Seeds that leave the board were taken by somebody. Where a board is adopted they are counted for the player who moved
last; in a position set up by hand half of them for each, the odd one for the player who is not to move.

When one board can come from several faults, the likeliest names it (LOG_FAULT), and of those as likely the first of:

1. must_feed: a turn that leaves an empty row empty while another would feed it.
2. took_what_it_may_not: a grand slam where the house forbids it.
3. opponents_turn: a turn of the player who is not to move; played_twice: two of the player who is.
4. stopped_short: a turn that does not take what it brings to two or three, or not all of it.
5. took_what_it_may_not: a turn that takes from a pit it may not take from.
6. dropped_wrong: a turn sown the wrong way round, into the pit it came from, or with a pit skipped or given two.
7. slips of the hand (slips.py).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import Any

from engine.events import EventError
from engine.options import OptionValue
from engine.referee.board_evidence import BoardEvidence
from engine.referee.board_judge import BoardJudge
from engine.referee.judge import GameKind
from engine.referee.seed_game import PLAYERS, SOUTH, Basis, Fault, Path, Pits, SeedGame, Side, Sides
from engine.referee.slips import slips
from engine.rules import awale
from engine.rules.awale import (
    COLUMNS,
    FORBIDDEN,
    HALF,
    OPENING,
    PITS,
    ROWS,
    SEEDS,
    AwaleFlags,
    AwalePosition,
    AwaleTurn,
    Sowing,
    check_players,
    emptied,
    flags_for,
    key_of,
    legal_turns,
    sow,
    taken_by,
    takes,
)

_legal = lru_cache(maxsize=256)(legal_turns)
"""Of the last positions: to tell what a board may mean, the same few are asked for again and again."""
LOG_FAULT = {
    "must_feed": -6.5, "opponents_turn": -7.0, "stopped_short": -7.0, "took_what_it_may_not": -8.0,
    "played_twice": -9.0, "dropped_wrong": -9.5, "moved_opponents_seeds": -10.0, "seeds_missing": -11.5,
    "seeds_added": -11.5,
}  # fmt: skip
"""Each board a fault may leave, as in mraha: one turn in a hundred is illegal, and rules with many boards get less."""
CHANGED_PITS = 10
"""Seeds gone and more pits than this changed: only a turn of eleven seeds and more does that, and its seeds lie."""
FAR_FETCHED = -2.5
"""Rarity of a second pit taken from that nothing was owed in, as in mraha."""


class AwaleGame(SeedGame[AwalePosition]):
    """Awalé with its house rules."""

    name = "awale"
    rows, columns = ROWS, COLUMNS
    seeds = SEEDS
    opening = AwalePosition()
    counting = OPENING
    log_fault = LOG_FAULT
    changed_pits = CHANGED_PITS
    most_ahead = 2 * PITS
    unfinished = frozenset({"seeds_missing", "stopped_short", "seeds_added", "must_feed"})

    def __init__(self, flags: AwaleFlags, show_counts: bool = False) -> None:
        self.flags = flags
        self.show_counts = show_counts

    def handed_over(self, side: int, by: int) -> AwalePosition:
        """One seed from each pit of the other's row, from its last pit on, is taken before play begins."""
        row = list(OPENING[1 - side])
        for number in range(by):
            row[-1 - number % PITS] -= 1
        sides = (OPENING[0], tuple(row)) if side == 0 else (tuple(row), OPENING[1])
        return AwalePosition(sides, (by, 0) if side == 0 else (0, by), since=((sides, 0),))

    @property
    def fewest(self) -> Sides:
        return self.opening.sides

    def place(self, player: int, pit: int) -> tuple[int, int]:
        return awale.place(player, pit)

    def legal(self, position: AwalePosition) -> Mapping[str, AwaleTurn]:
        return _legal(position, self.flags)

    def path(self, position: AwalePosition, key: str) -> Path:
        """The pit it began in is passed over."""
        pit, player = awale.pit_of(key), position.to_move
        ring = [awale.place(player, at) for at in range(PITS)] + [awale.place(1 - player, at) for at in range(PITS)]
        way = ring[pit + 1 :] + ring[:pit]
        return ((ring[pit],), tuple(way[step % len(way)] for step in range(position.sides[player][pit])))

    def sowing_fit(self, position: AwalePosition, reading: BoardEvidence) -> float:
        boards = (sides for key in self.legal(position) for sides in _while_sowing(position, awale.pit_of(key)))
        return max((reading.fit(sides) for sides in boards), default=-math.inf)

    # -- faults ----------------------------------------------------------------------------------------------------

    def faults(self, position: AwalePosition, legal: Mapping[str, Any]) -> Iterator[Fault]:
        if position.over:
            return iter(())
        return chain(
            self._forbidden(position, legal),
            self._opponents_turn(position),
            self._short(position, legal),
            self._played_twice(position, legal),
            self._took_too_much(position, legal),
            self._sown_wrong(position, legal),
        )

    def slips(self, position: AwalePosition, reading: BoardEvidence, seen: Sides, basis: Basis) -> Iterator[Fault]:
        for fault in slips(reading, seen, basis, position.to_move, phase_1=False):
            # What is taken leaves the board: a seed that lies on the other side of it was dropped there.
            across = fault.rule == "took_what_it_may_not"
            yield fault._replace(rule="dropped_wrong") if across else fault

    def _forbidden(self, position: AwalePosition, legal: Mapping[str, Any]) -> Iterator[Fault]:
        """Turns from pits that may not be sown now: they feed nobody, or take everything."""
        player = position.to_move
        own, other = position.sides[player], position.sides[1 - player]
        for pit in range(PITS):
            key = key_of(player, pit)
            if own[pit] and key not in legal:
                sowing = sow(own, other, pit)
                pits = takes(sowing)
                rule = "took_what_it_may_not" if pits and self.flags.grand_slam == FORBIDDEN else "must_feed"
                left = emptied(sowing.other, pits)
                yield Fault(rule, _sides(player, sowing.own, left), player, key, ((player, pit),))

    def _opponents_turn(self, position: AwalePosition) -> Iterator[Fault]:
        player = 1 - position.to_move
        turned = position._replace(to_move=player, since=())
        for key, turn in self.legal(turned).items():
            yield Fault("opponents_turn", turn.after.sides, player, key, ((player, awale.pit_of(key)),))

    def _played_twice(self, position: AwalePosition, legal: Mapping[str, Any]) -> Iterator[Fault]:
        player = position.to_move
        for turn in legal.values():
            again = turn.after._replace(to_move=player, since=())
            for key, second in self.legal(again).items():
                yield Fault("played_twice", second.after.sides, player, key)

    def _short(self, position: AwalePosition, legal: Mapping[str, Any]) -> Iterator[Fault]:
        """Sown to the last seed, and not all taken that is to be taken: not the nearest pits, or none."""
        for key, sowing in self._sown(position, legal):
            owed = taken_by(sowing, self.flags)
            for number in range(len(owed)):
                for pits in combinations(owed, number):
                    yield self._taking(position, key, sowing, pits, [pit for pit in owed if pit not in pits])

    def _taking(
        self, position: AwalePosition, key: str, sowing: Sowing, pits: Sequence[int], left: Sequence[int]
    ) -> Fault:
        player = position.to_move
        after = _sides(player, sowing.own, emptied(sowing.other, pits))
        seeds = sum(sowing.other[pit] for pit in left)
        return Fault("stopped_short", after, player, key, tuple((1 - player, pit) for pit in left), seeds)

    def _took_too_much(self, position: AwalePosition, legal: Mapping[str, Any]) -> Iterator[Fault]:
        """All taken that is to be taken, and one or two pits more, of either row."""
        player = position.to_move
        rule = "took_what_it_may_not"
        for key, sowing in self._sown(position, legal):
            owed = taken_by(sowing, self.flags)
            left = emptied(sowing.other, owed)
            for pit in range(PITS):
                if left[pit]:
                    after = _sides(player, sowing.own, emptied(left, (pit,)))
                    yield Fault(rule, after, player, key, ((1 - player, pit),), left[pit])
                if sowing.own[pit] in awale.TAKEN:
                    after = _sides(player, emptied(sowing.own, (pit,)), left)
                    yield Fault(rule, after, player, key, ((player, pit),), sowing.own[pit])
            more = [pit for pit in takes(sowing) if left[pit]]
            if len(more) > 1:
                # A grand slam that takes nothing here, or leaves a pit, taken whole.
                where: Pits = tuple((1 - player, pit) for pit in more)
                yield Fault(rule, _sides(player, sowing.own, emptied(left, more)), player, key, where)
            for pits in combinations([pit for pit in range(PITS) if left[pit] and pit not in more], 2):
                after = _sides(player, sowing.own, emptied(left, pits))
                where = tuple((1 - player, pit) for pit in pits)
                yield Fault(rule, after, player, key, where, left[pits[0]] + left[pits[1]], rarity=FAR_FETCHED)

    def _sown_wrong(self, position: AwalePosition, legal: Mapping[str, Any]) -> Iterator[Fault]:
        player = position.to_move
        own, other = position.sides[player], position.sides[1 - player]
        for pit in range(PITS):
            if own[pit]:
                for fell in _wrong_ways(pit, own[pit]):
                    yield from self._sown_so(position, key_of(player, pit), own, other, pit, fell)

    def _sown_so(
        self, position: AwalePosition, key: str, own: Side, other: Side, pit: int, fell: Sequence[int]
    ) -> Iterator[Fault]:
        """Seeds that fell in these pits of the ring, with what is then taken."""
        player = position.to_move
        ring = [*own, *other]
        ring[pit] = 0
        for at in fell:
            ring[at % (2 * PITS)] += 1
        sowing = Sowing(tuple(ring[:PITS]), tuple(ring[PITS:]), fell[-1] % (2 * PITS))
        where: Pits = ((player, pit),)
        pits = taken_by(sowing, self.flags)
        yield Fault("dropped_wrong", _sides(player, sowing.own, emptied(sowing.other, pits)), player, key, where)
        if pits:
            yield Fault("dropped_wrong", _sides(player, sowing.own, sowing.other), player, key, where)

    def _sown(self, position: AwalePosition, legal: Mapping[str, Any]) -> Iterator[tuple[str, Sowing]]:
        own, other = position.sides[position.to_move], position.sides[1 - position.to_move]
        return ((key, sow(own, other, awale.pit_of(key))) for key in legal)

    # -- positions that no turn led to -------------------------------------------------------------------------------

    def stands(self, before: AwalePosition, fault: Fault) -> AwalePosition:
        captured = list(before.captured)
        gone = before.on_board - sum(map(sum, fault.sides))
        if fault.rule not in ("seeds_missing", "seeds_added"):
            captured[fault.player] += max(0, gone)
        to_move = 1 - fault.player if fault.moved else before.to_move
        return awale.set_up(fault.sides, (captured[0], captured[1]), to_move, self.flags)

    def set_up(self, before: AwalePosition, sides: Sides, to_move: int) -> AwalePosition:
        taken = max(0, SEEDS - sum(map(sum, sides)))
        gone = taken - sum(before.captured)
        if gone >= 0:
            captured = list(before.captured)
            captured[1 - to_move] += gone
        else:
            captured = [taken // 2, taken // 2]
            captured[1 - to_move] += taken % 2
        return awale.set_up(sides, (min(captured[0], 2 * HALF), min(captured[1], 2 * HALF)), to_move, self.flags)

    def taken(self, position: AwalePosition) -> tuple[int, ...]:
        return position.captured

    def with_score(self, position: AwalePosition, points: Sequence[int]) -> AwalePosition:
        """The seeds that each has taken, as somebody counted them: all that lie no more on the board; at the end all
        there are, or those that had been taken when it ended."""
        taken = SEEDS - position.on_board
        if len(points) != 2 or min(points) < 0 or sum(points) not in (taken, SEEDS if position.over else taken):
            raise EventError("points_of_seeds", count=SEEDS if position.over else taken)
        after = position._replace(captured=(points[0], points[1]))
        return after if sum(points) != taken else awale.ended(after._replace(over=False), self.flags)

    def further_ahead(self, position: AwalePosition, by: int) -> AwalePosition:
        """As near to it as the seeds that lie no more on the board allow."""
        taken = SEEDS if position.over else SEEDS - position.on_board
        south, north = position.captured
        counted = min(max((taken + south - north + by) // 2, 0), taken)
        return self.with_score(position, (counted, taken - counted))

    # -- what is shown ---------------------------------------------------------------------------------------------

    def phase(self, position: AwalePosition) -> str:
        return "play"

    def stores(self, position: AwalePosition) -> dict[str, Any]:
        return {"captured": dict(zip(PLAYERS, position.captured, strict=True))}


class AwaleJudge(BoardJudge):
    """Judges awalé. Seat and side 0 is South, 1 is North."""

    def __init__(self, options: Mapping[str, object]) -> None:
        flags, values = flags_for(options)
        self.flags = flags
        super().__init__(AwaleGame(flags, bool(values["show_counts"])))


def awale_judge(players: int, given: Mapping[str, object]) -> tuple[AwaleJudge, dict[str, OptionValue]]:
    """The judge and every option, for what a table asked for. Raises OptionError."""
    check_players(players)
    return AwaleJudge(given), flags_for(given)[1]


def _sides(player: int, own: Sequence[int], other: Sequence[int]) -> Sides:
    mine, theirs = tuple(own), tuple(other)
    return (mine, theirs) if player == SOUTH else (theirs, mine)


def _while_sowing(position: AwalePosition, pit: int) -> Iterator[Sides]:
    """The boards with seeds of this pit still in the hand."""
    player = position.to_move
    ring = [*position.sides[player], *position.sides[1 - player]]
    seeds, ring[pit] = ring[pit], 0
    at = pit
    while seeds:
        yield _sides(player, ring[:PITS], ring[PITS:])
        at = (at + 1) % (2 * PITS)
        if at != pit:
            ring[at] += 1
            seeds -= 1


def _wrong_ways(pit: int, seeds: int) -> Iterator[list[int]]:
    """The pits of the ring that the seeds of one fall in, sown wrongly: the other way round, into that pit too, or with
    one pit skipped or given two."""
    right = [at for at in range(pit + 1, pit + seeds + 3) if at % (2 * PITS) != pit]
    yield [pit - step for step in range(1, seeds + 1)]
    if seeds >= 2 * PITS:
        yield list(range(pit + 1, pit + seeds + 1))
    for at in range(seeds):
        if at < seeds - 1 or seeds == 1:
            yield right[:at] + right[at + 1 : seeds + 1]
        if at and seeds > 1:
            yield [*right[:at], right[at - 1], *right[at : seeds - 1]]


GAMES = (GameKind("awale", len(PLAYERS), awale.OPTIONS, awale_judge, (awale.ROWS, awale.COLUMNS)),)
