"""Draws triangles as a picture: a z-buffer, one lamp, dark lines where a surface breaks, numbers with leaders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hardware.stl import Floats, Mesh

if TYPE_CHECKING:  # Pillow comes with the extra "hardware"; tables and tests do without it.
    from PIL import Image, ImageDraw, ImageFont

COLOURS = {
    "shown_table": (214, 190, 158),
    "shown_post": (224, 196, 150),
    "shown_post_beside": (214, 184, 136),
    "shown_tongue": (206, 172, 120),
    "shown_wood_arm": (232, 206, 164),
    "shown_brace": (206, 172, 120),
    "shown_head": (206, 172, 120),
    "shown_angle": (150, 156, 164),
    "shown_g_clamp": (120, 128, 140),
    "shown_laptop": (120, 130, 150),
    "shown_webcam": (52, 60, 80),
    "shown_boom_clamp": (110, 118, 130),
    "shown_boom_low": (140, 148, 160),
    "shown_boom_high": (140, 148, 160),
    "shown_sd": (40, 44, 52),
    "shown_lead": (240, 240, 236),
    "shown_playing_card": (252, 252, 250),
    "shown_strip_row": (250, 250, 244),
    "shown_strip_suits": (250, 250, 244),
    "cable": (40, 90, 200),
    "supply": (206, 60, 48),
    "ribbon": (206, 140, 40),
    "shown_bolt": (168, 172, 178),
    "shown_pi": (52, 132, 84),
    "shown_pi_zero": (52, 132, 84),
    "shown_pico": (52, 132, 84),
    "shown_k3": (190, 140, 60),
    "shown_breadboard": (236, 236, 230),
    "shown_usb_c": (60, 62, 70),
    "shown_usb_a": (60, 62, 70),
    "shown_micro_usb": (60, 62, 70),
    "shown_header_plugs": (40, 42, 48),
    "shown_mast": (202, 206, 212),
    "shown_arm": (202, 206, 212),
    "pico_bar": (92, 148, 200),
    "plug": (240, 176, 64),
    "saddle": (92, 148, 200),
    "shown_camera": (52, 132, 84),
    "shown_display": (40, 44, 60),
    "shown_display_wide": (40, 44, 60),
    "shown_button": (196, 60, 52),
    "foot_pad": (84, 84, 90),
    "jaw_pad": (84, 84, 90),
    "leg_pad": (84, 84, 90),
    "splice": (240, 176, 64),
    "gusset": (92, 148, 200),
    "ear": (92, 148, 200),
    "cap": (92, 148, 200),
    "clip": (240, 176, 64),
    "panel_face": (74, 80, 92),
    "panel_wells": (96, 102, 114),
    "shown_legend": (250, 248, 238),
    "panel_carrier": (232, 232, 236),
    "panel_back": (128, 160, 176),
    "panel_leg": (92, 148, 200),
    "case_lid": (176, 204, 220),
    "case_lid_wide": (176, 204, 220),
}
PLASTIC = (150, 180, 196)
INK = (24, 28, 34)
FAINT = (150, 156, 164)
PALE = 0.4
"""How much of its colour a piece keeps that was there before."""
FLIES = (214, 60, 40)
LAMP = np.array([0.35, -0.55, 0.76])
FINER = 2
"""Drawn this many times larger, then shrunk: smooth edges."""


@dataclass(frozen=True)
class Eye:
    """Looks along a direction without perspective: lengths keep their proportion."""

    azimuth: float
    elevation: float

    def axes(self) -> Floats:
        """Right, up and towards the eye."""
        a, e = np.radians([self.azimuth, self.elevation])
        toward = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0])
        return np.array([right, np.cross(toward, right), toward])


def draw(
    parts: Sequence[tuple[str, str, Mesh]],
    eye: Eye,
    size: tuple[int, int],
    labels: Sequence[str] = (),
    pale: Collection[int] = (),
    paths: Sequence[tuple[Floats, Floats]] = (),
    finer: int = FINER,
) -> Image.Image:
    """The picture; labels are names of pieces, numbered from 1, each pointed at where most of it is seen. Pale: pieces
    that were there before. Paths: lines from where a piece flies to where it goes."""
    from PIL import Image, ImageDraw

    width, height = size[0] * finer, size[1] * finer
    axes = eye.axes()
    seen = [(part, mesh.triangles @ axes.T) for _, part, mesh in parts]
    every = np.concatenate([t.reshape(-1, 3) for _, t in seen])
    low, high = every.min(0), every.max(0)
    margin = (34 if not labels else 60) * finer
    scale = min((width - 2 * margin) / (high[0] - low[0]), (height - 2 * margin) / (high[1] - low[1]))
    middle = (low + high) / 2
    offset = np.array([width / 2 - scale * middle[0], height / 2 + scale * middle[1]])

    depth = np.full((height, width), -np.inf)
    tint = np.full((height, width, 3), 255.0)
    facing = np.zeros((height, width, 3))
    owner = np.full((height, width), -1)
    for number, (part, triangles) in enumerate(seen):
        colour = np.array(COLOURS.get("shown_bolt" if part.startswith("shown_m") else part, PLASTIC), dtype=np.float64)
        if number in pale:
            colour = 255 - PALE * (255 - colour)
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
        flat = np.stack([offset[0] + scale * triangles[..., 0], offset[1] - scale * triangles[..., 1]], -1)
        for corners, heights, normal in zip(flat, triangles[..., 2], normals, strict=True):
            if normal[2] > 1e-6:
                light = 0.62 + 0.38 * max(0.0, float(normal @ (axes @ LAMP)))
                _fill(corners, heights, (depth, tint, facing, owner), colour * light, normal, number)

    ink = _edges(depth, facing, owner, scale)
    faint = ink & np.isin(_nearest_owner(owner), list(pale))
    tint[ink] = INK
    tint[faint] = FAINT
    picture = Image.fromarray(tint.clip(0, 255).astype(np.uint8)).resize(size, Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(picture)
    for path in paths:
        a, b = (((axes @ point)[:2] * (scale, -scale) + offset) / finer for point in path)
        _dashes(pen, a, b)
    points = []
    for number, name in enumerate(labels, start=1):
        at = _seen_at(owner, [i for i, (label, _, _) in enumerate(parts) if label == name])
        if at is not None:
            points.append((number, at / finer))
    _numbers(pen, points, size)
    return picture


def _nearest_owner(owner: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Whose a line is: the piece at it, or beside it where the line lies on the paper."""
    found = owner.copy()
    for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
        beside = np.roll(owner, step, axis)
        found = np.where(found < 0, beside, found)
    return found


