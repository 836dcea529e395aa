"""Nobody says which game it is: it is found, asked for where no look can tell, kept over a power cut, and put right."""

import contextlib
import json
import math
import multiprocessing
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from device.appliance import Appliance
from device.following.auto import AutoFollower, GameFound, NotYet
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.keeping import journal
from device.keeping.journal import MISTAKEN, MatchRecord
from device.keeping.looks import FIRST_DEAL, FirstDeal, later
from device.keeping.settings import AUTO, Settings
from engine.events import Deal, Event, EventError, Play, Undo
from engine.match import Header, Match
from engine.notices import ALERT
from engine.referee.card_game import CardJudge
from engine.sightings import TableLook
from engine.table.acts import LAY
from engine.table.card_table import CardTable
from engine.table.hypothesis import Hypothesis, TrickCard
from engine.table.which_game import Candidate, WhichGame
from engine.table.why import Why
from tests.sizes import slow
from tools.looks_file import OneBoard, Recorded, RecordedEye, made_up
from tools.which_game import evenings, follow, summed, told
from vision.frame import Frame

EVENINGS = int(os.environ.get("HISABU_EVENINGS", "100"))
BLANK = np.full((8, 8, 3), 128, np.uint8)
ENGLISH = Settings(language="en", game=AUTO, build="laptop", display="none")


class Table:
    """A table under auto, its looks given by hand."""

    def __init__(
        self,
        looks: Sequence[TableLook],
        folder: Path | None = None,
        settings: Settings = ENGLISH,
        last: Header | None = None,
        board: tuple[int, int] | None = None,
        thinks_s: float = math.inf,
    ) -> None:
        self.now = 0.0
        self.begun: list[Settings] = []
        self.records: list[MatchRecord] = []
        self.followers: list[AutoFollower] = []
        self.saved: list[Settings] = []
        self.kept = FirstDeal(folder)
        found = journal.resume(folder).record if folder is not None else None
        self.folder = folder
        self.live = LiveTable(
            found or NotYet(settings, last),
            settings,
            self.begin,
            self.saved.append,
            looks=self.kept,
            last=last,
            auto=partial(self.follow, eye=RecordedEye(looks), finds_board=OneBoard(board), thinks_s=thinks_s),
        )

    def follow(self, *given: Any, **more: Any) -> AutoFollower:
        self.followers.append(AutoFollower(*given, **more))
        return self.followers[-1]

    def begin(self, settings: Settings) -> InMemory | MatchRecord:
        self.begun.append(settings)
        match = Match(settings.game, settings.players, settings.house)
        if self.folder is None:
            return InMemory(match)
        self.records.append(MatchRecord.begin(self.folder, match))
        return self.records[-1]

    def see(self, until_s: float) -> None:
        """Frames up to a time."""
        while self.now < until_s:
            self.now += 0.1
            self.live.see(Frame(BLANK, self.now))

    def press(self, button: str) -> None:
        self.live.press(Press(button))


@pytest.fixture(scope="module")
def turufu() -> Recorded:
    return made_up("turufu-2-made_calm-5", deals=1)


@pytest.fixture(scope="module")
def triomphe() -> Recorded:
    """A deal that may have been one of the other game too."""
    return made_up("triomphe-2-made_calm-1", deals=1)


@pytest.fixture(scope="module")
def of_four() -> Recorded:
    """The same with four."""
    return made_up("triomphe-4-made_calm-2", deals=1)


def end_of(recorded: Recorded, tricks: int) -> float:
    """When so many were taken up, and the next was led."""
    done = [(happening["at_s"], happening["event"]) for happening in recorded.truth["happened"]]
    taken = [at_s for at_s, event in done if event == "taken"][tricks - 1]
    return float(min([at_s for at_s, event in done if event == "play" and at_s > taken], default=taken + 2.0)) + 0.5


def called_pille(recorded: Recorded, folder: Path) -> Table:
    """A table of which a person says after a trick that l'as qui pille is played there."""
    table = Table(recorded.looks, folder)
    table.see(end_of(recorded, 1))
    prompt = table.live.show.prompt
    assert prompt is not None
    table.press("ABC"[prompt.answers.index("L'As qui pille")])
    table.see(table.now + 0.2)
    return table


def test_before_it_is_known_there_is_no_match_to_show() -> None:
    table = Table(())
    assert table.live.finding and table.live.played is None
    assert (table.live.show.view, table.live.show.situation) == ({}, "finding_game")
    with pytest.raises(EventError, match="unknown_"):
        table.live.add(Undo())


