"""Pixels to sightings. Imports NumPy and OpenCV and engine, never device.

A picture of a table says which cards lie on it, and how sure that is:

>>> import numpy as np
>>> from vision.synthetic.cards_tables import DrawnCard, clean_look, draw_table
>>> from vision.synthetic.decks import plain_deck
>>> laid = [DrawnCard("AS", (400, 400), 150, 0.2), DrawnCard("10H", (800, 500), 150, -0.4)]
>>> drawn = draw_table(np.random.default_rng(1), plain_deck(), laid=laid, look=clean_look(), clutter=False, hand=False)
>>> [seen.card for seen in read_cards(drawn.image).cards if seen.confidence > 0.99]
['10H', 'AS']

With a photo of your own: `read_cards(cv2.imread("table.jpg"))`; what is no picture in BGR is a ValueError that says so.
And a board, how many seeds lie in each pit:

>>> from vision.synthetic.board_piles import Library
>>> from vision.synthetic.board_render import render
>>> from vision.synthetic.board_scene import random_scene
>>> board = random_scene(np.random.default_rng(31), Library.load(), (4, 8), (800, 600), "game", clean=True)
>>> seen = read_board(render(board).image)
>>> seen.sure, seen.counts[1]
(True, (0, 2, 4, 0, 3, 3, 0, 0))

Both load their networks at the first call, a third of a second, and are for one thread. Who follows a table for hours
takes `vision.table` and `vision.board_table`, which know when to look.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.cards import Card
    from engine.sightings import BoardSighting, CardsSighting
    from vision.board.reader import BoardReader
    from vision.cards.reader import CardReader
    from vision.frame import Image

__all__ = ["read_board", "read_cards"]


def read_cards(image: Image, possible: Collection[Card] | None = None) -> CardsSighting:
    """The cards that lie face up in a picture.

    image: BGR, as OpenCV reads it. possible: the cards that the game allows, which decide between close readings.
    A card that is not sure is among `unsure`, with all it may be: every card is, where the picture is `grey`.

    >>> import numpy as np
    >>> read_cards(np.full((480, 640, 3), 90, np.uint8)).cards
    ()
    """
    from vision.frame import picture

    return _card_reader().read(picture(image), possible)


def read_board(image: Image, grid: tuple[int, int] | None = (4, 8)) -> BoardSighting | None:
    """The seeds in each pit of a board in a picture; None: there is nothing like a board.

    grid: its rows and columns; None: whatever it has. `sure`: whether it is certainly the board; where it is not, trust
    no count. A pit that cannot be counted is None; `counts` are the likeliest numbers, `pits` how likely each is.

    >>> import numpy as np
    >>> read_board(np.full((480, 640, 3), 90, np.uint8)) is None
    True
    """
    from engine.referee.whole import with_the_others
    from vision.frame import picture

    image, reader = picture(image), _board_reader()
    found = reader.find(image, grid)
    return None if found is None else with_the_others(reader.count(image, found))


@cache
def _card_reader() -> CardReader:
    from vision.cards.reader import CardReader

    return CardReader()


@cache
def _board_reader() -> BoardReader:
    from vision.board.reader import BoardReader

    return BoardReader()
