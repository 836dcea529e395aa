"""The tables of house rules and of settings, written from the program into the pages: python docs/tables.py"""

import dataclasses
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))

from device import words  # noqa: E402
from device.keeping.settings import Settings, output_keys  # noqa: E402
from engine.games import GAMES  # noqa: E402

HEADS = {
    "en": ("| rule | values, the first is the default | what it decides |", "| setting | default | |", "to"),
    "fr": (
        "| règle | valeurs, la première vaut sans réglage | ce qu’elle décide |",
        "| réglage | sans réglage | |",
        "à",
    ),
}
"""Of the tables, by language, and the word between two numbers."""
UNDER, HOUSES = (
    {"en": "under [outputs]", "fr": "sous [outputs]"},
    {"en": "house rules, by game: [options.turufu]", "fr": "les règles de la maison, par jeu : [options.turufu]"},
)


def house_rules(language: str) -> str:
    """Every game with what a house may decide."""
    lines = []
    for kind in GAMES.values():
        lines += [
            f"## {kind.name}",
            "",
            HEADS[language][0],
            "|---|---|---|",
        ]
        for option in kind.options:
            values = [str(value).lower() if isinstance(value, bool) else str(value) for value in option.values]
            numbers = [value for value in option.values if isinstance(value, int) and not isinstance(value, bool)]
            if len(values) > 8 and numbers:
                values = [values[0], f"{min(numbers)} {HEADS[language][2]} {max(numbers)}"]
            lines.append(
                f"| `{option.name}` | {', '.join(values)} | {words.option_about(option.name, language, kind.name)} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip()


def settings(language: str) -> str:
    """Every setting, as `hisabu setup` asks for it."""
    lines = [HEADS[language][1], "|---|---|---|"]
    defaults = Settings()
    for field in dataclasses.fields(Settings):
        if field.name == "outputs":
            for name in output_keys():
                lines.append(f'| `{name}` | `""` | {UNDER[language]}: {words.say(language, f"help-key_{name}")} |')
            continue
        if "key" not in field.metadata:
            lines.append(f"| `{field.name}` | | {HOUSES[language]} |")
            continue
        key = field.metadata["key"]
        default = json.dumps(key.kind.written(getattr(defaults, field.name)))
        about = words.say(language, f"help-key_{field.name}").replace("|", "\\|")
        lines.append(f"| `{field.name}` | `{default}` | {about} |")
    return "\n".join(lines)


TABLES = {
    "house-rules.md": ("house rules", house_rules, "en"),
    "house-rules.fr.md": ("house rules", house_rules, "fr"),
    "commands.md": ("settings", settings, "en"),
    "commands.fr.md": ("settings", settings, "fr"),
}


def filled(page: str) -> str:
    """A page with its table as the program has it now, between its two marks."""
    mark, table, language = TABLES[page]
    text = (HERE / page).read_text(encoding="utf-8")
    begin, end = f"<!-- {mark}: python docs/tables.py -->\n", f"\n<!-- end of {mark} -->"
    found = re.search(f"{re.escape(begin)}.*?{re.escape(end)}", text, re.DOTALL)
    assert found is not None, f"{page} has no marks for its table"
    return text[: found.start()] + f"{begin}\n{table(language)}\n{end}" + text[found.end() :]


if __name__ == "__main__":
    for name in TABLES:
        whole = filled(name)
        (HERE / name).write_text(whole, encoding="utf-8")
