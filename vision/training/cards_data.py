"""Draws what the networks learn from: labelled patches, in shards of NumPy arrays on disk, and crops cut from them."""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import JOKER, SUITS
from vision.cards.finder import Corner
from vision.cards.glyphs import corner_crop
from vision.cards.signs import SIGNS, sign_of
from vision.synthetic.cards_backgrounds import Rng, table_top
from vision.synthetic.cards_tables import (
    DrawnCard,
    DrawnTable,
    PictureLook,
    draw_table,
    forget_pictures,
    index_polygons,
    lay_out,
    quad_of,
)
from vision.synthetic.decks import Deck, Image
from vision.training.cards_decks import invented_decks, packaged, training_decks

PATCH_PX = 256
MAX_INDICES = 48
NO_INDEX, UNLABELLED = -1, -2
Sample = tuple[Image, tuple[float, ...]]
"""A crop and what is to be learned from it: rank, suit, and how to frame it better (`correction`), NaN if unknown."""
NO_POSE = (np.nan,) * 4
READABLE, HIDDEN = 0.78, 0.45
"""Crops of an index that shows at least the first are named, of less than the second are none; between, unused."""
SMALLEST_READ_PX = 5.0
"""Indices lower than this teach nothing: nobody could read them. Those a little taller teach how much is in doubt."""
_SHARDS_A_DECK = 8
"""So many shards are drawn with the same invented decks before others are invented: it takes as long as a shard."""
_CLOSE_UP_DECKS = 30
"""So many invented decks are drawn for the close-ups of each shard, and for it alone."""
CLOSE_UPS = ".close.npz"
_LOW_CLOSE_UPS = 0.2
"""Share of close-ups whose index may be as low as can be: what is lost with the resolution is learned from them."""
_BADLY_FRAMED = 0.3
"""Share of crops framed as badly as the finder frames indices of a print it does not know: it takes some for two thirds
of their height."""
_WELL, _BADLY = (0.05, 0.09, 0.09), (0.1, 0.22, 0.18)
"""How far crops are off, as standard deviations: shift (of the height), size (logarithm), turn (radians)."""
_DIM_SHARE = 0.12
"""Share of patches under a dim lamp, more than `Look.draw` has: the networks must not need good light."""
_WARM_SHARE, _WARMEST = 0.12, 0.3
"""Share of patches under a lamp of a strong colour, and how far it may lift red over blue (or under it, seldom)."""
_BIG_TABLE_PX = 640
"""Backgrounds are drawn this large and cut from: a table top costs more than the cards on it."""


def backgrounds(rng: Rng, count: int) -> list[Image]:
    """A pool of table tops to cut patches from."""
    return [table_top(rng, _BIG_TABLE_PX, _BIG_TABLE_PX) for _ in range(count)]


def _cut(rng: Rng, pool: Sequence[Image], side: int) -> Image:
    whole = pool[int(rng.integers(len(pool)))]
    reach = int(min(_BIG_TABLE_PX, side * rng.uniform(0.6, 2.2)))
    x, y = (int(v) for v in rng.integers(0, _BIG_TABLE_PX - reach + 1, 2))
    return cv2.resize(whole[y : y + reach, x : x + reach], (side, side), interpolation=cv2.INTER_AREA)


