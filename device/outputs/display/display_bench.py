"""How long a show takes to become a picture, and how much of a picture goes over the wire."""

import statistics
import time

from device.following.show import Show
from device.outputs.display.examples import GLASSES, examples
from device.outputs.display.screens import draw
from device.outputs.display.text import fit
from device.outputs.display.wired import Display


class CountingWire:
    """A wire that counts bytes."""

    def __init__(self) -> None:
        self.bytes = 0

    def command(self, *command: int) -> None:
        self.bytes += len(command)

    def data(self, data: list[int]) -> None:
        self.bytes += len(data)

    def cleanup(self) -> None:
        """Nothing to let go of."""


def bench(rounds: int) -> dict[str, float]:
    """Milliseconds of processor for a picture, its words measured before or new; bytes of a change of turn."""
    figures: dict[str, float] = {}
    shows = list(examples("fr").values())
    for name, size, colour in GLASSES:
        new, known = [], []
        for show in shows:
            fit.cache_clear()
            new.append(_ms(show, size, colour))
            known += [_ms(show, size, colour) for _ in range(rounds)]
        figures[f"{name}_median_ms"] = round(statistics.median(known), 2)
        figures[f"{name}_new_words_median_ms"] = round(statistics.median(new), 2)
        figures[f"{name}_worst_ms"] = round(max(new + known), 2)
        figures[f"{name}_turn_bytes"] = _bytes_of_a_turn(name, size)
    return figures


def _ms(show: Show, size: tuple[int, int], colour: bool) -> float:
    start = time.process_time()
    draw(show, size, colour)
    return 1e3 * (time.process_time() - start)


def _bytes_of_a_turn(name: str, size: tuple[int, int]) -> int:
    wire = CountingWire()
    glass = Display("ssd1306" if name == "oled" else "st7789", size, serial=lambda: wire)
    show = examples("fr")["play"]
    glass.show(show)
    before = wire.bytes
    glass.show(Show({**show.view, "turn": 2}, "fr", sentences=show.sentences))
    sent = wire.bytes - before
    glass.close()
    return sent
