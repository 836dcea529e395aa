"""Where the table changed since the still period before, beside what newly lies there: what went, or came unseen."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from engine.cards import Card
from engine.sightings import CardLying, Point, apart
from engine.table.places import NEAR, SAME, near

Spot = tuple[float, float, float]
"""A place that changed: its middle and its radius, as if it were round."""
MORE_THAN_ONE = 0.58
"""Card lengths: the radius of a spot from which it is more than one card (counted on films: one is 0.5)."""


class Changes(NamedTuple):
    """Since the still period before."""

    spare: tuple[Spot, ...] = ()
    """Spots that no new card explains."""
    new: bool = False
    """Whether anything newly lies there."""
    lay: tuple[Point, ...] = ()
    """Where something lay before."""
    length: float = 1.0
    faces: tuple[Spot, ...] = ()
    """Spots that one newly seen face explains."""

    def came_unseen(self, at: Point) -> bool:
        """Whether one card may have come just there, and was not seen."""
        single = (spot for spot in self.spare if spot[2] <= MORE_THAN_ONE * self.length)
        return any(_is_at(spot, at, True, self.length) for spot in single)

    def unseen(self, inside: Callable[[Point], bool]) -> bool:
        """Whether a card came that was not seen, inside and where nothing lay before. False also where nobody can tell,
        since much changed or nothing was seen to come."""
        spots = [spot for spot in self.spare if inside(spot[:2])]
        if not self.new or any(spot[2] > self.length for spot in spots):
            return False
        return any(not any(_is_at(spot, at, False, self.length) for at in self.lay) for spot in spots)


def changes(changed: Collection[Spot], lay: Sequence[CardLying], shown: Sequence[CardLying], length: float) -> Changes:
    """What changed at these spots. lay: what lay there before; shown: what was seen to lie there since."""
    known = {lying.card: lying.at for lying in lay if lying.card}
    spare = [spot for spot in changed if spot[2] > SAME * length]
    new = [lying for lying in shown if not _lay_there(lying, known, lay, length)]
    faces: list[Spot] = []
    for lying in new:
        own = _own_spot(lying, spare, length)
        if own is not None:
            spare.remove(own)
            faces += [own] if lying.card is not None else []
    return Changes(tuple(spare), bool(new), tuple(lying.at for lying in lay), length, tuple(faces))


def _own_spot(lying: CardLying, spots: Sequence[Spot], length: float) -> Spot | None:
    """The spot that something explains which newly lies there."""
    own = min(spots, key=lambda spot: apart(spot[:2], lying.at), default=None)
    if own is None or own[2] > MORE_THAN_ONE * length:
        return None
    return own if _is_at(own, lying.at, lying.outlined, length) else None


def _lay_there(lying: CardLying, known: dict[Card, Point], lay: Sequence[CardLying], length: float) -> bool:
    """Whether it lay there before."""
    if lying.card is not None:
        return near(known.get(lying.card), lying.at, length, sure=True)
    return any(near(lying.at, before.at, length, sure=True) for before in lay)


def _is_at(spot: Spot, at: Point, outlined: bool, length: float) -> bool:
    """Whether this may be where something changed that lies or lay here."""
    within = (SAME if outlined else NEAR) * length
    return apart(spot[:2], at) < max(within, spot[2] if spot[2] > MORE_THAN_ONE * length else 0.0)
