"""A press of a button, as the program hears it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Press:
    """Button A, B or C was pressed."""

    button: str
    long: bool = False
    """Held down for long."""
    repeat: bool = False
    """Still held down: one more of a long press."""
