"""Boards as height fields, their seeds settled one on another: a renderer that nothing was ever trained on.

It shares no code with vision/synthetic. Eight makes of boards and any others between them, six sorts of seeds; pits
that no turn touches stay as they lie. `python -m tools.carved_live` plays games on them and says how well they are
followed, `python -m tools.carved_found` whether they are found where they lie.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, Any]
Rng = np.random.Generator
Colour = tuple[float, float, float]
Ground = Callable[[Array, Array], Array]
"""How high a hollow's ground lies at places from its middle."""

PITCH_PX = 100
"""Pixels of the height field from one column to the next. Lengths and heights are in pitches."""
MARGIN = 0.9
"""Of the table round the board, what its height field holds: the board's shadow falls there."""
WARM = np.array([0.85, 0.95, 1.05], np.float32)
"""The lamp's colour."""
SETTLES, SINKS, SHADOW_STEPS = 90, 0.02, 30
STORES = ("long", "round", "oval", "square")


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
    """Of which form its stores are: long, round, oval, square, or none."""
    store_half: float = 0.36
    """Half a long store's width."""
    store_gap: float = 0.16
    """Wood between the outer pits and the stores."""
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


def any_make(rng: Rng) -> Make:
    """A board with stores as somebody may have built it, of any wood."""
    pale, red = rng.uniform(0.25, 0.85), rng.uniform(1.1, 1.5)
    lined = (0.2, 0.2, 0.45) if rng.random() < 0.2 else None
    return Make(
        colour=(pale / red**2, pale / red, pale),
        depth=float(rng.uniform(0.22, 0.38)),
        flat=float(rng.choice([2.0, 2.0, 3.0, 4.0])),
        row_pitch=float(rng.uniform(1.0, 1.35)),
        hinge=float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.4)])),
        stores=str(rng.choice(STORES)),
        grain=float(rng.uniform(0.05, 0.35)),
        rough=float(rng.choice([0.0, 0.012])),
        gloss=float(rng.uniform(0.0, 0.7)),
        radius=float(rng.uniform(0.37, 0.44)),
        wobble=float(rng.choice([0.0, 0.02])),
        lined=lined,
        store_half=float(rng.uniform(0.3, 0.5)),
        store_gap=float(rng.uniform(0.1, 0.3)),
    )


