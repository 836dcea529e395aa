"""Boards as height fields, their seeds settled one on another: a renderer that nothing was ever trained on.

It shares no code with vision/synthetic. Eight makes of boards, six sorts of seeds; pits that no turn touches stay as
they lie. `python -m tools.carved_live` plays games on them and says how well they are followed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, Any]
Rng = np.random.Generator
Colour = tuple[float, float, float]

PITCH_PX = 100
"""Pixels of the height field from one column to the next. Lengths and heights are in pitches."""
MARGIN = 0.45
"""Table shown round the board."""
SETTLES, SINKS, SHADOW_STEPS = 90, 0.02, 30


@dataclass(frozen=True)
class Make:
    """How a board is built: its material's colour (blue, green, red), how rough, shiny and deep it is."""

    colour: Colour
    depth: float = 0.32
    flat: float = 2.0
    """Power of the hollows' profile: 2 is a bowl, 6 a tin."""
    square: bool = False
    row_pitch: float = 1.1
    hinge: float = 0.0
    stores: str = ""
    """Of which form its stores are: long, round, or none."""
    grain: float = 0.25
    rough: float = 0.0
    gloss: float = 0.15
    radius: float = 0.41
    wobble: float = 0.0
    """How far each pit lies off its place."""
    lined: Colour | None = None


MAKES: dict[str, Make] = {
    "hinged": Make((0.45, 0.62, 0.78), hinge=0.22, stores="long"),
    "carved": Make((0.12, 0.2, 0.32), 0.38, rough=0.015, wobble=0.03, gloss=0.3),
    "oiled": Make((0.2, 0.34, 0.5), 0.3, stores="round", gloss=0.7),
    "plastic": Make((0.62, 0.45, 0.2), 0.26, flat=4.0, grain=0.0, gloss=0.9, stores="long"),
    "tin": Make((0.5, 0.55, 0.58), 0.22, flat=6.0, square=True, grain=0.05, gloss=0.4),
    "clay": Make((0.28, 0.38, 0.6), 0.35, grain=0.1, rough=0.02, gloss=0.05, wobble=0.02),
    "sand": Make((0.5, 0.6, 0.68), 0.3, grain=0.15, rough=0.03, gloss=0.0, radius=0.38, wobble=0.05),
    "painted": Make((0.3, 0.42, 0.6), 0.3, stores="long", lined=(0.35, 0.3, 0.12), gloss=0.4),
}


@dataclass(frozen=True)
class Sort:
    """How seeds are formed (half axes, in pitches), coloured and polished."""

    axes: tuple[float, float, float]
    colours: tuple[Colour, ...]
    spread: float = 0.05
    gloss: float = 0.3
    clear: float = 0.0
    """How much of the ground shows through."""
    mark: str = ""


SORTS: dict[str, Sort] = {
    "pale balls": Sort((0.105, 0.105, 0.105), ((0.55, 0.72, 0.82), (0.6, 0.75, 0.84)), 0.03),
    "dark glass": Sort((0.12, 0.12, 0.085), ((0.3, 0.1, 0.05), (0.08, 0.25, 0.1), (0.1, 0.06, 0.25)), 0.06, 1.2, 0.35),
    "cowries": Sort((0.14, 0.1, 0.075), ((0.72, 0.82, 0.88), (0.6, 0.74, 0.83)), 0.1, 0.5, mark="slit"),
    "pebbles": Sort(
        (0.125, 0.105, 0.08), ((0.5, 0.52, 0.53), (0.3, 0.32, 0.34), (0.25, 0.33, 0.4)), 0.2, 0.08, mark="spots"
    ),
    "nickernuts": Sort((0.11, 0.105, 0.095), ((0.46, 0.48, 0.45), (0.4, 0.43, 0.42)), 0.07, 0.5, mark="rings"),
    "beans": Sort((0.135, 0.085, 0.075), ((0.12, 0.12, 0.4), (0.16, 0.22, 0.45)), 0.1, 0.5),
}


@dataclass
class Pit:
    """The seeds of one pit: middles (n, 3) over the board's top, half axes, turns about the upright, colours."""

    at: Array = field(default_factory=lambda: np.zeros((0, 3)))
    axes: Array = field(default_factory=lambda: np.zeros((0, 3)))
    turn: Array = field(default_factory=lambda: np.zeros(0))
    colour: Array = field(default_factory=lambda: np.zeros((0, 3)))

    def __len__(self) -> int:
        return len(self.at)


