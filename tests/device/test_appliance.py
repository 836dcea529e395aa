"""The device put together from its settings: which match goes on, and what is recorded."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from device import appliance, cli
from device.appliance import Appliance
from device.following.menu import NEW_MATCH
from device.following.recording import INDEX, Recorder
from device.keeping import journal, shared_settings
from device.keeping.alone import alone_in
from device.keeping.settings import Settings, load, save
from device.outputs.page.house import changed
from device.words import say
from engine.match import Match
from tests.engine.table import deal, play, tell

DEALT = (deal(3, "3S"), play("AH", 0))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    folder = str(tmp_path / "matches")
    return Settings(language="en", game="turufu", players=4, build="standard", display="none", matches=folder)


def begun(settings: Settings) -> None:
    """A match that was going on when the power went."""
    record = journal.MatchRecord.begin(settings.matches_folder, Match(settings.game, settings.players))
    for event in DEALT:
        record.add(event)
    record.close()


def start(settings: Settings, record: Path | None = None, new: bool = False, page: str | None = None) -> Appliance:
    return Appliance(settings, lambda changed: None, record=record, new=new, page=page)


def test_a_match_goes_on_after_a_power_cut(settings: Settings) -> None:
    begun(settings)
    table = start(settings).table
    assert (table.match.header.players, len(table.match.log)) == (4, 2)
    assert table.show.sentences == ("The match goes on. Events kept: 2.",)


def test_a_match_goes_on_as_it_was_though_the_menu_set_the_next_one_otherwise(settings: Settings) -> None:
    begun(settings)
    table = start(replace(settings, players=6)).table
    assert (table.match.header.players, len(table.match.log)) == (4, 2)
    assert "goes on by its own rules" in table.show.sentences[-1]


@pytest.mark.parametrize(("build", "new"), [("standard", True), ("laptop", False)])
def test_another_match_is_begun_where_it_is_asked_for(settings: Settings, build: str, new: bool) -> None:
    begun(settings)
    table = start(replace(settings, build=build, players=6), new=new).table
    assert (table.match.header.players, len(table.match.log)) == (6, 0)
    assert "is closed and kept" in table.show.sentences[-1]
    assert journal.resume(settings.matches_folder).record is not None


def test_settings_that_became_unreadable_meanwhile_are_left_alone(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "hisabu.toml"
    save(path, settings)
    kept: list[Callable[[Settings], None]] = []

    class Begun(Appliance):
        def __init__(self, settings: Settings, save: Callable[[Settings], None], **more: Any) -> None:
            kept.append(save)
            self.table: Any = SimpleNamespace()

        def run(self, terminal: bool = False) -> int:
            return 0

    monkeypatch.setattr("device.appliance.Appliance", Begun)
    assert cli.main(["run", "--settings", str(path)]) == 0
    path.write_text("language = ")
    kept[0](replace(settings, language="fr"))
    assert path.read_text() == "language = "
    assert "impossible d'enregistrer" in caplog.text


def test_a_settings_file_that_is_named_and_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en")
    monkeypatch.setattr("device.appliance.Appliance.__init__", lambda *_, **__: None)
    monkeypatch.setattr("device.appliance.Appliance.table", SimpleNamespace(), raising=False)
    monkeypatch.setattr("device.appliance.Appliance.run", lambda *_, **__: 0)
    assert cli.main(["run", "--settings", str(tmp_path / "seting.toml")]) == 0
    assert "seting.toml: no such file. The defaults apply" in capsys.readouterr().err


HOLDS = """
import sys, time
from pathlib import Path
from device.keeping.alone import alone_in

with alone_in(Path(sys.argv[1])) as alone:
    print(alone, flush=True)
    time.sleep(60)
