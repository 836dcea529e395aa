"""A card table that plays: engine events become hands, cards and frames, and it knows what truly happened when.

What the events say is done as people do it; `Mess` says how untidily. Every mess is off in CALM.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from engine.cards import Card, suit_of
from engine.events import Deal, Event, Pillage, Play, Taken, TakenBack, TurnUpSeen, VoidDeal
from engine.rules.tricks import TrickGame
from engine.rules.triomphe import Triomphe
from engine.seats import order_from
from vision.frame import Frame
from vision.synthetic.cards_backgrounds import table_top
from vision.synthetic.decks import CARD_H_PX, CARD_W_PX, Deck, plain_deck
from vision.synthetic.play_hands import Person, hand_sprite
from vision.synthetic.play_places import Places, plus, turn_of, unit
from vision.synthetic.play_render import Cards, Point, index_spots
from vision.synthetic.play_stage import Mover, Stage, Thing, TruthEvent

REST_S = 0.7
"""The least time that nothing moves between two plays, unless plays are quick."""
TRICK_REST_S = 0.8
"""How long a complete trick lies before it is taken up, at least."""
IN_S, LAY_S, OUT_S = 0.4, 0.12, 0.4
"""A hand comes in, lays its card, leaves: as slow as people playing without hurry."""
SWEEP_S, CARRY_S = 0.35, 0.5
DRAW_STEP_S = 0.45
"""One player's draw begins so long after the one before."""
LANDINGS_TRIED = 40
CARD_SHARE = (0.088, 0.102)
"""The width of a card over that of the picture."""
HANDS, CARDS_IN_HAND = 2, 1
"""Layers over the table."""


@dataclass(frozen=True)
class Mess:
    """How untidy a table is: the chance of each thing whenever it could happen."""

    covers: float = 0.0
    """A card may land on the last index corner that shows of another."""
    throws: float = 0.0
    """A card is let go early and slides the rest of its way."""
    quick_plays: float = 0.0
    """The next card lands 0.15 s after the hand before it has left."""
    two_hands: float = 0.0
    """The next hand comes while the one before still leaves."""


CALM = Mess()


