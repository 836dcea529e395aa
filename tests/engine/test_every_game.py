"""What holds for every trick game there is, and for two that are nowhere but in one file: whist, and a plain game."""

from collections.abc import Iterator
from random import Random

import pytest

from device.following.menu import Menu
from device.following.show import Show
from device.keeping.settings import Settings
from device.outputs.display.screens import draw
from device.outputs.terminal import Screen
from engine.games import GAMES, card_tables, of_tricks
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.playing import CardsPlayed, game_of
from engine.simulate import honest_deal, plant, plantable
from tests.engine import whist
from tests.engine.table import confirming, rules, tell
from tests.sizes import slow, some

NEW = [("whist", 4), *(("plain", players) for players in range(2, 7))]
TABLES = [*NEW, *card_tables()]


@pytest.fixture(autouse=True)
def two_games_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for kind in whist.GAMES:
        monkeypatch.setitem(GAMES, kind.name, of_tricks(kind))
    yield


def alerts(notices: list[Notice]) -> list[Notice]:
    return [notice for notice in notices if notice.level == ALERT]


@pytest.mark.parametrize("deals", [4, *slow(8)])
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_honest_deals_raise_nothing_and_their_tricks_are_counted(name: str, players: int, deals: int) -> None:
    game = game_of(name, players)
    for seed in range(deals):
        match = Match(name, players)
        deal = honest_deal(game, Random(seed), seed % players)
        assert alerts(tell(match, *deal.events)) == []
        taken = [0] * game.side_count
        for seat in deal.winners:
            taken[game.sides[seat]] += 1
        assert match.view.tricks == tuple(taken)


@pytest.mark.parametrize(("name", "players"), NEW)
def test_a_new_game_scores_by_its_own_rules(name: str, players: int) -> None:
    game = game_of(name, players)
    for seed in range(8):
        match = Match(name, players)
        deal = honest_deal(game, Random(seed), seed % players)
        tell(match, *deal.events)
        taken = [sum(game.sides[seat] == side for seat in deal.winners) for side in range(game.side_count)]
        assert sum(match.view.games or ()) == (max(0, max(taken) - whist.BOOK) if name == "whist" else sum(taken))


@pytest.mark.parametrize("deals", [1, *slow(3)])
@pytest.mark.parametrize(("name", "players"), some(TABLES, 2))
def test_every_fault_it_can_show_is_named(name: str, players: int, deals: int) -> None:
    game = game_of(name, players)
    for number, rule in enumerate(plantable(game)):
        for seed in range(number, number + deals):
            match = Match(name, players)
            assert rule in rules(confirming(match, plant(rule, game, Random(seed), seed % players))), (rule, seed)


@pytest.mark.parametrize(("name", "players"), NEW)
def test_a_game_has_only_the_faults_that_its_rules_know(name: str, players: int) -> None:
    faults = plantable(game_of(name, players))
    assert "turn_up_changed" not in faults and "points_do_not_add_up" not in faults


@pytest.mark.parametrize(("name", "players"), some(TABLES, 2))
def test_a_revoke_is_proven(name: str, players: int) -> None:
    game = game_of(name, players)
    deals = (honest_deal(game, Random(seed), 0, 0.5) for seed in range(100))
    told = (tell(Match(name, players), *deal.events) for deal in deals if deal.revokes)
    assert any(notice.code == "revoke" and notice.level == ALERT for notices in told for notice in notices)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_whole_matches_are_played(name: str, players: int) -> None:
    rng = Random(5)
    table = CardsPlayed(game_of(name, players), rng)
    while not table.is_over():
        table.push(rng.choice(table.legal_moves))
    assert table.result().winner is not None


def test_the_dealers_card_is_turned_up_and_then_played_by_the_dealer() -> None:
    table = CardsPlayed(game_of("whist"), Random(1), dealer=2)
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
    for _ in menu.page.lines:
        seen.add(menu.page.lines[menu.page.chosen or 0])
        step = menu.press("A")
        assert step.menu is not None
        menu = step.menu
    assert len(seen) == len(menu.page.lines)
    assert any("House rules" in line for line in menu.page.lines) == bool(GAMES[name].options)
