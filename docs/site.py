"""A hook of mkdocs: pages that live beside what they are about (the guide, the panel, the networks) join the site,
and links to source files become plain words."""

import logging
import posixpath
import re
import subprocess
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]

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


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """Turns links to files that are not on the site into words."""
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
