"""The code that joins a table to a hall's broker: who the table is there, its password, and a digit against slips.

`hisabu hall setup` makes one for each table; the table's menu, or its page, takes it. Digits alone, since three buttons
have no letters: the table's number (two digits or more), eight of the password, one that checks the others.
"""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from device.keeping.files import write_whole
from device.keeping.settings import Settings
from engine.errors import GameError

SECRET_DIGITS = 8
"""A broker that takes 10 ms for each password is guessed at for a week before one of 99 tables is likely found."""
SHORTEST = 2 + SECRET_DIGITS + 1
MOST_TABLES = 999
FILE = "broker-password-"
"""Beside the settings: what they name as broker_password. Each code has a file of its own, so that a new password
of the same table is seen in the settings."""
PREFIX = "table-"


@dataclass(frozen=True)
class TableCode:
    """A code taken apart."""

    number: int
    secret: str

    @classmethod
    def drawn(cls, number: int, draw: Callable[[int], int] = secrets.randbelow) -> "TableCode":
        """A new one for a table."""
        return cls(number, f"{draw(10**SECRET_DIGITS):0{SECRET_DIGITS}}")

    @classmethod
    def read(cls, text: str) -> "TableCode":
        """What was typed; spaces and dashes do not count. ValueError: it is no code, or a digit is wrong."""
        digits = re.sub(r"[\s-]", "", text)
        if not re.fullmatch(rf"[0-9]{{{SHORTEST},{SHORTEST + 1}}}", digits) or check(digits[:-1]) != digits[-1]:
            raise GameError("broker_code")
        number = int(digits[: -SECRET_DIGITS - 1])
        if not number:
            raise GameError("broker_code")
        return cls(number, digits[-SECRET_DIGITS - 1 : -1])

    @property
    def table(self) -> str:
        """The table's name on the broker, and its user there."""
        return f"{PREFIX}{self.number}"

    @property
    def text(self) -> str:
        """As it is printed."""
        plain = f"{self.number:02}{self.secret}"
        return f"{self.number:02} {self.secret[:4]} {self.secret[4:]} {check(plain)}"


def check(digits: str) -> str:
    """Luhn's digit: finds every single wrong digit, and most neighbours that changed places."""
    total = 0
    for at, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 - at % 2)
        total += value - 9 * (value > 9)
    return str(-total % 10)


def joined(settings: Settings, text: str, folder: Path) -> Settings:
    """The settings of a table that joins its broker by a code; the password is kept in a file of this folder.
    ValueError: it is no code. OSError: the file cannot be written."""
    code = TableCode.read(text)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{FILE}{secrets.token_hex(2)}"
    write_whole(file, f"{code.secret}\n".encode(), mode=0o600)
    for old in folder.glob(f"{FILE}*"):
        if old != file:
            old.unlink(missing_ok=True)
    return replace(settings, table=code.table, broker_user=code.table, broker_password=str(file), broker_on=True)
