"""Every message in every language, in a row to be read: `python -m device.words`; and which messages of the Shimaore
files have a source: `python -m device.words shi`."""

import re
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files

from device.words.messages import LANGUAGES, Pattern, messages, topics

_SOURCED = re.compile(r"^# (=|[TM]: [^\n]+)\n([\w-]+) =", re.MULTILINE)
NOTHING_TO_SAY = re.compile(r"[^A-Za-zÀ-ÿ]*")
"""A message without a word in it, whatever its facts."""


def every_message(language: str) -> dict[str, Pattern]:
    """All of a language, by name."""
    return {name: said for topic in topics(language) for name, said in messages(language, topic).items()}


def sentences(pattern: Pattern) -> Iterator[str]:
    """All that a message may say: one sentence for each of its cases, with its facts in braces."""
    said = [""]
    for part in pattern:
        if isinstance(part, str):
            these = [part]
        elif "pick" in part:
            these = [sentence for case in (*part["when"].values(), part["else"]) for sentence in sentences(case)]
        else:
            these = [f"{{{part.get('fact') or part['say']}}}"]
        said = [before + sentence for before in said for sentence in these]
    yield from said


def sources() -> Mapping[str, str]:
    """Where each message of the Shimaore files is from."""
    folder = files("device.words") / "shi"
    found: dict[str, str] = {}
    for file in folder.iterdir():
        found |= {name: source for source, name in _SOURCED.findall(file.read_text(encoding="utf-8"))}
    return found


def _shimaore() -> None:
    """Every message as who speaks Shimaore gets it: a ? before what nobody has given us yet."""
    told, known, lines = sources(), 0, 0
    for name, pattern in every_message("shi").items():
        words = [
            sentence
            for sentence in sentences(pattern)
            if not NOTHING_TO_SAY.fullmatch(re.sub(r"{[^}]*}", "", sentence))
        ]
        lines += bool(words)
        known += name in told
        for word in words:
            print(f"{' ' if name in told else '?'} {name:32} {word}")
    print(f"{known} of {lines} messages have a source ({100 * known / lines:.0f} %)")


def main() -> None:
    """Prints them."""
    if "shi" in sys.argv[1:]:
        _shimaore()
        return
    all_of = {language: every_message(language) for language in LANGUAGES}
    for name in all_of["fr"]:
        print(name)
        for language in LANGUAGES:
            for sentence in sentences(all_of[language][name]):
                print(f"  {language:3} {sentence}")


if __name__ == "__main__":
    main()
