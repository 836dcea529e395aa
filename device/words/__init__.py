"""The words of the table, a file a language: every notice as a sentence, every suit and card by its name."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from engine.cards import JOKER, Card, rank_of, suit_of

LANGUAGES = ("fr", "shi", "en")
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@cache
def table(language: str) -> dict[str, Any]:
    """The table of words of one language."""
    return tomllib.loads(files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def card_sign(card: Card | None) -> str:
    """A card as short as can be: card_sign("10H") is "10♥"."""
    if card is None:
        return "?"
    return "★" if card == JOKER else rank_of(card) + SUIT_SIGNS[suit_of(card)]


def card_name(card: Card, language: str) -> str:
    """A card by the name the table has for it."""
    words = table(language)
    if card == JOKER:
        return str(words["ranks"]["JOKER"])
    return str(words["card"]).format(rank=words["ranks"][rank_of(card)], suit=words["suits"][suit_of(card)])


def suit_name(suit: str, language: str) -> str:
    """A suit by the name the table has for it."""
    return str(table(language)["suits"][suit])
