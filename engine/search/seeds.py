"""Bao and awalé as the search sees them: their turns, and what a position is worth before anything is looked ahead.

What a position is worth is a sum over a few numbers of it (`features`), each with a weight that was learned by play
against itself: engine/search/weights.py says how.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.referee.seed_game import SeedGame
from engine.rules import awale, mraha
from engine.rules.sowing import FRONT, HOUSE_SEEDS, NYUMBA
from engine.search.endings import MOST_SEEDS, endings
from engine.search.tree import WON, Move
from engine.search.weights import WEIGHTS

P = TypeVar("P")


@dataclass(frozen=True)
class _Seeds(Generic[P]):
    """What both have in common: rules from a SeedGame, weights by name."""

    game: SeedGame[Any]
    weights: tuple[int, ...]

    def moves(self, position: Any) -> Sequence[Move[Any]]:
        """Every legal turn."""
        return [Move(turn.key, turn.after, turn.captured) for turn in self.game.legal(position).values()]

    def result(self, position: Any) -> int | None:
        """Of a game that is over: for whoever would be to move."""
        if not position.over:
            return None
        return 0 if position.winner is None else (1 if position.winner == position.to_move else -1)

    def value(self, position: Any) -> int:
        """In hundredths of a seed, for whoever is to move."""
        return sum(weight * number for weight, number in zip(self.weights, self.features(position), strict=True))

    def features(self, position: Any) -> Sequence[int]:
        """The numbers of a position, each the mover's less the other's; the last is 1: to be to move."""
        raise NotImplementedError


class Bao(_Seeds[mraha.MrahaPosition]):
    """Mraha, by any of its presets."""

    def known(self, position: mraha.MrahaPosition) -> int | None:
        """Nobody has solved bao."""
        return None

    def same(self, position: mraha.MrahaPosition) -> Hashable:
        """The whole position."""
        return position

    def features(self, position: mraha.MrahaPosition) -> Sequence[int]:
        """Seeds by pit; pits of the front row with seeds in them; seeds that face seeds; the nyumba; seeds in hand."""
        mover = position.to_move
        own, other = position.sides[mover], position.sides[1 - mover]
        held = [own[pit] - other[pit] for pit in range(16)]
        busy = sum(1 for pit in range(FRONT) if own[pit]) - sum(1 for pit in range(FRONT) if other[pit])
        facing = sum(own[pit] - other[7 - pit] for pit in range(FRONT) if own[pit] and other[7 - pit])
        houses = [position.owned[who] and position.sides[who][NYUMBA] >= HOUSE_SEEDS for who in (mover, 1 - mover)]
        reserve = position.reserve[mover] - position.reserve[1 - mover]
        return (*held, busy, facing, int(houses[0]) - int(houses[1]), reserve, 1)


class Awale(_Seeds[awale.AwalePosition]):
    """Awalé, by any of its options."""

    def known(self, position: awale.AwalePosition) -> int | None:
        """Of an ending: the seeds that he will have more than the other. Of two ways to win the shorter one is worth
        more, so that nobody goes round in circles."""
        if position.on_board > MOST_SEEDS:
            return None
        mover = position.to_move
        found = endings(self.game.flags).of(position.sides[mover], position.sides[1 - mover])
        if found is None:
            return None
        ahead = position.captured[mover] - position.captured[1 - mover] + found.worth
        if ahead == 0:
            return 0
        return WON + 1000 * ahead if ahead > 0 else -WON + 1000 * ahead + found.steps

    def same(self, position: awale.AwalePosition) -> Hashable:
        """Without the turns that led here: a position that comes again is searched as if it came for the first time."""
        return position.sides, position.captured, position.to_move

    def features(self, position: awale.AwalePosition) -> Sequence[int]:
        """Seeds by pit, seeds taken, pits that can be taken, empty pits, pits that go round."""
        mover = position.to_move
        own, other = position.sides[mover], position.sides[1 - mover]
        held = [own[pit] - other[pit] for pit in range(awale.PITS)]
        taken = position.captured[mover] - position.captured[1 - mover]
        weak = sum(1 for seeds in own if seeds in (1, 2)) - sum(1 for seeds in other if seeds in (1, 2))
        empty = own.count(0) - other.count(0)
        round_ = sum(1 for seeds in own if seeds >= 12) - sum(1 for seeds in other if seeds >= 12)
        return (*held, taken, weak, empty, round_, 1)


_KINDS: dict[str, type[Bao] | type[Awale]] = {"mraha": Bao, "awale": Awale}


def searched(game: SeedGame[Any]) -> Bao | Awale:
    """A game of seeds as the search sees it. KeyError: nobody has taught the search this game."""
    return _KINDS[game.name](game, WEIGHTS[weights_name(game)])


def weights_name(game: SeedGame[Any]) -> str:
    """Of the weights that fit its rules: bao has two ways to own a nyumba."""
    owned = getattr(getattr(game, "flags", None), "owned_nyumba", False)
    return "kiswahili" if game.name == "mraha" and owned else game.name
