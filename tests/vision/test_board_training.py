"""The board's networks from nothing, at a budget too small to learn anything: the one command runs to its end."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.crops import CROP_PX

TINY = [
    "--kinds=1",
    "--short-kinds=1",
    "--runs=3",
    "--boards=3",
    "--small-boards=4",
    "--traced-boards=1",
    "--hard-kinds=1",
    "--hard-boards=2",
    "--hard-traced-boards=1",
    "--check-boards=2",
    "--jobs=1",
    "--finder-minutes=0.05",
    "--counter-minutes=0.05",
    "--varied-minutes=0.05",
]


def train(folder: Path, *more: str) -> Path:
    """Runs the command; where the networks are."""
    out = folder / "models"
    command = [sys.executable, "-m", "vision.training.board", f"--work={folder / 'work'}", f"--out={out}", *TINY, *more]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return out


def features(out: Path, network: str = "board_counter") -> int:
    """Runs the counter that was written on one grey crop; how many features come out."""
    net = cv2.dnn.readNetFromONNX(str(out / f"{network}.onnx"))
    net.setInput(np.zeros((32, 3, CROP_PX, CROP_PX), np.float32))
    return int(net.forward().shape[1])


@pytest.mark.slow
def test_the_one_command_makes_both_networks_from_nothing_and_goes_on_from_the_committed_counter(
    tmp_path: Path,
) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("mujoco")
    pytest.importorskip("mitsuba")
    out = train(tmp_path)
    counters = {f"board_counter{which}.{kind}" for which in ("", "_varied") for kind in ("onnx", "json", "md")}
    assert {path.name for path in out.iterdir()} == {"board_finder.onnx", "board_finder.md", *counters}
    head = json.loads((out / "board_counter.json").read_text())
    assert features(out) == features(out, "board_counter_varied") == len(head["weight"][0])
    # Pictures lie there already: only the counter is trained again, from the committed one.
    before = (out / "board_counter.onnx").read_bytes()
    assert features(train(tmp_path, "--go-on", "--only=board_counter")) == len(head["weight"][0])
    assert (out / "board_counter.onnx").read_bytes() != before


@pytest.mark.slow
@pytest.mark.parametrize("network", ["board_counter", "board_counter_varied"])
def test_going_on_begins_where_the_committed_counter_stands(network: str) -> None:
    torch = pytest.importorskip("torch")
    from vision.board import counter
    from vision.board.inputs import lifted, normalise
    from vision.training.board_export import shares_in_play, shares_on_two_rows
    from vision.training.board_resume import committed_counter

    crops = np.random.default_rng(0).integers(0, 255, (64, CROP_PX, CROP_PX, 3), np.uint8)
    shown = torch.from_numpy(normalise(lifted(crops)))
    played = shares_in_play() if network == "board_counter" else shares_on_two_rows()
    net = committed_counter(shown, played, network=network).eval()
    with torch.no_grad():
        scores = net(shown)[0].numpy()
    assert np.allclose(scores, counter.trained_head(network).scores(counter.look_at(crops, network)), atol=0.02)


@pytest.mark.slow
def test_boards_of_short_piles_have_seeds_in_most_pits() -> None:
    from vision.synthetic.board_piles import Library
    from vision.training.board_data import MOST_SOWN, _small_board

    whole = Library.load()
    short = Library(whole.kinds, whole.piles[:, :, :MOST_SOWN, :MOST_SOWN])
    boards = [_small_board(np.random.default_rng(seed), short, 0.5)[0].counts for seed in range(4)]
    counts = np.concatenate([board.ravel() for board in boards])
    assert (counts > 0).mean() > 0.7
    assert counts.max() <= MOST_SOWN


@pytest.mark.slow
def test_hard_boards_hold_four_to_ten_seeds_of_one_sort_in_most_pits() -> None:
    from vision.synthetic.board_piles import Library
    from vision.training.board_hard import SORTS, hard_scene

    scenes = [hard_scene(np.random.default_rng(seed), Library.load(), (2, 3), (240, 192)) for seed in range(40)]
    counts = np.concatenate([scene.counts.ravel() for scene in scenes])
    assert ((counts >= 4) & (counts <= 10)).mean() > 0.6
    assert {scene.look.pattern for scene in scenes} == {sort.pattern for sort in SORTS}
    for scene in scenes:
        assert scene.look.other is None


def test_a_poor_camera_and_a_shadow_change_how_a_pit_looks_and_not_its_size() -> None:
    pytest.importorskip("torch")
    from vision.training.board_lessons import poorer, shaded

    crop = np.random.default_rng(0).integers(40, 220, (CROP_PX, CROP_PX, 3), np.uint8).astype(np.float32)
    rng = np.random.default_rng(1)
    dark, poor = (np.stack([change(crop, rng) for _ in range(20)]) for change in (shaded, poorer))
    assert dark.shape == poor.shape == (20, *crop.shape)
    assert (dark <= crop + 1e-3).all()
    assert dark.mean() < 0.97 * crop.mean()
    assert poor.min() > -60
    assert poor.max() < 320
    assert len({picture.tobytes() for picture in poor}) > 15
