"""A lesson at cards: the learner's open hand, which of its cards he may play, and why the others not."""

from collections.abc import Generator
from typing import Any

import pytest

from device.following.card_lesson import ILLEGAL, LEARNS, MAY_PLAY, OVER
from device.following.follow import FrameSeen
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.menu import NEXT_LEARNER, STOP_LESSONS, TEACH
from device.following.press import Press
from device.keeping.settings import Settings
from engine.cards import Card
from engine.events import Confirm, Deal, Event, Play
from engine.notices import ALERT
from engine.rules.tricks import DUTIES
from engine.simulate_looks import CALM_LOOKS, HOUSE_LOOKS, LookMess
from tests.device.following.test_open_hand import GAMES, DrawnDeal, OpenDeal, tricks_of
from tests.sizes import slow
from vision.frame import Frame


class LessonDeal(OpenDeal):
    """A deal of a lesson. At each of his turns the learner compares what is shown of his hand with the rules."""

    def __init__(self, name: str, seed: int, hides: bool = False) -> None:
        """hides: one card of his hand lies out of sight until he plays it."""
        super().__init__(name, seed)
        settings = Settings(language="en", game=name, players=4, build="laptop", display="none")
        self.waiting = settings.match()
        self.hidden = self.played.hands[self.device][0] if hides else None
        self.shown: list[dict[Card, str | None]] = []
        """At each of his turns."""
        self.troubles: set[str] = set()
        self._happened: dict[int, Any] = {}
        self.live = LiveTable(
            InMemory(self.waiting), settings, lambda wanted: InMemory(wanted.match()),
            follower=self.follower, watch=self._watched,
        )  # fmt: skip
        self.live.act(TEACH, "phone")
        for _ in range(self.device):
            self.live.act(NEXT_LEARNER, "phone")

    def _watched(self, frame: Frame, seen: FrameSeen) -> None:
        super()._watched(frame, seen)
        assert not seen.events and not seen.notices, "a recording hears nothing of it"
        self.troubles.update(self.live.show.troubles)
        self._happened |= {happening.number: happening for happening in self.live.show.happened}

    def said(self, code: str) -> list[Any]:
        return [notice for notice in self.notices if notice["notice"] == code]

    @property
    def notices(self) -> list[Any]:
        self._happened |= {happening.number: happening for happening in self.live.show.happened}
        return [notice for happening in self._happened.values() for notice in happening.notices]

    def _held(self) -> list[Card]:
        return [card for card in super()._held() if card != self.hidden]

    def _for_the_device(self, other: Card) -> Generator[Event, None, Card]:
        learner = self.live.show.extra["learner"]
        hand = dict(learner["hand"])
        assert learner["seat"] == self.device and hand.keys() == set(self._held())
        self.shown.append(hand)
        if self.hidden in self.played.hands[self.device]:
            assert not learner["lit"] and set(hand.values()) == {None}
        else:
            assert learner["lit"] == (self.live.show.view.get("turn") is not None)
            assert {card for card, duty in hand.items() if duty is None} == set(self.played.legal_cards)
            assert {duty for duty in hand.values() if duty is not None} <= set(DUTIES)
        yield from ()
        return other


def played(name: str, seed: int, mess: LookMess, hides: bool = False) -> LessonDeal:
    deal = LessonDeal(name, seed, hides)
    deal.over_looks(mess)
    check(deal)
    return deal


def check(deal: LessonDeal) -> None:
    """All was followed as it happened, and nobody was accused."""
    assert tricks_of(deal.match) == tricks_of(deal.truth)
    assert len(deal.shown) == deal.game.tricks
    assert not [notice for notice in deal.notices if notice["level"] == ALERT]


def back_in_the_match(deal: LessonDeal) -> None:
    """The match that waited is as it was."""
    deal.live.act(STOP_LESSONS, "phone")
    assert deal.live.match is deal.waiting and not deal.waiting.log
    assert deal.live.show.extra["teaches"] is False and "learner" not in deal.live.show.extra
    assert deal.live.show.troubles == () and deal.said(OVER)


