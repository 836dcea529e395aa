"""What is written for people: every link leads somewhere, every page is in the site's list, every command exists."""

import io
import json
import re
import runpy
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from device.cli import main, parser

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
WRITTEN += [ROOT / "hardware/README.md", ROOT / "firmware/README.md"]
WRITTEN += sorted((ROOT / "hardware/guide").glob("*.md"))
FRENCH = [
    path
    for path in sorted([*ROOT.glob("*.fr.md"), *(ROOT / "docs").glob("*.fr.md"), *ROOT.glob("[fhv]*/**/*.fr.md")])
    if ".venv" not in path.parts
]


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), target
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), target


def test_every_page_is_in_the_sites_list() -> None:
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f": {page.name}\n" in listed or page in FRENCH


@pytest.mark.parametrize("page", FRENCH, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_french_page_has_the_headings_of_its_original(page: Path) -> None:
    site = runpy.run_path(str(ROOT / "docs/site.py"))
    original = page.with_name(page.name.replace(".fr.md", ".md"))
    texts = [path.read_text(encoding="utf-8") for path in (original, page)]
    assert site["french_faults"](page.name, *texts) == []
    assert site["french_faults"](page.name, texts[0] + "\n## New\n", texts[1]) != []


def test_every_page_that_a_page_leads_to_is_on_the_site() -> None:
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        for target in re.findall(r"\]\((\.\./[^)#\s]+\.md)", page.read_text(encoding="utf-8")):
            name = str((page.parent / target).resolve().relative_to(ROOT))
            assert name == "README.md" or name.replace(".fr.md", ".md") in listed, f"{page.name}: {name}"


def test_a_picture_of_a_terminal_keeps_its_columns() -> None:
    # A browser draws a run of plain spaces as one.
    drawn = (ROOT / "docs/demo.svg").read_text(encoding="utf-8")
    texts = re.findall(r"<text[^>]*>([^<]*)<", drawn)
    assert texts and not any(" " in text for text in texts)


def test_every_command_that_is_written_of_exists() -> None:
    known = next(action.choices for action in parser()._actions if action.dest == "command")
    for page in WRITTEN:
        text = page.read_text(encoding="utf-8")
        commands = re.findall(r"(?:^    (?:sudo )?(?:\./)?|`(?:sudo )?(?:\./)?)hisabu ([a-z]+)", text, re.MULTILINE)
        assert set(commands) - {"test"} <= set(known or ()), page


@pytest.mark.parametrize("page", ["house-rules.md", "commands.md", "house-rules.fr.md", "commands.fr.md"])
def test_the_tables_of_house_rules_and_settings_are_the_programs_own(page: str) -> None:
    filled = runpy.run_path(str(ROOT / "docs/tables.py"))["filled"]
    written = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert written == filled(page), "python docs/tables.py writes them anew"
    assert written.count("\n| `") > 20


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str, str], str]:
    """What a command prints of what it is given, without empty lines."""

    def run(command: str, given: str) -> str:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8"))
        assert main(command.split()) == 0
        return re.sub(r"\n+", "\n", capsys.readouterr().out)

    return run


def blocks_of(page: str) -> list[str]:
    """What is code on a page, each block by itself."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)]


@pytest.mark.parametrize("page", ["commands.md", "commands.fr.md"])
def test_an_example_prints_what_stands_below_it(page: str, ran: Callable[[str, str], str]) -> None:
    example = re.compile(
        r"\$ hisabu (?P<command>.*) <<'(?P<end>\w+)'\n(?P<given>.*?)^(?P=end)\n(?P<said>.*)", re.M | re.S
    )
    found = [match for block in blocks_of(page) if (match := example.fullmatch(block))]
    assert [match["command"].split()[0] for match in found] == ["referee", "moves"]
    for match in found:
        assert ran(match["command"], match["given"]) == match["said"]


@pytest.mark.parametrize("page", ["commands.md", "commands.fr.md"])
def test_a_position_is_read_as_the_page_writes_it(page: str, ran: Callable[[str, str], str]) -> None:
    position = json.loads(next(block for block in blocks_of(page) if block.startswith("{")))
    assert "F6+" in ran("moves mraha --json", json.dumps(position))
    blocked = re.findall(r'`("blocked": {.*?})`', (ROOT / "docs" / page).read_text(encoding="utf-8"))
    for player in ("south", "north"):
        position[player] |= {"reserve": 0, "front": [4] * 8, "back": [0] * 8}
    assert "F4+" in ran("moves mraha --json", json.dumps(position))
    assert "F4+" not in ran("moves mraha --json", json.dumps(position | json.loads(f"{{{blocked[0]}}}")))


@pytest.mark.parametrize(
    ("guide", "source"),
    [("add-a-game.md", "engine/rules/sueca.py"), ("add-an-output.md", "device/outputs/score_file.py")],
)
def test_what_a_guide_adds_is_what_there_is(guide: str, source: str) -> None:
    lines = (ROOT / source).read_text(encoding="utf-8").splitlines()
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    pieces = [line for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert len(pieces) > 20
    assert [line for line in pieces if line not in lines] == []
