"""Thinks about a board, or a hand of cards, in a process of its own, with what the machine has to spare: it costs no
frame, and may die.

`python -m device.following.thinker` is that process. Both ends are this file, and nobody else speaks to either.
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any, cast

from engine.games import game_kind
from engine.options import OptionValue
from engine.referee.board_judge import BoardJudge
from engine.search import DEFAULT, LEVELS, Limits, SeedPlayer
from engine.search.advice import LOOKS, Advice, advice
from engine.search.cards import LEVEL_SAMPLES, CardPlayer

COMMAND = (sys.executable, "-m", "device.following.thinker")
LONGEST_S = 8.0
"""Of one thought, on a machine that is too slow for a level: nobody waits longer for a turn."""
PATIENCE_S = 30.0
"""A thought that is not back by then hangs: its start on a slow Pi is in it."""
AGAIN_FIRST_S, AGAIN_LONGEST_S = 0.5, 30.0
"""Between a death and the next start; each wait is twice the one before."""
LAST_S = 0.5
"""How long a process that was ended is waited for."""
PONDERED = 1_000_000_000
"""Positions looked at while the other side thinks, if it thinks so long."""
LEAST_PRIORITY = 19
TURN, HINT, PONDER, ADVISE = "turn", "hint", "ponder", "advise"


@dataclass(frozen=True)
class Begin:
    """Who thinks, and of what."""

    game: str
    options: Mapping[str, OptionValue]
    level: int
    seed: int

    def player(self) -> SeedPlayer | CardPlayer:
        """Who plays at this level."""
        kind = game_kind(self.game)
        if kind.grid is None:
            return CardPlayer(self.seed, LEVEL_SAMPLES[self.level])
        judge, _ = kind.judge(kind.players, self.options)
        assert isinstance(judge, BoardJudge)
        limits = replace(LEVELS[self.level].limits, seconds=LONGEST_S)
        return SeedPlayer(judge.game, self.level, self.seed, limits)


@dataclass(frozen=True)
class _Thought:
    """What is to be thought about. what: TURN, the turn to play; HINT, what is best for the person; PONDER, the other
    side is to move, and has time; ADVISE, how good a turn was."""

    number: int
    position: Any
    what: str
    key: str = ""
    """The turn that was played."""
    best: str | None = None
    """The best one, where it is known."""


@dataclass
class Thinker:
    """The near end. Nothing here waits for the process."""

    begin: Begin
    command: Sequence[str] = COMMAND
    patience_s: float = PATIENCE_S
    away: bool = False
    """The process died or hung, and has not answered since."""
    deaths: int = 0
    _process: "subprocess.Popen[bytes] | None" = None
    _answers: "queue.SimpleQueue[tuple[int, Any]]" = field(default_factory=queue.SimpleQueue)
    _thought: _Thought | None = None
    _answer: Any = None
    _since_s: float = 0.0
    """When the thought was sent."""
    _again_s: float = 0.0
    """Not started again before."""
    _pause_s: float = AGAIN_FIRST_S

    def turn(self, position: Any) -> str | None:
        """The turn to play from a position; None: it is still being thought about."""
        return cast("str | None", self._think(position, TURN))

    def hint(self, position: Any) -> str | None:
        """The best turn for whoever is to move, whatever the level; None: it is still being thought about."""
        return cast("str | None", self._think(position, HINT))

    def advise(self, position: Any, key: str, best: str | None = None) -> Advice | None:
        """What there is to say of a turn from a position; None: it is still being thought about."""
        return cast("Advice | None", self._think(position, ADVISE, key, best))

    def ponder(self, position: Any) -> None:
        """Thinks about what the other side may play."""
        self._think(position, PONDER)

    def close(self) -> None:
        """Ends the process; harmless twice."""
        process, self._process = self._process, None
        self._thought = None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)
        try:
            process.wait(LAST_S)
        except subprocess.TimeoutExpired:
            return  # It waits for a disk that hangs: the system ends it once that is over.

    def _think(self, position: Any, what: str, key: str = "", best: str | None = None) -> Any:
        """What came of it; None: nothing yet."""
        asked = _Thought(1 if self._thought is None else self._thought.number, position, what, key, best)
        if asked != self._thought:
            self._thought, self._answer = replace(asked, number=asked.number + 1), None
            self._send()
        self._listen()
        if self._died() and time.monotonic() >= self._again_s:
            self._send()
        return self._answer

    def _died(self) -> bool:
        """Whether there is no process. One that is dead or hangs is let go of."""
        if self._process is None:
            return True
        assert self._thought is not None
        hangs = (
            self._thought.what != PONDER and self._answer is None and time.monotonic() - self._since_s > self.patience_s
        )
        if self._process.poll() is None and not hangs:
            return False
        self._broke()
        return True

    def _broke(self) -> None:
        thought = self._thought
        self.close()
        self._thought, self.away = thought, True
        self.deaths += 1
        self._again_s = time.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, AGAIN_LONGEST_S)

    def _send(self) -> None:
        """The thought goes to the process, which is started if there is none."""
        if self._process is None and time.monotonic() < self._again_s:
            return
        try:
            if self._process is None:
                self._start()
            assert self._process is not None and self._process.stdin is not None
            _put(self._process.stdin, self._thought)
            self._since_s = time.monotonic()
        except OSError:
            self._broke()

    def _start(self) -> None:
        self._answers = queue.SimpleQueue()
        path = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        threading.Thread(target=_take, args=(self._process.stdout, self._answers), name="thinker", daemon=True).start()
        _put(self._process.stdin, self.begin)

    def _listen(self) -> None:
        while not self._answers.empty():
            number, answer = self._answers.get()
            if self._thought is not None and number == self._thought.number:
                self._answer, self.away, self._pause_s = answer, False, AGAIN_FIRST_S


def _put(pipe: IO[bytes], what: object) -> None:
    pipe.write(pickle.dumps(what))
    pipe.flush()


def _take(pipe: IO[bytes], into: "queue.SimpleQueue[Any]") -> None:
    """What comes, until there is no more."""
    while True:
        try:
            into.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            return


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:
        return  # What was not written is for nobody.


# -- the far end -------------------------------------------------------------------------------------------------------


def main() -> None:
    """Thinks about whatever came last, until nobody asks any more."""
    os.nice(LEAST_PRIORITY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Whoever started it says when it is over.
    asks, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    player = pickle.load(asks).player()
    inbox: queue.SimpleQueue[_Thought] = queue.SimpleQueue()

    def listen() -> None:
        _take(asks, inbox)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    if isinstance(player, SeedPlayer):
        player.searcher.stop = lambda: not inbox.empty()
    while True:
        thought = inbox.get()
        if not inbox.empty():
            continue
        if thought.what == PONDER and isinstance(player, SeedPlayer):
            player.searcher.lines(thought.position, Limits(nodes=PONDERED))
            continue
        answer = _thought_out(player, thought)
        if inbox.empty():
            _put(answers, (thought.number, answer))


def _thought_out(player: SeedPlayer | CardPlayer, thought: _Thought) -> str | Advice:
    """What comes of a thought that has an answer."""
    if isinstance(player, CardPlayer):
        return player.move(thought.position)
    if thought.what == TURN:
        return player.turn(thought.position).key
    if thought.what == ADVISE:
        looks = replace(LOOKS, seconds=LONGEST_S / 4)
        return advice(player.game, thought.position, thought.key, thought.best, looks)
    limits = replace(LEVELS[DEFAULT].limits, seconds=LONGEST_S)
    return player.searcher.lines(thought.position, limits)[0].key


if __name__ == "__main__":
    main()
