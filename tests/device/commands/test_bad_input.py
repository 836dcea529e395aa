"""What a stranger feeds it: pipes, huge files, letters that a terminal obeys. One line each, at once; nothing lost."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import CameraAway, open_camera
from device.cli import main
from device.commands import console
from device.keeping.names import write_names
from device.keeping.settings import Settings, SettingsError, load, parse, save
from device.outputs.page.house import changed
from engine.journal import header_line, match_lines
from engine.match import Header, Match

Said = pytest.CaptureFixture[str]


def told(capfd: Said, *command: str) -> tuple[int, str]:
    """The exit status of a command and its one line."""
    status = main(list(command))
    said = capfd.readouterr().err
    assert said.count("\n") == 1, said
    return status, said


# -- a picture is never drawn over -------------------------------------------------------------------------------------


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), np.full((240, 320, 3), 128, np.uint8))
    return path


@pytest.mark.parametrize("command", ["cards", "seeds"])
@pytest.mark.parametrize("way", ["itself", "by a link", "with dots"])
def test_a_photo_is_not_drawn_over(photo: Path, capfd: Said, command: str, way: str) -> None:
    out = {"itself": photo, "by a link": photo.with_name("link.png"), "with dots": photo.parent / "." / photo.name}[way]
    if way == "by a link":
        out.symlink_to(photo)
    before = photo.read_bytes()
    status, said = told(capfd, command, str(photo), "--draw", str(out))
    assert status == 2 and "is also read" in said
    assert photo.read_bytes() == before


def test_drawings_in_the_folder_of_the_photos_take_no_photos_place(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    same_name = tmp_path / "more/photo.jpg"
    cv2.imwrite(str(same_name), np.full((240, 320, 3), 60, np.uint8))
    tricky = tmp_path / "photo_read.png"
    tricky.write_bytes(photo.read_bytes())
    before = {path: path.read_bytes() for path in (photo, same_name, tricky)}
    assert main(["cards", *map(str, before), "--draw", str(tmp_path)]) == 0
    assert {path: path.read_bytes() for path in before} == before
    drawn = {path.name for path in tmp_path.iterdir()} - {"more", "photo.png", "photo_read.png"}
    assert drawn == {"photo_read_2.png", "photo_read_3.png", "photo_read_read.png"}


# -- settings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('matches = "~nobody-of-this-name"', "matches ="),
        (f"players = {'9' * 5000}", "not TOML"),
        (f"players = 0x{'f' * 5000}", "players = …"),
        (f"matches = {'[' * 5000}", "not TOML"),
        (f"options = {'{a=' * 3000}1{'}' * 3000}", "TOML"),
        (f"game = '{'x' * 100_000}'", "game ="),
        ("players = nan", "players = NaN"),
        ("seats = [1979-05-27]", "seats ="),
        ("[options.turufu]\nfollow = [[[]]]", "options.turufu.follow"),
    ],
)
def test_odd_settings_are_named(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse(text)
    assert said in str(error.value)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    ("names", "shown"), [("Ali,,Said", "Ali, , Said"), ("\u202eevil", "\\u202eevil"), ("A" * 10_000, "A" * 80 + "…")]
)
def test_a_name_that_cannot_be_is_shown_with_the_reason(tmp_path: Path, capfd: Said, names: str, shown: str) -> None:
    place = ["--settings", str(tmp_path / "settings.toml")]
    status, said = told(capfd, "setup", "--yes", "--lang", "en", "--seats", names, *place)
    assert status == 2
    assert f" seats = {shown} is not possible. Allowed: a list of at most 6 names of 1 to 16 letters" in said


@pytest.mark.parametrize(
    ("degrees", "said"),
    [
        ("0,0,0,0", "seats_deg = 0, 0, 0, 0: two players cannot sit in the same place"),
        ("0,90,180,358", "Leave at least 5 degrees between them"),
        ("10", "seats_deg = 10: give 4 angles, one for each player"),
        ("0,80,180,-90", ""),
        ("", ""),
    ],
)
def test_people_do_not_sit_in_one_another(tmp_path: Path, capfd: Said, degrees: str, said: str) -> None:
    place = ["--settings", str(tmp_path / "settings.toml")]
    words = ["setup", "--yes", "--lang", "en", "--game", "turufu", "--seats-deg", degrees, *place]
    assert main(words) == (2 if said else 0)
    assert said in capfd.readouterr().err
    asked = [float(degree) for degree in degrees.split(",") if degree]
    settings = Settings(language="en", game="turufu")
    with pytest.raises(ValueError, match=said) if said else contextlib.nullcontext():
        changed(settings, {"seats_deg": asked}, ("turufu", 6))  # The match that goes on, which is not the next one.


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b'\xef\xbb\xbflanguage = "en"\n')
    assert load(path).language == "en"
    save(path, load(path))
    assert load(path).language == "en"


@pytest.mark.parametrize(("language", "said"), [("en", "Fix"), ("fr", "Corrigez")])
def test_a_device_whose_settings_a_card_has_lost_says_what_to_do(
    tmp_path: Path, capfd: Said, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    path = tmp_path / "settings.toml"
    path.write_bytes(bytes(4000))
    assert main(["run", "--camera", "simulated", "--settings", str(path)]) == 2
    told = capfd.readouterr().err
    assert "TOML" in told and f"{said} {path}, " in told and f"(mv {path} {path}.old)" in told


@pytest.mark.parametrize("what", ["pipe", "huge", "folder", "device"])
@pytest.mark.parametrize("command", [["setup", "--yes"], ["matches"], ["run", "--camera", "simulated"]])
def test_settings_that_are_no_settings_file(tmp_path: Path, capfd: Said, what: str, command: list[str]) -> None:
    path = odd_file(tmp_path, what)
    status, said = told(capfd, *command, "--settings", str(path))
    assert status == 2 and str(path) in said


def odd_file(folder: Path, what: str) -> Path:
    """A pipe, a device, a folder, or three billion bytes (of which none is on disk)."""
    path = folder / what
    if what == "pipe":
        os.mkfifo(path)
    elif what == "huge":
        with path.open("wb") as file:
            file.truncate(3_000_000_000)
    elif what == "folder":
        path.mkdir()
    else:
        return Path("/dev/zero")
    return path


# -- everything else that is read --------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["pipe", "huge", "device"])
@pytest.mark.parametrize("command", [["cards"], ["seeds"], ["replay"], ["moves"]])
def test_odd_files_are_refused_at_once(tmp_path: Path, capfd: Said, what: str, command: list[str]) -> None:
    path = odd_file(tmp_path, what)
    status, said = told(capfd, *command, str(path))
    assert status == 2
    assert str(path) in said and ("not an ordinary file" in said or "too large" in said)


@pytest.mark.parametrize("what", ["pipe", "device"])
def test_a_film_is_a_file(tmp_path: Path, what: str) -> None:
    with pytest.raises(CameraAway, match="neither a folder of pictures nor a film"):
        open_camera(str(odd_file(tmp_path, what)))


@pytest.mark.parametrize("what", ["pipe", "device"])
def test_events_come_from_a_file_or_from_standard_input(tmp_path: Path, capfd: Said, what: str) -> None:
    status, said = told(capfd, "referee", "turufu", str(odd_file(tmp_path, what)))
    assert status == 2 and "not an ordinary file" in said


def test_what_a_journal_could_not_be_read_with_is_refused_as_it_comes(tmp_path: Path, capfd: Said) -> None:
    events = tmp_path / "events.jsonl"
    events.write_text('{"event": "board", "pits": [[1e308]]}\n')
    status, said = told(capfd, "referee", "awale", str(events), "--journal", str(tmp_path / "journal.jsonl"))
    assert status == 2 and "line 1: This number cannot be used: 1e308" in said


def test_no_players_are_too_few_and_a_pi_is_measured_alone(capfd: Said) -> None:
    assert told(capfd, "play", "awale", "--players", "0")[0] == 2
    status, said = told(capfd, "bench", "pi", "engine")
    assert status == 2 and "hisabu bench pi" in said


def test_a_line_without_an_end_is_not_waited_for(tmp_path: Path, capfd: Said) -> None:
    status, said = told(capfd, "referee", "turufu", str(odd_file(tmp_path, "huge")))
    assert status == 2 and "line 1: this is not JSON" in said


def test_a_huge_or_hanging_journal_among_the_matches_is_only_listed(tmp_path: Path, capfd: Said) -> None:
    odd_file(tmp_path, "huge").rename(tmp_path / "match-0001-2026-01-01-turufu.jsonl")
    odd_file(tmp_path, "pipe").rename(tmp_path / "match-0002-2026-01-01-turufu.open.jsonl")
    assert main(["matches", "--folder", str(tmp_path), "--lang", "en"]) == 0
    said = capfd.readouterr().out
    assert "too large" in said and "not an ordinary file" in said


# -- what a terminal would obey ----------------------------------------------------------------------------------------

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31mMal\u009d\x7f"
CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"]


ONE_AFTER_ANOTHER = """
import json, sys
from device.start import main

