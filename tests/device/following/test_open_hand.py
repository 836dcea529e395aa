"""A hand that lies face up before a seat where nobody sits: the device plays it, and people lay its cards for it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from device.following.opponent import CardOpponent
from device.following.thinker import Begin, Thinker
from engine.cards import Card
from engine.events import Deal, Event, Play, Take, Taken
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.playing import PASS, CardsPlayed, game_of
from engine.referee.deal import DealState
from engine.referee.taking import TAKER
from engine.search.cards import CardPlayer
from engine.simulate_looks import CALM_LOOKS, HOUSE_LOOKS, LookMess, LookTable
from engine.table.card_table import CardTable
from tests.sizes import slow

GAMES = ("turufu", "triomphe", "belote", "sueca")


class AtOnce(Thinker):
    """Thinks in no process of its own."""

    def turn(self, position: Any) -> str:
        player = self.begin.player()
        assert isinstance(player, CardPlayer)
        return player.move(position)


class OpenDeal:
    """A deal with the device in one seat: people lay what it asks for, or now and then another card of its hand."""

    def __init__(self, name: str, seed: int, mess: LookMess, slips: float = 0.0, device: int | None = None) -> None:
        self.rng = Random(seed)
        self.device = seed % 4 if device is None else device
        self.match = Match(name, 4)
        self.game = game_of(name, 4)
        self.table = CardTable(self.game, self.game.clockwise, open_seat=self.device)
        self.played = CardsPlayed(self.game, self.rng, self.rng.randrange(4), deals=1)
        self.slips, self.slipped = slips, 0
        self.asked: list[Card] = []
        self.said: list[Notice] = []
        self.truth = Match(name, 4)
        self._opponent = CardOpponent(self.device, AtOnce(Begin(name, {}, 1, seed)))
        looks = LookTable(self.game, seed, self.game.clockwise, mess, self.device, self._held)
        for look, _ in looks.looks(self._events()):
            self.table.look(look, self.match)
            while (event := self.table.next(self.match)) is not None:
                self.said += self.match.add(event)
            question, taker = self.match.view.question, self.played.taker
            if question is not None and question["about"] == TAKER and taker is not None:
                self.said += self.match.add(Take(taker, self.played.trump))
            assert self.table.open_hand is not None
            turn = self._opponent.turn(self.match, self.table.open_hand.cards)
            if turn is not None:
                self.said += self.match.add(turn)

    def _held(self) -> list[Card]:
        return [] if self.played.is_over() else self.played.hands[self.device]

    def _events(self) -> Iterator[Event]:
        table = self.played
        yield self._happens(Deal(table.turn_up, table.dealer))
        while table.asked:
            table.push(PASS if len(table.asked) > 1 else self.rng.choice([m for m in table.legal_moves if m != PASS]))
        if table.taker is not None:
            yield self._happens(Take(table.taker, table.trump))
        while not table.is_over():
            seat = table.turn
            card = self.rng.choice(sorted(table.legal_cards))
            if seat == self.device:
                card = self._for_the_device(card)
            beside = bool(table.before)
            table.push(card)
            yield self._happens(Play(card, seat, beside=beside))
            if not table.before:
                yield self._happens(Taken(table.winners[-1]))

    def _for_the_device(self, other: Card) -> Card:
        """What a person lays for it: what it asked for."""
        deal: DealState | None = self.match.state.deal
        assert deal is not None and deal.asked is not None, (self.match.view.turn, self.table.open_hand.cards)  # type: ignore[union-attr]
        asked = deal.asked.card
        assert asked in self.played.legal_cards
        self.asked.append(asked)
        if other != asked and self.rng.random() < self.slips:
            self.slipped += 1
            return other
        return asked

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
    assert tricks_of(deal.match) == tricks_of(deal.truth)
    assert deal.match.view.games == deal.truth.view.games
    assert [notice for notice in deal.said if notice.level == ALERT] == []
    assert len(deal.asked) == deal.game.tricks
    assert len(others(deal.said)) == deal.slipped


@pytest.mark.parametrize(("name", "seed"), [("turufu", 1), *slow(("triomphe", 2), ("belote", 3), ("sueca", 0))])
def test_a_deal_with_a_hand_that_lies_open_is_followed_and_its_cards_are_asked_for(name: str, seed: int) -> None:
    check(OpenDeal(name, seed, CALM_LOOKS))


def test_another_card_laid_for_it_is_told_and_counts() -> None:
    deal = OpenDeal("triomphe", 6, CALM_LOOKS, slips=0.6)
    assert deal.slipped
    check(deal)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_deals_at_a_table_with_ordinary_mess(name: str) -> None:
    for seed in range(10):
        check(OpenDeal(name, 100 + seed, HOUSE_LOOKS, slips=0.2))
