"""What the engine and the eyes say of a mistake is known to the table of words, and told in the house's language."""

import argparse
import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from device.cli import main, parser
from device.machine.install import AGAIN
from device.words.mistakes import LONGEST, in_words
from engine.events import EventError, parse_event
from engine.games import GAMES
from engine.journal import JournalError, read_journal
from engine.match import Match
from engine.options import OptionError

ROOT = Path(__file__).resolve().parents[2]
TOLD = {
    "EventError", "OptionError", "JournalError", "PositionError", "Enrolment", "RecordingError", "_InputError",
    "PanelAway", "DisplayAway", "PinsAway", "InstallError", "Remark", "ArgumentTypeError",
}  # fmt: skip
"""What says something to people: errors, and what came of learning a deck."""
SAID_LATER = {"problem", "NO_TRICK", "NO_PICO", "NO_ANSWER", "AGAIN", "NO_START"}
"""Names that such a sentence is kept under first."""
PUT_TOGETHER = {
    "fact: fact", "fact: fact: fact", "line fact: fact", "taken_back: event fact: fact", "failed: fact. fact",
    "fact: there is no user fact. fact", "fact fact",
}  # fmt: skip
"""Of what is told elsewhere."""


def said_by(node: ast.AST) -> Iterator[str]:
    """The sentences in it, each fact of theirs as a word."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(one.value) if isinstance(one, ast.Constant) else "fact" for one in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
        yield node.value
    else:
        for one in ast.iter_child_nodes(node):
            yield from said_by(one)


def _name(called: ast.expr) -> str:
    return str(getattr(called, "id", None) or getattr(called, "attr", ""))


def every_mistake() -> Iterator[tuple[str, str]]:
    folders = (
        (ROOT / "engine").rglob("*.py"),
        (ROOT / "vision/cards").glob("enrol*.py"),
        (ROOT / "device").rglob("*.py"),
    )
    for path in chain.from_iterable(folders):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in TOLD:
                inside: list[ast.expr] = [*node.args]
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in SAID_LATER:
                if not isinstance(node.value, ast.JoinedStr | ast.Constant):
                    continue
                inside = [node.value]
            else:
                continue
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            yield from ((where, said) for one in inside for said in said_by(one) if said not in PUT_TOGETHER)


@pytest.mark.parametrize("language", ["fr", "shi"])
def test_every_mistake_is_told_in_every_language(language: str) -> None:
    told = list(every_mistake())
    assert len(told) > 80
    english = [(where, said) for where, said in told if in_words(said, language) == said]
    assert not english, english


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (
            {"event": "play", "card": "1X"},
            "play : card : '1X' n'est pas une carte ; on écrit la valeur puis la couleur",
        ),
        ({"event": "dance"}, "'dance' n'est pas un événement ; il y a deal"),
        ({"event": "play"}, "play : il manque card"),
        ("[]", "un événement est un objet comme"),
    ],
)
def test_a_mistake_in_an_event_is_told_in_french(raw: object, said: str) -> None:
    with pytest.raises(EventError) as error:
        parse_event(raw)
    assert in_words(error.value, "fr").startswith(said)
    assert in_words(error.value, "en") == str(error.value)


def test_a_mistake_in_a_journal_is_told_with_its_line() -> None:
    with pytest.raises(JournalError) as error:
        read_journal('{"hisabu":1,"game":"turufu","players":4}\n{"event":,}\n')
    assert in_words(error.value, "fr") == "ligne 2 : ce n'est pas du JSON : voyez le caractère 10"
    with pytest.raises(JournalError) as error:
        read_journal("{}\n")
    assert in_words(error.value, "fr").startswith(
        'ligne 1 : aucun journal ne commence ainsi ; la première ligne est `{"'
    )


def test_a_step_that_fails_is_told_with_what_to_do() -> None:
    told = in_words(f"failed: apt-get update. {AGAIN}", "fr")
    assert told.startswith("échec : apt-get update. Ce qui est déjà fait ne gêne pas")
    told = in_words(f"/etc/passwd: there is no user hisabu. {AGAIN}", "fr")
    assert told.startswith("/etc/passwd : il n'y a pas d'utilisateur hisabu. Ce qui")


def test_a_pin_that_is_held_is_told_in_french() -> None:
    held = "A pin cannot be used: 'GPIO busy'. Does another program hold it?"
    assert in_words(held, "fr") == "Une broche ne peut pas servir : 'GPIO busy'. Un autre programme la tient-il ?"


def test_facts_are_told_as_they_are() -> None:
    with pytest.raises(OptionError) as error:
        Match("turufu", 4, {"follow": "maybe {not}"})
    assert in_words(error.value, "fr") == ("follow = maybe {not} : sont permis always, after_stock, never")
    said = "another order: 8H where 7H should lie, 9H where 8H should lie. Lay them as proposed."
    assert in_words(said, "fr").startswith("un autre ordre : 8H à la place de 7H, 9H à la place de 8H. Posez-les")


def test_what_nobody_wrote_down_and_what_is_endless_is_told_all_the_same() -> None:
    assert in_words("a fault without a name", "fr") == "a fault without a name"
    long = in_words(EventError(f"{'9' * 1_000_000!r} is not a count of seeds; a pit holds 0 to 64"), "fr")
    assert long.endswith("n'est pas un nombre de graines ; une case en a de 0 à 64") and len(long) < 2 * LONGEST


def everything_offered(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What a command line says of itself: commands, options, what they take."""
    yield from filter(None, (parser.description, *(group.title for group in parser._action_groups)))
    for action in parser._actions:
        yield from filter(None, [action.help])
        if isinstance(action, argparse._SubParsersAction):
            yield from (str(one.help) for one in action._choices_actions)
            for one in dict.fromkeys(action.choices.values()):
                yield from everything_offered(one)


@pytest.mark.parametrize("language", ["fr", "shi"])
def test_the_command_line_says_all_of_itself_in_every_language(language: str) -> None:
    for said in everything_offered(parser()):
        if set(said.split(", ")) <= set(GAMES):
            continue
        told = in_words(said, language, "help")
        assert told != said or said in ("options", "JSON Lines"), said
        assert "Allowed" not in told and not re.search(r"\b(the|of|from|with)\b", told), told


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "hisabu : il manque : COMMANDE"),
        ("referee", "hisabu referee : il manque : JEU"),
        ("referee chess", "JEU : 'chess' : sont permis "),
        ("run --players two", "--players : 'two' n'est pas un nombre entier"),
        ("run --nothing", "hisabu : inconnu ici : --nothing"),
        ("demo --seed", "--seed : il faut une valeur"),
        ("demo --seed x", "--seed : 'x' n'est pas un nombre à partir de 0"),
        ("perft x", "PROFONDEUR : x n'est pas un nombre de coups"),
        ("seeds a.jpg --grid 5", "'5' n'est pas un tablier : rangées x colonnes"),
        ("seeds a.jpg --corners 1,1 2 3,3 4,4", "--corners : '2' n'est pas un point"),
        ("run --auto=x", "--auto : n'a pas de valeur : 'x'"),
        ("matches --settings", "--settings : il faut une valeur"),
        ("panel show --seconds 99", "99 n'est pas une durée de 0 à 60 secondes"),
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

    assert "show this help message" in helped("demo")
    assert "montre cette aide" in helped("demo", "--lang", "fr")
    (tmp_path / "settings.toml").write_text('language = "fr"\n')
    assert "montre cette aide" in helped("demo")
    assert "show this help message" in helped("demo", "--lang=en")
