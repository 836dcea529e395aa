"""A hand that lies face up before a seat where nobody sits: the device plays it, and people lay its cards for it."""

from collections.abc import Collection, Generator, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

from device import words
from device.cameras.simulated import SimulatedCamera
from device.following.follow import CardFollower, FrameSeen
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.loop import run_through
from device.following.opponent import PLAYS_ON_S, SHORT_S, CardOpponent
from device.following.thinker import Begin, Thinker
from device.keeping.settings import Settings
from engine.cards import Card
from engine.events import Choose, Confirm, Deal, DeviceTurn, Event, EventError, Play, Take, Taken
from engine.match import Against, Match
from engine.notices import ALERT, Notice
from engine.playing import CardsPlayed, game_of
from engine.referee.deal import Asked, Bid, DealState
from engine.referee.naming_trump import TAKER, TRUMP
from engine.rules.tricks import PASS
from engine.search.cards import CardPlayer
from engine.sightings import CardLying, TableLook
from engine.simulate_looks import CALM_LOOKS, HOUSE_LOOKS, LookMess, LookTable
from tests.engine.table import only
from tests.sizes import slow
from tools.evenings import SIZE, Noted
from vision.frame import Frame
from vision.synthetic.play_open import OpenHandTable

GAMES = ("turufu", "triomphe", "belote", "sueca")
MOST_LOOKS = 40
"""That people wait for what the device says."""
DEALT_LOOKS = 4
"""From the last card that is dealt and laid in its row to the first lead."""
BLANK = np.full((8, 8, 3), 128, np.uint8)


class AtOnce(Thinker):
    """Thinks in no process of its own."""

    def turn(self, position: Any) -> str:
        player = self.begin.player()
        assert isinstance(player, CardPlayer)
        return player.move(position)


class Eye:
    """Hands over the next look, whatever the frame shows."""

    situation = "looking"
    kept = False
    look: TableLook

    def see(self, frame: Frame, possible: Collection[Card] | None = None) -> tuple[TableLook, ...]:
        return (self.look,)


