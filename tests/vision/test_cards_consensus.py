"""What corners say together: one card from two corners, no name twice, no guess passed off as knowledge."""

from dataclasses import replace

import numpy as np
import pytest

from vision.cards.consensus import CardSize, combine, decide, opposite_corners
from vision.cards.finder import Corner
from vision.cards.glyphs import NAMES, PLACE, IndexReading

BAR = 0.95


def reading(
    card: str,
    at: tuple[float, float],
    sure: float = 0.999,
    other: str = "AS",
    *,
    up: tuple[float, float] = (0.0, -1.0),
    is_index: float = 0.999,
    tall: float = 30.0,
) -> IndexReading:
    likely = np.full(len(NAMES), 1e-7)
    likely[PLACE[other]] += 1 - sure
    likely[PLACE[card]] = sure
    return IndexReading(Corner(at, up, tall, 0.9), likely / likely.sum(), is_index, np.zeros(4))


def both_ends(
    card: str, x: float, y: float, sure: tuple[float, float] = (0.999, 0.999), other: str = "AS"
) -> list[IndexReading]:
    return [reading(card, (x, y), sure[0], other), reading(card, (x + 75, y + 110), sure[1], other, up=(0.0, 1.0))]


def test_two_corners_of_a_card_are_one_card_with_an_outline() -> None:
    sighting, _ = decide(both_ends("7H", 100, 100), BAR)
    assert [c.card for c in sighting.cards] == ["7H"]
    assert sighting.cards[0].quad_px is not None


def test_two_doubtful_corners_that_agree_make_a_sure_card() -> None:
    weak = both_ends("7H", 100, 100, (0.9, 0.9), "7D")
    assert not decide(weak[:1], BAR)[0].cards
    assert [c.card for c in decide(weak, BAR)[0].cards] == ["7H"]


def test_two_corners_of_which_neither_is_half_sure_name_no_card() -> None:
    """A ten and a three of hearts, both blurred, were once the two ends of a five."""
    sighting, found = decide(both_ends("5H", 100, 100, (0.84, 0.86), "10H"), BAR)
    assert found[0].confidence > BAR and not sighting.cards
    assert sighting.unsure[0].candidates[0] == "5H"


def test_one_index_a_few_pixels_high_names_no_card_alone() -> None:
    low = replace(reading("7H", (100, 100)), corner=Corner((100, 100), (0.0, -1.0), 7.0, 0.9))
    assert not decide([low], BAR)[0].cards
    other = replace(low, corner=Corner((117, 126), (0.0, 1.0), 7.0, 0.9))
    assert [c.card for c in decide([low, other], BAR)[0].cards] == ["7H"]


def test_a_sure_end_speaks_for_a_doubtful_one() -> None:
    ends = [reading("6S", (100, 100)), reading("9S", (175, 210), 0.6, "6S", up=(0.0, 1.0))]
    assert opposite_corners(*ends)
    sighting, _ = decide(ends, BAR)
    assert [c.card for c in sighting.cards] == ["6S"] and not sighting.unsure


def test_of_several_corners_the_surest_two_ends_say_where_a_card_lies() -> None:
    third = reading("KH", (160, 195), 0.92, up=(0.0, 1.0), is_index=0.8)
    top, bottom = both_ends("KH", 100, 100)
    sighting, _ = decide([top, third, bottom], BAR)
    quad = sighting.cards[0].quad_px
    assert quad is not None and np.mean(quad, axis=0) == pytest.approx((137.5, 155.0))


def test_half_a_kings_k_that_looks_like_an_a_is_the_kings_other_end_however_sure_it_seems() -> None:
    half = reading("AH", (175, 208), 0.9995, up=(0.05, 1.0))
    whole = both_ends("7H", 600, 300)
    sighting, _ = decide([reading("KH", (100, 100), 0.99999), half, *whole], BAR)
    assert {c.card for c in sighting.cards} == {"KH", "7H"}
    elsewhere = reading("AH", (200, 208), 0.9995, up=(0.05, 1.0))
    sighting, _ = decide([reading("KH", (100, 100), 0.99999), elsewhere, *whole], BAR)
    assert {c.card for c in sighting.cards} == {"KH", "AH", "7H"}


@pytest.mark.parametrize("sure", [0.8, 0.98, 0.9999])
@pytest.mark.parametrize(("at", "up"), [((100, 210), (0.03, 1.0)), ((175, 100), (0.03, -1.0))])
def test_of_a_card_with_four_indices_a_half_covered_one_is_its_own(
    at: tuple[float, float], up: tuple[float, float], sure: float
) -> None:
    """Half of a seven's 7, beside a card thrown over it, is a J."""
    with_a_row = [*both_ends("KD", 600, 300, (0.99999, 0.99999)), reading("KD", (675, 300), 0.99999)]
    seven = both_ends("7S", 100, 100, (0.99999, 0.99999), "2S")
    sighting, _ = decide([*with_a_row, *seven, reading("JS", at, sure, up=up)], BAR)
    assert {c.card for c in sighting.cards} == {"KD", "7S"} and not sighting.unsure
    for elsewhere in [reading("JS", at, 0.9999, up=(1.0, 0.0)), reading("JS", (at[0] - 40, at[1]), 0.9999, up=up)]:
        sighting, _ = decide([*with_a_row, *seven, elsewhere], BAR)
        assert {c.card for c in sighting.cards} == {"KD", "7S", "JS"}


