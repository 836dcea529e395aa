"""What stands before the camera in a drawn picture: the board, its seeds, the lights, where the camera hangs.

One pitch (the distance between neighbouring columns) is the unit of length; x runs along a row, y down the columns,
z up from the board's top. A scene holds no pixels; `board_render` draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vision.synthetic.board_laid import laid_pile
from vision.synthetic.board_piles import SQUARE_REACH, Bowl, Library, Pile, PileKind, glass_kind, random_kind, wide_kind

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class SceneStore:
    """A hollow beside the pits that seeds are kept in: its middle, half its width and height, how deep, how many.
    `rounded`: its ends are as round as a pit, else its corners are square."""

    at: tuple[float, float]
    half: tuple[float, float]
    depth: float
    seeds: int
    rounded: bool = False

    @property
    def bowl(self) -> Bowl:
        """How it is carved."""
        if self.rounded:
            return Bowl(self.depth, 3.0, long=max(1.0, self.half[1] / self.half[0]))
        return Bowl(self.depth, 4.0, square=True)


@dataclass(frozen=True)
class BoardShape:
    """A carved board. `square` names the pits that are square (the two nyumba).

    `hinge` parts its left half from its right one, `bend` bows the rows of each half outward or inward, `oval` is the
    height of a pit over its width. `seam`: an open line shows where the halves meet. `lined` is the colour its pits are
    painted in, `carved` how deep the rings are that the knife left in them; `pale`: of a light wood."""

    rows: int
    columns: int
    row_pitch: float
    gap: float
    pit_radius: float
    margin: float
    thickness: float
    square: frozenset[tuple[int, int]]
    kind: int
    hinge: float = 0.0
    bend: tuple[float, float] = (0.0, 0.0)
    oval: float = 1.0
    stores: tuple[SceneStore, ...] = ()
    seam: float = 0.0
    lined: tuple[float, float, float] | None = None
    carved: float = 0.0
    pale: bool = False

    @property
    def pits(self) -> frozenset[tuple[int, int]]:
        """Every pit, by row and column."""
        return frozenset((r, c) for r in range(self.rows) for c in range(self.columns))

    def centre(self, row: float, column: float) -> tuple[float, float]:
        """Where a pit's middle is; the board's middle is (0, 0). `gap` parts the two players' halves."""
        y = (row - (self.rows - 1) / 2) * self.row_pitch
        y += self.gap * (0.5 if row >= self.rows / 2 else -0.5)
        x = column - (self.columns - 1) / 2
        if self.bend != (0.0, 0.0):
            y += self.bend[row >= self.rows / 2] * (1 - (2 * x / (self.columns - 1)) ** 2)
        return (x + self.hinge * (0.5 if x > 0 else -0.5 if x < 0 else 0.0), y)

    @property
    def half(self) -> tuple[float, float]:
        """Half the board's width and height."""
        x, y = self.centre(self.rows - 1, self.columns - 1)
        high = y + max(0.0, -self.bend[0], self.bend[1]) + self.pit_radius * max(1.0, self.oval)
        wide = max([x + self.pit_radius, *(abs(store.at[0]) + store.half[0] for store in self.stores)])
        high = max([high, *(abs(store.at[1]) + store.half[1] for store in self.stores)])
        return wide + self.margin, high + self.margin


@dataclass(frozen=True)
class SeedLook:
    """How this table's seeds look: their colours (blue, green, red), gloss, and the pattern on their skin."""

    colours: Array
    gloss: float
    sharpness: float
    pattern: str
    pattern_depth: float
    glass: float = 0.0
    """How much of what lies behind shows through: marbles and pearls."""
    vanes: int = 0
    """Coloured ribbons inside a clear marble."""
    other: SeedLook | None = None
    """A second sort in the same game."""


@dataclass(frozen=True)
class SceneLight:
    """A lamp or a window: where it is, its colour, and how blurred the shadows it throws are (in radii of a seed)."""

    at: tuple[float, float, float]
    colour: tuple[float, float, float]
    blur: float


