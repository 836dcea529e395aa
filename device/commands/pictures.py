"""Opening picture files, for every command that reads them: what cannot be opened is told, never stumbled over."""

import io
import struct
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from device import words
from device.keeping.files import read_plain

MOST_BYTES = 300_000_000
"""Of a picture's file: as many as the pixels below take where nothing is packed."""
MOST_PIXELS = 80_000_000
"""Pictures larger than this are refused: no camera here makes them, and reading one would fill the memory of a Pi."""


class NotAPicture(Exception):
    """A file that cannot be read as a picture, and why: of the words under [pictures]."""

    def __init__(self, code: str, **facts: object) -> None:
        self._code, self._facts = code, facts
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        """It in words."""
        return str(words.table(language)["pictures"][self._code]).format_map(self._facts)


class _Unreadable(NotAPicture):
    """The system's own reason."""

    def __init__(self, error: OSError) -> None:
        self._error = error
        super().__init__("gone")

    def said(self, language: str) -> str:
        return words.what_helps(self._error, language)


def open_picture(path: Path) -> NDArray[np.uint8]:
    """A picture file as BGR; NotAPicture says what is wrong with it."""
    try:
        data = read_plain(path, MOST_BYTES)
    except FileNotFoundError as error:
        raise NotAPicture("gone") from error
    except OSError as error:
        raise _Unreadable(error) from error
    if not data:
        raise NotAPicture("empty")
    too_large = NotAPicture("large", most=MOST_PIXELS // 1_000_000)
    if _pixels_said(data) > MOST_PIXELS:
        raise too_large
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise NotAPicture("odd") from error
    if image is None:
        raise NotAPicture("odd")
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise too_large
    return np.asarray(image, np.uint8)


def _pixels_said(data: bytes) -> int:
    """How many pixels a file says it has, before any of them is read; 0: it does not say so in a way we know."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data)) as picture:
                return picture.width * picture.height
    except Image.DecompressionBombError:
        return MOST_PIXELS + 1
    except (OSError, ValueError, SyntaxError, struct.error):
        return 0


def write_picture(path: Path, image: NDArray[np.uint8], language: str) -> bool:
    """Writes a picture as its name asks for; False, and a line that says why, where that cannot be."""
    try:
        if cv2.imwrite(str(path), image):
            return True
        why = "not_written"
    except cv2.error:
        why = "odd_name"
    print(f"{path}: {words.table(language)['pictures'][why]}", file=sys.stderr)
    return False


class Drawings:
    """Where what was read is drawn: in a file, or in a folder a file for each picture. Never over a picture that is
    read, and never two in one place."""

    def __init__(self, out: Path, pictures: list[Path]) -> None:
        """NotAPicture: it is one of those to be read."""
        self._out = out
        self._folder = len(pictures) > 1 or out.is_dir()
        self._taken = [one for one in pictures if one.exists()]
        if not self._folder and any(_same(out, one) for one in self._taken):
            raise NotAPicture("read_here")

    def place_of(self, picture: Path) -> Path:
        """Where what was read in this picture goes."""
        if not self._folder:
            return self._out
        self._out.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            place = self._out / f"{picture.stem}_read{f'_{number}' if number > 1 else ''}.png"
            if not any(_same(place, one) for one in self._taken):
                self._taken.append(place)
                return place
            number += 1


def _same(one: Path, other: Path) -> bool:
    """Whether two names are of one file."""
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()


def pictures_in(paths: list[Path], language: str) -> Iterator[Path]:
    """The files named; a folder stands for the pictures in it."""
    for path in paths:
        if path.is_dir():
            inside = sorted(
                p
                for p in path.iterdir()
                if p.suffix.lower() in {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}
            )
            if not inside:
                print(f"{path}: {words.table(language)['pictures']['empty_folder']}", file=sys.stderr)
            yield from inside
        else:
            yield path
