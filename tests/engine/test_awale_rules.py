"""The rules of awalé, against a second implementation that shares nothing with the first."""

from random import Random
from typing import Any

import pytest

from engine.options import OptionError
from engine.rules.awale import (
    FORBIDDEN,
    LEAVES_THE_LAST,
    NORTH,
    OPENING,
    OPTIONS,
    REST_TO_THE_OTHER,
    SOUTH,
    TAKES_ALL,
    TAKES_NOTHING,
    AwaleFlags,
    AwalePosition,
    Sides,
    board_rows,
    check_players,
    flags_for,
    legal_turns,
    perft,
    set_up,
)
from engine.simulate_awale import honest_turns

DEFAULT = AwaleFlags()
HOUSES = [AwaleFlags(slam, feed) for slam in OPTIONS[0].values for feed in (True, False)]  # type: ignore[arg-type]


class Board:
    """Awalé written once more: twelve holes in a circle from South's left, a bag of seeds dropped one by one."""

    def __init__(self, slam: str, feed: bool) -> None:
        self.holes, self.won, self.south_plays, self.done = [4] * 12, [0, 0], True, False
        self.slam, self.feed = slam, feed
        self.before = [(tuple(self.holes), True)]

    def copy(self) -> "Board":
        other = Board(self.slam, self.feed)
        other.holes, other.won = list(self.holes), list(self.won)
        other.south_plays, other.done, other.before = self.south_plays, self.done, list(self.before)
        return other

    def mine(self, south: bool) -> range:
        return range(6) if south else range(6, 12)

    def drop(self, hole: int) -> tuple[list[int], int]:
        holes, bag = list(self.holes), self.holes[hole]
        holes[hole] = 0
        here = hole
        for _ in range(bag):
            here = (here + 1) % 12
            if here == hole:
                here = (here + 1) % 12
            holes[here] += 1
        return holes, here

    def would_take(self, holes: list[int], here: int) -> list[int]:
        found = []
        while here in self.mine(not self.south_plays) and 2 <= holes[here] <= 3:
            found.append(here)
            here -= 1
        return found

    def all_gone(self, holes: list[int], taking: list[int]) -> bool:
        return sum(holes[hole] for hole in self.mine(not self.south_plays) if hole not in taking) == 0

    def moves(self) -> list[int]:
        if self.done:
            return []
        can = [hole for hole in self.mine(self.south_plays) if self.holes[hole] > 0]
        starving = all(self.holes[hole] == 0 for hole in self.mine(not self.south_plays))
        if self.feed and starving:
            can = [hole for hole in can if any(self.drop(hole)[0][pit] for pit in self.mine(not self.south_plays))]
        if self.slam == "forbidden":
            small = [hole for hole in can if not self.slams(hole)]
            can = small or can
        return can

    def slams(self, hole: int) -> bool:
        holes, here = self.drop(hole)
        taking = self.would_take(holes, here)
        return taking != [] and self.all_gone(holes, taking)

    def play(self, hole: int) -> None:
        holes, here = self.drop(hole)
        taking = self.would_take(holes, here)
        me, rest_goes = (0 if self.south_plays else 1), False
        if taking and self.all_gone(holes, taking):
            if self.slam in ("nothing", "forbidden"):
                taking = []
            elif self.slam == "leaves_the_last":
                taking.pop()
            elif self.slam == "rest_to_the_other":
                rest_goes = True
        for pit in taking:
            self.won[me] += holes[pit]
            holes[pit] = 0
        if taking:
            self.before = []
        self.holes, self.south_plays = holes, not self.south_plays
        self.before.append((tuple(holes), self.south_plays))
        if rest_goes:
            self.won[1 - me] += sum(holes)
            self.done = True
        elif self.won[0] > 24 or self.won[1] > 24:
            self.done = True
        elif not self.moves() or self.before.count(self.before[-1]) == 3:
            self.won[0] += sum(holes[:6])
            self.won[1] += sum(holes[6:])
            self.done = True


def hole_of(key: str) -> int:
    return "ABCDEFabcdef".index(key)


def count(board: Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for hole in board.moves():
        after = board.copy()
        after.play(hole)
        total += count(after, depth - 1)
    return total


def same(position: AwalePosition, board: Board) -> bool:
    return (
        [*position.sides[SOUTH], *position.sides[NORTH]] == board.holes
        and list(position.captured) == board.won
        and position.over == board.done
        and (position.over or (position.to_move == SOUTH) == board.south_plays)
    )


def compare_games(flags: AwaleFlags, games: int, seed: int) -> int:
    """Plays random games on both; returns how many turns that were."""
    turns = 0
    for game in range(games):
        rng = Random(f"{seed} {game} {flags}")
        position, board = AwalePosition(), Board(flags.grand_slam, flags.must_feed)
        while not position.over:
            legal = legal_turns(position, flags)
            assert sorted(map(hole_of, legal)) == board.moves(), (position, flags)
            key = rng.choice(sorted(legal))
            position = legal[key].after
            board.play(hole_of(key))
            turns += 1
            assert same(position, board), (position, vars(board), flags)
        assert sum(position.captured) == 48 or max(position.captured) > 24
    return turns


def test_perft_is_that_of_the_second_implementation() -> None:
    counts = [perft(AwalePosition(), depth, AwaleFlags()) for depth in range(1, 7)]
    assert counts == [count(Board("nothing", True), depth) for depth in range(1, 7)]
    assert counts[:3] == [6, 36, 190]


@pytest.mark.parametrize("flags", HOUSES)
def test_random_games_go_the_same_way_in_both(flags: AwaleFlags) -> None:
    assert compare_games(flags, 6, 1) > 100


@pytest.mark.slow
@pytest.mark.parametrize("flags", HOUSES)
def test_a_thousand_random_games_go_the_same_way_in_both(flags: AwaleFlags) -> None:
    assert compare_games(flags, 1_000, 2) > 20_000


def after(
    south: tuple[int, ...], north: tuple[int, ...], key: str, flags: AwaleFlags = DEFAULT, **more: Any
) -> AwalePosition:
    player = SOUTH if key.isupper() else NORTH
    position = AwalePosition(
        (south, north), more.get("captured", (0, 0)), player, False, ((((south), (north)), player),)
    )
    return legal_turns(position, flags)[key].after


def test_the_board_is_seen_from_south() -> None:
    sides: Sides = ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12))
    assert board_rows(sides) == ((12, 11, 10, 9, 8, 7), (1, 2, 3, 4, 5, 6))