def test_the_first_trick_tells_the_game_and_counts_and_why_is_told_from_then_on(turufu: Recorded) -> None:
    table = Table(turufu.looks)
    told: list[Why] = []
    (following,) = table.followers
    following.explain_to(told.append)
    table.see(end_of(turufu, 2))
    assert table.live.played == ("turufu", 2)
    assert table.live.show.sentences[0] == "I see turufu for 2."
    tricks = [notice.facts["cards"] for notice in table.live.match.notices if notice.code == "trick"]
    played = [event["card"] for event in turufu.truth["events"] if event["event"] == "play"]
    assert tricks[:1] == [played[:2]]
    table.see(end_of(turufu, 3))
    before = len(told)
    following.explain()
    assert before > 5 and len(told) == before + 1, "of the rest that goes on too"
    assert any(step.kind == LAY for why in told for step in why.hypotheses[0].steps)


def test_what_no_look_can_tell_is_asked_and_the_answer_counts_from_the_first_card(triomphe: Recorded) -> None:
    table = Table(triomphe.looks)
    table.see(end_of(triomphe, 1))
    prompt = table.live.show.prompt
    assert prompt is not None and table.live.finding
    assert (prompt.text, sorted(prompt.answers)) == ("Which game is it?", ["L'As qui pille", "Triomphe"])
    table.press("ABC"[prompt.answers.index("L'As qui pille")])
    table.see(table.now + 0.2)
    assert table.live.played == ("pille", 2)
    (trick,) = [notice.facts["cards"] for notice in table.live.match.notices if notice.code == "trick"]
    assert trick == [event["card"] for event in triomphe.truth["events"] if event["event"] == "play"][:2]
    assert table.live.show.prompt is None


def test_what_the_next_lead_cannot_tell_either_is_asked_before_it(triomphe: Recorded) -> None:
    happened = triomphe.truth["happened"]
    taken = next(number for number, event in enumerate(happened) if event["event"] == "taken")
    table = Table([look for look in triomphe.looks if look.at_s <= happened[taken]["at_s"]])
    table.see(happened[taken]["at_s"] + 0.2)
    assert table.live.show.prompt is not None and table.live.show.prompt.text == "Which game is it?"


@pytest.mark.slow
def test_who_plays_with_whom_is_asked_once_the_game_is_known_and_remembered(of_four: Recorded) -> None:
    table = Table(of_four.looks)
    table.see(end_of(of_four, 1))
    table.press("ABC"[table.live.show.prompt.answers.index("Triomphe")])  # type: ignore[union-attr]
    table.see(table.now + 0.2)
    prompt = table.live.show.prompt
    assert prompt is not None and prompt.answers == ("each alone", "two sides")
    table.press("B")
    table.see(table.now + 0.2)
    assert table.live.match.header.options["teams"] == "sides"
    assert len([notice for notice in table.live.match.notices if notice.code == "trick"]) == 1
    assert table.saved[-1].options["triomphe"] == {"teams": "sides"} and table.saved[-1].game == AUTO
    assert table.live.show.prompt is None


def test_the_last_game_is_thought_likelier(triomphe: Recorded) -> None:
    table = Table(triomphe.looks, last=Header("pille", 2, {}))
    table.see(end_of(triomphe, 1))
    asked = table.live.show.prompt
    assert asked is None or asked.answers[0] == "L'As qui pille"


def test_a_game_named_by_hand_is_judged_from_all_that_was_seen(triomphe: Recorded) -> None:
    table = Table(triomphe.looks)
    table.see(end_of(triomphe, 2))
    table.live.change(replace(ENGLISH, game="triomphe", players=2))
    assert table.live.played == ("triomphe", 2)
    assert len([notice for notice in table.live.match.notices if notice.code == "trick"]) == 2
    table.see(end_of(triomphe, 5))
    assert [notice.code for notice in table.live.match.notices if notice.code == "deal_scored"] == ["deal_scored"]


def test_a_board_is_told_from_cards_and_from_another_board() -> None:
    look = TableLook(0.5, ())
    for grid, game in (((4, 8), "mraha"), ((2, 6), "awale")):
        table = Table([replace(look, at_s=at_s) for at_s in (0.5, 0.6, 0.7)], board=grid)
        table.see(0.5)
        assert table.live.finding, "once may be chance"
        table.see(1.0)
        assert table.live.played == (game, 2)
        assert table.live.show.sentences[0].startswith("I see ")


