"""Mraha wa tso: positions, house rules, legal turns, and the written form of a position. Sowing itself is in sowing.py.

Where the rules leave a gap, this module decides:
- A turn that would never end is no legal turn, so it binds nobody: when every capturing turn is endless a trakatra may
  be played, and when every front trakatra is, the back row may.
- An owned nyumba is ordinary below six seeds for starting too: a phase-1 trakatra may then lift it. The hand's seed
  counts. Under `owned_nyumba = no` it is barred whatever it holds.
- "A pit of 2 or more" (`singleton_trakatra_phase1`) means one the turn may start from: a barred nyumba does not count.
- `literal_corner` leaves the player's choice in phase 1 as it is: the seeds enter at the chosen corner, run along the
  front row, and the key's sign says which corner.
- Kutakatia counts the pits taken by the first capture of a turn. A nyumba is exempt while it is owned, whatever it
  holds and whether or not `nyumba_in_phase2` gives it its other powers.
- A player without a seed in hand plays as in phase 2, even if (in a position set up by hand) the other still has some.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.options import Option, OptionError, OptionValue, resolve
from engine.rules.sowing import (
    AT_HOUSE,
    ENDLESS,
    FRONT,
    HOUSE_SEEDS,
    LEFT,
    LEFT_CORNER,
    NYUMBA,
    RIGHT,
    RIGHT_CORNER,
    RING,
    WON,
    Lap,
    Manner,
    SeedsInHand,
    Side,
    TurnOutcome,
    lands,
    sow,
)
from engine.rules.written import PositionError, check_total, read_player, read_row, read_seeds, read_side

SOUTH, NORTH = 0, 1
PLAYERS = ("south", "north")
SEEDS = 64
LARGEST_START = 15
"""A capturing start of phase 2 has at most so many seeds: the last must fall in the first round."""

OPTIONS: tuple[Option, ...] = (
    Option("singleton_capture", (True, False)),
    Option("owned_nyumba", (False, True)),
    Option("nyumba_in_phase2", (False, True)),
    Option(
        "singleton_trakatra_phase1",
        (True, "while_owned", False),
    ),
    Option("corner_not_backward", (False, True)),
    Option("kutakatia", (False, True)),
    Option("literal_corner", (False, True)),
    Option("literal_direction", (False, True)),
    Option("tax", (2, 1, 3, 4, 5, 6)),
    Option("show_counts", (False, True)),
)
"""The house options; their defaults are the preset `mraha`."""

DEFAULT_PRESET = "mraha"
PRESETS: dict[str, dict[str, OptionValue]] = {
    "mraha": {},
    "kiswahili": {
        "singleton_capture": False,
        "owned_nyumba": True,
        "singleton_trakatra_phase1": "while_owned",
        "corner_not_backward": True,
        "kutakatia": True,
    },
}


class MrahaFlags(NamedTuple):
    """The options that decide turns, ready for use."""

    singleton_capture: bool
    owned_nyumba: bool
    nyumba_in_phase2: bool
    singleton_trakatra_phase1: bool | str
    corner_not_backward: bool
    kutakatia: bool
    literal_corner: bool
    literal_direction: bool
    tax: int


def options_for(preset: str, given: Mapping[str, object]) -> dict[str, OptionValue]:
    """Every option with its value under a preset, where not given. Raises OptionError."""
    if preset not in PRESETS:
        raise OptionError("unknown_preset", value=preset, allowed=tuple(PRESETS))
    return resolve(OPTIONS, {**PRESETS[preset], **given})


def flags_from(options: Mapping[str, OptionValue]) -> MrahaFlags:
    """The flags among the options."""
    values: dict[str, Any] = dict(options)
    return MrahaFlags(**{name: values[name] for name in MrahaFlags._fields})


class MrahaPosition(NamedTuple):
    """What lies on the board and in the hands, who is to move, and who has won. Sides are rings as in sowing.py."""

    sides: tuple[Side, Side]
    reserve: tuple[int, int]
    owned: tuple[bool, bool]
    to_move: int = SOUTH
    blocked: int = -1
    """A pit of the player to move that may not be lifted this turn; -1: none."""
    winner: int | None = None

    @property
    def in_phase_1(self) -> bool:
        return self.reserve[self.to_move] > 0

    @property
    def over(self) -> bool:
        return self.winner is not None

    @property
    def on_board(self) -> int:
        return sum(self.sides[SOUTH]) + sum(self.sides[NORTH])


class MrahaTurn(NamedTuple):
    """A legal turn: its key, the position it leads to, and what it captured.

    held: captured seeds still in the hand when the turn won in the middle of a sowing.
    """

    key: str
    after: MrahaPosition
    captured: int
    held: int


class Start(NamedTuple):
    """How a turn begins. captures: the first sowing captures (phase 1: the hand's seed does).

    tax: seeds taken from the nyumba when it is the only way to move; 0: the whole pit is lifted.
    """

    pit: int
    step: int
    captures: bool
    tax: int = 0

    @property
    def entry(self) -> tuple[int, int]:
        """The corner where seeds captured by the hand's seed enter, and the way they run."""
        return (LEFT_CORNER if self.step == RIGHT else RIGHT_CORNER), self.step


_SETUP: Side = (0, 0, 0, 0, 6, 2, 2, 0) + (0,) * 8


def start(flags: MrahaFlags) -> MrahaPosition:
    """The position before the first turn."""
    owned = flags.owned_nyumba
    return MrahaPosition((_SETUP, _SETUP), (22, 22), (owned, owned))


# -- which pit has which name ------------------------------------------------------------------------------------------


def column(player: int, pit: int) -> int:
    """The column (0-7, as seen by South) of a pit of a player's ring."""
    across = pit if pit < FRONT else RING - 1 - pit
    return across if player == SOUTH else FRONT - 1 - across


def pit_at(player: int, front: bool, at_column: int) -> int:
    """The pit of a player's ring in a row and column as seen by South."""
    across = at_column if player == SOUTH else FRONT - 1 - at_column
    return across if front else RING - 1 - across


def place(player: int, pit: int) -> tuple[int, int]:
    """Row and column of a pit on the board: rows North back, North front, South front, South back, seen by South."""
    front = pit < FRONT
    row = (2 if front else 3) if player == SOUTH else (1 if front else 0)
    return row, column(player, pit)


def board_rows(position: MrahaPosition) -> tuple[tuple[int, ...], ...]:
    """The four rows of the board as seen by South."""
    return tuple(
        tuple(position.sides[player][pit_at(player, front, c)] for c in range(FRONT))
        for player, front in ((NORTH, False), (NORTH, True), (SOUTH, True), (SOUTH, False))
    )


def key_of(player: int, pit: int, step: int) -> str:
    """A turn's key: row, column, and + when the mover's front row is run left to right; all as seen by South."""
    sign = "+" if (step == RIGHT) == (player == SOUTH) else "-"
    return f"{'F' if pit < FRONT else 'B'}{column(player, pit) + 1}{sign}"


# -- how a turn may begin ----------------------------------------------------------------------------------------------


def ways_in(pit: int) -> tuple[int, ...]:
    """The ways captured seeds may run after the hand's seed captured at a front pit."""
    if pit <= 1:
        return (RIGHT,)
    if pit >= 6:
        return (LEFT,)
    return (RIGHT, LEFT)


def captures_from(own: Side, other: Side, phase_1: bool, flags: MrahaFlags) -> list[Start]:
    """Every start whose first sowing captures."""
    if phase_1:
        return [Start(pit, step, True) for pit in range(FRONT) if own[pit] and other[7 - pit] for step in ways_in(pit)]
    fewest = 1 if flags.singleton_capture else 2
    out = []
    for pit in range(RING):
        seeds = own[pit]
        if fewest <= seeds <= LARGEST_START:
            for step in (RIGHT, LEFT):
                last = lands(pit, step, seeds)
                if last < FRONT and own[last] and other[7 - last]:
                    out.append(Start(pit, step, True))
    return out


BACKWARD = ((LEFT_CORNER, LEFT), (RIGHT_CORNER, RIGHT))
"""Starts of a front corner's seeds into the back row."""


def house_barred(own: Side, owned: bool, flags: MrahaFlags) -> bool:
    """May a phase-1 trakatra not lift the nyumba whole?"""
    return (owned and own[NYUMBA] + 1 >= HOUSE_SEEDS) if flags.owned_nyumba else True


def trakatra_starts(position: MrahaPosition, flags: MrahaFlags) -> Iterator[list[Start]]:
    """The starts of a trakatra, in groups: a later group may only be used when no earlier one has a legal turn."""
    player = position.to_move
    own, owned, blocked = position.sides[player], position.owned[player], position.blocked
    front = [pit for pit in range(FRONT) if own[pit]]
    if position.in_phase_1 and front == [NYUMBA] and house_barred(own, owned, flags):
        yield [Start(NYUMBA, step, False, flags.tax) for step in (RIGHT, LEFT)]
        return
    backward = BACKWARD if len(front) == 1 and flags.corner_not_backward else ()
    if position.in_phase_1:
        yield _both_ways(_phase_1_pits(own, owned, front, flags), backward)
        return
    for row in (range(FRONT), range(FRONT, RING)):
        yield _both_ways([pit for pit in row if own[pit] >= 2 and pit != blocked], backward)


def _both_ways(pits: Sequence[int], barred: Collection[tuple[int, int]]) -> list[Start]:
    """The starts of a trakatra from these pits, but those that are barred."""
    return [Start(pit, step, False) for pit in pits for step in (RIGHT, LEFT) if (pit, step) not in barred]


def _phase_1_pits(own: Side, owned: bool, front: list[int], flags: MrahaFlags) -> list[int]:
    """Where a trakatra may begin in phase 1, if the front row holds more than a barred nyumba."""
    pits = front
    if NYUMBA in front and house_barred(own, owned, flags):
        pits = [pit for pit in front if pit != NYUMBA]
    singles = flags.singleton_trakatra_phase1
    if singles == "while_owned":
        singles = owned
    return pits if singles else [pit for pit in pits if own[pit] >= 2] or pits


# -- playing a turn ----------------------------------------------------------------------------------------------------


def manner_of(position: MrahaPosition, begin: Start, flags: MrahaFlags, safari: bool = False) -> Manner:
    """What holds during a turn of the player to move."""
    phase_1 = position.in_phase_1
    lifts_house = begin.pit == NYUMBA and not begin.tax and not (phase_1 and begin.captures)
    house = flags.owned_nyumba and position.owned[position.to_move] and not lifts_house
    return Manner(
        begin.captures,
        house and (phase_1 or flags.nyumba_in_phase2),
        safari,
        position.blocked,
        flags.literal_corner,
        flags.literal_direction,
    )


def play(
    position: MrahaPosition, begin: Start, manner: Manner, laps: list[Lap] | None = None
) -> tuple[list[int], list[int], TurnOutcome]:
    """Plays a start to its end, legal or not. Returns the mover's side, the other's, and how it went."""
    own, other = list(position.sides[position.to_move]), list(position.sides[1 - position.to_move])
    pit, step = begin.pit, begin.step
    if position.in_phase_1:
        own[pit] += 1
        if begin.captures:
            seeds = other[7 - pit]
            other[7 - pit] = 0
            if not any(other[:FRONT]):
                return own, other, TurnOutcome(WON, seeds, False, seeds, pit)
            outcome = sow(own, other, SeedsInHand(seeds, *begin.entry), manner, laps)
            return own, other, outcome._replace(captured=outcome.captured + seeds)
    seeds = min(begin.tax, own[pit]) if begin.tax else own[pit]
    own[pit] -= seeds
    outcome = sow(own, other, SeedsInHand(seeds, (pit + step) & 15, step), manner, laps)
    if pit == NYUMBA and not begin.tax:
        outcome = outcome._replace(lifted_house=True)
    return own, other, outcome


def after(
    position: MrahaPosition, own: list[int], other: list[int], outcome: TurnOutcome, flags: MrahaFlags
) -> MrahaPosition:
    """The position when the turn is over, with its winner if there is one."""
    player = position.to_move
    mine, theirs = tuple(own), tuple(other)
    my_house = position.owned[player] and not outcome.lifted_house
    # An opponent's nyumba never empties but by capture, and then it is lost for good.
    their_house = position.owned[1 - player] and bool(other[NYUMBA] or not position.sides[1 - player][NYUMBA])
    my_reserve = position.reserve[player] - (1 if position.in_phase_1 else 0)
    their_reserve = position.reserve[1 - player]
    sides, owned, reserve = (mine, theirs), (my_house, their_house), (my_reserve, their_reserve)
    if player == NORTH:
        sides, owned, reserve = sides[::-1], owned[::-1], reserve[::-1]
    winner = None
    if outcome.end == WON:
        winner = player
    elif not any(mine[:FRONT]):
        winner = 1 - player
    new = MrahaPosition(sides, reserve, owned, 1 - player, -1, winner)
    if winner is not None:
        return new
    if flags.kutakatia and not outcome.captured and not position.in_phase_1 and not new.in_phase_1:
        new = new._replace(blocked=blocked_by(mine, theirs, their_house, flags))
    return new if has_turn(new, flags) else new._replace(winner=player)


def blocked_by(mover: Side, opponent: Side, house_owned: bool, flags: MrahaFlags) -> int:
    """Kutakatia: the opponent's pit that a trakatra of the mover blocks; -1: none."""
    if captures_from(opponent, mover, False, flags):
        return -1
    threatened = {7 - lands(s.pit, s.step, mover[s.pit]) for s in captures_from(mover, opponent, False, flags)}
    if len(threatened) != 1:
        return -1
    (pit,) = threatened
    front = opponent[:FRONT]
    exempt = (
        (pit == NYUMBA and house_owned)
        or sum(1 for seeds in front if seeds) == 1
        or (front[pit] >= 2 and sum(1 for seeds in front if seeds >= 2) == 1)
    )
    return -1 if exempt else pit


Played = tuple[str, list[int], list[int], TurnOutcome]
"""A key, the mover's side and the other's afterwards, and how the turn went."""


def _played(position: MrahaPosition, begin: Start, flags: MrahaFlags) -> Iterator[Played]:
    """A start with each decision it leads to; nothing when it would never end."""
    key = key_of(position.to_move, begin.pit, begin.step)
    own, other, outcome = play(position, begin, manner_of(position, begin, flags))
    if outcome.end == AT_HOUSE:
        yield f"{key}:stop", own, other, outcome
        own, other, outcome = play(position, begin, manner_of(position, begin, flags, safari=True))
        key = f"{key}:use"
    if outcome.end != ENDLESS:
        yield key, own, other, outcome


def start_groups(position: MrahaPosition, flags: MrahaFlags) -> Iterator[list[Start]]:
    """The starts in groups: a later group may only be used when no earlier one has a legal turn."""
    player = position.to_move
    if position.winner is not None or not any(position.sides[0][:FRONT]) or not any(position.sides[1][:FRONT]):
        return
    captures = captures_from(position.sides[player], position.sides[1 - player], position.in_phase_1, flags)
    yield [begin for begin in captures if begin.pit != position.blocked]
    yield from trakatra_starts(position, flags)


def _legal(position: MrahaPosition, flags: MrahaFlags) -> Iterator[tuple[Start, Played]]:
    """Every legal turn with its start."""
    for starts in start_groups(position, flags):
        found = False
        for begin in starts:
            for played in _played(position, begin, flags):
                found = True
                yield begin, played
        if found:
            return


def legal_turns(position: MrahaPosition, flags: MrahaFlags) -> dict[str, MrahaTurn]:
    """Every legal turn by its key.

    >>> flags = flags_from(options_for("mraha", {}))
    >>> list(legal_turns(start(flags), flags))
    ['F6+', 'F6-', 'F7+', 'F7-']
    """
    return {
        key: MrahaTurn(key, after(position, own, other, outcome, flags), outcome.captured, outcome.held)
        for _, (key, own, other, outcome) in _legal(position, flags)
    }


def legal_laps(position: MrahaPosition, flags: MrahaFlags) -> list[tuple[str, Start, Manner, list[Lap]]]:
    """Every legal turn once more, with its sowings one by one."""
    out = []
    for begin, (key, *_) in _legal(position, flags):
        manner = manner_of(position, begin, flags, safari=key.endswith(":use"))
        laps: list[Lap] = []
        play(position, begin, manner, laps)
        out.append((key, begin, manner, laps))
    return out


Path = tuple[tuple[tuple[int, int], ...], ...]
"""The way of a turn over the board, by places (row, column): where it began, then the pits of each sowing in order."""


def path_of(position: MrahaPosition, key: str, flags: MrahaFlags) -> Path:
    """The way of a legal turn; empty where there is no such turn."""
    mover = position.to_move
    for begin, (name, *_) in _legal(position, flags):
        if name == key:
            laps: list[Lap] = []
            play(position, begin, manner_of(position, begin, flags, safari=key.endswith(":use")), laps)
            sown = [[(lap.hand.first + lap.hand.step * k) % RING for k in range(lap.hand.seeds)] for lap in laps]
            return tuple(tuple(place(mover, pit) for pit in pits) for pits in ([begin.pit], *sown))
    return ()


def has_turn(position: MrahaPosition, flags: MrahaFlags) -> bool:
    """Can the player to move do anything?"""
    return any(True for _ in _legal(position, flags))


def perft(position: MrahaPosition, depth: int, flags: MrahaFlags) -> int:
    """How many sequences of so many turns there are, stop and safari counted apart.

    >>> flags = flags_from(options_for("mraha", {}))
    >>> perft(start(flags), 2, flags)
    14
    """
    if depth == 0:
        return 1
    turns = legal_turns(position, flags)
    if depth == 1:
        return len(turns)
    return sum(perft(turn.after, depth - 1, flags) for turn in turns.values())


# -- the written form --------------------------------------------------------------------------------------------------


PHASES = ("namua", "mtaji")
"""The phases as the written form names them: 1, with seeds in hand, and 2."""


def position_to_dict(position: MrahaPosition) -> dict[str, Any]:
    """The JSON form of a position. One that is over says only that, and who won."""
    if position.winner is not None:
        return {"over": True, "winner": PLAYERS[position.winner]}
    out: dict[str, Any] = {}
    for player, name in enumerate(PLAYERS):
        side = position.sides[player]
        out[name] = {
            "front": [side[pit_at(player, True, c)] for c in range(FRONT)],
            "back": [side[pit_at(player, False, c)] for c in range(FRONT)],
            "reserve": position.reserve[player],
            "house_owned": position.owned[player],
        }
    out["to_move"] = PLAYERS[position.to_move]
    out["phase"] = PHASES[0 if position.in_phase_1 else 1]
    if position.blocked >= 0:
        out["blocked"] = {"player": out["to_move"], "column": column(position.to_move, position.blocked)}
    out["over"] = False
    return out


def position_from_dict(raw: Mapping[str, Any]) -> MrahaPosition:
    """A position from its JSON form. Raises PositionError."""
    sides, reserve, owned = [], [], []
    for player, name in enumerate(PLAYERS):
        side = read_side(raw, name)
        rows = {row: read_row(side, name, row, FRONT, SEEDS) for row in ("front", "back")}
        ring = [0] * RING
        for row, counts in rows.items():
            for c, count in enumerate(counts):
                ring[pit_at(player, row == "front", c)] = count
        sides.append(tuple(ring))
        reserve.append(read_seeds(side.get("reserve", 0), f"{name}: reserve", SEEDS))
        house = side.get("house_owned", False)
        if not isinstance(house, bool):
            raise PositionError("house_form", name=name, value=house)
        owned.append(house)
    check_total(sum(map(sum, sides)) + sum(reserve), SEEDS)
    mover = read_player(raw.get("to_move"), "to_move", PLAYERS)
    phase = raw.get("phase")
    if phase is not None and phase not in PHASES:
        raise PositionError("phase_value", value=phase, either=PHASES)
    if phase is not None and phase != PHASES[0 if reserve[mover] else 1]:
        raise PositionError("phase_misfit", value=phase, name=PLAYERS[mover], held=reserve[mover])
    blocked = _blocked(raw.get("blocked"), mover, reserve[mover] > 0)
    return MrahaPosition((sides[0], sides[1]), (reserve[0], reserve[1]), (owned[0], owned[1]), mover, blocked)


def _blocked(value: object, mover: int, in_phase_1: bool) -> int:
    if value is None:
        return -1
    if not isinstance(value, Mapping):
        raise PositionError("blocked_form")
    if read_player(value.get("player"), "blocked: player", PLAYERS) != mover:
        raise PositionError("blocked_other", name=PLAYERS[mover])
    at = value.get("column")
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < FRONT:
        raise PositionError("blocked_column", value=at, last=FRONT - 1)
    if in_phase_1:
        raise PositionError("blocked_phase")
    return pit_at(mover, True, at)
