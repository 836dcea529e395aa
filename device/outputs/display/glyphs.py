"""Signs drawn by ourselves, as masks: suits, the shapes of the sides, arrows. Each is told by its outline alone."""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import cos, pi, sin

from PIL import Image, ImageChops, ImageDraw

FINER = 4
"""Drawn so many times larger first; what is left at the edges is grey, or the majority where there is no grey."""
STROKE_SHARE = 0.13
"""Of an outlined sign's height: at the trump's 40 pixels on the smallest display that is 5, seen from two metres."""
RED_SUITS = ("D", "H")
SIDES = ("circle", "triangle", "square", "diamond", "star", "plus")
"""Shapes of sides that wiring.toml does not name go on from there; ●▲■◆★✚, the terminal's too."""
TINY = {
    "8": "###/#.#/###/#.#/###", "9": "###/#.#/###/..#/###", "10": "#.###/#.#.#/#.#.#/#.#.#/#.###",
    "2": "###/..#/###/#../###", "JOKER": "..#../#####/.###./##.##/#...#",
}  # fmt: skip
"""Faces of the markers in five rows of pixels, for a display where no font is so small."""

Point = tuple[float, float]


@lru_cache(maxsize=512)
def mask(name: str, width: int, height: int, grey: bool, outlined: bool = False) -> Image.Image:
    """A sign by its name as a mask: 255 where it is."""
    w, h = width * FINER, height * FINER
    big = Image.new("L", (w, h))
    pen = ImageDraw.Draw(big)
    for points in _polygons(name):
        pen.polygon([(x * (w - 1), y * (h - 1)) for x, y in points], fill=255)
    if outlined:
        lines = Image.new("L", (w, h))
        pen = ImageDraw.Draw(lines)
        for points in _polygons(name):
            closed = [(x * (w - 1), y * (h - 1)) for x, y in (*points, points[0], points[1])]
            pen.line(closed, fill=255, width=round(2 * STROKE_SHARE * h), joint="curve")
        big = ImageChops.darker(big, lines)
    small = big.resize((width, height), Image.Resampling.BOX)
    return small if grey else small.point([255 if value >= 128 else 0 for value in range(256)])


def _polygons(name: str) -> list[Sequence[Point]]:
    """What a sign is made of, in a square of side 1."""
    match name:
        case "C":
            # Deep notches: round as a spade, it would be taken for one from afar.
            leaves = [_circle(0.5, 0.22, 0.22), _circle(0.22, 0.6, 0.22), _circle(0.78, 0.6, 0.22)]
            return [*leaves, [(0.43, 0.3), (0.57, 0.3), (0.6, 0.52), (0.7, 0.68), (0.3, 0.68), (0.4, 0.52)], _stem()]
        case "D":
            return [[(0.5, 0.0), (0.9, 0.5), (0.5, 1.0), (0.1, 0.5)]]
        case "H":
            return [_heart()]
        case "S":
            return [[(x, 0.86 * (1 - y)) for x, y in _heart()], _stem()]
        case "circle":
            return [_circle(0.5, 0.5, 0.48)]
        case "triangle":
            return [[(0.5, 0.03), (1.0, 0.95), (0.0, 0.95)]]
        case "square":
            return [[(0.06, 0.06), (0.94, 0.06), (0.94, 0.94), (0.06, 0.94)]]
        case "diamond":
            return [[(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)]]
        case "star":
            return [_star()]
        case "plus":
            a, b = 0.32, 0.68
            return [[(a, 0), (b, 0), (b, a), (1, a), (1, b), (b, b), (b, 1), (a, 1), (a, b), (0, b), (0, a), (a, a)]]
        case "turn":
            return [[(0.05, 0.0), (1.0, 0.5), (0.05, 1.0)]]
        case "took":
            return [[(0.0, 0.55), (0.16, 0.38), (0.38, 0.6), (0.84, 0.08), (1.0, 0.24), (0.38, 0.94)]]
        case "warning":
            return [[(0.5, 0.02), (1.0, 0.96), (0.0, 0.96)]]
    raise KeyError(name)


def _circle(x: float, y: float, radius: float, points: int = 48) -> list[Point]:
    return [(x + radius * cos(2 * pi * n / points), y + radius * sin(2 * pi * n / points)) for n in range(points)]


def _heart() -> list[Point]:
    turns = [2 * pi * n / 64 for n in range(64)]
    at = [(16 * sin(t) ** 3, 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) for t in turns]
    top, bottom = max(y for _, y in at), min(y for _, y in at)
    return [(0.5 + x / 33, (top - y) / (top - bottom)) for x, y in at]


def _stem() -> list[Point]:
    return [(0.46, 0.6), (0.54, 0.6), (0.57, 0.86), (0.72, 1.0), (0.28, 1.0), (0.43, 0.86)]


def _star() -> list[Point]:
    rays = [(pi * n / 5, 0.53 if n % 2 == 0 else 0.23) for n in range(10)]
    return [(0.5 + r * sin(turn), 0.53 - r * cos(turn)) for turn, r in rays]


SMALL_SUITS = {
    "C": "..###../..###../##.#.##/#######/##.#.##/...#.../..###..",
    "D": "...#.../..#.#../.#...#./#.....#/.#...#./..#.#../...#...",
    "H": ".##.##./#..#..#/#.....#/#.....#/.#...#./..#.#../...#...",
    "S": "...#.../..###../.#####./#######/#######/.#.#.#./..###..",
}  # fmt: skip
"""Suits among small letters: seven pixels do for all four when each is set by hand."""


@cache
def dotted(dots: str) -> Image.Image:
    """A mask set pixel by pixel: TINY and SMALL_SUITS."""
    rows = dots.split("/")
    picture = Image.new("L", (len(rows[0]), len(rows)))
    picture.putdata([255 if dot == "#" else 0 for row in rows for dot in row])
    return picture
