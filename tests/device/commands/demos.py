"""A demo that is played through: drawn, read, judged, its players saying what no camera sees."""

from typing import Any

from device.commands.demo import TableWithPlayers, simulated
from device.following.keeper import InMemory
from device.following.loop import run_through
from device.keeping.settings import Settings
from engine.match import Match


def played(game: str, players: int, seed: int, **options: Any) -> tuple[Match, Match]:
    """The match as it was followed, and as it truly was."""
    match, truth = Match(game, options=options), Match(game)
    settings = Settings(language="en", game=game, players=players, build="laptop", display="none")
    camera = simulated(match, seed, real_time=False)
    table = TableWithPlayers(InMemory(match), settings, lambda wanted: InMemory(Match(game)))
    table.film(camera)
    run_through(camera, table, [])
    for told in camera.table.truth:
        truth.add(told.event)
    return match, truth
