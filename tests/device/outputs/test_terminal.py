"""The live terminal: what fits, the view of the table, the buttons of an alert, terminals that can do less."""

import errno
import io
import re
from dataclasses import replace
from io import StringIO
from typing import Any

import numpy as np
import pytest

from device.following.follow import FrameSeen
from device.following.loop import run_through
from device.following.show import Page, Prompt, Show
from device.outputs.table_view import MOST_ROWS, TableView
from device.outputs.terminal import HEIGHT, SIDE_SIGNS, WIDTH, Screen, TerminalOutput
from engine.match import Match
from engine.sightings import CardLying
from tests.engine.table import deal, play, tell
from vision.frame import Frame, Image

ESCAPE = re.compile(r"\x1b\[[\d;]*[a-zA-Z]")
TABLE: Image = np.full((480, 640, 3), (40, 80, 120), np.uint8)
LYING = (CardLying("10H", 0.99, (0.0, 0.0)), CardLying(None, 0.0, (-1.3, -0.95)), CardLying("KS", 0.99, (1.32, 0.99)))


def show_of(players: int = 4, **more: object) -> Show:
    match = Match("turufu", players)
    tell(match, deal(0, "7H"), play("7D", 1))
    return Show(match.view.to_dict(), "en", **more)  # type: ignore[arg-type]


def plain(lines: list[str]) -> list[str]:
    return [ESCAPE.sub("", line) for line in lines]


def test_no_trump_is_one_dash() -> None:
    for game in ("turufu", "belote"):
        assert re.search(
            r"trump: –\s+lamps", "\n".join(plain(Screen("en", True).draw(Show(Match(game).view.to_dict(), "en"))))
        )


@pytest.mark.parametrize("language", ["fr", "shi", "en"])
@pytest.mark.parametrize("size", [(WIDTH, HEIGHT), (WIDTH, 8)])
def test_what_wins_a_match_is_called_what_it_is(language: str, size: tuple[int, int]) -> None:
    for game, won_by in (
        ("turufu", "games" if language == "en" else "jeux"),
        ("belote", "points"),
        ("pille", "points"),
    ):
        view = Match(game).view.to_dict()
        lines = plain(Screen(language, False, size=size).draw(Show(view, language)))
        score = [line for line in lines if re.search(rf"/ ?{view['target']}", line)]
        assert score and all(f"{won_by} " in line.split("/")[0][-14:] for line in score), (game, lines)
        assert game == "turufu" or not re.search("games|jeux", "".join(lines))


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_all_of_it_fits_the_terminal(players: int, colour: bool) -> None:
    said = tuple(f"Sentence {number} is long enough to go over more than one line beside it." for number in range(9))
    asked = Prompt("A question that is about as long as they are in any language that is spoken", ("7♦", "7♣", "more"))
    show = show_of(players, sentences=said, prompt=asked, situation="hand_over", troubles=("camera_dark", "hot"))
    lines = plain(Screen("en", colour).draw(show, TableView.of(TABLE, LYING)))
    assert len(lines) == HEIGHT
    assert max(len(line) for line in lines) <= WIDTH
    assert "Sentence 8" in " ".join(lines)
    assert lines[-1].split() == ["A:", "7♦", "B:", "7♣", "C:", "more"]


def test_a_turn_without_a_name_is_drawn() -> None:
    view = {**Match("mraha").view.to_dict(), "last_turn": {"player": "south", "captured": 0, "confirmed": True}}
    assert "South as it lies there" in " ".join(plain(Screen("en", True).draw(Show(view, "en"))))


def test_a_short_alert_has_its_buttons_beside_it() -> None:
    show = show_of(alert="Wrong.", prompt=Prompt("Wrong.", ("seen", "take back")))
    assert plain(Screen("en", True).draw(show))[-1].split() == ["⚠", "Wrong.", "A:", "seen", "B:", "take", "back"]


