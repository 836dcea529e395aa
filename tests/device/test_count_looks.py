"""What is counted of looks is what was put into them."""

from pathlib import Path

import pytest

from engine.sightings import CardLying, Glance, Hand, TableLook
from tools.count_looks import Counts, count, lines, seen_of
from tools.looks_file import Recorded, made_up, read_looks, write_looks


def one_card(*looks: TableLook, shows: int = 2) -> Recorded:
    """A card played by seat 1 (from the left) at 5 s, that lies in the middle until it is swept up at 10 s."""
    truth = {
        "events": [],
        "alerts": [],
        "happened": [
            {"at_s": 5.0, "event": "play", "seat": 1, "card": "7H"},
            {"at_s": 11.3, "event": "taken", "seat": 1},
        ],
        "lies": [{"at_s": 0.0, "cards": []}, {"at_s": 5.0, "cards": [["7H", 0.0, 0.0, "trick", shows]]}],
    }
    return Recorded("made", "turufu", 4, looks, truth)


LAID = Hand(95.0, (0.0, 0.1), 4.5, 5.6)


def look(at_s: float, *cards: CardLying, fresh: bool = True, hands: tuple[Hand, ...] = ()) -> TableLook:
    return TableLook(at_s, cards, hands, card_length=0.3, fresh=fresh)


def test_a_card_seen_in_a_glance_was_first_named_there() -> None:
    glance = Glance(5.4, (CardLying("7H", 0.99, (0.0, 0.0)),), (LAID,))
    after = TableLook(6.0, (CardLying("7H", 0.99, (0.0, 0.02)),), (LAID,), card_length=0.3, glances=(glance,))
    (seen,) = seen_of(one_card(after))
    assert (seen.first_s, seen.in_glance) == (pytest.approx(0.4), True)
    assert (seen.looks, seen.named) == (1, 1)
    assert seen.jump == pytest.approx(0.02 / 0.3)
    assert seen.hand_off_deg == pytest.approx(5.0)


def test_a_card_never_seen_and_a_hand_that_is_missing_are_counted() -> None:
    counts = Counts()
    count(one_card(look(6.0)), counts)
    assert counts.of["play never named"] == counts.of["play without a hand"] == 1
    assert counts.of["open: missed"] == counts.of["open"] == 1


def test_how_a_card_was_read_is_counted_by_how_much_of_it_shows() -> None:
    counts = Counts()
    doubt = CardLying(None, 0.0, (0.01, 0.0), ("7D", "7H"))
    other = CardLying("7D", 0.97, (0.01, 0.0))
    count(one_card(look(6.0, doubt), look(6.2, doubt, fresh=False), look(7.0, other), shows=1), counts)
    assert counts.of["one index: unsure, the truth among the candidates"] == 2
    assert counts.of["one index: named another"] == 1
    assert counts.of["again: one index: unsure, the truth among the candidates and so again"] == 1
    assert counts.of["named and not there at all"] == 1


def test_a_hand_that_came_when_nothing_happened_did_nothing() -> None:
    counts = Counts()
    count(one_card(look(8.5, hands=(Hand(0.0, (0.0, 0.0), 7.5, 8.0), LAID))), counts)
    assert (counts.of["hands"], counts.of["hands that did nothing"]) == (2, 1)
    assert counts.of["nearest seat is so many beside the right one: 0"] == 1


def test_an_evening_can_be_counted_from_its_file(tmp_path: Path) -> None:
    into = tmp_path / "evening.jsonl"
    write_looks(made_up("turufu-4-made_wide-3", deals=1), into)
    counts = Counts()
    count(read_looks(into), counts)
    told = "\n".join(lines(counts))
    assert counts.of["plays"] == 36
    assert "play first named in a glance" in told