def test_the_rules_of_mraha_are_asked() -> None:
    table = Table([TableLook(at_s, ()) for at_s in (0.5, 0.6, 0.7)], board=(4, 8))
    table.see(1.0)
    prompt = table.live.show.prompt
    assert prompt is not None and prompt.answers == ("Mraha", "Kiswahili")
    table.press("B")
    assert table.live.match.header.options["kutakatia"] is True
    assert table.saved[-1].preset == "kiswahili"


@pytest.mark.slow
def test_after_a_match_it_is_anybodys_guess_what_is_played_next(turufu: Recorded) -> None:
    won = made_up("triomphe-2-made_calm-2", deals=1)
    options = {"triomphe": {"target": 1}}
    looks = [*won.looks, *(later(look, won.looks[-1].at_s + 20) for look in turufu.looks)]
    table = Table(looks, settings=replace(ENGLISH, options=options))
    table.see(won.looks[-1].at_s + 15)
    assert (table.live.played, table.live.match.view.phase) == (("triomphe", 2), "match_over")
    table.see(won.looks[-1].at_s + 20 + end_of(turufu, 2))
    assert table.live.played == ("turufu", 2)
    assert [settings.game for settings in table.begun] == ["triomphe", "turufu"]
    assert [notice.facts["trick"] for notice in table.live.match.notices if notice.code == "trick"] == [1, 2]


def test_what_waits_is_taken_in_before_the_table_is_let_go_of(turufu: Recorded) -> None:
    """A slow machine takes in less at a time than it sees, and would know only later what is played."""
    slow_one, table = Table(turufu.looks, thinks_s=-1.0), Table(turufu.looks)
    for here in (slow_one, table):
        here.see(13.0)
    assert slow_one.live.finding and not table.live.finding
    slow_one.live.close()
    assert slow_one.live.played == table.live.played
    assert slow_one.live.match.log == table.live.match.log


# -- kept on disk ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tricks", "until"), [(1, 2), *slow((0, 4), (1, 4), (3, 4))])
def test_a_power_cut_in_the_first_deal_loses_nothing(turufu: Recorded, tmp_path: Path, tricks: int, until: int) -> None:
    first_play_s = next(event["at_s"] for event in turufu.truth["happened"] if event["event"] == "play")
    cut_s = end_of(turufu, tricks) if tricks else float(first_play_s) + 0.5
    before = Table(turufu.looks, tmp_path)
    before.see(cut_s)
    assert before.live.finding == (tricks == 0)
    for record in before.records:
        record.close()  # Of the table itself nobody takes leave, as when the power is cut.
    assert (tmp_path / FIRST_DEAL).exists()
    after = Table([look for look in turufu.looks if look.at_s > cut_s], tmp_path)
    after.see(end_of(turufu, until))
    assert after.live.played == ("turufu", 2)
    said = [notice.facts["cards"] for notice in after.live.match.notices if notice.code == "trick"]
    cards = [event["card"] for event in turufu.truth["events"] if event["event"] == "play"]
    assert said[:until] == [cards[k : k + 2] for k in range(0, 2 * until, 2)]
    assert len(journal.kept(tmp_path)) == 1


def follow_until_killed(folder: Path, name: str, after_s: float, shown: Connection) -> None:
    """A process that follows the looks of an evening after a time, and says how far it is after each."""
    recorded = made_up(name, deals=1)
    table = Table([look for look in recorded.looks if look.at_s > after_s], folder)
    table.now = after_s
    for look in recorded.looks:
        if look.at_s > after_s:
            table.see(look.at_s)
            shown.send(look.at_s)
    table.live.close()


@pytest.mark.slow
def test_killed_at_any_look_it_finds_the_game_and_loses_no_trick(tmp_path: Path) -> None:
    name, rng = "turufu-2-made_calm-5", Random(7)
    context = multiprocessing.get_context("forkserver")
    after_s, kills = 0.0, 0
    while True:
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=follow_until_killed, args=(tmp_path, name, after_s, theirs), daemon=True)
        child.start()
        theirs.close()
        wanted = rng.randint(2, 25) if kills < 10 else -1
        with contextlib.suppress(EOFError):
            while wanted:
                after_s, wanted = float(ours.recv()), wanted - 1
            child.kill()
            while True:
                after_s = float(ours.recv())
        child.join()
        if child.exitcode == 0:
            break
        kills += 1
    assert kills == 10
    found = journal.resume(tmp_path).record
    assert found is not None and len(journal.kept(tmp_path)) == 1
    said = [notice.facts["cards"] for notice in found.match.notices if notice.code == "trick"]
    cards = [event["card"] for event in made_up(name, deals=1).truth["events"] if event["event"] == "play"]
    assert said == [cards[k : k + 2] for k in range(0, len(cards), 2)]
    found.close()


