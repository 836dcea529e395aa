"""Which turn explains a board: the position before and what was seen go in, the likeliest account comes out.

Every account competes on the evidence: how well the board it leads to fits what was seen, and how likely it was before
looking. A legal turn is taken when it is nearly certain, a rule is named only when everything innocent together is
next to impossible, and otherwise nothing is claimed: seeds are still in a hand, or it is too close to tell.
Only the board is evidence. The seeds in hand cannot be seen; they follow from what left or came onto the board.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from engine.events import Board
from engine.referee.board_evidence import MISREAD, BoardEvidence
from engine.referee.seed_game import Basis, Fault, SeedGame, Sides

STILL, TURN, BACK, STANDS, ILLEGAL = "still", "turn", "taken_back", "stands", "illegal"
SOWING, CLOSE, STRANGE = "sowing", "close", "strange"
INNOCENT = (STILL, TURN, BACK, STANDS)
"""What may have happened without anything wrong, once no hand holds seeds."""

CERTAIN = 0.9
"""A legal turn (or that nobody moved) is taken when it has this share of all that may have happened."""
ACCUSE = 1 / 200
"""A rule is named when every innocent account together has less than this share."""
KEPT_IN_MIND, MOST_IN_MIND = 0.003, 12
"""The share from which a legal turn is kept in mind where nothing is claimed, and how many at most: the next board may
tell."""
ALSO_POSSIBLE, MOST_TURNS = 0.05, 2
"""The share from which an account is offered as an answer when it is too close to tell; of how many turns at most."""

# How likely each kind of account is before looking, as logarithms. Estimates for a family table where the camera looks
# after every rest of the hands; only their order of size matters: evidence of one clear pit outweighs most of them.
LOG_STILL = math.log(0.3)
LOG_TURN = math.log(0.6)
"""Shared by the legal turns."""
AS_ASKED = 0.8
"""The share of turns that are made as the device asks for them: no more than a person who tries would say."""
LOG_REPLIED = math.log(0.02)
"""Two quick turns between two looks; shared by all pairs."""
LOG_BACK = math.log(0.01)
"""The last turn was taken back, or had been read wrong; with another played instead, shared by all of those."""
LOG_SOWING = math.log(0.05 / 50)
"""Each state in the middle of a sowing; a turn has some fifty."""
PAUSES_ON = 0.1
"""Of all pauses within a turn, those in which nothing moves for as long as four looks take."""
LOG_STRANGE = -25.0
"""Something else altogether: as unlikely as three pits that contradict a sure reading. Fits any board."""
LOG_SCATTERED = math.log(0.005)
"""A sleeve or a child went through the seeds: many pits hold a few more or fewer, and no rule was broken."""
SCATTERED_PITS = 4
"""Fewer pits than this are a slip of the hand."""
DISTURBED = 5
"""So many pits or so hold something else then."""
DISTURBED_BY = {1: 0.3, 2: 0.12, 3: 0.06, 4: 0.02}
"""By how many seeds, more or fewer, each of them differs, and how often."""


class Explanation(NamedTuple):
    """What happened, as far as the board tells.

    verdict: still, turn, taken_back (the last turn; another may have been played), stands (an illegal turn that was
    told; turns may have followed it), illegal, sowing (seeds in a hand: no claim yet), close (choices say between
    what), strange.
    """

    verdict: str
    turns: tuple[Any, ...] = ()
    """The turn, or quick turns in order."""
    same: tuple[str, ...] = ()
    """Keys of other turns that lead to the very same board."""
    fault: Fault | None = None
    share: float = 0.0
    """Its share of all that may have happened."""
    choices: tuple["Explanation", ...] = ()
    """When it is too close: the accounts that are possible, likeliest first."""
    open: tuple["Explanation", ...] = ()
    """When nothing is claimed: the legal turns that may have been played."""

    @property
    def name(self) -> str:
        """A short name for a choice: the keys of its turns, the rule it breaks, or its verdict."""
        if self.fault is not None:
            return self.fault.rule
        keys = [turn.key for turn in self.turns]
        return " ".join([BACK, *keys] if self.verdict == BACK else keys) or self.verdict


class _Past(NamedTuple):
    """Legal turns taken to have happened before the one looked at, and how likely that was."""

    turns: tuple[Any, ...] = ()
    weight: float = 0.0


def explain(
    position: Any,
    board: Board,
    game: SeedGame[Any],
    before: Any | None = None,
    misread: float = MISREAD,
    still_open: Sequence[Explanation] = (),
    wanted: str | None = None,
    sowing: bool = True,
    stands: Any | None = None,
    followed: tuple[Any, ...] = (),
) -> Explanation:
    """The likeliest account of a board, or that none is clear enough.

    before: what the last turn was played from. misread: how often the eye is sure of a wrong count at this table.
    still_open: what may have led to the board before this one, where that was not clear. wanted: the turn that the
    device asks for, which is made far more often than any other. sowing: a hand may hold seeds. stands: the position if
    an illegal turn that was told is let stand. followed: the turns that were seen to follow it.
    """
    scale = _Scale(BoardEvidence(board, game.layout, misread), game, sowing)
    legal = game.legal(position)
    if wanted is not None:
        legal = {wanted: legal[wanted], **legal}  # Of turns that lead to the same board, it is this one.
    scale.put("still", LOG_STILL + scale.reading.fit(position.sides), Explanation(STILL))
    scale.weigh_turns(position, legal, wanted)
    if stands is not None:
        scale.weigh_stands(stands, ())
        if followed:
            scale.weigh_stands(followed[-1].after, followed)
    # What is not yet weighed cannot come near: the likeliest of it fits at its best.
    unweighed = [LOG_REPLIED - math.log(max(1, len(legal))), *game.log_fault.values(), *([LOG_BACK] if before else [])]
    if scale.best - max(unweighed) < math.log(CERTAIN / (1 - CERTAIN)):
        seen = scale.reading.likeliest(position.sides)
        scale.weigh_replies(legal)
        if before is not None:
            scale.weigh_taken_back(before)
        scale.weigh_open(still_open)
        scale.weigh_sowing(position, _Past())
        scale.weigh_faults(position, legal, seen, _Past())
        scale.weigh_unseen(legal, seen)
        if before is not None and scale.likeliest.verdict == ILLEGAL:
            scale.weigh_misread(before)
        if scale.likeliest.verdict == ILLEGAL:
            scale.weigh_scattered(position, legal)
    return _decide(scale.shares(), board.waited)


class _Scale:
    """Weighs accounts of one reading against each other; accounts with the same outcome are one."""

    def __init__(self, reading: BoardEvidence, game: SeedGame[Any], sowing: bool) -> None:
        self.reading, self.game, self.sowing = reading, game, sowing
        self.accounts: dict[object, tuple[float, Explanation]] = {}
        self.best = -math.inf
        self.strange = LOG_STRANGE
        """How likely it is that no turn and no slip led to this board."""

    def put(self, outcome: object, weight: float, account: Explanation) -> None:
        known = self.accounts.get(outcome)
        if known is None or weight > known[0]:
            self.accounts[outcome] = (weight, account)
            self.best = max(self.best, weight)

    @property
    def likeliest(self) -> Explanation:
        """The likeliest account so far."""
        return max(self.accounts.values(), key=lambda explanation: explanation[0])[1]

    def shares(self) -> list[Explanation]:
        """Every account with its share, likeliest first; what is strange has the rest."""
        ordered = sorted(self.accounts.values(), key=lambda explanation: -explanation[0])
        top = max(self.best, self.strange)
        total = sum(math.exp(weight - top) for weight, _ in ordered) + math.exp(self.strange - top)
        return [account._replace(share=math.exp(weight - top) / total) for weight, account in ordered]

    def weigh_turns(self, position: Any, legal: Mapping[str, Any], wanted: str | None = None) -> None:
        """Every legal turn; those that lead to the same board together."""
        groups: dict[Sides, list[Any]] = {}
        for turn in legal.values():
            groups.setdefault(turn.after.sides, []).append(turn)
        for first, *others in groups.values():
            fit = max(self.reading.fit(sides) for sides in self.game.resting_boards(position, first))
            same = tuple(turn.key for turn in others)
            chance = 1 / len(groups)
            if wanted is not None:
                chance = (1 - AS_ASKED) * chance + (AS_ASKED if first.key == wanted else 0.0)
            self.put(first.key, LOG_TURN + math.log(chance) + fit, Explanation(TURN, (first,), same))

    def weigh_replies(self, legal: Mapping[str, Any]) -> None:
        """Two legal turns between two looks."""
        pairs = {pair[1].after.sides: pair for pair in self._pairs(legal)}
        for sides, pair in pairs.items():
            weight = LOG_REPLIED - math.log(len(pairs)) + self.reading.fit(sides)
            self.put(sides, weight, Explanation(TURN, pair))

    def weigh_taken_back(self, before: Any) -> None:
        """The board that the last turn was played from, or another legal turn from there."""
        self.put(("back", before.sides), LOG_BACK + self.reading.fit(before.sides), Explanation(BACK))
        others = {turn.after.sides: turn for turn in self.game.legal(before).values()}
        for sides, turn in others.items():
            weight = LOG_BACK - math.log(len(others)) + self.reading.fit(sides)
            self.put(("back", sides), weight, Explanation(BACK, (turn,)))

    def weigh_open(self, still_open: Sequence[Explanation]) -> None:
        """A legal turn after what may have led to the board before this one."""
        for past in still_open:
            replies = self.game.legal(past.turns[-1].after).values()
            for reply in replies:
                weight = math.log(past.share) + LOG_TURN - math.log(len(replies)) + self.reading.fit(reply.after.sides)
                self.put(reply.after.sides, weight, Explanation(TURN, (*past.turns, reply)))

    def weigh_stands(self, position: Any, followed: tuple[Any, ...]) -> None:
        """An illegal turn that was told is let stand: nobody moved since, or turns followed it."""
        still = LOG_STILL + self.reading.fit(position.sides)
        self.put(("stands", position.sides), still, Explanation(STANDS, followed))
        self.weigh_sowing(position, _Past())
        legal = self.game.legal(position)
        for weight, ways in ((LOG_TURN, [(turn,) for turn in legal.values()]), (LOG_REPLIED, self._pairs(legal))):
            for turns in ways:
                sides = turns[-1].after.sides
                likely = weight - math.log(len(ways)) + self.reading.fit(sides)
                self.put(("stands", sides), likely, Explanation(STANDS, (*followed, *turns)))

    def weigh_misread(self, before: Any) -> None:
        """Two or three legal turns since what the last turn was played from: it was none, but an eye that erred."""
        pairs = self._pairs(self.game.legal(before))
        thirds = [(*pair, third) for pair in pairs for third in self.game.legal(pair[1].after).values()]
        for some in (pairs, thirds):
            for turns in some:
                sides = turns[-1].after.sides
                weight = LOG_BACK + LOG_REPLIED * (len(turns) - 1) - math.log(len(some)) + self.reading.fit(sides)
                self.put(("back", sides), weight, Explanation(BACK, turns))

    def weigh_sowing(self, position: Any, past: _Past) -> None:
        """Every state of every legal turn with seeds still in the hand."""
        best = self.game.sowing_fit(position, self.reading) if self.sowing else -math.inf
        if best > -math.inf:
            self.put("sowing", past.weight + LOG_SOWING + best, Explanation(SOWING))

    def weigh_faults(self, position: Any, legal: Mapping[str, Any], seen: Sides, past: _Past) -> None:
        """Every illegal turn, and every slip on the board where nobody moved or on the end of a legal turn."""
        innocent = {position.sides, *(turn.after.sides for turn in legal.values())}
        bases = [Basis(position.sides, None), *(Basis(turn.after.sides, turn.key) for turn in legal.values())]
        found = chain(
            self.game.faults(position, legal),
            *(self.game.slips(position, self.reading, seen, basis) for basis in bases),
        )
        for fault in found:
            if fault.sides not in innocent:
                weight = past.weight + self.game.log_fault[fault.rule] + fault.rarity + self.reading.fit(fault.sides)
                self.put(("illegal", fault.sides), weight, Explanation(ILLEGAL, past.turns, fault=fault))

    def weigh_scattered(self, position: Any, legal: Mapping[str, Any]) -> None:
        """Seeds rolled from pit to pit or off the board, before a turn or after one."""
        after_turn = LOG_TURN - math.log(max(1, len(legal)))
        bases = [(0.0, position.sides), *((after_turn, turn.after.sides) for turn in legal.values())]
        for weight, sides in bases:
            fits = _scattered_fit(self.reading, sides)
            if fits:
                self.strange = _either(self.strange, weight + LOG_SCATTERED + math.log(fits))

    def weigh_unseen(self, legal: Mapping[str, Any], seen: Sides) -> None:
        """What needs a whole legal turn more that was not seen, where it may come near."""
        wrong = self.likeliest.verdict == ILLEGAL or self.best < LOG_STRANGE
        # Three quick turns in a row may look like a fault, or like two others and a pit misread.
        if (wrong or len(self.likeliest.turns) > 1) and self.best - 2 * LOG_REPLIED < -math.log(ACCUSE):
            self.weigh_thirds(legal)
        if wrong:
            self.weigh_begun_replies(legal)
        if self.best < LOG_REPLIED - math.log(max(1, len(legal))) + max(self.game.log_fault.values()):
            self.weigh_wrong_replies(legal, seen)

    def weigh_begun_replies(self, legal: Mapping[str, Any]) -> None:
        """A legal turn that was not seen, and the next player has seeds in a hand already."""
        for first in legal.values():
            self.weigh_sowing(first.after, _Past((first,), LOG_REPLIED))

    def weigh_wrong_replies(self, legal: Mapping[str, Any], seen: Sides) -> None:
        """A legal turn that was not seen, and an illegal reply."""
        for first in legal.values():
            past = _Past((first,), LOG_REPLIED - math.log(len(legal)))
            self.weigh_faults(first.after, self.game.legal(first.after), seen, past)

    def weigh_thirds(self, legal: Mapping[str, Any]) -> None:
        """Three legal turns between two looks."""
        for first, second in self._pairs(legal):
            for third in self.game.legal(second.after).values():
                weight = LOG_REPLIED * 2 + self.reading.fit(third.after.sides)
                self.put(third.after.sides, weight, Explanation(TURN, (first, second, third)))

    def _pairs(self, legal: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Each of these turns with each legal reply."""
        return [(first, reply) for first in legal.values() for reply in self.game.legal(first.after).values()]


