"""The examples in the program's own documentation are true, and every public name of the library has one."""

import doctest
import inspect
from importlib import import_module
from types import ModuleType

import pytest

EXPLAINED = (
    "engine", "engine.cards", "engine.seats", "engine.games", "engine.match", "engine.playing", "engine.sightings",
    "engine.journal", "engine.rules.awale", "engine.rules.belote", "engine.rules.mraha", "engine.rules.sueca",
    "engine.rules.tricks", "engine.rules.triomphe", "engine.rules.turufu", "vision",
)  # fmt: skip
WHOLE = (
    "engine.cards", "engine.seats", "engine.games", "engine.match", "engine.playing", "engine.rules.belote",
    "engine.rules.sueca", "engine.rules.triomphe", "engine.rules.turufu", "vision",
)  # fmt: skip
"""Of these, every public function and class has an example."""


def public(module: ModuleType) -> list[tuple[str, object]]:
    found = [(name, var) for name, var in vars(module).items() if inspect.isfunction(var) or inspect.isclass(var)]
    return [(name, thing) for name, thing in found if thing.__module__ == module.__name__ and not name.startswith("_")]


@pytest.mark.parametrize("name", EXPLAINED)
def test_examples_are_true(name: str) -> None:
    ran = doctest.testmod(import_module(name))
    assert ran.attempted > 0 and ran.failed == 0


@pytest.mark.parametrize("name", WHOLE)
def test_every_public_name_has_an_example(name: str) -> None:
    names = public(import_module(name))
    assert names and [name for name, of in names if ">>>" not in (inspect.getdoc(of) or "")] == []
