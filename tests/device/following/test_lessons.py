"""Lessons on a drawn board, through the camera: the position is set up by hand, and the turn told right or wrong."""

import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from device.cameras.simulated import SimulatedCamera
from device.commands.demo import SIZE
from device.following.auto import NotYet
from device.following.keeper import InMemory
from device.following.lessons import ALL_DONE, DIFFERS, GO_BACK, GOES_ON, ILLEGAL, RIGHT, SET, WRONG
from device.following.live import LiveTable
from device.following.loop import run_through
from device.following.menu import HINT, STOP_LESSONS, TEACH
from device.following.press import Press
from device.following.show import Happening
from device.keeping.settings import AUTO, Settings
from engine.events import Board, Event
from engine.referee.board_judge import BoardJudge
from engine.search.lessons import Lesson, lessons_of
from engine.simulate_boards import board_of
from vision.synthetic.play_board import DrawnBoardTable

SETTINGS = Settings(language="en", players=2, build="laptop", display="none")
MOST_WAITS = 200


@cache
def once_drawn(kind: Any, flags: Any) -> DrawnBoardTable:
    return DrawnBoardTable(3, SIZE, game=kind(flags))


def drawn(game: Any) -> DrawnBoardTable:
    """A board for it on which nothing lies yet."""
    kind: Any = type(game)
    return deepcopy(once_drawn(kind, game.flags))


class Learner:
    """Sets up each position, plays a wrong turn, then the right one, as far as the board's pits hold the seeds."""

    def __init__(self, settings: Settings, seed: int, lessons: int) -> None:
        self._happened: dict[int, Happening] = {}
        """By number; the table keeps only the last ones."""
        match = settings.match()
        self.table = LiveTable(InMemory(match), settings, lambda wanted: InMemory(wanted.match()))
        self.table.teach()
        judge = match.judge
        assert isinstance(judge, BoardJudge)
        self.game, self.rng, self.most = judge.game, Random(seed), lessons
        self.board = drawn(judge.game)
        self.wrong: list[str] = []
        self.right: list[str] = []

    def watch(self) -> None:
        run_through(SimulatedCamera(self.board, self.play(), real_time=False), self.table, [])

    def play(self) -> Iterator[Event]:
        for lesson in lessons_of(self.game)[: self.most]:
            position = lesson.position(self.game)
            others = [key for key in self.game.legal(position) if self._differs(lesson, key)]
            boards = [board_of(self.game, position), *(self._after(position, key) for key in (lesson.best, *others))]
            if not all(map(self.board.holds, boards)):
                self.table.act("skip_lesson", "test")
                continue
            yield from self._lies(boards[0], SET)
            wrong = self.rng.choice(others)
            yield from self._lies(self._after(position, wrong), WRONG)
            self.wrong.append(wrong)
            yield from self._lies(boards[0], SET)
            yield from self._lies(self._after(position, lesson.best), RIGHT)
            self.right.append(lesson.best)
        if self.most > 1:
            yield from self._lies(board_of(self.game, self.game.opening), GOES_ON)

    def _differs(self, lesson: Lesson, key: str) -> bool:
        """A turn that is worse, and leaves another board."""
        position = lesson.position(self.game)
        other = self._after(position, key) != self._after(position, lesson.best)
        return key != lesson.best and other and lesson.told_of(self.game, key).seeds > 0

    def _after(self, position: Any, key: str) -> Board:
        return board_of(self.game, self.game.legal(position)[key].after)

    def _lies(self, board: Board, until: str) -> Iterator[Event]:
        """The board lies there until that is said, or nothing more is to be expected."""
        before = self.count(until)
        yield board
        for _ in range(MOST_WAITS):
            if self.count(until) > before:
                return
            time.sleep(0.1)
            yield board

    def count(self, code: str) -> int:
        return sum(notice["notice"] == code for notice in self.notices)

    @property
    def notices(self) -> list[Any]:
        self._happened.update({happening.number: happening for happening in self.table.show.happened})
        return [notice for happening in self._happened.values() for notice in happening.notices]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["awale"])
def test_a_lesson_is_set_up_and_its_turns_are_told_rightly(game: str) -> None:
    learner = Learner(replace(SETTINGS, game=game), 3, 1)
    try:
        learner.watch()
        told = [notice for notice in learner.notices if notice["notice"] in (RIGHT, WRONG)]
        assert [(notice["notice"], notice["key"]) for notice in told] == [
            (WRONG, learner.wrong[0]),
            (RIGHT, learner.right[0]),
        ]
        assert not learner.count(ILLEGAL)
        assert told[0]["best"] == learner.right[0] and told[0]["seeds"] > 0 and told[0]["reason"] != "best"
        assert any("is not the best turn" in said for said in learner.table.show.sentences)
    finally:
        learner.table.close()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset"), [("awale", "mraha"), ("mraha", "mraha"), ("mraha", "kiswahili")])