def _scattered_fit(reading: BoardEvidence, sides: Sides) -> float:
    """How well a board fits from which seeds rolled about, enough to be no slip of the hand."""
    fewer, many = [1.0] + [0.0] * (SCATTERED_PITS - 1), 0.0
    """With so few disturbed pits, number by number, and with any more."""
    disturbed = DISTURBED / sum(map(len, sides))
    for tables, side in zip(reading.tables, sides, strict=True):
        for table, count in zip(tables, side, strict=True):
            lies, rolled = (1 - disturbed) * math.exp(table[count]), disturbed * _disturbed_fit(table, count)
            many = many * (lies + rolled) + fewer[-1] * rolled
            fewer = [now * lies + before * rolled for now, before in zip(fewer, [0.0, *fewer], strict=False)]
    return many


def _disturbed_fit(table: Sequence[float], count: int) -> float:
    """How well a pit fits in which a few seeds are too many or too few."""
    ways = ((by * way, p) for by, p in DISTURBED_BY.items() for way in (-1, 1))
    return sum(p * math.exp(table[count + by]) for by, p in ways if 0 <= count + by < len(table))


def _either(first: float, other: float) -> float:
    """The logarithm of two likelihoods together, given their logarithms."""
    return max(first, other) + math.log1p(math.exp(-abs(first - other)))