class OpenDeal:
    """A deal with the device in one seat: people lay what it asks for, or now and then another card of its hand."""

    waits = 3
    """How often people wait for it to say its card."""

    def __init__(self, name: str, seed: int, slips: float = 0.0) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.device = seed % 4
        self.game = game_of(name, 4)
        self.played = CardsPlayed(self.game, self.rng, self.rng.randrange(4), deals=1)
        self.slips, self.slipped = slips, 0
        self.asked: list[Card] = []
        self.truth = Match(name, 4)
        settings = Settings(
            language="en", game=name, players=4, build="laptop", display="none", device_seat=self.device + 1
        )
        self.eye, self.keeper = Eye(), Noted(settings.match())
        self.seen: frozenset[Card] = frozenset()
        """What was seen last of the device's hand."""
        self.live = LiveTable(
            self.keeper, settings, lambda wanted: InMemory(wanted.match()),
            follower=self.follower, watch=self._watched,
            opponent=lambda match: CardOpponent(self.device, AtOnce(Begin(name, {}, 1, seed))),
        )  # fmt: skip

    def follower(self, match: Match, settings: Settings) -> CardFollower:
        return CardFollower(match, settings, self.eye)

    def over_looks(self, mess: LookMess) -> "OpenDeal":
        """Played on a table of which looks are made up."""
        looks = LookTable(self.game, self.seed, self.game.clockwise, mess, self.device, self._held)
        for look, _ in looks.looks(self._events()):
            self.eye.look = look
            self.live.see(Frame(BLANK + round(10 * look.at_s) % 2, look.at_s))  # A camera's grain.
        return self

    def _watched(self, frame: Frame, seen: FrameSeen) -> None:
        """Who is asked who takes says it."""
        self.seen = seen.hand
        question, taker = self.match.view.question, self.played.taker
        if question is None or question["about"] != TAKER or taker is None:
            return
        if taker == self.device:  # Its suit is known: only who takes is said.
            self.live.add(Choose(question["question"], str(taker)))
        else:
            self.live.add(Take(taker, self.played.trump))

    @property
    def match(self) -> Match:
        return self.live.match

    def _held(self) -> list[Card]:
        return [] if self.played.is_over() else self.played.hands[self.device]

    def _events(self) -> Iterator[Event]:
        table = self.played
        yield self._happens(Deal(table.turn_up, table.dealer))
        if table.asked:
            yield from self._bidding()
        while not table.is_over():
            seat = table.turn
            card = self.rng.choice(sorted(table.legal_cards))
            if seat == self.device:
                card = yield from self._for_the_device(card)
            beside = bool(table.before)
            table.push(card)
            yield self._happens(Play(card, seat, beside=beside))
            if not table.before:
                yield self._happens(Taken(table.winners[-1]))

    def _bidding(self) -> Iterator[Event]:
        """The device takes as it says; else all pass, until of the others the last takes what he may."""
        for _ in range(MOST_LOOKS):
            if self._bid is None:
                yield Confirm(1)
        assert self._bid is not None, sorted(self.seen)
        table, others = self.played, [seat for seat in self.played.asked if seat != self.device]
        while table.asked:
            legal = table.legal_moves
            if table.turn == self.device:
                table.push(self._bid.said if self._bid.said in legal else PASS)
            else:
                others.pop()
                table.push(PASS if others else self.rng.choice([move for move in legal if move != PASS]))
        assert table.taker is not None
        yield self._happens(Take(table.taker, table.trump))
        for _ in range(DEALT_LOOKS):
            yield Confirm(1)

    @property
    def _bid(self) -> Bid | None:
        """What the device says of the card turned up."""
        deal: DealState | None = self.match.state.deal
        return None if deal is None else deal.bid

    def _asked_now(self) -> Asked | None:
        """What it asks for, once it has seen all that lies there."""
        deal: DealState | None = self.match.state.deal
        asked = None if deal is None else deal.asked_now(4)
        return asked if asked is not None and asked.place[1] == len(self.played.before) else None

    def _for_the_device(self, other: Card) -> Generator[Event, None, Card]:
        """What a person lays for it: what it asked for."""
        for _ in range(self.waits):
            if self._asked_now() is None:
                yield Confirm(1)
        asked = self._asked_now()
        assert asked is not None, (self.match.view.turn, sorted(self.seen))
        assert asked.card in self.played.legal_cards
        self.asked.append(asked.card)
        if other != asked.card and self.rng.random() < self.slips:
            self.slipped += 1
            return other
        return asked.card

    def _happens(self, event: Event) -> Event:
        self.truth.add(event)
        return event


def tricks_of(match: Match) -> list[list[tuple[int | None, str | None]]]:
    deal: DealState | None = match.state.deal
    assert deal is not None
    return [[(laid.seat, laid.card) for laid in plays] for plays in (*(trick.plays for trick in deal.done), deal.plays)]


def others(said: list[Notice]) -> set[str]:
    """The cards of which it was told that others had been asked for."""
    return {notice.facts["was"] for notice in said if notice.code == "device_card_other"}


def check(deal: OpenDeal) -> None:
    """All was followed as it happened, nobody was accused, and each of its cards was asked for."""
    assert tricks_of(deal.match) == tricks_of(deal.truth)
    assert deal.match.view.games == deal.truth.view.games
    assert [notice for notice in deal.keeper.said if notice.level == ALERT] == []
    assert len(deal.asked) == deal.game.tricks
    assert len(others(deal.keeper.said)) >= deal.slipped


@pytest.mark.parametrize(("name", "seed"), [("triomphe", 2), *slow(("turufu", 1), ("belote", 3), ("sueca", 0))])
def test_a_deal_with_a_hand_that_lies_open_is_followed_and_its_cards_are_asked_for(name: str, seed: int) -> None:
    deal = OpenDeal(name, seed).over_looks(CALM_LOOKS)
    check(deal)
    assert others(deal.keeper.said) == set()
    assert any(said.startswith("My card: ") for said in deal.live.show.sentences)
    assert deal.match.header.against == Against(deal.device, 4)


