"""A player of a board is called the same by all that shows and says: by name, else South or North."""

from collections.abc import Callable
from typing import Any

import pytest

from device import words
from device.following.show import EVERYTHING, Happening, Show
from device.keeping.settings import Settings, side_names
from device.outputs.broker.output import told
from device.outputs.display.screens import compose
from device.outputs.page.first import first_picture
from device.outputs.page.state import state_of
from device.outputs.score_file import text_of
from device.outputs.terminal import Screen
from device.outputs.voice.lines import lines_of, turn_said, what_lies_there
from engine.match import Match

PLAYING = {
    **Match("awale").view.to_dict(), "phase": "play", "turn": 1, "captured": {"south": 3, "north": 5},
    "last_turn": {"player": "south", "key": "F", "captured": 2, "confirmed": True},
}  # fmt: skip
SEATED = [
    pytest.param("fr", (), ("Sud", "Nord"), id="nobody named"),
    pytest.param("en", ("Ali", "Fatima"), ("Ali", "Fatima"), id="both named"),
    pytest.param("fr", ("Joueur 1", "Fatima"), ("Sud", "Fatima"), id="only the second named"),
    pytest.param("en", ("Ali", "#2"), ("Ali", "North"), id="the second forgotten"),
    pytest.param("shi", ("Ali", "player 2"), ("Ali", "Nord"), id="named in another language"),
]
OTHER_NAMES = ("Sud", "Nord", "South", "North", "Joueur", "player", "Player", "#1", "#2", "J1", "J2", "P1", "P2")


def drawn(show: Show) -> str:
    return " ".join(placed.text for placed in compose(show, (320, 240), True).placed)


def heard(show: Show) -> str:
    return f"{turn_said(show)} {what_lies_there(show)}"


OUTPUTS: dict[str, tuple[Callable[[Show], str], tuple[int, ...]]] = {
    "voice": (heard, (0, 1)),
    "score file": (text_of, (0, 1)),
    "display": (drawn, (1,)),
    "terminal": (lambda show: " ".join(Screen(show.language, False, show.seats).draw(show)), (0, 1)),
    "page": (lambda show: first_picture(state_of(show), show.language), (1,)),
    "broker": (lambda show: str(told(show)["turn_name"]), (1,)),
}
"""What each tells of a table, and the seats that it names."""


@pytest.mark.parametrize(("language", "seats", "names"), SEATED)
@pytest.mark.parametrize("output", OUTPUTS)
def test_whoever_plays_has_one_name(output: str, language: str, seats: tuple[str, ...], names: tuple[str, str]) -> None:
    say, named = OUTPUTS[output]
    said = say(Show(PLAYING, language, seats=seats))
    assert all(names[seat] in said for seat in named), said
    assert not [other for other in OTHER_NAMES if other in said.replace(names[0], "").replace(names[1], "")], said


MOVE: dict[str, Any] = {"notice": "move", "player": "north", "key": "f", "captured": 2}
ILLEGAL: dict[str, Any] = {"notice": "illegal", "level": "alert", "rule": "must_feed", "player": "north", "key": "f"}
NOTICES: list[dict[str, Any]] = [
    MOVE, ILLEGAL,
    {"notice": "match_won", "side": 1, "player": "north"},
    {"notice": "question", "about": "played_on", "illegal": ILLEGAL},
]  # fmt: skip


@pytest.mark.parametrize(("language", "seats", "names"), SEATED)
@pytest.mark.parametrize("notice", NOTICES, ids=["move", "alert", "won", "question"])
def test_a_sentence_names_who_plays(
    notice: dict[str, Any], language: str, seats: tuple[str, ...], names: tuple[str, str]
) -> None:
    assert names[1] in words.sentence(notice, language, seats, (0, 1), "awale")
    if notice in (MOVE, ILLEGAL):
        show = Show(PLAYING, words.aloud(language), seats=seats)
        (line,) = lines_of(Happening(1, {"event": "board"}, (notice,)), show, EVERYTHING)
        assert names[1] in words.unmarked(line.text)


@pytest.mark.parametrize(("language", "seats", "names"), SEATED)
def test_a_pit_of_the_other_player_is_called_so(language: str, seats: tuple[str, ...], names: tuple[str, str]) -> None:
    notice = {"notice": "illegal", "rule": "dropped_wrong", "player": "south", "pits": [[2, 4], [0, 1]]}
    assert f"({names[1]})" in words.sentence(notice, language, seats, (0, 1), "mraha")


@pytest.mark.parametrize(("language", "seats", "names"), SEATED)
def test_the_score_set_by_hand_is_said_for_each_player(
    language: str, seats: tuple[str, ...], names: tuple[str, str]
) -> None:
    show = Show(PLAYING, language, seats=seats)
    (line,) = lines_of(Happening(1, {}, ({"notice": "score_set", "match": [25, 23]},)), show, EVERYTHING)
    colon = words.say(language, "screen-colon")
    assert f"{names[0]}{colon} 25. {names[1]}{colon} 23." in line.text


def test_a_head_start_is_chosen_for_a_player_by_name() -> None:
    assert side_names(Settings(game="mraha", players=2, seats=("Ali", "player 2")), "en") == ("Ali", "North")


def test_at_cards_a_number_is_no_name_either() -> None:
    view = Match("turufu", 2).view.to_dict()
    assert text_of(Show(view, "en", seats=("Joueur 1", "Ali"))).splitlines()[:2] == ["player 1  0", "Ali  0"]
    assert state_of(Show(view, "en", seats=("Joueur 1", "Ali")))["seats"] == ["#1", "Ali"]