def test_what_a_person_said_is_asked_no_more_after_a_power_cut(triomphe: Recorded, tmp_path: Path) -> None:
    table = called_pille(triomphe, tmp_path)
    table.live.close()
    left = [later(look, 0.5 - table.now) for look in triomphe.looks if look.at_s > table.now]
    again = Table(left, tmp_path)
    again.see(end_of(triomphe, 3) - table.now)
    assert again.live.played == ("pille", 2) and again.begun == []
    assert again.live.show.prompt is None
    again.live.close()


@pytest.mark.slow
def test_after_the_first_deal_no_look_is_kept(tmp_path: Path) -> None:
    looks = made_up("triomphe-2-made_calm-2", deals=1).looks
    table = Table(looks, tmp_path)
    table.see(looks[-1].at_s - 5)
    assert (tmp_path / FIRST_DEAL).exists()
    table.see(looks[-1].at_s + 1)
    assert table.live.match.view.phase in ("deal_over", "waiting_for_deal", "match_over")
    assert not (tmp_path / FIRST_DEAL).exists()
    table.live.close()


def test_a_wrong_game_is_put_aside_and_judged_again(triomphe: Recorded, tmp_path: Path) -> None:
    table = called_pille(triomphe, tmp_path)
    table.live.change(replace(ENGLISH, game="triomphe", players=2))
    table.live.act("new_match", "phone")
    assert table.live.played == ("triomphe", 2)
    assert [path.name.split("-")[-1] for path in sorted(tmp_path.glob("match-*.jsonl*"))] == [
        f"pille.open.jsonl{MISTAKEN}", "triomphe.open.jsonl",
    ]  # fmt: skip
    assert [match.path.name.split("-")[-1] for match in journal.kept(tmp_path)] == ["triomphe.open.jsonl"]


def test_looks_are_read_back_as_they_were_kept_a_line_cut_short_apart(turufu: Recorded, tmp_path: Path) -> None:
    kept = FirstDeal(tmp_path)
    looks = [kept.keep(look) for look in turufu.looks[:20]]
    kept.close()
    path = tmp_path / FIRST_DEAL
    path.write_bytes(path.read_bytes()[:-10])
    again = FirstDeal(tmp_path)
    assert again.looks == looks[:-1]
    again.keep(later(looks[-1], 5.0))
    again.close()
    assert [look.at_s for look in FirstDeal(tmp_path).looks] == [look.at_s for look in again.looks]
    path.write_text(json.dumps({"first_deal": 99}) + "\n{}\n")
    assert FirstDeal(tmp_path).looks == []


