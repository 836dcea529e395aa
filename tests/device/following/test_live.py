"""The live table over a follower that is told by hand what it sees: prompts, buttons, sounds, matches one by one."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from device import words
from device.cameras.picture_check import check_picture
from device.following.aim import LEAST_INDEX_PX, Aim
from device.following.auto import NotYet
from device.following.follow import Add, FrameSeen, MatchNow
from device.following.keeper import InMemory
from device.following.live import SENTENCES, TRY_S, LiveTable, TooLate
from device.following.menu import NEW_MATCH, VOID_DEAL
from device.following.picture_watch import CHECK_EVERY_S, FROZEN_S
from device.following.press import Press
from device.following.show import Invite, Join, Show
from device.keeping.journal import MatchRecord, kept, resume
from device.keeping.settings import AUTO, Settings
from engine.events import (
    Ask,
    Choose,
    Correct,
    Deal,
    Event,
    EventError,
    Play,
    Redo,
    TakenBack,
    TurnUpSeen,
    Undo,
    Way,
    parse_event,
)
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.rules.awale import AwaleFlags
from engine.sightings import CardLying
from engine.simulate import honest_deal, honest_match
from engine.simulate_awale import honest_game
from tests.engine.table import deal, play, taken
from vision.frame import Frame, Image

DARK: Image = np.zeros((96, 128, 3), np.uint8)
LIT: Image = np.full((96, 128, 3), 180, np.uint8)


class Told:
    """A follower that sees what it is told to see."""

    def __init__(self, match: Match, settings: Settings) -> None:
        self.situation = "looking"
        self.looks = True
        self.lying: tuple[CardLying, ...] = ()
        self.index_px: float | None = None
        self.sees: list[Event] = []
        self.undone_after: list[int] = []
        self.answers: list[tuple[str, str]] = []

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        seen, self.sees = self.sees, []
        refused = []
        for event in seen:
            try:
                add(event)
            except EventError as error:
                refused.append(str(error))
        return FrameSeen(looked=self.looks, events=tuple(seen), lying=self.lying, refused=tuple(refused))

    def undone(self, match: Match) -> None:
        self.undone_after.append(len(match.log))

    def answered(self, about: str, answer: str) -> None:
        self.answers.append((about, answer))

    def aim(self, image: Image) -> Aim:
        return Aim(index_px=self.index_px)


class FullDisk(InMemory):
    """A keeper whose disk takes nothing any more from the second event on."""

    def add(self, event: Event, by: str | None = None) -> Any:
        notices = super().add(event, by)
        self.trouble = "journal_full" if len(self.match.log) > 1 else None
        return notices


class Table:
    """A live table, told in short."""

    def __init__(self, keeper: Any = None, settings: Settings | None = None, **more: Any) -> None:
        self.settings = settings or Settings(language="en", game="turufu", players=4, build="laptop", display="none")
        self.saved: list[Settings] = []
        self.followers: list[Told] = []
        self.begun: list[Any] = []
        self.now_s = 0.0
        keeper = keeper or InMemory(Match(self.settings.game, self.settings.players))
        self.live = LiveTable(
            keeper, self.settings, self._begin, save=self.saved.append, follower=self._follower, **more
        )

    def _follower(self, match: Match, settings: Settings) -> Told:
        self.followers.append(Told(match, settings))
        return self.followers[-1]

    def _begin(self, settings: Settings) -> Any:
        self.begun.append(InMemory(Match(settings.game, settings.players, settings.house)))
        return self.begun[-1]

    def see(self, *events: dict[str, Any] | Event, image: Image = LIT) -> Show:
        self.followers[-1].sees += [parse_event(event) if isinstance(event, dict) else event for event in events]
        self.now_s += 0.1
        self.live.see(Frame(image, self.now_s))
        return self.live.show

    def press(self, *buttons: str) -> Show:
        for button in buttons:
            self.live.press(Press(button))
        return self.live.show

    @property
    def log(self) -> list[Event]:
        return self.live.match.log

    def cues(self, *steps: Any) -> list[str]:
        """The sounds of each of these steps."""
        heard = []
        for step in steps:
            before = self.live.show.cue
            step()
            now = self.live.show.cue
            if now != before:
                assert now is not None and now.number == (before.number if before else 0) + 1
                heard.append(now.name)
        return heard


UNREAD = play(None, 1, candidates=["7D", "7C"])
AGAIN = play("7D", 2)
"""A card that lies there already."""


def asked_about_a_card(answers: int) -> Table:
    """A deal is over in which it is not clear which of so many cards one was."""
    for seed in range(60):
        table, rng = Table(), Random(seed)
        judge = table.live.match.judge
        assert isinstance(judge, CardJudge)
        events = list(honest_deal(judge.game, rng, 0).events)
        plays = [number for number, event in enumerate(events) if isinstance(event, Play)]
        for number in rng.sample(plays, 4):
            hidden = events[number]
            assert isinstance(hidden, Play)
            events[number] = Play(None, hidden.seat)
        table.see(*events)
        question = table.live.match.view.question
        if question and len(question["choices"]) == answers:
            return table
    raise AssertionError(f"no deal ends with a question that has {answers} answers")


# -- what is asked, and what the buttons answer ----------------------------------------------------------------------


@pytest.mark.parametrize(("answers", "button"), [(2, "A"), (2, "B"), (3, "B"), (3, "C")])
def test_a_question_with_few_answers_has_a_button_for_each(answers: int, button: str) -> None:
    table = asked_about_a_card(answers)
    asked = table.live.match.view.question
    prompt = table.live.show.prompt
    assert asked and prompt
    assert prompt.answers == tuple(words.card_sign(card) for card in asked["choices"])
    assert prompt.text.startswith("Which card was it")
    table.press(button)
    answer = asked["choices"]["ABC".index(button)]
    assert table.log[-1] == Choose(asked["question"], answer)
    assert table.followers[-1].answers == [("card", answer)]
    assert table.live.match.view.question != asked


def test_a_question_with_many_answers_offers_two_and_leads_on_to_the_others() -> None:
    table = Table()
    ways = tuple(Way(card, (Play(card, 1),)) for card in ("7D", "7C", "KD", "KC"))
    table.see(deal(0, "7H"), Ask("laid", ways, seat=1))
    asked = table.live.match.view.question
    assert asked
    signs = [words.card_sign(card) for card in asked["choices"]]
    offered = []
    for _ in range(3):
        assert table.live.show.prompt
        offered.append(table.live.show.prompt.answers)
        table.press("C")
    assert offered == [(*signs[:2], "more…"), (*signs[2:], "more…"), (*signs[:2], "more…")]
    table.press("B")  # The third C led to the second pair.
    assert Choose(asked["question"], asked["choices"][3]) in table.log


def test_a_card_that_cannot_be_read_is_named_by_a_button() -> None:
    table = Table()
    prompt = table.see(deal(0, "7H"), UNREAD).prompt
    assert prompt and prompt.answers == ("7♦", "7♣", "no card")
    assert table.press("B").prompt is None
    assert table.log[-1] == Correct(2, {"card": "7C", "confidence": 1.0})
    assert [laid["card"] for laid in table.live.show.view["trick"]] == ["7C"]


def test_of_two_unread_cards_the_older_is_asked_about_once_the_newer_is_named() -> None:
    table = Table()
    table.see(deal(0, "7H"), UNREAD, play(None, 2, candidates=["KD", "KC"]))
    prompt = table.press("A").prompt
    assert prompt and prompt.answers == ("7♦", "7♣")


def test_of_two_cards_in_either_order_the_first_is_asked_about_and_its_answer_tells_the_other() -> None:
    table = Table()
    both = ["KD", "KC"]
    prompt = table.see(deal(0, "7H"), play(None, 1, candidates=both), play(None, 2, candidates=both)).prompt
    assert prompt and prompt.answers == ("K♦", "K♣")
    assert table.press("B").prompt is None
    assert [laid["card"] for laid in table.live.show.view["trick"]] == ["KC", "KD"]


def test_a_card_read_in_the_meantime_is_not_asked_about_any_more() -> None:
    table = Table()
    table.see(deal(0, "7H"), UNREAD)
    assert table.see(Correct(2, {"card": "7D", "confidence": 0.99})).prompt is None


def test_an_unread_card_is_still_asked_about_after_a_power_cut() -> None:
    match = Match("turufu", 4)
    for event in (deal(0, "7H"), UNREAD):
        match.add(event)
    prompt = Table(InMemory(match)).live.show.prompt
    assert prompt and prompt.answers == ("7♦", "7♣", "no card")


def test_a_card_that_may_be_any_hides_no_alert() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play(None, 1), play("9H", 2))
    assert show.prompt and show.prompt.answers == ("that is right", "misread")


def test_an_alert_is_seen_or_the_move_taken_back() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play("7D", 1), AGAIN)
    assert show.alert and show.prompt and show.prompt.answers == ("that is right", "misread")
    assert show.prompt.text == show.alert
    show = table.press("A")
    assert (show.alert, show.prompt, len(show.view["trick"])) == (None, None, 2)

    table = Table()
    table.see(deal(0, "7H"), play("7D", 1), AGAIN)
    show = table.press("B")
    assert (show.alert, show.prompt, len(show.view["trick"])) == (None, None, 1)
    assert table.followers[-1].undone_after == [4]  # What lies there still is not told again at the next look.


def test_what_was_misread_is_taken_back_and_no_other_card() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play("7D", 1), play("KD", 3), play("QD", 2))
    assert show.prompt and show.prompt.key == "alert 3", "the card that came next was laid before anybody answered"
    show = table.press("B")
    assert (show.alert, show.prompt) == (None, None)
    assert [shown["card"] for shown in show.view["trick"]] == ["7D", "QD"]
    assert table.followers[-1].undone_after, "the card that lies there is not told again at the next look"
    show = table.see(play("AD", 3))
    assert (show.alert, [shown["card"] for shown in show.view["trick"]]) == (None, ["7D", "QD", "AD"])


def test_what_was_misread_in_a_trick_that_is_gone_was_another_card() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play("KC", 1), play("5C", 2), play("QC", 0), play("KS", 3), taken(1))
    assert show.prompt and show.prompt.key == "alert 4" and not show.view["trick"]
    show = table.press("B")
    assert show.alert is None and show.view["trick_number"] == 2, "the trick stays"


def test_misread_takes_back_nothing_that_came_after_an_event_that_is_no_card() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play("7D", 1), TurnUpSeen("8H"), play("QD", 2))
    assert show.prompt and show.prompt.answers == ("that is right",)


def test_misread_ends_an_alert_though_the_score_ended_the_deal() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1), play("KD", 3), play("QD", 2))
    table.live.set_score((4, 0), "", "page")
    prompt = table.live.show.prompt
    assert prompt and prompt.answers == ("that is right", "misread")
    assert table.press("B").alert is None


def test_a_revoke_that_is_not_proven_yet_names_its_tricks() -> None:
    """Of a view's provisional revoke only the tricks are told."""
    for seed in range(200):
        table = Table()
        judge = table.live.match.judge
        assert isinstance(judge, CardJudge)
        for event in honest_deal(judge.game, Random(seed), 0, 0.3).events:
            show = table.see(event)
            told = table.live.match.view.alert
            if told is not None and told.get("level_of_proof") == "provisional":
                assert show.alert == (
                    f"Perhaps a revoke: turn over trick {', '.join(str(trick) for trick in told['tricks'])} and look."
                )
                return
    raise AssertionError("no revoke was ever provisional")


