"""Whist, as somebody would add it: one file of rules. And a game without trump, turn-up or options for any number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import Card
from engine.options import OptionError
from engine.rules.tricks import THE_DEALERS, Outcome, TrickGame, TrickGameKind
from engine.seats import alternating_sides, each_alone

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
BOOK = 6


@dataclass(frozen=True)
class Whist(TrickGame):
    """One table of short whist: the dealer's last card is turned up for trump, tricks over six count."""

    turn_up_goes = THE_DEALERS

    @property
    def clockwise(self) -> bool:
        return True

    def forbidden(self, before: Sequence[Card], card: Card, trump: str, trick: int) -> frozenset[Card]:
        return self.follow_suit(before, card)

    def card_points(self, card: Card, trump: str = "") -> int:
        return 0

    def outcome(
        self,
        points: Sequence[int],
        winners: Sequence[int],
        tie_bonus: int,
        taker: int | None = None,
        bonus: Sequence[int] = (),
    ) -> Outcome:
        taken = [sum(self.sides[seat] == side for seat in winners) for side in range(self.side_count)]
        return Outcome(tuple(max(0, tricks - BOOK) for tricks in taken))


@dataclass(frozen=True)
class Plain(Whist):
    """Each alone, no trump, nothing turned up: every trick counts one."""

    turn_up_goes = None  # type: ignore[assignment]

    def outcome(
        self,
        points: Sequence[int],
        winners: Sequence[int],
        tie_bonus: int,
        taker: int | None = None,
        bonus: Sequence[int] = (),
    ) -> Outcome:
        return Outcome(tuple(sum(self.sides[seat] == side for seat in winners) for side in range(self.side_count)))


def whist(players: int, options: Mapping[str, object]) -> Whist:
    if players != 4 or options:
        raise OptionError("whist is for 4 players and has no options")
    return Whist("whist", 4, alternating_sides(4), {}, RANKS, 13, 0, 5)


def plain(players: int, options: Mapping[str, object]) -> Plain:
    if not 2 <= players <= 6:
        raise OptionError(f"plain is for 2 to 6 players, not {players}")
    return Plain("plain", players, each_alone(players), {}, RANKS, 52 // players, 0, 60)


GAMES = (TrickGameKind("whist", 4, (), whist), TrickGameKind("plain", 3, (), plain))
