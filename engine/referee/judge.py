"""What a judge is: the one place where an event meets the rules. A judge keeps nothing; the state goes in and out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from engine.cards import Card
from engine.events import Choose, GameEvent
from engine.notices import Notice
from engine.options import Option, OptionValue
from engine.view import View

State = TypeVar("State")


@dataclass(frozen=True)
class Amendment:
    """A person's answer that changes how an earlier event reads, from that event on."""

    number: int
    changes: dict[str, Any]


class Judge(Protocol[State]):
    """Judges the events of one game. States are immutable, so a match can go back to any of them."""

    @property
    def players(self) -> int:
        """How many sit at the table."""

    @property
    def side_count(self) -> int:
        """How many play against each other: people, or pairs of them."""

    @property
    def most_ahead(self) -> int:
        """The largest head start: in games or points, or in seeds."""

    def ahead(self, side: int, by: int) -> "Judge[State]":
        """The same, where a side has a head start. OptionError: so large a one cannot be."""

    def start(self) -> State:
        """The state before the first event."""

    def apply(self, state: State, number: int, event: GameEvent) -> tuple[State, tuple[Notice, ...]]:
        """The state after an event, and what there is to say. EventError: the event cannot be, nothing changed."""

    def amendment(self, state: State, event: GameEvent) -> Amendment | None:
        """For a Choose, or the Confirm of an event that was not in doubt, that settles how an earlier event reads;
        None: it is an event like others."""

    def asked(self, state: State, event: Choose) -> Notice:
        """The question that this answers. EventError: it is not asked, or has no such answer."""

    def asking_still(self, state: State, event: Choose, answered: Notice | None) -> State:
        """The state with the question in view that this answered before something earlier was corrected. EventError:
        it is asked no more; another may be in its place."""

    def possible(self, state: State) -> frozenset[Card]:
        """The cards that may lie face up on the table now; none where no cards are played."""

    def board(self, state: State) -> tuple[tuple[int, ...], ...] | None:
        """The seeds in each pit, rows as South sees them, where that is settled; None while it is not, or for cards."""

    def view(self, state: State) -> View:
        """Everything there is to show now."""


@dataclass(frozen=True)
class GameKind:
    """How a game is set up at a table. `engine/games.py` collects them."""

    name: str
    players: int
    """Unless the table says otherwise."""
    options: tuple[Option, ...]
    judge: Callable[[int, Mapping[str, object]], tuple[Judge[Any], dict[str, OptionValue]]]
    """The judge of so many players with these house options, and every option with its value. Raises OptionError."""
    grid: tuple[int, int] | None = None
    """Rows and columns of the board it is played on; None: it is played with cards."""
    presets: tuple[str, ...] = ()
    """Named sets of house options, chosen by the option `preset`."""
    by_points: bool = False
    """What wins a match is called points; else games."""
