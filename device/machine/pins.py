"""The Pi's pins through gpiozero: the only file that imports it, and only when a part is opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class PinsAway(OSError):
    """The pins cannot be used: no Pi, no library for its pins, or another program holds one."""


@contextmanager
def _told() -> Iterator[None]:
    """gpiozero's own errors as PinsAway, with what to do."""
    try:
        import gpiozero
    except ImportError as error:
        raise PinsAway("The pins need gpiozero. Run ./hisabu once with the network there.") from error
    try:
        yield
    except gpiozero.BadPinFactory as error:
        raise PinsAway("No pins here. On a Raspberry Pi: sudo apt install python3-lgpio") from error
    except gpiozero.GPIOZeroError as error:
        raise PinsAway(f"A pin cannot be used: {error}. Does another program hold it?") from error


def lamp(pin: int, frequency_hz: float) -> Any:
    """A lamp that can be dimmed: .value from 0 to 1."""
    with _told():
        import gpiozero

        return gpiozero.PWMLED(pin, frequency=frequency_hz)


def switch(pin: int) -> Any:
    """A push button to ground: .is_pressed, and .when_pressed and .when_released at every edge."""
    with _told():
        import gpiozero

        return gpiozero.Button(pin, pull_up=True)


def piezo(pin: int, middle: str, octaves: int) -> Any:
    """A piezo that plays tones: .play(tone), .stop()."""
    with _told():
        import gpiozero

        return gpiozero.TonalBuzzer(pin, mid_tone=gpiozero.tones.Tone(middle), octaves=octaves)


def output(pin: int) -> Any:
    """A wire that is high or low: .value."""
    with _told():
        import gpiozero

        return gpiozero.DigitalOutputDevice(pin)
