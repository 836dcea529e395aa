"""`hisabu matches score`: the score of the match that goes on, set right by hand; what a killed device keeps of it."""

import os
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest

from device.cli import main
from device.keeping.alone import alone_in
from device.keeping.journal import MatchRecord, resume
from engine.events import SetScore
from engine.match import Match
from engine.view import View
from tests.engine.table import deal, play


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    record = MatchRecord.begin(tmp_path / "matches", Match("turufu", 4))
    for event in (deal(3, "3S"), play("AH", 0)):
        record.add(event)
    record.close()
    yield tmp_path / "matches"


def resumed(folder: Path) -> View:
    record = resume(folder).record
    assert record is not None
    view = record.match.view
    record.close()
    return view


def said(folder: Path, *points: str) -> int:
    return main(["matches", "score", *points, "--folder", str(folder), "--lang", "en"])


def test_the_score_of_the_match_that_goes_on_is_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(folder, "3", "1", "--reason", "we counted") == 0
    assert capsys.readouterr().out == "Score set by hand: 3–1 (we counted).\n"
    view = resumed(folder)
    assert view.games == (3, 1) and len(view.trick or ()) == 1


@pytest.mark.parametrize(
    ("points", "why"),
    [
        (("3",), "give a whole number for each side"),
        (("3", "1", "2"), "give a number for each side; there are 2"),
        (("-1", "2"), "in this game no score is below 0"),
    ],
)
def test_a_score_that_cannot_be_is_told_and_changes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], points: tuple[str, ...], why: str
) -> None:
    assert said(folder, *points) == 2
    assert why in capsys.readouterr().err
    assert resumed(folder).games == (0, 0)


def test_below_0_is_a_score_where_a_revoke_costs_a_point(tmp_path: Path) -> None:
    record = MatchRecord.begin(tmp_path, Match("triomphe", 2, {"penalty": "negative"}))
    record.add(deal(1, "3S"))
    record.close()
    assert said(tmp_path, "-1", "2") == 0
    assert resumed(tmp_path).games == (-1, 2)


def test_where_a_device_follows_the_table_its_menu_sets_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with alone_in(folder):
        assert said(folder, "3", "1") == 2
    assert "menu or on its page" in capsys.readouterr().err


def test_where_no_match_goes_on_there_is_none_to_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(tmp_path, "3", "1") == 2
    assert capsys.readouterr().err == "hisabu: No match goes on here.\n"


def _set_and_die(folder: Path) -> None:
    record = resume(folder).record
    assert record is not None
    record.add(SetScore((2, 3), "counted"), "button")
    os._exit(9)


def test_a_device_that_is_killed_keeps_the_score_that_was_set(folder: Path) -> None:
    child = get_context("spawn").Process(target=_set_and_die, args=(folder,))
    child.start()
    child.join()
    assert child.exitcode == 9
    assert resumed(folder).games == (2, 3)
