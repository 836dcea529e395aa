"""What an eye sees, as something that can be drawn over the camera's picture: outlines, names, arms, pits."""

from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from engine.sightings import BoardSighting, best_count
from vision.board.grid import FoundBoard
from vision.board_table import BoardTableEye
from vision.frame import Image
from vision.small import SMALL_W
from vision.table import CardTableEye

Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class CardDrawn:
    """A card that was read, or what it may be."""

    card: str | None
    candidates: tuple[str, ...]
    sure: float
    at: tuple[float, float]
    outline: Outline


@dataclass(frozen=True)
class Aim:
    """Everything in parts of the picture's width and height."""

    cards: tuple[CardDrawn, ...] = ()
    arms: tuple[Outline, ...] = ()
    """Each from the edge to its tip."""
    pits: tuple[tuple[float, float, float, int | None, float], ...] = ()
    """Middle, radius (in widths), count, how sure."""
    board: Outline = ()
    """The middles of the corner pits."""
    index_px: float | None = None
    """How high the indices of the cards are in the picture."""

    @property
    def too_small(self) -> bool:
        """The camera is too far away to read the cards."""
        return self.index_px is not None and self.index_px < LEAST_INDEX_PX

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, no finer than it can be drawn."""
        return {name: _round(value) for name, value in asdict(self).items()} | {"too_small": self.too_small}


INDEX_SHARE = 0.13
"""Of a card's length: the index of a bridge card is 11 to 12 mm high, measured on the decks that Debian carries."""
LEAST_INDEX_PX = 11.0
"""Cards of 85 pixels. Photographs made smaller and smaller: so large 366 of 368 cards are read, at 70 pixels 358, at 60
337, at 50 301."""


def aim_of(eye: object, image: Image) -> Aim:
    """What an eye saw last, to be drawn over this picture."""
    height, width = image.shape[:2]
    if isinstance(eye, CardTableEye):
        return _cards_aim(eye, width, height)
    if isinstance(eye, BoardTableEye) and eye.found is not None:
        return _board_aim(eye.found, eye.counted, width, height)
    return Aim()


def _cards_aim(eye: CardTableEye, width: int, height: int) -> Aim:
    read = [
        _drawn(seen.card, (), seen.confidence, seen.at_px, seen.quad_px or (), width, height)
        for seen in eye.sighting.cards
    ]
    unread = [
        _drawn(None, unsure.candidates, 0.0, unsure.at_px, unsure.quad_px or (), width, height)
        for unsure in eye.sighting.unsure
    ]
    seen = (*(card.quad_px for card in eye.sighting.cards), *(card.quad_px for card in eye.sighting.unsure))
    quads = [quad for quad in seen if quad]
    lengths = [max(_far(quad[k], quad[(k + 1) % 4]) for k in range(4)) for quad in quads]
    small = SMALL_W, SMALL_W * height / width
    arms = tuple(tuple((x / small[0], y / small[1]) for x, y in (arm.edge, arm.tip)) for arm in eye.arms)
    index_px = sorted(lengths)[len(lengths) // 2] * INDEX_SHARE if lengths else None
    return Aim((*read, *unread), arms, index_px=index_px)


def _board_aim(found: FoundBoard, counted: BoardSighting | None, width: int, height: int) -> Aim:
    rows, columns = found.grid
    pits = []
    for row, column in product(range(rows), range(columns)):
        x, y = map(float, found.centres[row, column])
        pit = counted.pits[row][column] if counted is not None else None
        count, sure = (best_count(pit), max(pit.values())) if pit else (None, 0.0)
        pits.append((x / width, y / height, float(found.radii[row, column]) / width, count, sure))
    corners = (0, columns - 1, rows * columns - 1, (rows - 1) * columns)
    return Aim(pits=tuple(pits), board=tuple(pits[corner][:2] for corner in corners))


def _drawn(
    card: str | None, candidates: tuple[str, ...], sure: float, at: tuple[float, float], quad: Outline, w: int, h: int
) -> CardDrawn:
    outline = tuple((x / w, y / h) for x, y in quad)
    return CardDrawn(card, candidates, sure, (at[0] / w, at[1] / h), outline)


def _far(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _round(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, tuple | list):
        return [_round(part) for part in value]
    return {name: _round(part) for name, part in value.items()} if isinstance(value, dict) else value
