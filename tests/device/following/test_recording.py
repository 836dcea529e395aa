"""Recordings: what a camera saw and what it led to, the same again when replayed; and what is said of damaged ones."""

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from device import cli
from device.cameras import CameraAway
from device.following.follow import FrameSeen
from device.following.recording import (
    FRAMES,
    INDEX,
    LEAST_FREE_BYTES,
    RecordedCamera,
    Recorder,
    Recording,
    RecordingError,
)
from device.words import why
from engine.events import Play, Undo, event_to_dict
from engine.match import Match
from tests.engine.table import deal, play
from tools.recorded import SMALLEST, record_tricks, record_turns
from vision.frame import Frame

KEPT = Path(__file__).parents[1] / "data" / "one_trick"
"""A recording made by tools/recorded.py, kept so that what is read later is compared with what was read then."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Match]:
    """A trick of two, played, followed and recorded; a button took a card of it back, which was seen again."""
    folder = tmp_path_factory.mktemp("recorded") / "game"
    return folder, record_tricks(folder, tricks=1, undo_at=4, size=SMALLEST)


@pytest.fixture
def recorded(made: tuple[Path, Match], tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return Path(shutil.copytree(made[0], tmp_path / "game"))


Replay = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str]) -> Replay:
    """`hisabu replay …`: its status, what it printed, what it complained of."""

    def run(folder: Path, *options: str) -> tuple[int, list[str], str]:
        status = cli.main(["replay", str(folder), "--lang", "en", *options])
        said = capsys.readouterr()
        return status, said.out.splitlines(), said.err

    return run


def test_a_recording_holds_what_was_told_and_every_frame_that_was_read(made: tuple[Path, Match]) -> None:
    folder, match = made
    recording = Recording(folder)
    assert recording.events == [event_to_dict(event) for event in match.log if event != Undo()]
    assert [event for event in match.log if isinstance(event, Play)]
    read = [frame for frame in recording.frames if "cards" in frame]
    assert read and all("image" in event for event in read)
    assert len(recording.frames) > 2 * len(read)  # Hands are told from small pictures.


@pytest.mark.slow
def test_a_replay_tells_what_was_told_and_its_buttons_are_pressed_again(
    made: tuple[Path, Match], replay: Replay
) -> None:
    folder, match = made
    assert Undo() in match.log
    status, lines, complaint = replay(folder)
    assert (status, complaint) == (0, "")
    assert lines[-1] == f"The same as when it was recorded. Events: {len(match.log) - 1}."  # Not the button.


@pytest.mark.slow
def test_a_game_of_mraha_tells_the_same_when_replayed(tmp_path: Path, replay: Replay) -> None:
    match = record_turns(tmp_path / "game", turns=1)
    assert [notice.code for notice in match.notices if notice.code == "move"] == ["move"]
    status, lines, complaint = replay(tmp_path / "game")
    assert (status, complaint) == (0, "")
    assert lines[-1].startswith("The same as when it was recorded.")


@pytest.mark.slow
def test_a_replay_that_tells_something_else_says_so(tmp_path: Path, replay: Replay) -> None:
    recorded = Path(shutil.copytree(KEPT, tmp_path / "game"))
    text = (recorded / INDEX).read_text()
    (card,) = {event["card"] for event in Recording(recorded).events[1:2]}
    other = "KD" if card != "KD" else "KC"
    (recorded / INDEX).write_text(
        text.replace(f'"event": "play", "card": "{card}"', f'"event": "play", "card": "{other}"')
    )
    status, lines, _ = replay(recorded)
    assert status == 1
    assert lines[-1].startswith("Different from when it was recorded.")


def test_a_recording_begins_where_the_match_stood(tmp_path: Path) -> None:
    match = Match("turufu", 4, seats=("Zaïna", "Ali", "Fatima", "Saïd"))
    for event in (deal(0, "7H"), play("7D", 1)):
        match.add(event)
    Recorder(tmp_path / "new", match, {"seat_zero": "left"}).close()
    recording = Recording(tmp_path / "new")
    again = recording.match()
    assert again is not None and (again.view, again.header) == (match.view, match.header)
    assert (recording.events, recording.header["about"]) == ([], {"seat_zero": "left"})


def test_a_table_that_lies_still_is_kept_twice_a_second(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "new", Match("turufu", 4), {})
    image = np.full((120, 160, 3), 90, np.uint8)
    for number in range(51):
        recorder.watch(Frame(image, number / 10), FrameSeen())
    recorder.close()
    assert len(Recording(tmp_path / "new").frames) == 11


def test_a_phone_that_is_turned_is_recorded_on(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "new", Match("turufu", 4), {})
    for number, shape in enumerate([(120, 160, 3), (160, 120, 3), (120, 160, 3)]):
        recorder.watch(Frame(np.full(shape, 90, np.uint8), number / 10), FrameSeen())
    recorder.close()
    assert [frame["at_s"] for frame in Recording(tmp_path / "new").frames] == [0.0, 0.1, 0.2]


def test_a_recording_ends_before_it_fills_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the match, which is kept on the same disk, would be lost."""
    free = LEAST_FREE_BYTES
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    recorder = Recorder(tmp_path / "new", Match("turufu", 4), {})
    image = np.full((120, 160, 3), 90, np.uint8)
    recorder.watch(Frame(image, 0.0), FrameSeen())
    free -= 1
    with pytest.raises(OSError, match="No space left") as full:
        recorder.watch(Frame(image, 1.0), FrameSeen())
    recorder.close()
    assert (full.value.errno, full.value.filename) == (errno.ENOSPC, str(tmp_path / "new"))
    assert len(Recording(tmp_path / "new").frames) == 1
    assert why(full.value, "en") == "less than 500 MB are free on this disk"
    with pytest.raises(OSError, match="No space left"):
        Recorder(tmp_path / "other", Match("turufu", 4), {})
    assert not (tmp_path / "other").exists()


