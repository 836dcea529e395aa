"""The demo: a simulated table, filmed, followed and shown by the same path as on the device; one move is illegal."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from random import Random
from typing import Any, cast

from device import words
from device.cameras import Camera
from device.cameras.simulated import SimulatedCamera
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.loop import StopOnSignals, run, run_through
from device.following.press import Press
from device.following.show import Show
from device.keeping.settings import Settings
from device.keys import Keys, has_keys
from device.outputs.terminal import TerminalOutput
from engine.events import Board, Choose, Deal, Event, GameEvent, Play, Take, TakenBack
from engine.games import GAMES
from engine.match import Match
from engine.notices import ALERT
from engine.referee.board_judge import WHICH_TURN, BoardJudge
from engine.referee.card_game import CardJudge
from engine.referee.naming_trump import TAKER, TRUMP
from engine.referee.seed_game import SeedGame
from engine.rules.tricks import TrickGame
from engine.simulate import SimulatedDeal, honest_deal
from engine.simulate_boards import FAULTS, board_of, honest_turns
from engine.simulate_boards import plant as plant_board
from vision.frame import Frame

SIZE = (960, 720)
"""Of the demo's pictures: a Pi reads them in time too."""
LEAST_READ_S, READ_S_A_LETTER = 4.0, 0.08
"""How long an alert stands before the demo plays on: a glance at it, and twelve letters a second."""
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
        camera.hold = _AlertRead(lambda: terminal.on_screen)
        inputs = [lambda pressed: Keys(pressed, lambda: terminal.on_screen)] if keys else []
        status = run(lambda: camera, table, [terminal], StopOnSignals(), inputs=inputs)
    terminal.close()
    if not sys.stdout.isatty():
        print("\n".join(terminal.lines(table.show)).rstrip())
    print("\n" + words.say(language, "screen-go_on"))
    return status


class TableWithPlayers(LiveTable):
    """A table whose players also say what no camera sees, by the buttons: who takes, what is trump, which turn."""

    camera: SimulatedCamera | None = None

    def film(self, camera: Camera) -> None:
        """Which camera knows what is played."""
        self.camera = camera if isinstance(camera, SimulatedCamera) else None

    def see(self, frame: Frame) -> None:
        super().see(frame)
        truth = self.camera.table.truth if self.camera is not None else []
        say_who_takes(self, [told.event for told in truth])
        say_which_turn(self, [told.event for told in truth])


def say_who_takes(table: LiveTable, happened: Sequence[Event]) -> None:
    """Presses what players say who are asked who takes, and what is trump, as it truly happened in this deal."""
    asked, prompt = table.match.view.question, table.show.prompt
    taken = next((event for event in reversed(happened) if isinstance(event, Deal | Take)), None)
    if not isinstance(taken, Take) or asked is None or prompt is None or asked.facts["about"] not in (TAKER, TRUMP):
        return
    _say(table, str(taken.seat) if asked.facts["about"] == TAKER else str(taken.trump))


def say_which_turn(table: LiveTable, happened: Sequence[Event]) -> None:
    """Presses what players say who are asked which turn it was, as it truly happened."""
    asked = table.match.view.question
    if asked is None or table.show.prompt is None or asked.facts["about"] != WHICH_TURN:
        return
    header = table.match.header
    truth = Match.of(header)
    notices = [notice for event in happened for notice in truth.add(event)]
    played = [
        notice.facts["rule" if notice.level == ALERT else "key"]
        for notice in notices
        if notice.code in ("illegal", "move")
    ]
    for known in (played, played[:-1]):  # The one after it may be under way.
        for choice in asked.facts["choices"]:
            if known[-len(choice.split()) :] == choice.split():
                return _say(table, choice)


def _say(table: LiveTable, wanted: str) -> None:
    """Presses the button of an answer, or the one that shows others."""
    prompt = table.show.prompt
    assert prompt is not None
    label = words.choice_name(wanted, table.show.language, table.show.seats)
    table.press(Press("ABC"[prompt.answers.index(label)] if label in prompt.answers else "C"))


class _AlertRead:
    """Whether somebody is still reading an alert: until its time is over, or a key has answered it."""

    def __init__(self, on_screen: Callable[[], Show | None]) -> None:
        self._on_screen = on_screen
        self._alert: str | None = None
        self._until_s = 0.0

    def __call__(self) -> bool:
        shown = self._on_screen()
        alert = shown.alert if shown is not None else None
        if alert != self._alert:
            self._alert = alert
            self._until_s = time.monotonic() + LEAST_READ_S + READ_S_A_LETTER * len(alert or "")
        return alert is not None and time.monotonic() < self._until_s


def simulated(
    match: Match,
    seed: int,
    real_time: bool,
    on_and_on: bool = False,
    now: Callable[[], Match] | None = None,
    size: tuple[int, int] = SIZE,
) -> SimulatedCamera:
    """A camera over a table that plays this match, with one illegal move in it; or, where it is played against the
    device, by turns as it asks for them. on_and_on: it has no end. now: gives the match as it is followed."""
    rng = Random(seed)
    if isinstance(match.judge, BoardJudge):
        from vision.synthetic.play_board import DrawnBoardTable

        judge, board = match.judge, DrawnBoardTable(seed, size, fast=not real_time, game=match.judge.game)
        if match.header.against is not None and now is not None:
            person = DemoPlayer(judge.game, match.header.against.side, now, rng, board.holds, 0.0 if real_time else 0.5)
            return SimulatedCamera(board, person.evening() if on_and_on else person.turns(), real_time)
        games = (some_turns(judge, rng, board.holds) for _ in (count() if on_and_on else range(1)))
        return SimulatedCamera(board, chain.from_iterable(games), real_time)
    from vision.synthetic.play_cards import DrawnCardTable

    assert isinstance(match.judge, CardJudge)
    game = match.judge.game
    table = DrawnCardTable(game, seed, size, fast=not real_time)
    events = deal_after_deal(game, rng) if on_and_on else one_deal(game, rng)
    return SimulatedCamera(table, events, real_time)


