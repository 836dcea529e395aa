"""When a card table is looked at, how often, and what a look tells of places and hands; the reader is played."""

from collections.abc import Collection, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from engine.cards import Card
from engine.sightings import CardSeen, CardsSighting, CardUnsure, Quad, TableLook
from tests.vision.tabletop import SIDES, STEP_S, Tabletop, toward
from vision.cards.consensus import INSET_X, INSET_Y, CardSize
from vision.frame import Image
from vision.stillness import OPEN_S, ROUNDING_S, SETTLE_S
from vision.table import (
    AGAIN_EVERY_S,
    CAMERA_MOVED,
    DOUBT_EVERY_S,
    GLANCES_OF_A_PLACE,
    HAND_OVER,
    HAND_RESTS_S,
    LOOKING,
    LOOKS_AT_LOSS,
    LOOKS_AT_REST,
    LOOKS_IN_DOUBT,
    MOST_GLANCES,
    MOVED_TOLD_S,
    SMALL_BUMP,
    CardTableEye,
    turned_of,
)

NAMES = ("KS", "3S", "4S", "5S", "6S")
SPAN_PX = (28 * (1 - 2 * INSET_X), 40 * (1 - 2 * INSET_Y))
"""Between the indices of the cards drawn."""


class Reader:
    """Reads the cards of a tabletop by looking it up, and counts how often it was asked."""

    def __init__(self, table: Tabletop) -> None:
        self.table = table
        self.reads = 0
        self.unsure = False
        self.outlines = True
        self.size: CardSize | None = None
        """What the eye knows of the size of cards."""
        self.sees: list[tuple[int, int]] | None = None
        """Other places than those where cards are drawn."""
        self.gone: list[tuple[int, int]] = []
        """Where cards lay that a picture from before may show."""

    def corners(self, image: Image, both_ways: bool = False) -> Any:
        self.reads += 1
        dx, dy = self.table.shift
        places = [*self.gone, *self.table.cards] if self.sees is None else self.sees
        found = [(x + dx, y + dy) for x, y in places]
        return found if self.sees is not None else [at for at in found if shown(image, at)]

    def joint(
        self,
        looks: Sequence[Any],
        possible: Collection[Card] | None = None,
        both_ways: int = 0,
        size: CardSize | None = None,
    ) -> CardsSighting:
        self.size = size
        cards = tuple(
            CardSeen(name, 0.99, at, outline(at), at, SPAN_PX) if self.outlines else CardSeen(name, 0.99, at)
            for name, at in zip(NAMES, looks[-1], strict=False)
        )
        if not self.unsure or not cards:
            return CardsSighting(cards, ())
        return CardsSighting(cards[1:], (CardUnsure(("KS", "KC"), cards[0].at_px, index_like=0.8),))


def shown(image: Image, at: tuple[float, float]) -> bool:
    """Whether a card lies there in this picture: its dark middle on white."""
    x, y = round(at[0]), round(at[1])
    return int(image[y - 14, x, 0]) - int(image[y, x, 0]) > 80


def outline(at: tuple[float, float]) -> Quad:
    x, y = at
    return ((x - 14, y - 20), (x + 14, y - 20), (x + 14, y + 20), (x - 14, y + 20))


class Watched:
    """A tabletop, and the eye over it."""

    def __init__(self, contrast: float = 1.5) -> None:
        self.table = Tabletop(contrast=contrast)
        self.reader = Reader(self.table)
        self.eye = CardTableEye(self.reader)  # type: ignore[arg-type]
        self.late = False
        """Newer frames wait behind each."""

    def watch(self, seconds: float) -> list[TableLook]:
        frames = (replace(frame, behind_s=float(self.late)) for frame in self.table.frames(seconds))
        return [look for frame in frames for look in self.eye.see(frame)]

    def hover(self, angle: int, reach: float, sway: float, seconds: float) -> list[TableLook]:
        """A hand stays there and sways."""
        looks = []
        for number in range(round(seconds / STEP_S)):
            self.table.arms = [(angle, toward(angle, reach - sway * (number % 2)))]
            looks += self.watch(STEP_S)
        return looks

    def wave(self, angle: int, deepest: float = 0.8, leave: float = 0.5) -> list[TableLook]:
        """A hand comes, reaches so deep and goes; then the table rests."""
        looks = []
        for reach in (0.5 * deepest, deepest, 0.5 * deepest):
            self.table.arms = [(angle, toward(angle, reach))]
            looks += self.watch(STEP_S)
        self.table.arms = []
        return looks + self.watch(leave)

    def lay(self, *cards: tuple[int, int]) -> list[TableLook]:
        """A hand from the bottom lays these cards; the looks that follow."""
        self.table.cards += cards
        return self.wave(0)