def test_what_is_answered_too_late_changes_nothing() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1), AGAIN)
    table.live.match.add(Undo())  # Between the show and the press the card went back by itself.
    before = table.live.match.view
    table.press("A")
    assert table.live.match.view == before


# -- what the table asks itself ---------------------------------------------------------------------------------------

WHICH = {
    "event": "ask",
    "what": "laid",
    "seat": 1,
    "choices": [{"answer": "7D", "events": [play("7D", 1)]}, {"answer": "none"}],
}


def test_a_question_of_the_table_is_answered_like_any_other() -> None:
    table = Table()
    prompt = table.see(deal(0, "7H"), WHICH).prompt
    assert prompt and prompt.text == "Which card did player 2 play: 7♦ or no card?"
    assert prompt.answers == ("7♦", "no card")
    show = table.press("A")
    assert (show.prompt, show.view["trick"][0]["card"]) == (None, "7D")
    assert table.log[2:] == [Choose(2, "7D"), Play("7D", 1)]
    assert table.followers[-1].answers == [("laid", "7D")]


def test_an_answer_that_stands_for_nothing_adds_nothing() -> None:
    table = Table()
    table.see(deal(0, "7H"), WHICH)
    assert table.press("B").prompt is None
    assert table.log[2:] == [Choose(2, "none")]


