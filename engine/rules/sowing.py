"""Sowing on the ring: drop, relay, capture, and the turn that never ends. Knows no player, phase or start of a turn.

A side is 16 pits clockwise from its owner's left: 0-7 the front row left to right, 8-15 the back row right to left.
Front pit i faces the opponent's front pit 7 - i. Running right is +1, running left is -1.
"""

from typing import NamedTuple

RING, FRONT = 16, 8
NYUMBA = 4
"""The square pit, front 5 from the owner's left."""
HOUSE_SEEDS = 6
"""An owned nyumba holding fewer is an ordinary pit."""
NEVER = 1_000
"""More seeds than any board has."""
LEFT_CORNER, RIGHT_CORNER = 0, 7
RIGHT, LEFT = 1, -1

Side = tuple[int, ...]

ENDED, AT_HOUSE, WON, ENDLESS = "ended", "at the house", "won", "endless"
WATCH_AFTER = 24
"""Laps since the last capture before one state is remembered. Relay is reversible (picking seeds up backward until a
pit is empty finds the pit they came from), so a turn on a cycle comes back to every state of it: one is enough."""
MOST_LAPS = 20_000
"""Laps since the last capture after which a turn is on a cycle too long to follow. Such cycles exist (up to 150 million
laps were followed to their end); of 43 million random sides, none that ended did so later than 2,675 laps."""


class SeedsInHand(NamedTuple):
    """Seeds about to be sown: the pit of the first, and the way they run."""

    seeds: int
    first: int
    step: int


class Lap(NamedTuple):
    """One sowing as it begins: both sides without the seeds in the hand."""

    own: Side
    other: Side
    hand: SeedsInHand


class Manner(NamedTuple):
    """What holds during one turn, whatever lap it is."""

    capturing: bool
    house: bool = False
    """The mover owns a nyumba that can stop a sowing now."""
    safari: bool = False
    """Go on from the owned nyumba where stopping would be allowed."""
    blocked: int = -1
    """The pit nothing may be lifted from."""
    literal_corner: bool = False
    literal_direction: bool = False
    most_laps: int = MOST_LAPS


class TurnOutcome(NamedTuple):
    """How a turn went."""

    end: str
    captured: int
    lifted_house: bool
    held: int
    """Captured seeds still in the hand: only when the turn won, since it then ends at once."""
    last: int
    """The pit of the last seed."""


def capture_way(pit: int, step: int, manner: Manner) -> tuple[int, int]:
    """The corner that captured seeds start from, and the way they run, after a sowing that ended in front pit `pit`."""
    if pit <= 1:
        return LEFT_CORNER, step if manner.literal_direction else RIGHT
    if pit >= 6:
        return RIGHT_CORNER, step if manner.literal_direction else LEFT
    runs_right = step == RIGHT
    return (RIGHT_CORNER if runs_right == manner.literal_corner else LEFT_CORNER), step


def lands(pit: int, step: int, seeds: int) -> int:
    """The pit of the last of so many seeds lifted from a pit."""
    return (pit + step * seeds) % RING


def _nyumba(manner: Manner) -> tuple[int, str]:
    """From how many seeds the mover's nyumba stops a sowing, and how the turn ends then."""
    return HOUSE_SEEDS if manner.house and not manner.safari else NEVER, AT_HOUSE if manner.capturing else ENDED


def _drop(own: list[int], seeds: int, first: int, step: int) -> int:
    """Puts so many seeds down one by one; the pit of the last."""
    pit = first
    for _ in range(seeds - 1):
        own[pit] += 1
        pit = (pit + step) & 15
    own[pit] += 1
    return pit


def sow(
    own: list[int], other: list[int], hand: SeedsInHand, manner: Manner, laps: list[Lap] | None = None
) -> TurnOutcome:
    """Sows the hand and goes on until the turn ends. Changes both lists; notes each lap when asked."""
    seeds, first, step = hand
    capturing, blocked = manner.capturing, manner.blocked
    house_stops, at_house = _nyumba(manner)
    captured = 0
    lifted_house = False
    count = 0
    watched: list[int] = []
    while True:
        if laps is not None:
            laps.append(Lap(tuple(own), tuple(other), SeedsInHand(seeds, first, step)))
        pit = _drop(own, seeds, first, step)
        if own[pit] == 1:
            return TurnOutcome(ENDED, captured, lifted_house, 0, pit)
        if capturing and pit < FRONT and other[7 - pit]:
            seeds = other[7 - pit]
            other[7 - pit] = 0
            captured += seeds
            if not any(other[:FRONT]):
                return TurnOutcome(WON, captured, lifted_house, seeds, pit)
            first, step = capture_way(pit, step, manner)
            count = 0
            continue
        if pit == NYUMBA:
            if own[pit] >= house_stops:
                return TurnOutcome(at_house, captured, lifted_house, 0, pit)
            lifted_house, house_stops = True, NEVER
        if pit == blocked:
            return TurnOutcome(ENDED, captured, lifted_house, 0, pit)
        count += 1
        if count == WATCH_AFTER:
            watched = [pit, *own]
        elif count > WATCH_AFTER and (watched == [pit, *own] or count > manner.most_laps):
            return TurnOutcome(ENDLESS, captured, lifted_house, 0, pit)
        seeds = own[pit]
        own[pit] = 0
        first = (pit + step) & 15
