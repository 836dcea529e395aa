"""A table drawn in a few strokes, for what only looks at motion: its grain, its light, arms over it, cards on it."""

from collections.abc import Iterable

import cv2
import numpy as np

from vision.frame import Frame

WIDTH, HEIGHT = 320, 240
STEP_S = 0.1
"""Between frames."""
SIDES = {0: (160, 239), 90: (0, 120), 180: (160, 0), 270: (319, 120)}
"""Where an arm from so many degrees comes in."""


class Tabletop:
    """What lies on a table and reaches over it; `frame` is the next picture of it."""

    def __init__(self, seed: int = 1, contrast: float = 1.5) -> None:
        self._rng = np.random.default_rng(seed)
        wood = cv2.GaussianBlur(self._rng.normal(0, 60, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 3)
        self._wood = 90 + contrast * wood
        self._across = np.linspace(-0.5, 0.5, WIDTH, dtype=np.float32)
        self.cards: list[tuple[int, int]] = []
        """The middles of cards, in pixels."""
        self.arms: list[tuple[int, tuple[int, int]]] = []
        """Each from so many degrees to where its tip is."""
        self.heads: list[tuple[int, int, int]] = []
        """Each where its middle is, and how far it reaches."""
        self.light = 1.0
        self.slope = 0.0
        """How much lighter it is on the right than on the left, as a part."""
        self.shift: tuple[float, float] = (0.0, 0.0)
        """By how much the camera sees everything moved."""
        self.grain = 2.0
        self.now_s = 0.0

    def frame(self) -> Frame:
        picture = self._wood.astype(np.float32).copy()
        for x, y in self.cards:
            cv2.rectangle(picture, (x - 14, y - 20), (x + 14, y + 20), 230.0, -1)
            cv2.circle(picture, (x, y), 5, 40.0, -1)
        if self.shift != (0.0, 0.0):
            moved = np.array([[1, 0, self.shift[0]], [0, 1, self.shift[1]]], np.float64)
            picture = cv2.warpAffine(picture, moved, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
        for angle, tip in self.arms:
            cv2.line(picture, SIDES[angle], tip, 170.0, 26)
        for x, y, radius in self.heads:
            cv2.circle(picture, (x, y), radius, 35.0, -1)
        lamp = np.float32(self.light) * (1 + np.float32(self.slope) * self._across)
        grain = np.float32(self.grain) * self._rng.standard_normal(picture.shape, np.float32)
        image = np.clip(picture * lamp + grain, 0, 255).astype(np.uint8)
        self.now_s += STEP_S
        return Frame(cv2.merge([image, image, image]), self.now_s)

    def frames(self, seconds: float) -> Iterable[Frame]:
        """What the camera sees for so long."""
        for _ in range(round(seconds / STEP_S)):
            yield self.frame()


def toward(angle: int, part: float) -> tuple[int, int]:
    """The tip of an arm from a side that reaches a part of the way to the middle."""
    x, y = SIDES[angle]
    return round(x + (WIDTH / 2 - x) * part), round(y + (HEIGHT / 2 - y) * part)
