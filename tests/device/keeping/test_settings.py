"""The settings file and `hisabu setup`: what may stand in it, what is said of a mistake, and that nothing is lost."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest

from device import cli, words
from device.commands.house import ASKED
from device.keeping.settings import (
    DISPLAYS,
    KEYS,
    Settings,
    SettingsError,
    load,
    output_keys,
    parse,
    player_numbers,
    read,
    save,
    settings_path,
    text_of,
    with_option,
)
from device.machine.wiring import load as load_wiring
from engine.games import GAMES
from engine.match import Match
from tests.device.answers import answers_by_question

ELSEWHERE = Settings(
    language="shi", game="mraha", players=2, preset="kiswahili", against=3, device_begins=True, device_seat=2,
    head_start=4, head_start_side=2,
    seats=("Zaïna", 'A"b\\c'), seat_zero="left",
    seats_deg=(0.0, 170.5), middle=(-0.2, 0.1), trick_reach=0.5,
    board_corners=(0.2, 0.3, 0.8, 0.3, 0.8, 0.7, 0.2, 0.7),
    build="tournament", display="none", panel="socket://localhost:7000", brightness=0.25, sound=False,
    camera="/films/évening.mp4", mains_hz=None, capture=(2304, 1296), matches="/m", record="~/r", deck="/d",
    keep_moments=True,
    page="off", page_look="paired", broker="mqtts://hall.local:8884", broker_on=False, broker_user="t1",
    broker_password="/p", broker_ca="/ca.pem", broker_buttons=True, table="mamoudzou-1",
    options={"turufu": {"follow": "never", "show_points": False}, "mraha": {"tax": 3}},
)  # fmt: skip


def problems(text: str) -> list[str]:
    with pytest.raises(SettingsError) as error:
        parse(text)
    return list(error.value.said("en"))


# -- the file ----------------------------------------------------------------------------------------------------------


def test_an_empty_file_means_every_default() -> None:
    assert parse("") == Settings()


@pytest.mark.parametrize("settings", [Settings(), ELSEWHERE])
def test_what_is_written_is_read_again(settings: Settings) -> None:
    assert parse(text_of(settings)) == settings


def test_every_key_stands_there_with_a_comment_and_its_default() -> None:
    text = text_of(replace(ELSEWHERE, language="en"))
    assert set(KEYS) == {field.name for field in fields(Settings)} - {"outputs", "options"}
    for name in KEYS:
        assert re.search(rf"^# .+\n# Allowed: .+\. Default: .+\n{name} = ", text, re.MULTILINE), name
    for game, kind in GAMES.items():
        for option in kind.options:
            assert re.search(rf"^# .+\n# Allowed: .+\. Default: .+\n(# )?{option.name} = ", text, re.MULTILINE), game


def test_the_file_of_a_french_house_is_in_french() -> None:
    comments = [line for line in text_of(replace(ELSEWHERE, language="fr")).splitlines() if re.match("# .* .* ", line)]
    assert len(comments) > 120
    assert not [line for line in comments if re.search(r"\b(the|is|of|Allowed|Default|whether)\b", line)]
    assert "# Langue de l'écran et de ses phrases." in comments
    assert parse(text_of(replace(ELSEWHERE, language="fr"))) == replace(ELSEWHERE, language="fr")


def test_the_defaults_in_the_comments_are_the_defaults() -> None:
    """With every value put back to what its comment says, the file is the one that nobody changed."""
    lines = text_of(replace(ELSEWHERE, preset="mraha", language="en")).splitlines()
    for place, line in enumerate(lines):
        if found := re.match(r"# Allowed: .+\. Default: (.+)$", line):
            name, _, _ = lines[place + 1].partition(" = ")
            lines[place + 1] = f"{name} = {found[1]}"
    restored = parse("\n".join(lines))
    assert replace(restored, options={}) == Settings()
    assert Match("turufu", 4, restored.options["turufu"]).header == Match("turufu", 4).header


def test_every_wrong_key_is_named_with_its_value_and_what_is_allowed() -> None:
    said = problems(
        'plyers = 3\ngame = "whist"\nbrightness = 7\nmains_hz = 55\nseats = [1]\nmiddle = [0.5]\n'
        'camera = "webcam"\nsound = "loud"\n'
        'capture = "9x9"\n[options.turufu]\nfollov = "always"\nfollow = "sometimes"\n[options.whist]\n'
    )
    assert said == [
        "there is no key plyers; did you mean players?",
        f'game = "whist" is not possible. Allowed: "auto", {", ".join(map(json.dumps, GAMES))}',
        "brightness = 7 is not possible. Allowed: a number from 0.05 to 1",
        'mains_hz = 55 is not possible. Allowed: 50, 60, "off"',
        "seats = [1] is not possible. Allowed: a list of at most 6 names of 1 to 16 letters, none of them invisible",
        "middle = [0.5] is not possible. Allowed: a list of 2 numbers from -1 to 1",
        'camera = "webcam" is not possible. '
        'Allowed: "pi", "usb:0" ("usb:1" …), "http://…" or "rtsp://…", "simulated", a full path',
        'sound = "loud" is not possible. Allowed: true, false',
        'capture = "9x9" is not possible. Allowed: "WIDTHxHEIGHT", both even and from 240 to 4656',
        "there is no house rule options.turufu.follov; did you mean follow?",
        'options.turufu.follow = "sometimes" is not possible. Allowed: "always", "after_stock", "never"',
        f"there is no game options.whist; choose from {', '.join(GAMES)}",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("players = 5\ngame = 'turufu'", 'with game = "turufu" and these house rules, choose from 2, 4, 6'),
        ('game = "mraha"', 'players = 4: with game = "mraha" and these house rules, choose from 2'),
        ('game = "triomphe"\nplayers = 3\n[options.triomphe]\nteams = "sides"', "choose from 2, 4, 6"),
        ('build = "minimal"\ndisplay = "st7789"', 'with build = "minimal", choose from "ssd1306", "sh1106", "none"'),
        ("options = 3", "write a section for each game"),
        ('[options]\nfollow = "never"', "write it below [options.turufu]"),
        ("[options]\nturufu = 3", "write a section, [options.turufu]"),
        ("players = true", "a whole number from 2 to 6"),
        ("game = [", "this is not TOML"),
        ('mains_hz = 50.0', "50, 60"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(text: str, said: str) -> None:
    assert [said in problem for problem in problems(text)] == [True]


def test_problems_are_told_in_the_language_of_the_settings() -> None:
    with pytest.raises(SettingsError) as error:
        parse('language = "fr"\nplyers = 3\nbrightness = 7\nplayers = 5\n[options.turufu]\nfollow = "sometimes"\n')
    assert error.value.said() == (
        "la clé plyers n'existe pas ; vouliez-vous dire players ?",
        "brightness = 7 ne va pas. Permis : un nombre de 0.05 à 1",
        'options.turufu.follow = "sometimes" ne va pas. Permis : "always", "after_stock", "never"',
    )
    with pytest.raises(SettingsError) as error:
        parse('language = "en"\ngame = "turufu"\nplayers = 5')
    assert error.value.said() == ('players = 5: with game = "turufu" and these house rules, choose from 2, 4, 6',)


def test_what_is_no_toml_is_told_in_the_language_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for language, said in (("fr_FR.UTF-8", "voyez la ligne 1, colonne 8"), ("en_GB.UTF-8", "line 1, column 8")):
        monkeypatch.setenv("LC_ALL", language)
        with pytest.raises(SettingsError) as error:
            parse("game = ]")
        assert said in error.value.said()[0]


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_kind_of_value_and_every_problem_has_words(language: str) -> None:
    assert all(key.kind.allowed(language) for key in KEYS.values())
    assert all(words.has(language, f"help-key_{name}") for name in KEYS)


def test_the_display_follows_the_build_where_it_is_not_said() -> None:
    assert [parse(f'build = "{build}"').display for build in DISPLAYS] == [shown[0] for shown in DISPLAYS.values()]


def test_the_builds_and_their_displays_are_those_of_the_wiring() -> None:
    builds = load_wiring().builds
    assert set(DISPLAYS) == {*builds, "laptop"}
    for name, build in builds.items():
        group = "oled" if "ssd1306" in DISPLAYS[name] else "colour_display"
        assert group in build.groups


def test_the_house_options_are_those_a_match_takes() -> None:
    settings = with_option(Settings(game="mraha", players=2, preset="kiswahili"), "mraha", "tax", 4)
    header = Match(settings.game, settings.players, settings.house, settings.names).header
    assert (header.options["tax"], header.options["kutakatia"]) == (4, True)
    assert Settings(players=2, seats=("Ali", "Zaïna", "Saïd")).names == ("Ali", "Zaïna")
    assert player_numbers(Settings(game="turufu")) == (2, 4, 6)
    assert player_numbers(Settings()) == (2, 3, 4, 5, 6)


def test_where_the_file_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HISABU_HOME", "/etc/hisabu")
    assert settings_path() == Path("/etc/hisabu/settings.toml")
    assert settings_path(tmp_path / "x.toml") == tmp_path / "x.toml"
    monkeypatch.delenv("HISABU_HOME")
    monkeypatch.setenv("HOME", "/home/ali")
    assert settings_path() == Path("/home/ali/.config/hisabu/settings.toml")
    assert Settings().matches_folder == Path("/home/ali/.local/share/hisabu/matches")


# -- writing -----------------------------------------------------------------------------------------------------------


def test_settings_are_written_to_a_new_folder_and_over_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    save(path, Settings())
    path.chmod(0o600)
    save(path, ELSEWHERE)
    assert load(path) == ELSEWHERE
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"game = [", b"\xff\xfe", b"colour = 3\n"])
def test_a_file_that_cannot_be_read_is_never_written_over(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsError):
        save(path, Settings())
    assert path.read_bytes() == content


def test_a_disk_that_does_not_take_it_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    save(path, Settings())

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(path, ELSEWHERE)
    assert load(path) == Settings()


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.toml").symlink_to(tmp_path / "settings.toml")
    save(tmp_path / "link.toml", ELSEWHERE)
    assert (tmp_path / "link.toml").is_symlink()
    assert load(tmp_path / "settings.toml") == ELSEWHERE


# -- hisabu setup ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ran:
    """How a command went."""

    returncode: int
    stdout: str
    stderr: str


Setup = Callable[..., Ran]


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Setup:
    """`hisabu setup`, as typed, with what is answered."""
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    monkeypatch.setattr("device.commands.house.MODEL", tmp_path / "no Pi")

    def run(*options: str, answers: Mapping[str, Sequence[str]] | str = "") -> Ran:
        """answers: by question; or a text, which may end before all is answered."""
        unasked: list[str] = []
        with monkeypatch.context() as there:
            if isinstance(answers, str):
                there.setattr(sys, "stdin", io.StringIO(answers))
            else:
                unasked = answers_by_question(there, answers)
            status = cli.main(["setup", *options])
        assert not unasked
        said = capsys.readouterr()
        return Ran(status, said.out, said.err)

    return run


def now(tmp_path: Path) -> Settings:
    return load(tmp_path / "settings.toml")


def test_setup_asks_and_writes_what_was_answered(tmp_path: Path, setup: Setup) -> None:
    answers = {"language": ["en"], "game": ["mraha"], "preset": ["kiswahili"], "build": ["standard"],
               "display": ["st7789"], "camera": ["usb:1"], "mains_hz": ["off"], "sound": ["no"],
               "seats": ["Zaïna, Ali"]}  # fmt: skip
    ran = setup(answers=answers)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"Saved: {tmp_path / 'settings.toml'}" in ran.stdout
    found = now(tmp_path)
    assert (found.language, found.game, found.players, found.preset) == ("en", "mraha", 2, "kiswahili")
    assert (found.build, found.display, found.camera) == ("standard", "st7789", "usb:1")
    assert (found.mains_hz, found.sound, found.seats) == (None, False, ("Zaïna", "Ali"))


def test_setup_asks_again_until_the_answer_is_allowed(tmp_path: Path, setup: Setup) -> None:
    answers = {"game": ["triomphe"], "players": ["7", "3"], "house": ["yes"], "teams": ["sides"],
               "overtake": ["last"], "target": ["7"]}  # fmt: skip
    ran = setup("--lang", "en", answers=answers)
    assert ran.returncode == 0, ran.stderr
    assert '"7" does not fit: choose from 2, 3, 4, 5, 6' in ran.stdout
    assert 'players = 3: with game = "triomphe" and these house rules, choose from 2, 4, 6' in ran.stdout
    assert now(tmp_path).options == {"triomphe": {"overtake": "last", "target": 7}}


@pytest.mark.parametrize(("names", "players"), [((), 4), (("Zaïna", "Ali", "Léa"), 3)])
def test_after_a_game_of_seeds_as_many_play_cards_as_have_names_or_as_usually_do(
    tmp_path: Path, setup: Setup, names: tuple[str, ...], players: int
) -> None:
    for game in ("mraha", "triomphe"):
        assert setup("--yes", "--game", game, *(["--seats", ",".join(names)] if names else [])).returncode == 0
    assert now(tmp_path).players == players
    assert setup("--yes", "--players", "2").returncode == setup("--yes", "--game", "pille").returncode == 0
    assert now(tmp_path).players == 2


def test_setup_keeps_what_is_there(tmp_path: Path, setup: Setup) -> None:
    assert setup("--yes", "--game", "pille", "--players", "5", "--seats", "Ali, Zaïna").returncode == 0
    assert setup("--yes", "--set", "target=11").returncode == 0
    assert setup(answers={}).returncode == 0
    found = now(tmp_path)
    assert (found.game, found.players, found.seats) == ("pille", 5, ("Ali", "Zaïna"))
    assert found.options == {"pille": {"target": 11}}


def test_every_key_can_be_given_as_an_option(tmp_path: Path, setup: Setup) -> None:
    given = {
        "lang": "shi", "game": "turufu", "players": "2", "preset": "kiswahili", "against": "3",
        "device-begins": "yes", "device-seat": "2", "head-start": "4", "head-start-side": "2",
        "seats": "Zaïna", "seat-zero": "left",
        "seats-deg": "0, 170.5", "middle": "-0.2, 0.1", "trick-reach": "0.5",
        "board-corners": "0.2, 0.3, 0.8, 0.3, 0.8, 0.7, 0.2, 0.7",
        "build": "tournament", "display": "none", "panel": "/dev/ttyACM0", "brightness": "0.25", "sound": "no",
        "camera": "/films", "mains": "off", "capture": "2304x1296", "matches": "/m", "record": "~/r", "deck": "/d",
        "keep-moments": "yes",
        "page": "off", "page-look": "paired", "broker": "mqtts://hall.local:8884", "broker-user": "t1",
        "broker-on": "no",
        "score-file": "/s.txt", "voice": "game", "voice-program": "piper --raw",
        "broker-password": "/p", "broker-ca": "/ca.pem", "broker-buttons": "yes", "table": "mamoudzou-1",
    }  # fmt: skip
    assert len(given) == len({**KEYS, **output_keys()})
    ran = setup("--yes", *(word for name, value in given.items() for word in (f"--{name}={value}",)))
    assert ran.returncode == 0, ran.stderr
    wanted = replace(
        ELSEWHERE,
        game="turufu",
        seats=("Zaïna",),
        panel="/dev/ttyACM0",
        camera="/films",
        options={},
        outputs={"score_file": "/s.txt", "voice": "game", "voice_program": "piper --raw"},
    )
    assert now(tmp_path) == wanted


@pytest.mark.parametrize("camera", ["http://[192.168.1.20]:8080", "http://[2a01:cb1c::1/video", "rtsp://u:p@[::1"])
def test_an_address_in_brackets_that_is_none_is_refused_when_it_is_set(camera: str) -> None:
    with pytest.raises(SettingsError):
        read({"camera": camera})


def test_another_build_suggests_its_own_display_and_camera(tmp_path: Path, setup: Setup) -> None:
    assert setup("--yes", "--build", "laptop").returncode == 0
    assert (now(tmp_path).display, now(tmp_path).camera) == ("none", "usb:0")
    assert setup("--yes", "--build", "standard").returncode == 0
    assert (now(tmp_path).display, now(tmp_path).camera) == ("st7789", "pi")


@pytest.mark.parametrize(
    ("options", "answers", "said"),
    [
        ([], "", "Nothing was saved"),
        (["--lang", "en"], "turufu\n", "Take the suggestions with --yes"),
        (["--yes", "--game", "turufu", "--players", "5"], "", "choose from 2, 4, 6"),
        (["--yes", "--brightness", "9", "--sound", "loud"], "", "brightness = 9"),
        (["--yes", "--brightness", "9", "--sound", "loud"], "", "sound = loud"),
        (["--yes", "--game", "turufu", "--set", "folow=never"], "", "did you mean follow?"),
        (["--yes", "--game", "sueca", "--device-seat", "5"], "", "choose from 1 to 4, or 0 for no seat"),
        (["--yes", "--game", "turufu", "--players", "2", "--device-seat", "4"], "", "choose from 1 to 2"),
        (["--yes", "--game", "mraha", "--device-seat", "1"], "", "seats are for card games"),
        (["--yes", "--game", "auto", "--device-seat", "4"], "", "name the game too"),
        (["--yes", "--set", "follow"], "", "write it as option=value"),
        (["--yes", "--set", "follow=never"], "", "also name the game, with --game"),
    ],
)
def test_a_setup_that_cannot_be_writes_nothing(
    tmp_path: Path, setup: Setup, options: list[str], answers: str, said: str
) -> None:
    ran = setup("--lang", "en", *options, answers=answers)
    assert ran.returncode == 2
    assert said in ran.stderr
    assert not (tmp_path / "settings.toml").exists()


def test_a_pi_is_taken_for_a_device(tmp_path: Path, setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    monkeypatch.setattr("device.commands.house.MODEL", tmp_path / "model")
    assert setup("--yes").returncode == 0
    assert (now(tmp_path).build, now(tmp_path).display, now(tmp_path).camera) == ("minimal", "ssd1306", "pi")


def test_setup_leaves_a_broken_file_as_it_is(tmp_path: Path, setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    (tmp_path / "settings.toml").write_text("game = [\ncolour = 3")
    ran = setup("--yes")
    assert ran.returncode == 2
    assert "ce n'est pas du TOML : voyez la ligne 2" in ran.stderr and "settings.toml.old" in ran.stderr
    assert (tmp_path / "settings.toml").read_text() == "game = [\ncolour = 3"


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_question_has_its_words(language: str) -> None:
    assert all(words.has(language, f"setup-{name}") for name in ASKED)


def test_a_long_path_is_written_whole(tmp_path: Path) -> None:
    long = str(tmp_path / ("a" * 200))
    save(tmp_path / "settings.toml", Settings(matches=long))
    assert load(tmp_path / "settings.toml").matches == long


@pytest.mark.parametrize("corners", [[0.1], [0.1] * 8, [2.0] * 8, [0.2, 0.3, 0.2, 0.7, 0.8, 0.7, 0.8, 0.3], "x"])
def test_corners_that_no_board_has_are_refused(corners: object) -> None:
    with pytest.raises(SettingsError, match="board_corners"):
        read({"board_corners": corners})
    assert read({"board_corners": []}).board_corners == ()
