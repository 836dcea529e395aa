"""The command `hisabu play`: a game against the device, in the terminal; one of seeds also on a real board."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from device import words
from device.commands.bao import WRITTEN
from device.commands.console import add_house, add_language, complain, house_options, language_of
from device.commands.parsing import Help
from device.commands.play_cards import HELP, HINT, QUIT, UNDO, TrickScreen
from device.commands.table import run_device
from device.words import in_words
from engine.games import GAMES, game_kind
from engine.options import OptionError
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.referee.judge import Judge
from engine.referee.seed_game import NORTH, SOUTH
from engine.search import DEFAULT, LEVELS, SeedPlayer
from engine.search.advice import Advice, advice
from engine.search.lessons import Lesson, lessons_of

SHORT = {"u": UNDO, "h": HINT, "?": HELP, "q": QUIT, "exit": QUIT}
"""What people type too."""


def add_parsers(subparsers: Any) -> None:
    """Adds the command to the console script's parser."""
    play = subparsers.add_parser("play", help="play", description="play_about")
    play.add_argument("game", nargs="?", default="mraha", choices=tuple(GAMES), metavar="GAME", help=", ".join(GAMES))
    play.add_argument("--players", type=int, metavar="N", help="play_players")
    levels = f"{min(LEVELS)}-{max(LEVELS)}"
    play.add_argument(
        "--level", type=int, choices=LEVELS, default=DEFAULT, metavar="N", help=Help("level", allowed=levels)
    )
    play.add_argument("--second", action="store_true", help="play_second")
    play.add_argument("--camera", metavar="CAMERA", help="play_camera")
    play.add_argument("--teach", action="store_true", help="play_teach")
    play.add_argument("--lessons", action="store_true", help="play_lessons")
    play.add_argument("--seed", type=int, metavar="N", help="play_seed")
    add_house(play)
    add_language(play)
    play.set_defaults(run=run_play)


def run_play(args: argparse.Namespace) -> int:
    """Plays until somebody has won, or the person stops."""
    language = language_of(args)
    kind = game_kind(args.game)
    try:
        house = house_options(args)
        judge, _ = kind.judge(kind.players if args.players is None else args.players, house)
    except OptionError as error:
        return complain(in_words(error, language))
    cannot = _cannot(args, judge, house)
    if cannot is not None:
        return complain(words.say(language, f"play-{cannot}", game=words.game_name(args.game, language)))
    if args.camera is not None:
        return _on_a_board(args, house)
    seed = Random().randrange(10_000) if args.seed is None else args.seed
    if isinstance(judge, CardJudge):
        lines = TrickScreen(judge.game, args.level, seed, language, args.teach).play(_typed)
    else:
        assert isinstance(judge, BoardJudge)
        person = NORTH if args.second else SOUTH
        screen = SeedScreen(args.game, SeedPlayer(judge.game, args.level, seed), person, language, args.teach)
        lines = screen.lessons(_typed) if args.lessons else screen.play(_typed)
    for line in lines:
        print(line, flush=True)
    return 0


def _cannot(args: argparse.Namespace, judge: Judge[Any], house: Mapping[str, object]) -> str | None:
    """Why it cannot be played as it was asked for, if it cannot."""
    if args.camera is not None and not isinstance(judge, BoardJudge):
        return "no_camera"
    if args.second and not isinstance(judge, BoardJudge):
        return "no_second"
    if args.lessons and not (isinstance(judge, BoardJudge) and lessons_of(judge.game)):
        return "no_lessons"
    return "usual_rules" if args.lessons and any(name != "preset" for name in house) else None


def _on_a_board(args: argparse.Namespace, house: dict[str, object]) -> int:
    """The same, on the board that a camera watches: what `hisabu run` does, for this game."""
    options = {name: value for name, value in house.items() if name != "preset"}
    more = {
        "settings": None, "against": args.level, "device_begins": args.second, "device_seat": None, "record": None,
        "new": False, "terminal": False, "page": None, "verbose": False, "preset": house.get("preset"),
        "options": {args.game: options} if options else None,
    }  # fmt: skip
    return run_device(argparse.Namespace(**{**vars(args), **more}))


def _typed() -> str | None:
    """What the person types; None: nothing more comes."""
    asked = next((line.strip() for line in iter(sys.stdin.readline, "") if line.strip()), None)
    return asked and SHORT.get(asked.lower(), asked)


