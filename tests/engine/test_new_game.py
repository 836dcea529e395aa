"""A new trick game is one file and one line: whist, and a game without trump, turn-up or options for 2 to 6."""

from collections.abc import Iterator
from random import Random

import pytest

from device.following.menu import Menu
from device.following.show import Show
from device.keeping.settings import Settings
from device.outputs.display.screens import draw
from device.outputs.terminal import Screen
from engine.games import GAMES, of_tricks
from engine.match import Match
from engine.playing import CardTable, game_of
from engine.simulate import honest_deal, plant, plantable
from tests.engine.table import alarms, rules, tell
from tests.engine.whist import plain, whist

TABLES = [("whist", 4), *(("plain", players) for players in range(2, 7))]


@pytest.fixture(autouse=True)
def two_games_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(GAMES, "whist", of_tricks("whist", 4, (), whist))
    monkeypatch.setitem(GAMES, "plain", of_tricks("plain", 3, (), plain))
    yield


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_honest_deals_raise_nothing_and_score(name: str, players: int) -> None:
    game = game_of(name, players)
    for seed in range(12):
        match = Match(name, players)
        deal = honest_deal(game, Random(seed), seed % players)
        assert alarms(tell(match, *deal.events)) == []
        taken = [0] * game.side_count
        for seat in deal.winners:
            taken[game.sides[seat]] += 1
        assert match.view.tricks == tuple(taken)
        assert sum(match.view.games or ()) == (max(0, max(taken) - 6) if name == "whist" else sum(taken))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_fault_it_can_show_is_named(name: str, players: int) -> None:
    game = game_of(name, players)
    faults = plantable(game)
    assert "turn_up_changed" not in faults and "points_do_not_add_up" not in faults
    for rule in faults:
        for seed in range(3):
            match = Match(name, players)
            assert rule in rules(tell(match, *plant(rule, game, Random(seed), seed % players))), (rule, seed)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_revoke_is_proven(name: str, players: int) -> None:
    game = game_of(name, players)
    deal = next(one for seed in range(50) if (one := honest_deal(game, Random(seed), 0, 0.3)).revokes)
    told = tell(Match(name, players), *deal.events)
    assert any(one.code == "revoke" for one in told)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_whole_matches_are_played(name: str, players: int) -> None:
    rng = Random(5)
    table = CardTable(game_of(name, players), rng)
    while not table.is_over():
        table.push(rng.choice(table.legal_moves))
    assert table.result().winner is not None


def test_the_dealers_card_is_turned_up_and_then_played_by_the_dealer() -> None:
    table = CardTable(game_of("whist"), Random(1), dealer=2)
    assert table.turn_up in table.hands[2]
    match = Match("whist")
    match.add({"event": "deal", "dealer": 2, "turn_up": table.turn_up})
    assert (match.view.trump, match.view.turn_up, match.view.stock) == (table.trump, table.turn_up, None)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_displays_and_the_menu_take_it(name: str, players: int) -> None:
    settings = Settings(language="en", game=name, players=players)
    match = Match(name, players)
    events = honest_deal(game_of(name, players), Random(3), 0).events
    for event in events:
        match.add(event)
        if match.view.phase != "play" or len(match.view.trick or ()) == 1:
            show = Show(match.view.to_dict(), "en")
            assert Screen("en", colour=False).draw(show)
    for size, colour in (((320, 240), True), ((128, 64), False)):
        draw(show, size, colour)
    menu = Menu.open(settings, match.view.to_dict())
    seen = set()
    for _ in range(12):
        seen.add(menu.page.lines[menu.page.chosen or 0])
        step = menu.press("A")
        assert step.menu is not None
        menu = step.menu
    assert len(seen) == len(menu.page.lines)
    assert not any("House rules" in line for line in menu.page.lines)
