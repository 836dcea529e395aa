"""Which decks are read from which height, in which light: counted on drawn tables by `optics.py --measure`, kept in
decks.csv, shown in the guide."""

import csv
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.synthetic.decks import Deck

SOURCE = Path(__file__).with_name("decks.csv")
CARD_MM = 63.5
INDICES_MM = {"small": 12.7, "usual": 17.5, "large": 24.0}
"""Height of an index, rank over suit: of a patience deck, of our own drawn deck, of a deck for weak eyes."""
LIGHTS = ("fair", "any")
"""fair: an evening's lamps: uneven, a little grain and blur. any: by chance, with glare, shadow, much grain, blur and
bad colours, as the readers are trained for."""
FAIR: dict[str, Any] = {"light": 0.8, "uneven": 0.25, "noise": 4.0, "blur_px": 0.9, "jpeg": 85}
PICTURES, CARDS = 13, 8
"""Two packs of 52 lie open, eight cards in a picture, none on another."""
SIZE = (1280, 960)
COLUMNS = ("camera", "table", "px_per_cm", "index_mm", "light", "read", "wrong", "cards")
SHOWN = ("Camera Module 2", "Camera Module 3", "Camera Module 3 Wide", "USB, C920 kind")


def heights() -> Iterator[tuple[str, str, float]]:
    """Each camera over each table of cards that it works for, and how many pixels a centimetre has there."""
    from hardware import optics

    data = optics.load()
    for camera in data.cameras:
        for table in data.tables:
            if camera.name in SHOWN and "players" in table.name and data.verdict(camera, table) != "hangs too high":
                yield camera.name, table.name, camera.px_per_cm(data.least_height_cm(camera, table))


@cache
def deck_of(index_mm: float) -> "Deck":
    """The plain deck with indices of this height: the old ones papered over, the same ones larger or smaller drawn."""
    import cv2
    import numpy as np

    from vision.synthetic.decks import CARD_W_PX, Deck, IndexBox, plain_deck

    plain = plain_deck()
    scale = index_mm / mm_of(plain.index.height)
    x, y, wide, tall = 8, 16, 64, 116
    new_wide, new_tall = round(wide * scale), round(tall * scale)
    pictures = {}
    for code, picture in plain.pictures.items():
        card = picture.copy()
        if code != "back" and not code.startswith("J0"):
            patch = picture[y : y + tall, x : x + wide, :3].copy()
            paper = np.median(patch.reshape(-1, 3), axis=0)
            small = cv2.resize(
                patch, (new_wide, new_tall), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            )
            for upright in (card, card[::-1, ::-1]):
                upright[y : y + tall, x : x + wide, :3] = paper
                upright[y : y + new_tall, x : x + new_wide, :3] = small
        pictures[code] = card
    box = plain.index
    centre = (x + (box.centre_x - x) * scale, y + (box.centre_y - y) * scale)
    assert centre[0] < CARD_W_PX / 2
    return Deck(
        f"indices of {index_mm} mm", pictures, IndexBox(*centre, box.height * scale), joker_index=plain.joker_index
    )


def mm_of(px: float) -> float:
    """A height on a drawn card on a real one, 1.42 times as high as wide."""
    from vision.synthetic.decks import CARD_H_PX

    return px * CARD_MM * 1.42 / CARD_H_PX


def counted(px_per_cm: float, index_mm: float, light: str, pictures: int = PICTURES) -> tuple[int, int, int]:
    """Cards read right, named wrong, and laid, of pictures of eight cards at this scale."""
    import numpy as np

    from engine.cards import FULL_PACK
    from vision.cards.reader import CardReader
    from vision.synthetic.cards_tables import DrawnCard, PictureLook, draw_table

    deck, reader = deck_of(index_mm), CardReader()
    codes = [*FULL_PACK, *FULL_PACK]
    card_px = CARD_MM / 10 * px_per_cm
    right = wrong = laid_count = 0
    for number in range(pictures):
        rng = np.random.default_rng(1000 + number)
        laid = [
            DrawnCard(
                codes[(CARDS * number + k) % len(codes)],
                (SIZE[0] * (0.14 + 0.24 * (k % 4)), SIZE[1] * (0.27 + 0.46 * (k // 4))),
                min(card_px, 0.2 * SIZE[0]),
                float(rng.uniform(0, 2 * math.pi)),
            )
            for k in range(CARDS)
        ]
        look = replace(PictureLook(), **FAIR) if light == "fair" else PictureLook.draw(rng)
        drawn = draw_table(
            rng, deck, *SIZE, card_px=card_px, laid=laid, look=look, tilt_deg=4, clutter=False, hand=False
        )
        there = {truth.card: truth.quad_px for truth in drawn.cards}
        for seen in reader.read(drawn.image).cards:
            quad: Any = there.get(seen.card)
            here = quad is not None and _inside(quad, seen.at_px)
            right, wrong = right + here, wrong + (not here)
        laid_count += CARDS
    return right, wrong, laid_count


def _inside(quad: Any, at: tuple[float, float]) -> bool:
    import cv2

    return bool(cv2.pointPolygonTest(quad.reshape(-1, 1, 2), (float(at[0]), float(at[1])), False) >= 0)


def measure(path: Path = SOURCE, pictures: int = PICTURES) -> None:
    """Counts everything anew; at one scale only once."""
    known: dict[tuple[float, float, str], tuple[int, int, int]] = {}
    with path.open("w", encoding="utf-8", newline="") as file:
        pen = csv.writer(file, lineterminator="\n")
        pen.writerow(COLUMNS)
        for camera, table, px_per_cm in heights():
            scale = round(px_per_cm, 1)
            for index_mm in INDICES_MM.values():
                for light in LIGHTS:
                    key = (scale, index_mm, light)
                    if key not in known:
                        known[key] = counted(*key, pictures)
                    pen.writerow([camera, table, scale, index_mm, light, *known[key]])
                    file.flush()


def rows() -> list[dict[str, str]]:
    """What was counted."""
    with SOURCE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def faults() -> list[str]:
    """Whether what was counted is of the cameras and heights of now."""
    wanted = {(camera, table, f"{round(px, 1)}") for camera, table, px in heights()}
    counted_for = {(row["camera"], row["table"], row["px_per_cm"]) for row in rows()}
    return (
        []
        if wanted == counted_for
        else ["decks.csv is of other cameras or heights: python hardware/optics.py --measure"]
    )


def deck_table() -> str:
    """The guide's table: of 104 cards how many are read."""
    found = {(row["camera"], row["table"], row["index_mm"], row["light"]): row for row in rows()}
    heads = [f"indices of {mm:g} mm, {light} light" for mm in INDICES_MM.values() for light in LIGHTS]
    lines = ["| camera | table | " + " | ".join(heads) + " |", "|---|---|" + "---|" * len(heads)]
    for camera, table in dict.fromkeys((row["camera"], row["table"]) for row in rows()):
        cells = []
        for mm in INDICES_MM.values():
            for light in LIGHTS:
                row = found[camera, table, str(mm), light]
                wrong = f", {row['wrong']} wrong" if int(row["wrong"]) else ""
                cells.append(f"{row['read']}{wrong}")
        lines.append(f"| {camera} | {table} | {' | '.join(cells)} |")
    return "\n".join(lines)
