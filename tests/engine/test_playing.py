"""A table to play on: whole games of everything, and every move taken back again."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.events import Answer, Deal, Offer, Play, Taken
from engine.games import GAMES, card_tables
from engine.match import Match
from engine.options import OptionError
from engine.playing import ACCEPT, OFFER, REFUSE, CardsPlayed, Game, game_of, new_game
from engine.rules.belote import belote
from engine.rules.tricks import PASS

TABLES = [*card_tables(), *((kind.name, kind.players) for kind in GAMES.values() if kind.grid)]


def seen(game: Game) -> Any:
    """Everything a table shows."""
    shown = {name: value for name, value in vars(game).items() if name not in ("rng", "_stack", "_legal", "_before")}
    return repr(shown), None if game.is_over() else game.legal_moves


def test_the_game_in_the_readme_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    assert len(code.strip().splitlines()) <= 10
    exec(code, {})
    assert capsys.readouterr().out.startswith("GameResult(winner=")


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
    table = CardsPlayed(game_of(name), rng, deals=20)
    while not table.is_over():
        moves = table.legal_moves
        assert moves
        for move in moves if table.before else ():
            held = set(table.hands[table.turn])
            assert move in held
            assert not table.game.forbidden(table.before, move, table.trump, table.trick) & held
        table.push(rng.choice(moves))


def test_eight_passes_and_the_next_player_deals() -> None:
    table = CardsPlayed(belote(4, {}), Random(1), dealer=2)
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


def test_a_hand_is_offered_taken_or_refused() -> None:
    table = CardsPlayed(game_of("triomphe", 4, {"teams": "sides"}), Random(1), dealer=3)
    table.push(table.legal_cards[0])
    before, hands = seen(table), table.hands
    assert table.legal_moves[-1] == OFFER
    table.push(OFFER)  # Seats 0 and 1 sit together: seat 2 answers for the others.
    assert (table.turn, table.legal_moves) == (2, [ACCEPT, REFUSE])
    table.push(ACCEPT)
    assert (table.score.games, len(table.outcomes), table.trick) == ((0, 1), 1, 1)
    assert (table.pop(), table.hands) == (ACCEPT, hands)
    table.push(REFUSE)
    assert table.turn == 1 and OFFER not in table.legal_moves and table.legal_moves == table.legal_cards
    assert [table.pop(), table.pop()] == [REFUSE, OFFER]
    assert seen(table) == before


@pytest.mark.parametrize(("name", "players"), [("triomphe", 2), ("triomphe", 4), ("triomphe", 6), ("pille", 2)])
def test_the_referee_scores_offers_as_the_table_does(name: str, players: int) -> None:
    options = {"target": 60} | ({} if name == "pille" else {"teams": "sides"})
    rng = Random(players)
    table, match = CardsPlayed(game_of(name, players, options), rng, deals=40), Match(name, players, options)
    said, deals = set(), -1
    while not table.is_over():
        if len(table.outcomes) > deals:
            deals = len(table.outcomes)
            while PASS in table.legal_moves:
                table.push(PASS)
            match.add(Deal(table.turn_up, table.dealer))
        seat, lying = table.turn, len(table.before)
        move = rng.choice(table.legal_moves)
        said.add(move)
        table.push(move)
        if move == OFFER:
            match.add(Offer(seat))
        elif move in (ACCEPT, REFUSE):
            match.add(Answer(move == ACCEPT))
        else:
            match.add(Play(move, seat))
            if lying + 1 == players and table.winners:
                match.add(Taken(table.winners[-1]))
    assert {OFFER, ACCEPT, REFUSE} <= said and deals > 3
    assert not [notice for notice in match.notices if notice.level == "alert"]
    scored = [notice.facts["games"] for notice in match.notices if notice.code == "deal_scored"]
    assert scored == [list(outcome.games) for outcome in table.outcomes]


def test_what_is_no_game_of_tricks_is_told() -> None:
    with pytest.raises(OptionError, match="no_game_of_tricks"):
        game_of("mraha")
    with pytest.raises(OptionError, match="unknown_game"):
        new_game("chess")
