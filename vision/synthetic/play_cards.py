"""A card table that plays: engine events become hands, cards and frames, and it knows what truly happened when."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from engine.cards import JOKER, SUITS, Card, suit_of
from engine.events import Deal, Event, Pillage, Play, Take, Taken, TakenBack, TurnUpSeen, VoidDeal
from engine.rules.tricks import DRAWN_LAST, LEFT_OUT, THE_DEALERS, THE_TAKERS, TrickGame
from engine.seats import order_from
from vision.frame import Frame
from vision.synthetic.cards_backgrounds import Rng, table_top
from vision.synthetic.decks import CARD_H_PX, CARD_W_PX, Deck, Image, plain_deck, varied_deck
from vision.synthetic.play_crew import CARDS_ON_TABLE, IN_S, LAY_S, OUT_S, Crew
from vision.synthetic.play_hands import StagePerson
from vision.synthetic.play_mess import CALM, Mess, Trouble, strew
from vision.synthetic.play_places import StagePlaces, plus, turn_of, unit
from vision.synthetic.play_render import Cards, Point, index_spots
from vision.synthetic.play_stage import Stage, StageThing, TruthEvent

REST_S = 0.7
"""The least time that nothing moves between two plays, unless plays are quick."""
TRICK_REST_S = 0.8
TURN_UP_LIES_S = 3.0
"""So long the card that belongs to the dealer's hand lies there for all to see, or what is turned up to be taken."""
"""How long a complete trick lies before it is taken up, at least."""
SWEEP_S, CARRY_S = 0.35, 0.5
SHUFFLE_S = 1.2
DRAW_STEP_S = 0.45
"""One player's draw begins so long after the one before."""
LANDINGS_TRIED = 40
STOCK_REACH = (2.3, 4.2)
"""Card widths from the middle of the tricks between which a stock lies that lies anywhere."""
RATES, RATES_SHARE = (8.0, 10.0, 12.0, 15.0, 20.0, 30.0), (0.3, 0.2, 0.2, 0.15, 0.1, 0.05)
"""Frames a second, and how many tables have them: the fast ones take long to draw."""
CARD_SHARE = (0.088, 0.102)
"""The width of a card over that of the picture."""


FACE_UP = ("trick", "turn_up", "paid", "marker", "looked_at", "gathered")
"""Kinds of things that lie face up."""


@dataclass(frozen=True)
class Lies:
    """A card that truly lies face up: where, in table units, as what, and how many of its indices show."""

    card: Card
    at: Point
    kind: str
    shows: int


