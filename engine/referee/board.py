"""Which turn explains a board: the position before and what was seen go in, the likeliest account comes out.

Every account competes on the evidence: how well the board it leads to fits what was seen, and how likely it was before
looking. A legal turn is taken when it is nearly certain, a rule is named only when everything innocent together is
next to impossible, and otherwise nothing is claimed: seeds are still in a hand, or it is too close to tell.
Only the board is evidence. The seeds in hand cannot be seen; they follow from what left or came onto the board.
"""

import math
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from engine.events import Board
from engine.referee.reading import MISREAD, Reading
from engine.referee.reasons import Fault, Reasons, all_down
from engine.referee.slips import Basis, slips
from engine.rules.mraha import SOUTH, Flags, Position, Turn, legal_laps, legal_turns
from engine.rules.sowing import Hand, Lap, Side, capture_way, lands, sow

STILL, TURN, BACK, ILLEGAL = "still", "turn", "taken_back", "illegal"
SOWING, CLOSE, STRANGE = "sowing", "close", "strange"

CERTAIN = 0.9
"""A legal turn (or that nobody moved) is taken when it has this share of all that may have happened."""
ACCUSE = 1 / 200
"""A rule is named when every innocent account together has less than this share."""
ALSO_POSSIBLE = 0.05
"""The share from which an account is offered as an answer when it is too close to tell."""

# How likely each kind of account is before looking, as logarithms. Estimates for a family table where the camera looks
# after every rest of the hands; only their order of size matters: evidence of one clear pit outweighs most of them.
LOG_STILL = math.log(0.3)
LOG_TURN = math.log(0.6)
"""Shared by the legal turns."""
LOG_REPLIED = math.log(0.02)
"""Two quick turns between two looks; shared by all pairs."""
LOG_BACK = math.log(0.01)
"""The last turn was taken back, or had been read wrong; with another played instead, shared by all of those."""
LOG_SOWING = math.log(0.05 / 50)
"""Each state in the middle of a sowing; a turn has some fifty."""
LOG_FAULT = {
    "capture_owed": -6.5, "nyumba_start": -6.5, "single_seed_start": -6.5, "back_row_start": -6.5, "blocked_pit": -6.5,
    "too_many_to_capture": -6.5, "opponents_turn": -7.0, "stopped_short": -7.0, "endless": -7.5, "hand_not_used": -8.0,
    "took_what_it_may_not": -8.5, "played_twice": -9.0, "dropped_wrong": -9.5, "moved_opponents_seeds": -10.0,
    "seeds_missing": -11.5, "seeds_added": -11.5,
}  # fmt: skip
"""Each board a fault may leave: one turn in a hundred is illegal; rules with many boards get less for each. A fault's
rarity comes on top."""
LOG_STRANGE = -25.0
"""Something else altogether: as unlikely as three pits that contradict a sure reading. Fits any board."""


class Explanation(NamedTuple):
    """What happened, as far as the board tells.

    verdict: still, turn, taken_back (the last turn; another may have been played), illegal, sowing (seeds in a hand: no
    claim yet), close (choices say between what), strange.
    """

    verdict: str
    turns: tuple[Turn, ...] = ()
    """The turn, or quick turns in order."""
    same: tuple[str, ...] = ()
    """Keys of other turns that lead to the very same board."""
    fault: Fault | None = None
    share: float = 0.0
    """Its share of all that may have happened."""
    choices: tuple["Explanation", ...] = ()
    """When it is too close: the accounts that are possible, likeliest first."""

    @property
    def name(self) -> str:
        """A short name for a choice: the keys of its turns, the rule it breaks, or its verdict."""
        if self.fault is not None:
            return self.fault.rule
        keys = [turn.key for turn in self.turns]
        return " ".join([BACK, *keys] if self.verdict == BACK else keys) or self.verdict


class _Past(NamedTuple):
    """Legal turns taken to have happened before the one looked at, and how likely that was."""

    turns: tuple[Turn, ...] = ()
    weight: float = 0.0


