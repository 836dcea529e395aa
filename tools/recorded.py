"""Records a simulated game through the live path; the one the tests keep: python -m tools.recorded FOLDER"""

import sys
from itertools import islice
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np

from device.following import recording
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.following.recording import Recorder
from device.keeping.settings import Settings
from engine.events import Taken
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.referee.mraha import MrahaJudge
from engine.simulate import honest_deal
from engine.simulate_mraha import board_of, honest_turns
from vision.synthetic.play_board import CALM_BOARD, DrawnBoardTable
from vision.synthetic.play_cards import DrawnCardTable

SIZE, SMALLEST = (640, 480), (480, 360)
QUALITY = 60
"""Of the pictures kept with the tests: they are read at it as they are whole, at a fifth of the size."""


def record_tricks(
    folder: Path, tricks: int, plain: bool = False, size: tuple[int, int] = SIZE, undo_at: int = 0
) -> Match:
    """The first tricks of a deal between two, played, followed and recorded. plain: a table top without grain.

    undo_at: so many events in, a button takes the last one back.
    """
    match = Match("turufu", 2)
    assert isinstance(match.judge, CardJudge)
    events = honest_deal(match.judge.game, Random(1), 0).events
    ends = [number for number, event in enumerate(events) if isinstance(event, Taken)]
    table = DrawnCardTable(match.judge.game, 1, size)
    if plain:
        table.stage.paint(np.full((size[1], size[0], 3), (60, 90, 40), np.uint8))
    recorder = Recorder(folder, match, {"seat_zero": "bottom"})
    settings = Settings(game="turufu", players=2, build="laptop", display="none")
    live = LiveTable(InMemory(match), settings, begin=lambda _: InMemory(match), watch=recorder.watch)
    for frame in table.play(events[: ends[tricks - 1] + 1]):
        live.see(frame)
        if undo_at and len(match.log) == undo_at:
            live.press(Press("B", long=True))
    recorder.close()
    return match


def record_turns(folder: Path, turns: int) -> Match:
    """The first turns of a game of mraha, from the start set out, played, followed and recorded."""
    match = Match("mraha")
    assert isinstance(match.judge, MrahaJudge)
    played = islice(honest_turns(Random(3), match.judge.flags), turns)
    boards = [board_of(match.judge.opening.sides), *(board_of(turn.after.sides) for turn in played)]
    recorder = Recorder(folder, match, {"seat_zero": "bottom"})
    settings = Settings(game="mraha", players=2, build="laptop", display="none")
    live = LiveTable(InMemory(match), settings, begin=lambda _: InMemory(match), watch=recorder.watch)
    for frame in DrawnBoardTable(4, SIZE, CALM_BOARD).play(boards):
        live.see(frame)
    recorder.close()
    return match


if __name__ == "__main__":
    with (
        patch.object(recording, "WHOLE_QUALITY", QUALITY),
        patch("vision.synthetic.play_render.GRAIN", 0.5),
    ):
        print(record_tricks(Path(sys.argv[1]), tricks=1, plain=True, size=SMALLEST).log)