@dataclass(frozen=True)
class Panes:
    """A window mirrored in what is glossy: where it is (a direction), how wide and high (in parts of its distance), how
    bright, and whether bars part it."""

    towards: tuple[float, float, float]
    half: tuple[float, float]
    power: float
    bars: bool


@dataclass(frozen=True)
class SceneCamera:
    """A pinhole: focal length in pixels, where it hangs, its axes (right, down, forward) in board coordinates."""

    width: int
    height: int
    focal: float
    at: Array
    axes: Array

    def project(self, points: Array) -> Array:
        """Board coordinates (n, 3) to pixels (n, 2)."""
        p = (np.asarray(points, np.float64) - self.at) @ self.axes.T
        mid = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        return np.asarray(p[:, :2] / p[:, 2:] * self.focal + mid)


@dataclass(frozen=True)
class Seeds:
    """All seeds of a picture, in board coordinates; `pit` is the index of the pit, -1 for those outside, -2 for those
    in a store."""

    centres: Array
    axes: Array
    turns: Array
    pit: Array


@dataclass(frozen=True)
class Scene:
    """Everything but the lens. `frame` numbers pictures of one still scene: only the sensor's grain differs."""

    shape: BoardShape
    bowl: tuple[Bowl, Bowl]
    counts: Array
    seeds: Seeds
    look: SeedLook
    lights: tuple[SceneLight, ...]
    ambient: tuple[float, float, float]
    camera: SceneCamera
    style_seed: int
    hands: int = 0
    glare: float = 0.0
    clutter: int = 0
    frame: int = 0
    panes: tuple[Panes, ...] = ()

    @property
    def hollows(self) -> list[tuple[tuple[float, float], tuple[float, float], Bowl]]:
        """Pits, then stores: each one's middle, half its width and height, how it is carved."""
        shape, r = self.shape, self.shape.pit_radius
        pits = [(row, column) for row in range(shape.rows) for column in range(shape.columns)]
        return [
            *((shape.centre(*pit), (r, r * shape.oval), self.bowl[pit in shape.square]) for pit in pits),
            *((store.at, store.half, store.bowl) for store in shape.stores),
        ]

    @property
    def knife_rings(self) -> float:
        """How many rings the knife left from a hollow's middle to its edge."""
        return 2 + 5 * (self.style_seed % 97) / 97


LOOKS: tuple[tuple[str, tuple[tuple[int, int, int], ...], float, str], ...] = (
    ("nickernut", ((118, 122, 112), (124, 118, 112), (108, 118, 116), (130, 130, 126), (96, 104, 98)), 0.8, "rings"),
    ("dark nickernut", ((74, 78, 70), (82, 76, 70), (66, 74, 72), (90, 92, 84)), 0.8, "rings"),
    ("brown seed", ((40, 62, 110), (34, 50, 92), (48, 76, 128), (30, 40, 74)), 0.6, "plain"),
    ("pale bean", ((150, 190, 210), (170, 200, 215), (140, 175, 200)), 0.4, "plain"),
    ("speckled bean", ((110, 120, 170), (120, 140, 190)), 0.5, "speckles"),
    ("pebble", ((130, 135, 140), (90, 95, 100), (160, 165, 168), (110, 120, 135), (70, 72, 76)), 0.15, "speckles"),
    ("marble", ((160, 90, 40), (60, 140, 60), (50, 50, 180), (190, 190, 190), (60, 170, 190)), 1.4, "swirl"),
    ("shell", ((200, 215, 225), (185, 205, 222), (170, 190, 210)), 0.7, "slit"),
    ("black seed", ((38, 36, 36), (30, 30, 32), (48, 46, 44)), 1.1, "plain"),
    ("red seed", ((36, 36, 170), (30, 34, 150)), 1.0, "plain"),
)


IN_STORE = -2

