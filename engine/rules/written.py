"""What the written forms of positions on boards share: counts of seeds, rows of pits, players by name."""

from collections.abc import Mapping, Sequence

from engine.errors import GameError


class PositionError(GameError):
    """A position that cannot be. The message says what is wrong."""


def read_side(raw: Mapping[str, object], player: str) -> Mapping[str, object]:
    """What is written of one player."""
    side = raw.get(player)
    if not isinstance(side, Mapping):
        raise PositionError("side_missing", name=player)
    return side


def read_row(side: Mapping[str, object], player: str, row: str, columns: int, most: int) -> list[int]:
    """A row of so many pits, each of so many seeds at most."""
    counts = side.get(row)
    if not isinstance(counts, list) or len(counts) != columns:
        raise PositionError("row_form", name=player, row=row, pits=columns)
    return [read_seeds(count, f"{player}: {row} pit {c + 1}", most) for c, count in enumerate(counts)]


def read_seeds(value: object, what: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise PositionError("seeds_in", what=what, value=value, most=most)
    return value


def read_player(value: object, what: str, players: Sequence[str]) -> int:
    """A player by name, as a number."""
    if value not in players:
        raise PositionError("player_name", what=what, value=value, either=players)
    return players.index(str(value))


def check_total(total: int, most: int) -> None:
    """Raises PositionError: there are not so many seeds."""
    if total > most:
        raise PositionError("seeds_total", total=total, most=most)
