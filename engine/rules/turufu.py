"""Turufu: 36 cards, teams that alternate, a stock to draw from, 120 points, markers 8 9 10 2 for games lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.cards import JOKER, SUITS, Card, rank_of
from engine.options import Option, OptionError, OptionValue, resolve
from engine.rules.tricks import DRAWN_LAST, NO_CARDS, SHOW_POINTS, Outcome, Score, TrickGame, TrickGameKind
from engine.seats import alternating_sides

RANKS = ("A", "7", "K", "J", "Q", "6", "5", "4", "3")
POINTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
GAMES_TO_WIN = 4
MUZINGA_GAMES = 4
MARKERS = ("8", "9", "10", "2")
"""Brought to the side that lost a game, in this order; the joker for a muzinga."""
PLAYERS = (2, 4, 6)
CARDS_DEALT = 3

OPTIONS = (
    Option("dealer_rotates", ("deal", "match")),
    Option("follow", ("always", "after_stock", "never")),
    Option("draw_first", ("winner", "dealer_left")),
    Option("double_below", (30, 20)),
    Option("penalty", ("alert", *range(1, GAMES_TO_WIN + 1))),
    SHOW_POINTS,
)


@dataclass(frozen=True)
class Turufu(TrickGame):
    """One turufu table.

    >>> turufu(4, {}).outcome((100, 20), winners=(0, 1) + (0,) * 7, tie_bonus=0).games  # Under 30 counts double.
    (2, 0)
    """

    turn_up_goes = DRAWN_LAST

    @property
    def clockwise(self) -> bool:
        return True

    @cached_property
    def markers(self) -> frozenset[Card]:
        return frozenset({JOKER, *(rank + suit for rank in MARKERS for suit in SUITS)})

    @property
    def reminder(self) -> str | None:
        """Partners give no signals. Nobody watches for any."""
        return "signals" if self.players > self.side_count else None

    def forbidden(self, before: Sequence[Card], card: Card, trump: str, trick: int) -> frozenset[Card]:
        if self.options["follow"] == "never":
            return NO_CARDS
        if self.options["follow"] == "after_stock" and trick <= self.draws:
            return NO_CARDS
        return self.follow_suit(before, card)

    def card_points(self, card: Card, trump: str = "") -> int:
        return POINTS.get(rank_of(card), 0)

    def last_drawer(self, winner: int, dealer: int) -> int:
        first = winner if self.options["draw_first"] == "winner" else dealer + 1
        return (first - 1) % self.players

    def next_dealer(self, dealer: int, match_won: bool) -> int:
        stays = self.options["dealer_rotates"] == "match" and not match_won
        return dealer if stays else (dealer + 1) % self.players

    def next_dealers(self, dealer: int, match_won: bool) -> frozenset[int]:
        rotates = self.options["dealer_rotates"] == "match"
        return frozenset({self.next_dealer(dealer, match_won)}) if rotates else super().next_dealers(dealer, match_won)

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
            return Outcome(self.points_for(every, MUZINGA_GAMES), every_trick=every, tie_bonus=0)
        if points[0] == points[1]:
            return Outcome((0, 0), tie_bonus=tie_bonus + 1)
        side = 0 if points[0] > points[1] else 1
        double = points[1 - side] < int(self.options["double_below"])
        return Outcome(self.points_for(side, (2 if double else 1) + tie_bonus), doubled=double, tie_bonus=tie_bonus)

    def deal_facts(self, outcome: Outcome, score: Score, taker: int | None) -> dict[str, Any]:
        markers = [list(cards) for cards in score.markers]
        facts = {
            "muzinga": outcome.every_trick is not None,
            "tied": outcome.games == (0, 0),
            "tie_bonus": outcome.tie_bonus,
            "markers": markers,
        }
        if outcome.doubled or outcome.every_trick is not None:
            loser = 1 - outcome.games.index(max(outcome.games))
            facts |= {"loser": loser, "alone": self.sides.count(loser) == 1}
        return facts | ({"murisi": self.options["double_below"]} if outcome.doubled else {})

    def score_facts(self, score: Score) -> dict[str, Any]:
        return {"markers": score.markers, "tie_bonus": score.tie_bonus}

    def scored(self, score: Score, outcome: Outcome) -> Score:
        if not any(outcome.games):
            return replace(score, tie_bonus=outcome.tie_bonus)
        loser = 1 - outcome.games.index(max(outcome.games))
        lost = max(outcome.games)
        markers = list(score.markers)
        if outcome.every_trick is not None:
            markers[loser] = (*markers[loser], JOKER)
        else:
            have = len([card for card in markers[loser] if card != JOKER])
            markers[loser] = (*markers[loser], *MARKERS[have : have + lost])
        return replace(super().scored(score, outcome), markers=tuple(markers))

    def penalty(self, side: int) -> tuple[int, ...]:
        """The games that a revoke costs; its side brings the markers."""
        return self.points_against(side, int(self.options["penalty"]))

    def score_set(self, score: Score, games: Sequence[int]) -> Score:
        """Each side has the markers of the games that the other won."""
        lost = [max(0, won) for won in reversed(games)]
        markers = tuple(tuple(MARKERS[: min(number, len(MARKERS))]) for number in lost)
        return Score(tuple(games), markers, score.tie_bonus)


def turufu(players: int, options: Mapping[str, object]) -> Turufu:
    """A turufu table for 2, 4 or 6. Raises OptionError.

    >>> [(turufu(players, {}).hand, turufu(players, {}).draws) for players in (2, 4, 6)]
    [(3, 15), (3, 6), (3, 3)]
    """
    if players not in PLAYERS:
        raise OptionError("players", game="turufu", players=players, allowed=(2, 4, 6))
    values: dict[str, OptionValue] = resolve(OPTIONS, options)
    cards = 36 // players
    return Turufu(
        "turufu", players, alternating_sides(players), values, RANKS, CARDS_DEALT, cards - CARDS_DEALT, GAMES_TO_WIN
    )


GAMES = (TrickGameKind("turufu", 4, OPTIONS, turufu),)
