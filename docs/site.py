"""A hook of mkdocs: pages that live beside what they are about (the guide, the panel, the networks) join the site,
links to source files become plain words, and the French site takes NAME.fr.md, which lies beside NAME.md, for NAME.md.

French is a build of its own (mkdocs.fr.yml) into the folder fr/ of the same site, in mkdocs-material's own language. A
plugin would do for docs/ only, and half of the pages live elsewhere."""

import logging
import posixpath
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.structure.files import Files

ROOT = Path(__file__).resolve().parents[1]

GUIDE = ("laptop", "minimal", "standard", "tournament", "cameras", "safety", "figures")
PAGES = (
    "hardware/README.md",
    *(f"hardware/guide/{name}.md" for name in GUIDE),
    "hardware/LICENSE.md",
    "firmware/README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)
MODELS = (
    "vision/models/cards.md",
    "vision/models/board_counter.md",
    "vision/models/board_counter_varied.md",
    "vision/models/board_finder.md",
)
TAKEN = re.compile(
    r"hardware/(pictures|pictures/steps|wiring|printables|orders)/[^/]+\.(png|svg|csv)"
    r"|hardware/(parts\.csv|CERN-OHL-S-2\.0\.txt)"
)
"""Files that the guide shows or hands out."""
LOG = logging.getLogger("mkdocs.hooks.site")
"""What is warned of here fails a strict build."""
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
FENCED = re.compile(r"(```.*?```)", re.DOTALL)
NOT_YET = "!!! note\n    Cette page n’existe pas encore en français.\n\n"
LANGUAGES = {"en": ("English", "fr/"), "fr": ("Français", "../")}
"""Their names, and where the site of the other one lies."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def tracked() -> list[str]:
    """The files that the site may take from the repository."""
    listed = subprocess.run(["git", "ls-files", "hardware"], cwd=ROOT, capture_output=True, text=True, check=False)
    return listed.stdout.split() or [str(p.relative_to(ROOT)) for p in (ROOT / "hardware").rglob("*") if p.is_file()]


def on_config(config: Any) -> Any:
    """The list of pages is written once, in mkdocs.yml; mkdocs.fr.yml has the French titles."""
    titles = config.extra.get("titles", {})

    def named(entries: Any) -> Any:
        if isinstance(entries, list):
            return [named(entry) for entry in entries]
        if isinstance(entries, dict):
            return {titles.get(title, title): named(below) for title, below in entries.items()}
        return entries

    config.nav = named(config.nav)
    return config


def headings(markdown: str) -> list[tuple[int, str]]:
    """Level and anchor of each heading, in order."""
    prose = FENCED.sub("", markdown)
    return [
        (len(marks), re.sub(r"[^\w -]", "", words).strip().lower().replace(" ", "-"))
        for marks, words in HEADING.findall(prose)
    ]


def french_faults(name: str, english: str, french: str) -> list[str]:
    """A translation has the headings of its original, level by level: else a change was not carried over."""
    levels, theirs = ([level for level, _ in headings(text)] for text in (english, french))
    return [] if levels == theirs else [f"{name}: the French page has other headings: {len(theirs)}, not {len(levels)}"]


def in_french(name: str, source: Path) -> str:
    """The French page, which answers to the English anchors too; the English one with a note where there is none."""
    english = source.read_text(encoding="utf-8")
    translation = source.with_suffix(".fr.md")
    if not translation.exists():
        return NOT_YET + english
    french = translation.read_text(encoding="utf-8")
    for why in french_faults(name, english, french):
        LOG.warning(why)
    anchors = iter(headings(english))

    def anchored(found: re.Match[str]) -> str:
        _, anchor = next(anchors, (0, ""))
        return f'<a id="{anchor}"></a>\n\n{found[0]}' if anchor not in own else found[0]

    own = {anchor for _, anchor in headings(french)}
    return "".join(
        part if part.startswith("```") else HEADING.sub(anchored, part) for part in FENCED.split(french)
    ).lstrip()


def on_files(files: "Files", config: Any) -> "Files":
    """Adds what lies outside docs/, and puts French pages in the place of English ones."""
    from mkdocs.structure.files import File  # Whoever only runs the tests needs none of it.

    french = config.theme["language"] == "fr"
    sources = {name: ROOT / name for name in (*PAGES, *MODELS) if (ROOT / name).exists()}
    if french:
        sources |= {file.src_uri: ROOT / "docs" / file.src_uri for file in files.documentation_pages()}
    for name, source in sources.items():
        old = files.get_file_from_path(name)
        if old is not None:
            files.remove(old)
        text = in_french(name, source) if french else source.read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text))
    for name in tracked():
        if TAKEN.fullmatch(name):
            files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def on_page_context(context: Any, page: Any, config: Any, **_: Any) -> Any:
    """Each page leads to itself in the other language."""
    mine = config.theme["language"]
    config.extra["alternate"] = [
        {"name": name, "lang": language, "link": page.url if language == mine else LANGUAGES[mine][1] + page.url}
        for language, (name, _) in LANGUAGES.items()
    ]
    return context


def on_page_markdown(markdown: str, page: Any, files: "Files", **_: Any) -> str:
    """Turns links to files that are not on the site into words."""
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
        if whole.endswith(".fr.md"):
            if page.file.src_uri == whole.replace(".fr.md", ".md").removeprefix("docs/"):
                return words
            whole = whole.replace(".fr.md", ".md")
        whole = home.get(whole, whole)
        if files.get_file_from_path(whole) is None:
            if whole.endswith(".md"):
                LOG.warning("%s: %s is a page, and not on the site", page.file.src_uri, whole)
            return words
        relative = posixpath.relpath(whole, on_site or ".") + (f"#{anchor}" if anchor else "")
        return f"{picture}[{words}]({relative})"

    return "".join(part if part.startswith("```") else LINK.sub(there, part) for part in FENCED.split(markdown))
