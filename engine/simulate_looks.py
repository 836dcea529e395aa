"""Simulated looks: what a camera's eye would report of a simulated deal, with the mess of a real table, by seed.

Much faster than drawing pictures: for thousands of deals through the part that turns looks into events.
"""

import math
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from engine.cards import Card, suit_of
from engine.events import Deal, Event, Pillage, Play, Take, Taken, TakenBack, TurnUpSeen
from engine.rules.tricks import THE_DEALERS, TrickGame
from engine.sightings import CardLying, Glance, Hand, Point, TableLook, covers

LENGTH = 0.3
"""Of a card, in table units."""
STOCK_AT: Point = (-0.62, -0.12)
"""Where the turned-up card lies."""
JUST_ON, OVERLAPS = 0.2, 0.55
"""Card lengths between two middles from which the upper card hides the lower always, and from which it may."""
STEP_S = 0.1
"""Between two frames."""
ROW, ROW_STEP, ROW_PLACES = 0.82, 0.11, tuple(range(-7, 4))
"""Table units from the middle at which a hand lies open, and between two of its cards; its places, rather at one side,
since a pile of tricks lies at the other."""
SPREAD_EARLY = 0.5
"""The chance that an open hand is laid out before a card is turned up."""
MOST_COUNTED = 7
"""Cards of one player's tricks that are spread at once."""
MORE_LOOKS = 4
"""At something strange, after the first."""


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
    glances: float = 0.0
    """A card that was laid lies open beside the hand for a moment before the table rests, and is seen then."""
    misread: float = 0.0
    """A card is read as another, in a rest; and so again in most of its looks, since they are not independent."""
    guessed: float = 0.0
    """Only one index of a card shows, and its middle is guessed from it."""
    late_turn_up: float = 0.0
    """The card turned up is not seen before the first trick is taken up."""
    hand_deg: float = 6.0
    """How much the arms of one seat differ, one standard deviation."""
    uneven_deg: float = 0.0
    """How far players sit from where they would sit evenly round, one standard deviation."""
    hand_missed: float = 0.0
    """A hand that laid a card is not seen."""
    idle_hands: float = 0.0
    """A hand comes over the table and does nothing, before a card is laid."""
    for_others: float = 0.0
    """A neighbour's hand lays the card."""
    far: tuple[float, float] = (0.22, 0.22)
    """Table units from the middle at which cards are laid: for each table between these."""
    spread: float = 0.1
    """Of the places where one seat lays, one standard deviation in table units."""
    beside_stock: float = 0.0
    """A card is laid within a card's length of the one turned up."""
    stock_anywhere: bool = False
    """The stock lies anywhere within reach."""
    on_turn_up: float = 0.0
    """A taken trick is laid over the card turned up."""
    swept_at_once: float = 0.0
    """A trick is swept up before the table rested after its last card."""
    heaped: float = 0.0
    """A trick is thrown on one heap, every card over the one before."""
    gathered_by_others: float = 0.0
    """Somebody else's hand takes up the trick, and lays it on the right pile."""
    open_piles: float = 0.0
    """Tricks lie face up before who took them: the last card of each is seen there."""
    counted: float = 0.0
    """After the deal everybody spreads his tricks face up and counts them."""
    slow_beyond: float = math.inf
    """Table units from the middle beyond which neither a glance nor the first look of a rest shows a card."""
    alike: float = 0.0
    """The card turned up cannot be told from another of its suit: a jack from a queen in some decks."""
    hurry: float = 1.0
    """Hands and pauses are by up to so many times quicker or slower, from table to table."""


