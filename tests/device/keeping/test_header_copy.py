"""A journal whose first line is lost goes on from the copy beside it; a match that is deleted leaves nothing behind."""

from pathlib import Path

import pytest

from device.keeping.files import write_whole
from device.keeping.journal import DAMAGED, MatchRecord, delete, header_file, kept, recover_file, resume
from device.words import what_helps
from engine.events import Deal, Play
from engine.journal import JournalError
from engine.match import Match

NAMES = ("Zaïna", "Ali")


def played(folder: Path) -> Path:
    record = MatchRecord.begin(folder, Match("turufu", 2, seats=NAMES))
    record.add(Deal("3S", 1))
    record.add(Play("AH", 0))
    record.close()
    assert record.path is not None
    return record.path


def harmed(line: bytes, harm: str) -> bytes:
    match harm:
        case "zeros":
            return b"\0" * len(line)
        case "half":
            return line[: len(line) // 2]
        case "bit":
            return line.replace(b"turufu", b"turufo")
    return b""


@pytest.mark.parametrize("harm", ["zeros", "half", "bit", "gone"])
def test_a_lost_first_line_is_taken_from_its_copy_and_the_match_goes_on(tmp_path: Path, harm: str) -> None:
    path = played(tmp_path)
    first, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(harmed(first, harm) + b"\n" + rest)
    found = resume(tmp_path)
    assert found.record is not None and len(found.record.match.log) == 2
    assert found.record.header.seats == NAMES
    (remark,) = found.remarks
    assert remark.code == "header" and path.name in remark.sentence("en") and path.name in remark.sentence("fr")
    found.record.add(Play("KH", 1))
    assert found.record.finish()
    assert [match.path.read_bytes().startswith(first + b"\n" + rest) for match in kept(tmp_path)] == [True]
    assert len([*tmp_path.glob(f"*{DAMAGED}")]) == 1, "the file as it was is kept aside"


def test_without_the_copy_it_is_said_to_be_unreadable(tmp_path: Path) -> None:
    path = played(tmp_path)
    path.write_bytes(b"\0" + path.read_bytes())
    header_file(path).unlink()
    with pytest.raises(JournalError):
        recover_file(path)
    header_file(path).write_bytes(b"no header\n")
    with pytest.raises(JournalError):
        recover_file(path)


def test_a_match_that_is_deleted_leaves_neither_names_nor_copy(tmp_path: Path) -> None:
    path = played(tmp_path)
    assert len([*tmp_path.iterdir()]) == 3
    delete(path)
    assert not [*tmp_path.iterdir()]


def test_a_ring_of_links_of_ones_own_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError) as wrong:
        write_whole(tmp_path / "a" / "file", b"x")
    assert "round in a ring" in what_helps(wrong.value, "en") and "another user" not in what_helps(wrong.value, "en")
