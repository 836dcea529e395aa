"""Seeded games of mraha as the table would show them: honest ones, and illegal turns planted where they can be seen.

The planted turns are made from the rules alone and know nothing of how the referee looks for them.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from random import Random

from engine.events import Board
from engine.referee.mraha import COUNTING, resting_boards
from engine.rules.mraha import (
    LARGEST_START,
    SOUTH,
    MrahaFlags,
    MrahaPosition,
    MrahaTurn,
    Start,
    board_rows,
    captures_from,
    flags_from,
    house_barred,
    legal_laps,
    legal_turns,
    manner_of,
    options_for,
    pit_at,
    play,
    start,
    start_groups,
)
from engine.rules.sowing import (
    ENDLESS,
    FRONT,
    LEFT,
    NYUMBA,
    RIGHT,
    RING,
    Lap,
    SeedsInHand,
    Side,
    capture_way,
    lands,
    sow,
)

Sides = tuple[Side, Side]
WAYS = (RIGHT, LEFT)


# -- boards and honest games -------------------------------------------------------------------------------------------


def board_of(sides: Sides) -> Board:
    """A board read without doubt."""
    return Board(pits=board_rows(MrahaPosition(sides, (0, 0), (False, False))))


def blurred(sides: Sides, rng: Random) -> Board:
    """A board as a camera reads it: small piles surely, large ones give or take one, and seldom quite wrongly.

    The right count of a pit comes out likeliest in 99.6 % up to six seeds, 97.5 % up to ten, 75 % above.
    """
    return Board(likelihood=tuple(tuple(blur(count, rng) for count in row) for row in _rows(sides)))


def _rows(sides: Sides) -> tuple[tuple[int, ...], ...]:
    return board_rows(MrahaPosition(sides, (0, 0), (False, False)))


def blur(count: int, rng: Random) -> dict[int, float]:
    """One pit: noise shifts the reading, and its spread is told honestly."""
    spread = 0.17 if count <= 6 else 0.22 if count <= 10 else 0.43
    seen = count + rng.gauss(0, spread)
    likelihood = {n: math.exp(-(((n - seen) / spread) ** 2) / 2) for n in range(max(0, count - 4), count + 5)}
    total = sum(likelihood.values())
    return {n: p / total for n, p in likelihood.items() if p / total > 1e-6}


def honest_game(rng: Random, preset: str = "mraha", flags: Mapping[str, object] | None = None) -> Iterator[Board]:
    """A whole game of random legal turns as boards, from the counting of the seeds to the end."""
    house = flags_from(options_for(preset, flags or {}))
    yield board_of(COUNTING)
    position = start(house)
    yield board_of(position.sides)
    for turn in honest_turns(rng, house):
        yield board_of(turn.after.sides)


def honest_turns(rng: Random, flags: MrahaFlags) -> Iterator[MrahaTurn]:
    """The turns of a random game."""
    position = start(flags)
    while position.winner is None:
        turn = rng.choice(list(legal_turns(position, flags).values()))
        yield turn
        position = turn.after


# -- planted faults ----------------------------------------------------------------------------------------------------


def plant(position: MrahaPosition, flags: MrahaFlags, rule: str, rng: Random) -> Board | None:
    """A board that shows this rule broken, and nothing else; None: in this position it cannot be shown.

    A board that something innocent leaves too (a legal turn, a quick reply, seeds in a hand), or a fault of another
    kind, shows nothing.
    """
    boards = dict.fromkeys(_PLANTERS[rule](position, flags))
    innocent = _innocent(position, flags)
    others = {sides for other, planter in _PLANTERS.items() if other != rule for sides in planter(position, flags)}
    if rule != "dropped_wrong":
        others.update(_one_seed_elsewhere(position, flags))
    # Captured seeds still in the hand are no board at rest; only seeds_missing shows fewer than the turn should leave.
    fewest = position.on_board + position.in_phase_1
    if rule in ("seeds_missing", "hand_not_used"):
        fewest = 0
    telling = [
        sides for sides in boards if sides not in innocent and sides not in others and sum(map(sum, sides)) >= fewest
    ]
    return board_of(rng.choice(telling)) if telling else None


def _innocent(position: MrahaPosition, flags: MrahaFlags) -> set[Sides]:
    """Every board that may lie there without anything wrong."""
    found = {position.sides}
    legal = legal_turns(position, flags)
    for before in (position, *(turn.after for turn in legal.values())):
        for turn in legal_turns(before, flags).values():
            found.update(resting_boards(before, turn, flags))
        for _, _, _, laps in legal_laps(before, flags):
            for lap in laps:
                found.update(_sides(before, own, lap.other) for own in _while_sowing(lap))
    return found


def _sides(position: MrahaPosition, own: list[int] | Side, other: list[int] | Side) -> Sides:
    mine, theirs = tuple(own), tuple(other)
    return (mine, theirs) if position.to_move == SOUTH else (theirs, mine)


def _while_sowing(lap: Lap) -> Iterator[list[int]]:
    """The mover's side with seeds still in the hand."""
    own = list(lap.own)
    for number in range(lap.hand.seeds):
        yield list(own)
        own[(lap.hand.first + lap.hand.step * number) % RING] += 1