def test_b_takes_an_answer_back_with_what_it_stood_for_and_it_is_asked_again() -> None:
    table = Table()
    table.see(deal(0, "7H"), WHICH)
    table.press("A")
    show = table.press("B")
    assert show.view["trick"] == [] and show.prompt and show.prompt.answers == ("7♦", "no card")
    table.press("B")
    assert table.log[-1] == Choose(2, "none")


def test_what_was_taken_back_with_its_answer_is_brought_back_with_it() -> None:
    table = Table()
    table.see(deal(0, "7H"), WHICH)
    table.press("A", "B")
    table.live.redo("page")
    assert [laid["card"] for laid in table.live.show.view["trick"]] == ["7D"]


@pytest.mark.parametrize("choice, cards", [("7D", ["7D"]), ("none", [])])
def test_the_power_goes_between_an_answer_and_what_it_stands_for(tmp_path: Path, choice: str, cards: list[str]) -> None:
    record = MatchRecord.begin(tmp_path, Match("turufu", 4))
    for event in (deal(0, "7H"), WHICH, {"event": "choose", "question": 2, "answer": choice}):
        record.add(event)
    record.close()
    for _ in range(2):  # And once more after it.
        again = resume(tmp_path).record
        assert again is not None
        table = Table(again)
        assert table.live.show.prompt is None
        assert [laid["card"] for laid in table.live.show.view["trick"]] == cards
        assert len(again.match.log) == 3 + len(cards)
        again.close()


