"""Another game is played than the one that goes on: the device asks, and finds out which."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

from device.following.auto import AutoFollower, NotYet
from device.following.follow import CardFollower, which_game
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.other_game import OtherGame
from device.keeping.looks import later
from device.keeping.settings import AUTO, Settings
from engine.events import Play, Undo
from engine.match import Match
from engine.notices import ALERT
from engine.sightings import CardLying, TableLook
from engine.simulate import honest_deal
from tests.engine.table import deal, tell
from tests.engine.test_cards_table import judge_of
from tools.looks_file import OneBoard, RecordedEye, made_up
from vision.frame import Frame

BLANK = np.full((8, 8, 3), 128, np.uint8)
TURUFU = Settings(language="en", game="turufu", players=4, build="laptop", display="none")


class Table:
    """Four who are said to play turufu, or another game, and what lies there."""

    def __init__(self, looks: tuple[TableLook, ...], said: Settings = TURUFU) -> None:
        self.saved: list[Settings] = []
        self.now = 0.0
        eye = RecordedEye(looks)
        self.live = LiveTable(
            self.begin(said),
            said,
            self.begin,
            self.saved.append,
            follower=lambda match, settings: CardFollower(match, settings, eye, thinks_s=math.inf),
            auto=partial(AutoFollower, eye=eye, finds_board=OneBoard(None), thinks_s=math.inf),
        )

    @staticmethod
    def begin(settings: Settings) -> InMemory:
        if settings.game == AUTO:
            return NotYet(settings)
        return InMemory(Match(settings.game, settings.players, settings.house))

    def see(self, until_s: float, wanted: Callable[[], bool] = lambda: False) -> bool:
        """Frames up to a time, or until something holds; whether it does."""
        while self.now < until_s and not wanted():
            self.now += 0.1
            self.live.see(Frame(BLANK, self.now))
        return wanted()

    def asks(self) -> bool:
        question = self.live.match.view.question
        return question is not None and question["about"] == "other_game"


@pytest.fixture(scope="module")
def belote() -> tuple[TableLook, ...]:
    return made_up("belote-4-made_calm-3", deals=2).looks


@pytest.mark.parametrize("answer", [0, 1])
def test_cards_that_the_game_does_not_have_are_asked_about_once(answer: int, belote: tuple[TableLook, ...]) -> None:
    table, end_s = Table(belote), belote[-1].at_s + 1
    assert table.see(end_s, table.asks)
    prompt = table.live.show.prompt
    assert prompt is not None and prompt.answers == ("yes", "no")
    assert prompt.text.endswith("are not in this game. Is it another game?")
    table.live.answer(prompt.key, answer, "a phone")
    asked_again = table.see(end_s, table.asks)
    assert not asked_again
    assert table.live.played == (("turufu", 4) if answer else ("belote", 4))
    assert [settings.game for settings in table.saved] == ([] if answer else [AUTO])


def test_after_a_yes_the_deal_counts_from_its_first_card_on(belote: tuple[TableLook, ...]) -> None:
    table = Table(belote)
    assert table.see(belote[-1].at_s, table.asks)
    laid = [told.event.card for told in table.live.match.told if isinstance(told.event, Play)]
    prompt = table.live.show.prompt
    assert prompt is not None and len(laid) > 1
    table.live.answer(prompt.key, 0, "a phone")
    table.see(belote[-1].at_s + 1)
    assert table.live.played == ("belote", 4)
    known = [told.event.card for told in table.live.match.told if isinstance(told.event, Play)]
    assert known[: len(laid)] == laid


def test_the_deal_counts_from_its_first_card_on_though_another_game_was_played_before() -> None:
    """No match notices where it begins."""
    before, then = made_up("turufu-4-made_calm-5", deals=1), made_up("belote-4-made_calm-3", deals=1)
    looks = (*before.looks, *(later(look, before.looks[-1].at_s + 10) for look in then.looks))
    table = Table(looks)
    assert table.see(looks[-1].at_s, table.asks)
    prompt = table.live.show.prompt
    assert prompt is not None
    table.live.answer(prompt.key, 0, "a phone")
    table.see(looks[-1].at_s + 1)
    known = [told.event.card for told in table.live.match.told if isinstance(told.event, Play)]
    assert known[:4] == [happened["card"] for happened in then.truth["happened"] if happened["event"] == "play"][:4]


def test_a_deal_that_was_noticed_and_taken_back_goes_on() -> None:
    """By the rules of the wrong game it was none."""
    match, watched = Match("turufu", 4), OtherGame(zone=0.6, compare=partial(which_game, TURUFU))

    def seen(*cards: str) -> list[str | None]:
        lying = tuple(CardLying(card, 0.99, (0.0, 0.1 * place)) for place, card in enumerate(cards))
        watched.look(TableLook(float(len(watched.deal_looks)), lying), lambda: match, match.add)
        return [lying.card for look in watched.deal_looks for lying in look.cards]

    tell(match, *honest_deal(judge_of(match).game, Random(2), 0).events)
    seen("KS")
    assert seen() == []
    tell(match, deal(None, "7H"))
    seen("AS")
    tell(match, Undo())
    assert seen() == ["AS"]


def test_while_it_is_asked_nobody_is_said_to_have_played_a_foreign_card(belote: tuple[TableLook, ...]) -> None:
    table = Table(belote)
    assert table.see(belote[-1].at_s, table.asks)
    before = sum(notice.level == ALERT for notice in table.live.match.notices)
    table.see(belote[-1].at_s + 1)
    assert before <= 1 and sum(notice.level == ALERT for notice in table.live.match.notices) == before


@pytest.mark.parametrize(("before", "then"), [("pille-4", "triomphe-4"), ("triomphe-4", "triomphe-3")])
def test_a_game_of_the_same_pack_or_other_players_show_by_the_tricks(before: str, then: str) -> None:
    first, now = made_up(f"{before}-made_calm-7", deals=1), made_up(f"{then}-made_calm-5", deals=2)
    looks = (*first.looks, *(later(look, first.looks[-1].at_s + 10) for look in now.looks))
    game, players = before.split("-")
    table = Table(looks, replace(TURUFU, game=game, players=int(players)))
    assert table.see(looks[-1].at_s, table.asks)
    prompt = table.live.show.prompt
    assert prompt is not None and prompt.text == "Is it another game, or another number of players?"
    assert not any(notice.level == ALERT for notice in table.live.match.notices)
    table.live.answer(prompt.key, 0, "a phone")
    table.see(looks[-1].at_s + 1)
    assert table.live.played == (now.game, now.players)
    scored = [notice.facts["points"] for notice in table.live.match.notices if notice.code == "deal_scored"]
    assert scored == [deal["points"] for deal in now.truth["scored"]][-len(scored) :] and scored


@pytest.mark.parametrize("fault", ["taken_by_wrong_side", "wrong_leader", "out_of_turn"])
def test_what_somebody_does_wrong_is_no_other_game(fault: str) -> None:
    evening = made_up(f"triomphe-4-made_calm-5-{fault}", deals=2)
    table = Table(evening.looks, replace(TURUFU, game="triomphe"))
    assert not table.see(evening.looks[-1].at_s + 1, table.asks)
    assert len(evening.truth["alerts"]) == 1


def test_markers_that_somebody_lays_beside_the_tricks_are_no_other_game() -> None:
    looks = made_up("turufu-4-made_calm-5", deals=1).looks
    middle = len(looks) // 2
    markers = (CardLying("8H", 0.99, (0.6, 0.6), outlined=True), CardLying("9D", 0.99, (-0.6, 0.6), outlined=True))
    put = tuple((*marker.at, 0.1) for marker in markers)
    later = [replace(look, cards=(*look.cards, *markers)) for look in looks[middle:]]
    later[0] = replace(later[0], fresh=True, changed=(*later[0].changed, *put))
    table = Table((*looks[:middle], *later))
    assert not table.see(looks[-1].at_s + 1, table.asks)


def test_one_card_that_was_left_in_the_pack_is_no_other_game() -> None:
    looks = made_up("turufu-4-made_calm-5", deals=1).looks
    strange = CardLying("8H", 0.99, (0.9, 0.9), outlined=True)
    table = Table(tuple(replace(look, cards=(*look.cards, strange)) for look in looks))
    assert not table.see(looks[-1].at_s + 1, table.asks)
