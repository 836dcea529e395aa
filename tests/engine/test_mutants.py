"""Small changes to the engine, one at a time: each is noticed by a test, or known to change nothing."""

import os

import pytest

from tools.mutants import chosen, equivalent, every, survivors


@pytest.mark.slow
def test_what_holds_back_an_accusation_cannot_be_dropped_unnoticed() -> None:
    """HISABU_MUTANTS tries more or fewer than 200; within an hour in any case."""
    tried, left = survivors(chosen(int(os.environ.get("HISABU_MUTANTS", "200")), seed=1), minutes=55)
    assert tried
    assert [mutant.name for mutant in left if mutant.name not in equivalent()] == []


@pytest.mark.slow
def test_the_changes_hang_on_the_code_and_the_seed_alone() -> None:
    few = [mutant.name for mutant in chosen(5, 1)]
    assert few == [mutant.name for mutant in chosen(20, 1)][:5]
    assert few != [mutant.name for mutant in chosen(5, 2)]


@pytest.mark.slow
def test_what_is_known_to_change_nothing_is_there_still() -> None:
    assert equivalent().keys() <= {mutant.name for mutant in every()}