def test_the_last_card_that_could_not_be_read_may_be_none() -> None:
    table = Table()
    prompt = table.see(deal(0, "7H"), UNREAD).prompt
    assert prompt and prompt.answers == ("7♦", "7♣", "no card")
    show = table.press("C")
    assert (show.prompt, show.view["trick"]) == (None, [])
    assert table.log[-1] == TakenBack(2)


def test_only_the_last_card_may_be_none() -> None:
    table = Table()
    prompt = table.see(deal(0, "7H"), UNREAD, play("KD", 2)).prompt
    assert prompt and prompt.answers == ("7♦", "7♣")


# -- taking back ------------------------------------------------------------------------------------------------------


def test_b_takes_back_the_last_thing_and_the_eye_is_told() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1))
    assert table.press("B").view["trick"] == []
    assert table.followers[-1].undone_after == [3]


def test_of_two_who_take_back_the_same_card_only_one_does() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1), play("9D", 2))
    table.live.undo(None, "page a", 3)
    with pytest.raises(TooLate):
        table.live.undo(None, "page b", 3)
    assert table.log[3:] == [Undo()]


def test_of_two_who_bring_back_the_same_card_only_one_does() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1), play("9D", 2))
    for number in (3, 4):
        table.live.undo(None, "page a", number)
    table.live.redo("page a", 5)
    with pytest.raises(TooLate):
        table.live.redo("page b", 5)
    assert table.log[3:] == [Undo(), Undo(), Redo()]


@pytest.mark.parametrize(
    ("number", "changes"),
    [(2, {"event": "play", "card": "8D"}), (3, {"number": 2}), (2, {"trick_to": 9}), (2, {"seat": 4})],
)
def test_what_could_not_be_read_again_is_no_correction(tmp_path: Path, number: int, changes: dict[str, Any]) -> None:
    table = Table(MatchRecord.begin(tmp_path, Match("turufu", 4)))
    table.see(deal(0, "7H"), play("7D", 1), {"event": "taken_back", "number": 2}, play("9D", 1))
    with pytest.raises(EventError):
        table.live.correct(number, changes, "page")
    table.see(play("8D", 2))
    again = resume(tmp_path)
    assert again.record is not None and again.record.match.log == table.log


def test_b_held_down_walks_back_to_the_beginning_and_no_further() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1), play("9D", 2))
    table.live.press(Press("B", long=True))
    for _ in range(5):
        table.live.press(Press("B", repeat=True))
    assert table.live.show.view["phase"] == "waiting_for_deal"
    assert table.log[3:] == [Undo()] * 3


def test_held_b_takes_back_even_while_something_is_asked() -> None:
    table = Table()
    table.see(deal(0, "7H"), UNREAD)
    table.live.press(Press("B", long=True))
    assert table.log[-1] == Undo()


def test_a_held_down_a_answers_once() -> None:
    table = Table()
    table.see(deal(0, "7H"), UNREAD)
    table.press("A")
    table.live.press(Press("A", repeat=True))
    assert len(table.log) == 3


# -- the menu ---------------------------------------------------------------------------------------------------------


def line(show: Show, text: str) -> int:
    assert show.page
    return next(number for number, line in enumerate(show.page.lines) if text in line)


def choose(table: Table, text: str) -> Show:
    """Goes to a line of the menu and chooses it."""
    assert table.live.show.page and table.live.show.page.chosen is not None
    lines = len(table.live.show.page.lines)
    return table.press(*"A" * ((line(table.live.show, text) - table.live.show.page.chosen) % lines), "C")