class DrawnCardTable:
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
        self._deck = deck or (_some_deck(rng) if self._chance(mess.decks) else plain_deck())
        self._card_px = float(rng.uniform(*CARD_SHARE)) * size[0]
        self._markers = self._chance(mess.markers)
        # Markers need the room that the stock would take on its other side.
        side = 1 if self._markers else int(rng.choice((-1, 1)))
        self.places = _placed(rng, StagePlaces.of(game, size, self._card_px, side), mess)
        lamp: Point = unit((float(rng.normal()), float(rng.normal())))
        cards = Cards(self._deck, self._card_px, lamp)
        top = table_top(rng, *size)
        if self._chance(mess.clutter):
            strew(rng, top, self._card_px)
        if self._chance(mess.rates):
            fps = float(rng.choice(RATES, p=RATES_SHARE))
        dim = self._chance(mess.lights)
        if dim:
            top = _unevenly_lit(rng, top)
        self.stage = Stage(rng, top, cards, fps)
        if dim:
            self.stage.light.keys = [(0.0, float(rng.uniform(0.5, 1.0)), float(rng.normal(0, 0.06)))]
        people = tuple(StagePerson.draw(rng, child=seat == game.players) for seat in range(game.players + 1))
        if mess.paces:
            people = tuple(_by_themselves(rng, person, mess.paces) for person in people)
        self.crew = Crew(self.stage, self.places, cards, people, lamp)
        self._trouble = Trouble(self.crew, mess, rng)
        self._keepers = self._chance(mess.keepers)
        """One of each side keeps all its tricks."""
        self._score = game.opening_score()
        self._winners: list[int] = []
        self._points = [0] * game.side_count
        self._ready_s = 0.6
        self._clear_s = 0.0
        """When the hand of the last play was away."""
        self._hurried = False
        """The next play comes before the table has rested."""
        self._swept = False
        """So does the hand that takes the trick up."""
        self._heap: Point | None = None
        """Where this trick is thrown on one heap."""
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
            self._hurried = False
            yield from self.stage.frames(self._ready_s)
            self._perform(event, self._given, self._ready_s)
            if isinstance(event, Play | Taken) and not self._hurried:
                yield from self.stage.frames(self._ready_s)
                self._ready_s = self._trouble.after(self._ready_s, self._unseen())
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
            case Take():
                self._take_turn_up(event, number, start)
            case _:
                # Said, not done: nothing of it is to be seen.
                self._tell(event, number, start, start)

    def lies(self) -> list[Lies]:
        """Every card that lies face up now, lowest first."""
        stage, size = self.stage, self.stage.size
        half = min(size) / 2
        things = [stage[number] for number in stage.all(*FACE_UP, "stock", "pile", "dealt", "loose")]
        told = []
        for place, thing in enumerate(things):
            if thing.kind not in FACE_UP or not thing.layers:
                continue
            spots = index_spots(self._deck, thing.face, thing.at, self._card_px, thing.turn_rad)
            over = [(above.at, above.turn_rad) for above in things[place + 1 :]]
            shown = sum(not any(self._within(spot, at, turn) for at, turn in over) for spot in spots)
            x, y = stage.view.place(thing.at, size)
            told.append(Lies(thing.face, ((x - size[0] / 2) / half, (y - size[1] / 2) / half), thing.kind, shown))
        return told

    def _tell(self, event: Event, number: int, at_s: float, clear_s: float) -> None:
        def told() -> None:
            said = replace(event, number=self._told[event.number]) if isinstance(event, TakenBack) else event
            self.truth.append(TruthEvent(at_s, said, clear_s))
            self._told[number] = len(self.truth)

        self.stage.at(at_s, told)

    def _unseen(self) -> list[Card]:
        """Cards of the pack that have not lain face up in this deal."""
        return [card for card in self.game.pack if card not in self._seen]

    def _rest_from(self, clear_s: float, least_s: float = REST_S) -> None:
        """The next thing happens when the table has rested."""
        thinking = 0.0 if self.fast else float(np.exp(self._rng.normal(0.0, 0.6)))
        self._ready_s = clear_s + least_s + thinking

    def _chance(self, part: float) -> bool:
        return part > 0 and bool(self._rng.random() < part)

    # -- playing --------------------------------------------------------------------------------------------------

    def _play(self, event: Play, number: int, start: float) -> None:
        card = event.card
        assert card is not None and event.seat is not None, "a simulated play has its card and its seat"
        at, turn = self._landing(event.seat, card)
        thing = StageThing(card, at, turn, "trick")
        if self._chance(self.mess.take_backs):
            start = self._thinks_again(event, thing, start)
        thrown, stays_s = self._chance(self.mess.throws), 0.0
        if self._chance(self.mess.lingers):
            thrown, stays_s = False, float(self._rng.uniform(1.0, 5.0))
        back_px = float(self._rng.uniform(0.6, 1.6)) * self._card_px if stays_s else 0.0
        arm = self._arm(event.seat)
        landed, clear, laid = self.crew.bring(arm, thing, start, thrown=thrown, stays_s=stays_s, back_px=back_px)
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
            _, clear = self._sweep(old, winner, winner, clear + REST_S)
            clear = self._draws(winner, clear)
            self._rest_from(clear)
        elif len(self._trick) >= self.game.players and self._chance(self.mess.swept_at_once):
            self._ready_s = landed + float(self._rng.uniform(0.25, 0.9))
            self._hurried = self._swept = True
        elif self._chance(self.mess.close_plays) or (stays_s and self._rng.random() < 0.5):
            self._ready_s, self._hurried = max(start, landed + float(self._rng.uniform(0.4, 0.9)) - IN_S), True
        elif self._chance(self.mess.two_hands):
            self._ready_s, self._hurried = landed + LAY_S + 0.1, True
        elif self._chance(self.mess.quick_plays):
            self._ready_s, self._hurried = max(landed, clear + 0.15 - IN_S), True
        else:
            self._rest_from(clear)
        self._clear_s = clear

    def _arm(self, seat: int) -> int:
        """Whose arm lays this seat's card."""
        return seat

    def _thinks_again(self, event: Play, thing: StageThing, start: float) -> float:
        """The card is laid and taken back before it is laid for good: two events that nobody gave."""
        assert event.seat is not None
        elsewhere = replace(thing, at=plus(thing.at, (0.2 * self._card_px, -0.1 * self._card_px)))
        landed, clear, laid = self.crew.bring(event.seat, elsewhere, start)
        lifted, away = self.crew.fetch(
            event.seat, elsewhere.at, thing.face, thing.turn_rad, clear + float(self._rng.uniform(1, 2)) * REST_S
        )
        self.stage.at(lifted, lambda: self.stage.take(laid[0]))
        first: list[int] = []

        def told() -> None:
            self.truth.append(TruthEvent(landed, event, clear))
            first.append(len(self.truth))

        self.stage.at(landed, told)
        self.stage.at(away, lambda: self.truth.append(TruthEvent(away, TakenBack(first[0]), away)))
        return away + REST_S

    def _landing(self, seat: int, card: Card) -> tuple[Point, float]:
        """A sloppy place and turn near the middle that hides no other card of the trick altogether."""
        rng, px, inward = self._rng, self._card_px, self.places.inward(seat)
        if not self._trick:
            self._heap = None
            if self._chance(self.mess.heaped):
                self._heap = plus(self.places.trick, (float(rng.normal(0, 0.3)), float(rng.normal(0, 0.3))), px)
        if self._heap is not None:
            at = plus(self._heap, (float(rng.normal(0, 0.12)), float(rng.normal(0, 0.12))), px)
            return at, turn_of(inward) + float(rng.normal(0, 0.3))
        if self._chance(self.mess.beside_stock):
            beside = self._beside_stock()
            if beside is not None:
                return beside, turn_of(inward) + float(rng.normal(0, 0.3))
        careless = self._chance(self.mess.covers)
        spread = 0.16
        best: tuple[int, Point, float] | None = None
        for _ in range(LANDINGS_TRIED):
            back = plus(self.places.trick, inward, -float(rng.uniform(0.62, 1.1)) * px)
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

    def _beside_stock(self) -> Point | None:
        """A place right beside the stock or the card turned up that covers neither."""
        lying = [self.stage[number].at for number in self.stage.all("stock", "turn_up")]
        if not lying:
            return None
        for _ in range(LANDINGS_TRIED):
            beside = lying[int(self._rng.integers(len(lying)))]
            angle, far = float(self._rng.uniform(0, 2 * np.pi)), float(self._rng.uniform(1.25, 1.7)) * self._card_px
            at = plus(beside, (far * float(np.cos(angle)), far * float(np.sin(angle))))
            clear = all(np.hypot(at[0] - x, at[1] - y) > 1.25 * self._card_px for x, y in lying)
            if clear and _inside(at, self.stage.size, 0.8 * self._card_px):
                return at
        return None

    def _hides(self, card: Card, at: Point, turn: float) -> int:
        """How many cards that lie face up would show no whole index corner any more; the stock must stay clear."""
        lying = [self.stage[number] for number in self.stage.all("trick", "turn_up")]
        stack = [*((thing.face, thing.at, thing.turn_rad) for thing in lying), (card, at, turn)]
        hidden = sum(1 for number in self.stage.all("stock", "turn_up") if self._near(self.stage[number].at, at, 1.25))
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
        seat = next(seat for laid, seat, _ in self._trick if laid == -event.number)
        lifted, clear = self.crew.fetch(seat, thing.at, thing.face, thing.turn_rad, start)
        self.stage.at(lifted, lambda: self.stage.take(self._lies[event.number]))
        self._trick = [laid for laid in self._trick if laid[0] != -event.number]
        self._tell(event, number, clear, clear)
        self._rest_from(clear)

    # -- taking up and drawing ------------------------------------------------------------------------------------

    def _winner(self, trick: list[tuple[int, int, Card]]) -> int:
        """Who wins a trick, by the cards that belong to the game."""
        known = [(seat, card) for _, seat, card in trick if card in self.game.whole_pack]
        return known[self.game.winning([card for _, card in known], self._trump)][0]

    def _taken(self, event: Taken, number: int, start: float) -> None:
        trick, self._trick = self._trick, []
        mates = [seat for seat in range(self.game.players) if self.game.sides[seat] == self.game.sides[event.seat]]
        owner = mates[0] if self._keepers else event.seat
        by_another = self._chance(self.mess.gathered_by_others)
        hand = int(self._rng.integers(self.game.players)) if by_another else event.seat
        begins = start if self._swept else max(start, self._clear_s + TRICK_REST_S)
        self._swept = False
        rest, clear = self._sweep(trick, hand, owner, begins)
        self._tell(event, number, rest, clear)
        self._rest_from(self._draws(self._winner(trick) if trick else event.seat, clear))

    def _sweep(self, trick: list[tuple[int, int, Card]], hand: int, owner: int, start: float) -> tuple[float, float]:
        """A hand sweeps a trick together and lays it face down on a pile."""
        numbers = [self._lies[-card] for card, _, _ in trick]
        things = [self.stage[number] for number in numbers]
        gather = (float(np.mean([thing.at[0] for thing in things])), float(np.mean([thing.at[1] for thing in things])))
        pile = plus(
            self.places.pile(owner), (float(self._rng.normal(0, 0.07)), float(self._rng.normal(0, 0.07))), self._card_px
        )
        points = unit(plus(plus(gather, self.places.edge(hand), -1), self.places.inward(hand), self._card_px))
        away = self.crew.outside(hand, points)
        swept, together = start + IN_S, start + IN_S + SWEEP_S
        rest = together + CARRY_S
        clear = rest + LAY_S + OUT_S
        turn = turn_of(self.places.inward(owner)) + float(self._rng.normal(0, 0.2))
        for number, thing in zip(numbers, things, strict=True):
            near = plus(gather, plus(thing.at, gather, -1), 0.12)
            self.stage.at(swept, partial(self.stage.take, number))
            self.crew.carry(thing.face, thing.turn_rad, [(swept, thing.at), (together, near)], CARDS_ON_TABLE)
        shows = self._chance(self.mess.face_up_packets)
        top = things[-1].face if shows else "back"
        self.crew.carry(
            top, turn, [(together, gather), (rest, pile), (rest + 1 / self.stage.fps, pile)], CARDS_ON_TABLE
        )
        reach = plus(gather, points, 0.55 * self._card_px)
        hold = plus(pile, points, -0.2 * self._card_px)
        keys = [(start, away), (swept, reach), (together, plus(gather, points, -0.1 * self._card_px)), (rest, hold)]
        self.crew.hand(hand, points, [*keys, (rest + LAY_S, hold), (clear, plus(hold, plus(away, gather, -1)))], "flat")
        faces = tuple(thing.face for thing in things)
        self.stage.at(rest, partial(self.stage.put, StageThing("back", pile, turn, "pile", min(4, len(trick)), faces)))
        self._tricks_done += 1
        self._count(trick)
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
        lifted, clear = self.crew.fetch(seat, thing.at, thing.face, thing.turn_rad, start)
        if stays == 0:
            self._turn_up = None
        elif stays == 1:
            self._stock = None
            for number in self.stage.all("loose"):
                self.stage.at(lifted, partial(self.stage.take, number))
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
            by = self._dealer
            if self._chance(self.mess.habits):
                by = int(self._rng.integers(self.game.players))
            start = self._gather_all(start, by) + 0.4
        if self._markers:
            start = self._lay_markers(start)
        self._winners, self._points = [], [0] * self.game.side_count
        self._trump, self._tricks_done, self._trick = suit_of(event.turn_up) if event.turn_up else "", 0, []
        self._lies, self._seen = {}, {event.turn_up} if event.turn_up else set()
        dealer, px = self._dealer, self._card_px
        points = self.places.inward(dealer)
        hold = plus(self.places.middle, points, -1.3 * px)
        turn = turn_of(points) + float(self._rng.normal(0, 0.15))
        time, keys, picked_up = self._deal_out(self._packets()[0], hold, start)
        off = 0.25 if self._chance(self.mess.stock_moves) else 0.06
        stock = plus(self.places.stock, (float(self._rng.normal(0, off)), float(self._rng.normal(0, off))), px)
        away = self.crew.outside(dealer, points)
        self.crew.carry("back", turn, [(start, plus(away, points, 0.3 * px)), (start + IN_S, hold), (time, hold)])
        clear = self._lay_stock(event.turn_up, keys, hold, stock, time)
        clear = max(clear, self._all_pick_up(picked_up, time))
        landed = time + 2 * CARRY_S
        self._tell(event, number, landed, clear)
        if self.game.turn_up_goes == THE_DEALERS:
            clear = self._into_hand(self._dealer, clear + TURN_UP_LIES_S)
        self._rest_from(clear)

    def _packets(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """How many cards at a time are dealt: before anybody may take the card turned up, and after."""
        packets = self.game.packets or (self.game.hand,)
        first = next(
            (place for place in range(len(packets)) if sum(packets[:place]) == self.game.before_taking), len(packets)
        )
        first = first if self.game.before_taking else len(packets)
        return packets[:first], packets[first:]

    def _into_hand(self, seat: int, start: float) -> float:
        """A player takes the card turned up into the hand."""
        wanted = self._turn_up
        if wanted is None:
            return start
        self._turn_up = None
        thing = self.stage[wanted]
        lifted, clear = self.crew.fetch(seat, thing.at, thing.face, thing.turn_rad, start)
        self.stage.at(lifted, partial(self.stage.take, wanted))
        return clear

    def _take_turn_up(self, event: Take, number: int, start: float) -> None:
        """The taker has the card turned up, and the dealer deals the rest of the stock."""
        self._trump = event.trump
        clear = self._into_hand(event.seat, start + TURN_UP_LIES_S) + 0.3
        points = self.places.inward(self._dealer)
        hold = plus(self.places.middle, points, -1.3 * self._card_px)
        if self._stock is not None:
            self.stage.at(clear + IN_S, partial(self.stage.take, self._stock))
            self._stock = None
        time, keys, picked_up = self._deal_out(self._packets()[1], hold, clear)
        away = self.crew.outside(self._dealer, points)
        self.crew.hand(self._dealer, points, [*keys, (time + OUT_S, away)])
        clear = max(time + OUT_S, self._all_pick_up(picked_up, time))
        self._tell(event, number, clear, clear)
        self._rest_from(clear)

    def _deal_out(
        self, rounds: tuple[int, ...], hold: Point, start: float
    ) -> tuple[float, list[tuple[float, Point]], list[tuple[int, Point, float]]]:
        """The dealer's hand lays packets before everybody: when it is done, its way, and what lies where."""
        dealer, px = self._dealer, self._card_px
        points = self.places.inward(dealer)
        away, grip = self.crew.outside(dealer, points), plus(hold, points, -0.3 * px)
        time = start + IN_S + 0.2
        keys: list[tuple[float, Point]] = [(start, away), (start + IN_S, grip)]
        picked_up: list[tuple[int, Point, float]] = []
        for some in rounds:
            for seat in order_from((dealer + 1) % self.game.players, self.game.players):
                spot = self.places.beside(seat, 0.9, float(self._rng.normal(0, 0.2)))
                lands = time + 0.3
                angle = turn_of(self.places.inward(seat)) + float(self._rng.normal(0, 0.3))
                self.crew.carry(
                    "back", angle, [(time, hold), (lands, spot), (lands + 1 / self.stage.fps, spot)], CARDS_ON_TABLE
                )
                packet = StageThing("back", spot, angle, "dealt", some)
                self.stage.at(lands, partial(self.stage.put, packet))
                picked_up.append((seat, spot, angle))
                keys += [(time, grip), (time + 0.15, plus(grip, unit(plus(spot, hold, -1)), 0.25 * px))]
                time += 0.3
        keys.append((time, grip))
        return time, keys, picked_up

    def _all_pick_up(self, picked_up: list[tuple[int, Point, float]], time: float) -> float:
        """Everybody takes the packets dealt to them; returns when the last hand is away."""
        clear = time
        for seat in dict.fromkeys(seat for seat, _, _ in picked_up):
            mine = [(spot, angle) for of_seat, spot, angle in picked_up if of_seat == seat]
            clear = max(clear, self._pick_up(seat, mine, time + float(self._rng.uniform(0.1, 0.5))))
        return clear

    def _lay_stock(
        self, turn_up: Card | None, keys: list[tuple[float, Point]], hold: Point, stock: Point, time: float
    ) -> float:
        """The dealer's hand brings the stock to its place, and turns up the card half under it: whichever there is."""
        if turn_up is None and not self._stock_cards():
            away = self.crew.outside(self._dealer, self.places.inward(self._dealer))
            self.crew.hand(self._dealer, self.places.inward(self._dealer), [*keys, (time + OUT_S, away)])
            return time + OUT_S
        px, dealer = self._card_px, self._dealer
        points = self.places.inward(dealer)
        lay, done = time + CARRY_S, time + 2 * CARRY_S
        angle = float(self._rng.normal(0, 0.08))
        if self.places.stock_at is not None:
            angle = self._any_way(stock)
        shown = plus(stock, (-float(np.sin(angle)), float(np.cos(angle))), 0.82 * px * self.places.stock_side)
        across = angle + np.pi / 2
        back = StageThing("back", stock, across, "stock", _layers(self._stock_cards()))
        face = StageThing(turn_up or "back", shown, angle + float(self._rng.normal(0, 0.06)), "turn_up")
        if self._stock_cards():
            self.crew.carry("back", across, [(time, hold), (lay, stock), (lay + 1 / self.stage.fps, stock)])
        self.crew.carry(
            face.face, face.turn_rad, [(lay, stock), (done, shown), (done + 1 / self.stage.fps, shown)], CARDS_ON_TABLE
        )

        def stock_lies() -> None:
            self._stock = self.stage.put(back)

        def turn_up_lies() -> None:
            self._turn_up = self.stage.put(face, under=True)

        if self._stock_cards():
            self.stage.at(lay, stock_lies)
        if turn_up is not None:
            self.stage.at(done, turn_up_lies)
        grip, pull = self.crew.grip(stock, points), self.crew.grip(shown, points)
        away = self.crew.outside(dealer, points)
        laid = done + LAY_S
        if self._chance(self.mess.habits):
            laid += float(self._rng.uniform(0.0, 3.0))
            self._unsquared(stock, lay)
        clear = laid + OUT_S
        self.crew.hand(dealer, points, [*keys, (lay, grip), (done, pull), (laid, pull), (clear, away)])
        return clear

    def _any_way(self, stock: Point) -> float:
        """The turn of the stock that keeps the card turned up inside the picture and out of the tricks' way."""
        best = 0.0
        for _ in range(LANDINGS_TRIED):
            best = float(self._rng.uniform(0, 2 * np.pi))
            shown = plus(stock, (-float(np.sin(best)), float(np.cos(best))), self._card_px * self.places.stock_side)
            clear = not self._near(shown, self.places.trick, 1.7)
            if clear and _inside(shown, self.stage.size, 0.7 * self._card_px):
                break
        return best

    def _unsquared(self, stock: Point, lay: float) -> None:
        """A few cards of the stock lie beside it."""
        for _ in range(int(self._rng.integers(1, 4))):
            at = plus(stock, (float(self._rng.normal(0, 0.15)), float(self._rng.normal(0, 0.15))), self._card_px)
            loose = StageThing("back", at, float(self._rng.uniform(0, np.pi)), "loose")
            self.stage.at(lay, partial(self.stage.put, loose, True))

    def _stock_cards(self) -> int:
        """Backs that lie in the stock after the deal."""
        game = self.game
        dealt = game.players * (game.before_taking or game.hand)
        return max(0, len(game.pack) - dealt - (game.turn_up_goes in (DRAWN_LAST, LEFT_OUT, THE_TAKERS)))

    def _pick_up(self, seat: int, packets: list[tuple[Point, float]], start: float) -> float:
        """A player takes the cards dealt to them."""
        clear = start
        for spot, angle in packets:
            lifted, clear = self.crew.fetch(seat, spot, "back", angle, start)

            def gone(spot: Point = spot) -> None:
                for number in self.stage.all("dealt"):
                    if self.stage[number].at == spot:
                        self.stage.take(number)

            self.stage.at(lifted, gone)
        return clear

    def _gather_all(self, start: float, dealer: int) -> float:
        """Everything is brought together, shuffled by whoever deals next, and taken away."""
        px, rng = self._card_px, self._rng
        points = self.places.inward(dealer)
        middle = plus(self.places.middle, points, -0.6 * px)
        numbers = self.stage.all("trick", "stock", "turn_up", "pile", "paid", "dealt", "loose")
        swept = start + IN_S
        together = swept + CARRY_S
        open_s = float(rng.uniform(0.8, 1.6)) if self._chance(self.mess.face_up_gathers) else 0.0
        for number in numbers:
            thing = self.stage[number]
            self.stage.at(swept, partial(self.stage.take, number))
            near = plus(middle, (float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))), px)
            self.crew.carry(thing.face, thing.turn_rad, [(swept, thing.at), (together, near)], CARDS_ON_TABLE)
            for face in thing.holds if open_s else ():
                spot = plus(middle, (float(rng.normal(0, 0.8)), float(rng.normal(0, 0.6))), px)
                messy = StageThing(face, spot, float(rng.uniform(0, 2 * np.pi)), "gathered")
                self.stage.at(together, partial(self.stage.put, messy))
        for seat in range(self.game.players):
            pile = self.places.pile(seat)
            if any(self._near(self.stage[number].at, pile, 0.6) for number in numbers):
                inward = self.places.inward(seat)
                away = self.crew.outside(seat, inward)
                pushed = plus(middle, inward, -0.9 * px)
                keys = [(start, away), (swept, plus(pile, inward, -0.2 * px)), (together, pushed)]
                self.crew.hand(seat, inward, [*keys, (together + OUT_S, away)], "flat")
        begins = together + open_s
        self.stage.at(begins, lambda: [self.stage.take(number) for number in self.stage.all("gathered")])
        self._trick, self._stock, self._turn_up = [], None, None
        return self._shuffle(dealer, middle, begins)

    def _shuffle(self, dealer: int, at: Point, start: float) -> float:
        """A hand shuffles the pack there, and takes it away."""
        px, points = self._card_px, self.places.inward(dealer)
        done = start + SHUFFLE_S
        away = self.crew.outside(dealer, points)
        steps = [(start + SHUFFLE_S / 8 * k, plus(at, (0.25 * px * (-1) ** k, 0.1 * px * (k % 3)))) for k in range(8)]
        turn = turn_of(points) + np.pi / 2
        self.crew.carry("back", turn, [*steps, (done, at), (done + OUT_S, plus(away, points, 0.3 * px))])
        grips = [(at_s, plus(spot, points, -0.3 * px)) for at_s, spot in [*steps, (done, at)]]
        self.crew.hand(dealer, points, [(start - IN_S, away), *grips, (done + OUT_S, away)])
        return done + OUT_S

    # -- the score, as far as it lies on the table ----------------------------------------------------------------

    def _count(self, trick: list[tuple[int, int, Card]]) -> None:
        """Books a trick, and the deal with its last one."""
        winner = self._winner(trick)
        self._winners.append(winner)
        known = [card for _, _, card in trick if card in self.game.whole_pack]
        self._points[self.game.sides[winner]] += sum(self.game.card_points(card) for card in known)
        if len(self._winners) == self.game.tricks:
            outcome = self.game.outcome(self._points, self._winners, self._score.tie_bonus)
            self._score = self.game.scored(self._score, outcome)

    def _lay_markers(self, start: float) -> float:
        """The markers for the games that each side has lost are laid in front of it; a new match takes them away."""
        lying = self.stage.all("marker")
        if self._score.winner(self.game.target) is not None:
            self._score = self.game.opening_score()
            for number in lying:
                self.stage.at(start, partial(self.stage.take, number))
            return start
        faces = [self.stage[number].face for number in lying]
        for side, markers in enumerate(self._score.markers):
            for place, rank in enumerate(markers):
                face = rank if rank == JOKER else rank + SUITS[side]
                if face not in faces:
                    at = self.places.marker(side, place)
                    turn = turn_of(self.places.inward(side)) + float(self._rng.normal(0, 0.1))
                    _, start, _ = self.crew.bring(side, StageThing(face, at, turn, "marker"), start)
        return start

    # -- the card turned up ---------------------------------------------------------------------------------------

    def _swap_turn_up(self, event: TurnUpSeen, number: int, start: float) -> None:
        """Another card lies under the stock; nothing moves when it is the same."""
        wanted = self._turn_up
        if wanted is None or self.stage[wanted].face == event.card:
            self._tell(event, number, start, start)
            return
        seat = int(self._rng.integers(self.game.players))
        thing = self.stage[wanted]
        lifted, clear = self.crew.fetch(seat, thing.at, thing.face, thing.turn_rad, start)
        self.stage.at(lifted, partial(self.stage.take, wanted))
        rest, clear = self._turn_up_again(seat, replace(thing, face=event.card), clear + 0.1)
        self._seen.add(event.card)
        self._tell(event, number, rest, clear)
        self._rest_from(clear)

    def _turn_up_again(self, seat: int, thing: StageThing, start: float) -> tuple[float, float]:
        landed, clear, laid = self.crew.bring(seat, thing, start, under=True)

        def lies() -> None:
            self._turn_up = laid[0]

        self.stage.at(landed, lies)
        return landed, clear

    def _pillage(self, event: Pillage, number: int, start: float) -> None:
        """The card turned up is taken, one is put under the stock for it, and the next is turned up."""
        wanted = self._turn_up
        assert wanted is not None and event.seat is not None, "somebody takes the card that is there"
        thing = self.stage[wanted]
        lifted, clear = self.crew.fetch(event.seat, thing.at, thing.face, thing.turn_rad, start)
        self.stage.at(lifted, partial(self.stage.take, wanted))
        self._turn_up = None
        if event.paid is not None:
            beside = plus(thing.at, self.places.inward(event.seat), -1.3 * self._card_px)
            shown = StageThing(event.paid, beside, thing.turn_rad + 0.4, "paid")
            _, away, laid = self.crew.bring(event.seat, shown, clear + 0.1)
            lifted, clear = self.crew.fetch(event.seat, beside, event.paid, shown.turn_rad, away + REST_S)
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


