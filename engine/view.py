"""The view: everything there is to show at this moment. Every output draws it and keeps nothing of its own.

A table of cards has a `CardView`, a board of seeds a `BoardView`; both are a `View`, which answers None for what the
other has. Dictionaries are only made where JSON is written (`to_dict`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.cards import Card
from engine.notices import Notice

Range = tuple[int, int]
PitRows = tuple[tuple[int, ...], ...]
Path = tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, eq=False)
class CardShown(Mapping[str, Any]):
    """A card on the table: whose it is, what it is (None: it could not be read), and the number of its event.

    Also reads as its JSON form: shown["card"].
    """

    seat: int | None
    card: Card | None
    number: int
    sure: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; `sure` only where it is not."""
        told = {"seat": self.seat, "card": self.card, "number": self.number}
        return told if self.sure else {**told, "sure": False}

    def __getitem__(self, name: str) -> Any:
        return self.to_dict()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())


@dataclass(frozen=True, eq=False)
class LastTurn(Mapping[str, Any]):
    """The turn of a board that was played last. key None: no turn of the rules comes near it.

    same: other turns that lead to the same board. confirmed: an illegal one that stands. Also reads as its JSON form.
    """

    player: str
    captured: int
    key: str | None = None
    same: tuple[str, ...] = ()
    confirmed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; what says nothing is left out."""
        key = {} if self.key is None else {"key": self.key}
        told: dict[str, Any] = {**key, "player": self.player, "captured": self.captured}
        if self.same:
            told["same"] = list(self.same)
        return {**told, "confirmed": True} if self.confirmed else told

    def __getitem__(self, name: str) -> Any:
        return self.to_dict()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())


@dataclass(frozen=True)
class View:
    """What every game shows. Fields that say nothing are None and left out of the JSON form."""

    game: str
    phase: str
    turn: int | None = None
    """Whose turn, a seat (on a board 0 is South); None: nobody's, or open until a card is known."""
    players: int | None = None
    sides: tuple[int, ...] | None = None
    """The side of each seat."""
    winner: int | None = None
    question: Notice | None = None
    alert: Notice | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {name: _plain(value) for name in _WRITTEN[type(self)] if (value := getattr(self, name)) is not None}

    # What only one kind of game has is None in the view of the other.

    @property
    def dealer(self) -> int | None:
        return None

    @property
    def trump(self) -> str | None:
        return None

    @property
    def turn_up(self) -> Card | None:
        return None

    @property
    def stock(self) -> int | None:
        return None

    @property
    def pack(self) -> int | None:
        return None

    @property
    def taker(self) -> int | None:
        return None

    @property
    def trick_number(self) -> int | None:
        return None

    @property
    def trick(self) -> tuple[CardShown, ...] | None:
        return None

    @property
    def beside(self) -> tuple[CardShown, ...] | None:
        return None

    @property
    def last_winner(self) -> int | None:
        return None

    @property
    def points(self) -> tuple[int | Range, ...] | None:
        return None

    @property
    def tricks(self) -> tuple[int | Range, ...] | None:
        return None

    @property
    def games(self) -> tuple[int, ...] | None:
        return None

    @property
    def target(self) -> int | None:
        return None

    @property
    def markers(self) -> tuple[tuple[str, ...], ...] | None:
        return None

    @property
    def tie_bonus(self) -> int | None:
        return None

    @property
    def match(self) -> int | None:
        return None

    @property
    def in_hand(self) -> Mapping[str, int] | None:
        return None

    @property
    def captured(self) -> Mapping[str, int] | None:
        return None

    @property
    def pits(self) -> PitRows | None:
        return None

    @property
    def last_turn(self) -> LastTurn | None:
        return None

    @property
    def path(self) -> Path | None:
        return None

    @property
    def wanted(self) -> str | None:
        return None

    @property
    def wanted_path(self) -> Path | None:
        return None

    @property
    def doubt(self) -> str | None:
        return None


@dataclass(frozen=True)
class CardView(View):
    """A table of cards."""

    dealer: int | None = None
    trump: str | None = None
    """None before a deal and while it is open; "" where a game has none."""
    turn_up: Card | None = None
    stock: int | None = None
    pack: int | None = None
    taker: int | None = None
    """Who named trump, where a player does."""
    trick_number: int | None = None
    trick: tuple[CardShown, ...] | None = None
    """The cards on the table."""
    beside: tuple[CardShown, ...] | None = None
    """Cards that lie there too and count for nothing: a seat's second one, one of no use in this game."""
    last_winner: int | None = None
    points: tuple[int | Range, ...] | None = None
    """Card points by side; a pair is a range that an unread card leaves open."""
    tricks: tuple[int | Range, ...] | None = None
    games: tuple[int, ...] | None = None
    """The score of the match by side."""
    target: int | None = None
    parties: tuple[int, ...] | None = None
    """Matches won by side, where the house plays a number of them."""
    markers: tuple[tuple[str, ...], ...] | None = None
    tie_bonus: int | None = None
    match: int | None = None
    wanted: str | None = None
    """The card that the device asks for, where it plays a seat itself."""


@dataclass(frozen=True)
class BoardView(View):
    """A board of seeds."""

    in_hand: Mapping[str, int] | None = None
    """Seeds not yet on the board, by player."""
    captured: Mapping[str, int] | None = None
    """Seeds taken, where they leave the board for good."""
    pits: PitRows | None = None
    """Only when the table asked for counts."""
    last_turn: LastTurn | None = None
    path: Path | None = None
    """The last turn's way over the board: the pit it began in, then those of each sowing, as (row, column)."""
    wanted: str | None = None
    """The turn that the device asks for, where it plays a side itself,"""
    wanted_path: Path | None = None
    """and its way."""
    doubt: str | None = None
    """Why nothing is claimed about what was last seen: "sowing" (seeds in a hand), "unclear", "setting_up"."""


_ORDER = (
    "game", "phase", "turn", "players", "sides", "dealer", "trump", "turn_up", "stock", "pack", "taker",
    "trick_number", "trick", "beside", "last_winner", "points", "tricks", "games", "target", "markers", "tie_bonus",
    "match", "parties", "winner", "in_hand", "captured", "pits", "last_turn", "path", "wanted", "wanted_path",
    "doubt", "question", "alert",
)  # fmt: skip
"""How the JSON form is written."""


_WRITTEN: dict[type[View], tuple[str, ...]] = {
    kind: tuple(name for name in _ORDER if name in {field.name for field in fields(kind)})
    for kind in (View, CardView, BoardView)
}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, CardShown | LastTurn | Notice):
        return value.to_dict()
    return dict(value) if isinstance(value, Mapping) else value
