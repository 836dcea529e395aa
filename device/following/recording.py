"""Recordings: the frames that mattered, what was seen in them and what it led to; a real game kept as a test for ever.

A folder with two files. `recording.jsonl` has a header and a line a frame; `frames.bin` the pictures, coded, one after
the other. A frame that was read is kept whole, any other only small; a table that lies still, twice a second.
The buttons pressed are kept with the frame that came next. Where the house enrolled a deck of its own, it is there too.
"""

import errno
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.cameras import CameraAway
from device.cameras.coded import NotAPicture, decode
from device.following.follow import FrameSeen
from device.following.press import Press
from device.keeping.files import read_plain
from device.keeping.settings import AUTO
from engine.errors import GameError
from engine.events import event_to_dict, parse_event
from engine.journal import read_against, read_head_start
from engine.match import Header, Match
from vision.frame import Frame, Image
from vision.small import Small, small_picture

FORMAT = 2
INDEX, FRAMES, DECK = "recording.jsonl", "frames.bin", "deck.npz"
WHOLE_QUALITY, SMALL_QUALITY = 92, 97
"""JPEG qualities: a card's index at 92 reads as it did; of the small ones motion is told, by their colours too, so they
are kept finer, and their colours as sharp as their grey."""
NEEDED = ("game", "players", "options", "before")
"""What a header must name."""
MOST_INDEX_BYTES = 200_000_000
"""Of a recording's index: a day's takes a tenth of it."""
PRESS = {field.name for field in fields(Press)}
STILL_EVERY_S = 0.5
LEAST_FREE_BYTES = 500_000_000
"""A recording ends when less is free on its disk: the match, the settings and the system need room there too."""
WARY = 0.7
"""So much of the motion that counts is kept already, so that coding a picture hides none that does."""


def next_folder(base: Path) -> Path:
    """Where the next recording goes, if each has a folder of its own in this one. OSError: it cannot be read."""
    numbers = [int(folder.name) for folder in base.iterdir() if folder.name.isdecimal()] if base.exists() else []
    return base / f"{max(numbers, default=0) + 1:04}"


class NearlyFullError(OSError):
    """There is less room than a recording leaves free."""

    topic, code = "system", "NEARLY_FULL"


class RecordingError(GameError):
    """A folder that is no recording. The message says what is wrong with it."""


class Recorder:
    """Writes what a table's camera saw."""

    def __init__(self, folder: Path, match: Match | None, about: Mapping[str, Any], deck: Path | None = None) -> None:
        """match: the one that goes on; None: nobody knows yet which game it is. about: what else a replay must know:
        which side seat 0 sits on. deck: the file of the house's own one, which is kept beside the pictures. OSError: it
        cannot be written."""
        self._folder = folder
        self._check_room(folder)
        folder.mkdir(parents=True, exist_ok=True, mode=0o750)  # Pictures of people: not for everybody here.
        if (folder / INDEX).exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))
        self._index = (folder / INDEX).open("w", encoding="utf-8")
        self._frames = (folder / FRAMES).open("wb")
        if deck is not None and deck.exists():
            shutil.copyfile(deck, folder / DECK)
        before = [] if match is None else [event_to_dict(event) for event in match.log]
        header = {"game": AUTO, "players": 0, "options": {}} if match is None else match.header.to_dict()
        self._line({"recording": FORMAT, **header, "about": dict(about), "before": before})
        self._last: tuple[float, Small] | None = None

    def watch(self, frame: Frame, seen: FrameSeen) -> None:
        """Keeps a frame, if it mattered. OSError: it cannot be written, or the disk is nearly full."""
        small = Small.of(frame)
        if seen.looked:
            self._keep(frame, "image", frame.image, WHOLE_QUALITY, seen)
        elif self._last is None or seen.pressed or self._matters(frame.at_s, small):
            self._keep(frame, "small", small_picture(frame), SMALL_QUALITY, seen)
        else:
            return
        self._last = (frame.at_s, small)

    @staticmethod
    def _check_room(folder: Path) -> None:
        """OSError: the disk is nearly full."""
        there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        if shutil.disk_usage(there).free < LEAST_FREE_BYTES:
            raise NearlyFullError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))

    def _matters(self, at_s: float, small: Small) -> bool:
        assert self._last is not None
        last_s, last = self._last
        if small.grey.shape != last.grey.shape:  # A phone that is the camera was turned.
            return True
        return small.moves(last, WARY) or at_s - last_s >= STILL_EVERY_S

    def _keep(self, frame: Frame, kind: str, image: Image, quality: int, seen: FrameSeen) -> None:
        self._check_room(self._folder)
        sharp = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444 if kind == "small" else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420
        how = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sharp]
        _, coded = cv2.imencode(".jpg", image, how)
        at = self._frames.tell()
        self._frames.write(coded.tobytes())
        self._frames.flush()
        line: dict[str, Any] = {"at_s": round(frame.at_s, 3), kind: [at, len(coded)]}
        if seen.lying is not None:
            line["cards"] = [
                [lying.card, [round(v, 3) for v in lying.at], round(lying.confidence, 4)]
                for lying in seen.lying
                if lying.card
            ]
        if seen.pressed:
            line["pressed"] = [asdict(press) for press in seen.pressed]
        if seen.events:
            line["events"] = [event_to_dict(event) for event in seen.events]
        self._line(line)

    def _line(self, line: Mapping[str, Any]) -> None:
        self._index.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._index.flush()

    def close(self) -> None:
        """Ends the recording; harmless twice."""
        self._index.close()
        self._frames.close()


