"""Opening picture files, for every command that reads them: what cannot be opened is told, never stumbled over."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2

from device import words
from device.cameras.coded import ENDINGS, NotAPicture, decode
from device.keeping.files import read_plain
from vision.frame import Image

MOST_BYTES = 300_000_000
"""Of a picture's file: as many as the most pixels take where nothing is packed."""


def open_picture(path: Path) -> Image:
    """A picture file as BGR; NotAPicture says what is wrong with it."""
    try:
        data = read_plain(path, MOST_BYTES)
    except FileNotFoundError as error:
        raise NotAPicture("gone") from error
    except OSError as error:
        raise NotAPicture("unreadable", why=_what_helps(error)) from error
    return decode(data)


def _what_helps(error: OSError) -> Callable[[str], str]:
    return lambda language: words.what_helps(error, language)


def write_picture(path: Path, image: Image, language: str) -> bool:
    """Writes a picture as its name asks for; False, and a line that says why, where that cannot be."""
    try:
        path.write_bytes(cv2.imencode(path.suffix, image)[1])
        return True
    except cv2.error:
        why = words.say(language, "pictures-odd_name")
    except OSError as error:
        why = words.what_helps(error, language)
    print(f"{path}: {why}", file=sys.stderr)
    return False


class Drawings:
    """Where what was read is drawn: in a file, or in a folder a file for each picture. Never over a picture that is
    read, and never two in one place."""

    def __init__(self, out: Path, pictures: list[Path]) -> None:
        """NotAPicture: it is one of those to be read."""
        self._out = out
        self._folder = len(pictures) > 1 or out.is_dir()
        self._taken = [path for path in pictures if path.exists()]
        if not self._folder and any(_same(out, path) for path in self._taken):
            raise NotAPicture("read_here")

    def place_of(self, picture: Path) -> Path:
        """Where what was read in this picture goes."""
        if not self._folder:
            return self._out
        self._out.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            place = self._out / f"{picture.stem}_read{f'_{number}' if number > 1 else ''}.png"
            if not any(_same(place, path) for path in self._taken):
                self._taken.append(place)
                return place
            number += 1


def _same(path: Path, other: Path) -> bool:
    """Whether two names are of one file."""
    try:
        return path.samefile(other)
    except OSError:
        return path.absolute() == other.absolute()


def pictures_in(paths: list[Path], language: str) -> Iterator[Path]:
    """The files named; a folder stands for the pictures in it."""
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in ENDINGS)
            if not inside:
                print(f"{path}: {words.say(language, 'pictures-empty_folder')}", file=sys.stderr)
            yield from inside
        else:
            yield path
