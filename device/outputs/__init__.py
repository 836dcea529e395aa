"""Whatever shows the game: each draws the same Show, keeps nothing of its own and is waited for by nobody.

Nothing lists the outputs: a file here that has OUTPUT declares one. docs/add-an-output.md adds one, step by step.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from device.following.show import Output
    from device.keeping.settings import Key, Settings
    from device.machine.wiring import Wiring


@dataclass(frozen=True)
class OutputKind:
    """An output as its file declares it."""

    name: str
    made: "Callable[[Settings, Wiring], Iterable[Output]]"
    """What there is of it by these settings; each opens its hardware when it is first shown something."""
    troubles: tuple[str, ...]
    """What its absence is called; each has its words under [troubles]."""
    settings: "Mapping[str, Key]" = field(default_factory=dict)
    """What stands in [outputs] of the settings, by name; "" is none."""
    at_the_table: bool = True
    """Whether players see it. A laptop without any draws in the terminal."""


@cache
def output_kinds() -> tuple[OutputKind, ...]:
    """Every output that declares itself. Only those files are loaded: others bring OpenCV, or a whole web server."""
    names = [f"{__name__}.{module.name}" for module in iter_modules(__path__)]
    return tuple(import_module(name).OUTPUT for name in names if "\nOUTPUT = " in _source(name))


def _source(name: str) -> str:
    loader: Any = getattr(find_spec(name), "loader", None)
    return str(loader.get_source(name))