@dataclass
class SeedScreen:
    """A game between a person and the device."""

    name: str
    player: SeedPlayer
    person: int
    language: str
    teaches: bool = False
    position: Any = None
    _before: list[Any] = field(default_factory=list)
    """Positions that the person may go back to."""

    def play(self, typed: Callable[[], str | None]) -> Iterator[str]:
        """What is to be printed, line by line; typed is asked whenever the person is to move."""
        self.position = self.player.game.opening
        yield self._say("keys")
        while not self.position.over:
            if self.position.to_move != self.person:
                yield from self._device_plays()
                continue
            yield from self._board()
            yield self._say("your_turn", turns=", ".join(self._legal))
            asked = typed()
            if asked is None or asked.lower() == QUIT:
                return
            yield from self._person_says(asked)
        yield from self._board()
        winner = self.position.winner
        yield self._say("drawn") if winner is None else self._say("won" if winner == self.person else "lost")

    def lessons(self, typed: Callable[[], str | None]) -> Iterator[str]:
        """Small positions: in each the best turn is to be found; of a worse one it is said how much worse."""
        lessons = lessons_of(self.player.game)
        for number, lesson in enumerate(lessons, 1):
            self.position = lesson.position(self.player.game)
            yield from self._board()
            yield self._say("lesson", number=number, many=len(lessons))
            key: str | None = None
            while key != lesson.best:
                yield self._say("your_turn", turns=", ".join(self._legal))
                asked = typed()
                if asked is None or asked.lower() == QUIT:
                    return
                key = self._key(asked)
                yield self._lesson_answer(lesson, asked, key)
        yield self._say("lessons_over")

    def _lesson_answer(self, lesson: Lesson, asked: str, key: str | None) -> str:
        """What is said to a turn in a lesson."""
        if asked.lower() == HINT:
            return self._say("hint", turn=self._named(lesson.best))
        if asked.lower() == HELP:
            return self._say("lesson_keys")
        if asked.lower() == UNDO:
            return self._say("nothing_to_undo")
        if key is None:
            return self._say("not_legal", typed=asked, turns=", ".join(self._legal))
        if key == lesson.best:
            return self._say("best")
        return f"{self._advised(lesson.told_of(self.player.game, key))} {self._say('again')}"

    def _say(self, name: str, **facts: object) -> str:
        return words.say(self.language, f"play-{name}", **facts)

    @property
    def _legal(self) -> dict[str, Any]:
        return dict(self.player.game.legal(self.position))

    def _board(self) -> Iterator[str]:
        yield ""
        yield from WRITTEN[self.name].rows(self.position, self.language)

    def _named(self, key: str) -> str:
        return f"{key} ({words.move_name(key, self.language)})"

    def _device_plays(self) -> Iterator[str]:
        line = self.player.turn(self.position)
        turn = self._legal[line.key]
        yield self._say("device", turn=self._named(line.key), captured=turn.captured)
        self.position = turn.after

    def _person_says(self, asked: str) -> Iterator[str]:
        if asked.lower() == UNDO:
            if self._before:
                self.position = self._before.pop()
            else:
                yield self._say("nothing_to_undo")
        elif asked.lower() == HINT:
            yield self._say("hint", turn=self._named(self._good_turn()))
        elif asked.lower() == HELP:
            yield self._say("keys")
        else:
            key = self._key(asked)
            if key is None:
                yield self._say("not_legal", typed=asked, turns=", ".join(self._legal))
                return
            yield from self._taught(key)
            self._before.append(self.position)
            self.position = self._legal[key].after

    def _good_turn(self) -> str:
        """What a good player would do, however weak the level that is played against."""
        player = self.player
        return SeedPlayer(player.game, max(DEFAULT, player.level), limits=player.limits).best(self.position).key

    def _key(self, asked: str) -> str | None:
        """The legal turn that was meant, in small letters or capitals."""
        return next((key for key in self._legal if key.lower() == asked.lower()), None)

    def _taught(self, key: str) -> Iterator[str]:
        """How much a turn gives away, and what was better, where that is asked for."""
        if not self.teaches or len(self._legal) < 2:
            return
        yield self._advised(advice(self.player.game, self.position, key))

    def _advised(self, told: Advice) -> str:
        """What is said of a turn."""
        return words.sentence({"notice": "advice", **told._asdict()}, self.language, game=self.name)
