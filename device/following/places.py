"""Where the cards of the game lie on the real table and how they are turned, for whoever draws them there."""

from dataclasses import replace

from device.following.show import Lying
from device.keeping.settings import Settings
from engine.cards import Card
from engine.sightings import CardLying, Point, TableLook, apart, half_turned, rotated, turned_deg
from engine.table.card_table import CardTable
from engine.table.hypothesis import Thing

SEAT_0_DEG = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}
SAME_PLACE, SAME_TURN_DEG = 0.08, 4.0
"""Lengths of a card, and degrees, that a card seen twice may seem to have moved: it is shown where it was."""
BESIDE_IT = 0.4
"""Lengths of a card: a card without a name that lies this near to where one was laid is that one."""


class TablePlaces:
    """Remembers how cards were seen last; one that only seems to have moved a little stays where it is shown."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._look: TableLook | None = None
        self._seen: dict[Card, CardLying] = {}
        self._shown: dict[tuple[int | None, Card | None], Lying] = {}

    def looked(self, look: TableLook) -> None:
        """What a look showed."""
        self._look = look
        for lying in look.cards:
            if lying.card:
                before = self._seen.get(lying.card)
                turned = before.turned_deg if before is not None and lying.turned_deg is None else lying.turned_deg
                self._seen[lying.card] = replace(lying, turned_deg=turned)

    def of(self, table: CardTable) -> tuple[Lying, ...]:
        """Where the cards that the table holds for the game's lie."""
        if self._look is None:
            return ()
        lie = table.lying
        seats_deg = self._settings.seats_deg
        seat_0_deg = seats_deg[0] if len(seats_deg) == table.game.players else SEAT_0_DEG[self._settings.seat_zero]
        shown = {}
        for seat, thing in lie:
            place = self._lying(seat, thing, self._look, seat_0_deg)
            before = self._shown.get((seat, thing.card))
            shown[seat, thing.card] = before if before is not None and _same(before, place) else place
        names = {thing.card for _, thing in lie} | {lying.card for lying in self._look.cards}
        self._seen = {card: lying for card, lying in self._seen.items() if card in names}
        self._shown = shown
        return tuple(shown.values())

    def _lying(self, seat: int | None, thing: Thing, look: TableLook, seat_0_deg: float) -> Lying:
        at, turned_deg = self._seen_last(thing, look)
        x, y = rotated(at, -seat_0_deg)
        turned = None if turned_deg is None else round(half_turned(turned_deg - seat_0_deg), 1)
        return Lying(thing.card, seat, round(x / look.card_length, 2), round(y / look.card_length, 2), turned)

    def _seen_last(self, thing: Thing, look: TableLook) -> tuple[Point, float | None]:
        """Where a card was last seen, and how it was turned: by its name, or as what lies there without one."""
        assert thing.at is not None
        at, near = thing.at, BESIDE_IT * look.card_length
        if thing.card is None:
            nameless = [lying for lying in look.cards if lying.card is None and apart(lying.at, at) < near]
            found = min(nameless, key=lambda lying: apart(lying.at, at), default=None)
        else:
            found = self._seen.get(thing.card)
        if found is None:
            return at, None
        return (found.at if apart(found.at, at) < look.card_length else at), found.turned_deg


def _same(a: Lying, b: Lying) -> bool:
    """Whether a card only seems to lie a little otherwise."""
    if (a.turned_deg is None) != (b.turned_deg is None) or apart((a.x, a.y), (b.x, b.y)) > SAME_PLACE:
        return False
    if a.turned_deg is None or b.turned_deg is None:
        return True
    return abs(turned_deg(2 * a.turned_deg, 2 * b.turned_deg)) / 2 <= SAME_TURN_DEG
