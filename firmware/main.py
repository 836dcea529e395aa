"""Runs on the Pico: bytes from USB in, colours on the strip out, and the watchdog."""

import json
import os
import select
import sys
import time

import machine
import micropython
import neopixel

from firmware import protocol
from firmware.lamps import PanelLamps, since
from firmware.panel import PanelFirmware

WIRING = "wiring.json"
"""What of device/machine/wiring.toml the panel must know before a host speaks; `hisabu panel flash` writes it."""
LEAVE = "leave"
"""A file that is there when the device asked for the REPL before the last restart."""
FRAME_MS = 25
"""Between two drawings: 40 a second look smooth and leave most of the time for listening."""
MOST_BYTES = 300
"""Read before the next drawing, however much there is: a flood must not stop lamps or watchdog."""
WATCHDOG_MS = 4000
"""Far above the longest pass seen (a write to a host that does not read waits 0.5 s), below the chip's 8.3 s."""
WAY_IN_MS = 2000
"""After a restart by the watchdog Ctrl-C works for so long: firmware that always dies can still be replaced."""


class Device:
    """The pins and the port, driven by step()."""

    def __init__(self) -> None:
        with open(WIRING, "rb") as file:  # noqa: PTH123  MicroPython has no pathlib
            wiring = file.read()
        about = json.loads(wiring)
        self._strip = neopixel.NeoPixel(machine.Pin(about["data_pin"]), about["pixels"])
        self._strip.ORDER = [about["order"].index(colour) for colour in "RGB"]
        self._lamps = PanelLamps(about["pixels"], about["limit_ma"])
        self._drawn_ms = now_ms = time.ticks_ms()  # type: ignore[attr-defined]
        self.panel = PanelFirmware(self._lamps, protocol.fingerprint(wiring), now_ms)
        self._receiver = protocol.Receiver()
        self._byte = bytearray(1)
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)

    def step(self) -> bool:
        """One pass: what came, what is to be said, what is to be seen. Whether it drew."""
        now_ms = time.ticks_ms()  # type: ignore[attr-defined]
        # Bound once: this loop runs for every byte, and what hung in the line must not take long.
        feed, byte, readinto = self._receiver.feed, self._byte, sys.stdin.buffer.readinto  # type: ignore[union-attr]
        for _ in range(MOST_BYTES):
            if not _ready(self._readable):
                break
            readinto(byte)  # More than one would wait until they are all there.
            frame = feed(byte[0])
            if frame is not None:
                self._say(self.panel.take(frame, now_ms))
        self._say(self.panel.beat(now_ms))
        if since(now_ms, self._drawn_ms) < FRAME_MS:
            return False
        self._drawn_ms = now_ms
        self.panel.draw(now_ms)
        rgb = self._lamps.rgb
        for pixel in range(self._lamps.pixels):
            self._strip[pixel] = (rgb[3 * pixel], rgb[3 * pixel + 1], rgb[3 * pixel + 2])
        self._strip.write()
        return True

    def _say(self, answer: bytes | None) -> None:
        if answer is not None and _ready(self._writable):
            sys.stdout.buffer.write(answer)


def _ready(poller: select.poll) -> bool:
    for _ in poller.ipoll(0):  # type: ignore[attr-defined]  # poll() would make a list for every byte.
        return True
    return False


def _asked_to_leave() -> bool:
    try:
        os.remove(LEAVE)  # noqa: PTH107
    except OSError:
        return False
    return True


def run() -> None:
    """Drives the panel for ever, or returns to the REPL if the device asked for it before the last restart."""
    if _asked_to_leave():
        return
    if machine.reset_cause() == machine.WDT_RESET:
        time.sleep_ms(WAY_IN_MS)  # type: ignore[attr-defined]
    device = Device()
    micropython.kbd_intr(-1)  # A byte 3 in noise is no Ctrl-C.
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    while True:
        # Fed by pictures that reached the strip, nothing else: whatever raises or hangs ends in a restart.
        if device.step():
            watchdog.feed()
        if device.panel.leave:
            with open(LEAVE, "wb"):  # noqa: PTH123
                pass
            machine.reset()


if __name__ == "__main__":
    run()
