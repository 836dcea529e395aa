"""Why the likeliest accounts of a rest are the likeliest: what they say happened, and what weighs for and against each.

For people who look for the mistake in an evening that was followed wrongly.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.table.acts import SOME
from engine.table.evidence import Rest, Weigher
from engine.table.history import History, Step

BEFORE, ACTS = "before", "acts"
"""What an account was worth before this rest; and the priors of what it says people did since, with their hands."""
LEAST_TERM = 0.05
"""Of a logarithm: what weighs less decides nothing."""


@dataclass(frozen=True)
class Account:
    """One of the likeliest accounts of a rest."""

    share: float
    steps: tuple[Step, ...]
    """What it says happened since the rest before."""
    earlier: tuple[Step, ...]
    """And in the trick or two before that."""
    terms: dict[str, float]
    """What speaks for and against it, by name: logarithms."""

    def only(self, other: "Account") -> tuple[Step, ...]:
        """What it says happened earlier that another does not."""
        known = {step.key for step in other.earlier}
        return tuple(step for step in self.earlier if step.key not in known)

    def beside(self, best: "Account") -> list[tuple[str, float]]:
        """What decides between it and the likeliest, the weightiest first: how much better or worse it is by that."""
        names = {*self.terms, *best.terms}
        told = [(name, self.terms.get(name, 0.0) - best.terms.get(name, 0.0)) for name in names]
        return sorted((term for term in told if abs(term[1]) > LEAST_TERM), key=lambda term: (-abs(term[1]), term[0]))


@dataclass(frozen=True)
class Why:
    """The likeliest accounts of a rest."""

    number: int
    at_s: float
    """Of its last look."""
    looks: int
    glance: bool
    """Seen while a hand was still over the table."""
    accounts: tuple[Account, ...]


def why(
    histories: Sequence[History],
    base: Sequence[History],
    futures: Sequence[History],
    rest: Rest,
    weigher: Weigher,
    many: int,
) -> Why:
    """base: the accounts before this rest; futures: what may have happened since, before its looks are weighed."""
    accounts = tuple(_account(hypothesis, base, futures or base, rest, weigher) for hypothesis in histories[:many])
    last = rest.looks[-1]
    return Why(rest.number, last.at_s, len(rest.looks), last.glance, accounts)


def _account(
    hypothesis: History, base: Sequence[History], futures: Sequence[History], rest: Rest, weigher: Weigher
) -> Account:
    said = [future for future in futures if future.steps == hypothesis.steps and future.things == hypothesis.things]
    future = max(said, key=lambda other: other.logp, default=hypothesis)
    began = [other.logp for other in base if other.steps == hypothesis.steps[: len(other.steps)]]
    before = max(began, default=future.logp)
    terms = {BEFORE: before, ACTS: future.logp - before, **_seen(future, rest, weigher)}
    steps = tuple(step for step in hypothesis.steps if step.rest == rest.number)
    earlier = tuple(step for step in hypothesis.steps if step.rest != rest.number)
    return Account(math.exp(hypothesis.logp), steps, earlier, terms)


def _seen(hypothesis: History, rest: Rest, weigher: Weigher) -> dict[str, float]:
    """What the looks of a rest say of an account, by name; together what they weigh."""
    each = 1 / len(rest.looks) * (1 + SOME * (len(rest.looks) - 1))
    terms: dict[str, float] = {}
    for seen in rest.looks:
        for name, worth in weigher.terms(hypothesis, seen, rest.shown_again(hypothesis, seen)):
            terms[name] = terms.get(name, 0.0) + worth * each
    return terms
