"""The parser of the command line, which speaks the language of the house: its help, and what it says of a slip.

Commands name what they say by its code: help="seed" is the message help-seed. What argparse says by itself it asks of
gettext, and we answer.
"""

import argparse
import contextlib
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from device import words
from device.commands.console import BAD_INPUT, language_of

_METAVAR = re.compile(r"[A-Z]{2,}")
_spoken = "en"
"""What the command line speaks; there is one in a process."""
_OF_ARGPARSE = {
    "positional arguments": "help-positional",
    "options": "help-options",
    "show this help message and exit": "help-help",
    "show program's version number and exit": "help-version",
}
"""What argparse says of itself when a parser is made."""
_SLIPS = {
    "the following arguments are required: %s": ("slip-required", ("names",)),
    "unrecognized arguments: %s": ("slip-unrecognized", ("names",)),
    "expected one argument": ("slip-one_argument", ()),
    "expected at most one argument": ("slip-at_most_one", ()),
    "expected at least one argument": ("slip-at_least_one", ()),
    "expected %s argument": ("slip-some_arguments", ("count",)),
    "expected %s arguments": ("slip-some_arguments", ("count",)),
    "ambiguous option: %(option)s could match %(matches)s": ("slip-ambiguous", ("option", "matches")),
    "ignored explicit argument %r": ("slip-no_value", ("value",)),
    "invalid %(type)s value: %(value)r": ("slip-not_whole", ("value",)),
    "invalid choice: %(value)r (choose from %(choices)s)": ("slip-invalid_choice", ("value", "choices")),
    "not allowed with argument %s": ("slip-only_with", ("option",)),
}
"""What it says of a slip, and the facts it then puts in with %."""


class Help(str):
    """A message with facts, by its code."""

    facts: dict[str, Any]

    def __new__(cls, code: str, /, **facts: Any) -> "Help":
        made = super().__new__(cls, code)
        made.facts = facts
        return made


class Slip(argparse.ArgumentTypeError):
    """A value that an option does not take: a code and its facts."""

    topic = "mistake"

    def __init__(self, code: str, /, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts

    def __str__(self) -> str:
        return words.in_words(self, _spoken)


def language_asked(argv: Sequence[str]) -> str:
    """The language that a command line asks for, before anything else of it is understood."""
    asked = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    asked.add_argument("--lang", choices=words.LANGUAGES)
    asked.add_argument("--settings", type=Path)
    known = argparse.Namespace()
    with contextlib.suppress(argparse.ArgumentError):  # It is said later, by the command's own parser.
        asked.parse_known_args([argument for argument in argv if argument != "--"], known)
    return language_of(known)


class Parser(argparse.ArgumentParser):
    """One that speaks a language."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more, formatter_class=_Formatter)
        self._told = False

    def speak(self, language: str) -> None:
        """Puts all that it and its commands say into a language."""
        global _spoken  # noqa: PLW0603
        _spoken = language
        for name, answer in (("_", _of_slip), ("ngettext", lambda single, many, count: _of_slip(many))):
            setattr(argparse, name, answer)
        if language != "en":
            self._name_values()

    def _name_values(self) -> None:
        """What stands for a value is a word of the language."""
        for action in self._actions:
            if isinstance(action.metavar, str):
                action.metavar = _METAVAR.sub(lambda found: _metavar(found[0]), action.metavar)
            for parser in _commands_of(action):
                parser._name_values()

    def _tell(self) -> None:
        """Its help in words, now that somebody asks for it."""
        if self._told:
            return
        self._told = True
        self.description = _helping(self.description)
        for group in self._action_groups:
            group.title = group.title and f"{_helping(group.title)}{words.say(_spoken, 'screen-colon')[:-1]}"
        for action in self._actions:
            action.help = _helping(action.help)
            if isinstance(action, argparse._SubParsersAction):
                for choice in action._choices_actions:
                    choice.help = _helping(choice.help)

    def format_help(self) -> str:
        self._tell()
        return super().format_help()

    def _parse_known_args(self, *args: Any, **more: Any) -> Any:
        try:
            return super()._parse_known_args(*args, **more)
        except argparse.ArgumentError as error:
            if error.argument_name is None:
                self.error(error.message)
            self.error(words.say(_spoken, "slip-argument", option=error.argument_name, error=error.message))

    def error(self, message: str) -> NoReturn:
        """Says how it is used and what was wrong, and ends."""
        self.print_usage(sys.stderr)
        self.exit(BAD_INPUT, f"{self.prog}{words.say(_spoken, 'screen-colon')} {message}\n")


class _Formatter(argparse.HelpFormatter):
    """Its headings."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        colon = words.say(_spoken, "screen-colon")
        super().add_usage(usage, actions, groups, f"usage{colon} " if prefix is None else prefix)


def _commands_of(action: argparse.Action) -> Iterable[Parser]:
    return dict.fromkeys(action.choices.values()) if isinstance(action, argparse._SubParsersAction) else ()


def _helping(text: str | None) -> str | None:
    """A help text by its code; one that is no code (the names of games) as it is."""
    if text is None:
        return None
    name = _OF_ARGPARSE.get(text, f"help-{text}")
    return words.say(_spoken, name, **getattr(text, "facts", {})) if words.has(_spoken, name) else text


def _metavar(word: str) -> str:
    name = f"metavar-{word}"
    return words.say(_spoken, name) if words.has(_spoken, name) else word


def _of_slip(text: str) -> str:
    """What argparse says, in our words, with the places where it puts its facts."""
    if text not in _SLIPS:
        return text
    name, facts = _SLIPS[text]
    places = re.findall(r"%(?:\(\w+\))?[sr]", text)
    found = {fact: next((place for place in places if f"({fact})" in place), places[-1]) for fact in facts}
    return words.say(_spoken, name, **found)
