"""Which rule an illegal turn breaks: the boards that each kind of illegal turn would leave behind.

When one board can come from several faults, the likeliest names it (LOG_FAULT in mraha.py), and of those as likely the
first in this order:

1. capture_owed: a trakatra, from whatever pit, while a capture was possible; a later capture of the turn passed over.
2. nyumba_start, single_seed_start, back_row_start, blocked_pit, too_many_to_capture: a start (blocked_pit: a relay
   too) that one rule alone forbids.
3. hand_not_used: phase 1 played without the hand's seed.
4. opponents_turn: a legal turn of the player who is not to move. (Two turns running of the player who is to move
   are played_twice: the device saw neither. One turn too many, seen alone, is made while the opponent is to move.)
5. stopped_short: a legal turn left where its last sowing should go on, every seed down.
6. endless: the same for a turn that would never end.
7. took_what_it_may_not: a capture in a trakatra, from an empty pit, or one too many at the end of a turn.
8. played_twice.
9. took_what_it_may_not: a pit that is not faced, or the back row.
10. dropped_wrong: a legal turn with a pit skipped or given two, sown on the wrong way or from the wrong corner, or
    through a nyumba that stops it. (A start from the lone corner toward the back row also has this name, under 2.)
11. slips of the hand (slips.py): dropped_wrong, took_what_it_may_not, moved_opponents_seeds, seeds_missing,
    seeds_added. The fewer the seeds the likelier, so one of a seed or two comes before 9 and 10.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from engine.referee.seed_game import Fault
from engine.rules.mraha import (
    LARGEST_START,
    MrahaFlags,
    MrahaPosition,
    MrahaTurn,
    Start,
    captures_from,
    house_barred,
    key_of,
    legal_laps,
    legal_turns,
    manner_of,
    play,
    start_groups,
    ways_in,
)
from engine.rules.sowing import (
    ENDLESS,
    FRONT,
    LEFT,
    LEFT_CORNER,
    NYUMBA,
    RIGHT,
    RIGHT_CORNER,
    RING,
    Lap,
    Manner,
    SeedsInHand,
    Side,
    capture_way,
    lands,
    sow,
)

TWO_RULES = -4.0
"""Rarity of a turn that breaks another rule besides the one it is named by."""
FAR_FETCHED = -2.5
"""Rarity of faults that take or sow in a way nobody would by mistake alone."""
ENDLESS_LAPS = 300
"""How far an illegal or endless turn is followed: nobody sows so long."""

_WAYS = (RIGHT, LEFT)


class _FaultSearch:
    """One position looked at for faults: short names for what every maker of faults needs."""

    def __init__(self, position: MrahaPosition, flags: MrahaFlags) -> None:
        self.position, self.flags = position, flags
        self.player = position.to_move
        self.own, self.other = position.sides[self.player], position.sides[1 - self.player]
        self.phase_1 = position.in_phase_1
        self.owed = any(
            begin.pit != position.blocked for begin in captures_from(self.own, self.other, self.phase_1, flags)
        )
        self.laps = [
            (key, begin, manner._replace(most_laps=ENDLESS_LAPS), laps)
            for key, begin, manner, laps in legal_laps(position, flags)
        ]

    def manner(self, begin: Start, capturing: bool | None = None) -> Manner:
        manner = manner_of(self.position, begin, self.flags)._replace(most_laps=ENDLESS_LAPS)
        return manner if capturing is None else manner._replace(capturing=capturing)

    def fault(
        self,
        rule: str,
        own: list[int] | Side,
        other: list[int] | Side,
        key: str | None,
        *pits: int,
        theirs: bool = False,
    ) -> Fault:
        mine, his = tuple(own), tuple(other)
        owner = 1 - self.player if theirs else self.player
        sides = (mine, his) if self.player == 0 else (his, mine)
        return Fault(rule, sides, self.player, key, tuple((owner, pit) for pit in pits))

    def key(self, pit: int, step: int) -> str:
        return key_of(self.player, pit, step)

    def all_down(self, found: Iterable[Fault]) -> Iterator[Fault]:
        """Leaves out boards with captured seeds still in the hand: a turn that would have won, were it legal."""
        fewest = self.position.on_board + (1 if self.phase_1 else 0)
        for fault in found:
            if sum(map(sum, fault.sides)) >= fewest - (fault.rule == "hand_not_used"):
                yield fault


class Reasons:
    """The boards that illegal turns would leave, in the order in which they give their name. May repeat boards."""

    def __init__(self, position: MrahaPosition, flags: MrahaFlags, legal: dict[str, MrahaTurn]) -> None:
        self._table = _FaultSearch(position, flags)
        self._legal = legal

    def common(self) -> Iterator[Fault]:
        """One rule broken, the rest played as it should be."""
        table = self._table
        return table.all_down(
            chain(
                _wrong_starts(table),
                _hand_not_used(table) if table.phase_1 else (),
                _opponents_turn(table),
                _stopped_short(table),
                _endless(table),
                _took_too_much(table),
            )
        )

    def rare(self) -> Iterator[Fault]:
        """Faults of which there are so many that a slip of a seed is the likelier story."""
        table = self._table
        yield from table.all_down(_played_twice(table, self._legal))
        for fault in table.all_down(chain(_took_elsewhere(table), _sown_wrong(table))):
            yield fault._replace(rarity=FAR_FETCHED)


# -- starts --------------------------------------------------------------------------------------------------------


def _wrong_starts(table: _FaultSearch) -> Iterator[Fault]:
    yield from _wrong_plain_starts(table)
    if table.owed:
        yield from _passed_over(table)
    if not table.phase_1:
        yield from _wrong_capturing_starts(table)
    if table.position.blocked >= 0:
        for _, begin, manner, _ in table.laps:
            yield from _played(table, "blocked_pit", begin, manner._replace(blocked=-1), table.position.blocked)
    if table.phase_1 and not table.owed:
        yield from _wrong_taxes(table)


def _wrong_plain_starts(table: _FaultSearch) -> Iterator[Fault]:
    """Starts that capture nothing by their first sowing, and may not be."""
    allowed = {(begin.pit, begin.step) for _, begin, _, _ in table.laps}
    for pit in range(RING):
        for step in _WAYS:
            if not table.own[pit]:
                continue
            begin = Start(pit, step, False)
            rule = "capture_owed" if table.owed else _start_rule(table, pit, (pit, step) in allowed)
            if rule is not None:
                plain = not table.owed or _may_start(table, pit)
                for fault in _played(table, rule, begin, table.manner(begin, capturing=False), pit):
                    yield fault if plain else fault._replace(rarity=TWO_RULES)


def _wrong_taxes(table: _FaultSearch) -> Iterator[Fault]:
    """A nyumba that holds all there is in front, begun with another number of seeds than it is taxed by."""
    if [pit for pit in range(FRONT) if table.own[pit]] == [NYUMBA]:
        for tax in range(1, table.own[NYUMBA] + 1):
            for step in _WAYS:
                begin = Start(NYUMBA, step, False, tax)
                yield from _played(table, "nyumba_start", begin, table.manner(begin), NYUMBA)


def _start_rule(table: _FaultSearch, pit: int, allowed: bool) -> str | None:
    """The rule that forbids a trakatra to start so; no capture is owed."""
    own, position, flags = table.own, table.position, table.flags
    if table.phase_1 and pit == NYUMBA and house_barred(own, position.owned[table.player], flags):
        return "nyumba_start"
    if allowed:
        return None
    if pit == position.blocked:
        return "blocked_pit"
    if own[pit] == 1 and (pit < FRONT or not table.phase_1):
        return "single_seed_start"
    return "back_row_start" if pit >= FRONT else "dropped_wrong"


def _may_start(table: _FaultSearch, pit: int) -> bool:
    """Could a turn begin here, were no capture owed?"""
    if not table.phase_1:
        return pit < FRONT and table.own[pit] >= 2
    return pit < FRONT and not (
        pit == NYUMBA and house_barred(table.own, table.position.owned[table.player], table.flags)
    )


def _wrong_capturing_starts(table: _FaultSearch) -> Iterator[Fault]:
    for pit in range(RING):
        seeds = table.own[pit]
        for step in _WAYS:
            last = lands(pit, step, seeds)
            takes = seeds and last < FRONT and table.other[7 - last]
            begin = Start(pit, step, True)
            if takes and seeds > LARGEST_START + 1:
                yield from _played(table, "too_many_to_capture", begin, table.manner(begin), pit)
            elif takes and seeds == 1 and table.own[last] and not table.flags.singleton_capture:
                yield from _played(table, "single_seed_start", begin, table.manner(begin), pit)


def _passed_over(table: _FaultSearch) -> Iterator[Fault]:
    """A capturing turn that goes on by relay where it had to capture again."""
    for key, _, manner, laps in table.laps:
        for number, lap in enumerate(laps):
            if number + 1 < len(laps) and laps[number + 1].other != lap.other:
                own, other = list(lap.own), list(lap.other)
                sow(own, other, lap.hand, manner._replace(capturing=False, house=False))
                last = lands(lap.hand.first, lap.hand.step, lap.hand.seeds - 1)
                yield table.fault("capture_owed", own, other, key, last)


def _played(table: _FaultSearch, rule: str, begin: Start, manner: Manner, *pits: int) -> Iterator[Fault]:
    own, other, outcome = play(table.position, begin, manner)
    if outcome.end != ENDLESS:
        yield table.fault(rule, own, other, table.key(begin.pit, begin.step), *pits)


# -- the hand, and whose turn it is ------------------------------------------------------------------------------------


def _hand_not_used(table: _FaultSearch) -> Iterator[Fault]:
    without = table.position._replace(reserve=(0, 0))
    for pit in range(RING):
        if not table.own[pit]:
            continue
        for step in _WAYS:
            for capturing in (True, False):
                begin = Start(pit, step, capturing)
                own, other, outcome = play(without, begin, table.manner(begin))
                fault = table.fault("hand_not_used", own, other, table.key(pit, step), pit)
                if pit < FRONT and table.own[pit] >= 2 and bool(outcome.captured) == capturing:
                    yield fault
                else:
                    yield fault._replace(rarity=TWO_RULES)
        if pit < FRONT and table.other[7 - pit]:
            for step in ways_in(pit):
                begin = Start(pit, step, True)
                own, other = _take(table, begin, 7 - pit, table.manner(begin), added=0)
                yield table.fault("hand_not_used", own, other, table.key(pit, step), pit)


def _opponents_turn(table: _FaultSearch) -> Iterator[Fault]:
    opponent = 1 - table.player
    turned = table.position._replace(to_move=opponent, blocked=-1)
    for turn in legal_turns(turned, table.flags).values():
        yield Fault("opponents_turn", turn.after.sides, opponent, turn.key)


def _played_twice(table: _FaultSearch, legal: dict[str, MrahaTurn]) -> Iterator[Fault]:
    for first in legal.values():
        if first.after.winner is None:
            again = first.after._replace(to_move=table.player, blocked=-1)
            for second in legal_turns(again, table.flags).values():
                yield Fault("played_twice", second.after.sides, table.player, second.key)


# -- where a turn ended ------------------------------------------------------------------------------------------------


def all_down(lap: Lap) -> Side:
    own, (seeds, pit, step) = list(lap.own), lap.hand
    for _ in range(seeds):
        own[pit] += 1
        pit = (pit + step) & 15
    return tuple(own)


def _stopped_short(table: _FaultSearch) -> Iterator[Fault]:
    if table.phase_1:
        for key, begin, _, _ in table.laps:
            own = list(table.own)
            own[begin.pit] += 1
            yield table.fault("stopped_short", own, table.other, key, begin.pit)
    for key, _, _, laps in table.laps:
        for lap in laps:
            last = lands(lap.hand.first, lap.hand.step, lap.hand.seeds - 1)
            yield table.fault("stopped_short", all_down(lap), lap.other, key, last)


def _endless(table: _FaultSearch) -> Iterator[Fault]:
    for starts in start_groups(table.position, table.flags):
        for begin in starts:
            for safari in (False, True):
                manner = manner_of(table.position, begin, table.flags, safari)
                if play(table.position, begin, manner)[2].end == ENDLESS:
                    laps: list[Lap] = []
                    play(table.position, begin, manner._replace(most_laps=ENDLESS_LAPS), laps)
                    key = table.key(begin.pit, begin.step)
                    for lap in laps:
                        yield table.fault("endless", all_down(lap), lap.other, key, begin.pit)


# -- captures ----------------------------------------------------------------------------------------------------------


def _take(
    table: _FaultSearch, begin: Start, target: int, manner: Manner, added: int = 1
) -> tuple[list[int], list[int]]:
    """A phase-1 capture of an opponent's pit, with the hand's seed added or not."""
    own, other = list(table.own), list(table.other)
    own[begin.pit] += added
    seeds, other[target] = other[target], 0
    sow(own, other, SeedsInHand(seeds, *begin.entry), manner)
    return own, other


def _took_too_much(table: _FaultSearch) -> Iterator[Fault]:
    rule = "took_what_it_may_not"
    for pit in range(RING):
        for step in _WAYS:
            begin = Start(pit, step, False)
            capturing = table.manner(begin, capturing=True)
            if table.own[pit]:
                own, other, outcome = play(table.position, begin, capturing)
                if outcome.captured:
                    yield table.fault(rule, own, other, table.key(pit, step), pit)
                yield from _from_an_empty_pit(table, begin, capturing)
            elif table.phase_1 and pit < FRONT and table.other[7 - pit]:
                own, other = _take(table, begin, 7 - pit, capturing)
                yield table.fault(rule, own, other, table.key(pit, step), 7 - pit, theirs=True)
    for key, _, manner, laps in table.laps:
        if laps:
            yield from _one_more(table, key, manner, laps[-1])


def _took_elsewhere(table: _FaultSearch) -> Iterator[Fault]:
    """Captures of a pit that is not faced, or of the back row behind the one that is."""
    rule = "took_what_it_may_not"
    for key, begin, manner, laps in table.laps:
        if table.phase_1 and begin.captures:
            for taken in range(FRONT):
                if taken != 7 - begin.pit and table.other[taken]:
                    own, other = _take(table, begin, taken, manner)
                    yield table.fault(rule, own, other, key, taken, theirs=True)
        for lap, faced in _captures(table, laps):
            behind = RING - 1 - faced
            if lap.other[behind]:
                own, other = list(lap.own), list(lap.other)
                hand = lap.hand._replace(seeds=lap.hand.seeds + other[behind])
                other[behind] = 0
                sow(own, other, hand, manner)
                yield table.fault(rule, own, other, key, behind, theirs=True)


def _from_an_empty_pit(table: _FaultSearch, begin: Start, capturing: Manner) -> Iterator[Fault]:
    """A first sowing that ends in an empty pit, and captures all the same."""
    seeds = table.own[begin.pit] + (1 if table.phase_1 else 0)
    last = lands(begin.pit, begin.step, seeds)
    if seeds < RING and last < FRONT and not table.own[last] and table.other[7 - last]:
        own = list(table.own)
        own[begin.pit] = 0
        for distance in range(1, seeds + 1):
            own[(begin.pit + begin.step * distance) & 15] += 1
        corner, way = capture_way(last, begin.step, capturing)
        other = list(table.other)
        taken, other[7 - last] = other[7 - last], 0
        sow(own, other, SeedsInHand(taken, corner, way), capturing)
        key = table.key(begin.pit, begin.step)
        yield table.fault("took_what_it_may_not", own, other, key, 7 - last, theirs=True)


def _one_more(table: _FaultSearch, key: str, manner: Manner, lap: Lap) -> Iterator[Fault]:
    """A turn that ended in an empty pit and took what that pit faces."""
    own, other = list(all_down(lap)), list(lap.other)
    last = lands(lap.hand.first, lap.hand.step, lap.hand.seeds - 1)
    if last < FRONT and own[last] == 1 and other[7 - last]:
        taken, other[7 - last] = other[7 - last], 0
        corner, way = capture_way(last, lap.hand.step, manner)
        sow(own, other, SeedsInHand(taken, corner, way), manner._replace(capturing=True))
        yield table.fault("took_what_it_may_not", own, other, key, 7 - last, theirs=True)


def _captures(table: _FaultSearch, laps: list[Lap]) -> Iterator[tuple[Lap, int]]:
    """The sowings of captured seeds, each with the opponent's pit they came from."""
    before = table.other
    for lap in laps:
        if lap.other != before:
            yield lap, next(pit for pit in range(FRONT) if lap.other[pit] != before[pit])
        before = lap.other


