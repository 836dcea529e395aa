"""Innocence kept from trick to trick says what the whole proof says."""

from random import Random

import pytest

from engine.cards import Card, suit_of
from engine.events import Deal, Play
from engine.referee.innocence import Innocence, slots_of
from engine.referee.proof import INNOCENT, Outside, Shown, prove
from engine.rules.tricks import DRAWN_LAST, TrickGame
from engine.rules.triomphe import triomphe
from engine.rules.turufu import turufu
from engine.simulate import honest_deal


def told(game: TrickGame, seed: int, revokes: float) -> tuple[int, int]:
    """Plays a deal and looks at it both ways after each trick; how many were honest so far, and how many were not."""
    events = honest_deal(game, Random(seed), seed % game.players, revokes).events
    turn_up = next(event.turn_up for event in events if isinstance(event, Deal))
    plays = [(event.seat or 0, event.card or "") for event in events if isinstance(event, Play)]
    tricks = [plays[start : start + game.players] for start in range(0, len(plays), game.players)]
    drawn = game.turn_up_goes == DRAWN_LAST
    slots = slots_of(game.players, game.hand, game.draws, 0, len(game.pack) - (not drawn))
    assert turn_up is not None
    last = 0
    for seat in range(game.players):
        last |= slots.own[seat][game.draws]
    fixed: dict[Card, int] = {turn_up: last} if drawn else {}
    so_far: Innocence | None = Innocence.begun(game, frozenset() if drawn else frozenset({turn_up}), fixed)
    honest = guilty = 0
    for number, trick in enumerate(tricks, 1):
        assert so_far is not None
        so_far = so_far.after(game, suit_of(turn_up), number, trick, fixed)
        shown = [[Shown(seat, card) for seat, card in trick] for trick in tricks[:number]]
        proven = prove(game, suit_of(turn_up), shown, Outside(turn_up))
        assert (so_far is not None) == (proven == INNOCENT), (seed, number)
        if so_far is None:
            return honest, guilty + 1
        honest += 1
    return honest, guilty


@pytest.mark.parametrize("game", [turufu(2, {}), turufu(4, {}), turufu(6, {}), triomphe(4, {}), triomphe(6, {})])
def test_both_ways_agree_on_honest_deals_and_on_revokes(game: TrickGame) -> None:
    honest = guilty = 0
    for seed in range(60):
        good, bad = told(game, seed, 0.0 if seed % 2 else 0.3)
        assert seed % 2 == 0 or bad == 0
        honest, guilty = honest + good, guilty + bad
    assert honest > 150 and guilty > 3
