"""The Pi's pins through gpiozero: the only file that imports it, and only when a part is opened."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the kernel calls the chip behind the 40-pin header: of a Pi 5, of a Pi 4, of all before. Its number changes: on
a Pi 5 it was 4, then 0, and is 11 to 15 since mid-2026."""
CHIP_INFO = 0x8044B401
"""The ioctl GPIO_GET_CHIPINFO (linux/gpio.h): name and label of 32 bytes each, and the number of lines."""
CHIP_INFO_BYTES = 68


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
        _use_header_chip()
        yield
    except gpiozero.BadPinFactory as error:
        raise PinsAway("No pins here. On a Raspberry Pi: sudo apt install python3-lgpio") from error
    except gpiozero.GPIOZeroError as error:
        raise PinsAway(f"A pin cannot be used: {error}. Does another program hold it?") from error
    except Exception as error:
        if type(error).__module__ != "lgpio":  # Its errors are plain exceptions: one pin that is busy is one of them.
            raise
        raise PinsAway(f"A pin cannot be used: {error}. Does another program hold it?") from error


def header_chip(root: Path = Path("/")) -> Path | None:
    """The device file of the chip behind the header, found by its label; None: there is none, or none may be opened."""
    for path in sorted(root.glob("dev/gpiochip*")):
        if label_of(path) in HEADER_LABELS:
            return path
    return None


def label_of(chip: Path) -> str | None:
    """What the kernel calls a chip; None: it may not be opened, or is none."""
    try:
        fd = os.open(chip, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        info = fcntl.ioctl(fd, CHIP_INFO, bytes(CHIP_INFO_BYTES))
    except OSError:
        return None
    finally:
        os.close(fd)
    return info[32:64].partition(b"\0")[0].decode(errors="replace")


def _use_header_chip() -> None:
    """Has gpiozero use the header's chip by its label, before the first part is opened.

    gpiozero up to 2.0.1 opens number 4 or 0 whatever it is told.
    """
    import gpiozero

    if gpiozero.Device.pin_factory is not None or os.environ.get("GPIOZERO_PIN_FACTORY"):
        return
    chip = header_chip()
    if chip is None:
        return
    try:
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError:
        return
    number = int(chip.name.removeprefix("gpiochip"))
    open_any = lgpio.gpiochip_open
    lgpio.gpiochip_open = lambda _: open_any(number)
    try:
        gpiozero.Device.pin_factory = LGPIOFactory()
    finally:
        lgpio.gpiochip_open = open_any


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
