"""Draws frames of a table quickly: sprites over a picture of what lies still, under one light, through one sensor.

A sprite is two pictures, what it adds and what it leaves of the table beneath, so laying it down is one product and
one sum of bytes; shadows are part of what it leaves.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.cards_backgrounds import Rng, smooth_noise
from vision.synthetic.decks import CARD_H_PX, CARD_W_PX, Deck, Image

Point = tuple[float, float]

SHARPER = 1.5
"""Card pictures are kept this much wider than they are drawn: turning them then costs no sharpness."""
KEPT_SPRITES = 12
"""Turned cards kept for drawing again; about 3 MB at 1,280 x 960. More of them were seldom drawn again."""
SHUTTER_S = 0.012
"""How long the shutter is open, for the blur of what moves: a sixtieth to a hundredth in a lit room."""
GRAIN = 2.2
"""Sensor noise in levels, as webcams have it indoors."""
NOISE_SPARE_PX = 64
"""The noise tile is larger than the picture by this much, so that each frame can take another part of it."""


@dataclass(frozen=True, eq=False)
class Sprite:
    """Something to lay on a picture. keep: 255 leaves the table as it is; origin: its own place in it."""

    add: Image
    keep: Image
    origin: tuple[int, int]

    def paste(self, image: Image, at: Point, blur_px: Point = (0.0, 0.0)) -> None:
        """Lays it down with its origin at a point; blur_px: how far it moves while the shutter is open."""
        height, width = self.add.shape[:2]
        left, top = round(at[0]) - self.origin[0], round(at[1]) - self.origin[1]
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(image.shape[1], left + width), min(image.shape[0], top + height)
        if x1 <= x0 or y1 <= y0:
            return
        cut = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        part, add, keep = image[y0:y1, x0:x1], self.add[cut], self.keep[cut]
        size = (max(1, round(abs(blur_px[0])) | 1), max(1, round(abs(blur_px[1])) | 1))
        if size != (1, 1):
            add, keep = cv2.blur(add, size), cv2.blur(keep, size)
        cv2.multiply(part, keep, dst=part, scale=1 / 255)
        cv2.add(part, add, dst=part)


def sprite_of(flat: Image, origin: tuple[int, int], shift_px: Point, soft_px: float, depth: float) -> Sprite:
    """A sprite from a premultiplied BGRA picture, with the shadow that it throws."""
    alpha = flat[..., 3]
    # Shadows are soft: a quarter of the size is enough to blur them in.
    small = cv2.resize(alpha, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    matrix = np.array([[1, 0, shift_px[0] / 4], [0, 1, shift_px[1] / 4]], np.float64)
    small = cv2.warpAffine(small, matrix, (small.shape[1], small.shape[0]))
    small = cv2.GaussianBlur(small, (0, 0), max(0.6, soft_px / 4))
    dark = cv2.resize(small, (alpha.shape[1], alpha.shape[0]), interpolation=cv2.INTER_LINEAR)
    keep = cv2.multiply(cv2.bitwise_not(alpha), cv2.convertScaleAbs(dark, alpha=-depth, beta=255), scale=1 / 255)
    return Sprite(np.ascontiguousarray(flat[..., :3]), cv2.merge([keep, keep, keep]), origin)


def premultiplied(picture: Image) -> Image:
    """A straight-alpha BGRA picture, ready to be warped."""
    alpha = picture[..., 3]
    return np.dstack([cv2.multiply(picture[..., :3], cv2.merge([alpha, alpha, alpha]), scale=1 / 255), alpha])


def turned(picture: Image, middle: Point, scale: float, turn_rad: float, pad_px: int) -> tuple[Image, tuple[int, int]]:
    """A premultiplied picture turned about a point of it (clockwise as seen), and where that point is now."""
    height, width = picture.shape[:2]
    c, s = scale * np.cos(turn_rad), scale * np.sin(turn_rad)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - middle
    reach = corners @ np.array([[c, s], [-s, c]])
    lo = np.floor(reach.min(axis=0)).astype(int) - pad_px
    hi = np.ceil(reach.max(axis=0)).astype(int) + pad_px
    matrix = np.array([[c, -s, -lo[0] - c * middle[0] + s * middle[1]], [s, c, -lo[1] - s * middle[0] - c * middle[1]]])
    size = (int(hi[0] - lo[0]), int(hi[1] - lo[1]))
    return cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR), (int(-lo[0]), int(-lo[1]))


class Cards:
    """The cards of a deck as sprites of one width."""

    def __init__(self, deck: Deck, width_px: float, lamp: Point) -> None:
        self.width_px = width_px
        self.height_px = width_px * CARD_H_PX / CARD_W_PX
        self._deck = deck
        self._lamp = lamp
        self._shrunk: dict[str, Image] = {}
        self._kept: OrderedDict[Hashable, Sprite] = OrderedDict()

    def sprite(self, face: str, turn_rad: float, lifted: bool = False) -> Sprite:
        """A card, or "back", turned clockwise by so much about its centre; lifted: held over the table."""
        key = (face, round(np.rad2deg(turn_rad) * 2) % 720, lifted)
        found = self._kept.pop(key, None)
        if found is None:
            found = self._drawn(face, np.deg2rad(key[1] / 2), lifted)
            if len(self._kept) >= KEPT_SPRITES:
                self._kept.popitem(last=False)
        self._kept[key] = found
        return found

    def flat(self, face: str, turn_rad: float) -> Image:
        """A card without its shadow, premultiplied, turned about the middle of the picture."""
        return self._turned(face, turn_rad, 2)[0]

    def _turned(self, face: str, turn_rad: float, pad_px: int) -> tuple[Image, tuple[int, int]]:
        shrunk = self._shrunk.get(face)
        if shrunk is None:
            size = (round(self.width_px * SHARPER), round(self.height_px * SHARPER))
            shrunk = cv2.resize(premultiplied(self._deck.pictures[face]), size, interpolation=cv2.INTER_AREA)
            self._shrunk[face] = shrunk
        return turned(shrunk, (shrunk.shape[1] / 2, shrunk.shape[0] / 2), 1 / SHARPER, turn_rad, pad_px)

    def _drawn(self, face: str, turn_rad: float, lifted: bool) -> Sprite:
        far = (0.1 if lifted else 0.018) * self.width_px
        soft = (0.08 if lifted else 0.015) * self.width_px
        flat, origin = self._turned(face, turn_rad, int(far + 3 * soft) + 2)
        return sprite_of(flat, origin, (far * self._lamp[0], far * self._lamp[1]), soft, 0.4)


@dataclass(frozen=True)
class CameraView:
    """How the camera has moved since it was set up: turned about the picture's middle, then shifted."""

    shift_px: Point = (0.0, 0.0)
    turn_rad: float = 0.0

    def place(self, at: Point, size: tuple[int, int]) -> Point:
        """Where a point of the table is in the picture."""
        if not self.turn_rad:
            return at[0] + self.shift_px[0], at[1] + self.shift_px[1]
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        x, y = at[0] - size[0] / 2, at[1] - size[1] / 2
        return (
            float(c * x - s * y + size[0] / 2 + self.shift_px[0]),
            float(s * x + c * y + size[1] / 2 + self.shift_px[1]),
        )

    def warp(self, image: Image) -> Image:
        """A picture of the bare table as seen so."""
        if self == CameraView():
            return image
        height, width = image.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -float(np.rad2deg(self.turn_rad)), 1.0)
        matrix[:, 2] += self.shift_px
        return cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)