def explain(
    position: Position, board: Board, flags: Flags, before: Position | None = None, misread: float = MISREAD
) -> Explanation:
    """The likeliest account of a board, or that none is clear enough.

    before: what the last turn was played from. misread: how often the eye is sure of a wrong count at this table.
    """
    scale = _Scale(Reading(board, misread), flags)
    legal = legal_turns(position, flags)
    scale.put("still", LOG_STILL + scale.reading.fit(position.sides), Explanation(STILL))
    scale.weigh_turns(position, legal)
    # What is not yet weighed cannot come near: the likeliest of it fits at its best.
    unweighed = [LOG_REPLIED - math.log(max(1, len(legal))), *LOG_FAULT.values(), *([LOG_BACK] if before else [])]
    if scale.best - max(unweighed) < math.log(CERTAIN / (1 - CERTAIN)):
        seen = scale.reading.likeliest(position.sides)
        scale.weigh_replies(legal)
        if before is not None:
            scale.weigh_taken_back(before)
        scale.weigh_sowing(position, _Past())
        scale.weigh_faults(position, legal, seen, _Past())
        # Three quick turns in a row may look like a fault, or like two others and a pit misread.
        doubtful = scale.likeliest.verdict == ILLEGAL or len(scale.likeliest.turns) > 1
        if scale.best < LOG_STRANGE:
            scale.weigh_longer(legal, seen)
        elif doubtful and scale.best - 2 * LOG_REPLIED < -math.log(ACCUSE):
            scale.weigh_thirds(legal)
    return _decide(scale.shares())


class _Scale:
    """Weighs accounts of one reading against each other; accounts with the same outcome are one."""

    def __init__(self, reading: Reading, flags: Flags) -> None:
        self.reading, self.flags = reading, flags
        self.accounts: dict[object, tuple[float, Explanation]] = {}
        self.best = -math.inf

    def put(self, outcome: object, weight: float, account: Explanation) -> None:
        known = self.accounts.get(outcome)
        if known is None or weight > known[0]:
            self.accounts[outcome] = (weight, account)
            self.best = max(self.best, weight)

    @property
    def likeliest(self) -> Explanation:
        """The likeliest account so far."""
        return max(self.accounts.values(), key=lambda one: one[0])[1]

    def shares(self) -> list[Explanation]:
        """Every account with its share, likeliest first; what is strange has the rest."""
        ordered = sorted(self.accounts.values(), key=lambda one: -one[0])
        top = max(self.best, LOG_STRANGE)
        total = sum(math.exp(weight - top) for weight, _ in ordered) + math.exp(LOG_STRANGE - top)
        return [account._replace(share=math.exp(weight - top) / total) for weight, account in ordered]

    def weigh_turns(self, position: Position, legal: dict[str, Turn]) -> None:
        """Every legal turn; those that lead to the same board together."""
        groups: dict[tuple[Side, Side], list[Turn]] = {}
        for turn in legal.values():
            groups.setdefault(turn.after.sides, []).append(turn)
        for first, *others in groups.values():
            fit = max(self.reading.fit(sides) for sides in resting_boards(position, first, self.flags))
            same = tuple(turn.key for turn in others)
            self.put(first.key, LOG_TURN - math.log(len(groups)) + fit, Explanation(TURN, (first,), same))

    def weigh_replies(self, legal: dict[str, Turn]) -> None:
        """Two legal turns between two looks."""
        pairs = {
            second.after.sides: (first, second)
            for first in legal.values()
            for second in legal_turns(first.after, self.flags).values()
        }
        for sides, pair in pairs.items():
            weight = LOG_REPLIED - math.log(len(pairs)) + self.reading.fit(sides)
            self.put(sides, weight, Explanation(TURN, pair))

    def weigh_taken_back(self, before: Position) -> None:
        """The board that the last turn was played from, or another legal turn from there."""
        self.put(("back", before.sides), LOG_BACK + self.reading.fit(before.sides), Explanation(BACK))
        others = {turn.after.sides: turn for turn in legal_turns(before, self.flags).values()}
        for sides, turn in others.items():
            weight = LOG_BACK - math.log(len(others)) + self.reading.fit(sides)
            self.put(("back", sides), weight, Explanation(BACK, (turn,)))

    def weigh_sowing(self, position: Position, past: _Past) -> None:
        """Every state of every legal turn with seeds still in the hand."""
        player = position.to_move
        tables = self.reading.tables[player]
        best = -math.inf
        for _, _, _, laps in legal_laps(position, self.flags):
            for lap in laps:
                fit = self.reading.fit((lap.own, lap.other) if player == SOUTH else (lap.other, lap.own))
                own, (seeds, pit, step) = list(lap.own), lap.hand
                for _ in range(seeds):
                    best = max(best, fit)
                    fit += tables[pit][own[pit] + 1] - tables[pit][own[pit]]
                    own[pit] += 1
                    pit = (pit + step) & 15
        if best > -math.inf:
            self.put("sowing", past.weight + LOG_SOWING + best, Explanation(SOWING))

    def weigh_faults(self, position: Position, legal: dict[str, Turn], seen: tuple[Side, Side], past: _Past) -> None:
        """Every illegal turn, and every slip on the board where nobody moved or on the end of a legal turn."""
        innocent = {position.sides, *(turn.after.sides for turn in legal.values())}
        bases = [Basis(position.sides, None), *(Basis(turn.after.sides, turn.key) for turn in legal.values())]
        reasons = Reasons(position, self.flags, legal)
        found = chain(
            reasons.common(),
            reasons.rare(),
            *(slips(self.reading, seen, basis, position.to_move, position.in_phase_1) for basis in bases),
        )
        for fault in found:
            if fault.sides not in innocent:
                weight = past.weight + LOG_FAULT[fault.rule] + fault.rarity + self.reading.fit(fault.sides)
                self.put(("illegal", fault.sides), weight, Explanation(ILLEGAL, past.turns, fault=fault))

    def weigh_longer(self, legal: dict[str, Turn], seen: tuple[Side, Side]) -> None:
        """What needs a whole legal turn that was not seen: a reply being sown or illegal, or two turns more."""
        for first in legal.values():
            past = _Past((first,), LOG_REPLIED)
            replies = legal_turns(first.after, self.flags)
            self.weigh_sowing(first.after, past)
            self.weigh_faults(first.after, replies, seen, past)
            self._weigh_thirds_of(first, replies)

    def weigh_thirds(self, legal: dict[str, Turn]) -> None:
        """Three legal turns between two looks."""
        for first in legal.values():
            self._weigh_thirds_of(first, legal_turns(first.after, self.flags))

    def _weigh_thirds_of(self, first: Turn, replies: dict[str, Turn]) -> None:
        for second in replies.values():
            for third in legal_turns(second.after, self.flags).values():
                weight = LOG_REPLIED * 2 + self.reading.fit(third.after.sides)
                self.put(third.after.sides, weight, Explanation(TURN, (first, second, third)))


