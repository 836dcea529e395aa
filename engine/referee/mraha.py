"""Mraha wa tso for the referee: what its sowing looks like half way, what its faults leave, what an adopted board
leaves open.

Seeds not on the board are in hand, the mover's own share being what the other does not hold. Hands only grow emptier:
seeds that went missing are out of the game. In a set-up position as many came from each hand, the odd one from who is
not to move. A nyumba is still owned if it was and was not emptied by capture, nor holds fewer seeds than before after
its owner's own turn; in a set-up position, if it was and holds six or more.
"""

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from engine.events import Board
from engine.options import OptionError, OptionValue
from engine.referee import board
from engine.referee.board import Explanation
from engine.referee.board_evidence import MISREAD, BoardEvidence
from engine.referee.board_judge import BoardJudge
from engine.referee.judge import GameKind
from engine.referee.reasons import Reasons, all_down
from engine.referee.seed_game import PLAYERS, SOUTH, Basis, Fault, Path, SeedGame, Sides
from engine.referee.slips import slips
from engine.rules import mraha
from engine.rules.mraha import (
    DEFAULT_PRESET,
    SEEDS,
    MrahaFlags,
    MrahaPosition,
    MrahaTurn,
    flags_from,
    has_turn,
    legal_laps,
    legal_turns,
    options_for,
    start,
)
from engine.rules.sowing import FRONT, HOUSE_SEEDS, NYUMBA, RING, Lap, SeedsInHand, capture_way, lands, sow

COUNTING: Sides = ((2,) * RING, (2,) * RING)
"""Two in every pit: how the seeds are counted before play."""
_legal = lru_cache(maxsize=256)(legal_turns)
"""Of the last positions: to tell what a board may mean, the same few are asked for again and again."""
LOG_FAULT = {
    "capture_owed": -6.5, "nyumba_start": -6.5, "single_seed_start": -6.5, "back_row_start": -6.5, "blocked_pit": -6.5,
    "too_many_to_capture": -6.5, "opponents_turn": -7.0, "stopped_short": -7.0, "endless": -7.5, "hand_not_used": -8.0,
    "took_what_it_may_not": -8.5, "played_twice": -9.0, "dropped_wrong": -9.5, "moved_opponents_seeds": -10.0,
    "seeds_missing": -11.5, "seeds_added": -11.5,
}  # fmt: skip
"""Each board a fault may leave: one turn in a hundred is illegal; rules with many boards get less for each. A fault's
rarity comes on top."""
CHANGED_PITS = 20
"""Seeds gone and more pits than this changed: no turn in a hand does that (a turn changes seven, median)."""


MOST_AHEAD = 12
"""Of the 22 seeds in the hand: the other keeps a game to play."""
CORNERS = ("F1", "F8")
"""How the keys of turns from a corner (kotso) begin."""


