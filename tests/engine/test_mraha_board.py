"""Explaining a board: which turn was played, which rule was broken, or that it cannot be told."""

from collections import Counter
from random import Random

import pytest

from engine.events import Board
from engine.referee.board import CLOSE, ILLEGAL, SOWING, STILL, STRANGE, TURN, Explanation
from engine.referee.mraha import explain
from engine.rules.mraha import (
    SOUTH,
    MrahaFlags,
    MrahaPosition,
    board_rows,
    flags_from,
    legal_laps,
    legal_turns,
    options_for,
    start,
)
from engine.simulate_mraha import PLANTABLE, blurred, board_of, honest_turns, plant
from tests.sizes import slow, some

PRESETS = ("mraha", "kiswahili")


def rules(preset: str = "mraha", **given: object) -> MrahaFlags:
    return flags_from(options_for(preset, given))


MRAHA, KISWAHILI = rules(), rules("kiswahili")


def positions(preset: str, games: int, seed: int = 0) -> list[MrahaPosition]:
    flags = rules(preset)
    found = []
    for game in range(games):
        found += [turn.after for turn in honest_turns(Random(seed + game), flags) if turn.after.winner is None]
    Random(seed).shuffle(found)
    return found


# -- legal boards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_turn_is_named(preset: str) -> None:
    flags = rules(preset)
    for position in positions(preset, 2):
        for turn in legal_turns(position, flags).values():
            told = explain(position, board_of(turn.after.sides), flags)
            assert told.verdict == TURN
            assert turn.key in (told.turns[0].key, *told.same)


def test_turns_to_the_same_board_are_one_explanation() -> None:
    sixteen = MrahaPosition(
        ((0, 0, 0, 0, 19, 0, 0, 0, 0, 1, 0, 0, 2, 3, 1, 1), (0, 0, 0, 0, 16, 0, 0, 0, 4, 4, 2, 1, 6, 1, 3, 0)),
        (0, 0), (False, False), 1,
    )  # fmt: skip
    turns = legal_turns(sixteen, KISWAHILI)
    assert set(turns) == {"F4+", "F4-"}
    told = explain(sixteen, board_of(turns["F4-"].after.sides), KISWAHILI)
    assert told.verdict == TURN and {told.turns[0].key, *told.same} == {"F4+", "F4-"}


def test_a_board_seen_again_says_that_nothing_moved() -> None:
    assert explain(start(MRAHA), board_of(start(MRAHA).sides), MRAHA).verdict == STILL


def test_two_quick_turns_are_decoded_in_order() -> None:
    first, second = list(honest_turns(Random(5), MRAHA))[:2]
    told = explain(start(MRAHA), board_of(second.after.sides), MRAHA)
    assert [turn.key for turn in told.turns] == [first.key, second.key]


def test_pits_that_cannot_be_counted_are_open() -> None:
    position = start(MRAHA)
    turn = legal_turns(position, MRAHA)["F7+"]
    rows: list[list[int | None]] = [[*row] for row in board_rows(turn.after)]
    hidden: list[list[int | None]] = [[None] * 8, [None] * 8, *rows[2:]]
    told = explain(position, Board(pits=tuple(tuple(row) for row in hidden)), MRAHA)
    assert told.verdict == TURN and told.turns[0].key == "F7+"


def test_nothing_is_claimed_of_a_board_nobody_can_see() -> None:
    assert explain(start(MRAHA), Board(pits=((None,) * 8,) * 4), MRAHA).verdict in (SOWING, CLOSE)


# -- while a hand sows -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boards", [2, *slow(4)])
@pytest.mark.parametrize("preset", PRESETS)
def test_seeds_in_the_hand_never_accuse(preset: str, boards: int) -> None:
    flags = rules(preset)
    for position in positions(preset, 3)[:boards]:
        for _, _, _, laps in legal_laps(position, flags):
            for lap in laps:
                own = list(lap.own)
                for number in range(lap.hand.seeds):
                    sides = (tuple(own), lap.other) if position.to_move == 0 else (lap.other, tuple(own))
                    assert explain(position, board_of(sides), flags).verdict in (SOWING, STILL, TURN)
                    own[(lap.hand.first + lap.hand.step * number) % 16] += 1


# -- faults ------------------------------------------------------------------------------------------------------------

ENDLESS = MrahaPosition(
    ((4, 3, 2, 1, 0, 2, 4, 0, 2, 4, 3, 1, 2, 1, 0, 3), (3, 6, 5, 0, 1, 0, 1, 1, 4, 2, 2, 1, 3, 0, 2, 1)),
    (0, 0), (False, False),
)  # fmt: skip
TOO_MANY = MrahaPosition(
    ((0, 1, 2, 0, 2, 1, 0, 25, 0, 1, 0, 0, 0, 0, 0, 0), (2, 0, 2, 0, 1, 1, 0, 3, 2, 4, 2, 3, 5, 1, 4, 2)),
    (0, 0), (False, False),
)  # fmt: skip
BLOCKED = MrahaPosition(
    ((2, 1, 0, 3, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 3), (0, 2, 1, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)),
    (0, 0), (False, False), 1, 1,
)  # fmt: skip
RARE = {"endless": (ENDLESS, MRAHA), "too_many_to_capture": (TOO_MANY, MRAHA), "blocked_pit": (BLOCKED, KISWAHILI)}
"""Faults that random play seldom makes possible, each with a position where it is."""


