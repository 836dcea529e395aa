"""`hisabu matches`: every match that is kept is listed, and can be taken along as it was written or as it was said."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from device import cli
from device.cli import main
from device.keeping.journal import MatchRecord, kept
from device.keeping.settings import Settings, save
from device.outputs.page.archive import Shelf
from engine.journal import read_journal
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match
from engine.simulate_mraha import honest_game

Hisabu = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def hisabu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hisabu:
    """`hisabu matches …` with settings that name the folder: its status, what it printed, what it complained of."""
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    save(tmp_path / "settings.toml", Settings(matches=str(tmp_path / "matches")))

    def run(*options: str) -> tuple[int, list[str], str]:
        status = cli.main(["matches", "--lang", "en", *options])
        said = capsys.readouterr()
        return status, said.out.splitlines(), said.err

    return run


def play(folder: Path, match: Match, deals: int) -> MatchRecord:
    noon = datetime(2026, 7, 6, 12, 0, 1, tzinfo=UTC)
    record = MatchRecord.begin(folder / "matches", match, clock=lambda: noon)
    judge = match.judge
    played = honest_match(judge.game, Random(1), deals) if isinstance(judge, CardJudge) else honest_game(Random(44))
    for event in played:
        record.add(event)
    return record


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four matches: ended, won, damaged, and one that goes on."""
    folder = tmp_path_factory.mktemp("four")
    play(folder, Match("turufu", 4, seats=("Zaïna", "Ali", "Fatima", "Saïd")), 3).finish()
    play(folder, Match("mraha"), 1).close()
    damaged = play(folder, Match("pille", 3), 1)
    damaged.close()
    assert damaged.path is not None
    lines = damaged.path.read_bytes().split(b"\n")
    damaged.path.write_bytes(b"\n".join([*lines[:6], b"#" + lines[6], *lines[7:]]))
    play(folder, Match("triomphe", 3), 1).close()
    return folder / "matches"


@pytest.fixture
def played(four: Path, tmp_path: Path) -> None:
    shutil.copytree(four, tmp_path / "matches", copy_function=shutil.copy2)


@pytest.mark.usefixtures("played")
def test_they_are_listed_with_date_game_score_and_how_they_stand(tmp_path: Path, hisabu: Hisabu) -> None:
    status, listed, complaints = hisabu()
    assert (status, complaints) == (0, "")
    assert listed == [
        "   1  2026-07-06 12:00  Turufu, 4 players          1–2    ended",
        "   2  2026-07-06 12:00  Mraha wa tso, 2 players           North wins.",
        "   3  2026-07-06 12:00  L'As qui pille, 3 players  0–0–0  damaged after event 5",
        "   4  2026-07-06 12:00  Triomphe, 3 players        0–1–0  in progress",
    ]


@pytest.mark.usefixtures("played")
def test_as_json(tmp_path: Path, hisabu: Hisabu) -> None:
    rows = [json.loads(line) for line in hisabu("--json")[1]]
    assert [(row["number"], row["game"], row["games"], row["winner"], row["closed"]) for row in rows] == [
        (1, "turufu", [1, 2], None, True), (2, "mraha", None, 1, False), (3, "pille", [0, 0, 0], None, False),
        (4, "triomphe", [0, 1, 0], None, False),
    ]  # fmt: skip
    assert rows[0]["seats"] == ["Zaïna", "Ali", "Fatima", "Saïd"]
    assert "checksum" in rows[2]["damaged"] or "JSON" in rows[2]["damaged"]


def test_a_match_left_for_a_newer_one_does_not_go_on(tmp_path: Path, hisabu: Hisabu) -> None:
    for _ in range(2):
        play(tmp_path, Match("turufu", 2), 1).close()
    assert [line.split("  ")[-1] for line in hisabu()[1]] == ["ended", "in progress"]


def test_none_yet(tmp_path: Path, hisabu: Hisabu) -> None:
    assert hisabu() == (0, [f"No match in {tmp_path / 'matches'} yet."], "")
    assert hisabu("--json") == (0, [], "")


def test_a_match_in_which_nothing_was_played_is_none(tmp_path: Path, hisabu: Hisabu) -> None:
    MatchRecord.begin(tmp_path / "matches", Match("awale")).close()
    assert hisabu() == (0, [f"No match in {tmp_path / 'matches'} yet."], "")
    assert hisabu("--json") == (0, [], "")
    shelf = Shelf(tmp_path / "matches")
    assert shelf.answer("list", {"language": "en"})["matches"] == []
    play(tmp_path, Match("turufu", 2), 1).close()
    assert [line[:4] for line in hisabu()[1]] == ["   2"]
    assert [match["number"] for match in shelf.answer("list", {"language": "en"})["matches"]] == [2]


