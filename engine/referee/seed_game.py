"""What a referee has to know of a game of seeds: its board, its turns, and the boards that its faults would leave.

A game of seeds is one file of rules and one of these; weighing accounts (board.py) and the judge (board_judge.py) are
the same for all. Positions are the game's own; the few fields read here are those of `Position`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from engine.events import EventError
from engine.options import check_head_start
from engine.referee.board_evidence import BoardEvidence, Layout

Side = tuple[int, ...]
Sides = tuple[Side, Side]
Pits = tuple[tuple[int, int], ...]
"""Pits of both players: (player, pit)."""

SOUTH, NORTH = 0, 1
PLAYERS = ("south", "north")


class Position(Protocol):
    """What every position of a game of seeds tells."""

    @property
    def sides(self) -> Sides:
        """The seeds in each pit, South's side first."""

    @property
    def to_move(self) -> int:
        """Whose turn it is."""

    @property
    def over(self) -> bool:
        """Nobody is to move any more."""

    @property
    def winner(self) -> int | None:
        """Who has won; None while it goes on, and where nobody has."""

    @property
    def on_board(self) -> int:
        """The seeds in all pits."""


PositionT = TypeVar("PositionT", bound=Position)
PositionT_co = TypeVar("PositionT_co", bound=Position, covariant=True)


class Turn(Protocol[PositionT_co]):
    """A legal turn: its key, the position it leads to, and how many seeds it captured."""

    @property
    def key(self) -> str: ...
    @property
    def after(self) -> PositionT_co: ...
    @property
    def captured(self) -> int: ...


Path = tuple[tuple[tuple[int, int], ...], ...]
"""The way of a turn, by row and column: the pit it began in, then the pits of each sowing in order."""


class Fault(NamedTuple):
    """An illegal turn as it would lie on the board."""

    rule: str
    sides: Sides
    player: int
    key: str | None = None
    pits: Pits = ()
    seeds: int = 0
    """How many seeds are missing, too many, or in a wrong pit."""
    moved: bool = True
    """False: nobody made a turn, so the same player is still to move."""
    rarity: float = 0.0
    """Log-odds against it, compared with the plain case of its rule."""


class Basis(NamedTuple):
    """A board that a slip of the hand may have happened on: nobody moved (no key), or a legal turn ended."""

    sides: Sides
    key: str | None


class SeedGame(ABC, Generic[PositionT]):
    """One game of seeds with its house options."""

    name: str
    flags: Any
    """The house options that decide turns."""
    rows: int
    columns: int
    seeds: int
    opening: PositionT
    counting: Sides
    """How the seeds are laid out to be counted before play."""
    log_fault: Mapping[str, float]
    """How likely each fault is before looking, for each board that it may leave."""
    most_ahead: int
    """The largest head start, in seeds."""
    show_counts: bool
    """The table wants to see how many seeds each pit holds."""
    changed_pits: int
    """Seeds gone and more pits than this changed: no turn in a hand does that."""
    unfinished: frozenset[str] = frozenset()
    """Rules that nobody is accused of while a hand lies over the board: it may hold the seeds and play on."""

    # -- the board -------------------------------------------------------------------------------------------------

    @abstractmethod
    def place(self, player: int, pit: int) -> tuple[int, int]:
        """Row and column of a pit on the board, as seen by South."""

    @cached_property
    def layout(self) -> Layout:
        """Every pit: row, column, player, and its number on that player's side."""
        sides = self.opening.sides
        return tuple((*self.place(player, pit), player, pit) for player in (0, 1) for pit in range(len(sides[player])))

    def board_rows(self, sides: Sides) -> tuple[tuple[int, ...], ...]:
        """The rows of the board as seen by South."""
        rows = [[0] * self.columns for _ in range(self.rows)]
        for row, column, player, pit in self.layout:
            rows[row][column] = sides[player][pit]
        return tuple(tuple(row) for row in rows)

    @property
    def fewest(self) -> Sides:
        """The fewest seeds in each pit before play: as they are counted, unless a head start is taken off the board."""
        return self.counting

    def begun_from(self, position: PositionT) -> "SeedGame[PositionT]":
        """The same game from another position on."""
        game = copy(self)
        game.opening = position
        return game

    def ahead(self, side: int, by: int) -> "SeedGame[PositionT]":
        """The same game in which a side has so many seeds of the other's. OptionError: so many cannot be."""
        check_head_start(side, by, len(PLAYERS), self.most_ahead)
        return self.begun_from(self.handed_over(side, by))

    @abstractmethod
    def handed_over(self, side: int, by: int) -> PositionT:
        """Where a game begins in which a side has so many seeds of the other's."""

    # -- turns -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def legal(self, position: PositionT) -> Mapping[str, Turn[PositionT]]:
        """Every legal turn by its key."""

    def remarks(self, before: PositionT, turn: Turn[PositionT]) -> tuple[str, ...]:
        """What its players have a word of their own for in a turn; told with it, judged by nobody."""
        return ()

    def resting_boards(self, position: PositionT, turn: Turn[PositionT]) -> Iterator[Sides]:
        """The boards a turn may leave."""
        yield turn.after.sides

    @abstractmethod
    def sowing_fit(self, position: PositionT, reading: BoardEvidence) -> float:
        """How well the best state of a turn that is still being made fits; minus infinity where there is none."""

    @abstractmethod
    def path(self, position: PositionT, key: str) -> Path:
        """The way of a turn over the board; empty where there is none."""

    # -- faults ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def faults(self, position: PositionT, legal: Mapping[str, Turn[PositionT]]) -> Iterator[Fault]:
        """The boards that illegal turns would leave, in the order in which they give their name. May repeat boards."""

    @abstractmethod
    def slips(self, position: PositionT, reading: BoardEvidence, seen: Sides, basis: Basis) -> Iterator[Fault]:
        """What slips of the hand may have made of a board."""

    # -- positions that no turn led to -------------------------------------------------------------------------------

    @abstractmethod
    def stands(self, before: PositionT, fault: Fault) -> PositionT:
        """The position if an illegal turn stands."""

    @abstractmethod
    def set_up(self, before: PositionT, sides: Sides, to_move: int) -> PositionT:
        """A position taken over from the board, in a game that stood so before."""

    def out_of_reach(self, player: int) -> range:
        """The other side's pits that no turn of a player can touch."""
        return range(0)

    def taken(self, position: PositionT) -> tuple[int, ...]:
        """The seeds that each side has taken; none where nobody counts any."""
        return ()

    def with_score(self, position: PositionT, points: Sequence[int]) -> PositionT:
        """The position where each side has taken so many seeds. Raises EventError: nobody counts any in this game."""
        raise EventError("score_none", game=self.name)

    def further_ahead(self, position: PositionT, by: int) -> PositionT:
        """The position where South has taken so many seeds more than North than it has now."""
        return position

    def may_begin(self, sides: Sides) -> bool:
        """Whether a game may be set up like this."""
        return all(any(side) for side in sides)

    # -- what is shown ---------------------------------------------------------------------------------------------

    @abstractmethod
    def phase(self, position: PositionT) -> str:
        """What players call this part of the game."""

    @abstractmethod
    def stores(self, position: PositionT) -> dict[str, Any]:
        """Fields of the view for seeds that are not on the board."""
