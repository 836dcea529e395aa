"""Draws what was read over the picture: pits, counts, doubts."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from engine.sightings import BoardSighting, CountLikelihood, best_count
from vision.board.grid import FoundBoard

Array = np.ndarray[Any, Any]

SURE_BGR, DOUBT_BGR, HIDDEN_BGR, DARK_BGR = (120, 230, 120), (60, 190, 255), (80, 80, 255), (30, 30, 30)
DOUBT = 0.9
"""A count less likely than this is drawn as a doubt, with the runner-up beside it."""
LONG_SIDE_PX = 1600
"""Larger pictures are shrunk for drawing."""


def _text(canvas: Array, words: str, at: tuple[float, float], size: float, colour: tuple[int, int, int]) -> None:
    """Centred, with a dark edge so that it reads on any wood."""
    thick = max(1, round(size * 2))
    (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    where = (round(at[0] - w / 2), round(at[1] + h / 2))
    cv2.putText(canvas, words, where, cv2.FONT_HERSHEY_SIMPLEX, size, DARK_BGR, thick + 3, cv2.LINE_AA)
    cv2.putText(canvas, words, where, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)


def draw(image: Array, found: FoundBoard | None, sighting: BoardSighting | None, strays: Array | None = None) -> Array:
    """A copy of the picture with everything that was read drawn in."""
    scale = min(1.0, LONG_SIDE_PX / max(image.shape[:2]))
    size_px = tuple(max(1, round(side * scale)) for side in image.shape[1::-1])
    canvas = cv2.resize(image, size_px, interpolation=cv2.INTER_AREA) if scale < 1 else image.copy()
    if found is None or sighting is None:
        _text(canvas, "no board", (canvas.shape[1] / 2, 40), 1.2, HIDDEN_BGR)
        return canvas
    pitch = found.pitch_px * scale
    size = float(np.clip(pitch / 105, 0.35, 1.4))
    for r, row in enumerate(sighting.pits):
        for c, pit in enumerate(row):
            _draw_pit(canvas, found, (r, c), pit, scale, size)
    total = sum(count or 0 for row in sighting.counts for count in row)
    for x, y in strays if strays is not None else ():
        cv2.drawMarker(
            canvas, (round(x * scale), round(y * scale)), HIDDEN_BGR, cv2.MARKER_TILTED_CROSS, 18, 2, cv2.LINE_AA
        )
    words = f"seeds: {total}" + (f" + {sighting.outside} outside" if sighting.outside else "")
    words += "" if found.sure else "  (not sure this is the board)"
    (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
    _text(canvas, words, (w / 2 + 16, h + 12), 0.8, SURE_BGR if found.sure else DOUBT_BGR)
    return canvas


def _draw_pit(
    canvas: Array, found: FoundBoard, where: tuple[int, int], pit: CountLikelihood | None, scale: float, size: float
) -> None:
    """A pit's outline and what was counted in it."""
    at = found.centres[where] * scale
    ring = (found.outline(*where, 40) * scale).round().astype(np.int32)
    if pit is None:
        cv2.polylines(canvas, [ring], True, HIDDEN_BGR, 2, cv2.LINE_AA)
        _text(canvas, "?", (float(at[0]), float(at[1])), size * 1.2, HIDDEN_BGR)
        return
    best = best_count(pit)
    ranked = [best, *sorted(pit.keys() - {best}, key=lambda k: -pit[k])]
    sure = pit[best] >= DOUBT
    colour = SURE_BGR if sure else DOUBT_BGR
    cv2.polylines(canvas, [ring], True, colour, 2, cv2.LINE_AA)
    words = str(ranked[0]) if sure or len(ranked) < 2 else f"{ranked[0]}|{ranked[1]}"
    # Counts stand beside the seeds, not on them: on the pit's rim, toward the top of the picture.
    _text(canvas, words, (float(at[0]), float(at[1] - found.radii[where] * scale * 0.98)), size * 0.72, colour)
