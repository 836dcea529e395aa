"""The keys of a terminal as the three buttons: a laptop has no others.

A, B and C (or 1, 2 and 3) are the buttons; with Shift they are held for long. In the menu the arrows move, Enter
chooses and Escape goes back.
"""

import contextlib
import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from typing import IO

from device.following.press import Press
from device.following.show import Show

ESCAPE_S = 0.05
"""Between an Escape and what follows it if it is an arrow: a terminal sends them together, a network may part them."""
BUTTONS = {"a": "A", "b": "B", "c": "C", "1": "A", "2": "B", "3": "C"}
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_NAMED = {"\r": "enter", "\n": "enter", "\x7f": "left", "\x08": "left", "\x1b": "escape"}
IN_MENU = {"down": "A", "left": "B", "escape": "B", "right": "C", "enter": "C"}
"""What moves in a list: the button it stands for."""


def keys_of(text: str) -> Iterator[str]:
    """The keys that a terminal's characters stand for: a letter is itself, the others have names."""
    at = 0
    while at < len(text):
        if text[at] == "\x1b" and text[at + 1 : at + 2] in ("[", "O"):
            end = at + 2
            while end < len(text) and not text[end].isalpha() and text[end] != "~":
                end += 1
            if text[end : end + 1] in _ARROWS:
                yield _ARROWS[text[end]]
            at = end + 1
        else:
            yield _NAMED.get(text[at], text[at])
            at += 1


def presses_of(key: str, show: Show | None) -> list[Press]:
    """What a key presses while this is shown."""
    button = BUTTONS.get(key.lower()) if len(key) == 1 else None
    if button:
        return [Press(button, long=key.isupper())]
    page = show.page if show is not None else None
    if page is None:
        return []
    if page.chosen is None:  # A question of the menu's own, with yes and no.
        return [Press("B")] if key in ("left", "escape") else []
    if key == "up":  # There is no button for it: round to it from the other side.
        return [Press("A")] * (len(page.lines) - 1)
    return [Press(IN_MENU[key])] if key in IN_MENU else []


def has_keys(stream: IO[str] | None = None) -> bool:
    """Whether somebody can type here: a terminal, and in front."""
    stream = sys.stdin if stream is None else stream
    try:
        fd = stream.fileno() if stream is not None else -1
        return os.isatty(fd) and os.tcgetpgrp(fd) == os.getpgrp()
    except (OSError, ValueError):
        return False


class Keys:
    """Listens to a terminal's keys in a thread of its own and tells of every press."""

    def __init__(
        self, pressed: Callable[[Press], None], on_screen: Callable[[], Show | None], stream: IO[str] | None = None
    ) -> None:
        """on_screen says what the person who types sees. OSError: no terminal."""
        self._pressed, self._on_screen = pressed, on_screen
        self._fd = (stream or sys.stdin).fileno()
        self._woken, self._wake = os.pipe()
        try:
            self._before = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd, termios.TCSANOW)  # Each key at once and unseen; Ctrl-C still ends the program.
        except termios.error as error:
            os.close(self._woken)
            os.close(self._wake)
            raise OSError("the keys cannot be read: this is no terminal") from error
        self._closed = False
        self._thread = threading.Thread(target=self._listen, name="keys", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Leaves the terminal as it was; harmless twice."""
        if self._closed:
            return
        self._closed = True
        os.write(self._wake, b".")
        if threading.current_thread() is not self._thread:
            self._thread.join()
        os.close(self._woken)
        os.close(self._wake)
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._fd, termios.TCSANOW, self._before)

    def _listen(self) -> None:
        while not self._closed:
            ready, _, _ = select.select([self._fd, self._woken], [], [])
            if self._woken in ready:
                return
            text = self._read()
            if not text:
                return  # The terminal is gone.
            if text.endswith("\x1b") and select.select([self._fd], [], [], ESCAPE_S)[0]:
                text += self._read()
            for key in keys_of(text):
                for press in presses_of(key, self._on_screen()):
                    self._pressed(press)

    def _read(self) -> str:
        try:
            return os.read(self._fd, 1024).decode(errors="replace")
        except OSError:
            return ""
