"""The bench of the live table gives its figures."""

import pytest

from device.commands import live_bench


@pytest.mark.slow
def test_the_bench_follows_what_it_times() -> None:
    figures = live_bench.bench(events=3, seconds=70.0)
    laid, shown = figures["cards_laid_and_shown"]
    assert laid == shown == 2
    assert 0.3 <= figures["hand_gone_to_view_s"]["median"] < 2.0
    assert set(figures["frame_ms"]) == {"still", "moving", "look"}
    assert 0 < figures["memory"]["after_a_minute_mb"] < 250