@pytest.mark.parametrize("rows", [2, 5, MOST_ROWS])
@pytest.mark.parametrize("colour", [True, False])
def test_the_view_keeps_the_pictures_shape(rows: int, colour: bool) -> None:
    lines = plain(TableView.of(TABLE, LYING).lines(rows, colour))
    assert {len(line) for line in lines} == {round(2 * rows * 4 / 3)}
    assert len(lines) == rows


def test_cards_are_named_where_they_lie() -> None:
    lines = plain(TableView.of(TABLE, LYING).lines(12, colour=False))
    assert lines[6][14:18].strip() == "10♥"  # In the middle of 32 by 12.
    assert lines[0].startswith("?")
    assert lines[11].endswith("K♠")


def test_the_view_shows_the_table_in_its_colours() -> None:
    picture = TABLE.copy()
    picture[:240] = (0, 0, 255)
    lines = TableView.of(picture).lines(2, colour=True)
    assert "38;2;255;0;0" in lines[0] and "38;2;120;80;40" in lines[1]


def drawn(monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    """What a terminal that redraws in place is sent."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    output = TerminalOutput(stream)
    output.watch(Frame(TABLE, 0.0), FrameSeen(looked=True, lying=LYING))
    output.show(show_of(sentences=("The match goes on.",)))
    output.close()
    return stream.getvalue()


def test_a_terminal_draws_in_colour_unless_that_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[38;2;" in drawn(monkeypatch, TERM="xterm")
    without = drawn(monkeypatch, TERM="xterm", NO_COLOR="1")
    assert "\x1b[H" in without and not re.search(r"\x1b\[[\d;]*m", without)
    assert "10♥" in without


class Disk(io.RawIOBase):
    """Where a command's output goes that was sent to a file."""

    full = True
    text = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, "full")
        self.text += bytes(data)
        return len(data)


def test_what_a_full_disk_did_not_take_is_told_once_and_written_once_there_is_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Still:
        """A brain whose table says something, and then nothing new for three frames."""

        done, frames = False, 0
        show = show_of(sentences=("The match goes on.",))

        def see(self, frame: object) -> None:
            self.frames += 1
            self.show = replace(self.show)
            disk.full = self.frames < 3

        def trouble(self, code: str, present: bool) -> None:
            troubles.append((code, present))

    class Camera:
        @staticmethod
        def frame() -> Frame | None:
            return Frame(TABLE, 0.0) if brain.frames < 3 else None

    disk, brain, troubles = Disk(), Still(), list[tuple[str, bool]]()
    stream = io.TextIOWrapper(io.BufferedWriter(disk), encoding="utf-8")
    run_through(Camera(), brain, [TerminalOutput(stream, live=False)])  # type: ignore[arg-type]
    assert [record.getMessage() for record in caplog.records] == ["terminal: the disk is full"]
    assert troubles == [("display_away", True), ("display_away", False)]
    assert disk.text.decode() == "The match goes on.\n"


def test_a_terminal_that_cannot_move_its_cursor_gets_the_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, TERM="dumb") == "The match goes on.\n"


def test_the_cards_stay_named_while_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = StringIO()
    output = TerminalOutput(stream, live=True)
    output.watch(Frame(TABLE, 0.0), FrameSeen(looked=True, lying=LYING))
    output.show(show_of())
    stream.truncate(0)
    output.watch(Frame(TABLE, 0.1), FrameSeen())
    assert "10♥" in stream.getvalue()


# -- small terminals ---------------------------------------------------------------------------------------------------

