"""The reader on drawn tables of our own deck, and on bad pictures."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.cards import FULL_PACK, Card
from engine.errors import GameError
from engine.sightings import CardsSighting
from tests.sizes import slow
from tests.vision.conftest import TableOf, top_of
from vision.cards.crops import index_crop
from vision.cards.enrol import enrol_picture, in_rows, proposed_order
from vision.cards.enrolled import EnrolledDeck
from vision.cards.finder import Corner
from vision.cards.glyphs import NAMES, PLACE, GlyphReader, IndexReading, Letters
from vision.cards.reader import MODELS, CardReader
from vision.cards.signs import sign_of
from vision.synthetic.cards_tables import DrawnCard, clean_look, draw_table
from vision.synthetic.decks import (
    CARD_H_PX,
    CARD_W_PX,
    DUTCH_LETTERS,
    FRENCH_LETTERS,
    Deck,
    Image,
    lettered_deck,
    plain_deck,
)
from vision.training.cards_data import correction


def names(sighting: CardsSighting) -> set[str]:
    return {c.card for c in sighting.cards}


def row_of(cards: Sequence[Card], width: float = 135.0, turn: float = 0.1) -> list[DrawnCard]:
    return [
        DrawnCard(c, (220 + 210 * (k % 5), 250 + 300 * (k // 5)), width, turn + 0.3 * k) for k, c in enumerate(cards)
    ]


@pytest.mark.parametrize("cards", [FULL_PACK[k : k + 10] for k in range(0, 52, 10)], ids=lambda c: c[0])
def test_it_reads_the_whole_pack(reader: CardReader, table_of: TableOf, cards: list[Card]) -> None:
    assert names(reader.read(table_of(row_of(cards)).image)) == set(cards)


def test_without_colour_no_card_is_sure_and_the_red_ones_are_among_what_it_may_be(
    reader: CardReader, table_of: TableOf
) -> None:
    cards = ["7H", "KD", "QS"]
    grey = cv2.cvtColor(table_of(row_of(cards)).image, cv2.COLOR_BGR2GRAY)
    camera = np.asarray(cv2.merge([grey, grey + (grey < 255), grey]), np.uint8)
    coded = cv2.imdecode(cv2.imencode(".jpg", camera)[1], cv2.IMREAD_COLOR)
    sighting = reader.read(np.asarray(coded, np.uint8))
    assert sighting.grey and not sighting.cards
    assert all(any(card in seen.candidates for seen in sighting.unsure) for card in cards)
    assert not reader.joint([reader.corners(camera)] * 5).cards, "looked at again, it still has no colour"


def on_grey_cloth(table_of: TableOf, cards: list[Card]) -> Image:
    return table_of(row_of(cards), background=np.full((960, 1280, 3), 120, np.uint8)).image


def without_colour(image: Image, tint: Sequence[float] = (1.0, 1.0, 1.0)) -> Image:
    """As a night camera shows it: grey, and all of it a little red or blue."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None] * np.array(tint), np.uint8)


def test_one_red_card_is_colour_enough(reader: CardReader, table_of: TableOf) -> None:
    sighting = reader.read(on_grey_cloth(table_of, ["7H", "4C"]))
    assert names(sighting) == {"7H", "4C"} and not sighting.grey


def test_a_tint_is_no_colour(reader: CardReader, table_of: TableOf) -> None:
    sighting = reader.read(without_colour(on_grey_cloth(table_of, ["7H", "4C"]), (0.8, 0.9, 1.0)))
    assert sighting.grey and not sighting.cards


def test_a_camera_that_turns_to_night_names_no_red_card_as_a_black_one(table_of: TableOf) -> None:
    camera = CardReader(one_deck=True)
    evening = on_grey_cloth(table_of, ["AD", "6D", "4C"])
    assert names(camera.read(evening)) == {"AD", "6D", "4C"}
    night = camera.read(without_colour(evening))
    assert night.grey and not night.cards
    assert all(any(card in seen.candidates for seen in night.unsure) for card in ("AD", "6D", "4C"))
    assert names(camera.read(evening)) == {"AD", "6D", "4C"}, "once it is light again, at once"


