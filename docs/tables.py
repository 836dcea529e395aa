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
from engine.options import Option, OptionValue  # noqa: E402

HEADS = {
    "en": ("| rule | values, the first is the default | what it decides |", "| setting | default | |", "to"),
    "fr": (
        "| règle | valeurs, la première est celle par défaut | ce qu’elle décide |",
        "| réglage | sans réglage | |",
        "à",
    ),
}
"""Of the tables, by language, and the word between two numbers."""
APOSTROPHES = {"en": "'", "fr": "’"}
"""As the pages write them; messages have the one of a keyboard."""
UNDER, HOUSES = (
    {"en": "under [outputs]", "fr": "sous [outputs]"},
    {"en": "house rules, by game: [options.turufu]", "fr": "les règles de la maison, par jeu : [options.turufu]"},
)


def typeset(text: str, language: str) -> str:
    """A message as the pages write it: what is code in it stays."""
    parts = text.split("`")
    return "`".join(part if odd % 2 else part.replace("'", APOSTROPHES[language]) for odd, part in enumerate(parts))


def house_rules(language: str) -> str:
    """Every game with what a house may decide."""
    lines = []
    for kind in GAMES.values():
        lines += [
            f"## {typeset(words.game_name(kind.name, language), language)} (`{kind.name}`)",
            "",
            HEADS[language][0],
            "|---|---|---|",
        ]
        for option in kind.options:
            values = [written(option, value, language, kind.name) for value in option.values]
            numbers = [value for value in option.values if isinstance(value, int) and not isinstance(value, bool)]
            if len(values) > 8 and numbers:
                values = [values[0], f"`{min(numbers)}` {HEADS[language][2]} `{max(numbers)}`"]
            about = typeset(words.option_about(option.name, language, kind.name), language)
            lines.append(f"| `{option.name}` | {', '.join(values)} | {about} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def written(option: Option, value: OptionValue, language: str, game: str) -> str:
    """A value as it is typed, and what the device calls it where that is another word."""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    called = typeset(words.value_name(option.name, value, language, game), language)
    return f"`{value}`" if str(value).startswith(called.rstrip(".")) else f"`{value}` ({called})"


def key_about(name: str, language: str) -> str:
    """What a setting is for, in one cell."""
    return typeset(words.say(language, f"help-key_{name}").replace("|", "\\|"), language)


def settings(language: str) -> str:
    """Every setting, as `hisabu setup` asks for it."""
    lines = [HEADS[language][1], "|---|---|---|"]
    defaults = Settings()
    for field in dataclasses.fields(Settings):
        if field.name == "outputs":
            for name in output_keys():
                lines.append(f'| `{name}` | `""` | {UNDER[language]}: {key_about(name, language)} |')
            continue
        if "key" not in field.metadata:
            lines.append(f"| `{field.name}` | | {HOUSES[language]} |")
            continue
        key = field.metadata["key"]
        default = json.dumps(key.kind.written(getattr(defaults, field.name)))
        lines.append(f"| `{field.name}` | `{default}` | {key_about(field.name, language)} |")
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
