"""The rules of mraha wa tso: turns, flags, endings, and the written form of a position."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.options import OptionError
from engine.rules.mraha import (
    NORTH,
    SOUTH,
    MrahaFlags,
    MrahaPosition,
    flags_from,
    legal_turns,
    options_for,
    perft,
    position_from_dict,
    position_to_dict,
    start,
)
from engine.rules.sowing import ENDED, ENDLESS, Lap, Manner, SeedsInHand, sow
from engine.rules.written import PositionError
from engine.simulate_mraha import honest_turns


def rules(preset: str = "mraha", **given: object) -> MrahaFlags:
    return flags_from(options_for(preset, given))


MRAHA, KISWAHILI = rules(), rules("kiswahili")


def side(front: str, back: str = "") -> tuple[int, ...]:
    """A side as its owner sees it, both rows left to right."""
    rows = [[int(n) for n in row.split()] or [0] * 8 for row in (front, back)]
    return (*rows[0], *reversed(rows[1]))


def table(
    south: tuple[int, ...], north: tuple[int, ...], hand: int = 0, owned: bool = False, to_move: int = SOUTH
) -> MrahaPosition:
    return MrahaPosition((south, north), (hand, hand), (owned, owned), to_move)


# -- against what others count -----------------------------------------------------------------------------------------


def test_turns_from_the_start_are_counted_as_public_engines_count_them() -> None:
    assert [perft(start(KISWAHILI), depth, KISWAHILI) for depth in range(1, 7)] == [4, 14, 38, 124, 405, 1430]


@pytest.mark.slow
def test_depth_seven_shows_the_corner_flag() -> None:
    assert perft(start(KISWAHILI), 7, KISWAHILI) == 5655
    loose = rules("kiswahili", corner_not_backward="no")
    assert perft(start(loose), 7, loose) == 5657


def test_every_vector_agrees(shared: Path) -> None:
    vectors = json.loads((shared / "vectors" / "bao_kiswahili.json").read_text())["positions"]
    for vector in vectors:
        position = position_from_dict(vector["position"])
        found = {key: position_to_dict(turn.after) for key, turn in legal_turns(position, KISWAHILI).items()}
        assert set(found) == set(vector["moves"]), vector["id"]
        for key, expected in vector["moves"].items():
            found[key].pop("blocked", None)
            assert found[key] == expected, (vector["id"], key)


# -- what always holds -------------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.sampled_from(["mraha", "kiswahili"]))
@settings(max_examples=15, deadline=None)
def test_no_seed_is_lost_or_made(seed: int, preset: str) -> None:
    for turn in honest_turns(Random(seed), rules(preset)):
        assert turn.after.on_board + sum(turn.after.reserve) + turn.held == 64


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_a_position_survives_being_written_down(seed: int) -> None:
    for turn in honest_turns(Random(seed), KISWAHILI):
        if turn.after.winner is None:
            assert position_from_dict(json.loads(json.dumps(position_to_dict(turn.after)))) == turn.after


@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_the_board_turned_round_has_the_same_turns_for_the_other_player(seed: int) -> None:
    for turn in honest_turns(Random(seed), KISWAHILI):
        p = turn.after
        turned = MrahaPosition(p.sides[::-1], p.reserve[::-1], p.owned[::-1], 1 - p.to_move, p.blocked)
        if p.winner is None:
            here = sorted(turn.after.sides for turn in legal_turns(p, KISWAHILI).values())
            there = sorted(turn.after.sides[::-1] for turn in legal_turns(turned, KISWAHILI).values())
            assert here == there


# -- sowing ------------------------------------------------------------------------------------------------------------


def test_a_turn_that_comes_back_to_its_own_state_is_endless() -> None:
    own = [4, 3, 2, 1, 0, 2, 4, 0, 2, 4, 3, 1, 2, 1, 0, 3]
    other = [0] * 16
    pit = 10
    seeds, own[pit] = own[pit], 0
    assert sow(own, other, SeedsInHand(seeds, pit + 1, 1), Manner(False)).end == ENDLESS


def test_a_cycle_of_millions_of_sowings_is_given_up_as_endless() -> None:
    own = [5, 7, 6, 0, 3, 0, 5, 0, 1, 0, 9, 2, 1, 2, 1, 10]
    seeds, own[1] = own[1], 0
    assert sow(own, [0] * 16, SeedsInHand(seeds, 0, -1), Manner(False)).end == ENDLESS


def test_a_long_turn_that_does_end_is_no_cycle() -> None:
    own = [1, 2, 3, 1, 2, 5, 6, 1, 4, 3, 0, 3, 4, 0, 3, 0]
    laps: list[Lap] = []
    seeds, own[12] = own[12], 0
    assert sow(own, [0] * 16, SeedsInHand(seeds, 13, 1), Manner(False), laps).end == ENDED
    assert len(laps) == 2675


def test_an_endless_start_is_no_legal_turn() -> None:
    position = table((4, 3, 2, 1, 0, 2, 4, 0, 2, 4, 3, 1, 2, 1, 0, 3), (3, 6, 5, 0, 1, 0, 1, 1, 4, 2, 2, 1, 3, 0, 2, 1))
    assert "B6+" not in legal_turns(position, MRAHA)


# -- endings -----------------------------------------------------------------------------------------------------------


def test_emptying_the_opponents_front_row_wins_in_mid_turn() -> None:
    turns = legal_turns(table(side("0 0 1 0 0 0 0 0"), side("0 0 0 0 0 3 0 0", "1 1 1 1 1 1 1 1"), hand=5), MRAHA)
    assert {key: (turn.after.winner, turn.held) for key, turn in turns.items()} == {
        "F3+": (SOUTH, 3), "F3-": (SOUTH, 3)
    }  # fmt: skip


def test_no_legal_turn_loses() -> None:
    stuck = side("1 0 0 0 0 0 0 0", "1 1 0 0 0 0 0 0")
    turns = legal_turns(table(stuck, side("2 0 0 0 0 0 0 0"), to_move=NORTH), KISWAHILI)
    assert turns and all(turn.after.winner == NORTH for turn in turns.values())


def test_an_own_front_row_left_empty_loses() -> None:
    turns = legal_turns(table(side("0 0 0 0 0 0 0 2"), side("0 0 0 2 0 0 0 0")), MRAHA)
    assert turns["F8+"].after.winner == NORTH
    assert turns["F8-"].after.winner is None


# -- flags -------------------------------------------------------------------------------------------------------------


def test_singleton_capture() -> None:
    position = table(side("1 1 0 0 0 0 0 2"), side("0 0 0 0 0 0 2 0", "2 0 0 0 0 0 0 0"))
    assert legal_turns(position, MRAHA)["F1+"].captured == 2
    turns = legal_turns(position, KISWAHILI)
    assert turns and not any(turn.captured for turn in turns.values())


def test_a_trakatra_stops_in_the_owned_nyumba_only() -> None:
    position = table(side("0 2 0 0 6 0 0 0"), side("0 0 0 0 0 0 0 2"), 4, owned=True)
    stopped = legal_turns(position, rules(owned_nyumba="yes"))["F2+"].after
    assert stopped.sides[SOUTH][4] == 7 and stopped.owned[SOUTH]
    assert legal_turns(position, MRAHA)["F2+"].after.sides[SOUTH][4] == 0


def test_an_owned_nyumba_below_six_is_an_ordinary_pit() -> None:
    position = table(side("0 2 0 0 4 0 0 0"), side("0 0 0 0 0 0 0 2"), 4, owned=True)
    turns = legal_turns(position, KISWAHILI)
    assert not turns["F2+"].after.owned[SOUTH]
    assert not turns["F5+"].after.owned[SOUTH]


def test_safari_is_a_choice_and_ends_ownership() -> None:
    position = table(side("1 0 0 0 6 0 0 0"), side("0 2 0 0 0 0 0 5"), 4, owned=True)
    turns = legal_turns(position, KISWAHILI)
    assert set(turns) == {"F1+:stop", "F1+:use"}
    assert turns["F1+:stop"].after.owned[SOUTH] and not turns["F1+:use"].after.owned[SOUTH]


def test_capturing_the_nyumba_ends_its_ownership() -> None:
    position = table(side("0 0 0 1 0 0 0 0"), side("0 0 2 0 6 0 0 0"), 4, owned=True)
    assert legal_turns(position, KISWAHILI)["F4+"].after.owned == (True, False)


def test_nyumba_in_phase2() -> None:
    position = table(side("0 0 2 0 6 0 0 0"), side("1 0 0 0 0 0 0 0"), owned=True)
    assert legal_turns(position, rules("kiswahili", nyumba_in_phase2="yes"))["F3+"].after.sides[SOUTH][4] == 7
    assert legal_turns(position, KISWAHILI)["F3+"].after.sides[SOUTH][4] == 0


def test_singleton_trakatra_phase1() -> None:
    position = table(side("0 1 0 2 0 0 0 0"), side("3 0 0 0 0 0 0 0"), hand=4)
    assert {key[:2] for key in legal_turns(position, MRAHA)} == {"F2", "F4"}
    assert {key[:2] for key in legal_turns(position, KISWAHILI)} == {"F4"}
    assert {key[:2] for key in legal_turns(position._replace(owned=(True, True)), KISWAHILI)} == {"F2", "F4"}
    never = rules("kiswahili", singleton_trakatra_phase1="no")
    assert {key[:2] for key in legal_turns(position._replace(owned=(True, True)), never)} == {"F4"}


def test_corner_not_backward() -> None:
    position = table(side("3 0 0 0 0 0 0 0"), side("3 0 0 0 0 0 0 0"), hand=4)
    assert set(legal_turns(position, MRAHA)) == {"F1+", "F1-"}
    assert set(legal_turns(position, KISWAHILI)) == {"F1+"}


BLOCKING = MrahaPosition(
    ((2, 1, 0, 3, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3), (0, 2, 1, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)),
    (0, 0),
    (False, False),
)


def test_kutakatia_blocks_the_one_threatened_pit() -> None:
    after = legal_turns(BLOCKING, KISWAHILI)["F6+"].after
    assert position_to_dict(after)["blocked"] == {"player": "north", "column": 6}
    assert set(legal_turns(after, KISWAHILI)) == {"F5-", "F5+"}
    free = legal_turns(BLOCKING, rules("kiswahili", kutakatia="no"))["F6+"].after
    assert set(legal_turns(free, KISWAHILI)) == {"F5-", "F5+", "F7-", "F7+"}


def test_kutakatia_exempts_the_owned_nyumba_and_the_only_pits() -> None:
    # North's one threatened pit is the only one of his front row; then the only one there with two seeds.
    attack = side("0 0 0 2 0 0 3 0", "1 0 0 0 0 0 0 0")
    for north in ("0 0 0 3 0 0 0 0", "1 0 0 3 0 0 0 0"):
        for turn in legal_turns(table(attack, side(north)), KISWAHILI).values():
            assert turn.after.winner is not None or turn.after.blocked == -1
    owned = BLOCKING._replace(owned=(False, True))
    assert legal_turns(owned, KISWAHILI)["F6+"].after.blocked == 1


def test_literal_corner() -> None:
    """F2+ captures three at front 4, running clockwise."""
    position = table(side("0 2 0 3 0 0 0 0"), side("1 0 0 0 3 0 0 0"))
    assert legal_turns(position, MRAHA)["F2+"].after.sides[SOUTH] == side("1 1 0 5 1 0 0 0")
    literal = legal_turns(position, rules(literal_corner="yes"))["F2+"].after.sides[SOUTH]
    assert literal == side("0 0 1 4 0 0 0 1", "0 0 0 0 0 0 1 1")


def test_literal_corner_leaves_the_choice_of_phase_1() -> None:
    position = table(side("0 0 0 3 0 0 0 0"), side("1 0 0 0 3 0 0 0"), hand=4)
    for flags in (MRAHA, rules(literal_corner="yes")):
        turns = legal_turns(position, flags)
        assert turns["F4+"].after.sides[SOUTH] == side("1 1 1 4 0 0 0 0")
        assert turns["F4-"].after.sides[SOUTH] == side("0 0 0 4 0 1 1 1")


def test_literal_direction() -> None:
    """F4- captures at front 2, running anticlockwise: from the left corner it turns right, or goes on to the back."""
    position = table(side("0 1 0 2 0 0 0 0"), side("1 0 0 0 0 0 3 0"))
    assert legal_turns(position, MRAHA)["F4-"].after.sides[SOUTH] == side("1 3 0 1 1 0 0 0")
    kept = legal_turns(position, rules(literal_direction="yes"))["F4-"].after.sides[SOUTH]
    assert kept == side("1 2 1 0 0 0 0 0", "1 1 0 0 0 0 0 0")


@pytest.mark.parametrize("tax", [1, 2, 3])
def test_tax(tax: int) -> None:
    """The nyumba alone in the front row: the seed is added and only the tax is sown; ownership stays."""
    position = table(side("0 0 0 0 8 0 0 0", "0 0 0 0 0 0 0 0"), side("2 0 0 0 0 0 0 0"), 3, True)
    for preset in ("mraha", "kiswahili"):
        after = legal_turns(position, rules(preset, tax=tax))["F5+"].after
        assert after.sides[SOUTH][4] == 9 - tax
        assert after.sides[SOUTH][5 : 5 + tax] == (1,) * tax
        assert after.owned[SOUTH]


def test_options_say_what_is_allowed() -> None:
    with pytest.raises(OptionError, match="unknown_preset: value='zanzibar'"):
        options_for("zanzibar", {})
    with pytest.raises(OptionError, match=r"option_value: name='tax', value=9, allowed=.*'2', '1'"):
        options_for("mraha", {"tax": 9})


# -- the written form --------------------------------------------------------------------------------------------------


def written() -> dict[str, object]:
    return position_to_dict(start(MRAHA))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"south": None}, "side_missing: name='south'"),
        ({"south": {"front": [1] * 7, "back": [0] * 8}}, "row_form: name='south', row='front', pits=8"),
        ({"north": {"front": [-1] + [0] * 7, "back": [0] * 8}}, "seeds_in: what='north: front pit 1', value=-1"),
        ({"north": {"front": [30] * 2 + [0] * 6, "back": [0] * 8, "reserve": 10}}, "seeds_total"),
        ({"to_move": "east"}, "player_name: what='to_move', value='east'"),
        ({"phase": "endgame"}, "phase_value: value='endgame'"),
        ({"phase": "mtaji"}, "phase_misfit.*name='south', held=22"),
        ({"blocked": {"player": "south", "column": 9}}, "blocked_column: value=9"),
        ({"blocked": {"player": "north", "column": 1}}, "blocked_other: name='south'"),
    ],
)
def test_a_position_that_cannot_be_is_told_what_is_wrong(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        position_from_dict({**written(), **change})