class CardTable:
    """One table, its deck, its people. The same seed and events give the same frames."""

    def __init__(
        self,
        game: TrickGame,
        seed: int,
        size: tuple[int, int] = (1280, 960),
        mess: Mess = CALM,
        deck: Deck | None = None,
        fps: float = 10.0,
        fast: bool = True,
    ) -> None:
        rng = np.random.default_rng(seed)
        self.game, self.mess, self.fast = game, mess, fast
        self.truth: list[TruthEvent] = []
        self._rng = rng
        self._deck = deck or plain_deck()
        self._card_px = float(rng.uniform(*CARD_SHARE)) * size[0]
        self.places = Places.of(game, size, self._card_px, int(rng.choice((-1, 1))))
        self._lamp: Point = unit((float(rng.normal()), float(rng.normal())))
        self._cards = Cards(self._deck, self._card_px, self._lamp)
        self.stage = Stage(rng, table_top(rng, *size), self._cards, fps)
        self._people = [Person.draw(rng) for _ in range(game.players)]
        self._ready_s = 0.6
        self._given = 0
        self._lies: dict[int, int] = {}
        """The thing that each given play laid down, by the number of its event."""
        self._told: dict[int, int] = {}
        """Where in the truth each given event is, by its number."""
        self._trick: list[tuple[int, int, Card]] = []
        """Thing, seat and card of each play of the trick on the table."""
        self._trump = ""
        self._dealer = 0
        self._tricks_done = 0
        self._stock: int | None = None
        self._turn_up: int | None = None
        self._seen: set[Card] = set()

    # -- the way through ------------------------------------------------------------------------------------------

    def play(self, events: Iterable[Event]) -> Iterator[Frame]:
        """The frames in which these events happen, each as soon as the one before it is over."""
        for event in events:
            self._given += 1
            start = self._ready_s
            yield from self.stage.frames(start)
            self._perform(event, self._given, start)
        self._ready_s = max(self._ready_s, self.stage.busy_until_s + REST_S)
        yield from self.stage.frames(self._ready_s)

    @property
    def skip_until_s(self) -> float:
        """Frames before this time are not drawn."""
        return self.stage.skip_until_s

    @skip_until_s.setter
    def skip_until_s(self, time_s: float) -> None:
        self.stage.skip_until_s = time_s

    def _perform(self, event: Event, number: int, start: float) -> None:
        match event:
            case Deal():
                self._deal(event, number, start)
            case VoidDeal():
                clear = self._gather_all(start, self._dealer)
                self._tell(event, number, clear, clear)
                self._rest_from(clear)
            case Play():
                self._play(event, number, start)
            case TakenBack():
                self._take_back(event, number, start)
            case Taken():
                self._taken(event, number, start)
            case Pillage():
                self._pillage(event, number, start)
            case TurnUpSeen():
                self._swap_turn_up(event, number, start)
            case _:
                # Said, not done: nothing of it is to be seen.
                self._tell(event, number, start, start)

    def _tell(self, event: Event, number: int, at_s: float, clear_s: float) -> None:
        def told() -> None:
            said = replace(event, number=self._told[event.number]) if isinstance(event, TakenBack) else event
            self.truth.append(TruthEvent(at_s, said, clear_s))
            self._told[number] = len(self.truth)

        self.stage.at(at_s, told)

    def _rest_from(self, clear_s: float, least_s: float = REST_S) -> None:
        """The next thing happens when the table has rested."""
        thinking = 0.0 if self.fast else float(np.exp(self._rng.normal(0.0, 0.6)))
        self._ready_s = clear_s + least_s + thinking

    def _chance(self, part: float) -> bool:
        return part > 0 and bool(self._rng.random() < part)

    # -- hands and what they hold ---------------------------------------------------------------------------------

    def _outside(self, seat: int, points: Point) -> Point:
        """Where the fingertips of a hand are that is just out of the picture, and what it holds with it."""
        return plus(self.places.edge(seat), points, -1.3 * self._card_px)

    def _hand(self, seat: int, points: Point, keys: Iterable[tuple[float, Point]], pose: str = "pinch") -> None:
        """A hand moves along; its arm reaches back to where it came from."""
        way = tuple((at_s, x, y) for at_s, (x, y) in keys)
        arm = max(self.places.leaves((x, y), points) for _, x, y in way) + 2 * self._card_px
        sprite = hand_sprite(self._people[seat], pose, self._card_px, points, arm, self._lamp)
        self.stage.move(Mover(sprite, way, HANDS))

    def _carried(self, face: str, turn: float, keys: Iterable[tuple[float, Point]], layer: int = CARDS_IN_HAND) -> None:
        sprite = self._cards.sprite(face, turn, lifted=True)
        self.stage.move(Mover(sprite, tuple((at_s, x, y) for at_s, (x, y) in keys), layer))

    def _grip(self, at: Point, points: Point) -> Point:
        """Where the fingertips are that hold a card with its middle there."""
        return plus(at, points, -0.28 * self._card_px)

    def _bring(self, seat: int, thing: Thing, start: float, under: bool = False) -> tuple[float, float, list[int]]:
        """A hand lays something down. Returns when it lies, when the hand is away, and where its number will be."""
        points = unit(plus(thing.at, self.places.edge(seat), -1))
        away = self._outside(seat, points)
        landed = start + IN_S
        clear = landed + LAY_S + OUT_S
        grip = self._grip(thing.at, points)
        hold = plus(away, plus(thing.at, grip, -1))
        self._carried(
            thing.face, thing.turn_rad, [(start, hold), (landed, thing.at), (landed + 1 / self.stage.fps, thing.at)]
        )
        self._hand(seat, points, [(start, away), (landed, grip), (landed + LAY_S, grip), (clear, away)])
        number: list[int] = []
        self.stage.at(landed, lambda: number.append(self.stage.put(thing, under)))
        return landed, clear, number

    def _fetch(self, seat: int, at: Point, face: str, turn: float, start: float) -> tuple[float, float]:
        """A hand takes something away to its seat. Returns when it is lifted and when the hand is out of sight."""
        points = unit(plus(at, self.places.edge(seat), -1))
        away = self._outside(seat, points)
        lifted = start + IN_S + LAY_S
        clear = lifted + OUT_S
        grip = self._grip(at, points)
        self._hand(seat, points, [(start, away), (start + IN_S, grip), (lifted, grip), (clear, away)])
        self._carried(face, turn, [(lifted, at), (clear, plus(away, plus(at, grip, -1)))])
        return lifted, clear

    # -- playing --------------------------------------------------------------------------------------------------

    def _play(self, event: Play, number: int, start: float) -> None:
        card = event.card
        assert card is not None and event.seat is not None, "a simulated play has its card and its seat"
        at, turn = self._landing(event.seat, card)
        landed, clear, laid = self._bring(event.seat, Thing(card, at, turn, "trick"), start)
        old = list(self._trick) if event.before_taken else []
        if old:
            self._trick = []
        seat = event.seat

        def lies() -> None:
            self._lies[number] = laid[0]

        self.stage.at(landed, lies)
        self._trick.append((-number, seat, card))
        self._seen.add(card)
        self._tell(event, number, landed, clear)
        if old:
            winner = self._winner(old)
            _, clear = self._sweep(old, winner, winner, clear + 0.3)
            clear = self._draws(winner, clear)
            self._rest_from(clear)
        elif self._chance(self.mess.two_hands):
            self._ready_s = landed + LAY_S + 0.1
        elif self._chance(self.mess.quick_plays):
            self._ready_s = clear + 0.15 - IN_S
        else:
            self._rest_from(clear)

    def _landing(self, seat: int, card: Card) -> tuple[Point, float]:
        """A sloppy place and turn near the middle that hides no other card of the trick altogether."""
        rng, px, inward = self._rng, self._card_px, self.places.inward(seat)
        careless = self._chance(self.mess.covers)
        spread = 0.16
        best: tuple[int, Point, float] | None = None
        for _ in range(LANDINGS_TRIED):
            back = plus(self.places.middle, inward, -float(rng.uniform(0.62, 1.1)) * px)
            at = plus(back, (float(rng.normal(0, spread)), float(rng.normal(0, spread))), px)
            turn = turn_of(inward) + float(rng.normal(0, 0.3))
            hidden = self._hides(card, at, turn)
            if best is None or hidden < best[0]:
                best = hidden, at, turn
            if not hidden or careless:
                break
            spread += 0.01
        assert best is not None
        return best[1], best[2]

    def _hides(self, card: Card, at: Point, turn: float) -> int:
        """How many cards that lie face up would show no whole index corner any more; the stock must stay clear."""
        lying = [self.stage[one] for one in self.stage.all("trick", "turn_up")]
        stack = [*((one.face, one.at, one.turn_rad) for one in lying), (card, at, turn)]
        hidden = sum(1 for one in self.stage.all("stock", "turn_up") if self._near(self.stage[one].at, at, 1.25))
        for place, (face, centre, angle) in enumerate(stack[:-1]):
            spots = index_spots(self._deck, face, centre, self._card_px, angle)
            over = stack[place + 1 :]
            hidden += all(any(self._within(spot, a, t) for _, a, t in over) for spot in spots)
        return hidden

    def _near(self, a: Point, b: Point, cards: float) -> bool:
        return bool(np.hypot(a[0] - b[0], a[1] - b[1]) < cards * self._card_px)

    def _within(self, spot: np.ndarray[tuple[int], np.dtype[np.float64]], at: Point, turn: float) -> bool:
        """Whether a card laid so touches an index at that spot."""
        dx, dy = float(spot[0] - at[0]), float(spot[1] - at[1])
        c, s = np.cos(turn), np.sin(turn)
        spare = 0.16 * self._card_px
        across, along = abs(c * dx + s * dy), abs(c * dy - s * dx)
        half_h = self._card_px * CARD_H_PX / CARD_W_PX / 2
        return bool(across < self._card_px / 2 + spare and along < half_h + spare)

    def _take_back(self, event: TakenBack, number: int, start: float) -> None:
        thing = self.stage[self._lies[event.number]]
        seat = next(seat for one, seat, _ in self._trick if one == -event.number)
        lifted, clear = self._fetch(seat, thing.at, thing.face, thing.turn_rad, start)
        self.stage.at(lifted, lambda: self.stage.take(self._lies[event.number]))
        self._trick = [one for one in self._trick if one[0] != -event.number]
        self._tell(event, number, clear, clear)
        self._rest_from(clear)

    # -- taking up and drawing ------------------------------------------------------------------------------------

    def _winner(self, trick: list[tuple[int, int, Card]]) -> int:
        """Who wins a trick, by the cards that belong to the game."""
        known = [(seat, card) for _, seat, card in trick if card in self.game.whole_pack]
        return known[self.game.winning([card for _, card in known], self._trump)][0]

    def _taken(self, event: Taken, number: int, start: float) -> None:
        trick, self._trick = self._trick, []
        rest, clear = self._sweep(trick, event.seat, event.seat, start + TRICK_REST_S - REST_S)
        self._tell(event, number, rest, clear)
        self._rest_from(self._draws(self._winner(trick) if trick else event.seat, clear))

    def _sweep(self, trick: list[tuple[int, int, Card]], hand: int, owner: int, start: float) -> tuple[float, float]:
        """A hand sweeps a trick together and lays it face down on a pile."""
        numbers = [self._lies[-one] for one, _, _ in trick]
        things = [self.stage[one] for one in numbers]
        gather = (float(np.mean([one.at[0] for one in things])), float(np.mean([one.at[1] for one in things])))
        pile = plus(
            self.places.pile(owner), (float(self._rng.normal(0, 0.07)), float(self._rng.normal(0, 0.07))), self._card_px
        )
        points = unit(plus(plus(gather, self.places.edge(hand), -1), self.places.inward(hand), self._card_px))
        away = self._outside(hand, points)
        swept, together = start + IN_S, start + IN_S + SWEEP_S
        rest = together + CARRY_S
        clear = rest + LAY_S + OUT_S
        turn = turn_of(self.places.inward(owner)) + float(self._rng.normal(0, 0.2))
        for number, thing in zip(numbers, things, strict=True):
            near = plus(gather, plus(thing.at, gather, -1), 0.12)
            self.stage.at(swept, partial(self.stage.take, number))
            self._carried(thing.face, thing.turn_rad, [(swept, thing.at), (together, near)], layer=0)
        self._carried("back", turn, [(together, gather), (rest, pile), (rest + 1 / self.stage.fps, pile)], layer=0)
        reach = plus(gather, points, 0.55 * self._card_px)
        hold = plus(pile, points, -0.2 * self._card_px)
        keys = [(start, away), (swept, reach), (together, plus(gather, points, -0.1 * self._card_px)), (rest, hold)]
        self._hand(hand, points, [*keys, (rest + LAY_S, hold), (clear, plus(hold, plus(away, gather, -1)))], "flat")
        self.stage.at(rest, partial(self.stage.put, Thing("back", pile, turn, "pile", min(4, len(trick)))))
        self._tricks_done += 1
        return rest, clear

    def _draws(self, winner: int, start: float) -> float:
        """Everybody draws, if the game goes so and the stock lasts. Returns when the last hand is away."""
        if self._tricks_done > self.game.draws or self._stock is None:
            return start
        last = self.game.last_drawer(winner, self._dealer)
        assert last is not None
        clear = start
        drawers = order_from((last + 1) % self.game.players, self.game.players)
        left = self.game.players * (self.game.draws - self._tricks_done)
        for place, seat in enumerate(drawers):
            begin = start + REST_S / 2 + place * DRAW_STEP_S
            stays = left + len(drawers) - place - 1
            clear = self._draw(seat, stays, begin)
        return clear

    def _draw(self, seat: int, stays: int, start: float) -> float:
        """One player draws; so many cards stay, the one turned up included."""
        wanted = self._turn_up if stays == 0 else self._stock
        if wanted is None:
            return start
        thing = self.stage[wanted]
        lifted, clear = self._fetch(seat, thing.at, thing.face, thing.turn_rad, start)
        if stays == 0:
            self._turn_up = None
        elif stays == 1:
            self._stock = None
        elsewhere = stays <= 1

        def drawn() -> None:
            if elsewhere:
                self.stage.take(wanted)
            else:
                self.stage.change(wanted, replace(thing, layers=_layers(stays - 1)))

        self.stage.at(lifted, drawn)
        return clear

    # -- dealing --------------------------------------------------------------------------------------------------

    def _deal(self, event: Deal, number: int, start: float) -> None:
        if event.dealer is not None:
            self._dealer = event.dealer
        if self.stage.all("trick", "stock", "turn_up", "pile", "paid"):
            start = self._gather_all(start, self._dealer) + 0.4
        self._trump, self._tricks_done, self._trick = suit_of(event.turn_up), 0, []
        self._lies, self._seen = {}, {event.turn_up}
        dealer, px = self._dealer, self._card_px
        points = self.places.inward(dealer)
        away = self._outside(dealer, points)
        hold = plus(self.places.middle, points, -1.3 * px)
        grip = plus(hold, points, -0.3 * px)
        turn = turn_of(points) + float(self._rng.normal(0, 0.15))
        rounds = (3, 2) if isinstance(self.game, Triomphe) else (self.game.hand,)
        time = start + IN_S + 0.2
        keys: list[tuple[float, Point]] = [(start, away), (start + IN_S, grip)]
        picked_up: list[tuple[int, Point, float]] = []
        for some in rounds:
            for seat in order_from((dealer + 1) % self.game.players, self.game.players):
                spot = self.places.beside(seat, 0.9, float(self._rng.normal(0, 0.2)))
                lands = time + 0.3
                angle = turn_of(self.places.inward(seat)) + float(self._rng.normal(0, 0.3))
                self._carried("back", angle, [(time, hold), (lands, spot), (lands + 1 / self.stage.fps, spot)], layer=0)
                packet = Thing("back", spot, angle, "dealt", some)
                self.stage.at(lands, partial(self.stage.put, packet))
                picked_up.append((seat, spot, angle))
                keys += [(time, grip), (time + 0.15, plus(grip, unit(plus(spot, hold, -1)), 0.25 * px))]
                time += 0.3
        keys.append((time, grip))
        stock = plus(self.places.stock, (float(self._rng.normal(0, 0.08)), float(self._rng.normal(0, 0.08))), px)
        self._carried("back", turn, [(start, plus(away, points, 0.3 * px)), (start + IN_S, hold), (time, hold)])
        clear = self._lay_stock(event.turn_up, keys, hold, stock, time)
        for seat in dict.fromkeys(seat for seat, _, _ in picked_up):
            mine = [(spot, angle) for one, spot, angle in picked_up if one == seat]
            clear = max(clear, self._pick_up(seat, mine, time + float(self._rng.uniform(0.1, 0.5))))
        landed = time + 2 * CARRY_S
        self._tell(event, number, landed, clear)
        self._rest_from(clear)

    def _lay_stock(
        self, turn_up: Card, keys: list[tuple[float, Point]], hold: Point, stock: Point, time: float
    ) -> float:
        """The dealer's hand brings the stock to its place, and turns up the card half under it."""
        px, dealer = self._card_px, self._dealer
        points = self.places.inward(dealer)
        lay, done = time + CARRY_S, time + 2 * CARRY_S
        angle = float(self._rng.normal(0, 0.08))
        shown = plus(stock, (-float(np.sin(angle)), float(np.cos(angle))), 0.82 * px * self.places.stock_side)
        across = angle + np.pi / 2
        back = Thing("back", stock, across, "stock", _layers(self._stock_cards()))
        face = Thing(turn_up, shown, angle + float(self._rng.normal(0, 0.06)), "turn_up")
        self._carried("back", across, [(time, hold), (lay, stock), (lay + 1 / self.stage.fps, stock)])
        self._carried(
            turn_up, face.turn_rad, [(lay, stock), (done, shown), (done + 1 / self.stage.fps, shown)], layer=0
        )

        def stock_lies() -> None:
            self._stock = self.stage.put(back)

        def turn_up_lies() -> None:
            self._turn_up = self.stage.put(face, under=True)

        self.stage.at(lay, stock_lies)
        self.stage.at(done, turn_up_lies)
        grip, pull = self._grip(stock, points), self._grip(shown, points)
        away = self._outside(dealer, points)
        clear = done + LAY_S + OUT_S
        self._hand(dealer, points, [*keys, (lay, grip), (done, pull), (done + LAY_S, pull), (clear, away)])
        return clear

    def _stock_cards(self) -> int:
        """Backs that lie in the stock after the deal."""
        return len(self.game.pack) - self.game.players * self.game.hand - 1

    def _pick_up(self, seat: int, packets: list[tuple[Point, float]], start: float) -> float:
        """A player takes the cards dealt to them."""
        clear = start
        for spot, angle in packets:
            lifted, clear = self._fetch(seat, spot, "back", angle, start)

            def gone(spot: Point = spot) -> None:
                for one in self.stage.all("dealt"):
                    if self.stage[one].at == spot:
                        self.stage.take(one)

            self.stage.at(lifted, gone)
        return clear

    def _gather_all(self, start: float, dealer: int) -> float:
        """Everything is brought together, shuffled by whoever deals next, and taken away."""
        px = self._card_px
        points = self.places.inward(dealer)
        middle = plus(self.places.middle, points, -0.6 * px)
        numbers = self.stage.all("trick", "stock", "turn_up", "pile", "paid", "dealt")
        swept = start + IN_S
        together = swept + CARRY_S
        for number in numbers:
            thing = self.stage[number]
            self.stage.at(swept, partial(self.stage.take, number))
            near = plus(middle, (float(self._rng.normal(0, 0.15)), float(self._rng.normal(0, 0.15))), px)
            self._carried(thing.face, thing.turn_rad, [(swept, thing.at), (together, near)], layer=0)
        for seat in range(self.game.players):
            pushes = unit(plus(middle, self.places.pile(seat), -1))
            from_pile = plus(self.places.pile(seat), pushes, -0.2 * px)
            if any(self._near(self.stage[one].at, self.places.pile(seat), 0.6) for one in numbers):
                inward = self.places.inward(seat)
                away = self._outside(seat, inward)
                reach = plus(middle, inward, -0.9 * px)
                keys = [(start, away), (swept, from_pile), (together, reach), (together + OUT_S, away)]
                self._hand(seat, inward, keys, "flat")
        shuffled = together + 1.2
        heap = [(together + 0.15 * k, plus(middle, (0.25 * px * (-1) ** k, 0.1 * px * (k % 3)))) for k in range(8)]
        turn = turn_of(points) + np.pi / 2
        away = self._outside(dealer, points)
        self._carried("back", turn, [*heap, (shuffled, middle), (shuffled + OUT_S, plus(away, points, 0.3 * px))])
        grip = [(at_s, plus(spot, points, -0.3 * px)) for at_s, spot in heap]
        end = (shuffled, plus(middle, points, -0.3 * px))
        self._hand(dealer, points, [(together - IN_S, away), *grip, end, (shuffled + OUT_S, away)])
        self._trick, self._stock, self._turn_up = [], None, None
        return shuffled + OUT_S

    # -- the card turned up ---------------------------------------------------------------------------------------

    def _swap_turn_up(self, event: TurnUpSeen, number: int, start: float) -> None:
        """Another card lies under the stock; nothing moves when it is the same."""
        wanted = self._turn_up
        if wanted is None or self.stage[wanted].face == event.card:
            self._tell(event, number, start, start)
            return
        seat = int(self._rng.integers(self.game.players))
        thing = self.stage[wanted]
        lifted, clear = self._fetch(seat, thing.at, thing.face, thing.turn_rad, start)
        self.stage.at(lifted, partial(self.stage.take, wanted))
        rest, clear = self._turn_up_again(seat, replace(thing, face=event.card), clear + 0.1)
        self._seen.add(event.card)
        self._tell(event, number, rest, clear)
        self._rest_from(clear)

    def _turn_up_again(self, seat: int, thing: Thing, start: float) -> tuple[float, float]:
        landed, clear, laid = self._bring(seat, thing, start, under=True)

        def lies() -> None:
            self._turn_up = laid[0]

        self.stage.at(landed, lies)
        return landed, clear

    def _pillage(self, event: Pillage, number: int, start: float) -> None:
        """The card turned up is taken, one is put under the stock for it, and the next is turned up."""
        wanted = self._turn_up
        assert wanted is not None, "there is a card to pillage"
        thing = self.stage[wanted]
        lifted, clear = self._fetch(event.seat, thing.at, thing.face, thing.turn_rad, start)
        self.stage.at(lifted, partial(self.stage.take, wanted))
        self._turn_up = None
        if event.paid is not None:
            beside = plus(thing.at, self.places.inward(event.seat), -1.3 * self._card_px)
            shown = Thing(event.paid, beside, thing.turn_rad + 0.4, "paid")
            _, away, laid = self._bring(event.seat, shown, clear + 0.1)
            lifted, clear = self._fetch(event.seat, beside, event.paid, shown.turn_rad, away + REST_S)
            self.stage.at(lifted, lambda: self.stage.take(laid[0]))
            self._seen.add(event.paid)
        rest = clear
        if event.next is not None:
            self._seen.add(event.next)
            rest, clear = self._turn_up_again(self._dealer, replace(thing, face=event.next), clear + 0.1)
        self._tell(event, number, rest, clear)
        self._rest_from(clear)


def _layers(cards: int) -> int:
    """How many layers a packet of cards shows."""
    return max(1, min(7, -(-cards // 4)))