def test_c_opens_the_menu_and_a_long_c_does_so_while_something_is_asked() -> None:
    table = Table()
    assert table.press("C").page
    assert table.press("B").page is None
    table.see(deal(0, "7H"), play(None, 1, candidates=["7D", "7C", "7S"]))
    assert table.live.show.prompt and len(table.live.show.prompt.answers) == 3
    table.live.press(Press("C", long=True))
    assert table.live.show.page
    assert len(table.log) == 2


def test_held_buttons_do_not_run_through_the_menu() -> None:
    table = Table()
    show = table.press("C")
    table.live.press(Press("A", repeat=True))
    assert show.page and table.live.show.page and table.live.show.page.chosen == show.page.chosen


def test_a_match_is_followed_on_while_the_menu_is_open() -> None:
    table = Table()
    table.press("C")
    show = table.see(deal(0, "7H"), play("7D", 1))
    assert show.page and [laid["card"] for laid in show.view["trick"]] == ["7D"]


def test_what_a_phone_sets_while_the_menu_is_open_stays() -> None:
    table = Table()
    table.press("C")
    table.live.change(replace(table.live.settings, seats=("Ali", "Zaina", "Moussa", "Fati"), brightness=0.3))
    table.press("A")
    assert table.live.settings.seats[0] == "Ali" and table.live.settings.brightness == 0.3
    assert table.saved[-1] == table.live.settings


def test_a_menu_tells_of_no_match_that_is_gone() -> None:
    table = Table()
    table.see(deal(3, "3S"), play("KH", 0), play("QH", 1))
    table.press("C")
    table.live.act(NEW_MATCH, "phone")
    assert table.live.show.page is None


def test_while_a_deck_is_learned_trying_lamps_out_ends_too() -> None:
    table = Table()
    table.live.lend(lambda frame: None)
    table.live.try_out()
    for _ in range(round(2 * TRY_S / 0.1)):
        show = table.see()
    assert not show.trying


def test_a_new_match_from_the_menu_closes_the_old_one() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1))
    table.press("C")
    choose(table, words.say("en", f"menu-{NEW_MATCH}"))
    assert table.live.show.page  # It asks first: a match goes on.
    show = table.press("A")
    assert (show.page, show.sentences, show.view["phase"]) == (None, (), "waiting_for_deal")
    assert table.live.match is table.begun[0].match
    assert len(table.followers) == 2


def test_a_deal_can_be_void() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1))
    table.press("C")
    choose(table, words.say("en", f"menu-{VOID_DEAL}"))
    show = table.press("A")
    assert (show.page, show.view["phase"]) == (None, "waiting_for_deal")
    assert table.followers[-1].undone_after == [3]  # What lies there is no part of the next deal.


def test_another_language_is_spoken_at_once_and_kept() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1), AGAIN)
    table.live.press(Press("C", long=True))
    choose(table, "English")
    choose(table, "Français")
    show = table.press("B")
    assert table.saved[-1].language == "fr"
    assert show.language == "fr"
    assert show.prompt and show.prompt.answers == tuple(
        words.say("fr", f"answer-{answer}") for answer in ("seen", "misread")
    )
    alert = table.live.match.view.alert
    assert alert and show.alert == words.sentence(alert, "fr")


def test_settings_of_the_device_are_kept_and_shown() -> None:
    table = Table()
    table.press("C")
    choose(table, "Sound")
    show = choose(table, words.say("en", "menu-no"))
    assert not show.sound
    assert [settings.sound for settings in table.saved] == [False]


MOST_PRESSES = 36
"""docs/on-a-pi.md says so many."""


def test_with_the_three_buttons_alone_a_fresh_device_is_set_up_to_the_first_card(monkeypatch: Any) -> None:
    fresh = Settings(language="fr", game="auto", build="minimal")
    table = Table(NotYet(fresh), fresh)
    table.live.invite(Invite("http://hisabu.local", "123456", Join("Hisabu", "secret", "WIFI:")))
    presses: list[str] = []
    heard = table.live.press

    def press(press: Press) -> None:
        presses.append(press.button)
        heard(press)

    monkeypatch.setattr(table.live, "press", press)
    table.press("A")
    assert table.live.show.invite and not table.live.show.invite.wifi
    table.press("A", "C")
    for lines in (("Langue", "English"), ("Game", "Turufu"), ("Players", "4")):
        for chosen in lines:
            choose(table, chosen)
    show = choose(table, "Try lamps")
    assert show.trying and show.cue
    table.press("C")
    show = choose(table, "New match")
    assert show.page is None and show.view["game"] == "turufu"
    show = table.see(deal(0, "7H"), play("7D", 1))
    assert [laid["card"] for laid in show.view["trick"]] == ["7D"] and table.saved[-1].language == "en"
    print(f"{len(presses)} presses")
    assert len(presses) <= MOST_PRESSES


