"""A deal whose turned-up card could not be read: it is played with trump open, and told better once it is read."""

from dataclasses import replace
from random import Random

import pytest

from engine.events import Correct, Deal, Pillage, Play
from engine.match import Match
from engine.notices import ALERT
from engine.simulate import honest_deal
from tests.engine.test_cards_table import Table, judge_of

FIRST = (("KS", (0.0, 0.2), 0), ("3S", (-0.3, 0.0), 90), ("4S", (0.0, -0.2), 180), ("5S", (0.3, 0.0), 270))
SECOND = (("3D", (0.0, 0.2), 0), ("4D", (-0.3, 0.0), 90), ("5D", (0.0, -0.2), 180), ("6D", (0.3, 0.0), 270))


def played_without() -> Table:
    """The first trick of a deal whose turned-up card nobody read, gathered by the first seat."""
    table = Table()
    table.rest()
    table.rest(*(table.hand(angle) for angle in (0, 90, 180, 270)))
    for card, at, angle in FIRST:
        table.put(card, at, angle)
    assert table.match.log == [], "it may still be read, or the first card be it"
    table.cards = {}
    table.rest(table.hand(0), packets=((0.0, 0.9),))
    return table


def test_play_is_told_though_the_turned_up_card_is_never_read() -> None:
    table = played_without()
    for card, at, angle in SECOND:
        table.put(card, at, angle)
    assert table.match.log[0] == Deal(None)
    assert table.trick == [(0, "3D"), (1, "4D"), (2, "5D"), (3, "6D")]
    assert (table.match.view.trick_number, table.match.view.trump) == (2, None)
    assert all(notice.level != ALERT for notice in table.said)


def test_the_trump_is_told_once_it_is_read() -> None:
    table = played_without()
    table.cards["7H"] = (-0.65, -0.2)
    table.rest(table.hand(45, (-0.6, 0.6)))
    for card, at, angle in SECOND:
        table.put(card, at, angle)
    assert Correct(1, {"turn_up": "7H"}) in table.match.log
    assert table.match.view.trump == "H"
    assert sum(isinstance(told.event, Deal) for told in table.match.told) == 1
    assert sum(isinstance(told.event, Play) for told in table.match.told) == 8
    assert all(notice.level != ALERT for notice in table.said)


@pytest.mark.parametrize("game, players", [("turufu", 2), ("turufu", 4), ("triomphe", 4), ("pille", 3)])
def test_an_honest_deal_with_trump_open_accuses_nobody_and_is_scored_once_it_is_known(game: str, players: int) -> None:
    for seed in range(3):
        match, open_match = Match(game, players), Match(game, players)
        events = honest_deal(judge_of(match).game, Random(seed), 0).events
        said = []
        for event in events:
            match.add(event)
            said += open_match.add(replace(event, turn_up=None) if isinstance(event, Deal) else event)
        assert not [notice for notice in said if notice.level == ALERT]
        if not any(isinstance(event, Pillage) for event in events):
            assert open_match.view.games == Match(game, players).view.games, "not scored yet"
        open_match.add(Correct(1, {"turn_up": events[0].turn_up}))  # type: ignore[union-attr]
        assert open_match.view.games == match.view.games


def test_what_is_pillaged_unread_was_the_trump() -> None:
    match = Match("pille", 3)
    match.add({"event": "deal", "turn_up": None, "dealer": 0})
    assert not [notice for notice in match.add({"event": "pillage", "seat": 1, "card": "7C"}) if notice.level == ALERT]
    assert match.view.trump == "C"
