"""How good a turn was, and why: what was better, how many seeds it gave away, and the reason in one word."""

from typing import Any, NamedTuple

from engine.referee.seed_game import SeedGame
from engine.rules.sowing import HOUSE_SEEDS, NYUMBA
from engine.search.seeds import searched
from engine.search.tree import WIN, WON, Limits, Searcher

LOOKS = Limits(nodes=1_500)
"""What a turn is weighed with."""
SEED = 100
BEST, WINS, LOSES, CAPTURE, LEFT, HOUSE, PLACE = "best", "wins", "loses", "capture", "left", "nyumba", "place"
"""Reasons: nothing was better; the better turn wins; this one lets the other win; the better one captures more; this
one leaves more to be captured; it opens the nyumba; what follows is better."""
MUCH = 50
"""Hundredths of a seed that are worth a word."""


class Advice(NamedTuple):
    """What is said of a turn."""

    key: str
    """The turn that was played."""
    best: str
    seeds: float
    """That it gave away; 0: none was better."""
    reason: str
    captured: int
    """Seeds: that the better turn captures, or that are left to the other side. Of the best turn: that it captures."""
    reply: str
    """What the other side may best answer."""


class _Weighed(NamedTuple):
    """A turn as far as it was looked ahead."""

    turn: Any
    value: int
    reply: Any
    """The other side's best turn; None: it has none."""

    @property
    def left(self) -> int:
        """Seeds that the other side captures next."""
        return 0 if self.reply is None else int(self.reply.captured)

    @property
    def end(self) -> Any:
        """The position after the reply."""
        return self.turn.after if self.reply is None else self.reply.after


def advice(game: SeedGame[Any], position: Any, key: str, best: str | None = None, limits: Limits = LOOKS) -> Advice:
    """What there is to say of a turn. best: the best turn, where that is known. KeyError: there is no such turn.

    >>> from engine.games import game_kind
    >>> judge, _ = game_kind("awale").judge(2, {})
    >>> advice(judge.game, judge.game.opening, "F").reply in "abcdef"
    True
    """
    searcher = Searcher(searched(game))
    turns = game.legal(position)
    best = searcher.lines(position, limits)[0].key if best is None else best
    played, better = (_weighed(game, searcher, turns[chosen], limits) for chosen in (key, best))
    lost = better.value - played.value
    reply = "" if played.reply is None else played.reply.key
    if key == best or lost < MUCH:
        return Advice(key, key, 0.0, BEST, turns[key].captured, reply)
    reason, captured = _reason(position, played, better)
    return Advice(key, best, round(min(lost, WON) / SEED, 1), reason, captured, reply)


def _weighed(game: SeedGame[Any], searcher: Searcher[Any], turn: Any, limits: Limits) -> _Weighed:
    over = searcher.game.result(turn.after)
    if over is not None:
        return _Weighed(turn, -over * WIN, None)
    answer = searcher.lines(turn.after, limits)[0]
    return _Weighed(turn, -answer.value, game.legal(turn.after)[answer.key])


def _reason(position: Any, played: _Weighed, better: _Weighed) -> tuple[str, int]:
    """Why a turn is worse, and the seeds that this is about: the first that is true of what is surest."""
    mover = position.to_move
    if better.turn.after.over and better.turn.after.winner == mover:
        return WINS, better.turn.captured
    if played.end.over and played.end.winner == 1 - mover:
        return LOSES, played.left
    more, spared = better.turn.captured - played.turn.captured, played.left - better.left
    if _owns(played.turn.after, mover) and not _owns(played.end, mover) and _owns(better.end, mover):
        return HOUSE, played.left
    if more > 0 and more >= spared:
        return CAPTURE, better.turn.captured
    if spared > 0:
        return LEFT, played.left
    if better.value >= WON:
        return WINS, better.turn.captured
    return PLACE, 0


def _owns(position: Any, player: int) -> bool:
    """Whether a player has his nyumba in bao."""
    owned = getattr(position, "owned", None)
    return owned is not None and bool(owned[player]) and position.sides[player][NYUMBA] >= HOUSE_SEEDS