# -- sowing ------------------------------------------------------------------------------------------------------------


def _sown_wrong(table: _FaultSearch) -> Iterator[Fault]:
    for key, begin, manner, laps in table.laps:
        if manner.house and not manner.capturing:
            own, other, outcome = play(table.position, begin, manner._replace(house=False))
            if outcome.end != ENDLESS:
                yield table.fault("dropped_wrong", own, other, key, NYUMBA)
        for lap, _ in _captures(table, laps):
            for corner in (LEFT_CORNER, RIGHT_CORNER):
                for step in _WAYS:
                    own, other = list(lap.own), list(lap.other)
                    hand = SeedsInHand(lap.hand.seeds, corner, step)
                    if hand != lap.hand:
                        sow(own, other, hand, manner)
                        yield table.fault("dropped_wrong", own, other, key, corner)
        for lap in laps:
            yield from _skipped_or_doubled(table, key, manner, lap)


def _skipped_or_doubled(table: _FaultSearch, key: str, manner: Manner, lap: Lap) -> Iterator[Fault]:
    """One sowing in which a pit gets none, or two; the turn goes on from wherever that ends."""
    seeds, first, step = lap.hand
    for at in range(seeds):
        for shift in (1, -1):
            # The seeds from number `at` on (for two in a pit: after it) fall one pit further, or one earlier.
            from_seed = at if shift == 1 else at + 1
            if from_seed == seeds:
                continue
            own, other = list(lap.own), list(lap.other)
            for number in range(seeds - 1):
                own[(first + step * (number + (shift if number >= from_seed else 0))) & 15] += 1
            last = (first + step * (seeds - 1 + shift)) & 15
            sow(own, other, SeedsInHand(1, last, step), manner)
            yield table.fault("dropped_wrong", own, other, key, (first + step * at) & 15)
