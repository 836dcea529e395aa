"""An error is a code and its facts: every code has its message, and every language tells it."""

import argparse
import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from device import words
from device.cli import main, parser
from device.commands.parsing import _OF_ARGPARSE
from device.words import in_words
from device.words.messages import messages
from engine.errors import GameError
from engine.events import EventError, parse_event
from engine.games import GAMES
from engine.journal import JournalError, read_journal
from engine.match import Match
from engine.options import OptionError

ROOT = Path(__file__).resolve().parents[2]
RAISED = {
    "GameError", "EventError", "OptionError", "PositionError", "RecordingError", "_InputError", "PanelAway",
    "DisplayAway", "PinsAway", "InstallError", "Skipped", "PanelVersion", "Slip", "StoreAway",
}  # fmt: skip
"""What has its message under "mistake"."""
TOPICS = {"CameraAway": "camera", "BrokerAway": "away", "NotAPicture": "pictures", "Problem": "settings"}


@cache
def every_code() -> list[tuple[str, str, str]]:
    """All of them."""
    return list(raised_codes())


def raised_codes() -> Iterator[tuple[str, str, str]]:
    """Where an error is raised, under which topic its message is, and its code."""
    raises = re.compile("|".join((*RAISED, *TOPICS)))
    folders = ((ROOT / room).rglob("*.py") for room in ("engine", "vision/cards", "device"))
    for path in chain.from_iterable(folders):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if raises.search(text) else ():
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = str(getattr(node.func, "id", None) or getattr(node.func, "attr", ""))
            topic = "mistake" if name in RAISED else TOPICS.get(name)
            for within in ast.walk(node.args[0]) if topic else ():
                if (
                    isinstance(within, ast.Constant)
                    and isinstance(within.value, str)
                    and re.fullmatch(r"\w+", within.value)
                ):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", str(topic), within.value


def test_every_error_has_its_message() -> None:
    raised = every_code()
    assert len(raised) > 150
    assert not [raised_here for raised_here in raised if not words.has("en", f"{raised_here[1]}-{raised_here[2]}")]


def test_nothing_is_said_that_no_error_says() -> None:
    raised = {code for _, topic, code in every_code() if topic == "mistake"}
    named = {name.removeprefix("mistake-") for name in messages("en", "mistake")}
    source = "".join(
        path.read_text(encoding="utf-8") for room in ("engine", "device") for path in (ROOT / room).rglob("*.py")
    )
    assert not {name for name in named - raised if f'"{name}"' not in source and f"mistake-{name}" not in source}


def test_an_error_goes_from_one_process_to_another() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(JournalError(3, EventError("not_a_card", value="1X"))))
    assert error.line == 3 and in_words(error, "en").startswith('line 3: "1X" is not a card')


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (
            {"event": "play", "card": "1X"},
            "play : card : « 1X » n'est pas une carte ; écrivez la valeur puis la couleur",
        ),
        ({"event": "dance"}, "l'événement « dance » n'existe pas ; choisissez parmi deal"),
        ({"event": "play"}, "play : il manque card"),
        ("[]", "un événement s'écrit"),
    ],
)
def test_a_mistake_in_an_event_is_told_in_french(raw: object, said: str) -> None:
    with pytest.raises(EventError) as error:
        parse_event(raw)
    assert in_words(error.value, "fr").startswith(said)


def test_a_mistake_in_a_journal_is_told_with_its_line() -> None:
    with pytest.raises(JournalError) as error:
        read_journal('{"hisabu":1,"game":"turufu","players":4}\n{"event":,}\n')
    assert in_words(error.value, "fr") == "ligne 2 : ce n'est pas du JSON (voyez le caractère 10)"
    with pytest.raises(JournalError) as error:
        read_journal("{}\n")
    assert in_words(error.value, "fr").startswith("ligne 1 : ce n'est pas un journal ; il commence par {\"")


def test_a_step_that_fails_is_told_with_what_to_do() -> None:
    told = in_words(GameError("install_failed", what="apt-get update", error=GameError("install_again")), "fr")
    assert told == "échec : apt-get update. Corrigez cela et relancez la même commande ; rien n'est abîmé."