@pytest.mark.parametrize(
    ("at", "up"),
    [((175, 100), (0.0, -1.0)), ((25, 100), (0.0, -1.0)), ((100, 210), (0.0, 1.0)), ((25, 210), (0.0, 1.0))],
)
def test_where_cards_have_four_indices_one_alone_tells_where_the_others_may_be(
    at: tuple[float, float], up: tuple[float, float]
) -> None:
    """A ten of which two indices show, one of them half covered, is no ten of hearts too."""
    size, ten = CardSize(75, 110, four=True), reading("10D", (100, 100), 0.99999, "10H")
    half = reading("10H", at, 0.98, "10D", up=up)
    assert {c.card for c in decide([ten, half], BAR, size)[0].cards} == {"10D"}
    beside = reading("10H", (at[0], at[1] + 60), 0.98, "10D", up=up)
    assert {c.card for c in decide([ten, beside], BAR, size)[0].cards} == {"10D", "10H"}


def test_a_card_of_which_both_ends_show_is_one_though_one_lies_where_another_has_its_own() -> None:
    covered = reading("KH", (100, 100), 0.99999, up=(-0.35, -0.94), is_index=0.99999)
    sighting, _ = decide([covered, *both_ends("JS", 134, 68), *both_ends("7H", 600, 300)], BAR)
    assert {c.card for c in sighting.cards} == {"KH", "JS", "7H"}


@pytest.mark.parametrize(("sure", "other"), [(0.79, "5H"), (0.55, "AH"), (0.995, "AH")])
@pytest.mark.parametrize("five_sure", [0.99999, 0.998])
def test_a_half_covered_end_that_may_be_either_card_does_not_make_two_cards_one(
    five_sure: float, sure: float, other: str
) -> None:
    """A three of hearts lies over one end of a five."""
    five = reading("5H", (584, 306), five_sure, up=(0.826, -0.563), tall=25.6, is_index=five_sure)
    three = [
        reading("3H", (480, 492), up=(-0.534, 0.845), tall=25.5),
        reading("3H", (474, 374), up=(0.545, -0.838), tall=26.7),
    ]
    end_of_the_five = reading("3H", (545, 418), sure, other, up=(-0.779, 0.627), tall=28)
    found = [*three, end_of_the_five, five]
    for order in (found, found[::-1]):
        sighting, _ = decide(order, BAR)
        named = {c.card: c.at_px for c in sighting.cards}
        assert set(named) == {"3H", "5H"} and not sighting.unsure
        assert named["5H"] == (584, 306) and named["3H"] != (584, 306)


@pytest.mark.parametrize("beside", [[], both_ends("7H", 600, 300)])
def test_one_outline_never_has_two_names(beside: list[IndexReading]) -> None:
    """A queen whose ends are read as a queen and as a king."""
    queen = [reading("QH", (100, 100), 0.98, "KH"), reading("KH", (175, 210), 0.99, "QH", up=(0.0, 1.0))]
    for order in (queen, queen[::-1]):
        sighting, _ = decide([*order, *beside], BAR)
        assert [c.card for c in sighting.cards] == (["7H"] if beside else [])
        assert [set(u.candidates) for u in sighting.unsure] == [{"QH", "KH"}]


def test_a_six_over_a_spade_of_another_card_is_no_nine_of_spades() -> None:
    """The six at the end of its card, upside down, and a spade of the card below."""
    six = both_ends("6C", 100, 100)
    mirage = reading("9S", (175, 225), 0.98)
    assert [c.card for c in decide([*six, mirage], BAR)[0].cards] == ["6C"]
    unread = decide([six[0], mirage, *both_ends("7H", 400, 100)], BAR)[0]
    assert sorted(c.card for c in unread.cards) == ["6C", "7H"] and not unread.unsure


@pytest.mark.parametrize("away", [(15.0, 0.0), (0.0, 30.0)])
def test_a_card_whose_index_is_beside_another_that_is_upside_down_is_kept(away: tuple[float, float]) -> None:
    beside = reading("9S", (175 + away[0], 210 + away[1]))
    assert len(decide([*both_ends("6C", 100, 100), beside], BAR)[0].cards) == 2


def test_the_same_name_far_apart_is_unsure_twice() -> None:
    sighting, _ = decide([reading("KD", (100, 100)), reading("KD", (900, 100))], BAR)
    assert not sighting.cards and len(sighting.unsure) == 2


def test_the_much_surer_of_two_of_a_name_stays() -> None:
    sighting, _ = decide([reading("KD", (100, 100), 0.99999), reading("KD", (900, 100), 0.96)], BAR)
    assert len(sighting.cards) == 1 and sighting.cards[0].at_px == (100, 100)
    assert len(sighting.unsure) == 1


def test_under_the_bar_it_names_candidates_only() -> None:
    sighting, _ = decide([reading("6H", (50, 50), 0.6, "9H")], BAR)
    assert not sighting.cards
    assert sighting.unsure[0].candidates == ("6H", "9H")


