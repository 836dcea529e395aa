"""A coarser eye tells of the same evening, and nobody is accused by what it tells."""

from dataclasses import replace
from functools import cache

import pytest

from engine.sightings import CardLying
from tests.sizes import some
from tools.looks_changed import CHANGES, changed
from tools.looks_file import Recorded, made_up, run

TABLES = ("triomphe-3", "pille-3", "belote-4", "turufu-2", "turufu-4")


@cache
def told(table: str) -> Recorded:
    """Made-up looks of a deal."""
    return made_up(f"{table}-made_house-10801", deals=1)


@pytest.mark.parametrize("change", CHANGES)
def test_a_deal_told_by_a_coarser_eye_is_the_same_deal(change: str) -> None:
    plain = told("pille-3")
    other = changed(plain, change, 1)
    assert other.name == f"{plain.name}+{change}1"
    assert (other.truth, len(other.looks)) == (plain.truth, len(plain.looks))
    assert [look.at_s for look in other.looks] == [look.at_s for look in plain.looks]
    assert other.looks != plain.looks


@pytest.mark.parametrize(("table", "change"), some([(table, change) for table in TABLES for change in CHANGES], 30))
def test_nobody_is_accused_by_what_a_coarser_eye_tells(table: str, change: str) -> None:
    assert run(changed(told(table), change, 2)).false_alerts == ()


@pytest.mark.slow
def test_what_is_trump_by_a_card_that_could_not_be_read_proves_no_revoke() -> None:
    """The second deal's is a ten or a jack of clubs, the ten was laid last before, and it is bought at once."""

    def ten_or_jack(lying: CardLying) -> CardLying:
        if lying.card != "10C":
            return lying
        return replace(lying, card=None, candidates=("10C", "JC"), confidence=0.95, outlined=False)

    evening = made_up("pille-3-made_wide-11208")
    looks = [
        replace(look, cards=tuple(map(ten_or_jack, look.cards))) if 44 < look.at_s < 47 else look
        for look in evening.looks
    ]
    assert run(replace(evening, looks=tuple(looks)), answer=True).false_alerts == ()


@pytest.mark.slow
def test_an_evening_that_began_badly_is_followed_again() -> None:
    """So little is told of the first deal that cards which are laid one by one look as if they were shown."""
    assert run(changed(made_up("triomphe-2-made_guests-10538"), "arms", 4)).right


@pytest.mark.slow
def test_a_turned_up_card_that_mostly_cannot_be_read_stays_what_it_was() -> None:
    assert run(changed(made_up("triomphe-3-made_house-10421"), "unread", 4)).right
