"""A folder of pictures in the order of their names, or a film: every frame of it, once."""

import logging
import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from device import words
from device.cameras import CameraAway
from device.cameras.coded import NotAPicture, is_film, of_a_table, open_film
from device.cameras.picture_files import open_picture, pictures_in
from vision.frame import Frame

log = logging.getLogger(__name__)
PICTURES_FPS = 10.0
"""Of a folder, which does not say: the device's own rate."""


class FileCamera:
    """Frames as fast as they are asked for, with the film's own times, the first one at 0 s; or in real time."""

    def __init__(self, path: Path, fps: float | None = None, real_time: bool = False) -> None:
        """fps: how many frames a second are meant; not given, the film's own, or PICTURES_FPS.

        real_time: each frame is given when its time has come, and its time is on the monotonic clock.
        """
        self._path = path
        self._fps = fps
        self._real_time = real_time
        self._began_s: float | None = None
        if not path.exists():
            raise CameraAway("file_none", path=path)
        self._film: cv2.VideoCapture | None = None
        if path.is_dir():
            self._frames: Iterator[Frame] = self._pictures()
            return
        if not path.is_file():
            raise CameraAway("file_odd", path=path)
        if not os.access(path, os.R_OK):
            raise CameraAway("file_refused", path=path)
        with path.open("rb") as file:
            promised = is_film(file.read(16))
        # By its full path: FFmpeg would take what stands before a colon for a protocol.
        # Each thread that decodes holds pictures of its own.
        self._film = open_film(str(path.absolute()), {cv2.CAP_PROP_N_THREADS: 1}) if promised else None
        if self._film is None:
            raise CameraAway("file_bad", path=path)
        self._number = 0
        self._film_fps = fps or self._film.get(cv2.CAP_PROP_FPS) or PICTURES_FPS
        # No generator: it would hold its last picture while the next one is read.
        self._frames = iter(partial(self._next_of, self._film), None)

    @property
    def name(self) -> str:
        return str(self._path)

    def frame(self) -> Frame | None:
        """The next frame; None at the end."""
        return next(self._frames, None)

    def _due(self, at_s: float) -> float:
        """When a frame of this time of a film is given: in real time it is waited for, no picture being held."""
        if not self._real_time:
            return at_s
        if self._began_s is None:
            self._began_s = time.monotonic() - at_s
        time.sleep(max(0.0, self._began_s + at_s - time.monotonic()))
        return self._began_s + at_s

    def close(self) -> None:
        """Lets go of the film; harmless twice."""
        self._frames = iter(())
        if self._film is not None:
            self._film.release()

    def _pictures(self) -> Iterator[Frame]:
        language = words.system_language()
        for number, path in enumerate(pictures_in([self._path], language)):
            at_s = self._due(number / (self._fps or PICTURES_FPS))
            try:
                image = of_a_table(open_picture(path))
            except NotAPicture as error:
                log.warning("%s: %s", path, error.said(language))
                continue
            yield Frame(image, at_s, about={"file": path.name})
            del image

    def _next_of(self, film: cv2.VideoCapture) -> Frame | None:
        there = film.grab()
        at_s = self._due(self._number / self._film_fps) if there else 0.0
        there, image = film.retrieve() if there else (False, None)
        if not there or image is None:
            promised = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
            if self._number < promised:
                log.warning("%s: ends after %d of %d frames", self._path, self._number, promised)
            return None
        self._number += 1
        return Frame(np.asarray(image, np.uint8), at_s)
