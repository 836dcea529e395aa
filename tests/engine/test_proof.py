"""The proof of a revoke: against the vectors, against brute force, and never against honest play."""

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.cards import Card, suit_of
from engine.events import Deal, Pillage, Play
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.referee.proof import Claim, Outside, Shown, Verdict, prove
from engine.rules.sueca import Sueca, sueca
from engine.rules.tricks import THE_DEALERS, TrickGame
from engine.rules.triomphe import Triomphe, pille, triomphe
from engine.rules.turufu import Turufu, turufu
from engine.seats import alternating_sides, order_from
from engine.simulate import SimulatedDeal, honest_deal
from tests.sizes import slow


def trump_of(deal: SimulatedDeal) -> str:
    turn_up = next(event.turn_up for event in deal.events if isinstance(event, Deal))
    assert turn_up is not None
    return suit_of(turn_up)


def tricks_of(game: TrickGame, deal: SimulatedDeal) -> list[list[Shown]]:
    plays = [Shown(event.seat, event.card) for event in deal.events if isinstance(event, Play)]
    return [plays[start : start + game.players] for start in range(0, len(plays), game.players)]


def outside_after(game: TrickGame, deal: SimulatedDeal, tricks: int, dealer: int) -> Outside:
    turn_up = next(event.turn_up for event in deal.events if isinstance(event, Deal))
    drawer = game.last_drawer(deal.winners[game.draws - 1], dealer) if 0 < game.draws <= tricks else None
    pillages = [event for event in deal.events if isinstance(event, Pillage)]
    if game.turn_up_goes == THE_DEALERS:
        return Outside(None, None)
    if not pillages:
        return Outside(turn_up, drawer)
    return Outside(
        pillages[-1].next,
        drawer,
        pillages[0].seat,
        tuple(pillage.card for pillage in pillages),
        tuple(pillage.paid for pillage in pillages if pillage.paid),
        sum(pillage.paid is None for pillage in pillages),
    )


def verdicts(game: TrickGame, deal: SimulatedDeal, dealer: int) -> Iterator[Verdict]:
    trump = trump_of(deal)
    tricks = tricks_of(game, deal)
    for count in range(1, len(tricks) + 1):
        yield prove(game, trump, tricks[:count], outside_after(game, deal, count, dealer))


# -- vectors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", [3, *slow(1)])
def test_vectors(shared: Path, every: int) -> None:
    for line in (shared / "vectors" / "revoke.jsonl").read_text().splitlines()[::every]:
        vector = json.loads(line)
        match = Match(vector["game"], vector["players"])
        match.add({"event": "deal", "dealer": vector["players"] - 1, "turn_up": vector["turn_up"]})
        told = [
            notice.facts
            for seat, card in vector["plays"]
            for notice in match.add({"event": "play", "seat": seat, "card": card})
            if notice.code == "revoke"
        ]
        want = vector["verdict"]
        assert bool(told) == want["proven"], vector["id"]
        if told:
            assert min(face["after_trick"] for face in told) == want["first_proof_after_trick"], vector["id"]
            assert sorted(map(sorted, told[-1]["explanations"])) == sorted(map(sorted, want["minimal_sets"]))
            assert sorted(told[-1]["certain"]) == sorted(want["certain"])
            assert told[-1]["level_of_proof"] == "proven"


# -- brute force ---------------------------------------------------------------------------------------------------


