"""What somebody meets who tries it for the first time: by hand, in a terminal, with slips of the finger."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from device import version, words
from device.cli import main
from device.commands import console
from device.commands.demo import one_deal
from device.keeping.settings import load
from device.outputs.plain import PlainStream
from engine.events import Play, TakenBack
from engine.games import GAMES
from engine.match import Match
from engine.referee.card_game import CardJudge
from tests.device.answers import answers_by_question

Said = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[3]


def test_it_says_its_version(capsys: Said) -> None:
    wanted = version.of_the_program()
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert (end.value.code, capsys.readouterr().out) == (0, f"hisabu {wanted}\n")


def test_a_slip_of_the_finger_does_not_end_what_is_typed_by_hand() -> None:
    """In a terminal; from a file or a pipe the first mistake ends it, as before."""
    hand, program = pty.openpty()
    ran = subprocess.Popen(
        [sys.executable, "-m", "device.cli", "referee", "turufu", "--lang", "en"],
        stdin=program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    typed = [
        {"event": "deal", "dealer": 3, "turn_up": "3S"}, "{oops", {"event": "dance"}, {"event": "play", "card": "9H"},
    ]  # fmt: skip
    for line in typed:
        os.write(hand, (line if isinstance(line, str) else json.dumps(line)).encode() + b"\n")
    os.write(hand, b"\x04")
    said, _ = ran.communicate(timeout=30)
    os.close(hand)
    os.close(program)
    assert ran.returncode == 0
    assert "line 2: this is not JSON" in said and "line 3: there is no event" in said
    assert "2  Player 1 played 9♥" in said


# -- setup -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_setup_takes_every_default_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said, game: str, language: str
) -> None:
    """What stands in brackets, typed as it stands there, is what Enter would have taken."""
    options = ["--lang", language, "--game", game, "--build", "laptop"]
    yes = words.say(language, "menu-yes")
    asked: list[str] = []
    typed: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        shown = re.findall(r"\[(.*)\] $", prompt)[-1]
        house = words.say(language, "setup-house") in prompt
        typed.append(yes if house else shown)
        return typed[-1]

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    assert main(["setup", *options]) == 0
    out = capsys.readouterr().out
    assert words.say(language, "setup-wrong", value="", allowed="").strip() not in out, out
    found = load(tmp_path / "settings.toml")
    assert found.game == game
    kind = GAMES[game]
    judged = kind.judge(found.players, found.house)[1]
    assert judged == kind.judge(found.players, {"preset": found.preset} if game == "mraha" else {})[1]
    assert all(words.option_about(option.name, language, game) in out for option in kind.options)
    values = " ".join(re.findall(r"\((.*)\) \[", "\n".join(asked)))
    if language != "en":
        assert not re.search(r"\b(true|false|always|after_stock|never|winner|single|sides|none|laptop)\b", values)


@pytest.mark.parametrize(("typed", "kept"), [("toujours", "always"), ("TALON FINI", "after_stock"), ("never", "never")])
def test_a_house_rule_is_answered_in_the_words_of_the_menu_or_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, kept: str
) -> None:
    unasked = answers_by_question(monkeypatch, {"house": ["oui"], "follow": [typed]})
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    assert main(["setup", "--lang=fr", "--game=turufu", "--build=laptop"]) == 0
    assert not unasked
    assert load(tmp_path / "settings.toml").options.get("turufu", {}).get("follow", "always") == kept


# -- the demo ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [name for name, kind in GAMES.items() if not kind.grid])
@pytest.mark.parametrize("seed", range(5))
def test_the_demo_shows_a_card_that_is_taken_back_and_a_revoke_that_is_proven(game: str, seed: int) -> None:
    from random import Random

    judge = Match(game).judge
    assert isinstance(judge, CardJudge)
    events = list(one_deal(judge.game, Random(seed)))
    match = Match(game)
    alerts = [
        (number, notice)
        for number, event in enumerate(events)
        for notice in match.add(event)
        if notice.level == "alert"
    ]
    (at, first), *others = alerts
    assert first.facts["rule"] == "two_from_one_seat"
    wrong, back, right = events[at : at + 3]
    assert isinstance(wrong, Play) and isinstance(back, TakenBack) and isinstance(right, Play)
    assert wrong.card != right.card and back.number == at + 1
    assert others and {notice.code for _, notice in others} == {"revoke"}


def test_the_demo_stands_still_while_an_alert_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from device.commands import demo
    from device.following.show import Show

    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    shown: list[Show | None] = [None]
    reading = demo._AlertRead(lambda: shown[0])
    assert not reading()
    shown[0] = Show({}, alert="x" * 50)
    assert reading()
    now[0] += demo.LEAST_READ_S + 50 * demo.READ_S_A_LETTER - 0.1
    assert reading()
    now[0] += 0.2
    assert not reading()
    shown[0] = Show({}, alert="another")
    assert reading()
    shown[0] = Show({})  # A key has answered it.
    assert not reading()


# -- what takes long, and doctor's picture -----------------------------------------------------------------------------


def test_what_takes_long_says_so_on_a_terminal_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "QUIET_S", 0.01)
    buffer = io.BytesIO()
    stream = PlainStream(buffer, "utf-8", line_buffering=True)
    monkeypatch.setattr(sys, "stderr", stream)
    with console.working("bench, engine"):
        pass
    assert buffer.getvalue() == b""
    monkeypatch.setattr(stream, "isatty", lambda: True)
    with console.working("bench, \x1b[2J"):
        while b"bench" not in buffer.getvalue():
            pass
    said = buffer.getvalue().decode()
    assert "hisabu: bench, �[2J … 0 s" in said and said.endswith("\r\x1b[K")


@pytest.fixture
def doctor_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text(
        f'language = "fr"\nbuild = "laptop"\ncamera = "{tmp_path}/seen"\nmatches = "{tmp_path}/matches"\n'
    )
    return tmp_path


def test_doctor_writes_its_picture_and_says_where(doctor_at: Path, capsys: Said) -> None:
    (doctor_at / "seen").mkdir()
    cv2.imwrite(str(doctor_at / "seen/1.png"), np.full((480, 640, 3), 120, np.uint8))
    main(["doctor", "--picture", str(doctor_at / "out.jpg")])
    assert (doctor_at / "out.jpg").exists()
    assert f"Image enregistrée : {doctor_at / 'out.jpg'}." in capsys.readouterr().out


def test_the_doctor_sends_nobody_to_the_doctor(capsys: Said) -> None:
    for language in words.LANGUAGES:
        main(["doctor", "--camera", "usb:99", "--lang", language])
        said = capsys.readouterr().out
        assert "99" in said and "hisabu doctor" not in said.partition("99")[2].partition("\n")[0]


@pytest.mark.parametrize("out", ["out.jpg", "no/such/out.jpg", "out.unknown"])
def test_doctor_says_why_there_is_no_picture(doctor_at: Path, capsys: Said, out: str) -> None:
    if out != "out.jpg":
        (doctor_at / "seen").mkdir()
        cv2.imwrite(str(doctor_at / "seen/1.png"), np.full((480, 640, 3), 120, np.uint8))
    assert main(["doctor", "--picture", str(doctor_at / out)]) == 2
    said = capsys.readouterr()
    assert out in said.err and not (doctor_at / out).exists()
    if out == "out.jpg":
        assert "aucune image n'a été écrite" in said.err
        assert "il n'y a ni dossier ni film de ce nom" in said.out, "the camera's own words are French too"


@pytest.mark.parametrize("words", [["hall"], ["hall", "forget", "Ali"], ["hall", "move", "there.db"]])
def test_a_hall_without_what_only_it_needs_says_what_to_install(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert main(words) == 2
    assert "pip install -e '.[hall]'" in capsys.readouterr().err


def test_what_a_house_meets_first_is_said_in_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    (tmp_path / "matches").mkdir()
    (tmp_path / "matches/match-0001-2026-01-01-turufu.jsonl").write_text("no journal\n\n")
    for command, said in (
        (["replay", "/no/such"], "il n'y a ni fichier ni dossier de ce nom. Vérifiez"),
        (["replay", str(tmp_path), "--to", "1"], "--to ne va qu'avec un journal"),
        (["replay", "/no/such", "--why"], "--why demande un enregistrement"),
        (["matches", "--folder", str(tmp_path / "matches")], "illisible : ligne 1"),
        (["setup", "--yes", "--set", "follow=never"], "nommez aussi le jeu, avec --game"),
    ):
        main(command)
        told = capsys.readouterr()
        assert said in told.out + told.err, told
