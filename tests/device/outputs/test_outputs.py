"""Outputs declare themselves: with their troubles in words, and settings of their own; and the score as a file."""

import errno
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from device.appliance import Appliance
from device.cli import parser
from device.following.show import TROUBLES, Output, Show
from device.keeping.settings import (
    PATH_OR_NONE,
    Key,
    Settings,
    SettingsError,
    load,
    output_keys,
    parse,
    save,
    text_of,
)
from device.machine.wiring import load as wiring
from device.outputs import OutputKind, output_kinds
from device.outputs.score_file import ScoreFile
from device.words import LANGUAGES, has
from device.words.messages import messages
from engine.games import GAMES
from engine.match import Match
from engine.playing import game_of
from engine.simulate import honest_deal

EVERY_TROUBLE = {*TROUBLES, *(trouble for kind in output_kinds() for trouble in kind.troubles)}
NAMES = ("Zaïna", "Ali", "Fatima", "Saïd")


def after_a_deal(language: str = "en", seats: tuple[str, ...] = ()) -> Show:
    match = Match("sueca")
    for event in honest_deal(game_of("sueca"), Random(2), 3).events:
        match.add(event)
    return Show(match.view.to_dict(), language, seats, sentences=("Deal over.",))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_outputs_declare_has_words(language: str) -> None:
    assert {"lamps_away", "score_file_away", "display_away", "panel_version"} <= EVERY_TROUBLE
    assert messages(language, "trouble").keys() == {f"trouble-{code}" for code in EVERY_TROUBLE}
    assert all(key.kind.allowed(language) for key in output_keys().values())
    assert [name for name in output_keys() if not has(language, f"help-key_{name}")] == []


def test_an_output_whose_setting_has_no_line_yet_can_be_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flag = OutputKind("flag", lambda settings, wiring: [], (), {"flag_pin": Key(PATH_OR_NONE)})
    monkeypatch.setattr("device.outputs.output_kinds", lambda: (flag,))
    assert "# flag_pin\n" in text_of(Settings())
    with pytest.raises(SystemExit):
        parser("en").parse_args(["setup", "--help"])
    assert "--flag-pin X" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "there"),
    [
        (Settings(build="laptop", display="none"), []),
        (Settings(build="laptop", display="none", panel="/dev/ttyACM0"), ["panel"]),
        (Settings(build="minimal"), ["buzzer", "display", "lamps"]),
        (Settings(build="standard", display="none"), ["buzzer", "panel"]),
        (Settings(build="standard", display="none", panel="none"), ["buzzer"]),
        (Settings(build="laptop", display="none", outputs={"score_file": "/tmp/score.txt"}), ["score_file"]),
    ],
)
def test_each_build_has_what_was_built(settings: Settings, there: list[str]) -> None:
    made: list[Output] = [output for kind in output_kinds() for output in kind.made(settings, wiring())]
    assert sorted(output.name for output in made) == sorted([*there, "voice"])


def test_settings_of_outputs_are_read_written_and_checked(tmp_path: Path) -> None:
    wanted = replace(Settings(language="en"), outputs={"score_file": str(tmp_path / "score.txt")})
    save(tmp_path / "settings.toml", wanted)
    assert load(tmp_path / "settings.toml") == wanted
    assert "for OBS" in text_of(wanted) and parse(text_of(Settings())).outputs == {}
    with pytest.raises(SettingsError) as error:
        parse('language = "en"\n[outputs]\nscore_file = 3\nscorefile = "/x"\n')
    assert error.value.said() == (
        'outputs.score_file = 3 is not possible. Allowed: a full path, or "" for none',
        "there is no key outputs.scorefile; did you mean score_file?",
    )


def test_the_score_stands_in_a_file_with_the_players_names(tmp_path: Path) -> None:
    output = ScoreFile(tmp_path / "score.txt")
    output.show(after_a_deal(seats=NAMES))
    lines = (tmp_path / "score.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("Zaïna & Fatima  ") and lines[1].startswith("Ali & Saïd  ")
    assert sum(int(line.split()[-1]) for line in lines[:2]) in (1, 2)
    assert lines[2].startswith("points ") and lines[3] == "Deal over."
    assert [path.name for path in tmp_path.iterdir()] == ["score.txt"], "and no half-written one beside it"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_score_to_write(tmp_path: Path, game: str, language: str) -> None:
    output, view = ScoreFile(tmp_path / "score.txt"), Match(game).view.to_dict()
    output.show(Show(view, language))
    lines = (tmp_path / "score.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= len(set(view["sides"]))
    output.show(Show({}, language))
    assert (tmp_path / "score.txt").read_text() == ""


def test_a_lesson_leaves_the_score_as_it_is(tmp_path: Path) -> None:
    output = ScoreFile(tmp_path / "score.txt")
    output.show(after_a_deal(seats=NAMES))
    before = (tmp_path / "score.txt").read_text(encoding="utf-8")
    output.show(Show(Match("belote").view.to_dict(), "en", extra={"teaches": True}))
    assert (tmp_path / "score.txt").read_text(encoding="utf-8") == before


def test_it_is_written_when_the_text_changes_and_when_somebody_took_it_away(tmp_path: Path) -> None:
    path, show = tmp_path / "score.txt", after_a_deal()
    output = ScoreFile(path)
    output.show(show)
    first = path.stat().st_mtime_ns, path.stat().st_ino
    output.show(replace(show, brightness=0.3))
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == first
    path.unlink()
    output.show(show)
    output.show(replace(show, alert="Ali played out of turn."))
    assert path.read_text().endswith("Ali played out of turn.\n")
    output.close()
    assert path.exists()


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    output = ScoreFile(tmp_path / "gone" / "score.txt")
    with pytest.raises(OSError) as error:
        output.show(after_a_deal())
    assert error.value.errno == errno.ENOENT
    (tmp_path / "gone").mkdir()
    output.show(after_a_deal())
    assert (tmp_path / "gone" / "score.txt").exists()


def test_a_laptop_with_a_score_file_still_draws_in_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    def run(camera: object, table: object, outputs: list[Output], *more: object, **named: object) -> int:
        shown.extend(output.name for output in outputs)
        return 0

    monkeypatch.setattr("device.appliance.run", run)
    settings = Settings(build="laptop", display="none", matches=str(tmp_path / "matches"))
    settings = replace(settings, outputs={"score_file": str(tmp_path / "score.txt")})
    Appliance(settings, lambda changed: None).run()
    assert {"score_file", "terminal"} <= set(shown)