# -- what is shown and heard ------------------------------------------------------------------------------------------


def test_the_show_is_another_object_only_when_something_changed() -> None:
    table = Table()
    shown = table.see(deal(0, "7H"))
    assert table.see() is shown
    assert table.see() is shown
    table.followers[-1].situation = "hand_over"
    changed = table.see()
    assert changed is not shown and changed.situation == "hand_over"
    assert table.see() is changed


def test_each_sound_is_made_once() -> None:
    table = Table(settings=Settings(language="en", game="turufu", players=2, build="laptop", display="none"))
    judge = table.live.match.judge
    assert isinstance(judge, CardJudge)
    events = honest_deal(judge.game, Random(3), 0).events
    heard = table.cues(*[lambda event=event: table.see(event) for event in events], table.see)
    tricks = judge.game.tricks
    assert heard == ["trick"] * (tricks - 1) + ["deal"]


@pytest.mark.parametrize(
    ("events", "cue"), [((UNREAD,), "question"), ((play("7D", 1), AGAIN), "alert"), ((play("7D", 1),), None)]
)
def test_what_is_heard_of_what_is_seen(events: Iterable[dict[str, Any]], cue: str | None) -> None:
    table = Table()
    table.see(deal(0, "7H"))
    heard = table.cues(lambda: table.see(*events), table.see, table.see)
    assert heard == ([cue] if cue else [])


def test_of_what_happens_at_once_the_alert_is_heard() -> None:
    table = Table()
    table.see(deal(0, "7H"))
    tricked = [play("7D", 1), AGAIN, play("9D", 2), play("4D", 3), play("5D", 0)]
    assert table.cues(lambda: table.see(*tricked)) == ["alert"]


def test_a_press_is_heard_unless_it_leads_to_another_sound() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1))
    assert table.cues(lambda: table.press("B"), table.see) == ["press"]


def test_the_last_sentences_are_kept() -> None:
    table = Table(remarks=("The match goes on.",))
    assert table.live.show.sentences == ("The match goes on.",)
    judge = table.live.match.judge
    assert isinstance(judge, CardJudge)
    show = table.see(*honest_match(judge.game, Random(1), 2))
    assert len(show.sentences) == SENTENCES
    said = [words.sentence(notice.to_dict(), "en") for notice in table.live.match.notices]
    assert list(show.sentences) == said[-SENTENCES:]


def test_seeds_in_a_hand_are_told_only_while_nothing_else_is() -> None:
    table = Table(settings=Settings(language="en", game="mraha", players=2, build="laptop", display="none"))
    assert table.live.show.situation == "looking"
    table.followers[-1].situation = "board_lost"
    assert table.see().situation == "board_lost"


def test_a_trouble_is_shown_until_it_is_over() -> None:
    table = Table()
    tell = table.live.trouble
    heard = table.cues(
        lambda: tell("panel_away", True), lambda: tell("panel_away", True), lambda: tell("camera_away", True)
    )
    assert heard == ["trouble", "trouble"]
    assert table.live.show.troubles == ("panel_away", "camera_away")
    assert table.cues(lambda: tell("panel_away", False), lambda: tell("hot", False)) == []
    assert table.live.show.troubles == ("camera_away",)


def test_a_trouble_of_the_disk_is_in_the_show_that_shows_the_event() -> None:
    table = Table(FullDisk(Match("turufu", 4)))
    shows = [table.see(deal(0, "7H")), table.see(play("7D", 1))]
    assert [show.troubles for show in shows] == [(), ("journal_full",)]
    assert len(shows[1].view["trick"]) == 1


