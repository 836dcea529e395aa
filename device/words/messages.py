"""Messages as translators write them (Project Fluent: a folder a language, a file a topic), and what they say of facts.

Mozilla's `fluent.syntax` reads the files; what it has read is kept as a few plain lists, which the page's JavaScript
fills in the same way (device/web/static/words.js). docs/words.md says why, and how a message is written.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

LANGUAGES = ("fr", "shi", "en")
INSTEAD = {"shi": "fr"}
"""What a language says where it has no message of its own."""
NONE, SOME = "none", "some"
"""What a fact that is not there, or a list, is to a selector."""

Part = str | dict[str, Any]
Pattern = list[Part]
"""Text, {"fact": name}, {"say": message}, or {"pick": fact, "when": {case: pattern}, "else": pattern}."""


class Facts(Protocol):
    """What a message is filled with."""

    def raw(self, name: str) -> object:
        """A fact as the selectors see it."""

    def said(self, name: str) -> str:
        """A fact as a sentence shows it. KeyError: there is none."""


@cache
def messages(language: str, topic: str) -> Mapping[str, Pattern]:
    """Every message of a topic, by its name: "doctor-dark", "option-follow.about"."""
    below = messages(INSTEAD[language], topic) if language in INSTEAD else {}
    file = files(__package__) / language / f"{topic}.ftl"
    return {**below, **dict(_read(file.read_text(encoding="utf-8")))} if file.is_file() else below


def messages_for(language: str, wanted: Iterable[str]) -> dict[str, Pattern | str]:
    """Several topics together, as JSON has them; what is text alone is a string."""
    found = {name: said for topic in wanted for name, said in messages(language, topic).items()}
    return {name: "".join(map(str, said)) if _plain(said) else said for name, said in found.items()}


def _plain(pattern: Pattern) -> bool:
    return all(isinstance(part, str) for part in pattern)


def topics(language: str) -> list[str]:
    """The files of a language, with those of the one below it."""
    own = {file.name.removesuffix(".ftl") for file in (files(__package__) / language).iterdir()}
    return sorted(own.union(topics(INSTEAD[language]) if language in INSTEAD else ()))


def _read(text: str) -> Iterator[tuple[str, Pattern]]:
    from fluent.syntax import ast, parse

    for entry in parse(text).body:
        if isinstance(entry, ast.Junk):
            raise ValueError(f"not a message: {entry.content!r}")
        if isinstance(entry, ast.Message):
            if entry.value is not None:
                yield entry.id.name, _pattern(entry.value)
            for attribute in entry.attributes:
                yield f"{entry.id.name}.{attribute.id.name}", _pattern(attribute.value)


def _pattern(read: Any) -> Pattern:
    from fluent.syntax import ast

    return [
        element.value if isinstance(element, ast.TextElement) else _placed(element.expression)
        for element in read.elements
    ]


def _placed(read: Any) -> Part:
    """What stands in braces."""
    from fluent.syntax import ast

    match read:
        case ast.StringLiteral():
            return str(read.parse()["value"])
        case ast.VariableReference():
            return {"fact": read.id.name}
        case ast.MessageReference():
            return {"say": read.id.name + (f".{read.attribute.name}" if read.attribute else "")}
        case ast.SelectExpression(selector=ast.VariableReference(id=fact)):
            cases = {_case(variant.key): _pattern(variant.value) for variant in read.variants if not variant.default}
            other = next(_pattern(variant.value) for variant in read.variants if variant.default)
            return {"pick": fact.name, "when": cases, "else": other}
    raise ValueError(f"a message may not hold {type(read).__name__}")


def _case(key: Any) -> str:
    from fluent.syntax import ast

    return str(key.value if isinstance(key, ast.NumberLiteral) else key.name)


def filled(pattern: Pattern, facts: Facts, language: str) -> str:
    """What a pattern says of these facts."""
    said = []
    for part in pattern:
        if isinstance(part, str):
            said.append(part)
        elif "fact" in part:
            said.append(facts.said(part["fact"]))
        elif "say" in part:
            said.append(filled(pattern_of(part["say"], language), facts, language))
        else:
            case = _chosen(part["when"], facts.raw(part["pick"]), language)
            said.append(filled(part["else"] if case is None else part["when"][case], facts, language))
    return "".join(said)


def _chosen(cases: Mapping[str, Pattern], value: object, language: str) -> str | None:
    """Which case a fact is: itself, else its plural."""
    case = case_of(value)
    if case in cases:
        return case
    if isinstance(value, int | float) and not isinstance(value, bool):
        plural = "one" if (value == 1 if language == "en" else 0 <= value < 2) else "other"
        return plural if plural in cases else None
    return None


def case_of(value: object) -> str:
    """A fact as a selector names it."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple | set | frozenset | dict):
        return SOME if value else NONE
    return str(value)


def pattern_of(name: str, language: str) -> Pattern:
    """A message by its name. KeyError: there is none."""
    return messages(language, name.split("-", 1)[0])[name]