def _sown(lap: Lap) -> list[int]:
    """The mover's side when the hand is empty again."""
    own = list(lap.own)
    for number in range(lap.hand.seeds):
        own[(lap.hand.first + lap.hand.step * number) % RING] += 1
    return own


def _own(position: MrahaPosition) -> Side:
    return position.sides[position.to_move]


def _other(position: MrahaPosition) -> Side:
    return position.sides[1 - position.to_move]


def _can_capture(position: MrahaPosition, flags: MrahaFlags) -> bool:
    return bool(captures_from(_own(position), _other(position), position.in_phase_1, flags))


def _trakatra(position: MrahaPosition, flags: MrahaFlags, pits: Iterator[int]) -> Iterator[Sides]:
    """Trakatra from these pits, whatever the rules say about starting there."""
    for pit in pits:
        for step in WAYS:
            begin = Start(pit, step, False)
            own, other, outcome = play(position, begin, manner_of(position, begin, flags))
            if outcome.end != ENDLESS:
                yield _sides(position, own, other)


def _capture_owed(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    if _can_capture(position, flags):
        fewest = 1 if position.in_phase_1 else 2
        yield from _trakatra(position, flags, (p for p in range(FRONT) if _own(position)[p] >= fewest and p != NYUMBA))


def _single_seed_start(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    own = _own(position)
    if _can_capture(position, flags):
        return
    if position.in_phase_1:
        allowed = {begin.pit for starts in start_groups(position, flags) for begin in starts}
        front = (pit for pit in range(FRONT) if own[pit] == 1 and pit not in allowed and pit != NYUMBA)
        yield from _trakatra(position, flags, front)
        return
    yield from _trakatra(position, flags, (pit for pit in range(RING) if own[pit] == 1))
    for begin in captures_from(own, _other(position), False, flags._replace(singleton_capture=True)):
        mine, other, _ = play(position, begin, manner_of(position, begin, flags))
        yield _sides(position, mine, other)


def _nyumba_start(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    own = _own(position)
    barred = house_barred(own, position.owned[position.to_move], flags)
    if position.in_phase_1 and own[NYUMBA] and barred and not _can_capture(position, flags):
        yield from _trakatra(position, flags, iter((NYUMBA,)))


def _back_row_start(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    own = _own(position)
    if not _can_capture(position, flags) and (position.in_phase_1 or any(seeds >= 2 for seeds in own[:FRONT])):
        allowed = {key[0] for key in legal_turns(position, flags)}
        if allowed == {"F"}:
            yield from _trakatra(position, flags, (pit for pit in range(FRONT, RING) if own[pit] >= 2))


def _too_many_to_capture(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    own, other = _own(position), _other(position)
    if position.in_phase_1:
        return
    for pit in range(RING):
        for step in WAYS:
            last = lands(pit, step, own[pit])
            if own[pit] > LARGEST_START + 1 and last < FRONT and other[7 - last]:
                begin = Start(pit, step, True)
                mine, theirs, _ = play(position, begin, manner_of(position, begin, flags))
                yield _sides(position, mine, theirs)


def _blocked_pit(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    if position.blocked >= 0 and _own(position)[position.blocked] >= 2:
        yield from _trakatra(position._replace(blocked=-1), flags, iter((position.blocked,)))


def _neighbours(pit: int) -> tuple[int, int]:
    return (pit + 1) % RING, (pit - 1) % RING


def _dropped_wrong(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    """One seed of the last sowing lies a pit further on, or a pit too early."""
    for _, begin, manner, laps in legal_laps(position, flags):
        own, other, outcome = play(position, begin, manner)
        if outcome.held or not laps:
            continue
        for number in range(laps[-1].hand.seeds):
            pit = (laps[-1].hand.first + laps[-1].hand.step * number) % RING
            for wrong in _neighbours(pit):
                mine = list(own)
                mine[pit] -= 1
                mine[wrong] += 1
                yield _sides(position, mine, other)


def _one_seed_elsewhere(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    """A legal turn with one of the mover's seeds in any other pit: too many to plant, but they explain much."""
    for own, other in _ends(position, flags):
        for pit in range(RING):
            if own[pit]:
                own[pit] -= 1
                for side in (own, other):
                    for wrong in range(RING):
                        side[wrong] += 1
                        yield _sides(position, own, other)
                        side[wrong] -= 1
                own[pit] += 1


def _took_what_it_may_not(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    """A trakatra that captures on its way, and a turn that captures from the empty pit it ended in."""
    for _, begin, manner, laps in legal_laps(position, flags):
        if not begin.captures:
            own, other, outcome = play(position, begin, manner._replace(capturing=True))
            if outcome.captured:
                yield _sides(position, own, other)
        own, other, outcome = play(position, begin, manner)
        if laps and outcome.last < FRONT and own[outcome.last] == 1 and other[7 - outcome.last]:
            taken, other[7 - outcome.last] = other[7 - outcome.last], 0
            corner, step = capture_way(outcome.last, laps[-1].hand.step, manner)
            sow(own, other, SeedsInHand(taken, corner, step), manner._replace(capturing=True))
            yield _sides(position, own, other)


def _stopped_short(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    for _, _, _, laps in legal_laps(position, flags):
        for lap in laps[:-1]:
            yield _sides(position, _sown(lap), lap.other)


def _hand_not_used(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    if position.in_phase_1:
        without = position._replace(reserve=(0, 0))
        captures = captures_from(_own(position), _other(position), False, flags)
        others = (Start(pit, step, False) for pit in range(FRONT) for step in WAYS if _own(position)[pit] >= 2)
        for begin in captures or others:
            own, other, outcome = play(without, begin, manner_of(position, begin, flags))
            if outcome.end != ENDLESS and not outcome.held:
                yield _sides(position, own, other)
        for turn in legal_turns(position, flags).values():
            if turn.captured and not turn.held:
                pit = _pit_of(position, turn.key)
                own = list(turn.after.sides[position.to_move])
                if own[pit]:
                    own[pit] -= 1
                    yield _sides(position, own, turn.after.sides[1 - position.to_move])


def _pit_of(position: MrahaPosition, key: str) -> int:
    return pit_at(position.to_move, key[0] == "F", int(key[1]) - 1)


def _opponents_turn(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    turned = position._replace(to_move=1 - position.to_move, blocked=-1)
    yield from (turn.after.sides for turn in legal_turns(turned, flags).values())


def _played_twice(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    for turn in legal_turns(position, flags).values():
        if turn.after.winner is None:
            again = turn.after._replace(to_move=position.to_move, blocked=-1)
            yield from (second.after.sides for second in legal_turns(again, flags).values())


def _ends(position: MrahaPosition, flags: MrahaFlags) -> Iterator[tuple[list[int], list[int]]]:
    """Where the legal turns end that do not win: the mover's side and the other's."""
    for turn in legal_turns(position, flags).values():
        if turn.after.winner is None:
            sides = turn.after.sides
            yield list(sides[position.to_move]), list(sides[1 - position.to_move])


def _moved_opponents_seeds(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    for own, other in _ends(position, flags):
        for pit in range(RING):
            for seeds in range(1, min(3, other[pit]) + 1):
                for wrong in _neighbours(pit):
                    theirs = list(other)
                    theirs[pit] -= seeds
                    theirs[wrong] += seeds
                    yield _sides(position, own, theirs)


def _more_or_fewer(position: MrahaPosition, flags: MrahaFlags, by: tuple[int, ...]) -> Iterator[Sides]:
    for own, other in _ends(position, flags):
        for side in (own, other):
            for pit in range(RING):
                for seeds in by:
                    if side[pit] + seeds >= 0:
                        side[pit] += seeds
                        yield _sides(position, own, other)
                        side[pit] -= seeds


def _seeds_missing(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    yield from _more_or_fewer(position, flags, (-1, -2))


def _seeds_added(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    yield from _more_or_fewer(position, flags, (1, 2))


def _endless(position: MrahaPosition, flags: MrahaFlags) -> Iterator[Sides]:
    """A turn that never ends, given up after some sowings."""
    for starts in start_groups(position, flags):
        for begin in starts:
            laps: list[Lap] = []
            if play(position, begin, manner_of(position, begin, flags), laps)[2].end == ENDLESS:
                yield from (_sides(position, _sown(lap), lap.other) for lap in laps[2:12])


_PLANTERS: dict[str, Callable[[MrahaPosition, MrahaFlags], Iterator[Sides]]] = {
    "capture_owed": _capture_owed,
    "single_seed_start": _single_seed_start,
    "nyumba_start": _nyumba_start,
    "back_row_start": _back_row_start,
    "too_many_to_capture": _too_many_to_capture,
    "blocked_pit": _blocked_pit,
    "dropped_wrong": _dropped_wrong,
    "took_what_it_may_not": _took_what_it_may_not,
    "stopped_short": _stopped_short,
    "hand_not_used": _hand_not_used,
    "opponents_turn": _opponents_turn,
    "played_twice": _played_twice,
    "moved_opponents_seeds": _moved_opponents_seeds,
    "seeds_missing": _seeds_missing,
    "seeds_added": _seeds_added,
    "endless": _endless,
}
PLANTABLE = tuple(_PLANTERS)
"""The faults that a game can show."""
