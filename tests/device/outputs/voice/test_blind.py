"""The blind path: a new device is made to speak, the table is set up, a deal followed, a question answered, an alert
and a misread card put right, by the three buttons and what is heard alone. Nothing here looks at a screen."""

import re
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.following.show import Invite
from device.keeping.settings import Settings
from device.outputs.voice import Voice
from engine.events import Board, Deal, Event, Play, Taken
from engine.match import Match
from engine.rules.mraha import board_rows
from engine.simulate_mraha import honest_turns
from tests.device.outputs.voice.test_voice import Mouth, until

MOST_PRESSES = 30
QUIET_S = 0.1
"""Nothing waits to be said, and nothing is said, for so long."""


class Ears:
    """Somebody who hears and presses."""

    def __init__(self, table: LiveTable) -> None:
        self.mouth = Mouth()
        self.voice = Voice(self.mouth, buttons=True)
        self.table = table
        self._shown()
        until(lambda: len(self.mouth.said) == 2)

    def _shown(self) -> None:
        self.voice.show(self.table.show)

    def press(self, button: str, long: bool = False) -> str:
        """Presses, and hears what is said then."""
        return self._hears(lambda: self.table.press(Press(button, long)))

    def lays(self, *events: Event) -> str:
        """Somebody at the table does this."""
        return self._hears(lambda: self.table.add(*events))

    def _hears(self, happens: Callable[[], object]) -> str:
        before = len(self.mouth.said)
        happens()
        self._shown()
        quiet_s = time.monotonic() + QUIET_S
        while time.monotonic() < quiet_s:
            time.sleep(0.01)
            with self.voice._wake:
                if len(self.voice._queue) or self.voice._now is not None:
                    quiet_s = time.monotonic() + QUIET_S
        return " ".join(self.mouth.said[before:])

    def chooses(self, wanted: str) -> str:
        """Goes on with A until that line is said, and takes it with C."""
        said = self.mouth.said[-1]
        for _ in range(MOST_PRESSES):
            if re.search(rf"\b{re.escape(wanted)}", said):
                return self.press("C")
            said = self.press("A")
        raise AssertionError(f"{wanted} is never said")

    def answers(self, said: str, wanted: str) -> str:
        """Presses the button that what was said gives that answer to."""
        found = re.search(rf"([ABC]): {re.escape(wanted)}", said)
        assert found, (wanted, said)
        return self.press(found[1])


@pytest.fixture
def ears() -> Ears:
    settings = Settings(
        game="turufu", players=4, language="en", build="laptop", display="none",
        seats=("Zaïna", "Ali"),
    )  # fmt: skip

    def begin(wanted: Settings) -> InMemory:
        return InMemory(Match(wanted.game, wanted.players, wanted.house, wanted.names))

    return Ears(LiveTable(begin(settings), settings, begin))


def test_everything_is_done_by_ear(ears: Ears) -> None:
    # A new device says how to make it speak. Nobody saw anything yet.
    assert "hold down button A" in ears.mouth.said[0]
    said = ears.press("A", long=True)
    assert "A says what lies there" in said and "C is the menu" in said

    # Set-up: another game, for two.
    said = ears.press("C")
    assert "Menu" in said and "C: choose" in said
    ears.chooses("Game:")
    ears.chooses("Triomphe")
    ears.chooses("Players:")
    said = ears.chooses("2")
    assert "Players: 2" in said
    assert "The menu is closed" in ears.press("B")
    assert (ears.table.match.header.game, ears.table.match.header.players) == ("triomphe", 2)

    # A deal.
    assert "Turned up: 7 of spades" in ears.lays(Deal("7S", 1))
    assert "Zaïna: 9 of hearts" in ears.lays(Play("9H", 0))
    said = ears.lays(Play("KH", 1))
    assert re.search("Ali:? king (of )?hearts", said) and "Trick to Ali" in said
    ears.lays(Taken(1))

    # A question: a card that the device cannot read, answered by the button that was named.
    said = ears.lays(Play("8D", 1), Play(None, 0, candidates=("9D", "9C")))
    assert "9 of diamonds" in said and "9 of clubs" in said
    said = ears.answers(said, "9 of diamonds")
    assert "Trick to Zaïna" in said
    ears.lays(Taken(0))

    # An alert, which was the device's mistake.
    said = ears.lays(Play("5D", 0))
    assert "This game does not use that card" in said and "5 of diamonds" in said
    said = ears.answers(said, "misread")
    assert "Taken back: 5 of diamonds." in said
    assert "Zaïna to play" in said or ears.table.match.view.turn == 0

    # What it was: played again, and heard wrongly: put right by suit and rank.
    assert "Zaïna: queen of clubs" in ears.lays(Play("QC", 0))
    ears.press("C")
    assert "Zaïna: queen of clubs" in ears.chooses("Correct a card")
    said = ears.chooses("Zaïna: queen of clubs")
    assert "Instead of the queen of clubs: clubs." in said
    said = ears.chooses("hearts")
    assert "Which card? ace of hearts" in said
    said = ears.chooses("10 of hearts")
    assert "10 of hearts, not the queen of clubs?" in said and "A: yes" in said
    assert "Corrected: Zaïna, 10 of hearts." in ears.answers(said, "yes")
    trick = ears.table.match.view.trick
    assert trick is not None and [shown["card"] for shown in trick] == ["10H"]
    assert "Zaïna 10 hearts" in ears.press("A"), "what lies there"

    # A phone is paired by its code.
    said = ears._hears(lambda: ears.table.invite(Invite("http://hisabu.local", "482913")))
    assert "4, 8, 2, 9, 1, 3" in said
    ears.press("A")

    # Held again, and it is silent.
    assert ears.press("A", long=True) == "I am silent."
    assert not ears.lays(Play("7S", 1))
    ears.voice.close()