def aimed_table(
    rng: Rng, deck: Deck, pool: Sequence[Image], side: int, *, index_px: float, spread_px: float
) -> tuple[DrawnTable, int, int]:
    """A small square picture with some card's index within spread_px of its middle; which card and index that is."""
    card_px = index_px * 360 / deck.index.height
    layout = str(rng.choice(["trick", "trick", "fan", "row", "single", "stock", "pile", "scatter"]))
    laid = lay_out(rng, layout, deck, side, side, card_px=card_px)
    number = int(rng.integers(len(laid)))
    faces = [i for i, laid in enumerate(laid) if deck.indices(laid.card)]
    if faces:
        number = faces[int(rng.integers(len(faces)))] if rng.random() < 0.6 else faces[-1]
    polygons = index_polygons(deck, laid[number].card, quad_of(laid[number], np.eye(3)))
    corner = int(rng.integers(len(polygons))) if polygons else 0
    target = polygons[corner].mean(axis=0) if polygons else np.array(laid[number].centre_px)
    shift = side / 2 + rng.uniform(-1, 1, 2) * spread_px - target
    moved = [
        DrawnCard(
            drawn.card,
            (drawn.centre_px[0] + shift[0], drawn.centre_px[1] + shift[1]),
            drawn.width_px,
            drawn.turn_rad,
            drawn.aspect,
        )
        for drawn in laid
    ]
    table = draw_table(
        rng,
        deck,
        side,
        side,
        card_px=card_px,
        laid=moved,
        background=_cut(rng, pool, side),
        look=_look(rng, index_px),
        hand=bool(rng.random() < 0.12),
        clutter=bool(rng.random() < 0.5),
    )
    return table, number, corner


def _look(rng: Rng, index_px: float) -> PictureLook:
    """A look by chance, never so blurred that nobody could read an index of this size."""
    look = PictureLook.draw(rng)
    if rng.random() < _DIM_SHARE:
        look = replace(look, light=look.light * float(rng.uniform(0.3, 0.7)))
    if rng.random() < _WARM_SHARE:
        warm = float(rng.uniform(-0.3, 1)) * _WARMEST
        look = replace(look, cast=(1 - warm, 1.0, 1 + warm))
    return replace(
        look, blur_px=min(look.blur_px, 0.35 + 0.05 * index_px), motion_px=min(look.motion_px, 0.15 * index_px)
    )


def detector_patch(rng: Rng, decks: Sequence[Deck], pool: Sequence[Image]) -> tuple[Image, NDArray[np.float32]]:
    """A patch and its indices: x, y, up x, up y, height, visible, rank, suit."""
    deck = decks[int(rng.integers(len(decks)))]
    drawn = rng.random()
    index_px = float(np.exp(rng.uniform(np.log(11), np.log(48))))
    if drawn < 0.12:
        index_px = float(rng.uniform(48, 140))
    elif drawn < 0.2:
        index_px = float(rng.uniform(5, 12))
    if rng.random() < 0.08:
        table = draw_table(rng, deck, PATCH_PX, PATCH_PX, card_px=120, laid=[], background=_cut(rng, pool, PATCH_PX))
    else:
        table, _n, _c = aimed_table(rng, deck, pool, PATCH_PX, index_px=index_px, spread_px=PATCH_PX * 0.45)
    out = np.full((MAX_INDICES, 8), -1000, np.float32)
    for k, row in enumerate(_truth_rows(table, deck.letters)[:MAX_INDICES]):
        out[k] = row
    return table.image, out


def _truth_rows(table: DrawnTable, letters: Mapping[str, str]) -> list[tuple[float, ...]]:
    """The indices of a square picture: x, y, up x, up y, height, visible, sign, suit. letters: those of its deck."""
    side = table.image.shape[0]
    return [
        (*i.at_px, *i.up, i.height_px, i.visible, *label_of(c.card, letters))
        for c in table.cards
        for i in c.indices
        if -20 < i.at_px[0] < side + 20 and -20 < i.at_px[1] < side + 20
    ]


def close_ups(rng: Rng, decks: Sequence[Deck], pool: Sequence[Image], count: int) -> list[Sample]:
    """So many crops of corners, from pictures no larger than a corner needs: many decks for the time they cost."""
    samples: list[Sample] = []
    while len(samples) < count:
        least = 5 if rng.random() < _LOW_CLOSE_UPS else 14
        index_px = float(np.exp(rng.uniform(np.log(least), np.log(110))))
        deck, side = decks[int(rng.integers(len(decks)))], round(2 * index_px) + 16
        table, _n, _c = aimed_table(rng, deck, pool, side, index_px=index_px, spread_px=0.15 * index_px)
        samples += reader_crops(
            rng, table.image, np.array(_truth_rows(table, deck.letters), np.float32).reshape(-1, 8), 2
        )
    return samples[:count]


