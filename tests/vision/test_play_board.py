"""The simulated mraha board: it shows each board it is given, with a hand that carries the seeds in between."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import islice
from random import Random

import numpy as np
import pytest

from engine.events import Board
from engine.sightings import best_count
from engine.simulate_mraha import honest_game
from tests.sizes import slow
from vision.board.reader import BoardReader
from vision.frame import Frame
from vision.synthetic.play_board import Array, BoardMess, DrawnBoardTable

SMALL = (320, 240)


@pytest.fixture(scope="module")
def game() -> list[Board]:
    return list(islice(honest_game(Random(1)), 1, 5))


def played(table: DrawnBoardTable, boards: list[Board]) -> list[Frame]:
    return list(table.play(boards))


def still_frames(table: DrawnBoardTable, boards: list[Board]) -> Iterator[tuple[Frame, Board]]:
    """One frame of each board at rest, and the board."""
    known = 0
    for frame in table.play(boards):
        if len(table.truth) > known and frame.at_s > table.truth[-1].clear_s:
            known = len(table.truth)
            told = table.truth[-1].event
            assert isinstance(told, Board)
            yield frame, told


def test_the_truth_is_each_board_once_the_hand_is_away(game: list[Board]) -> None:
    table = DrawnBoardTable(1, SMALL, fps=2.0)
    table.skip_until_s = float("inf")
    assert not played(table, game)
    assert [told.event for told in table.truth] == game
    times = [told.at_s for told in table.truth]
    assert times == sorted(times)
    assert len(set(times)) == len(times)


def test_while_a_hand_sows_there_are_fewer_seeds_on_the_board(game: list[Board]) -> None:
    table = DrawnBoardTable(1, SMALL, fps=5.0)
    table.skip_until_s = float("inf")
    list(table.play(game[:1]))
    totals: list[int] = []
    laid = table._put

    def counted(pits: Iterable[int], counts: Array) -> None:
        laid(pits, counts)
        totals.append(int(table._counts.sum()))

    table._put = counted  # type: ignore[method-assign]
    list(table.play(game[1:2]))
    assert game[1].pits is not None
    after = sum(seeds or 0 for row in game[1].pits for seeds in row)
    assert min(totals) < after - 1
    assert totals[-1] == after


@pytest.fixture(scope="module")
def calm(game: list[Board]) -> list[Frame]:
    return played(DrawnBoardTable(2, SMALL, fps=1.0), game[:2])


@pytest.mark.parametrize("mess", slow(*(field.name for field in fields(BoardMess))))
def test_no_mess_alone_changes_what_the_boards_were(mess: str, game: list[Board], calm: list[Frame]) -> None:
    table = DrawnBoardTable(2, SMALL, BoardMess(**{mess: 1.0}), fps=1.0)
    frames = played(table, game[:2])
    assert [told.event for told in table.truth] == game[:2]
    assert len(frames) != len(calm) or any(
        not np.array_equal(a.image, b.image) for a, b in zip(frames, calm, strict=True)
    )


def test_a_board_that_its_pits_cannot_hold_is_known_beforehand() -> None:
    table = DrawnBoardTable(1, SMALL)
    assert table.holds(Board(pits=((20,) * 8,) * 4))
    assert not table.holds(Board(pits=((60,) * 8,) * 4))


@pytest.mark.slow
def test_the_real_reader_finds_the_board_and_counts_its_small_piles(game: list[Board]) -> None:
    table, reader = DrawnBoardTable(3, (960, 720), fps=2.0), BoardReader()
    found, right, small = None, 0, 0
    for frame, board in still_frames(table, game):
        found = found or reader.find(frame.image)
        assert found is not None
        assert found.sure
        read = [[best_count(pit) if pit else -1 for pit in row] for row in reader.count(frame.image, found).pits]
        either_way = [np.array(read), np.array(read)[::-1, ::-1]]
        true = np.array(board.pits)
        counts = min(either_way, key=lambda picture: int(np.abs(picture - true).sum()))
        few = true <= 2
        right, small = right + int((counts == true)[few].sum()), small + int(few.sum())
    assert small > 100
    assert right >= 0.97 * small