@pytest.mark.slow
def test_a_whole_pack_on_the_table_is_read_at_once(reader: CardReader, table_of: TableOf) -> None:
    laid = [
        DrawnCard(card, (65 + 118 * (k % 13), 110 + 190 * (k // 13)), 100, 0.02 * (k % 3))
        for k, card in enumerate(FULL_PACK)
    ]
    sighting = reader.read(table_of(laid, width=1560, height=800, tilt_deg=0).image)
    assert names(sighting) == set(FULL_PACK) and not sighting.crowded


def test_a_second_look_that_reads_another_name_does_not_replace_the_first(
    table_of: TableOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_eight(self: GlyphReader, image: Image, corner: Corner) -> IndexReading:
        (read,) = self.read(image, [corner])
        return replace(read, likely=np.eye(len(PLACE))[PLACE["8H"]])

    monkeypatch.setattr("vision.cards.reader.SURE_AT_ONCE", 1.1)
    monkeypatch.setattr(GlyphReader, "read_again", as_eight)
    sighting = CardReader().read(table_of(row_of(["JH"])).image)
    assert not sighting.cards
    assert {"JH", "8H"} <= {*sighting.unsure[0].candidates}


@pytest.mark.parametrize("bar, sure, again", [(0.0, 0.0, False), (0.0, 1.1, True), (1.1, 0.0, True)])
def test_where_one_further_frame_leaves_no_doubt_of_a_name_above_the_bar_no_more_are_looked_at(
    table_of: TableOf, monkeypatch: pytest.MonkeyPatch, bar: float, sure: float, again: bool
) -> None:
    eye = CardReader()
    (read,) = [reading for reading in eye.corners(table_of(row_of(["JH"])).image) if reading.is_index > 0.9][:1]
    asked: list[Corner] = []

    def noted(self: GlyphReader, image: Image, corner: Corner) -> IndexReading:
        asked.append(corner)
        return read

    monkeypatch.setattr("vision.cards.reader.SURE_AT_ONCE", sure)
    monkeypatch.setattr(GlyphReader, "read_again", noted)
    eye.bar = bar
    eye._again(table_of(row_of(["JH"])).image, read, jack=0.5)
    assert bool(asked) is again


def test_more_than_is_ever_read_is_told(reader: CardReader, table_of: TableOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cards.finder.MOST_CORNERS", 6)
    monkeypatch.setattr("vision.cards.reader.MOST_CORNERS", 6)
    assert reader.read(table_of(row_of(FULL_PACK[:9])).image).crowded


def test_it_reads_french_letters(reader: CardReader, table_of: TableOf) -> None:
    cards = ["KH", "QD", "JC", "AS", "AD"]
    assert names(reader.read(table_of(row_of(cards), french=True, background=None).image)) == set(cards)


@pytest.mark.parametrize("width", [80, 140, 230, 330])
def test_it_reads_cards_far_and_near(reader: CardReader, table_of: TableOf, width: float) -> None:
    laid = [DrawnCard("2C", (300, 340), width, 0.3), DrawnCard("6D", (820, 360), width, 2.2)]
    assert names(reader.read(table_of(laid, width=1120, height=720).image)) == {"2C", "6D"}


def test_it_reads_under_a_dim_lamp(reader: CardReader, table_of: TableOf) -> None:
    dim = replace(clean_look(), light=0.2)
    assert names(reader.read(table_of(row_of(["3H", "JC", "10S"]), look=dim).image)) == {"3H", "JC", "10S"}


def test_a_joker_is_named_or_suspected(reader: CardReader, table_of: TableOf) -> None:
    sighting = reader.read(table_of(row_of(["JOKER", "2C"])).image)
    assert names(sighting) | {u.candidates[0] for u in sighting.unsure} == {"JOKER", "2C"}


@pytest.mark.parametrize("size", [0.7, 1.0, 1.4])
def test_a_corner_framed_badly_is_framed_better_once_it_was_looked_at(
    reader: CardReader, table_of: TableOf, size: float
) -> None:
    table = table_of(row_of(["7D", "KS", "10C", "3H"]))
    glyphs = GlyphReader(MODELS / "cards_reader.onnx")
    off = []
    for card in table.cards:
        for index in card.indices:
            true = Corner(index.at_px, index.up, index.height_px, 1.0)
            (read,) = glyphs.read(table.image, [true.moved(0.08, -0.06, size, 0.2)])
            shift = np.hypot(*np.subtract(read.corner.at_px, true.at_px)) / true.height_px
            (ux, uy), (tx, ty) = read.corner.up, true.up
            off.append((shift, abs(np.log(read.corner.height_px / true.height_px)), ux * ty - uy * tx))
            assert NAMES[int(read.likely.argmax())] == card.card
    assert (np.abs(off).mean(axis=0) < (0.05, 0.1, 0.08)).all()


def test_a_corner_moved_and_moved_back_is_where_it_was() -> None:
    corner = Corner((100.0, 50.0), (0.6, -0.8), 30.0, 0.9)
    there = corner.moved(0.2, -0.1, 1.25, 0.3)
    right, down, size, turn = correction(there, corner)
    back = there.moved(right, down, float(np.exp(size)), turn)
    assert back.at_px == pytest.approx(corner.at_px)
    assert back.up == pytest.approx(corner.up) and back.height_px == pytest.approx(corner.height_px)


@pytest.mark.parametrize("height_px", [92.0, 184.0])
def test_no_pixel_of_a_tall_index_is_skipped(height_px: float) -> None:
    """Grain is less the more pixels of the picture there are to one of the crop."""
    grain = np.random.default_rng(1).integers(100, 156, (600, 600, 3)).astype(np.uint8)
    crop = index_crop(grain, (300.3, 300.4), (0.0, -1.0), height_px)
    shares = 46.0 / height_px
    assert crop.std() / crop.mean() < 1.2 * shares * grain.std() / grain.mean()


def test_one_corner_is_enough(reader: CardReader, table_of: TableOf) -> None:
    table = table_of([DrawnCard("9S", (500, 500), 170, 0.2), DrawnCard("QH", (575, 580), 170, 0.25)])
    shown = [sum(i.visible > 0.9 for i in c.indices) for c in table.cards]
    assert shown == [1, 2]
    assert names(reader.read(table.image)) == {"9S", "QH"}


def test_backs_and_an_empty_table_are_no_cards(reader: CardReader, table_of: TableOf) -> None:
    sighting = reader.read(
        table_of([DrawnCard("back", (400, 400), 150, 0.1), DrawnCard("back", (420, 410), 150, 0.3)]).image
    )
    assert not sighting.cards
    assert not reader.read(table_of([]).image).cards


def test_where_it_says_an_index_is_there_is_one(reader: CardReader, table_of: TableOf) -> None:
    table = table_of(row_of(["5D", "10C"]))
    for seen in reader.read(table.image).cards:
        truth = next(c for c in table.cards if c.card == seen.card)
        assert min(np.hypot(i.at_px[0] - seen.at_px[0], i.at_px[1] - seen.at_px[1]) for i in truth.indices) < 12
        assert seen.quad_px is not None
        assert np.abs(np.array(seen.quad_px).mean(axis=0) - truth.quad_px.mean(axis=0)).max() < 15


def test_frames_together_are_at_least_as_good_as_one(reader: CardReader, table_of: TableOf) -> None:
    cards = ["7H", "8H", "9H", "6C"]
    still = table_of(row_of(cards)).image.astype(np.float32)
    rng = np.random.default_rng(2)
    frames = [np.clip(still + rng.normal(0, 6, still.shape), 0, 255).astype(np.uint8) for _ in range(3)]
    assert names(reader.joint([reader.corners(frame) for frame in frames])) == set(cards)


def test_upside_down_it_finds_the_same_corners_where_they_are(reader: CardReader, table_of: TableOf) -> None:
    image = table_of(row_of(["KH", "7C", "2S"])).image
    plain, both = reader.corners(image), reader.corners(image, both_ways=True)
    assert len(both) >= len(plain) > 0
    upside_down = [Corner(*fields) for fields in ((r.corner.at_px, r.corner.up, 0.0, 0.0) for r in both)]
    for reading in plain:
        near = [c for c in upside_down if np.hypot(*np.subtract(c.at_px, reading.corner.at_px)) < 5]
        assert near and np.dot(near[0].up, reading.corner.up) > 0.9
    assert names(reader.joint([plain, both], both_ways=1)) == {"KH", "7C", "2S"}


def test_a_corner_seen_upside_down_only_is_not_held_against_looks_the_other_way(
    reader: CardReader, table_of: TableOf
) -> None:
    image = table_of(row_of(["KH", "7C"])).image
    king = [r for r in reader.corners(image) if NAMES[int(r.likely.argmax())] == "KH"]
    only = [replace(r, corner=replace(r.corner, upside_down=True)) for r in king]
    assert names(reader.joint([[], only], both_ways=1)) == {"KH"}
    assert names(reader.joint([[], king])) == set()


def test_a_corner_found_twice_in_one_look_is_no_surer(reader: CardReader, table_of: TableOf) -> None:
    corners = reader.corners(table_of(row_of(["KH"])).image)
    hardly = [replace(r, is_index=0.7) for r in corners]
    once = reader.joint([hardly])
    for again in (0.3, 0.7):  # Nor less sure, where the second find was fainter.
        twice = reader.joint([[*hardly, *(replace(r, is_index=again) for r in corners)]])
        assert {c.confidence for c in twice.cards} == {c.confidence for c in once.cards}
        assert [d.candidates for d in twice.unsure] == [d.candidates for d in once.unsure]


def test_what_is_possible_never_hides_clear_evidence(reader: CardReader, table_of: TableOf) -> None:
    sighting = reader.read(table_of(row_of(["KS"])).image, possible=["QS", "JS", "AS"])
    assert "QS" not in names(sighting) and "KS" in names(sighting) | set(
        sighting.unsure[0].candidates if sighting.unsure else ()
    )


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (33, 20)])
def test_pictures_too_small_to_show_a_card_show_none(reader: CardReader, shape: tuple[int, ...]) -> None:
    assert not reader.read(np.full((*shape, 3), 128, np.uint8)).cards


def test_black_and_white_frames_show_none(reader: CardReader) -> None:
    for value in (0, 255):
        assert not reader.read(np.full((480, 640, 3), value, np.uint8)).cards


def test_enrolment_checks_that_all_were_seen(reader: CardReader, table_of: TableOf) -> None:
    order = proposed_order("H")[:8]
    laid = [DrawnCard(c, (180 + 240 * (k % 4), 200 + 300 * (k // 4)), 150, 0.02 * k) for k, c in enumerate(order)]
    image = table_of(laid).image
    result = enrol_picture(reader, image, order)
    assert result.deck is not None and result.deck.cards == set(order)
    missing = enrol_picture(reader, image, (*order, "9H"))
    assert missing.problem is not None and missing.deck is None
    assert str(missing.problem).startswith("cards_seen: found=8, wanted=9")
    again = EnrolledDeck.unpacked(result.deck.packed(), reader.network)
    assert names(CardReader(deck=again).read(image)) == set(order)


def test_enrolment_notices_cards_laid_in_another_order(reader: CardReader, table_of: TableOf) -> None:
    order = proposed_order("H")[:8]
    image = table_of(
        [DrawnCard(c, (180 + 240 * (k % 4), 200 + 300 * (k // 4)), 150, 0.0) for k, c in enumerate(order)]
    ).image
    swapped = enrol_picture(reader, image, (order[1], order[0], *order[2:]))
    assert swapped.problem is not None and swapped.deck is None
    assert {"found": "AH", "wanted": "2H"} in [fact.facts for fact in swapped.problem.facts["places"]]


def test_enrolment_takes_a_letter_it_misreads_for_another_as_odd_not_as_moved(
    reader: CardReader, table_of: TableOf
) -> None:
    order = proposed_order("H")[:8]
    laid = [DrawnCard(c, (180 + 240 * (k % 4), 200 + 300 * (k // 4)), 150, 0.0) for k, c in enumerate(order)]
    twins = [replace(drawn, card={"6H": "8H", "5H": "7H"}.get(drawn.card, drawn.card)) for drawn in laid]
    odd = enrol_picture(reader, table_of(twins).image, order)
    assert odd.deck is not None and odd.deck.cards == set(order)


def four_indices(deck: Deck) -> Deck:
    """The deck with an index in every corner."""
    box = deck.index
    low, high = round(box.centre_y - 0.6 * box.height), round(box.centre_y + 0.6 * box.height)
    reach = round(min(box.centre_x, 0.4 * box.height))
    left, right = round(box.centre_x), CARD_W_PX - round(box.centre_x)

    def stamped(picture: Image) -> Image:
        out = picture.copy()
        index = picture[low:high, left - reach : left + reach]
        out[low:high, right - reach : right + reach] = index
        out[CARD_H_PX - high : CARD_H_PX - low, left - reach : left + reach] = index[::-1, ::-1]
        return out

    pictures = {c: p if c == "back" or c.startswith("JOKER") else stamped(p) for c, p in deck.pictures.items()}
    return replace(deck, pictures=pictures, four_indices=True)


@pytest.mark.parametrize("gap_px", [95, *slow(120, 150)])
def test_cards_with_four_indices_are_enrolled_however_close_their_neighbours_lie(
    reader: CardReader, gap_px: int
) -> None:
    order, turns = proposed_order("S"), np.random.default_rng(4).normal(0, 0.05, 13)
    width = 130
    laid = [
        DrawnCard(c, (150 + (width + gap_px) * (k % 4), 120 + 235 * (k // 4)), width, float(turns[k]))
        for k, c in enumerate(order)
    ]
    image = draw_table(
        np.random.default_rng(1),
        four_indices(plain_deck()),
        1280,
        960,
        laid=laid,
        card_px=width,
        look=clean_look(),
        tilt_deg=3,
        clutter=False,
        hand=False,
    ).image
    result = enrol_picture(reader, image, order)
    assert result.problem is None
    assert result.deck is not None and result.deck.cards == set(order)


def _looking(likely: dict[str, float], features: tuple[float, ...]) -> IndexReading:
    spread = np.full(len(NAMES), (1 - sum(likely.values())) / len(NAMES))
    for card, share in likely.items():
        spread[PLACE[card]] += share
    return IndexReading(Corner((0.0, 0.0), (0.0, -1.0), 30.0, 1.0), spread, 0.99, np.array(features))


def drawn(cards: Sequence[Card], letters: Mapping[str, str]) -> Image:
    laid = row_of(cards)
    deck, rng = lettered_deck("lettered", letters), np.random.default_rng(1)
    return draw_table(
        rng, deck, 1280, 960, laid=laid, card_px=150, look=clean_look(), tilt_deg=5, clutter=False, hand=False,
        background=top_of(1, 1280, 960),
    ).image  # fmt: skip


def test_beside_a_dutch_king_a_v_is_the_queen_and_beside_a_french_one_the_jack(reader: CardReader) -> None:
    dutch = reader.read(drawn(["QS", "KH", "7C"], DUTCH_LETTERS))
    assert names(dutch) == {"QS", "KH", "7C"}
    french = reader.read(drawn(["JS", "KH", "7C"], FRENCH_LETTERS))
    assert names(french) == {"JS", "KH", "7C"}


@pytest.mark.parametrize(("card", "letters"), [("QS", DUTCH_LETTERS), ("JS", FRENCH_LETTERS)])
def test_where_no_other_letter_shows_a_v_is_the_jack_or_the_queen(
    reader: CardReader, card: Card, letters: Mapping[str, str]
) -> None:
    sighting = reader.read(drawn([card, "7C"], letters))
    assert names(sighting) == {"7C"}
    assert [set(u.candidates) for u in sighting.unsure] == [{"JS", "QS"}]


def test_letters_of_a_deck_are_remembered_from_picture_to_picture() -> None:
    one_deck = CardReader(one_deck=True)
    one_deck.read(drawn(["KH", "7C"], DUTCH_LETTERS))
    assert names(one_deck.read(drawn(["QS", "7C"], DUTCH_LETTERS))) == {"QS", "7C"}


def test_a_mark_that_is_half_of_each_letter_says_nothing_of_the_deck_however_often_it_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A word of a newspaper beside the cards, in picture after picture."""
    one_deck, read = CardReader(one_deck=True), CardReader._read_while_worth
    mark = replace(_looking({"JC": 0.5, "KC": 0.5}, (0.0,)), letters=Letters(french=0.24, dutch=0.36))
    monkeypatch.setattr(CardReader, "_read_while_worth", lambda *given: [*read(*given), mark])
    image = drawn(["JS", "7C"], FRENCH_LETTERS)
    for _ in range(12):
        sighting = one_deck.read(image)
    assert {"JS", "QS"} in [set(u.candidates) for u in sighting.unsure]


def test_a_v_is_both_until_the_decks_other_letters_say_which() -> None:
    alone = replace(_looking({"JS": 0.49, "QS": 0.49}, (0.0,)), letters=Letters(either=0.98))
    assert alone.meaning(0.5).likely[PLACE["JS"]] == pytest.approx(alone.meaning(0.5).likely[PLACE["QS"]])
    for jack, card in ((0.99, "JS"), (0.01, "QS")):
        assert alone.meaning(jack).likely[PLACE[card]] > 0.95
    king = replace(_looking({"KS": 0.98}, (0.0,)), letters=Letters(dutch=0.98))
    assert king.meaning(0.01) is king


def test_letters_mean_what_they_do_in_their_own_deck() -> None:
    assert [sign_of(rank, {"K": "H", "Q": "V", "J": "B"}) for rank in "KQJA"] == ["H", "V", "B", "A"]
    assert [sign_of(rank, {"K": "R", "Q": "D", "J": "V", "A": "1"}) for rank in "KQJA"] == ["R", "D", "V", "1"]
    assert [sign_of(rank, {"J": "Kn", "10": "X"}) for rank in ("J", "10", "7")] == ["J", "10", "7"]


def test_an_enrolled_deck_decides_doubts_only() -> None:
    deck = EnrolledDeck.of({"8H": [np.array([1.0, 0.0, 0.2])], "3H": [np.array([0.0, 1.0, 0.2])]}, "x")
    doubt = deck.sharpen(_looking({"8H": 0.5, "3H": 0.48}, (0.1, 1.0, 0.2)))
    assert NAMES[int(doubt.likely.argmax())] == "3H" and doubt.likely[PLACE["3H"]] > 0.97
    sure = _looking({"8H": 0.99}, (0.0, 1.0, 0.2))
    assert deck.sharpen(sure) is sure


def test_cards_not_enrolled_are_judged_by_the_network_alone() -> None:
    deck = EnrolledDeck.of({"8H": [np.array([1.0, 0.0, 0.2])], "3H": [np.array([0.0, 1.0, 0.2])]}, "x")
    before = _looking({"KS": 0.9, "8H": 0.06}, (0.1, 1.0, 0.2))
    after = deck.sharpen(before)
    assert after.likely[PLACE["KS"]] == pytest.approx(before.likely[PLACE["KS"]]) and after.is_index == before.is_index


def test_a_broken_deck_file_says_so() -> None:
    with pytest.raises(ValueError, match="deck_form"):
        EnrolledDeck.unpacked(b"PK\x03\x04 nothing", "x")


def test_a_small_file_that_unpacks_to_a_huge_one_is_no_deck() -> None:
    out = io.BytesIO()
    np.savez_compressed(out, features=np.zeros((200_000, 128), np.float16), places=np.zeros(200_000, np.int16))
    assert len(out.getvalue()) < 100_000
    with pytest.raises(GameError, match="deck_large"):
        EnrolledDeck.unpacked(out.getvalue(), "x")


def test_a_deck_learned_with_other_weights_is_not_believed() -> None:
    deck = EnrolledDeck.of({"8H": [np.array([1.0, 0.0, 0.2])]}, "other")
    with pytest.raises(ValueError, match="deck_network"):
        EnrolledDeck.unpacked(deck.packed(), "x")


def test_rows_are_read_like_a_page() -> None:
    assert in_rows([(300, 12), (100, 0), (100, 205), (200, 6)], 100) == [1, 3, 0, 2]


def test_an_index_that_was_found_lying_otherwise_is_found_anew_from_nearer(
    reader: CardReader, table_of: TableOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Print beside a small index turns what the finder makes of it."""
    image = table_of([DrawnCard("9C", (300, 300), 130, 0.3)], width=640, height=560).image
    found = [corner for corner in reader.finder.find(image) if corner.score > 0.5]
    turned = [corner.moved(0, 0, turn_rad=1.2) for corner in found]
    monkeypatch.setattr(reader.finder, "find", lambda _: turned)
    assert found and names(reader.read(image)) == {"9C"}
    for was, corner in zip(found, turned, strict=True):
        again = reader.finder.find_nearer(image, corner)
        assert again is not None and np.dot(again.up, was.up) > 0.98
    monkeypatch.setattr(reader.finder, "find_nearer", lambda *_: None)
    assert names(reader.read(image)) == set()


def test_from_nearer_nothing_is_found_where_nothing_lies(reader: CardReader) -> None:
    assert reader.finder.find_nearer(np.full((300, 300, 3), 90, np.uint8), Corner((5, 290), (0, -1), 20, 0.5)) is None