"""


def test_a_second_device_on_the_same_folder_is_told_to_go_elsewhere_until_the_first_is_gone(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("device.appliance.Appliance.run", lambda *_, **__: 0)
    path, folder = tmp_path / "hisabu.toml", settings.matches_folder
    save(path, settings)
    begun(settings)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    first = subprocess.Popen([sys.executable, "-c", HOLDS, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None and first.stdout.readline() == "True\n"
        assert cli.main(["run", "--settings", str(path)]) == 2
        said = capsys.readouterr().err
        assert f"Another hisabu is running and uses {folder}" in said and "Stop it first" in said
        assert {path: path.read_bytes() for path in folder.iterdir()} == before
    finally:
        first.kill()
        first.communicate()
    assert cli.main(["run", "--settings", str(path)]) == 0


def test_a_folder_that_cannot_be_had_keeps_nobody_from_playing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with alone_in(tmp_path / "file/matches") as alone:
        assert alone


def test_a_match_nobody_played_in_is_not_kept_against_the_settings(settings: Settings) -> None:
    journal.MatchRecord.begin(settings.matches_folder, Match("turufu", 4)).close()
    table = start(replace(settings, game="triomphe")).table
    assert (table.match.header.game, table.show.sentences) == ("triomphe", ())


def test_every_start_records_in_a_folder_of_its_own(settings: Settings, tmp_path: Path) -> None:
    recording = replace(settings, record=str(tmp_path / "films"))
    for _ in range(2):
        start(recording)
    assert sorted(path.parent.name for path in tmp_path.glob(f"films/*/{INDEX}")) == ["0001", "0002"]


def test_a_recording_that_cannot_be_written_does_not_keep_the_table_from_being_followed(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "films").write_text("a file")
    table = start(replace(settings, record=str(tmp_path / "films"))).table
    assert table.show.sentences[-1].startswith("Recording is off: ")


def test_a_recording_asked_for_by_hand_must_have_a_folder_of_its_own(settings: Settings, tmp_path: Path) -> None:
    match = Match("turufu", 4)
    tell(match, *DEALT)
    Recorder(tmp_path / "film", match, {}).close()
    with pytest.raises(FileExistsError, match="File exists"):
        start(settings, record=tmp_path / "film")


def test_what_went_wrong_inside_ends_with_what_to_do_and_loses_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun(settings)
    monkeypatch.setattr("device.following.live.LiveTable.see", lambda *_: 1 / 0)
    table = replace(settings, build="laptop", camera="simulated")
    assert start(table, page="off").run() == 1
    assert "brain failed" in caplog.text and "The next hisabu run continues the match" in caplog.messages[-1]
    assert "Nothing is lost" in caplog.messages[-1]
    assert len(start(table).table.match.log) == len(DEALT)


@pytest.mark.parametrize(
    ("asked", "said"),
    [(False, "The device restarts"), (True, "Stopped as asked. systemd says failed because")],
)
def test_what_systemd_calls_failed_is_said_in_its_journal(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, asked: bool, said: str
) -> None:
    """Given up after five failures in a row; or stopped after one that it went on from."""
    begun(settings)
    monkeypatch.setattr("device.machine.systemd.Notifier.there", True)
    table = start(replace(settings, build="laptop", camera="simulated"), page="off")
    seen: list[object] = []

    def see(*frame: object) -> None:
        seen.append(frame)
        if asked and len(seen) > 1:
            os.kill(os.getpid(), signal.SIGTERM)
            return
        raise ZeroDivisionError

    monkeypatch.setattr("device.following.live.LiveTable.see", see)
    assert table.run() == 1
    assert said in caplog.messages[-1] and "Nothing is lost" in caplog.messages[-1]


@pytest.mark.parametrize(
    ("full", "said"), [(False, "Rien n'est perdu"), (True, "qui précède la panne de la carte mémoire")]
)
def test_what_a_full_card_did_not_take_is_not_called_kept(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, full: bool, said: str
) -> None:
    monkeypatch.setattr("device.machine.systemd.Notifier.there", True)
    table = start(replace(settings, language="fr", build="laptop", camera="simulated"), page="off")
    table.table.trouble("journal_full", full)

    def see(*frame: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("device.following.live.LiveTable.see", see)
    assert table.run() == 1
    assert said in caplog.messages[-1]


@pytest.mark.parametrize(
    ("camera", "said"),
    [("127.0.0.1:9/video", "is it on, and on the network?"), ("/dev/no-camera", "its cable")],
)
def test_what_helps_a_camera_that_is_away_fits_the_camera(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, camera: str, said: str
) -> None:
    device = start(replace(settings, build="laptop", camera=camera), page="off")
    tell, told = device.table.trouble, list[str]()

    def trouble(code: str, present: bool) -> None:
        tell(code, present)
        told.extend(say("en", f"trouble-{code}") for code in device.table.show.troubles)
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(device.table, "trouble", trouble)
    assert device.run() == 0
    assert told[0].startswith("No camera: ") and told[0].rstrip(".").endswith(said)


def test_keys_and_the_page_are_heard_beside_each_other(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []

    def run(*args: Any, inputs: Any, **more: Any) -> int:
        heard.append(len(inputs))
        return 0

    monkeypatch.setattr(appliance, "run", run)
    monkeypatch.setattr(appliance, "has_keys", lambda: True)
    for page in ("off", "127.0.0.1:0"):
        assert start(replace(settings, build="laptop"), page=page).run(terminal=True) == 0
    assert heard == [2, 3], "the keys and the broker that may be set; these and the page"


def test_a_change_on_the_device_leaves_alone_what_was_set_in_its_file_meanwhile(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hisabu.toml"
    save(path, replace(settings, build="laptop", display="none", seats=("Ali", "Zaïna", "Fatima", "Said")))
    played: list[tuple[str, ...]] = []

    def run(device: Appliance, terminal: bool = False) -> int:
        table = device.table
        said = ["--settings", str(path)]
        assert cli.main(["setup", "--yes", *said, "--players", "6", "--table", "kitchen"]) == 0
        table.change(changed(table.settings, {"options": {"penalty": 2}, "brightness": 0.5}))
        assert cli.main(["matches", "forget", "Ali", *said]) == 0
        table.change(changed(table.settings, {"sound": False, "names": {"2": "Moina"}}))
        table.act(NEW_MATCH, "phone")
        played.append(table.match.header.seats)
        assert cli.main(["matches", "forget", "Said", *said]) == 0
        table.act(NEW_MATCH, "phone")
        played.append(table.match.header.seats)
        return 0

    monkeypatch.setattr(Appliance, "run", run)
    assert cli.main(["run", "--settings", str(path), "--lang", "fr"]) == 0
    kept = load(path)
    assert played == [("#1", "Moina", "Fatima", "Said"), ("#1", "Moina", "Fatima", "#4")]
    assert kept.seats == played[-1]
    assert (kept.players, kept.table, kept.language) == (6, "kitchen", settings.language)
    assert (kept.brightness, kept.sound, kept.options["turufu"]["penalty"]) == (0.5, False, 2)


def test_a_name_that_could_not_be_written_is_written_with_the_next_change(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hisabu.toml"
    save(path, replace(settings, build="laptop", display="none", seats=("Ali", "Zaïna", "Fatima", "Said")))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "the disk is full")

    def run(device: Appliance, terminal: bool = False) -> int:
        table = device.table
        with monkeypatch.context() as no_room:
            no_room.setattr(shared_settings, "save", full)
            table.change(changed(table.settings, {"names": {"2": "Moina"}}))
        table.act(NEW_MATCH, "phone")
        assert table.match.header.seats[1] == "Moina"
        table.change(changed(table.settings, {"sound": False}))
        return 0

    monkeypatch.setattr(Appliance, "run", run)
    assert cli.main(["run", "--settings", str(path)]) == 0
    assert load(path).seats == ("Ali", "Moina", "Fatima", "Said")