@dataclass(frozen=True)
class Hung:
    """How a board lies under the camera: turned so far, so large (1: it just fits), off the middle (-1 to 1: as far as
    it still shows)."""

    turn_deg: float
    fill: float = 0.9
    aside: tuple[float, float] = (0.0, 0.0)
    cloth: str = ""
    """What lies under it: planks, checks, dots, or plain stuff."""


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
        self,
        make: str | Make,
        sort: str,
        grid: tuple[int, int],
        seed: int,
        tilt_deg: float = 0.0,
        light: float = 1.0,
        hung: Hung | None = None,
    ):
        self.make = MAKES[make] if isinstance(make, str) else make
        self.sort, self.grid, self.light, self.hung = SORTS[sort], grid, light, hung
        self.rng = np.random.default_rng(seed)
        rows, columns = grid
        self.pits = [Pit() for _ in range(rows * columns)]
        r, c = (a.ravel().astype(float) for a in np.mgrid[0:rows, 0:columns])
        middle = (columns - 1) / 2
        x = c - middle + self.make.hinge * (np.where(c > middle, 0.5, -0.5) if columns % 2 == 0 else 0)
        self.places = np.column_stack([x, (r - (rows - 1) / 2) * self.make.row_pitch])
        self.places += self.rng.normal(0, self.make.wobble, self.places.shape)
        self._stores = self._ends() if self.make.stores else []
        self.kept = [Pit() for _ in self._stores]
        """What lies in the stores."""
        wide = max(np.abs(self.places[:, 0]).max() + 0.55, *(abs(s[0]) + s[2] + 0.12 for s in self._stores), 0)
        self.half = np.array([wide, np.abs(self.places[:, 1]).max() + 0.58])
        self.ground, self.top = self._carve()
        self._lay_cloth()
        self.stuff = self._material()
        angle, slant = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(0.5, 1.1)
        self.lamp = np.array([np.cos(angle) * np.cos(slant), np.sin(angle) * np.cos(slant), np.sin(slant)])
        self.camera = self._hang(np.radians(tilt_deg))

    def _ends(self) -> list[tuple[float, float, float, float]]:
        """Stores: middle and half size of each."""
        out = np.abs(self.places[:, 0]).max() + self.make.radius
        tall = np.abs(self.places[:, 1]).max() + self.make.radius
        wide = self.make.store_half
        half = {"round": (0.48, 0.48), "square": (wide, tall)}.get(self.make.stores, (wide, tall * 0.92))
        return [(side * (out + self.make.store_gap + half[0]), 0.0, *half) for side in (-1, 1)]

    def _store(self, x: Array, y: Array, half: tuple[float, float]) -> Array:
        """The same of a store."""
        a, b = half
        if self.make.stores == "oval":
            far = np.hypot(x / a, y / b)
        else:
            corner = 0.12 if self.make.stores == "square" else min(a, b)
            u, v = abs(x) - a + corner, abs(y) - b + corner
            beyond = np.hypot(np.maximum(u, 0), np.maximum(v, 0)) + np.minimum(np.maximum(u, v), 0) - corner
            far = np.maximum(1 + beyond / min(a, b), 0)
        return -0.28 * (1 - np.minimum(far, 1) ** 4)

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
            ground += np.where(top, self._store(x - sx, y - sy, (a, b)), 0)
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
        yy, xx = np.mgrid[0 : shape[0], 0 : shape[1]]
        at = (np.stack([xx, yy], -1) - self.origin) / PITCH_PX
        return np.asarray(np.where(self.top[..., None], wood, self._cloth(at)), np.float32)

    def _lay_cloth(self) -> None:
        """What the board lies on, of two dyes, the second where it is patterned."""
        self._dyes = self.rng.uniform(0.15, 0.7, (2, 3))
        self._weave = 1 + 0.1 * self._noise((512, 512), 9)

    def _cloth(self, at: Array) -> Array:
        """Its colour at places of the board's own measure."""
        x, y = at[..., 0], at[..., 1]
        cloth = self.hung.cloth if self.hung else ""
        second: Array = np.zeros(x.shape)
        if cloth == "planks":
            second = 0.7 * (np.mod(y, 1.3) < 0.06)
        elif cloth == "checks":
            second = 0.5 * (np.mod(x, 0.8) < 0.4) + 0.5 * (np.mod(y, 0.8) < 0.4)
        elif cloth == "dots":
            second = 0.9 * (np.hypot(np.mod(x, 0.9) - 0.45, np.mod(y, 0.9) - 0.45) < 0.25)
        u, v = np.moveaxis(np.mod(at * PITCH_PX, 512).astype(int), -1, 0)
        dyed = self._dyes[0] + second[..., None] * (self._dyes[1] - self._dyes[0])
        return np.asarray(dyed * self._weave[v, u][..., None], np.float32)

    def lay(self, counts: Array) -> None:
        """So many seeds lie in each pit; those that lay there stay, where no fewer lie there now."""
        for pit, count in enumerate(np.asarray(counts).ravel().tolist()):
            if count < len(self.pits[pit]):
                self.pits[pit] = Pit()
            for _ in range(count - len(self.pits[pit])):
                self._drop(self.pits[pit], self._bowl)

    def store(self, counts: tuple[int, int]) -> None:
        """So many more seeds lie in each store."""
        for pit, (*_, a, b), count in zip(self.kept, self._stores, counts, strict=True):
            for _ in range(count):
                self._drop(pit, partial(self._store, half=(a, b)), (0.35 * a, 0.35 * b))

    def _drop(self, pit: Pit, ground: Ground, about: tuple[float, float] = (0.1, 0.1)) -> None:
        """One more seed falls into a hollow, somewhere about its middle, and all in it come to rest."""
        sort = self.sort
        axes = (
            np.array(sort.axes)
            * np.exp(self.rng.normal(0, sort.spread))
            * np.exp(self.rng.normal(0, sort.spread / 2, 3))
        )
        high = pit.at[:, 2].max(initial=-self.make.depth) + 0.25
        pit.at = np.vstack([pit.at, [*self.rng.normal(0, about), high]])
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
                at = _out_of_the_wood(at / squash, tall, ground) * squash
        pit.at = at / squash

    def _seeds(self) -> tuple[Array, Array, Array, Array]:
        """Heights, colours, upward normals' tilt and gloss, with the seeds in."""
        height, colour = self.ground.copy(), self.stuff.copy()
        gloss = np.full(height.shape, self.make.gloss, np.float32)
        clear = np.zeros(height.shape, np.float32)
        hollows = [*self.places, *((x, y) for x, y, *_ in self._stores)]
        for (px, py), pit in zip(hollows, [*self.pits, *self.kept], strict=True):
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
        seen = colour * (0.42 * open_sky + 0.85 * lit + 0.5 * through)[..., None] * WARM + shine[..., None]
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
        hung = self.hung or Hung(float(np.degrees(self.rng.uniform(-0.06, 0.06))))
        c, s = np.cos(np.radians(hung.turn_deg)), np.sin(np.radians(hung.turn_deg))
        reach = abs(np.array([[c, s], [s, c]])) @ self.half
        size = np.array([960.0, 720.0])
        fill = 960 * 0.8 / (2 * self.half[0]) if self.hung is None else hung.fill * float((size / reach).min()) / 2
        x, y = size / 2 + np.array(hung.aside) * (size / 2 - fill * reach).clip(0)
        near = 0.035 * np.sin(tilt)
        self.lean = -np.sin(tilt) * np.array([s, c])
        turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        seen = np.array([[fill, -x * near, x], [0, fill * np.cos(tilt) - y * near, y], [0, -near, 1]])
        return np.asarray(seen @ turned)

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
        beyond = ((px < 0) | (px > np.array(height.shape[::-1]) - 1)).any(-1)
        image[beyond] = self._cloth(flat[beyond]) * (0.42 + 0.85 * self.lamp[2]) * WARM * self.light
        image = cv2.GaussianBlur(image, (0, 0), 0.8)
        image = 255 * np.power(np.clip(image, 0, 1), 1 / 1.6) + rng.normal(0, 2.0 / max(self.light, 0.3), image.shape)
        return np.asarray(image.clip(0, 255).astype(np.uint8))

    @property
    def centres_px(self) -> Array:
        """Where the pits' middles are in the picture."""
        p = np.column_stack([self.places, np.ones(len(self.places))]) @ self.camera.T
        return np.asarray((p[:, :2] / p[:, 2:]).reshape(*self.grid, 2))


def _out_of_the_wood(at: Array, tall: Array, ground: Ground) -> Array:
    """Seeds (middles, half heights) that had sunk into the ground, pushed out of it."""
    x, y, z = at.T
    low, e = ground(x, y), 0.02
    slope = np.stack([ground(x + e, y) - ground(x - e, y), ground(x, y + e) - ground(x, y - e)], -1)
    normal = np.column_stack([-slope / (2 * e), np.ones(len(at))])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    deep = np.maximum(low + tall / normal[:, 2].clip(0.4) - z, 0) * normal[:, 2]
    return np.asarray(at + deep[:, None] * normal)