def test_sowing_passes_over_the_pit_it_came_from() -> None:
    position = after((12, 0, 0, 0, 0, 0), (1,) * 6, "A")
    assert position.sides[SOUTH] == (0, 2, 1, 1, 1, 1)


def test_twos_and_threes_are_taken_from_the_last_seed_back() -> None:
    position = after((0, 0, 0, 0, 0, 3), (1, 2, 1, 4, 0, 0), "F")
    assert (position.sides[NORTH], position.captured) == ((0, 0, 0, 4, 0, 0), (7, 0))


def test_a_chain_of_captures_breaks_where_a_pit_holds_another_number() -> None:
    position = after((0, 0, 0, 0, 0, 3), (1, 5, 1, 4, 0, 0), "F")
    assert (position.sides[NORTH], position.captured) == ((2, 6, 0, 4, 0, 0), (2, 0))


@pytest.mark.parametrize(
    ("slam", "north", "captured"),
    [
        (TAKES_NOTHING, (2, 2, 0, 0, 0, 0), (0, 0)),
        (TAKES_ALL, (0,) * 6, (13, 0)),
        (REST_TO_THE_OTHER, (0,) * 6, (4, 9)),
        (LEAVES_THE_LAST, (2, 0, 0, 0, 0, 0), (2, 0)),
    ],
)
def test_a_grand_slam_is_what_the_house_says(slam: str, north: tuple[int, ...], captured: tuple[int, int]) -> None:
    position = after((9, 0, 0, 0, 0, 2), (1, 1, 0, 0, 0, 0), "F", AwaleFlags(slam))
    assert (position.sides[NORTH], position.captured) == (north, captured)


def test_a_forbidden_grand_slam_may_be_played_only_where_nothing_else_can() -> None:
    start = AwalePosition(((1, 0, 0, 0, 0, 2), (1, 1, 0, 0, 0, 0)))
    assert list(legal_turns(start, AwaleFlags(FORBIDDEN))) == ["A"]
    alone = AwalePosition(((0, 0, 0, 0, 0, 2), (1, 1, 0, 0, 0, 0)))
    assert legal_turns(alone, AwaleFlags(FORBIDDEN))["F"].captured == 0


def test_an_empty_row_is_fed() -> None:
    hungry = AwalePosition(((1, 0, 0, 0, 3, 0), (0,) * 6))
    assert list(legal_turns(hungry, AwaleFlags())) == ["E"]
    assert list(legal_turns(hungry, AwaleFlags(must_feed=False))) == ["A", "E"]


def test_who_cannot_feed_keeps_what_lies_on_his_side() -> None:
    position = after((1, 1, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1), "f", captured=(20, 20))
    assert not position.over
    ended = set_up(((1, 0, 0, 0, 0, 0), (0,) * 6), (24, 23), SOUTH, AwaleFlags())
    assert (ended.over, ended.captured, ended.winner) == (True, (25, 23), SOUTH)


def test_24_each_is_a_draw() -> None:
    ended = set_up(((1, 0, 0, 0, 0, 0), (0,) * 6), (23, 24), SOUTH, AwaleFlags())
    assert (ended.over, ended.captured, ended.winner) == (True, (24, 24), None)


def test_more_than_half_wins_at_once() -> None:
    position = after((0, 0, 0, 0, 0, 1), (1, 3, 0, 0, 0, 0), "F", captured=(23, 18))
    assert (position.over, position.winner) == (True, SOUTH)


def test_the_same_position_for_the_third_time_ends_the_game() -> None:
    for seed in range(400):
        turns = list(honest_turns(Random(seed), AwaleFlags()))
        last = turns[-1].after
        if last.since.count(last.since[-1]) == 3:
            assert sum(last.captured) == 48
            return
    raise AssertionError("no game of 400 went round in circles")


def test_two_play_and_options_are_read() -> None:
    with pytest.raises(OptionError):
        check_players(3)
    with pytest.raises(OptionError):
        flags_for({"grand_slam": "sometimes"})
    assert flags_for({"must_feed": "no"})[0] == AwaleFlags(must_feed=False)
    assert OPENING == ((4,) * 6, (4,) * 6)
