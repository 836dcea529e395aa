"""The bench of memory tells every stage, each with all before it."""

import sys

import pytest

from device.commands import memory_bench

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells")


def in_order(stages: list[float]) -> bool:
    return stages == sorted(stages) and 5 < stages[0] < 60


@pytest.mark.slow
def test_every_import_is_told_in_order() -> None:
    assert in_order(list(memory_bench.imports().values()))


@pytest.mark.slow
def test_every_stage_is_told_in_order() -> None:
    figures = memory_bench.bench(10, 6.0)
    stages = list(figures["imports_mb"].values())
    assert in_order(stages)
    for camera in ("film_mb", "simulated_mb"):
        assert stages[-2] < figures[camera]["most"] < 900
