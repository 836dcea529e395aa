"""The demo: a simulated table, filmed, followed and shown by the same path as on the device; one move is illegal."""

import sys
from collections.abc import Sequence
from random import Random

from device import words
from device.cameras import Camera
from device.cameras.simulated import SimulatedCamera
from device.follow import Seen
from device.live import InMemory, LiveTable
from device.loop import StopOnSignals, run, run_through
from device.settings import Settings
from device.terminal import TerminalOutput
from engine.events import Event
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import plant
from vision.frame import Frame

SIZE = (960, 720)
"""Of the demo's pictures: a Pi reads them in time too."""
FAULT = "wrong_leader"
"""The illegal move: everybody sees it, and it is soon made good."""


def play(game: str, players: int | None, seed: int, fast: bool, language: str) -> int:
    """Plays one deal, or the beginning of a game on a board. OptionError: no such table."""
    match = Match(game, players, {"show_counts": "yes"} if game == "mraha" else None)
    settings = Settings(language=language, game=game, players=match.header.players, build="laptop", display="none")
    terminal = TerminalOutput(language)
    camera = simulated(match, seed, real_time=not fast)

    def watch(frame: Frame, seen: Seen) -> None:
        terminal.watch(frame, seen)

    table = LiveTable(InMemory(match), settings, begin=lambda _: InMemory(match), watch=watch)
    if fast:
        run_through(camera, table, [terminal])
        status = 0
    else:
        status = run(lambda: camera, table, [terminal], StopOnSignals())
    terminal.close()
    if not sys.stdout.isatty():
        print("\n".join(terminal.lines(table.show)).rstrip())
    print("\n" + words.table(language)["screen"]["go_on"])
    return status


def simulated(match: Match, seed: int, real_time: bool) -> Camera:
    """A camera over a table that plays this match, with one illegal move in it."""
    assert isinstance(match.judge, CardJudge)
    from vision.synthetic.play_cards import CardTable

    game, rng = match.judge.game, Random(seed)
    table = CardTable(game, seed, SIZE, fast=not real_time)
    return SimulatedCamera(table, one_deal(match.judge, rng), real_time)


def one_deal(judge: CardJudge, rng: Random) -> Sequence[Event]:
    """A deal with a lead by the wrong seat in it, taken back."""
    dealer = rng.randrange(judge.game.players)
    return plant(FAULT, judge.game, rng, dealer)[:-1]
