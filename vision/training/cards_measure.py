"""Measures the whole reader on drawn tables of decks that taught it nothing: recall, wrong names, reliability."""

import argparse
import itertools
import json
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import JOKER
from vision.cards.consensus import FoundCard
from vision.cards.reader import CardReader
from vision.synthetic.cards_backgrounds import table_top
from vision.synthetic.cards_tables import DrawnTable, draw_table
from vision.synthetic.decks import Deck, Image
from vision.training.cards_decks import packaged

OWED_VISIBLE = 0.85
"""A card must be read if so much of one of its corners shows."""
_TABLES_A_TOP = 4
"""Tables in a row on one table top: to draw a top costs more than the cards on it."""
WRONG_ABOVE_BAR = 1e-3
"""Share of wrong names that the bar may let through."""
LOWEST_BAR, HIGHEST_BAR = 0.97, 0.999
"""The bar stays between these: a camera's pictures differ from drawn ones by more than drawn ones among themselves."""


@dataclass(frozen=True)
class CardsTally:
    """What was said of every card found, and how many cards were owed and named."""

    confidence: NDArray[np.float64]
    right: NDArray[np.bool_]
    owed: int
    named: int
    wrong: int
    tables: int
    height_px: NDArray[np.float64]
    """How high the index of each card found is."""


