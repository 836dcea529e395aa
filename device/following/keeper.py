"""What holds the match that is followed: on disk (device/keeping/journal.py), in memory alone, or none yet."""

from typing import Protocol

from engine.events import Event
from engine.match import Match
from engine.notices import Notice


class Keeper(Protocol):
    """A match and where it is kept (device/keeping/journal.py)."""

    @property
    def match(self) -> Match:
        """The match."""

    @property
    def trouble(self) -> str | None:
        """Why the last event may not be on disk."""

    def add(self, event: Event, by: str | None = None) -> list[Notice]:
        """Judges and keeps an event. EventError: it cannot be."""

    def finish(self) -> bool:
        """Closes the match for good."""

    def mistaken(self) -> bool:
        """Puts the match aside: another game was played."""

    def close(self) -> bool:
        """Lets go of it; it can be resumed."""


class InMemory:
    """A match that is kept nowhere: for the demo and for replays."""

    trouble: str | None = None

    def __init__(self, match: Match) -> None:
        self.match = match

    def add(self, event: Event, by: str | None = None) -> list[Notice]:
        """Judges an event."""
        return self.match.add(event)

    def finish(self) -> bool:
        """Nothing to close."""
        return True

    def mistaken(self) -> bool:
        """Nothing to put aside."""
        return True

    def close(self) -> bool:
        """Nothing to close."""
        return True
