"""What enrolling a deck gains: a deck with letters nobody taught, read before and after it was enrolled, as JSON."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from engine.cards import SUITS, Card
from vision.cards.enrol import ROW, enrol_picture, proposed_order
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import CardReader
from vision.synthetic.cards_tables import DrawnCard, PictureLook, draw_table
from vision.synthetic.deck_rasters import load_rasters
from vision.synthetic.decks import Deck, Image
from vision.training.cards_decks import as_deck
from vision.training.cards_measure import drawn_tables, measure

ODD_DECKS = ("gn-Атласные", "gn-slavic_costumes")
"""Cyrillic letters for ace, king, queen and jack; never trained on."""


def rows_picture(
    rng: np.random.Generator, deck: Deck, order: Sequence[Card], width: int = 1280, height: int = 960
) -> Image:
    """Cards laid upright in rows, as enrolment asks for, not quite straight."""
    card_px = 0.1 * width
    laid = []
    for k, card in enumerate(order):
        row, column = divmod(k, ROW)
        at = np.array([width * 0.2 + column * card_px * 1.5, height * 0.14 + row * card_px * 1.7]) + rng.normal(0, 4, 2)
        laid.append(DrawnCard(card, (float(at[0]), float(at[1])), card_px, float(rng.normal(0, 0.05))))
    look = PictureLook(uneven=0.1, noise=2.0, jpeg=90, blur_px=0.5)
    return draw_table(
        rng, deck, width, height, card_px=card_px, laid=laid, look=look, tilt_deg=4, clutter=False, hand=False
    ).image


def main() -> None:
    """Figures before and after, on the same tables."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--cache", type=Path, default=Path("/tmp/hisabu-decks"))
    ap.add_argument("--tables", type=int, default=60)
    ap.add_argument("--decks", nargs="+", default=ODD_DECKS, help="packaged decks, as gn-paris or kde-standard")
    ap.add_argument("--seed", type=int, default=6000)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    for name, pictures in load_rasters(a.cache, frozenset(a.decks)).items():
        deck = as_deck(name, pictures)
        reader = CardReader()
        rng = np.random.default_rng(a.seed)
        known: EnrolledDeck | None = None
        problems = []
        for suit in SUITS:
            order = proposed_order(suit)
            result = enrol_picture(reader, rows_picture(rng, deck, order), order)
            if result.deck is None:
                problems.append(result.problem)
            else:
                known = result.deck if known is None else known.merged(result.deck)
        figures: dict[str, object] = {"deck": name, "problems": problems}
        for label, card_reader in (("before", CardReader()), ("after", CardReader(deck=known))):
            tally = measure(card_reader, drawn_tables([deck], a.tables, a.seed + 1))
            figures[label] = {
                "owed": tally.owed,
                "recall": round(tally.named / tally.owed, 4),
                "wrong_names": tally.wrong,
            }
        print(json.dumps(figures, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
