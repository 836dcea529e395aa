"""The house's own deck, as `hisabu enrol` learned it: where its file lies, and opened, if it can be used."""

import sys
from pathlib import Path

from device import words
from device.keeping.files import put_aside, read_plain, write_whole
from device.keeping.settings import Settings, settings_path
from device.words import in_words
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import network_print

DECK_FILE = "deck.npz"
ASIDE = ".old"
"""Ending of a deck's file that could not be used when another was learned in its place."""
MOST_BYTES = 4_000_000
"""Of a deck's file: a hundred times what one takes."""


def deck_path(settings_file: Path | None = None) -> Path:
    """Where it is kept: beside the settings."""
    return settings_path(settings_file).with_name(DECK_FILE)


def deck_in_use(settings: Settings, settings_file: Path | None = None) -> Path | None:
    """The file of the deck that the settings name, else of the one beside them, if there is one."""
    beside = deck_path(settings_file).absolute()
    return settings.deck_file or (beside if beside.exists() else None)


def learned_path(settings: Settings, settings_file: Path | None = None) -> Path:
    """The file that a deck is learned into: the one that the device uses."""
    return settings.deck_file or deck_path(settings_file)


def keep_deck(path: Path, deck: EnrolledDeck) -> None:
    """Writes it whole or not at all. OSError: it cannot be written."""
    write_whole(path, deck.packed())


def opened(path: Path, language: str) -> tuple[EnrolledDeck | None, str]:
    """The deck of this file; None: it cannot be used, and why, in words."""
    try:
        return EnrolledDeck.unpacked(read_plain(path, MOST_BYTES), network_print()), ""
    except FileNotFoundError:
        return None, words.say(language, "pictures-deck_gone")
    except OSError as error:
        return None, words.why(error, language)
    except ValueError as error:
        return None, in_words(error, language)


def house_deck(path: Path, language: str) -> EnrolledDeck | None:
    """The deck of this file; one that cannot be used is said and left alone."""
    deck, why = opened(path, language)
    if deck is None:
        print(words.say(language, "pictures-no_deck", path=path, why=why), file=sys.stderr)
    return deck


class GrowingDeck:
    """A deck's file, while more of the deck is learned."""

    def __init__(self, path: Path, anew: bool, language: str) -> None:
        """anew: what the file knows by now is forgotten."""
        self.path = path
        self._before = None if anew or not path.exists() else house_deck(path, language)
        self._unfit = self._before is None and not anew and path.exists()

    def keep(self, learned: EnrolledDeck) -> EnrolledDeck:
        """Writes what is known by now, and says what that is. OSError: it cannot be written.

        A file that could not be used stays beside it.
        """
        whole = learned if self._before is None else self._before.merged(learned)
        if self._unfit:
            put_aside(self.path, ASIDE)
            self._unfit = False
        keep_deck(self.path, whole)
        return whole
