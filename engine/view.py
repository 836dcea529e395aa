"""The view: everything there is to show at this moment. Every output draws it and keeps nothing of its own."""

from dataclasses import dataclass, fields
from typing import Any

Range = tuple[int, int]


@dataclass(frozen=True)
class View:
    """Fields a game has no use for are None and left out of the JSON form."""

    game: str
    phase: str
    turn: int | str | None = None
    """Whose turn: a seat (cards), "south" or "north" (mraha); None: nobody's, or open until a card is known."""
    players: int | None = None
    sides: tuple[int, ...] | None = None
    """The side of each seat."""
    dealer: int | None = None
    trump: str | None = None
    turn_up: str | None = None
    stock: int | None = None
    pack: int | None = None
    trick_number: int | None = None
    trick: tuple[dict[str, Any], ...] | None = None
    """The cards on the table: {"seat", "card", "number"}, card None when it could not be read."""
    beside: tuple[dict[str, Any], ...] | None = None
    """Cards that lie there too and count for nothing: a seat's second one, one of no use in this game."""
    last_winner: int | None = None
    points: tuple[int | Range, ...] | None = None
    """Card points by side; a pair is a range that an unread card leaves open."""
    tricks: tuple[int | Range, ...] | None = None
    games: tuple[int, ...] | None = None
    """The score of the match by side."""
    target: int | None = None
    markers: tuple[tuple[str, ...], ...] | None = None
    tie_bonus: int | None = None
    match: int | None = None
    winner: int | str | None = None
    in_hand: dict[str, int] | None = None
    captured: dict[str, int] | None = None
    """Seeds taken, where they leave the board for good (awalé)."""
    pits: tuple[tuple[int, ...], ...] | None = None
    """Only when the table asked for counts."""
    last_turn: dict[str, Any] | None = None
    doubt: str | None = None
    """Why nothing is claimed about what was last seen: "sowing" (seeds in a hand), "unclear", "setting_up"."""
    question: dict[str, Any] | None = None
    alert: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {field.name: _plain(value) for field in fields(self) if (value := getattr(self, field.name)) is not None}


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
