"""The bench measures the right things."""

import pytest

from vision.cards.cards_bench import bench, bench_picture, stages
from vision.cards.peer import peer_network
from vision.cards.reader import CardReader


def test_the_peer_is_of_the_size_it_claims() -> None:
    _net, parameters, flop = peer_network()
    assert 2.8e6 < parameters < 3.3e6
    assert 7.5e9 < flop < 9e9


def test_the_bench_picture_shows_what_is_timed(reader: CardReader) -> None:
    sighting = reader.read(bench_picture(4))
    assert len(sighting.cards) == 4


@pytest.mark.slow
def test_the_bench_gives_every_figure() -> None:
    figures = bench(rounds=3)
    assert {"median_ms", "ms_by_picture", "ms_by_cards", "memory_mb", "peer"} <= set(figures)


@pytest.mark.slow
def test_a_look_is_told_apart_by_what_its_time_goes_into() -> None:
    for figures in stages(rounds=1).values():
        shares = [figures[stage] for stage in ("networks", "pictures", "rest")]
        assert sum(shares) == pytest.approx(1, abs=0.01)
        assert min(shares) > 0