def shrunk(table: DrawnTable, by: float) -> DrawnTable:
    """The same table as a farther or coarser camera shows it."""
    image = cv2.resize(table.image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    cards = tuple(
        replace(
            card,
            quad_px=card.quad_px * by,
            indices=tuple(
                replace(i, at_px=(i.at_px[0] * by, i.at_px[1] * by), height_px=i.height_px * by) for i in card.indices
            ),
        )
        for card in table.cards
    )
    return DrawnTable(np.asarray(image), cards)


def _name(card: str) -> str:
    return JOKER if card.startswith(JOKER) else card


def is_right(table: DrawnTable, found: FoundCard) -> bool:
    """Whether the named card lies there: at one of the corners it was named from, its index is the nearest."""
    for reading in found.readings:
        x, y = reading.corner.at_px
        near = [
            (float(np.hypot(index.at_px[0] - x, index.at_px[1] - y)) / index.height_px, _name(card.card))
            for card in table.cards
            for index in card.indices
            if index.visible > 0.3
        ]
        apart, name = min(near, default=(1.0, ""))
        if apart < 0.5 and name == found.card:
            return True
    return False


def drawn_tables(
    decks: Sequence[Deck], count: int, seed: int, width: int = 1280, height: int = 960, keep: Path | None = None
) -> Iterable[DrawnTable]:
    """Tables of these decks by chance; those kept in a folder are not drawn again."""
    tops: dict[int, Image] = {}
    for k in range(count):
        kept = keep / f"{seed}-{k:05}.pkl" if keep else None
        if kept and kept.exists():
            coded, cards = pickle.loads(kept.read_bytes())
            yield DrawnTable(cv2.imdecode(coded, cv2.IMREAD_COLOR), cards)
            continue
        number = k // _TABLES_A_TOP
        if number not in tops:
            tops = {number: table_top(np.random.default_rng([seed, number, 1]), width, height)}
        rng = np.random.default_rng([seed, k])
        table = draw_table(rng, decks[k % len(decks)], width, height, background=tops[number])
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            _ok, coded = cv2.imencode(".png", table.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            kept.write_bytes(pickle.dumps((coded, table.cards)))
        yield table


def measure(reader: CardReader, tables: Iterable[DrawnTable]) -> CardsTally:
    """Runs the reader over tables."""
    confidence, right, height = [], [], []
    owed = named = wrong = count = 0
    for table in tables:
        count += 1
        sighting, found = reader.explain(table.image)
        for card in found:
            confidence.append(card.confidence)
            right.append(is_right(table, card))
            height.append(max(r.corner.height_px for r in card.readings))
        lying = {_name(c.card) for c in table.cards if c.card != "back"}
        must = {_name(c.card) for c in table.cards if any(i.visible >= OWED_VISIBLE for i in c.indices)}
        said = {c.card for c in sighting.cards}
        owed += len(must)
        named += len(said & must)
        wrong += len(said - lying)
    return CardsTally(np.array(confidence), np.array(right, bool), owed, named, wrong, count, np.array(height))


def choose_bar(tally: CardsTally) -> float:
    """The lowest bar that lets through no more than WRONG_ABOVE_BAR wrong names on these tables."""
    order = np.argsort(-tally.confidence)
    wrong = np.cumsum(~tally.right[order])
    share = wrong / np.arange(1, len(order) + 1)
    fine = np.nonzero(share <= WRONG_ABOVE_BAR)[0]
    if len(fine) == 0:
        return HIGHEST_BAR
    return float(min(HIGHEST_BAR, max(LOWEST_BAR, tally.confidence[order[fine[-1]]])))


def reliability(tally: CardsTally) -> list[dict[str, float]]:
    """Confidence against how often right, by tenths and finer towards the top."""
    edges = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0001]
    rows = []
    for low, high in itertools.pairwise(edges):
        inside = (tally.confidence >= low) & (tally.confidence < high)
        if inside.any():
            rows.append(
                {
                    "from": low,
                    "to": min(high, 1.0),
                    "cards": int(inside.sum()),
                    "confidence": round(float(tally.confidence[inside].mean()), 4),
                    "right": round(float(tally.right[inside].mean()), 4),
                }
            )
    return rows


HEIGHTS_PX = (0, 8, 10, 12, 15, 20, 30, 500)
"""Bounds of the heights of index that reliability is told by."""


def reliability_by_height(tallies: Sequence[CardsTally], bar: float) -> list[dict[str, float]]:
    """For each height of index: cards found, how sure, how often right, and of those above the bar how many wrong."""
    height, confidence, right = (
        np.concatenate([getattr(t, part) for t in tallies]) for part in ("height_px", "confidence", "right")
    )
    rows = []
    for low, high in itertools.pairwise(HEIGHTS_PX):
        here = (height >= low) & (height < high)
        if here.any():
            named = here & (confidence >= bar)
            rows.append(
                {
                    "from_px": low,
                    "to_px": high,
                    "cards": int(here.sum()),
                    "confidence": round(float(confidence[here].mean()), 4),
                    "right": round(float(right[here].mean()), 4),
                    "above_bar": int(named.sum()),
                    "wrong_above_bar": int((named & ~right).sum()),
                }
            )
    return rows


def draw_reliability(rows: Sequence[dict[str, float]], bar: float, out: Path) -> None:
    """The reliability diagram as a picture."""
    side, margin = 560, 60
    sheet = np.full((side + 2 * margin, side + 2 * margin, 3), 255, np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return margin + round(side * x), margin + round(side * (1 - y))

    for k in range(11):
        cv2.line(sheet, at(k / 10, 0), at(k / 10, 1), (235, 235, 235), 1)
        cv2.line(sheet, at(0, k / 10), at(1, k / 10), (235, 235, 235), 1)
        cv2.putText(
            sheet, f"{k / 10:.1f}", (at(k / 10, 0)[0] - 12, at(0, 0)[1] + 20), 0, 0.42, (90, 90, 90), 1, cv2.LINE_AA
        )
        cv2.putText(
            sheet, f"{k / 10:.1f}", (at(0, 0)[0] - 36, at(0, k / 10)[1] + 4), 0, 0.42, (90, 90, 90), 1, cv2.LINE_AA
        )
    cv2.line(sheet, at(0, 0), at(1, 1), (180, 180, 180), 1, cv2.LINE_AA)
    cv2.line(sheet, at(bar, 0), at(bar, 1), (60, 140, 240), 2, cv2.LINE_AA)
    points = [at(r["confidence"], r["right"]) for r in rows]
    cv2.polylines(sheet, [np.array(points, np.int32)], False, (160, 90, 30), 2, cv2.LINE_AA)
    for point, row in zip(points, rows, strict=True):
        cv2.circle(sheet, point, 3 + round(2 * np.log10(row["cards"])), (160, 90, 30), -1, cv2.LINE_AA)
    cv2.putText(
        sheet, "confidence (orange: the bar)", (margin, side + 2 * margin - 12), 0, 0.5, (40, 40, 40), 1, cv2.LINE_AA
    )
    cv2.putText(sheet, "share right", (8, margin - 20), 0, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    cv2.imwrite(str(out), sheet)


def main() -> None:
    """Figures on drawn tables of the held-out decks, as JSON; with --diagram, the picture too."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--decks", choices=("calibration", "held_out"), default="held_out")
    ap.add_argument("--tables", type=int, default=300)
    ap.add_argument("--seed", type=int, default=5000)
    ap.add_argument("--cache", type=Path, default=Path("/tmp/hisabu-decks"))
    ap.add_argument("--keep", type=Path, help="a folder to keep the drawn tables in, for the next time")
    ap.add_argument("--diagram", type=Path)
    ap.add_argument(
        "--sizes", type=float, nargs="*", default=[], help="shrink the tables by these too, and tell by height of index"
    )
    a = ap.parse_args()
    cv2.setNumThreads(1)
    reader = CardReader()

    def tables() -> Iterable[DrawnTable]:
        return drawn_tables(packaged(a.cache, a.decks), a.tables, a.seed, keep=a.keep)

    tally = measure(reader, tables())
    smaller = [measure(reader, (shrunk(table, by) for table in tables())) for by in a.sizes]
    rows = reliability(tally)
    above = tally.confidence >= reader.bar
    print(
        json.dumps(
            {
                "decks": a.decks,
                "tables": tally.tables,
                "owed": tally.owed,
                "named": tally.named,
                "recall": round(tally.named / max(1, tally.owed), 4),
                "wrong_names": tally.wrong,
                "bar": reader.bar,
                "above_bar": int(above.sum()),
                "wrong_above_bar": int((above & ~tally.right).sum()),
                "by_size": [
                    {"size": by, "owed": t.owed, "named": t.named, "wrong_names": t.wrong}
                    for by, t in zip(a.sizes, smaller, strict=True)
                ],
                "by_height": reliability_by_height([tally, *smaller], reader.bar),
                "reliability": rows,
            },
            indent=1,
        )
    )
    if a.diagram:
        draw_reliability(rows, reader.bar, a.diagram)


if __name__ == "__main__":
    main()