REVOKES, MOST_DEALS = 0.1, 60
"""The chance that a play that could break a duty does, and how many deals are looked at for one that is found out."""
MOST_WAITS = 60
"""Seconds of film in which the device may think."""


@dataclass
class DemoPlayer:
    """Plays against the device on a board: turns by lot, and for the device those that it asks for."""

    game: SeedGame[Any]
    side: int
    """The device's."""
    now: Callable[[], Match]
    rng: Random
    holds: Callable[[Board], bool]
    waits_s: float = 0.0
    """Between two looks at whether the device has said its turn, where the film does not keep the time itself."""
    slips: float = 0.0
    """The chance that another legal turn is made than the device asked for."""
    most_slips: int = 1000
    most_turns: int = 1000
    position: Any = None
    slipped: int = 0
    whole: bool = False
    """The game was played to its end."""

    def evening(self) -> Iterator[Event]:
        """Game after game."""
        while True:
            yield from self.turns()

    def turns(self) -> Iterator[Event]:
        """One game, as far as the board's pits hold the seeds."""
        self.position = self.game.opening
        yield self._lies
        for _ in range(self.most_turns):
            if self.position.over:
                break
            turns = self.game.legal(self.position)
            if self.position.to_move == self.side:
                yield from self._wait(self._wanted)
                key = self._wanted()
            else:
                key = self.rng.choice(list(turns))
            if key is None or key not in turns or not self.holds(board_of(self.game, turns[key].after)):
                return
            if self.position.to_move == self.side and self.slipped < self.most_slips and self.rng.random() < self.slips:
                yield from self._slip(key, turns)
                continue
            self.position = turns[key].after
            yield self._lies
        self.whole = bool(self.position.over)

    @property
    def _lies(self) -> Board:
        return board_of(self.game, self.position)

    def _slip(self, key: str, turns: Mapping[str, Any]) -> Iterator[Event]:
        """Another turn than was asked for; what follows is what the table answers."""
        right = turns[key].after.sides
        others = [turn.after for turn in turns.values() if turn.after.sides != right and not turn.after.over]
        others = [after for after in others if self.holds(board_of(self.game, after))]
        before = self.position
        if not others:
            self.position = turns[key].after
            yield self._lies
            return
        self.slipped += 1
        self.position = self.rng.choice(others)
        answers = self._answers()
        yield self._lies
        yield from self._wait(lambda: self._answers() > answers)
        if self.now().view.wanted is not None:  # It is to be played anew.
            self.position = before
            yield self._lies

    def _answers(self) -> int:
        return sum(isinstance(event, Choose) for event in self.now().log)

    def _wanted(self) -> str | None:
        view = self.now().view
        return view.wanted if view.turn == self.side and view.question is None else None

    def _wait(self, until: Callable[[], object]) -> Iterator[Event]:
        """The board lies there until then."""
        for _ in range(MOST_WAITS):
            if until():
                return
            time.sleep(self.waits_s)
            yield self._lies


def deal_after_deal(game: TrickGame, rng: Random) -> Iterator[Event]:
    """One deal, and honest ones after it, without end."""
    first = one_deal(game, rng)
    yield from first
    dealer = next(event.dealer or 0 for event in first if isinstance(event, Deal))
    while True:
        dealer = game.next_dealer(dealer, match_won=False)
        yield from honest_deal(game, rng, dealer).events


def one_deal(game: TrickGame, rng: Random) -> Sequence[Event]:
    """A deal with what people argue about: a second card in one trick, taken back, and later a card that breaks a duty,
    which the cards played after it prove."""
    events = list(_deal_with_a_revoke(game, rng))
    plays = [place for place, event in enumerate(events) if isinstance(event, Play)]
    # In the second trick, whose leader lays one of his next cards too: by then it is known who sits where.
    lead, place = plays[game.players : game.players + 2]
    leader = cast(Play, events[lead]).seat
    later = [cast(Play, events[play]) for play in plays[2 * game.players :]]
    wrong = Play(rng.choice([play.card for play in later if play.seat == leader]), leader)
    return [*events[:place], wrong, TakenBack(place + 1), *_later(events[place:], by=2, since=place + 1)]


def _deal_with_a_revoke(game: TrickGame, rng: Random) -> Sequence[Event]:
    """A deal in which one player breaks one duty, and is found out; an honest one, if luck brings none."""
    for _ in range(MOST_DEALS):
        deal = honest_deal(game, rng, rng.randrange(game.players), REVOKES)
        if len(deal.revokes) == 1 and deal.revokes[0][1] > 1 and _found_out(game, deal):
            return deal.events
    return honest_deal(game, rng, rng.randrange(game.players)).events


def _found_out(game: TrickGame, deal: SimulatedDeal) -> bool:
    """Whether the cards prove who revoked, and nothing else is amiss."""
    judge = CardJudge(game)
    state, alerts = judge.start(), []
    for number, event in enumerate(deal.events, 1):
        state, notices = judge.apply(state, number, cast(GameEvent, event))
        alerts += [notice for notice in notices if notice.level == ALERT]
    return bool(alerts) and all(notice.code == "revoke" for notice in alerts)


def _later(events: Sequence[Event], by: int, since: int) -> Iterator[Event]:
    """Events that come later in the log: those that speak of others by number speak of them still."""
    for event in events:
        if isinstance(event, TakenBack) and event.number >= since:
            event = TakenBack(event.number + by)
        yield event


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
