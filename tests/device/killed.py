"""A simulated match played by a process of its own that can be killed at any instant and started again."""

import os
import struct
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from device.keeping.journal import MatchRecord, resume
from engine.events import Event, Play, Undo
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match

NUMBER = struct.Struct("<I")


def new_match() -> Match:
    return Match("turufu", 4, seats=("Zaïna", "Ali", "Fatima", "Saïd"))


def events(seed: int, deals: int) -> list[Event]:
    """Some deals, where now and then a card is taken back by a button and played again."""
    match = new_match()
    assert isinstance(match.judge, CardJudge)
    rng = Random(seed)
    out: list[Event] = []
    for event in honest_match(match.judge.game, rng, deals):
        out += [event, Undo(), event] if isinstance(event, Play) and rng.random() < 0.1 else [event]
    return out


def play(folder: Path, seed: int, deals: int, shown: Connection) -> None:
    """Plays on from wherever the journal ends. After each event its number goes down the pipe: that is showing it."""
    record = resume(folder).record or MatchRecord.begin(folder, new_match())
    for event in events(seed, deals)[len(record.match.log) :]:
        record.add(event)
        if record.trouble is not None:
            sys.exit(record.trouble)  # From here on nothing is promised, and the device says so.
        os.write(shown.fileno(), NUMBER.pack(len(record.match.log)))
    record.close()