def test_another_card_laid_for_it_is_told_and_counts() -> None:
    deal = OpenDeal("triomphe", 6, slips=0.6).over_looks(CALM_LOOKS)
    check(deal)
    assert len(others(deal.keeper.said)) == deal.slipped > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_deals_at_a_table_with_ordinary_mess(name: str) -> None:
    for seed in range(10):
        check(OpenDeal(name, 100 + seed, slips=0.2).over_looks(HOUSE_LOOKS))


class DrawnDeal(OpenDeal):
    """The same on a drawn table, through the camera."""

    waits = 40

    def follower(self, match: Match, settings: Settings) -> CardFollower:
        return CardFollower(match, settings)

    def over_frames(self) -> "DrawnDeal":
        table = OpenHandTable(self.game, self.seed, SIZE, open_seat=self.device, held=self._held)
        run_through(SimulatedCamera(table, self._events(), real_time=False), self.live, [])
        return self


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [("triomphe", 2), ("turufu", 1), ("sueca", 0)])
def test_the_same_through_the_camera(name: str, seed: int) -> None:
    check(DrawnDeal(name, seed).over_frames())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 8, 13])
def test_belote_through_the_camera_where_it_says_that_it_takes_and_does(seed: int) -> None:
    """Who takes is told by the button of the question, as at a table: the card turned up then lies in its row."""
    deal = DrawnDeal("belote", seed).over_frames()
    check(deal)
    assert deal.match.state.deal.taker == deal.device


def test_before_the_first_lead_it_says_what_it_would_lead() -> None:
    match = Match("sueca", against=Against(1, 4))
    opponent = CardOpponent(1, AtOnce(Begin("sueca", {}, 1, 1)))
    hand = ["AH", "7H", "KH", "2C", "3C", "4C", "AS", "7S", "KS", "2D"]
    match.add({"event": "deal", "turn_up": "3D"})
    turn = opponent.turn(match, hand)
    assert turn is not None and turn.turn in hand
    (told,) = match.add(turn)
    assert (told.code, told.facts["lead"], match.view.wanted) == ("device_card", True, None)
    assert opponent.turn(match, hand) is None
    match.add({"event": "play", "seat": 0, "card": "5H"})
    turn = opponent.turn(match, hand)
    assert turn is not None and turn.turn[-1] == "H"
    match.add(turn)
    assert match.view.wanted == turn.turn


def bidding(hand: list[str], turn_up: str, **said: Any) -> tuple[Match, list[Notice]]:
    """A deal of belote in which the device, at seat 2, has seen its hand, and what it says."""
    match = Match("belote", 4, against=Against(1, 4))
    opponent = CardOpponent(1, AtOnce(Begin("belote", {}, 4, 1)))
    match.add({"event": "deal", "turn_up": turn_up, **said})
    assert opponent.turn(match, hand[:3]) is None  # It waits for all of its hand.
    turn = opponent.turn(match, hand)
    assert turn is not None and turn.seat == 1
    told = match.add(turn)
    assert opponent.turn(match, hand) is None
    return match, told


STRONG, EMPTY = ["JH", "9H", "AH", "AS", "7C"], ["KS", "QD", "8C", "7C", "9D"]


