"""Cards: how they are written. A card is its code, rank then suit ("10H", "AS"), or "JOKER"; nothing more."""

Card = str

SUITS = "CDHS"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER: Card = "JOKER"
FULL_PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_KNOWN = frozenset((*FULL_PACK, JOKER))


def rank_of(card: Card) -> str:
    """The rank of a card. The joker has none: "".

    >>> rank_of("10H")
    '10'
    """
    return "" if card == JOKER else card[:-1]


def suit_of(card: Card) -> str:
    """The suit of a card. The joker has none: "".

    >>> suit_of("10H")
    'H'
    """
    return "" if card == JOKER else card[-1]


def is_card(code: object) -> bool:
    """Whether this is a card as cards are written.

    >>> is_card("10H"), is_card("1OH")
    (True, False)
    """
    return isinstance(code, str) and code in _KNOWN
