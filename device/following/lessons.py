"""Lessons on the real board: the learner sets up a small position with his own hands, the camera checks it, and his
turn is told to be right or wrong, with the reason. Those at cards are in device/following/card_lesson.py.

It takes the place of a match and of who follows it, and keeps nothing: a lesson is no match.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from device.following.aim import Aim
from device.following.follow import Add, BoardFollower, FrameSeen, MatchNow
from device.following.keeper import InMemory
from device.following.menu import HINT, SKIP_LESSON, STOP_LESSONS
from device.following.thinker import Begin, Thinker
from device.keeping.settings import Settings
from engine.events import Board, Counts, Event, Likelihoods
from engine.match import Header, Match
from engine.notices import Notice
from engine.referee.board_judge import BoardJudge
from engine.search import DEFAULT
from engine.search.advice import BEST
from engine.search.lessons import Lesson, lessons_of, set_out
from vision.frame import Frame, Image

SET_UP, RIGHT, WRONG, SET, DIFFERS, ILLEGAL, ALL_DONE, GO_BACK, GOES_ON = (
    "lesson", "lesson_right", "lesson_wrong", "lesson_set", "lesson_differs", "lesson_illegal", "lessons_over",
    "lessons_back", "lessons_left",
)  # fmt: skip
NEARLY = 0.005
"""As likely as this beside what a pit most likely holds, and it may hold that."""
Say = Callable[[Mapping[str, Any]], None]
"""Takes a notice that belongs to no match."""


def teaches(match: Match) -> bool:
    """Whether there are lessons for this game by these rules: at cards always."""
    return not isinstance(match.judge, BoardJudge) or bool(lessons_of(match.judge.game))


class LessonTable(InMemory):
    """The match of the lesson that goes on, and who follows it."""

    actions = (HINT, SKIP_LESSON, STOP_LESSONS)
    """What the learner may ask for."""
    takes_back = False
    """A button takes back what was misread."""
    short = False
    """All that is needed is in sight."""
    learner: Mapping[str, Any] | None = None
    """His open hand."""

    def __init__(self, waiting: Match, settings: Settings, say: Say) -> None:
        """waiting: the match that goes on afterwards."""
        header = waiting.header
        self._header, self._say = Header(header.game, header.players, header.options), say
        super().__init__(Match.of(self._header))
        assert isinstance(self.match.judge, BoardJudge) and isinstance(waiting.judge, BoardJudge)
        self._game = self.match.judge.game
        self._position = self._game.opening
        begun = waiting.view.phase != "setup"
        self._waits = waiting.to_think if begun else waiting.judge.game.opening
        """What its board holds; None: something is open, or it is over."""
        self._lessons = lessons_of(self._game)
        self._follower = BoardFollower(self.match, settings)
        self._thinker = Thinker(Begin(header.game, header.options, DEFAULT, 0))
        self._is_set = False
        self._played: str | None = None
        """A turn that is being thought about."""
        self._told: list[list[int]] = []
        """The pits that were last said to differ: nothing is said twice."""
        self.number = 0
        """Of the lesson, from 1; more than there are: all are done."""
        self.over = False
        """The match that waits goes on."""

    # -- a lesson ----------------------------------------------------------------------------------------------------

    @property
    def _lesson(self) -> Lesson:
        return self._lessons[self.number - 1]

    def skip(self) -> None:
        """On to the next lesson; the first is the one after none."""
        if self.number >= len(self._lessons):
            self._say({"notice": ALL_DONE})
            self.stop()
            return
        self.number += 1
        self._begin_anew()
        self._say({"notice": SET_UP, "number": self.number, "of": len(self._lessons), **self._held})

    def stop(self) -> None:
        """No more lessons. The board of the match is set up first, unless this is asked again."""
        self.over, self.number = self._waits is None or self._goes_back, len(self._lessons) + 1
        if not self.over:
            self._begin_anew()
            self._say({"notice": GO_BACK})

    @property
    def _goes_back(self) -> bool:
        """The lessons are over, and the board of the match that waits is being set up."""
        return self.number > len(self._lessons)

    def _begin_anew(self) -> None:
        """The position is to be set up."""
        self._position = self._waits if self._goes_back else self._lesson.position(self._game)
        self.match = Match.of(self._header)
        self.match.judge = BoardJudge(set_out(self._game, self._position))
        self._is_set, self._played, self._told = False, None, []
        self._follower.begin_anew()

    def hint(self) -> None:
        """Says what to play."""
        if not self._goes_back:
            self._say({"notice": "hint", "key": self._lesson.best})

    @property
    def _held(self) -> Mapping[str, Any]:
        """Seeds that are not on the board, where they count."""
        stores = self._game.stores(self._position)
        held = stores.get("in_hand") or stores.get("captured") or {}
        return {"store": "in_hand" if "in_hand" in stores else "captured", **held}

    # -- who follows it ----------------------------------------------------------------------------------------------

    @property
    def situation(self) -> str:
        return self._follower.situation

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        """Looks at the board; nothing of it goes into a match that is kept."""
        if self.over:
            return FrameSeen()
        if self._played is not None:
            self._judge(self._played)
            return FrameSeen(looked=True)
        seen = self._follower.see(frame, lambda: self.match, self._lies)
        return replace(seen, events=(), notices=())

    def _lies(self, event: Event) -> list[Notice]:
        """A board that lies still."""
        assert isinstance(event, Board)
        if not self._is_set:
            self._being_set(event)
            return []
        notices = self.match.add(event)
        key = next((str(notice.facts["key"]) for notice in notices if notice.code == "move"), None)
        key = self._all_but_sown(event) if key is None and self.match.view.doubt is not None else key
        if key is not None:
            self._played = key
        elif notices:
            illegal = next((notice.to_dict() for notice in notices if notice.code == "illegal"), None)
            self._begin_anew()
            self._say({"notice": ILLEGAL, "illegal": illegal, "known": illegal is not None})
        return []

    def _all_but_sown(self, board: Board) -> str | None:
        """The only turn of which all pits but one lie there. In a match the next turn tells; none follows here."""
        assert board.likelihood is not None
        turns = self._game.legal(self._position)
        near = [
            key
            for key, turn in turns.items()
            if len(_differing(self._game.board_rows(turn.after.sides), board.likelihood)) <= 1
        ]
        return near[0] if len(near) == 1 else None

    def _being_set(self, board: Board) -> None:
        """The learner sets the position up. Whichever side he sits on is South."""
        assert board.likelihood is not None
        wanted = self._game.board_rows(self._position.sides)
        differing = _differing(wanted, board.likelihood)
        from_north = _differing(wanted, tuple(row[::-1] for row in board.likelihood[::-1]))
        if not (differing and from_north):
            self._set_up(turned=bool(differing))
            return
        self._follower.look_on(True)
        differing = min(differing, from_north, key=len)
        if differing != self._told:
            self._told, (row, column) = differing, differing[0]
            named = {"pits": differing[:1], "count": len(differing), "seeds": wanted[row][column]}
            self._say({"notice": DIFFERS, **named})

    def _set_up(self, turned: bool) -> None:
        """The position lies there. turned: seen from North."""
        if self._goes_back:
            self._say({"notice": GOES_ON})
            self.over = True
            return
        if turned:
            self._follower.turn_round()
        self._is_set = True
        self._follower.look_on(False)
        self.match.add(Board(self._game.board_rows(self._position.sides)))
        self._say({"notice": SET, "number": self.number})

    def _judge(self, key: str) -> None:
        """Says how good the turn was, once that is known."""
        found = self._thinker.advise(self._position, key, self._lesson.best)
        if found is None:
            return
        right = found.reason == BEST
        if not right:
            self._begin_anew()
        self._say({"notice": RIGHT if right else WRONG, "number": self.number, **found._asdict()})
        if right:
            self.skip()

    def undone(self, match: Match) -> None:
        """Nothing is taken back here."""

    def answered(self, about: str, answer: str) -> None:
        """Nothing is asked here."""

    def aim(self, image: Image) -> Aim:
        return self._follower.aim(image)

    def close(self) -> bool:
        """Lets go of its process."""
        self._thinker.close()
        return True


def _differing(wanted: Counts, likely: Likelihoods) -> list[list[int]]:
    """Pits, by row and column, that surely hold another number than they should, or that nobody can see."""
    return [
        [row, column]
        for row, pits in enumerate(wanted)
        for column, seeds in enumerate(pits)
        if not _may_hold(likely[row][column], seeds or 0)
    ]


def _may_hold(pit: Mapping[int, float] | None, seeds: int) -> bool:
    return pit is not None and pit.get(seeds, 0.0) >= NEARLY * max(pit.values(), default=1.0)
