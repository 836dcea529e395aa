"""Figures of mraha: how many turns a second the rules make, and how long a board takes to explain."""

import statistics
import time
from random import Random

from engine.referee.mraha import explain
from engine.rules.mraha import MrahaFlags, flags_from, legal_turns, options_for, start
from engine.simulate_mraha import PLANTABLE, blurred, board_of, honest_turns, plant


def bench(games: int = 20, faults: int = 20) -> dict[str, float]:
    """Turns a second; milliseconds to explain honest boards (read surely, and doubtfully) and illegal ones."""
    flags = flags_from(options_for("kiswahili", {}))
    sure, doubtful, illegal = (
        _honest_ms(flags, games, False),
        _honest_ms(flags, games, True),
        _illegal_ms(flags, faults),
    )
    return {
        "turns_per_s": round(_turns_per_s(flags, games)),
        "explanations_per_s": round(1_000 / statistics.fmean(sure)),
        "explain_ms_median": round(statistics.median(sure), 3),
        "explain_doubtful_ms_median": round(statistics.median(doubtful), 3),
        "explain_doubtful_ms_worst": round(max(doubtful), 1),
        "explain_illegal_ms_median": round(statistics.median(illegal), 1),
        "explain_illegal_ms_worst": round(max(illegal), 1),
    }


def _turns_per_s(flags: MrahaFlags, games: int) -> float:
    positions = [turn.after for game in range(games) for turn in honest_turns(Random(game), flags)]
    began = time.perf_counter()
    turns = sum(len(legal_turns(position, flags)) for position in positions)
    return turns / (time.perf_counter() - began)


def _honest_ms(flags: MrahaFlags, games: int, doubtful: bool) -> list[float]:
    took = []
    for game in range(games):
        rng, position = Random(game), start(flags)
        for turn in honest_turns(rng, flags):
            board = blurred(turn.after.sides, rng) if doubtful else board_of(turn.after.sides)
            began = time.perf_counter()
            explain(position, board, flags)
            took.append((time.perf_counter() - began) * 1_000)
            position = turn.after
    return took


def _illegal_ms(flags: MrahaFlags, faults: int) -> list[float]:
    took = []
    rng = Random(0)
    positions = [turn.after for turn in honest_turns(rng, flags) if turn.after.winner is None]
    for position in rng.sample(positions, min(faults, len(positions))):
        for rule in PLANTABLE:
            board = plant(position, flags, rule, rng)
            if board is not None:
                began = time.perf_counter()
                explain(position, board, flags)
                took.append((time.perf_counter() - began) * 1_000)
    return took
