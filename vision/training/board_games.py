"""`python -m vision.training.board_games`: whole games drawn turn by turn, read, and decoded with the rules.

Says how many boards are exactly right as read, after the rules have had their say, and with the turn after, how often
something honest was called illegal, and which planted faults were named. Needs no training extra; the piles are not
those of training.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np

from engine.events import Board
from engine.referee.board import ILLEGAL, STILL, TURN, Explanation
from engine.referee.mraha import explain
from engine.rules.mraha import (
    MrahaFlags,
    MrahaPosition,
    MrahaTurn,
    board_rows,
    flags_from,
    legal_turns,
    options_for,
    start,
)
from engine.sightings import BoardSighting, best_count
from engine.simulate_mraha import plant
from vision.board.fuse import fuse
from vision.board.grid import FoundBoard
from vision.board.reader import BoardReader
from vision.synthetic.board_game import moved_pits, same_table
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import render
from vision.synthetic.board_scene import Scene, random_scene

Array = np.ndarray[Any, Any]

FULLEST = 20
"""Seeds that the pits of a table must hold: big seeds roll off a fuller pit, and no game could be shown on it."""
LOOKS = 3
"""Pictures taken of a board before it counts as too close to tell."""
MOST_WAITING = 2
"""Turns that are told together at most; after that somebody has been asked."""
MOST_TURNS = 80
"""Turns of a game that are drawn: longer ones go round in circles and add nothing."""
RULES = (
    "capture_owed",
    "single_seed_start",
    "nyumba_start",
    "back_row_start",
    "stopped_short",
    "dropped_wrong",
    "took_what_it_may_not",
    "hand_not_used",
    "opponents_turn",
    "played_twice",
    "moved_opponents_seeds",
    "seeds_missing",
    "seeds_added",
    "too_many_to_capture",
    "blocked_pit",
)


class PlayedTable:
    """A drawn table, the reader that watches it, and which way round it found the board."""

    def __init__(self, seed: int, size: tuple[int, int], learn: bool) -> None:
        self.library = Library.load()
        self.rng = np.random.default_rng(seed)
        self.reader = BoardReader()
        self.scene = self._scene(size)
        first = render(self.scene)
        found = self.reader.find(first.image)
        if found is None:
            raise LookupError(f"table {seed}: the board was not found")
        self.found: FoundBoard = found
        self.image = first.image
        if learn:
            self.reader.learn(first.image, first.counts.tolist(), found)
        near = np.hypot(*(first.centres[0, 0] - found.centres[0, 0])) < found.pitch_px
        self.turned = not near

    def _scene(self, size: tuple[int, int]) -> Scene:
        while True:
            scene = random_scene(self.rng, self.library, (4, 8), size, "start", clean=True)
            if self.holds(scene, FULLEST):
                return scene

    def holds(self, scene: Scene, seeds: int) -> bool:
        """Whether the pits of this scene hold so many seeds."""
        full = same_table(scene, self.library, np.full((4, 8), seeds), np.random.default_rng(0))
        return bool((full.counts == seeds).all())

    def put(self, counts: Array) -> bool:
        """Lays the seeds so; False when a pit cannot hold them."""
        scene = moved_pits(self.scene, self.library, self.scene.seeds, counts, self.rng)
        if not (scene.counts == counts).all():
            return False
        self.scene = scene
        return True

    def look(self, frame: int = 0) -> BoardSighting:
        """One picture, read; rows as they were drawn."""
        self.image = render(replace(self.scene, frame=frame)).image
        sighting = self.reader.count(self.image, self.found, look_outside=False)
        if not self.turned:
            return sighting
        return replace(sighting, pits=tuple(row[::-1] for row in sighting.pits[::-1]))

    def settled(self, counts: Array) -> None:
        """What was seen last is known: the reader may remember it."""
        rows = counts if not self.turned else counts[::-1, ::-1]
        self.reader.remember(self.image, self.found, rows.tolist())


def board_event(sighting: BoardSighting) -> Board:
    """What the referee is told."""
    return Board(likelihood=sighting.pits)


def likeliest(sighting: BoardSighting) -> list[list[int]]:
    """Plain numbers."""
    return [[best_count(pit) if pit else -1 for pit in row] for row in sighting.pits]


def decoded(table: PlayedTable, position: MrahaPosition, flags: MrahaFlags) -> tuple[Explanation, BoardSighting, int]:
    """Looks until the rules can tell, or LOOKS times: the account, the first sighting, how many looks."""
    sightings: list[BoardSighting] = []
    for frame in range(LOOKS):
        sightings.append(table.look(frame))
        told = explain(position, board_event(fuse(sightings)), flags)
        if told.verdict in (STILL, TURN):
            break
    return told, sightings[0], len(sightings)


def play_game(table: PlayedTable, preset: str, seed: int, tally: Counter[str], wrong: list[str], faults: float) -> None:
    """One game of random legal turns; `faults` is how often a fault is planted beside the turn."""
    flags = flags_from(options_for(preset, {}))
    rng = Random(seed)
    position = start(flags)
    waiting: list[MrahaTurn] = []
    """Turns since the position, the last of which is shown; more than one: an earlier one was too close to tell."""
    for _ in range(MOST_TURNS):
        now = waiting[-1].after if waiting else position
        if now.winner is not None:
            return
        if not waiting and rng.random() < faults:
            _try_fault(table, position, flags, rng, tally, wrong)
        turn = rng.choice(list(legal_turns(now, flags).values()))
        rows = np.array(board_rows(turn.after))
        if not table.put(rows):
            tally["turns left out: a pit too full for its seeds"] += 1
            return
        waiting.append(turn)
        told, first, looks = decoded(table, position, flags)
        tally["turns"] += 1
        tally["pits"] += rows.size
        tally["pits right as read"] += int((np.array(likeliest(first)) == rows).sum())
        tally["boards right as read"] += likeliest(first) == rows.tolist()
        tally["looks"] += looks
        after = [turn.after.sides for turn in told.turns] if told.verdict == TURN else [position.sides]
        if told.verdict in (STILL, TURN) and after == [turn.after.sides for turn in waiting]:
            tally["boards right with the rules"] += 1
            tally["boards right a turn later"] += len(waiting) - 1
            table.settled(rows)
        elif told.verdict == ILLEGAL:
            tally["false alerts"] += 1
            wrong.append(f"{preset} {seed}: {turn.key} called {told.name} ({told.share:.4f})")
        elif told.verdict == TURN:
            tally["another turn taken"] += 1
            wrong.append(f"{preset} {seed}: {turn.key} taken for {told.name} ({told.share:.4f})")
        else:
            tally[f"not told: {told.verdict}"] += 1
            if len(waiting) < MOST_WAITING:
                continue  # The next turn is played from there, and may tell of both.
        position, waiting = turn.after, []


def _try_fault(
    table: PlayedTable, position: MrahaPosition, flags: MrahaFlags, rng: Random, tally: Counter[str], wrong: list[str]
) -> None:
    """Shows a board that breaks a rule, then puts things back."""
    rule = rng.choice(RULES)
    planted = plant(position, flags, rule, rng)
    if planted is None or planted.pits is None:
        return
    before = table.scene
    if table.put(np.array(planted.pits)):
        told, _, _ = decoded(table, position, flags)
        tally["faults planted"] += 1
        if told.verdict == ILLEGAL and told.name == rule:
            tally["faults named"] += 1
        elif told.verdict == ILLEGAL:
            tally["faults named otherwise"] += 1
            wrong.append(f"planted {rule}, named {told.name} ({told.share:.4f})")
        elif told.verdict in (TURN, STILL):
            tally["faults taken for honest"] += 1
            wrong.append(f"planted {rule}, taken for {told.name} ({told.share:.4f})")
        else:
            tally[f"faults not told: {told.verdict}"] += 1
            wrong.append(
                f"planted {rule}, {told.verdict}: {', '.join(explanation.name for explanation in told.choices)}"
            )
    table.scene = before


def measure(
    games: int, seed: int, presets: Sequence[str], faults: float, learn: bool, size: tuple[int, int] = (960, 720)
) -> dict[str, Any]:
    """Plays games on as many tables and adds everything up."""
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(games):
        try:
            table = PlayedTable(seed + number, size, learn)
        except LookupError as problem:
            tally["tables not found"] += 1
            wrong.append(str(problem))
            continue
        for preset in presets:
            play_game(table, preset, seed + number, tally, wrong, faults)
    return {**dict(sorted(tally.items())), "wrong": wrong}


def main() -> None:
    """Prints the figures as JSON."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--games", type=int, default=3, help="tables; one game of each preset on each")
    ap.add_argument("--seed", type=int, default=5)
    ap.add_argument("--preset", choices=["mraha", "kiswahili"])
    ap.add_argument("--faults", type=float, default=0.15, help="planted faults a turn")
    ap.add_argument("--learn", action="store_true", help="learn from the start position first")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    presets = [a.preset] if a.preset else ["mraha", "kiswahili"]
    print(json.dumps(measure(a.games, a.seed, presets, a.faults, a.learn), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
