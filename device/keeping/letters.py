"""Which letters the last deck had that lay here: the next deck is most likely the same one, and a V means in it what it
meant before."""

import logging
from pathlib import Path

from device.keeping.files import read_plain, write_whole
from engine.strict_json import Fields, read_json, write_json

log = logging.getLogger(__name__)
LETTERS_FILE = "deck-letters.json"
USUALLY_FRENCH = {"fr": 3.0, "shi": 3.0}
"""Log-odds that V is the jack before any letter was seen, by language: in French and on Mayotte decks are French."""
AS_LAST_TIME = 3.0
"""The same that the last deck leaves for the next one: one sure letter turns it round."""


def usual_letters(language: str) -> float:
    """How much speaks for a deck whose V is the jack where nothing was seen yet, as log-odds."""
    return USUALLY_FRENCH.get(language, 0.0)


class LastLetters:
    """The last deck's letters, in a file beside the matches. One that cannot be read or written costs that knowledge,
    and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LETTERS_FILE
        self._french: bool | None = None
        try:
            self._french = Fields(read_json(read_plain(self._path, 1_000))).flag("french")
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            log.warning("%s: %s", self._path, error)

    def french(self, language: str) -> float:
        """How much speaks for a deck whose V is the jack, as log-odds."""
        if self._french is None:
            return usual_letters(language)
        return AS_LAST_TIME if self._french else -AS_LAST_TIME

    def told(self, french: float) -> None:
        """Letters were seen that speak so much for such a deck: kept once they are sure and say something new."""
        if abs(french) <= AS_LAST_TIME or (french > 0) == self._french:
            return
        self._french = french > 0
        try:
            write_whole(self._path, write_json({"french": self._french}).encode() + b"\n")
        except OSError as error:
            log.warning("%s: %s", self._path, error)
