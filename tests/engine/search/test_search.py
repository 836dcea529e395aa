"""The search finds what there is to find, plays the same game again from the same seed, and keeps to its limits."""

from random import Random
from typing import Any

import pytest

from engine.games import game_kind
from engine.referee.board_judge import BoardJudge
from engine.rules import awale
from engine.search import LEVELS, Limits, Searcher, SeedPlayer
from engine.search.endings import boards, endings
from engine.search.seeds import searched
from engine.search.tree import QUIET_PLIES, WIN, WON
from tests.sizes import slow, some

GAMES: list[tuple[str, dict[str, object]]] = [("mraha", {}), ("mraha", {"preset": "kiswahili"}), ("awale", {})]


def game_of(name: str, options: dict[str, object]) -> Any:
    judge, _ = game_kind(name).judge(2, options)
    assert isinstance(judge, BoardJudge)
    return judge.game


def positions(game: Any, seed: int, least: int = 0) -> list[Any]:
    """Those of a game by lot, from its turn number `least` on."""
    rng, position = Random(seed), game.opening
    found: list[Any] = []
    while not position.over and len(found) < 300:
        found.append(position)
        position = rng.choice(list(game.legal(position).values())).after
    return found[least:]


def wins(game: Any, position: Any, plies: int) -> bool:
    """Whether whoever is to move can win within so many turns, whatever the other does: everything is tried."""
    view = searched(game)
    for move in view.moves(position):
        over = view.result(move.after)
        if over == -1:
            return True
        if over is None and plies > 2:
            answers = view.moves(move.after)
            if answers and all(
                view.result(move.after) is None and wins(game, move.after, plies - 2) for move in answers
            ):
                return True
    return False


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_win_in_three_turns_is_found(name: str, options: dict[str, object]) -> None:
    game = game_of(name, options)
    found = 0
    for seed in range(12):
        for position in positions(game, seed)[-8:]:
            if len(game.legal(position)) < 2 or not wins(game, position, 3):
                continue  # An only turn is played without looking ahead.
            found += 1
            lines = Searcher(searched(game)).lines(position, Limits(nodes=1_000_000, plies=3))
            assert lines[0].value > WIN - 10
    assert found > 3


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_win_in_five_turns_is_found(name: str, options: dict[str, object]) -> None:
    """Late positions of games by lot; whether there is such a win, trying everything says."""
    game = game_of(name, options)
    found = 0
    for seed in range(100, 104):
        for position in positions(game, seed)[-5:]:
            if len(game.legal(position)) < 2 or not wins(game, position, 5):
                continue
            found += 1
            lines = Searcher(searched(game)).lines(position, Limits(nodes=1_000_000, plies=5))
            assert lines[0].value > WON
    assert found > 2


def tried_out(game: Any, position: Any, plies: int, otherwise: int) -> int:
    """Seeds that whoever is to move gets more than the other, by trying everything; of what is not over by then, that
    many for the mover of the first position."""
    mine = position.to_move
    if position.over:
        return int(position.captured[mine] - position.captured[1 - mine])
    if plies == 0:
        return otherwise
    return max(-tried_out(game, turn.after, plies - 1, -otherwise) for turn in game.legal(position).values())


@pytest.mark.parametrize("options", [{}, *slow({"grand_slam": "all"}, {"must_feed": False})])
def test_endings_are_worth_what_trying_everything_says(options: dict[str, object]) -> None:
    game = game_of("awale", options)
    table = endings(game.flags)
    known = exact = 0
    for board in Random(5).sample([board for seeds in range(1, 5) for board in boards(seeds)], 150):
        own, other = board[:6], board[6:]
        found, seeds = table.of(own, other), sum(board)
        position = awale.set_up((own, other), (0, 0), awale.SOUTH, game.flags)
        if found is None or position.over:
            continue
        known += 1
        least, most = (tried_out(game, position, 9, worst) for worst in (-seeds, seeds))
        assert least <= found.worth <= most
        exact += least == most
    assert known > 50 and exact > 20


