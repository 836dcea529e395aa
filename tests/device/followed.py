"""A simulated table followed in a process of its own, that can be killed at any frame and started again over it."""

import os
import struct
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from device.following.live import LiveTable
from device.keeping.journal import MatchRecord, resume
from device.keeping.settings import Settings
from engine.events import Event
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match
from vision.frame import Frame
from vision.synthetic.play_cards import DrawnCardTable

SHOWN = struct.Struct("<II")
"""A frame's number, and how many events the match had when it was shown."""
SIZE = (640, 480)
SETTINGS = Settings(language="en", game="turufu", players=2, build="laptop", display="none")


def game(seed: int, deals: int) -> list[Event]:
    """What is played on the table."""
    judge = Match(SETTINGS.game, SETTINGS.players).judge
    assert isinstance(judge, CardJudge)
    return honest_match(judge.game, Random(seed), deals)


def table_of(seed: int) -> DrawnCardTable:
    judge = Match(SETTINGS.game, SETTINGS.players).judge
    assert isinstance(judge, CardJudge)
    return DrawnCardTable(judge.game, seed, SIZE)


def begin(folder: Path) -> Callable[[Settings], MatchRecord]:
    return lambda settings: MatchRecord.begin(folder, Match(settings.game, settings.players))


def follow(folder: Path, seed: int, events: int, first: int, shown: Connection) -> None:
    """Follows the table from its frame `first` on. After each frame what is shown goes down the pipe."""
    kept = resume(folder).record or begin(folder)(SETTINGS)
    live = LiveTable(kept, SETTINGS, begin(folder))
    table = table_of(seed)
    table.skip_until_s = first / table.stage.fps
    for frame in table.play(game(seed, 3)[:events]):
        live.see(frame)
        os.write(shown.fileno(), SHOWN.pack(number_of(frame, table), len(live.match.log)))
    live.close()


def number_of(frame: Frame, table: DrawnCardTable) -> int:
    return round(frame.at_s * table.stage.fps)
