"""Who plays whom next: round robin, Swiss and the village form, by matching; the knockout has a file of its own.

Two never meet again while that can be avoided with who is there, and whoever sat out least often sits out next. Both
are part of one matching, so neither is kept at the price of chance. What is left open is drawn by lot, from a seed.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from random import Random
from typing import TypeVar

import networkx

from device.hall.tournament.rounds import Ids, Meeting, Past, Round
from engine.errors import GameError

Place = TypeVar("Place", int, str)

BYE = "-"
"""Who sits out is matched with this."""
AGAIN = 10**9
"""What meeting again costs: more than everything else in a round together."""
POINTS_APART = 1000
"""What half a point between two costs, squared: more than any place within a group of equals."""
MOST_SWAPS = 4000
"""Tries to better sides of three, where no matching does it."""


class PairingError(GameError):
    """A round that cannot be drawn, and why."""

    topic = "hall-refused"


def round_robin(past: Past, there: Collection[str], seed: int = 0) -> Round:
    """Everybody meets everybody: in the order of the circle while nobody comes or goes, else as near to it.

    Nobody meets anybody again before all have met. Where somebody came late, others have met all who are free: they are
    not drawn, and get no point for that, since in the end they have as many meetings as who came late.
    """
    ids = _there(past, there)
    in_it = {*ids, *past.everybody}
    circle = _circle([entrant.id for entrant in past.entrants if entrant.id in in_it], len(past.rounds))
    lots, met = _lots(ids, seed), past.met
    least = min(met[frozenset(pair)] for pair in combinations(ids, 2))

    def cost(a: str, b: str) -> int | None:
        pair = frozenset((a, b))
        if met[pair] > least:
            return None
        return 0 if pair in circle else 2 + abs(lots[a] - lots[b]) % 2

    pairs, byes = _matched(past, ids, cost, lambda player: 0 if frozenset((player, BYE)) in circle else 2)
    if 2 * len(pairs) + len(byes) < len(ids):  # Nor does anybody get a point for sitting out beside them.
        pairs, byes = match(ids, cost), ()
    return seated(past, [((a,), (b,)) for a, b in pairs], byes, seed)


def swiss(past: Past, there: Collection[str], seed: int = 0) -> Round:
    """Equals meet: those with as many points, the upper half of them against the lower; the last of all sits out."""
    ids = _there(past, there)
    points, lots = past.points, _lots(ids, seed)
    rating = {entrant.id: entrant.rating for entrant in past.entrants}
    ranked = sorted(ids, key=lambda player: (-points[player], -rating[player], lots[player]))
    place = {player: number for number, player in enumerate(ranked)}
    group = {player: sum(points[other] == points[player] for other in ids) for player in ids}

    def cost(a: str, b: str) -> int:
        apart = round(2 * abs(points[a] - points[b]))
        off = abs(abs(place[a] - place[b]) - group[a] // 2) if not apart else abs(place[a] - place[b])
        return POINTS_APART * apart * apart + off

    last = len(ids) - 1
    pairs, byes = _matched(past, ids, cost, lambda player: POINTS_APART * (last - place[player]))
    pairs.sort(key=lambda pair: min(place[pair[0]], place[pair[1]]))
    return seated(past, [((a,), (b,)) for a, b in pairs], byes, seed)


def village(past: Past, there: Collection[str], side: int = 2, seed: int = 0) -> Round:
    """Partners drawn anew each round: nobody plays with the same partner again while that can be avoided, then nobody
    against the same. Sides of three are bettered by exchanges, which comes near but is no proof."""
    ids = _there(past, there)
    if len(ids) < 2 * side:
        raise PairingError("too_few", number=2 * side)
    lots = _lots(ids, seed)
    resting = sorted(ids, key=lambda player: (past.byes[player], lots[player]))[: len(ids) % (2 * side)]
    playing = [player for player in ids if player not in resting]
    sides = _sides(past, playing, side, lots, Random(seed))
    met = past.met
    pairs = match(
        range(len(sides)),
        lambda a, b: 1000 * sum(met[frozenset((x, y))] ** 2 for x in sides[a] for y in sides[b]) + (a + b) % 7,
    )
    return seated(past, [(sides[a], sides[b]) for a, b in pairs], tuple(resting), seed)


def seated(past: Past, pairs: Sequence[tuple[Ids, Ids]], byes: Ids, seed: int = 0) -> Round:
    """Tables for a round's pairs, in their order; who sits first at a table, and so deals, takes turns."""
    first = {entrant.id: 0 for entrant in past.entrants}
    for meeting in past.meetings:
        for side in meeting.sides[0]:
            first[side] = first.get(side, 0) + 1
    lots = Random(seed)
    meetings = []
    for table, (a, b) in enumerate(pairs, 1):
        weight = sum(first[player] for player in a) - sum(first[player] for player in b)
        swap = weight > 0 or (weight == 0 and lots.random() < 0.5)
        meetings.append(Meeting(table, (b, a) if swap else (a, b)))
    return Round(tuple(meetings), byes)