Listed = tuple[str, tuple[tuple[int, int, int], ...], float, str, float, float]
"""A name, colours, gloss, pattern, how much shows through, how often it is met beside the others."""
MORE_LOOKS: tuple[Listed, ...] = (
    (
        "glass marble",
        ((40, 150, 40), (190, 90, 20), (30, 40, 190), (210, 215, 215), (20, 180, 200), (20, 90, 220), (120, 100, 120)),
        1.5,
        "vanes",
        0.9,
        8.0,
    ),
    (
        "glass pearl",
        ((180, 80, 20), (60, 140, 30), (110, 40, 120), (215, 220, 225), (30, 170, 190), (40, 30, 110), (200, 170, 40)),
        1.5,
        "plain",
        0.7,
        5.0,
    ),
    ("clear glass", ((225, 235, 225), (215, 225, 200), (190, 200, 215)), 1.5, "plain", 0.95, 1.0),
    (
        "milky pearl",
        ((200, 100, 40), (170, 205, 150), (235, 235, 235), (200, 110, 60), (130, 190, 110), (120, 120, 210)),
        1.3,
        "plain",
        0.12,
        2.5,
    ),
    ("cowry", ((200, 220, 232), (178, 205, 225), (160, 190, 214)), 0.9, "slit", 0.0, 1.0),
    ("coffee bean", ((26, 38, 62), (34, 50, 84), (22, 30, 48)), 0.5, "crease", 0.0, 1.0),
    ("kidney bean", ((34, 30, 96), (44, 40, 120), (60, 60, 140)), 0.7, "plain", 0.0, 1.0),
    ("button", ((230, 230, 230), (40, 40, 170), (160, 80, 30), (50, 50, 50), (90, 180, 210)), 0.6, "holes", 0.0, 1.0),
    ("bottle cap", ((50, 50, 180), (60, 140, 50), (190, 190, 195), (40, 170, 210)), 1.3, "rings", 0.0, 1.0),
    ("nut", ((60, 110, 150), (40, 80, 120), (80, 140, 180)), 0.4, "mottled", 0.0, 1.0),
    ("grey nut", ((100, 140, 150), (60, 110, 130), (150, 155, 165), (40, 130, 160)), 0.7, "mottled", 0.0, 1.0),
)
"""What else people play with."""


GLASS_LOOKS = 4
"""So many of these, the first, are of glass."""


def _listed_look(rng: np.random.Generator, looks: tuple[Listed, ...] | None = None) -> SeedLook:
    looks = looks or MORE_LOOKS
    often = np.array([look[5] for look in looks])
    _, colours, gloss, pattern, glass, _ = looks[int(rng.choice(len(often), p=often / often.sum()))]
    table = np.array(colours, np.float32) / 255 * rng.uniform(0.8, 1.25) * rng.uniform(0.92, 1.08, 3).astype(np.float32)
    kept = table[rng.permutation(len(table))[: rng.integers(1, len(table) + 1)]]
    return SeedLook(
        kept,
        float(gloss * rng.uniform(0.5, 1.3)),
        float(rng.uniform(20, 160)),
        pattern,
        float(rng.uniform(0.3, 1.0)),
        float(min(1.0, glass * rng.uniform(0.6, 1.3))),
        int(rng.integers(1, 5)) if pattern == "vanes" else 0,
    )


def varied_look(rng: np.random.Generator) -> SeedLook:
    """What the world plays with, now and then two sorts in one game."""
    look = _listed_look(rng) if rng.random() < 0.8 else random_look(rng)
    if rng.random() < 0.15:
        look = replace(look, other=_listed_look(rng) if rng.random() < 0.5 else random_look(rng))
    return look


