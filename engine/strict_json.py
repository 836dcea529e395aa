"""JSON from whoever may send it, and JSON for whoever reads it: one strict way in, one way out.

What comes in here can go out again, to a browser and to a database: no NaN and no Infinity, numbers that a browser
holds exactly, no half letters, bounded in length and depth.

A page of code and no library: msgspec (0.22) has wheels for every Pi and refuses NaN and half letters, but takes a
thousand levels, a number of 400 digits and a zero letter where the form is open, as a table's view is; this would stay
to be written. And the games' own journals are read by it, which use nothing but the standard library.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from engine.errors import GameError

LARGEST = 2**53 - 1
"""Beyond it two numbers are the same to a browser."""
MOST_BYTES = 64_000
DEEPEST = 16
"""Objects and lists within each other; what a table shows has six."""


class BadJson(GameError):
    """What came is not in the form that was agreed, and why."""

    topic = "message"


def read_json(data: str | bytes, most_bytes: int = MOST_BYTES, deepest: int = DEEPEST) -> Any:
    """A value that came. BadJson: it is none.

    >>> read_json('{"games": [1, 2.5]}')
    {'games': [1, 2.5]}
    """
    if len(data) > most_bytes:
        raise BadJson("too_long", bytes=len(data))
    try:
        text = data if isinstance(data, str) else data.decode()
        value = json.loads(text, parse_constant=_number, parse_float=_number, parse_int=_whole)
    except BadJson:
        raise
    except json.JSONDecodeError as error:
        raise BadJson("no_json", at=error.colno) from None
    except (ValueError, RecursionError):
        raise BadJson("too_deep") from None
    _check(value, deepest)
    return value


def read_object(data: str | bytes, most_bytes: int = MOST_BYTES, deepest: int = DEEPEST) -> dict[str, Any]:
    """The same where an object is wanted, as a message is one."""
    value = read_json(data, most_bytes, deepest)
    if not isinstance(value, dict):
        raise BadJson("no_object")
    return value


def write_json(value: object, ordered: bool = False) -> str:
    """A value as it goes out. ordered: the same text for the same value. ValueError: JSON has no such value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=ordered)


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise BadJson("number", number=text[:20])
    return number


def _whole(text: str) -> int:
    if len(text) > 17:  # Before a number of a thousand digits is reckoned.
        raise BadJson("number", number=text[:20])
    number = int(text)
    if abs(number) > LARGEST:
        raise BadJson("number", number=text[:20])
    return number


def _check(value: object, deepest: int) -> None:
    """Every text can be written, and nothing lies too deep."""
    level = [value]
    for _ in range(deepest + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, str):
                _check_text(item)
            elif isinstance(item, list):
                below += item
            elif isinstance(item, dict):
                for name in item:
                    _check_text(name)
                below += item.values()
        if not below:
            return
        level = below
    raise BadJson("too_deep")


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise BadJson("letter")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise BadJson("letter") from None


_ASKED: Any = object()


class Fields:
    """The fields of an object that came: each is asked for by its name and what it may be. BadJson: it is another."""

    def __init__(self, raw: object) -> None:
        if not isinstance(raw, Mapping):
            raise BadJson("no_object")
        self._raw: Mapping[str, Any] = raw

    def __contains__(self, name: str) -> bool:
        return self._raw.get(name) is not None

    def _value(self, name: str, default: object) -> Any:
        value = self._raw.get(name)
        if value is None:
            if default is _ASKED:
                raise BadJson("missing", name=name)
            return default
        return value

    def text(self, name: str, longest: int = 200, default: Any = _ASKED, like: str | None = None) -> Any:
        """A text. like: the whole of it has this form (a regular expression)."""
        value = self._value(name, default)
        if value is default:
            return default
        if not isinstance(value, str) or len(value) > longest or (like is not None and not re.fullmatch(like, value)):
            raise BadJson("field", name=name)
        return value

    def whole(self, name: str, least: int = 0, most: int = LARGEST, default: Any = _ASKED) -> Any:
        """A whole number from least to most."""
        value = self._value(name, default)
        if value is default:
            return default
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # A browser tells 1 and 1.0 apart no more than JSON does.
        if type(value) is not int or not least <= value <= most:
            raise BadJson("field", name=name)
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """Yes or no."""
        value = self._value(name, default)
        if not isinstance(value, bool):
            raise BadJson("field", name=name)
        return value

    def texts(self, name: str, most: int, longest: int = 200) -> tuple[str | None, ...]:
        """Texts, or nothing in the place of one."""
        return tuple(
            value for value in self.items(name, most)
            if value is None or Fields({"": value}).text("", longest) is not None
        )  # fmt: skip

    def wholes(self, name: str, most: int, largest: int = 10**6) -> tuple[int | None, ...]:
        """Whole numbers, or nothing in the place of one."""
        return tuple(
            None if value is None else Fields({name: value}).whole(name, -largest, largest)
            for value in self.items(name, most)
        )

    def items(self, name: str, most: int) -> list[Any]:
        """A list of no more than so many."""
        value = self._value(name, [])
        if not isinstance(value, list) or len(value) > most:
            raise BadJson("field", name=name)
        return value

    def object(self, name: str, default: Any = _ASKED) -> dict[str, Any]:
        """An object within this one."""
        value = self._value(name, default)
        if not isinstance(value, dict):
            raise BadJson("field", name=name)
        return value
