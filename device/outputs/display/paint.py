"""The canvas under every screen: boxes, inks, and what was put where. Knows nothing of games."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from PIL import Image, ImageDraw

from device.machine import wiring
from device.outputs.display import glyphs
from device.outputs.display.text import (
    CAP_SHARE,
    ELLIPSIS,
    SUITS,
    Fitted,
    advance,
    fit,
    font,
    ink_of,
    pieces,
    pitch,
    suit_px,
)

LEGIBLE_MM = 2.9
"""Height of a capital at which normal sight just reads it from two metres: five minutes of arc."""
MM_PER_PX = {(128, 64): 21.7 / 128, (240, 240): 27.7 / 240, (320, 240): 40.8 / 320}
"""Of the smallest glass sold in each size: 0.96 inch, 1.54 inch, 2.0 inch (their data sheets' active areas)."""
COLOURS = {
    "paper": (0, 0, 0),
    "ink": (255, 255, 255),
    "dim": (150, 150, 158),
    "line": (72, 72, 80),
    "red": (255, 72, 72),
    "alert": (190, 0, 24),
    "card": (255, 255, 255),
    "card_red": (200, 0, 20),
    "trouble": (255, 200, 60),
}
"""Inks of a colour display; on a display of one colour everything but paper is lit."""
MORE_SIDES = ((47, 191, 113), (226, 92, 208), (242, 92, 59), (190, 190, 190))
"""Colours of the third side and further ones, for which no lamp is wired."""
SMALLEST_NUMBER = 8
"""Size to which a number shrinks where it has no more room, on any display; words are cut before that."""

Ink = str | tuple[int, int, int]


@dataclass(frozen=True)
class Box:
    """A part of the picture, in pixels."""

    x: int
    y: int
    w: int
    h: int

    @property
    def empty(self) -> bool:
        """Whether it has no width or no height: nothing can be drawn in it."""
        return self.w <= 0 or self.h <= 0

    def inside(self, across: int, down: int | None = None) -> "Box":
        down = across if down is None else down
        return Box(self.x + across, self.y + down, max(0, self.w - 2 * across), max(0, self.h - 2 * down))

    def top(self, h: int, gap: int = 0) -> tuple["Box", "Box"]:
        """Its upper h pixels, and the rest."""
        rest = min(self.h, h + gap)
        return Box(self.x, self.y, self.w, min(self.h, h)), Box(self.x, self.y + rest, self.w, self.h - rest)

    def bottom(self, h: int, gap: int = 0) -> tuple["Box", "Box"]:
        """What is above its lower h pixels, and those."""
        upper, lower = self.top(self.h - h)
        return Box(upper.x, upper.y, upper.w, max(0, upper.h - gap)), lower

    def left(self, w: int, gap: int = 0) -> tuple["Box", "Box"]:
        """Its left w pixels, and the rest."""
        rest = min(self.w, w + gap)
        return Box(self.x, self.y, min(self.w, w), self.h), Box(self.x + rest, self.y, self.w - rest, self.h)

    def rows(self, number: int, gap: int = 0) -> list["Box"]:
        """So many parts, one above the other."""
        edges = [self.y + round(n * (self.h + gap) / number) for n in range(number + 1)]
        return [Box(self.x, top, self.w, two - gap - top) for top, two in pairwise(edges)]

    def columns(self, number: int, gap: int = 0) -> list["Box"]:
        """So many parts side by side."""
        edges = [self.x + round(n * (self.w + gap) / number) for n in range(number + 1)]
        return [Box(top, self.y, two - gap - top, self.h) for top, two in pairwise(edges)]

    def centre(self, w: int, h: int) -> "Box":
        """A box of that size in its middle."""
        return Box(self.x + (self.w - w) // 2, self.y + (self.h - h) // 2, w, h)


@dataclass(frozen=True)
class Placed:
    """A text or sign that was drawn: for tests, which ask whether it can be read."""

    role: str
    text: str
    box: Box
    """Where its ink is."""
    cap_px: float
    """Height of its capitals, or of the sign."""
    shortened: bool = False


class Painter:
    """A picture in the making."""

    def __init__(self, size: tuple[int, int], colour: bool) -> None:
        self.size = size
        self.colour = colour
        self.mode = "L" if colour else "1"
        """How letters are drawn: with grey edges or without."""
        self.image = Image.new("RGB" if colour else "1", size)
        self.pen = ImageDraw.Draw(self.image)
        self.pen.fontmode = self.mode
        self.placed: list[Placed] = []
        self.roomy = size[1] >= 200
        self.gap = 6 if self.roomy else 2
        self.smallest = 15 if self.roomy else 8
        """Size of the smallest words: 1.3 mm high in colour, 1 mm on the small display, for a reader at the table."""
        self.tight = 12 if self.roomy else 8
        """Smaller still, where a longer word has to stand beside something."""
        self.caption = 16 if self.roomy else 10
        self.legible = -int(-LEGIBLE_MM / mm_per_px(size) // 1)
        """Least height in pixels of what must be read from two metres."""

    @property
    def all(self) -> Box:
        return Box(0, 0, *self.size)

    def ink(self, ink: Ink) -> tuple[int, int, int] | int:
        """What Pillow takes for an ink."""
        if not self.colour:
            return 0 if ink == "paper" else 1
        return COLOURS[ink] if isinstance(ink, str) else ink

    def text(
        self,
        box: Box,
        text: str,
        *,
        role: str = "",
        ink: Ink = "ink",
        largest: int | None = None,
        smallest: int | None = None,
        align: str = "left",
        down: str = "middle",
        lines: int | None = 1,
    ) -> Box:
        """Words as large as fits, never outside the box; where their ink is. down: top, middle, bottom."""
        if not text or box.empty:
            return Box(box.x, box.y, 0, 0)
        smallest = smallest or self.smallest
        if text.removeprefix("-").isdecimal():  # A number that is cut off is another number.
            smallest = min(smallest, SMALLEST_NUMBER)
        fitted = fit(text, box.w, box.h, largest or box.h * 2, min(smallest, largest or smallest), self.mode, lines)
        if fitted.lines == (ELLIPSIS,):
            return Box(box.x, box.y, 0, 0)
        left, top, right, bottom = self._bounds(fitted, box, align)
        if down == "top":
            shift = box.y - top
        elif down == "bottom":
            shift = box.y + box.h - bottom
        else:
            shift = box.y + (box.h - (bottom - top)) // 2 - top
        self._lines(fitted, box, align, shift, self.ink(ink))
        inked = Box(left, top + shift, right - left, bottom - top)
        self.placed.append(Placed(role, text, inked, CAP_SHARE * fitted.size_px, fitted.shortened))
        return inked

    def sign(
        self, box: Box, name: str, *, role: str = "", ink: Ink = "ink", outlined: bool = False, share: float = 1.0
    ) -> Box:
        """A sign in the middle of a box. share: its width to its height."""
        if box.empty:
            return Box(box.x, box.y, 0, 0)
        height = min(box.h, round(box.w / share))
        at = box.centre(round(height * share), height)
        mask = glyphs.mask(name, at.w, at.h, self.colour, outlined)
        self.image.paste(self.ink(ink), (at.x, at.y), mask)
        self.placed.append(Placed(role, name, at, at.h))
        return at

    def suit(self, box: Box, suit: str, *, role: str = "", on_card: bool = False) -> Box:
        """A suit: red ones outlined where there is no red."""
        red = suit in glyphs.RED_SUITS
        ink: Ink = ("card_red" if red else "paper") if on_card else ("red" if red else "ink")
        if not self.colour:
            ink = "paper" if on_card else "ink"
        return self.sign(box, suit, role=role, ink=ink, outlined=red and not self.colour)

    def fill(self, box: Box, ink: Ink = "ink", radius: int = 0) -> None:
        if box.empty:
            return
        self.pen.rounded_rectangle(self._corners(box), radius, fill=self.ink(ink))

    def frame(self, box: Box, ink: Ink = "line", radius: int = 0, width: int = 1) -> None:
        if box.empty:
            return
        self.pen.rounded_rectangle(self._corners(box), radius, outline=self.ink(ink), width=width)

    def tiny(self, box: Box, face: str, ink: Ink, times: int) -> None:
        """The face of a marker in the middle of a box, in single dots, each so many times a pixel; none where it has no
        room: faces that lie over each other cannot be told apart."""
        mask = glyphs.dotted(glyphs.TINY[face])
        mask = mask.resize((mask.width * times, mask.height * times), Image.Resampling.NEAREST)
        if mask.width > box.w or mask.height > box.h:
            return
        at = box.centre(*mask.size)
        self.image.paste(self.ink(ink), (at.x, at.y), mask)

    def dots(self, box: Box, dark: Sequence[Sequence[bool]]) -> None:
        """Squares of one size, dark ones on light, as a camera reads them."""
        self.pen.rectangle(self._corners(box), fill=self.ink("ink"))
        side = box.w // len(dark)
        for row, ones in enumerate(dark):
            for column, dark_here in enumerate(ones):
                if dark_here:
                    at = Box(box.x + column * side, box.y + row * side, side, side)
                    self.pen.rectangle(self._corners(at), fill=self.ink("paper"))

    def _corners(self, box: Box) -> tuple[int, int, int, int]:
        return box.x, box.y, box.x + box.w - 1, box.y + box.h - 1

    def _bounds(self, fitted: Fitted, box: Box, align: str) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the ink, with the first baseline at 0."""
        starts = [(self._start(line, fitted.size_px, box, align), line) for line in fitted.lines]
        top = ink_of(fitted.lines[0], fitted.size_px, self.mode)[1]
        bottom = ink_of(fitted.lines[-1], fitted.size_px, self.mode)[3]
        return (
            min(start + ink_of(line, fitted.size_px, self.mode)[0] for start, line in starts),
            top,
            max(start + ink_of(line, fitted.size_px, self.mode)[2] for start, line in starts),
            bottom + (len(fitted.lines) - 1) * pitch(fitted.size_px),
        )

    def _start(self, line: str, size_px: int, box: Box, align: str) -> int:
        left, _, right, _ = ink_of(line, size_px, self.mode)
        spare = box.w - (right - left)
        return box.x + (0 if align == "left" else spare if align == "right" else spare // 2) - left

    def _lines(self, fitted: Fitted, box: Box, align: str, baseline: int, ink: tuple[int, int, int] | int) -> None:
        size = fitted.size_px
        for n, line in enumerate(fitted.lines):
            x, y = self._start(line, size, box, align), baseline + n * pitch(size)
            for part in pieces(line, self.mode):
                if self.mode == "1" and part in SUITS:
                    self._small_suit(x, y, part, suit_px(size), ink)
                else:
                    self.pen.text((x, y), part, fill=ink, font=font(size), anchor="ls")
                x += advance(part, size, self.mode)

    def _small_suit(self, x: int, baseline: int, sign: str, px: int, ink: tuple[int, int, int] | int) -> None:
        suit = "CDHS"[SUITS.index(sign)]
        if px < 10:
            mask = glyphs.dotted(glyphs.SMALL_SUITS[suit])
        else:
            mask = glyphs.mask(suit, px, px, grey=False, outlined=suit in glyphs.RED_SUITS)
        self.image.paste(ink, (x, baseline - mask.size[1]), mask)


def mm_per_px(size: tuple[int, int]) -> float:
    """Of the smallest glass of that size; of a size nobody sells, as on the smallest display."""
    return MM_PER_PX.get(size, MM_PER_PX[128, 64])


@cache
def side_ink(side: int) -> tuple[int, int, int]:
    """The colour of a side: the lamps' and tokens' where they have one."""
    wired = _wired().side_colours
    if side < len(wired):
        return _rgb(wired[side])
    return MORE_SIDES[(side - len(wired)) % len(MORE_SIDES)]


@cache
def side_shape(side: int) -> str:
    """The shape of a side: the tokens' where they have one."""
    wired = _wired().side_shapes
    return wired[side] if side < len(wired) else glyphs.SIDES[side % len(glyphs.SIDES)]


@cache
def _wired() -> wiring.Wiring:
    return wiring.load()


def _rgb(text: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(text.lstrip("#"))
    return red, green, blue
