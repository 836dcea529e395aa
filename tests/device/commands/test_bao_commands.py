"""`hisabu moves` and `hisabu perft` as they are typed."""

import io
import json
import sys

import pytest

from device import cli
from engine.rules.mraha import flags_from, options_for, position_to_dict, start

START = position_to_dict(start(flags_from(options_for("kiswahili", {}))))


def hisabu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str, text: str = ""
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    status = cli.main(words)
    out = capsys.readouterr()
    return status, out.out, out.err


def test_moves_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps({"id": "a", **START}) + "\n\n" + json.dumps(START) + "\n"
    status, out, _ = hisabu(monkeypatch, capsys, "moves", "--json", "--preset", "kiswahili", text=text)
    first, second = map(json.loads, out.splitlines())
    assert status == 0 and (first["id"], second["id"]) == ("a", 3)
    assert set(first["moves"]) == {"F6+", "F6-", "F7+", "F7-"}


def test_moves_for_people(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = hisabu(monkeypatch, capsys, "moves", text=json.dumps(START))
    assert status == 0 and "south to move, phase 1" in out and "F7+" in out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "line 1: not a JSON object"),
        ("[]", "line 1: not a JSON object"),
        (json.dumps(START) + "\n{}", 'line 2: "south" is missing'),
        ("\xff", "line 1: not a JSON object"),
        ("[" * 100_000, "line 1: not a JSON object"),
    ],
)
def test_bad_input_names_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    status, out, err = hisabu(monkeypatch, capsys, "moves", text=text)
    assert (status, out) == (2, "") and complaint in err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--preset", "zanzibar"), "unknown preset zanzibar"),
        (("--set", "tax=9"), "tax = 9: allowed are"),
        (("--set", "tax"), "write it as option=value"),
        (("--set", "colour=red"), "unknown option colour"),
    ],
)
def test_bad_options_say_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str
) -> None:
    for command in (("moves",), ("perft", "1")):
        status, _, err = hisabu(monkeypatch, capsys, *command, *words)
        assert status == 2 and complaint in err


def test_perft(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert hisabu(monkeypatch, capsys, "perft", "4", "--preset", "kiswahili")[:2] == (0, "124\n")
    assert json.loads(hisabu(monkeypatch, capsys, "perft", "2", "--json")[1]) == {"depth": 2, "turns": 14}


def test_perft_of_awale(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = hisabu(monkeypatch, capsys, "perft", "3", "awale")
    assert (status, out) == (0, "190\n")
    status, _, err = hisabu(monkeypatch, capsys, "perft", "3", "awale", "--set", "grand_slam=often")
    assert status != 0 and "grand_slam" in err
