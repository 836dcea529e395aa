"""The display on its wires, through luma: the only file that imports it, and only when the display is opened."""

import contextlib
import time
from collections.abc import Callable
from typing import Any

from PIL import Image, ImageChops

from device.following.show import Show
from device.keeping.settings import DARKEST
from device.machine import pins
from device.machine.wiring import Wiring, load
from device.outputs.display.screens import draw
from device.words.away import Away

KINDS = ("ssd1306", "sh1106", "st7789")
OLED_SIZE = (128, 64)
SPI_HZ = 24_000_000
"""A whole colour picture in 58 ms. The glass would take 62 MHz; loose wires of 20 cm do not."""
RESET_S, AWAKE_S = 0.01, 0.12
"""How long the reset wire is held down, and how long the glass then needs (ST7789 data sheet: 10 us and 120 ms)."""
WAKE_EVERY_S = 10.0
"""A display that lost its plug and got it back shows nothing before it is set up: so it is, this often, before a new
picture. It takes a hundred bytes."""
NO_OPERATION = 0xE3
"""Asks an OLED for nothing but a sign of life."""
BACKLIGHT_HZ = 200


class DisplayAway(Away):
    """The display does not answer. The message says what to do."""

    topic = "mistake"


class DisplayWire:
    """A serial interface of luma that remembers how the display was set up."""

    def __init__(self, serial: Any) -> None:
        self._serial = serial
        self._setup: list[tuple[str, Any]] = []
        self.recording = True

    def command(self, *command: int) -> None:
        if self.recording:
            self._setup.append(("command", command))
        self._serial.command(*command)

    def data(self, data: Any) -> None:
        # Long data is a picture; short data are the arguments of a command.
        if self.recording and len(data) <= 16:
            self._setup.append(("data", list(data)))
        self._serial.data(data)

    def wake(self) -> None:
        """Sends the set-up once more."""
        for kind, sent in self._setup:
            if kind == "command":
                self._serial.command(*sent)
            else:
                self._serial.data(sent)

    def cleanup(self) -> None:
        self._serial.cleanup()


class Display:
    """An output: draws a show and sends the picture if it is another than the one that is there."""

    name = "display"
    trouble = "display_away"

    def __init__(
        self,
        kind: str,
        size: tuple[int, int] = OLED_SIZE,
        wiring: Wiring | None = None,
        serial: Callable[[], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """kind: one of KINDS. serial: the interface to use in place of the Pi's own."""
        self.size = size
        self.colour = kind == "st7789"
        self._kind = kind
        self._wiring = wiring or load()
        self._serial = serial or (self._spi if self.colour else self._i2c)
        self._clock = clock
        self._device: Any = None
        self._wire: DisplayWire | None = None
        self._held: list[Any] = []
        self._backlight: Any = None
        self._shown: Image.Image | None = None
        self._brightness = 1.0
        self._woken_s = 0.0

    def show(self, show: Show) -> None:
        """Raises DisplayAway; may then be shown to again, and starts anew."""
        picture = draw(show, self.size, self.colour)
        try:
            fresh = self._device is None
            if fresh:
                self._open()
            if fresh or show.brightness != self._brightness:
                self._dim(show.brightness)
            if self._shown is None or ImageChops.difference(picture, self._shown).getbbox():
                self._send(picture)
        except Exception as error:
            self._let_go()
            raise _away(error, self._kind) from error

    def close(self) -> None:
        """Glass dark, ports closed."""
        if self._device is not None:
            with contextlib.suppress(Exception):  # It is away already: there is nothing to darken.
                self._device.cleanup()
        self._let_go()

    # -- on the wire -------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        wire = DisplayWire(self._serial())
        if self.colour:
            from luma.lcd.device import st7789

            self._device = st7789(wire, *self.size, backlight=self._light)
        else:
            # luma keeps a hand on every device it made until the program ends: so none is made for a dead wire.
            wire.recording = False
            wire.command(NO_OPERATION)
            wire.recording = True
            from luma.oled.device import sh1106, ssd1306

            self._device = (sh1106 if self._kind == "sh1106" else ssd1306)(wire, *self.size)
        wire.recording = False
        self._wire, self._shown = wire, None
        self._woken_s = self._clock()

    def _send(self, picture: Image.Image) -> None:
        assert self._wire
        if self._clock() - self._woken_s >= WAKE_EVERY_S:
            self._wire.wake()
            self._dim(self._brightness)
            self._woken_s, self._shown = self._clock(), None
        if self.colour and self._shown is not None:
            changed = ImageChops.difference(picture, self._shown).getbbox()
            assert changed
            self._device.set_window(*changed)
            self._device.data(list(picture.crop(changed).tobytes()))
        else:
            self._device.display(picture)
        self._shown = picture

    def _dim(self, brightness: float) -> None:
        self._brightness = brightness
        brightness = max(DARKEST, min(1.0, brightness))
        if self.colour:
            if self._backlight is not None:
                self._backlight.value = brightness
        else:
            self._device.contrast(round(255 * brightness))

    def _light(self, on: bool) -> None:
        """luma turns the backlight on and off at the ends."""
        if self._backlight is not None:
            self._backlight.value = float(on)

    def _let_go(self) -> None:
        device, self._device, self._shown = self._device, None, None
        if device is not None:
            # What luma does of itself at the end of the program must find nothing to do.
            device.persist = True
        if self._wire is not None:
            wire, self._wire = self._wire, None
            with contextlib.suppress(Exception):
                wire.cleanup()
        for pin in self._held:
            pins.release(pin)
        self._held, self._backlight = [], None

    def _i2c(self) -> Any:
        from luma.core.interface.serial import i2c

        return i2c(port=self._wiring.oled_port, address=self._wiring.oled_address)

    def _spi(self) -> Any:
        from luma.core.interface.serial import spi

        signals = self._wiring.signals["colour_display"]
        wires = _Wires()
        self._held = [wires]
        self._backlight = pins.lamp(signals["backlight"], BACKLIGHT_HZ)
        self._held.append(self._backlight)
        return spi(
            gpio=wires,
            port=self._wiring.spi_port,
            device=self._wiring.spi_device,
            bus_speed_hz=SPI_HZ,
            gpio_DC=signals["dc"],
            gpio_RST=signals["reset"],
            reset_hold_time=RESET_S,
            reset_release_time=AWAKE_S,
        )


class _Wires:
    """Single wires as luma wants them (it asks for RPi.GPIO), on gpiozero."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self) -> None:
        self._wires: dict[int, Any] = {}

    def setup(self, pin: int, direction: int) -> None:
        self._wires[pin] = pins.output(pin)

    def output(self, pin: int, value: int) -> None:
        self._wires[pin].value = value

    def close(self) -> None:
        for wire in self._wires.values():
            pins.release(wire)


def _away(error: Exception, kind: str) -> DisplayAway:
    """What is wrong, and what to do."""
    if isinstance(error, pins.PinsAway):
        return DisplayAway(error.code, **error.facts)
    if isinstance(error, ImportError):
        return DisplayAway("display_needs", name=error.name, package=error.name)
    bus = "SPI" if kind == "st7789" else "I2C"
    return DisplayAway("display_silent", kind=kind, what=error, bus=bus)
