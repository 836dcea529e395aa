"""Learns what positions of bao and awalé are worth by play against itself, and writes engine/search/weights.py.

    python -m tools.learn_seeds --games 4000 --rounds 3 [--jobs 2]

In each round the program plays against itself, looking one ply ahead with the weights of the round before and playing
every fifth turn by lot. A logistic regression from the features of a position to who won then gives the weights. They
are scaled so that a seed is worth 100. Needs NumPy.
"""

import argparse
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from engine.games import game_kind
from engine.referee.board_judge import BoardJudge
from engine.search.seeds import searched
from engine.search.weights import WEIGHTS

GAMES = {"mraha": ("mraha", {}), "kiswahili": ("mraha", {"preset": "kiswahili"}), "awale": ("awale", {})}
BY_LOT = 0.2
LONGEST = 400
"""Turns after which a game is broken off, and teaches nothing."""
FIRST_TAUGHT = 4
"""The first turns are the same in every game."""
RIDGE = 20.0
STEPS = 30


def one_game(asked: tuple[str, int, tuple[int, ...]]) -> list[tuple[tuple[int, ...], int]]:
    """Features of the positions of a game, each with whether whoever was to move has won (1, 0)."""
    name, seed, weights = asked
    rules, options = GAMES[name]
    judge, _ = game_kind(rules).judge(2, options)
    assert isinstance(judge, BoardJudge)
    game: Any = judge.game
    view: Any = type(searched(game))(game, weights)
    rng = Random(seed)
    position, seen = game.opening, []
    for number in range(LONGEST):
        if position.over:
            break
        moves = view.moves(position)
        if rng.random() < BY_LOT:
            move = rng.choice(moves)
        else:
            move = max(moves, key=lambda turn: (_worth(view, turn), rng.random()))
        if number >= FIRST_TAUGHT:
            seen.append((tuple(view.features(position)), position.to_move))
        position = move.after
    if not position.over or position.winner is None:
        return []
    return [(features, int(mover == position.winner)) for features, mover in seen]


def _worth(view: Any, move: Any) -> float:
    over = view.result(move.after)
    return -float(view.value(move.after)) if over is None else -1e9 * over


def fitted(rows: list[tuple[tuple[int, ...], int]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The weights of a logistic regression, by Newton's steps."""
    x = np.array([features for features, _ in rows], float)
    y = np.array([won for _, won in rows], float)
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        curve = x.T @ (x * (chance * (1 - chance))[:, None]) + RIDGE * np.eye(x.shape[1])
        weights += np.linalg.solve(curve, x.T @ (y - chance) - RIDGE * weights)
    return weights


def scaled(name: str, weights: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[int, ...]:
    """In hundredths of a seed: of one taken in awalé, of one in any pit in bao."""
    seed = weights[6] if name == "awale" else float(np.mean(weights[:16]))
    return tuple(round(100 * float(weight) / seed) for weight in weights)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=4000, help="in each round and of each game")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--to", type=Path, default=Path("engine/search/weights.py"))
    asked = arguments.parse_args()
    learned = dict(WEIGHTS)
    with Pool(asked.jobs) as pool:
        for number in range(asked.rounds):
            for name in GAMES:
                games = ((name, number * asked.games + game, learned[name]) for game in range(asked.games))
                rows = [row for game in pool.imap_unordered(one_game, games, 16) for row in game]
                learned[name] = scaled(name, fitted(rows))
                print(number + 1, name, len(rows), learned[name], flush=True)
    text = asked.to.read_text(encoding="utf-8")
    table = "".join(f'    "{name}": {weights},\n' for name, weights in learned.items())
    asked.to.write_text(
        text[: text.index("WEIGHTS: ")] + f"WEIGHTS: dict[str, tuple[int, ...]] = {{\n{table}}}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
