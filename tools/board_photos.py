"""`python -m tools.board_photos FOLDER`: labelled photographs of boards, each in six versions: placed, and counted?

A folder holds beside each .jpg a .json {"counts": [[..]..], "corners": [[x, y] x 4]}. The pictures are measured on, and
never learned from.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.sightings import best_count
from vision import read_board

Array = np.ndarray[Any, Any]

NEAR = 0.2
"""A corner pit that lies further than so many pitches from its place is in the wrong one."""
CROPPED, PADDED = 1.2, 0.3
"""Pitches that are left round the corner pits; and how much of its size is added on every side."""
TURNED_DEG, SMALLER, LARGER = 10.0, 0.7, 1.4
SURE = 0.9


@dataclass(frozen=True)
class Labelled:
    """A picture of a board, its corner pits (clockwise from counts[0][0]), and what lies in each pit."""

    image: Array
    corners: Array
    counts: Array

    def seen_by(self, m: Array, size: tuple[int, int]) -> Labelled:
        """The same through an affine map of the picture (2x3); `size` is width and height."""
        how = cv2.INTER_AREA if np.linalg.det(m[:, :2]) < 1 else cv2.INTER_CUBIC
        image = cv2.warpAffine(self.image, m, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        return Labelled(image, self.corners @ m[:, :2].T + m[:, 2], self.counts)


def labelled(side: Path) -> Labelled:
    """The picture beside this .json."""
    told, image = json.loads(side.read_text()), cv2.imread(str(side.with_suffix(".jpg")))
    return Labelled(np.asarray(image), np.array(told["corners"], float), np.array(told["counts"]))


def versions(photo: Labelled) -> Iterator[tuple[str, Labelled]]:
    """As it is, cropped, padded, turned, smaller, larger."""
    height, width = photo.image.shape[:2]
    yield "as is", photo
    pitch = float(np.linalg.norm(photo.corners[1] - photo.corners[0])) / (photo.counts.shape[1] - 1)
    low = np.floor((photo.corners.min(0) - CROPPED * pitch).clip(0)).astype(int)
    high = np.ceil((photo.corners.max(0) + CROPPED * pitch).clip(None, [width, height])).astype(int)
    cut = np.ascontiguousarray(photo.image[low[1] : high[1], low[0] : high[0]])
    yield "cropped", Labelled(cut, photo.corners - low, photo.counts)
    x, y = round(PADDED * width), round(PADDED * height)
    wide = cv2.copyMakeBorder(photo.image, y, y, x, x, cv2.BORDER_CONSTANT, value=(110, 110, 110))
    yield "padded", Labelled(wide, photo.corners + np.array([x, y]), photo.counts)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), TURNED_DEG, 1.0)
    reach = np.abs(turn[:, :2]) @ [width, height]
    turn[:, 2] += (reach - [width, height]) / 2
    yield "turned", photo.seen_by(turn, (round(reach[0]), round(reach[1])))
    for name, zoom in (("smaller", SMALLER), ("larger", LARGER)):
        size = round(zoom * width), round(zoom * height)
        how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
        yield name, Labelled(cv2.resize(photo.image, size, interpolation=how), photo.corners * zoom, photo.counts)


@dataclass(frozen=True)
class Score:
    """How a board was read. `off`: pitches by which the corner pit that lies furthest off its place does so."""

    off: float
    sure: bool
    wrong: tuple[str, ...]
    """Pits told wrongly: what was read for what, and with what certainty."""
    tally: Counter[str]


def score(photo: Labelled) -> Score:
    """A board has no up: the answer is turned by half a turn where it then fits better."""
    pits = photo.counts.size
    seen = read_board(photo.image, photo.counts.shape)
    if seen is None:
        return Score(np.inf, False, (), Counter({"pits": pits}))
    corners, pitch = np.array(seen.corners_px), float(np.linalg.norm(photo.corners[1] - photo.corners[0]))
    pitch /= photo.counts.shape[1] - 1
    ways = [np.linalg.norm(way - photo.corners, axis=1).max() / pitch for way in (corners, np.roll(corners, 2, axis=0))]
    off = float(min(ways))
    tally = Counter({"pits": pits, "placed": off <= NEAR, "wrongly sure": off > NEAR and seen.sure})
    if off > NEAR:
        return Score(off, seen.sure, (), tally)
    true = (photo.counts if ways[0] <= ways[1] else photo.counts[::-1, ::-1]).ravel().tolist()
    wrong = []
    for want, pit in zip(true, (pit for row in seen.pits for pit in row), strict=True):
        got = best_count(pit) if pit else -1
        how_sure = pit[got] if pit else 0.0
        tally.update({"right": got == want, "said": how_sure >= SURE, "said right": how_sure >= SURE and got == want})
        if got != want:
            wrong.append(f"{got} for {want} ({how_sure:.2f})")
    return Score(off, seen.sure, tuple(wrong), tally)


def main() -> None:
    """A line for each picture in each version, and the sums."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("folder", type=Path)
    cv2.setNumThreads(1)
    sums: Counter[str] = Counter()
    for side in sorted(ap.parse_args().folder.glob("*.json")):
        for name, photo in versions(labelled(side)):
            came = score(photo)
            sums.update(came.tally)
            how = "sure" if came.sure else "not sure"
            print(f"{side.stem} {name}: {how}, {came.off:.2f} off; {', '.join(came.wrong) or 'all right'}", flush=True)
    print(dict(sums))


if __name__ == "__main__":
    main()
