"""House options: what a table may decide differently. Each game lists its own; reading them is the same for all."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import GameError


class OptionError(GameError):
    """An option that does not exist or a value it does not take."""


OptionValue = str | int
"""Yes and no are True and False."""


@dataclass(frozen=True)
class Option:
    """One house option. The first of its values is the default, unless a preset says otherwise."""

    name: str
    values: tuple[OptionValue, ...]
    once: tuple[tuple[str, OptionValue], ...] = ()
    """Names that values had before, as settings and matches kept them."""

    @property
    def default(self) -> OptionValue:
        return self.values[0]

    def read(self, text: object) -> OptionValue:
        """The value meant by what was typed or stored; yes and no stand for true and false."""
        said = str(text).strip().lower()
        for name, value in self.once:
            if said == name:
                return value
        for value in self.values:
            if said in _spellings(value):
                return value
        allowed = [_spellings(value)[0] for value in self.values]
        raise OptionError("option_value", name=self.name, value=text, allowed=allowed)


def check_head_start(side: int, by: int, sides: int, most: int) -> None:
    """Raises OptionError where there is no such side, or nothing would be left to win."""
    if not (0 <= side < sides and 0 < by <= most):
        raise OptionError("head_start", side=side + 1, by=by, sides=sides, most=most)


def _spellings(value: OptionValue) -> tuple[str, ...]:
    if value is True:
        return ("yes", "true", "on", "1")
    if value is False:
        return ("no", "false", "off", "0")
    return (str(value),)


def resolve(options: tuple[Option, ...], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """Every option with its value: given where given, else its default. Raises OptionError."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise OptionError("unknown_option", name=name, allowed=tuple(known))
    return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}