@cache
def once_rested(contrast: float) -> Watched:
    watched = Watched(contrast)
    watched.watch(1.5)
    watched.reader.reads = 0
    return watched


def rested(contrast: float = 1.5) -> Watched:
    """A table that was looked at as often as it is worth."""
    return deepcopy(once_rested(contrast))


def test_a_table_at_rest_is_read_twice_and_then_left_alone() -> None:
    watched = Watched()
    looks = watched.watch(AGAIN_EVERY_S - 0.5)
    assert [look.fresh for look in looks] == [True, False]
    assert watched.reader.reads == LOOKS_AT_REST == 2
    assert looks[0].at_s == pytest.approx(STEP_S + SETTLE_S, abs=0.5 * STEP_S)


def test_of_late_frames_the_first_of_a_rest_is_read_and_no_other_before_they_come_in_time() -> None:
    watched = Watched()
    frames = list(watched.table.frames(2.0))
    looks = [look for frame in frames[:10] for look in watched.eye.see(replace(frame, behind_s=1.0))]
    assert [look.fresh for look in looks] == [True]
    looks = [look for frame in frames[10:] for look in watched.eye.see(frame)]
    assert [look.fresh for look in looks] == [False] * (LOOKS_AT_REST - 1)


def test_hands_are_followed_through_late_frames_in_which_nothing_is_read() -> None:
    watched = rested()
    reads = watched.reader.reads
    watched.late = True
    (look,) = watched.lay((40, 60))
    assert (len(look.hands), look.glances, watched.reader.reads) == (1, (), reads + 1)


def test_nothing_moving_costs_a_read_every_few_seconds_only() -> None:
    watched = rested()
    looks = watched.watch(2 * AGAIN_EVERY_S)
    assert watched.reader.reads == len(looks) == 2
    assert not any(look.fresh or look.hands or look.changed for look in looks)


def test_a_card_that_appears_gives_two_looks_that_tell_where_it_lies() -> None:
    watched = rested()
    first, second = watched.lay((160, 140))
    assert (first.fresh, second.fresh) == (True, False)
    for look in (first, second):
        ((card, at),) = [(lying.card, lying.at) for lying in look.cards]
        assert card == "KS"
        # The middle is at (160, 120); half the shorter side is 120 pixels.
        assert at == (pytest.approx(0.0, abs=0.01), pytest.approx(20 / 120, abs=0.01))
    assert first.card_length == pytest.approx(40 / 120, abs=0.02)
    ((x, y, radius),) = first.changed
    assert (x, y) == (pytest.approx(0.0, abs=0.05), pytest.approx(20 / 120, abs=0.05))
    assert 0.1 < radius < 0.25
    assert first.packets == ()


@pytest.mark.parametrize("angle", SIDES)
def test_a_hand_is_told_with_the_side_it_came_from_and_how_deep_it_reached(angle: int) -> None:
    watched = rested()
    began_s = watched.table.now_s
    looks = watched.wave(angle, deepest=0.8)
    (hand,) = looks[0].hands
    assert abs((hand.angle_deg - angle + 180) % 360 - 180) < 10
    x, y = toward(angle, 0.8)
    reached = ((x - 160) / 120, (y - 120) / 120)
    assert np.hypot(hand.reach[0] - reached[0], hand.reach[1] - reached[1]) < 0.2
    assert hand.came_s == pytest.approx(began_s + STEP_S, abs=0.01)
    assert hand.left_s == pytest.approx(began_s + 3 * STEP_S, abs=0.01)
    assert hand.reached_s == pytest.approx(began_s + 2 * STEP_S, abs=0.01)
    assert hand.drew_back_s == pytest.approx(began_s + 2 * STEP_S, abs=0.01)
    assert all(look.hands == () for look in looks[1:])


def test_two_hands_from_two_sides_are_told_in_the_order_they_came() -> None:
    watched = rested()
    watched.wave(90, leave=0.1)
    looks = watched.wave(270)
    assert [round(hand.angle_deg) for hand in looks[-2].hands] == [
        pytest.approx(90, abs=10),
        pytest.approx(270, abs=10),
    ]


