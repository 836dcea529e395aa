"""Awalé (oware, abapa): two rows of six pits, 48 seeds, and who has taken more than half of them wins.

A side is 6 pits from its owner's left to right; sowing runs on from there through the other side, always the same way
round (against the clock, seen from above). Turns are known by their pit: A to F for South, a to f for North, each from
the player's own left, so that A lies across from f.

Where houses differ there is an option. Where the rules leave a gap, this module decides:
- A turn that takes all of the other side's seeds (a grand slam) binds under `grand_slam = forbidden` only while there
  is another turn; the only turn left is played and takes nothing.
- A game is over as soon as somebody has more than half of the seeds, whoever would still have a turn.
- Where the player to move has no turn, everybody keeps what lies on his own side: an empty row that cannot be fed is
  then lost with all that lies across from it, and a row that may feed nobody is kept.
- The same position with the same player to move for the third time ends the game like that too: without an end both
  could go round for ever, and at a table players agree to stop.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.options import Option, OptionError, OptionValue, resolve
from engine.rules.written import PositionError, check_total, read_player, read_row, read_seeds, read_side

SOUTH, NORTH = 0, 1
PLAYERS = ("south", "north")
ROWS, COLUMNS = 2, 6
PITS = 6
"""Of one side."""
SEEDS = 48
HALF = SEEDS // 2
TAKEN = (2, 3)
"""What a pit of the other side must hold after the last seed to be taken."""
TIMES = 3
"""So often the same position comes before the game ends."""

Side = tuple[int, ...]
Sides = tuple[Side, Side]
OPENING: Sides = ((SEEDS // 12,) * PITS, (SEEDS // 12,) * PITS)

TAKES_NOTHING, FORBIDDEN, TAKES_ALL, REST_TO_THE_OTHER, LEAVES_THE_LAST = (
    "nothing", "forbidden", "all", "rest_to_the_other", "leaves_the_last",
)  # fmt: skip
OPTIONS: tuple[Option, ...] = (
    Option(
        "grand_slam",
        (TAKES_NOTHING, FORBIDDEN, TAKES_ALL, REST_TO_THE_OTHER, LEAVES_THE_LAST),
    ),
    Option("must_feed", (True, False)),
    Option("show_counts", (False, True)),
)


class AwaleFlags(NamedTuple):
    """The options that decide turns."""

    grand_slam: str = TAKES_NOTHING
    must_feed: bool = True


class AwalePosition(NamedTuple):
    """What lies on the board, what each player has taken, who is to move, and whether it is over.

    since: the positions since seeds were last taken, each with who was to move, this one included.
    """

    sides: Sides = OPENING
    captured: tuple[int, int] = (0, 0)
    to_move: int = SOUTH
    over: bool = False
    since: tuple[tuple[Sides, int], ...] = ((OPENING, SOUTH),)

    @property
    def on_board(self) -> int:
        return sum(self.sides[SOUTH]) + sum(self.sides[NORTH])

    @property
    def winner(self) -> int | None:
        """Who has won; None while it goes on, and where both have as many."""
        south, north = self.captured
        return None if not self.over or south == north else (SOUTH if south > north else NORTH)


class AwaleTurn(NamedTuple):
    """A legal turn: its key, the position it leads to, what it captured, and the pits that was taken from."""

    key: str
    after: AwalePosition
    captured: int
    pits: tuple[int, ...] = ()


class Sowing(NamedTuple):
    """A sowing to its last seed, nothing taken yet."""

    own: Side
    other: Side
    last: int
    """Where the last seed fell: 0 to 5 in the mover's own row, 6 to 11 in the other's."""


def flags_for(given: Mapping[str, object]) -> tuple[AwaleFlags, dict[str, OptionValue]]:
    """The options with their values, and those of them that decide turns. Raises OptionError."""
    values = resolve(OPTIONS, given)
    return AwaleFlags(str(values["grand_slam"]), bool(values["must_feed"])), values


def key_of(player: int, pit: int) -> str:
    """The name of a turn: key_of(SOUTH, 0) is "A"."""
    return "ABCDEF"[pit] if player == SOUTH else "abcdef"[pit]


def pit_of(key: str) -> int:
    """The pit of a turn: pit_of("c") is 2."""
    return "abcdef".index(key.lower())


def place(player: int, pit: int) -> tuple[int, int]:
    """Row and column of a pit on the board, as seen by South: row 0 is North's."""
    return (1, pit) if player == SOUTH else (0, COLUMNS - 1 - pit)


def board_rows(sides: Sides) -> tuple[tuple[int, ...], ...]:
    """The two rows of the board as seen by South."""
    return sides[NORTH][::-1], sides[SOUTH]


def sow(own: Sequence[int], other: Sequence[int], pit: int) -> Sowing:
    """Sows a pit to its last seed; the pit itself is passed over."""
    ring = [*own, *other]
    seeds, ring[pit] = ring[pit], 0
    at = pit
    while seeds:
        at = (at + 1) % (2 * PITS)
        if at != pit:
            ring[at] += 1
            seeds -= 1
    return Sowing(tuple(ring[:PITS]), tuple(ring[PITS:]), at)


def takes(sowing: Sowing) -> tuple[int, ...]:
    """The pits of the other side that a sowing brings to two or three, from its last seed back."""
    found = []
    at = sowing.last - PITS
    while at >= 0 and sowing.other[at] in TAKEN:
        found.append(at)
        at -= 1
    return tuple(found)


def emptied(side: Side, pits: Sequence[int]) -> Side:
    """A side after these pits were taken from."""
    return tuple(0 if pit in pits else seeds for pit, seeds in enumerate(side))


