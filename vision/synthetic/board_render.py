"""Draws a scene: rays from a pinhole meet wood, pits and seeds; lamps throw shadows. NumPy and OpenCV only.

Shadows, hidden seeds and overhang come out of the geometry, so a picture shows just what its truth says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision.synthetic.board_over import glare_spot, hands_over, lens, table_clutter
from vision.synthetic.board_scene import Panes, Scene, SeedLook, Seeds, random_panes
from vision.synthetic.board_textures import noise, table, wood

Array = np.ndarray[Any, Any]

STRIP = 24
"""Rows shaded at a time."""
WOOD_PX = 640
"""Width of the plank a board is made of, half as much in small pictures: it takes a tenth of their time to draw."""


@dataclass(frozen=True)
class BoardPicture:
    """A drawn board and the truth about it.

    `covered` is the part of each pit that a hand or glare hides; `seeds_seen` the part of each seed that other seeds
    and the wood leave in sight.
    """

    image: Array
    counts: Array
    centres: Array
    radius_px: Array
    covered: Array
    outside_px: Array
    seeds_px: Array
    seeds_pit: Array
    seeds_seen: Array

    @property
    def corners(self) -> Array:
        """Centres of the corner pits, clockwise from `counts[0][0]`."""
        return self.centres[[0, 0, -1, -1], [0, -1, -1, 0]]


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("...i,...i->...", a, b))


def _unit(v: Array) -> Array:
    """Unit vectors, in place."""
    v /= (np.sqrt(_dot(v, v)) + 1e-9)[..., None]
    return v


class BoardCanvas:
    """Per-pixel surface: where it is, its normal, colour and gloss, and how far along the ray."""

    def __init__(self, scene: Scene) -> None:
        cam = scene.camera
        self.scene, self.shape = scene, (cam.height, cam.width)
        u = (np.arange(cam.width, dtype=np.float32) - (cam.width - 1) / 2) / cam.focal
        v = (np.arange(cam.height, dtype=np.float32) - (cam.height - 1) / 2) / cam.focal
        right, down, forward = cam.axes.astype(np.float32)
        self.ray = u[None, :, None] * right + v[:, None, None] * down + forward
        self.origin = cam.at.astype(np.float32)
        self.t = -self.origin[2] / self.ray[..., 2]
        self.at = self.origin + self.ray * self.t[..., None]
        self.normal = np.zeros_like(self.at)
        self.normal[..., 2] = 1
        self.gloss = np.zeros(self.shape, np.float32)
        self.sharp = np.full(self.shape, 20.0, np.float32)
        self.seed = np.full(self.shape, -1, np.int32)
        self.soft = np.zeros(self.shape, np.float32)
        """How little the light on it depends on which way it faces: glass passes it on."""
        self.ambient = np.ones(self.shape, np.float32)
        self.lit = [np.ones(self.shape, np.float32) for _ in scene.lights]

    def project(self, points: Array, win: tuple[slice, slice]) -> Array:
        """Board points (h, w, 3) to pixels of a window."""
        camera = self.scene.camera
        at = camera.project(points.reshape(-1, 3)).reshape(*points.shape[:2], 2) - self._offset(win)
        return np.asarray(at, np.float32)

    def _offset(self, win: tuple[slice, slice]) -> tuple[int, int]:
        """Where in the picture a window begins: right, down."""
        return win[1].start, win[0].start

    def window(self, points: Array, grow: float = 2.0) -> tuple[slice, slice] | None:
        """The part of the picture that holds these board points."""
        p = self.scene.camera.project(points)
        (x0, y0), (x1, y1) = p.min(0) - grow, p.max(0) + grow
        h, w = self.shape
        a, b, c, d = max(0, int(y0)), min(h, int(y1) + 2), max(0, int(x0)), min(w, int(x1) + 2)
        return (slice(a, b), slice(c, d)) if a < b and c < d else None


def _ground(c: BoardCanvas, rng: np.random.Generator) -> tuple[Array, Array]:
    """Board top, its edges, the table: fills in the canvas; returns colours and the mask of the board's top."""
    scene = c.scene
    hx, hy = scene.shape.half
    round_off = rng.uniform(0.02, 0.25)
    x, y = np.abs(c.at[..., 0]), np.abs(c.at[..., 1])
    qx, qy = np.maximum(x - hx + round_off, 0), np.maximum(y - hy + round_off, 0)
    top = (x < hx) & (y < hy) & (np.hypot(qx, qy) < round_off)
    open_x, open_y = scene.shape.seam * (scene.shape.hinge > 0), scene.shape.seam * (scene.shape.gap > 0.1)
    top &= (x > open_x / 2) & (y > open_y / 2)
    t_table = (-scene.shape.thickness - c.origin[2]) / c.ray[..., 2]
    low_x, low_y = (c.origin[i] + c.ray[..., i] * t_table for i in (0, 1))
    side = ~top & (np.abs(low_x) < hx) & (np.abs(low_y) < hy)
    off = ~top & ~side
    c.t = np.where(off, t_table, c.t)
    c.at[..., 0], c.at[..., 1] = np.where(off, low_x, c.at[..., 0]), np.where(off, low_y, c.at[..., 1])
    c.at[..., 2] = np.where(off, -scene.shape.thickness, 0)
    colour = table(rng, c.shape)
    texture = wood(rng, WOOD_PX if c.shape[1] >= WOOD_PX else WOOD_PX // 2, scene.shape.pale)
    scale = texture.shape[1] / (2 * hx + 2)
    colour[side] = texture.mean((0, 1)) * rng.uniform(0.25, 0.7)
    c.gloss[off] = rng.choice([0.0, 0.0, 0.15])
    oil = float(rng.choice([0.03, 0.12, 0.35]))
    c.gloss[top | side] = oil * rng.uniform(0.5, 1.2)
    c.sharp[top] = rng.uniform(6, 30)

    _carve(c, top, rng)
    z = c.at[..., 2]
    slope = rng.uniform(0.0, 1.2)
    mu = (c.at[..., 0] + hx + 0.5 + 0.3 * z) * scale
    mv = (c.at[..., 1] + hy + 0.3 + slope * z) * scale * 0.98
    planks = cv2.remap(
        texture, mu.astype(np.float32), mv.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    worn = rng.uniform(0.6, 1.15)
    planks *= np.where(z < -0.01, np.float32(worn), np.float32(1))[..., None]
    if scene.shape.lined is not None:
        grain = planks.mean(-1, keepdims=True) / max(float(texture.mean()), 1e-3)
        planks = np.where((z < -0.01)[..., None], np.array(scene.shape.lined, np.float32) * (0.5 + 0.5 * grain), planks)
    colour[top] = planks[top]
    return colour, top


RIM_REACH = 1.3
"""How far from a pit's middle its rounded rim is felt, in pit radii."""


def _carve(c: BoardCanvas, top: Array, rng: np.random.Generator) -> None:
    """Moves the board's surface down into its pits and tilts its normals there."""
    scene, shape = c.scene, c.scene.shape
    r = shape.pit_radius
    bevel = rng.uniform(0.03, 0.12)
    dents = noise(rng, c.shape, (40, 50)) * rng.uniform(0.0, 0.05)
    turns = scene.knife_rings
    for (px, py), (rx, ry), bowl in scene.hollows:
        win = c.window(np.array([[px + a * rx * 1.15, py + b * ry * 1.15, 0] for a in (-1, 1) for b in (-1, 1)]))
        if win is None:
            continue
        ray, at = c.ray[win], c.at[win]
        dx, dy = ray[..., 0] / ray[..., 2] * (r / rx), ray[..., 1] / ray[..., 2] * (r / ry)
        x0, y0 = (at[..., 0] - px) / rx, (at[..., 1] - py) / ry
        pit = (bowl.radius(x0, y0) < 1) & top[win]
        x, y = x0, y0
        z = np.zeros_like(x0)
        for _ in range(6):
            z = 0.5 * z + 0.5 * bowl.height(x, y)
            x, y = x0 + dx * z, y0 + dy * z
        z = np.where(pit, z, 0)
        e = 0.02
        gx = (bowl.height(x + e, y) - bowl.height(x - e, y)) / (2 * e) * (r / rx)
        gy = (bowl.height(x, y + e) - bowl.height(x, y - e)) / (2 * e) * (r / ry)
        if shape.carved:
            rings = shape.carved * np.cos(bowl.radius(x, y) * turns * 2 * np.pi)
            gx, gy = gx + rings * x, gy + rings * y
        n = np.stack([-gx + dents[win], -gy - dents[win], np.ones_like(gx)], -1)
        rim = np.exp(-(((bowl.radius(x0, y0) - 1.0) / bevel) ** 2))[..., None]
        out = np.stack([-x0, -y0, np.full_like(x0, 0.6)], -1)
        flat = np.stack([np.zeros_like(x0), np.zeros_like(x0), np.ones_like(x0)], -1)
        n = np.where(pit[..., None], n, flat)
        n = _unit(_unit(n) * (1 - 0.6 * rim) + 0.6 * rim * out)
        # A window may reach into the next pit, which keeps its own slopes.
        keep = top[win] & (pit | ((bowl.radius(x0, y0) < RIM_REACH) & (at[..., 2] == 0)))
        c.normal[win][keep] = n[keep]
        c.at[win][..., 0] = np.where(pit, px + x * rx, at[..., 0])
        c.at[win][..., 1] = np.where(pit, py + y * ry, at[..., 1])
        c.at[win][..., 2] = np.where(pit, z * r, at[..., 2])
        c.t[win] = np.where(pit, (c.at[win][..., 2] - c.origin[2]) / ray[..., 2], c.t[win])
        deep = -z / max(bowl.depth, 1e-6)
        c.ambient[win] *= 1 - np.where(pit, deep * min(0.75, bowl.depth * 0.8), 0)
        for lit, light in zip(c.lit, scene.lights, strict=True):
            to = np.array(light.at) - [px, py, 0]
            to /= np.linalg.norm(to)
            # Where the ray to the lamp leaves the pit at the board's top: outside the outline, wood is in the way.
            up = -z / to[2]
            edge = bowl.radius(x + to[0] * up * (r / rx), y + to[1] * up * (r / ry))
            soft = 0.02 + 0.5 * light.blur * bowl.depth
            dark = np.clip((edge - 1 + soft / 2) / soft, 0, 1)
            lit[win] *= 1 - np.where(pit, dark * np.clip(deep * 6, 0, 1), 0)


def _seeds(c: BoardCanvas, colour: Array, rng: np.random.Generator) -> None:
    """Draws the seeds into the canvas, then the shadows that they throw."""
    scene = c.scene
    seeds, look = scene.seeds, scene.look
    waves = rng.normal(0, 1, (4, 3))
    glassy: Array = np.zeros(len(seeds.centres), np.float32)
    box = np.array([[a, b, d] for a in (-1, 1) for b in (-1, 1) for d in (-1, 1)])
    to_unit = np.swapaxes(seeds.turns / seeds.axes[:, None, :], 1, 2).astype(np.float32)
    for i in range(len(seeds.centres)):
        mid, longest = seeds.centres[i].astype(np.float32), float(seeds.axes[i].max())
        win = c.window(mid + box * longest)
        if win is None:
            continue
        m = to_unit[i]
        o, d = m @ (c.origin - mid), c.ray[win] @ m.T
        a, b, q = (d * d).sum(-1), d @ o, o @ o - 1
        disc = b * b - a * q
        t = (-b - np.sqrt(np.maximum(disc, 0))) / a
        hit = (disc > 0) & (t < c.t[win])
        if not hit.any():
            continue
        local = o + d * t[..., None]
        n = local @ m
        _unit(n)
        if scene.look.other is not None:
            look = scene.look.other if rng.random() < 0.5 else scene.look
        tone = look.colours[rng.integers(len(look.colours))] * rng.normal(1, 0.06)
        if look.glass:
            body = _glass(c, win, i, (local, d, n), look, tone.astype(np.float32), colour, rng)
            glassy[i] = look.glass
            c.soft[win][hit] = 0.3 + 0.6 * look.glass
        else:
            body = tone * skin(local, look.pattern, look.pattern_depth, waves, rng)[..., None]
            c.soft[win][hit] = 0.0
        c.normal[win][hit], c.t[win][hit], c.seed[win][hit] = n[hit], t[hit], i
        c.at[win][hit] = (c.origin + c.ray[win] * t[..., None])[hit]
        c.gloss[win][hit], c.sharp[win][hit], c.ambient[win][hit] = look.gloss, look.sharpness, 1.0
        colour[win][hit] = body[hit]
        for lit in c.lit:  # its own surface: the pit's shade on it is worked out anew below
            lit[win][hit] = 1.0
    _pit_shade_on_seeds(c)
    _seed_shadows(c, to_unit, glassy)


GLASS = 1.5
"""How much slower light is in glass."""
RIBBON_EDGE = 0.08
"""How soft a ribbon's edge is, in radii of its marble."""


def _glass(
    c: BoardCanvas,
    win: tuple[slice, slice],
    seed: int,
    seen: tuple[Array, Array, Array],
    look: SeedLook,
    tone: Array,
    colour: Array,
    rng: np.random.Generator,
) -> Array:
    """What a glass ball shows: the wood and seeds behind it turned over, ribbons inside it, its own colour, and at its
    rim a pale sky. Rays are bent as in a ball, whatever the axes."""
    local, d, n = seen
    mid, axes, turn = (part[seed].astype(np.float32) for part in (c.scene.seeds.centres, *_form(c.scene.seeds)))
    way = _unit(d.copy())
    cos = np.clip(-_dot(way, local), 0, 1)
    inside = way / GLASS + local * (cos / GLASS - np.sqrt(1 - (1 - cos * cos) / GLASS**2))[..., None]
    chord = -2 * _dot(inside, local)
    leaves = local + inside * chord[..., None]
    # Back into air on the far side, as far turned again as on the near side.
    out = inside * GLASS + leaves * (cos - GLASS * _dot(inside, leaves))[..., None]
    at, onward = mid + (leaves * axes) @ turn.T, _unit((out * axes) @ turn.T)
    low = mid[2] - float(np.sqrt(((turn[2] * axes) ** 2).sum()))
    far = np.clip((low - at[..., 2]) / np.minimum(onward[..., 2], -0.15), 0, 3 * float(axes.max()))
    place = c.project(at + onward * far[..., None], win)
    behind = cv2.remap(colour[win], place[..., 0], place[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    clear = np.float32(look.glass)
    tint = tone / max(float(tone.max()), 0.05)
    if look.vanes:
        body = behind * (1 - clear * 0.25 * (1 - np.array([0.9, 1.0, 0.85], np.float32)))
        body = body * clear + tone * (1 - clear)
        ribbon = _vanes(local, inside, chord, look.vanes, rng)
        stripes = _stripes(local + inside * (0.5 * chord)[..., None], rng)
        body = body * (1 - ribbon) + tone * stripes * (0.8 + 0.4 * local[..., 2:]) * ribbon
    else:
        depth = (0.5 * chord)[..., None]
        body = behind * tint ** (depth * (1.3 - 0.3 * clear) * 2) * clear + tone * (1 - clear)
    # The side away from the lamp gathers its light.
    to = np.array(c.scene.lights[0].at, np.float32)
    away = np.clip(-(n[..., :2] @ (to[:2] / (np.linalg.norm(to) + 1e-6))), 0, 1)[..., None]
    body = body * (1 + clear * away**3)
    body = body * (1 - np.float32(rng.uniform(0, 1)) * ((1 - cos) ** 2)[..., None])
    rim = (0.04 + 0.96 * (1 - cos) ** 5)[..., None]
    return np.asarray(body * (1 - rim) + rim * np.float32(rng.uniform(0.02, 0.7)))


def _form(seeds: Seeds) -> tuple[Array, Array]:
    return seeds.axes, seeds.turns


def _stripes(inner: Array, rng: np.random.Generator) -> Array:
    """How much lighter or darker the glass of a ribbon is, in strips along it: (h, w, 1)."""
    way = rng.normal(size=3).astype(np.float32)
    way *= np.float32(rng.uniform(4, 14) / np.linalg.norm(way))
    strength = max(0.0, float(rng.uniform(-0.2, 0.5)))
    return np.asarray(1 + np.float32(strength) * np.sin(inner @ way + np.float32(rng.uniform(0, 6.28))))[..., None]


def _vanes(local: Array, inside: Array, chord: Array, vanes: int, rng: np.random.Generator) -> Array:
    """Where a ray through a marble meets one of its twisted ribbons: how much of it, (h, w, 1)."""
    twist, begin = rng.uniform(-2.5, 2.5), rng.uniform(0, 2 * np.pi)
    # Glass bends what grazes its rim to two thirds of the way out: a core wider than that fills the whole ball.
    wide, reach, dense = rng.uniform(0.03, 0.2), rng.uniform(0.35, 0.75), rng.uniform(0.6, 1)
    met = np.zeros(chord.shape, np.float32)
    for part in np.linspace(0.26, 0.74, 9).tolist():
        p = local + inside * (chord * part)[..., None]
        across = np.hypot(p[..., 0], p[..., 1])
        angle = np.arctan2(p[..., 1], p[..., 0]) - twist * p[..., 2] - begin
        off = np.abs(np.sin(angle * vanes / 2)) * across * 2 / vanes
        within = np.minimum(wide - off, reach - np.hypot(across, 0.8 * p[..., 2]))
        met = np.maximum(met, np.clip(within / RIBBON_EDGE + 0.5, 0, 1).astype(np.float32))
    return np.asarray(dense * met)[..., None]


def _pit_shade_on_seeds(c: BoardCanvas) -> None:
    """Seeds lying under the rim are in its shade, as the wood beside them is."""
    scene = c.scene
    r = scene.shape.pit_radius
    for k, pit in enumerate(scene.seeds.pit):
        if pit < 0:
            continue
        row, column = divmod(int(pit), scene.shape.columns)
        px, py = scene.shape.centre(row, column)
        bowl = scene.bowl[(row, column) in scene.shape.square]
        mid, longest = scene.seeds.centres[k], scene.seeds.axes[k].max()
        win = c.window(mid + np.array([[a, b, 0] for a in (-1, 1) for b in (-1, 1)]) * longest * 1.2)
        if win is None:
            continue
        mine = (c.seed[win] == k) & (c.at[win][..., 2] < 0)
        if not mine.any():
            continue
        at = c.at[win][mine]
        c.ambient[win][mine] = 1 - np.clip(-at[:, 2] / (r * bowl.depth), 0, 1) * min(0.7, bowl.depth * 0.75)
        for lit, light in zip(c.lit, scene.lights, strict=True):
            to = np.array(light.at) - [px, py, 0]
            to /= np.linalg.norm(to)
            up = -at[:, 2] / to[2]
            edge = bowl.radius((at[:, 0] - px + to[0] * up) / r, (at[:, 1] - py + to[1] * up) / r)
            soft = 0.02 + 0.5 * light.blur * bowl.depth
            lit[win][mine] = 1 - np.clip((edge - 1 + soft / 2) / soft, 0, 1)


def _seed_shadows(c: BoardCanvas, to_unit: Array, glassy: Array) -> None:
    scene = c.scene
    floor = -scene.bowl[0].depth * scene.shape.pit_radius
    ring = np.array([[np.cos(a), np.sin(a)] for a in np.arange(0, 6.28, 0.785)])
    for i in range(len(scene.seeds.centres)):
        mid, axes = scene.seeds.centres[i].astype(np.float32), scene.seeds.axes[i]
        longest, size = float(axes.max()), float(axes.mean())
        m = to_unit[i]
        near = c.window(np.concatenate([np.column_stack([mid[:2] + ring * longest * 2.2, np.full(8, mid[2])])]))
        if near is not None:
            away = mid - c.at[near]
            d2 = (away * away).sum(-1) + 1e-6
            cos = (away * c.normal[near]).sum(-1) / np.sqrt(d2)
            block = np.clip(cos * 0.8 + 0.2, 0, 1) * np.minimum(size * size / d2, 1)
            c.ambient[near] *= np.where(c.seed[near] == i, 1.0, 1 - 0.75 * block)
        for lit, light in zip(c.lit, scene.lights, strict=True):
            to = (np.array(light.at, np.float32) - mid).astype(np.float32)
            to /= np.linalg.norm(to)
            base = -0.02 if scene.seeds.pit[i] == OUTSIDE else floor
            throw = min((mid[2] - base + longest) / max(float(to[2]), 0.15), 1.2)
            end = mid - to * throw
            grow = longest * (1.1 + light.blur)
            pts = np.concatenate([np.column_stack([p[:2] + ring * grow, np.full(8, p[2])]) for p in (mid, end)])
            win = c.window(pts)
            if win is None:
                continue
            o = (c.at[win] - mid) @ m.T
            d = m @ to
            along = -(o @ d)
            dd = float(d @ d)
            gap2 = np.maximum((o * o).sum(-1) - along * along / dd, 0)
            gap = np.sqrt(gap2)
            # A shadow blurs with its length: what lies close under a seed has a sharp one.
            soft = 0.06 + light.blur * np.clip(along / dd / size, 0, 4) * 0.4
            dark = np.clip((1 + soft / 2 - gap) / soft, 0, 1) * (along > 0)
            if glassy[i]:  # the light that goes through is gathered in the middle of the shadow
                dark = dark * (1 - 0.6 * glassy[i]) - 0.9 * glassy[i] * np.exp(-((gap / 0.35) ** 2)) * (along > 0)
            lit[win] *= np.where(c.seed[win] == i, 1.0, 1 - dark)


OUTSIDE = -1
_BUTTONHOLES = ((-0.22, -0.22), (0.22, -0.22), (-0.22, 0.22), (0.22, 0.22))


def skin(local: Array, pattern: str, depth: float, waves: Array, rng: np.random.Generator) -> Array:
    """The pattern on a seed, from where on it (unit ball) one looks."""
    shift = rng.uniform(0, 6.28, 4)
    mottle = sum(np.sin(local @ (waves[j] * 3) + shift[j]) for j in range(4)) * 0.04
    if pattern == "rings":
        return np.asarray(1 + mottle + 0.05 * depth * np.sin(local[..., 0] * 22 + shift[0]))
    if pattern == "speckles":
        spots = np.sin(local @ (waves[0] * 9) + shift[0]) * np.sin(local @ (waves[1] * 9) + shift[1])
        return np.asarray(1 + mottle * 2 - 0.5 * depth * (spots > 0.55))
    if pattern == "swirl":
        swirl = np.sin(local @ (waves[0] * 3) + 2 * np.sin(local @ waves[1] * 3))
        return np.asarray(1 + mottle * 4 + 0.3 * depth * swirl)
    if pattern == "mottled":
        patches = np.sin(local @ (waves[0] * 2) + shift[0]) + np.sin(local @ (waves[1] * 4) + shift[1])
        dot = ((local - _unit(waves[2].copy())) ** 2).sum(-1) < 0.04
        return np.asarray((1 + mottle * 2 + 0.2 * depth * patches) * np.where(dot, 0.4, 1.0))
    if pattern == "crease":
        crease = np.abs(local[..., 1] + 0.12 * np.sin(local[..., 0] * 3 + shift[0])) < 0.09
        return np.asarray(1 + mottle - 0.65 * depth * (crease & (local[..., 2] * (shift[1] - 3) > 0)))
    if pattern == "holes":
        holes = sum((local[..., 0] - a) ** 2 + (local[..., 1] - b) ** 2 < 0.02 for a, b in _BUTTONHOLES)
        return np.asarray(1 + mottle - 0.75 * (np.asarray(holes) > 0))
    if pattern == "slit":
        slit = (np.abs(local[..., 1]) < 0.1) & (np.abs(local[..., 0]) < 0.75) & (local[..., 2] * shift[0] > 0)
        return np.asarray(1 + mottle - 0.6 * depth * slit)
    return np.asarray(1 + mottle)


def _shade(c: BoardCanvas, colour: Array, rng: np.random.Generator) -> Array:
    """Light on the canvas: each lamp's share, the light from all around, the shine."""
    window = np.array([*rng.normal(0, 0.5, 2), 1.0], np.float32)
    window /= np.linalg.norm(window)
    mirror = np.float32(rng.uniform(0, 0.7))
    out = np.empty_like(colour)
    for top in range(0, c.shape[0], STRIP):  # strips stay in the processor's cache: twice as fast
        _shade_strip(c, colour, slice(top, top + STRIP), window, mirror, out)
    return out


def _shade_strip(c: BoardCanvas, colour: Array, rows: slice, window: Array, mirror: np.float32, out: Array) -> None:
    view, normal, gloss, seen = _unit(-c.ray[rows]), c.normal[rows], c.gloss[rows], c.ambient[rows]
    ambient = np.array(c.scene.ambient, np.float32)
    light_sum = (seen * (0.6 + 0.4 * normal[..., 2]))[..., None] * ambient
    shine = np.zeros_like(light_sum)
    for lit, light in zip(c.lit, c.scene.lights, strict=True):
        to = np.array(light.at, np.float32) - c.at[rows]
        fall = lit[rows] * np.float32(np.dot(light.at, light.at)) / _dot(to, to)
        _unit(to)
        cos = _dot(to, normal)
        power = np.array(light.colour, np.float32)
        shone_on = cos > 0
        cos = cos + c.soft[rows] * (to[..., 2] - cos)
        # A broad lamp reaches a little round the edge of what it lights.
        wrap = np.float32(0.5 * light.blur)
        light_sum += (np.clip((cos + wrap) / (1 + wrap), 0, 1) * fall)[..., None] * power
        to += view
        peak = np.clip(_dot(_unit(to), normal), 0, 1) ** c.sharp[rows]
        shine += (gloss * peak * fall * shone_on)[..., None] * power
    # A pale ceiling or window mirrored in what is glossy.
    back = 2 * _dot(view, normal)[..., None] * normal - view
    sky = np.clip((back @ window - 0.88) * 12, 0, 1) * gloss * seen * mirror
    shine += sky[..., None] * ambient
    for pane in c.scene.panes:
        shine += (_mirrored(back, pane) * gloss * seen)[..., None] * ambient
    out[rows] = colour[rows] * light_sum + shine * np.float32(0.8)


LEAST_AHEAD = 0.05
"""A window farther aside than this is taken to be so far ahead."""


def on_pane(way: Array, pane: Panes) -> tuple[Array, Array, Array]:
    """How far ahead a window is in these directions, and how far off its middle each goes through it, either way."""
    ahead = np.array(pane.towards, np.float32)
    ahead /= np.linalg.norm(ahead)
    side = np.array([ahead[2], 0, -ahead[0]], np.float32)
    side /= np.linalg.norm(side)
    up = np.cross(ahead, side).astype(np.float32)
    ahead_by = way @ ahead
    depth = np.maximum(ahead_by, LEAST_AHEAD)
    return ahead_by, np.abs(way @ side) / depth, np.abs(way @ up) / depth


def between_bars(pane: Panes, u: Array, v: Array) -> Array:
    """Where no bar parts a window that has some."""
    return np.asarray(np.minimum(u, v) > 0.15 * min(pane.half))


def _mirrored(back: Array, pane: Panes) -> Array:
    """How bright a window shows where surfaces mirror these directions."""
    _, u, v = on_pane(back, pane)
    edge = np.float32(0.04)
    shown = np.clip((pane.half[0] - u) / edge, 0, 1) * np.clip((pane.half[1] - v) / edge, 0, 1)
    if pane.bars:
        shown *= between_bars(pane, u, v)
    return np.asarray(shown * np.float32(pane.power), np.float32)


def _board_shadow(c: BoardCanvas, top: Array) -> None:
    """The board's own shadow on the table."""
    scene = c.scene
    hx, hy = scene.shape.half
    corners = np.array([[-hx, -hy], [hx, -hy], [hx, hy], [-hx, hy]])
    under = scene.shape.thickness
    for k, light in enumerate(scene.lights):
        to = np.array(light.at) / np.linalg.norm(light.at)
        moved = corners - to[:2] / max(to[2], 0.2) * under
        hull = cv2.convexHull(np.concatenate([corners, moved]).astype(np.float32))[:, 0]
        px = scene.camera.project(np.column_stack([hull, np.full(len(hull), -under)]))
        mask: Array = np.zeros(c.shape, np.float32)
        cv2.fillConvexPoly(mask, (px * 16).astype(np.int32), (1.0,), cv2.LINE_AA, 4)
        blur = 1 + light.blur * under * scene.camera.focal / float(scene.camera.at[2]) * 0.3
        mask = cv2.GaussianBlur(mask, (0, 0), blur)
        c.lit[k] *= np.where(top, 1.0, 1 - mask)


def render(scene: Scene) -> BoardPicture:
    """Draws the scene as a camera would see it. The same scene gives the same picture."""
    rng = np.random.default_rng(scene.style_seed)
    c, colour = laid_out(scene, rng)
    return expose(c, _shade(c, colour, rng), rng)


def exposures(scene: Scene, rng: np.random.Generator, times: int) -> list[BoardPicture]:
    """The scene several times with other lamps, stains, hands and lenses. Cheap: what lies where takes longest."""
    laid = np.random.default_rng(scene.style_seed)
    c, colour = laid_out(scene, laid)
    seeds, gloss, sharp = c.seed >= 0, c.gloss, c.sharp
    pictures: list[BoardPicture] = []
    for _ in range(times):
        on = rng.random(len(scene.lights)) < 0.6
        on[rng.integers(len(on))] = True
        lights = tuple(
            replace(light, colour=_dimmed(light.colour, float(rng.uniform(0.5, 1.3))))
            for light, shines in zip(scene.lights, on, strict=True)
            if shines
        )
        c.scene = replace(
            scene,
            lights=lights,
            ambient=_dimmed(scene.ambient, float(rng.uniform(0.4, 1.6))),
            hands=int(rng.random() < EXPOSED_HANDS),
            glare=float(rng.uniform(0.5, 1.5)) if rng.random() < EXPOSED_GLARE else 0.0,
            frame=scene.frame + len(pictures),
            panes=random_panes(rng) if scene.panes else (),
        )
        stained = np.where(seeds[..., None], _stained(colour, rng, 1.6), _stained(colour, rng, 1.3))
        oil, polish = (np.float32(np.exp(rng.uniform(*np.log(span)))) for span in (OILED, POLISHED))
        c.gloss = gloss * np.where(seeds, np.float32(rng.uniform(0.3, 1.5)), oil)
        c.sharp = np.where(seeds, sharp, sharp * polish)
        kept, c.lit = c.lit, [lit for lit, shines in zip(c.lit, on, strict=True) if shines]
        pictures.append(expose(c, _shade(c, stained.astype(np.float32), rng), rng))
        c.lit = kept
    return pictures


OILED, POLISHED = (0.3, 4.0), (0.6, 2.5)
"""How much more or less the wood shines in one exposure, and how much smaller or larger the shine's spot is: a lamp
mirrored in an oiled pit looks like a seed, and only many such pits teach the difference."""
EXPOSED_HANDS, EXPOSED_GLARE = 0.12, 0.08
"""How often a hand or glare comes into one of several exposures: a hand hides half of a small board."""


def _dimmed(light: tuple[float, float, float], by: float) -> tuple[float, float, float]:
    return light[0] * by, light[1] * by, light[2] * by


def _stained(colour: Array, rng: np.random.Generator, most: float) -> Array:
    """The same surfaces darker or paler by up to `most` times, and of a somewhat other colour."""
    gain = most ** rng.uniform(-1, 1) * rng.uniform(0.85, 1.15, 3)
    return np.asarray((colour * gain.astype(np.float32)).clip(0.01, 1.2))


def laid_out(scene: Scene, rng: np.random.Generator) -> tuple[BoardCanvas, Array]:
    """What lies where and in whose shadow: the canvas and its colours."""
    c = BoardCanvas(scene)
    colour, top = _ground(c, rng)
    _board_shadow(c, top)
    _seeds(c, colour, rng)
    return c, colour


def _beside_the_board(c: BoardCanvas) -> Array:
    """Where the table shows: what lies under the board is not seen through its pits, however deep they are."""
    half_x, half_y = c.scene.shape.half
    outside = (np.abs(c.at[..., 0]) > half_x) | (np.abs(c.at[..., 1]) > half_y)
    return np.asarray(outside & (c.at[..., 2] < -1e-3 - c.scene.shape.thickness * 0.9))


def expose(c: BoardCanvas, image: Array, rng: np.random.Generator) -> BoardPicture:
    """Lays what comes between over the lit scene, and takes the picture."""
    scene = c.scene
    shape = scene.shape
    flat = np.array([[*shape.centre(i, j), 0.0] for i in range(shape.rows) for j in range(shape.columns)])
    centres = scene.camera.project(flat)
    ring = np.array([[np.cos(a), np.sin(a), 0] for a in np.arange(0, 6.28, 0.7)]) * shape.pit_radius
    radius = np.array(
        [np.hypot(*(scene.camera.project(p + ring) - q).T).mean() for p, q in zip(flat, centres, strict=True)]
    )
    if scene.clutter:
        image = table_clutter(rng, image, _beside_the_board(c), scene.clutter)
    hidden = np.zeros(c.shape, np.float32)
    for _ in range(scene.hands):
        image, hand = hands_over(rng, image, centres, float(radius.mean()))
        hidden = np.maximum(hidden, hand)
    if scene.glare:
        image, spot = glare_spot(rng, image, centres, float(radius.mean()), scene.glare)
        hidden = np.maximum(hidden, spot)
    covered = (
        np.array([_share(hidden, p, r) for p, r in zip(centres, radius, strict=True)]) if hidden.any() else 0 * radius
    )
    seeds = scene.seeds
    at = scene.camera.project(seeds.centres) if len(seeds.centres) else np.zeros((0, 2))
    far = np.linalg.norm(seeds.centres - scene.camera.at, axis=1)
    whole = np.pi * (seeds.axes**2).mean(1) * (scene.camera.focal / far) ** 2
    seen = np.bincount(c.seed[c.seed >= 0], minlength=len(far))[: len(far)] / np.maximum(whole, 1)
    grid = (shape.rows, shape.columns)
    return BoardPicture(
        lens(rng, image, np.random.default_rng([scene.style_seed, scene.frame])),
        scene.counts,
        centres.reshape(*grid, 2),
        radius.reshape(grid),
        covered.reshape(grid),
        at[seeds.pit == OUTSIDE],
        at,
        seeds.pit,
        seen.clip(0, 1),
    )


def _share(mask: Array, at: Array, radius: float) -> float:
    """How much of a disc is masked."""
    disc: Array = np.zeros(mask.shape, np.uint8)
    cv2.circle(disc, (int(at[0]), int(at[1])), max(1, int(radius)), (1,), -1)
    picked = mask[disc > 0]
    return float((picked > 0.5).mean()) if picked.size else 0.0


class _Cell(BoardCanvas):
    """The part of a canvas round one pit, to draw in without touching the whole."""

    def __init__(self, whole: BoardCanvas, scene: Scene, win: tuple[slice, slice]) -> None:
        self.scene, self.origin = scene, whole.origin
        self._whole, self._win = whole.shape, win
        self.shape = (win[0].stop - win[0].start, win[1].stop - win[1].start)
        self.ray, self.t, self.at, self.normal = (
            layer[win].copy() for layer in (whole.ray, whole.t, whole.at, whole.normal)
        )
        self.gloss, self.sharp, self.seed = whole.gloss[win].copy(), whole.sharp[win].copy(), whole.seed[win].copy()
        self.soft, self.ambient = whole.soft[win].copy(), whole.ambient[win].copy()
        self.lit = [layer[win].copy() for layer in whole.lit]

    def _offset(self, win: tuple[slice, slice]) -> tuple[int, int]:
        return self._win[1].start + win[1].start, self._win[0].start + win[0].start

    def window(self, points: Array, grow: float = 2.0) -> tuple[slice, slice] | None:
        p = self.scene.camera.project(points)
        (x0, y0), (x1, y1) = p.min(0) - grow, p.max(0) + grow
        rows, columns = self._win
        a, b = max(rows.start, int(y0)) - rows.start, min(rows.stop, int(y1) + 2) - rows.start
        c, d = max(columns.start, int(x0)) - columns.start, min(columns.stop, int(x1) + 2) - columns.start
        return (slice(a, b), slice(c, d)) if a < b and c < d else None


class PitPainter:
    """A board drawn once, empty; then any of its pits with seeds in it, at the price of that pit alone.

    For films of one table: no lens and no grain, and no shadow of one pit's seeds on the next pit.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = replace(scene, seeds=_no_seeds())
        rng = np.random.default_rng(scene.style_seed)
        self._canvas = BoardCanvas(self._scene)
        self._colour, top = _ground(self._canvas, rng)
        _board_shadow(self._canvas, top)
        self.empty: Array = _shade(self._canvas, self._colour, self._light_rng())
        if scene.clutter:
            self.empty = table_clutter(rng, self.empty, _beside_the_board(self._canvas), scene.clutter)

    def _light_rng(self) -> np.random.Generator:
        """What the wood mirrors is the same wherever it is drawn."""
        return np.random.default_rng([self._scene.style_seed, 1])

    def cell(self, pit: int) -> tuple[tuple[slice, slice], Array]:
        """The part of the picture that a pit has to itself: its window, and the mask within."""
        shape = self._scene.shape
        x, y = shape.centre(*divmod(pit, shape.columns))
        half_x, half_y = 0.5, shape.row_pitch / 2
        corners = np.array([[x + a * half_x, y + b * half_y, 0.0] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        win = self._canvas.window(corners)
        assert win is not None, "every pit is in the picture"
        mask: Array = np.zeros((win[0].stop - win[0].start, win[1].stop - win[1].start), np.uint8)
        px = self._scene.camera.project(corners) - (win[1].start, win[0].start)
        cv2.fillConvexPoly(mask, np.round(px).astype(np.int32), (255,))
        return win, mask

    def pit(self, pit: int, seeds: Seeds, seed: int) -> Array:
        """A pit's window with these seeds in it, in light as `empty` is."""
        win, _ = self.cell(pit)
        cell = _Cell(self._canvas, replace(self._scene, seeds=seeds), win)
        colour = self._colour[win].copy()
        _seeds(cell, colour, np.random.default_rng([self._scene.style_seed, pit, seed]))
        return _shade(cell, colour, self._light_rng())


def _no_seeds() -> Seeds:
    return Seeds(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros(0, int))
