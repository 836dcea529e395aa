"""Runs the finder over shards, so that the reader learns from the crops it will be given, false alarms included."""

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.finder import CornerFinder
from vision.training.cards_data import HIDDEN, NO_INDEX, READABLE, UNLABELLED

MINED = ".mined.npz"


def _verdict(pose: NDArray[np.float64], truth: NDArray[np.float32]) -> tuple[int, int] | None:
    """What a find really is: rank and suit, no index, or None where even we cannot say."""
    x, y, ux, uy, height = pose
    for tx, ty, tux, tuy, tall, visible, rank, suit in truth:
        if tx < -500 or np.hypot(tx - x, ty - y) > 0.45 * max(height, tall):
            continue
        if visible < HIDDEN:
            continue
        alike, size = ux * tux + uy * tuy, height / tall
        if visible > READABLE and alike > 0.85 and 0.5 < size < 1.8 and np.hypot(tx - x, ty - y) < 0.3 * tall:
            return int(rank), int(suit)
        if alike < 0.3:
            return NO_INDEX, UNLABELLED
        return None
    return NO_INDEX, UNLABELLED


def mine(finder: CornerFinder, shard: Path) -> int:
    """Writes, beside a shard, what the finder finds in it: patch, x, y, up x, up y, height, rank, suit a row."""
    rows = []
    with np.load(shard) as data:
        for number, (image, truth) in enumerate(zip(data["image"], data["truth"], strict=True)):
            for corner in finder.find(image):
                pose = np.array([*corner.at_px, *corner.up, corner.height_px])
                verdict = _verdict(pose, truth)
                if verdict is not None:
                    rows.append((number, *pose, *verdict))
    stem = shard.name.partition(".")[0]
    part = shard.with_name(stem + ".part")
    with part.open("wb") as out:
        np.savez(out, found=np.array(rows, np.float32).reshape(-1, 8))
    part.rename(shard.with_name(stem + MINED))
    return len(rows)


def mine_folder(finder: CornerFinder, shards: Path, again: bool = False) -> None:
    """Mines every shard of a folder: those not mined yet, or all of them again."""
    for shard in sorted(shards.glob("[0-9][0-9][0-9][0-9].npz")):
        if again or not shard.with_name(shard.stem + MINED).exists():
            print(f"{shard.name}: {mine(finder, shard)} corners", flush=True)


def main() -> None:
    """Mines every shard of a folder that was not mined yet."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("finder", type=Path, help="the finder as .onnx")
    ap.add_argument("shards", type=Path)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    mine_folder(CornerFinder(a.finder), a.shards)


if __name__ == "__main__":
    main()