def test_a_dark_picture_is_told_and_looked_at_only_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[float] = []
    table = Table()

    def checked(image: Image) -> Any:
        looked.append(table.now_s)
        return check_picture(image)

    monkeypatch.setattr("device.following.picture_watch.check_picture", checked)
    assert table.see(image=LIT).troubles == ()
    for _ in range(round(CHECK_EVERY_S / 0.1) + 1):
        table.see(image=DARK)
    assert table.live.show.troubles == ("camera_dark",)
    assert len(looked) == 2
    table.followers[-1].looks = False
    table.now_s += 2 * CHECK_EVERY_S
    table.see(image=LIT)
    assert len(looked) == 2  # A table with a hand over it tells nothing about the lens.
    table.followers[-1].situation = "board_lost"
    assert table.see(image=LIT).troubles == ()


def test_cards_in_a_picture_without_colour_are_told() -> None:
    table = Table()
    table.followers[-1].lying = (CardLying(None, 1.0, (0.0, 0.0), ("7S", "7H")),)
    grey = np.zeros((480, 640, 3), np.uint8)
    grey[:, 320:] = 200
    coloured = grey.copy()
    coloured[:240, 320:] = (60, 60, 200)
    assert table.see(image=grey).troubles == ("camera_grey",)
    table.now_s += CHECK_EVERY_S
    assert table.see(image=coloured).troubles == ()


def test_a_picture_burnt_white_and_cards_too_small_to_read_are_told() -> None:
    table = Table()
    assert table.see(image=np.full_like(LIT, 255)).troubles == ("camera_glaring",)
    table.followers[-1].index_px = LEAST_INDEX_PX - 1.0
    table.now_s += CHECK_EVERY_S
    assert table.see().troubles == ("camera_far",)
    table.followers[-1].index_px = None  # No card lies there now.
    table.now_s += CHECK_EVERY_S
    assert table.see().troubles == ()


def test_a_camera_that_sends_one_picture_for_ever_is_told() -> None:
    table = Table()
    grain = LIT.copy()
    grain[0, 0] += 1

    def shown(image: Image, for_s: float) -> tuple[str, ...]:
        until_s = table.now_s + for_s
        while table.now_s < until_s:
            table.now_s += 0.9
            table.see(image=image)
        return table.live.show.troubles

    assert shown(LIT, FROZEN_S - 10) == ()
    assert shown(grain, FROZEN_S - 10) == ()
    assert shown(LIT, FROZEN_S + 10) == ("camera_frozen",)
    assert shown(grain, 6) == ()
    assert shown(DARK, 2 * FROZEN_S) == ("camera_dark",)  # Black is black.
    assert shown(np.full_like(LIT, 255), 2 * FROZEN_S) == ("camera_glaring",)


def test_a_blurred_picture_is_told() -> None:
    stripes = np.zeros((480, 640, 3), np.uint8)
    stripes[:, 320:] = 200
    import cv2

    table = Table()
    assert table.see(image=stripes).troubles == ()
    table.now_s += CHECK_EVERY_S
    assert table.see(image=np.asarray(cv2.GaussianBlur(stripes, (0, 0), 4.0))).troubles == ("camera_blurred",)


# -- one match after the other ----------------------------------------------------------------------------------------


def one_match(match: Match, seed: int = 1) -> list[Event]:
    """As many deals as it takes to win a match."""
    judge = match.judge
    assert isinstance(judge, CardJudge)
    events: list[Event] = []
    trial = Match(match.header.game, match.header.players, match.header.options)
    for event in honest_match(judge.game, Random(seed), 60):
        trial.add(event)
        events.append(event)
        if trial.view.phase == "match_over":
            return events
    raise AssertionError("nobody wins")


TWO = Settings(language="en", game="turufu", players=2, build="laptop", display="none")


def test_the_deal_after_a_won_match_begins_another_journal(tmp_path: Path) -> None:
    def begin(settings: Settings) -> MatchRecord:
        return MatchRecord.begin(tmp_path, Match(settings.game, settings.players, settings.house))

    table = Table(begin(TWO), TWO)
    table.live._begin = begin
    first = table.live.match
    heard = table.cues(*[lambda event=event: table.see(event) for event in one_match(first)])
    assert heard[-1] == "won"
    assert [match.open for match in kept(tmp_path)] == [True]

    show = table.see(Deal("7H"), Play("7D", 1))
    assert table.live.match is not first
    assert table.log == [Deal("7H"), Play("7D", 1)]
    assert show.view["games"] == [0, 0]
    assert len(table.followers) == 1  # Who sits where, it has learned.
    assert [match.open for match in kept(tmp_path)] == [False, True]
    table.live.close()


