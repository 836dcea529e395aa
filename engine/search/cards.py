"""Plays tricks from what everybody at the table knows: deals the hidden cards out again and again, as they may lie, and
plays each of its own cards in every such deal.

Nothing here knows a game by name: what may be played, what a play tells of a hand, and what a deal brings are asked of
its rules. It never looks at a hand that is not its own: `SeatView` holds all that it is given.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from engine.cards import Card, suit_of
from engine.playing import ACCEPT, OFFER, CardsPlayed
from engine.rules.tricks import DRAWN_LAST, PASS, THE_DEALERS, THE_TAKERS
from engine.search.bidding import likely_bid

SAMPLES = 60
"""Deals that are dealt out for each decision: a tenth of a second. With a fifth of them turufu is clearly weaker."""
LEVEL_SAMPLES = {1: 1, 2: 3, 3: 12, 4: SAMPLES, 5: 150}
"""The same at each level."""
LOOK_THROUGH = 8
"""So many cards left in all hands, and every way to play them is tried; with more a likely one is played."""
NOBODY_TAKES = 0.0
"""What a deal brings in which everybody passes."""
TRIES = 60
"""Ways to deal the hidden cards out that are tried before what plays have shown is let go of."""
SHARE_OF_POINTS = 0.5
"""What all points of a deal are worth beside one game."""


@dataclass(frozen=True)
class SeatView:
    """What one seat knows of a deal."""

    seat: int
    hand: tuple[Card, ...]
    table: CardsPlayed
    """What lies open: no hand is in it."""
    counts: tuple[int, ...]
    """Cards in each hand."""
    stock: int

    @classmethod
    def of(cls, table: CardsPlayed, seat: int) -> "SeatView":
        """A table as one seat sees it."""
        seen = _copied(table)
        seen.hands = [[] for _ in table.hands]
        seen.stock = []
        return cls(seat, tuple(table.hands[seat]), seen, tuple(map(len, table.hands)), len(table.stock))

    @cached_property
    def shown(self) -> Mapping[int, frozenset[Card]]:
        """Cards that everybody knows to be in another hand: the one turned up went there. What a pillager took he may
        have paid with."""
        seat, turn_up = self._turn_up_seat, self.table.turn_up
        if seat is None or seat == self.seat or turn_up is None or self._is_seen(turn_up):
            return {}
        return {seat: frozenset({turn_up})}

    @property
    def _turn_up_seat(self) -> int | None:
        """Whose hand the card turned up went to. None: it lies there, or nobody knows."""
        table, game = self.table, self.table.game
        if game.turn_up_goes == THE_TAKERS:
            return table.taker
        if game.turn_up_goes == THE_DEALERS:
            return table.dealer
        if game.turn_up_goes == DRAWN_LAST and len(table.winners) >= game.draws:
            return game.last_drawer(table.winners[game.draws - 1], table.dealer)
        return None

    def _is_seen(self, card: Card) -> bool:
        """Whether it was played, or this seat holds it."""
        return card in self.table.played_by or card in self.hand

    @cached_property
    def hidden(self) -> tuple[Card, ...]:
        """Every card of which nobody told where it is."""
        table = self.table
        open_cards = {*self.hand, *table.played_by, *([table.turn_up] if table.turn_up else [])}
        open_cards.update(*self.shown.values())
        return tuple(card for card in table.game.pack if card not in open_cards)

    @cached_property
    def lacking(self) -> tuple[frozenset[Card], ...]:
        """For each seat the cards that it cannot hold: else something that it played had been forbidden."""
        game, players = self.table.game, self.table.players
        lacking: list[frozenset[Card]] = [frozenset()] * players
        plays = list(self.table.played_by.items())
        for at, (card, seat) in enumerate(plays):
            trick = at // players + 1
            if trick > game.draws:  # What was drawn since may be anything.
                before = [played for played, _ in plays[(trick - 1) * players : at]]
                lacking[seat] |= game.forbidden(before, card, self.table.trump, trick)
        return tuple(lacking)

    def dealt_out(self, rng: Random) -> CardsPlayed:
        """A table on which the hidden cards lie in hands as they may."""
        hands = self._hands(rng)
        held = {card for hand in hands.values() for card in hand}
        left = [card for card in self.hidden if card not in held]
        rng.shuffle(left)
        table = _copied(self.table)
        table.hands = [list(self.hand) if seat == self.seat else hands[seat] for seat in range(table.players)]
        # A hand that was misread, or that has drawn before the judge knows of it, may hold the card turned up.
        turn_up = table.turn_up if table.game.turn_up_goes == DRAWN_LAST and self.stock else None
        last = [] if turn_up is None or self._is_seen(turn_up) else [turn_up]
        table.stock = [*last, *left[: self.stock - len(last)]]
        table.rng, table.deals = rng, len(table.outcomes) + 1
        return table

    def _hands(self, rng: Random) -> dict[int, list[Card]]:
        for attempt in range(TRIES):
            lacking = self.lacking if attempt < TRIES - 1 else (frozenset(),) * self.table.players
            hands = self._tried(rng, lacking)
            if hands is not None:
                return hands
        raise ValueError("more cards in hands than are hidden")

    def _tried(self, rng: Random, lacking: Sequence[frozenset[Card]]) -> dict[int, list[Card]] | None:
        """The hands of the others by lot; None: the lot left a card that nobody can hold."""
        others = [seat for seat in range(self.table.players) if seat != self.seat]
        hands = {seat: list(self.shown.get(seat, ())) for seat in others}
        room = {seat: self.counts[seat] - len(hands[seat]) for seat in others}
        spare = len(self.hidden) - sum(room.values())
        cards = list(self.hidden)
        rng.shuffle(cards)
        # First the cards that few can hold.
        cards.sort(key=lambda card: sum(card not in lacking[seat] for seat in others))
        for card in cards:
            may = [seat for seat in others if room[seat] > 0 and card not in lacking[seat]]
            ways = [room[seat] for seat in may]
            if not may and spare <= 0:
                return None
            seat = rng.choices([*may, None], [*ways, max(0, spare)])[0]
            if seat is None:
                spare -= 1
            else:
                hands[seat].append(card)
                room[seat] -= 1
        return hands


@dataclass
class CardPlayer:
    """Plays a seat of any game of tricks. The same seed plays the same deal again.

    >>> from engine.playing import game_of
    >>> table = CardsPlayed(game_of("sueca"), Random(3), dealer=3)
    >>> CardPlayer(samples=2).move(SeatView.of(table, table.turn)) in table.legal_moves
    True
    """

    seed: int = 0
    samples: int = SAMPLES
    _rng: Random = field(init=False)

    def __post_init__(self) -> None:
        self._rng = Random(self.seed)

    def move(self, view: SeatView) -> str:
        """What it plays, or says. Of a hand that it sees only a part of, a likely card."""
        if len(view.hand) != view.counts[view.seat]:
            return likely_card(self._alone(view))
        worths = self.worths(view)
        return max(worths, key=lambda move: (worths[move], move))

    def worths(self, view: SeatView) -> dict[str, float]:
        """Every legal move with what it brings on average: games, and a share of one for the points."""
        legal = [move for move in self._legal(view) if move != OFFER]
        if len(legal) == 1:
            return {legal[0]: 0.0}
        worths = dict.fromkeys(legal, 0.0)
        for _ in range(self.samples):
            table = view.dealt_out(self._rng)
            for move in legal:
                worths[move] += self._tried(table, move, view.seat) / self.samples
        return worths

    def _legal(self, view: SeatView) -> list[str]:
        return self._alone(view).legal_moves

    @staticmethod
    def _alone(view: SeatView) -> CardsPlayed:
        """The table with no hand but its own."""
        table = copy(view.table)
        table.hands = [list(view.hand) if seat == view.seat else [] for seat in range(table.players)]
        return table

    def _tried(self, table: CardsPlayed, move: str, seat: int) -> float:
        """What a move brings in one deal."""
        if _passed_round(table, move):
            return NOBODY_TAKES
        table = _copied(table)
        table.push(move)
        return played_out(table, seat)


def _passed_round(table: CardsPlayed, move: str) -> bool:
    """Whether this is the last of all to pass, where somebody is to take."""
    return move == PASS and len(table.asked) == 1 and table.game.names_trump


def played_out(table: CardsPlayed, seat: int) -> float:
    """What a deal brings a seat's side if everybody plays it on: likely cards, and at the end the best ones."""
    side = table.game.sides[seat]
    while not table.is_over():
        if table.asked:
            said = _likely_word(table)
            if _passed_round(table, said):
                return NOBODY_TAKES
            table.push(said)
        elif sum(map(len, table.hands)) <= LOOK_THROUGH and not table.stock:
            return _looked_through(table, side, -1e9, 1e9)
        else:
            table.push(likely_card(table))
    return brought(table, side)


