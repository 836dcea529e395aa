"""What comes between board and picture: hands, glare, things on the table, and the lens itself."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.synthetic.board_textures import clouds

Array = np.ndarray[Any, Any]

SKINS = (
    np.array([[60, 90, 150], [80, 115, 180], [45, 65, 105], [30, 42, 68], [120, 150, 205], [95, 130, 190]], np.float32)
    / 255
)
"""Blue, green, red of hands."""


def _lay(image: Array, mask: Array, colour: Array, shadow_px: float, offset: tuple[float, float]) -> Array:
    """Puts a rounded thing over the picture, with its shadow."""
    small = cv2.resize(mask, None, fx=0.25, fy=0.25)
    far = cv2.distanceTransform((small > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
    bulge = cv2.resize(np.sqrt(np.clip(far / max(float(far.max()), 1e-3), 0, 1)), (mask.shape[1], mask.shape[0]))
    soft = cv2.GaussianBlur(small, (0, 0), max(0.6, shadow_px / 4))
    move = np.array([[1, 0, offset[0] / 4], [0, 1, offset[1] / 4]], np.float32)
    shade = cv2.warpAffine(soft, move, (small.shape[1], small.shape[0]))
    shade = cv2.resize(shade, (mask.shape[1], mask.shape[0]))
    under = image * (1 - 0.55 * shade[..., None])
    body = colour * (0.55 + 0.55 * bulge[..., None])
    m = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None]
    return np.asarray(under * (1 - m) + body * m, np.float32)


def hands_over(rng: np.random.Generator, image: Array, centres: Array, radius: float) -> tuple[Array, Array]:
    """A hand reaching in from the edge over some pit; returns the picture and where the hand is."""
    h, w = image.shape[:2]
    goal = centres[rng.integers(len(centres))] + rng.normal(0, radius, 2)
    way = rng.uniform(0, 2 * np.pi)
    wide = radius * rng.uniform(1.3, 2.4)
    back = np.array([np.cos(way), np.sin(way)])
    across = np.array([-back[1], back[0]])
    mask = np.zeros((h, w), np.float32)

    def stroke(a: Array, b: Array, thick: float) -> None:
        p, q = (tuple(int(v) for v in x) for x in (a, b))
        cv2.line(mask, p, q, (1.0,), max(1, int(thick)), cv2.LINE_AA)

    palm = goal + back * wide * 1.5
    stroke(palm, palm + back * (w + h), wide * rng.uniform(0.8, 1.1))
    cv2.ellipse(
        mask,
        [int(v) for v in palm],
        [int(wide * 0.9), int(wide * 0.7)],
        float(np.degrees(way)),
        0,
        360,
        (1.0,),
        -1,
        cv2.LINE_AA,
    )
    for i in range(5):
        root = palm - back * wide * 0.3 + across * wide * (i - 2) * 0.33
        tip = goal + across * wide * (i - 2) * rng.uniform(0.15, 0.42) + back * abs(i - 2) * wide * 0.18
        knuckle = (root + tip) / 2 + across * rng.normal(0, 0.08) * wide
        stroke(root, knuckle, wide * 0.34)
        stroke(knuckle, tip, wide * 0.29)
    level = float(np.percentile(image, 70)) / 0.5
    skin = SKINS[rng.integers(len(SKINS))] * rng.uniform(0.8, 1.2) * level
    if rng.random() < 0.3:  # a sleeve or a glove
        skin = rng.uniform(0.05, 0.9, 3).astype(np.float32) * level
    grain = 1 + clouds(rng, (h, w), 12, 2)[..., None] * 0.04
    offset = (float(rng.normal(0, wide * 0.3)), float(rng.normal(0, wide * 0.3)))
    return _lay(image, mask, skin * grain, wide * 0.25, offset), mask


def glare_spot(
    rng: np.random.Generator, image: Array, centres: Array, radius: float, power: float
) -> tuple[Array, Array]:
    """A lamp mirrored in oiled wood; returns the picture and where nothing can be seen for light."""
    h, w = image.shape[:2]
    at = centres[rng.integers(len(centres))] + rng.normal(0, radius, 2)
    size = radius * rng.uniform(0.5, 2.0)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    turn = rng.uniform(0, np.pi)
    u = (xx - at[0]) * np.cos(turn) + (yy - at[1]) * np.sin(turn)
    v = -(xx - at[0]) * np.sin(turn) + (yy - at[1]) * np.cos(turn)
    spot = np.exp(-(((u / size) ** 2 + (v / size / rng.uniform(0.4, 1.0)) ** 2) ** 1.5)) * power * 1.6
    level = float(np.percentile(image, 97))
    lit = image + spot[..., None].astype(np.float32) * max(level, 0.3)
    return lit, (spot > 0.75).astype(np.float32)


def table_clutter(rng: np.random.Generator, image: Array, table: Array, things: int) -> Array:
    """Cups, coins, papers, loose seeds on the table beside the board: some of them as round as a pit."""
    h, w = image.shape[:2]
    out = image
    for _ in range(things):
        mask = np.zeros((h, w), np.float32)
        x, y = int(rng.uniform(0, w)), int(rng.uniform(0, h))
        r = int(rng.uniform(0.01, 0.09) * w)
        if rng.random() < 0.6:
            cv2.circle(mask, (x, y), r, (1.0,), -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints(((x, y), (r * 2.2, r * rng.uniform(1.0, 3.0)), float(rng.uniform(0, 180))))
            cv2.fillConvexPoly(mask, box.astype(np.int32), (1.0,), cv2.LINE_AA)
        colour = (rng.uniform(0.05, 0.9, 3) * np.percentile(image, 80) * 1.3).astype(np.float32)
        laid = _lay(out, mask * table, np.broadcast_to(colour, image.shape), r * 0.2, (r * 0.15, r * 0.15))
        if rng.random() < 0.4:  # a cup: a ring with a dark inside
            cv2.circle(laid, (x, y), int(r * 0.75), [float(v) for v in colour * 0.3], -1, cv2.LINE_AA)
            laid = np.where(table[..., None], laid, out)
        out = np.where(table[..., None], laid, out)
    return np.asarray(out, np.float32)


BLOWN = 1.2
"""What the brightest fiftieth of a picture is let come to, where 1 is white: a camera takes less light before its
subject is all white."""


def lens(rng: np.random.Generator, image: Array, grain_rng: np.random.Generator) -> Array:
    """Exposure, colour cast, vignette, focus, grain and JPEG: from light to a stored picture."""
    h, w = image.shape[:2]
    target = rng.uniform(0.18, 0.62) if rng.random() < 0.85 else rng.uniform(0.08, 0.8)
    bright = float(np.percentile(image[::4, ::4], 98))
    out = image * min(target / max(float(image.mean()), 1e-3), BLOWN / max(bright, 1e-3))
    cast = rng.normal(1, 0.06, 3).astype(np.float32)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    r2 = ((xx - w / 2) ** 2 + (yy - h / 2) ** 2) / (w * w / 4)
    out = out * cast * (1 - np.float32(rng.uniform(0, 0.3)) * r2)[..., None]
    out = cv2.pow(out, float(rng.uniform(0.55, 1.0))) if rng.random() < 0.8 else out
    over = out > 0.8  # film-like shoulder instead of a hard clip
    out[over] = 0.8 + 0.2 * np.tanh((out[over] - 0.8) / 0.2)
    blur = rng.choice([0.0, rng.uniform(0.3, 1.0), rng.uniform(0.8, 1.7)]) * w / 1280
    if blur > 0.25:
        out = cv2.GaussianBlur(out, (0, 0), float(blur))
    grain = rng.uniform(0.002, 0.03)
    static = grain_rng.standard_normal((h, w, 1), np.float32)
    static = static + 0.5 * grain_rng.standard_normal((h, w, 3), np.float32)
    if rng.random() < 0.5:
        static = cv2.GaussianBlur(static, (0, 0), 0.7) * 1.6
    out = out + static * grain * np.sqrt(np.clip(out, 0.02, 1))
    if rng.random() < 0.3:
        out = out + (out - cv2.GaussianBlur(out, (0, 0), 1.5)) * rng.uniform(0.2, 0.9)
    shot = (out.clip(0, 1) * 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
