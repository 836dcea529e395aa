"""A part that is not there, or does not let anybody in: what it says, says what to do."""

from device import words


class Away(OSError):
    """Such a part."""

    def __init__(self, code: str, **facts: object) -> None:
        """code: of the words under [away]. A fact that can be called is asked for a language."""
        self.code, self.facts = code, facts
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        """It in words."""
        facts = {name: one(language) if callable(one) else one for name, one in self.facts.items()}
        return str(words.table(language)["away"][self.code]).format_map(facts)
