"""An alert's pictures beside its match, if the house keeps them: one file an alert. They go with the match, and with
every player of it who wants to be forgotten."""

import base64
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from device import words
from device.following.moments import Picture
from device.keeping.files import read_plain, write_whole
from device.keeping.names import MOMENT, moment_files
from engine.strict_json import Fields, read_json, write_json

log = logging.getLogger(__name__)
MOST_BYTES = 2_000_000
"""Of a file: sixteen pictures take a tenth of it."""
MOST_A_MATCH = 40
"""Alerts of a match whose pictures are kept: some 10 MB together."""


def moment_file(journal: Path, number: int) -> Path:
    """Where the pictures of an alert are. number: of the event that was judged."""
    return journal.with_name(f"{journal.name.split('.')[0]}{MOMENT}{number}.json")


def keep(journal: Path, number: int, pictures: Sequence[Picture]) -> None:
    """Writes them down. OSError: they cannot be written."""
    path = moment_file(journal, number)
    if path.exists() or len(moment_files(journal)) < MOST_A_MATCH:
        packed = [
            {"what": picture.what, "card": picture.card, "jpeg": base64.b64encode(picture.jpeg).decode()}
            for picture in pictures
        ]
        write_whole(path, write_json(packed).encode())


def read(journal: Path, number: int) -> list[dict[str, Any]]:
    """The pictures of an alert, as a page takes them; none where there are none, or none that can be read."""
    try:
        raw = read_json(read_plain(moment_file(journal, number), MOST_BYTES), MOST_BYTES)
        fields = [Fields(picture) for picture in raw]
        return [
            {
                "what": field.text("what", 10),
                "card": field.text("card", 5, None),
                "jpeg": field.text("jpeg", MOST_BYTES),
            }
            for field in fields
        ]
    except (OSError, ValueError, TypeError):
        return []


def keeper_of(journal: Callable[[], Path | None]) -> Callable[[int, Sequence[Picture]], None]:
    """Keeps pictures beside the match that goes on, without the game waiting for the disk."""

    def write(path: Path, number: int, pictures: Sequence[Picture]) -> None:
        try:
            keep(path, number, pictures)
        except OSError as error:
            log.warning("%s: an alert's pictures are not kept: %s", path, words.what_helps(error, "en"))

    def keep_later(number: int, pictures: Sequence[Picture]) -> None:
        path = journal()
        if path is not None:
            threading.Thread(target=write, args=(path, number, list(pictures)), name="moment", daemon=True).start()

    return keep_later