def label_of(card: str, letters: Mapping[str, str]) -> tuple[int, int]:
    """Numbers of the sign that a deck with these letters prints on a card, and of its suit; a joker has none."""
    if card.startswith(JOKER):
        return SIGNS.index(JOKER), UNLABELLED
    return SIGNS.index(sign_of(card[:-1], letters)), SUITS.index(card[-1])


def correction(framed: Corner, true: Corner) -> tuple[float, float, float, float]:
    """How the first is to be moved (`Corner.moved`) to be the second: right, down, logarithm of the size, turn."""
    (x, y), (ux, uy), height = framed.at_px, framed.up, framed.height_px
    (tx, ty), (tux, tuy), tall = true.at_px, true.up, true.height_px
    dx, dy = (tx - x) / height, (ty - y) / height
    turn = np.arctan2(ux * tuy - uy * tux, ux * tux + uy * tuy)
    return -uy * dx + ux * dy, -ux * dx - uy * dy, float(np.log(tall / height)), float(turn)


def _corner(x: float, y: float, ux: float, uy: float, height: float) -> Corner:
    return Corner((x, y), (ux, uy), height, 1.0)


def _off(rng: Rng, corner: Corner, by: tuple[float, float, float]) -> Corner:
    """A corner framed a little off, as a finder might."""
    shift, size, turn = by
    right, down = rng.normal(0, shift, 2).tolist()
    return corner.moved(right, down, float(np.exp(rng.normal(0, size))), rng.normal(0, turn))


def reader_crops(rng: Rng, image: Image, truth: NDArray[np.float32], jitters: int) -> list[Sample]:
    """Crops from one patch: its indices as the detector would frame them, and what is no index."""
    samples: list[Sample] = []
    side = image.shape[0]
    real = truth[truth[:, 0] > -500]
    shown = real[real[:, 5] > HIDDEN]

    def named(true: Corner, rank: float, suit: float) -> Sample:
        framed = _off(rng, true, _BADLY if rng.random() < _BADLY_FRAMED else _WELL)
        return corner_crop(image, framed), (rank, suit, *correction(framed, true))

    def empty(corner: Corner) -> Sample:
        return corner_crop(image, _off(rng, corner, _WELL)), (NO_INDEX, UNLABELLED, *NO_POSE)

    def far_from_all(x: float, y: float, share: float) -> bool:
        return all(np.hypot(o[0] - x, o[1] - y) > share * o[4] for o in shown)

    def aside(x: float, y: float, ux: float, uy: float, height: float) -> Iterator[Sample]:
        """An index upside down, or what lies beside one."""
        if rng.random() < 0.4:
            yield empty(_corner(x, y, -ux, -uy, height))
            return
        angle, reach = rng.uniform(0, 2 * np.pi), height * rng.uniform(0.45, 1.1)
        at = (x + reach * np.cos(angle), y + reach * np.sin(angle))
        turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else np.arctan2(uy, ux)
        if far_from_all(*at, 0.4):
            yield empty(_corner(*at, np.cos(turn), np.sin(turn), height))

    for x, y, ux, uy, height, visible, rank, suit in real.tolist():
        if height < SMALLEST_READ_PX or not (0 <= x < side and 0 <= y < side):
            continue
        if visible > READABLE:
            samples += [named(_corner(x, y, ux, uy, height), rank, suit) for _ in range(jitters)]
        elif visible < HIDDEN and rng.random() < 0.3:
            samples.append(empty(_corner(x, y, ux, uy, height)))
        if visible > READABLE and rng.random() < 0.2 * jitters:
            samples += aside(x, y, ux, uy, height)
    if rng.random() < 0.25 * jitters:
        spot, angle = rng.uniform(0, side, 2), rng.uniform(0, 2 * np.pi)
        if far_from_all(spot[0], spot[1], 0.5):
            size = float(np.exp(rng.uniform(np.log(12), np.log(90))))
            samples.append(empty(_corner(spot[0], spot[1], np.cos(angle), np.sin(angle), size)))
    return samples


