"""Every sentence in every language, in a row to be read: `python -m device.words`; and which lines of the Shimaore
file have a source: `python -m device.words shi`."""

import re
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from device.words import LANGUAGES, table

_LINE = re.compile(r'^(\w+) = "(.*)"  # (.+)$')
NO_SOURCE, NOTHING_TO_SAY = "fr", "="


def sentences(words: Mapping[str, Any], part: str = "") -> Iterator[tuple[str, str]]:
    """Every sentence of a language and its name."""
    for name, value in words.items():
        if isinstance(value, Mapping):
            yield from sentences(value, f"{part}{name}.")
        else:
            yield part + name, str(value)


def sources() -> dict[str, str]:
    """What stands behind each line of the Shimaore file: where it is from."""
    found, part = {}, ""
    for line in files("device.words").joinpath("shi.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            part = line.strip("[]") + "."
        elif said := _LINE.match(line):
            found[part + said[1]] = said[3]
    return found


def main() -> None:
    """Prints them."""
    if "shi" in sys.argv[1:]:
        told = sources()
        for name, source in told.items():
            if source != NOTHING_TO_SAY:
                print(f"{'?' if source == NO_SOURCE else ' '} {name:32} {dict(sentences(table('shi')))[name]}")
        to_say = [one for one in told.values() if one != NOTHING_TO_SAY]
        known = sum(one != NO_SOURCE for one in to_say)
        print(f"{known} of {len(to_say)} lines have a source ({100 * known / len(to_say):.0f} %)")
        return
    tables = {language: dict(sentences(table(language))) for language in LANGUAGES}
    for name in tables["fr"]:
        print(name)
        for language in LANGUAGES:
            print(f"  {language:3} {tables[language][name]}")


if __name__ == "__main__":
    main()
