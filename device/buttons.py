"""The three buttons: every press once, short or long, however much the contacts bounce."""

import threading
import time
from collections.abc import Callable
from typing import Any

from device.following.press import Press
from device.machine import pins
from device.machine.wiring import Wiring, load

BOUNCE_S = 0.02
"""A contact must lie still so long before it is believed. Small buttons bounce for up to 10 ms, worn ones longer."""
LONG_S = 0.8
"""Held so long it is a long press: a firm short one lasts a quarter of a second, an old hand's half."""
REPEAT_S = 0.6
"""Between repeats while B is held: slow enough to read what each step took back."""
REPEATING = ("B",)
MEND_S = 10.0
"""Between tries at a button whose pin is lost."""


class Contact:
    """One button's contact: edges in, presses out. Knows nothing of pins, and of time only what it is told.

    Every edge brings its own time, so a short press counts even where the thread that asks was kept waiting.
    """

    def __init__(self, button: str, held: bool = False) -> None:
        """held: it is down from the start, and counts once it has been let go."""
        self._button = button
        self._down = held
        self._long = held
        self._next_down = held
        """How it lies since the last edge."""
        self._edge_s: float | None = None
        """When it last changed, until it is believed."""
        self._next_s: float | None = None
        """When the press that goes on is the next time long."""
        self._found: list[Press] = []

    @property
    def due_s(self) -> float | None:
        """When to ask again, if no edge comes before."""
        if self._edge_s is not None:
            return self._edge_s + BOUNCE_S
        return self._next_s

    def edge(self, down: bool, at_s: float) -> None:
        """The contact changed."""
        self._follow(at_s)
        self._next_down, self._edge_s = down, at_s

    def presses(self, down: bool, at_s: float) -> list[Press]:
        """What happened until now. down: how the contact lies at this moment."""
        if self._edge_s is None and down != self._next_down:
            # An edge was lost. When it was, nobody knows: a press that may have been short is not told as a long one.
            self._next_down, self._edge_s = down, at_s
        self._follow(at_s)
        found, self._found = self._found, []
        return found

    def _follow(self, at_s: float) -> None:
        if self._edge_s is not None:
            if at_s < self._edge_s + BOUNCE_S:
                return
            self._believe(self._edge_s)
        if self._next_s is None or at_s < self._next_s:
            return
        self._found.append(Press(self._button, long=True, repeat=self._long))
        self._next_s = at_s + REPEAT_S if self._button in REPEATING else None
        self._long = True

    def _believe(self, changed_s: float) -> None:
        self._edge_s = None
        if self._next_down == self._down:
            return
        self._down = self._next_down
        if self._down:
            self._next_s, self._long = changed_s + LONG_S, False
            return
        self._next_s = None
        if not self._long:
            self._found.append(Press(self._button))


class Buttons:
    """Listens to the buttons in a thread of its own and tells of every press. One that is lost leaves the others."""

    def __init__(self, pressed: Callable[[Press], None], wiring: Wiring | None = None, build: str = "minimal") -> None:
        """Raises PinsAway when there are no pins. pressed is called from the buttons' thread."""
        self._pressed = pressed
        self._wake = threading.Condition()
        self._closed = False
        self._pins = {name: pin for (group, name), pin in (wiring or load()).pins(build).items() if group == "buttons"}
        self._contacts = {name: Contact(name) for name in self._pins}
        self._switches: dict[str, Any] = {}
        self.away: OSError | None = None
        """Why a button is lost, while one is."""
        self._mend()
        if self.away and not self._switches:
            raise self.away
        self._thread = threading.Thread(target=self._listen, name="buttons", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Lets go of the pins; harmless twice."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._release()

    def _release(self) -> None:
        for switch in self._switches.values():
            pins.release(switch)

    def _mend(self) -> None:
        """Opens the buttons that are not open."""
        away: OSError | None = None
        for name in self._pins.keys() - self._switches.keys():
            try:
                switch = pins.switch(self._pins[name])
            except OSError as error:
                away = error
                continue
            self._switches[name] = switch
            self._contacts[name] = Contact(name, held=self._lies(name))
            if name not in self._switches:
                away = self.away
                continue
            switch.when_pressed = self._edge_of(name, down=True)
            switch.when_released = self._edge_of(name, down=False)
        self.away = away

    def _edge_of(self, name: str, down: bool) -> Callable[[], None]:
        def edge() -> None:
            at_s = time.monotonic()
            with self._wake:
                self._contacts[name].edge(down, at_s)
                self._wake.notify()

        return edge

    def _listen(self) -> None:
        mend_s = time.monotonic() + MEND_S
        while True:
            with self._wake:
                due = [contact.due_s for contact in self._contacts.values() if contact.due_s is not None]
                if self.away:
                    due.append(mend_s)
                if not self._closed:
                    self._wake.wait(max(0.0, min(due) - time.monotonic()) if due else None)
                if self._closed:
                    return
            if self.away and time.monotonic() >= mend_s:
                self._mend()
                mend_s = time.monotonic() + MEND_S
            # Not under the lock: an edge holds gpiozero's own lock while it waits for ours.
            lying = {name: self._lies(name) for name in list(self._switches)}
            with self._wake:
                now_s = time.monotonic()
                found = [press for name, down in lying.items() for press in self._contacts[name].presses(down, now_s)]
            for press in found:
                self._pressed(press)

    def _lies(self, name: str) -> bool:
        """Whether a button is down. One whose pin is lost is not, and is let go of."""
        try:
            with pins.told():
                return bool(self._switches[name].is_pressed)
        except OSError as error:
            self.away = error
            pins.release(self._switches.pop(name))
            self._contacts[name] = Contact(name)
            return False
