"""What the engine and the eyes say of a mistake is known to the table of words, and told in the house's language."""

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from device.words.mistakes import LONGEST, in_words
from engine.events import EventError, parse_event
from engine.journal import JournalError, read_journal
from engine.match import Match
from engine.options import OptionError

ROOT = Path(__file__).resolve().parents[2]
TOLD = {"EventError", "OptionError", "JournalError", "PositionError", "Enrolment", "RecordingError", "_InputError"}
"""What says something to people: errors, and what came of learning a deck."""
SAID_LATER = {"problem", "NO_TRICK"}
"""Names that such a sentence is kept under first."""
PUT_TOGETHER = {"fact: fact", "fact: fact: fact", "line fact: fact", "taken_back: event fact: fact"}
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


def every_mistake() -> Iterator[tuple[str, str]]:
    folders = (
        (ROOT / "engine").rglob("*.py"),
        (ROOT / "vision/cards").glob("enrol*.py"),
        (ROOT / "device").rglob("*.py"),
    )
    for path in chain.from_iterable(folders):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TOLD:
                inside: list[ast.expr] = [*node.args]
            elif (
                isinstance(node, ast.Assign)
                and "device" not in path.parts
                and getattr(node.targets[0], "id", "") in SAID_LATER
            ):
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
