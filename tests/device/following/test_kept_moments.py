"""An alert's pictures stay beside the match if the house says so; they go with it, and with who is forgotten."""

import time
from pathlib import Path

from device.following.kept_moments import MOST_A_MATCH, keep, keeper_of, moment_file, read
from device.following.moments import Picture
from device.keeping.journal import MatchRecord, delete, kept
from device.keeping.names import forget, moment_files
from engine.events import Deal, Play
from engine.match import Match
from tests.device.following.test_moments import Table
from tests.engine.table import deal, play

PICTURES = [Picture("before", b"one"), Picture("card", b"two", "8C")]
SEEN = [{"what": "before", "card": None, "jpeg": "b25l"}, {"what": "card", "card": "8C", "jpeg": "dHdv"}]


def a_match(folder: Path) -> MatchRecord:
    record = MatchRecord.begin(folder, Match("turufu", 4, {}, ("Zaina", "Ali", "Moina", "Abdou")))
    record.add(deal(3, "7H"))
    record.add(play("AH", 0))
    return record


def test_pictures_lie_beside_the_match_under_its_name_when_it_is_over(tmp_path: Path) -> None:
    record = a_match(tmp_path)
    assert record.path is not None
    keep(record.path, 2, PICTURES)
    record.finish()
    (match,) = kept(tmp_path)
    assert read(match.path, 2) == SEEN and read(match.path, 1) == []
    delete(match.path)
    assert list(tmp_path.glob("match-*")) == []


def test_who_is_forgotten_takes_the_pictures_along(tmp_path: Path) -> None:
    record = a_match(tmp_path)
    other = MatchRecord.begin(tmp_path, Match("turufu", 4, {}, ("Saïd",)))
    other.add(deal(3, "7H"))
    assert record.path is not None and other.path is not None
    for journal in (record.path, other.path):
        keep(journal, 2, PICTURES)
    record.finish()
    other.finish()
    found = forget("ali", tmp_path)
    assert not found.failed and len(found.files) == 1
    left = [len(moment_files(match.path)) for match in kept(tmp_path)]
    assert left == [0, 1], "those of a match that Ali did not play stay"


def test_no_more_than_so_many_are_kept(tmp_path: Path) -> None:
    journal = tmp_path / "match-0001-2026-01-01-turufu.open.jsonl"
    for number in range(MOST_A_MATCH + 3):
        keep(journal, number, PICTURES)
    assert len(moment_files(journal)) == MOST_A_MATCH
    moment_file(journal, 0).write_text("[{]")
    assert read(journal, 0) == []


def test_they_are_kept_once_the_last_of_them_is_there(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    table = Table(over=lambda number, pictures: told.append((number, len(pictures))))
    table.wait(3.0)
    table.lay(Deal("7H", 3), Play("AH", 0), Play("8C", 1))
    assert told == []
    table.wait(3.0)
    assert [number for number, _ in told] == [3] and told[0][1] >= 8


def test_the_game_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    journal = tmp_path / "match-0001-2026-01-01-turufu.open.jsonl"
    keeper_of(lambda: None)(1, PICTURES)
    keeper_of(lambda: tmp_path / "nowhere" / "match-0001.jsonl")(1, PICTURES)  # It is logged, and no more.
    keeper_of(lambda: journal)(2, PICTURES)
    until_s = time.monotonic() + 10
    while not read(journal, 2):
        assert time.monotonic() < until_s
        time.sleep(0.02)
