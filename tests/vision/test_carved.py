"""Boards that another renderer carves: they show what they are asked for, and are found and followed by themselves."""

import numpy as np
import pytest

from engine.sightings import BoardSighting
from tests.sizes import slow
from tools.carved import Array, CarvedBoard
from tools.carved_found import ASKED, FOUND, laid, shown
from tools.carved_live import play
from vision.board import finder
from vision.board.reader import BoardReader


@pytest.mark.slow
def test_seeds_lie_in_their_pits_and_stay_where_no_turn_touches_them() -> None:
    board = CarvedBoard("oiled", "beans", (2, 6), 3)
    board.lay(np.full((2, 6), 4))
    before = [pit.at.copy() for pit in board.pits]
    board.lay(np.array([[4] * 6, [0, 5, 5, 5, 5, 4]]))
    assert [len(pit) for pit in board.pits] == [4] * 6 + [0, 5, 5, 5, 5, 4]
    assert all((pit.at == was).all() for pit, was in zip(board.pits[:6], before, strict=False))
    assert all(np.hypot(*pit.at[:, :2].T).max(initial=0) < board.make.radius for pit in board.pits)


@pytest.mark.parametrize(("make", "sort", "tilt_deg"), slow(("painted", "pebbles", 12), ("hinged", "pale balls", 0)))
def test_carved_boards_with_stores_are_found_in_their_place(make: str, sort: str, tilt_deg: float) -> None:
    board = CarvedBoard(make, sort, (2, 6), 1, tilt_deg, light=0.7)
    board.lay(np.full((2, 6), 4))
    picture = board.picture()
    for found in (finder.find(picture, (2, 6)), finder.find(picture, None, {(2, 6), (4, 8)})):
        assert found is not None and found.sure and found.grid == (2, 6)
        assert np.linalg.norm(found.centres - board.centres_px, axis=-1).max() < 0.2 * found.pitch_px


def test_a_pit_that_looks_otherwise_than_it_did_hardly_holds_what_it_held() -> None:
    """Each alone, a pit that lost its only seed and one that gained a seventh were read as before; both had changed."""
    board = CarvedBoard("oiled", "pebbles", (2, 6), 209)
    before = np.array([[1, 5, 5, 6, 0, 5], [1, 6, 6, 6, 1, 6]])
    after = np.array([[1, 5, 5, 6, 0, 5], [1, 6, 6, 6, 0, 7]])
    board.lay(before)
    then, reader = board.picture(1), BoardReader()
    found = reader.find(then, (2, 6))
    assert found is not None
    board.lay(after)
    now = board.picture(2)
    plain = reader.count(now, found)
    reader.remember(then, found, before.tolist())
    told = reader.count(now, found)
    changed = [(row, column) for row, column in np.argwhere(before != after).tolist()]
    in_doubt = [at for at in changed if 0.05 < likelihood(plain, at, before) < 0.95]
    assert in_doubt
    assert all(likelihood(told, at, before) < likelihood(plain, at, before) / 2 for at in in_doubt)


def likelihood(sighting: BoardSighting, at: tuple[int, int], counts: Array) -> float:
    """How likely it is that a pit holds what it does there."""
    return (sighting.pits[at[0]][at[1]] or {}).get(int(counts[at]), 0.0)


@pytest.mark.parametrize("turns", slow(1, 3))
def test_a_game_is_followed_on_a_board_nobody_drew_for_it(turns: int) -> None:
    tally = play(("awale", "hinged", "pale balls", 1, turns))
    assert tally["boards told"] == tally["boards"] == turns + 1 and not tally["misplaced"]


@pytest.mark.slow
def test_an_awale_board_with_stores_full_of_seeds_begins_its_game_by_itself_within_five_seconds() -> None:
    board = laid(7)
    assert board.board.make.stores
    assert shown(board, "auto")[0] == FOUND


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", ["awale", "auto"])
def test_awale_boards_with_stores_of_any_make_are_found_or_asked_about(seed: int, game: str) -> None:
    assert shown(laid(seed), game)[0] in (FOUND, ASKED)