def varied_shape(rng: np.random.Generator, shape: BoardShape) -> BoardShape:
    """A board as people build them: hinged, with stores at its ends, bowed rows, oval or square or painted pits."""
    rows, columns = shape.rows, shape.columns
    if rows % 2 == 0 and rng.random() < 0.3:
        shape = replace(shape, gap=float(rng.uniform(0.05, 0.6)))
    if columns % 2 == 0 and rng.random() < 0.4:
        shape = replace(shape, hinge=float(rng.uniform(0.1, 0.7)))
    if (shape.hinge or shape.gap > 0.1) and rng.random() < 0.7:
        shape = replace(shape, seam=float(rng.uniform(0.01, 0.06)))
    if rng.random() < 0.2:
        bow = float(rng.uniform(-0.25, 0.25))
        shape = replace(shape, bend=(bow, bow if rng.random() < 0.5 else -bow))
    if rng.random() < 0.3:
        shape = replace(shape, oval=float(rng.uniform(0.85, 1.3)))
    shape = _varied_pits(rng, shape)
    if rng.random() < 0.55:
        shape = replace(shape, stores=_random_stores(rng, shape))
    return shape


def _varied_pits(rng: np.random.Generator, shape: BoardShape) -> BoardShape:
    """Pits that are square, painted or carved round."""
    if rng.random() < 0.25:
        shape = replace(shape, square=shape.pits)
    if rng.random() < 0.2:
        painted = rng.uniform(0.05, 0.9, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0.05, 0.8))
        b, g, r = painted.tolist()
        shape = replace(shape, lined=(b, g, r))
    if rng.random() < 0.35:
        shape = replace(shape, carved=float(rng.uniform(0.05, 0.45)))
    return shape


def sold_shape(rng: np.random.Generator, shape: BoardShape) -> BoardShape:
    """A board as shops sell them: pale and smooth, with round pits, most with a hinge and stores."""
    shape = replace(shape, pale=True, oval=float(rng.uniform(0.97, 1.03)))
    if shape.columns % 2 == 0 and rng.random() < 0.5:
        shape = replace(shape, hinge=float(rng.uniform(0.1, 0.5)), seam=float(rng.uniform(0.01, 0.04)))
    if rng.random() < 0.7:
        shape = replace(shape, stores=_random_stores(rng, shape))
    return shape


def tray_shape(rng: np.random.Generator, shape: BoardShape) -> BoardShape:
    """A tray of cells, of tin, plastic or thin wood: square with flat floors, walls as thin both ways between them, the
    rows often further apart than the columns."""
    rows_apart = float(rng.uniform(0.9, 1.4))
    radius = float(rng.uniform(0.38, 0.49))
    wall = 1 - 2 * SQUARE_REACH * radius
    return replace(
        shape,
        square=shape.pits,
        row_pitch=rows_apart,
        gap=0.0,
        pit_radius=radius,
        margin=float(rng.uniform(wall / 2, 0.3)),
        oval=(rows_apart - wall * float(rng.uniform(0.7, 1.4))) / (2 * SQUARE_REACH * radius),
        pale=bool(rng.random() < 0.5),
        stores=_random_stores(rng, shape) if rng.random() < 0.2 else (),
    )


def glass_look(rng: np.random.Generator) -> SeedLook:
    """What shops sell with their boards: glass of several colours."""
    look = _listed_look(rng, MORE_LOOKS[:GLASS_LOOKS])
    return replace(look, glass=float(rng.uniform(0.75, 1.0)) if look.glass > 0.5 else look.glass)


Make = Callable[[np.random.Generator, BoardShape], BoardShape]
"""Makes a board into one of some sort."""


def _random_stores(rng: np.random.Generator, shape: BoardShape) -> tuple[SceneStore, ...]:
    """Long or round hollows at the ends; in some boards along the sides, or at one end only."""
    x, y = shape.centre(shape.rows - 1, shape.columns - 1)
    r = shape.pit_radius
    depth = float(rng.uniform(0.3, 0.8))
    seeds = [int(rng.integers(0, 16)) if rng.random() < 0.6 else 0 for _ in range(2)]
    land = float(rng.uniform(0.08, 0.3))
    if rng.random() < 0.75:  # long, across all rows
        half = (float(r * rng.uniform(0.7, 1.15)), float((y + r) * rng.uniform(0.75, 1.02)))
    else:
        wide = float(r * rng.uniform(1.0, 1.7))
        half = (wide, float(wide * rng.uniform(0.9, 1.2)))
    at = x + r + land + half[0]
    rounded = bool(rng.random() < 0.6)
    ends = [SceneStore((side * at, 0.0), half, depth, n, rounded) for side, n in zip((-1, 1), seeds, strict=True)]
    return tuple(ends) if rng.random() < 0.85 else tuple(ends[:1])