class CarvedBoard:
    """A board with its seeds, a lamp and a camera. `lay` says how many seeds each pit holds, `picture` shows them."""

    def __init__(
        self, make: str, sort: str, grid: tuple[int, int], seed: int, tilt_deg: float = 0.0, light: float = 1.0
    ):
        self.make, self.sort, self.grid, self.light = MAKES[make], SORTS[sort], grid, light
        self.rng = np.random.default_rng(seed)
        rows, columns = grid
        self.pits = [Pit() for _ in range(rows * columns)]
        r, c = (a.ravel().astype(float) for a in np.mgrid[0:rows, 0:columns])
        middle = (columns - 1) / 2
        x = c - middle + self.make.hinge * (np.where(c > middle, 0.5, -0.5) if columns % 2 == 0 else 0)
        self.places = np.column_stack([x, (r - (rows - 1) / 2) * self.make.row_pitch])
        self.places += self.rng.normal(0, self.make.wobble, self.places.shape)
        self._stores = self._ends() if self.make.stores else []
        wide = max(np.abs(self.places[:, 0]).max() + 0.55, *(abs(s[0]) + s[2] + 0.12 for s in self._stores), 0)
        self.half = np.array([wide, np.abs(self.places[:, 1]).max() + 0.58])
        self.ground, self.top = self._carve()
        self.stuff = self._material()
        angle, slant = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(0.5, 1.1)
        self.lamp = np.array([np.cos(angle) * np.cos(slant), np.sin(angle) * np.cos(slant), np.sin(slant)])
        self.camera = self._hang(np.radians(tilt_deg))

    def _ends(self) -> list[tuple[float, float, float, float]]:
        """Stores: middle and half size of each."""
        out = np.abs(self.places[:, 0]).max() + self.make.radius
        tall = np.abs(self.places[:, 1]).max() + self.make.radius
        half = (0.36, tall * 0.92) if self.make.stores == "long" else (0.48, 0.48)
        return [(side * (out + 0.16 + half[0]), 0.0, *half) for side in (-1, 1)]

    def _bowl(self, x: Array, y: Array) -> Array:
        """Height of a pit's ground at these places from its middle: 0 at its rim and beyond."""
        far = np.maximum(abs(x), abs(y)) if self.make.square else np.hypot(x, y)
        return -self.make.depth * (1 - np.minimum(far / self.make.radius, 1) ** self.make.flat)

    def _carve(self) -> tuple[Array, Array]:
        """The height field of the empty board, and which of it is board."""
        w, h = (2 * (self.half + MARGIN) * PITCH_PX).astype(int)
        self.origin = np.array([w, h]) / 2
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        x, y = (xx - self.origin[0]) / PITCH_PX, (yy - self.origin[1]) / PITCH_PX
        top = (abs(x) < self.half[0]) & (abs(y) < self.half[1])
        ground = np.where(top, 0.0, -0.5).astype(np.float32)
        for px, py in self.places:
            ground += np.where(top, self._bowl(x - px, y - py), 0)
        for sx, sy, a, b in self._stores:
            out = np.hypot(np.maximum(abs(x - sx) - a + min(a, b), 0), np.maximum(abs(y - sy) - b + min(a, b), 0))
            ground -= np.where(top, 0.28 * (1 - np.minimum(out / min(a, b), 1) ** 4), 0)
        if self.make.rough:
            ground += self.make.rough * self._noise((h, w), 14) * top
        return np.asarray(cv2.GaussianBlur(ground, (0, 0), 1.2)), top

    def _noise(self, shape: tuple[int, int], cell: float, along: float = 1.0) -> Array:
        small = self.rng.normal(0, 1, (max(2, int(shape[0] / cell)), max(2, int(shape[1] / cell / along))))
        return np.asarray(cv2.resize(small.astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC))

    def _material(self) -> Array:
        shape = self.ground.shape
        fibres = self._noise(shape, 5, 12) + 0.6 * self._noise(shape, 40, 3)
        wood = np.array(self.make.colour) * (1 + self.make.grain * 0.35 * fibres[..., None])
        if self.make.lined is not None:
            wood[(self.ground < -0.04) & self.top] = self.make.lined
        table = self.rng.uniform(0.15, 0.7, 3) * (1 + 0.1 * self._noise(shape, 9)[..., None])
        return np.asarray(np.where(self.top[..., None], wood, table), np.float32)

    def lay(self, counts: Array) -> None:
        """So many seeds lie in each pit; those that lay there stay, where no fewer lie there now."""
        for pit, count in enumerate(np.asarray(counts).ravel().tolist()):
            if count < len(self.pits[pit]):
                self.pits[pit] = Pit()
            for _ in range(count - len(self.pits[pit])):
                self._drop(pit)

    def _drop(self, number: int) -> None:
        """One more seed falls into a pit, and all in it come to rest."""
        pit, sort = self.pits[number], self.sort
        axes = (
            np.array(sort.axes)
            * np.exp(self.rng.normal(0, sort.spread))
            * np.exp(self.rng.normal(0, sort.spread / 2, 3))
        )
        high = pit.at[:, 2].max(initial=-self.make.depth) + 0.25
        pit.at = np.vstack([pit.at, [*self.rng.normal(0, 0.1, 2), high]])
        pit.axes = np.vstack([pit.axes, axes])
        pit.turn = np.append(pit.turn, self.rng.uniform(0, np.pi))
        pick = np.array(sort.colours[self.rng.integers(len(sort.colours))])
        pit.colour = np.vstack([pit.colour, pick * self.rng.uniform(0.85, 1.1)])
        wide, tall = np.sqrt(pit.axes[:, 0] * pit.axes[:, 1]), pit.axes[:, 2]
        squash = np.array([1, 1, float((wide / tall).mean())])
        at, reach = pit.at * squash, (wide[:, None] + wide) * (1 - np.eye(len(wide)))
        for step in range(SETTLES):
            at[:, 2] -= SINKS * (1 - step / SETTLES)
            for _ in range(2):
                apart = at[:, None] - at
                gap = np.linalg.norm(apart, axis=-1) + 1e-6
                push = np.maximum(reach - gap, 0) / gap
                at += 0.5 * (push[..., None] * apart).sum(1)
                at = self._out_of_the_wood(at / squash, tall) * squash
        pit.at = at / squash

    def _out_of_the_wood(self, at: Array, tall: Array) -> Array:
        x, y, z = at.T
        ground, e = self._bowl(x, y), 0.02
        slope = np.stack([self._bowl(x + e, y) - self._bowl(x - e, y), self._bowl(x, y + e) - self._bowl(x, y - e)], -1)
        normal = np.column_stack([-slope / (2 * e), np.ones(len(at))])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        deep = np.maximum(ground + tall / normal[:, 2].clip(0.4) - z, 0) * normal[:, 2]
        return np.asarray(at + deep[:, None] * normal)

    def _seeds(self) -> tuple[Array, Array, Array, Array]:
        """Heights, colours, upward normals' tilt and gloss, with the seeds in."""
        height, colour = self.ground.copy(), self.stuff.copy()
        gloss = np.full(height.shape, self.make.gloss, np.float32)
        clear = np.zeros(height.shape, np.float32)
        for (px, py), pit in zip(self.places, self.pits, strict=True):
            for k in np.argsort(pit.at[:, 2]):
                a, b, c = pit.axes[k]
                mid = self.origin + (np.array([px, py]) + pit.at[k, :2]) * PITCH_PX
                reach = int(a * PITCH_PX * 1.4) + 3
                x0, y0 = (mid - reach).astype(int)
                part = np.s_[y0 : y0 + 2 * reach, x0 : x0 + 2 * reach]
                yy, xx = np.mgrid[y0 : y0 + 2 * reach, x0 : x0 + 2 * reach]
                dx, dy = (xx - mid[0]) / PITCH_PX, (yy - mid[1]) / PITCH_PX
                s, t = np.sin(pit.turn[k]), np.cos(pit.turn[k])
                u, v = (dx * t + dy * s) / a, (dy * t - dx * s) / b
                rest = 1 - u * u - v * v
                up = pit.at[k, 2] + c * np.sqrt(np.maximum(rest, 0))
                on = (rest > 0) & (up > height[part])
                height[part][on] = up[on]
                skin = np.ones((*on.shape, 1)) * pit.colour[k]
                if self.sort.mark == "slit":
                    skin[(abs(v) < 0.1) & (abs(u) < 0.75)] *= 0.35
                elif self.sort.mark == "rings":
                    skin *= 1 + 0.12 * np.sin(14 * u + 3 * k)[..., None]
                elif self.sort.mark == "spots":
                    skin *= 1 + 0.15 * cv2.GaussianBlur(self.rng.normal(0, 2, on.shape), (0, 0), 1.5)[..., None]
                seen = self.sort.clear * (0.4 + 0.6 * np.maximum(rest, 0))[..., None]
                colour[part][on] = ((1 - seen) * skin + seen * (0.5 * colour[part] + 0.5 * skin))[on]
                gloss[part][on], clear[part][on] = self.sort.gloss, self.sort.clear
        return height, colour, gloss, clear

    def picture(self, noise_seed: int = 0) -> Array:
        """What the camera sees."""
        rng = np.random.default_rng(noise_seed)
        height, colour, gloss, clear = self._seeds()
        dx, dy = (cv2.Sobel(height, cv2.CV_32F, *way, ksize=3) / 8 * PITCH_PX for way in ((1, 0), (0, 1)))
        up = 1 / np.sqrt(1 + dx * dx + dy * dy)
        normal = np.stack([-dx * up, -dy * up, up], -1)
        lit = np.maximum(normal @ self.lamp.astype(np.float32), 0) * self._in_light(height)
        open_sky = np.exp(-2.2 * np.maximum(cv2.GaussianBlur(height, (0, 0), 9) - height, 0))
        open_sky *= np.exp(-1.0 * np.maximum(cv2.GaussianBlur(height, (0, 0), 30) - height, 0))
        half = self.lamp + np.array([0, 0, 1])
        shine = np.maximum(normal @ (half / np.linalg.norm(half)).astype(np.float32), 0) ** 60 * gloss
        # A clear seed is bright on the side away from the lamp, where it gathers the light.
        through = clear * np.maximum(normal[..., :2] @ -self.lamp[:2].astype(np.float32), 0)
        warm = np.array([0.85, 0.95, 1.05], np.float32)
        seen = colour * (0.42 * open_sky + 0.85 * lit + 0.5 * through)[..., None] * warm + shine[..., None]
        return self._taken(seen * self.light, height, rng)

    def _in_light(self, height: Array) -> Array:
        """How much of the lamp each place sees: what stands between lies higher than the way to it."""
        flat = self.lamp[:2] / np.linalg.norm(self.lamp[:2])
        rise = self.lamp[2] / np.linalg.norm(self.lamp[:2]) / PITCH_PX
        over = np.zeros_like(height)
        for step in range(2, 2 + 2 * SHADOW_STEPS, 2):
            m = np.array([[1, 0, -flat[0] * step], [0, 1, -flat[1] * step]], np.float32)
            there = cv2.warpAffine(height, m, height.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
            over = np.maximum(over, there - height - rise * step)
        return np.asarray(1 - np.clip(over / 0.05, 0, 1))

    def _hang(self, tilt: float) -> Array:
        """Board (pitches) to picture, 960 x 720, and how far a height moves what is seen."""
        turn = self.rng.uniform(-0.06, 0.06)
        fill = 960 * 0.8 / (2 * self.half[0])
        c, s = np.cos(turn) * fill, np.sin(turn) * fill
        near = 0.035 * np.sin(tilt)
        self.lean = np.array([0.0, -np.sin(tilt)])
        flat = np.array([[c, -s * np.cos(tilt), 0], [s, c * np.cos(tilt), 0], [0, -near, 1]])
        middle = np.array([[0, -480 * near, 480], [0, -360 * near, 360], [0, 0, 0]])
        return np.asarray(flat + middle)

    def _taken(self, seen: Array, height: Array, rng: Rng) -> Array:
        yy, xx = np.mgrid[0:720, 0:960].astype(np.float32)
        q = np.stack([xx, yy, np.ones_like(xx)], -1) @ np.linalg.inv(self.camera).T
        flat = q[..., :2] / q[..., 2:]
        at = flat.copy()
        for _ in range(4):  # Where the ray meets the height field.
            px = (at * PITCH_PX + self.origin).astype(np.float32)
            z = cv2.remap(height, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            at = flat - z[..., None] * self.lean
        px = (at * PITCH_PX + self.origin).astype(np.float32)
        image = cv2.remap(
            seen.astype(np.float32), px[..., 0], px[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        image = cv2.GaussianBlur(image, (0, 0), 0.8)
        image = 255 * np.power(np.clip(image, 0, 1), 1 / 1.6) + rng.normal(0, 2.0 / max(self.light, 0.3), image.shape)
        return np.asarray(image.clip(0, 255).astype(np.uint8))

    @property
    def centres_px(self) -> Array:
        """Where the pits' middles are in the picture."""
        p = np.column_stack([self.places, np.ones(len(self.places))]) @ self.camera.T
        return np.asarray((p[:, :2] / p[:, 2:]).reshape(*self.grid, 2))
