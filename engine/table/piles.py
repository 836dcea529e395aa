"""Where taken tricks come to rest, and whose side they are by that."""

from collections.abc import Sequence

from engine.events import Taken
from engine.notices import NO
from engine.sightings import Point, apart
from engine.table.acts import EVEN

PILE_NEAR = 0.4
"""Table units within which a packet lies on a pile that is known."""
UNSURE = EVEN
"""Confidence of a packet seen at the wrong side's place: enough to ask, never to accuse."""
Place = tuple[Point, int | None]
"""Where something came to rest, and the seat before which that is; None: between two."""


class Piles:
    """The taken tricks at one table."""

    def __init__(self, sides: tuple[int, ...]) -> None:
        """sides: each seat's."""
        self._sides = sides
        self._known: dict[int, list[Point]] = {}
        """Of this deal."""
        self._said: list[tuple[Point, int]] = []
        """Where tricks came to rest, and whose side the table said had them: that holds for the deals to come too."""
        self._asked: tuple[Point, int] | None = None
        """Where the trick came to rest that is asked about, and the side that should have it."""

    def begin_deal(self) -> None:
        """All tricks were gathered."""
        self._known, self._asked = {}, None

    def undone(self) -> None:
        """What was asked is asked no more."""
        self._asked = None

    def answered(self, answer: str) -> None:
        """A person answered. Where a trick was the winner's all the same, its place is the winner's."""
        if self._asked is not None and answer == NO:
            self._said.append(self._asked)
        self._asked = None

    def taken(self, places: Sequence[Place], winner: int | None) -> Taken | None:
        """Who took a trick, by what came to rest since. One of another side's places is a question, and only where
        its own pile is elsewhere or nobody's is known; what tells nothing is the winner's."""
        if winner is not None and (own := self._own(places, winner)) is not None:
            self._known.setdefault(self._sides[winner], []).append(own)
            return Taken(winner)
        if len(places) != 1:
            return None if winner is None else Taken(winner)
        ((here, seat),) = places
        side = self._side(here, seat)
        if winner is None:
            self._asked = None
            if side is not None:
                self._known.setdefault(side, []).append(here)
            return None if seat is None else Taken(seat, UNSURE)  # A card was not read: who may have won is a guess.
        if side is None:
            return Taken(winner)
        self._asked = here, self._sides[winner]
        return Taken(self._sides.index(side), UNSURE)

    def asks(self, places: Sequence[Place], winner: int) -> bool:
        """Whether a trick that came to rest so would be asked about."""
        if len(places) != 1 or self._own(places, winner) is not None:
            return False
        return self._side(*places[0]) is not None

    def _own(self, places: Sequence[Place], winner: int) -> Point | None:
        """Which of these is a place of the winner's side."""
        return next((here for here, seat in places if self._side(here, seat) == self._sides[winner]), None)

    def _side(self, here: Point, seat: int | None) -> int | None:
        """Whose side's place this is."""
        side = self._owner(here)
        return self._sides[seat] if side is None and seat is not None else side

    def _owner(self, here: Point) -> int | None:
        """The side that tricks which come to rest here belong to, if one did before."""
        known = [*self._said, *((pile, side) for side, piles in self._known.items() for pile in piles)]
        return next((side for pile, side in known if apart(here, pile) < PILE_NEAR), None)
