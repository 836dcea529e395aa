"""Belote's rules, against the rules written down once more, sentence by sentence, as plain code."""

from itertools import product
from random import Random

import pytest

from engine.cards import Card
from engine.options import OptionError
from engine.playing import CardsPlayed
from engine.rules.belote import Belote, belote
from engine.rules.tricks import Score

HOUSES = [
    {"undertrump": undertrump, "partner": partner}
    for undertrump, partner in product(("must", "may"), ("free", "trump"))
]
PLAIN_ORDER = ["7", "8", "9", "J", "Q", "K", "10", "A"]
TRUMP_ORDER = ["7", "8", "Q", "K", "10", "A", "9", "J"]


def stronger(a: Card, b: Card, trump: str) -> bool:
    """Whether a, played later, beats b, which is winning."""
    if a[-1] == b[-1]:
        order = TRUMP_ORDER if a[-1] == trump else PLAIN_ORDER
        return order.index(a[:-1]) > order.index(b[:-1])
    return a[-1] == trump


def master(trick: list[Card], trump: str) -> int:
    place = 0
    for number, card in enumerate(trick):
        if number and stronger(card, trick[place], trump):
            place = number
    return place


def allowed(hand: list[Card], trick: list[Card], trump: str, undertrump: str, partner: str) -> set[Card]:
    """What may be played, as one would say it at the table."""
    if not trick:
        return set(hand)
    led, best = trick[0][-1], trick[master(trick, trump)]
    following = [card for card in hand if card[-1] == led]
    trumps = [card for card in hand if card[-1] == trump]
    higher = [card for card in trumps if best[-1] != trump or stronger(card, best, trump)]
    if following and led != trump:
        return set(following)  # Follow; any card of the suit does.
    if following:
        return set(higher or following)  # At trump one goes up, if one can.
    if led == trump:
        return set(hand)  # No trump left: anything.
    my_partner_wins = len(trick) >= 2 and (len(trick) - master(trick, trump)) == 2
    if my_partner_wins and partner == "free":
        return set(hand)  # Nobody need trump his partner.
    if higher:
        # Trump, and over the others' trump. What is no trump at all may not be thrown, nor a lower trump.
        return set(higher)
    if trumps and undertrump == "must":
        return set(trumps)  # One cannot go over: then under.
    return set(hand)


@pytest.mark.parametrize("house", HOUSES)
def test_legal_cards_are_those_of_the_rules_as_they_are_told(house: dict[str, str]) -> None:
    game = belote(4, house)
    rng = Random(str(house))
    tried = set()
    for _ in range(6_000):
        pack = rng.sample(game.pack, 8 + 3)
        hand, trick = pack[: rng.randrange(1, 9)], pack[8 : 8 + rng.randrange(4)]
        trump = rng.choice("CDHS")
        expected = allowed(hand, trick, trump, **house)
        assert set(game.legal(hand, trick, trump, 1)) == expected, (hand, trick, trump)
        tried.add((len(expected) == len(hand), len(trick)))
    assert len(tried) > 6


def values(card: Card, trump: str) -> int:
    as_trump = {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3}
    plain = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
    return (as_trump if card[-1] == trump else plain).get(card[:-1], 0)


def count_again(tricks: list[tuple[list[Card], int]], trump: str, taker: int, equal: str, held: int) -> list[int]:
    """What each side scores for a deal, from its tricks (cards in order, and who led), and what is held over then."""
    piles: list[list[Card]] = [[], []]
    belotes = [0, 0]
    winner = 0
    for cards, leader in tricks:
        winner = (leader + master(cards, trump)) % 4
        piles[winner % 2] += cards
    who = {card: (leader + number) % 4 for cards, leader in tricks for number, card in enumerate(cards)}
    if who["K" + trump] == who["Q" + trump]:
        belotes[who["K" + trump] % 2] = 20
    made = [sum(values(card, trump) for card in pile) + extra for pile, extra in zip(piles, belotes, strict=True)]
    made[winner % 2] += 10
    mine, theirs = taker % 2, 1 - taker % 2
    score = [0, 0, 0]
    if not piles[0] or not piles[1]:
        side = 0 if piles[0] else 1
        score[side] = 252 + held
        return [score[0] + belotes[0], score[1] + belotes[1], 0]
    if made[mine] > made[theirs]:
        score[:2] = made
        score[mine] += held
        return score
    if made[mine] == made[theirs] and equal == "litige":
        score[theirs] = made[theirs]
        score[2] = held + made[mine]
        return score
    score[theirs] = 162 + held
    return [score[0] + belotes[0], score[1] + belotes[1], 0]


