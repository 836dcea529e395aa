"""The lamps of the minimal build: one for each suit, one for each of two sides."""

import threading
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from device.following.show import Show
from device.keeping.settings import Settings
from device.machine import pins
from device.machine.wiring import Wiring, load
from device.outputs import OutputKind
from engine.cards import SUITS as CARD_SUITS

FREQUENCY_HZ = 200
"""Of dimming: above what an eye sees flicker even when it moves, and little work for a Pi that does it in software."""
ALERT_HALF_S = 0.25
"""Lit and dark while an alert stands: twice a second. Guidance for eyes prone to fits allows three flashes."""
CALM_HALF_S = 0.6
"""Lit and dark for a trick taken, a match won or a question: clearly another rhythm than an alert's."""
SUITS, SIDES = "suit_lamps", "side_lamps"
Lamp = tuple[str, str]
"""Group and signal of wiring.toml."""


@dataclass(frozen=True)
class Pattern:
    """Which lamps are lit, and which of them blink."""

    lit: frozenset[Lamp] = frozenset()
    blinking: frozenset[Lamp] = frozenset()
    half_s: float = CALM_HALF_S


def pattern(show: Show) -> Pattern:
    """What the lamps say: trump, whose turn, both sides where nobody has won; blinking slowly who took the trick or
    won, and the device's own side while a person is to make its turn; fast, an alert."""
    if show.trying:
        return Pattern(frozenset({(SUITS, suit) for suit in CARD_SUITS} | {_side(0), _side(1)}))
    view = show.view
    lit = {(SUITS, view["trump"])} if view.get("trump") and "winner" not in view else set()
    sides = {_side(0), _side(1)}
    if show.alert:
        return Pattern(frozenset(lit), frozenset(sides), ALERT_HALF_S)
    if show.prompt:
        return Pattern(frozenset(lit), frozenset(sides))
    if (winner := view.get("winner")) is not None:
        return Pattern(frozenset(lit), frozenset({_side(winner)} & sides))
    if view.get("phase") == "over":
        return Pattern(frozenset(sides))
    if (turn := view.get("turn")) is not None:
        whose = {_side(view["sides"][turn])} & sides
        if view.get("wanted"):
            return Pattern(frozenset(lit), frozenset(whose))
        return Pattern(frozenset(lit | whose))
    if (last := view.get("last_winner")) is not None:
        return Pattern(frozenset(lit), frozenset({_side(view["sides"][last])} & sides))
    return Pattern(frozenset(lit))


def _side(side: int) -> Lamp:
    return SIDES, f"side_{side}"


class Lamps:
    """An output: the lamps on the Pi's own pins. Blinking goes on by itself."""

    name = "lamps"
    trouble = "lamps_away"

    def __init__(self, wiring: Wiring | None = None, build: str = "minimal") -> None:
        self._pins = {lamp: pin for lamp, pin in (wiring or load()).pins(build).items() if lamp[0] in (SUITS, SIDES)}
        self._lamps: dict[Lamp, Any] = {}
        self._wake = threading.Condition()
        self._pattern, self._brightness = Pattern(), 1.0
        self._busy: dict[Lamp, OSError] = {}
        """Lamps that could not be opened, and why."""
        self._lost: dict[Lamp, OSError] = {}
        """Lamps that failed when they were to shine, and why."""
        self._thread: threading.Thread | None = None
        self._closed = False

    def show(self, show: Show) -> None:
        """Raises PinsAway when lamps are missing; those that are there shine all the same."""
        opened = self._open()
        with self._wake:
            now = pattern(show), show.brightness
            if opened or now != (self._pattern, self._brightness):
                self._pattern, self._brightness = now
                self._set(self._pattern.lit | self._pattern.blinking)
                self._wake.notify()
            missing = next(iter((self._busy | self._lost).values()), None)
        if missing:
            raise missing

    def close(self) -> None:
        """Lights off."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread:
            self._thread.join()
        for lamp in self._lamps.values():
            pins.release(lamp)
        self._lamps, self._thread = {}, None

    def _open(self) -> bool:
        """Opens the lamps that are not open, and says whether there were any to open."""
        opened = False
        for lamp in self._pins.keys() - self._lamps.keys():
            try:
                self._lamps[lamp] = pins.lamp(self._pins[lamp], FREQUENCY_HZ)
            except OSError as error:
                self._busy[lamp] = error
            else:
                self._busy.pop(lamp, None)
                opened = True
        if self._lamps and not (self._thread and self._thread.is_alive()):
            self._closed = False
            self._thread = threading.Thread(target=self._shine, name="lamps", daemon=True)
            self._thread.start()
        return opened

    def _shine(self) -> None:
        """Sets the lamps, and turns the blinking ones over; sleeps for good while none blinks."""
        dark = False
        before = self._pattern
        with self._wake:
            while not self._closed:
                if self._pattern != before:
                    before, dark = self._pattern, False
                self._set(before.lit if dark else before.lit | before.blinking)
                woken = self._wake.wait(before.half_s if before.blinking else None)
                dark = dark if woken else not dark

    def _set(self, lit: Set[Lamp]) -> None:
        """These shine and no others. One whose pin fails is let go of, and counts as lost until it shone again."""
        for lamp, led in list(self._lamps.items()):
            value = self._brightness if lamp in lit else 0.0
            try:
                with pins.told():
                    if led.value != value:
                        led.value = value
                if value:
                    self._lost.pop(lamp, None)
            except OSError as error:
                self._lost[lamp] = error
                pins.release(self._lamps.pop(lamp))


def _made(settings: Settings, wiring: Wiring) -> list[Lamps]:
    """Where no panel was built."""
    build = settings.build
    return [] if build == "laptop" or wiring.builds[build].panel else [Lamps(wiring, build)]


OUTPUT = OutputKind("lamps", _made, (Lamps.trouble,))
