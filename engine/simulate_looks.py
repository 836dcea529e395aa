"""Simulated looks: what a camera's eye would report of a simulated deal, with the mess of a real table, by seed.

Much faster than drawing pictures: for thousands of deals through the part that turns looks into events.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from engine.cards import Card
from engine.events import Deal, Event, Pillage, Play, Taken, TakenBack, TurnUpSeen
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Hand, Point, TableLook

LENGTH = 0.3
"""Of a card, in table units."""
STOCK_AT: Point = (-0.62, -0.12)
"""Where the turned-up card lies."""
JUST_ON, OVERLAPS = 0.2, 0.55
"""Card lengths between two middles from which the upper card hides the lower always, and from which it may."""
STEP_S = 0.1
"""Between two frames."""


@dataclass(frozen=True)
class LookMess:
    """How often what happens at a table happens."""

    missed: float = 0.01
    """A card that lies open is not seen in a look."""
    covers: float = 0.5
    """A card that lands half on another hides all that tells which that is."""
    unsure: float = 0.01
    """A card cannot be read, in a look."""
    quick: float = 0.0
    """The next card of the trick lands before the table was looked at."""
    between: float = 0.8
    """Of the quick ones: no hand was over the table for a moment in between."""
    thought_better: float = 0.0
    """A card is put down, lifted again, and put down after all."""
    across: float = 0.0
    """Arms come in beside their seat's direction by up to so many degrees more."""
    markers: bool = False
    """Cards that are not in the pack lie at the table's edge."""


@dataclass
class _Table:
    lying: dict[Card, Point] = field(default_factory=dict)
    hidden: dict[Card, Card] = field(default_factory=dict)
    """Cards of which no index shows, each with the one that lies over it."""
    hands: list[Hand] = field(default_factory=list)
    packets: list[Point] = field(default_factory=list)
    rested: dict[Card, Point] = field(default_factory=dict)
    """What lay there at the last rest."""
    now_s: float = 0.0