def test_a_hand_over_the_middle_delays_the_look_until_it_goes() -> None:
    watched = rested()
    watched.table.cards.append((60, 60))
    assert watched.hover(0, 0.95, sway=0.3, seconds=1.5) == []
    assert watched.eye.situation == HAND_OVER
    assert watched.reader.reads <= 2 * GLANCES_OF_A_PLACE, "of the card, and of what is still of the hand"
    watched.table.arms = []
    assert [lying.card for lying in watched.watch(0.5)[0].cards] == ["KS"]
    assert watched.eye.situation == LOOKING


def test_a_hand_that_stays_is_read_around_and_what_it_covers_is_not_told() -> None:
    watched = rested()
    watched.table.cards = [(60, 60), (160, 200)]
    watched.table.arms = [(0, toward(0, 0.95))]
    (look, *_) = watched.watch(HAND_RESTS_S + 0.5)
    assert [lying.card for lying in look.cards] == ["KS"]


def test_a_hand_at_the_edge_is_in_nobodys_way() -> None:
    watched = rested()
    watched.table.cards.append((160, 140))
    looks = watched.hover(90, 0.3, sway=0.06, seconds=1.0)
    assert looks and [lying.card for lying in looks[-1].cards] == ["KS"]


def test_what_cannot_be_read_is_looked_at_again_but_not_for_ever() -> None:
    watched = rested()
    watched.reader.unsure = True
    looks = watched.lay((160, 140)) + watched.watch(4.0)
    assert len(looks) == LOOKS_IN_DOUBT
    assert all(look.cards[0].card is None and look.cards[0].candidates == ("KS", "KC") for look in looks)
    assert {look.cards[0].confidence for look in looks} == {0.8}, "how much it looks like a card"
    assert looks[-1].at_s - looks[-2].at_s >= DOUBT_EVERY_S - 0.01


def test_a_card_not_seen_any_more_is_looked_for_once_more() -> None:
    watched = rested()
    watched.lay((160, 140))
    watched.watch(1.0)
    watched.reader.sees = []
    watched.reader.reads = 0
    watched.wave(0)
    watched.watch(2.0)
    assert watched.reader.reads == LOOKS_AT_LOSS == LOOKS_AT_REST + 1


def test_something_without_a_face_that_came_to_rest_is_a_packet() -> None:
    watched = rested()
    watched.reader.sees = []
    look = watched.lay((60, 120))[0]
    assert look.packets == ((pytest.approx(-100 / 120, abs=0.05), pytest.approx(0.0, abs=0.05)),)


def test_a_small_bump_is_taken_out() -> None:
    watched = rested(contrast=8.0)
    watched.lay((160, 140))
    watched.watch(1.0)
    watched.table.shift = (0.5 * SMALL_BUMP * 120, 0.0)
    looks = watched.watch(HAND_RESTS_S + 1.0)
    assert looks[-1].cards[0].at == (pytest.approx(0.0, abs=0.015), pytest.approx(20 / 120, abs=0.015))
    assert [look.fresh for look in looks].count(True) == 1  # Then the table lies still as before.


def test_a_big_bump_is_told() -> None:
    watched = rested(contrast=8.0)
    watched.lay((160, 140))
    watched.watch(1.0)
    watched.table.shift = (4 * SMALL_BUMP * 120, 0.0)
    told, moved_s = [], []
    for frame in watched.table.frames(HAND_RESTS_S + 2 * MOVED_TOLD_S):
        told += [(watched.eye.situation, look.fresh) for look in watched.eye.see(frame)]
        moved_s += [frame.at_s] if watched.eye.situation == CAMERA_MOVED else []
    assert told[0] == (CAMERA_MOVED, True)
    assert not any(fresh for _, fresh in told[1:])
    assert moved_s[-1] - moved_s[0] > MOVED_TOLD_S - 2 * STEP_S  # Long enough to be read.
    assert watched.eye.situation == LOOKING


def knocked(watched: Watched, by: float) -> list[TableLook]:
    """The camera swings by so many table units and most of the way back before it comes to rest there."""
    looks = []
    for part in (1.0, 0.3, 1.0):
        watched.table.shift = (part * by * 120, 0.0)
        looks += watched.watch(STEP_S)
    return looks + watched.watch(1.0)


def test_a_big_bump_leaves_the_cards_where_they_lay_and_shows_no_hand() -> None:
    watched = rested(contrast=8.0)
    watched.lay((160, 140))
    watched.watch(1.0)
    looks = knocked(watched, 4 * SMALL_BUMP)
    assert looks[0].fresh and looks[0].hands == looks[0].packets == looks[0].glances == ()
    (card,) = looks[-1].cards
    assert card.at == (pytest.approx(0.0, abs=0.015), pytest.approx(20 / 120, abs=0.015))


