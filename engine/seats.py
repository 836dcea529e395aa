"""Seats: numbers in the order of play, 0 first. Which side each belongs to is all that a table needs to know of it."""


def alternating_sides(players: int) -> tuple[int, ...]:
    """Partners sit apart.

    >>> alternating_sides(4)
    (0, 1, 0, 1)
    """
    return tuple(seat % 2 for seat in range(players))


def side_by_side(players: int) -> tuple[int, ...]:
    """Partners sit together.

    >>> side_by_side(4)
    (0, 0, 1, 1)
    """
    return tuple(0 if seat < players // 2 else 1 for seat in range(players))


def each_alone(players: int) -> tuple[int, ...]:
    """Everybody for themselves.

    >>> each_alone(3)
    (0, 1, 2)
    """
    return tuple(range(players))


def order_from(first: int, players: int) -> tuple[int, ...]:
    """The seats in the order of play from one of them.

    >>> order_from(2, 4)
    (2, 3, 0, 1)
    """
    return tuple((first + step) % players for step in range(players))


def single(seats: frozenset[int]) -> int | None:
    """The seat, where only one is left.

    >>> single(frozenset({2})), single(frozenset({0, 2}))
    (2, None)
    """
    return next(iter(seats)) if len(seats) == 1 else None
