"""A test of two sizes: a small one for every run, and the full one behind the marker `slow`."""

from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Cases of a parametrized test that only `-m slow` runs; each is a tuple, where there are several parameters."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]