@dataclass(frozen=True, eq=False)
class Over:
    """A sprite in motion over the table, and how far it moves while the shutter is open."""

    sprite: Sprite
    at: Point
    blur_px: Point = (0.0, 0.0)


class Sensor:
    """What makes a picture a photograph: uneven light, a lens not quite sharp, brightness, grain."""

    def __init__(self, rng: Rng, size: tuple[int, int]) -> None:
        width, height = size
        self._rng = rng
        uneven = 1 + rng.uniform(0.02, 0.08) * smooth_noise(rng, height, width, (3, 3))
        self._field = cv2.merge([np.clip(225 * uneven, 0, 255).astype(np.uint8)] * 3)
        rows = (rng.normal(3 * GRAIN, GRAIN, (width + NOISE_SPARE_PX, 3)) for _ in range(height + NOISE_SPARE_PX))
        self._grain = np.stack([np.clip(row, 0, 255).astype(np.uint8) for row in rows])

    def lit(self, still: Image) -> Image:
        """What lies still, under the lamp and through the lens; a little dark, since grain only adds."""
        soft = cv2.GaussianBlur(cv2.multiply(still, self._field, scale=1 / 225), (3, 3), 0.6)
        return cv2.subtract(soft, (3 * GRAIN,) * 4)

    def take(self, picture: Image, gain: float, cast: Sequence[float]) -> Image:
        """The photograph of it. gain: brightness; cast: of blue, green and red beside it."""
        height, width = picture.shape[:2]
        if any(abs(gain_here - 1) > 0.004 for gain_here in cast):
            levels = np.arange(256, dtype=np.float32)[None, :, None] * np.array(cast, np.float32) * gain
            picture = cv2.LUT(picture, np.clip(levels, 0, 255).astype(np.uint8))
        elif abs(gain - 1) > 0.002:
            picture = cv2.convertScaleAbs(picture, alpha=gain)
        x, y = self._rng.integers(0, NOISE_SPARE_PX, 2)
        return cv2.add(picture, self._grain[y : y + height, x : x + width])


def compose(still: Image, over: Iterable[Over]) -> Image:
    """What moves, over what lies still."""
    picture = still.copy()
    for placed in over:
        placed.sprite.paste(picture, placed.at, placed.blur_px)
    return picture


def index_spots(deck: Deck, face: str, at: Point, width_px: float, turn_rad: float) -> NDArray[np.float64]:
    """Where the index corners of a laid card are, from their middle to half their height."""
    scale = width_px / CARD_W_PX
    spots = [(x - CARD_W_PX / 2, y - CARD_H_PX / 2) for x, y, _, _ in deck.indices(face)]
    c, s = np.cos(turn_rad) * scale, np.sin(turn_rad) * scale
    return np.array(spots).reshape(-1, 2) @ np.array([[c, s], [-s, c]]) + at
