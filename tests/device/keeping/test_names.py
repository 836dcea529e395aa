"""Who played stands beside the journal, never in it, and goes when a player wishes it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from device import cli
from device.following.recording import Recorder
from device.keeping.journal import MatchRecord, kept, recover_file, resume
from device.keeping.names import folder_id, forget, names_file, read_names, table_name
from device.keeping.settings import Settings, load, save
from engine.events import Deal, Play
from engine.match import Match

NAMES = ("Zaïna", "Ali", "Fatima", "Saïd")


def played(folder: Path, finished: bool = True) -> Path:
    record = MatchRecord.begin(folder, Match("turufu", 4, seats=NAMES))
    record.add(Deal("7H", 3))
    assert record.finish() if finished else record.close()
    assert record.path is not None
    return record.path


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Path]:
    """A journal as they were: with the names in its first line."""
    import zlib

    path = played(tmp_path)
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    body = json.dumps({**json.loads(first), "seats": list(NAMES), "crc": None}, ensure_ascii=False)
    body = body.replace(', "crc": null', "")
    path.write_text(f'{body[:-1]},"crc":"{zlib.crc32(body.encode()):08x}"}}\n{rest}', encoding="utf-8")
    names_file(path).unlink()
    yield path


def test_a_match_is_kept_with_its_names_beside_it_and_goes_on_with_them(tmp_path: Path) -> None:
    path = played(tmp_path, finished=False)
    assert "Ali" not in path.read_text(encoding="utf-8")
    assert read_names(path) == NAMES
    record = resume(tmp_path).record
    assert record is not None and record.header.seats == NAMES
    record.finish()
    assert read_names(kept(tmp_path)[0].path) == NAMES, "found as well once the match is closed"


@pytest.mark.parametrize("odd", ["", "[" * 9000, '{"seats": 3}', '{"names": []}'])
def test_names_that_cannot_be_read_cost_no_match(tmp_path: Path, odd: str) -> None:
    path = played(tmp_path, finished=False)
    names_file(path).write_text(odd)
    record = resume(tmp_path).record
    assert record is not None and record.header.seats == () and len(record.match.log) == 1
    record.close()


def test_a_player_is_forgotten_everywhere_and_the_match_stays_as_it_was(tmp_path: Path, old: Path) -> None:
    folder = tmp_path / "recordings"
    Recorder(folder / "one", Match("turufu", 4, seats=NAMES), {}).close()
    new = played(tmp_path)
    before = new.read_bytes()
    found = forget(" zaïna ", tmp_path, folder)
    assert not found.failed and len(found.files) == 3
    texts = "".join(
        path.read_text(encoding="utf-8", errors="replace") for path in tmp_path.rglob("*") if path.is_file()
    )
    assert "Zaïna" not in texts and "Fatima" in texts
    assert new.read_bytes() == before, "the sealed journal is untouched"
    for path in (old, new):
        again = recover_file(path)
        assert again is not None and again.damaged is None
        assert again.match.header.seats == ("#1", *NAMES[1:]) and len(again.entries) == 1
    assert forget("Zaïna", tmp_path, folder).files == ()


def test_an_older_match_that_goes_on_is_not_taken_from_under_the_device(tmp_path: Path, old: Path) -> None:
    path = old.rename(old.with_name(old.name.replace(".jsonl", ".open.jsonl")))
    record = resume(tmp_path).record
    assert record is not None
    record.add(Play("AH", 0))
    assert forget("Ali", tmp_path).failed == (path,)
    record.close()
    assert forget("Ali", tmp_path).failed == ()


def test_forgetting_is_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings, before = tmp_path / "settings.toml", tmp_path / "settings.toml.before"
    for file in (settings, before):
        save(file, Settings(matches=str(tmp_path / "matches"), seats=("Ali", "Zaïna")))
    played(tmp_path / "matches")
    cut_off = tmp_path / ".settings.toml.77.new", tmp_path / "matches/.match-0001.names.json.77.new"
    for file in cut_off:  # What a power cut left of a file that was being written.
        file.write_text('seats = ["Ali"')
    assert cli.main(["matches", "forget", "Ali", "--settings", str(settings), "--lang", "en"]) == 0
    assert not any(file.exists() for file in cut_off)
    said = capsys.readouterr().out
    assert "Files changed: 1." in said
    assert re.search(r"^   1  \d{4}-\d\d-\d\d [\d:]{5}  Turufu, 4 players$", said, re.M) and ".json" not in said
    assert cli.main(["matches", "export", "1", "-", "--text", "--settings", str(settings), "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert "player 2, " in told and "#" not in told
    assert load(settings).seats == load(before).seats == ("#1", "Zaïna")


@pytest.mark.parametrize(
    ("name", "lang", "told"),
    [
        ("Zz", "en", 'Nobody is called "Zz" here.'),
        ("zaina", "en", 'Nobody is called "zaina" here. Did you mean Zaïna?'),
        ("zaina", "fr", "Personne ne s'appelle « zaina » ici. Vouliez-vous dire Zaïna ?"),
        ("", "en", 'Nobody is called "" here.'),
    ],
)
def test_a_name_that_nobody_has_is_not_said_to_be_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, lang: str, told: str
) -> None:
    settings = tmp_path / "settings.toml"
    save(settings, Settings(matches=str(tmp_path / "matches"), seats=("Ali",)))
    played(tmp_path / "matches")
    assert cli.main(["matches", "forget", name, "--settings", str(settings), "--lang", lang]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.rstrip().endswith(told)


def test_tables_that_nobody_named_have_names_of_their_own(tmp_path: Path) -> None:
    first, second = (table_name("", tmp_path / card) for card in ("one", "two"))
    assert first != second and first == table_name("", tmp_path / "one")
    assert table_name("mamoudzou-1", tmp_path / "one") == "mamoudzou-1"


def test_each_store_of_matches_has_a_name_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    kept = folder_id(first)
    assert kept != folder_id(second) and kept == folder_id(first)
    (second / "folder-id").write_text("../../x\n")
    assert folder_id(second) not in ("../../x", kept)
