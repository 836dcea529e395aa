"""What cannot be: a code and its facts, never prose. Whoever shows an error has the sentences (device/words)."""

from typing import Any


class GameError(ValueError):
    """Something that a game, an event, a position or a journal does not allow.

    >>> error = GameError("unknown_game", value="chess", allowed=("turufu", "mraha"))
    >>> error.code, error.facts["value"]
    ('unknown_game', 'chess')
    >>> print(error)
    unknown_game: value='chess', allowed=('turufu', 'mraha')
    """

    def __init__(self, code: str, /, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.code}: {told}" if told else self.code

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.code, self.facts)


def _again(kind: type[GameError], code: str, facts: dict[str, Any]) -> GameError:
    error = kind.__new__(kind)
    GameError.__init__(error, code, **facts)
    return error