def resting_boards(position: Position, turn: Turn, flags: Flags) -> Iterator[tuple[Side, Side]]:
    """The boards a turn may leave. One that wins leaves seeds in the hand, which may be put down or played on."""
    yield turn.after.sides
    if not turn.held:
        return
    begin, manner, laps = next((b, m, laps) for key, b, m, laps in legal_laps(position, flags) if key == turn.key)
    corner, step = begin.entry
    if laps:
        hand = laps[-1].hand
        corner, step = capture_way(lands(hand.first, hand.step, hand.seeds - 1), hand.step, manner)
    player = position.to_move
    own, other = turn.after.sides[player], turn.after.sides[1 - player]
    last = Hand(turn.held, corner, step)
    put_down = all_down(Lap(own, other, last))
    played_on, other_after = list(own), list(other)
    sow(played_on, other_after, last, manner)
    for mine, theirs in ((put_down, other), (tuple(played_on), tuple(other_after))):
        yield (mine, theirs) if player == SOUTH else (theirs, mine)


def _decide(accounts: list[Explanation]) -> Explanation:
    """What may be claimed, given every account with its share."""
    best = accounts[0]
    if best.verdict in (STILL, TURN, BACK) and best.share >= CERTAIN:
        return best
    sowing = sum(one.share for one in accounts if one.verdict == SOWING)
    guilty = sum(one.share for one in accounts if one.verdict == ILLEGAL)
    strange = 1 - sum(one.share for one in accounts)
    if best.verdict == ILLEGAL and 1 - guilty <= ACCUSE:
        return best
    if strange >= 0.5:
        return Explanation(STRANGE, share=strange)
    if sowing >= ALSO_POSSIBLE:
        return Explanation(SOWING, share=sowing)
    possible = {one.name: one for one in reversed(accounts) if one.share >= ALSO_POSSIBLE}
    choices = list(reversed(possible.values()))
    if len(choices) == 1 and best.verdict == ILLEGAL:
        # Not sure enough to accuse, and nothing else comes near: the likeliest innocent account is the other answer.
        choices += [one for one in accounts if one.verdict in (STILL, TURN, BACK)][:1]
    return Explanation(CLOSE, choices=tuple(choices))