def _likely_word(table: CardsPlayed) -> str:
    if table.offered_by is not None:
        return ACCEPT
    return likely_bid(table) if table.game.names_trump else PASS


def brought(table: CardsPlayed, side: int) -> float:
    """What the deal that was just played brought a side, against the best of the others."""
    games = table.outcomes[-1].games
    others = [number for game, number in enumerate(games) if game != side]
    points = table.points if table.game.all_points else _tricks_by_side(table)
    share = points[side] - max(number for point, number in enumerate(points) if point != side)
    return games[side] - max(others) + SHARE_OF_POINTS * share / max(1, sum(points))


def _tricks_by_side(table: CardsPlayed) -> list[int]:
    taken = [0] * table.game.side_count
    for winner in table.winners:
        taken[table.game.sides[winner]] += 1
    return taken


def _looked_through(table: CardsPlayed, side: int, low: float, high: float) -> float:
    """The same, by trying every way to play on; everybody else plays against that side."""
    if table.is_over():
        return brought(table, side)
    mine = table.game.sides[table.turn] == side
    best = -1e9 if mine else 1e9
    for card in table.legal_cards:
        table.push(card)
        worth = _looked_through(table, side, low, high)
        table.pop()
        if mine:
            best, low = max(best, worth), max(low, worth)
        else:
            best, high = min(best, worth), min(high, worth)
        if low >= high:
            break
    return best


