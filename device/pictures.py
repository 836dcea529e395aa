"""Opening picture files, for every command that reads them: what cannot be opened is told, never stumbled over."""

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_PIXELS = 80_000_000
"""Pictures larger than this are refused: no camera here makes them, and reading one would fill the memory of a Pi."""


class NotAPicture(Exception):
    """A file that cannot be read as a picture, and why."""


def open_picture(path: Path) -> NDArray[np.uint8]:
    """A picture file as BGR; NotAPicture says what is wrong with it."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise NotAPicture("no such file") from error
    except OSError as error:
        raise NotAPicture(error.strerror or "cannot be read") from error
    if not data:
        raise NotAPicture("the file is empty")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise NotAPicture("not a picture that can be opened") from error
    if image is None:
        raise NotAPicture("not a picture that can be opened (JPEG, PNG, WebP, BMP and TIFF can)")
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise NotAPicture(f"too large: {image.shape[1]} x {image.shape[0]} pixels")
    return np.asarray(image, np.uint8)


def pictures_in(paths: list[Path]) -> Iterator[Path]:
    """The files named; a folder stands for the pictures in it."""
    for path in paths:
        if path.is_dir():
            inside = sorted(
                p
                for p in path.iterdir()
                if p.suffix.lower() in {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}
            )
            if not inside:
                print(f"{path}: a folder without pictures", file=sys.stderr)
            yield from inside
        else:
            yield path
