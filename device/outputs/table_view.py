"""A small view of the table for a terminal: its picture in coloured half blocks; without colour, a plan of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.words import card_sign
from engine.sightings import CardLying
from vision.frame import Image

MOST_ROWS = 12
"""Lines of a view: what is left of 24 beside a table of four and its score."""
FINE = 4
"""Pixels kept for each that is shown: the view is drawn again in other sizes."""
INK, PAPER = "\x1b[1;38;5;16m", "\x1b[48;5;231m"
RED_INK = "\x1b[1;38;5;160m"
RESET = "\x1b[0m"

Thumb = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class TableView:
    """What the camera saw last, small, and the cards that lie there."""

    thumb: Thumb
    aspect: float
    """The picture's width over its height."""
    lying: Sequence[CardLying] = ()

    @classmethod
    def of(cls, image: Image, lying: Sequence[CardLying] = ()) -> "TableView":
        """The view of a picture."""
        height, width = image.shape[:2]
        step = max(1, height // (2 * MOST_ROWS * FINE))
        return cls(np.ascontiguousarray(image[::step, ::step]), width / height, lying)

    def lines(self, rows: int, colour: bool, language: str = "en") -> list[str]:
        """So many lines, in the picture's shape: a character is about twice as high as wide. Too few: none."""
        columns = round(2 * rows * self.aspect)
        if rows < 1 or columns < 4:
            return []
        cells = self._picture(rows, columns) if colour else _frame(rows, columns)
        for lying in self.lying:
            text = card_sign(lying.card, language)
            x, y = self._in_picture(lying)
            row = min(max(0, int(y * rows)), rows - 1)
            column = min(max(0, round(x * columns - len(text) / 2)), columns - len(text))
            ink = RED_INK if lying.card is not None and lying.card[-1] in "HD" else INK
            for k, letter in enumerate(text):
                cells[row][column + k] = f"{RESET}{PAPER}{ink}{letter}" if colour else letter
        return ["".join(row) + (RESET if colour else "") for row in cells]

    def _picture(self, rows: int, columns: int) -> list[list[str]]:
        small: Any = cv2.resize(self.thumb, (columns, 2 * rows), interpolation=cv2.INTER_AREA)
        colours = [[f"{r};{g};{b}" for b, g, r in line] for line in small.tolist()]
        return [
            [f"\x1b[38;2;{colours[2 * r][c]};48;2;{colours[2 * r + 1][c]}m▀" for c in range(columns)]
            for r in range(rows)
        ]

    def _in_picture(self, lying: CardLying) -> tuple[float, float]:
        """Where a card lies, as parts of the picture's width and height."""
        half_width, half_height = max(self.aspect, 1.0), max(1 / self.aspect, 1.0)
        return (lying.at[0] / half_width + 1) / 2, (lying.at[1] / half_height + 1) / 2


def _frame(rows: int, columns: int) -> list[list[str]]:
    """The edges of the picture."""
    inside = columns - 2
    if rows < 3:
        return [[" "] * columns for _ in range(rows)]
    top, bottom = ["┌", *"─" * inside, "┐"], ["└", *"─" * inside, "┘"]
    return [top, *(["│", *" " * inside, "│"] for _ in range(rows - 2)), bottom]
