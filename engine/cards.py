"""Cards: how they are written. A card is its code, rank then suit ("10H", "AS"), or "JOKER"; nothing more."""

Card = str

SUITS = "CDHS"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER: Card = "JOKER"
FULL_PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_KNOWN = frozenset((*FULL_PACK, JOKER))


def rank_of(card: Card) -> str:
    """The rank of a card: rank_of("10H") is "10". The joker has none: ""."""
    return "" if card == JOKER else card[:-1]


def suit_of(card: Card) -> str:
    """The suit of a card: suit_of("10H") is "H". The joker has none: ""."""
    return "" if card == JOKER else card[-1]


def is_card(code: object) -> bool:
    """Whether this is a card as cards are written: is_card("10H"), not is_card("1OH")."""
    return isinstance(code, str) and code in _KNOWN
