"""What a display shows, for every size: draw() makes the picture, wired.py sends it to the glass."""

from device.outputs.display.screens import draw

__all__ = ["draw"]
