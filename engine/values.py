"""Frozen values, changed: `dataclasses.replace` at a tenth of its price, for states copied at every event."""

from typing import Any, TypeVar

Value = TypeVar("Value")


def changed(value: Value, **fields: Any) -> Value:
    """A copy of a frozen dataclass with these fields changed.

    For dataclasses that keep their fields in `__dict__` and make nothing of them when they are begun.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Point:
    ...     x: int
    ...     y: int
    >>> changed(Point(1, 2), y=3)
    Point(x=1, y=3)
    """
    copy = object.__new__(type(value))
    known = copy.__dict__
    known.update(value.__dict__)
    known.update(fields)
    return copy
