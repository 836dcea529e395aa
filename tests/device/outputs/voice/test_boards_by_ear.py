"""A game of seeds by ear alone: what is said of each turn names it among all that could have been played there."""

from random import Random

import pytest

from device import words
from device.following.show import EVERYTHING, Happening, Show
from device.outputs.voice.lines import lines_of, what_lies_there
from engine.games import GAMES
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.simulate_boards import board_of, honest_turns

TURNS = 40
BOARDS = [name for name, kind in GAMES.items() if kind.grid]


def said(notice: dict[str, object], game: str, language: str) -> str:
    show = Show({"game": game}, language=language, seats=("Zaïna", "Ali"), voice=EVERYTHING)
    (line,) = lines_of(Happening(1, {"event": "board"}, (notice,)), show, EVERYTHING)
    return line.text


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("game", BOARDS)
def test_every_turn_is_known_by_what_is_said(game: str, language: str) -> None:
    match = Match(game)
    judge = match.judge
    assert isinstance(judge, BoardJudge)
    position = judge.game.opening
    match.add(board_of(judge.game, position))
    rebuilt, played = [], []
    for turn, _ in zip(honest_turns(Random(6), judge.game), range(TURNS), strict=False):
        moves = [notice for notice in match.add(board_of(judge.game, turn.after)) if notice.code == "move"]
        if len(moves) != 1:  # Two turns may lead to the same board: then it is asked which.
            break
        notice = moves[0].to_dict()
        heard = said(notice, game, language)
        keys = [key for key in judge.game.legal(position) if said({**notice, "key": key}, game, language) == heard]
        rebuilt += keys
        played.append(notice["key"])
        position = turn.after
    assert rebuilt == played and len(played) > 8


@pytest.mark.parametrize("game", BOARDS)
def test_on_a_press_it_says_what_fingers_do_not_feel(game: str) -> None:
    match = Match(game)
    judge = match.judge
    assert isinstance(judge, BoardJudge)
    match.add(board_of(judge.game, judge.game.opening))
    for turn, _ in zip(honest_turns(Random(6), judge.game), range(3), strict=False):
        match.add(board_of(judge.game, turn.after))
    said = what_lies_there(Show(match.view.to_dict(), language="en", seats=("Zaïna",)))
    assert "Nothing lies" not in said and "Last turn: " in said and "Zaïna: " in said and "North: " in said