for number, words in enumerate(json.loads(sys.argv.pop())):
    sys.argv[1:] = words
    print("command", number, file=sys.stderr, flush=True)
    main()
"""


def output_of(*commands: list[str], text: str = "") -> str:
    """What a terminal gets of all of them, one after another in one process."""
    ran = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)],
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0 and "Traceback" not in ran.stderr
    assert ran.stderr.count("command ") >= len(commands)
    return ran.stdout + ran.stderr


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A journal whose players are called what a terminal obeys."""
    match = Match("turufu", 2, None, (EVIL, "Ali"))
    match.add({"event": "deal", "dealer": 1, "turn_up": "7H"})
    match.add({"event": "play", "card": "9H"})
    path = tmp_path / "match-0001-2026-01-01-turufu.jsonl"
    path.write_text("\n".join(match_lines(match)) + "\n")
    write_names(path, match.header.seats)
    return path


def test_nothing_in_a_journal_is_obeyed_by_a_terminal(evil: Path, tmp_path: Path) -> None:
    commands = [
        ["replay", str(evil)],
        ["replay", str(evil), "--json"],
        ["matches", "--folder", str(tmp_path)],
        ["matches", "--folder", str(tmp_path), "--json"],
        ["matches", "export", "1", "-", "--text", "--folder", str(tmp_path)],
        ["matches", "export", "1", "-", "--folder", str(tmp_path)],
    ]
    said = output_of(*commands)
    assert said.count("Mal") >= 2
    assert not [control for control in CONTROLS if control in said]


