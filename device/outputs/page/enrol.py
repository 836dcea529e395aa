"""Learning the house's own deck from a phone: which cards to lay next, and what came of it. The game waits."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from device import words
from device.keeping.deck import GrowingDeck
from device.words import in_words
from vision.cards.enrol_watch import EnrolWatch
from vision.cards.reader import CardReader
from vision.frame import Frame


class PageEnrolment:
    """One deck being learned. Frames come in the loop's thread."""

    def __init__(self, path: Path, told: Callable[[dict[str, Any]], None], language: str, anew: bool = False) -> None:
        """path: where the deck is kept. told: called with every change, from the loop's thread. language: of what
        it says went wrong."""
        self.path = path
        self._told, self._language = told, language
        self._file = GrowingDeck(path, anew, language)
        self._watching = EnrolWatch(CardReader())
        self.state: dict[str, Any] = {}
        self._tell(None)

    def see(self, frame: Frame) -> None:
        """The next frame."""
        taken = self._watching.see(frame)
        if taken is None:
            return
        deck = self._watching.deck
        if taken.result.deck is None or deck is None:
            self._tell(in_words(taken.result.problem, self._language))
            return
        try:
            self._file.keep(deck)
        except OSError as error:
            self._tell(f"{self.path}: {words.what_helps(error, self._language)}")
            return
        said = partial(words.say, self._language, "enrol-left_out")
        self._tell(" ".join(said(card=card, name=name) for card, name in taken.result.left_out) or None)

    def _tell(self, problem: str | None) -> None:
        deck = self._watching.deck
        self.state = {
            "wanted": list(self._watching.wanted),
            "known": len(deck.cards) if deck is not None else 0,
            "problem": problem,
            "done": not self._watching.wanted,
        }
        self._told(self.state)