def test_a_recording_is_not_written_over_another(recorded: Path) -> None:
    before = (recorded / INDEX).read_bytes()
    with pytest.raises(FileExistsError, match="File exists"):
        Recorder(recorded, Match("turufu", 4), {})
    assert (recorded / INDEX).read_bytes() == before


# -- damage -----------------------------------------------------------------------------------------------------------


def test_a_last_line_cut_short_is_left_out(recorded: Path) -> None:
    frames = len(Recording(recorded).frames)
    text = (recorded / INDEX).read_bytes()
    (recorded / INDEX).write_bytes(text[:-10])
    assert len(Recording(recorded).frames) == frames - 1


def test_a_last_picture_cut_short_is_left_out(recorded: Path) -> None:
    frames = len(Recording(recorded).frames)
    pictures = (recorded / FRAMES).read_bytes()
    (recorded / FRAMES).write_bytes(pictures[:-10])
    assert len(Recording(recorded).frames) == frames - 1


def test_a_recording_of_which_much_is_missing_says_so(recorded: Path, replay: Replay) -> None:
    """A full disk, or a copy that was broken off."""
    frames = len(Recording(recorded).frames)
    pictures = (recorded / FRAMES).read_bytes()
    (recorded / FRAMES).write_bytes(pictures[: len(pictures) // 3])
    missing = frames - len(Recording(recorded).frames)
    assert f"the recording was cut short. Last frames without pictures: {missing}" in replay(recorded)[2]


def test_a_recording_without_a_picture_says_that_nothing_was_recorded(recorded: Path, replay: Replay) -> None:
    (recorded / FRAMES).write_bytes(b"")
    code, _, err = replay(recorded)
    assert code == 2 and "nothing was recorded" in err


def header(**changes: Any) -> str:
    whole = {"recording": 2, **Match("turufu", 4).header.to_dict(), "about": {}, "before": []}
    return json.dumps({**whole, **changes})


@pytest.mark.parametrize(
    ("index", "complaint"),
    [
        ("", "nothing was recorded"),
        ('{"recording": 2, "ga', "nothing was recorded"),
        ("[1, 2]\n", "not a recording, or from another version"),
        ('{"recording": 1}\n', "not a recording, or from another version"),
        ('{"recording": 2}\n', "its first line does not name game"),
        (header() + '\n{"at_s": 1.0,\n{"at_s": 2.0}\n', "line 2 is not JSON"),
        (
            header() + '\n{"at_s": 1, "image": [0, 9999]}\n{"at_s": 2, "image": [0, 5]}\n',
            "the picture of line 2 is not in",
        ),
        (header() + '\n"frame"\n{"at_s": 2, "image": [0, 5]}\n', "the picture of line 2 is not in"),
        (
            header() + '\n{"at_s": 1, "image": [0, 5], "pressed": [{"button": "D"}]}\n',
            "names a button that does not exist",
        ),
        (header(game="bridge") + "\n", "bridge"),
        (header(players=5) + "\n", "5"),
        (header(before=[{"event": "flight"}]) + "\n", "flight"),
    ],
)
def test_what_is_no_recording_is_told_in_a_line(tmp_path: Path, replay: Replay, index: str, complaint: str) -> None:
    (tmp_path / INDEX).write_text(index)
    (tmp_path / FRAMES).write_bytes(bytes(10))
    status, _, said = replay(tmp_path)
    assert status == 2
    assert complaint in said and len(said.splitlines()) == 1


@pytest.mark.parametrize("missing", [INDEX, FRAMES])
def test_a_folder_without_one_of_the_files_is_told(recorded: Path, replay: Replay, missing: str) -> None:
    (recorded / missing).unlink()
    status, _, said = replay(recorded)
    assert status == 2
    assert f"no {missing} in it" in said


def test_a_picture_damaged_in_the_middle_is_told(recorded: Path, replay: Replay) -> None:
    at, length = next(frame["image"] for frame in Recording(recorded).frames if "image" in frame)
    pictures = bytearray((recorded / FRAMES).read_bytes())
    pictures[at : at + length] = bytes(length)
    (recorded / FRAMES).write_bytes(pictures)
    status, _, said = replay(recorded)
    assert status == 2
    assert "recording is damaged" in said
    camera = RecordedCamera(Recording(recorded))
    with pytest.raises(CameraAway):
        while camera.frame() is not None:
            pass
    camera.close()


def test_only_a_journal_can_be_replayed_in_part(recorded: Path, replay: Replay) -> None:
    status, _, said = replay(recorded, "--to", "3")
    assert status == 2
    assert "a recording is replayed whole" in said


def test_a_recording_knows_its_errors_as_such(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="recording_none"):
        Recording(tmp_path)


def test_a_recording_may_begin_before_anybody_knows_the_game(tmp_path: Path) -> None:
    Recorder(tmp_path / "new", None, {}).close()
    assert Recording(tmp_path / "new").match() is None
