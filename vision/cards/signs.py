"""What is printed for a rank: a card carries other letters in other countries, and one letter means two cards."""

from collections.abc import Mapping

from engine.cards import JOKER, RANKS

SIGNS: tuple[str, ...] = (*RANKS, JOKER, "V", "D", "R", "H", "B", "1")
"""The signs that the reading network tells apart. What else stands for a rank (Kn, F, E, X, Cyrillic) is taken for the
rank's own sign: it means nothing else anywhere."""
MEANS: Mapping[str, str] = {"D": "Q", "R": "K", "H": "K", "B": "J", "1": "A"}
"""The rank that a sign stands for, where that is not itself. V is the jack in France, the queen in the Netherlands."""
EITHER = "V"
OF_FRANCE, OF_THE_NETHERLANDS = ("D", "R", "1"), ("H", "B")
"""Signs that no deck has beside the other country's V."""


def sign_of(rank: str, letters: Mapping[str, str]) -> str:
    """The sign that a deck with these letters has for a rank."""
    written = letters.get(rank, rank)
    return written if written in SIGNS and (written == EITHER or MEANS.get(written) == rank) else rank
