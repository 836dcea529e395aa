"""A person plays against the device on a drawn board, through the camera: turns, wrong ones, a process that dies."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from device import words
from device.cameras.simulated import SimulatedCamera
from device.commands.demo import SIZE, DemoPlayer
from device.following.keeper import InMemory
from device.following.live import THINKER, LiveTable
from device.following.loop import run_through
from device.following.menu import HINT
from device.following.opponent import Opponent
from device.following.press import Press
from device.following.thinker import COMMAND, Begin, Thinker
from device.keeping import journal
from device.keeping.journal import MatchRecord
from device.keeping.settings import Settings
from engine.events import Board, DeviceTurn
from engine.match import Against, Match
from engine.notices import ALERT
from engine.referee.board import STANDS
from engine.referee.board_judge import ANEW, OTHER_TURN, WHICH_TURN, BoardJudge
from engine.search import LEVELS
from engine.simulate_boards import board_of
from tests.device.outputs.page.room import Nobody
from tests.sizes import slow
from vision.frame import Frame
from vision.synthetic.play_board import DrawnBoardTable

SETTINGS = Settings(language="en", players=2, build="laptop", display="none", against=2)
BLANK = np.full((8, 8, 3), 128, np.uint8)


class Answering(LiveTable):
    """Whoever is asked about another turn answers this; and about which turn it was, the truth."""

    answer_other = ANEW
    asked = 0
    person: DemoPlayer

    def see(self, frame: Frame) -> None:
        super().see(frame)
        question = self.match.view.question
        if question is None or self.show.prompt is None:
            return
        if question.facts["about"] == OTHER_TURN:
            self.asked += 1
            label = words.choice_name(self.answer_other, "en")
            self.press(Press("ABC"[self.show.prompt.answers.index(label)]))
        elif question.facts["about"] == WHICH_TURN:
            lies = [account.turns[-1].after.sides if account.turns else self.match.state.position.sides
                    for account in self.match.state.waiting.accounts]  # fmt: skip
            self.press(Press("ABC"[lies.index(self.person.position.sides)]))


def played(
    game: str, seed: int, most_turns: int, slips: float = 0.0, slips_at_most: int = 1000, answer: str = ANEW
) -> tuple[Answering, DemoPlayer]:
    settings = replace(SETTINGS, game=game)
    match = settings.match()
    table = Answering(InMemory(match), settings, lambda wanted: InMemory(wanted.match()))
    table.answer_other = answer
    assert isinstance(match.judge, BoardJudge)
    board = DrawnBoardTable(seed, SIZE, game=match.judge.game)
    person = DemoPlayer(
        match.judge.game, 1, lambda: table.match, Random(seed), board.holds, 0.5, slips, slips_at_most, most_turns
    )
    table.person = person
    try:
        run_through(SimulatedCamera(board, person.turns(), real_time=False), table, [])
    finally:
        table.close()
    return table, person


def moves(match: Match) -> list[tuple[str, str]]:
    return [(notice.facts["player"], notice.facts["key"]) for notice in match.notices if notice.code == "move"]


def asked_turns(match: Match) -> list[str]:
    return [event.turn for event in match.log if isinstance(event, DeviceTurn)]


def right(table: Answering, person: DemoPlayer) -> bool:
    """The last board was told as it lies, and nobody was accused."""
    position = table.match.state.position
    return position.sides == person.position.sides and not [
        notice for notice in table.match.notices if notice.level == ALERT
    ]


@pytest.mark.parametrize(("game", "seed"), [("mraha", 3), *slow(("awale", 3))])
def test_it_asks_for_its_turns_and_they_are_made(game: str, seed: int) -> None:
    table, person = played(game, seed, most_turns=2)
    by_north = [key for player, key in moves(table.match) if player == "north"]
    assert by_north and by_north == asked_turns(table.match)[: len(by_north)]
    assert right(table, person)
    assert any(said.startswith("My turn: ") for said in table.show.sentences)


@pytest.mark.slow
def test_another_turn_than_it_asked_for_is_told_and_played_anew() -> None:
    table, person = played("awale", 5, most_turns=3, slips=1.0, slips_at_most=1)
    assert person.slipped and table.asked == person.slipped
    assert right(table, person)
    by_north = [key for player, key in moves(table.match) if player == "north"]
    assert asked_turns(table.match)[0] in by_north


@pytest.mark.slow
def test_another_turn_may_be_let_stand() -> None:
    table, person = played("awale", 6, most_turns=2, slips=1.0, answer=STANDS)
    assert person.slipped and table.asked == person.slipped
    assert right(table, person)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_whole_games_on_drawn_boards(seed: int) -> None:
    game = "awale" if seed % 2 else "mraha"
    table, person = played(game, 500 + seed, most_turns=1000, slips=0.1, answer=ANEW if seed % 4 < 2 else STANDS)
    assert right(table, person) and table.asked == person.slipped
    if person.whole:
        assert table.match.view.phase == "over"


# -- its process -------------------------------------------------------------------------------------------------------


def thinker(level: int = 2, **more: Any) -> Thinker:
    return Thinker(Begin("awale", {}, level, 1), **more)


def writing_its_number(into: Path) -> tuple[str, ...]:
    """The command of a thinker whose process says here which one it is."""
    return "sh", "-c", f'echo $$ > "{into}"; exec "$@"', "sh", *COMMAND


def thought(thinker: Thinker, position: Any, limit_s: float = 60.0) -> str:
    until_s = time.monotonic() + limit_s
    while (key := thinker.turn(position)) is None:
        assert time.monotonic() < until_s
        time.sleep(0.01)
    return key


def opening() -> Any:
    judge = Match("awale").judge
    assert isinstance(judge, BoardJudge)
    return judge.game.opening


def after(first: str) -> Any:
    """The position after a first turn."""
    return Match("awale").judge.game.legal(opening())[first].after  # type: ignore[attr-defined]


def test_a_process_that_was_killed_is_started_again_and_told_once(tmp_path: Path) -> None:
    one = thinker(command=writing_its_number(tmp_path / "pid"))
    try:
        first = thought(one, opening())
        pid = int((tmp_path / "pid").read_text())
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert one.turn(after(first)) is None
        assert thought(one, after(first)) in "abcdefABCDEF"
        assert one.deaths == 1 and not one.away
    finally:
        one.close()


def test_a_process_that_hangs_is_started_again(tmp_path: Path) -> None:
    # A busy machine takes two seconds to start it.
    one = thinker(command=writing_its_number(tmp_path / "pid"), patience_s=4.0)
    try:
        first = thought(one, opening())
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGSTOP)
        assert thought(one, after(first)) and one.deaths >= 1
    finally:
        one.close()


def test_a_process_that_cannot_begin_harms_nobody() -> None:
    one = thinker(command=("/no/such/program",))
    for _ in range(20):
        assert one.turn(opening()) is None
    assert one.away and one.deaths == 1
    one.close()


def test_its_process_ends_with_the_table(tmp_path: Path) -> None:
    one = thinker(command=writing_its_number(tmp_path / "pid"))
    thought(one, opening())
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 0)
    one.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


class Blind(Nobody):
    """Follows a table and sees nothing."""

    def __init__(self, match: Match, settings: Settings) -> None:
        """Whatever they are."""


class Stuck(Thinker):
    """Cannot think."""

    def turn(self, position: Any) -> str | None:
        self.away = True
        return None


def test_the_table_goes_on_while_it_cannot_think() -> None:
    settings = replace(SETTINGS, game="awale", device_begins=True)
    stuck = Stuck(Begin("awale", {}, 2, 1))
    table = LiveTable(
        InMemory(settings.match()), settings, lambda wanted: InMemory(wanted.match()),
        opponent=lambda match: Opponent(0, stuck), follower=Blind,
    )  # fmt: skip
    judge = table.match.judge
    assert isinstance(judge, BoardJudge)
    table.add(board_of(judge.game, opening()))
    table.see(Frame(BLANK, 1.0))
    assert THINKER in table.show.troubles
    table.add(board_of(judge.game, next(iter(judge.game.legal(opening()).values())).after))
    assert moves(table.match)


# -- what is kept ------------------------------------------------------------------------------------------------------


def test_a_match_against_it_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    settings = replace(SETTINGS, game="awale", against=3, device_begins=True)
    record = MatchRecord.begin(tmp_path, settings.match())
    record.add(board_of(record.match.judge.game, opening()))  # type: ignore[attr-defined]
    record.add(DeviceTurn("C"))
    record.close()
    found = journal.resume(tmp_path).record
    assert found is not None
    assert found.match.header.against == Against(0, 3)
    assert found.match.view.wanted == "C" and found.match.view.wanted_path
    found.close()


def test_its_turn_is_taken_back_with_what_it_followed() -> None:
    match = Match("awale", against=Against(1, 2))
    game = match.judge.game  # type: ignore[attr-defined]
    after = game.legal(game.opening)["A"].after
    match.add(board_of(game, game.opening))
    match.add(board_of(game, after))
    match.add(DeviceTurn("a"))
    assert match.view.wanted == "a"
    match.add({"event": "undo"})
    assert match.view.wanted is None and match.view.turn == 0
    made: Board = board_of(game, after)
    match.add(made)
    assert match.view.turn == 1


@contextmanager
def asked_for_a_hint(settings: Settings, until: Callable[[LiveTable], object]) -> Iterator[LiveTable]:
    """A board where somebody asked what to play, once this came about."""
    table = LiveTable(InMemory(settings.match()), settings, lambda wanted: InMemory(wanted.match()), follower=Blind)
    judge = table.match.judge
    assert isinstance(judge, BoardJudge)
    try:
        table.add(board_of(judge.game, opening()))
        table.act(HINT, "phone")
        until_s = time.monotonic() + 60
        while not until(table) and time.monotonic() < until_s:
            table.see(Frame(BLANK, time.monotonic()))
            time.sleep(0.02)
        yield table
    finally:
        table.close()


def test_a_hint_is_given_when_it_is_asked_for() -> None:
    with asked_for_a_hint(replace(SETTINGS, game="awale"), lambda table: table.show.sentences) as table:
        assert table.show.sentences[-1].startswith("Try pit ")
        assert len(table.match.log) == 1


def test_a_hint_that_is_asked_for_while_the_device_is_to_move_does_not_stop_it() -> None:
    begins = replace(SETTINGS, game="awale", device_begins=True)
    with asked_for_a_hint(begins, lambda table: table.match.view.wanted) as table:
        assert table.match.view.wanted is not None


class Pondering(Thinker):
    """Notes that it was given time to think."""

    ponders = False

    def ponder(self, position: Any) -> None:
        self.ponders = True


def test_levels_that_look_no_farther_do_not_think_meanwhile() -> None:
    match = Match("awale", against=Against(1, 2))
    match.add(board_of(match.judge.game, opening()))  # type: ignore[attr-defined]
    thinkers = [Pondering(Begin("awale", {}, level, 1)) for level in sorted(LEVELS)]
    for thinks in thinkers:
        assert Opponent(1, thinks).turn(match) is None
    assert [thinks.ponders for thinks in thinkers] == [False, False, False, True, True]
