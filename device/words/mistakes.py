"""What the engine and the eyes say of a mistake, which is English, in the language of the house."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from device import words

LONGEST = 600
"""Characters that are looked at: what was typed may be far longer, and stands in the middle."""
_SHORT = {"name": r"[^\s:]+", "field": r"[^\s:]+", "number": r"\S+"}
"""What a fact is that is no long one."""
_FACT = re.compile(r"\\\{(\w+)\\\}")


class _Known(NamedTuple):
    """A sentence of the English table, to be recognized."""

    code: str
    pattern: re.Pattern[str]
    plain: int
    """Characters that are no facts: of several that fit, the one with the most was meant."""


def in_words(error: object, language: str, part: str = "mistakes") -> str:
    """What an error says, in a language; as it is where nobody has written it down in this part of the words.

    What knows its own words (a camera that is away, a wrong setting) is asked. The engine and the eyes know no
    languages: what they say is recognized by the English table, facts and all. A fact called error is a sentence too,
    places are a list of such, and either is a list with an "or" in it. Part "help" is what the command line says of
    itself; settings and their values in it have parts of their own.
    """
    knows = getattr(error, "said", None)
    if callable(knows):
        told = knows(language)
        return told if isinstance(told, str) else "; ".join(told)
    said = str(error)
    if language == "en":
        return said
    if len(said) > LONGEST:
        said = f"{said[: LONGEST // 2]} … {said[-LONGEST // 2 :]}"
    fitting = [(one, found.groupdict()) for one in _known(part) if (found := one.pattern.fullmatch(said))]
    for known, facts in sorted(fitting, key=lambda pair: ("error" not in pair[1], -pair[0].plain)):
        if "error" in facts and in_words(facts["error"], language) == facts["error"]:
            continue  # That is no sentence of its own.
        table: Mapping[str, str] = words.table(language)[part]
        return table[known.code].format_map({name: _fact(name, value, language, part) for name, value in facts.items()})
    return said


def _fact(name: str, value: str, language: str, part: str) -> str:
    match name:
        case "setting":
            return in_words(value, language, "help")
        case "values" if part == "help":
            return in_words(value, language, "settings_allowed")
        case "error":
            return in_words(value, language)
        case "places":
            return ", ".join(in_words(one, language) for one in value.split(", "))
        case "either":
            return value.replace(" or ", str(words.table(language)["either"]))
    return value


@cache
def _known(part: str) -> tuple[_Known, ...]:
    found = []
    for code, said in words.table("en")[part].items():
        plain = re.escape(said.replace("{{", "\0").replace("}}", "\1"))
        facts = _FACT.sub(lambda found: rf"(?P<{found[1]}>{_SHORT.get(found[1], '.+?')})", plain)
        pattern = facts.replace("\0", r"\{").replace("\1", r"\}")
        found.append(_Known(code, re.compile(pattern, re.DOTALL), len(_FACT.sub("", plain))))
    return tuple(found)