@pytest.mark.parametrize("rule", RARE)
def test_a_rare_fault_is_named(rule: str) -> None:
    position, flags = RARE[rule]
    board = plant(position, flags, rule, Random(1))
    assert board is not None
    told = explain(position, board, flags)
    assert told.verdict == ILLEGAL and told.fault is not None and told.fault.rule == rule


def named(preset: str, count: int, seed: int) -> tuple[Counter[str], list[tuple[str, Explanation]]]:
    """Plants every fault the table can show in so many positions. How many there were, and those named wrongly."""
    flags = rules(preset)
    shown: Counter[str] = Counter()
    wrong = []
    for place, position in enumerate([start(flags), *positions(preset, 3 + count // 40, seed)][:count]):
        for rule in PLANTABLE:
            board = plant(position, flags, rule, Random(place))
            if board is not None:
                shown[rule] += 1
                told = explain(position, board, flags)
                if told.fault is None or told.fault.rule != rule or told.turns:
                    wrong.append((rule, told))
    return shown, wrong


@pytest.mark.parametrize("boards", [3, *slow(6)])
@pytest.mark.parametrize("preset", some(PRESETS, 2))
def test_every_planted_fault_is_named(preset: str, boards: int) -> None:
    shown, wrong = named(preset, boards, seed=1)
    assert not wrong
    assert len(shown) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_many_planted_faults_are_named(preset: str) -> None:
    """A board that seeds added left may be as well what a legal turn and a fault of the other player leave: nobody is
    accused of that."""
    shown, wrong = named(preset, 200, seed=100)
    assert all(told.verdict == ILLEGAL and told.turns for _, told in wrong)
    assert len(wrong) < shown.total() / 1000


def test_a_fault_tells_what_it_is_about() -> None:
    position = start(MRAHA)
    turn = legal_turns(position, MRAHA)["F7+"]
    south, north = turn.after.sides
    wrong = list(south)
    wrong[7] -= 1
    wrong[11] += 1
    told = explain(position, board_of((tuple(wrong), north)), MRAHA)
    assert told.fault is not None
    assert (told.fault.rule, told.fault.key, set(told.fault.pits)) == ("dropped_wrong", "F7+", {(0, 7), (0, 11)})


def test_a_position_set_up_by_hand_is_strange() -> None:
    far = list(honest_turns(Random(3), MRAHA))[40].after
    assert explain(start(MRAHA), board_of(far.sides), MRAHA).verdict == STRANGE


# -- doubtful readings -------------------------------------------------------------------------------------------------


def doubtful(preset: str, games: int) -> Counter[str]:
    flags = rules(preset)
    verdicts: Counter[str] = Counter()
    for game in range(games):
        rng, position = Random(game), start(flags)
        for turn in honest_turns(rng, flags):
            told = explain(position, blurred(turn.after.sides, rng), flags)
            right = told.verdict == TURN and told.turns[-1].after.sides == turn.after.sides
            verdicts["right" if right else told.verdict] += 1
            position = turn.after
    return verdicts


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_settle_doubtful_readings_and_never_accuse(preset: str) -> None:
    verdicts = doubtful(preset, 6)
    assert set(verdicts) <= {"right", CLOSE, SOWING}
    assert verdicts["right"] >= 0.99 * verdicts.total()


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_long_doubtful_play_never_accuses(preset: str) -> None:
    verdicts = doubtful(preset, 200)
    assert set(verdicts) <= {"right", CLOSE, SOWING}
    assert verdicts["right"] >= 0.997 * verdicts.total()


def surely(rows: tuple[tuple[int, ...], ...]) -> Board:
    """A reader without any doubt of its own."""
    return Board(likelihood=tuple(tuple({count: 0.999, count + 1: 0.001} for count in row) for row in rows))


def test_one_surely_misread_pit_is_no_accusation() -> None:
    position = list(honest_turns(Random(8), MRAHA))[20].after
    for turn in legal_turns(position, MRAHA).values():
        rows = board_rows(turn.after)
        for row in range(4):
            for column in range(8):
                misread = [list(counts) for counts in rows]
                misread[row][column] += 1
                told = explain(position, surely(tuple(tuple(counts) for counts in misread)), MRAHA)
                assert told.verdict != ILLEGAL


def test_where_the_eye_is_known_to_err_two_pits_off_by_one_are_no_accusation() -> None:
    position = list(honest_turns(Random(8), MRAHA))[20].after
    turn = next(iter(legal_turns(position, MRAHA).values()))
    misread = [list(counts) for counts in board_rows(turn.after)]
    mine = [2, 3] if position.to_move == SOUTH else [0, 1]
    (_, row, column), (_, other_row, other) = sorted(
        (count, row, column) for row in mine for column, count in enumerate(misread[row])
    )[-2:]
    misread[row][column] -= 1
    misread[other_row][other] += 1
    board = surely(tuple(tuple(counts) for counts in misread))
    assert explain(position, board, MRAHA).verdict == ILLEGAL
    assert explain(position, board, MRAHA, misread=0.02).verdict != ILLEGAL
