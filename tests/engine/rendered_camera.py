"""Honest deals as a film of still periods, and what somebody tells who sees that film badly.

Built otherwise than bad_camera.py: there the events of a deal are spoiled; here a table is played from the pack on,
each moment at which it lies still is rendered as the cards that lie there, noise falls on those moments (stretches of
blindness, hands that cover cards, cards that nobody can read), and events follow from what is left. What such a camera
is held to: a card that it names for sure lay there before that seat; it knows when cards came together, or from under a
hand, and says so; and it notices when a trick that it saw is gone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from engine.cards import FULL_PACK, JOKER, SUITS, Card, suit_of
from engine.events import Deal, Event, Play, Take, Taken, VoidDeal
from engine.rules.tricks import DRAWN_LAST, LEFT_OUT, THE_DEALERS, TrickGame


@dataclass(frozen=True)
class Lying:
    """A card on the table: the how-manieth of its deal, what it is, and before whom it lies."""

    play: int
    card: Card
    seat: int


@dataclass(frozen=True)
class Still:
    """One moment at which nothing moves."""

    trick: int
    lying: tuple[Lying, ...]
    gathered_by: int | None = None
    """The trick has just come to rest before this seat."""


@dataclass
class Film:
    """One deal, rendered."""

    begins: list[Event]
    stills: list[Still]


def dealt(game: TrickGame, rng: Random, dealer: int) -> Film:
    """An honest deal from the pack on: every player plays any card that he may."""
    pack = list(game.pack)
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(game.hand)] for _ in range(game.players)]
    stock = [pack.pop() for _ in range(game.stock)]
    begins, trump = _begun(game, rng, dealer, hands, stock, pack)
    stills, leader, number = list[Still](), (dealer + 1) % game.players, 0
    for trick in range(1, game.tricks + 1):
        laid: list[Lying] = []
        for step in range(game.players):
            seat = (leader + step) % game.players
            card = rng.choice(game.legal(hands[seat], [lying.card for lying in laid], trump, trick))
            hands[seat].remove(card)
            laid.append(Lying(number, card, seat))
            number += 1
            stills.append(Still(trick, tuple(laid)))
        leader = laid[game.winning([lying.card for lying in laid], trump)].seat
        stills.append(Still(trick, (), leader))
        first = leader if game.options.get("draw_first", "winner") == "winner" else (dealer + 1) % game.players
        for step in range(game.players if stock else 0):
            hands[(first + step) % game.players].append(stock.pop(0))
    return Film(begins, stills)


def _begun(
    game: TrickGame, rng: Random, dealer: int, hands: list[list[Card]], stock: list[Card], pack: list[Card]
) -> tuple[list[Event], str]:
    """What is turned up or named, and trump by that."""
    if game.names_trump:
        taker, turned = rng.randrange(game.players), rng.choice(hands[rng.randrange(game.players)])
        holder = next(seat for seat, hand in enumerate(hands) if turned in hand)
        taker = holder  # The card turned up is the taker's.
        trump = suit_of(turned) if rng.random() < 0.6 else rng.choice(SUITS)
        return [Deal(turned, dealer), Take(taker, trump)], trump
    turned = {DRAWN_LAST: stock, LEFT_OUT: pack, THE_DEALERS: hands[dealer]}[str(game.turn_up_goes)][-1]
    return [Deal(turned, dealer)], suit_of(turned)


@dataclass
class Noise:
    """How badly is seen: each a chance, of a moment or of a card."""

    goes_blind: float = 0.0
    sees_again: float = 0.5
    covered: float = 0.0
    unread: float = 0.0
    unsure: float = 0.0
    no_seat: float = 0.0
    whose_unsure: float = 0.0
    marker: float = 0.0
    no_dealer: float = 0.0
    thrown_in: float = 0.0

    @classmethod
    def any(cls, rng: Random) -> "Noise":
        """Some of these at once, some of them bad."""
        kinds = [
            "goes_blind", "covered", "unread", "unsure", "no_seat", "whose_unsure", "marker", "no_dealer", "thrown_in",
        ]  # fmt: skip
        chosen = rng.sample(kinds, rng.choice((1, 2, 3, 4, len(kinds))))
        return cls(sees_again=rng.choice((0.3, 0.6, 0.9)), **{kind: rng.choice((0.03, 0.1, 0.3)) for kind in chosen})


@dataclass
class Watcher:
    """Tells what it saw of films."""

    game: TrickGame
    rng: Random
    noise: Noise
    told: list[Event] = field(default_factory=list)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def watch(self, film: Film) -> None:
        """One deal."""
        self._begins(film.begins)
        seen: tuple[int, set[int]] = (0, set())
        blind, hidden = False, set[int]()
        for still in film.stills:
            blind = not self.chance(self.noise.sees_again) if blind else self.chance(self.noise.goes_blind)
            if blind:
                hidden |= {lying.play for lying in still.lying}
                continue
            seen = self._looks(still, seen, hidden)

    def _begins(self, begins: Sequence[Event]) -> None:
        for event in begins:
            if isinstance(event, Deal) and self.chance(self.noise.no_dealer):
                event = Deal(event.turn_up)
            self.told.append(event)

    def _looks(self, still: Still, seen: tuple[int, set[int]], hidden: set[int]) -> tuple[int, set[int]]:
        """What is new in a moment. seen: the trick that was seen last, and which of its cards. hidden: cards that lay
        there while nobody saw them; when they came is not sure."""
        trick, there = seen
        if there and still.trick != trick:
            self._gone(there)
            there = set()
        if still.gathered_by is not None:
            if there or self.chance(0.5):
                sure = not self.chance(self.noise.whose_unsure)
                self.told.append(Taken(still.gathered_by) if sure else self._guessed_taking())
            return still.trick, set()
        new = [lying for lying in still.lying if lying.play not in there]
        visible = [lying for lying in new if not self.chance(self.noise.covered)]
        hidden |= {lying.play for lying in new if lying not in visible}
        together = len(visible) > 1
        if together:
            self.rng.shuffle(visible)
        for lying in visible:
            order_sure = not together and lying.play not in hidden and not (hidden & {lay.play for lay in new})
            self.told.append(self._read(lying, order_sure))
        if self.chance(self.noise.marker):
            self.told.append(self._marker())
        return still.trick, there | {lying.play for lying in visible}

    def _gone(self, there: set[int]) -> None:
        """A trick that lay there is gone, and nobody saw who took it: where it was whole that is told or not."""
        if len(there) < self.game.players or self.chance(0.5):
            self.told.append(self._guessed_taking())

    def _guessed_taking(self) -> Taken:
        return Taken(self.rng.randrange(self.game.players), 0.5)

    def _read(self, lying: Lying, order_sure: bool) -> Play:
        seat = None if self.chance(self.noise.no_seat) else lying.seat
        if self.chance(self.noise.unread):
            others = tuple(self.rng.sample(self.game.pack, 2)) if self.chance(0.5) else ()
            return Play(None, seat, candidates=others, order_sure=order_sure)
        if self.chance(self.noise.unsure):
            name = lying.card if self.chance(0.5) else self.rng.choice(self.game.pack)
            return Play(name, seat, confidence=0.7, order_sure=order_sure)
        return Play(lying.card, seat, order_sure=order_sure)

    def _marker(self) -> Play:
        outside = [card for card in (*FULL_PACK, JOKER) if card not in self.game.whole_pack]
        return Play(self.rng.choice(outside), None, confidence=0.6)


def films(game: TrickGame, rng: Random, deals: int, thrown_in: float) -> Iterator[Film]:
    """Honest deals in a row. thrown_in: how often one is given up half way, said or not, and dealt anew."""
    dealer = rng.randrange(game.players)
    for _ in range(deals):
        if rng.random() < thrown_in:
            film = dealt(game, rng, dealer)
            yield Film(film.begins, film.stills[: rng.randrange(1, len(film.stills))])
            if rng.random() < 0.3:
                yield Film([VoidDeal(0.5)], [])
        yield dealt(game, rng, dealer)
        dealer = game.next_dealer(dealer, match_won=False)


def seen_badly(game: TrickGame, rng: Random, deals: int, noise: Noise) -> list[Event]:
    """What is told of honest deals."""
    watcher = Watcher(game, rng, noise)
    for film in films(game, rng, deals, noise.thrown_in):
        watcher.watch(film)
    return watcher.told
