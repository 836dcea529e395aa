"""Draws labelled tables of cards: seeded, and fast enough to train from. No files are read and none written here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import JOKER
from vision.synthetic.cards_backgrounds import Rng, clutter_thing, hand_mask, smooth_noise, table_top
from vision.synthetic.decks import CARD_H_PX, CARD_W_PX, Deck, Image

_LAYOUTS = ("trick", "trick", "trick", "fan", "row", "stock", "scatter", "pile", "empty")
_MIPS = 4
_RNG_NOISE = np.random.default_rng(7).standard_normal((1400, 1400, 3)).astype(np.float32)


@dataclass(frozen=True)
class IndexTruth:
    """One index corner as the camera sees it: centre, the unit vector from its suit up to its rank, height in px."""

    at_px: tuple[float, float]
    up: tuple[float, float]
    height_px: float
    visible: float


@dataclass(frozen=True)
class CardTruth:
    """A card on a drawn table: corners clockwise from its top left, how much of it shows, its indices."""

    card: str
    quad_px: NDArray[np.float32]
    visible: float
    indices: tuple[IndexTruth, ...]


@dataclass(frozen=True)
class DrawnTable:
    """A drawn picture and what lies on it."""

    image: Image
    cards: tuple[CardTruth, ...]


@dataclass(frozen=True)
class DrawnCard:
    """A card to be drawn: where its centre lies, how wide it is, its turn and its height over width."""

    card: str
    centre_px: tuple[float, float]
    width_px: float
    turn_rad: float
    aspect: float = 1.42


_mips: dict[int, tuple[Image, list[Image]]] = {}


def _levels(picture: Image) -> list[Image]:
    """The card premultiplied, at full, half, quarter and eighth size."""
    found = _mips.get(id(picture))
    if found is None or found[0] is not picture:
        alpha = picture[..., 3]
        colour = cv2.multiply(picture[..., :3], cv2.merge([alpha, alpha, alpha]), scale=1 / 255)
        levels = [np.dstack([colour, alpha])]
        for _ in range(_MIPS - 1):
            levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        found = (picture, levels)
        _mips[id(picture)] = found
    return found[1]


def forget_pictures() -> None:
    """Drops the scaled copies of card pictures kept so far."""
    _mips.clear()


class Canvas:
    """A picture under construction, with a map of which card owns each pixel."""

    def __init__(self, background: Image) -> None:
        self.image = background.copy()
        self.owner: NDArray[np.int16] = np.full(background.shape[:2], -1, np.int16)

    def shadow(self, quad: NDArray[np.float32], shift: tuple[float, float], soft_px: float, depth: float) -> None:
        """Darkens where a card keeps the lamp off the table."""
        pad = int(3 * soft_px) + 2
        moved = quad + np.array(shift, np.float32)
        x0, y0, x1, y1 = self._clip(moved, pad)
        if x1 <= x0 or y1 <= y0:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round((moved - (x0, y0)) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        if soft_px > 0.5:
            mask = cv2.GaussianBlur(mask, (0, 0), soft_px)
        gain = 1 - depth / 255 * mask.astype(np.float32)
        part = self.image[y0:y1, x0:x1]
        part[:] = (part * gain[..., None]).astype(np.uint8)

    def _clip(self, quad: NDArray[np.float32], pad: int) -> tuple[int, int, int, int]:
        h, w = self.owner.shape[:2]
        lo, hi = quad.min(axis=0), quad.max(axis=0)
        return (
            max(0, int(lo[0]) - pad),
            max(0, int(lo[1]) - pad),
            min(w, int(hi[0]) + pad + 2),
            min(h, int(hi[1]) + pad + 2),
        )

    def paste(self, picture: Image, quad: NDArray[np.float32], number: int, gain: float = 1.0) -> None:
        """Lays a picture (BGRA) onto these four corners, clockwise from its top left."""
        x0, y0, x1, y1 = self._clip(quad, 1)
        if x1 <= x0 or y1 <= y0:
            return
        levels = _levels(picture)
        seen_px = max(
            np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[1] - quad[2]) * picture.shape[1] / picture.shape[0]
        )
        level = levels[int(np.clip(np.log2(max(picture.shape[1], 1) / max(seen_px, 1) + 1e-6) + 0.3, 0, _MIPS - 1))]
        h, w = level.shape[:2]
        source = np.array([(-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5)], np.float32)
        matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32) - np.array((x0, y0), np.float32))
        flat = cv2.warpPerspective(level, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR).astype(np.float32)
        alpha = flat[..., 3:] * (1 / 255)
        part = self.image[y0:y1, x0:x1]
        part[:] = np.clip(part * (1 - alpha) + flat[..., :3] * gain, 0, 255).astype(np.uint8)
        self.owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = number

    def visible(self, polygon: NDArray[np.float32], number: int) -> float:
        """What share of a polygon is owned by this card; what lies outside the picture counts as hidden."""
        x0, y0, x1, y1 = self._clip(polygon, 1)
        if x1 <= x0 or y1 <= y0:
            return 0.0
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round((polygon - (x0, y0)) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
        area = cv2.contourArea(polygon.astype(np.float32))
        shown = int(np.count_nonzero(mask & (self.owner[y0:y1, x0:x1] == number)))
        return float(min(1.0, shown / max(area, 1.0)))


INDEX_WIDTH = 0.56
"""Width of an index box over its height, the wide 10 left apart; measured on the packaged decks (0.45 to 0.6)."""


def tilt_matrix(rng: Rng, width: int, height: int, tilt_deg: float) -> NDArray[np.float64]:
    """The homography of a camera that leans by tilt_deg in a direction drawn by chance, about the middle."""
    focal = 1.1 * max(width, height)
    direction, tilt = rng.uniform(0, 2 * np.pi), np.deg2rad(tilt_deg)
    axis = np.array([np.cos(direction), np.sin(direction), 0]) * tilt
    turn, _ = cv2.Rodrigues(axis)
    centre = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    plane = np.array([[1 / focal, 0, 0], [0, 1 / focal, 0], [0, 0, 1]])
    matrix = lens @ turn @ plane @ centre
    return matrix / matrix[2, 2]


def _through(matrix: NDArray[np.float64], points: NDArray[np.float32]) -> NDArray[np.float32]:
    return (
        cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix).reshape(-1, 2).astype(np.float32)
    )


def quad_of(laid: DrawnCard, matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    """The corners of a laid card, clockwise from its top left, as the camera sees them."""
    w, h = laid.width_px / 2, laid.width_px * laid.aspect / 2
    c, s = np.cos(laid.turn_rad), np.sin(laid.turn_rad)
    corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) @ np.array([[c, s], [-s, c]]) + laid.centre_px
    return _through(matrix, corners.astype(np.float32))


def index_polygons(deck: Deck, card: str, quad: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Each index of a card as a polygon, clockwise from its own top left."""
    source = np.array([(0, 0), (CARD_W_PX, 0), (CARD_W_PX, CARD_H_PX), (0, CARD_H_PX)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    found = []
    for x, y, height, upside_down in deck.indices(card):
        sign = -0.5 if upside_down else 0.5
        dx, dy = sign * height * INDEX_WIDTH, sign * height
        box = np.array([(x - dx, y - dy), (x + dx, y - dy), (x + dx, y + dy), (x - dx, y + dy)], np.float32)
        found.append(_through(matrix, box))
    return found


def _index_truth(polygon: NDArray[np.float32], visible: float) -> IndexTruth:
    top, bottom = polygon[:2].mean(axis=0), polygon[2:].mean(axis=0)
    height = float(np.linalg.norm(top - bottom))
    up = (top - bottom) / max(height, 1e-6)
    middle = polygon.mean(axis=0)
    return IndexTruth((float(middle[0]), float(middle[1])), (float(up[0]), float(up[1])), height, visible)


class _CardsLayout:
    """Cards that come to lie in a certain way, bottom first."""

    def __init__(self, rng: Rng, deck: Deck, width: int, height: int, card_px: float) -> None:
        self.codes = [c for c in deck.pictures if c != "back" and not c.startswith(JOKER)]
        jokers = [c for c in deck.pictures if c.startswith(JOKER)]
        rng.shuffle(self.codes)
        if jokers and rng.random() < 0.25:
            self.codes.insert(0, jokers[0])
        self._rng, self._backs = rng, "back" in deck.pictures
        self._size = width, height
        self._card_px = card_px
        self._middle = np.array([rng.uniform(0.25, 0.75) * width, rng.uniform(0.25, 0.75) * height])
        self._turn, self._aspect = rng.uniform(0, 2 * np.pi), rng.uniform(1.36, 1.58)
        self.laid: list[DrawnCard] = []

    def _add(self, card: str, at: NDArray[np.float64], angle: float) -> None:
        self.laid.append(DrawnCard(card, (float(at[0]), float(at[1])), self._card_px, float(angle), self._aspect))

    def single(self) -> None:
        self._add(self.codes[0], self._middle, self._turn)

    def trick(self) -> None:
        rng = self._rng
        for code in self.codes[: rng.integers(2, 7)]:
            self._add(code, self._middle + rng.normal(0, 0.75 * self._card_px, 2), rng.uniform(0, 2 * np.pi))

    def fan(self) -> None:
        step, count = self._rng.uniform(0.12, 0.3), int(self._rng.integers(3, 9))
        for k, code in enumerate(self.codes[:count]):
            angle = self._turn + step * (k - count / 2)
            self._add(code, self._middle + 1.6 * self._card_px * np.array([np.sin(angle), -np.cos(angle)]), angle)

    def row(self) -> None:
        rng = self._rng
        step = rng.uniform(0.3, 1.3) * self._card_px
        along = np.array([np.cos(self._turn), np.sin(self._turn)])
        for k, code in enumerate(self.codes[: rng.integers(2, 9)]):
            self._add(code, self._middle + along * step * (k - 3), self._turn + rng.normal(0, 0.06))

    def stock(self) -> None:
        rng, turn = self._rng, self._turn
        self._add(self.codes[0], self._middle, turn)
        across = np.array([np.cos(turn + np.pi / 2), np.sin(turn + np.pi / 2)])
        side = across * self._card_px * rng.choice([-0.7, 0.7])
        for _ in range(3):
            at = self._middle + side + rng.normal(0, 3, 2)
            self._add("back", at, turn + np.pi / 2 * rng.integers(2) + rng.normal(0, 0.05))
        for code in self.codes[1 : rng.integers(1, 5)]:
            self._add(code, rng.uniform(0.1, 0.9, 2) * self._size, rng.uniform(0, 2 * np.pi))

    def pile(self) -> None:
        rng = self._rng
        for code in self.codes[: rng.integers(5, 12)]:
            self._add(code, self._middle + rng.normal(0, 0.25 * self._card_px, 2), self._turn + rng.normal(0, 0.5))

    def scatter(self) -> None:
        rng = self._rng
        for code in self.codes[: rng.integers(2, 10)]:
            turned_over = rng.random() < 0.15 and self._backs
            self._add("back" if turned_over else code, rng.uniform(0, 1, 2) * self._size, rng.uniform(0, 2 * np.pi))

    def empty(self) -> None:
        """Nothing lies there."""


def lay_out(rng: Rng, layout: str, deck: Deck, width: int, height: int, *, card_px: float) -> list[DrawnCard]:
    """Cards of a layout, bottom first: trick, fan, row, stock, scatter, pile, single or empty."""
    cards = _CardsLayout(rng, deck, width, height, card_px)
    getattr(cards, layout)()
    return [laid for laid in cards.laid if laid.card in deck.pictures]


@dataclass(frozen=True)
class PictureLook:
    """How a picture is lit and taken; drawn by chance with `Look.draw`."""

    light: float = 1.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    uneven: float = 0.1
    shadow_edge: float = 0.0
    glares: int = 0
    blur_px: float = 0.5
    motion_px: float = 0.0
    noise: float = 2.0
    contrast: float = 1.0
    gamma: float = 1.0
    jpeg: int = 92
    sharpen: float = 0.0

    @staticmethod
    def draw(rng: Rng) -> "PictureLook":
        """A look by chance: mostly usable, sometimes bad."""
        warm = rng.normal(0, 0.09)
        return PictureLook(
            light=float(np.exp(rng.normal(-0.15, 0.35))),
            cast=(1 - warm, 1 + float(rng.normal(0, 0.03)), 1 + warm),
            uneven=float(rng.uniform(0, 0.4)),
            shadow_edge=float(rng.uniform(0.2, 0.65)) if rng.random() < 0.25 else 0.0,
            glares=int(rng.integers(1, 4)) if rng.random() < 0.25 else 0,
            blur_px=float(abs(rng.normal(0, 0.8))),
            motion_px=float(rng.uniform(1, 4)) if rng.random() < 0.12 else 0.0,
            noise=float(rng.uniform(0, 9)) * float(rng.random()),
            contrast=float(rng.uniform(0.75, 1.15)),
            gamma=float(np.exp(rng.normal(0, 0.2))),
            jpeg=int(rng.integers(35, 98)),
            sharpen=float(rng.uniform(0.3, 1.5)) if rng.random() < 0.3 else 0.0,
        )


def develop(rng: Rng, image: Image, look: PictureLook, unit: float) -> Image:
    """Light, glare, lens and sensor over a drawn table; unit is the width of a card in px."""
    h, w = image.shape[:2]
    field = np.full((h, w), look.light, np.float32)
    if look.uneven > 0:
        field *= 1 + look.uneven * smooth_noise(rng, h, w, (2, 2))
    if look.shadow_edge > 0:
        angle, shift = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        far = (np.cos(angle) * (x / w - 0.5) + np.sin(angle) * (y / h - 0.5) - shift) * max(w, h) / rng.uniform(2, 40)
        field *= 1 - look.shadow_edge / (1 + np.exp(-np.clip(far, -30, 30)))
    out = image.astype(np.float32) * field[..., None] * np.array(look.cast, np.float32)
    for _ in range(look.glares):
        spot = np.zeros((max(2, h // 4), max(2, w // 4)), np.float32)
        axes = (max(1, int(unit * rng.uniform(0.05, 0.5) / 4)), max(1, int(unit * rng.uniform(0.03, 0.2) / 4)))
        at = (int(rng.integers(spot.shape[1])), int(rng.integers(spot.shape[0])))
        cv2.ellipse(spot, at, axes, float(rng.uniform(0, 360)), 0, 360, float(rng.uniform(40, 200)), -1)
        spot = cv2.GaussianBlur(spot, (0, 0), max(0.6, unit * rng.uniform(0.01, 0.08) / 2))
        out += cv2.resize(spot, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]
    if look.blur_px > 0.3:
        out = cv2.GaussianBlur(out, (0, 0), look.blur_px)
    if look.motion_px > 1:
        size = int(look.motion_px) * 2 + 1
        kernel = np.zeros((size, size), np.float32)
        angle = rng.uniform(0, np.pi)
        reach = look.motion_px / 2
        a = (round(size / 2 - reach * np.cos(angle)), round(size / 2 - reach * np.sin(angle)))
        b = (round(size / 2 + reach * np.cos(angle)), round(size / 2 + reach * np.sin(angle)))
        cv2.line(kernel, a, b, 1.0, 1)
        out = cv2.filter2D(out, -1, kernel / max(kernel.sum(), 1e-6))
    if look.sharpen > 0:
        out = out * (1 + look.sharpen) - cv2.GaussianBlur(out, (0, 0), 1.2) * look.sharpen
    out = (out - 128) * look.contrast + 128
    if abs(look.gamma - 1) > 0.02:
        out = 255 * np.power(np.clip(out, 0, 255) * (1 / 255), look.gamma)
    if look.noise > 0.3 and h <= 1400 - 1 and w <= 1400 - 1:
        y, x = rng.integers(0, 1400 - h), rng.integers(0, 1400 - w)
        out += look.noise * _RNG_NOISE[y : y + h, x : x + w]
    elif look.noise > 0.3:
        out += look.noise * rng.standard_normal((h, w, 1), np.float32)
    developed = np.clip(out, 0, 255).astype(np.uint8)
    if look.jpeg < 97:
        _ok, coded = cv2.imencode(".jpg", developed, [cv2.IMWRITE_JPEG_QUALITY, look.jpeg])
        developed = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return developed


def draw_table(
    rng: Rng,
    deck: Deck,
    width: int = 1280,
    height: int = 960,
    *,
    card_px: float | None = None,
    layout: str | None = None,
    laid: Sequence[DrawnCard] | None = None,
    background: Image | None = None,
    look: PictureLook | None = None,
    tilt_deg: float | None = None,
    clutter: bool = True,
    hand: bool | None = None,
) -> DrawnTable:
    """A table by chance, every choice open to being made by the caller; the same seed draws the same table."""
    card_px = card_px or float(np.exp(rng.uniform(np.log(0.085), np.log(0.22)))) * width
    layout = layout or str(rng.choice(_LAYOUTS))
    cards = list(laid) if laid is not None else lay_out(rng, layout, deck, width, height, card_px=card_px)
    canvas = Canvas(background if background is not None else table_top(rng, width, height))
    matrix = tilt_matrix(rng, width, height, rng.uniform(0, 15) if tilt_deg is None else tilt_deg)
    if clutter:
        _strew(rng, canvas, card_px, int(rng.integers(0, 4)) if rng.random() < 0.6 else 0)
    lamp = rng.normal(0, 0.02 * card_px, 2)
    soft, depth = card_px * rng.uniform(0.004, 0.03), rng.uniform(0.1, 0.6)
    quads = [quad_of(laid, matrix) for laid in cards]
    for number, (card, quad) in enumerate(zip(cards, quads, strict=True)):
        canvas.shadow(quad, (float(lamp[0]), float(lamp[1])), soft, depth)
        canvas.paste(deck.pictures[card.card], quad, number, float(rng.uniform(0.9, 1.02)))
    if hand if hand is not None else rng.random() < 0.2:
        mask, colour = hand_mask(rng, width, height, card_px)
        alpha = (mask.astype(np.float32) / 255)[..., None]
        canvas.image[:] = (canvas.image * (1 - alpha) + np.clip(colour, 0, 255) * alpha).astype(np.uint8)
        canvas.owner[mask > 127] = -2
    truths = []
    for number, (card, quad) in enumerate(zip(cards, quads, strict=True)):
        indices = tuple(_index_truth(p, canvas.visible(p, number)) for p in index_polygons(deck, card.card, quad))
        truths.append(CardTruth(card.card, quad, canvas.visible(quad, number), indices))
    image = develop(rng, canvas.image, look or PictureLook.draw(rng), card_px)
    return DrawnTable(image, tuple(truths))


def _strew(rng: Rng, canvas: Canvas, card_px: float, count: int) -> None:
    h, w = canvas.owner.shape[:2]
    for _ in range(count):
        thing = clutter_thing(rng, card_px)
        th, tw = thing.shape[:2]
        corners = np.array([(-tw, -th), (tw, -th), (tw, th), (-tw, th)]) / 2
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        quad = (corners @ turn + rng.uniform(0, 1, 2) * (w, h)).astype(np.float32)
        canvas.shadow(quad, (2, 2), 0.02 * card_px, 0.3)
        picture = np.ascontiguousarray(thing)
        canvas.paste(picture, quad, -1)
        _mips.pop(id(picture), None)


def clean_look() -> PictureLook:
    """A good picture in good light: for tests and the demo."""
    return replace(PictureLook(), uneven=0.05, noise=1.0, jpeg=95)