def test_nothing_in_a_mistake_is_obeyed_by_a_terminal(tmp_path: Path) -> None:
    odd = tmp_path / f"{EVIL.replace('/', '')}.jsonl"
    odd.write_text(header_line(Header(EVIL, 2, {EVIL: EVIL})) + "\n")
    event = json.dumps({"event": EVIL}) + "\n"
    said = output_of(["replay", str(odd)], ["referee", "turufu"], ["cards", EVIL], text=event)
    assert said.count("Mal") >= 3
    assert not [control for control in CONTROLS if control in said], said


def test_names_in_a_journal_are_only_shown_by_the_live_terminal() -> None:
    from device.following.show import Prompt, Show
    from device.outputs.terminal import Screen

    view = Match("turufu", 2, None, (EVIL, EVIL)).view.to_dict()
    show = Show(view, "en", (EVIL, EVIL), (EVIL,), alert=EVIL, prompt=Prompt(EVIL, (EVIL, "b")))
    drawn = "\n".join(Screen("en", colour=False, seats=(EVIL, EVIL)).draw(show))
    assert "Mal" in drawn
    assert not [control for control in CONTROLS if control in drawn]


def test_a_long_complaint_keeps_what_is_to_be_done(capsys: Said) -> None:
    console.complain(f"{'a' * 5000}: move it aside with: mv a b")
    said = capsys.readouterr().err
    assert said.endswith("mv a b\n") and len(said) < 700


PRESSED_AT = """
import atexit, os, signal, sys
from device.start import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # As at a terminal: what runs in the background ignores it.
at = sys.argv.pop(1)

class Presses:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Presses())
if at == "end":
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
raise SystemExit(main())
"""


@pytest.mark.parametrize("at", ["device.cli", "device.commands.house", "device.following.live", "end"])
def test_ctrl_c_ends_it_without_a_word_at_any_moment(at: str, tmp_path: Path) -> None:
    words = ["demo", "awale", "--fast"] if at == "device.following.live" else ["matches"]
    ran = subprocess.run(
        [sys.executable, "-c", PRESSED_AT, at, *words],
        capture_output=True, text=True, check=False, env={**os.environ, "HISABU_HOME": str(tmp_path)},
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (130, "")
