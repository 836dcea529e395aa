"""The demo: a simulated table, filmed, followed and shown by the same path as on the device; one move is illegal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random

from device import words
from device.cameras import Camera
from device.cameras.simulated import SimulatedCamera
from device.following.live import InMemory, LiveTable
from device.following.loop import StopOnSignals, run, run_through
from device.keeping.settings import Settings
from device.keys import Keys, has_keys
from device.outputs.terminal import TerminalOutput
from engine.events import Board, Event, TakenBack
from engine.games import GAMES
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.rules.tricks import TrickGame
from engine.simulate import plant
from engine.simulate_boards import FAULTS, board_of, honest_turns
from engine.simulate_boards import plant as plant_board

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

    table = LiveTable(InMemory(match), settings, begin, watch=terminal.watch)
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
