"""A card table where nobody sits at one seat: its hand lies face up before it, and others lay its cards."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from engine.cards import Card
from engine.events import Confirm, Deal, Event, Play, Take, Taken
from vision.synthetic.play_cards import DrawnCardTable
from vision.synthetic.play_crew import IN_S, LAY_S, OUT_S
from vision.synthetic.play_places import plus, turn_of, unit
from vision.synthetic.play_stage import StageThing

FROM_EDGE, FIRST, STEP = 0.85, -3.0, 0.4
"""Card widths: from the edge to the row, from the seat's middle to its first card, and from card to card."""
WAITS_S = 0.5


class OpenHandTable(DrawnCardTable):
    """The same table; `Confirm` only lets time pass."""

    def __init__(self, *table: Any, open_seat: int, held: Callable[[], Iterable[Card]], **more: Any) -> None:
        """open_seat: where nobody sits; held: the cards of its hand now."""
        super().__init__(*table, **more)
        self._open_seat, self._held = open_seat, held
        self._row: dict[Card, int] = {}
        """Where in the row each card lies that was ever in it, in this deal."""
        self._open: dict[Card, list[int]] = {}
        """The number of each thing that lies there, once it does."""

    def _perform(self, event: Event, number: int, start: float) -> None:
        if isinstance(event, Confirm):
            self._ready_s = start + WAITS_S
            return
        if isinstance(event, Play) and event.seat == self._open_seat and event.card in self._row:
            start = self._fetched(event.card, start)
        super()._perform(event, number, start)
        if isinstance(event, Deal):
            self._row = {}
        if isinstance(event, Deal | Take | Taken):
            self._spread_out()

    def _arm(self, seat: int) -> int:
        if seat != self._open_seat:
            return seat
        others = [other for other in range(self.game.players) if other != seat]
        return int(self._rng.choice(others))

    def _fetched(self, card: Card, start: float) -> float:
        """Somebody takes a card out of the row. When that hand is away."""
        thing = self.stage[self._open[card][0]]
        lifted, clear = self.crew.fetch(self._arm(self._open_seat), thing.at, card, thing.turn_rad, start)
        self.stage.at(lifted, partial(self.stage.take, self._open[card][0]))
        return clear + 0.1

    def _spread_out(self) -> None:
        """Somebody lays out what is new in the hand, at the right end of the row: the next lies over it."""
        new = [card for card in self._held() if card not in self._row]
        if not new:
            return
        seat, px, by = self._open_seat, self._card_px, self._arm(self._open_seat)
        places = self.places
        turn, start = turn_of(places.inward(seat)), self._ready_s
        middle = places.beside(seat, FROM_EDGE, FIRST + STEP * (len(self._row) + len(new) / 2))
        points = unit(plus(middle, places.edge(by), -1)) if by != seat else places.inward(seat)
        away, lies = self.crew.outside(by, points), start + IN_S + LAY_S
        hold = plus(middle, points, -0.2 * px)
        self.crew.hand(by, points, [(start, away), (start + IN_S, hold), (lies, hold), (lies + OUT_S, away)], "flat")
        for card in new:
            at = places.beside(seat, FROM_EDGE, FIRST + STEP * len(self._row))
            self._row[card], self._open[card] = len(self._row), []
            thing = StageThing(card, at, turn + float(self._rng.normal(0, 0.03)), "open")
            self.stage.at(lies, partial(self._lies_open, card, thing))
        self._rest_from(lies + OUT_S)

    def _lies_open(self, card: Card, thing: StageThing) -> None:
        self._open[card].append(self.stage.put(thing))