def random_look(rng: np.random.Generator) -> SeedLook:
    """Nickernuts half of the time, else what people use instead."""
    pick = rng.integers(2) if rng.random() < 0.45 else rng.integers(2, len(LOOKS))
    _, colours, gloss, pattern = LOOKS[pick]
    table = np.array(colours, np.float32) / 255 * rng.uniform(0.8, 1.25) * rng.uniform(0.92, 1.08, 3).astype(np.float32)
    if rng.random() < 0.15:  # any colour at all
        table = rng.uniform(0.08, 0.9, (rng.integers(1, 4), 3)).astype(np.float32)
    return SeedLook(
        table,
        float(gloss * rng.uniform(0.3, 1.3)),
        float(rng.uniform(12, 90)),
        pattern,
        float(rng.uniform(0.1, 1.0)),
    )


def random_shape(rng: np.random.Generator, grid: tuple[int, int], kinds: int) -> BoardShape:
    """A board with this grid."""
    rows, columns = grid
    square: set[tuple[int, int]] = set()
    if grid == (4, 8) and rng.random() < 0.7:
        square = {(1, 3), (2, 4)} if rng.random() < 0.5 else {(1, 4), (2, 3)}
    return BoardShape(
        rows,
        columns,
        float(rng.uniform(0.94, 1.14)),
        float(rng.choice([0.0, 0.0, rng.uniform(0.05, 0.3)])) if rows % 2 == 0 else 0.0,
        float(rng.uniform(0.34, 0.46)),
        float(rng.uniform(0.06, 0.5)),
        float(rng.uniform(0.15, 0.7)),
        frozenset(square),
        int(rng.integers(kinds)),
    )


def random_camera(
    rng: np.random.Generator, shape: BoardShape, size: tuple[int, int], tilt_deg: float, fill: tuple[float, float]
) -> SceneCamera:
    """Above the board, any turn, tilted up to `tilt_deg`, the board filling part of the picture and all pits in it."""
    width, height = size
    hx, hy = shape.half
    corners = np.array([[x * hx, y * hy, 0.0] for x in (-1, 1) for y in (-1, 1)])
    pits = np.array([[*shape.centre(r, c), 0.0] for r in (0, shape.rows - 1) for c in (0, shape.columns - 1)])
    while True:
        focal = width / (2 * np.tan(np.radians(rng.uniform(40, 72)) / 2))
        tilt, way, roll = np.radians(rng.uniform(0, tilt_deg)), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
        lean = np.array([np.sin(tilt) * np.cos(way), np.sin(tilt) * np.sin(way), np.cos(tilt)])
        forward = -lean
        right = np.array([np.cos(roll), np.sin(roll), 0.0])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        axes = np.array([right, np.cross(right, forward), forward])
        target = np.array([rng.normal(0, 0.35), rng.normal(0, 0.35), 0.0])
        wish = rng.uniform(*fill)
        far = 10.0
        for _ in range(3):
            camera = SceneCamera(width, height, focal, target + lean * far, axes)
            reach = np.abs(camera.project(corners) - [(width - 1) / 2, (height - 1) / 2]) / [width / 2, height / 2]
            far *= reach.max() / wish
        camera = SceneCamera(width, height, focal, target + lean * far, axes)
        at = camera.project(pits)
        edge = 0.03 * height
        if ((at > edge) & (at < [width - edge, height - edge])).all():
            return camera


CAMERAS_TRIED = 24
CLOSE_FILL = (0.95, 1.3)
"""How much of such a picture's width or height the board takes up: its ends may lie beyond."""


