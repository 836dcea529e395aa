"""The device is killed at any frame and started again over the same table: the match goes on, and ends the same."""

import multiprocessing
import os
import signal
from pathlib import Path
from random import Random

import pytest

from device.keeping.journal import kept, resume
from engine.match import Match
from tests.device.followed import SHOWN, follow, game

KILLS = int(os.environ.get("HISABU_KILLS", "50"))
"""In the slow tests, at least."""
FIRST_FRAMES = 12
"""A process that is killed has seen so many frames at least: a hand that comes again and again would never be gone."""


def killed_again_and_again(
    folder: Path, seed: int, events: int, kills: int, most_frames: int, blind_frames: int
) -> tuple[Match, Match, int]:
    """Follows a table in lives that end at random frames. blind_frames: most that go by while it is dead.

    The match as it was followed, as it was played, and how many kills there were.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.device.followed"])
    rng = Random(seed)
    done = first = shown = 0
    while True:
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=follow, args=(folder, seed, events, first, theirs), daemon=True)
        child.start()
        theirs.close()
        data = b""
        if done < kills:
            wanted = rng.randint(FIRST_FRAMES, most_frames) * SHOWN.size
            while len(data) < wanted and (chunk := os.read(ours.fileno(), wanted - len(data))):
                data += chunk
            child.kill()
        while chunk := os.read(ours.fileno(), 1 << 16):
            data += chunk
        child.join()
        killed = child.exitcode == -signal.SIGKILL
        assert killed or child.exitcode == 0
        ours.close()
        for frame, count in SHOWN.iter_unpack(data[: len(data) // SHOWN.size * SHOWN.size]):
            first, shown = frame + 1, max(shown, count)
        found = resume(folder).record
        assert found is not None and len(found.match.log) >= shown
        found.close()
        if not killed:
            break
        done += 1
        first += rng.randint(0, blind_frames)
    played = Match(found.match.header.game, found.match.header.players)
    for event in game(seed, 3)[:events]:
        played.add(event)
    assert len(kept(folder)) == 1
    return found.match, played, done


@pytest.mark.slow
def test_a_device_killed_at_any_frame_goes_on_over_the_same_table(tmp_path: Path) -> None:
    followed, played, kills = killed_again_and_again(
        tmp_path, seed=1, events=5, kills=1, most_frames=60, blind_frames=0
    )
    assert kills == 1
    assert score(followed) == score(played)


def score(match: Match) -> tuple[object, ...]:
    view = match.view
    return view.games, view.points, view.tricks, view.trick_number, view.turn


def many_kills(folder: Path, blind_frames: int) -> tuple[int, int, int]:
    """At least KILLS of them: how many there were, over how many matches, and how many of those ended as played."""
    kills = matches = same = 0
    while kills < KILLS:
        matches += 1
        followed, played, done = killed_again_and_again(
            folder / str(matches), seed=matches, events=60, kills=8, most_frames=250, blind_frames=blind_frames
        )
        kills += done
        same += score(followed) == score(played)
    print(f"{kills} kills over {matches} matches; {same} ended with the score that was played")
    return kills, matches, same


@pytest.mark.slow
def test_fifty_kills(tmp_path: Path) -> None:
    _, matches, same = many_kills(tmp_path, blind_frames=0)
    assert same == matches


@pytest.mark.slow
def test_fifty_kills_after_each_of_which_half_a_second_goes_unseen(tmp_path: Path) -> None:
    """A hand that nobody saw may have played for another: no event is lost, and most matches end as they were."""
    _, matches, same = many_kills(tmp_path, blind_frames=5)
    assert same > matches / 2