def test_the_device_begins_without_a_match_and_remembers_what_was_played(tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    settings = replace(ENGLISH, matches=str(folder))
    record = MatchRecord.begin(folder, Match("belote", 4))
    record.finish()
    device = Appliance(settings, lambda changed: None)
    assert device.table.finding
    assert device.table.match.header.game == "belote"


@pytest.mark.slow
def test_evenings_over_all_games() -> None:
    courses = []
    for name in evenings(EVENINGS, 8000):
        courses.append(follow(name))
        print(told(courses[-1]))
    print(summed(courses))
    soon = sum(course.at(course.soon_s) in ("right", "asked") for course in courses)
    assert soon >= 0.95 * len(courses)
    assert not [course.name for course in courses if course.at(course.deal_s) == "wrong"]


@pytest.mark.slow
def test_belote_whose_trump_nobody_named_explains_as_much_as_a_game_whose_trump_is_known() -> None:
    """It was taken for l'as qui pille, of which the card turned up says what is trump."""
    course = follow("belote-4-made_house-3")
    assert course.at(course.soon_s) in ("right", "asked") and course.at(course.deal_s) == "right"


class Shadow(CardTable):
    """A table that sees nothing; it is given how well its game explains what others see."""

    def __init__(self, match: Match, worth: Callable[[Header], float], tricks: Callable[[], int]) -> None:
        assert isinstance(match.judge, CardJudge)
        super().__init__(match.judge.game, clockwise=False)
        self.match, self._worth, self._tricks = match, worth, tricks

    @property
    def evidence(self) -> float:
        return self._worth(self.match.header)

    @property
    def beam(self) -> list[Hypothesis]:
        whole = tuple(TrickCard(seat, "7S", seat) for seat in range(self.match.header.players))
        return [Hypothesis(done=self._tricks(), last=whole)]

    def look(self, look: TableLook, match: Match) -> None:
        """Nothing is told of it."""


@pytest.mark.parametrize(
    "tricks, others, said, told",
    [
        (2, {}, False, 2),
        (3, {}, False, 3),
        (3, {"pille": -4.0}, False, 2),
        (3, {"pille": 0.0}, False, 3),
        (3, {"belote": -7.0}, False, 2),
        (0, {"belote": -7.0}, True, 3),
    ],
)
def test_nobody_is_accused_before_the_game_explains_a_few_tricks_and_no_other_finds_all_right(
    tricks: int, others: dict[str, float], said: bool, told: int
) -> None:
    """One trick of four may look like two of two players, who then lay two cards each; and three of belote like as many
    of pille, where others win them. Pille says the same of who did wrong; by belote nobody did."""
    match, done, worths = Match("triomphe", 4), 1, {"triomphe": 0.0, "pille": -15.0, "belote": -15.0}
    right, wrong = (Deal("KS", 3), Play("8H", 0)), (Play("9H", 0),)

    def worth(header: Header) -> float:
        return worths.get(header.game, -100.0) if header.players == 4 else -100.0

    def table_of(shadow: Match, width: object) -> CardTable:
        if shadow.header.game in worths and shadow.header.players == 4:
            for event in right if shadow.header.game == "belote" else right + wrong:
                shadow.add(event)
        return Shadow(shadow, worth, lambda: done)

    follower = AutoFollower(
        ENGLISH, None, FirstDeal(None), None, lambda found: None,
        eye=RecordedEye([TableLook(1.0, ()), TableLook(2.0, ())]), finds_board=OneBoard(), thinks_s=math.inf,
        compare=lambda _, *given: WhichGame(table_of, *given),
    )  # fmt: skip
    if said:
        follower.say(GameFound("triomphe", 4, {}))
    else:
        follower.see(Frame(BLANK, 1.0), lambda: match, match.add)
        assert match.log == [*right], "it is the likeliest by far"
    done, worths = tricks, worths | others
    follower.see(Frame(BLANK, 2.0), lambda: match, match.add)
    assert len(match.log) == told
    assert any(notice.level == ALERT for notice in match.notices) == (told == 3)


def comparing(**played: tuple[float, Sequence[Event]]) -> WhichGame:
    """Games of four, how well each explains what was seen, and what happened by it; no other explains it at all."""

    def table_of(match: Match, width: object) -> CardTable:
        worth, events = played.get(match.header.game, (-100.0, ())) if match.header.players == 4 else (-100.0, ())
        for event in events:
            match.add(event)
        return cast(CardTable, SimpleNamespace(evidence=worth))

    return WhichGame(table_of, lambda *_: {}, 4)


def among(which: WhichGame, game: str) -> Candidate:
    found = which.candidate(Header(game, 4, {}))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("behind", "other", "wrong", "innocent"),
    [(7.0, "belote", False, True), (7.0, "belote", True, False), (15.0, "belote", False, False),
     (7.0, "triomphe", False, False)],
)  # fmt: skip
def test_a_game_that_waits_to_be_told_who_takes_counts_while_it_is_not_far_behind(
    behind: float, other: str, wrong: bool, innocent: bool
) -> None:
    """Where all is right by it."""
    lead = Play("8H", 1 if wrong else 0)
    which = comparing(pille=(0.0, (Deal("KS", 3), Play("8H", 0))), **{other: (-behind, (Deal("KS", 3), lead))})
    assert which.innocent_beside(among(which, "pille"), 12.0) == innocent


@pytest.mark.parametrize(("worth", "wrong", "same"), [(0.0, True, True), (0.0, False, False), (-9.0, True, False)])
def test_games_that_no_look_tells_apart_may_accuse_together(worth: float, wrong: bool, same: bool) -> None:
    """Else an evening of triomphe or pille, nobody having said which, stood still from the first wrong card on."""
    led, turn, wrong_turn = (Deal("KS", 3), Play("8H", 0)), Play("9H", 1), Play("9H", 2)
    other = wrong_turn if wrong else turn
    which = comparing(triomphe=(0.0, (*led, wrong_turn)), pille=(worth, (*led, other)))
    for game in ("triomphe", "pille"):
        among(which, game).trick_seen = True
    assert which.accuse_alike(among(which, "triomphe")) == same
