"""What sightings say in plain numbers."""

from engine.sightings import best_count


def test_few_seeds_are_the_likeliest_count() -> None:
    assert best_count({0: 0.9, 1: 0.1}) == 0
    assert best_count({5: 0.4, 7: 0.3, 8: 0.3}) == 5


def test_of_many_the_middle_of_what_is_likely_together_is_told() -> None:
    assert best_count({11: 0.4, 13: 0.2, 14: 0.3, 15: 0.1}) == 14
    assert best_count({13: 1.0}) == 13
