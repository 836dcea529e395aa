"""The French of what is made from data: tables, drawings, sheets. Sentences stand in french.csv, numbers as #."""

import csv
import re
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("french.csv")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
LINK = re.compile(r"\]\((https?://[^)]*)\)")
SVG_TEXT = re.compile(r"(<text\b[^>]*>)([^<]*)(</text>)")
CELLS = re.compile(r"(\||<br>|\*\*)")
"""What a line of a table is split at; bold words are a piece of their own."""
WORDS = re.compile(r"[A-Za-z]{2,}")


class Untranslated(ValueError):
    """Sentences that french.csv has no French for."""

    def __init__(self, missing: list[str]) -> None:
        self.missing = missing
        super().__init__("french.csv has no French for: " + " / ".join(missing))


@cache
def sentences() -> dict[str, str]:
    """English to French; where the French is empty, it is the same."""
    with SOURCE.open(encoding="utf-8", newline="") as file:
        return {row["en"]: row["fr"] or row["en"] for row in csv.DictReader(file)}


def say(words: str, missing: list[str]) -> str:
    """One cell or line in French; what is not known is noted and stays."""
    plain = words.strip()
    if words == "<br>":
        return words
    if not WORDS.search(re.sub(r"`[^`]*`", "", LINK.sub("](@)", plain))):
        return _commas(words) if plain[:1] != "`" else words
    addresses = LINK.findall(plain)
    bare = LINK.sub("](@)", plain)
    kept = bare if bare in sentences() else None
    numbers = NUMBER.findall(bare)
    pattern = bare if kept else NUMBER.sub("#", bare)
    if pattern not in sentences():
        missing.append(pattern)
        return words
    french = sentences()[pattern]
    if not kept:
        for number in numbers:
            french = french.replace("#", _commas(number), 1)
    for address in addresses:
        french = french.replace("](@)", f"]({address})", 1)
    return words.replace(plain, french)


def _commas(words: str) -> str:
    """Decimal points as French has them; thousands with a thin gap."""
    words = re.sub(r"(?<=\d),(?=\d{3}\b)", "\u202f", words)
    return re.sub(r"(?<=\d)\.(?=\d)", ",", words)


def table(text: str) -> str:
    """A table of Markdown, cell by cell."""
    missing: list[str] = []
    lines = [
        line if set(line) <= set("|-: ") else "".join(say(part, missing) for part in CELLS.split(line))
        for line in text.split("\n")
    ]
    if missing:
        raise Untranslated(missing)
    return re.sub(r"\]\(guide/(\w+)\.md\)", r"](guide/\1.fr.md)", "\n".join(lines))


def drawing(text: str) -> str:
    """An SVG, text by text."""
    missing: list[str] = []
    done = SVG_TEXT.sub(lambda found: found[1] + say(found[2], missing) + found[3], text)
    if missing:
        raise Untranslated(missing)
    return done


def labels(source: Any) -> Any:
    """A wiring diagram's source: its sentences and names in French; signals and pins stay as boards have them."""
    if isinstance(source, dict):
        return {key: labels(value) for key, value in source.items()}
    if isinstance(source, list):
        return [labels(value) for value in source]
    return say(source, []) if isinstance(source, str) else source
