"""Whole games drawn, read and decoded: the rules settle what the eye leaves open, and nobody honest is accused."""

import pytest

from vision.training.board_games import RULES, PlayedTable, decoded, measure
from vision.training.board_measure import measure as measure_boards


def test_a_table_shows_the_counts_it_is_given_and_is_read_the_way_it_was_drawn() -> None:
    import numpy as np

    from engine.rules.mraha import board_rows, flags_from, options_for, start

    table = PlayedTable(5, (800, 600), learn=False)
    flags = flags_from(options_for("mraha", {}))
    position = start(flags)
    assert table.put(np.array(board_rows(position)))
    told, _, looks = decoded(table, position, flags)
    assert told.verdict in ("still", "close", "turn")
    assert looks >= 1
    assert "capture_owed" in RULES


@pytest.mark.slow
def test_whole_games_are_followed_and_nobody_honest_is_accused() -> None:
    told = measure(games=3, seed=50, presets=("mraha", "kiswahili"), faults=0.1, learn=True)
    assert told.get("false alerts", 0) == 0
    assert told["boards right with the rules"] / told["turns"] > 0.9
    assert told["boards right with the rules"] > told["boards right as read"]


@pytest.mark.slow
def test_boards_never_trained_on_are_found_and_counted() -> None:
    told = measure_boards(40, 4242, mode="game", clean=True)
    assert told["found"] == told["boards"]
    assert told["mean exact"] > 0.9
    # Honest: what is claimed is what is true, and a distribution says more than a plain number.
    assert abs(told["mean claimed"] - told["mean exact"]) < 0.04
    assert told["mean log loss"] < told["mean log loss, plain number"]
