"""The keys of a laptop: what each presses, a terminal that is left as it was found, a question answered by a key."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from device import keys
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.following.show import Page, Show
from device.keeping.settings import Settings
from device.keys import Keys, has_keys, keys_of, presses_of
from device.outputs.terminal import TerminalOutput
from engine.events import Deal, Play
from engine.match import Match

MENU = Page("Menu", ("one", "two", "three"), 0, ("next", "back", "choose"))
A, B, C = Press("A"), Press("B"), Press("C")


def test_characters_are_keys() -> None:
    assert list(keys_of("aB3\x1b[A\x1bOB\x1b[1;5C\x1b[D\r\x7f\x1b[3~q")) == [
        "a", "B", "3", "up", "down", "right", "left", "enter", "left", "q",
    ]  # fmt: skip
    assert list(keys_of("\x1b")) == ["escape"]
    assert list(keys_of("\x1b[")) == []


@pytest.mark.parametrize(
    ("key", "pressed"),
    [("a", [A]), ("1", [A]), ("b", [B]), ("B", [Press("B", long=True)]), ("C", [Press("C", long=True)]), ("q", [])],
)
def test_letters_are_the_buttons_wherever_one_is(key: str, pressed: list[Press]) -> None:
    assert presses_of(key, None) == presses_of(key, Show({}, page=MENU)) == pressed


@pytest.mark.parametrize(
    ("key", "pressed"), [("down", [A]), ("up", [A, A]), ("left", [B]), ("escape", [B]), ("right", [C]), ("enter", [C])]
)
def test_arrows_move_in_the_menu_and_nowhere_else(key: str, pressed: list[Press]) -> None:
    assert presses_of(key, Show({}, page=MENU)) == pressed
    assert presses_of(key, Show({})) == presses_of(key, None) == []


def test_a_question_of_the_menu_is_not_answered_by_an_arrow_but_left_by_one() -> None:
    asked = Show({}, page=Page("New match?", ("…",), buttons=("yes", "no", "")))
    assert presses_of("enter", asked) == presses_of("right", asked) == []
    assert presses_of("left", asked) == [B]


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """A terminal: the end that is typed on, and that which the program has."""
    hand, program = pty.openpty()
    yield hand, program
    os.close(hand)
    os.close(program)


def soon(what: object, seconds: float = 2.0) -> bool:
    until_s = time.monotonic() + seconds
    while time.monotonic() < until_s:
        if what():  # type: ignore[operator]
            return True
        time.sleep(0.01)
    return False


def test_a_terminal_is_listened_to_and_left_as_it_was(terminal: tuple[int, int]) -> None:
    hand, program = terminal
    before = termios.tcgetattr(program)
    pressed: list[Press] = []
    with os.fdopen(os.dup(program)) as stream:
        listening = Keys(pressed.append, lambda: Show({}, page=MENU), stream)
        os.write(hand, b"a\x1b[Cq\x1b")
        assert soon(lambda: len(pressed) == 3)
        os.write(hand, b"[A")  # The rest of an arrow that a slow network parted too late: no key at all.
        listening.close()
        listening.close()
    assert pressed[:3] == [A, C, B]
    assert termios.tcgetattr(program) == before


def test_where_there_is_no_terminal_there_are_no_keys(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+") as stream:
        assert not has_keys(stream)
        with pytest.raises(OSError, match="no terminal"):
            Keys(lambda press: None, lambda: None, stream)


def test_a_question_is_answered_by_a_key(terminal: tuple[int, int]) -> None:
    hand, program = terminal
    match = Match("turufu", 2)
    table = LiveTable(InMemory(match), Settings(language="en", players=2), lambda settings: InMemory(match))
    table.add(Deal("7H", 1), Play(None, 0, candidates=("7D", "7C")))
    shown = TerminalOutput(sys.stdout, live=False)
    shown.show(table.show)
    assert table.show.prompt is not None and table.show.prompt.answers == ("7♦", "7♣", "no card")
    with os.fdopen(os.dup(program)) as stream:
        listening = keys.Keys(table.press, lambda: shown.on_screen, stream)
        os.write(hand, b"b")
        assert soon(lambda: match.view.to_dict()["trick"][0]["card"] == "7C")
        listening.close()
    assert table.show.prompt is None


@pytest.mark.slow
def test_the_device_in_a_terminal_is_driven_by_its_keys(tmp_path: Path, terminal: tuple[int, int]) -> None:
    """The whole program in a terminal of 60 by 16: the menu opened, walked and left, and ended with Ctrl-C."""
    hand, program = terminal
    before = termios.tcgetattr(program)
    termios.tcsetwinsize(program, (16, 60))
    settings = tmp_path / "settings.toml"
    settings.write_text(f'language = "en"\nbuild = "laptop"\ncamera = "simulated"\nmatches = "{tmp_path}/matches"\n')
    # Its controlling terminal too, so that Ctrl-C reaches it.
    start = "import os, sys; os.login_tty(0); from device.cli import main; sys.exit(main(sys.argv[1:]))"
    ran = subprocess.Popen(
        [sys.executable, "-c", start, "run", "--terminal", "--settings", str(settings)],
        stdin=program, stdout=program, stderr=program, env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip

    def screen(word: str) -> str:
        """What was drawn until a word came."""
        drawn, until_s = "", time.monotonic() + 60
        while time.monotonic() < until_s and word not in drawn:
            if select.select([hand], [], [], 0.2)[0]:
                drawn += os.read(hand, 65536).decode(errors="replace")
        assert word in drawn and "Traceback" not in drawn, drawn[-2000:]
        return drawn

    try:
        screen("C: Menu")
        os.write(hand, b"c")
        screen("► New match")
        os.write(hand, b"\x1b[A")
        screen("► Sound")
        os.write(hand, b"\x1b")
        screen("C: Menu")
        os.write(hand, b"\x03")
        assert ran.wait(20) == 0
        assert termios.tcgetattr(program) == before
    finally:
        if ran.poll() is None:
            ran.kill()
            ran.wait()