class MrahaGame(SeedGame[MrahaPosition]):
    """Mraha with its house rules."""

    name = "mraha"
    rows, columns = 4, 8
    seeds = SEEDS
    counting = COUNTING
    log_fault = LOG_FAULT
    changed_pits = CHANGED_PITS
    most_ahead = MOST_AHEAD
    unfinished = frozenset({"seeds_missing", "hand_not_used", "stopped_short", "seeds_added"})

    def __init__(self, flags: MrahaFlags, show_counts: bool = False) -> None:
        self.flags = flags
        self.show_counts = show_counts
        self.opening = start(flags)

    def handed_over(self, side: int, by: int) -> MrahaPosition:
        """From hand to hand: the board begins as always."""
        opening = self.opening
        give, take = (by, -by) if side == SOUTH else (-by, by)
        return opening._replace(reserve=(opening.reserve[0] + give, opening.reserve[1] + take))

    def place(self, player: int, pit: int) -> tuple[int, int]:
        return mraha.place(player, pit)

    def legal(self, position: MrahaPosition) -> Mapping[str, MrahaTurn]:
        return _legal(position, self.flags)

    def remarks(self, before: MrahaPosition, turn: Any) -> tuple[str, ...]:
        """uladza: a seed of the hand laid in a corner. kamu: nothing is left in the other's front row."""
        said = []
        if before.in_phase_1 and not turn.captured and turn.key.startswith(CORNERS):
            said.append("uladza")
        if not any(turn.after.sides[1 - before.to_move][:FRONT]):
            said.append("kamu")
        return tuple(said)

    def path(self, position: MrahaPosition, key: str) -> Path:
        return mraha.path_of(position, key, self.flags)

    def resting_boards(self, position: MrahaPosition, turn: Any) -> Iterator[Sides]:
        """One that wins leaves seeds in the hand, which may be put down or played on."""
        yield turn.after.sides
        if not turn.held:
            return
        begin, manner, laps = next(
            (b, m, laps) for key, b, m, laps in legal_laps(position, self.flags) if key == turn.key
        )
        corner, step = begin.entry
        if laps:
            hand = laps[-1].hand
            corner, step = capture_way(lands(hand.first, hand.step, hand.seeds - 1), hand.step, manner)
        player = position.to_move
        own, other = turn.after.sides[player], turn.after.sides[1 - player]
        last = SeedsInHand(turn.held, corner, step)
        put_down = all_down(Lap(own, other, last))
        played_on, other_after = list(own), list(other)
        sow(played_on, other_after, last, manner)
        for mine, theirs in ((put_down, other), (tuple(played_on), tuple(other_after))):
            yield (mine, theirs) if player == SOUTH else (theirs, mine)

    def sowing_fit(self, position: MrahaPosition, reading: BoardEvidence) -> float:
        player = position.to_move
        tables = reading.tables[player]
        best = -math.inf
        for _, _, _, laps in legal_laps(position, self.flags):
            for lap in laps:
                fit = reading.fit((lap.own, lap.other) if player == SOUTH else (lap.other, lap.own))
                own, (seeds, pit, step) = list(lap.own), lap.hand
                for _ in range(seeds):
                    best = max(best, fit)
                    fit += tables[pit][own[pit] + 1] - tables[pit][own[pit]]
                    own[pit] += 1
                    pit = (pit + step) & 15
        return best

    def faults(self, position: MrahaPosition, legal: Mapping[str, Any]) -> Iterator[Fault]:
        reasons = Reasons(position, self.flags, dict(legal))
        yield from reasons.common()
        yield from reasons.rare()

    def slips(self, position: MrahaPosition, reading: BoardEvidence, seen: Sides, basis: Basis) -> Iterator[Fault]:
        return slips(reading, seen, basis, position.to_move, position.in_phase_1)

    def stands(self, before: MrahaPosition, fault: Fault) -> MrahaPosition:
        player, sides = fault.player, fault.sides
        reserve = list(before.reserve)
        if fault.rule not in ("seeds_missing", "seeds_added"):
            left = before.on_board + sum(before.reserve) - sum(map(sum, sides)) - reserve[1 - player]
            reserve[player] = min(max(left, 0), reserve[player])
        elif fault.moved and reserve[player]:
            reserve[player] -= 1
        owned = [before.owned[side] and bool(sides[side][NYUMBA]) for side in (0, 1)]
        owned[player] = owned[player] and sides[player][NYUMBA] >= before.sides[player][NYUMBA]
        to_move = 1 - player if fault.moved else before.to_move
        blocked = -1 if fault.moved else before.blocked
        return self._ended(MrahaPosition(sides, (reserve[0], reserve[1]), (owned[0], owned[1]), to_move, blocked))

    def set_up(self, before: MrahaPosition, sides: Sides, to_move: int) -> MrahaPosition:
        reserve = _once_laid(before.reserve, sum(map(sum, sides)) - before.on_board, 1 - to_move)
        owned = [before.owned[side] and sides[side][NYUMBA] >= HOUSE_SEEDS for side in (0, 1)]
        return self._ended(MrahaPosition(sides, reserve, (owned[0], owned[1]), to_move))

    def _ended(self, position: MrahaPosition) -> MrahaPosition:
        """The position with its winner, if it has one; the player who is not to move has just played."""
        mover = position.to_move
        played = position.sides[1 - mover]
        if not any(position.sides[mover][:FRONT]):
            return position._replace(winner=1 - mover)
        if not any(played[:FRONT]):
            return position._replace(winner=mover)
        return position if has_turn(position, self.flags) else position._replace(winner=1 - mover)

    def out_of_reach(self, player: int) -> range:
        """The other's back row."""
        return range(FRONT, RING)

    def may_begin(self, sides: Sides) -> bool:
        return all(any(side[:FRONT]) for side in sides)

    def phase(self, position: MrahaPosition) -> str:
        return "munia" if position.in_phase_1 else "teza"

    def stores(self, position: MrahaPosition) -> dict[str, Any]:
        return {"in_hand": dict(zip(PLAYERS, position.reserve, strict=True))}


class MrahaJudge(BoardJudge):
    """Judges mraha wa tso. Seat and side 0 is South, 1 is North."""

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        self.flags: MrahaFlags = flags_from(options)
        super().__init__(MrahaGame(self.flags, bool(options["show_counts"])))


def _once_laid(reserve: tuple[int, int], laid: int, last: int) -> tuple[int, int]:
    """The seeds in hand once so many of them were laid in turn, the last by this player."""
    left = list(reserve)
    for seed in range(min(max(laid, 0), sum(reserve))):
        player = last if seed % 2 == 0 else 1 - last
        left[player if left[player] else 1 - player] -= 1
    return left[0], left[1]


def mraha_judge(players: int, given: Mapping[str, object]) -> tuple[MrahaJudge, dict[str, OptionValue]]:
    """The judge and every option, for what a table asked for; `preset` among it chooses the defaults."""
    if players != len(PLAYERS):
        raise OptionError("players", game="mraha", players=players, allowed=(len(PLAYERS),))
    options = options_for(str(given.get("preset", DEFAULT_PRESET)), {k: v for k, v in given.items() if k != "preset"})
    return MrahaJudge(options), options


def explain(
    position: MrahaPosition,
    seen: Board,
    flags: MrahaFlags,
    before: MrahaPosition | None = None,
    misread: float = MISREAD,
) -> Explanation:
    """The likeliest account of a board of mraha."""
    return board.explain(position, seen, MrahaGame(flags), before, misread)


def resting_boards(position: MrahaPosition, turn: MrahaTurn, flags: MrahaFlags) -> Iterator[Sides]:
    """The boards a turn of mraha may leave."""
    return MrahaGame(flags).resting_boards(position, turn)


GAMES = (GameKind("mraha", len(PLAYERS), mraha.OPTIONS, mraha_judge, (4, 8), tuple(mraha.PRESETS)),)
