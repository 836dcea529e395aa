"""A hook of mkdocs: pages that live beside what they are about (the guide, the panel, the networks) join the site,
tables of house rules and settings are made from the program, and links to source files become plain words."""

import dataclasses
import logging
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

PAGES = ("hardware/README.md", "hardware/LICENSE.md", "firmware/README.md", "CONTRIBUTING.md", "CHANGELOG.md")
MODELS = (
    "vision/models/cards.md",
    "vision/models/board_counter.md",
    "vision/models/board_counter_varied.md",
    "vision/models/board_finder.md",
)
TAKEN = re.compile(
    r"hardware/(pictures|wiring|printables|orders)/[^/]+\.(png|svg|csv)|hardware/(parts\.csv|CERN-OHL-S-2\.0\.txt)"
)
"""Files that the guide shows or hands out."""
LOG = logging.getLogger("mkdocs.hooks.site")
"""What is warned of here fails a strict build."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def tracked() -> list[str]:
    """The files that the site may take from the repository."""
    listed = subprocess.run(["git", "ls-files", "hardware"], cwd=ROOT, capture_output=True, text=True, check=False)
    return listed.stdout.split() or [str(p.relative_to(ROOT)) for p in (ROOT / "hardware").rglob("*") if p.is_file()]


def on_files(files: Files, config: Any) -> Files:
    """Adds what lies outside docs/."""
    for name in (*PAGES, *MODELS):
        if (ROOT / name).exists():
            files.append(File.generated(config, name, content=(ROOT / name).read_text(encoding="utf-8")))
    for name in tracked():
        if TAKEN.fullmatch(name):
            files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def options_table() -> str:
    """Every game with what a house may decide."""
    from engine.games import GAMES

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
            lines.append(f"| `{option.name}` | {', '.join(values)} | {option.about} |")
        lines.append("")
    return "\n".join(lines)


def settings_table() -> str:
    """Every setting, as `hisabu setup` asks for it."""
    from device.keeping.settings import Settings

    lines = ["| setting | default | |", "|---|---|---|"]
    defaults = Settings()
    for field in dataclasses.fields(Settings):
        default = getattr(defaults, field.name)
        about = field.metadata["key"].about.replace("|", "\\|") if "key" in field.metadata else "house rules, by game"
        lines.append(f"| `{field.name}` | `{default}` | {about} |")
    return "\n".join(lines)


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """Fills the tables in, and turns links to files that are not on the site into words."""
    markdown = markdown.replace("<!-- house rules -->", options_table() if "<!-- house rules -->" in markdown else "")
    if "<!-- settings -->" in markdown:
        markdown = markdown.replace("<!-- settings -->", settings_table())
    if "<!-- adding a game -->" in markdown:
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        section = re.search(r"^## Adding a game\n(.*?)(?=^Commits |^## |\Z)", text, re.MULTILINE | re.DOTALL)
        assert section is not None
        markdown = markdown.replace("<!-- adding a game -->", section[1].strip())
    outside = page.file.src_uri in {*PAGES, *MODELS}
    here = posixpath.dirname(page.file.src_uri if outside else f"docs/{page.file.src_uri}")
    on_site = posixpath.dirname(page.file.src_uri)
    home = {"README.md": "index.md"}

    def there(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return found[0]
        path, _, anchor = target.partition("#")
        whole = posixpath.normpath(posixpath.join(here, path)).removeprefix("docs/")
        whole = home.get(whole, whole)
        if files.get_file_from_path(whole) is None:
            if whole.endswith(".md"):
                LOG.warning("%s: %s is a page, and not on the site", page.file.src_uri, whole)
            return words
        relative = posixpath.relpath(whole, on_site or ".") + (f"#{anchor}" if anchor else "")
        return f"{picture}[{words}]({relative})"

    parts = re.split(r"(```.*?```)", markdown, flags=re.DOTALL)
    return "".join(part if part.startswith("```") else LINK.sub(there, part) for part in parts)
