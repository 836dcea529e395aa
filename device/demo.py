"""The demo: a whole simulated match with one illegal move in it, drawn as the device would show it."""

import sys
import time
from collections.abc import Iterator
from random import Random

from device import words
from device.terminal import Screen
from engine.events import Board, Event, TakenBack
from engine.match import Match
from engine.notices import ALERT
from engine.referee.card_game import CardJudge
from engine.referee.mraha import MrahaJudge
from engine.rules.mraha import Flags, board_rows, start
from engine.rules.tricks import TrickGame
from engine.simulate import honest_deal, plant
from engine.simulate_mraha import honest_turns
from engine.simulate_mraha import plant as plant_board

MOVE_S, TRICK_S, ALERT_S, DEAL_S = 0.12, 0.5, 2.5, 2.0
"""How long each thing stays on the screen when nobody asked for speed."""
SLIP_FROM = 4
"""The turn of mraha from which one is played wrong."""
HOME, CLEAR_LINE, CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"


def play(game: str, players: int | None, seed: int, fast: bool, language: str) -> int:
    """Plays one match to its end. OptionError: no such table."""
    # The seeds are the picture of the table here; on the device they are not shown unless asked for.
    match = Match(game, players, {"show_counts": "yes"} if game == "mraha" else None)
    live = sys.stdout.isatty()
    screen = Screen(language, colour=live)
    messages: list[str] = []
    for event in _events(match, Random(seed)):
        notices = match.add(event)
        said = [(notice, words.sentence(notice.to_dict(), language)) for notice in notices]
        messages += [text for _, text in said]
        alert = next((text for notice, text in said if notice.level == ALERT), None)
        if live:
            lines = screen.draw(match.view.to_dict(), messages, alert)
            print(HOME + "\n".join(line + CLEAR_LINE for line in lines) + CLEAR_REST, end="", flush=True)
        else:
            for _, text in said:
                print(text)
        if not fast:
            codes = {notice.code for notice, _ in said}
            time.sleep(ALERT_S if alert else DEAL_S if "deal_scored" in codes else TRICK_S if codes else MOVE_S)
    if not live:
        print("\n".join(screen.draw(match.view.to_dict(), [])).rstrip())
    print("\n" + words.table(language)["screen"]["go_on"])
    return 0


def _events(match: Match, rng: Random) -> Iterator[Event]:
    """Play until the match is won; early in it something illegal happens and is made good."""
    if isinstance(match.judge, CardJudge):
        return _card_events(match, match.judge.game, rng)
    assert isinstance(match.judge, MrahaJudge)
    return _board_events(match.judge.flags, rng)


def _card_events(match: Match, game: TrickGame, rng: Random) -> Iterator[Event]:
    """The first deal has a lead by the wrong seat in it, taken back."""
    dealer = rng.randrange(game.players)
    faulty = plant("wrong_leader", game, rng, dealer)[:-1]
    while match.view.winner is None:
        first = len(match.log)
        for event in faulty or honest_deal(game, rng, dealer).events:
            # A planted fault counts its events from 1.
            yield TakenBack(event.number + first) if isinstance(event, TakenBack) else event
        faulty = []
        dealer = game.next_dealer(dealer, match_won=False)


def _board_events(flags: Flags, rng: Random) -> Iterator[Event]:
    """One turn stops short; the seeds are put back, and it is played again rightly."""
    position = start(flags)
    yield Board(board_rows(position))
    slipped = False
    for number, turn in enumerate(honest_turns(rng, flags), 1):
        wrong = None if slipped or number < SLIP_FROM else plant_board(position, flags, "stopped_short", rng)
        if wrong is not None:
            slipped = True
            yield wrong
            yield Board(board_rows(position))
        position = turn.after
        yield Board(board_rows(position))