def test_what_is_no_index_is_nothing() -> None:
    sighting, _ = decide([reading("6H", (50, 50), is_index=0.2)], BAR)
    assert not sighting.cards and not sighting.unsure


def test_more_frames_make_it_surer() -> None:
    read_once = reading("8C", (10, 10), 0.9, "3C")
    assert combine([read_once, read_once, read_once], 0.35).confidence > read_once.likely.max()


@pytest.mark.parametrize("angle", [0.0, 1.1, 2.9])
def test_geometry_does_not_care_how_a_card_is_turned(angle: float) -> None:
    c, s = np.cos(angle), np.sin(angle)

    def turned(r: IndexReading) -> IndexReading:
        (x, y), (ux, uy) = r.corner.at_px, r.corner.up
        return IndexReading(
            Corner((x * c - y * s, x * s + y * c), (ux * c - uy * s, ux * s + uy * c), 30.0, 0.9),
            r.likely,
            1.0,
            r.features,
        )

    a, b = both_ends("QS", 0, 0)
    assert opposite_corners(turned(a), turned(b))
    assert not opposite_corners(turned(a), turned(reading("QS", (-75, 110), up=(0.0, 1.0))))


def test_a_find_in_the_middle_of_a_sure_card_that_would_also_cover_it_is_part_of_its_picture() -> None:
    king = both_ends("KD", 100, 100, (0.9999, 0.9999))
    pattern = reading("AD", (130, 106), 0.985, "3D", up=(1.0, 0.0), tall=36.0)
    assert decide([pattern], BAR)[0].cards
    sighting, _ = decide([*king, pattern], BAR)
    assert [c.card for c in sighting.cards] == ["KD"] and not sighting.unsure


def test_a_card_lying_across_another_is_kept() -> None:
    under = both_ends("KD", 100, 100, (0.9999, 0.9999))[:1]
    over = both_ends("AS", 60, 190, (0.98, 0.98), "AC")
    sighting, _ = decide([*under, *over], BAR)
    assert {c.card for c in sighting.cards} == {"KD", "AS"}


def test_what_is_unsure_tells_how_likely_each_name_is() -> None:
    (doubt,) = decide([reading("6H", (50, 50), 0.6, "9H")], BAR)[0].unsure
    assert doubt.candidates == ("6H", "9H")
    assert doubt.likely == pytest.approx((0.6, 0.4), abs=0.05)


def test_a_card_of_which_one_end_shows_has_the_same_middle_as_when_both_do() -> None:
    both, _ = decide(both_ends("7H", 100, 100), BAR)
    (whole,) = both.cards
    assert whole.span_px is not None and whole.middle_px is not None
    for end in both_ends("7H", 100, 100):
        sighting, _ = decide([end], BAR, CardSize(*whole.span_px))
        (half,) = sighting.cards
        assert half.middle_px == pytest.approx(whole.middle_px, abs=2.0)
        assert half.quad_px is not None and half.span_px is None
        unknown, _ = decide([end], BAR)
        assert unknown.cards[0].quad_px is None
        assert unknown.cards[0].middle_px is not None


def test_two_ends_of_big_indices_are_one_card_with_one_middle() -> None:
    top = reading("7H", (100, 100), 0.9999)
    bottom = replace(top, corner=replace(top.corner, at_px=(136.0, 148.0), up=(0.0, 1.0)))
    (card,) = decide([top, bottom], BAR)[0].cards
    assert card.middle_px == pytest.approx((118.0, 124.0))


def test_with_an_index_in_each_corner_a_card_has_the_same_middle_whichever_are_seen() -> None:
    left, right = reading("7H", (100, 100)), reading("7H", (175, 100))
    low_left, low_right = reading("7H", (100, 210), up=(0.0, 1.0)), reading("7H", (175, 210), up=(0.0, 1.0))
    size = CardSize(75, 110, four=True)
    for corners in ([left, right, low_left, low_right], [left, right], [right, low_left], [left, low_right, low_left]):
        (card,) = decide(corners, BAR, size)[0].cards
        assert card.middle_px == pytest.approx((137.5, 155), abs=1)
        assert card.quad_px is not None
    assert decide([left, right], BAR)[0].four_indices
    for corner, side in ((left, -37.5), (right, 37.5)):
        (card,) = decide([corner], BAR, size)[0].cards
        assert card.quad_px is None  # On which side of it its card lies cannot be told.
        assert card.middle_px == pytest.approx((137.5 + side, 155), abs=1)


@pytest.mark.parametrize(
    "tall, sure, named", [(11.0, 0.995, False), (13.0, 0.985, False), (13.0, 0.995, True), (18.0, 0.985, True)]
)
def test_a_name_read_from_afar_must_be_surer(tall: float, sure: float, named: bool) -> None:
    sighting, _ = decide([reading("8D", (100, 100), sure, "10D", tall=tall)], BAR)
    assert [c.card for c in sighting.cards] == ["8D"] * named
    assert [c.candidates for c in sighting.unsure] == [("8D",)] * (not named)
