"""Where the game stands by one hypothesis: whose turn it is, who won, what a player cannot hold, what may become of the
turned-up card."""

from collections.abc import Collection, Sequence

from engine.cards import SUITS, Card, suit_of
from engine.rules.tricks import NO_CARDS, TrickGame
from engine.seats import order_from
from engine.table.hypothesis import Hypothesis, suit_of_all


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
    first = h.trick[0].seat
    plays = sorted(h.trick, key=lambda laid: (laid.seat - first) % game.players)
    known = [(laid.seat, laid.card) for laid in plays if laid.card and laid.card in game.whole_pack]
    if not known:
        return frozenset(laid.seat for laid in plays)
    cards = [card for _, card in known]
    won = {known[game.winning(cards, trump)][0] for trump in may_be_trump(h)}
    return frozenset(laid.seat for laid in plays if laid.card is None) | won


def trump_by(game: TrickGame, cards: Collection[Card]) -> str:
    """What is trump by the card turned up, which is one of these: "" where they differ, or a player names it."""
    return "" if game.names_trump else suit_of_all(cards)


def known_plays(game: TrickGame, h: Hypothesis) -> list[Card]:
    """The cards of the trick up to the first that is not known: they tell what each player had to lay."""
    cards: list[Card] = []
    for laid in h.trick:
        if laid.card is None or laid.card not in game.whole_pack:
            break
        cards.append(laid.card)
    return cards


def may_be_trump(h: Hypothesis) -> Sequence[str]:
    """The suits one of which is trump."""
    return (h.trump,) if h.trump else SUITS


def lacks_after(game: TrickGame, h: Hypothesis) -> tuple[frozenset[Card], ...]:
    """What each player does not hold once this trick is played, by what he laid. Of who laid what he did not hold by
    this, nothing is known any more."""
    if h.done < game.draws:
        return ()
    lacks, cards = list(h.lacks or [NO_CARDS] * game.players), known_plays(game, h)
    for place, laid in enumerate(h.trick):
        if laid.card in lacks[laid.seat]:
            lacks[laid.seat] = NO_CARDS
        if place < len(cards):
            owed = (game.forbidden(cards[:place], cards[place], trump, h.done + 1) for trump in may_be_trump(h))
            lacks[laid.seat] |= frozenset.intersection(*owed)
    return tuple(lacks)


def may_be_drawn(game: TrickGame, h: Hypothesis) -> bool:
    """Whether the turned-up card may lie anywhere."""
    return game.turn_up_may_be_played(h.done + 1 + whole(game, h))


def pillage_may_be(game: TrickGame, h: Hypothesis) -> bool:
    """Whether the turned-up card may be bought."""
    return game.pillage and (h.turn_up is None or h.trump in ("", suit_of(h.turn_up)))
