"""What a V meant in the last deck is known when the next match begins."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from device.following.follow import card_reader
from device.keeping.letters import LETTERS_FILE, LastLetters
from device.keeping.settings import Settings
from tests.vision.test_cards_reader import drawn
from vision.synthetic.decks import DUTCH_LETTERS, FRENCH_LETTERS

ENGLISH = Settings(language="en", game="turufu", players=2)


def named(folder: Path, cards: list[str], letters: Mapping[str, str]) -> set[str]:
    """What the device's eye names in a picture, at a table that spoke English all along."""
    reader = card_reader(ENGLISH, LastLetters(folder))
    return {face.card for face in reader.read(drawn(cards, letters)).cards}


@pytest.mark.parametrize(("letters", "v"), [(FRENCH_LETTERS, "JS"), (DUTCH_LETTERS, "QS")])
def test_a_v_means_what_it_meant_in_the_last_match(tmp_path: Path, letters: Mapping[str, str], v: str) -> None:
    assert named(tmp_path, [v, "7C"], letters) == {"7C"}
    named(tmp_path, ["KH", "7C"], letters)
    assert named(tmp_path, [v, "7C"], letters) == {v, "7C"}


def test_another_deck_turns_it_round(tmp_path: Path) -> None:
    named(tmp_path, ["KH", "QC"], FRENCH_LETTERS)
    assert named(tmp_path, ["QS", "KH", "7C"], DUTCH_LETTERS) == {"QS", "KH", "7C"}
    assert named(tmp_path, ["QS", "7C"], DUTCH_LETTERS) == {"QS", "7C"}


@pytest.mark.parametrize("damaged", ["", "{", '{"french": "maybe"}', "[1]", "\x00" * 2000])
def test_a_damaged_file_costs_the_knowledge_and_nothing_else(
    tmp_path: Path, damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / LETTERS_FILE).write_text(damaged)
    letters = LastLetters(tmp_path)
    assert letters.french("fr") > 0 and letters.french("en") == 0
    assert LETTERS_FILE in caplog.text
    letters.told(-9.0)
    assert LastLetters(tmp_path).french("fr") < 0


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    letters = LastLetters(tmp_path / "matches")
    (tmp_path / "matches").write_text("a file where the folder should be")
    letters.told(9.0)
    assert letters.french("en") > 0
    assert LETTERS_FILE in caplog.text
