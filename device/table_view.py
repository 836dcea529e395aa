"""A small view of the table for a terminal: its picture in coloured half blocks, or a plan of the cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.words import card_sign
from engine.sightings import CardLying
from vision.frame import Image

COLUMNS, ROWS = 34, 8
"""Characters; a row is two pixels high, so the view has about the shape of the camera's picture."""
INK, PAPER = "\x1b[1;38;5;16m", "\x1b[48;5;231m"
RED_INK = "\x1b[1;38;5;160m"
RESET = "\x1b[0m"

Thumb = NDArray[np.uint8]


@dataclass(frozen=True)
class Label:
    """A short text on the table."""

    text: str
    red: bool
    row: int
    column: int


def thumb_of(image: Image) -> Thumb:
    """A camera's picture as small as the view."""
    step = max(1, image.shape[1] // (8 * COLUMNS))
    return np.asarray(cv2.resize(image[::step, ::step], (COLUMNS, 2 * ROWS), interpolation=cv2.INTER_AREA))


def labels_of(lying: Sequence[CardLying], aspect: float) -> list[Label]:
    """The cards by name where they lie. aspect: the picture's width over its height."""
    labels = []
    for one in lying:
        text = card_sign(one.card)
        x = (one.at[0] / aspect + 1) / 2 * COLUMNS if aspect >= 1 else (one.at[0] + 1) / 2 * COLUMNS
        y = (one.at[1] + 1) / 2 * ROWS if aspect >= 1 else (one.at[1] * aspect + 1) / 2 * ROWS
        column = min(max(0, round(x - len(text) / 2)), COLUMNS - len(text))
        red = one.card is not None and one.card[-1] in "HD"
        labels.append(Label(text, red, min(max(0, int(y)), ROWS - 1), column))
    return labels


def draw(thumb: Thumb | None, labels: Sequence[Label], colour: bool) -> list[str]:
    """ROWS lines of COLUMNS characters."""
    cells: list[list[Any]] = [[" "] * COLUMNS for _ in range(ROWS)]
    if not colour:
        for one in labels:
            cells[one.row][one.column : one.column + len(one.text)] = one.text
        return ["".join(row) for row in cells]
    for r in range(ROWS):
        for c in range(COLUMNS):
            if thumb is not None:
                upper, lower = (f"{p[2]};{p[1]};{p[0]}" for p in thumb[2 * r : 2 * r + 2, c].tolist())
                cells[r][c] = f"\x1b[38;2;{upper};48;2;{lower}m▀"
    for one in labels:
        for k, letter in enumerate(one.text):
            cells[one.row][one.column + k] = f"{RESET}{PAPER}{RED_INK if one.red else INK}{letter}"
    return ["".join(row) + RESET for row in cells]