def closest_camera(rng: np.random.Generator, shape: BoardShape, size: tuple[int, int], tilt_deg: float) -> SceneCamera:
    """Of some cameras the one in whose picture the pits take up most."""
    ends = [
        (r, c) for r, c in ((0, 0), (0, shape.columns - 1), (shape.rows - 1, shape.columns - 1), (shape.rows - 1, 0))
    ]
    corners = np.array([[*shape.centre(r, c), 0.0] for r, c in ends])

    def taken_up(camera: SceneCamera) -> float:
        x, y = camera.project(corners).T
        return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))

    return max((random_camera(rng, shape, size, tilt_deg, CLOSE_FILL) for _ in range(CAMERAS_TRIED)), key=taken_up)


def random_lights(rng: np.random.Generator) -> tuple[tuple[SceneLight, ...], tuple[float, float, float]]:
    """One to three lamps, sometimes a hard one from the side; and the light from all around."""
    lights = []
    warm = rng.uniform(-0.15, 0.15)
    for i in range(rng.integers(1, 4)):
        low = rng.random() < 0.3
        height = np.radians(rng.uniform(18, 40) if low else rng.uniform(40, 85))
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(7, 30)
        at = (
            far * np.cos(height) * np.cos(way),
            far * np.cos(height) * np.sin(way),
            far * np.sin(height),
        )
        power = rng.uniform(0.5, 1.0) * (0.5 if i else 1.0)
        tint = 1 + warm * np.array([-1, 0, 1]) + rng.normal(0, 0.03, 3)
        r, g, b = (power * tint).tolist()
        lights.append(
            SceneLight((float(at[0]), float(at[1]), float(at[2])), (r, g, b), float(rng.choice([0.08, 0.3, 0.6, 0.9])))
        )
    ambient = rng.uniform(0.15, 0.7) * (1 + warm * np.array([1, 0, -1]) * 0.5)
    a, b, c = ambient.tolist()
    return tuple(lights), (a, b, c)


def random_panes(rng: np.random.Generator) -> tuple[Panes, ...]:
    """None to three windows or long lamps."""
    out = []
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        x, y = rng.normal(0, 0.7, 2)
        w, h = rng.uniform(0.05, 0.4, 2)
        bars = bool(rng.random() < 0.3)
        out.append(Panes((float(x), float(y), 1.0), (float(w), float(h)), float(rng.uniform(0.3, 2.5)), bars))
    return tuple(out)


def random_counts(rng: np.random.Generator, grid: tuple[int, int], mode: str = "any") -> Array:
    """Seeds in each pit: `start` two in each, `opening` 6-2-2, `game` a game going on, `piles` many in each pit."""
    rows, columns = grid
    if mode == "any":
        mode = str(rng.choice(["start", "opening", "game", "game", "piles", "piles"]))
    if mode == "start":
        return np.full(grid, 2)
    if mode == "opening" and grid == (4, 8):
        counts = np.zeros(grid, int)
        counts[2, 4:7] = 6, 2, 2
        counts[1, 1:4] = 2, 2, 6
        return counts
    if mode == "piles":
        weights = np.array([6, 5, 5, 5, 5, 5, 5, *[4.0] * 4, *[2.2] * 6, *[1.6] * 9])
        return rng.choice(len(weights), size=grid, p=weights / weights.sum())
    # A game: 64 seeds lifted from pits and sown on, which leaves many pits empty and a few full.
    total = 64 if rng.random() < 0.6 else int(rng.integers(20, 64))
    share = rng.gamma(rng.uniform(0.25, 0.9), 1.0, grid) + 1e-9
    counts = rng.multinomial(int(total * rows * columns / 32), (share / share.sum()).ravel()).reshape(grid)
    return np.minimum(counts, 25)


TILTS_DEG = (16.0, 16.0, 16.0, 30.0, 45.0)
"""How far the camera may lean over a board that is varied: most hang above it."""


