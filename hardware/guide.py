"""The guide's pages in both languages, and the tables in them: made from data, put between markers, compared by a
test."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

from hardware import decks, diagrams, french, light, meter, optics, parts, power, strength

HERE = Path(__file__).parent
README = HERE / "README.md"
GUIDE = HERE / "guide"
CHAPTERS = ("cameras", "safety", "figures")
"""Pages that are no build."""
PIS = HERE / "pis.csv"
BLOCK = re.compile(r"(<!-- table: ([\w ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def pi_table() -> str:
    """The guide's table of real Pis, from what was sent in or estimated."""
    lines = [
        "| board | from | four cards, ms | eight in two heaps, ms | sixteen, ms | a frame at rest, ms | start, s "
        "| memory, MB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with PIS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cells = [row["board"], row["from"], *list(row.values())[1:-1]]
            lines.append("| " + " | ".join(value or "—" for value in cells) + " |")
    return "\n".join(lines)


TABLES: dict[str, Callable[[], str]] = {
    "cameras": lambda: optics.camera_table(optics.load()),
    "heights": lambda: optics.height_table(optics.load()),
    "focus": lambda: optics.focus_table(optics.load()),
    "decks": decks.deck_table,
    "light": light.light_table,
    "resistors": power.resistor_table,
    "power": power.power_table,
    "currents": power.source_table,
    "strength": strength.strength_table,
    "builds": parts.builds_table,
    "substitutes": parts.substitutes_table,
    "arms": lambda: optics.arm_table(optics.load()),
    "meter minimal": meter.minimal,
    "meter standard": meter.standard,
    "meter panel": meter.panel,
    "lamps": diagrams.lamp_table,
    "seats": diagrams.seat_table,
    "cut list": parts.cut_list,
    "runs": parts.runs_table,
    "clamp": strength.clamp_table,
    "printed": parts.printed_table,
    "pis": pi_table,
    **{f"parts {build}": (lambda build=build: parts.parts_table(build)) for build in parts.BUILDS},  # type: ignore[misc]
    **{f"consumables {build}": (lambda build=build: parts.consumables_table(build)) for build in parts.BUILDS},  # type: ignore[misc]
    **{f"tools {build}": (lambda build=build: parts.tools_table(build)) for build in parts.BUILDS},  # type: ignore[misc]
    **{f"pins {build}": (lambda build=build: diagrams.pin_table(build)) for build in parts.WITH_PI},  # type: ignore[misc]
}


def paths() -> dict[str, Path]:
    """Every page: "README", "minimal", and with ".fr" the French ones."""
    found = {"README": README, **{name: GUIDE / f"{name}.md" for name in (*parts.BUILDS, *CHAPTERS)}}
    return found | {f"{name}.fr": path.with_suffix(".fr.md") for name, path in found.items()}


def pages() -> dict[str, str]:
    """What stands in them."""
    return {name: path.read_text(encoding="utf-8") for name, path in paths().items()}


def filled(text: str, name: str = "") -> str:
    """A page with every table made anew, in its language."""

    def made(found: re.Match[str]) -> str:
        table = TABLES[found[2]]()
        return f"{found[1]}{french.table(table) if name.endswith('.fr') else table}\n{found[4]}"

    return BLOCK.sub(made, text)


def tables_in(text: str) -> list[str]:
    """The names of the tables a page has."""
    return [found[1] for found in BLOCK.findall(text)]


def page_faults(texts: dict[str, str]) -> list[str]:
    """French pages that show other pictures, tables, references or commands than their originals."""
    found = []
    for name, original in texts.items():
        if name.endswith(".fr"):
            continue
        for what, pattern in SAME.items():
            mine, theirs = (re.findall(pattern, BLOCK.sub("", text)) for text in (original, texts[f"{name}.fr"]))
            if mine != theirs and sorted(mine) != sorted(theirs):
                odd = sorted(set(mine) ^ set(theirs)) or ["(another number of them)"]
                found.append(f"{name}.fr: other {what} than in English: {', '.join(odd)[:90]}")
        if tables_in(original) != tables_in(texts[f"{name}.fr"]):
            found.append(f"{name}.fr: other tables than in English")
    return found


SAME = {
    "pictures": r"!\[[^\]]*\]\(([^)]+?)(?:\.fr)?(?:\.png|\.svg)\)",
    "references": r"`([A-Z]\d{1,2})`",
    "commands": r"^((?:sudo |(?:\./)?hisabu |python |pip )[^\n#]*?) *(?:#.*)?$",
}