def legal_turns(position: AwalePosition, flags: AwaleFlags) -> dict[str, AwaleTurn]:
    """Every legal turn by its key; none when the game is over.

    >>> turns = legal_turns(AwalePosition(), AwaleFlags())
    >>> list(turns), turns["C"].after.sides
    (['A', 'B', 'C', 'D', 'E', 'F'], ((4, 4, 0, 5, 5, 5), (5, 4, 4, 4, 4, 4)))
    """
    if position.over:
        return {}
    player = position.to_move
    own, other = position.sides[player], position.sides[1 - player]
    sown = {pit: sow(own, other, pit) for pit in range(PITS) if own[pit]}
    if flags.must_feed and not any(other):
        sown = {pit: sowing for pit, sowing in sown.items() if any(sowing.other)}
    if flags.grand_slam == FORBIDDEN:
        sown = {pit: sowing for pit, sowing in sown.items() if not _grand_slam(sowing)} or sown
    return {key_of(player, pit): _turn(position, key_of(player, pit), sowing, flags) for pit, sowing in sown.items()}


def _grand_slam(sowing: Sowing) -> bool:
    """Whether everything on the other side would be taken."""
    pits = takes(sowing)
    return bool(pits) and not any(emptied(sowing.other, pits))


def taken_by(sowing: Sowing, flags: AwaleFlags) -> tuple[int, ...]:
    """The pits that a sowing takes from under these rules."""
    pits = takes(sowing)
    if not _grand_slam(sowing) or flags.grand_slam in (TAKES_ALL, REST_TO_THE_OTHER):
        return pits
    return pits[:-1] if flags.grand_slam == LEAVES_THE_LAST else ()


def _turn(position: AwalePosition, key: str, sowing: Sowing, flags: AwaleFlags) -> AwaleTurn:
    player = position.to_move
    pits = taken_by(sowing, flags)
    captured = sum(sowing.other[pit] for pit in pits)
    left = emptied(sowing.other, pits)
    sides = (sowing.own, left) if player == SOUTH else (left, sowing.own)
    have = list(position.captured)
    have[player] += captured
    after = AwalePosition(sides, (have[0], have[1]), 1 - player, False, () if captured else position.since)
    after = after._replace(since=(*after.since, (sides, 1 - player)))
    if flags.grand_slam == REST_TO_THE_OTHER and captured and not any(left):
        have[1 - player] += sum(sowing.own)
        return AwaleTurn(key, after._replace(captured=(have[0], have[1]), over=True), captured, pits)
    return AwaleTurn(key, ended(after, flags), captured, pits)


def ended(position: AwalePosition, flags: AwaleFlags) -> AwalePosition:
    """The position, over if it is: somebody has more than half, nobody can go on, or it goes round in circles."""
    if max(position.captured) > HALF:
        return position._replace(over=True)
    again = position.since.count((position.sides, position.to_move)) >= TIMES
    if not again and has_turn(position, flags):
        return position
    south, north = (have + sum(side) for have, side in zip(position.captured, position.sides, strict=True))
    return position._replace(captured=(south, north), over=True)


def has_turn(position: AwalePosition, flags: AwaleFlags) -> bool:
    """Can the player to move do anything?"""
    own, other = position.sides[position.to_move], position.sides[1 - position.to_move]
    if not flags.must_feed or any(other):
        return any(own)
    return any(seeds > PITS - 1 - pit for pit, seeds in enumerate(own))


def set_up(sides: Sides, captured: tuple[int, int], to_move: int, flags: AwaleFlags) -> AwalePosition:
    """A position taken over from a board."""
    return ended(AwalePosition(sides, captured, to_move, False, ((sides, to_move),)), flags)


def perft(position: AwalePosition, depth: int, flags: AwaleFlags) -> int:
    """How many sequences of so many turns there are: perft(Position(), 2, Flags()) is 36.

    >>> perft(AwalePosition(), 3, AwaleFlags())
    190
    """
    if depth == 0:
        return 1
    turns = legal_turns(position, flags)
    if depth == 1:
        return len(turns)
    return sum(perft(turn.after, depth - 1, flags) for turn in turns.values())


# -- the written form --------------------------------------------------------------------------------------------------


def position_to_dict(position: AwalePosition) -> dict[str, Any]:
    """The JSON form of a position, rows as seen by South. Of one that is over: who won, and what each has."""
    captured = dict(zip(PLAYERS, position.captured, strict=True))
    if position.over:
        winner = position.winner
        return {"over": True, "winner": None if winner is None else PLAYERS[winner], "captured": captured}
    north, south = board_rows(position.sides)
    sides = {"south": {"pits": list(south)}, "north": {"pits": list(north)}}
    return {**sides, "captured": captured, "to_move": PLAYERS[position.to_move], "over": False}


def position_from_dict(raw: Mapping[str, Any]) -> AwalePosition:
    """A position from its JSON form; nothing is known of the turns before it. Raises PositionError."""
    south, north = (tuple(read_row(read_side(raw, name), name, "pits", COLUMNS, SEEDS)) for name in PLAYERS)
    sides = (south, north[::-1])
    given = raw.get("captured", {})
    if not isinstance(given, Mapping):
        raise PositionError("captured_form")
    have = [read_seeds(given.get(name, 0), f"captured: {name}", SEEDS) for name in PLAYERS]
    check_total(sum(south) + sum(north) + sum(have), SEEDS)
    mover = read_player(raw.get("to_move"), "to_move", PLAYERS)
    return AwalePosition(sides, (have[0], have[1]), mover, max(have) > HALF, ((sides, mover),))


def check_players(players: int) -> None:
    """Raises OptionError."""
    if players != len(PLAYERS):
        raise OptionError("players", game="awale", players=players, allowed=(len(PLAYERS),))
