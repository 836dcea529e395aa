"""Pictures and the reader, made once for all tests here."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from vision.cards.reader import CardReader
from vision.frame import Image
from vision.synthetic.cards_backgrounds import table_top
from vision.synthetic.cards_tables import DrawnCard, DrawnTable, clean_look, draw_table
from vision.synthetic.decks import plain_deck

TableOf = Callable[..., DrawnTable]
"""Draws a table of our own deck, in good light: the cards that lie on it, and what is to be otherwise."""


@pytest.fixture(scope="session")
def reader() -> CardReader:
    return CardReader()


@cache
def top_of(seed: int, width: int, height: int) -> Image:
    """The bare table; most pictures are of the same."""
    return table_top(np.random.default_rng(seed), width, height)


@pytest.fixture(scope="session")
def table_of() -> TableOf:
    def make(
        laid: Sequence[DrawnCard],
        seed: int = 1,
        width: int = 1280,
        height: int = 960,
        french: bool = False,
        **kinds: Any,
    ) -> DrawnTable:
        drawn: dict[str, Any] = {"look": clean_look(), "tilt_deg": 5, "clutter": False, "hand": False} | kinds
        drawn.setdefault("background", top_of(seed, width, height))
        return draw_table(
            np.random.default_rng(seed), plain_deck(french), width, height, laid=laid, card_px=150, **drawn
        )

    return make
