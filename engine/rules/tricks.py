"""What the card games share: who wins a trick, what a play claims about the hand it came from, what is legal.

One question decides legality everywhere: `forbidden`, the cards that would have made a play illegal had they been
in the hand. Legal plays, the proof of a revoke and the simulated players all read it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from engine.cards import FULL_PACK, SUITS, Card, suit_of
from engine.options import Option, OptionValue, check_head_start

NO_CARDS: frozenset[Card] = frozenset()

DRAWN_LAST, LEFT_OUT, THE_DEALERS, THE_TAKERS = "drawn_last", "left_out", "the_dealers", "the_takers"
"""What becomes of the card turned up: it is drawn as the last of the stock, nobody plays it, or it belongs to the hand
of the dealer, or of who takes it."""
PASS, TAKE = "pass", "take"
"""What is said of a card turned up; "take:S" names another suit, once everybody has passed."""


@dataclass(frozen=True)
class Score:
    """Where a match stands. Sides are numbered from 0.

    >>> Score((4, 2), ((), ())).winner(target=4)
    0
    """

    games: tuple[int, ...]
    markers: tuple[tuple[Card, ...], ...]
    tie_bonus: int = 0

    def winner(self, target: int) -> int | None:
        """The side that has won the match: it has reached the target and nobody else has more."""
        best = max(self.games)
        return self.games.index(best) if best >= target and self.games.count(best) == 1 else None


@dataclass(frozen=True)
class Outcome:
    """What one deal brought: games won by each side, and what the table wants to hear about it.

    >>> Outcome((0, 2), doubled=True).games
    (0, 2)
    """

    games: tuple[int, ...]
    every_trick: int | None = None
    """The side that took every trick."""
    doubled: bool = False
    """The side that lost stayed under the points that count double."""
    tie_bonus: int = 0
    """Games added to this deal by ties before it; after a tie, games the next decisive deal will be worth more."""
    points: tuple[int, ...] | None = None
    """What each side made in it, where that is more than the cards it took."""


DUTIES = ("follow", "overtake", "trump", "over_trump")
"""What a card can break, the strongest first: who holds the suit led owes nothing but that."""


@dataclass(frozen=True)
class TrickGame(ABC):
    """A trick game at one table: its pack, its order of cards, its house options, and what it needs of a table.

    Whoever has to know whether a game turns a card up, has a stock, or goes round clockwise asks the game itself; no
    room asks which game it is.

    >>> from engine.playing import game_of
    >>> game = game_of("sueca")
    >>> game.tricks, game.stock, game.turns_up, game.all_points
    (10, 0, True, 120)
    """

    turn_up_goes: ClassVar[str | None] = LEFT_OUT
    """What becomes of the card turned up after dealing (DRAWN_LAST and so on); None: none is turned up."""
    packets: ClassVar[tuple[int, ...]] = ()
    """How many cards at a time a hand is dealt; none said: all of them at once."""
    before_taking: ClassVar[int] = 0
    """Cards of a hand that are dealt before anybody takes, where a player names trump; the rest is dealt after."""

    name: str
    players: int
    sides: tuple[int, ...]
    options: Mapping[str, OptionValue]
    ranks: tuple[str, ...]
    """Highest first."""
    hand: int
    """Cards dealt to each player."""
    draws: int
    """Cards each player draws in the course of a deal, one after each of the first tricks."""
    target: int
    """What wins the match."""
    begins_with: tuple[int, ...] = field(default=(), kw_only=True)
    """What each side has before the first deal, where a side has a head start."""

    @property
    def reminder(self) -> str | None:
        """What the table is reminded of once, at the beginning of a match; None: of nothing."""
        return None

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Every card of this game."""
        return tuple(rank + suit for suit in SUITS for rank in self.ranks)

    @cached_property
    def whole_pack(self) -> frozenset[Card]:
        return frozenset(self.pack)

    def is_foreign(self, card: Card | None) -> bool:
        """Whether this game does not use a card."""
        return card is not None and card not in self.whole_pack

    @property
    def markers(self) -> frozenset[Card]:
        """Cards beside the pack that lie on the table and count the score; no other card outside the pack is there."""
        return NO_CARDS

    @property
    def tricks(self) -> int:
        """Tricks in a deal."""
        return self.hand + self.draws

    @property
    def side_count(self) -> int:
        return max(self.sides) + 1

    @property
    def clockwise(self) -> bool:
        """Which way turns go round, as seen from above; a game may leave it to the house (`TURNS`)."""
        return self.options.get("turns") == "clockwise"

    @property
    def turns_up(self) -> bool:
        """Whether a card is turned up when a deal begins."""
        return self.turn_up_goes is not None

    @property
    def stock(self) -> int:
        """Cards that lie face down to be drawn when a deal begins, the turned-up one under them counted."""
        return self.draws * self.players

    @property
    def pillage(self) -> bool:
        """Whether a player may take cards that are turned up, and pay for them from the hand (`pillage`)."""
        return False

    @property
    def offers(self) -> bool:
        """Whether a side may offer the other the hand before it is played out (`offer`, `answer`)."""
        return False

    @property
    def names_trump(self) -> bool:
        """Whether a player takes the turned-up card and names trump (`take`); else the card itself does."""
        return self.turn_up_goes == THE_TAKERS

    @cached_property
    def plays_whole_pack(self) -> bool:
        """Whether every card of the pack is played in a deal, so that one never seen is missing."""
        return self.tricks * self.players == len(self.pack)

    @cached_property
    def all_points(self) -> int:
        """What all cards of the pack are worth together; 0: in this game tricks count, not cards."""
        return sum(self.card_points(card, SUITS[0]) for card in self.pack)

    def turn_up_may_be_played(self, trick: int) -> bool:
        """Whether the card turned up may be played in this trick (from 1)."""
        if self.turn_up_goes == DRAWN_LAST:
            return trick > self.draws
        return self.turn_up_goes in (THE_DEALERS, THE_TAKERS)

    @cached_property
    def suit_cards(self) -> Mapping[str, frozenset[Card]]:
        """Every card of each suit."""
        return {suit: frozenset(card for card in self.pack if suit_of(card) == suit) for suit in SUITS}

    @cached_property
    def higher(self) -> Mapping[Card, frozenset[Card]]:
        """For each card, the cards of its suit that stand above it where its suit is not trump."""
        return above_each(self.ranks)

    @cached_property
    def higher_trumps(self) -> Mapping[Card, frozenset[Card]]:
        """The same where its suit is trump."""
        return self.higher

    def above(self, card: Card, trump: str) -> frozenset[Card]:
        """The cards of its suit that stand above a card."""
        return self.higher_trumps[card] if suit_of(card) == trump else self.higher[card]

    def winning(self, cards: Sequence[Card], trump: str) -> int:
        """Which card of a trick, in the order played, is winning."""
        taken_by = self._taken_by[trump]
        best = 0
        for place in range(1, len(cards)):
            if cards[place] in taken_by[cards[best]]:
                best = place
        return best

    @cached_property
    def _taken_by(self) -> Mapping[str, Mapping[Card, frozenset[Card]]]:
        """By what is trump, and by the card that is winning: the cards that take the trick from it."""
        trumps = {suit: frozenset(card for card in FULL_PACK if suit_of(card) == suit) for suit in SUITS}
        return {
            trump: {
                card: self.higher_trumps.get(card, NO_CARDS)
                if suit_of(card) == trump
                else self.higher.get(card, NO_CARDS) | trumps.get(trump, NO_CARDS)
                for card in FULL_PACK
            }
            for trump in (*SUITS, "")
        }

    def legal(self, hand: Collection[Card], before: Sequence[Card], trump: str, trick: int) -> list[Card]:
        """The cards of a hand that may be played on the cards before them in this trick (numbered from 1)."""
        if not before or len(hand) == 1:
            return list(hand)
        forbidden = self.forbidden
        return [card for card in hand if forbidden(before, card, trump, trick).isdisjoint(hand)]

    @abstractmethod
    def forbidden(self, before: Sequence[Card], card: Card, trump: str, trick: int) -> frozenset[Card]:
        """The cards that must not have been in the hand this card came from, or the play was illegal."""

    def follow_suit(self, before: Sequence[Card], card: Card) -> frozenset[Card]:
        """What `forbidden` says where the suit led is all that is owed: who plays another one holds none of it."""
        if not before or suit_of(card) == suit_of(before[0]):
            return NO_CARDS
        return self.suit_cards[suit_of(before[0])]

    def duty(self, before: Sequence[Card], card: Card, held: Card, trump: str) -> str:
        """Which duty a play broke, given a forbidden card that was in the hand after all.

        before is empty if the lead could not be read: then only the led suit can have forbidden anything.
        """
        if not before:
            return "follow"
        led = suit_of(before[0])
        if suit_of(held) == led:
            return "overtake" if suit_of(card) == led else "follow"
        return "over_trump" if any(suit_of(card) == trump for card in before) and suit_of(card) == trump else "trump"

    def broken_duty(
        self, hand: Collection[Card], before: Sequence[Card], card: Card, trump: str, trick: int
    ) -> str | None:
        """The strongest duty that a card of this hand would break; None: it may be played.

        >>> from engine.rules.belote import belote
        >>> belote(4, {}).broken_duty(["8H", "7S"], ["AH"], "7S", "S", 1)
        'follow'
        """
        owed = self.forbidden(before, card, trump, trick).intersection(hand)
        duties = {self.duty(before, card, held, trump) for held in owed}
        return next((duty for duty in DUTIES if duty in duties), None)

    def as_held(self, hand: Iterable[Card], trump: str) -> list[Card]:
        """A hand as people hold it: suit by suit, trumps first, the highest first."""
        return sorted(hand, key=lambda card: (suit_of(card) != trump, suit_of(card), len(self.above(card, trump))))

    @abstractmethod
    def card_points(self, card: Card, trump: str = "") -> int:
        """What a card is worth in the trick that takes it."""

    @property
    def bonus_announced(self) -> bool:
        """Whether cards that one player held together count only if that was said, which no camera hears."""
        return False

    def holds_bonus(self, trump: str, played_by: Mapping[Card, int | None]) -> int | None:
        """The seat that held cards together that count so; None: nobody did."""
        return None

    def bonus(self, trump: str, played_by: Mapping[Card, int | None]) -> tuple[int, ...]:
        """Points for cards that one player held together, by side; played_by: the seat that played each card."""
        return (0,) * self.side_count

    def last_drawer(self, winner: int, dealer: int) -> int | None:
        """Who draws last after a trick, if anybody draws in this game."""
        return None

    @abstractmethod
    def outcome(
        self,
        points: Sequence[int],
        winners: Sequence[int],
        tie_bonus: int,
        taker: int | None = None,
        bonus: Sequence[int] = (),
    ) -> Outcome:
        """What a whole deal brings, from the points of each side and the seat that won each trick.

        taker: who named trump, where a player does. bonus: what cards held together are worth, by side.
        """

    def refused_outcome(self, outcome: Outcome, refuser: int) -> Outcome:
        """What a deal brings whose offer was refused by a side (see `offers`)."""
        return outcome

    def every_trick_side(self, winners: Sequence[int]) -> int | None:
        """The side that won every trick of a deal; None: the tricks are shared, or some of them are missing."""
        sides = {self.sides[seat] for seat in winners}
        return sides.pop() if len(sides) == 1 and len(winners) == self.tricks else None

    def points_for(self, side: int, points: int) -> tuple[int, ...]:
        """So many points to one side, none to the others."""
        return tuple(points if number == side else 0 for number in range(self.side_count))

    def points_against(self, side: int, points: int) -> tuple[int, ...]:
        """So many points to every side but one."""
        return tuple(0 if number == side else points for number in range(self.side_count))

    def hand_lost(self, side: int, score: Score, every_trick: int | None = None, bonus: Sequence[int] = ()) -> Outcome:
        """What a hand brings that a side loses by a revoke.

        score: before it. every_trick: the side that took every trick. bonus: what cards held together are worth.
        """
        return Outcome(self.penalty(side))

    def penalty(self, side: int) -> tuple[int, ...]:
        """What a revoke of a side costs, in points of each side."""
        return self.points_against(side, 1)

    def deal_facts(self, outcome: Outcome, score: Score, taker: int | None) -> dict[str, Any]:
        """What a `deal_scored` notice says beside points and games, in this game's own words."""
        return {"vole": outcome.every_trick is not None}

    def score_facts(self, score: Score) -> dict[str, Any]:
        """Fields of the view that tell more of the score than its numbers."""
        return {}

    def next_dealer(self, dealer: int, match_won: bool) -> int:
        """Who deals next, unless the table says otherwise."""
        return (dealer + 1) % self.players

    def next_dealers(self, dealer: int, match_won: bool) -> frozenset[int]:
        """Everybody who may deal next; empty: anybody. A new match draws its first dealer."""
        return frozenset() if match_won else frozenset({self.next_dealer(dealer, match_won)})

    def scored(self, score: Score, outcome: Outcome) -> Score:
        """The match after a deal."""
        games = tuple(had + won for had, won in zip(score.games, outcome.games, strict=True))
        return Score(games, score.markers, 0)

    def score_set(self, score: Score, games: Sequence[int]) -> Score:
        """The score set by hand to these games; what is held over stays so."""
        return Score(tuple(games), score.markers, score.tie_bonus)

    def is_decisive(self, brought: Sequence[int]) -> bool:
        """Whether a deal that brought each side so much was won: what was held over went to the winner."""
        return any(brought)

    def opening_score(self) -> Score:
        """Where a match begins."""
        return Score(self.begins_with or (0,) * self.side_count, ((),) * self.side_count)

    @property
    def most_ahead(self) -> int:
        """The largest head start."""
        return self.target - 1

    def ahead(self, side: int, by: int) -> Self:
        """The same game in which a side has so much before the first deal. OptionError: so much cannot be."""
        check_head_start(side, by, self.side_count, self.most_ahead)
        return replace(self, begins_with=self.points_for(side, by))


@dataclass(frozen=True)
class TrickGameKind:
    """A trick game as its file declares it in GAMES; `engine/games.py` finds it there."""

    name: str
    players: int
    """Unless the table says otherwise."""
    options: tuple[Option, ...]
    table: Callable[[int, Mapping[str, object]], TrickGame]
    """The game at a table of so many players, with these house options. Raises OptionError."""
    by_points: bool = False
    """What a deal brings is called points, as what wins the match is; else games."""


TURNS = Option("turns", ("anticlockwise", "clockwise"))
SHOW_POINTS = Option("show_points", (True, False))


def above_each(ranks: Sequence[str]) -> dict[Card, frozenset[Card]]:
    """For each card of these ranks, highest first, the cards of its suit that stand above it.

    >>> sorted(above_each(("A", "K", "Q"))["QC"])
    ['AC', 'KC']
    """
    return {
        rank + suit: frozenset(rank + suit for rank in ranks[:place])
        for suit in SUITS
        for place, rank in enumerate(ranks)
    }