def test_a_hand_that_came_before_a_bump_is_told() -> None:
    watched = rested(contrast=8.0)
    watched.table.arms = [(90, toward(90, 0.8))]
    watched.watch(3 * STEP_S)
    watched.table.arms = []
    looks = knocked(watched, 4 * SMALL_BUMP)
    assert [round(hand.angle_deg) for look in looks for hand in look.hands] == [90]


def test_an_empty_table_seen_from_elsewhere_has_its_middle_there() -> None:
    watched = rested(contrast=8.0)
    knocked(watched, 4 * SMALL_BUMP)
    looks = watched.lay((160, 140))
    here = 4 * SMALL_BUMP, 20 / 120
    assert looks[-1].cards[0].at == (pytest.approx(here[0], abs=0.015), pytest.approx(here[1], abs=0.015))


def test_a_lamp_switched_on_is_no_touch_that_shows_a_hand() -> None:
    watched = rested()
    watched.lay((160, 140))
    watched.watch(1.0)
    watched.table.light = 0.7
    looks = watched.watch(AGAIN_EVERY_S)
    assert looks and all(look.hands == () and look.changed == () for look in looks)
    assert [lying.card for lying in looks[-1].cards] == ["KS"]


def lays_and_stays(watched: Watched) -> list[TableLook]:
    """A hand lays a card near the middle, draws back over its seat's side, and never rests."""
    looks = []
    watched.table.arms = [(0, toward(0, 0.8))]
    looks += watched.watch(STEP_S)
    watched.table.cards.append((160, 90))
    for number in range(8):
        watched.table.arms = [(0, toward(0, 0.5 + 0.15 * (number % 2)))]
        looks += watched.watch(STEP_S)
    return looks


def test_a_card_that_lies_open_beside_an_arm_is_seen_before_the_table_rests() -> None:
    watched = rested()
    assert lays_and_stays(watched) == []
    laid_s = watched.table.now_s - 8 * STEP_S
    watched.table.arms = []
    look = watched.watch(0.5)[0]
    first = look.glances[0]
    assert [lying.card for lying in first.cards] == ["KS"]
    assert OPEN_S <= first.at_s - laid_s <= OPEN_S + 2 * STEP_S
    (hand,) = first.hands
    assert (hand.came_s, hand.left_s) == (pytest.approx(look.hands[0].came_s), first.at_s)
    assert GLANCES_OF_A_PLACE <= len(look.glances) <= GLANCES_OF_A_PLACE + 1, "and one of the hand beside it"


def test_a_card_that_was_read_while_it_moved_is_read_again_once_it_lies() -> None:
    watched = rested()
    for number in range(10):
        watched.table.cards = [(120 + 4 * (number % 2), 90)]
        watched.table.arms = [(0, toward(0, 0.5 + 0.15 * (number % 2)))]
        assert watched.watch(STEP_S) == []
    moved_s, reads = watched.table.now_s, watched.reader.reads
    assert reads > GLANCES_OF_A_PLACE
    watched.hover(0, 0.6, sway=0.15, seconds=0.8)
    watched.table.arms = []
    glances = [
        (glance.at_s > moved_s, [card.card for card in glance.cards]) for glance in watched.watch(0.5)[0].glances
    ]
    assert (True, ["KS"]) in glances and (False, ["KS"]) not in glances


@pytest.mark.parametrize(("both", "told"), [(True, True), (False, False)])
def test_a_card_of_which_a_hand_covers_one_end_is_seen_by_the_other(both: bool, told: bool) -> None:
    watched = rested()
    watched.hover(0, 0.9, sway=0.2, seconds=0.5)
    card = CardSeen("KS", 0.99, (160.0, 145.0), None, (160.0, 100.0), (10.0, 90.0) if both else None)
    frame = next(iter(watched.table.frames(STEP_S)))
    assert bool(watched.eye._lying_cards(frame, CardsSighting((card,), ()), moving=True)) == told


def test_what_a_hand_hides_is_in_no_glance() -> None:
    watched = rested()
    watched.lay((160, 150))
    watched.watch(1.0)
    watched.table.arms = [(0, toward(0, 0.8))]
    watched.watch(STEP_S)
    watched.table.cards.append((160, 60))
    watched.reader.sees = [*watched.table.cards]
    watched.hover(0, 0.75, sway=0.1, seconds=0.8)
    watched.table.arms = []
    look = watched.watch(0.5)[0]
    assert len(look.cards) == 2
    assert look.glances and all(
        [lying.at[1] for lying in glance.cards] == [pytest.approx(-0.5)] for glance in look.glances
    )