class LookTable:
    """One table whose looks are made up from events."""

    def __init__(self, game: TrickGame, seed: int, clockwise: bool, mess: LookMess | None = None) -> None:
        self.game = game
        self.rng = Random(seed)
        self.mess = mess or LookMess()
        self.step = 360 / game.players * (1 if clockwise else -1)
        self._table = _Table()
        self._played: dict[int, tuple[Card, int]] = {}
        self._seen: set[Card] = set()
        """Cards of tricks that were taken up."""

    def looks(self, events: Iterable[Event]) -> Iterator[tuple[TableLook, int]]:
        """The looks these events give, each with how many of the events have happened by then."""
        trick: list[Card] = []
        turn_up: Card | None = None
        done = 0
        tricks = 0
        for number, event in enumerate(events, 1):
            table = self._table
            match event:
                case Deal():
                    for card in trick:
                        table.lying.pop(card, None)
                    trick, tricks = [], 0
                    self._seen = set()
                    table.lying.clear()
                    for seat in range(self.game.players):
                        self._hand(self.rng.randrange(self.game.players), self._before(seat, 0.8))
                    yield from self._rest(done)
                    self._hand(self.rng.randrange(self.game.players), STOCK_AT)
                    turn_up = event.turn_up
                    table.lying[turn_up] = self._near(STOCK_AT, 0.02)
                case Play() if event.card is not None and event.seat is not None:
                    if event.before_taken is False and trick and len(trick) >= self.game.players:
                        trick = []
                    self._put(event.card, event.seat, trick)
                    if self.rng.random() < self.mess.thought_better and not event.before_taken:
                        yield from self._rest(done, steady=True)
                        self._lift(event.card)
                        self._hand(event.seat, (0.0, 0.0))
                        yield from self._rest(done, steady=True)
                        self._put(event.card, event.seat, trick)
                    trick.append(event.card)
                    self._played[number] = (event.card, event.seat)
                case TakenBack():
                    card, seat = self._played[event.number]
                    self._lift(card)
                    trick = [one for one in trick if one != card]
                    self._hand(seat, (0.0, 0.0))
                case Taken():
                    self._seen |= {*trick}
                    for card in trick:
                        table.lying.pop(card, None)
                    table.hidden.clear()
                    trick = []
                    tricks += 1
                    self._hand(event.seat, (0.0, 0.0))
                    table.packets.append(self._near(self._before(event.seat, 0.78), 0.05))
                    done = number
                    yield from self._rest(done)
                    if tricks <= self.game.draws:
                        for seat in range(self.game.players):
                            self._hand(seat, STOCK_AT)
                        if tricks == self.game.draws and turn_up:
                            table.lying.pop(turn_up, None)
                            turn_up = None
                        yield from self._rest(done)
                case Pillage() if event.seat is not None:
                    table.lying.pop(event.card, None)
                    self._hand(event.seat, STOCK_AT)
                    if event.next is not None:
                        turn_up = event.next
                        table.lying[turn_up] = self._near(STOCK_AT, 0.02)
                case TurnUpSeen():
                    if turn_up:
                        table.lying.pop(turn_up, None)
                    turn_up = event.card
                    self._hand(self.rng.randrange(self.game.players), STOCK_AT)
                    table.lying[turn_up] = self._near(STOCK_AT, 0.02)
                case _:
                    continue
            done = number
            quick = isinstance(event, Play) and len(trick) < self.game.players and self.rng.random() < self.mess.quick
            if not quick:
                yield from self._rest(done)
            elif self.rng.random() < self.mess.between:
                yield self._glance(done)
        yield from self._rest(done, steady=True)

    def _put(self, card: Card, seat: int, trick: list[Card]) -> None:
        table = self._table
        at = self._near(self._before(seat, 0.22), 0.1)
        for one in trick:
            apart = math.dist(table.lying[one], at) / LENGTH if one in table.lying else 1.0
            if apart < JUST_ON or (apart < OVERLAPS and self.rng.random() < self.mess.covers):
                table.hidden[one] = card
        table.lying[card] = at
        self._hand(seat, at)

    def _lift(self, card: Card) -> None:
        table = self._table
        table.lying.pop(card, None)
        table.hidden = {one: cover for one, cover in table.hidden.items() if card not in (one, cover)}

    def _before(self, seat: int, far: float) -> Point:
        turn = math.radians(self.step * seat)
        return -far * math.sin(turn), far * math.cos(turn)

    def _near(self, at: Point, spread: float) -> Point:
        return at[0] + self.rng.gauss(0, spread), at[1] + self.rng.gauss(0, spread)

    def _hand(self, seat: int, reach: Point) -> None:
        table = self._table
        came = table.now_s + STEP_S
        table.now_s = came + self.rng.uniform(0.5, 1.2)
        angle = self.step * seat + self.rng.gauss(0, 6) + self.rng.uniform(-1, 1) * self.mess.across
        arm, beyond = math.radians(angle), self._near(reach, 0.05)
        tip = (beyond[0] + LENGTH / 2 * math.sin(arm), beyond[1] - LENGTH / 2 * math.cos(arm))
        table.hands.append(Hand(angle % 360, tip, came, table.now_s))

    def _glance(self, done: int) -> tuple[TableLook, int]:
        """A single frame between two hands."""
        table = self._table
        cards = tuple(
            CardLying(card, 0.99, self._near(at, 0.01))
            for card, at in table.lying.items()
            if table.hidden.get(card) not in table.lying
        )
        hands, table.hands = tuple(table.hands), []
        moved = set(table.rested.items()) ^ set(table.lying.items())
        table.rested = dict(table.lying)
        changed = tuple((at[0], at[1], LENGTH / 2) for _, at in sorted(moved))
        return TableLook(table.now_s + STEP_S, cards, hands, (), changed, LENGTH, fresh=True), done

    def _rest(self, done: int, steady: bool = False) -> Iterator[tuple[TableLook, int]]:
        """Two looks at the table as it lies; more while something cannot be read."""
        table = self._table
        table.now_s += 0.35
        moved = set(table.rested.items()) ^ set(table.lying.items())
        changed = tuple((at[0], at[1], LENGTH / 2) for _, at in sorted(moved))
        gone = any(card not in table.lying for card in table.rested)
        table.rested = dict(table.lying)
        before: set[Card | None] | None = None
        for look in range(6):
            doubtful = False
            cards = []
            for card, at in table.lying.items():
                if table.hidden.get(card) in table.lying:
                    continue
                if self.rng.random() < self.mess.missed:
                    doubtful = doubtful or (card, at) in moved  # Something new lies there and shows no face.
                    continue
                if self.rng.random() < self.mess.unsure and not steady:
                    doubtful = True
                    others = tuple(self.rng.sample(self.game.pack, 2))
                    cards.append(CardLying(None, 0.0, self._near(at, 0.01), (card, *others), outlined=False))
                else:
                    cards.append(CardLying(card, 0.99, self._near(at, 0.01)))
            if self.mess.markers:
                outside = ("8C", "9D") if "8C" not in self.game.whole_pack else ("2C", "3D")
                cards += [CardLying(card, 0.99, (0.3 + k * 0.3, 0.92)) for k, card in enumerate(outside)]
            fresh = look == 0
            yield (
                TableLook(
                    table.now_s,
                    tuple(cards),
                    tuple(table.hands) if fresh else (),
                    tuple(table.packets) if fresh else (),
                    changed if fresh else (),
                    LENGTH,
                    fresh,
                ),
                done,
            )
            table.hands, table.packets = [], []
            table.now_s += STEP_S
            names = {one.card for one in cards}
            strange = any(one.card not in self.game.whole_pack or one.card in self._seen for one in cards if one.card)
            if look >= (4 if strange else 2 if gone else 1) and not doubtful and names == before:
                break
            before = names
        table.now_s += self.rng.uniform(0.1, 1.0)


def calm(mess: LookMess) -> LookMess:
    """The same table, with perfect eyes."""
    return replace(mess, missed=0.0, unsure=0.0)