class EveryDeal:
    """Looks for a hidden deal that leads to the tricks seen, by trying them all."""

    def __init__(self, game: TrickGame, trump: str, tricks: Sequence[Sequence[Shown]], outside: Outside) -> None:
        self.game, self.trump, self.tricks, self.outside = game, trump, tricks, outside
        self.mine = {card.card: card.seat for trick in tricks for card in trick}

    def leads_here(self, excused: frozenset[Claim]) -> bool:
        """Whether some deal does, if these plays are not held to their duty."""
        self.excused = excused
        self.dead: set[Any] = set()
        game = self.game
        pack = [card for card in game.pack if card != self.outside.turn_up]
        return self._hands((), pack)

    def _hands(self, hands: tuple[frozenset[Card], ...], left: list[Card]) -> bool:
        seat = len(hands)
        if seat == self.game.players:
            return self._trick(1, hands, frozenset(left))
        for hand in combinations(left, self.game.hand):
            if all(self.mine.get(card, seat) == seat for card in hand):
                rest = [card for card in left if card not in hand]
                if self._hands((*hands, frozenset(hand)), rest):
                    return True
        return False

    def _trick(self, number: int, hands: tuple[frozenset[Card], ...], stock: frozenset[Card]) -> bool:
        if number > len(self.tricks):
            return True
        if (number, hands) in self.dead:
            return False
        before: list[Card] = []
        held = list(hands)
        for seat, card, *_ in self.tricks[number - 1]:
            assert card is not None and seat is not None
            legal = card in held[seat] and (
                (seat, number) in self.excused or not self.game.forbidden(before, card, self.trump, number) & held[seat]
            )
            if not legal:
                self.dead.add((number, hands))
                return False
            held[seat] = held[seat] - {card}
            before.append(card)
        if self._draw(number, 0, held, stock):
            return True
        self.dead.add((number, hands))
        return False

    def _draw(self, number: int, drawn: int, held: list[frozenset[Card]], stock: frozenset[Card]) -> bool:
        game = self.game
        if number > game.draws or drawn == game.players:
            return self._trick(number + 1, tuple(held), stock)
        trick = self.tricks[number - 1]
        winner = trick[game.winning([card.card for card in trick if card.card], self.trump)].seat
        assert winner is not None
        seat = order_from(winner, game.players)[drawn]
        last = number == game.draws and drawn == game.players - 1
        turn_up = self.outside.turn_up
        for card in (turn_up,) if last and turn_up else sorted(stock):
            if self.mine.get(card, seat) == seat:
                fuller = [*held]
                fuller[seat] = held[seat] | {card}
                if self._draw(number, drawn + 1, fuller, stock - {card}):
                    return True
        return False


def small_turufu(players: int) -> Turufu:
    """Twelve cards: few enough to try every deal."""
    ranks = ("A", "7", "K")
    draws = 12 // players - 2
    return Turufu("turufu", players, alternating_sides(players), turufu(4, {}).options, ranks, 2, draws, 4)


def small_triomphe(players: int) -> Triomphe:
    return Triomphe("triomphe", players, tuple(range(players)), triomphe(4, {}).options, ("K", "Q", "J"), 3, 0, 5)


def small_sueca() -> Sueca:
    return Sueca("sueca", 4, alternating_sides(4), sueca(4, {}).options, ("A", "7", "K"), 3, 0, 4)


SMALL = [small_turufu(2), small_turufu(3), small_triomphe(2), *slow(small_triomphe(3), small_sueca())]


@pytest.mark.parametrize("game", SMALL)
def test_against_every_hidden_deal(game: TrickGame) -> None:
    found = 0
    for seed in range(15):
        deal = honest_deal(game, Random(seed), game.players - 1, revoke_chance=0.3)
        trump = trump_of(deal)
        tricks = tricks_of(game, deal)
        for count in range(max(1, len(tricks) - 2), len(tricks) + 1):
            outside = outside_after(game, deal, count, game.players - 1)
            verdict = prove(game, trump, tricks[:count], outside)
            brute = EveryDeal(game, trump, tricks[:count], outside)
            assert brute.leads_here(frozenset()) == (not verdict.explanations), (seed, count)
            if not verdict.explanations:
                continue
            found += 1
            claims = [
                (card.seat, number)
                for number, trick in enumerate(tricks[:count], 1)
                for card in trick[1:]
                if card.seat is not None
            ]
            size = len(verdict.explanations[0])
            smallest = [set(some) for some in combinations(claims, size) if brute.leads_here(frozenset(some))]
            fewer = (some for less in range(size) for some in combinations(claims, less))
            assert not any(brute.leads_here(frozenset(some)) for some in fewer)
            assert sorted(map(sorted, smallest)) == sorted(map(sorted, verdict.explanations))
            certain = [claim for claim in claims if not brute.leads_here(frozenset(set(claims) - {claim}))]
            assert sorted(certain) == sorted(verdict.certain)
    assert found >= 3