@pytest.mark.parametrize(
    ("hand", "turn_up", "en", "fr"),
    [
        (STRONG, "8H", "I take 8♥, if nobody takes before me.", "Je prends 8♥, si personne ne prend avant moi."),
        *slow((STRONG, "KD", "I pass. In the second round I take hearts, if nobody takes before me.",
               "Je passe. Au second tour, je prends à cœur, si personne ne prend avant moi."),
              (EMPTY, "KH", "I pass, in both rounds.", "Je passe, aux deux tours.")),
    ],
)  # fmt: skip
def test_at_belote_it_says_whether_it_takes(hand: list[str], turn_up: str, en: str, fr: str) -> None:
    for said in ({}, {"dealer": 0}, {"dealer": 1}):
        match, told = bidding(hand, turn_up, **said)
        spoken = [words.sentence_of(only(told, "device_bid").to_dict(), language, match) for language in ("en", "fr")]
        assert spoken == [en, fr]
        in_shimaore = words.sentence_of(only(told, "device_bid").to_dict(), "shi", match)
        assert in_shimaore == fr.replace("cœur", "kopa")
        question = match.view.question
        assert question is not None and question["about"] == TAKER
        asked = words.sentence_of(question.to_dict(), "en", match)
        assert asked.startswith(("I take", "I pass")) and "Who takes: " in asked


def test_who_says_that_it_takes_need_not_say_which_suit() -> None:
    for turn_up, trump in (("8H", "H"), ("KD", "H")):
        match, _ = bidding(STRONG, turn_up)
        assert match.add({"event": "choose", "question": 1, "answer": "1"}) == []
        assert (match.view.taker, match.view.trump, match.view.question) == (1, trump, None)
    match, _ = bidding(STRONG, "8H")  # Somebody else was faster.
    assert only(match.add({"event": "choose", "question": 1, "answer": "0"}), "question")["about"] == TRUMP
    match, _ = bidding(EMPTY, "KH")  # It did not say so: a person decides.
    assert only(match.add({"event": "choose", "question": 1, "answer": "1"}), "question")["about"] == TRUMP


def test_what_it_said_goes_with_its_deal() -> None:
    match, _ = bidding(STRONG, "8H", dealer=0)
    match.add({"event": "choose", "question": 1, "answer": "nobody"})
    match.add({"event": "deal", "turn_up": "KD"})
    question = match.view.question
    assert question is not None and "bid" not in question
    for wrong in ("take:D", "take:X", "7C"):
        with pytest.raises(EventError):
            match.add(DeviceTurn(wrong, 1 if wrong != "7C" else None))
    match.add({"event": "take", "seat": 3, "trump": "D"})
    assert match.add(DeviceTurn(PASS, 1)) == []  # Too late: nobody needs to hear it.


def test_it_waits_for_the_whole_of_its_hand() -> None:
    match = Match("sueca", against=Against(1, 4))
    now_s = 100.0
    opponent = CardOpponent(1, AtOnce(Begin("sueca", {}, 1, 1)), lambda: now_s)
    match.add({"event": "deal", "turn_up": "3D", "dealer": 3})
    match.add({"event": "play", "seat": 0, "card": "5H"})
    assert opponent.turn(match, ["AH", "7H"]) is None and not opponent.short
    now_s += SHORT_S + 1
    assert opponent.turn(match, ["AH", "7H"]) is None and opponent.short
    now_s += PLAYS_ON_S
    turn = opponent.turn(match, ["AH", "7H"])
    assert turn is not None and turn.turn in ("AH", "7H")


def test_without_a_seat_of_its_own_nothing_lies_open() -> None:
    settings = Settings(game="belote", players=4)
    assert settings.match().header.against is None
    assert Settings(game="turufu", players=2, device_seat=3).match().header.against is None
    cards = tuple(CardLying(card, 0.99, (place / 10, -0.8)) for place, card in enumerate(("8H", "KD", "7C", "AS")))
    for seat, hand in ((0, set()), (3, {lying.card for lying in cards})):
        eye, sitting = Eye(), replace(settings, device_seat=seat)
        kept = InMemory(sitting.match())
        follower = CardFollower(kept.match, sitting, eye)
        for at_s in range(3):
            eye.look = TableLook(at_s, cards, card_length=0.3, fresh=not at_s)
            seen = follower.see(Frame(BLANK, at_s), partial(getattr, kept, "match"), kept.add)
        assert seen.hand == hand
