"""Hands and forearms seen from above, modelled as rounded limbs under a lamp; drawn once for each person."""

import zlib
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.cards_backgrounds import Rng
from vision.synthetic.decks import Image
from vision.synthetic.play_render import Point, Sprite, sprite_of, turned

UNIT_PX = 96
"""Pixels for the width of a card in the model of a hand."""
WIDTH_PX, LENGTH_PX = 352, 1250
"""The model's canvas: a hand is 1.4 cards wide, and an arm may reach across a whole picture."""
ROWS_AT_ONCE = 125
"""Drawn at once: a whole arm at once needs 10 MB more for a moment."""
TIP = (WIDTH_PX / 2, 30.0)
"""Where the fingertips of a hand are on its canvas; the arm runs down from there."""
TONES = ((62, 86, 132), (48, 68, 104), (36, 50, 78), (98, 134, 190), (138, 172, 222), (80, 112, 168))
"""Skins (blue, green, red): picked from photographs of hands over tables."""

Limb = tuple[tuple[float, float], tuple[float, float], float, float, float]
"""From, to (in widths of a card, the fingertips at (0, 0), y towards the body), both radii, and the height."""

_PINCH: tuple[Limb, ...] = (
    ((0.1, 2.3), (0.16, 9.5), 0.44, 0.78, -0.1),
    ((0.0, 1.45), (0.1, 2.4), 0.52, 0.44, 0.0),
    ((-0.28, 1.25), (-0.1, 1.9), 0.34, 0.36, 0.02),
    ((0.34, 1.3), (0.2, 1.9), 0.34, 0.36, 0.02),
    ((-0.36, 0.85), (-0.3, 1.3), 0.17, 0.19, 0.14),
    ((-0.13, 0.12), (-0.36, 0.85), 0.125, 0.17, 0.1),
    ((-0.1, 0.75), (-0.08, 1.3), 0.175, 0.19, 0.18),
    ((0.05, 0.02), (-0.1, 0.75), 0.13, 0.175, 0.12),
    ((0.2, 0.8), (0.18, 1.3), 0.17, 0.19, 0.15),
    ((0.24, 0.14), (0.2, 0.8), 0.125, 0.17, 0.09),
    ((0.46, 0.95), (0.42, 1.35), 0.14, 0.17, 0.1),
    ((0.42, 0.42), (0.46, 0.95), 0.11, 0.14, 0.05),
    ((-0.62, 0.95), (-0.3, 1.6), 0.15, 0.22, 0.05),
    ((-0.36, 0.38), (-0.62, 0.95), 0.13, 0.16, 0.02),
)
_FLAT: tuple[Limb, ...] = (
    ((0.06, 2.5), (0.16, 9.5), 0.44, 0.78, -0.1),
    ((0.0, 1.6), (0.06, 2.6), 0.54, 0.44, 0.0),
    ((-0.3, 1.35), (-0.12, 2.1), 0.33, 0.36, 0.0),
    ((0.36, 1.4), (0.2, 2.1), 0.33, 0.36, 0.0),
    ((-0.44, 0.22), (-0.34, 1.3), 0.125, 0.18, 0.05),
    ((-0.1, 0.02), (-0.1, 1.25), 0.13, 0.18, 0.06),
    ((0.24, 0.12), (0.16, 1.3), 0.125, 0.18, 0.05),
    ((0.58, 0.48), (0.42, 1.4), 0.11, 0.16, 0.03),
    ((-0.82, 1.0), (-0.36, 1.75), 0.14, 0.23, 0.02),
)
POSES = {"pinch": _PINCH, "flat": _FLAT}


@dataclass(frozen=True)
class StagePerson:
    """Who sits at a seat: skin, sleeve (none: a bare arm), size (a child's is small), and which hand reaches."""

    tone: tuple[int, int, int]
    sleeve: tuple[int, int, int] | None
    size: float
    left: bool
    seed: int
    pace: float = 1.0
    """How long it takes over what others do in the usual time."""
    flat: bool = False
    """Lays cards down with a flat hand."""

    @staticmethod
    def draw(rng: Rng, child: bool = False) -> "StagePerson":
        """Somebody by chance."""
        tone = TONES[rng.integers(len(TONES))]
        b, g, r = (int(integer) for integer in rng.integers(20, 215, 3))
        sleeve = (b, g, r) if rng.random() < 0.55 else None
        size = rng.uniform(0.5, 0.6) if child else rng.uniform(0.76, 0.92)
        return StagePerson(tone, sleeve, float(size), bool(rng.random() < 0.15), int(rng.integers(2**31)))


def _heights(limbs: tuple[Limb, ...]) -> NDArray[np.float32]:
    """How high the hand stands over each pixel, in widths of a card; -1 where it is not."""
    height: NDArray[np.float32] = np.full((LENGTH_PX, WIDTH_PX), -1, np.float32)
    for (ax, ay), (bx, by), ra, rb, lift in limbs:
        reach = max(ra, rb)
        x0, x1 = ((np.array([min(ax, bx) - reach, max(ax, bx) + reach]) * UNIT_PX) + TIP[0]).astype(int)
        y0, y1 = ((np.array([min(ay, by) - reach, max(ay, by) + reach]) * UNIT_PX) + TIP[1]).astype(int)
        x0, x1, y0, y1 = max(0, x0), min(WIDTH_PX, x1 + 1), max(0, y0), min(LENGTH_PX, y1 + 1)
        y, x = np.arange(y0, y1, dtype=np.float32)[:, None], np.arange(x0, x1, dtype=np.float32)[None, :]
        x, y = (x - TIP[0]) / UNIT_PX - ax, (y - TIP[1]) / UNIT_PX - ay
        length = float(np.hypot(bx - ax, by - ay))
        ux, uy = (bx - ax) / length, (by - ay) / length
        along = np.clip(x * ux + y * uy, 0, length)
        gap2 = (x - along * ux) ** 2 + (y - along * uy) ** 2
        radius = ra + (rb - ra) * along / length
        inside = radius**2 - gap2
        part = height[y0:y1, x0:x1]
        np.maximum(part, np.where(inside > 0, lift + np.sqrt(np.maximum(inside, 0)), -1), out=part)
    return height


