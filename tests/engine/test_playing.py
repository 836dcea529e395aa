"""A table to play on: whole games of everything, and every move taken back again."""

import doctest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import playing
from engine.games import GAMES
from engine.options import OptionError
from engine.playing import PASS, CardTable, Game, game_of, new_game
from engine.rules.belote import belote

TABLES = [(name, kind.players) for name, kind in GAMES.items()]
TABLES += [("turufu", 2), ("turufu", 6), ("triomphe", 5), ("pille", 2)]


def seen(game: Game) -> Any:
    """Everything a table shows."""
    shown = {name: value for name, value in vars(game).items() if name not in ("rng", "_stack", "_legal", "_before")}
    return repr(shown), None if game.is_over() else game.legal_moves


def test_the_examples_of_the_guide_are_true() -> None:
    assert doctest.testmod(playing).failed == 0


def test_the_game_in_the_readme_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    assert len(code.strip().splitlines()) <= 10
    exec(code, {})
    assert capsys.readouterr().out.startswith("Result(winner=")


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_whole_game_is_played_in_a_few_lines(name: str, players: int) -> None:
    rng = Random(name)
    game = new_game(name, players, rng=rng)
    while not game.is_over():
        game.push(rng.choice(game.legal_moves))
    result = game.result()
    if result.winner is not None:
        assert result.score[result.winner] == max(result.score)
    else:
        assert result.score[0] == result.score[1]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_move_is_taken_back(name: str, players: int) -> None:
    rng = Random(7)
    game = new_game(name, players, rng=rng)
    before = []
    for _ in range(150):
        if game.is_over():
            break
        before.append(seen(game))
        game.push(rng.choice(game.legal_moves))
    while before:
        game.pop()
        assert seen(game) == before.pop()
    with pytest.raises(IndexError):
        game.pop()


@pytest.mark.parametrize("name", [name for name, kind in GAMES.items() if kind.grid is None])
def test_legal_cards_are_in_the_hand_and_forbid_nothing(name: str) -> None:
    rng = Random(3)
    table = CardTable(game_of(name), rng, deals=20)
    while not table.is_over():
        moves = table.legal_moves
        assert moves
        for move in moves if table.before else ():
            held = set(table.hands[table.turn])
            assert move in held
            assert not table.game.forbidden(table.before, move, table.trump, table.trick) & held
        table.push(rng.choice(moves))


def test_eight_passes_and_the_next_player_deals() -> None:
    table = CardTable(belote(4, {}), Random(1), dealer=2)
    face = table.turn_up
    assert table.turn == 3
    for _ in range(4):
        assert table.legal_moves == ["take", PASS]
        table.push(PASS)
    assert face is not None
    assert sorted(table.legal_moves) == sorted([*(f"take:{suit}" for suit in "CDHS" if suit != face[-1]), PASS])
    for _ in range(4):
        table.push(PASS)
    assert (table.dealer, table.turn, table.outcomes) == (3, 0, [])
    table.pop()
    assert (table.dealer, table.turn, table.turn_up) == (2, 2, face)


def test_what_is_no_game_of_tricks_is_told() -> None:
    with pytest.raises(OptionError, match="tricks"):
        game_of("mraha")
    with pytest.raises(OptionError, match="unknown game"):
        new_game("chess")
