"""Opens the board's trained networks, once each. OpenCV's dnn module runs them; nothing else is needed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, Any]

MODELS = Path(__file__).parents[1] / "models"


@lru_cache(maxsize=4)
def _open(name: str) -> Any:
    path = MODELS / name
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing. `python -m vision.training.board` makes it again.")
    return cv2.dnn.readNetFromONNX(str(path))


def let_go() -> None:
    """Closes them; the next question opens what it needs again."""
    _open.cache_clear()


def run(name: str, images: Array, outputs: tuple[str, ...]) -> list[Array]:
    """Feeds (n, 3, h, w) to a network and returns the outputs asked for."""
    net = _open(name)
    net.setInput(images)
    return [np.asarray(x) for x in net.forward(list(outputs))]