def _dashes(pen: ImageDraw.ImageDraw, a: Floats, b: Floats) -> None:
    """A dashed line from a to b, with a dot where it ends."""
    far = float(np.linalg.norm(b - a))
    for start in np.arange(0, far, 10.0):
        p, q = (a + (b - a) * min(at, far) / max(far, 1e-6) for at in (start, start + 6))
        pen.line([float(p[0]), float(p[1]), float(q[0]), float(q[1])], fill=FLIES, width=2)
    pen.ellipse([b[0] - 3, b[1] - 3, b[0] + 3, b[1] + 3], fill=FLIES)


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own, so that pictures come out alike everywhere."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _fill(
    corners: Floats,
    heights: Floats,
    buffers: tuple[Floats, Floats, Floats, npt.NDArray[np.int64]],
    colour: Floats,
    normal: Floats,
    number: int,
) -> None:
    depth, tint, facing, owner = buffers
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    x1, y1 = np.ceil(corners.max(0)).astype(int) + 1
    (ax, ay), (bx, by), (cx, cy) = corners
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9 or x1 <= x0 or y1 <= y0:
        return
    ys, xs = np.mgrid[y0:y1, x0:x1] + 0.5
    u = ((bx - xs) * (cy - ys) - (cx - xs) * (by - ys)) / area
    v = ((cx - xs) * (ay - ys) - (ax - xs) * (cy - ys)) / area
    w = 1 - u - v
    here = u * heights[0] + v * heights[1] + w * heights[2]
    window = depth[y0:y1, x0:x1]
    rows, columns = window.shape
    here, inside = here[:rows, :columns], ((u >= -1e-9) & (v >= -1e-9) & (w >= -1e-9))[:rows, :columns]
    nearer = inside & (here > window + 1e-4)
    window[nearer] = here[nearer]
    tint[y0:y1, x0:x1][nearer] = colour
    facing[y0:y1, x0:x1][nearer] = normal
    owner[y0:y1, x0:x1][nearer] = number


