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
    assert status == 0 and "South plays next, phase 1" in out and "F7+" in out


AWALE = {"south": {"pits": [0, 0, 0, 0, 0, 2]}, "north": {"pits": [0, 0, 0, 1, 1, 1]}, "to_move": "south"}


def test_moves_of_awale(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps({**AWALE, "captured": {"south": 24, "north": 19}})
    status, out, _ = hisabu(monkeypatch, capsys, "moves", "awale", text=text)
    assert status == 0 and "F, captures 4, South wins" in out and "28 taken" in out
    status, out, _ = hisabu(monkeypatch, capsys, "moves", "awale", "--json", text=json.dumps(AWALE))
    after = {"over": True, "winner": "south", "captured": {"south": 4, "north": 1}}  # North cannot feed South.
    assert json.loads(out)["moves"] == {"F": after}


def test_the_positions_that_moves_writes_it_reads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = {"south": {"pits": [4] * 6}, "north": {"pits": [4] * 6}, "to_move": "south"}
    _, out, _ = hisabu(monkeypatch, capsys, "moves", "awale", "--json", text=json.dumps(start))
    after = json.loads(out)["moves"]
    text = "\n".join(json.dumps({"id": key, **position}) for key, position in after.items())
    status, out, _ = hisabu(monkeypatch, capsys, "moves", "awale", "--json", text=text)
    assert status == 0 and [json.loads(line)["id"] for line in out.splitlines()] == list(after)
    assert sum(len(json.loads(line)["moves"]) for line in out.splitlines()) == 36  # Perft of two.


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"south": {"pits": [4] * 8}}, "south: pits is not a list of 6 pits"),
        ({"north": {"pits": [0] * 5 + [49]}}, 'north: pits pit 6 is "49"; it holds 0 to 48 seeds'),
        ({"captured": {"south": 44}}, "49 seeds are too many; the game has 48"),
        ({"captured": [1, 2]}, '"captured" should look like'),
        ({"to_move": "east"}, 'to_move is "east"; choose from south, north'),
    ],
)
def test_what_is_no_position_of_awale(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], change: dict[str, object], complaint: str
) -> None:
    status, _, err = hisabu(monkeypatch, capsys, "moves", "awale", text=json.dumps({**AWALE, **change}))
    assert status == 2 and f"line 1: {complaint}" in err


def test_a_game_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = hisabu(monkeypatch, capsys, "moves", "kalah", "positions.jsonl")
    assert status == 2 and '"kalah" is not a game on a board' in err


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
        (("--preset", "zanzibar"), 'there are no rules called "zanzibar"'),
        (("--set", "tax=9"), "tax = 9: choose from"),
        (("--set", "tax"), "write it as option=value"),
        (("--set", "colour=red"), 'there is no house rule "colour"'),
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


@pytest.mark.parametrize("depth", ["101", "900", "9" * 5000])
def test_perft_goes_no_deeper_than_it_can(capsys: pytest.CaptureFixture[str], depth: str) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["perft", depth, "--lang", "en"])
    assert ended.value.code == 2 and "write a depth from 0 to 100" in capsys.readouterr().err
