"""Films as another camera, lamp or pace would have shown them: the same evening, other pictures.

python -m tools.films_changed --to FOLDER soft,fast ../shared/films/*.mp4
python -m tools.looks_file run FOLDER/*.jsonl

A film that is followed right may be so by luck; of nine films and seven changes of each, some were not.
"""

import argparse
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.looks_file import Source, film_source, record
from vision.cards.reader import CardReader
from vision.frame import Frame, Image
from vision.table import CardTableEye

PACE = {"fast": 1.25, "slow": 0.8}
"""How many times as fast everybody is."""
SEED = 7
SLAP_PX, SWINGS_FOR_S, SWINGS_HZ = 5.0, 0.5, 4.4
"""How far a camera swings after a card is slapped down, for how long about, and how fast: the wooden stand."""


def _moved(image: Image, turned_deg: float, zoom: float) -> Image:
    """As from a camera that hangs turned, or farther off."""
    height, width = image.shape[:2]
    there = cv2.getRotationMatrix2D((width / 2, height / 2), turned_deg, zoom)
    return _warped(image, np.asarray(there), cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)


def _warped(image: Image, there: NDArray[np.float64], how: int = cv2.INTER_LINEAR) -> Image:
    height, width = image.shape[:2]
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


def _slanted(image: Image) -> Image:
    """From an arm that leans: the far side of the table is smaller."""
    height, width = image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array([[0.07, 0.05], [0.93, 0.05], [1, 1], [0, 1]], np.float32) * (width, height)
    there = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    return np.asarray(cv2.warpPerspective(image, there, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _flickering(image: Image, rng: np.random.Generator) -> Image:
    """A lamp on a weak line, and a shadow over one half of the table."""
    height, width = image.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    shadow = 1 - 0.4 / (1 + np.exp(-12 * (x + 0.5 * y - 0.1)))
    lit = image * (shadow * rng.normal(0.95, 0.04))[..., None]
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _shifted(image: Image, dx: float, dy: float) -> Image:
    return _warped(image, np.array([[1, 0, dx], [0, 1, dy]], np.float64))


def _trembling(image: Image, rng: np.random.Generator) -> Image:
    """An arm that trembles: each picture a little beside the last."""
    dx, dy = rng.normal(0, 1.2, 2)
    return _shifted(image, dx, dy)


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
        "slanted": _slanted,
        "flickering": lambda image: _flickering(image, rng),
        "trembling": lambda image: _trembling(image, rng),
        **{name: lambda image: image for name in FRAMES},
        **{name: lambda image: image for name in PACE},
    }


def changed(source: Source, change: str) -> Source:
    """A film, and its truth, after one of these changes."""
    see, pace = changes()[change], PACE.get(change, 1.0)
    truth = copy.deepcopy(source.truth)
    kept = FRAMES[change](source.frames, truth["happened"]) if change in FRAMES else source.frames
    truth["happened"] = [_sooner(happening, pace) for happening in truth["happened"]]
    frames = (Frame(see(frame.image), frame.at_s / pace) for frame in kept)
    return Source(f"{source.name}+{change}", source.game, source.players, frames, truth)


def _dropping(frames: Iterable[Frame], _: Any) -> Iterator[Frame]:
    """What a camera on a busy machine leaves: two of three pictures, and now and then none for half a second."""
    rng = np.random.default_rng(SEED)
    back_s = 0.0
    for frame in frames:
        if frame.at_s < back_s or rng.random() < 1 / 3:
            continue
        if rng.random() < 0.02:
            back_s = frame.at_s + 0.5
        yield frame


def _swaying(frames: Iterable[Frame], happened: Sequence[Any]) -> Iterator[Frame]:
    """A wooden stand on a table where cards are slapped down: it swings after each, and is still a second later."""
    rng = np.random.default_rng(SEED)
    slapped = [happening["at_s"] if isinstance(happening, Mapping) else happening[0] for happening in happened]
    knocks = np.array([[at_s, *rng.normal(0, SLAP_PX, 2)] for at_s in slapped])
    for frame in frames:
        since = frame.at_s - knocks[:, :1]
        swing = np.where(since > 0, np.exp(-since / SWINGS_FOR_S) * np.sin(2 * np.pi * SWINGS_HZ * since), 0.0)
        dx, dy = (swing * knocks[:, 1:]).sum(axis=0)
        yield Frame(_shifted(frame.image, float(dx), float(dy)), frame.at_s)


FRAMES: Mapping[str, Callable[[Iterable[Frame], Any], Iterable[Frame]]] = {"choppy": _dropping, "swaying": _swaying}
"""Changes of all pictures together."""


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
            print(f"{into}: {record(source, into, CardTableEye(CardReader(one_deck=True)))} looks", flush=True)


if __name__ == "__main__":
    main()
