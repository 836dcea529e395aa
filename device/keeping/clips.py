"""A family's own recordings of what the voice says: checked, stored, listed, deleted.

A phone makes the WAV (device/outputs/page/static/record.js): every phone decodes what its own recorder wrote, and the
device needs no decoder for strangers' files. What comes in is only looked at as a WAV of one kind.
"""

import io
import wave
from pathlib import Path

from device.keeping.files import make_folder, write_whole
from device.words import LANGUAGES
from engine.cards import FULL_PACK, JOKER
from engine.games import MOST_PLAYERS
from engine.notices import BOARD_RULES, CARD_RULES

RATE_HZ, WIDTH_BYTES, CHANNELS = 22050, 2, 1
LONGEST_S = 6.0
MOST_BYTES = 44 + int(LONGEST_S * RATE_HZ) * WIDTH_BYTES
SEATS = tuple(f"seat-{seat + 1}" for seat in range(MOST_PLAYERS))
CARDS = tuple(f"card-{card}" for card in (*FULL_PACK, JOKER))
ALERTS = tuple(f"alert-{rule}" for rule in (*CARD_RULES, "revoke", *BOARD_RULES))
NAMES = frozenset({*SEATS, *CARDS, "trick", *ALERTS})


class ClipError(ValueError):
    """What came in is no recording that can be used; code: of the messages "mistake-…"."""

    topic = "mistake"

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code, self.facts = code, {"seconds": round(LONGEST_S)}


def clip_path(folder: Path, language: str, name: str) -> Path:
    """Where a recording lies. ClipError: there is no such line."""
    if language not in LANGUAGES or name not in NAMES:
        raise ClipError("clip_name")
    return folder / language / f"{name}.wav"


def there(folder: Path, language: str) -> list[str]:
    """The recordings of a language that there are."""
    return sorted(name for name in NAMES if clip_path(folder, language, name).is_file())


def keep(folder: Path, language: str, name: str, data: bytes) -> None:
    """Keeps a recording. ClipError: it is none. OSError: it cannot be written."""
    path = clip_path(folder, language, name)
    frames = _frames(data)
    make_folder(path.parent)
    written = io.BytesIO()
    with wave.open(written, "wb") as clean:  # Written anew: nothing else that stood in the file is kept.
        clean.setnchannels(CHANNELS)
        clean.setsampwidth(WIDTH_BYTES)
        clean.setframerate(RATE_HZ)
        clean.writeframes(frames)
    write_whole(path, written.getvalue())


def _frames(data: bytes) -> bytes:
    """The samples of a WAV of the one kind there may be."""
    if len(data) > MOST_BYTES:
        raise ClipError("clip_long")
    try:
        with wave.open(io.BytesIO(data), "rb") as given:
            kind = (given.getnchannels(), given.getsampwidth(), given.getframerate())
            frames = given.readframes(given.getnframes())
    except (wave.Error, EOFError, ValueError) as error:
        raise ClipError("clip_broken") from error
    if kind != (CHANNELS, WIDTH_BYTES, RATE_HZ) or len(frames) < RATE_HZ * WIDTH_BYTES // 20:
        raise ClipError("clip_broken")
    return frames


def forget(folder: Path, language: str, name: str) -> None:
    """Deletes a recording; harmless where there is none."""
    clip_path(folder, language, name).unlink(missing_ok=True)