@pytest.mark.parametrize("boards_tried", [30, *slow(60)])
def test_a_won_ending_is_won_without_going_round_in_circles(boards_tried: int) -> None:
    """From every kind of known ending the table's own turns bring what it says, against the best defence."""
    game = game_of("awale", {})
    table, checked = endings(game.flags), 0
    for board in Random(7).sample([board for seeds in range(3, 8) for board in boards(seeds)], boards_tried):
        sides = (board[:6], board[6:])
        found = table.of(*sides)
        position = awale.set_up(sides, (20, 48 - 20 - sum(board)), awale.SOUTH, game.flags)
        if found is None or position.over or position.captured[0] - position.captured[1] + found.worth <= 0:
            continue
        players = [SeedPlayer(game, 5, seed, Limits(nodes=300)) for seed in (1, 2)]
        for _ in range(200):
            if position.over:
                break
            key = players[position.to_move].best(position).key
            position = game.legal(position)[key].after
        assert position.winner == awale.SOUTH
        checked += 1
    assert checked > boards_tried / 12


@pytest.mark.parametrize("most", [3, *slow(10)])
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_what_it_finds_is_what_trying_everything_finds(name: str, options: dict[str, object], most: int) -> None:
    game = game_of(name, options)
    view = searched(game)

    def at_rest(position: Any, depth: int, plies: int) -> int:
        """What a position is worth once the captures that hang were made, the greatest first, or none of them."""
        taking = sorted((move for move in view.moves(position) if move.captured), key=lambda move: -move.captured)
        return max(view.value(position), *(-worth(move.after, depth + 1, plies - 1) for move in taking[:plies]), -WIN)

    def worth(position: Any, depth: int, plies: int) -> int:
        over, known = view.result(position), view.known(position)
        if over is not None:
            return over * (WIN - depth + 1)
        return at_rest(position, depth, plies) if known is None else known

    def tried(position: Any, plies: int, depth: int) -> int:
        over = view.result(position)
        if over is not None:
            return over * (WIN - depth)
        if not plies:
            return at_rest(position, depth, QUIET_PLIES)
        return max(-tried(move.after, plies - 1, depth + 1) for move in view.moves(position))

    for position in [position for position in positions(game, 5, least=6) if len(game.legal(position)) > 1][:most]:
        (best, *_) = Searcher(view).lines(position, Limits(nodes=1_000_000, plies=2))
        assert best.value == tried(position, 2, 0)


@pytest.mark.parametrize(("name", "options"), some(GAMES, 2))
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same_game(name: str, options: dict[str, object], level: int) -> None:
    def played(seed: int) -> list[str]:
        game = game_of(name, options)
        player = SeedPlayer(game, level, seed, Limits(nodes=150, plies=LEVELS[level].limits.plies))
        position = game.opening
        keys: list[str] = []
        while not position.over and len(keys) < 8:
            keys.append(player.turn(position).key)
            position = game.legal(position)[keys[-1]].after
        return keys

    assert played(3) == played(3)
    if LEVELS[level].slips > 0.1:
        assert len({tuple(played(seed)) for seed in range(4)}) > 1


def test_limits_are_kept() -> None:
    game = game_of("mraha", {})
    searcher = Searcher(searched(game))
    searcher.lines(positions(game, 1, least=10)[0], Limits(nodes=500))
    assert searcher.nodes <= 500
    searcher.lines(positions(game, 2, least=10)[0], Limits(nodes=1_000_000, plies=2))
    assert searcher.plies <= 2


def test_it_takes_what_hangs_and_feeds_whom_it_must() -> None:
    game = game_of("awale", {})
    hangs = awale.set_up(((0, 0, 0, 0, 0, 2), (2, 1, 0, 0, 0, 4)), (15, 24), awale.SOUTH, game.flags)
    assert SeedPlayer(game, 4).best(hangs).key == "F"


@pytest.mark.parametrize("games", slow(4, 8))
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_it_beats_chance(name: str, options: dict[str, object], games: int) -> None:
    game = game_of(name, options)
    won = 0
    for number in range(games):
        rng, position = Random(number), game.opening
        player = SeedPlayer(game, 4, number, Limits(nodes=250))
        while not position.over:
            turns = game.legal(position)
            key = player.turn(position).key if position.to_move == number % 2 else rng.choice(list(turns))
            position = turns[key].after
        won += position.winner == number % 2
    assert won >= games - 1
