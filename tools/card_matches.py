"""Plays pairs at cards against each other: two who look ahead against two who play by lot, or greedily.

    python -m tools.card_matches [--deals 2000] [--samples 60] [--only belote sueca] [--against lot greed]

Every deal is dealt twice, so that each pair has either hand once. A deal counts for whom it brings more games; where it
brings nobody any, for half. "both" says the same of the two together: there the cards are equal. A line of JSON after
every fifty deals: a run that is broken off says what it had.
"""

import argparse
import json
import math
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean, pstdev
from typing import NamedTuple

from engine.cards import suit_of
from engine.playing import ACCEPT, OFFER, CardsPlayed, game_of
from engine.rules.tricks import PASS, TAKE
from engine.search.cards import CardPlayer, SeatView

LOT, GREED = "lot", "greed"
TABLES: dict[str, dict[str, object]] = {
    "turufu": {}, "triomphe": {"teams": "sides"}, "belote": {}, "sueca": {},
}  # fmt: skip
TELL_EVERY = 50
STRONG_TRUMPS = 3
"""Trumps in hand, the one turned up counted, with which the greedy take."""


def by_lot(table: CardsPlayed, rng: Random) -> str:
    return rng.choice([move for move in table.legal_moves if move != OFFER])


def greedily(table: CardsPlayed, rng: Random) -> str:
    """Wins the trick with the dearest card that does, if any does; else gives the least."""
    if table.asked:
        return _greedy_word(table)
    game, trump, before = table.game, table.trump, table.before
    legal = table.legal_cards

    def dear(card: str) -> tuple[int, int]:
        return game.card_points(card, trump), -len(game.above(card, trump))

    winners = [card for card in legal if game.winning([*before, card], trump) == len(before)]
    return max(winners, key=dear) if winners else min(legal, key=dear)


def _greedy_word(table: CardsPlayed) -> str:
    moves = table.legal_moves
    if table.offered_by is not None:
        return ACCEPT
    if TAKE in moves and table.turn_up is not None:
        many = sum(suit_of(card) == suit_of(table.turn_up) for card in table.hands[table.turn]) + 1
        return TAKE if many >= STRONG_TRUMPS else PASS
    return PASS


SIMPLE: dict[str, Callable[[CardsPlayed, Random], str]] = {LOT: by_lot, GREED: greedily}


class Played(NamedTuple):
    """What came of a deal for the pair that looks ahead."""

    share: float
    """1: it has won more games; 0: the other; half: nobody."""
    ahead: int
    """Games that it won more than the other; at belote points."""
    took: bool | None
    """Whether one of it took the card turned up; None: nobody did."""


def deal(name: str, number: int, samples: int, simple: str) -> Played:
    """One deal, played out; each of two that follow one another is dealt the same cards."""
    game = game_of(name, 4, TABLES[name])
    table = CardsPlayed(game, Random(number // 2), dealer=(number // 2) % 4, deals=1)
    mine = number % 2
    player, rng = CardPlayer(number, samples), Random(number)
    taker: int | None = None
    while not table.is_over():
        if game.sides[table.turn] == mine:
            move = player.move(SeatView.of(table, table.turn))
            assert move in table.legal_moves, "a revoke"
        else:
            move = SIMPLE[simple](table, rng)
        table.push(move)
        taker = table.taker if table.taker is not None else taker
    games = table.outcomes[-1].games
    ahead = games[mine] - games[1 - mine]
    return Played(0.5 if not ahead else float(ahead > 0), ahead, None if taker is None else game.sides[taker] == mine)


def contracts(played: Sequence[Played]) -> dict[str, int]:
    """How often the pair that looks ahead took the card turned up, and won that deal; and the same of the other."""
    ours = [result.share for result in played if result.took]
    theirs = [1 - result.share for result in played if result.took is False]
    return {"took": len(ours), "made": ours.count(1), "they_took": len(theirs), "they_made": theirs.count(1)}


def both_ways(ahead: Sequence[int]) -> list[int]:
    """How much each two deals of the same cards brought together.

    >>> both_ways([3, -1, 0, 2, 5])
    [2, 2]
    """
    return [first + second for first, second in zip(ahead[::2], ahead[1::2], strict=False)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--deals", type=int, default=2000)
    arguments.add_argument("--samples", type=int, default=60)
    arguments.add_argument("--first-seed", type=int, default=0)
    arguments.add_argument("--only", nargs="*", default=list(TABLES), choices=list(TABLES))
    arguments.add_argument("--against", nargs="*", default=list(SIMPLE), choices=list(SIMPLE))
    asked = arguments.parse_args()
    for simple in asked.against:
        for name in asked.only:
            played: list[Played] = []
            for number in range(asked.first_seed, asked.first_seed + asked.deals):
                played.append(deal(name, number, asked.samples, simple))
                if len(played) % TELL_EVERY == 0 or len(played) == asked.deals:
                    told = {"game": name, "against": simple, "samples": asked.samples, **_told(played)}
                    print(json.dumps(told), flush=True)


def _told(played: Sequence[Played]) -> dict[str, object]:
    share, ahead = fmean(result.share for result in played), [result.ahead for result in played]
    within = 1.96 * math.sqrt(max(share * (1 - share), 1e-9) / len(played))
    told: dict[str, object] = {"deals": len(played), "share": round(share, 4), "within": round(within, 3)}
    told["both"] = round(fmean(0.5 + 0.5 * ((x > 0) - (x < 0)) for x in both_ways(ahead)), 4)
    spread = 1.96 * pstdev(ahead) / math.sqrt(len(ahead))
    names_trump = any(result.took is not None for result in played)
    told |= {"ahead": round(fmean(ahead), 2), "ahead_within": round(spread, 2)}
    return told | (contracts(played) if names_trump else {})


if __name__ == "__main__":
    main()