Usual = tuple[Callable[[np.random.Generator], PileKind], Callable[[np.random.Generator], SeedLook]]
"""Makes kinds of seeds, and what they look like."""
LAID = 0.5
"""Part of the varied boards whose seeds lie where hands left them; on the others they have rolled together."""
SOLD = 0.3
"""Part of the varied boards that are as shops sell them; glass lies in them, where hands left it."""
TRAYS = 0.25
"""Part of them that are trays of square cells, whose walls throw shadows as high as they stand."""
FLOORS, TRAY_FLOORS = ((0.15, 0.6), (2.0, 9.0)), ((0.2, 1.0), (5.0, 15.0))
"""How deep the pits are into which seeds are laid, in their radii, and how flat their floors are."""


def place_seeds(
    rng: np.random.Generator, library: Library, shape: BoardShape, wanted: Array, stray: int, laid: bool = False
) -> tuple[Seeds, Array]:
    """Puts settled or laid piles into the pits and strays on the wood; returns the seeds and the true counts."""
    kind = library.kinds[shape.kind]
    r = shape.pit_radius
    parts: list[tuple[Array, Array, Array, Array]] = []
    counts = np.zeros(wanted.shape, int)
    for row in range(shape.rows):
        for column in range(shape.columns):
            square = (row, column) in shape.square
            count = int(wanted[row, column])
            pile: Pile = (
                laid_pile(kind.bowl(square), kind.axes, kind.spread, count, rng)
                if laid
                else library.pile(shape.kind, square, count, rng)
            )
            if not len(pile.centres):
                continue
            inside = pile.inside(kind.bowl(square))
            counts[row, column] = int(inside.sum())
            at = pile.centres * [r, r * shape.oval, r] + [*shape.centre(row, column), 0.0]
            parts.append((at, pile.axes * r, pile.turns, np.where(inside, row * shape.columns + column, -1)))
    for store in shape.stores:
        parts += _seeds_in_store(rng, store, np.array(kind.axes) * r, r)
    parts += _strays(rng, shape, np.array(kind.axes) * r, stray)
    if not parts:
        return Seeds(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros(0, int)), counts
    return Seeds(*(np.concatenate([p[i] for p in parts]) for i in range(4))), counts


def _strays(
    rng: np.random.Generator, shape: BoardShape, axes: Array, many: int
) -> Iterator[tuple[Array, Array, Array, Array]]:
    """So many seeds on the wood, less those that would lie in a pit or a store."""
    hx, hy = shape.half
    r = shape.pit_radius
    pits = [shape.centre(i, j) for i in range(shape.rows) for j in range(shape.columns)]
    for _ in range(many):
        x, y = rng.uniform(-hx, hx), rng.uniform(-hy, hy)
        near = min(float(np.hypot(x - cx, y - cy)) for cx, cy in pits)
        if near < r * 1.25 or any(
            abs(x - store.at[0]) < store.half[0] + 0.3 * r and abs(y - store.at[1]) < store.half[1] + 0.3 * r
            for store in shape.stores
        ):
            continue
        turn = rng.uniform(0, np.pi)
        c, s = np.cos(turn), np.sin(turn)
        m = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        yield np.array([[x, y, axes[2]]]), axes[None], m[None], np.array([-1])


def _seeds_in_store(
    rng: np.random.Generator, store: SceneStore, axes: Array, r: float
) -> list[tuple[Array, Array, Array, Array]]:
    """Seeds lying flat on a store's floor, side by side."""
    parts: list[tuple[Array, Array, Array, Array]] = []
    placed: list[tuple[float, float]] = []
    for _ in range(4 * store.seeds):
        if len(placed) >= store.seeds:
            break
        u, v = rng.uniform(-0.75, 0.75, 2)
        x, y = store.at[0] + u * (store.half[0] - 0.6 * axes[0]), store.at[1] + v * (store.half[1] - 0.6 * axes[0])
        if any(np.hypot(x - a, y - b) < 1.7 * axes[1] for a, b in placed):
            continue
        placed.append((x, y))
        turn = rng.uniform(0, np.pi)
        c, s = np.cos(turn), np.sin(turn)
        m = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        low = -store.depth * r * (1 - max(abs(u), abs(v)) ** 4)
        parts.append((np.array([[x, y, low + axes[2]]]), axes[None], m[None], np.array([IN_STORE])))
    return parts


