"""What may reach a terminal: text to show, never characters to obey."""

import io

_HARMLESS = "\n\t"
_CONTROLS = {code: "�" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in _HARMLESS}
"""What a terminal obeys instead of showing it: C0, DEL and C1."""


def shown(text: str) -> str:
    """A text with every control character made visible."""
    return text.translate(_CONTROLS)


class PlainStream(io.TextIOWrapper):
    """Standard output or error: what is written to it may come from anybody's journal, settings or file name.

    A letter that the terminal does not have becomes a "?".
    """

    @classmethod
    def over(cls, stream: io.TextIOWrapper) -> "PlainStream":
        """Writes where a stream does."""
        stream.flush()
        return cls(stream.buffer, stream.encoding, "replace", line_buffering=stream.line_buffering)

    def write(self, text: str) -> int:
        """Writes it as it may be shown."""
        return super().write(shown(text))

    def draw(self, text: str) -> None:
        """Writes what this program itself tells the terminal, control characters and all."""
        super().write(text)
        self.flush()