def _inside(at: Point, size: tuple[int, int], margin_px: float) -> bool:
    """Whether a point is in the picture, so far from its edge."""
    return all(margin_px <= place <= length - margin_px for place, length in zip(at, size, strict=True))


def _some_deck(rng: Rng) -> Deck:
    """A deck of another make."""
    white = float(rng.uniform(0.72, 1.0))
    paper = tuple(int(255 * white * warm) for warm in (float(rng.uniform(0.85, 1.0)), 0.97, 1.0))
    return varied_deck(
        round(float(rng.uniform(0.85, 1.9)), 2), bool(rng.random() < 0.25), (paper[0], paper[1], paper[2])
    )


def _placed(rng: Rng, places: StagePlaces, mess: Mess) -> StagePlaces:
    """Where everything and everybody is at one table."""
    if mess.uneven:
        turns = np.deg2rad(rng.uniform(-mess.uneven, mess.uneven, places.players))
        places = replace(places, uneven_rad=tuple(float(turn) for turn in turns))
    if not (mess.stock_anywhere and rng.random() < mess.stock_anywhere):
        return places
    px, middle = places.card_px, places.middle
    trick = plus(middle, (float(rng.normal(0, 0.35)), float(rng.normal(0, 0.35))), px)
    for _ in range(LANDINGS_TRIED):
        at = (float(rng.uniform(0, places.size[0])), float(rng.uniform(0, places.size[1])))
        far = float(np.hypot(at[0] - trick[0], at[1] - trick[1])) / px
        if STOCK_REACH[0] < far < STOCK_REACH[1] and _inside(at, places.size, 0.6 * px):
            return replace(places, trick_at=trick, stock_at=at, stock_side=1)
    return places


def _unevenly_lit(rng: Rng, top: Image) -> Image:
    """A table top with the lamp at one side of it."""
    height, width = top.shape[:2]
    depth, angle = float(rng.uniform(0.1, 0.5)), float(rng.uniform(0, 2 * np.pi))
    across = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None] * np.float32(np.cos(angle))
    along = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None] * np.float32(np.sin(angle))
    lit = 1 + depth * (across + along)
    return np.clip(top.astype(np.float32) * lit[..., None], 0, 255).astype(np.uint8)


def _by_themselves(rng: Rng, person: StagePerson, paces: float) -> StagePerson:
    """Somebody with a pace, a size and a way of laying cards of their own."""
    pace = float((1 + paces) ** rng.uniform(-0.7, 1))
    return replace(person, pace=pace, size=person.size * float(rng.uniform(0.85, 1.2)), flat=bool(rng.random() < 0.2))