# -- a likely card, for playing a deal on quickly ----------------------------------------------------------------------


def likely_card(table: CardsPlayed) -> Card:
    """What a player of some experience lays, all hands being open: the trick is taken where that pays, points go to a
    partner who wins it, and what is worth least goes else."""
    legal = table.legal_cards
    if len(legal) == 1:
        return legal[0]
    return _led(table, legal) if not table.before else _followed(table, legal)


def _low_first(table: CardsPlayed, card: Card) -> tuple[int, bool, int]:
    """What one gives away most gladly is the least."""
    game, trump = table.game, table.trump
    return game.card_points(card, trump), suit_of(card) == trump, -len(game.above(card, trump))


def _led(table: CardsPlayed, legal: Sequence[Card]) -> Card:
    """A card that nobody can beat in its suit, the dearest first; else the least."""
    held = {card for seat, hand in enumerate(table.hands) if seat != table.turn for card in hand}
    masters = [card for card in legal if table.game.above(card, table.trump).isdisjoint(held)]
    if masters:
        return max(_plain(table, masters) or masters, key=lambda card: _low_first(table, card))
    return min(_plain(table, legal) or legal, key=lambda card: _low_first(table, card))


def _followed(table: CardsPlayed, legal: Sequence[Card]) -> Card:
    game, before, trump = table.game, table.before, table.trump
    last = len(before) == table.players - 1
    best = game.winning(before, trump)
    partner = game.sides[(table.leader + best) % table.players] == game.sides[table.turn]
    if partner and (last or _stands(table, before[best])):
        return max(_plain(table, legal) or legal, key=lambda card: _dear_to_give(table, card))
    winners = [card for card in legal if game.winning([*before, card], trump) == len(before)]
    sure = winners if last else [card for card in winners if _stands(table, card)]
    if not sure or (partner and not last):
        return min(legal, key=lambda card: _low_first(table, card))
    plain = _plain(table, sure)
    if plain:
        return max(plain, key=lambda card: _low_first(table, card))
    return min(sure, key=lambda card: _low_first(table, card))


def _plain(table: CardsPlayed, cards: Sequence[Card]) -> list[Card]:
    """Those that are no trumps."""
    return [card for card in cards if suit_of(card) != table.trump]


def _dear_to_give(table: CardsPlayed, card: Card) -> tuple[int, int]:
    """What a partner who wins the trick is given: points, and of as many the card that wins least by itself."""
    return table.game.card_points(card, table.trump), len(table.game.above(card, table.trump))


def _stands(table: CardsPlayed, card: Card) -> bool:
    """Whether none of those who still play to this trick can beat a card in its suit, or trumps it for want of it."""
    game, trump, players = table.game, table.trump, table.players
    above = game.above(card, trump)
    for step in range(1, players - len(table.before)):
        seat = (table.turn + step) % players
        if game.sides[seat] == game.sides[table.turn]:
            continue
        hand = table.hands[seat]
        if not above.isdisjoint(hand):
            return False
        suits = {suit_of(held) for held in hand}
        if trump in suits and suit_of(card) not in suits:
            return False
    return True


def _copied(table: CardsPlayed) -> CardsPlayed:
    """A table to play on, of which nothing comes back to this one."""
    made = copy(table)
    made.hands = [list(hand) for hand in table.hands]
    made.stock, made.before, made.winners = list(table.stock), list(table.before), list(table.winners)
    made.points, made.asked, made.played_by = list(table.points), list(table.asked), dict(table.played_by)
    made.outcomes, made.taken = list(table.outcomes), list(table.taken)
    made.forget()
    return made
