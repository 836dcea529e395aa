"""Cards are shown where and how they lie on the real table."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from device.following.follow import Add, FrameSeen, MatchNow
from device.following.places import TablePlaces
from device.following.show import Lying, Untold
from device.keeping.settings import Settings
from engine.match import Match
from engine.sightings import CardLying, TableLook, half_turned, rotated
from engine.table.card_table import CardTable
from engine.table.hypothesis import TRICK, Thing
from tests.device.following.test_live import Table as LiveTable
from tests.device.following.test_live import Told
from tests.engine.table import deal, play
from tests.engine.test_cards_table import Table, dealt
from vision.frame import Frame


class Remembering(Table):
    """A followed table whose places are told, with cards turned as said here."""

    def __init__(self, settings: Settings, turned: dict[str, float]) -> None:
        super().__init__()
        self.places, self.turned = TablePlaces(settings), turned

    def see(self, look: TableLook) -> None:
        cards = tuple(replace(lying, turned_deg=self.turned.get(lying.card or "")) for lying in look.cards)
        look = replace(look, cards=cards)
        self.places.looked(look)
        super().see(look)

    @property
    def told(self) -> dict[str | None, Lying]:
        return {lying.card: lying for lying in self.places.of(self.table)}


def remembering(turned: dict[str, float], **settings: object) -> Remembering:
    table = Remembering(Settings(**{"game": "turufu", "players": 4, **settings}), turned)  # type: ignore[arg-type]
    table.rest()
    table.deal("7H")
    return table


def test_the_cards_of_a_trick_lie_where_they_were_put_and_the_turned_up_one_beside_them() -> None:
    table = dealt()
    table.put("KS", (0.0, 0.2), 0)
    table.put("3S", (-0.3, 0.1), 90)
    lying = {thing.card: (seat, thing.at) for seat, thing in table.table.lying}
    assert lying == {"7H": (None, (-0.65, -0.2)), "KS": (0, (0.0, 0.2)), "3S": (1, (-0.3, 0.1))}


def test_what_lies_on_the_table_and_is_no_card_of_the_game_is_shown_nowhere() -> None:
    table = dealt()
    table.put("KS", (0.0, 0.2), 0)
    table.cards["9C"] = (0.2, 0.95)  # In somebody's hand.
    table.rest()
    assert "9C" not in {thing.card for _, thing in table.table.lying}


def test_a_place_is_told_in_lengths_of_a_card_from_where_seat_0_looks_at_it() -> None:
    table = remembering({"KS": 80.0}, seat_zero="left")
    table.put("KS", (-0.3, 0.0), 0)  # Near to the left edge, where seat 0 sits.
    assert table.told["KS"] == Lying("KS", 0, 0.0, 1.0, -10.0)


def test_a_card_that_only_seems_to_have_moved_stays_and_one_that_was_pushed_does_not() -> None:
    table = remembering({"KS": 10.0})
    table.put("KS", (0.0, 0.2), 0)
    first = table.told["KS"]
    table.cards["KS"], table.turned["KS"] = (0.01, 0.2), 12.0
    table.rest(fresh=False)
    assert table.told["KS"] == first
    table.cards["KS"] = (0.06, 0.2)
    table.rest(table.hand(0, (0.06, 0.2)))
    assert table.told["KS"].x == 0.2


def test_how_a_card_is_turned_stays_known_while_its_outline_is_not_seen() -> None:
    table = remembering({"KS": 33.0})
    table.put("KS", (0.0, 0.2), 0)
    table.turned.clear()
    table.rest(fresh=False)
    assert table.told["KS"].turned_deg == 33.0
    assert table.told["7H"].turned_deg is None


def test_nothing_is_known_of_a_table_that_nobody_looked_at() -> None:
    game = dealt().table.game
    assert TablePlaces(Settings()).of(CardTable(game, True)) == ()
    assert CardTable(game, True).lying == ()


def test_angles_and_places_turn_clockwise() -> None:
    assert [half_turned(angle) for angle in (0, 80, 100, 170, -100)] == [0, 80, -80, -10, 80]
    assert [round(part, 9) for part in rotated((0.0, 1.0), 90)] == [-1, 0]


def test_a_card_without_a_name_is_turned_as_what_lies_there() -> None:
    nameless = CardLying(None, 0.0, (0.02, 0.2), ("KD", "KH"), turned_deg=-25.0)
    places = TablePlaces(Settings())
    places.looked(TableLook(1.0, (nameless,), card_length=0.5))
    things = [Thing(number, None, at, True, TRICK) for number, at in enumerate(((0.0, 0.2), (0.4, 0.2)))]
    table = SimpleNamespace(lying=[*enumerate(things)], game=SimpleNamespace(players=4))
    there, elsewhere = places.of(cast(CardTable, table))
    assert (there.x, there.y, there.turned_deg) == (0.04, 0.4, -25.0)
    assert (elsewhere.x, elsewhere.y, elsewhere.turned_deg) == (0.8, 0.4, None)


class Placed(Told):
    """A follower that knows where cards lie, of the game and of none."""

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        super().see(frame, match, add)
        places = (("KS", 0), ("3S", 1), ("QH", 2), ("7H", None), ("9C", None))
        return FrameSeen(
            looked=True, untold=(Untold(1, "3S"),), places=tuple(Lying(c, s, 0, 0, None) for c, s in places)
        )


class PlacedTable(LiveTable):
    """A live table over it."""

    def _follower(self, match: Match, settings: Settings) -> Told:
        self.followers.append(Placed(match, settings))
        return self.followers[-1]


def test_nothing_is_told_of_where_cards_lie_that_are_not_shown() -> None:
    table = PlacedTable()
    table.see(deal(3, "7H"), play("KS", 0))
    assert [lying.card for lying in table.live.show.lying] == ["KS", "3S", "7H"]
