"""The demo: a simulated table, filmed, followed and shown by the same path as on the device; one move is illegal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random

from device import words
from device.cameras import Camera
from device.cameras.simulated import SimulatedCamera
from device.following.live import InMemory, LiveTable
from device.following.loop import StopOnSignals, run, run_through
from device.following.press import Press
from device.keeping.settings import Settings
from device.keys import Keys, has_keys
from device.outputs.terminal import TerminalOutput
from engine.events import Board, Event, Take, TakenBack
from engine.games import GAMES
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.referee.taking import TAKER, TRUMP
from engine.rules.tricks import TrickGame
from engine.simulate import plant
from engine.simulate_boards import FAULTS, board_of, honest_turns
from engine.simulate_boards import plant as plant_board
from vision.frame import Frame

SIZE = (960, 720)
"""Of the demo's pictures: a Pi reads them in time too."""
FAULT = "wrong_leader"
"""The illegal move: everybody sees it, and it is soon made good."""

TURNS, SLIP_FROM = 12, 4
"""Turns of a game of seeds that are played, and the first that may be played wrong."""


def play(game: str, players: int | None, seed: int, fast: bool, language: str) -> int:
    """Plays one deal, or the beginning of a game on a board. OptionError: no such table."""
    match = Match(game, players, {"show_counts": "yes"} if GAMES[game].grid else None)
    settings = Settings(language=language, game=game, players=match.header.players, build="laptop", display="none")
    keys = not fast and has_keys()
    terminal = TerminalOutput(keys=keys)
    camera = simulated(match, seed, real_time=not fast)

    def begin(wanted: Settings) -> InMemory:
        return InMemory(Match(game, wanted.players, match.header.options))

    table = TableWithPlayers(InMemory(match), settings, begin, watch=terminal.watch)
    table.film(camera)
    if fast:
        run_through(camera, table, [terminal])
        status = 0
    else:
        inputs = [lambda pressed: Keys(pressed, lambda: terminal.on_screen)] if keys else []
        status = run(lambda: camera, table, [terminal], StopOnSignals(), inputs=inputs)
    terminal.close()
    if not sys.stdout.isatty():
        print("\n".join(terminal.lines(table.show)).rstrip())
    print("\n" + words.table(language)["screen"]["go_on"])
    return status


class TableWithPlayers(LiveTable):
    """A table whose players also say what no camera sees, by the buttons: who takes, and what is trump."""

    camera: SimulatedCamera | None = None

    def film(self, camera: Camera) -> None:
        """Which camera knows what is played."""
        self.camera = camera if isinstance(camera, SimulatedCamera) else None

    def see(self, frame: Frame) -> None:
        super().see(frame)
        truth = self.camera.table.truth if self.camera is not None else []
        taken = next((told.event for told in reversed(truth) if isinstance(told.event, Take)), None)
        asked, prompt = self.match.view.question, self.show.prompt
        if taken is None or asked is None or prompt is None or asked.facts["about"] not in (TAKER, TRUMP):
            return
        wanted = str(taken.seat) if asked.facts["about"] == TAKER else taken.trump
        label = words.choice_name(wanted, self.show.language, self.show.seats)
        self.press(Press("ABC"[prompt.answers.index(label)] if label in prompt.answers else "C"))


def simulated(match: Match, seed: int, real_time: bool) -> Camera:
    """A camera over a table that plays this match, with one illegal move in it."""
    if isinstance(match.judge, BoardJudge):
        from vision.synthetic.play_board import BoardTable

        board = BoardTable(seed, SIZE, fast=not real_time, game=match.judge.game)
        return SimulatedCamera(board, some_turns(match.judge, Random(seed), board.holds), real_time)
    from vision.synthetic.play_cards import CardTable

    assert isinstance(match.judge, CardJudge)
    table = CardTable(match.judge.game, seed, SIZE, fast=not real_time)
    return SimulatedCamera(table, one_deal(match.judge.game, Random(seed)), real_time)


def one_deal(game: TrickGame, rng: Random) -> Sequence[Event]:
    """A deal with a lead by the wrong seat in it, taken back: not the first, since anybody may have dealt."""
    dealer = rng.randrange(game.players)
    while True:
        events = plant(FAULT, game, rng, dealer)[:-1]
        if any(isinstance(event, TakenBack) and event.number > game.players for event in events):
            return events


def some_turns(judge: BoardJudge, rng: Random, holds: Callable[[Board], bool]) -> Iterator[Event]:
    """The beginning of a game; one turn is played wrong, the seeds are put back, and it is played again rightly."""
    game, fault = judge.game, FAULTS[judge.game.name].plain
    position = game.opening
    yield board_of(game, position)
    slipped = False
    for number, turn in enumerate(honest_turns(rng, game), 1):
        wrong = None if slipped or number < SLIP_FROM else plant_board(judge, position, fault, rng)
        after = board_of(game, turn.after)
        if number > TURNS or not holds(after) or (wrong is not None and not holds(wrong)):
            return
        if wrong is not None:
            slipped = True
            yield wrong
            yield board_of(game, position)
        position = turn.after
        yield after
