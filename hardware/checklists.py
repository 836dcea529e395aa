"""A checklist to print for each build, in both languages: a box for each step of its page, and what is there when it is
right. Made from the pages, so that it says what they say."""

import re
import textwrap
from html import escape

from hardware import french, guide, parts, told
from hardware.printables import A4, LINE, rect, sheet, text

TITLES = {
    "laptop": "Builder's checklist: build 0",
    "minimal": "Builder's checklist: minimal build",
    "standard": "Builder's checklist: standard build",
    "tournament": "Builder's checklist: tournament build",
}
HOW = "Tick a step when what stands below it is true."
BESIDE = {"tournament": ("Print the checklist of the standard build too: every step of it is done.",)}
"""What a build's sheet says of another that belongs to it."""
LEFT, BOX, WIDE = 14.0, 4.2, 104
"""Millimetres to the boxes, their side, and letters a line."""


def plain(words: str) -> str:
    """Words of a page without its marks."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return escape(re.sub(r"[`*]", "", words).replace("\n", " "), quote=False)


def checklist(name: str) -> str:
    """The sheet of a page: "minimal", "minimal.fr"."""
    build, _, language = name.partition(".")
    missing: list[str] = []
    head = [TITLES[build], HOW, *BESIDE.get(build, ())]
    title, *hows = (french.say(words, missing) if language else words for words in head)
    content = [text(LEFT, 16, 6, title), *(text(LEFT, 22 + 3.7 * n, 3, how) for n, how in enumerate(hows))]
    y = 31.0
    for step, body in told.steps(guide.paths()[name].read_text(encoding="utf-8")):
        right = told.RIGHT.search(body)
        if right is None:
            continue
        content.append(rect(LEFT, y - 3.4, BOX, BOX, LINE))
        content.append(text(LEFT + 7, y, 3.4, plain(step)))
        for line in textwrap.wrap(plain(right[0]), WIDE):
            y += 3.7
            content.append(text(LEFT + 7, y, 3, line))
        y += 6.1
    return sheet(*A4, content, title)


def sheets() -> dict[str, str]:
    """Every checklist, by file name."""
    return {f"checklist_{build}{tail}": checklist(f"{build}{tail}") for build in parts.BUILDS for tail in ("", ".fr")}
