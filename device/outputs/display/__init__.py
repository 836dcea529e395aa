"""What a display shows, for every size: screens.py makes the picture, wired.py sends it to the glass."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from device.keeping.settings import Settings
from device.machine.wiring import Wiring
from device.outputs import OutputKind

if TYPE_CHECKING:
    from device.outputs.display.wired import Display


def _made(settings: Settings, wiring: Wiring) -> "Iterator[Display]":
    if settings.build != "laptop" and settings.display != "none":
        from device.outputs.display.wired import OLED_SIZE, Display

        yield Display(settings.display, wiring.builds[settings.build].display or OLED_SIZE, wiring)


OUTPUT = OutputKind("display", _made, ("display_away",))
