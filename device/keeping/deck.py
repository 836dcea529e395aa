"""The house's own deck, as `hisabu enrol` learned it: where its file lies, and opened, if it can be used."""

import sys
from pathlib import Path

from device import words
from device.keeping.files import read_plain, write_whole
from device.keeping.settings import Settings, settings_path
from device.words import in_words
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import network_print

DECK_FILE = "deck.npz"
MOST_BYTES = 4_000_000
"""Of a deck's file: a hundred times what one takes."""


def deck_path(settings_file: Path | None = None) -> Path:
    """Where it is kept: beside the settings."""
    return settings_path(settings_file).with_name(DECK_FILE)


def deck_in_use(settings: Settings, settings_file: Path | None = None) -> Path | None:
    """The file of the deck that the settings name, else of the one beside them, if there is one."""
    beside = deck_path(settings_file).absolute()
    return settings.deck_file or (beside if beside.exists() else None)


def keep_deck(path: Path, deck: EnrolledDeck) -> None:
    """Writes it whole or not at all. OSError: it cannot be written."""
    write_whole(path, deck.packed())


def house_deck(path: Path, language: str) -> EnrolledDeck | None:
    """The deck of this file; one that cannot be used is said and left alone."""
    try:
        return EnrolledDeck.unpacked(read_plain(path, MOST_BYTES), network_print())
    except FileNotFoundError:
        why = words.say(language, "pictures-deck_gone")
    except OSError as error:
        why = words.why(error, language)
    except ValueError as error:
        why = in_words(error, language)
    print(words.say(language, "pictures-no_deck", path=path, why=why), file=sys.stderr)
    return None
