"""Stands for the Pico around the firmware, under MicroPython: pins, port and clock; nothing of the firmware itself.

pico.mjs puts it beside the firmware as the modules machine and neopixel, and drives it.
"""

try:  # noqa: SIM105
    from typing import Any
except ImportError:
    pass  # MicroPython has neither typing nor contextlib.

PWRON_RESET, WDT_RESET = 1, 3
MOST_POLLS = 4000
"""After so many, run() is stopped: a real Pico would go on."""


class Restart(Exception):
    """machine.reset() was called."""


class Stopped(Exception):
    """run() has run for long enough."""


class State:
    now_ms = 0
    reset_cause = PWRON_RESET
    arrived = b""
    at = 0
    said = bytearray()
    strip: "NeoPixel | None" = None
    strip_fails = False
    told: list[str] = []  # noqa: RUF012
    polls_left = -1


class Pin:
    def __init__(self, number: int) -> None:
        self.number = number


class WDT:
    def __init__(self, timeout: int) -> None:
        State.told.append(f"watchdog {timeout}")

    def feed(self) -> None:
        if State.told[-1] != "fed":
            State.told.append("fed")


class NeoPixel:
    ORDER = (1, 0, 2, 3)

    def __init__(self, pin: Pin, pixels: int) -> None:
        self.pin = pin
        self.buf = bytearray(3 * pixels)

    def __setitem__(self, pixel: int, colour: tuple[int, int, int]) -> None:
        for channel in range(3):
            self.buf[3 * pixel + self.ORDER[channel]] = colour[channel]

    def write(self) -> None:
        if State.strip_fails:
            raise OSError(5)
        State.strip = self


class Port:
    """sys, with the standard streams as buffers of bytes."""

    def __init__(self) -> None:
        self.stdin = self.stdout = self.buffer = self

    def readinto(self, into: bytearray) -> None:
        into[0] = State.arrived[State.at]
        State.at += 1

    def write(self, data: bytes) -> None:
        State.said.extend(data)


class Poller:
    def register(self, stream: Port, mask: int) -> None:
        self.reads = mask == 1

    def ipoll(self, timeout_ms: int) -> tuple[int, ...]:
        State.polls_left -= 1
        if not State.polls_left:
            raise Stopped
        return (1,) if not self.reads or State.at < len(State.arrived) else ()


class Select:
    POLLIN, POLLOUT = 1, 4
    poll = Poller


class Clock:
    @staticmethod
    def ticks_ms() -> int:
        if State.polls_left > 0:
            State.now_ms += 5
        return State.now_ms

    @staticmethod
    def sleep_ms(ms: int) -> None:
        State.told.append(f"slept {ms}")


def reset() -> None:
    State.told.append("reset")
    raise Restart


def reset_cause() -> int:
    return State.reset_cause


class Keyboard:
    @staticmethod
    def kbd_intr(char: int) -> None:
        State.told.append("ctrl-c off" if char == -1 else "ctrl-c on")


# -- what pico.mjs calls -----------------------------------------------------------------------------------------------

_device: "Any" = None


def boot(cause: int) -> None:
    """Power comes; the firmware's modules are imported and its device made."""
    global _device  # noqa: PLW0603
    State.reset_cause = cause
    _device = firmware_main().Device()


def was_reset() -> bool:
    return "reset" in State.told


def firmware_main() -> "Any":
    try:
        import main  # type: ignore[import-not-found]  # As flashed.
    except ImportError:
        from firmware import main

    main.sys = Port()
    main.select = Select
    main.time = Clock
    main.micropython = Keyboard
    return main


def step(now_ms: int, arrived: str) -> str:
    """One pass of the main loop. What was said, the strip (if it was written), and why it ended, if it did."""
    State.now_ms = now_ms
    State.arrived = State.arrived[State.at :] + bytes.fromhex(arrived)
    State.at = 0
    State.said = bytearray()
    State.strip = None
    _device.step()
    said = State.said.hex() if State.said else ""  # MicroPython's hex() of nothing is bytes.
    return said + "|" + (State.strip.buf.hex() if State.strip else "") + "|" + str(int(_device.panel.leave))


def run(cause: int, arrived: str) -> str:
    """The firmware's own run() for a while; what it did to the board."""
    State.reset_cause = cause
    State.arrived = bytes.fromhex(arrived)
    State.polls_left = MOST_POLLS
    try:
        firmware_main().run()
        State.told.append("repl")
    except (Restart, Stopped, OSError) as end:
        State.told.append(type(end).__name__)
    return "|".join(State.told)


def break_strip() -> str:
    State.strip_fails = True
    return ""
