"""How well the device finds out by itself what is played.

python -m tools.which_game FOLDER/*.jsonl turufu-4-made_house-901 mraha-7
python -m tools.which_game --evenings 100 --seed 1

Looks are recorded (tools/looks_file.py) or made up; boards are drawn. Nobody answers what is asked.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cv2

from device.following.auto import GAME, AutoFollower, GameFound, NotYet
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.keeping.settings import AUTO, Settings
from engine.games import GAMES, card_tables
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.referee.board_judge import BoardJudge
from engine.simulate_boards import board_of, honest_turns
from tools.evenings import Noted
from tools.looks_file import EveningScore, OneBoard, Recorded, RecordedEye, made_up, read_looks, score, see_until
from vision.frame import Frame
from vision.synthetic.play_board import DrawnBoardTable

SETTINGS = Settings(language="en", game=AUTO, build="laptop", display="none")
CARDS = card_tables()
BOARDS = tuple(kind.name for kind in GAMES.values() if kind.grid)
MESSES = ("made_house", "made_wide")
LOOKED_AT_S = 1.0
"""By then a card that was laid was looked at."""
Table = tuple[str, int]


@dataclass
class Course:
    """How it went with one evening."""

    name: str
    truth: Table
    found: list[tuple[float, Table]] = field(default_factory=list)
    """What it was taken to be, and when."""
    asked: list[tuple[float, tuple[Table, ...]]] = field(default_factory=list)
    """What it was said that it may be, whenever that changed; empty: it was not asked."""
    soon_s: float = math.inf
    """When a first trick was taken up, the next one led, another card lay on that, and all was looked at."""
    deal_s: float = math.inf
    """When the first deal was over."""
    score: EveningScore | None = None

    def at(self, when_s: float) -> str:
        """right, asked, open or wrong."""
        found = [what for at_s, what in self.found if at_s <= when_s]
        asked = [what for at_s, what in self.asked if at_s <= when_s]
        if found and found[-1] == self.truth:
            return "right"
        if asked and self.truth in asked[-1]:
            return "asked"
        return "wrong" if found else "open"

    @property
    def taken_for(self) -> str:
        """What it was taken for in the end."""
        if self.at(math.inf) == "asked":
            return "asked"
        return named(self.found[-1][1]) if self.found else "open"


def named(table: Table) -> str:
    return f"{table[0]} {table[1]}"


class Noting(LiveTable):
    """A table that notes what it finds and asks."""

    course: Course
    now_s = 0.0

    def see(self, frame: Frame) -> None:
        self.now_s = frame.at_s
        super().see(frame)
        asked = self._follower.asked(self.match) if isinstance(self._follower, AutoFollower) else None
        games = tuple((found.game, found.players) for found in asked.choices) if asked and asked.about == GAME else ()
        if games != (self.course.asked[-1][1] if self.course.asked else ()):
            self.course.asked.append((self.now_s, games))

    def _game_found(self, found: GameFound) -> None:
        self.course.found.append((self.now_s, (found.game, found.players)))
        super()._game_found(found)


def follow_cards(recorded: Recorded) -> Course:
    """An evening of cards, by its looks."""
    course = Course(recorded.name, (recorded.game, recorded.players))
    course.soon_s, course.deal_s = _moments(recorded)
    said: list[Notice] = []

    def begin(now: Settings) -> InMemory:
        said[:] = [notice for notice in said if notice.level == ALERT]
        return Noted(Match(now.game, now.players), said)

    eye = RecordedEye(recorded.looks)
    auto = partial(AutoFollower, eye=eye, finds_board=OneBoard(), thinks_s=math.inf)
    live = Noting(NotYet(SETTINGS), SETTINGS, begin, auto=auto)
    live.course = course
    last_s = 0.0
    for look in recorded.looks:
        see_until(live, last_s, look.at_s)
        last_s = look.at_s
    course.score = score(recorded.truth, recorded.game, recorded.players, said)
    return course


def _moments(recorded: Recorded) -> tuple[float, float]:
    """When the first trick was taken and the next one led, and when the first deal was over."""
    soon = deal = math.inf
    taken = led = 0
    for happening in recorded.truth["happened"]:
        at_s, event = (
            (happening["at_s"], happening["event"]) if isinstance(happening, dict) else (happening[0], happening[1])
        )
        taken += event == "taken"
        led += event == "play" and taken == 1
        if led == 2:
            soon = min(soon, at_s + LOOKED_AT_S)
        if event == "deal" and taken:
            deal = min(deal, at_s)
    return soon, deal


def follow_board(game: str, seed: int, turns: int = 3) -> Course:
    """The beginning of an evening at a board, drawn."""
    judge = Match(game).judge
    assert isinstance(judge, BoardJudge)
    course = Course(f"{game}-{seed}", (game, 2))
    table = DrawnBoardTable(seed, (960, 720), game=judge.game)
    events = [board_of(judge.game, judge.game.opening)]
    events += [board_of(judge.game, turn.after) for turn in islice(honest_turns(Random(seed), judge.game), turns)]
    live = Noting(NotYet(SETTINGS), SETTINGS, lambda now: InMemory(Match(now.game, now.players, now.house)))
    live.course = course
    for frame in table.play(events):
        live.see(frame)
    return course


def evenings(many: int, seed: int) -> Iterator[str]:
    """Names of evenings over all games, each as often as the others: two boards among fourteen tables of cards."""
    tables = [f"{game}-{players}-{{mess}}" for game, players in CARDS] + list(BOARDS)
    for number in range(many):
        table = tables[number % len(tables)]
        yield f"{table.format(mess=MESSES[number // len(tables) % 2])}-{seed + number // len(tables)}"


def follow(name: str) -> Course:
    """An evening by its name, or by the file of its looks."""
    if name.endswith(".jsonl"):
        return follow_cards(read_looks(Path(name)))
    game, *rest = name.split("-")
    return follow_board(game, int(rest[-1])) if GAMES[game].grid else follow_cards(made_up(name))


def told(course: Course) -> str:
    """An evening in a line."""
    line: dict[str, Any] = {
        "name": course.name,
        "soon": course.at(course.soon_s),
        "after deal": course.at(course.deal_s),
    }
    line |= {"taken for": course.taken_for, "found": [(round(at, 1), named(what)) for at, what in course.found]}
    if course.score is not None:
        line |= {"right": course.score.right, "false alerts": course.score.false_alerts}
    return json.dumps(line)


def summed(courses: Sequence[Course]) -> str:
    """The confusion table, and the shares."""
    taken_for: dict[Table, Counter[str]] = {}
    for course in courses:
        taken_for.setdefault(course.truth, Counter())[course.taken_for] += 1
    rows = [
        f"{named(truth):12} " + ", ".join(f"{what} {many}" for what, many in counted.most_common())
        for truth, counted in sorted(taken_for.items())
    ]
    soon, later = (Counter(course.at(when(course)) for course in courses) for when in (_soon, _deal))
    return "\n".join([*rows, f"after the first trick: {dict(soon)}", f"after the first deal: {dict(later)}"])


def _soon(course: Course) -> float:
    return course.soon_s


def _deal(course: Course) -> float:
    return course.deal_s


def main() -> None:
    """Follows evenings and tells how it went."""
    cv2.setNumThreads(1)
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--evenings", type=int, default=0)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("names", nargs="*")
    args = ask.parse_args()
    courses = []
    for name in (*args.names, *evenings(args.evenings, args.seed)):
        courses.append(follow(name))
        print(told(courses[-1]), flush=True)
    print(summed(courses))


if __name__ == "__main__":
    main()
