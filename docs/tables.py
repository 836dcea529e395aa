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


def house_rules() -> str:
    """Every game with what a house may decide."""
    lines = []
    for kind in GAMES.values():
        lines += [
            f"## {kind.name}",
            "",
            "| rule | values, the first is the default | what it decides |",
            "|---|---|---|",
        ]
        for option in kind.options:
            values = [str(value).lower() if isinstance(value, bool) else str(value) for value in option.values]
            numbers = [value for value in option.values if isinstance(value, int) and not isinstance(value, bool)]
            if len(values) > 8 and numbers:
                values = [values[0], f"{min(numbers)} to {max(numbers)}"]
            lines.append(
                f"| `{option.name}` | {', '.join(values)} | {words.option_about(option.name, 'en', kind.name)} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip()


def settings() -> str:
    """Every setting, as `hisabu setup` asks for it."""
    lines = ["| setting | default | |", "|---|---|---|"]
    defaults = Settings()
    for field in dataclasses.fields(Settings):
        if field.name == "outputs":
            for name in output_keys():
                lines.append(f'| `{name}` | `""` | under [outputs]: {words.say("en", f"help-key_{name}")} |')
            continue
        if "key" not in field.metadata:
            lines.append(f"| `{field.name}` | | house rules, by game: [options.turufu] |")
            continue
        key = field.metadata["key"]
        default = json.dumps(key.kind.written(getattr(defaults, field.name)))
        about = words.say("en", f"help-key_{field.name}").replace("|", "\\|")
        lines.append(f"| `{field.name}` | `{default}` | {about} |")
    return "\n".join(lines)


TABLES = {"house-rules.md": ("house rules", house_rules), "commands.md": ("settings", settings)}


def filled(page: str) -> str:
    """A page with its table as the program has it now, between its two marks."""
    mark, table = TABLES[page]
    text = (HERE / page).read_text(encoding="utf-8")
    begin, end = f"<!-- {mark}: python docs/tables.py -->\n", f"\n<!-- end of {mark} -->"
    found = re.search(f"{re.escape(begin)}.*?{re.escape(end)}", text, re.DOTALL)
    assert found is not None, f"{page} has no marks for its table"
    return text[: found.start()] + f"{begin}\n{table()}\n{end}" + text[found.end() :]


if __name__ == "__main__":
    for name in TABLES:
        whole = filled(name)
        (HERE / name).write_text(whole, encoding="utf-8")
