"""A part that is not there, or does not let anybody in: what it says, says what to do."""

from typing import ClassVar

from device import words


class Away(OSError):
    """Such a part: a code, whose message is in the file of its topic, and its facts."""

    topic: ClassVar[str] = "away"

    def __init__(self, code: str, /, **facts: object) -> None:
        self.code, self.facts = code, facts
        super().__init__(code)

    def said(self, language: str) -> str:
        """It in words."""
        return words.in_words(self, language)

    def __str__(self) -> str:
        return self.said("en")