def minimal_explanations(brute: EveryDeal, claims: Sequence[Claim]) -> list[frozenset[Claim]]:
    """Every set of claims of any size that must fall for some deal to lead there, none holding a claim too many."""
    found: list[frozenset[Claim]] = []
    for size in range(len(claims) + 1):
        for some in map(frozenset, combinations(claims, size)):
            if not any(cell <= some for cell in found) and brute.leads_here(some):
                found.append(some)
    return found


def several_revokes(game: TrickGame, seeds: range) -> list[int]:
    """Compares every verdict on deals with revokes with every hidden deal; how many claims each explanation held."""
    sizes = []
    for seed in seeds:
        deal = honest_deal(game, Random(seed), game.players - 1, revoke_chance=0.7)
        trump = trump_of(deal)
        tricks = tricks_of(game, deal)
        for count in range(max(1, len(tricks) - 1), len(tricks) + 1):
            claims = [
                (card.seat, number)
                for number, trick in enumerate(tricks[:count], 1)
                for place, card in enumerate(trick)
                if card.seat is not None and card.card is not None
                and game.forbidden([before.card for before in trick[:place] if before.card], card.card, trump, number)
            ]  # fmt: skip
            if len(deal.revokes) < 2 or len(claims) > 7:
                continue
            outside = outside_after(game, deal, count, game.players - 1)
            verdict = prove(game, trump, tricks[:count], outside)
            brute = EveryDeal(game, trump, tricks[:count], outside)
            every = minimal_explanations(brute, claims)
            if every == [frozenset()]:
                assert verdict == Verdict()
                continue
            sizes += [len(cell) for cell in every]
            fewest = min(map(len, every))
            assert set(map(frozenset, verdict.explanations)) == {cell for cell in every if len(cell) == fewest}
            assert set(verdict.certain) == frozenset.intersection(*every), seed
            assert {evidence.claim for evidence in verdict.evidence} == frozenset.union(*every), seed
            assert verdict.guilty == frozenset.intersection(*(frozenset(seat for seat, _ in cell) for cell in every))
            assert set(verdict.certain) <= set(deal.revokes)
            assert {evidence.claim for evidence in verdict.evidence} & set(deal.revokes)
    return sizes


@pytest.mark.parametrize(("deals", "least"), [(12, 2), *slow((1_000, 300))])
@pytest.mark.parametrize("game", SMALL)
def test_several_revokes_against_every_hidden_deal(game: TrickGame, deals: int, least: int) -> None:
    """What one smallest explanation alone names is not always certain: then others are as possible."""
    assert len(several_revokes(game, range(deals))) >= least


# -- honest play ---------------------------------------------------------------------------------------------------


def honest_pillages(deals: int) -> None:
    seen = 0
    for seed in range(deals):
        game = pille(2 + seed % 5, {})
        deal = honest_deal(game, Random(seed), seed % game.players)
        seen += any(isinstance(event, Pillage) for event in deal.events)
        assert all(not verdict.explanations for verdict in verdicts(game, deal, seed % game.players)), seed
    assert seen > deals / 20


def test_honest_pillages_prove_nothing() -> None:
    honest_pillages(150)


@pytest.mark.slow
def test_3000_honest_pillages_prove_nothing() -> None:
    seed, pillages = 0, 0
    while pillages < 3_000:
        game = pille(2 + seed % 5, {})
        deal = honest_deal(game, Random(seed), seed % game.players)
        if any(isinstance(event, Pillage) for event in deal.events):
            pillages += 1
            assert all(not verdict.explanations for verdict in verdicts(game, deal, seed % game.players)), seed
        seed += 1