def test_facts_are_told_as_they_are() -> None:
    with pytest.raises(OptionError) as error:
        Match("turufu", 4, {"follow": "maybe {not}"})
    assert in_words(error.value, "fr") == "follow = maybe {not} : choisissez parmi always, after_stock, never"
    places = [GameError("place_of", found=found, wanted=wanted) for found, wanted in (("8H", "7H"), ("9H", "8H"))]
    said = in_words(GameError("cards_order", places=places), "fr")
    assert said.startswith("L'ordre est différent : 8H est à la place de 7H, 9H est à la place de 8H.")


def test_what_is_endless_is_cut_in_its_middle() -> None:
    long = in_words(EventError("not_a_count", value="9" * 1_000_000, most=64), "fr")
    assert long.endswith("n'est pas un nombre de graines ; une case en a de 0 à 64") and len(long) < 500


def test_what_has_no_code_says_what_it_says() -> None:
    assert in_words(ValueError("a fault without a name"), "fr") == "a fault without a name"


def everything_offered(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What a command line says of itself: commands, options, what they take."""
    yield from filter(None, (parser.description, *(group.title for group in parser._action_groups)))
    for action in parser._actions:
        yield from filter(None, [action.help])
        if isinstance(action, argparse._SubParsersAction):
            yield from (str(action.help) for action in action._choices_actions)
            for chosen in dict.fromkeys(action.choices.values()):
                yield from everything_offered(chosen)


@pytest.mark.parametrize("language", ["fr", "shi"])
def test_the_command_line_says_all_of_itself_in_every_language(language: str) -> None:
    for said in everything_offered(parser()):
        if set(said.split(", ")) <= set(GAMES):
            continue
        assert words.has(language, _OF_ARGPARSE.get(said, f"help-{said}")), said
        told = words.say(language, _OF_ARGPARSE.get(said, f"help-{said}"), **getattr(said, "facts", {}))
        assert not re.search(r"\b(the|of|from|with)\b", told), told


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "hisabu : il manque : COMMANDE"),
        ("referee", "hisabu referee : il manque : JEU"),
        ("referee chess", "JEU : 'chess' n'est pas possible ; choisissez parmi "),
        ("run --players two", "--players : 'two' n'est pas un nombre entier"),
        ("run --nothing", "hisabu : inconnu ici : --nothing"),
        ("demo --seed", "--seed : il faut une valeur"),
        ("demo --seed x", "--seed : « x » ne va pas ; écrivez un nombre entier, comme 0, 1 ou 2"),
        ("perft x", "PROFONDEUR : « x » n'est pas un nombre de coups"),
        ("seeds a.jpg --grid 5", "« 5 » n'est pas un tablier : écrivez rangées x colonnes"),
        ("seeds a.jpg --corners 1,1 2 3,3 4,4", "--corners : « 2 » n'est pas un point"),
        ("run --auto=x", "--auto : ne prend pas de valeur ; enlevez 'x'"),
        ("matches --settings", "--settings : il faut une valeur"),
        ("panel show --seconds 99", "« 99 » n'est pas une durée de 0 à 60 secondes"),
    ],
)
def test_a_slip_on_the_command_line_is_told_in_french(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    with pytest.raises(SystemExit) as end:
        main(line.split())
    told = capsys.readouterr().err
    assert end.value.code == 2 and said in told and told.startswith("usage : hisabu")


def test_help_is_in_the_language_of_the_settings_or_the_one_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en")

    def helped(*line: str) -> str:
        with pytest.raises(SystemExit):
            main([*line, "--help"])
        return capsys.readouterr().out

    assert "show this help" in helped("demo")
    assert "montre cette aide" in helped("demo", "--lang", "fr")
    (tmp_path / "settings.toml").write_text('language = "fr"\n')
    assert "montre cette aide" in helped("demo")
    assert "show this help" in helped("demo", "--lang=en")