def _light(height: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much light comes back from each pixel: less from what leans away from the lamp above."""
    smooth = cv2.GaussianBlur(np.where(height > -1, height, -0.1).astype(np.float32), (0, 0), 2.2)
    dx, dy = np.gradient(smooth * UNIT_PX)[::-1]
    del smooth
    upward = 1 / np.sqrt(1 + dx * dx + dy * dy)
    del dy
    away = np.clip(dx * upward, -1, 1)
    del dx
    light: NDArray[np.float32] = np.clip(0.42 + 0.62 * upward - 0.1 * away, 0.25, 1.08)
    return light


def hand_picture(person: StagePerson, pose: str) -> Image:
    """A hand and arm pointing up, as premultiplied BGRA; its fingertips are at TIP."""
    flat = np.frombuffer(zlib.decompress(_packed_hand(person, pose)), np.uint8)
    return flat.reshape(LENGTH_PX, WIDTH_PX, 4)


@lru_cache(maxsize=12)
def _packed_hand(person: StagePerson, pose: str) -> bytes:
    """A hand's picture as it is kept: unpacked in 2 ms, and 0.2 MB where the picture has 1.8."""
    return zlib.compress(_drawn_hand(person, pose).tobytes(), 1)


def _drawn_hand(person: StagePerson, pose: str) -> Image:
    """A hand's picture, drawn anew."""
    rng = np.random.default_rng(person.seed)
    height = _heights(POSES[pose])
    solid, light = (height > -1).astype(np.float32), _light(height)
    del height
    mottle = cv2.GaussianBlur(rng.standard_normal((LENGTH_PX, WIDTH_PX)).astype(np.float32), (0, 0), 5)
    skin = np.empty((LENGTH_PX, WIDTH_PX, 3), np.float32)
    skin[:] = person.tone
    for first in range(0, LENGTH_PX, ROWS_AT_ONCE):
        rows = mottle[first : first + ROWS_AT_ONCE]
        grain = rng.standard_normal(rows.shape).astype(np.float32)
        skin[first : first + ROWS_AT_ONCE] *= (1 + 0.25 * rows + 0.012 * grain)[..., None]
    del mottle
    for (ax, ay), (bx, by), ra, _, _ in POSES[pose]:
        if ra < 0.135 and ay < 0.6:  # The last joint of a finger carries a nail.
            tip = (round(ax * UNIT_PX + TIP[0]), round(ay * UNIT_PX + TIP[1]))
            angle = float(np.degrees(np.arctan2(by - ay, bx - ax)))
            axes = (round(0.1 * UNIT_PX), round(0.075 * UNIT_PX))
            nail = np.array(person.tone, np.float32) * 0.5 + np.array((120, 120, 150), np.float32)
            cv2.ellipse(skin, tip, axes, angle, 0, 360, nail.tolist(), -1, cv2.LINE_AA)
    if person.sleeve is not None:
        cuff = round((2.75 + 0.8 * rng.random()) * UNIT_PX)
        y = np.arange(LENGTH_PX - cuff, dtype=np.float32)[:, None]
        x = np.arange(WIDTH_PX, dtype=np.float32)[None, :]
        folds = 1 + 0.1 * np.sin(y / 23 + 2.5 * np.sin(x / 41)) + 0.06 * np.sin(y / 9 + x / 17)
        folds[:6] *= 0.6
        for channel, tone in enumerate(person.sleeve):
            skin[cuff:, :, channel] = np.float32(tone) * folds
        # A sleeve is wider than the arm in it.
        wide = cv2.dilate(solid[cuff:], np.ones((1, 15), np.uint8))
        light[cuff:] = np.where(solid[cuff:] > 0, light[cuff:], 0.5)
        solid[cuff:] = wide
    alpha = cv2.GaussianBlur(solid, (0, 0), 1.0)
    skin *= light[..., None]  # In place: all of this is drawn while the device looks, and an arm is long.
    np.clip(skin, 0, 255, out=skin)
    skin *= alpha[..., None]
    picture = np.empty((LENGTH_PX, WIDTH_PX, 4), np.uint8)
    picture[..., :3], picture[..., 3] = skin, 255 * alpha
    return np.ascontiguousarray(picture[:, ::-1]) if person.left else picture


def hand_sprite(person: StagePerson, pose: str, card_px: float, points: Point, arm_px: float, lamp: Point) -> Sprite:
    """A hand that points along a direction, its fingertips at the origin and an arm of this length behind them."""
    scale = card_px * person.size / UNIT_PX
    picture = hand_picture(person, pose)[: max(300, min(LENGTH_PX, round(arm_px / scale + TIP[1])))]
    turn = float(np.arctan2(points[0], -points[1]))
    far, soft = 0.22 * card_px, 0.16 * card_px
    flat, origin = turned(picture, TIP, scale, turn, int(far + 2 * soft))
    return sprite_of(flat, origin, (far * lamp[0], far * lamp[1]), soft, 0.45)