def test_what_cannot_be_corrected_so_is_said(ears: Ears) -> None:
    ears.press("A", long=True)
    ears.lays(Deal("7S", 1), Play("9H", 2), Play("KH", 3))
    ears.press("C")
    ears.chooses("Correct a card")
    ears.chooses("player 4: king of hearts")
    ears.chooses("spades")
    said = ears.chooses("3 of spades")
    ears.table.undo(None, "page")  # Somebody takes the card back meanwhile.
    said = ears.answers(said, "yes")
    assert "Corrected" not in said and "event" in said
    ears.voice.close()


def test_who_holds_a_button_in_the_menu_hears_where_he_is(ears: Ears) -> None:
    ears.table.press(Press("C"))
    ears.table.press(Press("A"))
    said = ears.press("A", long=True)
    assert "Menu. " in said and "C: choose" in said
    ears.voice.close()


def test_the_card_turned_up_is_put_right_by_ear(ears: Ears) -> None:
    ears.press("A", long=True)
    ears.lays(Deal("7S", 3), Play("KD", 0))
    ears.press("C")
    ears.chooses("Correct a card")
    said = ears.chooses("Turned up: 7 of spades")
    assert "Instead of the 7 of spades: spades." in said
    ears.chooses("hearts")
    said = ears.chooses("7 of hearts")
    assert "7 of hearts, not the 7 of spades?" in said and "The card turned up." in said
    said = ears.answers(said, "yes")
    assert "Corrected. Turned up: 7 of hearts." in said
    assert "Trump is hearts" in ears.press("A") and ears.table.match.view.trump == "H"
    ears.voice.close()


def test_a_pit_is_counted_again_by_ear() -> None:
    settings = Settings(game="mraha", language="en", build="laptop", display="none", seats=("Zaïna", "Ali"))

    def begin(wanted: Settings) -> InMemory:
        return InMemory(Match(wanted.game, 2, wanted.house, wanted.names))

    ears = Ears(LiveTable(begin(settings), settings, begin))
    game: Any = ears.table.match.judge
    opening = board_rows(game.game.opening)
    ears.press("A", long=True)
    ears.lays(Board(opening))
    (turn, *_) = honest_turns(Random(5), game.game.flags)
    right = board_rows(turn.after)
    (row, column) = next((r, c) for r in (2, 3) for c in range(8) if right[r][c] > 1)
    wrong = tuple(
        tuple(count - 1 if (r, c) == (row, column) else count for c, count in enumerate(line))
        for r, line in enumerate(right)
    )
    said = ears.lays(Board(wrong))
    assert "Seeds missing: 1" in said
    name = f"{'front' if row == 2 else 'back'} {column + 1}"
    ears.press("C")
    ears.chooses("Correct a pit")
    ears.chooses("Zaïna")
    said = ears.chooses(f"{name}: {wrong[row][column]}")
    assert f"{name}. one more." in said.lower()
    assert str(right[row][column]) in ears.chooses("one more")
    said = ears.chooses("Done")
    assert "Done, seeds: " in said
    said = ears.chooses("Done")
    assert "Corrected." in said and "plays" in said
    assert ears.table.match.view.alert is None
    ears.voice.close()