def as_many_false(rng: Rng, found: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the finder found in a shard, no more false finds than true ones."""
    true, false = found[found[:, 6] >= 0], found[found[:, 6] < 0]
    return np.concatenate([true, false[rng.permutation(len(false))[: len(true)]]])


def mined_crops(
    rng: Rng, images: NDArray[np.uint8], truths: NDArray[np.float32], found: NDArray[np.float32]
) -> list[Sample]:
    """Crops of what the finder found in a shard, a little jittered: what the reader will really be given."""
    samples: list[Sample] = []
    for number, x, y, ux, uy, height, rank, suit in found.tolist():
        framed = _off(rng, _corner(x, y, ux, uy, height), (0.02, 0.03, 0.03))
        better = NO_POSE
        if rank >= 0:
            rows = truths[int(number)]
            there = rows[np.hypot(rows[:, 0] - x, rows[:, 1] - y).argmin()].tolist()
            better = correction(framed, _corner(*there[:5]))
        samples.append((corner_crop(images[int(number)], framed), (rank, suit, *better)))
    return samples


def make_shards(
    out: Path,
    seed: int,
    shards: int,
    size: int,
    *,
    cache: Path,
    decks_of: str,
    close: int = 0,
    beside: Callable[[Path], object] | None = None,
    share: tuple[int, int] = (0, 1),
) -> None:
    """Writes so many shards of labelled patches, both networks learn from the same; those already there are kept.

    share: which of how many drawers this is; each draws its own. close: so many close-ups for the reader go beside
    each. beside: called with each shard before it is shown to those who wait for it, so that what it writes beside the
    shard is there too."""
    out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    decks: list[Deck] = []
    for shard in range(shards):
        done = out / f"{shard:04}.npz"
        if shard % _SHARDS_A_DECK == 0:
            decks = []
        if done.exists() or shard // _SHARDS_A_DECK % share[1] != share[0]:
            continue
        if not decks:
            inventing = np.random.default_rng([seed, shard // _SHARDS_A_DECK])
            decks = training_decks(cache, inventing, 24) if decks_of == "training" else packaged(cache, decks_of)
        forget_pictures()
        started = time.monotonic()
        rng = np.random.default_rng([seed, shard, 1])
        pool = backgrounds(rng, 40)
        drawn = [detector_patch(rng, decks, pool) for _ in range(size)]
        if close:
            forget_pictures()
            fresh = invented_decks(rng, decks, _CLOSE_UP_DECKS)
            near = close_ups(rng, fresh, pool, close)
            image, label = np.stack([c[0] for c in near]), np.array([c[1] for c in near], np.float32)
            np.savez(done.with_name(done.stem + CLOSE_UPS), image=image, label=label)
        part = done.with_suffix(".tmp.npz")
        np.savez(part, image=np.stack([d[0] for d in drawn]), truth=np.stack([d[1] for d in drawn]))
        if beside:
            beside(part)
        part.rename(done)
        print(f"{decks_of} shard {shard}: {size / (time.monotonic() - started):.0f} a second", flush=True)


def main() -> None:
    """Draws shards from the command line."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("out", type=Path)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--shards", type=int, default=40)
    ap.add_argument("--size", type=int, default=1000)
    ap.add_argument("--cache", type=Path, default=Path("/tmp/hisabu-decks"))
    ap.add_argument("--decks", choices=("training", "calibration", "held_out"), default="training")
    a = ap.parse_args()
    make_shards(a.out, a.seed, a.shards, a.size, cache=a.cache, decks_of=a.decks)


if __name__ == "__main__":
    main()