@pytest.mark.parametrize("equal", ["inside", "litige"])
def test_deals_are_scored_as_the_rules_say(equal: str) -> None:
    game = belote(4, {"equal": equal, "target": 2000})
    rng = Random(equal)
    table = CardsPlayed(game, rng)
    scored = 0
    while scored < 150:
        tricks: list[tuple[list[Card], int]] = []
        deal, before = len(table.outcomes), table.score
        trump, taker = "", 0
        while len(table.outcomes) == deal:
            if table.taker is not None and not table.before:
                tricks.append(([], table.leader))
                trump, taker = table.trump, table.taker
            move = rng.choice(table.legal_moves)
            if table.taker is not None:
                tricks[-1][0].append(move)
            table.push(move)
        expected = count_again(tricks, trump, taker, equal, before.tie_bonus)
        won = [now - had for now, had in zip(table.score.games, before.games, strict=True)]
        assert [*won, table.score.tie_bonus] == expected
        scored += 1
        if table.is_over():
            table = CardsPlayed(game, rng)


def deal(
    game: Belote, points: tuple[int, int], last: int, taker: int, belote_of: int | None = None, held: int = 0
) -> Score:
    """The score after one deal: card points by side, who won the last trick, who took, who held king and queen."""
    bonus = (0, 0) if belote_of is None else game.points_for(game.sides[belote_of], 20)
    winners = (0, 1, 2, 3, 0, 1, 2, last)
    opening = Score((0, 0), ((), ()), held)
    return game.scored(opening, game.outcome(points, winners, held, taker, bonus))


def test_the_taker_needs_more_than_the_other_side() -> None:
    game = belote(4, {})
    assert deal(game, (80, 72), 0, 0).games == (90, 72)
    assert deal(game, (70, 82), 0, 0).games == (0, 162)
    assert deal(game, (71, 81), 0, 0).games == (0, 162), "81 each is inside"


def test_belote_is_counted_for_the_contract_and_stays_with_who_holds_it() -> None:
    game = belote(4, {})
    assert deal(game, (70, 82), 1, 0, belote_of=2).games == (20, 162), "90 against 92"
    assert deal(game, (72, 80), 0, 0, belote_of=2).games == (102, 80)
    assert deal(game, (80, 72), 0, 0, belote_of=1).games == (0, 182), "90 against 92: the other side's 20 count too"


def test_equal_points_are_held_over_where_the_house_says_so() -> None:
    game = belote(4, {"equal": "litige"})
    after = deal(game, (71, 81), 0, 0)
    assert (after.games, after.tie_bonus) == ((0, 81), 81)
    assert deal(game, (80, 72), 0, 2, held=81).games == (171, 72)
    assert deal(game, (60, 92), 0, 2, held=81).games == (0, 243)


def test_every_trick_is_capot() -> None:
    game = belote(4, {})
    outcome = game.outcome((152, 0), (0, 2) * 4, 0, 2, (0, 20))
    assert (outcome.games, outcome.every_trick) == ((252, 20), 0)


def test_the_pack_is_worth_152_whatever_is_trump() -> None:
    game = belote(4, {})
    assert {sum(game.card_points(card, trump) for card in game.pack) for trump in "CDHS"} == {152}
    assert game.all_points == 152


def test_four_play() -> None:
    with pytest.raises(OptionError, match="players: game='belote'"):
        belote(3, {})
    assert belote(4, {"turns": "clockwise"}).clockwise and not belote(4, {}).clockwise
