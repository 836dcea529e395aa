"""Sueca: 40 cards, four players, two sides across, ten cards each; the dealer's last card is trump; 120 points.

The order is A 7 K J Q 6 5 4 3 2: the seven is the second highest. Ace 11, seven 10, king 4, jack 3, queen 2. Follow the
suit led if you can; if not, play anything: nobody must trump or play higher. 61 points win one game, 91 two, every
trick four. The match goes to four games.

Where the rules are told in several ways, this module decides:
- The dealer shows his last card, which is trump, and takes it into his hand before the first lead.
- The player after the dealer leads, and the deal passes to him. Turns go round anticlockwise; `turns` changes that.
- 60 each: nobody scores, and the next deal counts as any other.
- Four games for every trick, not for 120 points: a side may take all points and lose a trick that holds none.
- A proven revoke is named. What it costs, the players decide: four games in most houses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Card, rank_of
from engine.options import Option, OptionError, resolve
from engine.rules.tricks import (
    SHOW_POINTS,
    THE_DEALERS,
    TURNS,
    Outcome,
    Score,
    TrickGame,
    TrickGameKind,
)
from engine.seats import alternating_sides

RANKS = ("A", "7", "K", "J", "Q", "6", "5", "4", "3", "2")
POINTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
PLAYERS, HAND = 4, 10
TWO_GAMES_FROM = 91
"""Points."""
EVERY_TRICK_GAMES = 4

OPTIONS = (TURNS, Option("target", (4, *range(1, 21))), SHOW_POINTS)


@dataclass(frozen=True)
class Sueca(TrickGame):
    """One table of sueca.

    >>> sueca(4, {}).outcome((91, 29), winners=(0,) * 9 + (1,), tie_bonus=0).games
    (2, 0)
    """

    turn_up_goes = THE_DEALERS

    def forbidden(self, before: Sequence[Card], card: Card, trump: str, trick: int) -> frozenset[Card]:
        return self.follow_suit(before, card)

    def card_points(self, card: Card, trump: str = "") -> int:
        return POINTS.get(rank_of(card), 0)

    def outcome(
        self,
        points: Sequence[int],
        winners: Sequence[int],
        tie_bonus: int,
        taker: int | None = None,
        bonus: Sequence[int] = (),
    ) -> Outcome:
        every = self.every_trick_side(winners)
        if every is not None:
            return Outcome(self.points_for(every, EVERY_TRICK_GAMES), every_trick=every)
        if points[0] == points[1]:
            return Outcome((0, 0))
        side = points.index(max(points))
        doubled = points[side] >= TWO_GAMES_FROM
        return Outcome(self.points_for(side, 2 if doubled else 1), doubled=doubled)

    def deal_facts(self, outcome: Outcome, score: Score, taker: int | None) -> dict[str, Any]:
        """How the deal was won: which of the sentences `deal_scored_HOW` tells it."""
        if outcome.every_trick is not None:
            return {"how": "every"}
        if outcome.doubled:
            return {"how": "double"}
        return {"how": "" if any(outcome.games) else "even"}


def sueca(players: int, options: Mapping[str, object]) -> Sueca:
    """A table of sueca for 4. Raises OptionError.

    >>> table = sueca(4, {})
    >>> table.legal(["AS", "2H"], ["KS"], "H", trick=1)  # Follow suit if you can.
    ['AS']
    >>> table.winning(["3S", "AS", "2H", "KS"], trump="H")
    2
    """
    if players != PLAYERS:
        raise OptionError("players", game="sueca", players=players, allowed=(PLAYERS,))
    values = resolve(OPTIONS, options)
    return Sueca("sueca", players, alternating_sides(players), values, RANKS, HAND, 0, int(values["target"]))


GAMES = (TrickGameKind("sueca", PLAYERS, OPTIONS, sueca),)
