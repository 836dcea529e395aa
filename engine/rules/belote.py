"""Belote: 32 cards, four players, two sides across; who takes the turned-up card names trump and plays against 82.

Five cards each, a card is turned up, and from the dealer's right on each may take it as trump; if nobody does, each may
name another suit; if nobody does either, the next player deals. The taker gets the card, the rest is dealt: eight each.

Where houses differ there is an option. What this module decides:
- Following trump, one plays higher than the highest trump there, a partner's too, if one can. Who must trump though the
  partner wins (`partner = trump`) goes over a partner's trump only where `over_partner` says so.
- King and queen of trump in one hand count 20 for that side whether or not they were announced: a camera sees both
  cards played, and not what is said. Where the house counts them only if announced, it is asked after the deal. They
  stay with who holds them, whoever wins the deal; the taker's own are held over with the rest of an equal one.
- Who loses a deal by a revoke (`penalty = hand`) leaves 162 and what was held over to the other side, which keeps its
  own 20, and its 252 if it took every trick.
- A side that takes every trick scores 252 (the 162 and 90 more).
- Points held over (`equal = litige`) go to the side that wins the next deal; a deal that is equal too adds to them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.cards import Card, rank_of, suit_of
from engine.options import Option, OptionError, resolve
from engine.rules.tricks import (
    NO_CARDS,
    SHOW_POINTS,
    THE_TAKERS,
    TURNS,
    Outcome,
    Score,
    TrickGame,
    TrickGameKind,
    above_each,
)
from engine.seats import alternating_sides

RANKS = ("A", "10", "K", "Q", "J", "9", "8", "7")
TRUMP_RANKS = ("J", "9", "A", "10", "K", "Q", "8", "7")
POINTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}
HAND, BEFORE_TAKING = 8, 5
PLAYERS = 4
LAST_TRICK = 10
BELOTE = 20
ALL_THERE_IS = 162
"""The cards' 152 and the last trick's ten."""
CAPOT = 252

_TARGETS = (1000, 501, 701, 1001, 1501, 2000)
OPTIONS = (
    Option("undertrump", ("must", "may")),
    Option("partner", ("free", "trump")),
    Option("over_partner", ("must", "may")),
    Option("equal", ("inside", "litige")),
    Option("belote", ("always", "announced")),
    Option("penalty", ("alert", "hand")),
    TURNS,
    Option("target", _TARGETS),
    SHOW_POINTS,
)


@dataclass(frozen=True)
class Belote(TrickGame):
    """One belote table.

    >>> table = belote(4, {})
    >>> table.card_points("JH", trump="H"), table.card_points("JH", trump="S")
    (20, 2)
    """

    turn_up_goes = THE_TAKERS
    packets = (3, 2, 3)
    before_taking = BEFORE_TAKING

    @cached_property
    def higher_trumps(self) -> Mapping[Card, frozenset[Card]]:
        return above_each(TRUMP_RANKS)

    def forbidden(self, before: Sequence[Card], card: Card, trump: str, trick: int) -> frozenset[Card]:
        if not before:
            return NO_CARDS
        led, suit = suit_of(before[0]), suit_of(card)
        if suit == led != trump:
            return NO_CARDS
        winner = self.winning(before, trump)
        trumped = suit_of(before[winner]) == trump
        over = self.higher_trumps[before[winner]] if trumped else self.suit_cards[trump]
        if suit == led:
            return NO_CARDS if card in over else over
        owed = self.suit_cards[led]
        partners = winner == len(before) - 2
        if led == trump or (partners and self.options["partner"] == "free"):
            return owed
        if suit == trump:
            any_will_do = partners and trumped and self.options["over_partner"] == "may"
            return owed if any_will_do or card in over else owed | over
        return owed | (self.suit_cards[trump] if self.options["undertrump"] == "must" else over)

    def card_points(self, card: Card, trump: str = "") -> int:
        return (TRUMP_POINTS if suit_of(card) == trump else POINTS).get(rank_of(card), 0)

    @property
    def bonus_announced(self) -> bool:
        return self.options["belote"] == "announced"

    def holds_bonus(self, trump: str, played_by: Mapping[Card, int | None]) -> int | None:
        king, queen = played_by.get("K" + trump), played_by.get("Q" + trump)
        return king if king == queen else None

    def bonus(self, trump: str, played_by: Mapping[Card, int | None]) -> tuple[int, ...]:
        seat = self.holds_bonus(trump, played_by)
        return (0, 0) if seat is None else self.points_for(self.sides[seat], BELOTE)

    def penalty(self, side: int) -> tuple[int, ...]:
        return self.points_against(side, ALL_THERE_IS)

    def hand_lost(self, side: int, score: Score, every_trick: int | None = None, bonus: Sequence[int] = ()) -> Outcome:
        other = 1 - side
        worth = CAPOT if every_trick == other else ALL_THERE_IS
        kept = bonus[other] if bonus else 0
        return Outcome(self.points_for(other, worth + kept + score.tie_bonus))

    def outcome(
        self,
        points: Sequence[int],
        winners: Sequence[int],
        tie_bonus: int,
        taker: int | None = None,
        bonus: Sequence[int] = (),
    ) -> Outcome:
        kept = tuple(bonus) or (0, 0)
        last = self.points_for(self.sides[winners[-1]], LAST_TRICK)
        made = tuple(map(sum, zip(points, last, kept, strict=True)))
        if taker is None:
            return Outcome((0, 0), tie_bonus=tie_bonus, points=made)
        side = self.sides[taker]
        every = self.every_trick_side(winners)
        if every is not None:
            return self._won(every, CAPOT, kept, tie_bonus, made, every)
        if made[side] > made[1 - side]:
            scored = tuple(points + (tie_bonus if number == side else 0) for number, points in enumerate(made))
            return Outcome(scored, points=made)
        if made[side] == made[1 - side] and self.options["equal"] == "litige":
            scored = self.points_for(1 - side, made[1 - side])
            return Outcome(scored, tie_bonus=tie_bonus + made[side], points=made)
        return self._won(1 - side, ALL_THERE_IS, kept, tie_bonus, made)

    def _won(
        self,
        side: int,
        worth: int,
        kept: Sequence[int],
        held_over: int,
        made: tuple[int, ...],
        every: int | None = None,
    ) -> Outcome:
        """Everything to one side, but for what each holds."""
        scored = tuple(had + (worth + held_over if number == side else 0) for number, had in enumerate(kept))
        return Outcome(scored, every_trick=every, points=made)

    def is_decisive(self, brought: Sequence[int]) -> bool:
        """Of an equal deal, half is held over."""
        return sum(brought) >= ALL_THERE_IS

    def deal_facts(self, outcome: Outcome, score: Score, taker: int | None) -> dict[str, Any]:
        side, made = None if taker is None else self.sides[taker], outcome.points
        fell_short = side is not None and made is not None and made[side] <= made[1 - side]
        return {
            "taker": taker,
            "capot": outcome.every_trick is not None,
            "inside": fell_short and not outcome.tie_bonus,
            "tie_bonus": outcome.tie_bonus,
        }

    def score_facts(self, score: Score) -> dict[str, Any]:
        return {"tie_bonus": score.tie_bonus} if self.options["equal"] == "litige" else {}

    def scored(self, score: Score, outcome: Outcome) -> Score:
        games = tuple(had + won for had, won in zip(score.games, outcome.games, strict=True))
        return Score(games, score.markers, outcome.tie_bonus)


def belote(players: int, options: Mapping[str, object]) -> Belote:
    """A belote table for 4. Raises OptionError.

    >>> table = belote(4, {})
    >>> table.legal(["7H", "JH", "AS"], ["9H"], "H", trick=1)  # At trump one goes up, if one can.
    ['JH']
    """
    if players != PLAYERS:
        raise OptionError("players", game="belote", players=players, allowed=(PLAYERS,))
    values = resolve(OPTIONS, options)
    sides = alternating_sides(players)
    return Belote("belote", players, sides, values, RANKS, HAND, 0, int(values["target"]))


GAMES = (TrickGameKind("belote", PLAYERS, OPTIONS, belote, by_points=True),)
