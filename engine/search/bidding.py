"""What a hand brings if it takes the card turned up and names trump, at a glance: by a table that was counted."""

from collections.abc import Sequence

from engine.cards import Card, suit_of
from engine.playing import CardsPlayed
from engine.rules.tricks import PASS, TAKE, TrickGame

FIRST, TRUMP_POINT, TRUMP, MASTER = -126.0, 2.7, 16.0, 24.0
"""Points by which the taker's side is ahead after a deal of belote: with nothing, and so many more for each point that
his trumps are worth (the card turned up is one of his), for each of those trumps, and for each other card that nothing
in its suit beats. Fitted to 4,000 deals, played on from whoever was asked, with any suit that he might name."""


def worth_at_a_glance(game: TrickGame, hand: Sequence[Card], trump: str) -> float:
    """What a side is ahead by that takes with these cards, the one turned up among them.

    >>> from engine.playing import game_of
    >>> belote = game_of("belote")
    >>> worth_at_a_glance(belote, ["JH", "9H", "AH", "AS", "7C", "8H"], "H") > 0
    True
    >>> worth_at_a_glance(belote, ["KS", "QD", "8C", "7C", "9D", "8H"], "H") > 0
    False
    """
    trumps = [card for card in hand if suit_of(card) == trump]
    masters = sum(suit_of(card) != trump and not game.above(card, trump) for card in hand)
    points = sum(game.card_points(card, trump) for card in trumps)
    return FIRST + TRUMP_POINT * points + TRUMP * len(trumps) + MASTER * masters


def likely_bid(table: CardsPlayed) -> str:
    """What a player of some experience says, who knows his own hand: he takes where that brings anything."""
    assert table.turn_up is not None
    hand = [*table.hands[table.turn], table.turn_up]
    worths = {
        move: worth_at_a_glance(table.game, hand, move.partition(":")[2] or suit_of(table.turn_up))
        for move in table.legal_moves
        if move.startswith(TAKE)
    }
    best = max(worths, key=lambda move: worths[move])
    return best if worths[best] > 0 else PASS
