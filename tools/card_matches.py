"""Plays pairs at cards against each other: two who look ahead against two who play by lot, or greedily.

    python -m tools.card_matches [--deals 2000] [--samples 60] [--only belote sueca] [--against lot greed]

Every deal is dealt twice, so that each pair has either hand once. A deal counts for whom it brings more games; where it
brings nobody any, for half. A line of JSON after every fifty deals: a run that is broken off says what it had.
"""

import argparse
import json
import math
from collections.abc import Callable
from random import Random

from engine.cards import suit_of
from engine.playing import ACCEPT, OFFER, PASS, TAKE, CardsPlayed, game_of
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


def deal(name: str, number: int, samples: int, simple: str) -> float:
    """1: the pair that looks ahead has won more games; 0: the other; half: nobody."""
    game = game_of(name, 4, TABLES[name])
    table = CardsPlayed(game, Random(number // 2), dealer=(number // 2) % 4, deals=1)
    mine = number % 2
    player, rng = CardPlayer(number, samples), Random(number)
    while not table.is_over():
        if game.sides[table.turn] == mine:
            move = player.move(SeatView.of(table, table.turn))
            assert move in table.legal_moves, "a revoke"
        else:
            move = SIMPLE[simple](table, rng)
        table.push(move)
    games = table.outcomes[-1].games
    return 0.5 if games[0] == games[1] else float(games[mine] > games[1 - mine])


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
            points: list[float] = []
            for number in range(asked.first_seed, asked.first_seed + asked.deals):
                points.append(deal(name, number, asked.samples, simple))
                if len(points) % TELL_EVERY == 0 or len(points) == asked.deals:
                    share = sum(points) / len(points)
                    within = 1.96 * math.sqrt(max(share * (1 - share), 1e-9) / len(points))
                    told = {"game": name, "against": simple, "samples": asked.samples, "deals": len(points)}
                    print(json.dumps({**told, "share": round(share, 4), "within": round(within, 3)}), flush=True)


if __name__ == "__main__":
    main()