@pytest.mark.parametrize("game", [turufu(2, {}), turufu(4, {}), turufu(6, {}), triomphe(5, {})])
def test_whoever_is_named_did_it(game: TrickGame) -> None:
    """Explanations may be several, but one of them holds only true revokes, and what is certain is true."""
    proven = 0
    for seed in range(40):
        deal = honest_deal(game, Random(seed), 0, revoke_chance=0.15)
        for verdict in verdicts(game, deal, 0):
            assert set(verdict.certain) <= set(deal.revokes)
            if verdict.explanations:
                proven += 1
                assert deal.revokes
                if len(verdict.explanations) == 1 and len(deal.revokes) == 1:
                    assert verdict.explanations[0] == deal.revokes
    assert proven


@pytest.mark.parametrize("game", [turufu(2, {}), turufu(4, {}), triomphe(4, {})])
def test_an_unread_card_is_never_absent(game: TrickGame) -> None:
    """Any one card unread: honest play stays innocent, and what is still proven is proven with the card read too."""
    for seed in range(12):
        rng = Random(seed)
        for chance in (0.0, 0.2):
            deal = honest_deal(game, rng, 0, revoke_chance=chance)
            trump = trump_of(deal)
            tricks = tricks_of(game, deal)
            outside = outside_after(game, deal, len(tricks), 0)
            whole = prove(game, trump, tricks, outside)
            hidden = rng.randrange(len(tricks)), rng.randrange(game.players)
            tricks[hidden[0]][hidden[1]] = Shown(tricks[hidden[0]][hidden[1]].seat, None)
            part = prove(game, trump, tricks, outside)
            assert bool(whole.explanations) or not part.explanations
            assert set(part.certain) <= set(deal.revokes)


def test_evidence_names_the_two_cards() -> None:
    game = triomphe(2, {})
    cards = ["KC", "7D", "QC", "8C"]
    tricks = [[Shown(0, cards[0]), Shown(1, cards[1])], [Shown(0, cards[2]), Shown(1, cards[3])]]
    (evidence,) = prove(game, "H", tricks, Outside("7H")).evidence
    assert evidence == ((1, 1), "7D", ("8C",), "follow", ())


@pytest.mark.parametrize(
    ("second", "later", "duty"),
    [("7C", "KC", "overtake"), ("7D", "8C", "follow"), ("7D", "8H", "trump")],
)
def test_which_duty(second: str, later: str, duty: str) -> None:
    game = triomphe(2, {})
    tricks = [[Shown(0, "10C"), Shown(1, second)], [Shown(0, "KS"), Shown(1, later)]]
    (evidence,) = prove(game, "H", tricks[:2], Outside("7H")).evidence[:1]
    assert evidence.duty == duty


def test_a_card_twice_is_not_a_revoke() -> None:
    """No deal at all leads there: that is for the table to look at, not for an accusation."""
    game = triomphe(2, {})
    tricks = [[Shown(0, "10C"), Shown(1, "7D")], [Shown(0, "8C"), Shown(1, "8C")]]
    assert prove(game, "H", tricks, Outside("7H")) == Verdict()


def test_the_judge_is_not_asked_twice_for_the_same_verdict() -> None:
    match = Match("triomphe", 2)
    assert isinstance(match.judge, CardJudge)
    match.add({"event": "deal", "dealer": 1, "turn_up": "7H"})
    levels = [
        (notice.facts["after_trick"], notice.facts["level_of_proof"])
        for place, card in enumerate(["KC", "7D", "QC", "8C", "KS", "QS", "JC", "9C", "AC", "10C"])
        for notice in match.add({"event": "play", "card": card, "seat": place % 2})
        if notice.code == "revoke"
    ]
    assert levels == [(2, "provisional"), (2, "proven")]
