"""One message with its facts, for whoever has something to say: a command, a display, an error."""

import errno
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.words.messages import filled, messages, pattern_of

LONGEST_FACT = 300
"""Characters of a fact: what was typed may be far longer, and is cut in the middle."""


def say(language: str, name: str, /, **facts: Any) -> str:
    """A message in a language: say("en", "table-player", number=3) is "player 3".

    A fact may be an error, which is said in its own words, a list, or a function of the language. KeyError: there is
    no such message, or it names a fact that is not given.
    """
    return filled(pattern_of(name, language), _Given(facts, language), language)


def figure(number: float, language: str) -> str:
    """A number as a language writes it: figure(0.5, "fr") is "0,5"."""
    return str(number) if language == "en" else str(number).replace(".", ",")


def has(language: str, name: str) -> bool:
    """Whether there is a message of that name."""
    return name in messages(language, name.split("-", 1)[0])


def in_words(error: object, language: str) -> str:
    """An error in words: what has a code has its message under its topic, the system's errors have ours."""
    problems: Sequence[object] = getattr(error, "problems", ())
    if problems:
        return "; ".join(in_words(problem, language) for problem in problems)
    code = getattr(error, "code", None)
    if isinstance(code, str):
        topic: str = getattr(error, "topic", "mistake")
        name = f"{topic}-{code}"
        return say(language, name, **getattr(error, "facts", {})) if has(language, name) else code
    return why(error, language) if isinstance(error, OSError) else str(error)


def why(error: OSError, language: str) -> str:
    """What went wrong with a file, in words; the system's own, which are English, where we have none."""
    if isinstance(getattr(error, "code", None), str):
        return in_words(error, language)
    name = f"system-{_code(error)}"
    return say(language, name) if has(language, name) else error.strerror or str(error)


def what_helps(error: OSError, language: str) -> str:
    """What went wrong with a file, and what to do about it."""
    helps = f"system-help_{_code(error)}"
    return f"{why(error, language)}. {say(language, helps)}" if has(language, helps) else f"{why(error, language)}."


def _code(error: OSError) -> str:
    return getattr(error, "code", "") or errno.errorcode.get(error.errno or 0, "")


def system_language(otherwise: str = "en") -> str:
    """The language the machine is set to: French, English or Shimaore, which is "swb" to machines.

    otherwise: where it is set to none (C, C.UTF-8, nothing at all). Any other language has English.
    """
    said = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "C")
    name = re.split(r"[_.@-]", said.lower())[0]
    return otherwise if name in ("c", "posix") else {"fr": "fr", "swb": "shi"}.get(name, "en")


@dataclass(frozen=True)
class _Given:
    """Facts as they were given."""

    facts: Mapping[str, Any]
    language: str

    def raw(self, name: str) -> object:
        return self.facts.get(name)

    def said(self, name: str) -> str:
        return _shown(self.facts[name], self.language)


def _shown(value: Any, language: str) -> str:
    if isinstance(value, Exception):
        text = in_words(value, language)
    elif isinstance(value, list | tuple):
        text = ", ".join(_shown(part, language) for part in value)
    elif value is None or isinstance(value, bool | dict):
        text = json.dumps(value, ensure_ascii=False, default=str)  # As people wrote it, who wrote JSON.
    elif isinstance(value, float):
        text = figure(value, language)
    else:
        text = str(value(language) if callable(value) else value)
    half = LONGEST_FACT // 2
    return text if len(text) <= LONGEST_FACT else f"{text[:half]} … {text[-half:]}"
