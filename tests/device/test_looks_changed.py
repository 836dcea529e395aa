"""A coarser eye tells of the same evening, and nobody is accused by what it tells."""

from pathlib import Path

import pytest

from tests.sizes import some
from tools.looks_changed import CHANGES, changed_looks
from tools.looks_file import made_up, read_looks, run, write_looks

TABLES = ("triomphe-3", "pille-3", "belote-4", "turufu-2", "turufu-4")


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evenings")


def told(table: str, folder: Path) -> Path:
    """Made-up looks of a deal, written once."""
    path = folder / f"{table}.jsonl"
    if not path.exists():
        write_looks(made_up(f"{table}-made_house-10801", deals=1), path)
    return path


@pytest.mark.parametrize("change", CHANGES)
def test_a_deal_told_by_a_coarser_eye_is_the_same_deal(change: str, evenings: Path) -> None:
    path = told("pille-3", evenings)
    plain, other = read_looks(path), read_looks(changed_looks(path, change, 1, evenings))
    assert other.name == f"{plain.name}+{change}1"
    assert (other.truth, len(other.looks)) == (plain.truth, len(plain.looks))
    assert [look.at_s for look in other.looks] == [look.at_s for look in plain.looks]
    assert other.looks != plain.looks


@pytest.mark.parametrize(("table", "change"), some([(table, change) for table in TABLES for change in CHANGES], 30))
def test_nobody_is_accused_by_what_a_coarser_eye_tells(table: str, change: str, evenings: Path) -> None:
    score = run(read_looks(changed_looks(told(table, evenings), change, 2, evenings)))
    assert score.false_alerts == ()
