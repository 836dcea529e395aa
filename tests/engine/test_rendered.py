"""Nobody innocent is accused by what a film of still periods shows, however badly it is seen (rendered_camera.py)."""

from random import Random
from typing import Any

import pytest

from engine.match import Match
from engine.notices import ALERT
from tests.engine.rendered_camera import Noise, dealt, seen_badly
from tests.engine.test_unseen import TABLES, accused, added, opened
from tests.sizes import slow

ALL: list[tuple[str, int, dict[str, Any]]] = [*TABLES, ("sueca", 4, {})]


def honest_films(table: tuple[str, int, dict[str, Any]], seeds: range) -> None:
    for seed in seeds:
        match, game = opened(*table)
        rng = Random(f"film {table} {seed}")
        noise = Noise.any(rng)
        assert accused(added(match, seen_badly(game, rng, 3, noise))) == [], (table, seed, noise)


@pytest.mark.parametrize("films", [1, *slow(4)])
@pytest.mark.parametrize("table", ALL, ids=str)
def test_a_film_seen_badly_accuses_nobody(table: tuple[str, int, dict[str, Any]], films: int) -> None:
    honest_films(table, range(films))


@pytest.mark.slow
@pytest.mark.parametrize("table", ALL, ids=str)
def test_hundreds_of_films_accuse_nobody(table: tuple[str, int, dict[str, Any]]) -> None:
    honest_films(table, range(1_000, 1_400))


@pytest.mark.parametrize("table", ALL, ids=str)
def test_a_film_seen_well_is_followed_to_the_score(table: tuple[str, int, dict[str, Any]]) -> None:
    """Without noise every trick is told, and the deal is scored."""
    _, game = opened(*table)
    for seed in range(3):
        match = Match(*table)
        notices = added(match, seen_badly(game, Random(seed), 1, Noise()))
        assert [notice for notice in notices if notice.level == ALERT] == []
        assert len({notice.facts["trick"] for notice in notices if notice.code == "trick"}) == game.tricks
        assert [notice.code for notice in notices if notice.code == "deal_scored"] == ["deal_scored"]


def test_a_rendered_deal_plays_every_card_once() -> None:
    _, game = opened("turufu", 4, {})
    film = dealt(game, Random(1), 0)
    laid = {lying.card for still in film.stills for lying in still.lying}
    assert len(laid) == len(game.pack) and len(film.stills) == game.tricks * (game.players + 1)