@pytest.mark.parametrize(("name", "seed"), [("triomphe", 2), *slow(("turufu", 1), ("belote", 3), ("sueca", 0))])
def test_what_is_lit_is_legal_and_every_other_card_has_its_reason(name: str, seed: int) -> None:
    deal = played(name, seed, CALM_LOOKS)
    assert any(duty for hand in deal.shown for duty in hand.values()), "some card was forbidden"
    assert len(deal.said(LEARNS)) == deal.device + 1 and len(deal.said(MAY_PLAY)) >= deal.game.tricks
    back_in_the_match(deal)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_deals_at_a_table_with_ordinary_mess(name: str) -> None:
    for seed in range(8):
        back_in_the_match(played(name, 200 + seed, HOUSE_LOOKS))


def test_a_hand_that_is_partly_seen_is_told_and_nothing_of_it_is_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.following.opponent.SHORT_S", -1.0)
    deal = played("triomphe", 2, CALM_LOOKS, hides=True)
    assert "hand_short" in deal.troubles and len(deal.said(MAY_PLAY)) < deal.game.tricks
    back_in_the_match(deal)


class Forbidden(LessonDeal):
    """At the first turn that forbids him a card, somebody lays it; a button takes it back."""

    laid: Card | None = None

    def _for_the_device(self, other: Card) -> Generator[Event, None, Card]:
        yield from super()._for_the_device(other)
        forbidden = [card for card, duty in self.shown[-1].items() if duty is not None]
        if forbidden and self.laid is None:
            self.laid = forbidden[0]
            self.live.add(Play(self.laid, self.device))
            assert self.live.show.sentences[-1].endswith("Take it back.")
            self.live.press(Press("B", long=True))
        return other


def test_a_forbidden_card_is_told_at_once_with_its_reason_and_accuses_nobody() -> None:
    deal = Forbidden("triomphe", 2)
    deal.over_looks(CALM_LOOKS)
    assert [(told["card"], told["must"]) for told in deal.said(ILLEGAL)] == [
        (deal.laid, next(hand[deal.laid] for hand in deal.shown if deal.laid and hand.get(deal.laid)))
    ]
    assert not [notice for notice in deal.notices if notice["level"] == ALERT]


def test_nothing_of_a_lesson_goes_into_a_match_that_goes_on() -> None:
    settings = Settings(language="en", game="turufu", players=4, build="laptop", display="none")
    kept = InMemory(settings.match())
    kept.add(Deal("7H", 0))
    live = LiveTable(kept, settings, lambda wanted: InMemory(wanted.match()))
    live.act(TEACH, "phone")
    live.add(Deal("7D", 1), Play("8D", 2))
    live.act(NEXT_LEARNER, "phone")
    assert live.show.view["phase"] == "waiting_for_deal" and live.show.extra["learner"]["seat"] == 1
    live.act(STOP_LESSONS, "phone")
    assert live.match is kept.match and live.match.log == [Deal("7H", 0)]
    assert live.show.sentences[-1] == "The lesson is over. Take up the cards: your match goes on."
    live.close()


class DrawnLesson(LessonDeal, DrawnDeal):
    """The same on a drawn table, through the camera: whoever plays waits until it is shown what he may play."""

    def _for_the_device(self, other: Card) -> Generator[Event, None, Card]:
        for _ in range(self.waits):
            learner = self.live.show.extra["learner"]
            if learner["lit"]:
                break
            yield Confirm(1)
        return (yield from super()._for_the_device(other))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [("triomphe", 2), ("turufu", 1), ("belote", 3), ("sueca", 0)])
def test_the_same_through_the_camera(name: str, seed: int) -> None:
    deal = DrawnLesson(name, seed)
    deal.over_frames()
    check(deal)