CALM_LOOKS = LookMess(missed=0.0, unsure=0.0)
HOUSE_LOOKS = LookMess(missed=0.03, unsure=0.03, thought_better=0.05, across=10, markers=True)
WIDE_LOOKS = LookMess(
    missed=0.04, covers=0.6, unsure=0.03, quick=0.15, between=0.3, thought_better=0.03, across=15, markers=True,
    glances=0.85, misread=0.0005, guessed=0.1, late_turn_up=0.04, hand_deg=9, uneven_deg=12, hand_missed=0.01,
    idle_hands=0.08, for_others=0.005, far=(0.1, 0.4), spread=0.12, beside_stock=0.04, stock_anywhere=True,
    on_turn_up=0.08, swept_at_once=0.06, heaped=0.08, gathered_by_others=0.2, hurry=2.5,
)  # fmt: skip
MARKET_LOOKS = LookMess(
    missed=0.08, covers=0.8, unsure=0.08, quick=0.35, between=0.3, thought_better=0.08, across=20, markers=True,
    glances=0.6, misread=0.002, guessed=0.25, late_turn_up=0.2, hand_deg=14, uneven_deg=18, hand_missed=0.03,
    idle_hands=0.25, for_others=0.015, far=(0.05, 0.45), spread=0.16, beside_stock=0.1, stock_anywhere=True,
    on_turn_up=0.2, swept_at_once=0.15, heaped=0.5, gathered_by_others=0.4, hurry=3.0,
)  # fmt: skip
GUEST_LOOKS = LookMess(
    missed=0.02, unsure=0.02, across=12, markers=True, glances=0.7, hand_deg=8, uneven_deg=8, far=(0.15, 0.72),
    spread=0.06, idle_hands=0.15, stock_anywhere=True, gathered_by_others=0.1, hurry=1.5, open_piles=0.7, counted=0.5,
    slow_beyond=0.68, alike=0.4,
)  # fmt: skip
"""What players of other houses do, seen well: tricks that lie open, are counted, cards laid before each player."""
LOOK_MESSES = {
    "calm": CALM_LOOKS, "house": HOUSE_LOOKS, "wide": WIDE_LOOKS, "market": MARKET_LOOKS, "guests": GUEST_LOOKS,
}  # fmt: skip
"""By name. What is wide and what a market is judged, not counted: far wider than what the drawn evenings show."""
REPEATED = 0.8
"""Part of the looks of one rest in which a misread card is misread again."""
GUESSED_OFF = 0.06
"""Table units by which a middle is off that was guessed from one index, one standard deviation."""
IN_REACH = (0.45, 0.85)
"""Table units from the middle between which a stock lies that lies anywhere."""


@dataclass
class _TableState:
    lying: dict[Card, Point] = field(default_factory=dict)
    hidden: dict[Card, Card] = field(default_factory=dict)
    """Cards of which no index shows, each with the one that lies over it."""
    hands: list[Hand] = field(default_factory=list)
    packets: list[Point] = field(default_factory=list)
    rested: dict[Card, Point] = field(default_factory=dict)
    """What lay there at the last rest."""
    open: dict[int, tuple[Card, Point]] = field(default_factory=dict)
    """What lies open on each seat's tricks."""
    now_s: float = 0.0
    glances: list[Glance] = field(default_factory=list)
    misread: dict[Card, Card] = field(default_factory=dict)
    """What each card is taken for at this rest."""
    guessed: dict[Card, Point] = field(default_factory=dict)
    """Where each card seems to be of which only one index shows."""
    row: dict[Card, Point] = field(default_factory=dict)
    """The hand that lies open."""