def test_ten_lessons_each_played_wrong_and_right(game: str, preset: str) -> None:
    learner = Learner(replace(SETTINGS, game=game, preset=preset), 3, 10)
    try:
        learner.watch()
        assert len(learner.right) >= 8, "most positions fit the drawn pits"
        told = [(notice["notice"], notice["key"]) for notice in learner.notices if notice["notice"] in (RIGHT, WRONG)]
        expected = zip(learner.wrong, learner.right, strict=True)
        assert told == [turn for wrong, right in expected for turn in ((WRONG, wrong), (RIGHT, right))]
        assert not learner.count(ILLEGAL) and learner.table.show.extra["teaches"] is False
        assert not learner.table.match.notices and len(learner.table.match.log) <= 1, "it heard nothing of the lessons"
    finally:
        learner.table.close()


def test_the_match_waits_while_somebody_learns_and_then_goes_on() -> None:
    settings = replace(SETTINGS, game="mraha", preset="kiswahili", against=2)
    match = settings.match()
    table = LiveTable(InMemory(match), settings, lambda wanted: InMemory(wanted.match()))
    try:
        assert isinstance(match.judge, BoardJudge)
        table.act(TEACH, "phone")
        assert table.match is not match and table.show.sentences[-1].startswith("Lesson 1 of 10. Set up this board")
        position = table.match.judge.opening  # type: ignore[attr-defined]
        assert table.show.view["pits"] == [list(row) for row in match.judge.game.board_rows(position.sides)]
        table.act(HINT, "phone")
        assert table.show.sentences[-1].startswith("Try ")
        table.match.add(board_of(table.match.judge.game, position))  # type: ignore[attr-defined]
        table.undo(table.match.told[0].number, "phone")
        assert table.match.told, "in a lesson nothing is taken back"
        table.press(Press("B", long=True))
        table.act(STOP_LESSONS, "phone")
        assert table.show.view["pits"] == [list(row) for row in match.judge.game.board_rows(match.judge.opening.sides)]
        table.act(STOP_LESSONS, "phone")
        assert table.match is match and not match.log and table.show.extra["teaches"] is False
        for _ in range(2):
            table.act(TEACH, "phone")
        for _ in range(10):
            table.act("skip_lesson", "phone")
        assert [notice["notice"] for notice in table.show.notices[-2:] if notice] == [ALL_DONE, GO_BACK]
    finally:
        table.close()
    assert table.match is match


@pytest.mark.slow
def test_the_seeds_go_back_to_where_they_lay_before_the_match_goes_on() -> None:
    settings = replace(SETTINGS, game="awale")
    match = settings.match()
    table = LiveTable(InMemory(match), settings, lambda wanted: InMemory(wanted.match()))
    assert isinstance(match.judge, BoardJudge)
    game = match.judge.game
    lies = game.legal(game.opening)["C"].after
    try:
        table.add(board_of(game, game.opening), board_of(game, lies))
        table.act(TEACH, "phone")
        table.act(STOP_LESSONS, "phone")
        assert table.match is not match and table.show.sentences[-1] == "Now set up the board of your match."
        assert table.show.view["pits"] == [list(row) for row in match.board or ()]
        show(table, board_of(game, lies))
        assert said(table)[-1] == GOES_ON
        assert table.match is match and match.state.position == lies, "it heard nothing of the lessons"
        for action in (TEACH, STOP_LESSONS, STOP_LESSONS):
            table.act(action, "phone")
        assert table.match is match, "whoever asks again puts them back himself"
    finally:
        table.close()


def test_before_it_is_known_which_game_is_played_there_is_no_lesson_to_begin() -> None:
    settings = replace(SETTINGS, game=AUTO)
    table = LiveTable(NotYet(settings), settings, lambda wanted: InMemory(wanted.match()))
    before = table.match
    table.act(TEACH, "phone")
    assert table.match is before and "teaches" not in table.show.extra
    table.close()


@pytest.mark.slow
def test_what_is_not_set_up_yet_is_told_pit_by_pit() -> None:
    settings = replace(SETTINGS, game="awale")
    table = LiveTable(InMemory(settings.match()), settings, lambda wanted: InMemory(wanted.match()))
    try:
        table.teach()
        judge = settings.match().judge
        assert isinstance(judge, BoardJudge)
        show(table, board_of(judge.game, judge.opening))
        assert said(table)[-1] == DIFFERS
        wanted = table.show.view["pits"]
        show(table, Board(tuple(tuple(row[::-1]) for row in wanted[::-1])))
        assert said(table)[-1] == SET, "whichever side the learner sits on"
    finally:
        table.close()


def show(table: LiveTable, board: Board) -> None:
    """A drawn board is seen lying there, until something is said of it."""
    judge = table.match.judge
    assert isinstance(judge, BoardJudge)
    before = len(said(table))

    def lies() -> Iterator[Event]:
        for _ in range(MOST_WAITS):
            if len(said(table)) == before:
                yield board

    run_through(SimulatedCamera(drawn(judge.game), lies(), real_time=False), table, [])


def said(table: LiveTable) -> list[str]:
    """The notices, by their codes."""
    return [str(notice["notice"]) for happening in table.show.happened for notice in happening.notices]
