"""A person plays bao and awalé against the device in a terminal: types turns, asks, takes back, is taught."""

import io
from collections.abc import Iterable

import pytest

from device.cli import main
from device.commands.play import SeedScreen
from engine.games import game_kind
from engine.referee.board_judge import BoardJudge
from engine.search import Limits, SeedPlayer


def table(name: str, person: int = 0, teaches: bool = False, language: str = "en") -> SeedScreen:
    judge, _ = game_kind(name).judge(2, {})
    assert isinstance(judge, BoardJudge)
    return SeedScreen(name, SeedPlayer(judge.game, 4, 1, Limits(nodes=200)), person, language, teaches)


def played(seeds: SeedScreen, typed: Iterable[str]) -> str:
    waiting = iter(typed)
    return "\n".join(seeds.play(lambda: next(waiting, None)))


@pytest.mark.parametrize("name", ["mraha", "awale"])
def test_a_whole_game_by_hints(name: str) -> None:
    seeds = table(name)

    def hinted() -> str:
        return seeds.player.best(seeds.position).key.lower()

    said = "\n".join(seeds.play(hinted))
    assert seeds.position.over
    assert ("You win." in said) + ("Hisabu wins." in said) + ("Nobody wins." in said) == 1


def test_a_turn_is_typed_taken_back_and_asked_for() -> None:
    seeds = table("awale")
    said = played(seeds, ["hint", "undo", "Z", "c", "undo", "quit"])
    assert "Try " in said and "There is nothing to take back." in said
    assert "Z is not a legal turn. You may play A, B, C, D, E, F." in said
    assert "Hisabu plays " in said
    assert seeds.position == seeds.player.game.opening


def test_it_teaches_what_was_better() -> None:
    seeds = table("awale", teaches=True)
    said = played(seeds, ["f", "a", "b", "c", "d", "e", "f", "a", "b"] * 2)
    assert "was better" in said or "The best turn." in said


def test_the_device_may_begin() -> None:
    assert "Hisabu plays " in played(table("mraha", person=1), ["quit"]).partition("Your turn")[0]


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("C\nquit\n"))

    assert main(["play", "awale", "--level", "2", "--seed", "3", "--lang", "fr"]) == 0
    said = capsys.readouterr().out
    assert "À vous : A, B, C, D, E, F" in said and "Hisabu joue" in said
