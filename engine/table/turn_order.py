"""Where the game stands by one hypothesis: whose turn it is, who won, what may become of the turned-up card."""

from engine.cards import suit_of
from engine.rules.tricks import TrickGame
from engine.seats import order_from
from engine.table.hypothesis import Hypothesis


def whole(game: TrickGame, h: Hypothesis) -> bool:
    """Whether everybody has laid a card."""
    return len(h.trick) == game.players


def turn(game: TrickGame, h: Hypothesis) -> frozenset[int]:
    """Whose turn it is in a trick that has begun."""
    there = {laid.seat for laid in h.trick}
    first = h.trick[0].seat if len(h.leads) != 1 else next(iter(h.leads))
    seat = next((seat for seat in order_from(first, game.players) if seat not in there), None)
    return frozenset() if seat is None else frozenset({seat})


def winners(game: TrickGame, h: Hypothesis) -> frozenset[int]:
    """Every seat that may have won a whole trick."""
    if not h.trick:
        return h.leads
    first = h.trick[0].seat
    plays = sorted(h.trick, key=lambda laid: (laid.seat - first) % game.players)
    known = [(laid.seat, laid.card) for laid in plays if laid.card and laid.card in game.whole_pack]
    if not known or not h.trump:
        return frozenset(laid.seat for laid in plays)
    winner, _ = known[game.winning([card for _, card in known], h.trump)]
    return frozenset(laid.seat for laid in plays if laid.card is None) | {winner}


def may_be_drawn(game: TrickGame, h: Hypothesis) -> bool:
    """Whether the turned-up card may lie anywhere."""
    return game.turn_up_may_be_played(h.done + 1 + whole(game, h))


def pillage_may_be(game: TrickGame, h: Hypothesis) -> bool:
    """Whether the turned-up card may be bought."""
    return game.pillage and h.trump != "" and (h.turn_up is None or suit_of(h.turn_up) == h.trump)