@pytest.mark.parametrize(("reach", "reads"), [(0.5, 0), (0.8, GLANCES_OF_A_PLACE)])
def test_a_hand_alone_is_hardly_read(reach: float, reads: int) -> None:
    """Only what of it is still among the cards, which may as well be a card that it touches."""
    watched = rested()
    watched.hover(0, reach, sway=0.3, seconds=4.0)
    assert watched.reader.reads <= reads


def test_a_card_that_a_quiet_hand_touches_is_seen_before_the_table_rests() -> None:
    """And so is one that another lays beside it; both are gone when the table rests."""
    watched = rested()
    for reach in (0.4, 0.75):
        watched.table.arms = [(0, toward(0, reach))]
        watched.watch(STEP_S)
    watched.table.cards = [(160, 120)]
    assert watched.hover(0, 0.75, sway=0.08, seconds=0.6) == []
    for reach in (0.4, 0.75):
        watched.table.arms = [(0, toward(0, 0.75)), (90, toward(90, reach))]
        assert watched.watch(STEP_S) == []
    watched.table.cards.append((135, 116))
    assert watched.hover(0, 0.75, sway=0.08, seconds=0.6) == []
    watched.reader.gone, watched.table.cards, watched.table.arms = watched.table.cards, [], []
    (look, *_) = watched.watch(0.6)
    assert look.cards == ()
    assert [{lying.card for lying in glance.cards} for glance in look.glances][-1] == {"KS", "3S"}


def test_what_a_quiet_hand_holds_at_the_edge_is_in_no_glance() -> None:
    """Another hand moves over the middle meanwhile."""
    watched = rested()
    for reach in (0.15, 0.25, 0.35):
        watched.table.arms = [(0, toward(0, reach))]
        watched.watch(STEP_S)
    watched.table.cards = [(176, 216)]
    assert watched.hover(0, 0.35, sway=0.05, seconds=0.4) == []
    for number in range(6):
        watched.table.arms = [(0, toward(0, 0.35)), (180, toward(180, 0.95 - 0.1 * (number % 2)))]
        assert watched.watch(STEP_S) == []
    watched.table.arms, watched.table.cards = [], []
    (look, *_) = watched.watch(0.6)
    assert look.glances and not any(glance.cards for glance in look.glances)


def test_where_something_went_what_comes_is_read_anew() -> None:
    """Of two cards laid at one place, one after the other was swept up, each is seen before the table rests."""
    watched = rested()
    for card in ((160, 90), (158, 92)):
        watched.table.cards = [card]
        watched.hover(0, 0.65, sway=0.15, seconds=0.8)
        watched.table.cards = []
        watched.hover(0, 0.65, sway=0.15, seconds=0.3)
    watched.table.arms = []
    at = {lying.at for look in watched.watch(0.6) for glance in look.glances for lying in glance.cards}
    assert len(at) == 2


def test_of_quick_hands_the_glances_tell_which_card_was_there_first() -> None:
    watched = rested()
    for angle, card in ((0, (160, 150)), (90, (130, 100))):
        for reach, lands in ((0.5, False), (0.8, True), (0.4, False)):
            watched.table.arms = [(angle, toward(angle, reach))]
            watched.table.cards += [card] * lands
            assert watched.watch(STEP_S) == []
        watched.table.arms = []
        assert watched.watch(0.2) == []
    look = watched.watch(0.5)[0]
    assert len(look.cards) == len(look.hands) == 2
    shown = [{lying.card for lying in glance.cards} for glance in look.glances]
    assert next(faces for faces in shown if faces) == {"KS"} and shown[-1] == {"KS", "3S"}
    assert [glance.at_s for glance in look.glances] == sorted(glance.at_s for glance in look.glances)


def test_a_card_that_was_swept_up_before_the_table_rested_was_seen() -> None:
    watched = rested()
    watched.lay((160, 150))
    watched.table.cards.append((130, 100))
    watched.wave(90, leave=0.2)
    watched.reader.gone, watched.table.cards = watched.table.cards, []
    look = watched.wave(0, leave=0.6)[0]
    assert look.cards == ()
    assert {lying.card for lying in look.glances[0].cards} == {"KS", "3S"}


