"""A test of two sizes: a small one for every run, and the full one behind the marker `slow`."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Cases of a parametrized test that only `-m slow` runs; each is a tuple, where there are several parameters."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def some(cases: Sequence[Any], every: int) -> list[Any]:
    """One of so many cases in every run, the others with `-m slow`."""
    return [case if number % every == 0 else slow(case)[0] for number, case in enumerate(cases)]


def pairs(first: Sequence[Any], second: Sequence[Any], every: int = 1) -> list[Any]:
    """All pairs of two lists; in every run each of the first, or one of so many, with each of the second in turn."""
    kept = {(one, second[number % len(second)]) for number, one in enumerate(first) if number % every == 0}
    return [pair if pair in kept else slow(pair)[0] for pair in product(first, second)]
