"""Tricks as they lie on a table: cards that may be unread, a leader that may be open, and who can have won.

An unread card's candidates are a guess. What only counts the score goes by them; whatever may accuse asks
certain_winners, which takes no such card for anything.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import prod
from operator import attrgetter

from engine.cards import SUITS, Card
from engine.rules.tricks import TrickGame
from engine.values import changed
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
    guessed: bool = False
    """Nobody said whose card it is: the seat is the likely one, and nobody is at fault by it."""
    counts: bool | None = None
    """Of two cards of its seat in one trick, whether it is the one that counts; None: nobody has said."""
    order_sure: bool = True
    """False: its hand speaks for another seat, so the cards of this trick may have come in another order."""
    trick_to: int | None = None
    """Who won its trick, as somebody said."""
    assumed: bool = False
    """Nobody said whose card it is: the seat is the one whose turn it was, if no trick went by unseen."""
    beside: bool = True
    """It lies beside the card of its trick before it."""

    @property
    def known(self) -> Card | None:
        """The card, if its reading can be relied on."""
        return self.card if self.sure else None


@dataclass(frozen=True)
class Trick:
    """A trick that was taken up. plays from its leader on; winners: every seat that can have won it."""

    plays: tuple[Laid, ...]
    leader: int | None
    winners: frozenset[int]
    """By the candidates, by where it was taken, and by who led the next."""
    points: tuple[Range, ...]
    extras: tuple[Laid, ...] = ()
    """Cards that lay with it against the rules, and went with it."""
    sure_winners: frozenset[int] = frozenset()
    """By the cards alone that were read."""
    open_winners: frozenset[int] = frozenset()
    """By the cards that were read, by a sure taking, and by a sure lead of the next: by no guess. A score hangs on
    these."""

    @property
    def together(self) -> bool:
        """Whether none of its cards can be of another trick."""
        return lay_together(self.plays)

    @property
    def contested(self) -> tuple[Laid, ...]:
        """Second cards of a seat of which nobody has said whether they count."""
        return contested(self.extras)


def lay_together(plays: Sequence[Laid]) -> bool:
    """Whether these cards of a trick lie there together."""
    return all(laid.beside for laid in sorted(plays, key=attrgetter("number"))[1:])


def trumps(trump: str | None) -> Sequence[str]:
    """The suits that may be trump: all of them while it is open."""
    return SUITS if trump is None else (trump,)


def in_seat_order(plays: Sequence[Laid], leader: int | None, players: int) -> list[Laid]:
    """The plays of a trick from its leader on: what lies there, whatever came first."""
    if leader is None or any(laid.seat is None for laid in plays):
        return list(plays)
    return sorted(plays, key=lambda laid: ((laid.seat or 0) - leader) % players)


def in_laid_order(plays: Sequence[Laid]) -> list[Laid]:
    """The plays as they came; one that nobody saw keeps its place among them. As they lie round the table where the
    order is not sure."""
    if not all(laid.order_sure for laid in plays):
        return list(plays)
    came = iter(sorted([laid for laid in plays if laid.played], key=lambda laid: laid.number))
    return [next(came) if laid.played else laid for laid in plays]


def contested(extras: Sequence[Laid]) -> tuple[Laid, ...]:
    """Those of the cards beside a trick of which nobody has said whether they count."""
    return tuple(laid for laid in extras if laid.counts is None)


def may_be(unread: Laid, unseen: Sequence[Card]) -> tuple[Card, ...]:
    """What a card that is not known may be: its candidates, less those that lay on the table elsewhere."""
    return tuple(card for card in unread.candidates if card in unseen) or unread.candidates or tuple(unseen)


def readings(plays: Sequence[Laid], unseen: Sequence[Card]) -> Iterable[tuple[Card, ...]] | None:
    """Every way to read these cards; None: too many."""
    known = tuple([laid.card for laid in plays if laid.sure and laid.card is not None])
    if len(known) == len(plays):
        return (known,) if len(set(known)) == len(known) else ()
    choices: list[tuple[Card, ...]] = []
    size = 1
    for laid in plays:
        choices.append((laid.known,) if laid.known else may_be(laid, unseen))
        size *= len(choices[-1])
    if size > MANY_READINGS:
        return None
    return (cards for cards in product(*choices) if len(set(cards)) == len(cards))


def possible_winners(
    game: TrickGame, trump: str | None, plays: Sequence[Laid], leaders: frozenset[int], unseen: Sequence[Card]
) -> frozenset[int]:
    """Every seat that can have won a complete trick."""
    ways = readings(plays, unseen)
    if ways is None:
        return frozenset(range(game.players))
    places = {game.winning(way, suit) for way in ways for suit in trumps(trump)} or set(range(len(plays)))
    return frozenset(seat for place in places for seat in _seats_at(game, plays, place, leaders))


def certain_winners(
    game: TrickGame,
    trump: str | None,
    plays: Sequence[Laid],
    extras: Sequence[Laid],
    leaders: frozenset[int],
    unseen: Sequence[Card],
    doubted: Collection[int],
) -> frozenset[int]:
    """Every seat that can have won a complete trick whatever its unread cards were, and whichever of two cards of one
    seat counts. unseen: cards that were read for sure nowhere. doubted: events whose reading another contradicts."""
    ways: Iterable[Sequence[Laid]] = (plays,)
    if beside := contested(extras):
        ways = product(*([laid, *(extra for extra in beside if extra.seat == laid.seat)] for laid in plays))
    return frozenset(
        seat
        for way in ways
        for seat in possible_winners(game, trump, [as_read(laid, doubted) for laid in way], leaders, unseen)
    )


def unlisted(plays: Iterable[Laid]) -> tuple[Laid, ...]:
    """The cards of a trick without their candidates, which something seen has spoken against."""
    return tuple(
        changed(laid, card=None if laid.deduced else laid.card, candidates=(), deduced=False) for laid in plays
    )


def as_read(laid: Laid, doubted: Collection[int]) -> Laid:
    """The card as an accusation may take it: without what it was only taken for."""
    if laid.known and not laid.deduced and laid.number not in doubted:
        return laid
    return changed(laid, card=None, candidates=(), deduced=False)


def _seats_at(game: TrickGame, plays: Sequence[Laid], place: int, leaders: frozenset[int]) -> Iterable[int]:
    seat = plays[place].seat
    return [(leader + place) % game.players for leader in leaders] if seat is None else [seat]


def _ways(
    game: TrickGame,
    trump: str,
    trick: Sequence[Laid],
    extras: Sequence[Laid],
    leaders: frozenset[int],
    unseen: Sequence[Card],
) -> Iterable[tuple[int, int]]:
    """For every way to read a trick, who wins it and what it is worth."""
    beside = sum(game.card_points(laid.known, trump) for laid in extras if laid.known)
    for way in readings(trick, unseen) or ():
        points = beside + sum([game.card_points(card, trump) for card in way])
        for seat in _seats_at(game, trick, game.winning(way, trump), leaders):
            yield seat, points


def trick_points(
    game: TrickGame,
    trump: str | None,
    trick: Sequence[Laid],
    extras: Sequence[Laid],
    leaders: frozenset[int],
    winners: frozenset[int],
    unseen: Sequence[Card],
) -> tuple[Range, ...]:
    """What a trick, known to have gone to one of the winners, brings each side, at least and at most."""
    possible = {
        (game.sides[seat], points)
        for suit in trumps(trump)
        for seat, points in _ways(game, suit, trick, extras, leaders, unseen)
        if seat in winners
    }
    if not possible:
        low, high = trick_worth(game, trump, (*trick, *extras), unseen)
        possible = {(game.sides[seat], points) for seat in winners for points in (low, high)}
    if len(possible) == 1:
        ((won, points),) = possible
        return tuple([(points, points) if side == won else (0, 0) for side in range(game.side_count)])
    return tuple(
        (
            min((points if won == side else 0 for won, points in possible), default=0),
            max((points if won == side else 0 for won, points in possible), default=0),
        )
        for side in range(game.side_count)
    )


def trick_worth(game: TrickGame, trump: str | None, trick: Sequence[Laid], unseen: Sequence[Card]) -> Range:
    """What the cards of a trick are worth, whoever won it."""
    cards = [laid.known for laid in trick]
    if trump is not None and all(cards):
        worth_of_all = sum([game.card_points(card, trump) for card in cards if card])
        return worth_of_all, worth_of_all
    sums = []
    for suit in trumps(trump):
        low = high = 0
        for laid in trick:
            worth = [game.card_points(card, suit) for card in ((laid.known,) if laid.known else may_be(laid, unseen))]
            low += min(worth, default=0)
            high += max(worth, default=0)
        sums.append((low, high))
    return min(low for low, _ in sums), max(high for _, high in sums)


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
    unread = [laid for trick in tricks for laid in (*trick.plays, *trick.extras) if not laid.known]
    size = 1
    for step in range(len(unread)):
        size *= len(unseen) - step
    if size > MANY_READINGS:
        return None if game.all_points else _by_winners(game, tricks)
    found: list[DealReading] = []
    for cards in permutations(unseen, len(unread)):
        found.extend(_read_deal(game, trump, tricks, cards, wrong_leads))
    return found


def _by_winners(game: TrickGame, tricks: Sequence[Trick]) -> list[DealReading] | None:
    """Every way in which the tricks can have been won, where no card counts."""
    if prod([len(trick.winners) for trick in tricks]) > MANY_READINGS:
        return None
    nothing = (0,) * game.side_count
    return [DealReading(winners, nothing, ()) for winners in product(*(sorted(trick.winners) for trick in tricks))]


def by_candidates(unread: Sequence[Laid], cards: Sequence[Card]) -> bool:
    return all(not laid.candidates or card in laid.candidates for laid, card in zip(unread, cards, strict=True))


def _in_turn(trick: Trick, cards: Sequence[Card], leader: int) -> tuple[list[int | None], list[Card]]:
    """The seats and what they laid, in turn from who led; as they were told, where who led is known, or whose a card is
    is not."""
    lay = list(zip([laid.seat for laid in trick.plays], cards, strict=True))
    if trick.leader is None and len({seat for seat, _ in lay} - {None}) == len(lay):
        lay = sorted(lay, key=lambda laid: ((laid[0] or 0) - leader) % len(cards))
    return [seat for seat, _ in lay], [card for _, card in lay]


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
            seats, cards = _in_turn(trick, [laid.known or next(left) for laid in trick.plays], leader)
            place = game.winning(cards, trump)
            seat = seats[place]
            leader = (leader + place) % game.players if seat is None else seat
            if leader not in trick.winners:
                break
            winners.append(leader)
            beside = [laid.known or next(left) for laid in trick.extras]
            points[game.sides[leader]] += sum(game.card_points(card, trump) for card in (*cards, *beside))
        else:
            yield DealReading(tuple(winners), tuple(points), tuple(unread))