def random_scene(
    rng: np.random.Generator,
    library: Library,
    grid: tuple[int, int] = (4, 8),
    size: tuple[int, int] = (1280, 960),
    mode: str = "any",
    counts: Array | None = None,
    clean: bool = False,
    tilt_deg: float = 16.0,
    fill: tuple[float, float] = (0.7, 1.12),
    squares: int = 0,
    varied: bool = False,
    laid_share: float = 0.0,
    tilts_deg: tuple[float, ...] = TILTS_DEG,
    usual: Usual | None = None,
) -> Scene:
    """A scene by chance. `counts` fixes what is asked to lie in the pits; `clean` leaves out hands, glare, strays.

    `squares` makes that many pits square, any of them: boards other than 4x8 have none otherwise. `varied`: boards as
    people build them, with what people play with, seen from the side too, by these angles. `laid_share`: of the others,
    on this part the seeds lie where hands left them. `usual`: seeds of these kinds that look so, none else.
    """
    shape = random_shape(rng, grid, len(library.kinds))
    make = _random_make(rng) if varied else None
    if make is not None:
        shape = make(rng, shape)
        tilt_deg = float(rng.choice(tilts_deg))
    shape = _with_squares(rng, shape, grid, squares)
    wanted = random_counts(rng, grid, mode) if counts is None else counts
    stray = 0 if clean or rng.random() < 0.6 else int(rng.integers(1, 5))
    kinds, look = _usual(make is sold_shape, varied, usual)
    laid = _are_laid(rng, make, LAID if varied else laid_share)
    if laid:
        library = library.for_laying(rng, kinds, TRAY_FLOORS if make is tray_shape else FLOORS)
    seeds, true = place_seeds(rng, library, shape, wanted, stray, laid)
    lights, ambient = random_lights(rng)
    kind = library.kinds[shape.kind]
    return Scene(
        shape,
        (kind.bowl(False), kind.bowl(True)),
        true,
        seeds,
        look(rng),
        lights,
        ambient,
        random_camera(rng, shape, size, tilt_deg, fill),
        int(rng.integers(2**31)),
        hands=0 if clean else int(rng.choice([0, 0, 0, 1, 2])),
        glare=0.0 if clean or rng.random() < 0.85 else float(rng.uniform(0.5, 1.5)),
        clutter=int(rng.choice([0, 0, 2, 6])),
        panes=random_panes(rng) if varied else (),
    )


def _random_make(rng: np.random.Generator) -> Make:
    """How a varied board is made."""
    sort = rng.random()
    return sold_shape if sort < SOLD else tray_shape if sort < SOLD + TRAYS else varied_shape


def _are_laid(rng: np.random.Generator, make: Make | None, part: float) -> bool:
    """Whether the seeds lie where hands left them, as on this part of the boards that are neither sold nor trays."""
    return make in (sold_shape, tray_shape) or (part > 0 and bool(rng.random() < part))


def _with_squares(rng: np.random.Generator, shape: BoardShape, grid: tuple[int, int], squares: int) -> BoardShape:
    """The board with so many pits made square."""
    if not squares:
        return shape
    picked = rng.choice(grid[0] * grid[1], squares, replace=False)
    return replace(shape, square=frozenset(divmod(int(i), grid[1]) for i in picked))


def _usual(sold: bool, varied: bool, asked: Usual | None) -> Usual:
    """The seeds that lie on such a board, and how they look: those asked for, if any are."""
    if asked is not None:
        return asked
    if sold:
        return glass_kind, glass_look
    return (wide_kind, varied_look) if varied else (random_kind, random_look)
