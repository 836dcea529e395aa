"""Films as another camera, lamp or pace would have shown them: the same evening, other pictures.

python -m tests.device.films_changed --to FOLDER soft,fast ../shared/films/*.mp4
python -m tests.device.looks_file run FOLDER/*.jsonl

A film that is followed right may be so by luck; of nine films and seven changes of each, some were not.
"""

import argparse
import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.device.looks_file import Source, film_source, record
from vision.cards.reader import CardReader
from vision.frame import Frame, Image
from vision.table import CardTableEye

PACE = {"fast": 1.25, "slow": 0.8}
"""How many times as fast everybody is."""
SEED = 7


def _moved(image: Image, turned_deg: float, zoom: float) -> Image:
    """As from a camera that hangs turned, or farther off."""
    height, width = image.shape[:2]
    there = cv2.getRotationMatrix2D((width / 2, height / 2), turned_deg, zoom)
    how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
    return np.asarray(
        cv2.warpAffine(image, there, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _soft(image: Image, rng: np.random.Generator) -> Image:
    """A dark room, a cheap lens, grain."""
    blurred = cv2.GaussianBlur(image, (0, 0), 0.9).astype(np.float32) / 255
    grainy = 230 * blurred**1.25 + rng.normal(0, 5, image.shape)
    return np.asarray(np.clip(grainy, 0, 255), np.uint8)


def _warm(image: Image) -> Image:
    """A warm lamp, and pictures packed small."""
    lit = np.clip(image * np.array([0.81, 1.03, 1.21]), 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, 55])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _small(image: Image) -> Image:
    return np.asarray(cv2.resize(image, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA), np.uint8)


def changes() -> Mapping[str, Callable[[Image], Image]]:
    """Every change of a picture, by name."""
    rng = np.random.default_rng(SEED)
    return {
        "plain": lambda image: image,
        "soft": lambda image: _soft(image, rng),
        "far": lambda image: _moved(image, -3, 0.85),
        "turned": lambda image: _moved(image, 5, 1.0),
        "warm": _warm,
        "small": _small,
        **{name: lambda image: image for name in PACE},
    }


def changed(source: Source, change: str) -> Source:
    """A film, and its truth, after one of these changes."""
    see, pace = changes()[change], PACE.get(change, 1.0)
    truth = copy.deepcopy(source.truth)
    truth["happened"] = [_sooner(one, pace) for one in truth["happened"]]
    frames = (Frame(see(frame.image), frame.at_s / pace) for frame in source.frames)
    return Source(f"{source.name}+{change}", source.game, source.players, frames, truth)


def _sooner(happened: Any, pace: float) -> Any:
    if isinstance(happened, Mapping):
        return {**happened, "at_s": happened["at_s"] / pace}
    return [happened[0] / pace, *happened[1:]]


def main() -> None:
    """Records the looks of changed films."""
    cv2.setNumThreads(1)
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--to", type=Path, required=True)
    ask.add_argument("changes", help=",".join(changes()))
    ask.add_argument("films", nargs="+", type=Path)
    args = ask.parse_args()
    args.to.mkdir(parents=True, exist_ok=True)
    for change in args.changes.split(","):
        for film in args.films:
            source = changed(film_source(film), change)
            into = args.to / f"{source.name}.jsonl"
            print(f"{into}: {record(source, into, CardTableEye(CardReader()))} looks", flush=True)


if __name__ == "__main__":
    main()