class Recording:
    """What a folder holds. RecordingError, OSError: it cannot be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in (INDEX, FRAMES):
            if not (folder / name).is_file():
                raise RecordingError("recording_none", path=folder, name=name)
        index = folder / INDEX
        self.header, *self.frames = _lines_of(index)
        if not isinstance(self.header, dict) or self.header.get("recording") != FORMAT:
            raise RecordingError("recording_other", path=index)
        if missing := [name for name in NEEDED if name not in self.header]:
            raise RecordingError("recording_header", path=index, name=missing[0])
        size, many = (folder / FRAMES).stat().st_size, len(self.frames)
        while self.frames and not _within(self.frames[-1], size):
            self.frames.pop()  # Its picture was not on disk yet when the power went.
        self.cut = many - len(self.frames)
        """Frames at the end whose pictures are missing."""
        for number, line in enumerate(self.frames, 2):
            if not _within(line, size):
                raise RecordingError("recording_no_picture", path=index, at=number, file=FRAMES)
            pressed = line.get("pressed", [])
            if not isinstance(pressed, list) or not all(_is_press(press) for press in pressed):
                raise RecordingError("recording_no_button", path=index, at=number)

    @property
    def deck(self) -> Path:
        """Where the house's own deck is, if it had one."""
        return self.folder / DECK

    def match(self) -> Match | None:
        """The match as it stood when the recording began; None: nobody knew which game it was."""
        head = self.header
        if head["game"] == AUTO:
            return None
        against = read_against(1, head.get("against"), head["players"])
        head_start = read_head_start(1, head.get("head_start"))
        match = Match.of(
            Header(head["game"], head["players"], head["options"], head.get("seats", ()), against, head_start)
        )
        for raw in head["before"]:
            match.add(parse_event(raw))
        return match

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the camera's frames led to when it was recorded."""
        return [event for frame in self.frames for event in frame.get("events", ())]


def _lines_of(index: Path) -> list[Any]:
    """The lines of a recording's index, the header first."""
    lines = read_plain(index, MOST_INDEX_BYTES).decode(errors="replace").splitlines()
    read: list[Any] = []
    for number, text in enumerate(lines, 1):
        try:
            read.append(json.loads(text))
        except (ValueError, RecursionError):
            if number < len(lines):
                raise RecordingError("recording_no_json", path=index, at=number) from None
            # The last line was cut short, as a power cut does.
    if not read:
        raise RecordingError("recording_empty", path=index)
    return read


def _within(line: Any, size: int) -> bool:
    """Whether a line is a frame whose picture lies in a file of this size."""
    if not isinstance(line, dict) or not isinstance(line.get("at_s"), int | float):
        return False
    place = line.get("image", line.get("small"))
    if not isinstance(place, list) or len(place) != 2 or not all(isinstance(number, int) for number in place):
        return False
    return place[0] >= 0 and place[1] > 0 and sum(place) <= size


def _is_press(raw: Any) -> bool:
    return isinstance(raw, dict) and set(raw) == PRESS and raw["button"] in ("A", "B", "C")


class RecordedCamera:
    """A recording as a camera. Between the frames that are kept whole, only the small pictures are true."""

    def __init__(self, recording: Recording) -> None:
        self._lines = iter(recording.frames)
        self._file = (recording.folder / FRAMES).open("rb")
        self._folder = recording.folder
        self._whole = self._blank(recording)
        """The last that was kept whole; before the first one, nothing, but as large."""
        self.pressed: tuple[Press, ...] = ()
        """The buttons pressed before the last frame."""

    @property
    def name(self) -> str:
        return f"recording {self._folder.name}"

    def frame(self) -> Frame | None:
        """The next frame that was kept."""
        line = next(self._lines, None)
        if line is None:
            return None
        self.pressed = tuple(Press(**press) for press in line.get("pressed", ()))
        if "image" in line:
            self._whole = self._picture(line["image"])
            return Frame(self._whole, line["at_s"])
        small = self._picture(line["small"])
        return Frame(small if self._whole is None else self._whole, line["at_s"], small)

    def _blank(self, recording: Recording) -> Image | None:
        try:
            first = next((self._picture(line["image"]) for line in recording.frames if "image" in line), None)
        except CameraAway:  # It is told when its turn comes.
            return None
        return None if first is None else np.zeros_like(first)

    def _picture(self, place: list[int]) -> Image:
        self._file.seek(place[0])
        coded = self._file.read(place[1])
        try:
            return decode(coded)
        except NotAPicture as error:
            raise CameraAway("recording_damaged", path=self._folder / FRAMES) from error

    def close(self) -> None:
        """Lets go of the files."""
        self._file.close()
