"""Messages as translators write them (Project Fluent: a folder a language, a file a topic), and what they say of facts.

Mozilla's `fluent.syntax` reads the files; what it has read is kept as a few plain lists, which the page's JavaScript
fills in the same way (device/web/static/words.js). docs/words.md says why, and how a message is written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

LANGUAGES = ("fr", "shi", "en")
INSTEAD = {"shi": "fr"}
"""What a language says where it has no message of its own."""
ALOUD = "-aloud"
"""Added to a language that lacks messages: the same, with a mark before whatever is of itself and of the one below it,
so that each is said by its own voice."""
STAND_IN = "(fr) "
"""What of a message follows is of the language below."""
ITSELF, BELOW, END = "\ue000", "\ue001", "\ue002"
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
    if language.endswith(ALOUD):
        return _marked(language.removesuffix(ALOUD), topic)
    below = messages(INSTEAD[language], topic) if language in INSTEAD else {}
    return {**below, **_own(language, topic)}


def _own(language: str, topic: str) -> dict[str, Pattern]:
    file = files(__package__) / language / f"{topic}.ftl"
    return dict(_read(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def aloud(language: str) -> str:
    """The language to make sentences in that are spoken, of a language to read in."""
    return language + ALOUD if language in INSTEAD else language


def voices(text: str, language: str) -> list[tuple[str, str]]:
    """A sentence in parts, each with the language whose voice says it: in Shimaore what stands in for it is French. A
    name or a number goes with what is before it, else with what follows."""
    language = language.removesuffix(ALOUD)
    of_mark = {ITSELF: language, BELOW: INSTEAD.get(language, language)}
    parts: list[tuple[str, str]] = []
    now = ""
    for piece in re.split(f"([{ITSELF}{BELOW}{END}])", text):
        if piece in (ITSELF, BELOW, END):
            now = of_mark.get(piece, "")
        elif piece:
            said_by = now or (parts[-1][0] if parts else "")
            if parts and parts[-1][0] in (said_by, ""):
                parts[-1] = (said_by, parts[-1][1] + piece)
            else:
                parts.append((said_by, piece))
    return [(said_by or language, said) for said_by, said in parts]


def said_by(parts: Iterable[tuple[str, str]], language: str) -> str:
    """The sentence that `voices` has these parts of."""
    if not language.endswith(ALOUD):
        return "".join(said for _, said in parts)
    own = language.removesuffix(ALOUD)
    return "".join(f"{ITSELF if said_in == own else BELOW}{said}{END}" for said_in, said in parts if said)


def unmarked(text: str) -> str:
    """A sentence that is spoken, without its marks."""
    return re.sub(f"[{ITSELF}{BELOW}{END}]", "", text)


def below(language: str) -> str:
    """The language that stands in for what this one lacks; itself, where nothing does."""
    return INSTEAD.get(language.removesuffix(ALOUD), language)


def said_below(text: str, language: str) -> str:
    """A sentence that is all of the language below."""
    return f"{BELOW}{text}{END}" if language.endswith(ALOUD) else text


def _marked(language: str, topic: str) -> dict[str, Pattern]:
    own = _own(language, topic)
    return {name: _with_marks(pattern, name not in own) for name, pattern in messages(language, topic).items()}


def _with_marks(pattern: Pattern, below: bool) -> Pattern:
    """below: it is of the language below from its beginning."""
    marked: Pattern = []
    for part in pattern:
        if isinstance(part, str):
            ours, stands_in, theirs = ("", "", part) if below else part.partition(STAND_IN)
            below = below or bool(stands_in)
            marked += [_mark(ITSELF, ours), _mark(BELOW, theirs)]
        elif "pick" in part:
            cases = {case: _with_marks(said, below) for case, said in part["when"].items()}
            marked.append({**part, "when": cases, "else": _with_marks(part["else"], below)})
        else:
            marked.append(part)
    return marked


def _mark(sign: str, text: str) -> str:
    """Signs alone, or a letter of a card, are of no language."""
    return f"{sign}{text}{END}" if sum(map(str.isalpha, text)) > 1 else text


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