def test_one_that_cannot_be_read_hides_no_other(tmp_path: Path, hisabu: Hisabu) -> None:
    play(tmp_path, Match("turufu", 2), 1).close()
    (tmp_path / "matches" / "match-0009-2026-01-01-pille.jsonl").write_text("junk\n")
    listed = hisabu()[1]
    assert len(listed) == 2 and "2026-01-01" in listed[1] and "cannot be read: line 1" in listed[1]
    assert json.loads(hisabu("--json")[1][1])["unreadable"].startswith("line 1")
    status, _, complaints = hisabu("export", "9", str(tmp_path / "x"))
    assert status == 2 and "cannot be read" in complaints


@pytest.mark.usefixtures("played")
def test_the_journal_is_taken_along_as_it_was_written(tmp_path: Path, hisabu: Hisabu) -> None:
    out = tmp_path / "one.jsonl"
    assert hisabu("export", "1", str(out)) == (0, [], "")
    assert out.read_bytes() == kept(tmp_path / "matches")[0].path.read_bytes()
    assert read_journal(out.read_text()).replay().view.games == (1, 2)


@pytest.mark.usefixtures("played")
def test_of_a_damaged_one_what_can_be_believed(tmp_path: Path, hisabu: Hisabu) -> None:
    out = tmp_path / "three.jsonl"
    status, _, complaints = hisabu("export", "3", str(out))
    assert status == 0 and "damaged after event 5" in complaints
    assert len(read_journal(out.read_text()).entries) == 5


@pytest.mark.usefixtures("played")
def test_what_was_said_can_be_read(tmp_path: Path, hisabu: Hisabu) -> None:
    out = tmp_path / "one.txt"
    assert hisabu("export", "1", str(out))[0] == 0
    lines = out.read_text().splitlines()
    assert lines[:5] == [
        "Turufu, 4 players, 2026-07-06 12:00",
        "Zaïna, Ali, Fatima, Saïd",
        "",
        "   1  12:00:01  No signals between partners.",
        "   5  12:00:01  Zaïna wins trick 1: 4♦ 5♦ J♦ J♣.",
    ]
    assert lines[-1].endswith("match 1–2")
    assert hisabu("export", "1", "-", "--text")[1] == lines
    assert hisabu("export", "2", "-", "--text")[1][-1] == "North wins."


@pytest.mark.usefixtures("played")
def test_no_file_is_written_over(tmp_path: Path, hisabu: Hisabu) -> None:
    out = tmp_path / "mine.txt"
    out.write_text("dear diary")
    status, _, complaints = hisabu("export", "1", str(out))
    assert status == 2 and "choose another name" in complaints
    assert out.read_text() == "dear diary"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["export", "7", "x"], "there is no match 7"),
        (["export", "1", "/no/such/folder/x"], "mkdir makes one"),
        (["--settings", "{}/broken.toml"], "did you mean matches?"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, hisabu: Hisabu, options: list[str], said: str) -> None:
    (tmp_path / "broken.toml").write_text('matchs = "/x"')
    play(tmp_path, Match("turufu", 2), 1).close()
    status, _, complaints = hisabu(*(option.format(tmp_path) for option in options))
    assert status == 2
    assert said in complaints


def test_another_folder(tmp_path: Path, hisabu: Hisabu) -> None:
    play(tmp_path / "elsewhere", Match("turufu", 2), 1).close()
    assert len(hisabu("--folder", str(tmp_path / "elsewhere" / "matches"))[1]) == 1
    status, text, _ = hisabu("export", "1", "-", "--folder", str(tmp_path / "elsewhere" / "matches"))
    assert status == 0 and text[0].startswith('{"hisabu":1')


def test_matches_are_listed_in_the_language_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    for settings, said in (("", "No match in"), ('language = "fr"\n', "Pas encore de partie dans")):
        (tmp_path / "settings.toml").unlink(missing_ok=True)
        if settings:
            (tmp_path / "settings.toml").write_text(settings)
        assert main(["matches", "--folder", str(tmp_path / "matches")]) == 0
        assert said in capsys.readouterr().out
