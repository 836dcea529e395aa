"""What was told of a table, step by step, as it stands in the log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.table.acts import CLAIM, DEAL, GATHER, LAY, LIFT, VOID
from engine.table.hypothesis import Hypothesis, Key, Step


@dataclass
class LoggedStep:
    """A step that is in the log."""

    step: Step
    number: int | None
    """Of its event; None: it needs none."""
    unsure: bool = False
    """Something else may have happened instead when it was told."""
    held: bool = False
    """A card that a hand held out and took away again: nothing was told of it."""


class Record:
    """The steps that were told, and the numbers of their events."""

    def __init__(self) -> None:
        self.told: list[LoggedStep] = []
        self._numbers: Mapping[int, int] = {}
        """Events of the cards that lay there when the match was taken up, by uid."""

    def start(self, numbers: Mapping[int, int]) -> None:
        """Nothing was told. numbers: events of the cards that lie there, by uid."""
        self.told, self._numbers = [], dict(numbers)

    def add(self, step: Step, number: int | None, unsure: bool = False, held: bool = False) -> None:
        """This step is told now. number: of its event; unsure, held: as a LoggedStep tells."""
        self.told.append(LoggedStep(step, number, unsure, held))

    def pop(self) -> LoggedStep:
        """The last that has an event stands no more."""
        while self.told[-1].number is None:
            self.told.pop()
        return self.told.pop()

    def forget(self, count: int) -> None:
        """The first so many were told for good."""
        self.told = self.told[count:]

    @property
    def steps(self) -> list[Step]:
        """All that was told."""
        return [told.step for told in self.told]

    @property
    def keys(self) -> tuple[Key, ...]:
        """What all of it says."""
        return tuple(told.step.key for told in self.told)

    @property
    def deals(self) -> int:
        """How many deals were told."""
        return deals_begun(self.steps)

    def agreed(self, hypothesis: Hypothesis, named: bool = False) -> int:
        """With how many of the steps that were told a hypothesis begins. named: a card told as unread may have a
        name by now."""
        agreed = 0
        for told, step in zip(self.told, hypothesis.steps, strict=False):
            if told.step.key != step.key and not (named and names(told.step, step)):
                break
            if told.held and step.uid not in hypothesis.lifted:
                break  # It lies there after all.
            agreed += 1
        return agreed

    def all_in(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis begins with all that was told."""
        return self.agreed(hypothesis) == len(self.told)

    def number_of(self, uid: int, best: Hypothesis, place: int) -> int | None:
        """The event that laid a card."""
        for step, told in zip(reversed(best.steps[:place]), reversed(self.told[:place]), strict=True):
            if step.kind == LAY and step.uid == uid:
                return told.number
        return self._numbers.get(uid)


def deals_begun(steps: Iterable[Step]) -> int:
    """How many deals they began."""
    return sum(step.kind == DEAL for step in steps)


def names(told: Step, now: Step) -> bool:
    """Whether this is the same card, which was told as unread and has a name now."""
    same = told.kind == now.kind == LAY and (told.uid, told.seat, told.trick) == (now.uid, now.seat, now.trick)
    return same and told.card is None and now.card is not None


def stands(steps: Sequence[Step]) -> tuple[int, int, list[Step]]:
    """How many deals these steps began, the trick they end in, and what of it lies there."""
    deals, trick, laid = 0, 0, list[Step]()
    for step in steps:
        if step.kind in (DEAL, VOID):
            deals, trick, laid = deals + (step.kind == DEAL), step.trick, []
        elif step.kind in (GATHER, CLAIM):
            trick, laid = step.trick + 1, []
        elif step.kind == LAY:
            trick, laid = step.trick, [*(laid if step.trick == trick else []), step]
        elif step.kind == LIFT:
            laid = [other for other in laid if other.uid != step.uid]
    return deals, trick, laid
