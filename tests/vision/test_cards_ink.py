"""Two signs of one index are printed in one ink; a red rank over another card's black suit names no black card."""

import cv2
import numpy as np
import pytest

from vision.cards.finder import Corner
from vision.cards.glyphs import NAMES, PLACE, GlyphReader, IndexReading
from vision.cards.ink import in_one_ink, suit_of_another
from vision.cards.reader import CardReader

RED, BLACK, BLUE = (40, 30, 190), (25, 25, 25), (170, 60, 30)
CORNER = Corner((100.0, 100.0), (0.0, -1.0), 92.0, 1.0)
DAYLIGHT, LAMP = (1.0, 1.0, 1.0), (0.45, 0.75, 1.0)
"""Of blue, green and red, what the light gives."""


def index(rank: tuple[int, int, int], suit: tuple[int, int, int], light: tuple[float, float, float] = DAYLIGHT):  # type: ignore[no-untyped-def]
    """A rank over a suit, in these inks and this light."""
    picture = np.full((200, 200, 3), 235, np.uint8)
    cv2.putText(picture, "K", (78, 98), cv2.FONT_HERSHEY_SIMPLEX, 1.7, rank, 7, cv2.LINE_AA)
    cv2.circle(picture, (100, 124), 15, suit, -1, cv2.LINE_AA)
    return (picture * np.array(light)).astype(np.uint8)


def reading(**likely: float) -> IndexReading:
    of = np.zeros(len(NAMES))
    for name, share in likely.items():
        of[PLACE[name]] = share
    return IndexReading(CORNER, of, 1.0, np.zeros(4))


@pytest.mark.parametrize("light", [DAYLIGHT, LAMP], ids=["daylight", "lamp"])
@pytest.mark.parametrize(
    "rank, suit, other",
    [(RED, BLACK, True), (RED, RED, False), (BLACK, BLACK, False), (BLACK, RED, False), (BLUE, BLUE, False)],
)
def test_only_a_red_rank_over_a_black_suit_is_of_two_cards(
    rank: tuple[int, int, int], suit: tuple[int, int, int], other: bool, light: tuple[float, float, float]
) -> None:
    assert suit_of_another(index(rank, suit, light), CORNER) is other


def test_what_hardly_shows_is_not_judged() -> None:
    assert not suit_of_another(np.full((200, 200, 3), 235, np.uint8), CORNER)


def test_a_red_king_under_a_club_may_be_either_red_king() -> None:
    read = in_one_ink(reading(KC=0.96, KS=0.02, KH=0.01, QC=0.01), index(RED, BLACK))
    told = {NAMES[k]: round(float(share), 3) for k, share in enumerate(read.likely) if share > 0}
    assert told == {"KH": 0.5, "KD": 0.49, "QH": 0.005, "QD": 0.005}


def test_what_is_of_one_ink_or_red_or_in_doubt_stays() -> None:
    for read, picture in (
        (reading(KC=0.96, KS=0.04), index(BLACK, BLACK)),
        (reading(KH=0.96, KS=0.04), index(RED, BLACK)),
        (reading(KH=0.3, KS=0.4, QS=0.3), index(RED, BLACK)),
    ):
        assert in_one_ink(read, picture) is read


def test_a_reader_names_no_black_king_where_a_club_covers_the_heart_of_a_red_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever its network says of such a corner."""
    eye = CardReader()
    monkeypatch.setattr("vision.cards.reader.colourless", lambda image: False)
    monkeypatch.setattr(eye.finder, "find", lambda image: [CORNER])
    monkeypatch.setattr(GlyphReader, "read", lambda _, image, corners: [reading(KC=1.0) for _ in corners])
    monkeypatch.setattr(GlyphReader, "read_again", lambda _, image, corner: reading(KC=1.0))
    covered = eye.read(index(RED, BLACK))
    assert not covered.cards
    assert [set(unsure.candidates) for unsure in covered.unsure] == [{"KH", "KD"}]
    assert [card.card for card in eye.read(index(BLACK, BLACK)).cards] == ["KC"]
