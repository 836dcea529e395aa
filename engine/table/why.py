"""Why the likeliest hypotheses of a still period are the likeliest: what they say happened, and what weighs for each.

For people who look for the mistake in an evening that was followed wrongly.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.table.hypothesis import Hypothesis, Step
from engine.table.observation import ObservationModel, StillPeriod

BEFORE, ACTS = "before", "acts"
"""The score up to the previous still period; and the priors of what the hypothesis says people did since."""
LEAST_TERM = 0.05
"""Of a logarithm: what weighs less decides nothing."""


@dataclass(frozen=True)
class ScoredHypothesis:
    """One of the likeliest hypotheses of a still period."""

    posterior: float
    steps: tuple[Step, ...]
    """What it says happened since the still period before."""
    earlier: tuple[Step, ...]
    """And in the trick or two before that."""
    terms: dict[str, float]
    """What speaks for and against it, by name: logarithms."""

    def only(self, other: "ScoredHypothesis") -> tuple[Step, ...]:
        """What it says happened earlier that another does not."""
        known = {step.key for step in other.earlier}
        return tuple(step for step in self.earlier if step.key not in known)

    def beside(self, best: "ScoredHypothesis") -> list[tuple[str, float]]:
        """What decides between it and the likeliest, the weightiest first: how much better or worse it is by that."""
        names = {*self.terms, *best.terms}
        told = [(name, self.terms.get(name, 0.0) - best.terms.get(name, 0.0)) for name in names]
        return sorted((term for term in told if abs(term[1]) > LEAST_TERM), key=lambda term: (-abs(term[1]), term[0]))


@dataclass(frozen=True)
class Why:
    """The likeliest hypotheses of a still period."""

    number: int
    at_s: float
    """Of its last look."""
    looks: int
    glance: bool
    """Seen while a hand was still over the table."""
    hypotheses: tuple[ScoredHypothesis, ...]


def why(
    hypotheses: Sequence[Hypothesis],
    base: Sequence[Hypothesis],
    successors: Sequence[Hypothesis],
    period: StillPeriod,
    observation: ObservationModel,
    many: int,
) -> Why:
    """base: the hypotheses before this still period; successors: what may have happened since, before its looks."""
    scored = tuple(
        _scored(hypothesis, base, successors or base, period, observation) for hypothesis in hypotheses[:many]
    )
    last = period.looks[-1]
    return Why(period.number, last.at_s, len(period.looks), last.glance, scored)


def _scored(
    hypothesis: Hypothesis,
    base: Sequence[Hypothesis],
    successors: Sequence[Hypothesis],
    period: StillPeriod,
    observation: ObservationModel,
) -> ScoredHypothesis:
    said = [future for future in successors if future.steps == hypothesis.steps and future.things == hypothesis.things]
    future = max(said, key=lambda other: other.logp, default=hypothesis)
    began = [other.logp for other in base if other.steps == hypothesis.steps[: len(other.steps)]]
    before = max(began, default=future.logp)
    terms = {BEFORE: before, ACTS: future.logp - before, **_seen(future, period, observation)}
    steps = tuple(step for step in hypothesis.steps if step.period == period.number)
    earlier = tuple(step for step in hypothesis.steps if step.period != period.number)
    return ScoredHypothesis(math.exp(hypothesis.logp), steps, earlier, terms)


def _seen(hypothesis: Hypothesis, period: StillPeriod, observation: ObservationModel) -> dict[str, float]:
    """What the looks of a still period say of a hypothesis, by name; together what they weigh."""
    each = period.independent_looks / len(period.looks)
    terms: dict[str, float] = {}
    for seen in period.looks:
        for name, log_likelihood in observation.terms(hypothesis, seen, period.shown_again(hypothesis, seen)):
            terms[name] = terms.get(name, 0.0) + log_likelihood * each
    return terms
