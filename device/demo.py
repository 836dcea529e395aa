"""The demo: a whole simulated match with one illegal move in it, drawn as the device would show it."""

import sys
import time
from collections.abc import Iterator
from random import Random

from device import words
from device.terminal import Screen
from engine.events import Event, TakenBack
from engine.match import Match
from engine.notices import ALERT
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal, plant

MOVE_S, TRICK_S, ALERT_S, DEAL_S = 0.12, 0.5, 2.5, 2.0
"""How long each thing stays on the screen when nobody asked for speed."""
HOME, CLEAR_LINE, CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"


def play(game: str, players: int | None, seed: int, fast: bool, language: str) -> int:
    """Plays one match to its end. OptionError: no such table."""
    match = Match(game, players)
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
    """Deals until the match is won; the first one has a lead by the wrong seat in it, taken back and made good."""
    assert isinstance(match.judge, CardJudge)
    game = match.judge.game
    dealer = rng.randrange(game.players)
    faulty = plant("wrong_leader", game, rng, dealer)[:-1]
    while match.view.winner is None:
        first = len(match.log)
        for event in faulty or honest_deal(game, rng, dealer).events:
            # A planted fault counts its events from 1.
            yield TakenBack(event.number + first) if isinstance(event, TakenBack) else event
        faulty = []
        dealer = match.view.dealer if match.view.dealer is not None else dealer
        dealer = game.next_dealer(dealer, match_won=False)
