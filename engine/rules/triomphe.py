"""Triomphe and L'As qui pille: 32 cards, five tricks, a ladder of duties, no card with points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import Card, suit_of
from engine.options import Option, OptionError, resolve
from engine.rules.tricks import NO_CARDS, Outcome, TrickGame, TrickGameKind
from engine.seats import each_alone, side_by_side

RANKS = ("K", "Q", "J", "A", "10", "9", "8", "7")
RANKS_PILLE = ("A", "K", "Q", "J", "10", "9", "8", "7")
HAND = 5
TRICKS_FOR_A_POINT = 3
VOLE_POINTS = 2
MOST_PLAYERS = 6

_TARGETS = (5, *(number for number in range(1, 101) if number != 5))
_SHARED = (
    Option(
        "overtake",
        ("winning", "last", "none"),
        once=(("winner", "winning"),),
    ),
    Option("undertrump", ("must", "may")),
    Option("penalty", ("alert", "point", "negative", "hand")),
    Option("packs", (1, 2)),
    Option("target", _TARGETS),
    Option("matches", (0, *range(1, 21))),
)
OPTIONS = (Option("teams", ("single", "sides")), *_SHARED)
OPTIONS_PILLE = _SHARED


@dataclass(frozen=True)
class Triomphe(TrickGame):
    """One table of triomphe.

    >>> triomphe(2, {}).legal(["7C", "KC", "AH"], ["9C"], "H", trick=1)  # Follow, and go higher if you can.
    ['KC']
    """

    packets = (3, 2)

    @property
    def offers(self) -> bool:
        """Two sides may spare each other the rest of a hand."""
        return self.two_sides

    @property
    def two_sides(self) -> bool:
        return self.side_count == 2

    def forbidden(self, before: Sequence[Card], card: Card, trump: str, trick: int) -> frozenset[Card]:
        if not before:
            return NO_CARDS
        led, suit = suit_of(before[0]), suit_of(card)
        trumps = [card for card in before if suit_of(card) == trump]
        if suit == led:
            return self._height_owed(before, card, trump) if led == trump or not trumps else NO_CARDS
        owed = self.suit_cards[led]
        if led == trump:
            return owed
        winning_trumps = self.higher[before[self.winning(before, trump)]] if trumps else self.suit_cards[trump]
        if suit == trump:
            return owed if card in winning_trumps else owed | winning_trumps
        return owed | (self.suit_cards[trump] if self.options["undertrump"] == "must" else winning_trumps)

    def _height_owed(self, before: Sequence[Card], card: Card, trump: str) -> frozenset[Card]:
        if self.options["overtake"] == "none":
            return NO_CARDS
        led = suit_of(before[0])
        if self.options["overtake"] == "winning":
            to_beat = before[self.winning(before, trump)]
        else:
            to_beat = [card for card in before if suit_of(card) == led][-1]
        above = self.higher[to_beat]
        return NO_CARDS if card in above else above

    def card_points(self, card: Card, trump: str = "") -> int:
        return 0

    def next_dealer(self, dealer: int, match_won: bool) -> int:
        return next(
            seat
            for step in range(1, self.players + 1)
            if self.sides[seat := (dealer + step) % self.players] != self.sides[dealer]
        )

    def next_dealers(self, dealer: int, match_won: bool) -> frozenset[int]:
        if match_won or not self.two_sides:
            return super().next_dealers(dealer, match_won)
        return frozenset(seat for seat in range(self.players) if self.sides[seat] != self.sides[dealer])

    def outcome(
        self,
        points: Sequence[int],
        winners: Sequence[int],
        tie_bonus: int,
        taker: int | None = None,
        bonus: Sequence[int] = (),
    ) -> Outcome:
        taken = [0] * self.side_count
        reached: dict[int, int] = {}
        for place, seat in enumerate(winners):
            side = self.sides[seat]
            taken[side] += 1
            reached[side] = place
        most = max(taken)
        # A tie goes to who reached the number first.
        side = min((side for side in range(self.side_count) if taken[side] == most), key=lambda side: reached[side])
        vole = most == self.tricks
        if self.two_sides and most < TRICKS_FOR_A_POINT:
            return Outcome((0,) * self.side_count)
        return Outcome(self.points_for(side, VOLE_POINTS if vole else 1), every_trick=side if vole else None)

    def penalty(self, side: int) -> tuple[int, ...]:
        """What a revoke of a side costs, in points of each side."""
        if self.options["penalty"] == "negative":
            return self.points_for(side, -1)
        return self.points_against(side, 1)

    def refused_outcome(self, outcome: Outcome, refuser: int) -> Outcome:
        """The hand was offered and refused: the refuser makes the vole, or the side that offered scores two."""
        if outcome.every_trick == refuser:
            return outcome
        return Outcome(self.points_against(refuser, VOLE_POINTS), every_trick=outcome.every_trick)


@dataclass(frozen=True)
class Pille(Triomphe):
    """One table of L'As qui pille: the ace of trumps may take the cards turned up.

    >>> pille(3, {}).pillage
    True
    """

    @property
    def pillage(self) -> bool:
        return True


def triomphe(players: int, options: Mapping[str, object]) -> Triomphe:
    """A table of triomphe for 2 to 6, singly or in two sides. Raises OptionError.

    >>> triomphe(4, {"teams": "sides"}).sides
    (0, 0, 1, 1)
    """
    values = resolve(OPTIONS, options)
    _check_players("triomphe", players)
    if values["teams"] == "sides" and players % 2:
        raise OptionError("no_sides", players=players)
    sides = side_by_side(players) if values["teams"] == "sides" else each_alone(players)
    return Triomphe("triomphe", players, sides, values, RANKS, HAND, 0, int(values["target"]))


def pille(players: int, options: Mapping[str, object]) -> Triomphe:
    """A table of L'As qui pille for 2 to 6, each alone. Raises OptionError.

    >>> pille(3, {}).ranks[0]
    'A'
    """
    values = resolve(OPTIONS_PILLE, options)
    _check_players("pille", players)
    return Pille("pille", players, each_alone(players), values, RANKS_PILLE, HAND, 0, int(values["target"]))


def _check_players(game: str, players: int) -> None:
    if not 2 <= players <= MOST_PLAYERS:
        raise OptionError("players", game=game, players=players, allowed=tuple(range(2, MOST_PLAYERS + 1)))


GAMES = (
    TrickGameKind("triomphe", 4, OPTIONS, triomphe, by_points=True),
    TrickGameKind("pille", 4, OPTIONS_PILLE, pille, by_points=True),
)
