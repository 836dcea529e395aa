"""What all pits together say of the ones that are hard to count."""

import math
from dataclasses import replace
from itertools import product

import pytest

from engine.referee.whole import ALL_THERE, MOST_OUTSIDE, with_the_others
from engine.rules.mraha import SEEDS
from engine.sightings import BoardSighting, CountLikelihood, best_count

_, ALL_IN_MRAHA = ALL_THERE[4, 8]
NOWHERE = ((0.0, 0.0),) * 4


def board(*doubtful: CountLikelihood, sure: int, outside: int = 0) -> BoardSighting:
    """Doubtful pits, and `sure` seeds counted for sure in the others."""
    pits: list[CountLikelihood | None] = [*doubtful, {sure: 1.0}]
    pits += [{0: 1.0}] * (32 - len(pits))
    return BoardSighting(NOWHERE, tuple(tuple(pits[row * 8 : row * 8 + 8]) for row in range(4)), outside)


def counts(sighting: BoardSighting) -> list[int]:
    return [best_count(pit) for row in sighting.pits for pit in row if pit is not None]


FULL = {11: 0.5, 12: 0.3, 13: 0.2}


def test_a_full_pit_holds_what_the_others_lack() -> None:
    assert counts(with_the_others(board(FULL, sure=SEEDS - 12)))[0] == 12


def test_in_the_first_half_of_a_game_pits_hold_what_they_seem_to() -> None:
    seen = board(FULL, sure=20)
    assert counts(with_the_others(seen)) == counts(seen)
    assert with_the_others(seen).pits[0][0] == pytest.approx(FULL)


def test_sure_counts_stand_however_many_are_missing() -> None:
    seen = board({4: 0.9999, 5: 0.0001}, {7: 0.9999, 8: 0.0001}, sure=SEEDS - 13)
    assert counts(with_the_others(seen)) == counts(seen)


def test_seeds_beside_the_pits_may_be_of_the_game() -> None:
    assert counts(with_the_others(board(FULL, sure=SEEDS - 12 - 1, outside=1)))[0] in (12, 13)
    heap = board(FULL, sure=SEEDS - 12, outside=MOST_OUTSIDE + 1)
    assert with_the_others(heap) == heap


def test_every_share_is_as_if_all_boards_had_been_weighed() -> None:
    doubtful = (FULL, {3: 0.6, 4: 0.4}, {7: 0.2, 8: 0.5, 9: 0.3})
    seen = board(*doubtful, sure=40)
    weights: dict[tuple[int, ...], float] = {}
    for held in product(*doubtful):
        prior = (1 - ALL_IN_MRAHA) / SEEDS + ALL_IN_MRAHA * (sum(held) + 40 == SEEDS)
        weights[held] = prior * math.prod(pit[count] for pit, count in zip(doubtful, held, strict=True))
    for place, pit in enumerate(with_the_others(seen).pits[0][:3]):
        assert pit is not None
        for count, share in pit.items():
            wanted = sum(w for held, w in weights.items() if held[place] == count) / sum(weights.values())
            assert share == pytest.approx(wanted)


def test_a_board_with_a_hidden_pit_and_another_grid_are_left_as_they_are() -> None:
    seen = board(FULL, sure=SEEDS - 12)
    hidden = replace(seen, pits=((None, *seen.pits[0][1:]), *seen.pits[1:]))
    assert with_the_others(hidden) == hidden
    other = replace(seen, pits=seen.pits[:2])
    assert with_the_others(other) == other


def test_on_two_rows_of_six_a_doubtful_pit_holds_what_makes_up_a_whole_game() -> None:
    four_or_five: CountLikelihood = {4: 0.45, 5: 0.55}
    opening = BoardSighting(NOWHERE, ((four_or_five, *({4: 1.0},) * 5), ({4: 1.0},) * 6))
    assert counts(with_the_others(opening)) == [4] * 12


def test_on_two_rows_of_six_fewer_seeds_may_lie_there_once_some_were_taken() -> None:
    four_or_five: CountLikelihood = {4: 0.45, 5: 0.55}
    later = BoardSighting(NOWHERE, ((four_or_five, *({2: 1.0},) * 5), ({3: 1.0},) * 6))
    assert with_the_others(later).pits[0][0] == pytest.approx(four_or_five)
