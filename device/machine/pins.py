"""The Pi's pins through gpiozero: the only file that imports it, and only when a part is opened."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from device.words.away import Away

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the kernel calls the chip behind the 40-pin header: of a Pi 5, of a Pi 4, of all before. Its number changes: on
a Pi 5 it was 4, then 0, and is 11 to 15 since mid-2026."""
CHIP_INFO = 0x8044B401
"""The ioctl GPIO_GET_CHIPINFO (linux/gpio.h): name and label of 32 bytes each, and the number of lines."""
CHIP_INFO_BYTES = 68


class PinsAway(Away):
    """The pins cannot be used: no Pi, no library for its pins, or another program holds one."""

    topic = "mistake"


@contextmanager
def told() -> Iterator[None]:
    """What goes wrong at an open pin as PinsAway."""
    try:
        yield
    except Exception as error:
        problem = _problem(error)
        if problem is None:
            raise
        raise problem from error


def _open(make: Callable[[Any], Any]) -> Any:
    """A part that gpiozero makes, on the header's chip; what goes wrong as PinsAway.

    Its own error goes on nowhere: gpiozero keeps a pin for a part that could not be made for as long as that lives,
    and the error's frames hold it.
    """
    try:
        import gpiozero

        _use_header_chip()
        return make(gpiozero)
    except Exception as error:
        problem = _problem(error)
        if problem is None:
            raise
    raise problem


@contextmanager
def _folder_for_pipes() -> Iterator[None]:
    """Another folder where this one takes no pipe (it may not be written, a stick knows none): lgpio makes one where it
    is as it is imported."""
    pipe = Path(f".hisabu-{os.getpid()}")
    try:
        os.mkfifo(pipe)
        pipe.unlink()
    except OSError:
        pass
    else:
        yield
        return
    here = os.open(os.curdir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                yield
            finally:
                os.fchdir(here)
    finally:
        os.close(here)


def _problem(error: Exception) -> PinsAway | None:
    """What to tell of an error of gpiozero or lgpio, and what to do. None: it is neither's."""
    try:
        import gpiozero
    except ImportError:
        return PinsAway("pins_need")
    if isinstance(error, gpiozero.BadPinFactory):
        return PinsAway("pins_none")
    # lgpio's errors are plain exceptions: one pin that is busy is one of them.
    if isinstance(error, gpiozero.GPIOZeroError) or type(error).__module__ == "lgpio":
        return PinsAway("pin_busy", what=error)
    return None


def release(part: Any) -> None:
    """Lets go of a part. Of one whose pin is lost there is nothing left to let go of."""
    with suppress(PinsAway), told():
        part.close()


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
    """Has gpiozero use the header's chip by its label, before the first part is opened; PinsAway: there is none.

    gpiozero up to 2.0.1 opens number 4 or 0 whatever it is told. Left to itself it tries four libraries one after the
    other, warns of each at every part, and may drive a chip that is not the header's.
    """
    import gpiozero

    if gpiozero.Device.pin_factory is not None or os.environ.get("GPIOZERO_PIN_FACTORY"):
        return
    chip = header_chip()
    if chip is None:
        raise PinsAway("pins_none")
    try:
        with _folder_for_pipes():
            import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError:
        raise PinsAway("pins_none") from None
    number = int(chip.name.removeprefix("gpiochip"))
    open_any = lgpio.gpiochip_open
    lgpio.gpiochip_open = lambda _: open_any(number)
    try:
        gpiozero.Device.pin_factory = LGPIOFactory()
    finally:
        lgpio.gpiochip_open = open_any


def lamp(pin: int, frequency_hz: float) -> Any:
    """A lamp that can be dimmed: .value from 0 to 1."""
    return _open(lambda gpiozero: gpiozero.PWMLED(pin, frequency=frequency_hz))


def switch(pin: int) -> Any:
    """A push button to ground: .is_pressed, and .when_pressed and .when_released at every edge."""
    return _open(lambda gpiozero: gpiozero.Button(pin, pull_up=True))


def piezo(pin: int, middle: str, octaves: int) -> Any:
    """A piezo that plays tones: .play(tone), .stop()."""
    return _open(lambda gpiozero: gpiozero.TonalBuzzer(pin, mid_tone=gpiozero.tones.Tone(middle), octaves=octaves))


def output(pin: int) -> Any:
    """A wire that is high or low: .value."""
    return _open(lambda gpiozero: gpiozero.DigitalOutputDevice(pin))