# -- inside -----------------------------------------------------------------------------------------------------------


def _there(past: Past, there: Collection[str]) -> list[str]:
    """Those who are there, in the order in which they were entered."""
    known = {entrant.id for entrant in past.entrants}
    strangers = set(there) - known
    if strangers:
        raise PairingError("unknown", names=", ".join(sorted(strangers)))
    ids = [entrant.id for entrant in past.entrants if entrant.id in there]
    if len(ids) < 2:
        raise PairingError("too_few", number=2)
    return ids


def _lots(ids: Sequence[str], seed: int) -> dict[str, int]:
    order = list(range(len(ids)))
    Random(seed).shuffle(order)
    return dict(zip(ids, order, strict=True))


def _circle(ids: Sequence[str], number: int) -> set[frozenset[str]]:
    """The pairs of one round when everybody sits round a circle and all but the first move on by one."""
    ring = [*ids, *([BYE] if len(ids) % 2 else [])]
    rest = ring[1:]
    turn = number % len(rest) if rest else 0
    ring = [ring[0], *rest[len(rest) - turn :], *rest[: len(rest) - turn]]
    return {frozenset((ring[k], ring[-1 - k])) for k in range(len(ring) // 2)}


def _matched(
    past: Past, ids: Sequence[str], cost: Callable[[str, str], int | None], bye_cost: Callable[[str], int]
) -> tuple[list[tuple[str, str]], Ids]:
    """Pairs that cost least, nobody against the same while that can be avoided, and who sits out. cost: None: these two
    never."""
    met, byes = past.met, past.byes
    least = min(byes[player] for player in ids)
    everybody = [*ids, *([BYE] if len(ids) % 2 else [])]

    def whole_cost(a: str, b: str) -> int | None:
        if BYE in (a, b):
            player = a if b == BYE else b
            return bye_cost(player) if byes[player] == least else None
        price = cost(a, b)
        return None if price is None else AGAIN * met[frozenset((a, b))] + price

    found = match(everybody, whole_cost)
    pairs = [(a, b) for a, b in found if BYE not in (a, b)]
    return pairs, tuple(a if b == BYE else b for a, b in found if BYE in (a, b))


def match(places: Sequence[Place], cost: Callable[[Place, Place], int | None]) -> list[tuple[Place, Place]]:
    """All in pairs, as cheap as can be; None: these two never."""
    graph = networkx.Graph()
    order = {place: number for number, place in enumerate(places)}
    for number, a in enumerate(places):
        for b in places[number + 1 :]:
            price = cost(a, b)
            if price is not None:
                graph.add_edge(a, b, weight=-price)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = [(a, b) if order[a] < order[b] else (b, a) for a, b in found]
    return sorted(pairs, key=lambda pair: order[pair[0]])


def _sides(past: Past, playing: Sequence[str], side: int, lots: dict[str, int], rng: Random) -> list[Ids]:
    """Who plays together."""
    if side == 1:
        return [(player,) for player in playing]
    together, against = past.partnered, past.met
    if side == 2:
        pairs = match(
            playing,
            lambda a, b: (
                AGAIN * together[frozenset((a, b))] + 100 * against[frozenset((a, b))] + (lots[a] * lots[b]) % 97
            ),
        )
        return [(a, b) for a, b in pairs]
    order = sorted(playing, key=lots.__getitem__)
    groups = [order[at : at + side] for at in range(0, len(order), side)]

    def price(group: Sequence[str]) -> int:
        return sum(together[frozenset((a, b))] ** 2 for k, a in enumerate(group) for b in group[k + 1 :])

    for _ in range(MOST_SWAPS):
        if len(groups) < 2 or not any(map(price, groups)):
            break
        team, other = rng.sample(groups, 2)
        i, k = rng.randrange(side), rng.randrange(side)
        before = price(team) + price(other)
        team[i], other[k] = other[k], team[i]
        if price(team) + price(other) > before:
            team[i], other[k] = other[k], team[i]
    return [tuple(group) for group in groups]
