"""Reading drawn boards: found anywhere, counted honestly, followed when knocked, learned from a known position."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from device import cli
from engine.referee.mraha import COUNTING
from engine.sightings import BoardSighting, best_count
from engine.simulate_mraha import board_of
from tests.sizes import slow
from vision.board import counter, finder
from vision.board.fuse import fuse
from vision.board.grid import FoundBoard, apply, fit_projective, plane, slant
from vision.board.reader import BoardReader
from vision.board.woods import outer_rows_apart
from vision.synthetic.board_game import same_table
from vision.synthetic.board_piles import Library
from vision.synthetic.board_render import BoardPicture, render
from vision.synthetic.board_scene import SceneLight, random_scene
from vision.synthetic.play_board import DrawnBoardTable
from vision.training.board_measure import aligned

SIZE = (800, 600)


def drawn(seed: int, grid: tuple[int, int] = (4, 8), mode: str = "game", clean: bool = True) -> BoardPicture:
    return render(random_scene(np.random.default_rng(seed), Library.load(), grid, SIZE, mode, clean=clean))


@pytest.fixture(scope="module")
def picture() -> BoardPicture:
    return drawn(31)


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader()


def likeliest(sighting: BoardSighting) -> np.ndarray:
    return np.array([[best_count(pit) if pit else -1 for pit in row] for row in sighting.pits])


def test_a_board_is_found_with_no_marker_and_no_click(reader: BoardReader, picture: BoardPicture) -> None:
    found = reader.find(picture.image)
    assert found is not None
    assert found.sure
    assert aligned(picture, found)[2] < 0.15


def test_a_board_that_is_partly_outside_the_picture_is_not_sure(reader: BoardReader, picture: BoardPicture) -> None:
    column = int(np.asarray(picture.centres).reshape(4, 8, 2)[..., 0].min()) + 12
    found = reader.find(np.ascontiguousarray(picture.image[:, column:]))
    assert found is None or not found.sure


def test_a_pit_cut_by_the_edge_of_the_picture_is_not_counted(reader: BoardReader, picture: BoardPicture) -> None:
    found = reader.find(picture.image)
    assert found is not None
    left = found.centres[..., 0].min()
    beyond = np.array([left + 5, 0.0])  # The leftmost pit's middle is outside.
    cut = np.ascontiguousarray(picture.image[:, round(beyond[0]) :])
    given = replace(found, centres=found.centres - beyond, given=True)
    hidden = {tuple(at) for at in np.argwhere([[pit is None for pit in row] for row in reader.count(cut, given).pits])}
    outside = {tuple(at) for at in np.argwhere(given.centres[..., 0] < 0)}
    assert outside <= hidden
    assert hidden <= {tuple(at) for at in np.argwhere(given.centres[..., 0] < given.radii.max())}
    touched = replace(found, centres=found.centres - [left - 0.8 * found.radii.min(), 0.0])
    whole = np.ascontiguousarray(picture.image[:, round(left - 0.8 * found.radii.min()) :])
    assert all(pit is not None for row in reader.count(whole, touched).pits for pit in row), "nearly all of it shows"


@pytest.mark.parametrize("grid", [(2, 6), *slow(((3, 5),), ((2, 7),))])
def test_other_boards_are_found_too(reader: BoardReader, grid: tuple[int, int]) -> None:
    picture = drawn(32, grid)
    found = reader.find(picture.image, grid)
    assert found is not None
    assert found.grid == grid
    assert aligned(picture, found)[2] < 0.2


@pytest.mark.parametrize("seed", slow(632, 618))
def test_dots_on_a_cloth_are_no_row_of_pits(reader: BoardReader, seed: int) -> None:
    dotted = DrawnBoardTable(seed, (960, 720))
    *_, last = dotted.play([board_of(COUNTING)])
    found = reader.find(last.image)
    assert found is not None and found.sure
    counted = reader.count(last.image, found).pits[0][0]
    assert counted is not None and best_count(counted) == 2


def on_a_printed_cloth(picture: BoardPicture, grid: tuple[int, int]) -> np.ndarray:
    """The board on a cloth of rings as large and as far apart as its pits."""
    (rows, columns), rim = grid, 0.75
    right, low = columns - 1, rows - 1
    places = np.array([[0, 0], [right, 0], [right, low], [0, low]], float)
    corners = np.asarray(picture.corners, float)
    edge = apply(fit_projective(places, corners), places + rim * np.sign(places - [right / 2, low / 2]))
    step = np.linalg.norm(corners[1] - corners[0]) / right
    cloth = np.full_like(picture.image, (40, 40, 170))
    for y in np.arange(0, cloth.shape[0] + step, step * 0.85):
        for x in np.arange(0, cloth.shape[1] + step, step * 0.98):
            cv2.circle(cloth, (int(x), int(y)), int(0.4 * step), (235, 235, 245), 2, cv2.LINE_AA)
            cv2.circle(cloth, (int(x), int(y)), int(0.25 * step), (40, 120, 240), -1, cv2.LINE_AA)
    board = cv2.fillConvexPoly(np.zeros(cloth.shape[:2], np.uint8), edge.astype(np.int32), 1)
    return np.where(board[..., None] > 0, picture.image, cloth)


@pytest.mark.parametrize(("seed", "grid"), [(34, (4, 8)), *slow((32, (4, 8)), (31, (2, 6)))])
def test_a_board_on_a_cloth_of_rings_is_found_by_its_wood(
    reader: BoardReader, seed: int, grid: tuple[int, int]
) -> None:
    """The first drowned in the rings; of the others one row was found less, and one of rings beside them."""
    picture = drawn(seed, grid)
    found = reader.find(on_a_printed_cloth(picture, grid), grid)
    assert found is not None and found.sure
    assert aligned(picture, found)[2] < 0.15


@pytest.mark.parametrize(("row", "apart"), [(0, [0]), (3, [-1]), (None, [])])
def test_a_row_between_whose_pits_other_stuff_lies_is_none_of_the_board(row: int | None, apart: list[int]) -> None:
    flat = np.full((140, 260, 3), (60, 110, 170), np.uint8)
    if row is not None:
        flat[30 * row + 10 : 30 * row + 40] = (170, 60, 60)
    flat[:, 120:] //= 2  # Half in the shade.
    centres = np.dstack(np.meshgrid(25.0 + 30 * np.arange(8), 25.0 + 30 * np.arange(4)))
    assert outer_rows_apart(flat, centres) == apart


def test_a_board_with_more_rows_than_asked_for_is_not_sure(reader: BoardReader, picture: BoardPicture) -> None:
    found = reader.find(picture.image, (3, 8))
    assert found is None or not found.sure


@pytest.mark.parametrize(("narrower", "two"), [(1.0, True), (0.5, False)])
def test_which_of_two_boards_is_meant_nobody_knows_unless_one_is_much_larger(
    tmp_path: Path, picture: BoardPicture, capsys: pytest.CaptureFixture[str], narrower: float, two: bool
) -> None:
    """Neither is taken without a word."""
    larger, smaller = (cv2.resize(picture.image, None, fx=z, fy=z) for z in (0.6, 0.6 * narrower))
    high, wide = larger.shape[:2]
    table = np.full((high, wide + smaller.shape[1], 3), 90, np.uint8)
    table[:, :wide], table[: smaller.shape[0], wide:] = larger, smaller
    found = finder.find(table, None)
    assert found is not None and found.grid == (4, 8) and (found.another, found.sure) == (two, not two)
    assert two or found.centres[..., 0].max() < wide
    cv2.imwrite(str(tmp_path / "two.png"), table)
    assert cli.main(["seeds", str(tmp_path / "two.png")]) == 0
    assert ("two boards" in capsys.readouterr().out) == two


def test_a_table_without_a_board_has_none(reader: BoardReader) -> None:
    rng = np.random.default_rng(4)
    blank = np.full((600, 800, 3), 120, np.uint8)
    busy = rng.integers(0, 255, (600, 800, 3), np.uint8)
    assert reader.find(blank) is None
    assert reader.find(busy) is None
    assert reader.find(np.zeros((1, 1, 3), np.uint8)) is None


def test_most_pits_are_counted_exactly_and_doubt_is_spread_out(reader: BoardReader, picture: BoardPicture) -> None:
    found = reader.find(picture.image)
    assert found is not None
    sighting = reader.count(picture.image, found)
    counts, _, _ = aligned(picture, found)
    off = np.abs(likeliest(sighting) - counts)
    assert (off == 0).mean() > 0.75  # seeds are small and the light is low in this one
    assert (off <= 1).mean() > 0.95
    for row in sighting.pits:
        for pit in row:
            assert pit is not None
            assert sum(pit.values()) == pytest.approx(1.0)


def test_boards_of_other_rows_are_counted_by_the_network_that_knows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def seen(crops: np.ndarray, network: str) -> np.ndarray:
        asked.append(network)
        return np.zeros((len(crops), counter.trained_head(network).weight.shape[1]))

    monkeypatch.setattr(counter, "look_at", seen)
    reader = BoardReader()
    for rows in (2, 3, 4):
        centres = np.stack(np.meshgrid(np.arange(6.0), np.arange(rows)), -1) * 20 + 20
        board = FoundBoard(centres, np.full((rows, 6), 8.0), 1.0)
        asked.clear()
        reader.count(np.zeros((120, 160, 3), np.uint8), board, look_outside=False)
        assert set(asked) == {counter.FOUR_ROWS if rows == 4 else counter.VARIED}


def test_what_is_seen_from_farther_off_is_smaller_and_hides_no_pit(monkeypatch: pytest.MonkeyPatch) -> None:
    crop: np.ndarray = np.zeros((1, 72, 72, 3), np.uint8)
    cv2.circle(crop[0], (36, 36), 20, (255, 255, 255), -1)
    seen = iter([*([0.0, 0.0, 0.0],) * 4, [1.0, 0.0, 9.0]])
    wide: list[float] = []

    def look_at(crops: np.ndarray, network: str) -> np.ndarray:
        wide.append(float((crops > 127).mean()))
        return np.array([next(seen)])

    monkeypatch.setattr(counter, "look_at", look_at)
    scores = counter.look(crop, counter.Head(np.eye(3), np.zeros(3)))
    assert wide[-1] / wide[0] == pytest.approx(counter.FARTHER**2, rel=0.05)
    assert scores[0, 0] > scores[0, 1] == scores[0, 2]


@pytest.mark.parametrize("seeds", [(0,), *slow(((0, 1),))])
def test_dark_parts_of_a_pit_are_brought_up_for_counting(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, seeds: tuple[int, ...]
) -> None:
    boards = []
    for seed in seeds:
        scene = random_scene(np.random.default_rng(seed), Library.load(), (4, 8), SIZE, "start", clean=True)
        lamp = SceneLight((20.0, 4.0 * seed - 6.0, 9.0), (1.0, 1.0, 1.0), 0.08)
        picture = render(replace(scene, lights=(lamp,), ambient=(0.08, 0.08, 0.08)))
        found = reader.find(picture.image)
        assert found is not None
        boards.append((picture.image, found))

    def doubt() -> float:
        """How unlikely the reader holds what truly lies there, under one low hard lamp and little light besides."""
        total = 0.0
        for image, found in boards:
            pits = reader.count(image, found, look_outside=False).pits
            total -= sum(np.log(max(pit.get(2, 0.0), 1e-4)) for row in pits for pit in row if pit)
        return total

    lifted = doubt()
    monkeypatch.setattr(counter, "lifted", lambda crops: crops)
    assert lifted < 0.85 * doubt()


def test_corners_given_by_hand_override_the_search(reader: BoardReader, picture: BoardPicture) -> None:
    clicked = picture.corners + np.random.default_rng(5).normal(0, 2, (4, 2))
    found = reader.find(picture.image, corners=[tuple(p) for p in clicked])
    assert found is not None
    assert found.sure
    assert np.hypot(*(found.centres - picture.centres).reshape(-1, 2).T).max() < 0.15 * found.pitch_px


def test_a_small_knock_is_followed_and_a_big_one_reported(reader: BoardReader, picture: BoardPicture) -> None:
    found = reader.find(picture.image)
    assert found is not None
    assert reader.follow(picture.image, found) is found
    for part, lost in ((0.2, False), (6.0, True)):
        move = part * found.pitch_px
        shift = np.array([[1, 0, move], [0, 1, 0]], np.float32)
        moved = cv2.warpAffine(picture.image, shift, SIZE, borderMode=cv2.BORDER_REPLICATE)
        seen = reader.follow(moved, found)
        assert (seen is None) == lost
        if seen is not None:
            at = (found.centres + np.array([move, 0.0])).reshape(-1, 2)
            assert np.median(np.hypot(*(seen.centres.reshape(-1, 2) - at).T)) < 0.08 * found.pitch_px


def test_a_board_whose_pits_hardly_show_is_known_again_where_it_lies(
    picture: BoardPicture, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, before = Library.load(), picture.image
    scene = random_scene(np.random.default_rng(31), library, (4, 8), SIZE, "game", clean=True)
    after = render(same_table(scene, library, np.full((4, 8), 1), np.random.default_rng(1))).image
    reader = BoardReader()
    found = reader.find(before)
    assert found is not None
    monkeypatch.setattr(finder, "refine", lambda image, found, near=0.0: None)
    assert reader.follow(after, found) is found
    knocked = cv2.warpAffine(after, np.array([[1, 0, found.pitch_px * 0.3], [0, 1, 0]]), SIZE)
    assert reader.follow(knocked, found) is None
    assert reader.follow(np.full_like(after, 120), found) is None


def test_a_pit_under_a_hand_is_not_counted(reader: BoardReader, picture: BoardPicture) -> None:
    found = reader.find(picture.image)
    assert found is not None
    covered = picture.image.copy()
    at = found.centres[1, 2]
    way = at - found.centres[2, 5]
    tip = at - way / np.hypot(*way) * found.pitch_px * 0.3
    cv2.line(
        covered, tuple(map(int, tip)), tuple(map(int, at + way * 5)), (95, 130, 190), int(found.pitch_px), cv2.LINE_AA
    )
    assert reader.count(covered, found).pits[1][2] is None


@pytest.mark.slow
def test_a_pit_that_looks_as_it_did_holds_what_it_held(reader: BoardReader) -> None:
    scene = random_scene(np.random.default_rng(38), Library.load(), (4, 8), SIZE, "game", clean=True)
    before, after = render(scene), (render(replace(scene, frame=1)).image * 0.85).astype(np.uint8)
    found = reader.find(before.image)
    assert found is not None
    true = before.counts
    if np.hypot(*(before.centres[0, 0] - found.centres[0, 0])) > found.pitch_px:
        true = true[::-1, ::-1]
    # The pits of one column now hold what those beside them do.
    half = int(found.pitch_px * 0.5)
    for row in range(4):
        (x, y), (u, v) = (found.centres[row, column].round().astype(int) for column in (3, 4))
        after[v - half : v + half, u - half : u + half] = after[y - half : y + half, x - half : x + half]
    plain = reader.count(after, found)
    reader.remember(before.image, found, true.tolist())
    told = reader.count(after, found)
    reader.forget()
    assert reader.count(after, found).pits == plain.pits

    def doubtful(sighting: BoardSighting) -> int:
        pits = [(sighting.pits[r][c] or {}).get(int(true[r, c]), 0.0) for r, c in np.ndindex(4, 8) if c != 4]
        return sum(p < 0.95 for p in pits)

    assert doubtful(told) <= doubtful(plain) // 2
    assert doubtful(plain) >= 6
    changed = [row for row in range(4) if true[row, 3] != true[row, 4]]
    assert changed
    for row in changed:
        then = int(true[row, 4])
        assert (told.pits[row][4] or {}).get(then, 0.0) <= (plain.pits[row][4] or {}).get(then, 0.0)


def test_a_count_the_eye_rules_out_is_not_upheld() -> None:
    picture = drawn(35)
    reader = BoardReader()
    found = reader.find(picture.image)
    assert found is not None
    plain = reader.count(picture.image, found)
    wrong = [[None if pit is None else best_count(pit) + 9 for pit in row] for row in plain.pits]
    reader.remember(picture.image, found, wrong)
    assert reader.count(picture.image, found).pits == plain.pits


def test_a_pit_that_is_plainly_empty_is_not_remembered_as_full() -> None:
    """The only seed was just lifted out of it, and the match knows of no turn yet."""
    picture, reader = drawn(35), BoardReader()
    found = reader.find(picture.image)
    assert found is not None
    plain = reader.count(picture.image, found)
    empty = [pit is not None and pit.get(0, 0.0) > 0.9 for row in plain.pits for pit in row]
    assert sum(empty) > 3
    known = [[0 if pit is None else best_count(pit) or 1 for pit in row] for row in plain.pits]
    reader.remember(picture.image, found, known)
    again = [pit for row in reader.count(picture.image, found).pits for pit in row]
    assert all(pit is not None and pit.get(0, 0.0) > 0.9 for pit, there in zip(again, empty, strict=True) if there)


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 90])
@pytest.mark.parametrize("apart", [1.0, 1.3])
@pytest.mark.parametrize("tilt_deg", [0, 30, 50, 60])
def test_how_flat_a_board_is_looked_at_is_never_told_too_flat(turn_deg: float, apart: float, tilt_deg: float) -> None:
    """Its columns may lie close together, or only seem so."""
    turn, tilt = np.radians(turn_deg), np.radians(tilt_deg)
    level = plane(2, 6) * (1, apart) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    told = slant((level * (1, np.cos(tilt))).reshape(2, 6, 2))
    assert told <= np.tan(tilt) + 0.02
    if turn_deg == 45:
        assert told >= np.tan(tilt - np.radians(10))


def test_where_rims_hide_seeds_a_pit_may_hold_one_more() -> None:
    sure = {3: 1.0}
    assert counter.perhaps_more(sure, slant=0.8) == sure and counter.perhaps_more(None, slant=1.5) is None
    told = counter.perhaps_more(sure, slant=1.5)
    assert told is not None and told[3] < 0.8 and told[3] + told[4] == pytest.approx(1)


def test_several_frames_make_one_sighting() -> None:
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    sure, doubt, hand = {3: 0.99, 4: 0.01}, {3: 0.4, 4: 0.6}, None
    looks = [BoardSighting(corners, ((a, b),)) for a, b in ((sure, hand), (sure, doubt), (doubt, doubt))]
    fused = fuse(looks)
    first, second = fused.pits[0]
    assert first is not None
    assert second is not None
    assert max(first, key=lambda k: first[k]) == 3
    assert second[4] > 0.6
    assert fuse([looks[0], looks[0], looks[1]]).pits[0][1] is None


@pytest.mark.slow
def test_the_start_position_alone_changes_nothing_and_further_known_ones_are_learned_from(
    picture: BoardPicture,
) -> None:
    start = drawn(33, mode="start")
    reader = BoardReader()
    found = reader.find(start.image)
    assert found is not None
    fresh = reader.count(start.image, found)
    assert reader.learn(start.image, start.counts.tolist())
    assert not reader.learned
    assert reader.count(start.image, found) == fresh
    assert not reader.learn(start.image, np.full((4, 8), 9).tolist())
    assert reader.learn(picture.image, picture.counts.tolist())
    assert reader.learned
    assert (likeliest(reader.count(start.image, found)) == 2).mean() > 0.95
    reader.forget()
    assert reader.count(start.image, found) == fresh


def test_the_command_reads_what_it_can_and_says_what_it_cannot(
    tmp_path: Path, picture: BoardPicture, capsys: pytest.CaptureFixture[str]
) -> None:
    board, blank, broken = (tmp_path / n for n in ("board.png", "blank.png", "broken.jpg"))
    cv2.imwrite(str(board), picture.image)
    cv2.imwrite(str(blank), np.zeros((300, 400, 3), np.uint8))
    broken.write_bytes(b"no picture")
    bare = tmp_path / "bare"
    bare.mkdir()
    assert cli.main(["seeds", "--json", "--draw", str(tmp_path / "out"), str(board), str(broken), str(bare)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert len(said["counts"]) == len(said["confidence"]) == 4
    assert len(said["counts"][0]) == 8
    assert len(said["corners"]) == 4
    assert said["total"] == sum(n for row in said["counts"] for n in row if n > 0)
    assert (tmp_path / "out" / "board_read.png").exists()
    assert cli.main(["seeds", str(board), str(blank)]) == 3
    assert "No board" in capsys.readouterr().err
    assert cli.main(["seeds", str(broken), str(bare), str(tmp_path / "none.png")]) == 2
    assert "a folder without pictures" in capsys.readouterr().err
    assert cli.main(["seeds", "--json", str(tmp_path)]) == 3
    assert [json.loads(line)["image"] for line in capsys.readouterr().out.splitlines()] == [str(blank), str(board)]
    with pytest.raises(SystemExit):
        cli.main(["seeds", "--grid", "4by8", str(board)])
    capsys.readouterr()
    assert cli.main(["seeds", "--draw", str(tmp_path / "nowhere" / "out.png"), str(board)]) == 2
    assert "there is no such file or folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "corners", ["0,0 0,0 0,0 0,0", "100,100 200,200 200,100 100,200", "100,100 100,300 500,300 500,100"]
)
def test_corners_that_are_no_board_are_refused(corners: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["seeds", "board.png", "--corners", *corners.split()]) == 2
    assert "give the four corners clockwise" in capsys.readouterr().err