def test_nothing_but_a_deal_begins_another_match() -> None:
    table = Table(InMemory(Match("turufu", 2, TWO.house)), TWO)
    won = one_match(table.live.match)
    table.see(*won[:-1])
    table.see(won[-1], taken(0))
    assert table.begun == []
    assert table.press("B").view.get("winner") is not None  # The trick was gathered; that is taken back first.
    assert table.press("B").view.get("winner") is None


def test_settings_changed_meanwhile_hold_from_the_next_match_on() -> None:
    table = Table(InMemory(Match("turufu", 2, TWO.house)), TWO)
    table.see(*one_match(table.live.match))
    table.live.change(Settings(language="en", game="triomphe", players=4, build="laptop", display="none"))
    table.see(Deal("7H"))
    assert table.live.match.header.game == "triomphe"
    assert table.log == []  # Seen with the eyes of the game before; the next look tells.
    assert len(table.followers) == 2


def test_where_the_next_game_is_to_be_found_out_it_is_looked_for_after_a_won_match() -> None:
    made: list[str] = []

    def auto(settings: Settings, *given: Any) -> Any:
        made.append(settings.game)
        return Told(Match("turufu", 2), settings)

    table = Table(InMemory(Match("turufu", 2, TWO.house)), TWO, auto=auto)
    events = one_match(table.live.match)
    table.see(*events[:3])
    table.live.change(replace(TWO, game=AUTO))
    table.see(*events[3:])
    assert made == [] and not table.live.finding
    table.see(Deal("7H"))
    assert made == [AUTO] and table.live.finding


def test_a_seat_given_to_the_device_is_watched_from_the_next_match_on() -> None:
    table = Table(InMemory(Match("turufu", 4)), opponent=lambda match: None)
    table.live._begin = lambda settings: InMemory(settings.match())
    events = one_match(table.live.match)
    table.see(*events[:3])
    table.live.change(replace(table.settings, device_seat=2))
    table.see(*events[3:])
    assert len(table.followers) == 1
    table.see(Deal("7H"))
    assert table.live.match.header.against is not None and len(table.followers) == 2


def test_a_won_match_is_the_end_where_that_is_asked_for() -> None:
    table = Table(InMemory(Match("turufu", 2, TWO.house)), TWO, stop_after_match=True)
    events = one_match(table.live.match)
    table.see(*events[:-1])
    assert not table.live.done
    table.see(events[-1])
    assert table.live.done


def test_what_an_earlier_deal_waits_for_is_asked_after_a_card_that_lies_there() -> None:
    table = asked_about_a_card(2)
    show = table.see(deal(1, "3S"))
    assert show.prompt and show.prompt.text.startswith("About an earlier deal. Which card was it")
    assert show.prompt.answers[-1] == "nobody knows"
    late = show.prompt.key
    show = table.see(play("AH", 2, confidence=0.5))
    assert show.prompt and show.prompt.key.startswith("unread") and show.prompt.asked
    assert show.prompt.asked["notice"] == "unreadable"
    show = table.press("A")
    assert show.prompt and show.prompt.key == late
    show = table.press("C")
    assert show.prompt is None and "set the score by hand" in show.sentences[-1]


def test_nobody_sets_a_score_below_0() -> None:
    table = Table()
    table.see(deal(3, "3S"), play("AH", 0))
    with pytest.raises(EventError, match="points_below"):
        table.live.set_score((-1, 2), "", "phone")
    assert list(table.live.show.view["games"]) == [0, 0]


def test_the_score_is_set_from_the_buttons() -> None:
    table = Table()
    table.see(deal(3, "3S"), play("AH", 0))
    table.live.press(Press("C", long=True))
    menu = table.live.show.page
    assert menu is not None
    table.press(*"A" * list(menu.lines).index("Set the score"), "C")
    for digits in (3, 1):
        table.press(*"A" * digits, "C", *"A" * 10, "C")
    assert table.live.show.page is not None and table.live.show.page.lines == ("3–1",)
    show = table.press("A")
    assert list(show.view["games"]) == [3, 1] and show.page is None
    assert show.sentences[-1] == "Score set by hand: 3–1."
    table.live.press(Press("B", long=True))
    assert list(table.live.show.view["games"]) == [0, 0]


def test_a_score_that_cannot_be_says_why() -> None:
    table = Table(settings=Settings(language="en", game="awale", players=2, build="laptop", display="none"))
    for board in islice(honest_game(Random(1), AwaleFlags()), 6):
        table.see(board)
    with pytest.raises(EventError, match="points_of_seeds"):
        table.live.set_score([40, 8], "", "page")
