"""The demo of belote: no camera sees who takes, so the players say it by the buttons."""

from device.commands.demo import TableWithPlayers, simulated
from device.following.live import InMemory
from device.following.loop import run_through
from device.keeping.settings import Settings
from engine.match import Match
from engine.notices import ALERT


def test_belote_goes_from_the_camera_to_the_lamps() -> None:
    match = Match("belote")
    settings = Settings(language="en", game="belote", players=4, build="laptop", display="none")
    camera = simulated(match, 3, real_time=False)
    table = TableWithPlayers(InMemory(match), settings, lambda wanted: InMemory(Match("belote")))
    table.film(camera)
    run_through(camera, table, [])
    truth = Match("belote")
    for told in camera.table.truth:
        truth.add(told.event)
    assert match.view.games == truth.view.games and max(match.view.games or ()) > 80
    assert (match.view.taker, match.view.trump) == (truth.view.taker, truth.view.trump)
    assert [one.facts["rule"] for one in match.notices if one.level == ALERT] == ["not_in_pack"]
