"""The command line as a person or a program uses it: what goes in, what comes out, and what a mistake is told."""

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device import cli
from engine.events import event_to_dict
from engine.games import card_tables
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal
from tests.sizes import slow

Ran = subprocess.CompletedProcess[str]


def process(*words: str, text: str = "") -> Ran:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "device.cli", *words], input=text, capture_output=True, text=True, check=False
    )


def hisabu(*words: str, text: str = "") -> Ran:
    """The same without the start of a process, which takes longer than what most commands do."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = cli.main(words)
            except SystemExit as end:  # As argparse ends where the words make no sense.
                status = int(end.code or 0)
    return Ran(words, status, out.getvalue(), err.getvalue())


def lines(*events: object) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


DEAL = {"event": "deal", "dealer": 3, "turn_up": "3S"}
PLAY = {"event": "play", "card": "AH", "seat": 0}


def test_events_in_notices_and_views_out() -> None:
    ran = process("referee", "turufu", "--json", text=lines(DEAL, {"event": "play", "card": "9H"}))
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 0
    assert [next(iter(row)) for row in rows] == ["notice", "view", "notice", "view"]
    assert rows[0] == {"notice": "reminder", "level": "info", "about": "signals"}
    assert rows[2] == {
        "notice": "illegal", "level": "alert", "rule": "not_in_pack", "number": 2, "trick": 1, "seat": 0,
        "cards": ["9H"],
    }  # fmt: skip
    assert rows[3]["view"]["alert"]["rule"] == "not_in_pack"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "That card marks the games lost"), ("fr", "Cette carte marque les jeux perdus")]
)
def test_sentences_for_people(language: str, said: str) -> None:
    ran = hisabu("referee", "turufu", "--lang", language, text=lines(DEAL, {"event": "play", "card": "9H"}))
    assert said in ran.stdout
    assert "9♥" in ran.stdout


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        (["referee", "turufu"], lines(DEAL) + "{oops\n", "line 2: this is not JSON"),
        (["referee", "turufu"], lines(DEAL, [1]), "line 2: an event looks like"),
        (["referee", "turufu"], lines(DEAL, {"event": "dance"}), 'line 2: there is no event "dance"'),
        (["referee", "turufu"], lines(DEAL, {"event": "play", "card": "1H"}), 'line 2: play: card: "1H" is not a card'),
        (["referee", "turufu"], lines(DEAL, {"event": "play", "card": "AH", "seat": 9}), "line 2: seat 9: this table"),
        (["referee", "turufu"], lines(DEAL, {**PLAY, "seat": True}), "seat: true is not a seat"),
        (["referee", "turufu", "--lang", "fr"], lines(DEAL, {**PLAY, "seat": {"x": 1}}), 'seat : {"x": 1} n\'est pas'),
        (["moves", "awale"], "null", "line 1: not a JSON object but null"),
        (["moves", "awale"], '[true, "é"]', 'line 1: not a JSON object but [true, "é"]'),
        (["referee", "turufu"], lines({"event": "play", "card": "AH"}), "line 1: no deal is being played"),
        (["referee", "turufu"], "[" * 100_000, "line 1: this is not JSON"),
        (["referee", "turufu", "--players", "5"], "", "cannot be played by 5; players: 2, 4, 6"),
        (
            ["run", "--lang", "en", "--game", "belote", "--device-seat", "5"],
            "",
            'with game = "belote", choose from 1 to 4',
        ),
        (["run", "--lang", "en", "--game", "mraha", "--device-seat", "1"], "", "seats are for card games"),
        (
            ["run", "--lang", "en", "--game", "auto", "--device-seat", "1"],
            "",
            "name the game too, for example --game belote",
        ),
        (["run", "--lang", "en", "--camera", "no_film.mp4"], "", "no_film.mp4: there is no such folder or film"),
        (["play", "awale", "--lessons", "--lang", "fr", "--camera", "pas_de_film.mp4"], "", "ni dossier ni film"),
        (["run", "--lang", "fr", "--game", "mraha", "--device-seat", "1"], "", "les places sont pour les cartes"),
        (["referee", "turufu", "--set", "follow"], "", "write it as option=value"),
        (["referee", "turufu", "--set", "follow=x"], "", "choose from always, after_stock, never"),
        (
            ["referee", "turufu", "/no/such", "--lang", "en"],
            "",
            "/no/such: there is no such file or folder. Check the spelling",
        ),
        (["replay", "/no/such", "--lang", "fr"], "", "/no/such: il n'y a ni fichier ni dossier de ce nom. Vérifiez"),
    ],
)
def test_mistakes_are_named_without_a_traceback(words: list[str], text: str, message: str) -> None:
    ran = (process if "/no/such" in words else hisabu)(*words, text=text)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    events = [event_to_dict(event) for event in honest_deal(match.judge.game, Random(1), 3).events]
    path = tmp_path / "match.jsonl"
    assert hisabu("referee", "turufu", "--journal", str(path), text=lines(*events)).returncode == 0
    return path


def test_replay_shows_the_match_again(journal: Path) -> None:
    ran = hisabu("replay", str(journal), "--json")
    views = [json.loads(line)["view"] for line in ran.stdout.splitlines() if line.startswith('{"view"')]
    assert (ran.returncode, views[-1]["phase"], sum(views[-1]["points"])) == (0, "deal_over", 120)
    part = hisabu("replay", str(journal), "--json", "--to", "3")
    assert len([line for line in part.stdout.splitlines() if line.startswith('{"view"')]) == 3


def test_replay_drops_a_torn_line_and_says_so(journal: Path) -> None:
    journal.write_text(journal.read_text()[:-9])
    ran = hisabu("replay", str(journal), "--lang", "en")
    assert ran.returncode == 0
    assert "incomplete" in ran.stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"seat":2', '"seat":1', "changed or damaged"),
        ('"hisabu":1', '"hisabu":7', "line 1"),
        ("\n", "", "line 1"),
    ],
)
def test_replay_names_what_is_wrong(journal: Path, old: str, new: str, message: str) -> None:
    journal.write_text(journal.read_text().replace(old, new, 1))
    ran = hisabu("replay", str(journal))
    assert (ran.returncode, "Traceback" in ran.stderr) == (2, False)
    assert message in ran.stderr


def test_replay_of_a_folder_or_a_picture(tmp_path: Path) -> None:
    assert "not a recording" in hisabu("replay", str(tmp_path)).stderr
    picture = tmp_path / "x.jpg"
    picture.write_bytes(bytes(range(256)) * 9)
    ran = hisabu("replay", str(picture))
    assert (ran.returncode, "Traceback" in ran.stderr) == (2, False)


def test_a_file_may_be_named_after_the_options(tmp_path: Path) -> None:
    events = tmp_path / "events"
    events.write_text(lines(DEAL, {"event": "play", "card": "9H"}))
    ran = hisabu("referee", "turufu", "--lang", "en", str(events))
    assert ran.returncode == 0 and "9♥. That card marks the games lost" in ran.stdout
    assert hisabu("referee", "turufu", str(events), str(events)).returncode == 2


@pytest.mark.slow
def test_a_demo_whose_reader_has_gone_ends_quietly() -> None:
    ran = subprocess.run(
        f"{sys.executable} -m device.cli demo mraha --fast --lang en | head -n 1",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.stdout.count("\n") == 1 and ran.stderr == ""


def test_a_command_whose_reader_has_gone_ends_quietly(tmp_path: Path) -> None:
    """What it would still say is more than a pipe holds."""
    (tmp_path / "events").write_text(lines(DEAL, *([PLAY, {"event": "undo"}] * 300)))
    ran = subprocess.run(
        f"{sys.executable} -m device.cli referee turufu --json {tmp_path / 'events'} | head -n 1",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.stdout.count("\n") == 1 and ran.stderr == ""


@pytest.mark.parametrize("seed", ["-5", "x"])
def test_a_demo_of_no_seed_is_refused(seed: str) -> None:
    ran = hisabu("demo", "--fast", "--seed", seed)
    assert ran.returncode == 2 and "Traceback" not in ran.stderr


CAUGHT = {"mraha": "captures nothing", "belote": "Revoke"}


@pytest.mark.parametrize(("game", "players"), slow(("mraha", 2), *card_tables()))
def test_the_demo_ends_by_itself_and_catches_an_illegal_move(game: str, players: int) -> None:
    ran = process("demo", game, "--players", str(players), "--fast", "--lang", "en")
    assert ran.returncode == 0
    assert CAUGHT.get(game, "put down two cards in trick 2") in ran.stdout
    assert "cannot be read" not in ran.stdout, "nobody is accused through an unread card"
    assert game in ("mraha", "belote") or "over" in ran.stdout or "Vole" in ran.stdout
    assert "hisabu --help" in ran.stdout


@pytest.mark.slow
def test_bench_prints_figures() -> None:
    def figures() -> Any:
        return json.loads(hisabu("bench", "engine", "--quick").stdout)["engine"]

    first = figures()
    assert first["deals_per_s"]["turufu 4"] > 0
    # A bound on growth, not on speed: an event late in the match costs about what an early one does. On a machine that
    # has much else to do one measurement may be far off.
    growth = first["growth"]["late_to_early"]
    assert growth < 2 or any(figures()["growth"]["late_to_early"] < 2 for _ in range(2))
