"""A person plays bao and awalé against the device in a terminal: types turns, asks, takes back, is taught."""

import io
import re
from collections.abc import Callable, Iterable
from types import SimpleNamespace

import pytest

from device.cli import main
from device.commands.play import SeedScreen
from device.commands.play_cards import TrickScreen
from engine.games import game_kind
from engine.playing import game_of
from engine.referee.board_judge import BoardJudge
from engine.search import Limits, Searcher, SeedPlayer
from engine.search.cards import LEVEL_SAMPLES
from engine.search.lessons import LESSONS
from engine.search.seeds import searched
from tests.sizes import slow


def table(name: str, person: int = 0, teaches: bool = False, language: str = "en") -> SeedScreen:
    judge, _ = game_kind(name).judge(2, {})
    assert isinstance(judge, BoardJudge)
    return SeedScreen(name, SeedPlayer(judge.game, 4, 1, Limits(nodes=80)), person, language, teaches)


def played(seeds: SeedScreen, typed: Iterable[str]) -> str:
    waiting = iter(typed)
    return "\n".join(seeds.play(lambda: next(waiting, None)))


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The command with somebody who reads all that was printed before he types; all of it in the end."""
    monkeypatch.setitem(LEVEL_SAMPLES, 5, 2)

    def run(command: str, answer: Callable[[str], str]) -> str:
        said = ""

        def readline() -> str:
            nonlocal said
            said += capsys.readouterr().out
            return answer(said) + "\n"

        monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=readline))
        assert main(["play", *command.split()]) == 0
        return said + capsys.readouterr().out

    return run


def first_allowed(said: str) -> str:
    """The first move that is offered, until the deal is over."""
    if "The deal is over" in said or "La donne est finie" in said:
        return "quit"
    offered = re.findall(r"(?:Your turn|À vous) ?: (.+)", said)[-1]
    return str(offered).split(", " if ", " in offered else " ")[0]


@pytest.mark.parametrize(
    ("command", "typed", "done"),
    [
        ("pille --players 4 --lang fr --seed 8", "payer 8♦", "Vous : payer 8♦"),
        ("pille --players 4 --lang fr --seed 8", "pay:8D", "Vous : payer 8♦"),
        ("belote --lang fr --seed 2", "rh", "Vous : R♥"),
        ("belote --lang fr --seed 2", "KH", "Vous : R♥"),
        ("triomphe --players 4 --set teams=sides --lang en --seed 1", "offer", "You: offer"),
    ],
)
def test_what_is_said_and_what_cards_are_called_is_in_the_players_words(
    typing: Callable[..., str], command: str, typed: str, done: str
) -> None:
    waiting = iter([typed, "quit"])
    said = typing(f"{command} --level 1", lambda said: next(waiting))
    assert done in said.splitlines() and ":" not in re.findall(r"(?:Your turn|À vous) ?: (.+)", said)[0]


@pytest.mark.parametrize("name", ["awale", *slow("mraha")])
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
    assert "Z cannot be played. You may play A, B, C, D, E, F." in said
    assert "Hisabu plays " in said
    assert seeds.position == seeds.player.game.opening


def test_what_people_type_instead_is_understood(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for game, keys in (("awale", "Type a turn"), ("belote", "Type a card")):
        monkeypatch.setattr("sys.stdin", io.StringIO("?\nh\nu\nq\nA\n"))
        assert main(["play", game, "--lang", "en", "--seed", "1", "--level", "1"]) == 0
        said = capsys.readouterr().out
        assert said.count(keys) == 2 and "Try " in said and "There is nothing to take back." in said
        assert "cannot be played" not in said and said.count("Your turn") == 4


@pytest.mark.parametrize("turns", [["f", "a"], *slow(["f", "a", "b", "c", "d", "e", "f", "a", "b"] * 2)])
def test_it_teaches_what_was_better(turns: list[str]) -> None:
    seeds = table("awale", teaches=True)
    said = played(seeds, turns)
    assert "captures" in said or "That was the best turn." in said or "leads to a better board" in said


def test_french_writes_a_comma(typing: Callable[..., str]) -> None:
    turns = iter(["f", "a", "quit"])
    said = typing("awale --teach --level 1 --seed 3 --lang fr", lambda said: next(turns))
    assert re.search(r"Graines (gagnées|épargnées) : \d,\d\.$", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("language", "keys", "nothing"),
    [("en", "Type a turn, or: hint, quit.", "There is nothing to take back."),
     ("fr", "Tapez un coup, ou : hint (un conseil), quit (arrêter).", "Il n'y a rien à reprendre.")],
)  # fmt: skip
def test_a_lesson_takes_nothing_back(typing: Callable[..., str], language: str, keys: str, nothing: str) -> None:
    typed = iter(["help", "undo", "quit"])
    lines = typing(f"awale --lessons --lang {language}", lambda said: next(typed)).splitlines()
    assert keys in lines and nothing in lines and not any("undo" in line for line in lines)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "At cards the deal decides who begins"), ("fr", "Aux cartes, la donne décide qui commence")],
)
def test_at_cards_nobody_chooses_to_play_second(capsys: pytest.CaptureFixture[str], language: str, said: str) -> None:
    assert main(["play", "belote", "--second", "--lang", language]) == 2
    assert said in capsys.readouterr().err


def test_the_device_may_begin() -> None:
    assert "Hisabu plays " in played(table("mraha", person=1), ["quit"]).partition("Your turn")[0]


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nC\n \nquit\n"))

    assert main(["play", "awale", "--level", "2", "--seed", "3", "--lang", "fr"]) == 0
    said = capsys.readouterr().out
    assert "permis" not in said, "an empty line is no turn"
    assert "À vous : A, B, C, D, E, F" in said and "Hisabu joue" in said


@pytest.mark.parametrize("game", ["belote", "sueca", "turufu", "triomphe"])
def test_cards_with_the_device_in_every_other_seat(game: str) -> None:
    table = TrickScreen(game_of(game, 4), level=1, seed=3, language="en", teaches=True, advice_samples=2)

    def first() -> str | None:
        return None if table.table.outcomes else table.table.legal_moves[0].lower()

    said = "\n".join(table.play(first))
    assert "Your hand: " in said and "wins the trick with" in said and "The deal is over. Score: " in said
    assert "\n1. " in said  # What every trick turned on.


def test_tricks_taken_back_are_no_tricks_of_the_deal(typing: Callable[..., str]) -> None:
    takes_back = iter([True])

    def answer(said: str) -> str:
        return "undo" if " the trick with" in said and next(takes_back, False) else first_allowed(said)

    said = typing("triomphe --teach --level 1 --seed 5 --lang en", answer)
    assert not next(takes_back, False)
    assert re.findall(r"^(\d+)\. ", said, re.MULTILINE) == list(map(str, range(1, 6)))


@pytest.mark.parametrize(("game", "seed"), [("belote", 10), *slow(("sueca", 4))])
def test_what_was_better_stands_beside_its_own_trick(typing: Callable[..., str], game: str, seed: int) -> None:
    lines = typing(f"{game} --teach --level 1 --seed {seed} --lang en", first_allowed).splitlines()
    told, better = [], ""
    listed = [line for line in lines if re.match(r"\d+\. ", line)]
    for line in lines:
        if line.startswith("Your turn"):
            better = ""
        elif re.match(r"\S+ was better", line):
            better = line
        elif " the trick with" in line and line not in listed:
            told.append(f"{line} {better}".strip())
    assert listed == [f"{at}. {line}" for at, line in enumerate(told, 1)]


@pytest.mark.parametrize(
    ("game", "seed", "worth"),
    [
        ("triomphe", 5, r"points : \d+,\d"),
        *slow(("sueca", 4, r"jeux : \d+,\d"), ("belote", 4, r"points : \d+")),
    ],
)
def test_a_better_card_is_worth_what_the_match_is_won_by(
    typing: Callable[..., str], game: str, seed: int, worth: str
) -> None:
    said = typing(f"{game} --teach --level 1 --seed {seed} --lang fr", first_allowed)
    assert "Vous remportez le pli avec " in said and "Vous remporte " not in said
    given = re.findall(r"était meilleur. Gain en (.*)\.$", said, re.MULTILINE)
    assert given and all(re.fullmatch(worth, words) for words in given)


def test_a_card_is_typed_hinted_and_taken_back() -> None:
    table = TrickScreen(game_of("sueca", 4), level=1, seed=5, language="en", advice_samples=2)
    typed = iter(["undo", "hint", "XX"])
    said = "\n".join(table.play(lambda: next(typed, None)))
    assert "There is nothing to take back." in said and "Try " in said and "XX cannot be played." in said
    hand = list(table.table.hands[0])
    typed = iter([table.table.legal_moves[0], "undo"])
    list(table.play(lambda: next(typed, None)))
    assert sorted(table.table.hands[0]) == sorted(hand)


@pytest.mark.parametrize("game", ["belote", "turufu", *slow("pille", "sueca", "triomphe")])
def test_a_card_that_is_not_legal_is_refused_with_the_duty_it_breaks(game: str) -> None:
    why: set[str] = set()
    for seed in range(16, 24):
        table = TrickScreen(game_of(game, 4), level=1, seed=seed, language="en")
        tried: set[str] = set()

        def next_typed(table: TrickScreen = table, tried: set[str] = tried) -> str | None:
            one = table.table
            other = set(one.hands[0]) - set(one.legal_moves) - tried if not one.asked else set()
            tried.update(other)
            return None if one.outcomes else next(iter(sorted(other)), one.legal_moves[0])

        lines = list(table.play(next_typed))
        refused = [line for line in lines if line.startswith("You may not play ")]
        assert not any("cannot be played" in line for line in lines)
        why |= {line.split(": ")[1].split(". ")[0] for line in refused}
    assert "you must follow suit" in why and (len(why) == 1) == (game in ("sueca", "turufu"))


@pytest.mark.parametrize("every", [10, *slow(1)])
@pytest.mark.parametrize("name", ["mraha", *slow("kiswahili"), "awale"])
def test_ten_lessons_answered_wrong_and_right(name: str, every: int) -> None:
    """every: of so many lessons the first is answered wrong once, and looked for by the search."""
    game = "awale" if name == "awale" else "mraha"
    judge, _ = game_kind(game).judge(2, {"preset": name} if game == "mraha" else {})
    assert isinstance(judge, BoardJudge)
    screen = SeedScreen(game, SeedPlayer(judge.game, 4, 1, Limits(nodes=400)), 0, "en")
    answers = []
    for number, lesson in enumerate(LESSONS[name]):
        position = lesson.position(judge.game)
        legal = judge.game.legal(position)
        assert position.to_move == 0
        if number % every == 0:
            assert Searcher(searched(judge.game)).lines(position, Limits(nodes=2000))[0].key == lesson.best
            answers.append(next(key for key in legal if key != lesson.best))
        answers.append(lesson.best)
    typed = iter(answers)
    said = "\n".join(screen.lessons(lambda: next(typed, None)))
    assert said.count("That was the best turn.") == 10 and said.count("Try again.") == len(answers) - 10
    assert "Lesson 10 of 10" in said and said.endswith("That was the last lesson.")
