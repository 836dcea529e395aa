"""Tricks as they lie on a table: cards that may be unread, a leader that may be open, and who can have won."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from engine.cards import Card
from engine.rules.tricks import TrickGame
from engine.view import Range

SURE_CARD = 0.95
"""Confidence from which a reading may accuse. The reader's own bar lies above it, so only a doubted card is under."""
MANY_READINGS = 5_000
"""Readings of unread cards up to which each is tried; beyond, everything stays open."""


@dataclass(frozen=True)
class Laid:
    """A card lying on the table: the number of its event, what it was read as, and whether that may accuse."""

    number: int
    seat: int | None
    card: Card | None
    candidates: tuple[Card, ...] = ()
    sure: bool = True
    played: bool = True
    """False: nobody saw it; the trick was gathered without it."""
    deduced: bool = False
    """It was not read, but is the only one left of its candidates: good for the score, never against anybody."""
    order_sure: bool = True
    """False: its hand speaks for another seat, so the cards of this trick may have come in another order."""

    @property
    def known(self) -> Card | None:
        """The card, if its reading can be relied on."""
        return self.card if self.sure else None


@dataclass(frozen=True)
class Trick:
    """A trick that was taken up. plays in the order they came; winners: every seat that can have won it."""

    plays: tuple[Laid, ...]
    leader: int | None
    winners: frozenset[int]
    points: tuple[Range, ...]
    extras: tuple[Laid, ...] = ()
    """Cards that lay with it against the rules, and went with it."""


def in_seat_order(plays: Sequence[Laid], leader: int | None, players: int) -> list[Laid]:
    """The plays of a trick from its leader on: what lies there, whatever came first."""
    if leader is None or any(one.seat is None for one in plays):
        return list(plays)
    return sorted(plays, key=lambda one: ((one.seat or 0) - leader) % players)


def may_be(unread: Laid, unseen: Sequence[Card]) -> tuple[Card, ...]:
    """What a card that is not known may be: its candidates, less those that lay on the table elsewhere."""
    return tuple(card for card in unread.candidates if card in unseen) or unread.candidates or tuple(unseen)


def readings(plays: Sequence[Laid], unseen: Sequence[Card]) -> Iterable[tuple[Card, ...]] | None:
    """Every way to read these cards; None: too many."""
    choices: list[tuple[Card, ...]] = []
    size = 1
    for one in plays:
        choices.append((one.known,) if one.known else may_be(one, unseen))
        size *= len(choices[-1])
    if size > MANY_READINGS:
        return None
    return (cards for cards in product(*choices) if len(set(cards)) == len(cards))


def possible_winners(
    game: TrickGame, trump: str, plays: Sequence[Laid], leaders: frozenset[int], unseen: Sequence[Card]
) -> frozenset[int]:
    """Every seat that can have won a complete trick."""
    ways = readings(plays, unseen)
    if ways is None:
        return frozenset(range(game.players))
    places = {game.winning(way, trump) for way in ways} or set(range(len(plays)))
    return frozenset(seat for place in places for seat in _seats_at(game, plays, place, leaders))


def _seats_at(game: TrickGame, plays: Sequence[Laid], place: int, leaders: frozenset[int]) -> Iterable[int]:
    seat = plays[place].seat
    return [(leader + place) % game.players for leader in leaders] if seat is None else [seat]


def trick_points(
    game: TrickGame,
    trump: str,
    trick: Sequence[Laid],
    extras: Sequence[Laid],
    leaders: frozenset[int],
    winners: frozenset[int],
    unseen: Sequence[Card],
) -> tuple[Range, ...]:
    """What a trick, known to have gone to one of the winners, brings each side, at least and at most."""
    beside = sum(game.card_points(one.known) for one in extras if one.known)
    ways = readings(trick, unseen)
    if ways is None:
        most = beside + sum(game.card_points(one.known) if one.known else game.most_points for one in trick)
        return tuple((0, most) for _ in range(game.side_count))
    possible: set[tuple[int, int]] = set()
    for way in ways:
        points = beside + sum(game.card_points(card) for card in way)
        for seat in _seats_at(game, trick, game.winning(way, trump), leaders):
            if seat in winners:
                possible.add((game.sides[seat], points))
    return tuple(
        (
            min((points if won == side else 0 for won, points in possible), default=0),
            max((points if won == side else 0 for won, points in possible), default=0),
        )
        for side in range(game.side_count)
    )


def trick_worth(game: TrickGame, trick: Sequence[Laid], unseen: Sequence[Card]) -> Range:
    """What the cards of a trick are worth, whoever won it."""
    low = high = 0
    for one in trick:
        worth = [game.card_points(card) for card in ((one.known,) if one.known else may_be(one, unseen))]
        low += min(worth, default=0)
        high += max(worth, default=0)
    return low, high


@dataclass(frozen=True)
class DealReading:
    """One way to read a whole deal."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[Card, ...]
    """What the unread cards were, in the order of the tricks."""


def deal_readings(
    game: TrickGame, trump: str, tricks: Sequence[Trick], unseen: Sequence[Card], wrong_leads: frozenset[int]
) -> list[DealReading] | None:
    """Every way to read a deal that was played out, in keeping with who led each next trick; None: too many.

    wrong_leads: tricks (from 1) that a seat led without having won the one before, as the alert said.
    """
    unread = [one for trick in tricks for one in (*trick.plays, *trick.extras) if not one.known]
    size = 1
    for step in range(len(unread)):
        size *= len(unseen) - step
    if size > MANY_READINGS:
        return None
    found: list[DealReading] = []
    for cards in permutations(unseen, len(unread)):
        if any(one.candidates and card not in one.candidates for one, card in zip(unread, cards, strict=True)):
            continue
        found.extend(_read_deal(game, trump, tricks, cards, wrong_leads))
    return found


def _read_deal(
    game: TrickGame, trump: str, tricks: Sequence[Trick], unread: Sequence[Card], wrong_leads: frozenset[int]
) -> Iterable[DealReading]:
    firsts = range(game.players) if tricks[0].leader is None else (tricks[0].leader,)
    for first in firsts:
        leader = first
        left = iter(unread)
        winners: list[int] = []
        points = [0] * game.side_count
        for number, trick in enumerate(tricks, 1):
            if number in wrong_leads and trick.leader is not None:
                leader = trick.leader
            if trick.leader not in (None, leader):
                break
            cards = [one.known or next(left) for one in trick.plays]
            place = game.winning(cards, trump)
            seat = trick.plays[place].seat
            leader = (leader + place) % game.players if seat is None else seat
            if leader not in trick.winners:
                break
            winners.append(leader)
            beside = [one.known or next(left) for one in trick.extras]
            points[game.sides[leader]] += sum(game.card_points(card) for card in (*cards, *beside))
        else:
            yield DealReading(tuple(winners), tuple(points), tuple(unread))
