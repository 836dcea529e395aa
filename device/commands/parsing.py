"""The parser of the command line, which speaks the language of the house: its help, and what it says of a slip."""

import argparse
import contextlib
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from device import words
from device.commands.console import BAD_INPUT, language_of
from device.words.mistakes import in_words

_METAVAR = re.compile(r"[A-Z]{2,}")


def language_asked(argv: Sequence[str]) -> str:
    """The language that a command line asks for, before anything else of it is understood."""
    asked = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    asked.add_argument("--lang", choices=words.LANGUAGES)
    asked.add_argument("--settings", type=Path)
    known = argparse.Namespace()
    with contextlib.suppress(argparse.ArgumentError):  # It is said later, by the command's own parser.
        asked.parse_known_args([one for one in argv if one != "--"], known)
    return language_of(known)


class Parser(argparse.ArgumentParser):
    """One that speaks a language."""

    language = "en"

    def __init__(self, **more: Any) -> None:
        super().__init__(**more, formatter_class=_Formatter)

    def speak(self, language: str) -> None:
        """Puts all that it and its commands say into a language."""
        self.language = language
        self.description = _helping(self.description, language)
        before_colon = words.table(language)["screen"]["colon"].removesuffix(":")
        for group in self._action_groups:
            title = _helping(group.title, language)
            group.title = None if title is None else title + before_colon
        for action in self._actions:
            action.help = _helping(action.help, language)
            if isinstance(action.metavar, str):
                action.metavar = _METAVAR.sub(lambda found: _metavar(found[0], language), action.metavar)
            if isinstance(action, argparse._SubParsersAction):
                for one in action._choices_actions:
                    one.help = _helping(one.help, language)
                for parser in dict.fromkeys(action.choices.values()):
                    parser.speak(language)

    def _get_formatter(self) -> argparse.HelpFormatter:
        formatter = super()._get_formatter()
        assert isinstance(formatter, _Formatter)
        formatter.language = self.language
        return formatter

    def error(self, message: str) -> NoReturn:
        """Says how it is used and what was wrong, and ends."""
        self.print_usage(sys.stderr)
        colon = words.table(self.language)["screen"]["colon"]
        self.exit(BAD_INPUT, f"{self.prog}{colon} {in_words(message, self.language)}\n")


class _Formatter(argparse.HelpFormatter):
    """Its headings."""

    language = "en"

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        colon = words.table(self.language)["screen"]["colon"]
        super().add_usage(usage, actions, groups, f"usage{colon} " if prefix is None else prefix)


def _helping(text: str | None, language: str) -> str | None:
    return None if text is None else in_words(text, language, "help")


def _metavar(word: str, language: str) -> str:
    return str(words.table(language)["metavars"].get(word, word))
