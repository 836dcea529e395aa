"""What the written forms of positions on boards share: counts of seeds, rows of pits, players by name."""

from collections.abc import Mapping, Sequence


class PositionError(ValueError):
    """A position that cannot be. The message says what is wrong."""


def read_side(raw: Mapping[str, object], player: str) -> Mapping[str, object]:
    """What is written of one player."""
    side = raw.get(player)
    if not isinstance(side, Mapping):
        raise PositionError(f'"{player}" is missing or is not an object')
    return side


def read_row(side: Mapping[str, object], player: str, row: str, columns: int, most: int) -> list[int]:
    """A row of so many pits, each of so many seeds at most."""
    counts = side.get(row)
    if not isinstance(counts, list) or len(counts) != columns:
        raise PositionError(f"{player}: {row} is not a list of {columns} pits")
    return [read_seeds(count, f"{player}: {row} pit {c + 1}", most) for c, count in enumerate(counts)]


def read_seeds(value: object, what: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise PositionError(f"{what} is {value!r}; it holds 0 to {most} seeds")
    return value


def read_player(value: object, what: str, players: Sequence[str]) -> int:
    """A player by name, as a number."""
    if value not in players:
        raise PositionError(f"{what} is {value!r}; it is {' or '.join(players)}")
    return players.index(str(value))


def check_total(total: int, most: int) -> None:
    """Raises PositionError: there are not so many seeds."""
    if total > most:
        raise PositionError(f"{total} seeds; there are {most} in the game")