def _decide(accounts: list[Explanation], waited: bool) -> Explanation:
    """What may be claimed, given every account with its share. waited: who sows has mostly gone on by now; that makes a
    legal turn likelier, and accuses nobody."""
    best = accounts[0]
    possible = 1 - ((1 - PAUSES_ON) * _share(accounts, SOWING) if waited else 0.0)
    if best.verdict in INNOCENT and best.share >= CERTAIN * possible:
        return best
    if best.verdict == ILLEGAL and 1 - _share(accounts, ILLEGAL) <= ACCUSE:
        return best
    return _unclear(accounts)._replace(open=_possible_turns(accounts))


def _possible_turns(accounts: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """The legal turns that may have been played, likeliest first, with their shares of all that is not strange: one pit
    that is surely counted wrong makes everything strange, and the next board may show which turn it was."""
    total = sum(explanation.share for explanation in accounts)
    likely = (
        explanation
        for explanation in accounts
        if explanation.verdict == TURN and explanation.share > KEPT_IN_MIND * total
    )
    return tuple(explanation._replace(share=explanation.share / total) for explanation in likely)[:MOST_IN_MIND]


def _unclear(accounts: Sequence[Explanation]) -> Explanation:
    """What is said where neither a legal turn nor a fault is sure."""
    sowing = _share(accounts, SOWING)
    strange = 1 - sum(explanation.share for explanation in accounts)
    if strange >= 0.5:
        return Explanation(STRANGE, share=strange)
    if sowing >= ALSO_POSSIBLE:
        return Explanation(SOWING, share=sowing)
    return Explanation(CLOSE, choices=_choices(accounts))


def _share(accounts: Sequence[Explanation], verdict: str) -> float:
    """What all accounts of a kind have together."""
    return sum(explanation.share for explanation in accounts if explanation.verdict == verdict)


def _choices(accounts: Sequence[Explanation]) -> tuple[Explanation, ...]:
    """The accounts that are possible, when it is too close to tell. Nobody can answer for three turns in a row: of
    those another look must tell."""
    likely = [
        explanation
        for explanation in accounts
        if explanation.share >= ALSO_POSSIBLE and len(explanation.turns) <= MOST_TURNS and explanation.verdict != STANDS
    ]
    possible = {explanation.name: explanation for explanation in reversed(likely)}
    choices = tuple(reversed(possible.values()))
    if len(choices) != 1 or accounts[0].verdict != ILLEGAL:
        return choices
    # Not sure enough to accuse, and nothing else comes near: the likeliest innocent account is the other answer.
    return (*choices, *[explanation for explanation in accounts if explanation.verdict in INNOCENT][:1])
