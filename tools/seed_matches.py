"""Plays levels against each other, against chance and against greed: how strong is each?

    python -m tools.seed_matches [--games 400] [--jobs 2] [--scale 0.1] [--first-seed 0]

Every pair of games has the same seed with sides changed. --scale: of the nodes that a level may look at; those that
look at few have all of theirs. A game that is drawn counts half. A line of JSON after every fifty games of a match: a
run that is broken off says what it had.
"""

import argparse
import json
import math
from dataclasses import dataclass, replace
from multiprocessing import Pool
from random import Random
from typing import Any

from engine.games import game_kind
from engine.referee.board_judge import BoardJudge
from engine.search import LEVELS, SeedPlayer

GAMES = {"mraha": ("mraha", {}), "kiswahili": ("mraha", {"preset": "kiswahili"}), "awale": ("awale", {})}
CHANCE, GREED = "chance", "greed"
OPENING = 4
"""Turns by lot before each game, so that no two are alike."""
LONGEST = 1000
TELL_EVERY = 50
FEW = 400
"""Nodes that cost next to nothing."""


@dataclass
class Simple:
    """Plays any turn, or the one that captures most."""

    game: Any
    kind: str
    rng: Random

    def key(self, position: Any) -> str:
        turns = self.game.legal(position)
        if self.kind == CHANCE:
            return str(self.rng.choice(list(turns)))
        most = max(turn.captured for turn in turns.values())
        return str(self.rng.choice([key for key, turn in turns.items() if turn.captured == most]))


@dataclass
class Searching:
    """Plays a level."""

    player: SeedPlayer

    def key(self, position: Any) -> str:
        return self.player.turn(position).key


def player_of(game: Any, who: str, seed: int, scale: float) -> Simple | Searching:
    if who in (CHANCE, GREED):
        return Simple(game, who, Random(seed))
    limits = LEVELS[int(who)].limits
    nodes = limits.nodes if limits.nodes <= FEW else max(FEW // 4, round(limits.nodes * scale))
    return Searching(SeedPlayer(game, int(who), seed, replace(limits, nodes=nodes)))


def one_game(asked: tuple[str, str, str, int, float, int]) -> float:
    """1: the first has won; 0: the second; half: nobody."""
    name, first, second, number, scale, head_start = asked
    rules, options = GAMES[name]
    judge, _ = game_kind(rules).judge(2, options)
    mine = number % 2
    if head_start:
        judge = judge.ahead(mine, head_start)
    assert isinstance(judge, BoardJudge)
    game: Any = judge.game
    rng = Random(number // 2)
    position = game.opening
    for _ in range(OPENING):
        turns = game.legal(position)
        if not turns:
            break
        position = turns[rng.choice(list(turns))].after
    players = {mine: player_of(game, first, number, scale), 1 - mine: player_of(game, second, number + 1, scale)}
    for _ in range(LONGEST):
        if position.over:
            break
        position = game.legal(position)[players[position.to_move].key(position)].after
    winner = position.winner if position.over else None
    return 0.5 if winner is None else float(winner == mine)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--games", type=int, default=400)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--scale", type=float, default=0.1)
    arguments.add_argument("--first-seed", type=int, default=0)
    arguments.add_argument("--head-start", type=int, default=0, help="seeds that the first has before play begins")
    arguments.add_argument("--only", nargs="*", default=list(GAMES), choices=list(GAMES))
    arguments.add_argument("--pairs", nargs="*", metavar="A:B", help="5:greed 4:3; without it all")
    asked = arguments.parse_args()
    strongest = str(max(LEVELS))
    matches = [(strongest, CHANCE), (strongest, GREED)]
    matches += [(str(level), str(level - 1)) for level in sorted(LEVELS)[1:]]
    if asked.pairs:
        matches = [(first, second) for first, _, second in (pair.partition(":") for pair in asked.pairs)]
    seeds = range(asked.first_seed, asked.first_seed + asked.games)
    with Pool(asked.jobs) as pool:
        for first, second in matches:
            for name in asked.only:
                games = [(name, first, second, number, asked.scale, asked.head_start) for number in seeds]
                points: list[float] = []
                for point in pool.imap(one_game, games, 2):
                    points.append(point)
                    if len(points) % TELL_EVERY == 0 or len(points) == len(games):
                        print(json.dumps(_told(name, first, second, points)), flush=True)


def _told(name: str, first: str, second: str, points: list[float]) -> dict[str, object]:
    share = sum(points) / len(points)
    spread = 1.96 * math.sqrt(max(share * (1 - share), 1e-9) / len(points))
    told = {"game": name, "first": first, "second": second, "games": len(points)}
    return {**told, "share": round(share, 4), "within": round(spread, 3)}


if __name__ == "__main__":
    main()
