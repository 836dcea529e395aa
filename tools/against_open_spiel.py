"""Plays awalé against OpenSpiel's tree search (MCTS, with games played out by lot) at equal time on one core.

    pip install open_spiel
    python -m tools.against_open_spiel [--games 40] [--seconds 0.2] [--first-seed 0]

Its game and ours have the same rules, but that its game is over as soon as a position comes again: it says who won.
Every pair of games has the same opening with sides changed. A game that is drawn counts half.
"""

import argparse
import json
import math
from random import Random
from typing import Any

from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.search import Limits, SeedPlayer

OPENING = 4
"""Turns by lot before each game, so that no two are alike."""
MOST = 10**9
"""Nodes and simulations: the clock ends each turn."""
KEYS = ("ABCDEF", "abcdef")


def won(opening: int, our_side: int, seconds: float) -> float:
    """What we win of one game: 1, or a half."""
    import pyspiel

    judge = Match("awale").judge
    assert isinstance(judge, BoardJudge)
    theirs = pyspiel.load_game("oware")
    state, position, lot = theirs.new_initial_state(), judge.game.opening, Random(opening)
    us: Any = SeedPlayer(judge.game, 5, opening, Limits(nodes=MOST, seconds=seconds))
    lots = pyspiel.RandomRolloutEvaluator(1, opening)
    them = pyspiel.MCTSBot(theirs, lots, 1.4, MOST, 200, True, opening, False, max_wall_clock_time=seconds)
    turns = 0
    while not state.is_terminal() and not position.over:
        side = state.current_player()
        if turns < OPENING:
            action = lot.choice(state.legal_actions())
        elif side == our_side:
            action = KEYS[side].index(us.turn(position).key)
        else:
            action = them.step(state)
        state.apply_action(action)
        position = judge.game.legal(position)[KEYS[side][action]].after
        turns += 1
    if state.is_terminal():
        return float(state.returns()[our_side] + 1) / 2
    return 0.5 if position.winner is None else float(position.winner == our_side)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--games", type=int, default=40)
    ask.add_argument("--seconds", type=float, default=0.2)
    ask.add_argument("--first-seed", type=int, default=0)
    args = ask.parse_args()
    total = 0.0
    for number in range(args.games):
        total += won(args.first_seed + number // 2, number % 2, args.seconds)
        share = total / (number + 1)
        within = 1.96 * math.sqrt(share * (1 - share) / (number + 1))
        print(json.dumps({"games": number + 1, "share": round(share, 4), "within": round(within, 3)}), flush=True)


if __name__ == "__main__":
    main()
