"""Drawn tables tell the truth about themselves."""

import numpy as np

from engine.cards import FULL_PACK, JOKER
from vision.synthetic.cards_tables import DrawnCard, clean_look, draw_table, index_polygons, quad_of
from vision.synthetic.deck_glyphs import crossed, drawn_sign
from vision.synthetic.decks import plain_deck


def test_our_own_deck_has_every_card_a_joker_and_a_back() -> None:
    deck = plain_deck()
    assert set(deck.pictures) == {*FULL_PACK, JOKER, "back"}
    assert len({p.tobytes() for p in deck.pictures.values()}) == 54


def test_the_same_seed_draws_the_same_table() -> None:
    first, second = (draw_table(np.random.default_rng(5), plain_deck(), 320, 240) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert [c.card for c in first.cards] == [c.card for c in second.cards]


def test_a_covered_index_is_known_to_be_covered() -> None:
    deck = plain_deck()
    laid = [DrawnCard("AS", (200, 200), 120, 0.0), DrawnCard("KD", (200, 200), 140, 0.0)]
    table = draw_table(
        np.random.default_rng(1), deck, 400, 400, laid=laid, look=clean_look(), tilt_deg=0, clutter=False, hand=False
    )
    under, over = table.cards
    assert max(i.visible for i in under.indices) == 0
    assert min(i.visible for i in over.indices) > 0.9


def test_indices_lie_point_symmetric_and_look_outwards() -> None:
    quad = quad_of(DrawnCard("7C", (0, 0), 100, 0.7), np.eye(3))
    a, b = (p.mean(axis=0) for p in index_polygons(plain_deck(), "7C", quad))
    assert np.allclose(a, -b, atol=0.01)


def test_a_card_is_never_mirrored() -> None:
    quad = quad_of(DrawnCard("7C", (0, 0), 100, 2.0), np.eye(3))
    edge_a, edge_b = quad[1] - quad[0], quad[3] - quad[0]
    assert edge_a[0] * edge_b[1] - edge_a[1] * edge_b[0] > 0


def test_a_crossed_seven_has_a_bar_that_a_plain_one_lacks() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        plain = np.pad(drawn_sign(np.random.default_rng([seed, 1]), "7", 0.1), 2)
        barred = crossed(rng, plain)
        assert (barred > 128).sum() > (plain > 128).sum()


def test_ones_and_fours_are_drawn_in_several_ways() -> None:
    for sign in ("1", "4", "7"):
        shapes = {drawn_sign(np.random.default_rng(seed), sign, 0.1).tobytes() for seed in range(8)}
        assert len(shapes) == 8