SIZES = ((80, 24), (79, 23), (60, 16), (44, 12), (40, 10), (30, 8), (20, 6))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("alone", [True, False])
def test_in_a_small_terminal_the_score_and_the_question_stay(size: tuple[int, int], players: int, alone: bool) -> None:
    match = Match("triomphe", players, {"teams": "single" if alone else "sides"})
    tell(match, deal(0, "7H"))
    said = tuple(f"Sentence {number} that is longer than any small terminal is wide." for number in range(9))
    asked = Prompt("A question that is about as long as they are in any language that is spoken", ("7♦", "7♣"))
    show = Show(match.view.to_dict(), "en", sentences=said, prompt=asked, troubles=("camera_dark",))
    for view in (None, TableView.of(TABLE, LYING)):
        lines = plain(Screen("en", True, size=size).draw(show, view))
        assert len(lines) <= size[1]
        assert max(len(line) for line in lines) <= size[0]
        assert "A question" in " ".join(lines) and "A: 7♦  B: 7♣" in lines[-1]
        for side in range(max(match.view.to_dict()["sides"]) + 1):
            assert re.search(rf"{SIDE_SIGNS[side]} (.*(games|points) +)?0\b", "\n".join(lines)), (side, lines)


@pytest.mark.parametrize("size", SIZES)
def test_in_a_small_terminal_the_chosen_line_of_the_menu_is_seen(size: tuple[int, int]) -> None:
    entries = tuple(f"line {number}" for number in range(14))
    for chosen in range(len(entries)):
        show = show_of(page=Page("Menu", entries, chosen, ("next", "back", "choose")))
        lines = plain(Screen("en", True, size=size, keys=True).draw(show))
        assert f"► line {chosen}" in " ".join(lines)
        assert len(lines) <= size[1] and max(len(line) for line in lines) <= size[0]


def test_a_keyboard_is_told_what_its_keys_do() -> None:
    assert "B: take back   C: Menu" in plain(Screen("en", True, keys=True).draw(show_of()))[-1]
    assert "Menu" not in " ".join(plain(Screen("en", True).draw(show_of())))


def test_a_question_is_asked_where_nothing_can_be_drawn() -> None:
    stream = StringIO()
    output = TerminalOutput(stream, live=False)
    for _ in range(2):
        output.show(show_of(sentences=("Who led?",), prompt=Prompt("Who led?", ("Ali", "Zaïna"))))
    assert stream.getvalue() == "Who led?\n   A: Ali  B: Zaïna\n"


def test_a_player_without_a_name_is_called_by_number_and_no_name_is_cut_unseen() -> None:
    match = Match("turufu", 4)
    match.add({"event": "deal", "dealer": 3, "turn_up": "3S"})
    seats = ("Marie-Françoise", "#2", "Ali", "#4")
    drawn = "\n".join(Screen("fr", colour=False, seats=seats).draw(Show(match.view.to_dict(), "fr", seats=seats)))
    assert "#" not in drawn and "Joueur 2" in drawn and "Joueur 4" in drawn and "Marie-Fra…" in drawn


def test_where_the_page_is_stays_in_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printed by itself, the next drawing would wipe it out."""
    monkeypatch.setenv("TERM", "xterm")
    stream = StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    output = TerminalOutput(stream)
    output.say_in_the_title("Page for phones: http://192.0.2.7/")
    for _ in range(3):
        output.show(show_of())
    last = plain(stream.getvalue().split("\x1b[H")[-1].split("\n"))
    assert "HISABU · Turufu" in last[0] and "http://192.0.2.7/" in last[0] and len(last[0]) <= WIDTH


def test_a_narrow_terminal_keeps_the_address_of_the_page() -> None:
    screen = Screen("fr", False, size=(40, HEIGHT), beside_title="Page pour les téléphones : http://127.0.0.1:8000/")
    first = plain(screen.draw(show_of()))[0]
    assert "http://127.0.0.1:8000/" in first and len(first) <= 40


def test_where_the_page_is_is_a_line_where_nothing_can_be_drawn() -> None:
    stream = StringIO()
    output = TerminalOutput(stream, live=False)
    output.say_in_the_title("Page for phones: http://192.0.2.7/")
    output.show(show_of())
    assert stream.getvalue() == "Page for phones: http://192.0.2.7/\n"