class LookTable:
    """One table whose looks are made up from events."""

    def __init__(
        self,
        game: TrickGame,
        seed: int,
        clockwise: bool,
        mess: LookMess | None = None,
        open_seat: int | None = None,
        held: Callable[[], Iterable[Card]] = tuple,
    ) -> None:
        """open_seat: where nobody sits, and the hand lies face up; held: the cards of it now."""
        self.open_seat, self._held = open_seat, held
        self.game = game
        self.rng = Random(seed)
        self.mess = mess or LookMess()
        self.step = 360 / game.players * (1 if clockwise else -1)
        self._table = _TableState()
        self._played: dict[int, tuple[Card, int]] = {}
        self._seen: set[Card] = set()
        """Cards of tricks that were taken up."""
        wide = self.mess
        self._seats_deg = [
            self.step * seat + (self.rng.gauss(0, wide.uneven_deg) if wide.uneven_deg else 0.0)
            for seat in range(game.players)
        ]
        self._far = self.rng.uniform(*wide.far) if wide.far[0] < wide.far[1] else wide.far[0]
        self._hurry = wide.hurry ** self.rng.uniform(-1, 1) if wide.hurry > 1 else 1.0
        self._stock_at = self._somewhere() if wide.stock_anywhere else STOCK_AT
        if open_seat is not None and not wide.stock_anywhere:  # Not where the hand lies.
            self._stock_at = self._before((open_seat + 1) % game.players, math.hypot(*STOCK_AT))
        self._trick: list[Card] = []
        self._tricks = 0
        """Taken up in this deal."""
        self._trump = ""
        self._turn_up: Card | None = None
        self._unseen_turn_up: Card | None = None
        """Of this deal, while it is not seen."""
        self._heap: Point | None = None
        """Where this trick is thrown on one heap."""
        self._piles: dict[int, list[Card]] = {}
        """The cards that each seat took in this deal."""
        self._alike: Card | None = None
        """What the card turned up is taken for as well."""
        self._opens = self._chance(wide.open_piles)
        self._counts = self._chance(wide.counted)

    def _spread_out(self) -> None:
        """The hand that lies open is laid out, as far as it is not yet; what is played of it lies there no more."""
        table, seat = self._table, self.open_seat
        if seat is None:
            return
        held = [card for card in self._held() if card not in table.lying]
        table.row = {card: at for card, at in table.row.items() if card in held}
        new = [card for card in held if card not in table.row]
        toward, across = self._before(seat, ROW), self._before(seat, ROW_STEP)
        places = [(toward[0] + step * across[1], toward[1] - step * across[0]) for step in ROW_PLACES]
        free = [at for at in places if at not in table.row.values()]
        table.row.update(zip(new, free, strict=False))
        if new:
            self._hand(self._anybody(), toward)

    def _anybody(self) -> int:
        """Whoever lays a card for the seat where nobody sits."""
        return self.rng.choice([seat for seat in range(self.game.players) if seat != self.open_seat])

    def looks(self, events: Iterable[Event]) -> Iterator[tuple[TableLook, int]]:
        """The looks these events give, each with how many of the events have happened by then."""
        self._trick, self._turn_up = [], None
        done = 0
        for number, event in enumerate(events, 1):
            match event:
                case Deal():
                    yield from self._deal(event.turn_up, done)
                    if self.game.turn_up_goes == THE_DEALERS and event.dealer is not None:
                        yield from self._into_hand(event.dealer, number)
                case Take():
                    yield from self._into_hand(event.seat, done)
                    self._trump = event.trump
                case Play() if event.card is not None and event.seat is not None:
                    self._played[number] = (event.card, event.seat)
                    yield from self._play(event.card, event.seat, event.before_taken, done, number)
                case TakenBack():
                    self._take_back(*self._played[event.number])
                case Taken():
                    yield from self._take_up(event.seat, number)
                case Pillage() if event.seat is not None:
                    self._hand_over(event.card, event.seat, event.next)
                case TurnUpSeen():
                    self._turn_up_goes()
                    self._hand(self.rng.randrange(self.game.players), self._stock_at)
                    self._turns_up(event.card)
                case _:
                    continue
            done = number
            yield from self._pause(isinstance(event, Play), done)
        yield from self._rest(done, steady=True)

    def _pause(self, played: bool, done: int) -> Iterator[tuple[TableLook, int]]:
        """The table rests, unless the next hand is quick. played: a card was laid."""
        laid = sum(card in self.game.whole_pack for card in self._trick)
        quick = played and laid < self.game.players and self.rng.random() < self.mess.quick
        quick = quick or (played and laid >= self.game.players and self._chance(self.mess.swept_at_once))
        if not quick:
            yield from self._rest(done)
        elif self.mess.glances:
            self._table.now_s += self.rng.uniform(0.0, 0.3)
        elif self.rng.random() < self.mess.between:
            yield self._glance(done)

    def _deal(self, turn_up: Card | None, done: int) -> Iterator[tuple[TableLook, int]]:
        """All is gathered, everybody is dealt cards, and one is turned up."""
        table = self._table
        self._trick, self._tricks, self._seen = [], 0, set()
        table.lying.clear()
        table.hidden = {card: over for card, over in table.hidden.items() if card != over}
        table.misread.clear()
        table.guessed.clear()
        table.open.clear()
        self._piles = {}
        table.row = {}
        held, early = self._held, self.open_seat is not None and self._chance(SPREAD_EARLY)
        self._held = lambda: [card for card in held() if early and card != turn_up]
        self._alike = self._like(turn_up) if self._chance(self.mess.alike) else None
        for seat in range(self.game.players):
            self._hand(self.rng.randrange(self.game.players), self._before(seat, 0.8))
        yield from self._rest(done)
        self._hand(self.rng.randrange(self.game.players), self._stock_at)
        self._held = held
        self._unseen_turn_up = turn_up if self._chance(self.mess.late_turn_up) else None
        self._turn_up = None
        if turn_up is not None:
            self._turns_up(turn_up)
            self._trump = suit_of(turn_up)

    def _into_hand(self, seat: int, done: int) -> Iterator[tuple[TableLook, int]]:
        """The table rests, and a player takes the card turned up into the hand."""
        yield from self._rest(done)
        self._turn_up_goes()
        self._hand(seat, self._stock_at)

    def _turns_up(self, card: Card) -> None:
        """It is turned up where the stock lies."""
        self._turn_up = card
        self._table.lying[card] = self._near(self._stock_at, 0.02)

    def _turn_up_goes(self) -> None:
        """Nothing is turned up any more."""
        if self._turn_up is not None:
            self._lift(self._turn_up)
        self._turn_up = None

    def _hand_over(self, card: Card, seat: int, after: Card | None) -> None:
        """The turned-up card is bought, and another comes in its place."""
        self._lift(card)
        self._alike = None
        self._hand(seat, self._stock_at)
        if after is not None:
            self._turns_up(after)

    def _play(self, card: Card, seat: int, early: bool, done: int, number: int) -> Iterator[tuple[TableLook, int]]:
        """A card is laid. early: while the trick before still lies there, which goes then."""
        old, self._trick = (self._trick, []) if early else ([], self._trick)
        self._put(card, seat, old)
        if self.rng.random() < self.mess.thought_better and not early:
            yield from self._rest(done, steady=True)
            self._lift(card)
            self._hand(seat, (0.0, 0.0))
            yield from self._rest(done, steady=True)
            self._put(card, seat)
        self._trick.append(card)
        if old:
            yield from self._rest(number)
            self._sweep(old, self._winner(old))

    def _take_back(self, card: Card, seat: int) -> None:
        """Who laid it takes it back."""
        at = self._table.lying.get(card, (0.0, 0.0))
        self._lift(card)
        self._trick = [other for other in self._trick if other != card]
        self._hand(seat, at)

    def _take_up(self, seat: int, number: int) -> Iterator[tuple[TableLook, int]]:
        """The trick is taken up; everybody draws a card where one does."""
        if self._chance(self.mess.on_turn_up) and self._turn_up in self._table.lying:
            self._table.hidden[self._turn_up] = self._turn_up
        self._unseen_turn_up = None
        self._sweep(self._trick, seat)
        self._trick = []
        self._tricks += 1
        yield from self._rest(number)
        if self._tricks == self.game.tricks and self._counts:
            yield from self._count(number)
        if self._tricks <= self.game.draws:
            for drawer in range(self.game.players):
                self._hand(drawer, self._stock_at)
            if self._tricks == self.game.draws:
                self._turn_up_goes()
            yield from self._rest(number)

    def _sweep(self, trick: Iterable[Card], seat: int) -> None:
        """A trick goes, and comes to rest before a seat."""
        table = self._table
        self._seen |= {*trick}
        for card in trick:
            table.lying.pop(card, None)
        table.hidden = {card: over for card, over in table.hidden.items() if card == over}
        by = self.rng.randrange(self.game.players) if self._chance(self.mess.gathered_by_others) else None
        self._hand(seat if by is None else by, (0.0, 0.0))
        pile = self._near(self._before(seat, 0.78), 0.05)
        table.packets.append(pile)
        self._piles.setdefault(seat, []).extend(trick)
        if self._opens and self._piles[seat]:
            table.open[seat] = self._piles[seat][-1], pile

    def _count(self, done: int) -> Iterator[tuple[TableLook, int]]:
        """Everybody spreads his tricks face up, one after the other, and takes them up again."""
        table = self._table
        for seat, cards in self._piles.items():
            table.open.pop(seat, None)
            toward, across = self._before(seat, 0.35), self._before(seat, 1.0)
            for place, card in enumerate(cards[:MOST_COUNTED]):
                off = (place - min(len(cards), MOST_COUNTED) / 2) * 0.12
                table.lying[card] = toward[0] + off * across[1], toward[1] - off * across[0]
            self._hand(seat, toward)
            yield from self._rest(done)
            for card in cards[:MOST_COUNTED]:
                self._lift(card)
            self._hand(seat, toward)
            yield from self._rest(done)

    def _like(self, turn_up: Card | None) -> Card | None:
        """Another card of its suit."""
        same = [card for card in self.game.pack if turn_up and suit_of(card) == suit_of(turn_up) and card != turn_up]
        return self.rng.choice(same) if same else None

    def _winner(self, trick: Iterable[Card]) -> int:
        """Whose a trick is."""
        cards = [card for card in trick if card in self.game.whole_pack]
        best = cards[self.game.winning(cards, self._trump)]
        return next(seat for card, seat in reversed(self._played.values()) if card == best)

    def _put(self, card: Card, seat: int, under: Iterable[Card] = ()) -> None:
        """A card is put down, over some of the trick, or of one that still lies under it."""
        table = self._table
        at = self._place(seat)
        for other in (*self._trick, *under):
            apart = math.dist(table.lying[other], at) / LENGTH if other in table.lying else 1.0
            if apart < JUST_ON or (apart < OVERLAPS and self.rng.random() < self.mess.covers):
                table.hidden[other] = card
        if self._chance(self.mess.idle_hands):
            self._hand(self.rng.randrange(self.game.players), self._near((0.0, 0.0), 0.3))
        table.lying[card] = at
        neighbour = (
            (seat + self.rng.choice((-1, 1))) % self.game.players if self._chance(self.mess.for_others) else seat
        )
        if seat == self.open_seat:
            table.row.pop(card, None)
            neighbour = self._anybody()
        self._hand(neighbour, at)
        last = table.hands[-1]
        missed = self._chance(self.mess.hand_missed)
        if missed:
            table.hands.pop()
        if self._chance(self.mess.glances):
            seen_s = last.left_s - self.rng.uniform(0.0, 0.2)
            cards = tuple(lying for lying in self._open_cards() if lying.card == card or not covers(last, lying.at))
            table.glances.append(Glance(seen_s, cards, () if missed else (replace(last, left_s=seen_s),)))

    def _place(self, seat: int) -> Point:
        """Where a card comes to lie: before its player, on the heap, or close to the stock."""
        at = self._near(self._before(seat, self._far), self.mess.spread)
        if not self._trick:
            self._heap = at if self._chance(self.mess.heaped) else None
        if self._heap is not None:
            return self._near(self._heap, JUST_ON * LENGTH / 2)
        if self._chance(self.mess.beside_stock):
            angle = self.rng.uniform(0, 2 * math.pi)
            return self._stock_at[0] + LENGTH * math.cos(angle), self._stock_at[1] + LENGTH * math.sin(angle)
        return at

    def _open_cards(self) -> list[CardLying]:
        """What a single frame shows of the cards that lie open."""
        table, seen = self._table, []
        for card, at in (*table.lying.items(), *table.row.items()):
            missed = table.hidden.get(card) in table.lying or card == self._unseen_turn_up
            missed = missed or math.hypot(*at) > self.mess.slow_beyond or (card == self._turn_up and bool(self._alike))
            if missed or self._chance(self.mess.missed) or self._chance(self.mess.unsure):
                continue
            seen.append(CardLying(table.misread.get(card, card), 0.99, self._near(at, 0.01)))
        return seen

    def _chance(self, part: float) -> bool:
        return part > 0 and self.rng.random() < part

    def _somewhere(self) -> Point:
        """A place within reach that leaves the middle free."""
        angle, far = self.rng.uniform(0, 2 * math.pi), self.rng.uniform(*IN_REACH)
        return far * math.cos(angle), far * math.sin(angle)

    def _lift(self, card: Card) -> None:
        table = self._table
        table.lying.pop(card, None)
        table.misread.pop(card, None)
        table.guessed.pop(card, None)
        table.hidden = {hidden: cover for hidden, cover in table.hidden.items() if card not in (hidden, cover)}

    def _before(self, seat: int, far: float) -> Point:
        turn = math.radians(self._seats_deg[seat])
        return -far * math.sin(turn), far * math.cos(turn)

    def _near(self, at: Point, spread: float) -> Point:
        return at[0] + self.rng.gauss(0, spread), at[1] + self.rng.gauss(0, spread)

    def _hand(self, seat: int, reach: Point) -> None:
        table = self._table
        came = table.now_s + STEP_S
        table.now_s = came + self.rng.uniform(0.5, 1.2) * self._hurry
        angle = self._seats_deg[seat] + self.rng.gauss(0, self.mess.hand_deg)
        angle += self.rng.uniform(-1, 1) * self.mess.across
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
        self._spread_out()
        table.now_s += 0.35
        moved = set(table.rested.items()) ^ set(table.lying.items())
        changed = tuple((at[0], at[1], LENGTH / 2) for _, at in sorted(moved))
        gone = any(card not in table.lying for card in table.rested)
        table.rested = dict(table.lying)
        self._seem()
        before: set[Card | None] | None = None
        for look in range(6):
            fresh = look == 0
            cards, doubtful = self._shown(moved, steady, fresh)
            yield (
                TableLook(
                    table.now_s,
                    tuple(cards),
                    tuple(table.hands) if fresh else (),
                    tuple(table.packets) if fresh else (),
                    changed if fresh else (),
                    LENGTH,
                    fresh,
                    glances=tuple(table.glances) if fresh else (),
                ),
                done,
            )
            table.hands, table.packets, table.glances = [], [], []
            table.now_s += STEP_S
            names = {lying.card for lying in cards}
            least = MORE_LOOKS if self._strange(names) else 2 if gone else 1
            if look >= least and not doubtful and names == before:
                break
            before = names
        table.now_s += self.rng.uniform(0.1, 1.0) * self._hurry

    def _strange(self, names: Iterable[Card | None]) -> bool:
        """Whether a card is among these that is not in the pack, or was taken up before: that is worth another look."""
        return any(card not in self.game.whole_pack or card in self._seen for card in names if card)

    def _shown(self, moved: Container[tuple[Card, Point]], steady: bool, fresh: bool) -> tuple[list[CardLying], bool]:
        """What one look shows, and whether something of it cannot be read. moved: what lies there newly; steady: all
        that is seen is read."""
        table, doubtful = self._table, False
        cards = []
        for card, at in self._in_sight(fresh):
            if card == self._turn_up and self._alike:
                cards.append(CardLying(None, 0.97, self._near(at, 0.01), (card, self._alike), False, (0.5, 0.5)))
            elif self.rng.random() < self.mess.missed:
                doubtful = doubtful or (card, at) in moved  # Something new lies there and shows no face.
            elif self.rng.random() < self.mess.unsure and not steady:
                doubtful = True
                others = tuple(self.rng.sample(self.game.pack, 2))
                cards.append(CardLying(None, 0.0, self._near(at, 0.01), (card, *others), outlined=False))
            else:
                cards.append(self._read(card, at))
        cards += [CardLying(card, 0.99, self._near(at, 0.01), outlined=False) for card, at in table.open.values()]
        return [*cards, *self._markers()], doubtful

    def _in_sight(self, fresh: bool) -> Iterator[tuple[Card, Point]]:
        """What lies there and a look may show."""
        table = self._table
        for card, at in table.lying.items():
            hidden = table.hidden.get(card) in table.lying or card == self._unseen_turn_up
            if not hidden and not (fresh and math.hypot(*at) > self.mess.slow_beyond):
                yield card, at
        yield from table.row.items()

    def _markers(self) -> Iterator[CardLying]:
        """Cards that are not in the pack, at the table's edge."""
        outside = ("8C", "9D") if "8C" not in self.game.whole_pack else ("2C", "3D")
        for k, card in enumerate(outside if self.mess.markers else ()):
            if card not in self._table.lying:  # One may have been laid.
                yield CardLying(card, 0.99, (0.3 + k * 0.3, 0.92))

    def _seem(self) -> None:
        """What is taken for something else at this rest."""
        table = self._table
        for card, at in table.lying.items():
            if self._chance(self.mess.misread):
                table.misread[card] = self.rng.choice([card for card in self.game.pack if card not in table.lying])
            if card not in table.guessed and self._chance(self.mess.guessed):
                table.guessed[card] = self._near(at, GUESSED_OFF)

    def _read(self, card: Card, at: Point) -> CardLying:
        """A card as it is read in one look."""
        table = self._table
        name = table.misread[card] if card in table.misread and self._chance(REPEATED) else card
        if card in table.guessed:
            return CardLying(name, 0.99, self._near(table.guessed[card], 0.01), outlined=False)
        return CardLying(name, 0.99, self._near(at, 0.01))


def calm(mess: LookMess) -> LookMess:
    """The same table, with perfect eyes."""
    return replace(mess, missed=0.0, unsure=0.0)
