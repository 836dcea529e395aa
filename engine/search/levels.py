"""Five levels to play against, from a child's first game to as strong as it can."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.referee.seed_game import SeedGame
from engine.search.seeds import searched
from engine.search.tree import Limits, Searcher, Variation


@dataclass(frozen=True)
class Level:
    """How far it looks, and how often it does not take the best turn."""

    limits: Limits
    slips: float
    """Share of turns that are drawn by lot among all legal ones."""


LEVELS = {
    1: Level(Limits(nodes=100, plies=1), 0.6),
    2: Level(Limits(nodes=100, plies=1), 0.2),
    3: Level(Limits(nodes=400, plies=3), 0.08),
    4: Level(Limits(nodes=4_000), 0.0),
    5: Level(Limits(nodes=30_000), 0.0),
}
"""Each was measured against the next weaker one: docs/figures.md."""
DEFAULT = 4


@dataclass
class SeedPlayer:
    """Plays a game of seeds at a level. The same seed plays the same game again.

    >>> from engine.games import game_kind
    >>> judge, _ = game_kind("awale").judge(2, {})
    >>> player = SeedPlayer(judge.game, level=2, seed=1)
    >>> player.turn(judge.game.opening).key in "ABCDEF"
    True
    """

    game: SeedGame[Any]
    level: int = DEFAULT
    seed: int = 0
    limits: Limits | None = None
    """In place of the level's own."""
    _rng: Random = field(init=False)
    _searcher: Searcher[Any] = field(init=False)

    def __post_init__(self) -> None:
        self._rng = Random(self.seed)
        self._searcher = Searcher(searched(self.game))

    @property
    def searcher(self) -> Searcher[Any]:
        """What it looks ahead with."""
        return self._searcher

    def turn(self, position: Any) -> Variation:
        """The turn that it plays. ValueError: the game is over."""
        level = LEVELS[self.level]
        keys = list(self.game.legal(position))
        if not keys:
            raise ValueError("the game is over")
        if self._rng.random() < level.slips:
            return Variation(self._rng.choice(keys), 0)
        return self.best(position)

    def best(self, position: Any) -> Variation:
        """The best turn that it finds; among equals by lot."""
        lines = self._searcher.lines(position, self.limits or LEVELS[self.level].limits)
        equal = [line for line in lines if line.value == lines[0].value]
        return lines[0] if LEVELS[self.level].limits.plies > 1 else self._rng.choice(equal)