def _seen_at(owner: npt.NDArray[np.int64], pieces: Sequence[int]) -> Floats | None:
    """The pixel (x, y) deepest inside the piece that shows most, or None when all are hidden."""
    shown = [int((owner == piece).sum()) for piece in pieces]
    if not shown or max(shown) < 40:
        return None
    mine = owner == pieces[int(np.argmax(shown))]
    while True:
        smaller = mine[1:-1, 1:-1] & mine[:-2, 1:-1] & mine[2:, 1:-1] & mine[1:-1, :-2] & mine[1:-1, 2:]
        if not smaller.any():
            break
        mine = np.pad(smaller, 1)
    rows, columns = np.nonzero(mine)
    nearest = np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2)
    return np.array([columns[nearest], rows[nearest]], dtype=np.float64)


def _edges(depth: Floats, facing: Floats, owner: npt.NDArray[np.int64], scale: float) -> npt.NDArray[np.bool_]:
    ink = np.zeros(depth.shape, dtype=bool)
    solid = np.where(np.isfinite(depth), depth, -1e6)
    for axis in (0, 1):
        after = tuple(slice(1, None) if a == axis else slice(None) for a in (0, 1))
        before = tuple(slice(None, -1) if a == axis else slice(None) for a in (0, 1))
        breaks = (
            (owner[after] != owner[before])
            | ((facing[after] * facing[before]).sum(-1) < 0.8) & (owner[after] >= 0)
            | (np.abs(solid[after] - solid[before]) > 12 / scale + 1.5)
        )
        ink[after] |= breaks
        ink[before] |= breaks
    return ink


def _numbers(pen: ImageDraw.ImageDraw, points: Sequence[tuple[int, Floats]], size: tuple[int, int]) -> None:
    """Numbers in two columns at the sides, ordered by height, so that no leader crosses another of its side."""
    for side in (0, 1):
        mine = sorted((p for p in points if (p[1][0] > size[0] / 2) == bool(side)), key=lambda p: float(p[1][1]))
        step = 34.0
        ys: list[float] = []
        for _, at in mine:
            ys.append(max(float(at[1]), ys[-1] + step) if ys else max(float(at[1]), 50.0))
        over = (ys[-1] - (size[1] - 24)) if ys else 0
        if over > 0:
            ys[-1] -= over
            for i in range(len(ys) - 2, -1, -1):
                ys[i] = min(ys[i], ys[i + 1] - step)
        x = size[0] - 26 if side else 26
        for (number, at), y in zip(mine, ys, strict=True):
            pen.line([(x + (-14 if side else 14), y), (float(at[0]), float(at[1]))], fill=INK, width=1)
            pen.ellipse([at[0] - 3, at[1] - 3, at[0] + 3, at[1] + 3], fill=INK)
            pen.ellipse([x - 14, y - 14, x + 14, y + 14], fill="white", outline=INK, width=2)
            pen.text((x, y), str(number), fill=INK, font=font(17), anchor="mm")


def save(picture: Image.Image, path: Path) -> None:
    """A small PNG: drawings have few colours."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(64, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
