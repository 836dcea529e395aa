"""Sueca's rules, against the rules written down once more, sentence by sentence, as plain code."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from engine.cards import Card
from engine.events import Deal, Play
from engine.match import Match
from engine.options import OptionError
from engine.playing import CardsPlayed
from engine.rules.sueca import sueca
from engine.simulate import honest_deal
from tests.engine.table import only, rules, tell

GAME = sueca(4, {})
LOW_TO_HIGH = "23456QJK7A"
WORTH = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}


def may_be_played(hand: list[Card], trick: list[Card]) -> set[Card]:
    following = {card for card in hand if trick and card[-1] == trick[0][-1]}
    return following or set(hand)


def wins(trick: list[Card], trump: str) -> Card:
    trumps = [card for card in trick if card[-1] == trump]
    suited = trumps or [card for card in trick if card[-1] == trick[0][-1]]
    return max(suited, key=lambda card: LOW_TO_HIGH.index(card[0]))


def count_again(tricks: list[tuple[list[Card], int]], trump: str) -> list[int]:
    """The games of each side for a deal, from its tricks (cards in order, and who led)."""
    points, taken = [0, 0], [0, 0]
    for cards, leader in tricks:
        side = (leader + cards.index(wins(cards, trump))) % 4 % 2
        taken[side] += 1
        points[side] += sum(WORTH.get(card[0], 0) for card in cards)
    assert sum(points) == 120
    for side in (0, 1):
        if taken[side] == 10:
            return [4 * (side == 0), 4 * (side == 1)]
        if points[side] > 60:
            games = 2 if points[side] >= 91 else 1
            return [games * (side == 0), games * (side == 1)]
    return [0, 0]


def test_legal_cards_and_winners_are_those_of_the_rules_as_they_are_told() -> None:
    rng = Random(5)
    for _ in range(4_000):
        pack = rng.sample(GAME.pack, 14)
        hand, trick = pack[: rng.randrange(1, 11)], pack[10 : 10 + rng.randrange(5)]
        trump = rng.choice("CDHS")
        assert set(GAME.legal(hand, trick[:3], trump, 1)) == may_be_played(hand, trick[:3])
        if trick:
            assert trick[GAME.winning(trick, trump)] == wins(trick, trump)


def test_any_four_cards_of_a_small_pack_go_to_the_right_one() -> None:
    for trick in permutations([rank + suit for suit in "CD" for rank in "A72"], 4):
        for trump in "CDH":
            assert trick[GAME.winning(trick, trump)] == wins(list(trick), trump)


def lopsided(rng: Random, table: CardsPlayed) -> str:
    """A move of players of whom one side throws its points away: so that every score comes up."""
    moves = table.legal_moves
    generous = table.turn % 2
    return (min if generous else max)(moves, key=lambda card: (LOW_TO_HIGH.index(card[0]), rng.random()))


def test_deals_are_scored_as_the_rules_say() -> None:
    rng, brought = Random(1), Counter[tuple[int, ...]]()
    for number in range(400):
        table = CardsPlayed(GAME, rng, deals=1)
        if number % 4 == 0:  # One side holds every high card: every trick is its own.
            high = sorted(GAME.pack, key=lambda card: (card[-1] == table.trump, LOW_TO_HIGH.index(card[0])))
            table.hands = [high[20:30], high[:10], high[30:], high[10:20]]
        tricks: list[tuple[list[Card], int]] = []
        while not table.is_over():
            if not table.before:
                tricks.append(([], table.leader))
            move = rng.choice(table.legal_moves) if number % 2 else lopsided(rng, table)
            tricks[-1][0].append(move)
            table.push(move)
        assert list(table.score.games) == count_again(tricks, table.trump)
        brought[tuple(sorted(table.score.games))] += 1
    assert set(brought) >= {(0, 1), (0, 2), (0, 4)}


@pytest.mark.parametrize(
    ("points", "games", "how"),
    [
        ((61, 59), (1, 0), ""), ((60, 60), (0, 0), "even"), ((90, 30), (1, 0), ""), ((29, 91), (0, 2), "double"),
        ((120, 0), (2, 0), "double"),
    ],
)  # fmt: skip
def test_61_points_win_91_count_double_and_60_each_brings_nothing(
    points: tuple[int, int], games: tuple[int, int], how: str
) -> None:
    outcome = GAME.outcome(points, (0, 1, 2, 3, 0, 1, 2, 3, 0, 0), 0)
    assert outcome.games == games
    assert GAME.deal_facts(outcome, GAME.opening_score(), None) == {"how": how}


def test_every_trick_counts_four_and_wins_the_match() -> None:
    outcome = GAME.outcome((0, 120), (1, 3) * 5, 0)
    assert (outcome.games, outcome.every_trick) == ((0, 4), 1)
    assert GAME.scored(GAME.opening_score(), outcome).winner(GAME.target) == 1
    assert sueca(4, {"target": 7}).target == 7


def test_the_pack_and_the_table() -> None:
    assert (len(GAME.pack), GAME.all_points, GAME.tricks, GAME.sides) == (40, 120, 10, (0, 1, 0, 1))
    assert sueca(4, {"turns": "clockwise"}).clockwise and not GAME.clockwise
    with pytest.raises(OptionError):
        sueca(3, {})


def test_the_dealer_plays_the_card_that_was_turned_up() -> None:
    table = CardsPlayed(GAME, Random(3), dealer=1)
    assert table.turn_up in table.hands[1] and table.turn == 2
    match = Match("sueca")
    deal = honest_deal(GAME, Random(3), 1)
    assert isinstance(deal.events[0], Deal)
    told = tell(match, *deal.events)
    by = next(event.seat for event in deal.events if isinstance(event, Play) and event.card == deal.events[0].turn_up)
    assert by == 1 and all(notice.level == "info" for notice in told)
    scored = only(told, "deal_scored").facts
    assert sum(scored["points"]) == 120 and scored["match"] == list(match.view.games or ())


@pytest.mark.parametrize("seed", [2, 15, 20])
def test_that_a_card_is_missing_is_said_once(seed: int) -> None:
    """One is misread as another that was laid before; who won its trick is open until the last trick goes."""
    events = list(honest_deal(GAME, Random(seed), 0).events)
    plays = [place for place, event in enumerate(events) if isinstance(event, Play)]
    misread = events[plays[20]]
    assert isinstance(misread, Play) and misread.card is not None
    before = [event.card for event in events[: plays[16]] if isinstance(event, Play) and event.card]
    alike = next(card for card in reversed(before) if card[-1] == misread.card[-1])
    events[plays[20]] = replace(misread, card=alike)
    assert rules(tell(Match("sueca", 4), *events)).count("cards_missing") == 1