def test_of_many_glances_those_of_a_trick_that_is_gone_are_kept() -> None:
    watched = rested()
    watched.table.cards = [(160, 150), (130, 100)]
    watched.wave(90, leave=0.2)
    for number in range(2 * MOST_GLANCES):
        watched.table.cards = [(160, 150)] * (number % 2)
        assert watched.wave(0, leave=0.2) == [], "the table never rests"
    glances = watched.watch(0.5)[0].glances
    shown = [{lying.card for lying in glance.cards} for glance in glances]
    assert len(glances) == MOST_GLANCES and {"KS", "3S"} in shown
    assert [glance.at_s for glance in glances] == sorted(glance.at_s for glance in glances)


@pytest.mark.parametrize(
    "width, height, moved", [(240, 320, True), (320, 180, True), (640, 480, False), (320, 238, False)]
)
def test_a_picture_of_another_shape_is_a_camera_that_was_moved(width: int, height: int, moved: bool) -> None:
    watched = Watched()
    watched.table.cards = [(160, 120)]
    watched.watch(1.0)
    looks: list[TableLook] = []
    for frame in watched.table.frames(1.0):
        watched.reader.sees = [(width // 3, height // 2)]
        image = np.asarray(cv2.resize(frame.image, (width, height)), np.uint8)
        looks += watched.eye.see(replace(frame, image=image))
    assert looks[0].fresh and watched.eye.situation == (CAMERA_MOVED if moved else LOOKING)


def test_the_size_of_cards_is_remembered_where_only_one_end_of_one_shows() -> None:
    watched = rested()
    assert watched.reader.size is None
    watched.lay((160, 150))
    watched.reader.outlines = False
    watched.lay((130, 100))
    assert watched.reader.size == (pytest.approx(SPAN_PX[0]), pytest.approx(SPAN_PX[1]), False)


def test_a_hand_that_draws_back_and_comes_again_is_told_twice() -> None:
    watched = rested()
    for reach in (0.4, 0.8, 0.4, 0.25, 0.6, 0.8, 0.4):
        watched.table.arms = [(0, toward(0, reach))]
        watched.watch(STEP_S)
    watched.table.arms = []
    first, second = watched.watch(0.6)[0].hands
    assert first.left_s < second.came_s
    assert second.left_s - second.came_s == pytest.approx(2 * STEP_S)


@pytest.mark.parametrize("fps", [8, 10, 15, 24, 30])
def test_a_table_settles_after_the_same_time_however_many_frames_a_second(fps: int) -> None:
    eye = CardTableEye(Reader(Tabletop()))  # type: ignore[arg-type]
    frames = enumerate(Tabletop().frames(fps * STEP_S))
    first = next(number / fps for number, frame in frames if eye.see(replace(frame, at_s=1000 + number / fps)))
    assert SETTLE_S - ROUNDING_S <= first < SETTLE_S + 1 / fps


@pytest.mark.parametrize(("turn_deg", "told"), [(0, 0), (30, 30), (-60, -60), (150, -30)])
def test_how_a_card_is_turned_is_told_from_its_outline(turn_deg: float, told: float) -> None:
    turn = np.radians(turn_deg)
    up, right = np.array((np.sin(turn), -np.cos(turn))), np.array((np.cos(turn), np.sin(turn)))
    corners = [20 * along * up + 14 * across * right for across, along in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    quad: Any = tuple((float(x), float(y)) for x, y in corners)
    assert turned_of(quad) == pytest.approx(told)
    assert turned_of(None) is None


def test_a_camera_that_comes_back_with_other_pixels_measures_cards_anew() -> None:
    watched = Watched()
    watched.table.cards = [(160, 120)]
    watched.watch(1.0)
    assert watched.reader.size is not None
    for frame in watched.table.frames(1.0):
        larger = replace(frame, image=frame.image.repeat(2, 0).repeat(2, 1))
        watched.reader.sees, watched.reader.size = [(320, 240)], None
        looks = watched.eye.see(larger)
        if looks:
            break
    assert looks[0].fresh and watched.reader.size is None


def test_hands_over_a_table_that_never_rests_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.table.MOST_HANDS", 4)
    watched = Watched()
    watched.watch(0.5)
    for number in range(60):
        watched.table.arms = [(90, toward(90, 0.3 + 0.1 * (number % 2)))] + [(0, toward(0, 0.6))] * (number % 5 == 0)
        assert watched.watch(STEP_S) == []
    watched.table.arms = []
    (look, *_) = watched.watch(2.0)
    assert len(look.hands) <= 4 + 2
